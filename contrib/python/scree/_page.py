# SPDX-License-Identifier: Apache-2.0
"""Puts the files of page/ together: one HTML file that asks for nothing, or the page of a server."""
import base64
import hashlib
import json
import pathlib
from typing import Any, Sequence

FOLDER = pathlib.Path(__file__).resolve().parent / "page"
SCRIPTS = ("plots.js", "tables.js", "decode.js", "view.js", "main.js")


def text(name: str) -> str:
    """A file of page/."""
    return (FOLDER / name).read_text(encoding="utf-8")


def _inside(value):
    """JSON within an element script: no tag can begin in it."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _allowed(content):
    return "'sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() + "'"


def document(data: Any, frames: str = "", scripts: Sequence[str] = SCRIPTS, start: str = "startReport();") -> str:
    """One file: the browser runs this script only, and asks for nothing."""
    script = "\n" + "\n".join(text(name) for name in scripts) + f"\n{start}\n"
    style = "\n" + text("style.css")
    policy = f"default-src 'none'; script-src {_allowed(script)}; style-src {_allowed(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    parts = {"POLICY": policy, "STYLE": f"<style>{style}</style>", "SCRIPT": f"<script>{script}</script>",
             "DATA": f'<script type="application/json" id="data">{_inside(data)}</script>' +
                     (f'\n<script type="text/plain" id="frames">{frames}</script>' if frames else "")}
    page = text("page.html")
    for name, value in parts.items():
        head, _, tail = page.partition(f"@{name}@")
        page = head + value + tail
    return page


def served(script: str = "page.js", style: str = "style.css") -> str:
    """The page of a server, which sends its policy itself: script and style are files next to it."""
    page = text("page.html").replace('<meta http-equiv="Content-Security-Policy" content="@POLICY@">', "").replace("@DATA@\n", "")
    return page.replace("@STYLE@", f'<link rel="stylesheet" href="{style}">').replace("@SCRIPT@", f'<script src="{script}"></script>')
