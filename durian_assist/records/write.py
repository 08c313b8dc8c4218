"""Values back to TOML text that people like to read and that reads in again unchanged."""

from __future__ import annotations

import re

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def toml_text(text: str) -> str:
    """A quoted TOML text."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    return f"\\u{ord(char):04X}" if ord(char) < 0x20 or ord(char) == 0x7F else char


def toml_key(key: str) -> str:
    """A key, quoted where TOML asks for it."""
    return key if _BARE.fullmatch(key) else toml_text(key)


def toml_value(value: object) -> str:
    """A value on one line: text, number, true/false, list, inline table."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return toml_text(value)
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    raise TypeError(f"TOML has no form for {type(value).__name__}")


def toml_line(key: str, value: object) -> str:
    """`key = value`."""
    return f"{toml_key(key)} = {toml_value(value)}"


def toml_document(values: dict[str, object]) -> str:
    """A whole record: plain keys first, then its tables and its lists of tables; texts of several lines stay so."""
    plain, below = [], []
    for key, value in values.items():
        if isinstance(value, dict) and value:
            below.append(f"\n[{toml_key(key)}]\n" + "".join(toml_line(*item) + "\n" for item in value.items()))
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, dict) for item in value):
            for item in value:
                body = "".join(toml_line(*pair) + "\n" for pair in item.items())
                below.append(f"\n[[{toml_key(key)}]]\n{body}")
        elif isinstance(value, str) and "\n" in value and toml_text(value) == '"' + value.replace("\n", "\\n") + '"':
            plain.append(f'{toml_key(key)} = """\n{value}"""\n')
        else:
            plain.append(toml_line(key, value) + "\n")
    return "".join((*plain, *below))
