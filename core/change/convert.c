/* SPDX-License-Identifier: Apache-2.0 */
/* At a swap of laws: computes contact fields from those of another law (scree.convert/1). */
#include "change/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/contacts.h"
#include "engine/sim_plugins.h"
#include "engine/state.h"
#include "plugin/call.h"

/** Columns of a law, copied from rows and back. */
typedef struct matrix {
    uint32_t n_columns;
    uint64_t n;
    double **column;
} matrix;

/** Copies columns from rows; `initial` replaces values that nobody has written. */
static matrix matrix_new(const double *rows, uint32_t width, uint32_t first, uint32_t n_columns,
                         uint64_t n, const double *initial)
{
    matrix m = {n_columns, n, g_new0(double *, n_columns + 1)};
    for (uint32_t k = 0; k < n_columns; k++) {
        m.column[k] = scree_aligned_new(n * sizeof(double));
        for (uint64_t i = 0; i < n; i++)
            m.column[k][i] = scree_is_unset(rows[i * width + first + k])
                                 ? initial[first + k]
                                 : rows[i * width + first + k];
    }
    return m;
}

static void matrix_clear(matrix *m)
{
    for (uint32_t k = 0; k < m->n_columns; k++)
        free(m->column[k]);
    g_free(m->column);
}

static const scree_convert *find_converter(const scree_plugin *plugin)
{
    const scree_convert *convert = scree_call_extension(plugin, SCREE_EXTENSION_CONVERT);
    return convert && SCREE_HAS(convert, convert) ? convert : NULL;
}

/** Replaces the note about a field's initial value by its source. */
static void note_column(GPtrArray *notes, const scree_column *column, const char *from)
{
    g_autofree char *head = g_strdup_printf("%s/%s: ", column->slot, column->name);
    for (guint k = 0; k < notes->len; k++) {
        if (!g_str_has_prefix(notes->pdata[k], head))
            continue;
        g_free(notes->pdata[k]);
        notes->pdata[k] = g_strdup_printf("%sconverted from %s", head, from);
    }
}

/** Copies converted values to fields that had no previous values. */
static bool take_over(const scree_sim *sim, scree_law *law, const matrix *out, const char *from,
                      scree_contact_store *to, GPtrArray *notes, GError **error)
{
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_CONTACT];
    law->newcomer = false;
    for (guint k = 0; k < columns->len; k++) {
        scree_column *column = columns->pdata[k];
        if (!column->fresh || strcmp(column->slot, law->instance->slot) != 0)
            continue;
        for (uint32_t c = 0; c < column->components; c++)
            for (uint64_t i = 0; i < to->n; i++) {
                double v = out->column[column->first - law->first_contact_field + c][i];
                to->field[i * sim->plugins.contact.n_fields + column->first + c] = v;
                if (isfinite(v))
                    continue;
                return scree_call_blame(law->instance, "convert", SCREE_EXIT_PLUGIN, error,
                                        "%s is %g", column->name, v);
            }
        column->fresh = false;
        note_column(notes, column, from);
    }
    return true;
}

static bool convert_law(const scree_sim *sim, scree_law *law, const scree_saved_plugins *old,
                        uint32_t l, const scree_contact_store *from, scree_contact_store *to,
                        GPtrArray *notes, GError **error)
{
    const scree_law *was = &old->plugins.contact.laws[l];
    const scree_plugin *plugin = was->instance->plugin;
    const scree_convert *converter = find_converter(law->instance->plugin);
    g_autofree const scree_field **fields = g_new0(const scree_field *, plugin->n_fields + 1);
    if (!converter)
        return true;
    matrix in = matrix_new(from->field, old->plugins.contact.n_fields, was->first_contact_field,
                           was->n_contact_fields, from->n, old->plugins.contact.initial);
    matrix out = matrix_new(to->field, sim->plugins.contact.n_fields, law->first_contact_field,
                            law->n_contact_fields, to->n, sim->plugins.contact.initial);
    scree_conversion what = {.size = sizeof what,
                             .from = plugin->id,
                             .from_fields = fields,
                             .n = to->n,
                             .in = (const double *const *)in.column,
                             .out = out.column};
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        if (plugin->fields[f]->scope == SCREE_SCOPE_CONTACT)
            fields[what.n_from++] = plugin->fields[f];
    scree_call call = scree_call_begin(law->instance, SCREE_CALL_CONFIG, "convert");
    int32_t code = converter->convert(law->instance->self, &what);
    code = scree_call_end(&call, code, SCREE_OK, NULL);
    bool done = code >= 0 || code == SCREE_E_UNSUPPORTED;
    if (!done)
        scree_call_failed(law->instance, "convert", code, error);
    else if (code >= 0)
        done = take_over(sim, law, &out, plugin->id, to, notes, error);
    else
        g_clear_pointer(&law->instance->error, g_free); // the plugin may have set a message
    matrix_clear(&in);
    matrix_clear(&out);
    return done;
}

bool scree_convert_fields(const scree_sim *sim, const scree_saved_plugins *old,
                          const scree_contact_store *from, scree_contact_store *to,
                          GPtrArray *notes, GError **error)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws && l < old->plugins.contact.n_laws; l++)
        if (sim->plugins.contact.laws[l].newcomer &&
            !convert_law(sim, &sim->plugins.contact.laws[l], old, l, from, to, notes, error))
            return false;
    return true;
}
