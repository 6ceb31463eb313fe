// SPDX-License-Identifier: Apache-2.0
// The laws of a scene, asked how stiff a contact is.
#include "scene/stiffness.h"

#include <math.h>

#include "plugin/call.h"
#include "scene/scene_between.h"

/** Adds the stiffness of a law; false with an error when it is invalid. */
static bool add_stiffness(const scree_instance *law, const scree_stiffness *one,
                          scree_stiffness *sum, GError **error)
{
    static const char *const names[] = {"kn", "kt", "kr", "ktwist", "cn", "ct", "cr", "ctwist"};
    const double *from = &one->kn;
    double *to = &sum->kn;
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
        if (!(from[k] >= 0.0) || !isfinite(from[k]))
            return scree_fail(
                error, SCREE_EXIT_PLUGIN,
                "force/%s (%s): stiffness gave %s = %g; expected a finite number >= 0",
                law->plugin->id, law->slot, names[k], from[k]);
        to[k] += from[k];
    }
    return true;
}

bool scree_stiff_sum(scree_stiff *f, scree_stiffness_query *query, scree_stiffness *sum,
                     GError **error)
{
    const double mass = query->mass;
    *sum = (scree_stiffness){.size = sizeof *sum};
    for (uint32_t i = 0; i < f->n_laws; i++) {
        const scree_force_ops *ops = f->laws[i]->ops;
        scree_stiffness one = {.size = sizeof one};
        if (!SCREE_HAS(ops, stiffness) ||
            !scree_between_acts(f->laws[i]->choice, f->type_a, f->type_b))
            continue;
        query->mass = f->point_mass > 0.0 && f->points >> i & 1u ? f->point_mass : mass;
        query->kn = sum->kn;
        query->kt = sum->kt;
        scree_call call = scree_call_begin(
            f->laws[i], f->asked ? SCREE_CALL_LANE : SCREE_CALL_CONFIG, "stiffness");
        int32_t code = ops->stiffness(f->laws[i]->self, query, &one);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code < 0)
            return false;
        if (!add_stiffness(f->laws[i], &one, sum, error))
            return false;
        f->answers = true;
    }
    query->mass = mass;
    f->asked = true;
    return true;
}

void scree_stiffness_widen(scree_stiffness *k, const scree_stiffness *other)
{
    double *to = &k->kn;
    const double *from = &other->kn;
    for (int i = 0; i < 8; i++)
        to[i] = fmax(to[i], from[i]);
}
