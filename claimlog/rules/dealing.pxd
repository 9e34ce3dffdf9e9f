# C types for dealing.py.
cimport cython

cdef int CARDS, RACCOONS, RACCOONS_USED
cdef const unsigned char* COPIES
cdef const unsigned char* FACTION_OF


@cython.locals(i=int, k=int, chance=double)
cpdef shuffle(list cards, object rng)
