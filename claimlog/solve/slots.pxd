# C types for slots.py.
cimport cython

cdef const unsigned char* PACKED
cdef const unsigned char* NUMBERS

cpdef int popcount(int slots) noexcept
@cython.locals(part=int, found=int, number=int)
cpdef int packed(int of, int slots) noexcept
