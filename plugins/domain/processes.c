/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain/processes: ranks that are processes of one machine, with shared memory between them.
 *
 * Idea     Each ordered pair of ranks has a ring of bytes in memory that the processes share after
 *          the fork. All transfers are flows through these rings: a length in 8 bytes, then the
 *          bytes. A message larger than a ring goes through it in pieces, so that a rank moves
 *          what it sends and what it receives at the same time, and no order of calls blocks.
 *
 *              rank 0  --ring 0>1-->  rank 1      written: bytes ever written, by the sender
 *                      <--ring 1>0--              read: bytes ever read, by the receiver
 *
 * Steps    1. create() maps the memory: rings, seats, a text for the first error.
 *          2. join() takes the seat: a robust mutex, which the rank keeps until it ends. The
 *             kernel releases it if the process is killed, and so the others see that.
 *          3. begin() notes flows and moves what fits; test() and finish() move the rest. A
 *             reduction is a flow to and from each other rank, added up in the order of ranks.
 *          4. While nothing moves, a rank tests some hundred times, then yields, then sleeps up to
 *             a millisecond, and looks whether a rank has stopped the run, has ended, or is late.
 *             It yields for some milliseconds if each rank has a CPU, because a sleep of 50 us ends
 *             50 us late, more than a step of few bodies takes; else not, because other ranks
 *             need the CPU.
 * Cost     2 copies of each byte; P (P - 1) rings of 256 KiB, of which only used pages take memory.
 *          A reduction sends 8 (P - 1) n bytes from each rank: good for few ranks.
 * Limits   One machine. At most 64 ranks.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

#include "scree/draft/domain.h"
#include "scree/sdk.h"

#define TURN 0.1 /* [s] longest time between two looks that counts: it may have been stopped */

enum { MOST_RANKS = 64, RING = 1 << 18, TEXT = 600, LENGTH = 8, NO_RANK = -1 };

/** Bytes on the way from one rank to another. */
typedef struct ring {
    _Alignas(64) _Atomic uint64_t written;
    _Alignas(64) _Atomic uint64_t read;
    _Alignas(64) unsigned char bytes[RING];
} ring;

/** The place of a rank. */
typedef struct seat {
    pthread_mutex_t taken;   /* locked by the rank from join() to its end */
    _Atomic uint32_t joined; /* the mutex is locked, or was */
    _Atomic uint32_t waits;  /* the rank waits for others */
} seat;

/** Memory of all processes. */
typedef struct shared {
    _Atomic uint32_t claimed; /* a rank writes the text */
    _Atomic uint32_t stopped; /* the text is there */
    char text[TEXT];
    seat seats[MOST_RANKS];
    ring rings[]; /* from rank r to rank s: r * ranks + s */
} shared;

/** A length and its bytes, to or from a rank. */
typedef struct flow {
    uint64_t n, done; /* [bytes] */
    const unsigned char *out;
    unsigned char *in;
    bool open, headed; /* bytes are missing; the length has passed */
} flow;

typedef struct processes_config {
    int64_t ranks;
} processes_config;

typedef struct processes {
    const scree_host *host;
    shared *memory;
    uint64_t n_bytes; /* of the memory */
    uint32_t rank, ranks;
    uint32_t yields; /* turns without a move before the first sleep */
    bool joined, begun;
    double limit;
    /* By rank: messages, then values of a reduction, which follow them in the same ring. */
    flow out[2][MOST_RANKS], in[2][MOST_RANKS];
    uint32_t reduction, n_values;
    int64_t *values;
    int64_t *own, *heap; /* [n_values] sent; [ranks * n_values] received */
    uint64_t own_capacity, heap_capacity;
} processes;

static ring *ring_of(const processes *self, uint32_t from, uint32_t to)
{
    return &self->memory->rings[from * self->ranks + to];
}

/* ---- the first error, which all ranks report ---- */

/** Stops all ranks with a text, unless one has done so; answers with the text that counts. */
static int32_t stop(const processes *self, const char *text)
{
    shared *m = self->memory;
    uint32_t none = 0;
    if (atomic_compare_exchange_strong(&m->claimed, &none, 1)) {
        snprintf(m->text, sizeof m->text, "rank %u: %.500s", self->rank, text);
        atomic_store(&m->stopped, 1);
    }
    for (int k = 0; k < 1000 && !atomic_load(&m->stopped); k++)
        sched_yield(); // the rank that claimed it may have been killed
    return self->host->fail(self->host->ctx, SCREE_E_CANCELLED,
                            atomic_load(&m->stopped) ? m->text : text);
}

static int32_t stop_with(const processes *self, const char *format, uint64_t a, uint64_t b,
                         uint64_t c)
{
    char text[200];
    snprintf(text, sizeof text, format, a, b, c);
    return stop(self, text);
}

/* ---- flows ---- */

/** Writes as many of n bytes as the ring has room for. */
static uint64_t push(ring *r, const unsigned char *bytes, uint64_t n)
{
    const uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    const uint64_t room = RING - (at - atomic_load_explicit(&r->read, memory_order_acquire));
    const uint64_t most = n < room ? n : room, begin = at % RING;
    const uint64_t first = most < RING - begin ? most : RING - begin;
    if (!most)
        return 0;
    memcpy(r->bytes + begin, bytes, first);
    memcpy(r->bytes, bytes + first, most - first);
    atomic_store_explicit(&r->written, at + most, memory_order_release);
    return most;
}

/** Reads as many of n bytes as have arrived. */
static uint64_t pull(ring *r, unsigned char *bytes, uint64_t n)
{
    const uint64_t at = atomic_load_explicit(&r->read, memory_order_relaxed);
    const uint64_t there = atomic_load_explicit(&r->written, memory_order_acquire) - at;
    const uint64_t most = n < there ? n : there, begin = at % RING;
    const uint64_t first = most < RING - begin ? most : RING - begin;
    if (!most)
        return 0;
    memcpy(bytes, r->bytes + begin, first);
    memcpy(bytes + first, r->bytes, most - first);
    atomic_store_explicit(&r->read, at + most, memory_order_release);
    return most;
}

/** Sends what fits. Returns whether anything moved. */
static bool send_some(flow *f, ring *r)
{
    if (!f->headed) {
        const uint64_t used = atomic_load(&r->written) - atomic_load(&r->read);
        if (RING - used < LENGTH)
            return false;
        push(r, (const unsigned char *)&f->n, LENGTH);
        f->headed = true;
    }
    const uint64_t sent = f->n > f->done ? push(r, f->out + f->done, f->n - f->done) : 0;
    f->done += sent;
    f->open = f->done < f->n;
    return sent || !f->open;
}

/** Receives what has arrived; *moved: anything did. */
static int32_t receive_some(const processes *self, flow *f, uint32_t from, bool *moved)
{
    ring *r = ring_of(self, from, self->rank);
    if (!f->headed) {
        uint64_t n;
        if (atomic_load(&r->written) - atomic_load(&r->read) < LENGTH)
            return SCREE_OK;
        pull(r, (unsigned char *)&n, LENGTH);
        if (n != f->n)
            return stop_with(self, "expected %" PRIu64 " bytes from rank %" PRIu64 ", got %" PRIu64,
                             f->n, from, n);
        f->headed = *moved = true;
    }
    const uint64_t got = f->n > f->done ? pull(r, f->in + f->done, f->n - f->done) : 0;
    f->done += got;
    f->open = f->done < f->n;
    *moved = *moved || got;
    return SCREE_OK;
}

static void open_out(processes *self, int k, uint32_t to, const void *bytes, uint64_t n)
{
    self->out[k][to] = (flow){.n = n, .out = bytes, .open = true};
}

static void open_in(processes *self, int k, uint32_t from, void *bytes, uint64_t n)
{
    self->in[k][from] = (flow){.n = n, .in = bytes, .open = true};
}

/** Moves what can be moved without waiting. *moved: anything did; *awaited: a rank from which or to
 * which bytes are missing; NO_RANK: none are. */
static int32_t move_some(processes *self, bool *moved, int *awaited)
{
    *moved = false;
    *awaited = NO_RANK;
    for (uint32_t r = 0; r < self->ranks; r++) {
        for (int k = 0; k < 2; k++) { // a flow begins when the one before it is through
            flow *out = &self->out[k][r], *in = &self->in[k][r];
            if (out->open && !(k && self->out[0][r].open))
                *moved = send_some(out, ring_of(self, self->rank, r)) || *moved;
            if (in->open && !(k && self->in[0][r].open)) {
                const int32_t code = receive_some(self, in, r, moved);
                if (code < 0)
                    return code;
            }
            if (in->open || (out->open && *awaited == NO_RANK))
                *awaited = (int)r;
        }
    }
    return SCREE_OK;
}

/* ---- waiting ---- */

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Whether a rank that had joined has ended. */
static bool has_ended(const processes *self, uint32_t rank)
{
    seat *s = &self->memory->seats[rank];
    if (rank == self->rank || !atomic_load(&s->joined))
        return false;
    const int code = pthread_mutex_trylock(&s->taken);
    if (code == 0 || code == EOWNERDEAD)
        pthread_mutex_unlock(&s->taken);
    return code != EBUSY;
}

/** The rank that keeps others waiting: one that does not wait itself, if any. */
static uint32_t late_rank(const processes *self, uint32_t awaited)
{
    if (!atomic_load(&self->memory->seats[awaited].waits))
        return awaited;
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank && !atomic_load(&self->memory->seats[r].waits))
            return r;
    return awaited;
}

/** Returns how many turns without a move come before the first sleep. */
static uint32_t count_yields(uint32_t ranks)
{
    enum { SHARED = 400, OWN = 4000 };
    cpu_set_t cpus;
    const bool fit =
        sched_getaffinity(0, sizeof cpus, &cpus) == 0 && (uint32_t)CPU_COUNT(&cpus) >= ranks;
    return fit ? OWN : SHARED;
}

/** Pauses; `idle`: turns in which nothing moved. */
static void pause_for(const processes *self, uint64_t idle)
{
    enum { TESTS = 200, SHORTEST = 50000, LONGEST = 1000000 }; // [ns]
    if (idle < TESTS)
        return;
    if (idle < self->yields) {
        sched_yield();
        return;
    }
    const uint64_t ns = SHORTEST + 1000 * (idle - self->yields);
    const struct timespec t = {0, (long)(ns < LONGEST ? ns : LONGEST)};
    nanosleep(&t, NULL);
}

static bool is_open(const flow flows[2][MOST_RANKS], uint32_t rank)
{
    return flows[0][rank].open || flows[1][rank].open;
}

/** A rank that has ended, of those with open flows: one that is not awaited may have ended well. */
static int ended_rank(const processes *self)
{
    for (uint32_t r = 0; r < self->ranks; r++)
        if ((is_open(self->in, r) || is_open(self->out, r)) && has_ended(self, r))
            return (int)r;
    return NO_RANK;
}

/** Whether the wait must end: a rank has stopped the run, has ended, or is late. */
static int32_t look_around(const processes *self, int ended, uint32_t awaited, double waited)
{
    if (atomic_load(&self->memory->stopped))
        return stop(self, "");
    if (ended != NO_RANK)
        return stop_with(self, "rank %" PRIu64 " has ended", (uint64_t)ended, 0, 0);
    if (waited > self->limit)
        return stop_with(self, "rank %" PRIu64 " did not come within %" PRIu64 " ms",
                         late_rank(self, awaited), (uint64_t)(1e3 * self->limit), 0);
    return SCREE_OK;
}

/** Moves all open flows, and waits for others. */
static int32_t carry(processes *self, bool limited)
{
    enum { BEFORE_LOOK = 400 };
    _Atomic uint32_t *waits = &self->memory->seats[self->rank].waits;
    uint64_t idle = 0;
    double waited = 0.0, last = 0.0; // [s]
    int32_t code;
    for (;;) {
        bool moved;
        int awaited;
        code = move_some(self, &moved, &awaited);
        if (code < 0 || awaited == NO_RANK)
            break;
        idle = moved ? 0 : idle + 1;
        atomic_store_explicit(waits, !moved, memory_order_relaxed);
        if (idle > BEFORE_LOOK) {
            const double time = clock_now(), since = time - last;
            waited = idle == BEFORE_LOOK + 1 ? 0.0 : waited + (since < TURN ? since : TURN);
            last = time;
            const int ended = ended_rank(self);
            // Its bytes may have arrived just before.
            if (ended != NO_RANK && move_some(self, &moved, &awaited) == SCREE_OK && moved)
                continue;
            code = look_around(self, ended, (uint32_t)awaited, limited ? waited : 0.0);
            if (code < 0)
                break;
        }
        pause_for(self, idle);
    }
    atomic_store_explicit(waits, 0, memory_order_relaxed);
    return code;
}

/* ---- calls of the host ---- */

static int32_t make_seats(shared *memory, uint32_t ranks)
{
    pthread_mutexattr_t a;
    int code = pthread_mutexattr_init(&a);
    if (code == 0) {
        code = pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
        code = code ? code : pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
        for (uint32_t r = 0; r < ranks && code == 0; r++)
            code = pthread_mutex_init(&memory->seats[r].taken, &a);
        pthread_mutexattr_destroy(&a);
    }
    return code ? SCREE_E_UNSUPPORTED : SCREE_OK;
}

static void destroy(void *instance)
{
    processes *self = instance;
    if (!self)
        return;
    if (self->joined)
        pthread_mutex_unlock(&self->memory->seats[self->rank].taken);
    if (self->memory)
        munmap(self->memory, self->n_bytes);
    free(self->own);
    free(self->heap);
    free(self);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const uint32_t ranks = (uint32_t)((const processes_config *)config)->ranks;
    processes *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->ranks = ranks;
    self->yields = count_yields(ranks);
    self->n_bytes = sizeof(shared) + (uint64_t)ranks * ranks * sizeof(ring);
    void *memory = mmap(NULL, self->n_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
        self->memory = memory;
    if (!self->memory || make_seats(self->memory, ranks) < 0) {
        const int32_t code = scree_failf(
            host, SCREE_E_MEMORY,
            "no %" PRIu64 " bytes of shared memory, or no robust mutexes in it, for %u ranks",
            self->n_bytes, ranks);
        destroy(self);
        return code;
    }
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const processes *self = instance;
    return sizeof *self + self->own_capacity * sizeof(int64_t) +
           self->heap_capacity * sizeof(int64_t);
}

static int32_t count_processes(void *instance, uint32_t *n)
{
    *n = ((processes *)instance)->ranks;
    return SCREE_OK;
}

/** Waits until all ranks are there: a flow of no bytes to and from each. */
static int32_t meet(processes *self)
{
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank) {
            open_out(self, 0, r, NULL, 0);
            open_in(self, 0, r, NULL, 0);
        }
    return carry(self, true);
}

static int32_t join(void *instance, scree_domain_join *join)
{
    processes *self = instance;
    if (join->process >= self->ranks)
        return scree_failf(self->host, SCREE_E_INTERNAL, "process %u of %u", join->process,
                           self->ranks);
    seat *own = &self->memory->seats[join->process];
    self->rank = join->rank = join->process;
    join->ranks = self->ranks;
    self->limit = join->limit;
    if (pthread_mutex_trylock(&own->taken) != 0)
        return scree_failf(self->host, SCREE_E_INTERNAL, "rank %u has joined before", self->rank);
    self->joined = true;
    atomic_store(&own->joined, 1);
    return meet(self);
}

/** Opens the flows of a reduction; the values of this rank are copied. */
static int32_t open_values(processes *self, const scree_exchange *e)
{
    const uint64_t n = e->n_values;
    if (!scree_grow(&self->own, &self->own_capacity, n, sizeof(int64_t)) ||
        !scree_grow(&self->heap, &self->heap_capacity, n * self->ranks, sizeof(int64_t)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    memcpy(self->own, e->values, n * sizeof(int64_t));
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank) {
            open_out(self, 1, r, self->own, n * sizeof(int64_t));
            open_in(self, 1, r, self->heap + r * n, n * sizeof(int64_t));
        }
    return SCREE_OK;
}

static int32_t refuse_open(const processes *self)
{
    return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "an exchange is open");
}

static int32_t begin(void *instance, const scree_exchange *e)
{
    processes *self = instance;
    bool moved;
    int awaited;
    if (self->begun)
        return refuse_open(self);
    if (e->reduction > SCREE_REDUCE_OR)
        return scree_failf(self->host, SCREE_E_INTERNAL, "no reduction has number %u",
                           e->reduction);
    for (uint32_t k = 0; k < e->n_messages; k++) {
        const scree_message *m = &e->messages[k];
        if (m->rank >= self->ranks || m->rank == self->rank || self->out[0][m->rank].open)
            return scree_failf(self->host, SCREE_E_INTERNAL,
                               "message %u is to rank %u: the own one, a second one, or none", k,
                               m->rank);
        open_out(self, 0, m->rank, m->out, m->n_out);
        open_in(self, 0, m->rank, m->in, m->n_in);
    }
    self->begun = true;
    self->reduction = e->reduction;
    self->n_values = e->n_values;
    self->values = e->values;
    const int32_t code = e->n_values ? open_values(self, e) : SCREE_OK;
    return code < 0 ? code : move_some(self, &moved, &awaited);
}

static int32_t test(void *instance, uint32_t *done)
{
    processes *self = instance;
    bool moved;
    int awaited;
    const int32_t code = move_some(self, &moved, &awaited);
    *done = code == SCREE_OK && awaited == NO_RANK;
    return code;
}

static int64_t reduce(uint32_t reduction, int64_t a, int64_t b)
{
    if (reduction == SCREE_REDUCE_MAX)
        return a > b ? a : b;
    return (int64_t)(reduction == SCREE_REDUCE_OR ? (uint64_t)a | (uint64_t)b
                                                  : (uint64_t)a + (uint64_t)b);
}

static int32_t finish(void *instance)
{
    processes *self = instance;
    const uint64_t n = self->n_values;
    if (!self->begun)
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "no exchange is open");
    const int32_t code = carry(self, true);
    self->begun = false;
    if (code < 0)
        return code;
    for (uint32_t r = 0; r < self->ranks; r++)
        for (uint64_t k = 0; k < n && r != self->rank; k++)
            self->values[k] = reduce(self->reduction, self->values[k], self->heap[r * n + k]);
    return SCREE_OK;
}

static int32_t gather(void *instance, uint32_t root, const void *mine, const uint64_t *n, void *all)
{
    processes *self = instance;
    const bool takes = root == SCREE_DOMAIN_ALL || root == self->rank;
    unsigned char *at = all;
    if (self->begun)
        return refuse_open(self);
    for (uint32_t r = 0; r < self->ranks; r++) {
        if (r != self->rank && (root == SCREE_DOMAIN_ALL || root == r))
            open_out(self, 0, r, mine, n[self->rank]);
        if (takes && r != self->rank)
            open_in(self, 0, r, at, n[r]);
        else if (takes && at != mine && n[r])
            memcpy(at, mine, n[r]);
        at += takes ? n[r] : 0;
    }
    return carry(self, true);
}

static int32_t broadcast(void *instance, uint32_t root, void *data, uint64_t n)
{
    processes *self = instance;
    if (self->begun)
        return refuse_open(self);
    for (uint32_t r = 0; r < self->ranks && root == self->rank; r++)
        if (r != self->rank)
            open_out(self, 0, r, data, n);
    if (root != self->rank)
        open_in(self, 0, root, data, n);
    return carry(self, false);
}

static int32_t abort_all(void *instance, const char *text)
{
    const processes *self = instance;
    uint32_t none = 0;
    if (!atomic_compare_exchange_strong(&self->memory->claimed, &none, 1))
        return SCREE_OK;
    snprintf(self->memory->text, TEXT, "rank %u: %.500s", self->rank, text);
    atomic_store(&self->memory->stopped, 1);
    return SCREE_OK;
}

SCREE_INT_PARAM(processes_config, ranks, 0, 2, 1, MOST_RANKS, "number of ranks, each a process");
static const scree_param *const params[] = {&param_ranks};
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
    .id = "processes",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "ranks that are processes of this machine, with shared memory between them",
    .config_size = sizeof(processes_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
