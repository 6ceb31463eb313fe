/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the plugin that has made a body too fast.
 *
 * After the step has failed, forces are evaluated again. Bodies outside of their extents are put
 * back where these were made, and bodies that are too fast are at rest: their contacts then are
 * those of the last evaluation, up to a share of the extent. If the forces explain the velocity,
 * each law is evaluated by itself. Otherwise the integrator has moved the body last.
 */
#include "engine/mover.h"

#include <math.h>
#include <string.h>

#include "engine/motion.h"
#include "engine/trial_forces.h"

enum { VECTORS = 9 }; /* x, v, w */

/** [-] Share of a velocity that a force explains in a step; an integrator may split a step. */
#define EXPLAINS 0.1

static double length3(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}

/** Returns the force [N] on body i beyond that of `rest`. */
static double force_on(const double *wrench, const double *rest, uint32_t i)
{
    const double *f = wrench + (size_t)i * SCREE_WRENCH, *r = rest + (size_t)i * SCREE_WRENCH;
    return length3(f[0] - r[0], f[1] - r[1], f[2] - r[2]);
}

static double *vector_of(const scree_world *w, int k)
{
    return k < 3 ? w->x[k] : k < 6 ? w->v[k - 3] : w->w[k - 6];
}

/** Puts bodies that have left their extents back where these were made; stops too fast ones. */
static void put_back(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    for (uint32_t i = 0; i < w->n_free; i++) {
        const double *ref = sim->boxes.ref + 4 * (size_t)i;
        const double v[3] = {w->v[0][i], w->v[1][i], w->v[2][i]};
        const double spin[3] = {w->radius[i] * w->w[0][i], w->radius[i] * w->w[1][i],
                                w->radius[i] * w->w[2][i]};
        const bool fast = !scree_motion_is_sane(sim, w->radius[i], v) ||
                          !scree_motion_is_sane(sim, w->radius[i], spin);
        const bool left =
            !(length3(w->x[0][i] - ref[0], w->x[1][i] - ref[1], w->x[2][i] - ref[2]) <= ref[3]);
        for (int k = 0; k < VECTORS; k++)
            if (k < 3 ? left : fast)
                vector_of(w, k)[i] = k < 3 ? ref[k] : 0.0;
    }
}

/** Serves as compute() of a law without forces. */
static int32_t do_nothing(void *instance, const scree_contact_batch *batch)
{
    double *const written[] = {batch->f[0],        batch->f[1],        batch->f[2],
                               batch->couple[0],   batch->couple[1],   batch->couple[2],
                               batch->couple_b[0], batch->couple_b[1], batch->couple_b[2],
                               batch->stored,      batch->lost,        batch->heat};
    (void)instance;
    for (size_t k = 0; k < G_N_ELEMENTS(written); k++)
        if (written[k])
            memset(written[k], 0, batch->n * sizeof(double));
    return SCREE_OK;
}

/** Finds the forces of law l by itself on all bodies; SCREE_NONE: of no law. */
static bool try_law(scree_sim *sim, uint32_t l, double *wrench)
{
    static const scree_force_ops nothing = {.size = sizeof nothing, .compute = do_nothing};
    scree_contact_plugins *contact = &sim->plugins.contact;
    g_autofree const scree_force_ops **ops = g_new(const scree_force_ops *, contact->n_laws + 1);
    double stored;
    for (uint32_t k = 0; k < contact->n_laws; k++) {
        ops[k] = contact->laws[k].ops;
        contact->laws[k].ops = k == l ? ops[k] : &nothing;
    }
    const bool done = scree_trial_forces(sim, wrench, &stored, NULL);
    for (uint32_t k = 0; k < contact->n_laws; k++)
        contact->laws[k].ops = ops[k];
    return done;
}

/** Returns whether forces and couples on body i explain its velocity or spin. */
static bool is_pushed(const scree_sim *sim, uint32_t i, const double *wrench, double speed,
                      double spin)
{
    const scree_world *w = sim->world;
    const double *line = wrench + (size_t)i * SCREE_WRENCH;
    const double push = length3(line[0], line[1], line[2]) * w->inv_mass[i] * sim->dt;
    const double lightest =
        fmax(w->inv_inertia[0][i], fmax(w->inv_inertia[1][i], w->inv_inertia[2][i]));
    const double turn = length3(line[4], line[5], line[6]) * lightest * sim->dt;
    return push > EXPLAINS * speed || (turn > 0.0 && turn > EXPLAINS * spin);
}

/** Returns whether body i touched anything in the last accepted evaluation. */
static bool has_touched(const scree_sim *sim, uint32_t i)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[sim->contacts.committed];
        for (uint64_t c = 0; c < t->n; c++)
            if (s->a[t->pair[c]] == i || s->b[t->pair[c]] == i)
                return true;
    }
    return false;
}

/** Appends the modifiers that add forces. */
static void add_modifiers(const scree_sim *sim, GPtrArray *names)
{
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_instance *one = sim->plugins.body.modifiers->pdata[m];
        const scree_modifier_ops *ops = one->ops;
        if (SCREE_HAS(ops, forces))
            g_ptr_array_add(names, (char *)one->shown);
    }
}

/** Returns the law with the largest force on body i, if it explains the motion; NULL: none, or
 * forces of modifiers are larger. *pushed: those of modifiers explain it. */
static const scree_instance *find_strongest(scree_sim *sim, uint32_t i, double speed, double spin,
                                            bool *pushed)
{
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const size_t size = (size_t)sim->world->n * SCREE_WRENCH + 1;
    g_autofree double *rest = g_new0(double, size), *one = g_new0(double, size);
    g_autofree double *zero = g_new0(double, size);
    const scree_instance *found = NULL;
    *pushed = try_law(sim, SCREE_NONE, rest) && is_pushed(sim, i, rest, speed, spin);
    double most = *pushed ? force_on(rest, zero, i) : 0.0;
    for (uint32_t l = 0; l < contact->n_laws; l++) {
        const double force = try_law(sim, l, one) ? force_on(one, rest, i) : 0.0;
        if (!(force > most) || !is_pushed(sim, i, one, speed, spin))
            continue;
        most = force;
        found = contact->laws[l].instance;
    }
    return found;
}

/** Returns the plugin that has made body i so fast, as the end of a message. */
static char *find_mover(scree_sim *sim, uint32_t i, double speed, double spin)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *list = NULL;
    bool pushed = false, touched = has_touched(sim, i);
    add_modifiers(sim, names);
    const scree_instance *law =
        touched || names->len ? find_strongest(sim, i, speed, spin, &pushed) : NULL;
    if (law) {
        g_ptr_array_set_size(names, 0);
        g_ptr_array_add(names, (char *)law->shown);
    } else if (!pushed) { // a lost contact, or no force
        const uint32_t n_laws = touched ? sim->plugins.contact.n_laws : 0;
        for (uint32_t l = 0; l < n_laws; l++)
            g_ptr_array_add(names, (char *)sim->plugins.contact.laws[l].instance->shown);
        g_ptr_array_add(names, (char *)sim->plugins.body.integrator->shown);
    }
    const bool one = law || pushed;
    g_ptr_array_add(names, NULL);
    list = g_strjoinv(" or ", (char **)names->pdata);
    return one ? g_strdup_printf("the largest force on it is by %s", list)
               : g_strdup_printf("it was moved by %s", list);
}

void scree_mover_add(scree_sim *sim, GError *error)
{
    const scree_world *w = sim->world;
    const size_t n = w->n;
    const uint32_t i = sim->checks.flung;
    sim->checks.flung = SCREE_NONE; // a trial may fail as well
    if (w->motion[i] != SCREE_MOTION_FREE || !sim->boxes.valid)
        return;
    g_autofree double *kept = g_new(double, VECTORS *n + 1);
    for (size_t k = 0; k < VECTORS; k++)
        memcpy(kept + k * n, vector_of(w, (int)k), n * sizeof *kept);
    const double speed = length3(w->v[0][i], w->v[1][i], w->v[2][i]);
    const double spin = length3(w->w[0][i], w->w[1][i], w->w[2][i]);
    put_back(sim);
    g_autofree char *mover = find_mover(sim, i, speed, spin);
    for (size_t k = 0; k < VECTORS; k++)
        memcpy(vector_of(w, (int)k), kept + k * n, n * sizeof *kept);
    char *text = g_strdup_printf("%s; %s", error->message, mover);
    g_free(error->message);
    error->message = text;
}
