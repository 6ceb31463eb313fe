# SPDX-License-Identifier: Apache-2.0
"""A force in Python: a function that numpy fills, called at each evaluation of the forces."""
import sys
from typing import Any, Callable, Dict
from ctypes import POINTER, c_void_p, cast, sizeof, string_at

from ._abi import scree_bodies, scree_forces
from ._library import FORCES, load

COLUMNS = {"x", "q", "v", "w", "inv_inertia", "image"}
TYPES = {"id": "u8", "shape": "u4", "material": "u4", "motion": "u4", "group": "u4", "image": "i4"}
WRENCH = {"force": (0, 3), "stored": (3, 1), "torque": (4, 3), "lost": (7, 1)}
ARRAYS = {*COLUMNS, *TYPES, *WRENCH, "scale", "radius", "inv_mass", "power"}


class callback:
    """A modifier of the scene whose forces a function adds: `modifiers={"air": scree.callback(function)}`.

    The function gets a Bodies. It must add the same forces for the same state: the host also calls it in trials.
    """

    def __init__(self, function: "Callable[[Bodies], object]"):
        self.function = function

    def scene_value(self) -> Dict[str, Any]:
        """The group of the modifier in the scene."""
        return {"plugin": "callback"}


class Bodies:
    """The bodies at an evaluation. All arrays are views, valid until the function returns.

    To be read: id, shape, material, motion, group, scale, radius, inv_mass (an array each); x, q, v, w, inv_inertia,
    image (a list of arrays, one an axis). To be added to: force [N] and torque [N m] (three arrays each), stored [J],
    lost [W], power [W]. Numbers: n, n_free, time, dt, step; accepted: 0 in a trial.
    """

    def __init__(self):
        self._key = None

    def _take(self, args):
        """Takes the arguments of a call; the views of the previous one stay if all pointers are the same."""
        key = string_at(args.bodies, sizeof(scree_bodies)), cast(args.wrench, c_void_p).value, cast(args.power, c_void_p).value
        if key != self._key:
            self.__dict__.clear()
            self._key, self._bodies = key, args.bodies.contents
            self.n, self.n_free = self._bodies.n, self._bodies.n_free
        self.time, self.dt, self.step, self.accepted = args.time, args.dt, args.step, args.accepted

    def _view(self, address, dtype="f8", stride=1, writeable=False):
        from ._arrays import memory  # numpy is only needed by a function that asks for arrays
        view = memory(address, dtype, self.n, stride)
        view.flags.writeable = writeable
        return view

    def _make(self, name):
        _, wrench, power = self._key
        if name in WRENCH:
            first, n = WRENCH[name]
            views = [self._view(wrench + 8 * (first + k), "f8", 8, True) for k in range(n)]
            return views if n == 3 else views[0]
        if name == "power":
            return self._view(power, "f8", 1, True)
        pointers = getattr(self._bodies, name)
        if name in COLUMNS:
            return [self._view(cast(one, c_void_p).value, TYPES.get(name, "f8")) for one in pointers]
        return self._view(cast(pointers, c_void_p).value, TYPES.get(name, "f8"))

    def __getattr__(self, name):
        if name not in ARRAYS:
            raise AttributeError(f"bodies have no {name}")
        view = self.__dict__[name] = self._make(name)
        return view


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
