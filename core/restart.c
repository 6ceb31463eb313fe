/* SPDX-License-Identifier: Apache-2.0 */
/* From a checkpoint to the state of a run: matched, mapped, checked, put in. */
#include "restart.h"

#include <inttypes.h>
#include <string.h>

static const scree_kept_plugin *find_plugin(const GArray *plugins, const char *kind, const char *id)
{
    for (guint i = 0; i < plugins->len; i++) {
        const scree_kept_plugin *one = &g_array_index(plugins, scree_kept_plugin, i);
        if (!strcmp(one->kind, kind) && !strcmp(one->id, id))
            return one;
    }
    return NULL;
}

/** Files of the plugins that were at work and are again: each must be the one of before. */
static bool check_plugins(const scree_sim *sim, const scree_checkpoint *c, bool allow,
                          GPtrArray *notes, GError **error)
{
    g_autoptr(GArray) now = scree_kept_plugins_of(sim);
    g_autoptr(GString) changed = g_string_new(NULL);
    for (guint i = 0; i < now->len; i++) {
        const scree_kept_plugin *b = &g_array_index(now, scree_kept_plugin, i);
        const scree_kept_plugin *a = find_plugin(c->plugins, b->kind, b->id);
        if (!a || !strcmp(a->sha256, b->sha256) || find_plugin(now, b->kind, b->id) != b)
            continue;
        g_autofree char *what = g_strdup_printf(
            "%s/%s is another file: SHA-256 %s (version %s, %s, %s), now %s (version %s, %s, %s)",
            b->kind, b->id, a->sha256, a->version, a->cpu_level, a->path, b->sha256, b->version,
            b->cpu_level, b->path);
        if (allow || strcmp(a->cpu_level, b->cpu_level))    // another level is another file, not
            g_ptr_array_add(notes, g_steal_pointer(&what)); // another plugin
        else
            g_string_append_printf(changed, "%s%s", changed->len ? "\n  " : "", what);
    }
    if (!changed->len)
        return true;
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                "%s\n  (--allow-plugin-change goes on with what there is now)", changed->str);
    return false;
}

/** Numbers of groups in the new scene, by those of the stored one. */
static uint32_t *map_groups(const scree_identity *stored, const scree_identity *given)
{
    uint32_t *map = g_new(uint32_t, stored->groups->len + 1);
    for (guint g = 0; g < stored->groups->len; g++)
        map[g] = scree_identity_find(given->groups,
                                     g_array_index(stored->groups, scree_identity_part, g).name);
    return map;
}

static bool refuse_body(GError **error, const scree_checkpoint *c, uint64_t id, const char *what)
{
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: body %" PRIu64 " %s", c->path, id, what);
    return false;
}

/** Whether the scene knows all that a body says of itself. */
static bool check_body(const scree_sim *sim, const scree_checkpoint *c, uint32_t i,
                       const uint32_t *groups, GError **error)
{
    const scree_world *w = c->snapshot->world;
    const scree_scene *scene = sim->scene;
    if (w->shape[i] >= scene->shapes->len)
        return refuse_body(error, c, w->id[i], "has a shape that the scene does not have");
    if (w->material[i] >= scene->materials.n)
        return refuse_body(error, c, w->id[i], "has a material that the scene does not have");
    if (w->group[i] >= c->identity->groups->len || groups[w->group[i]] == SCREE_NONE)
        return refuse_body(error, c, w->id[i],
                           "belongs to a group that the scene does not have: it was inserted by a "
                           "modifier that is no longer there");
    if (sim->type_index[w->shape[i]] == UINT8_MAX)
        return refuse_body(error, c, w->id[i],
                           "has a shape that no body of the scene has: it was inserted by a "
                           "modifier that is no longer there");
    const scree_shape *shape = scene->shapes->pdata[w->shape[i]];
    if (w->motion[i] == SCREE_FREE && shape->type >= SCREE_FACETS)
        return refuse_body(error, c, w->id[i], "is free, but its shape has no mass");
    return true;
}

static void add_body(scree_world *to, const scree_world *from, uint32_t i, uint32_t group)
{
    scree_body body = {.id = from->id[i],
                       .shape = from->shape[i],
                       .material = from->material[i],
                       .motion = from->motion[i],
                       .group = group,
                       .scale = from->scale[i]};
    for (int k = 0; k < 3; k++) {
        body.x[k] = from->x[k][i];
        body.v[k] = from->v[k][i];
        body.w[k] = from->w[k][i];
    }
    for (int k = 0; k < 4; k++)
        body.q[k] = from->q[k][i];
    scree_world_add(to, &body, 0.0);
    for (int k = 0; k < 3; k++) {
        to->v[k][i] = from->v[k][i]; // a fixed body may hold what it had when it was stopped
        to->w[k][i] = from->w[k][i];
        if (from->image[k][i])
            to->image[k][i] = from->image[k][i];
    }
    for (int k = 0; k < 13 && i >= from->n_free; k++)
        to->anchor[k][i] = from->anchor[k][i];
    if (i >= from->n_free)
        to->anchor_time[i] = from->anchor_time[i];
    memcpy(to->wrench + (size_t)i * SCREE_WRENCH, from->wrench + (size_t)i * SCREE_WRENCH,
           SCREE_WRENCH * sizeof(double));
}

/** The bodies with what follows from the scene: masses, radii. */
static scree_world *make_world(scree_sim *sim, const scree_checkpoint *c,
                               const scree_field_map *map, GError **error)
{
    const scree_world *from = c->snapshot->world;
    scree_world *w = scree_world_new(sim->scene, sim->n_body_fields);
    g_autofree uint32_t *groups = map_groups(c->identity, sim->scene->identity);
    memcpy(w->field_initial, sim->world->field_initial, w->n_fields * sizeof(double));
    scree_world_reserve(w, MAX(from->n, 1));
    for (uint32_t i = 0; i < from->n; i++) {
        if (!check_body(sim, c, i, groups, error)) {
            scree_world_free(w);
            return NULL;
        }
        add_body(w, from, i, groups[from->group[i]]);
    }
    scree_field_map_columns(map, SCREE_SCOPE_BODY, from->n, (const double *const *)from->field,
                            w->field);
    w->next_id = from->next_id;
    scree_world_lend(w, sim->scratch);
    bool moved = scree_world_sort(w, 0.0, NULL, NULL, sim->scratch);
    scree_scratch_end(sim->scratch);
    if (!moved)
        return w;
    scree_world_free(w);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: its bodies are not in storage order",
                c->path);
    return NULL;
}

/** Bits of the keep masks belong to laws: to the same law in the same slot. */
static void map_keep(const scree_sim *sim, const scree_checkpoint *c, scree_contact_store *store)
{
    g_autoptr(GPtrArray) now = scree_keepers_of(sim);
    uint8_t to[8] = {0};
    for (guint k = 0; k < c->keepers->len; k++)
        for (guint n = 0; n < now->len; n++)
            if (!strcmp(c->keepers->pdata[k], now->pdata[n]))
                to[k] = (uint8_t)(1u << n);
    for (uint64_t i = 0; i < store->n; i++) {
        uint8_t before = c->snapshot->contacts->keep[i], after = 0;
        for (int k = 0; k < 8; k++)
            after |= before >> k & 1 ? to[k] : 0;
        store->keep[i] = after;
    }
}

static scree_contact_store *make_contacts(const scree_sim *sim, const scree_checkpoint *c,
                                          const scree_field_map *map)
{
    const scree_contact_store *from = c->snapshot->contacts;
    scree_contact_store *store = g_new0(scree_contact_store, 1);
    store->n = from->n;
    store->key = g_memdup2(from->key, from->n * sizeof *from->key);
    store->keep = g_new0(uint8_t, from->n + 1);
    store->stored = g_memdup2(from->stored, from->n * sizeof *from->stored);
    store->field = scree_field_map_rows(map, SCREE_SCOPE_CONTACT, from->n, from->field);
    store->n_pairs = from->n_pairs;
    store->pair_key = g_memdup2(from->pair_key, from->n_pairs * sizeof *from->pair_key);
    store->pair_field =
        scree_field_map_rows(map, SCREE_SCOPE_PAIR, from->n_pairs, from->pair_field);
    map_keep(sim, c, store);
    return store;
}

/** The state in the terms of this run. */
static scree_snapshot *make_snapshot(scree_sim *sim, const scree_checkpoint *c,
                                     const scree_field_map *map, GError **error)
{
    const scree_snapshot *from = c->snapshot;
    scree_world *world = make_world(sim, c, map, error);
    if (!world)
        return NULL;
    scree_snapshot *s = g_memdup2(from, sizeof *s);
    s->world = world;
    s->contacts = make_contacts(sim, c, map);
    s->global_field = scree_field_map_rows(map, SCREE_SCOPE_GLOBAL, 1, from->global_field);
    s->edited = g_array_copy(from->edited);
    s->n_contact_fields = sim->n_contact_fields;
    s->n_pair_fields = sim->n_pair_fields;
    s->n_global_fields = sim->n_global_fields;
    return s;
}

/** With another time step the time stays, and the number of the step, of which random numbers are
 * made. */
static void set_clock(const scree_sim *sim, scree_snapshot *s, GPtrArray *notes)
{
    if (!memcmp(&sim->dt, &s->dt, sizeof s->dt))
        return;
    g_ptr_array_add(notes, g_strdup_printf("dt: %.9g s, now %.9g s", s->dt, sim->dt));
    double time = s->t0 + (double)s->step * s->dt;
    s->dt = sim->dt;
    s->t0 = time - (double)s->step * sim->dt;
}

/** What another gravity or other densities do to the energy is work. */
static void book_change(scree_sim *sim, double before)
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    sim->work += energy.kinetic + energy.gravity - before; // 0.0 when nothing has changed
}

/** As many contacts as came in, and the same state where nothing had to be mapped. */
static bool check_result(const scree_sim *sim, const scree_checkpoint *c, bool same, GError **error)
{
    g_autofree char *is = same ? scree_state_sha256(sim) : NULL;
    uint64_t n, n_pairs;
    scree_contacts_count(sim, &n, &n_pairs);
    if (n != c->snapshot->contacts->n)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN,
                    "%s: %" PRIu64 " of its %" PRIu64 " contacts have no bodies", c->path,
                    c->snapshot->contacts->n - n, c->snapshot->contacts->n);
    else if (is && strcmp(is, c->state_sha256))
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN,
                    "%s: put back, its state has SHA-256 %s, not %s", c->path, is, c->state_sha256);
    else
        return true;
    return false;
}

static void tell_fields(const scree_field_map *map, GPtrArray *notes)
{
    for (guint i = 0; !map->same && i < map->lines->len; i++)
        g_ptr_array_add(notes, g_strdup(map->lines->pdata[i]));
}

bool scree_restart(scree_sim *sim, const scree_checkpoint *c, bool allow_plugin_change,
                   GPtrArray *notes, GError **error)
{
    g_autoptr(scree_fields) fields = scree_fields_of(sim);
    if (!scree_identity_match(c->identity, sim->scene->identity, error) ||
        !check_plugins(sim, c, allow_plugin_change, notes, error))
        return false;
    g_autoptr(scree_field_map) map = scree_field_map_new(c->fields, NULL, fields, error);
    scree_snapshot *s = map ? make_snapshot(sim, c, map, error) : NULL;
    if (!s)
        return false;
    tell_fields(map, notes);
    set_clock(sim, s, notes);
    bool same = map->same && !memcmp(&s->dt, &c->snapshot->dt, sizeof s->dt);
    scree_snapshot_restore(sim, s);
    scree_snapshot_free(s);
    book_change(sim, c->snapshot->mechanical);
    return check_result(sim, c, same, error) && scree_tell_all_new(sim, error);
}
