"""Tokens: who may do what.  They are kept hashed, in a file beside the archive or in PostgreSQL.

They can be changed while a server runs, which sees every change at its next request.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeVar

import msgspec

from claimlog.language.messages import KeyedError, message_of
from claimlog.store.model.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from claimlog.store import Archive
    from claimlog.store.postgres.backend import PostgresBackend

Scope = Literal["read", "record", "direct", "admin"]
SCOPES: Final[tuple[Scope, ...]] = ("read", "record", "direct", "admin")
"""The scopes, each of which includes those before it.

read: query; record: store games; direct: correct and delete games, merge players, choose
tie-breaks; admin: back up, check and compact the archive.
"""

PREFIX: Final = "clm"
_LOCK_TIME: Final = 10.0


class Hashed(Protocol):
    """What is kept of a token's text."""

    @property
    def hash(self) -> str:
        """The hash, in hex."""


T = TypeVar("T", bound=Hashed)


class TokenError(KeyedError):
    """The token file cannot be read or written, or has no such token."""


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A token without its secret, of which only a hash is kept."""

    id: str
    name: str
    scope: Scope
    hash: str
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None

    def allows(self, scope: Scope) -> bool:
        """Whether the token suffices for `scope`."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)

    def active(self, now: datetime) -> bool:
        """Whether the token has neither been revoked nor expired."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class _Contents(msgspec.Struct, forbid_unknown_fields=True):
    version: Literal[1] = 1
    tokens: list[Token] = []


class Tokens(ABC):
    """The tokens of one archive."""

    @abstractmethod
    def tokens(self) -> dict[str, Token]:
        """Return all tokens by id, as they are now."""

    @property
    def known(self) -> dict[str, Token]:
        """Return all tokens by id, without waiting for another machine."""
        return self.tokens()

    @abstractmethod
    def _writing(self) -> AbstractContextManager[dict[str, Token]]:
        """Change the tokens, with exclusive access."""

    def take(self, others: Mapping[str, Token]) -> None:
        """Add these tokens."""
        with self._writing() as tokens:
            tokens.update(others)

    def create(self, name: str, scope: Scope, expires: datetime | None = None) -> tuple[str, Token]:
        """Create a token; returns its text, which is not kept, and the token."""
        if not name.strip():
            raise TokenError("token.name")
        id, text, hashed = new_secret()
        token = Token(
            id=id,
            name=name,
            scope=scope,
            hash=hashed,
            created=datetime.now(UTC).replace(microsecond=0),
            expires=expires,
        )
        with self._writing() as tokens:
            tokens[id] = token
        return text, token

    def revoke(self, id: str) -> Token:
        """Revoke a token."""
        with self._writing() as tokens:
            if id not in tokens:
                raise TokenError("token.none", id=id)
            if tokens[id].revoked is None:
                now = datetime.now(UTC).replace(microsecond=0)
                tokens[id] = msgspec.structs.replace(tokens[id], revoked=now)
            return tokens[id]


class TokenFile(Tokens):
    """Tokens in the file ``<archive>.tokens.json``."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.path = archive.with_name(archive.name + ".tokens.json")
        self._seen: tuple[int, int] | None = None
        self._tokens: dict[str, Token] = {}

    def tokens(self) -> dict[str, Token]:
        """Return all tokens by id, read again if the file has changed.

        If the archive's file is gone, too, those known before.
        """
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            if self._seen is not None and not self.archive.exists():
                return self._tokens  # everything there is gone, so nobody revoked them
            self._seen, self._tokens = None, {}
            return self._tokens
        except OSError as error:
            raise TokenError("named", name=self.path, why=message_of(error)) from error
        mark = (stat.st_mtime_ns, stat.st_ino)
        if mark != self._seen:
            try:
                contents = msgspec.json.decode(self.path.read_bytes(), type=_Contents)
            except (OSError, msgspec.MsgspecError) as error:
                raise TokenError("file.not-read", path=self.path, why=message_of(error)) from error
            self._tokens = {token.id: token for token in contents.tokens}
            self._seen = mark
        return self._tokens

    @contextmanager
    def _writing(self) -> Iterator[dict[str, Token]]:
        """Change the tokens, with exclusive access; the file is replaced as a whole and private."""
        from filelock import FileLock, Timeout

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The lock file stays: if it were deleted, two processes could hold the lock.
            lock = FileLock(f"{self.path}.lock", timeout=_LOCK_TIME, mode=0o600)
            lock.acquire()
        except Timeout as error:
            raise TokenError("token.file-in-use", path=self.path) from error
        except OSError as error:
            raise TokenError("file.not-locked", path=self.path, why=message_of(error)) from error
        try:
            self._seen = None
            tokens = dict(self.tokens())
            yield tokens
            contents = msgspec.json.encode(_Contents(tokens=list(tokens.values())))
            new = self.path.with_name(self.path.name + ".new")
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(contents, indent=1) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            raise TokenError("file.not-written", path=self.path, why=message_of(error)) from error
        finally:
            lock.release()


class TokenTable(Tokens):
    """Tokens in the archive's PostgreSQL, for all of its servers."""

    def __init__(self, backend: PostgresBackend) -> None:
        self.backend = backend
        self._seen = -1
        self._tokens: dict[str, Token] = {}

    @property
    def known(self) -> dict[str, Token]:
        """Return all tokens by id, as last read."""
        return self._tokens

    def tokens(self) -> dict[str, Token]:
        """Return all tokens by id, read again if anything was written; raises ArchiveError."""
        generation = self.backend.generation
        if generation != self._seen:
            rows = self.backend.ask_ledger("SELECT id, token::text FROM tokens ORDER BY id")
            self._tokens = {id: msgspec.json.decode(text, type=Token) for id, text in rows}
            self._seen = generation
        return self._tokens

    @contextmanager
    def _writing(self) -> Iterator[dict[str, Token]]:
        try:
            with self.backend.decide() as cursor:
                self._seen = -1
                tokens = dict(self.tokens())
                yield tokens
                for id, token in tokens.items():
                    cursor.execute(
                        "INSERT INTO tokens VALUES (?, ?::jsonb) "
                        "ON CONFLICT (id) DO UPDATE SET token = excluded.token",
                        [id, msgspec.json.encode(token).decode()],
                    )
        except ArchiveError as error:
            raise TokenError(error.message) from error
        finally:
            self._seen = -1


def tokens_of(archive: Archive) -> Tokens:
    """Return the tokens of an open archive."""
    return tokens_at(archive.postgres or archive.path)


def tokens_at(place: Path | PostgresBackend) -> Tokens:
    """Return the tokens of the archive at a path or in PostgreSQL."""
    return TokenFile(place) if isinstance(place, Path) else TokenTable(place)


def move_tokens(source: Path | PostgresBackend, target: Path | PostgresBackend) -> None:
    """Copy the tokens of one archive to another.  Raises TokenError."""
    if kept := tokens_at(source).tokens():
        tokens_at(target).take(kept)


def new_secret() -> tuple[str, str, str]:
    """Return a new token's id, its text, which is shown once, and the hash that is kept."""
    id = secrets.token_hex(4)
    text = f"{PREFIX}_{id}_{secrets.token_urlsafe(32)}"
    return id, text, _hash(text)


def token_of(tokens: Mapping[str, T], text: str) -> T | None:
    """Return the token with this text from some tokens by id, active or not; None if unknown."""
    prefix, _, rest = text.partition("_")
    token = tokens.get(rest.partition("_")[0])
    if prefix != PREFIX or token is None or not hmac.compare_digest(token.hash, _hash(text)):
        return None
    return token


def active(tokens: Mapping[str, Token], text: str) -> Token | None:
    """Return the token with this text from some tokens by id if it is active, or else None."""
    token = token_of(tokens, text)
    return token if token is not None and token.active(datetime.now(UTC)) else None


def _hash(text: str) -> str:
    """Hash a token's text; secrets of 256 random bits need no slow hash."""
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
