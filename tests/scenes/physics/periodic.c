/* SPDX-License-Identifier: Apache-2.0 */
/* Boundaries: periodic ones may not be felt; stop, reflect and destroy by their closed forms. */
#include <math.h>
#include <string.h>

#include "engine/contacts.h"
#include "engine/energy.h"
#include "harness.h"

enum { STEPS = 1500 };
static const double L = 0.02, radius[2] = {1e-3, 1.7e-3};

/** Two spheres that meet obliquely around `centre`, drifting together with `drift`. */
static scree_sim *start_pair(const double centre[3], const double drift[3])
{
    static const double x[2][3] = {{-1.2e-3, -3e-4, 2e-4}, {1.53e-3, 1e-4, -2e-4}};
    static const double v[2][3] = {{0.6, 0.2, 0.1}, {-0.5, -0.2, 0.15}};
    g_autoptr(GString) bodies = g_string_new(NULL);
    for (int b = 0; b < 2; b++)
        g_string_append_printf(
            bodies,
            "b%d = { id = %d; radius = %.17e; position = (%.17e, %.17e, %.17e); velocity = (%.17e, "
            "%.17e, %.17e); spin = (%d.0, -150.0, 80.0); };",
            b, b + 1, radius[b], centre[0] + x[b][0], centre[1] + x[b][1], centre[2] + x[b][2],
            drift[0] + v[b][0], drift[1] + v[b][1], drift[2] + v[b][2], 100 - 300 * b);
    return start_text(
        "scene = { dt = 2.0e-7; region = { min = (0.0, 0.0, 0.0); max = (%.17e, %.17e, "
        "%.17e); }; boundary = \"periodic\"; }; materials = { m = { density = 2500.0; }; };"
        "bodies = { %s }; force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.8; "
        "friction = 0.3; } );" PLUGINS,
        L, L, L, bodies->str);
}

/** Positions against `centre` and the drift, velocities, spins: each over its scale. */
static void state_of(const scree_sim *sim, const double centre[3], const double drift[3],
                     double out[18])
{
    double t = scree_sim_time(sim), ref[3];
    unwrapped(sim, body_of(sim, 1), ref);
    for (int b = 0; b < 2; b++) {
        uint32_t i = body_of(sim, (uint64_t)b + 1);
        double x[3];
        unwrapped(sim, i, x);
        for (int k = 0; k < 3; k++) {
            // a body that starts outside is wrapped with its count, so whole cells may be
            // between
            double d = (x[k] - centre[k] - drift[k] * t) / L;
            out[9 * b + k] = d - floor(d + 0.5);
            out[9 * b + 3 + k] = (sim->world->v[k][i] - drift[k]) / 0.6;
            out[9 * b + 6 + k] = sim->world->w[k][i] / 300.0;
        }
    }
}

static double difference(const double a[18], const double b[18])
{
    double worst = 0.0;
    for (int k = 0; k < 18; k++)
        worst = fmax(worst, fabs(a[k] - b[k]));
    return worst;
}

static void test_across(void)
{
    static const double still[3] = {0};
    static const struct {
        const char *name;
        double at[3];
    } places[] = {
        {"x", {0.0, 0.5, 0.5}},
        {"y", {0.5, 0.0, 0.5}},
        {"z", {0.5, 0.5, 0.0}},
        {"x, upper", {1.0, 0.5, 0.5}},
        {"an edge", {0.0, 1.0, 0.5}},
        {"the corner", {0.0, 0.0, 0.0}},
        {"the upper corner", {1.0, 1.0, 1.0}},
    };
    double centre[3] = {0.5 * L, 0.5 * L, 0.5 * L}, inside[18], across[18];
    scree_sim *sim = start_pair(centre, still);
    run(sim, STEPS);
    claim(fabs(sim->world->w[1][body_of(sim, 1)] + 150.0) > 10.0 &&
              scree_exact_sum_value(&sim->account.lost) > 0.0,
          "the spheres have met inside");
    state_of(sim, centre, still, inside);
    scree_sim_free(sim);
    for (size_t p = 0; p < G_N_ELEMENTS(places); p++) {
        for (int k = 0; k < 3; k++)
            centre[k] = places[p].at[k] * L;
        sim = start_pair(centre, still);
        run(sim, STEPS);
        state_of(sim, centre, still, across);
        // Positions of 1e-2 m are rounded to 1e-18 m, overlaps are 1e-5 m: 1e-13, some tens of
        // times.
        claim(difference(inside, across) < 2e-11,
              "an impact across %s is that of the interior (%.1e)", places[p].name,
              difference(inside, across));
        scree_sim_free(sim);
    }
}

/** Sets the springs of all committed contacts to 0: what a lost history would do. */
static void forget(scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    memset(store->field, 0, store->n * sim->plugins.contact.n_fields * sizeof(double));
    scree_contacts_import(sim, store);
    sim->contacts.stale = true;
    scree_contact_store_free(store);
}

/* The pair drifts along the diagonal so fast that both wrap while they touch. */
static void test_wrap(void)
{
    double centre[3] = {0.9 * L, 0.97 * L, 0.93 * L}, drift[3] = {31.0, 29.0, 30.0};
    static const double still[3] = {0};
    double with[18], without[18], lost[18];
    for (int trial = 0; trial < 2; trial++) {
        scree_sim *sim = start_pair(centre, drift);
        uint32_t touching = 0;
        for (int n = 0; n < STEPS; n++) {
            int32_t before = sim->world->image[0][body_of(sim, 1)];
            run(sim, 1);
            if (sim->world->image[0][body_of(sim, 1)] == before || !sim->counters.contacts)
                continue;
            touching++;
            if (trial)
                forget(sim);
        }
        state_of(sim, centre, drift, trial ? lost : with);
        if (!trial)
            claim(touching > 0, "%u wraps while in touch", touching);
        scree_sim_free(sim);
    }
    scree_sim *sim = start_pair(centre, still);
    run(sim, STEPS);
    state_of(sim, centre, still, without);
    scree_sim_free(sim);
    claim(difference(with, without) < 1e-10,
          "a contact that wraps keeps its tangential spring (%.1e)", difference(with, without));
    claim(difference(lost, without) > 1e-5,
          "negative control: a spring lost at the wrap shows (%.1e)", difference(lost, without));
}

/* A ball of diameter 2 r in a cell shorter than that touches its own image. */
static void test_own_image(void)
{
    const double r = 1e-3, cell = 1.99e-3, kn = 1e4, depth = 2.0 * r - cell;
    for (int axes = 1; axes <= 3; axes++) {
        double size[3], speed[3] = {0.3, 0.2, -0.4};
        for (int k = 0; k < 3; k++)
            size[k] = k < axes ? cell : 0.01;
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dt = 1.0e-6; region = { min = (0.0, 0.0, 0.0); max = (%.17e, %.17e, %.17e); "
            "}; "
            "boundary = \"periodic\"; }; materials = { m = { density = 2500.0; }; };"
            "bodies = { b = { id = 1; radius = %.17e; position = (0.001, 0.001, 0.001); velocity = "
            "(%.17e, %.17e, %.17e); }; }; force = ( { plugin = \"linear\"; kn = %.17e; restitution "
            "= 0.5; "
            "friction = 0.3; } );" PLUGINS,
            size[0], size[1], size[2], r, speed[0], speed[1], speed[2], kn);
        run(sim, 20000); // many times through the cell
        double worst = 0.0, x[3];
        unwrapped(sim, 0, x);
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(sim->world->v[k][0] - speed[k]));
            worst = fmax(worst, fabs(x[k] - 1e-3 - speed[k] * 0.02));
        }
        claim(sim->counters.contacts == (uint64_t)axes && worst < 1e-12,
              "a ball touches %d of its images once each and flies on (%.1e)", axes, worst);
        claim(fabs(scree_exact_sum_value(&sim->account.stored) / (axes * 0.5 * kn * depth * depth) -
                   1.0) < 1e-9,
              "its energy is that of %d springs (%.1e)", axes,
              scree_exact_sum_value(&sim->account.stored) / (axes * 0.5 * kn * depth * depth) -
                  1.0);
    }
}

static scree_sim *start_flight(const char *boundary, double x, double dt, const char *more)
{
    return start_text("scene = { dt = %.17e; region = { min = (0.0, 0.0, 0.0); max = (0.02, 0.02, "
                      "0.02); }; boundary = "
                      "(\"%s\", \"open\", \"open\"); }; materials = { m = { density = 2500.0; }; };"
                      "bodies = { b = { id = 1; radius = 0.001; position = (%.17e, 0.01, 0.01); "
                      "velocity = (1.0, 0.3, "
                      "-0.2); spin = (1.0, 2.0, 3.0); }; %s }; force = ( { plugin = \"linear\"; kn "
                      "= 1.0e4; restitution "
                      "= 0.5; friction = 0.3; } );" PLUGINS,
                      dt, boundary, x, more);
}

static double residual(const scree_sim *sim)
{
    scree_energy e;
    scree_energy_now(sim, &e);
    return fabs(e.residual) / e.start;
}

static void test_other_boundaries(void)
{
    scree_sim *sim = start_flight("reflect", 0.015, 1e-5, "");
    run(sim, 5000); // 0.05 s: 0.05 m, two reflections and a bit
    double path = 0.015 + 0.05, x = sim->world->x[0][0];
    double folded = fmod(path, 0.04) > 0.02 ? 0.04 - fmod(path, 0.04) : fmod(path, 0.04);
    claim(fabs(x - folded) < 1e-12 &&
              sim->world->v[0][0] == -1.0 + 2.0 * (fmod(path, 0.04) < 0.02) &&
              sim->world->v[1][0] == 0.3,
          "reflect folds the path back, with the speed it had (x = %.6f, %.1e)", x, x - folded);
    claim(residual(sim) < 1e-12 && scree_exact_sum_value(&sim->account.work) == 0.0,
          "and does no work");
    scree_sim_free(sim);
    sim = start_flight("stop", 0.015, 1e-5, "");
    run(sim, 5000);
    double stopped =
        fabs(sim->world->v[0][0]) + fabs(sim->world->v[1][0]) + fabs(sim->world->w[2][0]);
    claim(sim->world->x[0][0] == 0.02 && stopped == 0.0, "stop holds the body at the boundary");
    claim(residual(sim) < 1e-12 && scree_exact_sum_value(&sim->account.work) < 0.0,
          "and books the energy it took as work (%.1e J)",
          scree_exact_sum_value(&sim->account.work));
    scree_sim_free(sim);
    // a second one in touch with the first, and a third far off
    sim = start_flight("destroy", 0.01999, 1e-7,
                       "c = { id = 2; radius = 0.001; position = (0.018, 0.01, 0.01); "
                       "velocity = (1.0, 0.3, -0.2); }; d = { id = 7; radius = 0.001; position "
                       "= (0.002, 0.002, 0.002); };");
    uint64_t contacts = 0;
    while (sim->world->n == 3 && sim->step < 1000) {
        contacts = sim->counters.contacts;
        run(sim, 1);
    }
    claim(sim->world->n == 2 && contacts == 1,
          "destroy removes a body that was in touch, at step %d", (int)sim->step);
    claim(scree_exact_sum_value(&sim->account.stored) == 0.0 && residual(sim) < 2e-4,
          "its contact goes with it, and the account closes (%.1e)", residual(sim));
    run(sim, 30000);
    claim(sim->world->n == 1 && sim->world->id[0] == 7 && sim->counters.contacts == 0 &&
              residual(sim) < 1e-3,
          "the second follows, the third keeps its id (%.1e)", residual(sim));
    scree_sim_free(sim);
    sim = start_flight("open", 0.015, 1e-5, "");
    run(sim, 5000);
    claim(fabs(sim->world->x[0][0] - 0.065) < 1e-12, "open lets it go");
    scree_sim_free(sim);
}

/* Kinematic bodies are not wrapped; far outside they meet the others as near ones do, and cost no
 * more boxes. */
static scree_sim *start_driven(double cells)
{
    return start_text(
        "scene = { dt = 1e-5; region = { min = (0.0, 0.0, 0.0); max = (0.01, 0.01, 0.01); };"
        "boundary = \"periodic\"; }; materials = { m = { density = 2500.0; }; };"
        "bodies = { a = { radius = 0.001; position = (0.004, 0.005, 0.005); };"
        "b = { radius = 0.001; position = (%.17e, %.17e, %.17e); velocity = (0.5, 0.0, 0.0);"
        "motion = \"kinematic\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e3; restitution = 0.7; friction = 0.2; } "
        ");" PLUGINS,
        0.00147 + 0.01 * cells, 0.0052 + 0.01 * cells, 0.005 - 0.01 * cells);
}

static void test_far_away(void)
{
    scree_sim *near = start_driven(0.0), *far = start_driven(40.0);
    run(near, 400);
    run(far, 400);
    double by = near->world->x[0][0] - 0.004, apart = far->world->x[0][0] - near->world->x[0][0];
    claim(by > 1e-4 && fabs(apart) < 1e-9,
          "a kinematic body 40 cells away pushes as one in the region (%.1e m, %.1e apart)", by,
          apart);
    claim(far->boxes.view.n <= 2 + 8, "with a box or few (%u)", far->boxes.view.n);
    scree_sim_free(near);
    scree_sim_free(far);
}

int main(void)
{
    test_across();
    test_wrap();
    test_own_image();
    test_other_boundaries();
    test_far_away();
    return tap_end();
}
