/* SPDX-License-Identifier: Apache-2.0 */
/* A source that adds three balls in one batch, of which the second is to replace the first body of the scene; with start
 * values of the field `frozen`. */
#include "../plugin.h"

enum { N = 3 };

static int32_t make(void *instance, const scree_making *args)
{
    const scree_bodies *b = args->bodies;
    const uint32_t shape[N] = {0}, material[N] = {0};
    const double scale[N] = {0.01, 0.02, 0.03}, y[N] = {0.5, 0.5, 0.5}, mark[N] = {0.0, 1.0, 0.0};
    const double x[N] = {0.2, b->n ? b->x[0][0] : 0.5, 0.8};
    const uint64_t instead[N] = {SCREE_NO_BODY, b->n ? b->id[0] : SCREE_NO_BODY, SCREE_NO_BODY};
    const double *values[1] = {mark};
    const scree_start_field field = {
        .size = sizeof field, .components = 1, .name = "frozen", .v = values};
    const scree_start_field *const fields[1] = {&field};
    const scree_new_bodies bodies = {.size = sizeof bodies,
                                     .n = N,
                                     .shape = shape,
                                     .material = material,
                                     .scale = scale,
                                     .x = {x, y, y},
                                     .instead = instead,
                                     .n_fields = 1,
                                     .fields = fields};
    return args->first ? SCREE_OK : args->add(args->ctx, &bodies);
}

static const scree_source_ops ops = {OPS(source, plain_create, plain_destroy), .make = make};
static const scree_plugin replacer = {
    PLUGIN_OF(SCREE_DIMENSION_3, SOURCE, "replacer", "replaces the first body of the scene"),
    .ops = &ops};
SCREE_DEFINE_MANIFEST(&replacer);
