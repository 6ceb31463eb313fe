/* SPDX-License-Identifier: Apache-2.0 */
/* An instance and its steps; see space.h. */
#include "space.h"

#define MANY 6u /* when more than one in MANY moved, the leaves are searched */

/* ---- a step ---- */

static int32_t make_slots(space *s, uint32_t n)
{
    uint64_t room[2] = {s->room[7], s->room[8]};
    uint64_t strays = s->room[9];
    int good = scree_grow(&s->surface, &strays, n, sizeof *s->surface) &&
               scree_grow(&s->stray, &s->room[9], n, sizeof *s->stray) &&
               scree_grow(&s->stamp, &s->room[10], n, sizeof *s->stamp) &&
               scree_grow(&s->touched, &s->room[3], n, sizeof *s->touched);
    for (uint32_t k = 0; k < 6; k++) {
        room[0] = s->room[7];
        good = good && scree_grow(&s->was[k], &room[0], n, sizeof *s->was[k]);
    }
    for (uint32_t k = 0; k < 3; k++) {
        room[1] = s->room[8];
        good = good && scree_grow(&s->ref[k], &room[1], n, sizeof *s->ref[k]);
    }
    if (!good)
        return scree_space_no_memory(s);
    s->room[7] = room[0];
    s->room[8] = room[1];
    return SCREE_OK;
}

/* Marks the slots from `first` on as empty. */
static void forget_slots(space *s, uint32_t first)
{
    for (uint32_t i = first; i < s->slots; i++) {
        s->was[0][i] = HUGE_VAL;
        s->was[3][i] = -HUGE_VAL;
        s->ref[0][i] = s->ref[1][i] = s->ref[2][i] = (double)NAN;
        s->stray[i] = 0;
        s->surface[i] = 0;
        s->stamp[i] = 0;
    }
}

static void stamp_moved(space *s)
{
    if (++s->now == 0) { // so that no old stamp looks new
        memset(s->stamp, 0, s->slots * sizeof *s->stamp);
        s->now = 1;
    }
    for (uint32_t m = 0; m < s->n_moved && s->moved; m++)
        s->stamp[s->moved[m]] = s->now;
}

static int32_t consider(space *s, uint32_t cell)
{
    const space_method *m = s->method;
    space_split how;
    const int is_split = s->cells[cell].split != SCREE_NONE;
    if (is_split ? !m->merge || s->cells[cell].up == SCREE_NONE || !m->merge(s, cell)
                 : !m->refine || !m->refine(s, cell, &how))
        return SCREE_OK;
    s->visited = 0;
    return is_split ? scree_space_merge(s, cell) : scree_space_cut(s, cell, &how);
}

/* Considers all cells, including those made on the way, or only the touched ones. */
static int32_t consider_cells(space *s, int all)
{
    int32_t status = SCREE_OK;
    if (all)
        for (uint32_t c = 0; c < s->n_cells && status == SCREE_OK; c++)
            status = consider(s, c);
    if (!all)
        for (uint32_t t = 0; t < s->n_touched && status == SCREE_OK; t++)
            status = consider(s, s->touched[t]);
    return status;
}

/* Does the same for a new partition, and gives back the memory of split cells on the way. */
static int32_t refine_all(space *s)
{
    int32_t status = SCREE_OK;
    for (uint32_t c = 0; c < s->n_cells && status == SCREE_OK; c++) {
        status = consider(s, c);
        if (s->garbage > s->used / 2 + 4096)
            scree_space_compact(s);
    }
    return status;
}

static int32_t rebuild(space *s)
{
    s->visited = 0;
    int32_t status = scree_space_measure(s);
    if (status == SCREE_OK)
        status = scree_space_clear(s);
    if (status == SCREE_OK && s->method->build)
        status = s->method->build(s);
    if (status == SCREE_OK)
        status = scree_space_map_all(s);
    if (status == SCREE_OK)
        status = refine_all(s);
    scree_space_refer(s);
    s->outside_built = s->outside;
    return status;
}

static int32_t update(space *s, int whole)
{
    const int wasteful = s->garbage > s->used / 2 + 4096 || s->dead > s->n_cells / 2 + 4096;
    const int outreached = !whole && scree_space_outreached(s);
    const int counts = s->method->counts;
    if (s->n_cells == 0 || s->dead > s->n_cells / 2 + 4096 || (!counts && s->method->outdated(s)))
        return rebuild(s);
    s->visited = !whole && !wasteful && !outreached;
    int32_t status = s->visited ? scree_space_map_moved(s) : scree_space_map_all(s);
    if (status != SCREE_OK || !counts)
        return status;
    if (s->method->outdated(s)) // by the current sums of the cells
        return rebuild(s);
    return consider_cells(s, !s->visited);
}

int32_t scree_space_step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                              uint32_t n_moved, uint64_t *n_pivots)
{
    space *s = instance;
    const int whole = !moved || boxes->n < s->boxes.n || s->n_cells == 0;
    scree_boxes_keep(&s->boxes, boxes);
    s->axes = boxes->dimension;
    s->width = 2 * s->axes;
    s->moved = moved;
    s->n_moved = n_moved;
    s->listed = !moved || (uint64_t)n_moved * MANY > boxes->n;
    *n_pivots = 0;
    if (moved && n_moved == 0 && !whole)
        return SCREE_OK;
    if (boxes->n > s->slots) {
        const uint32_t first = s->slots;
        const int32_t status = make_slots(s, boxes->n);
        if (status != SCREE_OK)
            return status;
        s->slots = (uint32_t)s->room[10];
        forget_slots(s, first);
    }
    stamp_moved(s);
    int32_t status = update(s, whole);
    // Makes room for the next full mapping of these boxes, including refined cells.
    if (status == SCREE_OK && !scree_grow(&s->visits, &s->room[4], s->used, sizeof *s->visits))
        status = scree_space_no_memory(s);
    if (whole)
        forget_slots(s, boxes->n);
    *n_pivots = s->listed ? s->n_cells : s->visited ? s->n_visits : n_moved;
    return status;
}

/* ---- an instance ---- */

int32_t scree_space_init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    space *s = instance;
    scree_boxes_keep(&s->boxes, boxes);
    s->conformal = s->service && (flags & SCREE_GCD_CONFORMAL);
    s->n_cells = s->n_surfaces = 0;
    s->present = s->built = s->outside = 0;
    forget_slots(s, 0);
    return SCREE_OK;
}

int32_t scree_space_create(const scree_host *host, const void *config, const space_method *method,
                           void **instance)
{
    space *s = calloc(1, sizeof *s);
    if (!s)
        return scree_failf(host, SCREE_E_MEMORY, "%s: out of memory", method->id);
    s->host = host;
    s->config = config;
    s->method = method;
    s->axes = 3;
    s->width = 6;
    *instance = s;
    return SCREE_OK;
}

void scree_space_destroy(void *instance)
{
    space *s = instance;
    if (!s)
        return;
    void *arrays[] = {s->cells,  s->splits, s->cuts,   s->touched, s->visits, s->data,   s->keys,
                      s->was[0], s->was[1], s->was[2], s->was[3],  s->was[4], s->was[5], s->ref[0],
                      s->ref[1], s->ref[2], s->stray,  s->surface, s->stamp,  s->work};
    for (uint32_t k = 0; k < SCREE_COUNT(arrays); k++)
        free(arrays[k]);
    free(s);
}

uint64_t scree_space_bytes(void *instance)
{
    const space *s = instance;
    const size_t each[12] = {sizeof *s->cells,     sizeof *s->splits,     sizeof *s->cuts,
                             sizeof *s->touched,   sizeof *s->visits,     sizeof *s->data,
                             sizeof *s->keys,      sizeof *s->was[0] * 6, sizeof *s->ref[0] * 3,
                             2 * sizeof *s->stray, sizeof *s->stamp,      sizeof *s->work};
    uint64_t sum = sizeof *s;
    for (uint32_t k = 0; k < 12; k++)
        sum += s->room[k] * each[k];
    return sum;
}
