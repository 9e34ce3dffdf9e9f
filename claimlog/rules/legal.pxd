# C types for legal.py; the rules are only in the .py file.
cimport cython
from claimlog.rules.places cimport Places
from claimlog.rules.powers cimport may_play
from claimlog.rules.table cimport Table

cdef int CARDS, FACTION_COUNT, RACCOONS, UNKNOWN
cdef int _TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER
cdef const unsigned char* FACTION_OF


cdef class Legal(Places):
    cpdef list choices(self)
    @cython.locals(
        hand=list, table=Table, cards=list, before=int, card=int, led=int, held=int, unknown=int
    )
    cpdef list _from_hand(self, int seat, bint openly)
    @cython.locals(card=int)
    cpdef int _held(self, int seat)
    cpdef bint _may_hold(self, int seat, int card)
