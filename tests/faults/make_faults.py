# SPDX-License-Identifier: Apache-2.0
"""Builds the bad plugins, each of fault.h and the macros of its row, two at a time, and OUTPUTS/faults.made: one step of
the build instead of three a file.

usage: make_faults.py SOURCES OUTPUTS CC ARGUMENT...
"""
import concurrent.futures
import pathlib
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
    "new_minor": ("needs a newer minor than there is", {"MANIFEST": ".minor_needed = SCREE_ABI_MINOR + 1u"}),
    "null_plugin": ("a descriptor that is not there", {"PLUGINS": "NULL"}),
    "twice": ("two descriptors of one id", {"PLUGINS": "&plugin, &plugin"}),
    "short_plugin": ("a descriptor ends before its last member", {"PLUGIN": ".size = offsetof(scree_plugin, get_extension)"}),
    "short_ops": ("a vtable ends before its last member", {"OPS": ".size = offsetof(scree_force_ops, after_step)"}),
    "no_ops": ("a descriptor without a vtable", {"PLUGIN": ".ops = NULL"}),
    "no_function": ("a vtable that lacks a function", {"OPS": ".compute = NULL"}),
    "unknown_kind": ("a kind that this host does not know", {"PLUGIN": ".kind = 99"}),
    "unknown_flag": ("a capability that this host does not know", {"PLUGIN": ".flags = 1u << 21"}),
    "unknown_input": ("an input that this host does not know", {"PLUGIN": ".needs = 1ull << 40"}),
    "dimension_number": ("the number of a dimension in place of its bit", {"PLUGIN": ".dimensions = 3"}),
    "no_dimension": ("serves neither 2D nor 3D", {"PLUGIN": ".dimensions = 0"}),
    "bad_id": ("an id that cannot be a file name", {"PLUGIN": '.id = "../Minimal"'}),
    "bad_help": ("a help text of two lines, which would spoil the list", {"PLUGIN": r'.help = "one\ntwo"'}),
    "other_kinds_flag": ("a capability of another kind", {"PLUGIN": ".flags = SCREE_CAP_INCREMENTAL"}),
    "param_flag_as_cap": ("a flag of parameters among the capabilities", {"PLUGIN": ".flags = SCREE_PARAM_LIVE"}),
    "reserved_ops": ("a vtable whose reserved word is in use", {"OPS": ".reserved = 7"}),
    "unknown_type": ("a parameter of an unknown type", {"PARAM": ".type = 99"}),
    "bad_offset": ("a parameter beyond the end of the config struct", {"PARAM": ".offset = sizeof(config)"}),
    "bad_unit": ("a parameter in an unknown unit", {"PARAM": '.unit = "N per parsec"'}),
    "bad_default": ("a parameter whose default is out of its range", {"PARAM": ".real_default = 11.0"}),
    "unknown_param_flag": ("a flag of descriptors on a parameter", {"PARAM": ".flags = SCREE_CAP_SERIAL"}),
    "reserved_param": ("a parameter whose reserved word is in use", {"PARAM": ".reserved = 7"}),
    "min_is_max": ("a parameter whose range is one value", {"PARAM": ".real_min = 1.0, .real_max = 1.0"}),
    "min_above_max": ("a parameter whose range has its ends exchanged", {"PARAM": ".real_min = 10.0, .real_max = 0.0"}),
    "open_ends": ("a parameter between whose open ends there is no value", {
        "PARAM": ".real_min = 1.0, .real_max = 1.0 + 2.220446049250313e-16, "
                 ".flags = SCREE_PARAM_MIN_OPEN | SCREE_PARAM_MAX_OPEN"}),
    "nested_force": ("a law around a law", {
        "PARAM": ".type = SCREE_TYPE_PLUGIN, .kind = SCREE_KIND_FORCE, .flags = SCREE_PARAM_REQUIRED"}),
    "reserved_extension": ("an extension whose reserved word is in use", {"BONDS": ".reserved = 7"}),
    "short_extension": ("an extension shorter than its first revision", {"BONDS": ".size = offsetof(scree_bonds, reach)"}),
    "unknown_field_flag": ("a field with a flag that this host does not know", {"FIELD": ".flags = 4"}),
    "unknown_return": ("a field whose return this host does not know", {"FIELD": ".on_return = 2"}),
    "stray_scope": ("a field of a scope that no plugin has", {"FIELD": ".scope = 5"}),
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


def make(name):
    macros = [f"-DFAULT_{macro}={text}" for macro, text in FAULTS[name][1].items()]
    done = subprocess.run([*COMMAND, *macros, f"{SOURCES}/fault.c", "-o", f"{OUTPUTS}/{name}.so"], text=True,
                          capture_output=True, check=False)
    return done.returncode, done.stderr


with concurrent.futures.ThreadPoolExecutor(2) as two:
    results = list(two.map(make, FAULTS))
sys.stderr.write("".join(text for _, text in results))
if any(code for code, _ in results):
    sys.exit(1)
pathlib.Path(OUTPUTS, "faults.made").touch()
