"""The catalogue of rules, one TOML file a game, and its loader."""
