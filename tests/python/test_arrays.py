# SPDX-License-Identifier: Apache-2.0
"""Arrays of a run in numpy, and a force that numpy computes: bit for bit that of modifier/drag.

usage: test_arrays.py SCREE SOURCE
"""
import pathlib
import sys
import time
import warnings

import numpy
import scree
import tap

SOURCE = pathlib.Path(sys.argv[2]).resolve()
HOPPER = SOURCE / "configs/hopper.cfg"
VISCOSITY, WIND = 1.8e-2, (0.3, 0.0, -0.1)
DRAG = {"plugin": "drag", "law": "stokes", "viscosity": VISCOSITY, "velocity": WIND, "groups": ["beads"]}


def wind(b):
    """Stokes' drag in a wind, in the order of plugins/modifier/drag.c."""
    n = b.n_free
    k = 6.0 * numpy.pi * VISCOSITY * b.radius[:n]
    u = [b.v[i][:n] - WIND[i] for i in range(3)]
    work = 0.0
    for i in range(3):
        force = -k * u[i]
        b.force[i][:n] += force
        work = work + force * WIND[i]
    b.lost[:n] += k * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    b.power[:n] += work


def error_of(function, kind):
    try:
        return f"no error: {function()}"
    except kind as error:
        return error


def open_hopper(count=100, **more):
    return scree.open(HOPPER, generate={"beads": {"count": count}}, observers={}, **more)


def test_copies(top):
    with open_hopper() as run:
        run.advance(steps=200)
        n = len(run.id)
        tap.check("arrays have a row a body and a column an axis", run.x.shape == run.v.shape == run.force.shape == (n, 3) and run.q.shape == (n, 4)
                  and run.radius.shape == (n,) and run.x.dtype == float and run.id.dtype == numpy.uint64 and run.group.dtype == numpy.uint32, run.names)
        free = run.motion == 0
        energy = (0.5 * run.mass[free] * (run.v[free] ** 2).sum(axis=1)).sum()
        tap.check("their values are those of the run", free.sum() == 100 and 0 < energy <= run.figure("kinetic") * (1 + 1e-12), (energy, run.figure("kinetic")))
        before = run.x
        run.advance(steps=10)
        tap.check("a copy stays", not numpy.array_equal(before, run.x))
        tap.check("a name that is wrong gives the nearest", "radius" in str(error_of(lambda: run.array("radios"), scree.UseError)))


def test_columns(top):
    with open_hopper() as run:
        z = run.column("x", 2)
        before = z.copy()
        run.advance(steps=5)
        tap.check("a column is the memory of the run: it changes with it", not numpy.array_equal(before, z) and numpy.array_equal(z, run.x[:, 2]))
        tap.check("and counts like an array", abs(float((2.0 * z - z).mean() - run.x[:, 2].mean())) < 1e-15 and len(z) == len(run.id)
                  and numpy.asarray(z).base is not None and z.max() == run.x[:, 2].max(), z)
        tap.check("force has its column among others", numpy.array_equal(run.column("force", 1), run.force[:, 1]))
        tap.check("it cannot be written", isinstance(error_of(lambda: z.__setitem__(0, 1.0), ValueError), ValueError))
        for name, part in {"a slice": z[:10], "a slice of a slice": z[::2][1:]}.items():
            tap.check(f"{name} is as valid as its column", numpy.array_equal(part, z[:10] if name == "a slice" else z[::2][1:]) and type(part) is type(z))
        tap.check("values that a mask chooses are a copy", type(z[z > 0.0]) is numpy.ndarray)
        top10 = z[:10]
        tap.check("a column that an array lacks is refused", isinstance(error_of(lambda: run.column("x", 3), IndexError), IndexError))
        run.swap(gcd={"plugin": "bvh"})
        kept = run.state()
        run.restore(kept)
        seen = error_of(lambda: z.mean(), RuntimeError)
        tap.check("when bodies may have moved in memory it raises an error", isinstance(seen, RuntimeError) and "out of date" in str(seen), seen)
        tap.check("so does a slice", isinstance(error_of(lambda: top10[0], RuntimeError), RuntimeError))
        tap.check("also where it is part of a sum", isinstance(error_of(lambda: z + 1.0, RuntimeError), RuntimeError))


def test_bodies(top):
    with open_hopper() as run:
        for name in ("x", "radius", "gravity", "y"):
            seen = error_of(lambda: setattr(run, name, 1.0), AttributeError)
            tap.check(f"run.{name} = .. is refused", "set_bodies" in str(seen) and isinstance(seen, AttributeError), seen)
        for bad in ([0.5], [-1], [5.7], [3, 3]):
            seen = error_of(lambda: run.set_bodies("v", numpy.zeros((len(bad), 3)), bad), scree.UseError)
            tap.check(f"ids {bad} are refused", "expected ids" in str(seen), seen)
        ids, v = run.id[:100], numpy.zeros((100, 3))
        v[:, 2] = 0.25
        run.set_bodies("v", v, ids)
        tap.check("velocities are set by ids", numpy.array_equal(run.v[:100], v))
        run.set_bodies("v", v[::-1] * 2.0, ids[::-1])
        tap.check("in any order", (run.v[:100, 2] == 0.5).all() and abs(run.figure("work")) > 0.0, run.v[:3])
        for bad in (v[:, :2], v[:5], v[:, 0]):
            seen = error_of(lambda: run.set_bodies("v", bad, ids), ValueError)
            tap.check(f"values of the shape {bad.shape} are refused", isinstance(seen, ValueError) and str(bad.shape) in str(seen), seen)
        seen = error_of(lambda: run.set_bodies("colour", v[:, 0], ids), scree.UseError)
        tap.check("a name that bodies do not have is refused", isinstance(seen, scree.UseError), seen)


def test_contacts(top):
    with open_hopper(count=300) as run:
        run.want("contacts")
        run.advance(duration="150 ms")
        a, depth = run.array("contacts.a"), run.array("contacts.depth")
        tap.check("contacts of the last step have ends, depths and forces", len(a) == len(depth) > 0 and run.array("contacts.force").shape == (len(a), 3)
                  and abs(numpy.linalg.norm(run.array("contacts.normal"), axis=1) - 1.0).max() < 1e-12, (len(a), run.figure("contacts")))


def timed(run, steps):
    begin = time.process_time()
    run.advance(steps=steps, progress=False)
    return time.process_time() - begin


def test_drag(top):
    for count in (100, 3000):
        calls = [0]

        def counted(b):
            calls[0] += 1
            wind(b)

        with open_hopper(count, modifiers={"air": DRAG}) as plugin, open_hopper(count, modifiers={"air": scree.callback(counted)}) as ours, \
                open_hopper(count) as without:
            seconds = [timed(run, 400) for run in (plugin, ours, without)]
            tap.check(f"{count} beads: drag by numpy ends in the state of modifier/drag, to the last bit", plugin.hash == ours.hash != without.hash
                      and calls[0] >= 400, (plugin.hash, ours.hash, calls))
            print(f"# {count} beads: an evaluation of drag takes {1e6 * (seconds[0] - seconds[2]) / calls[0]:.0f} us of CPU time in C, "
                  f"{1e6 * (seconds[1] - seconds[2]) / calls[0]:.0f} us in numpy")
            tap.check("and has its account of energies", all(plugin.figure(name) == ours.figure(name) for name in ("lost", "work", "residual")),
                      [(plugin.figure(name), ours.figure(name)) for name in ("lost", "work", "residual")])
            forces = [run.forces_of("modifiers.air") for run in (plugin, ours)]
            tap.check("forces_of gives its reaction", all(numpy.array_equal(a, b) for a, b in zip(*forces)) and forces[0][0].shape == (len(ours.id), 3)
                      and numpy.any(forces[0][0]) and numpy.any(forces[0][2]), forces)


def test_views(top):
    """Arrays of a function are the memory of the run: those to be read cannot be written."""
    seen = {}

    def look(b):
        if not seen:
            seen.update(ids=b.id.copy(), x=[x.copy() for x in b.x], n=len(b.group), refused=repr(error_of(lambda: b.v[0].__setitem__(0, 1.0), ValueError)),
                        unknown=repr(error_of(lambda: b.colour, AttributeError)), kinds=(b.shape.dtype, b.image[0].dtype, len(b.q), b.stored.shape))

    with open_hopper(modifiers={"air": scree.callback(look)}) as run:
        run.step()
        tap.check("a function sees the bodies", numpy.array_equal(seen["ids"], run.id) and seen["n"] == len(run.id)
                  and seen["kinds"] == (numpy.uint32, numpy.int32, 4, (len(run.id),)), seen)
        tap.check("it cannot change what is to be read", seen["refused"].startswith("ValueError") and seen["unknown"].startswith("AttributeError"), seen)


def test_gone(top):
    """Views of a function are made again when a body has gone."""
    sizes = set()

    def look(b):
        sizes.add((b.n, len(b.id), len(b.x[0]), len(b.power), int(b.id.sum())))

    scene = {"scene": {"dt": 1e-4, "steps": 200, "region": {"min": (-1, -1, 0), "max": (1, 1, 1)}, "boundary": "destroy"},
             "materials": {"m": {"density": 1000.0}}, "modifiers": {"air": scree.callback(look)},
             "bodies": {"a": {"radius": 0.01, "position": (0.0, 0.0, 0.5)}, "b": {"radius": 0.01, "position": (0.5, 0.0, 0.01), "velocity": (0.0, 0.0, -1.0)}}}
    with scree.open(scene) as run:
        ids = run.id
        run.advance()
        tap.check("when a body has gone a function sees those that are left", sizes == {(2, 2, 2, 2, int(ids.sum())), (1, 1, 1, 1, int(run.id.sum()))}, sizes)


def test_changed(_):
    """velocity_verlet: v' = v + dt (F + F') / 2 m, with F of the step before, or of this one after forces_changed()."""
    pull = {"force": 1.0, "stored": 0.0}

    def look(b):
        b.force[0] += pull["force"]
        b.stored[0] += pull["stored"]

    scene = {"scene": {"dt": 1e-3, "steps": 100}, "materials": {"m": {"density": 1000.0}}, "modifiers": {"air": scree.callback(look)},
             "bodies": {"a": {"radius": 0.05, "position": (0.0, 0.0, 0.0)}}}
    for asked in (False, True):
        pull.update(force=1.0, stored=0.0)
        with scree.open(scene) as run:
            run.step(10)
            mass, before, work = float(run.mass[0]), float(run.v[0, 0]), run.figure("work")
            pull.update(force=3.0, stored=0.25)
            if asked:
                run.forces_changed()
            booked = run.figure("work") - work
            run.step()
            gained = mass * (float(run.v[0, 0]) - before) / 1e-3
            tap.check(f"a step after a change of what a callback reads {'and forces_changed() has the new forces' if asked else 'has half of the old ones'}",
                      abs(gained - (3.0 if asked else 2.0)) < 1e-9, gained)
            tap.check(f"energy that the change stores {'is booked as work' if asked else 'is not known before the step'}",
                      abs(booked - (0.25 if asked else 0.0)) < 1e-12, booked)


def bad_functions():
    kept = []

    def rebinds(b):
        b.force[2] = b.force[2] + 1.0

    def replaces(b):
        b.force = b.v

    def mistypes(b):
        b.froce = 3

    def yields(b):
        yield b.force

    async def waits(b):
        b.force[2][:] += 1.0

    def returns(b):
        return b.v[2] * 2.0

    def keeps_array(b):
        kept.append(b.force[2])

    def keeps_slice(b):
        kept.append(b.x[2][:b.n_free][1:])

    def keeps_bodies(b):
        kept.append(b)

    return {rebinds: "+= ..", replaces: "b.force cannot be assigned", mistypes: "b.froce cannot be assigned", yields: "returns nothing", waits: "returns nothing",
            returns: "returns nothing", keeps_array: "kept b.force", keeps_slice: "kept b.x", keeps_bodies: "kept b,"}


def test_mistakes(top):
    """A force that would get lost, and memory of the run that would be kept, end the run with the reason."""
    for function, said in bad_functions().items():
        with warnings.catch_warnings(), open_hopper(modifiers={"air": scree.callback(function)}) as run:
            warnings.simplefilter("ignore")  # a coroutine that nobody awaits
            seen = error_of(run.step, Exception)
            tap.check(f"a function that {function.__name__.replace('_', ' ')} is refused", said in str(seen), seen)
    def adds(b):
        b.force[2] += 0.0
        b.lost += 0.0
        b.lost[:b.n_free] += 0.0

    with open_hopper(modifiers={"air": scree.callback(adds)}) as run:
        tap.check("+= on a whole array adds", error_of(lambda: run.advance(steps=2), Exception) == "no error: limit")


tap.in_folders(test_copies, test_columns, test_bodies, test_contacts, test_drag, test_views, test_gone, test_changed, test_mistakes)
