"""A SendGrid on this machine: takes mails, keeps its lists and logs, and fails as the real one and its network do.

Not a mock: the official client speaks HTTP to it. What it does not check, the contract tests do.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from tests.fake_http import Answer, FakeServer, Request

KEY = "SG.fake-key.nothing-opens-with-it"
FROM = "desk@example.com"
GROUP = 4711

LISTS = {
    "/v3/suppression/bounces": "bounces",
    "/v3/suppression/blocks": "blocks",
    "/v3/suppression/invalid_emails": "invalid_emails",
    "/v3/suppression/spam_reports": "spam_reports",
    "/v3/suppression/unsubscribes": "unsubscribes",
}
SCOPES = [
    *("mail.send", "suppression.bounces.read", "suppression.blocks.read", "suppression.invalid_emails.read"),
    *("suppression.spam_reports.read", "suppression.unsubscribes.read", "asm.groups.suppressions.read"),
]


class FakeSendgrid(FakeServer):
    """Stateful. Times are Unix seconds of its own clock, `now`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.key = KEY
        self.scopes = list(SCOPES)
        self.verified = {FROM}
        self.waiting: set[str] = set()  # entered as a sender, not confirmed
        self.groups = {GROUP}
        self.mails: list[dict[str, Any]] = []
        self.logs: list[dict[str, Any]] = []
        self.lists: dict[str, list[dict[str, Any]]] = {name: [] for name in LISTS.values()}
        self.group_unsubscribes: list[dict[str, Any]] = []
        self.logs_lag = 0  # so many of the newest mails are not in the logs yet
        self._ids = 0
        super().__init__(tls)

    def list_entry(self, name: str, email: str, created: int | None = None, **more: object) -> None:
        """Put an address on one of the five lists that have windows."""
        entry: dict[str, Any] = {"created": self.now if created is None else created, "email": email}
        if name == "spam_reports":
            entry["ip"] = "192.0.2.7"
        elif name != "unsubscribes":
            entry |= {"reason": "550 5.1.1 no such user"} | ({} if name == "invalid_emails" else {"status": "5.1.1"})
        self.lists[name].append(entry | more)

    def group_entry(self, email: str, group: int = GROUP, created: int | None = None) -> None:
        """Somebody left by the hosted page."""
        at = self.now if created is None else created
        entry = {"email": email, "group_id": group, "group_name": "Offers", "created_at": at}
        self.group_unsubscribes.append(entry)

    def becomes(self, mail: int, status: str, event: Mapping[str, object] | None = None) -> None:
        """What becomes of the mail with this number, counted from 0; `event` as Email Logs tell it."""
        log = self.logs[mail]
        log["status"] = status
        if event is not None:
            log["events"].append(self._event(log, event))

    # --- what it answers

    def answer(self, request: Request) -> Answer:
        """By the books; under its lock."""
        with self._lock:
            if request.headers.get("authorization") != f"Bearer {self.key}":
                return _errors(401, "authorization required")
            place = (request.method, request.path)
            if place == ("POST", "/v3/mail/send"):
                return self._send(request.body)
            if place == ("GET", "/v3/scopes"):
                return Answer(200, {"scopes": self.scopes})
            if place == ("GET", "/v3/verified_senders"):
                return Answer(200, {"results": self._senders()})
            if request.method == "GET" and request.path in LISTS:
                name = LISTS[request.path]
                return self._list(f"suppression.{name}.read", self._page(name, request.query))
            if place == ("GET", "/v3/asm/suppressions"):
                return self._list("asm.groups.suppressions.read", self.group_unsubscribes)
            if place == ("POST", "/v3/logs"):
                return self._search(request.body)
            if request.method == "GET" and request.path.startswith("/v3/logs/"):
                return self._detail(unquote(request.path.removeprefix("/v3/logs/")))
            return _errors(404, "not found")

    def _send(self, mail: dict[str, Any]) -> Answer:
        if "mail.send" not in self.scopes:
            return _errors(403, "access forbidden")
        if mail["from"]["email"] not in self.verified:
            told = "The from address does not match a verified Sender Identity. Mail cannot be sent until it is."
            return _errors(403, told, "from")
        to = mail["personalizations"][0]["to"][0]["email"]
        if "@" not in to:
            return _errors(400, "Does not contain a valid address.", "personalizations.0.to.0.email")
        if not mail.get("subject", "").strip():
            return _errors(400, "The subject is required.", "subject")
        if any(not part["value"] for part in mail["content"]):
            return _errors(400, "The content value must be a string at least one character.", "content.0.value")
        if "asm" in mail and mail["asm"]["group_id"] not in self.groups:
            return _errors(400, "The asm group ID is not valid.", "asm.group_id")
        if mail.get("mail_settings", {}).get("sandbox_mode", {}).get("enable"):
            return Answer(200)
        self._ids += 1
        message_id = f"fakeId{self._ids:016}"
        self.mails.append(mail)
        log = {
            "from_email": mail["from"]["email"],
            "to_email": to,
            "subject": mail["subject"],
            "sg_message_id": f"{message_id}.recvd-5f6b-0.0",
            "sg_message_id_created_at": self._stamp(),
            "status": "processed",
            "custom_args": dict(mail["personalizations"][0].get("custom_args", {})),
            "events": [],
            "api_key_id": "fake-key",
            "client_ip": "192.0.2.1",
        }
        log["events"].append(self._event(log, {"event": "processed"}))
        self.logs.append(log)
        return Answer(202, headers={"X-Message-Id": message_id})

    def _event(self, log: Mapping[str, Any], event: Mapping[str, object]) -> dict[str, object]:
        known = {
            "email": log["to_email"],
            "sg_message_id": log["sg_message_id"],
            "sg_event_id": f"event-{len(log['events'])}",
            "smtp-id": "<fake@geopod-ismtpd-7>",
            "timestamp": self.now,
        }
        return known | dict(event)

    def _senders(self) -> list[dict[str, object]]:
        listed = sorted(self.verified | self.waiting)
        return [
            {"id": at, "nickname": "Desk", "from_email": email, "verified": email in self.verified}
            for at, email in enumerate(listed, start=1)
        ]

    def _list(self, right: str, found: list[dict[str, Any]]) -> Answer:
        return Answer(200, found) if right in self.scopes else _errors(403, "access forbidden")

    def _page(self, name: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """Newest first, as far as any order is kept."""
        since, until = int(query.get("start_time", 0)), int(query.get("end_time", 2**60))
        inside = [each for each in self.lists[name] if since <= each["created"] <= until]
        inside.sort(key=lambda each: -each["created"])
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", 500)), 500)
        return inside[offset : offset + limit]

    def _search(self, asked: Mapping[str, Any]) -> Answer:
        tests = [_condition(part) for part in str(asked["query"]).split(" AND ")]
        there = self.logs[: len(self.logs) - self.logs_lag]
        found = [log for log in there if all(test(log) for test in tests)]
        listed = ("from_email", "sg_message_id", "subject", "to_email", "status", "sg_message_id_created_at")
        most = int(asked.get("limit", 10))
        return Answer(200, {"messages": [{name: log[name] for name in listed} for log in found[:most]]})

    def _detail(self, sg_id: str) -> Answer:
        found = next((log for log in self.logs if log["sg_message_id"] == sg_id), None)
        if found is None:
            return _errors(404, "not found")
        return Answer(200, {name: value for name, value in found.items() if name != "sg_message_id_created_at"})

    def _stamp(self) -> str:
        from datetime import UTC, datetime

        return datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _condition(part: str) -> Callable[[Mapping[str, Any]], bool]:
    """One condition of a query of Email Logs, as its description allows them."""
    if " IN (" in part:
        name, _, values = part.partition(" IN ")
        wanted = [value.strip().strip("'") for value in values.strip("()").split(",")]
        return lambda log: log[name] in wanted
    name, sign, value = part.split(" ", 2)
    value = value.removeprefix("TIMESTAMP ").strip("'\"")
    if sign == "=":
        return lambda log: bool(log[name] == value)
    if sign == ">=":
        return lambda log: bool(log[name] >= value)
    return lambda log: bool(log[name] <= value)


def _errors(status: int, message: str, field_name: str | None = None) -> Answer:
    return Answer(status, {"errors": [{"message": message} | ({"field": field_name} if field_name else {})]})
