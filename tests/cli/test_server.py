"""Commands that ask a server: a real one, and the same archive as a file for comparison."""

import contextlib
import inspect
import json
import os
import re
import shutil
import signal
import stat
import subprocess

import httpx
import msgspec
import pytest
from archiving import at, claimlog, lay_out
from commands import in_process_of_its_own
from forked import Claimlog
from waiting import PATIENCE

pytest.importorskip("litestar")

from claimlog.announced import server_of
from claimlog.client import Client
from claimlog.store import Archive, ArchiveError, BadQuery, Context, Filter
from claimlog.store.questions.asked import QUESTIONS

ZURICH = "Zurich Claim Open (simulated)"
FILES = ("zurich-open.clm", "team-cup.clm", "thursday-evening.clm")
READING = [
    ("games",),
    ("games", "--player", "keller", "--opponent", "moser", "--format", "csv"),
    ("games", "--led", "K9", "--won", "K9@1-13", "--factions", "U", "--limit", "3"),
    ("games", "--complete", "--count"),
    ("games", "--sort", "-rating", "--limit", "70", "--format", "json"),
    ("games", "--player", "Kelr"),
    ("games", "--player", "a"),
    ("games", "--seat", "1"),
    ("games", "--since", "yesterday"),
    ("game", "show", "fzjg"),
    ("game", "show", "fzjg", "--revision", "1"),
    ("game", "show", "fzjg", "--revision", "9"),
    ("game", "show", "nothing"),
    ("game", "revisions", "fzjg", "--format", "csv"),
    ("replay", "fzjg", "--trick", "3"),
    ("validate", "fzjg", "911gdarpy4cx7"),
    ("players", "list", "--sort", "rate", "--format", "json"),
    ("players", "list", "--search", "nobody"),
    ("players", "show", "ines moser", "--event", "zurich"),
    ("players", "show", "ines moser", "--format", "json"),
    ("players", "versus", "keller", "moser"),
    ("players", "versus", "keller", "keller"),
    ("events",),
    ("events", "--player", "roth", "--format", "json"),
    ("standings", "zurich"),
    ("standings", ZURICH, "--round", "3", "--tiebreaks", "points,votes", "--format", "json"),
    ("standings", "team", "--until", "2026-09-05", "--as-of", "2099-01-01T00:00:00+01:00"),
    ("standings", "zurich", "--as-of", "2099-01-01T00:00:00+01:00", "--format", "json"),
    ("standings", "zurich", "--round", "77"),
    ("standings", "zurich", "--crosstable"),
    ("standings", "thursday", "--rounds"),
    ("stats", "results", "--by", "leader", "--seats", "2", "--format", "csv"),
    ("stats", "factions", "--format", "json"),
    ("stats", "cards", "--phase", "1"),
    ("stats", "upcards"),
    ("stats", "leads", "--format", "json"),
    ("stats", "lengths", "--phase", "2"),
    ("stats", "explore", "--trick", "1", "--seats", "4", "--examples", "2", "--format", "json"),
    ("stats", "explore", "--with-upcard", "G", "--after", "K"),
    ("stats", "explore", "--after", "Q"),
    ("stats", "times"),
    ("stats", "results", "--by", "opponent", "--of", "player", "--player", "ines moser"),
    ("stats", "cards", "--by", "player", "--player", "ines moser", "--sort", "won-when-led.low"),
    ("stats", "upcards", "--by", "player", "--player", "ines moser"),
    ("stats", "leads", "--by", "player", "--player", "ines moser"),
    ("stats", "lengths", "--by", "player", "--player", "ines moser"),
    ("stats", "explore", "--by", "player", "--player", "ines moser", "--trick", "1"),
    ("stats", "leads", "--by", "player"),
    ("players", "streaks", "ines moser", "--event", "zurich", "--event", "team"),
    ("players", "performance", "ines moser"),
    ("players", "rating", "ines moser"),
    ("players", "list", "--count", "--not-event", "zurich"),
    ("events", "--count"),
    ("standings", "team", "--teams"),
    ("standings", "zurich", "--ranks"),
    ("export", "--event", "team"),
    ("export", "--format", "ndjson", "--player", "wyss"),
    ("export", "--format", "csv"),
    ("export", "--player", "Kelr"),
    ("db", "check"),
    ("db", "doubtful"),
]


@contextlib.contextmanager
def serving(folder, *options):
    """A server with the archive of `folder`; yields its process and its address."""
    process = Claimlog(
        ["serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env=at(folder),
    )
    try:
        line = process.stdout.readline()
        yield process, re.search(r"on (http\S+)", line)[1]
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("served")
    lay_out(path)
    assert claimlog(path, "import", *FILES, "--by", "D")[0] == 0
    shutil.copy(path / "data/claimlog/games.duckdb", path / "copy.duckdb")
    return path


@pytest.fixture(scope="module")
def url(folder):
    with serving(folder) as (_, url):
        yield url


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_server_answers_as_the_file_does(folder, url, command):
    by_file = claimlog(folder, *command, "--db", "copy.duckdb")
    assert claimlog(folder, *command) == by_file
    assert claimlog(folder, *command, "--server", url) == by_file


def test_every_way_to_name_the_server(folder, url, tmp_path):
    wanted = claimlog(folder, "events", "--db", "copy.duckdb")
    assert claimlog(tmp_path, "events", "--server", url) == wanted
    assert claimlog(tmp_path, "events", "--server", url.removeprefix("http://")) == wanted
    assert claimlog(tmp_path, "events", CLAIMLOG_SERVER=url) == wanted
    # An explicit file overrides the environment, and contradicts the option.
    nowhere = "http://127.0.0.1:9"
    assert claimlog(folder, "events", "--db", "copy.duckdb", CLAIMLOG_SERVER=nowhere) == wanted
    code, out, err = claimlog(folder, "events", "--db", "copy.duckdb", "--server", url)
    assert (code, out) == (2, "")
    assert "--db and --server cannot be combined" in err


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ("http://127.0.0.1:9", "connection refused"),
        ("ftp://example.org", "is not the address of a server"),
        ("http://:1:2", "is not the address of a server"),
        ("http://[::1", "is not the address of a server"),
        ("http://a..b/", "is not the address of a server"),
        ("http://xn--/", "is not the address of a server"),
    ],
)
def test_servers_that_are_none(tmp_path, server, message):
    code, out, err = claimlog(tmp_path, "games", "--server", server)
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: ")
    assert message in err
    assert "Traceback" not in err


def test_a_path_that_is_not_the_servers(tmp_path, url):
    code, out, err = claimlog(tmp_path, "games", "--count", "--server", f"{url}/v1")
    assert (code, out) == (2, "")
    assert err.startswith(f"claimlog: {url}/v1: the server has no such address; ")


def test_info_and_backup(folder, url, tmp_path):
    code, out, _ = claimlog(folder, "db", "info", "--format", "json")
    assert code == 0
    assert json.loads(out)["games"] == 84
    code, _, err = claimlog(folder, "db", "backup", tmp_path / "b.duckdb")
    assert (code, err) == (0, "")
    assert (tmp_path / "b.duckdb").stat().st_mode & 0o777 == 0o600
    with Archive.open(tmp_path / "b.duckdb", read_only=True) as archive:
        assert archive.count() == 84
    code, _, err = claimlog(folder, "db", "backup", tmp_path / "b.duckdb")
    assert code == 2
    assert "already exists" in err
    assert [path.name for path in tmp_path.iterdir()] == ["b.duckdb"]


def test_what_a_server_cannot_do_is_said(folder, url):
    for command in (("db", "rebuild"), ("db", "restore", "copy.duckdb", "--server", url)):
        code, out, err = claimlog(folder, *command)
        assert (code, out) == (2, "")
        assert "no server" in err
        assert "Traceback" not in err


def test_the_shell_completes_from_a_server(folder, url):
    env = {"_CLAIMLOG_COMPLETE": "complete_bash", "COMP_CWORD": "3"}
    for typed, offered in (("kell", "Anna\\ Keller\n"), ("eller", "\n"), ("", None)):
        words = f"claimlog\ngames\n--player\n{typed}"
        code, out, err = claimlog(folder, COMP_WORDS=words, **env)
        assert (code, err) == (0, "")
        assert len(out.splitlines()) == 16 if offered is None else out == offered
    words = "claimlog\ngame\nshow\nfzjgq"
    assert claimlog(folder, COMP_WORDS=words, **env)[1] == "fzjgq0219kyhx\n"


def test_writing(tmp_path):
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "sample.clm", "team-cup.clm")[0] == 0
    with serving(tmp_path):
        done = claimlog(tmp_path, "import", "zurich-open.clm", "--by", "Zoë")
        assert done == (0, "64 games: 64 stored\n", "")
        assert claimlog(tmp_path, "import", "sample.clm") == (0, "1 game: 1 known already\n", "")
        id = json.loads(claimlog(tmp_path, "games", "--event", "club", "-f", "json")[1])["id"]
        who = ("--by", "Frau Müller", "--why", "full name")
        done = claimlog(tmp_path, "game", "correct", id[:5], "sample-corrected.clm", *who)
        assert done == (0, f"{id} corrected, revision 2\n", "")
        code, out, _ = claimlog(tmp_path, "game", "correct", id, "wrong.clm", *who)
        assert code == 1
        assert out.startswith("wrong.clm:8:11: error: revoke: ")
        assert out.endswith("not corrected\n")
        found = claimlog(tmp_path, "games", "--event", "zurich", "-f", "json")[1]
        other = json.loads(found.splitlines()[0])["id"]
        shown = claimlog(tmp_path, "game", "show", other)[1]
        like = shown.replace("[Deck", '[Annotator "N. N."]\n[Deck', 1)
        (tmp_path / "like.clm").write_text(like, encoding="utf-8")
        done = claimlog(tmp_path, "game", "correct", id, "like.clm", *who)
        assert done == (1, f"this seems to be game {other}: not corrected\n", "")
        assert claimlog(tmp_path, "game", "delete", id, *who)[1] == f"{id} deleted, revision 3\n"
        code, _, err = claimlog(tmp_path, "game", "show", id)
        assert code == 2
        assert f"{id} was deleted by Frau Müller (full name); --revision 2 shows" in err
        assert claimlog(tmp_path, "game", "undelete", id, *who)[0] == 0
        done = claimlog(tmp_path, "players", "merge", "lang", "wyss", "--by", "Dir")
        assert done[0] == 0, done
        code, _, err = claimlog(tmp_path, "players", "merge", "lang", "wyss", "--by", "D")
        assert code == 1
        assert claimlog(tmp_path, "players", "split", "lang", "--by", "D")[0] == 0
        order = ("--tiebreaks", "points,wins", "--keep", "--by", "D")
        assert claimlog(tmp_path, "standings", "zurich", *order)[0] == 0
        assert claimlog(tmp_path, "db", "compact")[0] == 0
    # Changes made through the server are in the file, with the names.
    with Archive.open(tmp_path / "data/claimlog/games.duckdb") as archive:
        assert [one.by for one in archive.revisions(id)] == ["", *["Frau Müller"] * 3]
        assert archive.event("zurich").tiebreaks == ["points", "wins"]
        newest = archive.games(limit=1).games[0]
        assert archive.revisions(newest.id)[0].by == "Zoë"
        assert archive.check().good


def test_a_token(tmp_path):
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "sample.clm")[0] == 0
    made = claimlog(tmp_path, "token", "create", "Reader", "--scope", "read")[1].strip()
    director = claimlog(tmp_path, "token", "create", "Director", "--scope", "direct")[1].strip()
    with serving(tmp_path, "--closed") as (_, url):
        code, out, err = claimlog(tmp_path, "games", "--count")
        assert (code, out) == (2, "")
        assert "token" in err
        assert claimlog(tmp_path, "games", "--count", "--token", made) == (0, "1\n", "")
        done = claimlog(tmp_path, "games", "--count", "--server", url, CLAIMLOG_TOKEN=made)
        assert done == (0, "1\n", "")
        id = json.loads(claimlog(tmp_path, "games", "-f", "json", "--token", made)[1])["id"]
        delete = ("game", "delete", id, "--by", "D", "--why", "w")
        code, _, err = claimlog(tmp_path, *delete, "--token", made)
        assert code == 2
        assert "scope direct" in err
        assert claimlog(tmp_path, *delete, "--token", director)[0] == 0
    with Archive.open(tmp_path / "data/claimlog/games.duckdb", read_only=True) as archive:
        assert archive.revisions(id)[-1].by == "Director"


def test_a_token_says_who_makes_a_change(tmp_path):
    """Then --by may be left out, but not for a file, which knows no tokens."""
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "sample.clm")[0] == 0
    id = json.loads(claimlog(tmp_path, "games", "-f", "json")[1])["id"]
    token = claimlog(tmp_path, "token", "create", "Director", "--scope", "direct")[1].strip()
    with serving(tmp_path) as (_, url):
        for there in (("--server", url), ("--lang", "en")):
            code, out, err = claimlog(tmp_path, "game", "delete", id, "--why", "w", *there)
            assert (code, out) == (2, "")
            assert err.startswith("claimlog: --by is missing\nsee claimlog game delete --help")
            for what in ("delete", "undelete"):
                change = ("game", what, id, "--why", "w", *there)
                assert claimlog(tmp_path, *change, CLAIMLOG_TOKEN=token)[0] == 0
                assert claimlog(tmp_path, *change, "--by", " ", "--token", token)[0] == 2
        planned = ("event", "plan", "zurich", "--rounds", "7")
        assert "--by" in claimlog(tmp_path, *planned)[2]
        assert claimlog(tmp_path, "event", "create", "Cup", "--token", token)[0] == 0
        planned = ("event", "plan", "Cup", "--rounds", "7")
        assert claimlog(tmp_path, *planned, "--token", token)[0] == 0
    for change in (("game", "delete", id, "--why", "w"), planned):
        code, out, err = claimlog(tmp_path, *change, CLAIMLOG_TOKEN=token)
        assert (code, out) == (2, "")
        assert err == (
            "claimlog: --by is missing: only a server knows from a token who makes the change\n"
        )
    with Archive.open(tmp_path / "data/claimlog/games.duckdb", read_only=True) as archive:
        assert [one.by for one in archive.revisions(id)] == ["", *["Director"] * 4]


def test_where_a_server_is_announced(tmp_path):
    lay_out(tmp_path)
    assert claimlog(tmp_path, "import", "sample.clm")[0] == 0
    archive = tmp_path / "data/claimlog/games.duckdb"
    announced = archive.with_name("games.duckdb.server")
    with serving(tmp_path) as (process, url):
        assert stat.S_IMODE(announced.stat().st_mode) == 0o600
        assert server_of(archive) == url
        stale = announced.read_bytes()
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert not announced.exists()
    # A killed server leaves its file, which is then ignored.
    announced.write_bytes(stale)
    assert server_of(archive) is None
    assert claimlog(tmp_path, "games", "--count") == (0, "1\n", "")
    for wrong in (b"", b"{", b"[]", b'{"url":"http://127.0.0.1:9","pid":%d}' % os.getpid()):
        announced.write_bytes(wrong)
        assert server_of(archive) is None
    with Archive.open(archive):
        code, out, err = in_process_of_its_own("games", cwd=tmp_path, env=at(tmp_path))
        assert (code, out) == (2, b"")
        assert b"is in use by another process" in err


def test_the_client_has_the_methods_of_the_archive():
    here_alone = {"open", "restore", "path", "where", "generation", "ask", "rebuild", "find_digest"}
    here_alone |= {"store", "store_together", "prepare_to_store", "prepare_to_answer", "settle"}
    here_alone |= {"catch_up"}
    here_alone |= {"import_games", "write_tables"}
    here_alone |= {"event_in_full", "player_in_full", "rating_histories", "games_by_faction"}
    here_alone |= {
        "analyse",
        "analyses_left_open",
        "analysis",
        "check_there",
        "check_writable",
        "directed",
        "overruled",
    }
    here_alone |= {"keep_puzzles", "neighbours", "puzzles_beside", "without_puzzles"}
    # Methods of an archive in PostgreSQL.
    here_alone |= {"beside", "bring", "index", "wait"}
    for name, method in inspect.getmembers(Archive, inspect.isfunction):
        if name.startswith("_") or name in here_alone:
            continue
        assert name in vars(Client), name
        theirs = inspect.signature(method).parameters
        assert list(inspect.signature(getattr(Client, name)).parameters) == list(theirs), name


PLACES = {
    **{"player": "Ines Moser", "opponent": "Anna Keller", "entrant": "Anna Keller"},
    **{"event": ZURICH, "puzzle": "1"},
}
"""The parts of the paths of questions."""


def answered(asked, question, **given):
    """The answer of a question, or the error that it raises."""
    try:
        return getattr(asked, question.__name__)(**given)
    except ArchiveError as error:
        return type(error), str(error)


OF_PUZZLES = {"puzzles", "daily_puzzle"}
"""Questions about what the server itself finds while nobody asks; the copy does not have it."""


@pytest.mark.needs("openskill")
@pytest.mark.parametrize(
    "question",
    [one for one in QUESTIONS if one.__name__ not in OF_PUZZLES],
    ids=lambda question: question.__name__,
)
def test_every_question_has_the_same_answer_over_http(folder, url, question):
    given = {name: PLACES[name] for name in question.places}
    given |= {"context": Context(trick=1)} if question.structs else {}
    filters = [{}]
    if question.filtered:
        filters += [{"filter": Filter(event=ZURICH)}, {"filter": Filter(seats=2, round="1")}]
    if question.alone:
        filters += [{"filter": Filter(seat=1)}, {"filter": Filter(outcome="won")}]
    with Client(url) as client, Archive.open(folder / "copy.duckdb", read_only=True) as archive:
        for filter in filters:
            wanted = answered(archive, question, **given, **filter)
            assert answered(client, question, **given, **filter) == wanted, filter


@pytest.mark.parametrize(
    "question", [one for one in QUESTIONS if one.of_player], ids=lambda question: question.__name__
)
def test_every_question_about_one_player_is_answered_as_with_the_filter(folder, url, question):
    _, defaults = question.of_player
    given = question.put_together({question.whose: "player", **defaults})
    asked = f"{url}/v1/players/Ines%20Moser/{question.name}"
    answer = msgspec.json.decode(httpx.get(asked, timeout=PATIENCE).content, type=question.answers)
    with Archive.open(folder / "copy.duckdb", read_only=True) as archive:
        filter = Filter(player="Ines Moser")
        assert answer == getattr(archive, question.__name__)(filter=filter, **given)


def test_what_only_the_file_can_do(url):
    with Client(url) as client, pytest.raises(ArchiveError, match="cannot do this"):
        client.rebuild()


def test_the_seats_of_a_moment_are_asked_for(folder, url):
    counts = []
    with Client(url) as client, Archive.open(folder / "copy.duckdb", read_only=True) as archive:
        for seats in (None, 2, 3, 4):
            moment = Context(phase=1, seats=seats)
            explorer = client.explore(moment)
            assert explorer == archive.explore(moment)
            counts.append(explorer.count)
        with pytest.raises(BadQuery, match="seats"):
            client.explore(Context(seats=2), Filter(seats=[3, 4]))
    assert counts[0] == sum(counts[1:]) > max(counts[1:])
