/* SPDX-License-Identifier: Apache-2.0 */
/* Offers of plugin files, as the host knows them without loading the files. They come from trials:
 * scree-tools judges and loads a file in a child process, because loading runs its constructors. */
#ifndef CORE_TRIAL_H
#define CORE_TRIAL_H

#include "base/json.h"
#include "plugin/opened.h"

/** One algorithm that a file offers. */
typedef struct scree_offer {
    uint32_t kind;
    char *id, *version, *licence, *help;
    char **material_keys; /* names of its parameters of materials; ends in NULL */
    char *left_out;       /* "force/x: REASON" why this host leaves it out; "": it serves */
    char *build_id;       /* of its file, hex; "": it has none */
    char *cpu_level;      /* that its file needs: SCREE_CPU_V3 or SCREE_CPU_BASELINE */
} scree_offer;

/** An empty list of offers: GPtrArray of scree_offer. */
GPtrArray *scree_offers_new(void);
/** An offer of a plugin; it takes `material_keys`. */
scree_offer *scree_offer_new(const scree_plugin *plugin, char **material_keys,
                             const char *left_out);
/** The offer of kind/id; NULL: none. */
const scree_offer *scree_offers_find(const GPtrArray *offers, uint32_t kind, const char *id);
/** Reads the array that scree_offers_line has written, whatever the node holds; NULL: it is
 * malformed, or empty. */
GPtrArray *scree_offers_read(JsonNode *list);
/** The type of offers in JSON: kind, id, version, licence, help, material_keys, left_out, build_id,
 * cpu_level. */
#define SCREE_OFFERS "a(sssssassss)"

/** The result of a trial. */
typedef struct scree_verdict {
    GPtrArray *offers; /* elements: scree_offer; NULL: refused, crashed, exited or hung */
    GError *error;     /* its message starts with the path */
    bool hung;         /* it took longer than the limit */
    bool led;          /* the linker takes libraries from folders that are not the system's */
    bool by_times;     /* an index knew the file, and only its times were compared */
} scree_verdict;

/** Trials in a process that has the code for them (tools/judge). */
typedef struct scree_judge {
    /** Fills the verdicts, which are zeroed, and keeps them in the user's index. */
    void (*try_files)(scree_held *const *files, scree_verdict *verdicts, guint n);
    /** Lists the plugins of folders, as scree_trials_list. */
    GPtrArray *(*list)(const GPtrArray *folders, GPtrArray *trusted);
    /** Notes that an index has known the bytes of a file, with other times. */
    void (*note)(scree_held *held, const GPtrArray *offers);
} scree_judge;
/** Those of this process, a constant; NULL: scree-tools tries files. */
extern const scree_judge *scree_judge_here;

/** Tries `n` files, and fills their verdicts, which must be zeroed. */
void scree_try_files(scree_held *const *files, scree_verdict *verdicts, guint n);

/** A plugin, or a file that was refused, in the list of `scree plugins`. */
typedef struct scree_listing {
    char *path;
    uint32_t kind;
    char *id, *version, *licence,
        *help;            /* NULL: the file was refused before they were known; kind is 0 then */
    char **material_keys; /* names of parameters of materials; ends in NULL */
    char *refused;        /* reason of the refusal, or NULL */
    gboolean left_out;    /* only this plugin is refused: a newer host may serve it */
    gboolean hung;        /* refused because it hung; no warning was printed yet */
    char *shadowed_by;    /* path of the file that is taken instead, or NULL */
} scree_listing;
void scree_listing_free(scree_listing *listing);

/** Lists all files of folders (elements: char *), in this order; `trusted` as in loader.h. New
 * array of scree_listing. */
GPtrArray *scree_trials_list(const GPtrArray *folders, GPtrArray *trusted);
/** The type of a scree_listing in JSON. Paths are escaped by g_strescape. */
#define SCREE_LISTING "(sumsmsmsmsasmsbbms)"
/** Calls scree_judge.note. */
void scree_trials_note(scree_held *held, const GPtrArray *offers);

#endif
