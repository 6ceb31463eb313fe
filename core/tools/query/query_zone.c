// SPDX-License-Identifier: Apache-2.0
/* Geometry of zones: boxes, balls and cylinders, about which a plugin or a user asks. */
#include "tools/query/query_zone.h"

#include <math.h>

#include "scene/scene_zone.h"
#include "scree/sdk.h"

#define MOST_CELLS 1000. /* most periodic cells that a zone may span */

/** [m] Returns the distance of a point from a cylinder: in the half plane of the distance from its
 * axis and the place along it, the cylinder is a rectangle. */
static double cylinder_distance(const scree_zone *z, const double x[3])
{
    double length2 = 0.0, along = 0.0, far2 = 0.0;
    for (int k = 0; k < 3; k++) {
        const double axis = z->b[k] - z->a[k], d = x[k] - z->a[k];
        length2 += axis * axis;
        along += d * axis;
        far2 += d * d;
    }
    const double length = sqrt(length2), at = along / length;
    const double off = sqrt(fmax(0.0, far2 - at * at));
    return hypot(fmax(fmax(-at, at - length), 0.0),
                 fmax(fmax(z->inner - off, off - z->radius), 0.0));
}

double scree_zone_distance(const scree_zone *z, const double x[3])
{
    const bool ball = z->type == SCREE_ZONE_BALL;
    double d2 = 0.0;
    if (z->type == SCREE_ZONE_CYLINDER)
        return cylinder_distance(z, x);
    for (int k = 0; k < 3; k++) {
        const double d = ball ? x[k] - z->a[k] : fmax(fmax(z->lo[k] - x[k], x[k] - z->hi[k]), 0.0);
        d2 += d * d;
    }
    return sqrt(d2) - (ball ? z->radius : 0.0);
}

bool scree_zone_encloses(const scree_zone *z, const scree_query_row *row, const double shift[3])
{
    bool inside = true;
    double x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = row->centre[k] + shift[k];
        inside = inside && row->lo[k] + shift[k] >= z->lo[k] && row->hi[k] + shift[k] <= z->hi[k];
    }
    return z->type == SCREE_ZONE_CYLINDER ? scree_zone_holds(z, x, row->radius) : inside;
}

/** Returns why a ball or cylinder is invalid, to be freed; NULL: it is valid. */
static char *check_round(const scree_scene *scene, const scree_zone *z)
{
    const bool ball = z->type == SCREE_ZONE_BALL;
    const char *name = ball ? "ball" : "cylinder";
    double length2 = 0.0, from[3], to[3];
    scree_zone_enclose(z, scene->dimension, from, to);
    if (!(z->radius >= 0.0 && isfinite(z->radius)))
        return g_strdup_printf("%s of radius %g m; expected 0 or more", name, z->radius);
    for (uint32_t k = 0; k < scene->dimension; k++) {
        const double end = ball ? z->a[k] : z->b[k];
        const double slack = 1e-9 * (z->radius + fabs(z->a[k]) + fabs(end));
        if (!isfinite(z->a[k]) || !isfinite(end))
            return g_strdup_printf("centre %g m along %c; expected a finite number",
                                   isfinite(end) ? z->a[k] : end, "xyz"[k]);
        if (!(z->lo[k] <= from[k] + slack && z->hi[k] >= to[k] - slack))
            return g_strdup_printf("box from %g to %g m along %c around a %s from %g to %g m; "
                                   "expected lo and hi that hold it",
                                   z->lo[k], z->hi[k], "xyz"[k], name, from[k], to[k]);
        length2 += (end - z->a[k]) * (end - z->a[k]);
    }
    if (ball ||
        (scene->dimension == 3 && length2 > 0.0 && z->inner >= 0.0 && z->inner <= z->radius))
        return NULL;
    return g_strdup_printf(
        "cylinder of length %g m, hole of radius %g m in %g m, in %uD; expected a "
        "length above 0, a hole no wider than the cylinder, in 3D",
        sqrt(length2), z->inner, z->radius, scene->dimension);
}

char *scree_zone_check(const scree_scene *scene, const scree_zone *z)
{
    if (z->type < SCREE_ZONE_BOX || z->type > SCREE_ZONE_CYLINDER)
        return g_strdup_printf("zone of type %u; expected SCREE_ZONE_BOX, _BALL or _CYLINDER",
                               z->type);
    const double most =
        1e6 / query_host->tilt_cells(scene->region_min, scene->region_max, scene->tilt);
    char *text = z->type == SCREE_ZONE_BOX ? NULL : check_round(scene, z);
    for (uint32_t k = 0; k < scene->dimension && !text; k++) {
        const double length = scene->region_max[k] - scene->region_min[k];
        const double wide = z->hi[k] - z->lo[k], far = fmax(fabs(z->lo[k]), fabs(z->hi[k]));
        if (!(isfinite(z->lo[k]) && isfinite(z->hi[k]) && wide >= 0.0))
            text = g_strdup_printf("box from %g to %g m along %c; expected finite numbers, the "
                                   "lower one first",
                                   z->lo[k], z->hi[k], "xyz"[k]);
        else if (scene->boundary[k] == SCREE_BOUNDARY_PERIODIC &&
                 !(wide <= MOST_CELLS * length && far <= most * length))
            text = g_strdup_printf("a zone of %g m along %c, %g m from 0; expected at most %g "
                                   "periodic cells of %g m, and fewer than %g from 0",
                                   wide, "xyz"[k], far, MOST_CELLS, length, most);
    }
    return text;
}
