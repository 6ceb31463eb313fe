/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions of a vtable that no claim is about, so that their effect on the process shows. */
#include "tools/check/check_rest.h"

#include <string.h>

#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "scree/draft/layout.h"
#include "scree/draft/suspect.h"
#include "tools/check/check_report.h"

static bool ask_law(scree_check *check, scree_instance *instance)
{
    const scree_force_ops *ops = instance->ops;
    scree_stiffness stiffness = {.size = sizeof stiffness};
    const scree_stiffness_query query = {
        .size = sizeof query, .radius_a = 0.01, .radius_b = 0.01, .mass = 0.01, .speed = 1.0};
    scree_range_query reach = {.size = sizeof reach, .radius_a = 0.01, .radius_b = 0.01};
    if (SCREE_HAS(ops, range) &&
        !SCREE_CHECK_CALL(check, instance, "range", ops->range(instance->self, &reach)))
        return false;
    return !SCREE_HAS(ops, stiffness) ||
           SCREE_CHECK_CALL(check, instance, "stiffness",
                            ops->stiffness(instance->self, &query, &stiffness));
}

static void ask_reach(scree_check *check, scree_instance *instance)
{
    const scree_bonds *bonds = scree_call_extension(check->plugin, SCREE_EXTENSION_BONDS);
    scree_range_query query = {.size = sizeof query, .radius_a = 0.01, .radius_b = 0.01};
    if (bonds && SCREE_HAS(bonds, reach))
        SCREE_CHECK_CALL(check, instance, "reach", bonds->reach(instance->self, &query));
}

/** A contact detection without a fault suspects no pair. */
static void ask_suspect(scree_check *check, scree_instance *instance)
{
    const scree_suspect *suspect = scree_call_extension(check->plugin, SCREE_DRAFT_SUSPECT);
    const scree_gcd_ops *ops = instance->ops;
    const scree_boxes none = {.size = sizeof none, .dimension = instance->host.dimension};
    uint64_t n_pivots = 0;
    scree_pair pair = {0, 0};
    if (suspect && SCREE_HAS(suspect, pair) &&
        SCREE_CHECK_CALL(check, instance, "init", ops->init(instance->self, &none, 0)) &&
        SCREE_CHECK_CALL(check, instance, "step_init",
                         ops->step_init(instance->self, &none, NULL, 0, &n_pivots)) &&
        SCREE_CHECK_ANSWER(check, instance, "pair", 1, suspect->pair(instance->self, &pair)))
        scree_check_fail(check, "pair: it suspects boxes %u and %u before any call has failed",
                         pair.a, pair.b);
}

static int32_t put_none(void *ctx, const scree_layout_cell *cells, uint64_t n)
{
    (void)ctx;
    (void)cells;
    (void)n;
    return SCREE_OK;
}

/** Asks for the cells of no boxes. */
static void ask_layout(scree_check *check, scree_instance *instance)
{
    const scree_layout *layout = scree_call_extension(check->plugin, SCREE_DRAFT_LAYOUT);
    const scree_layout_sink sink = {.size = sizeof sink, .put = put_none};
    const scree_gcd_ops *ops = instance->ops;
    const scree_boxes none = {.size = sizeof none, .dimension = instance->host.dimension};
    uint64_t n_pivots = 0;
    if (layout && SCREE_HAS(layout, cells) &&
        SCREE_CHECK_CALL(check, instance, "init", ops->init(instance->self, &none, 0)) &&
        SCREE_CHECK_CALL(check, instance, "step_init",
                         ops->step_init(instance->self, &none, NULL, 0, &n_pivots)))
        SCREE_CHECK_CALL(check, instance, "cells", layout->cells(instance->self, &sink));
}

scree_order scree_check_claims(scree_instance *instance)
{
    const scree_order *says = scree_call_extension(instance->plugin, SCREE_EXTENSION_ORDER);
    scree_order claim = {0};
    if (!says)
        return claim;
    memcpy(&claim, says, MIN(sizeof claim, says->size));
    if (!claim.with)
        return claim;
    scree_call call = scree_call_begin(instance, SCREE_CALL_STEP, "with");
    claim.with(instance->choice->config, &claim);
    scree_call_done(&call);
    return claim;
}

static void ask_claims(scree_instance *instance)
{
    scree_check_claims(instance);
    scree_call_stability(instance->plugin, instance->choice->config, 0.0);
}

void scree_check_rest(scree_check *check, scree_instance *instance)
{
    scree_call_extension(check->plugin, "scree.none/0");
    if (instance->plugin->kind == SCREE_KIND_FORCE && ask_law(check, instance))
        ask_reach(check, instance);
    if (instance->plugin->kind == SCREE_KIND_GCD) {
        ask_suspect(check, instance);
        ask_layout(check, instance);
    }
    if (instance->plugin->kind == SCREE_KIND_INTEGRATOR)
        ask_claims(instance);
    scree_call_bytes(instance);
}
