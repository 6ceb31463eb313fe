/* SPDX-License-Identifier: Apache-2.0 */
/* The default of a parameter, as a scene has it. */
#include "tools/describe/param_default.h"

#include <string.h>

#include "config/units.h"

bool scree_param_holds_reals(const scree_param *param)
{
    return param->type == SCREE_TYPE_REAL || param->type == SCREE_TYPE_REAL_ARRAY ||
           param->type == SCREE_TYPE_PER_MATERIAL || param->type == SCREE_TYPE_PER_PAIR ||
           param->type == SCREE_TYPE_REAL_ROWS || param->type == SCREE_KEY_VECTOR ||
           param->type == SCREE_KEY_SPIN;
}

bool scree_param_holds_ints(const scree_param *param)
{
    return param->type == SCREE_TYPE_INT || param->type == SCREE_TYPE_INT_ARRAY ||
           param->type == SCREE_TYPE_INT_ROWS || param->type == SCREE_KEY_COUNT;
}

bool scree_param_is_array(const scree_param *param)
{
    return param->type == SCREE_TYPE_INT_ARRAY || param->type == SCREE_TYPE_REAL_ARRAY ||
           param->type == SCREE_TYPE_STRING_ARRAY;
}

/** A key of the host that holds a node: its row describes the value in words. */
bool scree_param_is_node(const scree_param *param)
{
    return param->type == SCREE_KEY_NODE || param->type == SCREE_KEY_GROUP ||
           param->type == SCREE_KEY_LIST;
}

bool scree_param_has_default(const scree_param *param)
{
    return !scree_param_is_node(param) &&
           !(param->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL | SCREE_KEY_UNSET));
}

const char *scree_unit_shown(const char *unit)
{
    return unit && *unit && !g_str_equal(unit, "-") ? unit : NULL;
}

double scree_unit_factor(const char *text)
{
    scree_unit unit;
    return scree_unit_shown(text) && scree_unit_parse(text, &unit, NULL) ? unit.factor : 1.0;
}

char *scree_real_shown(double si, double factor)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(buffer, sizeof buffer, "%.15g", si / factor));
}

/** A real as a scene has it: with a point or an exponent. New string. */
static char *literal_real(const scree_param *param, double si, bool exact)
{
    const double factor = exact ? 1.0 : scree_unit_factor(param->unit);
    g_autofree char *number = scree_real_shown(si, factor);
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (factor != 1.0)
        return g_strdup_printf("\"%s %s\"", number, param->unit);
    if (exact && g_ascii_strtod(number, NULL) != si) {
        g_free(number);
        number = g_strdup(g_ascii_dtostr(digits, sizeof digits, si));
    }
    return strpbrk(number, ".en") ? g_steal_pointer(&number) : g_strconcat(number, ".0", NULL);
}

char *scree_param_default(const scree_param *param, bool exact, uint32_t dimension)
{
    if (!scree_param_has_default(param))
        return NULL;
    if (param->flags & SCREE_KEY_AUTO)
        return g_strdup("\"auto\"");
    if (param->type == SCREE_TYPE_BOOL)
        return g_strdup(param->int_default ? "true" : "false");
    if (param->type == SCREE_TYPE_STRING || param->n_choices || param->type == SCREE_TYPE_PLUGIN) {
        g_autofree char *escaped =
            g_strescape(param->string_default ? param->string_default : "", "\x80\xff");
        return g_strdup_printf(param->type == SCREE_TYPE_PLUGIN ? "{ plugin = \"%s\"; }" : "\"%s\"",
                               escaped);
    }
    const uint32_t n = param->type == SCREE_KEY_VECTOR          ? dimension
                       : param->type == SCREE_TYPE_STRING_ARRAY ? 0
                                                                : param->length;
    g_autofree char *one =
        scree_param_holds_ints(param)
            ? g_strdup_printf("%" G_GINT64_FORMAT "%s", param->int_default,
                              param->int_default == (gint32)param->int_default ? "" : "L")
            : literal_real(param, param->real_default, exact);
    if (!scree_param_is_array(param) && param->type != SCREE_KEY_VECTOR)
        return g_steal_pointer(&one);
    GString *list = g_string_new("(");
    for (uint32_t i = 0; i < n; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "", one);
    return g_string_free(g_string_append_c(list, ')'), FALSE);
}
