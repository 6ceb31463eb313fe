/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/move against closed forms: poses, throws, rolling, belts; what walls do is booked. */
#include <math.h>
#include <string.h>

#include "engine/energy.h"
#include "engine/loads.h"
#include "engine/observer_view.h"
#include "engine/pose.h"
#include "harness.h"

static const double pi = 3.14159265358979323846;

#define MATERIAL "materials = { m = { density = 2500.0; }; };"

/** A wall of three points far from everything, so that only poses matter. */
static scree_sim *start_wall(double dt, const char *own, const char *modifiers)
{
    return start_text("scene = { dt = %.17e; };" MATERIAL
                      "shapes = { tri = { type = \"mesh\"; vertices = ((0.3, 0.0, 0.0), (0.0, 0.4, "
                      "0.1), (0.0, 0.0, 0.5)); facets = ((0, 1, 2)); }; };"
                      "bodies = { a = { id = 0; radius = 0.001; position = (9.0, 9.0, 9.0); };"
                      "w = { id = 1; shape = \"tri\"; motion = \"kinematic\"; position = (0.7, "
                      "-0.2, 0.4); orientation = { axis = (1.0, 2.0, 3.0); angle = 0.7; }; %s }; };"
                      "force = ( { plugin = \"linear\"; kn = 1.0e5; } );"
                      "modifiers = { %s };" PLUGINS,
                      dt, own, modifiers);
}

/** Where a point of the body's own axes is, and how fast it moves. */
static void point_of(const scree_sim *sim, uint32_t i, const double p[3], double x[3], double v[3])
{
    const scree_world *w = sim->world;
    double q[4], t[3], u[3], arm[3], spin[3], swept[3];
    for (int k = 0; k < 4; k++)
        q[k] = w->q[k][i];
    cross(q + 1, p, t);
    for (int k = 0; k < 3; k++)
        t[k] *= 2.0;
    cross(q + 1, t, u);
    for (int k = 0; k < 3; k++) {
        arm[k] = p[k] + q[0] * t[k] + u[k];
        spin[k] = w->w[k][i];
        x[k] = w->x[k][i] + arm[k];
    }
    cross(spin, arm, swept);
    for (int k = 0; k < 3; k++)
        v[k] = w->v[k][i] + swept[k];
}

static double distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

/** Rodrigues' formula, about an axis through a point. */
static void rotated(const double axis[3], const double point[3], double angle, const double x[3],
                    double out[3])
{
    double length = sqrt(dot(axis, axis)), n[3], r[3], c[3];
    for (int k = 0; k < 3; k++) {
        n[k] = axis[k] / length;
        r[k] = x[k] - point[k];
    }
    cross(n, r, c);
    for (int k = 0; k < 3; k++)
        out[k] = point[k] + r[k] * cos(angle) + c[k] * sin(angle) +
                 n[k] * dot(n, r) * (1.0 - cos(angle));
}

static const double corner[3] = {0.3, -0.7, 0.2};

/** A turn of 0.3 s a thousand times over: the wall is where it began. */
static void test_turns(void)
{
    scree_sim *sim =
        start_wall(0.0375, "",
                   "turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"w\"; "
                   "axis = (1.0, -2.0, 0.5); point = (0.1, 0.2, 0.3); period = 0.3; };"
                   "shake = { plugin = \"move\"; motion = \"vibration\"; groups = "
                   "(\"w\"); direction = (0.0, 3.0, 4.0); amplitude = 0.25; "
                   "frequency = 20.0; phase = 0.9; };");
    uint32_t i = body_of(sim, 1);
    double first[3], now[3], v[3], worst = 0.0, farthest = 0.0;
    point_of(sim, i, corner, first, v);
    for (int n = 0; n < 8000; n++) {
        run(sim, 1);
        point_of(sim, i, corner, now, v);
        if (sim->step % 8 == 0)
            worst = fmax(worst, distance(now, first));
        farthest = fmax(farthest, distance(now, first));
    }
    claim(
        worst < 1e-11 && farthest > 0.5,
        "after each of 1000 turns and 6000 periods the wall is where it began (%.1e m, up to %.2f "
        "m away in between)",
        worst, farthest);
    sim->t0 = 0.0;
    sim->step = 8; // one turn
    g_autoptr(GError) error = NULL;
    if (!scree_pose(sim, 0.3, &error))
        bail_out("%s", error->message);
    point_of(sim, i, corner, now, v);
    claim(distance(now, first) < 1e-12, "after one turn it is to 1e-12 m (%.1e)",
          distance(now, first));
    scree_sim_free(sim);
}

/** Own velocity, translation, rotation, vibration on one body against the closed form; from start
 * to end of each, and the velocity of its points against differences of their positions. */
static void test_sum(void)
{
    double dt = 1e-4, worst = 0.0, off = 0.0;
    const double axis[3] = {0.0, -2.0, 1.0}, about[3] = {0.3, 0.1, -0.4};
    g_autoptr(scree_sim) sim = start_wall(
        dt, "velocity = (0.5, 0.0, -1.0);",
        "slide = { plugin = \"move\"; motion = \"translation\"; groups = \"w\"; velocity = (-2.0, "
        "\"30 cm/s\", 0.0); start = 0.05; end = 0.15; };"
        "turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"w\"; axis = (0.0, -2.0, "
        "1.0); point = (0.3, 0.1, -0.4); rate = \"-90 rpm\"; start = 0.02; end = 0.2; };"
        "shake = { plugin = \"move\"; motion = \"vibration\"; groups = \"w\"; direction = (2.0, "
        "0.0, 0.0); amplitude = \"3 mm\"; frequency = 17.0; phase = \"40 deg\"; start = 0.1; };");
    uint32_t i = body_of(sim, 1);
    double start[3], x[3], v[3], last[3] = {0}, earlier[3] = {0}, v_last[3] = {0};
    point_of(sim, i, corner, start, v);
    for (int n = 1; n <= 2500; n++) {
        run(sim, 1);
        double t = scree_sim_time(sim), slid = fmin(fmax(t - 0.05, 0.0), 0.1);
        double angle = -3.0 * pi * fmin(fmax(t - 0.02, 0.0), 0.18), phase = 40.0 * pi / 180.0;
        double expected[3] = {start[0] + 0.5 * t - 2.0 * slid, start[1] + 0.3 * slid, start[2] - t};
        rotated(axis, about, angle, expected, expected);
        if (t > 0.1)
            expected[0] += 3e-3 * (sin(2.0 * pi * 17.0 * (t - 0.1) + phase) - sin(phase));
        point_of(sim, i, corner, x, v);
        worst = fmax(worst, distance(x, expected));
        bool jumps = fabs(t - 0.02) < 3 * dt || fabs(t - 0.05) < 3 * dt || fabs(t - 0.1) < 3 * dt ||
                     fabs(t - 0.15) < 3 * dt || fabs(t - 0.2) < 3 * dt;
        for (int k = 0; k < 3; k++) {
            double slope = (x[k] - earlier[k]) / (2.0 * dt);
            if (n > 3 && !jumps)
                off = fmax(off, fabs(slope - v_last[k]));
            earlier[k] = last[k];
            last[k] = x[k];
            v_last[k] = v[k];
        }
    }
    claim(worst < 1e-12, "own velocity, translation, rotation, vibration add up (off by %.1e m)",
          worst);
    claim(off < 1e-4, "velocity and spin are the derivative of the pose (off by %.1e m/s)", off);
}

/** A ball that rests on a plate leaves it when the plate falls faster than g would have it. */
static void test_throw(void)
{
    double a = 0.004, f = 15.0, w = 2.0 * pi * f, r = 0.005, sine = 9.81 / (a * w * w);
    double speed = a * w * sqrt(1.0 - sine * sine), top = 0.0, fastest = 0.0;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 2.0e-6; gravity = (0.0, 0.0, -9.81); };" MATERIAL
        "shapes = { plate = { type = \"mesh\"; vertices = ((-0.1, -0.1, 0.0), (0.1, -0.1, 0.0), "
        "(0.1, 0.1, 0.0), (-0.1, 0.1, 0.0)); facets = ((0, 1, 2, 3)); }; };"
        "bodies = { a = { id = 0; radius = 0.005; position = (0.013, 0.007, 0.005); };"
        "plate = { id = 1; shape = \"plate\"; motion = \"kinematic\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e5; restitution = 0.05; friction = 0.2; } );"
        "modifiers = { shake = { plugin = \"move\"; motion = \"vibration\"; groups = \"plate\"; "
        "direction = (0.0, 0.0, 1.0); amplitude = %.17e; frequency = 15.0; phase = \"-90 deg\"; "
        "}; };" PLUGINS,
        a);
    // From its lowest point on: z = a (1 - cos(w t)).
    for (int n = 0; n < 600; n++) {
        run(sim, 50);
        if (sim->counters.contacts)
            fastest = fmax(fastest, sim->world->v[2][0]);
        else if (sim->world->v[2][0] > 0.0)
            top = sim->world->x[2][0] + sim->world->v[2][0] * sim->world->v[2][0] / 19.62;
    }
    double height = r + a + a * sine + speed * speed / 19.62;
    claim(fabs((top - r) / (height - r) - 1.0) < 5e-3 && sine < 0.9,
          "a vibrating plate throws a ball to %.5f m, analytic %.5f m (%.4f m/s as it leaves)", top,
          height, speed);
    claim(fabs(fastest / (a * w) - 1.0) < 1e-2,
          "before that the ball was as fast as the plate at most (%.4f of a w)", fastest / (a * w));
}

/** A plane that has lain still turns up and bats a ball, which has never left its extent; where the
 * ball is in the end. */
static double bat(const char *extent)
{
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 1.0e-5; }; %s" MATERIAL
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { id = 0; radius = 0.005; position = (0.1, 0.0, 0.02); };"
        "floor = { id = 1; shape = \"floor\"; motion = \"kinematic\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e5; restitution = 0.5; friction = 0.2; } );"
        "modifiers = { turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"floor\"; axis "
        "= (0.0, -1.0, 0.0); rate = 20.0; start = 0.004; end = 0.0143; }; };" PLUGINS,
        extent);
    run(sim, 3000);
    double z = sim->world->x[2][0];
    return z;
}

static void test_bat(void)
{
    double always = bat("extent = { eps_v = 0.0; eps_e = 0.0; };"), usual = bat("");
    claim(always == usual && bat("extent = { eps_c = 0.003; renew = \"moved\"; };") == always &&
              always > 0.03,
          "a plane that begins to turn is not missed, whatever the extents (%.17g, %.17g m)",
          always, usual);
}

/** A ball that rolls on a turntable goes round at 2/7 of the table's rate, at any place and speed.
 */
static void test_turntable(void)
{
    double rate = 6.0, orbit = 2.0 / 7.0 * rate, r = 0.01, v0 = 0.3;
    double mg = 4.0 / 3.0 * pi * r * r * r * 2500.0 * 9.81, centre[2], first[2], worst = 0.0;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 2.0e-5; gravity = (0.0, 0.0, -9.81); };" MATERIAL
        "shapes = { table = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { id = 0; radius = 0.01; position = (0.1, 0.0, %.17e); velocity = (0.0, "
        "0.3, 0.0); spin = (%.17e, 0.0, 0.0); };"
        "table = { id = 1; shape = \"table\"; motion = \"kinematic\"; position = (0.2, 0.05, 0.0); "
        "}; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e4; restitution = 0.5; friction = 2.0; } );"
        "modifiers = { turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"table\"; axis "
        "= (0.0, 0.0, 1.0); point = (-0.05, 0.02, 0.0); rate = 6.0; }; };" PLUGINS,
        r - mg / 2e4, -(v0 - rate * 0.15) / r);
    // Rolling: v - w x r z = W x (x - P): with the spin above only along y; x is met as well:
    // v_x = 0 must be -W (y - P_y) + w_y r, so the ball slips for a moment before it rolls.
    run(sim, 10000);
    const scree_world *w = sim->world;
    double v[2] = {w->v[0][0], w->v[1][0]}, x[2] = {w->x[0][0], w->x[1][0]};
    centre[0] = x[0] - v[1] / orbit;
    centre[1] = x[1] + v[0] / orbit;
    first[0] = x[0] - centre[0];
    first[1] = x[1] - centre[1];
    double radius = hypot(first[0], first[1]), begin = scree_sim_time(sim);
    for (int n = 0; n < 30; n++) {
        run(sim, 5000);
        double angle = orbit * (scree_sim_time(sim) - begin);
        double want[2] = {centre[0] + first[0] * cos(angle) - first[1] * sin(angle),
                          centre[1] + first[0] * sin(angle) + first[1] * cos(angle)};
        worst = fmax(worst, hypot(w->x[0][0] - want[0], w->x[1][0] - want[1]) / radius);
    }
    claim(worst < 1e-2 && radius > 0.05,
          "a ball on a turntable rolls on a circle at 2/7 of its rate (off by %.1e of the radius, "
          "%.2f m)",
          worst, radius);
}

/** A drum of 120 facets turns about y; a ball at its bottom, slowed by oil, ends up rolling in
 * place: its surface is as fast as the wall. */
static void test_drum(void)
{
    enum { SIDES = 120 };
    double inner = 0.05, r = 0.008, spin = 0.0, x = 0.0;
    g_autoptr(GString) vertices = g_string_new(NULL), facets = g_string_new(NULL);
    for (int k = 0; k < SIDES; k++) {
        double angle = 2.0 * pi * k / SIDES, at = inner / cos(pi / SIDES);
        g_string_append_printf(vertices, "%s(%.17e, -0.02, %.17e), (%.17e, 0.02, %.17e)",
                               k ? ", " : "", at * cos(angle), at * sin(angle), at * cos(angle),
                               at * sin(angle));
        int n = (k + 1) % SIDES;
        g_string_append_printf(facets, "%s(%d, %d, %d, %d)", k ? ", " : "", 2 * k, 2 * k + 1,
                               2 * n + 1, 2 * n);
    }
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 2.0e-5; gravity = (0.0, 0.0, -9.81); };" MATERIAL
        "shapes = { drum = { type = \"mesh\"; vertices = (%s); facets = (%s); }; };"
        "bodies = { a = { id = 0; radius = 0.008; position = (0.0, 0.001, -0.042); };"
        "drum = { id = 1; shape = \"drum\"; motion = \"kinematic\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e4; restitution = 0.5; friction = 0.5; } );"
        "modifiers = { oil = { plugin = \"drag\"; law = \"stokes\"; viscosity = 0.7; };"
        "turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"drum\"; axis = (0.0, 1.0, "
        "0.0); rate = \"20 rpm\"; }; };" PLUGINS,
        vertices->str, facets->str);
    run(sim, 50000);
    for (int n = 0; n < 100; n++) {
        run(sim, 250);
        spin += sim->world->w[1][0] / 100.0;
        x += sim->world->x[0][0] / 100.0;
    }
    double want = 20.0 * pi / 30.0 * inner / r;
    claim(fabs(spin / want - 1.0) < 1e-2 && fabs(x) < 0.02 * inner,
          "a ball in a turning drum rolls in place, %.4f of the wall's speed at its surface",
          spin / want);
}

typedef struct ride {
    double early, late, spin, work, lost, residual, lift;
} ride;

/** A ball that rests on a belt, which runs at 0.9 m/s from 1 ms on. */
static ride ride_belt(const char *wall, const char *belt, double slip)
{
    double r = 0.006, mg = 4.0 / 3.0 * pi * r * r * r * 2500.0 * 9.81;
    scree_energy e;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 5.0e-6; gravity = (0.0, 0.0, -9.81); };" MATERIAL
        "shapes = { plane = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; box = { type = "
        "\"box\"; size = (6.0, 1.0, 0.1); facing = \"outward\"; }; };"
        "bodies = { a = { id = 5; radius = 0.006; position = (0.0, 0.0, %.17e); };"
        "belt = { id = 2; motion = \"kinematic\"; %s }; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e4; restitution = 0.4; friction = 0.35; } );"
        "modifiers = { belt = { plugin = \"move\"; motion = \"conveyor\"; groups = \"belt\"; start "
        "= 0.001; %s }; "
        "};" PLUGINS,
        r - mg / 2e4, wall, belt);
    uint64_t half = (uint64_t)(0.5 * slip / sim->dt + 0.5);
    ride out;
    run(sim, 200 + half); // from the start on
    out.early = sim->world->v[0][0];
    run(sim, 3 * half);
    scree_energy_now(sim, &e);
    out.late = sim->world->v[0][0];
    out.spin = sim->world->w[1][0];
    out.work = e.work;
    out.lost = e.lost;
    out.residual = e.residual;
    out.lift = hypot(sim->world->v[2][0], sim->world->v[1][0]);
    return out;
}

static void test_belt(void)
{
    static const struct {
        const char *name, *wall, *belt;
    } cases[] = {
        {"a plane", "shape = \"plane\";", "velocity = (0.9, 0.0, 0.0);"},
        {"a velocity that also points out of the plane", "shape = \"plane\";",
         "velocity = (0.9, 0.0, -1.7);"},
        {"a box turned by 90 degrees, in body axes",
         "shape = \"box\"; position = (0.0, 0.0, -0.05); orientation = { axis = (0.0, 0.0, 1.0); "
         "angle = \"90 deg\"; };",
         "velocity = (0.0, -0.9, 0.0); frame = \"body\";"},
    };
    double u = 0.9, mu = 0.35, slip = 2.0 * u / (7.0 * mu * 9.81), r = 0.006;
    double m = 4.0 / 3.0 * pi * r * r * r * 2500.0;
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        ride got = ride_belt(cases[k].wall, cases[k].belt, slip);
        claim(fabs(got.early / (mu * 9.81 * 0.5 * slip) - 1.0) < 2e-3,
              "belt, %s: a ball on it slides at mu g t (%.5f)", cases[k].name,
              got.early / (mu * 9.81 * 0.5 * slip));
        claim(fabs(got.late / (2.0 / 7.0 * u) - 1.0) < 2e-3 &&
                  fabs(got.spin * r / (-5.0 / 7.0 * u) - 1.0) < 2e-3 && got.lift < 1e-3,
              "belt, %s: then rolls at 2/7 u (%.5f), with spin -5/7 u/r (%.5f)", cases[k].name,
              got.late / u, got.spin * r / u);
        claim(fabs(got.work / (2.0 / 7.0 * m * u * u) - 1.0) < 5e-3 &&
                  fabs(got.lost / (m * u * u / 7.0) - 1.0) < 1e-2 &&
                  fabs(got.residual) < 2e-3 * got.work,
              "belt, %s: work 2/7 m u^2 (%.5f) and heat m u^2 / 7 (%.5f) are booked, residual "
              "%.1e of the work",
              cases[k].name, got.work / (m * u * u), got.lost / (m * u * u),
              got.residual / got.work);
    }
}

/** A ball on top of a sphere whose surface runs slides off at mu g, whichever of the two is a. */
static void test_roller(void)
{
    for (int first = 0; first < 2; first++) {
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dt = 5.0e-6; gravity = (0.0, 0.0, -9.81); };" MATERIAL
            "bodies = { a = { id = %d; radius = 0.005; position = (0.0, 0.0, 1.0049995); };"
            "roller = { id = %d; radius = 1.0; position = (0.0, 0.0, 0.0); motion = \"kinematic\"; "
            "}; };"
            "force = ( { plugin = \"linear\"; kn = 2.0e4; restitution = 0.4; friction = 0.2; } );"
            "modifiers = { run = { plugin = \"move\"; motion = \"conveyor\"; groups = \"roller\"; "
            "velocity = (0.0, 2.0, 0.0); start = 0.001; }; };" PLUGINS,
            first, 1 - first);
        run(sim, 200 + 4000);
        double v = sim->world->v[1][0] / (0.2 * 9.81 * 0.02);
        claim(fabs(v - 1.0) < 5e-3, "a running sphere drags a ball along at mu g (%.5f)", v);
    }
}

/** In 2D a rotation is about z, anticlockwise. */
static void test_flat(void)
{
    const double z[3] = {0.0, 0.0, 1.0}, about[3] = {0.2, -0.1, 0.0}, tip[3] = {0.3, 0.4, 0.0};
    double start[3], x[3], v[3], want[3], worst = 0.0, fast = 0.0;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 2; dt = 1.0e-3; };" MATERIAL
        "shapes = { bar = { type = \"segments\"; vertices = ((0.0, 0.0), (0.3, 0.4)); segments = "
        "((0, 1)); }; }; bodies = { a = { id = 0; radius = 0.01; position = (5.0, 5.0); };"
        "bar = { id = 1; shape = \"bar\"; motion = \"kinematic\"; position = (0.1, 0.6); "
        "orientation = \"35 deg\"; }; }; force = ( { plugin = \"linear\"; kn = 1.0e5; } );"
        "modifiers = { turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"bar\"; point "
        "= "
        "(0.2, -0.1); rate = \"45 deg/s\"; }; };" PLUGINS);
    uint32_t i = body_of(sim, 1);
    point_of(sim, i, tip, start, v);
    for (int n = 0; n < 5000; n++) {
        run(sim, 1);
        point_of(sim, i, tip, x, v);
        rotated(z, about, pi / 4.0 * scree_sim_time(sim), start, want);
        worst = fmax(worst, distance(x, want));
        double arm[3] = {x[0] - about[0], x[1] - about[1], 0.0}, swept[3];
        cross(z, arm, swept);
        for (int k = 0; k < 3; k++)
            fast = fmax(fast, fabs(v[k] - pi / 4.0 * swept[k]));
    }
    claim(worst < 1e-12 && fast < 1e-12, "2D: a bar turns about a point (off by %.1e m, %.1e m/s)",
          worst, fast);
}

/** Forty balls in a bucket that turns and is shaken, under gravity. */
static scree_sim *start_bucket(double dt)
{
    g_autoptr(GString) balls = g_string_new(NULL);
    dice d = {11};
    for (int k = 0; k < 40; k++)
        g_string_append_printf(
            balls,
            "b%d = { radius = %.17e; position = (%.17e, %.17e, %.17e); velocity = (0.0, 0.0, "
            "-0.2); };",
            k, throw_dice(&d, 0.0012, 0.0019), -0.006 + 0.004 * (k % 4),
            -0.006 + 0.004 * (k / 4 % 4), -0.005 + 0.004 * (k / 16));
    return start_text(
        "scene = { dt = %.17e; gravity = (0.0, 0.0, -9.81); };" MATERIAL
        "shapes = { bucket = { type = \"box\"; size = (0.02, 0.02, 0.02); }; };"
        "bodies = { %s bucket = { shape = \"bucket\"; motion = \"kinematic\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 2.0e4; restitution = 0.6; friction = 0.4; } );"
        "modifiers = { turn = { plugin = \"move\"; motion = \"rotation\"; groups = \"bucket\"; "
        "axis "
        "= (0.2, 1.0, 0.0); rate = 40.0; }; shake = { plugin = \"move\"; motion = \"vibration\"; "
        "groups = \"bucket\"; direction = (1.0, 0.0, 1.0); amplitude = 0.0015; frequency = 60.0; };"
        "belt = { plugin = \"move\"; motion = \"conveyor\"; groups = \"bucket\"; velocity = (0.3, "
        "0.2, 0.1); frame = \"body\"; start = 0.01; }; };" PLUGINS,
        dt, balls->str);
}

static void test_account(void)
{
    double residual[2], scale = 0.0;
    for (int k = 0; k < 2; k++) {
        scree_energy e;
        g_autoptr(scree_sim) sim = start_bucket(k ? 2.5e-6 : 1e-5);
        double p[3], spin[3], gained[3] = {0}, before[3], all = 0.0, worst = 0.0;
        scree_momentum(sim, before, spin);
        double mass = 0.0;
        for (uint32_t i = 0; i < sim->world->n_free; i++)
            mass += sim->world->mass[i];
        uint64_t steps = (uint64_t)(0.03 / sim->dt + 0.5);
        for (uint64_t n = 0; n < steps; n++) {
            run_recorded(sim, 1);
            scree_load load = {.size = sizeof load};
            g_assert(scree_loads_of(sim, sim->world->n_free, &load, NULL));
            for (int c = 0; c < 3; c++) {
                gained[c] -= load.force[c] * sim->dt;
                all += fabs(load.force[c]) * sim->dt;
            }
            gained[2] -= mass * 9.81 * sim->dt;
        }
        scree_momentum(sim, p, spin);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(p[c] - before[c] - gained[c]));
        scree_energy_now(sim, &e);
        residual[k] = fabs(e.residual);
        scale = e.work;
        if (k)
            claim(worst < 1e-2 * all,
                  "a shaken, turning bucket: momentum of the balls is the impulse "
                  "of the walls and of gravity (off by %.1e)",
                  worst / all);
    }
    claim(
        residual[1] < 2e-2 * scale && residual[1] < 0.5 * residual[0],
        "a shaken, turning bucket with running walls: residual %.1e of the work, then %.1e with a "
        "fourth of dt",
        residual[0] / scale, residual[1] / scale);
}

int main(void)
{
    test_turns();
    test_sum();
    test_throw();
    test_bat();
    test_turntable();
    test_drum();
    test_belt();
    test_roller();
    test_flat();
    test_account();
    return tap_end();
}
