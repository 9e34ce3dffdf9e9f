# C types for ending.py.
cimport cython
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table
from claimlog.solve.outlook cimport Outlook

cdef int FACTION_COUNT, LANE, LOWEST, HIGHEST
cdef unsigned long long ANY
cdef const unsigned char* PLACES
cdef unsigned int SPREAD
cdef const unsigned char* VALUE_OF


cdef class Ending(Outlook):
    cdef public Count count
    cdef public unsigned long long need
    cdef public int enough, little, level
    cdef public bint tied, by_loot
    cdef public int later
    cdef public int taken[2]
    cdef public int masks[48]

    @cython.locals(others=int, share=int)
    cdef int _split(self, int mine, bint level) noexcept
    @cython.locals(mine=int)
    cdef int _enough(self, int beta, bint level) noexcept
    @cython.locals(
        count=Count, need="unsigned long long", i=int, shift=int, x=int, one="unsigned long long",
        value=int, enough=int, little=int, mine=int, others=int, faction=int,
        level=int, other=int,
    )
    cdef int _ended(self, int beta) noexcept
    @cython.locals(table=Table, i=int, value=int)
    cdef int _end(self, int beta) noexcept
    @cython.locals(table=Table, slot=int, seat=int, k=int, value=int, rest=int)
    cdef void _pile(self, int number) noexcept
    @cython.locals(count=Count)
    cdef int _valued(self) noexcept
    @cython.locals(count=Count, share=int)
    cdef int _counted(self) noexcept
    @cython.locals(
        count=Count, mine=int, theirs=int, best=int, worst=int, first=int, second=int,
    )
    cdef int _looted(self) noexcept
