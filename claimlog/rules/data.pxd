# C types for data.py; the rules are only in the .py file.
cimport cython

# Array sizes, equal to the lengths in data.py.
cdef enum:
    FACTIONS = 24
    SEATS = 4
    PILES = SEATS * FACTIONS
    DISPLAYS = SEATS * 16
    FOLLOWERS = SEATS * 13

cdef int FACTION_COUNT, GNOMES, NONE, UNKNOWN, VALUE_ROOM
cdef int GNOMES_JOIN, GNOME_KINDS
cdef bytes GNOME_VALUES
cdef const unsigned char* CARD_AT
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF
cdef const unsigned char* SIDES
cdef int NO_PILES[PILES]
cdef int NO_DISPLAYS[DISPLAYS]
cdef int NO_FOLLOWERS[FOLLOWERS]


cdef class TableData:
    cdef public bint noting
    cdef public list notes
    cdef public int seats, tricks, upcard_count, deck
    cdef public bint troll_line, any_dragon, any_automaton
    cdef public int count[PILES]
    cdef public int mask[PILES]
    cdef public int total[PILES]
    cdef public int display[DISPLAYS]
    cdef public int followers[FOLLOWERS]
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
    cdef public int automaton
    cdef public int trick, leader, played, factions, winner, next_leader
    cdef public bint auto, next_auto
    cdef public int gained, removed, waiting

    @cython.locals(i=int)
    cpdef void clear(self) noexcept
    @cython.locals(seat=int)
    cpdef int seat_of(self, int play) noexcept
    cpdef void note(self, int reason, int seat, int card=*, int number=*, int faction=*) noexcept
    @cython.locals(k=int, n=int, value=int)
    cpdef void gain(self, int seat, int card) noexcept
    cpdef void lay_open(self, int seat, int card) noexcept


cdef class CountData:
    cdef public bint noting
    cdef public list notes
    cdef public int players, sides, deck, tiebreak
    cdef public int count[PILES]
    cdef public int cards[PILES]
    cdef public int mask[PILES]
    cdef public int total[PILES]
    cdef public int moved[4]
    cdef public int runs[4]
    cdef public int loot[4]
    cdef public int loot_for[4]
    cdef public int fewest[4]
    cdef public int won_by[FACTIONS]
    cdef public int votes[4]
    cdef public int share[4]

    cpdef void note(self, int reason, int side, int card=*, int number=*, int faction=*) noexcept
    @cython.locals(i=int, j=int, k=int, seat=int, side=int, value=int, gnomes=int)
    cpdef void collect(self, TableData position) noexcept
