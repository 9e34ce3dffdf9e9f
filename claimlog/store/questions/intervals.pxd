# C types for intervals.py; what is counted stands in the .py file alone.


cdef class RateCounter:
    cdef public int count
    cdef public double points
