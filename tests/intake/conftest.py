"""A receiver on loopback, on a practice of one's own, with keys in hand."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from twilio.request_validator import RequestValidator

from app.domain.provider_settings import Receiver
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import SecretPlace
from app.intake.server import receiver
from app.providers.signatures import ProviderSignatures
from app.service.delivery_news import DeliveryNews
from app.service.intake import Intake
from app.service.leads import Leads
from app.service.receiving import Receiving
from tests.builders import NOW, World
from tests.fakes import ToldClock

PUBLIC = "https://desk.example.com"
TOKEN = "the-twilio-token"
LEAD_TOKEN = "the-lead-token"


class Keys:
    """The practice's keys, as a mapping."""

    def __init__(self) -> None:
        self.held = {
            SecretName.TWILIO_AUTH_TOKEN: Secret(TOKEN),
            SecretName.LEAD_FORM_TOKEN: Secret(LEAD_TOKEN),
        }

    def read(self, name: SecretName) -> Secret | None:
        return self.held.get(name)

    def write(self, name: SecretName, secret: Secret) -> None:
        self.held[name] = secret

    def forget(self, name: SecretName) -> bool:
        return self.held.pop(name, None) is not None

    def place(self) -> SecretPlace:
        raise AssertionError("the receiver does not ask where keys are")

    def look_again(self) -> None:
        raise AssertionError("the receiver does not ask the keyring anew")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer over the wire."""

    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def told(self) -> dict[str, object]:
        read = json.loads(self.body)
        assert isinstance(read, dict)
        return read


@dataclass
class Knocker:
    """Knocks at a running receiver as the outside does."""

    port: int
    world: World
    keys: Keys
    settings: list[Receiver | None]
    signer: ec.EllipticCurvePrivateKey
    clock: ToldClock
    receiving: Receiving

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            return Reply(answer.status, answer.read(), dict(answer.getheaders()))
        finally:
            connection.close()

    def twilio(self, path: str, form: Mapping[str, str], *, token: str = TOKEN, url: str | None = None) -> Reply:
        signature = RequestValidator(token).compute_signature(url or f"{PUBLIC}{path}", dict(form))
        headers = {"X-Twilio-Signature": signature, "Content-Type": "application/x-www-form-urlencoded"}
        return self.post(path, urlencode(form).encode(), headers)

    def events(self, events: object, *, stamp: int | None = None) -> Reply:
        body = json.dumps(events).encode()
        at = str(int(self.clock.now().timestamp()) if stamp is None else stamp)
        signature = base64.b64encode(self.signer.sign(at.encode() + body, ec.ECDSA(hashes.SHA256()))).decode()
        headers = {
            "X-Twilio-Email-Event-Webhook-Timestamp": at,
            "X-Twilio-Email-Event-Webhook-Signature": signature,
            "Content-Type": "application/json",
        }
        return self.post("/sendgrid/events", body, headers)

    def lead(self, fields: object, *, token: str = LEAD_TOKEN) -> Reply:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return self.post("/leads", json.dumps(fields).encode(), headers)


@pytest.fixture
def knocker(world: World) -> Iterator[Knocker]:
    """A receiver that runs, on either database."""
    signer = ec.generate_private_key(ec.SECP256R1())
    pem = signer.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    settings: list[Receiver | None] = [
        Receiver(port=1, public_url=PUBLIC, events_key=base64.b64encode(pem).decode("ascii"))
    ]
    clock = ToldClock(NOW)
    keys = Keys()
    store = world.store
    receiving = Receiving(
        settings=lambda: settings[0],
        intake=Intake(store.open_uow, clock),
        leads=Leads(store.open_uow, clock),
        news=DeliveryNews(store.open_uow, clock),
        secrets=keys,
        signatures=ProviderSignatures(),
        clock=clock,
        open_uow=store.open_uow,
    )
    with receiver(receiving, "127.0.0.1", 0) as port:
        yield Knocker(port, world, keys, settings, signer, clock, receiving)
