"""I16: secrets are in the keyring or were given by the environment, and never in anything that is written or shown.

Secrets are planted, a practice goes live and fails in every way against providers on this machine; then everything that
it has written or said is searched for them, as they are and as they travel.
"""

from __future__ import annotations

import base64
import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from app.data_folder import DataFolder
from app.known_secrets import KnownSecrets
from app.log_file import VENDORS, log_to
from app.store import tables as t
from app.store.backup import copy_database
from app.store.session import Session, sqlite_url
from tests.fake_http import Answer, Request, hangs_up, says
from tests.fake_sendgrid import GROUP, FakeSendgrid
from tests.fake_twilio import ACCOUNT, OURS, FakeTwilio
from tests.imap_server import PASSWORD as MAILBOX
from tests.imap_server import USER, Die, ImapServer
from tests.keyrings import MemoryKeyring, this_keyring
from tests.shop import FERNHOLLOW, PRACTICE, Shop

MONDAY = "2026-03-02T18:00:00Z"
LATER = "2026-03-04T18:00:00Z"
SENDGRID = "SG.planted0sendgrid1key2.f3a9"
TWILIO = "planted0twilio1token2f3a9"
DATABASE = "planted-database-pass"
PLANTED = (SENDGRID, TWILIO, MAILBOX, DATABASE)
TRAVELLING = (
    base64.b64encode(f"{ACCOUNT}:{TWILIO}".encode()).decode(),
    base64.b64encode(f"\0{USER}\0{MAILBOX}".encode()).decode(),
    base64.b64encode(SENDGRID.encode()).decode(),
    quote(MAILBOX),
    quote_plus(MAILBOX),
)


class Planted:
    """A practice in whose keyring and environment secrets are planted, and all that it has said so far."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self.sendgrid, self.twilio, self.mailbox = FakeSendgrid(), FakeTwilio(), ImapServer()
        self.sendgrid.key = SENDGRID
        self.twilio.logins = {ACCOUNT: TWILIO}
        environment = {"STOPWELL_TWILIO_AUTH_TOKEN": TWILIO}
        if database is not None:
            environment["STOPWELL_DATABASE"] = database
        self.shop = Shop(folder, environment)
        self.said: list[str] = []

    def __call__(self, *argv: str | Path) -> None:
        for more in ((), ("--json",)):
            said = self.shop(*argv, *more)
            self.said += [said.out, said.err]

    def providers(self) -> str:
        return f"""format: stopwell.providers/1
twilio: {{account_sid: {ACCOUNT}, from: "{OURS}", base_url: "{self.twilio.url}"}}
sendgrid:
  {{from_email: desk@example.com, from_name: Fernhollow, unsubscribe_group: {GROUP}, base_url: "{self.sendgrid.url}"}}
imap: {{host: 127.0.0.1, port: {self.mailbox.port}, user: {USER}, tls: false}}
"""

    def close(self) -> None:
        self.sendgrid.close()
        self.twilio.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def planted(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Planted]:
    database = None
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgres_url")
        database = f"{url}{'&' if '?' in url else '?'}password={DATABASE}"
    monkeypatch.setenv("STOPWELL_DEBUG", "1")  # tracebacks are shown too
    made = Planted(tmp_path / "data", database)
    with this_keyring(MemoryKeyring()), made.mailbox:
        yield made
    made.close()


def _echoes(talk: object, request: Request) -> Answer:
    """A provider that repeats what it was given, key and all."""
    return Answer(
        401, {"errors": [{"message": f"no: {request.headers['authorization']} {SENDGRID}", "field": SENDGRID}]}
    )


def _mailbox_repeats(_command: str, _connection: int) -> bytes:
    raise Die(f"* BYE {MAILBOX} is wrong\r\n".encode())


def lives(planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From init to live, with every failure on the way that can be provoked."""
    planted("init", *PRACTICE)
    planted("apply", FERNHOLLOW)
    planted("apply", planted.shop.write("providers.yaml", planted.providers()))
    wrong = f"format: stopwell.providers/1\ntwilio: {{auth_token: {TWILIO}, api_key_sid: {TWILIO}, from: 1}}\n"
    planted("check", planted.shop.write("wrong.yaml", wrong))
    (planted.shop.folder.parent / "wrong.yaml").unlink()
    for name, key in (("sendgrid-api-key", SENDGRID), ("imap-password", MAILBOX), ("twilio-auth-token", TWILIO)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{key}\n"))
        planted("keys", "set", name)
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{key} {key}\0\n"))
        planted("keys", "set", name)
    planted("keys", "show")
    planted.sendgrid.fail("/v3/scopes", _echoes, _echoes)
    planted.sendgrid.fail("GET /v3/suppression/bounces", hangs_up)
    planted.mailbox.script = _mailbox_repeats
    for connection in ("twilio", "sendgrid", "imap"):
        planted("test-connection", connection)
    planted.mailbox.script = lambda _command, _connection: None
    for connection in ("twilio", "sendgrid", "imap"):
        planted("test-connection", connection)
    planted("live", "--confirm", "registered")
    planted("publish", "New lead")
    people = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,(503) 555-0142,Portland\n"
    planted("import", "people", planted.shop.write("people.csv", people), "--consent", "web form, 2026-02-27")
    planted("enroll", "New lead", "--person", "ana@example.com", "--at", MONDAY)
    planted.sendgrid.fail("POST /v3/mail/send", _echoes, says(500, SENDGRID), hangs_up)
    planted.twilio.fail(f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json", says(500, TWILIO), hangs_up)
    for at in (MONDAY, MONDAY, "2026-03-02T19:00:00Z", LATER, "2026-03-04T19:00:00Z"):
        planted("tick", "--at", at)
    for command in ("problems", "log", "messages", "queue", "sources", "doctor", "checklist", "workers", "people"):
        planted(command)
    planted("why", "1")
    planted("try-channel", "email")
    planted("person", "ana@example.com")
    for name in ("packet.json", "packet.html"):
        planted("evidence", "--person", "ana@example.com", "--out", planted.shop.folder / name)
    planted("practice")


def everything_written(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Each file below, whole."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path), path.read_bytes()


def hold(where: str, content: bytes) -> list[str]:
    """What of the planted is in `content`."""
    return [f"{secret} in {where}" for secret in (*PLANTED, *TRAVELLING) if secret.encode() in content]


def test_i16_nothing_that_was_planted_is_found_anywhere(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives(planted, tmp_path, monkeypatch)

    server = planted.shop.environment.get("STOPWELL_DATABASE")
    session = Session(server or sqlite_url(DataFolder(planted.shop.folder).sqlite_file))
    try:
        with session.write() as connection:  # something in the side file, while it is searched
            connection.execute(t.practice.update().values(region="OR"))
        if server is None:
            copy_database(session, planted.shop.folder / "backups" / "copy.sqlite")
        with session.read() as connection:
            rows = [repr(row) for table in t.METADATA.tables.values() for row in connection.execute(table.select())]
        found = [each for where, content in everything_written(planted.shop.folder) for each in hold(where, content)]
    finally:
        session.dispose()
    found += [each for row in rows for each in hold("a row", row.encode())]
    found += [each for line in planted.said for each in hold("an answer", line.encode())]

    assert found == []
    assert any("SendGrid" in line for line in planted.said)
    assert len(planted.sendgrid.of("/v3/mail/send")) >= 3  # it did get as far as sending
    assert len(rows) > 50


def test_i16_the_same_search_finds_what_is_planted_in_a_file(tmp_path: Path) -> None:
    """The search itself can fail."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "stopwell.log").write_text(f"x {TRAVELLING[0]} y\n", encoding="utf-8")

    assert [each for where, content in everything_written(tmp_path) for each in hold(where, content)]


@pytest.mark.parametrize("secret", [*PLANTED, *TRAVELLING])
@pytest.mark.parametrize("logger", ["app.engine.deliver", *VENDORS])
@pytest.mark.expects_warning("")
def test_i16_no_logger_that_reaches_the_file_brings_a_secret_there(tmp_path: Path, logger: str, secret: str) -> None:
    known = KnownSecrets()
    for each in PLANTED:
        known.add(each)
    log = logging.getLogger(logger)
    with log_to(tmp_path / "stopwell.log", known.hide):
        logging.getLogger("app").warning("here")
        try:
            raise ValueError(f"Invalid header value: {secret}")
        except ValueError:
            log.exception("headers: %s", {"Authorization": f"Bearer {secret}"}, extra={"body": secret})
        log.debug("everything: %s", secret)
    text = (tmp_path / "stopwell.log").read_text(encoding="utf-8")

    assert hold("the log", text.encode()) == []
    assert "headers: " in text


def test_i16_providers_clients_are_held_at_warning_whatever_the_level_around_them(tmp_path: Path) -> None:
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.DEBUG)
    try:
        with log_to(tmp_path / "stopwell.log"):
            for name in VENDORS:
                assert not logging.getLogger(name).isEnabledFor(logging.INFO)
                assert not logging.getLogger(f"{name}.deeper").isEnabledFor(logging.INFO)
    finally:
        root.setLevel(level)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no /proc here")
def test_i16_no_process_has_a_secret_among_its_arguments(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    argv = [sys.executable, "-m", "app", "keys", "set", "twilio-auth-token", "--data", str(shop.folder)]
    environment = {**os.environ, "STOPWELL_SENDGRID_API_KEY": SENDGRID}
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as child:  # waits for the key
        arguments = b""
        while not arguments and child.poll() is None:  # for a moment after its start the system knows none
            arguments = Path(f"/proc/{child.pid}/cmdline").read_bytes()
        out, err = child.communicate(f"{TWILIO}\n".encode(), timeout=60)

    assert b"twilio-auth-token" in arguments
    assert [each for content in (arguments, out, err) for each in hold("a process", content)] == []


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://desk:{DATABASE}@127.0.0.1:1/stopwell",
        f"postgresql://desk@127.0.0.1:1/stopwell?password={DATABASE}",
        f"postgresql:///stopwell?host=127.0.0.1&port=1&password={DATABASE}&bogus=1",
        f"postgresql:///stopwell?host=127.0.0.1&port=1&sslpassword={DATABASE}",
        f"postgresql://desk:x@{DATABASE}@127.0.0.1:1/stopwell",
        f"postgresql://desk:{DATABASE}@127.0.0.1:port/stopwell",
        f"postgresql://desk:{DATABASE}@127.0.0.1:1/stopwell?sslmode=bogus",
        f"postgresql://desk:{DATABASE}%2F%40@127.0.0.1:1/stopwell",
    ],
)
def test_i16_a_database_s_password_is_in_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("STOPWELL_DEBUG", "1")
    shop = Shop(tmp_path / "data", {"STOPWELL_DATABASE": url})
    for command in (("people",), ("init", *PRACTICE)):
        said = shop(*command)
        assert said.code == 1
        assert hold("an error", (said.out + said.err).encode()) == []
    assert [each for where, content in everything_written(tmp_path) for each in hold(where, content)] == []


def test_i16_a_password_among_the_options_of_a_database_is_not_kept_in_the_folder(
    tmp_path: Path, postgres_url: str
) -> None:
    url = f"{postgres_url}{'&' if '?' in postgres_url else '?'}password={DATABASE}"
    Shop(tmp_path / "data", {"STOPWELL_DATABASE": url}).done("init", *PRACTICE)

    assert [each for where, content in everything_written(tmp_path) for each in hold(where, content)] == []
    settings = tmp_path / "data" / "stopwell.toml"
    settings.write_text(f'database = "{url}"\n', encoding="utf-8")
    assert "holds a password" in Shop(tmp_path / "data").refused("people")
