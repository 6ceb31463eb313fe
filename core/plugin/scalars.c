/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of observers (scree.scalars/1), by name. */
#include "plugin/scalars.h"

#include <math.h>
#include <string.h>

#include "config/units.h"
#include "plugin/call.h"
#include "plugin/loader.h"

/** Scalar number k, between begin and end of a call; NULL with no error: there are no more. */
static const scree_scalar *ask_one(scree_instance *instance, uint32_t k, GError **error)
{
    scree_call call = scree_call_begin(instance, SCREE_CALL_LANE, "scalar");
    const scree_scalar *one = instance->scalars->scalar(instance->self, k);
    return scree_call_end(&call, SCREE_OK, SCREE_OK, error) >= 0 ? one : NULL;
}

/** Letters, digits, _ - and *, as names of groups have; dots between them. */
static bool is_name(const char *name)
{
    size_t n = 0;
    bool good = name && *name && *name != '.';
    for (; good && name[n]; n++)
        good = n < SCREE_MAX_SCALAR_NAME && (g_ascii_isalnum(name[n]) || strchr("_-*", name[n]) ||
                                             (name[n] == '.' && name[n + 1] && name[n + 1] != '.'));
    return good;
}

static bool blame(const scree_instance *instance, uint32_t k, const char *what, const char *text,
                  GError **error)
{
    return scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, error,
                            "scalar number %u: %s \"%.*s\"", k, what, SCREE_MAX_SCALAR_NAME,
                            text ? text : "NULL");
}

static bool check_one(const scree_instance *instance, uint32_t k, const scree_scalar *one,
                      GHashTable *names, GError **error)
{
    scree_unit unit;
    if (one->size < SCREE_SIZE_TO(scree_scalar, unit))
        return scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, error,
                                "scalar number %u: expected a scree_scalar of at least %zu bytes, "
                                "got %u",
                                k, SCREE_SIZE_TO(scree_scalar, unit), one->size);
    if (!is_name(one->name))
        return blame(instance, k, "expected a name of letters, digits, _ - * and dots, got",
                     one->name, error);
    if (one->flags & ~SCREE_SCALAR_RATE)
        return blame(instance, k, "unknown flag of", one->name, error);
    if (one->unit && !scree_unit_parse(one->unit, &unit, NULL))
        return blame(instance, k, "expected an SI unit, got", one->unit, error);
    return g_hash_table_add(names, (char *)one->name) ||
           blame(instance, k, "there is another one named", one->name, error);
}

bool scree_scalars_ask(scree_instance *instance, GError **error)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    GError *failed = NULL;
    const scree_scalar *one;
    if (instance->plugin->kind == SCREE_KIND_OBSERVER)
        instance->scalars = scree_call_extension(instance->plugin, SCREE_EXTENSION_SCALARS);
    if (!instance->scalars)
        return true;
    for (uint32_t k = 0; (one = ask_one(instance, k, &failed)); k++) {
        if (k == SCREE_MAX_SCALARS)
            return scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, error,
                                    "it gives more than %d scalars (SCREE_MAX_SCALARS)",
                                    SCREE_MAX_SCALARS);
        if (!check_one(instance, k, one, names, error))
            return false;
        instance->n_scalars = k + 1;
    }
    if (failed)
        g_propagate_error(error, failed);
    return !failed;
}

const scree_scalar *scree_scalars_find(const scree_instance *instance, const char *name,
                                       uint32_t *k)
{
    for (*k = 0; *k < instance->n_scalars; ++*k) {
        const scree_scalar *one = ask_one((scree_instance *)instance, *k, NULL);
        if (one && !strcmp(one->name, name))
            return one;
    }
    return NULL;
}

char *scree_scalars_names(const scree_instance *instance)
{
    GString *all = g_string_new(NULL);
    for (uint32_t k = 0; k < instance->n_scalars; k++) {
        const scree_scalar *one = ask_one((scree_instance *)instance, k, NULL);
        g_string_append_printf(all, "%s%s", k ? ", " : "", one ? one->name : "?");
    }
    return g_string_free(all, FALSE);
}

/* A NaN whose bits no sum or quotient gives. */
static const uint64_t unwritten = 0x7ff8a5a5c3c35a5aull;

double scree_scalars_unwritten(void)
{
    double value;
    memcpy(&value, &unwritten, sizeof value);
    return value;
}

bool scree_scalars_check(const scree_instance *instance, const double *value, GError **error)
{
    for (uint32_t k = 0; k < instance->n_scalars; k++) {
        if (!isinf(value[k]) && memcmp(&value[k], &unwritten, sizeof unwritten))
            continue;
        const scree_scalar *one = ask_one((scree_instance *)instance, k, NULL);
        return scree_call_blame(instance, "read", SCREE_EXIT_PLUGIN, error, "scalar %s %s",
                                one ? one->name : "?",
                                isinf(value[k]) ? "is infinite" : "was not written");
    }
    return true;
}
