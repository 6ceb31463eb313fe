#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write digest.h: SHA-256 of the tokens of the ABI headers; comments and layout do not count.

usage: digest.py HEADER... OUTPUT
"""
import hashlib
import os
import re
import sys

import read


def tokens(text):
    """Yields the tokens; the end of a preprocessor line is one, other line ends are not."""
    for line in read.uncommented(text).splitlines():
        yield from re.findall(rf"{read.STRING}|\w+|[^\w\s]", line)
        if line.lstrip().startswith("#"):
            yield "\n"


def main(headers, output):
    digest = hashlib.sha256()
    for header in sorted(headers, key=os.path.basename):
        with open(header, encoding="utf-8") as file:
            digest.update(" ".join(tokens(file.read())).encode() + b"\n")
    with open(output + ".part", "w", encoding="utf-8") as file:
        file.write(f"""/* SPDX-License-Identifier: MIT */
/* Generated from the ABI headers: a plugin and a host with different digests do not meet. */
#ifndef SCREE_DIGEST_H
#define SCREE_DIGEST_H

#define SCREE_ABI_DIGEST "{digest.hexdigest()}"

#endif
""")
    os.replace(output + ".part", output)


main(sys.argv[1:-1], sys.argv[-1])
