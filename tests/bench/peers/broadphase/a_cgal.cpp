// SPDX-License-Identifier: Apache-2.0
// CGAL box_self_intersection_d, boxes rebuilt every step.
#include "bp.hpp"
#include <CGAL/Box_intersection_d/Box_with_handle_d.h>
#include <CGAL/box_intersection_d.h>
namespace
{
template <int D> struct G {
    typedef CGAL::Box_intersection_d::Box_with_handle_d<double, D, const double *> B;
    std::vector<B> v;
    std::vector<B *> p;
    void go(const Scene &s, Sink &k, bool ptr)
    {
        v.clear();
        v.reserve(s.n);
        const double *base = s.x.data();
        for (int i = 0; i < s.n; i++) {
            double lo[3] = {s.x[i] - s.r[i], s.y[i] - s.r[i], s.z[i] - s.r[i]},
                   hi[3] = {s.x[i] + s.r[i], s.y[i] + s.r[i], s.z[i] + s.r[i]};
            v.emplace_back(lo, hi, base + i);
        }
        if (ptr) {
            p.resize(s.n);
            for (int i = 0; i < s.n; i++)
                p[i] = &v[i];
            CGAL::box_self_intersection_d(p.begin(), p.end(), [&](const B *a, const B *b) {
                sink_pair(&k, (uint32_t)(a->handle() - base), (uint32_t)(b->handle() - base));
            });
        } else
            CGAL::box_self_intersection_d(v.begin(), v.end(), [&](const B &a, const B &b) {
                sink_pair(&k, (uint32_t)(a.handle() - base), (uint32_t)(b.handle() - base));
            });
    }
};
template <bool P> struct C : Algo {
    G<2> a;
    G<3> b;
    C(const Scene &)
    {
    }
    void step(const Scene &s, Sink &k) override
    {
        if (s.dim == 2)
            a.go(s, k, P);
        else
            b.go(s, k, P);
    }
};
REG(1, "cgal_box_self_ptr", 3, 1100000, C<true>);
REG(2, "cgal_box_self_val", 3, 1100000, C<false>);
} // namespace
