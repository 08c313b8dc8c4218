"""Photos of Durian Dash to a reading: one player's collection with a preference card, or the market's two rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import InputError
from durian_assist.vision.dash_combine import Pile, check_same
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_market import market_rows, unseen_rows
from durian_assist.vision.dash_seen import SeenCard, SeenTable, dash_deck, is_variety
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Corner, Mark, Uncertain

PREFERENCE = "pref/"
WISHES = ("love", "like", "hate")
# What a person answers where there is no card.
NOTHING = "none"
# What they answer that for where no card of a variety was seen, or perhaps not all of them.
CARDS = "cards"
NO_CARD = "is no card, as none of a variety of this deck was seen"
NO_MORE = "are no more cards, as too few were seen clearly to be sure of how the table lies"
# What they answer it for where a whole row was not seen: this and the row's name.
ROW = "rows."
# So many cards of which none is of the deck are those of another one.
OTHER_DECK = 3


@dataclass(frozen=True, slots=True)
class DashReading:
    """`cards` in reading order, `preference` the card beside them, `rows` the card numbers (from 0) of a market's rows.

    `varieties` and `preferences` are the deck's names, which corrections may use; `photo` is the number of the photo
    that the corners belong to. `bare`: neither a card that counts nor a market was seen, and nobody has said that this
    is right: a lamp's shine may hide all of them beside a preference card that is clear. `thin`: cards were seen, but
    too few of them surely to tell that there are no more, and nobody has said so. `unseen` holds rows without a card
    whose plantation card was not seen either: they may lie outside the photo.
    """

    cards: tuple[SeenCard, ...]
    preference: SeenCard | None
    rows: dict[str, list[int]] | None
    varieties: tuple[str, ...]
    preferences: tuple[str, ...]
    photo: int = 0
    bare: bool = False
    thin: bool = False
    unseen: tuple[str, ...] = ()

    @property
    def collection(self) -> dict[str, int]:
        """How many cards of each variety, in the deck's order, best guesses included."""
        kinds = [card.name for card in self.cards]
        return {name: kinds.count(name) for name in self.varieties if name in kinds}

    @property
    def uncertain(self) -> tuple[Uncertain, ...]:
        """Cards that need a person."""
        found = [self._question(f"cards.{n}", f"card {n}", card) for n, card in self._numbered() if card.candidates]
        if self.preference is not None and self.preference.candidates:
            found.append(self._question("preference", "the preference card", self.preference))
        if self.bare or self.thin:
            place = f"whether there {NO_CARD if self.bare else NO_MORE}"
            found.append(Uncertain(CARDS, place, (NOTHING,), (), {"candidates": [NOTHING]}, self.photo))
        for row in self.unseen:
            place = f"whether the row {row} is empty, as neither a card of it nor its plantation card was seen"
            entry: dict[str, object] = {"row": row, "candidates": [NOTHING]}
            found.append(Uncertain(f"{ROW}{row}", place, (NOTHING,), (), entry, self.photo))
        return tuple(found)

    def _numbered(self) -> list[tuple[int, SeenCard]]:
        return list(enumerate(self.cards, 1))

    def _question(self, key: str, place: str, card: SeenCard) -> Uncertain:
        corners = _corners(card)
        entry: dict[str, object] = {"corners": _listed(corners), "candidates": list(card.candidates)}
        return Uncertain(key, place, card.candidates, corners, entry, self.photo)

    def marks(self) -> tuple[Mark, ...]:
        """Every card with its place in its photo."""
        found = [
            Mark(f"cards.{n}", card.name, _corners(card), card.confidence, bool(card.candidates), self.photo)
            for n, card in self._numbered()
        ]
        if self.preference is not None:
            card = self.preference
            title, doubt = card.name.removeprefix(PREFERENCE), bool(card.candidates)
            found.append(Mark("preference", title, _corners(card), card.confidence, doubt, self.photo))
        return tuple(found)

    def corrected(self, key: str, value: str) -> DashReading:
        """The reading with one card set, or with no card there for the value "none"."""
        if key == "preference":
            return self._with_preference(value)
        if key == CARDS and (self.bare or self.thin) and value.strip().casefold() == NOTHING:
            return replace(self, bare=False, thin=False)
        if key.removeprefix(ROW) in self.unseen and value.strip().casefold() == NOTHING:
            return replace(self, unseen=tuple(row for row in self.unseen if key != f"{ROW}{row}"))
        number = key.removeprefix("cards.")
        if not key.startswith("cards.") or not number.isdigit() or not 1 <= int(number) <= len(self.cards):
            places = f"cards.1 to cards.{len(self.cards)}" if self.cards else f"no card, only {CARDS}={NOTHING}"
            raise InputError(f"this reading has no {key}", where=f"--set {key}={value}", mend=f"It has {places}.")
        index = int(number) - 1
        if value.strip().casefold() == NOTHING:
            return self._without(index)
        card = replace(self.cards[index], name=_resolved(key, value, self.varieties), confidence=1.0, candidates=())
        return replace(self, cards=(*self.cards[:index], card, *self.cards[index + 1 :]))

    def _with_preference(self, value: str) -> DashReading:
        if value.strip().casefold() == NOTHING or self.preference is None:
            if self.preference is None:
                mend = "Give love, like and hate with the player instead."
                raise InputError("no preference card was seen", where=f"--set preference={value}", mend=mend)
            return replace(self, preference=None)
        name = _resolved("preference", value, self.preferences)
        return replace(self, preference=replace(self.preference, name=name, confidence=1.0, candidates=()))

    def _without(self, index: int) -> DashReading:
        """Later cards keep their order and move up by one."""
        rows = self.rows
        if rows is not None:
            rows = {row: [n - (n > index) for n in numbers if n != index] for row, numbers in rows.items()}
        return replace(self, cards=(*self.cards[:index], *self.cards[index + 1 :]), rows=rows)

    def to_json(self) -> dict[str, object]:
        """The JSON of `read dash`."""
        document: dict[str, object] = {
            "cards": [
                {"kind": card.name, "confidence": round(card.confidence, 4), "corners": _listed(_corners(card))}
                for card in self.cards
            ],
            "collection": self.collection,
            "uncertain": [item.entry for item in self.uncertain],
        }
        if self.rows is not None:
            document["rows"] = self._named_rows()
        if self.preference is not None:
            card = self.preference
            document["preference"] = {
                "kind": card.name,
                **wishes(card.name),
                "confidence": round(card.confidence, 4),
                "corners": _listed(_corners(card)),
            }
        return document

    def _named_rows(self) -> dict[str, list[str]]:
        return {row: [self.cards[n].name for n in numbers] for row, numbers in (self.rows or {}).items()}

    def to_record(self) -> str:
        """The record: a market's rows, or the collection of one player with what its preference card says."""
        lines = ['game = "dash"']
        for item in self.uncertain:
            guess = listed(item.candidates, "or") or "no guess"
            lines.append(f"# {item.place} is uncertain: {guess} (--set {item.key}=...)")
        if self.rows is not None:
            lines += ["", "[rows]", *(f"{row} = {_array(names)}" for row, names in self._named_rows().items())]
        else:
            counts = ", ".join(f"{name} = {count}" for name, count in self.collection.items())
            lines.append(f"collection = {{ {counts} }}" if counts else "collection = {}")
            if self.preference is not None:
                named = wishes(self.preference.name)
                lines += [f"{key} = {_array(names)}" for key, names in named.items()]
        return "\n".join(lines) + "\n"


def wishes(name: str) -> dict[str, list[str]]:
    """What a preference class says: `pref/love-a/hate-b` to {love: [a], like: [], hate: [b]}."""
    found: dict[str, list[str]] = {key: [] for key in WISHES}
    for part in name.removeprefix(PREFERENCE).split("/"):
        key, _, variety = part.partition("-")
        if key in found and variety:
            found[key].append(variety)
    return found


def read_dash(photos: Sequence[Photo], profile: DeckProfile) -> DashReading:
    """Read a table. Of several photos of it the one that leaves least in doubt counts; all must show the same cards.

    Raises InputError where they do not, where the deck has no varieties, or where only cards of another deck lie in the
    photos.
    """
    varieties = tuple(kind.name for kind in profile.classes if is_variety(kind.name))
    if not varieties:
        mend = "Calibrate it with the varieties as classes: durian-assist calibrate deck NAME --game dash."
        raise InputError("this deck has no varieties", where=profile.name, mend=mend)
    deck = dash_deck(profile)
    preferences = tuple(kind.name for kind in profile.classes if kind.name.startswith(PREFERENCE))
    tables = [read_table(photo.pixels, deck) for photo in photos]
    if not any(table.cards or table.others for table in tables):
        _refuse_other_decks(photos, profile)
    for table, photo in zip(tables, photos, strict=True):
        if table.senseless:
            raise InputError(
                "the cards in this photo cannot be made out: most of what looks like one is in doubt",
                where=photo.name,
                mend="Take the photo from above in even light, or lay the cards on a plain table of another colour.",
            )
    readings = [_reading(table, number, varieties, preferences) for number, table in enumerate(tables)]
    check_same([_piles(one) for one in readings], [one.preference for one in readings], [p.name for p in photos])
    return max(readings, key=_worth)


def _refuse_other_decks(photos: Sequence[Photo], profile: DeckProfile) -> None:
    """Raise InputError where cards lie in photos in which none of this deck was seen."""
    from durian_assist.vision.find_cards import find_cards

    for photo in photos:
        if len(find_cards(photo.pixels)) >= OTHER_DECK:
            mend = (
                "Choose the deck with --deck, or give the photo to the command of its game; if it is the right deck, "
            )
            raise InputError(
                f"the cards in this photo are not like those of the deck {profile.name}",
                where=photo.name,
                mend=mend + "take the photo sharp and not too bright.",
            )


def _piles(reading: DashReading) -> dict[str, Pile]:
    """The rows of a market by name, or the collection."""
    if reading.rows is None:
        return {"": Pile(reading.cards, partly=reading.bare or reading.thin)}
    return {
        row: Pile(tuple(reading.cards[n] for n in numbers), partly=row in reading.unseen)
        for row, numbers in reading.rows.items()
    }


def _worth(reading: DashReading) -> tuple[bool, int, int]:
    return reading.preference is not None, -len(reading.uncertain), len(reading.cards)


def _reading(table: SeenTable, photo: int, varieties: tuple[str, ...], preferences: tuple[str, ...]) -> DashReading:
    # Columns of a fan from left to right, in each from the lowest card to the top one as they were laid.
    cards = tuple(sorted(table.cards, key=lambda card: (round(card.place[0] / 0.6), card.place[1])))
    found = [other for other in table.others if other.name.startswith(PREFERENCE)]
    preference = max(found, key=lambda card: card.confidence, default=None)
    rows = market_rows(cards, table.others)
    unseen = unseen_rows(rows or {}, table.others)
    bare = not cards and rows is None
    return DashReading(cards, preference, rows, varieties, preferences, photo, bare, table.thin, unseen)


def _resolved(key: str, value: str, known: Sequence[str]) -> str:
    try:
        return resolve(value, known)
    except UnknownName as error:
        mend = f'It is one of {listed(known, "or")}, or "{NOTHING}".'
        raise InputError(error.sentence, where=f"--set {key}={value}", mend=mend) from None


def _corners(card: SeenCard) -> tuple[Corner, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in card.corners)


def _listed(corners: Sequence[Corner]) -> list[list[float]]:
    return [[x, y] for x, y in corners]


def _array(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
