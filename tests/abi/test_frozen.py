# SPDX-License-Identifier: Apache-2.0
"""The frozen ABI: headers of today only add to the frozen copies, and binaries built with these copies give the same hashes
as the same plugins built today.

usage: test_frozen.py SCREE SOURCE BUILD HEADER...

The host compares the digest exactly until 1.0; the test writes today's digest into a copy of each binary.
"""
import json
import pathlib
import re
import subprocess
import sys

import tap
from freeze import PLUGINS, build, version_of
from runs import environment

SCREE, SOURCE, BUILD = (pathlib.Path(one).resolve() for one in sys.argv[1:4])
HEADERS = [pathlib.Path(one).resolve() for one in sys.argv[4:]]
sys.path.insert(0, str(SOURCE / "abi"))
import frozen  # noqa: E402
import read  # noqa: E402

VERSION = version_of(SOURCE / "abi/scree/abi.h")
COPIES, BINARIES = SOURCE / "abi/frozen" / VERSION, SOURCE / "tests/abi/frozen" / VERSION
SCENE = """scene = { title = "frozen"; dimension = 3; dt = 1.0e-6; steps = 20000; gravity = (0.0, 0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; position = (0.0, 0.0, 0.0); };
    low = { radius = 0.005; position = (0.0, 0.0, 0.0051); velocity = (0.1, 0.0, -0.5); };
    high = { radius = 0.005; position = (0.001, 0.0005, 0.0152); velocity = (0.0, 0.0, -0.5); spin = (0.0, 20.0, 0.0); }; };
force = ( { %s } );
gcd = { plugin = "grid"; };
resolvers = ( { plugin = "sphere"; } );
integrator = { plugin = "velocity_verlet"; };
observers = {};
"""
# Claim: header, pattern, replacement. Each breaks a plugin or a host that was built before.
BREAKS = {
    "a member is gone": ("params.h", r"    uint32_t revision;[^\n]*\n", ""),
    "a member has another type": ("params.h", r"uint32_t components; (/\* doubles)", r"uint64_t components; \1"),
    "two members change places": ("params.h", r"(    uint32_t scope;[^\n]*\n)(    uint32_t components; /\* doubles[^\n]*\n)", r"\2\1"),
    "a member comes between": ("params.h", r"(    const char \*unit; +/\* as in scree_param \*/\n)", r"\1    double weight;\n"),
    "a member has another name": ("params.h", r"double initial;", "double first;"),
    "a struct is gone": ("params.h", r"typedef struct scree_strings \{.*?\} scree_strings;", ""),
    "a struct without a size grows": ("params.h", r"(uint64_t n;\n    const double \*v;\n)(\} scree_reals;)", r"\1    double sum;\n\2"),
    "a code has another value": ("abi.h", r"#define SCREE_KIND_SHAPE 7u", "#define SCREE_KIND_SHAPE 17u"),
    "a flag is gone": ("abi.h", r"#define SCREE_CAP_SERIAL[^\n]*\n", ""),
    "a name has another number": ("force.h", r'"scree.bonds/1"', '"scree.bonds/2"'),
    "a function gets an argument": ("abi.h", r"\(\*create\)\(const", "(*create)(int32_t lane, const"),
    "a function takes another type": ("abi.h", r"\(\*destroy\)\(void \*instance\)", "(*destroy)(const void *instance)"),
    "a function returns another type": ("abi.h", r"uint64_t \(\*bytes\)", "uint32_t (*bytes)"),
    "an array is longer": ("params.h", r"double velocity\[3\]", "double velocity[4]"),
    "a limit is lowered": ("params.h", r"SCREE_MAX_COMPONENTS 64", "SCREE_MAX_COMPONENTS 63"),
    "a macro has another text": ("abi.h", r"\(SCREE_KNOWS\(s, member\) && \(s\)->member\)", "((s)->member)"),
    "a new flag has the bit of another one": ("abi.h", r"(#define SCREE_CAP_SERIAL)", r"#define SCREE_CAP_NEW (1u << 9)\n\1"),
}
ADDITIONS = {
    "a member at the tail": ("params.h", r"(    double initial;\n)", r"\1    double last;\n"),
    "a new struct": ("params.h", r"(typedef struct scree_ints \{)", r"typedef struct scree_new {\n    uint32_t size, n;\n} scree_new;\n\n\1"),
    "a new flag": ("abi.h", r"(#define SCREE_CAP_SERIAL)", r"#define SCREE_CAP_NEW (1u << 27)\n\1"),
    "a limit is raised": ("params.h", r"SCREE_MAX_COMPONENTS 64", "SCREE_MAX_COMPONENTS 128"),
    "the next minor, other comments, another name of an argument":
        ("abi.h", r"(.*)SCREE_ABI_MINOR \d+u([^\n]*\n)(.*)void \*instance\)", r"\1SCREE_ABI_MINOR 9u /* next */\n\3void *self)"),
}


def changed(top, claim, header, pattern, text):
    """Paths of the headers, one of them changed."""
    new = []
    for path in HEADERS:
        if path.name == header:
            was = path.read_text(encoding="utf-8")
            now, n = re.subn(pattern, text, was, count=1, flags=re.S)
            tap.check(f"the headers hold what this changes: {claim}", n == 1 and now != was, pattern)
            path = top / header
            path.write_text(now, encoding="utf-8")
        new.append(path)
    return new


def test_gate(top):
    for claim, change in BREAKS.items():
        found = list(frozen.breaks(HEADERS, changed(top, claim, *change)))
        tap.check(f"the gate finds one break: {claim}", len(found) == 1, found)
    for claim, change in ADDITIONS.items():
        found = list(frozen.breaks(HEADERS, changed(top, claim, *change)))
        tap.check(f"the gate lets pass: {claim}", not found, found)


def test_today(_top):
    copies = [COPIES / path.name for path in HEADERS if (COPIES / path.name).exists()]
    left = {path.name for path in COPIES.glob("*.h")} - {path.name for path in copies}
    tap.check(f"abi/frozen/{VERSION} has copies of today's headers", len(copies) > 10 and not left, (copies, left))
    found = list(frozen.breaks(copies, HEADERS))
    tap.check("today's headers only add to the frozen ones (before 1.0, a break is meant: ninja -C build freeze)",
              copies and not found, "\n".join(found))


def test_padding(top):
    """A tail member would be in the padding, where a host takes it for its own bytes."""
    structs = read.read(HEADERS).structs
    sized = {name: members[-1][0] for name, members in structs.items() if members[0][0] == "size"}
    rows = "".join(f'_Static_assert(offsetof({name}, {last}) + sizeof((({name} *)0)->{last}) == sizeof({name}), "{name}");\n'
                   for name, last in sized.items())
    (top / "padding.c").write_text('#include "scree/scree.h"\n' + rows, encoding="utf-8")
    done = subprocess.run(["cc", "-fsyntax-only", f"-I{SOURCE}/abi", f"-I{BUILD}/abi", str(top / "padding.c")], text=True,
                          env=environment(), capture_output=True, check=False)
    tap.check("no struct that may grow ends with padding", len(sized) > 50 and done.returncode == 0, done.stderr)


def run(top, folder, group):
    (top / "scene.cfg").write_text(SCENE % group, encoding="utf-8")
    done = subprocess.run([str(SCREE), "run", str(top / "scene.cfg"), "-q", "--json", "--plugin-path", str(folder)], cwd=top,
                          env=environment(XDG_DATA_HOME=str(top / "none")), text=True, capture_output=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr, "plugins": []}


def thaw(binary, out):
    """Copies a binary, with today's digest in place of its own; the number of places."""
    today = re.search(r'"(\w{64})"', (BUILD / "abi/scree/digest.h").read_text(encoding="utf-8"))[1].encode()
    data = binary.read_bytes()
    own = set(re.findall(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", data))
    if len(own) == 1:
        data = data.replace(own.pop(), today)
    out.write_bytes(data)
    return data.count(today)


def test_binaries(top):
    for name, (_, _, plugin, group) in PLUGINS.items():
        old, new = top / f"old-{name}", top / f"new-{name}"
        old.mkdir()
        new.mkdir()
        binary = BINARIES / f"{name}.so"
        tap.check(f"{name}: the frozen binary has a digest", binary.exists() and thaw(binary, old / "law.so") > 0, binary)
        seen = run(top, old, group)
        used = [one["file"] for one in seen["plugins"] if f"{one['kind']}/{one['id']}" == plugin]
        tap.check(f"{name}: the frozen binary of {plugin} runs, with contacts", used == [str(old / "law.so")]
                  and seen.get("contacts", 0) > 0, seen)
        why = build(name, SOURCE, BUILD, new / "law.so")
        if why and why.startswith("no "):
            tap.skip(f"{name}: the frozen binary gives the hash of the same source built today", why)
            continue
        now = run(top, new, group)
        tap.check(f"{name}: the frozen binary gives the hash of the same source built today",
                  "state_sha256" in seen and seen["state_sha256"] == now.get("state_sha256"), (why, seen, now))


def test_page(_top):
    """The page names a test in each row: a name of meson, then words of a claim or a key of its file."""
    page = (SOURCE / "docs/reference/abi-stability.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| `([\w-]+)`: ([^|]+) \|$", page, re.M)
    tap.check("each row of the page names a test", len(rows) >= 12 and len(rows) == page.count("\n| ") - 2, rows)
    builds = "".join(path.read_text(encoding="utf-8") for path in sorted((SOURCE / "tests").glob("*/meson.build")))
    for test, words in rows:
        found = re.search(rf"test\('{test}'.*?files\('([\w./]+)'\)", builds, re.S)
        texts = [path.read_text(encoding="utf-8") for path in (SOURCE / "tests").glob(f"*/{found[1]}")] if found else []
        tap.check(f"the test {test} has: {words}", any(words in re.sub(r'"\s*f?"', "", text) for text in texts), found)


tap.in_folder(test_gate, test_today, test_padding, test_binaries, test_page)
