"""What `smuggler turn` is asked: who sits where, who faces which sequence, and the rounds that follow."""

from __future__ import annotations

from dataclasses import dataclass

from durian_assist.cli.smuggler_legal import side_named
from durian_assist.common.names import fold, listed
from durian_assist.errors import UsageError
from durian_assist.smuggler.geometry import SIDES, Side
from durian_assist.smuggler.guide import SEQUENCES, THREE_PLAYERS, Round, Step, round_of

_SIDES: dict[str, Side] = {side: side for side in SIDES}


@dataclass(frozen=True, slots=True)
class Sitting:
    """The side that faces beige (one or two players: sequence 1), the side where nobody of three sits, and what of
    that nobody said."""

    start: Side
    absent: Side | None
    assumed: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Turns:
    """The rounds that were asked for, and how the players were taken to sit."""

    rounds: tuple[Round, ...]
    sitting: Sitting

    def to_json(self, *, one: bool) -> dict[str, object]:
        """JSON form; `one`: of the one round that was asked for."""
        rounds = [each.to_json() for each in self.rounds]
        head = rounds[0] if one else {"rounds": rounds}
        return {**head, "absent": self.sitting.absent, "assumed": [step.to_json() for step in self.sitting.assumed]}


def turns_asked(players: int, number: int | None, starts: str | None, absent: str | None, order: str | None) -> Turns:
    """The rounds that `smuggler turn` shows. Raises UsageError."""
    if not 1 <= players <= 4:
        raise UsageError("Durian Smuggler is for one to four players", where=f"smuggler turn {players}")
    colours = _order(order, players)
    start = side_named(starts, _SIDES, f"--starts {starts}") if starts is not None else None
    if players == 3:
        sitting = _three(start, side_named(absent, _SIDES, f"--absent {absent}") if absent else None, colours)
    elif absent is not None:
        raise UsageError("only with three players a side stays empty", where=f"--absent {absent}")
    else:
        sitting = Sitting(start or SIDES[0], None, () if start else (_assumed_start(players),))
    seats = tuple(side for side in SIDES if side != sitting.absent)
    followed = tuple(colour for colour in colours if players > 3 or colour != "red") if colours else None
    first = round_of(1 if number is None else number, seats, sitting.start, players, followed)
    numbers = (number,) if number is not None else range(1, first.rounds + 1)
    return Turns(tuple(round_of(one, seats, sitting.start, players, followed) for one in numbers), sitting)


def _three(start: Side | None, absent: Side | None, colours: tuple[str, ...] | None) -> Sitting:
    """With three players nobody faces red: start, empty side and the card's order tell one another (rule
    smuggler.setup)."""
    red = colours.index("red") if colours and "red" in colours else None
    if start and start == absent:
        raise UsageError("the starting side cannot be the empty one", where=f"--absent {absent}")
    if start and absent:
        if red is not None:
            _refuse_a_player_at_red(start, absent, red)
        return Sitting(start, absent, ())
    if absent:
        if red is not None:
            return Sitting(_clockwise(absent, -red), absent, ())
        if absent == SIDES[0]:
            mend = f"Say it with --starts {listed((side for side in SIDES if side != absent), 'or')}."
            raise UsageError("which side faces beige was not said", where=f"--absent {absent}", mend=mend)
        return Sitting(SIDES[0], absent, (_assumed_start(3),))
    first = start or SIDES[0]
    said = () if start else (_assumed_start(3),)
    if red is not None:
        return Sitting(first, _clockwise(first, red), said)
    empty = _clockwise(first, 3)
    why = f"{empty.capitalize()} is taken to be the empty side, as where red follows last on the card"
    return Sitting(first, empty, (*said, Step(f"{why}; --absent SIDE says otherwise.", "smuggler.setup")))


def _assumed_start(players: int) -> Step:
    faced, rule = ("beige", "smuggler.turn-order") if players > 2 else ("sequence 1", "smuggler.two-player-seats")
    return Step(f"South is taken to face {faced}; --starts SIDE says otherwise.", rule)


def _clockwise(side: Side, steps: int) -> Side:
    return SIDES[(SIDES.index(side) + steps) % len(SIDES)]


def _refuse_a_player_at_red(start: Side, absent: Side, red: int) -> None:
    faces = _clockwise(start, red)
    if faces == absent:
        return
    steps = (SIDES.index(absent) - SIDES.index(start)) % len(SIDES)
    fitting = listed(("-".join(order) for order in SEQUENCES if order.index("red") == steps), "or")
    what = f"with beige at {start}, red would face {faces}, where a player sits: with three players nobody faces red"
    mend = f"Say --absent {faces}, or --starts {_clockwise(absent, -red)}; with --order {fitting} both would fit."
    raise UsageError(what, where=f"--starts {start} --absent {absent}", mend=mend)


def _order(text: str | None, players: int) -> tuple[str, ...] | None:
    """The card's order of sequences, clockwise; with three players red may be left out. Raises UsageError for one that
    no card can have."""
    if text is None:
        return None
    if players < 3:
        what = "with one or two players one card has the order of the sequences"
        raise UsageError(what, where=f"--order {text}", mend="Leave --order out.")
    order = tuple(fold(text.replace(",", " ")).split("-"))
    if order in SEQUENCES or (players == 3 and order == THREE_PLAYERS):
        return order
    mend = "It can be " + listed(("-".join(one) for one in SEQUENCES), "or") + "."
    raise UsageError("no sequence card has this order", where=f"--order {text}", mend=mend)
