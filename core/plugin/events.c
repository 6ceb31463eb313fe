/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.events/1: what plugins report, in canonical order, counted and written. */
#include "plugin/events.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/part_file.h"
#include "base/say.h"
#include "base/text.h"
#include "plugin/output.h"
#include "plugin/struct_size.h"

/*
 * Reports come from any thread in any order. They wait for the end of the evaluation, and are
 * dropped unless it is accepted. Then they are sorted by all their members, so that neither threads
 * nor batches change the order, counted by name, and written together. Events are rare: the cost of
 * a lock for each report does not count.
 */

/** One report; the log owns its texts. */
typedef struct record {
    const char *slot, *name, *mode;
    uint64_t id_a, id_b;
    double x[3], value; // NaN: not given
} record;

struct scree_event_log {
    pthread_mutex_t mutex;
    bool open, muted;
    bool elsewhere;     // an observer has the name of the file
    GArray *pending;    // elements: record
    GHashTable *texts;  // texts of the records
    GHashTable *counts; // name -> number
    scree_part_file file;
};

_Thread_local bool scree_events_foreign;

scree_event_log *scree_event_log_new(void)
{
    scree_event_log *log = g_new0(scree_event_log, 1);
    pthread_mutex_init(&log->mutex, NULL);
    log->pending = g_array_new(FALSE, FALSE, sizeof(record));
    log->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    log->counts = g_hash_table_new(g_str_hash, g_str_equal);
    log->file.fd = -1;
    return log;
}

void scree_event_log_free(scree_event_log *log)
{
    g_autoptr(GError) error = NULL;
    if (!log)
        return;
    if (!log->muted && !scree_event_log_finish(log, &error))
        scree_say(SCREE_SAY_WARNING, "%s", error->message);
    scree_part_file_clear(&log->file);
    g_array_unref(log->pending);
    g_hash_table_unref(log->counts);
    g_hash_table_unref(log->texts);
    pthread_mutex_destroy(&log->mutex);
    g_free(log);
}

/* ---- reports ---- */

/** A word of a-z, 0-9, _ and -. */
static bool is_event_name(const char *text)
{
    size_t n = text ? strlen(text) : 0;
    return n > 0 && n <= SCREE_MAX_EVENT_TEXT &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

/** The log's copy of a text. */
static const char *keep_text(scree_event_log *log, const char *text)
{
    const char *kept = g_hash_table_lookup(log->texts, text);
    if (!kept) {
        kept = g_strdup(text);
        g_hash_table_add(log->texts, (void *)kept);
    }
    return kept;
}

/** Adds a report to the locked log. Returns the reason of a refusal, or NULL. */
static const char *add_event(scree_event_log *log, const scree_instance *instance,
                             const scree_event *event)
{
    if (!log->open)
        return "events are reported from compute, forces and after_step only";
    if (log->pending->len >= SCREE_MAX_EVENTS)
        return "more than 10000000 events in one step";
    if (g_hash_table_size(log->texts) >= SCREE_MAX_EVENT_WORDS)
        return "too many different names and modes of events";
    record one = {.slot = keep_text(log, instance->slot),
                  .name = keep_text(log, event->name),
                  .mode = keep_text(log, event->mode ? event->mode : ""),
                  .id_a = event->id_a,
                  .id_b = event->id_b,
                  .value = event->value};
    for (int k = 0; k < 3; k++)
        one.x[k] = event->x ? event->x[k] : (double)NAN;
    g_array_append_val(log->pending, one);
    return NULL;
}

/** Whether no number is infinite, and the position is finite. */
static bool has_sense(const scree_event *event)
{
    bool finite = !isinf(event->value);
    if (event->x)
        for (int k = 0; k < 3; k++)
            finite = finite && isfinite(event->x[k]);
    return finite;
}

/** Blames the plugin for an invalid event, or for one at a wrong time. */
static int32_t refuse_event(scree_instance *instance, int32_t code, const char *text)
{
    pthread_mutex_lock(&instance->mutex);
    instance->refused = true;
    pthread_mutex_unlock(&instance->mutex);
    return instance->host.fail(instance->host.ctx, code, text);
}

static int32_t report_event(void *ctx, const scree_event *event)
{
    scree_instance *instance = ctx;
    scree_event_log *log = instance->runtime->events;
    if (!event)
        return refuse_event(instance, SCREE_E_CONFIG, "event: expected an event, got NULL");
    const size_t least = SCREE_SIZE_TO(scree_event, value);
    if (event->size < least || event->reserved) {
        g_autofree char *text =
            g_strdup_printf("event: expected size = %zu and reserved = 0, got %u and %u", least,
                            event->size, event->reserved);
        return refuse_event(instance, SCREE_E_CONFIG, text);
    }
    if (!is_event_name(event->name) || (event->mode && !is_event_name(event->mode))) {
        g_autofree char *text = g_strdup_printf(
            "event \"%.80s\", mode \"%.80s\": expected 1 to %d characters of a-z, 0-9, _ and -",
            event->name ? event->name : "", event->mode ? event->mode : "", SCREE_MAX_EVENT_TEXT);
        return refuse_event(instance, SCREE_E_CONFIG, text);
    }
    if (!has_sense(event)) {
        g_autofree char *text =
            g_strdup_printf("event \"%s\", value %g: expected finite numbers (a value of NaN, and "
                            "x = NULL, where there is none)",
                            event->name, event->value);
        return refuse_event(instance, SCREE_E_CONFIG, text);
    }
    if (!log || scree_events_foreign) // !log: this instance belongs to no run
        return SCREE_OK;
    pthread_mutex_lock(&log->mutex);
    const char *refused = add_event(log, instance, event);
    pthread_mutex_unlock(&log->mutex);
    return refused ? refuse_event(instance, SCREE_E_UNSUPPORTED, refused) : SCREE_OK;
}

/** Reserves the file of events for the host, unless an observer writes it already. */
static void claim_file(scree_runtime *runtime)
{
    static const char owner[] = "the record of events (" SCREE_SERVICE_EVENTS ")";
    const char *writer = scree_output_claim(runtime, SCREE_EVENTS_FILE, owner);
    if (writer && runtime->events && !runtime->events->elsewhere) {
        runtime->events->elsewhere = true;
        scree_say(SCREE_SAY_WARNING, "%s writes %s: events are counted, and not written", writer,
                  SCREE_EVENTS_FILE);
    }
}

const scree_events *scree_events_give(scree_instance *instance)
{
    claim_file(instance->runtime);
    instance->events =
        (scree_events){.size = sizeof(scree_events), .ctx = instance, .report = report_event};
    return &instance->events;
}

/* ---- what has happened ---- */

void scree_event_log_open(scree_event_log *log)
{
    log->open = true;
}

void scree_event_log_drop(scree_event_log *log)
{
    log->open = false;
    g_array_set_size(log->pending, 0);
}

#define RECORDS "a(sssttdddd)"

GBytes *scree_event_log_pack(const scree_event_log *log)
{
    GVariantBuilder all;
    if (!log->pending->len)
        return NULL;
    g_variant_builder_init(&all, G_VARIANT_TYPE(RECORDS));
    for (guint i = 0; i < log->pending->len; i++) {
        const record *one = &g_array_index(log->pending, record, i);
        g_variant_builder_add(&all, "(sssttdddd)", one->slot, one->name, one->mode, one->id_a,
                              one->id_b, one->x[0], one->x[1], one->x[2], one->value);
    }
    g_autoptr(GVariant) packed = g_variant_ref_sink(g_variant_builder_end(&all));
    return g_variant_get_data_as_bytes(packed);
}

bool scree_event_log_unpack(scree_event_log *log, const void *bytes, uint64_t n)
{
    g_autoptr(GBytes) copy = g_bytes_new(bytes, n);
    g_autoptr(GVariant) all =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(RECORDS), copy, FALSE));
    const bool good = g_variant_is_normal_form(all);
    const gsize n_records = good ? g_variant_n_children(all) : 0;
    for (gsize i = 0; i < n_records; i++) {
        record one;
        const char *slot, *name, *mode;
        g_variant_get_child(all, i, "(&s&s&sttdddd)", &slot, &name, &mode, &one.id_a, &one.id_b,
                            &one.x[0], &one.x[1], &one.x[2], &one.value);
        one.slot = keep_text(log, slot);
        one.name = keep_text(log, name);
        one.mode = keep_text(log, mode);
        g_array_append_val(log->pending, one);
    }
    return good;
}

/** Compares numbers; NaN comes first. */
static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (int)isnan(b) - (int)isnan(a);
    return a < b ? -1 : a > b;
}

static int compare_records(const void *pa, const void *pb)
{
    const record *a = pa, *b = pb;
    int by = strcmp(a->slot, b->slot);
    by = by ? by : strcmp(a->name, b->name);
    by = by ? by : (a->id_a > b->id_a) - (a->id_a < b->id_a);
    by = by ? by : (a->id_b > b->id_b) - (a->id_b < b->id_b);
    by = by ? by : strcmp(a->mode, b->mode);
    for (int k = 0; k < 3; k++)
        by = by ? by : compare_reals(a->x[k], b->x[k]);
    return by ? by : compare_reals(a->value, b->value);
}

static void append_real(GString *row, double value)
{
    g_string_append_c(row, ',');
    if (!isnan(value))
        g_string_append_printf(row, "%.17g", value);
}

static void append_id(GString *row, uint64_t id)
{
    g_string_append_c(row, ',');
    if (id != SCREE_NO_BODY)
        g_string_append_printf(row, "%" PRIu64, id);
}

static void append_row(GString *rows, uint64_t step, double time, const record *one)
{
    g_string_append_printf(rows, "%" PRIu64 ",%.17g,%s,%s,%s", step, time, one->slot, one->name,
                           one->mode);
    append_id(rows, one->id_a);
    append_id(rows, one->id_b);
    for (int k = 0; k < 3; k++)
        append_real(rows, one->x[k]);
    append_real(rows, one->value);
    g_string_append_c(rows, '\n');
}

/** Writes whole rows, so that a table that is cut short still holds whole events. */
static bool write_rows(scree_event_log *log, const GString *rows, const char *folder,
                       GError **error)
{
    static const char head[] = "step,time,from,event,mode,a,b,x,y,z,value\n";
    g_autofree char *path = g_build_filename(folder, SCREE_EVENTS_FILE, NULL);
    g_autofree char *text = NULL;
    bool begins = log->file.fd < 0;
    if (begins && !scree_part_file_open(&log->file, path, &text))
        return scree_fail(error, SCREE_EXIT_RUN, "%s", text);
    if ((!begins || scree_write_all(log->file.fd, head, sizeof head - 1)) &&
        scree_write_all(log->file.fd, rows->str, rows->len))
        return true;
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", SCREE_EVENTS_FILE,
                      g_strerror(errno));
}

bool scree_event_log_take(scree_event_log *log, uint64_t step, double time, const char *folder,
                          GError **error)
{
    log->open = false;
    if (!log->pending->len || log->muted) {
        g_array_set_size(log->pending, 0);
        return true;
    }
    g_autoptr(GString) rows = g_string_new(NULL);
    bool writes = folder && !log->elsewhere;
    g_array_sort(log->pending, compare_records);
    for (guint i = 0; i < log->pending->len; i++) {
        const record *one = &g_array_index(log->pending, record, i);
        const gsize n = GPOINTER_TO_SIZE(g_hash_table_lookup(log->counts, one->name));
        g_hash_table_insert(log->counts, (void *)one->name, GSIZE_TO_POINTER(n + 1));
        if (writes)
            append_row(rows, step, time, one);
    }
    g_array_set_size(log->pending, 0);
    return !writes || write_rows(log, rows, folder, error);
}

bool scree_event_log_finish(scree_event_log *log, GError **error)
{
    g_autofree char *text = NULL;
    if (log->file.fd < 0 || scree_part_file_end(&log->file, true, &text))
        return true;
    return scree_fail(error, SCREE_EXIT_RUN, "%s", text);
}

void scree_event_log_mute(scree_event_log *log)
{
    log->muted = true;
    log->file.fd = -1;
}

void scree_event_log_each(const scree_event_log *log,
                          void (*take)(void *user, const char *name, uint64_t count), void *user)
{
    GList *names = g_list_sort(g_hash_table_get_keys(log->counts), (GCompareFunc)strcmp);
    for (const GList *at = names; at; at = at->next)
        take(user, at->data, GPOINTER_TO_SIZE(g_hash_table_lookup(log->counts, at->data)));
    g_list_free(names);
}
