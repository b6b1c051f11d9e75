"""The official client drives the sandbox from end to end and verifies its webhooks.

Arguments: base address of the sandbox, its key, the webhook secret. Exits with a traceback at the first surprise.
"""

import http.server
import json
import sys
import threading
import urllib.parse
import urllib.request

import stripe

BASE, KEY, SECRET = sys.argv[1:4]
BASE = BASE.rstrip("/")
CARD = {"automatic_payment_methods": {"enabled": True, "allow_redirects": "never"}}


class Endpoint(http.server.BaseHTTPRequestHandler):
    """Takes webhooks as a merchant does: what does not verify is answered with 400."""

    accepted = []
    refused = 0
    changed = threading.Condition()

    def do_POST(self):
        payload = self.rfile.read(int(self.headers["content-length"]))
        with Endpoint.changed:
            try:
                event = stripe.Webhook.construct_event(payload, self.headers["stripe-signature"], SECRET)
                Endpoint.accepted.append(event)
                self.send_response(200)
            except stripe.SignatureVerificationError:
                Endpoint.refused += 1
                self.send_response(400)
            Endpoint.changed.notify_all()
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass

    @classmethod
    def wait(cls, condition):
        with cls.changed:
            assert cls.changed.wait_for(condition, timeout=10), (cls.kinds(), cls.refused)

    @classmethod
    def kinds(cls):
        return [event.type for event in cls.accepted]


def control(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE}/_sandbox/{path}", data=data, method=method)
    request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read() or b"null")


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def submit(url, **fields):
    """Sends a page's form; gives the status and where it leads."""
    data = urllib.parse.urlencode(fields).encode()
    try:
        with urllib.request.build_opener(Stay).open(url, data) as response:
            return response.status, None
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers["location"]


def refused(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


def payments(client):
    intents = client.v1.payment_intents
    intent = intents.create({"amount": 4000, "currency": "eur", "metadata": {"order": "o1"}, **CARD})
    assert intent.status == "requires_payment_method" and intent.metadata["order"] == "o1"
    error = refused(stripe.CardError, lambda: intents.confirm(intent.id, {"payment_method": "pm_card_chargeDeclined"}))
    assert error.code == "card_declined" and error.error.decline_code == "generic_decline"
    intent = intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
    assert intent.status == "succeeded" and intent.amount_received == 4000
    intent = intents.retrieve(intent.id, {"expand": ["latest_charge.balance_transaction"]})
    assert intent.latest_charge.balance_transaction.net == 4000 - 85
    refund = client.v1.refunds.create({"payment_intent": intent.id, "amount": 1500, "reason": "requested_by_customer"})
    assert refund.status == "succeeded"
    over = {"payment_intent": intent.id, "amount": 2501}
    assert refused(stripe.InvalidRequestError, lambda: client.v1.refunds.create(over)).param == "amount"
    assert len(client.v1.refunds.list({"charge": intent.latest_charge.id}).data) == 1
    error = refused(stripe.InvalidRequestError, lambda: intents.create({"amount": 49, "currency": "eur", **CARD}))
    assert error.code == "amount_too_small"
    error = refused(stripe.InvalidRequestError, lambda: intents.retrieve("pi_nobody"))
    assert error.code == "resource_missing" and error.http_status == 404
    intents.cancel(intents.create({"amount": 4000, "currency": "eur", **CARD}).id)
    assert [found.status for found in intents.list({"limit": 1}).auto_paging_iter()] == ["canceled", "succeeded"]
    stranger = stripe.StripeClient("sk_test_stranger", base_addresses={"api": BASE})
    refused(stripe.AuthenticationError, lambda: stranger.v1.payment_intents.list())


def keys(client):
    create = client.v1.refunds.create
    intents = client.v1.payment_intents
    intent = intents.create({"amount": 4000, "currency": "eur", "confirm": True, "payment_method": "pm_card_visa", **CARD})
    once = {"idempotency_key": "refund-1"}
    first = create({"payment_intent": intent.id, "amount": 100}, once)
    again = create({"payment_intent": intent.id, "amount": 100}, once)
    assert first.id == again.id and again.last_response.headers["idempotent-replayed"] == "true"
    refused(stripe.IdempotencyError, lambda: create({"payment_intent": intent.id, "amount": 200}, once))
    control("POST", "faults/api", {"operation": "refunds.create", "trouble": "server_error", "when": "after_effect"})
    lost = {"payment_intent": intent.id, "amount": 300}
    for _ in range(2):
        refused(stripe.APIError, lambda: create(lost, {"idempotency_key": "refund-2"}))
    assert [refund.amount for refund in client.v1.refunds.list({"payment_intent": intent.id}).data] == [300, 100]
    control("POST", "faults/api", {"operation": "refunds.*", "trouble": "disconnect", "when": "before_effect"})
    refused(stripe.APIConnectionError, lambda: create(lost, {"idempotency_key": "refund-3"}))
    control("POST", "faults/api", {"operation": "*", "trouble": "rate_limited", "when": "before_effect"})
    refused(stripe.RateLimitError, lambda: create(lost, {"idempotency_key": "refund-3"}))


def sessions(client):
    checkout = client.v1.checkout.sessions
    product = {"currency": "eur", "unit_amount": 4000, "product_data": {"name": "Section A"}}
    asked = {
        "mode": "payment",
        "line_items": [{"price_data": product, "quantity": 1}],
        "success_url": "http://localhost/ok?s={CHECKOUT_SESSION_ID}",
        "payment_intent_data": {"metadata": {"order": "o1"}},
        "expires_at": control("GET", "clock")["now"] + 3600,
    }
    session = checkout.create(asked)
    assert session.status == "open" and session.payment_intent is None
    assert submit(session.url, card_number="4000000000000002") == (402, None)
    status, bank = submit(session.url, card_number="4000000000003220")
    assert status == 303 and submit(bank, decision="authenticate") == (303, f"http://localhost/ok?s={session.id}")
    session = checkout.retrieve(session.id, {"expand": ["payment_intent", "line_items"]})
    assert (session.status, session.payment_status) == ("complete", "paid")
    assert session.payment_intent.metadata["order"] == "o1" and session.line_items.data[0].amount_total == 4000
    refused(stripe.InvalidRequestError, lambda: checkout.expire(session.id))
    early = {**asked, "expires_at": control("GET", "clock")["now"] + 60}
    assert refused(stripe.InvalidRequestError, lambda: checkout.create(early)).param == "expires_at"
    other = checkout.create(asked)
    control("POST", "clock/advance", {"seconds": 3700})
    assert checkout.retrieve(other.id).status == "expired"


def webhooks(client):
    intents = client.v1.payment_intents
    Endpoint.wait(lambda: "checkout.session.expired" in Endpoint.kinds())
    for kind in ["payment_intent.created", "payment_intent.payment_failed", "payment_intent.succeeded", "charge.succeeded",
                 "charge.refunded", "refund.created", "payment_intent.canceled", "payment_intent.requires_action",
                 "checkout.session.completed"]:
        assert kind in Endpoint.kinds(), kind
    for twist in ["wrong_signature", {"old_timestamp": 600}]:
        before = Endpoint.refused
        control("POST", "faults/webhooks", {"kind": "payment_intent.created", "twist": twist})
        intents.create({"amount": 4000, "currency": "eur", **CARD})
        Endpoint.wait(lambda: Endpoint.refused == before + 1)
    seen = len(Endpoint.accepted)
    control("POST", "faults/webhooks", {"kind": "*", "twist": {"second_signature": "whsec_being_rolled"}})
    control("POST", "faults/webhooks", {"kind": "*", "twist": "duplicate"})
    intent = intents.create({"amount": 4000, "currency": "eur", **CARD})
    Endpoint.wait(lambda: len(Endpoint.accepted) == seen + 2)
    first, second = Endpoint.accepted[seen:]
    assert first.id == second.id and first.data.object.id == intent.id
    assert client.v1.events.retrieve(first.id).type == "payment_intent.created"


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    hook = {"url": f"http://127.0.0.1:{server.server_port}/events", "secret": SECRET}
    control("PUT", "webhooks/endpoint", hook)
    client = stripe.StripeClient(KEY, base_addresses={"api": BASE}, max_network_retries=0)
    payments(client)
    keys(client)
    sessions(client)
    webhooks(client)


main()
