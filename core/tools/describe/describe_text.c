/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor for readers: as a page of text, as a block for a scene. */
#include "tools/describe/describe_text.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "config/units.h"
#include "plugin/field_uses.h"
#include "plugin/kinds.h"
#include "tools/describe/describe_json.h"
#include "tools/describe/param_default.h"
#include "tools/judge/kind_check.h"

#define WIDTH 96 /* [characters] of wrapped text */

/** "a, b" for the bits of a mask; "none". */
static char *join_words(const scree_word *words, uint64_t mask)
{
    GString *text = g_string_new(NULL);
    for (; words->text; words++)
        if (mask & words->value)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", words->text);
    return g_string_free(text->len ? text : g_string_append(text, "none"), FALSE);
}

/** "serial, uses_libm" for the flags of a descriptor; "none". */
static char *join_caps(uint32_t flags)
{
    GString *text = g_string_new(NULL);
    for (const scree_cap *cap = scree_caps; cap->name; cap++)
        if (flags & cap->flag)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", cap->name);
    return g_string_free(text->len ? text : g_string_append(text, "none"), FALSE);
}

/* Numbers are shown in the unit of the parameter; the descriptor holds them in SI. */

/** "> 0", ">= 0, <= 1": the range, a new string; NULL: none. */
static char *range_text(const scree_param *param)
{
    bool reals = scree_param_holds_reals(param);
    if (!reals && !scree_param_holds_ints(param))
        return NULL;
    bool below = reals ? isfinite(param->real_min) : param->int_min != INT64_MIN;
    bool above = reals ? isfinite(param->real_max) : param->int_max != INT64_MAX;
    double factor = scree_unit_factor(param->unit);
    g_autofree char *min = reals ? scree_real_shown(param->real_min, factor)
                                 : g_strdup_printf("%" G_GINT64_FORMAT, param->int_min);
    g_autofree char *max = reals ? scree_real_shown(param->real_max, factor)
                                 : g_strdup_printf("%" G_GINT64_FORMAT, param->int_max);
    const char *low = param->flags & SCREE_PARAM_MIN_OPEN ? ">" : ">=";
    const char *high = param->flags & SCREE_PARAM_MAX_OPEN ? "<" : "<=";
    if (below && above)
        return g_strdup_printf("%s %s, %s %s", low, min, high, max);
    if (!below && !above)
        return NULL;
    return below ? g_strdup_printf("%s %s", low, min) : g_strdup_printf("%s %s", high, max);
}

/** "real [m], >= 0, live": type, unit, range, flags. New string. */
static char *type_text(const scree_param *param)
{
    GString *text = g_string_new(scree_param_type(param));
    g_autofree char *range = range_text(param);
    if (scree_param_is_array(param) && param->length)
        g_string_append_printf(text, " (%u)", param->length);
    if (scree_param_is_rows(param) && param->length)
        g_string_append_printf(text, " (%u each)", param->length);
    if (param->type == SCREE_TYPE_PLUGIN)
        g_string_append_printf(text, " (%s)", scree_kind_name(param->kind));
    if (scree_unit_shown(param->unit))
        g_string_append_printf(text, " [%s]", param->unit);
    if (range)
        g_string_append_printf(text, ", %s", range);
    if (param->type == SCREE_TYPE_PER_PAIR && param->mixing != SCREE_MIX_NONE)
        g_string_append_printf(text, ", %s of the materials",
                               scree_word_of(scree_mixing_words, param->mixing));
    if (param->flags & SCREE_PARAM_FIELD)
        g_string_append(text, ", body fields");
    if (param->flags & (SCREE_PARAM_GROUP | SCREE_PARAM_KINEMATIC_GROUP))
        g_string_append_printf(text, ", groups of %sbodies",
                               param->flags & SCREE_PARAM_KINEMATIC_GROUP ? "kinematic " : "");
    if (param->flags & SCREE_PARAM_LIVE)
        g_string_append(text, ", live");
    return g_string_free(text, FALSE);
}

static char *default_text(const scree_param *param)
{
    g_autofree char *literal = scree_param_default(param, false, 3);
    if (literal)
        return g_strdup_printf("default %s", literal);
    return g_strdup(param->flags & SCREE_PARAM_REQUIRED ? "required" : "optional");
}

/* The page. */

/** Appends a text, wrapped at blanks; its own line breaks begin paragraphs. */
static void append_wrapped(GString *page, const char *text, const char *indent)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) words = g_strsplit(*line, " ", -1);
        glong column = 0;
        for (char **w = words; *w; w++) {
            glong length = g_utf8_strlen(*w, -1);
            if (column && column + 1 + length > WIDTH) {
                g_string_append_c(page, '\n');
                column = 0;
            }
            g_string_append_printf(page, "%s%s", column ? " " : indent, *w);
            column += length + 1;
        }
        g_string_append_c(page, '\n');
    }
}

static const char zone_words[] = "{ min, max }, { type = \"sphere\"; centre, radius } or { type = "
                                 "\"cylinder\"; from, to, radius, inner }";

static const char recipe_words[] = "the keys shape, material, radius or diameter or scale or "
                                   "distribution, orientation, motion, velocity, velocity_random, "
                                   "spin";

static bool is_inline(const scree_param *param)
{
    return param->flags & SCREE_PARAM_INLINE;
}

static void append_param(GString *page, const scree_param *param)
{
    g_autofree char *type = type_text(param), *value = default_text(param);
    if (is_inline(param))
        g_string_append_printf(page, "  (%s): keys of the group itself\n", param->name);
    else
        g_string_append_printf(page, "  %s: %s; %s\n", param->name, type, value);
    append_wrapped(page, param->help, "      ");
    if (is_inline(param))
        append_wrapped(page, recipe_words, "      ");
    if (param->type == SCREE_TYPE_ZONE)
        append_wrapped(page, zone_words, "      ");
    for (uint32_t i = 0; i < param->n_choices; i++)
        g_string_append_printf(page, "      \"%s\": %s\n", param->choices[i]->name,
                               param->choices[i]->help);
}

static void append_use(GString *page, const scree_use *use)
{
    const char *unit = scree_unit_shown(use->unit);
    g_autofree char *access = join_words(scree_access_words, use->access);
    g_string_append_printf(page, "  %s.%s: %s, unit %s%s\n", scree_scope_name(use->scope),
                           use->name, access, unit ? unit : "-",
                           use->flags & SCREE_USE_OPTIONAL ? ", optional" : "");
    append_wrapped(page, use->help, "      ");
}

static void append_field(GString *page, const scree_field *field)
{
    const char *unit = scree_unit_shown(field->unit);
    g_string_append_printf(page, "  %s.%s: %u %s, unit %s, revision %u, %s\n",
                           scree_scope_name(field->scope), field->name, field->components,
                           field->components == 1 ? "component" : "components", unit ? unit : "-",
                           field->revision, scree_word_of(scree_return_words, field->on_return));
    append_wrapped(page, field->help, "      ");
}

char *scree_describe_text(const scree_plugin *plugin, const scree_file *file)
{
    g_autofree char *serves = join_words(scree_dimension_words, plugin->dimensions);
    g_autofree char *flags = join_caps(plugin->flags);
    g_autofree scree_word *inputs = scree_needs_words(plugin),
                          *outputs = scree_provides_words(plugin);
    g_autofree char *needs = join_words(inputs, plugin->needs);
    g_autofree char *provides = join_words(outputs, plugin->provides);
    GString *page = g_string_new(NULL);
    g_string_append_printf(page, "%s/%s %s: %s\n", scree_kind_name(plugin->kind), plugin->id,
                           plugin->version, plugin->help);
    g_string_append_printf(page,
                           "  serves    %s\n  flags     %s\n  licence   %s\n  file      %s\n"
                           "  cpu level %s\n",
                           serves, flags, plugin->licence, file->path, file->cpu_level);
    if (plugin->kind == SCREE_KIND_FORCE || plugin->needs)
        g_string_append_printf(page, "  needs     %s\n", needs);
    if (plugin->kind == SCREE_KIND_FORCE || plugin->kind == SCREE_KIND_RESOLVER)
        g_string_append_printf(page, "  provides  %s\n", provides);
    if (plugin->summary) {
        g_string_append_c(page, '\n');
        append_wrapped(page, plugin->summary, "");
    }
    g_string_append(page, plugin->n_params ? "\nparameters\n" : "\nno parameters\n");
    for (uint32_t i = 0; i < plugin->n_params; i++)
        append_param(page, plugin->params[i]);
    if (plugin->n_fields)
        g_string_append(page, "\nfields that the host keeps\n");
    for (uint32_t i = 0; i < plugin->n_fields; i++)
        append_field(page, plugin->fields[i]);
    if (plugin->n_uses)
        g_string_append(page, "\nfields of others that it uses\n");
    for (uint32_t i = 0; i < plugin->n_uses; i++)
        append_use(page, plugin->uses[i]);
    if (plugin->citation) {
        g_string_append(page, "\nplease cite\n");
        append_wrapped(page, plugin->citation, "  ");
    }
    return g_string_free(page, FALSE);
}

void scree_describe_keys(GString *page, const scree_key_table *table)
{
    g_string_append_printf(page, "%s%s: %s\n", page->len ? "\n" : "", table->name, table->help);
    for (uint32_t i = 0; i < table->n; i++)
        append_param(page, &table->rows[i]);
}

/* The block for a scene. */

static void append_meaning(GString *block, const scree_param *param, const char *indent)
{
    g_autofree char *type = type_text(param);
    g_auto(GStrv) help = g_strsplit(param->help, "\n", -1);
    g_autofree char *meaning = g_strjoinv(" ", help);
    g_string_append_printf(block, "%s# %s (%s)\n", indent, meaning, type);
    for (uint32_t i = 0; i < param->n_choices; i++)
        g_string_append_printf(block, "%s#   \"%s\": %s\n", indent, param->choices[i]->name,
                               param->choices[i]->help);
}

static void append_setting(GString *block, const scree_param *param, const char *indent)
{
    g_autofree char *value = scree_param_default(param, false, 3);
    append_meaning(block, param, indent);
    if (param->type == SCREE_TYPE_PER_PAIR)
        g_string_append_printf(
            block, "%s#   here for all; in materials or material_pairs for some\n", indent);
    if (param->type == SCREE_TYPE_PER_MATERIAL)
        g_string_append_printf(block, "%s#   here for all; in materials for one\n", indent);
    if (is_inline(param) && param->flags & SCREE_PARAM_OPTIONAL)
        g_string_append_printf(block, "%s# %s\n", indent, recipe_words);
    else if (is_inline(param))
        g_string_append_printf(block, "%sradius = \"?\";  # %s\n", indent, recipe_words);
    else if (value)
        g_string_append_printf(block, "%s# %s = %s;\n", indent, param->name, value);
    else if (param->flags & SCREE_PARAM_REQUIRED)
        g_string_append_printf(block, "%s%s = \"?\";  # required\n", indent, param->name);
    else if (param->type == SCREE_TYPE_PLACING)
        g_string_append_printf(block, "%s# unit, scale, rotate, move = ...;  # optional\n", indent);
    else if (param->type == SCREE_TYPE_ZONE)
        g_string_append_printf(block, "%s# %s = ...;  # optional: %s\n", indent, param->name,
                               zone_words);
    else
        g_string_append_printf(block, "%s# %s = ...;  # optional\n", indent, param->name);
}

char *scree_describe_template(const scree_plugin *plugin)
{
    GString *block = g_string_new(NULL);
    const scree_kind *kind = &scree_kinds[plugin->kind];
    const bool list = kind->form == SCREE_SLOT_LIST, named = kind->form == SCREE_SLOT_NAMED;
    const char *indent = list || named ? "        " : "    ";
    g_string_append_printf(block, "# %s/%s %s: %s\n%s = %s\n", kind->name, plugin->id,
                           plugin->version, plugin->help, kind->key, list ? "(" : "{");
    if (list)
        g_string_append(block, "    {\n");
    if (named)
        g_string_append_printf(block, "    my_%s = {\n", plugin->id);
    g_string_append_printf(block, "%s%s = \"%s\";\n", indent,
                           plugin->kind == SCREE_KIND_SHAPE ? "type" : "plugin", plugin->id);
    if (scree_kind_has_intervals(plugin))
        g_string_append_printf(block,
                               "%s# how often: every_steps%s every_time [s]%s\n"
                               "%s# every_steps = 100;\n",
                               indent, plugin->kind == SCREE_KIND_MODIFIER ? " or" : ",",
                               plugin->kind == SCREE_KIND_OBSERVER ? " or every_wall [s]" : "",
                               indent);
    for (uint32_t i = 0; i < plugin->n_params; i++)
        append_setting(block, plugin->params[i], indent);
    g_string_append(block, list ? "    }\n);\n" : named ? "    };\n};\n" : "};\n");
    return g_string_free(block, FALSE);
}

static const scree_param *find_param(const scree_plugin *plugin, const char *name)
{
    for (uint32_t i = 0; i < plugin->n_params; i++)
        if (g_str_equal(plugin->params[i]->name, name))
            return plugin->params[i];
    return NULL;
}

static bool is_set_in(const scree_setting *settings, const char *name)
{
    for (; settings->key; settings++)
        if (g_str_equal(settings->key, name))
            return true;
    return false;
}

char *scree_describe_settings(const scree_plugin *plugin, const scree_setting *settings,
                              const char *indent, GError **error)
{
    g_autoptr(GString) block = g_string_new(NULL);
    g_autoptr(GString) others = g_string_new(NULL);
    const char *kind = scree_kind_name(plugin->kind);
    g_string_append_printf(block, "%s# %s\n%splugin = \"%s\";\n", indent, plugin->help, indent,
                           plugin->id);
    for (const scree_setting *s = settings; s->key; s++) {
        const scree_param *param = find_param(plugin, s->key);
        if (!param) {
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN, "%s/%s %s has no parameter \"%s\"",
                        kind, plugin->id, plugin->version, s->key);
            return NULL;
        }
        append_meaning(block, param, indent);
        g_string_append_printf(block, "%s%s = %s;\n", indent, s->key, s->value);
    }
    g_string_append_printf(others, "also (scree plugins %s/%s):", kind, plugin->id);
    uint32_t n = 0;
    for (uint32_t i = 0; i < plugin->n_params; i++)
        if (!is_set_in(settings, plugin->params[i]->name))
            g_string_append_printf(others, "%s%s", n++ ? ", " : " ", plugin->params[i]->name);
    g_autofree char *comment = g_strconcat(indent, "# ", NULL);
    if (n)
        append_wrapped(block, others->str, comment);
    return g_string_free(g_steal_pointer(&block), FALSE);
}

uint32_t scree_named_kind(const char *name, const char *more, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    uint32_t kind = scree_kind_from_name(name);
    if (kind)
        return kind;
    for (uint32_t k = 1; scree_kind_name(k); k++)
        g_ptr_array_add(names, (char *)scree_kind_name(k));
    g_ptr_array_add(names, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    names->pdata[names->len - 1] = (char *)more;
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = scree_did_you_mean(name, (const char *const *)names->pdata);
    scree_fail(error, SCREE_EXIT_USAGE, "expected %s%sa kind of plugins (%s), got \"%s\"%s",
               more ? more : "", more ? " or " : "", all, name, hint);
    return 0;
}
