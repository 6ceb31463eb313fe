#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/reference/plugins.md of what the plugins of a build tree say of themselves, the tables of scene.md
next to it of what the host says of the keys of a scene, and the table of figures in docs/howto/stop-a-run.md of
the rows of core/scene/figure_names.c.

usage: plugins.py SCREE PAGE [--check SOURCE]

`ninja -C build reference` runs it. In scene.md `<!-- keys: NAME.. -->` begins a table, of `scree plugins scene/NAME`;
a NAME with a dot at its end comes before each key. With --check nothing is written: TAP says whether the page holds, for
every plugin of this build, what that plugin says now, and no plugin whose source is gone from SOURCE. A
plugin that this build lacks (its library is not installed) is left as the page has it, in both cases.
"""
import ast
import difflib
import json
import math
import os
import pathlib
import re
import subprocess
import sys

KINDS = {
    "gcd": "Contact detection: which pairs of bodies may touch. Key `gcd`, one plugin. The choice changes "
           "speed, never the result.",
    "resolver": "Contact resolution: place and depth of contacts. Key `resolvers`, a list: the first "
                "that serves a pair of shapes is taken.",
    "force": "Force laws: forces of contacts. Key `force`, a list; laws are summed per contact.",
    "integrator": "Time integration. Key `integrator`, one plugin.",
    "modifier": "Forces besides those of contacts, and changes of bodies. Key `modifiers`, groups by name; `every_steps` "
                "or `every_time` [s] is the interval.",
    "observer": "Files of a run. Key `observers`, groups by name; `every_steps`, `every_time` [s] or "
                "`every_wall` [s] is the interval.",
    "shape": "Geometry that bodies share. Key `shapes`, groups by name; their key `type` names the plugin.",
    "domain": "Ranks, the processes of one run, and bytes between them. Key `domain`, one plugin ([determinism](../explanation/determinism.md#ranks)); a draft: `abi/scree/draft/domain.h`.",
    "source": "Bodies, and the shapes that they need, before the first step. Key `generate`, groups by name.",
}
SI = {"m", "kg", "s", "N", "Pa", "J", "W", "rad", "K", "Hz", "1", "A", "mol"}
FACTORS = {"deg": math.pi / 180.0, "mm": 1e-3, "rpm": math.pi / 30.0, "deg/s": math.pi / 180.0}
HEAD = """# Plugins

This page comes from the plugins themselves: `ninja -C build reference` writes it, so change the plugin, not this page.
`scree plugins KIND/ID` prints the same in a terminal, `--template` a block to paste into a scene.

```sh
build/core/scree plugins force/linear
build/core/scree plugins observer/csv --template
```

A *real per material pair* is a key of the plugin (for all), of a material (pairs follow by the mixing rule),
or of an entry of `material_pairs`. *live*: may change during a run, by `schedule`. *inline*: its keys, those of a
recipe, are in the plugin's own group.
"""


def ask(scree, *args):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env["XDG_DATA_HOME"] = "/nonexistent"
    result = subprocess.run([str(scree), "plugins", *args, "--json"], env=env, text=True, check=True,
                            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return json.loads(result.stdout)


def number(value, unit):
    """In the unit of the parameter; JSON has SI base units."""
    if unit and unit not in FACTORS and set(re.findall(r"[A-Za-z]+|(?<!\^)(?<!\^-)\b1\b", unit)) - SI:
        raise SystemExit(f"plugins.py: the factor of the unit \"{unit}\" is not in FACTORS")
    return f"{value / FACTORS.get(unit, 1.0):.12g}"


def range_of(p):
    """">= 0", "0 < x <= 1"; a limit of 64 bits is not shown."""
    low, high = p.get("min"), p.get("max")
    low = None if low is None or low == -2 ** 63 else number(low, p["unit"])
    high = None if high is None or high in (2 ** 63 - 1, 2 ** 64 - 1) else number(high, p["unit"])
    more, less = ("<" if p.get(k) else "<=" for k in ("min_open", "max_open"))
    if low is not None and high is not None:
        return f"{low} {more} x {less} {high}"
    if low is not None:
        return f"{more.replace('<', '>')} {low}"
    return f"{less} {high}" if high is not None else ""


def default_of(p):
    value = p["default"]
    if "required" in p["flags"]:
        return "required"
    if "optional" in p["flags"]:
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (int, float)):
        text = number(value, p["unit"])
        count = p.get("length", 1)
        return f"{text}" if count == 1 else f"({', '.join([text] * count)})" if count else "()"
    return f"`\"{value}\"`" if value is not None else ""


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def sentence(text):
    return cell(text[:1].upper() + text[1:]) + "."


def rows(plugin):
    yield "| key | type | unit | range | default | meaning |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for p in plugin["parameters"]:
        kind = p["type"] + (f" ({p['kind']})" if "kind" in p else "")
        each = " each" if p["type"].startswith("rows") else ""
        kind += f" ({p['length']}{each})" if p.get("length") else ""
        kind += f", {p['mixing']}" if p.get("mixing") else ""
        kind += ", live" if "live" in p["flags"] else ""
        meaning = p["help"] + "".join(f"; `\"{c['name']}\"`: {c['help']}" for c in p.get("choices", ()))
        yield f"| `{p['name']}` | " + " | ".join(cell(x) for x in (
            kind, p["unit"] or "", range_of(p), default_of(p), meaning)) + " |"


def key_tables(scree, text):
    """A page with its tables as the host has them now, and the names of groups that have none."""
    groups, shown = ask(scree, "scene")["groups"], set()

    def table(match):
        keys = []
        for name in match[1].split():
            found = [g for g in groups if g["name"] == name.rstrip(".")]
            if not found:
                raise SystemExit(f"plugins.py: `scree plugins scene` has no group {name}")
            shown.add(name.rstrip("."))
            before = name if name.endswith(".") else ""
            keys += [{**key, "name": before + key["name"]} for g in found for key in g["parameters"]]
        return f"<!-- keys: {match[1]} -->\n" + "\n".join(rows({"parameters": keys})) + "\n<!-- /keys -->"
    text = re.sub(r"<!-- keys: ([^>]*) -->\n.*?<!-- /keys -->", table, text, flags=re.S)
    return text, sorted({g["name"] for g in groups} - shown)


def section(plugin):
    """The text of one plugin, from its heading to the blank line after it."""
    lines = [f"### {plugin['kind']}/{plugin['id']}", "", sentence(plugin["help"]), ""]
    if plugin["summary"]:
        lines += [*(line.strip() for line in plugin["summary"].splitlines() if line.strip()), ""]
    facts = [f"Serves {' and '.join(plugin['dimensions'])}"]
    for key, word in (("needs", "needs"), ("provides", "provides")):
        if plugin[key]:
            facts.append(f"{word} {', '.join(plugin[key])}")
    if plugin["flags"]:
        facts.append(f"flags {', '.join(plugin['flags'])}")
    lines += ["; ".join(facts) + f". Version {plugin['version']}, {plugin['licence']}.", ""]
    lines += [*rows(plugin), ""] if plugin["parameters"] else ["No parameters.", ""]
    for f in plugin["fields"]:
        lines.append(f"Keeps `{f['scope']}.{f['name']}` [{f['unit'] or '-'}], {f['components']} "
                     f"component{'s' if f['components'] > 1 else ''}, on return {f['on_return']}: {cell(f['help'])}.")
    lines += [""] if plugin["fields"] else []
    if plugin["citation"]:
        lines += ["Cite: " + cell(plugin["citation"]) + ".", ""]
    return "\n".join(lines)


def read_sections(page):
    """{"kind/id": text} of a page."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    parts = re.split(r"^(?=### |## )", text, flags=re.M)
    return {part.split("\n", 1)[0][4:]: part for part in parts if part.startswith("### ")}


def overview(texts):
    """A line for each plugin of a kind: its name, and the first sentence of its section."""
    lines = ["| plugin | |", "| --- | --- |"]
    for name, text in texts.items():
        lines.append(f"| [{name}](#{name.replace('/', '')}) | {text.splitlines()[2].rstrip('.').replace(' (the default)', '')} |")
    return "\n".join(lines) + "\n"


def make(sections):
    page = [HEAD]
    for kind, meaning in KINDS.items():
        mine = {name: text for name, text in sorted(sections.items()) if name.startswith(kind + "/")}
        if mine:
            page += [f"## {kind}\n\n{meaning}\n", overview(mine), *(text.rstrip("\n") + "\n" for text in mine.values())]
    return "\n".join(page)


FIGURES = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.S)


def figures(source):
    """The page stop-a-run.md with its table of figures as the rows say it."""
    text = (source / "core/scene/figure_names.c").read_text(encoding="utf-8")
    table = re.search(r"rows\[\] = \{\n(.*?)^\};", text, re.M | re.S)[1]
    for c, python in (("NULL", "None"), ("false", "False"), ("true", "True"), ("{", "("), ("}", ")")):
        table = table.replace(c, python)
    lines = ["| quantity | unit | |", "| --- | --- | --- |"]
    lines += [f"| `{row[0]}` | {row[1] or '-'} | {row[-1]} |" for row in ast.literal_eval(f"[{table}]")]
    page = source / "docs/howto/stop-a-run.md"
    return page, FIGURES.sub("\n".join(lines).replace("\\", r"\\") + "\n", page.read_text(encoding="utf-8"))


def has_source(source, name):
    return any((source / "plugins" / (name + end)).exists() for end in (".c", ""))


def check(scree, page, fresh, source):
    sys.path.insert(0, str(source / "tests"))
    import tap

    def run():
        held = read_sections(page)
        tap.check("this build has plugins", len(fresh) > 5, sorted(fresh))
        for name, text in sorted(fresh.items()):
            tap.check(f"{name}: the page says what the plugin says (else: ninja -C build reference)",
                      held.get(name, "").rstrip() == text.rstrip(), f"{held.get(name)}\n---\n{text}")
        for name in sorted(set(held) - set(fresh)):
            tap.check(f"{name}: not in this build, its source is there", has_source(source, name), name)
        how_to, text = figures(source)
        tap.check("stop-a-run.md has a row per figure, as the host has", how_to.read_text(encoding="utf-8") == text
                  and text.count("| `") > 15, text)
        scenes = (page.parent / "scene.md").read_text(encoding="utf-8")
        now, without = key_tables(scree, scenes)
        tap.check("scene.md: its tables say what the host says (else: ninja -C build reference)", now == scenes,
                  "\n".join(difflib.unified_diff(scenes.split("\n"), now.split("\n"), lineterm="", n=0)))
        tap.check("scene.md: every group of keys has a table", not without, without)
        tap.check("the rest of the page is as it is made", page.read_text(encoding="utf-8")
                  == make({**held, **fresh}))
    tap.finish(run)


def main():
    scree, page = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    names = [f"{p['kind']}/{p['id']}" for p in ask(scree)["plugins"]
             if p["kind"] in KINDS and not p["refused"] and not p["shadowed_by"]]
    fresh = {name: section(ask(scree, name)) for name in names}
    if sys.argv[3:4] == ["--check"]:
        check(scree, page, fresh, pathlib.Path(sys.argv[4]).resolve())
        return
    source = page.parents[2]
    kept = {n: t for n, t in read_sections(page).items() if n not in fresh and has_source(source, n)}
    page.write_text(make({**kept, **fresh}), encoding="utf-8")
    how_to, text = figures(source)
    how_to.write_text(text, encoding="utf-8")
    scenes = page.parent / "scene.md"
    scenes.write_text(key_tables(scree, scenes.read_text(encoding="utf-8"))[0], encoding="utf-8")


main()
