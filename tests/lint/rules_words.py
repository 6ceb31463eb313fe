# SPDX-License-Identifier: Apache-2.0
"""Rules about how comments, messages and pages are written."""
import words
from tree import spoil


@spoil("contrib/template/*/*.c", r"force law", "force law, kept beside others,")
@spoil("core/base/*.c", r"^static ", 'static const char *lost(void)\n{\n    return "this is "\n           "no file";\n}\n\nstatic ')
@spoil("core/base/*.c", r"^(// SPDX[^\n]*\n// )", r"\1The file is told. ")
@spoil("tests/unit/*/*.c", r"-arguments-only", "-arguments-alone")
@spoil(".ci/run", r"^# fuzz NAME: ", "# What came of it. ")
@spoil("contrib/gcd/coil/*.rs", r"^/// ", "/// This is no slot. ")
@spoil("contrib/integrator/*.f90", r"^! The kernel", "! This is no kernel")
@spoil("tests/bench/*.md.in", r"\Z", "\nThis is no speed.\n")
@spoil("tests/lint/circles", r"(: [^\n]*)$", r"\1 alone")
@spoil("core/tools/check/check_observer.c", r"only below the folder of the run", "below the folder of the run alone")
@spoil("core/**/*.h", r"is missing or refused", "cannot be had")
@spoil("tests/cli/*.py", r"a missing folder is not a mistake", "a folder that is not there is no mistake")
@spoil("contrib/README.md", r"$", " What is said.")
def rule_words(tree):
    """Comments, messages and pages are in plain words (words.py; debts are in words.debts)."""
    yield from words.above_debts(tree)
