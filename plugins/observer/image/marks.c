// SPDX-License-Identifier: Apache-2.0
// Part of observer/image: boxes, cells, candidates and contacts of a contact detection as lines.
/*
 * Boxes are black, extents (boxes grown by `extent`) thin and grey, cells and nodes have the colour
 * of their level, the coarsest blue. A line from centre to centre (to a facet: to its box) is a
 * candidate, grey, or a contact, red. Lines of pairs are drawn over bodies; all others are hidden by what is before them.
 */
#include "image.h"

static const char *const words[MARKS] = {"cells", "extents", "boxes", "candidates", "contacts"};

static int is_shown(const image *self, uint32_t kind)
{
    const scree_strings *lines = &self->config->lines;
    if (!lines->n) // in 3D boxes would hide all else
        return self->host->dimension == 2 || (kind != MARK_EXTENTS && kind != MARK_BOXES);
    return has_word(lines, words[kind]);
}

int32_t check_marks(const image *self)
{
    const image_config *g = self->config;
    if (!g->detection && (g->lines.n || !isnan(g->extent)))
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG,
                                "`lines` and `extent` go with `detection`, a GCD");
    for (uint64_t k = 0; k < g->lines.n; k++) {
        int known = 0;
        for (uint32_t m = 0; m < MARKS; m++)
            known |= strcmp(g->lines.v[k], words[m]) == 0;
        if (!known)
            return scree_failf(self->host, SCREE_E_CONFIG,
                               "lines: expected boxes, extents, cells, candidates or contacts, "
                               "got \"%.80s\"",
                               g->lines.v[k]);
    }
    return SCREE_OK;
}

static int32_t add_mark(image *self, const double from[3], const double to[3], uint32_t kind,
                        uint32_t level)
{
    line_mark *m = grow(self, &self->marks, &self->mark_capacity, self->n_marks, sizeof *m);
    if (!m)
        return SCREE_E_MEMORY;
    *m = (line_mark){.kind = kind, .level = level};
    memcpy(m->end[0], from, sizeof m->end[0]);
    memcpy(m->end[1], to, sizeof m->end[1]);
    self->n_marks++;
    return SCREE_OK;
}

/* The edges of a box. */
static int32_t add_box(image *self, const double lo[3], const double hi[3], uint32_t kind,
                       uint32_t level)
{
    const int axes = (int)self->host->dimension;
    int32_t status = SCREE_OK;
    for (int corner = 0; corner < 1 << axes; corner++)
        for (int k = 0; k < axes && status == SCREE_OK; k++) {
            double end[2][3];
            if (corner >> k & 1)
                continue;
            for (int e = 0; e < 2; e++)
                for (int j = 0; j < 3; j++)
                    end[e][j] = (corner | e << k) >> j & 1 ? hi[j] : lo[j];
            status = add_mark(self, end[0], end[1], kind, level);
        }
    return status;
}

static int32_t add_boxes(image *self, uint32_t kind)
{
    const detection *d = self->detection;
    int32_t status = SCREE_OK;
    for (uint32_t i = 0; i < d->n && status == SCREE_OK; i++) {
        double lo[3], hi[3];
        detection_box(d, i, kind == MARK_EXTENTS, lo, hi);
        status = add_box(self, lo, hi, kind, 0);
    }
    return status;
}

static int32_t add_pairs(image *self, uint32_t kind)
{
    const detection *d = self->detection;
    int32_t status = SCREE_OK;
    for (uint64_t k = 0; k < d->n_pairs && status == SCREE_OK; k++) {
        double end[2][3];
        if (d->touches[k] != (kind == MARK_CONTACTS))
            continue;
        detection_line(d, k, end);
        status = add_mark(self, end[0], end[1], kind, 0);
    }
    return status;
}

int32_t find_marks(image *self, const scree_view *view)
{
    const detection *d = self->detection;
    int32_t status = detection_find(self->detection, view);
    self->n_marks = 0;
    for (uint64_t k = 0; is_shown(self, MARK_CELLS) && k < d->n_cells && status == SCREE_OK; k++)
        status = add_box(self, d->cells[k].lo, d->cells[k].hi, MARK_CELLS, d->cells[k].level);
    for (uint32_t kind = MARK_EXTENTS; kind < MARKS && status == SCREE_OK; kind++)
        if (is_shown(self, kind))
            status = kind <= MARK_BOXES ? add_boxes(self, kind) : add_pairs(self, kind);
    return status;
}

int32_t add_marks(image *self)
{
    static const struct {
        float alpha;
        double thick;
        rgb colour;
    } looks[MARKS] = {
        [MARK_CELLS] = {0.9f, 1.5, {{0}}},
        [MARK_EXTENTS] = {0.5f, 0.7, {{0.4f, 0.4f, 0.45f}}},
        [MARK_BOXES] = {0.8f, 0.8, {{0.1f, 0.1f, 0.12f}}},
        [MARK_CANDIDATES] = {0.9f, 1.5, {{0.5f, 0.5f, 0.5f}}},
        [MARK_CONTACTS] = {1.0f, 2.5, {{0.84f, 0.12f, 0.12f}}},
    };
    drawing *d = &self->drawing;
    int32_t status = SCREE_OK;
    for (uint64_t k = 0; k < self->n_marks && status == SCREE_OK; k++) {
        const line_mark *m = &self->marks[k];
        const uint64_t before = d->n_strokes;
        const rgb colour = m->kind == MARK_CELLS ? class_colour(m->level) : looks[m->kind].colour;
        double line[2][3];
        to_camera(&self->camera, m->end[0], line[0]);
        to_camera(&self->camera, m->end[1], line[1]);
        status =
            add_line(self, line[0], line[1], colour, looks[m->kind].alpha, looks[m->kind].thick);
        if (m->kind >= MARK_CANDIDATES && d->n_strokes > before) // before all bodies
            for (int e = 0; e < 2; e++)
                d->strokes[before].depth[e] = self->camera.flat ? -1e30 : 1e-30;
    }
    return status;
}
