/* SPDX-License-Identifier: Apache-2.0 */
/* Forces on groups of walls, and their power, sampled over a run for its summary. */
#include "engine/wall_samples.h"

#include <math.h>

#include "base/exact_sum.h"
#include "engine/energy.h"

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
    uint32_t leaf;                                             /* of bodies */
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
    if (row / SCREE_SUM_LEAF != sim->wall_samples->leaf) {
        end_leaf(sim->wall_samples);
        sim->wall_samples->leaf = row / SCREE_SUM_LEAF;
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
