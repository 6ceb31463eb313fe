/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a scene's shapes, and the codes that decide which body of a contact is a. */
#include "shape/shape_types.h"

#include <string.h>

/** Rank of a type: round shapes (sphere, disc, others), balls, solids, walls, planes. */
static int rank(const scree_shape *shape)
{
    if (shape->flags & SCREE_CAP_ROUND)
        return 0;
    if (shape->flags & SCREE_CAP_BALLS)
        return 1;
    if (shape->flags & SCREE_CAP_WALL)
        return 3;
    return shape->flags & SCREE_CAP_INFINITE ? 4 : 2;
}

static const char *name_of(const scree_shape *shape)
{
    if (shape->flags & SCREE_CAP_WALL)
        return "mesh";
    if (shape->flags & SCREE_CAP_INFINITE)
        return "plane";
    if (shape->plugin)
        return shape->plugin->id;
    return shape->flat ? "disc" : "sphere";
}

static int round_rank(const char *name)
{
    return strcmp(name, "sphere") == 0 ? 0 : strcmp(name, "disc") == 0 ? 1 : 2;
}

static int compare(const void *pa, const void *pb)
{
    const scree_shape *a = *(scree_shape *const *)pa, *b = *(scree_shape *const *)pb;
    const char *na = name_of(a), *nb = name_of(b);
    if (rank(a) != rank(b))
        return rank(a) - rank(b);
    if (rank(a) == 0 && round_rank(na) != round_rank(nb))
        return round_rank(na) - round_rank(nb);
    return strcmp(na, nb);
}

static void free_type(void *data)
{
    scree_shape_type *type = data;
    g_free((void *)type->shapes);
    g_free(type);
}

static scree_shape_type *new_type(scree_shape *const *sorted, uint32_t n, uint32_t code)
{
    scree_shape_type *type = g_new0(scree_shape_type, 1);
    type->size = sizeof *type;
    type->code = code;
    type->flags = sorted[0]->flags;
    type->name = name_of(sorted[0]);
    type->n_shapes = n;
    type->shapes = g_memdup2(sorted, n * sizeof(scree_shape *));
    for (uint32_t i = 0; i < n; i++)
        sorted[i]->type = code;
    return type;
}

GPtrArray *scree_shape_types_new(scree_shape *const *shapes, uint32_t n, GError **error)
{
    g_autoptr(GPtrArray) types = g_ptr_array_new_with_free_func(free_type);
    g_autofree scree_shape **sorted = g_new(scree_shape *, n + 1);
    memcpy(sorted, shapes, n * sizeof(scree_shape *));
    qsort(sorted, n, sizeof(scree_shape *), compare);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare(&sorted[i], &sorted[end]) == 0;)
            end++;
        g_ptr_array_add(types, new_type(sorted + i, end - i, types->len));
    }
    if (types->len <= SCREE_MAX_TYPES)
        return g_steal_pointer(&types);
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "expected at most %d types of shapes in a scene, got %u", SCREE_MAX_TYPES,
                types->len);
    return NULL;
}
