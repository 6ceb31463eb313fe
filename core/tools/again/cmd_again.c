/* SPDX-License-Identifier: Apache-2.0 */
/* `scree run --repeat` and `scree run --break`. */
#include "tools/again/cmd_again.h"

#include "cli/again.h"
#include "cli/cmd_run.h"
#include "tools/again/manifest_read.h"
#include "tools/again/repeat_call.h"

int scree_cmd_run_again(int argc, char **argv)
{
    static const scree_again again = {.read_manifest = scree_run_manifest_read,
                                      .free_manifest = scree_run_manifest_free,
                                      .check_start = scree_run_manifest_check_start,
                                      .say_differences = scree_run_manifest_say_differences,
                                      .check_state = scree_run_manifest_check_state,
                                      .check_break = scree_repeat_check,
                                      .count_steps = scree_repeat_count,
                                      .report_break = scree_repeat_report};
    scree_again_here = &again;
    return scree_cmd_run(argc, argv);
}
