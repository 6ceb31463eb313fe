/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor as JSON, and the words for its codes. */
#include "tools/describe/describe_json.h"

#include <string.h>

#include "plugin/field_uses.h"
#include "plugin/kinds.h"
#include "plugin/quantities.h"
#include "tools/describe/param_default.h"
#include "tools/judge/kind_check.h"

const scree_word scree_dimension_words[] = {
    {SCREE_DIMENSION_2, "2D"}, {SCREE_DIMENSION_3, "3D"}, {0, NULL}};
static const scree_word param_flag_words[] = {
    {SCREE_PARAM_REQUIRED, "required"},      {SCREE_PARAM_OPTIONAL, "optional"},
    {SCREE_KEY_UNSET, "optional"},           {SCREE_PARAM_LIVE, "live"},
    {SCREE_PARAM_INLINE, "inline"},          {SCREE_PARAM_GROUP, "groups"},
    {SCREE_PARAM_KINEMATIC_GROUP, "groups"}, {0, NULL}};
const scree_word scree_type_words[] = {{SCREE_TYPE_BOOL, "bool"},
                                       {SCREE_TYPE_CHOICE, "choice"},
                                       {SCREE_TYPE_INT, "integer"},
                                       {SCREE_TYPE_REAL, "real"},
                                       {SCREE_TYPE_STRING, "string"},
                                       {SCREE_TYPE_INT_ARRAY, "integers"},
                                       {SCREE_TYPE_REAL_ARRAY, "reals"},
                                       {SCREE_TYPE_STRING_ARRAY, "strings"},
                                       {SCREE_TYPE_PER_MATERIAL, "real per material"},
                                       {SCREE_TYPE_PER_PAIR, "real per material pair"},
                                       {SCREE_TYPE_PLUGIN, "plugin"},
                                       {SCREE_TYPE_ZONE, "region"},
                                       {SCREE_TYPE_RECIPE, "recipe"},
                                       {SCREE_TYPE_MATERIALS, "materials"},
                                       {SCREE_TYPE_REAL_ROWS, "rows of reals"},
                                       {SCREE_TYPE_INT_ROWS, "rows of integers"},
                                       {SCREE_TYPE_PLACING, "the keys unit, scale, rotate, move"},
                                       {SCREE_KEY_COUNT, "integer"},
                                       {SCREE_KEY_VECTOR, "vector"},
                                       {SCREE_KEY_SPIN, "vector, in 2D a real"},
                                       {SCREE_KEY_AXES, "choice, or one per axis"},
                                       {0, NULL}};
const scree_word scree_mixing_words[] = {{SCREE_MIX_MEAN, "mean"},
                                         {SCREE_MIX_GEOMETRIC, "geometric mean"},
                                         {SCREE_MIX_HARMONIC, "harmonic mean"},
                                         {SCREE_MIX_MIN, "minimum"},
                                         {SCREE_MIX_MAX, "maximum"},
                                         {0, NULL}};
const scree_word scree_return_words[] = {
    {SCREE_RETURN_RESTART, "restart"}, {SCREE_RETURN_RESTORE, "restore"}, {0, NULL}};
const scree_word scree_access_words[] = {
    {SCREE_USE_READ, "read"}, {SCREE_USE_ADD, "add"}, {0, NULL}};
const char *scree_word_of(const scree_word *words, uint64_t value)
{
    for (; words->text; words++)
        if (words->value == value)
            return words->text;
    return "";
}

/** The words of a mask of the quantities, in the order of their bits. `mask`: its offset in a row.
 * New table. */
static scree_word *quantity_words(size_t mask)
{
    GArray *words = g_array_new(TRUE, TRUE, sizeof(scree_word));
    for (uint64_t bit = 1; bit; bit <<= 1)
        for (const scree_quantity *q = scree_quantities; q->name; q++) {
            uint64_t its;
            memcpy(&its, (const char *)q + mask, sizeof its);
            const scree_word one = {bit, q->name};
            if (its != bit)
                continue;
            g_array_append_val(words, one);
            break;
        }
    return (scree_word *)(void *)g_array_free(words, FALSE);
}

scree_word *scree_needs_words(const scree_plugin *plugin)
{
    if (plugin->kind == SCREE_KIND_FORCE)
        return quantity_words(offsetof(scree_quantity, in));
    GArray *words = g_array_new(TRUE, TRUE, sizeof(scree_word));
    for (const scree_cap *want = scree_wants; want->name; want++) {
        const scree_word one = {want->flag, want->name};
        g_array_append_val(words, one);
    }
    return (scree_word *)(void *)g_array_free(words, FALSE);
}

scree_word *scree_provides_words(const scree_plugin *plugin)
{
    return quantity_words(plugin->kind == SCREE_KIND_FORCE ? offsetof(scree_quantity, out)
                                                           : offsetof(scree_quantity, gives));
}

const char *scree_param_type(const scree_param *param)
{
    return scree_param_is_node(param) ? param->string_default
                                      : scree_word_of(scree_type_words, param->type);
}

bool scree_param_is_rows(const scree_param *param)
{
    return param->type == SCREE_TYPE_REAL_ROWS || param->type == SCREE_TYPE_INT_ROWS;
}

/* JSON. */

static void put_words(scree_json *json, const char *key, const scree_word *words, uint64_t mask)
{
    scree_json_open_array(json, key);
    for (; words->text; words++)
        if (mask & words->value)
            scree_json_string(json, NULL, words->text);
    scree_json_close_array(json);
}

static void put_caps(scree_json *json, uint32_t flags)
{
    scree_json_open_array(json, "flags");
    for (const scree_cap *cap = scree_caps; cap->name; cap++)
        if (flags & cap->flag)
            scree_json_string(json, NULL, cap->name);
    scree_json_close_array(json);
}

static void put_material_keys(scree_json *json, const scree_plugin *plugin)
{
    scree_json_open_array(json, "material_keys");
    for (uint32_t i = 0; i < plugin->n_params; i++)
        if (plugin->params[i]->type == SCREE_TYPE_PER_MATERIAL ||
            plugin->params[i]->type == SCREE_TYPE_PER_PAIR)
            scree_json_string(json, NULL, plugin->params[i]->name);
    scree_json_close_array(json);
}

/** Puts default and limits, in SI base units. */
static void put_limits(scree_json *json, const scree_param *param)
{
    if (!scree_param_has_default(param))
        scree_json_null(json, "default");
    else if (param->flags & SCREE_KEY_AUTO)
        scree_json_string(json, "default", "auto");
    else if (param->type == SCREE_TYPE_BOOL)
        scree_json_bool(json, "default", param->int_default);
    else if (scree_param_holds_ints(param))
        scree_json_int(json, "default", param->int_default);
    else if (scree_param_holds_reals(param))
        scree_json_real(json, "default", param->real_default);
    else
        scree_json_string(json, "default", param->string_default);
    if (scree_param_holds_ints(param)) {
        scree_json_int(json, "min", param->int_min);
        scree_json_int(json, "max", param->int_max);
    }
    if (scree_param_holds_reals(param)) {
        scree_json_real(json, "min", param->real_min);
        scree_json_real(json, "max", param->real_max);
        scree_json_bool(json, "min_open", param->flags & SCREE_PARAM_MIN_OPEN);
        scree_json_bool(json, "max_open", param->flags & SCREE_PARAM_MAX_OPEN);
    }
}

static void put_param(scree_json *json, const scree_param *param)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", param->name);
    scree_json_string(json, "type", scree_param_type(param));
    scree_json_string(json, "unit", scree_unit_shown(param->unit));
    scree_json_string(json, "help", param->help);
    put_words(json, "flags", param_flag_words, param->flags);
    put_limits(json, param);
    if (scree_param_is_array(param) || scree_param_is_rows(param))
        scree_json_uint(json, "length", param->length);
    if (param->type == SCREE_TYPE_PER_PAIR)
        scree_json_string(json, "mixing",
                          param->mixing ? scree_word_of(scree_mixing_words, param->mixing) : NULL);
    if (param->type == SCREE_TYPE_PLUGIN)
        scree_json_string(json, "kind", scree_kind_name(param->kind));
    if (param->n_choices) {
        scree_json_open_array(json, "choices");
        for (uint32_t i = 0; i < param->n_choices; i++) {
            scree_json_open_object(json, NULL);
            scree_json_string(json, "name", param->choices[i]->name);
            scree_json_string(json, "help", param->choices[i]->help);
            scree_json_close_object(json);
        }
        scree_json_close_array(json);
    }
    scree_json_close_object(json);
}

static void put_use(scree_json *json, const scree_use *use)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", use->name);
    scree_json_string(json, "scope", scree_scope_name(use->scope));
    scree_json_uint(json, "components", use->components);
    put_words(json, "access", scree_access_words, use->access);
    scree_json_bool(json, "optional", (use->flags & SCREE_USE_OPTIONAL) != 0);
    scree_json_string(json, "unit", scree_unit_shown(use->unit));
    scree_json_string(json, "help", use->help);
    scree_json_close_object(json);
}

static void put_field_json(scree_json *json, const scree_field *field)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", field->name);
    scree_json_string(json, "scope", scree_scope_name(field->scope));
    scree_json_uint(json, "components", field->components);
    scree_json_uint(json, "revision", field->revision);
    scree_json_string(json, "on_return", scree_word_of(scree_return_words, field->on_return));
    scree_json_string(json, "unit", scree_unit_shown(field->unit));
    scree_json_string(json, "help", field->help);
    scree_json_real(json, "initial", field->initial);
    scree_json_close_object(json);
}

void scree_describe_json(scree_json *json, const scree_plugin *plugin, const scree_file *file)
{
    scree_json_string(json, "kind", scree_kind_name(plugin->kind));
    scree_json_string(json, "id", plugin->id);
    scree_json_string(json, "version", plugin->version);
    scree_json_string(json, "licence", plugin->licence);
    scree_json_string(json, "help", plugin->help);
    scree_json_string(json, "summary", plugin->summary);
    scree_json_string(json, "citation", plugin->citation);
    if (file) {
        scree_json_string(json, "file", file->path);
        scree_json_string(json, "sha256", file->sha256);
        scree_json_string(json, "cpu_level", file->cpu_level);
    }
    put_words(json, "dimensions", scree_dimension_words, plugin->dimensions);
    put_caps(json, plugin->flags);
    g_autofree scree_word *inputs = scree_needs_words(plugin),
                          *outputs = scree_provides_words(plugin);
    put_words(json, "needs", inputs, plugin->needs);
    put_words(json, "provides", outputs, plugin->provides);
    scree_json_open_array(json, "parameters");
    for (uint32_t i = 0; i < plugin->n_params; i++)
        put_param(json, plugin->params[i]);
    scree_json_close_array(json);
    put_material_keys(json, plugin);
    scree_json_open_array(json, "fields");
    for (uint32_t i = 0; i < plugin->n_fields; i++)
        put_field_json(json, plugin->fields[i]);
    scree_json_close_array(json);
    scree_json_open_array(json, "uses");
    for (uint32_t i = 0; i < plugin->n_uses; i++)
        put_use(json, plugin->uses[i]);
    scree_json_close_array(json);
}

void scree_describe_keys_json(scree_json *json, const scree_key_table *table)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", table->name);
    scree_json_string(json, "help", table->help);
    scree_json_open_array(json, "parameters");
    for (uint32_t i = 0; i < table->n; i++)
        put_param(json, &table->rows[i]);
    scree_json_close_array(json);
    scree_json_close_object(json);
}
