# C types for open_hands.py.
cimport cython
from claimlog.rules.powers cimport may_play, standing
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table
from claimlog.solve.search cimport value_of

cdef int FACTION_COUNT, VALUE_ROOM, ROOM, DEPTH, SAVED, WAYS, NONE_YET, LOWEST, HIGHEST
cdef unsigned long long WORDS, STEP
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF

cdef int popcount(long long slots) noexcept
cdef unsigned long long mixed(
    unsigned long long key, unsigned long long first, unsigned long long second
) noexcept


@cython.final
cdef class OpenHands:
    cdef public Table table
    cdef public Count count
    cdef public unsigned long long size, salt
    cdef public unsigned long long[::1] keys
    cdef public long long[::1] kept
    cdef public int seats, sides, hero, slots, decks, loot, played, chosen
    cdef public bint by_seat, shown, exhausted
    cdef public long long nodes, limit
    cdef public int wants[4]
    cdef public int card_of[36]
    cdef public int faction_of[36]
    cdef public long long bit[36]
    cdef public long long of_faction[24]
    cdef public long long allowed[24]
    cdef public int ranks[864]
    cdef public int factions[24]
    cdef public int simple[24]
    cdef public int open_lies[24]
    cdef public int loot_for[4]
    cdef public long long hands[4]
    cdef public long long first_hands[4]
    cdef public int tricks[64]
    cdef public int tried[2304]
    cdef public int weights[36]
    cdef public int saved[4096]

    cpdef int seat(self) noexcept
    cpdef bint over(self) noexcept
    @cython.locals(guess=int, beta=int, found=int, least=int, most=int)
    cdef tuple _meet(self, int slot, long long limit, int low, int high)
    @cython.locals(seat=int, value=int)
    cdef int _ask(self, int slot, int beta) noexcept
    @cython.locals(hand="long long", led=int)
    cdef long long _legal(self, int seat, int depth) noexcept
    @cython.locals(table=Table, i=int)
    cdef void _decide(self, int depth) noexcept
    @cython.locals(
        table=Table, value=int, key="unsigned long long", place="unsigned long long",
        at="long long", low="long long", high="long long", first=int, i=int, entry="long long",
        best=int,
    )
    cdef int _begin(self, int beta, int depth) noexcept
    @cython.locals(
        value=int, seat=int, wants=int, best=int, answer=int, at=int, number=int, i=int, slot=int,
    )
    cdef int _goes_on(self, int beta, int depth, int first) noexcept
    @cython.locals(
        legal="long long", row=int, best=int, owner=int, i=int, rank=int, number=int, last=int,
        slot=int, weight=int, k=int,
    )
    cdef int _order(self, int seat, int depth, int first, int at) noexcept
    @cython.locals(
        table=Table, hands="long long", least=int, most=int, others_least=int, taken=int, side=int,
        sure=int, i=int, k=int, faction=int, left=int, own=int, other=int, rival=int, number=int,
        seat=int, others_most=int, low=int, high=int,
    )
    cdef int _sure(self, int beta) noexcept
    @cython.locals(count=Count, side=int)
    cdef int _end(self) noexcept
    @cython.locals(count=Count, chooser=int, fewest=int, best=int, faction=int, value=int)
    cdef int _looted(self, int side) noexcept
    @cython.locals(count=Count, share=int, others=int, side=int)
    cdef int _counted(self) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", seat=int, piles=int, pile=int, i=int, number=int,
        mask=int, total=int, k=int, value=int,
    )
    cdef unsigned long long _key(self) noexcept
    @cython.locals(table=Table, saved="int*", n=int, seat=int, i=int, k=int)
    cdef void _save(self, int depth) noexcept
    @cython.locals(table=Table, saved="int*", n=int, seat=int, i=int, k=int)
    cdef void _restore(self, int depth) noexcept
