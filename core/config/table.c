// SPDX-License-Identifier: Apache-2.0
// Tables in text files: lines are cut into cells, names are matched to known columns, invalid
// numbers are refused.
#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "config/table.h"
#include "config/units.h"
#include "scree/host.h"

#define MAX_PROBLEMS 20
#define MAX_COLUMNS 256

enum { FIRST_ROWS = 64 };
#define SKIPPED UINT32_MAX

/** A column of the file. */
typedef struct file_column {
    uint32_t known; // number of the known column, or SKIPPED
    double factor;  // to the unit of the known column
} file_column;

typedef struct table_reader {
    scree_table *table;
    const scree_column *known;
    uint32_t n_known;
    const char *const *columns; // names from the scene, or NULL
    GPtrArray *problems;
    uint32_t n_problems; // number of problems in this file
    uint32_t line, room; // line: the current one; room: number of rows that fit
    char separator;      // ';', ',' or ' '; 0: unknown yet
    GString *text;       // the current line
    GPtrArray *tokens;   // its cells, which point into it
    GArray *places;      // elements: file_column; NULL: the columns have no names yet
    char *comment;       // last comment line above the numbers
    uint32_t comment_line;
} table_reader;

static void G_GNUC_PRINTF(2, 3) report_table(table_reader *r, const char *format, ...)
{
    if (++r->n_problems > MAX_PROBLEMS)
        return;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    const bool last = r->n_problems == MAX_PROBLEMS;
    g_ptr_array_add(r->problems,
                    g_strdup_printf("%s:%u: %s%s", r->table->file, r->line, text,
                                    last ? " (further mistakes of this file are not shown)" : ""));
}

/** Takes one quoted cell; returns the text after it. NULL: the quote is not closed. */
static char *take_quoted(char *from, char **cell)
{
    char *to = from;
    *cell = from;
    for (char *c = from; *c; c++) {
        if (*c != '"') {
            *to++ = *c;
        } else if (c[1] == '"') {
            *to++ = *c++;
        } else {
            *to = '\0';
            return c + 1;
        }
    }
    return NULL;
}

/** Cuts a CSV line at `separator`, in place. */
static bool split_separated(table_reader *r, char *line, char separator)
{
    char *at = line;
    for (;;) {
        char *cell, *end;
        while (*at == ' ' || *at == '\t')
            at++;
        if (*at == '"') {
            end = take_quoted(at + 1, &cell);
            while (end && (*end == ' ' || *end == '\t'))
                end++;
            if (!end || (*end && *end != separator)) {
                report_table(r, "a quoted cell does not end");
                return false;
            }
        } else {
            cell = at;
            end = at + strcspn(at, (char[]){separator, '\0'});
        }
        bool last = !*end;
        *end = '\0';
        g_ptr_array_add(r->tokens, g_strstrip(cell));
        if (last)
            return true;
        at = end + 1;
    }
}

static void split_white(table_reader *r, char *line)
{
    char *rest = NULL;
    for (char *at = strtok_r(line, " \t", &rest); at; at = strtok_r(NULL, " \t", &rest))
        g_ptr_array_add(r->tokens, at);
}

static char find_separator(const char *line)
{
    return strchr(line, ';') ? ';' : strchr(line, ',') ? ',' : ' ';
}

/** Cuts a line into r->tokens. */
static bool split(table_reader *r, char *line, char separator)
{
    g_ptr_array_set_size(r->tokens, 0);
    if (separator != ' ')
        return split_separated(r, line, separator);
    split_white(r, line);
    return true;
}

static bool looks_numeric(const char *text)
{
    char *end;
    g_ascii_strtod(text, &end);
    return *text && !*end;
}

/** The known column with the name in a header, or SKIPPED. */
static file_column match_column(const table_reader *r, const char *word)
{
    for (uint32_t k = 0; k < r->n_known; k++) {
        const scree_column *known = &r->known[k];
        size_t n = strlen(known->name);
        if (g_ascii_strncasecmp(word, known->name, n) != 0)
            continue;
        if (!word[n])
            return (file_column){k, 1.0};
        if (!known->unit || !strchr("_[(", word[n]))
            continue;
        g_autofree char *unit = g_strdup(word + n + 1);
        g_strdelimit(unit, "])", ' ');
        g_strstrip(unit);
        char *under = strchr(unit, '_'); // vx_m_s
        if (under)
            *under = '/';
        scree_unit have, want;
        if (*unit && scree_unit_parse(unit, &have, NULL) &&
            scree_unit_parse(known->unit, &want, NULL) && scree_unit_same_dimension(&have, &want))
            return (file_column){k, have.factor / want.factor};
    }
    return (file_column){SKIPPED, 1.0};
}

static char *suggest_column(const table_reader *r, const char *word)
{
    g_autofree const char **names = g_new0(const char *, r->n_known + 1);
    for (uint32_t k = 0; k < r->n_known; k++)
        names[k] = r->known[k].name;
    return scree_did_you_mean(word, names);
}

/** Finds the known column of a name in a header, and makes room for its cells. */
static file_column take_column(table_reader *r, const char *word)
{
    const file_column found = match_column(r, word);
    if (found.known == SKIPPED) {
        g_autofree char *hint = suggest_column(r, word);
        report_table(r,
                     "unknown column \"%.40s\"%s (columns = [..] of the scene can skip it by the "
                     "name \"-\")",
                     word, hint);
    } else if (r->table->cells[found.known]) {
        report_table(r, "column '%s' is there twice", r->known[found.known].name);
    } else {
        r->table->cells[found.known] = g_new(scree_table_word, FIRST_ROWS);
    }
    return found;
}

/** Takes n names of columns. */
static bool take_columns(table_reader *r, const char *const *names, uint32_t n)
{
    const uint32_t before = r->n_problems;
    if (n > MAX_COLUMNS) {
        report_table(r, "%u columns; at most %d", n, MAX_COLUMNS);
        return false;
    }
    r->places = g_array_new(FALSE, FALSE, sizeof(file_column));
    for (uint32_t i = 0; i < n; i++) {
        const bool skips = strcmp(names[i], "-") == 0;
        const file_column one = skips ? (file_column){SKIPPED, 1.0} : take_column(r, names[i]);
        g_array_append_val(r->places, one);
    }
    return r->n_problems == before;
}

static bool all_known(const table_reader *r)
{
    for (uint32_t i = 0; i < r->tokens->len; i++)
        if (match_column(r, r->tokens->pdata[i]).known == SKIPPED)
            return false;
    return r->tokens->len > 0;
}

/** Names the columns at the first line with content. *is_header: that line held the names. */
static bool find_columns(table_reader *r, const char *content, bool *is_header)
{
    g_autofree char *copy = g_strdup(content);
    r->separator = find_separator(content);
    if (!split(r, copy, r->separator))
        return false;
    bool numbers = false; // a header has no numbers
    for (uint32_t i = 0; i < r->tokens->len; i++)
        numbers |= looks_numeric(r->tokens->pdata[i]);
    *is_header = !numbers;
    if (r->columns)
        return take_columns(r, r->columns, g_strv_length((char **)r->columns));
    if (*is_header)
        return take_columns(r, (const char *const *)r->tokens->pdata, r->tokens->len);
    uint32_t width = r->tokens->len, line = r->line;
    if (r->comment) {
        if (!split(r, r->comment, find_separator(r->comment)))
            return false;
        if (all_known(r) || r->tokens->len == width) {
            r->line = r->comment_line;
            bool ok = take_columns(r, (const char *const *)r->tokens->pdata, r->tokens->len);
            r->line = line;
            return ok;
        }
    }
    const bool pairs = r->n_known == 2; // a list of bonds: it has only names, and no key for them
    report_table(r, "no line above the numbers names the columns: add one such as '# %s%s%s'%s",
                 pairs ? r->known[0].name : "x y z radius", pairs ? " " : "",
                 pairs ? r->known[1].name : "", pairs ? "" : ", or columns = [..] to the scene");
    return false;
}

static void take_real(table_reader *r, const char *name, const char *word, double factor,
                      double *value)
{
    if (!scree_parse_real(word, value))
        report_table(r, "%s = '%.40s' is not a finite number%s", name, word,
                     strchr(word, ',') ? " (write a decimal point, not a comma)" : "");
    else if (!isfinite(*value *= factor))
        report_table(r, "%s = '%.40s' is too large for its unit", name, word);
}

static void take_cell(table_reader *r, const file_column *place, const char *word,
                      scree_table_word *cell)
{
    const scree_column *known = &r->known[place->known];
    guint64 id = 0;
    if (known->type == SCREE_COLUMN_REAL) {
        take_real(r, known->name, word, place->factor, &cell->real);
    } else if (known->type == SCREE_COLUMN_WHOLE) {
        if (!g_ascii_string_to_unsigned(word, 10, 0, G_MAXINT64, &id, NULL))
            report_table(r, "%s = '%.40s' is not a whole number from 0 to 2^63 - 1", known->name,
                         word);
        cell->id = id;
    } else if (!*word || !g_utf8_validate(word, -1, NULL)) {
        report_table(r, "%s is %s", known->name, *word ? "not UTF-8 text" : "empty");
    } else {
        cell->text = g_string_chunk_insert_const(r->table->strings, word);
    }
}

/** Doubles the number of rows that fit. */
static void make_room(table_reader *r)
{
    scree_table *t = r->table;
    r->room = MAX(2 * r->room, (uint32_t)FIRST_ROWS);
    t->lines = g_renew(uint32_t, t->lines, r->room);
    for (uint32_t k = 0; k < r->n_known; k++)
        if (t->cells[k])
            t->cells[k] = g_renew(scree_table_word, t->cells[k], r->room);
}

static void take_row(table_reader *r, char *content)
{
    scree_table *t = r->table;
    const file_column *place = (const file_column *)(const void *)r->places->data;
    if (!split(r, content, r->separator))
        return;
    if (r->tokens->len != r->places->len) {
        report_table(r, "%u cells, but there are %u columns", r->tokens->len, r->places->len);
        return;
    }
    if (t->n_rows == r->room)
        make_room(r);
    for (uint32_t i = 0; i < r->places->len; i++)
        if (place[i].known != SKIPPED)
            take_cell(r, &place[i], r->tokens->pdata[i], &t->cells[place[i].known][t->n_rows]);
    t->lines[t->n_rows++] = r->line;
}

/** Takes a line, which ends with NUL and may be changed. False: the table cannot be read. */
static bool take_line(table_reader *r, char *line)
{
    bool quoted = false;
    char *hash = line + strcspn(line, "#\"");
    for (; *hash && (quoted || *hash != '#'); hash++)
        quoted ^= *hash == '"';
    bool comment = *hash == '#';
    *hash = '\0';
    g_strchomp(line);
    char *content = line + strspn(line, " \t");
    if (!*content) {
        if (comment && !r->places) {
            g_free(r->comment);
            r->comment = g_strstrip(g_strdup(hash + 1));
            r->comment_line = r->line;
        }
        return true;
    }
    bool header = false;
    if (!r->places && !find_columns(r, content, &header))
        return false;
    if (!header)
        take_row(r, content);
    return r->n_problems < MAX_PROBLEMS;
}

static void read_lines(table_reader *r, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) // byte-order mark
        at += 3;
    bool going = true;
    while (going && at < end) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        if (!eol)
            eol = end;
        g_string_truncate(r->text, 0);
        g_string_append_len(r->text, at, eol - at);
        r->line++;
        going = take_line(r, r->text->str);
        at = eol < end ? eol + 1 : end;
    }
    if (going && r->table->n_rows == 0 && r->n_problems == 0) {
        r->line = MAX(r->line, 1); // an empty file
        report_table(r, "expected rows of numbers, got none");
    }
}

scree_table *scree_table_parse(const char *text, size_t length, const char *file,
                               const scree_column *known, uint32_t n_known,
                               const char *const *columns, GPtrArray *problems)
{
    g_autoptr(scree_table) t = g_new0(scree_table, 1);
    t->file = g_strdup(file);
    t->n_known = n_known;
    t->cells = g_new0(scree_table_word *, n_known);
    t->strings = g_string_chunk_new(256);
    table_reader r = {
        .table = t, .known = known, .n_known = n_known, .columns = columns, .problems = problems};
    r.text = g_string_new(NULL);
    r.tokens = g_ptr_array_new();
    if (length && memchr(text, '\0', length))
        report_table(&r, "this is not a text file (it has zero bytes; save it as UTF-8)");
    else
        read_lines(&r, text, length);
    g_string_free(r.text, TRUE);
    g_ptr_array_free(r.tokens, TRUE);
    if (r.places)
        g_array_free(r.places, TRUE);
    g_free(r.comment);
    return r.n_problems ? NULL : g_steal_pointer(&t);
}

scree_table *scree_table_load(const char *path, const char *shown, const scree_column *known,
                              uint32_t n_known, const char *const *columns, GPtrArray *problems)
{
    g_autofree char *text = NULL;
    size_t length;
    text = scree_paths_read(path, shown, 0, &length, problems);
    if (!text)
        return NULL;
    return scree_table_parse(text, length, shown, known, n_known, columns, problems);
}

void scree_table_free(scree_table *table)
{
    if (!table)
        return;
    g_free(table->file);
    for (uint32_t k = 0; k < table->n_known; k++)
        g_free(table->cells[k]);
    g_free(table->cells);
    g_free(table->lines);
    if (table->strings) // the owner may have taken them
        g_string_chunk_free(table->strings);
    g_free(table);
}
