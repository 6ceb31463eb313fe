/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays for a plugin under test: between guard pages, write-protected, filled with a tag. */
#include "tools/check/guard_pages.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    const char *name = NULL, *text = describe(info->si_addr, &name);
    // A closed standard error cannot be helped.
    if (text && name && write(STDERR_FILENO, name, strlen(name)) < 0)
        text = NULL;
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0)
        text = NULL;
    if (next_action.sa_handler == SIG_DFL || next_action.sa_handler == SIG_IGN)
        raise(number);
    else
        next_action.sa_handler(number);
}

void scree_check_explain_crashes(void)
{
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &next_action);
}

/* Random numbers: SplitMix64 (Steele, Lea and Flood 2014). */

uint64_t scree_check_bits(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double scree_check_uniform(uint64_t *state, double a, double b)
{
    return a + (b - a) * ((double)(scree_check_bits(state) >> 11) * 0x1p-53);
}
