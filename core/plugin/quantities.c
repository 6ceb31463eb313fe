/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the quantities of contacts. */
#include "plugin/quantities.h"

/* A quantity that resolvers give, with its members of scree_contacts and scree_contact_batch. */
#define FOUND(name, unit, BIT, member, n, width, rules)                                            \
    {                                                                                              \
        name, unit, SCREE_IN_##BIT, SCREE_GIVES_##BIT, 0, n, width, rules,                         \
            offsetof(scree_contacts, member), offsetof(scree_contact_batch, member)                \
    }
/* A quantity that the host gathers for laws, and one that laws return. */
#define GATHERED(name, unit, BIT)                                                                  \
    {                                                                                              \
        name, unit, SCREE_IN_##BIT, 0, 0, 0, 0, 0, 0, 0                                            \
    }
#define RETURNED(name, unit, BIT)                                                                  \
    {                                                                                              \
        name, unit, 0, 0, SCREE_OUT_##BIT, 0, 0, 0, 0, 0                                           \
    }

enum { REAL = sizeof(double), MEASURE = SCREE_VALUE_NOT_NEGATIVE | SCREE_VALUE_ENDS };

const scree_quantity scree_quantities[] = {
    FOUND("area", "m^2", AREA, area, 1, REAL, MEASURE),
    FOUND("chord", "m", CHORD, chord, 1, REAL, SCREE_VALUE_NOT_NEGATIVE),
    FOUND("volume", "m^3", VOLUME, volume, 1, REAL, MEASURE),
    FOUND("twist", "m^3/rad", TWIST, twist, 1, REAL, SCREE_VALUE_ENDS | SCREE_VALUE_OPTIONAL),
    FOUND("curvature", "1/m", CURVATURE, curvature, 2, REAL, 0),
    FOUND("parts", "-", PARTS, part, 2, sizeof(uint32_t), 0),
    FOUND("principal", "1/m", PRINCIPAL, principal, 4, REAL, 0),
    FOUND("direction", "-", PRINCIPAL, direction, 6, REAL, 0),
    {"overlap", NULL, SCREE_IN_OVERLAP, SCREE_GIVES_OVERLAP, 0, 0, 0, 0, 0, 0},
    {"distance", NULL, SCREE_IN_DISTANCE, SCREE_GIVES_DISTANCE, 0, 0, 0, 0, 0, 0},
    GATHERED("velocity", "m/s", VELOCITY),
    GATHERED("slip", "m", SLIP),
    GATHERED("roll", "rad", ROLL),
    GATHERED("spin", "rad/s", SPIN),
    GATHERED("mass", "kg", MASS),
    GATHERED("materials", "-", MATERIALS),
    GATHERED("radii", "m", RADII),
    GATHERED("arm", "m", ARM),
    GATHERED("normal_force", "N", NORMAL_FORCE),
    GATHERED("orientation", NULL, ORIENTATION),
    GATHERED("lever_radius", NULL, LEVER_RADIUS),
    GATHERED("mass_point", NULL, MASS_POINT),
    RETURNED("couple", "N m", COUPLE),
    RETURNED("couple_b", "N m", COUPLE_B),
    RETURNED("stored", "J", STORED),
    RETURNED("lost", "W", LOST),
    RETURNED("keep", "-", KEEP),
    RETURNED("parted", NULL, PARTED),
    RETURNED("heat", "J", HEAT),
    {NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0},
};

void scree_quantities_masks(uint64_t *in, uint64_t *gives, uint64_t *out)
{
    *in = *gives = *out = 0;
    for (const scree_quantity *q = scree_quantities; q->name; q++) {
        *in |= q->in;
        *gives |= q->gives;
        *out |= q->out;
    }
}

uint64_t scree_quantities_required(uint64_t needs)
{
    uint64_t gives = 0;
    for (const scree_quantity *q = scree_quantities; q->n; q++)
        if (needs & q->in && !(q->rules & SCREE_VALUE_OPTIONAL))
            gives |= q->gives;
    return gives;
}
