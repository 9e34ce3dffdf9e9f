# C types for powers.py; the rules are only in the .py file.
cimport cython
from claimlog.rules.data cimport TableData, CountData

cdef int AUTOMATONS, BARDS, DOPPELGANGERS, DRAGONS, DWARVES, GIANTS, GNOMES, GOBLINS, GRIFFINS
cdef int KINGS, KNIGHTS, PEASANTS, RACCOONS, SEERS, TROLLS, UNDEAD, VIKINGS
cdef int ALONE, AUTOMATON_LATE, BARDS_RUN, DOUBLE, DWARVES_LATER, DWARVES_LOST, DWARVES_LOWEST
cdef int GNOMES_SMASHED, HIGHEST, HIGHEST_KNIGHT, KNIGHT, PEASANTS_MOVE, ROLE_DOUBLE, ROLE_FOLLOW
cdef int ROLE_KNIGHT, ROLE_OFF, TROLLS_LAST, TROLL_TAKEN, UNDEAD_SCORED, VIKING_TWICE
cdef int FACTION_COUNT, UNKNOWN, VALUE_ROOM, NOBODY, OFF, LED, ABOVE
cdef const unsigned char* CARD_AT
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF

cpdef bint may_play(int held, int led, int faction) noexcept
cpdef int standing(int faction, int led) noexcept
@cython.locals(stands=int)
cpdef int role(int faction, int led) noexcept
cpdef int winning(int faction, int led, bint rivals) noexcept
@cython.locals(first=int, last=int)
cpdef int dragons(TableData position) noexcept
@cython.locals(i=int)
cpdef void undead(TableData position) noexcept
cpdef bint seers(int winning) noexcept
@cython.locals(i=int)
cpdef bint automatons(TableData position, int card) noexcept
@cython.locals(shown=int)
cpdef int griffins(TableData position, int seat, int card) noexcept
@cython.locals(i=int, lowest=int, value=int, reason=int, seat=int)
cpdef void dwarves(TableData position) noexcept
@cython.locals(i=int, k=int, seat=int, side=int, card=int, gnome=int)
cpdef void giants(TableData position) noexcept
@cython.locals(i=int, k=int, card=int, first_new=int, start=int, taken=int, reason=int)
cpdef void trolls(TableData position) noexcept
@cython.locals(side=int, other=int, j=int, k=int, value=int, kings=int, near=int)
cpdef void peasants(CountData tally) noexcept
@cython.locals(faction=int, others=int, twice=int, number=int, value=int)
cpdef int vikings(CountData tally, int side) noexcept
@cython.locals(values=int, starts=int, length=int, first=int, value=int)
cpdef int bards(CountData tally, int side) noexcept
@cython.locals(shown=int, number=int, fewest=int, least=int, faction=int, count=int)
cpdef int raccoons(CountData tally, int side, int loot) noexcept
