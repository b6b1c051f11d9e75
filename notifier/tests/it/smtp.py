"""A mail server for the tests: aiosmtpd, told by the recipient's name how to behave.

Prints its port, then one JSON line for each message that it took, read back by Python's own mail parser.
dead@...   refused for good (550)          later@...  refused for now (451), until "open" is said on standard input
slow@...   taken, but the answer to the first one never comes
"""

import asyncio
import email
import email.policy
import json
import sys

from aiosmtpd.smtp import SMTP


class Handler:
    def __init__(self):
        self.open = False
        self.kept_waiting = False

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.startswith("dead@"):
            return "550 5.1.1 no such user"
        if address.startswith("later@") and not self.open:
            return "451 4.7.1 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in message.walk() if not part.is_multipart()}
        told = {
            "from": str(message["From"]),
            "to": list(envelope.rcpt_tos),
            "id": message["Message-ID"],
            "date": str(message["Date"]),
            "subject": str(message["Subject"]),
            "type": message.get_content_type(),
            "text": parts.get("text/plain", ""),
            "html": parts.get("text/html", ""),
        }
        print(json.dumps(told), flush=True)
        if envelope.rcpt_tos[0].startswith("slow@") and not self.kept_waiting:
            self.kept_waiting = True
            await asyncio.Event().wait()
        return "250 OK"


async def main():
    handler = Handler()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(handler, enable_SMTPUTF8=True), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while word := await loop.run_in_executor(None, sys.stdin.readline):
        handler.open = word.strip() == "open"
        print("{}", flush=True)


asyncio.run(main())
