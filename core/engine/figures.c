/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state: sums and largest values over bodies and contacts. */
#include "engine/figures.h"

#include <math.h>
#include <string.h>

#include "base/tree_sum.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "plugin/guard.h"
#include "scene/figure_names.h"

enum { DIM = 3 };

/** The contacts of the last accepted evaluation, and what is summed over them. */
typedef struct pulls {
    double force;   /* [N] sum of their strengths */
    double virial;  /* [J] sum of f · branch, above 0 under pressure */
    double overlap; /* [-] */
    uint64_t n;     /* that overlap */
} pulls;

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

static double solid_volume(const scree_world *w)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++)
        sum += w->mass[i] / scree_world_density(w, i);
    return sum;
}

static void put_of_bodies(const scree_world *w, double value[])
{
    double speed2 = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++)
        speed2 = fmax(speed2,
                      w->v[0][i] * w->v[0][i] + w->v[1][i] * w->v[1][i] + w->v[2][i] * w->v[2][i]);
    value[SCREE_QUANTITY_MASS] = scree_tree_sum(w->mass, w->n_free, 1);
    value[SCREE_QUANTITY_MAX_SPEED] = w->n_free ? sqrt(speed2) : (double)NAN;
    value[SCREE_QUANTITY_SOLID_FRACTION] =
        w->n_free ? solid_volume(w) / box_volume(w) : (double)NAN;
}

/** [m] A wall counts as infinitely large. */
static double size_of(const scree_world *w, uint32_t body)
{
    return scree_shape_is_wall(w->shapes[w->shape[body]]) ? HUGE_VAL : scree_world_size(w, body);
}

static pulls sum_contacts(const scree_world *w, const scree_contact_list *list)
{
    pulls sum = {0};
    for (uint64_t c = 0; c < list->n; c++) {
        double f2 = 0.0, along = 0.0;
        for (int k = 0; k < DIM; k++) {
            f2 += list->f[k][c] * list->f[k][c];
            along -= list->f[k][c] * list->branch[k][c];
        }
        sum.virial += along;
        if (list->depth[c] < 0.0)
            continue;
        sum.n++;
        sum.force += sqrt(f2);
        sum.overlap = fmax(sum.overlap,
                           list->depth[c] / fmin(size_of(w, list->a[c]), size_of(w, list->b[c])));
    }
    return sum;
}

/** [N] Mean resultant on a free body. */
static double mean_resultant(const scree_world *w)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        const double *f = w->wrench + (size_t)i * SCREE_WRENCH;
        sum += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    return sum / w->n_free;
}

/** Moments of place and velocity about their means, weighed by mass. */
typedef struct spread {
    double xx[DIM][DIM], vx[DIM][DIM];
} spread;

static spread sum_spread(const scree_world *w, double mass)
{
    spread s = {0};
    double x[DIM], v[DIM];
    for (int k = 0; k < DIM; k++) {
        x[k] = v[k] = 0.0;
        for (uint32_t i = 0; i < w->n_free; i++) {
            x[k] += w->mass[i] * w->x[k][i] / mass;
            v[k] += w->mass[i] * w->v[k][i] / mass;
        }
    }
    for (uint32_t i = 0; i < w->n_free; i++)
        for (int k = 0; k < DIM; k++)
            for (int l = 0; l < DIM; l++) {
                s.xx[k][l] += w->mass[i] * (w->x[k][i] - x[k]) * (w->x[l][i] - x[l]);
                s.vx[k][l] += w->mass[i] * (w->v[k][i] - v[k]) * (w->x[l][i] - x[l]);
            }
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

static double inertial_number(const scree_world *w, const pulls *sum)
{
    const int n = w->dimension == 2 ? 2 : DIM;
    const double mass = scree_tree_sum(w->mass, w->n_free, 1);
    const double pressure = sum->virial / (n * box_volume(w));
    const double diameter = 2.0 * scree_tree_sum(w->radius, w->n_free, 1) / w->n_free;
    const double density = mass / solid_volume(w);
    return pressure > 0.0 ? shear_rate(w, n, mass) * diameter * sqrt(density / pressure)
                          : (double)NAN;
}

/** `list` NULL: the contacts are not known. */
static void put_of_contacts(const scree_world *w, const scree_contact_list *list, double value[])
{
    value[SCREE_QUANTITY_MAX_OVERLAP] = value[SCREE_QUANTITY_UNBALANCED] =
        value[SCREE_QUANTITY_INERTIAL_NUMBER] = (double)NAN;
    if (!w->n_free || !list)
        return;
    const pulls sum = sum_contacts(w, list);
    value[SCREE_QUANTITY_MAX_OVERLAP] = sum.overlap;
    value[SCREE_QUANTITY_UNBALANCED] = mean_resultant(w) / (sum.force / (double)sum.n);
    value[SCREE_QUANTITY_INERTIAL_NUMBER] = inertial_number(w, &sum);
}

static void put_all(const scree_sim *sim, uint64_t wanted, const scree_contact_list *list,
                    double value[SCREE_QUANTITIES])
{
    put_counts(sim, value);
    if (wanted & SCREE_QUANTITIES_OF_ENERGY)
        put_energies(sim, value);
    if (wanted & SCREE_QUANTITIES_OF_BODIES)
        put_of_bodies(sim->world, value);
    if (wanted & SCREE_QUANTITIES_OF_CONTACTS)
        put_of_contacts(sim->world, list, value);
}

void scree_figures_now(scree_sim *sim, uint64_t wanted, double value[SCREE_QUANTITIES])
{
    scree_contact_list list;
    const bool has_list = (wanted & SCREE_QUANTITIES_OF_CONTACTS) && scree_record_list(sim, &list);
    put_all(sim, wanted, has_list ? &list : NULL, value);
}

/* ---- scree.figures/1 ---- */

/** The figures of the contacts are those of the list that the present call has: the arrays of another
 * list of the same state would replace those that the observer reads. */
static int32_t give_now(void *ctx, uint32_t n, const char *const *name, double *value)
{
    const scree_sim *sim = ctx;
    const char *call = scree_guard_now.call;
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
    put_all(sim, wanted, sim->runtime.summed.contacts, all);
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
