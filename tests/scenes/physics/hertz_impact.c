/* SPDX-License-Identifier: Apache-2.0 */
/* Impacts under force/hertz_mindlin: closed forms, and what a run measures. */
#include <math.h>

#include "hertz.h"

#include "harness.h"

/*
 * Head-on and elastic (Hertz): with k = 4/3 E* sqrt(R*) the overlap reaches depth = (5 m v^2 / 4
 * k)^(2/5), the force k depth^(3/2), and the impact lasts 4 sqrt(pi) Gamma(2/5) / (5 Gamma(9/10))
 * depth / v = 2.9433 depth / v. With a dashpot ~ depth^(1/4) the speed as a function of depth^(5/4)
 * is that of the linear oscillator (Antypov, Elliott 2011), so e = exp(-zeta pi / sqrt(1 -
 * zeta^2)), whatever the speed; and without its pull e = exp(-2 zeta acos(zeta) / sqrt(1 -
 * zeta^2)).
 */
static const double pi = 3.14159265358979323846;

double hertz_mass(const ball *b)
{
    return b->of.density * 4.0 / 3.0 * pi * b->r * b->r * b->r;
}

static double effective(const impact *c, double a, double b)
{
    return c->wall ? a : a * b / (a + b);
}

double hertz_modulus(const impact *c)
{
    double soft = 0.0;
    for (int k = 0; k < 2; k++)
        soft += (1.0 - c->b[k].of.nu * c->b[k].of.nu) / c->b[k].of.young;
    return 1.0 / soft;
}

outcome hertz_closed_form(const impact *c)
{
    double m = effective(c, hertz_mass(&c->b[0]), hertz_mass(&c->b[1]));
    double k = 4.0 / 3.0 * hertz_modulus(c) * sqrt(effective(c, c->b[0].r, c->b[1].r));
    double v = c->speed, depth = pow(1.25 * m * v * v / k, 0.4);
    double log_e = log(c->e), zeta = -log_e / sqrt(pi * pi + log_e * log_e);
    return (outcome){.depth = depth,
                     .force = k * depth * sqrt(depth),
                     .duration = 0.8 * sqrt(pi) * tgamma(0.4) / tgamma(0.9) * depth / v,
                     .e = c->pull ? c->e : exp(-2.0 * zeta * acos(zeta) / sqrt(1 - zeta * zeta))};
}

/** The first below, moving up along z, with `slide` along x; the other above, at rest. */
static scree_sim *hertz_start(const impact *c, double dt)
{
    double z = c->b[0].r + (c->wall ? 0.0 : c->b[1].r);
    g_autofree char *other =
        c->wall ? g_strdup_printf("shape = \"wall\"; position = (0.0, 0.0, %.17e);", z)
                : g_strdup_printf("radius = %.17e; position = (0.0, 0.0, %.17e);", c->b[1].r, z);
    return start_text(
        "scene = { dt = %.17e; }; materials = {"
        "one = { density = %.17e; young_modulus = %.17e; poisson_ratio = %.17e; };"
        "two = { density = %.17e; young_modulus = %.17e; poisson_ratio = %.17e; }; };"
        "shapes = { wall = { type = \"plane\"; normal = (0.0, 0.0, -1.0); }; };"
        "bodies = { a = { id = 1; radius = %.17e; material = \"one\"; position = (0.0, 0.0, 0.0); "
        "velocity = (%.17e, 0.0, %.17e); }; b = { id = 2; material = \"two\"; %s }; };"
        "force = ( { plugin = \"hertz_mindlin\"; restitution = %.17e; friction = %.17e; pull = %s; "
        "%s } );" PLUGINS,
        dt, c->b[0].of.density, c->b[0].of.young, c->b[0].of.nu, c->b[1].of.density,
        c->b[1].of.young, c->b[1].of.nu, c->b[0].r, c->slide, c->speed, other, c->e, c->friction,
        c->pull ? "true" : "false", c->more ? c->more : "");
}

static double depth_of(const scree_sim *sim, const impact *c)
{
    double z = sim->world->x[2][body_of(sim, 2)] - sim->world->x[2][body_of(sim, 1)];
    return c->b[0].r + (c->wall ? 0.0 : c->b[1].r) - z;
}

/** The vertex of the parabola through three values, when the middle one is the largest. */
static double keep_peak(double best, double before, double now, double after)
{
    double bend = before - 2.0 * now + after, slope = 0.5 * (after - before);
    if (now < before || now < after)
        return best;
    return fmax(best, bend < 0.0 ? now - 0.5 * slope * slope / bend : now);
}

outcome hertz_measure(const impact *c, double n, double (*trace)[3], size_t n_trace)
{
    double dt = hertz_closed_form(c).duration / n, depth[3] = {0}, force[3] = {0};
    g_autoptr(scree_sim) sim = hertz_start(c, dt);
    outcome out = {0};
    size_t at = 0;
    for (uint64_t step = 1; (double)step < 10.0 * n && depth[2] >= 0.0; step++) {
        run(sim, 1);
        for (int k = 0; k < 2; k++) {
            depth[k] = depth[k + 1];
            force[k] = force[k + 1];
        }
        depth[2] = depth_of(sim, c);
        force[2] = -sim->world->wrench[8 * (size_t)body_of(sim, 1) + 2];
        out.depth = keep_peak(out.depth, depth[0], depth[1], depth[2]);
        out.force = keep_peak(out.force, force[0], force[1], force[2]);
        out.pull = fmax(out.pull, -force[2]);
        out.duration = dt * ((double)step - depth[2] / (depth[2] - depth[1]));
        for (; at < n_trace && trace[at][0] <= (double)step * dt; at++) {
            double part = trace[at][0] / dt - (double)(step - 1);
            trace[at][1] = depth[1] + part * (depth[2] - depth[1]);
            trace[at][2] = force[1] + part * (force[2] - force[1]);
        }
    }
    run(sim, 2);
    uint32_t a = body_of(sim, 1), b = body_of(sim, 2);
    const scree_world *w = sim->world;
    out.e = (w->v[2][b] - w->v[2][a]) / c->speed;
    out.u = w->v[0][a];
    out.spin = w->w[1][a];
    return out;
}
