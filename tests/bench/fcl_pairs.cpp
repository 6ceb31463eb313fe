// SPDX-License-Identifier: Apache-2.0
// FCL's side of solid_pairs.c.
#include "fcl_pairs.h"

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

#include <fcl/fcl.h>

typedef std::shared_ptr<fcl::CollisionGeometryd> geometry;

struct body {
    geometry of;
    size_t contacts;
};

static void *keep(geometry of, size_t contacts)
{
    of->computeLocalAABB();
    return new body{of, contacts};
}

static std::vector<fcl::Vector3d> read_vertices(uint32_t n, const double *const x[3])
{
    std::vector<fcl::Vector3d> all;
    for (uint32_t v = 0; v < n; v++)
        all.push_back(fcl::Vector3d(x[0][v], x[1][v], x[2][v]));
    return all;
}

void *fcl_pairs_ellipsoid(const double axis[3])
{
    return keep(std::make_shared<fcl::Ellipsoidd>(axis[0], axis[1], axis[2]), 1);
}

void *fcl_pairs_convex(uint32_t n_vertices, const double *const x[3], uint32_t n_facets,
                       const uint32_t *facet)
{
    auto vertices =
        std::make_shared<const std::vector<fcl::Vector3d>>(read_vertices(n_vertices, x));
    auto faces = std::make_shared<std::vector<int>>();
    for (uint32_t f = 0; f < n_facets; f++) {
        const int n = facet[4 * f + 3] == UINT32_MAX ? 3 : 4;
        faces->push_back(n);
        for (int k = 0; k < n; k++)
            faces->push_back((int)facet[4 * f + k]);
    }
    return keep(std::make_shared<fcl::Convexd>(vertices, (int)n_facets, faces), 1);
}

void *fcl_pairs_mesh(uint32_t n_vertices, const double *const x[3], uint32_t n_facets,
                     const uint32_t *facet)
{
    auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    const std::vector<fcl::Vector3d> vertices = read_vertices(n_vertices, x);
    model->beginModel();
    for (uint32_t f = 0; f < n_facets; f++)
        for (int k = 2; k < 4 && facet[4 * f + k] != UINT32_MAX; k++)
            model->addTriangle(vertices[facet[4 * f]], vertices[facet[4 * f + k - 1]],
                               vertices[facet[4 * f + k]]);
    model->endModel();
    return keep(model, 512);
}

void fcl_pairs_free(void *given)
{
    delete static_cast<body *>(given);
}

static fcl::Transform3d pose_of(const double q[4][2], int k, const double *d)
{
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = fcl::Quaterniond(q[0][k], q[1][k], q[2][k], q[3][k]).toRotationMatrix();
    if (d)
        pose.translation() = fcl::Vector3d(d[0], d[1], d[2]);
    return pose;
}

uint32_t fcl_pairs_touch(const void *a, const void *b, double q[4][2], const double d[3], int own,
                         double *depth)
{
    const body *one = static_cast<const body *>(a), *other = static_cast<const body *>(b);
    fcl::CollisionRequestd request(one->contacts, true);
    fcl::CollisionResultd result;
    request.gjk_solver_type = own ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    *depth = 0.0;
    try {
        fcl::collide(one->of.get(), pose_of(q, 0, nullptr), other->of.get(), pose_of(q, 1, d),
                     request, result);
    } catch (const std::exception &) { // it gives up on some pairs
        return 0;
    }
    for (size_t c = 0; c < result.numContacts(); c++)
        *depth = std::fmax(*depth, std::fabs(result.getContact(c).penetration_depth));
    return (uint32_t)result.numContacts();
}
