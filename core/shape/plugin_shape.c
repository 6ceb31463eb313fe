// SPDX-License-Identifier: Apache-2.0
/*
 * Shapes that plugins make, one instance per shape of the scene. The instance is created, measured,
 * and moved to its principal frame if it is a solid or a clump; after that it only answers queries.
 * It lives as long as the scene, so that all runs of the scene share its results.
 */
#include "shape/plugin_shape.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/rotation.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/schema.h"
#include "shape/plugin_shape_check.h"

#define SLACK 1e-9 /* [-] relative rounding of a plugin's own sums */
enum { ANSWERS = 6000 };

/** A view that a caller has asked for. */
typedef struct kept_view {
    char *name;
    double tolerance;
    const void *view; // NULL: the shape has no such view
} kept_view;

void scree_plugin_shape_free_view(void *data)
{
    kept_view *kept = data;
    g_free(kept->name);
    g_free(kept);
}

void scree_any_shape_free(scree_shape *shape)
{
    if (!shape || !shape->ctx) {
        g_free(shape);
        return;
    }
    scree_plugin_shape *s = (scree_plugin_shape *)shape;
    scree_instance_free(s->instance);
    scree_choice_of_free(s->choice);
    g_ptr_array_unref(s->views);
    pthread_mutex_destroy(&s->mutex);
    g_free(s);
}

/* ---- views ---- */

bool scree_plugin_shape_ask(const scree_plugin_shape *s, const char *name, double tolerance,
                            const void **view, GError **error)
{
    const scree_shape_ops *ops = s->instance->ops;
    *view = NULL;
    if (!SCREE_HAS(ops, view))
        return true;
    scree_call call = scree_call_begin(s->instance, SCREE_CALL_CONFIG, "view");
    int32_t code = ops->view(s->instance->self, name, tolerance, view);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0)
        *view = NULL;
    if (code < 0 || !*view)
        return code >= 0;
    call = scree_call_begin(s->instance, SCREE_CALL_LANE, "view"); // reads the plugin's memory
    const bool good = scree_view_check(s->instance, name, *view, error);
    return scree_call_end(&call, SCREE_OK, SCREE_OK, good ? error : NULL) >= 0 && good;
}

void scree_plugin_shape_keep(scree_plugin_shape *s, const char *name, double tolerance,
                             const void *view)
{
    kept_view *kept = g_new0(kept_view, 1);
    *kept = (kept_view){g_strdup(name), tolerance, view};
    g_ptr_array_add(s->views, kept);
}

const void *scree_shape_find_view(const scree_shape *shape, const char *name, double tolerance)
{
    scree_plugin_shape *s = (scree_plugin_shape *)shape->ctx;
    g_autoptr(GError) error = NULL;
    const void *view = NULL;
    bool known = false;
    if (!s)
        return NULL;
    pthread_mutex_lock(&s->mutex);
    for (guint i = 0; i < s->views->len && !known; i++) {
        const kept_view *kept = s->views->pdata[i];
        known = kept->tolerance == tolerance && !strcmp(kept->name, name);
        view = known ? kept->view : NULL;
    }
    if (!known) {
        if (!scree_plugin_shape_ask(s, name, tolerance, &view, &error)) {
            scree_call_report(error);
            view = NULL;
        }
        scree_plugin_shape_keep(s, name, tolerance, view);
    }
    pthread_mutex_unlock(&s->mutex);
    return view;
}

/* ---- queries ---- */

scree_instance *scree_shape_instance(const scree_shape *shape)
{
    const scree_plugin_shape *s = shape->ctx;
    return s ? s->instance : NULL;
}

const scree_choice_of *scree_shape_choice(const scree_shape *shape)
{
    const scree_plugin_shape *s = shape->ctx;
    return s ? s->choice : NULL;
}

uint64_t scree_shape_bytes(const scree_shape *shape)
{
    const scree_plugin_shape *s = shape->ctx;
    return s ? sizeof *s + scree_call_bytes(s->instance) : 0;
}

void scree_shape_enter_frame(const scree_shape *shape, double scale, double x[3], double q[4])
{
    const scree_plugin_shape *s = shape->ctx;
    double turned[4],
        arm[3]; // from the origin of the user's frame to the centre of mass, in world axes
    if (!s || !scree_plugin_shape_is_placed(shape->flags))
        return;
    for (int k = 0; k < 3; k++)
        arm[k] = scale * s->frame.shift[k];
    scree_rotate(q, arm, arm);
    scree_rotation_product(q, s->frame.q, turned);
    memcpy(q, turned, sizeof turned);
    for (int k = 0; k < 3; k++)
        x[k] += arm[k];
}

/** The measured part of a shape; NULL: no plugin was asked, and the bounding ball counts. */
static const scree_plugin_shape *find_measured(const scree_shape *shape)
{
    const scree_plugin_shape *s = shape->ctx;
    return s && s->thin > 0.0 ? s : NULL;
}

void scree_shape_sides(const scree_shape *shape, double half[3])
{
    const scree_plugin_shape *s = find_measured(shape);
    const double reach = scree_shape_is_wall(shape) ? 0.0 : shape->radius;
    for (int k = 0; k < 3; k++)
        half[k] = s ? s->half[k] : reach;
}

double scree_shape_size(const scree_shape *shape)
{
    const scree_plugin_shape *s = find_measured(shape);
    return scree_shape_is_wall(shape) ? 0.0 : s ? s->thin : shape->radius;
}

bool scree_shape_find_boxes(const scree_shape *shape, const scree_shape_boxes *batch,
                            scree_call_tag tag, GError **error)
{
    scree_plugin_shape *s = (scree_plugin_shape *)shape->ctx;
    const scree_shape_ops *ops = s->instance->ops;
    const bool serial = s->instance->demands.flags & SCREE_CAP_SERIAL;
    if (serial)
        pthread_mutex_lock(&s->mutex);
    scree_call call = scree_call_begin(s->instance, tag, "boxes");
    int32_t code = ops->boxes(s->instance->self, batch);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (serial)
        pthread_mutex_unlock(&s->mutex);
    return code >= 0;
}

/* ---- answers are checked ---- */

bool scree_shape_ask_farthest(const scree_shape *shape, const scree_support *support, uint32_t n,
                              const double *const to[3], double *const found[3], GError **error)
{
    scree_instance *in = scree_shape_instance(shape);
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "farthest");
    support->farthest(support->ctx, n, to, found);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const double far =
            sqrt(found[0][i] * found[0][i] + found[1][i] * found[1][i] + found[2][i] * found[2][i]);
        if (!(far <= shape->radius * (1.0 + SLACK)))
            return scree_call_blame(in, "farthest", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_SUPPORT ": in the direction (%g, %g, %g) it gave "
                                                       "(%g, %g, %g) m, of a shape of radius %g m",
                                    to[0][i], to[1][i], to[2][i], found[0][i], found[1][i],
                                    found[2][i], shape->radius);
    }
    return true;
}

/** Asks for the implicit function and its gradient. False, with blame: one is not finite. */
static bool check_implicit(scree_instance *in, const scree_implicit *implicit,
                           const double *const x[3], double *value, double *const gradient[3],
                           GError **error)
{
    scree_call call = scree_call_begin(in, SCREE_CALL_LANE, "value");
    implicit->value(implicit->ctx, ANSWERS, x, value, gradient);
    if (scree_call_end(&call, SCREE_OK, SCREE_OK, error) < 0)
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        if (!isfinite(value[i] + gradient[0][i] + gradient[1][i] + gradient[2][i]))
            return scree_call_blame(in, "value", SCREE_EXIT_PLUGIN, error,
                                    SCREE_VIEW_IMPLICIT ": at (%g, %g, %g) m it gave %g with the "
                                                        "gradient (%g, %g, %g)",
                                    x[0][i], x[1][i], x[2][i], value[i], gradient[0][i],
                                    gradient[1][i], gradient[2][i]);
    return true;
}

bool scree_shape_check_answers(const scree_shape *shape, GError **error)
{
    const scree_support *support = scree_shape_find_view(shape, SCREE_VIEW_SUPPORT, 0.0);
    const scree_implicit *implicit = scree_shape_find_view(shape, SCREE_VIEW_IMPLICIT, 0.0);
    scree_instance *in = scree_shape_instance(shape);
    if (!in || shape->flags & SCREE_CAP_INFINITE)
        return true;
    if (!(shape->radius > 0.0) || !isfinite(shape->radius))
        return scree_call_blame(in, "measure", SCREE_EXIT_PLUGIN, error,
                                "radius: expected > 0, got %g m", shape->radius);
    g_autofree double *m = g_new0(double, 7 * ANSWERS);
    double *const x[3] = {m, m + ANSWERS, m + 2 * ANSWERS};
    double *const found[3] = {m + 3 * ANSWERS, m + 4 * ANSWERS, m + 5 * ANSWERS};
    const double *const asked[3] = {x[0], x[1], x[2]};
    static const double length[3] = {1.0, 1e-3, 1e-9}, distance[3] = {1.0, 1.2, 0.3};
    for (uint32_t i = 0; i < ANSWERS; i++) { // evenly over the sphere
        const double z = in->host.dimension == 2 ? 0.0 : 2.0 * scree_random_unit(1, 0, i, 0) - 1.0;
        const double turn = 2.0 * G_PI * scree_random_unit(1, 0, i, 1), ring = sqrt(1.0 - z * z);
        x[0][i] = length[i % 3] * ring * cos(turn);
        x[1][i] = length[i % 3] * ring * sin(turn);
        x[2][i] = length[i % 3] * z;
    }
    if (support && !scree_shape_ask_farthest(shape, support, ANSWERS, asked, found, error))
        return false;
    for (uint32_t i = 0; i < ANSWERS; i++)
        for (int k = 0; k < 3; k++)
            x[k][i] *= shape->radius * distance[i % 3] / length[i % 3];
    return !implicit || check_implicit(in, implicit, asked, m + 6 * ANSWERS, found, error);
}
