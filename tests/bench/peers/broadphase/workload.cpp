// SPDX-License-Identifier: Apache-2.0
// Deterministic integer DEM workload generator (see WORKLOADS.md). Compile with -ffp-contract=off.
#include "workload.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
typedef int64_t i64;
typedef uint64_t u64;
static u64 mix(u64 z)
{
    z ^= z >> 30;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 27;
    z *= 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static u64 rnd(u64 stream, u64 k)
{
    return mix(mix(stream * 0x9E3779B97F4A7C15ull + 0x1234567) + (k + 1) * 0x9E3779B97F4A7C15ull);
}
static u64 below(u64 stream, u64 k, u64 m)
{
    return (u64)(((unsigned __int128)rnd(stream, k) * m) >> 64);
}
uint64_t fnv1a(const std::vector<int32_t> &v)
{
    u64 h = 0xcbf29ce484222325ull;
    for (int32_t w : v)
        for (int b = 0; b < 4; b++) {
            h ^= ((uint32_t)w >> (8 * b)) & 255;
            h *= 0x100000001b3ull;
        }
    return h;
}
struct Gen {
    int dim, n;
    i64 L; // L in 2^-24
    std::vector<i64> x, v, f;
    std::vector<i64> R; // 2^-24 (R = R15<<9)
    std::vector<char> fixed;
    std::vector<i64> m;
    // multi-level cells for pair finding (any exact method gives the same integers)
    struct Lev {
        i64 c;
        int nc;
        std::vector<int> start, ids;
        i64 rmax;
    };
    std::vector<Lev> lev;
    std::vector<int> lv;
    void levels()
    {
        i64 rm = *std::min_element(R.begin(), R.end()), rM = *std::max_element(R.begin(), R.end());
        lev.clear();
        lv.assign(n, 0);
        for (i64 c = rm * 2;; c *= 2) {
            i64 cc = std::min(2 * c, 2 * rM + 2);
            Lev l;
            l.c = cc;
            l.nc = std::max<i64>(1, L / cc);
            l.rmax = 0;
            lev.push_back(l);
            if (2 * c > 2 * rM)
                break;
        }
        for (int i = 0; i < n; i++) {
            int l = 0;
            while (2 * R[i] >= lev[l].c && l + 1 < (int)lev.size())
                l++;
            lv[i] = l;
            lev[l].rmax = std::max(lev[l].rmax, R[i]);
        }
    }
    int cellc(const Lev &l, i64 p) const
    {
        i64 q = p < 0 ? 0 : p / l.c;
        return (int)std::min<i64>(q, l.nc - 1);
    }
    int cell(const Lev &l, int i) const
    {
        int c = 0;
        for (int k = dim - 1; k >= 0; k--)
            c = c * l.nc + cellc(l, x[(size_t)i * dim + k]);
        return c;
    }
    void bin()
    {
        for (auto &l : lev) {
            size_t t = 1;
            for (int k = 0; k < dim; k++)
                t *= l.nc;
            l.start.assign(t + 1, 0);
        }
        std::vector<int> ci(n);
        for (int i = 0; i < n; i++) {
            ci[i] = cell(lev[lv[i]], i);
            lev[lv[i]].start[ci[i] + 1]++;
        }
        for (auto &l : lev) {
            for (size_t t = 1; t < l.start.size(); t++)
                l.start[t] += l.start[t - 1];
            l.ids.resize(l.start.back());
        }
        std::vector<std::vector<int>> cur(lev.size());
        for (size_t a = 0; a < lev.size(); a++)
            cur[a] = lev[a].start;
        for (int i = 0; i < n; i++)
            lev[lv[i]].ids[cur[lv[i]][ci[i]]++] = i;
    }
    template <class F> void pairs(F fn)
    {
        bin();
        for (size_t a = 0; a < lev.size(); a++)
            for (int i : lev[a].ids)
                for (size_t b = a; b < lev.size(); b++) {
                    const Lev &l = lev[b];
                    if (l.ids.empty())
                        continue;
                    int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
                    for (int k = 0; k < dim; k++) {
                        i64 w = R[i] + l.rmax;
                        lo[k] = cellc(l, x[(size_t)i * dim + k] - w);
                        hi[k] = cellc(l, x[(size_t)i * dim + k] + w);
                    }
                    for (int cz = lo[2]; cz <= hi[2]; cz++)
                        for (int cy = lo[1]; cy <= hi[1]; cy++) {
                            int row = (cz * l.nc + cy) * l.nc;
                            if (dim == 2)
                                row = cy * l.nc;
                            for (int t = l.start[row + lo[0]]; t < l.start[row + hi[0] + 1]; t++) {
                                int j = l.ids[t];
                                if (b > a || j > i)
                                    fn(i, j);
                            }
                        }
                }
    }
    // one force evaluation; f in 2^-20 units times 256
    void forces()
    {
        std::fill(f.begin(), f.end(), 0);
        pairs([&](int i, int j) {
            i64 S = (R[i] + R[j]) >> 4, d[3] = {0, 0, 0}, d2 = 0;
            for (int k = 0; k < dim; k++) {
                d[k] = (x[(size_t)j * dim + k] >> 4) - (x[(size_t)i * dim + k] >> 4);
                if (d[k] >= S || d[k] <= -S)
                    return;
                d2 += d[k] * d[k];
            }
            i64 dist = (i64)std::sqrt((double)d2);
            i64 ov = S - dist;
            if (ov <= 0 || dist == 0)
                return;
            i64 rs = std::min(R[i], R[j]) >> 6;
            if (ov > rs)
                ov = rs; // cap at a quarter of the smaller radius
            i64 wi = 256, wj = 256;
            if (R[i] != R[j]) {
                i64 M = m[i] + m[j];
                wi = (512 * m[j] + M / 2) / M;
                wj = (512 * m[i] + M / 2) / M;
            }
            for (int k = 0; k < dim; k++) {
                i64 q = d[k] * ov / dist;
                f[(size_t)i * dim + k] -= q * wi;
                f[(size_t)j * dim + k] += q * wj;
            }
        });
    }
    void walls(size_t i)
    {
        for (int k = 0; k < dim; k++) {
            i64 &p = x[i * dim + k];
            i64 lo = R[i], hi = L - R[i];
            if (p < lo) {
                p = 2 * lo - p;
                if (v[i * dim + k] < 0)
                    v[i * dim + k] = -v[i * dim + k];
            }
            if (p > hi) {
                p = 2 * hi - p;
                if (v[i * dim + k] > 0)
                    v[i * dim + k] = -v[i * dim + k];
            }
        }
    }
    void relax(int it)
    {
        while (it-- > 0) {
            forces();
            for (int i = 0; i < n; i++)
                if (!fixed[i]) {
                    for (int k = 0; k < dim; k++)
                        x[(size_t)i * dim + k] += f[(size_t)i * dim + k] / 64;
                    walls(i);
                }
        }
    }
    void step(i64 v0)
    {
        forces();
        i64 cap = 4 * v0;
        i64 s2 = 0;
        i64 nm = 0;
        for (int i = 0; i < n; i++)
            if (!fixed[i]) {
                nm++;
                for (int k = 0; k < dim; k++) {
                    i64 &w = v[(size_t)i * dim + k];
                    w += f[(size_t)i * dim + k] / 128;
                    w = std::max(-cap, std::min(cap, w));
                    s2 += w * w;
                }
            }
        double s = s2 > 0 ? std::sqrt((double)(nm * v0 * v0) / (double)s2) : 1.0;
        if (s < 0.5)
            s = 0.5;
        if (s > 1.0625)
            s = 1.0625;
        for (int i = 0; i < n; i++)
            if (!fixed[i]) {
                for (int k = 0; k < dim; k++) {
                    i64 &w = v[(size_t)i * dim + k];
                    w = (i64)((double)w * s);
                    x[(size_t)i * dim + k] += w;
                }
                walls(i);
            }
    }
    void init(int n_, int dim_)
    {
        n = n_;
        dim = dim_;
        x.assign((size_t)n * dim, 0);
        v = f = x;
        R.assign(n, 0);
        fixed.assign(n, 0);
        m.assign(n, 1);
    }
    void masses()
    {
        for (int i = 0; i < n; i++) {
            i64 q = R[i] >> 14;
            m[i] = dim == 2 ? q * q : q * q * q;
        }
    }
    void random_v(u64 seed, i64 v0)
    {
        for (size_t k = 0; k < v.size(); k++)
            v[k] = (i64)below(seed + 7, k, 2 * v0 + 1) - v0;
    }
    void shuffle(u64 seed)
    {
        std::vector<int> p(n);
        for (int i = 0; i < n; i++)
            p[i] = i;
        for (int i = n - 1; i > 0; i--)
            std::swap(p[i], p[below(seed + 11, i, i + 1)]);
        Gen o = *this;
        for (int i = 0; i < n; i++) {
            int q = p[i];
            R[q] = o.R[i];
            fixed[q] = o.fixed[i];
            m[q] = o.m[i];
            for (int k = 0; k < dim; k++) {
                x[(size_t)q * dim + k] = o.x[(size_t)i * dim + k];
                v[(size_t)q * dim + k] = o.v[(size_t)i * dim + k];
            }
        }
    }
    // random sequential placement, R already sorted descending
    void rsa(u64 seed, int tries)
    {
        levels();
        std::vector<std::vector<int>> head(lev.size());
        std::vector<int> next(n, -1);
        for (size_t a = 0; a < lev.size(); a++) {
            size_t t = 1;
            for (int k = 0; k < dim; k++)
                t *= lev[a].nc;
            head[a].assign(t, -1);
        }
        u64 ctr = 0;
        size_t top = lev.size() - 1;
        for (int i = 0; i < n; i++) {
            for (int t = 0; t < tries; t++) {
                for (int k = 0; k < dim; k++)
                    x[(size_t)i * dim + k] = R[i] + (i64)below(seed + 3, ctr++, L - 2 * R[i] + 1);
                bool ok = true;
                for (size_t b = top + 1; b-- > 0 && ok;) {
                    const Lev &l = lev[b];
                    if ((int)b < lv[i])
                        break;
                    int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
                    for (int k = 0; k < dim; k++) {
                        i64 w = R[i] + l.rmax;
                        lo[k] = cellc(l, x[(size_t)i * dim + k] - w);
                        hi[k] = cellc(l, x[(size_t)i * dim + k] + w);
                    }
                    for (int cz = lo[2]; cz <= hi[2] && ok; cz++)
                        for (int cy = lo[1]; cy <= hi[1] && ok; cy++)
                            for (int cx = lo[0]; cx <= hi[0] && ok; cx++) {
                                int c = dim == 2 ? cy * l.nc + cx : (cz * l.nc + cy) * l.nc + cx;
                                for (int j = head[b][c]; j >= 0; j = next[j]) {
                                    i64 S = (R[i] + R[j]) >> 4, d2 = 0;
                                    bool far = false;
                                    for (int k = 0; k < dim; k++) {
                                        i64 d = (x[(size_t)j * dim + k] >> 4) -
                                                (x[(size_t)i * dim + k] >> 4);
                                        if (d >= S || d <= -S) {
                                            far = true;
                                            break;
                                        }
                                        d2 += d * d;
                                    }
                                    if (!far && d2 < S * S) {
                                        ok = false;
                                        break;
                                    }
                                }
                            }
                }
                if (ok)
                    break;
            }
            int c = cell(lev[lv[i]], i);
            next[i] = head[lv[i]][c];
            head[lv[i]][c] = i;
        }
    }
};
static i64 r15(double r)
{
    return 4 * (i64)std::floor(r * 8192.0) + 1;
}
static i64 boxL(double l)
{
    return (i64)std::ceil(l * 8192.0) << 11;
}
static const double PI = 3.141592653589793;

/** A start and how its frames follow from it. */
struct Plan {
    Gen g;
    u64 seed = 1000;
    i64 v0 = 83886;
    double rref = 0.5;
    int every = 1;  // steps per frame
    int interp = 1; // frames per step
    bool settled = true;
};

/** Perkins' test 1: n discs on a square lattice, n a square number. */
static void plan_p1(Plan &p, long n)
{
    Gen &g = p.g;
    int mm = (int)std::lround(std::sqrt((double)n));
    g.init(mm * mm, 2);
    g.L = (i64)mm << 24;
    p.settled = false;
    for (int j = 0; j < mm; j++)
        for (int i = 0; i < mm; i++) {
            int id = j * mm + i;
            g.R[id] = r15(0.5) << 9;
            bool ext = i == 0 || j == 0 || i == mm - 1 || j == mm - 1;
            g.fixed[id] = ext;
            g.x[2 * id] = ((i64)i << 24) + (1 << 23);
            g.x[2 * id + 1] = ((i64)j << 24) + (1 << 23);
            if (ext)
                continue;
            i64 ax = p.v0 / 2 + (i64)below(p.seed + 5, 2 * id, p.v0 / 2),
                ay = p.v0 / 2 + (i64)below(p.seed + 5, 2 * id + 1, p.v0 / 2);
            g.v[2 * id] = (i + j) & 1 ? -ax : ax;
            g.v[2 * id + 1] = i & 1 ? -ay : ay;
        }
    g.masses();
}

/** Perkins' test 2: n discs, sizes 1 : rho, number density d^-2, smallest diameter 0.5. */
static void plan_p2(Plan &p, long n, double rho)
{
    Gen &g = p.g;
    p.seed = 2000 + (u64)rho;
    g.init(n, 2);
    p.rref = 0.25;
    p.v0 = 41943;
    for (int i = 0; i < n; i++) {
        double u = (double)(rnd(p.seed + 1, i) >> 32) / 4294967296.0;
        double d = 0.5 / (1.0 - u * (1.0 - 1.0 / rho));
        g.R[i] = r15(d * 0.5) << 9;
    }
    std::sort(g.R.rbegin(), g.R.rend());
    i64 s = 0;
    for (i64 r : g.R)
        s += (r >> 9) * (r >> 9);
    g.L = boxL(std::sqrt(PI * (double)s / 0.8) / 32768.0);
    g.masses();
    g.rsa(p.seed, 200);
    g.relax(400);
    g.random_v(p.seed, p.v0);
}

/** n equal spheres, n a cube number; motion of 0.1, 1 or 10 % of the radius per frame. */
static void plan_p3(Plan &p, long n, double percent)
{
    Gen &g = p.g;
    p.seed = 3000;
    int mm = (int)std::lround(std::cbrt((double)n));
    int N = mm * mm * mm;
    g.init(N, 3);
    double l = std::cbrt((double)N * (PI / 6.0) / 0.55);
    g.L = boxL(l);
    i64 a = g.L / mm;
    for (int i = 0; i < N; i++) {
        g.R[i] = r15(0.5) << 9;
        int c[3] = {i % mm, i / mm % mm, i / mm / mm};
        for (int k = 0; k < 3; k++)
            g.x[(size_t)3 * i + k] =
                c[k] * a + a / 2 + (i64)below(p.seed + 1, (u64)3 * i + k, a / 4) - a / 8;
    }
    g.masses();
    g.random_v(p.seed, p.v0);
    p.interp = percent == 0.1 ? 10 : 1;
    p.every = percent == 10 ? 10 : 1;
}

/** Spheres of diameters 1 : 10 or 1 : 100; percent of their numbers, 0 for all. */
static void plan_p4(Plan &p, bool to_100, long percent)
{
    struct Class {
        double d;
        int c;
    };
    std::vector<Class> classes = {{10, 100}, {1, 99900}};
    p.seed = 4000;
    if (to_100) {
        p.seed = 5000;
        classes = {{100, 1}, {33, 8}, {10, 400}, {3.25, 5000}, {1, 200000}};
    }
    Gen &g = p.g;
    int N = 0;
    for (Class &c : classes) {
        if (percent > 0)
            c.c = std::max(1L, c.c * percent / 100);
        N += c.c;
    }
    g.init(N, 3);
    int i = 0;
    double s = 0;
    for (const Class &c : classes) {
        s += c.c * (c.d * c.d * c.d);
        for (int k = 0; k < c.c; k++)
            g.R[i++] = r15(c.d * 0.5) << 9;
    }
    g.L = boxL(std::cbrt(s * (PI / 6.0) / (to_100 ? 0.5 : 0.55)));
    g.masses();
    g.rsa(p.seed, 50);
    g.relax(200);
    g.random_v(p.seed, p.v0);
}

static void make_plan(Plan &p, const std::string &spec)
{
    char kind[16] = "";
    long a = 0;
    double b = 0;
    sscanf(spec.c_str(), "%15[^:]:%ld:%lf", kind, &a, &b);
    std::string k = kind;
    if (k == "P1")
        plan_p1(p, a);
    else if (k == "P2")
        plan_p2(p, a, b);
    else if (k == "P3")
        plan_p3(p, a, b);
    else if (k == "P4a" || k == "P4b")
        plan_p4(p, k == "P4b", a);
    else {
        fprintf(stderr, "bad spec %s\n", spec.c_str());
        exit(2);
    }
}

static void snap(Workload &w, const std::vector<i64> &x)
{
    std::vector<int32_t> o(x.size());
    for (size_t k = 0; k < x.size(); k++)
        o[k] = (int32_t)((x[k] + 1024) >> 11);
    w.frames.push_back(std::move(o));
}

/** The frames of one step, cut into `interp` pieces. */
static void snap_between(Workload &w, const std::vector<i64> &from, const std::vector<i64> &to,
                         int interp, int n_frames)
{
    std::vector<i64> q(from.size());
    for (int s = 1; s <= interp && (int)w.frames.size() < n_frames; s++) {
        for (size_t k = 0; k < q.size(); k++)
            q[k] = from[k] + (to[k] - from[k]) * s / interp;
        snap(w, q);
    }
}

static void record(Workload &w, Plan &p, int n_frames)
{
    snap(w, p.g.x);
    while ((int)w.frames.size() < n_frames) {
        std::vector<i64> from;
        if (p.interp > 1)
            from = p.g.x;
        for (int e = 0; e < p.every; e++)
            p.g.step(p.v0);
        if (p.interp > 1)
            snap_between(w, from, p.g.x, p.interp, n_frames);
        else
            snap(w, p.g.x);
    }
}

/** Root of the mean square of the displacement per frame, over the reference radius. */
static double displacement(const Workload &w, double rref)
{
    double d2 = 0;
    size_t c = 0;
    size_t n_frames = std::min<size_t>(w.frames.size(), 21);
    for (size_t f = 1; f < n_frames; f++)
        for (size_t k = 0; k < w.frames[f].size(); k++) {
            double d = (w.frames[f][k] - w.frames[f - 1][k]) / 8192.0;
            d2 += d * d;
            c += k % w.dim == 0;
        }
    return c ? std::sqrt(d2 / c) / rref : 0.0;
}

Workload make_workload(const std::string &spec, int n_frames, bool shuffle)
{
    Plan p;
    make_plan(p, spec);
    Gen &g = p.g;
    if (shuffle)
        g.shuffle(p.seed);
    g.levels();
    for (int t = 0; p.settled && t < 100; t++)
        g.step(p.v0);
    Workload w;
    w.name = spec;
    w.dim = g.dim;
    w.n = g.n;
    w.L = (double)g.L / 16777216.0;
    w.R15.resize(g.n);
    double vol = 0;
    for (int i = 0; i < g.n; i++) {
        w.R15[i] = (int32_t)(g.R[i] >> 9);
        double r = w.R15[i] / 32768.0;
        vol += g.dim == 2 ? PI * r * r : PI * 4 / 3 * r * r * r;
    }
    w.phi = vol / std::pow(w.L, g.dim);
    record(w, p, n_frames);
    w.disp_rms_rel = displacement(w, p.rref);
    return w;
}
