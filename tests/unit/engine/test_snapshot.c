/* SPDX-License-Identifier: Apache-2.0 */
/* The state kept in memory and put back. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/digest.h"
#include "tools/restart/snapshot_restore.h"

static void restore_twice(const char *text, int before, int after)
{
    g_autoptr(scree_sim) sim = fixture_sim(text);
    fixture_run(sim, before);
    scree_snapshot *kept = scree_snapshot_quick(NULL, sim);
    scree_snapshot_sort(kept);
    g_autofree char *there = scree_state_sha256(sim);
    fixture_run(sim, after);
    g_autofree char *end = scree_state_sha256(sim);
    double lost = scree_exact_sum_value(&sim->account.lost),
           work = scree_exact_sum_value(&sim->account.work);
    g_assert_cmpstr(there, !=, end);
    for (int turn = 0; turn < 2; turn++) {
        scree_snapshot_restore(sim, kept);
        g_autofree char *back = scree_state_sha256(sim);
        g_assert_cmpstr(back, ==, there);
        fixture_run(sim, after);
        g_autofree char *again = scree_state_sha256(sim);
        g_assert_cmpstr(again, ==, end);
        g_assert_cmpfloat(scree_exact_sum_value(&sim->account.lost), ==, lost);
        g_assert_cmpfloat(scree_exact_sum_value(&sim->account.work), ==, work);
    }
    scree_snapshot_free(kept);
}

TEST("/snapshot/a-pile-goes-the-same-way-twice")
{
    restore_twice(PILE, 700, 400);
}

TEST("/snapshot/a-periodic-gas-goes-the-same-way-twice")
{
    restore_twice(GAS "extent = { renew = \"moved\"; };\n", 230, 200);
}
