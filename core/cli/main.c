/* SPDX-License-Identifier: Apache-2.0 */
/* The program: takes the options of every command, then hands over to the command. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/shortage.h"
#include "build_config.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "config/config.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"

typedef struct command {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} command;

/* The build says which commands this program has (core/meson.build). */
static const command commands[] = {
#ifdef SCREE_HAVE_RUN
    {"run", "run a scene", scree_cmd_run},
#endif
#ifdef SCREE_HAVE_COMPARE
    {"compare", "time variants of a scene against each other", scree_cmd_compare},
#endif
#ifdef SCREE_HAVE_VALIDATE
    {"validate", "check a scene and say what it asks for", scree_cmd_validate},
#endif
#ifdef SCREE_HAVE_CHECK
    {"check", "try a plugin: does it keep its promises?", scree_cmd_check},
#endif
#ifdef SCREE_HAVE_NEW
    {"new", "write a scene to start from", scree_cmd_new},
#endif
#ifdef SCREE_HAVE_REPLAY
    {"replay", "make the call again that a plugin was blamed for", scree_cmd_replay},
#endif
#ifdef SCREE_HAVE_PLUGINS
    {"plugins", "list the plugins, describe one", scree_cmd_plugins},
#endif
    {NULL, NULL, NULL},
};

static int print_help(FILE *out)
{
    fputs("usage: scree COMMAND ...\n\n"
          "A host for the discrete element method whose algorithms are plugins.\n\n"
          "commands (each tells more with --help):\n",
          out);
    for (const command *c = commands; c->name; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->help);
    fputs("\noptions:\n"
          "  --help               show this text\n"
          "  --version            show the version\n"
          "  --plugin-path=DIR    search DIR for plugins first (every command; may be repeated)\n"
          "  --trust=FILE         take this plugin though others can write it (every command)\n\n"
          "environment:\n"
          "  SCREE_PLUGIN_PATH    folders with plugins, separated by colons\n"
          "  SCREE_CPU_LEVEL      baseline or x86-64-v3, instead of the best this CPU offers\n"
          "  SCREE_LOAD_LIMIT     seconds that a plugin file may take to load (10)\n"
          "  SCREE_CHECK_LIMIT    seconds that a case of scree check may take (60)\n\n"
          "exit status: 0 done, 1 the run failed, 2 bad usage or config, 3 a plugin was refused\n"
          "or misbehaved, 4 stopped early by a signal\n",
          out);
    return out == stdout ? SCREE_EXIT_OK : SCREE_EXIT_USAGE;
}

static int print_version(void)
{
    printf("scree %s (plugin ABI %u.%u)\n", SCREE_VERSION, SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    return SCREE_EXIT_OK;
}

static int refuse_command(const char *word)
{
    const char *names[G_N_ELEMENTS(commands)];
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        names[i] = commands[i].name;
    const char *near = *word == '-' ? NULL : scree_nearest(word, names);
    fprintf(stderr, "scree: unknown %s \"%s\"", *word == '-' ? "option" : "command", word);
    if (near)
        fprintf(stderr, "; is \"%s\" meant?", near);
    fputs(" (see scree --help)\n", stderr);
    return SCREE_EXIT_USAGE;
}

/** What was printed must have arrived: a full disk behind a pipe is a failure. Nor is a fault of a
 * plugin in a call after which there was nothing more to fail. */
static int finish(int status)
{
    if (status == SCREE_EXIT_OK && scree_call_fault())
        status = SCREE_EXIT_PLUGIN;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != SCREE_EXIT_OK)
        return status;
    fputs("scree: cannot write to standard output\n", stderr);
    return SCREE_EXIT_RUN;
}

static int run_command(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    scree_plain_streams();
    scree_ends_program();
    scree_fp_restore(); // a preloaded library may have changed it
    scree_signals_begin();
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of a write, told as such
    if (!scree_shortage_install(&error))
        return scree_cmd_fail(error);
    if (!scree_cmd_take_globals(&argc, &argv, &error))
        return scree_cmd_fail(error);
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word)
        return print_help(stderr);
    if (g_str_equal(word, "--help") || g_str_equal(word, "-h") || g_str_equal(word, "help"))
        return finish(print_help(stdout));
    if (g_str_equal(word, "--version"))
        return finish(print_version());
    for (const command *c = commands; c->name; c++)
        if (g_str_equal(c->name, word))
            return finish(c->run(argc - 1, argv + 1));
    return refuse_command(word);
}

/* Without the destructors of plugins, which may hang or fail when all is done. */
int main(int argc, char **argv)
{
    int status = run_command(argc, argv);
#ifdef __SANITIZE_ADDRESS__
    return status; // it looks for leaks on the way out
#endif
    fflush(NULL);
    scree_ends_exit(status);
}
