/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a domain under test: a child process each, which the check forks; or processes of a
 * launcher, each of which runs the case again up to the call that starts the ranks, and becomes one. */
#include "tools/check/check_ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/process.h"
#include "tools/check/check_instance.h"
#include "tools/check/check_report.h"

/** Ranks that run, as the check sees them. */
typedef struct crew {
    const scree_check_crew *plan;
    scree_check_rank first;     /* of process 0; each process changes its copy */
    _Atomic uint32_t *n_failed; /* in shared memory */
    uint64_t bytes;             /* of shared memory, which begins with n_failed */
    uint32_t n_started;         /* processes */
    pid_t *pid; /* [ranks] of those that were forked; NULL: a launcher starts them */
} crew;

enum { SEATS = 64 /* first byte of the seats in the shared memory */ };

bool scree_check_rank_test(scree_check_rank *r, bool *done)
{
    uint32_t answer = UINT32_MAX;
    const bool good =
        SCREE_CHECK_CALL(r->check, r->instance, "test", r->ops->test(r->instance->self, &answer));
    if (good && answer > 1)
        scree_check_fail(r->check, "test: expected 0 or 1 in *done, got %u", answer);
    *done = answer == 1;
    return good && answer <= 1;
}

/** Tests until all has come. */
static bool test_all(scree_check_rank *r)
{
    bool done = false;
    for (int k = 0; k < 5000 && !done; k++) {
        if (!scree_check_rank_test(r, &done))
            return false;
        if (!done)
            g_usleep(1000);
    }
    if (!done)
        scree_check_fail(r->check, "test: 5 s after all ranks have begun, *done is 0");
    return done;
}

bool scree_check_rank_exchange(scree_check_rank *r, const scree_exchange *exchange)
{
    const bool tests = SCREE_HAS(r->ops, test) && r->process % 2;
    return SCREE_CHECK_CALL(r->check, r->instance, "begin",
                            r->ops->begin(r->instance->self, exchange)) &&
           (!tests || test_all(r)) &&
           SCREE_CHECK_CALL(r->check, r->instance, "finish", r->ops->finish(r->instance->self));
}

bool scree_check_rank_await(const scree_check_rank *r, uint32_t other, uint32_t at)
{
    for (int k = 0; k < 5000 && atomic_load(&r->seats[other].at) < at; k++)
        g_usleep(1000);
    return atomic_load(&r->seats[other].at) >= at;
}

/** Joins, and judges the answer. */
static bool join(scree_check_rank *r)
{
    scree_domain_join join = {.size = sizeof join,
                              .process = r->process,
                              .limit = r->limit,
                              .rank = UINT32_MAX,
                              .ranks = UINT32_MAX};
    if (!SCREE_CHECK_CALL(r->check, r->instance, "join", r->ops->join(r->instance->self, &join)))
        return false;
    if (join.ranks != r->ranks || join.rank >= r->ranks)
        scree_check_fail(r->check, "join: expected rank 0 to %u of %u, got rank %u of %u",
                         r->ranks - 1, r->ranks, join.rank, join.ranks);
    r->rank = join.rank;
    return !r->check->failed;
}

/** Waits until all ranks have returned from join(), which a fault of another one would end. */
static void await_joined(const scree_check_rank *r)
{
    for (uint32_t k = 0; k < r->ranks; k++)
        for (int t = 0; t < 5000 && !atomic_load(&r->seats[k].joined); t++)
            g_usleep(1000);
}

/** Notes that the rank has failed, and ends the others. */
static void report(const scree_check_rank *r, _Atomic uint32_t *n_failed)
{
    scree_check_seat *seat = &r->seats[r->process];
    g_strlcpy(seat->text, r->check->text->str, sizeof seat->text);
    seat->refused = r->check->refused;
    atomic_store(&seat->failed, 1 + atomic_fetch_add(n_failed, 1));
    scree_call call = scree_call_begin(r->instance, SCREE_CALL_STEP, "abort");
    r->ops->abort(r->instance->self, "another rank has failed");
    scree_call_done(&call);
}

/** The life of a rank. It does not return. */
static _Noreturn void work(const crew *c, uint32_t process)
{
    scree_check_rank r = c->first;
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (parent != getppid())
        _exit(1);
    r.process = process;
    if (join(&r)) {
        r.process = c->pid ? process : r.rank;
        atomic_store(&r.seats[r.process].joined, 1);
        if (c->plan->fails)
            await_joined(&r);
        c->plan->fn(&r);
    }
    if (scree_call_fault())
        scree_check_fail(r.check, "%s", scree_call_fault());
    if (r.check->failed)
        report(&r, c->n_failed);
    atomic_store(&r.seats[r.process].judged, 1);
    scree_call call = scree_call_begin(r.instance, SCREE_CALL_CONFIG, "destroy");
    r.ops->destroy(r.instance->self);
    scree_call_done(&call);
    atomic_store(&r.seats[r.process].done, 1);
    _exit(0);
}

/** Waits for the end of a rank, and judges it. */
static void wait_for(const crew *c, scree_check *check, uint32_t process)
{
    int status = 0;
    while (waitpid(c->pid[process], &status, 0) < 0 && errno == EINTR)
        ;
    const bool killed = c->plan->kills && process == c->first.ranks - 1;
    if (c->n_started < c->first.ranks)
        return; // it was killed because another one could not start
    if (!killed && WIFSIGNALED(status))
        scree_check_fail(check, "process %u of %u crashed: signal %d, %s", process, c->first.ranks,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!killed && !atomic_load(&c->first.seats[process].done))
        scree_check_fail(check, "process %u of %u ended with status %d in a call", process,
                         c->first.ranks, WEXITSTATUS(status));
}

/** Takes the text of the rank that failed first. */
static void take_failure(const crew *c, scree_check *check)
{
    const scree_check_seat *first = NULL;
    uint32_t process = 0;
    for (uint32_t k = 0; k < c->first.ranks; k++) {
        const scree_check_seat *s = &c->first.seats[k];
        if (s->failed && (!first || s->failed < first->failed)) {
            first = s;
            process = k;
        }
    }
    if (!first || check->failed)
        return;
    scree_check_fail(check, "%s (process %u of %u)", first->text, process, c->first.ranks);
    check->refused = first->refused;
}

/** Maps the shared memory; fd -1: of no file. */
static bool map_seats(crew *c, int fd)
{
    c->bytes = SEATS + c->first.ranks * sizeof(scree_check_seat);
    void *memory = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    if (memory == MAP_FAILED)
        return false;
    c->n_failed = memory;
    c->first.seats = (scree_check_seat *)((char *)memory + SEATS);
    return true;
}

/** Forks the ranks. */
static void fork_ranks(crew *c, scree_check *check)
{
    const uint32_t n = c->first.ranks;
    c->pid = g_new0(pid_t, n);
    for (; c->n_started < n; c->n_started++) {
        pid_t *pid = &c->pid[c->n_started];
        *pid = scree_fork();
        if (*pid == 0)
            work(c, c->n_started);
        if (*pid < 0)
            break;
    }
    if (c->n_started < n)
        scree_check_skip(check, "process %u of %u could not be forked: %s", c->n_started, n,
                         g_strerror(errno));
    for (uint32_t k = 0; k < c->n_started && c->n_started < n; k++)
        kill(c->pid[k], SIGKILL);
}

/* ---- ranks of a launcher ---- */

static uint32_t n_launches; // of this process: numbers the calls of a case that start ranks
static pid_t launches_of;   // a child process of a case counts its own

/** Numbers a call that starts ranks. */
static void count_launch(void)
{
    n_launches = launches_of == getpid() ? n_launches + 1 : 0;
    launches_of = getpid();
}

/** The command of the launcher: it starts this case once for each rank. */
static GPtrArray *launch_command(const scree_check *check, uint32_t ranks, const char *file)
{
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) launcher = NULL;
    g_autofree char *tools = scree_paths_tools();
    if (!g_shell_parse_argv(check->launcher, NULL, &launcher, NULL))
        launcher = g_new0(char *, 1); // an empty command cannot be started
    for (char **word = launcher; *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    g_ptr_array_add(words, g_strdup_printf("%u", ranks));
    for (const char *const *word =
             (const char *const[]){tools, "--no-parent", "check", check->file->path, NULL};
         *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    g_ptr_array_add(words, g_strdup_printf("--plugin=domain/%s", check->plugin->id));
    g_ptr_array_add(words, g_strdup_printf("--case=%s", check->case_id));
    for (const char *const *set = check->given; set && *set; set++)
        g_ptr_array_add(words, g_strdup_printf("--set=%s", *set));
    g_ptr_array_add(words, g_strdup_printf("--as-rank=%s:%u", file, n_launches));
    g_ptr_array_add(words, NULL);
    return words;
}

/** Judges the ranks of a launcher that has ended. */
static void judge_launched(const crew *c, scree_check *check, int status)
{
    for (uint32_t k = 0; k < c->first.ranks && !check->failed; k++) {
        const scree_check_seat *seat = &c->first.seats[k];
        if (!c->plan->kills && !atomic_load(c->n_failed) &&
            !atomic_load(c->plan->fails ? &seat->judged : &seat->done))
            scree_check_fail(check, "process %u of %u ended in a call; the launcher has status %d",
                             k, c->first.ranks, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
    if (c->plan->kills && status == 0)
        scree_check_fail(check, "a rank was killed, and the launcher has status 0");
    if (!c->plan->fails && status && !atomic_load(c->n_failed))
        scree_check_fail(check, "the launcher has status %d",
                         WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/** Lets the launcher start the ranks, and waits for its end. */
static void launch_ranks(crew *c, scree_check *check, const char *file)
{
    g_autoptr(GPtrArray) words = launch_command(check, c->first.ranks, file);
    g_autoptr(GError) error = NULL;
    GPid pid;
    int status = 0;
    if (!g_spawn_async(NULL, (char **)words->pdata, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                       NULL, NULL, &pid, &error)) {
        scree_check_fail(check, "--launcher: %s", error->message);
        return;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    judge_launched(c, check, status);
}

/** Makes the file of the seats, or (a rank) opens it. */
static bool open_seats(crew *c, const char *file, bool make)
{
    const int fd = open(file, (make ? O_CREAT | O_EXCL : 0) | O_RDWR | O_CLOEXEC, 0600);
    const off_t bytes = (off_t)(SEATS + c->first.ranks * sizeof(scree_check_seat));
    const bool good = fd >= 0 && (!make || ftruncate(fd, bytes) == 0) && map_seats(c, fd);
    if (fd >= 0)
        close(fd);
    return good;
}

/** In a process of a launcher: becomes a rank, if this is the call that started it. */
static void be_rank(crew *c, const char *as_rank)
{
    const char *number = strrchr(as_rank, ':');
    g_autofree char *file = g_strndup(as_rank, (gsize)(number - as_rank));
    g_autofree char *folder = g_path_get_dirname(file), *own = g_get_current_dir();
    if (strtoul(number + 1, NULL, 10) != n_launches || strcmp(folder, own) != 0)
        return; // it is another call, or one in a child process of the case
    if (!open_seats(c, file, false))
        _exit(1);
    work(c, 0); // its seat until it has joined
}

/** Starts the ranks and waits for their end. False: they could not be started. */
static bool start(crew *c, scree_check *check)
{
    if (!check->launcher && !check->as_rank && c->first.launched) {
        scree_check_skip(check,
                         "a launcher starts its processes: --launcher 'mpirun -n' says which");
        return false;
    }
    if (!c->first.launched && !map_seats(c, -1)) {
        scree_check_skip(check, "no shared memory for %u ranks: %s", c->first.ranks,
                         g_strerror(errno));
        return false;
    }
    if (!c->first.launched) {
        fork_ranks(c, check);
        return true;
    }
    count_launch();
    if (check->as_rank) {
        be_rank(c, check->as_rank);
        return map_seats(c, -1);
    }
    g_autofree char *folder = g_get_current_dir();
    g_autofree char *file = g_strdup_printf("%s/ranks-%u", folder, n_launches);
    if (!open_seats(c, file, true)) {
        scree_check_skip(check, "%s: %s", file, g_strerror(errno));
        return false;
    }
    launch_ranks(c, check, file);
    unlink(file);
    return true;
}

/** Sets the number of processes; `launched`: that of a launcher. False: the check has failed. */
static bool count(scree_check *check, scree_instance *instance, const scree_domain_ops *ops,
                  uint32_t launched, scree_check_rank *first)
{
    uint32_t n = UINT32_MAX;
    if (!SCREE_CHECK_CALL(check, instance, "processes", ops->processes(instance->self, &n)))
        return false;
    if (n > SCREE_DOMAIN_MAX_RANKS)
        scree_check_fail(check, "processes: expected 0 to %u, got %u", SCREE_DOMAIN_MAX_RANKS, n);
    first->launched = n == 0;
    first->ranks = n ? n : launched ? launched : 3;
    return !check->failed;
}

uint32_t scree_check_ranks(scree_check *check, scree_instance *instance, scree_check_crew *plan)
{
    const scree_domain_ops *ops = instance->ops;
    crew c = {.plan = plan,
              .first = {.check = check, .instance = instance, .ops = ops, .limit = plan->limit}};
    const bool counted = count(check, instance, ops, plan->launched, &c.first);
    const bool started = counted && c.first.ranks >= plan->least && start(&c, check);
    if (plan->owns)
        scree_check_instance_free(instance); // closes its ends of connections
    if (!started)
        return 0;
    for (uint32_t k = 0; k < c.n_started; k++)
        wait_for(&c, check, k);
    take_failure(&c, check);
    for (uint32_t turn = 0; turn < SCREE_CHECK_RANK_TURNS; turn++)
        for (uint32_t k = 0; k < c.first.ranks; k++)
            plan->bits[turn] = plan->bits[turn] * 1099511628211u + c.first.seats[k].bits[turn];
    munmap((void *)c.n_failed, c.bytes);
    g_free(c.pid);
    return check->failed || check->skipped ? 0 : c.first.ranks;
}
