/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts for observers: kept after an accepted evaluation, listed when they are read. */
#include "engine/contact_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/body_index.h"
#include "engine/contact_record.h"
#include "engine/contacts.h"
#include "engine/rank_rows.h"
#include "plugin/field_uses.h"

/*
 * Between an evaluation and an observer's reading, the end of a step may delete bodies, renumber
 * them and swap laws. So contacts are kept by the ids of their bodies, with copies of fields and
 * results of laws, and become arrays by storage number when an observer reads them.
 */

/** Contacts of a segment that are also consecutive in the canonical order. */
typedef struct run {
    const scree_segment *segment;
    uint64_t at, n;
} run;

/** A law at the time of that evaluation. */
typedef struct kept_law {
    const char *id, *slot; /* slot: interned */
    uint32_t first, n;     /* its contact fields */
} kept_law;

/** A field at that time; its texts are interned. */
typedef struct kept_column {
    scree_field_of field;
    uint32_t first; /* first component among the kept ones */
} kept_column;

struct scree_contact_copy {
    GArray *keys;      /* elements: scree_contact_key, in canonical order */
    GArray *runs;      /* elements: run, while it is made */
    GArray *walls;     /* elements: guint, indices of contacts with bodies that are not free */
    GArray *laws;      /* elements: kept_law; empty: not by law */
    GArray *columns;   /* elements: kept_column */
    uint32_t n_fields; /* number of kept components: contact fields, then pair fields */
    uint32_t n_contact_field; /* number of contact fields among them */
    scree_exact_sum lost_ended;
    scree_record_table records, shares, fields; /* shares: [laws] */
};

/** Counts by row + 2, or (`of`) lists by row, the contacts of list l, as segment << 32 | number.
 * Those of a row follow one another in its segments. */
static void scatter_contacts(const scree_sim *sim, uint32_t l, uint32_t *start, uint64_t *of)
{
    const uint32_t per_list = scree_segment_count(sim) / sim->plugins.contact.n_lists;
    for (uint32_t k = l * per_list; k < (l + 1) * per_list; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_table *t = &s->table[sim->contacts.committed];
        const uint64_t n_own = scree_ranks_computes(sim, k) ? t->n : 0;
        for (uint64_t c = 0; c < n_own; c++) {
            const uint32_t row = scree_pair_row(s, t->pair[c]);
            if (of)
                of[start[row + 1]++] = (uint64_t)k << 32 | c;
            else
                start[row + 2]++;
        }
    }
}

/** Lists all contacts in canonical order: by list, row, column, shift, feature. *n: their number.
 * New array. */
static uint64_t *sort_contacts(const scree_sim *sim, uint64_t *n)
{
    const uint32_t n_free = sim->world->n_free;
    g_autofree uint32_t *start = g_new(uint32_t, (size_t)n_free + 2);
    uint64_t n_pairs, at = 0;
    scree_contacts_count(sim, n, &n_pairs);
    uint64_t *order = g_new(uint64_t, *n + 1);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++, at += start[n_free]) {
        memset(start, 0, ((size_t)n_free + 2) * sizeof *start);
        scatter_contacts(sim, l, start, NULL);
        for (uint32_t row = 2; row < n_free + 2; row++)
            start[row] += start[row - 1];
        scatter_contacts(sim, l, start, order + at);
    }
    *n = at; // without those of segments that other ranks compute
    return order;
}

static scree_contact_copy *make_kept(void)
{
    scree_contact_copy *to = g_new0(scree_contact_copy, 1);
    to->keys = g_array_new(FALSE, FALSE, sizeof(scree_contact_key));
    to->runs = g_array_new(FALSE, FALSE, sizeof(run));
    to->walls = g_array_new(FALSE, FALSE, sizeof(guint));
    to->laws = g_array_new(FALSE, FALSE, sizeof(kept_law));
    to->columns = g_array_new(FALSE, FALSE, sizeof(kept_column));
    return to;
}

void scree_contact_copy_free(scree_contact_copy *kept)
{
    if (!kept)
        return;
    g_array_unref(kept->keys);
    g_array_unref(kept->runs);
    g_array_unref(kept->walls);
    g_array_unref(kept->laws);
    g_array_unref(kept->columns);
    free(kept->records.bytes);
    free(kept->shares.bytes);
    free(kept->fields.bytes);
    g_free(kept);
}

static void keep_laws(const scree_sim *sim, scree_contact_copy *to)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        kept_law one = {law->instance->plugin->id, g_intern_string(law->instance->slot),
                        law->first_contact_field, law->n_contact_fields};
        g_array_append_val(to->laws, one);
    }
}

static void keep_columns(const scree_sim *sim, uint32_t scope, uint32_t first,
                         scree_contact_copy *to)
{
    const scree_column *column;
    for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &k)); k++) {
        const kept_column one = {{.slot = g_intern_string(column->slot),
                                  .name = g_intern_string(column->name),
                                  .unit = g_intern_string(column->unit),
                                  .scope = scope,
                                  .components = column->components},
                                 first + column->first};
        g_array_append_val(to->columns, one);
    }
}

/** Keeps keys and runs of the contacts. */
static void keep_keys(const scree_sim *sim, scree_contact_copy *to)
{
    uint64_t n;
    g_autofree uint64_t *order = sort_contacts(sim, &n);
    g_array_set_size(to->keys, 0);
    g_array_set_size(to->runs, 0);
    g_array_set_size(to->walls, 0);
    run last = {.n = 0};
    for (uint64_t i = 0; i < n; i++) {
        const scree_segment *s = scree_segment_at(sim, (uint32_t)(order[i] >> 32));
        const uint32_t c = (uint32_t)order[i];
        const scree_contact_key key = scree_contact_key_at(sim, false, s, c);
        g_array_append_val(to->keys, key);
        const guint number = (guint)i;
        if (scree_pair_column(s, s->table[sim->contacts.committed].pair[c]) >= sim->world->n_free)
            g_array_append_val(to->walls, number);
        if (last.n && (s != last.segment || c != last.at + last.n)) {
            g_array_append_val(to->runs, last);
            last.n = 0;
        }
        if (!last.n)
            last = (run){s, c, 0};
        last.n++;
    }
    if (last.n)
        g_array_append_val(to->runs, last);
}

/** Copies columns of `width` bytes per contact from the segments' records, in total or by law. */
static void keep_column(const scree_contact_copy *kept, size_t table, size_t slot, size_t width,
                        const scree_record_table *to)
{
    char *at = scree_record_column(to, slot);
    for (guint r = 0; r < kept->runs->len; r++) {
        const run *one = &g_array_index(kept->runs, run, r);
        const scree_record_table *from =
            (const scree_record_table *)(const void *)((const char *)one->segment + table);
        memcpy(at, (const char *)scree_record_column(from, slot) + one->at * width, one->n * width);
        at += one->n * width;
    }
}

/** Copies field f: contact fields by contact, pair fields by pair. */
static void keep_field(const scree_sim *sim, const scree_contact_copy *kept, uint32_t f)
{
    double *to = scree_record_column(&kept->fields, f * sizeof *to);
    const uint32_t committed = sim->contacts.committed, n_contact = kept->n_contact_field;
    for (guint r = 0; r < kept->runs->len; r++) {
        const run *one = &g_array_index(kept->runs, run, r);
        const scree_table *t = &one->segment->table[committed];
        for (uint64_t c = one->at; c < one->at + one->n; c++)
            *to++ = f < n_contact ? t->field[f][c]
                                  : one->segment->pair_field[committed][f - n_contact][t->pair[c]];
    }
}

/** Makes the columns of the kept fields. */
static void keep_fields(const scree_sim *sim, scree_contact_copy *to)
{
    to->n_contact_field = sim->plugins.n_live[SCREE_SCOPE_CONTACT];
    to->n_fields = to->n_contact_field + sim->plugins.n_live[SCREE_SCOPE_PAIR];
    to->n_fields = sim->records.fields ? to->n_fields : 0;
    g_array_set_size(to->columns, 0);
    if (!to->n_fields)
        return;
    keep_columns(sim, SCREE_SCOPE_CONTACT, 0, to);
    keep_columns(sim, SCREE_SCOPE_PAIR, to->n_contact_field, to);
    scree_record_table_grow(&to->fields, to->n_fields * sizeof(double), to->keys->len, 0);
    for (uint32_t f = 0; f < to->n_fields; f++)
        keep_field(sim, to, f);
}

void scree_contact_copy_make(const scree_sim *sim, scree_contact_copy **kept)
{
    scree_contact_copy *to = *kept = *kept ? *kept : make_kept();
    to->lost_ended = sim->account.lost_ended;
    keep_keys(sim, to);
    keep_fields(sim, to);
    g_array_set_size(to->laws, 0);
    if (sim->records.by_law)
        keep_laws(sim, to);
    const size_t shares = to->laws->len * sizeof(scree_law_record);
    scree_record_table_grow(&to->records, sizeof(scree_record), to->keys->len, 0);
    scree_record_table_grow(&to->shares, shares, to->keys->len, 0);
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->list && k < q->n; k++)
            keep_column(to, offsetof(scree_segment, records), q->record + k * sizeof(double),
                        q->width, &to->records);
    for (size_t slot = 0; slot < shares; slot += sizeof(double))
        keep_column(to, offsetof(scree_segment, law_records), slot, sizeof(double), &to->shares);
}

/* ---- contacts of other ranks ---- */

/** A contact with a body that is not free. */
typedef struct wall_row {
    scree_contact_key key;
    scree_record record;
} wall_row;

/** Copies contact c from the columns to a row, or with `back` from the row. */
static void copy_row(const scree_contact_copy *kept, wall_row *row, guint c, bool back)
{
    scree_contact_key *key = &g_array_index(kept->keys, scree_contact_key, c);
    memcpy(back ? key : &row->key, back ? &row->key : key, sizeof *key);
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->list && k < q->n; k++) {
            const size_t slot = q->record + k * sizeof(double);
            char *column = (char *)scree_record_column(&kept->records, slot) + c * q->width,
                 *value = (char *)&row->record + slot;
            memcpy(back ? column : value, back ? value : column, q->width);
        }
}

GArray *scree_contact_copy_rows(const scree_contact_copy *kept)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(wall_row));
    g_array_set_size(rows, kept->walls->len);
    for (guint k = 0; k < rows->len; k++)
        copy_row(kept, &g_array_index(rows, wall_row, k), g_array_index(kept->walls, guint, k),
                 false);
    return rows;
}

void scree_contact_copy_add(scree_contact_copy *kept, const GArray *rows, guint first)
{
    const guint n = kept->keys->len, n_all = n + rows->len - first;
    g_array_set_size(kept->keys, n_all);
    scree_record_table_grow(&kept->records, sizeof(scree_record), n_all, n);
    for (guint k = n; k < n_all; k++)
        copy_row(kept, &g_array_index(rows, wall_row, first + k - n), k, true);
}

/* ---- the list ---- */

static void *keep(const scree_sim *sim, size_t bytes)
{
    void *memory = scree_aligned_new(bytes);
    g_ptr_array_add(sim->records.list_arrays, memory);
    return memory;
}

/** Moves value of[i] of a column to index i; `of` ascends. */
static void drop_values(const scree_record_table *table, size_t slot, size_t width,
                        const uint32_t *of, uint64_t n)
{
    char *column = scree_record_column(table, slot);
    for (uint64_t i = 0; i < n; i++)
        memmove(column + i * width, column + of[i] * width, width);
}

/** Keeps only the contacts with the n indices in `of`: each other contact lost a body at the end of
 * the step. */
static void drop_bodiless(scree_contact_copy *kept, const uint32_t *of, uint64_t n)
{
    const double *lost = scree_record_column(&kept->records, offsetof(scree_record, all.lost));
    for (uint64_t c = 0, i = 0; c < kept->keys->len; c++) {
        const bool stays = i < n && of[i] == c;
        scree_exact_sum_add(&kept->lost_ended, stays ? 0.0 : lost[c]);
        i += stays;
    }
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->list && k < q->n; k++)
            drop_values(&kept->records, q->record + k * sizeof(double), q->width, of, n);
    for (size_t slot = 0; slot < kept->laws->len * sizeof(scree_law_record); slot += sizeof(double))
        drop_values(&kept->shares, slot, sizeof(double), of, n);
    for (size_t slot = 0; slot < kept->n_fields * sizeof(double); slot += sizeof(double))
        drop_values(&kept->fields, slot, sizeof(double), of, n);
    for (uint64_t i = 0; i < n; i++)
        g_array_index(kept->keys, scree_contact_key, i) =
            g_array_index(kept->keys, scree_contact_key, of[i]);
    g_array_set_size(kept->keys, (guint)n);
}

/** Finds the current storage numbers of the contacts' bodies; drops contacts that lost a body. */
static void find_bodies(const scree_sim *sim, scree_contact_copy *kept, scree_contact_list *list)
{
    const scree_world *w = sim->world;
    const guint n = kept->keys->len;
    g_autofree uint32_t *table = scree_body_table_new(w);
    g_autofree uint32_t *by_id = table ? NULL : scree_body_index_new(w);
    g_autofree uint32_t *of = g_new(uint32_t, n + 1);
    uint32_t *a = keep(sim, n * sizeof *a), *b = keep(sim, n * sizeof *b);
    for (guint c = 0; c < n; c++) {
        const scree_contact_key *key = &g_array_index(kept->keys, scree_contact_key, c);
        a[list->n] = table ? table[key->id_a] : scree_body_index_find(w, by_id, key->id_a);
        b[list->n] = table ? table[key->id_b] : scree_body_index_find(w, by_id, key->id_b);
        of[list->n] = c;
        list->n += a[list->n] != SCREE_NONE && b[list->n] != SCREE_NONE;
    }
    if (list->n < n)
        drop_bodiless(kept, of, list->n);
    list->a = a;
    list->b = b;
}

static void fill_keys(const scree_sim *sim, const scree_contact_copy *kept,
                      scree_contact_list *list)
{
    const scree_world *w = sim->world;
    uint64_t *feature = keep(sim, list->n * sizeof *feature);
    int32_t *image[3];
    for (int k = 0; k < 3; k++)
        list->image[k] = image[k] = keep(sim, list->n * sizeof *image[k]);
    list->feature = feature;
    for (uint64_t i = 0; i < list->n; i++) {
        const scree_contact_key *key = &g_array_index(kept->keys, scree_contact_key, i);
        int32_t cells[3];
        scree_shift_unpack(key->shift, cells);
        feature[i] = key->feature;
        for (int k = 0; k < 3; k++)
            image[k][i] = cells[k] + w->image[k][list->b[i]] - w->image[k][list->a[i]];
    }
}

/** Makes the share of law l. */
static scree_contact_law *make_law(const scree_sim *sim, const scree_contact_copy *kept, uint32_t l)
{
    const kept_law *law = &g_array_index(kept->laws, kept_law, l);
    scree_contact_law *out = keep(sim, sizeof *out);
    *out = (scree_contact_law){.size = sizeof *out,
                               .n_fields = law->n,
                               .id = law->id,
                               .slot = law->slot,
                               .fields = law->n ? sim->records.field_arrays + law->first : NULL};
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->law && k < q->n; k++)
            scree_array_set((char *)out + q->law + k * sizeof(void *),
                            scree_record_column(&kept->shares, l * sizeof(scree_law_record) +
                                                                   q->record + k * sizeof(double)));
    return out;
}

void scree_contact_copy_list(scree_sim *sim, scree_contact_copy *kept, scree_contact_list *list)
{
    *list = (scree_contact_list){.size = sizeof *list, .n_laws = kept->laws->len};
    if (!sim->records.list_arrays)
        sim->records.list_arrays = g_ptr_array_new_with_free_func(free);
    g_ptr_array_set_size(sim->records.list_arrays, 0);
    find_bodies(sim, kept, list);
    fill_keys(sim, kept, list);
    list->lost_ended = scree_exact_sum_value(&kept->lost_ended);
    for (const scree_quantity *q = scree_quantities; q->name; q++)
        for (uint32_t k = 0; q->list && k < q->n; k++)
            scree_array_set((char *)list + q->list + k * sizeof(void *),
                            scree_record_column(&kept->records, q->record + k * sizeof(double)));
    const double **fields = keep(sim, (kept->n_fields + 1) * sizeof *fields);
    for (uint32_t f = 0; f < kept->n_fields; f++)
        fields[f] = scree_record_column(&kept->fields, f * sizeof(double));
    sim->records.field_arrays = kept->n_fields ? fields : NULL;
    const scree_contact_law **laws = keep(sim, (list->n_laws + 1) * sizeof *laws);
    for (uint32_t l = 0; l < list->n_laws; l++)
        laws[l] = make_law(sim, kept, l);
    list->laws = list->n_laws ? laws : NULL;
}

static bool is_of_contacts(const scree_field_use *use)
{
    return use->scope == SCREE_SCOPE_CONTACT || use->scope == SCREE_SCOPE_PAIR;
}

bool scree_contact_list_is_used(const scree_instance *user)
{
    bool any = false;
    for (uint32_t k = 0; k < user->n_uses; k++) {
        const scree_field_use use = scree_field_uses_at(user->choice, k);
        any = any || is_of_contacts(&use);
    }
    return any;
}

static const kept_column *find_kept_column(const scree_contact_copy *kept,
                                           const scree_field_use *use)
{
    for (guint k = 0; k < kept->columns->len; k++) {
        const kept_column *column = &g_array_index(kept->columns, kept_column, k);
        if (column->field.scope == use->scope && scree_field_uses_named(&column->field, use->name))
            return column;
    }
    return NULL;
}

void scree_contact_copy_show(const scree_sim *sim, const scree_contact_copy *kept,
                             const scree_instance *user, scree_contact_list *list)
{
    const scree_used_field **all = keep(sim, (user->n_uses + 1) * sizeof *all);
    for (uint32_t k = 0; k < user->n_uses; k++) {
        const scree_field_use use = scree_field_uses_at(user->choice, k);
        const kept_column *column = find_kept_column(kept, &use);
        if (!is_of_contacts(&use))
            continue;
        scree_used_field *to = keep(sim, sizeof *to);
        *to = (scree_used_field){.size = sizeof *to,
                                 .scope = use.scope,
                                 .components = column ? column->field.components : use.components,
                                 .access = use.access,
                                 .name = column ? column->field.name : use.name,
                                 .slot = column ? column->field.slot : NULL,
                                 .unit = column ? column->field.unit : use.unit};
        if (column && sim->records.field_arrays)
            to->v = sim->records.field_arrays + column->first;
        all[list->n_used++] = to;
    }
    list->used = list->n_used ? all : NULL;
}

uint64_t scree_record_bytes(uint32_t n_laws, uint32_t n_fields)
{
    const uint64_t key = sizeof(scree_contact_key) + sizeof(uint64_t) + 3 * sizeof(int32_t);
    const uint64_t bodies = 2 * sizeof(uint32_t), sorting = sizeof(uint64_t) + sizeof(guint);
    return 2 * (sizeof(scree_record) + n_laws * sizeof(scree_law_record)) + key + bodies + sorting +
           n_fields * sizeof(double);
}
