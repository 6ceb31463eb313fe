# SPDX-License-Identifier: Apache-2.0
"""The values of `--vary PATH=..`, with the syntax of `scree compare`; grid, random rows, fit."""
import itertools
import random
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._errors import UseError

MOST_VALUES = 1000
START = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
PAIRS = {"(": ")", "[": "]", "{": "}"}
Params = Dict[str, str]


class Axis(NamedTuple):
    """A setting of the scene: its values as texts, or the ends of a range."""
    path: str
    values: List[str]
    span: Optional[Tuple[float, float]] = None

    def space(self) -> Any:
        """The values of a sampler: the ends of a range, or choices."""
        return list(self.span) if self.span else {"choices": [one if real(one) is None else real(one) for one in self.values]}

    def take(self, value: Any) -> str:
        """A value that a sampler gives, as a text."""
        number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else real(str(value))
        if self.span and number is not None and self.span[0] <= number <= self.span[1]:
            return number_text(number)
        found = [one for one in self.values if one == str(value) or number is not None and real(one) == number]
        if not found:
            raise UseError(f"{self.path}: expected a value of {self.space()}, got {value!r}")
        return found[0]


def real(text: str) -> Optional[float]:
    """A text as a finite number, or None."""
    try:
        value = float(text) if re.fullmatch(r"[-+0-9.eE]+", text) else float("nan")
        return value if abs(value) < float("inf") else None
    except ValueError:
        return None


def number_text(number: float) -> str:
    """A number as an override has it."""
    return f"{number:.15g}"


def _is_whole(text):
    return re.fullmatch(r"[+-]?\d{1,18}", text) is not None


def _series(item):
    """The numbers of A..B*F or A..B+D, the Axis of a range A..B, or None: the item is a value."""
    first, dots, rest = item.partition("..")
    start, found = real(first), START.match(rest)
    if not dots or start is None or not found or rest[found.end():found.end() + 1] not in ("", "*", "+"):
        return None
    last, sign, step = found[0], rest[found.end():found.end() + 1], rest[found.end() + 1:]
    end, by, whole = real(last), real(step), all(map(_is_whole, (first, last, step)))
    if not sign and end is not None and end > start:
        return Axis("", [], (start, end))
    if not sign or end is None or by is None:
        raise UseError(f"--vary: {item}: expected a range A..B that ascends, or a series A..B*F or A..B+D of numbers")
    after = start * by if sign == "*" else start + by
    if sign == "*" and by <= 0.0 or end > start >= after or end < start <= after:
        raise UseError(f"--vary: {item}: expected a series that reaches {end:g}, got {start:g}, then {after:g}")
    slack, down = 0.0 if whole else 1e-9 * abs(end), -1.0 if end < start else 1.0
    numbers: List[str] = []
    number = start
    while down * (number - end) <= slack and len(numbers) <= MOST_VALUES:
        numbers.append(f"{number:.0f}" if whole else number_text(number))
        number = number * by if sign == "*" else start + len(numbers) * by
        if start == end:
            break
    return numbers


def _split(text, where):
    """The parts between commas that are outside of brackets and quotes."""
    parts, open_, quoted, begin, at = [], [], False, 0, 0
    while at < len(text):
        one = text[at]
        if quoted and one == "\\":
            at += 1
        elif one == '"':
            quoted = not quoted
        elif not quoted and one in PAIRS:
            open_.append(PAIRS[one])
        elif not quoted and one in PAIRS.values() and (not open_ or open_.pop() != one):
            raise UseError(f"--vary: {where}: '{one}' closes nothing")
        elif not quoted and not open_ and one == ",":
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    if quoted or open_:
        raise UseError(f"--vary: {where}: '{open_[-1] if open_ and not quoted else chr(34)}' is missing at the end")
    return [part.strip() for part in (*parts, text[begin:])]


def parse(assignment: str) -> Axis:
    """Reads PATH=V1,V2,.. with series A..B*F and A..B+D, or PATH=A..B, a range; numbers are put in ascending order."""
    path, equals, text = assignment.partition("=")
    path, values = path.strip(), []
    if not equals or not path:
        raise UseError(f"--vary: {assignment}: expected PATH=V1,V2,.., as in force.0.friction=0.1,0.3")
    items = _split(text, assignment)
    for item in items:
        found = _series(item)
        if isinstance(found, Axis) and len(items) > 1 or not item:
            raise UseError(f"--vary: {assignment}: expected values or one range A..B, got '{item}' among {len(items)}")
        if isinstance(found, Axis):
            return found._replace(path=path)
        values += found if found is not None else [item]
    if len(values) > MOST_VALUES:
        raise UseError(f"--vary: {assignment}: expected at most {MOST_VALUES} values")
    numbers = {one: number for one in values if (number := real(one)) is not None}
    if len(numbers) == len({*values}):
        values.sort(key=numbers.__getitem__)
    if len({numbers.get(one, one) for one in values}) < len(values):
        raise UseError(f"--vary: {path}: a value is given twice")
    return Axis(path, values)


def grid(axes: List[Axis]) -> Iterator[Params]:
    """All combinations; the first axis changes slowest."""
    for axis in axes:
        if axis.span:
            raise UseError(f"--vary: {axis.path}: a range needs --random, --sampler or --fit; a series is A..B+D or A..B*F")
    return (dict(zip([axis.path for axis in axes], values)) for values in itertools.product(*[axis.values for axis in axes]))


def random_rows(axes: List[Axis], n: int) -> Iterator[Params]:
    """A Latin hypercube: each of n equal parts of a range has one row. The same rows each time."""
    numbers, columns = random.Random(1), []
    for axis in axes:
        places = [(part + numbers.random()) / n for part in numbers.sample(range(n), n)]
        low, high = axis.span or (0.0, 0.0)
        columns.append([number_text(low + (high - low) * place) if axis.span else axis.values[int(place * len(axis.values))]
                        for place in places])
    return (dict(zip([axis.path for axis in axes], values)) for values in zip(*columns))


class Fit:
    """A sampler for one range that looks for the value at which a figure meets its target."""

    def __init__(self, axis: Axis, target: float, error: float, tolerance: float = 1e-3):
        self.axis, self.target, self.error = axis, target, error
        self.span = axis.span or (0.0, 0.0)
        self.width = tolerance * (self.span[1] - self.span[0])
        self.points: List[Tuple[float, float, float]] = []  # place, figure less its target, error of that
        self.answer: Dict[str, Any] = {}

    def __call__(self, message: Dict[str, Any]) -> Dict[str, Any]:
        for one in message["results"]:
            if one["value"] is None:
                return self._stop("failed", None, f"no value at {self.axis.path}={one['params'][self.axis.path]}: {one.get('reason', one.get('state'))}")
            error = ((one["error"] or 0.0)**2 + self.error**2)**0.5
            self.points.append((float(one["params"][self.axis.path]), one["value"] - self.target, error))
        if not self.points:
            return self._ask(*self.span)
        low, high = self.points[:2]
        for point in self.points[2:]:
            low, high = (point, high) if (point[1] > 0.0) == (low[1] > 0.0) else (low, point)
        near = min(self.points, key=lambda point: abs(point[1]))
        if abs(near[1]) <= near[2]:
            return self._stop("noise-bound", near, "the seeds differ by more than the figure misses its target; more seeds narrow it")
        if low[1] * high[1] > 0.0:
            return self._stop("not bracketed", None, f"at the ends of the range the figure misses {self.target:g} by {low[1]:g} and {high[1]:g}")
        if high[0] - low[0] <= self.width:
            return self._stop("converged", near, "")
        share = min(max(low[1] / (low[1] - high[1]), 0.1), 0.9)  # 0.1: else one end may stay for ever
        place = float(number_text(low[0] + share * (high[0] - low[0])))
        return self._ask(place)

    def _ask(self, *places):
        return {"params": [{self.axis.path: place} for place in places]}

    def _stop(self, state, near, reason):
        self.answer = {"state": state, "path": self.axis.path, "value": None, "error": None, "reason": reason}
        if near:
            some = sorted(self.points, key=lambda point: abs(point[0] - near[0]))
            while len(some) > 2 and abs(some[-2][0] - near[0]) > 0.25 * (self.span[1] - self.span[0]):
                some.pop()  # a slope over a shorter way would be that of the noise
            x, y = (sum(point[k] for point in some) / len(some) for k in (0, 1))
            slope = sum((p[0] - x) * (p[1] - y) for p in some) / sum((p[0] - x)**2 for p in some)
            self.answer.update(value=near[0] - near[1] / slope if slope else near[0], error=abs(near[2] / slope) if slope else None)
        return {"stop": state}
