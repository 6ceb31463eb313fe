/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts that observers get, against sums and searches of this test's own. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"
#include "base/rotation.h"
#include "engine/energy.h"
#include "engine/observer_view.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define WET                                                                                        \
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.6; friction = 0.4; },"           \
    "  { plugin = \"rolling\"; rolling_friction = 0.1; },"                                         \
    "  { plugin = \"capillary\"; surface_tension = 0.5; bridge_volume = 2.0e-9; } );"

/** One step with all that can be recorded of it. */
static void step_recorded(scree_sim *sim)
{
    sim->records.contacts = sim->records.by_law = sim->records.fields = true;
    run(sim, 1);
    sim->records.contacts = sim->records.by_law = sim->records.fields = false;
}

/** The largest differences over a run, each over the largest value of its kind. */
typedef struct gaps {
    double split, stored, lost, branch, force;
    uint64_t contacts, wrapped, ended, removed;
} gaps;

static void raise_to(double *to, double difference, double size)
{
    if (size > 0.0 && fabs(difference) / size > *to)
        *to = fabs(difference) / size;
}

/** Totals of one kind against the sum over the laws. */
static void check_split(const scree_contact_list *list, gaps *g)
{
    for (uint64_t c = 0; c < list->n; c++) {
        double f[3] = {0}, couple[3] = {0}, couple_b[3] = {0}, stored = 0.0, lost = 0.0;
        double size[5] = {0};
        for (uint32_t l = 0; l < list->n_laws; l++) {
            const scree_contact_law *law = list->laws[l];
            stored += law->stored[c];
            lost += law->lost[c];
            size[3] += fabs(law->stored[c]);
            size[4] += fabs(law->lost[c]);
            for (int k = 0; k < 3; k++) {
                f[k] += law->f[k][c];
                couple[k] += law->couple[k][c];
                couple_b[k] += law->couple_b[k][c];
                size[0] += fabs(law->f[k][c]);
                size[1] += fabs(law->couple[k][c]);
                size[2] += fabs(law->couple_b[k][c]);
            }
        }
        for (int k = 0; k < 3; k++) {
            raise_to(&g->split, f[k] - list->f[k][c], size[0]);
            raise_to(&g->split, couple[k] - list->couple[k][c], size[1]);
            raise_to(&g->split, couple_b[k] - list->couple_b[k][c], size[2]);
        }
        raise_to(&g->split, stored - list->stored[c], size[3]);
        raise_to(&g->split, lost - list->lost[c], size[4]);
    }
}

/** Branches against the poses and whole cells, and forces against the bodies' sums. */
static void check_branch(const scree_sim *sim, const scree_contact_list *list, gaps *g)
{
    const scree_world *w = sim->world;
    g_autofree double *sum = g_new0(double, 3 * (size_t)w->n);
    double largest = 0.0;
    for (uint64_t c = 0; c < list->n; c++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = list->a[c], b = list->b[c];
            const double cells = list->image[k][c] * w->cell.vector[k][k];
            raise_to(&g->branch, w->x[k][b] - w->x[k][a] + cells - list->branch[k][c], 0.008);
            g->wrapped += list->image[k][c] != 0;
            sum[3 * a + k] += list->f[k][c];
            sum[3 * b + k] -= list->f[k][c];
            largest = fmax(largest, fabs(list->f[k][c]));
        }
    for (uint32_t i = 0; i < w->n_free; i++)
        for (int k = 0; k < 3; k++)
            raise_to(&g->force,
                     sum[3 * i + k] + w->mass[i] * w->gravity[k] - w->wrench[i * SCREE_WRENCH + k],
                     largest);
}

static gaps follow(scree_sim *sim, uint64_t steps)
{
    gaps g = {0};
    scree_energy before, now;
    uint32_t n_bodies = sim->world->n;
    scree_energy_now(sim, &before);
    for (uint64_t n = 0; n < steps; n++, before = now) {
        scree_view view;
        scree_contact_list list;
        double stored = 0.0, lost = 0.0, size = 1e-12;
        step_recorded(sim);
        scree_view_fill(sim, &view, &now);
        g_assert_true(scree_record_list(sim, &list));
        for (uint64_t c = 0; c < list.n; c++) {
            stored += list.stored[c];
            lost += list.lost[c];
        }
        g.contacts += list.n;
        g.removed += now.lost > before.lost && sim->world->n < n_bodies;
        n_bodies = sim->world->n;
        g.ended += list.lost_ended != 0.0;
        raise_to(&g.stored, stored - now.stored, fabs(now.stored) + size);
        raise_to(&g.lost, lost + list.lost_ended - (now.lost - before.lost), fabs(now.lost) + size);
        check_split(&list, &g);
        check_branch(sim, &list, &g);
    }
    return g;
}

static void sums(void)
{
    scree_sim *sim =
        start_text("scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);"
                   "  max = (0.05, 0.05, 0.05); }; boundary = \"periodic\"; };" GLASS PLUGINS WET
                   "generate = { balls = { shape = \"sphere\"; count = 120; radius = 0.004;"
                   "  velocity_random = 5.0; }; };");
    gaps g = follow(sim, 600);
    claim(g.contacts > 5000 && g.wrapped > 500 && g.ended > 5,
          "sums-are-of-a-gas-in-which-contacts-cross-boundaries-and-end # %" G_GUINT64_FORMAT
          " contacts, %" G_GUINT64_FORMAT " across, %" G_GUINT64_FORMAT " steps with ends",
          g.contacts, g.wrapped, g.ended);
    claim(g.split < 1e-12, "shares-of-laws-sum-to-the-totals # %.1e", g.split);
    claim(g.stored < 1e-12, "stored-of-contacts-sums-to-the-account # %.1e", g.stored);
    claim(g.lost < 1e-12, "lost-of-contacts-and-ends-sums-to-the-account # %.1e", g.lost);
    claim(g.branch < 1e-12, "branch-joins-the-images-that-touch # %.1e", g.branch);
    claim(g.force < 1e-12, "forces-sum-to-those-of-bodies # %.1e", g.force);
    scree_sim_free(sim);
}

/** Bodies that leave the region are removed while they touch others. */
static void removed(void)
{
    scree_sim *sim =
        start_text("scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);"
                   "  max = (0.05, 0.05, 0.05); }; boundary = \"destroy\"; };" GLASS PLUGINS WET
                   "generate = { balls = { shape = \"sphere\"; count = 110; radius = 0.004;"
                   "  velocity_random = 5.0; }; };");
    gaps g = follow(sim, 600);
    claim(g.removed > 20 && g.lost < 1e-12,
          "lost-sums-to-the-account-when-bodies-are-removed # %.1e, %" G_GUINT64_FORMAT
          " steps with removals",
          g.lost, g.removed);
    scree_sim_free(sim);
}

/* ---- parts ---- */

/** Squared distance of x from triangle f of a mesh, by the closest points of plane and edges. */
static double distance2(const scree_mesh *m, uint32_t f, const double x[3])
{
    double v[3][3], best = HUGE_VAL, n[3], e0[3], e1[3], to[3];
    bool inside = true;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 3; k++)
            v[s][k] = m->vertex[k][m->facet[4 * f + s]];
    for (int k = 0; k < 3; k++) {
        e0[k] = v[1][k] - v[0][k];
        e1[k] = v[2][k] - v[0][k];
        to[k] = x[k] - v[0][k];
    }
    cross(e0, e1, n);
    for (int s = 0; s < 3; s++) {
        double along[3], from[3], out[3], t, d2 = 0.0;
        for (int k = 0; k < 3; k++) {
            along[k] = v[(s + 1) % 3][k] - v[s][k];
            from[k] = x[k] - v[s][k];
        }
        cross(n, along, out);
        inside &= dot(out, from) >= 0.0;
        t = fmin(fmax(dot(from, along) / dot(along, along), 0.0), 1.0);
        for (int k = 0; k < 3; k++)
            d2 += (from[k] - t * along[k]) * (from[k] - t * along[k]);
        best = fmin(best, d2);
    }
    return inside ? dot(n, to) * dot(n, to) / dot(n, n) : best;
}

/** Balls rolled over a crumpled sheet: the part is the facet that a search of all finds. */
static void facets(void)
{
    enum { SIDE = 6 };
    g_autoptr(GString) text = g_string_new("shapes = { sheet = { type = \"mesh\"; vertices = (");
    dice d = {11};
    for (int i = 0; i <= SIDE; i++)
        for (int j = 0; j <= SIDE; j++)
            g_string_append_printf(text, "%s(%.17g, %.17g, %.17g)", i + j ? ", " : "",
                                   0.01 * i + throw_dice(&d, -0.002, 0.002),
                                   0.01 * j + throw_dice(&d, -0.002, 0.002),
                                   throw_dice(&d, -0.002, 0.002));
    g_string_append(text, "); facets = (");
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            const int at = i * (SIDE + 1) + j;
            g_string_append_printf(text, "%s(%d, %d, %d), (%d, %d, %d)", i + j ? ", " : "", at,
                                   at + SIDE + 1, at + 1, at + 1, at + SIDE + 1, at + SIDE + 2);
        }
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-5; gravity = (0.0, 0.0, -100.0); };" GLASS PLUGINS WET
        "%s); }; };"
        "bodies = { sheet = { shape = \"sheet\"; }; };"
        "generate = { balls = { shape = \"sphere\"; count = 60; radius = 0.002; velocity_random = "
        "1.0; region = { min = (0.004, 0.004, 0.004); max = (0.056, 0.056, 0.02); }; }; };",
        text->str);
    const scree_world *w = sim->world;
    uint64_t n = 0, right = 0, seen = 0, past_facets = 0;
    run(sim, 1500);
    for (int again = 0; again < 60; again++) {
        scree_contact_list list;
        run(sim, 20);
        step_recorded(sim);
        contacts_of(sim, &list);
        for (uint64_t c = 0; c < list.n; c++) {
            const uint32_t b = list.b[c];
            const scree_mesh *m = w->shapes[w->shape[b]]->mesh;
            double at[3], nearest = HUGE_VAL;
            if (!m) {
                past_facets += list.part[0][c] | list.part[1][c];
                continue;
            }
            // The closest point lies at arm + depth / 2 along the normal; the wall is not turned.
            for (int k = 0; k < 3; k++)
                at[k] = w->x[k][list.a[c]] + list.arm[k][c] +
                        (0.0 - 0.5 * list.depth[c]) * list.normal[k][c] - w->x[k][b];
            for (uint32_t f = 0; f < m->n_facets; f++)
                nearest = fmin(nearest, distance2(m, f, at));
            n++;
            right += list.part[0][c] == 0 && list.part[1][c] < m->n_facets &&
                     distance2(m, list.part[1][c], at) <= nearest + 1e-22;
            seen |= UINT64_C(1) << list.part[1][c] % 64;
        }
    }
    claim(n > 500 && __builtin_popcountll(seen) > 15 && right == n && !past_facets,
          "part-of-a-wall-is-the-nearest-facet # %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
          ", %d facets",
          right, n, __builtin_popcountll(seen));
}

/** [m] Overlap of ball i of body a and ball j of body b, both clumps or single balls. */
static double ball_depth(const scree_sim *sim, const scree_contact_list *list, uint64_t c,
                         const uint32_t part[2])
{
    const scree_world *w = sim->world;
    const uint32_t body[2] = {list->a[c], list->b[c]};
    double at[2][3], radius[2], d2 = 0.0;
    for (int s = 0; s < 2; s++) {
        const uint32_t i = body[s];
        const scree_balls *balls = w->shapes[w->shape[i]]->balls;
        const double q[4] = {w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i]};
        double centre[3] = {0};
        if (balls)
            for (int k = 0; k < 3; k++)
                centre[k] = w->scale[i] * balls->centre[k][part[s]];
        radius[s] = balls ? w->scale[i] * balls->radius[part[s]] : w->radius[i];
        scree_rotate(q, centre, at[s]);
        for (int k = 0; k < 3; k++)
            at[s][k] += s ? list->branch[k][c] : 0.0;
    }
    for (int k = 0; k < 3; k++)
        d2 += (at[1][k] - at[0][k]) * (at[1][k] - at[0][k]);
    return radius[0] + radius[1] - sqrt(d2);
}

/** Clumps of two balls and single balls: the parts are those whose overlap is the depth. */
static void clumps(const char *heap)
{
    g_autoptr(scree_sim) sim = start_file(heap, NULL, NULL);
    uint64_t n = 0, right = 0, kinds = 0;
    run(sim, 900);
    for (int again = 0; again < 60; again++) {
        const scree_world *w = sim->world;
        scree_contact_list list;
        run(sim, 10);
        step_recorded(sim);
        contacts_of(sim, &list);
        for (uint64_t c = 0; c < list.n; c++) {
            const uint32_t flags = w->shapes[w->shape[list.b[c]]]->flags;
            const uint32_t part[2] = {list.part[0][c], list.part[1][c]};
            if (flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE))
                continue;
            n++;
            kinds |= UINT64_C(1) << (2 * part[0] + part[1]);
            right += fabs(ball_depth(sim, &list, c, part) - list.depth[c]) < 1e-15;
        }
    }
    claim(n > 20 && right == n && __builtin_popcountll(kinds) >= 3,
          "parts-of-clumps-are-the-balls-that-touch # %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
          right, n);
}

/* ---- couples, and what resolvers give ---- */

static void couples(void)
{
    scree_contact_list list;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-6; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0e4; }, { plugin = \"lever\"; k = 7.0; } );"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };"
        "  b = { radius = 0.01; position = (0.0199, 0.0, 0.0); }; };");
    step_recorded(sim);
    contacts_of(sim, &list);
    const double unit = 7.0 * list.depth[0], tolerance = 1e-14 * unit;
    bool right = list.n == 1 && list.n_laws == 2;
    for (int k = 0; right && k < 3; k++)
        right = fabs(list.couple[k][0] - (k + 1) * unit) < tolerance &&
                fabs(list.couple_b[k][0] - (k ? k : -3) * unit) < tolerance &&
                list.laws[1]->couple_b[k][0] == list.couple_b[k][0] &&
                list.laws[0]->couple_b[k][0] == 0.0;
    claim(right && !strcmp(list.laws[1]->id, "lever") && !strcmp(list.laws[1]->slot, "force[1]"),
          "couple-on-b-is-what-the-law-gave # %g %g %g N m", list.couple_b[0][0],
          list.couple_b[1][0], list.couple_b[2][0]);
}

/** Two balls, of which b turns, so that friction f is along y: a longer lever adds half the depth
 * times n × f, and n is along x. */
static void levers(void)
{
    scree_contact_list list;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-6; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0e4; lever = \"radius\"; friction = 0.5; },"
        "  { plugin = \"linear\"; kn = 1.0e3; lever = \"contact\"; friction = 0.5; } );"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };"
        "  b = { radius = 0.01; position = (0.0199, 0.0, 0.0); spin = (0.0, 0.0, 9.0); }; };");
    for (int n = 0; n < 5; n++)
        step_recorded(sim);
    contacts_of(sim, &list);
    bool right = list.n == 1 && list.n_laws == 2;
    const double couple = right ? 0.5 * list.depth[0] * list.laws[0]->f[1][0] : 0.0;
    const double *const *const others[] = {list.laws[0]->couple_b, list.couple, list.couple_b};
    right &= fabs(couple) > 0.0 && list.laws[1]->f[1][0] != 0.0;
    right &= fabs(list.laws[0]->couple[2][0] - couple) < 1e-3 * fabs(couple);
    for (int k = 0; right && k < 3; k++)
        for (size_t s = 0; s < G_N_ELEMENTS(others); s++)
            right &= others[s][k][0] == list.laws[0]->couple[k][0] &&
                     list.laws[1]->couple[k][0] == 0.0 && list.laws[1]->couple_b[k][0] == 0.0;
    claim(right, "the-longer-lever-of-a-law-is-in-its-couples # %g N m", couple);
}

/** [J] residual of two balls and a wall that collide by a law that stores k volume. */
static double pressed(double dt, double *exchanged, bool *given)
{
    scree_contact_list list;
    scree_energy e;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = %.17e; };" GLASS PLUGINS
        "shapes = { floor = { type = \"box\"; size = (1.0, 1.0, 1.0); }; };"
        "force = ( { plugin = \"press\"; k = 1.0e7; } );"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.511); velocity = (0.0, 0.0, "
        "-1.0); };"
        "  b = { radius = 0.006; position = (0.001, 0.002, 0.5275); velocity = (0.0, 0.0, -4.0); };"
        "  floor = { shape = \"floor\"; }; };",
        dt);
    *exchanged = kinetic_energy(sim);
    *given = true;
    const uint64_t steps = (uint64_t)(0.003 / dt);
    for (uint64_t n = 0; n < steps; n++) {
        step_recorded(sim);
        contacts_of(sim, &list);
        for (uint64_t c = 0; c < list.n && list.depth[c] >= 0.0; c++) {
            const bool wall = list.part[1][c] || sim->world->n_free <= list.b[c];
            const double *const *f = list.laws[0]->fields;
            const double curve[2] = {1.0 / sim->world->radius[list.a[c]],
                                     wall ? 0.0 : 1.0 / sim->world->radius[list.b[c]]};
            for (int k = 0; k < 2; k++)
                *given = *given && f[k][c] == list.part[k][c] && f[2 + 2 * k][c] == curve[k] &&
                         f[3 + 2 * k][c] == curve[k];
        }
    }
    scree_energy_now(sim, &e);
    *given = *given && kinetic_energy(sim) != *exchanged;
    return fabs(e.residual);
}

/** The root of the mean square over a few steps near dt, since where in a step a touch begins is
 * chance. */
static double pressed_spread(double dt, double *exchanged, bool *given)
{
    enum { RUNS = 8 };
    double sum = 0.0;
    for (int k = 0; k < RUNS; k++) {
        bool now;
        const double one = pressed(dt * (1.0 - 0.013 * k), exchanged, &now);
        *given = *given && now;
        sum += one * one;
    }
    return sqrt(sum / RUNS);
}

static void volumes(void)
{
    double exchanged;
    bool given = true;
    const double coarse = pressed_spread(4e-6, &exchanged, &given),
                 fine = pressed_spread(1e-6, &exchanged, &given),
                 order = log(coarse / fine) / log(4.0);
    claim(given, "a-law-gets-parts-and-principal-curvatures");
    claim(fine < 3e-5 * exchanged && order > 1.5,
          "a-law-that-stores-volume-and-pushes-by-area-keeps-energy # %.1e, then %.1e of it: order "
          "%.2f",
          coarse / exchanged, fine / exchanged, order);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        bail_out("expected the scene of a heap of clumps");
    sums();
    removed();
    facets();
    clumps(argv[1]);
    couples();
    levers();
    volumes();
    return tap_end();
}
