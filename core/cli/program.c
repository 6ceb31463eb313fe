/* SPDX-License-Identifier: Apache-2.0 */
/* How both programs of the host, scree and scree-tools, begin and end, or become another one. */
#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/fpenv.h"
#include "base/limits.h"
#include "base/shortage.h"
#include "cli/cmd.h"
#include "cli/parent.h"
#include "cli/signals.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "plugin/guard.h"

/** Opens /dev/null for each closed standard stream, so that no other file gets its number. */
static void hold_streams(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

static bool begin(int *argc, char ***argv, GError **error)
{
    hold_streams();
    scree_parent_begin(*argc, *argv);
    scree_plain_streams();
    scree_ends_program();
    scree_fp_restore(); // a preloaded library may have changed it
    scree_signals_begin();
    scree_signals_heed_stop(scree_ends_now); // until the command has its own way to stop
    scree_guard_install();                   // a constructor of a plugin may crash, too
    signal(SIGXFSZ, SIG_IGN);                // a file that may not grow is an error of a write
    return scree_shortage_install(error) && scree_limits_check(error) &&
           scree_cmd_take_globals(argc, argv, error);
}

/** Checks that all output has arrived: a full disk behind a pipe is a failure. So is a plugin's
 * fault in a call that could not return an error. */
static int finish(int status)
{
    scree_ends_look_at_streams(NULL);
    if (status == SCREE_EXIT_OK && scree_call_fault())
        status = SCREE_EXIT_PLUGIN;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != SCREE_EXIT_OK)
        return status;
    fputs("scree: cannot write to standard output\n", stderr);
    return SCREE_EXIT_RUN;
}

static int run(int argc, char **argv, scree_command_fn command)
{
    g_autoptr(GError) error = NULL;
    if (!begin(&argc, &argv, &error))
        return scree_cmd_fail(error);
    return finish(command(argc, argv));
}

int scree_command_at(int argc, char **argv)
{
    int at = 1;
    while (at < argc &&
           (g_str_has_prefix(argv[at], "--plugin-path") || g_str_has_prefix(argv[at], "--trust") ||
            g_str_equal(argv[at], "--no-parent")))
        at += strchr(argv[at], '=') || g_str_equal(argv[at], "--no-parent") ? 1 : 2;
    return at;
}

int scree_program(int argc, char **argv, scree_command_fn command)
{
    int status = run(argc, argv, command);
#ifdef __SANITIZE_ADDRESS__
    scree_shared_said();
    return status; // the sanitizer looks for leaks at the end
#endif
    fflush(NULL);
    scree_ends_exit(status); // destructors of plugins do not run: they may hang or fail
}

int scree_become(const char *path, char **words)
{
    execv(path, words);
    const int number = errno;
    scree_plain_streams();
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "scree: expected a program at %s, got none\n", path);
        return SCREE_EXIT_RUN;
    }
    scree_check_shortage(path);
    const bool no_interpreter = number == ENOENT && access(path, X_OK) == 0;
    fprintf(stderr, "scree: cannot run %s: %s\n", path,
            no_interpreter ? "the program that its first line names is missing"
                           : g_strerror(number));
    return SCREE_EXIT_RUN;
}
