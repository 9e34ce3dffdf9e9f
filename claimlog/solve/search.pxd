# C types for search.py.
cimport cython
from claimlog.rules.table cimport Table
from claimlog.solve.order cimport Order
from claimlog.solve.outlook cimport mixed

cdef int FACTION_COUNT, VALUE_ROOM, ROOM, TRICKS, WHOLE, NOBODY, DEPTH, LOWEST, HIGHEST, NO_CARD, REPLIES
cdef int WAYS, ROW, FIRST, LANE, BOTH, WORTH, TOP, RECENT
cdef unsigned long long STEP, WORDS
cdef unsigned long long MARKS[2]
cdef unsigned long long IMPLIED, DEMANDS
cdef const unsigned char* PLACES
cdef unsigned int SPREAD
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF
cdef unsigned long long GUARDS, ANY, ONES

cpdef int value_of(int share, int votes, int others) noexcept


@cython.final
cdef class Search(Order):
    cdef public unsigned long long size, most, stored, used_places
    cdef public unsigned long long[::1] memory
    cdef public bint exhausted, plain
    cdef public unsigned long long[::1] recent
    cdef public unsigned long long moves[52]
    cdef public unsigned long long state, won, lost
    cdef public long long nodes, limit

    @cython.locals(guess=int, beta=int, found=int, least=int, most=int)
    cdef tuple _meet(self, int slot, long long limit, int low, int high)
    @cython.locals(seat=int, value=int, one=int, copies=int, card=int, side=int)
    cdef int _ask(self, int slot, int beta) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", place="unsigned long long", i="unsigned long long", at="unsigned long long", first=int, entry="unsigned long long",
        score="unsigned long long", need="unsigned long long", whole="unsigned long long",
        seat=int, hand=int, number=int, best=int, chosen=int, slot=int,
        value=int, sort=int, tied=bint, shut="unsigned long long", closing="unsigned long long", tall=int, raised=int,
        by_loot=bint, open_lanes="unsigned long long", pattern="unsigned long long", coarse="unsigned long long",
    )
    cdef int _leads(self, int beta, int depth) noexcept
    @cython.locals(key="unsigned long long")
    cdef void _begin(self, int beta) noexcept
    @cython.locals(faction=int, amount="unsigned long long")
    cdef unsigned long long _moved(self, int card, int copy, int side) noexcept
    @cython.locals(
        table=Table, state="unsigned long long", rest=int, i=int, card=int, side=int,
        now="unsigned long long",
    )
    cdef unsigned long long _now(self, int lead, int slot) noexcept
    @cython.locals(at="unsigned long long", need="unsigned long long", kept="unsigned long long")
    cdef int _recalled(self, unsigned long long now) noexcept
    @cython.locals(at="unsigned long long", entry="unsigned long long")
    cdef void _keep(self, unsigned long long now, int value) noexcept
    @cython.locals(
        place="unsigned long long", i="unsigned long long",
        entry="unsigned long long", score="unsigned long long", need="unsigned long long",
        sort=int, value=int,
    )
    cdef int _kept(self, unsigned long long key, int beta) noexcept
    @cython.locals(
        size="unsigned long long", i="unsigned long long",
        at="unsigned long long", to="unsigned long long", k="unsigned long long", end="unsigned long long",
    )
    cdef void _grow(self) noexcept
    @cython.locals(i="unsigned long long", k=int)
    cdef void _clear(self, unsigned long long begin, unsigned long long end) noexcept
    @cython.locals(
        table=Table, seat=int, held=int, value=int, score="long long", left="long long", below=int,
        limited=int, played=int, changes=int,
        k=int, outcome=int, leader=int, first=int, second=int, shown_first=int, shown_second=int,
        amount="long long", mine=int, theirs=int, piled=int, state="unsigned long long", now="unsigned long long",
    )
    cdef int _after(self, int lead, int slot, int beta, int depth) noexcept
    @cython.locals(
        seat=int, hand=int, held=int, best=int, number=int, at=int, i=int, slot=int, value=int, tall=int, raised=int, first=int,
        whole="unsigned long long", tied=bint, by_loot=bint,
    )
    cdef int _follows(self, int lead, int beta, int depth) noexcept
    @cython.locals(
        own="unsigned long long", other="unsigned long long", lanes="unsigned long long", at=int,
        wins=bint, loses=bint,
    )
    cdef int _soon(self) noexcept
    @cython.locals(
        at=int, most="unsigned long long", least="unsigned long long", won="unsigned long long",
        lost="unsigned long long",
    )
    cdef int _decided(self, unsigned long long own, unsigned long long other) noexcept
    @cython.locals(
        at=int, number=int, highest="unsigned long long", lowest="unsigned long long",
        lanes="unsigned long long",
    )
    cdef int _decided_with_loot(
        self, unsigned long long most, unsigned long long least, unsigned long long won,
        unsigned long long lost
    ) noexcept
    @cython.locals(
        at=int, mine=int, chosen="unsigned long long", low="unsigned long long",
    )
    cdef int _won(self, unsigned long long lanes, unsigned long long most, int spare) noexcept
    @cython.locals(
        at=int, others=int, chosen="unsigned long long", low="unsigned long long",
    )
    cdef int _lost(self, unsigned long long lanes, unsigned long long least, int spare) noexcept
    @cython.locals(table=Table, k=int, value=int, at=int, other=int)
    cdef int _known(self, int lead, int slot) noexcept
    @cython.locals(at=int, shown=int)
    cdef inline int _gain(self, int seat, int slot) noexcept
    @cython.locals(at=int)
    cdef inline void _lose(self, int seat, int slot, int shown) noexcept
