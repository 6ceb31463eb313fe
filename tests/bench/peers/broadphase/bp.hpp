// SPDX-License-Identifier: Apache-2.0
// The interface of a broad phase that the harness times: a class derived from Algo, and REG.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>
struct Scene { // SoA, float64; for dim 2, z is all zero
    int dim;
    int n;
    std::vector<double> x, y, z, r;
    double L[3];
    double rmin, rmax;
};
struct Sink {
    uint64_t cnt = 0, s1 = 0, s2 = 0;
}; // order-independent pair fingerprint
extern "C" void sink_pair(Sink *, uint32_t,
                          uint32_t); // deliberately out of line: "a per-pair callback"
inline bool overlap(const Scene &s, uint32_t a, uint32_t b)
{
    double q = s.r[a] + s.r[b];
    return std::fabs(s.x[a] - s.x[b]) < q && std::fabs(s.y[a] - s.y[b]) < q &&
           std::fabs(s.z[a] - s.z[b]) < q;
}
struct Algo {
    uint64_t cand = 0; // candidates before the exact AABB filter (if it filters)
    virtual ~Algo()
    {
    }
    virtual void step(const Scene &,
                      Sink &) = 0; // update from positions + enumerate all AABB pairs once
};
typedef Algo *(*Factory)(const Scene &);
struct Reg {
    const char *name;
    int dims;
    long maxN;
    Factory make;
}; // dims: bit0 = 2D, bit1 = 3D
std::vector<Reg> &registry();
struct AutoReg {
    AutoReg(const char *n, int d, long m, Factory f)
    {
        registry().push_back({n, d, m, f});
    }
};
#define REG(id, name, dims, maxN, T)                                                               \
    static AutoReg ar_##id(name, dims, maxN, [](const Scene &s) -> Algo * { return new T(s); })
