"""The README's examples: records that it shows are files, commands that it shows are run.

A toml block whose first line is `# NAME.toml` is a file of that name. A console block is run line by line in the folder
of those files, with a session book of its own; what it prints must be what the README says.

    python -m tests.readme        # write the README's outputs anew, then read the difference
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from durian_assist.cli.main import app

README = Path(__file__).resolve().parent.parent / "README.md"
_BLOCK = re.compile(r"^```(toml|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(<!-- disputes -->\n).*?(\n<!-- end of disputes -->)", re.DOTALL)
_PROMPT = "$ durian-assist "


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Kind and body of each toml and console block, in order."""
    for match in _BLOCK.finditer(text):
        yield match.group(1), match.group(2)


def with_disputes(text: str) -> str:
    """The README with its table of disputes as `tests/disputes/` has them."""
    rows = ["| dispute | command | settled | rules |", "| --- | --- | --- | --- |"]
    for path in sorted((README.parent / "tests" / "disputes").glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["dispute"]:
            command = shlex.join(entry["command"]).replace("|", "\\|")
            rules = ", ".join(f"`{rule}`" for rule in entry.get("rules", []))
            rows.append(f"| {entry['question']} | `{command}` | {_settled(entry)} | {rules} |")
    return _TABLE.sub(lambda match: match[1] + "\n".join(rows) + match[2], text)


def _settled(entry: dict[str, Any]) -> str:
    facts = [
        f"{path.rsplit('.', 1)[-1].replace('_', ' ')}: {_shown(value)}"
        for path, value in entry.get("facts", {}).items()
    ]
    return "; ".join([*entry.get("says", []), *facts]).replace("|", "\\|")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_shown, value)) if isinstance(value, list) else str(value)


def refreshed(text: str, folder: Path) -> str:
    """The README with every console block's output as the commands print it now, run in `folder`."""
    home = Path.cwd()
    (folder / "sample_images").symlink_to(README.parent / "sample_images")
    os.chdir(folder)
    try:
        return _BLOCK.sub(lambda block: f"```{block[1]}\n{_body(block[1], block[2], folder)}```", text)
    finally:
        os.chdir(home)


def _body(kind: str, body: str, folder: Path) -> str:
    if kind == "toml":
        name = re.match(r"# (\S+\.toml)\b", body)
        if name:
            (folder / name.group(1)).write_text(body, encoding="utf-8")
        return body
    return "".join(f"{line}\n{_output(line)}" for line in body.splitlines() if line.startswith(_PROMPT))


def _output(line: str) -> str:
    result = CliRunner().invoke(app, shlex.split(line.removeprefix(_PROMPT), comments=True))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    text = "\n".join(row.rstrip() for row in result.output.splitlines()).rstrip("\n")
    return f"{text}\n" if text else ""


def main() -> None:
    """Write the README's outputs anew."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(XDG_DATA_HOME=folder, DURIAN_ASSIST_DB=str(Path(folder) / "book.db"))
        text = with_disputes(README.read_text(encoding="utf-8"))
        README.write_text(refreshed(text, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
