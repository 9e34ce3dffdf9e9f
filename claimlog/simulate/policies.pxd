# C types for policies.py; the strategies are only in the .py file.
cimport cython
from claimlog.rules.machine cimport Machine
from claimlog.rules.powers cimport standing
from claimlog.simulate.view cimport PolicyView

cdef int AUTOMATONS, DOPPELGANGERS, DWARVES, FACTION_COUNT, SEERS, UNDEAD
cdef int NOBODY, LEAVE, TAKE, _FOLLOWING, _KEYS
cdef int _TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER
cdef double COST, LATE_COST
cdef const unsigned char* FACTION_OF
cdef const unsigned char* VALUE_OF


cdef class RandomPolicy:
    @cython.locals(chance=double)
    cpdef choose(self, PolicyView view, object choices, object rng)


cdef class GreedyPolicy:
    @cython.locals(kind=int)
    cpdef choose(self, PolicyView view, object choices, object rng)
    @cython.locals(
        worth=list, unseen=bytearray, prize=double, chances=_Chances, best_score=double,
        card=int, best=int, win=double, extra=double, faction=int, gain=double, score=double,
    )
    cpdef _play(self, PolicyView view, object choices)
    @cython.locals(number=int, total=double, card=int, value=double, hidden=double, prize=double)
    cpdef double _prize(self, PolicyView view, list worth, bytearray unseen) except? -99
    @cython.locals(
        unseen=bytearray, swings=list, chances=_Chances, dwarves=bint, stake=double,
        faction=int, card=int, best=int, best_score=double, win=double, swing=double,
        score=double,
    )
    cpdef _play_late(self, PolicyView view, object choices)
    @cython.locals(
        best=int, best_score=double, before=list, after=list, card=int, score=double,
        factions=tuple, faction=int, lead=int, was=int, swing=double,
    )
    cpdef _play_last(self, PolicyView view, object choices, list swings)


@cython.locals(total=int, copies=int)
cdef int _number(bytearray unseen)
cdef double _early_worth(int card)
cdef double _strength(int card)
@cython.locals(
    left=list, held=int, other=int, card=int, hidden=int, share=double, leads=list,
    swings=list, faction=int, more=double,
)
cdef list _swings(PolicyView view, bytearray unseen)
@cython.locals(stands=int)
cdef int _key(int card, int led)


cdef class _Chances:
    cdef PolicyView view
    cdef bytearray unseen, above
    cdef int row, certain, led, best
    cdef bint last
    cdef list shown
    cdef double miss

    @cython.locals(
        seats=int, leader=int, late=bint, plays=list, played=int, i=int, card=int, seat=int,
        held=int, shown=list, hidden=int,
    )
    cdef _look_round(self, PolicyView view)
    @cython.locals(led=int, key=int, chance=double, _=int)
    cdef double of(self, int card)
    @cython.locals(above=bytearray, unseen=bytearray, key=int, card=int)
    cdef void _rivals(self, int led)


cdef class ExpertPolicy(GreedyPolicy):
    cdef public object samples
    @cython.locals(
        totals=list, world=Machine, game=Machine, i=int, card=int
    )
    cpdef choose(self, PolicyView view, object choices, object rng)


@cython.locals(options=list, chance=double)
cdef _play_on(Machine game, object rng)


cdef class PerfectPolicy(ExpertPolicy):
    cdef public object effort
    cpdef choose(self, PolicyView view, object choices, object rng)
