/* SPDX-License-Identifier: Apache-2.0 */
/* The program scree-tools: all commands but `run`, and runs that repeat one. scree becomes it
 * (cli/main.c); other runs do not load it. */
#include <stdio.h>

#include "base/error.h"
#include "cli/program.h"
#include "tools/again/cmd_again.h"
#include "tools/check/cmd_check.h"
#include "tools/compare/cmd_compare.h"
#include "tools/describe/cmd_plugins.h"
#include "tools/install/cmd_install.h"
#include "tools/judge/cmd_judge.h"
#include "tools/judge/probe.h"
#include "tools/look/cmd_query.h"
#include "tools/look/cmd_validate.h"
#include "tools/new/cmd_new.h"

/** cli/main.c has the same names, with their help; `judge` is only for the host. */
static const struct {
    const char *name;
    scree_command_fn run;
} tools[] = {{"validate", scree_cmd_validate},   {"query", scree_cmd_query},
             {"plugins", scree_cmd_plugins},     {"install", scree_cmd_install},
             {"uninstall", scree_cmd_uninstall}, {"new", scree_cmd_new},
             {"check", scree_cmd_check},         {"compare", scree_cmd_compare},
             {"judge", scree_cmd_judge},         {"run", scree_cmd_run_again}};

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    scree_judge_begin();
    for (size_t i = 0; i < G_N_ELEMENTS(tools); i++)
        if (g_str_equal(word, tools[i].name))
            return tools[i].run(argc - 1, argv + 1);
    fprintf(stderr,
            "scree-tools: expected validate, query, plugins, install, uninstall, new, check or "
            "compare, got \"%s\"\n",
            word);
    return SCREE_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    return scree_program(argc, argv, run);
}
