# SPDX-License-Identifier: Apache-2.0
"""Builds the bad plugins, each of fault.h and the macros of its row, two at a time, those of newer.c, and
OUTPUTS/faults.made: one step of the build instead of three a file.

usage: make_faults.py SOURCES OUTPUTS CC ARGUMENT...
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

# Name: what is wrong, and the macros that make it so.
FAULTS = {
    "minimal": ("nothing: the good one", {}),
    "minimal_2": ("nothing: another version", {"PLUGIN": '.version = "2.0.0"'}),
    "other_id": ("nothing: another id", {"PLUGIN": '.id = "other"'}),
    "wrong_digest": ("built with other headers", {"MANIFEST": '.digest = "0123456789abcdef"'}),
    "no_digest": ("built with headers without a digest", {"MANIFEST": ".digest = NULL"}),
    "wrong_symbol": ("made for another major of the ABI", {"SYMBOL": "scree_plugin_v1"}),
    "no_manifest": ("a shared object that is not a plugin", {"SYMBOL": "scree_plugin_vest"}),
    "short_manifest": ("it ends before its digest", {"MANIFEST": ".size = offsetof(scree_manifest, digest)"}),
    "huge_manifest": ("it says a size that no struct has", {"MANIFEST": ".size = 65537"}),
    "reserved_manifest": ("its reserved word is in use", {"MANIFEST": ".reserved = 7"}),
    "null_plugin": ("a descriptor that is not there", {"PLUGINS": "NULL"}),
    "twice": ("two descriptors of one id", {"PLUGINS": "&plugin, &plugin"}),
    "short_plugin": ("a descriptor ends before its last member", {"PLUGIN": ".size = offsetof(scree_plugin, required)"}),
    "short_ops": ("a vtable ends before its last member", {"OPS": ".size = offsetof(scree_force_ops, after_step)"}),
    "no_ops": ("a descriptor without a vtable", {"PLUGIN": ".ops = NULL"}),
    "no_function": ("a vtable that lacks a function", {"OPS": ".compute = NULL"}),
    "no_kind": ("a descriptor without a kind", {"PLUGIN": ".kind = 0"}),
    "unknown_kind": ("a kind that this host does not know", {"PLUGINS": "&plugin, &steady", "PLUGIN": ".kind = 99"}),
    "unknown_flag": ("a capability that this host does not know", {"PLUGINS": "&plugin, &steady", "PLUGIN": ".flags = 1u << 31"}),
    "unknown_input": ("an input that this host does not know", {"PLUGINS": "&plugin, &steady", "PLUGIN": ".needs = 1ull << 40"}),
    "dimension_number": ("the number of a dimension in place of its bit", {"PLUGINS": "&plugin, &steady", "PLUGIN": ".dimensions = 3"}),
    "no_dimension": ("serves neither 2D nor 3D", {"PLUGIN": ".dimensions = 0"}),
    "bad_id": ("an id that cannot be a file name", {"PLUGIN": '.id = "../Minimal"'}),
    "bad_help": ("a help text of two lines, which would spoil the list", {"PLUGIN": r'.help = "one\ntwo"'}),
    "other_kinds_flag": ("a capability of another kind", {"PLUGIN": ".flags = SCREE_CAP_INCREMENTAL"}),
    "param_flag_as_cap": ("a flag of parameters among the capabilities", {"PLUGINS": "&plugin, &steady", "PLUGIN": ".flags = SCREE_PARAM_LIVE"}),
    "reserved_ops": ("a vtable whose reserved word is in use", {"PLUGINS": "&plugin, &steady", "OPS": ".reserved = 7"}),
    "unknown_type": ("a parameter of an unknown type", {"PLUGINS": "&plugin, &steady", "PARAM": ".type = 99"}),
    "bad_offset": ("a parameter beyond the end of the config struct", {"PARAM": ".offset = sizeof(config)"}),
    "bad_unit": ("a parameter in an unknown unit", {"PARAM": '.unit = "N per parsec"'}),
    "bad_default": ("a parameter whose default is out of its range", {"PARAM": ".real_default = 11.0"}),
    "unknown_param_flag": ("a flag of descriptors on a parameter", {"PLUGINS": "&plugin, &steady", "PARAM": ".flags = SCREE_CAP_SERIAL"}),
    "reserved_param": ("a parameter whose reserved word is in use", {"PLUGINS": "&plugin, &steady", "PARAM": ".reserved = 7"}),
    "min_is_max": ("a parameter whose range is one value", {"PARAM": ".real_min = 1.0, .real_max = 1.0"}),
    "min_above_max": ("a parameter whose range has its ends exchanged", {"PARAM": ".real_min = 10.0, .real_max = 0.0"}),
    "open_ends": ("a parameter between whose open ends there is no value", {
        "PARAM": ".real_min = 1.0, .real_max = 1.0 + 2.220446049250313e-16, "
                 ".flags = SCREE_PARAM_MIN_OPEN | SCREE_PARAM_MAX_OPEN"}),
    "unknown_mixing": ("a rule of mixing that this host does not know", {"PLUGINS": "&plugin, &steady", "PARAM": ".mixing = 99"}),
    "new_minor": ("needs a newer minor than there is", {"PLUGINS": "&plugin, &steady", "REQUIRED": '"scree.query/1", "scree.abi/0.99"'}),
    "next_bonds": ("needs the next revision of an extension", {"PLUGINS": "&plugin, &steady", "REQUIRED": '"scree.bonds/2"'}),
    "foreign_name": ("needs what another host has", {"PLUGINS": "&plugin, &steady", "REQUIRED": '"org.example.wear/1"'}),
    "no_number": ("a required name without its number", {"REQUIRED": '"scree.bonds"'}),
    "no_names": ("it counts names and has none", {"PLUGIN": ".n_required = 1"}),
    "left_out_and_wrong": ("unknown, and wrong too", {"PLUGIN": ".kind = 99, .help = NULL"}),
    "nested_force": ("a law around a law", {"PLUGINS": "&plugin, &steady", "PARAM": ".type = SCREE_TYPE_PLUGIN, .kind = SCREE_KIND_FORCE, .flags = SCREE_PARAM_REQUIRED"}),
    "reserved_extension": ("an extension whose reserved word is in use", {"PLUGINS": "&plugin, &steady", "BONDS": ".reserved = 7"}),
    "short_extension": ("an extension shorter than its first revision", {"BONDS": ".size = offsetof(scree_bonds, reach)"}),
    "unknown_field_flag": ("a field with a flag that this host does not know", {"PLUGINS": "&plugin, &steady", "FIELD": ".flags = 4"}),
    "unknown_return": ("a field whose return this host does not know", {"PLUGINS": "&plugin, &steady", "FIELD": ".on_return = 2"}),
    "stray_scope": ("a field of a scope that no plugin has", {"PLUGINS": "&plugin, &steady", "FIELD": ".scope = 5"}),
    "crash": ("it crashes at load", {"AT_LOAD": "raise(SIGSEGV);"}),
    "exits": ("it ends the process at load and calls it a success", {"AT_LOAD": "exit(0);"}),
    "hangs": ("its load never ends", {"AT_LOAD": "for (;;) pause();"}),
    "flushes_denormals": ("it sets flush-to-zero at load, as linking with -ffast-math does", {"AT_LOAD": "FLUSH"}),
    "rounds_up": ("it changes the rounding at load", {"AT_LOAD": "fesetround(FE_UPWARD);"}),
    "sets_locale": ("it sets the locale of the process at load", {"AT_LOAD": 'setlocale(LC_ALL, "C.UTF-8");'}),
    "sets_lc_all": ("it changes the locale of what starts later", {"AT_LOAD": 'setenv("LC_ALL", "de_DE.UTF-8", 1);'}),
    "litters": ("it writes into the current folder at load", {
        "AT_LOAD": 'FILE *file = fopen("litter", "w"); if (file) fclose(file);'}),
    "prints": ("it prints at load, where scree may be writing JSON", {"AT_LOAD": 'puts("hello from a constructor");'}),
    "unresolved": ("it wants a function that nobody has", {"OPS": ".compute = scree_no_such_function"}),
}

SOURCES, OUTPUTS, *COMMAND = sys.argv[1:]
# The structs that a plugin declares: newer.c with a byte that is not 0 behind one of them.
with open(f"{SOURCES}/newer.c", encoding="utf-8") as file:
    LONGER = re.findall(r"\bis_(scree_\w+|none)[,\s]", file.read().split("};")[0])


def make(name):
    macros = [f"-DFAULT_{macro}={text}" for macro, text in FAULTS[name][1].items()] if name in FAULTS else [f"-DWITH={name}"]
    source, output = ("fault", name) if name in FAULTS else ("newer", f"newer_{name}")
    done = subprocess.run([*COMMAND, *macros, f"{SOURCES}/{source}.c", "-o", f"{OUTPUTS}/{output}.so"], text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stderr


with concurrent.futures.ThreadPoolExecutor(2) as two:
    results = list(two.map(make, [*FAULTS, *LONGER]))
sys.stderr.write("".join(text for _, text in results))
if any(code for code, _ in results):
    sys.exit(1)
pathlib.Path(OUTPUTS, "faults.made").touch()
