# C types for intervals.py; only the .py file says what is counted.


cdef class RateCounter:
    cdef public int count
    cdef public double points
