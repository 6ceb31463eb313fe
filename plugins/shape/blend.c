// SPDX-License-Identifier: Apache-2.0
/*
 * blend: a solid that is put together from other solids, with smooth necks between them.
 *
 * Sources  R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 8.3.2, (8.4),
 *          (8.5); W. E. Lorensen, H. E. Cline, Marching cubes, Computer Graphics 21, 1987, 163.
 * Idea     Each part has a field that decays outward; the fields are added, and the solid is where the sum is above
 *          that of a part on its own surface (level/parts.c has the formulas and what the source leaves open). Without
 *          `decay` it is the union of the parts.
 * Steps    the field at the corners of cells, its largest piece (level/surface.c), marching cubes (../cubes.c)
 * Views    scree.mesh/1, exact: the facets are the solid. Volume, centroid and inertia are theirs.
 * Error    of the facets against the field, with the cell h and the curvature k: h^2 k / 8; where parts meet in an
 *          edge, without `decay`, up to h / 2.
 * Cost     once: a value of the field for each corner of a cell. A box: 9 products for each corner of the convex hull.
 * Limits   parts have a function of their surface (scree.implicit/1, or another blend or cast): no
 *          polyhedron, clump or voxels. A neck thinner than a cell may be lost.
 */
#include "level/parts_params.h"

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    (void)gradient;
    parts_value(ctx, n, x, out);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const parts_config *config = given;
    const level_cells cells = parts_cells(config);
    parts *p;
    const int32_t code = parts_new(host, config, &p);
    if (code != SCREE_OK)
        return code;
    level l = {.view = {sizeof l.view, 0, p, value},
               .form = p,
               .free_form = parts_free,
               .bytes = parts_bytes(p)};
    parts_box(p, l.lo, l.hi);
    return level_new(host, &l, &cells, instance);
}

/* ---- descriptor ---- */

static const scree_param *const params[] = {PARTS_PARAMS};

static const scree_shape_ops ops = {.size = sizeof ops, .create = create, POLYHEDRON_CALLS};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_USES_LIBM, // exponentials
    .dimensions = SCREE_DIMENSION_3,
    .id = "blend",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a solid put together from other solids, with smooth necks or as their union",
    .summary =
        "Up to four shapes, each at any number of places, turned and scaled. With `decay` their "
        "fields exp(-decay I) are added, I being 1 on the surface of a part: parts that touch are "
        "joined by a neck of radius a sqrt(ln 2 / decay), and a single part keeps its surface. "
        "Without it the solid is the union. The surface is that of marching cubes on `cells`. "
        "resolver/dfr3d and resolver/sdf serve it; with equal `cells` dfr3d loses least.",
    .citation = "O'Connor 1996, A distributed discrete element modeling environment, thesis, MIT, "
                "8.3; Lorensen, Cline 1987, Computer Graphics 21, 163",
    .config_size = sizeof(parts_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
