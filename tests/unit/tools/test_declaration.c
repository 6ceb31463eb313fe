/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid declarations of a plugin: each sin by itself, refused with its reason. */
#include <math.h>
#include <string.h>

#include "../../test.h"
#include "plugin/kinds.h"
#include "plugin/schema.h"
#include "tools/judge/declaration.h"
#include "tools/judge/struct_check.h"

static const scree_choice fast = {sizeof fast, 4, "fast", "quick"};
static const scree_choice slow = {sizeof slow, 9, "slow", "not quick"};
static const scree_choice *const modes[] = {&fast, &slow};
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
                                  .config_size = sizeof(double),
                                  .n_params = 1,
                                  .params = grid_params};
static const scree_plugin pairing = {
    .size = sizeof(scree_plugin), .kind = SCREE_KIND_GCD, .id = "pairing"};

const char *scree_kind_name(uint32_t kind)
{
    static const char *const names[] = {NULL,       "gcd",      "resolver", "force", "integrator",
                                        "observer", "modifier", "shape",    "source"};
    return kind < G_N_ELEMENTS(names) ? names[kind] : NULL;
}

static void refuse_param(scree_exit code, scree_param param, const char *why)
{
    const scree_param *const params[] = {&cell_param, &param};
    scree_plugin plugin = grid;
    g_autoptr(GError) error = NULL;
    plugin.params = params;
    plugin.n_params = 2;
    plugin.config_size = 48;
    g_assert_false(scree_schema_check(&plugin, &error));
    g_assert_error(error, SCREE_ERROR, (int)code);
    g_autofree char *expected = g_strconcat("parameter ", why, NULL);
    g_assert_cmpstr(error->message, ==, expected);
}

#define REFUSE(why, ...) refuse_param(SCREE_EXIT_PLUGIN, (scree_param){COMMON_2, __VA_ARGS__}, why)
/* A newer host may know it: only the descriptor is left out. */
#define LEAVE_OUT(why, ...) refuse_param(SCREE_NOT_KNOWN, (scree_param){COMMON_2, __VA_ARGS__}, why)
#define COMMON_2                                                                                   \
    .size = sizeof(scree_param), .type = SCREE_TYPE_REAL, .name = "p", .help = "h", .offset = 8,   \
    .real_max = 1

static const scree_choice nameless = {sizeof nameless, 0, NULL, "h"};
static const scree_choice short_one = {8, 0, "a", "h"};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init" /* that is the point: all good but one thing */
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#endif

TEST("/check/unknown-codes-are-refused-by-name")
{
    REFUSE("1: expected a scree_param of 128 to 65536 bytes, got 100", .size = 100);
    REFUSE("1: its name is not [a-z][a-z0-9_]* of at most 64 letters", .name = "Kn");
    REFUSE("1: its name is not [a-z][a-z0-9_]* of at most 64 letters", .name = NULL);
    REFUSE("plugin: this name is the host's", .name = "plugin");
    REFUSE("cell: two parameters have this name", .name = "cell");
    REFUSE("p: it needs a help text of one line", .help = "a\nb");
    LEAVE_OUT("p: unknown type 18; this host knows 1 to 17", .type = 18);
    LEAVE_OUT("p: unknown type 0; this host knows 1 to 17", .type = 0);
    REFUSE("p: its type has no default; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL",
           .type = SCREE_TYPE_RECIPE);
    REFUSE("p: its type has no default; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL",
           .type = SCREE_TYPE_REAL_ROWS);
    REFUSE("p: its range [3, 1] leaves no choice; expected int_min < int_max",
           .type = SCREE_TYPE_INT_ROWS, .flags = SCREE_PARAM_OPTIONAL, .int_min = 3, .int_max = 1);
    LEAVE_OUT("p: unknown flag 0x80000000; this host knows 0x30000ff", .flags = 0x80000001);
    REFUSE("p: SCREE_PARAM_FILE is for a string, required or optional, that names neither a group "
           "nor a field",
           .flags = SCREE_PARAM_FILE | SCREE_PARAM_REQUIRED);
    REFUSE("p: SCREE_PARAM_FILE is for a string, required or optional, that names neither a group "
           "nor a field",
           .type = SCREE_TYPE_STRING, .flags = SCREE_PARAM_FILE, .string_default = "a file");
    REFUSE("p: SCREE_PARAM_REQUIRED and SCREE_PARAM_OPTIONAL exclude each other",
           .flags = SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL);
    REFUSE("p: SCREE_PARAM_OPTIONAL has no meaning for its type", .type = SCREE_TYPE_BOOL,
           .flags = SCREE_PARAM_OPTIONAL);
    REFUSE("p: SCREE_PARAM_MIN_OPEN and SCREE_PARAM_MAX_OPEN are for reals", .type = SCREE_TYPE_INT,
           .flags = SCREE_PARAM_MIN_OPEN);
    LEAVE_OUT("p: unknown mixing rule 6; this host knows 0 to 5", .mixing = 6);
    REFUSE("p: a mixing rule is for SCREE_TYPE_PER_PAIR", .mixing = SCREE_MIX_MEAN);
    REFUSE("p: a length is for arrays and rows", .length = 3);
    LEAVE_OUT("p: `reserved`: expected 0, got 1", .reserved = 1);
    REFUSE("p: there is no unit \"parsec\"", .unit = "parsec");
}

TEST("/check/defaults-must-be-allowed")
{
    static const scree_choice *const twice[] = {&fast, &fast}, *const bad[] = {&nameless},
                                     *const tiny[] = {&short_one};
    REFUSE("p: its range [2, 1] leaves no choice; expected real_min < real_max", .real_min = 2);
    REFUSE("p: its range [nan, 1] leaves no choice; expected real_min < real_max",
           .real_min = (double)NAN);
    REFUSE("p: its default 3 lies outside its range 0 to 1", .real_default = 3);
    REFUSE("p: its default nan lies outside its range 0 to 1", .real_default = (double)NAN);
    REFUSE("p: its default 0 lies outside its range 0 to 1", .flags = SCREE_PARAM_MIN_OPEN);
    REFUSE("p: its range [1, 1] leaves no choice; expected real_min < real_max", .real_min = 1);
    REFUSE("p: its range (1, 1] leaves no choice; expected real_min < real_max", .real_min = 1,
           .flags = SCREE_PARAM_MIN_OPEN);
    REFUSE("p: its range [inf, inf] leaves no choice; expected real_min < real_max",
           .real_min = HUGE_VAL, .real_max = HUGE_VAL);
    REFUSE("p: its range [0, 0] leaves no choice; expected int_min < int_max",
           .type = SCREE_TYPE_INT);
    REFUSE("p: its default 3 lies outside its range 0 to 2", .type = SCREE_TYPE_INT,
           .int_default = 3, .int_max = 2);
    REFUSE("p: its default is neither 0 nor 1", .type = SCREE_TYPE_BOOL, .int_default = 2);
    REFUSE("p: it has no choices", .type = SCREE_TYPE_CHOICE);
    REFUSE("p: the choice fast is there twice", .type = SCREE_TYPE_CHOICE, .choices = twice,
           .n_choices = 2);
    REFUSE("p: choice 0 needs a name (one word) and a help text (one line)",
           .type = SCREE_TYPE_CHOICE, .choices = bad, .n_choices = 1);
    REFUSE("p: choice 0: expected a scree_choice of 24 to 65536 bytes, got 8",
           .type = SCREE_TYPE_CHOICE, .choices = tiny, .n_choices = 1);
    REFUSE("p: its default (none) is not among its choices", .type = SCREE_TYPE_CHOICE,
           .choices = modes, .n_choices = 2);
    REFUSE("p: it has no default; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL",
           .type = SCREE_TYPE_STRING);
    LEAVE_OUT("p: unknown kind 77", .type = SCREE_TYPE_PLUGIN, .kind = 77);
    REFUSE("p: it has no default plugin; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL",
           .type = SCREE_TYPE_PLUGIN, .kind = SCREE_KIND_GCD);
}

TEST("/check/offsets-lie-inside-aligned-and-apart")
{
    REFUSE("p: offset 48 + 8 bytes lies outside the config struct of 48", .offset = 48);
    REFUSE("p: offset 18446744073709551608 + 8 bytes lies outside the config struct of 48",
           .offset = UINT64_MAX - 7);
    REFUSE("p: expected an offset that is a multiple of 8, got 12", .offset = 12);
    REFUSE("p: it overlaps the parameter cell in the config struct", .offset = 0);
    REFUSE("p: it overlaps the parameter cell in the config struct", .offset = 4,
           .type = SCREE_TYPE_BOOL);
    REFUSE("p: offset 40 + 16 bytes lies outside the config struct of 48", .offset = 40,
           .type = SCREE_TYPE_REAL_ARRAY);
}

/** Flags of the plugin whose field is refused. */
static uint32_t pairing_flags;

static void refuse_field_of(uint32_t kind, scree_field field, const char *why)
{
    static const scree_field good = {.size = sizeof(scree_field),
                                     .scope = SCREE_SCOPE_CONTACT,
                                     .components = 3,
                                     .name = "good",
                                     .help = "h"};
    const scree_field *const fields[] = {&good, &field};
    scree_plugin plugin = pairing;
    g_autoptr(GError) error = NULL;
    plugin.kind = kind;
    plugin.flags = pairing_flags;
    plugin.fields = kind == SCREE_KIND_FORCE ? fields : fields + 1;
    plugin.n_fields = kind == SCREE_KIND_FORCE ? 2 : 1;
    g_assert_false(scree_schema_check(&plugin, &error));
    const bool unknown = strstr(why, ": unknown") || strstr(why, "`reserved`");
    g_assert_cmpint(error->code, ==, (int)(unknown ? SCREE_NOT_KNOWN : SCREE_EXIT_PLUGIN));
    g_autofree char *expected = g_strconcat("field ", why, NULL);
    g_assert_cmpstr(error->message, ==, expected);
}

static void refuse_field(scree_field field, const char *why)
{
    refuse_field_of(SCREE_KIND_FORCE, field, why);
}

#define REFUSE_FIELD(why, ...) refuse_field((scree_field){COMMON_FIELD, __VA_ARGS__}, why)
#define COMMON_FIELD                                                                               \
    .size = sizeof(scree_field), .scope = SCREE_SCOPE_CONTACT, .components = 1, .name = "f",       \
    .help = "h"

#define COMMON_GLOBAL                                                                              \
    .size = sizeof(scree_field), .scope = SCREE_SCOPE_GLOBAL, .components = 1, .name = "f",        \
    .help = "h"

TEST("/check/fields-are-checked")
{
    REFUSE_FIELD("1: expected a scree_field of 64 to 65536 bytes, got 8", .size = 8);
    REFUSE_FIELD("1: its name is not [a-z][a-z0-9_]* of at most 64 letters", .name = "9");
    REFUSE_FIELD("good: two fields of one scope have this name", .name = "good");
    REFUSE_FIELD("f: unknown scope 5; this host knows 1 to 4", .scope = 5);
    REFUSE_FIELD("f: 0 components; allowed: 1 to 64", .components = 0);
    REFUSE_FIELD("f: unknown policy 2 for a missing value; this host knows 0 to 1",
                 .if_missing = 2);
    REFUSE_FIELD("f: unknown policy 2 for its return; this host knows 0 to 1", .on_return = 2);
    REFUSE_FIELD("f: unknown flag 0x4; this host knows 0x3", .flags = 4);
    REFUSE_FIELD("f: SCREE_FIELD_SUM and SCREE_FIELD_SAME are for fields of scope "
                 "SCREE_SCOPE_GLOBAL",
                 .flags = SCREE_FIELD_SUM);
    refuse_field_of(SCREE_KIND_MODIFIER,
                    (scree_field){COMMON_GLOBAL, .flags = SCREE_FIELD_SUM | SCREE_FIELD_SAME},
                    "f: SCREE_FIELD_SUM and SCREE_FIELD_SAME exclude each other");
    pairing_flags = SCREE_CAP_RANKS;
    refuse_field_of(SCREE_KIND_MODIFIER, (scree_field){COMMON_GLOBAL},
                    "f: a global field of a plugin with SCREE_CAP_RANKS: expected SCREE_FIELD_SUM "
                    "or SCREE_FIELD_SAME, got neither");
    pairing_flags = 0;
    REFUSE_FIELD("f: `reserved`: expected 0, got 1", .reserved = 1);
    REFUSE_FIELD("f: its initial value is not finite", .initial = (double)NAN);
    REFUSE_FIELD("f: there is no unit \"x\"", .unit = "x");
}

/** Each kind has the scopes that its header promises, and no other. */
TEST("/declaration/each-kind-has-its-scopes")
{
    static const struct {
        uint32_t kind;
        const char *name, *scopes;
        bool has[SCREE_SCOPE_GLOBAL + 1];
    } kinds[] = {{SCREE_KIND_FORCE, "force", "contact, pair, body, global", {0, 1, 1, 1, 1}},
                 {SCREE_KIND_RESOLVER, "resolver", "pair", {0, 0, 1, 0, 0}},
                 {SCREE_KIND_INTEGRATOR, "integrator", "body, global", {0, 0, 0, 1, 1}},
                 {SCREE_KIND_MODIFIER, "modifier", "body, global", {0, 0, 0, 1, 1}},
                 {SCREE_KIND_OBSERVER, "observer", NULL, {0}},
                 {SCREE_KIND_GCD, "gcd", NULL, {0}}};
    static const char *const names[] = {"", "contact", "pair", "body", "global"};
    for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++)
        for (uint32_t scope = SCREE_SCOPE_CONTACT; scope <= SCREE_SCOPE_GLOBAL; scope++) {
            scree_field field = {COMMON_FIELD};
            const scree_field *const fields[] = {&field};
            scree_plugin plugin = pairing;
            g_autoptr(GError) error = NULL;
            field.scope = scope;
            plugin.kind = kinds[k].kind;
            plugin.fields = fields;
            plugin.n_fields = 1;
            bool good = scree_schema_check(&plugin, &error);
            g_assert_cmpint(good, ==, kinds[k].has[scope]);
            if (good)
                continue;
            g_autofree char *expected =
                kinds[k].scopes
                    ? g_strdup_printf("field f: of a %s expected scope %s, got %s", kinds[k].name,
                                      kinds[k].scopes, names[scope])
                    : g_strdup_printf("field f: expected no fields of a plugin of kind %s",
                                      kinds[k].name);
            g_assert_cmpstr(error->message, ==, expected);
        }
}
#pragma GCC diagnostic pop

TEST("/check/good-schemas-pass")
{
    g_autoptr(GError) error = NULL;
    g_assert_true(scree_schema_check(&grid, &error));
    g_assert_no_error(error);
    g_assert_true(scree_schema_check(&pairing, &error));
    g_assert_no_error(error);
    scree_plugin plugin = grid;
    plugin.params = NULL;
    g_assert_false(scree_schema_check(&plugin, &error));
    g_assert_cmpstr(
        error->message, ==,
        "schema as a whole: it counts parameters, fields or uses and has no list of them");
    g_clear_error(&error);
    plugin = grid;
    plugin.config_size = UINT64_MAX;
    g_assert_false(scree_schema_check(&plugin, &error));
}
