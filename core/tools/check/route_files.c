/* SPDX-License-Identifier: Apache-2.0 */
/* Files that observers write in a run, or in the parts of a run that is saved and loaded. */
#include "tools/check/route_files.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static void read_files(const char *folder, const char *below, GHashTable *files)
{
    g_autofree char *here = g_build_filename(folder, below, NULL);
    g_autoptr(GDir) dir = g_dir_open(here, 0, NULL);
    const char *name;
    if (!dir)
        return;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *inner = *below ? g_build_filename(below, name, NULL) : g_strdup(name);
        g_autofree char *path = g_build_filename(folder, inner, NULL);
        char *bytes = NULL;
        gsize length = 0;
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            read_files(folder, inner, files);
        else if (strcmp(inner, "scene.cfg") && !g_str_has_prefix(inner, "checkpoint-") &&
                 g_file_get_contents(path, &bytes, &length, NULL))
            g_hash_table_insert(files, g_steal_pointer(&inner), g_bytes_new_take(bytes, length));
    }
}

GHashTable *scree_route_files_read(const char *folder)
{
    GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify)(void (*)(void))g_bytes_unref);
    read_files(folder, "", files);
    return files;
}

/** Names of all files of all parts, sorted. */
static GPtrArray *list_names(const GPtrArray *of)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (guint p = 0; p < of->len; p++) {
        GHashTableIter iter;
        void *name;
        g_hash_table_iter_init(&iter, of->pdata[p]);
        while (g_hash_table_iter_next(&iter, &name, NULL))
            if (g_hash_table_add(seen, name))
                g_ptr_array_add(names, name);
    }
    g_ptr_array_sort(names, scree_compare_texts);
    return names;
}

/** The file in each part that has it. */
static GPtrArray *list_parts(const GPtrArray *of, const char *name)
{
    GPtrArray *all = g_ptr_array_new();
    for (guint p = 0; p < of->len; p++) {
        void *bytes = g_hash_table_lookup(of->pdata[p], name);
        if (bytes)
            g_ptr_array_add(all, bytes);
    }
    return all;
}

/** Whether it has rows, which can be counted: text, but neither XML nor JSON. */
static bool is_table(GBytes *bytes)
{
    gsize n;
    const char *text = g_bytes_get_data(bytes, &n);
    return !n || (*text != '<' && *text != '{' && g_utf8_validate_len(text, n, NULL));
}

static bool is_xml(GBytes *bytes)
{
    return g_bytes_get_size(bytes) && *(const char *)g_bytes_get_data(bytes, NULL) == '<';
}

/** Counts lines of a table over its parts. */
static GHashTable *count_lines(const GPtrArray *parts)
{
    GHashTable *counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint p = 0; p < parts->len; p++) {
        gsize n;
        const char *text = g_bytes_get_data(parts->pdata[p], &n);
        g_autofree char *all = g_strndup(text ? text : "", n);
        g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
        for (char **line = lines; *line; line++) {
            void *key = NULL, *value = NULL;
            if (!**line)
                continue;
            g_hash_table_lookup_extended(counts, *line, &key, &value);
            g_hash_table_insert(counts, g_strdup(*line),
                                GUINT_TO_POINTER(GPOINTER_TO_UINT(value) + 1));
        }
    }
    return counts;
}

/** A line of the whole run that the parts have more or less often, new string; NULL: none. A line
 * in each part is its head. A part may close with a row on what it has seen so far. */
static char *find_other_line(const GPtrArray *whole, const GPtrArray *parts)
{
    g_autoptr(GHashTable) a = count_lines(whole), b = count_lines(parts);
    GHashTableIter iter;
    void *line, *count;
    g_hash_table_iter_init(&iter, a);
    while (g_hash_table_iter_next(&iter, &line, &count)) {
        const guint n_a = GPOINTER_TO_UINT(count);
        const guint n_b = GPOINTER_TO_UINT(g_hash_table_lookup(b, line));
        if (n_a != n_b && n_b != parts->len)
            return g_strdup_printf("line \"%.60s\" is %u times in one run and %u times in %u parts",
                                   (const char *)line, n_a, n_b, parts->len);
    }
    return NULL;
}

/** Counts the files of all parts. */
static guint count_files(const GPtrArray *of)
{
    guint n = 0;
    for (guint p = 0; p < of->len; p++)
        n += g_hash_table_size(of->pdata[p]);
    return n;
}

/** `whole`: the files of whole runs. */
static char *compare_file(const char *name, const GPtrArray *a, const GPtrArray *b, bool whole)
{
    if (whole)
        return g_bytes_equal(a->pdata[0], b->pdata[0]) ? NULL
                                                       : g_strdup_printf("file %s differs", name);
    if (g_str_has_suffix(name, ".gp")) // a script of gnuplot, some parts of it about one part
        return NULL;
    for (guint p = 0; p < b->len; p++)
        if (!is_table(b->pdata[p])) // a part of another file cannot be compared
            return NULL;
    g_autofree char *line = is_table(a->pdata[0]) ? find_other_line(a, b) : NULL;
    return line ? g_strdup_printf("file %s: %s", name, line) : NULL;
}

char *scree_route_files_compare(const GPtrArray *a, const GPtrArray *b)
{
    g_autoptr(GPtrArray) names = list_names(a), others = list_names(b);
    const bool whole = a->len == 1 && b->len == 1;
    g_ptr_array_extend(names, others, NULL, NULL);
    char *found = NULL;
    for (guint k = 0; k < names->len && !found; k++) {
        g_autoptr(GPtrArray) of_a = list_parts(a, names->pdata[k]);
        g_autoptr(GPtrArray) of_b = list_parts(b, names->pdata[k]);
        // Each part may number its pictures from 0.
        if (of_a->len && of_b->len)
            found = compare_file(names->pdata[k], of_a, of_b, whole);
        else if (whole || count_files(a) > count_files(b))
            found = g_strdup_printf("file %s is missing", (const char *)names->pdata[k]);
    }
    return found;
}

/* ---- to rounding ---- */

/** The lines of a table, each split into words; the first one may be a head. */
static GPtrArray *split_table(GBytes *bytes)
{
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))g_strfreev);
    for (char **line = lines; *line; line++)
        g_ptr_array_add(rows, g_strsplit_set(*line, ", \t", -1));
    return rows;
}

/** Whether the whole text is a number, NaN and infinity among them. */
static bool read_number(const char *text, double *value)
{
    char *end;
    *value = g_ascii_strtod(text, &end);
    return *text && !*end;
}

/** Orders rows by their step and the ids of bodies: storage may have them in any order. */
static int compare_rows(const void *a, const void *b, void *head)
{
    char **one = *(char **const *)a, **other = *(char **const *)b, **name = head;
    for (guint c = 0; name[c] && one[c] && other[c]; c++) {
        double x, y;
        const bool key = !strcmp(name[c], "step") || g_str_has_prefix(name[c], "id") ||
                         !strcmp(name[c], "a") || !strcmp(name[c], "b");
        if (!key || !read_number(one[c], &x) || !read_number(other[c], &y) || x == y)
            continue;
        return x < y ? -1 : 1;
    }
    return 0;
}

static void sort_rows(GPtrArray *rows)
{
    double value;
    if (rows->len > 1 && !read_number(*(char **)rows->pdata[0], &value))
        g_qsort_with_data(rows->pdata + 1, (gint)rows->len - 1, sizeof(void *), compare_rows,
                          rows->pdata[0]);
}

/** The largest finite number in column c. */
static double size_of_column(const GPtrArray *rows, guint c)
{
    double size = 0.0, value;
    for (guint r = 0; r < rows->len; r++) {
        char **row = rows->pdata[r];
        if (c < g_strv_length(row) && read_number(row[c], &value) && isfinite(value))
            size = fmax(size, fabs(value));
    }
    return size;
}

/** Whether two texts say the same to rounding. In a lattice of period 1 m a place may be that of
 * another cell, and the count of cells another one. */
static bool is_near(const char *a, const char *b, const char *column, double size, bool lattice)
{
    double x, y;
    if (!strcmp(a, b) || (lattice && g_str_has_prefix(column, "image")))
        return true;
    if (!read_number(a, &x) || !read_number(b, &y))
        return false;
    const bool place = lattice && strchr("xyz", *column) && !column[1];
    return fabs(x - y - (place ? rint(x - y) : 0.0)) <= 1e-9 + 1e-6 * size;
}

/** First difference of two tables, new string; NULL: none. */
static char *find_other_number(const char *name, GBytes *a, GBytes *b, bool lattice)
{
    g_autoptr(GPtrArray) one = split_table(a), other = split_table(b);
    if (one->len != other->len)
        return g_strdup_printf("file %s has %u lines in one run, %u in the other", name, one->len,
                               other->len);
    sort_rows(one);
    sort_rows(other);
    char **head = one->pdata[0];
    double value;
    const guint named = read_number(head[0], &value) ? 0 : g_strv_length(head);
    for (guint r = 0; r < one->len; r++) {
        char **x = one->pdata[r], **y = other->pdata[r];
        if (g_strv_length(x) != g_strv_length(y))
            return g_strdup_printf("file %s, line %u has other columns", name, r + 1);
        for (guint c = 0; x[c]; c++) {
            const char *column = c < named ? head[c] : "a number";
            if (!is_near(x[c], y[c], column, size_of_column(one, c), lattice))
                return g_strdup_printf("file %s, line %u: %s is %s in one run, %s in the other",
                                       name, r + 1, column, x[c], y[c]);
        }
    }
    return NULL;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/** Adds all numbers of a table; NaN is left out. */
static void take_numbers(GBytes *bytes, GArray *numbers)
{
    g_autoptr(GPtrArray) rows = split_table(bytes);
    double value;
    for (guint r = 0; r < rows->len; r++)
        for (char **word = rows->pdata[r]; *word; word++)
            if (read_number(*word, &value) && !isnan(value))
                g_array_append_val(numbers, value);
}

/** First difference of numbers in ascending order, new string; NULL: none. of_one: all of one
 * kind, so that the largest says how much rounding each may have. */
static char *compare_sorted(const char *name, const GArray *one, const GArray *other, bool of_one)
{
    if (one->len != other->len)
        return g_strdup_printf("file %s has %u numbers in one run, %u in the other", name, one->len,
                               other->len);
    double size = 0.0;
    for (guint k = 0; k < one->len; k++)
        size = fmax(size, fabs(g_array_index(one, double, k)));
    for (guint k = 0; k < one->len; k++) {
        const double x = g_array_index(one, double, k), y = g_array_index(other, double, k);
        if (x != y && !(fabs(x - y) <= 1e-9 + 1e-6 * (of_one ? size : fabs(x))))
            return g_strdup_printf("file %s: of all its numbers, in order, one is %.9g in one run, "
                                   "%.9g in the other",
                                   name, x, y);
    }
    return NULL;
}

/** First difference of the numbers of two tables, in whatever order, new string; NULL: none. */
static char *find_missing_number(const char *name, GBytes *a, GBytes *b)
{
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GArray) other = g_array_new(FALSE, FALSE, sizeof(double));
    take_numbers(a, one);
    take_numbers(b, other);
    g_array_sort(one, compare_numbers);
    g_array_sort(other, compare_numbers);
    return compare_sorted(name, one, other, false);
}

/* ---- arrays in XML of VTK ---- */

/** Parses XML, whose appended data may be binary. */
static bool parse_xml(const GMarkupParser *parser, void *user, GBytes *bytes, GError **error)
{
    static const char appended[] = "<AppendedData";
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(parser, 0, user, NULL);
    gsize n;
    const char *text = g_bytes_get_data(bytes, &n);
    const char *rest = memmem(text, n, appended, sizeof appended - 1);
    return g_markup_parse_context_parse(context, text, rest ? rest - text : (gssize)n, error) &&
           (rest || g_markup_parse_context_end_parse(context, error));
}

/** Arrays of reals that have been read. */
typedef struct vtk_arrays {
    GPtrArray *all; /* elements: GArray of double, ascending */
    GArray *now;    /* the array whose text comes; NULL: none */
    bool single, encoded;
    gsize head; /* [bytes] length of an encoded array in front of it; 0: they are compressed */
} vtk_arrays;

static const char *attribute(const char **names, const char **values, const char *name)
{
    for (; *names; names++, values++)
        if (!strcmp(*names, name))
            return *values;
    return "";
}

static void begin_element(GMarkupParseContext *context, const char *element, const char **names,
                          const char **values, void *user, GError **error)
{
    vtk_arrays *a = user;
    const char *type = attribute(names, values, "type");
    const char *format = attribute(names, values, "format");
    if (!strcmp(element, "VTKFile"))
        a->head = *attribute(names, values, "compressor")                      ? 0
                  : !strcmp(attribute(names, values, "header_type"), "UInt64") ? 8
                                                                               : 4;
    a->single = !strcmp(type, "Float32");
    a->encoded = !strcmp(format, "binary");
    if (!strcmp(element, "DataArray") && g_str_has_prefix(type, "Float") &&
        (a->encoded ? a->head > 0 : !strcmp(format, "ascii")))
        g_ptr_array_add(a->all, a->now = g_array_new(FALSE, FALSE, sizeof(double)));
}

static void end_element(GMarkupParseContext *context, const char *element, void *user,
                        GError **error)
{
    vtk_arrays *a = user;
    if (a->now)
        g_array_sort(a->now, compare_numbers);
    a->now = NULL;
}

static void take_text(GMarkupParseContext *context, const char *text, gsize length, void *user,
                      GError **error)
{
    const vtk_arrays *a = user;
    gsize n = 0;
    if (!a->now || !a->encoded) {
        g_autoptr(GBytes) words = a->now ? g_bytes_new_static(text, length) : NULL;
        if (words)
            take_numbers(words, a->now);
        return;
    }
    g_autofree guchar *bytes = g_base64_decode(text, &n);
    const gsize size = a->single ? sizeof(float) : sizeof(double);
    for (gsize at = a->head; at + size <= n; at += size) {
        float single = 0.0f;
        double value = 0.0;
        memcpy(a->single ? (void *)&single : (void *)&value, bytes + at, size);
        value = a->single ? (double)single : value;
        if (!isnan(value))
            g_array_append_val(a->now, value);
    }
}

static GPtrArray *read_arrays(GBytes *bytes)
{
    static const GMarkupParser parser = {
        .start_element = begin_element, .end_element = end_element, .text = take_text};
    vtk_arrays a = {.all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref)};
    parse_xml(&parser, &a, bytes, NULL); // what is not XML fails another case
    return a.all;
}

/** First difference of the arrays of two files, the numbers of each in whatever order, new string;
 * NULL: none. */
static char *find_other_array(const char *name, GBytes *a, GBytes *b)
{
    g_autoptr(GPtrArray) one = read_arrays(a), other = read_arrays(b);
    char *found =
        one->len == other->len
            ? NULL
            : g_strdup_printf("file %s has %u arrays of reals in one run, %u in the other", name,
                              one->len, other->len);
    for (guint k = 0; k < one->len && !found; k++)
        found = compare_sorted(name, one->pdata[k], other->pdata[k], true);
    return found;
}

char *scree_route_files_differ(GHashTable *a, GHashTable *b, bool lattice, bool mixed, bool arrays)
{
    GHashTableIter iter;
    void *name, *bytes;
    char *found = NULL;
    if (g_hash_table_size(a) != g_hash_table_size(b))
        return g_strdup_printf("%u files in one run, %u in the other", g_hash_table_size(a),
                               g_hash_table_size(b));
    g_hash_table_iter_init(&iter, a);
    while (!found && g_hash_table_iter_next(&iter, &name, &bytes)) {
        GBytes *other = g_hash_table_lookup(b, name);
        if (!other)
            found = g_strdup_printf("file %s is missing", (const char *)name);
        else if (is_table(bytes) && is_table(other))
            found = mixed ? find_missing_number(name, bytes, other)
                          : find_other_number(name, bytes, other, lattice);
        else if (arrays && is_xml(bytes) && is_xml(other))
            found = find_other_array(name, bytes, other);
        else if (!lattice && !mixed && g_str_has_suffix(name, ".png") &&
                 !g_bytes_equal(bytes, other))
            found = g_strdup_printf("picture %s is another one", (const char *)name);
    }
    return found;
}

/* ---- what a suffix promises ---- */

/** Counts the cells of a line; a comma within quotes divides none. */
static guint count_cells(const char *line)
{
    guint n = 1;
    for (bool quoted = false; *line; line++) {
        quoted = quoted != (*line == '"');
        n += *line == ',' && !quoted;
    }
    return n;
}

/** Fault of comma-separated values: a row without a name for each of its cells, a name twice. New
 * string; NULL: none. */
static char *judge_csv(const char *name, GBytes *bytes)
{
    g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_auto(GStrv) names = g_strsplit(*lines ? *lines : "", ",", -1);
    const guint n = g_strv_length(names), n_lines = g_strv_length(lines);
    for (guint k = 0; k < n; k++)
        for (guint l = 0; l < k; l++)
            if (!strcmp(names[k], names[l]))
                return g_strdup_printf("file %s: columns %u and %u are both named \"%s\"", name,
                                       l + 1, k + 1, names[k]);
    for (guint r = 1; r < n_lines; r++)
        if (*lines[r] && count_cells(lines[r]) != count_cells(*lines))
            return g_strdup_printf("file %s: line %u has %u cells, the head has %u names", name,
                                   r + 1, count_cells(lines[r]), count_cells(*lines));
    return NULL;
}

/** Fault of XML. New string; NULL: none. */
static char *judge_xml(const char *name, GBytes *bytes)
{
    static const GMarkupParser parser = {.start_element = NULL};
    g_autoptr(GError) error = NULL;
    return parse_xml(&parser, NULL, bytes, &error)
               ? NULL
               : g_strdup_printf("file %s: %s", name, error->message);
}

char *scree_route_files_judge(GHashTable *files)
{
    GHashTableIter iter;
    void *name, *bytes;
    char *found = NULL;
    g_hash_table_iter_init(&iter, files);
    while (!found && g_hash_table_iter_next(&iter, &name, &bytes)) {
        if (g_str_has_suffix(name, ".csv") && g_bytes_get_size(bytes))
            found = judge_csv(name, bytes);
        else if (is_xml(bytes))
            found = judge_xml(name, bytes);
    }
    return found;
}
