"""`calibrate deck|list|show|test|camera`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from durian_assist.cli.main import Group
from durian_assist.cli.options import json_option
from durian_assist.cli.output import emit_json, say, table, tell
from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.vision.deck_profile import DeckProfile

GAMES = ("smuggler", "durian", "dash", "cards")


@click.group(cls=Group)
def group() -> None:
    """Teach the program a deck from photos of its cards."""


@group.command("deck")
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=str))
@click.option("--game", required=True, type=click.Choice(GAMES), help="The game that the deck is for.")
@click.option("--labels", metavar="FILE", type=click.Path(path_type=str), help="One class a line, in reading order.")
@click.option(
    "--table", "table_file", metavar="FILE", type=click.Path(path_type=str), help="The deck table (Smuggler)."
)
@click.option("--fresh", is_flag=True, help="Forget what earlier photos of this deck taught.")
@click.option("--folder", metavar="FOLDER", type=click.Path(path_type=str), help="Write the profile here.")
@json_option
def deck(name: str, photos: tuple[str, ...], as_json: bool, **wishes: Any) -> None:
    """Learn the deck NAME from PHOTOs of its cards laid out in rows with gaps, upright.

    \b
    The labels file names one class a line, in reading order over all photos in turn:
      # photo fronts.jpg
      red/durian/6
      red/empty
      centre
    Further photos of the same cards make a deck better.
    """
    from durian_assist.cli.calibrating import learn

    profile = learn(name, photos, **wishes)
    if as_json:
        emit_json(_described(profile))
        return
    count = len(profile.classes)
    learnt = f"{count} class{'es' if count != 1 else ''} learnt from {len(photos)} photo{'s' * (len(photos) > 1)}"
    say(f"{profile.name}: {learnt}.")
    say(f"Written to {profile.folder}.")
    if profile.weakest:
        say("Most easily confused (a small margin asks for more photos of these two):")
        say(table([(a, b, f"{margin:.2f}") for a, b, margin in profile.weakest], ["class", "class", "margin"]))


def _described(profile: DeckProfile) -> dict[str, object]:
    return {
        "deck": profile.name,
        "game": profile.game,
        "folder": str(profile.folder),
        "classes": [card.name for card in profile.classes],
        "references": {card.name: len(card.references) for card in profile.classes},
        "weakest": [{"classes": [a, b], "margin": round(margin, 4)} for a, b, margin in profile.weakest],
    }


@group.command("list")
@json_option
def list_decks(as_json: bool) -> None:
    """List the decks that --deck can name, and which one is the default of its game."""
    from durian_assist.vision.deck_shelf import decks

    entries = decks()
    newest = {entry.game: entry.name for entry in sorted(entries, key=lambda e: e.calibrated) if not entry.shipped}
    if as_json:
        found = [
            {
                "deck": e.name,
                "game": e.game,
                "folder": str(e.folder),
                "calibrated": e.calibrated,
                "shipped": e.shipped,
                "default": newest.get(e.game) == e.name and not e.shipped,
            }
            for e in entries
        ]
        emit_json({"decks": found})
        return
    rows = []
    for entry in entries:
        note = "of the sample photos" if entry.shipped else "default" if newest.get(entry.game) == entry.name else ""
        rows.append((entry.name, entry.game, entry.calibrated, note))
    say(
        table(rows, ["deck", "game", "calibrated", ""])
        if rows
        else "No decks yet: `durian-assist calibrate deck` makes one."
    )


@group.command("show")
@click.argument("name", metavar="DECK")
@click.option("--out", metavar="FILE", type=click.Path(path_type=str), help="The contact sheet (default DECK.png).")
@json_option
def show(name: str, out: str | None, as_json: bool) -> None:
    """Show what a deck's profile knows, and write a contact sheet of its references."""
    from durian_assist.cli.calibrating import contact_sheet
    from durian_assist.vision.deck_profile import load_profile
    from durian_assist.vision.picture import write_picture

    profile = load_profile(name)
    path = Path(out or f"{profile.name}.png")
    write_picture(path, contact_sheet(profile))
    if as_json:
        emit_json(_described(profile) | {"sheet": str(path)})
        return
    say(f"{profile.name}, a deck for {profile.game}: {profile.folder}")
    say(table([(c.name, len(c.references), c.size_group) for c in profile.classes], ["class", "references", "size"]))
    if profile.table:
        say()
        say(
            table([(t.name, t.cards, t.durians, t.badge) for t in profile.table], ["type", "cards", "durians", "badge"])
        )
    if profile.weakest:
        say()
        say(table([(a, b, f"{m:.2f}") for a, b, m in profile.weakest], ["most easily", "confused", "margin"]))
    say(f"\nContact sheet: {path}")


@group.command("test")
@click.argument("name", metavar="DECK")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=str))
@click.option("--truth", is_flag=True, help="Compare with the truth file beside each photo (same name, .json).")
@json_option
def test(name: str, photos: tuple[str, ...], truth: bool, as_json: bool) -> None:
    """Read PHOTOs with a deck and, with --truth, say how many cards are right, uncertain or wrong."""
    from durian_assist.cli.calibrating import tested

    if not truth:
        mend = "Write NAME.json beside each photo as sample_images/README.md describes, and say --truth."
        raise UsageError("there is nothing to compare with", where="calibrate test", mend=mend)
    results = tested(name, photos)
    total = {key: sum(r.as_dict()[key] for r in results.values()) for key in ("cards", "right", "uncertain", "silent")}
    if as_json:
        each = [{"photo": photo, **r.as_dict(), "notes": r.notes} for photo, r in results.items()]
        accuracy = total["right"] / total["cards"] if total["cards"] else None
        emit_json({"deck": name, **total, "accuracy": accuracy, "photos": each})
        return
    rows = [(photo, *r.as_dict().values()) for photo, r in results.items()] + [("all", *total.values())]
    say(table(rows, ["photo", "cards", "right", "uncertain", "silently wrong"], right=(1, 2, 3, 4)))
    for photo, result in results.items():
        for note in result.notes:
            tell(f"{photo}: {note}")


@group.command("camera")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=str))
@click.option("--board", default="9x6", metavar="COLUMNSxROWS", help="Inner corners of the chessboard (default 9x6).")
@click.option("--source", default="0", metavar="SOURCE", help="The camera as --camera names it (default 0).")
@json_option
def camera(photos: tuple[str, ...], board: str, source: str, as_json: bool) -> None:
    """Learn a camera's lens from PHOTOs of a chessboard, so that --camera pictures are straightened.

    Photos from phones need none of this: tables are read with the lens as it is.
    """
    from durian_assist.cli.calibrating import inner_corners, write_lens
    from durian_assist.vision.camera import learn_lens
    from durian_assist.vision.photo import load_photo

    lens = learn_lens([load_photo(photo) for photo in photos], inner_corners(board))
    path = write_lens(source, lens)
    if as_json:
        emit_json({"camera": source, "error": lens.error, "size": list(lens.size), "file": str(path)})
        return
    say(f"Camera {source}: {len(photos)} photos, corners off by {lens.error:.2f} pixels. Written to {path}.")
    if lens.error > 1.0:
        raise InputError(
            "the lens was not found well", mend="Take more photos of a flat board, from more sides, held still."
        )
