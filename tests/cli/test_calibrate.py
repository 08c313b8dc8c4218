"""`calibrate deck|list|show|test|camera`: from drawn photos of a made-up deck to a profile, and every refusal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.conftest import Run
from tests.vision.drawn import Style, photo

LABELS = "# photo one.png\nred/empty\nred/durian/6\nblue/empty\n# photo two.png\nred/back\nblue/back\ncentre\n"
TABLE = '[[type]]\nname = "red"\ncards = 6\ndurians = 2\nbadge = 6\n'
SQUARE = Style(size_mm=(50, 50))
GREEN = (60, 120, 50)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two photos of three cards each, and their labels."""
    cv2.imwrite(str(tmp_path / "one.png"), photo([1, 2, 3], SQUARE, GREEN, columns=3).pixels)
    cv2.imwrite(str(tmp_path / "two.png"), photo([4, 5, 6], SQUARE, GREEN, columns=3).pixels)
    (tmp_path / "deck.labels").write_text(LABELS, encoding="utf-8")
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def calibrate(run: Run, *more: str, photos: tuple[str, ...] = ("one.png", "two.png")) -> dict[str, object]:
    """The JSON answer of `calibrate deck mine`."""
    result = run("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", *more, *photos, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


def test_a_deck_with_the_name_of_a_shipped_one_says_what_that_means(run: Run, folder: Path) -> None:
    args = ("--game", "smuggler", "--labels", "deck.labels", "one.png", "two.png", "--json")
    named = run("calibrate", "deck", "harbour-smuggler", *args)
    assert named.exit_code == 0
    assert "there is a shipped deck of the name harbour-smuggler" in named.stderr
    said = json.loads(named.stdout)
    assert f"delete the folder {said['folder']}" in said["warnings"][0]
    own = run("calibrate", "deck", "harbour-smuggler", "--to", "own", *args)
    assert "shipped" not in own.stderr


def test_a_deck_is_learned_listed_shown_and_tested(run: Run, folder: Path) -> None:
    answer = calibrate(run, "--table", "table.toml")
    assert answer["deck"] == "mine"
    assert answer["classes"] == ["red/empty", "red/durian/6", "blue/empty", "red/back", "blue/back", "centre"]
    assert answer["weakest"]

    listed = json.loads(run("calibrate", "list", "--json").stdout)["decks"]
    assert next((d["name"], d["default"], d["shipped"]) for d in listed) == ("mine", True, False)
    assert "harbour-dash" in run("calibrate", "list").stdout

    shown = json.loads(run("calibrate", "show", "mine", "--json").stdout)
    assert shown["table"] == [{"name": "red", "cards": 6, "durians": 2, "badge": 6}]
    assert cv2.imread(str(folder / shown["sheet"])) is not None
    assert "red/durian/6" in run("calibrate", "show", "mine", "--sheet", "sheet.jpg").stdout

    drawn = photo([1, 3, 5], SQUARE, (120, 160, 190), columns=3, tilt=0.05)
    cv2.imwrite("three.png", drawn.pixels)
    names = ["red/empty", "blue/empty", "blue/back"]
    cards = [{"id": n, "corners": c.tolist()} for n, c in zip(names, drawn.corners, strict=True)]
    Path("three.json").write_text(json.dumps({"cards": cards}), encoding="utf-8")
    tested = json.loads(run("calibrate", "test", "mine", "three.png", "--truth", "--json").stdout)
    assert (tested["cards"], tested["right"], tested["accuracy"]) == (3, 3, 1.0)
    assert "3 of 3" in run("calibrate", "test", "mine", "three.png", "--truth").stdout

    read = json.loads(run("read", "cards", "three.png", "--deck", "mine", "--json").stdout)
    assert read["collection"] == {"blue/back": 1, "blue/empty": 1, "red/empty": 1}


def test_further_photos_add_references_and_fresh_forgets(run: Run, folder: Path) -> None:
    calibrate(run)
    cv2.imwrite("one.png", photo([1, 2, 3], SQUARE, (225, 225, 228), columns=3, tilt=0.04).pixels)
    more = calibrate(run, photos=("one.png",))
    assert more["references"] == {
        "red/empty": 2, "red/durian/6": 2, "blue/empty": 2, "red/back": 1, "blue/back": 1, "centre": 1,
    }  # fmt: skip
    assert calibrate(run, "--fresh", photos=("one.png",))["classes"] == ["red/empty", "red/durian/6", "blue/empty"]


def test_labels_without_photo_lines_go_on_from_photo_to_photo(run: Run, folder: Path) -> None:
    Path("deck.labels").write_text("\n".join(line for line in LABELS.splitlines() if line[0] != "#"), encoding="utf-8")
    assert len(list(calibrate(run)["references"])) == 6  # type: ignore[call-overload]


REFUSALS = [
    pytest.param("red/empty\nred/durian/six\n", "deck.labels:2:1", "no class of a smuggler deck", id="a bad class"),
    pytest.param("# nothing\n", "deck.labels", "names no class", id="no labels"),
    pytest.param("# photo one.png\nred/empty\n", "one.png", "3 pieces found, but the labels name 1", id="count"),
    pytest.param("# photo a\nred/empty\n# photo b\nred/back\n", "deck.labels", "for 2 photos", id="other photos"),
]


@pytest.mark.parametrize(("labels", "where", "says"), REFUSALS)
def test_labels_that_do_not_fit(run: Run, folder: Path, labels: str, where: str, says: str) -> None:
    Path("deck.labels").write_text(labels, encoding="utf-8")
    result = run("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "one.png")
    assert result.exit_code == 3
    assert where in result.stderr
    assert says in result.stderr
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(lambda p: (p * 0.05).astype(np.uint8), "too dark", id="dark"),
        pytest.param(lambda p: cv2.GaussianBlur(p, (0, 0), 14), "blurred", id="blurred"),
        pytest.param(lambda p: np.full_like(p, 255), "washed out", id="white"),
        pytest.param(lambda p: cv2.resize(p, (300, 200)), "too small", id="small"),
        pytest.param(lambda p: p[:, 260:], "cut off", id="a card cut off"),
    ],
)
def test_bad_photos_are_refused_with_the_reason(run: Run, folder: Path, change: object, says: str) -> None:
    good = cv2.imread("one.png")
    assert callable(change)
    cv2.imwrite("one.png", change(good))
    result = run("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "one.png")
    assert result.exit_code == 3
    assert says in result.stderr


def test_command_lines_that_are_wrong(run: Run, folder: Path) -> None:
    without = run("calibrate", "deck", "mine", "--game", "smuggler", "one.png")
    assert without.exit_code == 2
    assert "--labels" in without.stderr
    assert run("calibrate", "deck", "../up", "--game", "dash", "--labels", "deck.labels", "one.png").exit_code == 2
    assert run("calibrate", "deck", "mine", "--game", "chess", "one.png").exit_code == 2
    assert run("calibrate", "show", "nothing").exit_code == 3
    assert run("calibrate", "test", "harbour-dash", "one.png", "--truth").exit_code == 3


def test_a_camera_that_is_not_there(run: Run, folder: Path) -> None:
    result = run("calibrate", "camera", "no-such-video.mp4")
    assert result.exit_code == 3
    assert "no such camera" in result.stderr


def test_classes_that_look_too_much_alike_are_said_loudly(run: Run, folder: Path) -> None:
    """Two classes are the same card: whatever the margin of the others, this pair is named, with the way out."""
    for name, table in (("one.png", GREEN), ("two.png", (120, 160, 190))):
        cv2.imwrite(name, photo([1, 2, 2], SQUARE, table, columns=3).pixels)
    names = "red/empty\nblue/empty\nred/back\n"
    Path("deck.labels").write_text(f"# photo one.png\n{names}# photo two.png\n{names}", encoding="utf-8")
    command = ("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "one.png", "two.png")
    said = run(*command)
    assert said.exit_code == 0
    assert "WARNING: this deck does not tell 1 pair of cards apart well: " in said.stderr
    assert "calibrate deck mine --game smuggler" in said.stderr
    assert {"blue/empty", "red/back"} <= {word.strip(".") for word in said.stderr.split()}
    answer = run(*command, "--fresh", "--json")
    assert json.loads(answer.stdout)["warnings"][0] in answer.stderr
    assert "WARNING" in run("calibrate", "show", "mine").stderr


def test_a_deck_without_such_classes_gives_no_warning(run: Run, folder: Path) -> None:
    result = run("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "one.png", "two.png")
    assert "WARNING" not in result.stderr


def test_a_near_miss_of_a_decks_name_is_answered_with_it(run: Run) -> None:
    assert "Did you mean harbour-smuggler?" in run("calibrate", "show", "Harbor Smuggler").stderr
    far = run("calibrate", "show", "xyz").stderr
    assert "Did you mean" not in far
    assert "harbour-dash" in far


def test_the_weakest_pairs_shown_are_told_anew(run: Run, folder: Path) -> None:
    """What a deck's file holds may have been told otherwise by the program that wrote it."""
    calibrate(run)
    before = json.loads(run("calibrate", "show", "mine", "--json").stdout)
    file = Path(before["folder"]) / "deck.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"margin = .*", "margin = -0.5", text), encoding="utf-8")
    shown = json.loads(run("calibrate", "show", "mine", "--json").stdout)
    assert "margin = -0.5" in file.read_text(encoding="utf-8")
    assert shown["weakest"] == before["weakest"]
