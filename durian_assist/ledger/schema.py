"""The tables of the book and how they came to be, version by version.

`entries` is the log: it can only grow (triggers refuse any change of it), and everything else follows from it.
`sessions` and `rounds` hold what was worked out from the log, so that a long session is shown as fast as a short one.
"""

from __future__ import annotations

APPLICATION_ID = 0x44757269
"""Marks an SQLite file as a book of this program ("Duri")."""

_FIRST = """
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  folded TEXT NOT NULL,
  game TEXT NOT NULL CHECK (game IN ('smuggler', 'durian', 'dash')),
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  entries INTEGER NOT NULL CHECK (entries >= 1),
  rounds INTEGER NOT NULL CHECK (rounds >= 0),
  standing TEXT NOT NULL CHECK (json_valid(standing))
) STRICT;

CREATE UNIQUE INDEX session_names ON sessions (folded) WHERE removed = 0;

CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL CHECK (seq >= 1),
  at TEXT NOT NULL,
  program TEXT NOT NULL,
  rules TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('new', 'add', 'amend', 'note', 'remove', 'undo', 'redo')),
  round INTEGER CHECK (round >= 1),
  target INTEGER,
  data TEXT NOT NULL CHECK (json_valid(data)),
  result TEXT CHECK (result IS NULL OR json_valid(result)),
  UNIQUE (session, seq),
  FOREIGN KEY (session, target) REFERENCES entries (session, seq),
  CHECK ((result IS NOT NULL) = (kind IN ('add', 'amend'))),
  CHECK ((target IS NOT NULL) = (kind IN ('undo', 'redo')))
) STRICT;

CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'entries of the log are never changed'); END;

CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'entries of the log are never deleted'); END;

CREATE TABLE rounds (
  session INTEGER NOT NULL REFERENCES sessions (id),
  number INTEGER NOT NULL CHECK (number >= 1),
  entry INTEGER NOT NULL,
  shown TEXT NOT NULL CHECK (json_valid(shown)),
  PRIMARY KEY (session, number),
  FOREIGN KEY (session, entry) REFERENCES entries (session, seq)
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST,)
"""Script n brings a book from version n to n + 1; a new book is brought up from version 0."""
