# SPDX-License-Identifier: Apache-2.0
"""A force in Python: a function that numpy fills, called at each evaluation of the forces."""
import gc
from ctypes import POINTER, c_void_p, cast, sizeof, string_at
from sys import getrefcount
from typing import Any, Callable, Dict

from ._abi import scree_bodies, scree_forces
from ._errors import UseError
from ._library import FORCES, Single, load

COLUMNS = {"x", "q", "v", "w", "inv_inertia", "image"}
TYPES = {"id": "u8", "shape": "u4", "material": "u4", "motion": "u4", "group": "u4", "image": "i4"}
WRENCH = {"force": (0, 3), "stored": (3, 1), "torque": (4, 3), "lost": (7, 1)}
ARRAYS = {*COLUMNS, *TYPES, *WRENCH, "scale", "radius", "inv_mass", "power"}


class callback:
    """A modifier of the scene whose forces a function adds: `modifiers={"air": scree.callback(function)}`.

    The function gets a Bodies. It must add the same forces for the same state: the host also calls it in trials.
    """

    def __init__(self, function: "Callable[[Bodies], None]"):
        self.function = function

    def scene_value(self) -> Dict[str, Any]:
        """The group of the modifier in the scene."""
        return {"plugin": "callback"}


class _Axes(tuple):
    """An array an axis: `b.force[2] += f` adds, `b.force[2] = f` is refused."""

    def __setitem__(self, k, value):
        if value is not self[k]:
            raise TypeError(f"expected [{k}] += .. or [{k}][:] = .., so that the run gets the values")


class Bodies(Single):
    """The bodies at an evaluation. All arrays are views, valid until the function returns; it must not keep them.

    To be read: id, shape, material, motion, group, scale, radius, inv_mass (an array each); x, q, v, w, inv_inertia,
    image (a tuple of arrays, one an axis). To be added to: force [N] and torque [N m] (three arrays each), stored [J],
    lost [W], power [W]. Numbers: n, n_free, time, dt, step; accepted: 0 in a trial.
    """

    def __init__(self):
        self.__dict__["_key"] = None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__ or value is not self.__dict__[name]:
            raise AttributeError(f"b.{name} cannot be assigned: add to the arrays of b.force, b.torque, b.stored, b.lost and b.power")

    def _kept(self):
        """The name of an array that the function has kept. A slice of the array refers to the base of it."""
        for name, view in self._views:  # references: __dict__ or _Axes, _views, `view`, the argument; base: `view`, the argument
            if getrefcount(view) > 4 or getrefcount(view.base) > 2:
                return f"b.{name}"
        return None

    def _leave(self, kept):
        """Refuses what the function has kept: the memory belongs to the run, and moves."""
        if kept or self.n and self._kept():
            gc.collect()  # a cycle of the function may refer to it
            name = "b" if kept else self._kept()
            if name:
                raise UseError(f"the function has kept {name}, which is valid until it returns; it may keep copies")

    def _take(self, args):
        """Takes the arguments of a call; the views of the previous one stay if all pointers are the same."""
        key = string_at(args.bodies, sizeof(scree_bodies)), cast(args.wrench, c_void_p).value, cast(args.power, c_void_p).value
        if key != self._key:
            bodies = args.bodies.contents
            self.__dict__.clear()
            self.__dict__.update(_key=key, _bodies=bodies, _views=[], n=bodies.n, n_free=bodies.n_free)
        self.__dict__.update(time=args.time, dt=args.dt, step=args.step, accepted=args.accepted)

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
            return _Axes(views) if n == 3 else views[0]
        if name == "power":
            return self._view(power, "f8", 1, True)
        pointers = getattr(self._bodies, name)
        if name in COLUMNS:
            return _Axes(self._view(cast(one, c_void_p).value, TYPES.get(name, "f8")) for one in pointers)
        return self._view(cast(pointers, c_void_p).value, TYPES.get(name, "f8"))

    def __getattr__(self, name: str) -> Any:
        if name not in ARRAYS:
            raise AttributeError(f"bodies have no {name}")
        made = self.__dict__[name] = self._make(name)
        self._views.extend((name, view) for view in (made if isinstance(made, _Axes) else (made,)))
        return made


def register(run, slot, function):
    """Lets libscree call the function for a modifier; the result must live as long as the run. An exception ends the
    run, and the advance raises it."""
    bodies, struct = Bodies(), POINTER(scree_forces)

    def call(_, args):
        try:
            bodies._take(cast(args, struct).contents)
            before = getrefcount(bodies)
            result = function(bodies)
            if result is not None:
                raise UseError(f"the function of {slot} returned {result!r}: it adds to the arrays of b, and returns nothing")
            kept = getrefcount(bodies) > before
            bodies._leave(kept)
            return 0
        except BaseException as error:
            run._raised.append(error)
            return load().sc_fail(run.handle, -8, f"the function of {slot} raised {error!r}".encode())

    return FORCES(call)
