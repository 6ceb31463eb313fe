/* SPDX-License-Identifier: Apache-2.0 */
/* A packing as dense and as touching as a settled bed, at any size and at once. */
#ifndef TESTS_MEMORY_PACKING_H
#define TESTS_MEMORY_PACKING_H

#include <math.h>

#include "base/random.h"
#include "engine/sim.h"

/*
 * Spheres of radius 0.5 mm on a body-centred cubic lattice of m cells a side, displaced at random
 * by up to 2 % of r on each axis. Inside, each has 8 neighbours within a few percent of r, 4 list
 * pairs per sphere. Along a bond the displacement has a standard deviation of sqrt(2/3) 0.02 r; the
 * lattice is narrower than touching by 0.468 of that, so that 68 % of the neighbours touch: 2.7
 * contacts a sphere. A bed that settled without friction has 2.72 and 4.05 (a skin of 0.2 r).
 */
#define PACKING_RADIUS 0.0005 /* [m] */
#define PACKING_JITTER (0.02 * PACKING_RADIUS)
#define PACKING_CELL ((2.0 * PACKING_RADIUS - 0.468 * 0.8165 * PACKING_JITTER) / 0.8660254037844386)

static inline uint32_t packing_count(uint32_t m)
{
    return 2 * m * m * m;
}

/** Position [m] of sphere i < packing_count(m); all are inside [0, m PACKING_CELL] on each axis. */
static inline void packing_place(uint32_t m, uint32_t i, double x[3])
{
    uint32_t cell = i / 2, at[3] = {cell % m, cell / m % m, cell / m / m};
    for (uint32_t k = 0; k < 3; k++)
        x[k] = (at[k] + (i % 2 ? 0.75 : 0.25)) * PACKING_CELL +
               PACKING_JITTER * (2.0 * scree_random_unit(1, 0, i, k) - 1.0);
}

/** Its spheres, in addition to the bodies of the scene. */
static inline void packing_add(scree_scene *scene, uint32_t m)
{
    for (uint32_t i = 0; i < packing_count(m); i++) {
        scree_body body = {.id = 1000 + i, .scale = PACKING_RADIUS, .q = {1.0}};
        packing_place(m, i, body.x);
        g_array_append_val(scene->bodies, body);
    }
}

/** The scene of it: six walls, no gravity, one law; `bodies` goes into the group of bodies, `more`
 * to the end. New string. */
static inline char *packing_scene(uint32_t m, const char *bodies, const char *more)
{
    // The outermost spheres would touch the walls if they were not displaced.
    double low = 0.25 * PACKING_CELL - PACKING_RADIUS, high = m * PACKING_CELL - low;
    return g_strdup_printf(
        "scene = { title = \"Packing\"; dimension = 3; dt = 1.0e-6; steps = 3; };\n"
        "materials = { beads = { density = 2500.0; }; };\n"
        "shapes = { x0 = { type = \"plane\"; normal = (1.0, 0.0, 0.0); };\n"
        "  x1 = { type = \"plane\"; normal = (-1.0, 0.0, 0.0); };\n"
        "  y0 = { type = \"plane\"; normal = (0.0, 1.0, 0.0); };\n"
        "  y1 = { type = \"plane\"; normal = (0.0, -1.0, 0.0); };\n"
        "  z0 = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"
        "  z1 = { type = \"plane\"; normal = (0.0, 0.0, -1.0); }; };\n"
        "bodies = { %s\n"
        "  x0 = { shape = \"x0\"; position = (%.9g, 0.0, 0.0); };\n"
        "  x1 = { shape = \"x1\"; position = (%.9g, 0.0, 0.0); };\n"
        "  y0 = { shape = \"y0\"; position = (0.0, %.9g, 0.0); };\n"
        "  y1 = { shape = \"y1\"; position = (0.0, %.9g, 0.0); };\n"
        "  z0 = { shape = \"z0\"; position = (0.0, 0.0, %.9g); };\n"
        "  z1 = { shape = \"z1\"; position = (0.0, 0.0, %.9g); }; };\n"
        "force = ( { plugin = \"linear\"; kn = 1000.0; friction = 0.5; damping = \"mass\";\n"
        "  gamma_n = 12500.0; gamma_t = 6250.0; } );\n"
        "extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 5.0e-5; };\n%s",
        bodies, low, high, low, high, low, high, more);
}

#endif
