/* SPDX-License-Identifier: MIT */
/* A scree plugin: the one exported symbol of a shared object, versions, status codes. */
#ifndef SCREE_ABI_H
#define SCREE_ABI_H

#include <stddef.h>
#include <stdint.h>

/*
 * A plugin is one shared object that exports one const data symbol and nothing else:
 *
 *     scree_plugin_v0 ──> scree_manifest ──> list of scree_plugin (descriptors) ──> ops (vtable)
 *
 * At load the host reads constants and decides. The only function that it calls is get_extension(),
 * whose answers are constants too; create() comes later.
 *
 * Versions have three layers, each with one job:
 *   1. the major is in the symbol's name; until 1.0 a digest of the headers must match as well;
 *   2. services, extensions and views of shapes have a name with a number, "scree.bonds/1". A name
 *      never changes its meaning; a new meaning gets the next number;
 *   3. every struct starts with its size, has a frozen minimum (the members of its first minor) and
 *      grows only at the tail. Before a plugin reads a tail member, it checks SCREE_HAS (a function
 *      or a pointer) or SCREE_KNOWS (a number). A struct of a plugin may be longer than the host's,
 *      up to 65536 bytes: the bytes that the host does not know are 0.
 * The host leaves out a descriptor with something that only a newer host may know: a kind, a name
 * in `required`, a mask bit, type code or value that the host does not know; a reserved word, or a
 * byte beyond the host's struct, that is not 0. `scree plugins` lists the descriptor with the
 * reason. The id stays reserved: a scene that names it fails, even if another file has a plugin
 * with this id. The host uses the other descriptors of the file. For any other fault, such as a
 * flag that belongs to another kind of plugin, the host refuses the whole file.
 *
 * Thread tags, used on every function of every header:
 *   [config]  one call at a time, before the run, at a swap, or when a shape arrives in mid-run
 *   [step]    one call at a time, inside a step; may use host->parallel_for
 *   [lane]    called at the same time from several threads on one instance, with disjoint batches
 *             or ranges; the instance is read-only there, what changes lies in the batch or in the
 *             lane's scratch. A plugin that cannot do so sets SCREE_CAP_SERIAL.
 *   [any]     at any time from any thread
 *
 * A lane is a thread of the host, numbered 0 to host->lanes - 1; lanes are at most 256. The number
 * says which memory host->scratch gives. A [config] or [step] call is on lane 0; a parallel_for
 * inside it uses all lanes, and its chunks on lane 0 share that lane's memory with the caller. A
 * [lane] call finds its number in its arguments (`lane`), and a parallel_for inside it runs inline
 * on that lane. An [any] call has no lane, and no scratch.
 *
 * Rules for every function of a plugin: returns SCREE_OK or a negative code, after host->fail with
 * a text; never throws, exits, aborts, prints, starts threads, forks, installs signal handlers,
 * changes locale or floating-point environment; keeps no mutable statics. Pointers that a function
 * gets are borrowed until it returns, unless the header says otherwise. The side that allocates
 * also frees. Strings are UTF-8, ended by NUL, and copied at once where they are kept. Arrays that
 * the host gives are 64-byte aligned where the header says so. All quantities are SI.
 */

#define SCREE_ABI_MAJOR 0u
#define SCREE_ABI_MINOR 3u /* minor version of these headers */

#define SCREE_MANIFEST_SYMBOL "scree_plugin_v0"

#if defined(__GNUC__)
#define SCREE_EXPORT __attribute__((visibility("default")))
#else
#define SCREE_EXPORT
#endif

/** True when struct *s is long enough to hold `member`. Read a number that was added after the
 * first minor only if this is true. */
#define SCREE_KNOWS(s, member)                                                                     \
    ((s)->size >= offsetof(__typeof__(*(s)), member) + sizeof((s)->member))

/** True when struct *s holds `member`, a function or a pointer, and the member is not NULL. Ask
 * SCREE_KNOWS about a number: 0 may be a value. */
#define SCREE_HAS(s, member) (SCREE_KNOWS(s, member) && (s)->member)

/* Status codes: 0 or negative. */
#define SCREE_OK 0
#define SCREE_E_CONFIG (-1)      /* a parameter or a combination of them is not acceptable */
#define SCREE_E_MEMORY (-2)      /* out of memory */
#define SCREE_E_CAPACITY (-3)    /* a fixed limit was reached */
#define SCREE_E_UNSUPPORTED (-4) /* dimension, shape or feature that the plugin does not serve */
#define SCREE_E_NUMERIC (-5)     /* no meaningful result for these numbers */
#define SCREE_E_IO (-6)          /* reading or writing failed */
#define SCREE_E_CANCELLED (-7)   /* stopped because host->cancelled said so */
#define SCREE_E_INTERNAL (-8)    /* the plugin's own bug; the instance is not used again */

/* Kinds of plugins; `ops` of the descriptor points to the vtable named here. */
#define SCREE_KIND_GCD 1u        /* scree_gcd_ops,        gcd.h */
#define SCREE_KIND_RESOLVER 2u   /* scree_resolver_ops,   resolver.h */
#define SCREE_KIND_FORCE 3u      /* scree_force_ops,      force.h */
#define SCREE_KIND_INTEGRATOR 4u /* scree_integrator_ops, integrator.h */
#define SCREE_KIND_OBSERVER 5u   /* scree_observer_ops,   observer.h */
#define SCREE_KIND_MODIFIER 6u   /* scree_modifier_ops,   modifier.h */
#define SCREE_KIND_SHAPE 7u      /* scree_shape_ops,      shape.h */
#define SCREE_KIND_SOURCE 8u     /* scree_source_ops,     source.h */
/* 9u is reserved for plugins that divide the bodies among ranks. */

/* Dimensions that a plugin serves (mask). The masks are 4 and 8. The host refuses a plain 1, 2 or 3
 * in place of a mask, because it holds an unknown bit. */
#define SCREE_DIMENSION_2 (1u << 2)
#define SCREE_DIMENSION_3 (1u << 3)

/* Capability flags of a descriptor (mask). Their bits differ from the bits of SCREE_PARAM_*: the
 * host refuses a flag of a parameter in this mask, a capability flag in a parameter, and a flag
 * that belongs to another kind of plugin. */
#define SCREE_CAP_SERIAL (1u << 8)    /* its [lane] functions must not run at the same time */
#define SCREE_CAP_USES_LIBM (1u << 9) /* results depend on libm's functions beyond sqrt */
#define SCREE_CAP_INCREMENTAL                                                                      \
    (1u << 10) /* gcd: emits only the pairs of moved boxes when asked to */
#define SCREE_CAP_DISPLACEMENT (1u << 11) /* integrator: writes displacement and rotation itself */
#define SCREE_CAP_ACTS_LAST (1u << 12)    /* modifier: its forces() come last */
/* Sorts of shapes; a shape has at most one of them (shape.h). */
#define SCREE_CAP_ROUND (1u << 14)    /* shape: a ball, 2D a disc, about the origin */
#define SCREE_CAP_BALLS (1u << 15)    /* shape: balls fixed together, each is a part */
#define SCREE_CAP_WALL (1u << 16)     /* shape: facets; never free */
#define SCREE_CAP_INFINITE (1u << 17) /* shape: a half-space; never free */
/* Any kind but gcd, shape, source: serves ranks that each have a part of the bodies (types.h). If
 * the integrator and all modifiers have it, and nothing else reads other bodies, a rank moves only
 * its own ones until the whole state is read: move() gets these, forces() gets all, of which others
 * are old. So the work on a body depends only on its own data. Else all ranks move all, to the same
 * bits. The host refuses laws and resolvers without it that have GLOBAL fields or scree.state/1
 * (with it: the same on all ranks), laws with after_step(), and modifiers that write files.
 * Observers run on rank 0, unless they ask for draft.pieces/1. */
#define SCREE_CAP_RANKS (1u << 18)
/* source: its bodies come from the integrator of the same file, which the scene must have chosen
 * (source.h). The integrators of such a file move those bodies, without forces. */
#define SCREE_CAP_BY_INTEGRATOR (1u << 19)
/* integrator: moves only bodies whose orientation has no effect, and changes no orientation. The
 * host refuses a scene in which another body may be free, or in which a law reads orientations. */
#define SCREE_CAP_ROUND_ONLY (1u << 20)

/* Needs of an observer or a modifier (mask, `needs` of its descriptor). The needs of a force law
 * are SCREE_IN_* of force.h. */
#define SCREE_WANTS_CONTACTS (1u << 0)   /* observer: view->contacts */
#define SCREE_WANTS_LAWS (1u << 1)       /* observer: view->contacts with laws[] */
#define SCREE_WANTS_EVERY_STEP (1u << 2) /* observer: observe() after every step */
#define SCREE_WANTS_LOADS (1u << 3)      /* modifier: edits->load */

struct scree_host;
/* Limits are named SCREE_MAX_*, each in the header of its subject. The host refuses larger numbers,
 * and its message names the limit. A later version may raise a limit, but never lower it. Do not
 * size an array by a limit on things that the scene or other plugins provide, such as types, lanes
 * or components of a field: the call gives their number. */
#define SCREE_MAX_PLUGINS 1024 /* of a file */

struct scree_param;
struct scree_field;
struct scree_use;

/** Flags, needs and outputs of an instance: the same as in its descriptor, or fewer. */
typedef struct scree_demands {
    uint32_t size;  /* of the host's struct */
    uint32_t flags; /* SCREE_CAP_*; only SERIAL, DISPLACEMENT and ACTS_LAST may be cleared */
    uint64_t needs, provides;
} scree_demands;

/** The head of the vtables of all kinds, future ones included: each vtable begins with these
 * members, in this order. The members of its kind follow. */
typedef struct scree_ops_head {
    uint32_t size;     /* of the whole vtable */
    uint32_t reserved; /* 0 */

    /** [config] Makes an instance. `host` and `config` (NULL without parameters) stay valid until
     * destroy() has returned. Required. */
    int32_t (*create)(const struct scree_host *host, const void *config, void **instance);

    /** [config] Frees the instance; the last call. Accepts NULL. Required. */
    void (*destroy)(void *instance);

    /** [step] Returns the bytes that the instance and its nested instances have allocated, without
     * the host's scratch and fields. The host calls it at any time between steps, for reports of
     * memory. Optional: without it the host counts 0. */
    uint64_t (*bytes)(void *instance);

    /** [config] Clears the bits of *demands that this instance, with its config, does not need: the
     * host then gathers less. It sets no bit. Asked once, right after create(), before any other
     * call. Optional: all bits stay. */
    int32_t (*narrow)(void *instance, scree_demands *demands);
} scree_ops_head;

/** One algorithm. Constant data; lives as long as the process. */
typedef struct scree_plugin {
    uint32_t size;        /* sizeof(scree_plugin) */
    uint32_t kind;        /* SCREE_KIND_* */
    uint32_t flags;       /* capability mask above */
    uint32_t dimensions;  /* SCREE_DIMENSION_2 | SCREE_DIMENSION_3 */
    const char *id;       /* "grid": [a-z][a-z0-9_]*, unique in its kind */
    const char *version;  /* "1.2.0" */
    const char *licence;  /* SPDX expression */
    const char *help;     /* one line, no full stop */
    const char *summary;  /* a paragraph or two; may be NULL */
    const char *citation; /* papers that a user of the plugin should cite; may be NULL */
    uint64_t config_size; /* [bytes] of the plugin's own config struct, 0 without parameters */
    uint32_t n_params, n_fields;
    const struct scree_param *const *params; /* [n_params], params.h */
    const struct scree_field *const *fields; /* [n_fields], params.h */
    uint64_t needs;    /* force: SCREE_IN_* (force.h); observer, modifier: SCREE_WANTS_* */
    uint64_t provides; /* resolver: SCREE_GIVES_* (resolver.h); force: SCREE_OUT_* (force.h) */
    const void *ops;   /* vtable of the kind; begins like scree_ops_head */
    /** [any] Optional features by name and revision, "scree.x/1"; NULL: unknown. The function may
     * be NULL itself. The answer is constant. Names that begin with "scree." are the host's. Other
     * names begin with a domain of their author, "org.example.x/1"; so do names of services and
     * views. */
    const void *(*get_extension)(const char *name);
    uint32_t n_uses, n_required;
    const struct scree_use *const *uses; /* [n_uses] fields of others, params.h */
    /** [n_required] names without which the plugin is useless: services ("scree.query/1") and
     * extensions ("scree.bonds/1") of this host, or "scree.abi/0.3", the headers of that minor. A
     * host without one of them leaves the descriptor out, and reports the missing name. May be
     * NULL. */
    const char *const *required;
} scree_plugin;

/** The plugins of a file. */
typedef struct scree_manifest {
    uint32_t size;  /* sizeof(scree_manifest) */
    uint32_t major; /* SCREE_ABI_MAJOR */
    uint32_t n_plugins;
    uint32_t reserved;                  /* 0 */
    const scree_plugin *const *plugins; /* [n_plugins] */
    const char *digest; /* SCREE_ABI_DIGEST of digest.h; compared exactly until 1.0 */
} scree_manifest;

/* A file may hold an ELF note (section .note.scree, segment PT_NOTE) with this name and type. Its
 * data are SCREE_ABI_MAJOR as uint32_t, and SCREE_ABI_DIGEST, padded with NUL to a multiple of 4. A
 * host that reads other values refuses the file without loading it. SCREE_DEFINE_MANIFEST writes
 * it. */
#define SCREE_NOTE_NAME "scree"
#define SCREE_NOTE_TYPE 1u

/** The exported symbol. Define it with SCREE_DEFINE_MANIFEST (plugin_sdk.h). */
#ifdef __cplusplus
extern "C" {
#endif
SCREE_EXPORT extern const scree_manifest scree_plugin_v0;
#ifdef __cplusplus
}
#endif

#endif
