"""How people see colours; a colour is its linear red, green and blue, from 0 to 1."""

import math

# Machado, Oliveira, Fernandes 2009, severity 1.0: the sight of people who lack one kind of cone.
SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(red, green, blue):
    """Convert a screen colour, with parts from 0 to 255, to a linear one."""
    return [
        p / 255 / 12.92 if p <= 10 else ((p / 255 + 0.055) / 1.055) ** 2.4
        for p in (red, green, blue)
    ]


def luminance(colour):
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The contrast ratio of WCAG, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(parts):
    """CIE L*a*b* under daylight."""
    red, green, blue = parts
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one, other, sight):
    """The distance of two colours for one kind of `SIGHT`."""
    return math.dist(seen(one, sight), seen(other, sight))


def seen(colour, sight):
    rows = [sum(m * p for m, p in zip(row, colour, strict=True)) for row in SIGHT[sight]]
    return lab([min(1, max(0, part)) for part in rows])
