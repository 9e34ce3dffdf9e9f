# C types for counting.py; only the .py file says how games are counted.
cimport cython

cdef int _PLAYER, _NAME, _VOTES


cdef class Line:
    cdef public tuple who
    cdef public list ids, names, met, values
    cdef public int games, won, shared, lost, votes_for, votes_against, stage
    cdef public double points, faced, beaten


cdef class Met:
    cdef public double points
    cdef public int games
    cdef public list gids


cdef class Counting:
    cdef public dict lines
    cdef public object reached, squads
    cdef object _merged, _written
    cdef bint _teams
    cdef dict _known
    cdef list _games

    @cython.locals(
        groups=list, known=list, names=list, players=list, raw=tuple, met=tuple, line=Line,
        order=list, k=int, place=int, own=bint, side=int, sides=int, points=double, share=double, shares=list,
    )
    cdef _add(self, object game, object scores)
    @cython.locals(line=Line)
    cdef tuple _meet(self, tuple raw)
    @cython.locals(
        line=Line, other=Line, known=list, shares=list, side=int, beyond=int,
        total=double, number=int,
    )
    cdef _weigh(self)
    @cython.locals(
        known=list, side=int, beyond=int, row=dict, line=Line, other=Line, met=Met,
    )
    cpdef cells(self)
