# SPDX-License-Identifier: Apache-2.0
"""Arrays of a run for numpy: views of single columns, which know how long they are valid, and copies."""
import ctypes
from typing import Any

import numpy

from ._errors import UseError
from ._library import Array, Single, encode

KINDS = {0: "i", 1: "u", 2: "f"}  # type_code of DLPack
COMPONENTS = {"x": 3, "v": 3, "w": 3, "q": 4}  # of set_bodies, besides one


def memory(address, dtype, n, stride=1):
    """The array of n elements at an address, every `stride`-th."""
    if n == 0:
        return numpy.empty(0, dtype)
    size = numpy.dtype(dtype).itemsize * ((n - 1) * stride + 1)
    return numpy.frombuffer((ctypes.c_uint8 * size).from_address(address), dtype)[::stride]


class Column(Single, numpy.lib.mixins.NDArrayOperatorsMixin):
    """A column of an array of the run itself, or a slice of one. It may be used like an array of numpy until bodies come,
    go or change places; then it raises an error. `numpy.asarray(column)` and `values` are arrays without this check."""

    def __init__(self, run, generation, values):
        self._run, self._generation, self._values = run, generation, values

    @property
    def values(self) -> "numpy.ndarray":
        """The column, if it is still valid."""
        if self._run.generation != self._generation:
            raise RuntimeError("this column is out of date: bodies have come, gone or changed places; ask for it again")
        return self._values

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Any) -> Any:
        found = self.values[key]
        return Column(self._run, self._generation, found) if numpy.may_share_memory(found, self._values) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        self.values[key] = value

    def __array__(self, dtype: Any = None, copy: Any = None) -> "numpy.ndarray":
        return numpy.array(self.values, dtype) if copy else numpy.asarray(self.values, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = (), **kwargs: Any) -> Any:
        plain = [one.values if isinstance(one, Column) else one for one in inputs]
        if out:
            kwargs["out"] = tuple(one.values if isinstance(one, Column) else one for one in out)
        result = getattr(ufunc, method)(*plain, **kwargs)
        return out[0] if out else result

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.values, name)

    def __repr__(self) -> str:
        return f"Column({self.values!r})"


def get(run, name):
    """sc_array of a name."""
    array = Array(size=ctypes.sizeof(Array))
    run._call("array_get", encode(name), ctypes.byref(array))
    return array


def _view(array, k):
    if not 0 <= k < array.n_columns:
        raise IndexError(f"expected a column from 0 to {array.n_columns - 1}, got {k}")
    values = memory(array.column[k], f"{KINDS[array.type_code]}{array.type_bits // 8}", array.n, array.stride)
    values.flags.writeable = bool(array.writable)
    return values


def column(run, array, k):
    """The Column of column k."""
    return Column(run, array.generation, _view(array, k))


def copy(run, name):
    """A new array of a name: (n,), or (n, columns)."""
    array = get(run, name)
    columns = [_view(array, k) for k in range(array.n_columns)]
    return columns[0].copy() if len(columns) == 1 else numpy.stack(columns, axis=1)


def set_bodies(run, name, values, ids):
    """New values of bodies by id; all bodies in their present order without ids."""
    ids = numpy.asarray(copy(run, "id") if ids is None else ids)
    if ids.size and (ids.dtype.kind not in "iu" or ids.min() < 0 or len(numpy.unique(ids)) < ids.size):
        raise UseError(f"expected ids as whole numbers of 0 or more, each once, got {ids}")
    ids = numpy.ascontiguousarray(ids, dtype=numpy.uint64)
    values = numpy.ascontiguousarray(values, dtype=numpy.float64)
    shape = (ids.size, COMPONENTS[name]) if name in COMPONENTS else ids.shape
    if values.shape != shape:
        raise ValueError(f"expected an array of shape {shape}, a row a body, got {values.shape}")
    run._call("bodies_set", encode(name), ids.size, ids.ctypes.data, values.ctypes.data)


def forces_of(run, slot):
    """Force (n, 3) [N], torque (n, 3) [N m] and power (n,) [W] that a modifier adds in the present state."""
    n = get(run, "id").n
    wrench, power = numpy.zeros((n, 8)), numpy.zeros(n)
    run._call("forces_of", encode(slot), wrench.ctypes.data, power.ctypes.data)
    return wrench[:, 0:3], wrench[:, 4:7], power
