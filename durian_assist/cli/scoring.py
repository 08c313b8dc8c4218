"""From a stored record to a round of the session book: the one place where the ledger meets the games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durian_assist.errors import InputError

if TYPE_CHECKING:
    from durian_assist.ledger.rounds import RoundScore, Setup


def score_record(setup: Setup, record: str) -> RoundScore:
    """Score the text of a record under a session's readings; players are those of the session.

    Raises RecordError for a record with faults, InputError where it does not fit the session.
    """
    raise InputError(f"records of {setup.game} cannot be scored yet", mend="Give the points with --points NAME=12.")
