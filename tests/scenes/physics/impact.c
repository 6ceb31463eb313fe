/* SPDX-License-Identifier: Apache-2.0 */
/* Impacts of force/linear against closed forms: head-on, oblique, sliding; momentum; a against b.
 */
#include <math.h>
#include <string.h>

#include "engine/energy.h"
#include "harness.h"

/*
 * Head-on, while in touch the overlap is a damped oscillator: x'' + 2 zeta w0 x' + w0^2 x = 0, with
 * w0 = sqrt(kn / m), m effective. So the impact lasts pi / wd, wd = w0 sqrt(1 - zeta^2), ends with
 * e = exp(-zeta w0 pi / wd), and reaches v / w0 exp(-zeta / s atan(s / zeta)), s = sqrt(1 -
 * zeta^2). When the dashpot may not pull (Schwager, Poeschel 2007) the force ends where x'' = 0, at
 * t = 2 acos(zeta) / wd, and e = exp(-zeta w0 t) there; the spheres then part with that velocity.
 */
typedef struct impact {
    double r[2], density[2], kn, e, speed;
    bool wall, pull;
    const char *damping; // "restitution", "constant", "mass", "none"
} impact;

typedef struct outcome {
    double duration, restitution, largest, strongest_pull;
} outcome;

static const double pi = 3.14159265358979323846;

static double mass_of(double r, double density)
{
    return density * 4.0 / 3.0 * pi * r * r * r;
}

static double effective_mass(const impact *c)
{
    double a = mass_of(c->r[0], c->density[0]), b = mass_of(c->r[1], c->density[1]);
    return c->wall ? a : a * b / (a + b);
}

static double damping_ratio(const impact *c)
{
    double log_e = log(c->e);
    return -log_e / sqrt(pi * pi + log_e * log_e);
}

static outcome closed_form(const impact *c)
{
    double w0 = sqrt(c->kn / effective_mass(c)), zeta = damping_ratio(c), s = sqrt(1 - zeta * zeta);
    double force_ends = 2.0 * acos(zeta) / (w0 * s);
    return (outcome){
        .duration = pi / (w0 * s),
        .restitution = exp(-zeta * w0 * (c->pull ? pi / (w0 * s) : force_ends)),
        .largest = c->speed / w0 * exp(-zeta / s * atan2(s, zeta)),
    };
}

/** The spheres (or sphere and plane) touch with depth 0 at the start, 0.6 of the speed each. */
static scree_sim *start_impact(const impact *c, double dt)
{
    double m = effective_mass(c), zeta = damping_ratio(c), w0 = sqrt(c->kn / m);
    g_autofree char *other =
        c->wall ? g_strdup_printf("b = { id = 2; shape = \"wall\"; material = \"two\"; "
                                  "position = (%.17e, 0.0, 0.0); };",
                                  c->r[0])
                : g_strdup_printf(
                      "b = { id = 2; radius = %.17e; material = \"two\"; position = (%.17e, "
                      "0.0, 0.0); velocity = (%.17e, 0.0, 0.0); };",
                      c->r[1], c->r[0] + c->r[1], -0.4 * c->speed);
    return start_text(
        "scene = { dt = %.17e; }; materials = { one = { density = %.17e; }; two = { density = "
        "%.17e; "
        "}; }; shapes = { wall = { type = \"plane\"; normal = (-1.0, 0.0, 0.0); }; };"
        "bodies = { a = { id = 1; radius = %.17e; material = \"one\"; position = (0.0, 0.0, 0.0); "
        "velocity = (%.17e, 0.0, 0.0); }; %s }; force = ( { plugin = \"linear\"; kn = %.17e; "
        "damping = \"%s\"; restitution = %.17e; damping_n = %.17e; gamma_n = %.17e; pull = %s; } "
        ");" PLUGINS,
        dt, c->density[0], c->density[1], c->r[0], c->wall ? c->speed : 0.6 * c->speed, other,
        c->kn, c->damping, c->e, 2.0 * zeta * sqrt(m * c->kn), 2.0 * zeta * w0,
        c->pull ? "true" : "false");
}

static double gap(const scree_sim *sim, const impact *c)
{
    double distance = sim->world->x[0][body_of(sim, 2)] - sim->world->x[0][body_of(sim, 1)];
    return distance - (c->wall ? c->r[0] : c->r[0] + c->r[1]);
}

static double approach(const scree_sim *sim)
{
    return sim->world->v[0][body_of(sim, 1)] - sim->world->v[0][body_of(sim, 2)];
}

/** `n` steps per duration of the impact. */
static outcome measure(const impact *c, double n)
{
    double dt = closed_form(c).duration / n, before = 0.0, depth = 0.0;
    g_autoptr(scree_sim) sim = start_impact(c, dt);
    outcome out = {0};
    for (uint64_t step = 1; (double)step < 4.0 * n; step++) {
        double older = before;
        before = depth;
        run(sim, 1);
        depth = -gap(sim, c);
        double push = -sim->world->wrench[8 * (size_t)body_of(sim, 1)];
        out.strongest_pull = fmax(out.strongest_pull, -push);
        // the vertex of the parabola through three depths
        if (before >= depth && before >= older && step > 1) {
            double bend = older - 2.0 * before + depth, slope = 0.5 * (depth - older);
            out.largest =
                fmax(out.largest, bend < 0.0 ? before - 0.5 * slope * slope / bend : before);
        }
        if (depth < 0.0) {
            out.duration = dt * ((double)step - depth / (depth - before));
            break;
        }
    }
    run(sim, 2);
    out.restitution = -approach(sim) / c->speed;
    return out;
}

/** Largest relative error over the four quantities, over a few ends within the last step. */
static double error_of(const impact *c, double n)
{
    outcome want = closed_form(c);
    double worst = 0.0;
    for (int j = 0; j < 8; j++) {
        outcome got = measure(c, n + 0.125 * j);
        worst = fmax(worst, fabs(got.restitution / want.restitution - 1.0));
        worst = fmax(worst, fabs(got.largest / want.largest - 1.0));
        if (c->pull)
            worst = fmax(worst, fabs(got.duration / want.duration - 1.0));
    }
    return worst;
}

static void test_head_on(void)
{
    static const double es[] = {1.0, 0.9, 0.6, 0.3, 0.05};
    static const double partners[][3] = {// radius, density, wall
                                         {1e-3, 2500.0, 0.0},
                                         {1e-2, 2500.0, 0.0},
                                         {4e-4, 8000.0, 0.0},
                                         {2e-3, 60.0, 0.0},
                                         {1e-3, 2500.0, 1.0}};
    for (int pull = 1; pull >= 0; pull--)
        for (size_t k = 0; k < G_N_ELEMENTS(es); k++) {
            bool second = es[k] == 1.0; // without a dashpot the force is one of position: order 2
            double worst = 0.0, order = 0.0;
            for (size_t p = 0; p < G_N_ELEMENTS(partners); p++) {
                impact c = {{1e-3, partners[p][0]},
                            {2500.0, partners[p][1]},
                            1e4,
                            es[k],
                            0.5,
                            partners[p][2] != 0.0,
                            pull,
                            "restitution"};
                double error = error_of(&c, 200.0);
                worst = fmax(worst, error);
                if (p == 0)
                    order = log(error / error_of(&c, 1600.0)) / log(8.0);
            }
            double bound = second ? 2.0 / (200.0 * 200.0) : -4.0 * log(es[k]) / 200.0;
            claim(
                worst < bound && order > (second ? 1.9 : 0.85),
                "head-on e = %g%s: duration, restitution, largest overlap within %.1e (bound %.1e) "
                "at 200 steps, order %.2f",
                es[k], pull ? "" : ", no pull", worst, bound, order);
        }
}

static void test_dampings(void)
{
    impact base = {{1e-3, 2e-3}, {2500.0, 7800.0}, 1e4, 0.7, 0.5, false, true, "restitution"};
    outcome want = measure(&base, 200.0);
    static const char *const same[] = {"constant", "mass"};
    for (size_t k = 0; k < G_N_ELEMENTS(same); k++) {
        impact c = base;
        c.damping = same[k];
        outcome got = measure(&c, 200.0);
        double worst = fmax(
            fabs(got.restitution / want.restitution - 1.0),
            fmax(fabs(got.largest / want.largest - 1.0), fabs(got.duration / want.duration - 1.0)));
        claim(worst < 1e-12, "damping %s with its coefficient from e: the same impact (%.1e)",
              same[k], worst);
    }
    impact none = base;
    none.damping = "none";
    double e = measure(&none, 400.0).restitution;
    claim(fabs(e - 1.0) < 1e-4, "damping none loses nothing (e = %.6f)", e);
    impact wall = base;
    wall.wall = true;
    wall.damping = "mass";
    double error = fabs(measure(&wall, 400.0).restitution / closed_form(&wall).restitution - 1.0);
    claim(error < 5e-3, "at a wall the effective mass is the body's own (%.1e)", error);
    double off = fabs(measure(&base, 400.0).restitution - 0.72);
    claim(off > 0.018, "negative control: e = 0.7 is not taken for 0.72 (off by %.3f)", off);
    impact held = base;
    held.pull = false;
    held.e = 0.3;
    double pulls = measure(&held, 200.0).strongest_pull;
    held.pull = true;
    double free_pull = measure(&held, 200.0).strongest_pull;
    claim(pulls == 0.0 && free_pull > 0.0, "pull = false never pulls; with pull it does (%.2g N)",
          free_pull);
}

/** Sphere 1 mm against the plane z = 0 from above, touching. State: vx, vz, wy, afterwards. */
typedef struct bounce {
    double v[3], w[3], e; // e: measured
} bounce;

static bounce bounce_off(const double v[3], const double w[3], double mu, double e, double kn)
{
    double m = mass_of(1e-3, 2500.0), dt = pi * sqrt(m / kn) / 4000.0;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = %.17e; }; materials = { m = { density = 2500.0; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { id = 1; radius = 0.001; position = (0.0, 0.0, 0.001); velocity = (%.17e, "
        "%.17e, %.17e); spin = (%.17e, %.17e, %.17e); }; f = { shape = \"floor\"; }; };"
        "force = ( { plugin = \"linear\"; kn = %.17e; restitution = %.17e; friction = %.17e; pull "
        "= "
        "false; } );" PLUGINS,
        dt, v[0], v[1], v[2], w[0], w[1], w[2], kn, e, mu);
    run(sim, 10000);
    uint32_t i = body_of(sim, 1);
    bounce out = {.e = -sim->world->v[2][i] / v[2]};
    for (int k = 0; k < 3; k++) {
        out.v[k] = sim->world->v[k][i];
        out.w[k] = sim->world->w[k][i];
    }
    return out;
}

/* Gross sliding: the tangential impulse is mu times the normal one, m (1 + e) vz. The lever is
 * shorter than r by half the overlap, here less than 1e-5 of r. */
static void test_gross_sliding(void)
{
    const double r = 1e-3, kn = 1e10, mu = 0.1;
    static const double es[] = {1.0, 0.6};
    for (size_t k = 0; k < G_N_ELEMENTS(es); k++) {
        bounce b = bounce_off((double[]){3.0, 0.0, -0.5}, (double[]){0, 0, 0}, mu, es[k], kn);
        double vx = 3.0 - mu * (1.0 + b.e) * 0.5, wy = 2.5 * mu * (1.0 + b.e) * 0.5 / r;
        claim(fabs(b.v[0] / vx - 1.0) < 1e-5 && fabs(b.w[1] / wy - 1.0) < 2e-4,
              "gross sliding, e = %g: vx' = vx - mu (1 + e) vz, w' = 5 mu (1 + e) vz / 2r (%.1e, "
              "%.1e)",
              es[k], b.v[0] / vx - 1.0, b.w[1] / wy - 1.0);
        b = bounce_off((double[]){0.0, 0.0, -0.5}, (double[]){0, 4000.0, 0}, mu, es[k], kn);
        vx = mu * (1.0 + b.e) * 0.5;
        wy = 4000.0 - 2.5 * mu * (1.0 + b.e) * 0.5 / r;
        claim(
            fabs(b.v[0] / vx - 1.0) < 2e-4 && fabs(b.w[1] / wy - 1.0) < 1e-5,
            "spinning ball, e = %g: v' = mu (1 + e) vn, w' = w - 5 mu (1 + e) vn / 2r (%.1e, %.1e)",
            es[k], b.v[0] / vx - 1.0, b.w[1] / wy - 1.0);
    }
    bounce b = bounce_off((double[]){0.0, 0.0, -0.5}, (double[]){0, 4000.0, 0}, 1.1 * mu, 1.0, kn);
    claim(fabs(b.v[0] / (mu * (1.0 + b.e) * 0.5) - 1.0) > 0.09,
          "negative control: another mu shows");
}

/** Two spheres that meet obliquely, spinning; the second list of ids when `swapped`. */
typedef struct pair_state {
    double x[2][3], v[2][3], w[2][3];
} pair_state;

static const double oblique_radius[2] = {1e-3, 1.7e-3};

static pair_state oblique_start(dice *d)
{
    pair_state s = {0};
    double axis[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        axis[k] = throw_dice(d, -1.0, 1.0);
        length += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        double n = axis[k] / sqrt(length);
        s.x[0][k] = throw_dice(d, -0.01, 0.01);
        s.x[1][k] = s.x[0][k] + n * 2.75e-3;
        s.v[0][k] = 0.5 * n + throw_dice(d, -0.3, 0.3);
        s.v[1][k] = -0.5 * n + throw_dice(d, -0.3, 0.3);
        s.w[0][k] = throw_dice(d, -300.0, 300.0);
        s.w[1][k] = throw_dice(d, -300.0, 300.0);
    }
    return s;
}

static scree_sim *start_pair(const pair_state *s, bool swapped)
{
    g_autoptr(GString) bodies = g_string_new(NULL);
    for (int b = 0; b < 2; b++) {
        int i = swapped ? 1 - b : b;
        g_string_append_printf(
            bodies,
            "b%d = { id = %d; radius = %.17e; position = (%.17e, %.17e, %.17e); velocity = (%.17e, "
            "%.17e, %.17e); spin = (%.17e, %.17e, %.17e); };",
            b, b + 1, oblique_radius[i], s->x[i][0], s->x[i][1], s->x[i][2], s->v[i][0], s->v[i][1],
            s->v[i][2], s->w[i][0], s->w[i][1], s->w[i][2]);
    }
    return start_text(
        "scene = { dt = 2.0e-7; }; materials = { m = { density = 2500.0; }; };"
        "bodies = { %s }; force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.8; "
        "friction = 0.3; } );" PLUGINS,
        bodies->str);
}

static pair_state state_of(const scree_sim *sim, bool swapped)
{
    pair_state s;
    for (int b = 0; b < 2; b++) {
        uint32_t i = body_of(sim, (uint64_t)(swapped ? 2 - b : b + 1));
        for (int k = 0; k < 3; k++) {
            s.x[b][k] = sim->world->x[k][i];
            s.v[b][k] = sim->world->v[k][i];
            s.w[b][k] = sim->world->w[k][i];
        }
    }
    return s;
}

/** Largest difference, each quantity relative to its scale here. */
static double difference(const pair_state *p, const pair_state *q)
{
    double worst = 0.0;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(p->x[b][k] - q->x[b][k]) / 0.01);
            worst = fmax(worst, fabs(p->v[b][k] - q->v[b][k]) / 0.5);
            worst = fmax(worst, fabs(p->w[b][k] - q->w[b][k]) / 300.0);
        }
    return worst;
}

enum { OBLIQUE_STEPS = 1500, OBLIQUE_RUNS = 20 };

/* A lever of the full radius would leave the torque depth × (n × f) over: its integral is what the
 * test would then see, and is compared with what it does see. */
static void test_momentum(void)
{
    dice d = {20240607};
    double worst_p = 0.0, worst_l = 0.0, least_lever = HUGE_VAL, least_turn = HUGE_VAL;
    for (int trial = 0; trial < OBLIQUE_RUNS; trial++) {
        pair_state start = oblique_start(&d);
        g_autoptr(scree_sim) sim = start_pair(&start, false);
        double p0[3], l0[3], p[3], l[3], lever[3] = {0}, scale_p = 0.0, scale_l = 0.0;
        scree_momentum(sim, p0, l0);
        for (int b = 0; b < 2; b++) {
            double m = mass_of(oblique_radius[b], 2500.0);
            scale_p += m * sqrt(dot(start.v[b], start.v[b]));
            scale_l += m * sqrt(dot(start.v[b], start.v[b]) * dot(start.x[b], start.x[b]));
        }
        for (int n = 0; n < OBLIQUE_STEPS; n++) {
            scree_contact_list list;
            run_recorded(sim, 1);
            contacts_of(sim, &list);
            for (uint64_t c = 0; c < list.n; c++) {
                double f[3] = {list.f[0][c], list.f[1][c], list.f[2][c]}, turn[3];
                double normal[3] = {list.normal[0][c], list.normal[1][c], list.normal[2][c]};
                cross(normal, f, turn);
                for (int k = 0; k < 3; k++)
                    lever[k] += sim->dt * list.depth[c] * turn[k];
            }
        }
        pair_state end = state_of(sim, false);
        scree_momentum(sim, p, l);
        for (int k = 0; k < 3; k++) {
            worst_p = fmax(worst_p, fabs(p[k] - p0[k]) / scale_p);
            worst_l = fmax(worst_l, fabs(l[k] - l0[k]) / scale_l);
        }
        least_lever = fmin(least_lever, sqrt(dot(lever, lever)) / scale_l);
        double turned = 0.0;
        for (int k = 0; k < 3; k++)
            turned = fmax(turned, fabs(end.w[0][k] - start.w[0][k]));
        least_turn = fmin(least_turn, turned);
    }
    double rounding = 2.3e-16 * OBLIQUE_STEPS;
    claim(least_turn > 10.0,
          "%d oblique impacts with friction turn the spheres (by %.0f rad/s or more)", OBLIQUE_RUNS,
          least_turn);
    claim(worst_p < rounding, "linear momentum is conserved to rounding (%.1e)", worst_p);
    claim(worst_l < rounding, "angular momentum is conserved to rounding (%.1e)", worst_l);
    claim(least_lever > 100.0 * rounding,
          "negative control: a lever of the full radius would show (%.1e at least)", least_lever);
}

static void test_exchange(void)
{
    dice d = {77};
    double worst = 0.0, apart = HUGE_VAL, mirrored = 0.0;
    for (int trial = 0; trial < OBLIQUE_RUNS; trial++) {
        pair_state start = oblique_start(&d), mirror = start;
        for (int b = 0; b < 2; b++) { // reflection in x: a spin is an axial vector
            mirror.x[b][0] = -mirror.x[b][0];
            mirror.v[b][0] = -mirror.v[b][0];
            mirror.w[b][1] = -mirror.w[b][1];
            mirror.w[b][2] = -mirror.w[b][2];
        }
        scree_sim *one = start_pair(&start, false), *two = start_pair(&start, true);
        g_autoptr(scree_sim) glass = start_pair(&mirror, false);
        run(one, OBLIQUE_STEPS);
        run(two, OBLIQUE_STEPS);
        run(glass, OBLIQUE_STEPS);
        pair_state p = state_of(one, false), q = state_of(two, true), g = state_of(glass, false);
        for (int b = 0; b < 2; b++) {
            g.x[b][0] = -g.x[b][0];
            g.v[b][0] = -g.v[b][0];
            g.w[b][1] = -g.w[b][1];
            g.w[b][2] = -g.w[b][2];
        }
        worst = fmax(worst, difference(&p, &q));
        mirrored = fmax(mirrored, difference(&p, &g));
        pair_state wrong = state_of(two, false);
        apart = fmin(apart, difference(&p, &wrong));
        scree_sim_free(one);
        scree_sim_free(two);
    }
    claim(worst < 1e-12, "exchange of a and b: the same trajectory (%.1e)", worst);
    claim(mirrored == 0.0, "a mirrored impact is the mirror image to the last bit (%.1e)",
          mirrored);
    claim(apart > 1e-3, "negative control: bodies taken for one another differ (%.1e)", apart);
}

int main(void)
{
    test_head_on();
    test_dampings();
    test_gross_sliding();
    test_momentum();
    test_exchange();
    return tap_end();
}
