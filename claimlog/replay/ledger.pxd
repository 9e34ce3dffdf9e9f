# C types for ledger.py.
cimport cython
from claimlog.rules.powers cimport may_play

cdef bytes COPIES, FIRST_CARD
cdef bint INTERPRETED

@cython.locals(led=int, faction=int, held=int)
cdef object _revoked()
@cython.locals(
    counts="unsigned char*", copies="const unsigned char*", first="const unsigned char*",
    plays=int, size=int, factions=int, i=int, faction=int, card=int,
)
cpdef int fill(bytearray ledger, int deck) except -1
