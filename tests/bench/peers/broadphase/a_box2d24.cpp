// SPDX-License-Identifier: Apache-2.0
// Box2D 2.4 (Debian, C++, float32), 2D only.
#include "bp.hpp"
#include "pairset.hpp"
#include <box2d/box2d.h>
namespace
{
static b2AABB bx(const Scene &s, int i)
{
    b2AABB a;
    a.lowerBound.Set(s.x[i] - s.r[i], s.y[i] - s.r[i]);
    a.upperBound.Set(s.x[i] + s.r[i], s.y[i] + s.r[i]);
    return a;
}
// as b2ContactManager does: broad phase reports new pairs, the client keeps them while fat boxes
// overlap
struct BP : Algo {
    b2BroadPhase bp;
    std::vector<int> pid;
    PairSet ps;
    BP(const Scene &s)
    {
        for (int i = 0; i < s.n; i++)
            pid.push_back(bp.CreateProxy(bx(s, i), (void *)(size_t)i));
    }
    void AddPair(void *a, void *b)
    {
        ps.add((uint32_t)(size_t)a, (uint32_t)(size_t)b);
    }
    void step(const Scene &s, Sink &k) override
    {
        for (int i = 0; i < s.n; i++)
            bp.MoveProxy(pid[i], bx(s, i), b2Vec2(0, 0));
        bp.UpdatePairs(this);
        cand += ps.list.size();
        for (size_t t = 0; t < ps.list.size();) {
            uint32_t a = ps.list[t] >> 32, b = (uint32_t)ps.list[t];
            if (overlap(s, a, b))
                sink_pair(&k, a, b);
            else if (!bp.TestOverlap(pid[a], pid[b])) {
                ps.erase_key(ps.list[t]);
                ps.list[t] = ps.list.back();
                ps.list.pop_back();
                continue;
            }
            t++;
        }
    }
};
struct TQ : Algo {
    b2DynamicTree tr;
    std::vector<int> pid;
    const Scene *sc;
    Sink *sk;
    uint32_t me;
    TQ(const Scene &s)
    {
        for (int i = 0; i < s.n; i++)
            pid.push_back(tr.CreateProxy(bx(s, i), (void *)(size_t)i));
    }
    bool QueryCallback(int p)
    {
        uint32_t j = (uint32_t)(size_t)tr.GetUserData(p);
        if (j > me) {
            cand++;
            if (overlap(*sc, me, j))
                sink_pair(sk, me, j);
        }
        return true;
    }
    void step(const Scene &s, Sink &k) override
    {
        sc = &s;
        sk = &k;
        for (int i = 0; i < s.n; i++)
            tr.MoveProxy(pid[i], bx(s, i), b2Vec2(0, 0));
        for (int i = 0; i < s.n; i++) {
            me = i;
            tr.Query(this, bx(s, i));
        }
    }
};
REG(1, "box2d24_BroadPhase", 1, 250000, BP);
REG(2, "box2d24_Tree_queryall", 1, 250000, TQ);
} // namespace
