/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars of observers (scree.scalars/1), by name. */
#include "plugin/scalars.h"

#include <math.h>
#include <string.h>

#include "config/units.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/struct_size.h"

/* Guard values before and behind the values of read(): they show a write outside. */
enum { FENCE = 4 };

const scree_scalar *scree_scalars_ask_one(scree_instance *instance, uint32_t k, GError **error)
{
    scree_call call = scree_call_begin(instance, SCREE_CALL_LANE, "scalar");
    const scree_scalar *one = instance->scalars->scalar(instance->self, k);
    return scree_call_end(&call, SCREE_OK, SCREE_OK, error) >= 0 ? one : NULL;
}

/** Whether a name has only letters, digits, _ - *, as names of groups do, and dots between them. */
static bool is_scalar_name(const char *name)
{
    size_t n = 0;
    bool good = name && *name && *name != '.';
    for (; good && name[n]; n++)
        good = n < SCREE_MAX_SCALAR_NAME && (g_ascii_isalnum(name[n]) || strchr("_-*", name[n]) ||
                                             (name[n] == '.' && name[n + 1] && name[n + 1] != '.'));
    return good;
}

static bool blame_scalar(const scree_instance *instance, uint32_t k, const char *what,
                         const char *text, GError **error)
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
    if (!is_scalar_name(one->name))
        return blame_scalar(instance, k, "expected a name of letters, digits, _ - * and dots, got",
                            one->name, error);
    if (one->flags & ~SCREE_SCALAR_RATE)
        return blame_scalar(instance, k, "unknown flag of", one->name, error);
    if (one->unit && !scree_unit_parse(one->unit, &unit, NULL))
        return blame_scalar(instance, k, "expected an SI unit, got", one->unit, error);
    return !g_hash_table_contains(names, one->name) ||
           blame_scalar(instance, k, "there is another one named", one->name, error);
}

/** Keeps the first answer: later answers change no condition. */
static void keep_one(scree_instance *instance, const scree_scalar *one, GHashTable *names)
{
    const uint32_t n = instance->n_scalars++;
    instance->kept_scalars = g_renew(scree_scalar, instance->kept_scalars, instance->n_scalars);
    instance->kept_scalars[n] = (scree_scalar){.size = sizeof *one,
                                               .flags = one->flags,
                                               .name = g_strdup(one->name),
                                               .unit = g_strdup(one->unit)};
    g_hash_table_add(names, (char *)instance->kept_scalars[n].name);
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
    for (uint32_t k = 0; (one = scree_scalars_ask_one(instance, k, &failed)); k++) {
        if (k == SCREE_MAX_SCALARS)
            return scree_call_blame(instance, "scalar", SCREE_EXIT_PLUGIN, error,
                                    "it gives more than %d scalars (SCREE_MAX_SCALARS)",
                                    SCREE_MAX_SCALARS);
        if (!check_one(instance, k, one, names, error))
            return false;
        keep_one(instance, one, names);
    }
    if (failed)
        g_propagate_error(error, failed);
    return !failed;
}

scree_instance *scree_observer_new(scree_runtime *runtime, const scree_choice_of *choice,
                                   scree_slot slot, GError **error)
{
    scree_instance *instance = scree_instance_at(runtime, choice, slot, error);
    if (instance && !scree_scalars_ask(instance, error))
        g_clear_pointer(&instance, scree_instance_free);
    return instance;
}

const scree_scalar *scree_scalars_find(const scree_instance *instance, const char *name,
                                       uint32_t *k)
{
    for (*k = 0; *k < instance->n_scalars; ++*k)
        if (!strcmp(instance->kept_scalars[*k].name, name))
            return &instance->kept_scalars[*k];
    return NULL;
}

char *scree_scalars_names(const scree_instance *instance)
{
    GString *all = g_string_new(NULL);
    for (uint32_t k = 0; k < instance->n_scalars; k++)
        g_string_append_printf(all, "%s%s", k ? ", " : "", instance->kept_scalars[k].name);
    return g_string_free(all, FALSE);
}

/* A NaN with bits that no arithmetic gives. */
static const uint64_t unwritten = 0x7ff8a5a5c3c35a5aull;

static bool is_unwritten(const double *value)
{
    return memcmp(value, &unwritten, sizeof unwritten) == 0;
}

double *scree_scalars_room(const scree_instance *instance)
{
    return g_new(double, instance->n_scalars + 2 * FENCE) + FENCE;
}

void scree_scalars_free(double *value)
{
    if (value)
        g_free(value - FENCE);
}

void scree_scalars_clear(const scree_instance *instance, double *value)
{
    for (uint32_t k = 0; k < instance->n_scalars + 2 * FENCE; k++)
        memcpy(value - FENCE + k, &unwritten, sizeof unwritten);
}

static bool check_fences(const scree_instance *instance, const double *value, GError **error)
{
    const double *behind = value + instance->n_scalars;
    for (int k = 0; k < FENCE; k++)
        if (!is_unwritten(value - FENCE + k) || !is_unwritten(behind + k))
            return scree_call_blame(
                instance, "read", SCREE_EXIT_PLUGIN, error, "it wrote %s its %u values",
                is_unwritten(behind + k) ? "before" : "behind", instance->n_scalars);
    return true;
}

bool scree_scalars_check(const scree_instance *instance, const double *value, GError **error)
{
    for (uint32_t k = 0; k < instance->n_scalars; k++)
        if (isinf(value[k]) || is_unwritten(&value[k]))
            return scree_call_blame(instance, "read", SCREE_EXIT_PLUGIN, error, "scalar %s %s",
                                    instance->kept_scalars[k].name,
                                    isinf(value[k]) ? "is infinite" : "was not written");
    return check_fences(instance, value, error);
}
