/* SPDX-License-Identifier: MIT */
/* Inline helpers for authors of any plugin: the manifest, descriptors of parameters and fields,
 * errors with numbers. Only for convenience, never part of the ABI. */
#ifndef SCREE_PLUGIN_SDK_H
#define SCREE_PLUGIN_SDK_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "scree.h"

/** An ELF note with major and digest. The host reads it without running code of the file, and so
 * refuses a file that was built with other headers. */
#if defined(__GNUC__)
#define SCREE_NOTE_                                                                                \
    static const struct {                                                                          \
        uint32_t name_size, data_size, type;                                                       \
        char name[8];                                                                              \
        uint32_t major;                                                                            \
        char digest[68];                                                                           \
    } scree_note_ __attribute__((section(".note.scree"), used, aligned(4))) = {                    \
        sizeof SCREE_NOTE_NAME, 72, SCREE_NOTE_TYPE, SCREE_NOTE_NAME, SCREE_ABI_MAJOR,             \
        SCREE_ABI_DIGEST};
#else
#define SCREE_NOTE_
#endif

/** Defines the exported symbol of a file that offers the listed descriptors (addresses of `static
 * const scree_plugin` objects), and the ELF note of the file. Write a semicolon after it. */
#define SCREE_DEFINE_MANIFEST(...)                                                                 \
    SCREE_NOTE_                                                                                    \
    static const scree_plugin *const scree_plugin_list_[] = {__VA_ARGS__};                         \
    const scree_manifest scree_plugin_v0 = {                                                       \
        sizeof(scree_manifest),                                                                    \
        SCREE_ABI_MAJOR,                                                                           \
        (uint32_t)(sizeof scree_plugin_list_ / sizeof scree_plugin_list_[0]),                      \
        0,                                                                                         \
        scree_plugin_list_,                                                                        \
        SCREE_ABI_DIGEST,                                                                          \
    }

/** Number of elements of an array. */
#define SCREE_COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/*
 * Descriptors of parameters. Each macro takes a struct `config_type` that has a member `id`, and
 * defines `param_ID`, the parameter of that name. SCREE_CHOICE_VALUE defines `choice_ID`. Write a
 * semicolon after each macro.
 *
 *     SCREE_REAL_PARAM(config, kn, "N/m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "stiffness");
 *     SCREE_CHOICE_VALUE(none, NONE, "no dashpot");
 *     SCREE_CHOICE_VALUE(mass, MASS, "by the effective mass");
 *     SCREE_CHOICE_PARAM(config, damping, 0, "mass", "what damps", &choice_none, &choice_mass);
 *     SCREE_FILE_PARAM(config, table, SCREE_PARAM_OPTIONAL, "a table of times and forces");
 *     static const scree_param *const params[] = {&param_kn, &param_damping, &param_table};
 *
 * Two plugins in one file may have parameters, choices, fields or uses with the same name. Then
 * define SCREE_NAME_PREFIX before the macros of each plugin: the macros put it before each name
 * that they define.
 *
 *     #undef SCREE_NAME_PREFIX
 *     #define SCREE_NAME_PREFIX soft_
 *     SCREE_REAL_PARAM(soft_config, kn, "N/m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "stiffness");
 *     static const scree_param *const soft_params[] = {&soft_param_kn};
 */
#ifndef SCREE_NAME_PREFIX
#define SCREE_NAME_PREFIX
#endif
#define SCREE_JOIN__(a, b) a##b
#define SCREE_JOIN_(a, b) SCREE_JOIN__(a, b)
/** The name with the prefix of the plugin: SCREE_OWN(param_kn). */
#define SCREE_OWN(name) SCREE_JOIN_(SCREE_NAME_PREFIX, name)

/** true or false; the member is an int32_t. */
#define SCREE_BOOL_PARAM(config_type, id, flags, def, help)                                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_BOOL, flags, 0, NULL, help, 0, 0, 0, def, 0, 1, NULL, \
                 NULL, 0, 0, 0)

/** An integer in [min, max]; the member is an int64_t. */
#define SCREE_INT_PARAM(config_type, id, flags, def, min, max, help)                               \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_INT, flags, 0, NULL, help, 0, 0, 0, def, min, max,    \
                 NULL, NULL, 0, 0, 0)

/** A number in [min, max], in the given unit; the member is a double. */
#define SCREE_REAL_PARAM(config_type, id, unit, flags, def, min, max, help)                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_REAL, flags, 0, unit, help, def, min, max, 0, 0, 0,   \
                 NULL, NULL, 0, 0, 0)

/** A number in [0, max] per pair of materials, mixed by SCREE_MIX_`mixing`; the member is a
 * scree_reals. */
#define SCREE_PAIR_PARAM(config_type, id, unit, flags, def, max, mixing, help)                     \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PER_PAIR, flags, SCREE_MIX_##mixing, unit, help, def, \
                 0, max, 0, 0, 0, NULL, NULL, 0, 0, 0)

/** A number in [min, max] per material; the member is a scree_reals. */
#define SCREE_MATERIAL_PARAM(config_type, id, unit, flags, def, min, max, help)                    \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PER_MATERIAL, flags, 0, unit, help, def, min, max, 0, \
                 0, 0, NULL, NULL, 0, 0, 0)

/** Defines a value of a choice, with the name `id` in a scene. */
#define SCREE_CHOICE_VALUE(id, value, help)                                                        \
    static const scree_choice SCREE_OWN(choice_##id) = {sizeof(scree_choice), value, #id, help}

/** The name of one of the choices, which are the last arguments; the member is an int32_t with its
 * value. */
#define SCREE_CHOICE_PARAM(config_type, id, flags, def, help, ...)                                 \
    static const scree_choice *const SCREE_OWN(choices_##id)[] = {__VA_ARGS__};                    \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_CHOICE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, def,  \
                 SCREE_OWN(choices_##id), SCREE_COUNT(SCREE_OWN(choices_##id)), 0, 0)

/** A part of space; the member is a const scree_zone *. */
#define SCREE_ZONE_PARAM(config_type, id, flags, help)                                             \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_ZONE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, NULL,   \
                 NULL, 0, 0, 0)

/** A recipe for bodies; the member is a const scree_recipe *. */
#define SCREE_RECIPE_PARAM(config_type, id, flags, help)                                           \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_RECIPE, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, NULL, \
                 NULL, 0, 0, 0)

/** Names of materials; the member is a scree_ints of their indices. */
#define SCREE_MATERIALS_PARAM(config_type, id, flags, help)                                        \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_MATERIALS, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0,    \
                 NULL, NULL, 0, 0, 0)

/** A text; the member is a const char *. */
#define SCREE_STRING_PARAM(config_type, id, flags, def, help)                                      \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_STRING, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, def,  \
                 NULL, 0, 0, 0)

/** A file to read; the member is a const char *, a path to open. */
#define SCREE_FILE_PARAM(config_type, id, flags, help)                                             \
    SCREE_STRING_PARAM(config_type, id, (flags) | SCREE_PARAM_FILE, NULL, help)

/** A list of `length` texts (0: any count); the member is a scree_strings. */
#define SCREE_STRINGS_PARAM(config_type, id, length, flags, help)                                  \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_STRING_ARRAY, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, \
                 NULL, NULL, 0, length, 0)

/** A list of `length` numbers (0: any count) in [min, max], in the given unit; the member is a
 * scree_reals. `def` is the default of each number. */
#define SCREE_REALS_PARAM(config_type, id, length, unit, flags, def, min, max, help)               \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_REAL_ARRAY, flags, 0, unit, help, def, min, max, 0,   \
                 0, 0, NULL, NULL, 0, length, 0)

/** A list of `length` integers (0: any count) in [min, max]; the member is a scree_ints. `def` is
 * the default of each integer. */
#define SCREE_INTS_PARAM(config_type, id, length, flags, def, min, max, help)                      \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_INT_ARRAY, flags, 0, NULL, help, 0, 0, 0, def, min,   \
                 max, NULL, NULL, 0, length, 0)

/** A list of rows, each of `length` numbers (0: any count); the member is a const scree_real_rows *
 * or a const scree_int_rows *. */
#define SCREE_REAL_ROWS_PARAM(config_type, id, length, unit, flags, min, max, help)                \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_REAL_ROWS, flags, 0, unit, help, 0, min, max, 0, 0,   \
                 0, NULL, NULL, 0, length, 0)
#define SCREE_INT_ROWS_PARAM(config_type, id, length, flags, min, max, help)                       \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_INT_ROWS, flags, 0, NULL, help, 0, 0, 0, 0, min, max, \
                 NULL, NULL, 0, length, 0)

/** A plugin of SCREE_KIND_`of`, GCD, SOURCE, SHAPE or RESOLVER, that the instance owns, by default the one with the
 * id `def`; the member is a const scree_plugin_ref *. */
#define SCREE_PLUGIN_PARAM(config_type, id, of, flags, def, help)                                  \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PLUGIN, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0, def,  \
                 NULL, 0, 0, SCREE_KIND_##of)

/** The keys unit, scale, rotate and move, which place coordinates (params.h); the member is a const
 * scree_placing *. */
#define SCREE_PLACING_PARAM(config_type, id, flags, help)                                          \
    SCREE_PARAM_(config_type, id, SCREE_TYPE_PLACING, flags, 0, NULL, help, 0, 0, 0, 0, 0, 0,      \
                 NULL, NULL, 0, 0, 0)

/** A row of a table of scree_scalar. */
#define SCREE_SCALAR(name, unit, flags)                                                            \
    {                                                                                              \
        sizeof(scree_scalar), flags, name, unit                                                    \
    }

/* The common form of the macros: the members of scree_param in their order. */
#define SCREE_PARAM_(config_type, id, type, flags, mixing, unit, help, real, real_min, real_max,   \
                     integer, int_min, int_max, string, choices, n_choices, length, kind)          \
    static const scree_param SCREE_OWN(param_##id) = {sizeof(scree_param),                         \
                                                      type,                                        \
                                                      flags,                                       \
                                                      mixing,                                      \
                                                      offsetof(config_type, id),                   \
                                                      #id,                                         \
                                                      unit,                                        \
                                                      help,                                        \
                                                      real,                                        \
                                                      real_min,                                    \
                                                      real_max,                                    \
                                                      integer,                                     \
                                                      int_min,                                     \
                                                      int_max,                                     \
                                                      string,                                      \
                                                      choices,                                     \
                                                      n_choices,                                   \
                                                      length,                                      \
                                                      kind,                                        \
                                                      0}

#define SCREE_FIELD_OF(id, scope, components, revision, on_return, flags, unit, initial, help)     \
    static const scree_field SCREE_OWN(field_##id) = {sizeof(scree_field),                         \
                                                      SCREE_SCOPE_##scope,                         \
                                                      components,                                  \
                                                      revision,                                    \
                                                      SCREE_MISSING_DEFAULT,                       \
                                                      on_return,                                   \
                                                      flags,                                       \
                                                      0,                                           \
                                                      #id,                                         \
                                                      unit,                                        \
                                                      help,                                        \
                                                      initial}
/** Defines `field_ID`, a field of scope CONTACT, PAIR, BODY or GLOBAL with `components` doubles per
 * value. Write a semicolon after it. A swap that takes the plugin out drops the field. */
#define SCREE_FIELD(id, scope, components, revision, unit, initial, help)                          \
    SCREE_FIELD_OF(id, scope, components, revision, SCREE_RETURN_RESTART, 0, unit, initial, help)
/** Defines `field_ID` as SCREE_FIELD does. The host keeps this field when a swap takes the plugin
 * out, until the plugin comes back. */
#define SCREE_FIELD_RESTORE(id, scope, components, revision, unit, initial, help)                  \
    SCREE_FIELD_OF(id, scope, components, revision, SCREE_RETURN_RESTORE, 0, unit, initial, help)

/** A GLOBAL field of a plugin with SCREE_CAP_RANKS: `over` is SUM or SAME. */
#define SCREE_GLOBAL_FIELD(id, components, revision, over, unit, initial, help)                    \
    SCREE_FIELD_OF(id, GLOBAL, components, revision, SCREE_RETURN_RESTART, SCREE_FIELD_##over,     \
                   unit, initial, help)

/** Defines `use_ID`, a field of another plugin with the name `id`:
 * SCREE_USE(temperature, BODY, 1, SCREE_USE_READ, "K", "of the body"). */
#define SCREE_USE(id, scope, components, access, unit, help)                                       \
    static const scree_use SCREE_OWN(use_##id) = {                                                 \
        sizeof(scree_use), SCREE_SCOPE_##scope, components, access, 0, 0, #id, unit, help}

/** host->fail with a format. Returns `code`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static int32_t
scree_failf(const scree_host *host, int32_t code, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return host->fail(host->ctx, code, text);
}

/** host->log with a format. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4), unused))
#endif
static void
scree_logf(const scree_host *host, int32_t level, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host->log(host->ctx, level, text);
}

/** [config] Returns the service "scree.files/1"; NULL, after host->fail, if this host does not have
 * it. */
static inline const scree_files *scree_files_of(const scree_host *host)
{
    const scree_files *files =
        (const scree_files *)host->get_service(host->ctx, SCREE_SERVICE_FILES);
    if (!files)
        host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host opens no files (scree.files/1)");
    return files;
}

#endif
