/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas: refusals at load, filling of a config struct, messages for a user. The
 * registry is a list in this file. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../../test.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "plugin/schema_tables.h"
#include "tools/judge/declaration.h"

/* --- a law with one parameter of each type -----------------------------------------------------
 */

typedef struct settings {
    int32_t on, mode;
    int64_t count;
    double length;
    const char *text;
    scree_ints ints;
    scree_reals reals;
    scree_strings strings;
    scree_reals per_material, per_pair, rule;
    const scree_plugin_ref *inner;
    const scree_real_rows *points;
    const scree_int_rows *facets;
} settings;

static const scree_choice fast = {sizeof fast, 4, "fast", "quick"};
static const scree_choice slow = {sizeof slow, 9, "slow", "not quick"};
static const scree_choice *const modes[] = {&fast, &slow};

#define COMMON(TYPE, NAME)                                                                         \
    .size = sizeof(scree_param), .type = TYPE, .name = #NAME, .help = "help of " #NAME,            \
    .offset = offsetof(settings, NAME)

static const scree_param on_param = {COMMON(SCREE_TYPE_BOOL, on), .int_default = 1};
static const scree_param mode_param = {COMMON(SCREE_TYPE_CHOICE, mode), .string_default = "slow",
                                       .choices = modes, .n_choices = 2};
static const scree_param count_param = {COMMON(SCREE_TYPE_INT, count), .int_default = 3,
                                        .int_max = 10};
static const scree_param length_param = {COMMON(SCREE_TYPE_REAL, length), .unit = "m",
                                         .flags = SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN,
                                         .real_max = 2};
static const scree_param text_param = {COMMON(SCREE_TYPE_STRING, text),
                                       .flags = SCREE_PARAM_OPTIONAL};
static const scree_param ints_param = {COMMON(SCREE_TYPE_INT_ARRAY, ints), .int_max = 9};
static const scree_param reals_param = {COMMON(SCREE_TYPE_REAL_ARRAY, reals), .unit = "m",
                                        .length = 2, .real_default = 0.5, .real_max = 5};
static const scree_param strings_param = {COMMON(SCREE_TYPE_STRING_ARRAY, strings)};
static const scree_param per_material_param = {COMMON(SCREE_TYPE_PER_MATERIAL, per_material),
                                               .unit = "Pa", .flags = SCREE_PARAM_REQUIRED,
                                               .real_max = 1e12};
static const scree_param per_pair_param = {COMMON(SCREE_TYPE_PER_PAIR, per_pair),
                                           .mixing = SCREE_MIX_GEOMETRIC,
                                           .flags = SCREE_PARAM_REQUIRED, .real_max = 100};
static const scree_param rule_param = {COMMON(SCREE_TYPE_PER_PAIR, rule),
                                       .flags = SCREE_PARAM_OPTIONAL, .real_max = 1};
static const scree_param inner_param = {COMMON(SCREE_TYPE_PLUGIN, inner), .kind = SCREE_KIND_GCD,
                                        .string_default = "grid"};
static const scree_param points_param = {
    COMMON(SCREE_TYPE_REAL_ROWS, points), .unit = "m",    .length = 2,
    .flags = SCREE_PARAM_OPTIONAL,        .real_min = -5, .real_max = 5};
static const scree_param facets_param = {COMMON(SCREE_TYPE_INT_ROWS, facets),
                                         .flags = SCREE_PARAM_OPTIONAL, .int_max = 9};
static const scree_param *const law_params[] = {
    &on_param,   &mode_param,  &count_param,   &length_param,       &text_param,
    &ints_param, &reals_param, &strings_param, &per_material_param, &per_pair_param,
    &rule_param, &inner_param, &points_param,  &facets_param,
};
static const scree_plugin law = {.size = sizeof(scree_plugin),
                                 .kind = SCREE_KIND_FORCE,
                                 .id = "law",
                                 .config_size = sizeof(settings),
                                 .n_params = G_N_ELEMENTS(law_params),
                                 .params = law_params};

typedef struct grid_settings {
    double cell;
} grid_settings;
static const scree_param cell_param = {.size = sizeof(scree_param),
                                       .type = SCREE_TYPE_REAL,
                                       .name = "cell",
                                       .help = "side",
                                       .unit = "m",
                                       .real_default = 1,
                                       .real_max = 10};
static const scree_param *const grid_params[] = {&cell_param};
static const scree_plugin grid = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_GCD,
                                  .id = "grid",
                                  .config_size = sizeof(grid_settings),
                                  .n_params = 1,
                                  .params = grid_params};
static const scree_plugin pairing = {
    .size = sizeof(scree_plugin), .kind = SCREE_KIND_GCD, .id = "pairing"};

/** Owns itself by default: must end. */
static const scree_param again_param = {.size = sizeof(scree_param),
                                        .type = SCREE_TYPE_PLUGIN,
                                        .name = "again",
                                        .help = "itself",
                                        .kind = SCREE_KIND_GCD,
                                        .string_default = "endless"};
static const scree_param *const endless_params[] = {&again_param};
static const scree_plugin endless = {.size = sizeof(scree_plugin),
                                     .kind = SCREE_KIND_GCD,
                                     .id = "endless",
                                     .config_size = sizeof(void *),
                                     .n_params = 1,
                                     .params = endless_params};
/** Installed, but used by no scene here. */
static const scree_param cohesion_param = {.size = sizeof(scree_param),
                                           .type = SCREE_TYPE_PER_PAIR,
                                           .name = "cohesion",
                                           .help = "glue",
                                           .real_max = 1};
static const scree_param *const glue_params[] = {&cohesion_param};
static const scree_plugin glue = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_FORCE,
                                  .id = "glue",
                                  .config_size = sizeof(scree_reals),
                                  .n_params = 1,
                                  .params = glue_params};

static const scree_plugin *const installed[] = {&law, &grid, &pairing, &endless, &glue};

const scree_plugin *scree_registry_get(scree_registry *registry, uint32_t kind, const char *id,
                                       const scree_file **file, GError **error)
{
    static const scree_file none;
    for (size_t k = 0; k < G_N_ELEMENTS(installed); k++) {
        if (installed[k]->kind != kind || strcmp(installed[k]->id, id) != 0)
            continue;
        *file = &none;
        return installed[k];
    }
    g_set_error(error, SCREE_ERROR, strcmp(id, "bad") == 0 ? SCREE_EXIT_PLUGIN : SCREE_EXIT_USAGE,
                "no %s/%s", scree_kind_name(kind), id);
    return NULL;
}

/** Borrowed names; ends in NULL. */
static char **list_material_names(const scree_plugin *plugin)
{
    GPtrArray *names = g_ptr_array_new();
    for (uint32_t p = 0; p < plugin->n_params; p++)
        if (plugin->params[p]->type == SCREE_TYPE_PER_MATERIAL ||
            plugin->params[p]->type == SCREE_TYPE_PER_PAIR)
            g_ptr_array_add(names, (char *)plugin->params[p]->name);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static void free_listing(void *data)
{
    scree_listing *listing = data;
    g_free((gpointer)listing->material_keys);
    g_free(listing);
}

GPtrArray *scree_registry_scan(scree_registry *registry)
{
    static GPtrArray *listings; /* as a registry, it lives on */
    if (listings)
        return g_ptr_array_ref(listings);
    listings = g_ptr_array_new_with_free_func(free_listing);
    for (size_t k = 0; k < G_N_ELEMENTS(installed); k++) {
        scree_listing *listing = g_new0(scree_listing, 1);
        listing->kind = installed[k]->kind;
        listing->id = (char *)installed[k]->id;
        listing->material_keys = list_material_names(installed[k]);
        g_ptr_array_add(listings, listing);
    }
    return g_ptr_array_ref(listings);
}

const char *scree_kind_name(uint32_t kind)
{
    static const char *const names[] = {NULL, "gcd", "resolver", "force"};
    return kind < G_N_ELEMENTS(names) ? names[kind] : NULL;
}

/* --- a scene with the law --------------------------------------------------------------------- */

#define MATERIALS                                                                                  \
    "materials = { glass = { per_material = 7.0; per_pair = 4.0; };\n"                             \
    "              steel = { per_material = \"2 GPa\"; per_pair = 9.0; }; };\n"

typedef struct fixture {
    scree_config *config;
    scree_materials materials;
    const char *names[4];
    scree_node *groups[4];
    scree_choice_of *choice;
    const settings *s;
} fixture;

static void open_scene(fixture *f, const char *text)
{
    *f = (fixture){.config = scree_config_parse(text, "t.cfg", ".")};
    g_assert_cmpuint(f->config->problems->len, ==, 0);
    scree_node *group = scree_config_child(f->config->root, "materials");
    if (group)
        for (guint k = 0; k < group->children->len; k++) {
            f->groups[k] = g_ptr_array_index(group->children, k);
            f->groups[k]->known = true;
            f->names[k] = f->groups[k]->name;
            f->materials.n++;
        }
    f->materials.names = f->names;
    f->materials.groups = f->groups;
    f->materials.pairs = scree_config_child(f->config->root, "material_pairs");
}

static void choose(fixture *f, uint32_t kind, const char *key, const char *otherwise)
{
    scree_node *group = scree_config_child(f->config->root, key);
    f->choice = scree_schema_choose(f->config, group, kind, otherwise, &f->materials, NULL);
    f->s = f->choice ? f->choice->config : NULL;
}

static void load(fixture *f, const char *text)
{
    open_scene(f, text);
    choose(f, SCREE_KIND_FORCE, "force", NULL);
}

static void close_scene(fixture *f)
{
    scree_choice_of_free(f->choice);
    scree_config_free(f->config);
}

/** Compares with a NULL-terminated list. */
static void expect(const GPtrArray *messages, const char *const *expected)
{
    for (guint k = 0; k < messages->len || expected[k]; k++) {
        g_assert_cmpstr(k < messages->len ? g_ptr_array_index(messages, k) : NULL, ==, expected[k]);
        if (!expected[k])
            break;
    }
}
#define EXPECT(messages, ...) expect(messages, (const char *const[]){__VA_ARGS__, NULL})

TEST("/schema/defaults-fill-the-struct")
{
    fixture f;
    for (size_t k = 0; k < G_N_ELEMENTS(installed); k++)
        g_assert_true(scree_schema_check(installed[k], NULL));
    load(&f, MATERIALS "force = { plugin = \"law\"; length = 1; };");
    EXPECT(f.config->problems, NULL);
    g_assert_cmpint(f.s->on, ==, 1);
    g_assert_cmpint(f.s->mode, ==, 9);
    g_assert_cmpint(f.s->count, ==, 3);
    g_assert_true(f.s->length == 1);
    g_assert_null(f.s->text);
    g_assert_cmpuint(f.s->ints.n, ==, 0);
    g_assert_cmpuint(f.s->reals.n, ==, 2);
    g_assert_true(f.s->reals.v[1] == 0.5);
    g_assert_cmpuint(f.s->strings.n, ==, 0);
    g_assert_cmpstr(f.s->inner->choice.plugin->id, ==, "grid");
    g_assert_true(((const grid_settings *)f.s->inner->choice.config)->cell == 1);
    g_assert_true(isnan(f.s->rule.v[1]));
    g_assert_cmpuint(f.s->points->n, ==, 0);
    g_assert_cmpuint(f.s->points->first[0], ==, 0);
    g_assert_cmpuint(f.s->facets->n, ==, 0);
    close_scene(&f);
}

TEST("/schema/values-fill-the-struct")
{
    fixture f;
    load(&f, MATERIALS "force = { plugin = \"law\"; on = false; mode = \"fast\"; count = 4.0;\n"
                       " length = \"5 mm\"; text = \"hi\"; ints = [1, 2]; reals = (1, \"2 mm\");\n"
                       " strings = (\"a\", \"b\"); inner = { plugin = \"grid\"; cell = 3; }; };");
    EXPECT(f.config->problems, NULL);
    g_assert_cmpint(f.s->on, ==, 0);
    g_assert_cmpint(f.s->mode, ==, 4);
    g_assert_cmpint(f.s->count, ==, 4);
    g_assert_true(f.s->length == 5e-3);
    g_assert_cmpstr(f.s->text, ==, "hi");
    g_assert_cmpuint(f.s->ints.n, ==, 2);
    g_assert_cmpint(f.s->ints.v[1], ==, 2);
    g_assert_true(f.s->reals.v[0] == 1 && f.s->reals.v[1] == 2e-3);
    g_assert_cmpstr(f.s->strings.v[1], ==, "b");
    g_assert_true(((const grid_settings *)f.s->inner->choice.config)->cell == 3);
    close_scene(&f);
}

TEST("/schema/rows-of-numbers-fill-lists-in-a-list")
{
    static const int64_t facets[] = {0, 1, 2, 2, 1, 3, 4};
    static const uint64_t first[] = {0, 3, 3, 7};
    fixture f;
    load(&f, MATERIALS
         "force = { plugin = \"law\"; length = 1;\n"
         " points = ((1, \"2 mm\"), [-1.5, 5]); facets = ([0, 1, 2], (), (2, 1, 3, 4)); };");
    EXPECT(f.config->problems, NULL);
    const scree_real_rows *points = f.s->points;
    g_assert_cmpuint(points->size, ==, sizeof *points);
    g_assert_cmpuint(points->n, ==, 2);
    g_assert_true(points->first[0] == 0 && points->first[1] == 2 && points->first[2] == 4);
    g_assert_true(points->v[0] == 1 && points->v[1] == 2e-3);
    g_assert_true(points->v[2] == -1.5 && points->v[3] == 5);
    g_assert_cmpuint(f.s->facets->n, ==, 3);
    g_assert_cmpmem(f.s->facets->first, sizeof first, first, sizeof first);
    g_assert_cmpmem(f.s->facets->v, sizeof facets, facets, sizeof facets);
    close_scene(&f);
}

TEST("/schema/a-wrong-row-or-element-is-reported-by-its-number")
{
    fixture f;
    load(&f, MATERIALS "force = { plugin = \"law\"; length = 1;\n"
                       " points = ((1, 2),\n (1, 2, 3),\n 4,\n (7, \"2 kg\"));\n"
                       " facets = (0, 1, 2); };");
    EXPECT(f.config->problems, "t.cfg:5: force.points[1]: expected a list of 2, got a list of 3",
           "t.cfg:6: force.points[2]: expected a list of 2, got 4",
           "t.cfg:7: force.points[3][0]: expected -5 <= value <= 5 m, got 7",
           "t.cfg:7: force.points[3][1]: expected a quantity with the dimension of m, got \"2 kg\"",
           "t.cfg:8: force.facets[0]: expected a list, got 0",
           "t.cfg:8: force.facets[1]: expected a list, got 1",
           "t.cfg:8: force.facets[2]: expected a list, got 2");
    close_scene(&f);
    load(&f, MATERIALS "force = { plugin = \"law\"; length = 1; points = 3; };");
    EXPECT(f.config->problems, "t.cfg:3: force.points: expected a list of lists, got 3");
    close_scene(&f);
}

TEST("/schema/each-mistake-is-reported-with-place-and-value")
{
    fixture f;
    load(&f, MATERIALS "force = { plugin = \"law\"; on = 1; mode = \"fsat\";\n"
                       " count = 11; length = 0; text = 3; ints = \"x\";\n"
                       " reals = (1, 2, 3); strings = 1; inner = { plugin = \"gird\"; };\n"
                       " lenght = 1; };");
    EXPECT(f.config->problems, "t.cfg:3: force.on: expected true or false, got 1",
           "t.cfg:3: force.mode: expected one of fast, slow, got \"fsat\"; did you mean \"fast\"?",
           "t.cfg:4: force.count: expected 0 <= value <= 10, got 11",
           "t.cfg:4: force.length: expected 0 < value <= 2 m, got 0",
           "t.cfg:4: force.text: expected text in quotes, got 3",
           "t.cfg:4: force.ints: expected a whole number, got \"x\"",
           "t.cfg:5: force.reals: expected a list of 2, got a list of 3",
           "t.cfg:5: force.strings: expected text in quotes, got 1",
           "t.cfg:5: force.inner.plugin: no gcd/gird",
           "t.cfg:6: force.lenght: unknown key; did you mean \"length\"?");
    g_assert_false(f.config->refused);
    close_scene(&f);
}

TEST("/schema/required-keys-are-missed-by-name")
{
    fixture f;
    load(&f, "materials = { glass = { per_pair = 4; }; };\nforce = { plugin = \"law\"; };");
    EXPECT(f.config->problems,
           "t.cfg:2: force: the key length is missing: help of length (force/law)",
           "t.cfg:1: materials.glass: the key per_material is missing: help of per_material "
           "(force/law)");
    close_scene(&f);
}

TEST("/schema/a-plugin-must-be-named-and-found")
{
    g_autoptr(GError) error = NULL;
    fixture f;
    load(&f, "force = { x = 1; };");
    EXPECT(f.config->problems,
           "t.cfg:1: force: the key plugin is missing: it names the force to use");
    g_assert_null(f.choice);
    close_scene(&f);
    load(&f, "force = { plugin = \"bad\"; };");
    g_assert_true(scree_config_failed(f.config, &error));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN); /* refused: exit status 3 */
    close_scene(&f);
    open_scene(&f, "");
    choose(&f, SCREE_KIND_GCD, "gcd", "grid");
    EXPECT(f.config->problems, NULL);
    g_assert_null(f.choice->group);
    g_assert_true(((const grid_settings *)f.choice->config)->cell == 1);
    close_scene(&f);
}

TEST("/schema/plugins-that-own-themselves-end")
{
    fixture f;
    open_scene(&f, "");
    choose(&f, SCREE_KIND_GCD, "gcd", "endless");
    EXPECT(f.config->problems, "plugins own each other more than 8 deep");
    close_scene(&f);
}

/* --- tables ----------------------------------------------------------------------------------- */

TEST("/tables/pairs-are-mixed-from-materials")
{
    fixture f;
    load(&f, MATERIALS "force = { plugin = \"law\"; length = 1; };");
    EXPECT(f.config->problems, NULL);
    g_assert_cmpuint(f.s->per_material.n, ==, 2);
    g_assert_true(f.s->per_material.v[0] == 7 && f.s->per_material.v[1] == 2e9);
    g_assert_cmpuint(f.s->per_pair.n, ==, 4);
    g_assert_true(f.s->per_pair.v[0] == 4 && f.s->per_pair.v[3] == 9);
    g_assert_true(f.s->per_pair.v[1] == 6 && f.s->per_pair.v[2] == 6); /* sqrt(4 * 9) */
    close_scene(&f);
}

TEST("/tables/pair-beats-materials-beats-group")
{
    fixture f;
    load(
        &f,
        "materials = { a = { per_material = 5; per_pair = 4; }; b = { per_pair = 9; }; c = {}; };\n"
        "material_pairs = ( { between = [\"b\", \"a\"]; per_pair = 50; rule = 1; },\n"
        "                   { between = [\"c\", \"c\"]; per_pair = 60; } );\n"
        "force = { plugin = \"law\"; length = 1; per_material = 8; per_pair = 70; };");
    static const double expected[9] = {4, 50, 70, 50, 9, 70, 70, 70, 60};
    EXPECT(f.config->problems, NULL);
    for (int k = 0; k < 9; k++)
        g_assert_true(f.s->per_pair.v[k] == expected[k]);
    g_assert_true(f.s->per_material.v[0] == 5 && f.s->per_material.v[1] == 8);
    g_assert_true(f.s->rule.v[1] == 1 && f.s->rule.v[3] == 1 && isnan(f.s->rule.v[0]));
    close_scene(&f);
}

TEST("/tables/what-is-missing-is-named")
{
    fixture f;
    load(&f, "materials = { a = { per_material = 1; per_pair = 4; rule = 1; }; b = { per_material "
             "= 1; }; };\n"
             "force = { plugin = \"law\"; length = 1; };");
    EXPECT(f.config->problems,
           "t.cfg:1: materials.a: no per_pair between a and b: help of per_pair; give it in both "
           "materials, or in material_pairs, or in force/law itself",
           "t.cfg:1: materials.b: no per_pair between b and b: help of per_pair; give it in both "
           "materials, or in material_pairs, or in force/law itself",
           "t.cfg:1: materials.a.rule: force/law has no rule to mix this from two materials; it "
           "belongs into material_pairs");
    close_scene(&f);
}

TEST("/tables/mixing-rules")
{
    static const struct {
        uint32_t rule;
        double expected;
    } rows[] = {{SCREE_MIX_MEAN, 5},
                {SCREE_MIX_GEOMETRIC, 4},
                {SCREE_MIX_HARMONIC, 3.2},
                {SCREE_MIX_MIN, 2},
                {SCREE_MIX_MAX, 8}};
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        scree_param changed = cohesion_param;
        changed.mixing = rows[k].rule;
        changed.real_max = 10;
        const scree_param *const params[] = {&changed};
        scree_plugin plugin = glue;
        plugin.params = params;
        fixture f;
        open_scene(&f, "materials = { a = { cohesion = 2; }; b = { cohesion = 8; }; };");
        scree_choice_of choice = {.plugin = &plugin};
        choice.memory = g_ptr_array_new_with_free_func(g_free);
        scree_fill fill = {
            .keys = {.config = f.config, .memory = choice.memory, .user = "force/glue"},
            .plugin = &plugin,
            .materials = &f.materials};
        scree_reals table;
        scree_fill_per_pair(&fill, &changed, &table);
        g_assert_true(table.v[1] == rows[k].expected && table.v[2] == rows[k].expected);
        g_assert_true(table.v[0] == 2 && table.v[3] == 8);
        g_free(fill.pair_of);
        g_ptr_array_unref(choice.memory);
        close_scene(&f);
    }
}

TEST("/tables/unknown-material-keys-are-reported-unused-ones-noted")
{
    static const scree_param density = {.name = "density"};
    static const scree_key_table host_keys = {.rows = &density, .n = 1};
    fixture f;
    load(&f, "materials = { a = { density = 1; per_material = 1; per_pair = 1; cohesion = 1; };\n"
             " b = { per_material = 1; per_pair = 1; cohesoin = 1; }; };\n"
             "material_pairs = ( { between = [\"a\", \"b\"]; cohesion = 1; zz = 1; },\n"
             " { between = [\"b\", \"a\"]; }, { between = [\"a\", \"x\"]; }, 3 );\n"
             "force = { plugin = \"law\"; length = 1; };");
    scree_config_child(f.groups[0], "density"); // the host has read it
    g_free(scree_materials_pairs(f.config, &f.materials));
    scree_schema_check_material_keys(f.config, &f.materials, &host_keys, NULL);
    EXPECT(
        f.config->problems, "t.cfg:4: material_pairs[1]: the pair b and a is given twice",
        "t.cfg:4: material_pairs[2].between[1]: no material \"x\"; did you mean \"a\"?",
        "t.cfg:4: material_pairs[3]: expected a group { between = [\"one\", \"other\"]; .. }, got "
        "3",
        "t.cfg:2: materials.b.cohesoin: no installed plugin knows this material key; did you mean "
        "\"cohesion\"?",
        "t.cfg:3: material_pairs[0].zz: no installed plugin knows this material key");
    EXPECT(f.config->notes,
           "known, but not used by the plugins of this scene: materials.a.cohesion, "
           "material_pairs[0].cohesion");
    close_scene(&f);
}

/* --- a changed plugin ------------------------------------------------------------------------- */

TEST("/override/changed-plugin-drops-what-it-lacks")
{
    fixture f;
    open_scene(&f, "gcd = {\n plugin = \"grid\";\n cell = 2;\n};");
    g_assert_true(scree_config_set(f.config, "gcd.plugin=pairing", NULL));
    choose(&f, SCREE_KIND_GCD, "gcd", NULL);
    EXPECT(f.config->problems, NULL);
    EXPECT(f.config->notes,
           "--set: gcd.plugin: gcd/pairing has no parameter cell: that of t.cfg:3 is dropped");
    g_assert_null(scree_node_find(f.choice->group, "cell"));
    close_scene(&f);
}

/* A scene that changes the plugin of its base is an override too. */
TEST("/override/a-scene-overrides-its-base")
{
    g_autofree char *dir = g_dir_make_tmp("scree-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "base.cfg", NULL);
    static const char base[] = "gcd = { plugin = \"grid\"; cell = 2; };";
    g_assert_true(g_file_set_contents(path, base, -1, NULL));
    fixture f = {.config = scree_config_parse(
                     "base = \"base.cfg\";\ngcd = { plugin = \"pairing\"; };", "t.cfg", dir)};
    choose(&f, SCREE_KIND_GCD, "gcd", NULL);
    g_autofree char *note = g_strdup_printf(
        "t.cfg:2: gcd.plugin: gcd/pairing has no parameter cell: that of %s:1 is dropped", path);
    EXPECT(f.config->problems, NULL);
    EXPECT(f.config->notes, note);
    close_scene(&f);
    g_unlink(path);
    g_rmdir(dir);
}

TEST("/override/mistakes-and-overrides-are-not-dropped")
{
    fixture f;
    open_scene(&f,
               "gcd = {\n plugin = \"pairing\";\n cell = 2;\n};"); /* cell: a mistake in the file */
    g_assert_true(scree_config_set(f.config, "gcd.plugin=pairing", NULL));
    choose(&f, SCREE_KIND_GCD, "gcd", NULL);
    EXPECT(f.config->problems, "t.cfg:3: gcd.cell: unknown key; known here: plugin");
    close_scene(&f);
    open_scene(&f, "gcd = { plugin = \"grid\"; };");
    g_assert_true(scree_config_set(f.config, "gcd.plugin=pairing", NULL));
    g_assert_true(scree_config_set(f.config, "gcd.cell=3", NULL)); /* asked for: not dropped */
    choose(&f, SCREE_KIND_GCD, "gcd", NULL);
    EXPECT(f.config->problems, "--set: gcd.cell: unknown key; known here: plugin");
    close_scene(&f);
}
