# C types for position.py; the rules stand in the .py file alone.
cimport cython

cdef int FACTION_COUNT
cdef int GNOMES, UNKNOWN
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF


cdef class Position:
    cdef public int seats, tricks, deck
    cdef public bint troll_line, any_dragon, any_automaton
    cdef public int count[68]
    cdef public int mask[68]
    cdef public int total[68]
    cdef public int display[40]
    cdef public int followers[52]
    cdef public int upcards[2]
    cdef public int cards[4]
    cdef public int values[4]
    cdef public int keys[4]
    cdef public int ranked[4]
    cdef public int goes_to[4]
    cdef public int gained_seat[16]
    cdef public int gained_card[16]
    cdef public int removed_seat[16]
    cdef public int removed_card[16]
    cdef public int trolls[16]
    cdef public int trick, leader, played, factions, winner, next_leader
    cdef public bint auto, next_auto
    cdef public int gained, removed, waiting

    @cython.locals(i=int)
    cpdef void clear(self) noexcept
    @cython.locals(seat=int)
    cpdef int seat_of(self, int play) noexcept
    @cython.locals(k=int, n=int, value=int)
    cpdef void gain(self, int seat, int card) noexcept
    cpdef void lay_open(self, int seat, int card) noexcept


cdef class Tally:
    cdef public int players, sides, deck, tiebreak
    cdef public int count[68]
    cdef public int cards[68]
    cdef public int mask[68]
    cdef public int total[68]
    cdef public int moved[4]
    cdef public int runs[4]
    cdef public int loot[4]
    cdef public int loot_for[4]
    cdef public int fewest[4]
    cdef public int won_by[17]
    cdef public int votes[4]
    cdef public int share[4]

    @cython.locals(i=int, j=int, k=int, seat=int, side=int, value=int, gnomes=int)
    cpdef void collect(self, Position position) noexcept
