# C types for table.py; the rules are only in the .py file.
cimport cython
from claimlog.rules.data cimport TableData
from claimlog.rules.powers cimport (
    automatons,
    dragons,
    dwarves,
    giants,
    griffins,
    standing,
    trolls,
    undead,
    winning,
)

cdef int AUTOMATONS, CARDS, DRAGONS, DWARVES, FACTION_COUNT, GIANTS, GNOMES, GRIFFINS, TROLLS, UNDEAD, UNKNOWN, VALUE_ROOM
cdef int MAX_TRICKS
cdef int NOBODY, AUTO, AUTOMATON_FIRST, FIRST_OF_EQUALS, GNOMES_OPEN, GRIFFIN, MARK, NEXT_AUTOMATON
cdef int NEXT_DRAGON, NEXT_LAST_DRAGON, NEXT_WINNER, PHASE_2, SCORED, SEER
cdef int TAKEN_HIDDEN, TAKEN_SEER, TAKEN_UPCARD
cdef const unsigned char* CARD_AT
cdef const unsigned char* UPCARDS
cdef const unsigned char* SIDES
cdef bytes FACTION_OF, RANKS, VALUE_OF


@cython.final
cdef class Table(TableData):
    cpdef void set_up(
        self, int seats, int tricks, int deck, int leader,
        bint troll_line, bint any_dragon, bint any_automaton,
    ) noexcept
    cpdef void turn_up(self, int first, int second) noexcept
    cpdef void play(self, int card) noexcept
    @cython.locals(i=int, dragon=int, winner=int, factions=int)
    cpdef void settle(self) noexcept
    cpdef int value_of(self, int seat, int card) noexcept
    @cython.locals(i=int, k=int, card=int, last=int, dragon=int)
    cpdef bint concede(self, int best) noexcept
    @cython.locals(
        best=int, led=int, faction=int, stands=int, rivals=bint, equal=bint, i=int,
        card=int, value=int,
    )
    cdef void _note_winner(self) noexcept
    @cython.locals(follows=int, last=int, play=int, reason=int)
    cdef void _note_leader(self, int dragon) noexcept
    @cython.locals(
        cards="int*", keys="int*", ranked="int*", values="int*", row=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t, factions=Py_ssize_t,
        seats=Py_ssize_t, second=Py_ssize_t, other=Py_ssize_t,
        value=Py_ssize_t, key=Py_ssize_t, extra=Py_ssize_t, griffin=int, bonus=bint,
    )
    cdef void _rank(self) noexcept
    @cython.locals(
        goes_to="int*", cards="int*", seats=Py_ssize_t, seat=Py_ssize_t, winner=Py_ssize_t, factions=Py_ssize_t, i=Py_ssize_t, card=Py_ssize_t, faction=Py_ssize_t, noted=Py_ssize_t, k=Py_ssize_t, value=Py_ssize_t, n=Py_ssize_t
    )
    cdef void _collect(self) noexcept
    cpdef int draws(self, bint looked) noexcept
    @cython.locals(i=Py_ssize_t, seats=Py_ssize_t, place=Py_ssize_t, upcards=Py_ssize_t, picked=Py_ssize_t, drawn=Py_ssize_t, card=Py_ssize_t, seat=Py_ssize_t, reason=int, followers="int*")
    cpdef void recruit(self, bint looked, int hidden, int pick, int first, int second) noexcept
    cpdef void advance(self) noexcept


cpdef set_table(Table table, object setup)
cpdef copy_table(Table old, Table new)
@cython.locals(seat=int, number=int, value=int)
cpdef int cards_won(Table table, int side, int faction) noexcept
