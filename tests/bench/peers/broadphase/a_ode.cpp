// SPDX-License-Identifier: Apache-2.0
// ODE collision spaces. Stock Debian build (double).
#include "bp.hpp"
#include <ode/ode.h>
namespace
{
static void cb(void *d, dGeomID a, dGeomID b)
{
    sink_pair((Sink *)d, (uint32_t)(size_t)dGeomGetData(a), (uint32_t)(size_t)dGeomGetData(b));
}
static bool up = (dInitODE2(0), true);
template <int T> struct O : Algo {
    dSpaceID sp;
    std::vector<dGeomID> g;
    O(const Scene &s)
    {
        (void)up;
        if (T == 0)
            sp = dSimpleSpaceCreate(0);
        if (T == 1) {
            sp = dHashSpaceCreate(0);
            int a = (int)std::floor(std::log2(2 * s.rmin)),
                b = (int)std::ceil(std::log2(2 * s.rmax)) + 1;
            dHashSpaceSetLevels(sp, a, b);
        }
        if (T == 2)
            sp = dSweepAndPruneSpaceCreate(0, s.dim == 2 ? dSAP_AXES_XYZ : dSAP_AXES_XYZ);
        if (T == 3) {
            dVector3 c = {s.L[0] / 2, s.L[1] / 2, s.L[2] / 2},
                     e = {s.L[0] / 2 + 1, s.L[1] / 2 + 1, s.L[2] / 2 + 1};
            int d = std::max(1, (int)std::lround(std::log2(s.n / 4.0) / 2));
            sp = dQuadTreeSpaceCreate(0, c, e, d);
        }
        for (int i = 0; i < s.n; i++) {
            dGeomID x = dCreateSphere(sp, s.r[i]);
            dGeomSetData(x, (void *)(size_t)i);
            dGeomSetPosition(x, s.x[i], s.y[i], s.z[i]);
            g.push_back(x);
        }
    }
    ~O()
    {
        dSpaceDestroy(sp);
    }
    void step(const Scene &s, Sink &k) override
    {
        for (int i = 0; i < s.n; i++)
            dGeomSetPosition(g[i], s.x[i], s.y[i], s.z[i]);
        dSpaceCollide(sp, &k, cb);
    }
};
REG(0, "ode_Simple", 3, 6500, O<0>);
REG(1, "ode_HashSpace", 3, 110000, O<1>);
REG(2, "ode_SweepAndPrune", 3, 210000, O<2>);
REG(3, "ode_QuadTree", 3, 110000, O<3>);
} // namespace
