// SPDX-License-Identifier: Apache-2.0
// The service scree.files/1: whole files and tables, which the instance keeps until its end.
#include "plugin/files.h"

#include <string.h>

#include "base/paths.h"
#include "config/table.h"
#include "config/units.h"
#include "plugin/services.h"
#include "plugin/struct_size.h"

enum { MOST_KNOWN = 1000, MOST_COLUMNS = 256, MOST_PROBLEMS = 20 };

struct scree_file_answers {
    scree_files service;
    GPtrArray *loaded;  /* elements: char *, given by load() */
    GPtrArray *columns; /* elements: arrays given by table() */
    GPtrArray *strings; /* elements: GStringChunk, texts of these tables */
};

/** Blames the plugin for a request that it may not make. Always SCREE_E_INTERNAL. */
static int32_t blame_files(scree_instance *instance, const char *what)
{
    g_autofree char *text = g_strconcat(SCREE_SERVICE_FILES ": ", what, NULL);
    instance->refused = true;
    return instance->host.fail(instance, SCREE_E_INTERNAL, text);
}

/** Gives the problems to host->fail: one line each for a listener, otherwise the first. */
static int32_t fail(scree_instance *instance, GPtrArray *problems)
{
    g_autofree char *text = NULL;
    if (problems->len == 1 || !instance->runtime->say) {
        text = g_strdup(problems->pdata[0]);
    } else {
        g_ptr_array_add(problems, NULL);
        text = g_strjoinv("\n", (char **)problems->pdata);
    }
    return instance->host.fail(instance, SCREE_E_CONFIG, text);
}

/** Whether a parameter with SCREE_PARAM_FILE holds this path. */
static bool is_named(const scree_instance *instance, const char *path)
{
    const scree_plugin *plugin = instance->plugin;
    const char *config = instance->choice->config;
    bool found = false;
    if (!path || !config)
        return false;
    for (uint32_t k = 0; !found && k < plugin->n_params; k++) {
        const char *value = NULL;
        if (plugin->params[k]->flags & SCREE_PARAM_FILE)
            memcpy(&value, config + plugin->params[k]->offset, sizeof value);
        found = value && !strcmp(value, path);
    }
    return found;
}

static int32_t refuse_path(scree_instance *instance, const char *path)
{
    g_autofree char *what = g_strdup_printf(
        "none of its parameters with SCREE_PARAM_FILE names \"%s\"", path ? path : "(NULL)");
    return blame_files(instance, what);
}

static int32_t files_load(void *ctx, const char *path, const char **bytes, uint64_t *n)
{
    scree_instance *instance = ctx;
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    size_t length = 0;
    if (!is_named(instance, path))
        return refuse_path(instance, path);
    char *loaded = scree_paths_read(path, path, 0, &length, problems);
    if (!loaded)
        return fail(instance, problems);
    g_ptr_array_add(instance->files->loaded, loaded);
    *bytes = loaded;
    *n = length;
    return SCREE_OK;
}

static int32_t files_release(void *ctx, const char *bytes)
{
    scree_instance *instance = ctx;
    if (!bytes || g_ptr_array_remove_fast(instance->files->loaded, (gpointer)bytes))
        return SCREE_OK;
    return blame_files(instance, "release() of bytes that load() has not given");
}

/** The fault of a request; NULL: none. */
static const char *find_request_fault(const scree_file_request *request)
{
    if (!request->n_known || request->n_known > MOST_KNOWN || !request->known)
        return "expected 1 to 1000 known columns";
    for (uint32_t k = 0; k < request->n_known; k++) {
        const scree_file_column *c = request->known[k];
        scree_unit unit;
        if (!c || c->size < SCREE_SIZE_TO(scree_file_column, unit) || !c->name || !*c->name)
            return "a known column has no size or no name";
        if (c->type < SCREE_COLUMN_REAL || c->type > SCREE_COLUMN_SHAPE)
            return "a known column has a type that is not one of SCREE_COLUMN_*";
        if (c->type == SCREE_COLUMN_REAL && c->unit && !scree_unit_parse(c->unit, &unit, NULL))
            return "a known column has a unit that cannot be read";
    }
    if (request->columns.n > MOST_COLUMNS || (request->columns.n && !request->columns.v))
        return "more than 256 columns";
    for (uint64_t k = 0; k < request->columns.n; k++)
        if (!request->columns.v[k])
            return "one of columns is NULL";
    return NULL;
}

/** The columns of a request as config/table.h takes them. New array. */
static scree_column *take_known(const scree_file_request *request)
{
    scree_column *known = g_new0(scree_column, request->n_known);
    for (uint32_t k = 0; k < request->n_known; k++) {
        const scree_file_column *c = request->known[k];
        known[k] = (scree_column){c->name, c->type, c->type == SCREE_COLUMN_REAL ? c->unit : NULL};
    }
    return known;
}

/** Adds a problem for each cell that names no material, or no shape. */
static void check_names(scree_instance *instance, const scree_table *table, uint32_t column,
                        uint32_t type, GPtrArray *problems)
{
    const scree_names *names = scree_names_give(instance);
    for (uint32_t row = 0; row < table->n_rows && problems->len < MOST_PROBLEMS; row++) {
        scree_table_word *cell = &table->cells[column][row];
        const char *word = cell->text;
        const bool material = type == SCREE_COLUMN_MATERIAL;
        const uint32_t index = !names     ? SCREE_NONE
                               : material ? names->material(names->ctx, word)
                                          : names->shape(names->ctx, word);
        if (index == SCREE_NONE) {
            g_autofree char *hint = scree_names_hint(instance, material, word);
            g_ptr_array_add(problems,
                            g_strdup_printf("%s:%u: no %s \"%s\"%s", table->file, table->lines[row],
                                            material ? "material" : "shape", word, hint));
        }
        if (material)
            cell->id = index;
    }
}

G_STATIC_ASSERT(sizeof(scree_table_word) == sizeof(double) && sizeof(char *) == sizeof(double));

/** Keeps an array until the instance's end. */
static void *keep(scree_file_answers *files, void *array)
{
    g_ptr_array_add(files->columns, array);
    return array;
}

/** Gives the columns of a table to the plugin. Cells of all types have 8 bytes. */
static void give_rows(scree_file_answers *files, scree_table *table,
                      const scree_file_request *request, scree_file_rows *rows)
{
    const uint32_t n_known = request->n_known;
    const double **real = keep(files, g_new0(const double *, n_known));
    const uint64_t **whole = keep(files, g_new0(const uint64_t *, n_known));
    const char *const **text = keep(files, g_new0(const char *const *, n_known));
    for (uint32_t k = 0; k < n_known; k++) {
        const uint32_t type = request->known[k]->type;
        void *column = keep(files, g_steal_pointer(&table->cells[k]));
        if (type == SCREE_COLUMN_REAL)
            real[k] = column;
        else if (type == SCREE_COLUMN_WHOLE || type == SCREE_COLUMN_MATERIAL)
            whole[k] = column;
        else
            text[k] = column;
    }
    g_ptr_array_add(files->strings, g_steal_pointer(&table->strings));
    *rows = (scree_file_rows){.size = rows->size,
                              .n = table->n_rows,
                              .line = keep(files, g_steal_pointer(&table->lines)),
                              .real = real,
                              .whole = whole,
                              .text = text};
}

/** The plugin's own names of the columns, NULL at the end; NULL: the file names them. */
static const char **take_names(const scree_file_request *request)
{
    const uint64_t n = request->columns.n;
    const char **names = n ? g_new0(const char *, n + 1) : NULL;
    for (uint64_t k = 0; k < n; k++)
        names[k] = request->columns.v[k];
    return names;
}

static int32_t files_table(void *ctx, const scree_file_request *request, scree_file_rows *rows)
{
    scree_instance *instance = ctx;
    if (!request || request->size < SCREE_SIZE_TO(scree_file_request, columns) || !rows ||
        rows->size < SCREE_SIZE_TO(scree_file_rows, text))
        return blame_files(instance, "a request or rows without their size");
    const char *fault = find_request_fault(request);
    if (fault)
        return blame_files(instance, fault);
    if (!is_named(instance, request->path))
        return refuse_path(instance, request->path);
    g_autofree scree_column *known = take_known(request);
    g_autofree const char **names = take_names(request);
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(scree_table) table =
        scree_table_load(request->path, request->path, known, request->n_known, names, problems);
    if (!table)
        return fail(instance, problems);
    for (uint32_t k = 0; k < request->n_known; k++)
        if (table->cells[k] && known[k].type >= SCREE_COLUMN_MATERIAL)
            check_names(instance, table, k, known[k].type, problems);
    if (problems->len)
        return fail(instance, problems);
    give_rows(instance->files, table, request, rows);
    return SCREE_OK;
}

const scree_files *scree_files_give(scree_instance *instance)
{
    if (!instance->files) {
        instance->files = g_new0(scree_file_answers, 1);
        instance->files->loaded = g_ptr_array_new_with_free_func(g_free);
        instance->files->columns = g_ptr_array_new_with_free_func(g_free);
        instance->files->strings =
            g_ptr_array_new_with_free_func((GDestroyNotify)g_string_chunk_free);
    }
    instance->files->service = (scree_files){.size = sizeof(scree_files),
                                             .ctx = instance,
                                             .load = files_load,
                                             .table = files_table,
                                             .release = files_release};
    return &instance->files->service;
}

void scree_file_answers_free(scree_file_answers *answers)
{
    if (!answers)
        return;
    g_ptr_array_unref(answers->loaded);
    g_ptr_array_unref(answers->columns);
    g_ptr_array_unref(answers->strings);
    g_free(answers);
}
