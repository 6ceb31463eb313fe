/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a plain struct from a group of a scene, by the rows of its keys. */
#include "config/keys.h"

#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"

void *scree_keys_alloc(const scree_keys *keys, size_t n, size_t size)
{
    void *memory = g_malloc0_n(MAX(n, 1), size);
    g_ptr_array_add(keys->memory, memory);
    return memory;
}

/** Copies a text, which lives as long as the struct. */
static const char *keep_text(const scree_keys *keys, const char *text)
{
    return strcpy(scree_keys_alloc(keys, strlen(text) + 1, 1), text);
}

scree_node *scree_keys_find(const scree_keys *keys, const scree_param *row)
{
    scree_node *node = scree_config_child(keys->group, row->name);
    g_autofree char *user = keys->user ? g_strdup_printf(" (%s)", keys->user) : NULL;
    if (!node && (row->flags & SCREE_PARAM_REQUIRED))
        scree_config_problem(keys->config, keys->group, SCREE_KEY_MISSING ": %s%s", row->name,
                             row->help, user ? user : "");
    return node;
}

bool scree_keys_real(const scree_keys *keys, const scree_param *row, const scree_node *node,
                     double *out)
{
    return scree_node_real(keys->config, node, row->unit, row->real_min, row->real_max, row->flags,
                           out);
}

static void fill_bool(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    int32_t *out = at;
    *out = row->int_default != 0;
    if (node && node->type == SCREE_NODE_BOOL)
        *out = node->i != 0;
    else if (node)
        scree_config_expected(keys->config, node, "true or false");
}

/** Index of the choice with this name, or -1. */
static int find_choice(const scree_param *row, const char *word)
{
    for (uint32_t k = 0; k < row->n_choices; k++)
        if (g_strcmp0(row->choices[k]->name, word) == 0)
            return (int)k;
    return -1;
}

static void read_choice(const scree_keys *keys, const scree_param *row, const scree_node *node,
                        int32_t *out)
{
    const bool word = node->type == SCREE_NODE_STRING;
    const int at = word ? find_choice(row, node->s) : -1;
    if (at >= 0) {
        *out = row->choices[at]->value;
        return;
    }
    g_autofree const char **names = g_new0(const char *, row->n_choices + 1);
    for (uint32_t k = 0; k < row->n_choices; k++)
        names[k] = row->choices[k]->name;
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    g_autofree char *shown = scree_node_show(node);
    g_autofree char *hint = word ? scree_did_you_mean(node->s, names) : NULL;
    scree_config_problem(keys->config, node, "expected one of %s%s, got %s%s", all,
                         word ? "" : " (in quotes)", shown, hint ? hint : "");
}

static int32_t default_choice(const scree_param *row)
{
    const int at = find_choice(row, row->string_default);
    return at >= 0 ? row->choices[at]->value : row->flags & SCREE_PARAM_OPTIONAL ? -1 : 0;
}

static void fill_choice(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    int32_t *out = at;
    *out = default_choice(row);
    if (node)
        read_choice(keys, row, node, out);
}

static void fill_axes(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    int32_t *out = at;
    const bool list = node && node->type == SCREE_NODE_LIST;
    for (int k = 0; k < 3; k++)
        out[k] = default_choice(row);
    if (!node)
        return;
    if (list ? node->children->len != keys->dimension : node->type != SCREE_NODE_STRING) {
        g_autofree char *expected =
            g_strdup_printf("one word, or a list of %u words", keys->dimension);
        scree_config_expected(keys->config, node, expected);
        return;
    }
    for (uint32_t k = 0; k < keys->dimension; k++)
        read_choice(keys, row, scree_node_at(node, k), &out[k]);
}

static void fill_int(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    int64_t *out = at;
    *out = row->int_default;
    if (node)
        scree_node_int(keys->config, node, row->int_min, row->int_max, out);
}

static void fill_count(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    uint32_t *out = at;
    int64_t value;
    fill_int(keys, row, node, &value);
    *out = (uint32_t)value;
}

static void fill_real(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    double *out = at;
    const bool word = node && node->type == SCREE_NODE_STRING && !strcmp(node->s, "auto");
    *out = row->flags & SCREE_PARAM_OPTIONAL ? (double)NAN : row->real_default;
    if (word && row->flags & SCREE_KEY_AUTO)
        *out = (double)NAN;
    else if (node)
        scree_keys_real(keys, row, node, out);
}

/** Copies a text, or the path that it names; NULL with a problem. */
static const char *read_text(const scree_keys *keys, const scree_param *row, scree_node *node)
{
    const bool is_file = row->flags & SCREE_PARAM_FILE;
    if (node->type != SCREE_NODE_STRING || (is_file && !*node->s))
        return scree_config_expected(keys->config, node,
                                     is_file ? "the name of a file in quotes" : "text in quotes"),
               NULL;
    g_autofree char *path = is_file ? scree_path_join(node->dir, node->s) : NULL;
    node->is_path = is_file;
    return keep_text(keys, path ? path : node->s);
}

static void fill_string(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    const char **out = at;
    const char *text = node ? read_text(keys, row, node) : NULL;
    if (text)
        *out = text;
    else if (row->string_default && !(row->flags & SCREE_PARAM_OPTIONAL))
        *out = keep_text(keys, row->string_default);
    else if (row->flags & SCREE_PARAM_REQUIRED)
        *out = ""; /* a problem reports that it is missing */
}

/* ---- several values ---- */

static void fill_vector(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    double *out = at;
    const bool list = node && node->type == SCREE_NODE_LIST;
    const bool flat = keys->dimension == 2 && row->length != 3;
    const guint n = flat && !(list && node->children->len == 3) ? 2 : 3;
    double v[3] = {0.0, 0.0, 0.0};
    bool good = true;
    for (int k = 0; k < 3; k++)
        out[k] = row->flags & (SCREE_PARAM_OPTIONAL | SCREE_PARAM_REQUIRED) ? (double)NAN : 0.0;
    if (!node)
        return;
    if (!list || node->children->len != n) {
        g_autofree char *expected = g_strdup_printf("%u numbers, as in (1.0, 2.5, ..)", n);
        scree_config_expected(keys->config, node, expected);
        return;
    }
    for (guint k = 0; k < n; k++)
        good = scree_keys_real(keys, row, node->children->pdata[k], &v[k]) && good;
    if (good && flat && v[2] != 0.0)
        scree_config_problem(keys->config, node, "the third component is 0 in 2D");
    else if (good)
        memcpy(out, v, sizeof v);
}

static void fill_spin(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    double *out = at;
    if (keys->dimension == 3) {
        fill_vector(keys, row, node, at);
        return;
    }
    out[0] = out[1] = out[2] = 0.0;
    if (node && node->type == SCREE_NODE_LIST)
        scree_config_expected(keys->config, node, "a number in 2D, [rad/s] about z");
    else if (node)
        scree_keys_real(keys, row, node, &out[2]);
}

/** Number of elements of an array: a list, or one value. 0: the
 * setting is missing, or has a wrong length, which is a problem. */
static uint32_t count_elements(const scree_keys *keys, const scree_param *row,
                               const scree_node *node)
{
    const uint32_t n = scree_node_count(node);
    if (!node || row->length == 0 || n == row->length)
        return n;
    g_autofree char *expected = g_strdup_printf("a list of %u", row->length);
    scree_config_expected(keys->config, node, expected);
    return 0;
}

static bool holds_ints(const scree_param *row)
{
    return row->type == SCREE_TYPE_INT_ARRAY || row->type == SCREE_TYPE_INT_ROWS;
}

/** Fills number k of the numbers of 8 bytes at `v`, from a node, or with the default. */
static void fill_number(const scree_keys *keys, const scree_param *row, const scree_node *node,
                        void *v, uint64_t k)
{
    if (holds_ints(row)) {
        int64_t *out = (int64_t *)v + k;
        *out = row->int_default;
        if (node)
            scree_node_int(keys->config, node, row->int_min, row->int_max, out);
    } else {
        double *out = (double *)v + k;
        *out = row->real_default;
        if (node)
            scree_keys_real(keys, row, node, out);
    }
}

static void fill_numbers(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    const uint32_t given = count_elements(keys, row, node);
    const uint32_t n = node ? given : row->flags & SCREE_PARAM_OPTIONAL ? 0 : row->length;
    void *v = scree_keys_alloc(keys, n, sizeof(double));
    for (uint32_t k = 0; k < n; k++)
        fill_number(keys, row, given > 0 ? scree_node_at(node, k) : NULL, v, k);
    *(scree_reals *)at = (scree_reals){n, v}; // scree_ints has the same layout
}

static void fill_strings(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    scree_strings *out = at;
    const uint32_t n = count_elements(keys, row, node);
    const char **v = scree_keys_alloc(keys, n + 1, sizeof *v); // NULL at the end
    for (uint32_t k = 0; k < n; k++) {
        const char *text = read_text(keys, row, scree_node_at(node, k));
        v[k] = text ? text : "";
    }
    *out = (scree_strings){n, v};
}

/** Index of each row's first element among the elements of a list of lists, [*n + 1]; *n is 0 if
 * the setting is missing. A row that is not a list, or has a wrong length, is a problem and is
 * empty. */
static uint64_t *find_rows(const scree_keys *keys, const scree_param *row, const scree_node *node,
                           uint64_t *n)
{
    const bool is_list = node && node->type == SCREE_NODE_LIST;
    g_autofree char *expected =
        row->length ? g_strdup_printf("a list of %u", row->length) : g_strdup("a list");
    *n = is_list ? node->children->len : 0;
    uint64_t *first = scree_keys_alloc(keys, *n + 1, sizeof *first);
    if (node && !is_list)
        scree_config_expected(keys->config, node, "a list of lists");
    for (uint64_t k = 0; k < *n; k++) {
        const scree_node *one = g_ptr_array_index(node->children, k);
        const bool fits =
            one->type == SCREE_NODE_LIST && (row->length == 0 || one->children->len == row->length);
        if (!fits)
            scree_config_expected(keys->config, one, expected);
        first[k + 1] = first[k] + (fits ? one->children->len : 0);
    }
    return first;
}

/** Element e of row k. */
static const scree_node *cell_at(const scree_node *node, uint64_t k, uint64_t e)
{
    return g_ptr_array_index(((scree_node *)g_ptr_array_index(node->children, k))->children, e);
}

static void fill_rows(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    uint64_t n;
    const uint64_t *first = find_rows(keys, row, node, &n);
    void *v = scree_keys_alloc(keys, first[n], sizeof(double));
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t e = first[k]; e < first[k + 1]; e++)
            fill_number(keys, row, cell_at(node, k, e - first[k]), v, e);
    scree_real_rows *rows = scree_keys_alloc(keys, 1, sizeof *rows); // as scree_int_rows
    *rows = (scree_real_rows){.size = sizeof *rows, .n = n, .first = first, .v = v};
    *(const scree_real_rows **)at = rows;
}

static void fill_node(const scree_keys *keys, const scree_param *row, scree_node *node, void *at)
{
    scree_node **out = at;
    static const char *const expected[] = {"a group { .. }", "a list ( .. )"};
    static const scree_node_type types[] = {SCREE_NODE_GROUP, SCREE_NODE_LIST};
    const uint32_t form = row->type - SCREE_KEY_GROUP;
    *out = node;
    if (*out && row->type != SCREE_KEY_NODE && (*out)->type != types[form]) {
        scree_config_expected(keys->config, *out, expected[form]);
        *out = NULL;
    }
}

/* ---- all types ---- */

typedef void row_filler(const scree_keys *keys, const scree_param *row, scree_node *node, void *at);

static row_filler *const fillers[] = {
    [SCREE_TYPE_BOOL] = fill_bool,
    [SCREE_TYPE_CHOICE] = fill_choice,
    [SCREE_TYPE_INT] = fill_int,
    [SCREE_TYPE_REAL] = fill_real,
    [SCREE_TYPE_STRING] = fill_string,
    [SCREE_TYPE_INT_ARRAY] = fill_numbers,
    [SCREE_TYPE_REAL_ARRAY] = fill_numbers,
    [SCREE_TYPE_STRING_ARRAY] = fill_strings,
    [SCREE_TYPE_INT_ROWS] = fill_rows,
    [SCREE_TYPE_REAL_ROWS] = fill_rows,
    [SCREE_KEY_COUNT] = fill_count,
    [SCREE_KEY_VECTOR] = fill_vector,
    [SCREE_KEY_AXES] = fill_axes,
    [SCREE_KEY_GROUP] = fill_node,
    [SCREE_KEY_LIST] = fill_node,
    [SCREE_KEY_NODE] = fill_node,
    [SCREE_KEY_SPIN] = fill_spin,
};

bool scree_keys_fill(const scree_keys *keys, const scree_param *row)
{
    row_filler *fill = row->type < G_N_ELEMENTS(fillers) ? fillers[row->type] : NULL;
    if (fill)
        fill(keys, row, scree_keys_find(keys, row), (char *)keys->to + row->offset);
    return fill != NULL;
}

void scree_keys_read(const scree_keys *keys, const scree_key_table *table)
{
    for (uint32_t k = 0; k < table->n; k++)
        if (!scree_keys_fill(keys, &table->rows[k]))
            g_assert_not_reached(); /* the row of a table in the program */
}
