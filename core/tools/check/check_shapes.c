/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers: turns, and the shapes of facets that it works with. */
#include "tools/check/check_shapes.h"

#include <math.h>
#include <string.h>

#include "shape/shape.h"
#include "tools/check/guard_pages.h"

/* ---- turns ---- */

void scree_check_random_turn(uint64_t *random, uint32_t dimension, double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = dimension == 2 && (k == 1 || k == 2) ? 0.0 : scree_check_uniform(random, -1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}

/* ---- shapes ---- */

/** Corners that are given one after the other; the host merges those at one place. */
typedef struct sketch {
    GArray *xyz, *facets;
} sketch;

static void add_facet(sketch *s, uint32_t n, double (*corner)[3])
{
    uint32_t facet[4] = {SCREE_NONE, SCREE_NONE, SCREE_NONE, SCREE_NONE};
    for (uint32_t c = 0; c < n; c++) {
        facet[c] = s->xyz->len / 3;
        g_array_append_vals(s->xyz, corner[c], 3);
    }
    g_array_append_vals(s->facets, facet, 4);
}

static scree_shape *build_shape(sketch *s, uint32_t dimension)
{
    g_autoptr(GError) error = NULL;
    scree_shape *shape = scree_shape_new_facets(
        dimension, s->xyz->len / 3, (const double *)(void *)s->xyz->data, s->facets->len / 4,
        (const uint32_t *)(void *)s->facets->data, &error);
    if (!shape)
        g_error("a shape of the check is invalid: %s", error->message);
    g_array_unref(s->xyz);
    g_array_unref(s->facets);
    return shape;
}

static sketch new_sketch(void)
{
    return (sketch){g_array_new(FALSE, FALSE, sizeof(double)),
                    g_array_new(FALSE, FALSE, sizeof(uint32_t))};
}

/** One quad of a face of the cube, whole or as two triangles. */
static void add_quad(sketch *s, double (*corner)[3], bool whole)
{
    double half[3][3];
    memcpy(half, corner, 3 * sizeof *half);
    add_facet(s, whole ? 4 : 3, whole ? corner : half);
    memcpy(half[1], corner[2], 2 * sizeof *half);
    if (!whole)
        add_facet(s, 3, half);
}

scree_shape *scree_check_cube(uint32_t dimension, uint32_t cut)
{
    const uint32_t n_corners = dimension == 3 ? 4 : 2;
    const uint32_t n_pieces = dimension == 3 ? cut * cut : cut;
    sketch s = new_sketch();
    for (uint32_t face = 0; face < 2 * dimension; face++)
        for (uint32_t at = 0; at < n_pieces; at++) {
            const uint32_t axis = face / 2, i = at % cut, j = at / cut;
            double corner[4][3] = {{0}};
            for (uint32_t c = 0; c < n_corners; c++) {
                corner[c][axis] = face % 2 ? 1.0 : -1.0;
                corner[c][(axis + 1) % dimension] = -1 + 2.0 * (i + (c == 1 || c == 2)) / cut;
                if (dimension == 3)
                    corner[c][(axis + 2) % 3] = -1 + 2.0 * (j + (c > 1)) / cut;
            }
            if (dimension == 2)
                add_facet(&s, 2, corner);
            else
                add_quad(&s, corner, (i + j) % 2);
        }
    return build_shape(&s, dimension);
}

scree_shape *scree_check_fan(uint32_t dimension, uint32_t spokes)
{
    sketch s = new_sketch();
    for (uint32_t i = 0; i < spokes; i++) {
        double corner[3][3] = {{0.1, 0.2, 0.0}};
        for (uint32_t c = 0; c < 2; c++) {
            double angle = 2 * G_PI * ((i + c) % spokes) / spokes;
            corner[1 + c][0] = cos(angle);
            corner[1 + c][1] = sin(angle);
            if (dimension == 2) {
                corner[c][0] = -1.0 + 2.0 * (i + c) / spokes;
                corner[c][1] = 0.0;
            }
        }
        add_facet(&s, dimension == 2 ? 2 : 3, corner);
    }
    return build_shape(&s, dimension);
}

scree_shape *scree_check_corner(uint32_t dimension)
{
    const uint32_t n_corners = dimension == 3 ? 4 : 2;
    sketch s = new_sketch();
    for (uint32_t axis = 0; axis < dimension; axis++) {
        double corner[4][3] = {{0}};
        for (uint32_t c = 0; c < n_corners; c++) {
            corner[c][(axis + 1) % dimension] = c == 1 || c == 2;
            if (dimension == 3)
                corner[c][(axis + 2) % 3] = c > 1;
        }
        add_facet(&s, n_corners, corner);
    }
    return build_shape(&s, dimension);
}
