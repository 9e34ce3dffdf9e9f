# C types for search.py.
cimport cython
from claimlog.rules.limits cimport Left, decided, doubling
from claimlog.rules.powers cimport may_play, standing
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table

cdef int FACTION_COUNT, VALUE_ROOM, ROOM, DEPTH, SAVED, LOWEST, HIGHEST, NONE_YET, NOBODY, EQUAL
cdef int CARDS, PLAIN, BOUNDED, FULL, WAYS, LANE
cdef unsigned long long WORDS, STEP, GUARDS, ANY
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF

cpdef int value_of(int share, int votes, int others) noexcept
cdef int popcount(int slots) noexcept
cdef unsigned long long mixed(
    unsigned long long key, unsigned long long first, unsigned long long second
) noexcept


@cython.final
cdef class Search:
    cdef public Table table
    cdef public Count count
    cdef public unsigned long long size, salt
    cdef public unsigned long long[::1] keys
    cdef public long long[::1] kept
    cdef public int card_of[26]
    cdef public int faction_of[26]
    cdef public int ranks[624]
    cdef public int above[26]
    cdef public int weights[26]
    cdef public int tried[416]
    cdef public int answers[416]
    cdef public int of_faction[24]
    cdef public int of_value[16]
    cdef public int below[16]
    cdef public int goes_first[676]
    cdef public int goes_second[676]
    cdef public int leads_next[676]
    cdef public int beaten_by[26]
    cdef public int falls[24]
    cdef public bint settled
    cdef public int allowed[24]
    cdef public int merges[24]
    cdef public int across[24]
    cdef public int factions[24]
    cdef public int places[48]
    cdef public int open_lies[24]
    cdef public int shown_late[24]
    cdef public int way[24]
    cdef public int sure_for[24]
    cdef public int asked[24]
    cdef public int asker[24]
    cdef public int doubles
    cdef public bint bounded
    cdef public Left unwon
    cdef public int saved[4096]
    cdef public int hands[2]
    cdef public int first_hands[2]
    cdef public long long first_score, first_left
    cdef public unsigned long long[::1] needs
    cdef public long long score, left
    cdef public unsigned long long need
    cdef public int lane[24]
    cdef public int first_of[24]
    cdef public int wild
    cdef public int worth[256]
    cdef public int slots, decks, loot, lead, lanes, level, mode
    cdef public bint shown, exhausted, exactly, may_level
    cdef public long long nodes, limit

    cpdef int seat(self) noexcept
    cpdef bint over(self) noexcept
    @cython.locals(guess=int, beta=int, found=int, least=int, most=int)
    cdef tuple _meet(self, int slot, long long limit, int low, int high)
    @cython.locals(seat=int, value=int)
    cdef int _ask(self, int slot, int beta) noexcept
    cdef int _legal(self, int seat) noexcept
    @cython.locals(led=int)
    cdef int _following(self, int hand, int lead) noexcept
    @cython.locals(faction=int, first=int, last=int, others=int, between=int, value=int)
    cdef bint _equivalent(self, int seat, int lower, int higher) noexcept
    @cython.locals(table=Table)
    cdef void _decide(self, int lead, int slot) noexcept
    @cython.locals(table=Table, card=int, shift=int, worth="long long")
    cdef void _gain(self, int k, int slot) noexcept
    @cython.locals(table=Table)
    cdef void _lose(self, int k, int slot, int shown) noexcept
    @cython.locals(
        table=Table, seat=int, held=int, value=int, score="long long", left="long long", below=int,
        k=int, leader=int, first=int, second=int, shown_first=int, shown_second=int,
    )
    cdef int _after(self, int lead, int slot, int beta, int depth) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", place="unsigned long long", entry="long long",
        score="unsigned long long", need="unsigned long long", whole="unsigned long long",
        first=int, seat=int, hand=int, number=int, best=int, chosen=int, i=int, slot=int,
        value=int,
    )
    cdef int _leads(self, int beta, int depth) noexcept
    @cython.locals(shift=int, x=int, left=int)
    cdef int _stake(self, int slot) noexcept
    @cython.locals(row=int, mine=int, hand=int, other=int)
    cdef int _lead_weight(self, int seat, int slot) noexcept
    @cython.locals(number=int, last=int, slot=int, weight=int, k=int)
    cdef int _order(self, int seat, int hand, int first, int at) noexcept
    @cython.locals(
        seat=int, hand=int, row=int, held=int, best=int, to_beat=int, last=int, number=int, at=int,
        stake=int, weight=int, k=int, i=int, slot=int, value=int, whole="unsigned long long",
    )
    cdef int _follows(self, int lead, int beta, int depth) noexcept
    @cython.locals(
        count=Count, need="unsigned long long", i=int, shift=int, x=int, one="unsigned long long",
        value=int, enough=int, little=int, mine=int, others=int, faction=int,
    )
    cdef int _end(self, int beta) noexcept
    @cython.locals(
        mine=int, others=int, need="unsigned long long", limit="unsigned long long", i=int,
        shift=int, x=int, left=int, one="unsigned long long", enough=int, little=int,
        sure="unsigned long long", gain=int, leader=int,
    )
    cdef int _sure(self, int beta) noexcept
    @cython.locals(
        leader=int, hand=int, other=int, sure="unsigned long long", i=int, faction=int, shift=int,
        rest=int, gain="unsigned long long", winners=int, slot=int, captured=int,
    )
    cdef unsigned long long _sure_gains(self) noexcept
    @cython.locals(
        table=Table, unwon=Left, hands=int, i=int, faction=int, rest=int, values=int, slot=int,
    )
    cdef void _limit(self) noexcept
    @cython.locals(table=Table, faction=int, lead=int, leader=int, slot=int, k=int, i=int)
    cdef void _look_up_tricks(self) noexcept
    @cython.locals(others=int, share=int)
    cdef int _split(self, int mine, bint level) noexcept
    @cython.locals(mine=int)
    cdef int _enough(self, int beta, bint level) noexcept
    @cython.locals(found="unsigned long long", i=int, shift=int, a="unsigned long long", b="unsigned long long")
    cdef unsigned long long _least(self, unsigned long long first, unsigned long long second) noexcept
    @cython.locals(found="unsigned long long", i=int, shift=int, a="unsigned long long", b="unsigned long long")
    cdef unsigned long long _greatest(self, unsigned long long first, unsigned long long second) noexcept
    @cython.locals(found="unsigned long long", i=int, shift=int, lane="long long")
    cdef unsigned long long _before(
        self, unsigned long long need, unsigned long long was, unsigned long long now
    ) noexcept
    @cython.locals(table=Table, i=int, card=int, shift=int, worth="long long")
    cdef void _score(self) noexcept
    @cython.locals(count=Count, share=int)
    cdef int _counted(self) noexcept
    @cython.locals(count=Count, best=int, worst=int, mine=int, other=int)
    cdef int _looted(self) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", i=int, faction=int, k=int, j=int, way=int, value=int,
        hands=int, whole=int, rest=int, order=int, slot=int, top=int, card=int, before=int, at=int,
        doubling_open=bint, compared=int, seat=int, others=int, sure=bint, asker=int,
    )
    cdef unsigned long long _key(self) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _save(self, int depth) noexcept
    @cython.locals(table=Table, saved="int*", n=int, i=int, k=int)
    cdef void _restore(self, int depth) noexcept
