/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: every kind's text goes there and back; what is not a slot is refused. */
#include <glib.h>

#include "../../test.h"
#include "plugin/kinds.h"
#include "scree/scree.h"
#include "tools/restart/slot_parse.h"

static bool is_same(scree_slot a, scree_slot b)
{
    return a.kind == b.kind && a.index == b.index && !g_strcmp0(a.name, b.name);
}

TEST("/slot/there-and-back")
{
    static const struct {
        const char *text;
        scree_slot slot;
    } all[] = {{"gcd", {.kind = SCREE_KIND_GCD}},
               {"integrator", {.kind = SCREE_KIND_INTEGRATOR}},
               {"resolvers[0]", {.kind = SCREE_KIND_RESOLVER}},
               {"force[0]", {.kind = SCREE_KIND_FORCE}},
               {"force[10]", {.kind = SCREE_KIND_FORCE, .index = 10}},
               {"force[4294967294]", {.kind = SCREE_KIND_FORCE, .index = UINT32_MAX - 1}},
               {"modifiers.feed", {.kind = SCREE_KIND_MODIFIER, .name = "feed"}},
               {"modifiers.gcd", {.kind = SCREE_KIND_MODIFIER, .name = "gcd"}},
               {"shapes.stone", {.kind = SCREE_KIND_SHAPE, .name = "stone"}},
               {"observers.a.b[0]", {.kind = SCREE_KIND_OBSERVER, .name = "a.b[0]"}}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        scree_slot read = {0};
        g_assert_true(scree_slot_parse(all[i].text, &read));
        g_assert_true(is_same(read, all[i].slot));
        g_autofree char *text = scree_slot_print(read);
        g_assert_cmpstr(text, ==, all[i].text);
        for (size_t k = 0; k < G_N_ELEMENTS(all); k++)
            g_assert_cmpint(is_same(read, all[k].slot), ==, i == k);
    }
}

TEST("/slot/anything-else-is-refused")
{
    static const char *const texts[] = {"",
                                        "g",
                                        "gcds",
                                        "gcd[0]",
                                        "gcd.a",
                                        "gcd ",
                                        "force",
                                        "force[",
                                        "force[]",
                                        "force[0",
                                        "force[0]]",
                                        "force[00]",
                                        "force[-1]",
                                        "force[+1]",
                                        "force[ 1]",
                                        "force[1]a",
                                        "force.0",
                                        "forces[0]",
                                        "modifiers",
                                        "modifiers.",
                                        "modifiers[0]",
                                        "observers.",
                                        "integrator.",
                                        "resolver[0]",
                                        "[0]",
                                        ".feed",
                                        "gcd.inner",
                                        "force[x]",
                                        "force[4294967295]",
                                        "force[99999999999999999999]"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        scree_slot slot = {.kind = 77};
        g_assert_false(scree_slot_parse(texts[i], &slot));
        g_assert_cmpuint(slot.kind, ==, 77);
    }
}

/** A kind that is added to the ABI gets a key here too. */
TEST("/slot/every-kind-has-a-key")
{
    uint32_t n = 0;
    for (uint32_t kind = 1; scree_kind_name(kind); kind++, n++) {
        const char *key = scree_kinds[kind].key;
        const bool named = g_str_has_prefix(key, scree_kind_name(kind));
        g_assert_true(named || (kind == SCREE_KIND_SOURCE && !strcmp(key, "generate")));
        g_assert_cmpuint(scree_slot_kind_of(key, strlen(key)), ==, kind);
        g_assert_cmpuint(scree_slot_kind_of(key, strlen(key) - 1), ==, 0);
    }
    g_assert_cmpuint(n, ==, 9);
}
