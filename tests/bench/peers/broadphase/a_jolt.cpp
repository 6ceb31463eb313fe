// SPDX-License-Identifier: Apache-2.0
// Jolt BroadPhaseQuadTree (float32), driven the way PhysicsSystem::Update does, single thread.
// Optional build.
#include <Jolt/Jolt.h> // first, as Jolt asks

#include "bp.hpp"
#include <Jolt/Core/Factory.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Body/BodyManager.h>
#include <Jolt/Physics/Body/BodyPair.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseQuadTree.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/RegisterTypes.h>
#include <memory>
#include <unordered_map>
namespace
{
using namespace JPH;
struct Li : BroadPhaseLayerInterface {
    uint GetNumBroadPhaseLayers() const override
    {
        return 1;
    }
    BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer) const override
    {
        return BroadPhaseLayer(0);
    }
};
struct Col : BodyPairCollector {
    Sink *k;
    const uint32_t *map;
    void AddHit(const BodyPair &p) override
    {
        sink_pair(k, map[p.mBodyA.GetIndex()], map[p.mBodyB.GetIndex()]);
    }
};
struct J : Algo {
    Li li;
    BodyManager bm;
    BroadPhaseQuadTree bp;
    std::vector<Body *> b;
    std::vector<BodyID> ids;
    std::vector<uint32_t> map;
    ObjectVsBroadPhaseLayerFilter f1;
    ObjectLayerPairFilter f2;
    static void once()
    {
        static bool d = false;
        if (d)
            return;
        d = true;
        RegisterDefaultAllocator();
        JPH::Factory::sInstance = new JPH::Factory();
        RegisterTypes();
    }
    J(const Scene &s)
    {
        bm.Init((uint)s.n, 0, li);
        bp.Init(&bm, li);
        std::unordered_map<double, RefConst<Shape>> sh;
        map.resize(s.n);
        for (int i = 0; i < s.n; i++) {
            auto &q = sh[s.r[i]];
            if (!q)
                q = new SphereShape((float)s.r[i]);
            BodyCreationSettings c(q, RVec3((float)s.x[i], (float)s.y[i], (float)s.z[i]),
                                   Quat::sIdentity(), EMotionType::Dynamic, 0);
            Body *x = bm.AllocateBody(c);
            bm.AddBody(x);
            b.push_back(x);
            ids.push_back(x->GetID());
            map[x->GetID().GetIndex()] = i;
        }
        auto st = bp.AddBodiesPrepare(ids.data(), s.n);
        bp.AddBodiesFinalize(ids.data(), s.n, st);
        bm.ActivateBodies(ids.data(), s.n);
        bp.Optimize();
    }
    ~J()
    {
        bp.RemoveBodies(ids.data(), (int)ids.size());
        bm.DeactivateBodies(ids.data(), (int)ids.size());
        bm.DestroyBodies(ids.data(), (int)ids.size());
    }
    void step(const Scene &s, Sink &k) override
    {
        for (int i = 0; i < s.n; i++)
            b[i]->SetPositionAndRotationInternal(RVec3((float)s.x[i], (float)s.y[i], (float)s.z[i]),
                                                 Quat::sIdentity());
        bp.NotifyBodiesAABBChanged(ids.data(), (int)ids.size(), true);
        bp.FrameSync();
        bp.LockModifications();
        auto st = bp.UpdatePrepare();
        bp.UpdateFinalize(st);
        bp.UnlockModifications();
        Col c;
        c.k = &k;
        c.map = map.data();
        bp.FindCollidingPairs(ids.data(), (int)ids.size(), 0.0f, f1, f2, c);
    }
};
struct JA : Algo {
    std::unique_ptr<Algo> j;
    JA(const Scene &s)
    {
        J::once();
        j.reset(new J(s));
    }
    void step(const Scene &s, Sink &k) override
    {
        j->step(s, k);
    }
};
REG(1, "jolt_BroadPhaseQuadTree", 3, 1100000, JA);
} // namespace
