"""The options that choose and order games, and what they are made from."""

import json
import re
from typing import get_args

import pytest
from archiving import claimlog, lay_out

from claimlog.store.filter import CONDITIONS, Filter, PlayerSort, Sort
from claimlog.store.types import Grouping

EVENT = "Zurich Claim Open (simulated)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive")
    lay_out(path)
    assert claimlog(path, "import", "zurich-open.clm")[0] == 0
    return path


def help_of(folder, *command):
    """The help of a command in one line, without its frames."""
    code, out, _ = claimlog(folder, *command, "--help", COLUMNS="200")
    assert code == 0
    return " ".join(re.sub("[│╭╮╰╯─]", " ", out).split())


def test_every_condition_is_an_option_with_its_description(folder):
    assert list(CONDITIONS) == list(Filter.__struct_fields__)
    for command in (("games",), ("export",), ("events",), ("stats", "cards")):
        told = help_of(folder, *command)
        for condition in CONDITIONS.values():
            assert f"--{condition.name.replace('_', '-')} " in told
            assert condition.description.replace("`", "").removesuffix(".") in told


def test_limits_of_conditions_hold_on_the_command_line(folder):
    for condition in CONDITIONS.values():
        option = f"--{condition.name.replace('_', '-')}"
        if "le" in condition.limits:
            code, _, err = claimlog(folder, "games", option, condition.limits["le"] + 1)
            assert code == 2
            assert option in err


def test_sort_keys_and_groups_are_those_of_the_archive(folder):
    for keys, option, command in (
        (Sort, "--sort", ("games",)),
        (PlayerSort, "--sort", ("players", "list")),
        (Grouping, "--by", ("stats", "results")),
    ):
        for key in get_args(keys):
            assert claimlog(folder, *command, option, key)[0] == 0
        assert claimlog(folder, *command, option, "nonsense")[0] == 2


def test_a_moment_without_offset_is_utc_wherever_one_is(folder):
    moments = set()
    for zone in ("UTC", "America/New_York", "Asia/Tokyo"):
        code, out, err = claimlog(
            folder, "standings", EVENT, "--as-of", "2026-11-14T19:30:00", "-f", "json", TZ=zone
        )
        assert (code, err) == (0, "")
        moments.add(json.loads(out)["known_at"])
    assert moments == {"2026-11-14T19:30:00Z"}
