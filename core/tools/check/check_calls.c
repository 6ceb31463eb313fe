/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the engine to the plugin under test pass through the check.
 *
 * The plugin is registered with a copy of its vtable, whose functions are those of this file; they
 * call the plugin, between the begin and the end of the engine's call. An instance stays the
 * plugin's own. A call gets copies of its arrays that end at a guard page; inputs cannot be written
 * to, outputs go back to the engine after the call. */
#include "tools/check/check_calls.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "plugin/struct_size.h"
#include "scene/new_bodies.h"
#include "scree/draft/joined.h"
#include "tools/check/check_report.h"
#include "tools/check/guard_pages.h"

/* The check of this process, and the plugin's own vtable. */
static scree_check *subject;
static union {
    const scree_ops_head *head;
    const scree_modifier_ops *modifier;
    const scree_observer_ops *observer;
    const scree_integrator_ops *integrator;
    const scree_source_ops *source;
} own;
static scree_check_judge own_judge;

/* ---- arrays that are lent for a call ---- */

/** LIST: written here while it is filled, and not read back. */
typedef enum role { INPUT, OUTPUT, LIST } role;

typedef struct loan {
    void *real, *copy;
    uint64_t bytes;
    uint64_t free; // [bytes] of bodies that may be written to; what follows stays
    role role;
} loan;

static GArray *loans;

/** A copy of an array for the plugin; NULL for NULL. An array has one copy in a call. */
static void *lend(const void *real, uint64_t bytes, role as)
{
    loans = loans ? loans : g_array_new(FALSE, FALSE, sizeof(loan));
    if (!real)
        return NULL;
    for (guint k = 0; k < loans->len; k++)
        if (g_array_index(loans, loan, k).real == real)
            return g_array_index(loans, loan, k).copy;
    const loan l = {(void *)(uintptr_t)real, scree_check_guarded(MAX((bytes + 63) / 64 * 64, 64)),
                    bytes, bytes, as};
    memcpy(l.copy, real, bytes);
    if (as == INPUT)
        scree_check_protect(l.copy, true);
    g_array_append_val(loans, l);
    return l.copy;
}

/** Lends n arrays, given by a list or a member of a struct, into `out`. */
static void lend_each(void *out, const void *real, uint32_t n, uint64_t bytes, role as)
{
    const void *const *from = real;
    void **to = out;
    for (uint32_t k = 0; k < n; k++)
        to[k] = lend(from[k], bytes, as);
}

/** Lends n arrays of all bodies, of which a call writes those of the free ones. */
static void lend_free(void *out, const void *real, uint32_t n, const scree_motion *of)
{
    const void *const *from = real;
    lend_each(out, real, n, of->n * sizeof(double), OUTPUT);
    for (guint k = 0; k < loans->len; k++)
        for (uint32_t l = 0; l < n; l++)
            if (g_array_index(loans, loan, k).real == from[l])
                g_array_index(loans, loan, k).free = of->n_free * sizeof(double);
}

/** A list of n arrays that are lent. */
static void *lend_list(const void *real, uint32_t n, uint64_t bytes, role as)
{
    void *list = lend(real, n * sizeof(void *), LIST);
    if (list)
        lend_each(list, real, n, bytes, as);
    return list;
}

/** Ends the call: the engine gets the outputs. */
static int32_t take_back(int32_t code)
{
    for (guint k = 0; k < loans->len; k++) {
        const loan *l = &g_array_index(loans, loan, k);
        if (memcmp((char *)l->real + l->free, (char *)l->copy + l->free, l->bytes - l->free))
            scree_check_fail(subject, "it writes to a body that is not free");
        if (l->role == OUTPUT)
            memcpy(l->real, l->copy, l->bytes);
        scree_check_guarded_free(l->copy);
    }
    g_array_set_size(loans, 0);
    return code;
}

/** Components of the plugin's own fields. */
static uint32_t count_fields(uint32_t scope)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < subject->plugin->n_fields; f++)
        n +=
            subject->plugin->fields[f]->scope == scope ? subject->plugin->fields[f]->components : 0;
    return n;
}

/** Fields of others; rates can be written. */
static void lend_used(const scree_used_field *const **used, uint32_t n_used, const uint64_t *rows)
{
    const scree_used_field *const *real = *used;
    const scree_used_field **list = lend(real, n_used * sizeof *real, LIST);
    const uint32_t n = list ? n_used : 0;
    for (uint32_t k = 0; k < n; k++) {
        scree_used_field *field = lend(real[k], sizeof *field, LIST);
        const uint64_t bytes = rows[field->scope] * sizeof(double);
        field->rate = lend_list(field->rate, field->components, bytes, OUTPUT);
        field->v = lend_list(field->v, field->components, bytes, INPUT);
        field->fresh = lend(field->fresh, rows[field->scope], INPUT);
        list[k] = field;
    }
    *used = list;
}

/** Arrays of the bodies. Own fields can be written in after_step() and enter() only, where they are
 * lent before. */
static const scree_bodies *lend_bodies(const scree_bodies *real)
{
    scree_bodies *b = lend(real, sizeof *b, LIST);
    const uint64_t n = real->n, reals = n * sizeof(double), ints = n * sizeof(uint32_t);
    const uint64_t rows[SCREE_SCOPE_GLOBAL + 1] = {
        [SCREE_SCOPE_BODY] = n, [SCREE_SCOPE_GLOBAL] = 1};
    b->id = lend(b->id, n * sizeof *b->id, INPUT);
    b->number = lend(b->number, n * sizeof *b->number, INPUT);
    b->fresh = lend(b->fresh, n, INPUT);
    b->shape = lend(b->shape, ints, INPUT);
    b->material = lend(b->material, ints, INPUT);
    b->motion = lend(b->motion, ints, INPUT);
    b->group = lend(b->group, ints, INPUT);
    lend_each(b->image, real->image, 3, ints, INPUT);
    lend_each(b->x, real->x, 3, reals, INPUT);
    lend_each(b->q, real->q, 4, reals, INPUT);
    lend_each(b->v, real->v, 3, reals, INPUT);
    lend_each(b->w, real->w, 3, reals, INPUT);
    lend_each(b->inv_inertia, real->inv_inertia, 3, reals, INPUT);
    b->scale = lend(b->scale, reals, INPUT);
    b->radius = lend(b->radius, reals, INPUT);
    b->inv_mass = lend(b->inv_mass, reals, INPUT);
    b->density = lend(b->density, reals, INPUT);
    b->wrench = lend(b->wrench, 8 * reals, INPUT);
    b->material_density = lend(b->material_density, b->n_materials * sizeof(double), INPUT);
    if (subject->plugin->kind == SCREE_KIND_MODIFIER)
        b->fields = lend_list(b->fields, count_fields(SCREE_SCOPE_BODY), reals, INPUT);
    b->global_fields =
        lend(b->global_fields, count_fields(SCREE_SCOPE_GLOBAL) * sizeof(double), INPUT);
    lend_used(&b->used, b->n_used, rows);
    return b;
}

/* ---- modifiers ---- */

int32_t scree_check_calls_forces(void *instance, const scree_forces *args)
{
    return own.modifier->forces(instance, args);
}

int32_t scree_check_calls_pose(void *instance, const scree_poses *args)
{
    return own.modifier->pose(instance, args);
}

static int32_t forces(void *instance, const scree_forces *args)
{
    if (own_judge.forces)
        return own_judge.forces(subject, instance, args);
    scree_forces lent = *args;
    lent.wrench = lend(args->wrench, 64ull * args->bodies->n, OUTPUT);
    lent.power = lend(args->power, 8ull * args->bodies->n, OUTPUT);
    lent.bodies = lend_bodies(args->bodies);
    return take_back(own.modifier->forces(instance, &lent));
}

static int32_t pose(void *instance, const scree_poses *args)
{
    if (own_judge.pose)
        return own_judge.pose(subject, instance, args);
    const uint64_t bytes = 8ull * args->bodies->n;
    scree_poses lent = *args;
    lend_each(lent.x, args->x, 3, bytes, OUTPUT);
    lend_each(lent.q, args->q, 4, bytes, OUTPUT);
    lend_each(lent.v, args->v, 3, bytes, OUTPUT);
    lend_each(lent.w, args->w, 3, bytes, OUTPUT);
    lend_each(lent.surface, args->surface, 3, bytes, OUTPUT);
    lent.bodies = lend_bodies(args->bodies);
    return take_back(own.modifier->pose(instance, &lent));
}

static void lend_own(double *const **body_fields, double **global_fields, uint32_t n)
{
    *body_fields = lend_list(*body_fields, count_fields(SCREE_SCOPE_BODY), 8ull * n, OUTPUT);
    *global_fields = lend(*global_fields, 8ull * count_fields(SCREE_SCOPE_GLOBAL), OUTPUT);
}

static bool *changed; // [n_fields] some value is not the initial one

/** Fails when a call has left a field that is not finite; notes which fields have other values than
 * at first. */
static int32_t judge_fields(const char *call, int32_t code, const scree_bodies *b,
                            double *const *body_fields, double *global_fields)
{
    uint32_t n_global = 0, n_body = 0;
    const uint32_t n_fields = own_judge.fields && code >= 0 ? subject->plugin->n_fields : 0;
    for (uint32_t f = 0; f < n_fields; f++) {
        const scree_field *field = subject->plugin->fields[f];
        const bool global = field->scope == SCREE_SCOPE_GLOBAL;
        const uint32_t n = global ? 1 : b->n;
        for (uint32_t c = 0; c < field->components; c++) {
            const double *v = global ? global_fields + n_global++ : body_fields[n_body++];
            for (uint32_t i = 0; i < n; i++) {
                g_autofree char *of = isfinite(v[i]) || global
                                          ? NULL
                                          : g_strdup_printf(" of body %" PRIu64, b->id[i]);
                changed[f] = changed[f] || v[i] != field->initial;
                if (!isfinite(v[i]))
                    scree_check_fail(subject, "after %s(): component %u of field %s%s is %g", call,
                                     c, field->name, of ? of : "", v[i]);
            }
        }
    }
    return code;
}

bool scree_check_calls_changed(uint32_t field)
{
    return changed[field];
}

static const scree_step *step_now; // its edits are those of the engine

/** Judges bodies that are well described, and passes them on. */
static int32_t insert(void *ctx, const scree_new_bodies *from, uint64_t *id)
{
    const uint32_t dimension = step_now->bodies->dimension;
    const bool good = from && from->size >= SCREE_SIZE_TO(scree_new_bodies, line) &&
                      !scree_new_bodies_gap(from, dimension, SCREE_NEW_BODY);
    const uint32_t n = good ? from->n : 0;
    for (uint32_t i = 0; i < n; i++) {
        const scree_body body = scree_new_bodies_read(from, i, dimension, SCREE_NEW_BODY);
        if (body.shape < step_now->bodies->n_shapes)
            own_judge.insert(&body, step_now->bodies);
    }
    return step_now->edits->insert(ctx, from, id);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    scree_step lent = *args;
    scree_edits edits = *args->edits;
    step_now = args;
    if (own_judge.insert) {
        edits.insert = insert;
        lent.edits = &edits;
    }
    lend_own(&lent.body_fields, &lent.global_fields, args->bodies->n);
    lent.bodies = lend_bodies(args->bodies);
    const int32_t code = take_back(own.modifier->after_step(instance, &lent));
    return judge_fields("after_step", code, args->bodies, args->body_fields, args->global_fields);
}

static int32_t enter(void *instance, const scree_entry *args)
{
    scree_entry lent = *args;
    lend_own(&lent.body_fields, &lent.global_fields, args->bodies->n);
    lent.bodies = lend_bodies(args->bodies);
    const int32_t code = take_back(own.modifier->enter(instance, &lent));
    return judge_fields("enter", code, args->bodies, args->body_fields, args->global_fields);
}

/* ---- observers ---- */

/** Forces and fields of the laws. */
static void lend_laws(scree_contact_list *c)
{
    const uint64_t reals = c->n * sizeof(double);
    const scree_contact_law **laws = lend(c->laws, c->n_laws * sizeof *laws, LIST);
    const uint32_t n = laws ? c->n_laws : 0;
    for (uint32_t l = 0; l < n; l++) {
        scree_contact_law *law = lend(laws[l], sizeof *law, LIST);
        lend_each(law->f, law->f, 3, reals, INPUT);
        lend_each(law->couple, law->couple, 3, reals, INPUT);
        lend_each(law->couple_b, law->couple_b, 3, reals, INPUT);
        law->stored = lend(law->stored, reals, INPUT);
        law->lost = lend(law->lost, reals, INPUT);
        law->fields = lend_list(law->fields, law->n_fields, reals, INPUT);
        laws[l] = law;
    }
    c->laws = laws;
}

static const scree_contact_list *lend_contacts(const scree_contact_list *real)
{
    scree_contact_list *c = lend(real, sizeof *c, LIST);
    if (!c)
        return NULL;
    const uint64_t reals = c->n * sizeof(double), ints = c->n * sizeof(uint32_t);
    const uint64_t rows[SCREE_SCOPE_GLOBAL + 1] = {
        [SCREE_SCOPE_CONTACT] = c->n, [SCREE_SCOPE_PAIR] = c->n};
    c->a = lend(c->a, ints, INPUT);
    c->b = lend(c->b, ints, INPUT);
    lend_each(c->image, real->image, 3, ints, INPUT);
    c->feature = lend(c->feature, c->n * sizeof *c->feature, INPUT);
    lend_each(c->normal, real->normal, 3, reals, INPUT);
    c->depth = lend(c->depth, reals, INPUT);
    lend_each(c->arm, real->arm, 3, reals, INPUT);
    lend_each(c->f, real->f, 3, reals, INPUT);
    lend_each(c->couple, real->couple, 3, reals, INPUT);
    lend_each(c->couple_b, real->couple_b, 3, reals, INPUT);
    lend_each(c->branch, real->branch, 3, reals, INPUT);
    lend_each(c->part, real->part, 2, ints, INPUT);
    c->stored = lend(c->stored, reals, INPUT);
    c->lost = lend(c->lost, reals, INPUT);
    lend_laws(c);
    lend_used(&c->used, c->n_used, rows);
    return c;
}

static scree_view lend_view(const scree_view *real)
{
    scree_view view = *real;
    view.bodies = lend_bodies(real->bodies);
    view.energy = lend(real->energy, sizeof *real->energy, INPUT);
    view.contacts = lend_contacts(real->contacts);
    return view;
}

static int32_t observe(void *instance, const scree_view *view)
{
    const scree_view lent = lend_view(view);
    return take_back(own.observer->observe(instance, &lent));
}

static int32_t finish(void *instance, const scree_view *view)
{
    const scree_view lent = lend_view(view);
    return take_back(own.observer->finish(instance, &lent));
}

static int32_t read_scalars(void *instance, const scree_view *view, double *value)
{
    const scree_scalars *scalars = scree_call_extension(subject->plugin, SCREE_EXTENSION_SCALARS);
    const scree_view lent = lend_view(view);
    return take_back(scalars->read(instance, &lent, value));
}

/* ---- integrators ---- */

static const scree_motion *lend_motion(const scree_motion *real)
{
    scree_motion *m = lend(real, sizeof *m, LIST);
    const uint64_t n = real->n, reals = n * sizeof(double);
    lend_free(m->x, real->x, 3, real);
    lend_free(m->q, real->q, 4, real);
    lend_free(m->v, real->v, 3, real);
    lend_free(m->w, real->w, 3, real);
    lend_each(m->displacement, real->displacement, 3, reals, OUTPUT);
    lend_each(m->rotation, real->rotation, 3, reals, OUTPUT);
    m->fields = lend_list(m->fields, count_fields(SCREE_SCOPE_BODY), reals, OUTPUT);
    m->global_fields = lend(m->global_fields, 8ull * count_fields(SCREE_SCOPE_GLOBAL), OUTPUT);
    lend_each(m->inv_inertia, real->inv_inertia, 3, reals, INPUT);
    m->inv_mass = lend(m->inv_mass, reals, INPUT);
    m->isotropic = lend(m->isotropic, n, INPUT);
    m->wrench = lend(m->wrench, 8 * reals, INPUT);
    m->id = lend(m->id, n * sizeof *m->id, INPUT);
    m->radius = lend(m->radius, reals, INPUT);
    m->fresh = lend(m->fresh, n, INPUT);
    return m;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    return take_back(own.integrator->begin(instance, lend_motion(motion)));
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    return take_back(own.integrator->stage(instance, lend_motion(motion), k, out));
}

static uint32_t pieces; // bodies in a call of move(); 0: all that the engine gives

void scree_check_calls_pieces(uint32_t n)
{
    pieces = n;
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const uint32_t most = pieces ? pieces : range->end - range->begin;
    scree_move_range lent = *range;
    int32_t code = SCREE_OK;
    for (uint32_t i = range->begin; i < range->end && code == SCREE_OK; i += most) {
        lent.begin = i;
        lent.end = MIN(i + most, range->end);
        lent.motion = lend_motion(range->motion);
        code = take_back(own.integrator->move(instance, &lent));
    }
    return code;
}

static int32_t move_both(void *instance, const scree_move_range *first,
                         const scree_move_range *second)
{
    const scree_joined *joined = scree_call_extension(subject->plugin, SCREE_DRAFT_JOINED);
    const uint32_t most = pieces ? pieces : first->end - first->begin;
    scree_move_range lent[] = {*first, *second};
    int32_t code = SCREE_OK;
    for (uint32_t i = first->begin; i < first->end && code == SCREE_OK; i += most) {
        for (int k = 0; k < 2; k++) {
            lent[k].begin = i;
            lent[k].end = MIN(i + most, first->end);
            lent[k].motion = lend_motion(k ? second->motion : first->motion);
        }
        code = take_back(joined->move_both(instance, &lent[0], &lent[1]));
    }
    return code;
}

static const void *get_extension(const char *name)
{
    static scree_scalars scalars;
    static scree_joined joined;
    const void *given = scree_call_extension(subject->plugin, name);
    if (given && !strcmp(name, SCREE_EXTENSION_SCALARS)) {
        scalars = *(const scree_scalars *)given;
        scalars.read = read_scalars;
        return &scalars;
    }
    if (!given || strcmp(name, SCREE_DRAFT_JOINED))
        return given;
    joined = *(const scree_joined *)given;
    joined.move_both = move_both;
    return &joined;
}

static void watch_integrator(scree_integrator_ops *ops, scree_plugin *plugin)
{
    ops->begin = begin;
    ops->stage = stage;
    ops->move = SCREE_HAS(ops, move) ? move : NULL;
    if (plugin->get_extension)
        plugin->get_extension = get_extension;
}

/* ---- sources ---- */

int32_t scree_check_calls_make(void *instance, const scree_making *args)
{
    return own.source->make(instance, args);
}

static int32_t make(void *instance, const scree_making *args)
{
    return own_judge.make(subject, instance, args);
}

/* ---- all kinds ---- */

static const void *(*give_service)(void *ctx, const char *name);

static const void *withhold(void *ctx, const char *name)
{
    const char *without = subject->withheld;
    return without && (!*without || !strcmp(name, without)) ? NULL : give_service(ctx, name);
}

/** The host of the instance, which stays valid, gives fewer services. */
static int32_t create(const scree_host *host, const void *config, void **instance)
{
    scree_host *poor = g_memdup2(host, MAX(host->size, sizeof *host));
    give_service = host->get_service;
    poor->get_service = withhold;
    return own.head->create(poor, config, instance);
}

static void watch_modifier(scree_modifier_ops *ops)
{
    ops->forces = SCREE_HAS(ops, forces) ? forces : NULL;
    ops->after_step = SCREE_HAS(ops, after_step) ? after_step : NULL;
    ops->pose = SCREE_HAS(ops, pose) ? pose : NULL;
    ops->enter = SCREE_HAS(ops, enter) ? enter : NULL;
}

static void watch_observer(scree_observer_ops *ops, scree_plugin *plugin)
{
    ops->observe = observe;
    ops->finish = finish;
    if (plugin->get_extension)
        plugin->get_extension = get_extension;
}

/** A copy of the plugin whose functions are those above. */
static scree_plugin *watch(const scree_check *check)
{
    const scree_ops_head *head = scree_vtable_head(check->plugin);
    scree_plugin *plugin = g_memdup2(check->plugin, sizeof *plugin);
    scree_ops_head *ops = g_malloc0(MAX(head->size, 1024));
    memcpy(ops, head, head->size);
    plugin->ops = ops;
    if (check->withheld)
        ops->create = create;
    if (plugin->kind == SCREE_KIND_MODIFIER)
        watch_modifier((scree_modifier_ops *)ops);
    else if (plugin->kind == SCREE_KIND_OBSERVER)
        watch_observer((scree_observer_ops *)ops, plugin);
    else if (plugin->kind == SCREE_KIND_INTEGRATOR)
        watch_integrator((scree_integrator_ops *)ops, plugin);
    else if (plugin->kind == SCREE_KIND_SOURCE && own_judge.make)
        ((scree_source_ops *)ops)->make = make;
    return plugin;
}

void scree_check_calls_watch(const scree_check *check, const scree_check_judge *judge)
{
    static scree_manifest manifest; // these live as long as the process
    static scree_file file;
    subject = (scree_check *)(uintptr_t)check;
    own.head = check->plugin->ops;
    own_judge = judge ? *judge : (scree_check_judge){.fields = false};
    g_free(changed);
    changed = g_new0(bool, check->plugin->n_fields);
    manifest = *check->file->manifest;
    const scree_plugin **list =
        g_memdup2(manifest.plugins, manifest.n_plugins * sizeof *manifest.plugins);
    for (uint32_t k = 0; k < manifest.n_plugins; k++)
        list[k] = list[k] == check->plugin ? watch(check) : list[k];
    manifest.plugins = list;
    file = *check->file;
    file.manifest = &manifest;
    scree_registry_give(check->registry, &file, true);
}
