/* SPDX-License-Identifier: Apache-2.0 */
/* Tilted periodic cells: contacts against brute force, lattices written in two ways, and a triangular
 * lattice by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/digest.h"
#include "engine/energy.h"
#include "harness.h"
#include "tools/query/query_space.h"

enum { N = 48 };

/** A contact between bodies, or with an image: s cells are added to b. */
typedef struct meeting {
    uint64_t a, b;
    int32_t s[3], zero;
} meeting;

/** A random state in a cell. */
typedef struct cell_case {
    int dimension;
    double length[3], tilt[3], x[N][3], r[N];
} cell_case;

static int compare_meetings(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(meeting));
}

static void draw_case(cell_case *c, dice *d, int dimension, double largest)
{
    c->dimension = dimension;
    for (int k = 0; k < 3; k++) {
        c->length[k] = k < dimension ? throw_dice(d, 0.8, 1.2) : 1.0;
        c->tilt[k] = k == 0 || dimension == 3 ? throw_dice(d, -largest, largest) : 0.0;
    }
    for (int i = 0; i < N; i++) {
        c->r[i] = dimension == 2 ? 0.055 : throw_dice(d, 0.03, 0.15);
        for (int k = 0; k < 3; k++)
            c->x[i][k] = k < dimension ? throw_dice(d, 0.0, c->length[k]) : 0.0;
    }
}

/** Starts a run of a case. Bodies with an odd number start whole cells away, where the run brings them back from. */
static scree_sim *start_case(const cell_case *c, const char *gcd)
{
    g_autoptr(GString) bodies = g_string_new(NULL);
    const bool flat = c->dimension == 2;
    const char *corner = flat ? "0.0, 0.0" : "0.0, 0.0, 0.0";
    for (int i = 0; i < N; i++) {
        const int away = i % 2 ? i % 5 - 2 : 0;
        g_string_append_printf(bodies, "b%d = { id = %d; radius = %.17e; position = (%.17e, %.17e",
                               i, i, c->r[i], c->x[i][0] + away * c->tilt[0],
                               c->x[i][1] + away * c->length[1]);
        g_string_append_printf(bodies, flat ? "); };" : ", %.17e); };", c->x[i][2]);
    }
    g_autofree char *z = flat ? g_strdup("") : g_strdup_printf(", %.17e", c->length[2]);
    return start_text(
        "scene = { dimension = %d; dt = 1.0e-9; thickness = 1.0; region = { min = (%s); "
        "max = (%.17e, %.17e%s); tilt = (%.17e, %.17e, %.17e); }; boundary = \"periodic\"; };"
        "materials = { m = { density = 1.0; }; }; bodies = { %s };"
        "gcd = { plugin = \"%s\"; }; force = { plugin = \"linear\"; kn = 1.0; };",
        c->dimension, corner, c->length[0], c->length[1], z, c->tilt[0], c->tilt[1], c->tilt[2],
        bodies->str, gcd);
}

/** Adds the meetings of two bodies, along each row of cells that is near enough. */
static void meet(const scree_world *w, const cell_case *c, uint32_t i, uint32_t j, GArray *out)
{
    const double reach = w->radius[i] + w->radius[j];
    const int rows = c->dimension == 3 ? 2 : 0;
    const double *L = c->length, *t = c->tilt;
    for (int z = -rows; z <= rows; z++) {
        const int middle = -(int)round((w->x[1][j] - w->x[1][i] + z * t[2]) / L[1]);
        for (int y = middle - 2; y <= middle + 2; y++) {
            const int nearest = -(int)round((w->x[0][j] - w->x[0][i] + y * t[0] + z * t[1]) / L[0]);
            for (int x = nearest - 2; x <= nearest + 2; x++) {
                const double d[3] = {w->x[0][j] - w->x[0][i] + (x * L[0] + y * t[0] + z * t[1]),
                                     w->x[1][j] - w->x[1][i] + (y * L[1] + z * t[2]),
                                     w->x[2][j] - w->x[2][i] + z * (rows ? L[2] : 0.0)};
                const bool ahead = x > 0 || (x == 0 && (y > 0 || (y == 0 && z > 0)));
                if (sqrt(dot(d, d)) < reach && (i != j || ahead)) {
                    const meeting one = {w->id[i], w->id[j], {x, y, z}, 0};
                    g_array_append_val(out, one);
                }
            }
        }
    }
}

static GArray *find_meetings(const scree_world *w, const cell_case *c)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(meeting));
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t j = 0; j < w->n; j++)
            if (w->id[i] < w->id[j] || i == j)
                meet(w, c, i, j, out);
    g_array_sort(out, compare_meetings);
    return out;
}

/** Returns the contacts of the first step. */
static GArray *list_meetings(scree_sim *sim)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(meeting));
    scree_contact_list list;
    contacts_of(sim, &list);
    for (uint64_t k = 0; k < list.n; k++) {
        meeting one = {sim->world->id[list.a[k]],
                       sim->world->id[list.b[k]],
                       {list.image[0][k], list.image[1][k], list.image[2][k]},
                       0};
        const int32_t *s = one.s;
        if (one.a == one.b && (s[0] < 0 || (s[0] == 0 && (s[1] < 0 || (s[1] == 0 && s[2] < 0)))))
            for (int i = 0; i < 3; i++)
                one.s[i] = -one.s[i];
        g_array_append_val(out, one);
    }
    g_array_sort(out, compare_meetings);
    return out;
}

static bool are_same(const GArray *a, const GArray *b)
{
    return a->len == b->len && !memcmp(a->data, b->data, a->len * sizeof(meeting));
}

/** Random states: the contacts of a run are those of brute force, whatever the GCD. */
static void test_pairs(int dimension, double largest, int trials)
{
    static const char *const gcds[] = {"grid", "dess", "bvh", "hgrid", "pairing", "sort_update"};
    dice d = {20 + (uint64_t)dimension};
    int wrong = 0;
    guint n = 0;
    uint64_t boxes = 0;
    for (int t = 0; t < trials; t++) {
        cell_case c;
        draw_case(&c, &d, dimension, largest);
        scree_sim *sim = start_case(&c, gcds[t % (int)G_N_ELEMENTS(gcds)]);
        run_recorded(sim, 1);
        g_autoptr(GArray) found = list_meetings(sim);
        g_autoptr(GArray) wanted = find_meetings(sim->world, &c);
        wrong += !are_same(found, wanted);
        n += wanted->len;
        boxes += sim->boxes.view.n;
        scree_sim_free(sim);
    }
    claim(!wrong && n > 10u * (guint)trials,
          "/tilt/pairs-%dd-up-to-%g: %d wrong sets of %d, %u contacts, %.2f boxes a body",
          dimension, largest, wrong, trials, n, (double)boxes / (N * trials));
}

/** Returns whether a ball at x overlaps a body in any cell. */
static bool overlaps(const scree_world *w, const cell_case *c, const double x[3], double r)
{
    bool hit = false;
    for (uint32_t i = 0; i < w->n; i++)
        for (int z = -4; z <= 4; z++) {
            const double up = w->x[1][i] + z * c->tilt[2] - x[1];
            const int middle = -(int)round(up / c->length[1]);
            for (int y = middle - 2; y <= middle + 2; y++) {
                double d[3] = {w->x[0][i] + y * c->tilt[0] + z * c->tilt[1] - x[0],
                               up + y * c->length[1], w->x[2][i] + z * c->length[2] - x[2]};
                d[0] -= c->length[0] * round(d[0] / c->length[0]);
                hit = hit || sqrt(dot(d, d)) < r + w->radius[i];
            }
        }
    return hit;
}

/** Whether there is room for a body, which may be asked about outside of the brick. */
static void test_room(double largest)
{
    enum { ASKED = 300 };
    g_autoptr(GError) error = NULL;
    dice d = {11};
    cell_case c;
    int wrong = 0, free_ones = 0;
    draw_case(&c, &d, 3, largest);
    scree_sim *sim = start_case(&c, "grid");
    const scree_world *w = sim->world;
    query_host = &scree_query_calls;
    scree_space *space = scree_space_new(sim->scene, sim->plugins.contact.resolvers);
    scree_body body = {.q = {1.0}};
    for (uint32_t i = 0; i < w->n; i++) {
        body.shape = w->shape[i];
        body.scale = w->scale[i];
        for (int k = 0; k < 3; k++)
            body.x[k] = w->x[k][i];
        if (!scree_space_add(space, &body, w->id[i], &error))
            bail_out("%s", error->message);
    }
    for (int n = 0; n < ASKED; n++) {
        bool is_free;
        for (int k = 0; k < 3; k++)
            body.x[k] = throw_dice(&d, -2.0, 3.0);
        body.scale = throw_dice(&d, 0.01, 0.1);
        if (!scree_space_is_free(space, &body, SCREE_NO_BODY, &is_free, &error))
            bail_out("%s", error->message);
        wrong += is_free == overlaps(w, &c, body.x, body.scale);
        free_ones += is_free;
    }
    claim(!wrong && free_ones > 20 && free_ones < ASKED - 20,
          "/tilt/room-up-to-%g: %d wrong answers of %d, %d have room", largest, wrong, ASKED,
          free_ones);
    scree_space_free(space);
    scree_sim_free(sim);
}

/** A plate as large as the cell, which is not placed as the brick is: its copies cover all of the plane, and each ball on it
 * touches it. Most of them touch an image. */
static void test_plate(double tilt)
{
    enum { BALLS = 100 };
    g_autoptr(GString) bodies = g_string_new(NULL);
    dice d = {3};
    for (int i = 0; i < BALLS; i++)
        g_string_append_printf(
            bodies, "b%d = { id = %d; radius = 0.01; position = (%.17e, %.17e, 0.0099); };", i,
            i + 1, throw_dice(&d, 0.0, 1.0), throw_dice(&d, 0.0, 1.0));
    scree_sim *sim = start_text("scene = { dt = 1.0e-9; region = { min = (0.0, 0.0, -1.0); max = "
                                "(1.0, 1.0, 1.0); tilt = (%.17e, 0.0, 0.0); }; "
                                "boundary = (\"periodic\", \"periodic\", \"open\"); }; materials = "
                                "{ m = { density = 1.0; }; }; shapes = { plate = { "
                                "type = \"facets\"; vertices = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), "
                                "(1.0, 1.0, 0.0), (0.0, 1.0, 0.0)); facets = ((0, 1, "
                                "2, 3)); }; }; bodies = { plate = { id = 0; shape = \"plate\"; "
                                "position = (0.43, 0.52, 0.0); }; %s }; force = { plugin "
                                "= \"linear\"; kn = 1.0; };" PLUGINS,
                                tilt, bodies->str);
    bool on[BALLS + 1] = {false};
    int n = 0, far = 0;
    scree_contact_list list;
    run_recorded(sim, 1);
    contacts_of(sim, &list);
    for (uint64_t c = 0; c < list.n; c++) {
        const uint64_t id = sim->world->id[list.a[c]];
        if (sim->world->id[list.b[c]] || on[id])
            continue;
        on[id] = true;
        n++;
        far += list.image[1][c] != 0;
    }
    claim(n == BALLS && far > 20, "/tilt/plate-%g: %d of %d balls touch it, %d an image along y",
          tilt, n, BALLS, far);
    scree_sim_free(sim);
}

/* ---- a lattice that is written in two ways ---- */

/** How far two states differ, relative to what a step of the scene changes. */
static double difference(const scree_sim *a, const scree_sim *b)
{
    const scree_world *w = a->world, *v = b->world;
    scree_energy one, other;
    double worst = w->n == v->n ? 0.0 : HUGE_VAL;
    for (uint32_t i = 0; i < w->n_free && worst < HUGE_VAL; i++) {
        const uint32_t j = body_of(b, w->id[i]);
        double x[3], y[3];
        unwrapped(a, i, x);
        unwrapped(b, j, y);
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(x[k] - y[k]) / w->radius[i]);
            worst = fmax(worst, fabs(w->v[k][i] - v->v[k][j]));
            worst = fmax(worst, fabs(w->w[k][i] - v->w[k][j]) * w->radius[i]);
            worst = fmax(worst, fabs(w->q[k][i] - v->q[k][j]));
        }
    }
    scree_energy_now(a, &one);
    scree_energy_now(b, &other);
    const double scale = fabs(one.kinetic) + fabs(one.lost);
    worst = fmax(worst, fabs(one.kinetic - other.kinetic) / scale);
    worst = fmax(worst, fabs(one.gravity - other.gravity) / scale);
    worst = fmax(worst, fabs(one.stored - other.stored) / scale);
    return fmax(worst, fabs(one.lost - other.lost) / scale);
}

static uint32_t count_wrapped(const scree_sim *sim)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sim->world->n_free; i++)
        n += sim->world->image[1][i] != 0;
    return n;
}

/** Whole vectors added to other vectors give the same lattice, and the same motion in it. */
static void test_written_otherwise(const char *path, const char *name, const char *const tilts[],
                                   uint64_t steps)
{
    scree_sim *first = NULL;
    g_autofree char *sum = NULL;
    for (int k = 0; tilts[k]; k++) {
        g_autofree char *tilt = g_strdup_printf("scene.region.tilt=%s", tilts[k]);
        const char *const set[] = {tilt, NULL};
        scree_sim *sim = start_file(path, set, NULL);
        run(sim, steps);
        if (first) {
            const double off = difference(first, sim);
            g_autofree char *own = scree_state_sha256(sim);
            claim(
                off < 1e-9 && strcmp(own, sum) != 0 && count_wrapped(first) > 5 &&
                    sim->counters.contacts == first->counters.contacts &&
                    sim->counters.sum_contacts > 500,
                "/tilt/%s-with-tilt-%s: %.1e after %d steps, %d contacts, %u bodies have crossed y",
                name, tilts[k], off, (int)steps, (int)sim->counters.contacts, count_wrapped(first));
            scree_sim_free(sim);
        } else {
            first = sim;
            sum = scree_state_sha256(sim);
        }
    }
    scree_sim_free(first);
}

/* ---- a cell without tilt that holds ten copies ---- */

enum { DISCS = 9, COPIES = 10 };
static const double wide = 0.03, high = 0.026;

/** Starts `copies` rows of the cell; each is 0.3 of the width farther along x than the one below. */
static scree_sim *start_copies(int copies, double tilt)
{
    g_autoptr(GString) bodies = g_string_new(NULL);
    for (int c = 0; c < copies; c++) {
        dice d = {7};
        for (int i = 0; i < DISCS; i++) {
            const double x = (i % 3 + throw_dice(&d, 0.3, 0.6)) * wide / 3.0,
                         y = (i / 3 + throw_dice(&d, 0.3, 0.6)) * high / 3.0;
            const double v[2] = {throw_dice(&d, -4.0, 4.0), throw_dice(&d, 2.0, 10.0)};
            g_string_append_printf(
                bodies,
                "b%d = { id = %d; radius = 0.0042; position = (%.17e, %.17e); velocity = "
                "(%.17e, %.17e); spin = %d.0; };",
                c * DISCS + i, c * DISCS + i, x + c * 0.3 * wide, y + c * high, v[0], v[1],
                50 * i - 200);
        }
    }
    return start_text("scene = { dimension = 2; dt = 2.0e-5; thickness = 0.01; region = { min = "
                      "(0.0, 0.0); max = (%.17e, "
                      "%.17e); tilt = (%.17e, 0.0, 0.0); }; boundary = \"periodic\"; }; materials "
                      "= { m = { density = "
                      "2000.0; }; }; bodies = { %s }; force = { plugin = \"linear\"; kn = 1.0e4; "
                      "restitution = 0.8; "
                      "friction = 0.4; };" PLUGINS,
                      wide, high * copies, tilt, bodies->str);
}

static void test_copies(void)
{
    scree_sim *one = start_copies(1, 0.3 * wide), *all = start_copies(COPIES, 0.0);
    scree_energy e, sum;
    double worst = 0.0;
    run(one, 200);
    run(all, 200);
    for (uint64_t id = 0; id < DISCS * COPIES; id++) {
        const uint32_t i = body_of(one, id % DISCS), j = body_of(all, id);
        const double copy = (double)(id / DISCS), by[2] = {copy * 0.3 * wide, copy * high};
        double x[3], y[3];
        unwrapped(one, i, x);
        unwrapped(all, j, y);
        for (int k = 0; k < 2; k++) {
            worst = fmax(worst, fabs(x[k] + by[k] - y[k]) / 0.0042);
            worst = fmax(worst, fabs(one->world->v[k][i] - all->world->v[k][j]));
        }
        worst = fmax(worst, fabs(one->world->w[2][i] - all->world->w[2][j]) * 0.0042);
    }
    scree_energy_now(one, &e);
    scree_energy_now(all, &sum);
    const double off = fabs(COPIES * e.kinetic - sum.kinetic) + fabs(COPIES * e.lost - sum.lost) +
                       fabs(COPIES * e.stored - sum.stored);
    claim(worst < 1e-9 && off < 1e-9 * sum.kinetic && e.lost > 0.01 * e.kinetic &&
              count_wrapped(one) > 1,
          "/tilt/ten-copies-in-a-brick: states differ by %.1e, energies by %.1e; %.0f %% lost, %u "
          "of %d have "
          "crossed y",
          worst, off / sum.kinetic, 100.0 * e.lost / (e.lost + e.kinetic), count_wrapped(one),
          DISCS);
    scree_sim_free(one);
    scree_sim_free(all);
}

/* ---- one disc, which is a triangular lattice ---- */

/** A disc of radius r in a cell with the vectors d (1, 0) and d (1, sqrt 3) / 2 touches six images of itself: three contacts
 * of depth 2 r - d. The stress, the sum of force times branch over the volume, is sqrt(3) kn (2 r - d) / d [N/m] times unity. */
static void test_triangular(void)
{
    const double r = 0.01, d = 0.0198, kn = 2e4, high_row = d * sqrt(3.0) / 2.0,
                 depth = 2.0 * r - d;
    const double pressure = sqrt(3.0) * kn * depth / d;
    for (int whole = -2; whole <= 3; whole += 5) {
        scree_sim *sim = start_text("scene = { dimension = 2; dt = 1.0e-6; thickness = 1.0; region "
                                    "= { min = (0.0, 0.0); max = "
                                    "(%.17e, %.17e); tilt = (%.17e, 0.0, 0.0); }; boundary = "
                                    "\"periodic\"; }; materials = { m = { "
                                    "density = 2000.0; }; }; bodies = { disc = { radius = %.17e; "
                                    "position = (0.001, 0.0171); }; }; "
                                    "force = { plugin = \"linear\"; kn = %.17e; restitution = 0.8; "
                                    "friction = 0.4; };" PLUGINS,
                                    d, high_row, (0.5 + whole) * d, r, kn);
        double stress[2][2] = {{0.0}}, x[3];
        scree_contact_list list;
        scree_energy e;
        run_recorded(sim, 200);
        contacts_of(sim, &list);
        for (uint64_t c = 0; c < list.n; c++)
            for (int k = 0; k < 4; k++)
                stress[k / 2][k % 2] -= list.f[k / 2][c] * list.branch[k % 2][c] / (d * high_row);
        scree_energy_now(sim, &e);
        unwrapped(sim, 0, x);
        const double off = fmax(fmax(fabs(stress[0][0] - pressure), fabs(stress[1][1] - pressure)),
                                fmax(fabs(stress[0][1]), fabs(stress[1][0])));
        claim(list.n == 3 && off < 1e-10 * pressure && fabs(x[0] - 0.001) < 1e-12 &&
                  fabs(x[1] - 0.0171) < 1e-12 &&
                  fabs(e.stored - 1.5 * kn * depth * depth) < 1e-10 * e.stored,
              "/tilt/triangular-lattice-%+d: %d contacts, stress off by %.1e of %.6g N/m, stored "
              "%.9g J",
              whole, (int)list.n, off / pressure, pressure, e.stored);
        scree_sim_free(sim);
    }
}

int main(int argc, char **argv)
{
    static const char *const one[] = {"(0.009,0.0,0.0)", "(0.039,0.0,0.0)", "(-0.021,0.0,0.0)",
                                      "(3.009,0.0,0.0)", NULL};
    // c + b - 2 a for c, and b + 3 a for b
    static const char *const three[] = {"(0.01,-0.005,0.007)", "(0.01,-0.075,0.047)",
                                        "(0.13,-0.005,0.007)", NULL};
    if (argc < 4)
        bail_out("usage: physics_tilt BED.cfg GAS.cfg TILTED.cfg");
    static const double tilts[] = {0.0, 1.0, 100.0, 1e4, 1e3};
    for (int k = 0; k < 4; k++)
        test_pairs(2, tilts[k], 60);
    for (int k = 0; k < 5; k++)
        if (k != 3)
            test_pairs(3, tilts[k], 60);
    test_room(0.0);
    test_room(0.8);
    test_room(50.0);
    test_plate(0.3);
    test_plate(-70.2);
    test_written_otherwise(argv[3], "mixed", one, 200);
    test_written_otherwise(argv[2], "gas", three, 200);
    test_copies();
    test_triangular();
    return tap_end();
}
