/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that the engine moves by the integrator under test, far from each other: their forces are
 * formulas. */
#include "tools/check/check_motion.h"

#include <math.h>
#include <string.h>

#include "base/say.h"
#include "engine/body_index.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "scene/scene.h"
#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/route_plugins.h"

static const double apart = 8.0; // [m] between bodies at the start, along y
static scree_check_motion *now;  // the engine's calls have no data of the check

/** [n] zeros, which the bodies keep. */
static double *add_array(scree_check_motion *m)
{
    double *array = g_new0(double, m->motion.n);
    g_ptr_array_add(m->arrays, array);
    return array;
}

scree_check_motion *scree_check_motion_new(scree_check *check, scree_instance *instance, uint32_t n,
                                           uint32_t n_free, double dt, scree_check_force_fn force)
{
    scree_check_motion *m = g_new0(scree_check_motion, 1);
    scree_motion *t = &m->motion;
    *m = (scree_check_motion){.check = check, .force = force};
    *t = (scree_motion){.dimension = instance->host.dimension, .n = n, .n_free = n_free, .dt = dt};
    m->arrays = g_ptr_array_new_with_free_func(g_free);
    for (int k = 0; k < 3; k++) {
        double **const each[] = {&t->x[k],           &t->v[k],      &t->w[k],
                                 &m->inv_inertia[k], &m->strain[k], &m->old_strain[k]};
        for (size_t e = 0; e < G_N_ELEMENTS(each); e++)
            *each[e] = add_array(m);
    }
    for (int k = 0; k < 4; k++)
        t->q[k] = add_array(m);
    m->inv_mass = add_array(m);
    m->relaxation = add_array(m);
    m->isotropic = (uint8_t *)add_array(m);
    for (uint32_t i = 0; i < n; i++) {
        t->q[0][i] = 1.0;
        m->isotropic[i] = 1;
        m->inv_mass[i] = i < n_free;
        for (int k = 0; k < 3; k++)
            m->inv_inertia[k][i] = i < n_free;
    }
    return m;
}

void scree_check_motion_free(scree_check_motion *m)
{
    if (!m)
        return;
    if (m->sim)
        scree_sim_free(m->sim);
    g_ptr_array_unref(m->arrays);
    g_free(m->at);
    g_free(m);
}

/* ---- to the engine, and back ---- */

/** [m] Coordinate k of the place from which body i begins. */
static double home(int k, uint32_t i)
{
    return k == 1 ? apart * i : 0.0;
}

/** Writes the bodies into the world; kinematic ones go on from there. */
static void put_bodies(const scree_check_motion *m)
{
    scree_world *w = m->sim->world;
    for (uint32_t i = 0; i < m->motion.n; i++) {
        const uint32_t j = m->at[i];
        for (int k = 0; k < 3; k++) {
            w->x[k][j] = home(k, i) + m->motion.x[k][i];
            w->v[k][j] = m->motion.v[k][i];
            w->w[k][j] = m->motion.w[k][i];
            w->inv_inertia[k][j] = m->inv_inertia[k][i];
        }
        for (int k = 0; k < 4; k++)
            w->q[k][j] = m->motion.q[k][i];
        w->inv_mass[j] = m->inv_mass[i];
        w->isotropic[j] = m->isotropic[i];
        if (i >= m->motion.n_free)
            scree_world_anchor(w, j, 0.0);
    }
    scree_world_changed(w);
}

static void take_bodies(scree_check_motion *m)
{
    const scree_world *w = m->sim->world;
    if (m->motion.numbering != w->numbering) {
        g_free(m->at);
        m->at = scree_body_index_new(w);
        m->motion.numbering = w->numbering;
    }
    for (uint32_t i = 0; i < m->motion.n; i++) {
        const uint32_t j = m->at[i];
        for (int k = 0; k < 3; k++) {
            m->motion.x[k][i] = w->x[k][j] - home(k, i);
            m->motion.v[k][i] = w->v[k][j];
            m->motion.w[k][i] = w->w[k][j];
        }
        for (int k = 0; k < 4; k++)
            m->motion.q[k][i] = w->q[k][j];
    }
}

/** The scene but for the modifiers and the integrator. A rod, of which no body is made, lets each
 * body have three moments. */
static char *write_scene(const scree_check_motion *m)
{
    const bool solid = m->motion.dimension == 3;
    char dt[G_ASCII_DTOSTR_BUF_SIZE];
    GString *text = g_string_new(NULL);
    g_string_append_printf(
        text,
        "scene = { dimension = %u; steps = 1000000; dt = %s; };\nmaterials = { first = { density = "
        "2500.0; }; second = { density = 1000.0; }; };\ncheckpoint = { at_end = false; };\n%s"
        "bodies = {\n",
        m->motion.dimension, g_ascii_formatd(dt, sizeof dt, "%.17e", m->motion.dt),
        solid ? "shapes = { rod = { type = \"clump\"; balls = ((0.0, 0.0, 0.0, 0.1), (0.1, 0.0, "
                "0.0, 0.1)); }; };\n"
              : "");
    for (uint32_t i = 0; i < m->motion.n; i++)
        g_string_append_printf(text,
                               "    b%u = { radius = 0.1; material = \"first\"; position = (0.0, "
                               "%g%s);%s };\n",
                               i, home(1, i), solid ? ", 0.0" : "",
                               i < m->motion.n_free ? "" : " motion = \"kinematic\";");
    g_string_append(text, "};\n");
    return g_string_free(text, FALSE);
}

/* ---- forces ---- */

/** Slip since the committed state, as the engine computes it. */
static double slip_of(const scree_check_motion *m, int k, uint32_t i, double since)
{
    const scree_displacements *d = &m->sim->displacements;
    return d->current ? d->moved[k][m->at[i]] : m->motion.v[k][i] * since;
}

/** Maxwell's element with a fading spring; slip enters at the midpoint, of second order. */
static void strain(scree_check_motion *m, uint32_t i, double since)
{
    const double rate = m->relaxation[i];
    for (int k = 0; k < 3; k++) {
        const double slip = slip_of(m, k, i, since);
        m->strain[k][i] =
            m->old_strain[k][i] * exp(-rate * since) + slip * exp(-0.5 * rate * since);
    }
}

/** An accepted evaluation: its slips must be how far the body came. */
static void commit(scree_check_motion *m)
{
    for (uint32_t i = 0; i < m->motion.n_free; i++)
        for (int k = 0; k < 3; k++)
            if (m->relaxation[i] == 0.0)
                m->off = fmax(m->off, fabs(m->strain[k][i] - m->motion.x[k][i]));
    m->n_accepted++;
    m->committed = m->time;
    for (int k = 0; k < 3; k++)
        memcpy(m->old_strain[k], m->strain[k], m->motion.n * sizeof(double));
}

static void pull(const scree_forces *args)
{
    scree_check_motion *m = now;
    take_bodies(m);
    m->time = args->time;
    m->n_evaluations++;
    for (uint32_t i = 0; i < m->motion.n_free; i++) {
        double *wrench = args->wrench + 8ull * m->at[i];
        strain(m, i, args->time - m->committed);
        m->force(m, i, wrench);
    }
    if (m->rates)
        m->rates(m, args);
    if (args->accepted)
        commit(m);
}

static void fill(const scree_entry *args)
{
    if (now->fill)
        now->fill(now, args);
}

/* ---- runs ---- */

static bool make(const scree_route_scene *from, void *user, GError **error)
{
    static const char *const none[] = {NULL};
    scree_check_motion *m = user;
    scree_scene *scene = scree_route_scene_read(from, none, error);
    m->sim = scene ? scree_sim_new(scene, &(scree_sim_options){.threads = 1, .waits = true}, error)
                   : NULL;
    return m->sim != NULL;
}

void scree_check_motion_start(scree_check_motion *m)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = write_scene(m);
    scree_route_scene from = {.check = m->check,
                              .dimension = m->motion.dimension,
                              .settings = m->check->variant,
                              .pulled = text,
                              .warm = m->fill != NULL};
    for (int k = 0; k < 3; k++) // strains are measured from the origin
        memcpy(m->old_strain[k], m->motion.x[k], m->motion.n * sizeof(double));
    now = m;
    scree_say_set(scree_check_trip_hear);
    scree_route_plugins_give(m->check);
    scree_route_plugins_pull(&(scree_route_puller){fill, pull});
    if (scree_route_scene_try(&from, make, m, &error)) {
        m->at = scree_body_index_new(m->sim->world);
        put_bodies(m);
        if (scree_sim_start(m->sim, &error))
            return;
    }
    scree_check_fail(m->check, "%s", error->message);
    g_clear_pointer(&m->sim, scree_sim_free);
}

bool scree_check_motion_run(scree_check_motion *m, uint32_t n_steps)
{
    g_autoptr(GError) error = NULL;
    now = m;
    if (!m->sim || m->check->failed)
        return false;
    if (m->runs_away)
        return true;
    for (uint32_t n = 0; n < n_steps && !error; n++)
        scree_sim_step(m->sim, &error);
    if (!error)
        scree_sim_settle(m->sim, &error);
    take_bodies(m);
    m->runs_away = error && (strstr(error->message, "has blown up"));
    if (error && !m->runs_away)
        scree_check_fail(m->check, "%s", error->message);
    return !error || m->runs_away;
}

void scree_check_motion_turn_round(scree_check_motion *m)
{
    for (uint32_t i = 0; i < m->motion.n; i++)
        for (int k = 0; k < 3; k++)
            m->sim->world->v[k][i] = -m->sim->world->v[k][i];
}
