/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the state of a checkpoint into a run after it was matched, mapped and checked. */
#include "tools/restart/restart.h"

#include "base/say.h"
#include "change/swap_apply.h"
#include "config/config.h"
#include "engine/bonds.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/energy.h"
#include "engine/leaves.h"
#include "engine/sim.h"
#include "engine/sim_plugins.h"
#include "engine/snapshot.h"
#include "engine/trial_forces.h"
#include "engine/type_pairs.h"
#include "plugin/kinds.h"
#include "plugin/plugin_state.h"
#include "run/checkpoint.h"
#include "scene/scene.h"
#include "shape/plugin_shape.h"
#include "tools/restart/acted_entries.h"
#include "tools/restart/checkpoint_read.h"
#include "tools/restart/conditions_restore.h"
#include "tools/restart/identity_match.h"
#include "tools/restart/scene_again.h"
#include "tools/restart/shape_sum.h"
#include "tools/restart/snapshot_restore.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const scree_saved_plugin *find_plugin(const GArray *plugins, const char *kind,
                                             const char *id)
{
    for (guint i = 0; i < plugins->len; i++) {
        const scree_saved_plugin *one = &g_array_index(plugins, scree_saved_plugin, i);
        if (!strcmp(one->kind, kind) && !strcmp(one->id, id))
            return one;
    }
    return NULL;
}

/** Checks that each plugin that was in use, and is again, has the same file. */
static bool check_plugins(const scree_sim *sim, const scree_checkpoint *c, bool allow,
                          GPtrArray *notes, GError **error)
{
    g_autoptr(GArray) now = scree_saved_plugins_for_restart(sim);
    g_autoptr(GString) changed = g_string_new(NULL);
    for (guint i = 0; i < now->len; i++) {
        const scree_saved_plugin *b = &g_array_index(now, scree_saved_plugin, i);
        const scree_saved_plugin *a = find_plugin(c->plugins, b->kind, b->id);
        if (!a || !strcmp(a->sha256, b->sha256) || find_plugin(now, b->kind, b->id) != b)
            continue;
        g_autofree char *what =
            g_strdup_printf("%s/%s: expected the file with SHA-256 %s (version %s, %s, %s), got %s "
                            "(version %s, %s, %s)",
                            b->kind, b->id, a->sha256, a->version, a->cpu_level, a->path, b->sha256,
                            b->version, b->cpu_level, b->path);
        if (allow || strcmp(a->cpu_level, b->cpu_level))    // another level is another file, not
            g_ptr_array_add(notes, g_steal_pointer(&what)); // another plugin
        else
            g_string_append_printf(changed, "%s%s", changed->len ? "\n  " : "", what);
    }
    if (!changed->len)
        return true;
    return scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s\n  (--allow-plugin-change goes on with the current files)", changed->str);
}

/** Returns whether the plugin in a slot has taken its state from the checkpoint. */
static bool is_taken(const scree_checkpoint *c, const char *slot)
{
    const scree_saved_state *from = scree_saved_states_find(c->states, slot);
    return from && from->claimed;
}

/** Checks that each plugin continues with its state, if it was in use before and has a state. */
static bool check_states(const scree_sim *sim, const scree_checkpoint *c, bool allow,
                         GPtrArray *notes, GError **error)
{
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    for (guint i = 0; i < all->len; i++) {
        const scree_instance *one = all->pdata[i];
        const char *kind = scree_kind_name(one->plugin->kind);
        bool was = false;
        for (guint k = 0; k < c->plugins->len; k++) {
            const scree_saved_plugin *kept = &g_array_index(c->plugins, scree_saved_plugin, k);
            was = was || (!strcmp(kept->slot, one->slot) && !strcmp(kept->id, one->plugin->id));
        }
        if (!one->state || is_taken(c, one->slot))
            continue;
        if (was && !allow)
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "%s: it has no state of %s/%s (%s), which goes on from one\n"
                              "  (--allow-plugin-change begins without it)",
                              c->path, kind, one->plugin->id, one->slot);
        g_ptr_array_add(notes, g_strdup_printf("%s: %s/%s begins without a state", one->slot, kind,
                                               one->plugin->id));
    }
    const GPtrArray *states = c->snapshot->states;
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_saved_state *one = states->pdata[i];
        if (!is_taken(c, one->slot))
            g_ptr_array_add(notes, g_strdup_printf("%s: the state of %s/%s is dropped", one->slot,
                                                   one->kind, one->id));
    }
    return true;
}

/** Returns whether the hash has all states, and no others. */
static bool has_same_states(const scree_sim *sim, const scree_checkpoint *c)
{
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    guint n = 0;
    for (guint i = 0; i < all->len; i++) {
        const scree_instance *one = all->pdata[i];
        n += one->state && is_taken(c, one->slot);
        if (one->state && !is_taken(c, one->slot))
            return false;
    }
    return n == (c->snapshot->states ? c->snapshot->states->len : 0);
}

/** Maps numbers of groups in the stored scene to those in the new scene. */
static uint32_t *map_groups(const scree_identity *stored, const scree_identity *given)
{
    uint32_t *map = g_new(uint32_t, stored->groups->len + 1);
    for (guint g = 0; g < stored->groups->len; g++)
        map[g] = scree_identity_find(given->groups,
                                     g_array_index(stored->groups, scree_identity_part, g).name);
    return map;
}

static bool fail_body(GError **error, const scree_checkpoint *c, uint64_t id, const char *what)
{
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: body %" PRIu64 " %s", c->path, id, what);
}

/** Checks that the scene has the shape, material and group of a body. */
static bool check_body(const scree_sim *sim, const scree_checkpoint *c, uint32_t i,
                       const uint32_t *groups, GError **error)
{
    const scree_world *w = c->snapshot->world;
    const scree_scene *scene = sim->scene;
    if (w->shape[i] >= scene->shapes->len)
        return fail_body(error, c, w->id[i], "has a shape that the scene does not have");
    if (w->material[i] >= scene->materials.n)
        return fail_body(error, c, w->id[i], "has a material that the scene does not have");
    if (w->group[i] >= c->identity->groups->len || groups[w->group[i]] == SCREE_NONE)
        return fail_body(error, c, w->id[i],
                         "belongs to a group that the scene does not have: the modifier that "
                         "inserted it is missing");
    if (!scree_type_pairs_serve(sim, w->shape[i]))
        return fail_body(error, c, w->id[i],
                         "has a shape that no body of the scene has: the modifier that inserted it "
                         "is missing");
    const scree_shape *shape = scene->shapes->pdata[w->shape[i]];
    if (w->motion[i] == SCREE_MOTION_FREE && shape->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE))
        return fail_body(error, c, w->id[i], "is free, but its shape has no mass");
    return true;
}

static void add_body(scree_world *to, const scree_world *from, uint32_t i, uint32_t group)
{
    scree_body body = scree_world_body(from, i);
    body.group = group;
    scree_world_add(to, &body, 0.0);
    for (int k = 0; k < 3; k++) {
        to->v[k][i] = from->v[k][i]; // a body that was stopped may keep its old velocity
        to->w[k][i] = from->w[k][i];
        if (from->image[k][i])
            to->image[k][i] = from->image[k][i];
    }
    if (i >= from->n_free)
        for (int k = 0; k < 13; k++)
            to->anchor[k][i] = from->anchor[k][i];
    if (i >= from->n_free)
        to->anchor_time[i] = from->anchor_time[i];
    memcpy(to->wrench + (size_t)i * SCREE_WRENCH, from->wrench + (size_t)i * SCREE_WRENCH,
           SCREE_WRENCH * sizeof(double));
}

/** Makes the bodies, with masses and radii from the scene. */
static scree_world *make_world(scree_sim *sim, const scree_checkpoint *c,
                               const scree_legacy *legacy, GError **error)
{
    const scree_world *from = c->snapshot->world;
    scree_world *w = scree_world_new(sim->scene, sim->plugins.body.n_fields);
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
    const scree_body_fields saved = {from->n_fields, from->field, from->field_initial};
    const int32_t *sources = (const int32_t *)(const void *)legacy->from[SCREE_SCOPE_BODY]->data;
    scree_body_fields fields =
        scree_world_fields_new(w, &saved, w->n_fields, sources, w->field_initial);
    scree_world_fields_exchange(w, &fields);
    scree_body_fields_clear(&fields);
    w->next_id = from->next_id;
    scree_world_lend(w, sim->scratch);
    bool moved = scree_world_sort(w, 0.0, NULL, NULL, sim->scratch);
    scree_scratch_end(sim->scratch);
    if (from->leaf)
        memcpy(w->number, from->number, w->n * sizeof *w->number);
    scree_world_copy_leaves(w, from->leaf ? from : sim->world);
    if (!from->leaf) // an older file
        scree_world_number(w);
    if (!moved)
        return w;
    scree_world_free(w);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%s: expected bodies in storage order",
                c->path);
    return NULL;
}

static scree_contact_store *make_contacts(const scree_sim *sim, const scree_checkpoint *c,
                                          const scree_legacy *legacy)
{
    g_autoptr(GPtrArray) now = scree_keeping_laws_of(sim);
    uint8_t keep[8] = {0};
    for (guint k = 0; k < c->keeping->len; k++)
        for (guint n = 0; n < now->len; n++)
            if (!strcmp(c->keeping->pdata[k], now->pdata[n]))
                keep[k] = (uint8_t)(1u << n);
    return scree_contact_store_map(c->snapshot->contacts, legacy->from[SCREE_SCOPE_CONTACT],
                                   c->snapshot->n_contact_fields, legacy->from[SCREE_SCOPE_PAIR],
                                   c->snapshot->n_pair_fields, keep);
}

/** Maps the state to numbers and fields of this run. */
static scree_snapshot *make_snapshot(scree_sim *sim, const scree_checkpoint *c,
                                     const scree_legacy *legacy, GError **error)
{
    const scree_snapshot *from = c->snapshot;
    scree_world *world = make_world(sim, c, legacy, error);
    if (!world)
        return NULL;
    scree_snapshot *s = g_memdup2(from, sizeof *s);
    s->world = world;
    s->contacts = make_contacts(sim, c, legacy);
    g_autofree double *initial = scree_columns_initial(sim, SCREE_SCOPE_GLOBAL);
    s->global_field = scree_columns_rows(legacy->from[SCREE_SCOPE_GLOBAL], 1, from->n_global_fields,
                                         from->global_field, initial);
    s->states = NULL; // owned by the plugins
    s->fault = NULL;
    s->edited = g_array_copy(from->edited);
    s->n_contact_fields = sim->plugins.contact.n_fields;
    s->n_pair_fields = sim->plugins.contact.n_pair_fields;
    s->n_global_fields = sim->plugins.body.n_global_fields;
    s->fresh_from = scree_columns_fresh(sim->plugins.columns);
    for (uint32_t scope = 1; scope < SCREE_SCOPES; scope++)
        s->n_hashed[scope] = scree_columns_count(sim, scope);
    return s;
}

/** Whether the scene differs from the checkpoint's in one of the keys; the list ends in NULL. */
static bool has_other(const scree_sim *sim, const scree_checkpoint *c, const char *const *keys)
{
    g_autoptr(scree_config) stored = scree_stored_scene_config(c->scene, NULL, NULL);
    if (!stored)
        return false;
    g_autoptr(GPtrArray) differences = scree_config_differences(stored, sim->scene->config);
    for (guint i = 0; i < differences->len; i++)
        for (size_t k = 0; keys[k]; k++)
            if (g_str_has_prefix(differences->pdata[i], keys[k]))
                return true;
    return false;
}

/** Values on which dt = "auto" depends. */
static const char *const sets_dt[] = {"scene.dt",  "scene.gravity", "materials", "material_pairs",
                                      "bodies",    "generate",      "shapes",    "force",
                                      "modifiers", "integrator",    NULL};
/** Values on which the stored energy of a state depends. */
static const char *const sets_stored[] = {"materials", "material_pairs", "force",
                                          "resolvers", "modifiers",      NULL};

/** Sets another time step. The time stays, and so does the step number, on which random numbers
 * depend. A run chooses dt = "auto" for the laws at its start, and keeps it in swaps. So the
 * current laws do not give it once the schedule has acted, and it is chosen again only if the user
 * has changed the scene. */
static void set_clock(const scree_sim *sim, const scree_checkpoint *c, scree_snapshot *s,
                      GPtrArray *notes)
{
    bool keeps = isnan(sim->scene->dt) && c->acted->len > 0 && !has_other(sim, c, sets_dt);
    if (keeps || !memcmp(&sim->dt, &s->dt, sizeof s->dt))
        return;
    g_ptr_array_add(notes, g_strdup_printf("dt: %.9g s, now %.9g s", s->dt, sim->dt));
    s->t0 += (double)(s->step - s->step0) * s->dt;
    s->step0 = s->step;
    s->dt = sim->dt;
}

/** Books the change of energy by other gravity or densities as work. */
static void book_change(scree_sim *sim, double before)
{
    scree_energy energy;
    scree_energy_now(sim, &energy);
    scree_energy_book(&sim->account, energy.kinetic + energy.gravity - before,
                      0.0); // 0.0: no change
}

/** Books the change of stored energy by other laws or values of laws as work, as a swap does. */
static bool book_stored(scree_sim *sim, const scree_checkpoint *c, GPtrArray *notes, GError **error)
{
    double stored;
    if (!sim->plugins.contact.n_laws || !has_other(sim, c, sets_stored))
        return true;
    if (!scree_trial_energy(sim, &stored, error))
        return false;
    const double work = stored - scree_exact_sum_value(&sim->account.stored);
    scree_trial_take_stored(sim);
    scree_energy_book(&sim->account, work, work);
    sim->boxes.valid = sim->boxes.numbered = false; // the first step searches again, as after any
    sim->contacts.stale = true;                     // restart
    g_ptr_array_add(notes, g_strdup_printf("stored energy: %.6g J, now %.6g J; the difference is "
                                           "booked as work",
                                           stored - work, stored));
    return true;
}

/** Checks the number of contacts; also the state's SHA-256, if nothing was mapped. */
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
                    "%s: expected a state with SHA-256 %s, got %s after the restart", c->path,
                    c->state_sha256, is);
    else
        return true;
    return false;
}

/** Returns whether every component of the fields has its previous place. */
static bool is_same(const scree_sim *sim, const scree_checkpoint *c, const scree_legacy *legacy)
{
    bool same = true;
    for (uint32_t scope = 1; scope < SCREE_SCOPES; scope++) {
        same = same && c->snapshot->n_hashed[scope] == scree_columns_count(sim, scope);
        for (guint f = 0; f < legacy->from[scope]->len; f++)
            same = same && g_array_index(legacy->from[scope], int32_t, f) == (int32_t)f;
    }
    return same;
}

static bool put_in(scree_sim *sim, const scree_checkpoint *c, const scree_legacy *legacy,
                   GPtrArray *notes, GError **error)
{
    scree_snapshot *s = make_snapshot(sim, c, legacy, error);
    if (!s)
        return false;
    bool same = is_same(sim, c, legacy) && has_same_states(sim, c);
    for (guint i = 0; i < legacy->notes->len; i++)
        if (!same || strstr(legacy->notes->pdata[i], ": dropped"))
            g_ptr_array_add(notes, g_strdup(legacy->notes->pdata[i]));
    set_clock(sim, c, s, notes);
    same = same && !memcmp(&s->dt, &c->snapshot->dt, sizeof s->dt);
    scree_snapshot_restore(sim, s);
    scree_snapshot_free(s);
    scree_swap_mark_newcomers(sim);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws;
         l++) // a law that was in use has its bonds among the contacts
        sim->plugins.contact.laws[l].bonds_due =
            sim->plugins.contact.laws[l].bonds_due && sim->plugins.contact.laws[l].newcomer;
    book_change(sim, c->snapshot->mechanical);
    return check_result(sim, c, same, error) && scree_bonds_make(sim, error) &&
           book_stored(sim, c, notes, error);
}

scree_sim *scree_restart(scree_scene *scene, const scree_sim_options *given,
                         const scree_checkpoint *c, bool allow_plugin_change, GPtrArray *notes,
                         GError **error)
{
    scree_sim_options options = *given;
    scree_legacy legacy = {.before = c->columns,
                           .n = {0, c->snapshot->contacts->n, c->snapshot->contacts->n_pairs,
                                 c->snapshot->world->n, 1},
                           .states = c->states,
                           .lax = allow_plugin_change};
    scree_identity_sum_shapes(scene->identity, scene->shapes, scree_shape_find_view);
    if (!scree_identity_match(c->identity, scene->identity, error)) {
        scree_scene_free(scene);
        return NULL;
    }
    g_autoptr(GArray) acted = scree_acted_adopt(c, scene, notes);
    legacy.notes = g_ptr_array_new_with_free_func(g_free);
    options.goes_on = &legacy;
    scree_sim *sim = scree_sim_new(scene, &options, error);
    if (sim && (!check_plugins(sim, c, allow_plugin_change, notes, error) ||
                !check_states(sim, c, allow_plugin_change, notes, error) ||
                !put_in(sim, c, &legacy, notes, error)))
        g_clear_pointer(&sim, scree_sim_free);
    if (sim)
        scree_acted_keep(sim, acted, notes);
    if (sim)
        scree_conditions_restore(sim, c->conditions, notes);
    for (uint32_t scope = 0; scope < SCREE_SCOPES; scope++)
        if (legacy.from[scope])
            g_array_unref(legacy.from[scope]);
    g_ptr_array_unref(legacy.notes);
    return sim;
}

scree_sim *scree_restart_begin(scree_scene *scene, const scree_sim_options *options,
                               scree_checkpoint *from, bool allow_plugin_change, GError **error)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_sim *sim = scree_restart(scene, options, from, allow_plugin_change, notes, error);
    for (guint i = 0; i < notes->len; i++)
        scree_say(SCREE_SAY_NOTE, "%s", (const char *)notes->pdata[i]);
    if (!sim)
        return NULL;
    scree_checkpoint_drop_state(from);
    scree_say(SCREE_SAY_NEWS, "continues from %s, step %" G_GUINT64_FORMAT, from->path, sim->step);
    return sim;
}

bool scree_restart_say_differences(const scree_checkpoint *from, const scree_scene *scene,
                                   GError **error)
{
    g_autoptr(scree_config) stored = scree_stored_scene_config(from->scene, NULL, error);
    if (!stored)
        return false;
    g_autoptr(GPtrArray) differences = scree_config_differences(stored, scene->config);
    for (guint i = 0; i < differences->len; i++)
        scree_say(SCREE_SAY_NEWS, "differs from the checkpoint: %s",
                  (const char *)differences->pdata[i]);
    return true;
}
