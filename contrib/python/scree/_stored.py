# SPDX-License-Identifier: Apache-2.0
"""Frames as a page holds them (page/decode.js: StoredFrames): positions to 1 % of the smallest radius, values in 1024 steps, as
differences from the frame before, deflated. Too many frames are thinned, then bodies."""
import base64
import struct
import zlib
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ._frames import Frame, Frames

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore

LEAST_BYTES_PER_ROW = 2.5  # deflated, where frames are close to each other
FEWEST_FRAMES = 40  # frames are thinned to so many first
FEWEST_BODIES = 1000  # then bodies of each frame, then frames again
MISSING = 65535


class Stored(NamedTuple):
    """The frames of a page: its JSON, the text of base64, sentences about what was left out, ranges of fields."""
    meta: Dict[str, Any]
    text: str
    notes: List[str]
    ranges: Dict[str, List[float]]


def _listed(values):
    return numpy.array([*values]) if numpy else [*values]


def _pick(column, rows):
    return column if rows is None else column[rows] if numpy else [column[i] for i in rows]


def _mapped(column, factor, offset, step, missing=None):
    """round(factor k + offset) to multiples of step; `missing` stays."""
    if numpy:
        out = (numpy.rint((numpy.asarray(column, float) * factor + offset) / step) * step).astype(numpy.int64)
        return out if missing is None else numpy.where(numpy.asarray(column) == missing, missing, out)
    return [k if k == missing else round((k * factor + offset) / step) * step for k in column]


def _words(column):
    return numpy.asarray(column).astype("<u2").tobytes() if numpy else struct.pack(f"<{len(column)}H", *(int(k) & 65535 for k in column))


def _changes(column, base):
    """Differences modulo 65536; 0, -1, 1, -2 .. as 0, 1, 2, 3 .."""
    if numpy:
        d = (numpy.asarray(column) - numpy.asarray(base)).astype(numpy.uint16)
        return (d << 1) ^ (0 - (d >> 15)).astype(numpy.uint16)
    return [(d << 1 ^ -(d >> 15)) & 65535 for d in ((k - b) & 65535 for k, b in zip(column, base))]


def _based(before, rows, n):
    """The values before of the rows (-1: none); without rows, of the same ones."""
    if before is None:
        return numpy.zeros(n, int) if numpy else [0] * n
    if rows is None:
        return before
    if numpy:
        return numpy.where((rows >= 0) & (rows < len(before)), numpy.append(before, 0)[numpy.clip(rows, -1, len(before))], 0)
    return [before[i] if 0 <= i < len(before) else 0 for i in rows]


class _Writer:
    """Encodes frames one after the other."""

    def __init__(self, frames: Frames, lo, quantum, ranges, every_body: int):
        self.frames, self.lo, self.quantum, self.ranges, self.every = frames, lo, quantum, ranges, every_body
        self.bodies: List[bytes] = []  # payloads; places in them are those of self.places
        self.walls: List[bytes] = []
        self.out: List[Tuple[bytes, int, int]] = []
        self.places: Dict[Any, int] = {}
        self.dimension, self.names = frames.header["dimension"], [one["name"] for one in frames.header["fields"]]
        self.before: Optional[Dict[str, Any]] = None
        self.dropped = 0

    def _place(self, mark, payloads, make):
        if mark not in self.places:
            self.places[mark] = len(payloads)
            payloads.append(make())
        return self.places[mark]

    def _kept(self, frame):
        """The rows of the bodies that stay: free ones by id, so that they are the same in each frame; None: all."""
        if self.every == 1:
            return None, frame.n_free
        free = [i for i in range(frame.n_free) if int(frame.id[i]) % self.every == 0]
        return free + list(range(frame.n_free, frame.n)), len(free)

    def _body(self, frame, rows, n_free):
        columns = [list(_pick(one, rows)) for one in (frame.id, frame.scale, frame.shape, frame.material, frame.group, frame.motion)]
        payload = struct.pack("<2I", len(columns[0]), n_free)
        for code, column in zip("QfHHHB", columns):
            payload += b"\0" * (-len(payload) % (8 if code == "Q" else 4)) + struct.pack(f"<{len(column)}{code}", *column)
        return payload

    def add(self, k: int) -> int:
        """Appends frame k; its bytes before deflation."""
        frame = self.frames[k]
        rows, n_free = self._kept(frame)
        body = self._place(("BODY", *self.frames.mark(k, "BODY")), self.bodies, lambda: self._body(frame, rows, n_free))
        wall = self._place(("WALL", *self.frames.mark(k, "WALL")), self.walls, lambda: self.frames.raw(k, "WALL"))
        before, base = self.before or {}, None
        if before and before["body"] != body:
            of = {int(one): i for i, one in enumerate(before["ids"])}
            base = _listed(of.get(int(one), -1) for one in _pick(frame.id, rows))
        now: Dict[str, Any] = {"body": body, "ids": before["ids"] if before and base is None else _pick(frame.id, rows)}
        free = None if rows is None else rows[:n_free]
        low, high = [], []
        for c in range(self.dimension):
            column = _mapped(_pick(frame.numbers(c), free), frame.quantum[c] / self.quantum, (frame.lo[c] - self.lo[c]) / self.quantum, 1)
            now[f"x{c}"] = column & 65535 if numpy else [one & 65535 for one in column]
            low.append(_words(_changes(now[f"x{c}"], _based(before.get(f"x{c}"), None if base is None else base[:n_free], n_free))))
            high.append(bytes((column >> 16).astype(numpy.uint8)) if numpy else bytes(one >> 16 for one in column))
        n_contacts, n_at_walls, contacts = self._contacts(frame, rows)
        is_high, oriented = any(any(one) for one in high), self._oriented(frame, free)
        payload = struct.pack("<Qd3d3d3d3d9d6I", frame.step, frame.time, *self.lo, *[self.quantum] * 3, *frame.cell_lo, *frame.cell_hi,
                              *[v for vector in frame.cell_vectors for v in vector], n_free, len(oriented) // 4, n_contacts, n_at_walls, int(is_high), 0)
        parts = [b"".join(low), b"".join(high) if is_high else b"", oriented]
        for name in self.names:
            now[name] = self._values(frame, name, rows)
            words = _words(_changes(now[name], _based(before.get(name), base, len(now["ids"]))))
            parts += [struct.pack("<2f", *self.ranges[name]), words]
        for part in parts:
            payload += b"\0" * (-len(payload) % 4) + part
        payload += b"\0" * (-len(payload) % 4) + contacts
        payload += b"\0" * (len(payload) % 2)
        self.out.append((payload[:208] + payload[208::2] + payload[209::2], body, wall))
        self.before = now
        return len(payload)

    @staticmethod
    def _oriented(frame, rows):
        """The orientations of the rows that stay; balls have none."""
        if rows is None:
            return bytes(frame._orientation)
        words = iter(frame._orientation)
        word = [None if is_ball else int(next(words)) for is_ball in frame._is_ball]
        kept = [word[i] for i in rows if word[i] is not None]
        return struct.pack(f"<{len(kept)}I", *kept)

    def _values(self, frame, name, rows):
        (lo, hi), numbers = frame._values[self.names.index(name)]
        low, high = self.ranges[name]
        width, span = (high - low) or 1.0, float(hi) - float(lo)
        if not (span >= 0 and span < float("inf")):  # no body has a value
            return _mapped([MISSING] * len(numbers if rows is None else rows), 0, 0, 1, MISSING)
        return _mapped(_pick(numbers, rows), span / width, (float(lo) - low) / width * 65534, 64, MISSING)

    def _contacts(self, frame, rows):
        """n, n at walls, arrays: at most one contact per body, the strongest ones."""
        place = None if rows is None else {i: k for k, i in enumerate(rows)}
        keep = [c for c in range(frame.n_contacts) if place is None or int(frame.contact_a[c]) in place and int(frame.contact_b[c]) in place]
        if len(keep) > frame.n:
            least = sorted((float(frame.contact_force[c]) for c in keep), reverse=True)[frame.n - 1]
            self.dropped += len(keep)
            keep = [c for c in keep if float(frame.contact_force[c]) >= least]
            self.dropped -= len(keep)
        if not keep:
            return 0, 0, b""
        first, most = frame.n_contacts - frame.n_at_walls, max(float(f) for f in frame.contact_force)
        at_walls, ends = [c - first for c in keep if c >= first], [frame.contact_a, frame.contact_b]
        out = b"".join(struct.pack(f"<{len(keep)}I", *(int(one[c]) if place is None else place[int(one[c])] for c in keep)) for one in ends)
        out += struct.pack(f"<f{len(keep)}H", most, *(round(float(frame.contact_force[c]) / (most or 1) * 65535) for c in keep))
        out += b"\0" * (-len(out) % 4) + struct.pack(f"<{len(keep)}H", *(int(frame.contact_image[c]) for c in keep))
        points = [float(frame.contact_point[3 * c + k]) + frame.lo[k] - self.lo[k] for c in at_walls for k in range(3)]
        return len(keep), len(at_walls), out + b"\0" * (-len(out) % 4) + struct.pack(f"<{len(points)}f", *points)

    def text(self):
        shapes = list(self.frames.shape_payloads.values())
        packed = zlib.compress(b"".join([*shapes, *self.bodies, *self.walls, *(one[0] for one in self.out)]), 6)
        meta = {"header": {key: self.frames.header[key] for key in ("dimension", "fields", "contacts", "materials")}, "groups": self.frames.groups,
                "shapes": [len(one) for one in shapes], "bodies": [len(one) for one in self.bodies], "walls": [len(one) for one in self.walls],
                "frames": [[len(payload), body, wall] for payload, body, wall in self.out]}
        return meta, base64.b64encode(packed).decode()


def _surroundings(frames: Frames):
    """The low corner of all frames, their width, the smallest radius, the number of rows; lowest and highest value of
    each field, and the same without a percent at each end, for colours."""
    lo, hi, radius, rows = [float("inf")] * 3, [-float("inf")] * 3, float("inf"), 0
    seen: Dict[str, List[float]] = {one["name"]: [] for one in frames.header["fields"]}
    ranges = {name: [float("inf"), -float("inf")] for name in seen}
    shapes, marks = frames.shapes, set()
    sizes = {k: max((abs(float(v)) for v in one.points), default=1.0) if one.kind != "ball" else 1.0 for k, one in shapes.items()}
    for k in range(len(frames)):
        frame = frames[k]
        rows += frame.n
        if frame.n_free:
            top = 65535 + (0 if frame.high is None else 65536 * int(max(frame.high)))
            lo, hi = [min(a, b) for a, b in zip(lo, frame.lo)], [max(a, b + q * top) for a, b, q in zip(hi, frame.lo, frame.quantum)]
        if frames.mark(k, "BODY") not in marks:
            marks.add(frames.mark(k, "BODY"))
            radius = min([radius, *(float(frame.scale[i]) * sizes[int(frame.shape[i])] for i in range(frame.n_free))])
        for (name, values), (low, _) in zip(seen.items(), frame._values):
            ranges[name] = [min(ranges[name][0], float(low[0])), max(ranges[name][1], float(low[1]))]
            if k % max(1, len(frames) // 50) == 0:
                column = list(frame.value(name)[:frame.n_free])
                values += [float(v) for v in column[::max(1, len(column) // 1000)] if v == v]
    width = max([b - a for a, b in zip(lo, hi)])
    lo, radius = [c if c < float("inf") else 0.0 for c in lo], radius if radius < float("inf") else 1.0
    ranges = {name: [a, b] if a <= b else [0.0, 1.0] for name, (a, b) in ranges.items()}
    return lo, max(radius / 50, width / (1 << 24)), rows, ranges, {name: _quantiles(values) for name, values in seen.items()}


def _quantiles(values):
    values = sorted(values) or [0.0, 1.0]
    return [values[len(values) // 100], values[-1 - len(values) // 100]]


def store(frames: Frames, most: int) -> Stored:
    """The frames of a page of at most `most` bytes of text."""
    lo, quantum, n_rows, ranges, shown = _surroundings(frames)
    each = max(1, int(n_rows * LEAST_BYTES_PER_ROW * 4 / 3 / most))
    while True:
        step = max(1, min(each, len(frames) // FEWEST_FRAMES))
        bodies = max(1, min(-(-each // step), n_rows // len(frames) // FEWEST_BODIES))
        step = max(step, -(-each // bodies))
        writer = _Writer(frames, lo, quantum, ranges, bodies)
        for k in range(0, len(frames), step):
            writer.add(k)
        meta, text = writer.text()
        if len(text) <= most or step >= len(frames):
            break
        each = max(each + 1, int(each * len(text) / most))
    notes = [f"One of {step} frames is here, so that the page is small."] if step > 1 else []
    notes += [f"One of {bodies} free bodies is here, those whose number is a multiple of {bodies}."] if bodies > 1 else []
    notes += ["At most one contact per body is here, the strongest ones."] if writer.dropped else []
    return Stored(meta, text, notes, shown)
