#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes one place of the code at a time, a mutant, and sees whether a test fails with it.

A mutant changes an operator, a sign, an index or a constant by one, or drops a statement. One that does not compile,
or that gives the same machine code, is left out and another one is tried. A mutant that no test kills shows code that
no test looks at: write a test that fails with it, or delete the code.

With --check only `scree check` may kill: it measures what the check finds in plugins. A mutant that passes LIVES if a
scene of the tree that chooses its plugin ends in another state or with other files, or does not end. If no scene shows
it, it is UNSEEN: judge by hand whether it changes any result. The score is printed without these and with them.

Mutants are made in a copy of the tree (--work), which keeps its build for the next time.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
UNSEEN = "UNSEEN"  # a survivor that no scene shows
# Pairs of texts, the second replaces the first; comments and strings are left alone. Spaces tell a binary operator from
# a sign or a pointer.
OPERATORS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
             (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "),
             (" += ", " -= "), (" -= ", " += "), (" |= ", " &= "), (" &= ", " |= "), (" | ", " & "), (" & ", " | "),
             ("++", "--"), ("--", "++"), (" ? ", " ? !"), ("MIN(", "MAX("), ("MAX(", "MIN("), ("true", "false"),
             ("false", "true"), ("break;", "continue;")]
SIGN = re.compile(r"(?<=[(=,] )-(?=[\w(])|(?<=[(\[])-(?=[\w(])|(?<=return )-(?=[\w(])|!(?=[\w(])")
INDEX = re.compile(r"\[([\w.>-]+(?: [+-] \w+)?)\](?! =[^=]* \{)")
NUMBER = re.compile(r"(?<![\w.%])(\d+)(?![\w.])")
# A statement that only gives memory back is left out: the address sanitizer sees its loss, in a run of its own.
STATEMENT = re.compile(r"^(\s+)(?!return|break|continue|goto|case|default|[\w ]+ \**\w+ = |const |static |g_auto)"
                       r"(?!\w*(?:free|unref|clear|clear_pointer)\()([\w*(][^{}]*;)\s*(//.*)?$")
SKIPPED = re.compile(r"^\s*(#|static (const )?\w+ \w+\[|_Static_assert|extern|typedef|//)")
# Room that is declared, or made beforehand: one more changes nothing that a test could see.
SIZES = re.compile(r"^\s*(?!return\b|else\b)(?:const |static )*\w+ [\w*, ]*\w\[[^\]]*\][^=]*;|_grow\(|_reserve\(|_new_array\(")
# The same for room that GLib makes; less of it is tried.
ROOM = re.compile(r"\bg_(?:try_)?(?:re)?(?:new|malloc)0?(?:_n)?\([^;]*")


def blank(text):
    """The code with spaces for comments and strings; each column stays where it is."""
    pattern = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def places(text):
    """(line from 0, first column, last, replacement, kind) of each change that can be made."""
    depth, raw = 0, text.split("\n")
    for number, line in enumerate(blank(text).split("\n")):
        inside, depth = depth > 0, depth + line.count("{") - line.count("}")
        if not inside or SKIPPED.match(line) or SIZES.search(line):
            continue
        room = range(*(ROOM.search(line) or re.match("", line)).span())
        for old, new in OPERATORS:
            if old in ("++", "--") and line.lstrip().startswith("for "):
                continue  # a loop without an end: each test would find it, after its time
            for m in re.finditer(re.escape(old), line):
                if old == " ? " and raw[number][m.end():m.end() + 1] == '"':
                    continue  # one of two words of a message
                if new != " + " or m.start() not in room:
                    yield number, m.start(), m.end(), new, "operator"
        for m in SIGN.finditer(line):
            yield number, m.start(), m.end(), "", "sign"
        for m in INDEX.finditer(line):
            i = m.group(1)
            yield number, m.start(), m.end(), f"[{1 - int(i) if i in '01' else f'{i} - 1'}]", "index"
        for m in NUMBER.finditer(line):
            if m.start() not in room:
                yield number, m.start(), m.end(), str(int(m.group(1)) + 1), "constant"
        m = STATEMENT.match(line)
        if m and line.count("(") == line.count(")"):
            yield number, m.start(2), m.end(2), ";", "dropped"


def changed(text, place):
    number, first, last, new, _ = place
    lines = text.split("\n")
    lines[number] = lines[number][:first] + new + lines[number][last:]
    return "\n".join(lines)


def describe(text, place):
    """The line of a mutant; of a dropped statement the statement."""
    return (text if place[4] == "dropped" else changed(text, place)).split("\n")[place[0]].strip()


class Copy:
    """A clone of the checkout with a build, in which mutants are made."""

    def __init__(self, folder, tests, jobs):
        self.root, self.build, self.tests, self.jobs = folder, folder / "build", tests, jobs
        if not (folder / ".git").exists():
            self.call("git", "clone", "-q", ROOT, folder, cwd=ROOT)
        self.call("git", "fetch", "-q", ROOT, "HEAD", cwd=folder)
        self.call("git", "checkout", "-q", "-f", "FETCH_HEAD", cwd=folder)
        if not (self.build / "build.ninja").exists():
            self.call("meson", "setup", self.build, cwd=folder)
        self.steps = self.list_tests()
        self.kills = collections.Counter()

    def call(self, *words, cwd):
        done = subprocess.run([str(w) for w in words], cwd=cwd, text=True, capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def list_tests(self):
        """Names of the tests, the quickest first, as a whole run of the suite measures them."""
        selection = [f"--suite={s}" for s in self.tests]
        self.call("meson", "test", "-C", self.build, "--quiet", "--logbase=plain", "--timeout-multiplier=3", *selection, cwd=self.root)
        log = (self.build / "meson-logs" / "plain.json").read_text().splitlines()
        rows = [json.loads(line) for line in log]
        rows.sort(key=lambda row: row["duration"])
        names = [row["name"].split(" / ")[-1] for row in rows]
        twice = {name for name in names if names.count(name) > 1}
        if twice:  # Meson ends with an error when both are asked for by this name
            sys.exit(f"expected tests with names of their own, got two called {', '.join(sorted(twice))}")
        return names

    def code(self):
        """A sum of all that was compiled."""
        total = hashlib.sha256()
        for path in sorted(self.build.glob("**/*.o")):  # without line numbers: the build is a release
            total.update(path.read_bytes())
        return total.hexdigest()

    def compile(self):
        """Whether it compiles."""
        return subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", "product"], capture_output=True, check=False).returncode == 0

    def builds_tests(self):
        """Whether all that the tests load is made."""
        return subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", "meson-test-prereq"],
                              capture_output=True, check=False).returncode == 0

    def killer(self, first):
        """The test that fails, or None; those of `first` are run before the others, then those that killed most."""
        rest = sorted((t for t in self.steps if t not in first), key=lambda t: -self.kills[t])
        order = [t for t in first if t in self.steps] + rest
        k, names = 0, order[:12]
        while names:
            done = subprocess.run(["meson", "test", "-C", self.build, "--quiet", "--maxfail=1", "--logbase=mutant",
                                   "--timeout-multiplier=3", f"--num-processes={self.jobs}", *names],
                                  cwd=self.root, capture_output=True, text=True, check=False)
            if done.returncode:
                for line in (self.build / "meson-logs" / "mutant.json").read_text().splitlines():
                    row = json.loads(line)
                    if row["result"] not in ("OK", "SKIP"):
                        name = row["name"].split(" / ")[-1]
                        self.kills[name] += 1
                        return name + (", which did not end" if row["result"] == "TIMEOUT" else "")
                if self.builds_tests():
                    sys.exit(f"meson test failed, and no test did:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
                return "its build"
            k += len(names)
            names = order[k:k + 2 * len(names)]
        return None


class Checked(Copy):
    """A copy in which `scree check` is all that may kill a mutant of a plugin."""
    STEPS, MOST_SCENES, LIMIT = 60, 3, 120  # seconds of a scene
    # Scenes that choose one of these kinds although they do not name it.
    ANY = {"gcd": ("gas", "drum", "clumps"), "integrator": ("gas", "pile", "collision"), "resolver": ("gas", "drum", "clumps"),
           "shape": ("gas", "drum", "clumps")}

    def __init__(self, folder, jobs):
        super().__init__(folder, None, jobs)
        sys.path[:0] = [str(folder / "tests" / "conformance")]
        self.settings = __import__("checks")
        self.compile()
        self.modules, self.states, self.plain = self.digests(), {}, folder / "build-plain"
        shutil.rmtree(self.plain, ignore_errors=True)
        for name in self.modules:
            (self.plain / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.build / "plugins" / f"{name}.so", self.plain / f"{name}.so")

    def list_tests(self):
        return []

    def digests(self):
        """The bytes of each plugin's file, as a sum."""
        return {f"{path.parent.name}/{path.stem}": hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(self.build.glob("plugins/*/*.so"))}

    def code(self):
        return self.digests()

    def changed_plugins(self):
        now = self.digests()
        return [name for name in now if now[name] != self.modules[name]]

    def scenes(self, name):
        """Up to three scenes with the plugin, the shortest, and settings that choose it."""
        kind, plugin = name.split("/")
        files = sorted((f for folder in ("configs", "tests/scenes", "tests/source", "contrib/scenes")
                        for f in (self.root / folder).rglob("*.cfg")), key=lambda f: f.stat().st_size)
        named = re.compile(rf"\b(?:plugin|type) *= *\"{plugin}\"")
        found = [(f, []) for f in files if named.search(f.read_text())]
        chosen = [f"{kind}={{plugin=\"{plugin}\";}}"] if kind in ("gcd", "integrator") else []
        found += [(f, chosen) for f in files if f.stem in self.ANY.get(kind, ()) and f.parent.name == "configs"]
        return found[:self.MOST_SCENES]

    def state(self, scene, settings, *options):
        """Runs the scene: its status, the sum of its last state, and the sums of all files that it writes."""
        with tempfile.TemporaryDirectory() as out:
            words = [self.build / "core" / "scree", "run", scene, "--steps", str(self.STEPS), "--threads", "1", "--output",
                     f"{out}/run", *options, *(w for s in settings for w in ("--set", s))]
            try:
                done = subprocess.run([str(w) for w in words], cwd=scene.parent, capture_output=True, text=True,
                                      timeout=self.LIMIT, check=False)
            except subprocess.TimeoutExpired:
                return "no end"
            sums = [(str(p.relative_to(out)), hashlib.sha256(p.read_bytes()).hexdigest()) for p in sorted(pathlib.Path(out).rglob("*"))
                    if p.is_file() and p.suffix in (".csv", ".vtu", ".vtp", ".dat", ".png")]
            return done.returncode, re.findall(r"\b[0-9a-f]{64}\b", done.stdout), sums

    def has_effect(self, name):
        """Whether a scene ends otherwise than with the plugins as they are."""
        if name not in self.states:
            self.states[name] = [self.state(*scene, f"--plugin-path={self.plain}") for scene in self.scenes(name)]
        return any(self.state(*scene) != self.states[name][k] for k, scene in enumerate(self.scenes(name)))

    def rows(self, name):
        """The options of the check: those of the test suite, the shortest first."""
        checks = self.settings
        rows = [row[1:] for row in checks.SETTINGS if row[0] == name]
        for row, words in [(checks.ALONE.get(name, ()), ()), *((row, row) for row in rows)]:
            always = checks.options_of(name, words)
            solid = any(w.startswith("--solid") for w in row)
            yield [*row, *(w for w in always if not solid or not w.startswith("--solid"))]

    def killer(self, first):
        """The case that fails first, or None; UNSEEN if a survivor is seen in no scene."""
        names = self.changed_plugins()
        for name in names:
            for row in self.rows(name):
                case = self.failed_case(name, row)
                if case:
                    return f"check of {' '.join((name, *row))}: {case}"
        return None if any(self.has_effect(name) for name in names) else UNSEEN

    def failed_case(self, name, row):
        """The first case that fails, or None; the check ends with it."""
        words = [w for o in row for w in ([o] if o.startswith("--") else ["--set", o])]
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folders:  # a case may still be ending
            check = subprocess.Popen([self.build / "core" / "scree", "check", self.build / "plugins" / f"{name}.so", *words],
                                     cwd=self.root / "tests" / "conformance", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     text=True, errors="replace", start_new_session=True, env={**os.environ, "TMPDIR": folders})
            line = ""
            for line in check.stdout:
                if line.startswith("not ok"):
                    os.killpg(check.pid, signal.SIGKILL)  # children of cases end with their parent
                    check.wait()
                    return line.split(":")[0].removeprefix("not ok").strip()
            return line.strip()[:200] if check.wait() else None


def tests_of(path):
    """Tests that are named like a unit or include its header: likely to kill its mutants soon."""
    stem, header = path.stem, f'/{path.stem}.h"'
    named = {stem, stem.replace("_", "-"), stem.split("_")[0]}
    return sorted(named | {test.stem.removeprefix("test_") for test in (ROOT / "tests").rglob("test_*.c")
                           if header in test.read_text()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path, help="files of C, or folders of them")
    parser.add_argument("--count", type=int, default=30, help="mutants (30)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of places (1)")
    parser.add_argument("--suite", action="append", help="tests that may kill: first (default), rest, full")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutate", help="the copy (build-mutate)")
    parser.add_argument("--check", action="store_true", help="of plugins: `scree check` is what may kill")
    parser.add_argument("--list", action="store_true", help="print the places of the mutants, and try none")
    parser.add_argument("--least", type=int, default=0, help="status 1 if fewer are killed")
    options = parser.parse_args()
    files = sorted({f.resolve().relative_to(ROOT) for p in options.paths for f in (p.rglob("*.c") if p.is_dir() else [p])})
    texts = {f: (ROOT / f).read_text() for f in files}
    choice = [(f, place) for f in files for place in places(texts[f])]
    random.Random(options.seed).shuffle(choice)
    if options.list:
        for f, place in choice[:options.count]:
            print(f"{f}:{place[0] + 1}: {place[4]}: {describe(texts[f], place)}")
        return 0
    if options.check:
        copy = Checked(options.work.resolve(), options.jobs)
    else:
        copy = Copy(options.work.resolve(), options.suite or ["first"], options.jobs)
        copy.compile()
    plain, counts = copy.code(), collections.Counter()
    for f, place in choice:
        if counts.total() == options.count:
            break
        text = (copy.root / f).read_text()
        (copy.root / f).write_text(changed(text, place))
        start = time.monotonic()
        if copy.compile() and copy.code() != plain:
            killer = copy.killer(tests_of(f))
            word = killer if killer == UNSEEN else "killed" if killer else "LIVES"
            counts[word] += 1
            by = f" by {killer}" if word == "killed" else ""
            print(f"{counts.total()}. {word}{by}, {time.monotonic() - start:.0f} s: {f}:{place[0] + 1}: {place[4]}: "
                  f"{describe(text, place)}", flush=True)
        (copy.root / f).write_text(text)
    tried, killed, unseen = counts.total(), counts["killed"], counts[UNSEEN]
    print(f"{killed} of {tried} mutants killed{f', {unseen} unseen' if unseen else ''}; {len(choice)} places in {len(files)} files")
    return 1 if killed < options.least or tried < options.count else 0


if __name__ == "__main__":
    sys.exit(main())
