"""Durian (Oink Games): cards, round, scoring, odds."""
