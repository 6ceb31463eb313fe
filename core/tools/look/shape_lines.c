// SPDX-License-Identifier: Apache-2.0
// The lines of `scree validate` about shapes.
#include "tools/look/shape_lines.h"

#include <math.h>
#include <stdio.h>

#include "shape/plugin_shape.h"
#include "shape/shape.h"
#include "tools/look/shape_survey.h"

enum { MOST_SOLIDS = 16 }; // number of shapes with a line; a family of polygons may have hundreds

/** Prints volume, centre of mass in the frame of the scene, and radii of gyration sqrt(I / m) [m]
 * about the principal axes of a solid or clump at scale 1; in 2D area, and radius about z. */
static void print_solid(const scree_scene *s, uint32_t index)
{
    const scree_shape *shape = s->shapes->pdata[index];
    const bool flat = s->dimension == 2;
    double volume, moment[3], x[3] = {0.0, 0.0, 0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
    scree_shape_mass(shape, 1.0, 1.0, 1.0, &volume, moment);
    scree_shape_enter_frame(shape, 1.0, x, q);
    for (int k = 0; k < 3; k++)
        x[k] = fabs(x[k]) < 1e-12 * shape->radius ? 0.0 : x[k]; // rounding error of a sum over
                                                                // facets
    printf("shape      %s at scale 1: ", (const char *)s->shape_names->pdata[index]);
    if (scree_shape_facets(shape))
        printf("%u facets, ", scree_shape_facets(shape));
    printf("%s %.6g %s, ", flat ? "area" : "volume", volume, flat ? "m^2" : "m^3");
    if (flat)
        printf("radius of gyration %.6g m, centre of mass (%.6g, %.6g) m\n",
               sqrt(moment[2] / volume), x[0], x[1]);
    else
        printf("radii of gyration %.6g, %.6g, %.6g m, centre of mass (%.6g, %.6g, %.6g) m\n",
               sqrt(moment[0] / volume), sqrt(moment[1] / volume), sqrt(moment[2] / volume), x[0],
               x[1], x[2]);
}

static void print_solids(const scree_scene *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->shapes->len; i++) {
        const scree_shape *shape = s->shapes->pdata[i];
        if (!scree_plugin_shape_is_placed(shape->flags))
            continue;
        if (n++ < MOST_SOLIDS)
            print_solid(s, i);
    }
    if (n > MOST_SOLIDS)
        printf("shape      and %u more\n", n - MOST_SOLIDS);
}

/** Prints area, volume and faults of each shape of facets, in its original size. */
static void print_surfaces(const scree_scene *s)
{
    for (uint32_t i = 0; s->dimension == 3 && i < s->shapes->len; i++) {
        const scree_shape *shape = s->shapes->pdata[i];
        scree_survey v;
        if (!(shape->flags & SCREE_CAP_WALL))
            continue;
        scree_shape_survey(shape, &v);
        printf("surface    %s: %u facet%s, %u vertices, %u part%s, area %.6g m^2, ",
               (const char *)s->shape_names->pdata[i], shape->mesh->n_facets,
               shape->mesh->n_facets == 1 ? "" : "s", shape->mesh->n_vertices, v.n_parts,
               v.n_parts == 1 ? "" : "s", v.area);
        if (v.open_edges + v.branching == 0)
            printf("closed, volume %.6g m^3, normals %s", fabs(v.volume),
                   v.turned         ? "both ways"
                   : v.volume < 0.0 ? "inward"
                                    : "outward");
        else
            printf("open: %" G_GUINT64_FORMAT " edges with one facet in %" G_GUINT64_FORMAT
                   " hole%s or rim%s, %" G_GUINT64_FORMAT " with more than two",
                   v.open_edges, v.n_holes, v.n_holes == 1 ? "" : "s", v.n_holes == 1 ? "" : "s",
                   v.branching);
        if (v.turned)
            printf(", %" G_GUINT64_FORMAT " facet%s inside out", v.turned,
                   v.turned == 1 ? "" : "s");
        printf(", from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", v.lo[0], v.lo[1], v.lo[2],
               v.hi[0], v.hi[1], v.hi[2]);
        putchar('\n');
    }
}

void scree_print_shapes(const scree_scene *s)
{
    print_solids(s);
    print_surfaces(s);
}
