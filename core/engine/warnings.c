/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings at the start and end of a run: dt, overlaps, walls wider than a period, bodies
 * outside. */
#include "engine/warnings.h"

#include <inttypes.h>
#include <math.h>

#include "base/say.h"
#include "config/config_node.h"
#include "plugin/loader.h"

static const double overlap_limit = 0.01;   /* [-] over the smaller size; settled beds have less */
static const double destroyed_limit = 0.01; /* [-] relative to the free bodies */
static const double wide_limit = 1e-6;      /* [-] relative to a period: rounding of vertices */

/** Adds the place of scene.dt to the error if it has this dt; always false. */
static bool blame_dt(const scree_scene *scene, double dt, GError **error)
{
    const scree_node *node = scree_node_find(scree_node_find(scene->config->root, "scene"), "dt");
    const bool number = node && node->type != SCREE_NODE_STRING && node->d == dt;
    if (number || !scene->schedule->len)
        scree_node_blame(node, error);
    return false;
}

bool scree_check_dt(const scree_scene *scene, double dt, const scree_critical *critical,
                    GError **error)
{
    const bool spring = isfinite(critical->spring.step);
    double limit = scree_critical_certain(critical), smallest = scree_critical_smallest(critical);
    if (!isnan(scene->dt) && dt > scene->dt_limit * limit) {
        scree_fail(error, SCREE_EXIT_USAGE,
                   "scene.dt = %g s is %.3g times the critical step%s, %.6g s: the run would blow "
                   "up; take a smaller dt or \"auto\" (scene.dt_limit = %g is the largest factor "
                   "that is run)",
                   dt, dt / limit, spring ? " of one contact" : " of Rayleigh", limit,
                   scene->dt_limit);
        return blame_dt(scene, dt, error);
    }
    g_autofree char *whose = scree_critical_name(critical);
    if (!(dt > 0.0))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "scene.dt: \"auto\" gives %g s, since the critical step is %g s (%s): "
                          "expected masses and stiffnesses that give a step above 0 s",
                          dt, smallest, whose);
    if (dt > limit) // from the smallest up to this one, contacts decide (diagnostics.c)
        scree_say(SCREE_SAY_WARNING,
                  "dt = %g s is above the critical step of %s, %g s: the run may "
                  "gain energy",
                  dt, spring ? "one contact" : "Rayleigh", limit);
    return true;
}

/** Returns the worst overlap of all lanes, by share of the radius, then by the lower ids. */
static const scree_overlap *find_worst(const scree_sim *sim, uint64_t *n)
{
    return scree_overlap_worst(sim->warnings.overlaps, scree_pool_lanes(sim->runtime.pool), n);
}

const char *scree_group_of(const scree_sim *sim, uint64_t id)
{
    const scree_world *w = sim->world;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->id[i] == id)
            return sim->scene->group_names->pdata[w->group[i]];
    return "?";
}

char *scree_check_overlap(const scree_sim *sim)
{
    uint64_t n;
    const scree_overlap *worst = find_worst(sim, &n);
    if (!worst)
        return NULL;
    return g_strdup_printf("%.4g m (%.3g %% of %s), body %" PRIu64 " (%s) against body %" PRIu64
                           " (%s), the deepest of %" PRIu64,
                           worst->depth, 100.0 * worst->share, scree_overlap_of(worst->flags),
                           worst->id_a, scree_group_of(sim, worst->id_a), worst->id_b,
                           scree_group_of(sim, worst->id_b), n);
}

/** Returns the extension [m] of body i's facets along an axis of the world. */
static double wall_width(const scree_world *w, uint32_t i, int axis)
{
    const scree_mesh *mesh = w->shapes[w->shape[i]]->mesh;
    double lo = (double)INFINITY, hi = -(double)INFINITY;
    for (uint32_t k = 0; k < mesh->n_vertices; k++) {
        const double own[3] = {mesh->vertex[0][k], mesh->vertex[1][k], mesh->vertex[2][k]};
        double turned[3];
        scree_world_turn(w, i, own, turned);
        lo = fmin(lo, w->scale[i] * turned[axis]);
        hi = fmax(hi, w->scale[i] * turned[axis]);
    }
    return hi - lo;
}

/** Warns of wide walls: a wall meets bodies once for each of its periodic images there. */
static void check_wide_walls(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    for (uint32_t i = w->n_free; w->cell.repeats && i < w->n; i++)
        for (int k = 0; k < (int)w->dimension; k++) {
            if (!scree_repeats(&w->cell, k) || !(w->shapes[w->shape[i]]->flags & SCREE_CAP_WALL))
                continue;
            const double width = wall_width(w, i, k);
            if (width > w->cell.vector[k][k] * (1.0 + wide_limit))
                scree_say(
                    SCREE_SAY_WARNING,
                    "bodies.%s: its facets reach over %.6g m along %c, the "
                    "periodic cell over %.6g m: where a facet lies on an image of another, "
                    "bodies touch both, and the wall is as stiff as both; let it end with the "
                    "cell, or take a plane",
                    (const char *)sim->scene->group_names->pdata[w->group[i]], width, "xyz"[k],
                    w -> cell.vector[k][k]);
        }
}

void scree_check_start(const scree_sim *sim)
{
    check_wide_walls(sim);
    uint64_t n;
    const scree_overlap *worst = find_worst(sim, &n);
    g_autofree char *text = scree_check_overlap(sim);
    if (worst && worst->share > overlap_limit &&
        sim->plugins.contact.n_laws) // without a law nothing pushes them
        scree_say(SCREE_SAY_WARNING, "bodies overlap at the start: %s; they will be flung apart",
                  text);
}

uint32_t scree_check_outside(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    uint32_t n = 0;
    if (sim->scene->has_region)
        for (uint32_t i = 0; i < w->n_free; i++) {
            bool outside = false;
            for (int k = 0; k < (int)w->dimension; k++)
                outside |= sim->scene->boundary[k] == SCREE_BOUNDARY_OPEN &&
                           (w->x[k][i] < sim->scene->region_min[k] ||
                            w->x[k][i] > sim->scene->region_max[k]);
            n += outside;
        }
    return n;
}

void scree_check_destroyed(const scree_sim *sim)
{
    const uint64_t gone = sim->counters.destroyed, all = gone + sim->world->n_free;
    bool all_around = !sim->scene->to_come->len;
    for (uint32_t k = 0; k < sim->scene->dimension; k++)
        all_around = all_around && sim->scene->boundary[k] == SCREE_BOUNDARY_DESTROY;
    if (all_around && (double)gone > destroyed_limit * (double)all)
        scree_say(SCREE_SAY_WARNING,
                  "the boundary has destroyed %" PRIu64 " of %" PRIu64 " free bodies: if they were "
                  "to stay, a wall leaks, or scene.region ends too early",
                  gone, all);
}

void scree_check_files(void)
{
    g_autoptr(GPtrArray) changed = scree_files_changed();
    for (guint i = 0; i < changed->len; i++)
        scree_say(SCREE_SAY_WARNING,
                  "%s was written to after it was loaded: which code ran is "
                  "uncertain; build plugins into a new file, then rename it",
                  (const char *)changed->pdata[i]);
}
