# SPDX-License-Identifier: Apache-2.0
"""Shows how far an advance is: a bar on a terminal and in a notebook, otherwise nothing."""
import sys
import time

INTERVAL = 0.2  # [s]
CELLS = 20


def _duration(seconds):
    if seconds >= 3600:
        return f"{seconds // 3600:.0f} h {seconds // 60 % 60:02.0f} min"
    return f"{seconds // 60:.0f} min {seconds % 60:02.0f} s" if seconds >= 60 else f"{seconds:.0f} s"


def in_notebook():
    """Whether a kernel of Jupyter runs this process."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


class Progress:
    """`show`: None where there is a terminal or a notebook, True or False. `total`: steps, 0 if unknown."""

    def __init__(self, show, total):
        self.notebook = in_notebook()
        self.on = show if show is not None else self.notebook or sys.stderr.isatty()
        self.total, self.begin, self.drawn = total, time.monotonic(), None
        self.next = self.begin + INTERVAL

    def line(self, done, moment, now):
        """The text of the bar."""
        rate = done / (now - self.begin)
        tail = f"{rate:.3g} steps/s  t = {moment:.4g} s"
        if not self.total:
            return f"step {done}  {tail}"
        share = min(done / self.total, 1.0)
        bar = "#" * int(share * CELLS)
        left = f"  {_duration((self.total - done) / rate)} left" if 0 < done < self.total else ""  # the last step may be one more
        return f"[{bar:.<{CELLS}}] {100 * share:5.1f} %  {tail}{left}"

    def step(self, done, moment):
        """Draws the bar when it is time to; `done`: steps of this advance."""
        now = time.monotonic()
        if not self.on or now < self.next:
            return
        self.next = now + INTERVAL
        self._draw(self.line(done, moment, now))

    def _draw(self, line):
        if self.notebook:
            from IPython.display import display  # only a process that has IPython gets here
            if self.drawn:
                self.drawn.update({"text/plain": line}, raw=True)
            else:
                self.drawn = display({"text/plain": line}, raw=True, display_id=True)
        else:
            sys.stderr.write(f"\r{line}\033[K")
            sys.stderr.flush()
            self.drawn = True

    def end(self, done, moment):
        """Takes the bar off a terminal; in a notebook its last line stays."""
        if self.drawn and self.notebook:
            self._draw(self.line(done, moment, time.monotonic()))
        elif self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
