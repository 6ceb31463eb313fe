# SPDX-License-Identifier: Apache-2.0
"""Rules about how comments, messages and pages are written."""
import words
from tree import spoil


@spoil("contrib/template/*/*.c", r"force law", "force law, kept beside others,")
@spoil("core/base/*.c", r"^static ", 'static const char *lost(void)\n{\n    return "this is "\n           "no file";\n}\n\nstatic ')
@spoil("core/base/*.c", r"^(// SPDX[^\n]*\n// )", r"\1The file is told. ")
@spoil("contrib/README.md", r"$", " What is said.")
def rule_words(tree):
    """Comments, messages and pages are in plain words (words.py; debts are in words.debts)."""
    yield from words.above_debts(tree)
