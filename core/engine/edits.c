/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: modifiers' edits, insertion, deletion, renumbering. */
#include "engine/edits.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "engine/body_change.h"
#include "engine/body_index.h"
#include "engine/bonds.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/evaluate.h"
#include "engine/extent.h"
#include "engine/leaves.h"
#include "engine/loads.h"
#include "engine/motion.h"
#include "engine/notify.h"
#include "engine/pose.h"
#include "engine/state.h"
#include "engine/type_pairs.h"
#include "plugin/call.h"
#include "plugin/events.h"
#include "plugin/instance.h"
#include "plugin/struct_size.h"
#include "scene/new_bodies.h"
#include "scene/query_service.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

/** A call of a modifier, kept until the end of the step. */
typedef struct edit {
    uint64_t id;
    bool remove, release;
    scree_body_values to; // other edits
} edit;

enum {
    MOST_INSERTS = 10000000,      // by a modifier in one step
    MANY_INSERTS = 65536,         // in one step: above it, a modifier is blamed for a shortage
    LOOK_INSERTS = 4096,          // inserts between checks of the free memory
    MOST_REFUSED_EDITS = 1000000, // in one call: the modifier ignores the answers
};

struct scree_edit_queue {
    GArray *edits, *inserts;   /* elements: edit; scree_body */
    GArray *bonds;             /* elements: scree_bond_pair */
    scree_start_values starts; /* of inserted bodies */
    uint64_t next_id;
    uint64_t refusals;        /* number of refusals in this call */
    bool starved;             /* memory ran out in one of them */
    scree_instance *modifier; /* the one that is called */
    uint32_t group;           /* group of the bodies that it inserts */
    uint32_t *by_id;          /* scree_body_index_new, made when needed */
    scree_edits edits_of; /* the modifier's argument; it stays valid, so that late calls end here */
    bool open;            /* the call has not returned */
    bool collects;        /* edits of the current step are collected, not yet applied */
};

static void insert(scree_sim *sim, const scree_body *body)
{
    scree_world *w = sim->world;
    uint32_t i = w->n;
    scree_world_add(w, body, scree_sim_time(sim));
    g_array_append_val(sim->edits.edited, body->id);
    sim->edits.newcomers = true;
    if (body->motion != SCREE_MOTION_FREE)
        return;
    for (int k = 0; k < 3; k++) // only its weight acts until the next evaluation
        w->wrench[(size_t)i * SCREE_WRENCH + k] = w->mass[i] * w->gravity[k];
    scree_energy_book(&sim->account, scree_energy_body(sim, i), 0.0);
}

/** Sorts the storage, in the memory of the mirrors, which the next evaluation overwrites. `dead`:
 * one value per current body, or NULL. Lists keep their contacts with the new numbers. */
static void reorder_bodies(scree_sim *sim, double cell, const uint8_t *dead, uint32_t n_old)
{
    scree_world *w = sim->world;
    uint32_t n_now = w->n, n_free = w->n_free;
    uint32_t *new_of_old = scree_scratch_take(sim->scratch, (size_t)n_now * sizeof *new_of_old);
    bool moved = scree_world_sort(w, cell, dead, new_of_old, sim->scratch);
    if (!moved && n_now == n_old && w->n_free == n_free)
        return;
    if (cell > 0.0)
        sim->boxes.numbered = sim->boxes.valid = false;
    else
        scree_extent_renumbered(sim, new_of_old, n_old);
    w->numbering++;
    scree_world_view(sim->world, &sim->view);
    scree_contacts_renumber(sim, new_of_old);
}

/** Rebuilds the storage; one of `dead` and `inserts` (scree_body) is NULL. */
static void rebuild(scree_sim *sim, double cell, const uint8_t *dead, const GArray *inserts)
{
    scree_world *w = sim->world;
    uint32_t n_old = w->n;
    sim->displacements.current = false; // they are those of the previous bodies
    sim->plugins.contact.reach_known = sim->plugins.contact.reach_known && !dead && !inserts;
    if (inserts)
        for (guint k = 0; k < inserts->len; k++)
            insert(sim, &g_array_index(inserts, scree_body, k));
    const bool given =
        !inserts || scree_columns_start(sim, &sim->edits.queue->starts, inserts, n_old, NULL);
    g_assert(given); // insert() has checked that the fields exist
    scree_world_lend(w, sim->scratch);
    reorder_bodies(sim, cell, dead, n_old);
    scree_scratch_end(sim->scratch);
}

void scree_renumber(scree_sim *sim)
{
    rebuild(sim, sim->renumber.cell, NULL, NULL);
}

bool scree_remove_bodies(scree_sim *sim, const uint8_t *dead, GError **error)
{
    const scree_world *w = sim->world;
    double held;
    if (!scree_modifiers_store(sim, dead, &held, error))
        return false;
    scree_energy_book(&sim->account, -held, -held);
    scree_energy_add_stored(sim, dead, sim->contacts.committed, -1.0, &sim->account.stored);
    scree_energy_add_stored(sim, dead, sim->contacts.committed, -1.0, &sim->account.work);
    for (uint32_t i = 0; i < w->n_free; i++)
        if (dead[i])
            scree_energy_book(&sim->account, -scree_energy_body(sim, i), 0.0);
    rebuild(sim, 0.0, dead, NULL);
    return true;
}

/** Returns whether a body may have these values: finite numbers, a unit quaternion, in 2D inside
 * the plane. Each may be NULL. */
static bool is_sound_edit(const scree_world *world, const double *x, const double *q,
                          const double *v, const double *w)
{
    const double *three[] = {x, v, w};
    double square = 0.0;
    bool flat = world->dimension == 2, sound = true;
    if (q)
        for (int k = 0; k < 4; k++)
            square += q[k] * q[k];
    for (size_t i = 0; i < G_N_ELEMENTS(three); i++)
        if (three[i])
            for (int k = 0; k < 3; k++)
                sound = sound && isfinite(three[i][k]);
    if (flat)
        sound = sound && (!x || x[2] == 0.0) && (!v || v[2] == 0.0) &&
                (!w || (w[0] == 0.0 && w[1] == 0.0)) && (!q || (q[1] == 0.0 && q[2] == 0.0));
    return sound && (!q || fabs(square - 1.0) < 1e-6);
}

/** Prints why an edit of a modifier is refused. */
G_GNUC_PRINTF(2, 3)
static int32_t refuse_edit(const scree_sim *sim, const char *format, ...)
{
    const scree_host *host = &sim->edits.queue->modifier->host;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    sim->edits.queue->modifier->refused = true;
    if (++sim->edits.queue->refusals > MOST_REFUSED_EDITS)
        scree_ends_endless(text);
    return host->fail(host->ctx, SCREE_E_CONFIG, text);
}

/** Returns whether a modifier's struct has all members of the ABI's first minor version. */
static bool is_whole(const scree_sim *sim, const char *call, uint32_t size, size_t least)
{
    if (size >= least)
        return true;
    refuse_edit(sim, "%s: expected a struct of size %zu or more, got %u", call, least, size);
    return false;
}

/** Returns whether the modifier edits during its own call. Later edits are refused, and blamed on
 * the plugin that is called on this thread. */
static bool has_open_axis(const scree_sim *sim)
{
    scree_instance *caller = scree_guard_here()->now.instance;
    if (sim->edits.queue->open && caller == sim->edits.queue->modifier)
        return true;
    scree_instance_misbehaved(caller ? caller : sim->edits.queue->modifier,
                              "it used edits that were given to another call of after_step, which "
                              "has returned");
    return false;
}

/** Returns whether new bodies are not too many, and now and then, whether memory is left for them.
 * A modifier that inserts a plausible number of bodies is not blamed for a shortage. */
static bool has_room_for_bodies(const scree_sim *sim)
{
    uint64_t n = sim->edits.queue->inserts->len, per_body = scree_world_body_bytes() + 64;
    if (n >= MOST_INSERTS)
        return false;
    if (sim->edits.queue->next_id % LOOK_INSERTS)
        return true;
    // The queue may double, and growing columns are copied.
    uint64_t need =
        (n + LOOK_INSERTS) * (2 * sizeof(scree_body) + per_body) + sim->world->n * per_body;
    if (scree_room_left() > need)
        return true;
    if (n < MANY_INSERTS)
        scree_out_of_memory(need, NULL);
    return false;
}

/** Prints why body i of an insertion is refused. Always false. */
static bool refuse_body(const scree_sim *sim, const scree_new_bodies *from, uint32_t i,
                        const char *why)
{
    scree_instance *modifier = sim->edits.queue->modifier;
    const bool before = modifier->refused;
    if (!from->file) {
        refuse_edit(sim, "insert: %s", why);
        return false;
    }
    refuse_edit(sim, "%.200s:%u: insert: %s", from->file, from->line[i], why);
    modifier->refused = before; // a row of the input is wrong, not the modifier
    return false;
}

/** Checks a body as a scene does at the start, and that resolvers serve it. Returns why it is
 * refused, a new string, or NULL. */
static char *find_insert_fault(const scree_sim *sim, const scree_new_bodies *from, uint32_t i,
                               const scree_body *body)
{
    const scree_scene *s = sim->scene;
    const char *fault = scree_new_body_fault(s, body, SCREE_NEW_BODY);
    double mass, inertia[3];
    if (fault)
        return g_strdup_printf("body %u of %u: %s", i + 1, from->n, fault);
    const scree_shape *shape = sim->world->shapes[body->shape];
    if (!scree_type_pairs_serve(sim, body->shape))
        return g_strdup_printf("no body of shape \"%s\" can be in this scene: neither a body nor a "
                               "recipe had it at the start, so that no resolver serves it",
                               (const char *)s->shape_names->pdata[body->shape]);
    if (!scree_motion_is_sane(sim, body->scale * shape->radius, body->v))
        return g_strdup_printf("a velocity of (%g, %g, %g) m/s in a step of %g s", body->v[0],
                               body->v[1], body->v[2], sim->dt);
    if (body->motion != SCREE_MOTION_FREE)
        return NULL;
    scree_shape_mass(shape, body->scale, s->density[body->material], s->thickness, &mass, inertia);
    if (scree_shape_mass_moves(mass, inertia))
        return NULL;
    return g_strdup_printf("a %sradius of %g m gives a mass of %g kg and a moment of inertia of %g "
                           "kg m^2, which no force could turn into a motion",
                           scree_shape_is_round(shape) ? "" : "bounding ",
                           shape->radius * body->scale, mass, inertia[0]);
}

/** Puts body i into the queue. False: it is refused. */
static bool take_body(const scree_sim *sim, const scree_new_bodies *from, uint32_t i)
{
    scree_edit_queue *queue = sim->edits.queue;
    const scree_world *w = sim->world;
    scree_body body = scree_new_bodies_read(from, i, w->dimension, SCREE_NEW_BODY);
    g_autofree char *why = find_insert_fault(sim, from, i, &body);
    queue->starved = queue->starved || (!why && !has_room_for_bodies(sim));
    if (!why && queue->starved)
        why = g_strdup_printf("body %u of this step, with %u bodies in the scene: there is no "
                              "memory for more, or they are more than %d",
                              queue->inserts->len + 1, w->n, MOST_INSERTS);
    if (why)
        return refuse_body(sim, from, i, why);
    if (from->frame == SCREE_FRAME_OF_SHAPE)
        scree_shape_enter_frame(w->shapes[body.shape], body.scale, body.x, body.q);
    body.id = queue->next_id++;
    body.group = queue->group;
    body.start = scree_start_values_take(&queue->starts, from, i);
    g_array_append_val(queue->inserts, body);
    return true;
}

/** Checks that the scene has the fields of start values. */
static bool check_fields(const scree_sim *sim, const scree_new_bodies *from)
{
    g_autoptr(GError) error = NULL;
    for (uint32_t f = 0; f < from->n_fields; f++) {
        const scree_start_field *field = from->fields[f];
        if (!scree_columns_find(sim, field->name, field->components, &error)) {
            refuse_edit(sim, "insert: %s", error->message);
            return false;
        }
    }
    return true;
}

static int32_t edit_insert(void *ctx, const scree_new_bodies *from, uint64_t *id)
{
    scree_sim *sim = ctx;
    if (!has_open_axis(sim))
        return SCREE_E_INTERNAL;
    scree_edit_queue *queue = sim->edits.queue;
    if (!is_whole(sim, "insert", from->size, SCREE_SIZE_TO(scree_new_bodies, line)))
        return SCREE_E_CONFIG;
    const char *gap = scree_new_bodies_gap(from, sim->world->dimension, SCREE_NEW_BODY);
    if (gap)
        return refuse_edit(sim, "insert: %s", gap);
    if (!check_fields(sim, from))
        return SCREE_E_CONFIG;
    const uint64_t first = queue->next_id;
    for (uint32_t i = 0; i < from->n; i++)
        if (!take_body(sim, from, i)) {
            g_array_set_size(queue->inserts, queue->inserts->len - i);
            queue->next_id = first;
            return SCREE_E_CONFIG;
        }
    const uint32_t n = id ? from->n : 0;
    for (uint32_t i = 0; i < n; i++)
        id[i] = first + i;
    return SCREE_OK;
}

/** Returns the storage number of a body, or SCREE_NONE. A few walls need no index. */
static uint32_t place_of(const scree_sim *sim, uint64_t id)
{
    enum { FEW = 64 };
    const scree_world *w = sim->world;
    if (!sim->edits.queue->by_id)
        for (uint32_t i = w->n_free; i < w->n && i < w->n_free + FEW; i++)
            if (w->id[i] == id)
                return i;
    if (!sim->edits.queue->by_id)
        sim->edits.queue->by_id = scree_body_index_new(sim->world);
    return scree_body_index_find(sim->world, sim->edits.queue->by_id, id);
}

static int32_t edit_remove(void *ctx, uint64_t id)
{
    scree_sim *sim = ctx;
    edit one = {.id = id, .remove = true};
    if (!has_open_axis(sim))
        return SCREE_E_INTERNAL;
    if (place_of(sim, id) == SCREE_NONE)
        return refuse_edit(sim, "remove: there is no body %" PRIu64, id);
    g_array_append_val(sim->edits.queue->edits, one);
    return SCREE_OK;
}

/** Reads a change. Returns why it is invalid, a new string; NULL: it is valid. */
static char *read_set(const scree_sim *sim, const scree_body_change *change, edit *one)
{
    const uint64_t id = change->id;
    const uint32_t *motion = SCREE_HAS(change, motion) ? change->motion : NULL;
    *one = (edit){.id = id, .release = motion};
    char *why = NULL;
    uint32_t i = place_of(sim, id);
    if (i == SCREE_NONE)
        return g_strdup_printf("set: there is no body %" PRIu64, id);
    if (!is_sound_edit(sim->world, change->x, change->q, change->v, change->w))
        return g_strdup_printf("set: pose or velocity of body %" PRIu64
                               " is not finite, not unit or not in the plane",
                               id);
    if (motion && *motion != SCREE_MOTION_FREE)
        return g_strdup_printf("set: motion %u of body %" PRIu64 ": expected SCREE_MOTION_FREE",
                               *motion, id);
    if (motion && scree_shape_is_wall(sim->world->shapes[sim->world->shape[i]]))
        return g_strdup_printf("set: body %" PRIu64 " has no mass, it cannot be free", id);
    if (!motion && sim->world->motion[i] == SCREE_MOTION_FIXED && (change->v || change->w))
        return g_strdup_printf("set: body %" PRIu64 " is fixed, it has no velocity", id);
    if (change->v && !scree_motion_is_sane(sim, sim->world->radius[i], change->v))
        return g_strdup_printf("set: a velocity of (%g, %g, %g) m/s of body %" PRIu64
                               " in a step of %g s",
                               change->v[0], change->v[1], change->v[2], id, sim->dt);
    return scree_body_values_read(sim, i, change, &one->to, &why) ? NULL : why;
}

static int32_t edit_set(void *ctx, const scree_body_change *change)
{
    scree_sim *sim = ctx;
    edit one;
    if (!has_open_axis(sim))
        return SCREE_E_INTERNAL;
    if (!is_whole(sim, "set", change->size, SCREE_SIZE_TO(scree_body_change, w)))
        return SCREE_E_CONFIG;
    g_autofree char *why = read_set(sim, change, &one);
    if (why)
        return refuse_edit(sim, "%s", why);
    g_array_append_val(sim->edits.queue->edits, one);
    return SCREE_OK;
}

static int32_t edit_load(void *ctx, uint64_t id, scree_load *out)
{
    scree_sim *sim = ctx;
    g_autoptr(GError) error = NULL;
    if (!has_open_axis(sim))
        return SCREE_E_INTERNAL;
    uint32_t i = place_of(sim, id);
    if (i == SCREE_NONE)
        return refuse_edit(sim, "load: there is no body %" PRIu64, id);
    if (sim->world->motion[i] == SCREE_MOTION_FREE)
        return refuse_edit(sim, "load: body %" PRIu64 " is free; expected a fixed or kinematic one",
                           id);
    if (!(sim->edits.queue->modifier->demands.needs & SCREE_WANTS_LOADS))
        return refuse_edit(sim, "load: a plugin that asks for it needs SCREE_WANTS_LOADS");
    return scree_loads_of(sim, i, out, &error) ? SCREE_OK
                                               : refuse_edit(sim, "load: %s", error->message);
}

static int32_t edit_bond(void *ctx, uint32_t n, const uint64_t *a, const uint64_t *b)
{
    scree_sim *sim = ctx;
    if (!has_open_axis(sim))
        return SCREE_E_INTERNAL;
    const scree_edit_queue *queue = sim->edits.queue;
    const guint before = queue->bonds->len;
    if (!scree_bonds_law(sim))
        return refuse_edit(sim, "bond: no force law of the scene makes bonds (%s)",
                           SCREE_EXTENSION_BONDS);
    if (n && (!a || !b))
        return refuse_edit(sim, "bond: a or b is NULL");
    for (uint32_t k = 0; k < n; k++) {
        const scree_bond_pair pair = {{a[k], b[k]}, 0};
        uint64_t missing = SCREE_NO_BODY;
        for (int e = 0; e < 2; e++)
            if (place_of(sim, pair.id[e]) == SCREE_NONE &&
                (pair.id[e] < sim->world->next_id || pair.id[e] >= queue->next_id))
                missing = pair.id[e];
        g_array_append_val(queue->bonds, pair);
        if (a[k] != b[k] && missing == SCREE_NO_BODY)
            continue;
        g_array_set_size(queue->bonds, before);
        return a[k] == b[k] ? refuse_edit(sim, "bond: of body %" PRIu64 " to itself", a[k])
                            : refuse_edit(sim, "bond: there is no body %" PRIu64, missing);
    }
    return SCREE_OK;
}

void scree_edits_placed(const scree_sim *sim, guint *n_edits, guint *n_inserts, GArray *bodies)
{
    const scree_world *w = sim->world;
    scree_edit_queue *queue = sim->edits.queue;
    if (!queue || !queue->collects)
        return;
    for (; *n_inserts < queue->inserts->len; ++*n_inserts)
        g_array_append_val(bodies, g_array_index(queue->inserts, scree_body, *n_inserts));
    for (; *n_edits < queue->edits->len; ++*n_edits) {
        const edit *one = &g_array_index(queue->edits, edit, *n_edits);
        uint32_t i = place_of(sim, one->id);
        const scree_body_values *to = &one->to;
        scree_body body = scree_world_body(w, i);
        if (to->has[0])
            memcpy(body.x, to->value[0], sizeof body.x);
        if (to->has[1])
            memcpy(body.q, to->value[1], sizeof body.q);
        body.scale = to->remade && to->scale > 0.0 ? to->scale : body.scale;
        body.shape = to->remade && to->shape != SCREE_NONE ? to->shape : body.shape;
        if (to->has[0] || to->has[1] || to->remade)
            g_array_append_val(bodies, body);
    }
}

static int compare_edits(const void *a, const void *b)
{
    uint64_t ia = ((const edit *)a)->id, ib = ((const edit *)b)->id;
    return ia < ib ? -1 : ia > ib;
}

/** Frees a fixed or kinematic body, with the velocities that it has. */
static void release_body(scree_sim *sim, uint32_t i)
{
    scree_world *w = sim->world;
    if (w->motion[i] == SCREE_MOTION_FREE)
        return; // it is free, or was freed twice
    w->motion[i] = SCREE_MOTION_FREE;
    w->inv_mass[i] = 1.0 / w->mass[i];
    scree_world_free_inertia(w, i);
    scree_world_enter_leaf(w, i);
    for (int k = 0; k < 3; k++) // only its weight acts until the next evaluation
        w->wrench[(size_t)i * SCREE_WRENCH + k] = w->mass[i] * w->gravity[k];
    if (sim->boxes.valid)
        sim->boxes.must_renew[i] = 1;
    sim->contacts.stale = true;
    scree_fresh_forget(sim, i);
    g_array_append_val(sim->edits.edited, w->id[i]);
    scree_energy_book(&sim->account, scree_energy_body(sim, i), 0.0);
}

/** Sets and frees the bodies in the queue, except dead ones. */
static bool set_bodies(scree_sim *sim, const uint8_t *dead, bool *any_released, GError **error)
{
    const GArray *edits = sim->edits.queue->edits;
    bool remade = false;
    scree_remaking remaking = {0};
    for (guint e = 0; e < edits->len && !remade; e++)
        remade = g_array_index(edits, edit, e).to.remade;
    if (remade && !scree_remaking_begin(sim, &remaking, error))
        return false;
    for (guint e = 0; e < edits->len; e++) {
        const edit *one = &g_array_index(edits, edit, e);
        uint32_t i = place_of(sim, one->id);
        if (dead[i])
            continue;
        *any_released = *any_released || one->release;
        scree_body_set(sim, i, &one->to, &remaking);
        if (one->release)
            release_body(sim, i);
    }
    return !remade || scree_remaking_end(sim, &remaking, error);
}

/** Removes, sets, frees and inserts the bodies in the queue. */
static bool run_queue(scree_sim *sim, GError **error)
{
    scree_edit_queue *queue = sim->edits.queue;
    g_array_sort(queue->edits, compare_edits);
    g_autofree uint8_t *dead = g_new0(uint8_t, sim->world->n + queue->inserts->len + 1);
    bool any_dead = false, any_released = false;
    for (guint e = 0; e < queue->edits->len; e++) {
        const edit *one = &g_array_index(queue->edits, edit, e);
        if (one->remove)
            dead[place_of(sim, one->id)] = any_dead = true;
    }
    if (!set_bodies(sim, dead, &any_released, error))
        return false;
    if (any_dead && !scree_remove_bodies(sim, dead, error)) // also sorts freed bodies
        return false;
    if (!any_dead && any_released)
        rebuild(sim, 0.0, NULL, NULL);
    if (queue->inserts->len)
        rebuild(sim, 0.0, NULL, queue->inserts);
    return true;
}

/** Returns whether a modifier edits after the last step: only by steps or simulated time, because
 * edits are part of the trajectory. */
static bool edits_now(const scree_sim *sim, const scree_timed_choice *timed)
{
    if (timed->every_steps)
        return sim->step % timed->every_steps == 0;
    return !(timed->every_time > 0.0) ||
           scree_interval_ends(timed->every_time, scree_sim_time_at(sim, sim->step - 1),
                               scree_sim_time(sim));
}

/** Opens the queue for the edits of one modifier. */
static void open_queue(const scree_sim *sim, scree_instance *instance,
                       const scree_timed_choice *timed)
{
    scree_edit_queue *queue = sim->edits.queue;
    const uint32_t group = scree_scene_group(sim->scene, timed->name);
    queue->group = group == SCREE_NONE ? 0 : group;
    queue->modifier = instance;
    queue->refusals = 0;
    queue->starved = false;
    queue->open = true;
    instance->refused = false;
    g_clear_pointer(&instance->error,
                    g_free); // left by an earlier refused edit
}

static bool ask_modifier(scree_sim *sim, scree_instance *instance, GError **error)
{
    const scree_modifier_ops *ops = instance->ops;
    scree_edit_queue *queue = sim->edits.queue;
    const scree_step step = {.size = sizeof step,
                             .bodies = &sim->view,
                             .edits = &queue->edits_of,
                             .step = sim->step,
                             .time = scree_sim_time(sim),
                             .dt = sim->dt,
                             .body_fields = sim->world->field + instance->first_body_field,
                             .global_fields =
                                 sim->plugins.body.global_field + instance->first_global_field};
    scree_event_log_open(sim->runtime.events);
    scree_modifier_lend_fields(sim, instance);
    scree_query_service_open(sim->asked.service, sim->plugins.contact.resolvers);
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "after_step");
    int32_t code = ops->after_step(instance->self, &step);
    code = scree_call_end(&call, code, SCREE_OK, NULL);
    scree_modifier_take_fields(&sim->view);
    queue->open = false;
    scree_fresh_seen(sim, instance);
    if (scree_query_service_close(sim->asked.service, error))
        return false;
    if (code < 0)
        scree_event_log_drop(sim->runtime.events);
    else if (!scree_event_log_take(sim->runtime.events, sim->step, scree_sim_time(sim),
                                   sim->runtime.output_dir, error))
        return false;
    if (queue->starved && code >= 0) // it ignored the shortage
        code = SCREE_E_CONFIG;
    return code >= 0 || scree_call_failed(instance, "after_step", code, error);
}

static bool ask_modifiers(scree_sim *sim, GError **error)
{
    sim->edits.queue->edits_of = (scree_edits){.size = sizeof(scree_edits),
                                               .ctx = sim,
                                               .insert = edit_insert,
                                               .remove = edit_remove,
                                               .set = edit_set,
                                               .bond = edit_bond,
                                               .load = edit_load};
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        scree_instance *instance = sim->plugins.body.modifiers->pdata[m];
        const scree_modifier_ops *ops = instance->ops;
        const scree_timed_choice *timed = sim->plugins.body.modifier_slots->pdata[m];
        if (!SCREE_HAS(ops, after_step) || !edits_now(sim, timed))
            continue;
        open_queue(sim, instance, timed);
        if (!ask_modifier(sim, instance, error))
            return false;
    }
    return true;
}

/** Empties the queue, which it makes if need be. */
static scree_edit_queue *clear_queue(scree_sim *sim)
{
    if (!sim->edits.queue) {
        sim->edits.queue = g_new0(scree_edit_queue, 1);
        sim->edits.queue->edits = g_array_new(FALSE, FALSE, sizeof(edit));
        sim->edits.queue->inserts = g_array_new(FALSE, FALSE, sizeof(scree_body));
        sim->edits.queue->bonds = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
    }
    g_array_set_size(sim->edits.queue->edits, 0);
    g_array_set_size(sim->edits.queue->inserts, 0);
    g_array_set_size(sim->edits.queue->bonds, 0);
    scree_start_values_clear(&sim->edits.queue->starts);
    sim->edits.queue->next_id = sim->world->next_id;
    scree_query_service_forget(sim->asked.service);
    return sim->edits.queue;
}

bool scree_edits_apply(scree_sim *sim, GError **error)
{
    if (!sim->plugins.body.modifiers->len)
        return true;
    clear_queue(sim)->collects = true;
    bool done = ask_modifiers(sim, error);
    sim->edits.queue->collects = false;
    scree_query_service_forget(sim->asked.service);
    if (done && (sim->edits.queue->edits->len || sim->edits.queue->inserts->len))
        done = run_queue(sim, error) && scree_pose(sim, scree_sim_time(sim), error);
    g_clear_pointer(&sim->edits.queue->by_id, g_free);
    if (done && sim->edits.queue->bonds->len)
        done = scree_bonds_add(sim, sim->edits.queue->bonds, error);
    return done;
}

bool scree_edits_set(scree_sim *sim, const scree_body_change *changes, uint64_t n, bool *refused,
                     GError **error)
{
    scree_edit_queue *queue = clear_queue(sim);
    g_autofree char *why = NULL;
    for (uint64_t k = 0; k < n && !why; k++) {
        edit one;
        why = read_set(sim, &changes[k], &one);
        g_array_append_val(queue->edits, one);
    }
    *refused = why && !scree_fail(error, SCREE_EXIT_USAGE, "%s", why);
    const bool done = !why && run_queue(sim, error) && scree_pose(sim, scree_sim_time(sim), error);
    g_clear_pointer(&queue->by_id, g_free);
    return done;
}

void scree_edits_clear(scree_edit_state *edits)
{
    if (!edits->queue)
        return;
    g_array_unref(edits->queue->edits);
    g_array_unref(edits->queue->inserts);
    g_array_unref(edits->queue->bonds);
    scree_start_values_clear(&edits->queue->starts);
    g_clear_pointer(&edits->queue, g_free);
}
