/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over contacts for figures: no order changes a bit, and no list of contacts is recorded. */
#include <math.h>
#include <string.h>

#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/contact_list.h"
#include "engine/figures.h"
#include "engine/observer_view.h"

enum { SETTLED = 700 };

static uint32_t number_of(const char *name)
{
    return (uint32_t)scree_figure_find(name);
}

/** Figures of a settled pile cut into so many blocks; *recorded: room for contacts that are recorded. */
static void take_figures(uint32_t blocks, uint32_t threads, double value[SCREE_MOST_FIGURES],
                         uint64_t whose[4], uint64_t *recorded)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_sim) sim = scree_sim_new(
        fixture_scene(PILE),
        &(scree_sim_options){.blocks = blocks, .threads = threads, .all_lanes = true}, &error);
    g_assert_no_error(error);
    fixture_run(sim, SETTLED);
    sim->records.figures = sim->watched = true;
    fixture_run(sim, 1);
    scree_figures_now(sim, ~(uint64_t)0, value);
    g_assert_cmpuint(
        scree_figure_bodies(sim, number_of("max_overlap"), value[number_of("max_overlap")], whose),
        ==, 2);
    g_assert_cmpuint(
        scree_figure_bodies(sim, number_of("max_speed"), value[number_of("max_speed")], whose + 2),
        ==, 1);
    *recorded = 0;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->plugins.contact.lists[l].n_segments; k++)
            *recorded += sim->plugins.contact.lists[l].segments[k].records.capacity;
}

TEST("/contact-sums/no-cut-changes-a-bit-nor-records-a-contact")
{
    static const uint32_t cuts[][2] = {{1, 1}, {2, 1}, {5, 1}, {7, 2}};
    double first[SCREE_MOST_FIGURES], value[SCREE_MOST_FIGURES];
    uint64_t one[4] = {0}, whose[4] = {0};
    uint64_t recorded;
    take_figures(cuts[0][0], cuts[0][1], first, one, &recorded);
    g_assert_cmpfloat(first[number_of("unbalanced")], >, 0.0);
    g_assert_cmpfloat(first[number_of("max_overlap")], >, 0.0);
    g_assert_cmpuint(one[0], <, one[1]);
    for (size_t k = 0; k < G_N_ELEMENTS(cuts); k++) {
        take_figures(cuts[k][0], cuts[k][1], value, whose, &recorded);
        for (uint32_t q = 0; scree_figure_at(q); q++)
            if (scree_figure_at(q)->of_contacts)
                g_assert_true(memcmp(&value[q], &first[q], sizeof value[q]) == 0);
        g_assert_true(memcmp(whose, one, sizeof whose) == 0);
        g_assert_cmpuint(recorded, ==, 0);
    }
}

/** The same sums of the list that observers get. */
TEST("/contact-sums/those-of-the-list")
{
    g_autoptr(scree_sim) sim = fixture_sim(PILE);
    scree_contact_list list;
    scree_contact_sums sums = {.n = 0};
    fixture_run(sim, SETTLED);
    g_assert_null(scree_record_sums(sim)); // nobody has asked
    sim->records.figures = sim->records.contacts = true;
    fixture_run(sim, 1);
    g_assert_true(scree_record_list(sim, &list));
    scree_contact_sums_add(&sums, sim->world, list.n,
                           &(scree_contact_rows){list.a, list.b, list.depth, list.f, list.branch});
    const scree_contact_sums *is = scree_record_sums(sim);
    g_assert_cmpuint(is->n, ==, sums.n);
    g_assert_cmpuint(is->n, >, 0);
    g_assert_cmpfloat(is->overlap, ==, sums.overlap);
    g_assert_true(memcmp(is->id, sums.id, sizeof sums.id) == 0);
    g_assert_cmpfloat(scree_exact_sum_value(&is->force), ==, scree_exact_sum_value(&sums.force));
    g_assert_cmpfloat(scree_exact_sum_value(&is->virial), ==, scree_exact_sum_value(&sums.virial));
}
