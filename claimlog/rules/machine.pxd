# C types for machine.py; the game stands in the .py file alone.
cimport cython
from claimlog.rules.powers cimport may_play, seers
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table

cdef int CARDS, FACTION_COUNT, GNOMES, VALUE_ROOM, RACCOONS, RACCOONS_USED, UNKNOWN, MAX_TRICKS
cdef int _TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER, _NOBODY
cdef const unsigned char[::1] COPIES, FACTION_OF, VALUE_OF
cdef bytes SIDES


cdef class Machine:
    cdef readonly object setup
    cdef readonly Table table
    cdef readonly int seats, sides, deck, phase_tricks, kind, actor
    cdef readonly bint quiet
    cdef public list hands, unknown, voids, followers, shown, buried, _pile
    cdef readonly list piles, displays, discards, removed, upcards, drawn, log, history, waived
    cdef readonly Count count
    cdef readonly bytearray left, seen
    cdef bint raccoons_in_pile, looked, irregular
    cdef public int raccoons, hidden, _top
    cdef int pick_at

    @cython.locals(card=int, seat=int)
    cpdef _take_hands(self, object hands)
    cpdef _locate(self, int card)
    @cython.locals(new=Machine, side=int)
    cpdef Machine copy(self, bint quiet=*)
    cpdef int cards_of(self, int side, int faction)
    cpdef int values_of(self, int seat, int faction)
    @cython.locals(card=int, unseen=bytearray, seen=bytearray)
    cpdef bytearray unseen(self, int seat)
    cpdef list choices(self)
    @cython.locals(
        hand=list, table=Table, cards=list, before=int, card=int, led=int, held=int, unknown=int
    )
    cpdef list _from_hand(self, int seat, bint openly)
    @cython.locals(card=int)
    cpdef int _held(self, int seat)
    cpdef bint _may_be(self, int card)
    cpdef bint _may_hold(self, int seat, int card)
    @cython.locals(kind=int)
    cpdef apply_unchecked(self, int action)
    cpdef proceed(self)
    @cython.locals(buried=list, place=int, lies=bint, i=int, card=int)
    cpdef rebury(self, int seat, list cards)
    cpdef _note(self, int kind, int seat, object card)
    cpdef _reveal(self, int card)
    @cython.locals(at=int, top=int, ahead=list)
    cpdef int _from_pile(self, int card, int others) except -1
    @cython.locals(hand=list)
    cpdef _from_hand_of(self, int seat, int card)
    @cython.locals(upcards=list, wanted=int)
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


@cython.locals(seat=int, number=int, value=int)
cpdef int cards_won(Table table, int side, int faction) noexcept
cpdef set_table(Table table, object setup)
@cython.locals(loot=int)
cpdef int loot_of(object setup) except -1
cpdef copy_table(Table old, Table new)
@cython.locals(i=int, k=int, chance=double)
cpdef shuffle(list cards, object rng)
@cython.locals(total=long, after=Machine, action=int)
cpdef long perft(Machine machine, int depth) except -1
