# C types for sheet.py; the notation is described only in the .py file.
cimport cython

cdef int NUMBER, UPCARD, PLAY, DISCARD, PICK, SEER, DRAW, RESULT, JUNK
cdef int WON, IRREGULAR, ANNOTATION_SHIFT, FIRST, ALONE, NO_CARD, FACE_DOWN, OTHER_TAG
cdef int SYNTAX_TOKEN, SYNTAX_TAG, SYNTAX_AFTER_TAG, SYNTAX_COMMENT, SYNTAX_SPACE
cdef int SYNTAX_COLON, SYNTAX_MARK, SYNTAX_LIST, TAG_FIELDS
cdef int _SPACE, _LETTER, _DIGIT, _WORD, _SPACE_KIND, NO_RESULT
cdef int _TAG_COUNT, NAME_ROOM, HIGHEST_NUMBER, LONGEST, MOST_FAULTS, FACTION_COUNT, VALUE_ROOM
cdef bint INTERPRETED
cdef bytes _SKETCHES, _CARD_AT, _CLASS, _ENDS_TEXT, _FACTION, _GOES_ON, _KIND, _LENGTHS, _NAMES
cdef dict TAG_IDS, RESULT_BYTES


cdef inline int _sketch(int first, int last, int length) noexcept


@cython.final
cdef class Sheet:
    cdef public bytes text
    cdef public int limit, room, size, tag_room, tags, begin, finish, result, irregulars, last_card, line, lines, more_faults
    cdef public bytearray kind, card, flags, tag_id
    cdef public int[::1] start, end, tag_at
    cdef public object comments
    cdef public list faults

    @cython.locals(i=int)
    cpdef int read(self, bytes text, int at, bint final) except -2
    cpdef int read_tags(self, bytes text, int at) except? -2147483647
    cpdef int fault(self, int fault, int start, int end) except -1
    cpdef bint found(self) noexcept
    @cython.locals(p="const unsigned char*", j=int, c=int, after_blank=bint, fresh=bint)
    cdef int _header(self, int i) except? -2147483647
    @cython.locals(
        p="const unsigned char*", i=Py_ssize_t, limit=Py_ssize_t, name=Py_ssize_t, name_end=Py_ssize_t, value=Py_ssize_t, value_end=Py_ssize_t,
        tag=Py_ssize_t, k=Py_ssize_t, n=Py_ssize_t,
    )
    cdef int _tag(self, int at) except -2
    @cython.locals(p="const unsigned char*", names="const unsigned char*", start=Py_ssize_t, length=Py_ssize_t, k=Py_ssize_t)
    cdef inline bint _named(self, Py_ssize_t tag, Py_ssize_t at) noexcept
    @cython.locals(p="const unsigned char*", tag=int)
    cdef int _tag_named(self, int start, int end) except -1
    cdef int _grow_tags(self) except -1
    @cython.locals(p="const unsigned char*", start=int, end=int)
    cdef int _end_of_line(self, int i, int fault) except -2
    @cython.locals(p="const unsigned char*", i=int)
    cdef int _comment(self, int at) except? -2147483647
    @cython.locals(p="const unsigned char*", last=int)
    cdef bint _tag_line(self, int i) noexcept
    @cython.locals(
        p="const unsigned char*", kinds="unsigned char*", cards="unsigned char*",
        flags="unsigned char*", starts="int[::1]", ends="int[::1]", kind_at="const unsigned char*",
        faction_at="const unsigned char*", card_at="const unsigned char*", limit=Py_ssize_t, n=Py_ssize_t,
        room=Py_ssize_t, begin=Py_ssize_t, before=Py_ssize_t, line=Py_ssize_t, over=bint, c=Py_ssize_t, kind=Py_ssize_t, at=Py_ssize_t, after=Py_ssize_t,
        number=Py_ssize_t, faction=Py_ssize_t, value=Py_ssize_t, flag=Py_ssize_t, safe=Py_ssize_t,
    )
    cdef int _movetext(self, Py_ssize_t i) except -2
    @cython.locals(p="const unsigned char*", c=int)
    cdef int _token(self, int i, bint spaced) except -2
    cdef int _grow(self) except -1
    @cython.locals(n=int)
    cdef int _add(self, int kind, int card, int flags, int start, int end) except -1
    @cython.locals(p="const unsigned char*", i=int, c=int)
    cdef int _junk(self, int at, int fault, bint spaced) except -2
    @cython.locals(p="const unsigned char*", i=int, first=int, after=int)
    cdef int _spoken_card(self, int at) except -1
    @cython.locals(faction=int, value=int, c=int, card=int)
    cdef inline int _card_end(self, const unsigned char* p, int i, int limit) noexcept
    @cython.locals(end=int)
    cpdef int card_end(self, int i)
    @cython.locals(p="const unsigned char*", i=int, c=int, start=int)
    cdef int _card_or_upcards(self, int at) except -2
    @cython.locals(p="const unsigned char*", i=int)
    cdef int _one_card(self, int at, int kind, bint spaced) except -2
    @cython.locals(p="const unsigned char*", i=int, first=int, start=int)
    cdef int _drawn(self, int at, bint spaced) except -2
    @cython.locals(
        p="const unsigned char*", n=int, c=int, d=int, mark=int, length=int, annotation=int, taken=int
    )
    cdef int _marks(self, int i) except -2
    @cython.locals(p="const unsigned char*", i=int, number=int, result=int, written=bytes, alone=bint)
    cdef int _number_or_result(self, int at, bint spaced) except -2
    @cython.locals(p="const unsigned char*")
    cdef bint _ends(self, int i) noexcept
