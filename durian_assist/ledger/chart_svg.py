"""A chart as SVG text."""

from __future__ import annotations

from xml.sax.saxutils import escape

from durian_assist.common.own_files import MARK
from durian_assist.ledger.chart import Series
from durian_assist.ledger.chart_layout import HEIGHT, WIDTH, Drawing, Marker, layout

_R = 11
# Around (0, 0), radius 11.
_SHAPES = {
    "circle": f'<circle r="{_R}" fill="{{0}}"/>',
    "square": '<rect x="-10" y="-10" width="20" height="20" fill="{0}"/>',
    "triangle": '<path d="M0 -13L12 9L-12 9Z" fill="{0}"/>',
    "diamond": '<path d="M0 -14L14 0L0 14L-14 0Z" fill="{0}"/>',
    "cross": '<path d="M-9 -9L9 9M9 -9L-9 9" stroke="{0}" stroke-width="6"/>',
    "ring": f'<circle r="{_R - 2}" fill="white" stroke="{{0}}" stroke-width="5"/>',
    "bar": '<rect x="-5" y="-13" width="10" height="26" fill="{0}"/>',
}


def svg_chart(series: Series) -> str:
    """The chart as an SVG document."""
    return _document(layout(series), series.title)


def _document(drawing: Drawing, title: str) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f"<metadata>{MARK.decode()}</metadata>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for line in drawing.lines:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in line.points)
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{line.colour}" stroke-width="{line.width:g}"'
            ' stroke-linejoin="round"/>'
        )
    parts += [_marker(marker) for marker in drawing.markers]
    for text in drawing.texts:
        parts.append(
            f'<text x="{text.x:.1f}" y="{text.y + text.size * 0.35:.1f}" font-size="{text.size}"'
            f' text-anchor="{text.anchor}" fill="{text.colour}">{escape(text.text)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _marker(marker: Marker) -> str:
    shape = _SHAPES[marker.shape].format(marker.colour)
    return f'<g transform="translate({marker.x:.1f} {marker.y:.1f})">{shape}</g>'
