/* SPDX-License-Identifier: Apache-2.0 */
/* Bonds: contacts that a law keeps from now on, by rules of the scene or requests of modifiers. */
#include "engine/bonds.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/say.h"
#include "engine/body_index.h"
#include "engine/bond_rule.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/search.h"
#include "engine/state.h"
#include "engine/trial_forces.h"
#include "engine/world.h"
#include "plugin/call.h"
#include "plugin/events.h"
#include "scene/bonds_rule.h"

/*
 * For the host, a bond is a committed contact with the mark of its law. A new bond is added to the
 * committed contacts with initial fields. So it is a candidate at any distance, and is saved,
 * hashed, wrapped and swapped like all others. The law sees `keep` = 1 with initial fields, and
 * bonds. Near pairs are found by an evaluation that is not accepted, with extents grown by the gap.
 */

/** A contact that gets the mark of a law. */
typedef struct bond {
    scree_contact_key key;
    uint8_t keep;
} bond;

const scree_law *scree_bonds_law(const scree_sim *sim)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (sim->plugins.contact.laws[l].bonds && sim->plugins.contact.laws[l].keep_bit)
            return &sim->plugins.contact.laws[l];
    return NULL;
}

uint64_t scree_bonds_count(const scree_sim *sim)
{
    uint64_t n = 0;
    uint8_t bits = 0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (sim->plugins.contact.laws[l].bonds)
            bits |= sim->plugins.contact.laws[l].keep_bit;
    for (uint32_t k = 0; k < scree_segment_count(sim); k++) {
        const scree_table *t = &scree_segment_at(sim, k)->table[sim->contacts.committed];
        const uint64_t n_kept = t->keep ? t->n : 0;
        for (uint64_t c = 0; c < n_kept; c++)
            n += (t->keep[c] & bits) != 0;
    }
    return n;
}

/* ---- pairs by id ---- */

static bool is_round_body(const scree_world *w, uint32_t i)
{
    return w->shapes[w->shape[i]]->flags & SCREE_CAP_ROUND;
}

static bool is_plane(const scree_world *w, uint32_t i)
{
    return w->shapes[w->shape[i]]->flags & SCREE_CAP_INFINITE;
}

/** Orders two bodies by shape type, then by id: a is the first one (types.h). */
static void orient(const scree_world *w, uint32_t *a, uint32_t *b)
{
    uint32_t ta = w->shapes[w->shape[*a]]->type, tb = w->shapes[w->shape[*b]]->type, kept = *a;
    if (ta < tb || (ta == tb && w->id[*a] < w->id[*b]))
        return;
    *a = *b;
    *b = kept;
}

/** Writes the cells between two round bodies, or a round body and a plane, at their nearest images.
 * Returns the gap [m]. */
static double nearest(const scree_world *w, uint32_t a, uint32_t b, int32_t cells[3])
{
    double d2 = 0.0, across = 0.0, normal[3], d[3];
    bool plane = !is_round_body(w, b);
    if (plane)
        scree_plane_normal(w, b, normal);
    for (int k = 0; k < 3; k++) {
        cells[k] = 0;
        d[k] = w->x[k][b] - w->x[k][a];
    }
    if (!plane)
        scree_nearest(&w->cell, d, cells);
    for (int k = 0; k < 3; k++) {
        cells[k] += plane ? 0 : w->image[k][a] - w->image[k][b];
        d2 += d[k] * d[k];
        across -= plane ? d[k] * normal[k] : 0.0;
    }
    return plane ? across - w->radius[a] : sqrt(d2) - w->radius[a] - w->radius[b];
}

static bool ask_reach(const scree_sim *sim, const scree_law *law, uint32_t a, uint32_t b,
                      double *reach, GError **error)
{
    const scree_world *w = sim->world;
    *reach = HUGE_VAL;
    if (!SCREE_HAS(law->bonds, reach))
        return true;
    scree_range_query query = {.size = sizeof query,
                               .material_a = w->material[a],
                               .material_b = w->material[b],
                               .radius_a = scree_world_radius(w, a),
                               .radius_b = scree_world_radius(w, b),
                               .gap = HUGE_VAL};
    scree_call call = scree_call_begin(law->instance, SCREE_CALL_LANE, "reach");
    int32_t code = law->bonds->reach(law->instance->self, &query);
    code = scree_call_end(&call, code, SCREE_OK, error);
    *reach = query.gap;
    if (code >= 0 && *reach >= 0.0)
        return true;
    if (code >= 0)
        scree_call_blame(law->instance, "reach", SCREE_EXIT_PLUGIN, error,
                         "reach of bonds between materials %u and %u, radii %g and %g "
                         "m, is %g m; expected a number >= 0",
                         query.material_a, query.material_b, query.radius_a, query.radius_b,
                         *reach);
    return false;
}

/** Finds a committed contact of the two bodies, deepest or not: bodies that are not round are
 * bonded where they touch. */
static bool find_touch(const scree_contact_store *store, scree_contact_key *key)
{
    for (uint64_t i = 0; i < store->n; i++)
        if (store->key[i].id_a == key->id_a && store->key[i].id_b == key->id_b) {
            *key = store->key[i];
            return true;
        }
    return false;
}

/** Why two bodies cannot be bonded: *why is a mode of bond_refused and a sentence; NULL: they
 * can. */
typedef struct refusal {
    const char *mode;
    char *text; // freed by the caller
    double gap; // [m]
} refusal;

/** Notes why two bodies cannot be bonded. Always true: no law has failed. */
static bool refuse(refusal *why, const char *mode, char *text)
{
    why->mode = mode;
    why->text = text;
    return true;
}

/** Returns whether a law acts on contacts of bodies a and b. */
static bool acts_between(const scree_sim *sim, const scree_law *law, uint32_t a, uint32_t b)
{
    const uint32_t l = scree_list_of(sim, a, b);
    return sim->plugins.contact.lists[l].laws >> (law - sim->plugins.contact.laws) & 1u;
}

/** Finds the key of the contact of two bodies. False with an error: a law fails. */
static bool find_key(const scree_sim *sim, const scree_law *law, const scree_contact_store *store,
                     const scree_bond_pair *pair, const uint32_t *by_id, scree_contact_key *key,
                     refusal *why, GError **error)
{
    const scree_world *w = sim->world;
    const char *id = law->instance->plugin->id, *slot = law->instance->slot;
    uint32_t a = scree_body_index_find(w, by_id, pair->id[0]);
    uint32_t b = scree_body_index_find(w, by_id, pair->id[1]);
    int32_t cells[3];
    double reach;
    *why = (refusal){.gap = (double)NAN};
    if (a == SCREE_NONE || b == SCREE_NONE)
        return refuse(why, "gone",
                      g_strdup_printf("body %" PRIu64 " is missing", pair->id[a != SCREE_NONE]));
    if (a == b)
        return refuse(why, "itself", g_strdup("a body cannot be bonded to itself"));
    if (MIN(a, b) >= w->n_free)
        return refuse(why, "not_free", g_strdup("neither is free"));
    orient(w, &a, &b);
    if (!acts_between(sim, law, a, b))
        return refuse(
            why, "not_between",
            g_strdup_printf("`between` of force/%s (%s) leaves their shapes out", id, slot));
    *key = (scree_contact_key){.id_a = w->id[a], .id_b = w->id[b]};
    if (!is_round_body(w, a) || !(is_round_body(w, b) || is_plane(w, b)))
        return find_touch(store, key) ||
               refuse(why, "apart", g_strdup("they do not touch, and one of them is not round"));
    const double gap = nearest(w, a, b, cells);
    if (!scree_search_check_cells(sim, a, b, cells, error) ||
        !ask_reach(sim, law, a, b, &reach, error))
        return false;
    key->shift = scree_shift_pack(cells);
    if (gap <= reach)
        return true;
    why->gap = gap;
    return refuse(why, "apart",
                  g_strdup_printf("they are %g m apart, force/%s (%s) bonds across at most %g m",
                                  gap, id, slot, reach));
}

/* ---- pairs by distance ---- */

static void add_near(const scree_sim *sim, const scree_law *law, const scree_bond_rule *rule,
                     const scree_list *list, const scree_segment *s, GArray *bonds)
{
    if (!(list->laws >> (law - sim->plugins.contact.laws) & 1u))
        return;
    const scree_table *t = &s->table[1 - sim->contacts.committed];
    const double *depth = scree_record_column(&s->records, offsetof(scree_record, depth));
    for (uint64_t c = 0; c < t->n; c++) {
        uint32_t p = t->pair[c];
        bond one = {scree_contact_key_of(sim->world, s, p, t->feature ? t->feature[c] : 0),
                    law->keep_bit};
        if (-depth[c] <= rule->gap && scree_bond_rule_allows(rule, sim->world, s->a[p], s->b[p]))
            g_array_append_val(bonds, one);
    }
}

/** Finds all contacts across gaps of at most the rule's gap. */
static bool find_near(scree_sim *sim, const scree_law *law, const scree_bond_rule *rule,
                      GArray *bonds, GError **error)
{
    uint32_t n = sim->scene->materials.n;
    double *gap = g_new(double, (size_t)n *n + 1), *usual = sim->plugins.contact.gap,
           range = sim->plugins.contact.range;
    for (uint32_t k = 0; k < n * n; k++)
        gap[k] = rule->gap;
    sim->plugins.contact.gap = gap;
    sim->plugins.contact.range = rule->gap;
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->contacts.stale = sim->plugins.contact.reach_known = true;
    bool evaluated = scree_trial_contacts(sim, error);
    const uint32_t n_segments = evaluated ? scree_segment_count(sim) : 0;
    for (uint32_t k = 0; k < n_segments; k++)
        add_near(sim, law, rule, &sim->plugins.contact.lists[scree_segment_list(sim, k)],
                 scree_segment_at(sim, k), bonds);
    sim->plugins.contact.gap = usual;
    sim->plugins.contact.range = range;
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->contacts.stale = true;
    sim->plugins.contact.reach_known = false;
    g_free(gap);
    return evaluated;
}

/* ---- into the committed contacts ---- */

static int compare_bonds(const void *pa, const void *pb)
{
    return scree_contact_key_compare(&((const bond *)pa)->key, &((const bond *)pb)->key);
}

/** Appends a contact with initial fields. */
static void append_bond(const scree_sim *sim, scree_contact_store *store, const bond *one)
{
    uint64_t i = store->n++;
    store->key[i] = one->key;
    store->keep[i] = one->keep;
    store->stored[i] = 0.0;
    if (sim->plugins.contact.n_fields)
        memcpy(store->field + i * sim->plugins.contact.n_fields, sim->plugins.contact.initial,
               sim->plugins.contact.n_fields * sizeof(double));
}

/** Bonds contact i. Fields that the law kept from earlier are reset. */
static void bond_contact(const scree_sim *sim, scree_contact_store *store, uint64_t i, uint8_t keep)
{
    double *fields = store->field + i * sim->plugins.contact.n_fields;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        if (law->keep_bit & keep & ~store->keep[i] && law->n_contact_fields)
            memcpy(fields + law->first_contact_field,
                   sim->plugins.contact.initial + law->first_contact_field,
                   law->n_contact_fields * sizeof *fields);
    }
    store->keep[i] |= keep;
}

/** Merges sorted bonds into a sorted store, which grows. */
static void merge_bonds(const scree_sim *sim, scree_contact_store *store, const GArray *bonds)
{
    uint64_t n = store->n, at = 0, most = n + bonds->len + 1;
    store->key = g_renew(scree_contact_key, store->key, most);
    store->keep = g_renew(uint8_t, store->keep, most);
    store->stored = g_renew(double, store->stored, most);
    store->field = g_renew(double, store->field, most * sim->plugins.contact.n_fields + 1);
    for (guint k = 0; k < bonds->len; k++) {
        const bond *one = &g_array_index(bonds, bond, k);
        while (at < n && compare_bonds(&(bond){store->key[at], 0}, one) < 0)
            at++;
        bool twice = store->n > n && !compare_bonds(&(bond){store->key[store->n - 1], 0}, one);
        if (at < n && !compare_bonds(&(bond){store->key[at], 0}, one))
            bond_contact(sim, store, at, one->keep);
        else if (twice)
            bond_contact(sim, store, store->n - 1, one->keep);
        else
            append_bond(sim, store, one);
    }
    scree_contact_store_sort(store, sim->plugins.contact.n_fields,
                             sim->plugins.contact.n_pair_fields);
}

static void put_in(scree_sim *sim, scree_contact_store *store, GArray *bonds)
{
    g_array_sort(bonds, compare_bonds);
    merge_bonds(sim, store, bonds);
    scree_contacts_import(sim, store);
}

/* ---- rules of the scene ---- */

static bool find_listed(const scree_sim *sim, const scree_law *law, const scree_bond_rule *rule,
                        const scree_contact_store *store, GArray *bonds, GError **error)
{
    g_autofree uint32_t *by_id = scree_body_index_new(sim->world);
    for (guint k = 0; k < rule->pairs->len; k++) {
        const scree_bond_pair *pair = &g_array_index(rule->pairs, scree_bond_pair, k);
        bond one = {.keep = law->keep_bit};
        refusal why;
        if (!find_key(sim, law, store, pair, by_id, &one.key, &why, error))
            return false;
        if (why.mode) {
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                        "%s:%u: bond of bodies %" PRIu64 " and %" PRIu64 ": %s", rule->file,
                        pair->line, pair->id[0], pair->id[1], why.text);
            g_free(why.text);
            return false;
        }
        g_array_append_val(bonds, one);
    }
    return true;
}

static bool find_all(scree_sim *sim, const scree_contact_store *store, GArray *bonds,
                     GError **error)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        const GPtrArray *rules = law->bonds_due ? law->instance->choice->bonds : NULL;
        if (rules)
            for (guint k = 0; k < rules->len; k++) {
                const scree_bond_rule *rule = rules->pdata[k];
                const guint before = bonds->len;
                bool found = rule->how == SCREE_BONDS_LISTED
                                 ? find_listed(sim, law, rule, store, bonds, error)
                             : rule->how == SCREE_BONDS_NEAR
                                 ? find_near(sim, law, rule, bonds, error)
                                 : true;
                if (!found)
                    return false;
                if (rule->how == SCREE_BONDS_NEAR && bonds->len == before) // probably a mistake
                    scree_say(SCREE_SAY_WARNING, "%s.bonds[%u]: gap = %g m bonds no bodies",
                              law->instance->slot, k, rule->gap);
            }
    }
    return true;
}

bool scree_bonds_make(scree_sim *sim, GError **error)
{
    bool due = false;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        due = due || sim->plugins.contact.laws[l].bonds_due;
    if (!due)
        return true;
    scree_contact_store *store = scree_contacts_export(sim);
    g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(bond));
    bool found = find_all(sim, store, bonds, error);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        sim->plugins.contact.laws[l].bonds_due = false;
    if (found && bonds->len)
        put_in(sim, store, bonds);
    scree_contact_store_free(store);
    return found;
}

/* ---- requests of modifiers ---- */

static void report_refusal(const scree_sim *sim, const scree_law *law, const scree_bond_pair *pair,
                           const refusal *why)
{
    const scree_event event = {.size = sizeof event,
                               .name = "bond_refused",
                               .mode = why->mode,
                               .id_a = pair->id[0],
                               .id_b = pair->id[1],
                               .value = why->gap};
    const scree_events *events = scree_events_give(law->instance);
    events->report(events->ctx, &event);
}

bool scree_bonds_add(scree_sim *sim, const GArray *pairs, GError **error)
{
    const scree_law *law = scree_bonds_law(sim);
    g_autofree uint32_t *by_id = scree_body_index_new(sim->world);
    g_autoptr(GArray) bonds = g_array_new(FALSE, FALSE, sizeof(bond));
    scree_contact_store *store = scree_contacts_export(sim);
    bool found = true;
    scree_event_log_open(sim->runtime.events);
    for (guint k = 0; k < pairs->len && found; k++) {
        const scree_bond_pair *pair = &g_array_index(pairs, scree_bond_pair, k);
        bond one = {.keep = law->keep_bit};
        refusal why = {0};
        found = find_key(sim, law, store, pair, by_id, &one.key, &why, error);
        if (found && why.mode)
            report_refusal(sim, law, pair, &why);
        else if (found)
            g_array_append_val(bonds, one);
        g_free(why.text);
    }
    if (found && bonds->len)
        put_in(sim, store, bonds);
    scree_contact_store_free(store);
    return found && scree_event_log_take(sim->runtime.events, sim->step, scree_sim_time(sim),
                                         sim->runtime.output_dir, error);
}
