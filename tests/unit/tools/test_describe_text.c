/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of descriptors for readers: what is printed for a scene can be read back. */
#include "../../test.h"
#include "tools/describe/describe_text.h"

#include <libconfig.h>
#include <math.h>
#include <string.h>

static const scree_choice heap = {sizeof(scree_choice), 1, "heap", "by heapsort"};
static const scree_choice *const choices[] = {&heap};

#define PARAM(...)                                                                                 \
    {                                                                                              \
        .size = sizeof(scree_param), .help = "what it means", __VA_ARGS__                          \
    }
#define FREE .real_min = -HUGE_VAL, .real_max = HUGE_VAL, .int_min = INT64_MIN, .int_max = INT64_MAX

/* One of each type, in the order of the codes; then units and required ones. */
static const scree_param all[] = {
    PARAM(.type = SCREE_TYPE_BOOL, .name = "bool", .int_default = 1),
    PARAM(.type = SCREE_TYPE_CHOICE, .name = "choice", .string_default = "heap", .choices = choices,
          .n_choices = 1),
    PARAM(.type = SCREE_TYPE_INT, .name = "int", FREE, .int_default = 3000000000),
    PARAM(.type = SCREE_TYPE_REAL, .name = "real", .unit = "m", .real_default = 1, .real_min = 0,
          .real_max = HUGE_VAL, .flags = SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE),
    PARAM(.type = SCREE_TYPE_STRING, .name = "string", .string_default = "a\"b"),
    PARAM(.type = SCREE_TYPE_INT_ARRAY, .name = "ints", FREE, .length = 2, .int_default = 7),
    PARAM(.type = SCREE_TYPE_REAL_ARRAY, .name = "reals", FREE, .length = 3, .real_default = 0.25),
    PARAM(.type = SCREE_TYPE_STRING_ARRAY, .name = "strings"),
    PARAM(.type = SCREE_TYPE_PER_MATERIAL, .name = "material", FREE, .real_default = 2.5),
    PARAM(.type = SCREE_TYPE_PER_PAIR, .name = "pair", FREE, .mixing = SCREE_MIX_HARMONIC),
    PARAM(.type = SCREE_TYPE_PLUGIN, .name = "nested", .kind = SCREE_KIND_GCD,
          .string_default = "grid"),
    PARAM(.type = SCREE_TYPE_REAL_ROWS, .name = "points", FREE, .unit = "m", .length = 3,
          .flags = SCREE_PARAM_OPTIONAL),
    PARAM(.type = SCREE_TYPE_INT_ROWS, .name = "facets", .int_max = 9,
          .flags = SCREE_PARAM_OPTIONAL),
    PARAM(.type = SCREE_TYPE_REAL, .name = "angle", .unit = "deg", FREE,
          .real_default = 0.52359877559829882),
    PARAM(.type = SCREE_TYPE_REAL, .name = "needed", FREE, .flags = SCREE_PARAM_REQUIRED),
    PARAM(.type = SCREE_TYPE_REAL, .name = "absent", FREE, .flags = SCREE_PARAM_OPTIONAL),
};

static scree_plugin make_plugin(uint32_t kind)
{
    static const scree_param *params[G_N_ELEMENTS(all)];
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        params[i] = &all[i];
    return (scree_plugin){.size = sizeof(scree_plugin),
                          .kind = kind,
                          .dimensions = SCREE_DIMENSION_2,
                          .id = "probe",
                          .version = "1.0.0",
                          .licence = "MIT",
                          .help = "all types",
                          .n_params = G_N_ELEMENTS(all),
                          .params = params};
}

/** The group of the plugin in the block, when libconfig takes the block. */
static config_setting_t *read_block(config_t *config, const char *block, uint32_t kind)
{
    static const char *const paths[] = {NULL,
                                        "gcd",
                                        "resolvers.[0]",
                                        "force.[0]",
                                        "integrator",
                                        "observers.my_probe",
                                        "modifiers.my_probe",
                                        "shapes.my_probe"};
    config_init(config);
    if (config_read_string(config, block) != CONFIG_TRUE)
        g_error("%d: %s\n%s", config_error_line(config), config_error_text(config), block);
    return config_lookup(config, paths[kind]);
}

/** Drops the comment sign of every line that is a setting. */
static char *uncomment(const char *block)
{
    g_autoptr(GRegex) regex = g_regex_new("^( *)# (\\w+ = .*;.*)$", G_REGEX_MULTILINE, 0, NULL);
    return g_regex_replace(regex, block, -1, 0, "\\1\\2", 0, NULL);
}

TEST("/describe/template-of-each-kind-parses")
{
    for (uint32_t kind = SCREE_KIND_GCD; kind <= SCREE_KIND_SHAPE; kind++) {
        scree_plugin plugin = make_plugin(kind);
        g_autofree char *block = scree_describe_template(&plugin);
        config_t config;
        config_setting_t *group = read_block(&config, block, kind);
        const char *text = NULL;
        g_assert_nonnull(group);
        const char *key = kind == SCREE_KIND_SHAPE ? "type" : "plugin";
        g_assert_true(config_setting_lookup_string(group, key, &text));
        g_assert_cmpstr(text, ==, "probe");
        g_assert_true(config_setting_lookup_string(group, "needed", &text));
        g_assert_cmpstr(text, ==, "?");
        g_assert_cmpint(config_setting_length(group), ==, 2);
        config_destroy(&config);
    }
}

TEST("/describe/commented-defaults-parse-to-their-values")
{
    scree_plugin plugin = make_plugin(SCREE_KIND_GCD);
    g_autofree char *block = scree_describe_template(&plugin), *full = NULL;
    for (char *dots = block; (dots = strstr(dots, " = ...;")) != NULL;)
        memcpy(dots, " = 0.0;", strlen(" = 0.0;"));
    full = uncomment(block);
    config_t config;
    config_setting_t *group = read_block(&config, full, SCREE_KIND_GCD);
    g_assert_cmpint(config_setting_length(group), ==, 1 + (int)G_N_ELEMENTS(all));
    const char *text = NULL;
    double real = 0.0;
    long long integer = 0;
    g_assert_true(config_setting_lookup_float(group, "real", &real));
    g_assert_cmpfloat(real, ==, 1.0);
    g_assert_true(config_setting_lookup_int64(group, "int", &integer));
    g_assert_cmpint(integer, ==, 3000000000);
    g_assert_true(config_setting_lookup_string(group, "string", &text));
    g_assert_cmpstr(text, ==, "a\"b");
    g_assert_true(config_setting_lookup_string(group, "angle", &text));
    g_assert_cmpstr(text, ==, "30 deg");
    g_assert_cmpint(config_setting_length(config_setting_get_member(group, "reals")), ==, 3);
    config_destroy(&config);
}

TEST("/describe/page-shows-type-unit-range-default")
{
    const scree_plugin plugin = make_plugin(SCREE_KIND_GCD);
    const scree_file file = {.path = (char *)"/x/probe.so", .cpu_level = "baseline"};
    g_autofree char *page = scree_describe_text(&plugin, &file);
    const char *const lines[] = {
        "bool: bool; default true",
        "choice: choice; default \"heap\"",
        "\"heap\": by heapsort",
        "real: real [m], > 0, live; default 1.0",
        "ints: integers (2); default (7, 7)",
        "pair: real per material pair, harmonic mean of the materials; default 0.0",
        "nested: plugin (gcd); default { plugin = \"grid\"; }",
        "angle: real [deg]; default \"30 deg\"",
        "needed: real; required",
        "absent: real; optional",
        "points: rows of reals (3 each) [m]; optional",
        "facets: rows of integers, >= 0, <= 9; optional",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        if (!strstr(page, lines[i]))
            g_error("no \"%s\" in\n%s", lines[i], page);
    }
}
