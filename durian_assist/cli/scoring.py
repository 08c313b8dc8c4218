"""From a stored record to a round of the session book: the one place where the ledger meets the games."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import InputError
from durian_assist.ledger.rounds import TEAM, RoundResult, RoundScore, Setup

if TYPE_CHECKING:
    from durian_assist.common.answers import Finding
    from durian_assist.records.document import Document


def score_record(setup: Setup, record: str) -> RoundScore:
    """Score the text of a stored record, as `score_document` does; a deck that is gone since is done without."""
    from durian_assist.records.document import load_record

    document = load_record("the round's record", record)
    if setup.game != "smuggler" or not setup.deck or _is_there(setup.deck):
        return score_document(setup, document)
    scored = score_document(replace(setup, deck=""), document)
    gone = f"the deck {setup.deck} is not there any more: types and counts were not checked against it"
    return replace(scored, warnings=(*scored.warnings, gone))


def _is_there(deck: str) -> bool:
    from durian_assist.cli.smuggler_in import deck_file

    try:
        return deck_file(deck).is_file()
    except InputError:
        return False


def score_document(setup: Setup, document: Document) -> RoundScore:
    """Score a record under a session's readings; players are those of the session.

    Raises RecordError for a record with faults, InputError where it does not fit the session.
    """
    scorers: dict[str, Callable[[Setup, Document], RoundScore]] = {
        "smuggler": _smuggler,
        "durian": _durian,
        "dash": _dash,
    }
    scored = scorers[setup.game](setup, document)
    if not document.doubts:
        return scored
    from durian_assist.cli.guesses import unconfirmed

    return replace(scored, warnings=(*_sentences(unconfirmed(f"{setup.game}.photo", document)), *scored.warnings))


_NAMING = {
    "smuggler": "Say who sat where with --seat south=NAME.",
    "durian": "Write their names in the record.",
    "dash": "Write their names in the record, or give NAME=PHOTO.",
}


def player_of(setup: Setup, name: str) -> str:
    """The session's player that a record's name means. Raises InputError for a stranger."""
    try:
        return resolve(name, setup.players)
    except UnknownName as error:
        raise InputError(
            f"the record has a player who is not in the session: {error.sentence}",
            where=setup.name,
            mend=f"Players of the session: {listed(setup.players)}. {_NAMING[setup.game]}",
        ) from None


def _players(setup: Setup, names: Iterable[str]) -> dict[str, str]:
    """The session's player for each name of a record. Raises InputError for a stranger, and for one player twice."""
    found = {name: player_of(setup, name) for name in names}
    twice = {player for player in found.values() if list(found.values()).count(player) > 1}
    if twice:
        raise InputError(f"the record has {listed(sorted(twice))} twice", where=setup.name)
    return found


def _sentences(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(f"{finding.where}: {finding.message} [{finding.rule}]" for finding in findings)


def _smuggler(setup: Setup, document: Document) -> RoundScore:
    """A finished table: one result for all, or the points of each player; blind decks score for nobody of the two."""
    from durian_assist.cli.smuggler_in import deck_file
    from durian_assist.common.answers import ScoreLine
    from durian_assist.smuggler.deck import read_deck
    from durian_assist.smuggler.record import read_table
    from durian_assist.smuggler.scoring import score

    deck = read_deck(deck_file(setup.deck)) if setup.deck else None
    table = read_table(document, deck)
    scored = score(table, setup.readings, deck)
    lines = [
        ScoreLine(line.points, line.rule, line.where, f"{line.luggage.text}: {line.text}") for line in scored.lines
    ]
    owners = [table.title(line.side) for line in scored.lines]
    if table.mode == "cooperative":
        result = RoundResult({TEAM: scored.total}, "cooperative", scored.result or "")
        strangers = _strangers(setup, table.players.values() if table.seated else ())
    else:
        names = _players(setup, table.players.values())
        points = {names[table.players[side]]: scored.seats[side].points for side in table.players}
        smuggler = names[table.players[table.smuggler]] if table.smuggler else ""
        result, strangers = RoundResult(points, "competitive", smuggler=smuggler), ()
    warnings = (*strangers, *_sentences(scored.warnings))
    return RoundScore(result, tuple(zip(owners, lines, strict=True)), warnings, strangers)


def _strangers(setup: Setup, names: Iterable[str]) -> tuple[str, ...]:
    """What to say where somebody of a cooperative round, whose one result is all players', is not in the session."""
    unknown = [name for name in names if not _is_player(setup, name)]
    if not unknown:
        return ()
    verb = "is" if len(unknown) == 1 else "are"
    return (f"{listed(unknown)} {verb} not in the session, whose players are {listed(setup.players)}",)


def _is_player(setup: Setup, name: str) -> bool:
    try:
        return resolve(name, setup.players) in setup.players
    except UnknownName:
        return False


def _durian(setup: Setup, document: Document) -> RoundScore:
    """A round up to the bell, or the tokens as they are held now."""
    keys = document.root.value
    if isinstance(keys, dict) and ("inventory" in keys or "orders" in keys):
        return _durian_round(setup, document)
    from durian_assist.durian.record import read_tokens
    from durian_assist.durian.tokens import standing

    held = read_tokens(document)
    names = _players(setup, held)
    tokens = {names[name]: own for name, own in held.items()}
    return RoundScore(RoundResult(tokens=tokens), (), _sentences(standing(held).findings))


def _durian_round(setup: Setup, document: Document) -> RoundScore:
    from durian_assist.common.answers import ScoreLine
    from durian_assist.durian.explain import steps
    from durian_assist.durian.record import read_round
    from durian_assist.durian.verdict import rule_on

    played = read_round(document)
    ruling = rule_on(played, setup.readings)
    if ruling.takes_token is None:
        missing = [key for key in ("players", "first", "caller") if not getattr(played, key)]
        broken = [finding.message for finding in ruling.findings if finding.severity in ("error", "warning")]
        raise InputError(
            "the round does not say who takes the token: "
            + (f"it names no {listed(missing, 'and no')}" if missing else " ".join(broken)),
            where=setup.name,
            mend="Say it with --first NAME and --caller NAME, or only who took it with --takes NAME; "
            "`durian call` explains a round step by step.",
        )
    taker = player_of(setup, ruling.takes_token)
    lines = tuple((step.player, ScoreLine(Fraction(0), step.rule, "", step.text)) for step in steps(ruling))
    result = RoundResult(takes=taker, token=ruling.token or 0)
    return RoundScore(result, lines, _sentences(f for f in ruling.findings if f.severity != "note"))


def _dash(setup: Setup, document: Document) -> RoundScore:
    """A whole game: thumbs and the winner, or all who are tied where no tie-breaker is recorded."""
    from durian_assist.dash.record import read_game
    from durian_assist.dash.scoring import result

    game = read_game(document)
    scored = result(game.players, game.variant)
    names = _players(setup, scored.players)
    points = {names[name]: Fraction(tally.points) for name, tally in scored.players.items()}
    lines = tuple((names[name], line) for name, tally in scored.players.items() for line in tally.lines)
    winners = tuple(names[name] for name in scored.winners)
    return RoundScore(RoundResult(points, game.variant, winners=winners), lines, _sentences(scored.findings))
