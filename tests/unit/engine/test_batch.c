/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: their size, and resolvers that stop half-way, change no bit; disorder is reported. */
#include "../../test.h"
#include "../near.h"
#include "../sim_fixture.h"
#include "engine/contacts.h"
#include "engine/digest.h"

static uint32_t most; /* pairs that the resolver of the test finishes in a call */
static bool disorder;

static int32_t supports(void *instance, scree_pair_support *pair)
{
    if (g_str_equal(pair->a->name, "sphere") && g_str_equal(pair->b->name, "sphere"))
        pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
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

static const scree_resolver_ops ops = {OPS(resolver, plain_create, plain_destroy),
                                       .supports = supports, .resolve = resolve};
static const scree_plugin tired = {PLUGIN(RESOLVER, "tired", "of a test"), .ops = &ops};

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
    g_autoptr(scree_sim) sim = block(batch, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(sim->counters.contacts, >, 80);
    fixture_run(sim, 100);
    char *hash = scree_state_sha256(sim);
    return hash;
}

TEST("/batch/its-size-changes-no-bit")
{
    static const uint32_t sizes[] = {8, 17, 64, 1024};
    g_autofree char *reference = hash_of(256, UINT32_MAX);
    for (size_t k = 0; k < G_N_ELEMENTS(sizes); k++) {
        g_autofree char *hash = hash_of(sizes[k], UINT32_MAX);
        g_assert_cmpstr(hash, ==, reference);
    }
}

TEST("/batch/a-resolver-may-stop-half-way")
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

TEST("/batch/disorder-is-blamed-on-the-resolver")
{
    assert_blamed(0); // nothing finished: it would go on for ever
    disorder = true;
    assert_blamed(UINT32_MAX);
    disorder = false;
}

/* How contacts of pairs with many are out of order. */
enum { IN_ORDER, PAIRS_TURNED, FEATURES_TURNED, FEATURES_TWICE };

/* Balls in a row. A pair has as many contacts as the sum of the ids says, each with a depth of its
 * own, features 3 f + 1; a law adds up the depths of each. */

enum { BALLS = 12, MANY = 5000, STEPS = 5 };
static gint n_grown; /* calls that asked for room */
static uint32_t too_many;
static int order_of_many = IN_ORDER;

static uint32_t contacts_of(uint64_t both)
{
    return both == 11 ? MAX(MANY, too_many) : both == 5 ? 1100 : both % 4 == 1 ? 3 : 1;
}

static double depth_of(uint32_t f)
{
    return 1e-5 + 1e-9 * f;
}

static int32_t supports_many(void *instance, scree_pair_support *pair)
{
    int32_t code = supports(instance, pair);
    if (pair->contacts == SCREE_SUPPORTS_ONE)
        pair->contacts = SCREE_SUPPORTS_MANY;
    return code;
}

/* Contacts whose pairs fall while their features rise, whose features fall, or are all one. */
static void spoil_order(scree_contacts *out, uint32_t done)
{
    for (uint32_t c = 0; c < out->n; c++) {
        if (order_of_many == PAIRS_TURNED)
            out->pair[c] = done - 1 - out->pair[c];
        out->feature[c] = order_of_many == PAIRS_TURNED      ? c
                          : order_of_many == FEATURES_TURNED ? out->n - c
                                                             : 7;
    }
}

static int32_t resolve_many(void *instance, const scree_candidates *in, scree_contacts *out,
                            uint32_t *done)
{
    for (*done = 0; *done < in->n; ++*done) {
        const uint32_t p = *done;
        const uint64_t *id = in->bodies->id;
        const double distance = fabs(in->d[0][p]), side = in->d[0][p] > 0.0 ? 1.0 : -1.0;
        const uint32_t n = contacts_of(id[in->a[p]] + id[in->b[p]]);
        if (in->radius_a[p] + in->radius_b[p] < distance)
            continue;
        if (p == 0 && n > out->capacity) {
            g_atomic_int_inc(&n_grown);
            out->n = n;
            return SCREE_OK;
        }
        if (out->n + n > out->capacity)
            return SCREE_OK;
        for (uint32_t f = 0; f < n; f++, out->n++) {
            out->pair[out->n] = p;
            out->feature[out->n] = 3 * f + 1;
            out->depth[out->n] = depth_of(f);
            for (int k = 0; k < 3; k++) {
                out->normal[k][out->n] = k ? 0.0 : side;
                out->arm[k][out->n] = k ? 0.0 : side * (in->radius_a[p] - 0.5 * depth_of(f));
            }
        }
    }
    if (order_of_many != IN_ORDER)
        spoil_order(out, *done);
    return SCREE_OK;
}

static const scree_resolver_ops many_ops = {OPS(resolver, plain_create, plain_destroy),
                                            .supports = supports_many, .resolve = resolve_many};
static const scree_plugin many = {PLUGIN(RESOLVER, "many", "of a test"), .ops = &many_ops};

/** A weak push, and the sum of the depths of all accepted evaluations. */
static int32_t add_depths(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++) {
        b->out[0][c] = b->in[0][c] + b->depth[c];
        for (int k = 0; k < 3; k++)
            b->f[k][c] = -1e-3 * b->depth[c] * b->normal[k][c];
    }
    return SCREE_OK;
}

static const scree_field depths = {.size = sizeof depths,
                                   .scope = SCREE_SCOPE_CONTACT,
                                   .components = 1,
                                   .revision = 1,
                                   .name = "depths",
                                   .unit = "m",
                                   .help = "sum of the depths"};
static const scree_field *const fields[] = {&depths};
static const scree_force_ops add_ops = {OPS(force, plain_create, plain_destroy),
                                        .compute = add_depths};
static const scree_plugin adds = {PLUGIN(FORCE, "adds", "of a test"), .ops = &add_ops,
                                  .n_fields = 1, .fields = fields};

static scree_sim *row(const scree_sim_options *options, GError **error)
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-7; };\n" GLASS LINEAR "bodies = {\n");
    for (int k = 0; k < BALLS; k++)
        g_string_append_printf(text, "b%d = { radius = 0.0051; position = (%g, 0.0, 0.0); };\n", k,
                               0.01 * k);
    g_string_append(text, "};\n");
    scree_scene *scene = fixture_scene(text->str);
    fixture_plug(scene->resolvers->pdata[0], &many);
    fixture_plug(scene->forces->pdata[0], &adds);
    return scree_sim_new(scene, options, error);
}

static char *hash_of_row(const scree_sim_options *options)
{
    g_autoptr(GError) error = NULL;
    uint32_t expected = 0, wrong = 0;
    n_grown = 0;
    g_autoptr(scree_sim) sim = row(options, &error);
    g_assert_no_error(error);
    fixture_run(sim, STEPS);
    for (uint64_t k = 0; k + 1 < BALLS; k++)
        expected += contacts_of(2 * k + 3); // ids begin at 1
    g_assert_cmpuint(expected, >, MANY + 1100);
    scree_contact_store *store = scree_contacts_export(sim);
    g_assert_cmpuint(store->n, ==, expected);
    for (uint64_t c = 0; c < store->n; c++) {
        const double each = depth_of((uint32_t)(store->key[c].feature / 3));
        wrong += fabs(store->field[c] - (STEPS + 1) * each) > 1e-13 * each;
    }
    g_assert_cmpuint(wrong, ==, 0);
    g_assert_cmpint(n_grown, >, 0);
    g_assert_cmpint(n_grown, <=, 2 * 4); // each lane grows once per size, and stays so
    scree_contact_store_free(store);
    char *hash = scree_state_sha256(sim);
    return hash;
}

TEST("/batch/a-pair-has-more-contacts-than-a-batch")
{
    const scree_sim_options options[] = {
        {.batch = 8},
        {.batch = 1024},
        {.threads = 3, .blocks = 4, .batch = 8, .all_lanes = true},
        {.threads = 4, .blocks = 7, .batch = 64, .all_lanes = true},
    };
    g_autofree char *reference = hash_of_row(&(scree_sim_options){0});
    for (size_t k = 0; k < G_N_ELEMENTS(options); k++) {
        g_autofree char *hash = hash_of_row(&options[k]);
        g_assert_cmpstr(hash, ==, reference);
    }
}

TEST("/batch/too-many-contacts-of-a-pair-are-blamed")
{
    g_autoptr(GError) error = NULL;
    too_many = SCREE_MAX_PAIR_CONTACTS + 1;
    g_assert_null(row(&(scree_sim_options){0}, &error));
    too_many = 0;
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
    g_assert_nonnull(strstr(error->message, "resolver/many (resolvers[0]) misbehaved in resolve"));
    g_assert_nonnull(
        strstr(error->message, "1048577 contacts of one pair; allowed: at most 1048576"));
}

TEST("/batch/disorder-among-many-is-blamed-on-the-resolver")
{
    static const char *const says[] = {[PAIRS_TURNED] = ", that before it of pair ",
                                       [FEATURES_TURNED] = " has feature ",
                                       [FEATURES_TWICE] = " has feature 7 after 7"};
    for (order_of_many = PAIRS_TURNED; order_of_many <= FEATURES_TWICE; order_of_many++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(row(&(scree_sim_options){0}, &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
        g_assert_nonnull(strstr(error->message, "contacts are not in order"));
        g_assert_nonnull(strstr(error->message, says[order_of_many]));
    }
    order_of_many = IN_ORDER;
}

/** [m] The springs of the only contact after two steps: of a ball that slides on one of two balls
 * of a clump. `other`: after the first step the contact is made one of the other ball. */
static double springs_of(bool other)
{
    g_autoptr(scree_sim) sim = fixture_sim(
        "scene = { dimension = 3; dt = 1.0e-6; };\n" GLASS LINEAR
        "shapes = { pair = { type = \"clump\"; balls = ((-0.5, 0.0, 0.0, 1.0), (0.5, 0.0, 0.0, "
        "1.0)); "
        "}; };\n"
        "bodies = { two = { shape = \"pair\"; scale = 0.01; position = (0.0, 0.0, 0.0); };\n"
        "  one = { radius = 0.005; position = (-0.005, 0.0, 0.0149); velocity = (0.0, 1.0, 0.0); "
        "}; };\n");
    double square = 0.0;
    for (int step = 0; step < 2; step++) {
        fixture_run(sim, 1);
        for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
            const scree_table *t = &scree_segment_at(sim, k)->table[sim->contacts.committed];
            const scree_list *list = &sim->plugins.contact.lists[scree_segment_list(sim, k)];
            if (!t->n)
                continue;
            g_assert_cmpuint(t->n, ==, 1);
            square = 0.0;
            for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++)
                square += t->field[f][0] * t->field[f][0];
            if (other && step == 0)
                t->feature[0] ^= list->clump[0] ? (uint64_t)1 << 32 : 1;
        }
    }
    return sqrt(square);
}

TEST("/batch/no-ball-of-a-clump-goes-on-with-the-springs-of-another")
{
    assert_near(springs_of(false), 2e-6, 1e-8);
    assert_near(springs_of(true), 1e-6, 1e-8);
}
