/* SPDX-License-Identifier: Apache-2.0 */
/*
 * domain/mpi: the domain whose MPI has the launcher that started this process.
 *
 * Idea     Launchers put the number of ranks into the environment, each under its own name. This
 *          plugin owns domain/mpi_openmpi or domain/mpi_mpich, and passes each call on to it. If
 *          only one of them was built, it is that one.
 * Limits   The libraries of both are loaded; one is started.
 */
#include "scree/draft/domain.h"
#include "scree/sdk.h"

typedef struct config {
    const scree_plugin_ref *openmpi, *mpich;
} config;

typedef struct choice {
    const scree_domain_ops *ops;
    void *inner;
} choice;

static int32_t create(const scree_host *host, const void *data, void **instance)
{
    const config *c = data;
    const int is_openmpi = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || !c->mpich;
    const scree_plugin *plugin;
    const void *ops;
    choice *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    const int32_t code = host->make_instance(
        host->ctx, is_openmpi && c->openmpi ? c->openmpi : c->mpich, &plugin, &ops, &self->inner);
    if (code < 0) {
        free(self);
        return code;
    }
    self->ops = ops;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    choice *self = instance;
    if (!self)
        return;
    self->ops->destroy(self->inner);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const choice *self = instance;
    return sizeof *self + self->ops->bytes(self->inner);
}

static int32_t count_processes(void *instance, uint32_t *n)
{
    const choice *self = instance;
    return self->ops->processes(self->inner, n);
}

static int32_t join(void *instance, scree_domain_join *join)
{
    const choice *self = instance;
    return self->ops->join(self->inner, join);
}

static int32_t begin(void *instance, const scree_exchange *exchange)
{
    const choice *self = instance;
    return self->ops->begin(self->inner, exchange);
}

static int32_t finish(void *instance)
{
    const choice *self = instance;
    return self->ops->finish(self->inner);
}

static int32_t gather(void *instance, uint32_t root, const void *mine, const uint64_t *n, void *all)
{
    const choice *self = instance;
    return self->ops->gather(self->inner, root, mine, n, all);
}

static int32_t broadcast(void *instance, uint32_t root, void *data, uint64_t n)
{
    const choice *self = instance;
    return self->ops->broadcast(self->inner, root, data, n);
}

static int32_t abort_all(void *instance, const char *text)
{
    const choice *self = instance;
    return self->ops->abort(self->inner, text);
}

static int32_t test(void *instance, uint32_t *done)
{
    const choice *self = instance;
    *done = 0;
    return SCREE_HAS(self->ops, test) ? self->ops->test(self->inner, done) : SCREE_OK;
}

#define OWNED(key, id)                                                                             \
    static const scree_param param_##key = {.size = sizeof(scree_param),                           \
                                            .type = SCREE_TYPE_PLUGIN,                             \
                                            .offset = offsetof(config, key),                       \
                                            .name = #key,                                          \
                                            .help = "domain where that MPI has started the run",   \
                                            .string_default = id,                                  \
                                            .kind = SCREE_DRAFT_KIND_DOMAIN}
#ifdef WITH_OPENMPI
OWNED(openmpi, "mpi_openmpi");
#endif
#ifdef WITH_MPICH
OWNED(mpich, "mpi_mpich");
#endif
static const scree_param *const params[] = {
#ifdef WITH_OPENMPI
    &param_openmpi,
#endif
#ifdef WITH_MPICH
    &param_mpich,
#endif
};
static const scree_domain_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .processes = count_processes,
    .join = join,
    .begin = begin,
    .finish = finish,
    .gather = gather,
    .broadcast = broadcast,
    .abort = abort_all,
    .test = test,
};
static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_DRAFT_KIND_DOMAIN,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "mpi",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "ranks that mpirun or srun has started, by the MPI to which it belongs",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&plugin);
