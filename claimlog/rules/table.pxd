# C types for table.py; the rules stand in the .py file alone.
cimport cython
from claimlog.rules.position cimport Position
from claimlog.rules.powers cimport (
    automatons,
    dragons,
    dwarves,
    giants,
    griffins,
    standing,
    trolls,
    undead,
)

cdef int AUTOMATONS, CARDS, DRAGONS, DWARVES, FACTION_COUNT, GIANTS, GNOMES, GRIFFINS, TROLLS, UNDEAD, UNKNOWN, MAX_TRICKS
cdef bytes RANKS
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF


@cython.final
cdef class Table(Position):
    cpdef void set_up(
        self, int seats, int tricks, int deck, int leader,
        bint troll_line, bint any_dragon, bint any_automaton,
    ) noexcept
    cpdef void turn_up(self, int first, int second) noexcept
    cpdef void play(self, int card) noexcept
    @cython.locals(i=int, leader=int, winner=int)
    cpdef void settle(self) noexcept
    @cython.locals(i=int, k=int)
    cpdef void concede(self, int winning) noexcept
    @cython.locals(
        cards="int*", keys="int*", ranked="int*", values="int*", row=int, i=int, k=int, card=int, factions=int,
        seats=int, second=int,
        value=int, key=int, extra=int, bonus=bint,
    )
    cdef void _rank(self) noexcept
    @cython.locals(
        goes_to="int*", winner=int, factions=int, i=int, card=int, faction=int, k=int, value=int, n=int
    )
    cdef void _collect(self) noexcept
    cpdef int draws(self, bint looked) noexcept
    @cython.locals(i=int, seats=int, place=int, upcards=int, picked=int, drawn=int, card=int, seat=int)
    cpdef void recruit(self, bint looked, int hidden, int pick, int first, int second) noexcept
    cpdef void advance(self) noexcept
