"""Durian Smuggler: deck, table, scoring, legality, history, guide."""
