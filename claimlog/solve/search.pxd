# C types for search.py.
cimport cython
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table
from claimlog.solve.outlook cimport Outlook
from claimlog.solve.slots cimport popcount

cdef int FACTION_COUNT, ROOM, DEPTH, LOWEST, HIGHEST, NONE_YET, WAYS, ROW, FIRST, LANE, BOTH
cdef const unsigned char* PLACES
cdef unsigned long long GUARDS, ANY, ONES

cpdef int value_of(int share, int votes, int others) noexcept


@cython.final
cdef class Search(Outlook):
    cdef public Count count
    cdef public unsigned long long size, most, stored
    cdef public unsigned long long[::1] memory
    cdef public int weights[26]
    cdef public int tried[416]
    cdef public int answers[416]
    cdef public int stakes[384]
    cdef public int runs[5]
    cdef public unsigned long long need
    cdef public int enough, little, weighed, first
    cdef public int level
    cdef public bint exhausted, tied, plain
    cdef public long long nodes, limit

    @cython.locals(guess=int, beta=int, found=int, least=int, most=int)
    cdef tuple _meet(self, int slot, long long limit, int low, int high)
    @cython.locals(seat=int, value=int)
    cdef int _ask(self, int slot, int beta) noexcept
    @cython.locals(
        table=Table, memory="unsigned long long[::1]", key="unsigned long long",
        place="unsigned long long", i="unsigned long long", entry="unsigned long long",
        score="unsigned long long", need="unsigned long long", whole="unsigned long long",
        first=int, seat=int, hand=int, number=int, best=int, chosen=int, slot=int,
        value=int, sort=int, tied=bint, shut="unsigned long long", tall=int, raised=int,
        open_lanes="unsigned long long", coarse="unsigned long long",
    )
    cdef int _leads(self, int beta, int depth) noexcept
    @cython.locals(
        memory="unsigned long long[::1]", place="unsigned long long", i="unsigned long long",
        entry="unsigned long long", score="unsigned long long", need="unsigned long long",
        sort=int, value=int,
    )
    cdef int _kept(self, unsigned long long key, int beta) noexcept
    @cython.locals(
        memory="unsigned long long[::1]", size="unsigned long long", i="unsigned long long",
        at="unsigned long long", to="unsigned long long", k=int, n=int,
    )
    cdef void _grow(self) noexcept
    @cython.locals(memory="unsigned long long[::1]", i="unsigned long long", k=int)
    cdef void _clear(self, unsigned long long begin, unsigned long long end) noexcept
    @cython.locals(
        table=Table, seat=int, held=int, value=int, score="long long", left="long long", below=int,
        numbers="long long", limited=int, changes=bint,
        k=int, leader=int, first=int, second=int, shown_first=int, shown_second=int,
    )
    cdef int _after(self, int lead, int slot, int beta, int depth) noexcept
    @cython.locals(
        seat=int, hand=int, row=int, held=int, best=int, last=int, number=int, at=int, weight=int,
        k=int, i=int, slot=int, value=int, whole="unsigned long long", tied=bint,
        rest=int, low="unsigned int",
    )
    cdef int _follows(self, int lead, int beta, int depth) noexcept
    @cython.locals(
        number=int, last=int, slot=int, weight=int, k=int, rest=int, low="unsigned int",
    )
    cdef int _order(self, int seat, int hand, int first, int at) noexcept
    @cython.locals(replies=int, weight=int, best=int, low="unsigned int")
    cdef int _lead_weight(self, int seat, int slot) noexcept
    @cython.locals(k=int, worth=int, stake=int)
    cdef int _swing(self, int seat, int lead, int slot) noexcept
    @cython.locals(i=int, faction=int, shift=int, x=int, left=int)
    cdef void _weigh(self, int depth) noexcept
    @cython.locals(
        value=int, own="unsigned long long", other="unsigned long long",
    )
    cdef int _sure(self, int beta) noexcept
    @cython.locals(
        mine=int, others=int, need="unsigned long long", limit="unsigned long long", i=int,
        shift=int, x=int, left=int, one="unsigned long long", enough=int, little=int,
        most=int, least=int, faction=int, at=int,
    )
    cdef int _decided(
        self, int beta, unsigned long long own, unsigned long long other
    ) noexcept
    @cython.locals(
        leader=int, hand=int, other=int, sure="unsigned long long", tricks=int, i=int, faction=int,
        rest=int, gain="unsigned long long", winners=int, slot=int, own=int, more=int,
        beaten=int, low="unsigned int",
    )
    cdef unsigned long long _cashed(self) noexcept
    @cython.locals(
        leader=int, hand=int, other=int, sure="unsigned long long", number=int, lets_in=int,
        rest=int, slot=int, faction=int, taken=int, follow=int, gain="unsigned long long",
        low="unsigned int",
    )
    cdef unsigned long long _stopped(self) noexcept
    @cython.locals(others=int, share=int)
    cdef int _split(self, int mine, bint level) noexcept
    @cython.locals(mine=int)
    cdef int _enough(self, int beta, bint level) noexcept
    @cython.locals(
        count=Count, need="unsigned long long", i=int, shift=int, x=int, one="unsigned long long",
        value=int, enough=int, little=int, mine=int, others=int, faction=int,
        level=int, other=int,
    )
    cdef int _end(self, int beta) noexcept
    @cython.locals(count=Count)
    cdef int _valued(self) noexcept
    @cython.locals(count=Count, share=int)
    cdef int _counted(self) noexcept
    @cython.locals(count=Count, best=int, worst=int, mine=int, other=int)
    cdef int _looted(self) noexcept
