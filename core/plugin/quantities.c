/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the quantities of contacts. */
#include "plugin/quantities.h"

/* A quantity of n arrays of a type by its giver, with its members there and in scree_contact_batch. */
#define ARRAYS(giver, type, member, n_, T)                                                         \
    .by = SCREE_BY_##giver, .n = n_, .width = sizeof(T), .at = offsetof(type, member),             \
    .batch = offsetof(scree_contact_batch, member)
#define FOUND(member, n_, T) ARRAYS(RESOLVER, scree_contacts, member, n_, T)
#define TOUCH(member, n_) ARRAYS(TOUCH, scree_contacts, member, n_, double)
#define GATHERED(member, n_, T) ARRAYS(HOST, scree_gathered, member, n_, T)
#define RETURNED(member, n_, T) ARRAYS(LAW, scree_returned, member, n_, T)
/* The members of a quantity for observers; of a law also those of its share. */
#define SEEN(member)                                                                               \
    .list = offsetof(scree_contact_list, member), .record = offsetof(scree_record, member)
#define SEEN_BY_LAW(member)                                                                        \
    .list = offsetof(scree_contact_list, member), .law = offsetof(scree_contact_law, member),      \
    .record = offsetof(scree_law_record, member)
#define FLAG .by = SCREE_BY_NOBODY
#define ASKED(BIT) .in = SCREE_IN_##BIT, .gives = SCREE_GIVES_##BIT

enum { MEASURE = SCREE_VALUE_NOT_NEGATIVE | SCREE_VALUE_ENDS };

const scree_quantity scree_quantities[] = {
    {"area", "m^2", ASKED(AREA), FOUND(area, 1, double), .rules = MEASURE},
    {"chord", "m", ASKED(CHORD), FOUND(chord, 1, double), .rules = SCREE_VALUE_NOT_NEGATIVE},
    {"volume", "m^3", ASKED(VOLUME), FOUND(volume, 1, double), .rules = MEASURE},
    {"twist", "m^3/rad", ASKED(TWIST), FOUND(twist, 1, double),
     .rules = SCREE_VALUE_ENDS | SCREE_VALUE_OPTIONAL},
    {"eccentricity", "-", ASKED(ECCENTRICITY), FOUND(eccentricity, 1, double),
     .rules = SCREE_VALUE_ENDS | SCREE_VALUE_OPTIONAL},
    {"eccentricity_turn", "1/rad", ASKED(ECCENTRICITY), FOUND(eccentricity_turn, 1, double),
     .rules = SCREE_VALUE_ENDS | SCREE_VALUE_OPTIONAL},
    {"chord_turn", "m/rad", ASKED(ECCENTRICITY), FOUND(chord_turn, 1, double),
     .rules = SCREE_VALUE_ENDS | SCREE_VALUE_OPTIONAL},
    {"eccentricity_slope", "1/m", ASKED(ECCENTRICITY), FOUND(eccentricity_slope, 2, double),
     .rules = SCREE_VALUE_OPTIONAL},
    {"chord_slope", "-", ASKED(ECCENTRICITY), FOUND(chord_slope, 2, double),
     .rules = SCREE_VALUE_OPTIONAL},
    {"bed", "m^4", ASKED(BED), FOUND(bed, 1, double), .rules = MEASURE},
    {"bed_slope", "m^3", ASKED(BED), FOUND(bed_slope, 3, double)},
    {"bed_turn", "m^4/rad", ASKED(BED), FOUND(bed_turn, 3, double)},
    {"curvature", "1/m", ASKED(CURVATURE), FOUND(curvature, 2, double)},
    {"parts", "-", ASKED(PARTS), FOUND(part, 2, uint32_t), SEEN(part)},
    {"principal", "1/m", ASKED(PRINCIPAL), FOUND(principal, 4, double)},
    {"direction", "-", ASKED(PRINCIPAL), FOUND(direction, 6, double)},
    {"normal", "-", TOUCH(normal, 3), SEEN(normal)},
    {"depth", "m", TOUCH(depth, 1), SEEN(depth)},
    {"arm", "m", .in = SCREE_IN_ARM, TOUCH(arm, 3), SEEN(arm)},
    {"branch", "m", .in = SCREE_IN_ARM, GATHERED(d, 3, double), SEEN(branch)},
    {"velocity", "m/s", .in = SCREE_IN_VELOCITY, GATHERED(v, 3, double)},
    {"slip", "m", .in = SCREE_IN_SLIP, GATHERED(slip, 3, double)},
    {"roll", "rad", .in = SCREE_IN_ROLL, GATHERED(roll, 3, double)},
    {"spin", "rad/s", .in = SCREE_IN_SPIN, GATHERED(spin, 3, double)},
    {"mass", "kg", .in = SCREE_IN_MASS, GATHERED(mass, 1, double)},
    {"materials", "-", .in = SCREE_IN_MATERIALS, GATHERED(materials, 1, uint32_t)},
    {"radii", "m", .in = SCREE_IN_RADII, GATHERED(radius, 2, double)},
    {"normal_force", "N", .in = SCREE_IN_NORMAL_FORCE, GATHERED(normal_force, 1, double)},
    {"force", "N", RETURNED(f, 3, double), SEEN_BY_LAW(f)},
    {"couple", "N m", .out = SCREE_OUT_COUPLE, RETURNED(couple, 3, double), SEEN_BY_LAW(couple)},
    {"couple_b", "N m", .out = SCREE_OUT_COUPLE_B, RETURNED(couple_b, 3, double),
     SEEN_BY_LAW(couple_b)},
    {"stored", "J", .out = SCREE_OUT_STORED, RETURNED(stored, 1, double), SEEN_BY_LAW(stored)},
    {"lost", "W", .out = SCREE_OUT_LOST, RETURNED(lost, 1, double), SEEN_BY_LAW(lost)},
    {"heat", "J", .out = SCREE_OUT_HEAT, RETURNED(heat, 1, double)},
    {"keep", "-", .out = SCREE_OUT_KEEP, RETURNED(keep, 1, uint8_t)},
    {"overlap", ASKED(OVERLAP), FLAG},
    {"distance", ASKED(DISTANCE), FLAG},
    {"orientation", .in = SCREE_IN_ORIENTATION, FLAG},
    {"lever_radius", .in = SCREE_IN_LEVER_RADIUS, FLAG},
    {"mass_point", .in = SCREE_IN_MASS_POINT, FLAG},
    {"parted", .out = SCREE_OUT_PARTED, FLAG},
    {.name = NULL, FLAG},
};

uint64_t scree_quantities_required(uint64_t needs)
{
    uint64_t gives = 0;
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++)
        if (needs & q->in && !(q->rules & SCREE_VALUE_OPTIONAL))
            gives |= q->gives;
    return gives;
}

uint64_t scree_quantities_geometries(uint64_t needs)
{
    const uint64_t geometries = (needs & SCREE_IN_OVERLAP ? SCREE_GIVES_OVERLAP : 0u) |
                                (needs & SCREE_IN_DISTANCE ? SCREE_GIVES_DISTANCE : 0u);
    return geometries ? geometries : SCREE_GIVES_DISTANCE;
}

uint64_t scree_quantities_lacking(uint64_t least, uint64_t geometries, uint64_t provides)
{
    const uint64_t given =
        provides & SCREE_GEOMETRIES ? provides & SCREE_GEOMETRIES : SCREE_GIVES_DISTANCE;
    return (least & ~provides) | (given & geometries ? 0u : geometries);
}
