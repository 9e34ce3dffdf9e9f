# C types for skim.py.
cimport cython
from claimlog.notation.sheet cimport Sheet
from claimlog.replay.judge cimport Judge
from claimlog.rules.powers cimport seers
from claimlog.rules.table cimport Table

cdef int FACTION_COUNT, LOOTING, FACE_DOWN, NO_CARD, KEPT, TAG_FIELDS, TAG_RESULT
cdef int LONGEST, MOST_MISSES
cdef bint INTERPRETED
cdef int[::1] REVOKED
cdef dict RESULT_BYTES
cdef const unsigned char* FACTION_OF
cdef bytes CARDS_OF, TENS, ONES, SHORT_RESULTS

@cython.locals(value=int)
cdef inline int card_at(const unsigned char* cards_of, const unsigned char* p, Py_ssize_t i) noexcept
cdef inline Py_ssize_t after_card(const unsigned char* p, Py_ssize_t i) noexcept


@cython.final
cdef class Skimmer(Judge):
    cdef public int games, completes, line, lines, misses, read_lines

    @cython.locals(waiting=int, end=int, good=bint)
    cpdef int skim(self, Sheet sheet, bytes text, int at) except -2
    @cython.locals(i=int)
    cpdef int glance(self, Sheet sheet, bytes text, int at) except -2
    @cython.locals(
        table=Table, ledger="unsigned char*", lying="int*", turned_up="int*", barred="int*",
        p="const unsigned char*", cards_of="const unsigned char*", faction_of="const unsigned char*", seats=Py_ssize_t, tricks=Py_ssize_t, upcards=Py_ssize_t,
        safe=Py_ssize_t, lines=int, t=Py_ssize_t, k=Py_ssize_t, early=bint, auto=bint, card=Py_ssize_t,
        seat=Py_ssize_t, row=Py_ssize_t, marks=int, mark=int, place=Py_ssize_t, faction=Py_ssize_t, c=int,
    )
    cdef Py_ssize_t _play_tricks(self, bytes text, Py_ssize_t i) except -2
    @cython.locals(
        p="const unsigned char*", table=Table, ledger="unsigned char*", upcards=int, looked=bint, hidden=int, pick=int, first=int,
        second=int, card=int, wanted=int, k=int,
    )
    cdef Py_ssize_t _choose(self, const unsigned char* p, Py_ssize_t i) except -2
    cdef inline bint _shown(self, const unsigned char* faction_of, unsigned char* ledger, int card) noexcept
    @cython.locals(c=int)
    cdef inline Py_ssize_t _gap(self, const unsigned char* p, Py_ssize_t i) noexcept
    @cython.locals(
        p="const unsigned char*", sheet=Sheet, limit=Py_ssize_t, start=Py_ssize_t, result=int, first=int, second=int, k=Py_ssize_t, written=Py_ssize_t,
    )
    cdef Py_ssize_t _read_end(self, bytes text, Py_ssize_t i) except -2
