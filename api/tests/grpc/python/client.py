"""A client of another language: quotes, registers, reads the order, and is refused by name.

Called with the address of a door and the order that `enroc rehearse` shows for grpcurl; the modules are those that protoc
made from the .proto files.
"""

import sys

import grpc
from google.protobuf import json_format

import details_pb2 as rpc
from enroc.registration.v1 import order_pb2, registration_service_pb2 as desk
from enroc.registration.v1 import registration_service_pb2_grpc as desk_grpc
from enroc.rules.v1 import facts_pb2 as facts, quote_pb2, rules_service_pb2 as rules
from enroc.rules.v1 import rules_service_pb2_grpc as rules_grpc

TOURNAMENT = "ciutat-barcelona-2026"


def entry(birth_date, name=None):
    player = facts.Player(
        name=name,
        sex=facts.SEX_FEMALE,
        birth_date=birth_date,
        federation="FRA",
        rating=2100,
        licences=["FIDE"],
    )
    return quote_pb2.EntryRequest(section="A", entrant=player)


def order(birth_date, name):
    return desk.RegisterRequest(
        tournament=TOURNAMENT,
        payer=order_pb2.Payer(
            name=name, email="payer@example.org", language=order_pb2.LANGUAGE_ES
        ),
        entries=[desk.NewEntry(entry=entry(birth_date, name))],
        consents=["bases", "images"],
    )


def problem(error):
    """The reason of a refusal, and its fields as (field, rule)."""
    trailers = dict(error.trailing_metadata())
    status = rpc.Status.FromString(trailers["grpc-status-details-bin"])
    info, fields = rpc.ErrorInfo(), rpc.BadRequest()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(fields)
    assert info.domain == "enroc", info
    return info.reason, [(v.field, v.reason) for v in fields.field_violations]


def refused(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except grpc.RpcError as error:
        return error
    raise AssertionError("it was not refused")


def main(address, shown):
    channel = grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)])
    engine = rules_grpc.RulesServiceStub(channel)
    payers = desk_grpc.RegistrationServiceStub(channel)

    asked = rules.QuoteRequest(tournament=TOURNAMENT, entries=[entry("1990-05-01")])
    quote = engine.Quote(asked, timeout=10).quote
    assert quote.eligible and quote.total.amount == 6500, quote
    assert quote.total.currency == "EUR", quote

    key = [("idempotency-key", "python-1")]
    request = order("1990-05-01", "Player One")
    answer, call = payers.Register.with_call(request, metadata=key, timeout=10)
    token = dict(call.initial_metadata())["order-token"]
    again, _ = payers.Register.with_call(request, metadata=key, timeout=10)
    assert again.order.id == answer.order.id, "a repeat is the same order"

    bearer = [("authorization", f"Bearer {token}")]
    named = desk.GetOrderRequest(order=answer.order.id)
    found = payers.GetOrder(named, metadata=bearer, timeout=10).order
    assert found.reference == answer.order.reference, found
    assert found.due.amount == 6500, found
    assert found.entries[0].status == order_pb2.STATUS_HELD, found
    assert found.entries[0].entrant.entrant.name == "Player One", found

    error = refused(payers.GetOrder, named, timeout=10)
    assert error.code() == grpc.StatusCode.UNAUTHENTICATED, error
    nobody = ("unauthenticated", [("authorization", "unauthenticated")])
    assert problem(error) == nobody, problem(error)

    answer = payers.Register(json_format.Parse(shown, desk.RegisterRequest()), timeout=10)
    assert answer.order.entries[0].status == order_pb2.STATUS_HELD, answer

    wrong = order("1990-02-30", "Player Two")
    error = refused(payers.Register, wrong, metadata=[("idempotency-key", "python-2")])
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
    expected = ("invalid-fields", [("entries[0].entry.entrant.birth_date", "not_a_date")])
    assert problem(error) == expected, problem(error)


main(*sys.argv[1:])
