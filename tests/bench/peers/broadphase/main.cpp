// SPDX-License-Identifier: Apache-2.0
/* Driver of the harness: runs each broad phase on the frames of a workload and prints a line of
 * figures.
 *
 * bench [-f frames] [-s start_frame] [-w warm-up steps] [-r runs] [-c cap_s] [-t limit_s] [-a
 * regex] [-x regex]
 *       [-l] [-V] [-d file] spec...
 * -a and -x choose and leave out algorithms, -l keeps the creation order of ids, -V checks every
 * step against brute force, -d writes the trajectory of one SPEC without timing. WORKLOADS.md
 * defines the SPECs. */
#include "bp.hpp"
#include "workload.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <regex>
#include <string>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
std::vector<Reg> &registry()
{
    static std::vector<Reg> r;
    return r;
}
static double now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static void load(Scene &s, const Workload &w, size_t f)
{
    const int32_t *p = w.frames[f].data();
    const double q = 1.0 / 8192;
    if (w.dim == 2) {
        for (int i = 0; i < w.n; i++) {
            s.x[i] = p[2 * i] * q;
            s.y[i] = p[2 * i + 1] * q;
        }
    } else
        for (int i = 0; i < w.n; i++) {
            s.x[i] = p[3 * (size_t)i] * q;
            s.y[i] = p[3 * (size_t)i + 1] * q;
            s.z[i] = p[3 * (size_t)i + 2] * q;
        }
}
static Scene scene(const Workload &w)
{
    Scene s;
    s.dim = w.dim;
    s.n = w.n;
    s.x.assign(w.n, 0);
    s.y = s.z = s.x;
    s.r.resize(w.n);
    s.rmin = 1e30;
    s.rmax = 0;
    for (int i = 0; i < w.n; i++) {
        s.r[i] = w.R15[i] / 32768.0;
        s.rmin = std::min(s.rmin, s.r[i]);
        s.rmax = std::max(s.rmax, s.r[i]);
    }
    for (int k = 0; k < 3; k++)
        s.L[k] = k < w.dim ? w.L : 0;
    load(s, w, 0);
    return s;
}
// step times are thread CPU time, so another process taking the core now and then does not count
static double cpu()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static double heap()
{
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}
struct Res {
    int ok;
    double med, lo, hi, init, mem;
    int runs, steps;
    double cand;
    Sink first, last;
    uint64_t tot;
};
struct Options {
    int frames = 101, runs = 5, limit = 60, warm = 3;
    size_t start = 0;
    double cap = 0.3;
    std::string chosen = ".*", left_out = "^$", dump;
    bool shuffle = true, check = false;
};

/** Whether the pairs of a step are those of brute force. */
static bool is_right(const Workload &w, const Reg &R, const Scene &s, const Sink &k, size_t frame)
{
    Sink q;
    for (int i = 0; i < s.n; i++)
        for (int j = i + 1; j < s.n; j++)
            if (overlap(s, i, j))
                sink_pair(&q, i, j);
    if (q.cnt == k.cnt && q.s1 == k.s1 && q.s2 == k.s2)
        return true;
    fprintf(stderr, "MISMATCH %s %s frame %zu: %lu vs %lu\n", w.name.c_str(), R.name, frame,
            (unsigned long)k.cnt, (unsigned long)q.cnt);
    return false;
}

/** Steps through the frames after the first step; returns the next frame to time. */
static size_t warm_up(const Workload &w, const Options &o, Scene &s, Algo *A)
{
    double from = now();
    size_t f = o.start;
    for (int q = 0; q < o.warm && f + 3 < w.frames.size() && now() - from < 4 * o.cap; q++) {
        load(s, w, ++f);
        Sink u;
        A->step(s, u);
    }
    return f + 1;
}

/** One run from the start: appends ns per object and step to `t`, seconds of the first step to
 * `first`. */
static bool run_once(const Workload &w, const Reg &R, const Options &o, Res &r,
                     std::vector<double> &t, std::vector<double> &first)
{
    Scene s = scene(w);
    load(s, w, o.start);
    double h0 = heap();
    double a = cpu();
    Algo *A = R.make(s);
    Sink k0;
    A->step(s, k0);
    first.push_back(cpu() - a);
    size_t f = warm_up(w, o, s, A);
    double elapsed = 0;
    int steps = 0;
    uint64_t pairs = 0, c0 = A->cand;
    Sink k = k0;
    double mem = heap() - h0;
    bool right = true;
    for (; right && f < w.frames.size() && (elapsed <= o.cap || steps < 2); f++) {
        load(s, w, f);
        k = Sink();
        double b = cpu();
        A->step(s, k);
        elapsed += cpu() - b;
        steps++;
        pairs += k.cnt;
        right = !o.check || is_right(w, R, s, k, f);
    }
    r.mem = std::max({r.mem, mem, heap() - h0});
    t.push_back(elapsed / steps / w.n * 1e9);
    r.steps = steps;
    r.tot = pairs;
    r.first = k0;
    r.last = k;
    r.cand = (double)(A->cand - c0) / steps;
    r.runs++;
    delete A;
    return right;
}

static Res run(const Workload &w, const Reg &R, const Options &o)
{
    Res r;
    memset((void *)&r, 0, sizeof r);
    std::vector<double> t;
    std::vector<double> first;
    double from = now();
    for (int i = 0; i < o.runs && now() - from <= 20 * o.cap + 4; i++)
        if (!run_once(w, R, o, r, t, first)) {
            r.ok = -1;
            return r;
        }
    std::sort(t.begin(), t.end());
    std::sort(first.begin(), first.end());
    r.med = t[t.size() / 2];
    r.lo = t[0];
    r.hi = t.back();
    r.init = first[first.size() / 2];
    r.ok = 1;
    return r;
}

/** Runs a broad phase in a process of its own; returns what became of it. */
static const char *run_in_child(const Workload &w, const Reg &R, const Options &o, Res &r)
{
    int p[2];
    if (pipe(p))
        return "CRASH";
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        alarm(o.limit);
        Res mine = run(w, R, o);
        _exit(write(p[1], &mine, sizeof mine) != (ssize_t)sizeof mine);
    }
    close(p[1]);
    ssize_t got = read(p[0], &r, sizeof r);
    close(p[0]);
    int status;
    waitpid(pid, &status, 0);
    if (got != (ssize_t)sizeof r)
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "TIMEOUT" : "CRASH";
    return r.ok == 1 ? "ok" : "MISMATCH";
}

static void print_row(const Workload &w, const Reg &R, const Options &o)
{
    Res r;
    memset((void *)&r, 0, sizeof r);
    const char *s = run_in_child(w, R, o, r);
    printf("%s\t%s\t%d\t%d\t%.3f\t%.5f\t%s", w.name.c_str(), o.shuffle ? "shuffled" : "lattice",
           w.n, w.dim, w.phi, w.disp_rms_rel, R.name);
    if (strcmp(s, "ok")) {
        printf("\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t%s\n", s);
        return;
    }
    printf("\t%.2f\t%.2f\t%.2f\t%d\t%d\t%.3f\t%.2f\t%.2f\t%.0f\t%lu\t%lu\t%lu\t%lu\t%s\n", r.med,
           r.lo, r.hi, r.runs, r.steps, (double)r.tot / r.steps / w.n, r.cand / w.n, r.init * 1e3,
           r.mem / w.n, r.first.cnt, r.first.s1, r.first.s2, r.last.cnt, s);
}

static bool write_trajectory(const Workload &w, const std::string &name)
{
    FILE *f = fopen(name.c_str(), "wb");
    if (!f)
        return false;
    int32_t h[8] = {0x31465042, w.dim, w.n, (int32_t)w.frames.size(), (int32_t)(w.L * 8192),
                    13,         15,    0};
    fwrite(h, 4, 8, f);
    fwrite(w.R15.data(), 4, w.n, f);
    for (auto &q : w.frames)
        fwrite(q.data(), 4, q.size(), f);
    bool failed = ferror(f);
    return !fclose(f) && !failed;
}

static bool read_options(int c, char **v, Options &o)
{
    int opt;
    while ((opt = getopt(c, v, "f:r:c:a:x:lVd:t:s:w:")) != -1) {
        if (opt == 'f')
            o.frames = atoi(optarg);
        else if (opt == 'r')
            o.runs = atoi(optarg);
        else if (opt == 'c')
            o.cap = atof(optarg);
        else if (opt == 'a')
            o.chosen = optarg;
        else if (opt == 'x')
            o.left_out = optarg;
        else if (opt == 'l')
            o.shuffle = false;
        else if (opt == 'V')
            o.check = true;
        else if (opt == 'd')
            o.dump = optarg;
        else if (opt == 's')
            o.start = atoi(optarg);
        else if (opt == 'w')
            o.warm = atoi(optarg);
        else if (opt == 't')
            o.limit = atoi(optarg);
        else
            return false;
    }
    if (optind == c)
        fprintf(stderr, "expected a SPEC, see WORKLOADS.md\n");
    return optind < c;
}

int main(int c, char **v)
{
    Options o;
    if (!read_options(c, v, o))
        return 2;
    std::regex chosen(o.chosen);
    std::regex left_out(o.left_out);
    setvbuf(stdout, 0, _IOLBF, 0);
    std::sort(registry().begin(), registry().end(),
              [](const Reg &a, const Reg &b) { return strcmp(a.name, b.name) < 0; });
    printf(
        "#workload\tids\tN\tdim\tphi\tdisp_rms/r\talgo\tns/obj/step\tmin\tmax\truns\tsteps\t"
        "pairs/obj\tcand/obj\tinit_ms\tB/obj\tfirst_cnt\tfirst_s1\tfirst_s2\tlast_cnt\tstatus\n");
    for (int a = optind; a < c; a++) {
        double t0 = now();
        Workload w = make_workload(v[a], o.frames, o.shuffle);
        printf("#gen\t%s\tN=%d\tL=%.10g\tphi=%.4f\tdisp=%.5f\tfnv0=%016lx\tfnvlast=%016lx\t"
               "frames=%zu\tgen_s=%.1f\n",
               w.name.c_str(), w.n, w.L, w.phi, w.disp_rms_rel, fnv1a(w.frames[0]),
               fnv1a(w.frames.back()), w.frames.size(), now() - t0);
        if (!o.dump.empty()) {
            if (write_trajectory(w, o.dump))
                continue;
            perror(o.dump.c_str());
            return 1;
        }
        for (const Reg &R : registry())
            if (std::regex_search(R.name, chosen) && !std::regex_search(R.name, left_out) &&
                (R.dims & (w.dim == 2 ? 1 : 2)) && w.n <= R.maxN)
                print_row(w, R, o);
    }
}
