"""Durian Dash: market, preferences, scoring, resolve."""
