# SPDX-License-Identifier: Apache-2.0
"""`python -m scree ..` is the program scree of this installation; a wheel has it as the command scree."""
import os
import pathlib
import sys

from ._library import find


def main():
    """Becomes the program."""
    top = pathlib.Path(find()).resolve().parent
    places = [folder / name for folder in (top, *top.parents) for name in ("bin/scree", "core/scree")]
    path = next((one for one in places if os.access(one, os.X_OK)), None)
    if path is None:
        sys.exit("scree: the program is missing next to its library")
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
