/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of the program that runs the host as a library: a C or a Python function of the user.
 *
 * Idea: the program gives a function to libscree (sc_on_forces) for a slot of the scene. This modifier asks
 *     the host for it and calls it in each evaluation, so that the host knows the forces as those of any
 *     modifier: in its energy account, in trials, in a swap.
 *
 * Steps: forces() hands its arguments to the service scree.embed/1, and returns the code.
 *
 * Cost: a call per evaluation, and what the function takes.
 *
 * Limits: the memory of the function is not part of the state of the run. A restart needs a program with
 *     the function, and scree says so.
 */
#include <scree/draft/embed.h>
#include <scree/sdk.h>
#include <stdlib.h>

typedef struct callback {
    const scree_host *host;
    const scree_embed *embed;
} callback;

static int32_t forces(void *instance, const scree_forces *args)
{
    const callback *self = instance;
    return self->embed->forces(self->embed->ctx, self->host, args);
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    const scree_embed *embed = host->get_service(host->ctx, SCREE_SERVICE_EMBED);
    if (!embed || !SCREE_HAS(embed, forces))
        return host->fail(
            host->ctx, SCREE_E_CONFIG,
            "its forces are a function of a program that uses libscree (sc_on_forces): "
            "run the scene with that program");
    callback *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (callback){host, embed};
    return SCREE_OK;
}

static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .forces = forces};
static const scree_plugin callback_plugin = {
    .size = sizeof callback_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "callback",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "forces that a program gives through libscree",
    .summary =
        "A program in C, Python or another language that runs the scene with libscree sets the "
        "function by the name of this modifier. scree run cannot run such a scene.",
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&callback_plugin);
