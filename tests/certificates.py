"""Certificates for servers of tests: an authority of a test's own, and what it signs."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key, as files."""

    cert: Path
    key: Path


class Authority:
    """Signs certificates for servers on this machine. `file` is what a client has to trust."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        self._certificate = self._signed(self._name, self._key, x509.BasicConstraints(ca=True, path_length=0))
        self.file = self._write("authority.pem", self._certificate.public_bytes(serialization.Encoding.PEM))

    def issue(
        self,
        stem: str = "server",
        hosts: Sequence[str] = ("localhost", "127.0.0.1"),
        *,
        expired: bool = False,
        self_signed: bool = False,
    ) -> Certificate:
        """A server's certificate. expired: until yesterday. self_signed: signed by nobody but itself."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0])])
        constraints = x509.BasicConstraints(ca=False, path_length=None)
        certificate = self._signed(name, key, constraints, hosts, expired=expired, self_signed=self_signed)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return Certificate(
            self._write(f"{stem}.pem", certificate.public_bytes(serialization.Encoding.PEM)),
            self._write(f"{stem}.key", pem),
        )

    def _signed(
        self,
        name: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        constraints: x509.BasicConstraints,
        hosts: Sequence[str] = (),
        *,
        expired: bool = False,
        self_signed: bool = False,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        signer = key if self_signed else self._key
        is_authority = constraints.ca
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name if self_signed else self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * _DAY)
            .not_valid_after(now - _DAY if expired else now + 10 * _DAY)
            .add_extension(constraints, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
            .add_extension(_usage(is_authority=is_authority), critical=True)
        )
        if hosts:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([_host(each) for each in hosts]), critical=False
            )
        return builder.sign(signer, hashes.SHA256())

    def _write(self, name: str, pem: bytes) -> Path:
        path = self._folder / name
        path.write_bytes(pem)
        return path


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
