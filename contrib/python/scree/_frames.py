# SPDX-License-Identifier: Apache-2.0
"""Reads files of observer `frames` (docs/reference/frames-file.md), also while a run writes them. Columns are arrays of
numpy where it is, else memoryviews and arrays of the standard library."""
import array
import json
import math
import os
import pathlib
import stat
import struct
import zlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._errors import Error

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore

HEAD, FRAME = struct.Struct("<4sIII"), struct.Struct("<Qd3d3d3d3d9d6I")
TYPES = {"B": "u1", "H": "<u2", "I": "<u4", "Q": "<u8", "f": "<f4", "d": "<f8"}
# Kinds of shapes: word, numbers per point, points per cell.
KINDS = (("ball", 0, 0), ("mesh", 3, 3), ("outline", 2, 0), ("plane", 3, 0), ("balls", 4, 0), ("segments", 2, 2))
MOST_FORMER_RUNS = 1000


class Shape(NamedTuple):
    """A shape of bodies, in units of their scale. points is flat: 3 numbers a point, 2 of outline and segments, 4 of
    balls (x, y, z, radius); that of a plane is its normal. cells: 3 numbers of points a triangle, 2 a segment."""
    number: int
    kind: str
    points: Any
    cells: Any
    facets: Any  # per cell the number of its facet in tables of observer `wall`
    name: str


class _Cursor:
    """Takes arrays from a payload, one behind the other."""

    def __init__(self, payload, at):
        self.payload, self.at = payload, at

    def take(self, code, n):
        size = int(TYPES[code][-1])
        begin = self.at + (-self.at % max(4, size) if n else 0)
        self.at = begin + n * size
        if self.at > len(self.payload):
            raise ValueError(f"a block has {len(self.payload)} bytes, expected at least {self.at}")
        return numpy.frombuffer(self.payload, TYPES[code], n, begin) if numpy else memoryview(self.payload)[begin:self.at].cast(code)


def _column(values):
    return numpy.array(list(values), float) if numpy else array.array("d", values)


class Frame:
    """The bodies at a moment. Rows are free bodies by id, then the others by id."""

    def __init__(self, header, kinds, body, wall, own):
        self._names = [field["name"] for field in header["fields"]]
        self.dimension, head, own = header["dimension"], FRAME.unpack_from(own), _Cursor(own, FRAME.size)
        self.step, self.time = head[:2]
        self.lo, self.quantum, self.cell_lo, self.cell_hi, *self.cell_vectors = (head[k:k + 3] for k in range(2, 23, 3))
        self.n_free, n_oriented, self.n_contacts, self.n_at_walls, flags, _ = head[23:]
        self.n, rows, walls = struct.unpack_from("<I", body)[0], _Cursor(body, 8), _Cursor(wall, 8)
        self.id, self.scale = rows.take("Q", self.n), rows.take("f", self.n)
        self.shape, self.material, self.group, self.motion = (rows.take(code, self.n) for code in "HHHB")
        self._wall_x, self._wall_q = walls.take("d", 3 * (self.n - self.n_free)), walls.take("f", 4 * (self.n - self.n_free))
        self.low = own.take("H", self.dimension * self.n_free)
        self.high = own.take("B" if flags & 1 else "H", self.dimension * self.n_free) if flags & 3 else None
        self._orientation = own.take("I", n_oriented)
        kinds = [kinds[number] for number in self.shape.tolist()]  # KeyError: a shape without SHAP
        self._is_ball = [kind == "ball" for kind in kinds[:self.n_free]]
        if self._is_ball.count(False) != n_oriented:
            raise ValueError(f"expected {self._is_ball.count(False)} orientations, got {n_oriented}")
        self._values = [(own.take("f", 2), own.take("H", self.n)) for _ in self._names]
        self.contact_a, self.contact_b = own.take("I", self.n_contacts), own.take("I", self.n_contacts)
        most = float(own.take("f", 1)[0]) if self.n_contacts else 0.0
        self.contact_force = _column(most * int(k) / 65535 for k in own.take("H", self.n_contacts))  # [N]
        self.contact_image = own.take("H", self.n_contacts)
        self.contact_point = own.take("f", 3 * self.n_at_walls)  # [m] from lo on, of the last contacts, those with walls

    def numbers(self, k: int) -> Any:
        """The whole numbers of the places of free bodies along an axis, in quanta."""
        part = slice(k * self.n_free, (k + 1) * self.n_free)
        low, high = self.low[part], self.high[part] if self.high is not None else None
        if high is None:
            return low
        return 65536.0 * numpy.asarray(high) + low if numpy else [65536 * h + c for h, c in zip(high, low)]

    def _free(self, k):
        return [0.0] * self.n_free if k >= self.dimension else [self.lo[k] + self.quantum[k] * float(c) for c in self.numbers(k)]

    @property
    def x(self) -> List[Any]:
        """The columns x, y, z [m] of all rows."""
        return [_column([*self._free(k), *self._wall_x[k::3]]) for k in range(3)]

    @property
    def q(self) -> List[Tuple[float, ...]]:
        """The quaternion (w, x, y, z) of each row, from its axes to those of the world; (1, 0, 0, 0) of a free ball."""
        found, words = [], iter(self._orientation)
        for is_ball in self._is_ball:
            rest = [1.0, 0.0, 0.0, 0.0]
            if not is_ball:
                word = int(next(words))
                rest = [((word >> at & 1023) / 1023 * 2 - 1) * math.sqrt(0.5) for at in (20, 10, 0)]
                rest.insert(word >> 30, math.sqrt(max(0.0, 1.0 - sum(c * c for c in rest))))
            found.append(tuple(rest))
        return found + [tuple(map(float, self._wall_q[4 * i:4 * i + 4])) for i in range(self.n - self.n_free)]

    def value(self, name: str) -> Any:
        """The column of a field; nan where a body has no value."""
        if name not in self._names:
            raise Error(f"expected one of the fields {', '.join(self._names) or '(none)'}, got {name}")
        (lo, hi), numbers = self._values[self._names.index(name)]
        lo, hi = float(lo), float(hi)
        return _column(math.nan if k == 65535 else lo + (hi - lo) * int(k) / 65534 for k in numbers)


class _File:
    """The whole blocks of a file, so far."""

    def __init__(self, path):
        self.path, self.end, self.size = path, 0, 0
        self.file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # a pipe would wait
        if not stat.S_ISREG(os.fstat(self.file.fileno()).st_mode):
            raise Error(f"{path}: expected a file")
        self.header: Dict[str, Any] = {}
        self.shapes: Dict[int, Tuple[Shape, bytes]] = {}
        self.groups: List[str] = []
        self.last: Dict[bytes, Tuple[int, int]] = {}
        self.frames: List[Tuple[int, float, List[Tuple[int, int]]]] = []  # step, time, places of BODY, WALL, FRAM

    def scan(self):
        """Reads the blocks that have come, up to one that is not whole."""
        number = self.file.fileno()
        size = self.size = os.fstat(number).st_size
        while self.end + HEAD.size <= size:
            kind, n_bytes, crc, _ = HEAD.unpack(os.pread(number, HEAD.size, self.end))
            place = (n_bytes, self.end + HEAD.size)
            payload = os.pread(number, *place) if sum(place) <= size and (kind == b"SCF1") == (self.end == 0) else b""
            if len(payload) < n_bytes or zlib.crc32(payload) != crc:
                break
            try:
                self._note(kind, place, payload)
            except (ValueError, LookupError, TypeError, struct.error) as error:
                raise Error(f"{self.path}: the block {kind.decode('ascii', 'replace')} at byte {self.end}: {error}") from None
            self.end = sum(place) + -n_bytes % 8

    def _note(self, kind, place, payload):
        if kind == b"SCF1":
            header = json.loads(payload)
            if header["version"] != 1:
                raise ValueError(f"expected version 1 of the layout, got {header['version']}")
            if header["dimension"] not in (2, 3) or not all(isinstance(one["name"], str) for one in header["fields"]):
                raise ValueError(f"expected a dimension of 2 or 3 and names of fields, got {header}")
            if "after" in header:
                pathlib.Path(header["after"]["file"]), int(header["after"]["step"])
            self.header = header
        elif kind == b"GRPS":
            self.groups = list(map(str, json.loads(payload)))
        elif kind == b"SHAP":
            shape = _shape(payload)
            self.shapes[shape.number] = shape, payload
        self.last[kind] = place
        if kind == b"FRAM":
            self.frames.append((*struct.unpack_from("<Qd", payload), [self.last[k] for k in (b"BODY", b"WALL", b"FRAM")]))


class Frames:
    """The frames of a run, by the name of their file or of its folder; frames of runs that it continues come first, where
    their files are still there. frames[k] is a Frame; follow() reads new ones."""

    def __init__(self, path: Union[str, "pathlib.Path"]):
        self.path = _find(pathlib.Path(path))
        self._files: Dict[int, _File] = {}
        self._former: List[Tuple[_File, int]] = []
        self.missing: Optional[str] = None  # the file of a former run that is not there
        self.follow()
        if not self._own:
            raise Error(f"{self.path}: expected a file of frames, which begins with SCF1")
        after = self._own[0].header.get("after")
        while after and not self.missing and len(self._former) < MOST_FORMER_RUNS:
            after = self._find_former(pathlib.Path(after["file"]), after["step"])
        self.follow()

    def _find_former(self, path, step):
        moved = self.path.absolute().parent.parent / path.parent.name / path.name  # where all folders went
        for one in (end for there in (path, moved) for end in _parts(there) if end.is_file() and end.stat().st_ino not in self._files):
            file = _File(one)
            file.scan()
            if file.header:
                self._former.insert(0, (file, step))
                return file.header.get("after")
        self.missing = str(path)
        return None

    def follow(self) -> bool:
        """Reads what has come; whether there are other frames now. With `keep` the oldest ones go."""
        before = [(one, len(one.frames)) for one in self._files.values()]
        now: Dict[int, _File] = {}
        for path in [*_parts(self.path), *_parts(self.path.with_suffix(".2.scf"))]:
            try:
                key = path.stat().st_ino
                now[key] = self._files.get(key) or _File(path)
            except FileNotFoundError:
                continue
            now[key].scan()
        self._files = now
        self._own = sorted((one for one in now.values() if one.header), key=lambda one: one.frames[0][0] if one.frames else math.inf)
        self._all = [(file, one) for file, most in self._former for one in file.frames if one[0] <= most]
        self._all += [(file, one) for file in self._own for one in file.frames]
        return before != [(one, len(one.frames)) for one in now.values()]

    @property
    def passed_over(self) -> int:
        """The bytes behind the last whole block of each file: a damaged tail, or what a run is writing."""
        former = [one for one, most in self._former if not one.frames or one.frames[-1][0] < most]
        return sum(max(0, one.size - one.end) for one in [*self._files.values(), *former])

    @property
    def header(self) -> Dict[str, Any]:
        """The first block of the newest file: dimension, fields, contacts, materials."""
        return self._own[-1].header

    def _all_shapes(self):
        return [one for file in [*(one for one, _ in self._former), *self._own] for one in file.shapes.values()]

    @property
    def shape_payloads(self) -> Dict[int, bytes]:
        """The payloads of the blocks SHAP, by the numbers of shapes."""
        return {shape.number: payload for shape, payload in self._all_shapes()}

    @property
    def shapes(self) -> Dict[int, Shape]:
        """The shapes that bodies have had, by number."""
        return {shape.number: shape for shape, _ in self._all_shapes()}

    @property
    def groups(self) -> List[str]:
        """Names of groups, by number."""
        return max((one.groups for one in self._own), key=len)

    @property
    def steps(self) -> List[int]:
        """The step of each frame."""
        return [one[0] for _, one in self._all]

    @property
    def times(self) -> List[float]:
        """The time [s] of each frame."""
        return [one[1] for _, one in self._all]

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, k: int) -> Frame:
        file, (step, _, places) = self._all[k]
        try:
            kinds = {shape.number: shape.kind for shape, _ in file.shapes.values()}
            return Frame(file.header, kinds, *(self.raw(k, kind) for kind in ("BODY", "WALL", "FRAM")))
        except (ValueError, LookupError, TypeError, struct.error) as error:
            raise Error(f"{file.path}: the block of step {step} at byte {places[2][1]}: {error}") from None

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def mark(self, k: int, kind: str) -> Tuple[Any, int]:
        """A mark of the BODY or WALL of frame k: frames with equal marks share the block."""
        file, (_, _, places) = self._all[k]
        return file, places[("BODY", "WALL", "FRAM").index(kind)][1]

    def raw(self, k: int, kind: str = "FRAM") -> bytes:
        """The payload of the block FRAM, BODY or WALL of frame k."""
        file, (_, _, places) = self._all[k]
        return os.pread(file.file.fileno(), *places[("BODY", "WALL", "FRAM").index(kind)])


def _shape(payload):
    number, kind, n, m = struct.unpack_from("<4I", payload)
    (word, a, b), rows = KINDS[kind], _Cursor(payload, 16)
    arrays = rows.take("f", n * a), rows.take("I", m * b), rows.take("I", m)
    return Shape(number, word, *arrays, payload[rows.at:].decode())


def _parts(path):
    return [path, path.with_name(path.name + ".part")]


def _stem(name):
    return name.removesuffix(".part").removesuffix(".scf").removesuffix(".2")


def _find(path):
    """The name NAME.scf of a file or the one in a folder."""
    if not path.is_dir():
        return path.with_name(_stem(path.name) + ".scf")
    names = sorted({_stem(one.name) for end in ("*.scf", "*.scf.part") for one in path.glob(end)})
    if len(names) != 1:
        raise Error(f"{path}: expected one file of frames (NAME.scf), got {', '.join(names) or 'none'}")
    return path / f"{names[0]}.scf"
