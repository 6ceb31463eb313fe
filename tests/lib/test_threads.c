/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in several threads of one process; usage: test_threads TIMES */
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "client.h"

enum { N = 4 };
static const char *const scenes[N] = {"hopper", "clumps", "collision", "hopper"};

typedef struct job {
    const char *scene;
    uint32_t threads;
    int flush, failed;
    unsigned left; /* MXCSR at the end */
    hash h;
    uint64_t said;
} job;

static void count_line(void *user, int32_t level, const char *text)
{
    job *j = user;
    (void)level;
    j->said += strlen(text) > 0;
}

static void *work(void *user)
{
    job *j = user;
    static const char *const set[] = {"observers={}", NULL};
    const sc_options options = {
        .size = sizeof options, .threads = j->threads, .set = set, .say = count_line, .user = j};
    sc_run *run;
    if (j->flush)
        _mm_setcsr(_mm_getcsr() | 0x8040u);
    j->failed = sc_open(j->scene, &options, &run) || sc_step(run, 20) || sc_step(run, 20) ||
                sc_hash(run, j->h.text);
    if (j->failed)
        note("%s: %s", j->scene, sc_error(run));
    sc_close(run);
    j->left = _mm_getcsr() & 0xffc0u;
    return NULL;
}

static void run_together(int times)
{
    job alone[N];
    int all = 1, quiet = 1, kept = 1;
    for (int k = 0; k < N; k++) {
        alone[k] = (job){.scene = scenes[k], .threads = 1};
        work(&alone[k]);
    }
    for (int time = 0; time < times; time++) {
        job jobs[N];
        pthread_t threads[N];
        for (int k = 0; k < N; k++) {
            jobs[k] = (job){.scene = scenes[k], .threads = 1 + (uint32_t)k % 2, .flush = k & 1};
            if (pthread_create(&threads[k], NULL, work, &jobs[k]))
                bail_out("no thread");
        }
        for (int k = 0; k < N; k++) {
            pthread_join(threads[k], NULL);
            all = all && !jobs[k].failed && same(jobs[k].h, alone[k].h);
            quiet = quiet && jobs[k].said == alone[k].said;
            kept = kept && jobs[k].left == (k & 1 ? 0x9fc0u : 0x1f80u);
        }
    }
    claim(all, "%d times: four runs in four threads have the hashes of runs one by one", times);
    claim(quiet, "each caller gets the lines of its own run");
    claim(kept, "each thread keeps its floating-point settings");
}

/* ---- one run, many threads ---- */

typedef struct busy {
    sc_run *run;
    int32_t code, closed;
    char text[128];
} busy;

static void *intrude(void *user)
{
    busy *b = user;
    char text[65];
    b->code = sc_hash(b->run, text);
    snprintf(b->text, sizeof b->text, "%s", sc_error(b->run));
    b->closed = sc_close(b->run);
    return NULL;
}

/** In a step of a run: another thread calls functions on it. */
static int32_t let_in(void *user, sc_run *run)
{
    pthread_t other;
    (void)run;
    if (pthread_create(&other, NULL, intrude, user))
        bail_out("no thread");
    pthread_join(other, NULL);
    return 0;
}

static void intrude_in_run(void)
{
    busy b = {.run = open_quiet("collision", 1, NULL)};
    must(b.run, sc_on_progress(b.run, 1, let_in, &b), "sc_on_progress");
    must(b.run, sc_step(b.run, 1), "sc_step");
    claim(b.code == SC_E_USE && strstr(b.text, "another thread"),
          "a run at work refuses another thread: %s", b.text);
    claim(b.closed == SC_E_USE, "and is not closed by it");
    sc_close(b.run);
}

static void *move_on(void *user)
{
    sc_run *run = user;
    must(run, sc_step(run, 30), "sc_step");
    return NULL;
}

static void change_threads(void)
{
    sc_run *run = open_quiet("hopper", 2, NULL), *other = open_quiet("hopper", 1, NULL);
    for (int k = 0; k < 3; k++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, move_on, run))
            bail_out("no thread");
        pthread_join(thread, NULL);
    }
    must(other, sc_step(other, 90), "sc_step");
    claim(same(hash_of(run), hash_of(other)), "a run may go from thread to thread");
    sc_close(run);
    sc_close(other);
}

static void *cancel_later(void *user)
{
    usleep(20000);
    sc_cancel(user);
    return NULL;
}

static void cancel(void)
{
    sc_run *run = open_quiet("hopper", 1, NULL);
    pthread_t thread;
    int32_t ended = -1;
    if (pthread_create(&thread, NULL, cancel_later, run))
        bail_out("no thread");
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    pthread_join(thread, NULL);
    claim(ended == SC_ENDED_CANCELLED && sc_step_count(run) < sc_last_step(run),
          "another thread cancels an advance, after %" PRIu64 " steps", sc_step_count(run));
    const uint64_t before = sc_step_count(run);
    must(run, sc_step(run, 5), "sc_step");
    claim(sc_step_count(run) == before + 5, "the run goes on after it");
    sc_cancel(run);
    must(run, sc_advance(run, NULL, &ended), "sc_advance");
    claim(ended == SC_ENDED_CANCELLED && sc_step_count(run) == before + 5,
          "cancelled before an advance: it takes no step");
    sc_close(run);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        bail_out("usage: test_threads TIMES");
    setlocale(LC_ALL, "C.UTF-8");
    run_together(atoi(argv[1]));
    intrude_in_run();
    change_threads();
    cancel();
    return tap_end();
}
