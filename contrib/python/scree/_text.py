# SPDX-License-Identifier: Apache-2.0
"""Writes values of Python as text of libconfig: a scene from a dict, an override from a keyword."""
import numbers
import os
import re
from typing import Any, Dict, List

NAME = re.compile(r"[A-Za-z*][A-Za-z0-9_*-]*")
ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}
INDENT = "    "


def _quoted(text, path):
    if "\0" in text:
        raise ValueError(f"{path}: expected a text without NUL, got {text!r}")
    return '"' + "".join(ESCAPES.get(c) or (f"\\x{ord(c):02x}" if c < " " or c == "\x7f" else c) for c in text) + '"'


def _integer(value, path):
    if not -2**63 <= value < 2**63:
        raise ValueError(f"{path}: expected a whole number of 64 bits, got {value}")
    return str(value) if -2**31 <= value < 2**31 else f"{value}L"


def _real(value, path):
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{path}: expected a finite number, got {value}")
    return repr(value)


def _group(value, path, depth):
    lines = []
    for key, inner in value.items():
        if not isinstance(key, str) or not NAME.fullmatch(key):
            raise ValueError(f"{path}: expected a key of letters, digits, - and _, got {key!r}")
        lines.append(f"{INDENT * depth}{key} = {text(inner, f'{path}.{key}'.lstrip('.'), depth + 1)};\n")
    return "".join(lines)


def text(value, path="", depth=0):
    """A value as libconfig has it; numbers of numpy count as numbers, its arrays as lists."""
    value = value.scene_value() if hasattr(value, "scene_value") else value
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return _integer(int(value), path)
    if isinstance(value, numbers.Real):
        return _real(float(value), path)
    if isinstance(value, (str, os.PathLike)):
        return _quoted(os.fspath(value), path)
    if isinstance(value, dict):
        return "{\n" + _group(value, path, depth) + INDENT * (depth - 1) + "}" if value else "{ }"
    if isinstance(value, (list, tuple)):
        inner = [text(one, f"{path}[{i}]", depth) for i, one in enumerate(value)]
        return "( " + ", ".join(inner) + " )" if inner else "( )"
    raise TypeError(f"{path}: expected a number, a text, a list or a dict, got {value!r}")


def is_text(value):
    """Whether a str or bytes is the text of a scene, not its name."""
    return any(one in value for one in (("\n", "{") if isinstance(value, str) else (b"\n", b"{")))


def scene(values: Dict[str, Any]) -> str:
    """The text of a scene: a key a line."""
    if not isinstance(values, dict):
        raise TypeError(f"expected a dict, got {values!r}")
    return _group(values, "", 0)


def printed(lines: str) -> Dict[str, Dict[str, str]]:
    """The groups of `scree validate --print` by their paths ("force[1]"), each with its values as texts by key."""
    found: Dict[str, Dict[str, str]] = {}
    path: List[str] = []
    number: Dict[str, int] = {}
    for line in lines.splitlines():
        opened, value = re.match(r"\s*([\w*-]+) = (\( )?\{$", line), re.match(r"\s*([\w*-]+) = (.*);$", line)
        if opened:
            path.append(opened[1] + ("[0]" if opened[2] else ""))
        elif re.match(r"\s*\}, \{$", line):
            name = path[-1].split("[")[0]
            number[name] = number.get(name, 0) + 1
            path[-1] = f"{name}[{number[name]}]"
        elif re.match(r"\s*\}( \))?;$", line):
            path.pop()
        elif value and path:
            found.setdefault(".".join(path), {})[value[1]] = value[2]
    return found


def overrides(values):
    """PATH=VALUE of each value of nested dicts. A dict that names a plugin, and an empty one, is a value as a whole."""
    def walk(path, value):
        if isinstance(value, dict) and value and "plugin" not in value:
            for key, inner in value.items():
                yield from walk(f"{path}.{key}", inner)
        else:
            yield f"{path}={text(value, path, 1)}"
    return [one for path, value in values.items() for one in walk(path, value)]
