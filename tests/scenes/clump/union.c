/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of shape/clump, whose balls overlap, against the rigid body by closed forms. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"
#include "base/rotation.h"
#include "engine/energy.h"

#define RHO 2500.0
#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define R1 0.01
#define R2 0.008
#define APART 0.012
#define PAIR                                                                                       \
    "pair = { type = \"clump\"; balls = ((0.0, 0.0, 0.0, 0.01), (0.012, 0.0, 0.0, 0.008)); %s };"

/** Mass, centre from ball 1, moments along and across of two balls that overlap: each without the
 * cap beyond the plane x = t of their circle, by sums of 2e6 discs. */
typedef struct rigid {
    double mass, centre, along, across;
} rigid;

static rigid sum_discs(void)
{
    enum { N = 2000000 };
    const double lo = -R1, hi = APART + R2, h = (hi - lo) / N;
    double m[4] = {0.0};
    for (int i = 0; i < N; i++) {
        const double x = lo + (i + 0.5) * h, y = x - APART;
        const double square = fmax(R1 * R1 - x * x, R2 * R2 - y * y); // the larger disc
        const double disc = RHO * G_PI * square * h;
        m[0] += disc;
        m[1] += disc * x;
        m[2] += disc * x * x;
        m[3] += disc * square;
    }
    rigid r = {.mass = m[0], .centre = m[1] / m[0], .along = 0.5 * m[3]};
    r.across = 0.5 * r.along + m[2] - m[0] * r.centre * r.centre;
    return r;
}

/** Moment of the body about its own axis k. */
static double moment(const scree_world *w, int k)
{
    return 1.0 / w->inv_inertia[k][0];
}

/** The axis of its own along which the moment is least: the line of the balls. */
static int find_line(const scree_world *w)
{
    int line = 0;
    for (int k = 1; k < 3; k++)
        line = moment(w, k) < moment(w, line) ? k : line;
    return line;
}

static void weigh(const char *keys, double share, const char *name)
{
    const rigid by_hand = sum_discs();
    g_autofree char *shape = g_strdup_printf(PAIR, keys);
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-6; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0; } );"
        "shapes = { %s }; bodies = { a = { shape = \"pair\"; position = (0.0, 0.0, 0.0); }; };",
        shape);
    const scree_world *w = sim->world;
    const int line = find_line(w), other = (line + 1) % 3;
    claim(fabs(w->mass[0] / (share * by_hand.mass) - 1.0) < 1e-9, "mass-%s # %.12g kg", name,
          w->mass[0]);
    claim(fabs(w->x[0][0] / by_hand.centre - 1.0) < 1e-9, "centre-%s # %.12g m", name, w->x[0][0]);
    claim(fabs(moment(w, line) / (share * by_hand.along) - 1.0) < 1e-9 &&
              fabs(moment(w, other) / (share * by_hand.across) - 1.0) < 1e-9,
          "moments-%s # %.12g %.12g kg m^2", name, moment(w, line), moment(w, other));
}

/** Angular momentum in world axes. */
static void find_spin(const scree_world *w, double l[3])
{
    const double q[4] = {w->q[0][0], w->q[1][0], w->q[2][0], w->q[3][0]};
    const double spin[3] = {w->w[0][0], w->w[1][0], w->w[2][0]};
    scree_rotate_back(q, spin, l);
    for (int k = 0; k < 3; k++)
        l[k] *= moment(w, k);
    scree_rotate(q, l, l);
}

/** The line of the balls in world axes. */
static void find_axis(const scree_world *w, double axis[3])
{
    const double q[4] = {w->q[0][0], w->q[1][0], w->q[2][0], w->q[3][0]};
    const int line = find_line(w);
    const double own[3] = {line == 0, line == 1, line == 2};
    scree_rotate(q, own, axis);
}

/** v turned about the unit vector u by an angle (Rodrigues). */
static void turn_about(const double u[3], double angle, double v[3])
{
    double across[3];
    const double along = dot(u, v), c = cos(angle), s = sin(angle);
    cross(u, v, across);
    for (int k = 0; k < 3; k++)
        v[k] = c * v[k] + s * across[k] + (1.0 - c) * along * u[k];
}

/** Free flight for 0.2 s: the line of the balls goes round the angular momentum, which stays, at |L| / I
 * across (the motion of Euler and Poinsot with two equal moments). Returns the error of the line. */
static double fly(double dt)
{
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = %.17g; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0; } );"
        "shapes = { pair = { type = \"clump\"; balls = ((0.0, 0.0, 0.0, 0.01), (0.012, 0.0, 0.0, "
        "0.008)); }; };"
        "bodies = { a = { shape = \"pair\"; position = (0.0, 0.0, 0.0); velocity = (1.0, 2.0, "
        "-0.5); spin = (30.0, 20.0, 10.0);"
        "  orientation = { axis = (1.0, 2.0, 3.0); angle = 0.7; }; }; };",
        dt);
    const scree_world *w = sim->world;
    const double x0[3] = {w->x[0][0], w->x[1][0], w->x[2][0]}, v[3] = {1.0, 2.0, -0.5};
    double l0[3], l1[3], axis[3], now[3], u[3], worst[2] = {0.0}, off = 0.0;
    find_spin(w, l0);
    find_axis(w, axis);
    const double length = sqrt(dot(l0, l0)), across = moment(w, (find_line(w) + 1) % 3);
    run(sim, (uint64_t)llround(0.2 / dt));
    find_spin(w, l1);
    find_axis(w, now);
    for (int k = 0; k < 3; k++) {
        u[k] = l0[k] / length;
        worst[0] = fmax(worst[0], fabs(w->x[k][0] - x0[k] - 0.2 * v[k]));
        worst[1] = fmax(worst[1], fabs(l1[k] - l0[k]) / length);
    }
    turn_about(u, 0.2 * length / across, axis);
    for (int k = 0; k < 3; k++)
        off += (axis[k] - now[k]) * (axis[k] - now[k]);
    claim(worst[0] < 1e-12, "its-centre-flies-straight # to %g m", worst[0]);
    claim(worst[1] < 1e-9, "its-angular-momentum-stays # to %g", worst[1]);
    return sqrt(off);
}

/** One ball meets a smooth plane: J = -2 v_n / (1/m + (r x n) I^-1 (r x n)), in the limit of a stiff
 * contact; then v + J n / m and I^-1 (r x n) J. */
static void strike(double angle)
{
    const rigid b = sum_discs();
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 2.0e-9; dt_limit = 100.0; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0e12; restitution = 1.0; friction = 0.0; } );"
        "shapes = { pair = { type = \"clump\"; balls = ((0.0, 0.0, 0.0, 0.01), (0.012, 0.0, 0.0, "
        "0.008)); }; floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { shape = \"pair\"; position = (0.0, 0.0, %.17g); velocity = (0.3, 0.1, "
        "-1.0);"
        "  orientation = { axis = (0.0, 1.0, 0.0); angle = %.17g; }; };"
        "  floor = { shape = \"floor\"; }; };",
        APART * sin(angle) + R2 + 1e-9, angle);
    const scree_world *w = sim->world;
    // Ball 2 is below, at (cos, 0, -sin) * APART from ball 1.
    const double reach = APART - b.centre, arm = reach * cos(angle);
    const double tilt = arm * arm / b.across; // (r x n) is along y, across the line of the balls
    const double push = 2.0 / (1.0 / b.mass + tilt);
    const double v = -1.0 + push / b.mass, spin = -push * arm / b.across;
    run(sim, 2000);
    claim(fabs(w->v[2][0] - v) < 1e-4,
          "struck-at-%.2f-rad-it-leaves-as-a-rigid-body # %.6g, %.6g m/s", angle, w->v[2][0], v);
    claim(fabs(w->w[1][0] / spin - 1.0) < 1e-4 && fabs(w->w[0][0]) + fabs(w->w[2][0]) < 1e-6,
          "and-turns-as-one # %.6g, %.6g rad/s", w->w[1][0], spin);
    claim(fabs(w->v[0][0] - 0.3) < 1e-12 && fabs(w->v[1][0] - 0.1) < 1e-12,
          "and-keeps-its-way-along-the-plane");
}

/** Two clumps of five balls, three of which share a place, with friction: momentum and angular momentum
 * stay, and the account closes: kinetic, stored and lost add up to the energy of the start. */
static void collide(void)
{
    dice d = {11};
    double worst[3] = {0.0};
    uint64_t touched = 0;
    for (int n = 0; n < 12; n++) {
        double q[8], p0[3], l0[3], p1[3], l1[3], scale = 0.0;
        for (int k = 0; k < 8; k++)
            q[k] = throw_dice(&d, -1.0, 1.0);
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dimension = 3; dt = 5.0e-7; };" GLASS PLUGINS
            "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.7; friction = 0.5; } );"
            "shapes = { five = { type = \"clump\"; balls = ((0.0, 0.0, 0.0, 0.01), (0.008, 0.002, "
            "0.001, 0.008), (0.003, 0.008, 0.003, 0.009), (-0.007, 0.005, 0.005, 0.006), (-0.005, "
            "-0.006, 0.005, 0.007)); }; };"
            "bodies = {"
            " a = { shape = \"five\"; position = (-0.04, %.6f, %.6f); velocity = (2.0, 0.0, 0.0);"
            "  spin = (%.3f, 20.0, -10.0); orientation = { axis = (1.0, %.3f, 0.2); angle = %.3f; "
            "}; };"
            " b = { shape = \"five\"; position = (0.0, 0.0, 0.0); velocity = (-2.0, 0.0, 0.0); "
            "spin = (10.0, %.3f, 30.0);"
            "  orientation = { axis = (%.3f, 1.0, %.3f); angle = 1.1; }; }; };",
            0.004 * q[0], 0.004 * q[1], 30.0 * q[2], q[3], 3.0 * q[4], 30.0 * q[5], q[6], q[7]);
        scree_energy e0, e1;
        scree_momentum(sim, p0, l0);
        scree_energy_now(sim, &e0);
        for (int k = 0; k < 40; k++) {
            run(sim, 1000);
            touched += sim->counters.contacts > 0;
        }
        scree_momentum(sim, p1, l1);
        scree_energy_now(sim, &e1);
        for (int k = 0; k < 3; k++) {
            scale = fmax(scale, fabs(l0[k]));
            worst[0] = fmax(worst[0], fabs(p1[k] - p0[k]) / (sim->world->mass[0] * 2.0));
        }
        for (int k = 0; k < 3; k++)
            worst[1] = fmax(worst[1], fabs(l1[k] - l0[k]) / scale);
        const double sum = e1.kinetic + e1.stored + e1.lost;
        worst[2] = fmax(worst[2], fabs(sum / e0.kinetic - 1.0));
        note("lost %.3f of the energy", e1.lost / e0.kinetic);
    }
    note("%u looks at touching clumps", (unsigned)touched);
    claim(worst[0] < 1e-12, "two-of-five-balls-keep-their-momentum # to %g", worst[0]);
    claim(worst[1] < 1e-9, "and-their-angular-momentum # to %g", worst[1]);
    claim(worst[2] < 1e-4, "and-the-energy-account-closes # to %g", worst[2]);
}

/** With overlaps = "each" it weighs as much as its balls one by one. */
static void weigh_each(void)
{
    const double sum = RHO * 4.0 / 3.0 * G_PI * (pow(R1, 3) + pow(R2, 3));
    g_autofree char *shape = g_strdup_printf(PAIR, "overlaps = \"each\";");
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-6; };" GLASS PLUGINS
        "force = ( { plugin = \"linear\"; kn = 1.0; } );"
        "shapes = { %s }; bodies = { a = { shape = \"pair\"; position = (0.0, 0.0, 0.0); }; };",
        shape);
    const double mass = sim->world->mass[0], once = sum_discs().mass;
    claim(fabs(mass / sum - 1.0) < 1e-14 && mass > 1.07 * once,
          "overlaps-count-twice-when-asked-for # %g of %g kg", mass, once);
}

int main(void)
{
    const rigid b = sum_discs();
    g_autofree char *given = g_strdup_printf("volume = %.17g;", 0.5 * b.mass / RHO);
    weigh("", 1.0, "of-two-balls-that-overlap");
    weigh(given, 0.5, "by-a-given-volume");
    weigh_each();
    const double coarse = fly(2e-5), fine = fly(1e-5);
    claim(fine < 1e-4, "the-line-of-its-balls-goes-round-as-that-of-a-rigid-body # to %g", fine);
    claim(coarse / fine > 3.7 && coarse / fine < 4.3, "with-order-two # %g, %g", coarse, fine);
    strike(0.3);
    strike(1.2);
    collide();
    return tap_end();
}
