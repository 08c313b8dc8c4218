"""A chart as a PNG picture, drawn at twice its size and made smaller, with names in any script that a font here has.

Texts of ASCII letters are drawn with the font that Pillow carries. For others there are, in turn: an outline font
handed in (`Lettering`), fonts of the system, the letters without their accents, and last a number.
"""

from __future__ import annotations

import io
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PIL import Image, ImageDraw, ImageFont, features

from durian_assist.common.own_files import marked
from durian_assist.ledger.chart import Series
from durian_assist.ledger.chart_layout import HEIGHT, WIDTH, Line, Marker, Text, layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SCALE = 2
_MOST_FONTS = 200
_NOWHERE = "\U0010fffe"


class Lettering(Protocol):
    """Draws text in scripts that Pillow's own font has not: `vision.lettering`."""

    def can_draw(self, text: str) -> bool:
        """Whether it has every letter."""
        ...

    def text_mask(self, text: str, size: int) -> NDArray[np.uint8]:
        """The text as ink from 0 to 255, with its baseline at half the height."""
        ...


def png_chart(series: Series, lettering: Lettering | None = None) -> tuple[bytes, tuple[str, ...]]:
    """The chart as PNG bytes, and the names that are numbered in it: no font could draw them, or what it could draw of
    several is the same."""
    pen = _Pen(lettering)
    named = {name: pen.readable(name) for name in series.names}
    alike = Counter(named.values())
    unreadable = tuple(name for name, shown in named.items() if shown is None or alike[shown] > 1)
    names = tuple(
        f"{named[name] or ''} no. {number}".strip() if name in unreadable else str(named[name])
        for number, name in enumerate(series.names, 1)
    )
    shown = replace(series, names=names, title=pen.readable(series.title) or "session")
    drawing = layout(shown)
    for line in drawing.lines:
        pen.line(line)
    for marker in drawing.markers:
        pen.marker(marker)
    for text in drawing.texts:
        pen.text(text)
    return pen.finished(), unreadable


@dataclass(slots=True)
class _Pen:
    """A canvas at twice the size."""

    lettering: Lettering | None
    image: Image.Image = field(init=False)
    draw: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * _SCALE, HEIGHT * _SCALE), "white")
        self.draw = ImageDraw.Draw(self.image)

    def readable(self, text: str) -> str | None:
        """The text as it can be drawn: itself, without its pictures (emoji), without accents, or None."""
        words = " ".join("".join(c for c in text if not _pictures(c)).split())
        for shown in (text, words if any(map(str.isalnum, words)) else ""):
            if shown and (self._drawn_by_letters(shown) or _font_for(shown) is not None):
                return shown
        plain = "".join(c for c in unicodedata.normalize("NFKD", words) if not unicodedata.combining(c))
        return plain if plain and plain.isascii() else None

    def _drawn_by_letters(self, text: str) -> bool:
        # The lettering lays letter after letter from left to right and joins none.
        plain = not text.isascii() and not _joined(text)
        return plain and self.lettering is not None and self.lettering.can_draw(text)

    def line(self, line: Line) -> None:
        points = [(x * _SCALE, y * _SCALE) for x, y in line.points]
        self.draw.line(points, fill=line.colour, width=round(line.width * _SCALE), joint="curve")

    def marker(self, marker: Marker) -> None:
        def around(*corners: tuple[float, float]) -> list[tuple[float, float]]:
            return [((marker.x + dx) * _SCALE, (marker.y + dy) * _SCALE) for dx, dy in corners]

        fill = marker.colour
        if marker.shape == "circle":
            self.draw.ellipse(around((-11, -11), (11, 11)), fill=fill)
        elif marker.shape == "square":
            self.draw.rectangle(around((-10, -10), (10, 10)), fill=fill)
        elif marker.shape == "triangle":
            self.draw.polygon(around((0, -13), (12, 9), (-12, 9)), fill=fill)
        elif marker.shape == "diamond":
            self.draw.polygon(around((0, -14), (14, 0), (0, 14), (-14, 0)), fill=fill)
        elif marker.shape == "cross":
            self.draw.line(around((-9, -9), (9, 9)), fill=fill, width=6 * _SCALE)
            self.draw.line(around((9, -9), (-9, 9)), fill=fill, width=6 * _SCALE)
        elif marker.shape == "ring":
            self.draw.ellipse(around((-11, -11), (11, 11)), fill="white", outline=fill, width=5 * _SCALE)
        else:
            self.draw.rectangle(around((-5, -13), (5, 13)), fill=fill)

    def text(self, text: Text) -> None:
        x, y, size = text.x * _SCALE, text.y * _SCALE, text.size * _SCALE
        if self._drawn_by_letters(text.text) and self.lettering is not None:
            ink = Image.fromarray(self.lettering.text_mask(text.text, size))
            left = {"start": x, "middle": x - ink.width / 2, "end": x - ink.width}[text.anchor]
            place = (round(left), round(y + size * 0.35 - ink.height / 2))
            self.image.paste(Image.new("RGB", ink.size, text.colour), place, ink)
            return
        font = _font_for(text.text)
        if font is not None:
            anchor = {"start": "lm", "middle": "mm", "end": "rm"}[text.anchor]
            self.draw.text((x, y), text.text, font=font.font_variant(size=size), fill=text.colour, anchor=anchor)

    def finished(self) -> bytes:
        out = io.BytesIO()
        self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
        return marked(out.getvalue())


def _pictures(char: str) -> bool:
    """Whether a character is an emoji or another picture, or belongs to one: a skin tone, a joiner, a flag's letter."""
    return unicodedata.category(char) in ("So", "Sk", "Cf", "Cn", "Co") or "\ufe00" <= char <= "\ufe0f"


def _joined(text: str) -> bool:
    """Whether some letters run from right to left or change their shape with their neighbours."""
    return any(unicodedata.bidirectional(c) in ("R", "AL") or "\u0900" <= c <= "\u0dff" for c in text)


def _font_for(text: str) -> ImageFont.FreeTypeFont | None:
    """A font that has every letter of the text: Pillow's own, else one of the system's."""
    if _joined(text) and not features.check("raqm"):
        return None
    letters = frozenset(char for char in text if not char.isspace())
    own = ImageFont.load_default(64)
    if isinstance(own, ImageFont.FreeTypeFont) and _covers(own, letters):
        return own
    return _system_font(letters)


@cache
def _system_font(letters: frozenset[str]) -> ImageFont.FreeTypeFont | None:
    for path in _font_files():
        try:
            font = ImageFont.truetype(str(path), 64)
        except (OSError, ValueError):
            continue
        if _covers(font, letters):
            return font
    return None


def _covers(font: ImageFont.FreeTypeFont, letters: frozenset[str]) -> bool:
    missing = _ink(font, _NOWHERE)
    return all(_ink(font, letter) != missing for letter in letters)


def _ink(font: ImageFont.FreeTypeFont, letter: str) -> tuple[object, bytes]:
    mask = font.getmask(letter)
    return mask.size, bytes(mask)


def _font_files() -> Iterator[Path]:
    """Font files of the system, the plain wide-ranging ones first."""
    home = Path.home()
    folders = {
        "win32": [Path("C:/Windows/Fonts")],
        "darwin": [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"],
    }.get(sys.platform, [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".local/share/fonts"])
    files = [
        path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in (".ttf", ".otf", ".ttc")
    ]
    wanted = ("unicode", "cjk", "dejavusans.", "notosans-", "msyh", "segoeui", "hiragino", "freesans.")
    files.sort(key=lambda path: (not any(part in path.name.casefold() for part in wanted), path.name))
    yield from files[:_MOST_FONTS]
