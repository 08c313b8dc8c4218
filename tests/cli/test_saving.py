"""What the book keeps of a table: the record with its flags, the photos' hashes, what was read and corrected."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.cli.photo_in import PhotoTable
from durian_assist.cli.saving import brought_from, record_text
from durian_assist.records.document import Document, flag_node, load_record, to_plain

RECORD = 'game = "durian"   # ours\nfirst = "Ann"\n[tokens]\nAnn = [1]\n'


@dataclass(frozen=True, slots=True)
class Read:
    """Stands for a reading."""

    cells: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {"cells": self.cells}


def read_from_photo(as_read: str, corrected: str, *answers: str) -> PhotoTable:
    """A table read from a photo, in which people corrected something."""
    nothing = cast("Any", None)
    reading, first = cast("Any", Read(corrected)), cast("Any", Read(as_read))
    return PhotoTable((), nothing, reading, nothing, first, (), answers)


def test_an_unchanged_record_is_kept_as_it_was_written() -> None:
    assert record_text(load_record("a.toml", RECORD)) == RECORD


def test_flags_go_into_the_record_that_is_kept() -> None:
    document = load_record("a.toml", RECORD).with_node(["tokens", "Bo"], flag_node("--set", "x"))
    text = record_text(document)
    assert text == 'game = "durian"\nfirst = "Ann"\n\n[tokens]\nAnn = [1]\nBo = "x"\n'


def test_a_photo_is_known_by_its_name_and_hash(tmp_path: Path) -> None:
    photo = tmp_path / "table one.jpg"
    photo.write_bytes(b"\xff\xd8 photo")
    table = read_from_photo("red6", "red8", "2,1=blue-^")
    brought = brought_from(load_record("x", RECORD), [table], [str(photo)], ["1,1=red8v"])
    assert brought.source == "table one.jpg"
    assert brought.photos[0].to_json() == {"name": "table one.jpg", "sha256": sha256(b"\xff\xd8 photo").hexdigest()}
    assert brought.read == {"cells": "red6"}
    assert brought.corrected == ("1,1=red8v", "2,1=blue-^")


def test_a_photo_for_each_player_is_kept_with_each_reading(tmp_path: Path) -> None:
    for name in ("one.jpg", "two.jpg"):
        (tmp_path / name).write_bytes(name.encode())
    tables = [f"Ann={tmp_path / 'one.jpg'}", f"Bo={tmp_path / 'two.jpg'}"]
    photos = [read_from_photo("a", "a"), read_from_photo("b", "b")]
    brought = brought_from(load_record("x", RECORD), photos, tables, [])
    assert brought.source == "one.jpg, two.jpg"
    assert [photo.name for photo in brought.photos] == ["one.jpg", "two.jpg"]
    assert brought.read == {"readings": [{"cells": "a"}, {"cells": "b"}]}


@pytest.mark.parametrize(
    ("tables", "photos", "source"),
    [(["-"], [], "standard input"), ([], [], "the command line"), ([], [read_from_photo("a", "a")], "a camera")],
)
def test_where_a_round_without_files_came_from(tables: list[str], photos: list[PhotoTable], source: str) -> None:
    brought = brought_from(load_record("x", RECORD), photos, tables, [])
    assert brought.source == source
    assert brought.photos == ()


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8)
SIMPLE = TEXT | st.integers(-99, 99) | st.booleans()
TABLES = st.dictionaries(TEXT, SIMPLE | st.lists(SIMPLE, max_size=3), max_size=3)


@given(st.dictionaries(TEXT, SIMPLE | TABLES | st.lists(TABLES, max_size=2) | st.lists(SIMPLE, max_size=3), max_size=5))
def test_a_record_written_anew_reads_in_again_unchanged(values: dict[str, Any]) -> None:
    document = load_record("empty", "", "toml")
    for key, value in values.items():
        document = document.with_flag([key], value, "flag")
    assert to_plain(load_record("again", record_text(document), "toml").root) == values


def test_a_record_of_json_is_kept_as_it_is() -> None:
    text = '{"game": "durian"}'
    document: Document = load_record("a.json", text)
    assert record_text(document) == text
