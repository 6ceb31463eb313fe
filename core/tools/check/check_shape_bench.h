/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for shapes: an instance in a frame, with its measure, views and boxes. */
#ifndef CORE_CHECK_SHAPE_BENCH_H
#define CORE_CHECK_SHAPE_BENCH_H

#include "tools/check/check.h"

/** An instance in a frame; its views are exact, but a mesh may have a tolerance. */
typedef struct scree_shape_bench {
    scree_check *check;
    scree_instance *instance;
    const scree_shape_ops *ops;
    const char *setting; /* for messages */
    uint32_t flags, dimension;
    scree_measure before, measure; /* in the user's frame, and in the current one */
    double size;                   /* [m] radius; 1 m for an infinite shape */
    const scree_mesh *mesh;
    double tolerance; /* [m] tolerance of the mesh; 0: exact */
    const scree_outline *outline;
    const scree_support *support;
    const scree_implicit *implicit;
    const scree_balls *balls;
} scree_shape_bench;

/** A batch for boxes(), in guarded arrays. */
typedef struct scree_shape_poses {
    uint32_t n;
    uint32_t *part;
    union {
        struct {
            double *x[3], *q[4], *scale;
        };
        double *in[8];
    };
    union {
        struct {
            double *lo[3], *hi[3], *centre[3], *radius;
        };
        double *out[10];
    };
    GPtrArray *inputs, *outputs; /* arenas */
} scree_shape_poses;

/** The identity. */
scree_frame scree_shape_frame_none(void);
/** The frame that the host gives to a shape with this measure: centroid and principal axes. */
scree_frame scree_shape_frame_hosts(const scree_measure *measure);
/** Measures the shape, moves it into the frame (NULL: the host's) if its flags allow, and takes its
 * views. False: the check has failed. */
bool scree_shape_bench_open(scree_shape_bench *b, scree_check *check, scree_instance *instance,
                            const scree_frame *frame, const char *setting);
/** Whether the host calls place(), and boxes(). */
bool scree_shape_bench_moves(const scree_shape_bench *b);
bool scree_shape_bench_boxed(const scree_shape_bench *b);
/** Fails the check, with the setting in the message. */
void scree_shape_bench_fail(const scree_shape_bench *b, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
/** A view, or NULL; *good false: the call failed. */
const void *scree_shape_bench_view(const scree_shape_bench *b, const char *name, double tolerance,
                                   bool *good);
/** Farthest point along a direction from the origin, of part `part` (SCREE_NONE: of all); *slack:
 * its tolerance [m]. False: no view gives it. */
bool scree_shape_bench_extreme(const scree_shape_bench *b, uint32_t part, const double direction[3],
                               double *extreme, double *slack);
/** Values of the implicit view at n points, and gradients unless NULL. */
void scree_shape_bench_values(const scree_shape_bench *b, uint32_t n, double *const x[3],
                              double *value, double *const gradient[3]);
void scree_shape_bench_farthest(const scree_shape_bench *b, const double direction[3],
                                double point[3]);

scree_shape_poses scree_shape_poses_new(uint32_t n);
/** Copies pose i of one to pose j of the other. */
void scree_shape_poses_copy(const scree_shape_poses *from, uint32_t i, scree_shape_poses *to,
                            uint32_t j);
void scree_shape_poses_free(scree_shape_poses *poses);
/** Sets places, rotations (about z in 2D) and scales at random, all for one part. */
void scree_shape_poses_random(scree_shape_poses *poses, const scree_shape_bench *b, uint32_t part,
                              uint64_t *random);
bool scree_shape_poses_ask(scree_shape_poses *poses, const scree_shape_bench *b, uint32_t lane);

#endif
