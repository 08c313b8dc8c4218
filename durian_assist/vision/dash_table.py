"""A table of Dash cards on a known plane: from layers of cards to names, and what else may be a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from durian_assist.vision.beyond import goes_on
from durian_assist.vision.dash_fans import ends
from durian_assist.vision.dash_gaps import STRIP_FREE, WHOLE_FREE
from durian_assist.vision.dash_halves import lay_halves
from durian_assist.vision.dash_judge import DOUBT, Judge
from durian_assist.vision.dash_laying import WORTH_A_LOOK, TableLayers
from durian_assist.vision.dash_others import MOST_AT_GAP
from durian_assist.vision.dash_parts import TURNS, WHOLE, Proposal
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_prints import lay_printed
from durian_assist.vision.dash_seen import SeenCard, SeenTable
from durian_assist.vision.dash_slivers import slivers
from durian_assist.vision.dash_whole import NEAR_GAP, near
from durian_assist.vision.layers import ACCEPT, Laid


class TableReader(TableLayers):
    """One photo read on the plane that `trusted` seeds fix: its cards by name, and what may be one."""

    def table(self, quads: Sequence[Floats]) -> SeenTable:
        """The names of what was laid, and what else may be a card."""
        others = self._others()
        self._cover(others)
        judge = Judge(self.picture, self.plane, self.deck, self.layers, self.aligners, quads)
        # Glare hides a card from searches; its outline says where to look at what is left of it.
        self.layers.explain([Proposal(pose, WHOLE, 0.0) for pose in judge.outlined], WORTH_A_LOOK, ACCEPT)
        strangers = self._strangers(judge, others)
        gaps, strange, halves = self._completed(judge, strangers, others)
        others += self.others.late(others)
        cards = judge.cards(strangers, self._like_cards(), [*halves, *self._faint])
        left = self._left(judge, cards, others)
        if not gaps:  # of fans in which nothing is missing only what glare hides
            left = [pose for pose in left if judge.dazzled(pose)]
        if strange:
            seen = [*(card.corners for card in cards), *(judge.corners(pose) for pose in left)]
            left += [pose for pose in self._strange(seen, others) if judge.contrasted(pose)]
        left += self._hidden([*(card.corners for card in cards), *(judge.corners(pose) for pose in left)], others)
        maybe = [judge.unknown(pose) for pose in left]
        strips = self._slivers(judge, cards, maybe, others)
        maybe = [card for card in maybe if not any(near(Pose(*card.place, 0.0), Pose(*s.place, 0.0)) for s in strips)]
        return SeenTable((*cards, *maybe, *strips), tuple(others))

    def _slivers(
        self, judge: Judge, cards: Sequence[SeenCard], maybe: Sequence[SeenCard], others: Sequence[SeenCard]
    ) -> list[SeenCard]:
        """Cards of which something leaves a strip beside the known ones, also where what may be one is that thing."""
        own = [card.corners for card in cards]
        pieces = [*own, *(card.corners for card in [*maybe, *others])]
        ending = [
            m.corners for m in maybe if not goes_on(self.picture, m.corners, [p for p in pieces if p is not m.corners])
        ]
        known, rest = self._on_plane([*own, *ending], others)
        poses = slivers(self.gaps, self.layers, self.plane.to_plane(self._frame), known, rest)
        return [replace(judge.unknown(pose), seen=True) for pose in poses]

    def _completed(
        self, judge: Judge, strangers: Sequence[Laid], others: list[SeenCard]
    ) -> tuple[bool, bool, list[Pose]]:
        """Lay what searches of the whole table did not find; beside what is found there may be more.

        Whether there were gaps, whether there were strange places, and the poses of cards that a person should look at:
        those known by their print alone or by a half. Other pieces that are found join the `others`.
        """
        gaps, strange, doubtful = False, False, list[Pose]()
        while True:
            gap, odd = self._filled(judge, strangers, others)
            gaps, strange = gaps or gap, strange or odd
            found = lay_printed(self.layers, self._printed(self.deck.coarse))
            known = [judge.corners(laid.pose) for laid in [*self.layers.laid, *strangers]]
            found += self._halves([*known, *(judge.corners(pose) for pose in found), *(c.corners for c in others)])
            if not found:
                return gaps, strange, doubtful
            doubtful += found

    def _filled(self, judge: Judge, strangers: Sequence[Laid], others: list[SeenCard]) -> tuple[bool, bool]:
        """Look closely where something lies that is not known; whether there were gaps, and strange places."""
        known = [judge.corners(laid.pose) for laid in [*self.layers.laid, *strangers]]
        gaps = self._gaps(known, others, WHOLE_FREE)
        strange = self._strange([*known, *(judge.corners(pose) for pose in gaps)], others)
        places = gaps + strange
        if places:
            found = self.others.lying_at(places)
            self._cover(found)
            others += found
            self._fill([place for place in places if not self._lies_at(found, place)])
        return bool(gaps), bool(strange)

    def _strangers(self, judge: Judge, others: list[SeenCard]) -> list[Laid]:
        """What of the outlines may be cards that are not known; those that are no variety join the `others`."""
        known = [judge.corners(laid.pose) for laid in self.layers.laid]
        strangers = judge.strangers([*known, *(card.corners for card in others)], self._like_cards())
        if not strangers:
            return []
        found = self.others.lying_at([laid.pose for laid in strangers])
        others += found
        return [laid for laid in strangers if not self._lies_at(found, laid.pose)]

    def _hidden(self, cards: Sequence[Floats], others: Sequence[SeenCard]) -> list[Pose]:
        """Places where glare hides whether the cards about them have one more beside them, and where their fans go on
        though nobody can tell with what."""
        own, rest = ([self.plane.to_plane(c) for c in found] for found in (cards, [card.corners for card in others]))
        strips = [pose for pose, _, _ in ends(self.layers.laid, self.deck.aspect)]
        found = self.gaps.covered(strips, own, rest)
        found += self.gaps.hidden([*own, *(pose.rectangle(self.deck.aspect, 1.0) for pose in found)], rest)
        return found + self.gaps.dazzled([*own, *rest, *(pose.rectangle(self.deck.aspect, 1.0) for pose in found)])

    def alone(self, table: SeenTable) -> bool:
        """Whether nothing else in the photo is coloured as the cards of the table, of which there are some."""
        known, rest = self._on_plane([card.corners for card in table.cards], table.others)
        return bool(known) and not self.gaps.more(known, rest)

    def maybe(self, table: SeenTable) -> tuple[SeenCard, ...]:
        """What else may be a card beside those of the table, though nothing tells which."""
        judge = Judge(self.picture, self.plane, self.deck, self.layers, self.aligners, [])
        known, rest = self._on_plane([card.corners for card in table.cards], table.others)
        return tuple(judge.unknown(pose) for pose in self.gaps.odd(known, rest) if not judge.bare(pose))

    def _halves(self, known: Sequence[Floats]) -> list[Pose]:
        """Lay the cards that are cut off or half covered; `known` are the corners (4, 2) in the photo of all others."""
        to_plane = self.plane.to_plane
        if not self.gaps.half_hidden(*self._on_plane(known, [])):
            return []
        return lay_halves(
            self.layers, self.deck.coarse, to_plane(self._frame), [to_plane(corners) for corners in known]
        )

    def _left(self, judge: Judge, cards: Sequence[SeenCard], others: Sequence[SeenCard]) -> list[Pose]:
        """What may still be a card: no bare table in a veil of light, and not a blank piece of a larger sheet."""
        to_plane = self.plane.to_plane
        left = self._gaps([card.corners for card in cards], others, STRIP_FREE)
        own, rest = [to_plane(card.corners) for card in cards], [to_plane(card.corners) for card in others]
        blank = [pose for pose in left if judge.blank(pose)]
        sheets = self.gaps.of_sheets(blank, own, rest)
        return [pose for pose in left if pose not in sheets and not (pose in blank and judge.plain(pose))]

    def _gaps(self, cards: Sequence[Floats], others: Sequence[SeenCard], least: float) -> list[Pose]:
        """Places in rows and columns of cards, free by `least`, that are neither known nor bare table."""
        return self.gaps.places(*self._on_plane(cards, others), least)

    def _strange(self, cards: Sequence[Floats], others: Sequence[SeenCard]) -> list[Pose]:
        """Places where one more card is to be expected that have not the table's colours."""
        return self.gaps.strange(*self._on_plane(cards, others), WHOLE_FREE)

    def _on_plane(self, cards: Sequence[Floats], others: Sequence[SeenCard]) -> tuple[list[Floats], list[Floats]]:
        to_plane = self.plane.to_plane
        return [to_plane(corners) for corners in cards], [to_plane(card.corners) for card in others]

    def _fill(self, places: Sequence[Pose]) -> None:
        """Look closely for cards at places where something lies, and below what is found there."""
        turns = {round(laid.pose.angle / np.pi) % 2 * np.pi for laid in self.layers.laid}
        spread = (round(NEAR_GAP * self.deck.coarse.size[0]), round(NEAR_GAP * self.deck.coarse.size[1]))
        rough = [
            proposal
            for place in places
            for turn in sorted(turns)
            for proposal in self.layers.coarse.around(
                Pose(place.x, place.y, turn), WHOLE, spread, TURNS, WORTH_A_LOOK / 2
            )[:MOST_AT_GAP]
        ]
        finer = [better for p in rough for better in self.layers.refined(p.pose, WHOLE, WORTH_A_LOOK / 2)[:1]]
        reader = self._streaked
        spots = [
            laid
            for place in places
            for turn in sorted(turns)
            for laid in reader.near(Pose(place.x, place.y, turn), WHOLE, (NEAR_GAP, NEAR_GAP))
        ]
        self._behind_streaks([*spots, *(self.layers.look(proposal.pose) for proposal in finer)])
        like = self._like_cards()
        # That something lies there is known: a poor match is a card in poor light rather than the table's pattern.
        self.layers.explain(
            finer, WORTH_A_LOOK, DOUBT, lambda laid: any(near(laid.pose, place) for place in places) or like(laid)
        )

    def _others(self) -> list[SeenCard]:
        """Preference cards, plantations and backs, by their outlines and by a search of the table for the rest."""
        found = self.others.outlined()
        if self.deck.others is None or self.others.complete(found):
            return found
        return self.others.searched([proposal.pose for proposal in self._printed(self.deck.others)])
