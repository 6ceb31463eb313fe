/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: HDF5 behind a head that holds the SHA-256 of the rest. */
#include "run/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/shortage.h"
#include "build_config.h"
#include "change/wait.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/snapshot.h"
#include "run/blame_file.h"
#include "run/checkpoint_check.h"
#include "run/checkpoint_plugins.h"
#include "run/states_file.h"
#include "run/sums_file.h"
#include "run/waits_file.h"
#include "scene/scene_print.h"

/*
 * The file: SCREE_H5_HEAD bytes of text, HEAD below, filled with zeros, which are HDF5's user
 * block; then HDF5. The checksum is compared before HDF5 reads a byte, because HDF5 does not
 * survive every damage; each dataset has another one (fletcher32) for other readers. The SHA-256 of
 * the state is computed again after it was read, because a file that was written wrongly has the
 * right checksum.
 */
#define HEAD "scree checkpoint %u\nbytes %020" PRIu64 "\nsha256 %s\n"
#define SUFFIX ".h5"
#define PREFIX "checkpoint-"
enum { MOST_BODIES = INT32_MAX, MOST_COLUMNS = 1024 };

/** Writes an array of the world, or reads into it. */
static void transfer_column(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t n,
                            void *column, size_t size)
{
    if (scree_h5_is_writing(h5)) {
        scree_h5_array(h5, name, type, n, 1, &column);
        return;
    }
    g_autofree void *read = NULL;
    scree_h5_array(h5, name, type, n, 1, &read);
    if (read && n && scree_h5_good(h5, NULL))
        memcpy(column, read, n * size);
}

static void transfer_reals(scree_h5 *h5, const char *const *names, int n_names, uint64_t n,
                           double *const *columns)
{
    for (int k = 0; k < n_names; k++)
        transfer_column(h5, names[k], SCREE_H5_F64, n, columns[k], sizeof(double));
}

/** Bodies that are not free have the pose that their own motion started from. */
static void transfer_anchors(scree_h5 *h5, scree_world *w)
{
    enum { WIDTH = 14 };
    uint32_t n = w->n - w->n_free;
    bool writing = scree_h5_is_writing(h5);
    g_autofree double *rows = writing ? g_new(double, (size_t)n *WIDTH + 1) : NULL;
    if (writing)
        for (uint32_t i = 0; i < n; i++)
            for (int k = 0; k < WIDTH; k++)
                rows[i * WIDTH + k] =
                    k < WIDTH - 1 ? w->anchor[k][w->n_free + i] : w->anchor_time[w->n_free + i];
    scree_h5_array(h5, "anchor", SCREE_H5_F64, n, WIDTH, &rows);
    if (!writing)
        for (uint32_t i = 0; scree_h5_good(h5, NULL) && i < n; i++)
            for (int k = 0; k < WIDTH; k++)
                *(k < WIDTH - 1 ? &w->anchor[k][w->n_free + i] : &w->anchor_time[w->n_free + i]) =
                    rows[i * WIDTH + k];
}

static void transfer_wrench(scree_h5 *h5, scree_world *w)
{
    bool writing = scree_h5_is_writing(h5);
    g_autofree double *read = NULL;
    double *lines = writing ? w->wrench : NULL; // reading makes a new array, or none
    scree_h5_array(h5, "wrench", SCREE_H5_F64, w->n, SCREE_WRENCH, &lines);
    if (writing)
        return;
    read = lines;
    if (w->n && scree_h5_good(h5, NULL))
        memcpy(w->wrench, read, (size_t)w->n * SCREE_WRENCH * sizeof(double));
}

/** Only where an edit has set one. */
static void transfer_density(scree_h5 *h5, scree_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->n && !any; i++)
        any = w->own_density[i] > 0.0;
    if (scree_h5_is_writing(h5) ? any : scree_h5_has(h5, "density"))
        transfer_column(h5, "density", SCREE_H5_F64, w->n, w->own_density, sizeof(double));
}

static void transfer_columns(scree_h5 *h5, scree_world *w)
{
    static const char *const x[] = {"x", "y", "z"}, *const q[] = {"q_w", "q_x", "q_y", "q_z"},
                             *const v[] = {"v_x", "v_y", "v_z"},
                             *const spin[] = {"w_x", "w_y", "w_z"},
                             *const image[] = {"image_x", "image_y", "image_z"};
    uint64_t n = w->n;
    transfer_column(h5, "shape", SCREE_H5_U32, n, w->shape, sizeof(uint32_t));
    transfer_column(h5, "material", SCREE_H5_U32, n, w->material, sizeof(uint32_t));
    transfer_column(h5, "motion", SCREE_H5_U32, n, w->motion, sizeof(uint32_t));
    transfer_column(h5, "group", SCREE_H5_U32, n, w->group, sizeof(uint32_t));
    transfer_column(h5, "scale", SCREE_H5_F64, n, w->scale, sizeof(double));
    transfer_density(h5, w);
    for (int k = 0; k < 3; k++)
        transfer_column(h5, image[k], SCREE_H5_I32, n, w->image[k], sizeof(int32_t));
    transfer_reals(h5, x, 3, n, w->x);
    transfer_reals(h5, q, 4, n, w->q);
    transfer_reals(h5, v, 3, n, w->v);
    transfer_reals(h5, spin, 3, n, w->w);
    transfer_wrench(h5, w);
    transfer_anchors(h5, w);
    for (uint32_t f = 0; f < w->n_fields && scree_h5_good(h5, NULL); f++) {
        g_autofree char *name = g_strdup_printf("field_%u", f);
        transfer_column(h5, name, SCREE_H5_F64, n, w->field[f], sizeof(double));
    }
}

static void transfer_bodies(scree_h5 *h5, scree_checkpoint *c)
{
    scree_snapshot *s = c->snapshot;
    bool writing = scree_h5_is_writing(h5);
    uint64_t *id = writing ? s->world->id : NULL, n = writing ? s->world->n : 0;
    scree_h5_enter(h5, "bodies");
    scree_h5_count(h5, "n", &n, MOST_BODIES);
    scree_h5_array(h5, "id", SCREE_H5_U64, n, 1, &id);
    if (!writing) {
        s->world = g_new0(scree_world, 1);
        s->world->n_fields = c->n_body_fields;
        s->world->field = g_new0(double *, s->world->n_fields + 1);
        s->world->field_initial = g_new0(double, s->world->n_fields + 1);
        if (scree_h5_good(h5, NULL)) { // the ids were read, so that the count is right
            scree_world_reserve(s->world, MAX((uint32_t)n, 1));
            s->world->n = (uint32_t)n;
            memcpy(s->world->id, id, n * sizeof *id);
        }
        g_free(id);
    }
    scree_h5_u32(h5, "n_free", &s->world->n_free, s->world->n);
    scree_h5_u64(h5, "next_id", &s->world->next_id);
    if (scree_h5_good(h5, NULL))
        transfer_columns(h5, s->world);
    scree_h5_leave(h5);
}

/** Keys are rows of four numbers. */
static void transfer_keys(scree_h5 *h5, uint64_t n, scree_contact_key **keys)
{
    G_STATIC_ASSERT(sizeof(scree_contact_key) == 4 * sizeof(uint64_t));
    scree_h5_array(h5, "key", SCREE_H5_U64, n, 4, keys);
}

static void transfer_contacts(scree_h5 *h5, scree_snapshot *s)
{
    scree_contact_store *store = s->contacts;
    scree_h5_enter(h5, "contacts");
    scree_h5_count(h5, "n", &store->n, UINT32_MAX);
    transfer_keys(h5, store->n, &store->key);
    scree_h5_array(h5, "keep", SCREE_H5_U8, store->n, 1, &store->keep);
    scree_h5_array(h5, "stored", SCREE_H5_F64, store->n, 1, &store->stored);
    scree_h5_array(h5, "field", SCREE_H5_F64, store->n, s->n_contact_fields, &store->field);
    scree_h5_leave(h5);
    scree_h5_enter(h5, "pairs");
    scree_h5_count(h5, "n", &store->n_pairs, UINT32_MAX);
    transfer_keys(h5, store->n_pairs, &store->pair_key);
    scree_h5_array(h5, "field", SCREE_H5_F64, store->n_pairs, s->n_pair_fields, &store->pair_field);
    scree_h5_leave(h5);
}

static void transfer_edited(scree_h5 *h5, scree_snapshot *s)
{
    bool writing = scree_h5_is_writing(h5);
    uint64_t n = writing ? s->edited->len : 0, *ids = writing ? (void *)s->edited->data : NULL;
    scree_h5_count(h5, "n_edited", &n, MOST_BODIES);
    scree_h5_array(h5, "edited", SCREE_H5_U64, n, 1, &ids);
    if (writing)
        return;
    if (scree_h5_good(h5, NULL))
        g_array_append_vals(s->edited, ids, (guint)n);
    g_free(ids);
}

/** Whether a column has elements that still hold `initial`. */
static bool any_fresh(const scree_snapshot *s)
{
    bool any = false;
    for (guint k = 0; k < s->fresh_from->len; k++)
        any = any || g_array_index(s->fresh_from, uint64_t, k) < s->world->next_id;
    return any;
}

/** Which fields of bodies and of the run still hold `initial`; absent: none of them. */
static void transfer_fresh(scree_h5 *h5, scree_snapshot *s)
{
    bool writing = scree_h5_is_writing(h5);
    uint64_t n = writing ? s->fresh_from->len : 0;
    uint64_t *from = writing ? (void *)s->fresh_from->data : NULL;
    if (writing ? !any_fresh(s) : !scree_h5_has(h5, "fresh_from"))
        return;
    scree_h5_count(h5, "n_fresh_from", &n, MOST_COLUMNS);
    scree_h5_array(h5, "fresh_from", SCREE_H5_U64, n, 1, &from);
    if (writing)
        return;
    if (scree_h5_good(h5, NULL))
        g_array_append_vals(s->fresh_from, from, (guint)n);
    g_free(from);
}

static void transfer_run(scree_h5 *h5, scree_checkpoint *c)
{
    scree_snapshot *s = c->snapshot;
    scree_h5_enter(h5, "run");
    scree_h5_u64(h5, "step", &s->step);
    scree_h5_u64(h5, "seed", &c->seed); // random numbers are functions of seed, id and step
    if (scree_h5_is_writing(h5) ? s->step0 > 0 : scree_h5_has(h5, "step0"))
        transfer_column(h5, "step0", SCREE_H5_U64, 1, &s->step0, sizeof s->step0); // dt has changed
    scree_h5_real(h5, "t0", &s->t0);
    scree_h5_real(h5, "dt", &s->dt);
    scree_h5_real(h5, "lag", &s->lag);
    scree_h5_real(h5, "stored", &s->stored);
    scree_h5_real(h5, "lost", &s->lost);
    scree_h5_real(h5, "work", &s->work);
    scree_h5_real(h5, "start_energy", &s->start_energy);
    scree_h5_real(h5, "mechanical", &s->mechanical);
    scree_h5_u64(h5, "destroyed", &s->n_destroyed);
    scree_h5_u64(h5, "candidates", &s->n_candidates);
    scree_h5_u64(h5, "contacts", &s->n_contacts);
    scree_h5_u64(h5, "contacts_free", &s->n_contacts_free);
    scree_h5_array(h5, "global_field", SCREE_H5_F64, s->n_global_fields, 1, &s->global_field);
    transfer_edited(h5, s);
    transfer_fresh(h5, s);
    scree_h5_leave(h5);
}

/** How the run has ended, in a replay file. */
static void transfer_blame(scree_h5 *h5, scree_checkpoint *c)
{
    uint64_t there = scree_h5_is_writing(h5) && c->blame;
    scree_h5_enter(h5, "blamed");
    scree_h5_count(h5, "there", &there, 1);
    if (there && scree_h5_good(h5, NULL)) {
        scree_h5_text(h5, "text", &c->blame_text);
        scree_h5_u64(h5, "step", &c->blame_step);
        scree_blame_transfer(h5, &c->blame);
    }
    scree_h5_leave(h5);
}

/** The whole layout, for both directions. */
static void transfer(scree_h5 *h5, scree_checkpoint *c)
{
    uint64_t version = SCREE_CHECKPOINT_VERSION;
    scree_h5_u64(h5, "version", &version);
    if (version != SCREE_CHECKPOINT_VERSION)
        scree_h5_fail(h5, "expected layout version %d, got %" PRIu64, SCREE_CHECKPOINT_VERSION,
                      version);
    scree_h5_text(h5, "scree", &c->host);
    scree_h5_text(h5, "state_sha256", &c->state_sha256);
    scree_checkpoint_plugins(h5, c);
    if (!scree_h5_good(h5, NULL))
        return;
    scree_identity_transfer(h5, &c->identity);
    scree_stored_scene_transfer(h5, &c->scene);
    scree_h5_blob(h5, "printed", &c->printed);
    transfer_run(h5, c);
    transfer_bodies(h5, c);
    transfer_contacts(h5, c->snapshot);
    transfer_blame(h5, c);
    scree_kept_sums_transfer(h5, &c->sums);
    scree_kept_states_transfer(h5, &c->states);
    scree_kept_waits_transfer(h5, &c->waits);
}

/* --- writing ---------------------------------------------------------------------------------- */

static char *sum_image(const uint8_t *bytes, size_t n)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, bytes + SCREE_H5_HEAD, (gssize)(n - SCREE_H5_HEAD));
    char *text = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return text;
}

static bool write_image(scree_h5 *h5, const char *path, GError **error)
{
    uint8_t *bytes;
    size_t n;
    g_autoptr(GError) inner = NULL;
    if (!scree_h5_image(h5, &bytes, &n, error))
        return false;
    g_autofree char *sha256 = sum_image(bytes, n);
    memset(bytes, 0, SCREE_H5_HEAD);
    g_snprintf((char *)bytes, SCREE_H5_HEAD, HEAD, SCREE_CHECKPOINT_VERSION, (uint64_t)n, sha256);
    if (g_file_set_contents_full(path, (const char *)bytes, (gssize)n,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0666,
                                 &inner))
        return true;
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", scree_folder_shown(path),
                      inner->message);
}

/** The states of a snapshot, and, unless a plugin is to blame, those that observers have now. */
static GPtrArray *list_states(const scree_sim *sim, const scree_snapshot *snapshot, bool blamed,
                              GError **error)
{
    g_autoptr(GPtrArray) states = scree_kept_states_part(snapshot->states, false);
    bool good = scree_snapshot_check(snapshot, error);
    const guint n = blamed ? 0 : sim->observers->len;
    for (guint i = 0; i < n && good; i++)
        good = scree_kept_states_save(states, sim->observers->pdata[i], error);
    return good ? g_steal_pointer(&states) : NULL;
}

static bool write_checkpoint(const scree_sim *sim, const scree_snapshot *snapshot,
                             scree_blame *blame, const char *text, const char *path, GError **error)
{
    scree_working_on("a checkpoint");
    scree_snapshot *own = snapshot ? NULL : scree_snapshot_borrow(sim);
    scree_checkpoint c = {.snapshot = own ? own : (scree_snapshot *)snapshot,
                          .acted = scree_kept_entries_of(sim),
                          .plugins = scree_kept_plugins_for_restart(sim),
                          .keeping = scree_keeping_laws_of(sim),
                          .sums = scree_kept_sums_of(&sim->runtime),
                          .waits = blame ? NULL : scree_waits_keep(sim),
                          .identity = sim->scene->identity,
                          .scene = scree_stored_scene_of(sim->scene),
                          .printed = scree_scene_print(sim->scene),
                          .host = (char *)SCREE_VERSION,
                          .seed = sim->scene->seed,
                          .blame = blame,
                          .blame_text = (char *)text,
                          .blame_step = sim->step};
    g_assert(!own || !sim->moves.n);
    memcpy(c.columns, sim->plugins.columns, sizeof c.columns);
    c.states = list_states(sim, c.snapshot, blame != NULL, error);
    c.state_sha256 = scree_snapshot_sha256(c.snapshot);
    g_autoptr(scree_h5) h5 = c.states ? scree_h5_create(error) : NULL;
    if (h5)
        transfer(h5, &c);
    bool written = h5 && write_image(h5, path, error);
    g_clear_pointer(&c.waits, g_array_unref);
    g_array_unref(c.acted);
    g_array_unref(c.plugins);
    g_ptr_array_unref(c.keeping);
    g_array_unref(c.sums);
    g_clear_pointer(&c.states, g_ptr_array_unref);
    scree_stored_scene_free(c.scene);
    g_free(c.printed);
    g_free(c.state_sha256);
    scree_snapshot_free(own);
    return written;
}

bool scree_checkpoint_write(const scree_sim *sim, const scree_snapshot *snapshot, const char *path,
                            GError **error)
{
    return write_checkpoint(sim, snapshot, NULL, NULL, path, error);
}

bool scree_checkpoint_write_blamed(const scree_sim *sim, const scree_snapshot *snapshot,
                                   const char *text, const char *path, GError **error)
{
    g_autoptr(scree_blame) unknown = sim->blame ? NULL : scree_blame_new(0, NULL, NULL);
    return write_checkpoint(sim, snapshot, unknown ? unknown : sim->blame, text, path, error);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool fail_file(GError **error, const char *path, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool fail_file(GError **error, const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: %s", path, text);
}

/** Whether every byte is as it was written. */
static bool check_file(const char *path, GError **error)
{
    g_autoptr(GError) inner = NULL;
    unsigned version = 0;
    uint64_t said = 0;
    char sha256[65] = "", head[SCREE_H5_HEAD + 1] = "", wanted[SCREE_H5_HEAD] = "";
    GMappedFile *file =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_mapped_file_new(path, FALSE, &inner) : NULL;
    if (!file) {
        scree_check_file_shortage(inner, "reading a checkpoint"); // not the file's fault
        return scree_fail(error, SCREE_EXIT_USAGE, "cannot read %s: %s", path,
                          inner                                   ? inner->message
                          : g_file_test(path, G_FILE_TEST_EXISTS) ? "expected a regular file"
                                                                  : "there is no such file");
    }
    const uint8_t *bytes = (const uint8_t *)g_mapped_file_get_contents(file);
    size_t n = g_mapped_file_get_length(file);
    if (n > SCREE_H5_HEAD)
        memcpy(head, bytes, SCREE_H5_HEAD);
    bool good = sscanf(head, "scree checkpoint %u bytes %" SCNu64 " sha256 %64[0-9a-f]", &version,
                       &said, sha256) == 3;
    g_snprintf(wanted, sizeof wanted, HEAD, version, said, sha256);
    if (!good || memcmp(head, wanted, sizeof wanted))
        good = fail_file(error, path, "it is not a checkpoint, or its first %d bytes are damaged",
                         SCREE_H5_HEAD);
    else if (version != SCREE_CHECKPOINT_VERSION)
        good = fail_file(error, path, "expected layout version %d, got %u",
                         SCREE_CHECKPOINT_VERSION, version);
    else if (said != n)
        good = fail_file(error, path, "expected %" PRIu64 " bytes, got %zu", said, n);
    else {
        g_autofree char *is = sum_image(bytes, n);
        if (strcmp(is, sha256))
            good = fail_file(error, path, "it is damaged: expected SHA-256 %s, got %s", sha256, is);
    }
    g_mapped_file_unref(file);
    return good;
}

static bool check_state(const scree_checkpoint *c, GError **error)
{
    g_autofree char *fault = scree_checkpoint_fault(c);
    if (fault)
        return fail_file(error, c->path, "its state is invalid: %s", fault);
    g_autofree char *is = scree_snapshot_sha256(c->snapshot);
    return !strcmp(is, c->state_sha256) ||
           fail_file(error, c->path, "its state has SHA-256 %s, expected %s", is, c->state_sha256);
}

/** Columns that the file does not name have all their values. */
static void set_fresh(scree_checkpoint *c)
{
    GArray *from = c->snapshot->fresh_from;
    const uint64_t next = MAX(c->snapshot->world->next_id, 1);
    while (from->len < MOST_COLUMNS)
        g_array_append_val(from, next);
    scree_columns_set_fresh(c->columns, from);
}

scree_checkpoint *scree_checkpoint_read(const char *path, GError **error)
{
    g_autoptr(GError) inner = NULL;
    scree_working_on("reading a checkpoint");
    if (!check_file(path, error) || !scree_h5_load(error)) // a missing module is not its fault
        return NULL;
    g_autoptr(scree_h5) h5 = scree_h5_open(path, &inner);
    if (!h5) {
        fail_file(error, path, "%s", inner->message);
        return NULL;
    }
    g_autoptr(scree_checkpoint) c = g_new0(scree_checkpoint, 1);
    c->path = g_strdup(path);
    c->snapshot = g_new0(scree_snapshot, 1);
    c->snapshot->contacts = g_new0(scree_contact_store, 1);
    c->snapshot->edited = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    c->snapshot->fresh_from = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    transfer(h5, c);
    if (scree_h5_good(h5, NULL))
        set_fresh(c);
    c->snapshot->states = scree_kept_states_part(c->states, false);
    if (!scree_h5_good(h5, &inner)) {
        fail_file(error, path, "%s", inner->message);
        return NULL;
    }
    return check_state(c, error) ? g_steal_pointer(&c) : NULL;
}

void scree_checkpoint_free(scree_checkpoint *c)
{
    if (!c)
        return;
    scree_snapshot_free(c->snapshot);
    for (uint32_t scope = 0; scope < SCREE_SCOPES; scope++)
        g_clear_pointer(&c->columns[scope], g_ptr_array_unref);
    g_clear_pointer(&c->acted, g_array_unref);
    if (c->plugins)
        g_array_unref(c->plugins);
    if (c->keeping)
        g_ptr_array_unref(c->keeping);
    g_clear_pointer(&c->sums, g_array_unref);
    g_clear_pointer(&c->waits, g_array_unref);
    g_clear_pointer(&c->states, g_ptr_array_unref);
    scree_identity_free(c->identity);
    scree_stored_scene_free(c->scene);
    scree_blame_free(c->blame);
    char *texts[] = {c->path, c->printed, c->host, c->state_sha256, c->blame_text};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(c);
}

/* --- files of a folder ------------------------------------------------------------------------ */

char *scree_checkpoint_path(const char *folder, uint64_t step)
{
    g_autofree char *name = g_strdup_printf(PREFIX "%" PRIu64 SUFFIX, step);
    return g_build_filename(folder, name, NULL);
}

bool scree_checkpoint_step(const char *path, uint64_t *step)
{
    g_autofree char *name = g_path_get_basename(path);
    if (!g_str_has_prefix(name, PREFIX) || !g_str_has_suffix(name, SUFFIX))
        return false;
    name[strlen(name) - strlen(SUFFIX)] = '\0';
    return g_ascii_string_to_unsigned(name + strlen(PREFIX), 10, 0, UINT64_MAX, step, NULL);
}

static int compare_steps(const void *a, const void *b)
{
    uint64_t x = 0, y = 0;
    scree_checkpoint_step(*(char *const *)a, &x);
    scree_checkpoint_step(*(char *const *)b, &y);
    return x > y ? -1 : x < y;
}

GPtrArray *scree_checkpoint_list(const char *folder, GError **error)
{
    g_autoptr(GError) inner = NULL;
    GDir *dir = g_dir_open(folder, 0, &inner);
    if (!dir) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s", inner->message);
        return NULL;
    }
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    uint64_t step;
    for (const char *name; (name = g_dir_read_name(dir));)
        if (scree_checkpoint_step(name, &step))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_dir_close(dir);
    g_ptr_array_sort(paths, compare_steps);
    return paths;
}

scree_checkpoint *scree_checkpoint_find(const char *path, GError **error)
{
    if (!g_file_test(path, G_FILE_TEST_IS_DIR))
        return scree_checkpoint_read(path, error);
    g_autoptr(GPtrArray) paths = scree_checkpoint_list(path, error);
    if (!paths)
        return NULL;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GError) inner = NULL;
        scree_checkpoint *found = scree_checkpoint_read(paths->pdata[i], &inner);
        if (found)
            return found;
        fprintf(stderr, "scree: warning: skipped %s\n", inner->message);
    }
    if (paths->len)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: none of its %u checkpoints is good",
                    path, paths->len);
    else
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "%s holds no checkpoint (" PREFIX "STEP" SUFFIX ")", path);
    return NULL;
}
