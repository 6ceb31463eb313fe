/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of a run: growing, sorting, posing the arrays. */
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *scree_aligned_new(size_t bytes)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, MAX(bytes, 64)))
        g_error("out of memory: %zu bytes", bytes);
    return memory;
}

void scree_aligned_grow(void *array_ptr, uint64_t *capacity, uint64_t n, uint64_t used, size_t size)
{
    if (n <= *capacity)
        return;
    uint64_t want = MAX(n + 8, *capacity + *capacity / 2);
    void *old, *grown = scree_aligned_new(want * size);
    memcpy(&old, array_ptr, sizeof old);
    if (used)
        memcpy(grown, old, used * size);
    free(old);
    memcpy(array_ptr, &grown, sizeof grown);
    *capacity = want;
}

/** One array of the world: where its pointer is, bytes per body. */
typedef struct column {
    void **array;
    size_t size;
} column;

/** Lists every array that holds state of bodies; returns how many. */
static unsigned list_columns(scree_world *w, column *out)
{
    unsigned n = 0;
#define ADD(member, bytes) out[n++] = (column){(void **)&(member), bytes}
    ADD(w->id, sizeof *w->id);
    ADD(w->shape, sizeof *w->shape);
    ADD(w->material, sizeof *w->material);
    ADD(w->motion, sizeof *w->motion);
    ADD(w->group, sizeof *w->group);
    ADD(w->scale, sizeof(double));
    ADD(w->radius, sizeof(double));
    ADD(w->mass, sizeof(double));
    ADD(w->inv_mass, sizeof(double));
    ADD(w->isotropic, sizeof *w->isotropic);
    ADD(w->wrench, SCREE_WRENCH * sizeof(double));
    ADD(w->anchor_time, sizeof(double));
    for (int k = 0; k < 3; k++) {
        ADD(w->x[k], sizeof(double));
        ADD(w->v[k], sizeof(double));
        ADD(w->w[k], sizeof(double));
        ADD(w->inertia[k], sizeof(double));
        ADD(w->inv_inertia[k], sizeof(double));
        ADD(w->image[k], sizeof(int32_t));
    }
    for (int k = 0; k < 4; k++)
        ADD(w->q[k], sizeof(double));
    for (int k = 0; k < 7; k++)
        ADD(w->anchor[k], sizeof(double));
    for (uint32_t k = 0; k < w->n_fields; k++)
        ADD(w->field[k], sizeof(double));
#undef ADD
    return n;
}

enum { MAX_COLUMNS = 48 };

scree_world *scree_world_new(const scree_scene *scene, uint32_t n_fields)
{
    scree_world *w = g_new0(scree_world, 1);
    w->dimension = scene->dimension;
    w->thickness = scene->thickness;
    w->n_fields = n_fields;
    w->field = g_new0(double *, n_fields + 1);
    w->field_initial = g_new0(double, n_fields + 1);
    w->n_shapes = scene->shapes->len;
    w->shapes = g_new0(const scree_shape *, w->n_shapes + 1);
    for (uint32_t i = 0; i < w->n_shapes; i++)
        w->shapes[i] = scene->shapes->pdata[i];
    w->n_materials = scene->materials.n;
    w->density = scene->density;
    for (int k = 0; k < 3; k++) {
        w->gravity[k] = scene->gravity[k];
        w->region_min[k] = scene->has_region ? scene->region_min[k] : -(double)INFINITY;
        w->region_max[k] = scene->has_region ? scene->region_max[k] : (double)INFINITY;
        w->periodic[k] =
            scene->boundary[k] == SCREE_BOUNDARY_PERIODIC && (k < 2 || scene->dimension == 3);
        w->length[k] = w->periodic[k] ? w->region_max[k] - w->region_min[k] : 0.0;
        w->any_periodic |= w->periodic[k];
    }
    return w;
}

void scree_world_free(scree_world *w)
{
    if (!w)
        return;
    column *columns = g_new0(column, MAX_COLUMNS + w->n_fields);
    unsigned n = list_columns(w, columns);
    for (unsigned c = 0; c < n; c++)
        free(*columns[c].array);
    g_free(columns);
    free(w->ball);
    free(w->twist);
    g_free(w->field);
    g_free(w->field_initial);
    g_free(w->shapes);
    g_free(w);
}

scree_world *scree_world_copy(const scree_world *from)
{
    scree_world *w = g_memdup2(from, sizeof *w);
    column *columns = g_new0(column, MAX_COLUMNS + w->n_fields);
    w->field = g_memdup2(from->field, (w->n_fields + 1) * sizeof *w->field);
    w->field_initial = g_memdup2(from->field_initial, (w->n_fields + 1) * sizeof *w->field_initial);
    w->shapes = g_memdup2(from->shapes, (w->n_shapes + 1) * sizeof *w->shapes);
    unsigned n = list_columns(w, columns);
    for (unsigned c = 0; c < n; c++) {
        void *copy = scree_aligned_new(w->capacity * columns[c].size);
        if (w->capacity)
            memcpy(copy, *columns[c].array, w->capacity * columns[c].size);
        *columns[c].array = copy;
    }
    g_free(columns);
    w->ball = scree_aligned_new(w->capacity * SCREE_BALL * sizeof(double));
    w->twist = scree_aligned_new(w->capacity * SCREE_TWIST * sizeof(double));
    memset(w->ball, 0, w->capacity * SCREE_BALL * sizeof(double));
    memset(w->twist, 0, w->capacity * SCREE_TWIST * sizeof(double));
    return w;
}

static void reserve(scree_world *w, uint32_t n)
{
    if (n <= w->capacity)
        return;
    uint64_t capacity = MAX((uint64_t)n, w->capacity + w->capacity / 2);
    capacity = (capacity + 15) & ~(uint64_t)7;
    column *columns = g_new0(column, MAX_COLUMNS + w->n_fields);
    unsigned n_columns = list_columns(w, columns);
    for (unsigned c = 0; c < n_columns; c++) {
        void *grown = scree_aligned_new(capacity * columns[c].size);
        if (w->n)
            memcpy(grown, *columns[c].array, w->n * columns[c].size);
        memset((char *)grown + w->n * columns[c].size, 0, (capacity - w->n) * columns[c].size);
        free(*columns[c].array);
        *columns[c].array = grown;
    }
    g_free(columns);
    free(w->ball);
    free(w->twist);
    w->ball = scree_aligned_new(capacity * SCREE_BALL * sizeof(double));
    w->twist = scree_aligned_new(capacity * SCREE_TWIST * sizeof(double));
    memset(w->ball, 0, capacity * SCREE_BALL * sizeof(double));
    memset(w->twist, 0, capacity * SCREE_TWIST * sizeof(double));
    w->capacity = (uint32_t)capacity;
}

void scree_world_add(scree_world *w, const scree_body *body, double time)
{
    if (w->n == UINT32_MAX / 2)
        g_error("more than %u bodies", w->n);
    reserve(w, w->n + 1);
    uint32_t i = w->n++;
    const scree_shape *shape = w->shapes[body->shape];
    double inertia[3];
    w->id[i] = body->id;
    w->next_id = MAX(w->next_id, body->id + 1);
    w->shape[i] = body->shape;
    w->material[i] = body->material;
    w->motion[i] = body->motion;
    w->group[i] = body->group;
    w->scale[i] = body->scale;
    w->radius[i] = shape->radius * body->scale;
    scree_shape_mass(shape, body->scale, w->density[body->material], w->dimension, w->thickness,
                     &w->mass[i], inertia);
    bool moves = body->motion == SCREE_FREE;
    w->inv_mass[i] = moves ? 1.0 / w->mass[i] : 0.0;
    for (int k = 0; k < 3; k++) {
        w->x[k][i] = body->x[k];
        w->v[k][i] = body->motion == SCREE_FIXED ? 0.0 : body->v[k];
        w->w[k][i] = body->motion == SCREE_FIXED ? 0.0 : body->w[k];
        w->inertia[k][i] = inertia[k];
        w->inv_inertia[k][i] = moves && inertia[k] > 0.0 ? 1.0 / inertia[k] : 0.0;
        w->image[k][i] = 0;
        w->anchor[k][i] = body->x[k];
    }
    w->isotropic[i] = inertia[0] == inertia[1] && inertia[1] == inertia[2];
    if (w->dimension == 2)
        w->isotropic[i] = 1; // only z turns, and a disc looks the same from all sides
    for (int k = 0; k < 4; k++) {
        w->q[k][i] = body->q[k];
        w->anchor[3 + k][i] = body->q[k];
    }
    w->anchor_time[i] = time;
    memset(w->wrench + (size_t)i * SCREE_WRENCH, 0, SCREE_WRENCH * sizeof(double));
    for (uint32_t k = 0; k < w->n_fields; k++)
        w->field[k][i] = w->field_initial[k];
}

/** Spreads the low 21 bits to every third place. */
static uint64_t spread(uint64_t v)
{
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

/** Morton code of the cell of a fixed grid that starts at 0; cells beyond +-2^20 share the rim's.
 */
static uint64_t morton(const scree_world *w, uint32_t i, double cell)
{
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        double at = floor(w->x[k][i] / cell) + 1048576.0;
        code |= spread((uint64_t)CLAMP(at, 0.0, 2097151.0)) << k;
    }
    return code;
}

typedef struct sort_key {
    uint64_t code, id;
    uint32_t class, from;
} sort_key;

static int compare_keys(const void *pa, const void *pb)
{
    const sort_key *a = pa, *b = pb;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static uint32_t class_of(const scree_world *w, uint32_t i)
{
    if (w->shapes[w->shape[i]]->type == SCREE_PLANE)
        return 3;
    return w->motion[i];
}

static void permute(scree_world *w, const sort_key *keys, uint32_t n)
{
    column *columns = g_new0(column, MAX_COLUMNS + w->n_fields);
    unsigned n_columns = list_columns(w, columns);
    for (unsigned c = 0; c < n_columns; c++) {
        size_t size = columns[c].size;
        char *from = *columns[c].array, *to = scree_aligned_new(w->capacity * size);
        for (uint32_t i = 0; i < n; i++)
            memcpy(to + i * size, from + keys[i].from * size, size);
        memset(to + n * size, 0, (w->capacity - n) * size);
        free(from);
        *columns[c].array = to;
    }
    g_free(columns);
    w->n = n;
}

bool scree_world_sort(scree_world *w, double cell, const uint8_t *dead)
{
    g_autofree sort_key *keys = g_new(sort_key, w->n + 1);
    uint32_t n = 0, count[4] = {0};
    for (uint32_t i = 0; i < w->n; i++) {
        if (dead && dead[i])
            continue;
        uint32_t class = class_of(w, i);
        count[class]++;
        // Without cells the present place is the code: a stable sort by class.
        uint64_t code = cell > 0.0 && class == 0 ? morton(w, i, cell) : cell > 0.0 ? 0 : i;
        keys[n++] = (sort_key){code, w->id[i], class, i};
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    bool changed = n != w->n;
    for (uint32_t i = 0; i < n && !changed; i++)
        changed = keys[i].from != i;
    if (changed)
        permute(w, keys, n);
    w->n_free = count[0];
    w->n_kinematic = count[1];
    w->n_planes = count[3];
    return changed;
}

/** q <- rotation by the vector w t, times q0. */
static void turn(const double q0[4], const double axis[3], double t, double q[4])
{
    double rx = axis[0] * t, ry = axis[1] * t, rz = axis[2] * t;
    double angle = sqrt(rx * rx + ry * ry + rz * rz);
    double c = cos(0.5 * angle), s = angle > 0.0 ? sin(0.5 * angle) / angle : 0.0;
    double x = rx * s, y = ry * s, z = rz * s;
    q[0] = c * q0[0] - x * q0[1] - y * q0[2] - z * q0[3];
    q[1] = c * q0[1] + x * q0[0] + y * q0[3] - z * q0[2];
    q[2] = c * q0[2] - x * q0[3] + y * q0[0] + z * q0[1];
    q[3] = c * q0[3] + x * q0[2] - y * q0[1] + z * q0[0];
}

void scree_world_pose(scree_world *w, double time)
{
    for (uint32_t i = w->n_free; i < w->n; i++) {
        if (w->motion[i] != SCREE_KINEMATIC)
            continue;
        double t = time - w->anchor_time[i], q0[4], q[4], axis[3];
        for (int k = 0; k < 3; k++) {
            w->x[k][i] = w->anchor[k][i] + w->v[k][i] * t;
            axis[k] = w->w[k][i];
        }
        for (int k = 0; k < 4; k++)
            q0[k] = w->anchor[3 + k][i];
        turn(q0, axis, t, q);
        for (int k = 0; k < 4; k++)
            w->q[k][i] = q[k];
    }
}

static int compare_ids(const void *pa, const void *pb, void *user)
{
    const uint64_t *id = user;
    uint64_t a = id[*(const uint32_t *)pa], b = id[*(const uint32_t *)pb];
    return a < b ? -1 : a > b;
}

uint32_t *scree_world_index(const scree_world *w)
{
    uint32_t *by_id = g_new(uint32_t, w->n + 1);
    bool sorted = true;
    for (uint32_t i = 0; i < w->n; i++) {
        by_id[i] = i;
        sorted = sorted && (i == 0 || w->id[i - 1] < w->id[i]);
    }
    if (!sorted)
        qsort_r(by_id, w->n, sizeof *by_id, compare_ids, w->id);
    return by_id;
}

uint32_t scree_world_find(const scree_world *w, const uint32_t *by_id, uint64_t id)
{
    uint32_t low = 0, high = w->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->id[by_id[middle]] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->n && w->id[by_id[low]] == id ? by_id[low] : SCREE_NONE;
}

double scree_world_largest(const scree_world *w)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < w->n_free; i++)
        largest = MAX(largest, w->radius[i]);
    return largest;
}

void scree_world_view(const scree_world *w, scree_bodies *view)
{
    *view = (scree_bodies){
        .size = sizeof *view,
        .dimension = w->dimension,
        .n = w->n,
        .n_free = w->n_free,
        .n_shapes = w->n_shapes,
        .n_materials = w->n_materials,
        .id = w->id,
        .shape = w->shape,
        .material = w->material,
        .motion = w->motion,
        .scale = w->scale,
        .radius = w->radius,
        .inv_mass = w->inv_mass,
        .wrench = w->wrench,
        .shapes = w->shapes,
    };
    for (int k = 0; k < 3; k++) {
        view->x[k] = w->x[k];
        view->v[k] = w->v[k];
        view->w[k] = w->w[k];
        view->inv_inertia[k] = w->inv_inertia[k];
        view->image[k] = w->image[k];
        view->gravity[k] = w->gravity[k];
        view->region_min[k] = w->region_min[k];
        view->region_max[k] = w->region_max[k];
        view->periodic[k] = w->periodic[k];
    }
    for (int k = 0; k < 4; k++)
        view->q[k] = w->q[k];
}
