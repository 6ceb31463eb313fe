/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shape types that can meet: the resolver and the laws of each. */
#include "engine/type_pairs.h"

#include <string.h>

#include "engine/columns.h"
#include "plugin/instance.h"
#include "plugin/quantities.h"
#include "scene/scene_bonds.h"
#include "scene/scene_runtime.h"
#include "shape/shape.h"

/*
 * A pair of types with at least one type that can be free has one list of candidates. The first
 * resolver of the scene that serves the pair, and gives the needs of its laws, gets it. A law acts
 * between all types, or between those in its key `between`.
 */

enum { MOST_LAWS = 64 }; /* one bit each */

/** Returns the code of the type of shape i. */
static uint32_t code_of(const scree_scene *scene, uint32_t i)
{
    return ((const scree_shape *)scene->shapes->pdata[i])->type;
}

/** Returns the scene's type with this code. */
static const scree_shape_type *type_of(const scree_sim *sim, uint32_t code)
{
    return sim->scene->shape_types->pdata[code];
}

/** Returns whether bodies of a type may be free: some are, or a modifier may make some so. */
static bool may_be_free(const scree_sim *sim, uint32_t code, bool modified)
{
    const scree_scene *scene = sim->scene;
    const GArray *all[] = {scene->bodies, scene->to_come};
    bool any = modified || type_of(sim, code)->flags & SCREE_CAP_ROUND;
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++)
        for (guint i = 0; i < all[k]->len; i++) {
            const scree_body *body = &g_array_index(all[k], scree_body, i);
            any |= body->motion == SCREE_MOTION_FREE && code_of(scene, body->shape) == code;
        }
    return any && !(type_of(sim, code)->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Lists the shape types in use, in the order of their codes. */
void scree_type_pairs_types(scree_sim *sim)
{
    const scree_scene *scene = sim->scene;
    bool modified = scene->modifiers->len || scene->modifiers_later;
    const GArray *all[] = {scene->bodies, scene->to_come};
    g_autofree bool *used = g_new0(bool, scene->shapes->len + 1);
    uint32_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++)
        for (guint i = 0; i < all[k]->len; i++)
            used[g_array_index(all[k], scree_body, i).shape] = true;
    g_autofree bool *certain = g_memdup2(used, (scene->shapes->len + 1) * sizeof *used);
    bool any_heavy = false;
    for (uint32_t i = 0; i < scene->shapes->len; i++)
        any_heavy |= used[i] && !scree_shape_is_wall(scene->shapes->pdata[i]);
    if (modified)
        for (uint32_t i = 2; i < scene->shapes->len; i++)
            used[i] = true; // a modifier may insert bodies of it
    if (modified && !any_heavy)
        used[scene->dimension == 2] = true; // the host's own sphere or disc
    sim->types.index = g_new0(uint8_t, scene->shapes->len + 1);
    for (uint32_t code = 0; code < scene->shape_types->len; code++) {
        bool any = false, some_certain = false;
        for (uint32_t i = 0; i < scene->shapes->len; i++) {
            any |= used[i] && code_of(scene, i) == code;
            some_certain |= certain[i] && code_of(scene, i) == code;
        }
        for (uint32_t i = 0; i < scene->shapes->len; i++)
            if (code_of(scene, i) == code)
                sim->types.index[i] = any ? (uint8_t)n : UINT8_MAX;
        if (!any)
            continue;
        sim->types.free[n] = may_be_free(sim, code, modified);
        sim->types.spare[n] = !some_certain;
        sim->types.code[n++] = code;
    }
    sim->types.n = n;
}

/** Returns the bits of the laws that act between two types. */
static uint64_t laws_between(const scree_sim *sim, uint32_t type_a, uint32_t type_b)
{
    uint64_t laws = 0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (scree_between_acts(sim->plugins.contact.laws[l].instance->choice, type_a, type_b))
            laws |= (uint64_t)1 << l;
    return laws;
}

/** Returns the results that some of these laws need from a resolver; `required`: without those that
 * are 0 if the resolver does not give them. */
static uint64_t wanted_quantities(const scree_sim *sim, uint64_t laws, bool required)
{
    uint64_t needs = 0, wants = 0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        needs |= laws >> l & 1u ? sim->plugins.contact.laws[l].needs : 0;
    if (required)
        return scree_quantities_required(needs);
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
        wants |= needs & q->in ? q->gives : 0;
    return wants;
}

/** Returns the geometries that all of these laws can work with; 0: none. */
static uint64_t geometries_for(const scree_sim *sim, uint64_t laws)
{
    uint64_t geometries = SCREE_GEOMETRIES;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (laws >> l & 1u)
            geometries &= scree_quantities_geometries(sim->plugins.contact.laws[l].needs);
    return geometries;
}

/** Returns the results that these laws need, and this resolver does not give for two types. */
static uint64_t lacking(const scree_sim *sim, uint64_t laws, uint64_t provides)
{
    return scree_quantities_lacking(wanted_quantities(sim, laws, true), geometries_for(sim, laws),
                                    provides);
}

/** Returns " (NAME)" of the first body with this shape type, for a message; "" in a run, whose
 * scene has no bodies. New string. */
static char *group_with(const scree_scene *scene, uint32_t type)
{
    for (guint i = 0; i < scene->bodies->len; i++) {
        const scree_body *b = &g_array_index(scene->bodies, scree_body, i);
        if (code_of(scene, b->shape) == type)
            return g_strdup_printf(" (%s)", (const char *)scene->group_names->pdata[b->group]);
    }
    for (guint i = 2; i < scene->shapes->len && scene->bodies->len; i++) // own ones are before
        if (code_of(scene, i) == type)
            return g_strdup_printf(" (shapes.%s, that modifiers may insert)",
                                   (const char *)scene->shape_names->pdata[i]);
    return g_strdup(scene->bodies->len ? " (that modifiers may insert)" : "");
}

/** Returns the names of the resolvers, each between `before` and `after`; new string. */
static char *list_resolvers(const scree_sim *sim, const char *before, const char *after)
{
    const GPtrArray *resolvers = sim->plugins.contact.resolvers;
    GString *names = g_string_new(NULL);
    for (guint r = 0; r < resolvers->len; r++)
        g_string_append_printf(names, "%s%s%s%s", r ? ", " : "", before,
                               ((const scree_instance *)resolvers->pdata[r])->plugin->id, after);
    return g_string_free(names, FALSE);
}

static bool is_off_centre(const scree_sim *sim, uint32_t type)
{
    return !(type_of(sim, type)->flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Returns whether candidates name parts of bodies of this type. */
static bool has_parts(const scree_sim *sim, uint32_t type)
{
    const scree_shape_type *of = type_of(sim, type);
    bool many = of->flags & (SCREE_CAP_WALL | SCREE_CAP_BALLS);
    for (uint32_t i = 0; i < of->n_shapes; i++)
        many |= of->shapes[i]->n_parts > 1;
    return many;
}

/** Returns the name of a type in the slot of a pair's fields. */
static const char *slot_name(const scree_sim *sim, uint32_t type)
{
    const scree_shape_type *of = type_of(sim, type);
    return of->flags & SCREE_CAP_WALL ? "facets" : of->name; // unchanged, because the hash holds it
}

static bool is_clump(const scree_sim *sim, uint32_t type)
{
    return type_of(sim, type)->flags & SCREE_CAP_BALLS;
}

/** Returns the type that a resolver sees: a clump's balls have their own. */
static uint32_t served(const scree_sim *sim, uint32_t type)
{
    const scree_shape *ball = sim->scene->shapes->pdata[sim->scene->dimension == 2];
    return is_clump(sim, type) ? ball->type : type;
}

/** Sets the members of a list with clumps. False: the resolver cannot serve them. */
static bool seat_clumps(const scree_sim *sim, scree_list *list)
{
    list->one = list->single;
    list->clump[0] = is_clump(sim, list->type_a);
    list->clump[1] = is_clump(sim, list->type_b);
    list->served[0] = served(sim, list->type_a);
    list->served[1] = served(sim, list->type_b);
    list->culled = list->one && !list->hint_bytes &&
                   type_of(sim, list->served[0])->flags & type_of(sim, list->served[1])->flags &
                       SCREE_CAP_ROUND;
    if (!scree_list_has_clumps(list))
        return true;
    list->single = false;
    list->grouped = !list->clump[1] && has_parts(sim, list->type_b);
    return !list->resolver->plugin->n_fields && (list->one || !list->clump[0] || !list->clump[1]);
}

/** Returns " and provides `curvature`, which force/hertz_mindlin (force[1]) needs there", for a
 * missing result. New string. */
static char *name_lack(const scree_sim *sim, uint64_t laws, uint64_t lacks)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
            if (laws >> l & 1u && lacks & q->gives && law->needs & q->in)
                return g_strdup_printf(" and provides `%s`, which %s needs there", q->name,
                                       law->instance->shown);
    }
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        const uint64_t of = scree_quantities_geometries(law->needs);
        if (laws >> l & 1u && lacks & SCREE_GEOMETRIES && of != SCREE_GEOMETRIES)
            return g_strdup_printf(" and gives contacts of the %s, for which %s is made",
                                   of == SCREE_GIVES_OVERLAP ? "overlap" : "distance",
                                   law->instance->shown);
    }
    return g_strdup("");
}

/** Returns "rod (bodies.beam) against mesh (bodies.floor)"; new string. */
static char *name_pair(const scree_sim *sim, uint32_t type_a, uint32_t type_b)
{
    g_autofree char *a = group_with(sim->scene, type_a), *b = group_with(sim->scene, type_b);
    return g_strdup_printf("%s%s against %s%s", type_of(sim, type_a)->name, a,
                           type_of(sim, type_b)->name, b);
}

/** Adds the place of a plugin to an error of the set-up. A swap, whose scene has no bodies, has the
 * place of the schedule's entry instead. */
static bool blame_scene(const scree_sim *sim, const scree_instance *instance, GError **error)
{
    if (sim->scene->bodies->len)
        scree_instance_blame_scene(instance, error);
    return false;
}

static bool check_served(const scree_sim *sim, uint32_t type_a, uint32_t type_b, uint64_t laws,
                         GError **error)
{
    if (laws || !sim->plugins.contact.n_laws)
        return true;
    g_autofree char *pair = name_pair(sim, type_a, type_b);
    scree_fail(error, SCREE_EXIT_USAGE,
               "no force law of the scene acts on %s: expected a law whose `between` names "
               "them, or one without `between`",
               pair);
    return blame_scene(sim, sim->plugins.contact.laws[0].instance, error);
}

/** Checks that a law that reads the normal force of others finds some before it that act there. The
 * scene has checked that one exists. */
static bool check_pressed(const scree_sim *sim, uint32_t type_a, uint32_t type_b, uint64_t laws,
                          GError **error)
{
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        const uint64_t all_before = ((uint64_t)1 << l) - 1;
        if (laws & all_before || !all_before || !(laws >> l & 1u) ||
            !(law->needs & SCREE_IN_NORMAL_FORCE))
            continue;
        g_autofree char *pair = name_pair(sim, type_a, type_b);
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s takes the normal force of the laws before it, and none of them acts "
                          "on %s",
                          law->instance->shown, pair);
    }
    return true;
}

/** Checks that all laws on a pair of types are made for one geometry of contacts. */
static bool check_geometries(const scree_sim *sim, uint32_t type_a, uint32_t type_b, uint64_t laws,
                             GError **error)
{
    const scree_instance *of[2] = {NULL, NULL}; // overlap, distance
    if (geometries_for(sim, laws))
        return true;
    for (uint32_t l = sim->plugins.contact.n_laws; l-- > 0;) {
        const scree_law *law = &sim->plugins.contact.laws[l];
        if (laws >> l & 1u && scree_quantities_geometries(law->needs) != SCREE_GEOMETRIES)
            of[scree_quantities_geometries(law->needs) == SCREE_GIVES_DISTANCE] = law->instance;
    }
    g_autofree char *pair = name_pair(sim, type_a, type_b);
    scree_fail(
        error, SCREE_EXIT_USAGE,
        "%s is made for contacts of the overlap, %s for contacts of the distance, and both act on "
        "%s: expected laws of one geometry, or `between`",
        of[0]->shown, of[1]->shown, pair);
    return blame_scene(sim, of[0], error);
}

static bool make_list(scree_sim *sim, uint32_t type_a, uint32_t type_b, GError **error)
{
    scree_contact_plugins *contact = &sim->plugins.contact;
    scree_list *list = &contact->lists[contact->n_lists];
    const uint64_t laws = laws_between(sim, type_a, type_b),
                   wants = wanted_quantities(sim, laws, false);
    uint64_t lacks = 0;
    bool unfit = false;
    if (!check_served(sim, type_a, type_b, laws, error) ||
        !check_pressed(sim, type_a, type_b, laws, error) ||
        !check_geometries(sim, type_a, type_b, laws, error))
        return false;
    for (guint r = 0; r < contact->resolvers->len; r++) {
        scree_instance *instance = contact->resolvers->pdata[r];
        const scree_resolver_ops *ops = instance->ops;
        scree_pair_support answer = {.a = type_of(sim, served(sim, type_a)),
                                     .b = type_of(sim, served(sim, type_b))};
        if (!scree_ask_supports(instance, &answer, error))
            return false;
        if (answer.contacts == SCREE_SUPPORTS_NOT)
            continue;
        const uint64_t lack = lacking(sim, laws, answer.provides);
        if (lack) {
            lacks |= lack;
            continue;
        }
        g_autofree char *slot = g_strdup_printf("%s/%s-%s", instance->slot, slot_name(sim, type_a),
                                                slot_name(sim, type_b));
        *list = (scree_list){.type_a = type_a,
                             .type_b = type_b,
                             .resolver = instance,
                             .ops = ops,
                             .laws = laws,
                             .single = answer.contacts == SCREE_SUPPORTS_ONE,
                             .has_parts = has_parts(sim, type_a) || has_parts(sim, type_b),
                             .is_flat = type_of(sim, type_b)->flags &
                                        (SCREE_CAP_WALL | SCREE_CAP_INFINITE),
                             .off_centre = is_off_centre(sim, type_a) || is_off_centre(sim, type_b),
                             .has_planes = type_of(sim, type_b)->flags & SCREE_CAP_INFINITE,
                             .hint_bytes = ops->hint_bytes,
                             .gives = answer.provides,
                             .wants = wants,
                             .asks = wants,
                             .first_pair_field = contact->n_pair_fields};
        if (!seat_clumps(sim, list)) {
            unfit = true;
            continue;
        }
        list->n_pair_fields =
            scree_columns_add(&sim->plugins, slot, instance->plugin, SCREE_SCOPE_PAIR);
        contact->n_lists++;
        return true;
    }
    g_autofree char *names = list_resolvers(sim, "", ""), *pair = name_pair(sim, type_a, type_b),
                    *lack = name_lack(sim, laws, lacks),
                    *chosen = list_resolvers(sim, "{ plugin = \"", "\"; }");
    scree_fail(
        error, SCREE_EXIT_USAGE,
        "no resolver of the scene (%s) supports %s%s%s; scree plugins resolver says what each "
        "supports; one more is chosen by resolvers = ( %s, { plugin = \"NAME\"; } )",
        names, pair, lack,
        unfit ? " with one contact per pair of balls and without fields of pairs" : "", chosen);
    return contact->resolvers->len && blame_scene(sim, contact->resolvers->pdata[0], error);
}

/** Keeps the first fault of a pair of types, and the names of further pairs. */
static void note_fault(const scree_sim *sim, uint32_t type_a, uint32_t type_b, GError *fault,
                       GError **first, GString *more)
{
    if (*first) {
        g_string_append_printf(more, "%s%s - %s", more->len ? ", " : "", type_of(sim, type_a)->name,
                               type_of(sim, type_b)->name);
        g_error_free(fault);
    } else {
        *first = fault;
    }
}

/** Returns whether a type has no bodies yet: a modifier may insert it. */
static bool is_spare(const scree_sim *sim, uint32_t type)
{
    bool found = !sim->types.spare[type];
    const uint32_t n = sim->world ? sim->world->n : 0;
    for (uint32_t i = 0; i < n; i++)
        found = found || sim->types.index[sim->world->shape[i]] == type;
    return !found;
}

/** Returns whether a pair without a resolver refuses nothing: no spare body may come then. */
static bool give_up_spare(scree_sim *sim, uint32_t i, uint32_t j)
{
    const uint32_t type = is_spare(sim, j) ? j : i;
    sim->plugins.contact.unserved[type] = is_spare(sim, type);
    return sim->plugins.contact.unserved[type];
}

/** Makes one list per pair of types that can meet: some bodies of one of them may be free. The
 * error names all pairs without a resolver. */
static bool make_all(scree_sim *sim, GError **error)
{
    g_autoptr(GString) more = g_string_new(NULL);
    g_autoptr(GError) first = NULL;
    const uint32_t *types = sim->types.code, n = sim->types.n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            if (!sim->types.free[i] && !sim->types.free[j])
                continue;
            if (sim->plugins.contact.n_lists == UINT8_MAX)
                return scree_fail(
                    error, SCREE_EXIT_USAGE,
                    "expected at most %d pairs of shape types that can meet, got more, "
                    "of %u types of shapes",
                    UINT8_MAX, n);
            sim->plugins.contact.list_of[i][j] = sim->plugins.contact.list_of[j][i] =
                (uint8_t)sim->plugins.contact.n_lists;
            GError *fault = NULL;
            if (make_list(sim, types[i], types[j], &fault))
                continue;
            if (fault->code == SCREE_EXIT_USAGE && give_up_spare(sim, i, j)) {
                sim->plugins.contact.list_of[i][j] = sim->plugins.contact.list_of[j][i] = UINT8_MAX;
                g_error_free(fault);
                continue;
            }
            note_fault(sim, types[i], types[j], fault, &first, more);
            if (first->code != SCREE_EXIT_USAGE) {
                g_propagate_error(error, g_steal_pointer(&first));
                return false;
            }
        }
    if (!first)
        return true;
    scree_fail(error, first->code, "%s%s%s", first->message, more->len ? "; more such pairs: " : "",
               more->str);
    return false;
}

bool scree_type_pairs_make(scree_sim *sim, GError **error)
{
    if (sim->plugins.contact.n_laws > MOST_LAWS)
        return scree_fail(error, SCREE_EXIT_USAGE, "expected at most %d force laws, got %u",
                          MOST_LAWS, sim->plugins.contact.n_laws);
    memset(sim->plugins.contact.list_of, 0xff, sizeof sim->plugins.contact.list_of);
    sim->plugins.contact.lists = g_new0(scree_list, sim->types.n * (sim->types.n + 1) / 2 + 1);
    if (!make_all(sim, error))
        return false;
    if (sim->plugins.contact.n_pair_fields <= SCREE_MAX_PAIR_FIELDS)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "more than %d components of pair fields",
                      SCREE_MAX_PAIR_FIELDS);
}

bool scree_type_pairs_serve(const scree_sim *sim, uint32_t shape)
{
    const uint8_t type = sim->types.index[shape];
    return type != UINT8_MAX && !sim->plugins.contact.unserved[type];
}
