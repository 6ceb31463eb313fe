# SPDX-License-Identifier: Apache-2.0
"""The folder of a run, read with the standard library; columns are arrays of numpy where it is."""
import csv
import json
import pathlib
from typing import Any, Dict, List, Union

from ._errors import Error


def _number(cell):
    try:
        return float(cell)
    except ValueError:
        return None


def _column(cells):
    """Numbers as an array of numpy, or a list without it; a column with other words as a list of texts."""
    values = [_number(cell) if cell else float("nan") for cell in cells]
    if None in values:
        return cells
    try:
        import numpy
    except ImportError:
        return values
    return numpy.array(values)


def load(path: "pathlib.Path") -> Dict[str, Any]:
    """The object of a file of JSON."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Error(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise Error(f"{path}: expected an object of JSON, got {type(found).__name__}")
    return found


def write_whole(path: "pathlib.Path", text: str) -> None:
    """Writes a file under another name first, so that an old one stays if that fails."""
    path = path.resolve() if path.is_file() else path
    part = path.with_name(path.name + ".part") if path.is_file() or not path.exists() else path
    try:
        part.write_text(text, encoding="utf-8", newline="")
        part.replace(path)
    except OSError:
        if part != path:
            part.unlink(missing_ok=True)
        raise


class Results:
    """The files of a run, which may still be under way."""

    def __init__(self, folder: Union[str, "pathlib.Path"]):
        self.folder = pathlib.Path(folder)
        if not (self.folder / "scene.cfg").is_file() and not (self.folder / "summary.json").is_file():
            raise Error(f"{self.folder}: expected the folder of a run, with scene.cfg or summary.json")

    def __repr__(self) -> str:
        return f"<scree.Results {self.folder}{'' if self.ended else ', not ended'}>"

    @property
    def ended(self) -> bool:
        """Whether the run has written its summary."""
        return (self.folder / "summary.json").is_file()

    def _json(self, name) -> Dict[str, Any]:
        try:
            return load(self.folder / name)
        except FileNotFoundError:
            raise Error(f"{self.folder / name}: the run writes it at its end, and has not ended") from None

    @property
    def summary(self) -> Dict[str, Any]:
        """The table at the end of a run, as `scree run --json` prints it."""
        return self._json("summary.json")

    @property
    def manifest(self) -> Dict[str, Any]:
        """All that `scree run --repeat` needs: texts of the scene, plugins with SHA-256, the state."""
        return self._json("manifest.json")

    @property
    def scene(self) -> str:
        """The text of the scene, overrides as comments."""
        return (self.folder / "scene.cfg").read_text(encoding="utf-8")

    @property
    def tables(self) -> List[str]:
        """The names that csv() takes."""
        return sorted({path.relative_to(self.folder).as_posix().partition(".csv")[0]
                       for end in ("*.csv", "*.csv.part") for path in self.folder.rglob(end) if path.is_file()})

    def csv(self, name: str) -> Dict[str, Any]:
        """The columns of a table by name; the rows so far of a run that is under way."""
        paths = [self.folder / f"{name}.csv{end}" for end in ("", ".part")]
        path = next((one for one in paths if one.is_file()), None)
        if path is None:
            raise Error(f"{paths[0]}: expected one of the tables {', '.join(self.tables) or '(none)'}")
        try:
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        except ValueError as error:
            raise Error(f"{path}: {error}") from None
        rows = list(csv.reader(line for line in lines if line.endswith("\n") and not line.startswith("#")))
        head, body = (rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]) if rows else ([], [])
        return {key: _column([row[k] for row in body]) for k, key in enumerate(head)}

    @property
    def checkpoints(self) -> List["pathlib.Path"]:
        """The checkpoints, oldest first."""
        return sorted(self.folder.glob("checkpoint-*.h5"), key=lambda path: int(path.stem.split("-")[1]))


def read(folder: Union[str, "pathlib.Path"]) -> Results:
    """The results of a run, by its folder."""
    return Results(folder)
