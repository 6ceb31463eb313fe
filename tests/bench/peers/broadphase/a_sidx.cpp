// SPDX-License-Identifier: Apache-2.0
// libspatialindex R*-tree, STR bulk load every step, one query per object.
#include "bp.hpp"
#include <memory>
#include <spatialindex/SpatialIndex.h>
using namespace SpatialIndex;
namespace
{
struct St : IDataStream {
    const Scene &s;
    int i = 0;
    St(const Scene &q) : s(q)
    {
    }
    IData *getNext() override
    {
        if (i >= s.n)
            return nullptr;
        Region r = reg(s, i);
        auto *d = new RTree::Data(0, nullptr, r, i);
        i++;
        return d;
    }
    bool hasNext() override
    {
        return i < s.n;
    }
    uint32_t size() override
    {
        return s.n;
    }
    void rewind() override
    {
        i = 0;
    }
    static Region reg(const Scene &s, int i)
    {
        double lo[3] = {s.x[i] - s.r[i], s.y[i] - s.r[i], s.z[i] - s.r[i]},
               hi[3] = {s.x[i] + s.r[i], s.y[i] + s.r[i], s.z[i] + s.r[i]};
        return Region(lo, hi, s.dim);
    }
};
struct Vi : IVisitor {
    Sink *k;
    uint32_t i;
    void visitNode(const INode &) override
    {
    }
    void visitData(const IData &d) override
    {
        uint32_t j = (uint32_t)d.getIdentifier();
        if (j > i)
            sink_pair(k, i, j);
    }
    void visitData(std::vector<const IData *> &) override
    {
    }
};
struct S : Algo {
    S(const Scene &)
    {
    }
    void step(const Scene &s, Sink &k) override
    {
        std::unique_ptr<IStorageManager> m(StorageManager::createNewMemoryStorageManager());
        St st(s);
        id_type id;
        std::unique_ptr<ISpatialIndex> t(RTree::createAndBulkLoadNewRTree(
            RTree::BLM_STR, st, *m, 0.9, 32, 32, s.dim, RTree::RV_RSTAR, id));
        Vi v;
        v.k = &k;
        for (int i = 0; i < s.n; i++) {
            v.i = i;
            t->intersectsWithQuery(St::reg(s, i), v);
        }
    }
};
REG(1, "libspatialindex_rtree", 3, 11000, S);
} // namespace
