# SPDX-License-Identifier: Apache-2.0
"""`scree report`: one HTML page of a run, without a network."""
import argparse
import html
import sys
from typing import List, Optional

from ._errors import Error
from ._results import Results, read

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>{title}</title></head>
<body><h1>{title}</h1><table>{rows}</table><h2>Scene</h2><pre>{scene}</pre></body></html>
"""


def page(results: Results) -> str:
    """The page of a run."""
    summary = results.summary
    rows = "".join(f"<tr><th>{html.escape(key)}<td>{html.escape(str(value))}\n" for key, value in summary.items()
                   if isinstance(value, (str, int, float)))
    return PAGE.format(title=html.escape(str(summary.get("title") or results.folder.name)), rows=rows, scene=html.escape(results.scene))


def main(words: Optional[List[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="scree report", description="Makes one HTML page of a run, a study or a comparison.")
    parser.add_argument("folder", metavar="FOLDER", help="the folder of a run")
    parser.add_argument("-o", "--output", metavar="FILE", help="the page; FOLDER/report.html unless given")
    given = parser.parse_args(words)
    try:
        results = read(given.folder)
        path = given.output or results.folder / "report.html"
        with open(path, "w", encoding="utf-8") as file:
            file.write(page(results))
    except (Error, OSError) as error:
        print(f"scree report: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
