/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test, in a small scene; parameters are made up from its schema. */
#include "tools/check/check_instance.h"

#include "config/config.h"
#include "tools/check/check_optional.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "plugin/scalars.h"
#include "plugin/schema.h"
#include "scene/figure_names.h"
#include "scene/query_service.h"
#include "scene/scene.h"
#include "scene/scene_runtime.h"
#include "scene/schema_scene.h"
#include "shape/plugin_shape_new.h"
#include "tools/check/check_report.h"

const scree_cell scree_check_open_cell = {.size = sizeof(scree_cell),
                                          .lo = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                          .hi = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

/** Shared by instances with the same parameters. */
typedef struct holder {
    scree_runtime runtime; /* first member: the runtime of an instance leads to it */
    scree_scene *scene;
    const scree_choice_of *choice;
    scree_query_service *query; // closed: no call is one in which plugins may ask
    scree_choice_of *shape;     /* choice from a group that is read apart (is_apart) */
    uint32_t users;
} holder;

/** How values for parameters are chosen. */
typedef struct wish {
    scree_check *check;
    uint32_t dimension, lanes, parameters;
    const char *const *settings; /* NULL: none */
    uint32_t optional;           /* mask of optional parameters that are set, in their order */
} wish;

uint32_t scree_check_dimension(const scree_check *check)
{
    return check->plugin->dimensions & SCREE_DIMENSION_3 ? 3 : 2;
}

/* Values. */

static char *show_real(double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
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
        return g_strdup("{ material = \"first\"; radius = 0.01; }");
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
    const wish w = {.check = (scree_check *)(uintptr_t)check, .dimension = dimension};
    g_autofree char *value =
        p->flags & (SCREE_PARAM_INLINE | SCREE_PARAM_FILE) ? NULL : make_up(&w, p);
    return value ? g_strdup_printf("%s=%s", p->name, value) : NULL;
}

/** Whether a list of "NAME=VALUE" has the parameter. */
static bool has_setting(const char *const *settings, const char *name)
{
    for (; settings && *settings; settings++)
        if (g_str_has_prefix(*settings, name) && (*settings)[strlen(name)] == '=')
            return true;
    return false;
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

static void append_param(const wish *w, const scree_param *p, uint32_t *n_optional, GString *text)
{
    bool given = p->flags & SCREE_PARAM_REQUIRED;
    if (has_setting(w->settings, p->name) || has_setting(w->check->settings, p->name))
        return;
    if ((p->flags & SCREE_PARAM_OPTIONAL) && (*n_optional)++ < SCREE_CHECK_MOST_OPTIONAL)
        given = w->optional & (1u << (*n_optional - 1));
    g_autofree char *value = NULL;
    if (p->flags & SCREE_PARAM_INLINE) { // keys of a recipe; with a size from a file a source may
                                         // fill the region with some hundred bodies
        const char *radius =
            w->check->plugin->kind == SCREE_KIND_SOURCE ? " radius = 0.05;" : " radius = 0.01;";
        g_string_append_printf(text, "    material = \"first\";%s\n",
                               p->flags & SCREE_PARAM_OPTIONAL ? "" : radius);
        return;
    }
    if (w->parameters != SCREE_CHECK_DEFAULTS && (given || !(p->flags & SCREE_PARAM_OPTIONAL)))
        value = repeat(p, element_at_end(p, w->parameters), p->length ? p->length : w->dimension);
    if (!value && given)
        value = make_up(w, p);
    if (value)
        g_string_append_printf(text, "    %s = %s;\n", p->name, value);
}

/* The scene. */

static const char *const scene_text =
    "scene = { title = \"check\"; dimension = %u; dt = 1.0e-5; steps = 100; seed = 7;\n"
    "    gravity = (0.0, -9.81%s); region = { min = (0.0, 0.0%s); max = (1.0, 1.0%s); }; };\n"
    "materials = { first = { density = 2500.0; }; second = { density = 1000.0; }; };\n"
    "bodies = {\n"
    "    ball = { radius = 0.05; position = (0.3, 0.5%s); material = \"first\"; };\n"
    "    wall = { radius = 0.05; position = (0.7, 0.5%s); material = \"second\";\n"
    "             motion = \"kinematic\"; };\n"
    "};\n";

/** Place of a plugin in a scene: the text around its group, and its path. */
typedef struct place {
    const char *open, *close, *path;
} place;

static const place places[] = {
    [SCREE_KIND_GCD] = {"gcd = {", "};", "gcd"},
    [SCREE_KIND_RESOLVER] = {"resolvers = ( {", "} );", "resolvers.0"},
    [SCREE_KIND_FORCE] = {"force = ( {", "} );", "force.0"},
    [SCREE_KIND_INTEGRATOR] = {"integrator = {", "};", "integrator"},
    [SCREE_KIND_OBSERVER] = {"observers = { check = {", "}; };", "observers.check"},
    [SCREE_KIND_MODIFIER] = {"modifiers = { check = {", "}; };", "modifiers.check"},
    [SCREE_KIND_SHAPE] = {"check = {", "};", "check"},
    [SCREE_KIND_SOURCE] = {"generate = { check = {", "}; };", "generate.check"}};

/** A scene would call a shape before the check does: its group is read apart. */
static bool is_apart(const scree_plugin *plugin)
{
    return plugin->kind == SCREE_KIND_SHAPE;
}

/** A law with the normal force as input follows a law that makes it. */
static place place_of(const scree_plugin *plugin)
{
    if (plugin->kind == SCREE_KIND_FORCE && plugin->needs & SCREE_IN_NORMAL_FORCE)
        return (place){"force = ( { plugin = \"linear\"; kn = 1.0e5; }, {", "} );", "force.1"};
    return places[plugin->kind];
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

void scree_check_append_keys(scree_check *check, uint32_t dimension, uint32_t parameters,
                             uint32_t optional, const char *const *settings, GString *text)
{
    const wish w = {check, dimension, 1, parameters, settings, optional};
    append_keys(&w, text);
}

static GString *write_scene(const wish *w)
{
    const scree_plugin *plugin = w->check->plugin;
    const char *zero = w->dimension == 3 ? ", 0.0" : "", *one = w->dimension == 3 ? ", 1.0" : "";
    const char *half = w->dimension == 3 ? ", 0.5" : "";
    GString *text = g_string_new(NULL);
    g_string_printf(text, scene_text, w->dimension, zero, zero, one, half, half);
    if (is_apart(plugin)) // it has a group of its own
        g_string_truncate(text, 0);
    g_string_append(text, place_of(plugin).open);
    append_keys(w, text);
    g_string_append_printf(text, "%s\n", place_of(plugin).close);
    return text;
}

static bool apply_settings(const wish *w, const char *const *settings, scree_config *config,
                           GError **error)
{
    for (; settings && *settings; settings++) {
        g_autofree char *assignment =
            g_strdup_printf("%s.%s", place_of(w->check->plugin).path, *settings);
        if (!scree_config_set(config, assignment, error))
            return false;
    }
    return true;
}

/** The choice of a shape, from a group outside the scene. */
static scree_choice_of *choose_apart(const wish *w, scree_scene *scene, GError **error)
{
    scree_materials *materials = &scene->materials;
    g_autoptr(GString) text = write_scene(w);
    g_autoptr(scree_config) config = scree_config_parse(text->str, "check", ".");
    if (!apply_settings(w, w->check->settings, config, error) ||
        !apply_settings(w, w->settings, config, error))
        return NULL;
    scree_build build = {.scene = scene,
                         .config = config,
                         .shape_names = scene->shape_names_known,
                         .starting = true};
    materials->build = &build; // for parameters about the scene
    materials->fill = scree_schema_fill_scene;
    scree_choice_of *choice =
        scree_schema_choose(config, scree_config_child(config->root, "check"),
                            w->check->plugin->kind, NULL, materials, w->check->registry);
    materials->build = NULL;
    materials->fill = NULL;
    if (!scree_config_failed(config, error)) {
        choice->group = NULL; // the message goes with its text
        return choice;
    }
    scree_choice_of_free(choice);
    return NULL;
}

static scree_scene *read_scene(const wish *w, GError **error)
{
    g_autoptr(GString) text = write_scene(w);
    if (is_apart(w->check->plugin)) {
        const bool solid = w->dimension == 3;
        g_string_printf(text, scene_text, w->dimension, solid ? ", 0.0" : "", solid ? ", 0.0" : "",
                        solid ? ", 1.0" : "", solid ? ", 0.5" : "", solid ? ", 0.5" : "");
        g_autoptr(scree_config) plain = scree_config_parse(text->str, "check", ".");
        return scree_scene_new(g_steal_pointer(&plain), "check", w->check->registry, error);
    }
    g_autoptr(scree_config) config = scree_config_parse(text->str, "check", ".");
    config->fields_made_up = true;
    if (!apply_settings(w, w->check->settings, config, error) ||
        !apply_settings(w, w->settings, config, error))
        return NULL;
    for (const char *const *s = w->check->world; s && *s; s++)
        if (!scree_config_set(config, *s, error))
            return NULL;
    return scree_scene_new(g_steal_pointer(&config), "check", w->check->registry, error);
}

bool scree_check_settings(const scree_check *check, GError **error)
{
    scree_check reader = *check;
    const wish w = {&reader, scree_check_dimension(check), 1, SCREE_CHECK_DEFAULTS, NULL, 0};
    scree_scene *scene = read_scene(&w, error);
    const bool apart = is_apart(check->plugin);
    scree_choice_of *shape = scene && apart ? choose_apart(&w, scene, error) : NULL;
    const bool good = scene && (shape || !apart);
    scree_choice_of_free(shape);
    scree_scene_free(scene);
    return good;
}

static const scree_choice_of *find_choice(const scree_scene *s, uint32_t kind)
{
    switch (kind) {
    case SCREE_KIND_GCD:
        return s->gcd;
    case SCREE_KIND_RESOLVER:
        return s->resolvers->pdata[0];
    case SCREE_KIND_FORCE:
        return s->forces->pdata[s->forces->len - 1];
    case SCREE_KIND_INTEGRATOR:
        return s->integrator;
    case SCREE_KIND_SOURCE:
        return s->sources->pdata[0];
    case SCREE_KIND_OBSERVER:
        return ((const scree_timed_choice *)s->observers->pdata[0])->choice;
    default:
        return ((const scree_timed_choice *)s->modifiers->pdata[0])->choice;
    }
}

/* Instances. */

static void release(holder *h)
{
    if (h->users > 0)
        return;
    scree_pool_free(h->runtime.pool);
    if (h->runtime.writers)
        g_hash_table_unref(h->runtime.writers);
    scree_query_service_free(h->query);
    scree_choice_of_free(h->shape);
    scree_scene_free(h->scene);
    g_free(h->runtime.output_dir);
    g_free(h);
}

static scree_instance *make(holder *h, GError **error)
{
    static const char *const slots[] = {[SCREE_KIND_GCD] = "gcd",
                                        [SCREE_KIND_RESOLVER] = "resolvers[0]",
                                        [SCREE_KIND_FORCE] = "force[0]",
                                        [SCREE_KIND_INTEGRATOR] = "integrator",
                                        [SCREE_KIND_OBSERVER] = "check",
                                        [SCREE_KIND_MODIFIER] = "check",
                                        [SCREE_KIND_SHAPE] = "shapes.check",
                                        [SCREE_KIND_SOURCE] = "generate.check"};
    scree_instance *instance =
        scree_instance_new(&h->runtime, h->choice, slots[h->choice->plugin->kind], error);
    if (instance && !scree_scalars_ask(instance, error))
        g_clear_pointer(&instance, scree_instance_free);
    h->users += instance != NULL;
    return instance;
}

static scree_instance *try_once(const wish *w, GError **error)
{
    scree_scene *scene = read_scene(w, error);
    if (!scene)
        return NULL;
    holder *h = g_new0(holder, 1);
    h->scene = scene;
    if (is_apart(w->check->plugin))
        h->choice = h->shape = choose_apart(w, scene, error);
    else
        h->choice = find_choice(scene, w->check->plugin->kind);
    if (!h->choice) {
        release(h);
        return NULL;
    }
    h->runtime = scree_scene_runtime(scene, scree_pool_new(w->lanes));
    h->runtime.output_dir = w->check->no_files ? NULL : g_strdup(".");
    h->runtime.conformal = w->check->conformal;
    h->runtime.withheld = w->check->withheld;
    h->runtime.asked = w->check->asked;
    h->query = scree_query_service_new(&(scree_query_world){.scene = scene});
    h->runtime.query = scree_query_service_give(h->query);
    h->runtime.figures = &scree_figures_stateless;
    scree_instance *instance = make(h, error);
    if (!instance)
        release(h);
    return instance;
}

const scree_scene *scree_check_scene_of(const scree_instance *instance)
{
    return ((const holder *)instance->runtime)->scene;
}

const void *scree_check_config_of(const scree_instance *instance)
{
    return ((const holder *)instance->runtime)->choice->config;
}

/** Values that the check has made up for parameters without a default, for messages; "": none. New
 * string. */
static char *tell_made_up(const wish *w)
{
    GString *text = g_string_new(NULL);
    for (uint32_t k = 0; k < w->check->plugin->n_params; k++) {
        const scree_param *p = w->check->plugin->params[k];
        if (!(p->flags & SCREE_PARAM_REQUIRED) || has_setting(w->settings, p->name) ||
            has_setting(w->check->settings, p->name))
            continue;
        g_autofree char *value = make_up(w, p);
        if (value)
            g_string_append_printf(text, "%s%s = %s", text->len ? ", " : "", p->name, value);
    }
    if (text->len && w->parameters == SCREE_CHECK_DEFAULTS) {
        g_string_prepend(text, "; the check made up ");
        g_string_append(text, "; --set NAME=VALUE gives others");
    } else {
        g_string_truncate(text, 0);
    }
    return g_string_free(text, FALSE);
}

scree_instance *scree_check_instance_with(scree_check *check, uint32_t dimension, uint32_t lanes,
                                          uint32_t parameters, const char *const *settings)
{
    g_autoptr(GError) first = NULL;
    wish w = {check, dimension, lanes, parameters, settings, 0};
    for (uint32_t k = 0; scree_check_choose_optional(check, k, &w.optional); k++) {
        g_autoptr(GError) error = NULL;
        scree_instance *instance = try_once(&w, &error);
        if (instance)
            return instance;
        // Another setting cannot help against other refusals.
        bool setting = error->code == SCREE_EXIT_USAGE;
        if (!first)
            first = g_steal_pointer(&error);
        if (!setting)
            break;
    }
    bool failed = check->failed;
    g_autofree char *made_up = tell_made_up(&w);
    scree_check_fail(check, "%s%s", first->message, made_up);
    if (!failed)
        check->refused =
            first->code != SCREE_EXIT_PLUGIN &&
            !strstr(first->message, SCREE_NO_REASON); // a refusal without a reason does not count
    return NULL;
}

scree_instance *scree_check_instance(scree_check *check, uint32_t dimension, uint32_t lanes,
                                     uint32_t parameters, const char *settings)
{
    const char *const list[] = {settings, NULL};
    return scree_check_instance_with(check, dimension, lanes, parameters, list);
}

scree_instance *scree_check_instance_again(scree_check *check, scree_instance *instance)
{
    g_autoptr(GError) error = NULL;
    scree_instance *another = make((holder *)instance->runtime, &error);
    if (another)
        return another;
    bool failed = check->failed;
    scree_check_fail(check, "a second instance on the same parameters: %s", error->message);
    if (!failed)
        check->refused = error->code != SCREE_EXIT_PLUGIN;
    return NULL;
}

void scree_check_instance_free(scree_instance *instance)
{
    if (!instance)
        return;
    holder *h = (holder *)instance->runtime;
    scree_instance_free(instance);
    h->users--;
    release(h);
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

scree_shape *scree_check_solid(const scree_check *check, scree_instance *instance, GError **error)
{
    const uint32_t dimension = instance->runtime->dimension;
    scree_check maker = *check;
    maker.plugin = scree_check_solid_plugin(check, dimension);
    if (!maker.plugin)
        return NULL;
    g_autoptr(GPtrArray) settings = scree_check_own_settings(check->given, maker.plugin);
    maker.settings = (const char *const *)settings->pdata;
    const wish w = {&maker, dimension, 1, SCREE_CHECK_DEFAULTS, NULL, 0};
    scree_choice_of *choice =
        choose_apart(&w, (scree_scene *)(uintptr_t)scree_check_scene_of(instance), error);
    return choice ? scree_plugin_shape_new(instance->runtime, choice, "shapes.check", error) : NULL;
}

const scree_param *scree_check_missing_file(const scree_check *check)
{
    const uint32_t both = SCREE_PARAM_REQUIRED | SCREE_PARAM_FILE;
    for (uint32_t k = 0; k < check->plugin->n_params; k++) {
        const scree_param *p = check->plugin->params[k];
        if ((p->flags & both) == both && !has_setting(check->given, p->name))
            return p;
    }
    return NULL;
}
