/* SPDX-License-Identifier: Apache-2.0 */
/* Peak of the resident memory of `scree run`, as the system saw it, against the budget and against
 * what `scree validate` foretells.
 *
 * usage: peak SCREE FOLDER CELLS [MOST]     2 CELLS^3 spheres; MOST: bytes per sphere */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "packing.h"
#include "sanitized.h"

static unsigned n_tests, n_failed;

G_GNUC_PRINTF(3, 4)
static void result(bool ok, const char *name, const char *format, ...)
{
    va_list args;
    n_tests++;
    n_failed += !ok;
    printf("%s %u %s # ", ok ? "ok" : "not ok", n_tests, name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

static void bail(const char *what)
{
    printf("Bail out! %s\n", what);
    exit(1);
}

/** The scene beside a table of its spheres. */
static char *write_scene(const char *folder, uint32_t m)
{
    g_autofree char *table = g_strdup_printf("%s/packing%u.csv", folder, m);
    char *path = g_strdup_printf("%s/packing%u.cfg", folder, m);
    g_autofree char *bodies =
        g_strdup_printf("beads = { shape = \"sphere\"; file = \"packing%u.csv\"; };", m);
    g_autofree char *text = packing_scene(m, bodies, "renumber = { every = 2; };\n");
    FILE *file = fopen(table, "w");
    if (!file || !g_file_set_contents(path, text, -1, NULL))
        bail("cannot write the scene");
    fputs("id,x,y,z,radius\n", file);
    for (uint32_t i = 0; i < packing_count(m); i++) {
        double x[3];
        packing_place(m, i, x);
        fprintf(file, "%u,%.9g,%.9g,%.9g,%.9g\n", i + 1, x[0], x[1], x[2], PACKING_RADIUS);
    }
    if (fclose(file))
        bail("cannot write the table");
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
        bail("the command failed");
    return 1024.0 * (double)usage.ru_maxrss;
}

/** The forecast [bytes]. */
static double foretold(const char *output)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(output, &text, NULL, NULL))
        bail("nothing was printed");
    const char *at = strstr(text, "\nmemory     about ");
    if (!at)
        bail("no forecast was printed");
    return 1048576.0 * g_ascii_strtod(at + strlen("\nmemory     about "), NULL);
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
    double n = packing_count(m), most = argc > 4 ? g_ascii_strtod(argv[4], NULL) : 0.0;
    g_autofree char *scene = write_scene(argv[2], m);
    g_autofree char *output = g_strconcat(scene, ".out", NULL);
    char *const validate[] = {argv[1], (char *)"validate", scene, NULL};
    char *const steps[] = {argv[1], (char *)"run", scene, (char *)"-q", NULL};
    run(validate, output);
    double forecast = foretold(output), peak = run(steps, output);
    result(fabs(forecast / peak - 1.0) <= 0.15, "validate-foretells-the-peak",
           "%.1f MiB, it was %.1f MiB, for %.0f spheres", forecast / 1048576.0, peak / 1048576.0,
           n);
    if (most > 0.0)
        result(peak <= most * n, "peak-within-the-budget", "%.1f bytes per sphere, at most %.0f",
               peak / n, most);
    printf("1..%u\n", n_tests);
    return n_failed ? 1 : 0;
}
