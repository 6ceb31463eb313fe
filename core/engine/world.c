/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of a run: grows and sorts their arrays. */
#include "engine/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/aligned.h"
#include "base/arrays.h"
#include "base/shortage.h"
#include "engine/leaves.h"
#include "scene/scene_settings.h"
#include "shape/shape.h"

/*
 * Memory of a run, in bytes per sphere of 1 000 000 in a settled bed (2.78 contacts, 4.12 list
 * pairs, one law with a shear spring), between two refreshes and at its peak:
 *
 *     137  bodies: id, number 16; x, v, w 72; w of q 8; scale, radius, m, 1/m, 1/I 40; isotropic 1
 *      64  wrenches
 *      96  mirrors: ball 32, twist 64
 *      33  extents: reference and eps 32, renewal 1
 *      33  candidates: a and b 8 each
 *     200  contacts: pair 4, stored 8, spring 24 each, the committed copy and the next
 *       4  loads of contacts with walls, 64 each
 *      39  gcd/grid: boxes in the order of cells
 *     ---
 *     606
 *       9  the program; 11 more with HDF5 and its libraries, once a checkpoint is written
 *     ---
 *     615
 *
 * A refresh needs about 150 more, for boxes, pairs, keys and the previous lists; it uses the memory
 * of the wrenches and mirrors. The hash and a checkpoint need 30, for contacts in the order of keys
 * and bodies by id, in the memory of the mirrors. Columns that are zero for most bodies (shape,
 * material, motion, group, own density, image counts, x, y, z of q, anchors: 172) take memory only
 * at other values. A copy of the state that can be restored (snapshot.c) takes 375 more: bodies,
 * wrenches, contacts by key. tests/memory/budget.c prints the table from the arrays, peak.c the
 * measured peak.
 */

enum { LINE = 64, PAGE = 4096, WIDE = 16 * PAGE, PLACES = 8 };

/** Notes the start of the memory in front of an array of it. Returns the array. */
static void *array_at(void *memory, size_t before)
{
    char *array = (char *)memory + before;
    memcpy(array - LINE, &memory, sizeof memory);
    return array;
}

/** Returns an array of zeros; a wide one takes no memory before it is written. Arrays with
 * different `turn` begin at different places of a page: a first cache has eight lines for one
 * place, and an evaluation walks through 16 arrays. Measured: 10 % of a step with 30 000
 * spheres. */
static void *new_zero(size_t bytes, unsigned turn)
{
    const size_t before = LINE + (bytes < PAGE ? 0 : turn % PLACES * (PAGE / PLACES));
    bytes += before;
    if (bytes < WIDE)
        return array_at(memset(scree_aligned_new(bytes), 0, bytes), before);
    bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
    void *memory = NULL;
    if (posix_memalign(&memory, PAGE, bytes))
        scree_out_of_memory(bytes, NULL);
    // Replaces our own whole pages by new ones, which are zero when they are touched. Memcheck
    // knows this for mmap, but not for madvise.
    if (mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) == MAP_FAILED)
        scree_out_of_memory(bytes, NULL);
    return array_at(memory, before);
}

/** Frees an array of new_zero. */
static void free_array(void *array)
{
    if (array)
        free(scree_array_get((char *)array - LINE));
}

/** Asks for large pages. Lines that are read in no order otherwise cost a walk of the page tables.
 * Measured: 4 % of a step with 100 000 spheres. */
static void widen_pages(char *array, size_t bytes)
{
    const size_t before = (uintptr_t)array % PAGE; // whole pages; the system may refuse
    if (bytes >= (1 << 22))
        madvise(array - before, (before + bytes + PAGE - 1) & ~(size_t)(PAGE - 1), MADV_HUGEPAGE);
}

/** Copies only differences: zeros in an array of zeros then take no memory. */
static void copy_changed(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PAGE) {
        size_t n = MIN(bytes - at, (size_t)PAGE);
        if (memcmp(to + at, from + at, n))
            memcpy(to + at, from + at, n);
    }
}

/* Writes only differences to columns that are zero for most bodies. */
static void put(void *place, const void *value, size_t size)
{
    if (memcmp(place, value, size))
        memcpy(place, value, size);
}

/* Kinds of arrays of the world: state of the bodies; mirrors of it, written before each evaluation;
 * arrays in large pages, whose lines are read in no order; moments, by axis if some shape has
 * unequal ones. A body field is a column of state as well. */
enum { MIRROR = 1, LARGE_PAGES = 2, AXES = 4 };

static const scree_array world_rows[] = {
    SCREE_ARRAY(scree_world, id, 1, 0),
    SCREE_ARRAY(scree_world, number, 1, 0),
    SCREE_ARRAY(scree_world, shape, 1, 0),
    SCREE_ARRAY(scree_world, material, 1, 0),
    SCREE_ARRAY(scree_world, motion, 1, 0),
    SCREE_ARRAY(scree_world, group, 1, 0),
    SCREE_ARRAY(scree_world, scale, 1, 0),
    SCREE_ARRAY(scree_world, radius, 1, 0),
    SCREE_ARRAY(scree_world, mass, 1, 0),
    SCREE_ARRAY(scree_world, inv_mass, 1, 0),
    SCREE_ARRAY(scree_world, own_density, 1, 0),
    SCREE_ARRAY(scree_world, inv_inertia[0], 1, 0),
    SCREE_ARRAY(scree_world, inv_inertia[1], 1, AXES),
    SCREE_ARRAY(scree_world, inv_inertia[2], 1, AXES),
    SCREE_ARRAY(scree_world, isotropic, 1, 0),
    SCREE_ARRAY(scree_world, wrench, SCREE_WRENCH, LARGE_PAGES),
    SCREE_ARRAY(scree_world, anchor_time, 1, 0),
    SCREE_ARRAY_EACH(scree_world, x, 0),
    SCREE_ARRAY_EACH(scree_world, v, 0),
    SCREE_ARRAY_EACH(scree_world, w, 0),
    SCREE_ARRAY_EACH(scree_world, image, 0),
    SCREE_ARRAY_EACH(scree_world, q, 0),
    SCREE_ARRAY_EACH(scree_world, anchor, 0),
    SCREE_ARRAY(scree_world, ball, SCREE_BALL, MIRROR | LARGE_PAGES),
    SCREE_ARRAY(scree_world, twist, SCREE_TWIST, MIRROR | LARGE_PAGES),
};
const scree_arrays scree_world_arrays = {world_rows, G_N_ELEMENTS(world_rows)};

/** An array of a world: place of its pointer, bytes per body. */
typedef struct column {
    void *place;
    size_t size;
} column;

enum { MOST_COLUMNS = 48 };

/** Lists the arrays with all flags `with` and none of `without`; returns their number. */
static unsigned list_columns(const scree_world *w, uint32_t with, uint32_t without, column *out)
{
    unsigned n = 0;
    for (uint32_t r = 0; r < scree_world_arrays.n; r++) {
        const scree_array *row = &world_rows[r];
        if ((row->flags & with) != with || (row->flags & without) ||
            (row->flags & AXES && !w->axes))
            continue;
        for (uint32_t k = 0; k < row->count; k++)
            out[n++] = (column){scree_array_place(w, row, k), row->width};
    }
    if (!with)
        for (uint32_t k = 0; k < w->n_fields; k++)
            out[n++] = (column){&w->field[k], sizeof(double)};
    return n;
}

/** Returns the columns of state of w; new array. */
static column *state_columns(const scree_world *w, unsigned *n)
{
    column *columns = g_new0(column, MOST_COLUMNS + w->n_fields);
    *n = list_columns(w, 0, MIRROR, columns);
    return columns;
}

/** Lets the three axes share one array, if all moments are equal. */
static void share_axes(scree_world *w)
{
    for (int k = 1; k < 3 && !w->axes; k++)
        w->inv_inertia[k] = w->inv_inertia[0];
}

/** Makes arrays of zeros for the mirrors. */
static void make_mirrors(scree_world *w, uint64_t capacity)
{
    column mirrors[MOST_COLUMNS];
    unsigned n = list_columns(w, MIRROR, 0, mirrors);
    for (unsigned c = 0; c < n; c++)
        scree_array_set(mirrors[c].place, new_zero(capacity * mirrors[c].size, c));
    scree_world_changed(w);
}

/** Returns whether a body of this shape needs three moments; in 2D only that about z acts. */
static bool has_axes(const scree_shape *shape, uint32_t dimension)
{
    const double *m = shape->inertia;
    return dimension == 3 && !scree_shape_is_wall(shape) && (m[1] != m[0] || m[2] != m[0]);
}

scree_world *scree_world_new(const scree_scene *scene, uint32_t n_fields)
{
    scree_world *w = g_new0(scree_world, 1);
    w->dimension = scene->dimension;
    w->thickness = scene->thickness;
    w->n_fields = n_fields;
    w->field = g_new0(double *, n_fields + 1);
    w->field_initial = g_new0(double, n_fields + 1);
    w->n_types = scene->shape_types->len;
    w->types = (const scree_shape_type *const *)scene->shape_types->pdata;
    w->n_shapes = scene->shapes->len;
    w->shapes = g_new0(const scree_shape *, w->n_shapes + 1);
    for (uint32_t i = 0; i < w->n_shapes; i++) {
        w->shapes[i] = scene->shapes->pdata[i];
        w->axes |= has_axes(w->shapes[i], w->dimension);
    }
    w->n_materials = scene->materials.n;
    w->density = scene->density;
    memcpy(w->gravity, scene->gravity, sizeof w->gravity);
    scree_scene_cell(scene, &w->cell);
    if (scree_scene_tilted(scene))
        w->slant = scree_tilt_cells(w->cell.lo, w->cell.hi, scene->tilt) *
                   fmax(w->cell.vector[0][0], w->cell.vector[1][1]);
    return w;
}

void scree_world_free(scree_world *w)
{
    if (!w)
        return;
    for (int k = 1; k < 3 && !w->axes; k++)
        w->inv_inertia[k] = NULL;
    g_free(w->leaf);
    for (uint32_t r = 0; r < scree_world_arrays.n; r++)
        for (uint32_t k = 0; k < world_rows[r].count; k++)
            free_array(scree_array_get(scree_array_place(w, &world_rows[r], k)));
    scree_body_fields_clear(&(scree_body_fields){w->n_fields, w->field, w->field_initial});
    g_free(w->shapes);
    g_free(w);
}

/** Sets the room to `capacity` bodies in mirrors and columns; these keep their w->n bodies. */
static void set_capacity(scree_world *w, uint64_t capacity)
{
    unsigned n;
    g_autofree column *columns = state_columns(w, &n);
    column wide[MOST_COLUMNS];
    for (unsigned c = 0; c < n; c++) {
        void *old = scree_array_get(columns[c].place);
        void *grown = new_zero(capacity * columns[c].size, c);
        if (w->n)
            copy_changed(grown, old, w->n * columns[c].size);
        free_array(old);
        scree_array_set(columns[c].place, grown);
    }
    free_array(w->ball);
    free_array(w->twist);
    share_axes(w);
    make_mirrors(w, capacity);
    n = list_columns(w, LARGE_PAGES, 0, wide);
    for (unsigned c = 0; c < n; c++)
        widen_pages(scree_array_get(wide[c].place), capacity * wide[c].size);
    w->capacity = (uint32_t)capacity;
}

scree_world *scree_world_copy(const scree_world *from)
{
    scree_world *w = g_memdup2(from, sizeof *w);
    w->field = g_memdup2(from->field, (w->n_fields + 1) * sizeof *w->field);
    w->field_initial = g_memdup2(from->field_initial, (w->n_fields + 1) * sizeof *w->field_initial);
    w->shapes = g_memdup2(from->shapes, (w->n_shapes + 1) * sizeof *w->shapes);
    unsigned n;
    g_autofree column *columns = state_columns(w, &n);
    for (unsigned c = 0; c < n; c++)
        scree_array_set(columns[c].place, new_zero(w->capacity * columns[c].size, c));
    share_axes(w);
    make_mirrors(w, w->capacity);
    w->leaf = NULL;
    return scree_world_copy_again(w, from);
}

scree_world *scree_world_copy_again(scree_world *to, const scree_world *from)
{
    if (!to || to->capacity != from->capacity || to->n_fields != from->n_fields) {
        scree_world_free(to);
        return scree_world_copy(from);
    }
    unsigned n;
    g_autofree column *columns = state_columns(from, &n);
    g_autofree column *old = state_columns(to, &n);
    for (unsigned c = 0; from->n && c < n; c++)
        copy_changed(scree_array_get(old[c].place), scree_array_get(columns[c].place),
                     from->n * columns[c].size);
    to->n = from->n;
    to->n_free = from->n_free;
    to->n_kinematic = from->n_kinematic;
    to->n_planes = from->n_planes;
    to->first_fixed = from->first_fixed;
    to->next_id = from->next_id;
    to->largest = from->largest;
    scree_world_copy_leaves(to, from);
    return to;
}

scree_body_fields scree_world_fields_new(const scree_world *w, const scree_body_fields *before,
                                         uint32_t n, const int32_t *from, const double *initial)
{
    scree_body_fields made = {n, g_new0(double *, n + 1), g_new0(double, n + 1)};
    for (uint32_t k = 0; k < n; k++) {
        made.initial[k] = initial[k];
        made.field[k] = new_zero(w->capacity * sizeof(double), k);
        if (from[k] >= 0 && w->n)
            copy_changed((char *)made.field[k], (const char *)before->field[from[k]],
                         w->n * sizeof(double));
        for (uint32_t i = 0; from[k] < 0 && i < w->n; i++)
            put(&made.field[k][i], &initial[k], sizeof initial[k]);
    }
    return made;
}

void scree_world_fields_exchange(scree_world *w, scree_body_fields *fields)
{
    scree_body_fields had = {w->n_fields, w->field, w->field_initial};
    w->n_fields = fields->n;
    w->field = fields->field;
    w->field_initial = fields->initial;
    *fields = had;
}

void scree_body_fields_clear(scree_body_fields *fields)
{
    for (uint32_t k = 0; k < fields->n; k++)
        free_array(fields->field[k]);
    g_free(fields->field);
    g_free(fields->initial);
    *fields = (scree_body_fields){0};
}

void scree_world_reserve(scree_world *w, uint32_t n)
{
    if (n > w->capacity)
        set_capacity(w, ((uint64_t)n + 15) & ~(uint64_t)7);
}

uint64_t scree_world_body_bytes(void)
{
    // id, number; x, v, w, w of q, scale, radius, m, 1/m, 1/I; isotropic; line and mirrors
    return 2 * sizeof(uint64_t) + 15 * sizeof(double) + 1 +
           (SCREE_WRENCH + SCREE_BALL + SCREE_TWIST) * sizeof(double);
}

void scree_world_add(scree_world *w, const scree_body *body, double time)
{
    if (w->n == UINT32_MAX / 2)
        g_error("more than %u bodies", w->n);
    if (w->n == w->capacity)
        scree_world_reserve(w, w->n + w->n / 2 + 1);
    uint32_t i = w->n++;
    static const double no_wrench[SCREE_WRENCH];
    w->id[i] = body->id;
    w->next_id = MAX(w->next_id, body->id + 1);
    put(&w->shape[i], &body->shape, sizeof *w->shape);
    put(&w->material[i], &body->material, sizeof *w->material);
    put(&w->motion[i], &body->motion, sizeof *w->motion);
    put(&w->group[i], &body->group, sizeof *w->group);
    put(&w->own_density[i], &body->density, sizeof *w->own_density);
    w->scale[i] = body->scale;
    for (int k = 0; k < 3; k++) {
        w->x[k][i] = body->x[k];
        w->v[k][i] = body->motion == SCREE_MOTION_FIXED ? 0.0 : body->v[k];
        w->w[k][i] = body->motion == SCREE_MOTION_FIXED ? 0.0 : body->w[k];
    }
    scree_world_measure(w, i);
    scree_world_enter_leaf(w, i);
    for (int k = 0; k < 4; k++)
        put(&w->q[k][i], &body->q[k], sizeof(double));
    if (body->motion == SCREE_MOTION_KINEMATIC)
        scree_world_anchor(w, i, time);
    put(w->wrench + (size_t)i * SCREE_WRENCH, no_wrench, sizeof no_wrench);
    for (uint32_t k = 0; k < w->n_fields; k++)
        w->field[k][i] = w->field_initial[k];
}

scree_body scree_world_body(const scree_world *w, uint32_t i)
{
    scree_body body = {.id = w->id[i],
                       .shape = w->shape[i],
                       .material = w->material[i],
                       .motion = w->motion[i],
                       .group = w->group[i],
                       .scale = w->scale[i],
                       .density = w->own_density[i]};
    for (int k = 0; k < 3; k++) {
        body.x[k] = w->x[k][i];
        body.v[k] = w->v[k][i];
        body.w[k] = w->w[k][i];
    }
    for (int k = 0; k < 4; k++)
        body.q[k] = w->q[k][i];
    return body;
}

void scree_world_anchor(scree_world *w, uint32_t i, double time)
{
    for (int k = 0; k < 3; k++) {
        w->anchor[k][i] = w->x[k][i];
        w->anchor[7 + k][i] = w->v[k][i];
        w->anchor[10 + k][i] = w->w[k][i];
    }
    for (int k = 0; k < 4; k++)
        w->anchor[3 + k][i] = w->q[k][i];
    w->anchor_time[i] = time;
    w->posed = (double)NAN;
}

void scree_world_changed(scree_world *w)
{
    w->mirrored = false;
    w->posed = (double)NAN;
}

void scree_world_inertia(const scree_world *w, uint32_t i, double inertia[3])
{
    for (int k = 0; k < 3; k++) // as scree_shape_mass
        inertia[k] = w->shapes[w->shape[i]]->inertia[k] * w->mass[i] * w->scale[i] * w->scale[i];
    if (w->dimension == 2)
        inertia[0] = inertia[1] = inertia[2];
}

void scree_world_free_inertia(scree_world *w, uint32_t i)
{
    double inertia[3];
    scree_world_inertia(w, i, inertia);
    for (int k = 0; k < (w->axes ? 3 : 1); k++)
        w->inv_inertia[k][i] = inertia[k] > 0.0 ? 1.0 / inertia[k] : 0.0;
}

void scree_world_measure(scree_world *w, uint32_t i)
{
    const scree_shape *shape = w->shapes[w->shape[i]];
    const bool moves = w->motion[i] == SCREE_MOTION_FREE;
    double inertia[3];
    w->radius[i] = shape->radius * w->scale[i];
    w->largest = -1.0;
    scree_shape_mass(shape, w->scale[i], scree_world_density(w, i), w->thickness, &w->mass[i],
                     inertia);
    w->inv_mass[i] = moves ? 1.0 / w->mass[i] : 0.0;
    if (moves)
        scree_world_free_inertia(w, i);
    w->isotropic[i] = scree_shape_is_round(shape);
}

typedef struct sort_key {
    uint64_t code, id;
    uint32_t class, from;
} sort_key;

static bool precedes(const sort_key *a, const sort_key *b)
{
    if (a->class != b->class)
        return a->class < b->class;
    if (a->code != b->code)
        return a->code < b->code;
    return a->id < b->id;
}

/** Merges runs of growing length, from `keys` to `other` and back. Returns the one with the result.
 * (The C library's sort allocates as much, out of sight.) */
static sort_key *sort_keys(sort_key *keys, sort_key *other, uint32_t n)
{
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t begin = 0; begin < n; begin += 2 * run) {
            uint64_t middle = MIN(begin + run, n), end = MIN(begin + 2 * run, n);
            uint64_t a = begin, b = middle;
            for (uint64_t to = begin; to < end; to++)
                other[to] = b == end || (a < middle && !precedes(&keys[b], &keys[a])) ? keys[a++]
                                                                                      : keys[b++];
        }
        sort_key *swap = keys;
        keys = other;
        other = swap;
    }
    return keys;
}

void scree_world_lend(scree_world *w, scree_scratch *scratch)
{
    w->mirrored = false;
    // in this order: numbers and keys leave the wide one to the moved columns
    scree_scratch_lend(scratch, w->ball, w->capacity * SCREE_BALL * sizeof(double));
    scree_scratch_lend(scratch, w->twist, w->capacity * SCREE_TWIST * sizeof(double));
}

/** Moves body from[i] to number i; n bodies remain. */
static void permute(scree_world *w, const uint32_t *from, uint32_t n, scree_scratch *scratch)
{
    column *columns = scree_scratch_take(scratch, (MOST_COLUMNS + w->n_fields) * sizeof *columns);
    char *moved = scree_scratch_take(scratch, n * SCREE_WRENCH * sizeof(double)); // the widest
    unsigned n_columns = list_columns(w, 0, MIRROR, columns);
    for (unsigned c = 0; c < n_columns; c++) {
        size_t size = columns[c].size;
        char *array = scree_array_get(columns[c].place);
        for (uint32_t i = 0; i < n; i++)
            memcpy(moved + i * size, array + from[i] * size, size);
        copy_changed(array, moved, n * size);
        memset(array + n * size, 0, (w->n - n) * size);
    }
    w->n = n;
    scree_scratch_give(scratch, moved);
    scree_scratch_give(scratch, columns);
}

/** Finds from[i], the body that becomes number i; returns the number of each class. */
static void find_order(const scree_world *w, double cell, const uint8_t *dead, uint32_t *from,
                       uint32_t count[4], scree_scratch *scratch)
{
    sort_key *keys = scree_scratch_take(scratch, w->n * sizeof *keys);
    sort_key *other = scree_scratch_take(scratch, w->n * sizeof *keys);
    uint32_t n = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < w->n; i++) {
        if (dead && dead[i])
            continue;
        uint32_t class = scree_world_class(w, i);
        count[class]++;
        const uint64_t code = !(cell > 0.0) ? w->number[i]
                              : class == 0  ? scree_leaf_code(w, i, cell)
                                            : 0;
        keys[n] = (sort_key){code, w->id[i], class, i};
        sorted = sorted && (!n || precedes(&keys[n - 1], &keys[n]));
        n++;
    }
    const sort_key *in_order = sorted ? keys : sort_keys(keys, other, n);
    for (uint32_t i = 0; i < n; i++)
        from[i] = in_order[i].from;
    scree_scratch_give(scratch, other);
    scree_scratch_give(scratch, keys);
}

bool scree_world_sort(scree_world *w, double cell, const uint8_t *dead, uint32_t *new_of_old,
                      scree_scratch *scratch)
{
    uint32_t n = 0, n_old = w->n, count[4] = {0};
    uint32_t *from = scree_scratch_take(scratch, (size_t)n_old * sizeof *from);
    find_order(w, cell, dead, from, count, scratch);
    for (int class = 0; class < 4; class ++)
        n += count[class];
    bool changed = n != n_old;
    for (uint32_t i = 0; i < n && !changed; i++)
        changed = from[i] != i;
    if (new_of_old) {
        for (uint32_t i = 0; i < n_old; i++)
            new_of_old[i] = SCREE_NONE;
        for (uint32_t i = 0; i < n; i++)
            new_of_old[from[i]] = i;
    }
    if (changed)
        permute(w, from, n, scratch);
    w->n_free = count[0];
    w->n_kinematic = 0;
    for (uint32_t i = w->n_free; i < n; i++) // also among the planes
        w->n_kinematic += w->motion[i] == SCREE_MOTION_KINEMATIC;
    w->n_planes = count[3];
    w->first_fixed = count[0] + count[1];
    if (cell > 0.0) {
        w->leaf_cell = cell;
        scree_world_number(w);
    }
    scree_world_changed(w);
    w->largest = -1.0;
    scree_scratch_give(scratch, from);
    return changed;
}

double scree_world_space(const scree_world *w)
{
    double space = 1.0;
    for (uint32_t k = 0; k < w->dimension; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint32_t i = 0; i < w->n_free; i++) {
            lo = fmin(lo, w->x[k][i] - w->radius[i]);
            hi = fmax(hi, w->x[k][i] + w->radius[i]);
        }
        space *= scree_repeats(&w->cell, k) ? w->cell.vector[k][k] : hi - lo;
    }
    return space;
}

double scree_world_largest(scree_world *w)
{
    if (w->largest < 0.0) {
        w->largest = 0.0;
        for (uint32_t i = 0; i < w->n_free; i++)
            w->largest = MAX(w->largest, w->radius[i]);
    }
    return w->largest;
}

uint32_t scree_world_fastest(const scree_world *w, double *speed)
{
    uint32_t fastest = 0;
    double most = -1.0;
    for (uint32_t i = 0; i < w->n_free; i++) {
        double v2 = w->v[0][i] * w->v[0][i] + w->v[1][i] * w->v[1][i] + w->v[2][i] * w->v[2][i];
        if (v2 > most || (v2 == most && w->id[i] < w->id[fastest])) {
            most = v2;
            fastest = i;
        }
    }
    *speed = sqrt(fmax(most, 0.0));
    return fastest;
}

bool scree_world_wrap(const scree_world *w, uint32_t i, int32_t s[3], double by[3])
{
    const double x[3] = {w->x[0][i], w->x[1][i], w->x[2][i]};
    return scree_wrap(&w->cell, x, w->slant > 0.0 ? SCREE_SHIFT_BIAS : SCREE_SHIFT_BIAS / 2, s, by);
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
        .numbering = w->numbering,
        .id = w->id,
        .shape = w->shape,
        .material = w->material,
        .group = w->group,
        .motion = w->motion,
        .scale = w->scale,
        .radius = w->radius,
        .inv_mass = w->inv_mass,
        .density = w->own_density,
        .material_density = w->density,
        .wrench = w->wrench,
        .shapes = w->shapes,
        .types = w->types,
        .n_types = w->n_types,
        .thickness = w->dimension == 2 ? w->thickness : 0.0,
        .n_total = w->n,
        .n_free_total = w->n_free,
        .number = w->number,
        .cell = &w->cell,
    };
    memcpy(view->x, w->x, sizeof view->x);
    memcpy(view->v, w->v, sizeof view->v);
    memcpy(view->w, w->w, sizeof view->w);
    memcpy(view->q, w->q, sizeof view->q);
    memcpy(view->inv_inertia, w->inv_inertia, sizeof view->inv_inertia);
    memcpy(view->image, w->image, sizeof view->image);
    memcpy(view->gravity, w->gravity, sizeof view->gravity);
    scree_working_bodies(w->n);
}
