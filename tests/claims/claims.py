#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/explanation/claims.md: the statements of five papers, what was measured of each, and a verdict.

usage: claims.py          writes the page from claims.toml, counts.py and the results kept in tests/bench/results
       claims.py NAME     prints the text of a measurement (claims.toml: kept, count)
"""
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import afford  # noqa: E402
import counts  # noqa: E402
import gcd_claims  # noqa: E402
import gcd_page  # noqa: E402
import gcd_queries  # noqa: E402

PAGE = ROOT / "docs/explanation/claims.md"
VERDICTS = {"holds": "holds", "kind": "holds in kind", "no": "does not hold", "unmeasured": "not measurable"}


def read(path=HERE / "claims.toml"):
    with open(path, "rb") as file:
        return tomllib.load(file)


def kept_texts(results=HERE.parent / "bench/results"):
    tables = {name: gcd_page.table(results / f"gcd-{name}.tsv") for name in ("ledger", "claims", "queries", "printed", "sort")}
    return gcd_claims.texts(*(tables[name] for name in ("ledger", "claims", "printed", "sort"))) | gcd_queries.claims(tables["queries"]) | {"afford": afford.claim(afford.costs())}


def names_of(paper):
    """Figures and tables of a paper, as rows name them."""
    return [f"figure {n}" for n in paper["figures"]] + [f"table {n}" for n in paper["tables"]]


def measured(claim, kept):
    """The text of a measurement; '' if it is missing."""
    if "count" in claim:
        return counts.TEXTS[claim["count"]]() if claim["count"] in counts.TEXTS else ""
    if "kept" in claim:
        texts = [kept.get(name, "") for name in claim["kept"].split(", ")]
        return "; ".join(texts) if all(texts) else ""
    return claim.get("measured", "")


def faults(data, kept):
    """Lacks of the file: a verdict, a measurement, a reason, a command, a figure or a table of a paper."""
    seen = {name: set() for name in data["paper"]}
    for row in data["claim"] + data["drawing"]:
        title = f"{row.get('paper')}: {row.get('says', row.get('draws', '?'))[:60]}"
        if row.get("paper") not in seen:
            yield f"{title}: expected a paper of the file"
            continue
        unknown = set(row.get("shows", [])) - set(names_of(data["paper"][row["paper"]]))
        if unknown:
            yield f"{title}: its paper has no {', '.join(sorted(unknown))}"
        seen[row["paper"]].update(row.get("shows", []))
        if "draws" in row:
            continue
        if row.get("verdict") not in VERDICTS:
            yield f"{title}: expected a verdict, one of {', '.join(VERDICTS)}, got {row.get('verdict', 'none')}"
        if len({"measured", "kept", "count"} & set(row)) != 1 or not measured(row, kept):
            yield f"{title}: has no measurement"
        if row.get("verdict") != "holds" and not row.get("why"):
            yield f"{title}: expected a reason (why) next to the verdict {row.get('verdict')}"
        if not row.get("by") and row.get("verdict") != "unmeasured":
            yield f"{title}: names no command (by)"
        for name in row.get("by", []):
            if not name.startswith(("test ", "scene ")) and name not in data["command"]:
                yield f"{title}: expected a command of the file, a test or a scene, got {name}"
    for name, paper in data["paper"].items():
        for what in names_of(paper):
            if what not in seen[name]:
                yield f"{name}: {what} has no row"


def missing(data, tests):
    """Files, tests and scenes that commands and drawings name and that are not there. tests: names known to meson."""
    words = [(name, command["run"]) for name, command in data["command"].items()]
    words += [("drawing", row["here"]) for row in data["drawing"]]
    words += [("claim", row["measured"] + row.get("why", "")) for row in data["claim"] if "measured" in row]
    for name, text in words:
        for file in re.findall(r"(?<![\w./-])(?:tests|docs|configs|plugins|core|contrib)/[\w./-]*\w", text):
            if not (ROOT / file).exists() and not file.startswith("core/scree"):
                yield f"{name}: {file}"
        for program in re.findall(r"build/(tests/[\w/]+)/(\w+)", text):
            if not list((ROOT / program[0]).glob(f"{program[1]}*.c")):
                yield f"{name}: {'/'.join(program)}"
        for test in re.findall(r"--benchmark ([\w-]+)", text):
            if test not in tests:
                yield f"{name}: benchmark {test}"
        for scene in re.findall(r"scree (?:run|compare) ([\w/-]+)", text):
            if not (ROOT / f"configs/{scene}.cfg").exists():
                yield f"{name}: scene {scene}"
    for row in data["claim"]:
        for name in row.get("by", []):
            kind, _, what = name.partition(" ")
            if kind == "test" and what not in tests or kind == "scene" and not (ROOT / f"configs/{what}.cfg").exists():
                yield f"{row['says'][:60]}: {name}"


# ---- the page ----

def link(name):
    kind, _, what = name.partition(" ")
    if kind == "test":
        return f"test `{what}`"
    if kind == "scene":
        return f"scene [{what}](../../configs/{what}.cfg)"
    return f"[{name}](#commands)"


def claim_row(claim, number, kept):
    where = ", ".join([claim["where"], *claim.get("shows", [])])
    by = ", ".join(link(name) for name in claim.get("by", []))
    text = "-" if claim["verdict"] == "unmeasured" and measured(claim, kept) == "none" else measured(claim, kept)
    why = f": {claim['why']}" if "why" in claim else ""
    return [number, where, claim["says"], text + (f" ({by})" if by else ""), f"**{VERDICTS[claim['verdict']]}**{why}"]


def paper_part(key, data, kept):
    """Title, number of rows by verdict, and table of a paper."""
    paper, rows = data["paper"][key], []
    claims = [row for row in data["claim"] if row["paper"] == key]
    for k, claim in enumerate(claims):
        rows.append(claim_row(claim, f"{paper['letter']}{k + 1}", kept))
    return f"## {paper['name'].split(', *')[0].split(', with')[0].replace('*', '')}\n\n{paper['name']}.\n\n" + \
        gcd_claims.rows_of([["", "where", "claim", "measured here", "verdict"], *rows]), rows


def tally(data):
    rows = [["", *VERDICTS.values()]]
    for key, paper in data["paper"].items():
        found = [row["verdict"] for row in data["claim"] if row["paper"] == key]
        rows.append([paper["name"].split(",")[0].replace("*", ""), *(found.count(name) for name in VERDICTS)])
    rows.append(["all", *(sum(row[k] for row in rows[1:]) for k in range(1, len(VERDICTS) + 1))])
    return gcd_claims.rows_of(rows)


def figures(data):
    """For each figure and table the rows that are about it, or what it draws."""
    cells = [["paper", "figure or table", "rows"]]
    for key, paper in data["paper"].items():
        claims = [row for row in data["claim"] if row["paper"] == key]
        drawn = [row for row in data["drawing"] if row["paper"] == key]
        for what in names_of(paper):
            rows = [f"{paper['letter']}{k + 1}" for k, row in enumerate(claims) if what in row.get("shows", [])]
            rows += [f"a drawing of {row['draws']}: [here](../../{row['here']})".replace("../../docs/explanation/", "")
                     for row in drawn if what in row["shows"]]
            cells.append([paper["name"].split(",")[0].replace("*", ""), what, ", ".join(rows)])
    return gcd_claims.rows_of(cells)


def commands(data):
    return gcd_claims.rows_of([["name", "command", "CPU", "date", ""],
                               *([name, f"`{c['run']}`", c["cpu"] or "-", c["date"], c["note"]] for name, c in data["command"].items())])


def page(data, kept):
    parts = {"tally": tally(data), "papers": "\n".join(paper_part(key, data, kept)[0] for key in data["paper"]),
             "figures": figures(data), "commands": commands(data)}
    text = (HERE / "claims.md.in").read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part.strip())
    return text


def main():
    data, kept = read(), kept_texts()
    if sys.argv[1:]:
        print("\n".join(measured({"count" if word in counts.TEXTS else "kept": word}, kept) or f"claims.py: no text {word}"
                        for word in sys.argv[1:]))
        return
    wrong = list(faults(data, kept))
    if wrong:
        sys.exit("\n".join(wrong))
    PAGE.write_text(page(data, kept), encoding="utf-8")


if __name__ == "__main__":
    main()
