// SPDX-License-Identifier: Apache-2.0
// FCL broad-phase managers. Built without -march=native: Eigen's ABI must match libfcl.
#include "bp.hpp"
#include <fcl/fcl.h>
#include <memory>
namespace
{
typedef fcl::CollisionObjectd CO;
static bool cb(CO *a, CO *b, void *d)
{
    sink_pair((Sink *)d, (uint32_t)(size_t)a->getUserData(), (uint32_t)(size_t)b->getUserData());
    return false;
}
// SpatialHash in 0.7 calls back every pair that shares a hash bucket without a box test: filter
// here
struct Ctx {
    Sink *k;
    const Scene *s;
    uint64_t *c;
};
static bool cbf(CO *a, CO *b, void *d)
{
    Ctx *x = (Ctx *)d;
    uint32_t i = (uint32_t)(size_t)a->getUserData(), j = (uint32_t)(size_t)b->getUserData();
    ++*x->c;
    if (overlap(*x->s, i, j))
        sink_pair(x->k, i, j);
    return false;
}
template <class M, bool FILT = false> struct F : Algo {
    std::vector<std::unique_ptr<CO>> o;
    std::unique_ptr<M> m;
    bool first = true;
    static M *make(const Scene &)
    {
        return new M();
    }
    F(const Scene &s)
    {
        m.reset(make(s));
        std::vector<CO *> p;
        for (int i = 0; i < s.n; i++) {
            auto g = std::make_shared<fcl::Sphered>(s.r[i]);
            auto c = new CO(g, fcl::Transform3d::Identity());
            c->setTranslation(fcl::Vector3d(s.x[i], s.y[i], s.z[i]));
            c->computeAABB();
            c->setUserData((void *)(size_t)i);
            o.emplace_back(c);
            p.push_back(c);
        }
        m->registerObjects(p);
        m->setup();
    }
    ~F()
    {
        m.reset();
    }
    void step(const Scene &s, Sink &k) override
    {
        if (!first) {
            for (int i = 0; i < s.n; i++) {
                o[i]->setTranslation(fcl::Vector3d(s.x[i], s.y[i], s.z[i]));
                o[i]->computeAABB();
            }
            m->update();
        }
        first = false;
        if (FILT) {
            Ctx x{&k, &s, &cand};
            m->collide(&x, cbf);
        } else
            m->collide(&k, cb);
    }
};
typedef fcl::SpatialHashingCollisionManager<double> SH;
template <> SH *F<SH, true>::make(const Scene &s)
{
    fcl::Vector3d lo(-1, -1, -1);
    fcl::Vector3d hi(s.L[0] + 1, s.L[1] + 1, s.L[2] + 1);
    double sum = 0;
    for (double r : s.r)
        sum += 2 * r;
    return new SH(2.0 * sum / s.n, lo, hi, (unsigned)(s.n));
}
typedef F<SH, true> FSH;
REG(1, "fcl_SaP", 3, 11000, F<fcl::SaPCollisionManagerd>);
REG(2, "fcl_SSaP", 3, 110000, F<fcl::SSaPCollisionManagerd>);
REG(3, "fcl_SpatialHash", 3, 110000, FSH);
REG(4, "fcl_IntervalTree", 3, 11000, F<fcl::IntervalTreeCollisionManagerd>);
REG(5, "fcl_DynamicAABBTree", 3, 250000, F<fcl::DynamicAABBTreeCollisionManagerd>);
REG(6, "fcl_DynamicAABBTreeArray", 3, 1100000, F<fcl::DynamicAABBTreeCollisionManager_Arrayd>);
} // namespace
