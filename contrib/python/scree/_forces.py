# SPDX-License-Identifier: Apache-2.0
"""A force in Python: a function that numpy fills, called at each evaluation of the forces."""
import sys
from ctypes import POINTER, c_void_p, cast

from ._abi import scree_forces
from ._library import FORCES, load

COLUMNS = {"x": 3, "q": 4, "v": 3, "w": 3, "inv_inertia": 3, "image": 3}
TYPES = {"id": "u8", "shape": "u4", "material": "u4", "motion": "u4", "group": "u4", "image": "i4"}
WRENCH = {"force": (0, 3), "stored": (3, 1), "torque": (4, 3), "lost": (7, 1)}
ARRAYS = {*COLUMNS, *TYPES, "scale", "radius", "inv_mass"}


class callback:
    """A modifier of the scene whose forces a function adds: `modifiers={"air": scree.callback(function)}`.

    The function gets a Bodies. It must add the same forces for the same state: the host also calls it in trials.
    """

    def __init__(self, function):
        self.function = function

    def scene_value(self):
        """The group of the modifier in the scene."""
        return {"plugin": "callback"}


class Bodies:
    """The bodies at an evaluation. All arrays are views, valid until the function returns.

    To be read: id, shape, material, motion, group, scale, radius, inv_mass (an array each); x, q, v, w, inv_inertia,
    image (a list of arrays, one an axis). To be added to: force [N] and torque [N m] (three arrays each), stored [J],
    lost [W], power [W]. Numbers: n, n_free, time, dt, step; accepted: 0 in a trial.
    """

    def __init__(self):
        self._kept = {}  # name: (address, n, array)

    def _take(self, args):
        self._args = args
        self._bodies = args.bodies.contents
        self.n, self.n_free = self._bodies.n, self._bodies.n_free

    def _view(self, name, address, dtype, stride=1, writeable=False):
        from ._arrays import memory  # numpy is only needed by a function that asks for arrays
        kept = self._kept.get(name)
        if kept is None or kept[0] != address or kept[1] != self.n:
            self._kept[name] = kept = (address, self.n, memory(address, dtype, self.n, stride))
            kept[2].flags.writeable = writeable
        return kept[2]

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in WRENCH:
            first, n = WRENCH[name]
            begin = cast(self._args.wrench, c_void_p).value
            views = [self._view((name, k), begin + 8 * (first + k), "f8", 8, True) for k in range(n)]
            return views if n == 3 else views[0]
        if name == "power":
            return self._view(name, cast(self._args.power, c_void_p).value, "f8", 1, True)
        if name in COLUMNS:
            pointers = getattr(self._bodies, name)
            return [self._view((name, k), cast(pointers[k], c_void_p).value, TYPES.get(name, "f8"))
                    for k in range(COLUMNS[name])]
        if name in ARRAYS:
            return self._view(name, cast(getattr(self._bodies, name), c_void_p).value, TYPES.get(name, "f8"))
        return getattr(self._args, name)


def register(run, slot, function):
    """Lets libscree call the function for a modifier; the result must live as long as the run. An exception ends the
    run, and the advance raises it."""
    bodies, struct = Bodies(), POINTER(scree_forces)

    def call(_, args):
        try:
            bodies._take(cast(args, struct).contents)
            function(bodies)
            return 0
        except BaseException:
            run._raised = sys.exc_info()[1]
            return load().sc_fail(run.handle, -8, f"the function of {slot} raised {run._raised!r}".encode())

    return FORCES(call)
