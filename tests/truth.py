"""Truth files of photos against readings: how many cards are right, uncertain, or silently wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import hypot
from typing import Any

SIDE = {"S": "south", "W": "west", "N": "north", "E": "east"}
# A card of which the photo shows less than this cannot be asked for.
LEAST_VISIBLE = 0.15


@dataclass(slots=True)
class Judged:
    """The outcome of one photo. `notes` tell what was not right."""

    cards: int = 0
    right: int = 0
    uncertain: int = 0
    silent: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, ok: bool, flagged: bool, note: str) -> None:
        """Count one card."""
        self.cards += 1
        self.right += ok
        self.uncertain += flagged
        self.silent += not ok and not flagged
        if not ok:
            self.notes.append(f"{'uncertain' if flagged else 'SILENT'}: {note}")

    def as_dict(self) -> dict[str, int]:
        """The counts alone."""
        return {key: value for key, value in asdict(self).items() if isinstance(value, int)}


def judge(truth: dict[str, Any], said: dict[str, Any]) -> Judged:
    """Compare the JSON of a `read` command with the truth file of its photo."""
    result = Judged()
    kind = truth["kind"]
    if kind.startswith("smuggler"):
        _grid(truth, said, result)
        _hands(truth, said, result)
    elif kind == "durian-table":
        _table(truth, said, result)
    elif kind == "durian-tokens":
        _pieces(truth, said.get("tokens", []), "value", ("token",), said, result)
    else:
        _pieces(truth, said.get("cards", []), "kind", ("collection", "market"), said, result)
    return result


def _face(card_id: str) -> tuple[str, str | None, int | None]:
    parts = card_id.split("/")
    if len(parts) == 3:
        return parts[0], "durian", int(parts[2])
    return (parts[0], parts[1], None) if len(parts) == 2 else (card_id, None, None)


def _grid(truth: dict[str, Any], said: dict[str, Any], result: Judged) -> None:
    lies = {(c["row"], c["col"]): c for c in truth["cards"] if c["role"] == "grid" and c["id"] != "centre"}
    unsure = {(u["row"] - 1, u["column"] - 1) for u in said["uncertain"] if "row" in u}
    for cell in ((r, c) for r in range(5) for c in range(5) if (r, c) != (2, 2)):
        got, card = said["grid"][cell[0]][cell[1]], lies.get(cell)
        if card is None and got is None and cell not in unsure:
            continue
        want = card and (*_face(card["id"]), SIDE[card["rotation"]])
        read = got and (got["type"], got["face"], got.get("badge"), got["points_to"])
        result.add(want == read, cell in unsure, f"row {cell[0] + 1} column {cell[1] + 1}: {want} read as {read}")


def _hands(truth: dict[str, Any], said: dict[str, Any], result: Judged) -> None:
    for side in SIDE.values():
        cards = [c for c in truth["cards"] if c["role"] == "hand" and SIDE[c["owner"]] == side]
        texts = [(_hand_text(card["id"]), card["visible"]) for card in cards]
        seen = Counter(text for text, visible in texts if visible >= LEAST_VISIBLE)
        read = Counter((said.get("hands") or {}).get(side, []))
        if seen or read:
            ok = not (seen - read) and not (read - Counter(text for text, _ in texts))
            flagged = any(u.get("hand") == side for u in said["uncertain"])
            result.add(ok, flagged, f"hand {side}: {texts} read as {dict(read)}")


def _hand_text(card_id: str) -> str:
    kind, face, badge = _face(card_id)
    return kind + {"durian": str(badge), "empty": "-", "back": "?"}[str(face)]


def _middle(points: Iterable[Iterable[float]]) -> tuple[float, float]:
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _pieces(
    truth: dict[str, Any], got: list[Any], key: str, roles: tuple[str, ...], said: dict[str, Any], result: Judged
) -> None:
    left = [(g, _middle(g["corners"])) for g in got]
    unsure = [_middle(u["corners"]) for u in said.get("uncertain", []) if u.get("corners")]
    for card in (c for c in truth["cards"] if c["role"] in roles):
        points = card.get("corners") or card["polygon"]
        x, y = _middle(points)
        reach = 0.9 * max(max(p[axis] for p in points) - min(p[axis] for p in points) for axis in (0, 1))
        near = min(left, key=lambda item: hypot(item[1][0] - x, item[1][1] - y), default=None)
        flagged = any(hypot(a - x, b - y) < reach for a, b in unsure)
        found = near is not None and hypot(near[1][0] - x, near[1][1] - y) < reach
        if near is not None and found:
            left.remove(near)
        value = near[0][key] if near is not None and found else None
        result.add(str(value) == card["id"].removeprefix("token/"), flagged, f"{card['id']} read as {value}")
    for extra, place in left:
        flagged = any(hypot(a - place[0], b - place[1]) < 1 for a, b in unsure)
        result.add(False, flagged, f"nothing there, read as {extra[key]}")


def _halves(text: str) -> object:
    if text.startswith("gorilla"):
        return text.replace("/", " ")
    parts = [part.split() for part in text.split("|")] if "|" in text else [[p[:-1], p[-1]] for p in text.split("-")]
    return frozenset((fruit, int(count)) for fruit, count in parts)


def _table(truth: dict[str, Any], said: dict[str, Any], result: Judged) -> None:
    by_place = sorted(truth["cards"], key=lambda card: card.get("position", 0))
    gorillas = {c["beside"]: c["id"].split("/")[1] for c in truth["cards"] if c["role"] == "order-gorilla"}
    stock = [_halves(c["id"]) for c in by_place if c["role"] == "inventory"]
    orders: list[object] = [
        (f"{c['accepted']['fruit']} {c['accepted']['count']}", gorillas.get(c["position"]))
        for c in by_place
        if c["role"] == "order"
    ]
    _in_order(stock, [_halves(text) for text in said["inventory"]], "inventory", said, result)
    _in_order(orders, [(o["accepted"], o["gorilla"]) for o in said["orders"]], "orders", said, result)


def _in_order(want: list[object], got: list[object], part: str, said: dict[str, Any], result: Judged) -> None:
    unsure = {(u.get("part"), u.get("position")) for u in said["uncertain"]}
    for at in range(max(len(want), len(got))):
        lies, read = (items[at] if at < len(items) else None for items in (want, got))
        result.add(lies == read, (part, at + 1) in unsure, f"{part} {at + 1}: {lies} read as {read}")
