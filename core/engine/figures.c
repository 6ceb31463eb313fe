/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state: sums and largest values over bodies and contacts. */
#include "engine/figures.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "scene/figure_names.h"

enum { DIM = 3 };

/** The parts of a state from which figures are computed. */
typedef struct figure_parts {
    const scree_sim *sim;
    const scree_contact_sums *sums; /* NULL: the contacts are unknown */
    double step, time, bodies, free, contacts, coordination, wall_power; /* figures */
    scree_energy energy;                                                 /* size 0: not found yet */
} figure_parts;

static figure_parts take_parts(const scree_sim *sim, const scree_contact_sums *sums)
{
    const uint32_t n_free = sim->world->n_free;
    const double between = 2.0 * (double)sim->counters.contacts_free;
    return (figure_parts){.sim = sim,
                          .sums = sums,
                          .step = (double)sim->step,
                          .time = scree_sim_time(sim),
                          .bodies = sim->world->n,
                          .free = n_free,
                          .contacts = (double)sim->counters.contacts,
                          .coordination = n_free ? between / n_free : (double)NAN,
                          .wall_power = scree_exact_sum_value(&sim->account.wall_power)};
}

static double mass_figure(const figure_parts *of)
{
    return scree_leaf_sum(of->sim->world->number, of->sim->world->mass, of->sim->world->n_free);
}

/** Returns the volume [m^3] of the box around the balls of the free bodies. */
static double box_volume(const scree_world *w)
{
    return (w->dimension == 2 ? w->thickness : 1.0) * scree_world_space(w);
}

static void sum_volumes(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const scree_world *w = user;
    for (uint64_t i = begin; i < end; i++)
        *sum += w->mass[i] / scree_world_density(w, (uint32_t)i);
}

static double solid_volume(const scree_world *w)
{
    double sum;
    scree_leaf_sums(w->number, w->n_free, 1, sum_volumes, w, &sum);
    return sum;
}

static double max_speed_figure(const figure_parts *of)
{
    double most;
    scree_world_fastest(of->sim->world, &most);
    return of->sim->world->n_free ? most : (double)NAN;
}

static uint32_t max_speed_bodies(const figure_parts *of, double value, uint64_t id[2])
{
    double most;
    const uint32_t fastest = scree_world_fastest(of->sim->world, &most);
    const bool any = of->sim->world->n_free && most == value;
    *id = any ? of->sim->world->id[fastest] : SCREE_NO_BODY;
    return any;
}

static double solid_fraction_figure(const figure_parts *of)
{
    const scree_world *w = of->sim->world;
    return w->n_free ? solid_volume(w) / box_volume(w) : (double)NAN;
}

static double max_overlap_figure(const figure_parts *of)
{
    return of->sums->overlap;
}

static uint32_t max_overlap_bodies(const figure_parts *of, double value, uint64_t id[2])
{
    if (!(value > 0.0) || !of->sums)
        return 0;
    memcpy(id, of->sums->id, sizeof of->sums->id);
    return 2;
}

static void sum_resultants(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const scree_world *w = user;
    for (uint64_t i = begin; i < end; i++) {
        const double *f = w->wrench + (size_t)i * SCREE_WRENCH;
        *sum += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
}

static double unbalanced_figure(const figure_parts *of)
{
    const scree_world *w = of->sim->world;
    double sum;
    scree_leaf_sums(w->number, w->n_free, 1, sum_resultants, w, &sum);
    const double force = scree_exact_sum_value(&of->sums->force) / (double)of->sums->n;
    return force > 0.0 ? sum / w->n_free / force : (double)NAN;
}

/** Moments of place and velocity about their means, weighted by mass. */
typedef struct spread {
    double xx[DIM][DIM], vx[DIM][DIM];
} spread;

/** Mean place and velocity, weighted by mass. */
typedef struct middle {
    const scree_world *w;
    double mass, x[DIM], v[DIM];
} middle;

static void sum_middle(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const middle *m = user;
    const scree_world *w = m->w;
    for (uint64_t i = begin; i < end; i++)
        for (int k = 0; k < DIM; k++) {
            sum[k] += w->mass[i] * w->x[k][i] / m->mass;
            sum[DIM + k] += w->mass[i] * w->v[k][i] / m->mass;
        }
}

static void sum_moments(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const middle *m = user;
    const scree_world *w = m->w;
    spread s = {0};
    for (uint64_t i = begin; i < end; i++)
        for (int k = 0; k < DIM; k++)
            for (int l = 0; l < DIM; l++) {
                const double x = w->mass[i] * (w->x[l][i] - m->x[l]);
                s.xx[k][l] += (w->x[k][i] - m->x[k]) * x;
                s.vx[k][l] += (w->v[k][i] - m->v[k]) * x;
            }
    memcpy(sum, &s, sizeof s);
}

static spread sum_spread(const scree_world *w, double mass)
{
    spread s;
    double sum[2 * DIM * DIM];
    middle m = {.w = w, .mass = mass};
    scree_leaf_sums(w->number, w->n_free, 2 * DIM, sum_middle, &m, sum);
    memcpy(m.x, sum, sizeof m.x);
    memcpy(m.v, sum + DIM, sizeof m.v);
    scree_leaf_sums(w->number, w->n_free, 2 * DIM * DIM, sum_moments, &m, sum);
    memcpy(&s, sum, sizeof s);
    return s;
}

/** Solves g xx = vx for the gradient g by elimination. False: the places are on a line or plane. */
static bool solve(int n, spread s, double g[DIM][DIM])
{
    for (int p = 0; p < n; p++) {
        int at = p;
        for (int r = p + 1; r < n; r++)
            at = fabs(s.xx[r][p]) > fabs(s.xx[at][p]) ? r : at;
        for (int c = 0; c < n; c++) {
            const double x = s.xx[p][c], v = s.vx[c][p]; // xx is symmetric: rows of vx match it
            s.xx[p][c] = s.xx[at][c];
            s.xx[at][c] = x;
            s.vx[c][p] = s.vx[c][at];
            s.vx[c][at] = v;
        }
        if (!(fabs(s.xx[p][p]) > 0.0))
            return false;
        for (int r = p + 1; r < n; r++) {
            const double by = s.xx[r][p] / s.xx[p][p];
            for (int c = p; c < n; c++)
                s.xx[r][c] -= by * s.xx[p][c];
            for (int c = 0; c < n; c++)
                s.vx[c][r] -= by * s.vx[c][p];
        }
    }
    for (int k = 0; k < n; k++)
        for (int p = n - 1; p >= 0; p--) {
            g[k][p] = s.vx[k][p];
            for (int c = p + 1; c < n; c++)
                g[k][p] -= s.xx[p][c] * g[k][c];
            g[k][p] /= s.xx[p][p];
        }
    return true;
}

/** Returns the shear rate [1/s]. */
static double shear_rate(const scree_world *w, int n, double mass)
{
    double g[DIM][DIM], trace = 0.0, sum = 0.0;
    if (!solve(n, sum_spread(w, mass), g))
        return (double)NAN;
    for (int k = 0; k < n; k++)
        trace += g[k][k] / n;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            const double d = 0.5 * (g[k][l] + g[l][k]) - (k == l ? trace : 0.0);
            sum += d * d;
        }
    return sqrt(2.0 * sum);
}

static double inertial_number_figure(const figure_parts *of)
{
    const scree_world *w = of->sim->world;
    const int n = w->dimension == 2 ? 2 : DIM;
    const double mass = scree_leaf_sum(w->number, w->mass, w->n_free);
    const double virial = scree_exact_sum_value(&of->sums->virial); // above 0 under pressure
    const double pressure = virial / (n * box_volume(w));
    const double diameter = 2.0 * scree_leaf_sum(w->number, w->radius, w->n_free) / w->n_free;
    const double density = mass / solid_volume(w);
    return pressure > 0.0 ? shear_rate(w, n, mass) * diameter * sqrt(density / pressure)
                          : (double)NAN;
}

/* ---- rows ---- */

/** The functions of the figure with this name. */
typedef struct figure_maker {
    const char *name;
    double (*of_state)(const figure_parts *of);
    size_t offset; /* of_state NULL: the figure is this part */
    /* finds its bodies, and returns their number; NULL: none */
    uint32_t (*bodies)(const figure_parts *of, double value, uint64_t id[2]);
} figure_maker;

static const figure_maker makers[] = {
    {"step", NULL, offsetof(figure_parts, step), NULL},
    {"time", NULL, offsetof(figure_parts, time), NULL},
    {"bodies", NULL, offsetof(figure_parts, bodies), NULL},
    {"free", NULL, offsetof(figure_parts, free), NULL},
    {"contacts", NULL, offsetof(figure_parts, contacts), NULL},
    {"kinetic", NULL, offsetof(figure_parts, energy.kinetic), NULL},
    {"gravity", NULL, offsetof(figure_parts, energy.gravity), NULL},
    {"stored", NULL, offsetof(figure_parts, energy.stored), NULL},
    {"lost", NULL, offsetof(figure_parts, energy.lost), NULL},
    {"work", NULL, offsetof(figure_parts, energy.work), NULL},
    {"residual", NULL, offsetof(figure_parts, energy.residual), NULL},
    {"mass", mass_figure, 0, NULL},
    {"solid_fraction", solid_fraction_figure, 0, NULL},
    {"max_overlap", max_overlap_figure, 0, max_overlap_bodies},
    {"max_speed", max_speed_figure, 0, max_speed_bodies},
    {"coordination", NULL, offsetof(figure_parts, coordination), NULL},
    {"unbalanced", unbalanced_figure, 0, NULL},
    {"inertial_number", inertial_number_figure, 0, NULL},
    {"wall_power", NULL, offsetof(figure_parts, wall_power), NULL},
};

static const figure_maker *maker_of(uint32_t k)
{
    const char *name = scree_figure_at(k)->name;
    for (size_t m = 0; m < G_N_ELEMENTS(makers); m++)
        if (!strcmp(makers[m].name, name))
            return &makers[m];
    g_assert_not_reached();
}

static double make_figure(uint32_t k, figure_parts *of)
{
    const figure_maker *maker = maker_of(k);
    if (scree_figure_at(k)->of_contacts && (!of->sums || !of->sim->world->n_free))
        return (double)NAN;
    if (maker->of_state)
        return maker->of_state(of);
    if (maker->offset >= offsetof(figure_parts, energy) && !of->energy.size)
        scree_energy_now(of->sim, &of->energy);
    double value;
    memcpy(&value, (const char *)of + maker->offset, sizeof value);
    return value;
}

static void make_figures(figure_parts *of, uint64_t wanted, double value[SCREE_MOST_FIGURES])
{
    for (uint32_t k = 0; scree_figure_at(k); k++)
        if (wanted >> k & 1)
            value[k] = make_figure(k, of);
}

void scree_figures_now(const scree_sim *sim, uint64_t wanted, double value[SCREE_MOST_FIGURES])
{
    figure_parts of = take_parts(sim, scree_record_sums(sim));
    make_figures(&of, wanted, value);
}

uint32_t scree_figure_bodies(const scree_sim *sim, uint32_t k, double value, uint64_t id[2])
{
    const figure_parts of = take_parts(sim, scree_record_sums(sim));
    const figure_maker *maker = maker_of(k);
    return maker->bodies ? maker->bodies(&of, value, id) : 0;
}

/* ---- scree.figures/1 ---- */

/** Gives figures. Those of contacts come from the list of the current call: another list of this
 * state would replace the arrays that the observer reads. */
static int32_t give_now(void *ctx, uint32_t n, const char *const *name, double *value)
{
    const scree_sim *sim = ctx;
    const char *call = scree_guard_here()->now.call;
    double all[SCREE_MOST_FIGURES];
    uint64_t wanted = 0;
    if (!call || (strcmp(call, "observe") && strcmp(call, "read")))
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < n; k++) {
        const int32_t figure = scree_figure_find(name[k]);
        if (figure < 0)
            return SCREE_E_CONFIG;
        wanted |= 1ull << figure;
    }
    const scree_contact_list *list = sim->runtime.summed.contacts;
    scree_contact_sums sums = {.n = 0};
    if (list && (wanted & scree_figures_of_contacts()))
        scree_contact_sums_add(
            &sums, sim->world, list->n,
            &(scree_contact_rows){list->a, list->b, list->depth, list->f, list->branch});
    figure_parts of = take_parts(sim, list ? &sums : NULL);
    make_figures(&of, wanted, all);
    for (uint32_t k = 0; k < n; k++)
        value[k] = all[scree_figure_find(name[k])];
    return SCREE_OK;
}

void scree_figures_offer(scree_sim *sim)
{
    sim->figures = (scree_figures){.size = sizeof(scree_figures),
                                   .ctx = sim,
                                   .kind = scree_figure_kind,
                                   .name = scree_figure_name,
                                   .now = give_now};
    sim->runtime.figures = &sim->figures;
}
