# C types for skim.py.
cimport cython
from claimlog.notation.sheet cimport Sheet
from claimlog.replay.judge cimport Judge
from claimlog.rules.powers cimport seers
from claimlog.rules.table cimport Table

cdef int FACTION_COUNT, LOOTING, FACE_DOWN, NO_CARD, KEPT, TAG_FIELDS, TAG_RESULT, TEN
cdef int LONGEST, MOST_MISSES, LEFT_OUT
cdef bint INTERPRETED
cdef int[::1] REVOKED
cdef int NUMBERS[26]
cdef dict RESULT_BYTES
cdef const unsigned char* FACTION_OF
cdef bytes CARDS_OF, LOOT, SHORT_RESULTS

@cython.locals(c=Py_ssize_t)
cdef inline Py_ssize_t card_at(const unsigned char* cards_of, const unsigned char* p, Py_ssize_t i) noexcept
cdef inline Py_ssize_t after_card(const unsigned char* p, Py_ssize_t i) noexcept
@cython.locals(number=int)
cdef inline Py_ssize_t after_number(const unsigned char* p, Py_ssize_t i, Py_ssize_t t) noexcept
@cython.locals(number=int)
cdef inline bint shown(unsigned char* ledger, Py_ssize_t place) noexcept
@cython.locals(known=int)
cdef inline bint suspect(int* barred, Py_ssize_t seat, Py_ssize_t row, Py_ssize_t faction) noexcept


@cython.final
cdef class Skimmer(Judge):
    cdef public int games, completes, line, lines, misses, read_lines

    @cython.locals(waiting=int, end=int, good=bint)
    cpdef int skim(self, Sheet sheet, bytes text, int at) except -2
    @cython.locals(i=int)
    cpdef int glance(self, Sheet sheet, bytes text, int at) except -2
    @cython.locals(safe=Py_ssize_t)
    cdef Py_ssize_t _play_tricks(self, bytes text, Py_ssize_t i) except -2
    @cython.locals(
        table=Table, ledger="unsigned char*", lying="int*", barred="int*",
        cards_of="const unsigned char*", faction_of="const unsigned char*", seats=Py_ssize_t, upcards=Py_ssize_t,
        lines=int, t=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t, seat=Py_ssize_t, row=Py_ssize_t,
        marks=int, mark=int, faction=Py_ssize_t, c=int,
    )
    cdef Py_ssize_t _first_phase(self, const unsigned char* p, Py_ssize_t i, Py_ssize_t safe) except -2
    @cython.locals(
        table=Table, ledger="unsigned char*", lying="int*", barred="int*",
        cards_of="const unsigned char*", faction_of="const unsigned char*", seats=Py_ssize_t, tricks=Py_ssize_t, kept=Py_ssize_t,
        lines=int, t=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t, seat=Py_ssize_t, row=Py_ssize_t,
        marks=int, mark=int, faction=Py_ssize_t, c=int,
    )
    cdef Py_ssize_t _second_phase(self, const unsigned char* p, Py_ssize_t i, Py_ssize_t safe) except -2
    @cython.locals(table=Table, seat=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t)
    cdef Py_ssize_t _discards(self, const unsigned char* p, Py_ssize_t i) except -2
    @cython.locals(ledger="unsigned char*", number=int, card=int)
    cdef int _left_out(self) noexcept
    cdef Py_ssize_t _white(self, const unsigned char* p, Py_ssize_t i, Py_ssize_t limit) noexcept
    @cython.locals(
        p="const unsigned char*", table=Table, ledger="unsigned char*", upcards=int, looked=bint, hidden=int, pick=int, first=int,
        second=int, card=int, wanted=int, k=int,
    )
    cdef Py_ssize_t _choose(self, const unsigned char* p, Py_ssize_t i) except -2
    @cython.locals(c=int)
    cdef inline Py_ssize_t _gap(self, const unsigned char* p, Py_ssize_t i) noexcept
    @cython.locals(
        p="const unsigned char*", sheet=Sheet, limit=Py_ssize_t, start=Py_ssize_t, result=int, first=int, second=int, k=Py_ssize_t, written=Py_ssize_t,
    )
    cdef Py_ssize_t _read_end(self, bytes text, Py_ssize_t i) except -2
