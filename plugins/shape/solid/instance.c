// SPDX-License-Identifier: Apache-2.0
// An instance of any type of solids with formulas: what all of them do with a host's calls.
#include "solid.h"

#include "../../smooth.h"

typedef struct solid {
    const scree_host *host;
    const solid_kind *kind;
    void *form;
    size_t form_bytes;
    solid_mass mass;
    solid_frame frame;
    scree_support support;
    scree_implicit implicit;
    smooth_view smooth;
    solid_meshes meshes;
    int convex;
} solid;

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const solid *self = ctx;
    solid_farthest(&self->frame, self->kind->farthest, self->form, n, direction, point);
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    const solid *self = ctx;
    solid_value(&self->frame, self->kind->value, self->form, n, x, out, gradient);
}

static void radii(const void *ctx, const double way[3][3], double point[3], double out[3])
{
    const solid *self = ctx;
    solid_radii(&self->frame, self->kind->radii, self->form, way, point, out);
}

int32_t solid_new(const scree_host *host, const solid_kind *kind, void *form, size_t form_bytes,
                  const solid_mass *mass, int convex, void **instance)
{
    solid *self = form ? calloc(1, sizeof *self) : NULL;
    if (!self) {
        free(form);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    }
    self->host = host;
    self->kind = kind;
    self->form = form;
    self->form_bytes = form_bytes;
    self->mass = *mass;
    self->frame = solid_frame_own();
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    self->implicit = (scree_implicit){sizeof self->implicit, 0, self, value};
    self->smooth =
        (smooth_view){sizeof self->smooth, 0, kind->roll ? kind->roll(form) : -1.0, self, radii};
    self->convex = convex;
    *instance = self;
    return SCREE_OK;
}

void solid_destroy(void *instance)
{
    solid *self = instance;
    if (!self)
        return;
    solid_meshes_clear(&self->meshes);
    free(self->form);
    free(self);
}

uint64_t solid_bytes(void *instance)
{
    const solid *self = instance;
    return sizeof *self + self->form_bytes + solid_meshes_bytes(&self->meshes);
}

int32_t solid_measure(void *instance, scree_measure *out)
{
    const solid *self = instance;
    const double origin[3] = {0.0, 0.0, 0.0};
    out->n_parts = 1;
    out->content = self->mass.volume;
    out->radius = self->mass.radius;
    solid_point_out(&self->frame, origin, out->centroid);
    solid_inertia_out(&self->frame, self->mass.moment, out->inertia);
    return SCREE_OK;
}

int32_t solid_place(void *instance, const scree_frame *frame)
{
    solid *self = instance;
    solid_frame_set(&self->frame, frame);
    return SCREE_OK;
}

int32_t solid_find_boxes(void *instance, const scree_shape_boxes *batch)
{
    const solid *self = instance;
    solid_boxes(&self->frame, self->kind->reach, self->form, self->mass.radius, batch);
    return SCREE_OK;
}

static int32_t view_mesh(solid *self, double tolerance, const void **out)
{
    const solid_mesh *mesh = solid_meshes_find(&self->meshes, tolerance);
    mesh_surface *surface;
    if (!mesh && self->kind->mesh(self->form, &self->frame, tolerance, &surface) &&
        solid_meshes_add(&self->meshes, tolerance, surface))
        mesh = solid_meshes_find(&self->meshes, tolerance);
    if (!mesh)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a mesh");
    *out = mesh->surface ? &mesh->surface->view : NULL;
    return SCREE_OK;
}

int32_t solid_view(void *instance, const char *name, double tolerance, const void **out)
{
    solid *self = instance;
    *out = NULL;
    if (strcmp(name, SCREE_VIEW_SUPPORT) == 0 && self->convex)
        *out = &self->support;
    else if (strcmp(name, SMOOTH_VIEW) == 0 && self->convex && self->smooth.roll >= 0.0)
        *out = &self->smooth;
    else if (strcmp(name, SCREE_VIEW_IMPLICIT) == 0)
        *out = &self->implicit;
    else if (strcmp(name, SCREE_VIEW_MESH) == 0 && tolerance > 0.0)
        return view_mesh(self, tolerance, out);
    return SCREE_OK;
}
