// SPDX-License-Identifier: Apache-2.0
/*
 * Increments of bodies, and random places where they enter: pure functions of the scene's seed, the
 * name of the group, the number of the body and that of the update.
 */
#include "filling.h"

enum { DRAWS = 64 }; // most random numbers of a kind for a body in an update

/* Draws three random numbers of a body, even ones with the mean 0 and the variance 1. */
static void draw_step(const filling *f, int stream, uint64_t number, double out[3])
{
    const scree_host *host = f->p.host;
    const uint64_t call = (f->p.args->step << 32) + DRAWS * f->update; // a later call draws others
    uint64_t bits = host->random(host->ctx, f->p.stream + (uint64_t)stream, number, call);
    for (int k = 0; k < 3; k++, bits >>= 21)
        out[k] = sqrt(3.0) * ((double)(bits & 0x1fffffu) + 0.5 - 0x1p20) * 0x1p-20;
}

/* Turns a unit quaternion by an angle about each axis of the world. */
static void turn(const double angle[3], double q[4])
{
    const double whole = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    const double s = whole > 0.0 ? sin(0.5 * whole) / whole : 0.5, w = cos(0.5 * whole);
    const double x = s * angle[0], y = s * angle[1], z = s * angle[2];
    const double a[4] = {q[0], q[1], q[2], q[3]};
    double length = 0.0;
    q[0] = w * a[0] - x * a[1] - y * a[2] - z * a[3];
    q[1] = w * a[1] + x * a[0] + y * a[3] - z * a[2];
    q[2] = w * a[2] - x * a[3] + y * a[0] + z * a[1];
    q[3] = w * a[3] + x * a[2] - y * a[1] + z * a[0];
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
}

/* Sets the increment of body i. */
void filling_step(const filling *f, uint64_t i, double step[3])
{
    const double share = f->share[i], root = sqrt(share);
    double xi[3], length = 0.0;
    draw_step(f, STREAM_WALK, f->p.args->first + i, xi);
    for (uint32_t k = 0; k < 3; k++) { // in 2D drift and spread are 0 along z
        step[k] = share * f->drift[k] + root * f->spread[k] * xi[k];
        length += step[k] * step[k];
    }
    length = sqrt(length);
    const double most = f->most * f->scale[i], by = length > most ? most / length : 1.0;
    for (uint32_t k = 0; k < 3; k++)
        step[k] *= by;
}

/* Sets x and q to the pose that a body wants, from its pose of site 0. */
void filling_pose(const filling *f, uint64_t i, double x[3], double q[4])
{
    const uint32_t at = f->place[i];
    double step[3], angle[3];
    for (int k = 0; k < 4; k++)
        q[k] = f->sites.q[k][at];
    filling_step(f, i, step);
    for (uint32_t k = 0; k < 3; k++)
        x[k] = f->sites.x[k][at] + step[k];
    if (f->spin == 0.0)
        return;
    draw_step(f, STREAM_SPIN, f->p.args->first + i, angle);
    for (int k = 0; k < 3; k++)
        angle[k] *= f->p.dimension == 2 && k < 2 ? 0.0 : sqrt(f->share[i]) * f->spin;
    turn(angle, q);
}

/* Brings a pose into the region; 0: it is outside. */
int filling_hold(const filling *f, uint64_t i, double x[3])
{
    const double r = packing_reach(&f->p, f->scale[i]);
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        double lo, hi;
        packing_range(&f->p, r, k, &lo, &hi);
        if (!f->p.spans[k] && f->p.config->region->type == SCREE_ZONE_BOX)
            x[k] = x[k] < lo ? lo : x[k] > hi ? hi : x[k];
    }
    return packing_holds(&f->p, x, r);
}

int filling_entry(const filling *f, uint64_t i, uint64_t t, double x[3], double q[4])
{
    const uint64_t number = f->p.args->first + i, call = f->p.args->step << 32;
    const double r = packing_reach(&f->p, f->scale[i]);
    packing_turn(&f->p, number, q);
    for (uint32_t k = 0; k < f->p.dimension; k++) {
        double lo, hi;
        packing_range(&f->p, r, k, &lo, &hi);
        lo = fmin(fmax(lo, f->config->entry->lo[k]), hi);
        hi = fmax(fmin(hi, f->config->entry->hi[k]), lo);
        x[k] = lo + (hi - lo) * packing_draw(&f->p, STREAM_PLACE, number,
                                             call + DRAWS * f->update + 4 * t + k);
    }
    return filling_hold(f, i, x) && scree_zone_holds(f->config->entry, x, 0.0);
}
