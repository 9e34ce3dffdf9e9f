# C types for ledger.py.
cimport cython
from claimlog.rules.powers cimport may_play

cdef bytes COPIES, FIRST_CARD, LOWEST
cdef bint INTERPRETED

@cython.locals(led=int, faction=int, held=int)
cdef object _revoked()
@cython.locals(
    counts="unsigned char*", copies="const unsigned char*", first="const unsigned char*",
    lowest="const unsigned char*", plays=Py_ssize_t, size=Py_ssize_t, i=Py_ssize_t, faction=Py_ssize_t, card=Py_ssize_t,
)
cpdef int fill(bytearray ledger, int deck) except -1
