/* SPDX-License-Identifier: Apache-2.0 */
/* How both programs of the host, scree and scree-tools, begin and end, or become another one. */
#include "cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/fpenv.h"
#include "base/limits.h"
#include "base/shortage.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "plugin/guard.h"
#include "plugin/shared_calls.h"
#include "run/checkpoint.h"
#include "run/launch.h"

/* ---- the parent ---- */

/*
 * The parent sees how the program ends, whatever a plugin does.
 *
 * Idea: a plugin can end the process in more ways than the process itself can watch: exit, a raw
 *     system call, a signal, daemon(), from any thread and at any time. So the program forks before
 *     its work. The child continues as the program, and notes in shared memory that the host ends it
 *     (plugin/shared_calls.h). The parent reads this note, and the call under way.
 * Options weighed: functions of the C library, defined again in the program: sixteen names, and
 *     daemon(), dlsym and a thread outside of calls escape them. Tracing (ptrace): gdb could not
 *     trace.
 * Limits: SIGKILL of the parent ends the child by SIGKILL as well. A thread that ends itself by a
 *     raw system call does not end the process: its call hangs.
 */

static bool is_wanted(int argc, char *const *argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--no-parent") == 0)
            return false;
    return true;
}

static void set_blocked(int how, int number)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(how, &one, NULL);
}

/** Ends the parent by the signal that has ended the child; the core file is the child's. */
static _Noreturn void die_by(int number)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    raise(number);
    set_blocked(SIG_UNBLOCK, number);
    _exit(128 + number);
}

/** Ends what the child has left behind and this process has inherited: a copy made by daemon()
 * would continue the run. */
static void end_orphans(void)
{
    pid_t process;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    do {
        g_autofree char *text = NULL;
        char *rest = g_file_get_contents(path, &text, NULL, NULL) ? text : (char *)"";
        for (long one = strtol(rest, &rest, 10); one > 0; one = strtol(rest, &rest, 10))
            kill((pid_t)one, SIGKILL);
        process = waitpid(-1, NULL, 0);
    } while (process > 0 || errno == EINTR);
}

static void print_end(pid_t child, int status)
{
    g_autofree char *text = scree_shared_describe_end(child, status);
    g_autofree char *plain = scree_plain(text, SCREE_PLAIN_MOST);
    const char *folder = scree_shared_now->folder;
    fprintf(stderr, "scree: %s\n", plain);
    if (folder && rmdir(folder) != 0) // a folder that is not empty stays
        fprintf(stderr, "scree: note: what was written until then is in %s\n", folder);
}

/** Prints the command that continues the run of this rank, or takes it again. */
static void print_again(const scree_shared_run *run)
{
    uint64_t step = run->begin;
    if (!*run->start)
        return;
    if (!run->ranks) {
        fprintf(stderr, "scree: to run it on one rank: %s\n", run->start);
        return;
    }
    const bool saved = *run->folder && scree_checkpoint_newest(run->folder, &step);
    fprintf(stderr, "scree: to %s: %s --steps %" PRIu64 "\n", saved ? "continue" : "run it again",
            saved ? run->more : run->start, run->end - step);
}

/** Prints the command that repeats the call in which the child has ended. */
static void print_repeat(pid_t child, int status)
{
    g_autofree char *where = scree_shared_where(child);
    const char *command = scree_shared_now->repeat;
    if (scree_shared_is_lost_rank(child, status)) // what other ranks did is not repeated
        print_again(&scree_shared_now->run);
    else if (where && *command)
        fprintf(stderr, "scree: to repeat the call: %s --break '%s'\n", command, where);
}

/** Ends as the child has ended. `handed`: bits of the signals that were passed on. */
static _Noreturn void end_like(pid_t child, int status, uint64_t handed)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const bool asked = number && handed >> (number - 1) & 1; // the user sent it to the parent
    const bool crash = number == SIGKILL || number == SIGSEGV || number == SIGBUS ||
                       number == SIGFPE || number == SIGILL || number == SIGABRT ||
                       number == SIGTRAP || number == SIGSYS;
    const bool said = scree_shared_now->said;
    const bool unread = number == SIGPIPE && !scree_shared_is_in_call(child); // as in `| head`
    if (!said && !asked && !unread) {
        end_orphans();
        print_end(child, status);
    }
    print_repeat(child, status);
    if (number && (said || asked || crash || unread))
        die_by(number);
    _exit(said && !number ? WEXITSTATUS(status) : SCREE_EXIT_PLUGIN);
}

/** Stops with the child, until both may continue. */
static void stop_too(int number)
{
    raise(number);
    set_blocked(SIG_UNBLOCK, number);
    set_blocked(SIG_BLOCK, number);
}

/** Waits for signals, all of which are blocked, and for the end of the child. */
static _Noreturn void watch_child(pid_t child, const sigset_t *all)
{
    uint64_t handed = 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (;;) {
        int status;
        pid_t ended;
        siginfo_t info;
        const int number = sigwaitinfo(all, &info);
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (ended == child)
                end_like(child, status, handed);
        if (number <= 0 || number == SIGCHLD || info.si_pid == child) // a plugin sent it, not the
                                                                      // user
            continue;
        handed |= number <= 64 ? UINT64_C(1) << (number - 1) : 0;
        sigqueue(child, number, (union sigval){0});
        if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
            stop_too(number);
    }
}

/** Forks, before the program has threads, handlers or children. Returns in the child, which
 * continues as the program; with --no-parent it does not fork. The parent passes signals on, and
 * ends as the child does. */
static void begin_parent(int argc, char *const *argv)
{
    sigset_t all, before;
    if (!is_wanted(argc, argv))
        return;
    signal(SIGCHLD, SIG_DFL); // if SIGCHLD is ignored, no status is kept
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const pid_t parent = getpid(), child = scree_shared_begin() ? fork() : -1;
    if (child > 0)
        watch_child(child, &all);
    if (child < 0)
        fprintf(stderr,
                "scree: warning: no parent process: %s; a plugin that ends the process is not "
                "noticed\n",
                g_strerror(errno));
    if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent))
        _exit(SCREE_EXIT_RUN); // the parent has ended already
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- the program ---- */

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
    begin_parent(*argc, *argv);
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
    if (begin(&argc, &argv, &error))
        return finish(command(argc, argv));
    const int status = scree_cmd_fail(error);
    scree_launch_end(status);
    return status;
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
