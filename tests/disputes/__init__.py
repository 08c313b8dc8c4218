"""Disputes at the table, one TOML file a game: the question, the command that settles it, and what it must say."""
