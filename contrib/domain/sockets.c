/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain/sockets: ranks that are processes of one machine, with a pair of sockets for each two.
 *
 * Idea     create() makes all pairs of sockets; after the fork each rank keeps its own ends. A
 *          message is its length in 8 bytes, then its bytes. poll() waits until one can go on. The
 *          end of a process closes its sockets, which the others see at once.
 * Shows    draft/domain.h without shared memory, but for the text of abort().
 * Limits   One machine. P (P - 1) open files before the fork, so P is 16 at most.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <scree/draft/domain.h>
#include <scree/sdk.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define TURN 0.02 /* [s] */

enum { MOST_RANKS = 16, TEXT = 600, HEAD = 8, FLOWS = 2 };

typedef struct flow {
    uint64_t n, done; /* bytes, with the HEAD before them */
    unsigned char head[HEAD];
    unsigned char *bytes;
} flow;

typedef struct sockets_config {
    int64_t ranks;
} sockets_config;

typedef struct sockets {
    const scree_host *host;
    uint32_t rank, ranks;
    double limit;
    int fd[MOST_RANKS][MOST_RANKS]; /* [r][s]: the end of rank r towards s; -1: none */
    char *text;                     /* shared, [TEXT]; the first byte is written last */
    flow out[FLOWS][MOST_RANKS], in[FLOWS][MOST_RANKS];
    uint32_t reduction, n_values;
    int64_t *values, *own, *got; /* [n_values], and [ranks * n_values] */
    uint64_t own_capacity, got_capacity;
    int open; /* an exchange */
} sockets;

static void destroy(void *instance)
{
    sockets *self = (sockets *)instance;
    if (!self)
        return;
    for (int k = 0; k < MOST_RANKS * MOST_RANKS; k++)
        if (self->fd[k / MOST_RANKS][k % MOST_RANKS] >= 0)
            close(self->fd[k / MOST_RANKS][k % MOST_RANKS]);
    if (self->text)
        munmap(self->text, TEXT);
    free(self->own);
    free(self->got);
    free(self);
}

/* Makes the sockets of ranks r and s. */
static int connect_pair(sockets *self, uint32_t r, uint32_t s)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return 0;
    self->fd[r][s] = ends[0];
    self->fd[s][r] = ends[1];
    return 1;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    sockets *self = (sockets *)calloc(1, sizeof *self);
    int good;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->ranks = (uint32_t)((const sockets_config *)config)->ranks;
    for (int k = 0; k < MOST_RANKS * MOST_RANKS; k++)
        self->fd[k / MOST_RANKS][k % MOST_RANKS] = -1;
    void *text = mmap(NULL, TEXT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    good = text != MAP_FAILED;
    self->text = good ? (char *)text : NULL;
    for (uint32_t r = 0; r < self->ranks && good; r++)
        for (uint32_t s = r + 1; s < self->ranks && good; s++)
            good = connect_pair(self, r, s);
    if (!good) {
        const int error = errno;
        destroy(self);
        return scree_failf(host, SCREE_E_IO, "no sockets for the ranks: %s", strerror(error));
    }
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const sockets *self = (const sockets *)instance;
    return sizeof *self + 8 * (self->own_capacity + self->got_capacity);
}

static int32_t count_processes(void *instance, uint32_t *n)
{
    *n = ((const sockets *)instance)->ranks;
    return SCREE_OK;
}

/* ---- errors, of which the first one counts for all ranks ---- */

static int32_t abort_all(void *instance, const char *text)
{
    sockets *self = (sockets *)instance;
    char line[TEXT], none = 0;
    if (!__atomic_compare_exchange_n(&self->text[TEXT - 1], &none, 1, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
        return SCREE_OK;
    snprintf(line, sizeof line - 1, "rank %u: %.500s", self->rank, text);
    memcpy(self->text + 1, line + 1, TEXT - 2);
    __atomic_store_n(self->text, line[0], __ATOMIC_RELEASE);
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank)
            shutdown(self->fd[self->rank][r], SHUT_RDWR);
    return SCREE_OK;
}

static int32_t stop(sockets *self, const char *format, uint64_t a, uint64_t b, uint64_t c)
{
    char text[200];
    snprintf(text, sizeof text, format, (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)c);
    abort_all(self, text);
    for (int k = 0; k < 100 && !__atomic_load_n(self->text, __ATOMIC_ACQUIRE); k++)
        usleep(1000); /* another rank writes its text */
    return self->host->fail(self->host->ctx, SCREE_E_CANCELLED, self->text[0] ? self->text : text);
}

/* ---- bytes ---- */

static void open_flow(flow *f, const void *bytes, uint64_t n)
{
    f->n = HEAD + n;
    f->done = 0;
    f->bytes = (unsigned char *)(uintptr_t)bytes;
    memcpy(f->head, &n, HEAD);
}

static int is_open(const flow *f)
{
    return f->done < f->n;
}

/* The next bytes of a flow, of its head or behind it. */
static unsigned char *next_bytes(flow *f, uint64_t *n)
{
    *n = f->done < HEAD ? HEAD - f->done : f->n - f->done;
    return f->done < HEAD ? f->head + f->done : f->bytes + (f->done - HEAD);
}

/* Moves what can be moved without waiting, to or from another rank. */
static int32_t move_some(sockets *self, uint32_t other, int outward)
{
    const int fd = self->fd[self->rank][other];
    for (int k = 0; k < FLOWS; k++) {
        flow *f = outward ? &self->out[k][other] : &self->in[k][other];
        while (is_open(f)) {
            uint64_t n, want;
            unsigned char *at = next_bytes(f, &n);
            const ssize_t moved = outward ? send(fd, at, n, MSG_NOSIGNAL) : recv(fd, at, n, 0);
            if (moved < 0 && (errno == EAGAIN || errno == EINTR))
                return SCREE_OK;
            if (moved <= 0)
                return stop(self, "rank %llu has ended", other, 0, 0);
            want = f->n - HEAD;
            f->done += (uint64_t)moved;
            memcpy(&n, f->head, HEAD);
            if (!outward && f->done == HEAD && n != want)
                return stop(self, "expected %llu bytes from rank %llu, got %llu", want, other, n);
        }
    }
    return SCREE_OK;
}

/* Moves all open flows; waits for others. */
static int32_t carry(sockets *self, int limited)
{
    for (double waited = 0.0;;) { /* [s], of which a poll has TURN */
        struct pollfd list[MOST_RANKS];
        uint32_t of[MOST_RANKS];
        nfds_t n = 0;
        int32_t code = SCREE_OK;
        for (uint32_t r = 0; r < self->ranks; r++) {
            const int in = is_open(&self->in[0][r]) || is_open(&self->in[1][r]);
            const int out = is_open(&self->out[0][r]) || is_open(&self->out[1][r]);
            if (!in && !out)
                continue;
            of[n] = r;
            list[n++] = (struct pollfd){self->fd[self->rank][r],
                                        (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0)), 0};
        }
        if (!n)
            return SCREE_OK;
        const int ready = poll(list, n, 1000 * TURN);
        const nfds_t n_ready = ready > 0 ? n : 0;
        for (nfds_t k = 0; k < n_ready && code == SCREE_OK; k++) {
            if (list[k].revents & (POLLIN | POLLHUP))
                code = move_some(self, of[k], 0);
            if (list[k].revents & (POLLOUT | POLLERR) && code == SCREE_OK)
                code = move_some(self, of[k], 1);
        }
        if (code < 0)
            return code;
        if (ready > 0)
            waited = 0.0;
        else if (__atomic_load_n(self->text, __ATOMIC_ACQUIRE) ||
                 ((waited += TURN) > self->limit && limited))
            return stop(self, "rank %llu did not come within %llu ms", of[n - 1],
                        (uint64_t)(1e3 * self->limit), 0);
    }
}

/* ---- calls of the host ---- */

static int32_t join(void *instance, scree_domain_join *args)
{
    sockets *self = (sockets *)instance;
    self->rank = args->rank = args->process;
    args->ranks = self->ranks;
    self->limit = args->limit;
    for (uint32_t r = 0; r < self->ranks; r++)
        for (uint32_t s = 0; s < self->ranks && r != self->rank; s++)
            if (self->fd[r][s] >= 0) {
                close(self->fd[r][s]);
                self->fd[r][s] = -1;
            }
    for (uint32_t r = 0; r < self->ranks; r++)
        if (r != self->rank) {
            open_flow(&self->out[0][r], NULL, 0);
            open_flow(&self->in[0][r], NULL, 0);
        }
    return carry(self, 1);
}

static int32_t begin(void *instance, const scree_exchange *e)
{
    sockets *self = (sockets *)instance;
    const uint64_t n = e->n_values;
    if (self->open)
        return self->host->fail(self->host->ctx, SCREE_E_INTERNAL, "an exchange is open");
    if (!scree_grow(&self->own, &self->own_capacity, n, sizeof(int64_t)) ||
        !scree_grow(&self->got, &self->got_capacity, n * self->ranks, sizeof(int64_t)))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "out of memory");
    self->open = 1;
    self->reduction = e->reduction;
    self->n_values = e->n_values;
    self->values = e->values;
    for (uint32_t k = 0; k < e->n_messages; k++) {
        const scree_message *m = &e->messages[k];
        open_flow(&self->out[0][m->rank], m->out, m->n_out);
        open_flow(&self->in[0][m->rank], m->in, m->n_in);
    }
    if (n)
        memcpy(self->own, e->values, n * sizeof(int64_t));
    for (uint32_t r = 0; r < self->ranks; r++)
        if (n && r != self->rank) {
            open_flow(&self->out[1][r], self->own, n * sizeof(int64_t));
            open_flow(&self->in[1][r], self->got + r * n, n * sizeof(int64_t));
        }
    return SCREE_OK;
}

static int32_t test(void *instance, uint32_t *done)
{
    sockets *self = (sockets *)instance;
    *done = 1;
    for (uint32_t r = 0; r < self->ranks; r++) {
        int32_t code = r == self->rank ? SCREE_OK : move_some(self, r, 1);
        code = code < 0 || r == self->rank ? code : move_some(self, r, 0);
        if (code < 0)
            return code;
        for (int k = 0; k < FLOWS; k++)
            *done &= !is_open(&self->in[k][r]) && !is_open(&self->out[k][r]);
    }
    return SCREE_OK;
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
    sockets *self = (sockets *)instance;
    const uint64_t n = self->n_values;
    const int32_t code = carry(self, 1);
    self->open = 0;
    if (code < 0)
        return code;
    for (uint32_t r = 0; r < self->ranks; r++)
        for (uint64_t k = 0; k < n && r != self->rank; k++)
            self->values[k] = reduce(self->reduction, self->values[k], self->got[r * n + k]);
    return code;
}

static int32_t gather(void *instance, uint32_t root, const void *mine, const uint64_t *n, void *all)
{
    sockets *self = (sockets *)instance;
    const int takes = root == SCREE_DOMAIN_ALL || root == self->rank;
    unsigned char *at = (unsigned char *)all;
    for (uint32_t r = 0; r < self->ranks; r++) {
        if (r != self->rank && (root == SCREE_DOMAIN_ALL || root == r))
            open_flow(&self->out[0][r], mine, n[self->rank]);
        if (takes && r != self->rank)
            open_flow(&self->in[0][r], at, n[r]);
        else if (takes && at != mine && n[r])
            memcpy(at, mine, n[r]);
        at += takes ? n[r] : 0;
    }
    return carry(self, 1);
}

static int32_t broadcast(void *instance, uint32_t root, void *data, uint64_t n)
{
    sockets *self = (sockets *)instance;
    for (uint32_t r = 0; r < self->ranks && root == self->rank; r++)
        if (r != root)
            open_flow(&self->out[0][r], data, n);
    if (root != self->rank)
        open_flow(&self->in[0][root], data, n);
    return carry(self, 0);
}

SCREE_INT_PARAM(sockets_config, ranks, 0, 2, 1, MOST_RANKS, "number of ranks, each a process");
static const scree_param *const params[] = {&param_ranks};
static const scree_domain_ops ops = {.size = sizeof ops,
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
                                     .test = test};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_DRAFT_KIND_DOMAIN,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "sockets",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "ranks that are processes of this machine, with sockets between them",
    .config_size = sizeof(sockets_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
