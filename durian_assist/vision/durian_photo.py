"""One Durian photo to its pieces: tokens with their sides, the inventory row, the orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_faces import DurianDeck, Face, with_sides
from durian_assist.vision.durian_fit import Verdict
from durian_assist.vision.durian_items import Item, Pieces, points, same_card, summed
from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.durian_lines import UNREAD
from durian_assist.vision.durian_looks import TABLE
from durian_assist.vision.durian_orders import Order, Placed
from durian_assist.vision.durian_outlines import SURE as SURE_BOARD
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_positions import sure_positions
from durian_assist.vision.durian_table import TableParts, read_parts
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture, blown, median
from durian_assist.vision.token_values import Token
from durian_assist.vision.tokens import TokenReader

Points = NDArray[np.float64]

# Below the first correlation a piece of paper is no card of the deck, above the second it surely is.
NO_CARD, SURE_CARD = 0.5, 0.85
NO_TOKEN, SURE_TOKEN = 0.3, 0.55
GLARED = 0.05  # of a token's area: less glare hides none of it
# A cup seen from above is round and dark like many a token, but shows no value surely.
SURE_VALUE = 0.9
# Where an outline of a card's size tells that it is one, its art need only tell which.
NO_SIZED_CARD, SURE_SIZED_CARD = 0.4, 0.7
# Of a card of which less is seen nobody should be sure; nor where so little of a half is seen and the other fits less.
GLIMPSE, SURE_HALF = 0.2, 0.9
DOUBT = 0.6
# Share of a card's width round its middle where what has a token's shape is its art; well inside it is not looked at.
ON_CARD, INSIDE = 0.5, 0.4
PIECE = 0.8  # of a token's area: what is smaller is no whole one
LEAST_SIDE = 100  # pixels: in a smaller picture no card can be told
# Tokens of different players lie so many widths of a token apart: with room for two more between them, and some.
CLUSTER_GAP = 3.4


def read_photo(photo: Photo, deck: DurianDeck, number: int = 0) -> Pieces:
    """The pieces of photo `number`: tokens where there is no table of cards, else the table and tokens beside it.

    What may be a table counts for nothing beside clear tokens; beside doubtful ones both are said.
    """
    if min(photo.pixels.shape[:2]) < LEAST_SIDE:
        return Pieces()
    picture = Picture(photo.pixels)
    search = OutlineSearch(picture, deck)
    search.first()
    reader = TokenReader(deck.tokens) if deck.tokens else None
    sided = cache(partial(with_sides, deck))
    guess = Pieces()
    if search.cards:
        parts = read_parts(sided(), search, doubtful=False)
        guess = _table(sided(), parts, number)
        if parts.certain and guess.cards >= TABLE:
            return replace(guess, tokens=_beside(picture, search, parts, reader, number)) if reader else guess
    search.glare()
    said, clear = _lying(picture, search, reader, number, anywhere=False)
    if clear:
        return Pieces(said)
    # A dark card is seen only by the slow masks: they take less time than looking everywhere for a token of any size.
    search.rest()
    if search.cards:
        parts = read_parts(sided(), search, doubtful=False)
        table = _table(sided(), parts, number)
        if parts.certain and table.cards >= TABLE:
            return table
    said, clear = _lying(picture, search, reader, number, anywhere=True)
    if clear:
        return Pieces(said)
    search.printed()
    if not search.cards:
        return Pieces(said)
    if said and guess.cards >= TABLE:
        return replace(guess, tokens=said)
    parts = read_parts(sided(), search, doubtful=not said)
    table = _table(sided(), parts, number)
    return table if not said or (parts.certain and table.cards >= TABLE) else Pieces(said)


def _lying(
    picture: Picture, search: OutlineSearch, reader: TokenReader | None, number: int, anywhere: bool
) -> tuple[tuple[Item, ...], bool]:
    """The tokens of a photo and whether any of them is clear; `anywhere`: see `TokenReader.find`."""
    if reader is None:
        return (), False
    tokens = reader.find(picture, search.shapes, search.scale, by_art=True, anywhere=anywhere)
    if _board(search) is None and any(_is_piece(token, tokens) for token in tokens):
        # What has the tokens' colours may be part of a board that the quick masks do not show.
        search.rest()
    board = _board(search)
    tokens = [token for token in tokens if token.readable or board is None or not _within(token, board)]
    clear = any(token.readable and token.score > SURE_TOKEN and token.values[0][1] > SURE_VALUE for token in tokens)
    return _tokens(tokens, board, number), clear


def _is_piece(token: Token, tokens: Sequence[Token]) -> bool:
    """Is a token that nobody can read smaller than one that is read?"""
    whole = [cv2.contourArea(other.corners.astype(np.float32)) for other in tokens if other.readable]
    return not token.readable and bool(whole) and cv2.contourArea(token.corners.astype(np.float32)) < PIECE * min(whole)


def _within(token: Token, corners: Points) -> bool:
    """Does a token's middle lie in a piece with these corners (4, 2)?"""
    x, y = token.corners.mean(axis=0)
    return cv2.pointPolygonTest(corners.astype(np.float32), (float(x), float(y)), measureDist=False) >= 0


def _table(deck: DurianDeck, parts: TableParts, number: int) -> Pieces:
    """The cards of the table of the parts. The deck's sides are known."""
    inventory = tuple(_inventory(deck, placed, number) for placed in parts.inventory)
    orders = tuple(_order(deck, order, number) for order in parts.orders)
    inventory = _positioned(inventory, parts.inventory, deck.aspect)
    orders = _positioned(orders, [order.placed for order in parts.orders], deck.aspect, _middle(parts))
    if parts.board is None:
        inventory = tuple(item.doubted(DOUBT) for item in inventory)
        orders = tuple(item.doubted(DOUBT) for item in orders)
    return _gorillas_once(Pieces((), inventory, orders))


def _beside(
    picture: Picture, search: OutlineSearch, parts: TableParts, reader: TokenReader, number: int
) -> tuple[Item, ...]:
    """The tokens whose outlines are seen beside a table of cards.

    There the cards are clear, and so are tokens but where glare lies on them: a cup is round too, and so are a cloth's
    dots.
    """
    beside = [shape for shape in search.shapes if not _on_card(shape.centre / search.scale, parts, INSIDE)]
    lying = reader.find(picture, beside, search.scale, by_art=False)
    shown = [token for token in lying if token.score > SURE_TOKEN or not token.readable or _glared(picture, token)]
    tokens = [token for token in shown if not _on_card(token.corners.mean(axis=0), parts, ON_CARD)]
    return _tokens(tokens, parts.board, number)


def _glared(picture: Picture, token: Token) -> bool:
    """Whether glare clips a noticeable part of what a token's outline spans."""
    x, y, width, height = cv2.boundingRect(token.corners.astype(np.float32))
    part = picture.pixels[max(y, 0) : y + height, max(x, 0) : x + width]
    return part.size > 0 and float(blown(np.ascontiguousarray(part)).mean()) > GLARED


def _board(search: OutlineSearch) -> Points | None:
    """Corners of the board by its outline, where that is certain."""
    return search.board.corners if search.board is not None and search.board.score > SURE_BOARD else None


def _on_card(centre: Points, parts: TableParts, reach: float) -> bool:
    """Whether a shape is part of a card's art: `reach` as a share of a card's width round its middle."""
    cards = [p.corners for p in (*parts.inventory, *(o.placed for o in parts.orders))]
    cards += [o.gorilla.corners for o in parts.orders if o.gorilla is not None]
    return any(np.linalg.norm(c.mean(axis=0) - centre) < reach * np.linalg.norm(c[1] - c[0]) for c in cards)


def _card_share(card: Laid) -> float:
    """The probability that the piece is a card of the deck and enough of it is seen."""
    verdict = card.verdict
    none, sure = (NO_SIZED_CARD, SURE_SIZED_CARD) if card.sized else (NO_CARD, SURE_CARD)
    share = float(np.clip((verdict.score - none) / (sure - none), 0.0, 1.0))
    glimpse = verdict.seen < GLIMPSE or (verdict.half_seen < GLIMPSE and verdict.score < SURE_HALF)
    return min(share, DOUBT) if glimpse else share


def _middle(parts: TableParts) -> tuple[float, float] | None:
    """The middle of the board on the plane."""
    if parts.board is None or parts.plane is None:
        return None
    x, y = parts.plane.to_plane(parts.board).mean(axis=0).tolist()
    return x, y


def _positioned(
    items: Sequence[Item], placed: Sequence[Placed], aspect: float, head: tuple[float, float] | None = None
) -> tuple[Item, ...]:
    """The items, those doubted of which it is not sure how many lie before them, after the piece at `head`."""
    cards = [p.card for p in placed]
    doubtful = [card.fit == UNREAD or _card_share(card) <= DOUBT for card in cards]
    sure = sure_positions([card.spot for card in cards], doubtful, aspect, head)
    return (*items[:sure], *(item.doubted(DOUBT) for item in items[sure:]))


def _answers(verdict: Verdict) -> list[tuple[int, bool, float]]:
    """(face, turned, probability) best first."""
    return [(verdict.face, verdict.turned, verdict.confidence), *verdict.rivals]


def _inventory(deck: DurianDeck, placed: Placed, number: int) -> Item:
    verdict = placed.card.verdict
    share = _card_share(placed.card)
    best = deck.faces[verdict.face].text(verdict.turned)
    odds = []
    for face, turned, p in _answers(verdict):
        if deck.faces[face].kind != "back":
            text = deck.faces[face].text(turned)
            odds.append((best if same_card(text, best) else text, p * share))
    return Item(summed(odds), points(placed.corners), number, perhaps=placed.card.fit == UNREAD)


def _order(deck: DurianDeck, order: Order, number: int) -> Item:
    verdict = order.placed.card.verdict
    share = _card_share(order.placed.card) * (DOUBT if order.doubtful else 1.0)
    tail = ""
    if order.gorilla is not None:
        beside = order.gorilla.card.verdict
        tail = f" flipped by {deck.faces[beside.face].name}"
        share *= _card_share(order.gorilla.card) * beside.confidence
    odds = [
        (f"{_accepted_first(deck.faces[face], turned)}{tail}", p * share)
        for face, turned, p in _answers(verdict)
        if deck.faces[face].kind == "fruit"
    ]
    item = Item(summed(odds), points(order.placed.corners), number, perhaps=order.placed.card.fit == UNREAD)
    sure = deck.faces[verdict.face].sides_known and order.placed.card.counted
    return item if sure else item.doubted(DOUBT)


def _accepted_first(face: Face, turned: bool) -> str:
    """The right half as the board reads is the accepted one."""
    assert face.halves is not None
    left, right = reversed(face.halves) if turned else face.halves
    return f"{right} | {left}"


def _gorillas_once(pieces: Pieces) -> Pieces:
    """A gorilla is in the deck once: where it is read twice neither is sure."""
    names = [item.best.removeprefix("gorilla ") for item in pieces.inventory if item.best.startswith("gorilla ")]
    names += [item.best.partition(" flipped by ")[2] for item in pieces.orders if " flipped by " in item.best]
    twice = {name for name in names if names.count(name) > 1}

    def checked(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(i.doubted(DOUBT) if any(i.best.endswith(f" {name}") for name in twice) else i for i in items)

    return replace(pieces, inventory=checked(pieces.inventory), orders=checked(pieces.orders))


def _tokens(tokens: Sequence[Token], board: Points | None, number: int) -> tuple[Item, ...]:
    """The tokens in reading order; a value read twice is sure nowhere, for there is one token of each."""
    ordered = sorted(tokens, key=lambda t: (round(float(t.corners[:, 1].mean()) / _width(t)), t.corners[:, 0].mean()))
    sides = token_sides([t.corners for t in ordered], board)
    read = [t.values[0][0] for t in ordered if t.readable]
    items = []
    for token, side in zip(ordered, sides, strict=True):
        share = float(np.clip((token.score - NO_TOKEN) / (SURE_TOKEN - NO_TOKEN), 0.0, 1.0))
        odds = [(str(value), p * share) for value, p in token.values]
        if not token.readable:
            left = [value for value, _ in token.values if value not in read] or [value for value, _ in token.values]
            odds = [(str(value), min(1.0 / len(left), DOUBT)) for value in left]
        item = Item(summed(odds), points(token.corners), number, side, perhaps=not token.readable)
        items.append(item.doubted(DOUBT) if read.count(token.values[0][0]) > 1 else item)
    return tuple(items)


def _width(token: Token) -> float:
    return max(float(np.ptp(token.corners, axis=0).max()), 1.0)


def token_sides(outlines: Sequence[Points], board: Points | None) -> list[str]:
    """The side of the photo on which each token's cluster lies, seen from the board or else from the middle of all.

    The tokens of one cluster alone are the photographer's: south.
    """
    if not outlines:
        return []
    centres = np.array([o.mean(axis=0) for o in outlines])
    width = float(median([np.ptp(o, axis=0).max() for o in outlines]))
    groups = _clusters(centres, CLUSTER_GAP * width)
    if board is None and len(set(groups)) == 1:
        return ["south"] * len(outlines)
    middle = board.mean(axis=0) if board is not None else (centres.min(axis=0) + centres.max(axis=0)) / 2
    sides = {}
    for group in set(groups):
        dx, dy = centres[np.array(groups) == group].mean(axis=0) - middle
        sides[group] = ("east" if dx > 0 else "west") if abs(dx) > abs(dy) else ("south" if dy > 0 else "north")
    return [sides[group] for group in groups]


def _clusters(centres: Points, gap: float) -> list[int]:
    """Cluster number of each centre: those nearer than the gap belong together."""
    groups = list(range(len(centres)))
    for i in range(len(centres)):
        for j in range(i):
            if np.hypot(*(centres[i] - centres[j])) < gap and groups[i] != groups[j]:
                old, new = groups[i], groups[j]
                groups = [new if g == old else g for g in groups]
    return groups
