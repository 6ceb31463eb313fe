/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the host could have made a call that was read from a replay file: anyone may have
 * made the file, and a plugin does not check its arguments. */
#include "run/blame_check.h"

#include <inttypes.h>
#include <math.h>

#include "engine/kernels.h"

static bool fail_value(GError **error, const char *what, uint64_t expected, uint64_t got)
{
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "the recorded call is damaged: %s: expected %" PRIu64 ", got %" PRIu64, what,
                      expected, got);
}

typedef struct equal {
    const char *what;
    uint64_t is, should;
} equal;

static bool all_equal(const equal *list, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].is != list[i].should)
            return fail_value(error, list[i].what, list[i].should, list[i].is);
    return true;
}

typedef struct present {
    const char *name;
    const void *array;
    bool needed;
} present;

static bool all_there(const present *list, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].needed && !list[i].array)
            return scree_blame_fail_array(error, list[i].name);
    return true;
}

static bool all_below(const char *what, const uint32_t *v, uint64_t n, uint64_t below,
                      GError **error)
{
    for (uint64_t i = 0; i < n; i++)
        if (v[i] >= below)
            return fail_value(error, what, below ? below - 1 : 0, v[i]);
    return true;
}

bool scree_blame_check_bodies(const scree_bodies *b, const scree_scene *scene, GError **error)
{
    const equal numbers[] = {{"bodies.size", b->size, sizeof *b},
                             {"bodies.dimension", b->dimension, scene->dimension},
                             {"bodies.n_materials", b->n_materials, scene->materials.n},
                             {"bodies.n_shapes", b->n_shapes, scene->shapes->len},
                             {"bodies.n_free", MIN(b->n_free, b->n), b->n_free}};
    const present arrays[] = {{"bodies.id.0", b->id, true},
                              {"bodies.shape.0", b->shape, true},
                              {"bodies.material.0", b->material, true},
                              {"bodies.motion.0", b->motion, true},
                              {"bodies.scale.0", b->scale, true},
                              {"bodies.radius.0", b->radius, true},
                              {"bodies.inv_mass.0", b->inv_mass, true},
                              {"bodies.wrench.0", b->wrench, true},
                              {"bodies.group.0", b->group, true},
                              {"bodies.q.3", b->q[3], b->q[0] && b->q[1] && b->q[2]},
                              {"bodies.q", b->q[0] && b->q[1] && b->q[2] ? b : NULL, true}};
    if (!all_equal(numbers, G_N_ELEMENTS(numbers), error) ||
        !all_there(arrays, G_N_ELEMENTS(arrays), error))
        return false;
    for (int k = 0; k < 3; k++)
        if (!b->x[k] || !b->v[k] || !b->w[k] || !b->inv_inertia[k] || !b->image[k])
            return scree_blame_fail_array(error, "bodies.x, v, w, inv_inertia or image");
    return all_below("bodies.shape", b->shape, b->n, b->n_shapes, error) &&
           all_below("bodies.material", b->material, b->n, b->n_materials, error) &&
           all_below("bodies.motion", b->motion, b->n, SCREE_MOTION_FIXED + 1, error);
}

static uint32_t count_components(const scree_plugin *plugin, bool contact)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope == SCREE_SCOPE_PAIR ||
            (contact && plugin->fields[f]->scope == SCREE_SCOPE_CONTACT))
            n += plugin->fields[f]->components;
    return n;
}

static uint32_t count_arrays(const double *const *in)
{
    uint32_t n = 0;
    while (n < SCREE_MAX_PAIR_FIELDS && in[n])
        n++;
    return n;
}

static bool vector_there(const double *const v[3])
{
    return v[0] && v[1] && v[2];
}

bool scree_blame_check_batch(const scree_contact_batch *b, const scree_plugin *plugin,
                             const double *const *in, const double *const *out, GError **error)
{
    const uint32_t n_fields = count_components(plugin, true);
    const scree_force_ops *ops = plugin->ops;
    const uint64_t needs = SCREE_HAS(ops, uses) ? 0 : plugin->needs,
                   gives = SCREE_HAS(ops, uses) ? 0 : plugin->provides;
    const equal numbers[] = {{"call.size", b->size, sizeof *b},
                             {"call.n", MIN(b->n, SCREE_MAX_PAIR_CONTACTS), b->n},
                             {"call.in", count_arrays(in), n_fields},
                             {"call.out", count_arrays(out), n_fields}};
    const present arrays[] = {
        {"call.a.0", b->a, true},
        {"call.b.0", b->b, true},
        {"call.normal", vector_there(b->normal) ? b : NULL, true},
        {"call.depth.0", b->depth, true},
        {"call.fresh.0", b->fresh, true},
        {"call.f", b->f[0] && b->f[1] && b->f[2] ? b : NULL, true},
        {"call.in", b->in, n_fields != 0},
        {"call.out", b->out, n_fields != 0},
        {"call.v", vector_there(b->v) ? b : NULL, needs & SCREE_IN_VELOCITY},
        {"call.slip", vector_there(b->slip) ? b : NULL, needs & SCREE_IN_SLIP},
        {"call.roll", vector_there(b->roll) ? b : NULL, needs & SCREE_IN_ROLL},
        {"call.spin", vector_there(b->spin) ? b : NULL, needs & SCREE_IN_SPIN},
        {"call.arm", vector_there(b->arm) ? b : NULL, needs & SCREE_IN_ARM},
        {"call.d", vector_there(b->d) ? b : NULL, needs & SCREE_IN_ARM},
        {"call.mass.0", b->mass, needs & SCREE_IN_MASS},
        {"call.materials.0", b->materials, needs & SCREE_IN_MATERIALS},
        {"call.area.0", b->area, needs & SCREE_IN_AREA},
        {"call.chord.0", b->chord, needs & SCREE_IN_CHORD},
        {"call.normal_force.0", b->normal_force, needs & SCREE_IN_NORMAL_FORCE},
        {"call.volume.0", b->volume, needs & SCREE_IN_VOLUME},
        {"call.twist.0", b->twist, needs & SCREE_IN_TWIST},
        {"call.part", b->part[0] && b->part[1] ? b : NULL, needs & SCREE_IN_PARTS},
        {"call.principal",
         b->principal[0] && b->principal[1] && b->principal[2] && b->principal[3] ? b : NULL,
         needs & SCREE_IN_PRINCIPAL},
        {"call.direction",
         vector_there(b->direction[0]) && vector_there(b->direction[1]) ? b : NULL,
         needs & SCREE_IN_PRINCIPAL},
        {"call.curvature", b->curvature[0] && b->curvature[1] ? b : NULL,
         needs & SCREE_IN_CURVATURE},
        {"call.radius", b->radius[0] && b->radius[1] ? b : NULL, needs & SCREE_IN_RADII},
        {"call.stored.0", b->stored, gives & SCREE_OUT_STORED},
        {"call.lost.0", b->lost, gives & SCREE_OUT_LOST},
        {"call.heat.0", b->heat, gives & SCREE_OUT_HEAT},
        {"call.couple", b->couple[0] && b->couple[1] && b->couple[2] ? b : NULL,
         gives & SCREE_OUT_COUPLE},
        {"call.couple_b", b->couple_b[0] && b->couple_b[1] && b->couple_b[2] ? b : NULL,
         gives & SCREE_OUT_COUPLE_B}};
    return all_equal(numbers, G_N_ELEMENTS(numbers), error) &&
           all_there(arrays, G_N_ELEMENTS(arrays), error);
}

bool scree_blame_check_candidates(const scree_candidates *c, const scree_plugin *plugin,
                                  uint32_t hint_bytes, const double *const *in,
                                  const double *const *out, GError **error)
{
    const scree_bodies *bodies = c->bodies;
    const uint32_t n_fields = count_components(plugin, false);
    const equal numbers[] = {{"call.size", c->size, sizeof *c},
                             {"call.n", MIN(c->n, SCREE_BATCH_MAX), c->n},
                             {"call.hint_bytes", c->hint_bytes, hint_bytes},
                             {"call.in", count_arrays(in), n_fields},
                             {"call.out", count_arrays(out), n_fields}};
    const present arrays[] = {{"call.a.0", c->a, true},
                              {"call.b.0", c->b, true},
                              {"call.d", vector_there(c->d) ? c : NULL, true},
                              {"call.radius_a.0", c->radius_a, true},
                              {"call.radius_b.0", c->radius_b, true},
                              {"call.part_a.0", c->part_a, c->first != NULL},
                              {"call.part_b.0", c->part_b, c->first != NULL},
                              {"call.hints.0", c->hints, hint_bytes != 0}};
    if (!all_equal(numbers, G_N_ELEMENTS(numbers), error) ||
        !all_there(arrays, G_N_ELEMENTS(arrays), error))
        return false;
    for (uint32_t p = 0; p < c->n; p++) {
        const uint32_t a = bodies->shapes[bodies->shape[c->a[p]]]->type,
                       b = bodies->shapes[bodies->shape[c->b[p]]]->type;
        if (a != c->type_a || b != c->type_b)
            return fail_value(error, "type of the bodies of a pair",
                              a != c->type_a ? c->type_a : c->type_b, a != c->type_a ? a : b);
    }
    return true;
}

bool scree_blame_check_boxes(const scree_boxes *b, const scree_scene *scene, GError **error)
{
    const equal numbers[] = {{"call.size", b->size, sizeof *b},
                             {"call.dimension", b->dimension, scene->dimension}};
    if (!all_equal(numbers, G_N_ELEMENTS(numbers), error))
        return false;
    if (!vector_there(b->lo) || !vector_there(b->hi) || !vector_there(b->centre) || !b->radius)
        return scree_blame_fail_array(error, "call.lo, hi, centre or radius");
    for (uint32_t i = 0; i < b->n; i++) {
        bool sound = isfinite(b->radius[i]) && b->radius[i] >= 0.0;
        for (int k = 0; k < 3; k++)
            sound = sound && isfinite(b->lo[k][i]) && isfinite(b->hi[k][i]) &&
                    b->lo[k][i] <= b->hi[k][i] && b->centre[k][i] >= b->lo[k][i] &&
                    b->centre[k][i] <= b->hi[k][i];
        if (!sound && !(b->lo[0][i] > b->hi[0][i])) {
            g_set_error(
                error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "the recorded call is damaged: box %u: expected finite bounds about its centre", i);
            return false;
        }
    }
    return true;
}
