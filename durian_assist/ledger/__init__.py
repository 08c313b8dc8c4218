"""The session book: an append-only log of rounds in one SQLite file."""
