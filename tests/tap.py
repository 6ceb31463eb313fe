# SPDX-License-Identifier: Apache-2.0
"""A little TAP: claims, each with what was seen when it does not hold."""
import os
import pathlib
import sys
import tempfile
import traceback

# The user's index of plugins stays out of tests: a file is tried, whatever was known of it before.
os.environ["XDG_CACHE_HOME"] = "/dev/null"

_count = 0
_failed = 0


def check(claim, holds, seen=""):
    """Prints one result; `seen` is shown when it fails."""
    global _count, _failed
    _count += 1
    print(f"{'ok' if holds else 'not ok'} {_count} - {claim}")
    if not holds:
        _failed += 1
        for line in str(seen).splitlines():
            print("# " + line)
    sys.stdout.flush()


def skip(claim, reason):
    global _count
    _count += 1
    print(f"ok {_count} - {claim} # SKIP {reason}")


def finish(run):
    """Calls run(), prints the plan, exits."""
    try:
        run()
    except Exception:
        check("the test runs to its end", False, traceback.format_exc())
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


def in_folder(*tests):
    """Calls each test with one folder, prints the plan, exits."""
    def run():
        with tempfile.TemporaryDirectory() as name:
            os.chmod(name, 0o755)
            for test in tests:
                test(pathlib.Path(name).resolve())
    finish(run)


def in_folders(*tests):
    """Calls each test with a folder of its own, prints the plan, exits."""
    def in_own(test):
        def run(top):
            (top / test.__name__).mkdir()
            test(top / test.__name__)
        return run
    in_folder(*map(in_own, tests))
