/* SPDX-License-Identifier: Apache-2.0 */
/* The program scree: a run. It becomes scree-tools (tools/main.c) for all else. */
#include <glib.h>
#include <string.h>

#include "base/paths.h"
#include "cli/cmd_run.h"
#include "cli/program.h"
#include "cli/signals.h"

/** Returns whether a run continues or repeats another one, or repeats a call: scree-tools has the
 * code. */
static bool runs_again(char *const *words)
{
    bool again = false;
    for (; *words && !again; words++)
        again = g_str_has_prefix(*words, "--restart") || g_str_has_prefix(*words, "--repeat") ||
                g_str_has_prefix(*words, "--break");
    return again;
}

static int run(int argc, char **argv)
{
    return scree_cmd_run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    const int at = scree_command_at(argc, argv);
    const bool is_run = at < argc && g_str_equal(argv[at], "run");
    if (is_run && !runs_again(argv + at))
        return scree_program(argc, argv, run);
    g_autofree char *path = scree_paths_tools();
    scree_signals_hold();
    return scree_become(path, argv);
}
