// SPDX-License-Identifier: Apache-2.0
/*
 * The `generate` groups of a scene: bodies by number or solid fraction, placed at random or on a
 * lattice; those of an integrator that brings its own are scene_start.c's.
 *
 * Every random number is a pure function of the scene's seed, the name of the group, the number of
 * the body in it and the number of the draw (random.h), so that no group depends on another's
 * order.
 *
 * Random placement tries uniform positions until one is free, the largest bodies first (small ones
 * find a place between large ones, not the other way round). It ends near a solid fraction of 0.38
 * for equal spheres and 0.54 for equal discs (random sequential addition), earlier in practice:
 * more is the work of settling under gravity. Bodies lie inside the group's region with their whole
 * bounding ball, except along periodic axes that the region spans.
 *
 * Any shape with a volume can be made. A clump is tested by its balls, exactly; a solid by its
 * bounding ball, so that long ones stay far from each other.
 *
 * Random orientations are uniform (Shoemake, "Uniform random rotations", Graphics Gems III, 1992,
 * pp. 124-132) and drawn once a body, not once a try: the places that are free then choose none.
 */
#include "scene/scene_generate.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/shortage.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "scene/obstacles.h"
#include "scene/scene_body.h"
#include "scene/scene_made.h"
#include "scene/scene_sizes.h"
#include "scene/scene_start.h"
#include "scree/sdk.h"
#include "shape/shape.h"

#define MOST_BODIES 100000000u

/* Streams of random numbers of one group. */
enum { LOOK_AHEAD = 8 };
enum { STREAM_SIZE = 1, STREAM_PLACE, STREAM_JITTER, STREAM_VELOCITY, STREAM_TURN };

typedef struct generator {
    scree_build *build;
    scree_node *group;
    scree_look look;
    uint64_t stream;
    int64_t count;   // -1: not given
    double fraction; // NaN: not given
    uint64_t tries;
    int lattice; // -1: random, 0 cubic, 1 hexagonal
    double spacing, jitter;
    double min[3], max[3];
    bool spans[3]; // a periodic axis from end to end
    scree_sizes *sizes;
    double grow;  // of radii, once all are placed
    double speed; // of velocity_random
    bool uniform;
    bool turned; // at random; else by q
    double q[4];
    scree_obstacles *obstacles;
    GArray *scales; // of double, random placement
} generator;

/** FNV-1a of the group's name. */
static uint64_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 0x100000001b3u;
    return h;
}

static double draw(const generator *g, int stream, uint64_t body, uint64_t number)
{
    return scree_random_unit(g->build->scene->seed, g->stream + (uint64_t)stream, body, number);
}

static uint32_t dimension(const generator *g)
{
    return g->build->scene->dimension;
}

/** [m] Radius of the ball that holds a body of that scale. */
static double reach(const generator *g, double scale)
{
    return scale * g->look.shape->radius;
}

/** [m] Of the largest body. */
static double widest_reach(const generator *g)
{
    return reach(g, scree_sizes_max(g->sizes));
}

/** "radius", or of what is not round "bounding radius". */
static const char *name_radius(const generator *g)
{
    return scree_shape_is_round(g->look.shape) ? "radius" : "bounding radius";
}

/** Measure for the solid fraction: volume in 3D, area in 2D. */
static double solid(const generator *g, double scale)
{
    double r = scale * g->look.equal;
    return dimension(g) == 2 ? G_PI * r * r : 4.0 / 3.0 * G_PI * r * r * r;
}

static double region_size(const generator *g)
{
    double size = 1.0;
    for (uint32_t k = 0; k < dimension(g); k++)
        size *= g->max[k] - g->min[k];
    return size;
}

static bool read_region(generator *g)
{
    const scree_scene *s = g->build->scene;
    scree_node *region = scree_config_group(g->build->config, g->group, "region");
    if (region) {
        if (!scree_build_region(g->build, region, g->min, g->max))
            return false;
    } else if (s->has_region) {
        memcpy(g->min, s->region_min, sizeof g->min);
        memcpy(g->max, s->region_max, sizeof g->max);
    } else {
        scree_config_problem(
            g->build->config, g->group,
            "region = { min = (..); max = (..); } is missing, and the scene has none");
        return false;
    }
    for (uint32_t k = 0; k < dimension(g); k++) {
        if (!(g->max[k] > g->min[k]))
            return false; // the scene's region is wrong, which has been reported
        g->spans[k] = s->boundary[k] == SCREE_BOUNDARY_PERIODIC && g->min[k] <= s->region_min[k] &&
                      g->max[k] >= s->region_max[k];
    }
    return true;
}

static bool read_lattice(generator *g)
{
    static const char *const methods[] = {"random", "lattice", "integrator", NULL};
    static const char *const lattices[] = {"cubic", "hexagonal", NULL};
    scree_config *c = g->build->config;
    g->lattice = -1;
    if (scree_config_choice(c, g->group, "method", methods, 0) == 0) {
        g->tries = (uint64_t)scree_config_int(c, g->group, "tries", 10000, 1, 1000000000, 0);
        if (g->count >= 0 || !isnan(g->fraction))
            return true;
        scree_config_problem(c, g->group, "count or fraction is missing");
        return false;
    }
    g->lattice = scree_config_choice(c, g->group, "lattice", lattices, 0);
    g->jitter = scree_config_real(c, g->group, "jitter", NULL, 0.0, 0.0, 1.0, 0);
    double widest = g->sizes ? 2.0 * widest_reach(g) : 0.0;
    g->spacing =
        scree_config_real(c, g->group, "spacing", "m", widest, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    if (g->spacing >= widest * (1.0 - 1e-12))
        return true;
    scree_config_problem(c, scree_config_child(g->group, "spacing"),
                         "expected the largest %sdiameter, %g m, or more, got %g m",
                         scree_shape_is_round(g->look.shape) ? "" : "bounding ", widest,
                         g->spacing);
    return false;
}

/** Reads the group; false when it had a problem. */
static bool read_generator(generator *g)
{
    scree_config *c = g->build->config;
    uint32_t before = c->problems->len;
    scree_build_look(g->build, g->group, &g->look);
    if (!g->look.shape)
        return false;
    if (!scree_build_check_made(g->build, g->group, g->look.shape))
        return false;
    g->turned = scree_build_orientation(g->build, g->group, g->look.shape, g->q);
    scree_build_group_name(g->build, g->group->name); // it is there, if with no bodies
    g->count = -1;
    if (scree_config_child(g->group, "count"))
        g->count = scree_config_int(c, g->group, "count", 0, 0, MOST_BODIES, 0);
    g->fraction =
        scree_config_real(c, g->group, "fraction", NULL, (double)NAN, 0.0, 1.0, SCREE_KEY_MIN_OPEN);
    if (g->count >= 0 && !isnan(g->fraction))
        scree_config_problem(c, g->group, "expected one of count and fraction, got both");
    g->sizes = scree_build_sizes(g->build, g->group, &g->look);
    bool ok = g->sizes != NULL;
    ok &= read_region(g);
    ok &= read_lattice(g);
    g->grow = scree_config_real(c, g->group, "grow", NULL, 1.0, 0.0, HUGE_VAL, SCREE_KEY_MIN_OPEN);
    g->speed = scree_build_velocity_random(g->build, g->group, &g->uniform);
    scree_config_report_unknown(c, g->group, NULL);
    return ok && g->look.valid && c->problems->len == before;
}

/** Where the centre of a ball of radius r may be along axis k. */
static bool centre_range(const generator *g, double r, uint32_t k, double *lo, double *hi)
{
    *lo = g->min[k] + (g->spans[k] ? 0.0 : r);
    *hi = g->max[k] - (g->spans[k] ? 0.0 : r);
    return *hi >= *lo && (!g->spans[k] || g->max[k] - g->min[k] >= 2.0 * r);
}

static void random_velocity(const generator *g, uint64_t number, double v[3])
{
    for (uint32_t k = 0; k < dimension(g) && g->speed > 0.0; k++) {
        double u1 = draw(g, STREAM_VELOCITY, number, 2 * k);
        double u2 = draw(g, STREAM_VELOCITY, number, 2 * k + 1);
        v[k] += g->speed * scree_velocity_spread(g->uniform, u1, u2);
    }
}

/** Shoemake 1992; in 2D an angle. Only a random turn draws numbers. */
static void set_orientation(const generator *g, uint64_t number, double q[4])
{
    double u[3];
    memcpy(q, g->q, sizeof g->q);
    if (!g->turned)
        return;
    for (uint64_t k = 0; k < 3; k++)
        u[k] = draw(g, STREAM_TURN, number, k);
    if (dimension(g) == 2) {
        q[0] = cos(G_PI * u[0]); // half of an angle up to 2 pi
        q[3] = sin(G_PI * u[0]);
        return;
    }
    q[0] = sqrt(u[0]) * cos(2.0 * G_PI * u[2]);
    q[1] = sqrt(1.0 - u[0]) * sin(2.0 * G_PI * u[1]);
    q[2] = sqrt(1.0 - u[0]) * cos(2.0 * G_PI * u[1]);
    q[3] = sqrt(u[0]) * sin(2.0 * G_PI * u[2]);
}

/** All but the place. */
static scree_body make_body(const generator *g, uint64_t number, double scale)
{
    scree_body body = {.id = SCREE_ID_NONE,
                       .shape = g->look.shape_index,
                       .material = g->look.material,
                       .motion = g->look.motion,
                       .scale = scale};
    body.group = scree_build_group_name(g->build, g->group->name);
    set_orientation(g, number, body.q);
    memcpy(body.v, g->look.v, sizeof body.v);
    memcpy(body.w, g->look.w, sizeof body.w);
    random_velocity(g, number, body.v);
    return body;
}

static void add_body(const generator *g, scree_body body)
{
    body.scale *= g->grow;
    scree_build_add(g->build, g->group, NULL, body);
}

/** Sizes for random placement, in the order of their numbers. */
static bool draw_scales(generator *g)
{
    double target = g->fraction * region_size(g), sum = 0.0;
    for (uint64_t k = 0;; k++) {
        double scale = scree_sizes_draw(g->sizes, draw(g, STREAM_SIZE, k, 0));
        // By fraction: the last body is taken when that comes nearer to the target.
        if (g->count >= 0 ? k >= (uint64_t)g->count : sum + 0.5 * solid(g, scale) > target)
            return true;
        if (k >= MOST_BODIES) {
            scree_config_problem(g->build->config, g->group, "more than %u bodies", MOST_BODIES);
            return false;
        }
        sum += solid(g, scale);
        g_array_append_val(g->scales, scale);
    }
}

/** How many there will be; on a lattice not more than have room. */
static uint64_t expect_bodies(const generator *g)
{
    double room = region_size(g) / pow(2.0 * widest_reach(g), dimension(g));
    uint64_t n = g->lattice < 0 ? g->scales->len : (uint64_t)fmin(room, MOST_BODIES);
    return g->lattice >= 0 && g->count >= 0 ? (uint64_t)g->count : n;
}

/** [m] Radius of the smallest ball that will look for a place. */
static double least_radius(const generator *g)
{
    const scree_balls *balls = g->look.shape->balls;
    const uint32_t n_balls = balls ? balls->n : 0;
    double least = HUGE_VAL, part = n_balls ? HUGE_VAL : g->look.shape->radius;
    for (uint32_t p = 0; p < n_balls; p++)
        part = fmin(part, balls->radius[p]);
    for (guint i = 0; i < g->scales->len; i++)
        least = fmin(least, g_array_index(g->scales, double, i));
    return least * part;
}

/** Solid fraction of what is to be placed. */
static double drawn_fraction(const generator *g)
{
    double sum = 0.0;
    for (guint i = 0; i < g->scales->len; i++)
        sum += solid(g, g_array_index(g->scales, double, i));
    return sum / region_size(g);
}

static int compare_scales(const void *pa, const void *pb, void *user)
{
    const double *scales = user;
    const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    if (scales[a] != scales[b])
        return scales[a] > scales[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/** A free place for a body, or false after all tries. Each try is a number of its own, so that the
 * next ones are known, and memory can be asked for them, while the first is looked at. */
static bool find_place(const generator *g, uint32_t number, scree_body *body)
{
    double lo[3] = {0}, hi[3] = {0};
    for (uint32_t k = 0; k < dimension(g); k++)
        centre_range(g, reach(g, body->scale), k, &lo[k], &hi[k]);
    double place[LOOK_AHEAD][3] = {{0}};
    uint64_t ahead = 1;
    for (uint64_t t = 0; t < g->tries; t += ahead, ahead = MIN(2 * ahead, LOOK_AHEAD)) {
        ahead = MIN(ahead, g->tries - t);
        for (uint64_t a = 0; a < ahead; a++) {
            for (uint32_t k = 0; k < dimension(g); k++)
                place[a][k] =
                    lo[k] + (hi[k] - lo[k]) * draw(g, STREAM_PLACE, number, 3 * (t + a) + k);
            scree_obstacles_fetch(g->obstacles, place[a]);
        }
        for (uint64_t a = 0; a < ahead; a++) {
            memcpy(body->x, place[a], sizeof place[a]);
            if (!scree_obstacles_hit_body(g->obstacles, body))
                return true;
        }
    }
    return false;
}

/** Reports a body that the empty region does not hold: no number of tries would find a place. */
static bool fits(const generator *g, double r)
{
    double lo, hi;
    for (uint32_t k = 0; k < dimension(g); k++)
        if (!centre_range(g, r, k, &lo, &hi)) {
            scree_config_problem(g->build->config, g->group,
                                 "a body of %s %g m does not fit into the region: expected %g m or "
                                 "more along %c, got %g m",
                                 name_radius(g), r, 2.0 * r, "xyz"[k], g -> max[k] - g -> min[k]);
            return false;
        }
    return true;
}

static void place_at_random(generator *g)
{
    uint32_t n = g->scales->len;
    const double *scales = (const double *)(void *)g->scales->data;
    g_autofree uint32_t *order = g_new(uint32_t, n + 1);
    g_autofree scree_body *bodies = g_new0(scree_body, n + 1);
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (int)n, sizeof *order, compare_scales, (void *)scales);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = order[i];
        bodies[number] = make_body(g, number, scales[number]);
        if (!fits(g, reach(g, scales[number])))
            return;
        if (!find_place(g, number, &bodies[number])) {
            scree_config_problem(g->build->config, g->group,
                                 "no place for a body of %s %g m after %" G_GUINT64_FORMAT
                                 " tries: %u of %u are placed, solid fraction %.3f; take a larger "
                                 "region, fewer bodies or more `tries`",
                                 name_radius(g), reach(g, scales[number]), g->tries, i, n,
                                 sum / region_size(g));
            return;
        }
        sum += solid(g, scales[number]);
        scree_obstacles_add(g->obstacles, &bodies[number]);
    }
    for (uint32_t i = 0; i < n; i++)
        add_body(g, bodies[i]);
}

/** Sites of the lattice along each axis, and the pitch. */
static bool count_sites(const generator *g, double pitch[3], double start[3], int64_t sites[3])
{
    double a = g->spacing, widest = widest_reach(g);
    bool hexagonal = g->lattice == 1;
    pitch[0] = a;
    pitch[1] = hexagonal ? a * sqrt(0.75) : a;
    pitch[2] = hexagonal ? a * sqrt(2.0 / 3.0) : a;
    for (uint32_t k = 0; k < 3; k++) {
        double lo = 0.0, hi = 0.0;
        if (k < dimension(g) && !centre_range(g, widest, k, &lo, &hi))
            return false;
        start[k] = lo + (k < dimension(g) && g->spans[k] ? 0.5 * pitch[k] : 0.0);
        // 1e-9: a whole number of sites may be missed by rounding
        double n = k >= dimension(g) ? 1.0
                   : g->spans[k]     ? floor((hi - lo) / pitch[k] + 1e-9)
                                     : floor((hi - lo) / pitch[k] + 1e-9) + 1.0;
        if (!(n >= 1.0) || n > MOST_BODIES)
            return false;
        sites[k] = (int64_t)n;
    }
    return true;
}

/** Centre of a site, jittered; false when it is off the region or taken. */
static bool site_position(const generator *g, const double pitch[3], const double start[3],
                          const int64_t at[3], uint64_t number, scree_body *body)
{
    double gap = 0.5 * g->jitter * (g->spacing - 2.0 * widest_reach(g)), *x = body->x;
    double offset[3] = {0.0, 0.0, 0.0}, lo, hi;
    if (g->lattice == 1) { // rows and layers in the hollows of those below: A B A B
        offset[0] = 0.5 * pitch[0] * (double)((at[1] + at[2]) & 1);
        offset[1] = at[2] & 1 ? pitch[1] / 3.0 : 0.0;
    }
    for (uint32_t k = 0; k < 3; k++) {
        x[k] = 0.0;
        if (k >= dimension(g))
            continue;
        x[k] = start[k] + pitch[k] * (double)at[k] + offset[k];
        centre_range(g, reach(g, body->scale), k, &lo, &hi);
        if (x[k] > hi + 1e-9 * g->spacing)
            return false;
        // No component beyond gap / sqrt(dimension): two neighbours can then never meet.
        x[k] += gap / sqrt((double)dimension(g)) * (2.0 * draw(g, STREAM_JITTER, number, k) - 1.0);
        x[k] = CLAMP(x[k], lo, hi);
    }
    return !scree_obstacles_hit_body(g->obstacles, body);
}

static void place_on_lattice(generator *g)
{
    double pitch[3], start[3], sum = 0.0, target = g->fraction * region_size(g);
    int64_t sites[3] = {0, 0, 0}, at[3];
    uint64_t number = 0;
    bool enough = false;
    if (g->count != 0 && !fits(g, widest_reach(g)))
        return;
    if (!count_sites(g, pitch, start, sites))
        sites[0] = sites[1] = sites[2] = 0;
    for (at[2] = 0; at[2] < sites[2] && !enough; at[2]++)
        for (at[1] = 0; at[1] < sites[1] && !enough; at[1]++)
            for (at[0] = 0; at[0] < sites[0] && !enough; at[0]++) {
                double scale = scree_sizes_draw(g->sizes, draw(g, STREAM_SIZE, number, 0));
                enough = (g->count >= 0 && number >= (uint64_t)g->count) ||
                         (!isnan(g->fraction) && sum + 0.5 * solid(g, scale) > target);
                if (enough)
                    continue;
                scree_body body = make_body(g, number, scale);
                if (!site_position(g, pitch, start, at, number, &body))
                    continue;
                number++;
                scree_obstacles_add(g->obstacles, &body);
                add_body(g, body);
                sum += solid(g, scale);
            }
    bool short_of = g->count >= 0 ? number < (uint64_t)g->count : !isnan(g->fraction) && !enough;
    bool filled = g->count < 0 && isnan(g->fraction);
    if (short_of || (filled && number == 0))
        scree_config_problem(
            g->build->config, g->group,
            "the lattice has room for %" G_GUINT64_FORMAT
            " bodies, solid fraction %.3f; take a larger region, a smaller spacing or "
            "fewer bodies",
            number, sum / region_size(g));
}

static bool is_of_integrator(const scree_node *group)
{
    const scree_node *method = scree_node_find(group, "method");
    return method && method->type == SCREE_NODE_STRING && strcmp(method->s, "integrator") == 0;
}

static void generate_group(scree_build *b, scree_node *group)
{
    if (is_of_integrator(group)) {
        scree_build_start(b, group);
        return;
    }
    generator g = {.build = b, .group = group, .stream = scree_mix64(hash_name(group->name))};
    if (read_generator(&g)) {
        scree_working_bodies(b->scene->bodies->len + (uint64_t)MAX(g.count, 0));
        g.scales = g_array_new(FALSE, FALSE, sizeof(double));
        bool drawn = g.lattice < 0 && draw_scales(&g);
        double widest = 2.0 * widest_reach(&g);
        b->expected = b->scene->bodies->len + expect_bodies(&g);
        scree_working_bodies(b->expected);
        uint32_t parts = g.look.shape->balls ? g.look.shape->balls->n : 1;
        g.obstacles =
            scree_obstacles_new(b->scene, g.min, g.max, widest, expect_bodies(&g) * parts);
        if (drawn && drawn_fraction(&g) > 0.1) // below it few tries are in vain
            scree_obstacles_cover(g.obstacles, least_radius(&g), g.min, g.max,
                                  (uint64_t)g.scales->len * parts);
        for (uint32_t i = 0; i < b->scene->bodies->len; i++)
            scree_obstacles_add(g.obstacles, &g_array_index(b->scene->bodies, scree_body, i));
        if (drawn)
            place_at_random(&g);
        else if (g.lattice >= 0)
            place_on_lattice(&g);
        g_array_free(g.scales, TRUE);
    }
    scree_obstacles_free(g.obstacles);
    scree_sizes_free(g.sizes);
}

void scree_build_generate(scree_build *b)
{
    g_autoptr(GPtrArray) groups = scree_build_groups(b, "generate");
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_working_on("generate");
            scree_working_part(((const scree_node *)groups->pdata[i])->name);
            generate_group(b, groups->pdata[i]);
        }
}
