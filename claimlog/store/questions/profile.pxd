# C types for profile.py; only the .py file says what is counted.
cimport cython

from claimlog.store.questions.intervals cimport RateCounter

cdef int _PLAYER, _RATING, _VOTES, _WON, _FACTIONS


cdef class Seen:
    cdef public object row, points
    cdef public int seat, seats, sides, side
    cdef public bint counted, played


cdef class Tallies:
    cdef public dict by_seat, by_seats, leading, phase1, with_faction, factions_won
    cdef public dict events, opponents, partners
    cdef public list won_by_any
    cdef public int counted, votes_for, votes_against

    @cython.locals(seat=int, side=int, mates=bint, deck=long, won=long, any_won=long, faction=int)
    cdef _add(self, Seen seen, double points, object merged)


@cython.locals(tally=RateCounter)
cdef _tally(dict counters, object key, double points)
