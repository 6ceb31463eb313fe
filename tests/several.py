# SPDX-License-Identifier: Apache-2.0
"""One TAP test of several runs: the claims of each, with its name in front.

usage: several.py NAME COMMAND ARGUMENT... [--- NAME COMMAND ARGUMENT...]...    (CASES=NAME,...: only these)
"""
import os
import re
import subprocess
import sys

LINE = re.compile(r"(not ok|ok)\b *\d* *-? *(.*)")


def split(words):
    runs = [[]]
    for word in words:
        if word == "---":
            runs.append([])
        else:
            runs[-1].append(word)
    return runs


def main():
    wanted = os.environ.get("CASES", "").split(",")
    runs = [run for run in split(sys.argv[1:]) if wanted == [""] or run[0] in wanted]
    count, failed = 0, not runs
    for name, *command in runs:
        seen, bad = 0, False
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
            for line in process.stdout:
                match = LINE.match(line)
                if match:
                    count, seen, bad = count + 1, seen + 1, bad or match[1] == "not ok"
                    print(f"{match[1]} {count} - {name}: {match[2]}")
                elif not re.match(r"1\.\.\d|TAP version", line):
                    print(line if line.startswith("#") else "# " + line, end="")
                sys.stdout.flush()
        if process.returncode != 0 and not bad or seen == 0:
            count, bad = count + 1, True
            print(f"not ok {count} - {name}: ends well (exit status {process.returncode})")
        failed = failed or bad
    print(f"1..{count}")
    sys.exit(1 if failed else 0)


main()
