/* SPDX-License-Identifier: Apache-2.0 */
/* Regions in which modifiers make bodies, against scene.region and walls. */
#include "tools/look/feed_regions.h"

#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "shape/shape.h"

enum { MOST_CORNERS = 4 + 6 }; // a quad gains at most one corner at each side of the box

/** A polygon that is cut off at the sides of a box. */
typedef struct cut_polygon {
    int n;
    double x[MOST_CORNERS + 1][3];
} cut_polygon;

/** Cuts off what is beyond `at` along an axis; `side`: 1 beyond is above, -1 below (Sutherland and
 * Hodgman 1974). */
static void cut(cut_polygon *p, int axis, double at, double side)
{
    cut_polygon kept = {0};
    for (int k = 0; k < p->n; k++) {
        const double *a = p->x[k], *b = p->x[(k + 1) % p->n];
        const double da = side * (a[axis] - at), db = side * (b[axis] - at);
        if (da <= 0.0)
            memcpy(kept.x[kept.n++], a, sizeof kept.x[0]);
        if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0)) {
            const double t = da / (da - db);
            for (int i = 0; i < 3; i++)
                kept.x[kept.n][i] = a[i] + t * (b[i] - a[i]);
            kept.n++;
        }
    }
    *p = kept;
}

/** Place of a vertex of a wall in the scene. */
static void place_vertex(const scree_scene *s, const scree_body *b, uint32_t v, double to[3])
{
    const scree_mesh *mesh = ((const scree_shape *)s->shapes->pdata[b->shape])->mesh;
    const double own[3] = {b->scale * mesh->vertex[0][v], b->scale * mesh->vertex[1][v],
                           b->scale * mesh->vertex[2][v]};
    scree_rotate(b->q, own, to);
    for (int k = 0; k < 3; k++)
        to[k] += b->x[k];
}

static bool is_inside(const scree_zone *z, const double x[3])
{
    bool in = true;
    for (int k = 0; k < 3; k++)
        in = in && x[k] >= z->lo[k] && x[k] <= z->hi[k];
    return in;
}

static bool facet_is_in(const scree_scene *s, const scree_body *b, const uint32_t *v,
                        const scree_zone *z)
{
    cut_polygon p = {0};
    while (p.n < 4 && v[p.n] != SCREE_NONE) {
        place_vertex(s, b, v[p.n], p.x[p.n]);
        p.n++;
    }
    for (int k = 0; k < 3 && p.n; k++) {
        cut(&p, k, z->lo[k], -1.0);
        cut(&p, k, z->hi[k], 1.0);
    }
    return p.n > 0;
}

/** Whether a wall is partly inside and partly outside of a box. A wall inside of it, as a blade, may
 * have bodies on both sides. */
static bool crosses(const scree_scene *s, const scree_body *b, const scree_zone *z)
{
    const scree_mesh *mesh = ((const scree_shape *)s->shapes->pdata[b->shape])->mesh;
    bool out = false, in = false;
    for (uint32_t v = 0; v < mesh->n_vertices && !out; v++) {
        double x[3];
        place_vertex(s, b, v, x);
        out = !is_inside(z, x);
    }
    if (!out)
        return false;
    for (uint32_t f = 0; f < mesh->n_facets && !in; f++)
        in = facet_is_in(s, b, mesh->facet + 4 * (size_t)f, z);
    return in;
}

static void note_crossing(const scree_scene *s, const scree_node *node, const scree_zone *z)
{
    g_autofree bool *noted = g_new0(bool, s->group_names->len + 1);
    for (guint i = 0; i < s->bodies->len; i++) {
        const scree_body *b = &g_array_index(s->bodies, scree_body, i);
        const scree_shape *shape = s->shapes->pdata[b->shape];
        if (!(shape->flags & SCREE_CAP_WALL) || noted[b->group] || !crosses(s, b, z))
            continue;
        noted[b->group] = true;
        scree_config_note(s->config, node,
                          "the wall %s crosses it: bodies come on both sides of the wall",
                          (const char *)s->group_names->pdata[b->group]);
    }
}

static void note_beyond(const scree_scene *s, const scree_node *node, const scree_zone *z)
{
    for (uint32_t k = 0; s->has_region && k < s->dimension; k++)
        if (z->lo[k] < s->region_min[k] || z->hi[k] > s->region_max[k])
            scree_config_note(s->config, node,
                              "it reaches from %g m to %g m along %c, scene.region from %g m to %g "
                              "m: bodies come only inside of both",
                              z->lo[k], z->hi[k], 'x' + k, s->region_min[k], s->region_max[k]);
}

static void look_at_choice(const scree_scene *s, const scree_choice_of *choice)
{
    const void *recipe = NULL;
    for (uint32_t p = 0; p < choice->plugin->n_params; p++)
        if (choice->plugin->params[p]->type == SCREE_TYPE_RECIPE)
            memcpy(&recipe, (const char *)choice->config + choice->plugin->params[p]->offset,
                   sizeof recipe);
    for (uint32_t p = 0; recipe && p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        const scree_node *node = choice->group ? scree_node_find(choice->group, param->name) : NULL;
        const scree_zone *z;
        if (param->type != SCREE_TYPE_ZONE || !node || node->implied)
            continue;
        memcpy(&z, (const char *)choice->config + param->offset, sizeof z);
        note_beyond(s, node, z);
        if (z->type == SCREE_ZONE_BOX && s->dimension == 3)
            note_crossing(s, node, z);
    }
}

void scree_note_feed_regions(const scree_scene *s)
{
    for (guint k = 0; k < s->modifiers->len; k++)
        look_at_choice(s, ((const scree_timed_choice *)s->modifiers->pdata[k])->choice);
}
