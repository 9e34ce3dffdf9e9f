"""Games recorded while they are played: one recording, which every screen uses.

`live` is the recording itself, in memory; `journal` keeps its record in a file; `entries` folds
what devices at a table send into a recording, and says what a screen shows of it.
"""

from claimlog.recording.entering import Doubt, RecordError
from claimlog.recording.entries import EntryError, Table
from claimlog.recording.journal import Aside, Journal, JournalError
from claimlog.recording.live import Entered, Recording

__all__ = [
    "Aside",
    "Doubt",
    "Entered",
    "EntryError",
    "Journal",
    "JournalError",
    "RecordError",
    "Recording",
    "Table",
]
