// SPDX-License-Identifier: Apache-2.0
// Critical time steps of a scene: Rayleigh's from the materials, those of contacts from force laws.
#include <math.h>

#include "critical/critical.h"

#include "critical/critical_bound.h"
#include "critical/critical_crowd.h"
#include "plugin/call.h"
#include "scene/scene_build.h"
#include "shape/plugin_shape.h"
#include "shape/shape.h"

typedef struct step_finder {
    const scree_scene *scene;
    scree_crowd crowd;
    scree_stiff stiff;
    scree_critical *out;
} step_finder;

static void find_rayleigh(step_finder *f, const scree_crowd_class *class, double r,
                          const scree_bound_body *body)
{
    scree_critical_step *out = &f->out->rayleigh;
    double e = f->scene->young[class->material], nu = f->scene->poisson[class->material];
    double g = e / (2.0 * (1.0 + nu));
    double step = G_PI * r * sqrt(class->density[0] / g) / (0.1631 * nu + 0.8766);
    if (isnan(e) || isnan(nu))
        f->out->no_elasticity += class->n;
    else if (step < out->step)
        *out = (scree_critical_step){
            .step = step, .id = body->id, .size = r, .flags = body->shape->flags};
}

/** Tries one contact of a body with an equal body of a kind, or with a wall. */
static bool find_spring(step_finder *f, const scree_bound_body *body, double r,
                        const scree_crowd_kind *kind, GError **error)
{
    const double mass = kind->wall ? body->mass : 0.5 * body->mass;
    const double radius[2] = {r, kind->wall ? 0.0 : r};
    const bool round = scree_shape_is_round(body->shape); // otherwise a contact may be head-on
    const double across = round ? 1.0 + body->mass * r * r / body->inertia[2] : 1.0;
    scree_stiffness k;
    if (!scree_bound_ask(&f->crowd, &f->stiff, body, kind, radius, mass, 0.0, &k, error))
        return false;
    const double rate[2] = {k.kn / mass, k.kt * across / mass};
    const double damping[2] = {k.cn / mass, k.ct * across / mass};
    for (int motion = 0; motion < 2; motion++)
        if (scree_bound_keep(f->scene, body, rate[motion], damping[motion], &f->out->spring)) {
            f->out->spring.partner = kind->material;
            f->out->spring.wall = kind->wall;
        }
    return true;
}

/** Whether bodies meet partners of this kind. A single body meets only the walls of a scene. */
static bool meets(const scree_crowd *crowd, const scree_crowd_kind *kind)
{
    const bool single = crowd->n_free == 1 && crowd->planes + crowd->facets + crowd->set > 0;
    return kind->wall || !single;
}

/** Tries the smallest (end 0) or the largest bodies of a class, with its lowest density. */
static bool bound_class(step_finder *f, const scree_crowd_class *class, int end, GError **error)
{
    const scree_scene *scene = f->scene;
    const scree_shape *shape = scene->shapes->pdata[class->shape];
    const double r = class->scale[end] * scree_shape_size(shape);
    scree_bound_body body = {.shape = shape,
                             .id = class->id[end],
                             .material = class->material,
                             .scale = class->scale[end]};
    scree_shape_mass(shape, body.scale, class->density[0], scene->thickness, &body.mass,
                     body.inertia);
    if (end == 0)
        find_rayleigh(f, class, r, &body);
    for (guint i = 0; i < f->crowd.kinds->len; i++) {
        const scree_crowd_kind *kind = &g_array_index(f->crowd.kinds, scree_crowd_kind, i);
        if (meets(&f->crowd, kind) && !find_spring(f, &body, r, kind, error))
            return false;
    }
    return scree_bound_take(scene, &f->crowd, &f->stiff, &body, &f->out->packing, error);
}

static bool find_all(step_finder *f, GError **error)
{
    for (guint i = 0; i < f->crowd.classes->len; i++) {
        const scree_crowd_class *class = &g_array_index(f->crowd.classes, scree_crowd_class, i);
        for (int end = 0; end < (class->scale[1] > class->scale[0] ? 2 : 1); end++)
            if (!bound_class(f, class, end, error))
                return false;
    }
    return true;
}

/** Checks that the stability limit of the integrator is a finite number above 0. */
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
    step_finder f = {.scene = scene, .stiff = {.n_laws = n_laws, .laws = laws}, .out = out};
    if (!check_limits(scene->integrator, error))
        return false;
    scree_crowd_take(scene, &f.crowd);
    const bool ok = find_all(&f, error);
    scree_crowd_clear(&f.crowd);
    out->no_stiffness = !f.stiff.answers;
    return ok;
}

double scree_critical_smallest(const scree_critical *c)
{
    return fmin(c->rayleigh.step, fmin(c->spring.step, c->packing.step));
}

double scree_critical_certain(const scree_critical *c)
{
    return isfinite(c->spring.step) ? c->spring.step : c->rayleigh.step;
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
    return g_strdup_printf("of %s with room for %u contact%s", who, p->contacts,
                           p->contacts == 1 ? "" : "s");
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
