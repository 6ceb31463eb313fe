/* SPDX-License-Identifier: Apache-2.0 */
/* Values by time that modifiers read from a scene: a constant, two lists, or a CSV file. Between
 * two times they follow a straight line; before the first and after the last they are constant. */
#ifndef MODIFIER_TABLE_H
#define MODIFIER_TABLE_H

#include <ctype.h>
#include <math.h>

#include "scree/sdk.h"

enum { MOST_VALUES = 3 };

/** `width` values at each of n times. */
typedef struct table {
    uint64_t n;
    uint32_t width;
    double *time;  // [n] [s] ascending
    double *value; // [n][width]
} table;

/** The keys of a scene: `name` is the key of the values, `times_name` that of the times. */
typedef struct table_source {
    const char *name, *times_name, *file_name;
    const scree_reals *values, *times;
    const char *file; // NULL: none
    uint32_t width;
} table_source;

static inline void table_clear(table *t)
{
    free(t->time);
    free(t->value);
    *t = (table){0};
}

static inline int32_t table_reserve(const scree_host *host, table *t, uint64_t n)
{
    double *time = realloc(t->time, n * sizeof *time);
    t->time = time ? time : t->time;
    double *value = realloc(t->value, n * t->width * sizeof *value);
    t->value = value ? value : t->value;
    return time && value ? SCREE_OK
                         : host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a table");
}

/** Skips white space and, after a number, commas and semicolons. */
static inline const char *table_next(const char *text, int n)
{
    const char *between = n > 0 ? " \t\n\v\f\r,;" : " \t\n\v\f\r";
    return text + strspn(text, between);
}

/** Reads the numbers of a line, with commas or spaces between them; returns their number, or -1:
 * the text goes on. */
static inline int table_line(const char *text, double *out, int most)
{
    int n = 0;
    for (;;) {
        char *end;
        text = table_next(text, n);
        if (!*text || *text == '#')
            return n;
        double value = strtod(text, &end);
        if (end == text || n == most || !isfinite(value))
            return -1;
        out[n++] = value;
        text = end;
    }
}

/** Does a line start with the name of a column? "nan" and "inf" are not names. */
static inline int table_names(const char *line)
{
    const char *text = line + strspn(line, " \t\"");
    char *end;
    (void)strtod(text, &end);
    return isalpha((unsigned char)*text) && (end == text || (*end && !strchr(" \t\r\n,;", *end)));
}

static inline int32_t table_add(const scree_host *host, table *t, uint64_t *room, const double *v)
{
    if (t->n == *room) {
        *room = *room ? 2 * *room : 16;
        int32_t code = table_reserve(host, t, *room);
        if (code < 0)
            return code;
    }
    t->time[t->n] = v[0];
    memcpy(t->value + t->n++ * t->width, v + 1, t->width * sizeof *v);
    return SCREE_OK;
}

/** Reads a line of a file: a row of the table, the names of its columns, or an empty line. */
static inline int32_t table_take(const scree_host *host, const char *key, const char *place,
                                 const char *line, int *named, uint64_t *room, table *t)
{
    double v[1 + MOST_VALUES];
    int n = table_line(line, v, 1 + (int)t->width);
    int names = n < 0 && !*named && t->n == 0 && table_names(line);
    *named |= names;
    if (n == 0 || names)
        return SCREE_OK;
    if (n != 1 + (int)t->width)
        return scree_failf(host, SCREE_E_CONFIG,
                           "%s: %s: expected %u finite numbers, the time and %u by it, got "
                           "\"%.60s\"",
                           key, place, 1 + t->width, t->width, line);
    if (t->n && !(v[0] > t->time[t->n - 1]))
        return scree_failf(host, SCREE_E_CONFIG, "%s: %s: times must ascend, but %g s follows %g s",
                           key, place, v[0], t->time[t->n - 1]);
    return table_add(host, t, room, v);
}

static inline int32_t table_parse(const scree_host *host, const char *key, const char *path,
                                  const char *bytes, table *t)
{
    enum { LONGEST = 511 };
    char line[LONGEST + 1], place[600];
    uint64_t room = 0, number = 0;
    int named = 0;
    int32_t code = SCREE_OK;
    while (*bytes && code >= 0) {
        const size_t length = strcspn(bytes, "\r\n"), here = length < LONGEST ? length : LONGEST;
        memcpy(line, bytes, here);
        line[here] = '\0';
        snprintf(place, sizeof place, "%.500s:%llu", path, (unsigned long long)++number);
        if (length > LONGEST && !strchr(line, '#'))
            return scree_failf(host, SCREE_E_CONFIG, "%s: %s: longer than %d characters", key,
                               place, LONGEST);
        code = table_take(host, key, place, line, &named, &room, t);
        bytes += length;
        if (bytes[0] == '\r' && bytes[1] == '\n')
            bytes++;
        if (*bytes)
            bytes++;
    }
    return code < 0 || t->n
               ? code
               : scree_failf(host, SCREE_E_CONFIG, "%s: %s: no line of numbers in it", key, path);
}

static inline int32_t table_load(const scree_host *host, const char *key, const char *path,
                                 table *t)
{
    const scree_files *files = scree_files_of(host);
    const char *bytes = NULL;
    uint64_t n = 0;
    int32_t code = files ? files->load(files->ctx, path, &bytes, &n) : SCREE_E_UNSUPPORTED;
    if (code < 0)
        return code;
    code = table_parse(host, key, path, bytes, t);
    files->release(files->ctx, bytes);
    return code;
}

static inline int32_t table_copy(const scree_host *host, const table_source *from, table *t)
{
    uint64_t n = from->times->n ? from->times->n : 1;
    if (from->values->n != n * from->width)
        return scree_failf(host, SCREE_E_CONFIG,
                           "%s: expected %llu numbers, %u for each of %s%s, got %llu", from->name,
                           (unsigned long long)(n * from->width), from->width, from->times_name,
                           from->times->n ? "" : " (without that, of one time)",
                           (unsigned long long)from->values->n);
    int32_t code = table_reserve(host, t, n);
    if (code < 0)
        return code;
    for (uint64_t k = 0; k < n; k++)
        t->time[k] = from->times->n ? from->times->v[k] : 0.0;
    memcpy(t->value, from->values->v, n * from->width * sizeof *t->value);
    t->n = n;
    return SCREE_OK;
}

/** Reads the given values; the table is empty when no key is given. */
static inline int32_t table_read(const scree_host *host, const table_source *from, table *t)
{
    int32_t code = SCREE_OK;
    *t = (table){.width = from->width};
    if (from->file && (from->values->n || from->times->n))
        return scree_failf(host, SCREE_E_CONFIG, "%s: give it, or %s with %s, not both",
                           from->file_name, from->name, from->times_name);
    if (!from->values->n && from->times->n)
        return scree_failf(host, SCREE_E_CONFIG, "%s is given, but %s is missing", from->times_name,
                           from->name);
    if (from->file)
        code = table_load(host, from->file_name, from->file, t);
    else if (from->values->n)
        code = table_copy(host, from, t);
    for (uint64_t k = 1; code >= 0 && !from->file && k < t->n; k++)
        if (!(t->time[k] > t->time[k - 1]))
            code = scree_failf(host, SCREE_E_CONFIG, "%s must ascend, but %g s follows %g s",
                               from->times_name, t->time[k], t->time[k - 1]);
    if (code < 0)
        table_clear(t);
    return code;
}

/** Finds the values at a time, and (unless NULL) their derivatives. */
static inline void table_at(const table *t, double time, double *value, double *rate)
{
    uint64_t lo = 0, hi = t->n; // the last time <= `time` is in [lo, hi)
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (t->time[mid] <= time)
            lo = mid;
        else
            hi = mid;
    }
    int inside = lo + 1 < t->n && time >= t->time[lo];
    for (uint32_t k = 0; k < t->width; k++) {
        const double *v = t->value + lo * t->width + k;
        double slope = inside ? (v[t->width] - v[0]) / (t->time[lo + 1] - t->time[lo]) : 0.0;
        value[k] = v[0] + (inside ? slope * (time - t->time[lo]) : 0.0);
        if (rate)
            rate[k] = slope;
    }
}

#endif
