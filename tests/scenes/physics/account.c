/* SPDX-License-Identifier: Apache-2.0 */
/* The energy account closes as dt falls, with moving walls too; renumbering changes roundings
 * alone. */
#include <math.h>
#include <string.h>

#include "harness.h"

/** Residual over `scale` [J] after `time` [s]. */
static double residual_of(scree_sim *sim, double time, double *scale)
{
    scree_energy e;
    run(sim, (uint64_t)(time / sim->dt + 0.5));
    scree_energy_now(sim, &e);
    *scale = fmax(*scale, fmax(fabs(e.lost), fabs(e.work)));
    scree_sim_free(sim);
    return fabs(e.residual);
}

typedef scree_sim *(*starter)(double dt);

/** Over a few steps near dt, since where in a step a touch begins is chance. */
static double envelope(starter start, double dt, double time)
{
    double worst = 0.0, scale = 0.0;
    for (int k = 0; k < 6; k++)
        worst = fmax(worst, residual_of(start(dt * (1.0 - 0.013 * k)), time, &scale));
    return worst / scale;
}

static void claim_order(const char *name, starter start, double dt, double time, double bound)
{
    double coarse = envelope(start, dt, time), fine = envelope(start, dt / 4.0, time);
    double order = log(coarse / fine) / log(4.0);
    claim(
        fine < bound && order > 0.8,
        "%s: residual over what was lost or worked %.1e, then %.1e with a fourth of dt: order %.2f",
        name, coarse, fine, order);
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
    claim_order("an oblique impact", start_oblique, 2e-6, 6e-4, 2e-2);
    claim_order("a piston", start_piston, 1e-6, 4e-3, 2e-2);
    claim_order("a turning paddle", start_paddle, 1e-6, 2e-3, 2e-2);
    claim_order("a disc from edge to face", start_corner, 1e-6, 3e-3, 2e-2);
    claim_order("a tilting plane", start_tilt, 4e-6, 8e-3, 2e-2);
    claim_order("a bouncing pile of discs", start_pile, 1e-5, 0.02, 3e-2);
    scree_sim *sim = start_oblique(5e-7);
    scree_energy e;
    run(sim, 1200);
    scree_energy_now(sim, &e);
    double without = fabs(e.residual - e.lost) / e.lost;
    claim(without > 0.9, "negative control: an account without `lost` would not close (%.1f)",
          without);
    scree_sim_free(sim);
}

/** The work of the walls, again: their reactions times their velocities, by the trapezium rule. */
static void check_work(const char *name, starter start, double dt, double time)
{
    scree_sim *sim = start(dt);
    double work = 0.0, before = 0.0;
    for (uint64_t n = 0; (double)n < time / dt; n++) {
        double power = 0.0;
        run_recorded(sim, 1);
        for (uint32_t i = sim->world->n_free; i < sim->world->n; i++) {
            double f[3], t[3];
            scree_reaction(sim, i, f, t);
            for (int k = 0; k < 3; k++)
                power -= f[k] * sim->world->v[k][i] + t[k] * sim->world->w[k][i];
        }
        work += 0.5 * dt * (power + before);
        before = power;
    }
    claim(sim->work > 0.0 && fabs(sim->work / work - 1.0) < 2e-2,
          "%s: the work booked is that of its reaction (%.3e J, off by %.1e)", name, sim->work,
          sim->work / work - 1.0);
    scree_sim_free(sim);
}

typedef struct renumbered {
    GArray *x; // by id
    scree_contact_store *store;
    double wall[3], listed[3], kinetic;
    uint64_t id_of_first;
} renumbered;

static renumbered travel(const char *bed, const char *every)
{
    const char *set[] = {"scene.gravity=(30.0, 0.0, -500.0)", "generate.beads.count=300", every,
                         NULL};
    scree_sim *sim = start_file(bed, set, NULL);
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
        double f[3], t[3];
        scree_reaction(sim, i, f, t);
        for (int k = 0; k < 3; k++)
            out.wall[k] += f[k];
    }
    for (uint64_t c = 0; c < list.n; c++)
        for (int k = 0; list.b[c] >= sim->world->n_free && k < 3; k++)
            out.listed[k] -= list.f[k][c];
    out.kinetic = kinetic_energy(sim);
    scree_sim_free(sim);
    return out;
}

static void test_renumbering(const char *bed)
{
    renumbered a = travel(bed, "renumber={every=0;}"), b = travel(bed, "renumber={every=1;}");
    double worst = 0.0, spring = 0.0, largest = 0.0;
    bool same = a.store->n == b.store->n && a.x->len == b.x->len;
    for (guint k = 0; k < a.x->len && same; k++)
        worst = fmax(worst, fabs(g_array_index(a.x, double, k) - g_array_index(b.x, double, k)));
    for (uint64_t c = 0; c < a.store->n && same; c++) {
        same = !memcmp(&a.store->key[c], &b.store->key[c], sizeof a.store->key[c]);
        for (int k = 0; k < 3; k++) {
            spring = fmax(spring, fabs(a.store->field[3 * c + k] - b.store->field[3 * c + k]));
            largest = fmax(largest, fabs(a.store->field[3 * c + k]));
        }
    }
    claim(a.id_of_first != b.id_of_first, "renumbering at each step changes the storage order");
    claim(same && a.store->n > 50, "and leaves the %d contacts their keys", (int)a.store->n);
    claim(worst < 1e-12, "positions differ by roundings alone (%.1e m)", worst);
    claim(spring < 1e-6 * largest, "and so do the springs (%.1e of the largest)", spring / largest);
    double f = sqrt(dot(b.wall, b.wall)), off = 0.0;
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(b.wall[k] - b.listed[k]));
    claim(f > 1.0 && off < 1e-12 * f,
          "what observers see right after it: walls' reactions and contacts agree (%.3g N, %.1e)",
          f, off / f);
    g_array_unref(a.x);
    g_array_unref(b.x);
    scree_contact_store_free(a.store);
    scree_contact_store_free(b.store);
}

/** Argument: the scene bed.cfg. */
int main(int argc, char **argv)
{
    test_residual();
    check_work("piston", start_piston, 1e-7, 4e-3);
    check_work("paddle", start_paddle, 1e-7, 2e-3);
    check_work("tilting plane", start_tilt, 1e-6, 8e-3);
    if (argc > 1)
        test_renumbering(argv[1]);
    return end_of_claims();
}
