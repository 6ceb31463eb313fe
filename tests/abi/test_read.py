# SPDX-License-Identifier: Apache-2.0
"""abi/read.py and a C compiler see the same types, offsets, sizes and constants in the headers. The bindings that bind.py
writes have the same layout, and read plugins.

usage: test_read.py "CC ARG..." INCLUDE_DIRS(:) SCREE_ABI_PY PLUGIN_FOLDER SCREE HEADER...
"""
import ctypes
import importlib.util
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "abi")]
import read  # noqa: E402
import tap  # noqa: E402

CC, INCLUDES = shlex.split(sys.argv[1]), [f"-I{folder}" for folder in sys.argv[2].split(":")]
BINDING, PLUGINS, SCREE, HEADERS = sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5], sys.argv[6:]
ASSERT = '_Static_assert({}, "{}");'


def compiles(claims):
    """The output of a compiler that looks at all claims about the headers; "" if they hold."""
    text = '#include <scree/scree.h>\n#include <stddef.h>\n' + "\n".join(claims) + "\n"
    with tempfile.TemporaryDirectory() as top:
        path = pathlib.Path(top) / "claims.c"
        path.write_text(text)
        done = subprocess.run([*CC, "-std=gnu11", "-fsyntax-only", *INCLUDES, path], text=True, capture_output=True)
    return done.stderr if done.returncode else ""


def claim_member(struct, member, kind):
    """Pointers to two types are compatible where the types are the same, const and all."""
    return (f"static __attribute__((unused)) {kind.c(f'one_{struct}_{member}')};\n"
            + ASSERT.format(f"__builtin_types_compatible_p(__typeof__(&one_{struct}_{member}), "
                            f"__typeof__(&(({struct} *)0)->{member}))", f"{struct}.{member}"))


def claim_constant(name, value):
    """A claim about a constant; numbers that are not whole are compared by test_reals()."""
    if isinstance(value, str):
        return ASSERT.format(f'__builtin_strcmp({name}, "{value}") == 0', name)
    return ASSERT.format(f"{name} == {value}{'ull' if isinstance(value, int) and value > 2**31 else ''}", name)


def test_headers(abi):
    members = [(struct, member, kind) for struct, held in abi.structs.items() for member, kind in held]
    claims = [claim_member(*one) for one in members]
    tap.check(f"{len(members)} members of {len(abi.structs)} structs have the types that were read", len(members) > 800
              and not compiles(claims), compiles(claims))
    types = [f"static {kind.c('one_' + name)} __attribute__((unused));\n"
             + ASSERT.format(f"__builtin_types_compatible_p(__typeof__(one_{name}), {name})", name)
             for name, kind in abi.functions.items()]
    tap.check("so have the types of functions", types and not compiles(types), compiles(types))
    constants = [claim_constant(*one) for one in abi.constants.items() if not isinstance(one[1], float)]
    tap.check(f"{len(constants)} constants have the values that were read", len(constants) > 190 and not compiles(constants),
              compiles(constants))
    signs = [ASSERT.format(f"sizeof({name}) == {abi.unsigned.get(name, 32) // 8} && ({name} - {name} - 1 > 0) == "
                           f"{int(name in abi.unsigned)}", name)
             for name, value in abi.constants.items() if isinstance(value, int)]
    tap.check("and their signs and sizes", not compiles(signs), compiles(signs))
    text = "".join(read.uncommented(pathlib.Path(header).read_text()) for header in HEADERS)
    named = set(re.findall(r"^#define (SCREE_\w+)(?!\()\b *(?=\S)", text, re.M))
    unread = {name for name in named - set(abi.constants) if not name.endswith("_H")}
    tap.check("no struct and no constant is left out", len(abi.structs) == len(re.findall(r"typedef\s+struct\s+\w+\s*\{", text))
              and unread <= {"SCREE_EXPORT", "SCREE_HAS"}, unread)


def test_reals(abi):
    reals = {name: value for name, value in abi.constants.items() if isinstance(value, float)}
    printed = "".join(f'printf("%.17g\\n", {name});' for name in reals)
    with tempfile.TemporaryDirectory() as top:
        source, program = pathlib.Path(top) / "reals.c", pathlib.Path(top) / "reals"
        source.write_text(f"#include <scree/scree.h>\n#include <stdio.h>\nint main(void) {{ {printed} }}\n")
        done = subprocess.run([*CC, *INCLUDES, source, "-o", program], text=True, capture_output=True)
        seen = subprocess.run([program], text=True, capture_output=True).stdout.split() if done.returncode == 0 else []
    tap.check("so have those that are not whole", reals and [float(one) for one in seen] == list(reals.values()), (done, seen))


def test_controls(abi):
    """The claims fail where a type or value is another one."""
    struct, (member, kind) = "scree_bodies", next(one for one in abi.structs["scree_bodies"] if one[0] == "x")
    wrong = {"without a const": read.Type(kind.base, False, kind.stars, kind.lengths),
             "of another length": read.Type(kind.base, kind.const, kind.stars, ["4"]),
             "of another number": read.Type("float", kind.const, kind.stars, kind.lengths)}
    for what, other in wrong.items():
        tap.check(f"a member {what} is seen", "scree_bodies.x" in compiles([claim_member(struct, member, other)]))
    tap.check("so is a constant of another value", "SCREE_E_IO" in compiles([claim_constant("SCREE_E_IO", -5)]))
    for text in ("typedef union scree_odd { int a; } scree_odd;", "#define SCREE_ODD sizeof(int)", "enum { SCREE_ODD };"):
        with tempfile.NamedTemporaryFile("w", suffix=".h") as file:
            file.write(text)
            file.flush()
            try:
                seen = read.read([file.name]) and "nothing"
            except ValueError as error:
                seen = str(error)
        tap.check(f"what the reader does not know is an error: {text}", "ODD" in seen.upper() and seen != "nothing", seen)


def load_binding():
    spec = importlib.util.spec_from_file_location("scree_abi", BINDING)
    binding = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(binding)
    return binding


def test_python(abi):
    binding = load_binding()
    claims = [ASSERT.format(f"offsetof({struct}, {member}) == {getattr(getattr(binding, struct), member).offset} && "
                            f"sizeof((({struct} *)0)->{member}) == {getattr(getattr(binding, struct), member).size}", member)
              for struct, held in abi.structs.items() for member, _ in held]
    claims += [ASSERT.format(f"sizeof({struct}) == {ctypes.sizeof(getattr(binding, struct))}", struct) for struct in abi.structs]
    bindings = [pathlib.Path(BINDING), pathlib.Path(BINDING).with_name("scree.rs")]
    tap.check("bindings are text, without NUL bytes", not [path for path in bindings if b"\0" in path.read_bytes()], bindings)
    tap.check("the Python binding has the offsets and sizes of the headers", not compiles(claims), compiles(claims))
    if os.environ.get("SCREE_SANITIZED"):
        tap.skip("Python reads descriptors", "it cannot load a sanitizer's library")
        return
    listed = json.loads(subprocess.run([SCREE, "plugins", "--json"], text=True, capture_output=True, check=True).stdout)
    known = {(one["kind"], one["id"]): one["help"] for one in listed["plugins"]}
    seen = {}
    for path in sorted(PLUGINS.glob("gcd/*.so")):
        manifest = binding.scree_manifest.in_dll(ctypes.CDLL(path), "scree_plugin_v0")
        tap.check(f"{path.name} has the digest of the binding", manifest.digest == binding.SCREE_ABI_DIGEST, manifest.digest)
        for k in range(manifest.n_plugins):
            one = manifest.plugins[k].contents
            seen["gcd", one.id.decode()] = one.help.decode()
            params = [one.params[p].contents.name.decode() for p in range(one.n_params)]
            tap.check(f"{path.name}: Python reads its parameters", all(re.fullmatch("[a-z_0-9]+", name) for name in params), params)
    tap.check("Python reads the descriptors of all contact detections as the host does",
              len(seen) > 15 and all(known.get(key) == text for key, text in seen.items()), (seen, known))


def run():
    abi = read.read(HEADERS)
    test_headers(abi)
    test_reals(abi)
    test_controls(abi)
    test_python(abi)


tap.finish(run)
