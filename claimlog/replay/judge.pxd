# C types for judge.py; the rules are only in the .py file.
cimport cython
from claimlog.notation.sheet cimport Sheet
from claimlog.replay.ledger cimport fill
from claimlog.rules.powers cimport may_play, seers
from claimlog.rules.scoring cimport Count
from claimlog.rules.table cimport Table

cdef int ADVISED_AGAINST, CARDS, FACTION_COUNT, LOOTING, RACCOONS_USED
cdef int AUTO_DISCARD, AUTO_PLAY, BAD_DECK, BAD_RULING, BAD_SEATS, BAD_TAG, CARD_COUNT
cdef int CHOICE_TWICE, DRAW_COUNT, DRAW_TWICE, DUPLICATE_TAG, FEW_PLAYS, FEW_UPCARDS
cdef int GAME_OVER, HAND_PLAY, HAND_RACCOON, HAND_SIZE, ILLEGAL_LOOT, ILLEGAL_PICK, INCOMPLETE
cdef int IRREGULAR_PLAY, LATE_CHOICE, LATE_UPCARDS, LOOT_UNKNOWN, MANY_PLAYS, MANY_UPCARDS
cdef int MISSING_LOOT, MISSING_PICK, NEEDLESS_IRREGULAR, NO_LOOT_DUE, NO_PICK_DUE, NO_SEER_DUE
cdef int NOT_HELD, NOT_IN_DECK, PILE_CARD, PILE_SIZE, RACCOON_COUNT, RESULT_DIFFER, RESULT_OPEN
cdef int RESULT_PARTS, RESULT_WRONG, REVOKE, SHORT, SYNTAX_ORDER, TRICK_NUMBER, TROLLS_ADVISED_AGAINST
cdef int UNKNOWN_CARD, VALUE_ROOM, VERSION, VOTES_WRONG, WINNER_MARK
cdef int IMPOSSIBLE, NO_RESULT, UNFINISHED, OTHER_TAG, TAG_FIELDS
cdef int ALONE, DISCARD, DRAW, FACE_DOWN, FIRST, IRREGULAR, JUNK, NO_CARD, NUMBER, PICK, PLAY
cdef int RESULT, SEER, UPCARD, WON, MAX_SEATS, MAX_TRICKS
cdef int TAG_COUNT, TAG_CLM, TAG_PLAYER, TAG_DECK, TAG_RULES, TAG_RULINGS, TAG_LEADER, TAG_HAND
cdef int TAG_PILE, TAG_LOOT_CARDS, TAG_LOOT, TAG_VOTES, TAG_TERMINATION, TAG_RESULT
cdef int WHOLE_BOX, NO_FACTION, MEMORY, MOST_FINDINGS, PLAYS, KEPT
cdef int[::1] REVOKED
cdef dict RESULT_BYTES
cdef const unsigned char* SIDES
cdef const unsigned char* TRICKS
cdef const unsigned char* CARD_AT
cdef const unsigned char* VALUE_OF
cdef bytes CHECKED, DECK_LETTERS, FACTION_OF
cdef list SHAPES
cdef bint INTERPRETED


cdef class Judge:
    cdef public Sheet sheet
    cdef public Table table
    cdef public Count count
    cdef public list findings, hands, pile, good, decks, rest, loose
    cdef public bint tracing, deck_known, classic, troll_line, any_dragon, any_automaton
    cdef public bint raccoons_in_pile, normal, dealt, lost, spoiled, cut, complete, scored, looked, suspect, forfeit, bye, deckless, any_length
    cdef public dict choices, rulings, loot_choice
    cdef public str rules
    cdef public bytearray play_card, led, ledger
    cdef public int[::1] play_token, first_token
    cdef public int tag_of[64]
    cdef public int lies[4]
    cdef public int ups[2]
    cdef public int drawn[4]
    cdef public int draw_card[4]
    cdef public int up_card[2]
    cdef public int draws[2]
    cdef public int held[4]
    cdef public int spare[4]
    cdef public int faulted[4]
    cdef public int barred[4]
    cdef public int doubt[4]
    cdef public int later[4]
    cdef public int all_known[4]
    cdef public int unsaid, seats, sides, tricks, leader, deck, loot, tag_result, result
    cdef public int number_shift, known_tricks, done, plain, raccoons, pick

    @cython.final
    cdef int _begin(self) except -1
    @cython.locals(i=int, last=int)
    cpdef bint judge(self, Sheet sheet) except? -1
    @cython.final
    cdef int _set_table(self) except -1
    @cython.final
    cdef int _note(self, int finding, int token, int seat, int extra) except -1
    @cython.final
    @cython.locals(card=int)
    cdef bint _room(self) noexcept
    @cython.final
    cdef int _note_extra(self, int finding, int token, int seat) except -1
    @cython.final
    @cython.locals(place=int)
    cdef int _note_many(self, int token) except -1
    @cython.final
    @cython.locals(finding=int)
    cdef int _note_one_more(self, int token, bint auto) except -1
    @cython.final
    cdef int _note_missing(self, int finding, int token, int seat, int extra) except -1
    @cython.final
    @cython.locals(start=int, end=int, k=int, n=int)
    cdef int _note_tag(self, int finding, int tag, int extra) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, ids="const unsigned char*", tag_of="int*", i=int, tag=int, others=int, leader=int, k=int
    )
    cdef int _header(self) except -1
    @cython.final
    @cython.locals(k=int, text="const unsigned char*", start=int)
    cdef int _digit(self, int tag) noexcept
    @cython.locals(k=int, text="const unsigned char*", start=int, end=int)
    cpdef bytes _value(self, int tag)
    @cython.final
    @cython.locals(value=bytes, good=set)
    cdef int _check_value(self, int tag, int place) except -1
    @cython.final
    cdef int _check_length(self, int place) except -1
    @cython.final
    cdef int _read_termination(self) except -1
    @cython.final
    @cython.locals(i=int, highest=int, missing=bint, played=int)
    cdef int _read_seats(self) except -1
    @cython.final
    @cython.locals(kinds="const unsigned char*", size=int, i=int, first=int)
    cdef int _plays_of_first_trick(self) noexcept
    @cython.final
    cdef bint _same_result(self) noexcept
    @cython.final
    cdef bint _result_possible(self) noexcept
    @cython.final
    @cython.locals(letters="const unsigned char*", text="const unsigned char*", k=int, deck=int, i=int, faction=int)
    cdef int _deck(self) noexcept
    @cython.locals(deck=int)
    cdef int _read_deck(self) except -1
    @cython.locals(place=int, known=bytearray)
    cdef bint _deck_is_legal(self, int deck) except -1
    @cython.final
    cdef int _read_result(self) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, text="const unsigned char*", token=int, k=int, i=int, j=int, length=int, n=int
    )
    cdef bint _results_agree(self) noexcept
    @cython.final
    @cython.locals(seat=int)
    cdef int _read_deal(self) except -1
    @cython.final
    @cython.locals(sheet=Sheet, text="const unsigned char*", k=int, i=int, end=int, card=int, known=bint)
    cdef int _read_loot(self) except -1
    @cython.final
    cdef int _pile_card(self, int place) except -1
    @cython.final
    cdef int _count(self, int card) noexcept
    @cython.final
    cdef inline int _show(self, unsigned char* ledger, int card, int token, int seat) except -1
    @cython.final
    cdef int _show_token(self, int token, int seat) except -1
    @cython.final
    @cython.locals(finding=int)
    cdef int _look_at(self, int card, int token, int seat) except -1
    @cython.final
    @cython.locals(card=int, ledger="unsigned char*", k=int)
    cdef int _show_follower(self, int token, int seat) except -1
    @cython.final
    @cython.locals(
        ledger="unsigned char*", followers="int*", tricks=Py_ssize_t, seat=Py_ssize_t, spare=int, place=Py_ssize_t, kept=Py_ssize_t, t=Py_ssize_t, card=Py_ssize_t
    )
    cdef int _take_up(self) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, table=Table, kinds="const unsigned char*", cards="const unsigned char*",
        flags="const unsigned char*", ledger="unsigned char*", play_card="unsigned char*",
        play_token="int[::1]", lying="int*", turned_up="int*", up_card="int*", seats=Py_ssize_t, tricks=Py_ssize_t,
        barred="int*", first_token="int[::1]", leds="unsigned char*", tracing=bint, begun=Py_ssize_t, stop=Py_ssize_t, suspects=Py_ssize_t, led=Py_ssize_t, row=Py_ssize_t, faction=Py_ssize_t, upcards=Py_ssize_t, draws=Py_ssize_t, t=Py_ssize_t, early=bint, auto=bint, shapes=list, shape=bytes, length=Py_ssize_t, shift=Py_ssize_t, places=Py_ssize_t, j=Py_ssize_t, first=Py_ssize_t, after=Py_ssize_t,
        seat=Py_ssize_t, usable=bint, known=bint, marks=Py_ssize_t, k=Py_ssize_t, card=Py_ssize_t, place=Py_ssize_t, pick=Py_ssize_t, drawn=Py_ssize_t, second=Py_ssize_t,
    )
    cdef int _plain_tricks(self, int i, int last) except -1
    @cython.final
    @cython.locals(k=int)
    cdef int _keep_tokens(self, int first, int play, int after) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, table=Table, seats=int, first=int, numbered=bint, early=bint, ups=int,
        lies=int, drawn=int, pick=int, seer=int, junk=int, junk_at=int, kind=int, j=int,
        more=bint, over=int, t=int,
    )
    cdef int _trick(self, int i, int last) except -1
    @cython.final
    @cython.locals(sheet=Sheet, i=int, kind=int)
    cdef bint _draws_follow(self, int token, int last) except -1
    @cython.final
    cdef inline int _number_at(self, int token) noexcept
    @cython.final
    @cython.locals(number=int, t=int)
    cdef void _number(self, int token, int last) except *
    @cython.final
    cdef int _lose(self) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, table=Table, t=int, early=bint, hand_only=bint, lost=bint, auto=bint, usable=bint,
        row=int, wanted=int, mixed=bint, j=int, token=int, seat=int, card=int,
    )
    cdef int _play_out(
        self, int ups, int lies, int drawn, int pick, int seer, int first
    ) except -1
    @cython.final
    @cython.locals(wanted=int, upcards="int*", j=int)
    cdef int _upcards(self, int ups, int lies, int first) except -1
    @cython.final
    @cython.locals(table=Table, best=int, j=int, token=int)
    cdef int _winner_marks(self, bint auto) except -1
    @cython.final
    @cython.locals(sheet=Sheet, table=Table, j=int, marked=int)
    cdef bint _concede(self) except -1
    @cython.final
    @cython.locals(
        sheet=Sheet, table=Table, winner=int, hidden=int, best=int, card=int, seat=int,
        wanted=int, k=int,
    )
    cdef int _choices(self, int drawn, int pick, int seer, bint usable) except -1
    @cython.locals(first=int, k=int, token=int)
    cdef int _upcard_written(self, int card) except -2
    @cython.final
    @cython.locals(
        seats=int, irregular=bint, counted=bint, play_card="const unsigned char*", leds="const unsigned char*", held="int*",
        doubt="int*", later="int*", led=int, card=int, faction=int, seat=int, t=int,
    )
    cdef int _prove(self, int start, int stop) except -1
    @cython.final
    @cython.locals(faction=int)
    cdef bint _held(self, int seat, int factions, bint counted) except -1
    @cython.final
    @cython.locals(seat=int, card=int, t=int, k=int, i=int)
    cdef int _count_rest(self, int start, int stop, bint counted) except -1
    @cython.final
    @cython.locals(differ=bint)
    cdef int _end(self) except -1
    @cython.locals(side=int, winners=int)
    cpdef int played_result(self) noexcept
    @cython.final
    @cython.locals(count=Count, loot=int)
    cdef int _score(self) except -1
    @cython.final
    @cython.locals(count=Count, chosen=dict, side=int, faction=int, letter=str)
    cdef int _choose_loot(self) except -1
    @cython.final
    @cython.locals(text="const unsigned char*", k=int, start=int, side=int)
    cdef bint _votes_as_counted(self) noexcept
    cpdef void trace(self, int ups, int lies, int drawn, int pick, int seer) except *
