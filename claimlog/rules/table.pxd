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
cdef const unsigned char* FACTION_OF
cdef const unsigned char* RANKS
cdef const unsigned char* VALUE_OF


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
    @cython.locals(cards="int*", row=Py_ssize_t, card=Py_ssize_t, other=Py_ssize_t, second=int)
    cdef inline void _rank(self) noexcept
    @cython.locals(
        cards="int*", keys="int*", ranked="int*", row=Py_ssize_t, i=Py_ssize_t, k=Py_ssize_t, seat=int,
        card=Py_ssize_t, factions=int, seats=Py_ssize_t, value=int, key=int, extra=int, griffin=int, bonus=bint,
    )
    cdef void _rank_all(self) noexcept
    @cython.locals(
        goes_to="int*", seats=Py_ssize_t, seat=Py_ssize_t, winner=int, factions=int, i=Py_ssize_t, card=Py_ssize_t, faction=Py_ssize_t, noted=Py_ssize_t, k=Py_ssize_t, value=int, n=Py_ssize_t
    )
    cdef void _collect(self) noexcept
    @cython.locals(k=int, card=int)
    cdef void _note_gains(self, Py_ssize_t noted) noexcept
    cpdef int draws(self, bint looked) noexcept
    @cython.locals(place=Py_ssize_t, seat=Py_ssize_t)
    cpdef void recruit(self, bint looked, int hidden, int pick, int first, int second) noexcept
    @cython.locals(i=Py_ssize_t, seats=Py_ssize_t, place=Py_ssize_t, upcards=Py_ssize_t, picked=Py_ssize_t, drawn=Py_ssize_t, card=Py_ssize_t, seat=Py_ssize_t, reason=int)
    cdef void _hand_out(self, bint looked, int hidden, int pick, int first, int second) noexcept
    cpdef void advance(self) noexcept


cpdef set_table(Table table, object setup)
cpdef copy_table(Table old, Table new)
@cython.locals(seat=int, number=int, value=int)
cpdef int cards_won(Table table, int side, int faction) noexcept
