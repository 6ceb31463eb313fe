// SPDX-License-Identifier: Apache-2.0
// Reference broad phases "as a good engineer would hand-write them". float64.
#include "bp.hpp"
#include <algorithm>
#include <cstring>
#include <numeric>
#ifdef __AVX512F__
#include <immintrin.h>
#endif
namespace
{
typedef uint32_t u32;
struct SoA {
    std::vector<double> x, y, z, r;
    std::vector<u32> id;
    void size(size_t n)
    {
        if (x.size() == n)
            return;
        x.resize(n);
        y.resize(n);
        z.resize(n);
        r.resize(n);
        id.resize(n);
    }
};
// test one box against [b,e) of a sorted SoA, report
template <bool D3>
static inline void range(const SoA &q, double x, double y, double z, double r, u32 id, size_t b,
                         size_t e, Sink &k)
{
#ifdef __AVX512F__
    const __m512d X = _mm512_set1_pd(x), Y = _mm512_set1_pd(y), Z = _mm512_set1_pd(z),
                  R = _mm512_set1_pd(r);
    for (; b < e; b += 8) {
        __mmask8 m = e - b >= 8 ? 0xff : (__mmask8)((1u << (e - b)) - 1);
        __m512d s = _mm512_add_pd(R, _mm512_maskz_loadu_pd(m, &q.r[b]));
        m = _mm512_mask_cmp_pd_mask(
            m, _mm512_abs_pd(_mm512_sub_pd(X, _mm512_maskz_loadu_pd(m, &q.x[b]))), s, _CMP_LT_OQ);
        m = _mm512_mask_cmp_pd_mask(
            m, _mm512_abs_pd(_mm512_sub_pd(Y, _mm512_maskz_loadu_pd(m, &q.y[b]))), s, _CMP_LT_OQ);
        if (D3)
            m = _mm512_mask_cmp_pd_mask(
                m, _mm512_abs_pd(_mm512_sub_pd(Z, _mm512_maskz_loadu_pd(m, &q.z[b]))), s,
                _CMP_LT_OQ);
        for (u32 w = m; w; w &= w - 1)
            sink_pair(&k, id, q.id[b + __builtin_ctz(w)]);
    }
#else
    for (; b < e; b++) {
        double s = r + q.r[b];
        if (std::fabs(x - q.x[b]) < s && std::fabs(y - q.y[b]) < s &&
            (!D3 || std::fabs(z - q.z[b]) < s))
            sink_pair(&k, id, q.id[b]);
    }
#endif
}
struct Brute : Algo {
    SoA q;
    Brute(const Scene &s)
    {
        q.size(s.n);
        std::iota(q.id.begin(), q.id.end(), 0);
    }
    void step(const Scene &s, Sink &k) override
    {
        q.x = s.x;
        q.y = s.y;
        q.z = s.z;
        q.r = s.r;
        for (int i = 0; i < s.n; i++)
            range<true>(q, s.x[i], s.y[i], s.z[i], s.r[i], i, i + 1, s.n, k);
    }
};
// one level of cells, counting sort
struct Level {
    double c, ic;
    int nc[3];
    SoA q;
    std::vector<u32> start, ci, cur;
    std::vector<u32> members;
    double rmax;
    void setup(const Scene &s, double cell)
    {
        c = cell;
        ic = 1 / c;
        size_t t = 1;
        for (int k = 0; k < 3; k++) {
            nc[k] = std::max(1, (int)(s.L[k] / c) + 1);
            t *= nc[k];
        }
        start.assign(t + 2, 0);
    }
    int cl(double p, int k) const
    {
        int q = (int)(p * ic);
        return q < 0 ? 0 : q >= nc[k] ? nc[k] - 1 : q;
    }
    template <bool D3> void build(const Scene &s)
    {
        size_t n = members.size();
        q.size(n);
        ci.resize(n);
        std::fill(start.begin(), start.end(), 0);
        u32 *h = start.data() + 2; // start[c+1] becomes the running cursor, ends up as end of c
        bool all = n == (size_t)s.n;
        for (size_t t = 0; t < n; t++) {
            u32 i = all ? (u32)t : members[t];
            u32 c = cl(s.x[i], 0) + nc[0] * (cl(s.y[i], 1) + (D3 ? nc[1] * cl(s.z[i], 2) : 0));
            ci[t] = c;
            h[(long)c]++;
        }
        for (size_t t = 2; t < start.size(); t++)
            start[t] += start[t - 1];
        for (size_t t = 0; t < n; t++) {
            u32 i = all ? (u32)t : members[t];
            u32 d = start[ci[t] + 1]++;
            q.x[d] = s.x[i];
            q.y[d] = s.y[i];
            if (D3)
                q.z[d] = s.z[i];
            q.r[d] = s.r[i];
            q.id[d] = i;
        }
    }
    template <bool D3> void self(Sink &k)
    {
        const int nx = nc[0], ny = nc[1], nz = nc[2];
        for (int z = 0; z < nz; z++)
            for (int y = 0; y < ny; y++) {
                size_t row = (size_t)(z * ny + y) * nx;
                for (int x = 0; x < nx; x++) {
                    u32 b = start[row + x], e = start[row + x + 1];
                    if (b == e)
                        continue;
                    int xl = x > 0 ? x - 1 : 0, xh = x + 1 < nx ? x + 1 : x;
                    u32 e1 = start[row + xh + 1];
                    u32 rb[4], re[4];
                    int nr = 0;
                    auto add = [&](int yy, int zz) {
                        size_t r = (size_t)(zz * ny + yy) * nx;
                        u32 b2 = start[r + xl], e2 = start[r + xh + 1];
                        if (b2 < e2) {
                            rb[nr] = b2;
                            re[nr++] = e2;
                        }
                    };
                    if (y + 1 < ny)
                        add(y + 1, z);
                    if (D3 && z + 1 < nz) {
                        if (y > 0)
                            add(y - 1, z + 1);
                        add(y, z + 1);
                        if (y + 1 < ny)
                            add(y + 1, z + 1);
                    }
                    for (u32 i = b; i < e; i++) {
                        const double X = q.x[i], Y = q.y[i], Z = D3 ? q.z[i] : 0, R = q.r[i];
                        u32 id = q.id[i];
                        range<D3>(q, X, Y, Z, R, id, i + 1, e1, k);
                        for (int t = 0; t < nr; t++)
                            range<D3>(q, X, Y, Z, R, id, rb[t], re[t], k);
                    }
                }
            }
    }
    template <bool D3> void cross(const Level &o, Sink &k)
    { // this = coarser, o = finer: few big objects scan the rows of small ones
        for (size_t i = 0; i < q.id.size(); i++) {
            double w = q.r[i] + o.rmax;
            int xl = o.cl(q.x[i] - w, 0), xh = o.cl(q.x[i] + w, 0), yl = o.cl(q.y[i] - w, 1),
                yh = o.cl(q.y[i] + w, 1), zl = D3 ? o.cl(q.z[i] - w, 2) : 0,
                zh = D3 ? o.cl(q.z[i] + w, 2) : 0;
            for (int z = zl; z <= zh; z++)
                for (int y = yl; y <= yh; y++) {
                    size_t r = (size_t)(z * o.nc[1] + y) * o.nc[0];
                    u32 b = o.start[r + xl], e = o.start[r + xh + 1];
                    if (b < e)
                        range<D3>(o.q, q.x[i], q.y[i], D3 ? q.z[i] : 0, q.r[i], q.id[i], b, e, k);
                }
        }
    }
};
struct Grid : Algo {
    Level l;
    Grid(const Scene &s)
    {
        l.members.resize(s.n);
        std::iota(l.members.begin(), l.members.end(), 0);
        l.setup(s, 2 * s.rmax);
    }
    void step(const Scene &s, Sink &k) override
    {
        if (s.dim == 3) {
            l.build<true>(s);
            l.self<true>(k);
        } else {
            l.build<false>(s);
            l.self<false>(k);
        }
    }
};
struct HGrid : Algo {
    std::vector<Level> v;
    HGrid(const Scene &s)
    {
        double c = 4 * s.rmin;
        std::vector<double> cs;
        for (;; c *= 2) {
            cs.push_back(std::min(c, 2 * s.rmax));
            if (c > 2 * s.rmax)
                break;
        }
        v.resize(cs.size());
        for (int i = 0; i < s.n; i++) {
            size_t a = 0;
            while (a + 1 < cs.size() && 2 * s.r[i] >= cs[a])
                a++;
            v[a].members.push_back(i);
        }
        for (size_t a = 0; a < v.size(); a++) {
            v[a].rmax = 0;
            for (u32 i : v[a].members)
                v[a].rmax = std::max(v[a].rmax, s.r[i]);
        }
        for (size_t a = v.size(); a-- > 0;)
            if (v[a].members.empty())
                v.erase(v.begin() + a);
        for (auto &l : v)
            l.setup(s, 2 * l.rmax * (1 + 1e-12));
    }
    template <bool D3> void go(const Scene &s, Sink &k)
    {
        for (auto &l : v)
            l.build<D3>(s);
        for (size_t a = 0; a < v.size(); a++) {
            v[a].self<D3>(k);
            for (size_t b = a + 1; b < v.size(); b++)
                v[b].cross<D3>(v[a], k);
        }
    }
    void step(const Scene &s, Sink &k) override
    {
        if (s.dim == 3)
            go<true>(s, k);
        else
            go<false>(s, k);
    }
};
// Verlet list over the hierarchical grid; skin 0.3 rmin on the box half width, rebuilt on max
// displacement
struct Verlet : Algo {
    HGrid *g = nullptr;
    Scene e;
    double skin;
    std::vector<double> x0, y0, z0;
    std::vector<u32> a, b;
    std::vector<u32> st;
    bool have = false;
    long builds = 0;
    Verlet(const Scene &s)
    {
        e = s;
        skin = 0.3 * s.rmin;
        for (auto &r : e.r)
            r += skin / 2;
        e.rmin += skin / 2;
        e.rmax += skin / 2;
        g = new HGrid(e);
    }
    ~Verlet()
    {
        delete g;
    }
    struct Cap : Sink {
    };
    bool moved(const Scene &s)
    {
        double m = 0;
        for (int i = 0; i < s.n; i++) {
            double d = std::max(std::fabs(s.x[i] - e.x[i]),
                                std::max(std::fabs(s.y[i] - e.y[i]), std::fabs(s.z[i] - e.z[i])));
            m = std::max(m, d);
        }
        return m > skin / 2;
    }
    template <bool D3>
    static void collect(const SoA &q, const Level &L, double x, double y, double z, double r,
                        u32 id, size_t lo, size_t hi, std::vector<u32> &A, std::vector<u32> &B)
    {
        for (size_t t = lo; t < hi; t++) {
            double s = r + q.r[t];
            if (std::fabs(x - q.x[t]) < s && std::fabs(y - q.y[t]) < s &&
                (!D3 || std::fabs(z - q.z[t]) < s)) {
                A.push_back(id);
                B.push_back(q.id[t]);
            }
        }
    }
    template <bool D3> void rebuild(const Scene &s)
    {
        e.x = s.x;
        e.y = s.y;
        e.z = s.z;
        a.clear();
        b.clear();
        auto &v = g->v;
        for (auto &l : v)
            l.build<D3>(e);
        for (size_t p = 0; p < v.size(); p++)
            for (size_t o = p; o < v.size(); o++) {
                Level &l = v[o];
                Level &m = v[p];
                for (size_t i = 0; i < l.q.id.size(); i++) {
                    double X = l.q.x[i], Y = l.q.y[i], Z = D3 ? l.q.z[i] : 0, R = l.q.r[i],
                           w = R + m.rmax;
                    int xl = m.cl(X - w, 0), xh = m.cl(X + w, 0), yl = m.cl(Y - w, 1),
                        yh = m.cl(Y + w, 1), zl = D3 ? m.cl(Z - w, 2) : 0,
                        zh = D3 ? m.cl(Z + w, 2) : 0;
                    for (int z = zl; z <= zh; z++)
                        for (int y = yl; y <= yh; y++) {
                            size_t r = (size_t)(z * m.nc[1] + y) * m.nc[0];
                            size_t lo = m.start[r + xl], hi = m.start[r + xh + 1];
                            if (o == p)
                                lo = std::max(lo, i + 1);
                            collect<D3>(m.q, m, X, Y, Z, R, l.q.id[i], lo, hi, a, b);
                        }
                }
            }
        have = true;
        builds++;
    }
    void step(const Scene &s, Sink &k) override
    {
        if (!have || moved(s)) {
            if (s.dim == 3)
                rebuild<true>(s);
            else
                rebuild<false>(s);
        }
        size_t n = a.size();
        cand += n;
        for (size_t t = 0; t < n; t++)
            if (overlap(s, a[t], b[t]))
                sink_pair(&k, a[t], b[t]);
    }
};
// one-axis sort and sweep, order kept between steps, insertion sort with fallback
struct Sweep1 : Algo {
    SoA q;
    std::vector<std::pair<double, u32>> o;
    std::vector<double> lo;
    Sweep1(const Scene &s)
    {
        o.resize(s.n);
        for (int i = 0; i < s.n; i++)
            o[i] = {s.x[i] - s.r[i], (u32)i};
        std::sort(o.begin(), o.end());
        lo.resize(s.n);
    }
    void step(const Scene &s, Sink &k) override
    {
        size_t n = s.n;
        q.size(n);
        for (auto &p : o)
            p.first = s.x[p.second] - s.r[p.second];
        long budget = 40l * n;
        bool full = false;
        for (size_t i = 1; i < n; i++) {
            auto v = o[i];
            size_t j = i;
            while (j && o[j - 1].first > v.first) {
                o[j] = o[j - 1];
                j--;
            }
            o[j] = v;
            if ((budget -= i - j) < 0) {
                full = true;
                break;
            }
        }
        if (full)
            std::sort(o.begin(), o.end());
        for (size_t i = 0; i < n; i++) {
            u32 d = o[i].second;
            q.x[i] = s.x[d];
            q.y[i] = s.y[d];
            q.z[i] = s.z[d];
            q.r[i] = s.r[d];
            q.id[i] = d;
            lo[i] = o[i].first;
        }
        size_t e = 0;
        bool mono = s.rmin == s.rmax;
        for (size_t i = 0; i < n; i++) {
            double hi = q.x[i] + q.r[i];
            if (mono) {
                while (e < n && lo[e] < hi)
                    e++;
            } else {
                e = std::lower_bound(lo.begin() + i, lo.end(), hi) - lo.begin();
            }
            range<true>(q, q.x[i], q.y[i], q.z[i], q.r[i], q.id[i], i + 1, e, k);
        }
    }
};
// the read of positions and radii and only the sum: lower bound used for the physical limit
struct ReadOnly : Algo {
    ReadOnly(const Scene &)
    {
    }
    void step(const Scene &s, Sink &k) override
    {
        double a = 0;
        for (int i = 0; i < s.n; i++)
            a += s.x[i] + s.y[i] + s.z[i] + s.r[i];
        k.s1 = (uint64_t)a;
    }
};
struct WritePairs : Algo {
    std::vector<u32> p;
    WritePairs(const Scene &s)
    {
        p.resize((size_t)s.n * 5);
    }
    void step(const Scene &s, Sink &k) override
    {
        double a = 0;
        for (int i = 0; i < s.n; i++)
            a += s.x[i] + s.y[i] + s.z[i] + s.r[i];
        u32 h = (u32)a;
        for (size_t i = 0; i < p.size(); i++)
            p[i] = h + (u32)i;
        k.s1 = p[p.size() / 2];
    }
};
REG(1, "own_brute", 3, 6500, Brute);
REG(2, "own_grid_csort", 3, 1 << 30, Grid);
REG(3, "own_hgrid_csort", 3, 1 << 30, HGrid);
REG(4, "own_verlet_hgrid", 3, 1 << 30, Verlet);
REG(5, "own_sweep1_simd", 3, 250000, Sweep1);
REG(6, "zz_limit_read", 3, 1 << 30, ReadOnly);
REG(7, "zz_limit_read_write2.5pairs", 3, 1 << 30, WritePairs);
} // namespace
