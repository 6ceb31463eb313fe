# SPDX-License-Identifier: Apache-2.0
"""Rules about how functions are written."""
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


@spoil("core/*/*.c", r"for \(uint32_t i = 0; i < n;", "for (uint32_t i = 0; known && i < n;")
@spoil("core/*/*.c", r"for \(uint32_t i = 0; i < n;", "for (uint32_t i = 0; i < (known ? n : 1);")
def rule_loops(tree):
    """No loop's condition holds a test that the loop does not change: an `if` before the loop says it."""
    for name in tree.sources(*C_FILES):
        for loop in c_code.loops(tree.text(name)):
            tree.look()
            for test in c_code.unchanged_tests(loop):
                yield name, f"line {loop.line}: {test} in `{' '.join(loop.condition.split())}`"
