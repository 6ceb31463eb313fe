/* SPDX-License-Identifier: Apache-2.0 */
/* Services that an instance gets: failures, scratch, random numbers, files of the run. */
#include "../sim_fixture.h"
#include "plugin/call.h"
#include "plugin/instance.h"

#include <fcntl.h>
#include <unistd.h>

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy)};
static const scree_plugin plugin = {PLUGIN(MODIFIER, "subject", "of a test"), .ops = &ops};
static int cancelled;

typedef struct setup {
    scree_runtime runtime;
    scree_instance *instance;
    const scree_host *host;
    const scree_output *output;
} setup;

static void begin(setup *s, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    scree_choice_of choice = {.plugin = &plugin};
    s->runtime = (scree_runtime){.pool = scree_pool_new(2),
                                 .dimension = 3,
                                 .n_materials = 1,
                                 .seed = 11,
                                 .cancelled = &cancelled,
                                 .output_dir = g_dir_make_tmp("scree-XXXXXX", NULL)};
    s->instance = scree_instance_new(&s->runtime, &choice, "modifiers.subject", &error);
    g_assert_no_error(error);
    s->host = &s->instance->host;
    s->output = s->host->get_service(s->host->ctx, SCREE_SERVICE_OUTPUT);
}

static void end(setup *s, gconstpointer data)
{
    scree_instance_free(s->instance);
    scree_pool_free(s->runtime.pool);
    rmdir(s->runtime.output_dir);
    g_free(s->runtime.output_dir);
    g_clear_pointer(&s->runtime.writers, g_hash_table_unref);
}

static void test_fail(setup *s, gconstpointer data)
{
    g_autoptr(GError) first = NULL;
    g_autoptr(GError) second = NULL;
    g_assert_cmpint(s->host->fail(s->host->ctx, SCREE_E_NUMERIC, "the cause"), ==, SCREE_E_NUMERIC);
    s->host->fail(s->host->ctx, SCREE_E_IO, "what followed");
    scree_call_failed(s->instance, "forces", SCREE_E_NUMERIC, &first);
    g_assert_cmpstr(first->message, ==,
                    "modifier/subject (modifiers.subject) failed in forces: the cause "
                    "(numeric, -5)");
    g_assert_cmpint(first->code, ==, SCREE_EXIT_RUN);
    scree_call_failed(s->instance, "forces", SCREE_E_IO, &second); // the text is used up
    g_assert_nonnull(strstr(second->message, "no reason given"));
    g_assert_cmpint(second->code, ==, SCREE_EXIT_PLUGIN);
}

static void test_scratch(setup *s, gconstpointer data)
{
    char *one = s->host->scratch(s->host->ctx, 0, 100), *two = s->host->scratch(s->host->ctx, 1, 1);
    g_assert_cmpuint((uintptr_t)one % 64, ==, 0);
    g_assert_cmpuint((uintptr_t)two % 64, ==, 0);
    g_assert_true(one != two);
    memset(one, 7, 100);
    g_assert_true(s->host->scratch(s->host->ctx, 0, 60) == one); // kept, content and all
    g_assert_cmpint(one[99], ==, 7);
    char *more = s->host->scratch(s->host->ctx, 0, 1000000);
    g_assert_cmpuint((uintptr_t)more % 64, ==, 0);
    memset(more, 1, 1000000);
    g_assert_null(s->host->scratch(s->host->ctx, 2, 8)); // no such lane
}

static void test_cancelled(setup *s, gconstpointer data)
{
    g_assert_cmpint(s->host->cancelled(s->host->ctx), ==, 0);
    cancelled = 2;
    g_assert_cmpint(s->host->cancelled(s->host->ctx), ==, 1);
    cancelled = 0;
}

static void test_pure(setup *s, gconstpointer data)
{
    uint64_t here = s->host->random(s->host->ctx, 1, 2, 3);
    s->host->random(s->host->ctx, 5, 5, 5);
    g_assert_cmpuint(s->host->random(s->host->ctx, 1, 2, 3), ==, here);
    g_assert_cmpuint(s->host->random(s->host->ctx, 2, 2, 3), !=, here);
    g_assert_cmpuint(s->host->random(s->host->ctx, 1, 3, 3), !=, here);
    g_assert_cmpuint(s->host->random(s->host->ctx, 1, 2, 4), !=, here);
    s->runtime.seed++;
    g_assert_cmpuint(s->host->random(s->host->ctx, 1, 2, 3), !=, here);
}

/** Over 256 bins chi² is 255 with a standard deviation of sqrt(510): 6 of them either way. */
static void assert_even(const uint32_t bins[256], uint32_t n)
{
    double chi2 = 0.0, expected = n / 256.0;
    for (int k = 0; k < 256; k++)
        chi2 += (bins[k] - expected) * (bins[k] - expected) / expected;
    assert_near(chi2, 255.0, 6.0 * sqrt(510.0));
}

static void test_even(setup *s, gconstpointer data)
{
    enum { DRAWS = 1 << 16 };
    for (int shift = 0; shift < 64; shift += 8)
        for (int by_step = 0; by_step < 2; by_step++) {
            uint32_t bins[256] = {0}, jumps[256] = {0};
            uint64_t last = 0;
            for (uint64_t k = 0; k < DRAWS; k++) {
                uint64_t v = by_step ? s->host->random(s->host->ctx, 1, 9, k)
                                     : s->host->random(s->host->ctx, 1, k, 9);
                bins[v >> shift & 255]++;
                jumps[(v - last) >> shift & 255]++; // neighbours are independent
                last = v;
            }
            assert_even(bins, DRAWS);
            assert_even(jumps, DRAWS);
        }
}

static char *in_run(const setup *s, const char *name)
{
    return g_build_filename(s->runtime.output_dir, name, NULL);
}

static void test_rename(setup *s, gconstpointer data)
{
    int32_t fd = -1;
    g_autofree char *path = in_run(s, "deep/table.csv"), *part = in_run(s, "deep/table.csv.part");
    g_autofree char *folder = in_run(s, "deep"), *text = NULL;
    g_assert_cmpint(s->output->open(s->output->ctx, "deep/table.csv", &fd), ==, SCREE_OK);
    g_assert_cmpint(write(fd, "1,2\n", 4), ==, 4);
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    g_assert_cmpint(s->output->close(s->output->ctx, fd, 1), ==, SCREE_OK);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, "1,2\n");
    g_assert_false(g_file_test(part, G_FILE_TEST_EXISTS));
    g_assert_cmpint(s->output->close(s->output->ctx, fd, 1), ==, SCREE_E_INTERNAL); // once
    unlink(path);
    rmdir(folder);
}

static void test_refuse(setup *s, gconstpointer data)
{
    static const char *const names[] = {"/tmp/x", "../x", "a/../../x", "", ".", "a/"};
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
        g_autoptr(GError) error = NULL;
        int32_t fd = -1;
        g_assert_cmpint(s->output->open(s->output->ctx, names[k], &fd), ==, SCREE_E_CONFIG);
        g_assert_cmpint(fd, ==, -1);
        scree_call_failed(s->instance, "open", SCREE_E_CONFIG, &error);
        g_assert_nonnull(strstr(error->message, names[k]));
    }
    g_assert_null(s->host->get_service(s->host->ctx, "scree.output/99"));
}

static void test_discard(setup *s, gconstpointer data)
{
    int32_t fd = -1, dropped = -1;
    g_assert_cmpint(s->output->open(s->output->ctx, "dropped", &dropped), ==, SCREE_OK);
    g_assert_cmpint(s->output->close(s->output->ctx, dropped, 0), ==, SCREE_OK);
    g_assert_cmpint(s->output->open(s->output->ctx, "half", &fd), ==, SCREE_OK);
    g_clear_pointer(&s->instance, scree_instance_free); // with one file open
    g_assert_cmpint(fcntl(fd, F_GETFD), ==, -1);
    g_autoptr(GDir) dir = g_dir_open(s->runtime.output_dir, 0, NULL);
    g_assert_null(g_dir_read_name(dir));
}

static const scree_query *offer_none(scree_query_offer *offer, GError **error)
{
    scree_fail(error, SCREE_EXIT_RUN, "cannot load the module");
    return NULL;
}

/** Goes on without the service. */
static int32_t create_asking(const scree_host *host, const void *config, void **instance)
{
    g_assert_null(host->get_service(host->ctx, SCREE_SERVICE_QUERY));
    return plain_create(host, config, instance);
}

static void test_unserved(setup *s, gconstpointer data)
{
    static const scree_modifier_ops asks = {OPS(modifier, create_asking, plain_destroy)};
    static const scree_plugin asking = {PLUGIN(MODIFIER, "subject", "of a test"), .ops = &asks};
    scree_query_offer offer = {offer_none};
    scree_choice_of choice = {.plugin = &asking};
    g_autoptr(GError) error = NULL;
    scree_instance_free(scree_instance_new(&s->runtime, &choice, "modifiers.subject", &error));
    g_assert_no_error(error);
    s->runtime.query = &offer;
    g_assert_null(scree_instance_new(&s->runtime, &choice, "modifiers.subject", &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_RUN);
    g_assert_cmpstr(error->message, ==,
                    "modifier/subject (modifiers.subject) failed in create: cannot load the module "
                    "(i/o, -6)");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define CLAIM(name, test) g_test_add("/instance/" name, setup, NULL, begin, test, end)
    CLAIM("the-first-text-of-a-failure-counts", test_fail);
    CLAIM("scratch-is-aligned-and-kept-per-lane", test_scratch);
    CLAIM("cancelled-is-what-the-run-says", test_cancelled);
    CLAIM("random-is-a-function-of-its-arguments-and-the-seed", test_pure);
    CLAIM("random-is-even-and-neighbours-are-strangers", test_even);
    CLAIM("a-file-has-its-name-once-it-is-closed", test_rename);
    CLAIM("files-stay-in-the-folder-of-the-run", test_refuse);
    CLAIM("nothing-half-written-is-left-behind", test_discard);
    CLAIM("an-offered-service-that-cannot-be-made-ends-the-creation", test_unserved);
    return g_test_run();
}
