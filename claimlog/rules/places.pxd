# C types for places.py; the game is described only in the .py files.
cimport cython
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table, cards_won, copy_table, set_table

cdef int CARDS, FACTION_COUNT, GNOMES, VALUE_ROOM, RACCOONS, RACCOONS_USED, UNKNOWN
cdef int _TURN_UP, _PLAY, _DISCARD, _NOBODY
cdef const unsigned char* COPIES
cdef const unsigned char* FACTION_OF


cdef class Places:
    cdef readonly object setup
    cdef readonly Table table
    cdef readonly int seats, sides, deck, phase_tricks, kind, actor
    cdef readonly bint quiet
    cdef public list hands, unknown, voids, followers, shown, buried, _pile
    cdef readonly list piles, displays, discards, removed, upcards, drawn, log, history, waived
    cdef readonly Count count
    cdef readonly bytearray left, seen
    cdef bint raccoons_in_pile, looked, irregular
    cdef public int raccoons, hidden, _top
    cdef int pick_at

    @cython.locals(card=int, seat=int)
    cpdef _take_hands(self, object hands)
    cpdef _locate(self, int card)
    cpdef _copy_to(self, Places new, bint quiet)
    cpdef int cards_of(self, int side, int faction)
    cpdef int values_of(self, int seat, int faction)
    @cython.locals(card=int, unseen=bytearray, seen=bytearray)
    cpdef bytearray unseen(self, int seat)
    cpdef bint _may_be(self, int card)
    cpdef _reveal(self, int card)
    @cython.locals(at=int, top=int, ahead=list)
    cpdef int _from_pile(self, int card, int others) except -1
    @cython.locals(hand=list)
    cpdef _from_hand_of(self, int seat, int card)
