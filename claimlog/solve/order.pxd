# C types for order.py.
cimport cython
from claimlog.solve.certain cimport Certain
from claimlog.solve.slots cimport popcount

cdef int ROOM, TRICKS, WHOLE, NOBODY, NO_CARD, REMEMBERED, LANE, REPLIES
cdef int STAKE, NEXT_LEAD, TAKING, LENGTH, REPLY, BEATING, RANK, DECIDED
cdef unsigned int CHECK
cdef unsigned long long STEP, WORDS
cdef const unsigned char* PLACES
cdef unsigned int SPREAD
cdef const unsigned char* VALUE_OF


cdef class Order(Certain):
    cdef public int weights[26]
    cdef public short answering[2704]
    cdef public int takes[26]
    cdef public int tried[832]
    cdef public int undecided[16]
    cdef public unsigned long long patterns[16]
    cdef public unsigned int hints[8192]
    cdef public int weighed

    cdef void _remember(self, unsigned long long pattern, int slot) noexcept
    @cython.locals(hint="unsigned int")
    cdef int _remembered(self, unsigned long long pattern) noexcept
    @cython.locals(pattern="unsigned long long")
    cdef unsigned long long _replying(self, int lead, int depth) noexcept
    @cython.locals(lead=int, slot=int, seat=int)
    cdef void _look_up_promises(self) noexcept
    @cython.locals(k=int, i=int, weight=int)
    cdef void _promise(self, int seat, int lead, int slot) noexcept
    @cython.locals(
        row=int, before=int, others=int, unlike=int, same=bint, number=int, at=int, weight=int,
        slot=int, rest=int, low="unsigned int", undecided=int,
    )
    cdef int _order_replies(self, int seat, int hand, int lead, int depth, int first) noexcept
    @cython.locals(
        number=int, before=int, others=int, unlike=int, same=bint, slot=int, weight=int,
        rest=int, low="unsigned int", faction=int, at=int, held=int, all_others=int, replies=int, base=int,
    )
    cdef int _order(self, int seat, int hand, int first, int row) noexcept
    @cython.final
    @cython.locals(k=int)
    cdef inline void _insert(self, int at, int number, int slot, int weight) noexcept
    @cython.locals(one="unsigned int", before="unsigned int", others=int)
    cdef bint _playable(self, int seat, int hand, int slot) noexcept
    cdef int _unlike(self) noexcept
    @cython.locals(copied=int, between=int)
    cdef bint _same(
        self, int seat, unsigned int before, unsigned int low, int others, int unlike
    ) noexcept
    @cython.locals(
        undecided=int, weight=int, best=int, worst=int, beating=int, low="unsigned int",
    )
    cdef int _gained(self, int seat, int slot, int replies) noexcept
    @cython.locals(undecided=int, outcome=int)
    cdef int _swing(self, int seat, int lead, int slot, int worth) noexcept
    @cython.locals(i=int, undecided=int)
    cdef void _weigh(self, int depth, unsigned long long closing) noexcept
