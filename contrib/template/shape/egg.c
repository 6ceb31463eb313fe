/* SPDX-License-Identifier: MIT */
/*
 * egg: an ellipsoid with three half axes (in 2D an ellipse), and a resolver of its contacts.
 *
 * Idea     In direction n the surface reaches h(n) = sqrt(n·M n) from the centre, at the point
 *          M n / h, for M = R diag(a^2) R^T: boxes, support function and contacts follow from it.
 * Contact  with a plane at the point that reaches deepest. Two bodies touch along the direction n
 *          in which they overlap least: h_a(n) + h_b(n) - n·d is smallest. Newton's method on the
 *          unit sphere finds it from the line of centres, for overlaps far below the half axes.
 *
 * This is the smallest shape: one part, no facets, closed forms. Copy it. A shape needs a resolver
 * that knows it; one file may hold both.
 */
#include <scree/sdk.h>
#include <scree/vector_sdk.h>

/* The values of the scene. The host reads, checks and fills them by the table `params` below. */
typedef struct config {
    scree_reals axes; /* [m] three half axes; in 2D the third is not used */
} config;

typedef struct shape {
    double a[3];       /* [m] half axes along x, y, z of the user's frame, centre at its origin */
    scree_frame frame; /* in which everything is answered: a point p of it is R(q) p + shift of the
                          user's */
    scree_support support;
    scree_implicit implicit;
} shape;

/* From the present frame to the user's, and back. */

static void direction_in(const shape *self, const double d[3], double own[3])
{
    scree_rotate(self->frame.q, d, own);
}

static void direction_out(const shape *self, const double own[3], double d[3])
{
    scree_rotate_back(self->frame.q, own, d);
}

static void point_in(const shape *self, const double p[3], double own[3])
{
    direction_in(self, p, own);
    for (int k = 0; k < 3; k++)
        own[k] += self->frame.shift[k];
}

static void point_out(const shape *self, const double own[3], double p[3])
{
    double from[3];
    for (int k = 0; k < 3; k++)
        from[k] = own[k] - self->frame.shift[k];
    direction_out(self, from, p);
}

/** Distance [m] from the centre to the plane across d, a unit vector of the user's frame, that
 * touches the surface. */
static double reach(const shape *self, const double d[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += self->a[k] * self->a[k] * d[k] * d[k];
    return sqrt(sum);
}

/* Views. */

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const shape *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double d[3] = {direction[0][i], direction[1][i], direction[2][i]}, p[3];
        direction_in(self, d, d);
        const double h = reach(self, d);
        for (int k = 0; k < 3; k++)
            p[k] = self->a[k] * self->a[k] * d[k] / h;
        point_out(self, p, p);
        for (int k = 0; k < 3; k++)
            point[k][i] = p[k];
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *value,
                  double *const gradient[3])
{
    const shape *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double p[3] = {x[0][i], x[1][i], x[2][i]}, g[3];
        point_in(self, p, p);
        value[i] = -1.0;
        for (int k = 0; k < 3; k++) {
            g[k] = 2.0 * p[k] / (self->a[k] * self->a[k]);
            value[i] += 0.5 * p[k] * g[k];
        }
        if (!gradient)
            continue;
        direction_out(self, g, g);
        for (int k = 0; k < 3; k++)
            gradient[k][i] = g[k];
    }
}

/** Both views are exact, so they serve any tolerance. */
static int32_t view(void *instance, const char *name, double tolerance, const void **view)
{
    const shape *self = instance;
    (void)tolerance;
    *view = NULL;
    if (strcmp(name, SCREE_VIEW_SUPPORT) == 0)
        *view = &self->support;
    if (strcmp(name, SCREE_VIEW_IMPLICIT) == 0)
        *view = &self->implicit;
    if (strcmp(name, "egg.axes/1") == 0) /* a view of its own, for the resolver below */
        *view = self;
    return SCREE_OK;
}

/* The instance: one per named shape of the scene. */

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    shape *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    for (int k = 0; k < 3; k++)
        self->a[k] = c->axes.v[k];
    self->frame.q[0] = 1.0;
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    self->implicit = (scree_implicit){sizeof self->implicit, 0, self, value};
    *instance = self;
    return SCREE_OK;
}

/** Size and distribution of mass, in the present frame. All of *out is 0 on entry but its head. */
static int32_t measure(void *instance, scree_measure *out)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double pi = 3.14159265358979323846, origin[3] = {0.0, 0.0, 0.0};
    const shape *self = instance;
    const double *a = self->a;
    out->n_parts = 1;
    out->radius = scree_max(a[0], a[1]);
    point_out(self, origin, out->centroid);
    if (out->dimension == 2) {
        out->flat = 1;
        out->content = pi * a[0] * a[1];
        out->inertia[2] = (a[0] * a[0] + a[1] * a[1]) / 4.0;
        return SCREE_OK;
    }
    out->radius = scree_max(out->radius, a[2]);
    out->content = 4.0 / 3.0 * pi * a[0] * a[1] * a[2];
    for (int k = 0; k < 3; k++) { /* a principal moment times its axis squared */
        const double b = a[(k + 1) % 3], c = a[(k + 2) % 3];
        double axis[3] = {k == 0, k == 1, k == 2};
        direction_out(self, axis, axis);
        for (int i = 0; i < 6; i++)
            out->inertia[i] += (b * b + c * c) / 5.0 * axis[row[i]] * axis[column[i]];
    }
    return SCREE_OK;
}

/** Everything is answered in another frame from now on: with the centroid at its origin, and
 * principal axes. */
static int32_t place(void *instance, const scree_frame *frame)
{
    shape *self = instance;
    for (int k = 0; k < 4; k++)
        self->frame.q[k] = frame->q[k];
    for (int k = 0; k < 3; k++)
        self->frame.shift[k] = frame->shift[k];
    return SCREE_OK;
}

/** Tight boxes of bodies, each with a ball around it. Several threads call it at the same time. */
static int32_t boxes(void *instance, const scree_shape_boxes *batch)
{
    const shape *self = instance;
    const double origin[3] = {0.0, 0.0, 0.0}, *a = self->a;
    const double most = scree_max(scree_max(a[0], a[1]), batch->dimension == 3 ? a[2] : 0.0);
    for (uint32_t i = 0; i < batch->n; i++) {
        const double q[4] = {batch->q[0][i], batch->q[1][i], batch->q[2][i], batch->q[3][i]};
        double centre[3];
        point_out(self, origin, centre);
        scree_rotate(q, centre, centre);
        for (uint32_t k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2}, at = batch->x[k][i];
            at += batch->scale[i] * centre[k];
            scree_rotate_back(q, axis, axis); /* of the world, as the body sees it */
            direction_in(self, axis, axis);
            const double h = k < batch->dimension ? batch->scale[i] * reach(self, axis) : 0.0;
            batch->lo[k][i] = at - h;
            batch->hi[k][i] = at + h;
            batch->centre[k][i] = at;
        }
        batch->radius[i] = batch->scale[i] * most;
    }
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    (void)instance;
    return sizeof(shape);
}

/* Three numbers: the host refuses another count. */
SCREE_REALS_PARAM(config, axes, 3, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                  "half axes along x, y, z; in 2D the third is not used");
static const scree_param *const params[] = {&param_axes};

static const scree_shape_ops shape_ops = {
    .size = sizeof shape_ops,
    .create = create,
    .destroy = free,
    .bytes = bytes,
    .measure = measure,
    .place = place,
    .boxes = boxes,
    .view = view,
};

static const scree_plugin shape_plugin = {
    .size = sizeof shape_plugin,
    .kind = SCREE_KIND_SHAPE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "egg",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "an ellipsoid",
    .summary =
        "A solid with three half axes, in 2D an ellipse. It offers the views scree.support/1 "
        "and scree.implicit/1.",
    .citation = "van den Bergen 2003, Collision Detection in Interactive 3D Environments",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &shape_ops, /* no flags: a solid, whose boxes the plugin knows */
};

/* The resolver. */

typedef struct resolver {
    const scree_host *host;
    const shape **shapes; /* [room] by index of the shape; NULL: another type */
    uint64_t room;
} resolver;

static int32_t create_resolver(const scree_host *host, const void *config, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    (void)config; /* it has no parameters */
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy_resolver(void *instance)
{
    resolver *self = instance;
    if (self)
        free(self->shapes);
    free(self);
}

/** Bodies of type a have the lower code: solids come before planes. */
static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    if (strcmp(pair->a->name, "egg") == 0 &&
        (strcmp(pair->b->name, "egg") == 0 || (pair->b->flags & SCREE_CAP_INFINITE)))
        pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

/** Once per shared shape, of any type. */
static int32_t prepare(void *instance, uint32_t index, const scree_shape *shared)
{
    resolver *self = instance;
    const uint64_t before = self->room;
    if (!scree_grow(&self->shapes, &self->room, index + 1ull, sizeof *self->shapes))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (uint64_t i = before; i < self->room; i++)
        self->shapes[i] = NULL;
    self->shapes[index] = shared->view ? shared->view(shared, "egg.axes/1", 0.0) : NULL;
    return SCREE_OK;
}

/** M of body i, by rows, in world axes. */
static void matrix_of(const resolver *self, const scree_bodies *bodies, uint32_t i, scree_vec m[3])
{
    const shape *own = self->shapes[bodies->shape[i]];
    m[0] = m[1] = m[2] = scree_vec_of(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        const double length = bodies->scale[i] * own->a[k];
        double axis[3] = {k == 0, k == 1, k == 2};
        direction_out(own, axis, axis);
        scree_to_world(bodies, i, axis, axis);
        const scree_vec u = scree_vec_of(length * axis[0], length * axis[1], length * axis[2]);
        m[0] = scree_less(m[0], -u.x, u);
        m[1] = scree_less(m[1], -u.y, u);
        m[2] = scree_less(m[2], -u.z, u);
    }
}

/** h(n), and the point *p that reaches so far. */
static double farthest_of(const scree_vec m[3], scree_vec n, scree_vec *p)
{
    const scree_vec mn = scree_vec_of(scree_dot(m[0], n), scree_dot(m[1], n), scree_dot(m[2], n));
    const double h = sqrt(scree_dot(n, mn));
    *p = scree_scaled(1.0 / h, mn);
    return h;
}

/** Adds the second derivative of h, (M - p p^T) / h, to k. */
static void add_bend(const scree_vec m[3], double h, scree_vec p, scree_vec k[3])
{
    const double by[3] = {p.x, p.y, p.z};
    for (int r = 0; r < 3; r++)
        k[r] = scree_less(k[r], -1.0 / h, scree_less(m[r], by[r], p));
}

/** x of k x = b, for a symmetric k. */
static scree_vec solve(const scree_vec k[3], scree_vec b)
{
    const scree_vec c0 = scree_cross(k[1], k[2]), c1 = scree_cross(k[2], k[0]);
    const scree_vec c2 = scree_cross(k[0], k[1]);
    const scree_vec sum = scree_sum(scree_scaled(b.x, c0), scree_scaled(b.y, c1));
    return scree_scaled(1.0 / scree_dot(k[0], c0), scree_sum(sum, scree_scaled(b.z, c2)));
}

static scree_vec unit(scree_vec v)
{
    return scree_scaled(1.0 / sqrt(scree_dot(v, v)), v);
}

/** Depth of the contact of two, its normal *n (in: a guess) and the point *p of a on it. Ends early
 * when a gap above `range` is certain. */
static double meet(const scree_vec a[3], const scree_vec b[3], scree_vec d, double range,
                   scree_vec *n, scree_vec *p)
{
    double depth = 0.0;
    for (int step = 0; step < 40; step++) {
        scree_vec q, slope, k[3];
        const double ha = farthest_of(a, *n, p), hb = farthest_of(b, *n, &q);
        depth = ha + hb - scree_dot(*n, d);
        slope = scree_less(scree_less(scree_sum(*p, q), 1.0, d), depth, *n);
        if (depth < -range || scree_dot(slope, slope) <= 1e-26 * (ha + hb) * (ha + hb))
            break;
        /* A gap bends the overlap upwards; n n^T keeps the matrix regular along n. */
        const double bend = scree_max(-depth, 0.0), along = ha + hb;
        k[0] = scree_less(scree_vec_of(bend, 0.0, 0.0), -along * n->x, *n);
        k[1] = scree_less(scree_vec_of(0.0, bend, 0.0), -along * n->y, *n);
        k[2] = scree_less(scree_vec_of(0.0, 0.0, bend), -along * n->z, *n);
        add_bend(a, ha, *p, k);
        add_bend(b, hb, q, k);
        *n = unit(scree_less(*n, 1.0, solve(k, slope)));
    }
    return depth;
}

static void add(uint32_t pair, scree_vec n, double depth, scree_vec p, scree_contacts *out)
{
    const uint32_t c = out->n++;
    const scree_vec arm = scree_less(p, 0.5 * depth, n); /* the middle of the overlap */
    out->pair[c] = pair;
    out->depth[c] = depth;
    scree_vec_put(out->normal, c, n);
    scree_vec_put(out->arm, c, arm);
}

static double meet_plane(const scree_bodies *bodies, uint32_t plane, const scree_vec a[3],
                         scree_vec d, scree_vec *n, scree_vec *p)
{
    double outward[3];
    scree_to_world(bodies, plane, bodies->shapes[bodies->shape[plane]]->normal, outward);
    *n = scree_vec_of(-outward[0], -outward[1], -outward[2]);
    return farthest_of(a, *n, p) - scree_dot(*n, d);
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    const scree_bodies *bodies = in->bodies;
    const int planes = (bodies->types[in->type_b]->flags & SCREE_CAP_INFINITE) != 0;
    const uint32_t n = in->n < out->capacity ? in->n : out->capacity;
    out->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        const scree_vec d = scree_vec_at(in->d, i);
        const double range = in->keep && in->keep[i] ? HUGE_VAL : in->range;
        scree_vec a[3], b[3], normal, p;
        double depth;
        matrix_of(self, bodies, in->a[i], a);
        if (planes) {
            depth = meet_plane(bodies, in->b[i], a, d, &normal, &p);
        } else {
            matrix_of(self, bodies, in->b[i], b);
            normal = scree_dot(d, d) > 0.0 ? unit(d) : scree_vec_of(1.0, 0.0, 0.0);
            depth = meet(a, b, d, range, &normal, &p);
        }
        if (depth >= -range)
            add(i, normal, depth, p, out);
    }
    *done = n;
    return SCREE_OK;
}

static const scree_resolver_ops resolver_ops = {
    .size = sizeof resolver_ops,
    .create = create_resolver,
    .destroy = destroy_resolver,
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
};

static const scree_plugin resolver_plugin = {
    .size = sizeof resolver_plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "egg",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "ellipsoids against each other and planes",
    .summary = "One contact per pair, where the overlap is smallest.",
    .citation = "Lin, Ng 1995, Int. J. Numer. Anal. Methods Geomech. 19, 653",
    .ops = &resolver_ops,
};

SCREE_DEFINE_MANIFEST(&shape_plugin, &resolver_plugin);
