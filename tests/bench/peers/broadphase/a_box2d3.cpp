// SPDX-License-Identifier: Apache-2.0
// Box2D v3 (C17, float32) dynamic tree, 2D only, driven the way its world does. Optional build.
#include "bp.hpp"
#include "pairset.hpp"
#include <box2d/collision.h>
namespace
{
static b2AABB bx(const Scene &s, int i, double m)
{
    b2AABB a;
    double w = s.r[i] + m;
    a.lowerBound = {(float)(s.x[i] - w), (float)(s.y[i] - w)};
    a.upperBound = {(float)(s.x[i] + w), (float)(s.y[i] + w)};
    return a;
}
static bool in(const b2AABB &o, const b2AABB &i)
{
    return o.lowerBound.x <= i.lowerBound.x && o.lowerBound.y <= i.lowerBound.y &&
           i.upperBound.x <= o.upperBound.x && i.upperBound.y <= o.upperBound.y;
}
static bool ovl(const b2AABB &a, const b2AABB &b)
{
    return a.lowerBound.x <= b.upperBound.x && b.lowerBound.x <= a.upperBound.x &&
           a.lowerBound.y <= b.upperBound.y && b.lowerBound.y <= a.upperBound.y;
}
// fat boxes (margin r/8 as in its constants), enlarge on escape, partial rebuild, query only
// enlarged, persistent pairs
struct Per : Algo {
    b2DynamicTree t;
    std::vector<int> pid;
    std::vector<b2AABB> fat;
    std::vector<uint32_t> mv;
    PairSet ps;
    uint32_t me;
    bool first = true;
    Per(const Scene &s)
    {
        t = b2DynamicTree_Create(s.n);
        fat.resize(s.n);
        for (int i = 0; i < s.n; i++) {
            fat[i] = bx(s, i, s.r[i] / 8);
            pid.push_back(b2DynamicTree_CreateProxy(&t, fat[i], 1, i));
        }
    }
    ~Per()
    {
        b2DynamicTree_Destroy(&t);
    }
    static bool cb(int, uint64_t u, void *c)
    {
        Per *p = (Per *)c;
        if ((uint32_t)u != p->me)
            p->ps.add(p->me, (uint32_t)u);
        return true;
    }
    void step(const Scene &s, Sink &k) override
    {
        mv.clear();
        for (int i = 0; i < s.n; i++) {
            b2AABB a = bx(s, i, 0);
            if (!in(fat[i], a) || first) {
                if (!first) {
                    fat[i] = bx(s, i, s.r[i] / 8);
                    b2DynamicTree_EnlargeProxy(&t, pid[i], fat[i]);
                }
                mv.push_back(i);
            }
        }
        b2DynamicTree_Rebuild(&t, first);
        first = false;
        for (uint32_t i : mv) {
            me = i;
            b2DynamicTree_Query(&t, fat[i], ~0ull, cb, this);
        }
        cand += ps.list.size();
        for (size_t q = 0; q < ps.list.size();) {
            uint32_t a = ps.list[q] >> 32, b = (uint32_t)ps.list[q];
            if (overlap(s, a, b))
                sink_pair(&k, a, b);
            else if (!ovl(fat[a], fat[b])) {
                ps.erase_key(ps.list[q]);
                ps.list[q] = ps.list.back();
                ps.list.pop_back();
                continue;
            }
            q++;
        }
    }
};
// full rebuild each step, query every object
struct Full : Algo {
    b2DynamicTree t;
    std::vector<int> pid;
    Sink *sk;
    uint32_t me;
    Full(const Scene &s)
    {
        t = b2DynamicTree_Create(s.n);
        for (int i = 0; i < s.n; i++)
            pid.push_back(b2DynamicTree_CreateProxy(&t, bx(s, i, 0), 1, i));
    }
    ~Full()
    {
        b2DynamicTree_Destroy(&t);
    }
    static bool cb(int, uint64_t u, void *c)
    {
        Full *p = (Full *)c;
        if ((uint32_t)u > p->me)
            sink_pair(p->sk, p->me, (uint32_t)u);
        return true;
    }
    void step(const Scene &s, Sink &k) override
    {
        sk = &k;
        b2DynamicTree_Destroy(&t);
        t = b2DynamicTree_Create(s.n);
        for (int i = 0; i < s.n; i++)
            b2DynamicTree_CreateProxy(&t, bx(s, i, 0), 1, i);
        b2DynamicTree_Rebuild(&t, true);
        for (int i = 0; i < s.n; i++) {
            me = i;
            b2DynamicTree_Query(&t, bx(s, i, 0), ~0ull, cb, this);
        }
    }
};
REG(1, "box2d3_Tree_persistent", 1, 250000, Per);
REG(2, "box2d3_Tree_rebuild_queryall", 1, 30000, Full);
} // namespace
