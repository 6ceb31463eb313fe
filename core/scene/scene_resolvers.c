/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the resolvers of a scene that names none, by the types of its used shapes, by its laws,
 * and by what the installed resolvers serve. */
#include "scene/scene_resolvers.h"

#include <string.h>

#include "base/text.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_set.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "plugin/quantities.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "plugin/slot.h"
#include "scene/scene_keys.h"
#include "scene/scene_runtime.h"
#include "shape/shape_types.h"

/*
 * Candidates are asked in the order of `preferred`: exact ones before those on a grid, faster ones
 * first; then all other installed resolvers by id, with their defaults. Each that serves a pair of
 * types which those before it leave is taken, in this order. Types whose shapes nothing names ask
 * for none. The same scene and plugins give the same list. It becomes an override of the scene, which the
 * manifest and checkpoints keep: a repeated or continued run has the same resolvers.
 */
typedef struct offered_resolver {
    const char *id, *settings;
} offered_resolver;

#define CONTACT(geometry) " contact = \"" geometry "\";"
static const offered_resolver preferred[] = {
    {"sphere", ""},
    {"closest_feature", CONTACT("distance")},
    {"closest_feature", CONTACT("overlap")},
    {"gjk", ""},
    {"cyrus_beck", CONTACT("overlap")},
    {"sdf", CONTACT("distance")},
    {"sdf", CONTACT("overlap")},
};

typedef struct resolver_choice {
    scree_build *build;
    scree_runtime runtime;
    uint64_t least, suits; /* results that the laws need; geometries that suit all laws */
    bool used[SCREE_MAX_TYPES], served[SCREE_MAX_TYPES][SCREE_MAX_TYPES];
    GString *text, *absent; /* "{ plugin = "sphere"; }", why candidates are missing */
    guint n_left, n_taken;  /* pairs of types that none serves yet; resolvers */
} resolver_choice;

static const scree_shape_type *type_at(const scree_scene *s, guint k)
{
    return s->shape_types->pdata[k];
}

/** Returns whether bodies of a type are solids: neither balls nor clumps of them, nor walls. */
static bool is_solid_type(const scree_shape_type *type)
{
    return !(type->flags &
             (SCREE_CAP_ROUND | SCREE_CAP_BALLS | SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Whether a pair of types is among those that are to be served: one of them is a solid. */
static bool is_asked(const resolver_choice *c, guint a, guint b)
{
    const scree_shape_type *ta = type_at(c->build->scene, a), *tb = type_at(c->build->scene, b);
    return c->used[a] && c->used[b] && (is_solid_type(ta) || is_solid_type(tb)) &&
           !((ta->flags | tb->flags) & SCREE_CAP_BALLS);
}

/** Adds the texts below a node to `words`, and "file" if one names a file that is read. */
static void add_words(GHashTable *words, const scree_node *node, bool reads)
{
    const guint n = node && node->children ? node->children->len : 0;
    if (node && node->type == SCREE_NODE_STRING)
        g_hash_table_add(words, reads && !g_strcmp0(node->name, "file") ? node->name : node->s);
    for (guint k = 0; k < n; k++)
        add_words(words, node->children->pdata[k], reads);
}

/** Finds the types of which a body may be, at the start or later, and counts the pairs that are to
 * be served. A file may name any shape, and so does a source that has added some. */
static void find_used(resolver_choice *c)
{
    const scree_scene *s = c->build->scene;
    const scree_top_keys *top = c->build->top;
    const scree_node *const makers[] = {top->bodies, top->generate, top->modifiers, top->schedule};
    g_autoptr(GHashTable) words = g_hash_table_new(g_str_hash, g_str_equal);
    const char *usual = s->dimension == 2 ? "disc" : "sphere"; // of bodies without a shape
    g_hash_table_add(words, (gpointer)usual);
    add_words(words, top->shapes, false); // `type` of a name for the host's own shape
    for (size_t k = 0; k < G_N_ELEMENTS(makers); k++)
        add_words(words, makers[k], true);
    const bool any = c->build->untyped || g_hash_table_contains(words, "file");
    for (guint i = 0; i < s->shapes->len; i++)
        if (any || g_hash_table_contains(words, s->shape_names->pdata[i]))
            c->used[((const scree_shape *)s->shapes->pdata[i])->type] = true;
    for (guint a = 0; a < s->shape_types->len; a++)
        for (guint b = a; b < s->shape_types->len; b++)
            c->n_left += is_asked(c, a, b);
}

static void heed_law(resolver_choice *c, const scree_node *group)
{
    g_autoptr(GError) error = NULL;
    const scree_file *file;
    const scree_node *id = scree_node_find(group, "plugin");
    const scree_plugin *law =
        id && id->type == SCREE_NODE_STRING
            ? scree_registry_get(c->build->scene->registry, SCREE_KIND_FORCE, id->s, &file, &error)
            : NULL;
    if (!law) // reported when the laws are read
        return;
    if (!SCREE_HAS(scree_vtable_head(law), narrow)) // else it may use less than its needs
        c->least |= scree_quantities_required(law->needs);
    c->suits &= scree_quantities_geometries(law->needs);
}

/** Finds what the laws need. Laws that disagree about the geometry are left to `between`. */
static void heed_laws(resolver_choice *c)
{
    const scree_node *force = c->build->top->force;
    const guint n = scree_node_count(force);
    c->suits = SCREE_GEOMETRIES;
    for (guint k = 0; k < n; k++)
        heed_law(c, scree_node_at(force, k));
    if (!c->suits)
        c->suits = SCREE_GEOMETRIES;
}

/** Marks the pairs that this resolver serves and no earlier one does; whether it marks any. */
static bool mark_served(resolver_choice *c, scree_instance *resolver, GError **error)
{
    const scree_scene *s = c->build->scene;
    const guint before = c->n_left;
    for (guint a = 0; a < s->shape_types->len; a++)
        for (guint b = a; b < s->shape_types->len; b++) {
            scree_pair_support answer = {.a = type_at(s, a), .b = type_at(s, b)};
            if (c->served[a][b] || !is_asked(c, a, b))
                continue;
            if (!scree_ask_supports(resolver, &answer, error))
                return false;
            c->served[a][b] = answer.contacts != SCREE_SUPPORTS_NOT &&
                              !scree_quantities_lacking(c->least, c->suits, answer.provides);
            c->n_left -= c->served[a][b];
        }
    return c->n_left < before;
}

/** Returns whether an instance accepts all shapes, and serves some pair that is left. */
static bool is_useful(resolver_choice *c, const scree_choice_of *choice)
{
    g_autoptr(GError) error = NULL; // one that refuses the shapes is not taken
    const scree_slot slot = {.kind = SCREE_KIND_RESOLVER, .index = c->n_taken};
    scree_instance *one = scree_instance_at(&c->runtime, choice, slot, &error);
    const bool useful = one && scree_prepare_shapes(c->build->scene->shapes, one, &error) &&
                        mark_served(c, one, &error);
    scree_instance_free(one);
    return useful;
}

/** Takes a candidate if it is installed and useful. The first serves balls, clumps and walls. */
static void try_candidate(resolver_choice *c, const offered_resolver *one)
{
    if (!c->n_left)
        return;
    g_autoptr(GError) error = NULL;
    const scree_file *file;
    const scree_scene *s = c->build->scene;
    const scree_plugin *plugin =
        scree_registry_get(s->registry, SCREE_KIND_RESOLVER, one->id, &file, &error);
    if (!plugin && !strstr(c->absent->str, error->message))
        g_string_append_printf(c->absent, "%s%s", c->absent->len ? "; " : "", error->message);
    if (!plugin ||
        !(plugin->dimensions & (s->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3)))
        return;
    g_autofree char *text = g_strdup_printf("plugin = \"%s\";%s", one->id, one->settings);
    scree_config *own = scree_config_parse(text, one->id, ".");
    scree_choice_of *choice =
        scree_schema_choose(own, own->root, SCREE_KIND_RESOLVER, NULL, NULL, s->registry);
    const bool useful = choice && !own->problems->len && is_useful(c, choice);
    if (useful || (choice && one == preferred))
        g_string_append_printf(c->text, "%s{ %s }", c->n_taken++ ? ", " : "", text);
    scree_choice_of_free(choice);
    scree_config_free(own);
}

/** Tries the installed resolvers that `preferred` does not name, by id; each once. */
static void try_others(resolver_choice *c)
{
    g_autoptr(GPtrArray) all = scree_registry_scan(c->build->scene->registry);
    g_autoptr(GPtrArray) ids = g_ptr_array_new();
    for (guint k = 0; k < all->len; k++) {
        const scree_listing *one = all->pdata[k];
        bool named = !one->id || one->refused || one->kind != SCREE_KIND_RESOLVER ||
                     g_ptr_array_find_with_equal_func(ids, one->id, g_str_equal, NULL);
        for (size_t p = 0; !named && p < G_N_ELEMENTS(preferred); p++)
            named = !strcmp(preferred[p].id, one->id);
        if (!named)
            g_ptr_array_add(ids, (gpointer)one->id);
    }
    g_ptr_array_sort(ids, scree_compare_texts);
    for (guint k = 0; k < ids->len; k++)
        try_candidate(c, &(offered_resolver){ids->pdata[k], ""});
}

/** Puts the list into the config, and says so. */
static void write_choice(const resolver_choice *c)
{
    g_autoptr(GError) error = NULL;
    scree_config *config = c->build->config;
    g_autofree char *set = g_strdup_printf("resolvers=( %s )", c->text->str);
    if (!scree_config_set(config, set, &error))
        scree_config_problem(config, NULL, "%s", error->message);
    scree_config_note(config, NULL,
                      "resolvers are not given; by its shapes the scene gets "
                      "resolvers = ( %s );",
                      c->text->str);
}

void scree_build_choose_resolvers(scree_build *b)
{
    scree_scene *s = b->scene;
    resolver_choice c = {.build = b};
    if (s->shape_types && !b->top->resolvers)
        find_used(&c);
    if (!c.n_left)
        return;
    c.runtime = scree_scene_runtime(s, scree_pool_new(1));
    c.runtime.say = scree_keep_quiet;
    c.text = g_string_new(NULL);
    c.absent = g_string_new(NULL);
    heed_laws(&c);
    for (size_t k = 0; k < G_N_ELEMENTS(preferred); k++)
        try_candidate(&c, &preferred[k]);
    if (c.n_left)
        try_others(&c);
    if (c.n_taken > 1)
        write_choice(&c);
    if (c.absent->len)
        scree_config_note(b->config, NULL,
                          "resolvers are not given, and some of those asked for are missing: %s",
                          c.absent->str);
    scree_pool_free(c.runtime.pool);
    g_string_free(c.text, TRUE);
    g_string_free(c.absent, TRUE);
}
