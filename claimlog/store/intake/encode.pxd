# C types for encode.py; only the .py file says what a row holds.
cimport cython
from claimlog.notation.sheet cimport Sheet
from claimlog.replay.judge cimport Judge
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table
from claimlog.store.intake.rows cimport Rows

cdef int CARDS, FACTION_COUNT, MAX_TRICKS, OTHER_TAG, TAG_FIELDS, ANNOTATION_SHIFT, IRREGULAR
cdef int WON, DECIDED, FACE_DOWN, BY_LEADER, THREE_SIDES
cdef int RESULT, UNFINISHED, NONE, TRICKS, MEMO, KEPT, LINE, MARGIN
cdef int INTEGER, NUMBER, DIGEST
cdef bytes NOTHING
cdef unsigned long long NO_INTEGER, NO_NUMBER, NO_REAL
cdef int TAG_COUNT, TAG_EVENT, TAG_SITE, TAG_DATE, TAG_ROUND, TAG_TABLE, TAG_START, TAG_END
cdef int TAG_PLAYER, TAG_RATING, TAG_ID, TAG_DECK, TAG_TERMINATION, TAG_RESULT, TAG_VOTES
cdef int OPENING
cdef list _MARK, _ABSENT
cdef dict _DECK
cdef object _FRESH
cdef unsigned char[::1] _NAME_ROOM


cpdef int _seat(int number) noexcept
@cython.locals(hashed=object)
cdef bytes _digest(bytes text)


@cython.final
cdef class Value:
    cdef public bytes line, written, text, packed, folded, digits
    cdef public int kind
    cdef public unsigned long long number
    cdef public double rating


cdef class Encoder(Judge):
    cdef public bytes record, digest
    cdef public int noted, filled, at, word
    cdef public Rows game_rows, trick_rows, faction_rows
    cdef public unsigned char[::1] t_leader, t_winner, t_auto, t_up, t_took, t_card, t_best, wins, gains
    cdef public bytearray page, opening
    cdef public list last, values, others
    cdef public dict memo
    cdef public object recorder

    cpdef bint encode(self, Sheet sheet, int index) except? -1
    @cython.locals(
        sheet=Sheet, table=Table, t=int, early=bint, auto=bint, first=bint, j=int, card=int,
        token=int, seat=int, flags=int, k=int, mark=bytes,
    )
    cpdef void trace(self, int ups, int lies, int drawn, int pick, int seer) except *
    @cython.final
    @cython.locals(page="unsigned char*")
    cdef inline void _put(self, int byte) noexcept
    @cython.final
    cdef inline void _digits(self, int value) noexcept
    @cython.final
    @cython.locals(k=int)
    cdef inline void _card(self, int card) noexcept
    @cython.locals(table=Table, j=int)
    cpdef void _note_trick(self, int t, bint early, bint auto) except *
    @cython.locals(sheet=Sheet, place=int, tag=int, k=int, value=Value)
    cpdef void _read_tags(self) except *
    @cython.final
    @cython.locals(text="const unsigned char*", known="const unsigned char*", length=int, i=int)
    cdef inline bint _stands(self, bytes written, int at, int k) noexcept
    @cython.locals(sheet=Sheet, k=int, written=bytes, value=Value)
    cpdef Value _value_of(self, int place, int tag)
    @cython.locals(sheet=Sheet, k=int)
    cpdef bytes _canonical_tag(self, int place)
    @cython.locals(parts=list, tag=int, value=Value)
    cpdef void _write(self) except *
    cpdef void _rows(self, int index) except *
    @cython.locals(winners=int, share=int, seat=int)
    cpdef void _gains(self) noexcept
    @cython.final
    @cython.locals(seat=int, code=int)
    cdef inline int _how(self, int t, int place) noexcept
    @cython.final
    @cython.locals(code=int)
    cdef inline int _upcard(self, int t, int which) noexcept
    @cython.locals(count=Count, best=int, second=int, side=int)
    cpdef int _margin(self, int faction) noexcept
    @cython.final
    @cython.locals(rows=Rows, row="unsigned char*", room=int, k=int, j=int)
    cdef void _trick_row(self, int index, int t, bint early, int length) noexcept
    @cython.locals(t=int, early=bint, length=int, end=int, seat=int)
    cpdef void _add_tricks(self, int index) except *
    @cython.locals(
        count=Count, faction=int, winner=int, code=int, k=int, rows=Rows, row="unsigned char*",
        room=int, three=bint,
    )
    cpdef void _add_factions(self, int index) except *
    @cython.final
    @cython.locals(rows=Rows, row="unsigned char*", k=int, i=int)
    cdef inline void _put_number(self, unsigned long long value, int size) noexcept
    @cython.final
    @cython.locals(first="const unsigned char*", key="unsigned long long", i=int)
    cdef void _put_key(self, bytes digest) noexcept
    @cython.final
    @cython.locals(rows=Rows, row="unsigned char*", digest="const unsigned char*", k=int, i=int)
    cdef void _put_digest(self) noexcept
    @cython.final
    @cython.locals(rows=Rows, row="unsigned char*")
    cdef inline void _put_byte(self, int value) noexcept
    @cython.final
    @cython.locals(column=list)
    cdef inline void _put_text(self, bytes text) except *
    @cython.locals(values=list, event=Value, value=Value, tag=int, seat=int, done=bint)
    cpdef void _game_row(self, int index) except *
    @cython.locals(seat=int, rated=int, lowest=Value, player=Value, rating=Value)
    cpdef void _seat_columns(self) except *
    @cython.locals(tag_id=Value)
    cpdef Value _player(self, int seat)
    @cython.locals(count=Count, faction=int, side=int, won=int, written=list)
    cpdef void _score_columns(self) except *
    cpdef list _votes_written(self)
    @cython.locals(there=bint, tag=int)
    cpdef bytes _searched(self)
    cpdef int _warnings(self) except -1
    @cython.locals(
        seat=int, k=int, value=Value, event=bytes, round_name=bytes, table=bytes, players=list,
        opening="unsigned char*", at_table=bytes, among=bytes, tricks=bytes, head=bytes,
    )
    cpdef void _keys(self) except *
