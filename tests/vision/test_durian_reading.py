"""Photos of Durian to readings: shipped samples with their truth, and tables made up from references."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.durian_faces import durian_deck, with_sides
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.durian_seeds import Seed
from durian_assist.vision.durian_sized import card_sized
from durian_assist.vision.photo import Photo, load_photo
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

HARBOUR = load_profile("harbour-durian", "durian")
DRAWN = drawn_deck()
DECKS = {"harbour": HARBOUR, "drawn": DRAWN}


def sample(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    truth: dict[str, Any] = json.loads(shipped("sample_images", f"{name}.json").read_text(encoding="utf-8"))
    said: dict[str, Any] = read_durian([load_photo(shipped("sample_images", f"{name}.jpg"))], HARBOUR).to_json()
    return said, truth


def halves(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split("|"))


def named(class_name: str) -> frozenset[str]:
    if class_name.startswith("gorilla/"):
        return frozenset([class_name.replace("/", " ")])
    return frozenset(f"{part[:-1]} {part[-1]}" for part in class_name.split("-"))


class TestSamples:
    @pytest.mark.parametrize("name", ["durian-table-01", "durian-table-02", "durian-table-04"])
    def test_table(self, name: str) -> None:
        said, truth = sample(name)
        of = {
            role: [c for c in truth["cards"] if c["role"] == role] for role in ("inventory", "order", "order-gorilla")
        }
        beside = {c["beside"]: c["id"].partition("/")[2] for c in of["order-gorilla"]}
        assert [halves(text) for text in said["inventory"]] == [named(c["id"]) for c in of["inventory"]]
        assert [(o["accepted"], o["gorilla"]) for o in said["orders"]] == [
            (f"{c['accepted']['fruit']} {c['accepted']['count']}", beside.get(c["position"])) for c in of["order"]
        ]
        assert said["uncertain"] == []
        assert said["tokens"] == []

    @pytest.mark.parametrize("name", ["durian-tokens-01", "durian-tokens-02", "durian-tokens-03"])
    def test_tokens(self, name: str) -> None:
        said, truth = sample(name)
        unread = [u["position"] for u in said["uncertain"]]
        left = {c["id"]: np.mean(c["polygon"], axis=0) for c in truth["cards"] if c["role"] == "token"}
        for position, token in enumerate(said["tokens"], 1):
            middle = np.mean(token["corners"], axis=0)
            nearest = min(left, key=lambda name: float(np.hypot(*(left[name] - middle))))
            assert np.hypot(*(left.pop(nearest) - middle)) < 25
            assert position in unread or f"token/{token['value']}" == nearest
        assert left == {}
        # One token of the third photo is white with glare: nobody can read it.
        assert len(unread) == sum(c.get("blown", 0) > 0.5 for c in truth["cards"])

    def test_tokens_of_four_players_lie_on_four_sides(self) -> None:
        said, truth = sample("durian-tokens-02")
        owners = {"N": "north", "E": "east", "S": "south", "W": "west"}
        wanted = {c["id"].partition("/")[2]: owners[c["owner"]] for c in truth["cards"] if c["role"] == "token"}
        assert {str(token["value"]): token["side"] for token in said["tokens"]} == wanted


class TestTokensOnACheckedCloth:
    """Checks of a cloth that are as large as each other must not pass for cards of a table."""

    @pytest.mark.parametrize("clear", [True, False], ids=["clear tokens", "no tokens"])
    def test_two_checks_taken_for_cards_make_no_table(self, clear: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        scene = Scene(DRAWN, seed=4)
        scene.gingham(1.4, 1.0)
        for k in range(3 if clear else 0):
            scene.lay(f"token/{k + 2}", 4 + 1.7 * k, 3 + 1.5 * k, angle=20 * k)

        def checks(search: OutlineSearch) -> list[Seed]:
            quads = card_sized(search.shapes, search.scale, TablePlane(np.diag([138.0, 138.0, 1.0])), 1.4)
            return [Seed(quad, 0.76) for quad in quads[:2]]

        monkeypatch.setattr(OutlineSearch, "cards", property(checks))
        pieces = read_photo(scene.photo(pitch=0.0), durian_deck(DRAWN))
        assert [token.best for token in pieces.tokens] == (["2", "3", "4"] if clear else [])
        assert pieces.cards == 0


def accepted(deck: DeckProfile, label: str, turned: bool) -> tuple[str, str]:
    """The accepted and the other half of an order: the right and the left one as it lies."""
    face = next(f for f in with_sides(durian_deck(deck)).faces if f.label == label)
    assert face.halves is not None
    left, right = reversed(face.halves) if turned else face.halves
    return str(right), str(left)


def fruit_labels(deck: DeckProfile) -> list[str]:
    return [f.label for f in durian_deck(deck).faces if f.kind == "fruit"]


def orders_of(said: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(o["accepted"], o["other"], o["gorilla"]) for o in said["orders"]]


def column(deck: DeckProfile, seed: int, older_on_top: bool) -> tuple[Scene, list[tuple[str, str, str | None]]]:
    """Three inventory cards, the board, five orders in a column and a gorilla beside the second."""
    scene = Scene(deck, seed=seed)
    labels = fruit_labels(deck)[seed : seed + 8]
    for k, label in enumerate([labels[5], "gorilla/hannah", labels[6]]):
        scene.lay(label, 4.5 + 1.8 * k, 1.3, angle=3 - 3 * k + 180 * (k % 2))
    scene.lay("board/order", 6.2, 2.6, angle=1.5)
    places = list(enumerate(labels[:5]))
    for k, label in reversed(places) if older_on_top else places:
        scene.lay(label, 6.2 + 0.05 * (k % 2), 3.6 + 0.68 * k, angle=2 * (k % 3) - 2 + 180 * (k % 2))
    scene.lay("gorilla/murphy", 6.2 + 1.15 * durian_deck(deck).aspect, 4.3)
    wanted: list[tuple[str, str, str | None]] = [
        (*accepted(deck, label, k % 2 == 1), "murphy" if k == 1 else None) for k, label in places
    ]
    return scene, wanted


def rows_beside_the_board(orders: int = 5) -> tuple[Scene, list[str]]:
    """Two inventory cards, the board and some orders in rows of three beside it; the deck's labels, which the orders
    have from the fourth on, every other one turned."""
    scene = Scene(DRAWN, seed=2)
    labels = fruit_labels(DRAWN)
    for k in range(2):
        scene.lay(labels[k], 5 + 1.8 * k, 1.2, angle=2)
    scene.lay("board/order", 2.0, 3.4)
    for k in range(orders):
        scene.lay(labels[3 + k], 4.4 + 1.6 * (k % 3), 3.4 + 1.15 * (k // 3), angle=180 * (k % 2) + 2 * k - 4)
    return scene, labels


class TestTables:
    @pytest.mark.parametrize("deck", DECKS.values(), ids=list(DECKS))
    @pytest.mark.parametrize("older_on_top", [False, True], ids=["newer on top", "older on top"])
    def test_column_of_overlapping_orders(self, deck: DeckProfile, older_on_top: bool) -> None:
        scene, wanted = column(deck, seed=1, older_on_top=older_on_top)
        said: dict[str, Any] = read_durian([scene.photo(turn=-6, tint=(0.8, 0.95, 1.0))], deck).to_json()
        assert orders_of(said) == wanted
        assert len(said["inventory"]) == 3
        assert said["inventory"][1] == "gorilla hannah"
        assert said["uncertain"] == []

    @pytest.mark.parametrize("turn", [176, 90, -50], ids=["far side", "left side", "from a corner"])
    def test_a_photo_taken_from_another_side(self, turn: float) -> None:
        scene, wanted = column(HARBOUR, seed=3, older_on_top=False)
        said = read_durian([scene.photo(turn=turn)], HARBOUR).to_json()
        assert orders_of(said) == wanted
        assert said["uncertain"] == []

    @pytest.mark.parametrize("wider", [-0.02, -0.03, -0.04])
    def test_one_card_that_is_a_little_off_does_not_lose_the_row_at_the_far_end(
        self, wider: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """On its plane the far cards are a sixth too large; the clear cards near it give a better one."""
        plain: Callable[[OutlineSearch], list[Seed]] = vars(OutlineSearch)["cards"].fget

        def nearest(search: OutlineSearch) -> list[Seed]:
            seed = max(plain(search), key=lambda s: float(s.corners[:, 1].mean()))
            corners = seed.corners.copy()
            far = np.argsort(corners[:, 1])[:2]
            corners[far] += wider * (corners[far] - corners[far].mean(axis=0))
            return [Seed(corners, seed.score)]

        scene, wanted = column(DRAWN, seed=1, older_on_top=False)
        monkeypatch.setattr(OutlineSearch, "cards", property(nearest))
        said: dict[str, Any] = read_durian([scene.photo(pitch=25.0)], DRAWN).to_json()
        assert orders_of(said) == wanted
        assert [said["inventory"][1], len(said["inventory"])] == ["gorilla hannah", 3]

    def test_rows_beside_the_board(self) -> None:
        scene, labels = rows_beside_the_board()
        scene.lay("gorilla/mitch", 6.0, 5.75, angle=3)
        said = read_durian([scene.photo(turn=4)], DRAWN).to_json()
        wanted = [(*accepted(DRAWN, labels[3 + k], k % 2 == 1), "mitch" if k == 4 else None) for k in range(5)]
        assert orders_of(said) == wanted
        assert said["uncertain"] == []

    @pytest.mark.parametrize(("x", "reach"), [(6.2, 0.55), (6.0, 0.75)])
    def test_what_a_lamp_hides_below_an_order_of_a_row_may_be_its_gorilla(self, x: float, reach: float) -> None:
        scene, _ = rows_beside_the_board()
        scene.lay("gorilla/mitch", 6.0, 5.75, angle=3)
        scene.glare(x, 5.8, reach)
        unsure = {u.key: u.candidates for u in read_durian([scene.photo(turn=4)], DRAWN).uncertain}
        assert sorted(unsure) == ["orders.5", "orders.6"]
        assert "." in unsure["orders.6"]

    def test_the_only_order_of_the_next_row_that_a_lamp_hides_is_asked_about(self) -> None:
        scene, _ = rows_beside_the_board(orders=4)
        scene.glare(4.4, 4.55, 0.75)
        reading = read_durian([scene.photo(turn=4)], DRAWN)
        assert len(reading.pieces.orders) == 4
        assert {"orders.4"} <= {u.key for u in reading.uncertain} <= {"orders.1", "orders.4"}

    @pytest.mark.parametrize("lost", [0, 2])
    @pytest.mark.parametrize("by", ["finger", "lamp"])
    def test_an_order_at_the_end_of_a_row_that_a_finger_or_a_lamp_hides_is_asked_about(
        self, lost: int, by: str
    ) -> None:
        scene, labels = rows_beside_the_board()
        x = 4.4 + 1.6 * lost
        if by == "finger":
            middle = (round((x - 0.4) * UNIT), round(3.4 * UNIT))
            cv2.ellipse(scene.picture, middle, (round(0.45 * UNIT), round(0.7 * UNIT)), 0, 0, 360, (120, 150, 195), -1)
        else:
            scene.glare(x + 0.15 * (lost - 1), 3.4, 0.75)
        reading = read_durian([scene.photo(turn=4)], DRAWN)
        assert len(reading.pieces.orders) == 5
        unsure = {u.key: u for u in reading.uncertain}
        assert "." in unsure[f"orders.{lost + 1}"].candidates
        said: dict[str, Any] = reading.to_json()
        for k, order in enumerate(orders_of(said)):
            assert order == (*accepted(DRAWN, labels[3 + k], k % 2 == 1), None) or f"orders.{k + 1}" in unsure

    def test_an_order_hidden_by_glare_is_not_passed_over(self) -> None:
        scene, wanted = column(HARBOUR, seed=1, older_on_top=False)
        scene.glare(6.2, 5.0, 0.62)
        said: dict[str, Any] = read_durian([scene.photo()], HARBOUR).to_json()
        unsure = {u["position"] for u in said["uncertain"] if u["part"] == "orders"}
        assert len(said["orders"]) == len(wanted)
        assert 3 in unsure
        for position, (said_order, true_order) in enumerate(zip(orders_of(said), wanted, strict=True), 1):
            assert position in unsure or said_order == true_order

    @pytest.mark.parametrize(
        ("lost", "part", "position"),
        [
            ((4.5, 1.3), "inventory", 1),
            ((8.1, 1.3), "inventory", 3),
            ((6.2, 3.55), "orders", 1),
            ((6.2, 6.38), "orders", 5),
        ],
        ids=["first of the row", "last of the row", "first order", "last order"],
    )
    def test_a_card_that_nobody_can_read_keeps_its_place(
        self, lost: tuple[float, float], part: str, position: int
    ) -> None:
        scene, wanted = column(DRAWN, seed=1, older_on_top=False)
        clear: dict[str, Any] = read_durian([scene.photo()], DRAWN).to_json()
        high = {1: 0.45, 5: 0.86}[position] if part == "orders" else 1.1
        scene.scramble(*lost, 1.05 * durian_deck(DRAWN).aspect, high)
        said: dict[str, Any] = read_durian([scene.photo()], DRAWN).to_json()
        unsure = {(u["part"], u["position"]) for u in said["uncertain"]}
        assert (part, position) in unsure
        assert len(said["orders"]) == len(wanted)
        for name, read, true in (
            ("inventory", said["inventory"], clear["inventory"]),
            ("orders", orders_of(said), wanted),
        ):
            assert [r for k, r in enumerate(read, 1) if (name, k) not in unsure] == [
                t for k, t in enumerate(true, 1) if (name, k) not in unsure
            ]

    def test_an_order_that_covers_another_and_cannot_be_read_keeps_its_place(self) -> None:
        scene = Scene(DRAWN, seed=1)
        labels = fruit_labels(DRAWN)
        for k in range(3):
            scene.lay(labels[5 + k], 4.5 + 1.8 * k, 1.3)
        scene.lay("board/order", 6.2, 2.6)
        for k in range(3):
            scene.lay(labels[k], 6.2, 3.6 + 0.58 * k)
        # Two thirds of what is seen of the second one, so that a narrow strip is left between the two others.
        scene.scramble(6.2, 3.68 + 0.29, 1.05 * durian_deck(DRAWN).aspect, 0.58)
        said: dict[str, Any] = read_durian([scene.photo()], DRAWN).to_json()
        unsure = {u["position"] for u in said["uncertain"] if u["part"] == "orders"}
        assert len(said["orders"]) == 3
        assert 2 in unsure
        assert 1 in unsure or orders_of(said)[0] == (*accepted(DRAWN, labels[0], False), None)

    def test_a_card_half_under_a_lamps_reflection_is_read(self) -> None:
        scene, wanted = column(HARBOUR, seed=1, older_on_top=False)
        clear = read_durian([scene.photo()], HARBOUR).to_json()
        scene.glare(8.3, 1.4, 0.22)
        said = read_durian([scene.photo()], HARBOUR).to_json()
        assert (said["inventory"], orders_of(said), said["uncertain"]) == (clear["inventory"], wanted, [])

    def test_orders_without_the_inventory_are_refused_unless_another_photo_shows_it(self) -> None:
        scene, wanted = column(HARBOUR, seed=1, older_on_top=False)
        whole = scene.photo(pitch=0.0)
        rows = whole.pixels.shape[0]
        below = Photo("below", np.ascontiguousarray(whole.pixels[round(0.24 * rows) :]))
        with pytest.raises(InputError, match="no card of the inventory") as refused:
            read_durian([below], HARBOUR)
        assert refused.value.where == "below"
        said = read_durian([below, whole], HARBOUR).to_json()
        assert orders_of(said) == wanted
        assert said["inventory"] == read_durian([whole], HARBOUR).to_json()["inventory"]

    def test_without_the_board_nothing_is_sure(self) -> None:
        scene = Scene(HARBOUR, seed=4)
        for k, label in enumerate(fruit_labels(HARBOUR)[:3]):
            scene.lay(label, 4 + 1.8 * k, 3)
        said: dict[str, Any] = read_durian([scene.photo()], HARBOUR).to_json()
        assert len(said["uncertain"]) == len(said["inventory"]) + len(said["orders"]) == 3

    def test_a_draw_deck_is_no_order(self) -> None:
        scene, wanted = column(HARBOUR, seed=5, older_on_top=False)
        scene.lay("durian/back", 1.6, 5.0, angle=4)
        assert orders_of(read_durian([scene.photo()], HARBOUR).to_json()) == wanted


class TestTokens:
    @pytest.mark.parametrize("deck", DECKS.values(), ids=list(DECKS))
    def test_any_rotation_and_coins_beside_them(self, deck: DeckProfile) -> None:
        scene = Scene(deck, size=(11.0, 8.0), table=(150, 170, 175), seed=6)
        for k, value in enumerate((3, 7, 1, 6, 5)):
            scene.lay(f"token/{value}", 2 + 1.7 * k, 2.5 + 1.6 * (k % 2), angle=75 * k + 10)
        for x in (2.0, 5.0, 8.0):
            place = (round(x * UNIT), round(6.5 * UNIT))
            cv2.circle(scene.picture, place, round(0.45 * UNIT), (110, 150, 170), -1)
            cv2.circle(scene.picture, place, round(0.38 * UNIT), (80, 120, 140), 3)
        said: dict[str, Any] = read_durian([scene.photo(turn=9)], deck).to_json()
        assert sorted(token["value"] for token in said["tokens"]) == [1, 3, 5, 6, 7]
        assert said["uncertain"] == []

    @pytest.mark.parametrize("deck", DECKS.values(), ids=list(DECKS))
    def test_small_tokens_seen_aslant(self, deck: DeckProfile) -> None:
        scene = Scene(deck, size=(13.0, 10.0), token_width=0.62, seed=9)
        for y in range(0, scene.picture.shape[0], UNIT // 3):
            scene.picture[y : y + UNIT // 9] = (200, 205, 195)
        for k, value in enumerate((3, 7, 1, 6, 5)):
            scene.lay(f"token/{value}", 2.5 + 2 * k, 3.5 + 2.5 * (k % 2), angle=75 * k + 10)
        said: dict[str, Any] = read_durian([scene.photo(pitch=32, blur=1.1)], deck).to_json()
        unsure = {u["position"] for u in said["uncertain"]}
        sure = [token["value"] for position, token in enumerate(said["tokens"], 1) if position not in unsure]
        assert len(said["tokens"]) == 5
        assert set(sure) <= {1, 3, 5, 6, 7}
        assert deck is HARBOUR or len(sure) == 5  # the small numbers of the one deck cannot be told so far away

    def test_a_token_white_with_glare_is_asked_about(self) -> None:
        scene = Scene(HARBOUR, size=(11.0, 8.0), seed=7)
        for k, value in enumerate((2, 4, 5)):
            scene.lay(f"token/{value}", 2.5 + 3 * k, 4.0, angle=40 * k)
        card = next(c for c in HARBOUR.classes if c.name == "token/4")
        size = np.array([1.0, 1.0 / card.aspect]) * scene.token_width * UNIT
        cos, sin = np.cos(np.radians(40)), np.sin(np.radians(40))
        outline = (card.outline - 0.5) * size @ np.array([(cos, sin), (-sin, cos)]) + np.array([5.5, 4.0]) * UNIT
        cv2.fillPoly(scene.picture, [np.round(outline).astype(np.int32)], (255, 255, 255))
        said: dict[str, Any] = read_durian([scene.photo(noise=1.0)], HARBOUR).to_json()
        assert len(said["tokens"]) == 3
        assert [u["part"] for u in said["uncertain"]] == ["tokens"]
        assert {2, 5}.isdisjoint(said["uncertain"][0]["candidates"])
        assert 4 in said["uncertain"][0]["candidates"]

    def test_one_value_cannot_lie_there_twice(self) -> None:
        scene = Scene(HARBOUR, size=(11.0, 8.0), seed=8)
        for k in range(2):
            scene.lay("token/4", 3 + 3 * k, 4.0, angle=50 * k)
        said: dict[str, Any] = read_durian([scene.photo()], HARBOUR).to_json()
        assert [u["position"] for u in said["uncertain"]] == [1, 2]


class TestNothingThere:
    @pytest.mark.parametrize("kind", ["bare table", "noise", "one pixel"])
    def test_an_error_says_so(self, kind: str) -> None:
        rng = np.random.default_rng(0)
        pixels = {
            "bare table": np.full((600, 800, 3), 120, np.uint8),
            "noise": rng.integers(0, 256, (600, 800, 3), dtype=np.uint8),
            "one pixel": np.zeros((1, 1, 3), np.uint8),
        }[kind]
        with pytest.raises(InputError, match="no cards and no tokens") as error:
            read_durian([Photo("empty.jpg", pixels)], HARBOUR)
        assert error.value.where == "empty.jpg"
        assert error.value.mend.startswith("Choose the deck with --deck")
