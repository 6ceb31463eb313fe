// SPDX-License-Identifier: Apache-2.0
// Observer `wall`: force, pressure, shear, sliding power and wear of every facet of walls.
/*
 * Writes NAME.csv, a row per observation and facet; NAME_groups.csv, a row per observation and
 * group; with `vtk` NAME/walls_STEP.vtp, the same per cell, and their list NAME/walls.pvd.
 *
 *   area, centre, normal   of the facet now; 2D: length times the thickness of the scene
 *   force [N]              on the facet, the mean over the states since the previous row
 *   torque [N m]           groups: that turns the walls about their axis, and that on them about `point`
 *   pressure [Pa]          of it, along the normals of the contacts, per area
 *   shear [Pa] length of the mean of the remaining force, per area
 *   sliding_power [W] f_t · v_t, summed over the contacts: the power taken by friction
 *   impacts, work, wear    since the start of the run
 *
 * Sources: Archard 1953, J. Appl. Phys. 24, 981: V = k F_n s / H. Finnie 1960, Wear 3, 87: a grain
 * of mass m that hits at the angle alpha to the surface cuts
 *
 *     V = c m v^2 / (p psi K) (sin 2 alpha - 6 / K sin^2 alpha)   tan alpha <= K / 6
 *     V = c m v^2 / (p psi K)  K / 6 cos^2 alpha                  above
 *
 * with p the flow pressure of the wall, K the ratio of normal and tangential force, psi that of
 * the length and depth of a cut, c the share of grains that cut.
 *
 * Idea: every step is checked. A contact that touches, but did not in the previous state, is an
 * impact, at the velocity of the grain's centre without the half step of the contact's force
 * (velocity Verlet adds F dt / 2m to the velocity of the step's middle). Archard's s grows by the
 * tangential velocity of the two surfaces times dt.
 *
 * Steps: walls are found by their ids; contacts go in canonical order, so the sums have the same
 * bits for any number of threads and any contact detection. Sums, totals and the contacts that
 * touch are the observer's state (scree.state/1): rows continue over a restart.
 *
 * Limits: planes have no facets. The moving surface of a conveyor counts as at rest, because its
 * velocity is not that of the body. A grain that bounces within one step is missed.
 *
 * Cost: per step the contact list, and a sort of the contacts on walls; 104 bytes per facet.
 */
#include <inttypes.h>

#include "scree/draft/sums.h"
#include "wall/wall.h"

static int32_t write_row(wall_observer *self, const scree_view *view)
{
    int32_t status = write_tables(self, view);
    if (status == SCREE_OK)
        status = write_script(self, view);
    if (status == SCREE_OK && self->config->vtk)
        status = write_picture(self, view);
    if (status == SCREE_OK)
        clear_window(self);
    return status;
}

static int32_t observe(void *instance, const scree_view *view)
{
    wall_observer *self = instance;
    int32_t status = find_worn_walls(self, view);
    if (status == SCREE_OK && !view->again)
        status = add_state(self, view);
    return status == SCREE_OK && view->due ? write_row(self, view) : status;
}

static int32_t close_tables(wall_observer *self)
{
    int32_t status = self->table.file ? stream_close(&self->table, ".csv") : SCREE_OK;
    int32_t other = self->sums.file ? stream_close(&self->sums, ".csv") : SCREE_OK;
    return status != SCREE_OK ? status : other;
}

static int32_t finish(void *instance, const scree_view *view)
{
    (void)view;
    return close_tables(instance);
}

static void destroy(void *instance)
{
    wall_observer *self = instance;
    if (!self)
        return;
    // Without finish the run has failed: the rows until then are kept.
    if (close_tables(self) != SCREE_OK)
        scree_logf(self->host, SCREE_LOG_WARNING, "%s.csv could not be closed", self->config->file);
    free_loads(self);
    free(self->groups);
    free(self->memory.walls);
    free(self->memory.outlines);
    free(self->frames);
    free(self->scalars);
    free(self->scalar_names);
    free(self->scalar_groups);
    free(self);
}

static const scree_state state = {.size = sizeof state, .save = save_loads, .load = load_loads};

static const void *get_extension(const char *name)
{
    if (strcmp(name, SCREE_EXTENSION_SCALARS) == 0)
        return &wall_scalars;
    return strcmp(name, SCREE_EXTENSION_STATE) == 0 ? &state : NULL;
}

/* ---- create ---- */

static int32_t check_wear(const scree_host *host, const wall_config *c)
{
    if (c->archard > 0.0 && !(c->hardness > 0.0))
        return scree_failf(host, SCREE_E_CONFIG, "archard = %g needs hardness [Pa], > 0",
                           c->archard);
    if (c->finnie > 0.0 && !(c->flow_pressure > 0.0))
        return scree_failf(host, SCREE_E_CONFIG, "finnie = %g needs flow_pressure [Pa], > 0",
                           c->finnie);
    if (!c->file[0] || strpbrk(c->file, "'\n") || strlen(c->file) > 2000)
        return scree_failf(host, SCREE_E_CONFIG,
                           "file: expected a name of 1 to 2000 letters without ' and line ends, "
                           "got \"%.60s\"",
                           c->file);
    if (c->point.n && c->point.n != (uint64_t)host->dimension)
        return scree_failf(host, SCREE_E_CONFIG, "point: expected %d numbers, got %" PRIu64,
                           (int)host->dimension, c->point.n);
    return SCREE_OK;
}

static int32_t find_groups(wall_observer *self)
{
    const scree_strings *names = &self->config->groups;
    if (names->n && !self->names)
        return self->host->fail(self->host->ctx, SCREE_E_UNSUPPORTED,
                                "`groups` needs a host that offers " SCREE_SERVICE_NAMES);
    self->groups = calloc(names->n + 1, sizeof *self->groups);
    if (!self->groups)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    for (uint64_t k = 0; k < names->n; k++)
        self->groups[k] = self->names->group(self->names->ctx, names->v[k]);
    return list_scalars(self)
               ? SCREE_OK
               : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for an instance");
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const wall_config *given = config;
    const scree_output *output = host->get_service(host->ctx, SCREE_SERVICE_OUTPUT);
    wall_observer *self;
    int32_t status = check_wear(host, given);
    if (status != SCREE_OK)
        return status;
    if (!output)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED,
                          "the host offers no " SCREE_SERVICE_OUTPUT ": nowhere to write");
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = given;
    self->output = output;
    self->names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    self->memo.last = UINT64_MAX;
    for (uint64_t k = 0; k < given->point.n; k++)
        self->point[k] = given->point.v[k];
    self->finnie_factor =
        given->finnie > 0.0
            ? given->finnie / (given->flow_pressure * given->depth_ratio * given->force_ratio)
            : 0.0;
    snprintf(self->base, sizeof self->base, "%s_groups", given->file);
    self->table = (text_stream){.host = host, .output = output, .base = given->file};
    self->sums = (text_stream){.host = host, .output = output, .base = self->base};
    status = find_groups(self);
    if (status != SCREE_OK)
        destroy(self);
    else
        *instance = self;
    return status;
}

SCREE_STRING_PARAM(wall_config, file, 0, "wall",
                   "base name of the tables and the .gp file, folder of the .vtp files");
SCREE_STRINGS_PARAM(wall_config, groups, 0, SCREE_PARAM_OPTIONAL | SCREE_PARAM_GROUP,
                    "names of groups of walls; none: all walls of facets");
SCREE_REALS_PARAM(wall_config, point, 0, "m", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                  "torques tx, ty, tz are about this point; the origin if not given");
SCREE_BOOL_PARAM(wall_config, vtk, 0, 1, "write .vtp files with the values per cell");
SCREE_REAL_PARAM(wall_config, archard, "-", 0, 0, 0, HUGE_VAL,
                 "k of Archard's wear of sliding, V = k F s / hardness; 0: none");
SCREE_REAL_PARAM(wall_config, hardness, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "hardness of the wall, for archard");
SCREE_REAL_PARAM(wall_config, finnie, "-", 0, 0, 0, HUGE_VAL,
                 "c of Finnie's wear by impacts, the share of grains that cut; 0: none");
SCREE_REAL_PARAM(wall_config, flow_pressure, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0,
                 0, HUGE_VAL, "p of the wall, for finnie");
SCREE_REAL_PARAM(wall_config, force_ratio, "-", SCREE_PARAM_MIN_OPEN, 2.0, 0, HUGE_VAL,
                 "K of Finnie: normal over tangential force of a grain that cuts");
SCREE_REAL_PARAM(wall_config, depth_ratio, "-", SCREE_PARAM_MIN_OPEN, 2.0, 0, HUGE_VAL,
                 "psi of Finnie: length over depth of a cut");
static const scree_param *const params[] = {
    &param_file,     &param_groups, &param_point,         &param_vtk,         &param_archard,
    &param_hardness, &param_finnie, &param_flow_pressure, &param_force_ratio, &param_depth_ratio};

static const scree_observer_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .narrow = scree_narrow_sums,
    .observe = observe,
    .finish = finish,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_OBSERVER,
    .needs = SCREE_WANTS_CONTACTS | SCREE_WANTS_EVERY_STEP,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "wall",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "force, pressure, shear, sliding power and wear per facet of walls, torque per group",
    .summary =
        "Every step is looked at: forces are means over the states since the previous row, of the "
        "first row over the state at the start. A row per facet in NAME.csv, per group in "
        "NAME_groups.csv; NAME/walls.pvd lists the .vtp files for ParaView, NAME.gp draws the "
        "facets "
        "in the colours of pressure and wear. Wear is a volume since "
        "the start of the run, by impacts (Finnie) and by sliding (Archard), wear_depth their sum "
        "per area. A run that goes on from a checkpoint goes on with all of it.",
    .citation = "Archard 1953, J. Appl. Phys. 24, 981; Finnie 1960, Wear 3, 87",
    .config_size = sizeof(wall_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
