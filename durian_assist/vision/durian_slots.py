"""Places where a card must or may lie because its neighbours do: gaps in a row or column, and their ends.

A card under glare is often too faint to be seen on its own. Where the others say that one should lie, it is looked
for again with less demanded of it; a gap in which nothing can be told is kept as a card that nobody can read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.beyond import goes_on
from durian_assist.vision.durian_cut import cut_places
from durian_assist.vision.durian_ends import dazzled, half_covered, half_in
from durian_assist.vision.durian_fit import Spot, Verdict
from durian_assist.vision.durian_ground import Evidence, Ground, Piece
from durian_assist.vision.durian_in_slot import IN_GAP, best_in, nearly
from durian_assist.vision.durian_layers import CLEAR, COVERED, Areas, Laid, Table, chosen, evidence, itself, strip
from durian_assist.vision.durian_lines import ALIGNED, UNREAD, Slot, columns_of, counted, slots, under
from durian_assist.vision.durian_search import DIM, EXPLAINED, MOST_TURN, lies_at
from durian_assist.vision.rectify import median

Points = NDArray[np.float64]

AT_END = 0.5  # and at the end of a row or column
UNLIKELY = 0.2  # most that is said for its likeliest face
MOST_ROUNDS = 5  # a line grows by a card a round
HIDDEN = 0.6  # share of a slot blown out by glare that can hide a card
BUSY = 0.5  # of the other cards' contrast: a slot right below the board that shows as much is no bare table
GLARED = 0.05  # share of an outline that is nearly clipped, from which on light may hide a face
NEARLY_CLIPPED = 230
ASKEW = 2 * MOST_TURN  # between cards of which each is turned against the table's direction
ALL_SEEN = 0.9  # of a card: where glare hides more, the next one may lie there unseen
TELLING, OUTLINED = 4, 0.8  # so many whole cards, and such a share of them, tell that cards have outlines here
GORILLA = ("gorilla",)
GLIMPSED = 0.9  # confidence in the face of a card that is not clear
ABOVE = 0.3  # of a card's height: a row of orders beside the board lies no higher than so much above its middle


def filled(
    table: Table, cards: Sequence[Laid], sized: Sequence[Spot], taken: Sequence[Points], level: float
) -> tuple[list[Laid], list[Laid]]:
    """The cards with those found in slots, and cards that must lie in slots but cannot be read.

    `sized`: places of outlines of a card's size; `level`: the height on the plane that parts the inventory from the
    orders.
    """
    search = _Search(table, taken, level, list(cards), sized)
    search.clearer()
    search.along_lines()
    for _ in range(MOST_ROUNDS):
        if not search.beside_lines():
            break
        search.along_lines(ends=False)
    search.left_over()
    search.along_lines(ends=False)
    search.cut_off()
    return counted(search.found, search.unread, table.judge.aspect, level, taken), search.unread


class _Search:
    """Fills slots of a table: `found` cards and those `unread`."""

    def __init__(
        self, table: Table, taken: Sequence[Points], level: float, found: list[Laid], sized: Sequence[Spot]
    ) -> None:
        self.table, self.taken, self.level = table, taken, level
        self.found = found
        self._glimpsed: dict[tuple[int, int], Laid] = {}
        empty = _without_shown([spot for spot in sized if not any(lies_at(card, spot) for card in found)], table, found)
        spreads = [table.spread(card.spot, table.part(card.part)) for card in found]
        self.busy = BUSY * float(median(spreads)) if spreads else 0.0
        hiding = [Slot(spot, "whole", between=True) for spot in empty if self._may_hide_card(spot)]
        self.unread = [self._unreadable(slot) for slot in hiding]
        self._seen: set[tuple[int, int]] = set()
        self._verdicts: dict[tuple[Spot, str], Verdict] = {}
        outlines = [card.spot.corners(table.judge.aspect) for card in found]
        self.ground = Ground.of(table.picture, table.plane, [*outlines, *taken], table.judge.aspect) if found else None
        self.evidence = self._evidence()

    def _may_hide_card(self, spot: Spot) -> bool:
        """Whether an outline in which no face is seen may be that of a card.

        What hides a face is light that clips it or nearly so, or is uneven. A block of text is neither, and a card ends
        at its outline. What is uneven and lies askew is a picture printed on the table.
        """
        table, whole, aspect = self.table, self.table.part("whole"), self.table.judge.aspect
        askew = abs(np.sin(spot.angle)) > np.sin(ASKEW)
        if (askew or table.spread(spot, whole) < self.busy) and table.bright(spot, NEARLY_CLIPPED) < GLARED:
            return False
        known = [*(card.spot.corners(aspect) for card in self.found), *self.taken]
        place, others = table.plane.to_photo(spot.corners(aspect)), [table.plane.to_photo(piece) for piece in known]
        return not goes_on(table.picture, place, others)

    def clearer(self) -> None:
        """Look again about each card that is not clear: its outline may be that of two, or it lies under another."""
        for card in [card for card in self.found if card.quality < CLEAR]:
            others = [other for other in self.found if other is not card]
            better = best_in(self.table, Slot(card.spot, "whole", between=True), others, streaks=True)
            if better is not None and better.quality > CLEAR and itself(self.table, better, others, self.taken):
                self.found = chosen([*others, better], self.taken, self.table.judge.aspect)

    def along_lines(self, ends: bool = True) -> None:
        """Look into gaps of rows and columns, and either their ends or what covers their cards, until none grows."""
        look_for = self._slots if ends else self._gaps_and_covers
        for _ in range(MOST_ROUNDS):
            fresh = [s for s in look_for() if s.key not in self._seen]
            if not fresh:
                break
            for slot in fresh:
                self._seen.add(slot.key)
                if self._worth(slot):
                    self._try(slot, IN_GAP if slot.between or slot.headed else AT_END)
            # What was found may have moved a line's ends: only what still is a slot can hold an unreadable card.
            still = {s.key: s for s in look_for()}
            self._hold([still[s.key] for s in fresh if s.key in still and self._holds_card(still[s.key])], IN_GAP)

    def beside_lines(self) -> bool:
        """Look where the picture shows something as large as a card, in line with the others, that is no bare table.

        Whether any card was found: it shows better where its neighbours lie.
        """
        # Where such a place is large its card may lie at its end or in its middle.
        tried: list[Spot] = []
        for middle in (False, True):
            slots = [slot for slot in self._places(middle) if not any(nearly(slot.spot, spot) for spot in tried)]
            tried += [slot.spot for slot in slots]
            read = [self._try(slot, AT_END) for slot in slots]
            if any(read):
                self.evidence = self._evidence()
                return True
        return False

    def left_over(self) -> None:
        """Keep the places of that kind in which nothing was found as cards that nobody can read.

        Beside a column of orders few gorillas lie, and much that is a table's own: light must hide one there, or it
        must be glimpsed.
        """
        self._hold([slot for slot in self._places(middle=True) if self._told(slot)], AT_END)
        self._hold([*self._half_covered(), *self._dazzled()], AT_END)

    def cut_off(self) -> None:
        """Keep the next places of the lines that the photo's frame cuts off as cards that nobody can read."""
        cards = [*self.found, *self.unread]
        told = self.evidence.patternless(self._pieces(), self.taken) if self.evidence is not None else None
        places = cut_places(self.table, told, cards, self.taken, self.level)
        slots = [Slot(spot, "whole", between=True) for spot in places]
        self._hold([slot for slot in slots if not any(lies_at(card, slot.spot) for card in cards)], AT_END)

    def _told(self, slot: Slot) -> bool:
        """Whether a place that shows something as large as a card must be one."""
        return self._kinds(slot) != GORILLA or self._hidden(slot) or self._glimpse_of(slot, GORILLA)

    def _hold(self, slots: Sequence[Slot], least: float) -> None:
        """Keep the slots as cards that nobody can read, but for those in which one is found beside streaks of light."""
        lost = [slot for slot in slots if not self._try(slot, least, streaks=True)]
        self.unread += [self._unreadable(slot) for slot in lost]

    def _glimpse_of(self, slot: Slot, kinds: Sequence[str]) -> bool:
        """Whether a card of these kinds was seen in a slot, not clearly but hardly to be taken for another one."""
        faces = self.table.judge.faces
        seen = [card for card in self._glimpsed.values() if lies_at(card, slot.spot)]
        sure = [card for card in seen if card.quality > DIM and card.verdict.confidence > GLIMPSED]
        return any(faces[card.verdict.face].kind in kinds for card in sure)

    def _hidden(self, slot: Slot) -> bool:
        """Whether light hides some of what lies in the slot."""
        glared = self.evidence is not None and self.evidence.glared((slot.spot.x, slot.spot.y))
        return glared or self.table.bright(slot.spot, NEARLY_CLIPPED) >= GLARED

    def _evidence(self) -> Evidence | None:
        aspect = self.table.judge.aspect
        known = [card.spot.corners(aspect) for card in self.found]
        others = [card.spot.corners(aspect) for card in self.unread]
        return self.ground.evidence(known, [*others, *self.taken]) if self.ground is not None else None

    def _places(self, middle: bool) -> list[Slot]:
        """Where the ground tells of cards beside the lines.

        Where the bare table shows such places too, those only that glare touches: it may hide what would tell.
        """
        if self.evidence is None:
            return []
        pieces = self._pieces()
        told = self.evidence.patternless(pieces, self.taken)
        places = told.places(pieces, self.taken, self._top(), self._outlined(), middle) if told.signs else []
        if len(told.signs) < len(self.evidence.signs):
            more = self.evidence.places(pieces, self.taken, self._top(), self._outlined(), middle)
            places += [place for place in more if place not in places and self.evidence.glared(place)]
        return [Slot(Spot(x, y, 0.0), "whole", between=True) for x, y in places]

    def _half_covered(self) -> list[Slot]:
        """Places next in a row of which the left or the right half clearly shows that of a face; on the rest lies a
        hand or another thing."""
        if self.evidence is None:
            return []
        pieces = self._pieces()
        told = self.evidence.patternless(pieces, self.taken)
        places = half_covered(told, pieces, self.taken) if told.signs else []
        slots = []
        for half in (half_in(self.table, Spot(x, y, 0.0)) for x, y in places):
            if half is not None:
                slots.append(Slot(half.spot, "whole", between=True))
                self._glimpsed[slots[-1].key] = half
        return slots

    def _dazzled(self) -> list[Slot]:
        """Places next in a row in which a lamp's reflection leaves nothing to be seen: a card may lie there."""
        if self.evidence is None:
            return []
        pieces = self._pieces()
        unread = [card.spot.corners(self.table.judge.aspect) for card in self.unread]
        places = dazzled(self.evidence, pieces, self.taken, unread)
        return [Slot(Spot(x, y, 0.0), "whole", between=True) for x, y in places]

    def _pieces(self) -> list[Piece]:
        """The cards, read or not, as the ground knows them."""
        return [self._piece(card) for card in (*self.found, *self.unread)]

    def _piece(self, card: Laid) -> Piece:
        """A card as the ground knows it: what covers a whole one would hide part of it."""
        aspect, upside_down = self.table.judge.aspect, any(c.part == "lower" for c in self.found)
        outline, rest = card.spot.corners(aspect), {"upper": "lower", "lower": "upper"}.get(card.part)
        plain = card.part == "whole" and card.quality > CLEAR and card.verdict.seen > ALL_SEEN
        # All of an outline of a card's size is seen, so nothing lies on what is in it.
        whole = plain or card.sized or (rest is not None and self._shows(card, rest))
        shown = outline if whole else evidence(card, aspect)
        return Piece(outline, shown, card.spot.y >= self.level, goes_on=not whole or upside_down)

    def _outlined(self) -> bool:
        """Whether the cards of this table show their outlines."""
        whole = [card.sized for card in self.found if card.part == "whole"]
        return len(whole) >= TELLING and sum(whole) > OUTLINED * len(whole)

    def _top(self) -> float:
        """The height on the plane above which no order lies under the next one: the board's middle, and some more."""
        middles = [float(board[:, 1].mean()) for board in self.taken]
        return min(middles) - ABOVE if middles else self.level

    def _slots(self) -> list[Slot]:
        """The slots of the lines. One that goes up to the board may come upon the column's first cards, a gap away."""
        every = slots([*self.found, *self.unread], self.table.judge.aspect, self.level, self.taken)
        return [slot for slot in every if not any(lies_at(card, slot.spot) for card in self.found)]

    def _gaps_and_covers(self) -> list[Slot]:
        covered = [card for card in self.found if card.spot.y >= self.level and self._covered(card)]
        covers = under(covered, [*self.found, *self.unread], self.table.judge.aspect)
        return [slot for slot in self._slots() if slot.between] + covers

    def _covered(self, card: Laid) -> bool:
        """Whether something like a card, no piece that is known, lies on the lower part of a card."""
        if card.part != "upper":
            return False
        aspect, lower = self.table.judge.aspect, self.table.part("lower")
        pieces = [c.spot.corners(aspect) for c in (*self.found, *self.unread) if c is not card]
        if Areas([*pieces, *self.taken]).share(strip(card.spot, "lower", aspect)) > COVERED:
            return False
        if self.table.blown(card.spot, lower) > HIDDEN or self.table.spread(card.spot, lower) < self.busy:
            return False
        return not self._shows(card, "lower")

    def _shows(self, card: Laid, part: str) -> bool:
        """Whether a part of a card's place clearly shows that card rather than another one."""
        key = (card.spot, part)
        if key not in self._verdicts:
            mask = self.table.part(part)
            self._verdicts[key] = self.table.judge.judge(self.table.picture, self.table.plane, card.spot, mask)
        verdict = self._verdicts[key]
        same = (verdict.face, verdict.turned) == (card.verdict.face, card.verdict.turned)
        return same and verdict.score > CLEAR

    def _worth(self, slot: Slot) -> bool:
        """Whether to look into a slot: the open end of a line must show more than bare table."""
        return slot.between or slot.headed or self.table.spread(slot.spot, self.table.part(slot.part)) >= self.busy

    def _try(self, slot: Slot, least: float, streaks: bool = False) -> bool:
        """Whether a card of more than the `least` quality is found in the slot, under `streaks` of light too."""
        card = best_in(self.table, slot, self.found, streaks)
        if card is not None:
            self._glimpsed[slot.key] = card
        if card is None or card.quality <= least or not itself(self.table, card, self.found, self.taken):
            return False
        before = len(self.found)
        self.found = chosen([*self.found, card], self.taken, self.table.judge.aspect)
        # What nobody could read there before was this card.
        self.unread = [lost for lost in self.unread if not any(lies_at(other, lost.spot) for other in self.found)]
        return len(self.found) > before

    def _holds_card(self, slot: Slot) -> bool:
        """Whether a card lies in a slot in which none can be read."""
        part = self.table.part(slot.part)
        if slot.between or self.table.blown(slot.spot, part) > HIDDEN:
            return True
        return slot.headed and self.table.spread(slot.spot, part) > self.busy

    def _unreadable(self, slot: Slot) -> Laid:
        """A card of a kind that may lie in the slot, its likeliest face first, none of them likely.

        Its face as it lies there, or as it was glimpsed nearby where that is more like a card.
        """
        table, kinds = self.table, self._kinds(slot)
        faces, glimpse = table.judge.faces, self._glimpsed.get(slot.key)
        verdict = table.judge.judge(table.picture, table.plane, slot.spot, table.part(slot.part))
        if glimpse is not None and glimpse.verdict.score > verdict.score:
            verdict = glimpse.verdict
        answers = [(verdict.face, verdict.turned, verdict.confidence), *verdict.rivals]
        others = [(k, False, 0.0) for k in range(len(faces))]
        fitting = [answer for answer in [*answers, *others] if faces[answer[0]].kind in kinds] or answers
        (face, turned, confidence), rivals = fitting[0], tuple(fitting[1 : len(answers)])
        score = verdict.score if face == verdict.face else 0.0
        unsure = Verdict(face, turned, score, min(confidence, UNLIKELY), rivals, verdict.seen)
        return Laid(slot.spot, unsure, slot.part, UNREAD)

    def _kinds(self, slot: Slot) -> tuple[str, ...]:
        """What kinds of card may lie in the slot: beside a column of orders only gorillas do."""
        if slot.spot.y < self.level:
            return ("fruit", "gorilla")
        aspect = self.table.judge.aspect
        columns = [
            line for line in columns_of([c for c in self.found if c.spot.y >= self.level], aspect) if len(line) > 1
        ]
        aside = all(abs(card.spot.x - slot.spot.x) > ALIGNED * aspect for line in columns for card in line)
        return GORILLA if columns and aside else ("fruit",)


def _without_shown(spots: Sequence[Spot], table: Table, found: Sequence[Laid]) -> list[Spot]:
    """The places of outlines without those made of what clear cards show: two like halves side by side make one."""
    aspect = table.judge.aspect
    clear = Areas([evidence(card, aspect) for card in found if card.quality > CLEAR])
    return [spot for spot in spots if clear.share(spot.corners(aspect)) <= EXPLAINED]
