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
cdef bytes FACTION_OF, RANKS, VALUE_OF


@cython.final
cdef class Table(Position):
    cpdef void set_up(
        self, int seats, int tricks, int deck, int leader,
        bint troll_line, bint any_dragon, bint any_automaton,
    ) noexcept
    cpdef void turn_up(self, int first, int second) noexcept
    cpdef void play(self, int card) noexcept
    @cython.locals(i=int, leader=int, winner=int, factions=int)
    cpdef void settle(self) noexcept
    @cython.locals(i=int, k=int)
    cpdef void concede(self, int winning) noexcept
    @cython.locals(
        cards="int*", keys="int*", ranked="int*", values="int*", row=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t, factions=Py_ssize_t,
        seats=Py_ssize_t, second=Py_ssize_t, other=Py_ssize_t,
        value=Py_ssize_t, key=Py_ssize_t, extra=Py_ssize_t, bonus=bint,
    )
    cdef void _rank(self) noexcept
    @cython.locals(
        goes_to="int*", cards="int*", seats=Py_ssize_t, seat=Py_ssize_t, winner=Py_ssize_t, factions=Py_ssize_t, i=Py_ssize_t, card=Py_ssize_t, faction=Py_ssize_t, k=Py_ssize_t, value=Py_ssize_t, n=Py_ssize_t
    )
    cdef void _collect(self) noexcept
    cpdef int draws(self, bint looked) noexcept
    @cython.locals(i=Py_ssize_t, seats=Py_ssize_t, place=Py_ssize_t, upcards=Py_ssize_t, picked=Py_ssize_t, drawn=Py_ssize_t, card=Py_ssize_t, seat=Py_ssize_t, followers="int*")
    cpdef void recruit(self, bint looked, int hidden, int pick, int first, int second) noexcept
    cpdef void advance(self) noexcept
