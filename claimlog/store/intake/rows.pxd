# C types for rows.py; only the .py file says what a row holds.
cdef int ROOM, HEAD


cdef class Rows:
    cdef public object layout
    cdef public int count, room
    cdef public bytearray data
    cdef public list texts

    cpdef void make_room(self, int rows) except *
