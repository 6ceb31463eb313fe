/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a state: what each rank shows to observers while ranks are apart (draft/pieces.h). */
#include "engine/pieces.h"

#include <math.h>
#include <string.h>

#include "engine/contact_list.h"
#include "engine/loads.h"
#include "engine/observer_view.h"
#include "engine/ranks.h"

struct scree_shown_piece {
    scree_sim *sim;
    scree_pieces service;
    scree_piece piece;
    GArray *bodies; /* elements: uint32_t */
};

static const scree_piece *give_piece(void *ctx)
{
    return &((scree_shown_piece *)ctx)->piece;
}

scree_shown_piece *scree_pieces_new(scree_sim *sim)
{
    if (!sim->ranks)
        return NULL;
    scree_shown_piece *shown = g_new0(scree_shown_piece, 1);
    shown->sim = sim;
    shown->bodies = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    shown->service =
        (scree_pieces){.size = sizeof(scree_pieces), .ctx = shown, .piece = give_piece};
    sim->runtime.pieces = &shown->service;
    return shown;
}

void scree_pieces_free(scree_shown_piece *shown)
{
    if (!shown)
        return;
    shown->sim->runtime.pieces = NULL;
    g_array_unref(shown->bodies);
    g_free(shown);
}

/** Sets the piece: free bodies, their bounds, and on rank 0 the bodies that are not free. */
static void set_piece(scree_shown_piece *shown, uint32_t rank, uint32_t n, scree_rows rows)
{
    const scree_bodies *b = &shown->sim->view;
    scree_piece *piece = &shown->piece;
    *piece = (scree_piece){.size = sizeof *piece, .rank = rank, .n = n};
    g_array_set_size(shown->bodies, 0);
    for (int k = 0; k < 3; k++) {
        piece->lo[k] = HUGE_VAL;
        piece->hi[k] = -HUGE_VAL;
    }
    for (uint32_t i = rows.first; i < rows.end; i++) {
        g_array_append_val(shown->bodies, i);
        for (int k = 0; k < 3; k++) {
            piece->lo[k] = fmin(piece->lo[k], b->x[k][i] - b->radius[i]);
            piece->hi[k] = fmax(piece->hi[k], b->x[k][i] + b->radius[i]);
        }
    }
    const uint32_t end = rank == 0 ? b->n : b->n_free;
    for (uint32_t i = b->n_free; i < end; i++)
        g_array_append_val(shown->bodies, i);
    piece->n_bodies = shown->bodies->len;
    piece->bodies = (const uint32_t *)(const void *)shown->bodies->data;
}

void scree_pieces_whole(scree_shown_piece *shown)
{
    set_piece(shown, 0, 1, (scree_rows){0, shown->sim->world->n_free});
}

/** Returns an integer that is larger for a larger number, or the number of such an integer. */
static int64_t order_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

static double number_at(int64_t order)
{
    const int64_t bits = order >= 0 ? order : INT64_MIN - order;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/** Extends the bounds to those of all ranks. */
static bool join_bounds(const scree_ranks *r, scree_piece *piece, GError **error)
{
    int64_t values[6];
    const scree_exchange all = {
        .size = sizeof all, .reduction = SCREE_REDUCE_MAX, .n_values = 6, .values = values};
    for (int k = 0; k < 3; k++) {
        values[k] = order_of(-piece->lo[k]);
        values[3 + k] = order_of(piece->hi[k]);
    }
    if (!scree_ranks_reduce(r, &all, error))
        return false;
    for (int k = 0; k < 3; k++) {
        piece->lo[k] = -number_at(values[k]);
        piece->hi[k] = number_at(values[3 + k]);
    }
    return true;
}

/** Gives rank 0 the loads and the kept contacts of bodies that are not free. */
static bool gather_walls(const scree_sim *sim, GError **error)
{
    const scree_ranks *r = sim->ranks;
    scree_contact_copy *kept = scree_record_contacts(sim);
    g_autoptr(GArray) rows = kept ? scree_contact_copy_rows(kept) : NULL;
    const guint n_own = rows ? rows->len : 0;
    if (!scree_ranks_append(r, scree_loads_rows(sim), error) ||
        (rows && !scree_ranks_append(r, rows, error)))
        return false;
    if (r->rank)
        return true;
    scree_loads_sort(sim);
    if (rows)
        scree_contact_copy_add(kept, rows, n_own);
    return true;
}

bool scree_pieces_meet(scree_shown_piece *shown, GError **error)
{
    const scree_ranks *r = shown->sim->ranks;
    set_piece(shown, r->rank, r->n, scree_ranks_rows(shown->sim));
    return join_bounds(r, &shown->piece, error) && gather_walls(shown->sim, error);
}
