/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts that observers get: kept after an accepted evaluation, listed when one looks. */
#include "engine/contact_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/body_index.h"
#include "engine/contacts.h"
#include "plugin/field_uses.h"

/*
 * Between the evaluation and the look of an observer a step's end may delete bodies, renumber them and
 * swap laws. So contacts are kept by the ids of their bodies, with their own copies of what the laws
 * have done and of the fields, and become arrays by storage number when an observer looks.
 */

/** One contact and its place in the canonical order: list, row, column, shift, feature. */
typedef struct entry {
    scree_contact_place place;
    const scree_segment *segment;
    uint64_t at;
} entry;

typedef struct kept_contact {
    scree_contact_key key;
    scree_record record;
} kept_contact;

/** A law as it was at that evaluation. */
typedef struct kept_law {
    const char *id, *slot; /* slot: interned */
    uint32_t first, n;     /* of its contact fields */
} kept_law;

/** A field as it was then; its texts are interned. */
typedef struct kept_column {
    scree_field_of field;
    uint32_t first; /* component of the kept ones */
} kept_column;

struct scree_contact_copy {
    GArray *contacts;         /* of kept_contact, in canonical order */
    GArray *laws;             /* of kept_law; empty: not by law */
    GArray *shares;           /* of scree_law_record, [laws] per contact */
    GArray *columns;          /* of kept_column */
    GArray *fields;           /* of double, [n_contact + n_pair] per contact */
    uint32_t n_fields;        /* components of contact fields, then of pair fields; 0: not kept */
    uint32_t n_contact_field; /* of them, those of contact fields */
    double lost_ended;
};

static int compare_entries(const void *a, const void *b)
{
    return scree_contact_place_compare(&((const entry *)a)->place, &((const entry *)b)->place);
}

/** Merges [begin, middle) and [middle, end), each of which is sorted, into `to`. */
static void merge_runs(const entry *from, guint begin, guint middle, guint end, entry *to)
{
    guint a = begin, b = middle;
    for (guint k = begin; k < end; k++)
        to[k] = b >= end || (a < middle && compare_entries(&from[a], &from[b]) <= 0) ? from[a++]
                                                                                     : from[b++];
}

/** The first that is below the one before it, from `begin` on. */
static guint end_of_run(const entry *all, guint begin, guint n)
{
    guint end = begin + 1;
    while (end < n && compare_entries(&all[end - 1], &all[end]) <= 0)
        end++;
    return MIN(end, n);
}

/** Segments are sorted already: their runs are merged two by two. */
static void sort_entries(GArray *all)
{
    entry *from = (entry *)(void *)all->data;
    const guint n = all->len;
    if (n == 0 || end_of_run(from, 0, n) == n)
        return;
    g_autofree entry *spare = g_new(entry, n);
    for (entry *to = spare; end_of_run(from, 0, n) < n;) {
        for (guint begin = 0, end; begin < n; begin = end) {
            const guint middle = end_of_run(from, begin, n);
            end = middle < n ? end_of_run(from, middle, n) : n;
            merge_runs(from, begin, middle, end, to);
        }
        entry *held = from;
        from = to;
        to = held;
    }
    if (from == spare)
        memcpy(all->data, spare, n * sizeof *spare);
}

static GArray *collect_contacts(const scree_sim *sim)
{
    uint64_t n = 0, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(entry), (guint)n);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
            const scree_segment *s = &sim->plugins.contact.lists[l].segments[k];
            const scree_table *t = &s->table[sim->contacts.committed];
            for (uint64_t c = 0; c < t->n; c++) {
                entry one = {scree_contact_place_of(l, s, t, c), s, c};
                g_array_append_val(all, one);
            }
        }
    sort_entries(all);
    return all;
}

static scree_contact_copy *make_kept(void)
{
    scree_contact_copy *to = g_new0(scree_contact_copy, 1);
    to->contacts = g_array_new(FALSE, FALSE, sizeof(kept_contact));
    to->laws = g_array_new(FALSE, FALSE, sizeof(kept_law));
    to->shares = g_array_new(FALSE, FALSE, sizeof(scree_law_record));
    to->columns = g_array_new(FALSE, FALSE, sizeof(kept_column));
    to->fields = g_array_new(FALSE, FALSE, sizeof(double));
    return to;
}

void scree_contact_copy_free(scree_contact_copy *kept)
{
    if (!kept)
        return;
    g_array_unref(kept->contacts);
    g_array_unref(kept->laws);
    g_array_unref(kept->shares);
    g_array_unref(kept->columns);
    g_array_unref(kept->fields);
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
    const GPtrArray *columns = sim->plugins.columns[scope];
    const guint n = columns ? columns->len : 0;
    for (guint k = 0; k < n; k++) {
        const scree_column *column = columns->pdata[k];
        const kept_column one = {{.slot = g_intern_string(column->slot),
                                  .name = g_intern_string(column->name),
                                  .unit = g_intern_string(column->unit),
                                  .scope = scope,
                                  .components = column->components},
                                 first + column->first};
        if (!column->dormant)
            g_array_append_val(to->columns, one);
    }
}

/** Appends the fields of contact number `at` of a segment. */
static void keep_fields(const scree_sim *sim, const scree_segment *s, uint64_t at,
                        scree_contact_copy *to)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    for (uint32_t f = 0; f < to->n_contact_field; f++)
        g_array_append_val(to->fields, t->field[f][at]);
    for (uint32_t f = 0; f + to->n_contact_field < to->n_fields; f++)
        g_array_append_val(to->fields, s->pair_field[sim->contacts.committed][f][t->pair[at]]);
}

void scree_contact_copy_make(const scree_sim *sim, scree_contact_copy **kept)
{
    scree_contact_copy *to = *kept = *kept ? *kept : make_kept();
    g_autoptr(GArray) all = collect_contacts(sim);
    g_array_set_size(to->contacts, 0);
    g_array_set_size(to->laws, 0);
    g_array_set_size(to->shares, 0);
    g_array_set_size(to->fields, 0);
    to->n_contact_field = sim->plugins.n_live[SCREE_SCOPE_CONTACT];
    to->n_fields = to->n_contact_field + sim->plugins.n_live[SCREE_SCOPE_PAIR];
    to->n_fields = sim->records.fields ? to->n_fields : 0;
    to->lost_ended = sim->account.lost_ended;
    g_array_set_size(to->columns, 0);
    if (to->n_fields) {
        keep_columns(sim, SCREE_SCOPE_CONTACT, 0, to);
        keep_columns(sim, SCREE_SCOPE_PAIR, to->n_contact_field, to);
    }
    if (sim->records.by_law)
        keep_laws(sim, to);
    for (guint i = 0; i < all->len; i++) {
        const entry *one = &g_array_index(all, entry, i);
        const scree_segment *s = one->segment;
        uint32_t p = s->table[sim->contacts.committed].pair[one->at];
        kept_contact contact = {scree_contact_key_of(sim->world, s, p, one->place.feature),
                                s->records[one->at]};
        g_array_append_val(to->contacts, contact);
        if (to->laws->len)
            g_array_append_vals(to->shares, s->law_records + one->at * to->laws->len,
                                to->laws->len);
        if (to->n_fields)
            keep_fields(sim, s, one->at, to);
    }
}

/* ---- the list ---- */

static void *keep(const scree_sim *sim, size_t bytes)
{
    void *memory = scree_aligned_new(bytes);
    g_ptr_array_add(sim->records.list_arrays, memory);
    return memory;
}

static double *keep_reals(const scree_sim *sim, uint64_t n)
{
    return keep(sim, n * sizeof(double));
}

static uint32_t *keep_numbers(const scree_sim *sim, uint64_t n)
{
    return keep(sim, n * sizeof(uint32_t));
}

/** Writable arrays of a contact list. */
typedef struct list_arrays {
    uint32_t *a, *b, *part[2];
    int32_t *image[3];
    uint64_t *feature;
    double *normal[3], *depth, *arm[3], *f[3], *couple[3], *couple_b[3], *branch[3], *stored, *lost;
} list_arrays;

static void make_arrays(const scree_sim *sim, uint64_t n, list_arrays *to, scree_contact_list *list)
{
    *list = (scree_contact_list){.size = sizeof *list};
    list->a = to->a = keep_numbers(sim, n);
    list->b = to->b = keep_numbers(sim, n);
    list->feature = to->feature = keep(sim, n * sizeof(uint64_t));
    list->depth = to->depth = keep_reals(sim, n);
    list->stored = to->stored = keep_reals(sim, n);
    list->lost = to->lost = keep_reals(sim, n);
    for (int k = 0; k < 2; k++)
        list->part[k] = to->part[k] = keep_numbers(sim, n);
    for (int k = 0; k < 3; k++) {
        list->image[k] = to->image[k] = keep(sim, n * sizeof(int32_t));
        list->normal[k] = to->normal[k] = keep_reals(sim, n);
        list->arm[k] = to->arm[k] = keep_reals(sim, n);
        list->f[k] = to->f[k] = keep_reals(sim, n);
        list->couple[k] = to->couple[k] = keep_reals(sim, n);
        list->couple_b[k] = to->couple_b[k] = keep_reals(sim, n);
        list->branch[k] = to->branch[k] = keep_reals(sim, n);
    }
}

static void fill_contact(const scree_world *w, const kept_contact *from, uint64_t i,
                         const list_arrays *to)
{
    const scree_record *record = &from->record;
    int32_t cells[3];
    uint32_t a = to->a[i], b = to->b[i];
    scree_shift_unpack(from->key.shift, cells);
    to->feature[i] = from->key.feature;
    to->depth[i] = record->depth;
    to->stored[i] = record->stored;
    to->lost[i] = record->lost;
    to->part[0][i] = record->part[0];
    to->part[1][i] = record->part[1];
    for (int k = 0; k < 3; k++) {
        to->image[k][i] = cells[k] + w->image[k][b] - w->image[k][a];
        to->normal[k][i] = record->normal[k];
        to->arm[k][i] = record->arm[k];
        to->f[k][i] = record->f[k];
        to->couple[k][i] = record->couple[k];
        to->couple_b[k][i] = record->couple_b[k];
        to->branch[k][i] = record->branch[k];
    }
}

/** One array per component of the fields, of the n contacts `of`. */
static void fill_fields(scree_sim *sim, const scree_contact_copy *kept, const uint32_t *of,
                        uint64_t n)
{
    const double *values = (const double *)(const void *)kept->fields->data;
    const double **arrays = keep(sim, (kept->n_fields + 1) * sizeof *arrays);
    for (uint32_t f = 0; f < kept->n_fields; f++) {
        double *to = keep_reals(sim, n);
        for (uint64_t i = 0; i < n; i++)
            to[i] = values[(uint64_t)of[i] * kept->n_fields + f];
        arrays[f] = to;
    }
    sim->records.field_arrays = arrays;
}

/** The share of law l in the n contacts `of`. */
static scree_contact_law *make_law(const scree_sim *sim, const scree_contact_copy *kept, uint32_t l,
                                   const uint32_t *of, uint64_t n)
{
    const kept_law *law = &g_array_index(kept->laws, kept_law, l);
    scree_contact_law *out = keep(sim, sizeof *out);
    double *f[3], *couple[3], *couple_b[3], *stored = keep_reals(sim, n),
                                            *lost = keep_reals(sim, n);
    *out = (scree_contact_law){.size = sizeof *out,
                               .n_fields = law->n,
                               .id = law->id,
                               .slot = law->slot,
                               .stored = stored,
                               .lost = lost,
                               .fields = law->n ? sim->records.field_arrays + law->first : NULL};
    for (int k = 0; k < 3; k++) {
        out->f[k] = f[k] = keep_reals(sim, n);
        out->couple[k] = couple[k] = keep_reals(sim, n);
        out->couple_b[k] = couple_b[k] = keep_reals(sim, n);
    }
    for (uint64_t i = 0; i < n; i++) {
        const scree_law_record *share =
            &g_array_index(kept->shares, scree_law_record, (uint64_t)of[i] * kept->laws->len + l);
        stored[i] = share->stored;
        lost[i] = share->lost;
        for (int k = 0; k < 3; k++) {
            f[k][i] = share->f[k];
            couple[k][i] = share->couple[k];
            couple_b[k][i] = share->couple_b[k];
        }
    }
    return out;
}

void scree_contact_copy_list(scree_sim *sim, const scree_contact_copy *kept,
                             scree_contact_list *list)
{
    const scree_world *w = sim->world;
    g_autofree uint32_t *table = scree_body_table_new(w);
    g_autofree uint32_t *by_id = table ? NULL : scree_body_index_new(w);
    g_autofree uint32_t *of = g_new(uint32_t, kept->contacts->len + 1);
    list_arrays to;
    if (!sim->records.list_arrays)
        sim->records.list_arrays = g_ptr_array_new_with_free_func(free);
    g_ptr_array_set_size(sim->records.list_arrays, 0);
    sim->records.field_arrays = NULL;
    make_arrays(sim, kept->contacts->len, &to, list);
    list->lost_ended = kept->lost_ended;
    for (guint i = 0; i < kept->contacts->len; i++) {
        const kept_contact *one = &g_array_index(kept->contacts, kept_contact, i);
        to.a[list->n] =
            table ? table[one->key.id_a] : scree_body_index_find(w, by_id, one->key.id_a);
        to.b[list->n] =
            table ? table[one->key.id_b] : scree_body_index_find(w, by_id, one->key.id_b);
        if (to.a[list->n] == SCREE_NONE || to.b[list->n] == SCREE_NONE) {
            list->lost_ended += one->record.lost; // its body was removed at the step's end
            continue;
        }
        of[list->n] = i;
        fill_contact(w, one, list->n++, &to);
    }
    if (kept->n_fields)
        fill_fields(sim, kept, of, list->n);
    if (!kept->laws->len)
        return;
    const scree_contact_law **laws = keep(sim, kept->laws->len * sizeof *laws);
    for (uint32_t l = 0; l < kept->laws->len; l++)
        laws[l] = make_law(sim, kept, l, of, list->n);
    list->n_laws = kept->laws->len;
    list->laws = laws;
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
    uint64_t list = 4 * sizeof(uint32_t) + 3 * sizeof(int32_t) + sizeof(uint64_t) +
                    (3 + 6 * 3) * sizeof(double); // see make_arrays
    const uint64_t sorting = 2 * sizeof(entry);   // collect
    return sizeof(scree_record) + sizeof(kept_contact) + sorting + list +
           3 * n_laws * sizeof(scree_law_record) + 2 * n_fields * sizeof(double);
}
