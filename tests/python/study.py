# SPDX-License-Identifier: Apache-2.0
"""Functions of the tests of `scree study`."""
import pathlib
import sys

import runs

# Columns that describe a process, not the state: a row that continued after a cut has other values, or none.
OF_A_RUN = ("parts", "duration", "wall_work", "dissipated", "gcd_calls", "candidates", "contacts", "destroyed", "outside", "accuracy",
            "events.", "warnings.", "apart.", "rank_work.", "setup_s", "wall_s", "particle_steps_per_s", "phases.", "gcd_wall_s", "peak_rss_bytes")


def words(folder, scene, *more):
    """The command of a study in a folder."""
    return [runs.PROGRAM, "study", scene, "-o", folder, *more]


def study(top, scene, *more, folder="study", env=None):
    """The end of a study."""
    return runs.call(top, *words(folder, scene, *more), env=env or environment())


def environment(**more):
    """The Python of the test runs the study."""
    return runs.environment(PATH=f"{pathlib.Path(sys.executable).parent}:/usr/bin:/bin", **more)


def rows(top, folder="study"):
    """The rows of results.csv."""
    return runs.read_table(top / folder / "results.csv")


def lasting(table):
    """The columns that a cut does not change."""
    return [{key: cell for key, cell in row.items() if not any(key == one or one[-1] == "." and key.startswith(one) for one in OF_A_RUN)}
            for row in table]
