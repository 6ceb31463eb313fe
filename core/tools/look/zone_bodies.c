/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies in a box or ball that is given as text. */
#include "tools/look/zone_bodies.h"

#include <string.h>

#include "config/units.h"
#include "scene/query_service.h"

/** Reads lengths separated by commas: "0.3,0,-17 mm". False: `text` is something else. */
static bool read_vector(const char *text, uint32_t n, double *out)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    bool good = g_strv_length(words) == n;
    for (uint32_t k = 0; good && k < n; k++) {
        good = scree_quantity_parse(g_strstrip(words[k]), "m", &out[k], NULL);
    }
    return good;
}

/** Splits the value of an option at its colon. */
static bool read_halves(const char *text, uint32_t n, uint32_t m, double *first, double *second)
{
    g_auto(GStrv) halves = g_strsplit(text, ":", -1);
    return g_strv_length(halves) == 2 && read_vector(halves[0], n, first) &&
           read_vector(halves[1], m, second);
}

/** Reads a zone; `option` ends in "box" or "ball". */
static bool read_zone(const char *option, const char *value, uint32_t dimension, scree_zone *z,
                      GError **error)
{
    const bool flat = dimension == 2, box = g_str_has_suffix(option, "box");
    *z = (scree_zone){.size = sizeof *z, .type = box ? SCREE_ZONE_BOX : SCREE_ZONE_BALL};
    if (box && !read_halves(value, dimension, dimension, z->lo, z->hi))
        return scree_fail_of(error, SCREE_EXIT_USAGE, option, value,
                             "expected %s of a scene in %uD, in metres or with a unit (20mm)",
                             flat ? "X0,Y0:X1,Y1" : "X0,Y0,Z0:X1,Y1,Z1", dimension);
    if (!box && !read_halves(value, dimension, 1, z->a, &z->radius))
        return scree_fail_of(error, SCREE_EXIT_USAGE, option, value,
                             "expected %s of a scene in %uD, in metres or with a unit (20mm)",
                             flat ? "X,Y:R" : "X,Y,Z:R", dimension);
    if (box)
        return true;
    for (uint32_t k = 0; k < dimension; k++) {
        z->lo[k] = z->a[k] - z->radius;
        z->hi[k] = z->a[k] + z->radius;
    }
    return true;
}

void scree_zone_take_world(GArray *bodies, const scree_world *w)
{
    g_array_set_size(bodies, 0);
    for (uint32_t i = 0; i < w->n; i++) {
        const scree_body b = scree_world_body(w, i);
        g_array_append_val(bodies, b);
    }
}

/** A body in the zone. Hits name bodies by their index. */
static const scree_body *find_body(const GArray *bodies, const scree_zone_hit *hit)
{
    return &g_array_index(bodies, scree_body, hit->index);
}

static int compare_ids(gconstpointer pa, gconstpointer pb, gpointer user)
{
    const uint64_t a = find_body(user, pa)->id, b = find_body(user, pb)->id;
    return a < b ? -1 : a > b;
}

static bool add_bodies(void *user, scree_query_add add, void *space, bool all, const double lo[3],
                       const double hi[3], GError **error)
{
    const GArray *bodies = user;
    const guint n = all ? bodies->len : 0;
    bool good = true;
    (void)lo;
    (void)hi;
    for (guint i = 0; i < n && good; i++)
        good = add(space, &g_array_index(bodies, scree_body, i), i, error);
    return good;
}

bool scree_zone_bodies(const scree_scene *scene, GArray *bodies, const GPtrArray *resolvers,
                       const char *option, const char *value, GArray *hits, GError **error)
{
    scree_zone zone;
    scree_hits found = {.size = sizeof found};
    uint64_t n = 0;
    if (!read_zone(option, value, scene->dimension, &zone, error))
        return false;
    const scree_query_world world = {.scene = scene, .user = bodies, .catch_up = add_bodies};
    g_autoptr(scree_query_service) service = scree_query_service_new(&world);
    g_autoptr(GError) refused = NULL;
    const scree_query *query = scree_query_service_give(service, error);
    if (!query)
        return false;
    scree_query_service_open(service, resolvers);
    if (query->find(query->ctx, 1, (const scree_zone *[]){&zone}, &found) >= 0)
        n = found.first[1];
    for (uint64_t i = 0; i < n; i++) {
        const scree_zone_hit hit = {found.id[i], found.by_box[i]};
        g_array_append_val(hits, hit);
    }
    g_array_sort_with_data(hits, compare_ids, bodies);
    if (!scree_query_service_close(service, &refused))
        return true;
    if (refused->code == SCREE_EXIT_USAGE && g_str_has_prefix(refused->message, "zone 0: "))
        return scree_fail_of(error, SCREE_EXIT_USAGE, option, value, "%s",
                             refused->message + strlen("zone 0: "));
    g_propagate_error(error, g_steal_pointer(&refused));
    return false;
}

void scree_zone_bodies_json(scree_json *json, const scree_scene *scene, const GArray *bodies,
                            const GArray *hits)
{
    scree_json_open_array(json, "bodies");
    for (guint i = 0; i < hits->len; i++) {
        const scree_zone_hit *hit = &g_array_index(hits, scree_zone_hit, i);
        const scree_body *b = find_body(bodies, hit);
        scree_json_open_object(json, NULL);
        scree_json_uint(json, "id", b->id);
        scree_json_string(json, "group", scene->group_names->pdata[b->group]);
        scree_json_string(json, "shape", scene->shape_names->pdata[b->shape]);
        scree_json_open_array(json, "position");
        for (uint32_t k = 0; k < scene->dimension; k++)
            scree_json_real(json, NULL, b->x[k]);
        scree_json_close_array(json);
        scree_json_bool(json, "by_box", hit->by_box);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
}
