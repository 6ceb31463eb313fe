/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain/mpi_openmpi, domain/mpi_mpich: ranks that a launcher of MPI has started, on any machines.
 *
 * Sources  MPI: A Message-Passing Interface Standard, version 3.1 (2015): 3.7 (communication that
 *          does not block), 3.8 (matched probes), 5.12 (reductions that do not block), 8.7 (start).
 * Idea     One source, built once for each MPI that is found: the calls are the same, the numbers
 *          behind them are not. All bytes go through flows, as in processes.c: a message is
 *          received when a probe has seen its length, so that another length than expected is an
 *          error with both numbers, not a truncated message. MPI counts bytes in 31 bits; a message
 *          of PIECE bytes or more is its length in 8 bytes, then pieces, one after the other.
 *          A reduction is MPI_Iallreduce of 64-bit integers, whose order reaches no bit.
 * Steps    1. join() looks at what the launcher says in the environment. A process without a
 *             launcher is refused, and MPI is not started.
 *          2. It starts MPI, compares its number of ranks with that of the launcher, and makes two
 *             communicators: for bytes, and for notices.
 *          3. A wait tests, then yields, then sleeps up to a millisecond, and never waits inside
 *             MPI, which would spin. Meanwhile it listens to notices: a rank has failed, with its
 *             text; a rank has left; a rank asks
 *             which of them wait.
 *          4. A wait that comes to its limit asks all ranks. One that waits, too, answers; the
 *             first one that does not is named.
 *          5. destroy() waits until all ranks have left, then ends MPI. The others wait for rank 0
 *             without a limit, because it may write for long. After an error destroy() does not
 *             end MPI: transfers are open. The process ends without that, which launchers take for
 *             a failure, and end all ranks. Rank 0 ends first: its status, its text and what it
 *             saves count.
 * Cost     No copy beyond those of MPI. A gather to all sends its bytes to each other rank; a
 *          broadcast goes along a binary tree. Two probes or tests for each open flow and turn.
 * Limits   MPI_Init has no limit of time: a rank that never calls it keeps the others waiting until
 *          the launcher ends them. A rank that is killed is noticed by the launcher, or by the
 *          limit. If several ranks fail at once, ranks may report different ones of their texts.
 *          A process can be a rank once.
 */
#include <math.h>
#include <time.h>

#include "mpi/rank.h"

#ifdef OPEN_MPI
#define LIBRARY "Open MPI"
#define OTHER "that of MPICH"
#else
#define LIBRARY "MPICH"
#define OTHER "that of Open MPI"
#endif

#define LINGER_FIRST 1.0 /* [s] rank 0 waits for the others to leave, after an error */

/* ---- start and end ---- */

/** The number of ranks that the launcher says; *variable: where. 0: no launcher started it. */
static uint32_t launched_ranks(const char **variable)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                            "SLURM_STEP_NUM_TASKS"};
    for (size_t k = 0; k < SCREE_COUNT(variables); k++) {
        const char *text = getenv(variables[k]);
        const unsigned long n = text ? strtoul(text, NULL, 10) : 0;
        *variable = variables[k];
        if (n > 0 && n <= SCREE_DOMAIN_MAX_RANKS)
            return (uint32_t)n;
    }
    return 0;
}

/** Starts MPI, which knows as many ranks as the launcher has started. */
static int32_t begin_mpi(mpi *self)
{
    const char *variable;
    const uint32_t ranks = launched_ranks(&variable);
    int used, rank = 0, n = 0, level = MPI_THREAD_FUNNELED;
    if (!ranks)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "no launcher has started this process: start the run by mpirun -n "
                                "P, or on a cluster by srun -n P; P: number of ranks. One process "
                                "goes on with --set 'domain={plugin=\"processes\"; ranks=1;}'");
    MPI_Initialized(&used);
    if (used)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "this process has been a rank before, and MPI starts once");
#ifdef OPEN_MPI // without its launcher it would start a daemon
    const bool starts = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK");
#else
    const bool starts = true;
#endif
    if (starts) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        MPI_Comm_size(MPI_COMM_WORLD, &n);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    if ((uint32_t)n == ranks && level >= MPI_THREAD_FUNNELED) {
        self->ranks = ranks;
        self->rank = (uint32_t)rank;
        return SCREE_OK;
    }
    if (starts)
        MPI_Finalize();
    return level < MPI_THREAD_FUNNELED
               ? self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                  "this build of " LIBRARY " serves no process with threads")
               : scree_failf(self->host, SCREE_E_UNSUPPORTED,
                             "the launcher says %u ranks (%s), " LIBRARY
                             " says %d: the launcher is probably " OTHER
                             ", or srun without its option --mpi",
                             ranks, variable, n);
}

/** Makes the communicators, and listens. */
static int open_ways(mpi *self)
{
    int code = MPI_Comm_dup(MPI_COMM_WORLD, &self->bytes);
    code = code ? code : MPI_Comm_dup(MPI_COMM_WORLD, &self->notices);
    code = code ? code : MPI_Comm_set_errhandler(self->bytes, MPI_ERRORS_RETURN);
    code = code ? code : MPI_Comm_set_errhandler(self->notices, MPI_ERRORS_RETURN);
    return code ? code
                : MPI_Irecv(&self->heard, (int)sizeof(notice), MPI_BYTE, MPI_ANY_SOURCE, 0,
                            self->notices, &self->listening);
}

/** Waits, `most` [s] at most, until a number of ranks have left; 1 and `first`: rank 0 has. */
static void wait_for_ends(mpi *self, bool first, bool past_failure, double most)
{
    idling w = {.idle = 0};
    for (uint32_t n = 0; w.waited <= most; rank_pause(w.idle)) {
        const uint32_t before = n;
        if ((!self->stuck && rank_take_notices(self) != MPI_SUCCESS) ||
            (self->failed && !past_failure))
            return;
        n = 0;
        for (uint32_t r = 0; r < self->ranks; r++)
            n += self->left[r];
        if (first ? self->left[0] : n == self->ranks)
            return;
        rank_count_turn(&w, n > before);
    }
    self->failed = true; // a rank does not leave
}

/** After an error: rank 0 ends first. It may save a state before it leaves. */
static void linger(mpi *self)
{
    const struct timespec more = {2, 0};
    wait_for_ends(self, self->rank != 0, true, self->rank ? self->limit : LINGER_FIRST);
    if (self->rank)
        nanosleep(&more, NULL);
}

static void end_mpi(mpi *self)
{
    self->left[self->rank] = true;
    if (!self->stuck)
        rank_notify_all(self, LEFT);
    if (!self->failed && self->rank)
        wait_for_ends(self, true, false, (double)INFINITY); // it may write a large state
    if (!self->failed)
        wait_for_ends(self, false, false, self->limit);
    if (self->failed) {
        linger(self);
        return; // MPI is left as it is
    }
    MPI_Cancel(&self->listening);
    MPI_Wait(&self->listening, MPI_STATUS_IGNORE);
    MPI_Comm_free(&self->notices);
    MPI_Comm_free(&self->bytes);
    MPI_Finalize();
}

/* ---- calls of the host ---- */

static void destroy(void *instance)
{
    mpi *self = instance;
    if (!self)
        return;
    if (self->listening != MPI_REQUEST_NULL)
        end_mpi(self);
    if (self->failed && self->listening != MPI_REQUEST_NULL)
        return; // MPI may still write what it was given
    free(self->out);
    free(self->in);
    free(self->left);
    free(self->here);
    free(self->own);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    mpi *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->notices = self->bytes = MPI_COMM_NULL;
    self->reduction = self->listening = MPI_REQUEST_NULL;
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const mpi *self = instance;
    return sizeof *self + self->own_capacity * sizeof(int64_t) +
           self->ranks * 2 * (sizeof(flow) + sizeof(bool));
}

static int32_t count_processes(void *instance, uint32_t *n)
{
    (void)instance;
    *n = 0;
    return SCREE_OK;
}

static int32_t make_arrays(mpi *self)
{
    self->out = calloc(self->ranks, sizeof *self->out);
    self->in = calloc(self->ranks, sizeof *self->in);
    self->left = calloc(self->ranks, sizeof *self->left);
    self->here = calloc(self->ranks, sizeof *self->here);
    return self->out && self->in && self->left && self->here
               ? SCREE_OK
               : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
}

/** Starts a reduction. */
static int32_t reduce(mpi *self, uint32_t reduction, int64_t *values, uint32_t n)
{
    static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BOR};
    const MPI_Datatype type = reduction == SCREE_REDUCE_MAX ? MPI_INT64_T : MPI_UINT64_T;
    if (!scree_grow(&self->own, &self->own_capacity, n, sizeof(int64_t)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    memcpy(self->own, values, n * sizeof(int64_t));
    self->values = values;
    self->n_values = n;
    const int code = MPI_Iallreduce(MPI_IN_PLACE, self->own, (int)n, type, ops[reduction],
                                    self->bytes, &self->reduction);
    return code == MPI_SUCCESS ? SCREE_OK : rank_stop_by(self, code);
}

static int32_t join(void *instance, scree_domain_join *join)
{
    mpi *self = instance;
    int64_t met = 1;
    int32_t code = begin_mpi(self);
    code = code < 0 ? code : make_arrays(self);
    if (code < 0)
        return code;
    const int opened = open_ways(self);
    if (opened != MPI_SUCCESS)
        return rank_stop_by(self, opened);
    self->limit = join->limit;
    join->rank = self->rank;
    join->ranks = self->ranks;
    code = reduce(self, SCREE_REDUCE_SUM, &met, 1); // all are there
    return code < 0 ? code : rank_carry(self, true);
}

static int32_t refuse_open(const mpi *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "an exchange is open");
}

static int32_t begin(void *instance, const scree_exchange *e)
{
    mpi *self = instance;
    bool moved, open;
    int awaited;
    if (self->begun)
        return refuse_open(self);
    if (e->reduction > SCREE_REDUCE_OR || e->n_values > INT32_MAX)
        return scree_failf(self->host, SCREE_E_INTERNAL, "reduction %u of %u values", e->reduction,
                           e->n_values);
    for (uint32_t k = 0; k < e->n_messages; k++) {
        const scree_message *m = &e->messages[k];
        if (m->rank >= self->ranks || m->rank == self->rank || self->out[m->rank].open)
            return scree_failf(self->host, SCREE_E_INTERNAL,
                               "message %u is to rank %u: the own one, a second one, or none", k,
                               m->rank);
        rank_open_out(self, m->rank, m->out, m->n_out);
        rank_open_in(self, m->rank, m->in, m->n_in);
    }
    self->begun = true;
    self->n_values = 0;
    int32_t code = e->n_values ? reduce(self, e->reduction, e->values, e->n_values) : SCREE_OK;
    code = code < 0 ? code : rank_move_some(self, &moved, &open, &awaited);
    if (code < 0)
        rank_settle(self);
    return code;
}

static int32_t test(void *instance, uint32_t *done)
{
    mpi *self = instance;
    bool moved, open;
    int awaited;
    const int32_t code = rank_move_some(self, &moved, &open, &awaited);
    *done = code == SCREE_OK && !open;
    if (code < 0)
        rank_settle(self);
    return code;
}

static int32_t finish(void *instance)
{
    mpi *self = instance;
    if (!self->begun)
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "no exchange is open");
    self->begun = false;
    const int32_t code = rank_carry(self, true);
    if (code == SCREE_OK && self->n_values)
        memcpy(self->values, self->own, self->n_values * sizeof(int64_t));
    return code;
}

static int32_t gather(void *instance, uint32_t root, const void *mine, const uint64_t *n, void *all)
{
    mpi *self = instance;
    const bool takes = root == SCREE_DOMAIN_ALL || root == self->rank;
    unsigned char *at = all;
    if (self->begun)
        return refuse_open(self);
    for (uint32_t r = 0; r < self->ranks; r++) {
        if (r != self->rank && (root == SCREE_DOMAIN_ALL || root == r))
            rank_open_out(self, r, mine, n[self->rank]);
        if (takes && r != self->rank)
            rank_open_in(self, r, at, n[r]);
        else if (takes && at != mine && n[r])
            memcpy(at, mine, n[r]);
        at += takes ? n[r] : 0;
    }
    return rank_carry(self, true);
}

/** Bytes come from the rank whose number, counted from the root, lacks the lowest bit of this
 * one. */
static int32_t broadcast(void *instance, uint32_t root, void *data, uint64_t n)
{
    mpi *self = instance;
    const uint64_t ranks = self->ranks, own = (self->rank + ranks - root) % ranks;
    if (self->begun)
        return refuse_open(self);
    if (own)
        rank_open_in(self, (uint32_t)(((own & (own - 1)) + root) % ranks), data, n);
    const int32_t code = rank_carry(self, false);
    if (code < 0)
        return code;
    for (uint64_t bit = 1; !(own & bit) && own + bit < ranks; bit *= 2)
        rank_open_out(self, (uint32_t)((own + bit + root) % ranks), data, n);
    return rank_carry(self, false);
}

static int32_t abort_all(void *instance, const char *text)
{
    rank_abort(instance, text);
    return SCREE_OK;
}

static const scree_domain_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .processes = count_processes,
    .join = join,
    .begin = begin,
    .finish = finish,
    .gather = gather,
    .broadcast = broadcast,
    .abort = abort_all,
    .test = test,
};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_DRAFT_KIND_DOMAIN,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = ID,
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help =
        "ranks that a launcher has started, on one machine or many, with " LIBRARY " between them",
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
