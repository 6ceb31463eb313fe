/* SPDX-License-Identifier: Apache-2.0 */
/* Sets errors of the host. */
#include "base/error.h"

#include <stdarg.h>
#include <string.h>

bool scree_fail(GError **error, scree_exit status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, SCREE_ERROR, status, text);
    return false;
}

bool scree_fail_of(GError **error, scree_exit status, const char *name, const char *value,
                   const char *format, ...)
{
    enum { MOST_SHOWN = 200 };
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *shown = g_utf8_make_valid(value, (gssize)MIN(strlen(value), MOST_SHOWN));
    return scree_fail(error, status, "%s %s: %s", name, shown, text);
}
