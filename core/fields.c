/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of two runs, or of a run before and after a swap, matched by what they are. */
#include "fields.h"

#include <string.h>

static const char *const scope_names[SCREE_N_SCOPES] = {
    [SCREE_SCOPE_CONTACT] = "contact",
    [SCREE_SCOPE_PAIR] = "pair",
    [SCREE_SCOPE_BODY] = "body",
    [SCREE_SCOPE_GLOBAL] = "global",
};

const char *scree_scope_name(uint32_t scope)
{
    return scope < SCREE_N_SCOPES && scope_names[scope] ? scope_names[scope] : "unknown";
}

static void clear_slot(void *data)
{
    scree_field_slot *field = data;
    g_free(field->slot);
    g_free(field->plugin);
    g_free(field->name);
    g_free(field->unit);
}

scree_fields *scree_fields_new(void)
{
    scree_fields *fields = g_new0(scree_fields, 1);
    fields->all = g_array_new(FALSE, FALSE, sizeof(scree_field_slot));
    g_array_set_clear_func(fields->all, clear_slot);
    return fields;
}

void scree_fields_free(scree_fields *fields)
{
    if (!fields)
        return;
    g_array_unref(fields->all);
    g_free(fields);
}

void scree_fields_add(scree_fields *fields, const scree_field_slot *field)
{
    scree_field_slot copy = *field;
    copy.slot = g_strdup(field->slot);
    copy.plugin = g_strdup(field->plugin);
    copy.name = g_strdup(field->name);
    copy.unit = g_strdup(field->unit && strcmp(field->unit, "-") ? field->unit : "");
    copy.first = fields->n_components[field->scope];
    fields->n_components[field->scope] += field->components;
    g_array_append_val(fields->all, copy);
}

/** Fields of one scope of an instance, in the order of its descriptor. */
static void add_scope(scree_fields *fields, const scree_instance *instance, const char *slot,
                      uint32_t scope)
{
    const scree_plugin *plugin = instance->plugin;
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        if (field->scope != scope)
            continue;
        scree_field_slot one = {.slot = (char *)slot,
                                .plugin = (char *)plugin->id,
                                .name = (char *)field->name,
                                .unit = (char *)field->unit,
                                .scope = scope,
                                .components = field->components,
                                .revision = field->revision,
                                .if_missing = field->if_missing,
                                .initial = field->initial};
        scree_fields_add(fields, &one);
    }
}

/** Pair fields of a resolver are those of each list that it serves. */
static void add_list(scree_fields *fields, const scree_list *list)
{
    static const char *const types[] = {[SCREE_SPHERE] = "sphere",
                                        [SCREE_DISC] = "disc",
                                        [SCREE_FACETS] = "facets",
                                        [SCREE_PLANE] = "plane"};
    g_autofree char *slot =
        g_strdup_printf("%s.%s-%s", list->resolver->slot, types[list->type_a], types[list->type_b]);
    add_scope(fields, list->resolver, slot, SCREE_SCOPE_PAIR);
}

scree_fields *scree_fields_of(const scree_sim *sim)
{
    scree_fields *fields = scree_fields_new();
    for (uint32_t l = 0; l < sim->n_laws; l++) { // in the order in which sim.c numbers components
        const scree_instance *law = sim->laws[l].instance;
        add_scope(fields, law, law->slot, SCREE_SCOPE_CONTACT);
        add_scope(fields, law, law->slot, SCREE_SCOPE_PAIR);
    }
    for (uint32_t l = 0; l < sim->n_lists; l++)
        add_list(fields, &sim->lists[l]);
    add_scope(fields, sim->integrator, sim->integrator->slot, SCREE_SCOPE_BODY);
    for (guint m = 0; m < sim->modifiers->len; m++) {
        const scree_instance *modifier = sim->modifiers->pdata[m];
        add_scope(fields, modifier, modifier->slot, SCREE_SCOPE_BODY);
        add_scope(fields, modifier, modifier->slot, SCREE_SCOPE_GLOBAL);
    }
    g_assert(fields->n_components[SCREE_SCOPE_CONTACT] == sim->n_contact_fields &&
             fields->n_components[SCREE_SCOPE_PAIR] == sim->n_pair_fields &&
             fields->n_components[SCREE_SCOPE_BODY] == sim->n_body_fields &&
             fields->n_components[SCREE_SCOPE_GLOBAL] == sim->n_global_fields);
    return fields;
}

static bool is_same(const scree_field_slot *a, const scree_field_slot *b)
{
    return a->scope == b->scope && a->components == b->components && a->revision == b->revision &&
           !strcmp(a->slot, b->slot) && !strcmp(a->name, b->name) && !strcmp(a->unit, b->unit);
}

uint32_t scree_fields_find(const scree_fields *in, const scree_field_slot *field)
{
    for (guint i = 0; in && i < in->all->len; i++)
        if (is_same(&g_array_index(in->all, scree_field_slot, i), field))
            return i;
    return SCREE_NONE;
}

static void tell(scree_field_map *map, const scree_field_slot *field, const char *what)
{
    g_ptr_array_add(map->lines, g_strdup_printf("%s/%s.%s (%s): %s", field->slot, field->plugin,
                                                field->name, scree_scope_name(field->scope), what));
}

/** Sets where the components of a field come from; false: it must not be missing. */
static bool map_field(scree_field_map *map, const scree_fields *from, const scree_fields *rests,
                      const scree_field_slot *field, GError **error)
{
    uint32_t found = scree_fields_find(from, field), first = SCREE_NONE;
    if (found != SCREE_NONE) {
        first = g_array_index(from->all, scree_field_slot, found).first;
        map->same = map->same && first == field->first;
        tell(map, field, "kept");
    } else if ((found = scree_fields_find(rests, field)) != SCREE_NONE) {
        first = from->n_components[field->scope] +
                g_array_index(rests->all, scree_field_slot, found).first;
        tell(map, field, "woken, as it was left");
    } else if (field->if_missing == SCREE_MISSING_FAIL) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "%s/%s needs the %s field %s (%s, revision %u), which the state lacks, and "
                    "does not start without it",
                    field->slot, field->plugin, scree_scope_name(field->scope), field->name,
                    *field->unit ? field->unit : "-", field->revision);
        return false;
    } else {
        g_autofree char *what = g_strdup_printf("missing, starts from %g", field->initial);
        tell(map, field, what);
    }
    map->same = map->same && first != SCREE_NONE;
    for (uint32_t k = 0; k < field->components; k++) {
        map->source[field->scope][field->first + k] = first == SCREE_NONE ? first : first + k;
        map->initial[field->scope][field->first + k] = field->initial;
    }
    return true;
}

scree_field_map *scree_field_map_new(const scree_fields *from, const scree_fields *rests,
                                     const scree_fields *to, GError **error)
{
    g_autoptr(scree_field_map) map = g_new0(scree_field_map, 1);
    map->same = true;
    map->lines = g_ptr_array_new_with_free_func(g_free);
    map->dormant = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (int scope = 0; scope < SCREE_N_SCOPES; scope++) {
        map->n[scope] = to->n_components[scope];
        map->n_from[scope] = from->n_components[scope] + (rests ? rests->n_components[scope] : 0);
        map->source[scope] = g_new0(uint32_t, (size_t)map->n[scope] + 1);
        map->initial[scope] = g_new0(double, (size_t)map->n[scope] + 1);
    }
    for (guint i = 0; i < to->all->len; i++)
        if (!map_field(map, from, rests, &g_array_index(to->all, scree_field_slot, i), error))
            return NULL;
    for (guint i = 0; i < from->all->len; i++) {
        const scree_field_slot *field = &g_array_index(from->all, scree_field_slot, i);
        if (scree_fields_find(to, field) != SCREE_NONE)
            continue;
        tell(map, field, "not needed now, dormant");
        g_array_append_val(map->dormant, i);
        map->same = false;
    }
    return g_steal_pointer(&map);
}

void scree_field_map_free(scree_field_map *map)
{
    if (!map)
        return;
    for (int scope = 0; scope < SCREE_N_SCOPES; scope++) {
        g_free(map->source[scope]);
        g_free(map->initial[scope]);
    }
    g_ptr_array_unref(map->lines);
    g_array_unref(map->dormant);
    g_free(map);
}

double *scree_field_map_rows(const scree_field_map *map, uint32_t scope, uint64_t rows,
                             const double *values)
{
    uint32_t n = map->n[scope], n_from = map->n_from[scope];
    double *out = g_new(double, rows *n + 1);
    for (uint64_t row = 0; row < rows; row++)
        for (uint32_t k = 0; k < n; k++) {
            uint32_t source = map->source[scope][k];
            out[row * n + k] =
                source == SCREE_NONE ? map->initial[scope][k] : values[row * n_from + source];
        }
    return out;
}

void scree_field_map_columns(const scree_field_map *map, uint32_t scope, uint64_t count,
                             const double *const *from, double *const *to)
{
    for (uint32_t k = 0; k < map->n[scope]; k++) {
        uint32_t source = map->source[scope][k];
        if (source != SCREE_NONE) {
            memcpy(to[k], from[source], count * sizeof(double));
            continue;
        }
        for (uint64_t i = 0; i < count; i++)
            to[k][i] = map->initial[scope][k];
    }
}
