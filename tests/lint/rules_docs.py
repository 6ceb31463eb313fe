# SPDX-License-Identifier: Apache-2.0
"""Rules about what the documentation holds."""
import re

from tree import parts, spoil


@spoil("docs/reference/plugins.md", r"^### (\w+/\w+)$", r"## \1")
@spoil("plugins/*/meson.build", r"^sources = \{$", "units = {")
def rule_documented(tree):
    """Every plugin in the table of its kind has a section kind/id in docs/reference/plugins.md."""
    page = "docs/reference/plugins.md"
    sections = set(re.findall(r"^### (\S+)$", tree.text(page), re.M)) if tree.exists(page) else set()
    for name in tree.glob("plugins/*/meson.build"):
        table = re.search(r"^sources = \{\n(.*?)^\}", tree.text(name), re.M | re.S)
        ids = re.findall(r"^\s*'(\w+)':", table.group(1), re.M) if table else []
        tree.look(len(ids))
        if not ids:
            yield name, "has no table of sources with ids"
        for plugin in (f"{parts(name)[1]}/{word}" for word in ids):
            if plugin not in sections:
                yield name, f"{plugin} has no section in docs/reference/plugins.md"
