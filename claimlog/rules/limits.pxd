# C types for limits.py; the rules stand in the .py file alone.
cimport cython
from claimlog.rules.data cimport TableData

cdef int BARDS, FACTION_COUNT, GIANTS, GNOMES, GRIFFINS, KINGS, NOBODY, PEASANTS, RACCOONS
cdef int VALUE_ROOM, VIKINGS

@cython.locals(number=int)
cpdef int number_of(int values) noexcept
@cython.locals(length=int)
cpdef int longest_run(int values) noexcept
cpdef int near(int kings) noexcept
cpdef bint shown_late(int faction) noexcept
@cython.locals(values=int, faction=int)
cpdef int doubling(TableData position, int side) noexcept


@cython.final
cdef class Left:
    cdef public int number[24]
    cdef public int values[24]


@cython.locals(
    j=int, mine=int, theirs=int, more=int, loot_mine=int, loot_theirs=int, values=int, kings=int,
    other_kings=int, coming=int, own=int, other=int, total=int, most=int, most_theirs=int,
    value=int,
)
cpdef int decided(TableData position, int faction, Left left, int loot) noexcept
