// SPDX-License-Identifier: Apache-2.0
/*
 * The stiffness of a contact, given by the laws; the frequencies of a body held by its contacts.
 *
 * A contact resists the displacement of its point, u + w x arm, by kn along the normal and by kt
 * across it, and rotations w by kr across the normal and ktwist about it. Its matrix is J' D J with
 * J = (1, -[arm]) and D = kt + (kn - kt) n n', and kr + (ktwist - kr) n n' added to the rotations.
 *
 * The largest eigenvalue of M^-1/2 K M^-1/2 comes from Jacobi rotations, to a relative 1e-12.
 */
#include "critical/stiffness.h"

#include <math.h>
#include <string.h>

#include "plugin/call.h"
#include "scene/scene_bonds.h"

/** Adds the stiffness of a law. False with an error: it is invalid. */
static bool add_stiffness(const scree_instance *law, const scree_stiffness *one,
                          scree_stiffness *sum, GError **error)
{
    static const char *const names[] = {"kn", "kt", "kr", "ktwist", "cn", "ct", "cr", "ctwist"};
    const double *from = &one->kn;
    double *to = &sum->kn;
    for (size_t k = 0; k < G_N_ELEMENTS(names); k++) {
        if (!(from[k] >= 0.0) || !isfinite(from[k]))
            return scree_fail(
                error, SCREE_EXIT_PLUGIN,
                "force/%s (%s): stiffness gave %s = %g; expected a finite number >= 0",
                law->plugin->id, law->slot, names[k], from[k]);
        to[k] += from[k];
    }
    return true;
}

bool scree_stiff_sum(scree_stiff *f, scree_stiffness_query *query, scree_stiffness *sum,
                     GError **error)
{
    const double mass = query->mass;
    *sum = (scree_stiffness){.size = sizeof *sum};
    for (uint32_t i = 0; i < f->n_laws; i++) {
        const scree_force_ops *ops = f->laws[i]->ops;
        scree_stiffness one = {.size = sizeof one};
        if (!SCREE_HAS(ops, stiffness) ||
            !scree_between_acts(f->laws[i]->choice, f->type_a, f->type_b))
            continue;
        query->mass = f->point_mass > 0.0 && f->points >> i & 1u ? f->point_mass : mass;
        query->kn = sum->kn;
        query->kt = sum->kt;
        scree_call call = scree_call_begin(
            f->laws[i], f->asked ? SCREE_CALL_LANE : SCREE_CALL_CONFIG, "stiffness");
        int32_t code = ops->stiffness(f->laws[i]->self, query, &one);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code < 0)
            return false;
        if (!add_stiffness(f->laws[i], &one, sum, error))
            return false;
        f->answers = true;
    }
    query->mass = mass;
    f->asked = true;
    return true;
}

void scree_stiffness_widen(scree_stiffness *k, const scree_stiffness *other)
{
    double *to = &k->kn;
    const double *from = &other->kn;
    for (int i = 0; i < 8; i++)
        to[i] = fmax(to[i], from[i]);
}

/* ---- body ---- */

enum { SIX = 6, SWEEPS = 30 };

/** Index of element (i, j), i <= j, in the upper triangle. */
static int at(int i, int j)
{
    return i * SIX - i * (i - 1) / 2 + j - i;
}

/** Fills the columns of (1, -[arm]): how a unit of each motion moves the contact point. */
static void moved_by(const double arm[3], double j[SIX][3])
{
    memset(j, 0, SIX * 3 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        int p = (k + 1) % 3, q = (k + 2) % 3;
        j[k][k] = 1.0;
        j[3 + k][p] = -arm[q]; // unit k x arm
        j[3 + k][q] = arm[p];
    }
}

static double dot_3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Adds a contact to a matrix: stiffness along and across the normal, rolling, twisting. */
static void add_spring(double m[SCREE_STIFFNESS_TERMS], double (*j)[3], const double normal[3],
                       double along, double across, double roll, double twist)
{
    double in[SIX];
    for (int i = 0; i < SIX; i++)
        in[i] = dot_3(j[i], normal);
    for (int i = 0; i < SIX; i++)
        for (int l = i; l < SIX; l++) {
            double sum = across * dot_3(j[i], j[l]) + (along - across) * in[i] * in[l];
            if (i >= 3)
                sum += roll * (i == l) + (twist - roll) * normal[i - 3] * normal[l - 3];
            m[at(i, l)] += sum;
        }
}

void scree_body_stiffness_add(scree_body_stiffness *m, double share, const double normal[3],
                              const double arm[3], const scree_stiffness *k)
{
    double j[SIX][3];
    moved_by(arm, j);
    add_spring(m->k, j, normal, share * k->kn, share * k->kt, share * k->kr, share * k->ktwist);
    if (k->cn > 0.0 || k->ct > 0.0 || k->cr > 0.0 || k->ctwist > 0.0)
        add_spring(m->c, j, normal, share * k->cn, share * k->ct, share * k->cr, share * k->ctwist);
    m->n++;
}

double scree_body_stiffness_sum(const double matrix[SCREE_STIFFNESS_TERMS], uint32_t dimension,
                                double mass, const double inertia[3])
{
    double sum = 0.0;
    for (int i = 0; i < SIX; i++)
        if (dimension == 3 || i < 2 || i == 5)
            sum += matrix[at(i, i)] / (i < 3 ? mass : inertia[i - 3]);
    return sum;
}

/** Zeroes a[p][q] by a rotation of both axes. */
static void rotate_modes(double a[SIX][SIX], int n, int p, int q)
{
    double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < n; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
    }
}

static double largest_eigenvalue(double a[SIX][SIX], int n)
{
    double most = 0.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0.0, trace = 0.0;
        for (int p = 0; p < n; p++) {
            trace += fabs(a[p][p]);
            for (int q = p + 1; q < n; q++)
                off += a[p][q] * a[p][q];
        }
        if (!(off > 1e-26 * trace * trace))
            break;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (a[p][q] != 0.0)
                    rotate_modes(a, n, p, q);
    }
    for (int p = 0; p < n; p++)
        most = fmax(most, a[p][p]);
    return most;
}

double scree_body_stiffness_rate(const double matrix[SCREE_STIFFNESS_TERMS], uint32_t dimension,
                                 double mass, const double inertia[3], bool exact)
{
    double squares = 0.0;
    static const int solid[] = {0, 1, 2, 3, 4, 5}, flat[] = {0, 1, 5};
    const int *axis = dimension == 2 ? flat : solid, n = dimension == 2 ? 3 : SIX;
    const double of[] = {mass, mass, mass, inertia[0], inertia[1], inertia[2]};
    double a[SIX][SIX] = {{0.0}};
    for (int i = 0; i < n; i++)
        for (int l = i; l < n; l++) {
            double by = of[axis[i]] * of[axis[l]];
            a[i][l] = a[l][i] = matrix[at(axis[i], axis[l])] / sqrt(by);
            squares += (i == l ? 1.0 : 2.0) * a[i][l] * a[i][l];
        }
    return exact ? largest_eigenvalue(a, n) : (1.0 + 1e-9) * sqrt(squares);
}
