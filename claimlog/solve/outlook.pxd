# C types for outlook.py.
cimport cython
from claimlog.rules.limits cimport Left, ask, decided, gauge, near
from claimlog.rules.table cimport Table
from claimlog.solve.position cimport Position
from claimlog.solve.slots cimport packed, popcount

cdef int FACTION_COUNT, VALUE_ROOM, NOBODY, FULL, APART
cdef unsigned long long WORDS, STEP
cdef const unsigned char* FACTION_OF
cdef const unsigned char* PLACES
cdef const unsigned char* VALUE_OF

cdef unsigned long long mixed(
    unsigned long long key, unsigned long long first, unsigned long long second
) noexcept


cdef class Outlook(Position):
    @cython.locals(
        table=Table, unwon=Left, low="unsigned int", at=int, hands=int, i=int, faction=int, rest=int, values=int, slot=int,
        apart=int, shift=int, lane="long long",
    )
    cdef void _limit(self, int depth) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", mine=int, theirs=int, hands=int, i=int, rest=int,
        same=int, low="unsigned int", others=int, card=int, asked=bint,
    )
    cdef unsigned long long _key(self) noexcept
    @cython.locals(
        table=Table, k=int, j=int, late=int, rest=int, value=int, number=int, first=int,
        second=int, top=int,
    )
    cdef unsigned long long _key_of(self, int faction, unsigned long long key) noexcept
    @cython.locals(table=Table, key="unsigned long long", i=int, k=int, j=int, value=int)
    cdef unsigned long long _exact_key(self) noexcept
    @cython.locals(values=int, value=int)
    cdef int _values(self, int hand) noexcept
