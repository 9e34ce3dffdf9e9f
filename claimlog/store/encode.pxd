# C types for encode.py; what a row holds stands in the .py file alone.
cimport cython
from claimlog.notation.sheet cimport Sheet
from claimlog.replay.judge cimport Judge
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table

cdef int CARDS, FACTION_COUNT, MAX_TRICKS, OTHER_TAG, TAG_FIELDS, ANNOTATION_SHIFT, IRREGULAR
cdef int WON, DECIDED, FACE_DOWN, BY_LEADER, THREE_SIDES
cdef int RESULT, NONE, TRICKS, MEMO
cdef int TAG_COUNT, TAG_EVENT, TAG_SITE, TAG_DATE, TAG_ROUND, TAG_TABLE, TAG_START, TAG_END
cdef int TAG_PLAYER, TAG_RATING, TAG_ID, TAG_DECK, TAG_TERMINATION, TAG_RESULT
cdef bytes SEPARATOR, LINE_BREAK, HEX, ODD
cdef list _NAME, _MARK, SMALL
cdef dict _DECK


cdef class Encoder(Judge):
    cdef public bytearray written, faction_rows
    cdef public bytes record, digest
    cdef public int noted, used, longest
    cdef public unsigned char[::1] t_leader, t_winner, t_auto, t_up, t_took, t_card, t_best, wins, gains
    cdef public unsigned char[::1] room
    cdef public list game_rows
    cdef public dict memo, names, numbers
    cdef public object recorder

    cpdef bint encode(self, Sheet sheet, int index) except? -1
    @cython.locals(
        sheet=Sheet, table=Table, out=bytearray, t=int, early=bint, auto=bint, first=bint, j=int,
        card=int, token=int, seat=int, flags=int, k=int,
    )
    cpdef void trace(self, int ups, int lies, int drawn, int pick, int seer) except *
    @cython.locals(table=Table, j=int)
    cpdef void _note_trick(self, int t, bint early, bint auto) except *
    @cython.locals(sheet=Sheet, out=bytearray, places=list, others=list, last=int, i=int, tag=int)
    cpdef void _write(self) except *
    @cython.locals(sheet=Sheet, k=int, value=bytes)
    cpdef void _write_tag(self, bytearray out, int tag, int place) except *
    @cython.locals(k=int)
    cpdef void _digits(self, int value) noexcept
    cpdef void _field(self, int value, int shift) noexcept
    cpdef void _rows(self, int index) except *
    @cython.locals(winners=int, share=int, seat=int)
    cpdef void _gains(self) noexcept
    @cython.locals(seat=int, code=int)
    cpdef int _how(self, int t, int place) noexcept
    @cython.locals(code=int)
    cpdef int _upcard(self, int t, int which) noexcept
    @cython.locals(count=Count, best=int, second=int, side=int)
    cpdef int _margin(self, int faction) noexcept
    @cython.locals(digits=bytes, t=int, k=int, early=bint, length=int, end=int, seat=int)
    cpdef void _trick_rows(self, int index) except *
    @cython.locals(count=Count, faction=int, winner=int, third=int, code=int, digits=bytes, end=bytes)
    cpdef void _faction_rows(self, int index) except *
    @cython.locals(value=bytes)
    cpdef bytes _known(self, int tag)
    @cython.locals(key=bytes)
    cpdef bytes _remember(self, str kind, bytes name, bytes value)
    @cython.locals(count=Count, seat=int, side=int, faction=int, done=bint, later=bint)
    cpdef void _game_row(self, int index) except *
