/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin of each kind, each with its structs longer than those of this host, as of a newer minor. The bytes behind are 0
 * but for those of the struct that WITH names: one of the list below, or `none`. */
#include "scree/draft/domain.h"
#include "scree/draft/joined.h"
#include "scree/draft/layout.h"
#include "scree/draft/rates.h"
#include "scree/draft/solid.h"
#include "scree/draft/suspect.h"
#include "scree/sdk.h"

#pragma GCC diagnostic ignored "-Wcast-function-type"

enum {
    is_none,
    is_scree_manifest,
    is_scree_plugin,
    is_scree_param,
    is_scree_choice,
    is_scree_field,
    is_scree_use,
    is_scree_gcd_ops,
    is_scree_resolver_ops,
    is_scree_force_ops,
    is_scree_integrator_ops,
    is_scree_observer_ops,
    is_scree_modifier_ops,
    is_scree_shape_ops,
    is_scree_source_ops,
    is_scree_domain_ops,
    is_scree_bonds,
    is_scree_joined,
    is_scree_layout,
    is_scree_order,
    is_scree_rates,
    is_scree_scalars,
    is_scree_solid,
    is_scree_stability,
    is_scree_state,
    is_scree_suspect
};
#define IS_(name) is_##name
#define IS(name) IS_(name)

/** Declares a longer struct: the members of `type`, then a byte that is not 0 if the type is WITH. */
#define LONGER(type, name, ...)                                                                    \
    static const struct {                                                                          \
        type known;                                                                                \
        uint8_t tail[16];                                                                          \
    } name = {{.size = sizeof(type) + 16, __VA_ARGS__}, {[9] = IS(WITH) == is_##type}}

/* No function is called: the host reads constants only. */
static int32_t nothing(void)
{
    return SCREE_OK;
}
#define DOES(type, member) .member = (__typeof__(((type *)0)->member))nothing

typedef struct config {
    int32_t way;
} config;

LONGER(scree_choice, first, .name = "first", .help = "the first way");
static const scree_choice *const choices[] = {&first.known};
LONGER(scree_param, way, .type = SCREE_TYPE_CHOICE, .offset = offsetof(config, way), .name = "way",
       .help = "a way", .string_default = "first", .choices = choices, .n_choices = 1);
static const scree_param *const params[] = {&way.known};
LONGER(scree_field, warmth, .scope = SCREE_SCOPE_BODY, .components = 1, .name = "warmth",
       .help = "a field");
static const scree_field *const fields[] = {&warmth.known};
LONGER(scree_use, warm, .scope = SCREE_SCOPE_BODY, .components = 1, .access = SCREE_USE_READ,
       .name = "warmth", .help = "a field of others");
static const scree_use *const uses[] = {&warm.known};

LONGER(scree_suspect, suspect, DOES(scree_suspect, pair));
LONGER(scree_layout, layout, DOES(scree_layout, cells));
LONGER(scree_solid, solid, DOES(scree_solid, grid), DOES(scree_solid, classes),
       DOES(scree_solid, numbers), DOES(scree_solid, zone));
LONGER(scree_bonds, bonds, .reserved = 0);
LONGER(scree_order, order, .smooth = 2);
LONGER(scree_rates, rates, DOES(scree_rates, advance));
LONGER(scree_joined, joined, DOES(scree_joined, move_both));
LONGER(scree_stability, stability, DOES(scree_stability, limit));
LONGER(scree_scalars, scalars, DOES(scree_scalars, scalar), DOES(scree_scalars, read));
LONGER(scree_state, state, DOES(scree_state, save), DOES(scree_state, load));

/** Gives each kind the extensions that no other kind here has. */
#define EXTENSION(kind, NAME, name)                                                                \
    static const void *kind##_extension(const char *wanted)                                        \
    {                                                                                              \
        return strcmp(wanted, SCREE_##NAME) == 0 ? (const void *)&name : NULL;                     \
    }
EXTENSION(force, EXTENSION_BONDS, bonds)
EXTENSION(observer, EXTENSION_SCALARS, scalars)
static const void *resolver_extension(const char *wanted)
{
    return strcmp(wanted, SCREE_EXTENSION_STATE) == 0 ? (const void *)&state
           : strcmp(wanted, SCREE_DRAFT_SOLID) == 0   ? (const void *)&solid
                                                      : NULL;
}
static const void *gcd_extension(const char *wanted)
{
    return strcmp(wanted, SCREE_DRAFT_LAYOUT) == 0    ? (const void *)&layout
           : strcmp(wanted, SCREE_DRAFT_SUSPECT) == 0 ? (const void *)&suspect
                                                      : NULL;
}
static const void *integrator_extension(const char *wanted)
{
    return strcmp(wanted, SCREE_EXTENSION_ORDER) == 0       ? (const void *)&order
           : strcmp(wanted, SCREE_DRAFT_RATES) == 0         ? (const void *)&rates
           : strcmp(wanted, SCREE_DRAFT_JOINED) == 0        ? (const void *)&joined
           : strcmp(wanted, SCREE_EXTENSION_STABILITY) == 0 ? (const void *)&stability
                                                            : NULL;
}

#define OPS_OF(kind, ...)                                                                          \
    LONGER(scree_##kind##_ops, kind##_ops, DOES(scree_##kind##_ops, create),                       \
           .destroy = (void (*)(void *))nothing, __VA_ARGS__)
OPS_OF(gcd, DOES(scree_gcd_ops, init), DOES(scree_gcd_ops, step_init),
       DOES(scree_gcd_ops, find_neighbors), DOES(scree_gcd_ops, find_objects));
OPS_OF(resolver, DOES(scree_resolver_ops, supports), DOES(scree_resolver_ops, resolve));
OPS_OF(force, DOES(scree_force_ops, compute));
OPS_OF(integrator, DOES(scree_integrator_ops, begin), DOES(scree_integrator_ops, stage));
OPS_OF(observer, DOES(scree_observer_ops, observe), DOES(scree_observer_ops, finish));
OPS_OF(modifier, DOES(scree_modifier_ops, forces));
OPS_OF(shape, DOES(scree_shape_ops, measure));
OPS_OF(source, DOES(scree_source_ops, make));
OPS_OF(domain, DOES(scree_domain_ops, processes), DOES(scree_domain_ops, join),
       DOES(scree_domain_ops, begin), DOES(scree_domain_ops, finish),
       DOES(scree_domain_ops, gather), DOES(scree_domain_ops, broadcast),
       DOES(scree_domain_ops, abort), DOES(scree_domain_ops, test));

#define SCREE_KIND_DOMAIN SCREE_DRAFT_KIND_DOMAIN
#define PLUGIN_OF(KIND, kind_ops, ...)                                                             \
    {                                                                                              \
        .size = sizeof(scree_plugin) + 16, .kind = SCREE_KIND_##KIND,                              \
        .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "newer", .version = "1.0.0",    \
        .licence = "Apache-2.0", .help = "of a newer minor", .ops = &kind_ops, __VA_ARGS__         \
    }
#define DECLARE(KIND, kind, ...)                                                                   \
    static const struct {                                                                          \
        scree_plugin known;                                                                        \
        uint8_t tail[16];                                                                          \
    } kind = {PLUGIN_OF(KIND, kind##_ops, __VA_ARGS__),                                            \
              {[15] = IS(WITH) == is_scree_plugin && SCREE_KIND_##KIND == SCREE_KIND_SOURCE}}
DECLARE(GCD, gcd, .get_extension = gcd_extension);
DECLARE(RESOLVER, resolver, .get_extension = resolver_extension);
DECLARE(FORCE, force, .get_extension = force_extension, .n_fields = 1, .fields = fields);
DECLARE(INTEGRATOR, integrator, .get_extension = integrator_extension);
DECLARE(OBSERVER, observer, .get_extension = observer_extension);
DECLARE(MODIFIER, modifier, .n_uses = 1, .uses = uses);
DECLARE(SHAPE, shape, .flags = SCREE_CAP_ROUND);
DECLARE(DOMAIN, domain, .flags = 0);
DECLARE(SOURCE, source, .config_size = sizeof(config), .n_params = 1, .params = params);

static const scree_plugin *const list[] = {&gcd.known,        &resolver.known, &force.known,
                                           &integrator.known, &observer.known, &modifier.known,
                                           &shape.known,      &source.known,   &domain.known};

typedef struct longer_manifest {
    scree_manifest known;
    uint8_t tail[16];
} longer_manifest;
SCREE_EXPORT extern const longer_manifest longer __asm__(SCREE_MANIFEST_SYMBOL);
const longer_manifest longer = {{.size = sizeof(longer_manifest),
                                 .major = SCREE_ABI_MAJOR,
                                 .n_plugins = SCREE_COUNT(list),
                                 .plugins = list,
                                 .digest = SCREE_ABI_DIGEST},
                                {[0] = IS(WITH) == is_scree_manifest}};
