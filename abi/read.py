# SPDX-License-Identifier: MIT
"""The ABI headers as data: structs with their members, types of functions, constants.

The headers keep to one style, so a few patterns read them whole; what no pattern takes is an error. tests/abi writes
what was read as C again and compares both, token by token.
"""
import ast
import os
import re

STRING = r'"(?:\\.|[^"\\\n])*"'
COMMENT = r"/\*.*?\*/|//[^\n]*"
NUMBER = r"\b(0x[0-9a-fA-F]+|\d+)(u?)(ll)?\b"
LIMITS = {"UINT64_MAX": 2**64 - 1}


class Type:
    """A type of C: a base, a pointer for each of `stars` (whether it is const itself), lengths of arrays."""

    def __init__(self, base, const, stars, lengths):
        self.base, self.const, self.stars, self.lengths = base, const, stars, lengths

    def c(self, name):
        """Declares a name."""
        stars = "".join("*" + ("const " if fixed else "") for fixed in self.stars)
        return f"{'const ' if self.const else ''}{self.base} {stars}{name}" + "".join(f"[{n}]" for n in self.lengths)


class Function:
    """A type of functions: what they return, and (name, type) of each argument; names may be ""."""

    def __init__(self, returns, arguments):
        self.returns, self.arguments = returns, arguments

    def c(self, name):
        """Declares a pointer."""
        return f"{self.returns.c('')}(*{name})({', '.join(kind.c(of) for of, kind in self.arguments) or 'void'})"


class Abi:
    """Everything in the order of the headers. structs: {name: [(member, Type or Function)]}; functions: {name: Function},
    types of pointers; constants: {name: int or str}; unsigned: names of constants of an unsigned type, and its bits."""

    def __init__(self):
        self.structs, self.functions, self.constants, self.unsigned, self.places = {}, {}, {}, {}, {}


def uncommented(text):
    text = text.replace("\\\n", " ")
    return re.sub(f"({STRING})|{COMMENT}", lambda found: found[1] or " ", text, flags=re.S)


def split(text):
    """Parts between commas that are in no parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def take_type(text, base):
    """(name, Type) of a declarator, base: (words before it)."""
    found = re.fullmatch(r"((?:\*\s*(?:const\b\s*)?)*)(\w*)((?:\s*\[\w+\])*)", text.strip())
    words = re.sub(r"\bstruct\b", "", base).split()
    names = [word for word in words if word != "const"]
    if not found or len(names) != 1:
        raise ValueError(f"expected a declaration, got {base} {text}")
    stars = [bool(fixed) for fixed in re.findall(r"\*\s*(const)?", found[1])]
    return found[2], Type(names[0], "const" in words, stars, re.findall(r"\[(\w+)\]", found[3]))


def base_of(text):
    """(words of the base type, declarators)"""
    found = re.match(r"((?:const\s+)?(?:struct\s+)?\w+(?:\s+const\b)?)(.*)", text, re.S)
    return found[1], found[2]


def take_declaration(text):
    """[(name, type)] of a declaration without its semicolon."""
    found = re.fullmatch(r"([^(]*)\(\s*\*\s*(\w*)\s*\)\s*\((.*)\)", text.strip(), re.S)
    if found:
        returns = take_type(base_of(found[1])[1], base_of(found[1])[0])[1]
        arguments = [take_declaration(one)[0] for one in split(found[3]) if one != "void"]
        return [(found[2], Function(returns, arguments))]
    base, rest = base_of(text.strip())
    return [take_type(one, base) for one in split(rest)]


def take_constant(abi, name, text):
    """Adds a constant: a string, or an expression of numbers, shifts and names of others."""
    if text.startswith('"'):
        abi.constants[name] = ast.literal_eval(text)
        return
    unsigned = "ll" if "UINT64_MAX" in text else ""

    def number(found):
        nonlocal unsigned
        unsigned = max(unsigned, found[2] and found[2] + (found[3] or ""))
        return found[1]

    def other(found):
        nonlocal unsigned
        unsigned = max(unsigned, {32: "u", 64: "ull"}.get(abi.unsigned.get(found[0]), ""))
        return str(LIMITS.get(found[0], abi.constants.get(found[0])))

    plain = re.sub(r"\b[A-Z_]\w*\b", other, re.sub(NUMBER, number, text))
    if re.fullmatch(r"\d[\d.]*e[-+]?\d+", plain):
        abi.constants[name] = float(plain)
        return
    if not re.fullmatch(r"[\dxa-fA-F\s()<|+-]+", plain):
        raise ValueError(f"{name}: expected a number, a string or a mask, got {text}")
    abi.constants[name] = eval(plain, {"__builtins__": {}})  # digits, shifts, brackets: looked at above
    if unsigned:
        abi.unsigned[name] = 32 if unsigned == "u" else 64


def take_header(abi, path):
    with open(path, encoding="utf-8") as file:
        text = uncommented(file.read())
    here = os.path.basename(path)
    for name, value in re.findall(r"^#define (SCREE_\w+)(?!\() +(.+)$", text, re.M):
        if not name.endswith("_H") and "__attribute__" not in value:
            take_constant(abi, name, value.strip())
            abi.places[name] = here
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{(.*?)\}', r"\1", text, flags=re.S)
    text = re.sub(r"SCREE_EXPORT extern[^;]*;", "", text)

    def struct(found):
        members = [one for text in found[2].split(";") if text.strip() for one in take_declaration(text)]
        abi.structs[found[1]], abi.places[found[1]] = members, here
        return ""

    def function(found):
        ((name, kind),) = take_declaration(found[1])
        abi.functions[name], abi.places[name] = kind, here
        return ""

    text = re.sub(r"typedef\s+struct\s+(\w+)\s*\{(.*?)\}\s*\1\s*;", struct, text, flags=re.S)
    text = re.sub(r"typedef\s+([^;{}]*\(\s*\*[^;{}]*);", function, text)
    text = re.sub(r"(?:typedef\s+)?struct\s+(\w+)(?:\s+\1)?\s*;", "", text)
    if text.strip():
        raise ValueError(f"{here}: nothing reads {' '.join(text.split())}")


def read(headers):
    """The Abi of these headers; they come in the order in which each may use those before it."""
    abi = Abi()
    for path in headers:
        take_header(abi, path)
    return abi
