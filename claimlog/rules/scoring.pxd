# C types for scoring.py; the rules are only in the .py file.
cimport cython
from claimlog.rules.data cimport TableData, CountData
from claimlog.rules.powers cimport bards, peasants, raccoons, vikings

cdef int BARDS, KINGS, RACCOONS, VIKINGS, FACTION_COUNT, UNKNOWN, VALUE_ROOM
cdef int BARDS_BY_COUNT, BARDS_BY_HIGHEST, BY_COUNT, BY_HIGHEST, BY_RUN, COMPARED_CARDS
cdef int COMPARED_VALUE, COMPARED_VALUE_LAST, LOOT_COUNTS, NONE_WON, TIED
cdef const unsigned char* CARD_AT
cdef const unsigned char* LOWEST
cdef bytes LENGTHS
cdef int NOBODY, TIE_NONE, TIE_CARDS, TIE_VALUE


@cython.final
cdef class Count(CountData):
    @cython.locals(i=int, side=int, faction=int, fewest=int)
    cpdef void gather(self, TableData position, int loot) noexcept
    cpdef void choose(self, int side, int faction) noexcept
    cpdef bint undecided(self, int side) noexcept
    @cython.locals(side=int, faction=int, deck=int, left=int)
    cpdef void decide(self) noexcept
    @cython.locals(side=int, best=int, best_key=int, key=int, k=int, tied=bint)
    cdef int _favour(self, int faction) noexcept
    @cython.locals(
        side=int, most=int, level=bint, best=int, equal=bint, reason=int, highest=int
    )
    cdef void _note_favour(self, int faction, int winner) noexcept
    @cython.locals(side=int, reason=int)
    cdef void _note_comparison(self, int by, int shared) noexcept
    @cython.locals(side=int, best=int, left=int, measure=int, shared=int)
    cdef int _keep_best(self, int by) noexcept
    @cython.locals(faction=int, measure=int, k=int)
    cdef int _measure(self, int side, int by) noexcept


@cython.locals(loot=int)
cpdef int loot_of(object setup) except -1
