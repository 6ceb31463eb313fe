/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor for readers: as a page of text, as a block for a scene, as JSON. */
#include "plugin/describe.h"

#include <math.h>
#include <string.h>

#include "config/units.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/quantities.h"
#include "plugin/uses.h"

#define WIDTH 96 /* [characters] of wrapped text */

/** A bit or code and its word. */
typedef struct word {
    uint64_t value;
    const char *text;
} word;

static const word dimension_words[] = {
    {SCREE_DIMENSION_2, "2D"}, {SCREE_DIMENSION_3, "3D"}, {0, NULL}};
static const word param_flag_words[] = {{SCREE_PARAM_REQUIRED, "required"},
                                        {SCREE_PARAM_OPTIONAL, "optional"},
                                        {SCREE_PARAM_LIVE, "live"},
                                        {SCREE_PARAM_INLINE, "inline"},
                                        {0, NULL}};
static const word type_words[] = {{SCREE_TYPE_BOOL, "bool"},
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
                                  {0, NULL}};
static const word mixing_words[] = {{SCREE_MIX_MEAN, "mean"},
                                    {SCREE_MIX_GEOMETRIC, "geometric mean"},
                                    {SCREE_MIX_HARMONIC, "harmonic mean"},
                                    {SCREE_MIX_MIN, "minimum"},
                                    {SCREE_MIX_MAX, "maximum"},
                                    {0, NULL}};
static const word return_words[] = {
    {SCREE_RETURN_RESTART, "restart"}, {SCREE_RETURN_RESTORE, "restore"}, {0, NULL}};
static const word access_words[] = {{SCREE_USE_READ, "read"}, {SCREE_USE_ADD, "add"}, {0, NULL}};
static const word scope_words[] = {{SCREE_SCOPE_CONTACT, "contact"},
                                   {SCREE_SCOPE_PAIR, "pair"},
                                   {SCREE_SCOPE_BODY, "body"},
                                   {SCREE_SCOPE_GLOBAL, "global"},
                                   {0, NULL}};

static const char *find_word(const word *words, uint64_t value)
{
    for (; words->text; words++)
        if (words->value == value)
            return words->text;
    return "";
}

/** "a, b" for the bits of a mask; "none". */
static char *join_words(const word *words, uint64_t mask)
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

/** The words of one mask of the quantities, at an offset of their rows, in the order of their bits;
 * ended by NULL. New array. */
static word *quantity_words(size_t mask)
{
    GArray *words = g_array_new(TRUE, TRUE, sizeof(word));
    for (uint64_t bit = 1; bit; bit <<= 1)
        for (const scree_quantity *q = scree_quantities; q->name; q++) {
            uint64_t its;
            memcpy(&its, (const char *)q + mask, sizeof its);
            const word one = {bit, q->name};
            if (its != bit)
                continue;
            g_array_append_val(words, one);
            break;
        }
    return (word *)(void *)g_array_free(words, FALSE);
}

static word *needs_words(void)
{
    return quantity_words(offsetof(scree_quantity, in));
}

static word *provides_words(const scree_plugin *plugin)
{
    return quantity_words(plugin->kind == SCREE_KIND_FORCE ? offsetof(scree_quantity, out)
                                                           : offsetof(scree_quantity, gives));
}

/* Values. Numbers are shown in the unit of the parameter; the descriptor holds them in SI. */

static bool holds_reals(const scree_param *param)
{
    return param->type == SCREE_TYPE_REAL || param->type == SCREE_TYPE_REAL_ARRAY ||
           param->type == SCREE_TYPE_PER_MATERIAL || param->type == SCREE_TYPE_PER_PAIR ||
           param->type == SCREE_TYPE_REAL_ROWS;
}

static bool holds_ints(const scree_param *param)
{
    return param->type == SCREE_TYPE_INT || param->type == SCREE_TYPE_INT_ARRAY ||
           param->type == SCREE_TYPE_INT_ROWS;
}

static bool is_array(const scree_param *param)
{
    return param->type == SCREE_TYPE_INT_ARRAY || param->type == SCREE_TYPE_REAL_ARRAY ||
           param->type == SCREE_TYPE_STRING_ARRAY;
}

static bool is_rows(const scree_param *param)
{
    return param->type == SCREE_TYPE_REAL_ROWS || param->type == SCREE_TYPE_INT_ROWS;
}

/** The unit as it is printed, NULL when there is none. */
static const char *unit_of(const char *unit)
{
    return unit && *unit && !g_str_equal(unit, "-") ? unit : NULL;
}

static double factor_of(const scree_param *param)
{
    scree_unit unit;
    return unit_of(param->unit) && scree_unit_parse(param->unit, &unit, NULL) ? unit.factor : 1.0;
}

/** 15 digits are those that an author wrote; division by the unit's factor leaves noise behind
 * them. */
static char *real_text(double si, double factor)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(buffer, sizeof buffer, "%.15g", si / factor));
}

/** As libconfig wants a real: with a point or an exponent. */
static char *literal_real(const scree_param *param, double si)
{
    double factor = factor_of(param);
    g_autofree char *number = real_text(si, factor);
    if (factor != 1.0)
        return g_strdup_printf("\"%s %s\"", number, param->unit);
    return strpbrk(number, ".en") ? g_steal_pointer(&number) : g_strconcat(number, ".0", NULL);
}

/** The default as one writes it in a scene; NULL when there is none. */
static char *literal_default(const scree_param *param)
{
    if (param->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL))
        return NULL;
    if (param->type == SCREE_TYPE_BOOL)
        return g_strdup(param->int_default ? "true" : "false");
    if (param->type == SCREE_TYPE_STRING_ARRAY || (is_array(param) && param->length == 0))
        return g_strdup("()");
    if (param->type == SCREE_TYPE_STRING || param->type == SCREE_TYPE_CHOICE ||
        param->type == SCREE_TYPE_PLUGIN) {
        g_autofree char *escaped =
            g_strescape(param->string_default ? param->string_default : "", "\x80\xff");
        return g_strdup_printf(param->type == SCREE_TYPE_PLUGIN ? "{ plugin = \"%s\"; }" : "\"%s\"",
                               escaped);
    }
    g_autofree char *one =
        holds_ints(param)
            ? g_strdup_printf("%" G_GINT64_FORMAT "%s", param->int_default,
                              param->int_default == (gint32)param->int_default ? "" : "L")
            : literal_real(param, param->real_default);
    if (!is_array(param))
        return g_steal_pointer(&one);
    GString *list = g_string_new("(");
    for (uint32_t i = 0; i < param->length; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", one);
    return g_string_free(g_string_append_c(list, ')'), FALSE);
}

/** "> 0", "0 to 1", "0 < x <= 1"; NULL without limits. */
static char *range_text(const scree_param *param)
{
    bool reals = holds_reals(param);
    if (!reals && !holds_ints(param))
        return NULL;
    bool below = reals ? isfinite(param->real_min) : param->int_min != INT64_MIN;
    bool above = reals ? isfinite(param->real_max) : param->int_max != INT64_MAX;
    double factor = factor_of(param);
    g_autofree char *min = reals ? real_text(param->real_min, factor)
                                 : g_strdup_printf("%" G_GINT64_FORMAT, param->int_min);
    g_autofree char *max = reals ? real_text(param->real_max, factor)
                                 : g_strdup_printf("%" G_GINT64_FORMAT, param->int_max);
    const char *low = param->flags & SCREE_PARAM_MIN_OPEN ? ">" : ">=";
    const char *high = param->flags & SCREE_PARAM_MAX_OPEN ? "<" : "<=";
    if (below && above)
        return g_strdup_printf("%s %s, %s %s", low, min, high, max);
    if (!below && !above)
        return NULL;
    return below ? g_strdup_printf("%s %s", low, min) : g_strdup_printf("%s %s", high, max);
}

/** "real [m], >= 0, live": type, unit, range, how it is filled. */
static char *type_text(const scree_param *param)
{
    GString *text = g_string_new(find_word(type_words, param->type));
    g_autofree char *range = range_text(param);
    if (is_array(param) && param->length)
        g_string_append_printf(text, " (%u)", param->length);
    if (is_rows(param) && param->length)
        g_string_append_printf(text, " (%u each)", param->length);
    if (param->type == SCREE_TYPE_PLUGIN)
        g_string_append_printf(text, " (%s)", scree_kind_name(param->kind));
    if (unit_of(param->unit))
        g_string_append_printf(text, " [%s]", param->unit);
    if (range)
        g_string_append_printf(text, ", %s", range);
    if (param->type == SCREE_TYPE_PER_PAIR && param->mixing != SCREE_MIX_NONE)
        g_string_append_printf(text, ", %s of the materials",
                               find_word(mixing_words, param->mixing));
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
    g_autofree char *literal = literal_default(param);
    if (literal)
        return g_strdup_printf("default %s", literal);
    return g_strdup(param->flags & SCREE_PARAM_REQUIRED ? "required" : "optional");
}

/* The page. */

/** Appends a text, wrapped at blanks; its own line ends begin new paragraphs. */
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
    const char *unit = unit_of(use->unit);
    g_autofree char *access = join_words(access_words, use->access);
    g_string_append_printf(page, "  %s.%s: %s, unit %s%s\n", find_word(scope_words, use->scope),
                           use->name, access, unit ? unit : "-",
                           use->flags & SCREE_USE_OPTIONAL ? ", optional" : "");
    append_wrapped(page, use->help, "      ");
}

static void append_field(GString *page, const scree_field *field)
{
    const char *unit = unit_of(field->unit);
    g_string_append_printf(page, "  %s.%s: %u %s, unit %s, revision %u, %s\n",
                           find_word(scope_words, field->scope), field->name, field->components,
                           field->components == 1 ? "component" : "components", unit ? unit : "-",
                           field->revision, find_word(return_words, field->on_return));
    append_wrapped(page, field->help, "      ");
}

char *scree_describe_text(const scree_plugin *plugin, const scree_file *file)
{
    g_autofree char *serves = join_words(dimension_words, plugin->dimensions);
    g_autofree char *flags = join_caps(plugin->flags);
    g_autofree word *inputs = needs_words(), *outputs = provides_words(plugin);
    g_autofree char *needs = join_words(inputs, plugin->needs);
    g_autofree char *provides = join_words(outputs, plugin->provides);
    GString *page = g_string_new(NULL);
    g_string_append_printf(page, "%s/%s %s: %s\n", scree_kind_name(plugin->kind), plugin->id,
                           plugin->version, plugin->help);
    g_string_append_printf(page,
                           "  serves    %s\n  flags     %s\n  licence   %s\n  file      %s\n"
                           "  cpu level %s\n",
                           serves, flags, plugin->licence, file->path, file->cpu_level);
    if (plugin->kind == SCREE_KIND_FORCE)
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
    if (scree_uses_declared(plugin))
        g_string_append(page, "\nfields of others that it uses\n");
    for (uint32_t i = 0; i < scree_uses_declared(plugin); i++)
        append_use(page, plugin->uses[i]);
    if (plugin->citation) {
        g_string_append(page, "\nplease cite\n");
        append_wrapped(page, plugin->citation, "  ");
    }
    return g_string_free(page, FALSE);
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
    g_autofree char *value = literal_default(param);
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
    const char *kind = scree_kind_name(plugin->kind);
    bool list = plugin->kind == SCREE_KIND_RESOLVER || plugin->kind == SCREE_KIND_FORCE;
    bool named = plugin->kind == SCREE_KIND_OBSERVER || plugin->kind == SCREE_KIND_MODIFIER ||
                 plugin->kind == SCREE_KIND_SHAPE || plugin->kind == SCREE_KIND_SOURCE;
    const char *indent = list || named ? "        " : "    ";
    const char *plural = plugin->kind == SCREE_KIND_FORCE ? "" : list || named ? "s" : "";
    g_string_append_printf(block, "# %s/%s %s: %s\n", kind, plugin->id, plugin->version,
                           plugin->help);
    if (plugin->kind == SCREE_KIND_SOURCE)
        g_string_append(block, "generate = {\n");
    else
        g_string_append_printf(block, "%s%s = %s\n", kind, plural, list ? "(" : "{");
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

/* JSON. */

static void put_words(scree_json *json, const char *key, const word *words, uint64_t mask)
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

/** Default and limits, in SI base units. */
static void put_limits(scree_json *json, const scree_param *param)
{
    bool has_default = !(param->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL));
    if (!has_default)
        scree_json_null(json, "default");
    else if (param->type == SCREE_TYPE_BOOL)
        scree_json_bool(json, "default", param->int_default);
    else if (holds_ints(param))
        scree_json_int(json, "default", param->int_default);
    else if (holds_reals(param))
        scree_json_real(json, "default", param->real_default);
    else
        scree_json_string(json, "default", param->string_default);
    if (holds_ints(param)) {
        scree_json_int(json, "min", param->int_min);
        scree_json_int(json, "max", param->int_max);
    }
    if (holds_reals(param)) {
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
    scree_json_string(json, "type", find_word(type_words, param->type));
    scree_json_string(json, "unit", unit_of(param->unit));
    scree_json_string(json, "help", param->help);
    put_words(json, "flags", param_flag_words, param->flags);
    put_limits(json, param);
    if (is_array(param) || is_rows(param))
        scree_json_uint(json, "length", param->length);
    if (param->type == SCREE_TYPE_PER_PAIR)
        scree_json_string(json, "mixing",
                          param->mixing ? find_word(mixing_words, param->mixing) : NULL);
    if (param->type == SCREE_TYPE_PLUGIN)
        scree_json_string(json, "kind", scree_kind_name(param->kind));
    if (param->type == SCREE_TYPE_CHOICE) {
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
    scree_json_string(json, "scope", find_word(scope_words, use->scope));
    scree_json_uint(json, "components", use->components);
    put_words(json, "access", access_words, use->access);
    scree_json_bool(json, "optional", (use->flags & SCREE_USE_OPTIONAL) != 0);
    scree_json_string(json, "unit", unit_of(use->unit));
    scree_json_string(json, "help", use->help);
    scree_json_close_object(json);
}

static void put_field_json(scree_json *json, const scree_field *field)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "name", field->name);
    scree_json_string(json, "scope", find_word(scope_words, field->scope));
    scree_json_uint(json, "components", field->components);
    scree_json_uint(json, "revision", field->revision);
    scree_json_string(json, "on_return", find_word(return_words, field->on_return));
    scree_json_string(json, "unit", unit_of(field->unit));
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
    put_words(json, "dimensions", dimension_words, plugin->dimensions);
    put_caps(json, plugin->flags);
    g_autofree word *inputs = needs_words(), *outputs = provides_words(plugin);
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
    for (uint32_t i = 0; i < scree_uses_declared(plugin); i++)
        put_use(json, plugin->uses[i]);
    scree_json_close_array(json);
}
