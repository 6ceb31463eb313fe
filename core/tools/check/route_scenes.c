/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the routes: made up around the plugin under test, or the user's own. */
#include "tools/check/route_scenes.h"

#include <string.h>

#include "config/config.h"
#include "config/config_node.h"
#include "config/config_set.h"
#include "plugin/call.h"
#include "plugin/loader.h"
#include "plugin/schema.h"
#include "scene/scene.h"
#include "scree/draft/domain.h"
#include "tools/check/check_report.h"
#include "tools/check/check_values.h"
#include "tools/check/route_axes.h"

/** A body of the made-up scenes; in 2D without z. */
typedef struct row {
    const char *name;
    double radius, x[3], v[3], spin;
    const char *more;
} row;

/* Two radii and two materials. `ball` and `left` touch across the border; `ball` crosses it. `near`
 * and `far` part, `low` leaves the plane, `high` leaves the wall; `lone` and `meet` touch later. */
static const row rows[] = {
    {"ball", 0.05, {0.985, 0.5, 0.5}, {2.5, 0.3, 0.1}, 3.0, "material = \"first\";"},
    {"left", 0.03, {0.064, 0.502, 0.497}, {1.5, 0.1, 0.0}, -2.0, "material = \"second\";"},
    {"near", 0.03, {0.30, 0.50, 0.51}, {-0.3, 0.1, 0.2}, 5.0, "material = \"first\";"},
    {"far", 0.05, {0.378, 0.504, 0.50}, {0.2, 0.3, -0.1}, 1.0, "material = \"second\";"},
    {"low", 0.03, {0.52, 0.2292, 0.45}, {0.4, 0.2, 0.3}, 0.0, "material = \"first\";"},
    {"high", 0.05, {0.705, 0.5985, 0.502}, {0.2, 0.3, 0.1}, 4.0, "material = \"first\";"},
    {"lone", 0.05, {0.15, 0.75, 0.4}, {0.5, -0.4, 0.2}, 6.0, "material = \"second\";"},
    {"meet", 0.03, {0.2312, 0.751, 0.4}, {-0.7, -0.4, 0.2}, 0.0, "material = \"first\";"},
    {"wall",
     0.05,
     {0.70, 0.50, 0.50},
     {0.0, 0.0, 0.0},
     0.0,
     "material = \"second\"; motion = \"kinematic\";"}};

/* Only in a lattice, where space repeats along y too: `over` crosses this border, `upper` and
 * `under` touch across it. */
static const row across[] = {
    {"over", 0.03, {0.35, 0.001, 0.2}, {0.1, -0.6, 0.1}, 2.0, "material = \"first\";"},
    {"upper", 0.03, {0.6, 0.03, 0.7}, {0.2, 0.1, 0.1}, 1.0, "material = \"first\";"},
    {"under", 0.03, {0.61, 0.973, 0.7}, {0.0, -0.2, 0.0}, 0.0, "material = \"second\";"}};

/** The text around the group of a plugin, and its path. */
typedef struct place {
    const char *open, *close, *path;
} place;

/* A modifier may bond bodies, so a law makes bonds. */
#define BONDS                                                                                      \
    "{ plugin = \"bonded\"; bond_kn = 3.0e6; bond_ks = 3.0e6; bond_tension = 1.0e12; "             \
    "bond_shear = 1.0e12; } );\n"
static const char *const law = "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.8; "
                               "friction = 0.3; }, " BONDS;
static const char *const solid_law =
    "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.8; friction = 0.3; } );\n";
static const char *const overlap_laws[] = {
    "force = ( { plugin = \"overlap_area\"; k = 2.5e8; kt = 3.0e4; friction = 0.3; } );\n",
    "force = ( { plugin = \"overlap_volume\"; k = 1.0e10; kt = 3.0e4; friction = 0.3; } );\n"};
static const char *const elastic_law = "force = ( { plugin = \"linear\"; kn = 1.0e5; }, " BONDS;

static place place_of(const scree_plugin *plugin)
{
    static const place places[] = {
        [SCREE_KIND_GCD] = {"gcd = {", "};\n", "gcd"},
        [SCREE_KIND_RESOLVER] = {"resolvers = ( {", "} );\n", "resolvers.0"},
        [SCREE_KIND_FORCE] = {"force = ( {", "} );\n", "force.0"},
        [SCREE_KIND_INTEGRATOR] = {"integrator = {", "};\n", "integrator"},
        [SCREE_KIND_OBSERVER] = {"observers = { check = {", "}; };\n", "observers.check"},
        [SCREE_KIND_MODIFIER] = {"", "", "modifiers.check"},
        [SCREE_KIND_SHAPE] = {"shapes.check = {", "};\n", "shapes.check"},
        [SCREE_KIND_SOURCE] = {"generate = { check = {", "}; };\n", "generate.check"},
        [SCREE_DRAFT_KIND_DOMAIN] = {"domain = {", "};\n", "domain"}};
    if (plugin->kind == SCREE_KIND_FORCE && plugin->needs & SCREE_IN_NORMAL_FORCE)
        return (place){"force = ( { plugin = \"linear\"; kn = 1.0e5; }, {", "} );\n", "force.1"};
    return places[plugin->kind];
}

const char *scree_route_scene_path(const scree_plugin *plugin)
{
    return place_of(plugin).path;
}

/** "(x, y)" or "(x, y, z)". */
static void append_vector(GString *text, const scree_route_scene *from, const char *name,
                          const double v[3])
{
    char number[3][G_ASCII_DTOSTR_BUF_SIZE];
    double at[3] = {v[0], v[1], v[2]};
    scree_route_axes_turn(from->axes, at);
    for (int k = 0; k < 3; k++)
        g_ascii_formatd(number[k], sizeof number[k], "%.8f", at[k]);
    g_string_append_printf(text, " %s = (%s, %s%s%s);", name, number[0], number[1],
                           from->dimension == 3 ? ", " : "", from->dimension == 3 ? number[2] : "");
}

/** A place, which moves along with the whole scene. */
static void append_place(GString *text, const scree_route_scene *from, const char *name,
                         const double x[3])
{
    double sum[3];
    for (int k = 0; k < 3; k++)
        sum[k] = x[k] + (from->shifted ? scree_route_shift[k] : 0.0);
    append_vector(text, from, name, sum);
}

/** A velocity, to which that of the whole scene is added. */
static void append_velocity(GString *text, const scree_route_scene *from, const double v[3])
{
    double sum[3];
    for (int k = 0; k < 3; k++)
        sum[k] = v[k] + (from->moving ? scree_route_drift[k] : 0.0);
    append_vector(text, from, "velocity", sum);
}

/** Path of the group of solids. */
static const char *path_of_solid(const scree_route_scene *from)
{
    return from->check->plugin->kind == SCREE_KIND_SHAPE ? "shapes.check" : "shapes.solid";
}

/** The names of the axes of solids: only the parameters of a shape under test are renamed. */
static scree_route_axes axes_of_solid(const scree_route_scene *from)
{
    return from->check->plugin->kind == SCREE_KIND_SHAPE ? from->axes : SCREE_ROUTE_AXES_USUAL;
}

/** Other solids turn with the axes; a ball has no axes, and tables show those of the scene. */
static const char *orientation_of(const scree_route_scene *from)
{
    return from->dimension == 2                       ? " orientation = 0.8;"
           : from->axes == SCREE_ROUTE_AXES_EXCHANGED ? " orientation = (0.7, 0.4, -0.5, -0.3);"
           : from->axes != SCREE_ROUTE_AXES_NEXT      ? " orientation = (0.7, 0.5, -0.4, 0.3);"
           : from->solids && !axes_of_solid(from)     ? " orientation = (0.15, 0.95, 0.25, 0.05);"
                                                      : " orientation = (0.7, 0.3, 0.5, -0.4);";
}

static void append_body(GString *text, const scree_route_scene *from, const row *r)
{
    g_autofree char *size = from->solids ? g_strdup_printf("shape = \"%s\"; scale",
                                                           strchr(path_of_solid(from), '.') + 1)
                                         : g_strdup("radius");
    char radius[G_ASCII_DTOSTR_BUF_SIZE], spin[G_ASCII_DTOSTR_BUF_SIZE];
    const double way = from->axes == SCREE_ROUTE_AXES_EXCHANGED ? -1.0 : 1.0; // of what turns
    g_ascii_formatd(radius, sizeof radius, "%.8f", (from->apart ? 0.97 : 1.0) * r->radius);
    g_ascii_formatd(spin, sizeof spin, "%.8f", way * r->spin);
    g_string_append_printf(text, "    %s = { %s = %s;", r->name, size, radius);
    append_place(text, from, "position", r->x);
    append_velocity(text, from, r->v);
    if (from->dimension == 3)
        append_vector(text, from, "spin", (double[3]){way * r->spin, way * 0.5, way * -1.0});
    else
        g_string_append_printf(text, " spin = %s;", spin);
    g_string_append(text, orientation_of(from));
    g_string_append_printf(text, " %s };\n", r->more);
}

/** The group of solids, with the keys of its plugin. */
static void append_solid(GString *text, const scree_route_scene *from)
{
    scree_check maker = *from->check;
    maker.plugin = scree_check_solid_plugin(from->check, from->dimension);
    g_autoptr(GPtrArray) settings = scree_check_own_settings(maker.given, maker.plugin);
    if (maker.plugin != from->check->plugin)
        maker.settings = (const char *const *)settings->pdata;
    g_string_append_printf(text, " %s = {", strchr(path_of_solid(from), '.') + 1);
    scree_check_append_keys(&maker, from->dimension, from->parameters, from->optional,
                            from->settings, text);
    g_string_append(text, " };");
}

/** A floor where space does not repeat, and for observers a wall of facets on which `lone`
 * falls. */
static void append_shapes(GString *text, const scree_route_scene *from)
{
    const double up[3] = {0.0, 1.0, 0.0};
    g_string_append(text, "shapes = {");
    if (from->solids)
        append_solid(text, from);
    if (!from->lattice && !from->bare) {
        g_string_append(text, " floor = { type = \"plane\";");
        append_vector(text, from, "normal", up);
        g_string_append(text, " };");
    }
    if (from->check->plugin->kind == SCREE_KIND_OBSERVER)
        g_string_append(text, from->axes
                                  ? " ramp = { type = \"facets\"; vertices = ((-0.3, -0.3, 0.0), "
                                    "(0.4, 0.0, 0.0), (-0.3, 0.3, 0.0)); facets = ((0, 1, 2)); };"
                              : from->dimension == 3
                                  ? " ramp = { type = \"facets\"; vertices = ((-0.3, 0.0, -0.3), "
                                    "(0.0, 0.0, 0.4), (0.3, 0.0, -0.3)); facets = ((0, 1, 2)); };"
                                  : " ramp = { type = \"segments\"; vertices = ((-0.3, 0.0), "
                                    "(0.3, 0.0)); segments = ((0, 1)); };");
    g_string_append(text, " };\n");
}

/** The bodies, which a source brings itself. */
static void append_bodies(GString *text, const scree_route_scene *from)
{
    g_string_append(text, "bodies = {\n");
    if (!from->lattice && !from->bare) {
        g_string_append(text, "    floor = { shape = \"floor\"; material = \"first\";");
        append_place(text, from, "position", (double[3]){0.0, 0.2, 0.0});
        if (from->moving) {
            g_string_append(text, " motion = \"kinematic\";");
            append_velocity(text, from, (double[3]){0.0});
        }
        g_string_append(text, " };\n");
    }
    if (from->check->plugin->kind == SCREE_KIND_OBSERVER) {
        g_string_append(text, "    ramp = { shape = \"ramp\"; material = \"second\";");
        append_place(text, from, "position", (double[3]){0.15, 0.702, 0.4});
        g_string_append(text, " };\n");
    }
    if ((from->check->plugin->kind != SCREE_KIND_SOURCE || from->filled) && !from->crowd)
        for (size_t k = 0; k < G_N_ELEMENTS(rows); k++)
            append_body(text, from, &rows[k]);
    if (from->lattice && from->check->plugin->kind != SCREE_KIND_SOURCE)
        for (size_t k = 0; k < G_N_ELEMENTS(across); k++)
            append_body(text, from, &across[k]);
    g_string_append(text, "};\n");
}

/** A body of its own group, from a table. */
static void append_table(GString *text, const row *b, bool solid)
{
    const double values[] = {b->x[0],
                             b->x[1],
                             solid ? b->x[2] : 0.0,
                             b->v[0],
                             b->v[1],
                             solid ? b->v[2] : 0.0,
                             solid ? b->spin : 0.0,
                             solid ? 0.5 : 0.0,
                             solid ? -1.0 : b->spin,
                             b->radius};
    g_autofree char *file = g_strdup_printf("%s.csv", b->name);
    g_autoptr(GString) line = g_string_new("x,y,z,vx,vy,vz,wx,wy,wz,radius\n");
    for (size_t c = 0; c < G_N_ELEMENTS(values); c++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(line, "%s%s", c ? "," : "",
                               g_ascii_formatd(number, sizeof number, "%.8f", values[c]));
    }
    g_file_set_contents(file, line->str, -1, NULL); // a missing file is an error of the scene
    g_string_append_printf(text, "    %s = { plugin = \"table\"; file = \"%s\"; %s };\n", b->name,
                           file, b->more);
}

/** The same bodies, each a group of one, between many that were made before them and after. */
static void append_crowd(GString *text, const scree_route_scene *from)
{
    const bool solid = from->dimension == 3;
    const char *many = solid ? "    %s = { plugin = \"lattice\"; material = \"first\"; radius = "
                               "0.03; spacing = 0.07; region = { min = (0.0, %d.0, 0.0); max = "
                               "(1.0, %d.0, 1.0); }; count = %d; };\n"
                             : "    %s = { plugin = \"lattice\"; material = \"first\"; radius = "
                               "0.03; spacing = 0.07; region = { min = (0.0, %d.0); max = (1.0, "
                               "%d.0); }; count = %d; };\n";
    g_string_append(text, "generate = {\n");
    if (from->crowded)
        g_string_append_printf(text, many, "older", 3, 500, SCREE_ROUTE_OLDER);
    for (size_t r = 0; r < G_N_ELEMENTS(rows); r++)
        append_table(text, &rows[r], solid);
    if (from->crowded)
        g_string_append_printf(text, many, "younger", 503, 1000, SCREE_ROUTE_YOUNGER);
    g_string_append(text, "};\n");
}

/** Everything but the plugin under test. */
static void append_world(GString *text, const scree_route_scene *from)
{
    const uint32_t d = from->dimension;
    const double gravity[3] = {0.5, -9.81, 0.25}, low[3] = {0.0}, high[3] = {1.0, 1.0, 1.0};
    const char *border[3] = {from->lattice ? "periodic" : "open",
                             from->lattice ? "periodic" : "open", "open"};
    border[scree_route_axes_of(from->axes, 0)] = "periodic";
    g_string_append_printf(text,
                           "scene = { dimension = %u; dt = 2.0e-4; steps = 60; seed = 7; %s "
                           "boundary = (\"%s\", \"%s\"%s);",
                           d, d == 3 ? "" : "thickness = 0.07;", border[0], border[1],
                           d == 3 ? ", \"open\"" : "");
    append_vector(text, from, "gravity", gravity);
    g_string_append(text, " region = {");
    append_place(text, from, "min", low);
    append_place(text, from, "max", high);
    g_string_append(text, " }; };\nmaterials = { first = { density = 2500.0; }; second = { density "
                          "= 1000.0; }; };\ncheckpoint = { at_end = false; };\n");
    append_shapes(text, from);
    append_bodies(text, from);
    if (from->check->plugin->kind == SCREE_KIND_SHAPE && !from->absent && !from->bare)
        g_string_append_printf(text, "resolvers = ( { plugin = \"%s\"; } );\n",
                               d == 3 ? "gjk" : "closest_feature");
    if (from->crowd)
        append_crowd(text, from);
    if (from->check->plugin->kind != SCREE_KIND_FORCE)
        g_string_append(text, from->overlap   ? overlap_laws[d - 2]
                              : from->solids  ? solid_law
                              : from->elastic ? elastic_law
                                              : law);
}

/** The keys of the plugin under test. */
static void append_keys(const scree_route_scene *from, GString *text)
{
    scree_check_append_keys(from->check, from->dimension, from->parameters, from->optional,
                            from->settings, text);
}

/** The modifiers, the plugin under test among them if it is one. */
static void append_modifiers(GString *text, const scree_route_scene *from)
{
    const scree_plugin *plugin = from->check->plugin;
    g_string_append(text, "modifiers = { fields = { plugin = \"check_fields\"; };\n");
    if (from->neighbours)
        g_string_append(text, "    before = { plugin = \"check_before\"; };\n");
    if (plugin->kind == SCREE_KIND_MODIFIER && !from->absent) {
        g_string_append(text, "    check = {");
        append_keys(from, text);
        g_string_append(text, "};\n");
    }
    if (from->neighbours)
        g_string_append(text, "    after = { plugin = \"check_after\"; };\n");
    if (from->warm)
        g_string_append(text, "    warm = { plugin = \"check_warm\"; };\n");
    if (plugin->kind == SCREE_KIND_INTEGRATOR && !from->pulled && !scree_route_scene_own(from))
        g_string_append(text, "    fade = { plugin = \"check_fade\"; };\n");
    if (from->pulled)
        g_string_append(text, "    pull = { plugin = \"check_pull\"; };\n");
    if (from->emptied)
        g_string_append(text, "    empty = { plugin = \"check_empty\"; every_steps = 1; };\n");
    if (from->late)
        g_string_append(text, "    late = { plugin = \"check_late\"; every_steps = 1; };\n");
    if (from->churn)
        g_string_append(text, "    churn = { plugin = \"check_churn\"; every_steps = 1; };\n");
    g_string_append(text, "};\n");
}

/** The group of the plugin under test, unless it is among the modifiers. */
static void append_own(GString *text, const scree_route_scene *from)
{
    const place at = place_of(from->check->plugin);
    if (from->absent || from->check->plugin->kind == SCREE_KIND_MODIFIER ||
        from->check->plugin->kind == SCREE_KIND_SHAPE)
        return;
    g_string_append(text, at.open);
    append_keys(from, text);
    // `near` and `far`, and what else touches; later ones begin to touch. New bodies have no bonds.
    if (!from->apart && from->check->plugin->provides & SCREE_OUT_KEEP &&
        scree_call_extension(from->check->plugin, SCREE_EXTENSION_BONDS))
        g_string_append(text, " bonds = ( { gap = 0.003; }, { touch = true; } ); ");
    g_string_append(text, at.close);
}

bool scree_route_scene_own(const scree_route_scene *from)
{
    return !from->check->scene && from->check->plugin->kind == SCREE_KIND_INTEGRATOR &&
           scree_file_own_source(from->check->file);
}

/** A scene of an integrator that brings its bodies. */
static char *write_own_scene(const scree_route_scene *from, const scree_plugin *source)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GPtrArray) settings = scree_check_own_settings(from->check->given, source);
    scree_check maker = *from->check;
    maker.plugin = source;
    maker.settings = (const char *const *)settings->pdata;
    g_string_printf(
        text,
        "scene = { dimension = %u; dt = 1.0e-4; steps = 60; };\nmaterials = { first = { "
        "density = 2500.0; }; };\ncheckpoint = { at_end = false; };\ngenerate = { own = {",
        from->dimension);
    scree_check_append_keys(&maker, from->dimension, SCREE_CHECK_DEFAULTS, 0, NULL, text);
    g_string_append(text, "}; };\n");
    append_modifiers(text, from);
    append_own(text, from);
    return g_string_free(text, FALSE);
}

static char *write_scene(const scree_route_scene *from)
{
    if (scree_route_scene_own(from) && !from->pulled)
        return write_own_scene(from, scree_file_own_source(from->check->file));
    GString *text = g_string_new(from->pulled);
    if (!from->pulled)
        append_world(text, from);
    append_modifiers(text, from);
    append_own(text, from);
    return g_string_free(text, FALSE);
}

/** Applies "NAME=VALUE" below a path, or "PATH=VALUE" (path NULL). */
static bool apply(scree_config *config, const char *path, const char *const *settings,
                  GError **error)
{
    for (; settings && *settings; settings++) {
        g_autofree char *assignment =
            g_strconcat(path ? path : "", path ? "." : "", *settings, NULL);
        if (!scree_config_set(config, assignment, error))
            return false;
    }
    return true;
}

/** Applies settings of the plugin under test, and gives a shape the other axes: a vector in its
 * group has three numbers. In a mirror a shape would be another one. */
static bool apply_own(const scree_route_scene *from, scree_config *config, GError **error)
{
    const scree_plugin *plugin = from->check->plugin;
    const char *path = place_of(plugin).path;
    if (from->absent)
        return true;
    if (!apply(config, path, from->check->settings, error) ||
        !apply(config, path, from->settings, error))
        return false;
    const scree_node *shapes = axes_of_solid(from) == SCREE_ROUTE_AXES_NEXT
                                   ? scree_node_find(config->root, "shapes")
                                   : NULL;
    const scree_node *own = shapes ? scree_node_find(shapes, strchr(path, '.') + 1) : NULL;
    if (own)
        scree_route_axes_turn_group(from->axes, plugin, own);
    return true;
}

/** Its calls may pass through the check, by a copy of its description. */
static bool is_choice_of(const scree_choice_of *choice, const scree_plugin *plugin)
{
    return choice && choice->plugin->kind == plugin->kind &&
           !strcmp(choice->plugin->id, plugin->id);
}

const scree_choice_of *scree_route_scene_choice(const scree_scene *s, const scree_plugin *plugin)
{
    const GPtrArray *const lists[] = {s->resolvers, s->forces, s->sources};
    const GPtrArray *const timed[] = {s->observers, s->modifiers};
    if (is_choice_of(s->gcd, plugin))
        return s->gcd;
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; k < lists[l]->len; k++)
            if (is_choice_of(lists[l]->pdata[k], plugin))
                return lists[l]->pdata[k];
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; k < timed[l]->len; k++) {
            const scree_choice_of *choice = ((scree_timed_choice *)timed[l]->pdata[k])->choice;
            if (is_choice_of(choice, plugin))
                return choice;
        }
    return is_choice_of(s->integrator, plugin) ? s->integrator : NULL;
}

/** Gives solids the sizes of the balls in whose place they are. */
static scree_scene *size_solids(scree_scene *scene)
{
    const guint n = scene ? scene->bodies->len : 0;
    const double usual = 1.2; // so that they touch, too
    for (guint k = 0; k < n; k++) {
        scree_body *b = &g_array_index(scene->bodies, scree_body, k);
        const scree_shape *shape = scene->shapes->pdata[b->shape];
        if (shape->radius > 0.0)
            b->scale *= usual / shape->radius;
    }
    return scene;
}

/** Applies the user's settings for the plugin of solids next to that under test. */
static bool apply_to_solid(const scree_route_scene *from, scree_config *config, GError **error)
{
    const scree_plugin *solid = scree_check_solid_plugin(from->check, from->dimension);
    g_autoptr(GPtrArray) settings = scree_check_own_settings(from->check->given, solid);
    return solid == from->check->plugin ||
           apply(config, path_of_solid(from), (const char *const *)settings->pdata, error);
}

/** Reads the user's scene, without its ranks. */
static scree_scene *read_scene(const scree_route_scene *from, const char *const *set,
                               GError **error)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, (void *)(uintptr_t) "checkpoint={at_end=false;}");
    if (from->unwatched)
        g_ptr_array_add(all, (void *)(uintptr_t) "observers={}");
    for (; *set; set++)
        g_ptr_array_add(all, (void *)(uintptr_t)*set);
    g_ptr_array_add(all, NULL);
    scree_scene *scene = scree_scene_load(from->check->scene, (const char *const *)all->pdata,
                                          from->check->registry, error);
    if (scene)
        g_clear_pointer(&scene->domain, scree_choice_of_free); // ranks change no state
    return scene;
}

scree_scene *scree_route_scene_read(const scree_route_scene *from, const char *const *set,
                                    GError **error)
{
    const scree_check *check = from->check;
    if (check->scene)
        return read_scene(from, set, error);
    const char *path = place_of(check->plugin).path;
    g_autofree char *text = write_scene(from);
    g_autoptr(scree_config) config = scree_config_parse(text, "check", ".");
    const char *const slow[] = {"scene.dt=\"auto\"", "scene.dt_fraction=0.1", NULL};
    // A picture takes longer than all else of a step: ten of them show as much as sixty.
    const char *const seldom[] = {"every_steps=6", NULL};
    const bool watches = check->plugin->kind == SCREE_KIND_OBSERVER;
    if (!apply(config, path, watches ? seldom : NULL, error) || !apply_own(from, config, error) ||
        !apply(config, NULL, from->stiff ? slow : NULL, error) ||
        !apply(config, NULL, set, error) || (from->solids && !apply_to_solid(from, config, error)))
        return NULL;
    scree_scene *scene = scree_scene_new(g_steal_pointer(&config), "check", check->registry, error);
    if (scene && from->axes)
        scree_route_axes_turn_plugin(from->axes, scree_route_scene_choice(scene, check->plugin));
    return from->solids ? size_solids(scene) : scene;
}

bool scree_route_fail(const scree_route_scene *from, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (from->check->scene)
        scree_check_fail(from->check, "%s", text);
    else
        scree_check_fail(from->check, "%uD, %s: %s", from->dimension, from->name, text);
    return false;
}

bool scree_route_scene_is_refusal(const GError *error)
{
    return error->code == SCREE_EXIT_USAGE || strstr(error->message, "(unsupported, -4)");
}

/** Goes with each set of optional parameters until one is taken. */
static bool try_sets(scree_route_scene *from, scree_route_fn go, void *user, GError **error)
{
    GError *last = NULL;
    for (uint32_t k = 0; scree_check_choose_optional(from->check, k, &from->optional); k++) {
        g_clear_error(&last);
        if (go(from, user, &last))
            return true;
        if (last->code != SCREE_EXIT_USAGE) // another setting cannot help
            break;
    }
    g_propagate_error(error, last);
    return false;
}

/** Goes in scenes of solids, with laws of the distance and of the overlap, with a floor and without
 * one. */
static bool try_solids(scree_route_scene *from, scree_route_fn go, void *user, GError **error)
{
    from->solids = scree_check_solid_plugin(from->check, from->dimension) != NULL;
    if (!from->solids) {
        scree_fail(error, SCREE_EXIT_USAGE,
                   "no solid for it serves the dimension; --solid gives one");
        return false;
    }
    const int ways =
        from->check->plugin->kind == SCREE_KIND_SHAPE ? 1 : 2; // a shape needs no other
    for (int way = 0; way < ways; way++)
        for (int floor = 0; floor < 2; floor++) {
            from->overlap = way == 1;
            from->bare = floor == 1;
            g_clear_error(error);
            if (try_sets(from, go, user, error))
                return true;
        }
    return false;
}

bool scree_route_scene_try(scree_route_scene *from, scree_route_fn go, void *user, GError **error)
{
    g_autoptr(GError) first = NULL;
    if (from->check->scene || from->chosen)
        return go(from, user, error);
    const bool shape = from->check->plugin->kind == SCREE_KIND_SHAPE;
    from->chosen = !shape && try_sets(from, go, user, &first);
    if (from->chosen)
        return true;
    if (shape ||
        (from->check->plugin->kind == SCREE_KIND_RESOLVER && first->code == SCREE_EXIT_USAGE))
        return from->chosen = try_solids(from, go, user, error);
    from->stiff = strstr(first->message, "scene.dt") != NULL;
    if (from->stiff)
        return from->chosen = try_sets(from, go, user, error);
    g_propagate_error(error, g_steal_pointer(&first));
    return false;
}

bool scree_route_scene_zoned(const scree_plugin *plugin)
{
    for (uint32_t k = 0; k < plugin->n_params; k++)
        if (plugin->params[k]->type == SCREE_TYPE_ZONE)
            return true;
    return false;
}
