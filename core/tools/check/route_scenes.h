/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the routes: made up around the plugin under test, or the user's own. */
#ifndef CORE_ROUTE_SCENES_H
#define CORE_ROUTE_SCENES_H

#include "tools/check/check.h"
#include "tools/check/route_axes.h"

/** Differences that a case has seen with some variant. */
typedef struct scree_route_seen {
    bool time;   /* files of more steps are others */
    bool motion; /* so are those of another motion, or the run without the plugin */
    bool twins;  /* two runs could be compared */
} scree_route_seen;

/* Bodies of a crowd that are made before the others, more than 16 bits count, and after them. */
enum { SCREE_ROUTE_OLDER = 66000, SCREE_ROUTE_YOUNGER = 5000 };

/* Free bodies of the made-up scene, with the ids from 2 on; after so many steps they are made again. */
enum { SCREE_ROUTE_FREE = 8, SCREE_ROUTE_LATE = 2 };

/* [m/s] of a moving scene, along the floor. */
static const double scree_route_drift[3] = {1.5, 0.0, 0.75};

/* [m] of a shifted scene. */
static const double scree_route_shift[3] = {0.5, -1.0, 0.25};

/** A scene of a run. */
typedef struct scree_route_scene {
    scree_check *check;
    uint32_t dimension;
    uint32_t parameters;         /* SCREE_CHECK_DEFAULTS, .._LOWEST, .._HIGHEST */
    uint32_t optional;           /* mask of optional parameters that are given */
    const char *const *settings; /* of the plugin; NULL: none */
    const char *name;            /* of the settings, for messages */
    bool chosen;                 /* `optional` and `stiff` are those of a run that was made */
    bool stiff;                  /* the time step is a tenth of the critical one */
    bool solids;                 /* its bodies are solids, not balls */
    bool overlap;                /* its law acts by the overlap of solids, not by the distance */
    bool bare;                   /* it has no floor */
    bool filled;                 /* it has the usual bodies, next to those of a source */
    bool apart;                  /* no bodies touch at the start, some do later */
    bool elastic;                /* its law neither loses energy nor rubs */
    bool neighbours;             /* others add and take away before and after a modifier */
    bool lattice;                /* it repeats along x and y, and has no floor */
    bool crowd;                  /* its bodies come from tables */
    bool crowded;                /* far from them many others fly, older and younger ones */
    bool moving;        /* it moves past the floor's and the walls' usual place, all at one speed */
    bool shifted;       /* all of it is elsewhere */
    bool absent;        /* it lacks the modifier, shape or domain under test */
    bool churn;         /* bodies come and go */
    bool late;          /* new bodies take the place of all free ones, as these were */
    const char *pulled; /* the whole scene but for the plugin and the modifiers, which pull
                                    bodies (check_motion.h); NULL: the made-up one */
    bool warm;          /* these bodies have fields with rates */
    bool emptied;       /* all bodies go in the second step */
    scree_route_axes axes;  /* the names of its axes */
    bool unwatched;         /* the user's own scene without its observers */
    scree_route_seen *seen; /* gets what the case sees */
} scree_route_scene;

/** Reads the scene with overrides (NULL-terminated PATH=VALUE). */
scree_scene *scree_route_scene_read(const scree_route_scene *from, const char *const *set,
                                    GError **error);
/** The choice of the plugin in a scene, of solids apart; NULL: none. */
const scree_choice_of *scree_route_scene_choice(const scree_scene *scene,
                                                const scree_plugin *plugin);
/** Whether the plugin under test is an integrator whose bodies come from its own file. */
bool scree_route_scene_own(const scree_route_scene *from);
/** Whether the plugin has a region of its own. */
bool scree_route_scene_zoned(const scree_plugin *plugin);
/** Path of the plugin's group in the made-up scene. */
const char *scree_route_scene_path(const scree_plugin *plugin);
/** Whether the plugin says that the scene is not one for it. */
bool scree_route_scene_is_refusal(const GError *error);
/** Fails the check. Returns false. */
bool scree_route_fail(const scree_route_scene *from, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** Runs in a scene. False: the run has failed, with the error. */
typedef bool (*scree_route_fn)(const scree_route_scene *from, void *user, GError **error);
/** Goes with each set of optional parameters, then with a shorter time step, until a run is made;
 * `from` keeps what that run had. */
bool scree_route_scene_try(scree_route_scene *from, scree_route_fn go, void *user, GError **error);

#endif
