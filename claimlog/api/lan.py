"""A server in a network without internet: its addresses, its certificate, a page for phones.

A phone keeps the page at the table offline only if the page came over HTTPS and the phone trusts
the certificate.  No public authority issues one for an address in a hall, so a server can be its
own authority.  Its key is kept beside the archive, and the authority can vouch only for addresses
of private networks, so a stolen key is of little use.  The page for phones is served over plain
HTTP beside the server, because a phone opens it before it trusts anything.
"""

from __future__ import annotations

import asyncio
import hashlib
import socket
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, cast

import ifaddr
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from claimlog.api.http.hosts import bound
from claimlog.language import LANGUAGES, preferred
from claimlog.language.messages import KeyedError, message_of
from claimlog.web import assets
from claimlog.web.rendering import render
from claimlog.writing import open_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from claimlog.api.layers.asgi import Receive, Scope, Send

__all__ = ["Authority", "AuthorityError", "addresses", "beside", "trust_page"]

PRIVATE: Final[tuple[IPv4Network | IPv6Network, ...]] = tuple(
    map(
        ip_network,
        (
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)
"""Networks that cannot be reached from outside (RFC 1918, 3927, 4193, 4291)."""

_AUTHORITY_LASTS: Final = timedelta(days=730)
_CERTIFICATE_LASTS: Final = timedelta(days=30)
_LOOPBACK: Final = ip_network("127.0.0.0/8"), ip_network("::1/128")


class AuthorityError(KeyedError):
    """The authority cannot be used; the message says why."""


def addresses() -> list[str]:
    """Return the IPv4 addresses of this machine in the network, private ones first."""
    hosts = {
        str(address.ip)
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
        if address.is_IPv4 and not IPv4Address(address.ip).is_loopback
    }
    return sorted(hosts, key=lambda one: (not _private(one), IPv4Address(one)))


def _private(address: str) -> bool:
    return any(ip_address(address) in network for network in PRIVATE)


def _networks() -> list[IPv4Network | IPv6Network]:
    """Return the networks that an authority made now can vouch for."""
    own = [ip_network(one) for one in addresses() if not _private(one)]
    return [*PRIVATE, *_LOOPBACK, *own]


def can_be_covered(address: str) -> bool:
    """Whether an authority made now could vouch for an address."""
    return any(ip_address(address) in network for network in _networks())


class Authority:
    """An authority for the addresses of private networks, kept in a folder.

    Its key is in ``key.pem``, which only its owner can read, its certificate in ``authority.crt``.
    They are made at the first use and renewed a month before they expire.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._certificate, self._key = self._kept() or self._made()
        except OSError as error:
            raise _failed(error, folder) from error

    @property
    def certificate(self) -> bytes:
        """The certificate that a phone is to trust, in DER."""
        return self._certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as phones show it."""
        return hashlib.sha256(self.certificate).digest().hex(":").upper()

    def issue(self, names: Sequence[str]) -> Path:
        """Issue a certificate for a server at these addresses; returns a PEM file with its key.

        Raises AuthorityError if it cannot be written.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        certificate = (
            _builder(f"claimlog at {names[0]}", self._certificate.subject, key, now)
            .not_valid_after(now + _CERTIFICATE_LASTS)
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ip_address(name)) for name in names]),
                critical=False,
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
            .sign(self._key, hashes.SHA256())
        )
        path = self._folder / "server.pem"
        try:
            self._write(path, _pem(certificate) + _pem_of_key(key))
        except OSError as error:
            raise _failed(error, path) from error
        return path

    def covers(self, address: str) -> bool:
        """Whether the authority can vouch for an address."""
        permitted = self._certificate.extensions.get_extension_for_class(x509.NameConstraints)
        return any(
            isinstance(name.value, IPv4Network | IPv6Network) and ip_address(address) in name.value
            for name in permitted.value.permitted_subtrees or ()
        )

    def _kept(self) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None:
        files = self._folder / "authority.crt", self._folder / "key.pem"
        if not all(file.exists() for file in files):
            return None
        try:
            certificate = x509.load_pem_x509_certificate(files[0].read_bytes())
            key = serialization.load_pem_private_key(files[1].read_bytes(), None)
        except ValueError:
            raise AuthorityError("lan.no-authority", path=self._folder) from None
        left = certificate.not_valid_after_utc - datetime.now(UTC)
        if left < _CERTIFICATE_LASTS or not isinstance(key, ec.EllipticCurvePrivateKey):
            return None
        return certificate, key

    def _made(self) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        machine = socket.gethostname()[:40]
        name = _name(f"claimlog on {machine}, {now:%Y-%m-%d}")
        certificate = (
            _builder(f"claimlog on {machine}, {now:%Y-%m-%d}", name, key, now)
            .not_valid_after(now + _AUTHORITY_LASTS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(
                x509.KeyUsage(
                    digital_signature=False,
                    content_commitment=False,
                    key_encipherment=False,
                    data_encipherment=False,
                    key_agreement=False,
                    key_cert_sign=True,
                    crl_sign=True,
                    encipher_only=False,
                    decipher_only=False,
                ),
                critical=True,
            )
            .add_extension(
                x509.NameConstraints(
                    [x509.IPAddress(network) for network in _networks()],
                    [x509.DNSName("")],
                ),
                critical=True,
            )
            .sign(key, hashes.SHA256())
        )
        self._write(self._folder / "key.pem", _pem_of_key(key))
        self._write(self._folder / "authority.crt", _pem(certificate))
        return certificate, key

    @staticmethod
    def _write(path: Path, text: bytes) -> None:
        new = path.with_name(f"{path.name}.new")
        with open_private(new) as file:
            file.write(text)
        new.replace(path)


def _failed(error: OSError, path: Path) -> AuthorityError:
    return AuthorityError("named", name=error.filename or path, why=message_of(error))


def beside(archive: Path) -> Path:
    """Return the folder of an archive's authority."""
    return archive.with_name(f"{archive.name}.lan")


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _builder(
    subject: str, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # The clocks of phones may be slow.
        .not_valid_before(now - timedelta(days=1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _pem_of_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


# The page ------------------------------------------------------------------------------------


class _TrustPage:
    """The first page that a phone opens, over plain HTTP: shows how to trust the authority."""

    _FILES: Final = ("theme.css", "faces.css", "pages.css", "icon.svg", "trust.js")

    def __init__(self, server: str, authority: Authority) -> None:
        self.server = server
        self.authority = authority
        page = assets.page()
        self._answers = {
            page.address(name): (page.files[name].media_type, assets.unpacked(page.files[name]))
            for name in self._FILES
        }
        self._answers["/claimlog.crt"] = "application/x-x509-ca-cert", authority.certificate
        for language in LANGUAGES:
            self._answers[f"/{language}"] = "text/html; charset=utf-8", self._page(language)

    def _page(self, language: str) -> bytes:
        return render(
            "trust.html",
            language,
            here="",
            other_language=f"/{'en' if language == 'de' else 'de'}",
            server=self.server,
            fingerprint=self.authority.fingerprint,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; `/` is in the language of the phone."""
        path = scope["path"]
        if path == "/":
            header = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
            path = f"/{preferred(header)}"
        good = scope["method"] in ("GET", "HEAD") and path in self._answers
        kind, body = self._answers[path] if good else ("text/plain", b"Not found")
        policy = (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
            f"connect-src {self.server}; frame-ancestors 'none'; base-uri 'none'"
        )
        headers = {
            "content-type": kind,
            "content-length": str(len(body)),
            "content-security-policy": policy,
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
        }
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        status = 200 if good else 404
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send(
            {"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""}
        )


@contextmanager
def trust_page(server: str, host: str, port: int, authority: Authority) -> Iterator[int]:
    """Serve the page for phones that are to trust `server`, beside it; yields the port.

    Raises OSError if the address cannot be listened on.
    """
    config = uvicorn.Config(
        cast("Any", _TrustPage(server, authority)),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=200,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    listening = uvicorn.Server(config)
    with bound(host, port) as listener:
        # A client may connect as soon as it knows the port, before the thread answers.
        listener.listen()
        thread = Thread(target=asyncio.run, args=[listening.serve([listener])], daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listening.should_exit = True
            thread.join()
