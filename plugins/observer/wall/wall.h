// SPDX-License-Identifier: Apache-2.0
// Shared by the files of observer `wall`: what is summed up per facet, where it is written.
#ifndef OBSERVER_WALL_H
#define OBSERVER_WALL_H

#include "../stream.h"
#include "../vtk/vtk.h"

typedef struct wall_config {
    const char *file;
    scree_strings groups;
    scree_reals point;               // [m]
    double archard, hardness;        // [-], [Pa] NaN: not given
    double finnie, flow_pressure;    // [-], [Pa] NaN: not given
    double force_ratio, depth_ratio; // [-] K and psi of Finnie 1960
    int32_t vtk;
    int32_t reserved;
} wall_config;

/** Loads and wear of a facet. Values are sums over the states of the window, except the totals of
 * the run. */
typedef struct facet {
    double force[3]; // [N] on the wall
    double normal;   // [N] along the contact normals, into the wall
    double shear[3]; // [N] remaining force
    double power;    // [W] power of sliding
    double contacts; // [-] contacts with depth >= 0
    double impacts;  // [-]
    double work;     // [J] work of sliding
    double finnie;   // [m^3] worn by impacts
    double archard;  // [m^3] worn by sliding
} facet;

/** A body of facets. */
typedef struct worn_wall {
    uint64_t id;
    uint64_t first, n; // its facets
    double about[3];   // [N m] torque on it about `point`, summed over the states of the window
    double drive;      // [N m] torque that turns it, summed over the states in which it turns
    double turning;    // [-] number of these states
} worn_wall;

/** Torques of contacts on a wall. */
typedef struct wall_torque {
    double about[3]; // [N m] on the wall, about `point`
    double drive;    // [N m] that turns the wall about its axis; 0 of a wall that does not turn
} wall_torque;

/** A contact that touched in the last state. */
typedef struct touch {
    uint64_t id_a, id_b, feature;
} touch;

typedef struct wall_memo {
    uint64_t states; // states in the window
    uint64_t last;   // step counted last; UINT64_MAX: none
    uint64_t n_walls, n_facets, n_touches;
} wall_memo;

typedef struct wall_observer {
    const scree_host *host;
    const wall_config *config;
    const scree_output *output;
    const scree_names *names;
    wall_memo memo;
    worn_wall *walls; // sorted by id
    facet *facets;
    touch *touches;    // sorted
    touch *fresh;      // contacts that touch in the current state
    uint32_t *wall_of; // [bodies->n - n_free] number in walls, SCREE_NONE
    uint32_t *body_of; // [n_walls] body, SCREE_NONE: it is gone
    uint64_t wall_capacity, facet_capacity, touch_capacity, fresh_capacity, wall_of_capacity,
        body_of_capacity;
    uint32_t *groups; // [config->groups.n] index of each name
    uint32_t n_free;  // n_free of the state for which wall_of is set
    int32_t warned;
    double point[3];      // [m] world axes
    double finnie_factor; // [1/Pa] c / (p psi K)
    // Files.
    text_stream table, sums;
    char base[2048]; // base name of the table of sums
    wall_memory memory;
    sink sink;
    struct {
        uint64_t step;
        double time;
    } * frames;
    uint64_t n_frames, frame_capacity;
    // Scalars: for each group N_LOADS of them.
    scree_scalar *scalars;
    char *scalar_names;
    uint32_t *scalar_groups; // [n_scalar_groups] index of the group
    uint32_t n_scalar_groups;
} wall_observer;

/** scalars.c: lists the scalars of the groups that the scene names; 0: out of memory. */
int list_scalars(wall_observer *self);
extern const scree_scalars wall_scalars;

/** loads.c: finds the walls of the state; returns a negative code after host->fail. */
int32_t find_worn_walls(wall_observer *self, const scree_view *view);
/** Adds the state to the window, and its wear to the totals. */
int32_t add_state(wall_observer *self, const scree_view *view);
/** Adds the torques of contact c on its wall. */
void add_torque(const wall_observer *self, const scree_view *view, uint64_t c, wall_torque *to);
/** Does body i turn? */
int turns(const scree_bodies *b, uint32_t i);
/** Begins the next window. */
void clear_window(wall_observer *self);
void free_loads(wall_observer *self);
/** scree.state/1 of the loads. */
int32_t save_loads(void *instance, const scree_state_sink *to);
int32_t load_loads(void *instance, const void *bytes, uint64_t n);
/** [m^2] Area, centre [m] and unit normal of facet `c` of body `i` in the world. */
double place_facet(const wall_observer *self, const scree_bodies *b, uint32_t i, uint64_t c,
                   double centre[3], double normal[3]);

/** files.c: writes the rows of an observation. */
int32_t write_tables(wall_observer *self, const scree_view *view);
int32_t write_picture(wall_observer *self, const scree_view *view);
/** script.c: writes NAME.gp, which draws the facets. */
int32_t write_script(wall_observer *self, const scree_view *view);

static inline double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

#endif
