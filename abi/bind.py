#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the ABI for other languages: scree.rs for Rust, scree_abi.py for Python (ctypes).

usage: bind.py DIGEST_H HEADER... OUTPUT.rs|OUTPUT.py

Each holds all structs, types of functions and constants of the headers, and the digest that a manifest has to carry.
Only the headers have the words.
"""
import ctypes
import os
import re
import sys

import read

# ---- Rust

RUST = {"uint8_t": "u8", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64", "double": "f64",
        "char": "c_char", "void": "c_void"}
RUST_WORDS = {"type", "move", "in", "ref", "box", "where", "use", "loop", "match", "self", "mod", "fn", "impl"}
RUST_HEAD = """// SPDX-License-Identifier: MIT
// Written from the headers of scree's ABI, which say what each name means; do not edit. To use it:
//
//     #[allow(dead_code, non_camel_case_types)]
//     mod scree {{
//         include!(env!("SCREE_RS")); // pkg-config --variable=rust scree
//     }}
//
// Each struct has a constant EMPTY: its size, if it holds one, and else 0, null and None.

use std::mem::size_of;
use std::os::raw::{{c_char, c_void}};
use std::ptr;

/// SCREE_ABI_DIGEST, for the manifest.
pub const SCREE_ABI_DIGEST: *const c_char = b"{digest}\\0" as *const u8 as *const c_char;

/// The ELF note of a file, which a host reads without loading it:
///
///     #[used]
///     #[link_section = ".note.scree"]
///     static NOTE: Note = NOTE_OF_ABI;
#[repr(C)]
pub struct Note {{
    sizes: [u32; 3],
    name: [u8; 8],
    major: u32,
    digest: [u8; 68],
}}
pub const NOTE_OF_ABI: Note = Note {{
    sizes: [6, 72, SCREE_NOTE_TYPE],
    name: *b"scree\\0\\0\\0",
    major: SCREE_ABI_MAJOR,
    digest: *b"{digest}\\0\\0\\0\\0",
}};

/// Constant data with pointers in it. Rust lets threads share such data only by this line.
#[repr(transparent)]
pub struct Constant<T>(pub T);
unsafe impl<T> Sync for Constant<T> {{}}
"""


def rust_name(name):
    return "r#" + name if name in RUST_WORDS else name


def rust_function(kind):
    arguments = ", ".join(rust_argument(one) for _, one in kind.arguments)
    nothing = kind.returns.base == "void" and not kind.returns.stars
    end = "" if nothing else f" -> {rust_type(kind.returns)}"
    return f'Option<unsafe extern "C" fn({arguments}){end}>'


def rust_pointer(inner, const):
    return f"*{'const' if const else 'mut'} {inner}"


def rust_type(kind):
    if isinstance(kind, read.Function):
        return rust_function(kind)
    out, const = RUST.get(kind.base, kind.base), kind.const
    for fixed in kind.stars:
        out, const = rust_pointer(out, const), fixed
    for length in reversed(kind.lengths):
        out = f"[{out}; {length}]"
    return out


def rust_argument(kind):
    """An array that is an argument is a pointer to its first element."""
    if isinstance(kind, read.Function) or not kind.lengths:
        return rust_type(kind)
    const = kind.stars[-1] if kind.stars else kind.const
    return rust_pointer(rust_type(read.Type(kind.base, kind.const, kind.stars, kind.lengths[1:])), const)


def rust_zero(kind, functions):
    if isinstance(kind, read.Function) or kind.base in functions and not kind.stars:
        zero = "None"
    elif kind.stars:
        const = kind.stars[-2] if len(kind.stars) > 1 else kind.const
        zero = "ptr::null()" if const else "ptr::null_mut()"
    elif kind.base == "double":
        zero = "0.0"
    else:
        zero = "0" if kind.base in RUST else f"{kind.base}::EMPTY"
    for length in reversed([] if isinstance(kind, read.Function) else kind.lengths):
        zero = f"[{zero}; {length}]"
    return zero


def rust_struct(abi, name, members, size):
    holds = members[0][0] == "size" and members[0][1].base == "uint32_t"
    zeros = [(member, f"size_of::<{name}>() as u32" if holds and member == "size" else rust_zero(kind, abi.functions))
             for member, kind in members]
    return "\n".join([
        "#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {name} {{",
        *(f"    pub {rust_name(member)}: {rust_type(kind)}," for member, kind in members), "}",
        f"impl {name} {{", f"    pub const EMPTY: {name} = {name} {{",
        *(f"        {rust_name(member)}: {zero}," for member, zero in zeros), "    };", "}",
        f"const _: () = assert!(size_of::<{name}>() == {size});"])


def rust_constant(abi, name):
    value = abi.constants[name]
    if isinstance(value, str):
        return f'pub const {name}: *const c_char = b"{value}\\0" as *const u8 as *const c_char;'
    kind = "f64" if isinstance(value, float) else {None: "i32", 32: "u32", 64: "u64"}[abi.unsigned.get(name)]
    return f"pub const {name}: {kind} = {value};"


def rust(abi, digest):
    sizes = python_sizes(abi, digest)
    out, here = [RUST_HEAD.format(digest=digest)], None
    out += [f"#[repr(C)]\npub struct {name} {{\n    _private: [u8; 0],\n}}" for name in opaque(abi)]
    for name, place in abi.places.items():
        if place != here:
            here = place
            out.append(f"\n// ---- {here}\n")
        if name in abi.constants:
            out.append(rust_constant(abi, name))
        elif name in abi.functions:
            out.append(f"pub type {name} = {rust_function(abi.functions[name])};")
        else:
            out.append(rust_struct(abi, name, abi.structs[name], sizes[name]))
    return "\n".join(out) + "\n"


# ---- Python

PYTHON = {"uint8_t": "c_uint8", "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64",
          "uint64_t": "c_uint64", "double": "c_double", "char": "c_char"}
PYTHON_HEAD = '''# SPDX-License-Identifier: MIT
"""The plugin ABI of scree in ctypes, written from its headers, which say what each name means; do not edit.

Strings are bytes. A pointer to a struct that is only named is a c_void_p, as are all other untyped pointers.
"""
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32,
                    c_uint64, c_void_p, sizeof)

SCREE_ABI_DIGEST = b"{digest}"

'''


def python_type(abi, kind, argument=False):
    if isinstance(kind, read.Function):
        return f"CFUNCTYPE({', '.join(python_arguments(abi, kind))})"
    stars = len(kind.stars) + (argument and len(kind.lengths) > 0)
    out = PYTHON.get(kind.base, kind.base)
    if stars and kind.base == "char":
        out, stars = "c_char_p", stars - 1
    elif stars and kind.base not in PYTHON and kind.base not in abi.structs:
        out, stars = "c_void_p", stars - 1
    for _ in range(stars):
        out = f"POINTER({out})"
    for length in reversed(kind.lengths[1:] if argument else kind.lengths):
        out = f"({out} * {length})"
    return out


def python_arguments(abi, kind):
    """Types of the result of a function and of its arguments. A pointer that a callback returns is untyped: ctypes asks for it."""
    returns = kind.returns
    pointer = returns.stars and not (returns.base == "char" and len(returns.stars) == 1)
    first = "c_void_p" if pointer else "None" if returns.base == "void" else python_type(abi, returns)
    return [first] + [python_type(abi, one, argument=True) for _, one in kind.arguments]


def python_value(value):
    return repr(value.encode()) if isinstance(value, str) else repr(value)


def python(abi, digest):
    out = [PYTHON_HEAD.format(digest=digest)]
    out += [f"{name} = {python_value(value)}" for name, value in abi.constants.items()]
    out += [f"\n\nclass {name}(Structure):\n    pass" for name in abi.structs]
    out += ["\n\n# Types of functions, then members, by which structs may name each other."]
    out += [f"{name} = {python_type(abi, kind)}" for name, kind in abi.functions.items()]
    for name, members in abi.structs.items():
        rows = "".join(f'\n    ("{member}", {python_type(abi, kind)}),' for member, kind in members)
        out.append(f"{name}._fields_ = [{rows}\n]")
    return "\n".join(out) + "\n" + "".join(f"assert sizeof({name}) == {size}\n"
                                            for name, size in sizes_of(abi, "\n".join(out)).items())


def sizes_of(abi, text):
    """{struct: bytes}, as ctypes lays them out."""
    inside = {}
    exec(text, inside)  # the text that this file has just made
    return {name: ctypes.sizeof(inside[name]) for name in abi.structs}


def python_sizes(abi, digest):
    return sizes_of(abi, python(abi, digest))


# ---- both

def opaque(abi):
    """Structs that the headers only name."""
    known, found = {*RUST, *abi.structs, *abi.functions}, []

    def see(kind):
        if isinstance(kind, read.Function):
            for one in [kind.returns, *(of for _, of in kind.arguments)]:
                see(one)
        elif kind.base not in known and kind.base not in found:
            found.append(kind.base)

    for members in abi.structs.values():
        for _, kind in members:
            see(kind)
    return found


def main(digest_header, headers, output):
    with open(digest_header, encoding="utf-8") as file:
        digest = re.search(r'SCREE_ABI_DIGEST "(\w+)"', file.read())[1]
    text = (rust if output.endswith(".rs") else python)(read.read(headers), digest)
    with open(output + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(output + ".part", output)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:-1], sys.argv[-1])
