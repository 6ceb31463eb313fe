/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test with each of its choices, and with all terms at work. */
#include "tools/check/check_variants.h"

#include <math.h>
#include <string.h>

#include "tools/check/check_instance.h"

/** Tries a variant. False: create() refuses it. */
typedef bool (*variant_fn)(scree_check *check, const scree_check_variant *variant, void *user);

/** The function for each variant, and its data. */
typedef struct visitor {
    variant_fn fn;
    void *user;
    bool mixes; // choices are tried together, too
} visitor;

/** A usual size for grains of a millimetre, chosen by the unit. */
static double usual_size(const char *unit)
{
    static const struct {
        const char *unit;
        double value;
    } sizes[] = {{"N/m", 1e5},    {"Pa", 1e7},    {"N s/m", 0.1}, {"1/s", 1e4}, {"m", 1e-6},
                 {"J/m^2", 0.05}, {"N/m^2", 1e7}, {"N", 1e-3},    {"s", 1e-4},  {"N m/rad", 1e-5},
                 {"kg/m^3", 1e3}, {"Pa s", 1e-3}, {"m/s", 0.1}};
    if (unit)
        for (size_t k = 0; k < G_N_ELEMENTS(sizes); k++)
            if (!strcmp(unit, sizes[k].unit))
                return sizes[k].value;
    return 0.4; // friction, shares
}

static bool is_number(const scree_param *p)
{
    return p->type == SCREE_TYPE_REAL || p->type == SCREE_TYPE_PER_MATERIAL ||
           p->type == SCREE_TYPE_PER_PAIR;
}

/** Whether the default of a number has an effect. */
static bool has_effect(const scree_param *p)
{
    const double value = p->real_default;
    return !(p->flags & SCREE_PARAM_REQUIRED) && value != 0.0 && value > p->real_min &&
           value < p->real_max;
}

/** "NAME=VALUE" of a number that has an effect, a new string. `earlier`: parameters of its unit
 * before it, from which its value differs. */
static char *give_effect(const scree_param *p, uint32_t earlier)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    const double low = p->real_min, high = p->real_max;
    double value = usual_size(p->unit) * (1.0 + 0.25 * earlier);
    if (isfinite(low) && isfinite(high) && high - low < 1e12)
        value = low + 0.6 * (high - low);
    else if (!(value > low) || !(value < high))
        value = isfinite(low) ? low + fabs(low) + value : high - fabs(high) - value;
    g_ascii_formatd(text, sizeof text, "%.10e", value);
    return g_strdup_printf("%s=%s", p->name, text);
}

/** Tries these settings. False: create() refuses them. */
static bool try_variant(scree_check *check, const scree_check_variant *variant, visitor v)
{
    bool failed = check->failed, refused = check->refused;
    gsize length = check->text->len;
    const bool taken = v.fn(check, variant, v.user);
    // A choice may need keys that nobody can guess; a value that nobody has asked for may not suit
    // the scene, which some plugins know only later.
    const bool unsuitable =
        variant->guessed && check->failed && strstr(check->text->str + length, "(bad config, -1)");
    if (unsuitable || (!taken && !variant->must && check->refused)) {
        check->failed = failed;
        check->refused = refused;
        g_string_truncate(check->text, length);
    }
    return taken;
}

/** Parameters before number k with its unit. */
static uint32_t count_earlier(const scree_plugin *plugin, uint32_t k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k; i++)
        n += is_number(plugin->params[i]) &&
             !g_strcmp0(plugin->params[i]->unit, plugin->params[k]->unit);
    return n;
}

/** Tries more settings, "NAME=VALUE", on top of `settings`, which end with NULL. */
static void try_on_top(scree_check *check, uint32_t dimension, const GPtrArray *settings,
                       char **more, bool guessed, visitor v)
{
    const guint n = g_strv_length(more);
    g_autofree char *name = g_strjoinv(", ", more);
    g_autofree const char **list = g_new0(const char *, settings->len + n);
    memcpy(list, settings->pdata, settings->len * sizeof *list);
    memcpy(list + settings->len - 1, more, n * sizeof *list);
    try_variant(check, &(scree_check_variant){dimension, list, false, name, guessed}, v);
}

static void try_optional(scree_check *check, uint32_t dimension, const GPtrArray *settings,
                         visitor v)
{
    for (uint32_t p = 0; p < check->plugin->n_params && !check->failed; p++) {
        const scree_param *param = check->plugin->params[p];
        if (!(param->flags & SCREE_PARAM_OPTIONAL) ||
            scree_check_has_setting(check->settings, param))
            continue;
        g_autofree char *setting = is_number(param)
                                       ? give_effect(param, count_earlier(check->plugin, p))
                                       : scree_check_made_up(check, dimension, param);
        if (setting)
            try_on_top(check, dimension, settings, (char *[]){setting, NULL}, true, v);
    }
}

/** How many choices a parameter has; a zone has a shape. */
static uint32_t count_choices(const scree_param *p, uint32_t dimension)
{
    return p->type == SCREE_TYPE_BOOL     ? 2
           : p->type == SCREE_TYPE_CHOICE ? p->n_choices
           : p->type == SCREE_TYPE_ZONE   ? dimension - 1
                                          : 0;
}

/** "NAME=VALUE" of choice k, a new string. */
static char *choose(const scree_param *p, uint32_t dimension, uint32_t k)
{
    if (p->type == SCREE_TYPE_BOOL)
        return g_strdup_printf("%s=%s", p->name, k ? "true" : "false");
    if (p->type == SCREE_TYPE_CHOICE)
        return g_strdup_printf("%s=\"%s\"", p->name, p->choices[k]->name);
    return g_strdup_printf(k ? "%s={type=\"cylinder\"; from=(0.3, 0.2, 0.4); to=(0.7, 0.8, 0.5); "
                               "radius=0.35;}"
                             : "%s={type=\"sphere\"; centre=(0.5, 0.5%s); radius=0.45;}",
                           p->name, dimension == 3 ? ", 0.5" : "");
}

static void try_choices(scree_check *check, uint32_t dimension, const GPtrArray *settings,
                        visitor v)
{
    for (uint32_t p = 0; p < check->plugin->n_params; p++) {
        const scree_param *param = check->plugin->params[p];
        const bool given = scree_check_has_setting(check->settings, param);
        const uint32_t n = given ? 0 : count_choices(param, dimension);
        for (uint32_t k = 0; k < n && !check->failed; k++) {
            g_autofree char *setting = choose(param, dimension, k);
            try_on_top(check, dimension, settings, (char *[]){setting, NULL}, false, v);
        }
    }
}

/** The number of the value, 0 to 2, that choice i has in a mix. Nine mixes have all pairs of the
 * first three values of any two of four choices; more choices have a second square of nine, which
 * puts others together. */
static uint32_t value_in_mix(uint32_t i, uint32_t mix)
{
    static const uint32_t ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, 2}};
    const uint32_t *way = ways[(i + (mix / 9) * (i / 4)) % 4];
    return (way[0] * (mix / 3 % 3) + way[1] * (mix % 3)) % 3;
}

/** Tries choices together: some code is reached only by two of them. */
static void try_mixes(scree_check *check, uint32_t dimension, const GPtrArray *settings, visitor v)
{
    for (uint32_t mix = 0, n = 18; mix < n && !check->failed; mix++) {
        g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
        uint32_t own = 0;
        for (uint32_t p = 0; p < check->plugin->n_params; p++) {
            const scree_param *param = check->plugin->params[p];
            const uint32_t values = count_choices(param, dimension);
            if (values < 2 || scree_check_has_setting(check->settings, param))
                continue;
            g_autofree char *setting = choose(param, dimension, value_in_mix(own++, mix) % values);
            g_strv_builder_add(builder, setting);
        }
        g_auto(GStrv) more = g_strv_builder_end(builder);
        if (own < 2)
            return;
        n = own > 4 ? 18 : 9;
        try_on_top(check, dimension, settings, more, true, v);
    }
}

/** The variant for messages, with its settings, so that an author can repeat it. New string. */
static char *name_all_terms(const GPtrArray *settings)
{
    GString *name = g_string_new("all terms at work");
    for (guint k = 0; k + 1 < settings->len; k++) { // the last one is NULL
        const char *setting = settings->pdata[k], *value = strchr(setting, '=') + 1;
        g_string_append_printf(name, "%s%.*s%g", k ? ", " : " (", (int)(value - setting), setting,
                               g_ascii_strtod(value, NULL));
    }
    if (settings->len > 1)
        g_string_append_c(name, ')');
    return g_string_free(name, FALSE);
}

/** Settings for each number that has no effect by default, then NULL. */
static GPtrArray *give_effects(const scree_check *check, bool different)
{
    GPtrArray *settings = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t p = 0; p < check->plugin->n_params; p++) {
        const scree_param *param = check->plugin->params[p];
        const uint32_t earlier = different ? count_earlier(check->plugin, p) : 0;
        if (is_number(param) && !(param->flags & SCREE_PARAM_OPTIONAL) && !has_effect(param) &&
            !scree_check_has_setting(check->settings, param))
            g_ptr_array_add(settings, give_effect(param, earlier));
    }
    g_ptr_array_add(settings, NULL);
    return settings;
}

/** All numbers at work. False: create() refuses them. */
static bool try_all_terms(scree_check *check, uint32_t dimension, const GPtrArray *settings,
                          visitor v)
{
    g_autofree char *name = name_all_terms(settings);
    const char *const *list = (const char *const *)settings->pdata;
    return try_variant(check, &(scree_check_variant){dimension, list, false, name, false}, v);
}

/** Runs the variants in one dimension. False: the defaults were refused. */
static bool try_dimension(scree_check *check, uint32_t dimension, bool must, visitor v)
{
    if (!try_variant(check, &(scree_check_variant){dimension, NULL, must, "defaults", false}, v))
        return false;
    // Equal numbers of one unit may be a special case; different ones may not go together.
    g_autoptr(GPtrArray) different = give_effects(check, true);
    g_autoptr(GPtrArray) equal = give_effects(check, false);
    const GPtrArray *settings = different;
    if (!check->failed && !try_all_terms(check, dimension, different, v) && !check->failed) {
        settings = equal;
        try_all_terms(check, dimension, equal, v);
    }
    if (!check->failed)
        try_choices(check, dimension, settings, v);
    if (!check->failed)
        try_optional(check, dimension, settings, v);
    if (!check->failed && v.mixes)
        try_mixes(check, dimension, settings, v);
    return true;
}

static bool try_dimensions(scree_check *check, bool must, visitor v)
{
    bool any = false;
    for (uint32_t dimension = 2; dimension <= 3 && !check->failed; dimension++)
        if (check->plugin->dimensions & (dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3))
            any = try_dimension(check, dimension, must, v) || any;
    return any || check->failed;
}

bool scree_check_settings_each(scree_check *check, bool must, variant_fn fn, void *user)
{
    return try_dimensions(check, must, (visitor){.fn = fn, .user = user});
}

/** The function of scree_check_variants. */
typedef struct with_instance {
    void (*fn)(scree_check *check, scree_instance *instance, const char *setting);
} with_instance;

static bool try_instance(scree_check *check, const scree_check_variant *variant, void *user)
{
    const with_instance *with = user;
    check->variant = variant->settings;
    scree_instance *instance = scree_check_instance_with(check, variant->dimension, 1,
                                                         SCREE_CHECK_DEFAULTS, variant->settings);
    if (!instance)
        return false;
    with->fn(check, instance, variant->name);
    scree_check_instance_free(instance);
    return true;
}

void scree_check_variants(scree_check *check,
                          void (*fn)(scree_check *check, scree_instance *instance,
                                     const char *setting))
{
    with_instance with = {fn};
    const visitor v = {try_instance, &with, !check->one_choice};
    // A user's settings may fit only one dimension, as vectors do.
    const bool given = check->settings && check->settings[0];
    if (!try_dimensions(check, !given, v))
        try_dimension(check, scree_check_dimension(check), true, v);
}
