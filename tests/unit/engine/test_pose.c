/* SPDX-License-Identifier: Apache-2.0 */
/* Poses of kinematic bodies: how far one has moved and turned, which poses are refused, and what a step leaves out. */
#include "../../test.h"
#include "../solid_fixture.h"
#include "engine/body_change.h"
#include "engine/pose.h"
#include "tools/restart/snapshot_restore.h"

#define BODY(NAME, MOTION, X, SHAPE, Z)                                                            \
    NAME " = { " SHAPE " radius = 0.01; position = (" X Z "); motion = \"" MOTION "\"; };\n"
#define BODIES(SHAPE, Z)                                                                           \
    GLASS "bodies = {" BODY("t", "kinematic", "0.0, 0.0", SHAPE, Z)                                \
        BODY("u", "kinematic", "0.2, 0.5", SHAPE, Z) BODY("b", "free", "0.0, 0.5", SHAPE, Z)       \
            BODY("c", "fixed", "0.5, 0.5", SHAPE, Z) "};\n" LINEAR
#define SPACE "scene = { dimension = 3; dt = 1.0e-5; };\n" BODIES("", ", 0.0")
#define PLANE                                                                                      \
    "scene = { dimension = 2; dt = 1.0e-5; thickness = 0.01; };\n" BODIES("shape = \"disc\";", "")

/** The unit quaternion of a turn by a rotation vector. */
static void quaternion_of(const double turn[3], double q[4])
{
    const double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    q[0] = cos(0.5 * angle);
    for (int k = 0; k < 3; k++)
        q[1 + k] = angle > 0.0 ? sin(0.5 * angle) * turn[k] / angle : 0.0;
}

/** p then q, as one turn. */
static void join(const double q[4], const double p[4], double both[4])
{
    both[0] = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
    both[1] = q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
    both[2] = q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1];
    both[3] = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
}

TEST("/pose/a-body-has-turned-by-the-vector-about-which-it-was-turned")
{
    g_autoptr(scree_sim) sim = fixture_sim(SPACE);
    static const double turns[][3] = {{0.3, 0.0, 0.0},  {0.0, -0.4, 0.0},  {0.0, 0.0, 0.5},
                                      {0.2, -0.3, 0.6}, {-1.5, 1.0, -2.0}, {1e-9, 0.0, 0.0},
                                      {0.0, 0.0, 0.0}};
    scree_world *w = sim->world;
    const uint32_t i = w->n_free;
    sim->displacements.current = true; // as with a law that asks for them
    for (uint32_t r = 0; r < G_N_ELEMENTS(turns); r++) {
        double from[4], by[4], to[4], moved[3], turned[3];
        quaternion_of((const double[3]){0.7, -0.2, 0.4}, from);
        quaternion_of(turns[r], by);
        join(by, from, to);
        for (int k = 0; k < 4; k++)
            w->q[k][i] = from[k];
        scree_pose_keep(sim);
        for (int k = 0; k < 4; k++)
            w->q[k][i] = r % 2 ? -to[k] : to[k]; // the same pose
        w->x[1][i] += 0.25;
        scree_pose_moved(sim, i, moved, turned);
        for (int k = 0; k < 3; k++) {
            assert_near(turned[k], turns[r][k], 1e-15);
            g_assert_cmpfloat(moved[k], ==, k == 1 ? 0.25 : 0.0);
        }
    }
}

/* The modifier of a test gives the second tile what `spoilt` says: an array of a pose, or surface for a velocity of its
 * own. */
static struct {
    char array; // x q v w, s: surface; 0: nothing
    int k;
    double value;
    uint32_t n_asked, last; // number of calls; 1: it moves the last body, which is fixed
} spoilt;

static int32_t pose(void *instance, const scree_poses *args)
{
    const uint32_t i = args->bodies->n_free + 1;
    double *const *of = spoilt.array == 'x'   ? args->x
                        : spoilt.array == 'v' ? args->v
                        : spoilt.array == 'w' ? args->w
                        : spoilt.array == 'q' ? args->q
                                              : args->surface;
    if (spoilt.array)
        of[spoilt.k][i] = spoilt.value;
    spoilt.n_asked++;
    if (spoilt.last)
        args->x[0][args->bodies->n - 1] += 1e-9;
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_step *args)
{
    return SCREE_OK;
}

static const scree_modifier_ops ops = {.size = sizeof(scree_modifier_ops),
                                       .create = plain_create,
                                       .destroy = plain_destroy,
                                       .pose = pose};
static const scree_plugin poser = {PLUGIN(MODIFIER, "poser", "of a test"), .ops = &ops};
static const scree_modifier_ops edits = {.size = sizeof(scree_modifier_ops),
                                         .create = plain_create,
                                         .destroy = plain_destroy,
                                         .after_step = after_step};
static const scree_plugin editor = {PLUGIN(MODIFIER, "editor", "of a test"), .ops = &edits};

/** A scene with a modifier of the test. */
static scree_scene *scene_with(const char *text, const scree_plugin *plugin)
{
    scree_scene *scene = fixture_scene(text);
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    choice->memory = g_ptr_array_new();
    fixture_plug(choice, plugin);
    *timed = (scree_timed_choice){.name = (char *)"one", .choice = choice, .every_steps = 1};
    g_ptr_array_add(scene->modifiers, timed);
    return scene;
}

/** The message that refuses the pose of the modifier, "" for none; the caller frees it. */
static char *refusal(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim =
        scree_sim_new(scene_with(text, &poser), &(scree_sim_options){0}, &error);
    g_assert_true(!sim == (error != NULL));
    return g_strdup(error ? error->message : "");
}

TEST("/pose/one-out-of-the-plane-is-refused-in-2d-and-what-is-not-finite-always")
{
    static const struct {
        char array;
        int k;
        double value;
        bool flat, spatial; // whether it is refused in 2D, in 3D
    } rows[] = {
        {0, 0, 0.0, false, false},         {'x', 0, 0.5, false, false},
        {'x', 1, 0.5, false, false},       {'x', 2, 1e-9, true, false},
        {'v', 0, 1.0, false, false},       {'v', 1, 1.0, false, false},
        {'v', 2, 1e-9, true, false},       {'w', 0, 1e-9, true, false},
        {'w', 1, 1e-9, true, false},       {'w', 2, 1.0, false, false},
        {'q', 1, 1e-9, true, false},       {'q', 2, 1e-9, true, false},
        {'q', 3, 1e-9, false, false},      {'s', 0, 1.0, false, false},
        {'s', 1, 1.0, false, false},       {'s', 2, 1e-9, true, false},
        {'q', 0, 1.001, true, true},       {'q', 3, 0.1, true, true},
        {'x', 1, (double)NAN, true, true}, {'v', 0, (double)INFINITY, true, true},
        {'w', 2, (double)NAN, true, true}, {'s', 1, (double)NAN, true, true},
    };
    for (uint32_t r = 0; r < G_N_ELEMENTS(rows); r++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            spoilt.array = rows[r].array;
            spoilt.k = rows[r].k;
            spoilt.value = rows[r].value;
            g_autofree char *said = refusal(dimension == 2 ? PLANE : SPACE);
            const bool refused = dimension == 2 ? rows[r].flat : rows[r].spatial;
            if (refused != (strstr(said, "misbehaved in pose at step 0: at 0 s body ") != NULL))
                g_test_message("%c[%d] = %g in %d dimensions: \"%s\"", rows[r].array, rows[r].k,
                               rows[r].value, dimension, said);
            g_assert_true(refused ==
                          (strstr(said, "misbehaved in pose at step 0: at 0 s body ") != NULL));
            g_assert_true(refused || !*said);
        }
}

static scree_sim *posed(const char *text, const scree_plugin *plugin)
{
    memset(&spoilt, 0, sizeof spoilt);
    return fixture_begin(scene_with(text, plugin), &(scree_sim_options){0});
}

TEST("/pose/walls-are-posed-once-a-step-and-again-after-a-change")
{
    g_autoptr(scree_sim) sim = posed(SPACE, &poser);
    scree_world *w = sim->world;
    const uint32_t i = w->n_free;
    const double x = w->x[1][i];
    const scree_body_values faster = {.has = {[2] = true}, .value = {[2] = {0.0, 3.0, 0.0}}};
    g_assert_cmpuint(spoilt.n_asked, ==, 1);
    fixture_run(sim, 99);
    g_assert_cmpuint(spoilt.n_asked, ==, 100);
    fixture_evaluate(sim); // the time is that of the end of the step
    g_assert_cmpuint(spoilt.n_asked, ==, 100);
    scree_body_set(sim, i, &faster, NULL);
    fixture_evaluate(sim);
    g_assert_cmpuint(spoilt.n_asked, ==, 101);
    fixture_run(sim, 10);
    assert_near(w->x[1][i], x + 10.0 * 3.0 * sim->dt, 1e-15);
    g_assert_cmpfloat(w->v[1][i], ==, 3.0);
    scree_snapshot *kept = scree_snapshot_quick(NULL, sim);
    scree_snapshot_sort(kept);
    scree_snapshot_restore(sim, kept);
    scree_snapshot_free(kept);
    const uint32_t before = spoilt.n_asked;
    fixture_evaluate(sim);
    g_assert_cmpuint(spoilt.n_asked, ==, before + 1); // others may have set the bodies
}

TEST("/pose/surfaces-that-have-stopped-are-zero-again")
{
    g_autoptr(scree_sim) sim = posed(SPACE, &poser);
    const uint32_t i = sim->world->n_free + 1;
    spoilt.array = 's';
    spoilt.value = 2.0;
    fixture_run(sim, 2);
    g_assert_true(sim->surfaces.any);
    g_assert_cmpfloat(sim->surfaces.velocity[0][i], ==, 2.0);
    spoilt.array = 0;
    fixture_run(sim, 1);
    g_assert_false(sim->surfaces.any);
    g_assert_cmpfloat(sim->surfaces.velocity[0][i], ==, 0.0);
}

TEST("/pose/the-mirror-of-a-fixed-body-is-written-only-after-a-change-of-it")
{
    g_autoptr(scree_sim) sim = posed(SPACE, &poser);
    scree_world *w = sim->world;
    const uint32_t i = w->n - 1;
    double *mirrored = w->ball + SCREE_BALL * (size_t)i;
    const scree_body_values other = {
        .remade = true, .scale = 0.008, .material = SCREE_NONE, .shape = SCREE_NONE};
    scree_remaking remaking = {0};
    g_assert_cmpuint(w->motion[i], ==, SCREE_MOTION_FIXED);
    g_assert_cmpfloat(mirrored[3], ==, 0.01);
    mirrored[3] = -1.0;
    fixture_run(sim, 2);
    g_assert_cmpfloat(mirrored[3], ==, -1.0);
    scree_body_set(sim, i, &other, &remaking);
    fixture_run(sim, 1);
    g_assert_cmpfloat(w->ball[SCREE_BALL * (size_t)i + 3], ==, 0.008);
}

TEST("/pose/the-last-move-waits-unless-a-modifier-acts-after-the-step")
{
    g_autoptr(scree_sim) poses = posed(SPACE, &poser), acts = posed(SPACE, &editor);
    poses->watched = acts->watched = false; // nothing reads the states between the steps
    fixture_run(poses, 2);
    fixture_run(acts, 2);
    g_assert_cmpuint(poses->moves.n, ==, 1);
    g_assert_cmpuint(acts->moves.n, ==, 0);
}

/* 300 fixed spheres, which are compared by windows of 64. */
#define MANY                                                                                       \
    SPACE "generate = { w = { plugin = \"random\"; motion = \"fixed\"; count = 300; radius = "     \
          "0.001;\n"                                                                               \
          "  region = { min = (1.0, 1.0, 1.0); max = (1.2, 1.2, 1.2); }; }; };\n"

TEST("/pose/a-write-to-a-fixed-body-is-found-after-as-many-steps-as-windows")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = posed(MANY, &poser);
    const uint32_t n_fixed = sim->world->n - sim->world->first_fixed, windows = (n_fixed + 63) / 64;
    uint32_t n = 0;
    g_assert_cmpuint(windows, ==, 5);
    spoilt.last = 1;
    while (n < windows && scree_sim_step(sim, &error))
        n++;
    g_test_message("%u steps: %s", n, error ? error->message : "no error");
    g_assert_true(error && strstr(error->message, "misbehaved in pose") &&
                  strstr(error->message, "which is fixed"));
    g_assert_cmpuint(n, <, windows);
}
