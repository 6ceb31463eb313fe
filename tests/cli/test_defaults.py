# SPDX-License-Identifier: Apache-2.0
"""Defaults and units that pages name are those of the declarations.

usage: test_defaults.py SCREE SOURCE

Declarations: the parameters of all plugins (`scree plugins KIND/ID --json`), and the keys of scenes:
the plugins that `scree validate --print` fills in, and `scree plugins scene --json`. Pages: README.md, docs/, the man page,
the comments of configs/ and of the scene that `scree new scene` makes. It reads these statements:

- tables with a column `default` or `unit`, and a key of a plugin or of a scene in the first cell;
- table rows `| key | value (default) |`, and choices where `(default)` follows one of them;
- phrases: `key` (default `value`); the default of `key` is `value`, or of `key` in `plugin`; `key` defaults to
  `value`; `key = value`, the default, or its default; `value` is the default; `kind/id` .. the default; the plugin
  is one that the line names, else that of the heading or of the page;
- units: `key` [unit]; `key` in unit; in scenes `key = value; # [unit]`.

The word "default" in any other place is refused, unless it names no value (PLAIN), so that a new phrase is
either written like these or added here. tests/cli/data/defaults.md has a wrong one of each, which must be found.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap

GROUPS = ("scene", "extent", "renumber", "guard", "checkpoint")
FACTORS = {"mm": 1e-3, "deg": math.pi / 180.0, "rpm": math.pi / 30.0, "MiB": 1.0}
VALUE = r'`?"?([-+.\w]+)"?`?'
PHRASES = (
    re.compile(r'`([\w.]+)` \(default ' + VALUE + r'\)'),
    re.compile(r'[Tt]he default of `([\w.]+)`(?: in `[\w/]+`)? is ' + VALUE),
    re.compile(r'`([\w.]+) = "?([-+.\w]+)"?`, its default'),
    re.compile(r'`([\w.]+)` defaults to ' + VALUE),
    re.compile(r'`([\w.]+) = (?:\{ plugin = )?"?([-+.\w]+)"?;?(?: \})?;?`, the default'),
    re.compile(r'`([\w.]+)` \((?:`[^`]+`(?:,| or) )?`"?([\w]+)"?`, (?:the )?default\b'),
)
# Uses of "default" without a value: the word as such, and defaults of others.
PLAIN = re.compile(r"\bdefaults\b|(?:range|unit),? default\b|type, unit, range, default|with its default\b"
                   r"|(?:than|of) its default\b|without a default\b|its default (?:`sliding`|extents)|default extents|default at 0\.5"
                   r"|next to the default\b|former defaults?\b|range and default\b|(?:lowest|set) by default\b", re.I)
UNIT = r"[A-Za-z1][A-Za-z0-9/^ -]*"
SI = {"m", "mm", "kg", "s", "N", "Pa", "J", "W", "rad", "deg", "Hz", "rpm"}  # MiB: of counts


def ask(scree, *words):
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    env["XDG_DATA_HOME"] = "/nonexistent"
    return subprocess.run([str(scree), *words], env=env, text=True, check=True, cwd="/",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout


class Key:
    """A declared key: where it belongs, its default (None: none) and its unit ("": none)."""

    def __init__(self, owner, name, default, unit, required=False):
        self.owner, self.name, self.default, self.unit = owner, name, default, unit or ""
        self.required = required

    def __repr__(self):
        return f"{self.owner}.{self.name}: default {self.default!r}, unit [{self.unit}]"


def plugin_keys(scree):
    listed = json.loads(ask(scree, "plugins", "--json"))["plugins"]
    for plugin in listed:
        if plugin["refused"] or plugin["shadowed_by"]:
            continue
        owner = f"{plugin['kind']}/{plugin['id']}"
        for p in json.loads(ask(scree, "plugins", owner, "--json"))["parameters"]:
            yield Key(owner, p["name"], p["default"], p["unit"], "required" in p["flags"])


def host_keys(scree):
    """Keys of scenes that the host reads."""
    for group in json.loads(ask(scree, "plugins", "scene", "--json"))["groups"]:
        for p in group["parameters"]:
            yield Key(group["name"], p["name"], p["default"], p["unit"], "required" in p["flags"])


def printed_keys(scree):
    """The plugins that `validate --print` fills into a scene that names none."""
    scene = 'materials = { m = { density = 1.0; }; };\nbodies = { a = { radius = 1.0; position = (0.0, 0.0, 0.0); }; };\n'
    with tempfile.TemporaryDirectory() as top:
        file = pathlib.Path(top) / "scene.cfg"
        file.write_text(scene, encoding="utf-8")
        text = ask(scree, "validate", str(file), "--print")
    for name, value in re.findall(r'^(\w+) = [({\s]*plugin = "(\w+)"', text, re.M):
        yield Key("scene", name, value, "")


class Declared:
    def __init__(self, scree):
        self.hosts = list(host_keys(scree))
        self.groups = [*printed_keys(scree), *(k for k in self.hosts if k.owner in GROUPS)]
        self.plugins = list(plugin_keys(scree))

    def find(self, name, owners):
        """Keys of that name: of the owners that the place names, else of scenes, else of any plugin."""
        group, _, last = name.rpartition(".")
        mine = [k for k in self.plugins if k.name == last and (k.owner in owners or k.owner.split("/")[1] in owners)]
        if mine:
            return mine
        mine = [k for k in self.groups if k.name == last and (k.owner == group if group else
                k.owner in owners if owners - {"scene"} else True)]
        mine = mine or [k for k in self.hosts if k.name == last and group in ("", k.owner)]
        # The page of scenes says what sources read of a group of `generate`.
        return mine or [k for k in self.plugins if k.name == last
                        and ("scene" not in owners or k.owner.startswith("source/"))]


def same_value(said, key):
    """Whether what a page says is the default of a key; None: the page gives no value."""
    said = said.strip().strip('`"')
    if said in ("true", "false"):
        return key.default is (said == "true")
    try:
        number = float(said)
    except ValueError:
        return None if key.default is None else said == key.default
    if key.default is None or isinstance(key.default, (str, bool)):
        return False
    factor = FACTORS.get(key.unit, 1.0)
    return math.isclose(number * factor, key.default, rel_tol=1e-9) or number == key.default == 0


class Page:
    """The statements of one page: wrong has the statements that are not so."""

    def __init__(self, declared, path, text):
        self.declared, self.path, self.text = declared, path, text
        self.n_defaults, self.n_units, self.wrong = 0, 0, []
        self.page_owner = {path.stem} if any(k.owner.endswith("/" + path.stem) for k in declared.plugins) else set()
        if path.stem == "scene":
            self.page_owner = {"scene"}
        self.section, self.head, self.last_key = set(), [], ""

    def complain(self, line, text):
        self.wrong.append(f"{self.path.name}:{line}: {text}")

    def owners(self, text):
        """Plugins and groups of the scene that a line names, else the section, else the page."""
        known = {k.owner for k in self.declared.plugins}
        ids = {o.split("/")[1] for o in known} | set(GROUPS)
        named = {w for w in re.findall(r"`(?:\w+/)?(\w+)`", text) if w in ids}
        return named or self.section or self.page_owner

    def check_default(self, line, name, value, owners):
        keys = self.declared.find(name, owners)
        if not keys:
            self.complain(line, f"default of `{name}`, which no plugin and no scene has")
            return
        answers = [same_value(value, k) for k in keys]
        if any(a is None for a in answers) and True not in answers and False not in answers:
            return
        self.n_defaults += 1
        if True not in answers:
            self.complain(line, f"`{name}` has no default {value}: {keys[:3]}")

    def check_unit(self, line, name, unit, owners):
        keys = self.declared.find(name, owners)
        if not keys or set(re.findall(r"[A-Za-z]+", unit)) - SI:
            return
        self.n_units += 1
        if unit not in {k.unit for k in keys}:
            self.complain(line, f"`{name}` is not in [{unit}]: {keys[:3]}")

    def row(self, line, text):
        cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", text.strip())[1:-1]]
        if cells and all(re.fullmatch(r":?-+:?", c) for c in cells):
            return
        if not self.head:
            self.head = cells
            return
        at = {name: i for i, name in enumerate(self.head) if i < len(cells)}
        keys = re.findall(r"`([\w.]+)`", cells[0])
        self.last_key = keys[0] if keys else self.last_key
        owners = self.section or self.page_owner
        for key in keys if self.head[0] in ("key", "`type`") else []:
            if "unit" in at and cells[at["unit"]] and self.declared.find(key, owners) \
                    and re.fullmatch(UNIT, cells[at["unit"]]):
                self.check_unit(line, key, cells[at["unit"]], owners)
            if "default" in at:
                self.cell(line, key, cells[at["default"]], owners)
        if len(cells) > 1 and keys + [self.last_key] and "default" not in at:
            for value in re.findall(VALUE + r" \(default\)", cells[1] if self.head[0] == "key" else ""):
                self.check_default(line, self.last_key, value, owners)

    def cell(self, line, key, said, owners):
        first = re.match(r'`"?([\w.+-]+)"?`|([-+]?[\d.]+(?:e[-+]?\d+)?)(?![\w]| of)', said)
        if said.startswith("required") and said == "required":
            keys = self.declared.find(key, owners)
            if keys and all(k.default is not None and not k.required for k in keys):
                self.complain(line, f"`{key}` is not required: {keys[:3]}")
        elif first:
            self.check_default(line, key, first.group(1) or first.group(2), owners)

    def prose(self, line, text, whole=None):
        if text.startswith("Keeps `"):  # a field, not a key
            return
        rest = text
        for phrase in PHRASES:
            for match in phrase.finditer(text):
                self.check_default(line, match.group(1), match.group(2).rstrip("."), self.owners(text))
                rest = rest.replace(match.group(0), "")
        if re.search(r"\bdefaults?\b", PLAIN.sub("", rest), re.I):
            self.statement(line, rest, whole or text)
        for name, unit in re.findall(r"`([\w.]+)` \[(" + UNIT + r")\]", text):
            self.check_unit(line, name, unit, self.owners(text))
        for name, unit in re.findall(r"`([\w.]+)`(?: is)? in (kg/s|m/s|1/s|kg|mm|rad/s|N/m|s|m|Pa|J|Hz)\b(?![/^])", text):
            self.check_unit(line, name, unit, self.owners(text))

    def statement(self, line, text, whole):
        """`x` is the default, the default `x`: of what, is not said: some key must have that default."""
        kinds = [k.split("/") for k in re.findall(r"`(\w+/\w+)`", whole)] or \
            [o.split("/") for o in self.section if "/" in o]
        for kind, plugin in kinds:
            self.check_default(line, kind, plugin, {"scene"})
        said = re.findall(r'`"?(\w+)"?` is the default\b', text)
        if not said and not kinds:
            self.complain(line, f"a default that the test cannot read: {text.strip()[:120]}")
        owners = self.owners(text)
        for value in said:
            self.n_defaults += 1
            if not any(k.default == value for k in self.declared.plugins
                       if not owners or k.owner in owners or k.owner.split("/")[1] in owners):
                self.complain(line, f"no key of {sorted(owners)} has the default {value}")

    def read(self):
        code = False
        lines = self.text.splitlines()
        for number, text in enumerate(lines, 1):
            if text.startswith("```"):
                code = not code
            elif code:
                self.comment(number, text)
            elif text.startswith("#"):
                words = re.findall(r"[\w/]+", text)
                known = {k.owner for k in self.declared.plugins}
                ids = {o.split("/")[1]: o for o in known} | {o: o for o in known}
                self.section = {ids.get(w, w) for w in words if w in ids or w in GROUPS}
            elif text.lstrip().startswith("|"):
                self.row(number, text)
                self.prose(number, " ".join(c for c in text.split("|") if "default" in c and "(default)" not in c
                                            and c.strip() != "default" and "default at" not in c), text)
            else:
                self.head = []
                if text.strip():
                    # a phrase may go on in the next line
                    after = lines[number].strip() if number < len(lines) else ""
                    joined = text.strip() + " " + after if not after.startswith(("|", "#", "`" * 3)) else text
                    cut = len(text.strip())
                    self.prose_joined(number, joined, cut)
        return self

    def prose_joined(self, line, joined, cut):
        """Phrases that begin in the first line, which may end in the next one."""
        for phrase in PHRASES:
            for match in list(phrase.finditer(joined)):
                if match.start() < cut <= match.end():
                    self.check_default(line, match.group(1), match.group(2).rstrip("."), self.owners(joined))
                    joined = joined[:match.start()] + " " * (match.end() - match.start()) + joined[match.end():]
        self.prose(line, joined[:cut])

    def comment(self, line, text):
        """In a scene: `key = value; # .. [unit]`, and `# (default value)`."""
        match = re.match(r"\s*(?:#\s*)?(\w+) = [^#]*;\s*#(.*)$", text)
        if not match:
            return
        for unit in re.findall(r"^[^\[]*\[(" + UNIT + r")\]", match.group(2)):
            self.check_unit(line, match.group(1), unit, set())
        for value in re.findall(r"default:? " + VALUE, match.group(2)):
            self.check_default(line, match.group(1), value, set())

    def read_scene(self):
        for number, text in enumerate(self.text.splitlines(), 1):
            self.comment(number, text)
        return self


def pages_of(source, scree):
    for path in [source / "README.md", *sorted((source / "docs").rglob("*.md"))]:
        if path.name != "verification.md":  # its rows are cases, not keys
            yield path, path.read_text(encoding="utf-8")
    man = source / "docs/scree.1"
    yield man, re.sub(r"\\fB(\w+)\\fR", r"`\1`", man.read_text(encoding="utf-8").replace("\\-", "-"))
    for path in sorted((source / "configs").rglob("*.cfg")):
        yield path, path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as top:
        ask(scree, "new", "scene", "mine", top)
        for path in sorted(pathlib.Path(top).rglob("*.cfg")):
            yield path, path.read_text(encoding="utf-8")


def read(declared, path, text):
    page = Page(declared, path, text)
    return page.read_scene() if path.suffix == ".cfg" else page.read()


def control(declared, source):
    """Each line of the control that says `wrong` is found, and no other one."""
    path = source / "tests/cli/data/defaults.md"
    text = path.read_text(encoding="utf-8")
    page = read(declared, path, text)
    marked = {n for n, line in enumerate(text.splitlines(), 1) if "wrong" in line}
    found = {int(w.split(":")[1]) for w in page.wrong}
    tap.check("negative control: a page with a wrong statement of each kind fails at each of them, and only there",
              len(marked) > 10 and marked == found,
              f"not found: {sorted(marked - found)}, too many: {sorted(found - marked)}\n" + "\n".join(page.wrong))


def run():
    scree, source = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    declared = Declared(scree)
    tap.check("scenes and plugins declare keys", len(declared.plugins) > 100 and len(declared.hosts) > 40
              and len(declared.groups) > 10, f"{len(declared.plugins)} {len(declared.hosts)} {declared.groups}")
    n_defaults = n_units = 0
    for path, text in pages_of(source, scree):
        page = read(declared, path, text)
        n_defaults, n_units = n_defaults + page.n_defaults, n_units + page.n_units
        if page.n_defaults or page.n_units or page.wrong:
            tap.check(f"{path.name}: the defaults ({page.n_defaults}) and units ({page.n_units}) that it names are "
                      "declared so", not page.wrong, "\n".join(page.wrong))
    tap.check("pages name defaults and units", n_defaults > 100 and n_units > 50, f"{n_defaults}, {n_units}")
    control(declared, source)


if __name__ == "__main__":
    tap.finish(run)
