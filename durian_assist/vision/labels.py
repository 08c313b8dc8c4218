"""Labels of calibration photos: one class a line, in reading order, photo by photo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from durian_assist.errors import InputError
from durian_assist.records.document import MOST_BYTES
from durian_assist.records.source import Fault, RecordError, Source, Span

_PHOTO = re.compile(r"#\s*photo\b\s*(.*?)\s*$", re.IGNORECASE)
# A class is a path of words: `red/durian/6`, `mao-shan-wang`, `King of hearts`.
_CLASS = re.compile(r"[^\s/#\\\"'<>|:*?\x00-\x1f][^#\\\"'<>|:*?\x00-\x1f]*")


@dataclass(frozen=True, slots=True)
class Section:
    """The labels of one photo; `photo` is the name behind `# photo`, empty where there was none."""

    photo: str
    names: tuple[str, ...]


def parse_labels(file: str, text: str) -> list[Section]:
    """The sections of a labels file. Raises RecordError for lines that are no class, InputError for an empty file."""
    if len(text) > MOST_BYTES:
        raise InputError("this is too large for a labels file", where=file, mend="Give a file with one class a line.")
    source, start = Source(file, text), 0
    faults: list[Fault] = []
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines(keepends=True):
        words = line.strip()
        marker = _PHOTO.match(words)
        if marker:
            sections.append((marker.group(1), []))
        elif words and not words.startswith("#"):
            if _CLASS.fullmatch(words):
                sections[-1][1].append(words)
            else:
                at = start + line.index(words)
                span = Span(source, at, at + len(words))
                faults.append(Fault(span, "this is no class", "words, parts divided by /", mend="E.g. red/durian/6."))
        start += len(line)
    if faults:
        raise RecordError(faults)
    found = [Section(photo, tuple(names)) for photo, names in sections if names]
    if not found:
        raise InputError("there are no labels in it", where=file, mend="Write one class a line, in reading order.")
    return found


def sections_for(file: str, sections: Sequence[Section], photos: Sequence[str]) -> list[tuple[str, ...]]:
    """The labels of each photo: by the name behind `# photo` where all names fit, else in the order of the photos.

    Without `# photo` lines the labels are dealt out evenly over the photos. Raises InputError where they do not fit.
    """
    by_name = {PurePath(section.photo).name: section.names for section in sections if section.photo}
    wanted = [PurePath(photo).name for photo in photos]
    if len(by_name) == len(sections) and all(name in by_name for name in wanted):
        return [by_name[name] for name in wanted]
    if len(sections) == len(photos):
        return [section.names for section in sections]
    if len(sections) == 1 and len(sections[0].names) % len(photos) == 0:
        names, each = sections[0].names, len(sections[0].names) // len(photos)
        return [names[i * each : (i + 1) * each] for i in range(len(photos))]
    raise InputError(
        f"labels for {len(sections)} photo{'s' if len(sections) != 1 else ''}, but {len(photos)} were given",
        where=file,
        mend="Begin the labels of each photo with a line `# photo NAME`.",
    )
