/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of other plugins in a run, and how a plugin sees them. */
#include "engine/shared_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/columns.h"
#include "plugin/field_uses.h"
#include "plugin/kinds.h"

/*
 * A use is resolved each time that it is shown, by the names of the columns: after a swap nothing
 * points to a removed field. Scenes are checked when they are read (scene_field_uses.c), and again
 * here when plugins change.
 */

/* ---- which field ---- */

/** Returns the column in use with the name in `use`, or NULL. */
static const scree_column *find_lent_column(const scree_sim *sim, const scree_field_use *use)
{
    const scree_column *column;
    for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, use->scope, &k)); k++) {
        const scree_field_of field = {.slot = column->slot, .name = column->name};
        if (scree_field_uses_named(&field, use->name))
            return column;
    }
    return NULL;
}

/** Returns all fields in use, without rates. */
static GArray *list_fields(const scree_sim *sim)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(scree_field_of));
    const scree_column *column;
    for (uint32_t scope = 1; scope < SCREE_SCOPES; scope++)
        for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &k)); k++) {
            const scree_field_of one = {.slot = column->slot,
                                        .name = column->name,
                                        .unit = column->unit,
                                        .scope = scope,
                                        .components = column->components};
            if (!strchr(column->name, '.'))
                g_array_append_val(all, one);
        }
    return all;
}

bool scree_shared_fields_check(const scree_sim *sim, const scree_instance *user, GError **error)
{
    if (!user->n_uses)
        return true;
    g_autoptr(GArray) fields = list_fields(sim);
    g_autofree char *name = g_strdup_printf("%s (%s/%s)", user->slot,
                                            scree_kind_name(user->plugin->kind), user->plugin->id);
    for (uint32_t k = 0; k < user->n_uses; k++) {
        g_autoptr(GError) inner = NULL;
        const scree_field_use use = scree_field_uses_at(user->choice, k);
        scree_field_uses_find(&use, name, (const scree_field_of *)(void *)fields->data, fields->len,
                              &inner);
        if (!inner)
            continue;
        g_propagate_error(error, g_steal_pointer(&inner));
        return false;
    }
    return true;
}

/** Returns law k of the run; beyond the laws a modifier; NULL: k is beyond the last. */
static const scree_instance *adder_at(const scree_sim *sim, uint32_t k)
{
    const scree_plugins *p = &sim->plugins;
    if (k < p->contact.n_laws)
        return p->contact.laws[k].instance;
    k -= p->contact.n_laws;
    return p->body.modifiers && k < p->body.modifiers->len ? p->body.modifiers->pdata[k] : NULL;
}

bool scree_shared_fields_check_all(const scree_sim *sim, GError **error)
{
    const scree_instance *one;
    for (uint32_t k = 0; (one = adder_at(sim, k)); k++)
        if (!scree_shared_fields_check(sim, one, error))
            return false;
    return true;
}

/** Returns whether a law or a modifier adds to the rate of the field. */
static bool is_added_to(const scree_sim *sim, const scree_column *column)
{
    const scree_instance *one;
    for (uint32_t k = 0; (one = adder_at(sim, k)); k++)
        for (uint32_t u = 0; u < one->n_uses; u++) {
            const scree_field_use use = scree_field_uses_at(one->choice, u);
            if ((use.access & SCREE_USE_ADD) && find_lent_column(sim, &use) == column)
                return true;
        }
    return false;
}

void scree_shared_fields_add_rates(scree_sim *sim)
{
    scree_body_plugins *body = &sim->plugins.body;
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_BODY];
    const guint n = columns ? columns->len : 0;
    body->first_rate = body->n_fields;
    for (guint k = 0; k < n; k++) {
        scree_column *column = columns->pdata[k];
        if (!is_added_to(sim, column))
            continue;
        column->rate = body->n_fields;
        scree_columns_add_rate(&sim->plugins, column);
    }
    body->n_rates = body->n_fields - body->first_rate;
}

/* ---- laws ---- */

/** Returns the index of a rate among those of the contacts, added if it is new. */
static uint32_t place_rate(scree_contact_plugins *contact, uint32_t component)
{
    uint32_t r = 0;
    while (r < contact->n_rates && contact->rate_at[r] != component)
        r++;
    if (r == contact->n_rates)
        contact->rate_at[contact->n_rates++] = component;
    return r;
}

static void place_law(scree_sim *sim, const scree_law *law)
{
    scree_contact_plugins *contact = &sim->plugins.contact;
    uint32_t read = law->first_read, add = law->first_add;
    for (uint32_t u = 0; u < law->instance->n_uses; u++) {
        const scree_field_use use = scree_field_uses_at(law->instance->choice, u);
        const scree_column *column = find_lent_column(sim, &use);
        if (use.scope != SCREE_SCOPE_BODY)
            continue;
        for (uint32_t k = 0; k < use.components; k++) {
            if (use.access & SCREE_USE_READ)
                contact->read_at[read++] = column ? column->first + k : SCREE_NONE;
            if (use.access & SCREE_USE_ADD)
                contact->add_at[add++] =
                    column ? place_rate(contact, column->rate + k) : SCREE_NONE;
        }
    }
}

void scree_shared_fields_place(scree_sim *sim)
{
    scree_contact_plugins *contact = &sim->plugins.contact;
    contact->n_rates = 0;
    for (uint32_t l = 0; l < contact->n_laws; l++)
        place_law(sim, &contact->laws[l]);
}

/* ---- view of a plugin ---- */

/** A field as a plugin sees it. */
struct scree_shown_field {
    scree_used_field field;
    const double *v[SCREE_MAX_COMPONENTS];
    double *rate[SCREE_MAX_COMPONENTS];
    uint8_t *fresh; // marks of bodies
    uint64_t fresh_capacity;
};

void scree_fields_view_clear(scree_fields_view *shared)
{
    for (uint32_t k = 0; k < shared->n; k++)
        free(shared->field[k].fresh);
    g_free(shared->field);
    g_free(shared->list);
    free(shared->waste);
    *shared = (scree_fields_view){0};
}

/** Makes room for n fields. */
static void make_room_for_view(scree_fields_view *shared, uint32_t n)
{
    if (n <= shared->n)
        return;
    scree_fields_view_clear(shared);
    shared->n = n;
    shared->field = g_new0(struct scree_shown_field, n);
    shared->list = g_new0(const scree_used_field *, n);
    for (uint32_t k = 0; k < n; k++)
        shared->list[k] = &shared->field[k].field;
}

/** Marks the bodies that still hold the initial value; NULL: none do. */
static const uint8_t *mark_fresh(const scree_world *w, const scree_column *column, uint8_t **marks,
                                 uint64_t *capacity)
{
    if (column->fresh_from >= w->next_id)
        return NULL;
    scree_aligned_grow(marks, capacity, (uint64_t)w->n + 1, 0, 1);
    for (uint32_t i = 0; i < w->n; i++)
        (*marks)[i] = scree_fresh_holds(w, column, i);
    return *marks;
}

static void show_one(const scree_sim *sim, const scree_field_use *use,
                     struct scree_shown_field *shown)
{
    const scree_world *w = sim->world;
    const scree_column *column = find_lent_column(sim, use);
    const bool body = use->scope == SCREE_SCOPE_BODY, global = use->scope == SCREE_SCOPE_GLOBAL;
    scree_used_field *to = &shown->field;
    *to = (scree_used_field){.size = sizeof *to,
                             .scope = use->scope,
                             .components = column ? column->components : use->components,
                             .access = use->access,
                             .name = column ? column->name : use->name,
                             .slot = column ? column->slot : NULL,
                             .unit = column ? column->unit : use->unit};
    if (!column || !(body || global))
        return;
    for (uint32_t k = 0; k < column->components; k++)
        shown->v[k] =
            body ? w->field[column->first + k] : sim->plugins.body.global_field + column->first + k;
    to->v = shown->v;
    if (body)
        to->fresh = mark_fresh(w, column, &shown->fresh, &shown->fresh_capacity);
}

void scree_shared_fields_show(const scree_sim *sim, const scree_instance *user,
                              scree_fields_view *shared, scree_bodies *view)
{
    if (!user->n_uses)
        return;
    make_room_for_view(shared, user->n_uses);
    for (uint32_t k = 0; k < user->n_uses; k++) {
        const scree_field_use use = scree_field_uses_at(user->choice, k);
        show_one(sim, &use, &shared->field[k]);
    }
    view->used = shared->list;
    view->n_used = user->n_uses;
}

void scree_shared_fields_show_rates(scree_sim *sim, const scree_instance *user, bool counts)
{
    scree_fields_view *shared = &sim->shared;
    const uint64_t n = (uint64_t)sim->world->n + 1;
    if (user->n_uses && !counts) {
        scree_aligned_grow(&shared->waste, &shared->waste_capacity, n, 0, sizeof(double));
        memset(shared->waste, 0, n * sizeof(double));
    }
    for (uint32_t u = 0; u < user->n_uses; u++) {
        const scree_field_use use = scree_field_uses_at(user->choice, u);
        const scree_column *column = find_lent_column(sim, &use);
        struct scree_shown_field *shown = &shared->field[u];
        if (!(use.access & SCREE_USE_ADD) || !column)
            continue;
        for (uint32_t k = 0; k < column->components; k++)
            shown->rate[k] = counts ? sim->world->field[column->rate + k] : shared->waste;
        shown->field.rate = shown->rate;
    }
}

void scree_shared_fields_hide(scree_bodies *view)
{
    view->used = NULL;
    view->n_used = 0;
}
