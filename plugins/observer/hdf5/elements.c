// SPDX-License-Identifier: Apache-2.0
// Elements of bodies that observer `hdf5` writes.
#include <math.h>

#include "h5.h"

static void get_vector(const double *const from[3], uint32_t i, double *to)
{
    for (int k = 0; k < 3; k++)
        to[k] = from[k][i];
}

static int32_t get_position(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    get_vector(v->bodies->x, i, real);
    return SCREE_OK;
}

static int32_t get_image(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)real;
    for (int k = 0; k < 3; k++)
        whole[k] = v->bodies->image[k][i];
    return SCREE_OK;
}

static int32_t get_velocity(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    get_vector(v->bodies->v, i, real);
    return SCREE_OK;
}

static int32_t get_spin(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    get_vector(v->bodies->w, i, real);
    return SCREE_OK;
}

static int32_t get_force(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    scree_load load = {.size = offsetof(scree_load, stiffness)};
    const int32_t status = i < v->bodies->n_free ? SCREE_OK : v->load(v, i, &load);
    (void)whole;
    for (size_t k = 0; k < 3; k++)
        real[k] = i < v->bodies->n_free ? v->bodies->wrench[8 * (size_t)i + k] : load.force[k];
    return status;
}

static int32_t get_torque(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    scree_load load = {.size = offsetof(scree_load, stiffness)};
    const int32_t status = v->load(v, i, &load);
    (void)whole;
    memcpy(real, load.torque, sizeof load.torque);
    return status;
}

static int32_t get_radius(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    real[0] = v->bodies->radius[i];
    return SCREE_OK;
}

static int32_t get_mass(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    real[0] = i < v->bodies->n_free ? 1.0 / v->bodies->inv_mass[i] : HUGE_VAL;
    return SCREE_OK;
}

static int32_t get_id(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)real;
    whole[0] = (int64_t)v->bodies->id[i];
    return SCREE_OK;
}

static int32_t get_material(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)real;
    whole[0] = v->bodies->material[i];
    return SCREE_OK;
}

static int32_t get_motion(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)real;
    whole[0] = v->bodies->motion[i];
    return SCREE_OK;
}

static int32_t get_orientation(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    for (int k = 0; k < 4; k++)
        real[k] = v->bodies->q[k][i];
    return SCREE_OK;
}

static int32_t get_scale(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)whole;
    real[0] = v->bodies->scale[i];
    return SCREE_OK;
}

static int32_t get_shape(const scree_view *v, uint32_t i, double *real, int64_t *whole)
{
    (void)real;
    whole[0] = v->bodies->shape[i];
    return SCREE_OK;
}

const h5_element h5_elements[N_ELEMENTS] = {
    {"position", "m", 1, 0, get_position},
    [IMAGE] = {"image", NULL, 0, 0, get_image},
    {"velocity", "m s-1", 1, 0, get_velocity},
    {"force", "N", 1, 0, get_force},
    {"angular_velocity", "rad s-1", 1, 3, get_spin},
    {"torque", "N m", 1, 3, get_torque},
    {"radius", "m", 1, 1, get_radius},
    {"mass", "kg", 1, 1, get_mass},
    {"id", NULL, 0, 1, get_id},
    {"species", NULL, 0, 1, get_material},
    [GROUP] = {"group", NULL, 0, 1, NULL}, // from self->group
    {"motion", NULL, 0, 1, get_motion},
    [FIRST_OF_SHAPES] = {"orientation", NULL, 1, WIDEST, get_orientation},
    {"scale", NULL, 1, 1, get_scale},
    {"shape", NULL, 0, 1, get_shape},
};
