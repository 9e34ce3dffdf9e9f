# C types for powers.py; the rules stand in the .py file alone.
cimport cython
from claimlog.rules.position cimport Position, Tally

cdef int AUTOMATONS, BARDS, DOPPELGANGERS, DRAGONS, DWARVES, GIANTS, GNOMES, GOBLINS, GRIFFINS
cdef int KINGS, KNIGHTS, PEASANTS, RACCOONS, SEERS, TROLLS, UNDEAD, VIKINGS
cdef int FACTION_COUNT, UNKNOWN, NOBODY, OFF, LED, ABOVE
cdef const unsigned char* CARD_AT
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF

cpdef bint may_play(int held, int led, int faction) noexcept
cpdef int standing(int faction, int led) noexcept
@cython.locals(first=int, last=int)
cpdef int dragons(Position position) noexcept
@cython.locals(i=int)
cpdef void undead(Position position) noexcept
cpdef bint seers(int winning) noexcept
cpdef bint automatons(Position position, int winning) noexcept
@cython.locals(shown=int)
cpdef int griffins(Position position, int seat, int card) noexcept
@cython.locals(i=int, lowest=int)
cpdef void dwarves(Position position) noexcept
@cython.locals(i=int, k=int, seat=int, side=int, card=int)
cpdef void giants(Position position) noexcept
@cython.locals(i=int, k=int, card=int, first_new=int, start=int, taken=int)
cpdef void trolls(Position position) noexcept
@cython.locals(side=int, j=int, k=int, value=int, kings=int, near=int)
cpdef void peasants(Tally tally) noexcept
@cython.locals(faction=int, others=int, twice=int, number=int)
cpdef int vikings(Tally tally, int side) noexcept
@cython.locals(values=int, length=int)
cpdef int bards(Tally tally, int side) noexcept
@cython.locals(shown=int, number=int, fewest=int, least=int, faction=int, count=int)
cpdef int raccoons(Tally tally, int side, int loot) noexcept
