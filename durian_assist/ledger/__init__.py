"""The session book: totals over many rounds, kept for years in one SQLite file.

Rooms: `rounds` what a round is and what it brought, `standing` totals by each game's rules, `log` the entries from
which all state follows, `store` the file, `book` what people do with it, `exchange` export and import, `chart*`
pictures. The ledger never scores a record itself: a `Scorer` is handed to it (see `rounds`).
"""
