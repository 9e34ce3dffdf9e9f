# C types for certain.py.
cimport cython
from claimlog.solve.ending cimport Ending
from claimlog.solve.slots cimport popcount

cdef const unsigned char* PLACES
cdef unsigned int SPREAD


cdef class Certain(Ending):
    cdef public int runs[5]

    @cython.locals(
        leader=int, hand=int, other=int, sure="unsigned long long", tricks=int, i=int, faction=int,
        rest=int, gain="unsigned long long", winners=int, slot=int, own=int, more=int,
        beaten=int, low="unsigned int", number=int,
    )
    cdef unsigned long long _cashed(self) noexcept
    cdef int _followers(self, int seat, int faction) noexcept
    @cython.locals(
        leader=int, hand=int, other=int, sure="unsigned long long", number=int, lets_in=int,
        rest=int, slot=int, faction=int, taken=int, follow=int, gain="unsigned long long",
        low="unsigned int",
    )
    cdef unsigned long long _stopped(self) noexcept
