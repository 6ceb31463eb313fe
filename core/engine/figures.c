/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state: sums and largest values over bodies and contacts. */
#include "engine/figures.h"

#include <math.h>
#include <string.h>

#include "base/tree_sum.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "scene/figure_names.h"

enum { DIM = 3 };

static bool is_wanted_figure(uint64_t wanted, int quantity)
{
    return (wanted >> quantity) & 1;
}

static void put_counts(const scree_sim *sim, double value[])
{
    const double n_free = (double)sim->world->n_free;
    value[SCREE_QUANTITY_STEP] = (double)sim->step;
    value[SCREE_QUANTITY_TIME] = scree_sim_time(sim);
    value[SCREE_QUANTITY_BODIES] = (double)sim->world->n;
    value[SCREE_QUANTITY_FREE] = n_free;
    value[SCREE_QUANTITY_CONTACTS] = (double)sim->counters.contacts;
    value[SCREE_QUANTITY_COORDINATION] =
        n_free > 0.0 ? 2.0 * (double)sim->counters.contacts_free / n_free : (double)NAN;
    value[SCREE_QUANTITY_WALL_POWER] = sim->account.wall_power;
}

static void put_energies(const scree_sim *sim, double value[])
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    value[SCREE_QUANTITY_KINETIC] = energy.kinetic;
    value[SCREE_QUANTITY_GRAVITY] = energy.gravity;
    value[SCREE_QUANTITY_STORED] = energy.stored;
    value[SCREE_QUANTITY_LOST] = energy.lost;
    value[SCREE_QUANTITY_WORK] = energy.work;
    value[SCREE_QUANTITY_RESIDUAL] = energy.residual;
}

/** [m^3] The box around the balls of the free bodies. */
static double box_volume(const scree_world *w)
{
    double volume = w->dimension == 2 ? w->thickness : 1.0;
    const int n_axes = w->dimension == 2 ? 2 : DIM;
    for (int k = 0; k < n_axes; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint32_t i = 0; i < w->n_free; i++) {
            lo = fmin(lo, w->x[k][i] - w->radius[i]);
            hi = fmax(hi, w->x[k][i] + w->radius[i]);
        }
        volume *= w->periodic[k] ? w->length[k] : hi - lo;
    }
    return volume;
}

static void sum_volumes(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const scree_world *w = user;
    *sum = 0.0;
    for (uint64_t i = begin; i < end; i++)
        *sum += w->mass[i] / scree_world_density(w, (uint32_t)i);
}

static double solid_volume(const scree_world *w)
{
    double sum;
    scree_tree_sums(w->n_free, 1, sum_volumes, w, &sum);
    return sum;
}

static double speed_squared(const scree_world *w, uint32_t i)
{
    return w->v[0][i] * w->v[0][i] + w->v[1][i] * w->v[1][i] + w->v[2][i] * w->v[2][i];
}

static double max_speed(const scree_world *w)
{
    double most = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        const double v2 = speed_squared(w, i);
        most = v2 > most ? v2 : most;
    }
    return w->n_free ? sqrt(most) : (double)NAN;
}

static void put_of_bodies(const scree_world *w, uint64_t wanted, double value[])
{
    value[SCREE_QUANTITY_MASS] = scree_tree_sum(w->mass, w->n_free, 1);
    if (is_wanted_figure(wanted, SCREE_QUANTITY_MAX_SPEED))
        value[SCREE_QUANTITY_MAX_SPEED] = max_speed(w);
    if (is_wanted_figure(wanted, SCREE_QUANTITY_SOLID_FRACTION))
        value[SCREE_QUANTITY_SOLID_FRACTION] =
            w->n_free ? solid_volume(w) / box_volume(w) : (double)NAN;
}

static void sum_resultants(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const scree_world *w = user;
    *sum = 0.0;
    for (uint64_t i = begin; i < end; i++) {
        const double *f = w->wrench + (size_t)i * SCREE_WRENCH;
        *sum += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
}

/** [N] Mean resultant on a free body. */
static double mean_resultant(const scree_world *w)
{
    double sum;
    scree_tree_sums(w->n_free, 1, sum_resultants, w, &sum);
    return sum / w->n_free;
}

/** Moments of place and velocity about their means, weighed by mass. */
typedef struct spread {
    double xx[DIM][DIM], vx[DIM][DIM];
} spread;

/** Mean place and velocity, weighed by mass. */
typedef struct middle {
    const scree_world *w;
    double mass, x[DIM], v[DIM];
} middle;

static void sum_middle(const void *user, uint64_t begin, uint64_t end, double *sum)
{
    const middle *m = user;
    const scree_world *w = m->w;
    memset(sum, 0, 2 * DIM * sizeof *sum);
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
    scree_tree_sums(w->n_free, 2 * DIM, sum_middle, &m, sum);
    memcpy(m.x, sum, sizeof m.x);
    memcpy(m.v, sum + DIM, sizeof m.v);
    scree_tree_sums(w->n_free, 2 * DIM * DIM, sum_moments, &m, sum);
    memcpy(&s, sum, sizeof s);
    return s;
}

/** Solves g xx = vx for the gradient g by elimination; false where the places are on a line or plane. */
static bool solve(int n, spread s, double g[DIM][DIM])
{
    for (int p = 0; p < n; p++) {
        int at = p;
        for (int r = p + 1; r < n; r++)
            at = fabs(s.xx[r][p]) > fabs(s.xx[at][p]) ? r : at;
        for (int c = 0; c < n; c++) {
            const double x = s.xx[p][c], v = s.vx[c][p]; // xx is symmetric: rows of vx go with it
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

/** [1/s] */
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

/** virial [J] is above 0 under pressure. */
static double inertial_number(const scree_world *w, double virial)
{
    const int n = w->dimension == 2 ? 2 : DIM;
    const double mass = scree_tree_sum(w->mass, w->n_free, 1);
    const double pressure = virial / (n * box_volume(w));
    const double diameter = 2.0 * scree_tree_sum(w->radius, w->n_free, 1) / w->n_free;
    const double density = mass / solid_volume(w);
    return pressure > 0.0 ? shear_rate(w, n, mass) * diameter * sqrt(density / pressure)
                          : (double)NAN;
}

/** `sums` NULL: the contacts are not known. */
static void put_of_contacts(const scree_world *w, const scree_contact_sums *sums, uint64_t wanted,
                            double value[])
{
    value[SCREE_QUANTITY_MAX_OVERLAP] = value[SCREE_QUANTITY_UNBALANCED] =
        value[SCREE_QUANTITY_INERTIAL_NUMBER] = (double)NAN;
    if (!w->n_free || !sums)
        return;
    value[SCREE_QUANTITY_MAX_OVERLAP] = sums->overlap;
    value[SCREE_QUANTITY_UNBALANCED] =
        mean_resultant(w) / (scree_exact_sum_value(&sums->force) / (double)sums->n);
    if (is_wanted_figure(wanted, SCREE_QUANTITY_INERTIAL_NUMBER))
        value[SCREE_QUANTITY_INERTIAL_NUMBER] =
            inertial_number(w, scree_exact_sum_value(&sums->virial));
}

static void put_all(const scree_sim *sim, uint64_t wanted, const scree_contact_sums *sums,
                    double value[SCREE_QUANTITIES])
{
    put_counts(sim, value);
    if (wanted & SCREE_QUANTITIES_OF_ENERGY)
        put_energies(sim, value);
    if (wanted & SCREE_QUANTITIES_OF_BODIES)
        put_of_bodies(sim->world, wanted, value);
    if (wanted & SCREE_QUANTITIES_OF_CONTACTS)
        put_of_contacts(sim->world, sums, wanted, value);
}

void scree_figures_now(const scree_sim *sim, uint64_t wanted, double value[SCREE_QUANTITIES])
{
    put_all(sim, wanted, scree_record_sums(sim), value);
}

static uint64_t fastest(const scree_world *w, double speed)
{
    uint64_t id = SCREE_NO_BODY;
    for (uint32_t i = 0; i < w->n_free; i++)
        if (sqrt(speed_squared(w, i)) == speed && w->id[i] < id)
            id = w->id[i];
    return id;
}

scree_figure_bodies scree_figures_whose(const scree_sim *sim, const double value[SCREE_QUANTITIES])
{
    scree_figure_bodies who = {SCREE_NO_BODY, {SCREE_NO_BODY, SCREE_NO_BODY}};
    const scree_contact_sums *sums = scree_record_sums(sim);
    who.fastest = fastest(sim->world, value[SCREE_QUANTITY_MAX_SPEED]);
    if (value[SCREE_QUANTITY_MAX_OVERLAP] > 0.0 && sums)
        memcpy(who.overlap, sums->id, sizeof who.overlap);
    return who;
}

/* ---- scree.figures/1 ---- */

/** The figures of the contacts are those of the list that the present call has: the arrays of another
 * list of the same state would replace those that the observer reads. */
static int32_t give_now(void *ctx, uint32_t n, const char *const *name, double *value)
{
    const scree_sim *sim = ctx;
    const char *call = scree_guard_here()->now.call;
    double all[SCREE_QUANTITIES];
    uint64_t wanted = 0;
    if (!call || (strcmp(call, "observe") && strcmp(call, "read")))
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < n; k++) {
        const int32_t q = scree_figure_find(name[k]);
        if (q < 0)
            return SCREE_E_CONFIG;
        wanted |= 1ull << q;
    }
    const scree_contact_list *list = sim->runtime.summed.contacts;
    scree_contact_sums sums = {.n = 0};
    if (list && (wanted & SCREE_QUANTITIES_OF_CONTACTS))
        scree_contact_sums_add(
            &sums, sim->world, list->n,
            &(scree_contact_rows){list->a, list->b, list->depth, list->f, list->branch});
    put_all(sim, wanted, list ? &sums : NULL, all);
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
