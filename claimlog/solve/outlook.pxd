# C types for outlook.py.
cimport cython
from claimlog.rules.limits cimport Left, ask, close, decided, gauge, giants_for, loot_for, near, prepare
from claimlog.rules.table cimport Table
from claimlog.solve.position cimport Position
from claimlog.solve.slots cimport packed, popcount

cdef int FACTION_COUNT, VALUE_ROOM, NOBODY, FULL, APART, LANE, BITS, SOME
cdef unsigned long long WORDS, STEP, GUARDS, ONES
cdef const unsigned char* FACTION_OF
cdef const unsigned char* PLACES
cdef unsigned int SPREAD
cdef const unsigned char* VALUE_OF

cpdef unsigned long long mixed(
    unsigned long long key, unsigned long long first, unsigned long long second
) noexcept


cdef class Outlook(Position):
    @cython.locals(
        table=Table, known=int, before=Left, unwon=Left, at=int, first=int, other=int, score="long long",
        others="long long", number=int, hands=int, i=int, faction=int, rest=int,
        shift=int, lane="long long", rises="long long", falls="long long", side=int, threat="unsigned long long",
        won=int, lost=int, need="unsigned long long", limit="unsigned long long",
    )
    cdef void _limit(self, int depth, int played) noexcept
    @cython.locals(
        unwon=Left, i=int, faction=int, values=int, apart=int, depth=int, k=int,
        won="unsigned long long", lost="unsigned long long",
    )
    cdef void _tell(self) noexcept
    @cython.locals(k=int)
    cdef int _values(self, int faction, int rest) noexcept
    @cython.locals(low="unsigned int", values=int, pairs=int, value=int)
    cdef int _pairs(self, int rest) noexcept
    @cython.locals(
        table=Table, mine=int, theirs=int, coming=int, rest=int, low="unsigned int", asked=int,
        raised=int, side=int, others=int, won=int, slot=int, value=int, against=int,
    )
    cdef void _raise(self) noexcept
    @cython.locals(
        table=Table, key="unsigned long long", mine=int, theirs=int, hands=int, i=int, rest=int,
        same=int, low="unsigned int", others=int, card=int, asked=bint, order=int, apart=int, raised=int, sides="unsigned long long", k=int,
    )
    cdef unsigned long long _key(self) noexcept
    @cython.locals(
        tall=int, at=int, i=int, faction=int, shift=int, one="unsigned long long", x=int, left=int,
        won="unsigned long long", lost="unsigned long long", undecided="unsigned long long",
    )
    cdef unsigned long long _shut(self, int hands) noexcept
    @cython.locals(lanes="unsigned long long")
    cdef unsigned long long _asked(self, unsigned long long need) noexcept
    @cython.locals(i=int, shift=int, x=int, faction=int, one="unsigned long long")
    cdef unsigned long long _reopened(
        self, unsigned long long need, unsigned long long shut, int side
    ) noexcept
    @cython.locals(
        table=Table, k=int, j=int, late=int, rest=int, value=int, number=int, first=int,
        closed="unsigned long long", second=int, shown="unsigned long long",
    )
    cdef unsigned long long _key_of(self, int faction, unsigned long long key) noexcept
    @cython.locals(
        table=Table, i=int, k=int, j=int, mine=int, theirs=int, value=int, numbers="unsigned long long"
    )
    cdef unsigned long long _with_numbers(self, unsigned long long key) noexcept
    @cython.locals(table=Table, key="unsigned long long", i=int, k=int, j=int, value=int)
    cdef unsigned long long _exact_key(self) noexcept
    @cython.locals(lanes="unsigned long long")
    cdef unsigned long long _least(self, unsigned long long first, unsigned long long second) noexcept
    @cython.locals(lanes="unsigned long long")
    cdef unsigned long long _greatest(self, unsigned long long first, unsigned long long second) noexcept
    @cython.locals(lanes="unsigned long long")
    cdef unsigned long long _before(
        self, unsigned long long need, unsigned long long was, unsigned long long now
    ) noexcept
