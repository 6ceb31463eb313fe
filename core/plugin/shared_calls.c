/* SPDX-License-Identifier: Apache-2.0 */
/* Calls into plugins that are under way, in memory shared by a program and its children.
 *
 * Idea: each thread that calls plugins has a place with pointers only. Names of functions are
 *     constants of the program, at one address in all its processes; other texts are in the shared memory. So a
 *     call costs a few stores, and another process can name it.
 */
#include "plugin/shared_calls.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static scree_shared unshared; // memory of a program without children that count
scree_shared *scree_shared_now = &unshared;
static scree_guard_place no_place; // place of threads beyond SCREE_SHARED_PLACES
_Thread_local scree_guard_place *scree_guard_place_taken;

/* ---- places ---- */

/** Called in a child after fork, which has no place yet. */
static void forget_places(void)
{
    const pid_t self = getpid();
    scree_guard_place_taken = NULL;
    for (size_t i = 0; i < SCREE_SHARED_PLACES; i++)
        if (scree_shared_now->places[i].process ==
            self) // left by an earlier process with this number
            scree_shared_now->places[i].process = 0;
}

static void look_after_forks(void)
{
    pthread_atfork(NULL, NULL, forget_places);
}

/** Takes a free place, or that of a process that has ended. */
static scree_guard_place *find_place(bool of_dead)
{
    const pid_t self = getpid();
    for (size_t i = 0; i < SCREE_SHARED_PLACES; i++) {
        scree_guard_place *place = &scree_shared_now->places[i];
        pid_t owner = place->process;
        bool dead = owner && of_dead && kill(owner, 0) != 0 && errno == ESRCH;
        if ((owner && !dead) || !atomic_compare_exchange_strong(&place->process, &owner, self))
            continue;
        place->now = (scree_guard_call){NULL, NULL, NULL};
        place->loading = place->tried = NULL;
        place->step = UINT64_MAX;
        return place;
    }
    return NULL;
}

scree_guard_place *scree_guard_take_place(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_after_forks);
    scree_guard_place *place = find_place(false);
    place = place ? place : find_place(true);
    scree_guard_place_taken = place ? place : &no_place;
    return scree_guard_place_taken;
}

void scree_guard_leave_place(void)
{
    scree_guard_place *place = scree_guard_place_taken;
    scree_guard_place_taken = NULL;
    if (place)
        place->process = 0;
}

/* ---- what is shared ---- */

bool scree_shared_begin(void)
{
    void *pages = mmap(NULL, sizeof *scree_shared_now, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    scree_shared_now = pages;
    return true;
}

void scree_shared_said(void)
{
    if (scree_shared_now->own == getpid())
        scree_shared_now->said = true;
}

const char *scree_shared_text(const char *text)
{
    if (scree_shared_now == &unshared) // no other process reads it
        return g_intern_string(text);
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static GHashTable *known;
    const size_t n = strlen(text) + 1;
    pthread_mutex_lock(&mutex);
    if (!known)
        known = g_hash_table_new(g_str_hash, g_str_equal);
    const char *found = g_hash_table_lookup(known, text);
    const size_t at = found ? 0 : atomic_fetch_add(&scree_shared_now->used, n);
    if (!found && at < SCREE_SHARED_TEXT && n <= SCREE_SHARED_TEXT - at) {
        found = memcpy(scree_shared_now->text + at, text, n);
        g_hash_table_add(known, (char *)found);
    }
    pthread_mutex_unlock(&mutex);
    return found ? found : "a plugin";
}

void scree_shared_set_folder(const char *folder)
{
    if (scree_shared_now != &unshared)
        scree_shared_now->folder = folder ? scree_shared_text(folder) : NULL;
}

void scree_shared_set_command(char *to, const char *command)
{
    if (g_strlcpy(to, command, SCREE_SHARED_COMMAND) >= SCREE_SHARED_COMMAND)
        to[0] = '\0';
}

bool scree_shared_is_trial(pid_t process)
{
    bool trial = false;
    if (process == 0) // a free place has this number, or a process that this one cannot see
        return false;
    for (size_t i = 0; i < SCREE_SHARED_PLACES; i++)
        trial = trial || (scree_shared_now->places[i].process == process &&
                          scree_shared_now->places[i].tried);
    return trial;
}

void scree_shared_forget(pid_t process)
{
    for (size_t i = 0; i < SCREE_SHARED_PLACES; i++)
        if (scree_shared_now->places[i].process == process)
            scree_shared_now->places[i].process = 0;
}

/* ---- after the end ---- */

/** Paths of the files that are being tried, joined by "or". New string. */
static char *list_tried(void)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    for (size_t i = 0; i < SCREE_SHARED_PLACES; i++)
        if (scree_shared_now->places[i].process && scree_shared_now->places[i].tried)
            g_ptr_array_add(paths, (char *)scree_shared_now->places[i].tried);
    g_ptr_array_add(paths, NULL);
    return g_strjoinv(" or ", (char **)paths->pdata);
}

/** The work of a process: the call of its lowest thread in a call, the plugin file that it loads,
 * and its step; NULL, UINT64_MAX: none. */
typedef struct work {
    const scree_guard_call *call;
    const char *loading;
    uint64_t step;
} work;

static work find_work(pid_t process)
{
    work found = {.step = UINT64_MAX};
    for (size_t i = SCREE_SHARED_PLACES; i-- > 0;) {
        const scree_guard_place *place = &scree_shared_now->places[i];
        if (place->process != process)
            continue;
        if (place->now.instance && place->now.shown) // else cut short
            found.call = &place->now;
        found.loading = place->loading ? place->loading : found.loading;
        found.step = MIN(found.step, place->step);
    }
    return found;
}

bool scree_guard_find_call(scree_guard_call *found)
{
    const scree_guard_call *call = find_work(getpid()).call;
    if (call)
        *found = *call;
    return call && found->instance;
}

bool scree_shared_find_other(scree_guard_call *found)
{
    bool any = false;
    for (size_t i = 0; i < SCREE_SHARED_PLACES && !any; i++) {
        const scree_guard_place *place = &scree_shared_now->places[i];
        const pid_t process = place->process;
        if (!process || process == getpid() || kill(process, 0) != 0) // free, own, or ended
            continue;
        *found = place->now;
        if (!found->instance && place->tried) // any instance: only the text counts
            *found = (scree_guard_call){(void *)place, "load", place->tried};
        any = found->instance != NULL;
    }
    return any;
}

bool scree_shared_is_in_call(pid_t process)
{
    const work now = find_work(process);
    return now.call || now.loading;
}

char *scree_guard_where(const scree_guard_call *call, uint64_t step)
{
    const char *slot = strrchr(call->shown, '('); // `shown` outlives the instance and its process
    const int n = slot ? (int)strcspn(slot + 1, ")") : 0;
    if (step == UINT64_MAX)
        return g_strdup_printf("%.*s/%s", n, slot ? slot + 1 : "", call->call);
    return g_strdup_printf("%.*s/%s@%" G_GUINT64_FORMAT, n, slot ? slot + 1 : "", call->call, step);
}

bool scree_shared_is_lost_rank(pid_t process, int status)
{
    const scree_guard_call *call = find_work(process).call;
    return (call && g_str_has_prefix(call->shown, "domain/")) ||
           (scree_shared_now->run.ranks && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

char *scree_shared_where(pid_t process)
{
    const work now = find_work(process);
    return now.call && !now.loading ? scree_guard_where(now.call, now.step) : NULL;
}

char *scree_shared_describe_end(pid_t process, int status)
{
    const work now = find_work(process);
    const scree_guard_call *call = now.call;
    g_autofree char *tried = list_tried();
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    g_autofree char *how = number ? g_strdup_printf("signal %d, %s", number, g_strsignal(number))
                                  : g_strdup_printf("exit status %d", WEXITSTATUS(status));
    g_autofree char *at = now.step == UINT64_MAX
                              ? g_strdup("")
                              : g_strdup_printf(" at step %" G_GUINT64_FORMAT, now.step);
    g_autofree char *in = call ? g_strdup_printf("in %s, call %s", call->shown, call->call)
                               : g_strdup("outside of any call into a plugin");
    const char *by_system = number == SIGKILL ? ", or by the system for want of memory" : "";
    if (scree_shared_now->run.ranks && number == SIGKILL)
        return g_strdup_printf("rank %u of %u has ended%s (%s): by another program%s",
                               scree_shared_now->run.rank, scree_shared_now->run.ranks, at, how,
                               by_system);
    if (now.loading)
        return g_strdup_printf("%s ended the process while it was loaded (%s)", now.loading, how);
    if (!call && *tried)
        return g_strdup_printf("%s ended the process that tries it (%s)", tried, how);
    g_autofree char *who = scree_shared_now->run.ranks
                               ? g_strdup_printf("rank %u of %u", scree_shared_now->run.rank,
                                                 scree_shared_now->run.ranks)
                               : g_strdup("the process");
    return g_strdup_printf(
        "%s ended %s%s (%s): by %sa thread that a plugin has started (scree check FILE "
        "says whether its plugins start any)%s%s",
        who, in, at, how, call ? "this call, or by " : "", number ? ", or by another program" : "",
        by_system);
}
