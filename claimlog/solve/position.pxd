# C types for position.py.
cimport cython
from claimlog.rules.limits cimport Left, ask, decided, gauge, near
from claimlog.rules.powers cimport may_play, standing
from claimlog.rules.table cimport Table

cdef int FACTION_COUNT, VALUE_ROOM, ROOM, DEPTH, SAVED, NOBODY, EQUAL, APART
cdef int CARDS, FULL, LANE
cdef unsigned long long WORDS, STEP
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF

cpdef int popcount(int slots) noexcept
cdef unsigned long long mixed(
    unsigned long long key, unsigned long long first, unsigned long long second
) noexcept


cdef class Position:
    cdef public Table table
    cdef public unsigned long long salt
    cdef public int card_of[26]
    cdef public int faction_of[26]
    cdef public int ranks[624]
    cdef public int of_faction[24]
    cdef public int of_value[16]
    cdef public int below[16]
    cdef public int goes_first[676]
    cdef public int goes_second[676]
    cdef public int leads_next[676]
    cdef public int beaten_by[26]
    cdef public int beats[26]
    cdef public int falls[24]
    cdef public int counts[24]
    cdef public bint settled, steady
    cdef public int allowed[24]
    cdef public int merges[24]
    cdef public int factions[24]
    cdef public int places[48]
    cdef public int open_lies[24]
    cdef public int way[24]
    cdef public int sure_for[24]
    cdef public int gauged[24]
    cdef public int rise[24]
    cdef public int fall[24]
    cdef public int shows[48]
    cdef public int apart
    cdef public int aparts[16]
    cdef public int adds[24]
    cdef public int counted[24]
    cdef public int tops[24]
    cdef public int loots[24]
    cdef public int kings_of[24]
    cdef public int giants_of[24]
    cdef public int of_lane[5]
    cdef public bint bounded
    cdef public Left unwon
    cdef public int saved[4096]
    cdef public int hands[2]
    cdef public int first_hands[2]
    cdef public long long first_score, first_left
    cdef public long long score, left
    cdef public int lane[24]
    cdef public int first_of[24]
    cdef public int wild
    cdef public int worth[256]
    cdef public int slots, decks, loot, lead, lanes
    cdef public bint shown, exactly, may_level

    cpdef int seat(self) noexcept
    cpdef bint over(self) noexcept
    cdef int _legal(self, int seat) noexcept
    @cython.locals(led=int)
    cdef int _following(self, int hand, int lead) noexcept
    @cython.locals(faction=int, first=int, last=int, others=int, between=int)
    cdef bint _equivalent(self, int seat, int lower, int higher) noexcept
    @cython.locals(table=Table)
    cdef void _decide(self, int lead, int slot) noexcept
    @cython.locals(table=Table, i=int, card=int, shift=int, worth="long long")
    cdef void _score(self) noexcept
    @cython.locals(table=Table, card=int, shift=int, worth="long long")
    cdef void _gain(self, int k, int slot) noexcept
    @cython.locals(table=Table)
    cdef void _lose(self, int k, int slot, int shown) noexcept
    @cython.locals(table=Table, faction=int, lead=int, leader=int, slot=int, k=int, i=int, follows=int)
    cdef void _look_up_tricks(self) noexcept
    @cython.locals(
        table=Table, unwon=Left, hands=int, i=int, faction=int, rest=int, values=int, slot=int,
        apart=int, shift=int, lane="long long",
    )
    cdef void _limit(self, int depth) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", i=int, faction=int, k=int, j=int, way=int, value=int,
        hands=int, whole=int, rest=int, order=int, slot=int, top=int, card=int, before=int, at=int,
        compared=int, seat=int, others=int, late=int, asked=bint, first=int, second=int,
    )
    cdef unsigned long long _key(self) noexcept
    @cython.locals(values=int, value=int)
    cdef int _values(self, int hand) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _save(self, int depth) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _restore(self, int depth) noexcept
