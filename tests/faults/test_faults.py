# SPDX-License-Identifier: Apache-2.0
"""Each bad plugin is refused with status 3 and one line that names file and reason.

usage: test_faults.py SCREE FOLDER_OF_MODULES
"""
import grp
import json
import os
import pathlib
import pwd
import re
import shutil
import sys

import runs
import tap

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

# Module: what the line must say, besides the file.
REASONS = {
    "wrong_digest": r"other ABI headers.*0123456789ab",
    "no_digest": r"other ABI headers",
    "wrong_symbol": r"scree_plugin_v1.*needs ABI 1.*has 0\.3",
    "no_manifest": r"exports no scree_plugin_v0",
    "short_manifest": r"expected a scree_manifest of 32 to 65536 bytes, got 24",
    "huge_manifest": r"expected a scree_manifest of 32 to 65536 bytes, got 65537",
    "reserved_manifest": r"`reserved` of its scree_manifest: expected 0, got 7",
    "null_plugin": r"descriptor 0: expected a scree_plugin, got NULL",
    "twice": r"force/minimal twice",
    "short_plugin": r"descriptor 0: expected a scree_plugin of 152 to 65536 bytes, got 144",
    "short_ops": r"force/minimal: expected a scree_force_ops of 72 to 65536 bytes, got 64",
    "no_ops": r"force/minimal: no vtable",
    "no_kind": r"kind: expected SCREE_KIND_\*, got 0: it is not set",
    "no_function": r"force/minimal: scree_force_ops lacks the function compute",
    "no_dimension": r"force/minimal: serves no dimension",
    "bad_id": r"expected an id of the form",
    "bad_help": r"force/minimal: help: expected one line",
    "bad_offset": r"force/minimal: .*knob",
    "bad_unit": r"force/minimal: .*knob.*parsec",
    "bad_default": r"force/minimal: .*knob.*11",
    "other_kinds_flag": r"force/minimal: flags: SCREE_CAP_INCREMENTAL is for plugins of kind gcd, got it in one of kind force",
    "short_extension": r"force/minimal: extension scree\.bonds/1: expected a scree_bonds of 16 to 65536 bytes, got 8",
    "min_is_max": r"force/minimal: parameter knob: its range \[1, 1\] leaves no choice; expected real_min < real_max",
    "min_above_max": r"force/minimal: parameter knob: its range \[10, 0\] leaves no choice; expected real_min < real_max",
    "open_ends": r"force/minimal: parameter knob: its range \(1, 1\.0000000000000002\) leaves no choice; expected real_min < real_max",
    "crash": r"crashed while it was loaded \(signal 11",
    "exits": r"ended the process while it was loaded \(exit status 0\)",
    "hangs": r"did not load within 1 s",
    "flushes_denormals": r"changes the floating-point environment",
    "rounds_up": r"changes the floating-point environment",
    "sets_locale": r"changes the locale",
    "sets_lc_all": r"changes the environment variable LC_ALL",
    "litters": r"writes files into the current folder",
    "prints": r"prints to standard output",
    "unresolved": r"cannot be loaded: .*scree_no_such_function",
    "no_number": r'force/minimal: required: name 0: expected "NAME/NUMBER"',
    "no_names": r"force/minimal: required: expected at most 1000 names, got 1 and no list",
    "left_out_and_wrong": r"kind 99/minimal: help: expected one line of text",
}
# A newer host may know these: force/minimal is left out, force/steady of the same file serves.
LEFT_OUT = {
    "unknown_kind": r"kind 99/minimal: unknown kind 99; this host knows 1 to 9",
    "unknown_flag": r"force/minimal: unknown bit 0x80000000 in flags; this host knows 0x\w+",
    "unknown_input": r"force/minimal: unknown bit 0x10000000000 in needs; this host knows 0x\w+",
    "param_flag_as_cap": r"force/minimal: unknown bit 0x4 in flags; this host knows 0x\w+",
    "reserved_ops": r"force/minimal: `reserved` of its scree_force_ops: expected 0, got 7",
    "unknown_type": r"force/minimal: parameter knob: unknown type 99; this host knows 1 to 17",
    "unknown_param_flag": r"force/minimal: parameter knob: unknown flag 0x100; this host knows 0x30000ff",
    "reserved_param": r"force/minimal: parameter knob: `reserved`: expected 0, got 7",
    "reserved_extension": r"force/minimal: extension scree\.bonds/1: `reserved`: expected 0, got 7",
    "unknown_field_flag": r"force/minimal: field memory: unknown flag 0x4; this host knows 0x3",
    "unknown_return": r"force/minimal: field memory: unknown policy 2 for its return; this host knows 0 to 1",
    "stray_scope": r"force/minimal: field memory: unknown scope 5; this host knows 1 to 4",
    "nested_force": r"force/minimal: parameter knob: expected a nested plugin of kind gcd, source, shape, resolver or domain, got force",
    "dimension_number": r"force/minimal: unknown bit 0x1 in dimensions; this host knows 0xc",
    "unknown_mixing": r"force/minimal: parameter knob: unknown mixing rule 99; this host knows 0 to 5",
    "new_minor": r"force/minimal: needs scree\.abi/0\.99; this host has /0\.3",
    "next_bonds": r"force/minimal: needs scree\.bonds/2; this host has /1",
    "foreign_name": r"force/minimal: needs org\.example\.wear/1; this host has none of that name",
}


def scree(*args, cwd, **env):
    """Runs `scree plugins ...` with no plugins but those of `args`."""
    (cwd / "tmp").mkdir(exist_ok=True)
    return runs.scree(cwd, "plugins", *args,
                      env=runs.environment(XDG_DATA_HOME=str(cwd / "none"), TMPDIR=str(cwd / "tmp"), **env))


def place(folder, module, name=None):
    """Copies a module to folder/NAME.so, writable by nobody else."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    target = folder / ((name or module) + ".so")
    shutil.copyfile(MODULES / (module + ".so"), target)
    target.chmod(0o644)
    return target


def is_refusal(result, path, reason):
    lines = result.stderr.splitlines()
    return (result.returncode == 3 and len(lines) == 1 and str(path) in lines[0]
            and re.search(reason, lines[0]) is not None and result.stdout == "")


def expect_refusal(claim, result, path, reason):
    tap.check(claim, is_refusal(result, path, reason), f"{result}\nwanted: {path} {reason}")


def test_good(top):
    path = place(top / "good/force", "minimal")
    for what in ([path], ["force/minimal", "--plugin-path", top / "good"]):
        result = scree(*what, cwd=top)
        tap.check(f"the good plugin is taken by {str(what[0])[-13:]}",
                  result.returncode == 0 and result.stdout.startswith("force/minimal 1.0.0")
                  and result.stderr == "", result)
    path = place(top / "flat", "minimal", "any_name")
    result = scree("force/minimal", "--plugin-path", top / "flat", cwd=top)
    tap.check("a plugin in a file of another name is found", str(path) in result.stdout, result)


def test_sins(top):
    for module, reason in REASONS.items():
        path = place(top / "sins", module)
        limit = {"SCREE_LOAD_LIMIT": "1"} if module == "hangs" else {}
        expect_refusal(f"{module} is refused", scree(path, cwd=top, **limit), path, reason)
    path = place(top / "named/force", "wrong_digest", "minimal")
    expect_refusal("a bad file of the right name is refused, and no other is looked for",
                   scree("force/minimal", "--plugin-path", top / "named", cwd=top), path, "digest")
    text = top / "sins/text.so"
    text.write_text("no shared object")
    expect_refusal("a text file is refused", scree(text, cwd=top), text, "cannot be loaded")
    missing = top / "sins/missing.so"
    expect_refusal("a missing file is refused", scree(missing, cwd=top), missing, "No such file")
    tap.check("no constructor ran in the current folder", not (top / "litter").exists())
    left = list((top / "tmp").iterdir())
    tap.check("probes leave no folder behind", not left, left)


def test_left_out(top):
    good = place(top / "with_good/force", "minimal_2", "minimal")
    for module, reason in LEFT_OUT.items():
        path = place(top / f"left/{module}", module)
        kind = reason.partition("/")[0]
        result = scree(path, cwd=top)
        tap.check(f"{module}: the page of the file has the one that serves and the one that is left out",
                  result.returncode == 0 and "force/steady 1.0.0" in result.stdout
                  and re.search(rf"^{reason}$", result.stdout.replace(" 1.0.0 (left out)", ""), re.M), result)
        result = scree("--plugin-path", path.parent, cwd=top)
        tap.check(f"{module}: the list has the reason", result.returncode == 0 and result.stderr == "" and re.search(
            rf"^{kind}/minimal .*\(left out: {reason.partition(': ')[2]}\)$", result.stdout, re.M)
            and "force/steady" in result.stdout, result)
        paths = ["--plugin-path", path.parent, "--plugin-path", good.parents[1]]
        result = scree("force/steady", *paths, cwd=top)
        tap.check(f"{module}: the other one of the file serves", result.returncode == 0 and str(path) in result.stdout, result)
        if kind == "force":
            place(path.parent, module, "minimal")
            path.unlink()
            path = path.with_name("minimal.so")
            expect_refusal(f"{module}: it keeps its id, and no other file's plugin takes its place",
                           scree("force/minimal", *paths, cwd=top), path, rf"minimal\.so: {reason}$")
        result = runs.scree(top, "check", path, "--plugin", "minimal", env=runs.environment())
        tap.check(f"{module}: scree check fails the file", result.returncode == 3
                  and re.search(rf"^not ok  loads: .*\n +{reason}$", result.stdout, re.M), result)
    result = runs.scree(top, "check", path, env=runs.environment())
    tap.check("scree check tries the other plugin of such a file, and fails the file", result.returncode == 3
              and "\nforce/steady 1.0.0" in result.stdout and "To install" not in result.stdout, result)


def test_longer(top):
    longer = sorted(path.stem.removeprefix("newer_") for path in MODULES.glob("newer_*.so"))
    tap.check("each struct that a plugin declares has a file with a byte behind it", len(longer) == 26, longer)
    kinds = {"gcd", "resolver", "force", "integrator", "observer", "modifier", "shape", "source", "domain"}
    for name in longer:
        path = place(top / f"longer/{name}", f"newer_{name}")
        result = scree("--plugin-path", path.parent, "--json", cwd=top)
        listed = [one for one in json.loads(result.stdout)["plugins"] if one["file"] == str(path)]
        left = {one["kind"] for one in listed if one["left_out"]}
        known = rf"byte \d+ of its {name} is not 0; this host knows \d+ bytes"
        if name == "scree_manifest":
            expect_refusal("a byte behind the manifest refuses the file", scree(path, cwd=top), path, known)
        elif name == "none":
            tap.check("all plugins of the file with longer structs serve", {one["kind"] for one in listed} == kinds
                      and not left, listed)
        else:
            tap.check(f"a byte behind a {name} leaves out its plugin and no other", len(listed) == 9 and len(left) == 1
                      and all(re.search(known + "$", one["refused"]) for one in listed if one["left_out"]), listed)


SCENE = """scene = { dimension = 2; dt = 1.0e-4; steps = 2; }; materials = { glass = { density = 2500.0; }; };
bodies = { a = { radius = 0.1; position = (0.0, 0.0); material = "glass"; }; };
force = ( { plugin = "minimal"; } );
"""


def test_scene(top):
    (top / "scene.cfg").write_text(SCENE)
    old = place(top / "old", "next_bonds", "laws")
    new = place(top / "other", "minimal", "any_name")
    words = ["run", "scene.cfg", "-q"]
    environment = runs.environment(XDG_DATA_HOME=str(top / "none"))
    result = runs.scree(top, *words, "--plugin-path", new.parent, env=environment)
    tap.check("a scene takes force/minimal of one file", result.returncode == 0, result)
    result = runs.scree(top, *words, "--plugin-path", old.parent, "--plugin-path", new.parent, env=environment)
    tap.check("a scene that names a plugin that is left out fails with its line, not with the next file's plugin",
              result.returncode == 3 and f"{old}: force/minimal: needs scree.bonds/2; this host has /1" in result.stderr, result)


def test_scan(top):
    place(top / "mixed/force", "minimal")
    bad = [place(top / "mixed/force", name) for name in ("crash", "wrong_digest", "exits")]
    result = scree("--plugin-path", top / "mixed", cwd=top)
    lines = result.stderr.splitlines()
    tap.check("the list shows the good ones and a line for each bad file",
              result.returncode == 3 and "force/minimal" in result.stdout and len(lines) == len(bad)
              and all(any(str(path) in line for line in lines) for path in bad), result)


def test_duplicates(top):
    a, b = place(top / "twins/force", "minimal", "a"), place(top / "twins/force", "minimal", "b")
    result = scree("force/minimal", "--plugin-path", top / "twins", cwd=top)
    expect_refusal("two files with one id in one folder are refused", result, a, re.escape(str(b)))
    result = scree("--plugin-path", top / "twins", cwd=top)
    tap.check("the list names both", result.returncode == 3 and str(a) in result.stderr
              and str(b) in result.stderr and "force/minimal" not in result.stdout, result)
    a, b = place(top / "named_twins", "minimal"), place(top / "named_twins/force", "minimal")
    result = scree("force/minimal", "--plugin-path", top / "named_twins", cwd=top)
    expect_refusal("KIND/ID.so together with ID.so is refused", result, a, re.escape(str(b)))
    a, b = place(top / "first/force", "minimal"), place(top / "second/force", "minimal_2", "minimal")
    paths = ["--plugin-path", top / "first", "--plugin-path", top / "second"]
    result = scree("force/minimal", *paths, cwd=top)
    tap.check("of two folders the first wins", result.returncode == 0 and str(a) in result.stdout,
              result)
    result = scree(*paths, cwd=top)
    tap.check("the list shows the shadowed one", result.returncode == 0
              and f"[{b}]  (shadowed by {a})" in result.stdout, result)


def test_writers(top):
    path = place(top / "open", "minimal")
    path.chmod(0o666)
    expect_refusal("a file that others can write is refused", scree(path, cwd=top), path,
                   "the file can be written by others")
    result = scree(path, "--trust", path, cwd=top)
    tap.check("--trust takes it", result.returncode == 0 and result.stderr == "", result)
    path.chmod(0o644)
    path.parent.chmod(0o777)
    expect_refusal("a folder that others can write is refused", scree(path, cwd=top), path,
                   "its folder .* can be written by others")
    result = scree("force/minimal", "--plugin-path", path.parent, "--trust", path, cwd=top)
    tap.check("--trust takes a file of such a folder by name", result.returncode == 0, result)
    path = place(top / "outer/inner", "minimal")
    path.parent.parent.chmod(0o777)
    expect_refusal("a folder in one that others can write is refused", scree(path, cwd=top), path,
                   "above it can be written by others")
    claims = "a file of another user is refused", "a file that a shared group can write is refused"
    if os.geteuid() != 0:
        for claim in claims:
            tap.skip(claim, "only root can give files away")
        return
    path = place(top / "foreign", "minimal")
    os.chown(path, 12345, 12345)
    expect_refusal(claims[0], scree(path, cwd=top), path, "belongs to another user")
    os.chown(path, 0, 12345)
    path.chmod(0o664)
    expect_refusal(claims[1], scree(path, cwd=top), path, "the file can be written by others")
    os.chown(path, 0, 0)
    entry = grp.getgrgid(0)
    if entry.gr_name == pwd.getpwuid(0).pw_name and set(entry.gr_mem) <= {entry.gr_name}:
        result = scree(path, cwd=top)
        tap.check("a file that the user's own group can write is taken", result.returncode == 0,
                  result)


def test_levels(top):
    path = place(top / "levels/force", "minimal")
    twin = place(top / "levels/force", "minimal", "minimal.x86-64-v3")
    result = scree(path, cwd=top, SCREE_CPU_LEVEL="baseline")
    if "this program was built for x86-64-v3 only" in result.stderr:
        tap.check("a level that was not built is a mistake of usage", result.returncode == 2, result)
        tap.skip("the baseline is taken when it is asked for", "this build has one level: -Dlevels=all")
    else:
        tap.check("the baseline is taken when it is asked for",
                  f"file      {path}\n" in result.stdout and "baseline" in result.stdout, result)
    result = scree(path, cwd=top, SCREE_CPU_LEVEL="z80")
    tap.check("an unknown level is a mistake of usage", result.returncode == 2
              and "z80" in result.stderr, result)
    result = scree("--plugin-path", path.parents[1], cwd=top)
    tap.check("a twin is not listed on its own", result.returncode == 0
              and result.stdout.count("levels/force") == 1, result)
    probe = scree(path, cwd=top, SCREE_CPU_LEVEL="x86-64-v3")
    if probe.returncode == 2:
        tap.skip("the twin is taken where the CPU offers it", "this CPU does not")
        return
    result = scree(path, cwd=top)
    tap.check("the twin is taken where the CPU offers it", f"file      {twin}\n" in result.stdout,
              result)
    for module, reason in (("other_id", "offers other plugins"), ("minimal_2", "or versions"),
                           ("crash", "crashed")):
        place(top / "levels/force", module, "minimal.x86-64-v3")
        expect_refusal(f"a twin that is {module} is refused", scree(path, cwd=top), twin, reason)


tap.in_folder(test_good, test_sins, test_left_out, test_longer, test_scene, test_scan, test_duplicates, test_writers, test_levels)
