/* SPDX-License-Identifier: Apache-2.0 */
/* Values of parameters, made up from the schema of the plugin under test. */
#include "tools/check/check_values.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "plugin/kinds.h"

/** How values for parameters are chosen. */
typedef struct wish {
    const scree_check *check;
    uint32_t dimension, parameters;
    const char *const *settings; /* NULL: none */
    uint32_t optional;           /* mask of optional parameters that are set, in their order */
} wish;

uint32_t scree_check_dimension(const scree_check *check)
{
    return check->plugin->dimensions & SCREE_DIMENSION_3 && !check->flat ? 3 : 2;
}

static char *show_real(double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(buffer, sizeof buffer, "%.15g", value);
    if (g_ascii_strtod(buffer, NULL) != value)
        g_ascii_formatd(buffer, sizeof buffer, "%.17g", value);
    return strpbrk(buffer, ".e") ? g_strdup(buffer) : g_strconcat(buffer, ".0", NULL);
}

static char *show_int(int64_t value)
{
    return g_strdup_printf("%" G_GINT64_FORMAT "L", value);
}

static bool is_real(const scree_param *p)
{
    return p->type == SCREE_TYPE_REAL || p->type == SCREE_TYPE_REAL_ARRAY ||
           p->type == SCREE_TYPE_REAL_ROWS || p->type == SCREE_TYPE_PER_MATERIAL ||
           p->type == SCREE_TYPE_PER_PAIR;
}

static bool is_int(const scree_param *p)
{
    return p->type == SCREE_TYPE_INT || p->type == SCREE_TYPE_INT_ARRAY ||
           p->type == SCREE_TYPE_INT_ROWS;
}

static double middle_real(const scree_param *p)
{
    bool low = isfinite(p->real_min), high = isfinite(p->real_max);
    if (low && high && p->real_max - p->real_min > 1e12) // the middle is useless here
        high = false;
    if (low && high)
        return p->real_min + (p->real_max - p->real_min) / 2;
    if (low)
        return p->real_min > 0.0 ? 2 * p->real_min : p->real_min + 1.0;
    return high ? p->real_max - 1.0 : 0.5;
}

static int64_t middle_int(const scree_param *p)
{
    if (p->int_min == INT64_MIN && p->int_max == INT64_MAX)
        return 1;
    if (p->int_max == INT64_MAX)
        return p->int_min < INT64_MAX ? p->int_min + 1 : p->int_min;
    return p->int_min == INT64_MIN
               ? p->int_max
               : (int64_t)(p->int_min +
                           (int64_t)(((uint64_t)p->int_max - (uint64_t)p->int_min) / 2));
}

/** An end of a range of reals; NaN: it has none. A literal cannot be denormal. */
static double end_real(const scree_param *p, uint32_t end)
{
    bool low = end == SCREE_CHECK_LOWEST;
    double value = low ? p->real_min : p->real_max;
    if (!isfinite(value))
        return (double)NAN;
    if (low && (p->flags & SCREE_PARAM_MIN_OPEN))
        value = nextafter(value, HUGE_VAL);
    if (!low && (p->flags & SCREE_PARAM_MAX_OPEN))
        value = nextafter(value, -HUGE_VAL);
    return value != 0.0 && fabs(value) < DBL_MIN ? copysign(DBL_MIN, value) : value;
}

/** An element at an end of its range, a new string; NULL: it has no such end. */
static char *element_at_end(const scree_param *p, uint32_t end)
{
    bool low = end == SCREE_CHECK_LOWEST;
    if (is_real(p))
        return isnan(end_real(p, end)) ? NULL : show_real(end_real(p, end));
    if (is_int(p))
        return show_int(low ? p->int_min : p->int_max);
    if (p->type == SCREE_TYPE_BOOL)
        return g_strdup(low ? "false" : "true");
    if (p->type == SCREE_TYPE_CHOICE)
        return g_strdup_printf("\"%s\"", p->choices[low ? 0 : p->n_choices - 1]->name);
    return NULL;
}

/** A list of n elements, three rows of them, or the element itself; takes the element. */
static char *repeat(const scree_param *p, char *element, uint32_t n)
{
    const bool rows = p->type == SCREE_TYPE_REAL_ROWS || p->type == SCREE_TYPE_INT_ROWS;
    if (!element || (!rows && p->type != SCREE_TYPE_REAL_ARRAY && p->type != SCREE_TYPE_INT_ARRAY))
        return element;
    g_autoptr(GString) list = g_string_new("(");
    for (uint32_t k = 0; k < n; k++)
        g_string_append_printf(list, "%s%s", k ? ", " : "", element);
    g_free(element);
    g_string_append(list, ")");
    return rows ? g_strdup_printf("(%s, %s, %s)", list->str, list->str, list->str)
                : g_strdup(list->str);
}

char *scree_check_at_end(const scree_param *p, uint32_t end)
{
    g_autofree char *value = repeat(p, element_at_end(p, end), MAX(p->length, 1));
    return value ? g_strdup_printf("%s=%s", p->name, value) : NULL;
}

static const char *plugin_of_kind(uint32_t kind)
{
    static const char *const ids[] = {
        [SCREE_KIND_GCD] = "grid",      [SCREE_KIND_RESOLVER] = "sphere",
        [SCREE_KIND_FORCE] = "linear",  [SCREE_KIND_INTEGRATOR] = "velocity_verlet",
        [SCREE_KIND_OBSERVER] = "csv",  [SCREE_KIND_MODIFIER] = "damping",
        [SCREE_KIND_SOURCE] = "lattice"};
    return ids[kind];
}

/** Number k of n different ones in a range: from the middle to the lower end, otherwise from the
 * upper end. */
static double spread_real(const scree_param *p, uint32_t k, uint32_t n)
{
    const double middle = middle_real(p), share = 1.0 - 0.4 * k / MAX(n - 1, 1);
    if (isfinite(p->real_min))
        return p->real_min + share * (middle - p->real_min);
    return isfinite(p->real_max) ? p->real_max - share * (p->real_max - middle) : share * middle;
}

/** A list of n different numbers: equal half axes would make a ball. */
static char *spread(const scree_param *p, uint32_t n)
{
    g_autoptr(GString) list = g_string_new("(");
    for (uint32_t k = 0; k < n; k++) {
        g_autofree char *element = show_real(spread_real(p, k, n));
        g_string_append_printf(list, "%s%s", k ? ", " : "", element);
    }
    return g_strdup(g_string_append(list, ")")->str);
}

/** A value for a parameter without a default. */
static char *make_value(const scree_param *p, uint32_t dimension)
{
    const char *group = p->flags & SCREE_PARAM_KINEMATIC_GROUP ? "wall"
                        : p->flags & SCREE_PARAM_FIELD         ? "made_up"
                                                               : "ball";
    uint32_t n = p->length ? p->length : dimension;
    if (p->type == SCREE_TYPE_REAL_ARRAY)
        return spread(p, n);
    if (is_real(p))
        return repeat(p, show_real(middle_real(p)), n);
    if (is_int(p))
        return repeat(p, show_int(middle_int(p)), n);
    switch (p->type) {
    case SCREE_TYPE_BOOL:
        return g_strdup("true");
    case SCREE_TYPE_CHOICE:
        return g_strdup_printf("\"%s\"", p->choices[0]->name);
    case SCREE_TYPE_STRING:
    case SCREE_TYPE_STRING_ARRAY:
        return g_strdup_printf("\"%s\"", group);
    case SCREE_TYPE_ZONE:
        return g_strdup(dimension == 3 ? "{ min = (0.1, 0.1, 0.1); max = (0.9, 0.9, 0.9); }"
                                       : "{ min = (0.1, 0.1); max = (0.9, 0.9); }");
    case SCREE_TYPE_RECIPE:
        return g_strdup_printf(
            "{ material = \"second\"; distribution = { type = \"uniform\"; min = 0.008; max = "
            "0.012; }; velocity = (0.2, -0.1%s); velocity_random = 0.05; orientation = "
            "\"random\"; }",
            dimension == 3 ? ", 0.1" : "");
    case SCREE_TYPE_PLACING: // it has no key with its name
        return NULL;
    case SCREE_TYPE_MATERIALS:
        return g_strdup("\"first\"");
    default:
        return p->kind == SCREE_KIND_SHAPE
                   ? g_strdup("{ type = \"sphere\"; radius = 1.0; }")
                   : g_strdup_printf("{ plugin = \"%s\"; }", plugin_of_kind(p->kind));
    }
}

/** A value for the plugin under test. Random bodies cannot fill half a region: sources get a tenth
 * of a range. */
static char *make_up(const wish *w, const scree_param *p)
{
    const bool finite = isfinite(p->real_min) && isfinite(p->real_max);
    if (w->check->plugin->kind == SCREE_KIND_SOURCE && p->type == SCREE_TYPE_REAL && finite)
        return show_real(p->real_min + 0.1 * (p->real_max - p->real_min));
    return make_value(p, w->dimension);
}

char *scree_check_made_up(const scree_check *check, uint32_t dimension, const scree_param *p)
{
    const wish w = {.check = check, .dimension = dimension};
    g_autofree char *value =
        p->flags & (SCREE_PARAM_INLINE | SCREE_PARAM_FILE) ? NULL : make_up(&w, p);
    return value ? g_strdup_printf("%s=%s", p->name, value) : NULL;
}

/** The text after "NAME=" of a setting of the parameter; NULL: no setting names it. */
static const char *find_setting(const char *const *settings, const scree_param *p)
{
    const size_t n = strlen(p->name);
    for (; settings && *settings; settings++)
        if (g_str_has_prefix(*settings, p->name) && (*settings)[n] == '=')
            return *settings + n + 1;
    return NULL;
}

bool scree_check_has_setting(const char *const *settings, const scree_param *p)
{
    return find_setting(settings, p) != NULL;
}

bool scree_check_has_param(const scree_plugin *plugin, const char *setting)
{
    for (uint32_t k = 0; k < plugin->n_params; k++) {
        const char *name = plugin->params[k]->name;
        if (g_str_has_prefix(setting, name) && setting[strlen(name)] == '=')
            return true;
    }
    return false;
}

GPtrArray *scree_check_own_settings(const char *const *settings, const scree_plugin *plugin)
{
    GPtrArray *own = g_ptr_array_new();
    for (const char *const *s = settings; s && *s; s++)
        if (scree_check_has_param(plugin, *s))
            g_ptr_array_add(own, (char *)(uintptr_t)*s);
    g_ptr_array_add(own, NULL);
    return own;
}

/* Some hundred bodies fill the region. */
#define RECIPE(velocity, spin)                                                                     \
    {                                                                                              \
        {"material", NULL, "\"second\""},                                                          \
            {"distribution", NULL, "{ type = \"uniform\"; min = 0.04; max = 0.06; }"},             \
            {"distribution.min", "m", "0.04"}, {"distribution.max", "m", "0.06"},                  \
            {"velocity", "m/s", velocity}, {"velocity_random", "m/s", "0.05"},                     \
            {"spin", "1/s", spin}, {"orientation", NULL, "\"random\""},                            \
        {                                                                                          \
            NULL, NULL, NULL                                                                       \
        }                                                                                          \
    }
static const scree_check_key recipe_keys[2][9] = {RECIPE("(0.2, -0.1)", "0.5"),
                                                  RECIPE("(0.2, -0.1, 0.1)", "(0.5, 0.25, -0.5)")};

const scree_check_key *scree_check_recipe_keys(const scree_plugin *plugin, uint32_t dimension)
{
    static const scree_check_key of_file[] = {{"material", NULL, "\"second\""}, {0}};
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (plugin->params[k]->flags & SCREE_PARAM_INLINE)
            return plugin->params[k]->flags & SCREE_PARAM_OPTIONAL ? of_file
                                                                   : recipe_keys[dimension - 2];
    return &of_file[1];
}

static void append_param(const wish *w, const scree_param *p, uint32_t *n_optional, GString *text)
{
    bool given = p->flags & SCREE_PARAM_REQUIRED;
    if (scree_check_has_setting(w->settings, p) || scree_check_has_setting(w->check->settings, p))
        return;
    if ((p->flags & SCREE_PARAM_OPTIONAL) && (*n_optional)++ < SCREE_CHECK_MOST_OPTIONAL)
        given = w->optional & (1u << (*n_optional - 1));
    g_autofree char *value = NULL;
    if (p->flags & SCREE_PARAM_INLINE) {
        const scree_check_key *key = scree_check_recipe_keys(w->check->plugin, w->dimension);
        for (; key->name; key++)
            if (!strchr(key->name, '.'))
                g_string_append_printf(text, "    %s = %s;\n", key->name, key->value);
        return;
    }
    if (w->parameters != SCREE_CHECK_DEFAULTS && (given || !(p->flags & SCREE_PARAM_OPTIONAL)))
        value = repeat(p, element_at_end(p, w->parameters), p->length ? p->length : w->dimension);
    if (!value && given)
        value = make_up(w, p);
    if (value)
        g_string_append_printf(text, "    %s = %s;\n", p->name, value);
}

char *scree_check_value(const scree_check *check, uint32_t dimension, const char *const *settings,
                        const scree_param *p)
{
    const char *given = find_setting(settings, p);
    const wish w = {.check = check, .dimension = dimension};
    given = given ? given : find_setting(check->settings, p);
    if (given)
        return g_strdup(given);
    if (p->flags & (SCREE_PARAM_INLINE | SCREE_PARAM_FILE | SCREE_PARAM_OPTIONAL))
        return NULL;
    if (p->flags & SCREE_PARAM_REQUIRED)
        return make_up(&w, p);
    return p->type == SCREE_TYPE_REAL ? show_real(p->real_default) : NULL;
}

/** Writes the keys of the plugin's group. */
static void append_keys(const wish *w, GString *text)
{
    const scree_plugin *plugin = w->check->plugin;
    uint32_t n_optional = 0;
    g_string_append_printf(text, " %s = \"%s\";\n",
                           plugin->kind == SCREE_KIND_SHAPE ? "type" : "plugin", plugin->id);
    if (scree_kind_has_intervals(plugin))
        g_string_append(text, "    every_steps = 1;\n");
    for (uint32_t k = 0; k < plugin->n_params; k++)
        append_param(w, plugin->params[k], &n_optional, text);
}

void scree_check_append_keys(const scree_check *check, uint32_t dimension, uint32_t parameters,
                             uint32_t optional, const char *const *settings, GString *text)
{
    const wish w = {check, dimension, parameters, settings, optional};
    append_keys(&w, text);
}

/** The first plugin of solids in the file; NULL: none. */
static const scree_plugin *find_solid(const scree_file *file, uint32_t dimension)
{
    const uint32_t others = SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    const uint32_t bit = dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
    for (uint32_t k = 0; k < file->manifest->n_plugins; k++) {
        const scree_plugin *p = file->manifest->plugins[k];
        if (p->kind == SCREE_KIND_SHAPE && !(p->flags & others) && p->dimensions & bit)
            return p;
    }
    return NULL;
}

const scree_plugin *scree_check_solid_plugin(const scree_check *check, uint32_t dimension)
{
    const uint32_t bit = dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
    const scree_plugin *solid = check->plugin->kind == SCREE_KIND_SHAPE ? check->plugin
                                : check->solid                          ? check->solid
                                               : find_solid(check->file, dimension);
    return solid && solid->dimensions & bit ? solid : NULL;
}

const scree_param *scree_check_missing_file(const scree_check *check)
{
    const uint32_t both = SCREE_PARAM_REQUIRED | SCREE_PARAM_FILE;
    for (uint32_t k = 0; k < check->plugin->n_params; k++) {
        const scree_param *p = check->plugin->params[k];
        if ((p->flags & both) == both && !scree_check_has_setting(check->given, p))
            return p;
    }
    return NULL;
}

bool scree_check_choose_optional(const scree_check *check, uint32_t k, uint32_t *mask)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < check->plugin->n_params; p++)
        n += (check->plugin->params[p]->flags & SCREE_PARAM_OPTIONAL) != 0;
    n = MIN(n, SCREE_CHECK_MOST_OPTIONAL);
    *mask = 0;
    if (k == 0)
        return true;
    if (k <= n)
        *mask = 1u << (k - 1);
    for (uint32_t i = 0, at = n + 1; i < n && !*mask; at += n - 1 - i++)
        if (k >= at && k < at + n - 1 - i)
            *mask = 1u << i | 1u << (i + 1 + k - at);
    if (!*mask && k == 1 + n + n * (n - 1) / 2)
        *mask = (1u << n) - 1;
    return *mask != 0;
}
