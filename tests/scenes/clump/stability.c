/* SPDX-License-Identifier: Apache-2.0 */
/* The critical step of a body of two balls that lies on a plane, against its own 6 x 6 problem in
 * world axes, and against runs below and above it. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"
#include "engine/critical_contacts.h"
#include "engine/energy.h"
#include "engine/step.h"

#define R1 0.01
#define R2 0.006
#define APART 0.018
#define DENSITY 2500.0

typedef struct springs {
    double kn, kt;
} springs;

static double ball_mass(double r)
{
    return DENSITY * 4.0 / 3.0 * G_PI * r * r * r;
}

/** How it lies in balance under its weight: depths of both balls, distance of the centre of mass
 * from the larger one, sine of the slope. */
typedef struct rest {
    double depth[2], centre, sine;
} rest;

static rest find_rest(void)
{
    rest at = {.depth = {1e-5, 0.0}};
    at.centre = APART * ball_mass(R2) / (ball_mass(R1) + ball_mass(R2));
    at.depth[1] = at.depth[0] * at.centre / (APART - at.centre);
    at.sine = (R1 - at.depth[0] - R2 + at.depth[1]) / APART;
    return at;
}

/** Turned about y until both balls touch, then by 30 degrees about z: no axis of it is the world's. */
static scree_sim *lay(double dt, springs k, const char *more)
{
    const rest at = find_rest();
    const double half = 0.5 * asin(at.sine), z = G_PI / 12.0;
    const double weight = k.kn * (at.depth[0] + at.depth[1]) / (ball_mass(R1) + ball_mass(R2));
    const double q[4] = {cos(half) * cos(z), -sin(half) * sin(z), sin(half) * cos(z),
                         cos(half) * sin(z)};
    return start_text(
        "scene = { dimension = 3; dt = %.17g; dt_limit = 100.0; gravity = (0.0, 0.0, %.17g); };"
        "materials = { glass = { density = 2500.0; }; };" PLUGINS
        "force = ( { plugin = \"linear\"; kn = %.17g; kt = %.17g; friction = 1.0e9; restitution = "
        "1.0; } "
        ");"
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.006; distance = 0.018; "
        "};"
        "  floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { shape = \"bell\"; position = (0.0, 0.0, %.17g); %s"
        "  orientation = { axis = (%.17g, %.17g, %.17g); angle = %.17g; }; };"
        "  floor = { shape = \"floor\"; }; };",
        dt, -weight, k.kn, k.kt, R1 - at.depth[0], more, q[1], q[2], q[3], 2.0 * acos(q[0]));
}

/** [1/s^2] Largest eigenvalue of M^-1 K by hand, in axes along and across the body: both contacts
 * are in one vertical plane, so that motion in it (x, z, about y) is apart from the rest. */
static double fastest(springs k)
{
    const rest lies = find_rest();
    const double m1 = ball_mass(R1), m2 = ball_mass(R2), m = m1 + m2, s = lies.centre;
    const double along = 0.4 * (m1 * R1 * R1 + m2 * R2 * R2);
    const double across = along + m1 * s * s + m2 * (APART - s) * (APART - s);
    const double sine = lies.sine, cosine = sqrt(1.0 - sine * sine);
    const double at[2][2] = {
        {-s * cosine, s * sine - R1 + 0.5 * lies.depth[0]},
        {(APART - s) * cosine, -(APART - s) * sine - R2 + 0.5 * lies.depth[1]}};
    // the body's axis falls by `sine` along x: its inertia in world axes
    const double axis[3] = {cosine, 0.0, -sine};
    double stiff[6][6] = {{0.0}}, inertia[3][3], u[6] = {1.0, 0.7, 0.9, 40.0, 60.0, 50.0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia[i][j] = (i == j ? across : 0.0) + (along - across) * axis[i] * axis[j];
    for (int c = 0; c < 2; c++) {
        const double x = at[c][0], z = at[c][1];
        // how the contact point moves along x, y, z with each motion: u + w x arm
        const double moves[3][6] = {{1, 0, 0, 0, z, 0}, {0, 1, 0, -z, 0, x}, {0, 0, 1, 0, -x, 0}};
        for (int axis_of = 0; axis_of < 3; axis_of++)
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    stiff[i][j] +=
                        (axis_of == 2 ? k.kn : k.kt) * moves[axis_of][i] * moves[axis_of][j];
    }
    // inverse of the inertia: that of the rotated diagonal
    double back[3][3], value = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            back[i][j] =
                (i == j ? 1.0 / across : 0.0) + (1.0 / along - 1.0 / across) * axis[i] * axis[j];
    for (int turn = 0; turn < 2000; turn++) {
        double f[6] = {0.0}, next[6], norm = 0.0;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                f[i] += stiff[i][j] * u[j];
        for (int i = 0; i < 3; i++) {
            next[i] = f[i] / m;
            next[3 + i] = 0.0;
            for (int j = 0; j < 3; j++)
                next[3 + i] += back[i][j] * f[3 + j];
        }
        double up = 0.0, down = 0.0;
        for (int i = 0; i < 6; i++)
            up += u[i] * f[i];
        for (int i = 0; i < 3; i++) {
            down += m * u[i] * u[i];
            for (int j = 0; j < 3; j++)
                down += u[3 + i] * inertia[i][j] * u[3 + j];
        }
        value = up / down; // Rayleigh's quotient
        for (int i = 0; i < 6; i++)
            norm = fmax(norm, fabs(next[i]));
        for (int i = 0; i < 6; i++)
            u[i] = next[i] / norm;
    }
    return value;
}

/** The critical step that a run finds for its contacts. */
static double surveyed(springs k, uint32_t *contacts, double *begin)
{
    g_autoptr(scree_sim) sim = lay(1e-9, k, "");
    g_autoptr(GError) error = NULL;
    scree_survey_result found;
    *begin = sim->critical;
    sim->warnings.surveys = true;
    run_recorded(sim, 1);
    sim->dt = 1.0; // so that no body is passed over as slow
    if (!scree_survey_contacts(sim, &found, &error))
        bail_out("%s", error->message);
    *contacts = found.contacts;
    return found.step;
}

/** The largest kinetic energy in n steps, of that of a weak kick. */
static double gain(springs k, double dt, uint64_t n)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim =
        lay(dt, k, "velocity = (1.0e-7, 5.0e-8, -1.0e-7); spin = (3.0e-5, -2.0e-5, 1.0e-5);");
    scree_energy now;
    double most = 0.0;
    scree_energy_now(sim, &now);
    const double begin = now.kinetic;
    for (uint64_t i = 0; i < n; i++) {
        if (!scree_sim_step(sim, &error)) { // it has blown up
            most = HUGE_VAL;
            break;
        }
        scree_energy_now(sim, &now);
        most = fmax(most, now.kinetic / begin);
    }
    scree_sim_free(sim);
    return most;
}

/** The forecast of a heap that is still to fall, and the smallest step that its run then has. */
static void compare_heap(const char *path)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = start_file(path, NULL, NULL);
    const double forecast = sim->critical, dt = sim->dt;
    double least = HUGE_VAL;
    uint32_t most = 0;
    sim->warnings.surveys = true;
    for (int i = 0; i < 240; i++) {
        scree_survey_result found;
        run_recorded(sim, 10);
        sim->dt = 1.0;
        if (!scree_survey_contacts(sim, &found, &error))
            bail_out("%s", error->message);
        sim->dt = dt;
        least = fmin(least, found.step);
        most = MAX(most, found.contacts);
    }
    scree_sim_free(sim);
    claim(most > 3 && forecast < least && forecast > 0.1 * least,
          "the-forecast-of-a-heap-is-below-what-its-contacts-then-need # %g s, %g s with up to %u "
          "contacts",
          forecast, least, most);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        bail_out("usage: stability HEAP.cfg");
    compare_heap(argv[1]);
    static const springs all[] = {{1e4, 1e4}, {1e4, 2e4 / 7.0}, {1e4, 5e4}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        uint32_t contacts = 0;
        const double exact = 2.0 / sqrt(fastest(all[i]));
        double begin;
        const double found = surveyed(all[i], &contacts, &begin);
        // 1e-7: a survey keeps normals and arms in single precision
        claim(contacts == 2 && fabs(found / exact - 1.0) < 1e-7,
              "critical-step-of-two-balls-of-a-body-on-a-plane-kt-%g # %.12g s, by hand %.12g s",
              all[i].kt, found, exact);
        claim(begin <= exact && begin > 0.5 * exact,
              "that-of-the-scene-at-its-start-is-a-bound # %.12g s", begin);
        const double calm = gain(all[i], 0.9 * found, 4000),
                     wild = gain(all[i], 1.02 * exact, 4000);
        claim(calm < 1.0 / (1.0 - 0.81), "a-run-at-0.9-of-it-keeps-its-energy # at most %g of it",
              calm);
        claim(wild > 1e4, "one-at-1.02-of-it-gains # %g of it", wild);
    }
    return tap_end();
}
