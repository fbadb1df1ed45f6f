"""A Twilio on this machine: takes texts and calls, keeps its lists, and fails as the real one and its network do.

What it does not check, the contract tests do.
"""

from __future__ import annotations

import base64
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qs, urlencode

from tests.fake_http import Answer, FakeServer, Request

ACCOUNT = "AC" + "0" * 31 + "1"
SERVICE = "MG" + "0" * 31 + "2"
API_KEY = "SK" + "0" * 31 + "3"
TOKEN = "a-token-that-opens-nothing"
KEY_SECRET = "a-key-secret-that-opens-nothing"
OURS = "+15035550100"
OTHER = "+15035550101"
ANA = "+15035550142"
ROOT = f"/2010-04-01/Accounts/{ACCOUNT}"
MESSAGES = f"{ROOT}/Messages.json"
CALLS = f"{ROOT}/Calls.json"
NUMBERS = f"{ROOT}/IncomingPhoneNumbers.json"
ACCOUNT_PATH = f"/2010-04-01/Accounts/{ACCOUNT}.json"
TRIAL = "Sent from your Twilio trial account - "

Row = dict[str, Any]


class FakeTwilio(FakeServer):
    """Stateful. What becomes of a text or a call is told by `becomes`; what is refused by `refuses`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.texts: list[Row] = []
        self.calls: list[Row] = []
        self.numbers: dict[str, dict[str, bool]] = {OURS: {"sms": True, "voice": True, "mms": True, "fax": False}}
        self.logins = {ACCOUNT: TOKEN, API_KEY: KEY_SECRET}
        self.status = "active"
        self.refuses: dict[str, tuple[int, int]] = {}  # by the number it goes to: status and code
        self.becomes: dict[str, list[Mapping[str, object]]] = {}  # by id: what each fetch finds, the last for good
        self.trial = False
        self.hides = 0  # so many of the newest rows are not in the lists yet
        self.at_page: Callable[[], None] = lambda: None  # happens after each page of a list
        self._ids = 0
        super().__init__(tls)

    def parse(self, raw: bytes) -> Any:
        """A form."""
        return {name: values[-1] for name, values in parse_qs(raw.decode(), keep_blank_values=True).items()}

    # --- what happens outside

    def text_in(self, body: str, sender: str = ANA, to: str = OURS, *, at: int | None = None, **more: object) -> str:
        """A text comes in; its id."""
        row = self._text(sender, to, body, direction="inbound", status="received", at=at, sent=True)
        self.texts.append(row | more)
        return str(row["sid"])

    def call_in(self, sender: str = ANA, to: str = OURS, *, at: int | None = None, **more: object) -> str:
        """Somebody calls; the call's id."""
        row = self._call(sender, to, direction="inbound", status="completed", at=at)
        row |= {"start_time": row["date_created"], "end_time": row["date_created"], "duration": "12"}
        self.calls.append(row | more)
        return str(row["sid"])

    def by_hand(self, body: str, to: str = ANA, *, at: int | None = None, **more: object) -> str:
        """Somebody sends a text by other means; its id."""
        row = self._text(OURS, to, body, direction="outbound-api", status="delivered", at=at, sent=True)
        self.texts.append(row | more)
        return str(row["sid"])

    # --- what it answers

    def answer(self, request: Request) -> Answer:
        """By the books; under its lock."""
        with self._lock:
            user = self._user(request)
            if user is None:
                return error(401, 20003, "Authenticate")
            match (request.method, request.path):
                case ("GET", path) if path == ACCOUNT_PATH:
                    return error(401, 20003, "Authenticate") if user != ACCOUNT else Answer(200, self._account())
                case ("POST", path) if path == MESSAGES:
                    return self._send(request.body)
                case ("POST", path) if path == CALLS:
                    return self._dial(request.body)
                case ("GET", path) if path == MESSAGES:
                    return self._page(request, self.texts, "messages")
                case ("GET", path) if path == CALLS:
                    return self._page(request, self.calls, "calls")
                case ("GET", path) if path == NUMBERS:
                    return self._page(request, [self._number(each) for each in self.numbers], "incoming_phone_numbers")
                case ("GET", path) if path.startswith(f"{ROOT}/"):
                    return self._fetch(path.rpartition("/")[2].removesuffix(".json"))
            return error(404, 20404, "not found")

    def _user(self, request: Request) -> str | None:
        scheme, _, told = request.headers.get("authorization", "").partition(" ")
        user, _, secret = base64.b64decode(told).decode().partition(":") if scheme == "Basic" else ("", "", "")
        return user if user and self.logins.get(user) == secret else None

    def _send(self, form: Mapping[str, str]) -> Answer:
        to, service = form.get("To", ""), form.get("MessagingServiceSid")
        if to in self.refuses:
            return error(*self.refuses[to], "refused")
        if not form.get("Body"):
            return error(400, 21602, "Message body is required.")
        if service is None and form.get("From") not in self.numbers:
            return error(400, 21606, "The 'From' phone number is not yours.")
        body = (TRIAL if self.trial else "") + form["Body"]
        row = self._text(form.get("From"), to, body, direction="outbound-api", status="queued", service=service)
        self.texts.append(row)
        return Answer(201, row)

    def _dial(self, form: Mapping[str, str]) -> Answer:
        to = form.get("To", "")
        if to in self.refuses:
            return error(*self.refuses[to], "refused")
        row = self._call(form["From"], to, direction="outbound-api", status="queued")
        self.calls.append(row)
        return Answer(201, row)

    def _fetch(self, sid: str) -> Answer:
        row = next((each for each in [*self.texts, *self.calls] if each["sid"] == sid), None)
        if row is None:
            return error(404, 20404, f"{sid} was not found")
        script = self.becomes.get(sid, [])
        if script:
            row |= script.pop(0) if len(script) > 1 else script[0]
        return Answer(200, row)

    def _page(self, request: Request, rows: list[Row], key: str) -> Answer:
        """Newest first, by when it was sent; a page goes on below the row that its token names."""
        query = request.query
        there = rows[: len(rows) - self.hides] if key != "incoming_phone_numbers" else rows
        if "To" in query:
            there = [row for row in there if row["to"] == query["To"]]
        if key != "incoming_phone_numbers":
            there = sorted(there, key=_listed_by, reverse=True)
        size = min(int(query.get("PageSize", 50)), 1000)
        start = 0
        if "PageToken" in query:
            places = [at for at, row in enumerate(there) if f"PA{row['sid']}" == query["PageToken"]]
            if not places:
                return error(400, 21481, "Invalid page token")
            start = places[0] + 1
        page = there[start : start + size]
        more = there[start + size :]
        number = int(query.get("Page", 0))
        kept = {name: value for name, value in query.items() if name not in ("Page", "PageToken")}
        following = {**kept, "Page": number + 1, "PageToken": f"PA{page[-1]['sid']}"} if more else None
        answer = Answer(
            200,
            {
                "uri": f"{request.path}?{urlencode(query)}",
                "first_page_uri": f"{request.path}?{urlencode({**kept, 'Page': 0})}",
                "next_page_uri": f"{request.path}?{urlencode(following)}" if following else None,
                "previous_page_uri": None,
                "page": number,
                "page_size": size,
                "start": start,
                "end": start + len(page) - 1,
                key: page,
            },
        )
        self.at_page()
        return answer

    def _text(
        self,
        sender: str | None,
        to: str,
        body: str,
        *,
        direction: str,
        status: str,
        at: int | None = None,
        sent: bool = False,
        service: str | None = None,
    ) -> Row:
        sid = self._sid("SM")
        stamp = self._stamp(at)
        return {
            "sid": sid,
            "account_sid": ACCOUNT,
            "api_version": "2010-04-01",
            "body": body,
            "date_created": stamp,
            "date_updated": stamp,
            "date_sent": stamp if sent else None,
            "direction": direction,
            "error_code": None,
            "error_message": None,
            "from": sender,
            "to": to,
            "messaging_service_sid": service,
            "num_media": "0",
            "num_segments": "0" if service else "1",
            "price": None,
            "price_unit": "USD",
            "status": status,
            "subresource_uris": {"media": f"{ROOT}/Messages/{sid}/Media.json"},
            "uri": f"{ROOT}/Messages/{sid}.json",
        }

    def _call(self, sender: str, to: str, *, direction: str, status: str, at: int | None = None) -> Row:
        sid = self._sid("CA")
        stamp = self._stamp(at)
        return {
            "sid": sid,
            "account_sid": ACCOUNT,
            "answered_by": None,
            "api_version": "2010-04-01",
            "caller_name": None,
            "date_created": stamp,
            "date_updated": stamp,
            "direction": direction,
            "duration": None,
            "end_time": None,
            "from": sender,
            "to": to,
            "price": None,
            "price_unit": "USD",
            "start_time": None,
            "status": status,
            "subresource_uris": {},
            "uri": f"{ROOT}/Calls/{sid}.json",
        }

    def _number(self, number: str) -> Row:
        return {
            "sid": "PN" + f"{int(number[-4:]):032x}",
            "account_sid": ACCOUNT,
            "phone_number": number,
            "friendly_name": "Front desk",
            "capabilities": self.numbers[number],
            "sms_url": "",
            "voice_url": "",
            "uri": f"{ROOT}/IncomingPhoneNumbers/PN.json",
        }

    def _account(self) -> Row:
        return {
            "sid": ACCOUNT,
            "friendly_name": "Fernhollow",
            "status": self.status,
            "type": "Full",
            "uri": ACCOUNT_PATH,
        }

    def _sid(self, kind: str) -> str:
        self._ids += 1
        return f"{kind}{self._ids:032x}"

    def _stamp(self, at: int | None = None) -> str:
        return stamp(self.now if at is None else at)


def stamp(at: int) -> str:
    """An instant as Twilio writes it. at: Unix seconds."""
    return format_datetime(datetime.fromtimestamp(at, UTC))


def error(status: int, code: int, message: str) -> Answer:
    """A refusal as Twilio words it."""
    told = {"code": code, "message": message, "more_info": f"https://www.twilio.com/docs/errors/{code}"}
    return Answer(status, told | {"status": status})


def _listed_by(row: Row) -> tuple[bool, datetime, str]:
    sent = row.get("date_sent") or row.get("start_time")
    at = datetime.strptime(sent or row["date_created"], "%a, %d %b %Y %H:%M:%S %z")
    return (sent is None, at, str(row["sid"]))
