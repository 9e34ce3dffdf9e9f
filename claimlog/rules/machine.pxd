# C types for machine.py; the game is described only in the .py files.
cimport cython
from claimlog.rules.legal cimport Legal
from claimlog.rules.powers cimport may_play, seers
from claimlog.rules.scoring cimport Count, loot_of
from claimlog.rules.table cimport Table

cdef int GNOMES, UNKNOWN, MAX_TRICKS
cdef int _TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER, _NOBODY
cdef const unsigned char* FACTION_OF


cdef class Machine(Legal):
    @cython.locals(new=Machine, side=int)
    cpdef Machine copy(self, bint quiet=*)
    @cython.locals(kind=int)
    cpdef apply_unchecked(self, int action)
    cpdef proceed(self)
    @cython.locals(buried=list, place=int, lies=bint, i=int, card=int)
    cpdef rebury(self, int seat, list cards)
    cpdef _note(self, int kind, int seat, object card)
    @cython.locals(upcards=list, number=int)
    cpdef _turn_up(self, int card)
    @cython.locals(table=Table, seat=int, shown=list, led=int)
    cpdef _play(self, int card)
    @cython.locals(table=Table, seat=int)
    cpdef _discard(self, int card)
    @cython.locals(table=Table, late=bint, i=int, k=int, card=int)
    cpdef _settle(self)
    @cython.locals(card=int)
    cpdef _look(self, bint take)
    cpdef _share(self)
    cpdef _pick(self, int card)
    @cython.locals(
        table=Table, drawn=int, draws=int, first=int, second=int, seat=int, card=int
    )
    cpdef _draw_next(self)
    cpdef _draw(self, int card)
    @cython.locals(table=Table, seat=int, followers=list)
    cpdef _finish(self)
    @cython.locals(count=Count)
    cpdef Count _counted(self)
    @cython.locals(count=Count, side=int)
    cpdef _loot_next(self)
    cpdef _loot(self, int faction)
    @cython.locals(table=Table, seats=int, number=int, early=bint, i=int, k=int, scored=list)
    cpdef _summarize(self)


@cython.locals(total=long, after=Machine, action=int)
cpdef long perft(Machine machine, int depth) except -1
