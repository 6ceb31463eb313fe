/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: their size, and resolvers that stop half-way, change no bit; disorder is reported. */
#include "engine/digest.h"
#include "sim_fixture.h"

static uint32_t most; /* pairs that the resolver of the test finishes in a call */
static bool disorder;

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    if (g_str_equal(pair->a->name, "sphere") && g_str_equal(pair->b->name, "sphere"))
        pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    (void)instance;
    *done = MIN(in->n, most);
    for (uint32_t p = 0; p < *done; p++) {
        double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double depth = in->radius_a[p] + in->radius_b[p] - distance;
        if (depth < 0.0)
            continue;
        out->pair[out->n] = disorder ? *done - 1 - p : p;
        out->depth[out->n] = depth;
        for (int k = 0; k < 3; k++) {
            out->normal[k][out->n] = d[k] / distance;
            out->arm[k][out->n] = (in->radius_a[p] - 0.5 * depth) * d[k] / distance;
        }
        out->n++;
    }
    return SCREE_OK;
}

static const scree_resolver_ops ops = {.size = sizeof ops,
                                       .create = fixture_create,
                                       .destroy = fixture_destroy,
                                       .supports = supports,
                                       .resolve = resolve};
static const scree_plugin tired = {FIXTURE_PLUGIN(RESOLVER, "tired"), .ops = &ops};

/* A block of balls that overlap a little and push one another away. */
static scree_sim *block(uint32_t batch, GError **error)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-5; };\n" GLASS LINEAR "bodies = {\n");
    for (int k = 0; k < 64; k++)
        g_string_append_printf(text, "b%d = { radius = 0.0051; position = (%g, %g, %g); };\n", k,
                               0.01 * (k % 4), 0.01 * (k / 4 % 4) + 0.0001 * (k % 5),
                               0.01 * (k / 16));
    g_string_append(text, "};\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->resolvers->pdata[0], &tired);
    return scree_sim_new(scene, &(scree_sim_options){.batch = batch}, error);
}

static char *hash_of(uint32_t batch, uint32_t pairs)
{
    g_autoptr(GError) error = NULL;
    most = pairs;
    scree_sim *sim = block(batch, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(sim->counters.contacts, >, 80);
    fixture_run(sim, 100);
    char *hash = scree_state_sha256(sim);
    scree_sim_free(sim);
    return hash;
}

static void test_size(void)
{
    static const uint32_t sizes[] = {8, 17, 64, 1024};
    g_autofree char *reference = hash_of(256, UINT32_MAX);
    for (size_t k = 0; k < G_N_ELEMENTS(sizes); k++) {
        g_autofree char *hash = hash_of(sizes[k], UINT32_MAX);
        g_assert_cmpstr(hash, ==, reference);
    }
}

static void test_tired(void)
{
    g_autofree char *reference = hash_of(256, UINT32_MAX);
    for (uint32_t pairs = 1; pairs < 20; pairs += 6) {
        g_autofree char *hash = hash_of(64, pairs);
        g_assert_cmpstr(hash, ==, reference);
    }
}

static void assert_blamed(uint32_t pairs)
{
    g_autoptr(GError) error = NULL;
    most = pairs;
    g_assert_null(block(256, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, "resolver/tired (resolvers[0]) misbehaved in resolve"));
}

static void test_blame(void)
{
    assert_blamed(0); // nothing finished: it would go on for ever
    disorder = true;
    assert_blamed(UINT32_MAX);
    disorder = false;
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/batch/its-size-changes-no-bit", test_size);
    g_test_add_func("/batch/a-resolver-may-stop-half-way", test_tired);
    g_test_add_func("/batch/disorder-is-blamed-on-the-resolver", test_blame);
    return g_test_run();
}
