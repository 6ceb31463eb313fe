/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of contacts on walls in the last accepted evaluation, for modifiers and observers: sums that
 * no order changes, and stiffness of the contacts. */
#include "engine/loads.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "engine/energy.h"
#include "engine/state.h"
#include "plugin/call.h"
#include "plugin/struct_size.h"
#include "scene/scene_bonds.h"

enum { SIZE = 6, RADIUS, MASS, VALUES }; /* [N] [m] [kg], after force and torque */

/** A contact of a body with a wall. */
typedef struct pull {
    uint64_t wall;     /* id of the wall */
    uint32_t material; /* of the body */
    double value[VALUES];
} pull;

struct scree_loads {
    GArray *pulls; /* elements: pull */
    const scree_world *world;
    bool taken;  /* of the last accepted evaluation */
    bool sorted; /* by wall */
};

/** Returns whether some modifier reads the loads. */
static bool are_loads_wanted(const scree_sim *sim)
{
    bool any = false;
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        any = any || (instance->demands.needs & SCREE_WANTS_LOADS);
    }
    return any;
}

static void take_pull(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    scree_loads *to = user;
    const scree_world *w = to->world;
    double size = 0.0, twist = 0.0;
    pull one = {.wall = w->id[wall], .material = w->material[row]};
    for (int k = 0; k < 3; k++) {
        one.value[k] = -line->f[k];
        one.value[3 + k] = line->torque_col[k];
        size += line->f[k] * line->f[k];
        twist += fabs(line->torque_col[k]); // of a bond, without a force
    }
    one.value[SIZE] = sqrt(size);
    one.value[RADIUS] = w->radius[row];
    one.value[MASS] = w->mass[row];
    if (size > 0.0 || twist > 0.0)
        g_array_append_val(to->pulls, one);
}

static int compare_pulls(const void *pa, const void *pb)
{
    const pull *a = pa, *b = pb;
    return a->wall < b->wall ? -1 : a->wall > b->wall;
}

/** Copies the loads of the newest evaluation out of the lists. */
static scree_loads *take_pulls(scree_sim *sim)
{
    scree_loads *loads = sim->records.loads;
    if (!loads) {
        loads = sim->records.loads = g_new0(scree_loads, 1);
        loads->pulls = g_array_sized_new(FALSE, FALSE, sizeof(pull), 1024);
    }
    loads->world = sim->world;
    loads->taken = loads->sorted = false;
    g_array_set_size(loads->pulls, 0);
    scree_each_wall_load(sim, take_pull, loads);
    return loads;
}

void scree_loads_take(scree_sim *sim)
{
    if (!sim->records.walls && !are_loads_wanted(sim)) {
        if (sim->records.loads)
            sim->records.loads->taken = false;
        return;
    }
    scree_loads *loads = take_pulls(sim);
    loads->taken = true;
    loads->sorted = sim->records.walls; // observers may ask for the load of every body
    if (loads->sorted)
        g_array_sort(loads->pulls, compare_pulls);
}

/** Returns the first pull of a wall, or of the next one. */
static guint find_first(const scree_loads *loads, uint64_t wall)
{
    guint first = 0;
    for (guint left = loads->pulls->len; left > 0;) {
        const guint half = left / 2;
        if (g_array_index(loads->pulls, pull, first + half).wall < wall) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

/** Sums the loads on a wall by bodies of a material (SCREE_NONE: all); returns their number. */
static uint32_t sum_pulls(scree_loads *loads, uint64_t wall, uint32_t material, double sum[VALUES])
{
    scree_exact_sum total[VALUES] = {{.odd = 0.0}};
    uint32_t n = 0;
    for (guint k = loads->sorted ? find_first(loads, wall) : 0; k < loads->pulls->len; k++) {
        const pull *one = &g_array_index(loads->pulls, pull, k);
        if (loads->sorted && one->wall != wall)
            break;
        if (one->wall != wall || (material != SCREE_NONE && one->material != material))
            continue;
        for (int j = 0; j < VALUES; j++)
            scree_exact_sum_add(&total[j], one->value[j]);
        n++;
    }
    for (int j = 0; j < VALUES; j++)
        sum[j] = n ? scree_exact_sum_value(&total[j]) : 0.0;
    return n;
}

/** Adds the laws' normal tangents for n equal contacts of a body with a wall. */
static bool add_tangents(const scree_sim *sim, uint32_t type, scree_stiffness_query *query,
                         double n, scree_load *out, GError **error)
{
    double damping = 0.0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        scree_instance *law = sim->plugins.contact.laws[l].instance;
        const scree_force_ops *ops = law->ops;
        scree_stiffness one = {.size = sizeof one};
        if (!SCREE_HAS(ops, stiffness) || !scree_between_acts(law->choice, type, SCREE_NONE))
            continue;
        scree_call call = scree_call_begin(law, SCREE_CALL_LANE, "stiffness");
        int32_t code = ops->stiffness(law->self, query, &one);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code < 0)
            return false;
        query->kn += one.kn;
        query->kt += one.kt;
        damping += one.cn;
    }
    out->stiffness += n * query->kn;
    out->damping += n * damping;
    return true;
}

/** Adds stiffness and damping of the contacts with wall `i`. */
static bool add_all_tangents(const scree_sim *sim, uint32_t i, scree_load *out, GError **error)
{
    const scree_world *w = sim->world;
    double sum[VALUES];
    for (uint32_t m = 0; out->contacts && m < w->n_materials; m++) {
        uint32_t n = sum_pulls(sim->records.loads, w->id[i], m, sum);
        if (!n)
            continue;
        scree_stiffness_query query = {.size = sizeof query,
                                       .material_a = m,
                                       .material_b = w->material[i],
                                       .radius_a = sum[RADIUS] / n,
                                       .radius_b = scree_world_radius(w, i),
                                       .mass = sum[MASS] / n,
                                       .normal_force = sum[SIZE] / n};
        if (!add_tangents(sim, w->shapes[w->shape[i]]->type, &query, n, out, error))
            return false;
    }
    if (!isfinite(out->stiffness) || !isfinite(out->damping))
        out->stiffness = out->damping = 0.0;
    return true;
}

static bool fill_load(const scree_sim *sim, uint32_t i, bool slopes, scree_load *out,
                      GError **error)
{
    const scree_world *w = sim->world;
    scree_loads *loads = sim->records.loads;
    double sum[VALUES];
    if (i < w->n_free) {
        const double *line = w->wrench + (size_t)i * SCREE_WRENCH;
        for (int k = 0; k < 3; k++) {
            out->force[k] = line[k] - w->mass[i] * w->gravity[k];
            out->torque[k] = line[4 + k];
        }
        return true;
    }
    if (!loads || !loads->taken)
        return true;
    out->contacts = sum_pulls(loads, w->id[i], SCREE_NONE, sum);
    for (int k = 0; k < 3; k++) {
        out->force[k] = sum[k];
        out->torque[k] = sum[3 + k];
    }
    return !slopes || add_all_tangents(sim, i, out, error);
}

bool scree_loads_of(const scree_sim *sim, uint32_t i, scree_load *out, GError **error)
{
    const size_t least = SCREE_SIZE_TO(scree_load, torque);
    if (out->size < least)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected a struct of size %zu or more, got %u",
                          least, out->size);
    scree_load load = {.size = MIN(out->size, sizeof load)};
    if (!fill_load(sim, i, load.size >= SCREE_SIZE_TO(scree_load, damping), &load, error))
        return false;
    memcpy(out, &load, load.size);
    return true;
}

void scree_loads_free(scree_loads *loads)
{
    g_array_unref(loads->pulls);
    g_free(loads);
}

/* ---- forces on groups of walls, and their power, sampled over a run for its summary ---- */

/*
 * Each window of `every` steps has a sample; at the start, windows have FIRST steps. When MOST
 * samples exist, every other one is dropped, and the windows double: memory and cost are bounded,
 * whatever the length of the run. A sample is taken 0 to FIRST - 1 steps after the beginning of its
 * window, by a hash of that step: at equal distances, a contact that changes its facet in every
 * step would always be seen on the same facet. A sample has the loads of the evaluation of its
 * step.
 */
enum { FIRST = 8, MOST = 512 };

typedef struct sample {
    uint64_t step;
    double time; /* [s]; dt may change in a run, and the steps may have begun with another one */
} sample;

struct scree_wall_samples {
    uint64_t every;
    double lost, time; /* at the start of the run: [J], [s] */
    uint32_t *slot;    /* [groups of the scene] SCREE_NONE: no walls, or left out */
    guint n, n_left_out;
    const char *group[SCREE_MOST_WALLS];
    bool moves[SCREE_MOST_WALLS];
    scree_exact_sum load[SCREE_MOST_WALLS][SCREE_WALL_VALUES]; /* of the current sample */
    double part[SCREE_MOST_WALLS][SCREE_WALL_VALUES];          /* of it, on the current leaf */
    uint64_t leaf;                                             /* of bodies */
    GArray *taken;                                             /* elements: sample */
    GArray *values; /* [samples][n] elements: double[SCREE_WALL_VALUES] */
};

static void add_group(scree_wall_samples *s, const scree_scene *scene, uint32_t group)
{
    if (s->n == SCREE_MOST_WALLS) {
        s->n_left_out++;
        return;
    }
    s->group[s->n] = scene->group_names->pdata[group];
    s->slot[group] = s->n++;
}

void scree_wall_samples_begin(scree_sim *sim)
{
    const scree_world *w = sim->world;
    const guint n_groups = sim->scene->group_names->len;
    g_autofree uint8_t *walls = g_new0(uint8_t, n_groups + 1);
    scree_wall_samples *s = sim->wall_samples = g_new0(scree_wall_samples, 1);
    *s = (scree_wall_samples){.every = FIRST,
                              .lost = scree_exact_sum_value(&sim->account.lost),
                              .time = scree_sim_time(sim),
                              .slot = g_new(uint32_t, n_groups + 1),
                              .taken = g_array_sized_new(FALSE, FALSE, sizeof(sample), MOST),
                              .values = g_array_new(FALSE, FALSE, sizeof(double))};
    sim->account.wall_work = (scree_exact_sum){.odd = 0.0}; // from the start of the run on
    for (uint32_t i = w->n_free; i < w->n; i++)
        walls[w->group[i]] |= w->motion[i] == SCREE_MOTION_KINEMATIC ? 2 : 1;
    for (guint g = 0; g < n_groups; g++) {
        s->slot[g] = SCREE_NONE;
        if (walls[g])
            add_group(s, sim->scene, g);
        if (s->slot[g] != SCREE_NONE)
            s->moves[s->slot[g]] = (walls[g] & 2) != 0;
    }
}

/** Adds the loads on a leaf of bodies to the sample. */
static void end_leaf(scree_wall_samples *s)
{
    for (guint k = 0; k < s->n; k++)
        for (int j = 0; j < SCREE_WALL_VALUES; j++) {
            scree_exact_sum_add(&s->load[k][j], s->part[k][j]);
            s->part[k][j] = 0.0;
        }
}

static void take_load(void *user, uint32_t row, uint32_t wall, const scree_contact_load *line)
{
    const scree_sim *sim = user;
    const scree_world *w = sim->world;
    const uint32_t slot = sim->wall_samples->slot[w->group[wall]];
    double value[SCREE_WALL_VALUES] = {-line->f[0], -line->f[1], -line->f[2]};
    if (slot == SCREE_NONE)
        return;
    if (w->number[row] >> 32 != sim->wall_samples->leaf) {
        end_leaf(sim->wall_samples);
        sim->wall_samples->leaf = w->number[row] >> 32;
    }
    // A body that turns moves along w on its axis: the rest of the power is torque times |w|.
    double spin = 0.0, lift = 0.0, rise = 0.0;
    for (int k = 0; k < 3; k++) {
        value[3] += line->f[k] * w->v[k][wall] - line->torque_col[k] * w->w[k][wall];
        spin += w->w[k][wall] * w->w[k][wall];
        lift += line->f[k] * w->w[k][wall];
        rise += w->v[k][wall] * w->w[k][wall];
    }
    value[4] = spin > 0.0 ? (value[3] - lift * rise / spin) / sqrt(spin) : 0.0;
    value[3] += sim->surfaces.any ? line->surface : 0.0;
    for (int j = 0; j < SCREE_WALL_VALUES; j++)
        sim->wall_samples->part[slot][j] += value[j];
}

/** Returns whether a window of `every` steps has its sample at this step. The delay depends only on
 * the window's first step: samples kept when windows double are those of the wider windows. */
static bool is_due_sample(uint64_t step, uint64_t every)
{
    const uint64_t first = step - step % every;
    const uint64_t delay = (first / FIRST * UINT64_C(0x9e3779b97f4a7c15)) >> 61; // [0, 8)
    G_STATIC_ASSERT(FIRST == 8);
    return step - first == delay;
}

/** Keeps every other sample. */
static void thin(scree_wall_samples *s)
{
    const guint row = s->n * SCREE_WALL_VALUES;
    guint kept = 0;
    s->every *= 2;
    for (guint k = 0; k < s->taken->len; k++) {
        if (!is_due_sample(g_array_index(s->taken, sample, k).step, s->every))
            continue;
        g_array_index(s->taken, sample, kept) = g_array_index(s->taken, sample, k);
        for (guint j = 0; j < row; j++)
            g_array_index(s->values, double, kept *row + j) =
                g_array_index(s->values, double, k *row + j);
        kept++;
    }
    g_array_set_size(s->taken, kept);
    g_array_set_size(s->values, kept * row);
}

void scree_wall_samples_take(scree_sim *sim)
{
    scree_wall_samples *s = sim->wall_samples;
    if (!s || !s->n || !is_due_sample(sim->step, s->every) ||
        (s->taken->len && g_array_index(s->taken, sample, s->taken->len - 1).step == sim->step))
        return;
    if (s->taken->len == MOST)
        thin(s);
    if (!is_due_sample(sim->step, s->every))
        return;
    scree_each_wall_load(sim, take_load, sim);
    end_leaf(s);
    const sample one = {sim->step, scree_sim_time(sim)};
    g_array_append_val(s->taken, one);
    for (guint k = 0; k < s->n; k++)
        for (int j = 0; j < SCREE_WALL_VALUES; j++) {
            const double sum = scree_exact_sum_value(&s->load[k][j]);
            s->load[k][j] = (scree_exact_sum){.odd = 0.0};
            g_array_append_val(s->values, sum);
        }
}

/** Returns the first sample of the last half. */
static guint find_half(const scree_wall_samples *s)
{
    const sample *at = (const sample *)(const void *)s->taken->data;
    const uint64_t begin = at[0].step, end = at[s->taken->len - 1].step;
    guint first = 0;
    while (at[first].step - begin < (end - begin + 1) / 2)
        first++;
    return first;
}

/** Finds mean and spread of value j of group k, from sample `first` on. */
static void find_mean(const scree_wall_samples *s, guint first, guint k, int j, scree_wall_mean *to)
{
    const double *v = (const double *)(const void *)s->values->data;
    const guint n = s->taken->len - first, stride = s->n * SCREE_WALL_VALUES;
    const double *from = v + (size_t)first * stride + k * SCREE_WALL_VALUES + j;
    double squares = 0.0;
    to->mean[j] = scree_exact_sum_of(from, n, stride) / n;
    for (guint i = 0; i < n; i++)
        squares +=
            (from[(size_t)i * stride] - to->mean[j]) * (from[(size_t)i * stride] - to->mean[j]);
    to->spread[j] = sqrt(squares / n);
}

GArray *scree_wall_samples_means(const scree_sim *sim, uint64_t *n_samples, double *from,
                                 guint *n_left_out)
{
    const scree_wall_samples *s = sim->wall_samples;
    if (!s || !s->n || !s->taken->len)
        return NULL;
    const guint first = find_half(s);
    GArray *means = g_array_new(FALSE, FALSE, sizeof(scree_wall_mean));
    for (guint k = 0; k < s->n; k++) {
        scree_wall_mean one = {.group = s->group[k], .moves = s->moves[k]};
        for (int j = 0; j < SCREE_WALL_VALUES; j++)
            find_mean(s, first, k, j, &one);
        g_array_append_val(means, one);
    }
    *n_samples = s->taken->len - first;
    *from = g_array_index(s->taken, sample, first).time;
    *n_left_out = s->n_left_out;
    return means;
}

void scree_wall_samples_run(const scree_sim *sim, double *lost, double *duration)
{
    const scree_wall_samples *s = sim->wall_samples;
    *lost = s ? scree_exact_sum_value(&sim->account.lost) - s->lost : (double)NAN;
    *duration = s ? scree_sim_time(sim) - s->time : (double)NAN;
}

void scree_wall_samples_back(const scree_sim *sim)
{
    scree_wall_samples *s = sim->wall_samples;
    guint n = s ? s->taken->len : 0;
    while (n && g_array_index(s->taken, sample, n - 1).step > sim->step)
        n--;
    if (!s)
        return;
    g_array_set_size(s->taken, n);
    g_array_set_size(s->values, n * s->n * SCREE_WALL_VALUES);
}

void scree_wall_samples_free(scree_wall_samples *s)
{
    if (!s)
        return;
    g_array_unref(s->taken);
    g_array_unref(s->values);
    g_free(s->slot);
    g_free(s);
}
