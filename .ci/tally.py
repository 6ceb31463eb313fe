# SPDX-License-Identifier: Apache-2.0
"""Counts the claims of several runs of the suite, TAP subtest by TAP subtest.

usage: tally.py CHECKS NAME=testlog.json...

CHECKS holds a line per claim, "ok NAME", "not ok NAME" or "skip NAME". The failures are named, then
comes `N passed, N failed[, N skipped]` on a line of its own; exit status 1 when anything failed or
nothing passed.
"""
import json
import re
import sys

BAD = ("FAIL", "ERROR", "TIMEOUT", "INTERRUPT", "UNEXPECTEDPASS")
LINE = re.compile(r"(not )?ok\b(.*)$")


def claims_of(test):
    """(verdict, name) of one test of the log: its TAP lines, or itself when it has none."""
    found = []
    for line in test.get("stdout", "").splitlines():
        match = LINE.match(line)
        if not match:
            continue
        text = match.group(2).strip()
        skipped = re.search(r"#\s*skip\b", text, re.I)
        found.append(("skip" if skipped else "not ok" if match.group(1) else "ok", text))
    result = test.get("result", "ERROR")
    if result in BAD and not any(verdict == "not ok" for verdict, _ in found):
        found.append(("not ok", f"ends well ({result}, exit status {test.get('returncode')})"))
    if not found:
        found.append(("skip" if result == "SKIP" else "ok", "ends well"))
    return [(verdict, f"{test['name']}: {name}") for verdict, name in found]


def read_log(label, path):
    try:
        with open(path, encoding="utf-8") as file:
            tests = [json.loads(line) for line in file if line.strip()]
    except (OSError, ValueError) as error:
        return [("not ok", f"{label}: {error}")]
    if not tests:
        return [("not ok", f"{label}: no test was run")]
    return [(verdict, f"{label}: {name}") for test in tests for verdict, name in claims_of(test)]


def read_checks(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            verdict = next((v for v in ("not ok", "skip", "ok") if line.startswith(v + " ")), None)
            if verdict:
                found.append((verdict, line[len(verdict):].strip()))
    return found


def main(checks, logs):
    claims = read_checks(checks)
    for log in logs:
        claims += read_log(*log.split("=", 1))
    count = {verdict: sum(v == verdict for v, _ in claims) for verdict in ("ok", "not ok", "skip")}
    for verdict, name in claims:
        if verdict != "ok":
            print(f"{'FAILED ' if verdict == 'not ok' else 'skipped'} {name}")
    skipped = f", {count['skip']} skipped" if count["skip"] else ""
    print(f"{count['ok']} passed, {count['not ok']} failed{skipped}")
    return 1 if count["not ok"] or not count["ok"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
