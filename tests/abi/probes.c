/* SPDX-License-Identifier: Apache-2.0 */
/* The six probe plugins at work: what later families need of the ABI, one assertion each. */
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/evaluate.h"
#include "probe_sim.h"
#include "tools/restart/snapshot_restore.h"

/** Contacts committed now; with `field`, component f of the first, and with `feature` its name. */
static uint64_t contacts(const scree_sim *sim, uint32_t f, double *field, uint64_t *feature)
{
    scree_contact_store *store = scree_contacts_export(sim);
    uint64_t n = store->n;
    if (n && field)
        *field = store->field[f];
    if (n && feature)
        *feature = store->key[0].feature;
    scree_contact_store_free(store);
    return n;
}

/*
 * 1. A disc bounces between another one and the walls of the region, turning; both are squares.
 */
static const char squares_scene[] =
    "scene = { dimension = 2; dt = 1.0e-5; region = { min = (0.0, 0.0); max = (0.1, 0.1); };\n"
    "          boundary = (\"reflect\", \"reflect\"); };\n" MATERIALS "bodies = {\n"
    "  still = { radius = 0.01; position = (0.05, 0.05); orientation = 0.3; motion = \"fixed\"; "
    "};\n"
    "  moves = { radius = 0.008; position = (0.09, 0.06); velocity = (-1.0, -0.21); spin = 3.0; "
    "};\n"
    "};\n"
    "resolvers = ( { plugin = \"squares\"; } );\n"
    "force = ( { plugin = \"linear\"; kn = 3.0e4; restitution = 1.0; friction = 0.2; } );\n"
    "integrator = { plugin = \"velocity_verlet\"; orientation = \"all\"; };\n";

typedef struct pair_trace {
    uint64_t wrong;       /* steps that differ from the oracle */
    uint64_t apart_alive; /* steps after a touch, boxes still overlapping */
    uint64_t meetings;
    char *hash;
} pair_trace;

static bool boxes_meet(const scree_world *w)
{
    double reach = w->radius[0] + w->radius[1];
    return fabs(w->x[0][0] - w->x[0][1]) <= reach && fabs(w->x[1][0] - w->x[1][1]) <= reach;
}

static pair_trace bounce(const char *set, bool snapshot)
{
    pair_trace trace = {.hash = NULL};
    g_autoptr(scree_sim) sim = start(squares_scene, (const char *[]){set, NULL});
    double age = 0.0;
    bool touched = false;
    for (int n = 0; n < 40000; n++) {
        if (snapshot && n % 97 == 0) {
            scree_snapshot *kept = scree_snapshot_quick(NULL, sim);
            scree_snapshot_sort(kept);
            for (int k = 0; k < 5; k++)
                step(sim);
            scree_snapshot_restore(sim, kept);
            scree_snapshot_free(kept);
        }
        step(sim);
        scree_contact_store *store = scree_contacts_export(sim);
        bool meet = boxes_meet(sim->world);
        trace.meetings += meet && age == 0.0;
        age = meet ? age + 1.0 : 0.0;
        trace.wrong += store->n_pairs != meet || (meet && store->pair_field[2] != age);
        touched = meet && (touched || store->n > 0);
        trace.apart_alive += touched && store->n == 0;
        scree_contact_store_free(store);
    }
    trace.hash = scree_state_sha256(sim);
    return trace;
}

static void probe_pair_field(void)
{
    static const char *const sets[] = {"", EXACT, MOVED, ""};
    pair_trace reference = bounce("", false);
    bool ok = reference.meetings > 1 && reference.apart_alive > 10;
    uint64_t wrong = reference.wrong, differ = 0;
    for (size_t k = 1; k < G_N_ELEMENTS(sets); k++) {
        pair_trace other = bounce(sets[k], k == 3);
        wrong += other.wrong;
        differ += strcmp(other.hash, reference.hash) != 0;
        g_free(other.hash);
    }
    claim(ok && !wrong && !differ,
          "pair-field-lives-while-tight-boxes-overlap # %" G_GUINT64_FORMAT
          " meetings, %" G_GUINT64_FORMAT " steps without contact, %" G_GUINT64_FORMAT
          " wrong, %" G_GUINT64_FORMAT " routes differ",
          reference.meetings, reference.apart_alive, wrong, differ);
    g_free(reference.hash);
}

/*
 * 2. Two spheres touch and part at 2 v: gap = A sin(w t), until the bond breaks at `longest`.
 */
static const char bond_scene[] =
    "scene = { dimension = 3; dt = 1.0e-5; };\n" MATERIALS "bodies = {\n"
    "  left  = { radius = 0.005; position = (-0.00499, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };\n"
    "  right = { radius = 0.005; position = ( 0.00499, 0.0, 0.0); velocity = ( 1.0, 0.0, 0.0); };\n"
    "};\n"
    "force = ( { plugin = \"bond\"; stiffness = 0.35; strain = 4.0; } );\n";

static char *stretch(const char *set, bool snapshot, double *speed, uint64_t *bad, uint64_t *calls)
{
    g_autoptr(scree_sim) sim = start(bond_scene, (const char *[]){set, NULL});
    const scree_world *w = sim->world;
    for (int n = 0; n < 4000; n++) {
        if (snapshot && n % 301 == 300)
            pass_snapshot(sim);
        w = sim->world;
        double gap = w->x[0][1] - w->x[0][0] - 0.01;
        step(sim); // the evaluation in which the bond breaks is its last
        *bad += contacts(sim, 0, NULL, NULL) != (gap <= 0.04);
        w = sim->world;
    }
    *speed = w->v[0][1] - w->v[0][0];
    *calls = sim->counters.gcd_calls;
    char *hash = scree_state_sha256(sim);
    return hash;
}

static void probe_keep(void)
{
    double mass = 2500.0 * 4.0 / 3.0 * G_PI * 1.25e-7, gap0 = -2.0e-5, longest = 0.04, speed, other;
    // m/2 / 2 (v0² - v1²) = k/2 (longest² - gap0²), v the speed of parting
    double expected = sqrt(4.0 - 2.0 * 0.35 / mass * (longest * longest - gap0 * gap0));
    uint64_t bad = 0, calls = 0;
    g_autofree char *hash = stretch("", false, &speed, &bad, &calls);
    g_autofree char *exact = stretch(EXACT, false, &other, &bad, &calls);
    g_autofree char *restored = stretch("", true, &other, &bad, &calls);
    bool same = !strcmp(hash, exact) && !strcmp(hash, restored);
    // The bond breaks at the first step beyond `longest`: a step's worth of its last force is lost.
    claim(same && !bad && calls > 4 && fabs(speed / expected - 1.0) < 1e-3,
          "kept-bond-pulls-until-it-breaks # speed %.6f, expected %.6f; %u wrong, %s", speed,
          expected, (unsigned)bad, same ? "one state" : "states differ");
}

/*
 * 3. Two spheres come near from beyond the reach h of the law: it does the work k h² / 2 until
 * touch.
 */
static const char attract_scene[] =
    "scene = { dimension = 3; dt = 1.0e-5; };\n" MATERIALS "bodies = {\n"
    "  left  = { radius = 0.005; position = (-0.0123, 0.001, 0.0); velocity = ( 0.5, 0.0, 0.0); "
    "};\n"
    "  right = { radius = 0.004; position = ( 0.0123, 0.001, 0.0); velocity = (-0.5, 0.0, 0.0); "
    "};\n"
    "};\n"
    "force = ( { plugin = \"attract\"; stiffness = 40.0; reach = 0.006; } );\n";

static char *approach(const char *set, double *work, double *gap, uint64_t *missed)
{
    g_autoptr(scree_sim) sim = start(attract_scene, (const char *[]){set, NULL});
    const scree_world *w = sim->world;
    double before = 0.5 * (w->mass[0] + w->mass[1]) * 0.25;
    uint64_t beyond = 0;
    do {
        step(sim);
        *gap = w->x[0][1] - w->x[0][0] - (w->radius[0] + w->radius[1]);
        *missed += contacts(sim, 0, NULL, NULL) != (*gap <= 0.006);
        beyond += *gap > 0.006;
    } while (*gap > 1.0e-4);
    *missed += beyond == 0;
    *work = 0.5 * (w->mass[0] * w->v[0][0] * w->v[0][0] + w->mass[1] * w->v[0][1] * w->v[0][1]);
    *work -= before;
    char *hash = scree_state_sha256(sim);
    return hash;
}

static void probe_range(void)
{
    double work, gap, other;
    uint64_t missed = 0;
    g_autofree char *hash = approach("", &work, &gap, &missed);
    g_autofree char *exact = approach(EXACT, &other, &gap, &missed);
    g_autofree char *wide =
        approach("extent={eps_v=2.0; eps_e=0.3; eps_c=0.0;}", &other, &gap, &missed);
    bool same = !strcmp(hash, exact) && !strcmp(hash, wide);
    double inside = 0.006 - gap, expected = 20.0 * inside * inside;
    // Velocity Verlet keeps energy to (w dt)² of what is exchanged: 1e-5 here.
    claim(same && !missed && fabs(work / expected - 1.0) < 1e-4,
          "range-law-does-its-work-from-the-start # work %.8g J, expected %.8g J; %u missed, %s",
          work, expected, (unsigned)missed, same ? "one state" : "states differ");
}

/*
 * 4. A sphere rests on a plane and swings on the tangential spring of force/linear.
 *    s'' = -k s (1/m + r²/I), r: the lever of the contact point; x and w follow from s in closed
 * form.
 */
static const char spring_scene[] =
    "scene = { dimension = 3; dt = 1.0e-4; gravity = (0.0, 0.0, -10.0); };\n" MATERIALS
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };\n"
    "bodies = { floor = { shape = \"floor\"; };\n"
    "  ball = { radius = 0.005; position = (0.0, 0.0, 0.0049); velocity = (0.002, 0.001, 0.0); };\n"
    "};\n"
    "force = ( { plugin = \"linear\"; kn = 0.0001; kt = 40.0; restitution = 1.0; friction = 1.0e9; "
    "} );\n";

/** Distance from the closed form after 10 ms with n steps. */
static double spring_error(int n, bool commit_last)
{
    g_autofree char *dt = g_strdup_printf("scene.dt=%.17g", 0.01 / n);
    g_autofree char *integrator =
        g_strdup_printf("integrator={plugin=\"rkn4\"; commit_last=%d.0;}", commit_last);
    double m = 2500.0 * 4.0 / 3.0 * G_PI * 1.25e-7; // kn carries it at a depth of 0.1 mm
    g_autofree char *kn = g_strdup_printf("force.0.kn=%.17g", m * 10.0 / 1.0e-4);
    g_autoptr(scree_sim) sim = start(spring_scene, (const char *[]){dt, integrator, kn, NULL});
    const scree_world *w = sim->world;
    double inertia = 1.0 / w->inv_inertia[0][0], r = 0.00495, t = 0.01;
    double omega = sqrt(40.0 * (1.0 / m + r * r / inertia)), error = 0.0;
    for (int k = 0; k < n; k++)
        step(sim);
    for (int k = 0; k < 2; k++) {
        double v0 = k ? 0.001 : 0.002, swing = v0 / omega, share = 40.0 / (m * omega * omega);
        double x = v0 * t - swing * share * (omega * t - sin(omega * t));
        error += fabs(w->x[k][0] - x) / swing;
    }
    return error;
}

static void probe_rkn4(void)
{
    double order[3], control, e[4];
    for (int k = 0; k < 4; k++)
        e[k] = spring_error(20 << k, false);
    control = log2(spring_error(80, true) / spring_error(160, true));
    for (int k = 0; k < 3; k++)
        order[k] = log2(e[k] / e[k + 1]);
    bool ok = control < 3.0;
    for (int k = 0; k < 3; k++)
        ok = ok && order[k] > 3.8 && order[k] < 4.2;
    claim(ok,
          "rkn4-on-a-history-spring-is-of-order-4 # orders %.3f %.3f %.3f (errors %.2e to %.2e); "
          "committed on the last stage: %.3f",
          order[0], order[1], order[2], e[0], e[3], control);
}

/*
 * 5. A ball slides and rolls over the seam of two coplanar facets, tilted in space.
 */
static const char patch_scene[] =
    "scene = { dimension = 3; dt = 2.0e-5; gravity = (0.0, 0.0, -9.81); };\n" MATERIALS
    "shapes = { floor = { type = \"mesh\";\n"
    "  vertices = ((-0.1, -0.1, 0.0), (0.0, -0.1, 0.0), (0.02, 0.1, 0.0), (-0.1, 0.1, 0.0),\n"
    "              (0.1, -0.1, 0.0), (0.1, 0.1, 0.0));\n"
    "  facets = ((1, 4, 5, 2), (0, 1, 2, 3)); }; };\n"
    "bodies = { floor = { shape = \"floor\"; };\n"
    "  ball = { radius = 0.005; position = (0.006, 0.004, 0.00499); velocity = (0.3, 0.02, 0.0); "
    "};\n"
    "};\n"
    "resolvers = ( { plugin = \"patch\"; }, { plugin = \"sphere\"; } );\n"
    "force = ( { plugin = \"linear\"; kn = 2.0e3; restitution = 0.5; friction = 0.3; } );\n";

static void probe_patch(void)
{
    scree_sim *sim = start(patch_scene, (const char *[]){NULL});
    double before = 0.0, largest = 0.0, jump = 0.0, friction = 0.0, force_jump = 0.0;
    uint64_t first = 0, changes = 0;
    bool crossed = false;
    for (int n = 0; n < 2000; n++) {
        uint64_t feature = 0;
        double spring = 0.0, side = sim->world->x[0][0] - 0.01 - 0.1 * sim->world->x[1][0];
        step(sim);
        changes += contacts(sim, 0, &spring, &feature) != 1 || (n && feature != first);
        first = feature;
        largest = fmax(largest, fabs(spring));
        if (n > 400) { // the normal force has settled
            jump = fmax(jump, fabs(spring - before));
            force_jump = fmax(force_jump, fabs(sim->world->wrench[0] - friction));
        }
        crossed |= side < 0.0 && sim->world->x[0][0] - 0.01 - 0.1 * sim->world->x[1][0] >= 0.0;
        before = spring;
        friction = sim->world->wrench[0];
    }
    scree_sim_free(sim);
    claim(crossed && !changes && largest > 0.0 && jump < 0.05 * largest &&
              force_jump < 0.05 * fabs(largest * 2.0 / 7.0 * 2.0e3),
          "patch-carries-friction-over-a-seam # %u changes of name, spring up to %.3g m, largest "
          "jump %.3g m, of the force %.3g N",
          (unsigned)changes, largest, jump, force_jump);
}

/*
 * 6. A gas over a floor, in a cell periodic in x and y; bodies come and go.
 */
static const char churn_scene[] =
    "scene = { dimension = 3; dt = 5.0e-5; gravity = (0.0, 0.0, -9.81); seed = 7;\n"
    "  region = { min = (0.0, 0.0, 0.0); max = (0.03, 0.03, 0.06); };\n"
    "  boundary = (\"periodic\", \"periodic\", \"destroy\"); };\n" MATERIALS
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"
    "  step = { type = \"box\"; size = (0.01, 0.01, 0.008); facing = \"outward\"; }; };\n"
    "bodies = { floor = { shape = \"floor\"; position = (0.0, 0.0, 0.002); };\n"
    "  step = { shape = \"step\"; position = (0.004, 0.004, 0.004); }; };\n"
    "generate = { balls = { count = 100; radius = 0.002; velocity = (0.5, 0.3, -0.4);\n"
    "  region = { min = (0.0, 0.0, 0.012); max = (0.03, 0.03, 0.058); }; }; };\n"
    "force = ( { plugin = \"linear\"; kn = 2.0e3; restitution = 0.6; friction = 0.3; } );\n"
    "modifiers = { churn = { plugin = \"churn\"; every = 50.0; }; };\n";

static char *churn(const char *gcd, const char *renew, bool restore, uint64_t *n, uint64_t *idle)
{
    g_autoptr(scree_sim) sim = start(churn_scene, (const char *[]){gcd, renew, NULL});
    for (int k = 0; k < 3000; k++) {
        if (restore && k % 700 == 699)
            pass_snapshot(sim);
        step(sim);
    }
    *n = sim->counters.contacts;
    char *hash = scree_state_sha256(sim);
    // A refresh at which nothing has moved since the last one.
    g_autoptr(GError) error = NULL;
    uint64_t calls = sim->counters.gcd_calls, emitted;
    sim->contacts.stale = true;
    if (!scree_evaluate(sim, 0.0, 0.0, false, &error))
        bail_out("%s", error->message);
    emitted = sim->counters.emitted;
    sim->contacts.stale = true;
    if (!scree_evaluate(sim, 0.0, 0.0, false, &error))
        bail_out("%s", error->message);
    *idle = sim->counters.gcd_calls == calls + 2 ? sim->counters.emitted - emitted : UINT64_MAX;
    return hash;
}

static void probe_incremental(void)
{
    uint64_t n, idle, all;
    g_autofree char *reference = churn("gcd={plugin=\"pairing\";}", "", false, &n, &all);
    g_autofree char *moved = churn("gcd={plugin=\"brute\";}", MOVED, false, &n, &idle);
    g_autofree char *restored = churn("gcd={plugin=\"brute\";}", MOVED, true, &n, &idle);
    bool same = !strcmp(reference, moved) && !strcmp(reference, restored);
    claim(same && n > 0 && idle == 0 && all > 0,
          "incremental-gcd-keeps-the-state-through-edits # %s, %u contacts; pairs when nothing "
          "moved: %u (renew all: %u)",
          same ? "one state" : "states differ", (unsigned)n, (unsigned)idle, (unsigned)all);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    probe_dir = argv[1];
    probe_pair_field();
    probe_keep();
    probe_range();
    probe_rkn4();
    probe_patch();
    probe_incremental();
    return tap_end();
}
