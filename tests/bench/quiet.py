# SPDX-License-Identifier: Apache-2.0
"""Is the machine quiet enough to measure on? Others may take the CPU (stolen time, load) or share its
clock, cache and memory (a fixed piece of work then takes unequal times)."""
import os
import statistics
import time

STOLEN = 0.02   # of the time of all CPUs, in the time looked at
OTHERS = 0.10   # of a CPU that other programs use
SCATTER = 0.10  # quartiles of the times of a fixed piece of work, over their median


def cpu_times(path="/proc/stat"):
    """(busy, stolen, all) seconds of all CPUs since boot."""
    with open(path, encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    hertz = os.sysconf("SC_CLK_TCK")
    user, nice, system, idle, wait, irq, softirq, steal = ticks
    busy = user + nice + system + irq + softirq
    return busy / hertz, steal / hertz, sum(ticks) / hertz


def work(cpu):
    """[s] A fixed piece of work on one CPU: arithmetic, and a pass through 8 MiB."""
    block = bytearray(8 << 20)
    start = time.perf_counter()
    total = sum(k * k for k in range(40_000)) + sum(block[::256])
    block[:] = bytes(len(block))
    return time.perf_counter() - start + 0.0 * total * cpu


def scatter_of(times):
    """Distance of the quartiles over the median."""
    low, middle, high = statistics.quantiles(times, n=4)
    return (high - low) / middle


def judge(stolen, others, scatter):
    """Why a machine is not quiet, or "".""" 
    wrong = []
    if stolen > STOLEN:
        wrong.append(f"{100 * stolen:.1f} % of the CPU time was stolen (at most {100 * STOLEN:g} %)")
    if others > OTHERS:
        wrong.append(f"other programs used {others:.2f} of a CPU (at most {OTHERS:g})")
    if scatter > SCATTER:
        wrong.append(f"times of equal work scatter by {100 * scatter:.0f} % (at most {100 * SCATTER:g} %)")
    return "; ".join(wrong)


def look(cpu, seconds=3.0):
    """judge() of the next seconds, in which this process works on that CPU."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        busy, stolen, total = cpu_times()
        own, end, times = time.process_time(), time.perf_counter() + seconds, []
        while time.perf_counter() < end or len(times) < 16:
            times.append(work(cpu))
        now = cpu_times()
        own = time.process_time() - own
    finally:
        os.sched_setaffinity(0, allowed)
    others = max(now[0] - busy - own, 0.0) / max((now[2] - total) / (os.cpu_count() or 1), 1e-3)
    return judge((now[1] - stolen) / max(now[2] - total, 1e-3), others, scatter_of(times))
