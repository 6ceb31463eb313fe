/* SPDX-License-Identifier: Apache-2.0 */
/* What observers see: the state, energies, contacts in canonical order. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/** One contact and its place in the canonical order: list, row, column, shift, feature. */
typedef struct entry {
    uint32_t list, row, col;
    scree_shift shift;
    uint64_t feature;
    const scree_segment *segment;
    uint64_t at;
} entry;

static int compare_entries(const void *pa, const void *pb)
{
    const entry *a = pa, *b = pb;
#define ORDER(member)                                                                              \
    if (a->member != b->member)                                                                    \
    return a->member < b->member ? -1 : 1
    ORDER(list);
    ORDER(row);
    ORDER(col);
    ORDER(shift);
    ORDER(feature);
#undef ORDER
    return 0;
}

static GArray *collect(const scree_sim *sim)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(entry));
    for (uint32_t l = 0; l < sim->n_lists; l++)
        for (uint32_t k = 0; k < sim->n_blocks * (sim->n_blocks + 1); k++) {
            const scree_segment *s = &sim->lists[l].segments[k];
            const scree_table *t = &s->table[sim->committed];
            for (uint64_t c = 0; c < t->n; c++) {
                uint32_t p = t->pair[c];
                entry one = {l,
                             scree_pair_row(s, p),
                             scree_pair_column(s, p),
                             s->shift ? s->shift[p] : SCREE_SHIFT_ZERO,
                             t->feature ? t->feature[c] : 0,
                             s,
                             c};
                g_array_append_val(all, one);
            }
        }
    g_array_sort(all, compare_entries);
    return all;
}

static void *keep(scree_sim *sim, size_t bytes)
{
    void *memory = scree_aligned_new(bytes);
    g_ptr_array_add(sim->list_arrays, memory);
    return memory;
}

static void fill_contact(const scree_sim *sim, const entry *one, uint64_t i, uint32_t *a, uint32_t *b,
                         int32_t *const *image, double *const *normal, double *depth,
                         double *const *arm, double *const *f, double *const *couple)
{
    const scree_record *record = &one->segment->records[one->at];
    const scree_table *t = &one->segment->table[sim->committed];
    uint32_t p = t->pair[one->at];
    int32_t cells[3];
    a[i] = one->segment->a[p];
    b[i] = one->segment->b[p];
    depth[i] = record->depth;
    scree_shift_unpack(one->shift, cells);
    for (int k = 0; k < 3; k++) {
        int32_t s = a[i] > b[i] ? -cells[k] : cells[k];
        image[k][i] = s + sim->world->image[k][b[i]] - sim->world->image[k][a[i]];
        normal[k][i] = record->normal[k];
        arm[k][i] = record->arm[k];
        f[k][i] = record->f[k];
        couple[k][i] = record->couple[k];
    }
}

static void fill_list(scree_sim *sim, scree_contact_list *list)
{
    if (!sim->list_arrays)
        sim->list_arrays = g_ptr_array_new_with_free_func(free);
    g_ptr_array_set_size(sim->list_arrays, 0);
    g_autoptr(GArray) all = collect(sim);
    uint64_t n = all->len;
    uint32_t *a = keep(sim, n * sizeof *a), *b = keep(sim, n * sizeof *b);
    uint64_t *feature = keep(sim, n * sizeof *feature);
    int32_t *image[3];
    double *normal[3], *depth = keep(sim, n * sizeof *depth), *arm[3], *f[3], *couple[3];
    *list = (scree_contact_list){
        .size = sizeof *list, .n = n, .a = a, .b = b, .feature = feature, .depth = depth};
    for (int k = 0; k < 3; k++) {
        list->image[k] = image[k] = keep(sim, n * sizeof **image);
        list->normal[k] = normal[k] = keep(sim, n * sizeof(double));
        list->arm[k] = arm[k] = keep(sim, n * sizeof(double));
        list->f[k] = f[k] = keep(sim, n * sizeof(double));
        list->couple[k] = couple[k] = keep(sim, n * sizeof(double));
    }
    for (uint64_t i = 0; i < n; i++) {
        const entry *one = &g_array_index(all, entry, i);
        feature[i] = one->feature;
        fill_contact(sim, one, i, a, b, image, normal, depth, arm, f, couple);
    }
}

static void reaction(const scree_view *view, uint32_t i, double force[3], double torque[3])
{
    scree_reaction(view->ctx, i, force, torque);
}

void scree_view_fill(scree_sim *sim, scree_view *view, scree_energy *energy,
                     scree_contact_list *contacts)
{
    const scree_world *w = sim->world;
    scree_aligned_grow(&sim->names, &sim->names_capacity, w->n, 0, sizeof *sim->names);
    for (uint32_t i = 0; i < w->n; i++)
        sim->names[i] = sim->scene->group_names->pdata[w->group[i]];
    scree_energy_now(sim, energy);
    if (contacts)
        fill_list(sim, contacts);
    *view = (scree_view){.size = sizeof *view,
                         .step = sim->step,
                         .time = scree_sim_time(sim),
                         .dt = sim->dt,
                         .bodies = &sim->view,
                         .energy = energy,
                         .n_contacts = sim->n_contacts,
                         .contacts = contacts,
                         .names = sim->names,
                         .reaction = reaction,
                         .ctx = sim};
    scree_momentum(sim, view->momentum, view->angular_momentum);
}
