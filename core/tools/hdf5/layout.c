/* SPDX-License-Identifier: Apache-2.0 */
/* The module scree-hdf5.so: the layout of a checkpoint, written and read by the same calls. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "build_config.h"
#include "tools/hdf5/h5_values.h"
#include "tools/hdf5/h5_write.h"
#include "tools/hdf5/layout_lists.h"
#include "tools/restart/checkpoint_sum.h"

/*
 * The file: SCREE_H5_HEAD bytes of text, SCREE_CHECKPOINT_HEAD, filled with zeros, which are HDF5's
 * user block; then HDF5 data. The checksum is compared before HDF5 reads a byte, because some damage
 * crashes HDF5. The SHA-256 of the state is computed again after reading, because a file that was
 * written wrongly has the right checksum. Arrays are written from their places: a copy of the state,
 * or of the file, would set the peak of a run's memory.
 */
enum { MOST_BODIES = INT32_MAX };

static void transfer_reals(scree_h5 *h5, const char *const *names, int n_names, uint64_t n,
                           double *const *columns)
{
    for (int k = 0; k < n_names; k++)
        scree_h5_memory(h5, names[k], SCREE_H5_F64, n, 1, columns[k]);
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
    scree_h5_array(h5, "anchor", SCREE_H5_F64, n, WIDTH, &rows);
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
    if (h5->writing ? any : scree_h5_has(h5, "density"))
        scree_h5_memory(h5, "density", SCREE_H5_F64, w->n, 1, w->own_density);
}

static void transfer_columns(scree_h5 *h5, scree_world *w)
{
    static const char *const x[] = {"x", "y", "z"}, *const q[] = {"q_w", "q_x", "q_y", "q_z"},
                             *const v[] = {"v_x", "v_y", "v_z"},
                             *const spin[] = {"w_x", "w_y", "w_z"},
                             *const image[] = {"image_x", "image_y", "image_z"};
    uint64_t n = w->n;
    scree_h5_memory(h5, "shape", SCREE_H5_U32, n, 1, w->shape);
    scree_h5_memory(h5, "material", SCREE_H5_U32, n, 1, w->material);
    scree_h5_memory(h5, "motion", SCREE_H5_U32, n, 1, w->motion);
    scree_h5_memory(h5, "group", SCREE_H5_U32, n, 1, w->group);
    scree_h5_memory(h5, "scale", SCREE_H5_F64, n, 1, w->scale);
    transfer_density(h5, w);
    for (int k = 0; k < 3; k++)
        scree_h5_memory(h5, image[k], SCREE_H5_I32, n, 1, w->image[k]);
    transfer_reals(h5, x, 3, n, w->x);
    transfer_reals(h5, q, 4, n, w->q);
    transfer_reals(h5, v, 3, n, w->v);
    transfer_reals(h5, spin, 3, n, w->w);
    scree_h5_memory(h5, "wrench", SCREE_H5_F64, n, SCREE_WRENCH, w->wrench);
    transfer_anchors(h5, w);
    for (uint32_t f = 0; f < w->n_fields && !h5->error; f++) {
        g_autofree char *name = g_strdup_printf("field_%u", f);
        scree_h5_memory(h5, name, SCREE_H5_F64, n, 1, w->field[f]);
    }
}

/** Transfers the numbers and their leaves. */
static void transfer_numbers(scree_h5 *h5, scree_world *w)
{
    G_STATIC_ASSERT(sizeof(scree_leaf) == 2 * sizeof(uint64_t));
    uint64_t n = w->n_leaves;
    scree_h5_memory(h5, "number", SCREE_H5_U64, w->n, 1, w->number);
    scree_h5_memory(h5, "n_entered", SCREE_H5_U32, G_N_ELEMENTS(w->n_entered), 1, w->n_entered);
    scree_h5_real(h5, "leaf_cell", &w->leaf_cell);
    scree_h5_count(h5, "n_leaves", &n, MOST_BODIES / 2);
    scree_h5_array(h5, "leaf", SCREE_H5_U64, n, 2, &w->leaf);
    w->n_leaves = (uint32_t)n;
}

static void transfer_bodies(scree_h5 *h5, scree_checkpoint *c, uint64_t version)
{
    scree_snapshot *s = c->snapshot;
    bool writing = h5->writing;
    uint64_t *id = writing ? s->world->id : NULL, n = writing ? s->world->n : 0;
    scree_h5_group(h5, "bodies");
    scree_h5_count(h5, "n", &n, MOST_BODIES);
    scree_h5_array(h5, "id", SCREE_H5_U64, n, 1, &id);
    if (!writing) {
        s->world = g_new0(scree_world, 1);
        s->world->n_fields = c->n_body_fields;
        s->world->field = g_new0(double *, s->world->n_fields + 1);
        s->world->field_initial = g_new0(double, s->world->n_fields + 1);
        if (!h5->error) { // the ids were read, so that the number is right
            scree_h5_program->reserve(s->world, MAX((uint32_t)n, 1));
            s->world->n = (uint32_t)n;
            memcpy(s->world->id, id, n * sizeof *id);
        }
        g_free(id);
    }
    scree_h5_u32(h5, "n_free", &s->world->n_free, s->world->n);
    scree_h5_u64(h5, "next_id", &s->world->next_id);
    if (writing ? s->world->slant > 0.0 : scree_h5_has(h5, "cell")) {
        scree_h5_real(h5, "slant", &s->world->slant);
        scree_h5_memory(h5, "cell", SCREE_H5_F64, 3, 3, s->world->cell.vector);
    }
    if (!h5->error)
        transfer_columns(h5, s->world);
    if (!h5->error && version > 1) // a restart gives the bodies of an older file new numbers
        transfer_numbers(h5, s->world);
    scree_h5_leave(h5);
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
        const scree_contact_key key = scree_h5_program->key_at(sim, rows->pairs, s, at);
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
    scree_h5_program->each(rows->order, rows->pairs, first, n, take_row, rows);
}

/** Transfers one quantity of contacts or pairs. Those of a run (`live`) are gathered and written in
 * parts; otherwise *array has the values, or becomes a new array. */
static void transfer_rows(scree_h5 *h5, const char *name, scree_h5_type type, uint64_t columns,
                          live_rows live, uint64_t n, void *array)
{
    if (live.order)
        scree_h5_rows(h5, name, type, n, columns, fill_rows, &live);
    else
        scree_h5_array(h5, name, type, n, columns, array);
}

static void transfer_contacts(scree_h5 *h5, scree_checkpoint *c)
{
    const scree_snapshot *s = c->snapshot;
    const scree_contact_order *live = c->order;
    scree_contact_store none = {.n = live ? live->n[0] : 0, .n_pairs = live ? live->n[1] : 0};
    scree_contact_store *store = live ? &none : s->contacts;
    scree_h5_group(h5, "contacts");
    scree_h5_count(h5, "n", &store->n, UINT32_MAX);
    transfer_rows(h5, "key", SCREE_H5_U64, 4, (live_rows){live, false, KEY, NULL}, store->n,
                  &store->key);
    transfer_rows(h5, "keep", SCREE_H5_U8, 1, (live_rows){live, false, KEEP, NULL}, store->n,
                  &store->keep);
    transfer_rows(h5, "stored", SCREE_H5_F64, 1, (live_rows){live, false, STORED, NULL}, store->n,
                  &store->stored);
    transfer_rows(h5, "field", SCREE_H5_F64, s->n_contact_fields,
                  (live_rows){live, false, FIELDS, NULL}, store->n, &store->field);
    scree_h5_leave(h5);
    scree_h5_group(h5, "pairs");
    scree_h5_count(h5, "n", &store->n_pairs, UINT32_MAX);
    transfer_rows(h5, "key", SCREE_H5_U64, 4, (live_rows){live, true, KEY, NULL}, store->n_pairs,
                  &store->pair_key);
    transfer_rows(h5, "field", SCREE_H5_F64, s->n_pair_fields,
                  (live_rows){live, true, FIELDS, NULL}, store->n_pairs, &store->pair_field);
    scree_h5_leave(h5);
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
    if (h5->writing ? any_fresh(s) : scree_h5_has(h5, "fresh_from"))
        scree_layout_numbers(h5, "n_fresh_from", "fresh_from", SCREE_H5_U64,
                             SCREE_CHECKPOINT_COLUMNS, s->fresh_from);
}

/** Transfers a sum by its digits; older files have its value. */
static void transfer_sum(scree_h5 *h5, const char *name, scree_exact_sum *sum)
{
    g_autofree char *digits = g_strconcat(name, "_digits", NULL);
    double value = 0.0;
    if (h5->writing) {
        scree_exact_sum_carry(sum);
    } else if (!scree_h5_has(h5, digits)) {
        scree_h5_real(h5, name, &value);
        *sum = (scree_exact_sum){.odd = 0.0};
        scree_exact_sum_add(sum, value);
        return;
    }
    scree_h5_memory(h5, digits, SCREE_H5_U64, SCREE_EXACT_DIGITS, 1, sum->digit);
    if (!h5->error && !scree_exact_sum_sound(sum))
        scree_h5_fail(h5, "%s: expected digits below 2^32", digits);
}

static void transfer_run(scree_h5 *h5, scree_checkpoint *c)
{
    scree_snapshot *s = c->snapshot;
    scree_h5_group(h5, "run");
    scree_h5_u64(h5, "step", &s->step);
    scree_h5_u64(h5, "seed", &c->seed); // random numbers depend on seed, id and step
    if (h5->writing ? s->step0 > 0 : scree_h5_has(h5, "step0"))
        scree_h5_memory(h5, "step0", SCREE_H5_U64, 1, 1, &s->step0); // dt has changed
    scree_h5_real(h5, "t0", &s->t0);
    scree_h5_real(h5, "dt", &s->dt);
    scree_h5_real(h5, "lag", &s->lag);
    transfer_sum(h5, "stored", &s->stored);
    transfer_sum(h5, "lost", &s->lost);
    transfer_sum(h5, "work", &s->work);
    scree_h5_real(h5, "start_energy", &s->start_energy);
    scree_h5_real(h5, "mechanical", &s->mechanical);
    scree_h5_u64(h5, "destroyed", &s->n_destroyed);
    scree_h5_u64(h5, "candidates", &s->n_candidates);
    scree_h5_u64(h5, "contacts", &s->n_contacts);
    scree_h5_u64(h5, "contacts_free", &s->n_contacts_free);
    scree_h5_array(h5, "global_field", SCREE_H5_F64, s->n_global_fields, 1, &s->global_field);
    scree_layout_numbers(h5, "n_edited", "edited", SCREE_H5_U64, MOST_BODIES, s->edited);
    transfer_fresh(h5, s);
    scree_h5_leave(h5);
}

static void transfer_all(scree_h5 *h5, scree_checkpoint *c)
{
    uint64_t version = SCREE_CHECKPOINT_VERSION;
    scree_h5_u64(h5, "version", &version);
    if (!version || version > SCREE_CHECKPOINT_VERSION)
        scree_h5_fail(h5, "expected layout version %d or less, got %" PRIu64,
                      SCREE_CHECKPOINT_VERSION, version);
    scree_h5_text(h5, "scree", &c->host);
    scree_h5_text(h5, "state_sha256", &c->state_sha256);
    scree_layout_plugins(h5, c);
    if (h5->error)
        return;
    scree_layout_identity(h5, c);
    scree_layout_scene(h5, c->scene);
    transfer_run(h5, c);
    transfer_bodies(h5, c, version);
    transfer_contacts(h5, c);
    scree_layout_memories(h5, c);
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
    bool good = sum && pwrite(fd, head, sizeof head, 0) == (ssize_t)sizeof head &&
                !scree_h5_program->sync(fd);
    int number = good ? 0 : errno ? errno : EIO;
    if (fd >= 0 && close(fd) && !number)
        number = errno;
    return number;
}

static bool transfer_file(const scree_h5_host *host, scree_checkpoint *c, const char *path,
                          bool writing, GError **error)
{
    scree_h5_program = host;
    scree_h5 *h5 = writing ? scree_h5_create(path, error) : scree_h5_open(path, error);
    if (!h5)
        return false;
    transfer_all(h5, c);
    const bool good = writing ? scree_h5_end(h5, error) : !h5->error;
    if (!good && !writing)
        g_propagate_error(error, g_error_copy(h5->error));
    scree_h5_free(h5);
    const int number = good && writing ? sign_file(path) : 0;
    return number ? scree_fail(error, SCREE_EXIT_RUN, "%s", g_strerror(number)) : good;
}

const scree_h5_io scree_hdf5 = {.head = {SCREE_VERSION, sizeof(scree_h5_io)},
                                .transfer = transfer_file};
