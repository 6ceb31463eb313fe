#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write scree.pc from a template, with the digest of the headers for plugins that are not in C.

usage: pkgconfig.py TEMPLATE DIGEST_H OUTPUT NAME=VALUE...
"""
import os
import re
import sys

template, header, output, *values = sys.argv[1:]
with open(header, encoding="utf-8") as file:
    values.append("digest=" + re.search(r'SCREE_ABI_DIGEST "(\w+)"', file.read())[1])
with open(template, encoding="utf-8") as file:
    text = file.read()
values = dict(pair.split("=", 1) for pair in values)
if "prefix" in values and not os.path.isabs(values["libdir"]):  # an installation may move: paths start at scree.pc
    values["prefix"] = "${pcfiledir}/" + os.path.relpath(".", os.path.join(values["libdir"], "pkgconfig"))
for name, value in values.items():
    text = text.replace(f"@{name}@", value)
text = text.replace("${prefix}//", "/")  # an absolute folder
with open(output + ".part", "w", encoding="utf-8") as file:
    file.write(text)
os.replace(output + ".part", output)
