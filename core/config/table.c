// SPDX-License-Identifier: Apache-2.0
// Tables in text files: lines are cut into cells, names are matched to known columns, invalid
// numbers are refused.
#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "config/table.h"
#include "config/units.h"

#define MAX_PROBLEMS 20
#define MAX_COLUMNS 256

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
    GArray *factors;     // elements: double, factor to SI for each column
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

/** The known column with the name in a header; *factor converts its unit to SI. */
static const scree_column *match_column(const table_reader *r, const char *word, double *factor)
{
    *factor = 1.0;
    for (uint32_t k = 0; k < r->n_known; k++) {
        const scree_column *known = &r->known[k];
        size_t n = strlen(known->name);
        if (g_ascii_strncasecmp(word, known->name, n) != 0)
            continue;
        if (!word[n])
            return known;
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
            scree_unit_parse(known->unit, &want, NULL) && scree_unit_same_dimension(&have, &want)) {
            *factor = have.factor / want.factor;
            return known;
        }
    }
    return NULL;
}

static char *suggest_column(const table_reader *r, const char *word)
{
    g_autofree const char **names = g_new0(const char *, r->n_known + 1);
    for (uint32_t k = 0; k < r->n_known; k++)
        names[k] = r->known[k].name;
    return scree_did_you_mean(word, names);
}

/** Fills table->columns from n names. */
static bool take_columns(table_reader *r, const char *const *names, uint32_t n)
{
    scree_table *t = r->table;
    uint32_t before = r->n_problems;
    if (n > MAX_COLUMNS) {
        report_table(r, "%u columns; at most %d", n, MAX_COLUMNS);
        return false;
    }
    t->n_columns = n;
    t->columns = g_new0(const scree_column *, n);
    t->cells = g_new0(scree_table_word *, n);
    for (uint32_t i = 0; i < n; i++) {
        double factor = 1.0;
        const char *word = names[i];
        if (strcmp(word, "-") != 0) {
            t->columns[i] = match_column(r, word, &factor);
            if (!t->columns[i]) {
                g_autofree char *hint = suggest_column(r, word);
                report_table(
                    r,
                    "unknown column \"%.40s\"%s (columns = [..] of the scene can skip it by the "
                    "name \"-\")",
                    word, hint);
            }
            for (uint32_t j = 0; j < i; j++)
                if (t->columns[i] && t->columns[j] == t->columns[i])
                    report_table(r, "column '%s' is there twice", t->columns[i]->name);
        }
        g_array_append_val(r->factors, factor);
    }
    return r->n_problems == before;
}

static bool all_known(const table_reader *r)
{
    double factor;
    for (uint32_t i = 0; i < r->tokens->len; i++)
        if (!match_column(r, r->tokens->pdata[i], &factor))
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

static bool take_cell(table_reader *r, uint32_t column, const char *word, scree_table_word *cell)
{
    const scree_column *known = r->table->columns[column];
    cell->id = 0;
    if (known->type == SCREE_TABLE_TEXT) {
        if (!*word || !g_utf8_validate(word, -1, NULL)) {
            report_table(r, "%s is %s", known->name, *word ? "not UTF-8 text" : "empty");
            return false;
        }
        cell->text = g_string_chunk_insert_const(r->table->strings, word);
        return true;
    }
    if (known->type == SCREE_TABLE_ID) {
        guint64 id = 0;
        if (!g_ascii_string_to_unsigned(word, 10, 0, G_MAXINT64, &id, NULL)) {
            report_table(r, "%s = '%.40s' is not a whole number from 0 to 2^63 - 1", known->name,
                         word);
            return false;
        }
        cell->id = id;
        return true;
    }
    double value;
    if (!scree_parse_real(word, &value)) {
        report_table(r, "%s = '%.40s' is not a finite number%s", known->name, word,
                     strchr(word, ',') ? " (write a decimal point, not a comma)" : "");
        return false;
    }
    cell->real = value * g_array_index(r->factors, double, column);
    if (!isfinite(cell->real)) {
        report_table(r, "%s = '%.40s' is too large for its unit", known->name, word);
        return false;
    }
    return true;
}

/** Doubles the number of rows that fit. */
static void make_room(table_reader *r)
{
    scree_table *t = r->table;
    r->room = MAX(2 * r->room, 64u);
    for (uint32_t i = 0; i < t->n_columns; i++)
        if (t->columns[i])
            t->cells[i] = g_renew(scree_table_word, t->cells[i], r->room);
}

static void take_row(table_reader *r, char *content)
{
    scree_table *t = r->table;
    if (!split(r, content, r->separator))
        return;
    if (r->tokens->len != t->n_columns) {
        report_table(r, "%u cells, but there are %u columns", r->tokens->len, t->n_columns);
        return;
    }
    if (t->n_rows == r->room)
        make_room(r);
    for (uint32_t i = 0; i < t->n_columns; i++)
        if (t->cells[i])
            take_cell(r, i, r->tokens->pdata[i], &t->cells[i][t->n_rows]);
    g_array_append_val(t->lines, r->line);
    t->n_rows++;
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
        if (comment && !r->table->columns) {
            g_free(r->comment);
            r->comment = g_strstrip(g_strdup(hash + 1));
            r->comment_line = r->line;
        }
        return true;
    }
    bool header = false;
    if (!r->table->columns && !find_columns(r, content, &header))
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
    t->lines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    t->strings = g_string_chunk_new(256);
    table_reader r = {
        .table = t, .known = known, .n_known = n_known, .columns = columns, .problems = problems};
    r.text = g_string_new(NULL);
    r.tokens = g_ptr_array_new();
    r.factors = g_array_new(FALSE, FALSE, sizeof(double));
    if (length && memchr(text, '\0', length))
        report_table(&r, "this is not a text file (it has zero bytes; save it as UTF-8)");
    else
        read_lines(&r, text, length);
    g_string_free(r.text, TRUE);
    g_ptr_array_free(r.tokens, TRUE);
    g_array_free(r.factors, TRUE);
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
    g_free(table->columns);
    for (uint32_t i = 0; i < table->n_columns; i++)
        g_free(table->cells[i]);
    g_free(table->cells);
    if (table->lines) // the owner may have taken these
        g_array_free(table->lines, TRUE);
    if (table->strings) // the owner may have taken them
        g_string_chunk_free(table->strings);
    g_free(table);
}

int scree_table_column(const scree_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (table->columns[i] && strcmp(table->columns[i]->name, name) == 0)
            return (int)i;
    return -1;
}

scree_table_word scree_table_cell(const scree_table *table, uint32_t row, uint32_t column)
{
    return table->cells[column][row];
}

uint32_t scree_table_line(const scree_table *table, uint32_t row)
{
    return g_array_index(table->lines, uint32_t, row);
}
