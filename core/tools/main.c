/* SPDX-License-Identifier: Apache-2.0 */
/* The program scree-tools: all commands but `run`, runs that continue or repeat one, and help. scree
 * becomes it (cli/main.c); other runs do not load it. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "build_config.h"
#include "cli/program.h"
#include "scree/scree.h"
#include "tools/again/cmd_again.h"
#include "tools/check/cmd_check.h"
#include "tools/compare/cmd_compare.h"
#include "tools/describe/cmd_plugins.h"
#include "tools/external.h"
#include "tools/install/cmd_install.h"
#include "tools/judge/cmd_judge.h"
#include "tools/judge/probe.h"
#include "tools/look/cmd_query.h"
#include "tools/look/cmd_summary.h"
#include "tools/look/cmd_validate.h"
#include "tools/new/cmd_new.h"

typedef struct command {
    const char *name, *help;
    scree_command_fn run;
} command;

/** Commands without help are for the host. */
static const command commands[] = {
    {"run", "run a scene", scree_cmd_run_again},
    {"validate", "check a scene, describe its run", scree_cmd_validate},
    {"query", "print the bodies in a box or ball", scree_cmd_query},
    {"plugins", "list the plugins, describe one", scree_cmd_plugins},
    {"install", "check plugins and copy them into your folder", scree_cmd_install},
    {"uninstall", "remove a plugin that was installed", scree_cmd_uninstall},
    {"new", "write a scene or a plugin to start from", scree_cmd_new},
    {"check", "try a plugin: does it keep its promises?", scree_cmd_check},
    {"compare", "time variants of a scene against each other", scree_cmd_compare},
    {"judge", NULL, scree_cmd_judge},
    {"summary", NULL, scree_cmd_summary},
    {NULL, NULL, NULL},
};

static const command *find_command(const char *name)
{
    for (const command *c = commands; c->name; c++)
        if (g_str_equal(c->name, name))
            return c;
    return NULL;
}

/** Prints the programs of this installation, or those on PATH. */
static void print_externals(FILE *out, const GPtrArray *externals, bool own)
{
    const char *heading = own ? "" : "\ncommands on PATH:\n";
    for (guint i = 0; i < externals->len; i++) {
        const scree_external *e = externals->pdata[i];
        if (e->own != own || find_command(e->name)) // no program replaces an own command
            continue;
        fprintf(out, "%s  %-*s%s%s\n", heading, e->summary ? 10 : 0, e->name, e->summary ? " " : "",
                e->summary ? e->summary : "");
        heading = "";
    }
}

static void print_commands(FILE *out)
{
    g_autoptr(GPtrArray) externals = scree_external_list();
    fputs("commands (each prints more with --help):\n", out);
    for (const command *c = commands; c->name; c++)
        if (c->help)
            fprintf(out, "  %-10s %s\n", c->name, c->help);
    print_externals(out, externals, true);
    print_externals(out, externals, false);
}

static int print_help(FILE *out)
{
    fputs("usage: scree [OPTIONS] COMMAND ...\n\n"
          "A host for the discrete element method whose algorithms are plugins.\n\n",
          out);
    print_commands(out);
    fputs("\noptions:\n"
          "  --help               show this text\n"
          "  --version            show the version\n"
          "  --plugin-path=DIR    search DIR for plugins first (every command; may be repeated)\n"
          "  --trust=FILE         load this plugin although others can write it (every command)\n"
          "  --no-parent          run in one process, for gdb and other tools (every command)\n\n"
          "environment:\n"
          "  SCREE_PLUGIN_PATH    folders with plugins, separated by colons\n"
          "  SCREE_CPU_LEVEL      baseline or x86-64-v3, instead of the best this CPU offers\n"
          "  SCREE_LOAD_LIMIT     limit of the own time of a plugin file that is tried [s] (10)\n"
          "  SCREE_CHECK_LIMIT    limit of the CPU time of a case of scree check [s] (60)\n"
          "  SCREE_SWAP_LIMIT     limit of the own time of plugins to switch to [s] (60)\n\n"
          "exit status: 0 done, 1 the run failed, 2 bad usage or config, 3 a plugin was refused\n"
          "or misbehaved, 4 stopped early by a signal, 128 + N (in a shell) ended by signal N\n",
          out);
    return out == stdout ? SCREE_EXIT_OK : SCREE_EXIT_USAGE;
}

static int print_version(const char *more)
{
    if (more) {
        fprintf(stderr, "scree: --version: expected nothing after it, got \"%s\"\n", more);
        return SCREE_EXIT_USAGE;
    }
    printf("scree %s (plugin ABI %u.%u)\n", SCREE_VERSION, SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    return SCREE_EXIT_OK;
}

static int refuse_option(const char *word)
{
    static const char *const names[] = {"--help",  "--version",   "--plugin-path",
                                        "--trust", "--no-parent", NULL};
    g_autofree char *hint = scree_did_you_mean(word, names);
    fprintf(stderr, "scree: expected an option or a command, got \"%s\"%s (see scree --help)\n",
            word, hint);
    return SCREE_EXIT_USAGE;
}

static int refuse_command(const char *word)
{
    g_autofree char *blocked = scree_external_find(word, true);
    if (blocked) {
        fprintf(stderr, "scree: cannot run %s: expected an executable file (chmod +x)\n", blocked);
        return SCREE_EXIT_USAGE;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new(), others = scree_external_list();
    for (const command *c = commands; c->name; c++)
        if (c->help)
            g_ptr_array_add(names, (char *)c->name);
    for (guint i = 0; i < others->len; i++)
        g_ptr_array_add(names, ((const scree_external *)others->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = scree_did_you_mean(word, (const char *const *)names->pdata);
    fprintf(stderr, "scree: expected a command, got \"%s\"%s (see scree --help)\n", word, hint);
    return SCREE_EXIT_USAGE;
}

static int run_named(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    scree_judge_begin();
    if (!word)
        return print_help(stderr);
    if (g_str_equal(word, "--help") || g_str_equal(word, "-h") || g_str_equal(word, "help"))
        return print_help(stdout);
    if (g_str_equal(word, "--version"))
        return print_version(argc > 2 ? argv[2] : NULL);
    if (*word == '-')
        return refuse_option(word);
    const command *c = find_command(word);
    return c ? c->run(argc - 1, argv + 1) : refuse_command(word);
}

/** Removes a "--" before the name of the command. */
static void drop_end_of_options(int *argc, char **argv)
{
    int at = scree_command_at(*argc, argv);
    if (at >= *argc || !g_str_equal(argv[at], "--"))
        return;
    memmove(argv + at, argv + at + 1, (size_t)(*argc - at) * sizeof *argv);
    --*argc;
}

/** Turns `scree help NAME` into `scree NAME --help`. */
static void take_help(int argc, char **argv)
{
    if (argc != 3 || !g_str_equal(argv[1], "help"))
        return;
    argv[1] = argv[2];
    argv[2] = (char *)"--help";
}

int main(int argc, char **argv)
{
    take_help(argc, argv);
    drop_end_of_options(&argc, argv);
    int at = scree_command_at(argc, argv);
    const char *word = at < argc ? argv[at] : "-";
    g_autofree char *path =
        *word == '-' || find_command(word) ? NULL : scree_external_find(word, false);
    return path ? scree_external_run(path, at, argc, argv) : scree_program(argc, argv, run_named);
}
