/* SPDX-License-Identifier: Apache-2.0 */
/* The work of ranks in summary.json, from numbers of two ranks. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/rank_rows.h"
#include "run/rank_report.h"

TEST("/rank-report/numbers-are-those-of-all-ranks")
{
    scree_rank_work work[2] = {{.cpu = 4.0,
                                .cpu_out = 0.5,
                                .exchanges = 10,
                                .ghosts = 30,
                                .sent = 2880,
                                .ahead = 40,
                                .peak_rss = 1000},
                               {.cpu = 5.0,
                                .cpu_out = 0.25,
                                .exchanges = 10,
                                .ghosts = 50,
                                .sent = 4800,
                                .ahead = 2,
                                .peak_rss = 3000}};
    scree_ranks ranks = {
        .n = 2, .work = work, .n_apart = 7, .n_refreshed = 3, .n_cuts = 2, .working = true};
    g_autoptr(scree_sim) sim = fixture_sim(GAS);
    g_autoptr(scree_json) json = scree_json_new();
    work[0].phase[SCREE_PHASE_GCD] = 1.0;
    work[1].phase[SCREE_PHASE_GCD] = 2.0;
    work[1].phase[SCREE_PHASE_FORCE] = 1.0;
    work[0].phase[SCREE_PHASE_EXCHANGE] = 0.5; // neither exchanges nor waits are work
    work[1].phase[SCREE_PHASE_EXCHANGE] = 0.25;
    work[0].phase[SCREE_PHASE_WAIT] = 0.25;
    sim->ranks = &ranks;
    scree_json_open_object(json, NULL);
    scree_rank_report_write(sim, json);
    scree_json_close_object(json);
    const double cpu = scree_rank_report_cpu(&ranks);
    sim->ranks = NULL;
    g_assert_cmpfloat(cpu, ==, 9.0);
    const char *const wanted[] = {"\"evaluations\": 7,",
                                  "\"refreshes\": 3,",
                                  "\"cuts\": 2,",
                                  "\"exchanges\": 10,",
                                  "\"ghosts\": 80,",
                                  "\"ghost_bytes\": 7680,",
                                  "\"ahead\": 42,",
                                  "\"imbalance\": 1.5,", // 3 s over a mean of 2 s
                                  "\"exchange_share\": 0.14999999999999999,", // 0.75 s of 5 s
                                  "\"cpu_s\": 9,",
                                  "\"cpu_exchange_s\": 0.75,",
                                  "\"peak_rss_bytes\": 3000,",
                                  "\"gcd\": 1.3333333333333333,",
                                  "\"force\": 2,",
                                  "\"order\": null,"};
    const char *text = scree_json_text(json);
    for (size_t k = 0; k < G_N_ELEMENTS(wanted); k++) {
        if (!strstr(text, wanted[k]))
            g_error("%s is missing in %s", wanted[k], text);
    }
    g_assert_null(strstr(text, "\"exchange\":"));
    g_assert_null(strstr(text, "\"wait\":"));
}
