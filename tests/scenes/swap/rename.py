# SPDX-License-Identifier: Apache-2.0
"""The source of a plugin once more, under the id ID_copy.

usage: rename.py SOURCE ID OUT [NEW_ID]

With NEW_ID, of a resolver: features have other names, from 1000 on.
"""
import pathlib
import sys

SHIFTED = """static int32_t resolve_shifted(void *self, const scree_candidates *in,
                               scree_contacts *out, uint32_t *done)
{
    int32_t code = resolve(self, in, out, done);
    for (uint32_t c = 0; out->feature && c < out->n; c++) {
        out->feature[c] += 1000;
        if (out->continues[c] != SCREE_FEATURE_SAME)
            out->continues[c] += 1000;
    }
    return code;
}

static const scree_resolver_ops ops = {"""

source, name, out = sys.argv[1:4]
new = sys.argv[4] if len(sys.argv) > 4 else None
text = pathlib.Path(source).read_text(encoding="utf-8")
key = f'.id = "{name}"'
if text.count(key) != 1:
    sys.exit(f"{source}: {key} is there {text.count(key)} times")
text = text.replace(key, f'.id = "{new or name + "_copy"}"')
if new:
    text = text.replace("static const scree_resolver_ops ops = {", SHIFTED)
    text = text.replace(".resolve = resolve,", ".resolve = resolve_shifted,")
pathlib.Path(out).write_text(text, encoding="utf-8")
