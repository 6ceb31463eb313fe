# SPDX-License-Identifier: Apache-2.0
"""Rules about how functions are written."""
import re

import c_code
from tree import functions, spoil

MOST_LINES = 70
C_FILES = (".c", ".h", ".inc", ".cpp")


@spoil("core/engine/*.c", r"^\{\n", "{\n" + "    ;\n" * MOST_LINES)
@spoil("plugins/*/*.h", r"\Z", "#define LONG \\\n" + "    ; \\\n" * MOST_LINES + "    ;\n")
def rule_functions(tree):
    """No function and no macro has more than 70 lines."""
    longest = (0, "", 0)
    for name in tree.sources(*C_FILES):
        code = c_code.blank(tree.text(name))
        for start, body in c_code.bodies(code):
            tree.look()
            lines, first = body.count("\n") + 1, code.count("\n", 0, start) + 1
            longest = max(longest, (lines, name, first))
            if lines > MOST_LINES:
                yield name, f"line {first}: {lines} lines"
    tree.note = "the longest has {} lines: {}:{}".format(*longest)


@spoil("core/**/*.c", r"for \(uint32_t i = 0; i < n;", "for (uint32_t i = 0; known && i < n;")
@spoil("core/**/*.c", r"for \(uint32_t i = 0; i < n;", "for (uint32_t i = 0; i < (known ? n : 1);")
@spoil("core/**/*.c", r"(for \(uint32_t i = 0; i < n; i\+\+\) \{)", r"\1\n        if (!known)\n            break;")
def rule_loops(tree):
    """No loop's condition holds a test that the loop does not change: an `if` before the loop says it."""
    for name in tree.sources(*C_FILES):
        for loop in c_code.loops(tree.text(name)):
            tree.look()
            for test in c_code.unchanged_tests(loop):
                yield name, f"line {loop.line}: {test} in `{' '.join(loop.condition.split())}`"


# An argument of a vtable that points to a struct of the host, copied as a whole.
COPIED = re.compile(r"=\s*\*\s*(?:boxes|frame|bodies|batch|view|cell|zone|motion|candidates|host)\s*;")


@spoil("contrib/gcd/coil/level.rs", r"self\.boxes = scree_boxes \{", r"self.boxes = *boxes;\n        let _ = scree_boxes {")
@spoil("contrib/template/shape/egg.c", r"^(static int32_t place.*\n\{\n.*\n)", r"\1    self->frame = *frame;\n")
@spoil("plugins/gcd/bvh.c", r"scree_boxes_keep\(&t->boxes, boxes\);", "t->boxes = *boxes;")
def rule_copies(tree):
    """No plugin copies a whole struct of the host: that of an older host is shorter."""
    for name in tree.glob("plugins/**/*.[ch]") + tree.glob("contrib/**/*.c") + tree.glob("contrib/**/*.rs"):
        tree.look()
        text = tree.text(name)
        for found in COPIED.finditer(text):
            yield name, f"line {text.count(chr(10), 0, found.start()) + 1}: {found.group(0)}"


# The address of something, as an address of a pointer or a number of another type.
RETYPED = re.compile(r"\((?:const )?(?:struct )?(?:\w+(?: const)?\s*\*\s*\*+|gpointer\s*\*|(?:(?:unsigned|signed|long|short) )*"
                     r"(?:u?int\d+_t|double|float|size_t|g?u?int\d*|long|short|unsigned)\s*\*)\s*\)\s*\(?&\s*[\w(]")


@spoil("plugins/shape/mesh/soup.c", r"scree_grow\(&m->xyz,", "scree_grow((void **)&m->xyz,")
@spoil("core/tools/compare/compare_vary.c", r"text \+ 1", "text + has_sign")
@spoil("core/tools/compare/compare_vary.c", r"text \+ 1", "text + (*text == '-')")
@spoil("core/tools/compare/compare_vary.c", r"text \+ 1", "(*text == '-') + text")
@spoil("core/tools/compare/compare_vary.c", r"text \+ 1", "&text[*text == '-']")
@spoil("core/tools/compare/compare_vary.c", r"text \+ 1", "text + (*text == '-' ? 1 : 0)")
@spoil("plugins/shape/mesh/soup.c", r"scree_grow\(&m->xyz,", "scree_grow((unsigned long *)&m->xyz,")
def rule_pointers(tree):
    """No pointer is moved by a bool (`p + (n > 0)`), none is written as one of another type (`(void **)&p`)."""
    for name in tree.sources(*C_FILES):
        text = tree.text(name)
        code = c_code.blank(text)
        for first, function in c_code.functions(text):
            tree.look()
            for at, expression in c_code.shifted_pointers(function):
                yield name, f"line {first + function.count(chr(10), 0, at)}: a test moves a pointer: {expression}"
        for found in RETYPED.finditer(code):
            yield name, f"line {code.count(chr(10), 0, found.start()) + 1}: {found.group(0)}"


@spoil("core/**/*.c", r"^( +)n\+\+;", r"\1n++, m++;")
@spoil("core/**/*.c", r"^( +)n\+\+;", r"\1n > 0 ? count() : reset();")
def rule_statements(tree):
    """One statement a line: no comma joins two, none is a choice such as `x ? f() : g()`."""
    for name in tree.sources(*C_FILES):
        for first, function in c_code.functions(tree.text(name)):
            tree.look()
            for at, statement, why in c_code.crowded_statements(function):
                yield name, f"line {first + function.count(chr(10), 0, at)}: {why}: {statement[:60]}"
