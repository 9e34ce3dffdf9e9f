r"""A game in progress, for people: cards by name, seats from 1, every step can be undone.

>>> state = State("GKUWX", leader=2)
>>> state
<State GKUWX, trick 1 of 26: an upcard is to be turned up>
>>> for word in ("U7", "G5", "G8", "W2", "X3"):
...     action = state.apply(word)
>>> state
<State GKUWX, trick 2 of 26: seat 1 to play; upcard X3>
>>> state.play("K9")
Action(kind='play', seat=1, card='K9', irregular=False)
>>> state.can_play("K9"), state.plays
(False, [(1, 'K9')])
>>> state.undo(), state.plays
(Action(kind='play', seat=1, card='K9', irregular=False), [])

The caller decides how much is known of the hands and the draw pile: everything, parts, or nothing.
A `State` is a `Game` at any moment (`State.game`), and can start at any moment of one:

>>> state.game().tricks[0].reasons[0]
Reason(code='why.highest', seat=1, cards=('G8',), faction='G')
>>> State.from_game(state.game(), trick=1, plays=1).choices()[:3]
['G0', 'G1', 'G2']
"""

from claimlog.rules.actions import IllegalAction
from claimlog.state.entries import UNSEEN, Action, Contradiction, EarlyChoices, Turn
from claimlog.state.state import State

__all__ = ["UNSEEN", "Action", "Contradiction", "EarlyChoices", "IllegalAction", "State", "Turn"]
