"""Games recorded while they are played: one recording, which every screen uses.

`live` is the recording itself, in memory; `journal` keeps its record in a file.
"""

from claimlog.recording.journal import Journal, JournalError
from claimlog.recording.live import Doubt, Entered, Recording

__all__ = ["Doubt", "Entered", "Journal", "JournalError", "Recording"]
