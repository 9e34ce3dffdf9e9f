"""How factions look on pages and in pictures: by colour and by shape, so that neither is alone.

All shapes are own drawings, 24 × 24.  The colours are near those of the terminal, darker for light
paper and lighter for dark paper: readable on it, and far enough apart for people who see no red,
no green or no blue (a test measures both).

>>> FACES["W"].motif, FACES["W"].light
('pickaxe', '#3f5800')
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["FACES", "Face", "css"]


class Face(NamedTuple):
    """How a faction looks.

    `light` and `dark` are its colours on light and on dark paper.  `motif` is what its shape
    shows, in English; `shape` the path of it, filled by the even-odd rule.
    """

    light: str
    dark: str
    motif: str
    shape: str


FACES: Final = {
    "G": Face(
        "#0f7c3e",
        "#16a45c",
        "goblin's face",
        "M1 6.5c3 .2 5.2 1 6.6 2.2C8.6 5.8 10.1 4.5 12 4.5s3.4 1.3 4.4 4.2C17.8 7.5 20 6.7 23"
        " 6.5c-1 3.6-2.8 6.1-5.6 7.3C17 18 15 21.5 12 21.5s-5-3.5-5.4-7.7C3.8 12.6 2 10.1 1"
        " 6.5zM7.9 10.2l3.3 2-.2 1.5c-1.8.2-3-1.1-3.1-3.5zM16.1 10.2l-3.3 2 .2 1.5c1.8.2"
        " 3-1.1 3.1-3.5zM9 16.4c2 .9 4 .9 6 0-.6 1.8-1.7 2.6-3 2.6s-2.4-.8-3-2.6z",
    ),
    "K": Face(
        "#1475c5",
        "#2d8bff",
        "shield",
        "M12 1.5l8.5 3v7.3c0 5-3.7 8.9-8.5 10.9-4.8-2-8.5-5.9-8.5-10.9V4.5zM10.6 5.5v3.6H7"
        "v2.8h3.6V18h2.8v-6.1H17V9.1h-3.6V5.5z",
    ),
    "N": Face(
        "#687b00",
        "#a7e35d",
        "pointed hat and a beard",
        "M12.5.8c2.6 3 5 7 6.3 11.2H5.2c1.3-4.2 4.3-8.2 7.3-11.2zM6.2 13.5h11.6c1 4.7-1.5"
        " 8-5.8 9.7-4.3-1.7-6.8-5-5.8-9.7zM12 13.6a2 2 0 100 4 2 2 0 000-4z",
    ),
    "I": Face(
        "#b84a79",
        "#e15f92",
        "broad figure",
        "M12 1a3.2 3.2 0 110 6.4A3.2 3.2 0 0112 1zM7 8.5h10c3.5 0 5.7 2.5 5.7 6v4h-3.5V14h-1"
        "v9h-4.7v-5.5h-3V23H5.8v-9h-1v4.5H1.3v-4c0-3.5 2.2-6 5.7-6z",
    ),
    "M": Face(
        "#9219ff",
        "#e38dff",
        "crown",
        "M2.5 7.5l5 4L12 4l4.5 7.5 5-4L20 17H4zM4 18.5h16V21.5H4zM1 6a1.5 1.5 0 1 0 3 0 1.5"
        " 1.5 0 1 0-3 0zM10.5 2.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM20 6a1.5 1.5 0 1 0 3 0"
        " 1.5 1.5 0 1 0-3 0z",
    ),
    "P": Face(
        "#744c4d",
        "#eb8976",
        "pitchfork",
        "M10.7 23v-8.6C6.7 13.9 4.5 12 4.5 8.5V1.5H7v6.7c0 2 1 3.2 3.7 3.7V1.5h2.6v10.4"
        "c2.7-.5 3.7-1.7 3.7-3.7V1.5h2.5v7c0 3.5-2.2 5.4-6.2 5.9V23z",
    ),
    "A": Face(
        "#4c3645",
        "#b2c2ab",
        "cogwheel",
        "M10 3.9L10.5 1.1L13.5 1.1L14 3.9L16.3 4.9L18.6 3.2L20.8 5.4L19.1 7.7L20.1 10L22.9"
        " 10.5L22.9 13.5L20.1 14L19.1 16.3L20.8 18.6L18.6 20.8L16.3 19.1L14 20.1L13.5 22.9"
        "L10.5 22.9L10 20.1L7.7 19.1L5.4 20.8L3.2 18.6L4.9 16.3L3.9 14L1.1 13.5L1.1 10.5L3.9"
        " 10L4.9 7.7L3.2 5.4L5.4 3.2L7.7 4.9zM12 8.4a3.6 3.6 0 100 7.2 3.6 3.6 0 000-7.2z",
    ),
    "B": Face(
        "#cb16bd",
        "#ee27ff",
        "notes",
        "M9 3l11-2v14a4 4 0 11-3-3.8V6l-5 1v11a4 4 0 11-3-3.8z",
    ),
    "D": Face(
        "#cd4549",
        "#fe484e",
        "flame",
        "M12.5 1c.8 5 7.5 7.5 7.5 14.2A7.8 7.8 0 0112 23a7.8 7.8 0 01-8-7.8c0-3.2 1.2-5.5"
        " 3.3-7.7 0 2.2.8 3.4 2.2 3.6 2.2-2.6 2.2-6.3 3-10.1zM12.3 12.5c-.3 2.6-3.6 3.6-3.6"
        " 6.3a3.3 3.3 0 003.3 3 3.3 3.3 0 003.4-3.2c0-2.6-2.4-3.4-3.1-6.1z",
    ),
    "F": Face(
        "#9c4284",
        "#e895be",
        "wing",
        "M22.5 2C13 1.5 4.5 4.5 1 12.5c2.6-1 4.6-1.2 6.3-.9-1.7 1.6-2.7 3.4-3 5.6 2.3-1.3"
        " 4.2-1.7 6-1.5-1.1 1.7-1.6 3.6-1.3 6.3C16.5 20.5 22 12.5 22.5 2zM19 5c-4.8 1.3-8.5"
        " 3.4-11.7 6.6l1.5.6C11.7 9.2 15 6.9 19 5zM20 6.5c-4 2.6-7.2 5.7-9.7 9.2l1.6.3c2-3.7"
        " 4.5-6.8 8.1-9.5z",
    ),
    "R": Face(
        "#8253e6",
        "#cb6aae",
        "mask",
        "M2.3 2.5l5.7 3c2.6-.8 5.4-.8 8 0l5.7-3-.7 9c-.8 4.5-4.5 8-9 10-4.5-2-8.2-5.5-9-10z"
        "M4.6 10.3c-.2 3.4 1.3 5.2 3.6 5.2 1.8 0 2.9-1 2.9-2.5 0-2-3.3-3.2-6.5-2.7zM19.4 10.3"
        "c.2 3.4-1.3 5.2-3.6 5.2-1.8 0-2.9-1-2.9-2.5 0-2 3.3-3.2 6.5-2.7zM10.5 17.3L12 19.5"
        "l1.5-2.2z",
    ),
    "S": Face(
        "#360eca",
        "#e8b0ff",
        "eye",
        "M12 4.5c6.5 0 11.5 7.5 11.5 7.5S18.5 19.5 12 19.5.5 12 .5 12 5.5 4.5 12 4.5zM7 12a5"
        " 5 0 1 0 10 0 5 5 0 1 0-10 0zM9.6 12a2.4 2.4 0 1 0 4.8 0 2.4 2.4 0 1 0-4.8 0z",
    ),
    "T": Face(
        "#165223",
        "#53e312",
        "studded club",
        "M16.2 1c3.6-.2 6.7 2.6 6.8 6.1.1 2.4-1 4.3-2.9 5.4L6.7 22.2c-1.3 1-3.2.9-4.3-.2"
        "s-1.2-2.9-.2-4.2L11.8 4.2C12.7 2.3 14.2 1.1 16.2 1zM13.4 5.6a1.2 1.2 0 1 0 2.4 0 1.2"
        " 1.2 0 1 0-2.4 0zM17.4 9.6a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0zM17.7 5a1.2 1.2 0"
        " 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0zM12.5 10.4a1.2 1.2 0 1 0 2.4 0 1.2 1.2 0 1 0-2.4 0z",
    ),
    "U": Face(
        "#6c05aa",
        "#c169d2",
        "skull",
        "M12 1.5c-5.3 0-9.3 3.9-9.3 9 0 3 1.3 5.3 3.5 6.8V22h3v-2.5h1.4V22h2.8v-2.5h1.4V22h3"
        "v-4.7c2.2-1.5 3.5-3.8 3.5-6.8 0-5.1-4-9-9.3-9zM8.2 8.5a2.5 2.5 0 110 5 2.5 2.5 0"
        " 010-5zM15.8 8.5a2.5 2.5 0 110 5 2.5 2.5 0 010-5zM12 13.5l1.5 3h-3z",
    ),
    "V": Face(
        "#9e008e",
        "#fe79d7",
        "helmet with horns",
        "M1.5 1.5c0 4.5 1.7 7 4.8 8A6 6 0 0112 5a6 6 0 015.7 4.5c3.1-1 4.8-3.5 4.8-8 1.7"
        " 5.5.7 10.5-4.5 12.5v.5H6V14C.8 12 -.2 7 1.5 1.5zM5.5 16h13v6h-4.7v-3h-3.6v3H5.5z",
    ),
    "W": Face(
        "#3f5800",
        "#90a011",
        "pickaxe",
        "M.8 11C4.5 5 9 3 12 3s7.5 2 11.2 8c-3.5-2.2-6.5-3.3-9.2-3.6V23h-4V7.4C7.3 7.7 4.3"
        " 8.8.8 11z",
    ),
    "X": Face(
        "#42316c",
        "#decaef",
        "two of a kind",
        "M2.4 6a3.9 3.9 0 1 0 7.8 0 3.9 3.9 0 1 0-7.8 0zM.5 21.5C.5 14.5 2.5 11.3 6.3 11.3"
        "c2.3 0 4 1.2 4.9 3.6v6.6zM13.8 6a3.9 3.9 0 1 0 7.8 0 3.9 3.9 0 1 0-7.8 0zM23.5 21.5"
        "c0-7-2-10.2-5.8-10.2-2.3 0-4 1.2-4.9 3.6v6.6z",
    ),
}
"""How each faction looks, by its letter."""


def css() -> str:
    """Rules that give everything of the class ``of-G`` the colour of G as ``--f``, by the theme."""
    light = "".join(f".of-{letter} {{ --f: {face.light}; }}\n" for letter, face in FACES.items())
    dark = "".join(f"  .of-{letter} {{ --f: {face.dark}; }}\n" for letter, face in FACES.items())
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}}}\n"
