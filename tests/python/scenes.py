# SPDX-License-Identifier: Apache-2.0
"""Scenes of the tests of pages."""
import math


def write_screw(top):
    """A screw that turns below 300 beads in a box of planes."""
    corners = [f"v {r * math.cos(t)} {r * math.sin(t)} {0.03 * t / math.pi}" for k in range(49) for t in [math.pi * k / 12] for r in (0.002, 0.02)]
    faces = [f"f {2 * k + 1} {2 * k + 2} {2 * k + 4} {2 * k + 3}" for k in range(48)]
    (top / "screw.obj").write_text("\n".join(corners + faces) + "\n")
    planes = {"below": (0, 0, 1, -0.002), "left": (1, 0, 0, -0.022), "right": (-1, 0, 0, 0.022), "front": (0, 1, 0, -0.022), "back": (0, -1, 0, 0.022)}
    shapes = "".join(f'{name} = {{ type = "plane"; normal = ({x}.0, {y}.0, {z}.0); }}; ' for name, (x, y, z, _) in planes.items())
    bodies = "".join(f'{name} = {{ shape = "{name}"; position = ({abs(x) * at}, {abs(y) * at}, {z * at}); }}; ' for name, (x, y, z, at) in planes.items())
    (top / "screw.cfg").write_text(f"""scene = {{ title = "Screw"; dimension = 3; dt = "auto"; steps = 2000; gravity = (0.0, 0.0, -9.81); }};
materials = {{ steel = {{ density = 2500.0; }}; }};
shapes = {{ screw = {{ type = "mesh"; file = "screw.obj"; }}; {shapes} }};
bodies = {{ screw = {{ shape = "screw"; motion = "kinematic"; }}; {bodies} }};
generate = {{ beads = {{ plugin = "random"; count = 300; radius = 0.002; region = {{ min = (-0.02, -0.02, 0.0); max = (0.02, 0.02, 0.12); }}; }}; }};
modifiers = {{ drive = {{ plugin = "move"; motion = "rotation"; groups = "screw"; axis = (0.0, 0.0, 1.0); period = 0.2; }}; }};
force = ( {{ plugin = "linear"; kn = 2000.0; restitution = 0.6; friction = 0.5; }} );
""")


def write_empty(top):
    """One ball, which leaves the region."""
    (top / "empty.cfg").write_text('scene = { title = "Nothing"; dimension = 3; dt = 1e-3; steps = 20; region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); }; gravity = (0.0, 0.0, -9.81); boundary = "destroy"; };\n'
                                   'materials = { glass = { density = 2500.0; }; };\nbodies = { one = { shape = "sphere"; radius = 0.01; position = (0.5, 0.5, 0.002); velocity = (0.0, 0.0, -1.0); }; };\nforce = ( { plugin = "linear"; kn = 1000.0; } );\n')
