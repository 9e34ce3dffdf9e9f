"""Each command as a separate process, and the same command run inside this one.

Other tests run commands inside this process (`commands.claimlog`); this checks that users see the
same.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import commands
import pytest
import typer
from archiving import BYTES, HEAD, MOMENT, STAMP, at, claimlog, lay_out

from claimlog.cli.main import COMMANDS, Commands

GAME = "8emz5k5amwvkk"
WHO = ("--by", "Ruth", "--why", "a test")
CALLS = {
    "record": (2, ["game.clm"]),
    "replay": (0, ["sample.clm", "--lang", "de"]),
    "validate": (1, ["wrong.clm"]),
    "format": (0, ["sample.clm", "--check"]),
    "simulate": (0, ["--seed", "7"]),
    "link": (0, ["sample.clm"]),
    "analyse": (0, ["sample.clm", "--trick", "18"]),
    "puzzles": (1, ["sample.clm"]),
    "picture": (0, ["sample.clm", "-o", "-"]),
    "rules": (0, ["trolls", "--lang", "de"]),
    "import": (1, ["sample.clm", "wrong.clm"]),
    "export": (0, ["--format", "csv"]),
    "games": (0, ["--player", "Keller"]),
    "game show": (0, [GAME]),
    "game revisions": (0, [GAME]),
    "game correct": (1, [GAME, "wrong.clm", *WHO]),
    "game correct-all": (0, ["--rename", "Ben Roth=B. Roth", *WHO]),
    "game delete": (0, [GAME, *WHO]),
    "game undelete": (2, ["0000", *WHO]),
    "players list": (0, []),
    "players show": (0, ["Ben Roth"]),
    "players versus": (0, ["Anna Keller", "Ben Roth"]),
    "players streaks": (0, ["Ben Roth"]),
    "players performance": (0, ["Ben Roth"]),
    "players rating": (0, ["Ben Roth"]),
    "players merge": (0, ["Ben Roth", "Mia Suter", "--by", "Ruth"]),
    "players split": (2, ["Ben Roth", "--by", "Ruth"]),
    "events": (0, []),
    "event create": (0, ["Spring Cup", *WHO]),
    "event enter": (0, ["Evening", "Ann", "Bo", *WHO]),
    "event plan": (0, ["Evening", "--delay", "3", "--by", "Ruth"]),
    "event change": (0, ["Evening", "1", "--club", "Kiel", *WHO]),
    "event import": (1, ["Evening", *WHO]),
    "event places": (0, ["Evening"]),
    "event why": (0, ["Evening", "1"]),
    "event links": (0, ["Evening", "--by", "Ruth"]),
    "event withdraw": (0, ["Evening", "Eve", *WHO]),
    "event bye": (0, ["Evening", "Eve", *WHO]),
    "event pair": (0, ["Evening", "3-4", *WHO]),
    "event start": (1, ["Evening", *WHO]),
    "event result": (1, ["Evening", "1 1-0 3-2, 2 1-0", *WHO]),
    "event confirm": (1, ["Evening", "1", *WHO]),
    "event close": (0, ["Evening", "--adjourn", *WHO]),
    "event reopen": (1, ["Evening", *WHO]),
    "event exchange": (0, ["Evening", "1", "2", *WHO]),
    "event seat": (1, ["Evening", "1", "2", *WHO]),
    "desk": (2, ["Evening", "--by", "Ruth"]),
    "event lock": (1, ["Evening", "9", *WHO]),
    "event stands": (1, ["Evening", "9", *WHO]),
    "event clock": (0, ["Evening", "--add", "40", "--by", "Ruth"]),
    "event spell": (0, ["Evening", "1", "Anne", *WHO]),
    "event announce": (0, ["Evening", "in five minutes", "--by", "Ruth"]),
    "event undo": (0, ["Evening", *WHO]),
    "event show": (0, []),
    "event export": (0, ["Evening", "-f", "csv"]),
    "event print": (0, ["Thursday", "standings"]),
    "event rename": (0, ["Thursday", "Friday", "--by", "Ruth"]),
    "event merge": (2, ["nowhere", "Thursday", "--by", "Ruth"]),
    "event split": (2, ["nowhere", "--by", "Ruth"]),
    "event names": (0, ["Thursday"]),
    "standings": (0, ["Thursday"]),
    "publish": (0, ["Thursday", "site"]),
    "stats results": (0, ["--by", "deck"]),
    "stats factions": (0, []),
    "stats cards": (0, ["--limit", "3"]),
    "stats upcards": (0, []),
    "stats leads": (0, []),
    "stats lengths": (0, []),
    "stats given-away": (0, ["--by", "player"]),
    "stats best-play": (0, ["--by", "deck"]),
    "stats followers": (0, []),
    "stats luck": (0, []),
    "stats ratings": (0, []),
    "stats times": (0, []),
    "stats explore": (0, ["--trick", "1"]),
    "db info": (0, []),
    "db check": (0, []),
    "db doubtful": (0, []),
    "db rebuild": (0, []),
    "db backup": (0, ["copy.duckdb"]),
    "db restore": (2, ["sample.clm", "--force"]),
    "db compact": (0, []),
    "db move": (2, ["none.duckdb", "new.duckdb"]),
    "serve": (2, ["--db", "sample.clm"]),
    "index": (2, []),
    "token create": (0, ["Ruth"]),
    "token list": (0, []),
    "token revoke": (2, ["nobody"]),
}
"""A call of each command, and its exit code."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    lay_out(folder)
    assert claimlog(folder, "import", "thursday-evening.clm", "sample.clm")[0] == 0
    for words in (
        ("create", "Evening"),
        ("enter", "Evening", "Adam", "Eve", "Cain", "Abel"),
        ("pair", "Evening", "1-2"),
        ("start", "Evening"),
    ):
        assert claimlog(folder, "event", *words, *WHO)[0] == 0
    return folder


RATED = ("players rating", "stats ratings")
"""Commands that need an extra package."""


def test_every_command_has_its_call() -> None:
    group = Commands()
    context = typer.Context(group)
    names = [
        f"{name} {part}".strip()
        for name in COMMANDS
        for part in getattr(group.get_command(context, name), "commands", {"": None})
    ]
    assert sorted(CALLS) == sorted(names)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.needs("openskill") if name in RATED else ())
        for name in CALLS
    ],
)
def test_a_process_of_its_own_says_the_same(name: str, archive: Path, tmp_path: Path) -> None:
    code, words = CALLS[name]
    seen = []
    for run in (commands.in_process_of_its_own, commands.claimlog):
        folder = tmp_path / run.__name__
        shutil.copytree(archive, folder)
        ended, *texts = run(*name.split(), *words, env=at(folder), cwd=folder)
        assert ended == code, texts
        texts = [text.decode().replace(str(folder), "FOLDER") for text in texts]
        # Text that depends on the time or on chance.
        texts = [HEAD.sub("", MOMENT.sub("", STAMP.sub("", BYTES.sub("", text)))) for text in texts]
        seen.append([re.sub(r"clm_\S+|^\w+(?=: scope)", "", text, flags=re.M) for text in texts])
    assert seen[0] == seen[1]


TINY = {
    "nothing": b"",
    "blanks": b" \n\n",
    "mark": "\ufeff".encode(),
    "mark and tag": '\ufeff[Deck "GKUWX"]\n'.encode(),
    "tag": b'[Deck "GKUWX"]\n',
    "number": b"1.\n",
    "comment": b"{nothing}\n",
    "open comment": b"{nothing",
    "result": b"1-0\n",
    "zero byte": b"\0",
}
SLIPS = sorted((Path(__file__).parents[2] / "data" / "conformance" / "records").glob("slip-*.clm"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        name
        for name, (_, words) in CALLS.items()
        if name not in ("record", "serve") and any(word.endswith(".clm") for word in words)
    ],
)
def test_whatever_stands_in_a_record_it_is_answered(
    name: str, archive: Path, tmp_path: Path
) -> None:
    """For every command that reads records: no traceback, and an error is never silent."""
    folder = tmp_path / "archive"
    shutil.copytree(archive, folder)
    texts = list(TINY.values())
    if name != "analyse":  # it has a separate test: values of fourteen games take long
        texts += [path.read_bytes() for path in SLIPS]
    for text in texts:
        for file in ("sample.clm", "wrong.clm"):
            (folder / file).write_bytes(text)
        code, out, err = commands.claimlog(
            *name.split(), *CALLS[name][1], env=at(folder), cwd=folder
        )
        assert code in (0, 1, 2), text
        assert b"Traceback" not in err
        assert err or out or code == 0, text


@pytest.mark.parametrize("words", [[], ["--version"], ["--help"], ["gmaes"], ["games", "--limt"]])
def test_so_it_is_without_a_command(words: list[str], tmp_path: Path) -> None:
    for env in (at(tmp_path), at(tmp_path) | {"LC_ALL": "de_CH.UTF-8"}):
        done = [
            run(*words, env=env, cwd=tmp_path)
            for run in (commands.claimlog, commands.in_process_of_its_own)
        ]
        assert done[0] == done[1]
