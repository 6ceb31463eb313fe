// SPDX-License-Identifier: Apache-2.0
// Files of observer `wall`: the table of facets, that of groups, a .vtp file per observation.
#include <inttypes.h>

#include "wall.h"

static const char facet_header[] =
    "step,time,id,group,facet,x,y,z,nx,ny,nz,area,fx,fy,fz,pressure,shear,sliding_power,contacts,"
    "impacts,sliding_work,wear_impact,wear_sliding,wear_depth\n";
static const char group_header[] = "step,time,group,facets,area,fx,fy,fz,tx,ty,tz,torque,normal_"
                                   "force,pressure,sliding_power,contacts,impacts,"
                                   "sliding_work,wear_impact,wear_sliding\n";

static const char *group_name(const wall_observer *self, uint32_t group)
{
    const char *name = self->names ? self->names->group_name(self->names->ctx, group) : NULL;
    return name ? name : "";
}

static void write_reals(FILE *file, const double *v, int n)
{
    for (int k = 0; k < n; k++)
        fprintf(file, ",%.17g", stream_real(v[k]));
}

/* Mean over the states of the window. */
static double mean(const wall_observer *self, double sum)
{
    return self->memo.states ? sum / (double)self->memo.states : 0.0;
}

static void write_facet(wall_observer *self, const scree_view *view, uint32_t body, uint64_t c,
                        const facet *f)
{
    FILE *file = self->table.file;
    double centre[3], normal[3];
    const double area = place_facet(self, view->bodies, body, c, centre, normal);
    fprintf(file, "%" PRIu64 ",%.17g,%" PRIu64 ",%s,%" PRIu64, view->step, view->time,
            view->bodies->id[body], group_name(self, view->bodies->group[body]), c);
    write_reals(file, centre, 3);
    write_reals(file, normal, 3);
    write_reals(file,
                (double[13]){area, mean(self, f->force[0]), mean(self, f->force[1]),
                             mean(self, f->force[2]), mean(self, f->normal) / area,
                             mean(self, length_of(f->shear)) / area, mean(self, f->power),
                             mean(self, f->contacts), f->impacts, f->work, f->finnie, f->archard,
                             (f->finnie + f->archard) / area},
                13);
    putc('\n', file);
}

/* ---- sums of groups ---- */

typedef struct group_sum {
    uint64_t facets;
    double area;
    facet of;
    double about[3], drive; // [N m] sum of the walls; drive NaN: none has turned
} group_sum;

static void add_facet(const wall_observer *self, const scree_bodies *b, uint32_t body, uint64_t c,
                      const facet *f, group_sum *to)
{
    double centre[3], normal[3];
    to->facets++;
    to->area += place_facet(self, b, body, c, centre, normal);
    for (int k = 0; k < 3; k++)
        to->of.force[k] += f->force[k];
    to->of.normal += f->normal;
    to->of.power += f->power;
    to->of.contacts += f->contacts;
    to->of.impacts += f->impacts;
    to->of.work += f->work;
    to->of.finnie += f->finnie;
    to->of.archard += f->archard;
}

static void write_group(wall_observer *self, const scree_view *view, uint32_t group,
                        const group_sum *s)
{
    FILE *file = self->sums.file;
    fprintf(file, "%" PRIu64 ",%.17g,%s,%" PRIu64, view->step, view->time, group_name(self, group),
            s->facets);
    write_reals(file,
                (double[16]){s->area, mean(self, s->of.force[0]), mean(self, s->of.force[1]),
                             mean(self, s->of.force[2]), mean(self, s->about[0]),
                             mean(self, s->about[1]), mean(self, s->about[2]), s->drive,
                             mean(self, s->of.normal), mean(self, s->of.normal) / s->area,
                             mean(self, s->of.power), mean(self, s->of.contacts), s->of.impacts,
                             s->of.work, s->of.finnie, s->of.archard},
                16);
    putc('\n', file);
}

/* Its drive is that of the states in which it has turned. */
static void add_torques(const worn_wall *w, group_sum *to)
{
    for (int k = 0; k < 3; k++)
        to->about[k] += w->about[k];
    if (w->turning > 0.0)
        to->drive = (isnan(to->drive) ? 0.0 : to->drive) + w->drive / w->turning;
}

/* The lowest group above `last` (SCREE_NONE: the lowest of all) among the current walls. */
static uint32_t next_group(const wall_observer *self, const scree_bodies *b, uint32_t last)
{
    uint32_t next = SCREE_NONE;
    for (uint64_t k = 0; k < self->memo.n_walls; k++) {
        const uint32_t body = self->body_of[k];
        const uint32_t group = body == SCREE_NONE ? SCREE_NONE : b->group[body];
        if (group < next && (last == SCREE_NONE || group > last))
            next = group;
    }
    return next;
}

static void write_groups(wall_observer *self, const scree_view *view)
{
    const scree_bodies *b = view->bodies;
    for (uint32_t g = next_group(self, b, SCREE_NONE); g != SCREE_NONE;
         g = next_group(self, b, g)) {
        group_sum sum = {.drive = (double)NAN};
        for (uint64_t k = 0; k < self->memo.n_walls; k++) {
            const worn_wall *w = &self->walls[k];
            if (self->body_of[k] == SCREE_NONE || b->group[self->body_of[k]] != g)
                continue;
            add_torques(w, &sum);
            for (uint64_t c = 0; c < w->n; c++)
                add_facet(self, b, self->body_of[k], c, &self->facets[w->first + c], &sum);
        }
        write_group(self, view, g, &sum);
    }
}

static int32_t open_tables(wall_observer *self)
{
    int32_t status = stream_open(&self->table, ".csv");
    if (status == SCREE_OK)
        status = stream_open(&self->sums, ".csv");
    if (status != SCREE_OK)
        return status;
    fputs(facet_header, self->table.file);
    fputs(group_header, self->sums.file);
    return SCREE_OK;
}

int32_t write_tables(wall_observer *self, const scree_view *view)
{
    int32_t status = self->table.file ? SCREE_OK : open_tables(self);
    if (status != SCREE_OK)
        return status;
    for (uint64_t k = 0; k < self->memo.n_walls; k++) {
        const worn_wall *w = &self->walls[k];
        for (uint64_t c = 0; c < w->n && self->body_of[k] != SCREE_NONE; c++)
            write_facet(self, view, self->body_of[k], c, &self->facets[w->first + c]);
    }
    write_groups(self, view);
    status = stream_keep(&self->table, ".csv");
    return status == SCREE_OK ? stream_keep(&self->sums, ".csv") : status;
}

/* ---- pictures ---- */

/* A frame, and the facets of its cells. */
typedef struct worn_frame {
    frame f; // first, because arrays get it
    const wall_observer *self;
} worn_frame;

static void emit_cells(const frame *f, sink *s,
                       void (*put)(const wall_observer *self, uint32_t body, uint64_t c,
                                   const frame *f, const facet *of, sink *s))
{
    const wall_observer *self = ((const worn_frame *)(const void *)f)->self;
    for (const wall *w = f->walls; w < f->walls + f->n_walls; w++) {
        const uint32_t at = self->wall_of[w->body - self->n_free];
        for (uint32_t c = 0; c < w->n_cells; c++)
            put(self, w->body, c, f, &self->facets[self->walls[at].first + c], s);
    }
}

#define EMIT(name, statement)                                                                      \
    static void put_##name(const wall_observer *self, uint32_t body, uint64_t c, const frame *f,   \
                           const facet *of, sink *s)                                               \
    {                                                                                              \
        double centre[3], normal[3];                                                               \
        const double area = place_facet(self, f->view->bodies, body, c, centre, normal);           \
        (void)of;                                                                                  \
        (void)area;                                                                                \
        statement;                                                                                 \
    }                                                                                              \
    static void emit_##name(const frame *f, sink *s)                                               \
    {                                                                                              \
        emit_cells(f, s, put_##name);                                                              \
    }
#define PUT(...) put_reals(s, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / 8)
EMIT(id, put_int64(s, f->view->bodies->id[body]))
EMIT(facet, put_int32(s, (int32_t)c))
EMIT(area, PUT(area))
EMIT(force, PUT(mean(self, of->force[0]), mean(self, of->force[1]), mean(self, of->force[2])))
EMIT(pressure, PUT(mean(self, of->normal) / area))
EMIT(shear, PUT(mean(self, of->shear[0]) / area, mean(self, of->shear[1]) / area,
                mean(self, of->shear[2]) / area))
EMIT(power, PUT(mean(self, of->power)))
EMIT(contacts, PUT(mean(self, of->contacts)))
EMIT(impacts, PUT(of->impacts))
EMIT(work, PUT(of->work))
EMIT(wear_impact, PUT(of->finnie))
EMIT(wear_sliding, PUT(of->archard))
EMIT(wear_depth, PUT((of->finnie + of->archard) / area))

static const array nothing[] = {{0}};
static const array cell_data[] = {
    {"pressure", "Float64", 1, emit_pressure},
    {"shear", "Float64", 3, emit_shear},
    {"force", "Float64", 3, emit_force},
    {"sliding_power", "Float64", 1, emit_power},
    {"wear_depth", "Float64", 1, emit_wear_depth},
    {"wear_impact", "Float64", 1, emit_wear_impact},
    {"wear_sliding", "Float64", 1, emit_wear_sliding},
    {"sliding_work", "Float64", 1, emit_work},
    {"impacts", "Float64", 1, emit_impacts},
    {"contacts", "Float64", 1, emit_contacts},
    {"area", "Float64", 1, emit_area},
    {"id", "Int64", 1, emit_id},
    {"facet", "Int32", 1, emit_facet},
    {0},
};

/* Keeps only the walls of this observer in the frame. */
static int32_t find_cells(wall_observer *self, worn_frame *w)
{
    frame *f = &w->f;
    uint64_t n = 0;
    const int32_t status = find_walls(&self->memory, f);
    if (status != SCREE_OK)
        return status;
    f->n_points = f->n_cells = f->n_corners = 0;
    for (uint64_t k = 0; k < f->n_walls; k++) {
        const wall *one = &self->memory.walls[k];
        if (self->wall_of[one->body - self->n_free] == SCREE_NONE)
            continue;
        f->n_points += one->n_points;
        f->n_cells += one->n_cells;
        f->n_corners += one->n_corners;
        self->memory.walls[n++] = *one;
    }
    f->n_walls = n;
    return SCREE_OK;
}

static int32_t close_picture(wall_observer *self, const char *name, int32_t status)
{
    int32_t closed;
    if (self->sink.error)
        status = scree_failf(self->host, SCREE_E_IO, "cannot write %s: %s", name,
                             strerror(self->sink.error));
    closed = self->output->close(self->output->ctx, self->sink.fd, status == SCREE_OK);
    return status != SCREE_OK ? status : closed;
}

static int32_t open_picture(wall_observer *self, const char *name)
{
    sink *s = &self->sink;
    s->error = 0;
    s->used = s->n_carry = 0;
    s->base64 = 0;
    return self->output->open(self->output->ctx, name, &s->fd);
}

static int32_t write_frames(wall_observer *self)
{
    char name[2100];
    sink *s = &self->sink;
    int32_t status;
    snprintf(name, sizeof name, "%s/walls.pvd", self->config->file);
    status = open_picture(self, name);
    if (status != SCREE_OK)
        return status;
    sink_print(s, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                  "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (uint64_t k = 0; k < self->n_frames; k++)
        sink_print(s,
                   "<DataSet timestep=\"%.17g\" part=\"0\" file=\"walls_%010" PRIu64 ".vtp\"/>\n",
                   self->frames[k].time, self->frames[k].step);
    sink_print(s, "</Collection>\n</VTKFile>\n");
    sink_flush(s);
    return close_picture(self, name, SCREE_OK);
}

int32_t write_picture(wall_observer *self, const scree_view *view)
{
    static const char *const none[] = {"walls"}; // the arrays of a file are never empty
    worn_frame w = {.f = {.view = view, .group_names = none, .n_groups = 1}, .self = self};
    part p = walls_part;
    char name[2100];
    int32_t status;
    p.point_data = nothing;
    p.cell_data = cell_data;
    if (!scree_grow(&self->frames, &self->frame_capacity, self->n_frames + 1, sizeof *self->frames))
        status = SCREE_E_MEMORY;
    else
        status = find_cells(self, &w);
    if (status == SCREE_E_MEMORY)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a frame");
    snprintf(name, sizeof name, "%s/walls_%010" PRIu64 ".vtp", self->config->file, view->step);
    if (status == SCREE_OK)
        status = open_picture(self, name);
    if (status != SCREE_OK)
        return status;
    status = close_picture(
        self, name,
        write_vtp(&self->sink, &p, &w.f, view->bodies->dimension == 2 ? "Lines" : "Polys", 1));
    if (status != SCREE_OK)
        return status;
    self->frames[self->n_frames].step = view->step;
    self->frames[self->n_frames++].time = view->time;
    return write_frames(self);
}
