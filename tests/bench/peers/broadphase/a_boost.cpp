// SPDX-License-Identifier: Apache-2.0
// Boost.Geometry rtree, packed (bulk) rebuild every step.
#include "bp.hpp"
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;
namespace
{
template <int D> struct T {
    typedef bg::model::point<double, D, bg::cs::cartesian> P;
    typedef bg::model::box<P> Bx;
    typedef std::pair<Bx, uint32_t> V;
    typedef bgi::rtree<V, bgi::quadratic<16>> RT;
    std::vector<V> v;
    std::unique_ptr<RT> t;
    static Bx box(const Scene &s, int i)
    {
        Bx b;
        bg::set<bg::min_corner, 0>(b, s.x[i] - s.r[i]);
        bg::set<bg::max_corner, 0>(b, s.x[i] + s.r[i]);
        bg::set<bg::min_corner, 1>(b, s.y[i] - s.r[i]);
        bg::set<bg::max_corner, 1>(b, s.y[i] + s.r[i]);
        if constexpr (D == 3) {
            bg::set<bg::min_corner, 2>(b, s.z[i] - s.r[i]);
            bg::set<bg::max_corner, 2>(b, s.z[i] + s.r[i]);
        }
        return b;
    }
    void go(const Scene &s, Sink &k)
    {
        v.resize(s.n);
        for (int i = 0; i < s.n; i++)
            v[i] = V(box(s, i), i);
        t.reset();
        t.reset(new RT(v.begin(), v.end()));
        for (int i = 0; i < s.n; i++)
            t->query(bgi::intersects(box(s, i)),
                     boost::make_function_output_iterator([&](const V &o) {
                         if (o.second > (uint32_t)i)
                             sink_pair(&k, i, o.second);
                     }));
    }
};
struct R : Algo {
    T<2> a;
    T<3> b;
    R(const Scene &)
    {
    }
    void step(const Scene &s, Sink &k) override
    {
        if (s.dim == 2)
            a.go(s, k);
        else
            b.go(s, k);
    }
};
REG(1, "boost_rtree_rebuild", 3, 250000, R);
} // namespace
