# SPDX-License-Identifier: Apache-2.0
"""Copies the ABI headers and grows every struct at its tail; a module of test_growth.py."""
import pathlib
import re

# Structs without a size, embedded by value: they never grow.
FIXED = {"scree_pair", "scree_ints", "scree_reals", "scree_strings"}
STRUCT = re.compile(r"(typedef\s+struct\s+(\w+)\s*\{)(.*?)(\}\s*\2\s*;)", flags=re.S)
TAIL = "uint64_t tail; double tail_values[2]; int32_t (*tail_call)(void *instance); "


def strip(text):
    """Without comments; strings of these headers hold none."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def grow(headers, folder):
    """Writes grown copies into folder/scree; returns the names of the structs that have grown, and of
    those that were left as they are."""
    (pathlib.Path(folder) / "scree").mkdir(parents=True)
    grown, left = [], []

    def append(match):
        head, name, body, end = match.groups()
        if re.match(r"\s*uint32_t\s+size\s*;", strip(body)):
            grown.append(name)
            return f"{head}{body}{TAIL}{end}"
        left.append(name)
        return match[0]

    for header in map(pathlib.Path, headers):
        text = header.read_text(encoding="utf-8")
        sdk = header.name.endswith("sdk.h")
        (pathlib.Path(folder) / "scree" / header.name).write_text(
            text if sdk else STRUCT.sub(append, text), encoding="utf-8")
    return grown, left
