/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.files/1: whole files and tables that a parameter names, mistakes with file and
 * line, memory of the instance. */
#include "../sim_fixture.h"
#include "plugin/call.h"
#include "plugin/files.h"
#include "plugin/instance.h"

#include <glib/gstdio.h>
#include <unistd.h>

typedef struct config {
    const char *file, *note;
} config;

static const scree_param param_file = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_STRING,
                                       .flags = SCREE_PARAM_OPTIONAL | SCREE_PARAM_FILE,
                                       .offset = offsetof(config, file),
                                       .name = "file"};
static const scree_param param_note = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_STRING,
                                       .flags = SCREE_PARAM_OPTIONAL,
                                       .offset = offsetof(config, note),
                                       .name = "note"};
static const scree_param *const params[] = {&param_note, &param_file};
static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy)};
static const scree_plugin plugin = {PLUGIN(MODIFIER, "reader", "of a test"),
                                    .config_size = sizeof(config), .n_params = G_N_ELEMENTS(params),
                                    .params = params, .ops = &ops};

static const scree_file_column column_x = {sizeof column_x, SCREE_COLUMN_REAL, "x", "m"};
static const scree_file_column column_id = {sizeof column_id, SCREE_COLUMN_WHOLE, "id", NULL};
static const scree_file_column column_kind = {sizeof column_kind, SCREE_COLUMN_TEXT, "kind", NULL};
static const scree_file_column *const known[] = {&column_kind, &column_x, &column_id};

typedef struct setup {
    char *dir, *path;
    config config;
    scree_choice_of choice;
    scree_runtime runtime;
    scree_instance *instance;
    const scree_files *files;
    GPtrArray *said;
} setup;

static void listen(void *listener, int32_t level_or_code, const char *text)
{
    g_ptr_array_add(listener, g_strdup_printf("%d %s", level_or_code, text));
}

static void begin(setup *s, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    s->dir = g_dir_make_tmp("scree-XXXXXX", NULL);
    s->path = g_build_filename(s->dir, "a.csv", NULL);
    if (data)
        g_assert_true(g_file_set_contents(s->path, data, -1, NULL));
    s->config = (config){s->path, "/etc/hostname"};
    s->choice = (scree_choice_of){.plugin = &plugin, .config = &s->config};
    s->runtime = (scree_runtime){.pool = scree_pool_new(1), .dimension = 3};
    s->instance = scree_instance_new(&s->runtime, &s->choice, "modifiers.reader", &error);
    g_assert_no_error(error);
    s->files = s->instance->host.get_service(s->instance, SCREE_SERVICE_FILES);
    g_assert_nonnull(s->files);
    g_assert_cmpuint(s->files->size, ==, sizeof *s->files);
    s->said = g_ptr_array_new_with_free_func(g_free);
}

static void end(setup *s, gconstpointer data)
{
    scree_instance_free(s->instance); // frees the answers
    scree_pool_free(s->runtime.pool);
    g_unlink(s->path);
    g_rmdir(s->dir);
    g_free(s->path);
    g_free(s->dir);
    g_ptr_array_unref(s->said);
}

/** The text of the failure that the instance keeps. To be freed. */
static char *take_error(setup *s)
{
    return g_steal_pointer(&s->instance->error);
}

/** The same of a request that is the plugin's fault. */
static char *take_fault(setup *s)
{
    g_assert_true(s->instance->refused);
    s->instance->refused = false;
    return take_error(s);
}

static int32_t ask(setup *s, const scree_file_request *request, scree_file_rows *rows)
{
    *rows = (scree_file_rows){.size = sizeof *rows};
    return s->files->table(s->files->ctx, request, rows);
}

static void test_load(setup *s, gconstpointer data)
{
    const char *one = NULL, *two = NULL;
    uint64_t n = 0;
    g_assert_cmpint(s->files->load(s->files->ctx, s->path, &one, &n), ==, SCREE_OK);
    g_assert_cmpuint(n, ==, strlen(data));
    g_assert_cmpstr(one, ==, data);
    g_assert_cmpint(s->files->load(s->files->ctx, s->path, &two, &n), ==, SCREE_OK);
    g_assert_cmpint(s->files->release(s->files->ctx, one), ==, SCREE_OK);
    g_assert_cmpstr(two, ==, data); // the other answer is still there
    g_assert_cmpint(s->files->release(s->files->ctx, NULL), ==, SCREE_OK);
    g_assert_false(s->instance->refused);
    g_assert_cmpint(s->files->release(s->files->ctx, "none of them"), ==, SCREE_E_INTERNAL);
    g_autofree char *fault = take_fault(s);
    g_assert_cmpstr(fault, ==, "scree.files/1: release() of bytes that load() has not given");
}

static void test_missing(setup *s, gconstpointer data)
{
    const char *bytes = NULL;
    uint64_t n = 0;
    g_assert_cmpint(s->files->load(s->files->ctx, s->path, &bytes, &n), ==, SCREE_E_CONFIG);
    g_autofree char *text = take_error(s);
    g_assert_true(g_str_has_prefix(text, s->path));
    g_assert_true(g_str_has_suffix(text, "a.csv: No such file or directory"));
    s->config.file = s->dir;
    g_assert_cmpint(s->files->load(s->files->ctx, s->dir, &bytes, &n), ==, SCREE_E_CONFIG);
    g_autofree char *folder = take_error(s);
    g_assert_true(g_str_has_suffix(folder, "expected a regular file, got a folder"));
}

/** Only paths that a parameter for a file has: the host opens no others. */
static void test_named(setup *s, gconstpointer data)
{
    const char *bytes = NULL;
    uint64_t n = 0;
    g_assert_cmpint(s->files->load(s->files->ctx, s->config.note, &bytes, &n), ==,
                    SCREE_E_INTERNAL);
    g_autofree char *fault = take_fault(s);
    g_assert_cmpstr(fault, ==,
                    "scree.files/1: none of its parameters with SCREE_PARAM_FILE names "
                    "\"/etc/hostname\"");
    g_assert_cmpint(s->files->load(s->files->ctx, NULL, &bytes, &n), ==, SCREE_E_INTERNAL);
    g_assert_null(bytes);
    g_autofree char *null = take_fault(s);
    g_assert_nonnull(strstr(null, "(NULL)"));
}

static void test_table(setup *s, gconstpointer data)
{
    scree_file_rows rows;
    scree_file_request request = {
        .size = sizeof request, .n_known = G_N_ELEMENTS(known), .path = s->path, .known = known};
    g_assert_cmpint(ask(s, &request, &rows), ==, SCREE_OK);
    g_assert_cmpuint(rows.n, ==, 2);
    g_assert_cmpuint(rows.line[0], ==, 2);
    g_assert_cmpuint(rows.line[1], ==, 4);
    g_assert_cmpfloat(rows.real[1][0], ==, 1.5e-3); // from mm
    g_assert_cmpfloat(rows.real[1][1], ==, -2e-3);
    g_assert_cmpstr(rows.text[0][0], ==, "big one");
    g_assert_cmpstr(rows.text[0][1], ==, "small");
    g_assert_null(rows.real[0]); // by its type it is elsewhere
    g_assert_null(rows.text[1]);
    g_assert_null(rows.whole[2]); // the file has no such column
    // The columns may be named by the caller, and one skipped: the numbers are then in metres.
    const char *const names[] = {"-", "x"};
    request.columns = (scree_strings){2, names};
    scree_file_rows more;
    g_assert_cmpint(ask(s, &request, &more), ==, SCREE_OK);
    g_assert_cmpfloat(more.real[1][0], ==, 1.5);
    g_assert_null(more.text[0]);
    g_assert_cmpstr(rows.text[0][1], ==, "small"); // the first answer is still there
}

static void test_wrong(setup *s, gconstpointer data)
{
    scree_file_rows rows;
    const scree_file_request request = {
        .size = sizeof request, .n_known = G_N_ELEMENTS(known), .path = s->path, .known = known};
    g_assert_cmpint(ask(s, &request, &rows), ==, SCREE_E_CONFIG);
    g_autofree char *first = take_error(s);
    g_autofree char *expected = g_strconcat(s->path, ":2: x = 'nan' is not a finite number", NULL);
    g_assert_cmpstr(first, ==, expected);
    s->runtime.say = listen; // somebody takes the lines apart
    s->runtime.listener = s->said;
    g_assert_cmpint(ask(s, &request, &rows), ==, SCREE_E_CONFIG);
    g_assert_cmpuint(s->said->len, ==, 1);
    g_assert_nonnull(strstr(s->said->pdata[0], ":2: x = 'nan'"));
    g_assert_nonnull(strstr(s->said->pdata[0], "a.csv:3: id = '-1' is not a whole number"));
    g_assert_null(rows.line);
}

static void refuse(setup *s, const scree_file_request *request, const char *expected)
{
    scree_file_rows rows;
    g_assert_cmpint(ask(s, request, &rows), ==, SCREE_E_INTERNAL);
    g_autofree char *fault = take_fault(s);
    g_assert_cmpstr(fault, ==, expected);
}

/** Each part of a request is checked. */
static void test_requests(setup *s, gconstpointer data)
{
    static const scree_file_column typeless = {sizeof typeless, 9, "x", NULL};
    static const scree_file_column unitless = {sizeof unitless, SCREE_COLUMN_REAL, "x", "parsecs?"};
    static const scree_file_column small = {4, SCREE_COLUMN_REAL, "x", NULL};
    static const scree_file_column nameless = {sizeof nameless, SCREE_COLUMN_REAL, NULL, NULL};
    const scree_file_column *bad = NULL;
    const char *null = NULL;
    scree_file_request r = {
        .size = sizeof r, .n_known = G_N_ELEMENTS(known), .path = "/etc/hostname", .known = known};
    refuse(s, &r,
           "scree.files/1: none of its parameters with SCREE_PARAM_FILE names "
           "\"/etc/hostname\"");
    r.path = s->path;
    r.columns = (scree_strings){257, &null};
    refuse(s, &r, "scree.files/1: more than 256 columns");
    r.columns.n = 1;
    refuse(s, &r, "scree.files/1: one of columns is NULL");
    r.columns.n = 0;
    r.n_known = 1;
    r.known = &bad;
    refuse(s, &r, "scree.files/1: a known column has no size or no name");
    bad = &small;
    refuse(s, &r, "scree.files/1: a known column has no size or no name");
    bad = &nameless;
    refuse(s, &r, "scree.files/1: a known column has no size or no name");
    bad = &typeless;
    refuse(s, &r, "scree.files/1: a known column has a type that is not one of SCREE_COLUMN_*");
    bad = &unitless;
    refuse(s, &r, "scree.files/1: a known column has a unit that cannot be read");
    r.n_known = 0;
    refuse(s, &r, "scree.files/1: expected 1 to 1000 known columns");
    r.size = 8;
    refuse(s, &r, "scree.files/1: a request or rows without their size");
    refuse(s, NULL, "scree.files/1: a request or rows without their size");
}

static void test_withheld(setup *s, gconstpointer data)
{
    s->runtime.withheld = SCREE_SERVICE_FILES;
    g_assert_null(s->instance->host.get_service(s->instance, SCREE_SERVICE_FILES));
}

#define ADD(name, text, test) g_test_add("/files/" name, setup, text, begin, test, end)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("whole-until-released", "one\ntwo\n", test_load);
    ADD("a-missing-file-is-named", NULL, test_missing);
    ADD("only-files-that-a-parameter-names", "1\n", test_named);
    ADD("tables-in-the-units-asked-for", "kind,x_mm\nbig one,1.5\n\n\"small\",-2\n", test_table);
    ADD("mistakes-have-their-line", "x,id\nnan,1\n1,-1\n", test_wrong);
    ADD("requests-are-not-trusted", "x\n1\n", test_requests);
    ADD("none-where-they-are-withheld", "1\n", test_withheld);
    return g_test_run();
}
