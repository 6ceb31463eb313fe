/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the promises of a source (source.h). The engine calls it while it reads the made-up
 * scene, and judges its bodies; the check passes the calls on, asks for fewer bodies, refuses some,
 * and compares. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/rotation.h"
#include "plugin/instance.h"
#include "plugin/struct_size.h"
#include "scene/new_bodies.h"
#include "scene/query_service.h"
#include "scene/scene.h"
#include "scene/scene_settings.h"
#include "scene/source_bodies.h"
#include "scree/cell_sdk.h"
#include "tools/check/check_calls.h"
#include "tools/check/check_recipe.h"
#include "tools/check/check_report.h"
#include "tools/check/check_services.h"
#include "tools/check/check_trip.h"
#include "tools/check/check_values.h"
#include "tools/check/route_units.h"

enum { FEW = 3, ALL = -1 };

/** A scene that is read, and the bodies that the source adds. */
typedef struct reading {
    const char *const *set; /* "scene.seed=8", ..; NULL: the scene stays */
    uint64_t most;          /* bodies that a call may add */
    bool goes_on;           /* a second call asks for a few more, as of a modifier in a run */
    bool extra;             /* a call whose bodies go nowhere comes before */
    int32_t taken;          /* calls of add() before the check refuses bodies; ALL */
    GArray *bodies;         /* elements: scree_body */
    GHashTable *shapes;     /* those that were added: name to index + 1 */
    scree_check *check;     /* from here on: results */
    const char *setting;
    scree_scene *scene;
    const scree_making *engine; /* its arguments of the call */
    uint64_t room;              /* bodies that this call may still add */
    bool drops, refused, reported;
} reading;

static reading *now; // the engine's calls have no data of the check

static int32_t add(void *ctx, const scree_new_bodies *from)
{
    reading *r = now;
    const scree_making *engine = r->engine;
    const uint32_t dimension = engine->bodies->dimension;
    (void)ctx;
    if (!from || from->size < SCREE_SIZE_TO(scree_new_bodies, line) ||
        scree_new_bodies_gap(from, dimension, SCREE_NEW_BODY))
        return engine->add(engine->ctx, from);
    if (r->taken == 0) {
        r->refused = true;
        return SCREE_E_CONFIG;
    }
    r->taken -= r->taken > 0;
    if (from->n > r->room) {
        scree_check_fail(r->check, "%s: make: add: too many bodies; expected %" PRIu64 " at most",
                         r->setting, r->most);
        return SCREE_E_CONFIG;
    }
    r->room -= from->n;
    for (uint32_t i = 0; i < from->n && !r->drops; i++) {
        const scree_body body = scree_new_bodies_read(from, i, dimension, SCREE_NEW_BODY);
        g_array_append_val(r->bodies, body);
    }
    return r->drops ? SCREE_OK : engine->add(engine->ctx, from);
}

static void report_problem(void *ctx, const char *file, uint32_t line, const char *text)
{
    now->reported = true;
    if (!now->drops)
        now->engine->problem(ctx, file, line, text);
}

/** A shape of an earlier call stays. */
static int32_t add_shape(void *ctx, const char *name, const char *text, uint32_t *index)
{
    const uint32_t known = name ? GPOINTER_TO_UINT(g_hash_table_lookup(now->shapes, name)) : 0;
    if (known) {
        *index = known - 1;
        return SCREE_OK;
    }
    const int32_t code = now->engine->add_shape(ctx, name, text, index);
    if (code >= 0)
        g_hash_table_insert(now->shapes, g_strdup(name), GUINT_TO_POINTER(*index + 1));
    return code;
}

static int32_t drop_cell(void *ctx, const scree_cell *cell)
{
    (void)ctx;
    (void)cell;
    return SCREE_OK;
}

static int32_t drop_bonds(void *ctx, uint32_t n, const uint32_t *a, const uint32_t *b)
{
    (void)ctx;
    (void)n;
    (void)a;
    (void)b;
    return SCREE_OK;
}

/** A call before the first step, or during a run. */
static int32_t ask(void *instance, uint64_t first, uint64_t most)
{
    reading *r = now;
    scree_making args = *r->engine;
    args.first = first;
    args.most = r->most = r->room = most;
    args.add = add;
    args.problem = report_problem;
    args.add_shape = add_shape;
    if (r->drops) {
        args.bond = drop_bonds;
        args.set_cell = drop_cell;
    }
    if (first) {
        args.step = 100;
        args.time = 100.0 * args.dt;
        args.bond = NULL;
        args.add_shape = NULL;
        args.set_cell = NULL;
    }
    const int32_t code = scree_check_calls_make(instance, &args);
    if (code >= 0 && (r->refused || r->reported))
        scree_check_fail(r->check, "%s: make: it returned %d after %s", r->setting, code,
                         r->refused ? "add() had refused bodies" : "it had reported a problem");
    return code;
}

/** The engine calls make(). */
static int32_t make(scree_check *check, void *instance, const scree_making *args)
{
    const scree_source_call *call = args->ctx;
    int32_t code = SCREE_OK;
    now->engine = args;
    if (now->extra) {
        now->drops = true;
        code = ask(instance, 0, now->most);
        now->drops = false;
        // The end of a call drops its held bodies.
        if (!scree_query_service_close(call->build->query, NULL))
            scree_query_service_open(call->build->query, NULL);
    }
    if (code >= 0)
        code = ask(instance, 0, now->most);
    if (code >= 0 && now->goes_on)
        code = ask(instance, now->bodies->len, FEW);
    return check->failed ? SCREE_E_CONFIG : code;
}

static void reading_clear(reading *r)
{
    scree_scene_free(r->scene);
    if (r->bodies)
        g_array_unref(r->bodies);
    if (r->shapes)
        g_hash_table_unref(r->shapes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(reading, reading_clear)

/** False: the source has returned an error, which ends the reading. */
static bool read_scene(const scree_route_scene *from, reading *r, GError **error)
{
    static const char *const none[] = {NULL};
    r->check = from->check;
    r->setting = from->name;
    r->bodies = g_array_new(FALSE, FALSE, sizeof(scree_body));
    r->shapes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    now = r;
    r->scene = scree_route_scene_read(from, r->set ? r->set : none, error);
    return r->scene != NULL;
}

/* ---- cases ---- */

/** The row of a case: its function. */
typedef struct source_work {
    scree_route_fn fn;
    bool finds_room; // not of a row: the source asks for room
} source_work;

/** [m] Distance of the surfaces of two bodies, balls or planes; infinite: of others. */
static double gap_between(const scree_scene *scene, const scree_cell *cell, const scree_body *a,
                          const scree_body *b)
{
    const scree_shape *one = scene->shapes->pdata[a->shape],
                      *other = scene->shapes->pdata[b->shape];
    double d[3], normal[3];
    int32_t images[3];
    for (int k = 0; k < 3; k++)
        d[k] = a->x[k] - b->x[k];
    if (one->flags & SCREE_CAP_ROUND && other->flags & SCREE_CAP_INFINITE) {
        scree_rotate(b->q, other->normal, normal);
        return d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2] - a->scale * one->radius;
    }
    if (!(one->flags & other->flags & SCREE_CAP_ROUND))
        return HUGE_VAL;
    scree_nearest(cell, d, images);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - a->scale * one->radius -
           b->scale * other->radius;
}

/** Fails when a ball of the source overlaps an earlier one, or a plane, by more than rounding, where the cell
 * repeats, too. */
static void judge_room(const reading *r)
{
    const scree_scene *scene = r->scene;
    scree_cell cell;
    scree_scene_cell(scene, &cell);
    for (guint i = scene->bodies->len - r->bodies->len; i < scene->bodies->len; i++)
        for (guint j = 0; j < i && !r->check->failed; j++) {
            const scree_body *a = &g_array_index(scene->bodies, scree_body, i);
            const scree_body *b = &g_array_index(scene->bodies, scree_body, j);
            const double gap = gap_between(scene, &cell, a, b);
            if (gap < -1e-9)
                scree_check_fail(
                    r->check,
                    "%s%s%s: make: bodies %u and %u at (%g, %g, %g) and (%g, %g, %g) m "
                    "overlap by %g m",
                    r->setting, r->set ? ", " : "", r->set ? *r->set : "", j, i, b->x[0], b->x[1],
                    b->x[2], a->x[0], a->x[1], a->x[2], -gap);
        }
}

/** Among bodies that the scene has before, and in regions so small that some find no room. */
static bool go_bodies(const scree_route_scene *from, void *user, GError **error)
{
    static const struct {
        uint64_t most;
        const char *region[2]; // in each dimension
    } ways[] = {{UINT64_MAX, {NULL}},
                {FEW, {NULL}},
                {0, {NULL}},
                {UINT64_MAX,
                 {"scene.region={min=(0.0, 0.2); max=(1.0, 0.75);}",
                  "scene.region={min=(0.0, 0.2, 0.3); max=(1.0, 0.6, 0.6);}"}},
                {UINT64_MAX,
                 {"scene.region={min=(0.0, 0.2); max=(1.0, 0.6);}",
                  "scene.region={min=(0.0, 0.2, 0.4); max=(1.0, 0.5, 0.6);}"}}};
    const source_work *work = user;
    scree_route_scene filled = *from;
    filled.filled = work->finds_room;
    for (size_t k = 0; k < G_N_ELEMENTS(ways) && !from->check->failed; k++) {
        const char *region = ways[k].region[from->dimension - 2];
        const char *const set[] = {region, NULL};
        g_auto(reading) r = {.most = ways[k].most, .taken = ALL, .set = set};
        if (!read_scene(&filled, &r, region ? NULL : error)) {
            if (region)
                continue;
            return false;
        }
        if (work->finds_room)
            judge_room(&r);
    }
    return true;
}

/** Each body that it has made is as its parameters say. */
static bool go_recipe(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(reading) r = {.most = UINT64_MAX, .taken = ALL};
    scree_cell cell;
    (void)user;
    if (!read_scene(from, &r, error))
        return false;
    scree_check_made made = {.check = from->check,
                             .setting = from->name,
                             .dimension = from->dimension,
                             .resized = from->settings || g_hash_table_size(r.shapes)};
    scree_check_made_begin(&made, r.scene->sources->pdata[0]);
    scree_scene_cell(r.scene, &cell);
    for (guint i = 0; i < r.bodies->len && !from->check->failed; i++) {
        const scree_body *b = &g_array_index(r.bodies, scree_body, i);
        scree_check_made_judge(&made, b, r.scene->shapes->pdata[b->shape], &cell);
    }
    scree_check_made_end(&made);
    return true;
}

/** Whether bodies [k, k + n) of a and [l, l + n) of b are the same. */
static bool same(const reading *a, guint k, const reading *b, guint l, guint n)
{
    return k + n <= a->bodies->len && l + n <= b->bodies->len &&
           !memcmp(&g_array_index(a->bodies, scree_body, k),
                   &g_array_index(b->bodies, scree_body, l), n * sizeof(scree_body));
}

/** Fails unless the bodies are the same after one call more of the instance. */
static bool compare(const scree_route_scene *from, reading *one, GError **error)
{
    g_auto(reading) other = *one;
    other.extra = true;
    if (!read_scene(from, one, error) || !read_scene(from, &other, error))
        return false;
    const guint n = one->bodies->len;
    guint first = 0;
    while (first < n && same(one, first, &other, first, 1))
        first++;
    if (first < n || other.bodies->len != n)
        scree_check_fail(from->check,
                         "%s: make()%s once more, of another instance: %u bodies, then %u; number "
                         "%u is another",
                         from->name, one->goes_on ? " that goes on" : "", n, other.bodies->len,
                         first);
    return true;
}

static bool go_repeat(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(reading) r = {.most = UINT64_MAX, .taken = ALL};
    (void)user;
    return compare(from, &r, error);
}

/** A call that goes on may not begin again, where bodies of one call for all differ. */
static bool go_first(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(reading) r = {.most = FEW, .taken = ALL, .goes_on = true};
    g_auto(reading) whole = {.most = UINT64_MAX, .taken = ALL};
    (void)user;
    if (!compare(from, &r, error) || (!from->check->failed && !read_scene(from, &whole, error)))
        return false;
    if (!from->check->failed && same(&r, 0, &r, FEW, FEW) && whole.bodies->len >= 2 * FEW &&
        !same(&whole, 0, &whole, FEW, FEW))
        scree_check_fail(from->check,
                         "%s: make() with first = %d adds the bodies 0 to %d again; in a call for "
                         "all they differ from those that follow",
                         from->name, FEW, FEW - 1);
    return true;
}

/** The region with its lower corner elsewhere: another shift along each axis. */
static char *move_region(uint32_t dimension, const double by[3])
{
    static const double size[3] = {1.0, 1.25, 0.75};
    return dimension == 3 ? g_strdup_printf("scene.region={min=(%.3f, %.3f, %.3f); max=(%.3f, "
                                            "%.3f, %.3f);}",
                                            by[0], by[1], by[2], by[0] + size[0], by[1] + size[1],
                                            by[2] + size[2])
                          : g_strdup_printf("scene.region={min=(%.3f, %.3f); max=(%.3f, %.3f);}",
                                            by[0], by[1], by[0] + size[0], by[1] + size[1]);
}

/** Whether body i is the same in the other region, at a place that is moved. */
static bool is_moved(const reading *here, const reading *there, guint i, const double by[3])
{
    const scree_body *a = &g_array_index(here->bodies, scree_body, i);
    const scree_body *b = &g_array_index(there->bodies, scree_body, i);
    double off = fabs(a->scale - b->scale);
    for (uint32_t k = 0; k < here->scene->dimension; k++)
        off = fmax(off, fabs(b->x[k] - a->x[k] - by[k]));
    return off <= 1e-9;
}

/** Only with the defaults: others may name a place. */
static bool go_moved(const scree_route_scene *from, void *user, GError **error)
{
    static const double still[3] = {0.0}, by[3] = {0.25, 0.5, 0.125};
    g_autofree char *one = move_region(from->dimension, still);
    g_autofree char *other = move_region(from->dimension, by);
    const char *const stays[] = {one, NULL}, *const moves[] = {other, NULL};
    g_auto(reading) here = {.set = stays, .most = UINT64_MAX, .taken = ALL};
    g_auto(reading) there = {.set = moves, .most = UINT64_MAX, .taken = ALL};
    scree_route_scene empty = *from;
    (void)user;
    empty.bare = true;
    if (from->settings)
        return true;
    if (!read_scene(&empty, &here, error))
        return false;
    if (!read_scene(&empty, &there, NULL))
        return true; // it has places of its own, which are not in this region
    const guint n = MIN(here.bodies->len, there.bodies->len);
    guint stay = 0, moved = 0;
    while (stay < n && is_moved(&here, &there, stay, still))
        stay++;
    while (moved < n && is_moved(&here, &there, moved, by))
        moved++;
    if (stay == n || (moved == n && here.bodies->len == there.bodies->len))
        return true;
    const scree_body *a = &g_array_index(here.bodies, scree_body, MAX(stay, moved) % n);
    const scree_body *b = &g_array_index(there.bodies, scree_body, MAX(stay, moved) % n);
    scree_check_fail(from->check,
                     "%s: %u bodies, body %u of them at (%g, %g, %g) m; in a region that is moved "
                     "by (%g, %g, %g) m %u bodies, this one at (%g, %g, %g) m",
                     from->name, here.bodies->len, MAX(stay, moved) % n, a->x[0], a->x[1], a->x[2],
                     by[0], by[1], by[2], there.bodies->len, b->x[0], b->x[1], b->x[2]);
    return true;
}

/** Whether the source may have places that no region gives: a file, or a given place or zone. */
static const char *lacks_freedom(const scree_check *check)
{
    for (uint32_t k = 0; k < check->plugin->n_params; k++) {
        const scree_param *p = check->plugin->params[k];
        const bool place = p->type == SCREE_TYPE_ZONE || p->flags & SCREE_PARAM_FILE ||
                           (p->type == SCREE_TYPE_REAL_ARRAY && !g_strcmp0(p->unit, "m")) ||
                           p->type == SCREE_TYPE_REAL_ROWS;
        if (place && (p->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_FILE) ||
                      scree_check_has_setting(check->settings, p)))
            return "it has places of its own";
    }
    return NULL;
}

/** In other units the same bodies, each number of them another one. */
static bool go_units(const scree_route_scene *from, void *user, GError **error)
{
    static const scree_route_units units = {10, 28, -6};
    const double length = scree_route_units_factor(&units, "m");
    const double speed = scree_route_units_factor(&units, "m/s");
    scree_route_scene empty = *from;
    g_autoptr(GPtrArray) sets = scree_route_units_write(&units, from);
    g_auto(reading) here = {.most = UINT64_MAX, .taken = ALL};
    g_auto(reading) there = {
        .set = sets ? (const char *const *)sets->pdata : NULL, .most = UINT64_MAX, .taken = ALL};
    (void)user;
    empty.bare = true;
    if (!sets)
        return true; // a zone, or a text with a unit
    if (!read_scene(&empty, &here, error) || !read_scene(&empty, &there, error))
        return false;
    double worst = here.bodies->len == there.bodies->len ? 0.0 : HUGE_VAL;
    for (guint i = 0; i < here.bodies->len && worst < HUGE_VAL; i++) {
        const scree_body *a = &g_array_index(here.bodies, scree_body, i);
        const scree_body *b = &g_array_index(there.bodies, scree_body, i);
        const scree_shape *one = here.scene->shapes->pdata[a->shape];
        const scree_shape *other = there.scene->shapes->pdata[b->shape];
        worst = fmax(worst, fabs(a->scale * one->radius - b->scale * other->radius / length));
        for (int k = 0; k < 4; k++)
            worst = fmax(worst, fabs(a->q[k] - b->q[k]));
        for (int k = 0; k < 3; k++)
            worst = fmax(worst,
                         fmax(fabs(a->x[k] - b->x[k] / length), fabs(a->v[k] - b->v[k] / speed)));
    }
    if (!(worst <= 1e-9))
        scree_check_fail(from->check,
                         "%s: in units of 2^-10 m, 2^-28 kg and 2^6 s it makes %u bodies, else %u; "
                         "they differ by up to %.3g",
                         from->name, there.bodies->len, here.bodies->len, worst);
    return true;
}

/** Refuses the first call of add(), then the second. */
static bool go_refused(const scree_route_scene *from, void *user, GError **error)
{
    (void)user;
    for (int32_t calls = 0; calls < 2 && !from->check->failed; calls++) {
        g_autoptr(GError) why = NULL;
        g_auto(reading) r = {.most = UINT64_MAX, .taken = calls};
        if (!read_scene(from, &r, &why) && !r.refused && !from->check->failed) {
            g_propagate_error(error, g_steal_pointer(&why));
            return false;
        }
    }
    return true;
}

static bool go_alone(const scree_route_scene *from, void *user, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_auto(reading) r = {.most = UINT64_MAX, .taken = ALL};
    (void)user;
    (void)error;
    if (!read_scene(from, &r, &why) &&
        (why->code == SCREE_EXIT_PLUGIN || strstr(why->message, SCREE_NO_REASON)))
        scree_check_fail(from->check, "%s: %s", from->name, why->message);
    return true;
}

static void each(scree_check *check, const void *row)
{
    static const scree_check_judge judge = {.make = make};
    source_work work = *(const source_work *)row;
    work.finds_room = work.fn == go_bodies && scree_check_asks(check, SCREE_SERVICE_QUERY);
    check->withheld = work.fn == go_alone ? "" : NULL;
    scree_check_calls_watch(check, &judge);
    scree_check_trip_each(check, work.fn, &work);
    check->withheld = NULL;
}

#define EACH(...)                                                                                  \
    .by = each, .row = &(const source_work)                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const scree_check_case cases[] = {
    {"bodies", "each body is possible, and there are at most as many as wanted",
     EACH(.fn = go_bodies)},
    {"recipe", "bodies are as the recipe and the region among its parameters say",
     EACH(.fn = go_recipe), .lacks = scree_check_made_lacks},
    {"repeat", "the same scene gets the same bodies", EACH(.fn = go_repeat)},
    {"first", "a call that goes on adds bodies, the same ones each time", EACH(.fn = go_first)},
    {"moved", "where the region is elsewhere, so are all bodies, or none", EACH(.fn = go_moved),
     .lacks = lacks_freedom},
    {"units", "in other units it makes the same bodies", EACH(.fn = go_units),
     .lacks = lacks_freedom},
    {"refused", "after a refused body or a reported mistake make() returns an error",
     EACH(.fn = go_refused)},
    {"alone", "without any service it works, or refuses with a text", EACH(.fn = go_alone)},
    {0}};
const scree_check_suite scree_check_sources = {SCREE_KIND_SOURCE, NULL, cases};
