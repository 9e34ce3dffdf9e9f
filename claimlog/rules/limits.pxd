# C types for limits.py; the rules are only in the .py file.
cimport cython
from claimlog.rules.data cimport TableData

cdef int BARDS, FACTION_COUNT, GIANTS, GNOMES, KINGS, NOBODY, PEASANTS, RACCOONS
cdef int VALUE_ROOM, VIKINGS, GNOME_KINDS, SET, LATE
cdef unsigned long long ALL, PAIRS, FOURS, EIGHTS, SIXTEENS
cdef bytes GNOME_VALUES

cpdef int number_of(int values) noexcept
@cython.locals(values="unsigned long long")
cdef unsigned long long numbers_of(
    unsigned long long first, unsigned long long second, unsigned long long third,
    unsigned long long fourth
) noexcept
@cython.locals(length=int)
cpdef int longest_run(int values) noexcept
cpdef int highest(int values) noexcept
cpdef int near(int kings) noexcept
cpdef bint shown_late(int faction) noexcept


@cython.final
cdef class Left:
    cdef public int number[24]
    cdef public int values[24]
    cdef public int margin, rise, fall, late
    cdef public int shows[2]
    cdef public int stays[2]
    cdef public bint capped
    cdef public int pairs[24]
    cdef public int closed
    cdef public int asks[24]
    cdef public int lies[2]
    cdef public int lying[2]
    cdef public int smashed[2]
    cdef public int kept[2]
    cdef public int own[2]
    cdef public int twice, decks
    cdef public int factions[24]


@cython.locals(
    deck=int, own=int, other=int, mine=int, theirs=int,
    near_own=int, near_other=int, coming=int, twice=int, faction=int, i=int, side=int,
)
cpdef void prepare(TableData position, Left left, Left before, int played) noexcept
@cython.locals(
    side=int, lies=int, stays=int, number=int, smashed=int, k=int, value=int, here=int, giants=int,
)
cdef void _look_at_gnomes(TableData position, Left left) noexcept
@cython.locals(j=int, mine=int, theirs=int, number=int)
cpdef void gauge(TableData position, int faction, Left left) noexcept
@cython.locals(
    mine=int, theirs=int, coming=int, own=int, other=int, twice=int, shown=int, shown_theirs=int,
    numbers="unsigned long long",
)
cdef void _gauge_vikings(TableData position, Left left) noexcept
@cython.locals(
    coming=int, own=int, other=int, mine=int, theirs=int, open_yet=int, numbers="unsigned long long",
)
cdef void _gauge_peasants(TableData position, Left left) noexcept
cdef void _gauge_highest(Left left, int top, int mine, int theirs) noexcept
cpdef int giants_for(Left left, int value) noexcept
@cython.locals(own=int, other=int)
cdef void _gauge_gnomes(TableData position, Left left) noexcept
@cython.locals(
    deck=int, faction=int, kings=int, other_kings=int, coming=int, own=int, other=int, values=int,
    value=int, mine=int, theirs=int, twice=int, smashed=int, top=int, i=int, k=int,
)
cpdef void ask(TableData position, Left left, int loot) noexcept
cpdef void close(TableData position, Left left) noexcept


@cython.locals(won=int)
cpdef int loot_for(TableData position, Left left, int loot, int side) noexcept


@cython.locals(values=int, mine=int, theirs=int)
cpdef int decided(TableData position, int faction, Left left, int loot) noexcept
cdef int _by_run(int values, int loot) noexcept
