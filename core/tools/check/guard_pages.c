/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays for a plugin under test: between guard pages, write-protected, filled with a tag. */
#include "tools/check/guard_pages.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/shortage.h"

/* A quiet NaN with the text "unwritt" in its lower bits. */
#define TAG 0x7ff8756e77726974u
#define MAX_ARRAYS 4096

#define SLACK 512u /* [bytes] of the pattern after an array without guards, in whole cache lines */

/** An array between two pages, ending with its last own page. Without guards it is on the heap. */
typedef struct array {
    char *pages, *start; /* pages NULL: on the heap */
    uint64_t n_bytes;    /* [bytes] of the pages between the guards */
    bool read_only;
    const char *name; /* of a struct; NULL: an array */
} array;

static array arrays[MAX_ARRAYS]; /* an array, not a hash table: a signal handler reads it */
static uint32_t n_arrays;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards both */
static uint64_t pattern = TAG;
static bool guards;

bool scree_check_is_guarding(void)
{
    return guards;
}

void scree_check_guards(bool on)
{
    guards = on;
}

void scree_check_pattern(uint64_t fill)
{
    pattern = fill;
}

double scree_check_tag(void)
{
    const uint64_t bits = TAG;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool scree_check_is_tag(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == TAG;
}

static uint64_t page_size(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static void fill(char *at, uint64_t bytes)
{
    for (uint64_t k = 0; k < bytes; k += sizeof pattern)
        memcpy(at + k, &pattern, sizeof pattern);
}

static array on_the_heap(uint64_t bytes)
{
    const uint64_t all = (bytes + SLACK + 63) / 64 * 64;
    void *start = NULL;
    if (posix_memalign(&start, 64, all))
        scree_out_of_memory(all, NULL);
    fill(start, all);
    return (array){NULL, start, bytes, false, NULL};
}

static array between_pages(uint64_t bytes)
{
    const uint64_t page = page_size(), inside = (bytes + page - 1) / page * page;
    const uint64_t all = inside + 2 * page, used = (bytes + 7) / 8 * 8;
    char *pages = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        scree_out_of_memory(all, NULL);
    fill(pages + page, inside);
    mprotect(pages, page, PROT_NONE);
    mprotect(pages + page + inside, page, PROT_NONE);
    return (array){pages, pages + page + inside - used, inside, false, NULL};
}

static void *keep(array made)
{
    pthread_mutex_lock(&mutex);
    g_assert(n_arrays < MAX_ARRAYS);
    arrays[n_arrays++] = made;
    pthread_mutex_unlock(&mutex);
    return made.start;
}

void *scree_check_guarded(uint64_t bytes)
{
    return keep(guards ? between_pages(bytes) : on_the_heap(bytes));
}

void *scree_check_guarded_struct(uint64_t bytes, const char *name)
{
    array made = between_pages(bytes);
    made.name = name;
    return keep(made);
}

static array *find_array(const void *start)
{
    for (uint32_t i = 0; i < n_arrays; i++)
        if (arrays[i].start == start)
            return &arrays[i];
    g_assert_not_reached();
}

void scree_check_guarded_free(void *start)
{
    if (!start)
        return;
    pthread_mutex_lock(&mutex);
    array *a = find_array(start);
    const array gone = *a;
    *a = arrays[--n_arrays];
    pthread_mutex_unlock(&mutex);
    if (gone.pages)
        munmap(gone.pages, gone.n_bytes + 2 * page_size());
    else
        free(gone.start);
}

void scree_check_protect(void *start, bool read_only)
{
    if (!guards)
        return;
    pthread_mutex_lock(&mutex);
    array *a = find_array(start);
    a->read_only = read_only;
    if (a->pages && a->n_bytes > 0)
        mprotect(a->pages + page_size(), a->n_bytes,
                 read_only ? PROT_READ : PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&mutex);
}

GPtrArray *scree_check_arena_new(void)
{
    return g_ptr_array_new_with_free_func(scree_check_guarded_free);
}

void *scree_check_arena_add(GPtrArray *arena, uint64_t n, size_t bytes)
{
    void *made = scree_check_guarded((n * bytes + 63) / 64 * 64);
    g_ptr_array_add(arena, made);
    return made;
}

void scree_check_arena_protect(const GPtrArray *arena, bool read_only)
{
    for (guint k = 0; k < arena->len; k++)
        scree_check_protect(arena->pdata[k], read_only);
}

/* Crashes. */

static struct sigaction next_action; /* action for SIGSEGV, set once */

static const char *describe(const char *address, const char **name)
{
    const uint64_t page = page_size();
    for (uint32_t i = 0; i < n_arrays; i++) {
        const array *a = &arrays[i];
        if (!a->pages || address < a->pages || address >= a->pages + a->n_bytes + 2 * page)
            continue;
        *name = a->name;
        if (a->name && address >= a->pages + page)
            return ": it went beyond the end that this struct has in the oldest host; SCREE_HAS or "
                   "SCREE_KNOWS asks for later members\n";
        if (address >= a->pages + page + a->n_bytes)
            return "it went beyond the end of an array that it was given\n";
        if (address < a->pages + page)
            return "it went before the start of an array that it was given\n";
        return a->read_only ? "it wrote to an input\n" : NULL;
    }
    return NULL;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    const char *name = NULL;
    const char *text = number == SIGSYS
                           ? "it sends a signal that stops a process, or one to scree check\n"
                           : describe(info->si_addr, &name);
    // A closed standard error cannot be helped.
    if (text && name && write(STDERR_FILENO, name, strlen(name)) < 0)
        text = NULL;
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0)
        text = NULL;
    if (number == SIGSYS || next_action.sa_handler == SIG_DFL || next_action.sa_handler == SIG_IGN)
        raise(number);
    else
        next_action.sa_handler(number);
}

void scree_check_explain_crashes(void)
{
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSYS, &action, NULL);
    sigaction(SIGSEGV, &action, &next_action);
}

/* Signals that would stop the check for ever are refused by the kernel. */

#define AT(member) (uint32_t) offsetof(struct seccomp_data, member)
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define WHERE(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)

bool scree_check_refuse_stops(pid_t other)
{
    enum { LENGTH = 13, ALLOW = LENGTH - 2, TRAP = LENGTH - 1 };
    struct sock_filter filter[LENGTH] = {[0] = LOAD(AT(nr)),
                                         [1] = WHERE(SYS_tgkill, 0, 2), // of raise()
                                         [2] = LOAD(AT(args[2])),
                                         [3] = BPF_STMT(BPF_JMP | BPF_JA, 9 - 4),
                                         [4] = WHERE(SYS_tkill, 8 - 5, 0),
                                         [5] = WHERE(SYS_kill, 0, ALLOW - 6),
                                         [6] = LOAD(AT(args[0])),
                                         [7] = WHERE(other, TRAP - 8, 0),
                                         [8] = LOAD(AT(args[1])),
                                         [9] = WHERE(SIGSTOP, TRAP - 10, 0),
                                         [10] = WHERE(SIGTSTP, TRAP - 11, 0),
                                         [ALLOW] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                         [TRAP] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)};
    const struct sock_fprog program = {LENGTH, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* Random numbers: SplitMix64 (Steele, Lea and Flood 2014). */

uint64_t scree_check_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint32_t scree_check_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(scree_check_bits(state) % n);
}

void scree_check_shuffle(uint64_t *state, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = scree_check_below(state, i), keep = order[i - 1];
        order[i - 1] = order[j];
        order[j] = keep;
    }
}

double scree_check_uniform(uint64_t *state, double a, double b)
{
    return a + (b - a) * ((double)(scree_check_bits(state) >> 11) * 0x1p-53);
}

void scree_check_random_turn(uint64_t *state, uint32_t dimension, double q[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = dimension == 2 && (k == 1 || k == 2) ? 0.0 : scree_check_uniform(state, -1.0, 1.0);
        sum += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(sum);
}
