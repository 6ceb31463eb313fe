/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies that grow, wear or break: mass and inertia follow, and the energy account closes. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/body_change.h"
#include "engine/body_index.h"
#include "engine/contacts.h"
#include "engine/critical_contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/step.h"

#define HEAD(dt)                                                                                   \
    "scene = { dimension = 3; dt = " dt "; gravity = (0.0, 0.0, -10.0); };\n"                      \
    "materials = { glass = { density = 2500.0; }; lead = { density = 11000.0; }; };\n"
#define BALLS                                                                                      \
    "bodies = { a = { material = \"glass\"; radius = 0.1; position = (0.0, 0.0, 0.0);\n"           \
    "                 velocity = (1.0, 0.0, 2.0); spin = (3.0, 0.0, 0.0); };\n"                    \
    "           b = { material = \"glass\"; radius = 0.1; position = (5.0, 0.0, 0.0); };\n"        \
    "           c = { material = \"glass\"; radius = 0.1; position = (9.0, 0.0, 0.0);\n"           \
    "                 motion = \"kinematic\"; velocity = (0.0, 1.0, 0.0); };\n"                    \
    "           floor = { material = \"glass\"; shape = \"floor\";\n"                              \
    "                     position = (0.0, 0.0, -50.0); }; };\n"                                   \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n" LINEAR

/* The modifier of a test: calls what the test asks for after each step. */
static void (*edits_of)(const scree_step *args);

static int32_t after_step(void *instance, const scree_step *args)
{
    edits_of(args);
    return SCREE_OK;
}

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy),
                                       .after_step = after_step};
static const scree_plugin editor = {PLUGIN(MODIFIER, "editor", "of a test"), .ops = &ops};

static scree_sim *edited_with(const char *text, void (*edits)(const scree_step *),
                              const scree_sim_options *options)
{
    scree_scene *scene = fixture_scene(text);
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    choice->memory = g_ptr_array_new();
    fixture_plug(choice, &editor);
    *timed = (scree_timed_choice){.name = "editor", .choice = choice, .every_steps = 1};
    g_ptr_array_add(scene->modifiers, timed);
    edits_of = edits;
    return fixture_begin(scene, options);
}

static scree_sim *edited(const char *text, void (*edits)(const scree_step *))
{
    return edited_with(text, edits, &(scree_sim_options){0});
}

static double residual(const scree_sim *sim)
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    return energy.residual;
}

static int32_t change(const scree_step *args, scree_body_change what)
{
    what.size = sizeof what;
    return args->edits->set(args->edits->ctx, &what);
}

static uint32_t number_of(const scree_sim *sim, uint64_t id)
{
    g_autofree uint32_t *by_id = scree_body_index_new(sim->world);
    return scree_body_index_find(sim->world, by_id, id);
}

/* ---- one change at a time ---- */

static const double twice = 0.2, dense = 5000.0, same = 11000.0;
static const uint32_t lead = 1;

static void make_heavier(const scree_step *args)
{
    if (args->step != 1)
        return;
    g_assert_cmpint(change(args, (scree_body_change){.id = 1, .scale = &twice}), ==, SCREE_OK);
    g_assert_cmpint(change(args, (scree_body_change){.id = 2, .density = &dense}), ==, SCREE_OK);
    g_assert_cmpint(change(args, (scree_body_change){.id = 3, .material = &lead}), ==, SCREE_OK);
}

TEST("/body_change/mass-and-inertia-follow")
{
    g_autoptr(scree_sim) sim = edited(HEAD("0.01") BALLS, make_heavier);
    const scree_world *w = sim->world;
    const double small = 4.0 / 3.0 * G_PI * 1e-3;
    const double weight = w->mass[number_of(sim, 1)] * 10.0;
    fixture_run(sim, 1);
    const uint32_t a = number_of(sim, 1), b = number_of(sim, 2), c = number_of(sim, 3);
    const double m[] = {2500.0 * 8.0 * small, 5000.0 * small, 11000.0 * small};
    assert_near(w->mass[a], m[0], 1e-12 * m[0]);
    assert_near(w->mass[b], m[1], 1e-12 * m[1]);
    assert_near(w->mass[c], m[2], 1e-12 * m[2]);
    assert_near(w->inv_mass[a], 1.0 / m[0], 1e-12 / m[0]);
    g_assert_cmpfloat(w->inv_mass[c], ==, 0.0); // it moves as prescribed
    assert_near(w->inv_inertia[0][a], 1.0 / (0.4 * m[0] * 0.04), 1e-9);
    g_assert_cmpfloat(w->radius[a], ==, 0.2);
    g_assert_cmpfloat(w->v[0][a], ==, 1.0); // velocities and centres stay
    g_assert_cmpfloat(w->w[0][a], ==, 3.0);
    g_assert_cmpfloat(w->x[1][c], ==, 0.01);
    assert_near(w->wrench[a * SCREE_WRENCH + 2], -8.0 * weight, 1e-9 * weight);
    g_assert_cmpfloat(sim->view.density[a], ==, 0.0);
    g_assert_cmpfloat(sim->view.density[b], ==, 5000.0);
    g_assert_cmpfloat(sim->view.material_density[w->material[c]], ==, 11000.0);
    assert_near(residual(sim), 0.0, 1e-9);
    fixture_run(sim, 5);
    assert_near(w->v[2][number_of(sim, 1)], 2.0 - 10.0 * 0.06, 1e-12);
    assert_near(residual(sim), 0.0, 1e-9);
}

static void make_lead(const scree_step *args)
{
    // Two calls for one body: the later one leaves what the first has set.
    if (args->step == 1) {
        g_assert_cmpint(change(args, (scree_body_change){.id = 1, .scale = &twice}), ==, SCREE_OK);
        g_assert_cmpint(change(args, (scree_body_change){.id = 1, .density = &dense}), ==,
                        SCREE_OK);
    }
    if (args->step == 2)
        g_assert_cmpint(
            change(args, (scree_body_change){.id = 1, .material = &lead, .density = &same}), ==,
            SCREE_OK);
}

TEST("/body_change/the-density-of-the-material-is-none-of-its-own")
{
    g_autoptr(scree_sim) sim = edited(HEAD("0.01") BALLS, make_lead);
    fixture_run(sim, 1);
    g_assert_cmpfloat(sim->world->own_density[0], ==, 5000.0);
    g_assert_cmpfloat(sim->world->scale[0], ==, 0.2);
    fixture_run(sim, 1);
    g_assert_cmpfloat(sim->world->own_density[0], ==, 0.0); // none of its own: old hashes stay
    g_assert_cmpuint(sim->world->material[0], ==, 1);
    assert_near(sim->world->mass[0], 11000.0 * 4.0 / 3.0 * G_PI * 8e-3, 1e-9);
}

/* ---- what is refused ---- */

static void refuse_all(const scree_step *args)
{
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY, 1e-200, 1e200};
    const uint32_t none = 99, floor = 2;
    if (args->step != 1)
        return;
    g_assert_cmpint(change(args, (scree_body_change){.id = 1, .shape = &floor}), ==,
                    SCREE_E_CONFIG);
    for (size_t k = 0; k < G_N_ELEMENTS(bad); k++)
        g_assert_cmpint(change(args, (scree_body_change){.id = 1, .scale = &bad[k]}), ==,
                        SCREE_E_CONFIG);
    for (size_t k = 0; k < 4; k++)
        g_assert_cmpint(change(args, (scree_body_change){.id = 1, .density = &bad[k]}), ==,
                        SCREE_E_CONFIG);
    g_assert_cmpint(change(args, (scree_body_change){.id = 1, .material = &none}), ==,
                    SCREE_E_CONFIG);
    g_assert_cmpint(change(args, (scree_body_change){.id = 1, .shape = &none}), ==, SCREE_E_CONFIG);
    g_assert_cmpint(change(args, (scree_body_change){.id = 4, .scale = &twice}), ==,
                    SCREE_E_CONFIG); // a plane
    g_assert_cmpint(change(args, (scree_body_change){.id = 4, .material = &lead}), ==, SCREE_OK);
}

TEST("/body_change/what-cannot-be-is-refused")
{
    g_autoptr(scree_sim) sim = edited(HEAD("0.01") BALLS, refuse_all);
    const double mass = sim->world->mass[0];
    fixture_run(sim, 1);
    g_assert_cmpfloat(sim->world->mass[0], ==, mass);
    g_assert_cmpuint(sim->world->material[number_of(sim, 4)], ==, 1);
    g_assert_cmpstr(((scree_instance *)sim->plugins.body.modifiers->pdata[0])->error, ==,
                    "set: body 1 cannot get the shape \"floor\", which has no mass");
}

/* ---- growth in every step ---- */

static double rate; // [1/s] of the scale, relative

static void grow(const scree_step *args)
{
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n_free; i++) {
        const double scale = b->scale[i] * (1.0 + rate * args->dt);
        g_assert_cmpint(change(args, (scree_body_change){.id = b->id[i], .scale = &scale}), ==,
                        SCREE_OK);
    }
}

TEST("/body_change/a-ball-that-grows-in-flight-keeps-its-velocity")
{
    rate = 1.0;
    g_autoptr(scree_sim) sim = edited(HEAD("0.01") BALLS, grow);
    const double start = scree_energy_body(sim, 0) + scree_energy_body(sim, 1);
    fixture_run(sim, 100);
    const scree_world *w = sim->world;
    const double m = 2500.0 * 4.0 / 3.0 * G_PI * 1e-3 * pow(pow(1.01, 100.0), 3.0);
    g_assert_cmpfloat(w->v[0][0], ==, 1.0);
    assert_near(w->v[2][0], 2.0 - 10.0, 1e-12);
    assert_near(w->x[2][0], 2.0 - 5.0, 1e-11);
    assert_near(w->mass[0], m, 1e-11 * m);
    // Work: of the weight that is added at its height, and of the motion that it gets.
    assert_near(scree_exact_sum_value(&sim->account.work),
                scree_energy_body(sim, 0) + scree_energy_body(sim, 1) - start, 1e-9 * fabs(start));
    assert_near(residual(sim), 0.0, 1e-9);
}

#define BOUNCING(dt, law)                                                                          \
    HEAD(dt)                                                                                       \
    "bodies = { a = { material = \"glass\"; radius = 0.1; position = (0.0, 0.0, 0.13);\n"          \
    "                 velocity = (0.3, 0.0, 0.0); };\n"                                            \
    "           b = { material = \"glass\"; radius = 0.1; position = (0.05, 0.0, 0.36); };\n"      \
    "           floor = { material = \"glass\"; shape = \"floor\"; }; };\n"                        \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n" law
#define ELASTIC "force = ( { plugin = \"linear\"; kn = 1.0e6; restitution = 1.0; } );\n"
#define DAMPED                                                                                     \
    "force = ( { plugin = \"linear\"; kn = 1.0e6; restitution = 0.5; friction = 0.3; } );\n"

/** [J] Largest residual of a run of `seconds`, and the work that growth did. */
static double worst_residual(const char *text, double seconds, double *work)
{
    g_autoptr(scree_sim) sim = edited(text, grow);
    double worst = 0.0;
    while (scree_sim_time(sim) < seconds) {
        fixture_run(sim, 1);
        worst = fmax(worst, fabs(residual(sim)));
    }
    *work = scree_exact_sum_value(&sim->account.work);
    return worst;
}

TEST("/body_change/the-account-closes-on-a-floor")
{
    const char *const runs[2][2] = {{BOUNCING("4.0e-5", ELASTIC), BOUNCING("1.0e-5", ELASTIC)},
                                    {BOUNCING("4.0e-5", DAMPED), BOUNCING("1.0e-5", DAMPED)}};
    for (int sign = -1; sign <= 1; sign += 2)
        for (int k = 0; k < 2; k++) {
            double work;
            rate = sign * 0.5;
            const double coarse = worst_residual(runs[k][0], 0.4, &work),
                         fine = worst_residual(runs[k][1], 0.4, &work);
            g_test_message("rate %g, %s: residual %g, then %g J of %g J of work", rate,
                           k ? "damped" : "elastic", coarse, fine, work);
            g_assert_cmpfloat(fabs(work), >, 5.0);
            g_assert_cmpfloat(fine, <, 1e-3 * fabs(work));
            g_assert_cmpfloat(fine, <, 0.4 * coarse);
        }
}

TEST("/body_change/the-critical-step-follows")
{
    rate = -0.25;
    g_autoptr(scree_sim) sim =
        edited_with(HEAD("0.01") BALLS, grow, &(scree_sim_options){.check_dt = true});
    const double before = sim->critical;
    fixture_run(sim, 257);
    const double share = pow(1.0 - 0.25 * 0.01, 1.5 * 256.0); // 2 sqrt(m/k)
    g_assert_cmpfloat(before, >, 0.0);
    assert_near(sim->critical, share * before, 0.02 * before);
}

/* The speed of a clump's farthest point counts when the step is found again, as at the start. */
TEST("/body_change/the-critical-step-found-again-knows-the-spin")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = fixture_begin(
        fixture_scene(
            "scene = { dimension = 3; dt = 1.0e-6; };\n"
            "materials = { m = { density = 1000.0; young_modulus = 1e6; poisson_ratio = 0.25; }; "
            "};\n"
            "shapes = { two = { type = \"clump\"; balls = ((-0.5, 0.0, 0.0, 1.0), (0.5, 0.0, 0.0, "
            "1.0)); }; };\n"
            "bodies = { a = { shape = \"two\"; radius = 0.1; position = (0.0, 0.0, 0.0); spin = "
            "(0.0, 0.0, 50.0); };\n"
            "  b = { shape = \"two\"; radius = 0.1; position = (1.0, 0.0, 0.0); }; };\n"
            "force = ( { plugin = \"hertz_mindlin\"; } );\n"),
        &(scree_sim_options){.check_dt = true});
    double again, dt = sim->dt;
    scree_sim_step_of(sim, &dt, &again, &error);
    g_assert_no_error(error);
    g_assert_true(isfinite(again));
    g_assert_cmpfloat(again, ==, sim->critical);
}

/* ---- candidates, extents, ranges ---- */

static char *hash_of_growth(const char *gcd, uint32_t threads, const char *extent)
{
    g_autofree char *text =
        g_strdup_printf("scene = { dimension = 3; dt = 2.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
                        "  max = (0.05, 0.05, 0.05); }; boundary = \"periodic\"; };\n" GLASS
                        "generate = { balls = { shape = \"sphere\"; count = 60; radius = 0.0006;\n"
                        "  velocity_random = 5.0; }; };\n" LINEAR "gcd = { plugin = \"%s\"; };\n%s",
                        gcd, extent);
    scree_sim *sim =
        edited_with(text, grow, &(scree_sim_options){.threads = threads, .all_lanes = true});
    fixture_run(sim, 1000); // to ten times the size
    g_assert_cmpfloat(sim->world->radius[0], >, 0.0059);
    g_assert_cmpuint(sim->counters.contacts, >, 10);
    char *hash = scree_state_sha256(sim);
    scree_sim_free(sim);
    return hash;
}

TEST("/body_change/one-hash-to-ten-times-the-size")
{
    rate = (pow(10.0, 1e-3) - 1.0) / 2.0e-5;
    g_autofree char *reference = hash_of_growth("lbvh", 1, "");
    static const struct {
        const char *gcd, *extent;
        uint32_t threads;
    } others[] = {{"hgrid", "", 1},
                  {"grid", "", 2},
                  {"dess", "extent = { renew = \"moved\"; };\n", 1},
                  {"spatial_sort", "extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };\n", 2},
                  {"hgrid", "extent = { eps_e = 0.5; };\n", 3}};
    for (size_t k = 0; k < G_N_ELEMENTS(others); k++) {
        g_autofree char *hash = hash_of_growth(others[k].gcd, others[k].threads, others[k].extent);
        g_assert_cmpstr(hash, ==, reference);
    }
}
