"""What the command line says about a table of Durian Smuggler, laid over its record: flags and `--set`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from durian_assist.cli.tables_in import Loaded, PhotoWishes, load_tables
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.errors import InputError, UsageError
from durian_assist.records.document import Document, Node, flag_node, load_record
from durian_assist.records.reader import Reader
from durian_assist.records.source import RecordError, Span
from durian_assist.smuggler.deck import DeckTable, LuggageType, read_deck
from durian_assist.smuggler.geometry import CENTRE, SIDES, SIZE, place_of
from durian_assist.smuggler.notation import NotationError, parse_card, parse_cell
from durian_assist.smuggler.record import words
from durian_assist.smuggler.scoring import NobodySits

# Without a TABLE, `--set` lays cards on an empty table.
_EMPTY = 'grid = """\n' + ". . . . .\n" * 2 + ". . ## . .\n" + ". . . . .\n" * 2 + '"""\n'


@dataclass(frozen=True, slots=True)
class Flags:
    """Flags of the game's commands; what is None or empty was not given."""

    seats: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    mode: str | None = None
    smuggler: tuple[str, ...] = ()
    starts: str | None = None


def load_smuggler(tables: Sequence[str], wishes: PhotoWishes, flags: Flags) -> Loaded:
    """The table with flags and corrections in it. Raises as `load_tables` does, and UsageError for a bad flag."""
    if not tables and wishes.camera is None and wishes.corrections:
        loaded = Loaded(load_record("command line", _EMPTY, "toml"), None, wishes.corrections)
    else:
        loaded = load_tables("smuggler", tables, wishes, lambda read: with_flags(read, flags))
    document = with_flags(loaded.document, flags, loaded.corrections)
    return replace(loaded, document=document, corrections=())


def deck_of(loaded: Loaded, deck: str | None) -> DeckTable | None:
    """The deck table: that of the photo's deck, or of the deck named for a record. Raises InputError."""
    if loaded.photo is not None:
        kinds = loaded.photo.profile.table
        return DeckTable({k.name: LuggageType(k.name, k.cards, k.durians, k.badge) for k in kinds}) if kinds else None
    return read_deck(deck_file(deck)) if deck else None


def placed(error: NobodySits, loaded: Loaded) -> InputError:
    """The error with the places of its cards in a record; as it is for a photo, whose record nobody wrote."""
    grid = _table(loaded.document).get("grid")
    if loaded.photo is not None or grid is None:
        return error
    reader = Reader(loaded.document)
    rows = [line for node in (grid.value if isinstance(grid.value, list) else [grid]) for line in words(node)]
    for cell in error.cells:
        row, column = divmod(cell, SIZE)
        reader.fault(
            rows[row][column][0],
            f"nobody sits at {error.side}, but this card points there",
            expected="the side of a player",
            mend=error.mend,
            rule="smuggler.empty-seat",
        )
    return RecordError(reader.faults)


def deck_file(deck: str) -> Path:
    """The `deck.toml` of a deck's folder or name, or a deck table in a file of its own. Raises InputError."""
    path = Path(deck)
    if path.is_file():
        return path
    from durian_assist.vision.deck_shelf import DECK_FILE, folder_of

    return folder_of(deck, "smuggler") / DECK_FILE


def with_flags(document: Document, flags: Flags, corrections: Sequence[str] = ()) -> Document:
    """A record with flags and `--set` corrections in it. Raises UsageError, and RecordError for a bad card."""
    for key in ("mode", "starts"):
        text = getattr(flags, key)
        if text is not None:
            document = document.with_node([key], flag_node(f"--{key}", text))
    if _cooperative(flags.mode) and not flags.smuggler and "smuggler" in _table(document):
        # The flag wins over the record, whoever was the Smuggler there.
        document = document.with_flag(["smuggler"], "none", f"--mode {flags.mode}")
    if len(flags.smuggler) == 1:
        document = document.with_node(["smuggler"], flag_node("--smuggler", flags.smuggler[0]))
    elif flags.smuggler:
        nodes = [flag_node("--smuggler", text) for text in flags.smuggler]
        document = document.with_node(["smuggler"], Node(nodes, nodes[1].span, nodes[1].key))
    seats = _one_by_one(flags.seats)
    _each_once("--seat", seats)
    for text in seats:
        side, start = _side(document, "seats", "--seat", text)
        document = document.with_node(["seats", side], flag_node("--seat", text, start))
    _each_once("--hand", flags.hands)
    for text in flags.hands:
        side, start = _side(document, "hands", "--hand", text)
        document = document.with_node(["hands", side], _cards("--hand", text, start)).settled(f"hand of {side}")
    for text in corrections:
        document = _corrected(document, text)
    return document


def _cooperative(mode: str | None) -> bool:
    """Does `--mode` say cooperative?"""
    try:
        return mode is not None and resolve(mode, ("cooperative", "competitive")) == "cooperative"
    except UnknownName:
        return False


def _table(document: Document) -> dict[str, Node]:
    """The record's keys."""
    return document.root.value if isinstance(document.root.value, dict) else {}


def _one_by_one(texts: Sequence[str]) -> list[str]:
    """`south=Ann,west=Bo` as two. Raises UsageError for a name with a sign that stands between names and sides."""
    seats = [seat for text in texts for seat in text.split(",")]
    for seat in seats:
        if seat.count("=") != 1:
            mend = 'For example --seat south=Ann,west=Bo; a name has no "," and no "=".'
            raise UsageError("this has the form SIDE=NAME", where=f"--seat {seat}", mend=mend)
    return seats


def _each_once(flag: str, texts: Sequence[str]) -> None:
    """Raise UsageError where a flag names a side twice: the first would be lost."""
    named: set[str] = set()
    for text in texts:
        side = next((s for s in SIDES if s.startswith(fold(text.partition("=")[0]))), "")
        if side and side in named:
            mend = "Give a side once; several cards with commas: --hand south=red6,green-."
            raise UsageError(f"{side} is given twice", where=f"{flag} {text}", mend=mend)
        named.add(side)


def _side(document: Document, table: str, flag: str, text: str) -> tuple[str, int]:
    """The key of the side that a flag `SIDE=VALUE` names, as the record writes it, and where the value starts."""
    name, equals, _ = text.partition("=")
    if not equals:
        mend = "For example --hand south=red6,green-."
        raise UsageError("this has the form SIDE=VALUE", where=f"{flag} {text}", mend=mend)
    try:
        side = resolve(name, SIDES)
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"{flag} {text}", mend=f"The sides are {listed(SIDES)}.") from None
    node = _table(document).get(table)
    keys = list(node.value) if node is not None and isinstance(node.value, dict) else []
    return next((key for key in keys if fold(key) and side.startswith(fold(key))), side), len(name) + 1


def _cards(flag: str, text: str, start: int) -> Node:
    """Cards with commas between, as a list with the place of each. Raises UsageError where a second side begins."""
    nodes, at = [], start
    for part in text[start:].split(","):
        if "=" in part:
            mend = "Give one side each and repeat it: --hand south=red6 --hand west=green-."
            raise UsageError("a second side begins here", where=f"{flag} {text}", mend=mend)
        if part.strip() not in {"", "."}:
            lead = len(part) - len(part.lstrip())
            nodes.append(flag_node(flag, text, at + lead, at + len(part.rstrip())))
        at += len(part) + 1
    whole = flag_node(flag, text, start)
    return Node(nodes, whole.span, whole.span)


def _corrected(document: Document, text: str) -> Document:
    """`--set 3,2=red6v` or `--set hand.south=red6,green-` on a record."""
    key, equals, value = text.partition("=")
    where = f"--set {text}"
    if not equals or not value.strip():
        mend = "For example --set 3,2=red6v, --set 3,2=. or --set hand.south=red6."
        raise UsageError("a correction is CELL=VALUE", where=where, mend=mend)
    if fold(key).startswith("hand."):
        side, _ = _side(document, "hands", "--set", text.strip()[len("hand.") :])
        return document.with_node(["hands", side], _cards("--set", text, len(key) + 1)).settled(f"hand of {side}")
    cell = parse_cell(key)
    if cell is None or cell == CENTRE:
        mend = "Cells are ROW,COLUMN from 1,1 (far left) to 5,5; the centre card at 3,3 stays; a hand is hand.south."
        raise UsageError(f'"{key.strip()}" is no cell for a luggage card', where=where, mend=mend)
    _check_card(text, len(key) + 1)
    row, column = place_of(cell)
    laid = _with_cell(document, cell, value.strip(), flag_node("--set", text, len(key) + 1).span)
    return laid.settled(f"row {row} column {column}")


def _check_card(text: str, start: int) -> None:
    """Refuse a bad card where it was typed. Types are checked later, with the deck."""
    node = flag_node("--set", text, start)
    card = str(node.value).strip()
    if card == ".":
        return
    try:
        parse_card(card, None)
    except NotationError as error:
        if error.message.startswith("the badge of *"):
            return
        reader = Reader(Document(node.span.source, node))
        reader.fault(node, error.message, expected=error.expected, found=f'"{card}"', mend=error.mend)
        reader.finish()


def _with_cell(document: Document, cell: int, card: str, said: Span) -> Document:
    """The record with one cell of its grid replaced, `said` in a flag; a grid that has no such cell stays for the
    reader to refuse."""
    grid = _table(document).get("grid")
    if grid is None:
        return document
    row, column = divmod(cell, SIZE)
    if isinstance(grid.value, list):
        if row >= len(grid.value):
            return document
        rows = list(grid.value)
        rows[row], place = _replaced_word(rows[row], 0, column, card)
        grid = Node(rows, grid.span, grid.key)
    else:
        text, start = str(grid.value), 0
        lines = []
        for line in text.split("\n"):
            if line.strip():
                lines.append(start)
            start += len(line) + 1
        if row >= len(lines):
            return document
        grid, place = _replaced_word(grid, lines[row], column, card)
    laid = replace(document, laid=(*document.laid, (place, said))) if place else document
    return laid.with_node(["grid"], grid)


def _replaced_word(node: Node, start: int, column: int, word: str) -> tuple[Node, Span | None]:
    """The text of a node with word number `column` from `start` on replaced, and where the old one stood; places stay
    those of the old word."""
    text = str(node.value)
    end = text.find("\n", start)
    words = list(re.finditer(r"\S+", text[start : end if end >= 0 else None]))
    if column >= len(words):
        return node, None
    first, last = start + words[column].start(), start + words[column].end()
    offsets = node.offsets
    if offsets is not None:
        offsets = (*offsets[:first], *([offsets[first]] * len(word)), *offsets[last:])
    laid = Node(text[:first] + word + text[last:], node.span, node.key, offsets)
    return laid, node.part(first, last) if node.offsets is not None else None
