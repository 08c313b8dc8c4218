"""What the calibrate commands do: labels and photos to a profile, contact sheets, tests against truth, lenses."""

from __future__ import annotations

import datetime
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durian_assist.cli.output import tell
from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.vision.calibrate_deck import Labelled
    from durian_assist.vision.camera import Lens
    from durian_assist.vision.deck_profile import DeckProfile, DeckTable
    from durian_assist.vision.photo import Photo, Pixels
    from durian_assist.vision.truth import Judged

_SHEET_GREY = 160
_NAME = re.compile(r"[^\W_][\w .+-]{0,59}")


def learn(
    name: str,
    photos: Sequence[str],
    *,
    game: str,
    labels: str | None,
    table_file: str | None,
    fresh: bool,
    folder: str | None,
) -> DeckProfile:
    """Calibrate and write the profile. Nothing is written unless every photo is good."""
    from durian_assist.vision.calibrate_deck import calibrated
    from durian_assist.vision.deck_files import read_profile, write_profile
    from durian_assist.vision.deck_shelf import DECK_FILE, user_decks_folder

    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        mend = "Use letters, digits, spaces, hyphens."
        raise UsageError("this is no name for a deck", where=f"calibrate deck {name}", mend=mend)
    target = Path(folder) if folder else user_decks_folder() / name
    known = read_profile(target, game) if (target / DECK_FILE).exists() and not fresh else None
    deck_table = _deck_table(table_file)
    labelled = _labelled(photos, labels)
    before = known.extra.get("photos", []) if known else []
    assert isinstance(before, list)
    extra = {
        "calibrated": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "photos": [*before, *(Path(photo).name for photo in photos)],
    }
    profile = calibrated(name, game, target, labelled, deck_table, known, extra)
    try:
        target.mkdir(parents=True, exist_ok=True)
        write_profile(profile)
    except OSError as error:
        raise InputError(f"the deck cannot be written: {error.strerror}", where=str(target)) from None
    return profile


def _deck_table(file: str | None) -> tuple[DeckTable, ...]:
    from durian_assist.vision.deck_profile import DeckTable

    if file is None:
        return ()
    from durian_assist.smuggler.deck import read_deck

    found = read_deck(Path(file))
    if found is None:
        raise InputError(
            "there is no [[type]] in it", where=file, mend="Give name, cards, durians, badge of each type."
        )
    return tuple(DeckTable(*kind) for kind in found.types.values())


def _labelled(photos: Sequence[str], labels: str | None) -> list[Labelled]:
    from durian_assist.records.document import read_text
    from durian_assist.vision.calibrate_deck import Labelled
    from durian_assist.vision.labels import parse_labels, sections_for
    from durian_assist.vision.photo import load_photo

    if labels is None:
        return [_asked(load_photo(photo)) for photo in photos]
    names = sections_for(labels, parse_labels(labels, read_text(Path(labels))), photos)
    return [Labelled(load_photo(photo), own) for photo, own in zip(photos, names, strict=True)]


def _asked(photo: Photo) -> Labelled:
    """Ask what each piece in the photo is, with one sheet of crops to look at."""
    from durian_assist.vision.calibrate_deck import Labelled, faces_of
    from durian_assist.vision.find_cards import find_cards

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        mend = "Give --labels FILE with one class a line, in reading order."
        raise UsageError("no terminal is there to ask what the cards are", where="calibrate deck", mend=mend)
    guess = len(find_cards(photo.pixels)) or None
    count = click.prompt(f"{photo.name}: how many pieces lie there?", type=click.IntRange(1), default=guess, err=True)
    faces = faces_of(Labelled(photo, tuple(f"piece {number}" for number in range(1, count + 1))))
    pieces = [[(float(x), float(y)) for x, y in face.corners] for face in faces]
    tell(f"Look at the pieces here: {_sheet(photo, pieces)}")
    names = [click.prompt(f"What is number {number}?", type=str, err=True) for number in range(1, count + 1)]
    return Labelled(photo, tuple(name.strip() for name in names))


def _sheet(photo: Photo, pieces: Sequence[Sequence[tuple[float, float]]]) -> Path:
    import tempfile

    from durian_assist.vision.overlay import crop_sheet
    from durian_assist.vision.picture import write_picture

    path = Path(tempfile.mkdtemp(prefix="durian-assist-")) / "pieces.png"
    write_picture(path, crop_sheet([(photo.pixels, corners, str(n)) for n, corners in enumerate(pieces, 1)]))
    return path


def contact_sheet(profile: DeckProfile) -> Pixels:
    """All references of a deck on one sheet, each with its class."""
    import numpy as np

    from durian_assist.vision.overlay import crop_sheet

    crops = []
    for card in profile.classes:
        for number, reference in enumerate(card.references, 1):
            high, wide = reference.shape[:2]
            edge = max(high, wide) // 4
            framed = np.pad(reference, ((edge, edge), (edge, edge), (0, 0)), constant_values=_SHEET_GREY)
            box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) + edge
            crops.append((framed, [(float(x), float(y)) for x, y in box], f"{card.name} {number}"))
    return crop_sheet(crops)


def tested(deck: str, photos: Sequence[str]) -> dict[str, Judged]:
    """Each photo read and compared with the truth file beside it. Raises InputError where that is missing or broken."""
    from durian_assist.cli.photo_in import read_only
    from durian_assist.cli.tables_in import PhotoWishes
    from durian_assist.vision.truth import judge

    results = {}
    for photo in photos:
        truth = _truth(Path(photo).with_suffix(".json"))
        game = str(truth["game"])
        reading = read_only(game, [photo], PhotoWishes(deck=deck)).reading
        results[photo] = judge(truth, reading.to_json())
    return results


def _truth(path: Path) -> dict[str, object]:
    mend = "sample_images/README.md says what a truth file holds."
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the truth cannot be read: {error.strerror}", where=str(path), mend=mend) from None
    except ValueError as error:
        raise InputError(f"the truth is no JSON: {error}", where=str(path), mend=mend) from None
    if not isinstance(truth, dict) or truth.get("game") not in {"smuggler", "durian", "dash"} or "cards" not in truth:
        raise InputError("this is no truth file of a table", where=str(path), mend=mend)
    return truth


def inner_corners(text: str) -> tuple[int, int]:
    """`9x6` to its numbers. Raises UsageError."""
    match = re.fullmatch(r"(\d{1,2})[x×](\d{1,2})", text.strip().casefold())
    if match is None or min(int(match[1]), int(match[2])) < 3:
        raise UsageError("a board is COLUMNSxROWS of inner corners", where=f"--board {text}", mend="For example 9x6.")
    return int(match[1]), int(match[2])


def lens_file(source: str) -> Path:
    """Where the lens of a camera is kept."""
    import platformdirs

    safe = re.sub(r"\W+", "-", source).strip("-") or "camera"
    return Path(platformdirs.user_data_dir("durian-assist", appauthor=False)) / "cameras" / f"{safe}.json"


def write_lens(source: str, lens: Lens) -> Path:
    """Keep a lens. Raises InputError where it cannot be written."""
    path = lens_file(source)
    body = {
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "size": lens.size,
        "error": lens.error,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(body), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from None
    return path


def read_lens(source: str) -> Lens | None:
    """The lens kept for a camera, or None. Raises InputError for a damaged file."""
    import numpy as np

    from durian_assist.vision.camera import Lens

    path = lens_file(source)
    if not path.exists():
        return None
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        matrix, distortion = np.array(body["matrix"], np.float64), np.array(body["distortion"], np.float64)
        lens = Lens(
            matrix.reshape(3, 3),
            distortion.reshape(5),
            (int(body["size"][0]), int(body["size"][1])),
            float(body["error"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        mend = "Run `durian-assist calibrate camera` again, or delete the file."
        raise InputError("the camera's file is damaged", where=str(path), mend=mend) from None
    return lens
