# C types for view.py; only the .py file says what a seat may know.
cimport cython
from claimlog.rules.machine cimport Machine
from claimlog.rules.table cimport cards_won, copy_table
from claimlog.rules.powers cimport griffins
from claimlog.rules.table cimport Table

cdef int CARDS, FACTION_COUNT, RACCOONS_USED, UNKNOWN, LOOTING
cdef const unsigned char* FACTION_OF


cdef class PolicyView:
    cdef Machine _machine
    cdef Table _scratch
    cdef readonly int seat, seats, side, sides, deck
    cdef readonly object setup

    cpdef int hand_size(self, int seat)
    cpdef list shown(self, int seat)
    cpdef bytearray unseen(self)
    cpdef int cards_of(self, int side, int faction)
    cpdef list standings(self)
    @cython.locals(table=Table)
    cpdef list standings_after(self, int card)
    @cython.locals(leads=list, faction=int, side=int, most=int)
    cdef list _standings(self, Table table)
    cpdef int bonus(self, int card)
    @cython.locals(machine=Machine, seat=int, other=int, card=int, drawn=int, i=int)
    cpdef Machine imagine(self, object rng)
