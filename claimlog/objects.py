"""Files in S3, ``s3://bucket/key``, read like local files.

Server, region and credentials come from the usual environment variables.  Failures are OSErrors, as
with any file.
"""

from __future__ import annotations

import errno
import io
import os
from collections import deque
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Task = TypeVar("Task")
Answer = TypeVar("Answer")

BUFFER: Final = 8 << 20
"""Bytes to request at once when reading sequentially."""
FIRST: Final = 1 << 16
"""Bytes to request first: many readers want only the beginning."""

AHEAD: Final = 8
"""The number of parallel requests."""

PATIENCE: Final = 10
"""Seconds in which a server must begin, and continue, an answer."""
TRIES: Final = 3

ERRORS: Final = {
    "NoSuchBucket": (errno.ENOENT, "there is no such bucket"),
    "NoSuchKey": (errno.ENOENT, os.strerror(errno.ENOENT)),
    "PreconditionFailed": (errno.EIO, "it has changed while it was read"),
    "packages": (errno.ENOSYS, "files in S3 need more packages: pip install 'claimlog[s3]'"),
    "credentials": (
        errno.EACCES,
        "there are no credentials for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    "address": (errno.EINVAL, "{server} is no address of an S3 server"),
    "silence": (errno.ETIMEDOUT, "no answer from S3 at {server}"),
    "access": (errno.EACCES, "refused by S3: {message}"),
    "other": (errno.EIO, "not answered by S3: {message}"),
}
"""The messages for errors, by S3's code or one of ours."""


def is_object(path: str) -> bool:
    """Whether a path is in S3."""
    return path.startswith("s3://")


def endpoint() -> str | None:
    """The server that the environment sets, if it is not Amazon's."""
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or None


def region() -> str | None:
    """The region that the environment sets."""
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or None


class Unlisted(str):
    """A folder whose files could not be listed; opening it raises the reason."""

    __slots__ = ("error",)
    error: OSError


class ObjectFile(io.RawIOBase):
    """A file in S3, fetched only as far as it is read."""

    def __init__(self, path: str) -> None:
        self.name = path
        self.size = -1
        """The size in bytes, known once something has been read."""
        self._at = 0
        self._ahead = FIRST
        self._same: dict[str, str] = {}

    def pread(self, size: int, start: int) -> bytes:
        """Return `size` bytes from `start`, fewer at the end."""
        if 0 <= self.size <= start:
            return b""
        with _as_of_files(self.name):
            from botocore.exceptions import ClientError

            try:
                return self._fetch(size, start)
            except ClientError as error:
                if error.response["Error"]["Code"] != "InvalidRange":
                    raise
                self.size = 0 if start == 0 else self.size
                return b""

    def _fetch(self, size: int, start: int) -> bytes:
        from botocore.exceptions import (
            IncompleteReadError,
            ReadTimeoutError,
            ResponseStreamingError,
        )

        bucket, key = _split(self.name)
        left = TRIES
        while True:
            answer = _client(endpoint(), region()).get_object(
                Bucket=bucket, Key=key, Range=f"bytes={start}-{start + size - 1}", **self._same
            )
            self.size = int(answer["ContentRange"].rpartition("/")[2])
            self._same = {"IfMatch": answer["ETag"]}
            try:
                return bytes(answer["Body"].read())
            except (IncompleteReadError, ReadTimeoutError, ResponseStreamingError):
                left -= 1
                if not left:
                    raise

    def readinto(self, buffer: Any) -> int:
        """Fill the start of a buffer with the next bytes."""
        data = self.pread(min(len(buffer), self._ahead), self._at)
        self._ahead = min(2 * self._ahead, BUFFER)
        self._at += len(data)
        buffer[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        """Return everything that is left."""
        return b"".join(iter(lambda: self.read(BUFFER) or b"", b""))

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """Set the place at which to read on."""
        self._at = place + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        return self._at


def open_object(path: str) -> io.BufferedReader:
    """Open a file in S3; reading it may raise OSError."""
    if isinstance(path, Unlisted):
        raise path.error
    return io.BufferedReader(ObjectFile(path), BUFFER)


def ahead(work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
    """Like `map`, but with several calls at once, as most time is spent waiting for a server."""
    from concurrent.futures import Future, ThreadPoolExecutor

    owed: deque[Future[Answer]] = deque()
    with ThreadPoolExecutor(AHEAD) as pool:
        for task in tasks:
            owed.append(pool.submit(work, task))
            if len(owed) == AHEAD:
                yield owed.popleft().result()
        while owed:
            yield owed.popleft().result()


def is_folder(path: str, suffixes: tuple[str, ...]) -> bool:
    """Whether a path is a folder, and not a file with one of the suffixes.  Raises OSError.

    A path that does not end with ``/`` is a folder if there are objects below it.
    """
    bucket, key = _split(path)
    if not key or key.endswith("/"):
        return True
    if key.endswith(suffixes):
        return False
    with _as_of_files(path):
        listing = _client(endpoint(), region()).list_objects_v2(
            Bucket=bucket, Prefix=f"{key}/", MaxKeys=1
        )
    return "Contents" in listing


def find(path: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the file at a path, or the files in a folder that have one of the suffixes.

    In the order of a local folder: its own files come before its subfolders.
    """
    try:
        if not is_folder(path, suffixes):
            yield path
            return
        bucket, key = _split(path)
        folder = key if not key or key.endswith("/") else f"{key}/"
        with _as_of_files(path):
            yield from _below(bucket, folder, suffixes)
    except OSError as error:
        unlisted = Unlisted(path)
        unlisted.error = error
        yield unlisted


def _below(bucket: str, folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    folders: list[str] = []
    empty = True
    pages = _client(endpoint(), region()).get_paginator("list_objects_v2")
    for page in pages.paginate(Bucket=bucket, Prefix=folder, Delimiter="/"):
        for each in page.get("Contents", ()):
            empty = False
            if each["Key"].endswith(suffixes):
                yield f"s3://{bucket}/{each['Key']}"
        folders += [each["Prefix"].removesuffix("/") for each in page.get("CommonPrefixes", ())]
    if folder and empty and not folders:
        raise FileNotFoundError(*ERRORS["NoSuchKey"], f"s3://{bucket}/{folder}")
    for name in sorted(folders):
        yield from _below(bucket, f"{name}/", suffixes)


def _split(path: str) -> tuple[str, str]:
    """Split a path into bucket and key."""
    bucket, _, key = path.removeprefix("s3://").partition("/")
    return bucket, key


@cache
def _client(endpoint: str | None, region: str | None) -> Any:
    import boto3
    from botocore.config import Config

    patient = Config(
        connect_timeout=PATIENCE,
        read_timeout=PATIENCE,
        retries={"mode": "standard", "total_max_attempts": TRIES},
        s3={"addressing_style": "path"} if endpoint else {},
    )
    return boto3.client("s3", endpoint_url=endpoint, region_name=region, config=patient)


@contextmanager
def _as_of_files(path: str) -> Iterator[None]:
    """Raise errors of S3 as OSErrors."""
    try:
        yield
    except Exception as error:
        code, message = _understood(error)
        if not code:
            raise
        raise _error(code, message, path) from error


def _error(code: str, message: str, path: str) -> OSError:
    """Return an error of `ERRORS`, with the data to translate it (`claimlog.language.messages`)."""
    number, text = ERRORS[code]
    values = {"server": endpoint() or "amazonaws.com", "message": message}
    error = OSError(number, text.format(**values), path)
    vars(error)["keyed"] = f"s3.{code}", values
    return error


def _understood(error: Exception) -> tuple[str, str]:
    """Return the key in `ERRORS` ("" if there is none) and S3's message."""
    if isinstance(error, ModuleNotFoundError):
        return "packages", ""
    if isinstance(error, UnicodeError):
        return "NoSuchKey", ""
    if isinstance(error, ValueError):
        return "address", ""
    if isinstance(error, KeyError):
        return "other", f"its answer has no {error}"
    from botocore import exceptions as of_s3

    message = " ".join(str(error).split())[:300]
    match error:
        case of_s3.ClientError():
            answer = error.response["Error"]
            code, message = answer["Code"], answer.get("Message") or answer["Code"]
            if code in ERRORS:
                return code, message
            refused = error.response["ResponseMetadata"]["HTTPStatusCode"] in (401, 403)
            return "access" if refused else "other", message
        case of_s3.NoCredentialsError() | of_s3.PartialCredentialsError():
            return "credentials", ""
        case of_s3.ParamValidationError():
            return "NoSuchBucket", ""
        case of_s3.SSLError():
            return "other", message
        case of_s3.ConnectionError() | of_s3.HTTPClientError():
            return "silence", ""
        case of_s3.BotoCoreError():
            return "other", message
    return "", ""
