// SPDX-License-Identifier: Apache-2.0
/*
 * Shapes that plugins make. One instance per shape of the scene: created, measured, moved to its
 * principal frame where it is a solid or a clump, then only asked. It lives as long as the scene, so
 * that all runs of it share what the shape has worked out.
 */
#include "scene/plugin_shape.h"

#include <string.h>

#include "base/rotation.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "plugin/schema.h"
#include "scene/plugin_shape_check.h"

/** A view that was asked for. */
typedef struct kept_view {
    char *name;
    double tolerance;
    const void *view; // NULL: there is none
} kept_view;

/** A shape of the host's own has no ctx. */
static const scree_plugin_shape *find_instance_of(const scree_shape *shape)
{
    return shape->ctx;
}

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
    call = scree_call_begin(s->instance, SCREE_CALL_LANE, "view"); // what lies there is its work
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

/* ---- asked by others ---- */

scree_instance *scree_shape_instance(const scree_shape *shape)
{
    return shape->ctx ? find_instance_of(shape)->instance : NULL;
}

const scree_choice_of *scree_shape_choice(const scree_shape *shape)
{
    return shape->ctx ? find_instance_of(shape)->choice : NULL;
}

const scree_measure *scree_shape_measure(const scree_shape *shape)
{
    return shape->ctx ? &find_instance_of(shape)->measure : NULL;
}

uint64_t scree_shape_bytes(const scree_shape *shape)
{
    const scree_plugin_shape *s = find_instance_of(shape);
    if (!s)
        return 0;
    return sizeof *s + scree_call_bytes(s->instance);
}

/** out = a b, as rotations: b first. */
static void multiply(const double a[4], const double b[4], double out[4])
{
    const double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, c, sizeof c);
}

/** The origin of the user's frame to the centre of mass, in world axes. */
static void find_place_arm(const scree_plugin_shape *s, double scale, const double q[4],
                           double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = scale * s->frame.shift[k];
    scree_rotate(q, arm, arm);
}

void scree_shape_enter_frame(const scree_shape *shape, double scale, double x[3], double q[4])
{
    const scree_plugin_shape *s = find_instance_of(shape);
    double arm[3];
    if (!s || !scree_plugin_shape_is_placed(shape->flags))
        return;
    find_place_arm(s, scale, q, arm);
    multiply(q, s->frame.q, q);
    for (int k = 0; k < 3; k++)
        x[k] += arm[k];
}

void scree_shape_leave_frame(const scree_shape *shape, double scale, double x[3], double q[4])
{
    const scree_plugin_shape *s = find_instance_of(shape);
    double arm[3];
    if (!s || !scree_plugin_shape_is_placed(shape->flags))
        return;
    const double back[4] = {s->frame.q[0], -s->frame.q[1], -s->frame.q[2], -s->frame.q[3]};
    multiply(q, back, q);
    find_place_arm(s, scale, q, arm);
    for (int k = 0; k < 3; k++)
        x[k] -= arm[k];
}

bool scree_shape_find_boxes(const scree_shape *shape, const scree_shape_boxes *batch,
                            scree_call_tag tag, GError **error)
{
    scree_plugin_shape *s = (scree_plugin_shape *)shape->ctx;
    const scree_shape_ops *ops = s->instance->ops;
    const bool serial = s->instance->plugin->flags & SCREE_CAP_SERIAL;
    if (serial)
        pthread_mutex_lock(&s->mutex);
    scree_call call = scree_call_begin(s->instance, tag, "boxes");
    int32_t code = ops->boxes(s->instance->self, batch);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (serial)
        pthread_mutex_unlock(&s->mutex);
    return code >= 0;
}
