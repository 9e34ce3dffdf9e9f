"""`claimlog serve --lan`: serving phones in a network without internet."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import segno
import typer

from claimlog.api.http.hosts import in_url, is_ip
from claimlog.api.lan import (
    Authority,
    AuthorityError,
    addresses,
    beside,
    can_be_covered,
    trust_page,
)

from .files import fail
from .language import said, tr

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

EVERYWHERE = "0.0.0.0"


class Network:
    """The addresses of a server in its networks, and the way phones come to trust it.

    Unless a certificate is given or `plain` is set, the server has its own certificate authority,
    kept beside the archive.  Ends the program with a message if that is impossible.
    """

    def __init__(self, archive: Path, host: str, *, plain: bool, given: bool, names: list[str]):
        self._host = host
        self._names = names or (addresses() if host == EVERYWHERE else [host])
        if not self._names:
            fail(tr("this machine is not on a network: connect it to the router first"))
        self._plain = plain
        self._authority: Authority | None = None
        self.certificate: Path | None = None
        if plain or given:
            return
        for name in self._names:
            if not is_ip(name):
                fail(
                    tr(
                        "the certificate that --lan makes is for addresses, not for names such as "
                        "{name}: give an address, a certificate with --certificate, or --plain",
                        name=name,
                    )
                )
            if not can_be_covered(name):
                fail(
                    tr(
                        "--lan is for the addresses of private networks and of this machine, not "
                        "for {address}: give --certificate, or --plain",
                        address=name,
                    )
                )
        folder = beside(archive)
        try:
            self._authority = Authority(folder)
            for address in self._names:
                if not self._authority.covers(address):
                    fail(
                        tr(
                            "the authority in {folder} cannot vouch for {address}: move the "
                            "folder away to get a new one, or give --certificate",
                            folder=folder,
                            address=address,
                        )
                    )
            self.certificate = self._authority.issue([*self._names, "127.0.0.1"])
        except AuthorityError as error:
            fail(tr("HTTPS is not possible: {why}", why=said(error)))

    def places(self, listening: str) -> list[str]:
        """The URLs at which phones find a server that listens here, the best one first."""
        url = urlsplit(listening)
        return [f"{url.scheme}://{in_url(name)}:{url.port}" for name in self._names]

    def show(self, listening: str, at_end: ExitStack) -> None:
        """Show the URL for phones, with a QR code; serve the page that they need first."""
        place = self.places(listening)[0]
        if self._authority is None:
            typer.echo(tr("phones open {place}", place=f"{place}/tables"))
            self._code(f"{place}/tables")
            if self._plain:
                typer.echo(
                    tr(
                        "without HTTPS a phone can neither keep the page at the table offline "
                        "nor its screen on"
                    )
                )
            return
        port = int(urlsplit(listening).port or 0) + 1
        try:
            port = at_end.enter_context(trust_page(place, self._host, port, self._authority))
        except (OSError, OverflowError):  # port in use, or beyond 65535
            port = at_end.enter_context(trust_page(place, self._host, 0, self._authority))
        first = f"http://{in_url(self._names[0])}:{port}"
        typer.echo(
            tr("phones open {place} first, which says how to trust this server", place=first)
        )
        self._code(first)
        typer.echo(
            tr(
                "SHA-256 fingerprint of its certificate: {fingerprint}",
                fingerprint=self._authority.fingerprint,
            )
        )

    @staticmethod
    def _code(place: str) -> None:
        segno.make(place, error="l", micro=False).terminal(compact=True)
