/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins for runs on several ranks: three that such a run refuses, two that keep ranks together, one
 * that one rank cannot make, and an observer that fails. */
#include "../../plugin.h"

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    for (uint32_t c = 0; c < b->n; c++)
        for (int j = 0; j < 3; j++)
            b->f[j][c] = b->depth[c] > 0.0 ? -1.0e4 * b->depth[c] * b->normal[j][c] : 0.0;
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_law_step *args)
{
    args->global_fields[0] += 1.0;
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    return SCREE_OK;
}

static int32_t create_writer(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    return *instance ? SCREE_OK : host->fail(host->ctx, SCREE_E_UNSUPPORTED, "no files");
}

static int32_t create_asker(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host->get_service(host->ctx, SCREE_SERVICE_SUM);
    return *instance ? SCREE_OK : host->fail(host->ctx, SCREE_E_UNSUPPORTED, "no sums");
}

static int32_t create_looker(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    return *instance ? SCREE_OK : host->fail(host->ctx, SCREE_E_UNSUPPORTED, "no answers");
}

/** unsound_domain.c: ranks that a test has started have their number in the environment. */
static int32_t create_picky(const scree_host *host, const void *config, void **instance)
{
    const char *rank = getenv("UNSOUND_RANK");
    *instance = (void *)(uintptr_t)host;
    return rank && !strcmp(rank, "1")
               ? host->fail(host->ctx, SCREE_E_IO, "the file of this rank is missing")
               : SCREE_OK;
}

static int32_t create_observer(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host;
    return SCREE_OK;
}

static int32_t observe(void *instance, const scree_view *view)
{
    const scree_host *host = instance;
    return view->step < 20 ? SCREE_OK : host->fail(host->ctx, SCREE_E_IO, "20 steps are enough");
}

static int32_t finish(void *instance, const scree_view *view)
{
    return SCREE_OK;
}

SCREE_FIELD(steps, GLOBAL, 1, 1, "-", 0.0, "of the run");
static const scree_field *const own_fields[] = {&field_steps};
SCREE_GLOBAL_FIELD(turns, 1, 1, SAME, "-", 0.0, "of the run");
static const scree_field *const same_fields[] = {&field_turns};

static const scree_force_ops has_ops = {OPS(force, plain_create, plain_destroy),
                                        .compute = compute};
static const scree_force_ops counts_ops = {OPS(force, plain_create, plain_destroy),
                                           .compute = compute, .after_step = after_step};
static const scree_modifier_ops writer_ops = {OPS(modifier, create_writer, plain_destroy),
                                              .forces = forces};
static const scree_modifier_ops asker_ops = {OPS(modifier, create_asker, plain_destroy),
                                             .forces = forces};
static const scree_modifier_ops looker_ops = {OPS(modifier, create_looker, plain_destroy),
                                              .forces = forces};
static const scree_modifier_ops picky_ops = {OPS(modifier, create_picky, plain_destroy),
                                             .forces = forces};
static const scree_observer_ops weary_ops = {OPS(observer, create_observer, plain_destroy),
                                             .observe = observe, .finish = finish};

static const scree_plugin has = {PLUGIN(FORCE, "has_global", "has a field of the run"),
                                 PLUGIN_FIELDS(own_fields), .ops = &has_ops};
static const scree_plugin counts = {PLUGIN(FORCE, "counts_steps", "counts with the flag ranks"),
                                    PLUGIN_FIELDS(same_fields), .flags = SCREE_CAP_RANKS,
                                    .ops = &counts_ops};
static const scree_plugin writer = {PLUGIN(MODIFIER, "writer", "may write a file"),
                                    .ops = &writer_ops};
static const scree_plugin asker = {PLUGIN(MODIFIER, "asker", "may sum over all bodies"),
                                   .flags = SCREE_CAP_RANKS, .ops = &asker_ops};
static const scree_plugin looker = {PLUGIN(MODIFIER, "looker", "may ask for all bodies"),
                                    .flags = SCREE_CAP_RANKS, .ops = &looker_ops};
static const scree_plugin picky = {PLUGIN(MODIFIER, "picky", "rank 1 does not make it"),
                                   .ops = &picky_ops};
static const scree_plugin weary = {PLUGIN(OBSERVER, "weary", "fails at step 20"),
                                   .ops = &weary_ops};

SCREE_DEFINE_MANIFEST(&has, &counts, &writer, &asker, &looker, &picky, &weary);
