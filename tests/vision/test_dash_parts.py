"""Parts of the Dash reading alone: the plane, the market's rows, the comparison of a card with the deck."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_library import Library, as_pixels, build_library
from durian_assist.vision.dash_market import market_rows, unseen_rows
from durian_assist.vision.dash_parts import WHOLE, PartSearch, Proposal
from durian_assist.vision.dash_plane import Pose, TablePlane, fit_plane, pose_of
from durian_assist.vision.dash_search import search_quads
from durian_assist.vision.dash_seeds import Seed, SeedFinder, apart
from durian_assist.vision.dash_seen import COARSE, FINE, SeenCard, dash_deck, is_variety
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.layers import Explanation
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import CARD, paint

ASPECT = 0.716
SIZE = (3000, 2250)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def seen_by_phone(pitch: float, focal: float = 0.75) -> TablePlane:
    """A table 9 card heights away, tilted by `pitch` degrees."""
    f = focal * SIZE[0]
    cos, sin = np.cos(np.radians(pitch)), np.sin(np.radians(pitch))
    camera = np.array([(f, 0, SIZE[0] / 2), (0, f, SIZE[1] / 2), (0, 0, 1.0)])
    return TablePlane(camera @ np.array([(1.0, 0, 0), (0, cos, 0), (0, sin, 9.0)]))


@pytest.mark.parametrize("pitch", [2.0, 15.0, 28.0])
@pytest.mark.parametrize("places", [[(0, 1.5)], [(-2, 1.5), (2, 1.4)], [(x, 1.5) for x in (-3, -1.5, 0, 1.5, 3)]])
def test_plane_of_the_top_cards_of_fans_holds_for_the_cards_above_them(
    pitch: float, places: list[tuple[float, float]]
) -> None:
    """All of them lie in one row: eight free parameters would follow the noise of their corners."""
    truth, rng = seen_by_phone(pitch), np.random.default_rng(3)
    quads = [
        truth.to_photo(Pose(x, y, rng.normal(0, 0.02)).rectangle(ASPECT, 1)) + rng.normal(0, 1, (4, 2))
        for x, y in places
    ]
    plane = fit_plane(quads, ASPECT, SIZE)
    for x in (-1.0, 1.0):
        far = truth.to_photo(Pose(x, -1.0, 0.02).rectangle(ASPECT, 1))
        back = plane.to_photo(pose_of(plane.to_plane(far), ASPECT, 1).rectangle(ASPECT, 1))
        assert np.abs(back - far).max() < 0.05 * np.linalg.norm(far[3] - far[0])


def test_pose_of_a_card_is_found_back() -> None:
    pose = pose_of(Pose(1.5, -2.0, 0.3).rectangle(ASPECT, 1), ASPECT, 1)
    assert (pose.x, pose.y, pose.angle) == pytest.approx((1.5, -2.0, 0.3))


def card(name: str, x: float, y: float) -> SeenCard:
    return SeenCard(name, 1.0, np.zeros((4, 2)), (x, y))


MARKET = [card("c", 2, 0), card("a", 0, 0.1), card("e", 1, 1.2), card("b", 1, 0), card("d", 0, 1.15)]
PAHANG, JOHOR = card("plantation/pahang", 1, -1.3), card("plantation/johor", 1, 2.5)


@pytest.mark.parametrize("others", [[PAHANG, JOHOR], [PAHANG], [JOHOR], [card("dash/back", 4, 0), JOHOR]])
def test_rows_lie_between_the_plantations(others: list[SeenCard]) -> None:
    assert market_rows(MARKET, others) == {"pahang": [1, 3, 0], "johor": [4, 2]}


def test_market_seen_from_the_other_side_reads_from_its_own_left() -> None:
    turned = [card(c.name, -c.place[0], -c.place[1]) for c in MARKET]
    others = [card(o.name, -o.place[0], -o.place[1]) for o in (PAHANG, JOHOR)]
    assert market_rows(turned, others) == {"pahang": [1, 3, 0], "johor": [4, 2]}


def test_row_that_is_empty_stays_empty() -> None:
    upper = [card("a", 0, 0), card("b", 1, 0.05)]
    assert market_rows(upper, [PAHANG, JOHOR]) == {"pahang": [0, 1], "johor": []}


@pytest.mark.parametrize(
    ("others", "unseen"), [([PAHANG], ("johor",)), ([PAHANG, JOHOR], ()), ([JOHOR], ())], ids=["cut", "empty", "seen"]
)
def test_row_without_cards_and_plantation_may_be_outside_the_photo(
    others: list[SeenCard], unseen: tuple[str, ...]
) -> None:
    rows = {"pahang": [0, 1], "johor": [2] if others == [JOHOR] else []}
    assert unseen_rows(rows, others) == unseen


def test_no_plantation_is_no_market() -> None:
    assert market_rows(MARKET, [card("dash/back", 4, 0)]) is None


@pytest.fixture(scope="module")
def library(deck: DeckProfile) -> Library:
    return build_library([kind for kind in deck.classes if is_variety(kind.name)], 69, 96)


def test_class_is_told_through_a_veil_that_changes_over_the_card(library: Library) -> None:
    veil = np.linspace(0.1, 0.7, 96)[:, None, None]
    for name, picture in zip(library.names, library.pictures, strict=True):
        verdict = library.verdict(as_pixels(picture * (1 - veil) + veil), np.ones((96, 69), np.bool_))
        assert (verdict.name, verdict.candidates) == (name, (name,))


def test_card_that_a_veil_gives_another_ones_ground_is_not_named_by_it_alone() -> None:
    down, across = np.mgrid[0:96, 0:69].astype(np.float32)
    light = np.repeat((0.4 * np.exp(-((across - 34) ** 2 + (down - 60) ** 2) / 600))[..., None], 3, axis=2)
    prints = [np.zeros((96, 69, 3), np.float32) for _ in range(2)]
    for number, marks in enumerate(prints):
        marks[10:90:8, 8 + 6 * number : 60 : 12] = 0.25
    twins = Library(("dark", "light"), np.stack([0.2 + prints[0], 0.2 + light + prints[1]]))
    everything = np.ones((96, 69), np.bool_)
    for name, picture in zip(twins.names, twins.pictures, strict=True):
        assert twins.verdict(as_pixels(picture), everything).candidates == (name,)
    veiled = as_pixels(twins.pictures[0] + light)
    assert twins.local(veiled, everything).argmax() == 1
    assert set(twins.verdict(veiled, everything).candidates) == {"dark", "light"}


def test_part_that_is_alike_in_two_classes_names_both(library: Library) -> None:
    twins = Library(("left", "right", "other"), library.pictures[[0, 0, 5]].copy())
    twins.pictures[1, 60:] = library.pictures[1, 60:]
    upper = np.zeros((96, 69), np.bool_)
    upper[:58] = True
    picture = as_pixels(twins.pictures[0])
    assert set(twins.verdict(picture, upper).candidates) == {"left", "right"}
    assert twins.verdict(picture, np.ones_like(upper)).name == "left"


def test_cards_are_searched_for_without_outlines(deck: DeckProfile) -> None:
    name = next(kind.name for kind in deck.classes if is_variety(kind.name))
    scene = paint(deck, [(name, 0.5, -0.3, 5.0)], turn=90.0)
    (quad, *_) = search_quads(Picture(scene.pixels), dash_deck(deck).seek.shapes)
    assert np.abs(quad - scene.cards[0][1]).max() < 0.12 * CARD


def test_blocks_leave_out_what_is_hidden(library: Library) -> None:
    picture = as_pixels(library.pictures[2])
    visible = np.ones((96, 69), np.bool_)
    visible[40:] = False
    picture[40:] = 255
    kind, score = library.best(picture, visible)
    assert kind == 2
    assert score > 0.98


def test_library_at_another_height_keeps_its_classes(library: Library) -> None:
    small = library.at(24)
    assert (small.size, small.names) == ((17, 24), library.names)
    rest = library.without(library.names[:4])
    assert rest is not None
    assert rest.names == library.names[4:]
    assert library.without(library.names) is None


def test_card_seen_very_flat_is_named_where_its_upright_side_is_known(deck: DeckProfile) -> None:
    """The far cards of a steep photo look wider than high: by their outline alone they seem to lie on their side."""
    everything = dash_deck(deck).everything
    name = deck.classes[0].name
    scene = paint(deck, [(name, 0.0, 0.0, 0.0)])
    flat = scene.pixels[::2]
    quad = scene.cards[0][1] * (1.0, 0.5)
    finder = SeedFinder(everything)
    assert finder.seeds(Picture(flat), [quad]) == []
    (seed,) = finder.upright(Picture(flat), [quad])
    assert everything.names[seed.kind] == name


@pytest.mark.parametrize("degrees", [-4.5, 4.5])
def test_turn_that_was_found_a_step_aside_is_mended(degrees: float, deck: DeckProfile) -> None:
    parts = dash_deck(deck)
    pixels = np.full((400, 400, 3), 90, np.uint8)
    pixels[152:248, 165 : 165 + parts.fine.size[0]] = as_pixels(parts.fine.pictures[1])
    sheet = Sheet(pixels, FINE, (0.0, 0.0))
    layers = Explanation(
        PartSearch(sheet.at(COARSE), parts.coarse.shapes), PartSearch(sheet, parts.fine.shapes), parts.fine
    )
    middle = ((165 + parts.fine.size[0] / 2) / FINE, 200 / FINE)
    best = layers.refined(Pose(*middle, float(np.radians(degrees))), WHOLE, 0.2)[0]
    assert abs(np.degrees(best.pose.angle)) < 1.3
    assert best.score > 0.9


def test_seeds_of_one_card_are_one() -> None:
    def at(x: float, score: float) -> Seed:
        return Seed(Pose(x, 0.0, 0.0).rectangle(ASPECT, 1.0), 0, score)

    assert [seed.score for seed in apart([at(0.0, 0.9), at(0.2, 0.8), at(0.4, 0.7), at(0.6, 0.6)])] == [0.9, 0.7]


def test_only_what_shows_and_may_be_a_card_is_looked_at_closely(
    deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = dash_deck(deck)
    picture = np.asarray(as_pixels(parts.fine.pictures[0]))
    pixels = np.full((400, 500, 3), 90, np.uint8)
    pixels[150 : 150 + picture.shape[0], 200 : 200 + picture.shape[1]] = picture
    height = picture.shape[0]
    sheet = Sheet(pixels, height, (0.0, 0.0))
    layers = Explanation(
        PartSearch(sheet.at(COARSE), parts.coarse.shapes), PartSearch(sheet, parts.fine.shapes), parts.fine
    )
    closely: list[Pose] = []

    def refined(self: Explanation, pose: Pose, *_args: object) -> list[Proposal]:
        closely.append(pose)
        return []

    monkeypatch.setattr(Explanation, "refined", refined)
    there = Pose((200 + picture.shape[1] / 2) / height, (150 + height / 2) / height, 0.0)
    bare = Pose(1.0, 1.0, 0.0)
    layers._suggest(Proposal(there, WHOLE, 0.5), 0.3)
    layers._suggest(Proposal(bare, WHOLE, 0.5), 0.3)
    assert closely == [there]
    layers.cover(there)
    layers._suggest(Proposal(there, WHOLE, 0.5), 0.3)
    assert closely == [there]
