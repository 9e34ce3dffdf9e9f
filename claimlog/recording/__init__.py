"""Games recorded while they are played: one recording, shared by every screen.

`live` is the recording itself, in memory; `journal` keeps its record in a file; `entries` applies
what devices at a table send to a recording, and provides what a screen shows of it.
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
