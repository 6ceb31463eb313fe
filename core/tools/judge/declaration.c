/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the parameters and fields that a plugin declares, before anything relies on them. */
#include "tools/judge/declaration.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "config/units.h"
#include "plugin/field_uses.h"
#include "plugin/kinds.h"
#include "tools/judge/struct_check.h"

/* Members behind the frozen minimum are read only by SCREE_HAS. */
static const scree_known known_param = SCREE_KNOWN(scree_param, reserved),
                         known_field = SCREE_KNOWN(scree_field, initial),
                         known_choice = SCREE_KNOWN(scree_choice, help),
                         known_use = SCREE_KNOWN(scree_use, help);

#define NAMING_FLAGS (SCREE_PARAM_GROUP | SCREE_PARAM_KINEMATIC_GROUP | SCREE_PARAM_FIELD)
#define KNOWN_FLAGS                                                                                \
    (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL | SCREE_PARAM_LIVE | SCREE_PARAM_MIN_OPEN |       \
     SCREE_PARAM_MAX_OPEN | NAMING_FLAGS | SCREE_PARAM_FILE | SCREE_PARAM_INLINE)

/** Properties of a type. */
typedef struct type_facts {
    size_t size, alignment; /* of its member in the config struct */
    bool is_real, is_int;   /* which default and which range count */
    bool may_miss;          /* SCREE_PARAM_OPTIONAL has a meaning */
    bool is_array;
    bool no_default; /* it needs SCREE_PARAM_REQUIRED or _OPTIONAL */
} type_facts;

static const type_facts types[] = {
    [SCREE_TYPE_BOOL] = {.size = sizeof(int32_t), .alignment = alignof(int32_t)},
    [SCREE_TYPE_CHOICE] = {.size = sizeof(int32_t), .alignment = alignof(int32_t)},
    [SCREE_TYPE_INT] = {sizeof(int64_t), alignof(int64_t), .is_int = true, .may_miss = true},
    [SCREE_TYPE_REAL] = {sizeof(double), alignof(double), .is_real = true, .may_miss = true},
    [SCREE_TYPE_STRING] = {sizeof(char *), alignof(char *), .may_miss = true},
    [SCREE_TYPE_INT_ARRAY] = {sizeof(scree_ints), alignof(scree_ints), .is_int = true,
                              .may_miss = true, .is_array = true},
    [SCREE_TYPE_REAL_ARRAY] = {sizeof(scree_reals), alignof(scree_reals), .is_real = true,
                               .may_miss = true, .is_array = true},
    [SCREE_TYPE_STRING_ARRAY] = {sizeof(scree_strings), alignof(scree_strings), .may_miss = true,
                                 .is_array = true},
    [SCREE_TYPE_PER_MATERIAL] = {sizeof(scree_reals), alignof(scree_reals), .is_real = true,
                                 .may_miss = true},
    [SCREE_TYPE_PER_PAIR] = {sizeof(scree_reals), alignof(scree_reals), .is_real = true,
                             .may_miss = true},
    [SCREE_TYPE_PLUGIN] = {sizeof(void *), alignof(void *), .may_miss = true},
    [SCREE_TYPE_ZONE] = {sizeof(void *), alignof(void *), .may_miss = true, .no_default = true},
    [SCREE_TYPE_RECIPE] = {sizeof(void *), alignof(void *), .may_miss = true, .no_default = true},
    [SCREE_TYPE_MATERIALS] = {sizeof(scree_ints), alignof(scree_ints), .may_miss = true,
                              .no_default = true},
    [SCREE_TYPE_PLACING] = {sizeof(void *), alignof(void *), .may_miss = true, .no_default = true},
    [SCREE_TYPE_REAL_ROWS] = {sizeof(void *), alignof(void *), .is_real = true, .may_miss = true,
                              .is_array = true, .no_default = true},
    [SCREE_TYPE_INT_ROWS] = {sizeof(void *), alignof(void *), .is_int = true, .may_miss = true,
                             .is_array = true, .no_default = true},
};

/** The entry that is being checked. */
typedef struct checker {
    const scree_plugin *plugin;
    const char *what; /* "parameter", "field" */
    const char *name; /* name of the entry; NULL: not known yet */
    uint32_t number;
    GError **error;
} checker;

/** Sets "parameter cell: TEXT". Always false. */
G_GNUC_PRINTF(3, 4)
static bool fail_as(const checker *c, scree_exit code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *entry = c->name ? g_strdup(c->name) : g_strdup_printf("%u", c->number);
    return scree_fail(c->error, code, "%s %s: %s", c->what, entry, text);
}
#define fail_entry(c, ...) fail_as(c, SCREE_EXIT_PLUGIN, __VA_ARGS__)
#define fail_unknown(c, ...) fail_as(c, SCREE_NOT_KNOWN, __VA_ARGS__)

bool scree_is_identifier(const char *text)
{
    return text && g_ascii_islower(*text) &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")];
}

bool scree_is_line(const char *text)
{
    return text && *text && !strpbrk(text, "\n\r") && g_utf8_validate(text, -1, NULL);
}

/** Checks the name of an entry, and takes it for messages. */
static bool check_name(checker *c, const char *name)
{
    if (!scree_is_identifier(name) || strlen(name) > SCREE_MAX_NAME)
        return fail_entry(c, "its name is not [a-z][a-z0-9_]* of at most %d letters",
                          SCREE_MAX_NAME);
    c->name = name;
    return true;
}

static bool check_struct(checker *c, const void *entry, const scree_known *known)
{
    g_autoptr(GError) inner = NULL;
    c->name = NULL;
    return scree_check_struct(entry, known, &inner) ||
           fail_as(c, (scree_exit)inner->code, "%s", inner->message);
}

static bool check_reserved(const checker *c, uint32_t reserved)
{
    return reserved == 0 || fail_unknown(c, "`reserved`: expected 0, got %u", reserved);
}

static bool check_help(const checker *c, const char *help)
{
    return scree_is_line(help) || fail_entry(c, "it needs a help text of one line");
}

static bool check_scope(const checker *c, uint32_t scope)
{
    return (scope >= SCREE_SCOPE_CONTACT && scope <= SCREE_SCOPE_GLOBAL) ||
           fail_unknown(c, "unknown scope %u; this host knows %u to %u", scope, SCREE_SCOPE_CONTACT,
                        SCREE_SCOPE_GLOBAL);
}

static bool check_unit(const checker *c, const char *unit)
{
    g_autoptr(GError) inner = NULL;
    scree_unit parsed;
    return scree_unit_parse(unit, &parsed, &inner) || fail_entry(c, "%s", inner->message);
}

static bool has_default(const scree_param *p)
{
    return !(p->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL));
}

static bool check_codes(const checker *c, const scree_param *p)
{
    const uint32_t unknown = p->flags & ~KNOWN_FLAGS;
    if (p->type < SCREE_TYPE_BOOL || p->type >= G_N_ELEMENTS(types))
        return fail_unknown(c, "unknown type %u; this host knows %u to %zu", p->type,
                            SCREE_TYPE_BOOL, G_N_ELEMENTS(types) - 1);
    const type_facts *type = &types[p->type];
    if (unknown)
        return fail_unknown(c, "unknown flag 0x%x; this host knows 0x%x", unknown, KNOWN_FLAGS);
    if (p->mixing > SCREE_MIX_MAX)
        return fail_unknown(c, "unknown mixing rule %u; this host knows 0 to %u", p->mixing,
                            SCREE_MIX_MAX);
    if (!check_reserved(c, p->reserved))
        return false;
    if (type->no_default && has_default(p))
        return fail_entry(
            c, "its type has no default; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL");
    if ((p->flags & SCREE_PARAM_REQUIRED) && (p->flags & SCREE_PARAM_OPTIONAL))
        return fail_entry(c, "SCREE_PARAM_REQUIRED and SCREE_PARAM_OPTIONAL exclude each other");
    if ((p->flags & SCREE_PARAM_OPTIONAL) && !type->may_miss)
        return fail_entry(c, "SCREE_PARAM_OPTIONAL has no meaning for its type");
    if ((p->flags & (SCREE_PARAM_MIN_OPEN | SCREE_PARAM_MAX_OPEN)) && !type->is_real)
        return fail_entry(c, "SCREE_PARAM_MIN_OPEN and SCREE_PARAM_MAX_OPEN are for reals");
    if ((p->flags & NAMING_FLAGS) && p->type != SCREE_TYPE_STRING &&
        p->type != SCREE_TYPE_STRING_ARRAY)
        return fail_entry(c, "SCREE_PARAM_GROUP, SCREE_PARAM_KINEMATIC_GROUP and SCREE_PARAM_FIELD "
                             "are for strings");
    if ((p->flags & SCREE_PARAM_FIELD) &&
        ((c->plugin->kind != SCREE_KIND_OBSERVER && c->plugin->kind != SCREE_KIND_MODIFIER) ||
         (p->flags & NAMING_FLAGS) != SCREE_PARAM_FIELD || has_default(p)))
        return fail_entry(c, "SCREE_PARAM_FIELD is for observers and modifiers, for a string or "
                             "strings, required or optional, that name no group");
    if ((p->flags & SCREE_PARAM_FILE) &&
        (p->type != SCREE_TYPE_STRING || p->flags & NAMING_FLAGS || has_default(p)))
        return fail_entry(c, "SCREE_PARAM_FILE is for a string, required or optional, that names "
                             "neither a group nor a field");
    if ((p->flags & SCREE_PARAM_INLINE) &&
        (p->type != SCREE_TYPE_RECIPE ||
         !(p->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL))))
        return fail_entry(c, "SCREE_PARAM_INLINE is for a recipe, required or optional");
    if (p->mixing != SCREE_MIX_NONE && p->type != SCREE_TYPE_PER_PAIR)
        return fail_entry(c, "a mixing rule is for SCREE_TYPE_PER_PAIR");
    if (p->length > 0 && !type->is_array)
        return fail_entry(c, "a length is for arrays and rows");
    return p->length <= SCREE_MAX_CONFIG_BYTES ||
           fail_entry(c, "its length %u is beyond %u", p->length, SCREE_MAX_CONFIG_BYTES);
}

static bool check_real(const checker *c, const scree_param *p)
{
    const double value = p->real_default;
    const bool min_open = p->flags & SCREE_PARAM_MIN_OPEN,
               max_open = p->flags & SCREE_PARAM_MAX_OPEN;
    /* The negation makes a NaN fail. With both ends open two values must be between them. */
    const double least = min_open ? nextafter(p->real_min, HUGE_VAL) : p->real_min;
    const double most = max_open ? nextafter(p->real_max, -HUGE_VAL) : p->real_max;
    if (!(p->real_min < p->real_max) || !(least < most))
        return fail_entry(
            c, "its range %s%.17g, %.17g%s leaves no choice; expected real_min < real_max",
            min_open ? "(" : "[", p->real_min, p->real_max, max_open ? ")" : "]");
    if (!has_default(p) || (types[p->type].is_array && p->length == 0))
        return true;
    const bool above = min_open ? value > p->real_min : value >= p->real_min;
    const bool below = max_open ? value < p->real_max : value <= p->real_max;
    return (above && below) || fail_entry(c, "its default %g lies outside its range %g to %g",
                                          value, p->real_min, p->real_max);
}

static bool check_int(const checker *c, const scree_param *p)
{
    if (p->int_min >= p->int_max)
        return fail_entry(c,
                          "its range [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          "] leaves no choice; expected int_min < int_max",
                          p->int_min, p->int_max);
    if (!has_default(p) || (types[p->type].is_array && p->length == 0) ||
        (p->int_default >= p->int_min && p->int_default <= p->int_max))
        return true;
    return fail_entry(c,
                      "its default %" G_GINT64_FORMAT " lies outside its range %" G_GINT64_FORMAT
                      " to %" G_GINT64_FORMAT,
                      p->int_default, p->int_min, p->int_max);
}

static bool check_choices(const checker *c, const scree_param *p)
{
    bool found = !has_default(p);
    if (p->n_choices == 0 || p->n_choices > SCREE_MAX_ENTRIES || !p->choices)
        return fail_entry(c, "it has no choices");
    for (uint32_t k = 0; k < p->n_choices; k++) {
        const scree_choice *choice = p->choices[k];
        g_autoptr(GError) inner = NULL;
        if (!scree_check_struct(choice, &known_choice, &inner))
            return fail_as(c, (scree_exit)inner->code, "choice %u: %s", k, inner->message);
        if (!scree_is_line(choice->name) || strpbrk(choice->name, " \"") ||
            !scree_is_line(choice->help))
            return fail_entry(c, "choice %u needs a name (one word) and a help text (one line)", k);
        for (uint32_t j = 0; j < k; j++)
            if (strcmp(p->choices[j]->name, choice->name) == 0)
                return fail_entry(c, "the choice %s is there twice", choice->name);
        found = found || (p->string_default && strcmp(p->string_default, choice->name) == 0);
    }
    return found || fail_entry(c, "its default %s is not among its choices",
                               p->string_default ? p->string_default : "(none)");
}

static bool check_value(const checker *c, const scree_param *p)
{
    if (types[p->type].is_real)
        return check_real(c, p);
    if (types[p->type].is_int)
        return check_int(c, p);
    if (p->type == SCREE_TYPE_CHOICE)
        return check_choices(c, p);
    if (p->type == SCREE_TYPE_BOOL && has_default(p) && p->int_default != 0 && p->int_default != 1)
        return fail_entry(c, "its default is neither 0 nor 1");
    if (p->type == SCREE_TYPE_STRING && has_default(p) && !p->string_default)
        return fail_entry(
            c, "it has no default; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL");
    if (p->type != SCREE_TYPE_PLUGIN)
        return true;
    if (!scree_kind_name(p->kind))
        return fail_unknown(c, "unknown kind %u", p->kind);
    if (p->kind != SCREE_KIND_GCD && p->kind != SCREE_KIND_SOURCE && p->kind != SCREE_KIND_SHAPE &&
        p->kind != SCREE_KIND_RESOLVER && p->kind != SCREE_DRAFT_KIND_DOMAIN)
        return fail_unknown(
            c, "expected a nested plugin of kind gcd, source, shape, resolver or domain, got %s",
            scree_kind_name(p->kind));
    return !has_default(p) || scree_is_identifier(p->string_default) ||
           fail_entry(
               c,
               "it has no default plugin; then it is SCREE_PARAM_REQUIRED or SCREE_PARAM_OPTIONAL");
}

/** The member is inside the config struct, aligned, and overlaps no member of an earlier
 * parameter. */
static bool check_offset(const checker *c, const scree_param *p)
{
    const scree_plugin *plugin = c->plugin;
    const size_t size = types[p->type].size, alignment = types[p->type].alignment;
    if (p->offset > plugin->config_size || plugin->config_size - p->offset < size)
        return fail_entry(c,
                          "offset %" G_GUINT64_FORMAT " + %zu bytes lies outside the config struct "
                          "of %" G_GUINT64_FORMAT,
                          p->offset, size, plugin->config_size);
    if (p->offset % alignment != 0)
        return fail_entry(c, "expected an offset that is a multiple of %zu, got %" G_GUINT64_FORMAT,
                          alignment, p->offset);
    for (uint32_t k = 0; k < c->number; k++) {
        const scree_param *other = plugin->params[k];
        if (p->offset < other->offset + types[other->type].size && other->offset < p->offset + size)
            return fail_entry(c, "it overlaps the parameter %s in the config struct", other->name);
    }
    return true;
}

/** A recipe in the plugin's group has no key with the name of another parameter. */
static bool check_inline(const checker *c, const scree_param *p)
{
    static const char *const keys[] = {"shape",    "material",        "radius",      "diameter",
                                       "scale",    "distribution",    "orientation", "motion",
                                       "velocity", "velocity_random", "spin",        NULL};
    for (uint32_t k = 0; k < c->number; k++) {
        const scree_param *other = c->plugin->params[k];
        const bool both = p->flags & other->flags & SCREE_PARAM_INLINE;
        const scree_param *recipe = p->flags & SCREE_PARAM_INLINE ? p : other;
        const scree_param *named = recipe == p ? other : p;
        if (both)
            return fail_entry(c, "%s is a recipe in the plugin's group already", other->name);
        if ((recipe->flags & SCREE_PARAM_INLINE) && g_strv_contains(keys, named->name))
            return fail_entry(c, "%s is a key of the recipe %s, which is in the plugin's group",
                              named->name, recipe->name);
    }
    return true;
}

static bool check_param(checker *c, const scree_param *p)
{
    if (!check_struct(c, p, &known_param) || !check_name(c, p->name))
        return false;
    if (strcmp(p->name, "plugin") == 0)
        return fail_entry(c, "this name is the host's");
    for (uint32_t k = 0; k < c->number; k++)
        if (strcmp(c->plugin->params[k]->name, p->name) == 0)
            return fail_entry(c, "two parameters have this name");
    return check_help(c, p->help) && check_codes(c, p) && check_unit(c, p->unit) &&
           check_value(c, p) && check_offset(c, p) && check_inline(c, p);
}

/** "body, global": the scopes of a mask. New string. */
static char *name_scopes(uint32_t mask)
{
    GString *text = g_string_new(NULL);
    for (uint32_t scope = SCREE_SCOPE_CONTACT; scope <= SCREE_SCOPE_GLOBAL; scope++)
        if (mask >> scope & 1u)
            g_string_append_printf(text, "%s%s", text->len ? ", " : "", scree_scope_name(scope));
    return g_string_free(text, FALSE);
}

/** Whether plugins of this kind may have such a field (params.h). */
static bool check_kind(const checker *c, const scree_field *f)
{
    const scree_kind *kind = &scree_kinds[c->plugin->kind];
    g_autofree char *scopes = name_scopes(kind->fields);
    if (!kind->fields)
        return fail_entry(c, "expected no fields of a plugin of kind %s", kind->name);
    if (!(kind->fields >> f->scope & 1u))
        return fail_entry(c, "of a %s expected scope %s, got %s", kind->name, scopes,
                          scree_scope_name(f->scope));
    return true;
}

/** Checks the flags that say how a field is reduced over ranks. */
static bool check_ranks(const checker *c, const scree_field *f)
{
    const uint32_t known = SCREE_FIELD_SUM | SCREE_FIELD_SAME;
    if (f->flags & ~known)
        return fail_unknown(c, "unknown flag 0x%x; this host knows 0x%x", f->flags & ~known, known);
    if (f->flags && f->scope != SCREE_SCOPE_GLOBAL)
        return fail_entry(
            c, "SCREE_FIELD_SUM and SCREE_FIELD_SAME are for fields of scope SCREE_SCOPE_GLOBAL");
    if (f->flags == known)
        return fail_entry(c, "SCREE_FIELD_SUM and SCREE_FIELD_SAME exclude each other");
    if (!f->flags && f->scope == SCREE_SCOPE_GLOBAL && c->plugin->flags & SCREE_CAP_RANKS)
        return fail_entry(c, "a global field of a plugin with SCREE_CAP_RANKS: expected "
                             "SCREE_FIELD_SUM or SCREE_FIELD_SAME, got neither");
    return true;
}

static bool check_field(checker *c, const scree_field *f)
{
    if (!check_struct(c, f, &known_field) || !check_name(c, f->name))
        return false;
    for (uint32_t k = 0; k < c->number; k++)
        if (c->plugin->fields[k]->scope == f->scope &&
            strcmp(c->plugin->fields[k]->name, f->name) == 0)
            return fail_entry(c, "two fields of one scope have this name");
    if (!check_scope(c, f->scope))
        return false;
    if (f->components == 0 || f->components > SCREE_MAX_COMPONENTS)
        return fail_entry(c, "%u components; allowed: 1 to %d", f->components,
                          SCREE_MAX_COMPONENTS);
    if (f->if_missing > SCREE_MISSING_FAIL)
        return fail_unknown(c, "unknown policy %u for a missing value; this host knows 0 to %u",
                            f->if_missing, SCREE_MISSING_FAIL);
    if (f->on_return > SCREE_RETURN_RESTORE)
        return fail_unknown(c, "unknown policy %u for its return; this host knows 0 to %u",
                            f->on_return, SCREE_RETURN_RESTORE);
    if (!isfinite(f->initial))
        return fail_entry(c, "its initial value is not finite");
    return check_reserved(c, f->reserved) && check_help(c, f->help) && check_unit(c, f->unit) &&
           check_kind(c, f) && check_ranks(c, f);
}

/** Whether plugins of this kind may use a field so (params.h). */
static bool check_access(const checker *c, const scree_use *u)
{
    const scree_kind *kind = &scree_kinds[c->plugin->kind];
    g_autofree char *reads = name_scopes(kind->reads), *adds = name_scopes(kind->adds);
    if (!kind->reads)
        return fail_entry(c, "expected no uses of a %s", kind->name);
    const bool read = !(u->access & SCREE_USE_READ) || kind->reads >> u->scope & 1u;
    const bool add = !(u->access & SCREE_USE_ADD) || kind->adds >> u->scope & 1u;
    return (read && add) || fail_entry(c, "of a %s expected uses of scope %s to read, %s to add",
                                       kind->name, reads, *adds ? adds : "none");
}

static bool check_use(checker *c, const scree_use *u)
{
    const uint32_t access = SCREE_USE_READ | SCREE_USE_ADD;
    if (!check_struct(c, u, &known_use) || !check_name(c, u->name))
        return false;
    for (uint32_t k = 0; k < c->number; k++)
        if (c->plugin->uses[k]->scope == u->scope && !strcmp(c->plugin->uses[k]->name, u->name))
            return fail_entry(c, "two uses of one scope have this name");
    if (!check_scope(c, u->scope))
        return false;
    if (u->components > SCREE_MAX_COMPONENTS)
        return fail_entry(c, "%u components; allowed: 0 (any) to %d", u->components,
                          SCREE_MAX_COMPONENTS);
    if (u->components == 0 && c->plugin->kind == SCREE_KIND_FORCE)
        return fail_entry(c, "a law says how many components the field has: 1 to %d",
                          SCREE_MAX_COMPONENTS);
    if (u->access & ~access)
        return fail_unknown(c, "unknown access 0x%x; this host knows 0x%x", u->access & ~access,
                            access);
    if (!u->access)
        return fail_entry(c, "access 0; expected SCREE_USE_READ, SCREE_USE_ADD or both");
    if (u->flags & ~SCREE_USE_OPTIONAL)
        return fail_unknown(c, "unknown flag 0x%x; this host knows 0x%x",
                            u->flags & ~SCREE_USE_OPTIONAL, SCREE_USE_OPTIONAL);
    return check_reserved(c, u->reserved) && check_help(c, u->help) && check_unit(c, u->unit) &&
           check_access(c, u);
}

bool scree_schema_check(const scree_plugin *plugin, GError **error)
{
    checker c = {.plugin = plugin, .what = "schema", .name = "as a whole", .error = error};
    if (plugin->config_size > SCREE_MAX_CONFIG_BYTES)
        return fail_entry(&c, "a config struct of %" G_GUINT64_FORMAT " bytes; at most %u",
                          plugin->config_size, SCREE_MAX_CONFIG_BYTES);
    if (plugin->n_params > SCREE_MAX_ENTRIES || plugin->n_fields > SCREE_MAX_ENTRIES ||
        plugin->n_uses > SCREE_MAX_ENTRIES)
        return fail_entry(&c, "%u parameters, %u fields and %u uses; at most %d of each",
                          plugin->n_params, plugin->n_fields, plugin->n_uses, SCREE_MAX_ENTRIES);
    if ((plugin->n_params > 0 && !plugin->params) || (plugin->n_fields > 0 && !plugin->fields) ||
        (plugin->n_uses > 0 && !plugin->uses))
        return fail_entry(&c, "it counts parameters, fields or uses and has no list of them");
    c.what = "parameter";
    for (c.number = 0; c.number < plugin->n_params; c.number++)
        if (!check_param(&c, plugin->params[c.number]))
            return false;
    c.what = "field";
    for (c.number = 0; c.number < plugin->n_fields; c.number++)
        if (!check_field(&c, plugin->fields[c.number]))
            return false;
    c.what = "use";
    for (c.number = 0; c.number < plugin->n_uses; c.number++)
        if (!check_use(&c, plugin->uses[c.number]))
            return false;
    return true;
}
