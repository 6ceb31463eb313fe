# SPDX-License-Identifier: Apache-2.0
"""Freezes the ABI: copies of its headers in abi/frozen/MAJOR.MINOR, and three plugins in tests/abi/frozen/MAJOR.MINOR.

usage: freeze.py SOURCE BUILD HEADER...     (ninja -C build freeze)

The copies of a minor before 1.0 may be written again; those of a later one stay as they are.
"""
import pathlib
import re
import shutil
import subprocess
import sys

# Name of the file: source, language, plugin, its group in a scene.
PLUGINS = {
    "gcc": ("contrib/template/force/soft.c", "c", "force/soft", 'plugin = "soft"; kn = 1.0e4;'),
    "clang": ("contrib/force/viscoelastic.cpp", "cpp", "force/viscoelastic",
              'plugin = "viscoelastic"; young_modulus = 1.0e7; poisson_ratio = 0.25; dissipative_time = 1.0e-5; friction = 0.3;'),
    "rustc": ("contrib/template-rust/force/soft.rs", "rust", "force/soft", 'plugin = "soft"; kn = 1.0e4;'),
}
C = "-O2 -fPIC -shared -s -ffp-contract=off -fvisibility=hidden -Wl,-z,defs".split()


def command_of(language, source, includes, out):
    """The words that build a plugin, and what the environment adds."""
    folders = [f"-I{one}" for one in includes]
    if language == "rust":
        return ["/usr/bin/rustc", "--edition", "2021", "-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols",
                "--crate-type", "cdylib", source, "-o", out]
    if language == "cpp":
        return ["clang++", "-std=c++17", "-fno-exceptions", "-fno-rtti", *C, *folders, source, "-o", out, "-lm"]
    return ["gcc", "-std=c11", *C, *folders, source, "-o", out, "-lm"]


def build(name, tree, build_folder, out, includes=None, binding=None):
    """Builds one of PLUGINS; text: why it cannot be built, None: it is built. `includes` and `binding` (scree.rs)
    replace those of the tree."""
    source, language = PLUGINS[name][:2]
    command = command_of(language, str(tree / source), includes or [tree / "abi", build_folder / "abi"], str(out))
    if not shutil.which(command[0]):
        return f"no {command[0]}"
    env = {"PATH": "/usr/bin:/bin", "SCREE_RS": str(binding or build_folder / "abi/scree/scree.rs")}
    done = subprocess.run(command, env=env, text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else None


def version_of(header):
    text = pathlib.Path(header).read_text(encoding="utf-8")
    return ".".join(re.search(rf"SCREE_ABI_{part} (\d+)u", text)[1] for part in ("MAJOR", "MINOR"))


def main(tree, build_folder, headers):
    version = version_of(tree / "abi/scree/abi.h")
    copies, binaries = tree / "abi/frozen" / version, tree / "tests/abi/frozen" / version
    if copies.exists() and int(version.split(".")[0]) > 0:
        sys.exit(f"{copies}: frozen already; only minors before 1.0 are written again")
    for folder in (copies, binaries):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for header in headers:
        shutil.copy(header, copies)
    for name in PLUGINS:
        why = build(name, tree, build_folder, binaries / f"{name}.so")
        if why:
            sys.exit(f"{name}: {why}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:])
