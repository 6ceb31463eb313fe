# SPDX-License-Identifier: Apache-2.0
"""The blocks of the how-to in a kernel of Jupyter, cell by cell: no error, the bar in the output, the stop button.

usage: test_notebook.py SCREE SOURCE
"""
import os
import pathlib
import re
import sys
import time

import tap

try:
    from jupyter_client.manager import start_new_kernel
    import ipykernel  # noqa: F401
except ImportError:
    start_new_kernel = None

PAGE = pathlib.Path(sys.argv[2]) / "docs/howto/scree-in-python.md"
STUDY = """import scree.study
found = scree.study.Study("gas", "study", vary=["force.0.restitution=0.5,0.9"], set=["generate.molecules.count=100", "scene.steps=100"], seeds=2)
print([row.state for row in found.run().rows])"""
LONG = """run = scree.open("hopper", generate={"beads": {"count": 1000}}, observers={})
print("begun", flush=True)
run.advance()"""


class Notebook:
    """A kernel whose folder is that of the test."""

    def __init__(self, top):
        self.manager, self.client = start_new_kernel(kernel_name="python3", cwd=str(top))

    def cell(self, code, act=None):
        """(texts, lines that were displayed, name of the error or "") of a cell; act() is called when it has printed something."""
        number, texts, shown, error = self.client.execute(code), [], [], ""
        while True:
            message = self.client.get_iopub_msg(timeout=120)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != number:
                continue
            if kind == "stream":
                texts.append(content["text"])
                if act:
                    act = act()
            elif kind in ("display_data", "update_display_data", "execute_result"):
                shown.append(content["data"]["text/plain"])
            elif kind == "error":
                error = content["ename"]
            elif kind == "status" and content["execution_state"] == "idle":
                return "".join(texts), shown, error

    def stop(self):
        time.sleep(1.0)
        self.manager.interrupt_kernel()


def test_blocks(top):
    notebook = Notebook(top)
    blocks = re.findall(r"```python\n# file: (\S+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    seen = {name: notebook.cell(code) for name, code in blocks}
    tap.check("all blocks of the how-to run as cells of one notebook", len(blocks) > 5 and not any(error for _, _, error in seen.values()), seen)
    tap.check("what they print is in the output", "one state: True" in seen["wind.py"][0] and "1 end of three attempts" in seen["branches.py"][0], seen)
    texts, _, error = notebook.cell(STUDY)
    tap.check("a study runs in a cell", not error and texts.endswith("['ok', 'ok', 'ok', 'ok']\n"), (texts, error))
    texts, shown, error = notebook.cell(LONG, notebook.stop)
    tap.check("the bar is one line of the output, which is drawn again", len(shown) > 1 and all(" steps/s " in line for line in shown) and texts.startswith("begun\n"), (texts, shown))
    tap.check("the stop button of a notebook ends an advance after a step", error == "Cancelled", (error, texts))
    texts, shown, error = notebook.cell("before = run.steps; run.step(10); print(run.steps - before); run")
    tap.check("the run can go on, and its name is shown", texts == "10\n" and shown and shown[0].startswith("<scree.Run step ") and not error, (texts, shown, error))
    notebook.manager.shutdown_kernel(now=True)
    notebook.client.stop_channels()


if start_new_kernel:
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    os.environ["SCREE_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    tap.in_folders(test_blocks)
else:
    tap.finish(lambda: tap.skip("cells of a notebook", "python3-ipykernel is missing (./bootstrap setup ci)"))
