/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.events/1: valid and invalid reports, and the log that they make. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/evaluate.h"
#include "plugin/events.h"

#include <glib/gstdio.h>

static const scree_events *service;
static scree_event event;
static int32_t answer;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    service = host->get_service(host->ctx, SCREE_SERVICE_EVENTS);
    return plain_create(host, config, instance);
}

static int32_t report(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++)
        for (int k = 0; k < 3; k++)
            b->f[k][c] = 0.0;
    if (b->n)
        answer = service->report(service->ctx, &event);
    return answer;
}

static const scree_force_ops ops = {OPS(force, create, plain_destroy), .compute = report};
static const scree_plugin reporter = {PLUGIN(FORCE, "reporter", "of a test"), .ops = &ops};

static scree_sim *touching(GError **error)
{
    scree_scene *scene =
        fixture_scene("scene = { dimension = 3; dt = 1.0e-9; };\n" GLASS
                      "bodies = { a = { radius = 0.01; position = (0.0, 0.0, 0.0); };\n"
                      "           b = { radius = 0.01; position = (0.0199, 0.0, 0.0); }; };\n"
                      "force = ( { plugin = \"linear\"; kn = 1.0; } );\n");
    fixture_plug(scene->forces->pdata[0], &reporter);
    return scree_sim_new(scene, &(scree_sim_options){0}, error);
}

static scree_event named(const char *name, const char *mode)
{
    return (scree_event){
        .size = sizeof event, .name = name, .mode = mode, .id_a = 1, .id_b = 2, .value = 1.0};
}

static void count(void *user, const char *name, uint64_t n)
{
    g_string_append_printf(user, "%s %" G_GUINT64_FORMAT ";", name, n);
}

static void assert_counts(const scree_sim *sim, const char *expected)
{
    g_autoptr(GString) all = g_string_new(NULL);
    scree_event_log_each(sim->runtime.events, count, all);
    g_assert_cmpstr(all->str, ==, expected);
}

TEST("/events/only-accepted-evaluations-count")
{
    g_autoptr(GError) error = NULL;
    event = named("nudge", NULL);
    g_autoptr(scree_sim) sim = touching(&error);
    g_assert_no_error(error);
    assert_counts(sim, "nudge 1;");
    g_assert_true(scree_evaluate(sim, 0.0, 0.0, false, &error));
    assert_counts(sim, "nudge 1;");
    event = named("a-push_2", "soft");
    fixture_run(sim, 3);
    assert_counts(sim, "a-push_2 3;nudge 1;");
}

TEST("/events/a-name-that-would-break-the-table-is-refused")
{
    static const char *const bad[] = {"", "Upper", "two words", "comma,", "line\n", NULL};
    for (size_t k = 0; k < G_N_ELEMENTS(bad); k++) {
        g_autoptr(GError) error = NULL;
        event = named(bad[k], NULL);
        g_assert_null(touching(&error));
        g_assert_nonnull(strstr(error->message, "expected 1 to 63 characters of a-z"));
        g_assert_cmpint(answer, ==, SCREE_E_CONFIG);
    }
    g_autoptr(GError) error = NULL;
    event = named("fine", "Not");
    g_assert_null(touching(&error));
    g_assert_nonnull(strstr(error->message, "mode \"Not\""));
}

TEST("/events/outside-its-calls-a-plugin-reports-nothing")
{
    g_autoptr(GError) error = NULL;
    event = named("fine", NULL);
    g_autoptr(scree_sim) sim = touching(&error);
    g_assert_no_error(error);
    g_assert_cmpint(service->report(service->ctx, &event), ==, SCREE_E_UNSUPPORTED);
    assert_counts(sim, "fine 1;");
}

/** Rows of a file of what was reported in this order. */
static char *written(const scree_event *events, size_t n)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("events-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, SCREE_EVENTS_FILE, NULL);
    char *text = NULL;
    event = named("fine", NULL);
    g_autoptr(scree_sim) sim = touching(&error);
    scree_event_log *log = sim->runtime.events;
    scree_event_log_open(log);
    for (size_t k = 0; k < n; k++)
        g_assert_cmpint(service->report(service->ctx, &events[k]), ==, SCREE_OK);
    g_assert_true(scree_event_log_take(log, 7, 0.25, folder, &error));
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS)); // a part until it is whole
    g_assert_true(scree_event_log_finish(log, &error));
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpint(g_remove(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    return text;
}

TEST("/events/the-order-of-reports-leaves-no-trace")
{
    static const double left[3] = {0.0, 0.5, 0.0}, right[3] = {1.0, 0.5, 0.0};
    scree_event events[] = {named("b", "x"), named("a", "y"), named("b", "x"), named("b", "w")};
    events[0].x = right;
    events[2].x = left;
    events[1].id_a = events[1].id_b = SCREE_NO_BODY;
    events[1].value = (double)NAN;
    g_autofree char *one = written(events, 4);
    g_assert_cmpstr(one, ==,
                    "step,time,from,event,mode,a,b,x,y,z,value\n"
                    "7,0.25,force[0],a,y,,,,,,\n"
                    "7,0.25,force[0],b,w,1,2,,,,1\n"
                    "7,0.25,force[0],b,x,1,2,0,0.5,0,1\n"
                    "7,0.25,force[0],b,x,1,2,1,0.5,0,1\n");
    const scree_event other[] = {events[3], events[2], events[1], events[0]};
    g_autofree char *two = written(other, 4);
    g_assert_cmpstr(one, ==, two);
}
