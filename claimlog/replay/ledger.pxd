# C types for ledger.py.
cimport cython
from claimlog.rules.powers cimport may_play

@cython.locals(led=int, faction=int, held=int)
cdef object _revoked()
@cython.locals(ledger=bytearray, card=int)
cpdef bytearray new_ledger(int deck)
