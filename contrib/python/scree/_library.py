# SPDX-License-Identifier: Apache-2.0
"""Loads libscree and declares its functions; core/lib/libscree.h says what each does."""
import ctypes
import functools
import os
import pathlib
import re
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int32, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from ._errors import Cancelled, Error, PluginError, RunError, SceneError, UseError

NAME = "libscree.so.0"
PLACES = ("prefix/lib", "core/lib", "lib", "lib64", "lib/*-linux-gnu")  # below the package or a folder above it


class Options(Structure):
    """sc_options"""


SAY = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
FORCES = CFUNCTYPE(c_int32, c_void_p, c_void_p)
Options._fields_ = [
    ("size", c_uint32), ("threads", c_uint32), ("set", POINTER(c_char_p)), ("plugin_path", POINTER(c_char_p)),
    ("folder", c_char_p), ("restart", c_char_p), ("flags", c_uint32), ("reserved", c_uint32), ("say", SAY),
    ("user", c_void_p)]


class Until(Structure):
    """sc_until"""
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("steps", c_uint64), ("time", c_double), ("wall", c_double)]


class Array(Structure):
    """sc_array"""
    _fields_ = [
        ("size", c_uint32), ("device_type", c_int32), ("device_id", c_int32), ("type_code", c_uint8),
        ("type_bits", c_uint8), ("type_lanes", c_uint16), ("n_columns", c_uint32), ("writable", c_uint32),
        ("n", c_uint64), ("stride", c_uint64), ("column", c_void_p * 9), ("generation", c_uint64), ("unit", c_char_p)]


OUT = POINTER(c_void_p)
FUNCTIONS = {  # name: result, arguments after the run or the first one
    "version": (c_char_p,), "free": (None, c_void_p),
    "open": (c_int32, c_char_p, POINTER(Options), OUT),
    "open_text": (c_int32, c_char_p, c_char_p, c_char_p, POINTER(Options), OUT),
    "error": (c_char_p, c_void_p), "close": (c_int32, c_void_p),
    "advance": (c_int32, c_void_p, POINTER(Until), POINTER(c_int32)), "cancel": (None, c_void_p),
    "finish": (c_int32, c_void_p, OUT), "step_count": (c_uint64, c_void_p), "last_step": (c_uint64, c_void_p),
    "folder": (c_char_p, c_void_p), "time": (c_double, c_void_p),
    "dt": (c_double, c_void_p), "hash": (c_int32, c_void_p, c_char_p),
    "figure": (c_int32, c_void_p, c_char_p, POINTER(c_double)),
    "array_get": (c_int32, c_void_p, c_char_p, POINTER(Array)), "array_names": (POINTER(c_char_p), c_void_p),
    "generation": (c_uint64, c_void_p), "want": (c_int32, c_void_p, c_char_p),
    "query_json": (c_int32, c_void_p, c_char_p, OUT),
    "bodies_set": (c_int32, c_void_p, c_char_p, c_uint64, c_void_p, c_void_p),
    "set": (c_int32, c_void_p, c_char_p), "swap": (c_int32, c_void_p, c_char_p, c_uint32, OUT),
    "state_take": (c_int32, c_void_p, OUT), "state_put": (c_int32, c_void_p, c_void_p), "state_free": (None, c_void_p),
    "save": (c_int32, c_void_p, c_char_p), "on_forces": (c_int32, c_void_p, c_char_p, FORCES, c_void_p),
    "fail": (c_int32, c_void_p, c_int32, c_char_p), "observe": (c_int32, c_void_p, c_char_p), "forces_changed": (c_int32, c_void_p),
    "forces_of": (c_int32, c_void_p, c_char_p, c_void_p, c_void_p),
    "slots_json": (c_int32, c_void_p, OUT), "plugins_json": (c_int32, POINTER(c_char_p), OUT), "validate_json": (c_int32, c_void_p, OUT),
}
WORDS = (("options->folder, SC_QUIET_SCENE, or observers = {}", "folder=.., quiet=True or observers={}"), ("sc_want(run, ", "run.want("),
         ("another to -o", "another to folder="), ("only sc_fail, ", "only "))
NAMES = {"query_json": "query", "bodies_set": "set_bodies", "state_take": "state", "state_put": "restore", "array_get": "array", "options": "open",
         "on_forces": "callback", "until": "advance", "step_count": "steps", "validate_json": "validate", "slots_json": "slots"}  # of C: of Python, where they differ
ERRORS = {1: RunError, 2: UseError, 3: PluginError, 4: Cancelled}


def find() -> str:
    """The path of the library: SCREE_LIBRARY, that of this package or the folders above it, or a name for the linker."""
    named = os.environ.get("SCREE_LIBRARY")
    if named:
        return named
    here = pathlib.Path(__file__).resolve().parent
    for top in (here, *here.parents):
        for place in PLACES:
            for path in sorted(top.glob(f"{place}/{NAME}")):
                return str(path)
    return NAME


class Library(ctypes.CDLL):
    """libscree; a function gets its types when it is first used, so that an older library serves as far as it goes."""

    def __getattr__(self, name):
        function = super().__getattr__(name)
        if name.startswith("sc_"):
            function.restype, *function.argtypes = FUNCTIONS[name[3:]]
        return function


@functools.lru_cache(maxsize=None)
def load() -> Library:
    """libscree, which is loaded when the first run is opened."""
    path = find()
    try:
        return Library(path)
    except OSError as error:
        raise ImportError(f"cannot load {path}, the library of scree; SCREE_LIBRARY may name another: {error}") from None


class Held:
    """A pointer of libscree as an argument of its functions. It is freed when neither its owner nor a call uses it."""

    def __init__(self, free):
        self._as_parameter_, self._free = c_void_p(), free

    def __del__(self):
        self._free(self._as_parameter_)


class Single:
    """An object that owns memory of libscree: a copy would free it twice."""

    def __reduce_ex__(self, _):
        raise TypeError(f"a {type(self).__name__} cannot be copied; run.state() copies the state of a run")


def encode(text, optional=False):
    """A text or path for C; None only where it is optional."""
    if text is None and optional:
        return None
    if not isinstance(text, (str, bytes, os.PathLike)) or b"\0" in os.fsencode(text):
        raise UseError(f"expected a text without NUL, got {text!r}")
    return os.fsencode(text)


def texts(values):
    """A list of texts for C, ended by NULL; None stays None."""
    if isinstance(values, (str, bytes, os.PathLike)):
        raise UseError(f"expected a list of texts, got {values!r}")
    return None if values is None else (c_char_p * (len(values) + 1))(*[encode(one) for one in values], None)


def take(text):
    """The text at a c_void_p that sc_free frees."""
    try:
        return ctypes.string_at(text).decode()
    finally:
        load().sc_free(text)


def check(run, code, scene=False):
    """Raises the exception of a code above 0."""
    if code:
        text = (load().sc_error(run) or b"").decode(errors="replace") if run else ""
        text = functools.reduce(lambda all, pair: all.replace(*pair), WORDS, text)
        text = re.sub(r"\bsc_(\w+)", lambda found: NAMES.get(found[1]) or found[found[1] in FUNCTIONS], text)
        raise (SceneError if scene and code == 2 else ERRORS.get(code, Error))(text or f"libscree ended with code {code}")
