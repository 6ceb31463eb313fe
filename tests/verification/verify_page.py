# SPDX-License-Identifier: Apache-2.0
"""The page docs/explanation/verification.md from kept results, and its pictures."""
import csv
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = ("subject", "case", "label", "expected", "got", "deviation", "tolerance", "why", "source", "formula",
           "seconds", "figures", "measured")  # measured: date and processor
TITLES = {"resolver": "Contact resolution", "integrator": "Integrators", "force": "Force laws", "modifier": "Modifiers",
          "host": "The host: walls, boundaries, balances", "mechanics": "Mechanics of a few bodies",
          "bulk": "Many bodies"}
MOST_POINTS = {"line": 300, "point": 60}  # of a curve in a picture
MOST_VALUES = 6  # of one case that are shown; of more the one that is farthest off; of many bodies all
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
HEAD = """set terminal svg size 640,400 font "sans-serif,13" background "#ffffff"
set encoding utf8
set grid linecolor rgb "#d0d0d0"
set border 3
set tics nomirror out
set key above
"""


def exact(value):
    """A number, or a band, as kept: 9 digits are more than any tolerance needs."""
    return " .. ".join(f"{part:.9g}" for part in value) if isinstance(value, tuple) else f"{value:.9g}"


def read(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def write(path, rows):
    lines = ["\t".join(COLUMNS)] + ["\t".join(row[name] for name in COLUMNS) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def holds(row):
    """Whether a value is within the tolerance; a band has none beyond its ends."""
    return float(row["deviation"]) <= (0.0 if ".." in row["expected"] else float(row["tolerance"]))


def short(text):
    return " .. ".join(f"{float(part):.6g}" for part in text.split(" .. "))


def off(row):
    """The deviation as the page prints it. For many bodies it is signed, in %, and that of a band is the distance from its
    middle: there the tolerance, or the band, is wide, and that a value holds says little."""
    if not row["subject"].startswith("bulk/"):
        return f"{float(row['deviation']):.1e}"
    ends = [float(part) for part in row["expected"].split(" .. ")]
    middle, got = sum(ends) / len(ends), float(row["got"])
    return f"{100.0 * (got - middle) / abs(middle):+.1f} %" if middle else f"{got:+.1e}"


def cell(text):
    return text.replace("|", "\\|")


def by(rows, *names):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def case_rows(rows):
    """Lines of the table of one case."""
    first = rows[0]
    n = len(rows)
    if n > MOST_VALUES and not first["subject"].startswith("bulk/"):
        worst = max(rows, key=lambda row: (not holds(row), float(row["deviation"])))
        rows = [worst | {"label": f"{worst['label']} (the farthest off of {n})"}]
    head = (cell(first["case"]), cell(first["source"]), cell(first["formula"]))
    tail = f"{first['tolerance']}: {cell(first['why'])}"
    for k, row in enumerate(rows):
        case, source, formula = head if k == 0 else ("", "", "")
        case = f"**{case}**{': ' if row['label'] else ''}" if case else ""
        yield (f"| {case}{cell(row['label'])} | {source} | {formula} | {short(row['expected'])} | {short(row['got'])} | "
               f"{off(row)} | {tail if k == 0 else ''} |")


def subject_part(subject, cases):
    lines = [f"### {subject}", "",
             "| case | source | formula or table | expected | scree | deviation | tolerance and its reason |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    figures = []
    for rows in cases.values():
        lines += case_rows(rows)
        figures += [(name, rows[0]["case"]) for name in rows[0]["figures"].split()]
    slow = [f"{name} {float(rows[0]['seconds']):.0f} s" + (f" ({rows[0]['measured']})" if rows[0]["measured"] else "")
            for (name,), rows in cases.items() if float(rows[0]["seconds"]) >= 10]
    if slow:
        lines += ["", f"CPU time: {', '.join(slow)}."]
    for name, case in figures:
        lines += ["", f"![{case}](verification/{name}.svg)"]
    return lines + [""]


def render(path):
    """The page."""
    rows, lines = read(path), []
    kinds = {}
    for (subject,), seen in by(rows, "subject").items():
        kinds.setdefault(subject.split("/")[0], {})[subject] = by(seen, "case")
    for kind, subjects in kinds.items():
        lines += [f"## {TITLES[kind]}", ""]
        for subject, cases in subjects.items():
            lines += subject_part(subject, cases)
    n_cases = len(by(rows, "subject", "case"))
    failed = [row for row in rows if not holds(row)]
    missed = sorted({f"{row['subject']}: {row['case']}" for row in failed})
    text = (HERE / "verification.md.in").read_text(encoding="utf-8")
    values = {"cases": n_cases, "values": len(rows), "held": n_cases - len(missed), "tables": "\n".join(lines).rstrip(),
              "missed": "All hold." if not missed else "Those that do not hold: " + "; ".join(missed) + "."}
    for key, value in values.items():
        text = text.replace(f"@{key}@", str(value))
    return text


def thin(values, most):
    """Every so many of them, and the last."""
    step = -(-len(values) // most)
    return values if step <= 1 else values[:-1:step] + values[-1:]


def figure_script(xlabel, ylabel, lines, points, title, log, more):
    data, plots = [], []
    for kind, curves in (("line", lines), ("point", points)):
        for k, (label, xs, ys) in enumerate(curves):
            name = f"${kind}{k}"
            xs, ys = (thin(list(values), MOST_POINTS[kind]) for values in (xs, ys))
            data.append(f"{name} << EOD\n" + "".join(f"{x:.9g} {y:.9g}\n" for x, y in zip(xs, ys)) + "EOD\n")
            colour = COLOURS[(k + (0 if kind == "line" else len(lines) if len(points) == 1 else 0)) % len(COLOURS)]
            style = f'with lines linewidth 2 linecolor rgb "{colour}"' if kind == "line" else \
                f'with points pointtype {(6, 4, 8, 10, 12)[k % 5]} pointsize 0.7 linewidth 1.5 linecolor rgb "{colour}"'
            plots.append(f'{name} using 1:2 {style} title "{label}" noenhanced')
    if not plots:
        raise ValueError("a figure has at least one curve")
    return (HEAD + "".join(data) + f'set xlabel "{xlabel}"\nset ylabel "{ylabel}"\n' +
            (f'set title "{title}"\n' if title else "") + (f"set logscale {log}\n" if log else "") +
            (more + "\n" if more else "") + "plot " + ", \\\n     ".join(plots) + "\n")


def draw(script, path):
    """Runs gnuplot."""
    done = subprocess.run(["gnuplot", "-"], input=script, capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout:
        raise RuntimeError(f"gnuplot: {path.name}: {done.stderr}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(done.stdout, encoding="utf-8")
