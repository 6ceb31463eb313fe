/* SPDX-License-Identifier: Apache-2.0 */
/* Poses of kinematic bodies: how far one has moved and turned, and which poses are refused. */
#include "../../test.h"
#include "../solid_fixture.h"
#include "engine/pose.h"

#define BODIES(SHAPE, Z)                                                                           \
    GLASS "bodies = { t = { " SHAPE " radius = 0.01; position = (0.0, 0.0" Z                       \
          "); motion = \"kinematic\"; };\n"                                                        \
          "           b = { " SHAPE " radius = 0.01; position = (0.0, 0.5" Z "); }; };\n" LINEAR
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

/* The modifier of a test gives the tile what `spoilt` says: an array of a pose, or surface for a velocity of its own. */
static struct {
    char array; // x q v w, s: surface; 0: nothing
    int k;
    double value;
} spoilt;

static int32_t pose(void *instance, const scree_poses *args)
{
    const uint32_t i = args->bodies->n_free;
    double *const *of = spoilt.array == 'x'   ? args->x
                        : spoilt.array == 'v' ? args->v
                        : spoilt.array == 'w' ? args->w
                        : spoilt.array == 'q' ? args->q
                                              : args->surface;
    if (spoilt.array)
        of[spoilt.k][i] = spoilt.value;
    return SCREE_OK;
}

static const scree_modifier_ops ops = {.size = sizeof(scree_modifier_ops),
                                       .create = plain_create,
                                       .destroy = plain_destroy,
                                       .pose = pose};
static const scree_plugin poser = {PLUGIN(MODIFIER, "poser", "of a test"), .ops = &ops};

/** The message that refuses the pose of the modifier, "" for none; the caller frees it. */
static char *refusal(const char *text)
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_scene(text);
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    scree_choice_of *choice = g_new0(scree_choice_of, 1);
    choice->memory = g_ptr_array_new();
    fixture_plug(choice, &poser);
    *timed = (scree_timed_choice){.name = (char *)"poser", .choice = choice, .every_steps = 1};
    g_ptr_array_add(scene->modifiers, timed);
    g_autoptr(scree_sim) sim = scree_sim_new(scene, &(scree_sim_options){0}, &error);
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
