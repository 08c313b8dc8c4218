"""From layers of cards to names: which card is sure, which needs a person, and what else may be a card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from durian_assist.vision.dash_colours import CardLikeness
from durian_assist.vision.dash_library import SURE, bare
from durian_assist.vision.dash_parts import same_place
from durian_assist.vision.dash_plane import Floats, Pose, TablePlane, pose_of
from durian_assist.vision.dash_seeds import Aligners
from durian_assist.vision.dash_seen import UNSURE, DashDeck, SeenCard
from durian_assist.vision.dash_whole import FAINT
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.layers import ACCEPT, LEAST_SHARE, MOSTLY_FREE, POOR, Explanation, Laid
from durian_assist.vision.rectify import Picture, blown, canvas_to_photo, median

# Right cards correlate by 0.74 and more in every light measured.
RIGHT = 0.7
# What matches worse is not worth a person's look.
DOUBT = POOR
# A fan covers at most 70 % of a card; with less than this of it free nobody can be sure.
FREE_ENOUGH = 0.2
# A card of which more than this is seen and free of glare matches well, or is none.
LEAST_FREE = 0.9
# With more of what is free of a card lost to glare, a person should look, however well the rest matches.
MOST_LOST = 0.5
# A place where more than this is covered is that of a known card; one that glare hides to twice this share may be any.
MOST_GLARE = 0.25
# Less glare than this share of what is to be seen hides nothing.
DAZZLE = 0.05
# An outline of a card's size that has nothing of a card, or neither its print nor its colours, is a square of the cloth
# or a sheet.
HINT = 0.2
# Fine print of less than this share of the known cards' contrast is none: what light hides so far is clipped.
PLAIN = 0.125
# Under streaks of light fine print has this share of it and more, bare table beside cards 0.16 at most.
STREAKED = 0.5
# Under a lamp's veil it has more than this share.
VEILED = 0.25
# An outline of the card's size to within this share is a card, whatever glare has left of it.
SIZE_TOLERANCE = 0.06
# A bent card or a plane a little off: more is a fit gone astray, in shares of the card's height.
MOST_MOVE = 0.05
# Nearer than this (card heights) to a known card an outline is part of that card.
SAME_CARD = 0.3


class Judge:
    """Names the cards of one photo. `quads` are the outlines found in it, in photo pixels."""

    def __init__(
        self,
        picture: Picture,
        plane: TablePlane,
        deck: DashDeck,
        layers: Explanation,
        aligners: Aligners,
        quads: Sequence[Floats],
    ) -> None:
        self.picture, self.plane, self.deck, self.layers, self.quads = picture, plane, deck, layers, quads
        self.aligners = aligners

    def cards(self, strangers: Iterable[Laid], like: CardLikeness, halves: Sequence[Pose] = ()) -> list[SeenCard]:
        """Every card that was laid, and what may be one: `strangers` and what hides behind other cards or glare.

        `like` tells whether a piece has the colours of this photo's cards. A person should look at those laid at
        `halves`: what covers the other half may be a card as well.
        """
        least = max(ACCEPT, self.layers.usual)
        laid = [card for card in self.layers.laid if not self.is_table(card, like)]
        half = [card for card in laid if card.pose in halves]
        cards = [self._named(card, least) for card in laid if card.pose not in halves]
        return cards + [self._unsure(card) for card in [*half, *strangers, *self._begun(), *self._doubtful(like)]]

    def _begun(self) -> list[Laid]:
        """Cards of which a strip is seen upon a lower one, and that were not laid."""
        laid = [card.pose for card in self.layers.laid]
        return [self.layers.look(p) for p in self.layers.begun if not any(same_place(p, other) for other in laid)]

    @staticmethod
    def is_table(laid: Laid, like: CardLikeness) -> bool:
        """Whether a piece is the bare table along another card's edge: next to nothing of it is seen, and that has not
        the cards' colours."""
        return laid.share < FREE_ENOUGH and like.tells and not like(laid)

    def _doubtful(self, like: Callable[[Laid], bool]) -> list[Laid]:
        """Of what matches too badly to be laid, that which another card or glare may be the reason for.

        Its colours vouch for it, or its fine print where a veil of light has changed them.
        """
        found: list[Laid] = []
        for old in self.layers.left:
            laid = self.layers.look(old.pose)
            hidden = 1 - float((laid.visible & ~blown(self._cut(laid.pose))).mean())
            if laid.score < DOUBT or laid.share <= LEAST_SHARE or hidden <= 1 - LEAST_FREE:
                continue
            if (like(laid) or self._printed(laid)) and not any(same_place(laid.pose, o.pose) for o in found):
                found.append(laid)
        return found

    def _printed(self, laid: Laid) -> bool:
        """Whether the fine print of its class is seen on more than half of a piece."""
        cut = self._cut(laid.pose)
        print_seen = self.deck.fine.print_score(cut, laid.visible & ~blown(cut), laid.kind)
        return laid.share > MOSTLY_FREE and print_seen >= FAINT

    def corners(self, pose: Pose) -> Floats:
        """Where a card at `pose` lies in the photo (4, 2)."""
        return self.plane.to_photo(pose.rectangle(self.deck.aspect, 1.0))

    def _cut(self, pose: Pose) -> Pixels:
        size = self.deck.fine.size
        return self.layers.sheet.cut(pose, size, size[1])

    def _named(self, laid: Laid, least: float) -> SeenCard:
        corners, cut = self._fitted(laid)
        use = laid.visible & self.layers.clear(laid.pose, cut)
        verdict = self.deck.fine.verdict(cut, use)
        if self.layers.hidden(laid.pose):
            verdict = verdict.faded(verdict.score / self._usual_score)
        glare = 1 - float(use.sum()) / max(float(laid.visible.sum()), 1.0)
        clear = glare <= MOST_LOST and laid.share >= FREE_ENOUGH and verdict.score >= least
        if clear and verdict.confidence >= SURE:
            middling = verdict.score < RIGHT
            return SeenCard(verdict.name, verdict.confidence, corners, laid.pose.centre, middling=middling)
        confidence = min(verdict.confidence, UNSURE)
        return SeenCard(verdict.name, confidence, corners, laid.pose.centre, verdict.candidates)

    def _fitted(self, laid: Laid) -> tuple[Floats, Pixels]:
        """A card's corners in the photo, moved onto its class's print where that is a small step, and its picture."""
        library = self.deck.fine
        corners = self.corners(laid.pose)
        cut = self.picture.warp(canvas_to_photo(corners, library.size), library.size)
        clear = laid.visible & self.layers.clear(laid.pose, cut) if self.layers.hidden(laid.pose) else laid.visible
        moved = self.aligners.refine(self.picture, laid.kind, corners, clear)
        height = float(np.linalg.norm(corners[3] - corners[0]))
        if np.abs(moved - corners).max() > MOST_MOVE * height:
            return corners, cut
        better = self.picture.warp(canvas_to_photo(moved, library.size), library.size)
        _, before = library.best(cut, laid.visible & self.layers.clear(laid.pose, cut))
        _, after = library.best(better, laid.visible & self.layers.clear(laid.pose, better))
        return (moved, better) if after > before else (corners, cut)

    def _unsure(self, laid: Laid) -> SeenCard:
        """A card that is there or may be there, with the names that come into question."""
        cut = self._cut(laid.pose)
        verdict = self.deck.fine.verdict(cut, laid.visible & self.layers.clear(laid.pose, cut))
        confidence = float(np.clip(min(verdict.confidence, laid.score), 0.0, UNSURE))
        return SeenCard(verdict.name, confidence, self.corners(laid.pose), laid.pose.centre, verdict.candidates)

    def unknown(self, pose: Pose) -> SeenCard:
        """A card of which no more is known than that something of its size lies there: any name may be right."""
        guess = self._unsure(self.layers.look(pose))
        rest = [name for name in self.deck.fine.names if name not in guess.candidates]
        return replace(guess, candidates=(*guess.candidates, *rest))

    def blank(self, pose: Pose) -> bool:
        """Whether nothing at `pose` is like a print of the deck, and no glare is the reason."""
        return self.layers.look(pose).score < HINT and float(blown(self._cut(pose)).mean()) < MOST_GLARE

    def bare(self, pose: Pose) -> bool:
        """Whether nothing at `pose` is like a print of the deck, nor has the contrast that a veil of light leaves."""
        return self.blank(pose) and self._contrast(self.layers.look(pose)) < VEILED * self._usual_contrast

    def plain(self, pose: Pose) -> bool:
        """Whether next to nothing is printed on what is seen at `pose`."""
        return self._contrast(self.layers.look(pose)) < PLAIN * self._usual_contrast

    def contrasted(self, pose: Pose) -> bool:
        """Whether what is seen at `pose` has the contrast of a card: streaks of light only add to it."""
        return self._contrast(self.layers.look(pose)) >= STREAKED * self._usual_contrast

    @cached_property
    def _usual_score(self) -> float:
        """What the known cards match by; a card that lacks some of it may lack it for light that has changed."""
        return float(median([laid.score for laid in self.layers.laid]))

    @cached_property
    def _usual_contrast(self) -> float:
        """What the fine print of the known cards shows; 0 where none was laid: then nothing is too plain for a card."""
        shown = [self._contrast(laid) for laid in self.layers.laid]
        return float(median(shown)) if shown else 0.0

    def _contrast(self, laid: Laid) -> float:
        """The mean difference, in grey levels, between what is seen of a piece and its ground."""
        cut = self._cut(laid.pose)
        use = laid.visible & ~blown(cut)
        fine = bare(cut, use, self.deck.fine.size[1])[use]
        return float(np.abs(fine.astype(np.float32) - 128).mean()) if use.any() else 0.0

    def dazzled(self, pose: Pose) -> bool:
        """Whether glare hides a part of what is to be seen at `pose`."""
        visible = self.layers.look(pose).visible
        return bool((blown(self._cut(pose)) & visible).sum() >= DAZZLE * visible.sum() > 0)

    @cached_property
    def outlined(self) -> list[Pose]:
        """Where outlines have a card's size on the plane: poses, upright side first."""
        if not self.quads:
            return []
        corners = self.plane.to_plane(np.concatenate(self.quads)).reshape(-1, 4, 2)
        sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        aspect = self.deck.aspect
        found: dict[int, Pose] = {}
        for first, size in ((0, (aspect, 1.0, aspect, 1.0)), (1, (1.0, aspect, 1.0, aspect))):
            fits = np.abs(sides / size - 1).max(axis=1) < SIZE_TOLERANCE
            found |= {int(n): self._upright(np.roll(corners[n], -first, axis=0)) for n in np.flatnonzero(fits)}
        return [found[number] for number in sorted(found)]

    def _upright(self, corners: Floats) -> Pose:
        """The pose of a card-sized outline, of the two the one that is less than a quarter turned."""
        pose = pose_of(corners, self.deck.aspect, 1.0)
        return pose if abs(pose.angle) <= np.pi / 2 else pose_of(np.roll(corners, -2, axis=0), self.deck.aspect, 1.0)

    def strangers(self, known: Iterable[Floats], like: Callable[[Laid], bool]) -> list[Laid]:
        """Outlines of a card's size where nothing is known: cards that glare or a sleeve hides.

        `known` are the corners (4, 2) in the photo of what is known; `like` is as in `cards`.
        """
        centres = [self.plane.to_plane(corners).mean(axis=0) for corners in known]
        found: list[Laid] = []
        for pose in self.outlined:
            if any(np.hypot(pose.x - x, pose.y - y) < SAME_CARD for x, y in centres):
                continue
            seen = self.layers.look(pose)
            glare = float(blown(self._cut(pose)).mean())
            printed = seen.score >= DOUBT or (seen.score >= HINT and like(seen))
            if seen.share > 1 - MOST_GLARE and (printed or glare > 2 * MOST_GLARE):
                found.append(seen)
                self.layers.cover(pose)
                centres.append(np.array((pose.x, pose.y)))
        return found
