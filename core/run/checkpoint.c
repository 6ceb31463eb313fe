/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: HDF5 data after a head with a checksum of the rest. */
#include "run/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/say.h"
#include "base/sha256.h"
#include "base/shortage.h"
#include "build_config.h"
#include "change/condition_state.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/snapshot.h"
#include "run/checkpoint_plugins.h"
#include "run/scene_stored.h"

/*
 * The file: SCREE_H5_HEAD bytes of text, SCREE_CHECKPOINT_HEAD, filled with zeros, which are HDF5's user
 * block; then HDF5 data. The checksum is compared before HDF5 reads a byte, because some damage
 * crashes HDF5. The SHA-256 of the state is computed again after reading, because a file that was
 * written wrongly has the right checksum. Arrays are written from their places: a copy of the
 * state, or of the file, would set the peak of a run's memory.
 */
#define SUFFIX ".h5"
#define PREFIX "checkpoint-"
enum { MOST_BODIES = INT32_MAX };

static void transfer_reals(scree_h5 *h5, const char *const *names, int n_names, uint64_t n,
                           double *const *columns)
{
    for (int k = 0; k < n_names; k++)
        h5->io->memory(h5, names[k], SCREE_H5_F64, n, 1, columns[k]);
}

/** Transfers the poses at which the motions of bodies began, for bodies that are not free. */
static void transfer_anchors(scree_h5 *h5, scree_world *w)
{
    enum { WIDTH = 14 };
    uint32_t n = w->n - w->n_free;
    g_autofree double *rows = h5->writing ? g_new(double, (size_t)n *WIDTH + 1) : NULL;
    if (h5->writing)
        for (uint32_t i = 0; i < n; i++)
            for (int k = 0; k < WIDTH; k++)
                rows[i * WIDTH + k] =
                    k < WIDTH - 1 ? w->anchor[k][w->n_free + i] : w->anchor_time[w->n_free + i];
    h5->io->array(h5, "anchor", SCREE_H5_F64, n, WIDTH, &rows);
    if (h5->writing || h5->error)
        return;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < WIDTH; k++)
            *(k < WIDTH - 1 ? &w->anchor[k][w->n_free + i] : &w->anchor_time[w->n_free + i]) =
                rows[i * WIDTH + k];
}

/** Transfers densities, if an edit has set one. */
static void transfer_density(scree_h5 *h5, scree_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->n && !any; i++)
        any = w->own_density[i] > 0.0;
    if (h5->writing ? any : h5->io->has(h5, "density"))
        h5->io->memory(h5, "density", SCREE_H5_F64, w->n, 1, w->own_density);
}

static void transfer_columns(scree_h5 *h5, scree_world *w)
{
    static const char *const x[] = {"x", "y", "z"}, *const q[] = {"q_w", "q_x", "q_y", "q_z"},
                             *const v[] = {"v_x", "v_y", "v_z"},
                             *const spin[] = {"w_x", "w_y", "w_z"},
                             *const image[] = {"image_x", "image_y", "image_z"};
    uint64_t n = w->n;
    h5->io->memory(h5, "shape", SCREE_H5_U32, n, 1, w->shape);
    h5->io->memory(h5, "material", SCREE_H5_U32, n, 1, w->material);
    h5->io->memory(h5, "motion", SCREE_H5_U32, n, 1, w->motion);
    h5->io->memory(h5, "group", SCREE_H5_U32, n, 1, w->group);
    h5->io->memory(h5, "scale", SCREE_H5_F64, n, 1, w->scale);
    transfer_density(h5, w);
    for (int k = 0; k < 3; k++)
        h5->io->memory(h5, image[k], SCREE_H5_I32, n, 1, w->image[k]);
    transfer_reals(h5, x, 3, n, w->x);
    transfer_reals(h5, q, 4, n, w->q);
    transfer_reals(h5, v, 3, n, w->v);
    transfer_reals(h5, spin, 3, n, w->w);
    h5->io->memory(h5, "wrench", SCREE_H5_F64, n, SCREE_WRENCH, w->wrench);
    transfer_anchors(h5, w);
    for (uint32_t f = 0; f < w->n_fields && !h5->error; f++) {
        g_autofree char *name = g_strdup_printf("field_%u", f);
        h5->io->memory(h5, name, SCREE_H5_F64, n, 1, w->field[f]);
    }
}

/** Transfers the numbers and their leaves. */
static void transfer_numbers(scree_h5 *h5, scree_world *w)
{
    G_STATIC_ASSERT(sizeof(scree_leaf) == 2 * sizeof(uint64_t));
    uint64_t n = w->n_leaves;
    h5->io->memory(h5, "number", SCREE_H5_U64, w->n, 1, w->number);
    h5->io->memory(h5, "n_entered", SCREE_H5_U32, G_N_ELEMENTS(w->n_entered), 1, w->n_entered);
    h5->io->real(h5, "leaf_cell", &w->leaf_cell);
    h5->io->count(h5, "n_leaves", &n, MOST_BODIES / 2);
    h5->io->array(h5, "leaf", SCREE_H5_U64, n, 2, &w->leaf);
    w->n_leaves = (uint32_t)n;
}

static void transfer_bodies(scree_h5 *h5, scree_checkpoint *c, uint64_t version)
{
    scree_snapshot *s = c->snapshot;
    bool writing = h5->writing;
    uint64_t *id = writing ? s->world->id : NULL, n = writing ? s->world->n : 0;
    h5->io->group(h5, "bodies");
    h5->io->count(h5, "n", &n, MOST_BODIES);
    h5->io->array(h5, "id", SCREE_H5_U64, n, 1, &id);
    if (!writing) {
        s->world = g_new0(scree_world, 1);
        s->world->n_fields = c->n_body_fields;
        s->world->field = g_new0(double *, s->world->n_fields + 1);
        s->world->field_initial = g_new0(double, s->world->n_fields + 1);
        if (!h5->error) { // the ids were read, so that the number is right
            scree_world_reserve(s->world, MAX((uint32_t)n, 1));
            s->world->n = (uint32_t)n;
            memcpy(s->world->id, id, n * sizeof *id);
        }
        g_free(id);
    }
    h5->io->u32(h5, "n_free", &s->world->n_free, s->world->n);
    h5->io->u64(h5, "next_id", &s->world->next_id);
    if (writing ? s->world->slant > 0.0 : h5->io->has(h5, "cell")) {
        h5->io->real(h5, "slant", &s->world->slant);
        h5->io->memory(h5, "cell", SCREE_H5_F64, 3, 3, s->world->cell.vector);
    }
    if (!h5->error)
        transfer_columns(h5, s->world);
    if (!h5->error && version > 1) // a restart gives the bodies of an older file new numbers
        transfer_numbers(h5, s->world);
    h5->io->leave(h5);
}

/** Keys are rows of four numbers. */
G_STATIC_ASSERT(sizeof(scree_contact_key) == 4 * sizeof(uint64_t));

/** Quantities of contacts or pairs, one dataset each. */
typedef enum row_kind { KEY, KEEP, STORED, FIELDS } row_kind;

/** Contacts or pairs of a run; `to` gets one quantity of them, row by row. */
typedef struct live_rows {
    const scree_contact_order *order;
    bool pairs;
    row_kind kind;
    uint8_t *to;
} live_rows;

static void put_row(live_rows *rows, const void *row, size_t bytes)
{
    memcpy(rows->to, row, bytes);
    rows->to += bytes;
}

static void take_row(void *user, const scree_segment *s, uint32_t at)
{
    live_rows *rows = user;
    const scree_sim *sim = rows->order->sim;
    const scree_contact_plugins *contact = &sim->plugins.contact;
    const uint32_t committed = sim->contacts.committed;
    const scree_table *t = &s->table[committed];
    double *const *field = rows->pairs ? s->pair_field[committed] : t->field;
    const uint32_t n = rows->pairs ? contact->n_pair_fields : contact->n_fields;
    if (rows->kind == KEY) {
        const scree_contact_key key = scree_contact_key_at(sim, rows->pairs, s, at);
        put_row(rows, &key, sizeof key);
    } else if (rows->kind == KEEP)
        put_row(rows, t->keep ? &t->keep[at] : &(uint8_t){0}, 1);
    else if (rows->kind == STORED)
        put_row(rows, t->stored ? &t->stored[at] : &(double){0.0}, sizeof(double));
    else
        for (uint32_t f = 0; f < n; f++)
            put_row(rows, &field[f][at], sizeof(double));
}

static void fill_rows(void *user, uint64_t first, uint64_t n, void *to)
{
    live_rows *rows = user;
    rows->to = to;
    scree_contact_order_each(rows->order, rows->pairs, first, n, take_row, rows);
}

/** Transfers one quantity of contacts or pairs. Those of a run (`live`) are gathered and written in
 * parts; otherwise *array has the values, or becomes a new array. */
static void transfer_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t columns,
                          live_rows live, uint64_t n, void *array)
{
    if (live.order)
        h5->io->rows(h5, name, type, n, columns, fill_rows, &live);
    else
        h5->io->array(h5, name, type, n, columns, array);
}

static void transfer_contacts(scree_h5 *h5, scree_checkpoint *c)
{
    const scree_snapshot *s = c->snapshot;
    const scree_contact_order *live = c->order;
    scree_contact_store none = {.n = live ? live->n[0] : 0, .n_pairs = live ? live->n[1] : 0};
    scree_contact_store *store = live ? &none : s->contacts;
    h5->io->group(h5, "contacts");
    h5->io->count(h5, "n", &store->n, UINT32_MAX);
    transfer_rows(h5, "key", SCREE_H5_U64, 4, (live_rows){live, false, KEY, NULL}, store->n,
                  &store->key);
    transfer_rows(h5, "keep", SCREE_H5_U8, 1, (live_rows){live, false, KEEP, NULL}, store->n,
                  &store->keep);
    transfer_rows(h5, "stored", SCREE_H5_F64, 1, (live_rows){live, false, STORED, NULL}, store->n,
                  &store->stored);
    transfer_rows(h5, "field", SCREE_H5_F64, s->n_contact_fields,
                  (live_rows){live, false, FIELDS, NULL}, store->n, &store->field);
    h5->io->leave(h5);
    h5->io->group(h5, "pairs");
    h5->io->count(h5, "n", &store->n_pairs, UINT32_MAX);
    transfer_rows(h5, "key", SCREE_H5_U64, 4, (live_rows){live, true, KEY, NULL}, store->n_pairs,
                  &store->pair_key);
    transfer_rows(h5, "field", SCREE_H5_F64, s->n_pair_fields,
                  (live_rows){live, true, FIELDS, NULL}, store->n_pairs, &store->pair_field);
    h5->io->leave(h5);
}

/** Returns whether a column has elements that still hold `initial`. */
static bool any_fresh(const scree_snapshot *s)
{
    bool any = false;
    for (guint k = 0; k < s->fresh_from->len; k++)
        any = any || g_array_index(s->fresh_from, uint64_t, k) < s->world->next_id;
    return any;
}

/** Transfers which fields of bodies and of the run still hold `initial`; absent: none. */
static void transfer_fresh(scree_h5 *h5, scree_snapshot *s)
{
    if (h5->writing ? any_fresh(s) : h5->io->has(h5, "fresh_from"))
        scree_saved_numbers_transfer(h5, "n_fresh_from", "fresh_from", SCREE_H5_U64,
                                     SCREE_CHECKPOINT_COLUMNS, s->fresh_from);
}

/** Transfers a sum by its digits; older files have its value. */
static void transfer_sum(scree_h5 *h5, const char *name, scree_exact_sum *sum)
{
    g_autofree char *digits = g_strconcat(name, "_digits", NULL);
    double value = 0.0;
    if (h5->writing) {
        scree_exact_sum_carry(sum);
    } else if (!h5->io->has(h5, digits)) {
        h5->io->real(h5, name, &value);
        scree_exact_sum_set(sum, value);
        return;
    }
    h5->io->memory(h5, digits, SCREE_H5_U64, SCREE_EXACT_DIGITS, 1, sum->digit);
    if (!h5->error && !scree_exact_sum_sound(sum))
        h5->io->fail(h5, "%s: expected digits below 2^32", digits);
}

static void transfer_run(scree_h5 *h5, scree_checkpoint *c)
{
    scree_snapshot *s = c->snapshot;
    h5->io->group(h5, "run");
    h5->io->u64(h5, "step", &s->step);
    h5->io->u64(h5, "seed", &c->seed); // random numbers depend on seed, id and step
    if (h5->writing ? s->step0 > 0 : h5->io->has(h5, "step0"))
        h5->io->memory(h5, "step0", SCREE_H5_U64, 1, 1, &s->step0); // dt has changed
    h5->io->real(h5, "t0", &s->t0);
    h5->io->real(h5, "dt", &s->dt);
    h5->io->real(h5, "lag", &s->lag);
    transfer_sum(h5, "stored", &s->stored);
    transfer_sum(h5, "lost", &s->lost);
    transfer_sum(h5, "work", &s->work);
    h5->io->real(h5, "start_energy", &s->start_energy);
    h5->io->real(h5, "mechanical", &s->mechanical);
    h5->io->u64(h5, "destroyed", &s->n_destroyed);
    h5->io->u64(h5, "candidates", &s->n_candidates);
    h5->io->u64(h5, "contacts", &s->n_contacts);
    h5->io->u64(h5, "contacts_free", &s->n_contacts_free);
    h5->io->array(h5, "global_field", SCREE_H5_F64, s->n_global_fields, 1, &s->global_field);
    scree_saved_numbers_transfer(h5, "n_edited", "edited", SCREE_H5_U64, MOST_BODIES, s->edited);
    transfer_fresh(h5, s);
    h5->io->leave(h5);
}

void scree_checkpoint_transfer(scree_h5 *h5, scree_checkpoint *c)
{
    uint64_t version = SCREE_CHECKPOINT_VERSION;
    h5->io->u64(h5, "version", &version);
    if (!version || version > SCREE_CHECKPOINT_VERSION)
        h5->io->fail(h5, "expected layout version %d or less, got %" PRIu64,
                     SCREE_CHECKPOINT_VERSION, version);
    h5->io->text(h5, "scree", &c->host);
    h5->io->text(h5, "state_sha256", &c->state_sha256);
    scree_checkpoint_plugins(h5, c);
    if (h5->error)
        return;
    scree_checkpoint_identity(h5, c);
    scree_stored_scene_transfer(h5, &c->scene);
    transfer_run(h5, c);
    transfer_bodies(h5, c, version);
    transfer_contacts(h5, c);
    scree_checkpoint_memories(h5, c);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* It maps nothing, because mapped pages count as memory of the process. */
char *scree_checkpoint_sum(int fd, uint64_t n, const char *kind)
{
    enum { SOME = 1 << 18 };
    g_autofree uint8_t *bytes = g_malloc(SOME);
    scree_sha256 *sum = strcmp(kind, SCREE_CHECKPOINT_CRC32) ? scree_sha256_new() : NULL;
    uint64_t at = SCREE_H5_HEAD;
    uLong crc = 0;
    for (ssize_t got = 1; at < n && got > 0; at += (uint64_t)MAX(got, 0)) {
        got = pread(fd, bytes, MIN(SOME, n - at), (off_t)at);
        if (got > 0 && sum)
            scree_sha256_add(sum, bytes, (size_t)got);
        else if (got > 0)
            crc = crc32_z(crc, bytes, (size_t)got);
    }
    char *text = sum ? scree_sha256_end(sum) : g_strdup_printf("%08lx", crc);
    if (at < n)
        g_clear_pointer(&text, g_free);
    return text;
}

/** Writes the head, once the rest is in the file, and syncs. Returns 0 or an errno. */
static int sign_file(const char *path)
{
    char head[SCREE_H5_HEAD] = "";
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    g_autofree char *sum =
        n >= 0 ? scree_checkpoint_sum(fd, (uint64_t)n, SCREE_CHECKPOINT_CRC32) : NULL;
    if (sum)
        g_snprintf(head, sizeof head, SCREE_CHECKPOINT_HEAD, SCREE_CHECKPOINT_VERSION, (uint64_t)n,
                   SCREE_CHECKPOINT_CRC32, sum);
    bool good =
        sum && pwrite(fd, head, sizeof head, 0) == (ssize_t)sizeof head && !scree_file_sync(fd);
    int number = good ? 0 : errno ? errno : EIO;
    if (fd >= 0 && close(fd) && !number)
        number = errno;
    return number;
}

/** Writes under another name first, so that an older file of this name stays complete. */
static bool write_file(scree_checkpoint *c, const char *path, GError **error)
{
    g_autofree char *part = g_strconcat(path, ".part", NULL);
    g_autoptr(GError) inner = NULL;
    g_autoptr(scree_h5) h5 = scree_h5_create(part, &inner);
    if (h5)
        scree_checkpoint_transfer(h5, c);
    int number = h5 && h5->io->end(h5, &inner) ? sign_file(part) : 0;
    if (!inner && !number)
        number = rename(part, path) ? errno : scree_folder_sync(path);
    if (!inner && !number)
        return true;
    unlink(part);
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", scree_folder_shown(path),
                      inner ? inner->message : g_strerror(number));
}

/** Adds the states of a snapshot; with `now`, those of observers too, which `own` then owns. */
static bool list_states(const scree_sim *sim, const scree_snapshot *snapshot, bool now,
                        GPtrArray *all, GPtrArray *own, GError **error)
{
    bool good = scree_snapshot_check(snapshot, error);
    const guint n = now ? sim->observers->len : 0;
    for (guint i = 0; i < n && good; i++)
        good = scree_saved_states_save(own, sim->observers->pdata[i], error);
    if (snapshot->states)
        g_ptr_array_extend(all, snapshot->states, NULL, NULL);
    g_ptr_array_extend(all, own, NULL, NULL);
    return good;
}

bool scree_checkpoint_write(const scree_sim *sim, const scree_earlier *earlier, const char *path,
                            GError **error)
{
    scree_working_on("a checkpoint");
    scree_contact_order order;
    scree_snapshot *own = earlier ? NULL : scree_snapshot_borrow(sim);
    scree_checkpoint c = {.snapshot = own ? own : earlier->snapshot,
                          .acted = sim->swaps.acted,
                          .plugins = scree_saved_plugins_for_restart(sim),
                          .keeping = scree_keeping_laws_of(sim),
                          .conditions =
                              own ? scree_conditions_keep(sim) : g_array_ref(earlier->conditions),
                          .identity = sim->scene->identity,
                          .scene = scree_stored_scene_of(sim->scene),
                          .host = (char *)SCREE_VERSION,
                          .seed = sim->scene->seed};
    g_assert(!own || !sim->moves.n);
    memcpy(c.columns, sim->plugins.columns, sizeof c.columns);
    g_autoptr(GPtrArray) states = scree_saved_states_new();
    c.states = g_ptr_array_new();
    const bool good = list_states(sim, c.snapshot, own != NULL, c.states, states, error);
    if (own)
        scree_contact_order_begin(sim, &order);
    c.order = own ? &order : NULL;
    c.state_sha256 = own ? scree_state_sha256_of(sim, &order) : scree_snapshot_sha256(c.snapshot);
    bool written = good && write_file(&c, path, error);
    if (own)
        scree_contact_order_end(&order);
    g_clear_pointer(&c.conditions, g_array_unref);
    g_array_unref(c.plugins);
    g_ptr_array_unref(c.keeping);
    g_ptr_array_unref(c.states);
    scree_stored_scene_free(c.scene);
    g_free(c.state_sha256);
    scree_snapshot_free(own);
    return written;
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
