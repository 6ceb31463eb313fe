// SPDX-License-Identifier: Apache-2.0
// Bullet broad phases. Stock Debian build (float32). Pair cache walked and filtered each step.
#include "bp.hpp"
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <memory>
namespace
{
struct B : Algo {
    std::unique_ptr<btBroadphaseInterface> bp;
    std::vector<btBroadphaseProxy *> p;
    void init(const Scene &s)
    {
        p.resize(s.n);
        for (int i = 0; i < s.n; i++)
            p[i] = bp->createProxy(lo(s, i), hi(s, i), 0, (void *)(size_t)i, 1, 1, nullptr);
    }
    static btVector3 lo(const Scene &s, int i)
    {
        return btVector3(s.x[i] - s.r[i], s.y[i] - s.r[i], s.z[i] - s.r[i]);
    }
    static btVector3 hi(const Scene &s, int i)
    {
        return btVector3(s.x[i] + s.r[i], s.y[i] + s.r[i], s.z[i] + s.r[i]);
    }
    void step(const Scene &s, Sink &k) override
    {
        for (int i = 0; i < s.n; i++)
            bp->setAabb(p[i], lo(s, i), hi(s, i), nullptr);
        bp->calculateOverlappingPairs(nullptr);
        auto &a = bp->getOverlappingPairCache()->getOverlappingPairArray();
        int n = a.size();
        cand += n;
        for (int t = 0; t < n; t++) {
            uint32_t i = (uint32_t)(size_t)a[t].m_pProxy0->m_clientObject,
                     j = (uint32_t)(size_t)a[t].m_pProxy1->m_clientObject;
            if (overlap(s, i, j))
                sink_pair(&k, i, j);
        }
    }
};
struct Dbvt : B {
    Dbvt(const Scene &s)
    {
        bp.reset(new btDbvtBroadphase());
        init(s);
    }
};
static btVector3 wl()
{
    return btVector3(-1, -1, -1);
}
static btVector3 wh(const Scene &s)
{
    return btVector3(s.L[0] + 1, s.L[1] + 1, s.L[2] + 1);
}
struct S32 : B {
    S32(const Scene &s)
    {
        bp.reset(new bt32BitAxisSweep3(wl(), wh(s), s.n + 2, 0, true));
        init(s);
    }
};
struct S16 : B {
    S16(const Scene &s)
    {
        bp.reset(new btAxisSweep3(wl(), wh(s), (unsigned short)(s.n + 2), 0, true));
        init(s);
    }
};
REG(1, "bullet_Dbvt", 3, 250000, Dbvt);
REG(2, "bullet_32BitAxisSweep3", 3, 26000, S32);
REG(3, "bullet_AxisSweep3", 3, 16000, S16);
} // namespace
