"""Plots of statistics and of the course of a game; needs the extra `pictures` (matplotlib).

They take plain data, know nothing of archives, and are drawn without a screen, identically on every
machine.
"""

from __future__ import annotations

import io
import re
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.draw.faces import FACES
from claimlog.draw.svg import PAPERS
from claimlog.replay.course import race
from claimlog.replay.narration import Narrator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from claimlog.language import Words
    from claimlog.replay.viewpoint import Viewpoint

__all__ = ["FORMS", "Measured", "course", "rates"]

FORMS: Final = ("svg", "png")
"""The file formats of a plot."""

_DPI: Final = 100
_PAPER: Final = PAPERS["light"]
_LOOK: Final[Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "figure.constrained_layout.h_pad": 0.08,
    "figure.constrained_layout.w_pad": 0.12,
    "svg.fonttype": "none",
    "svg.hashsalt": "claimlog",
    "text.color": _PAPER["ink"],
    "axes.edgecolor": _PAPER["line"],
    "axes.facecolor": _PAPER["sheet"],
    "axes.labelcolor": _PAPER["ink"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": _PAPER["paper"],
    "grid.color": _PAPER["line"],
    "grid.linewidth": 0.6,
    "xtick.color": _PAPER["dim"],
    "ytick.color": _PAPER["ink"],
    "ytick.major.size": 0,
}
_STROKES: Final = ("-", (0, (4, 2)), (0, (1, 1.5)))
"""The line styles of the sides."""


class Measured(NamedTuple):
    """A rate from 0 to 1 with its interval; `counted` is the formatted number of cases.

    `faction` is its letter, or ""; `expected` the expected rate, if known.
    """

    label: str
    faction: str
    rate: float
    low: float
    high: float
    counted: str
    expected: float | None = None


def rates(
    rows: Sequence[Measured],
    title: str,
    axis: str,
    *,
    form: str = "svg",
    size: tuple[int, int] | None = None,
) -> bytes:
    """Plot rates from top to bottom in the given order, with intervals and expected rates.

    `axis` says what is measured.  The result is SVG, or PNG with `form` "png"; `size` is in pixels,
    by default what the rows need.  Raises ImportError without the extra `pictures`.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_LOOK):
        width, height = size or (900, 120 + 30 * max(1, len(rows)))
        figure = Figure((width / _DPI, height / _DPI), dpi=_DPI, layout="constrained")
        axes = figure.add_subplot()
        places = range(len(rows))
        for place, row in zip(places, rows, strict=True):
            face = FACES.get(row.faction)
            colour = face.light if face else _PAPER["brand"]
            axes.plot([row.low, row.high], [place, place], color=colour, linewidth=2.4, alpha=0.55)
            axes.plot([row.rate], [place], "o", color=colour, markersize=9)
        marks = {place: row.expected for place, row in enumerate(rows) if row.expected is not None}
        axes.vlines(
            list(marks.values()),
            [place - 0.5 for place in marks], [place + 0.5 for place in marks],
            color=_PAPER["dim"], linewidth=1, linestyle=(0, (4, 3)), zorder=0,
        )  # fmt: skip
        low = min((*marks.values(), *(row.low for row in rows)), default=0.0)
        high = max((*marks.values(), *(row.high for row in rows)), default=1.0)
        edge = max(0.02, 0.06 * (high - low))
        axes.set_xlim(low - edge, high + edge)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(places, [row.label for row in rows])
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
        axes.grid(axis="x")
        axes.set_axisbelow(True)
        axes.spines["left"].set_visible(False)
        counts = axes.secondary_yaxis("right")
        counts.set_yticks(places, [row.counted for row in rows])
        counts.tick_params(colors=_PAPER["dim"], length=0)
        counts.spines["right"].set_visible(False)
        axes.set_xlabel(axis)
        axes.set_title(title, loc="left", fontsize=15, fontweight="bold", pad=12)
        for label, row in zip(axes.get_yticklabels(), rows, strict=True):
            if face := FACES.get(row.faction):
                label.set(color=face.light, fontweight="bold")
        return _written(figure, form, title)


def course(
    viewpoint: Viewpoint,
    words: Words,
    *,
    form: str = "svg",
    size: tuple[int, int] | None = None,
) -> bytes:
    """Plot the cards of each side trick by trick, with a strip for each faction.

    Raises ImportError without the extra `pictures`.
    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    narrator = Narrator(viewpoint, words)
    stages = [race(viewpoint, viewpoint.at(trick)) for trick in range(1, viewpoint.last + 1)]
    letters = viewpoint.game.deck
    sides = range(1, viewpoint.sides + 1)
    most = max((max(one.counts.values()) for stage in stages for one in stage), default=1)
    with matplotlib.rc_context(_LOOK):
        width, height = size or (1000, 110 + 105 * max(1, len(letters)))
        figure = Figure((width / _DPI, height / _DPI), dpi=_DPI, layout="constrained")
        strips = figure.subplots(len(letters), 1, sharex=True, sharey=True, squeeze=False)
        for place, (letter, axes) in enumerate(zip(letters, strips[:, 0], strict=True)):
            colour = FACES[letter].light
            counts = {side: [stage[place].counts[side] for stage in stages] for side in sides}
            # The last count is extended a little, so that the last trick is visible.
            lines = {side: [0, *line, *line[-1:]] for side, line in counts.items()}
            steps = [*range(len(stages) + 1), len(stages) + 0.6][: len(lines[1])]
            for side, line in lines.items():
                axes.step(
                    steps, line, where="post", color=colour, linewidth=2.2,
                    linestyle=_STROKES[side - 1],
                )  # fmt: skip
            if viewpoint.sides == 2:
                axes.fill_between(
                    steps, lines[1], lines[2], step="post", color=colour, alpha=0.12, linewidth=0,
                )  # fmt: skip
            axes.set_xlim(0, len(stages) + 0.6)
            axes.set_ylim(-0.5, most + 0.5)
            _strip(axes, words.faction(letter), colour, viewpoint.phase_tricks)
            ends = {narrator.side_short(side): line[-1] for side, line in lines.items()}
            _ends(axes, ends, least=most / 4)
        for phase, middle in ((1, 0.5), (2, 1.5)):
            if viewpoint.last > middle * viewpoint.phase_tricks:
                strips[0, 0].annotate(
                    words("phase", number=phase), (middle * viewpoint.phase_tricks, 1),
                    xycoords=("data", "axes fraction"), xytext=(0, 4), textcoords="offset points",
                    ha="center", color=_PAPER["dim"],
                )  # fmt: skip
        strips[0, 0].set_title(narrator.title(), loc="left", fontsize=15, fontweight="bold", pad=24)
        strips[-1, 0].set_xlabel(words("picture.trick"))
        handles = [
            Line2D([], [], color=_PAPER["ink"], linewidth=2.2, linestyle=_STROKES[side - 1])
            for side in sides
        ]
        names = [narrator.side(side) for side in sides]
        figure.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
        return _written(figure, form, narrator.title())


def _strip(axes: Any, name: str, colour: str, first: int) -> None:
    """Set up the frame of a faction's strip; Phase 1 has the `first` tricks."""
    from matplotlib.ticker import MaxNLocator

    axes.axvline(first, color=_PAPER["dim"], linewidth=1, linestyle=(0, (4, 3)))
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(14, integer=True))
    axes.grid(axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_ylabel(
        name, rotation=0, ha="right", va="center", color=colour, fontweight="bold", fontsize=12
    )


def _ends(axes: Any, counts: dict[str, int], least: float) -> None:
    """Write the sides' final counts at the right end, `least` apart; equal ones together."""
    shared: dict[int, list[str]] = {}
    for name, count in counts.items():
        shared.setdefault(count, []).append(name)
    place = -least
    for count, names in sorted(shared.items()):
        place = max(count, place + least)
        axes.annotate(
            f"{count} {', '.join(names)}", (1, place), xycoords=("axes fraction", "data"),
            xytext=(6, 0), textcoords="offset points", va="center", fontsize=9.5,
            annotation_clip=False,
        )  # fmt: skip


def _written(figure: Figure, form: str, title: str) -> bytes:
    """Return the figure as a file; an SVG has no external references and no date."""
    out = io.BytesIO()
    if form == "png":
        figure.savefig(out, format="png", dpi=_DPI, metadata={"Software": None})
        return out.getvalue()
    empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(out, format="svg", metadata=empty)
    whole = re.sub(r"<!DOCTYPE[^>]*>\s*", "", out.getvalue().decode())
    width, height = (round(inches * _DPI) for inches in figure.get_size_inches())
    whole = re.sub(
        r'width="[0-9.]+pt" height="[0-9.]+pt"([^>]*)>',
        lambda match: (
            f'width="{width}" height="{height}"{match[1]} role="img"><title>{escape(title)}</title>'
        ),
        whole,
        count=1,
    )
    return whole.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif").encode()
