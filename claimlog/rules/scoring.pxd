# C types for scoring.py; the rules stand in the .py file alone.
cimport cython
from claimlog.rules.position cimport Position, Tally
from claimlog.rules.powers cimport bards, peasants, raccoons, vikings

cdef int BARDS, KINGS, RACCOONS, VIKINGS, FACTION_COUNT, UNKNOWN
cdef bytes LENGTHS
cdef int NOBODY, TIE_NONE, TIE_CARDS, TIE_VALUE


@cython.final
cdef class Count(Tally):
    @cython.locals(i=int, side=int, faction=int)
    cpdef void gather(self, Position position, int loot) noexcept
    cpdef void choose(self, int side, int faction) noexcept
    cpdef bint undecided(self, int side) noexcept
    @cython.locals(side=int, faction=int, left=int)
    cpdef void decide(self) noexcept
    @cython.locals(side=int, best=int, best_key=int, key=int, k=int, tied=bint)
    cdef int _favour(self, int faction) noexcept
    @cython.locals(side=int, best=int, left=int, measure=int)
    cdef int _keep_best(self, int by) noexcept
    @cython.locals(faction=int, measure=int, k=int)
    cdef int _measure(self, int side, int by) noexcept
