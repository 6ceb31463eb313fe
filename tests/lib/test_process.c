/* SPDX-License-Identifier: Apache-2.0 */
/* The process of another program stays its own; usage: test_process OPENS SCENE */
#include <dirent.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "client.h"

enum { SIGNALS = 65 };

/** All that a program owns of its process, and a library could change. */
typedef struct surroundings {
    struct sigaction handlers[SIGNALS];
    sigset_t blocked;
    char folder[4096], locale[256];
    mode_t mask;
    struct rlimit limits[RLIM_NLIMITS];
    unsigned floats;
    int rounding, n_files;
    locale_t own;
    char **environment;
} surroundings;

static int count_entries(const char *path)
{
    DIR *dir = opendir(path);
    int n = 0;
    if (!dir)
        return -1;
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static surroundings look(void)
{
    extern char **environ;
    surroundings s;
    memset(&s, 0, sizeof s);
    for (int k = 1; k < SIGNALS; k++)
        sigaction(k, NULL, &s.handlers[k]);
    sigprocmask(SIG_SETMASK, NULL, &s.blocked);
    if (!getcwd(s.folder, sizeof s.folder))
        bail_out("no current folder");
    snprintf(s.locale, sizeof s.locale, "%s", setlocale(LC_ALL, NULL));
    s.mask = umask(022);
    umask(s.mask);
    for (int k = 0; k < RLIM_NLIMITS; k++)
        getrlimit((__rlimit_resource_t)k, &s.limits[k]);
    s.floats = _mm_getcsr() & 0xffc0u;
    s.rounding = fegetround();
    s.n_files = count_entries("/proc/self/fd");
    s.own = uselocale((locale_t)0);
    s.environment = environ;
    return s;
}

static int is_handled(const surroundings *a, const surroundings *b)
{
    for (int k = 1; k < SIGNALS; k++)
        if (a->handlers[k].sa_handler != b->handlers[k].sa_handler && k != 32 && k != 33)
            return 0; // 32 and 33 belong to the C library
    return 1;
}

static void compare(const surroundings *before, const char *when)
{
    const surroundings now = look();
    claim(is_handled(before, &now), "%s: no handler of a signal has changed", when);
    claim(!memcmp(&before->blocked, &now.blocked, sizeof now.blocked), "%s: nor the mask", when);
    claim(!strcmp(before->folder, now.folder) && before->mask == now.mask,
          "%s: nor the current folder and the umask", when);
    claim(!strcmp(before->locale, now.locale) && now.own == LC_GLOBAL_LOCALE, "%s: nor the locale",
          when);
    claim(before->floats == now.floats && before->rounding == now.rounding,
          "%s: nor rounding and flush-to-zero", when);
    claim(!memcmp(before->limits, now.limits, sizeof now.limits) &&
              before->environment == now.environment,
          "%s: nor limits and environment", when);
}

/** A program with a locale, a umask and floating-point settings of its own. */
static void be_strange(void)
{
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    const char *found = NULL;
    for (int k = 0; k < 3 && !found; k++)
        found = setlocale(LC_ALL, locales[k]);
    note("locale %s", found ? found : "C");
    umask(022);
    _mm_setcsr(_mm_getcsr() | 0x8040u); // flush to zero, denormals are zero
    fesetround(FE_UPWARD);
}

static hash run_once(uint32_t threads)
{
    sc_run *run = open_quiet("hopper", threads, NULL);
    must(run, sc_step(run, 40), "sc_step");
    const hash h = hash_of(run);
    claim(sc_close(run) == SC_OK, "%u threads: closed", threads);
    return h;
}

static int32_t look_inside(void *user, sc_run *run)
{
    *(unsigned *)user = (_mm_getcsr() & 0xffc0u) | (unsigned)fegetround() << 16;
    (void)run;
    return 0;
}

static void keep_surroundings(void)
{
    const hash plain = run_once(2);
    be_strange();
    const surroundings before = look();
    const unsigned outside = (_mm_getcsr() & 0xffc0u) | (unsigned)fegetround() << 16;
    claim(same(run_once(1), plain) && same(run_once(2), plain),
          "with another locale, rounding and flush-to-zero: the same hash");
    compare(&before, "after runs");
    sc_run *run;
    claim(sc_open("no-such-scene", NULL, &run) == SC_E_USE && says(run, "no-such-scene"),
          "a scene that is missing is an error");
    sc_close(run);
    compare(&before, "after an error");
    unsigned inside = 0;
    run = open_quiet("hopper", 1, NULL);
    must(run, sc_on_progress(run, 1, look_inside, &inside), "sc_on_progress");
    must(run, sc_step(run, 1), "sc_step");
    claim(inside == outside, "a function of the caller finds its own floating-point settings");
    sc_close(run);
    claim(look().n_files == before.n_files, "no descriptor stays open");
    fesetround(FE_TONEAREST);
    _mm_setcsr(0x1f80u);
    setlocale(LC_ALL, "C");
}

/** [bytes] that the process holds in memory. */
static long resident(void)
{
    long pages = 0, skipped;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &skipped, &pages) != 2)
        bail_out("no /proc/self/statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void open_often(int n, const char *scene)
{
    long tenth = 0;
    int files = 0, tasks = 0;
    for (int k = 1; k <= n; k++) {
        sc_run *run = open_quiet(scene, 1 + k % 2, NULL);
        must(run, sc_step(run, 2), "sc_step");
        sc_close(run);
        if (k == 2) { // a wrong scene, too
            sc_open_text("scene = {", "wrong", NULL, NULL, &run);
            sc_close(run);
        }
        if (k != 10)
            continue;
        malloc_trim(0);
        tenth = (long)mallinfo2().uordblks;
        files = count_entries("/proc/self/fd");
        tasks = count_entries("/proc/self/task");
        note("%ld KiB resident after the tenth", resident() / 1024);
    }
    malloc_trim(0);
    const long grown = (long)mallinfo2().uordblks - tenth;
    note("%ld KiB resident after %d", resident() / 1024, n);
    claim(grown < 65536, "%d opens and closes: %ld bytes more than after the tenth", n, grown);
    claim(count_entries("/proc/self/fd") == files && count_entries("/proc/self/task") == tasks,
          "as many descriptors and threads as after the tenth");
}

/** Uses a run in a child after fork. */
static void fork_with_run(void)
{
    sc_run *run = open_quiet("hopper", 2, NULL);
    must(run, sc_step(run, 3), "sc_step");
    const pid_t child = fork();
    if (child == 0) {
        const int refuses =
            sc_step(run, 1) == SC_E_USE && says(run, "fork") && sc_close(run) == SC_E_USE;
        sc_run *own = NULL;
        const int opens = refuses && sc_open("hopper", NULL, &own) != SC_OK; // its observers write
        _exit(refuses && opens && says(own, "writes no files") && sc_close(own) == SC_OK ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    claim(WIFEXITED(status) && WEXITSTATUS(status) == 0,
          "a child after fork cannot use the run, and can open one of its own (status %d)", status);
    must(run, sc_step(run, 3), "sc_step");
    claim(sc_step_count(run) == 6, "the run goes on in its process");
    sc_close(run);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        bail_out("usage: test_process OPENS SCENE");
    keep_surroundings();
    open_often(atoi(argv[1]), argv[2]);
    fork_with_run();
    return tap_end();
}
