/* SPDX-License-Identifier: Apache-2.0 */
/* The energy account closes as dt falls, with moving walls too; renumbering changes only
 * roundings. */
#include <math.h>
#include <string.h>

#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/loads.h"
#include "engine/observer_view.h"
#include "harness.h"

typedef scree_sim *(*starter)(double dt);

/** |residual| [J] after `time` [s]. */
static double residual_of(scree_sim *sim, double time)
{
    scree_energy e;
    run(sim, (uint64_t)(time / sim->dt + 0.5));
    scree_energy_now(sim, &e);
    scree_sim_free(sim);
    return fabs(e.residual);
}

/** The root of the mean square over a few steps near dt, since where in a step a touch begins is
 * chance. */
static double spread(starter start, double dt, double time)
{
    enum { RUNS = 8 };
    double sum = 0.0;
    for (int k = 0; k < RUNS; k++) {
        double one = residual_of(start(dt * (1.0 - 0.013 * k)), time);
        sum += one * one;
    }
    return sqrt(sum / RUNS);
}

/** `exchanged` [J]: an energy that the scene's text gives, not one that a run reports. */
static void claim_order(const char *name, starter start, double dt, double time, double exchanged,
                        double bound, double least)
{
    double coarse = spread(start, dt, time), fine = spread(start, dt / 4.0, time);
    double order = log(coarse / fine) / log(4.0);
    claim(fine < bound * exchanged && order > least,
          "%s: residual %.1e of the energy exchanged, then %.1e with a fourth of dt: order %.2f",
          name, coarse / exchanged, fine / exchanged, order);
}

/** [J] of a ball of 2500 kg/m^3. */
static double moving(double radius, double speed)
{
    return 0.5 * 2500.0 * 4.0 / 3.0 * G_PI * radius * radius * radius * speed * speed;
}

static scree_sim *start_oblique(double dt)
{
    return start_text("scene = { dt = %.17e; }; materials = { m = { density = 2500.0; }; };"
                      "bodies = { a = { radius = 0.001; position = (0.0, 0.0, 0.0); velocity = "
                      "(0.5, 0.3, 0.0); spin = "
                      "(0.0, 0.0, 200.0); }; b = { radius = 0.0017; position = (0.00275, 0.0002, "
                      "0.0); velocity = "
                      "(-0.5, 0.0, 0.1); }; };"
                      "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.6; friction = "
                      "0.3; } );" PLUGINS,
                      dt);
}

/* A pusher drives three balls, two of them touching, into a wall and stops when the time is up. */
static scree_sim *start_piston(double dt)
{
    return start_text(
        "scene = { dt = %.17e; }; materials = { m = { density = 2500.0; }; };"
        "shapes = { push = { type = \"plane\"; normal = (1.0, 0.0, 0.0); }; wall = { type = "
        "\"plane\"; "
        "normal = (-1.0, 0.0, 0.0); }; };"
        "bodies = { a = { radius = 0.001; position = (0.0012, 0.0, 0.0); }; b = { radius = 0.001; "
        "position "
        "= (0.0031, 0.0001, 0.0); }; c = { radius = 0.0015; position = (0.0058, 0.0, 0.0002); };"
        "push = { shape = \"push\"; motion = \"kinematic\"; velocity = (0.2, 0.05, 0.0); };"
        "wall = { shape = \"wall\"; position = (0.0075, 0.0, 0.0); }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.6; friction = 0.3; } "
        ");" PLUGINS,
        dt);
}

/* A paddle of two triangles turns about z and bats a ball that comes its way. */
static scree_sim *start_paddle(double dt)
{
    return start_text("scene = { dt = %.17e; }; materials = { m = { density = 2500.0; }; };"
                      "shapes = { paddle = { type = \"mesh\"; vertices = ((0.0, 0.0, -0.01), "
                      "(0.02, 0.0, -0.01), (0.02, "
                      "0.0, 0.01), (0.0, 0.0, 0.01)); facets = ((0, 1, 2), (0, 2, 3)); }; };"
                      "bodies = { a = { radius = 0.001; position = (0.012, 0.00125, 0.001); "
                      "velocity = (0.3, -0.2, 0.1); "
                      "spin = (0.0, 0.0, 100.0); }; paddle = { shape = \"paddle\"; motion = "
                      "\"kinematic\"; spin = (0.0, "
                      "0.0, 30.0); velocity = (0.0, 0.1, 0.0); }; };"
                      "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.7; friction = "
                      "0.4; } );" PLUGINS,
                      dt);
}

/* A plane turns about a point of its own and lifts a ball that rests on it. */
static scree_sim *start_tilt(double dt)
{
    return start_text(
        "scene = { dt = %.17e; gravity = (0.0, 0.0, -9.81); }; materials = { m = { density = "
        "2500.0; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { radius = 0.001; position = (0.01, 0.0, 0.001); };"
        "floor = { shape = \"floor\"; motion = \"kinematic\"; spin = (0.0, -20.0, 0.0); }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.7; friction = 0.4; } "
        ");" PLUGINS,
        dt);
}

/* 2D: discs with mixed sizes bounce in a trough of segments. */
static scree_sim *start_pile(double dt)
{
    g_autoptr(GString) discs = g_string_new(NULL);
    dice d = {5};
    for (int k = 0; k < 40; k++) {
        double x = 0.004 + 0.004 * (k % 8), y = 0.004 + 0.004 * (k / 8);
        g_string_append_printf(
            discs,
            "d%d = { radius = %.17e; position = (%.17e, %.17e); velocity = (%.17e, "
            "%.17e); };",
            k, throw_dice(&d, 0.001, 0.0019), x, y, throw_dice(&d, -0.3, 0.3),
            throw_dice(&d, -0.5, 0.1));
    }
    return start_text(
        "scene = { dimension = 2; dt = %.17e; gravity = (0.0, -9.81); thickness = 0.01; };"
        "materials = { m = { density = 2500.0; }; }; shapes = { trough = { type = \"segments\"; "
        "vertices "
        "= ((0.036, 0.05), (0.036, 0.0), (0.018, -0.002), (0.0, 0.0), (0.0, 0.05)); segments = "
        "((0, 1), "
        "(1, 2), (2, 3), (3, 4)); }; }; bodies = { %s trough = { shape = \"trough\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.6; friction = 0.3; } "
        ");" PLUGINS,
        dt, discs->str);
}

/* A ball slides down the round of an edge onto a face: what the edge's contact stored is the
 * face's. 2D: a disc in front of the end of a turning bar, held against it by its speed. */
static scree_sim *start_corner(double dt)
{
    return start_text(
        "scene = { dimension = 2; dt = %.17e; }; materials = { m = { density = 2500.0; }; };"
        "shapes = { bar = { type = \"box\"; size = (0.02, 0.004); facing = \"outward\"; }; };"
        "bodies = { a = { radius = 0.001; position = (0.0104, 0.0028); velocity = (-2.0, -1.0); };"
        "bar = { shape = \"bar\"; motion = \"kinematic\"; spin = 30.0; }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.7; friction = 0.2; } "
        ");" PLUGINS,
        dt);
}

static void test_residual(void)
{
    double disc = 2500.0 * G_PI * 1.45e-3 * 1.45e-3 * 0.01; // [kg] of mean radius
    double pressed = 2e-3 - sqrt(1.9e-3 * 1.9e-3 + 1e-8);   // [m] the piston's first two balls
    claim_order("an oblique impact", start_oblique, 2e-6, 6e-4, moving(1e-3, 0.8), 1e-3, 1.5);
    claim_order("a piston", start_piston, 1e-6, 4e-3, 0.5 * 1e5 * pressed * pressed, 1e-3, 1.5);
    claim_order("a turning paddle", start_paddle, 1e-6, 2e-3, moving(1e-3, 0.6), 1e-3, 1.5);
    // slip on a wall is taken with the wall's current velocity: of first order where that turns
    claim_order("a disc from edge to face", start_corner, 1e-6, 3e-3,
                0.5 * 2500.0 * G_PI * 1e-6 * 5.0, 1e-4, 0.8);
    claim_order("a tilting plane", start_tilt, 4e-6, 8e-3,
                moving(1e-3, 0.2) + moving(1e-3, 1.0) * 2.0 * 9.81 * 1.6e-3, 2e-2, 0.8);
    claim_order("a bouncing pile of discs", start_pile, 1e-5, 0.02, 40.0 * 0.5 * disc * 0.1, 3e-3,
                1.5);
    g_autoptr(scree_sim) sim = start_oblique(5e-7);
    scree_energy e;
    run(sim, 1200);
    scree_energy_now(sim, &e);
    double without = fabs(e.residual - e.lost) / moving(1e-3, 0.8);
    claim(without > 0.1, "negative control: an account without `lost` would not close (%.2f)",
          without);
}

/** A gas or a bed of the shipped scenes at so much of the critical step of one contact (of which
 * that of a packing is 0.4), after `steps` at 0.1. */
static void run_scene(const char *path, const char *const *more, double fraction, double steps,
                      scree_energy *e)
{
    g_autofree char *dt = g_strdup_printf("scene.dt_fraction=%.17g", 2.5 * fraction);
    const char *set[8] = {dt};
    for (int k = 0; k < 6 && more[k]; k++)
        set[k + 1] = more[k];
    g_autoptr(scree_sim) sim = start_file(path, set, NULL);
    run(sim, (uint64_t)(steps * 0.1 / fraction + 0.5));
    scree_energy_now(sim, e);
}

static void test_gas(const char *gas)
{
    static const char *const elastic[] = {"force.0.restitution=1.0", "force.0.friction=0.0", NULL};
    static const char *const hertz[] = {
        "materials.glass.young_modulus=5.0e6", "materials.glass.poisson_ratio=0.3",
        "force=({plugin=\"hertz_mindlin\"; restitution=1.0;})", NULL};
    static const char *const none[] = {NULL};
    scree_energy e, fine;
    run_scene(gas, elastic, 0.1, 5000.0, &e);
    claim(fabs(e.lost) < 1e-6 * e.start && fabs(e.residual) < 1e-3 * e.start,
          "an elastic gas without friction loses nothing (%.1e of its energy)", e.lost / e.start);
    run_scene(gas, hertz, 0.1, 2000.0, &e);
    claim(fabs(e.lost) < 1e-6 * e.start && fabs(e.residual) < 2e-3 * e.start,
          "nor does one of Hertz's balls (%.1e)", e.lost / e.start);
    run_scene(gas, none, 0.1, 5000.0, &e);
    run_scene(gas, none, 0.05, 5000.0, &fine);
    claim(e.lost > 0.3 * e.start && fabs(e.residual) < 3e-3 * e.lost,
          "the shipped gas: the residual is below 0.3 %% of what it lost (%.2f %%)",
          100.0 * e.residual / e.lost);
    claim(fabs(fine.residual / fine.lost) < 0.4 * fabs(e.residual / e.lost),
          "and about a quarter at half the step (%.3f %%)", 100.0 * fine.residual / fine.lost);
    double now = e.kinetic + e.stored;
    claim(fabs(e.start - now - e.lost) < 3e-3 * (e.start - now),
          "what it lost is start less end, to 0.3 %% (%.2f %%)",
          100.0 * (e.lost / (e.start - now) - 1.0));
}

/** A ball that meets a wall head-on, at so many places within a step: lost = (1 - e^2) E. */
static void test_head_on(const char *law, double most)
{
    enum { PLACES = 20 };
    double lost = 0.0, start = 0.0, out = 0.0;
    for (int k = 0; k < PLACES; k++) {
        scree_energy e;
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dt = 2.0e-6; }; materials = { m = { density = 2500.0; young_modulus = "
            "5.0e7; poisson_ratio = 0.3; }; };"
            "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
            "bodies = { a = { radius = 0.001; position = (0.0, 0.0, %.17e); velocity = (0.0, 0.0, "
            "-0.5); }; floor = { shape = \"floor\"; }; }; force = ( { %s } );" PLUGINS,
            0.00101 + 1e-6 * k / PLACES, law);
        run(sim, 2000);
        scree_energy_now(sim, &e);
        lost += e.lost;
        start += e.start;
        out += e.kinetic;
    }
    claim(fabs(lost / (start - out) - 1.0) < most && fabs(out / start - 0.36) < 0.02,
          "head-on, %s: lost is start less end (off by %.2f %%), e^2 = %.3f", law,
          100.0 * (lost / (start - out) - 1.0), out / start);
}

/** A ball that cannot turn much slides on a floor: lost = mu m g times its way. */
static void test_sliding(const char *law)
{
    scree_energy e;
    double mu = 0.3, v = 1.0, time = 0.05;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 1.0e-6; gravity = (0.0, 0.0, -9.81); }; materials = { m = { density = "
        "2500.0; young_modulus = 5.0e7; poisson_ratio = 0.3; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { radius = 0.001; position = (0.0, 0.0, 0.001); velocity = (1.0, 0.0, "
        "0.0); }; floor = { shape = \"floor\"; }; }; force = ( { friction = 0.3; %s } );" PLUGINS,
        law);
    run(sim, (uint64_t)(time / sim->dt + 0.5));
    scree_energy_now(sim, &e);
    // slip v t - (1 + m r^2 / I) mu g t^2 / 2 while it slides, until 0.097 s
    double way = v * time - 3.5 * mu * 9.81 * time * time / 2.0;
    double heat = mu * 9.81 * sim->world->mass[body_of(sim, 1)] * way;
    claim(fabs(e.lost / heat - 1.0) < 5e-3,
          "a ball that slides, %s: lost is mu N times the slip "
          "(off by %.2f %%)",
          law, 100.0 * (e.lost / heat - 1.0));
}

/** The work of the walls, again: the loads on them times their velocities, by the trapezium rule. */
static void check_work(const char *name, starter start, double dt, double time)
{
    g_autoptr(scree_sim) sim = start(dt);
    double work = 0.0, before = 0.0;
    for (uint64_t n = 0; (double)n < time / dt; n++) {
        double power = 0.0;
        run_recorded(sim, 1);
        for (uint32_t i = sim->world->n_free; i < sim->world->n; i++) {
            scree_load load = {.size = sizeof load};
            g_assert(scree_loads_of(sim, i, &load, NULL));
            for (int k = 0; k < 3; k++)
                power -= load.force[k] * sim->world->v[k][i] + load.torque[k] * sim->world->w[k][i];
        }
        work += 0.5 * dt * (power + before);
        before = power;
    }
    claim(scree_exact_sum_value(&sim->account.work) > 0.0 &&
              fabs(scree_exact_sum_value(&sim->account.work) / work - 1.0) < 2e-2,
          "%s: the work booked is that of their loads (%.3e J, off by %.1e)", name,
          scree_exact_sum_value(&sim->account.work),
          scree_exact_sum_value(&sim->account.work) / work - 1.0);
}

typedef struct renumbered {
    GArray *x; // by id
    scree_contact_store *store;
    double wall[3], listed[3], kinetic;
    uint64_t id_of_first;
} renumbered;

static renumbered travel(const char *bed, const char *every)
{
    const char *set[] = {"scene.gravity=(30.0, 0.0, -500.0)",
                         "generate.beads.count=300",
                         "force.0.kn=2e3",
                         "scene.dt_fraction=0.37",
                         every,
                         NULL};
    g_autoptr(scree_sim) sim = start_file(bed, set, NULL);
    renumbered out = {.x = g_array_new(FALSE, FALSE, sizeof(double))};
    run_recorded(sim, 600);
    for (uint64_t id = 0; id <= sim->world->next_id; id++)
        for (uint32_t i = 0; i < sim->world->n; i++)
            for (int k = 0; sim->world->id[i] == id && k < 3; k++)
                g_array_append_val(out.x, sim->world->x[k][i]);
    out.store = scree_contacts_export(sim);
    out.id_of_first = sim->world->id[0];
    scree_contact_list list;
    contacts_of(sim, &list);
    for (uint32_t i = sim->world->n_free; i < sim->world->n; i++) {
        scree_load load = {.size = sizeof load};
        g_assert(scree_loads_of(sim, i, &load, NULL));
        for (int k = 0; k < 3; k++)
            out.wall[k] += load.force[k];
    }
    for (uint64_t c = 0; c < list.n; c++)
        if (list.b[c] >= sim->world->n_free)
            for (int k = 0; k < 3; k++)
                out.listed[k] -= list.f[k][c];
    out.kinetic = kinetic_energy(sim);
    return out;
}

static void test_renumbering(const char *bed)
{
    renumbered a = travel(bed, "renumber={every=0;}"), b = travel(bed, "renumber={every=1;}");
    double worst = 0.0, spring = 0.0, largest = 0.0;
    bool same = a.store->n == b.store->n && a.x->len == b.x->len;
    if (same)
        for (guint k = 0; k < a.x->len; k++)
            worst =
                fmax(worst, fabs(g_array_index(a.x, double, k) - g_array_index(b.x, double, k)));
    for (uint64_t c = 0; c < a.store->n && same; c++) {
        same = !memcmp(&a.store->key[c], &b.store->key[c], sizeof a.store->key[c]);
        for (int k = 0; k < 3; k++) {
            spring = fmax(spring, fabs(a.store->field[3 * c + k] - b.store->field[3 * c + k]));
            largest = fmax(largest, fabs(a.store->field[3 * c + k]));
        }
    }
    claim(a.id_of_first != b.id_of_first, "renumbering at each step changes the storage order");
    claim(same && a.store->n > 50, "and leaves the %d contacts their keys", (int)a.store->n);
    claim(worst < 1e-12, "positions differ only by roundings (%.1e m)", worst);
    claim(spring < 1e-6 * largest, "and so do the springs (%.1e of the largest)", spring / largest);
    double f = sqrt(dot(b.wall, b.wall)), off = 0.0;
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(b.wall[k] - b.listed[k]));
    claim(f > 1.0 && off < 1e-12 * f,
          "what observers see right after it: loads on walls and contacts agree (%.3g N, %.1e)", f,
          off / f);
    g_array_unref(a.x);
    g_array_unref(b.x);
    scree_contact_store_free(a.store);
    scree_contact_store_free(b.store);
}

/** Arguments: the scenes bed.cfg and gas.cfg. */
int main(int argc, char **argv)
{
    test_residual();
    check_work("piston", start_piston, 1e-7, 4e-3);
    check_work("paddle", start_paddle, 1e-7, 2e-3);
    check_work("tilting plane", start_tilt, 1e-6, 8e-3);
    test_head_on("plugin = \"linear\"; kn = 1.0e4; restitution = 0.6;", 5e-3);
    test_head_on("plugin = \"hertz_mindlin\"; restitution = 0.6;", 5e-3);
    test_sliding("plugin = \"linear\"; kn = 1.0e4; restitution = 0.6; sliding = \"each\";");
    test_sliding("plugin = \"linear\"; kn = 1.0e4; kt = 0.0; damping = \"mass\"; gamma_n = 2.0e3; "
                 "gamma_t = 2.0e5;");
    test_sliding("plugin = \"hertz_mindlin\"; restitution = 0.6;");
    if (argc > 1)
        test_renumbering(argv[1]);
    if (argc > 2)
        test_gas(argv[2]);
    return tap_end();
}
