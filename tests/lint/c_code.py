# SPDX-License-Identifier: Apache-2.0
"""Reads C as far as lint needs it: brackets, statements, loops, what a piece of code changes.

It works on text whose comments and literals are blanked, without types: where it cannot know whether
something changes, it assumes that it does, so that what it reports is certain.
"""
import collections
import functools
import re

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
WORD = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = {"sizeof", "const", "unsigned", "int", "double", "float", "char", "void", "size_t", "true",
            "false", "NULL", "TRUE", "FALSE", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t",
            "int64_t", "struct", "bool", "guint", "gsize", "guint64", "long", "short", "signed",
            "return", "if", "else", "for", "while", "do", "switch", "case", "break", "continue",
            "static", "goto", "default"}
# Functions that read their arguments only.
PURE = {"isnan", "isfinite", "isinf", "fabs", "sqrt", "fmin", "fmax", "floor", "ceil", "sin", "cos",
        "pow", "exp", "log", "strcmp", "strlen", "g_str_equal", "g_strcmp0", "strchr", "strstr",
        "memcmp", "fma", "hypot", "sizeof", "MIN", "MAX", "strncmp", "g_array_index", "abs",
        "g_ptr_array_index", "G_N_ELEMENTS", "isdigit", "isspace", "g_ascii_isdigit",
        "g_ascii_isspace", "G_LIKELY", "G_UNLIKELY", "__builtin_expect", "if", "for", "while", "switch", "return", "g_str_has_prefix"}

Loop = collections.namedtuple("Loop", "line at kind init condition step body function file")


def _spaces(found):
    return re.sub(r"[^\n]", " ", found.group(0))


@functools.lru_cache(maxsize=None)
def blank(text):
    """The text with comments and literals overwritten by spaces, of the same length and lines."""
    def cover(found):
        piece = found.group(0)
        if piece[0] in "\"'":
            return piece[0] + " " * (len(piece) - 2) + piece[0]
        return _spaces(found)
    return TOKEN.sub(cover, text)


@functools.lru_cache(maxsize=None)
def partners(code):
    """For each opening bracket of blanked code the position of its partner."""
    pairs, open_at = {}, []
    for found in re.finditer(r"[(){}\[\]]", code):
        if found.group(0) in "([{":
            open_at.append(found.start())
        elif open_at:
            pairs[open_at.pop()] = found.start()
    return pairs


def skip_space(code, at):
    """The position of the next character that is not white space or a continued line's backslash."""
    return re.compile(r"[\s\\]*").match(code, at).end()


def statement_end(code, at):
    """The position after the statement that starts at or after `at`."""
    pairs = partners(code)
    at = skip_space(code, at)
    if at >= len(code):
        return at
    if code[at] == "{":
        return pairs.get(at, len(code) - 1) + 1
    word = WORD.match(code, at)
    word = word.group(0) if word else ""
    if word in ("if", "for", "while", "switch"):
        opens = code.find("(", at)
        end = statement_end(code, pairs.get(opens, len(code) - 1) + 1)
        after = skip_space(code, end)
        if word == "if" and re.compile(r"else\b").match(code, after):
            return statement_end(code, after + 4)
        return end
    if word in ("else", "do"):
        end = statement_end(code, at + len(word))
        return code.find(";", end) + 1 if word == "do" else end
    while at < len(code) and code[at] != ";":
        at = pairs.get(at, at) + 1 if code[at] in "([{" else at + 1
        if at < len(code) and code[at] == "}":
            return at
    return at + 1


def split_top(code, separator):
    """The pieces of an expression between separators (a regular expression) that no bracket holds."""
    pieces, start, depth = [], 0, 0
    for found in re.finditer(r"[(\[{]|[)\]}]|" + separator, code):
        token = found.group(0)
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif depth == 0:
            pieces.append(code[start:found.start()])
            start = found.end()
    return pieces + [code[start:]]


BODY = re.compile(r"^\{\n(.*?)^\}|^(#define (?:.*\\\n)+.*)$", re.M | re.S)


def bodies(code):
    """(start, text) of each function's body and of each macro of several lines."""
    for found in re.finditer(r"^\{\n.*?^\}|^#define [^\n]*\\\n(?:[^\n]*\\\n)*[^\n]*", code, re.M | re.S):
        yield found.start(), found.group(0)


def loops(text):
    """Every loop of a C file."""
    whole = blank(text)
    for start, code in bodies(whole):
        line = whole.count("\n", 0, start) + 1
        pairs = partners(code)
        done = set()
        for found in re.finditer(r"\b(for|while|do)\b", code):
            at = found.start()
            if found.group(1) == "do":
                end = statement_end(code, found.end())
                again = re.compile(r"[\s\\]*while\s*\(").match(code, end)
                if not again:
                    continue
                done.add(code.index("while", end))
                opens, body, parts = again.end() - 1, code[found.end():end], None
                parts = ["", code[opens + 1:pairs.get(opens, opens)], ""]
            else:
                opens = skip_space(code, found.end())
                if at in done or opens >= len(code) or code[opens] != "(" or opens not in pairs:
                    continue
                inside = code[opens + 1:pairs[opens]]
                body = code[pairs[opens] + 1:statement_end(code, pairs[opens] + 1)]
                parts = split_top(inside, ";") if found.group(1) == "for" else ["", inside, ""]
                if len(parts) != 3:
                    continue
            yield Loop(line + code.count("\n", 0, at), start + at, found.group(1),
                       *(p.strip() for p in parts), body, code, whole)


def operands(condition):
    """The operands of && and || and of a comma, at any depth of brackets and of !."""
    condition = condition.strip()
    pieces = split_top(condition, r"&&|\|\||,")
    if len(pieces) > 1:
        for piece in pieces:
            yield from operands(piece)
        return
    inner = re.fullmatch(r"!?\s*\((.*)\)", condition, re.S)
    if inner and partners(condition).get(condition.index("(")) == len(condition) - 1:
        yield from operands(inner.group(1))
    else:
        yield condition


# Members that a call may set although its arguments do not name their struct.
SET_FROM_AFAR = {"failed"}
ASSIGNED = r"(?:\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|\s*\+\+|\s*--)"


def variables(expression):
    """Names in an expression that are not members, functions, constants in capitals or keywords."""
    for found in WORD.finditer(expression):
        before = expression[:found.start()].rstrip()
        after = expression[found.end():].lstrip()
        name = found.group(0)
        if name in KEYWORDS or before.endswith("->") or before.endswith(".") or after.startswith("("):
            continue
        if len(name) > 1 and name.isupper():
            continue
        yield name


def members(expression):
    return re.findall(r"(?:->|\.)\s*([A-Za-z_]\w*)", expression)


def calls(code):
    """(function, arguments) of each call that is not of a pure function."""
    pairs = partners(code)
    for found in re.finditer(r"([A-Za-z_]\w*|\))\s*\(", code):
        if found.group(1) in PURE or found.end() - 1 not in pairs:
            continue
        yield found.group(1), code[found.end():pairs[found.end() - 1]]


def is_changed(name, code):
    """Whether the code may give a variable another value."""
    word = rf"(?<![\w.>]){name}\b"
    return bool(re.search(rf"{word}{ASSIGNED}|(?:\+\+|--)\s*{word}|(?<![&\w)\]])\s*&\s*\(?{word}", code))


@functools.lru_cache(maxsize=None)
def is_shared(name, code):
    """Whether a variable is errno or one of the file that is not const: any call may change it."""
    return name == "errno" or bool(re.search(
        rf"^(?!.*\bconst \w+\b)(?:static |extern |_Thread_local )*\w[^\n();={{}}]*\b{name}\b(?:\[.*?\])*(?:;| =)",
        code, re.M))


def may_change(operand, loop):
    """Whether the loop may change what an operand of its condition yields."""
    changing = loop.body + ";" + loop.step + ";" + loop.condition
    if re.search(ASSIGNED.replace(r"=(?!=)", r"(?<![<>!=])=(?!=)"), operand):
        return True
    if any(True for _ in calls(operand)):
        return True
    names = list(variables(operand))
    if any(is_changed(name, changing) for name in names):
        return True
    made = list(calls(changing))
    if made and any(is_shared(name, loop.file) for name in names):
        return True
    reads = members(operand) or "[" in operand or re.search(r"(?<![\w)\]])\s*\*\s*[A-Za-z_(]", operand)
    if any(re.search(rf"(?<![&\w)\]])\s*&\s*\(?{name}\b", loop.function) for name in names) and made:
        return True  # its address was taken before, a call may change it
    if not reads:
        return False
    if made and SET_FROM_AFAR & set(members(operand)):
        return True
    if any(re.search(rf"(?:->|\.)\s*{m}(?:\[[^\]]*\]|\.\w+)*{ASSIGNED}", changing) for m in members(operand)):
        return True
    for name in names:
        if re.search(rf"(?<![\w.>]){name}\b(?:\[[^;]*?\]|->\w+|\.\w+)*{ASSIGNED}|\*\s*\(?{name}\b", changing):
            return True
        if any(re.search(rf"\b{name}\b", arguments) for _, arguments in made):
            return True
    return False


def choices(expression):
    """The tests before the ? of an expression."""
    pairs = partners(expression)
    for found in re.finditer(r"\?", expression):
        start = max([0] + [a + 1 for a, b in pairs.items() if a < found.start() < b])
        test = split_top(expression[start:found.start()], "[,?:]")[-1]
        yield from operands(test)


def leaving_test(loop):
    """The test of an `if` with a break that is the first statement of a loop: it could be the loop's condition."""
    found = re.match(r"[\s\\]*\{?[\s\\]*if\s*\(", loop.body)
    opens = found.end() - 1 if found else None
    closes = partners(loop.body).get(opens) if found else None
    if closes and re.compile(r"[\s\\{]*break;").match(loop.body, closes + 1):
        return loop.body[opens + 1:closes]
    return ""


def unchanged_tests(loop):
    """Tests in the condition of a loop, or of the break that it begins with, that the loop does not change."""
    leaving = [piece for piece in split_top(leaving_test(loop), r"\|\|") if len(split_top(piece, "&&")) == 1]
    for test in [*operands(loop.condition), *choices(loop.condition), *leaving]:
        if "?" not in test and any(True for _ in variables(test)) and not may_change(test, loop):
            yield test


def is_test(expression):
    """Whether an expression is a comparison, a negation, or joins such."""
    expression = expression.strip()
    inner = re.fullmatch(r"\((.*)\)", expression, re.S)
    if inner and partners(expression).get(0) == len(expression) - 1:
        return is_test(inner.group(1))
    if len(split_top(expression, r"\?")) > 1:
        return False
    return expression.startswith("!") or len(split_top(expression, r"[=!<>]=|&&|\|\||(?<![-<>])[<>](?![<>])")) > 1


def functions(text):
    """(line, signature and body) of each function."""
    code = blank(text)
    for found in re.finditer(r"^(?:\w[^;{}\n]*\([^;{}]*\))\n\{\n.*?^\}", code, re.M | re.S):
        yield code.count("\n", 0, found.start()) + 1, found.group(0)


def is_bool(expression, bools):
    """Whether an expression is 0 or 1: a test or a bool, as it is, as (int)known, or chosen as in `n > 0 ? 1 : 0`."""
    expression = re.sub(r"^\((?:int|size_t|unsigned)\)\s*", "", expression.strip())
    inner = re.fullmatch(r"\((.*)\)", expression, re.S)
    if inner and partners(expression).get(0) == len(expression) - 1:
        return is_bool(inner.group(1), bools)
    return is_test(expression) or expression in bools or bool(re.search(r"\?\s*[01]\s*:\s*[01]$", expression))


def shifted_pointers(code):
    """(position, expression) of each pointer to which a function adds a test, such as p + (n > 0).

    Pointers and bools are known by their declarations in the function.
    """
    pointers = set(re.findall(r"\w\s*\**\*(?:const |restrict )*(\w+)(?=\s*[,;)=])", code))
    bools = set(re.findall(r"\b(?:bool|_Bool|gboolean) (?:\*?\w+(?: = [^,;]*)?, )*(\w+)(?=\s*[,;)=])", code))
    for found in re.finditer(r"(?<![\w.>*&])(\w+)\s*\+=?\s*(?=[\w(!*])(?!\+)", code):
        if found.group(1) not in pointers:
            continue
        rest = code[found.end():]
        added = re.match(r"(?:\(int\)|!)*(?:\w+|\((?:[^()]|\([^()]*\))*\))", rest)
        if "+=" in found.group(0):
            added = re.match(r"[^;]*", rest)
        if added and is_bool(added.group(0), bools):
            yield found.start(), found.group(0) + added.group(0)
    for found in re.finditer(r"(?<![\w.>])(\w+)\s*-=?\s*(\w+|\((?:[^()]|\([^()]*\))*\))(?=\s*[;),])", code):
        if found.group(1) in pointers and is_bool(found.group(2), bools):
            yield found.start(), found.group(0)
    for found in re.finditer(r"(?<![\w)\]])(\w+|!\w+|\((?:[^()]|\([^()]*\))*\))\s*\+\s*(\w+)\b(?!\s*[(\[]|->|\.)", code):
        if found.group(2) in pointers and is_bool(found.group(1), bools):
            yield found.start(), found.group(0)
    for found in re.finditer(r"(?<![&\w)\]])&(\w+)\[([^][]*)\]", code):
        if found.group(1) in pointers and is_bool(found.group(2), bools):
            yield found.start(), found.group(0)


def simple_statements(code):
    """(position, text) of each declaration and expression that is a statement of a function's body."""
    pairs, end = partners(code), len(code)
    at = code.find("\n{\n") + 1
    while at < end:
        at = skip_space(code, at)
        word = WORD.match(code, at)
        word = word.group(0) if word else ""
        if at >= end:
            return
        if code[at] in "{};":
            at += 1
        elif word in ("if", "for", "while", "switch"):
            at = pairs.get(code.find("(", at), end) + 1
        elif word in ("else", "do"):
            at += len(word)
        elif word in ("case", "default") or re.compile(r"\w+:(?!:)").match(code, at):
            at = code.find(":", at) + 1
        else:
            start = at
            while at < end and code[at] != ";":
                at = pairs.get(at, at) + 1 if code[at] in "([{" else at + 1
            yield start, code[start:at]


def is_declaration(statement):
    """Whether a statement starts with a type and a name, as a declaration does."""
    return bool(re.match(r"(?:typedef|struct|enum|union|static|const|extern|_Static_assert)\b|"
                         r"(?!return\b|goto\b)\w+(?:\([\w ,*]+\))?(?:\s+|\s*\*[\s*]*)\w", statement))


SETS = r"(?<![-+*/%&|^<>=!])=(?!=)|[-+*/%&|^]=|<<=|>>="


def crowded_statements(code):
    """(position, text, why) of each statement of a function that is more than one: `a = 1, b = 2`,
    `x ? f() : g()`, `x && f()`."""
    # A macro that is defined inside a function is not a statement.
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", _spaces, code, flags=re.M)
    for at, statement in simple_statements(code):
        if statement.startswith("return") or is_declaration(statement):
            continue
        inner = re.sub(r"^\(void\)\s*", "", statement)
        if inner.startswith("(") and partners(inner).get(0) == len(inner) - 1:
            inner = inner[1:-1]
        if len(split_top(statement, ",")) > 1:
            yield at, statement, "a comma joins statements"
        elif len(split_top(inner, SETS)) == 1 and len(split_top(inner, r"\?|&&|\|\|")) > 1:
            yield at, statement, "an operator stands for an if"
