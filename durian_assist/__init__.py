"""durian-assist: the companion beside a table of one of three card games about durians."""

__version__ = "0.1.0"
