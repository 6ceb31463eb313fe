# SPDX-License-Identifier: Apache-2.0
"""Angle of repose of configs/repose.cfg."""
import importlib.util
import pathlib

from verify import case

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
SPEC = importlib.util.spec_from_file_location("repose_script", CONFIGS / "repose.py")  # `repose` is this file
heap = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(heap)


@case("bulk/repose", "the angle of repose rises with rolling friction", source="a ball on a plane holds below tan(slope) = mu_r; Zhou et al. 2002, Powder Technol. 125, 45: trend",
      formula="below 1 degree without rolling friction, 4 to 9 degrees at 0.1, 14 to 22 at 0.3", tolerance=0.0,
      why="bands around one heap of 1200 beads", slow=True)
def angle(bench):
    found = []
    for mu, band in ((0.0, (-1.0, 1.0)), (0.1, (4.0, 9.0)), (0.3, (14.0, 22.0))):
        run = bench.run(CONFIGS / "repose.cfg", set=[f"force.1.rolling_friction={mu}", "observers.pictures.every_time=10.0"])
        found.append((f"mu_r = {mu}", band, heap.angle(run.folder)[0]))
    return found
