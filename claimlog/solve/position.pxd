# C types for position.py.
cimport cython
from claimlog.rules.limits cimport Left
from claimlog.rules.powers cimport may_play
from claimlog.rules.table cimport Table

cdef int FACTION_COUNT, VALUE_ROOM, ROOM, DEPTH, SAVED, NOBODY, WHOLE, TRICKS
cdef int CARDS, FULL, LANE, BITS
cdef const unsigned char* PLACES
cdef unsigned int SPREAD
cdef unsigned long long WORDS, STEP, GUARDS
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF


cdef class Position:
    cdef public Table table
    cdef public unsigned long long salt
    cdef public int card_of[26]
    cdef public int faction_of[26]
    cdef public int value_of[26]
    cdef public int pile_of[26]
    cdef public int of_faction[24]
    cdef public int of_value[16]
    cdef public int below[16]
    cdef public short outcomes[2704]
    cdef public long long amounts[26]
    cdef public int countable
    cdef public int beaten_by[26]
    cdef public int beats[26]
    cdef public int falls[24]
    cdef public int counts[24]
    cdef public bint settled
    cdef public int allowed[24]
    cdef public int merges[24]
    cdef public int factions[24]
    cdef public int places[48]
    cdef public int open_lies[24]
    cdef public int way[24]
    cdef public int sure_for[384]
    cdef public unsigned long long closed_won[16]
    cdef public unsigned long long closed_lost[16]
    cdef public int gauged[24]
    cdef public int limited_by[24]
    cdef public int judged[24]
    cdef public int gauges, judges, asking
    cdef public int gauged_factions[5]
    cdef public int judged_factions[5]
    cdef public int asked_factions[5]
    cdef public long long rises[16]
    cdef public long long falls_by[16]
    cdef public int won_now[16]
    cdef public int told[16]
    cdef public int lost_now[16]
    cdef public unsigned long long won_need[16]
    cdef public unsigned long long lost_need[16]
    cdef public unsigned long long used, gauged_lanes, full_lanes, closing
    cdef public int shows[768]
    cdef public int apart
    cdef public int aparts[16]
    cdef public int adds[24]
    cdef public int looted
    cdef public unsigned long long threats[32]
    cdef public int kings_of[24]
    cdef public int giants_of[24]
    cdef public int of_lane[5]
    cdef public bint bounded
    cdef public Left unwon
    cdef public list lefts
    cdef public int limited, asked
    cdef public int saved[4096]
    cdef public int hands[2]
    cdef public int first_hands[2]
    cdef public long long first_score, first_left
    cdef public long long score, left
    cdef public int lane[24]
    cdef public int wild
    cdef public int worth[256]
    cdef public int slots, decks, loot, lead, lanes
    cdef public bint exactly, may_level
    cdef public int displays
    cdef public int display_at[32]
    cdef public long long numbers[2]
    cdef public long long first_numbers[2]
    cdef public int number_at[24]
    cdef public long long one[26]
    cdef public int begins[24]
    cdef public int values_at[24]
    cdef public int values_of[1280]
    cdef public int slots_of[1280]
    cdef public int reaches[26]
    cdef public int unsure[676]
    cdef public int removes[26]
    cdef public int adding, raised, raisable
    cdef public int raises[26]
    cdef public int adds_to[2]
    cdef public int copies[26]
    cdef public int special[24]
    cdef public int copied, starts, several, specials, singly, tallest, tall
    cdef public unsigned long long shut, coarse, open, pattern

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
    @cython.locals(i=int, faction=int, mine=int, slot=int, half=int, k=int, number=int, bit=int, value=int, shown=int, part=int)
    cdef void _look_up_values(self) noexcept
    @cython.locals(table=Table, faction=int, lead=int, slot=int, i=int)
    cdef void _look_up_tricks(self) noexcept
    @cython.locals(
        leader=int, first=int, second=int, k=int, at=int, higher=int, i=int, kept=bint, lost=bint, shared=bint,
        results=int, now=int, mine=int, other=int,
    )
    cdef void _look_up_trick(self, Table table, int lead, int slot) noexcept
    @cython.locals(i=int, faction=int, mine=int, slot=int, card=int, value=int, same=int, before=int, one="long long", amount="long long")
    cdef void _look_up_order(self) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _save(self, int depth) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _restore(self, int depth) noexcept
