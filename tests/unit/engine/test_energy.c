/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the state: leaves, loads on walls, momentum. */
#include "../../test.h"
#include "../solid_fixture.h"
#include "base/random.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/loads.h"
#include "engine/observer_view.h"

/** Momentum and energies of the same bodies, with leaves of 64 that come in another order. */
TEST("/energy/no-order-of-leaves-changes-a-bit")
{
    enum { BODIES = 640, LEAVES = BODIES / SCREE_SUM_LEAF };
    static double v[BODIES], turned[BODIES];
    static uint64_t number[BODIES];
    double plain = 0.0, back = 0.0;
    for (int i = 0; i < BODIES; i++) {
        number[i] = (uint64_t)(i / SCREE_SUM_LEAF) << 32 | (uint64_t)(i % SCREE_SUM_LEAF);
        v[i] = scree_random_unit(1, 1, 1, (uint64_t)i) - 0.3;
        turned[(LEAVES - 1 - i / SCREE_SUM_LEAF) * SCREE_SUM_LEAF + i % SCREE_SUM_LEAF] = v[i];
        plain += v[i];
    }
    for (int i = 0; i < BODIES; i++)
        back += turned[i];
    g_assert_cmpfloat(plain, !=, back);
    g_assert_cmpfloat(scree_leaf_sum(number, v, BODIES), ==,
                      scree_leaf_sum(number, turned, BODIES));
}

TEST("/energy/walls-feel-what-bodies-feel-from-them")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    sim->records.walls = true;
    fixture_run(sim, 1000);
    const scree_world *w = sim->world;
    double on_bodies[3] = {0.0}, on_walls[3] = {0.0}, about = 0.0, largest = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        const double *line = w->wrench + i * SCREE_WRENCH;
        double f[2] = {line[0] - w->mass[i] * w->gravity[0], line[1] - w->mass[i] * w->gravity[1]};
        on_bodies[0] += f[0];
        on_bodies[1] += f[1];
        on_bodies[2] += w->x[0][i] * f[1] - w->x[1][i] * f[0] + line[6];
        about += fabs(w->x[0][i] * f[1]) + fabs(w->x[1][i] * f[0]);
    }
    for (uint32_t i = w->n_free; i < w->n; i++) {
        scree_load load = {.size = sizeof load};
        g_assert_true(scree_loads_of(sim, i, &load, NULL));
        on_walls[0] += load.force[0];
        on_walls[1] += load.force[1];
        on_walls[2] += w->x[0][i] * load.force[1] - w->x[1][i] * load.force[0] + load.torque[2];
        largest = fmax(largest, fabs(load.force[1]));
    }
    g_assert_cmpfloat(largest, >, 1.0);
    assert_near(on_walls[0], -on_bodies[0], 1e-12 * largest);
    assert_near(on_walls[1], -on_bodies[1], 1e-12 * largest);
    assert_near(on_walls[2], -on_bodies[2], 1e-12 * about);
}

TEST("/energy/an-observer-finds-loads-with-the-stiffness-of-the-law")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    scree_view view;
    scree_energy energy;
    uint32_t contacts = 0;
    sim->records.walls = true;
    fixture_run(sim, 1000);
    scree_view_fill(sim, &view, &energy);
    for (uint32_t i = view.bodies->n_free; i < view.bodies->n; i++) {
        scree_load load = {.size = sizeof load};
        g_assert_cmpint(view.load(&view, i, &load), ==, SCREE_OK);
        contacts += load.contacts;
        assert_near(load.stiffness, 1e4 * load.contacts, 1e-6); // kn of linear, in each contact
        g_assert_cmpfloat(load.damping, >, 0.5 * load.contacts);
    }
    g_assert_cmpuint(contacts, >, 4);
    struct {
        scree_load load;
        double beyond[2];
    } out = {.load = {.size = sizeof out}, .beyond = {1.25, 2.5}};
    g_assert_cmpint(view.load(&view, 0, &out.load), ==, SCREE_OK);
    g_assert_cmpuint(out.load.size, ==, sizeof out.load); // what the host has written
    g_assert_cmpfloat(out.beyond[0] + out.beyond[1], ==, 3.75);
    for (int k = 0; k < 2; k++) // of a free body: contacts without gravity
        g_assert_cmpfloat(out.load.force[k], ==,
                          sim->world->wrench[k] - sim->world->mass[0] * sim->world->gravity[k]);
    g_assert_cmpuint(out.load.contacts, ==, 0);
}

TEST("/energy/momentum-survives-a-collision")
{
    g_autoptr(scree_sim) sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); velocity = (2.0, 0.0, 0.5);\n"
        "             spin = (0.0, 30.0, 0.0); };\n"
        "           b = { radius = 0.02; position = (0.032, 0.005, 0.0); }; };\n" LINEAR);
    const scree_world *w = sim->world;
    double p0[3], l0[3], p[3], l[3], m = w->mass[0];
    scree_momentum(sim, p0, l0);
    assert_near(p0[0], 2.0 * m, 1e-16);
    assert_near(p0[2], 0.5 * m, 1e-16);
    assert_near(l0[1], 0.4 * m * 1e-4 * 30.0, 1e-16); // 2/5 m r² w, through the origin
    fixture_run(sim, 3000);
    scree_momentum(sim, p, l);
    g_assert_cmpfloat(w->v[0][1], >, 0.1); // they met
    for (int k = 0; k < 3; k++) {
        assert_near(p[k], p0[k], 1e-14 * 2.0 * m);
        assert_near(l[k], l0[k], 1e-6 * m * 2.0 * 0.03);
    }
}

/** Starts a run of pairs of balls that meet off centre, and part in the same step or nearly.
 * `more`: keys of the scene. */
static scree_sim *start_pairs(const char *more)
{
    enum { PAIRS = 150 };
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "scene = { dimension = 3; dt = 1.0e-5; %s };\n" GLASS "bodies = {\n",
                    more);
    for (int k = 0; k < PAIRS; k++)
        g_string_append_printf(
            text,
            "a%d = { radius = 0.01; position = (0.0, %g, 0.0); velocity = (2.0, 0.0, 0.5);\n"
            "        spin = (0.0, %g, 0.0); };\n"
            "b%d = { radius = 0.02; position = (0.032, %g, 0.0); };\n",
            k, 0.125 * k, 30.0 + 0.125 * k, k, 0.125 * k);
    g_string_append(text, "};\n" LINEAR);
    return fixture_sim(text->str);
}

/** Returns the number of contacts that ended at the last evaluation. */
static uint64_t count_ended(const scree_sim *sim)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        n += scree_segment_at(sim, k)->n_ended;
    return n;
}

/** In a periodic region the ends of contacts are computed one by one. */
TEST("/energy/contacts-that-end-together-lose-what-each-loses-by-itself")
{
    enum { STEPS = 3000, MANY = 65 }; // more than are computed at once
    g_autoptr(scree_sim) together = start_pairs("");
    g_autoptr(scree_sim) apart = start_pairs("boundary = \"periodic\"; region = { min = (-8.0, "
                                             "-8.0, -8.0); max = (32.0, 32.0, 32.0); };");
    uint64_t most = 0;
    for (int step = 0; step < STEPS; step++) {
        fixture_run(together, 1);
        fixture_run(apart, 1);
        g_assert_cmpfloat(scree_exact_sum_value(&together->account.lost_ended), ==,
                          scree_exact_sum_value(&apart->account.lost_ended));
        most = MAX(most, count_ended(together));
    }
    g_assert_cmpuint(most, >=, MANY);
}

TEST("/energy/kinetic-energy-is-of-moving-and-turning")
{
    g_autoptr(scree_sim) sim = fixture_sim(GAS);
    const scree_world *w = sim->world;
    double kinetic = 0.0;
    scree_energy energy;
    fixture_run(sim, 300);
    for (uint32_t i = 0; i < w->n_free; i++)
        for (int k = 0; k < 3; k++)
            kinetic += 0.5 * w->mass[i] *
                       (w->v[k][i] * w->v[k][i] +
                        0.4 * w->radius[i] * w->radius[i] * w->w[k][i] * w->w[k][i]);
    scree_energy_now(sim, &energy);
    assert_near(energy.kinetic, kinetic, 1e-13 * kinetic);
    g_assert_cmpfloat(energy.lost, >, 0.0);
    assert_near(energy.kinetic + energy.stored + energy.lost - energy.start, energy.residual,
                1e-13 * kinetic);
}

/* Two laws without a force. Each gives a heat that depends on the bodies in every third contact,
 * the second one twice as much; the first does so in evaluations that are not accepted too. */

static double heat_of(uint64_t ia, uint64_t ib)
{
    return (ia + ib) % 3 ? 0.0 : scree_random_unit(7, 7, MIN(ia, ib), MAX(ia, ib));
}

static gint dirty; /* contacts whose heat was not 0 on entry */

static void give_heat(const scree_contact_batch *b, double share)
{
    for (uint32_t c = 0; c < b->n; c++) {
        const double heat = heat_of(b->bodies->id[b->a[c]], b->bodies->id[b->b[c]]);
        for (int k = 0; k < 3; k++)
            b->f[k][c] = 0.0;
        if (b->heat[c] != 0.0)
            g_atomic_int_inc(&dirty);
        if (heat > 0.0) // written only where some goes
            b->heat[c] = share * heat;
    }
}

static int32_t heat_once(void *instance, const scree_contact_batch *b)
{
    give_heat(b, 1.0);
    return SCREE_OK;
}

static int32_t heat_twice(void *instance, const scree_contact_batch *b)
{
    give_heat(b, b->accepted ? 2.0 : 1e6);
    return SCREE_OK;
}

static int32_t heat_bad(void *instance, const scree_contact_batch *b)
{
    give_heat(b, (double)NAN);
    return SCREE_OK;
}

#define HEAT_LAW(name)                                                                             \
    static const scree_force_ops name##_ops = {OPS(force, plain_create, plain_destroy),            \
                                               .compute = name};                                   \
    static const scree_plugin name##_law = {PLUGIN(FORCE, #name, "of a test"), .ops = &name##_ops, \
                                            .provides = SCREE_OUT_HEAT}
HEAT_LAW(heat_once);
HEAT_LAW(heat_twice);
HEAT_LAW(heat_bad);

/** 125 balls at rest that overlap; the second law is NULL: there is one. */
static scree_sim *hot_heap(const char *integrator, const scree_plugin *first,
                           const scree_plugin *second, const scree_sim_options *options)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-6; };\n" GLASS "bodies = {\n");
    for (int k = 0; k < 125; k++)
        g_string_append_printf(text, "b%d = { radius = 0.0055; position = (%g, %g, %g); };\n", k,
                               0.01 * (k % 5), 0.01 * (k / 5 % 5), 0.01 * (k / 25));
    g_string_append_printf(text, "};\nintegrator = { plugin = \"%s\"; };\n", integrator);
    g_string_append(text, "force = ( { plugin = \"linear\"; kn = 1.0; }");
    g_string_append(text, second ? ", { plugin = \"linear\"; kn = 1.0; } );\n" : " );\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->forces->pdata[0], first);
    if (second)
        fixture_plug(scene->forces->pdata[1], second);
    return fixture_begin(scene, options);
}

/** The heat of the contacts of one state. */
static double expected_heat(const scree_sim *sim)
{
    scree_contact_store *store = scree_contacts_export(sim);
    double sum = 0.0;
    for (uint64_t c = 0; c < store->n; c++)
        sum += heat_of(store->key[c].id_a, store->key[c].id_b);
    scree_contact_store_free(store);
    return sum;
}

static double heat_after(const char *integrator, const scree_plugin *first,
                         const scree_plugin *second, const scree_sim_options *options, int steps)
{
    g_autoptr(scree_sim) sim = hot_heap(integrator, first, second, options);
    const double each = expected_heat(sim) * (second ? 3.0 : 1.0);
    g_assert_cmpfloat(each, >, 10.0);
    g_assert_true(scree_exact_sum_value(&sim->account.lost) ==
                  0.0); // the account begins with the first state
    fixture_run(sim, steps);
    const double lost = scree_exact_sum_value(&sim->account.lost);
    assert_near(lost, steps * each, 1e-13 * lost);
    return lost;
}

TEST("/energy/heat-is-booked-once-a-step-in-one-order")
{
    const scree_sim_options plain = {0}, small = {.batch = 8},
                            threads = {.threads = 3, .blocks = 5, .batch = 32, .all_lanes = true};
    dirty = 0;
    const double lost = heat_after("velocity_verlet", &heat_once_law, &heat_twice_law, &plain, 4);
    g_assert_true(heat_after("velocity_verlet", &heat_once_law, &heat_twice_law, &small, 4) ==
                  lost);
    g_assert_true(heat_after("velocity_verlet", &heat_once_law, &heat_twice_law, &threads, 4) ==
                  lost);
    heat_after("rkn4", &heat_once_law, &heat_twice_law, &plain, 3); // three evaluations a step
    heat_after("velocity_verlet", &heat_once_law, NULL, &plain, 2);
    g_assert_cmpint(dirty, ==, 0);
}

TEST("/energy/heat-that-is-not-finite-is-blamed")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = hot_heap("velocity_verlet", &heat_once_law, &heat_bad_law,
                                        &(scree_sim_options){.waits = true});
    g_assert_false(scree_sim_start(sim, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, "force/heat_bad (force[1]) misbehaved in compute"));
    g_assert_nonnull(strstr(error->message, "heat is not finite"));
}

/** Jacobi's elliptic functions of parameter m < 1, by the arithmetic-geometric mean (Abramowitz and
 * Stegun 16.4). */
static void jacobi(double u, double m, double *sn, double *cn, double *dn)
{
    double a[16] = {1.0}, c[16] = {sqrt(m)}, b = sqrt(1.0 - m), phi, last = 0.0;
    int n = 0;
    while (fabs(c[n]) > 1e-16 && n < 14) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    phi = ldexp(a[n] * u, n);
    for (int k = n; k > 0; k--) {
        last = phi;
        phi = 0.5 * (phi + asin(c[k] * sin(phi) / a[k]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = n ? *cn / cos(last - phi) : 1.0;
}

/** Largest error of the spin in body axes, relative to the spin, of a brick that turns freely for
 * 2 s about all axes; *l, *e: largest changes of angular momentum and energy, relative to both. */
static double spin_top(const char *integrator, double dt, double *l, double *e)
{
    brick self = {.half = {0.05, 0.03, 0.02}, .n_parts = 1};
    g_autofree char *text = g_strdup_printf("scene = { dimension = 3; dt = %.17g; };\n" GLASS
                                            "bodies = { a = { radius = 0.01; position = (0.0, 0.0, "
                                            "0.0); spin = (2.0, 0.0, 3.0); }; };\n"
                                            "integrator = { %s };\n" LINEAR,
                                            dt, integrator);
    scree_scene *scene = fixture_scene(text);
    fixture_give(scene, 0, fixture_brick(scene, &brick_plugin, &self));
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    const scree_world *w = sim->world;
    double moment[3], p0[3], l0[3], worst = 0.0;
    scree_energy e0;
    scree_world_inertia(w, 0, moment);
    scree_momentum(sim, p0, l0);
    scree_energy_now(sim, &e0);
    *l = *e = 0.0;
    // Axis 2 has the largest moment, axis 0 the smallest (Landau, Lifshitz: Mechanics, 37).
    const double i1 = moment[0], i2 = moment[1], i3 = moment[2];
    const double twice = i1 * 4.0 + i3 * 9.0, m2 = i1 * i1 * 4.0 + i3 * i3 * 9.0;
    g_assert_cmpfloat(m2, >, twice * i2); // it turns about the axis of the largest
    const double rate = sqrt((i3 - i2) * (m2 - twice * i1) / (i1 * i2 * i3));
    const double parameter = (i2 - i1) * (twice * i3 - m2) / ((i3 - i2) * (m2 - twice * i1));
    for (int n = 1; n <= 20; n++) {
        double sn, cn, dn, spin[3], p1[3], l1[3];
        scree_energy e1;
        fixture_run(sim, (int)lround(0.1 / dt));
        jacobi(rate * scree_sim_time(sim), parameter, &sn, &cn, &dn);
        const double across = sqrt((twice * i3 - m2) / (i2 * (i3 - i2)));
        const double exact[3] = {2.0 * cn, across * sn, 3.0 * dn};
        const double q[4] = {w->q[0][0], w->q[1][0], w->q[2][0], w->q[3][0]};
        for (int k = 0; k < 3; k++)
            spin[k] = w->w[k][0];
        scree_rotate_back(q, spin, spin);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(spin[k] - exact[k]) / 3.0);
        scree_momentum(sim, p1, l1);
        scree_energy_now(sim, &e1);
        for (int k = 0; k < 3; k++)
            *l = fmax(*l, fabs(l1[k] - l0[k]) / sqrt(m2));
        *e = fmax(*e, fabs(e1.kinetic / e0.kinetic - 1.0));
    }
    return worst;
}

/* Each integrator turns a body with three moments, and converges with its order. */
TEST("/energy/a-free-top-follows-jacobi-by-each-integrator")
{
    static const struct {
        const char *group;
        double order, error;
    } cases[] = {{"plugin = \"velocity_verlet\";", 2.0, 1e-4},
                 {"plugin = \"symplectic_euler\";", 1.0, 1e-2},
                 {"plugin = \"forest_ruth\";", 4.0, 1e-7},
                 {"plugin = \"rkn4\";", 4.0, 1e-7},
                 {"plugin = \"gear\"; values = 6;", 5.0, 1e-6}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        double l[2], e[2];
        const double coarse = spin_top(cases[k].group, 4e-3, &l[0], &e[0]);
        const double fine = spin_top(cases[k].group, 2e-3, &l[1], &e[1]);
        g_test_message("%s error %g %g, order %g, angular momentum %g, energy %g", cases[k].group,
                       coarse, fine, log2(coarse / fine), l[1], e[1]);
        g_assert_cmpfloat(fine, <, cases[k].error);
        g_assert_cmpfloat(log2(coarse / fine), >, cases[k].order - 0.5);
        g_assert_cmpfloat(l[1], <, cases[k].error);
        g_assert_cmpfloat(e[1], <, cases[k].error);
    }
}

/** A spring that no longer gives its slopes once a test says so. */
static int32_t spring(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++)
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -1e4 * b->depth[c] * b->normal[k][c];
    return SCREE_OK;
}

static int32_t has_slopes = SCREE_OK;
static double slope = 1e4; /* [N/m] */

static int32_t slopes(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    out->kn = slope;
    return has_slopes;
}

static const scree_force_ops spring_ops = {OPS(force, plain_create, plain_destroy),
                                           .compute = spring, .stiffness = slopes};
static const scree_plugin spring_law = {PLUGIN(FORCE, "spring", "of a test"), .ops = &spring_ops};

TEST("/energy/a-slope-that-is-not-a-number-is-blamed-where-a-load-reads-it")
{
    static const double wrong[] = {(double)NAN, (double)INFINITY, -1.0};
    scree_scene *scene = fixture_scene(PILE);
    has_slopes = SCREE_OK;
    fixture_plug(scene->forces->pdata[0], &spring_law);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    sim->records.walls = true;
    fixture_run(sim, 1000);
    const uint32_t floor = sim->world->n - 1;
    for (size_t k = 0; k <= G_N_ELEMENTS(wrong); k++) {
        g_autoptr(GError) error = NULL;
        scree_load load = {.size = sizeof load};
        slope = k < G_N_ELEMENTS(wrong) ? wrong[k] : 1e4;
        const bool done = scree_loads_of(sim, floor, &load, &error);
        slope = 1e4;
        if (k == G_N_ELEMENTS(wrong)) {
            g_assert_no_error(error);
            g_assert_cmpfloat(load.stiffness, ==, 1e4 * load.contacts);
            continue;
        }
        g_autofree char *text =
            g_strdup_printf("force/spring (force[0]): stiffness gave kn = %g; expected a finite "
                            "number >= 0",
                            wrong[k]);
        g_assert_false(done);
        g_assert_cmpstr(error->message, ==, text);
        g_assert_cmpfloat(load.stiffness, ==, 0.0); // nothing was written
    }
}

TEST("/energy/laws-are-asked-for-slopes-only-if-the-struct-of-a-load-holds-them")
{
    scree_scene *scene = fixture_scene(PILE);
    scree_view view;
    scree_energy energy;
    scree_load whole = {.size = sizeof whole}, brief = {.size = offsetof(scree_load, stiffness)},
               shorter = {.size = offsetof(scree_load, torque)};
    fixture_plug(scene->forces->pdata[0], &spring_law);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    sim->records.walls = true;
    fixture_run(sim, 1000);
    scree_view_fill(sim, &view, &energy);
    const uint32_t floor = view.bodies->n - 1;
    brief.stiffness = 7.0;
    has_slopes = SCREE_E_NUMERIC;
    g_assert_cmpint(view.load(&view, floor, &brief), ==, SCREE_OK);
    g_assert_cmpuint(brief.contacts, >, 0);
    g_assert_cmpfloat(brief.stiffness, ==, 7.0); // beyond the struct
    // No plugin is called on this thread, whose host could hear the reason.
    g_assert_cmpint(view.load(&view, floor, &whole), ==, SCREE_E_CONFIG);
    g_assert_cmpint(view.load(&view, floor, &shorter), ==, SCREE_E_CONFIG);
    g_assert_cmpint(view.load(&view, view.bodies->n, &brief), ==, SCREE_E_CONFIG);
    view.due = 0;
    g_assert_cmpint(view.load(&view, floor, &brief), ==, SCREE_E_UNSUPPORTED);
}
