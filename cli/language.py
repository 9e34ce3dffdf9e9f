"""The option --lang, which several commands have."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """The languages of the output."""

    en = "en"
    de = "de"
