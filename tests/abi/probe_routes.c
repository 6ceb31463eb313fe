/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the host that the probes found, each as a test: one state on every route, and more. */
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/step.h"
#include "probe_sim.h"

static const char *const routes[] = {"", EXACT, "extent={eps_v=3.0; eps_e=0.5; eps_c=0.0;}", MOVED};

/** Whether the state after n steps is the same on all routes, and with snapshots on the way. */
static bool same_state(const char *text, int n, void (*check)(const scree_sim *, double *),
                       double *value)
{
    g_autofree char *reference = NULL;
    bool same = true;
    for (size_t r = 0; r <= G_N_ELEMENTS(routes); r++) {
        bool snapshots = r == G_N_ELEMENTS(routes);
        scree_sim *sim = start(text, (const char *[]){snapshots ? "" : routes[r], NULL});
        for (int k = 0; k < n; k++) {
            step(sim);
            if (snapshots && k % 101 == 100)
                pass_snapshot(sim);
            if (check)
                check(sim, value);
        }
        g_autofree char *hash = scree_state_sha256(sim);
        scree_sim_free(sim);
        if (!reference)
            reference = g_steal_pointer(&hash);
        else
            same = same && !strcmp(reference, hash);
    }
    return same;
}

static const char plane_scene[] =
    "scene = { dimension = 2; dt = 1.0e-5; gravity = (0.0, -9.81); };\n" MATERIALS
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 1.0); }; };\n"
    "bodies = { floor = { shape = \"floor\"; };\n"
    "  disc = { radius = 0.01; position = (0.0, 0.0105); velocity = (0.5, 0.0); }; };\n"
    "resolvers = ( { plugin = \"squares\"; }, { plugin = \"sphere\"; } );\n"
    "force = ( { plugin = \"linear\"; kn = 3.0e4; restitution = 0.9; friction = 0.2; } );\n";

static void count_pairs(const scree_sim *sim, double *wrong)
{
    scree_contact_store *store = scree_contacts_export(sim);
    *wrong += (store->n_pairs == 1) != (sim->world->x[1][0] <= sim->world->radius[0]);
    scree_contact_store_free(store);
}

static void test_plane_pairs(void)
{
    double wrong = 0.0;
    bool same = same_state(plane_scene, 3000, count_pairs, &wrong);
    claim(same && wrong == 0.0, "pair-with-a-plane-lives-while-it-is-reached # %s, %g wrong",
          same ? "one state" : "states differ", wrong);
}

/* Bonded to the right facet, a ball rises and crosses to above the left one: the pull stays
 * upright. */
static const char mesh_scene[] =
    "scene = { dimension = 3; dt = 1.0e-4; };\n" MATERIALS "shapes = { floor = { type = \"mesh\";\n"
    "  vertices = ((-0.1, -0.1, 0.0), (0.0, -0.1, 0.0), (0.02, 0.1, 0.0), (-0.1, 0.1, 0.0),\n"
    "              (0.1, -0.1, 0.0), (0.1, 0.1, 0.0), (0.1, 0.2, -0.1), (-0.1, 0.2, -0.1));\n"
    "  facets = ((1, 4, 5, 2), (0, 1, 2, 3), (3, 2, 6, 7)); }; };\n"
    "bodies = { floor = { shape = \"floor\"; };\n"
    "  ball = { radius = 0.005; position = (0.05, 0.0, 0.00499); velocity = (-0.8, 0.0, 0.3); }; "
    "};\n"
    "resolvers = ( { plugin = \"patch\"; }, { plugin = \"sphere\"; } );\n"
    "force = ( { plugin = \"bond\"; stiffness = 0.02; strain = 40.0; } );\n";

static void check_upright(const scree_sim *sim, double *wrong)
{
    scree_contact_store *store = scree_contacts_export(sim);
    const scree_world *w = sim->world;
    double gap = w->x[2][0] - 0.005, share = 0.02 / w->mass[0]; // v² + k/m gap² stays
    double energy = w->v[2][0] * w->v[2][0] + share * (gap * gap - 1.0e-10);
    *wrong += store->n != 1 || fabs(w->v[0][0] + 0.8) > 1e-12 || fabs(energy / 0.09 - 1.0) > 1e-5;
    scree_contact_store_free(store);
}

static void test_kept_patch(void)
{
    double wrong = 0.0;
    bool same = same_state(mesh_scene, 1200, check_upright, &wrong);
    claim(same && wrong == 0.0, "kept-contact-sees-its-whole-patch # %s, %g wrong",
          same ? "one state" : "states differ", wrong);
}

/* The first of two bonds breaks at a gap of 10 mm; on the way back it must not act again. */
static const char bonds_scene[] =
    "scene = { dimension = 3; dt = 5.0e-5; };\n" MATERIALS "bodies = {\n"
    "  left  = { radius = 0.005; position = (-0.005, 0.0, 0.0); velocity = (-0.4, 0.0, 0.0); };\n"
    "  right = { radius = 0.005; position = ( 0.005, 0.0, 0.0); velocity = ( 0.4, 0.0, 0.0); };\n"
    "};\n"
    "force = ( { plugin = \"bond\"; stiffness = 0.35; strain = 1.0; },\n"
    "          { plugin = \"bond\"; stiffness = 0.35; strain = 4.0; } );\n";

static void test_two_bonds(void)
{
    scree_sim *sim = start(bonds_scene, (const char *[]){NULL});
    const scree_world *w = sim->world;
    double gap = 0.0, largest = 0.0, mass = w->mass[0];
    do {
        step(sim);
        gap = w->x[0][1] - w->x[0][0] - 0.01;
        largest = fmax(largest, gap);
    } while (gap > 0.005 || largest < 0.02);
    double speed = w->v[0][0] - w->v[0][1];
    // m/4 (v0² - v²) = k/2 (broken² + gap²)
    double expected = sqrt(0.64 - 2.0 * 0.35 / mass * (1.0e-4 + gap * gap));
    scree_sim_free(sim);
    claim(fabs(speed / expected - 1.0) < 1e-3,
          "a-law-that-lets-go-does-not-hold-again # speed %.6f, expected %.6f", speed, expected);
}

static const char disc_scene[] =
    "scene = { dimension = 2; dt = 1.0e-5; region = { min = (0.0, 0.0); max = (1.0, 1.0); }; "
    "};\n" MATERIALS "generate = { discs = { count = 20; radius = 0.01;\n"
    "  region = { min = (0.0, 0.0); max = (1.0, 1.0); }; }; };\n"
    "force = ( { plugin = \"linear\"; kn = 1.0e4; } );\n"
    "integrator = { plugin = \"still\"; };\n"
    "modifiers = { churn = { plugin = \"churn\"; every = 10.0; }; };\n";

static void test_fields_of_the_inserted(void)
{
    scree_sim *sim = start(disc_scene, (const char *[]){NULL});
    uint64_t wrong = 0, newest = 0;
    for (int k = 0; k < 45; k++)
        step(sim);
    for (uint32_t i = 0; i < sim->world->n; i++) {
        wrong += sim->world->field[0][i] != 7.0;
        newest = MAX(newest, sim->world->id[i]);
    }
    scree_sim_free(sim);
    claim(!wrong && newest > 20,
          "an-inserted-body-has-its-fields-initial-values # %u wrong, highest id %u",
          (unsigned)wrong, (unsigned)newest);
}

static void test_foreign_shape(void)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = start(disc_scene, (const char *[]){"modifiers.churn.shape=0.0", NULL});
    bool went = true;
    for (int k = 0; k < 10 && went; k++)
        went = scree_sim_step(sim, &error);
    scree_sim_free(sim);
    claim(!went && error && strstr(error->message, "churn"),
          "a-shape-that-nobody-serves-is-not-inserted # %s", error ? error->message : "inserted");
}

static void test_intervals(void)
{
    static const char *const sets[] = {"modifiers.churn.every_steps=10",
                                       "modifiers.churn.every_time=1.0e-4"};
    uint32_t n[2];
    for (int k = 0; k < 2; k++) { // each tenth step churn only removes
        g_autoptr(scree_sim) sim = start(disc_scene, (const char *[]){sets[k], NULL});
        for (int s = 0; s < 59; s++)
            step(sim);
        n[k] = sim->world->n;
    }
    claim(n[0] == 15 && n[1] == 15,
          "a-modifier-edits-at-its-interval # %u and %u bodies left of 20", n[0], n[1]);
}

static const char tally_scene[] =
    "scene = { dimension = 3; dt = 1.0e-5; gravity = (0.0, 0.0, -9.81);\n"
    "  region = { min = (0.0, 0.0, 0.0); max = (0.1, 0.1, 0.1); }; };\n" MATERIALS
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n"
    "bodies = { floor = { shape = \"floor\"; }; };\n"
    "generate = { balls = { count = 20; radius = 0.004; velocity_random = 0.5; }; };\n"
    "renumber = { every = 7; };\n"
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.9; friction = 0.2; } );\n"
    "modifiers = { tally = { plugin = \"tally\"; }; churn = { plugin = \"churn\"; }; };\n";

/** Counts bodies whose age is more than the step, or of the first ones less. */
static void check_ages(const scree_sim *sim, double *wrong)
{
    const scree_world *w = sim->world;
    for (uint32_t i = 0; i < w->n; i++)
        *wrong += w->id[i] <= 21 ? w->field[0][i] != (double)sim->step
                                 : w->field[0][i] >= (double)sim->step;
}

static void test_modifier_fields(void)
{
    double wrong = 0.0;
    bool same = same_state(tally_scene, 300, check_ages, &wrong);
    claim(same && wrong == 0.0, "fields-of-a-modifier-follow-their-bodies # %s, %g wrong",
          same ? "one state" : "states differ", wrong);
}

/* kn overlap² / 2 = 5 mJ come with a body that is put 1 mm into another. */
static void test_work_of_insertion(void)
{
    scree_sim *sim = start(
        tally_scene, (const char *[]){"modifiers={tally={plugin=\"tally\"; overlap=1.0e-3;};}",
                                      "bodies.floor.position=(0.0, 0.0, -1.0)", NULL});
    scree_energy energy;
    for (int k = 0; k < 8; k++)
        step(sim);
    scree_energy_now(sim, &energy);
    scree_sim_free(sim);
    claim(energy.stored > 4e-3 && fabs(energy.residual) < 0.02 * energy.stored,
          "energy-that-an-inserted-body-brings-is-work # stored %g J, residual %g J", energy.stored,
          energy.residual);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    probe_dir = argv[1];
    test_plane_pairs();
    test_kept_patch();
    test_two_bonds();
    test_fields_of_the_inserted();
    test_foreign_shape();
    test_intervals();
    test_modifier_fields();
    test_work_of_insertion();
    return tap_end();
}
