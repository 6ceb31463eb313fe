/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of the schedule, "kinetic < 1e-6 and time > 0.1 s": from text to terms. */
#include "scene/scene_condition.h"

#include <string.h>

#include "base/spelling.h"
#include "config/config_read.h"
#include "config/units.h"

static const struct {
    const char *name, *unit;
} quantities[SCREE_QUANTITIES] = {{"step", NULL},   {"time", "s"},      {"bodies", NULL},
                                  {"free", NULL},   {"contacts", NULL}, {"kinetic", "J"},
                                  {"gravity", "J"}, {"stored", "J"},    {"lost", "J"},
                                  {"work", "J"},    {"residual", "J"}};

static bool fail_condition(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool fail_condition(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autoptr(GString) all = g_string_new(NULL);
    for (int k = 0; k < SCREE_QUANTITIES; k++)
        g_string_append_printf(all, "%s%s", k ? ", " : "", quantities[k].name);
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "%s; a condition is a quantity (%s), one of < <= > >=, and a number, like "
                      "\"kinetic < 1e-6 and time > 0.1\"",
                      what, all->str);
}

static bool find_quantity(const char *name, uint32_t *quantity, GError **error)
{
    const char *names[SCREE_QUANTITIES + 1] = {NULL};
    for (uint32_t k = 0; k < SCREE_QUANTITIES; k++) {
        names[k] = quantities[k].name;
        if (strcmp(name, names[k]))
            continue;
        *quantity = k;
        return true;
    }
    g_autofree char *hint = scree_did_you_mean(name, names);
    return fail_condition(error, "expected a quantity, got \"%s\"%s", name, hint);
}

static bool read_term(const char *text, scree_term *term, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    const char *at = text + strspn(text, " ");
    size_t length = strcspn(at, " <>=");
    g_autofree char *name = g_strndup(at, length);
    if (!find_quantity(name, &term->quantity, error))
        return false;
    at += length;
    at += strspn(at, " ");
    if (*at != '<' && *at != '>')
        return fail_condition(error, "'%s': expected one of < <= > >= after %s", text, name);
    term->less = *at++ == '<';
    term->or_equal = *at == '=';
    g_autofree char *number = g_strstrip(g_strdup(at + term->or_equal));
    if (scree_quantity_parse(number, quantities[term->quantity].unit, &term->value, &wrong))
        return true;
    return fail_condition(error, "'%s': %s", text, wrong->message);
}

GArray *scree_condition_parse(const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, " and ", -1);
    g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(scree_term));
    for (char **part = parts; *part; part++) {
        scree_term term;
        if (!read_term(*part, &term, error))
            return NULL;
        g_array_append_val(terms, term);
    }
    if (terms->len)
        return g_steal_pointer(&terms);
    fail_condition(error, "it is empty");
    return NULL;
}
