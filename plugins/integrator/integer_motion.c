/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integer_motion: bodies that move by whole numbers, the same on every machine and with any GCD.
 *
 * Sources  Perkins 1999, section 6 (test 1 and 2): a square sample of discs, the exterior fixed,
 *          alternating velocities, 500 steps; the same with discs of varying size. Packing, sizes,
 *          speeds, and the other workloads are those of this project's comparison of broad phases;
 *          perkins_2 is only in this file.
 * Test 2   (perkins_2) diameters from 0.5 m to `ratio` times that, as many of each as cover the
 *          same area; fixed discs of all sizes are at most one largest diameter apart along a
 *          square, so that small ones leak out between them, as they did for Perkins, into two
 *          diameters of room.
 * Idea     A benchmark of contact detection needs a motion like that of grains, without the cost of
 *          physics: soft discs or spheres in a box, whose places, velocities and forces are
 *          integers. Sums of integers commute, so that neither the order of pairs nor the method
 *          that finds them has an influence; only sqrt uses floating point.
 * Steps    overlaps push apart (no more than a quarter of the smaller radius counts); velocities
 *          are clamped, then scaled towards their root mean square v0 by 0.5 to 1.0625; places
 *          move; walls mirror. The body's place is the internal one, 2^-24 m, rounded to 2^-13 m.
 * Pace     1: one step of the motion per step of the run; k: k steps; 1/k: one in k steps, and in
 *          between bodies are on the straight line.
 * State    body fields hold the integers (exactly: they stay below 2^53), so that a checkpoint, a
 *          restart and new numbers change nothing.
 * Cost     cells by size, one level per factor of two: some 0.2 us per body and step, on one
 *          thread. Forces of the scene have no effect: a scene should have none.
 * Limits   boxes of at most 2000 m. Bodies of other groups are not seen, and may not be free.
 */
#include "integer_motion/motion.h"
#include "own_bodies.h"

enum { PLACE, SPEED = 3, BEFORE = 6, N_FIELDS = 9 };

typedef struct integrator {
    const scree_host *host;
    workload workload;
    int64_t steps_per_frame, frames_per_step; /* one of them is 1 */
    crowd crowd;
    double *columns; /* values of the bodies that it brings */
    const double *fields[N_FIELDS];
    uint32_t *motions;
} integrator;

/** Reads the pace as k or 1/k. */
static int32_t read_pace(const scree_host *host, double pace, integrator *self)
{
    double k = pace < 1.0 ? 1.0 / pace : pace, whole = floor(k + 0.5);
    if (fabs(k - whole) > 1e-9 * whole)
        return scree_failf(host, SCREE_E_CONFIG,
                           "pace = %g; it is a whole number or one divided by a whole number",
                           pace);
    self->steps_per_frame = pace < 1.0 ? 1 : (int64_t)whole;
    self->frames_per_step = pace < 1.0 ? (int64_t)whole : 1;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    integrator *self = instance;
    if (!self)
        return;
    crowd_clear(&self->crowd);
    free(self->columns);
    free(self->motions);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    int32_t code = workload_read(host, c, &self->workload);
    if (code == SCREE_OK)
        code = read_pace(host, c->pace, self);
    if (code != SCREE_OK) {
        destroy(self);
        return code;
    }
    self->crowd = (crowd){.host = host, .side = self->workload.side};
    *instance = self;
    return SCREE_OK;
}

/* ---- the bodies that it brings ---- */

/** Radius, x, v, and the fields, each a column of n. */
static void write_columns(integrator *self, own_list *out)
{
    const crowd *c = &self->crowd;
    const size_t n = c->n;
    double *at = self->columns;
    for (size_t i = 0; i < n; i++) {
        at[i] = (double)c->r[i] / UNIT;
        self->motions[i] = c->fixed[i] ? SCREE_MOTION_FIXED : SCREE_MOTION_FREE;
    }
    out->radius = at;
    for (uint32_t k = 0; k < c->dimension; k++) {
        double *x = at + (1 + k) * n, *v = x + 3 * n, *place = x + 6 * n, *speed = x + 9 * n;
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)reported(c->x[k][i]) / 8192.0;
            v[i] = (double)c->v[k][i] / UNIT / out->dt;
            place[i] = (double)c->x[k][i];
            speed[i] = (double)c->v[k][i];
        }
        out->x[k] = x;
        out->v[k] = v;
        self->fields[PLACE + k] = place;
        self->fields[SPEED + k] = speed;
    }
}

static int32_t list_bodies(void *instance, own_list *out)
{
    integrator *self = instance;
    crowd *c = &self->crowd;
    int32_t code = workload_build(&self->workload, self->host, c);
    if (code != SCREE_OK)
        return code;
    self->columns = calloc((size_t)13 * c->n, sizeof *self->columns);
    self->motions = calloc(c->n, sizeof *self->motions);
    if (!self->columns || !self->motions)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    out->n = c->n;
    write_columns(self, out);
    out->motion = self->motions;
    out->fields = self->fields;
    for (uint32_t k = 0; k < c->dimension; k++)
        out->hi[k] = (double)c->side / UNIT;
    return SCREE_OK;
}

/* ---- a step ---- */

/** Did this integrator make the body? Then its place is not 0. */
static int is_own(const scree_motion *m, uint32_t i)
{
    return m->fields[PLACE][i] != 0.0;
}

static int32_t refuse_body(const integrator *self, const scree_motion *m, uint32_t i)
{
    return scree_failf(self->host, SCREE_E_CONFIG,
                       "body %llu is free and not one of its own: it moves only those that "
                       "generate.NAME = { plugin = \"integer_motion\"; .. } has made",
                       (unsigned long long)m->id[i]);
}

/** Loads fields into integers. Bodies of other sources are left out, and must not be free. */
static int32_t load(integrator *self, const scree_motion *m)
{
    crowd *c = &self->crowd;
    uint32_t n = 0;
    int stale = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        if (i < m->n_free && !is_own(m, i))
            return refuse_body(self, m, i);
        n += (uint32_t)is_own(m, i);
    }
    stale = c->n != n || !c->r;
    if (!crowd_resize(c, m->dimension, n))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    for (uint32_t i = 0, j = 0; i < m->n; i++) {
        if (!is_own(m, i))
            continue;
        int64_t r = (int64_t)(m->radius[i] * UNIT);
        for (uint32_t k = 0; k < m->dimension; k++) {
            c->x[k][j] = (int64_t)m->fields[PLACE + k][i];
            c->v[k][j] = (int64_t)m->fields[SPEED + k][i];
        }
        stale |= c->r[j] != r;
        c->r[j] = r;
        c->fixed[j++] = i >= m->n_free;
    }
    if (stale && !cells_prepare(c))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory");
    return SCREE_OK;
}

/** The free bodies come first, in both numberings. */
static void store(const integrator *self, const scree_motion *m)
{
    const crowd *c = &self->crowd;
    for (uint32_t k = 0; k < m->dimension; k++)
        for (uint32_t i = 0; i < m->n_free; i++) {
            m->fields[BEFORE + k][i] = m->fields[PLACE + k][i];
            m->fields[PLACE + k][i] = (double)c->x[k][i];
            m->fields[SPEED + k][i] = (double)c->v[k][i];
        }
}

/** Puts bodies at their places in frame `part` of `parts`, with the velocity that took them
 * there. */
static void show(const scree_motion *m, int64_t part, int64_t parts)
{
    for (uint32_t k = 0; k < m->dimension; k++)
        for (uint32_t i = 0; i < m->n_free; i++) {
            int64_t before = (int64_t)m->fields[BEFORE + k][i];
            int64_t way = (int64_t)m->fields[PLACE + k][i] - before;
            double x = (double)reported(before + way * part / parts) / 8192.0;
            m->v[k][i] = (x - m->x[k][i]) / m->dt;
            m->x[k][i] = x;
        }
}

static int32_t advance(integrator *self, const scree_motion *m)
{
    const int64_t parts = self->frames_per_step;
    const int64_t part = (int64_t)(m->step % (uint64_t)parts);
    if (part == 0) {
        int32_t code = load(self, m);
        if (code == SCREE_OK)
            for (int64_t k = 0; k < self->steps_per_frame; k++)
                crowd_step(&self->crowd, self->workload.v0);
        if (code != SCREE_OK)
            return code;
        store(self, m);
    }
    show(m, part + 1, parts);
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return k == 0 ? advance(instance, motion) : SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const integrator *self = instance;
    return sizeof *self + crowd_bytes(&self->crowd);
}

SCREE_CHOICE_VALUE(usual, USUAL, "perkins_1 in 2D, spheres in 3D");
SCREE_CHOICE_VALUE(perkins_1, PERKINS_1, "2D: equal discs, the exterior fixed");
SCREE_CHOICE_VALUE(perkins_2, PERKINS_2, "2D: discs of many sizes within a square of fixed ones");
SCREE_CHOICE_VALUE(mixed_2d, MIXED_2D, "2D: discs of many sizes, solid fraction 0.8");
SCREE_CHOICE_VALUE(spheres, SPHERES, "3D: equal spheres, solid fraction 0.55");
SCREE_CHOICE_VALUE(mixed_10, MIXED_10, "3D: diameters 1 and 10, solid fraction 0.55");
SCREE_CHOICE_VALUE(mixed_100, MIXED_100, "3D: diameters 1 to 100, solid fraction 0.5");
SCREE_CHOICE_PARAM(config, workload, 0, "usual", "which bodies, and how they start", &choice_usual,
                   &choice_perkins_1, &choice_perkins_2, &choice_mixed_2d, &choice_spheres,
                   &choice_mixed_10, &choice_mixed_100);
SCREE_CHOICE_VALUE(shuffled, SHUFFLED, "at random: neighbours in space have any numbers");
SCREE_CHOICE_VALUE(creation, CREATION, "as they were made: by rows of a lattice, or by size");
SCREE_CHOICE_PARAM(config, order, 0, "shuffled", "how bodies are numbered", &choice_shuffled,
                   &choice_creation);
SCREE_INT_PARAM(config, count, 0, 0, 0, 4000000,
                "bodies, to the next square (perkins_1) or cube (spheres); 0: 400, 800 "
                "(perkins_2), 125 (spheres)");
SCREE_INT_PARAM(config, ratio, 0, 0, 0, 1000,
                "perkins_2, mixed_2d: largest diameter by the smallest; 0: 4");
SCREE_INT_PARAM(config, percent, 0, 0, 0, 1000,
                "mixed_10, mixed_100: part of 100 000, 205 409 bodies; 0: 1");
SCREE_REAL_PARAM(config, pace, "-", 0, 1.0, 1e-3, 1e3,
                 "steps of the motion per step of the run: k, or 1/k for one in k");
static const scree_param *const params[] = {&param_workload, &param_count, &param_ratio,
                                            &param_percent,  &param_pace,  &param_order};
#define INTEGERS(id, components, help)                                                             \
    static const scree_field field_##id = {sizeof(scree_field),                                    \
                                           SCREE_SCOPE_BODY,                                       \
                                           components,                                             \
                                           1,                                                      \
                                           SCREE_MISSING_FAIL,                                     \
                                           SCREE_RETURN_RESTART,                                   \
                                           0,                                                      \
                                           0,                                                      \
                                           #id,                                                    \
                                           "-",                                                    \
                                           help,                                                   \
                                           0.0}
INTEGERS(place, 3, "in 2^-24 m, a whole number");
INTEGERS(speed, 3, "in 2^-24 m per step of the motion, a whole number");
INTEGERS(before, 3, "place before the last step of the motion");
static const scree_field *const fields[] = {&field_place, &field_speed, &field_before};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes};
static const scree_plugin integer_motion = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_ROUND_ONLY,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "integer_motion",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "benchmark motion by whole numbers: the same bits with any GCD on any machine",
    .summary =
        "Brings its own bodies (generate.NAME = { plugin = \"integer_motion\"; }): the sample "
        "of Perkins' first test, discs of many sizes, equal spheres, spheres of sizes 1 to "
        "10 and 1 to 100. They push each other apart, are mirrored by the walls of a box, "
        "and are kept near a speed of 1 % of the usual radius per step. It takes no forces, "
        "so a scene for a benchmark of contact detection has no laws.",
    .citation = "Perkins, E. 1999, section 6: tests of contact detection",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .n_fields = SCREE_COUNT(fields),
    .fields = fields,
    .ops = &ops};

/** Makes the bodies with an integrator of the scene's settings, which lives only during the
 * call. */
static int32_t make(void *instance, const scree_making *args)
{
    const own_source *self = instance;
    int32_t code = own_check(self, args);
    if (code < 0)
        return code;
    integrator *of = args->integrator;
    own_list list = {.dt = args->dt};
    of->host = self->host; // this call reports failures
    code = list_bodies(of, &list);
    return code < 0 ? code : own_add(self, args, &integer_motion, &list);
}

static const scree_source_ops source_ops = {.size = sizeof(scree_source_ops),
                                            .create = own_create,
                                            .destroy = own_destroy,
                                            .bytes = own_bytes,
                                            .make = make};
static const scree_plugin source = OWN_SOURCE(
    source_ops, "integer_motion", "the bodies of a workload, for integrator/integer_motion",
    "Bodies of the workload of integrator/integer_motion, which the scene must have chosen: "
    "places, sizes, velocities, fixed ones, and the region where the scene has none.");
SCREE_DEFINE_MANIFEST(&integer_motion, &source);
