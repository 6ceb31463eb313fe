/* SPDX-License-Identifier: Apache-2.0 */
/* Peak of the resident memory of `scree run`, as the system saw it, against the budget and against
 * what `scree validate` foretells, without observers and with each of some.
 *
 * usage: peak SCREE FOLDER CELLS [budget]     2 CELLS^3 spheres; budget: a million of them, whose
 * bytes per sphere are the claim */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "base/folder.h"
#include "packing.h"
#include "sanitized.h"

/** The scene, with a table of its spheres. */
static char *write_scene(const char *folder, uint32_t m)
{
    g_autofree char *table = g_strdup_printf("%s/packing%u.csv", folder, m);
    char *path = g_strdup_printf("%s/packing%u.cfg", folder, m);
    g_autofree char *bodies =
        g_strdup_printf("beads = { shape = \"sphere\"; file = \"packing%u.csv\"; };", m);
    g_autofree char *text = packing_scene(m, bodies, "renumber = { every = 2; };\n");
    FILE *file = fopen(table, "w");
    if (!file || !g_file_set_contents(path, text, -1, NULL))
        bail_out("cannot write the scene");
    fputs("id,x,y,z,radius\n", file);
    for (uint32_t i = 0; i < packing_count(m); i++) {
        double x[3];
        packing_place(m, i, x);
        fprintf(file, "%u,%.9g,%.9g,%.9g,%.9g\n", i + 1, x[0], x[1], x[2], PACKING_RADIUS);
    }
    if (fclose(file))
        bail_out("cannot write the table");
    return path;
}

/** Runs a command with standard output into a file; its peak in bytes. This program is small, and
 * so is the child before it becomes the command. */
static double run(char *const argv[], const char *output)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) {
        unsetenv("MALLOC_PERTURB_"); // it writes what nobody else does
        if (!freopen(output, "w", stdout))
            _exit(126);
        execv(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        bail_out("the command failed");
    return 1024.0 * (double)usage.ru_maxrss;
}

/** The forecast [bytes]. */
static double foretold(const char *output)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(output, &text, NULL, NULL))
        bail_out("nothing was printed");
    const char *at = strstr(text, "\nmemory     about ");
    if (!at)
        bail_out("no forecast was printed");
    return 1048576.0 * g_ascii_strtod(at + strlen("\nmemory     about "), NULL);
}

/* Columns of the bodies that stay zero (world.c): per sphere, in the world and in the copy of it. */
enum { UNWRITTEN = 2 * 172, PROBE = 16 << 20, PAGE = 4096 };

/** Resident memory of this program now [bytes]; its peak may be that of the program it was forked from. */
static double resident(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1)
        bail_out("no /proc/self/statm");
    fclose(file);
    return (double)PAGE * (double)pages;
}

/** Bytes per sphere that count although nothing writes them: those of UNWRITTEN where the system
 * gives memory to pages that are only read, as some do in a virtual machine. */
static double read_pages(void)
{
    volatile char *pages =
        mmap(NULL, PROBE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        bail_out("no memory");
    const double before = resident();
    for (size_t at = 0; at < PROBE; at += PAGE)
        (void)pages[at];
    const double after = resident();
    munmap((void *)pages, PROBE);
    return after - before > PROBE / 2 ? UNWRITTEN : 0.0;
}

/** An observer, and what it may add. */
typedef struct watcher {
    const char *name, *set; /* NULL: none */
    double most;            /* bytes per sphere at the peak of a run of a million */
    double more, fixed; /* [bytes] per sphere, and once, compared with a run without observers */
} watcher;

/* All runs save their last state into a folder: libhdf5 and its own libraries take 11 MB once
 * (measured), which the forecast does not know without observers, since a run need not have a folder then. */
#define LIBRARIES 11e6
static const watcher watchers[] = {
    {"no observer", NULL, 640.0, 0.0, 0.0},
    {"scalars", "observers={table={plugin=\"csv\";every_steps=1;};}", 650.0, 20.0, 1048576.0},
    {"hdf5", "observers={path={plugin=\"hdf5\";every_steps=1;};}", 700.0, 100.0, 2097152.0},
    {"contacts", "observers={table={plugin=\"csv\";what=\"contacts\";every_steps=3;};}", HUGE_VAL,
     HUGE_VAL, 0.0},
};

/** Validates and runs the scene with it; returns the peak [bytes] without `unwritten`. */
static double watch(const watcher *w, char *scree, char *scene, double n, double unwritten)
{
    g_autofree char *output = g_strconcat(scene, ".out", NULL);
    g_autofree char *folder = g_strconcat(scene, ".run", NULL);
    g_autofree char *name = g_strdup_printf("validate-foretells-the-peak (%s)", w->name);
    char *set = g_strdup(w->set ? w->set : "observers={}");
    char *const validate[] = {scree, (char *)"validate", scene, (char *)"--set", set, NULL};
    char *const steps[] = {scree, (char *)"run", scene,  (char *)"-q", (char *)"--set",
                           set,   (char *)"-o",  folder, NULL};
    run(validate, output);
    double forecast = foretold(output), peak = run(steps, output) - unwritten * n;
    scree_folder_remove(folder);
    g_free(set);
    const double libraries = w->set ? 0.0 : LIBRARIES;
    claim(fabs((forecast + libraries) / peak - 1.0) <= 0.15,
          "%s # %.1f MiB and %.1f MiB of libraries, it was %.1f MiB, for %.0f spheres", name,
          forecast / 1048576.0, libraries / 1048576.0, peak / 1048576.0, n);
    return peak;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    if (SANITIZED) {
        puts("1..0 # SKIP sanitizers need memory of their own");
        return 0;
    }
    uint32_t m = (uint32_t)g_ascii_strtoull(argv[3], NULL, 10);
    double n = packing_count(m), plain = 0.0, unwritten = read_pages();
    printf("# pages that are only read: %.0f bytes per sphere\n", unwritten);
    fflush(stdout);
    bool budget = argc > 4 && !strcmp(argv[4], "budget");
    g_autofree char *scene = write_scene(argv[2], m);
    for (size_t i = 0; i < G_N_ELEMENTS(watchers); i++) {
        const watcher *w = &watchers[i];
        if (budget && isinf(w->most))
            continue;
        double peak = watch(w, argv[1], scene, n, unwritten), more = w->more * n + w->fixed;
        g_autofree char *name = g_strdup_printf("peak-within-the-budget (%s)", w->name);
        g_autofree char *unwanted =
            g_strdup_printf("contacts-that-nobody-wants-are-not-recorded (%s)", w->name);
        if (budget)
            claim(peak <= w->most * n, "%s # %.1f bytes per sphere, at most %.0f", name, peak / n,
                  w->most);
        else if (i > 0 && !isinf(more))
            claim(peak - plain <= more,
                  "%s # %.1f bytes per sphere more than without, at most %.1f", unwanted,
                  (peak - plain) / n, more / n);
        plain = i == 0 ? peak : plain;
    }
    return tap_end();
}
