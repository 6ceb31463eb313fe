/* SPDX-License-Identifier: Apache-2.0 */
/* A contact that no two bodies can have is refused, and the text says what it is. */
#include <math.h>

#include "../../test.h"
#include "engine/contact_fault.h"

/* Two pairs, each with a contact; the second one is at fault. All values of the first differ, so that a text with
 * those of the wrong contact is seen. */
typedef struct pairs {
    double normal[3][2], depth[2], arm[3][2], curvature[2][2], area[2], chord[2], volume[2],
        twist[2];
    double principal[4][2], direction[2][3][2], radius_a[2], radius_b[2];
    uint32_t part[2][2];
} pairs;

static const pairs sound = {
    .normal = {{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}},
    .depth = {0.02, 0.1},
    .arm = {{0.19, 0.0}, {0.0, 0.95}, {0.0, 0.0}},
    .curvature = {{5.0, 1.0}, {4.0, 0.0}},
    .area = {0.01, 0.2},
    .chord = {0.05, 0.6},
    .volume = {0.001, 0.01},
    .twist = {0.0, 0.002},
    .principal = {{5.0, 1.0}, {4.5, 0.5}, {4.0, 0.75}, {3.5, 0.25}},
    .direction = {{{0.0, 1.0}, {0.0, 0.0}, {1.0, 0.0}}, {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}}},
    .radius_a = {0.2, 1.0},
    .radius_b = {0.25, 2.0},
    .part = {{0, 2}, {0, 6}},
};

/** The fault of contact 1 of p, "" for none; `of_b`: flags of the shape of b. */
static const char *fault_of(pairs *p, uint32_t of_b, bool kept)
{
    static char text[256];
    static const uint32_t a[2] = {0, 1}, b[2] = {2, 3}, shape[4] = {0, 0, 1, 1}, pair[2] = {0, 1};
    static const double wall_radius[4] = {0.2, 1.0, 0.0, 0.0};
    const uint8_t keep[2] = {0, kept};
    const scree_shape of_a = {.n_parts = 3}, other = {.n_parts = 7};
    const scree_shape_type types[2] = {{.flags = 0}, {.flags = of_b}};
    const scree_bodies bodies = {.n = 4,
                                 .shape = shape,
                                 .radius = wall_radius,
                                 .shapes = (const scree_shape *const[]){&of_a, &other},
                                 .types = (const scree_shape_type *const[]){&types[0], &types[1]}};
    const scree_candidates in = {.n = 2,
                                 .type_b = 1,
                                 .a = a,
                                 .b = b,
                                 .radius_a = p->radius_a,
                                 .radius_b = p->radius_b,
                                 .range = 0.05,
                                 .keep = keep,
                                 .bodies = &bodies};
    scree_contacts out = {.n = 2,
                          .pair = (uint32_t *)pair,
                          .depth = p->depth,
                          .area = p->area,
                          .chord = p->chord,
                          .volume = p->volume,
                          .twist = p->twist};
    for (int k = 0; k < 4; k++)
        out.principal[k] = p->principal[k];
    for (int k = 0; k < 3; k++) {
        out.normal[k] = p->normal[k];
        out.arm[k] = p->arm[k];
        out.direction[0][k] = p->direction[0][k];
        out.direction[1][k] = p->direction[1][k];
    }
    for (int k = 0; k < 2; k++) {
        out.curvature[k] = p->curvature[k];
        out.part[k] = p->part[k];
    }
    g_assert_false(scree_contact_fault(&in, &out, 0, text, sizeof text));
    text[0] = '\0';
    g_assert_cmpint(scree_contact_fault(&in, &out, 1, text, sizeof text), ==, text[0] != '\0');
    return text;
}

#define AT(member) offsetof(pairs, member) + sizeof(double)

TEST("/contact-fault/each-value-that-no-contact-has-is-named-with-its-numbers")
{
    static const struct {
        size_t at;
        double value;
        const char *text;
    } rows[] = {
        {AT(normal[1]), 1.01, "a normal (0, 1.01, 0) of length 1.01, expected 1"},
        {AT(normal[1]), (double)NAN, "a normal (0, nan, 0) of length nan, expected 1"},
        {AT(depth), 4.1, "a depth of 4.1 m between bodies of radius 1 and 2 m"},
        {AT(depth), -0.06, "a contact across a gap of 0.06 m, expected at most 0.05 m (range)"},
        {AT(arm[2]), -0.7,
         "an arm of 1.18004 m to the contact point, of a body of radius 1 m with depth 0.1 m"},
        {AT(curvature[0]), 0.0,
         "curvatures of 0 and 0 1/m, expected a sum > 0 (provides, supports)"},
        {AT(curvature[1]), -2.0,
         "curvatures of 1 and -2 1/m, expected a sum > 0 (provides, supports)"},
        {AT(area), -0.5, "an area of -0.5 m^2 at a depth of 0.1 m"},
        {AT(chord), -0.5, "a chord of -0.5 m at a depth of 0.1 m"},
        {AT(volume), -0.5, "a volume of -0.5 m^3 at a depth of 0.1 m"},
        {AT(twist), (double)INFINITY, "a twist of inf m^3/rad at a depth of 0.1 m"},
        {AT(principal[0]), 0.25,
         "principal curvatures of a 0.25 and 0.5 1/m along (1, 0, 0), expected the larger first, "
         "along a unit vector "
         "across the normal"},
        {AT(principal[3]), 0.875,
         "principal curvatures of b 0.75 and 0.875 1/m along (0, 0, 1), expected the larger first, "
         "along a unit vector "
         "across the normal"},
        {AT(direction[0][0]), 0.99,
         "principal curvatures of a 1 and 0.5 1/m along (0.99, 0, 0), expected the larger first, "
         "along a unit vector "
         "across the normal"},
        {AT(direction[1][1]), 1e-5,
         "principal curvatures of b 0.75 and 0.25 1/m along (0, 1e-05, 1), expected the larger "
         "first, along a unit "
         "vector across the normal"},
    };
    pairs p = sound;
    g_assert_cmpstr(fault_of(&p, 0, false), ==, "");
    for (uint32_t r = 0; r < G_N_ELEMENTS(rows); r++) {
        p = sound;
        memcpy((char *)&p + rows[r].at, &rows[r].value, sizeof rows[r].value);
        g_assert_cmpstr(fault_of(&p, 0, false), ==, rows[r].text);
    }
}

TEST("/contact-fault/parts-lie-within-their-body")
{
    pairs p = sound;
    p.part[0][1] = 3;
    g_assert_cmpstr(fault_of(&p, 0, false), ==, "part[0] 3 of a body of 3 parts");
    p = sound;
    p.part[1][1] = 7;
    g_assert_cmpstr(fault_of(&p, 0, false), ==, "part[1] 7 of a body of 7 parts");
}

TEST("/contact-fault/what-a-law-keeps-may-be-far-and-a-wall-has-no-other-side")
{
    pairs p = sound;
    p.depth[1] = -1.0;
    p.area[1] = p.volume[1] = p.twist[1] = 0.0;
    g_assert_cmpstr(fault_of(&p, 0, true), ==, "");
    p = sound;
    p.depth[1] = 4.0 + 1e-8; // the whole body, as far as rounding goes
    g_assert_cmpstr(fault_of(&p, 0, false), ==, "");
    p.depth[1] = 2.5;
    g_assert_cmpstr(fault_of(&p, SCREE_CAP_WALL, false), ==,
                    "a depth of 2.5 m between bodies of radius 1 and 0 m");
    p.depth[1] = 100.0;
    g_assert_cmpstr(fault_of(&p, SCREE_CAP_WALL | SCREE_CAP_INFINITE, false), ==, "");
}
