"""Every error that a person can cause says where, what, why and how to mend it, and carries its exit code.

Exit codes (fixed by the interface): 1 a broken rule found by `check`, 2 command line, 3 input that cannot be
used, 4 a reading that needs a person.
"""

from __future__ import annotations


class DurianAssistError(Exception):
    """An error to be shown to the person at the table, never as a traceback.

    `what` is one plain sentence; `where` names the file, option or card; `mend` says what to do now.
    """

    exit_code = 3

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.mend = what, where, mend

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  {self.mend}" if self.mend else head


class UsageError(DurianAssistError):
    """The command line is wrong."""

    exit_code = 2


class InputError(DurianAssistError):
    """The input cannot be used: no photo, no table in it, a broken deck folder or database."""


class NeedsPerson(DurianAssistError):
    """Some card is uncertain and no terminal is there to ask."""

    exit_code = 4
