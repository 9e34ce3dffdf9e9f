# C types for playing.py; the course of a game is only in the .py file.
cimport cython
from claimlog.rules.machine cimport Machine
from claimlog.rules.scoring cimport loot_of
from claimlog.rules.table cimport set_table
from claimlog.rules.powers cimport may_play, seers
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table

cdef enum:
    HAND = 13

cdef int FACTION_COUNT, MAX_TRICKS, UNKNOWN
cdef int TAKE, _TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER
cdef const unsigned char* FACTION_OF
cdef list _NUMBERS, _AFTER_SPACE, _AFTER_COMMA, _WON, _FACE_DOWN, _LOOKED, _PICKED, _DRAWN


@cython.final
cdef class Scribe:
    cdef bint draws, numbers
    cdef readonly list words, loot
    cdef int turned, drawn

    cpdef begin(self, int trick)
    cpdef upcard(self, int card, int number)
    @cython.locals(words=list, won=int, i=int, card=int)
    cpdef plays(self, Table table, int leader, bint auto)
    cpdef looked(self, int card)
    cpdef picked(self, int card)
    cpdef draw(self, int card)


@cython.locals(
    views=list, table=Table, kind=int, action=int, choices=list, seat=int, leader=int, last=bint
)
cpdef play(Machine machine, object policies, object rng, Scribe scribe)


@cython.final
cdef class Dice:
    cdef Table table
    cdef Count count
    cdef int at[HAND]

    @cython.locals(
        table=Table, seats=int, tricks=int, hand=list, top=int, trick=int, i=int, k=int,
        leader=int, auto=bint, led=int, card=int, seat=int, count=Count, side=int, fewest=int,
        faction=int, chance=double,
    )
    cpdef Count play(self, object setup, list hands, list pile, object rng, Scribe scribe)
    @cython.locals(
        at="int*", size=int, held=int, i=int, card=int, number=int, before=int, chance=double
    )
    cdef int _choose(self, list hand, int led, object draw) except -1
    @cython.locals(
        table=Table, hidden=int, looked=bint, chance=double, pick=int, first=int, second=int,
        draws=int, i=int,
    )
    cdef int _recruit(self, list pile, int top, object draw, Scribe scribe) except -1
