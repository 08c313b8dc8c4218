"""Files to write: never over what the same command reads, never over a draft, and refused before any work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from durian_assist.resources import shipped
from tests.conftest import Run

RECORD = 'game = "smuggler"\ngrid = """\n' + ". . . . .\n" * 2 + ". . ## . .\n" + ". . . . .\n" * 2 + '"""\n'


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is no picture: reading it would be another error."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.jpg"
    path.write_bytes(b"\xff\xd8 my only photo")
    return path


@pytest.mark.parametrize(
    "args",
    [
        ["smuggler", "score", "mine.jpg", "--overlay", "./mine.jpg"],
        ["smuggler", "score", "mine.jpg", "--overlay", "link.jpg"],
        ["durian", "call", "mine.jpg", "--overlay", "mine.jpg"],
        ["dash", "score", "Ann=mine.jpg", "--overlay", "mine.jpg"],
        ["dash", "score", "Ann=a-1.jpg", "Bo=mine.jpg", "--overlay", "a.jpg"],
        ["smuggler", "score", "--camera", "mine.jpg", "--overlay", "mine.jpg"],
        ["read", "dash", "mine.jpg", "--overlay", "mine.jpg"],
        ["read", "cards", "mine.jpg", "--overlay", "mine.jpg"],
        ["calibrate", "deck", "d", "--game", "cards", "mine.jpg", "--labels", "x", "--sheet", "mine.jpg"],
    ],
)
def test_no_photo_is_written_over(args: list[str], photo: Path, run: Run) -> None:
    before = photo.read_bytes()
    (photo.parent / "link.jpg").symlink_to(photo)
    (photo.parent / "a-1.jpg").write_bytes(before)
    result = run(*args)
    assert result.exit_code == 2
    assert "writing it would destroy it" in result.stderr
    assert photo.read_bytes() == before


@pytest.mark.parametrize("args", [["smuggler", "score"], ["read", "cards"], ["read", "durian"]])
def test_a_bad_name_of_an_overlay_is_refused_before_reading(args: list[str], photo: Path, run: Run) -> None:
    result = run(*args, photo, "--overlay", "seen.txt")
    assert (result.exit_code, "this is no name of a picture file" in result.stderr) == (2, True)


@pytest.mark.parametrize("args", [["smuggler", "score", "mine.jpg"], ["smuggler", "check", "-"], ["read", "dash", "x"]])
def test_a_draft_never_overwrites_a_file(args: list[str], photo: Path, run: Run) -> None:
    kept = photo.parent / "keep.toml"
    kept.write_text("# annotated by hand\n", encoding="utf-8")
    result = run(*args, "--draft", "keep.toml", stdin=RECORD)
    assert result.exit_code == 2
    assert "--draft keep.toml: this file is there already" in result.stderr
    assert kept.read_text(encoding="utf-8") == "# annotated by hand\n"


def test_an_empty_file_may_become_a_draft(photo: Path, run: Run) -> None:
    (photo.parent / "new.toml").touch()
    assert run("smuggler", "score", "-", "--partial", "--draft", "new.toml", stdin=RECORD).exit_code == 0
    assert (photo.parent / "new.toml").read_text(encoding="utf-8") == RECORD


def test_draft_and_overlay_of_two_players_are_there_where_a_person_is_needed(run: Run, tmp_path: Path) -> None:
    """A card covered in the first photo: exit 4, with everything that helps to say what it is."""
    import cv2

    source = shipped("sample_images", "dash-collection-00.jpg")
    cards = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))["cards"]
    pixels = cv2.imread(str(source))
    assert pixels is not None
    own = [card["corners"] for card in cards if card["role"] == "collection"]
    for x, y in own[-1]:
        cv2.circle(pixels, (round(x), round(y)), 60, (255, 255, 255), -1)
    covered = tmp_path / "covered.jpg"
    cv2.imwrite(str(covered), cv2.GaussianBlur(pixels, (0, 0), 9))
    other = shipped("sample_images", "dash-collection-03.jpg")
    draft, overlay = tmp_path / "d.toml", tmp_path / "seen.png"
    tables = (f"Ann={covered}", f"Bo={other}", "--deck", "harbour-dash")
    result = run("dash", "score", *tables, "--draft", draft, "--overlay", overlay)
    assert result.exit_code == 4, result.output
    assert {path.name for path in tmp_path.glob("*.png")} == {"seen-1.png", "seen-2.png"}
    text = draft.read_text(encoding="utf-8")
    assert "# uncertain: Ann, " in text
    assert 'game = "dash"' in text
    assert "that nobody has confirmed" in run("dash", "score", draft).output


@pytest.mark.parametrize("other", ["book.sqlite", "other.sqlite", "link.svg"])
def test_a_session_book_is_never_written_over(other: str, run: Run, tmp_path: Path) -> None:
    book = tmp_path / "book.sqlite"
    session = ("session", "new", "Friday", "--game", "dash", "--player", "Ann", "--player", "Bo")
    for file in (book, tmp_path / "other.sqlite"):
        assert run(*session, "--db", file).exit_code == 0
    (tmp_path / "link.svg").symlink_to(book)
    before = (tmp_path / other).read_bytes()
    verb = "chart" if other == "link.svg" else "export"
    refused = run("session", verb, "Friday", "--out", tmp_path / other, "--db", book)
    assert (refused.exit_code, "writing it would destroy it" in refused.output) == (2, True)
    assert (tmp_path / other).read_bytes() == before


@pytest.mark.parametrize("option", ["--save", "--db", "--draft", "--overlay", "--deck", "--camera"])
def test_an_option_that_names_nothing_is_refused(option: str, run: Run) -> None:
    refused = run("smuggler", "score", "-", "--partial", option, "", stdin=RECORD)
    assert (refused.exit_code, f"{option}: nothing is named" in refused.output) == (2, True)
