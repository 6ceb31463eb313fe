/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of facets, from a scene or from a file, on their way to the view "scree.mesh/1". */
#ifndef PLUGINS_SHAPE_MESH_H
#define PLUGINS_SHAPE_MESH_H

#include "scree/sdk.h"

/** Most facets of a surface; a triangle soup then has fewer than 2^31 vertices. */
#define MESH_MOST_FACETS (UINT64_C(1) << 29)
/** Mistakes of one file that are shown. */
#define MESH_MOST_PROBLEMS 20

/* ---- lines for the user (lines.c) ---- */

/** Lines of text. */
typedef struct mesh_lines {
    char **line; /* [n] */
    uint64_t n, room;
} mesh_lines;

void mesh_lines_clear(mesh_lines *lines);
/** Adds a line; without memory it is lost. Returns 0, so that a failure can return this result. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int mesh_say(mesh_lines *lines, const char *format, ...);
/** Fails with all lines, and clears them; without lines memory is missing. Returns the code of
 * host->fail. */
int32_t mesh_fail(const scree_host *host, mesh_lines *problems);

/** Messages about a surface that is read. */
typedef struct mesh_notes {
    mesh_lines problems, notes;
} mesh_notes;

/* ---- text files of words (words.c) ---- */

typedef struct mesh_words {
    const char *file;   /* name given by the user, for messages */
    char comment;       /* starts a comment; 0: no comments */
    int joins;          /* a backslash at its end joins a line with the next */
    uint64_t line;      /* number of the current line, from 1; the first one of joined lines */
    uint32_t n;         /* words of this line */
    char **word;        /* [n] may be changed, valid until the next line */
    const char *remark; /* text after `comment` on this line, or NULL */
    mesh_lines *problems;
    uint32_t n_problems; /* problems of this file */
    int no_memory;
    const char *at, *end;
    uint64_t lines_taken, room;
    char *buffer;
    uint64_t length, buffer_room;
} mesh_words;

/** Starts at the first line of `length` bytes, after a byte-order mark. Borrows its arguments. */
void mesh_words_init(mesh_words *words, const char *bytes, size_t length, const char *file,
                     mesh_lines *problems);
void mesh_words_clear(mesh_words *words);
/** Goes to the next line that has a word; 0 at the end, and after too many problems. */
int mesh_words_next(mesh_words *words);
/** Adds "FILE:LINE: .." to the problems; at most MESH_MOST_PROBLEMS of a file are shown. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void mesh_words_report(mesh_words *words, const char *format, ...);
/** Reads the word as a finite number; otherwise reports a problem that names it by `what`. */
int mesh_words_real(mesh_words *words, const char *what, const char *word, double *value);
/** The same for a whole number in [min, max]. */
int mesh_words_int(mesh_words *words, const char *what, const char *word, int64_t min, int64_t max,
                   int64_t *value);
/** Are the first `n` characters of two words equal, except for case? */
int mesh_same_word(const char *a, const char *b, size_t n);
/** Reads the word as a whole number, without other characters. */
int mesh_parse_int(const char *word, int64_t *value);

/* ---- facets as a file gives them (soup.c) ---- */

/** Triangles and quads. Facets count from 0, in the order of the file. */
typedef struct mesh_soup {
    const char *file; /* name given by the user, borrowed */
    int text;         /* 1: facets have lines */
    uint64_t n_vertices, n_facets;
    uint64_t room_xyz, room_corner, room_line, room_number;
    double *xyz;        /* [3 n_vertices] */
    uint32_t *corner;   /* [4 n_facets], SCREE_NONE after a triangle's three */
    uint32_t *line;     /* [n_facets] line in the file, text formats only */
    uint64_t *number;   /* [n_facets] number of the facet in the file */
    uint64_t n_opposed; /* STL: facets whose stored normal is against the order of vertices */
    uint64_t opposed;   /* the first of these facets */
} mesh_soup;

void mesh_soup_clear(mesh_soup *soup);
/** Makes room for so many more vertices and facets; 0 with a problem: too many, or no memory. */
int mesh_reserve(mesh_soup *soup, uint64_t n_vertices, uint64_t n_facets, mesh_lines *problems);
/** Adds a vertex; there must be room. */
void mesh_add_vertex(mesh_soup *soup, const double x[3]);
void mesh_add_facet(mesh_soup *soup, uint32_t n_corners, const uint32_t *corner, uint64_t line);
/** Writes "FILE:LINE: facet 12" or "FILE: facet 12", cut to `size`. */
void mesh_place(const mesh_soup *soup, uint64_t facet, char *text, size_t size);
/** The diagonal of the box around all vertices [m]. */
double mesh_diagonal(const mesh_soup *soup);
/** Replaces vertices within `tolerance` [m] of a kept one with a lower number by that one, and
 * drops unused vertices. Quads that are not planar or not convex then become two triangles. */
int mesh_weld(mesh_soup *soup, double tolerance, mesh_lines *problems);
/** Drops vertices that no facet uses. */
int mesh_compact(mesh_soup *soup, mesh_lines *problems);

/** Applies unit, scale, rotate, move in their order (placing.c). */
void mesh_apply_placing(mesh_soup *soup, const scree_placing *steps);

/* ---- formats (stl.c, obj.c) ---- */

/** STL, binary when its length agrees with the count at byte 80, for any header; otherwise text if
 * it starts with "solid" and has no zero byte. 0 with problems. */
/** Do the bytes have the length of a binary STL file? */
int mesh_is_binary_stl(const char *bytes, size_t length);
int mesh_read_stl(mesh_soup *soup, const char *bytes, size_t length, mesh_notes *notes);
/** OBJ: v and f; planar convex quads stay, larger polygons become triangles. One note names
 * statements with geometry that is not read. 0 with problems. */
int mesh_read_obj(mesh_soup *soup, const char *bytes, size_t length, mesh_notes *notes);

/* ---- surfaces (surface.c, sides.c) ---- */

/** A surface of facets: the view, and its arrays. */
typedef struct mesh_surface {
    scree_mesh view;
    double *vertex[3];
    uint32_t *facet, *neighbour;
    uint8_t *edge;
    uint32_t branching; /* edges at which more than two facets meet; open for all of them */
    uint64_t bytes;
} mesh_surface;

/** Finds neighbours and edges; copies its arguments. `facets`: 4 n_facets. NULL with a problem,
 * which names facets and vertices by number. */
mesh_surface *mesh_surface_new(uint32_t dimension, uint64_t n_vertices, const double *xyz,
                               uint64_t n_facets, const uint32_t *facets, mesh_lines *problems);
void mesh_surface_free(mesh_surface *surface);
/** Unit normal of a facet. */
void mesh_normal(const mesh_surface *surface, uint32_t facet, double n[3]);
/** marked[n_facets]: 1 where the order of corners is against that of most of its part. *conflicts:
 * edges at which no orientation is consistent. 0: no memory. */
int mesh_find_turned(const mesh_surface *surface, uint8_t *marked, uint64_t *conflicts);
/** Does the surface enclose a solid, with all normals outward? It must have no open edge, one
 * orientation, and a positive volume in each part. -1: no memory. */
int mesh_is_closed(const mesh_surface *surface);

/* ---- faults of a file (faults.c) ---- */

/** Treatment of a mistake. */
#define MESH_ERROR 0 /* it is refused */
#define MESH_DROP 1  /* degenerate, duplicate: the facet is left out */
#define MESH_NOTE 2  /* inside out: only reported */
#define MESH_TURN 3  /* inside out: the order of its corners is reversed */

/** Reports facets without area (two corners in one vertex, or a height within `tolerance` [m] of 0)
 * and repeated facets; errors go to problems, dropped facets to notes. */
int mesh_check(mesh_soup *soup, double tolerance, int32_t degenerate, int32_t duplicate,
               mesh_notes *notes);
/** The surface of a checked soup. `inside_out`: treatment of facets with an order of corners
 * against that of most of their surface. NULL with problems. */
mesh_surface *mesh_finish(mesh_soup *soup, int32_t inside_out, mesh_notes *notes);

/* ---- instances (wall.c) ---- */

/** An instance of any type of walls. */
typedef struct mesh_wall {
    const scree_host *host;
    mesh_surface *surface;
} mesh_wall;

/** create() of a type: makes an instance that owns this surface. Logs the notes, or without a
 * surface fails with the problems; clears both. */
int32_t mesh_wall_new(const scree_host *host, mesh_surface *surface, mesh_notes *notes,
                      void **instance);
/** The other functions of the vtable. */
void mesh_wall_destroy(void *instance);
uint64_t mesh_wall_bytes(void *instance);
int32_t mesh_wall_measure(void *instance, scree_measure *out);
int32_t mesh_wall_boxes(void *instance, const scree_shape_boxes *batch);
int32_t mesh_wall_view(void *instance, const char *name, double tolerance, const void **view);

#endif
