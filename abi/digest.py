#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write digest.h: SHA-256 of the ABI headers without comments and white space.

usage: digest.py HEADER... OUTPUT
"""
import hashlib
import os
import re
import sys

headers, output = sorted(sys.argv[1:-1], key=os.path.basename), sys.argv[-1]
digest = hashlib.sha256()
for header in headers:
    with open(header, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    digest.update(" ".join(text.split()).encode() + b"\n")
with open(output + ".part", "w", encoding="utf-8") as file:
    file.write(f"""/* SPDX-License-Identifier: MIT */
/* Generated from the ABI headers: a plugin and a host with different digests do not meet. */
#ifndef SCREE_DIGEST_H
#define SCREE_DIGEST_H

#define SCREE_ABI_DIGEST "{digest.hexdigest()}"

#endif
""")
os.replace(output + ".part", output)
