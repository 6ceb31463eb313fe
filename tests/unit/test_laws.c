/* SPDX-License-Identifier: Apache-2.0 */
/* Laws on one batch: their sum, the normal force of the laws before, the table of gaps. */
#include "sim_fixture.h"

static uint64_t wrong_before, n_first, n_second; /* what the laws saw */

/** A spring of 1000 N/m; asks for the normal force so far, though nothing comes before it. */
static int32_t spring(void *instance, const scree_contact_batch *b)
{
    (void)instance;
    for (uint32_t c = 0; c < b->n; c++) {
        wrong_before += b->normal_force[c] != 0.0;
        n_first++;
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -1000.0 * b->depth[c] * b->normal[k][c];
        b->stored[c] = 500.0 * b->depth[c] * b->depth[c];
    }
    return SCREE_OK;
}

/** Across the normal, as strong as it has been pressed so far; a couple along it. */
static int32_t brake(void *instance, const scree_contact_batch *b)
{
    (void)instance;
    for (uint32_t c = 0; c < b->n; c++) {
        n_second++;
        double pressed = b->normal_force[c], n[3] = {b->normal[0][c], b->normal[1][c], 0.0};
        wrong_before += fabs(pressed - 1000.0 * b->depth[c]) > 1e-12;
        b->f[0][c] = -n[1] * pressed;
        b->f[1][c] = n[0] * pressed;
        b->f[2][c] = 0.0;
        for (int k = 0; k < 3; k++)
            b->couple[k][c] = 0.25 * b->normal[k][c];
    }
    return SCREE_OK;
}

/** A constant push across, whatever came before. */
static int32_t push(void *instance, const scree_contact_batch *b)
{
    (void)instance;
    for (uint32_t c = 0; c < b->n; c++)
        for (int k = 0; k < 3; k++) {
            b->f[k][c] = 0.5 * (k + 1);
            b->couple[k][c] = 0.125 * b->normal[k][c];
        }
    return SCREE_OK;
}

#define FORCE_LAW(name, needs_, provides_)                                                         \
    static const scree_force_ops name##_ops = {.size = sizeof(scree_force_ops),                    \
                                               .create = fixture_create,                           \
                                               .destroy = fixture_destroy,                         \
                                               .compute = name};                                   \
    static const scree_plugin name##_law = {FIXTURE_PLUGIN(FORCE, #name), .ops = &name##_ops,      \
                                            .needs = needs_, .provides = provides_}
FORCE_LAW(spring, SCREE_IN_NORMAL_FORCE, SCREE_OUT_STORED);
FORCE_LAW(brake, SCREE_IN_NORMAL_FORCE, SCREE_OUT_COUPLE);
FORCE_LAW(push, 0, SCREE_OUT_COUPLE);

static scree_sim *heap(const scree_plugin *first, const scree_plugin *second)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-6; };\n" GLASS "bodies = {\n");
    for (int k = 0; k < 27; k++)
        g_string_append_printf(text, "b%d = { radius = 0.0055; position = (%g, %g, %g); };\n", k,
                               0.01 * (k % 3), 0.01 * (k / 3 % 3) + 0.0001 * (k % 5),
                               0.01 * (k / 9));
    g_string_append(text, "};\nforce = ( { plugin = \"linear\"; kn = 1.0; }");
    g_string_append(text, second ? ", { plugin = \"linear\"; kn = 1.0; } );\n" : " );\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->forces->pdata[0], first);
    if (second)
        fixture_plug(scene->forces->pdata[1], second);
    return fixture_begin(scene, &(scree_sim_options){.batch = 8});
}

static void test_sum(void)
{
    scree_sim *both = heap(&spring_law, &push_law), *one = heap(&spring_law, NULL);
    scree_sim *other = heap(&push_law, NULL);
    g_assert_cmpuint(both->n_contacts, >, 50);
    for (uint32_t i = 0; i < 27 * SCREE_WRENCH; i++)
        assert_near(both->world->wrench[i], one->world->wrench[i] + other->world->wrench[i], 1e-12);
    assert_near(both->stored, one->stored, 1e-12);
    g_assert_cmpfloat(both->stored, >, 0.0);
    scree_sim_free(both);
    scree_sim_free(one);
    scree_sim_free(other);
}

static void test_normal_force(void)
{
    wrong_before = n_first = n_second = 0;
    scree_sim *sim = heap(&spring_law, &brake_law);
    fixture_evaluate(sim);
    g_assert_cmpuint(n_first, >, 100);
    g_assert_cmpuint(n_second, ==, n_first);
    g_assert_cmpuint(wrong_before, ==, 0);
    scree_sim_free(sim);
}

/* Two materials: the first reaches 1 mm among itself, nothing else reaches. */
static int32_t range(void *instance, uint32_t a, uint32_t b, double *gap)
{
    (void)instance;
    *gap = a == 0 && b == 0 ? 1.0e-3 : 0.0;
    return SCREE_OK;
}

static const scree_force_ops reach_ops = {.size = sizeof reach_ops,
                                          .create = fixture_create,
                                          .destroy = fixture_destroy,
                                          .compute = push,
                                          .range = range};
static const scree_plugin reach_law = {FIXTURE_PLUGIN(FORCE, "reach"), .ops = &reach_ops,
                                       .provides = SCREE_OUT_COUPLE};

static uint64_t contacts_at(double gap, const char *left, const char *right)
{
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1.0e-6; };\n"
        "materials = { sticky = { density = 1.0; }; dry = { density = 1.0; }; };\n"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); material = \"%s\"; };\n"
        "           b = { radius = 0.01; position = (%.17g, 0.0, 0.0); material = \"%s\"; }; };\n"
        "force = ( { plugin = \"linear\"; kn = 1.0; } );\n",
        left, 0.02 + gap, right);
    scree_scene *scene = fixture_scene(text);
    fixture_plug(scene->forces->pdata[0], &reach_law);
    scree_sim *sim = fixture_begin(scene, &(scree_sim_options){0});
    scree_contact_store *store = scree_contacts_export(sim);
    uint64_t n = store->n;
    scree_contact_store_free(store);
    scree_sim_free(sim);
    return n;
}

static void test_gaps(void)
{
    g_assert_cmpuint(contacts_at(0.9e-3, "sticky", "sticky"), ==, 1);
    g_assert_cmpuint(contacts_at(1.1e-3, "sticky", "sticky"), ==, 0);
    g_assert_cmpuint(contacts_at(0.1e-3, "sticky", "dry"), ==, 0);
    g_assert_cmpuint(contacts_at(0.1e-3, "dry", "dry"), ==, 0);
    g_assert_cmpuint(contacts_at(-0.1e-3, "dry", "sticky"), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/laws/two-give-the-sum-of-each-alone", test_sum);
    g_test_add_func("/laws/normal-force-is-that-of-the-laws-before", test_normal_force);
    g_test_add_func("/laws/a-gap-beyond-the-range-of-the-materials-is-no-contact", test_gaps);
    return g_test_run();
}
