// SPDX-License-Identifier: Apache-2.0
// A call of make() while a scene is read: each body that the source adds is checked first.
#include "scene/source_bodies.h"

#include <inttypes.h>

#include "config/config_problem.h"
#include "plugin/guard.h"
#include "plugin/instance.h"
#include "plugin/struct_size.h"
#include "scene/bonds_rule.h"
#include "scene/new_bodies.h"
#include "scene/scene_body.h"
#include "shape/plugin_shape.h"

#define MOST_IN_VAIN 1000000u

int32_t scree_source_blame(scree_source_call *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scree_instance_misbehaved(c->instance, text);
    return SCREE_E_CONFIG;
}

bool scree_source_goes_on(scree_source_call *c, const char *name)
{
    g_autofree char *endless = NULL;
    if (!c->open) {
        scree_source_blame(c, "it called %s of make() after make() had returned", name);
        return false;
    }
    if (++c->in_vain > MOST_IN_VAIN) {
        endless = g_strdup_printf("it called %s more than %u times in vain", name, MOST_IN_VAIN);
        scree_ends_endless(endless);
    }
    return !c->instance->misbehaved && c->refused < SCREE_MOST_REFUSED;
}

/* ---- the call ---- */

#define MOST_BODIES 100000000u

/** Adds a body. False, with a problem or a fault: it is invalid. */
static bool add_source_body(scree_source_call *c, const scree_new_bodies *from, uint32_t i)
{
    const scree_new_as as = from->file ? SCREE_NEW_ROW : SCREE_NEW_BODY;
    scree_body body = scree_new_bodies_read(from, i, c->bodies.dimension, as);
    const char *fault = scree_new_body_fault(c->build->scene, &body, as);
    body.group = c->group_index;
    body.id = from->id ? from->id[i] : SCREE_ID_NONE;
    if (!fault && from->id && body.id > INT64_MAX)
        fault = "its id is beyond 2^63 - 1";
    const scree_place row = {from->file, from->file ? from->line[i] : 0};
    if (fault) {
        scree_source_blame(c, "body %" PRIu64 " (%u of %u in a call of add): %s", c->added + 1,
                           i + 1, from->n, fault);
        return false;
    }
    fault = from->file ? scree_new_body_fault(c->build->scene, &body, SCREE_NEW_BODY) : NULL;
    if (fault) {
        scree_config_problem(c->build->config, NULL, "%s:%u: %s", row.file, row.line, fault);
        return false;
    }
    scree_body kept = body;
    if (from->frame == SCREE_FRAME_OF_SHAPE)
        scree_shape_enter_frame(c->build->scene->shapes->pdata[body.shape], body.scale, kept.x,
                                kept.q);
    kept.start = scree_start_values_take(&c->build->scene->starts, from, i);
    return scree_build_add(c->build, c->group, from->file ? &row : NULL, kept);
}

int32_t scree_source_add(void *ctx, const scree_new_bodies *from)
{
    scree_source_call *c = ctx;
    if (!scree_source_goes_on(c, "add"))
        return SCREE_E_CONFIG;
    if (!from || from->size < SCREE_SIZE_TO(scree_new_bodies, line))
        return scree_source_blame(c, "add: expected bodies in a struct of size %zu or more, got %u",
                                  SCREE_SIZE_TO(scree_new_bodies, line), from ? from->size : 0);
    const char *gap = scree_new_bodies_gap(from, c->bodies.dimension, SCREE_NEW_BODY);
    if (gap)
        return scree_source_blame(c, "add: %s", gap);
    if (c->added + from->n > MOST_BODIES)
        return scree_source_blame(c, "add: it makes more than %u bodies", MOST_BODIES);
    const uint32_t before = c->refused;
    for (uint32_t i = 0; i < from->n && c->refused < SCREE_MOST_REFUSED; i++) {
        if (add_source_body(c, from, i))
            c->in_vain = 0;
        else
            c->refused = c->instance->misbehaved ? (uint32_t)SCREE_MOST_REFUSED : c->refused + 1;
        c->added++;
    }
    if (c->refused == SCREE_MOST_REFUSED && !c->instance->misbehaved)
        scree_config_problem(c->build->config, c->group, "further mistakes are not shown");
    c->said |= c->refused > before;
    return c->refused > before ? SCREE_E_CONFIG : SCREE_OK;
}

int32_t scree_source_bond(void *ctx, uint32_t n, const uint32_t *a, const uint32_t *b)
{
    scree_source_call *c = ctx;
    scree_build *build = c->build;
    if (!scree_source_goes_on(c, "bond"))
        return SCREE_E_CONFIG;
    if (n && (!a || !b))
        return scree_source_blame(c, "bond: a or b is NULL");
    if (n && !build->bonds) {
        build->bonds = g_array_new(FALSE, FALSE, sizeof(scree_bond_pair));
        build->bonds_at = c->group;
    }
    const uint32_t made = build->scene->bodies->len - c->before;
    for (uint32_t k = 0; k < n; k++) {
        const scree_bond_pair pair = {{c->before + (uint64_t)a[k], c->before + (uint64_t)b[k]},
                                      (uint32_t)c->group->line};
        if (a[k] >= made || b[k] >= made || a[k] == b[k])
            return scree_source_blame(c,
                                      "bond: pair %u of %u is of bodies %u and %u; expected two of "
                                      "the %u that it has added, counted from 0",
                                      k, n, a[k], b[k], made);
        g_array_append_val(build->bonds, pair);
    }
    c->in_vain = n ? 0 : c->in_vain;
    return SCREE_OK;
}
