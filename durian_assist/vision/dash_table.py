"""A table of Dash cards on a known plane: from outlines to layers of cards, to names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from durian_assist.vision.dash_colours import CardLikeness
from durian_assist.vision.dash_fans import ends, further
from durian_assist.vision.dash_gaps import STRIP_FREE, WHOLE_FREE, GapFinder
from durian_assist.vision.dash_halves import lay_halves
from durian_assist.vision.dash_judge import DOUBT, Judge
from durian_assist.vision.dash_library import HOPELESS, Library
from durian_assist.vision.dash_others import MOST_AT_GAP, OtherCards
from durian_assist.vision.dash_parts import MOST_PLACES, TURNS, WHOLE, PartSearch, Proposal, same_place
from durian_assist.vision.dash_plane import Floats, Pose, fit_plane, pose_of
from durian_assist.vision.dash_prints import lay_printed
from durian_assist.vision.dash_seeds import CERTAIN, Aligners, Seed, SeedFinder, apart
from durian_assist.vision.dash_seen import COARSE, FINE, DashDeck, SeenCard, SeenTable, is_variety
from durian_assist.vision.dash_sheet import Sheet, draw_sheet
from durian_assist.vision.dash_streaks import StreakReader
from durian_assist.vision.dash_whole import FAINT, NEAR_GAP, near, new_places, prints_near, whole_cards
from durian_assist.vision.layers import ACCEPT, OF_THE_USUAL, Explanation, Laid
from durian_assist.vision.rectify import Picture

# A strip that is 4 degrees askew still correlates by this much with its class.
WORTH_A_LOOK = 0.4
# Cards lie within this many card heights of those found by their outline.
REACH = 8.0
MOST_PIXELS = 6_000_000
PLANE_SEEDS = 6
# Hand-laid cards are a few degrees askew, and so is the one that the others are looked for by, to the other side.
ASKEW = (2 * TURNS[0], *TURNS, 2 * TURNS[-1])
# Outlines of frames inside cards are smaller by up to this share.
ROUGH_SIZE = 0.2


class TableReader:
    """One photo read on the plane that `trusted` seeds fix."""

    def __init__(
        self, picture: Picture, deck: DashDeck, finder: SeedFinder, seeds: Sequence[Seed], trusted: Sequence[Seed]
    ) -> None:
        self.picture, self.deck, self.finder = picture, deck, finder
        height, width = picture.pixels.shape[:2]
        self.plane = fit_plane([seed.corners for seed in trusted], deck.aspect, (width, height))
        own = [*trusted, *(seed for seed in seeds if is_variety(finder.bank.names[seed.kind]))]
        self.poses = [self._pose(seed.corners) for seed in apart(own) if self._card_sized(seed.corners)][:MOST_PLACES]
        self.sheet = self._draw(trusted)
        self._seen: dict[tuple[object, ...], list[Proposal]] = {}
        fine, coarse = PartSearch(self.sheet, deck.fine.shapes), PartSearch(self.sheet.at(COARSE), deck.coarse.shapes)
        self.layers = Explanation(coarse, fine, deck.fine)
        self.others = OtherCards(picture, self.plane, deck, finder, self.layers, seeds)
        self.layers.is_other = self.others.unmask
        self.gaps = GapFinder(self.sheet, deck.aspect)
        self.aligners = Aligners(deck.fine)

    def lay(self) -> None:
        """Explain the sheet by layers of cards: first what matches as cards here do, then what only looks like one."""
        self.layers.explain(self._proposals, WORTH_A_LOOK, ACCEPT)
        before = 0
        while len(self.layers.laid) > before:  # beside what is new there may be more
            before = len(self.layers.laid)
            self.layers.explain(self._by_print(), WORTH_A_LOOK, ACCEPT)
            self.layers.suggest(further(self.layers, self.deck.aspect), WORTH_A_LOOK)
            self.layers.explain([], WORTH_A_LOOK, ACCEPT)
        # Their edges against the table are like those of a card's own print: no card is sought on them.
        self._cover(self.others.outlined())
        self.layers.explain([], WORTH_A_LOOK, ACCEPT, self._like_cards())
        self._behind_streaks(sorted(self.layers.left, key=lambda laid: -laid.score))

    def _behind_streaks(self, places: Iterable[Laid]) -> None:
        """Lay what is a card at places once streaks of light are left out, and what lies below it."""
        if not self.layers.laid:  # a plane on which nothing lies is wrong
            return
        found = [Proposal(laid.pose, WHOLE, laid.score) for laid in self._streaked.find(places)]
        if found:
            self.layers.explain(found, WORTH_A_LOOK, ACCEPT)

    @property
    def _streaked(self) -> StreakReader:
        return StreakReader(self.picture, self.plane, self.layers, self.deck.coarse, self.aligners)

    def _cover(self, others: Iterable[SeenCard]) -> None:
        for other in others:
            self.layers.cover(self._pose(other.corners))

    def _lies_at(self, cards: Iterable[SeenCard], place: Pose) -> bool:
        """Whether one of the cards lies at a place."""
        return any(near(self._pose(card.corners), place) for card in cards)

    def _by_print(self) -> list[Proposal]:
        """Where the fine print of another card is seen near the known ones."""
        return self._refined(new_places(self._printed(self.deck.coarse), [laid.pose for laid in self.layers.laid]))

    def _printed(self, library: Library) -> list[Proposal]:
        """Places near the known cards where the fine print of a class is seen."""
        known = [laid.pose for laid in self.layers.laid] or self.poses
        if not known:
            return []
        near = prints_near(self.layers.coarse.sheet, known)
        key = (library.names, near.origin, near.pixels.shape)
        if key not in self._seen:
            self._seen[key] = whole_cards(near, library.prints, self._quarters, FAINT, self._turns)
        return self._seen[key]

    @cached_property
    def _turns(self) -> tuple[float, ...]:
        """How far (radians) cards may lie askew of the plane's upright: it is that of one card, or of several."""
        return TURNS if len(self.poses) > 1 else ASKEW

    @cached_property
    def _quarters(self) -> list[int]:
        """The directions of the outlines of cards, in quarters of a full turn."""
        return sorted({round(pose.angle / (np.pi / 2)) % 4 for pose in self.poses})

    @cached_property
    def _proposals(self) -> list[Proposal]:
        """Cards that may lie whole in the table."""
        return self._refined(self._places)

    @property
    def _places(self) -> list[Pose]:
        """Where cards may lie whole in the table: where outlines are, and where a search of the table is sure."""
        least = OF_THE_USUAL * max((proposal.score for proposal in self._found), default=0.0)
        return [*self.poses, *(p.pose for p in self._whole if p.score >= least)]

    @cached_property
    def _found(self) -> list[Proposal]:
        """Where a search of the table finds cards, those with an outline among them."""
        return self._printed(self.deck.coarse)

    @cached_property
    def _whole(self) -> list[Proposal]:
        """Those found that have no outline."""
        return [p for p in self._found if not any(same_place(p.pose, other) for other in self.poses)]

    def _refined(self, poses: Sequence[Pose]) -> list[Proposal]:
        return [better for pose in poses for better in self.layers.refined(pose, WHOLE, WORTH_A_LOOK / 2)[:1]]

    def _like_cards(self) -> CardLikeness:
        """What tells a poor match from bare table, learnt from what is laid by now."""
        return CardLikeness.of(self.gaps.sheet, self.deck.aspect, self.layers.laid)

    def as_seeds(self) -> list[Seed]:
        """The best cards that lie whole in the table, aligned in the photo: a better base for the plane."""
        rough = sorted((self.layers.look(pose) for pose in self._places), key=lambda laid: -laid.score)
        best = [laid.pose for laid in rough if laid.score >= HOPELESS][: 2 * PLANE_SEEDS]
        whole = sorted((self.layers.look(p.pose) for p in self._refined(best)), key=lambda laid: -laid.score)
        own = [Seed(self._photo_corners(laid.pose), laid.kind, laid.score) for laid in whole if laid.score >= ACCEPT]
        seeds = [self._aligned(seed) for seed in apart(own)[:PLANE_SEEDS]]
        return [seed for seed in seeds if seed.score >= CERTAIN]

    def _aligned(self, seed: Seed) -> Seed:
        kind = self.finder.bank.names.index(self.deck.fine.names[seed.kind])
        return self.finder.aligned(self.picture, replace(seed, kind=kind))

    def table(self, quads: Sequence[Floats]) -> SeenTable:
        """The names of what was laid, and what else may be a card."""
        others = self._others()
        self._cover(others)
        judge = Judge(self.picture, self.plane, self.deck, self.layers, self.aligners, quads)
        # Glare hides a card from searches; its outline says where to look at what is left of it.
        self.layers.explain([Proposal(pose, WHOLE, 0.0) for pose in judge.outlined], WORTH_A_LOOK, ACCEPT)
        strangers = self._strangers(judge, others)
        known = [judge.corners(laid.pose) for laid in [*self.layers.laid, *strangers]]
        gaps = self._gaps(known, others, WHOLE_FREE)
        strange = self._strange([*known, *(judge.corners(pose) for pose in gaps)], others)
        places = gaps + strange
        if places:
            found = self.others.lying_at(places)
            self._cover(found)
            others += found
            self._fill([place for place in places if not self._lies_at(found, place)])
        known = [judge.corners(laid.pose) for laid in [*self.layers.laid, *strangers]]
        printed = lay_printed(self.layers, self._printed(self.deck.coarse))
        known += [judge.corners(pose) for pose in printed]
        halves = printed + self._halves([*known, *(card.corners for card in others)])
        others += self.others.late(others)
        cards = judge.cards(strangers, self._like_cards(), halves)
        left = self._left(judge, cards, others)
        if not gaps:  # of fans in which nothing is missing only what glare hides
            left = [pose for pose in left if judge.dazzled(pose)]
        if strange:
            seen = [*(card.corners for card in cards), *(judge.corners(pose) for pose in left)]
            left += [pose for pose in self._strange(seen, others) if judge.contrasted(pose)]
        left += self._hidden([*(card.corners for card in cards), *(judge.corners(pose) for pose in left)], others)
        return SeenTable((*cards, *(judge.unknown(pose) for pose in left)), tuple(others))

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
        return found + self.gaps.hidden([*own, *(pose.rectangle(self.deck.aspect, 1.0) for pose in found)], rest)

    def alone(self, table: SeenTable) -> bool:
        """Whether nothing else in the photo is coloured as the cards of the table, of which there are some."""
        known, rest = ([self.plane.to_plane(card.corners) for card in found] for found in (table.cards, table.others))
        return bool(known) and not self.gaps.more(known, rest)

    def _halves(self, known: Sequence[Floats]) -> list[Pose]:
        """Lay the cards that are cut off or half covered; `known` are the corners (4, 2) in the photo of all others."""
        to_plane = self.plane.to_plane
        return lay_halves(
            self.layers, self.deck.coarse, to_plane(self._frame), [to_plane(corners) for corners in known]
        )

    @property
    def _frame(self) -> Floats:
        """The photo's corners (4, 2)."""
        height, width = self.picture.pixels.shape[:2]
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)

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

    def _pose(self, corners: Floats) -> Pose:
        return pose_of(self.plane.to_plane(corners), self.deck.aspect, 1.0)

    def _card_sized(self, corners: Floats) -> bool:
        """Whether an outline has about a card's size on the plane; frames inside cards are not far off it."""
        sides = np.linalg.norm(np.diff(self.plane.to_plane(corners), axis=0), axis=1)
        return bool(np.abs(sides / (self.deck.aspect, 1.0, self.deck.aspect) - 1).max() < ROUGH_SIZE)

    def _photo_corners(self, pose: Pose) -> Floats:
        return self.plane.to_photo(pose.rectangle(self.deck.aspect, 1.0))

    def _draw(self, trusted: Sequence[Seed]) -> Sheet:
        edge = self.plane.to_plane(self._frame)
        near = self.plane.to_plane(np.array([seed.corners.mean(axis=0) for seed in trusted]))
        low = np.maximum(edge.min(axis=0), near.min(axis=0) - REACH)
        high = np.minimum(edge.max(axis=0), near.max(axis=0) + REACH)
        area = float(np.prod(high - low))
        scale = min(FINE, (MOST_PIXELS / max(area, 1e-6)) ** 0.5)
        return draw_sheet(self.picture, self.plane, scale, low, high)

    def _others(self) -> list[SeenCard]:
        """Preference cards, plantations and backs, by their outlines and by a search of the table for the rest."""
        found = self.others.outlined()
        if self.deck.others is None or self.others.complete(found):
            return found
        return self.others.searched([proposal.pose for proposal in self._printed(self.deck.others)])
