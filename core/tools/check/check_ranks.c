/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a domain under test: a child process each. */
#include "tools/check/check_ranks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    pid_t *pid;                 /* [ranks] */
} crew;

bool scree_check_rank_exchange(scree_check_rank *r, const scree_exchange *exchange)
{
    return SCREE_CHECK_CALL(r->check, r->instance, "begin",
                            r->ops->begin(r->instance->self, exchange)) &&
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

/** The life of a rank. It does not return. */
static void work(crew *c, uint32_t process)
{
    scree_check_rank r = c->first;
    scree_check_seat *seat = &r.seats[process];
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (parent != getppid())
        _exit(1);
    r.process = process;
    if (join(&r))
        c->plan->fn(&r);
    if (scree_call_fault())
        scree_check_fail(r.check, "%s", scree_call_fault());
    if (r.check->failed) {
        g_strlcpy(seat->text, r.check->text->str, sizeof seat->text);
        seat->refused = r.check->refused;
        atomic_store(&seat->failed, 1 + atomic_fetch_add(c->n_failed, 1));
        scree_call call = scree_call_begin(r.instance, SCREE_CALL_STEP, "abort");
        r.ops->abort(r.instance->self, "another rank has failed");
        scree_call_done(&call);
    }
    scree_call call = scree_call_begin(r.instance, SCREE_CALL_CONFIG, "destroy");
    r.ops->destroy(r.instance->self);
    scree_call_done(&call);
    atomic_store(&seat->done, 1);
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

/** Maps the shared memory and forks. */
static bool start(crew *c, scree_check *check)
{
    const uint32_t n = c->first.ranks;
    c->bytes = 64 + n * sizeof(scree_check_seat);
    void *memory = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        scree_check_skip(check, "no shared memory for %u ranks: %s", n, g_strerror(errno));
        return false;
    }
    c->n_failed = memory;
    c->first.seats = (scree_check_seat *)((char *)memory + 64);
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
    return true;
}

/** The processes that the domain asks for; 0: the check has failed or is skipped. */
static uint32_t count(scree_check *check, scree_instance *instance, const scree_domain_ops *ops)
{
    uint32_t n = UINT32_MAX;
    if (!SCREE_CHECK_CALL(check, instance, "processes", ops->processes(instance->self, &n)))
        return 0;
    if (n == 0)
        scree_check_skip(check, "a launcher starts its processes");
    else if (n > SCREE_DOMAIN_MAX_RANKS)
        scree_check_fail(check, "processes: expected 0 to %u, got %u", SCREE_DOMAIN_MAX_RANKS, n);
    return check->failed ? 0 : n;
}

uint32_t scree_check_ranks(scree_check *check, scree_instance *instance, scree_check_crew *plan)
{
    const scree_domain_ops *ops = instance->ops;
    const uint32_t n = count(check, instance, ops);
    crew c = {
        .plan = plan,
        .first = {
            .check = check, .instance = instance, .ops = ops, .ranks = n, .limit = plan->limit}};
    const bool started = n && n >= plan->least && start(&c, check);
    if (plan->owns)
        scree_check_instance_free(instance);
    if (!started)
        return 0;
    for (uint32_t k = 0; k < c.n_started; k++)
        wait_for(&c, check, k);
    take_failure(&c, check);
    for (uint32_t turn = 0; turn < SCREE_CHECK_RANK_TURNS; turn++)
        for (uint32_t k = 0; k < n; k++)
            plan->bits[turn] = plan->bits[turn] * 1099511628211u + c.first.seats[k].bits[turn];
    munmap((void *)c.n_failed, c.bytes);
    g_free(c.pid);
    return check->failed || check->skipped ? 0 : n;
}
