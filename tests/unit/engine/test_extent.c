/* SPDX-License-Identifier: Apache-2.0 */
/* Extents: tight boxes, how long they serve, periodic images, slots. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/extent.h"
#include "engine/tight_boxes.h"

TEST("/extent/a-ball-in-its-cube")
{
    g_autoptr(scree_sim) sim =
        fixture_sim("scene = { dimension = 3; dt = 1.0; };\n" GLASS
                    "bodies = { a = { radius = 0.25; position = (1.0, -2.0, 3.0);\n"
                    "  orientation = (0.5, 0.5, 0.5, 0.5); }; };\n" LINEAR);
    scree_tight t;
    g_assert_true(scree_tight_of(sim->world, 0, 0, &t, NULL));
    for (int k = 0; k < 3; k++) {
        g_assert_cmpfloat(t.lo[k], ==, sim->world->x[k][0] - 0.25);
        g_assert_cmpfloat(t.hi[k], ==, sim->world->x[k][0] + 0.25);
    }
}

TEST("/extent/a-disc-is-flat")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    scree_tight t;
    g_assert_true(scree_tight_of(sim->world, 0, 0, &t, NULL));
    g_assert_cmpfloat(t.hi[0] - t.lo[0], >, 0.0);
    g_assert_cmpfloat(t.lo[2], ==, 0.0);
    g_assert_cmpfloat(t.hi[2], ==, 0.0);
}

/* A quad, turned by 0.7 about (1, 2, 2)/3: corners by Rodrigues' formula. */
TEST("/extent/a-turned-facet-in-the-box-of-its-corners")
{
    static const double corner[4][3] = {
        {0.0, 0.0, 0.0}, {0.2, 0.0, 0.0}, {0.2, 0.1, 0.0}, {0.0, 0.1, 0.0}};
    const double e[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, at[3] = {1.0, 2.0, 3.0};
    double lo[3] = {9.0, 9.0, 9.0}, hi[3] = {-9.0, -9.0, -9.0}, mean[3] = {0.0}, radius = 0.0;
    double x[4][3];
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++) {
            const double *v = corner[c];
            double dot = e[0] * v[0] + e[1] * v[1] + e[2] * v[2];
            double cross = e[(k + 1) % 3] * v[(k + 2) % 3] - e[(k + 2) % 3] * v[(k + 1) % 3];
            x[c][k] = at[k] + v[k] * cos(0.7) + cross * sin(0.7) + e[k] * dot * (1.0 - cos(0.7));
            lo[k] = fmin(lo[k], x[c][k]);
            hi[k] = fmax(hi[k], x[c][k]);
            mean[k] += 0.25 * x[c][k];
        }
    for (int c = 0; c < 4; c++)
        radius =
            fmax(radius, hypot(hypot(x[c][0] - mean[0], x[c][1] - mean[1]), x[c][2] - mean[2]));
    g_autoptr(scree_sim) sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0; };\n" GLASS "shapes = { plate = { type = \"mesh\";\n"
        "  vertices = ((0.0, 0.0, 0.0), (0.2, 0.0, 0.0), (0.2, 0.1, 0.0), (0.0, 0.1, 0.0));\n"
        "  facets = ((0, 1, 2, 3)); }; };\n"
        "bodies = { ball = { radius = 0.1; position = (9.0, 9.0, 9.0); };\n"
        "  plate = { shape = \"plate\"; position = (1.0, 2.0, 3.0); }; };\n" LINEAR);
    scree_world *w = sim->world;
    w->q[0][1] = cos(0.35);
    for (int k = 0; k < 3; k++)
        w->q[1 + k][1] = e[k] * sin(0.35);
    scree_tight t;
    g_assert_true(scree_tight_of(w, 1, 0, &t, NULL));
    for (int k = 0; k < 3; k++) {
        assert_near(t.lo[k], lo[k], 1e-14);
        assert_near(t.hi[k], hi[k], 1e-14);
        assert_near(t.centre[k], mean[k], 1e-14);
    }
    assert_near(t.radius, radius, 1e-14);
}

static void place(scree_sim *sim, uint32_t i, int axis, double x)
{
    sim->world->x[axis][i] = x;
    sim->world->ball[SCREE_BALL * i + (uint32_t)axis] = x;
}

/** Whether body 0, the only one, has left its box: as an evaluation asks. */
static bool left(scree_sim *sim)
{
    return scree_extent_violated(sim) ||
           sim->kernels->slack(0, sim->world->n_free, sim->world->ball, sim->boxes.ref) < 0.0;
}

TEST("/extent/serves-until-eps-and-no-longer")
{
    g_autoptr(scree_sim) sim =
        fixture_sim("scene = { dimension = 3; dt = 0.001; };\n" GLASS
                    "bodies = { a = { radius = 0.25; position = (0.0, 0.0, 0.0);\n"
                    "  velocity = (3.0, 4.0, 0.0); }; };\n"
                    "extent = { eps_v = 2.0; eps_e = 0.1; eps_c = 0.007;\n"
                    "  renew = \"moved\"; };\n" LINEAR);      // which keeps the boxes
    const double eps = 2.0 * 5.0 * 0.001 + 0.1 * 0.5 + 0.007; // eps_v |v| dt + eps_e E + eps_c
    for (int axis = 0; axis < 3; axis++) {
        assert_near(sim->boxes.hi[axis][0], 0.25 + eps, 1e-14);
        assert_near(sim->boxes.lo[axis][0], -0.25 - eps, 1e-14);
        for (int sign = -1; sign <= 1; sign += 2) {
            place(sim, 0, axis, sign * eps * (1.0 - 1e-12));
            g_assert_false(left(sim));
            scree_tight t;
            g_assert_true(scree_tight_of(sim->world, 0, 0, &t, NULL));
            g_assert_cmpfloat(t.lo[axis], >=, sim->boxes.lo[axis][0]);
            g_assert_cmpfloat(t.hi[axis], <=, sim->boxes.hi[axis][0]);
            place(sim, 0, axis, sign * eps * (1.0 + 1e-9));
            g_assert_true(left(sim));
            place(sim, 0, axis, 0.0);
        }
    }
}

/** Whether box i, shifted by s - its own shift, meets the region. */
static bool meets(const scree_sim *sim, uint32_t slot, const int32_t s[3])
{
    const scree_world *w = sim->world;
    bool meet = true;
    for (int k = 0; k < 3; k++)
        meet = meet && sim->boxes.lo[k][slot] + s[k] * w->cell.vector[k][k] <= w->cell.hi[k] &&
               sim->boxes.hi[k][slot] + s[k] * w->cell.vector[k][k] >= w->cell.lo[k];
    return meet;
}

static uint32_t count_images(const scree_sim *sim, uint32_t body, scree_cells shift)
{
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < sim->boxes.view.n; slot++)
        n += sim->boxes.body[slot] == body && sim->boxes.image[slot] == shift;
    return n;
}

static void assert_images(const scree_sim *sim)
{
    uint32_t total = 0, used = 0;
    for (uint32_t i = 0; i < sim->world->n; i++)
        for (int code = 0; code < 125; code++) {
            const int32_t s[3] = {code % 5 - 2, code / 5 % 5 - 2, code / 25 - 2};
            bool own = code == 62, wanted = own || meets(sim, sim->boxes.slot[i], s);
            g_assert_cmpuint(count_images(sim, i, scree_shift_pack(s)), ==, wanted);
            total += wanted;
        }
    for (uint32_t slot = 0; slot < sim->boxes.view.n; slot++)
        used += sim->boxes.body[slot] != SCREE_NONE;
    g_assert_cmpuint(used, ==, total); // and no other
    g_assert_cmpuint(used, >, sim->world->n);
}

/** No ball may move by less than the slack of its chunk before it leaves its extent. */
static void assert_slack(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    for (uint32_t i = 0; i < w->n_free; i++) {
        const double *ref = sim->boxes.ref + 4 * (size_t)i;
        const double *at = w->ball + SCREE_BALL * (size_t)i;
        const double moved = hypot(hypot(at[0] - ref[0], at[1] - ref[1]), at[2] - ref[2]);
        g_assert_cmpfloat(sim->boxes.slack[i / SCREE_SLACK_BODIES], <=, ref[3] - moved);
    }
}

TEST("/extent/no-ball-may-move-by-less-than-the-slack")
{
    for (int moved = 0; moved < 2; moved++) {
        g_autoptr(scree_sim) sim =
            fixture_sim(moved ? GAS "extent = { eps_v = 9.0; renew = \"moved\"; };\n" : GAS);
        uint32_t known = 0;
        for (int n = 0; n < 300; n++) {
            fixture_run(sim, 1);
            fixture_evaluate(sim); // with bodies that boundaries have moved
            assert_slack(sim);
            known += sim->boxes.slack[0] > 0.0;
        }
        g_assert_cmpuint(known, >, 200);
        g_assert_cmpuint(sim->counters.gcd_calls, >, 2);
    }
}

TEST("/extent/an-image-for-each-shift-that-meets-the-region")
{
    g_autoptr(scree_sim) sim = fixture_sim(GAS);
    for (int n = 0; n < 5; n++) {
        assert_images(sim);
        fixture_run(sim, 40);
        sim->contacts.stale = true;
        fixture_evaluate(sim);
    }
}

static const char three[] =
    "scene = { dimension = 3; dt = 1.0e-5; region = { min = (0.0, 0.0, 0.0);\n"
    "  max = (1.0, 1.0, 1.0); }; boundary = (\"periodic\", \"open\", \"open\"); };\n" GLASS
    "bodies = { a = { radius = 0.01; position = (0.001, 0.1, 0.1); };\n"
    "           b = { radius = 0.01; position = (0.001, 0.3, 0.3); };\n"
    "           c = { radius = 0.01; position = (0.5, 0.5, 0.5); }; };\n"
    "extent = { renew = \"moved\"; };\n" LINEAR;

static uint32_t renew(scree_sim *sim)
{
    g_autoptr(GError) error = NULL;
    scree_extent_note_left(sim, 0, sim->world->n_free); // as an evaluation does
    bool all = true, renumbered = true;
    g_assert_true(scree_extent_renew(sim, &all, &renumbered, &error));
    g_assert_no_error(error);
    g_assert_false(all);
    g_assert_false(renumbered);
    uint32_t n = (uint32_t)sim->boxes.n_moved;
    memset(sim->boxes.mark, 0, sim->boxes.view.n);
    return n;
}

TEST("/extent/slack-is-unknown-after-a-wrap-a-renewal-or-with-other-mirrors")
{
    static const double there[3] = {1.0, 0.0, 0.0}, back[3] = {-1.0, 0.0, 0.0};
    g_autoptr(scree_sim) sim = fixture_sim(three);
    double *slack = sim->boxes.slack;
    fixture_evaluate(sim);
    g_assert_cmpfloat(*slack, >, 0.0);
    scree_extent_wrapped(sim, 2, there);
    g_assert_cmpfloat(*slack, ==, 0.0);
    scree_extent_wrapped(sim, 2, back);
    *slack = 1.0;
    renew(sim);
    g_assert_cmpfloat(*slack, ==, 0.0);
    *slack = 1.0;
    scree_world_changed(sim->world);
    fixture_evaluate(sim);
    g_assert_cmpfloat(*slack, <, 0.5);
}

TEST("/extent/slots-stay-and-the-lowest-free-one-is-taken")
{
    g_autoptr(scree_sim) sim = fixture_sim(three);
    scree_box_set *set = &sim->boxes;
    g_assert_cmpuint(set->view.n, ==, 5); // three bodies, images of a and b
    uint32_t image = set->next_image[set->slot[0]];
    g_assert_cmpuint(image, ==, 3);
    place(sim, 0, 0, 0.7); // a leaves the face: its image's slot is free
    g_assert_cmpuint(renew(sim), ==, 2);
    g_assert_cmpuint(set->moved[0], ==, 0);
    g_assert_cmpuint(set->moved[1], ==, image);
    for (int k = 0; k < 3; k++) {
        g_assert_true(isinf(set->lo[k][image]) && set->lo[k][image] > 0.0);
        g_assert_true(isinf(set->hi[k][image]) && set->hi[k][image] < 0.0);
    }
    g_assert_cmpuint(set->body[image], ==, SCREE_NONE);
    place(sim, 1, 0, 0.6); // b too; then c comes to the other face: the lowest free slot
    g_assert_cmpuint(renew(sim), ==, 2);
    place(sim, 2, 0, 0.999);
    g_assert_cmpuint(renew(sim), ==, 2);
    g_assert_cmpuint(set->next_image[set->slot[2]], ==, 3);
    g_assert_cmpuint(set->body[3], ==, 2);
    g_assert_cmpuint(set->body[4], ==, SCREE_NONE);
    g_assert_cmpuint(set->view.n, ==, 5);
    g_assert_cmpuint(renew(sim), ==, 0); // nothing moved
}

/* With only balls, renewed all at once, no box is needed between refreshes, so none is kept. */
TEST("/extent/balls-keep-no-boxes")
{
    g_autoptr(scree_sim) sim =
        fixture_sim("scene = { dimension = 3; dt = 0.001; };\n" GLASS
                    "bodies = { a = { radius = 0.25; position = (0.0, 0.0, 0.0); };\n"
                    "           b = { radius = 0.25; position = (0.4, 0.0, 0.0); };\n"
                    "           c = { radius = 0.1; position = (9.0, 0.0, 0.0);\n"
                    "                 motion = \"fixed\"; }; };\n" LINEAR);
    const scree_box_set *set = &sim->boxes;
    g_assert_true(set->bare);
    for (int k = 0; k < 3; k++)
        g_assert_true(!set->lo[k] && !set->hi[k] && !set->centre[k]);
    g_assert_true(!set->radius && !set->body && !set->part_first && !set->mark);
    g_assert_cmpuint(set->view.n, ==, 3);
    g_assert_cmpuint(scree_box_body(set, 2), ==, 2);
    g_assert_cmpuint(scree_body_slot(set, 2), ==, 2);
    g_assert_cmpuint(scree_box_part(set, 2), ==, 0);
    g_assert_cmpuint(sim->counters.contacts, ==, 1);
}
