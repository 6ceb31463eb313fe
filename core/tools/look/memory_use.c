/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a run: counted from its arrays, or predicted from its scene. */
#include "tools/look/memory_use.h"

#include <string.h>

#include "engine/contact_list.h"
#include "engine/contacts.h"
#include "engine/diagnostics.h"
#include "engine/extent.h"
#include "engine/snapshot.h"
#include "plugin/call.h"
#include "run/save.h"
#include "shape/plugin_shape.h"

/* [bytes] of the program with its libraries and of one thread (measured). */
#define PROGRAM 5.9e6 /* [bytes] */
/* [bytes] of libhdf5 with its libraries, once a checkpoint is written (measured). */
#define HDF5 11e6 /* [bytes] */

enum { PAGE = 4096 };

/** Returns the bytes of the pages with values other than zero; other pages take no memory. */
static uint64_t count_written(const char *array, size_t bytes)
{
    static const char zeros[PAGE];
    uint64_t sum = 0;
    for (size_t at = 0; at < bytes; at += PAGE) {
        size_t n = MIN(bytes - at, (size_t)PAGE);
        sum += memcmp(array + at, zeros, n) ? n : 0;
    }
    return sum;
}

/** Counts the bytes in use by the columns, by the wrenches and by the mirrors. */
static void count_world(const scree_world *w, uint64_t *columns, uint64_t *forces,
                        uint64_t *mirrors)
{
    *forces = *mirrors = 0;
    *columns = w->n * sizeof *w->number;
    for (uint32_t r = 0; r < scree_world_arrays.n; r++) {
        const scree_array *row = &scree_world_arrays.row[r];
        for (uint32_t k = 0; k < row->count; k++) {
            const void *place = scree_array_place(w, row, k);
            const bool shared = place == (const void *)&w->inv_inertia[1] ||
                                place == (const void *)&w->inv_inertia[2];
            const bool mirror = place == (const void *)&w->ball || place == (const void *)&w->twist;
            uint64_t *to = place == (const void *)&w->wrench ? forces : mirror ? mirrors : columns;
            if (w->axes || !shared) // all moments are equal: the axes share one array
                *to += count_written(scree_array_get(place), (size_t)w->n * row->width);
        }
    }
    for (uint32_t k = 0; k < w->n_fields; k++)
        *columns += count_written((const char *)w->field[k], w->n * sizeof(double));
}

/** Returns the bytes of the extents of n bodies. */
static uint64_t extent_bytes(const scree_box_set *set, uint64_t n)
{
    uint64_t bytes = n * scree_arrays_bytes(scree_extent_arrays, 0);
    if (!set->bare) // otherwise also part_first and slot
        bytes += set->view.n * scree_arrays_bytes(scree_slot_arrays, 0) +
                 2 * n * sizeof *set->part_first;
    return bytes;
}

/** Returns the bytes of the placed balls of clumps. */
static uint64_t posed_bytes(const scree_posed *posed, uint64_t n)
{
    return posed->counted ? (n + 1) * sizeof *posed->first +
                                (uint64_t)posed->first[n] * 8 * sizeof *posed->ball
                          : 0;
}

static void count_list(const scree_sim *sim, const scree_list *list, uint64_t *pairs,
                       uint64_t *contacts, uint64_t *crossing)
{
    const scree_contact_plugins *c = &sim->plugins.contact;
    uint64_t per_pair = scree_pair_bytes(c->n_pair_fields, sim->world->cell.repeats, c->any_keep);
    uint64_t per_contact =
        scree_contact_bytes(c->n_fields, c->any_stored, c->any_keep, list->single);
    for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++) {
        const scree_segment *s = &list->segments[k];
        uint64_t parts = s->first && s->n_pairs ? s->first[s->n_pairs] : s->n_pairs;
        *pairs += s->n_pairs * per_pair + parts * list->hint_bytes;
        if (s->first)
            *pairs += (s->n_pairs + (s->ball[0] ? 4 : 2) * parts) * sizeof(uint32_t);
        *contacts += (s->table[0].n + s->table[1].n) * per_contact;
        *crossing += s->n_loads * sizeof *s->loads;
    }
}

/** Bytes that plugins report, without the GCD. */
static uint64_t count_plugins(const scree_sim *sim)
{
    const GPtrArray *lists[] = {sim->plugins.contact.resolvers, sim->plugins.body.modifiers,
                                sim->observers};
    uint64_t sum = scree_call_bytes(sim->plugins.body.integrator);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        sum += scree_call_bytes(sim->plugins.contact.laws[l].instance);
    for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
        for (guint i = 0; i < lists[k]->len; i++)
            sum += scree_call_bytes(lists[k]->pdata[i]);
    for (guint i = 0; i < sim->scene->shapes->len; i++)
        sum += scree_shape_bytes(sim->scene->shapes->pdata[i]);
    return sum;
}

void scree_memory_count(const scree_sim *sim, scree_memory_line lines[SCREE_MEMORY_LINES])
{
    uint64_t pairs = posed_bytes(&sim->posed, sim->world->n), contacts = 0, crossing = 0, columns,
             forces, mirrors;
    count_world(sim->world, &columns, &forces, &mirrors);
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        count_list(sim, &sim->plugins.contact.lists[l], &pairs, &contacts, &crossing);
    const uint64_t gcd = scree_call_bytes(sim->plugins.gcd);
    forces += sim->account.power ? sim->world->n * sizeof *sim->account.power : 0;
    const scree_memory_line all[SCREE_MEMORY_LINES] = {
        {"bodies", columns},
        {"lines of forces", forces},
        {"mirrors", mirrors},
        {"extents", extent_bytes(&sim->boxes, sim->world->n)},
        {"candidates", pairs},
        {"contacts, two copies", contacts},
        {"contacts across blocks and with walls", crossing},
        {"the GCD's own", gcd},
        {"the other plugins' own, and shapes", count_plugins(sim)},
        {"scratch of its own", scree_scratch_bytes(sim->scratch)},
    };
    memcpy(lines, all, sizeof all);
}

/* ---- before a run ---- */

/** Number of components of all fields of a scope, in a list of plugins. */
static uint32_t count_choice_components(const GPtrArray *choices, uint32_t scope, bool *stored,
                                        bool *keep)
{
    uint32_t n = 0;
    for (guint i = 0; i < choices->len; i++) {
        const scree_plugin *plugin = ((const scree_choice_of *)choices->pdata[i])->plugin;
        *stored |= (plugin->provides & SCREE_OUT_STORED) != 0;
        *keep |= (plugin->provides & SCREE_OUT_KEEP) != 0;
        for (uint32_t f = 0; f < plugin->n_fields; f++)
            n += plugin->fields[f]->scope == scope ? plugin->fields[f]->components : 0;
    }
    return n;
}

scree_settled_bed scree_settled_bed_of(uint32_t dimension)
{
    return dimension == 3 ? (scree_settled_bed){.pairs = 4.1, .contacts = 2.8}
                          : (scree_settled_bed){.pairs = 2.7, .contacts = 2.0};
}

double scree_memory_forecast(const scree_scene *scene, scree_memory_observers observers)
{
    const scree_settled_bed bed = scree_settled_bed_of(scene->dimension);
    const double pairs = bed.pairs, contacts = bed.contacts;
    bool stored = false, keep = false, plain = true, periodic = false;
    uint64_t facets = 0;
    for (guint i = 0; i < scene->bodies->len; i++) {
        const scree_body *body = &g_array_index(scene->bodies, scree_body, i);
        facets += scree_shape_facets(scene->shapes->pdata[body->shape]);
    }
    for (uint32_t k = 0; k < scene->dimension; k++)
        periodic |= scene->boundary[k] == SCREE_BOUNDARY_PERIODIC;
    plain = !facets && !periodic && scene->extent.renew != SCREE_RENEW_MOVED;
    uint32_t n_fields = count_choice_components(scene->forces, SCREE_SCOPE_CONTACT, &stored, &keep);
    uint32_t n_pair = count_choice_components(scene->forces, SCREE_SCOPE_PAIR, &stored, &keep);
    double body = (double)scree_world_body_bytes() + 4 * sizeof(double) + 1; // with its extent
    body += plain ? 0.0 : 12 * sizeof(double) + 5 * sizeof(uint32_t);        // with its box
    body += 40.0;                                                            // gcd/auto with grid
    body += pairs * (2 * sizeof(uint32_t) + (periodic ? sizeof(scree_cells) : 0) + keep +
                     2.0 * sizeof(double) * n_pair);
    body += contacts * 2.0 * (double)scree_contact_bytes(n_fields, stored, keep, true);
    if (scene->steps >= SCREE_DIAG_SAMPLE) // survey; the hash uses the memory of the mirrors
        body += contacts * sizeof(scree_survey_record) + 2 * sizeof(double);
    body += observers.any ? sizeof(char *) : 0; // names
    const bool by_law = observers.want == SCREE_LISTED_BY_LAW;
    if (observers.want != SCREE_LISTED_NONE)
        body += contacts * (double)scree_record_bytes(by_law ? scene->forces->len : 0,
                                                      by_law ? n_fields + n_pair : 0);
    double copy =
        scree_snapshot_forecast(scene->bodies->len, contacts * scene->bodies->len, n_fields);
    if (scene->guard.every && copy <= (double)(scene->guard.memory << 20))
        body += copy / MAX(1, scene->bodies->len);
    const bool saves = scree_saver_is_wanted(scene) || (scene->checkpoint.at_end && observers.any);
    return PROGRAM + (saves ? HDF5 : 0.0) + body * scene->bodies->len + 320.0 * (double)facets;
}
