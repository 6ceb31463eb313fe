/* SPDX-License-Identifier: Apache-2.0 */
/* A sound domain, domain/processes itself, once per promise that it breaks: calls pass through
 * here. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "scree/draft/domain.h"
#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(SAME, "same") /* two ranks have one number */                                              \
    SIN(FEWER, "fewer")                                                                            \
    SIN(LOSES, "loses")     /* the last byte of long messages */                                   \
    SIN(CROSSES, "crosses") /* a byte of the message before */                                     \
    SIN(STALE, "stale")     /* messages begin as the last ones of the same length */               \
    SIN(ABSENT, "absent")   /* they are 0 */                                                       \
    SIN(EAGER, "eager")     /* begin() waits */                                                    \
    SIN(EARLY, "early")     /* test() says that all has come */                                    \
    SIN(NEVER, "never")     /* test() says that it has not */                                      \
    SIN(LOITERS, "loiters") /* test() waits */                                                     \
    SIN(UNSIGNED, "unsigned")                                                                      \
    SIN(ROUNDS, "rounds") /* adds doubles */                                                       \
    SIN(BRIEF, "brief")   /* reduces 64 values */                                                  \
    SIN(BACKWARDS, "backwards")                                                                    \
    SIN(OLD, "old")       /* the first bytes of other ranks are those of the gather before */      \
    SIN(BLANK, "blank")   /* they are 0 */                                                         \
    SIN(ROOTED, "rooted") /* what is for all comes to rank 0 */                                    \
    SIN(FIRST, "first")   /* each broadcast is one of rank 0 */                                    \
    SIN(LENIENT, "lenient")                                                                        \
    SIN(DEAF, "deaf")         /* abort() does nothing */                                           \
    SIN(NAMELESS, "nameless") /* errors without a number */                                        \
    SIN(PATIENT, "patient")   /* waits for those that have left */                                 \
    SIN(TRUSTFUL, "trustful") /* waits for those that were killed */                               \
    SIN(ENDLESS, "endless")                                                                        \
    SIN(HASTY, "hasty")                                                                            \
    SIN(IMPATIENT, "impatient") /* a broadcast has a limit */                                      \
    SIN(SPINS, "spins")
enum sin { SINS(UNSOUND_NAME) };

enum { MOST = 64, HEAD = 256, MUCH = 1 << 14 };

/** One plugin is checked in a process, and one instance at a time has ranks. */
static struct {
    enum sin sin;
    int joined;
    scree_host host; // with another fail()
    const scree_host *real;
    scree_message messages[MOST];
    uint32_t n_messages;
    unsigned char before[MOST];     // first byte of the last message
    unsigned char head[MOST][HEAD]; // first bytes of the last gather
    unsigned char much[MOST][MUCH]; // and of the last messages
    uint64_t length[MOST];          // [bytes] of these
} now;

static int unsound_trylock(pthread_mutex_t *mutex)
{
    const int code = pthread_mutex_trylock(mutex);
    if (!now.joined || (now.sin != PATIENT && now.sin != TRUSTFUL))
        return code;
    if (code == 0 && now.sin == TRUSTFUL)
        return code;
    if (code == 0 || code == EOWNERDEAD)
        pthread_mutex_unlock(mutex);
    return EBUSY;
}

static int unsound_nanosleep(const struct timespec *time, struct timespec *left)
{
    return now.sin == SPINS ? 0 : nanosleep(time, left);
}

/* With the variables UNSOUND_RANK and UNSOUND_MEMORY, a file, the ranks are processes that another
 * program has started: rank 0 makes the memory, and the file gets its name when it is ready. */
static const char *launched(void)
{
    return getenv("UNSOUND_RANK");
}

static void *unsound_mmap(void *at, size_t n, int access, int flags, int fd, off_t offset)
{
    const char *path = getenv("UNSOUND_MEMORY");
    char begun[4096];
    if (!launched())
        return mmap(at, n, access, flags, fd, offset);
    const int first = atoi(launched()) == 0;
    snprintf(begun, sizeof begun, "%s.begun", path);
    fd = first ? open(begun, O_CREAT | O_RDWR, 0600) : open(path, O_RDWR);
    for (int k = first ? 60000 : 0; k < 60000 && fd < 0; k++) {
        usleep(1000);
        fd = open(path, O_RDWR);
    }
    if (fd < 0 || (first && ftruncate(fd, (off_t)n) != 0))
        return MAP_FAILED;
    void *memory = mmap(at, n, access, MAP_SHARED, fd, 0);
    close(fd);
    return memory;
}

static int unsound_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *kind)
{
    return launched() && atoi(launched()) ? 0 : pthread_mutex_init(mutex, kind);
}

static int32_t offer_memory(const scree_host *host)
{
    const char *path = getenv("UNSOUND_MEMORY");
    char begun[4096];
    snprintf(begun, sizeof begun, "%s.begun", path);
    return launched() && atoi(launched()) == 0 && rename(begun, path) != 0
               ? host->fail(host->ctx, SCREE_E_IO, "no memory for the ranks")
               : SCREE_OK;
}

#pragma push_macro("SCREE_DEFINE_MANIFEST")
#undef SCREE_DEFINE_MANIFEST
#define SCREE_DEFINE_MANIFEST(...) typedef int no_manifest
#define pthread_mutex_trylock unsound_trylock
#define nanosleep unsound_nanosleep
#define pthread_mutex_init unsound_mutex_init
#define mmap unsound_mmap
#include SOUND_DOMAIN
#undef pthread_mutex_trylock
#undef nanosleep
#undef pthread_mutex_init
#undef mmap
#pragma pop_macro("SCREE_DEFINE_MANIFEST")

static int32_t vague(void *ctx, int32_t code, const char *text)
{
    return now.real->fail(ctx, code, now.sin == NAMELESS ? "something is wrong" : text);
}

static int32_t sinful_create(enum sin sin, const scree_host *host, const void *given,
                             void **instance)
{
    (void)&plugin;
    now.sin = sin;
    now.real = host;
    now.host = *host;
    now.host.fail = vague;
    const int32_t code = create(&now.host, given, instance);
    return code < 0 ? code : offer_memory(host);
}

static int32_t sinful_processes(void *instance, uint32_t *n)
{
    const int32_t code = count_processes(instance, n);
    *n = launched() ? 0 : *n;
    return code;
}

static int32_t sinful_join(void *instance, scree_domain_join *args)
{
    scree_domain_join own = *args;
    own.process = launched() ? (uint32_t)atoi(launched()) : own.process;
    if (now.sin == ENDLESS)
        own.limit = 60.0;
    if (now.sin == HASTY)
        own.limit = 0.25 * args->limit;
    if (now.sin == PATIENT || now.sin == TRUSTFUL)
        own.limit = args->limit < 5.0 ? args->limit : 5.0;
    if (getenv("UNSOUND_DIES") && own.process == 1)
        syscall(SYS_kill, getpid(), SIGKILL); // `raise` is refused by the case `symbols`
    const int32_t code = join(instance, &own);
    now.joined = 1;
    if (getenv("UNSOUND_LATE")) { // the set-up of rank 1 takes longer than a wait in a step may
        ((processes *)instance)->limit = 2.0;
        sleep(own.rank == 1 ? 4 : 0);
    }
    args->rank = now.sin == SAME && own.rank == 1 ? 0 : own.rank;
    args->ranks = own.ranks - (now.sin == FEWER && own.ranks > 1);
    return code;
}

/** The code of a call; LENIENT takes a message of another length. begin() finds it if the message
 * has come. */
static int32_t forgive(const processes *self, int32_t code)
{
    return now.sin == LENIENT && code < 0 && strstr(self->memory->text, "expected") ? SCREE_OK
                                                                                    : code;
}

static int32_t sinful_begin(void *instance, const scree_exchange *e)
{
    const int32_t code = forgive(instance, begin(instance, e));
    now.n_messages = e->n_messages;
    if (e->n_messages)
        memcpy(now.messages, e->messages, e->n_messages * sizeof *e->messages);
    return code < 0 || now.sin != EAGER ? code : carry(instance, true);
}

static int32_t sinful_test(void *instance, uint32_t *done)
{
    const int32_t code =
        now.sin == LOITERS ? carry(instance, true) : forgive(instance, test(instance, done));
    if (now.sin == EARLY || now.sin == LOITERS)
        *done = 1;
    if (now.sin == NEVER)
        *done = 0;
    return code;
}

/* The values of a reduction again, with a fault. */
static void reduce_again(const processes *self)
{
    const uint64_t n = self->n_values;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t largest = (uint64_t)self->own[k];
        double sum = (double)self->own[k];
        for (uint32_t r = 0; r < self->ranks; r++) {
            if (r == self->rank)
                continue;
            const int64_t v = self->heap[r * n + k];
            largest = (uint64_t)v > largest ? (uint64_t)v : largest;
            sum += (double)v;
        }
        if (now.sin == UNSIGNED && self->reduction == SCREE_REDUCE_MAX)
            self->values[k] = (int64_t)largest;
        if (now.sin == ROUNDS && self->reduction == SCREE_REDUCE_SUM && fabs(sum) < 9e18)
            self->values[k] = (int64_t)sum;
        if (now.sin == BRIEF && k >= 64)
            self->values[k] = self->own[k];
    }
}

static int32_t sinful_finish(void *instance)
{
    const processes *self = instance;
    const int32_t code = finish(instance);
    if (code < 0)
        return forgive(self, code);
    for (uint32_t k = 0; k < now.n_messages; k++) {
        const scree_message *m = &now.messages[k];
        unsigned char *in = m->in, kept[MUCH];
        const uint64_t some = m->n_in < MUCH ? m->n_in : MUCH;
        if (some && (now.sin == STALE || now.sin == ABSENT)) {
            memcpy(kept, in, some);
            if (now.sin == ABSENT || !now.length[m->rank] || now.length[m->rank] == m->n_in)
                memcpy(in, now.much[m->rank], some);
            if (now.sin == STALE)
                memcpy(now.much[m->rank], kept, some);
            now.length[m->rank] = m->n_in;
        }
        if (now.sin == LOSES && m->n_in > 65536)
            in[m->n_in - 1] ^= 1;
        if (now.sin == CROSSES && m->n_in) {
            const unsigned char first = in[0];
            in[0] = now.before[m->rank];
            now.before[m->rank] = first;
        }
    }
    reduce_again(self);
    return code;
}

static int32_t sinful_gather(void *instance, uint32_t root, const void *mine, const uint64_t *n,
                             void *all)
{
    const processes *self = instance;
    unsigned char *at = all;
    uint64_t sum = 0;
    const int32_t code =
        gather(instance, now.sin == ROOTED && root == SCREE_DOMAIN_ALL ? 0 : root, mine, n, all);
    for (uint32_t r = 0; r < self->ranks; r++) {
        unsigned char kept[HEAD];
        const uint64_t some = n[r] < HEAD ? n[r] : HEAD;
        if (at && r != self->rank && (now.sin == OLD || now.sin == BLANK)) {
            memcpy(kept, at + sum, some);
            memcpy(at + sum, now.head[r], some);
            if (now.sin == OLD)
                memcpy(now.head[r], kept, some);
        }
        sum += n[r];
    }
    const uint64_t n_turned = now.sin == BACKWARDS && code == SCREE_OK && at ? sum / 2 : 0;
    for (uint64_t k = 0; k < n_turned; k++) {
        const unsigned char kept = at[k];
        at[k] = at[sum - 1 - k];
        at[sum - 1 - k] = kept;
    }
    return code;
}

static int32_t sinful_broadcast(void *instance, uint32_t root, void *data, uint64_t n)
{
    processes *self = instance;
    if (now.sin != IMPATIENT || root == self->rank)
        return broadcast(instance, now.sin == FIRST ? 0 : root, data, n);
    open_in(self, 0, root, data, n);
    return carry(self, true);
}

static int32_t sinful_abort_all(void *instance, const char *text)
{
    return now.sin == DEAF ? SCREE_OK : abort_all(instance, text);
}

#define CREATE_SINFUL(NAME, ID)                                                                    \
    static int32_t create_##NAME(const scree_host *host, const void *given, void **instance)       \
    {                                                                                              \
        return sinful_create(NAME, host, given, instance);                                         \
    }
#define VTABLE(NAME, ID)                                                                           \
    {.size = sizeof(scree_domain_ops),                                                             \
     .create = create_##NAME,                                                                      \
     .destroy = destroy,                                                                           \
     .bytes = bytes,                                                                               \
     .processes = sinful_processes,                                                                \
     .join = sinful_join,                                                                          \
     .begin = sinful_begin,                                                                        \
     .finish = sinful_finish,                                                                      \
     .gather = sinful_gather,                                                                      \
     .broadcast = sinful_broadcast,                                                                \
     .abort = sinful_abort_all,                                                                    \
     .test = sinful_test},
#define DESCRIPTOR(NAME, ID)                                                                       \
    {.size = sizeof(scree_plugin),                                                                 \
     .kind = SCREE_DRAFT_KIND_DOMAIN,                                                              \
     .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,                                          \
     .id = ID,                                                                                     \
     .version = "1.0.0",                                                                           \
     .licence = "Apache-2.0",                                                                      \
     .help = "a domain that breaks one promise",                                                   \
     .config_size = sizeof(processes_config),                                                      \
     .n_params = SCREE_COUNT(params),                                                              \
     .params = params,                                                                             \
     .ops = &sinful_ops[NAME]},
SINS(CREATE_SINFUL)
static const scree_domain_ops sinful_ops[] = {SINS(VTABLE)};
static const scree_plugin unsound[] = {SINS(DESCRIPTOR)};
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
