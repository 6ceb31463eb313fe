/* SPDX-License-Identifier: Apache-2.0 */
/* Sound plugins of the kind STRAY_KIND, id `stray`, which go astray in the function that the
 * environment names (stray.h). */
#include <math.h>

#include "scree/draft/layout.h"
#include "scree/draft/suspect.h"
#include "stray.h"

/** Every kind begins alike. */
static int32_t create(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host;
    return PULL("create");
}

static void destroy(void *instance)
{
    PULL("destroy");
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    return PULL("narrow");
}

#if STRAY_KIND == 1 /* SCREE_KIND_GCD */
static const scree_boxes *boxes_now;

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    return PULL("init");
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    boxes_now = boxes;
    *n_pivots = boxes->n;
    int32_t code = chunks(instance);
    return code < 0 ? code : PULL("step_init");
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const scree_host *host = instance;
    scree_pair *one;
    const int deaf = stray_asked("gcd.find_neighbors floods");
    if (deaf || stray_asked("gcd.find_neighbors repeats"))
        for (;;) {
            int32_t code = sink->reserve(sink, 1, &one);
            if (code == SCREE_OK)
                *one = (scree_pair){0, 1};
            code = sink->commit(sink, 1);
            if (code != SCREE_OK && !deaf)
                break;
        }
    if (stray_asked("gcd.find_neighbors room") &&
        sink->reserve(sink, UINT64_C(1) << 50, &one) != SCREE_OK)
        return SCREE_E_MEMORY;
    if (stray_asked("gcd.find_neighbors logs"))
        host->log(host->ctx, SCREE_LOG_WARNING,
                  "red \x1b[31m bell \a title \x1b]0;x\a C1 \xc2\x9b"
                  "2J raw \x9b"
                  " end");
    if (stray_asked("gcd.find_neighbors fails"))
        return host->fail(host->ctx, SCREE_E_NUMERIC, "line\nscree: done\r\x1b[2J");
    if (stray_asked("gcd.find_neighbors talks")) {
        static char text[100000];
        memset(text, 'x', sizeof text - 1);
        host->log(host->ctx, SCREE_LOG_WARNING, text);
        return host->fail(host->ctx, SCREE_E_NUMERIC, text);
    }
    for (uint64_t i = first; i < last; i++) {
        scree_pair *out;
        uint64_t n = 0;
        int32_t code = sink->reserve(sink, boxes_now->n, &out);
        if (code == SCREE_OK)
            for (uint32_t j = (uint32_t)i + 1; j < boxes_now->n; j++)
                if (!scree_box_empty(boxes_now, (uint32_t)i) && !scree_box_empty(boxes_now, j))
                    out[n++] = (scree_pair){(uint32_t)i, j};
        code = code == SCREE_OK ? sink->commit(sink, n) : code;
        if (code != SCREE_OK)
            return code;
    }
    return PULL("find_neighbors");
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    uint32_t *out, n = 0;
    int32_t code = sink->reserve(sink, boxes_now->n, &out);
    if (code == SCREE_OK)
        for (uint32_t i = 0; i < boxes_now->n; i++)
            if (!scree_box_empty(boxes_now, i))
                out[n++] = i;
    code = code == SCREE_OK ? sink->commit(sink, n) : code;
    return code == SCREE_OK ? PULL("find_objects") : code;
}

static int32_t suspect_pair(void *instance, scree_pair *pair)
{
    return PULL("pair");
}

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    return PULL("cells");
}

static const void *get_extension(const char *name)
{
    static const scree_suspect suspect = {.size = sizeof suspect, .pair = suspect_pair};
    static const scree_layout layout = {.size = sizeof layout, .cells = show_cells};
    PULL("get_extension");
    if (strcmp(name, SCREE_DRAFT_LAYOUT) == 0)
        return &layout;
    return strcmp(name, SCREE_DRAFT_SUSPECT) == 0 ? &suspect : NULL;
}

static const scree_gcd_ops ops = {OPS(gcd, create, destroy),
                                  .narrow = narrow,
                                  .init = init,
                                  .step_init = step_init,
                                  .find_neighbors = find_neighbors,
                                  .find_objects = find_objects,
                                  .bytes = bytes};
#elif STRAY_KIND == 2 /* SCREE_KIND_RESOLVER */
static int32_t supports(void *instance, scree_pair_support *pair)
{
    if (strcmp(pair->a->name, "sphere") == 0 && strcmp(pair->b->name, "sphere") == 0)
        pair->contacts = SCREE_SUPPORTS_MANY;
    return PULL("supports");
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    return PULL("prepare");
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    out->n = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double depth = in->radius_a[p] + in->radius_b[p] - length;
        if (!(depth >= -in->range) && !(in->keep && in->keep[p]))
            continue;
        uint32_t c = out->n++;
        out->pair[c] = p;
        out->depth[c] = depth;
        out->feature[c] = 0;
        for (int k = 0; k < 3; k++) {
            out->normal[k][c] = d[k] / length;
            out->arm[k][c] = d[k] * (in->radius_a[p] - 0.5 * depth) / length;
        }
    }
    *done = in->n;
    return PULL("resolve");
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    return PULL("adjoins");
}

static const void *get_extension(const char *name)
{
    PULL("get_extension");
    return NULL;
}

static const scree_resolver_ops ops = {OPS(resolver, create, destroy),
                                       .narrow = narrow,
                                       .supports = supports,
                                       .prepare = prepare,
                                       .resolve = resolve,
                                       .bytes = bytes,
                                       .adjoins = adjoins};
#elif STRAY_KIND == 3 /* SCREE_KIND_FORCE */
static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    for (uint32_t c = 0; c < batch->n; c++) {
        double depth = batch->depth[c] > 0.0 ? batch->depth[c] : 0.0;
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = -1e5 * depth * batch->normal[k][c];
        batch->out[0][c] = batch->in[0][c];
    }
    return PULL("compute");
}

static int32_t range(void *instance, scree_range_query *query)
{
    query->gap = 0.0;
    return PULL("range");
}

static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    out->kn = 1e5;
    return PULL("stiffness");
}

static int32_t bond_reach(void *instance, scree_range_query *query)
{
    query->gap = 0.0;
    return PULL("reach");
}

static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof bonds, .reach = bond_reach};
    PULL("get_extension");
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}

SCREE_FIELD(mark, CONTACT, 1, 1, "m", 0.0, "a number that stays");
static const scree_field *const fields[] = {&field_mark};
static int32_t after_step(void *instance, const scree_law_step *args)
{
    return PULL("after_step");
}

static const scree_force_ops ops = {
    OPS(force, create, destroy), .compute = compute, .range = range,
    .stiffness = stiffness,      .bytes = bytes,     .narrow = narrow,
    .after_step = after_step};
#elif STRAY_KIND == 4 /* SCREE_KIND_INTEGRATOR */
static int32_t begin(void *instance, const scree_motion *motion)
{
    int32_t code = chunks(instance);
    return code < 0 ? code : PULL("begin");
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    return PULL("stage");
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    for (uint32_t i = range->begin; i < range->end; i++)
        for (uint32_t axis = 0; axis < m->dimension; axis++)
            if (range->stage == 0)
                m->x[axis][i] += m->dt * m->v[axis][i];
            else
                m->v[axis][i] += m->dt * m->wrench[8 * i + axis] * m->inv_mass[i];
    return PULL("move");
}

static void claim_with(const void *config, scree_order *claim)
{
    PULL("with");
}

static double limit(const void *config, double zeta)
{
    PULL("limit");
    return 1.9;
}

static const void *get_extension(const char *name)
{
    static const scree_order order = {.size = sizeof order, .with = claim_with};
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    PULL("get_extension");
    if (strcmp(name, SCREE_EXTENSION_ORDER) == 0)
        return &order;
    return strcmp(name, SCREE_EXTENSION_STABILITY) == 0 ? &stability : NULL;
}

static const scree_integrator_ops ops = {OPS(integrator, create, destroy),
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes,
                                         .move = move,
                                         .narrow = narrow};
#elif STRAY_KIND == 5 /* SCREE_KIND_OBSERVER */
static int32_t observe(void *instance, const scree_view *view)
{
    int32_t code = chunks(instance);
    return code < 0 ? code : PULL("observe");
}

static int32_t finish(void *instance, const scree_view *view)
{
    return PULL("finish");
}

static const scree_scalar *scalar(void *instance, uint32_t k)
{
    static const scree_scalar one = SCREE_SCALAR("one", "-", 0);
    PULL("scalar");
    return k == 0 ? &one : NULL;
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    value[0] = 1.0;
    return PULL("read");
}

static const void *get_extension(const char *name)
{
    static const scree_scalars scalars = {
        .size = sizeof scalars, .scalar = scalar, .read = read_scalars};
    PULL("get_extension");
    return strcmp(name, SCREE_EXTENSION_SCALARS) == 0 ? &scalars : NULL;
}

static const scree_observer_ops ops = {
    OPS(observer, create, destroy),
    .bytes = bytes,
    .narrow = narrow,
    .observe = observe,
    .finish = finish,
};
#elif STRAY_KIND == 7 /* SCREE_KIND_SHAPE */
/* A unit ball that claims to be a solid. */
static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    for (uint32_t i = 0; i < n; i++) {
        double d[3] = {direction[0][i], direction[1][i], direction[2][i]};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++)
            point[k][i] = d[k] / length;
    }
    PULL("farthest");
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *values,
                  double *const gradient[3])
{
    for (uint32_t i = 0; i < n; i++) {
        values[i] = -1.0;
        for (int k = 0; k < 3; k++) {
            values[i] += x[k][i] * x[k][i];
            if (gradient)
                gradient[k][i] = 2.0 * x[k][i];
        }
    }
    PULL("value");
}

static int32_t measure(void *instance, scree_measure *m)
{
    m->n_parts = 1;
    m->flat = m->dimension == 2;
    m->content = 3.14159265358979324 * (m->flat ? 1.0 : 4.0 / 3.0);
    m->radius = 1.0;
    for (int k = 0; k < 3; k++)
        m->inertia[k] = m->flat ? 0.5 : 0.4;
    return PULL("measure");
}

static int32_t place(void *instance, const scree_frame *frame)
{
    return PULL("place");
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            double half = k < b->dimension ? b->scale[i] : 0.0;
            b->centre[k][i] = b->x[k][i];
            b->lo[k][i] = b->x[k][i] - half;
            b->hi[k][i] = b->x[k][i] + half;
        }
        b->radius[i] = b->scale[i];
    }
    return PULL("boxes");
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    static const scree_support support = {.size = sizeof support, .farthest = farthest};
    static const scree_implicit implicit = {.size = sizeof implicit, .value = value};
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0    ? (const void *)&support
           : strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? (const void *)&implicit
                                                    : NULL;
    return PULL("view");
}

static const void *get_extension(const char *name)
{
    PULL("get_extension");
    return NULL;
}

static const scree_shape_ops ops = {OPS(shape, create, destroy),
                                    .narrow = narrow,
                                    .bytes = bytes,
                                    .measure = measure,
                                    .place = place,
                                    .boxes = boxes,
                                    .view = view};
#else                 /* SCREE_KIND_MODIFIER */
static int32_t forces(void *instance, const scree_forces *args)
{
    int32_t code = chunks(instance);
    return code < 0 ? code : PULL("forces");
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const scree_bodies *bodies = args->bodies;
    const scree_edits *edits = args->edits;
    const uint64_t step = args->step;
    uint64_t id;
    scree_one_body spec = {.shape = bodies->shape[0],
                           .scale = bodies->scale[0],
                           .x = {0.0, 1.0 + (double)step, 0.0},
                           .q = {1.0, 0.0, 0.0, 0.0}};
    const int deaf = stray_asked("modifier.after_step floods");
    if (deaf || stray_asked("modifier.after_step inserts"))
        for (;;)
            if (scree_insert_one(edits, &spec, &id) != SCREE_OK && !deaf)
                break;
    int32_t code = step == 3 ? scree_insert_one(edits, &spec, &id) : SCREE_OK;
    return code < 0 ? code : PULL("after_step");
}

static int32_t pose(void *instance, const scree_poses *args)
{
    return PULL("pose");
}

static int32_t enter(void *instance, const scree_entry *args)
{
    return PULL("enter");
}

static const void *get_extension(const char *name)
{
    PULL("get_extension");
    return NULL;
}

static const scree_modifier_ops ops = {OPS(modifier, create, destroy),
                                       .narrow = narrow,
                                       .forces = forces,
                                       .after_step = after_step,
                                       .bytes = bytes,
                                       .pose = pose,
                                       .enter = enter};
#endif

#define SCREE_KIND_STRAY STRAY_KIND
static const scree_plugin stray = {
    PLUGIN_OF(SCREE_DIMENSION_2 | SCREE_DIMENSION_3, STRAY, "stray",
              "goes astray where the environment says"),
#if STRAY_KIND == 3
    PLUGIN_FIELDS(fields),
#elif STRAY_KIND == 5
    .needs = SCREE_WANTS_CONTACTS | SCREE_WANTS_EVERY_STEP,
#endif
    .get_extension = get_extension,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&stray);
