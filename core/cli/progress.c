/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a run on standard error: a bar on a terminal, otherwise a line now and
 * then. */
#include "cli/progress.h"

#include "base/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/state.h"

#define BAR_INTERVAL 0.2   // [s]
#define LINE_INTERVAL 10.0 // [s]
enum { BAR_CELLS = 20 };

void scree_progress_begin(scree_progress *progress, bool on)
{
    double now = scree_now();
    *progress = (scree_progress){
        .on = on, .terminal = isatty(STDERR_FILENO) == 1, .begin = now, .last = now};
    progress->next = now + (progress->terminal ? BAR_INTERVAL : LINE_INTERVAL);
}

/** "1 h 02 min", "3 min 20 s", "12 s": a duration. New string. */
static const char *show_duration(double seconds, char *text, size_t size)
{
    if (!(seconds < 1e9))
        g_snprintf(text, (gulong)size, "? s");
    else if (seconds >= 3600.0)
        g_snprintf(text, (gulong)size, "%d h %02d min", (int)(seconds / 3600.0),
                   (int)(seconds / 60.0) % 60);
    else if (seconds >= 60.0)
        g_snprintf(text, (gulong)size, "%d min %02d s", (int)(seconds / 60.0), (int)seconds % 60);
    else
        g_snprintf(text, (gulong)size, "%.0f s", seconds);
    return text;
}

static void draw_bar(scree_progress *progress, double share, double left, double time)
{
    char cells[BAR_CELLS + 1], duration[40];
    for (int i = 0; i < BAR_CELLS; i++)
        cells[i] = i < (int)(share * BAR_CELLS) ? '#' : '.';
    cells[BAR_CELLS] = '\0';
    g_autofree char *bar = g_strdup_printf(
        "\r[%s] %5.1f %%  %.3g steps/s  %s left  t = %.4g s\033[K", cells, 100.0 * share,
        progress->rate, show_duration(left, duration, sizeof duration), time);
    scree_plain_draw(bar);
    g_atomic_int_set(&progress->drawn, 1);
}

void scree_progress_step(scree_progress *progress, uint64_t done, uint64_t total, uint64_t first,
                         double time)
{
    if (!progress->on)
        return;
    double now = scree_now();
    if (now < progress->next)
        return;
    progress->rate = (double)(done - progress->last_done) / (now - progress->last);
    progress->last = now;
    progress->last_done = done;
    progress->next = now + (progress->terminal ? BAR_INTERVAL : LINE_INTERVAL);
    double share = total ? (double)(first + done) / (double)(first + total) : 1.0,
           overall = now - progress->begin;
    double left = (double)(total - done) * overall / (double)MAX(done, 1);
    char duration[40];
    if (progress->terminal)
        draw_bar(progress, share, left, time);
    else
        fprintf(stderr,
                "scree: step %" PRIu64 " of %" PRIu64
                " (%.1f %%), %.3g steps/s, %s left, t = %.6g s\n",
                first + done, first + total, 100.0 * share, progress->rate,
                show_duration(left, duration, sizeof duration), time);
    fflush(stderr);
}

void scree_progress_end(scree_progress *progress)
{
    if (g_atomic_int_compare_and_exchange(&progress->drawn, 1, 0))
        scree_plain_draw("\r\033[K");
}
