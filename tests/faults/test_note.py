# SPDX-License-Identifier: Apache-2.0
"""The ELF note of a plugin file: the host refuses files of another ABI without running any of their code.

usage: test_note.py SCREE ABI BUILT_ABI TEMPLATE.rs "CC ARG..."    (BUILT_ABI: with scree/digest.h, scree/scree.rs)
"""
import pathlib
import re
import shlex
import shutil
import sys

import runs
import tap

ABI, BUILT, RUST = (pathlib.Path(a).resolve() for a in sys.argv[2:5])
CC = shlex.split(sys.argv[5])
C = "-O2 -Wall -Wextra -Werror -Wpedantic -fPIC -shared -fvisibility=hidden -ffunction-sections -fdata-sections -Wl,--gc-sections"
SOURCE = """#include <stdio.h>
#include "scree/sdk.h"
{before}
__attribute__((constructor)) static void leave_mark(void)
{{
    FILE *file = fopen("{mark}", "w");
    if (file)
        fclose(file);
}}
static int32_t create(const scree_host *host, const void *config, void **instance)
{{
    (void)host;
    *instance = (void *)config;
    return SCREE_OK;
}}
static void destroy(void *instance)
{{
    (void)instance;
}}
static int32_t compute(void *instance, const scree_contact_batch *batch)
{{
    (void)instance;
    for (uint32_t c = 0; c < batch->n; c++)
        batch->f[0][c] = batch->f[1][c] = batch->f[2][c] = 0.0;
    return SCREE_OK;
}}
static const scree_force_ops ops = {{.size = sizeof ops, .create = create, .destroy = destroy, .compute = compute}};
static const scree_plugin plugin = {{.size = sizeof plugin, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "noted", .version = "1.0.0", .licence = "MIT",
    .help = "no force", .ops = &ops}};
SCREE_DEFINE_MANIFEST(&plugin);
"""
CONSTRUCTOR = """
extern "C" fn leave_mark() {{
    let _ = std::fs::write("{mark}", "");
}}
#[used]
#[link_section = ".init_array"]
static START: extern "C" fn() = leave_mark;
"""
DIGEST = re.search(r'"(\w{64})"', (BUILT / "scree/digest.h").read_text())[1]
STALE = "0123456789ab" + DIGEST[12:]


def scree(top, *words):
    return runs.scree(top, *words)


def stale_headers(top):
    """A folder of headers whose digest is another one."""
    folder = top / "stale/scree"
    folder.mkdir(parents=True)
    for name in ("digest.h", "scree.rs"):
        (folder / name).write_text((BUILT / "scree" / name).read_text().replace(DIGEST, STALE))
    return folder.parent


def build(top, name, built, compiler=None, before="", more=()):
    path, mark = top / f"{name}.so", top / f"{name}.mark"
    source = path.with_suffix(".c")
    source.write_text(SOURCE.format(mark=mark, before=before))
    command = [*(compiler or CC), "-std=c11", *C.split(), f"-I{built}", f"-I{ABI}", *more, source, "-o", path, "-lm"]
    done = runs.call(top, *command)
    assert done.returncode == 0, done.stderr
    return path, mark


def refused(claim, top, path, mark, *words):
    seen = scree(top, "plugins", path)
    tap.check(claim, seen.returncode == 3 and str(path) in seen.stderr and all(w in seen.stderr for w in words)
              and not mark.exists(), (seen, mark.exists()))


def taken(claim, top, path, mark, name="force/noted"):
    seen = scree(top, "plugins", path)
    tap.check(claim, seen.returncode == 0 and seen.stdout.startswith(name) and mark.exists(), (seen, mark.exists()))


def test_c(top):
    stale = stale_headers(top)
    words = ("built with other ABI headers (digest 0123456789ab", f"this scree has {DIGEST[:12]}", "rebuild it")
    taken("a file of this ABI is loaded, and its constructor runs", top, *build(top, "good", BUILT))
    refused("a file of other headers is refused, and none of its code runs", top, *build(top, "stale", stale), *words)
    path, mark = build(top, "bare", stale, before="#undef SCREE_NOTE_\n#define SCREE_NOTE_")
    seen = scree(top, "plugins", path)
    tap.check("without the note its code runs before it is refused", seen.returncode == 3 and words[0] in seen.stderr
              and mark.exists(), seen)
    path, mark = build(top, "stripped", stale)
    runs.call(top, "strip", path)
    refused("the note stays when the file is stripped", top, path, mark, *words)
    for compiler in ("gcc", "clang"):
        if not shutil.which(compiler):
            tap.skip(f"the note of {compiler}", f"{compiler} is not installed")
            continue
        for level in ("-O0", "-O3", "-flto"):
            if compiler == "clang" and level == "-flto" and not shutil.which("ld.lld"):
                tap.skip(f"clang {level} keeps the note", "ld.lld is not installed")
                continue
            name = f"{compiler}{level}"
            refused(f"{compiler} {level} keeps the note", top, *build(top, name, stale, [compiler], more=[level]), *words)


def test_two(top):
    """A file for two majors has two notes."""
    stale, other = stale_headers(top), top / "other.c"
    note = "#include \"scree/sdk.h\"\nSCREE_NOTE_\n"
    other.write_text(note.replace("SCREE_NOTE_\n", "#undef SCREE_ABI_MAJOR\n#define SCREE_ABI_MAJOR 9u\nSCREE_NOTE_\n"))
    taken("one of two notes is enough", top, *build(top, "two", BUILT, more=[other]))
    refused("two that do not fit are not", top, *build(top, "none", stale, more=[other]), "ABI")
    before = "#undef SCREE_ABI_MAJOR\n#define SCREE_ABI_MAJOR 9u"
    refused("another major is refused by its number", top, *build(top, "major", BUILT, before=before), "needs ABI 9, this scree has 0.")
    before = "#undef SCREE_NOTE_\n#define SCREE_NOTE_ static const struct {uint32_t a, b, c; char name[8]; uint8_t d[4];} short_ " \
             "__attribute__((section(\".note.scree\"), used, aligned(4))) = {6, 3, 1, \"scree\", {0}};"
    refused("a note that is too short is damage", top, *build(top, "short", BUILT, before=before), "its note .note.scree is too short")


def test_machine(top):
    path, mark = build(top, "arm", BUILT)
    bytes_ = bytearray(path.read_bytes())
    bytes_[18:20] = (183).to_bytes(2, "little")
    path.write_bytes(bytes_)
    refused("a file of another machine is refused, and none of its code runs", top, path, mark,
            "expected x86-64, 64 bit, little-endian, got AArch64")


def test_list(top):
    """Refused files do not hide others, nor does a scene load them."""
    folder = top / "plugins/force"
    folder.mkdir(parents=True)
    path, mark = build(top, "noted", stale_headers(top))
    shutil.move(path, folder / "noted.so")
    seen = scree(top, "plugins", "--plugin-path", "plugins", "force")
    tap.check("a list names it, and has all others", seen.returncode == 3 and "digest 0123456789ab" in seen.stderr
              and "force/linear" in seen.stdout and not mark.exists(), seen)
    seen = scree(top, "plugins", "--plugin-path", "plugins", "force/noted")
    tap.check("asked for by name it is refused", seen.returncode == 3 and "digest 0123456789ab" in seen.stderr
              and not mark.exists(), seen)


def test_rust(top):
    rustc = shutil.which("rustc")
    if not rustc:
        tap.skip("the note of Rust", "rustc is not installed")
        return
    stale = stale_headers(top)
    for name, built in (("new", BUILT), ("old", stale)):
        path, mark = top / f"{name}.so", top / f"{name}.mark"
        source = top / f"{name}.rs"
        source.write_text(RUST.read_text() + CONSTRUCTOR.format(mark=mark).replace("{{", "{").replace("}}", "}"))
        env = runs.environment(SCREE_RS=built / "scree/scree.rs")
        done = runs.call(top, rustc, "--edition", "2021", "-C", "opt-level=3", "-C", "strip=symbols", "--crate-type", "cdylib",
                         source, "-o", path, env=env)
        assert done.returncode == 0, done.stderr
        if name == "new":
            taken("the template in Rust is loaded, and its constructor runs", top, path, mark, "force/soft")
        else:
            refused("built with another scree.rs it is refused, and none of its code runs", top, path, mark,
                    "digest 0123456789ab")


tap.in_folders(test_c, test_two, test_machine, test_list, test_rust)
