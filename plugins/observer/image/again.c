// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: keeps what pictures show, and draws them again at the end of the run.
/*
 * Each picture is drawn with the range of colours and the camera that its state and all before it
 * ask for. So the last picture has the range and the camera of the run; pictures that differ are
 * drawn again with them. Their states wait in memory: 88 bytes per body and picture, 56 per
 * line of a contact detection, 128 MiB in all.
 * If that does not suffice, the pictures stay as they are, and the log says which settings help.
 */
#include "image.h"

#define MOST_BYTES (1u << 27)

/* Arrays of bodies that drawing reads. */
static const struct {
    size_t offset;
    uint32_t n, size;
} arrays[] = {
    {offsetof(scree_bodies, x), 3, sizeof(double)},
    {offsetof(scree_bodies, q), 4, sizeof(double)},
    {offsetof(scree_bodies, scale), 1, sizeof(double)},
    {offsetof(scree_bodies, radius), 1, sizeof(double)},
    {offsetof(scree_bodies, shape), 1, sizeof(uint32_t)},
    {offsetof(scree_bodies, group), 1, sizeof(uint32_t)},
    {offsetof(scree_bodies, motion), 1, sizeof(uint32_t)},
};

static uint64_t block_bytes(const image *self, uint32_t n)
{
    uint64_t each = sizeof(double);
    for (uint32_t k = 0; k < SCREE_COUNT(arrays); k++)
        each += arrays[k].n * arrays[k].size;
    return each * n + (self->drawing.n_wall_values + 1) * sizeof(double) +
           self->n_marks * sizeof(line_mark);
}

/* Marks, values, then the arrays, whose pointers it sets. */
static void fill_block(const image *self, kept *to)
{
    const drawing *d = &self->drawing;
    const uint64_t n = to->bodies.n, n_walls = d->n_wall_values;
    char *at = to->block;
    if (to->n_marks)
        memcpy(at, self->marks, to->n_marks * sizeof(line_mark));
    at += to->n_marks * sizeof(line_mark);
    memcpy(at, d->value, n * sizeof(double));
    at += n * sizeof(double);
    if (n_walls)
        memcpy(at, d->wall_value, n_walls * sizeof(double));
    at += n_walls * sizeof(double);
    for (uint32_t k = 0; k < SCREE_COUNT(arrays); k++)
        for (uint32_t j = 0; j < arrays[k].n; j++) {
            char *pointer = (char *)&to->bodies + arrays[k].offset + j * sizeof(void *);
            const void *from;
            memcpy(&from, pointer, sizeof from);
            memcpy(at, from, n * arrays[k].size);
            memcpy(pointer, &at, sizeof at);
            at += n * arrays[k].size;
        }
}

static int32_t no_memory(const image *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory to keep a picture's state");
}

static void free_blocks(image *self)
{
    for (uint64_t k = 0; k < self->n_frames; k++) {
        free(self->kept[k].block);
        self->kept[k].block = NULL;
    }
}

int32_t keep_state(image *self, const scree_view *view)
{
    const drawing *d = &self->drawing;
    const uint64_t bytes = block_bytes(self, view->bodies->n);
    if (!scree_grow(&self->kept, &self->kept_capacity, self->n_frames + 1, sizeof(kept)))
        return no_memory(self);
    kept *to = &self->kept[self->n_frames];
    *to = (kept){.bodies = *view->bodies,
                 .cell = *view->bodies->cell,
                 .time = view->time,
                 .dt = view->dt,
                 .lo = d->legend.lo,
                 .hi = d->legend.hi,
                 .most_load = d->wall_legend.hi,
                 .moves = self->camera.moves,
                 .n_wall_values = d->n_wall_values,
                 .n_marks = self->n_marks};
    self->kept_bytes += bytes;
    if (self->config->position.n && !has_range(self) && !self->loads)
        return SCREE_OK; // nothing can change
    if (self->kept_bytes > MOST_BYTES) {
        free_blocks(self);
        return SCREE_OK;
    }
    to->block = malloc(bytes);
    if (!to->block)
        return no_memory(self);
    fill_block(self, to);
    return SCREE_OK;
}

/* Is a picture still as the last one would be with its state? */
static int is_alike(const image *self, const kept *k)
{
    const legend *l = &self->drawing.legend;
    return k->moves == self->camera.moves && k->lo == l->lo && k->hi == l->hi &&
           k->most_load == self->drawing.wall_legend.hi;
}

static int32_t draw_kept(image *self, const scree_view *now, kept *from, uint64_t number)
{
    drawing *d = &self->drawing;
    scree_view view = *now;
    const uint64_t n = from->bodies.n, n_walls = from->n_wall_values;
    if (!scree_grow(&d->value, &d->value_capacity, n + 1, sizeof(double)) ||
        !scree_grow(&d->wall_value, &d->wall_value_capacity, n_walls + 1, sizeof(double)) ||
        !scree_grow(&self->marks, &self->mark_capacity, from->n_marks + 1, sizeof(line_mark)))
        return no_memory(self);
    const char *at = from->block + from->n_marks * sizeof(line_mark);
    memcpy(self->marks, from->block, from->n_marks * sizeof(line_mark));
    self->n_marks = from->n_marks;
    memcpy(d->value, at, n * sizeof(double));
    memcpy(d->wall_value, at + n * sizeof(double), n_walls * sizeof(double));
    d->n_wall_values = n_walls;
    from->bodies.cell = &from->cell;
    from->bodies.shapes = now->bodies->shapes;
    from->bodies.n_shapes = now->bodies->n_shapes;
    view.bodies = &from->bodies;
    view.time = from->time;
    view.dt = from->dt;
    return draw(self, &view, number);
}

int32_t draw_again(image *self, const scree_view *view)
{
    const legend *l = &self->drawing.legend;
    uint64_t n_left = 0;
    int32_t status = SCREE_OK;
    for (uint64_t k = 0; self->kept && k < self->n_frames && status == SCREE_OK; k++) {
        if (is_alike(self, &self->kept[k]))
            continue;
        if (self->kept[k].block)
            status = draw_kept(self, view, &self->kept[k], k);
        else
            n_left++;
    }
    if (n_left)
        scree_logf(
            self->host, SCREE_LOG_WARNING,
            "%llu pictures have another range of colours or another place of the camera than "
            "the last one, whose range is (%.6g, %.6g): too many bodies to draw them again; "
            "`range` and `position` make all alike",
            (unsigned long long)n_left, l->lo, l->hi);
    return status;
}

void free_kept(image *self)
{
    if (self->kept)
        free_blocks(self);
    free(self->kept);
}
