// SPDX-License-Identifier: Apache-2.0
// Critical time steps of a scene: Rayleigh's from the materials, that of one pair from the laws.
#include <math.h>

#include "scene/critical.h"

#include "plugin/call.h"
#include "scene/critical_packing.h"
#include "scene/scene_build.h"
#include "scene/shape_size.h"
#include "shape/shape.h"

typedef struct step_finder {
    const scree_scene *scene;
    scree_stiff stiff;
    bool *of_bodies, *of_walls; // [materials.n] such a partner exists
    double speed;               // [m/s]
    scree_critical *out;
} step_finder;

void scree_critical_size(scree_critical_step *step, const scree_shape *shape, double scale)
{
    step->size = scale * scree_shape_size(shape);
    step->flags = shape->flags;
}

static void keep_smaller(scree_critical_step *best, double step, const scree_body *body,
                         const scree_shape *shape)
{
    if (!(step < best->step))
        return;
    *best = (scree_critical_step){.step = step, .id = body->id};
    scree_critical_size(best, shape, body->scale);
}

static void find_rayleigh(step_finder *f, const scree_body *body, double r)
{
    const scree_shape *shape = f->scene->shapes->pdata[body->shape];
    double e = f->scene->young[body->material], nu = f->scene->poisson[body->material];
    if (isnan(e) || isnan(nu)) {
        f->out->no_elasticity++;
        return;
    }
    double g = e / (2.0 * (1.0 + nu));
    double step = G_PI * r * sqrt(scree_scene_density(f->scene, body) / g) / (0.1631 * nu + 0.8766);
    keep_smaller(&f->out->rayleigh, step, body, shape);
}

/** One body against one kind of partner. */
static bool find_spring(step_finder *f, const scree_body *body, double r, uint32_t partner,
                        bool wall, GError **error)
{
    const scree_shape *shape = f->scene->shapes->pdata[body->shape];
    scree_stiffness sum;
    double mass, inertia[3];
    scree_shape_mass(shape, body->scale, scree_scene_density(f->scene, body), f->scene->thickness,
                     &mass, inertia);
    scree_stiffness_query query = {.size = sizeof query,
                                   .material_a = body->material,
                                   .material_b = partner,
                                   .radius_a = r,
                                   .radius_b = wall ? 0.0 : r,
                                   .mass = wall ? mass : 0.5 * mass,
                                   .speed = f->speed};
    f->stiff.type_a = shape->type;
    f->stiff.type_b = SCREE_NONE;
    if (!scree_stiff_sum(&f->stiff, &query, &sum, error))
        return false;
    const bool round = scree_shape_is_round(shape); // else a contact may be head-on
    double k = fmax(sum.kn, round ? sum.kt * (1.0 + mass * r * r / inertia[2]) : sum.kt);
    double before = f->out->spring.step;
    if (k > 0.0)
        keep_smaller(&f->out->spring, 2.0 * sqrt(query.mass / k), body, shape);
    if (f->out->spring.step < before) {
        f->out->spring.partner = partner;
        f->out->spring.wall = wall;
    }
    return true;
}

/** [m/s] Of its centre; of a body that is not round, of its farthest point. */
static double speed_of(const scree_scene *scene, const scree_body *b)
{
    const scree_shape *shape = scene->shapes->pdata[b->shape];
    const double speed = sqrt(b->v[0] * b->v[0] + b->v[1] * b->v[1] + b->v[2] * b->v[2]);
    if (scree_shape_is_round(shape) || scree_shape_is_wall(shape))
        return speed;
    const double spin = sqrt(b->w[0] * b->w[0] + b->w[1] * b->w[1] + b->w[2] * b->w[2]);
    return speed + spin * b->scale * shape->radius;
}

/** Twice the fastest start, or the fall through the height of the scene. */
static double expect_speed(const scree_scene *scene)
{
    double fastest = 0.0, lo[3], hi[3], drop2 = 0.0;
    for (int k = 0; k < 3; k++) {
        lo[k] = scene->has_region ? scene->region_min[k] : HUGE_VAL;
        hi[k] = scene->has_region ? scene->region_max[k] : -HUGE_VAL;
    }
    for (uint32_t i = 0; i < scene->bodies->len; i++) {
        const scree_body *b = &g_array_index(scene->bodies, scree_body, i);
        fastest = fmax(fastest, speed_of(scene, b));
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(lo[k], b->x[k]);
            hi[k] = fmax(hi[k], b->x[k]);
        }
    }
    for (uint32_t i = 0; i < scene->to_come->len; i++)
        fastest = fmax(fastest, speed_of(scene, &g_array_index(scene->to_come, scree_body, i)));
    for (int k = 0; k < 3; k++)
        if (hi[k] > lo[k])
            drop2 += 2.0 * fabs(scene->gravity[k]) * (hi[k] - lo[k]);
    return fmax(2.0 * fastest, sqrt(drop2));
}

static uint32_t count_bodies(const scree_scene *scene)
{
    return scene->bodies->len + scene->to_come->len;
}

/** Those that are there at the start, then those that modifiers may make. */
static const scree_body *body_at(const scree_scene *scene, uint32_t i)
{
    uint32_t n = scene->bodies->len;
    return i < n ? &g_array_index(scene->bodies, scree_body, i)
                 : &g_array_index(scene->to_come, scree_body, i - n);
}

static bool find_all(step_finder *f, GError **error)
{
    const scree_scene *scene = f->scene;
    uint32_t n = count_bodies(scene);
    for (uint32_t i = 0; i < n; i++) {
        const scree_body *b = body_at(scene, i);
        if (isnan(b->scale)) // size and material are in a file
            continue;
        (b->motion == SCREE_MOTION_FREE ? f->of_bodies : f->of_walls)[b->material] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        const scree_body *b = body_at(scene, i);
        double r = b->scale * scree_shape_size(scene->shapes->pdata[b->shape]);
        if (b->motion != SCREE_MOTION_FREE || isnan(b->scale))
            continue;
        find_rayleigh(f, b, r);
        for (uint32_t m = 0; m < scene->materials.n; m++)
            if ((f->of_bodies[m] && !find_spring(f, b, r, m, false, error)) ||
                (f->of_walls[m] && !find_spring(f, b, r, m, true, error)))
                return false;
    }
    return true;
}

/** Whether the stability limit of the integrator is a number above 0. */
static bool check_limits(const scree_choice_of *integrator, GError **error)
{
    static const double ratios[] = {0.0, 0.1, 1.0};
    if (!integrator || !scree_call_extension(integrator->plugin, SCREE_EXTENSION_STABILITY))
        return true;
    for (size_t k = 0; k < G_N_ELEMENTS(ratios); k++) {
        double limit = scree_call_stability(integrator->plugin, integrator->config, ratios[k]);
        if (limit > 0.0 && isfinite(limit))
            continue;
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "integrator/%s: the limit of omega dt (" SCREE_EXTENSION_STABILITY
                          ") at a damping ratio of %g is %g; expected a finite number > 0",
                          integrator->plugin->id, ratios[k], limit);
    }
    return true;
}

bool scree_critical_find(const scree_scene *scene, uint32_t n_laws, scree_instance *const *laws,
                         scree_critical *out, GError **error)
{
    *out = (scree_critical){
        .rayleigh.step = HUGE_VAL, .spring.step = HUGE_VAL, .packing.step = HUGE_VAL};
    g_autofree bool *of_bodies = g_new0(bool, scene->materials.n + 1);
    g_autofree bool *of_walls = g_new0(bool, scene->materials.n + 1);
    step_finder f = {.scene = scene,
                     .stiff = {.n_laws = n_laws, .laws = laws},
                     .of_bodies = of_bodies,
                     .of_walls = of_walls,
                     .speed = expect_speed(scene),
                     .out = out};
    bool ok = check_limits(scene->integrator, error) && find_all(&f, error) &&
              scree_packing_find(scene, &f.stiff, f.speed, of_bodies, of_walls, out, error);
    out->no_stiffness = !f.stiff.answers;
    return ok;
}

double scree_critical_smallest(const scree_critical *c)
{
    // In a packing the pair may be one that is not there, unless bodies are still to touch.
    const bool packed = isfinite(c->packing.step) && !c->packing.assumed && !c->packing.loose;
    return fmin(c->rayleigh.step, packed ? c->packing.step : fmin(c->spring.step, c->packing.step));
}

char *scree_critical_name(const scree_critical *c)
{
    const scree_critical_step *p = &c->packing;
    const double smallest = scree_critical_smallest(c);
    if (c->rayleigh.step <= smallest)
        return g_strdup("of Rayleigh");
    if (smallest < p->step)
        return g_strdup("of one contact");
    g_autofree char *who = p->id == SCREE_ID_NONE
                               ? g_strdup("a body that a modifier makes")
                               : g_strdup_printf("body %" G_GUINT64_FORMAT, p->id);
    return g_strdup_printf("of %s with %u contact%s%s", who, p->contacts,
                           p->contacts == 1 ? "" : "s", p->assumed ? " assumed" : "");
}

double scree_critical_limit(const scree_choice_of *integrator, double rate, double damping,
                            double *zeta)
{
    double omega = sqrt(rate), limit = (double)NAN;
    *zeta = 0.5 * damping / omega;
    if (integrator)
        limit = scree_call_stability(integrator->plugin, integrator->config, *zeta);
    // That of central differences, when the integrator does not say
    return (limit > 0.0 && isfinite(limit) ? limit : 2.0) / omega;
}

double scree_critical_dt(const scree_scene *scene, const scree_critical *critical, GError **error)
{
    if (!isnan(scene->dt))
        return scene->dt;
    double smallest = scree_critical_smallest(critical);
    if (isfinite(smallest))
        return scene->dt_fraction * smallest;
    bool any_free = false;
    for (guint i = 0; i < scene->bodies->len; i++)
        any_free |= g_array_index(scene->bodies, scree_body, i).motion == SCREE_MOTION_FREE;
    g_set_error(
        error, SCREE_ERROR, SCREE_EXIT_USAGE,
        !any_free
            ? "scene.dt = \"auto\" needs a critical step, and no body is free to have one: give "
              "scene.dt"
            : "scene.dt = \"auto\" needs a critical step, and none is known: give scene.dt, or "
              "young_modulus and poisson_ratio of the materials, or a law that states its "
              "stiffness");
    return (double)NAN;
}
