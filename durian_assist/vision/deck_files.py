"""Deck profiles to and from their folders."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.records.write import toml_line
from durian_assist.vision.deck_profile import CardClass, DeckProfile, DeckTable, Pixels
from durian_assist.vision.deck_shelf import DECK_FILE, GAMES

FORMAT = 1
_QUALITY = 95
_RECALIBRATE = "Calibrate the deck again (`durian-assist calibrate deck`), or restore the folder from a copy."
_UNIT_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def read_profile(folder: Path, game: str | None = None) -> DeckProfile:
    """The deck of a folder. Raises InputError for a damaged one or one of another game than asked for."""
    head = _head(folder / DECK_FILE)
    profile = _profile(folder, head)
    if game not in (None, "cards", profile.game):
        raise InputError(
            f"this deck is for {profile.game}, not for {game}",
            where=f"deck {profile.name}",
            mend=f"Choose a deck of {game}: `durian-assist calibrate list` shows them.",
        )
    return profile


def _head(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"the deck folder has no {DECK_FILE}", where=str(path.parent), mend=_RECALIBRATE) from None
    except OSError as error:
        raise unusable("the deck cannot be read", path, error, otherwise="name another deck with --deck") from None
    except ValueError as error:
        raise InputError(f"the deck's file is damaged: {error}", where=str(path), mend=_RECALIBRATE) from None


def _profile(folder: Path, head: Mapping[str, object]) -> DeckProfile:
    path = folder / DECK_FILE
    try:
        name, game, form = str(head["name"]), str(head["game"]), head.get("format")
        listed = [dict(item) for item in _tables(head, "class")]
        table = tuple(
            DeckTable(str(t["name"]), int(t["cards"]), int(t["durians"]), int(t["badge"]))
            for t in _tables(head, "type")
        )
        weakest = tuple((str(w["first"]), str(w["second"]), float(w["margin"])) for w in _tables(head, "weakest"))
        classes = tuple(_class(folder, item) for item in listed)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the deck's file is damaged: {_said(error)}", where=str(path), mend=_RECALIBRATE) from None
    if form != FORMAT or game not in GAMES or not classes:
        fault = "it lists no classes" if form == FORMAT and game in GAMES else "its format or game is not known"
        raise InputError(f"the deck's file cannot be used: {fault}", where=str(path), mend=_RECALIBRATE)
    extra = {key: head[key] for key in ("calibrated", "photos", "note") if key in head}
    return DeckProfile(name, game, folder, classes, table, weakest, extra)


def _said(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _tables(head: Mapping[str, object], key: str) -> list[Mapping[str, str]]:
    value = head.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise TypeError(f"[[{key}]] is not a list of tables")
    return value


def _class(folder: Path, item: Mapping[str, object]) -> CardClass:
    names, points = item["references"], item.get("outline")
    if not isinstance(names, list) or not names:
        raise ValueError(f"class {item['name']} has no references")
    outline = _UNIT_SQUARE.copy() if points is None else np.array(points, np.float64).reshape(-1, 2)
    references = tuple(_picture(folder / str(name)) for name in names)
    if len({reference.shape for reference in references}) != 1:
        raise ValueError(f"the references of {item['name']} differ in size")
    return CardClass(str(item["name"]), references, outline, str(item["size_group"]))


def _picture(path: Path) -> Pixels:
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise InputError("a reference image of the deck is missing", where=str(path), mend=_RECALIBRATE) from None
    except OSError as error:
        what = "a reference image of the deck cannot be read"
        raise unusable(what, path, error, otherwise="name another deck with --deck") from None
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise InputError("a reference image of the deck is damaged", where=str(path), mend=_RECALIBRATE)
    return np.asarray(picture, np.uint8)


def write_profile(profile: DeckProfile) -> None:
    """Write the deck to its folder; pictures that are not its own are taken away. Raises InputError."""
    pictures = profile.folder / "references"
    try:
        pictures.mkdir(parents=True, exist_ok=True)
        kept = {_write_pictures(pictures, card): card for card in profile.classes}
        named = {name for names in kept for name in names}
        for old in pictures.glob("*.jpg"):
            if old.name not in named:
                old.unlink()
        (profile.folder / DECK_FILE).write_text(_deck_text(profile, kept), encoding="utf-8")
    except OSError as error:
        where = Path(os.fsdecode(error.filename)) if error.filename else profile.folder
        raise unusable("the deck cannot be written", where, error, otherwise="name another with --to FOLDER") from None


def _write_pictures(folder: Path, card: CardClass) -> tuple[str, ...]:
    stem = re.sub(r"[^A-Za-z0-9]+", "-", card.name).strip("-").lower() or "class"
    mark = "" if re.fullmatch(r"[a-z0-9/-]+", card.name) else f"-{card.name.encode().hex()[:12]}"
    names = []
    for number, reference in enumerate(card.references, 1):
        name = f"{stem}{mark}-{number}.jpg"
        _, data = cv2.imencode(".jpg", reference, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        (folder / name).write_bytes(data.tobytes())
        names.append(name)
    return tuple(names)


def _deck_text(profile: DeckProfile, pictures: Mapping[tuple[str, ...], CardClass]) -> str:
    lines = [toml_line("format", FORMAT), toml_line("name", profile.name), toml_line("game", profile.game)]
    lines += [toml_line(key, value) for key, value in profile.extra.items()]
    for kind in profile.table:
        lines += ["", "[[type]]", toml_line("name", kind.name), toml_line("cards", kind.cards)]
        lines += [toml_line("durians", kind.durians), toml_line("badge", kind.badge)]
    for first, second, margin in profile.weakest:
        lines += ["", "[[weakest]]", toml_line("first", first), toml_line("second", second)]
        lines += [toml_line("margin", round(margin, 3))]
    for names, card in pictures.items():
        lines += ["", "[[class]]", toml_line("name", card.name), toml_line("size_group", card.size_group)]
        lines += [toml_line("references", [f"references/{name}" for name in names])]
        if not card.four_sided:
            lines += [toml_line("outline", _rounded(card.outline))]
    return "\n".join(lines) + "\n"


def _rounded(outline: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 4), round(float(y), 4)] for x, y in outline]
