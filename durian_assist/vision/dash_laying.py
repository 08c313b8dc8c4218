"""The plane of a table of Dash cards, explained by layers of cards: from outlines to what lies on what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from durian_assist.vision.dash_colours import CardLikeness
from durian_assist.vision.dash_fans import beneath, further
from durian_assist.vision.dash_gaps import GapFinder
from durian_assist.vision.dash_judge import LEAST_FREE
from durian_assist.vision.dash_library import HOPELESS, Library
from durian_assist.vision.dash_others import OtherCards
from durian_assist.vision.dash_parts import MOST_PLACES, TURNS, WHOLE, PartSearch, Proposal, same_place
from durian_assist.vision.dash_plane import Floats, Pose, fit_plane, pose_of
from durian_assist.vision.dash_seeds import CERTAIN, Aligners, Seed, SeedFinder, apart
from durian_assist.vision.dash_seen import COARSE, FINE, DashDeck, SeenCard, SeenTable, is_variety
from durian_assist.vision.dash_sheet import Sheet, draw_sheet
from durian_assist.vision.dash_streaks import StreakReader
from durian_assist.vision.dash_upon import UponReader
from durian_assist.vision.dash_whole import FAINT, near, new_places, prints_near, whole_cards
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


class TableLayers:
    """The layers of cards of one photo on the plane that `trusted` seeds fix."""

    def __init__(
        self, picture: Picture, deck: DashDeck, finder: SeedFinder, seeds: Sequence[Seed], trusted: Sequence[Seed]
    ) -> None:
        self.picture, self.deck, self.finder = picture, deck, finder
        height, width = picture.pixels.shape[:2]
        self.plane = fit_plane([seed.corners for seed in trusted], deck.aspect, (width, height))
        own = [*trusted, *(seed for seed in seeds if is_variety(finder.bank.names[seed.kind]))]
        self.poses = [self._pose(seed.corners) for seed in apart(own) if self._card_sized(seed.corners)][:MOST_PLACES]
        self.sheet = self._draw(trusted)
        # Where cards were laid though what was left out of them may be no streak of light.
        self._faint: list[Pose] = []
        self._seen: dict[tuple[object, ...], list[Proposal]] = {}
        fine, coarse = PartSearch(self.sheet, deck.fine.shapes), PartSearch(self.sheet.at(COARSE), deck.coarse.shapes)
        self.layers = Explanation(coarse, fine, deck.fine)
        self.others = OtherCards(picture, self.plane, deck, finder, self.layers, seeds)
        self.layers.is_other, self.layers.upon = self.others.unmask, UponReader(self.layers).find
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
        self.layers.explain([], WORTH_A_LOOK, ACCEPT)
        # What only looks like a card is laid last: it may be one of which another, under streaks, covers a part.
        self._behind_streaks(self._likeliest([*self.layers.left, *self._strips()]))
        before = len(self.layers.laid)
        self.layers.explain([], WORTH_A_LOOK, ACCEPT, self._like_cards())
        if len(self.layers.laid) > before:
            self._behind_streaks(self._likeliest(self.layers.left))

    @staticmethod
    def _likeliest(places: Iterable[Laid]) -> list[Laid]:
        """The places, those that are most like a card first."""
        return sorted(places, key=lambda laid: -laid.score)

    def _behind_streaks(self, places: Iterable[Laid]) -> None:
        """Lay what is a card at places once streaks of light are left out, and what lies below it."""
        if not self.layers.laid:  # a plane on which nothing lies is wrong
            return
        found = self._streaked.find(places)
        self._faint += [laid.pose for laid, bright in found if not bright]
        if found:
            cards = [Proposal(laid.pose, WHOLE, laid.score) for laid, _ in found]
            self.layers.explain(cards, WORTH_A_LOOK, ACCEPT)

    def _strips(self) -> list[Laid]:
        """What shows a little print where a streak of light, and not the table's colours, lies beside a known card."""
        places = beneath(self.layers.laid, self.deck.aspect)
        known = [laid.pose.rectangle(self.deck.aspect, 1.0) for laid in self.layers.laid]
        numbers = self.gaps.no_table([pose for pose, _, _ in places], known, [])
        reader = self._streaked
        return [laid for n in numbers if reader.lit(places[n][0]) for laid in reader.near(*places[n])]

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
        """Where cards may lie whole in the table: where outlines are, and where a search of the table is sure.

        How sure it can be tells the likeliest place that looks like a card: the rim of a glass or of a lamp may be more
        like a card's print than what a veil of light leaves of one.
        """
        likeliest = sorted(self._found, key=lambda p: -p.score)
        cards = (p.score for p in likeliest if self.layers.look(p.pose).score >= HOPELESS)
        least = OF_THE_USUAL * next(cards, likeliest[0].score if likeliest else 0.0)
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

    def sure_seeds(self, table: SeenTable) -> list[Seed]:
        """The cards of this reader's table that are sure and lie free, as they were fitted onto the photo."""
        free = [laid.pose for laid in self.layers.laid if laid.share > LEAST_FREE]
        names = self.finder.bank.names
        return [
            Seed(card.corners, names.index(card.name), card.confidence)
            for card in table.cards
            if not card.candidates and any(same_place(pose, Pose(*card.place, 0.0)) for pose in free)
        ]

    def _aligned(self, seed: Seed) -> Seed:
        kind = self.finder.bank.names.index(self.deck.fine.names[seed.kind])
        return self.finder.aligned(self.picture, replace(seed, kind=kind))

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

    @property
    def _frame(self) -> Floats:
        """The photo's corners (4, 2)."""
        height, width = self.picture.pixels.shape[:2]
        return np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
