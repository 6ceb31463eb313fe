/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `scree compare` that vary settings: "PATH=V1,V2,..", series of numbers, their
 * combinations. */
#include "tools/compare/compare_vary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST_VALUES = 1000 };

/* ---- a series of numbers ---- */

/** `A..B*F` or `A..B+D`. */
typedef struct series {
    double first, last, by;
    bool whole; /* all three are whole numbers */
    bool times;
} series;

static bool is_whole(const char *text)
{
    const bool has_sign = *text == '-' || *text == '+';
    const char *digits = has_sign ? text + 1 : text;
    return *digits && strlen(digits) <= 18 && strspn(digits, "0123456789") == strlen(digits);
}

/** Reads a series. False: `item` is not one, or (with an error) is invalid. */
static bool read_series(const char *item, series *out, GError **error)
{
    const char *dots = strstr(item, "..");
    char *end;
    g_autofree char *first = dots ? g_strndup(item, (size_t)(dots - item)) : NULL;
    if (!dots || !scree_parse_real(first, &out->first))
        return false;
    const char *last = dots + 2;
    out->last = g_ascii_strtod(last, &end);
    if (end == last || !strchr("*+", *end)) // '\0' is among them
        return false;
    g_autofree char *last_text = g_strndup(last, (size_t)(end - last));
    if (!*end)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", item,
                             "expected a series with its step, %s*FACTOR or %s+STEP", item, item);
    out->times = *end == '*';
    if (!scree_parse_real(last_text, &out->last) || !scree_parse_real(end + 1, &out->by))
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", item,
                             "expected a series A..B*F or A..B+D of numbers");
    out->whole = is_whole(first) && is_whole(last_text) && is_whole(end + 1);
    return true;
}

/** Whether a series goes from its first number to its last. */
static bool check_series(const char *item, const series *s, GError **error)
{
    double next = s->times ? s->first * s->by : s->first + s->by;
    bool up = s->last > s->first, down = s->last < s->first;
    if ((!up && !down) || (up && next > s->first) || (down && next < s->first))
        return !(s->times && s->by <= 0.0) ||
               scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", item, "expected a factor above 0");
    return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", item,
                         "expected a series that reaches %g, got %g, then %g", s->last, s->first,
                         next);
}

static void add_series_number(GPtrArray *values, const series *s, double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, s->whole ? "%.0f" : "%.15g", number);
    g_ptr_array_add(values, g_strdup(text));
}

static bool add_series(const char *item, const series *s, GPtrArray *values, GError **error)
{
    const double slack = s->whole ? 0.0 : 1e-9 * fabs(s->last), down = s->last < s->first ? -1 : 1;
    double number = s->first;
    if (!check_series(item, s, error))
        return false;
    for (guint k = 0; down * (number - s->last) <= slack; k++) {
        if (k == MOST_VALUES)
            return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", item,
                                 "expected at most %d values", MOST_VALUES);
        add_series_number(values, s, number);
        number = s->times ? number * s->by : s->first + (k + 1.0) * s->by;
        if (!(s->last > s->first || s->last < s->first))
            break;
    }
    return true;
}

/* ---- the values ---- */

/** The end of the value that starts here: a comma outside of brackets and quotes, or the end of the
 * text. NULL with an error. */
static const char *find_end(const char *at, const char *assignment, GError **error)
{
    GString *open = g_string_new(NULL);
    char quote = 0;
    const char *wrong = NULL;
    for (; *at && (quote || open->len || *at != ',') && !wrong; at++) {
        const char *bracket = strchr("([{)]}", *at);
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote || *at == '"')
            quote = *at != '"' ? quote : (char)(quote ? 0 : '"');
        else if (bracket && strchr("([{", *at))
            g_string_append_c(open, *at == '(' ? ')' : *at == '[' ? ']' : '}');
        else if (bracket && open->len && open->str[open->len - 1] == *at)
            g_string_truncate(open, open->len - 1);
        else if (bracket)
            wrong = "closes nothing";
    }
    if (wrong)
        scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", assignment, "'%c' %s", at[-1], wrong);
    else if (quote || open->len)
        scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", assignment, "'%c' is missing at the end",
                      quote ? '"' : open->str[open->len - 1]);
    bool whole = !wrong && !quote && !open->len;
    g_string_free(open, TRUE);
    return whole ? at : NULL;
}

static bool add_item(const char *assignment, const char *item, GPtrArray *values, GError **error)
{
    g_autoptr(GError) wrong = NULL;
    series s;
    if (!*item)
        return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", assignment, "value %u is empty",
                             values->len + 1);
    if (read_series(item, &s, &wrong))
        return add_series(item, &s, values, error);
    if (wrong) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return false;
    }
    g_ptr_array_add(values, g_strdup(item));
    return true;
}

static bool split_values(const char *assignment, const char *text, GPtrArray *values,
                         GError **error)
{
    for (;;) {
        const char *end = find_end(text, assignment, error);
        if (!end)
            return false;
        g_autofree char *item = g_strstrip(g_strndup(text, (size_t)(end - text)));
        if (!add_item(assignment, item, values, error))
            return false;
        if (values->len > MOST_VALUES)
            return scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", assignment,
                                 "expected at most %d values", MOST_VALUES);
        if (!*end)
            return true;
        text = end + 1;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    double x = g_ascii_strtod(*(char *const *)a, NULL), y = g_ascii_strtod(*(char *const *)b, NULL);
    return (x > y) - (x < y);
}

/** Sorts the values in ascending order when all are numbers. */
static void take_numbers(scree_axis *axis)
{
    double number;
    for (guint i = 0; i < axis->values->len; i++)
        if (!scree_parse_real(axis->values->pdata[i], &number))
            return;
    qsort(axis->values->pdata, axis->values->len, sizeof(gpointer), compare_numbers);
    axis->number = g_new(double, axis->values->len);
    for (guint i = 0; i < axis->values->len; i++)
        axis->number[i] = g_ascii_strtod(axis->values->pdata[i], NULL);
}

scree_axis *scree_axis_new(const char *path, GPtrArray *values, GError **error)
{
    g_autoptr(scree_axis) axis = g_new0(scree_axis, 1);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    axis->path = g_strdup(path);
    axis->values = values;
    for (guint i = 0; i < values->len; i++)
        if (!g_hash_table_add(seen, values->pdata[i])) {
            scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", path, "the value %s is given twice",
                          (char *)values->pdata[i]);
            return NULL;
        }
    take_numbers(axis);
    for (guint i = 1; axis->number && i < values->len; i++)
        if (!(axis->number[i] > axis->number[i - 1])) {
            scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", path, "%s and %s are the same number",
                          (char *)values->pdata[i - 1], (char *)values->pdata[i]);
            return NULL;
        }
    return g_steal_pointer(&axis);
}

scree_axis *scree_axis_parse(const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    g_autofree char *path =
        equals ? g_strstrip(g_strndup(assignment, (size_t)(equals - assignment))) : NULL;
    if (!equals || !*path) {
        scree_fail_of(error, SCREE_EXIT_USAGE, "--vary", assignment,
                      "expected PATH=V1,V2,.., as in gcd.plugin=grid,hgrid");
        return NULL;
    }
    GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
    if (split_values(assignment, equals + 1, values, error))
        return scree_axis_new(path, values, error);
    g_ptr_array_unref(values);
    return NULL;
}

void scree_axis_free(scree_axis *axis)
{
    if (!axis)
        return;
    g_free(axis->path);
    g_ptr_array_unref(axis->values);
    g_free(axis->number);
    g_free(axis->unit);
    g_free(axis);
}

bool scree_combination_next(guint *at, const guint *base, guint n)
{
    for (guint k = n; k-- > 0;) {
        if (++at[k] < base[k])
            return true;
        at[k] = 0;
    }
    return false;
}
