/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the manifest of a plugin file: versions, sizes, names, masks; then vtable and schema. */
#include "tools/judge/manifest.h"

#include <stdio.h>
#include <string.h>

#include "plugin/call.h"
#include "plugin/kinds.h"
#include "plugin/quantities.h"
#include "plugin/trial.h"
#include "scree/draft/joined.h"
#include "scree/draft/layout.h"
#include "scree/draft/pieces.h"
#include "scree/draft/rates.h"
#include "scree/draft/solid.h"
#include "scree/draft/suspect.h"
#include "tools/judge/declaration.h"
#include "tools/judge/kind_check.h"
#include "tools/judge/struct_check.h"

/* Masks of the minors this host knows; an unknown bit is refused, not ignored. */
#define KNOWN_DIMENSIONS (SCREE_DIMENSION_2 | SCREE_DIMENSION_3)
/** An extension, or a draft of one, of descriptors of a kind. Its struct begins with `size` and has
 * `reserved`. */
typedef struct extension {
    uint32_t kind; /* 0: every kind that has in_steps */
    const char *name;
    scree_known known;
    size_t reserved; /* offset */
} extension;
#define SCREE_KIND_IN_STEPS 0u
#define NAMED(kind, name, type, last)                                                              \
    {                                                                                              \
        SCREE_KIND_##kind, name, SCREE_KNOWN(type, last), offsetof(type, reserved)                 \
    }
#define EXTENSION(kind, name, type, last) NAMED(kind, SCREE_EXTENSION_##name, type, last)
#define DRAFT(kind, name, type, last) NAMED(kind, SCREE_DRAFT_##name, type, last)
static const extension extensions[] = {
    DRAFT(GCD, SUSPECT, scree_suspect, pair),
    DRAFT(GCD, LAYOUT, scree_layout, cells),
    DRAFT(RESOLVER, SOLID, scree_solid, zone),
    EXTENSION(FORCE, BONDS, scree_bonds, reach),
    EXTENSION(INTEGRATOR, ORDER, scree_order, with),
    EXTENSION(INTEGRATOR, STABILITY, scree_stability, limit),
    DRAFT(INTEGRATOR, RATES, scree_rates, advance),
    DRAFT(INTEGRATOR, JOINED, scree_joined, move_both),
    EXTENSION(OBSERVER, SCALARS, scree_scalars, read),
    EXTENSION(IN_STEPS, STATE, scree_state, load),
};

static bool is_text(const char *text)
{
    return !text || g_utf8_validate(text, -1, NULL);
}

/** Whether `mask` has only bits of `known`. */
static bool check_mask(const char *name, uint64_t mask, uint64_t known, GError **error)
{
    uint64_t unknown = mask & ~known;
    if (!unknown)
        return true;
    return scree_fail(error, SCREE_NOT_KNOWN,
                      "unknown bit 0x%" G_GINT64_MODIFIER
                      "x in %s; this host knows 0x%" G_GINT64_MODIFIER "x",
                      unknown & -unknown, name, known);
}

/** Checks that contacts of the overlap come with what laws of the overlap need (resolver.h). */
static bool check_overlap(const scree_plugin *plugin, GError **error)
{
    const uint64_t wanted =
        (plugin->dimensions & SCREE_DIMENSION_2 ? SCREE_GIVES_AREA | SCREE_GIVES_CHORD : 0u) |
        (plugin->dimensions & SCREE_DIMENSION_3 ? SCREE_GIVES_VOLUME | SCREE_GIVES_AREA : 0u);
    if (plugin->kind != SCREE_KIND_RESOLVER || !(plugin->provides & SCREE_GIVES_OVERLAP) ||
        !(wanted & ~plugin->provides))
        return true;
    return scree_fail(error, SCREE_EXIT_PLUGIN,
                      "provides: SCREE_GIVES_OVERLAP: expected %s with it",
                      plugin->dimensions & SCREE_DIMENSION_3
                          ? "SCREE_GIVES_AREA and SCREE_GIVES_VOLUME (in 2D SCREE_GIVES_CHORD)"
                          : "SCREE_GIVES_AREA and SCREE_GIVES_CHORD");
}

/** All bits SCREE_IN_*, SCREE_GIVES_* and SCREE_OUT_* that this host knows. */
static void find_masks(uint64_t *in, uint64_t *gives, uint64_t *out)
{
    *in = *gives = *out = 0;
    for (const scree_quantity *q = scree_quantities; q->name; q++) {
        *in |= q->in;
        *gives |= q->gives;
        *out |= q->out;
    }
}

static bool check_masks(const scree_plugin *plugin, GError **error)
{
    bool force = plugin->kind == SCREE_KIND_FORCE, resolver = plugin->kind == SCREE_KIND_RESOLVER;
    uint64_t inputs, gifts, outputs;
    find_masks(&inputs, &gifts, &outputs);
    const uint64_t gives = force ? outputs : resolver ? gifts : 0;
    const uint64_t wants = force ? inputs : scree_kind_wants(plugin->kind);
    if (!plugin->dimensions)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "serves no dimension");
    return scree_kind_check_flags(plugin, error) && scree_kind_check_id(plugin, error) &&
           check_mask("dimensions", plugin->dimensions, KNOWN_DIMENSIONS, error) &&
           check_mask("needs", plugin->needs, wants, error) &&
           check_mask("provides", plugin->provides, gives, error) && check_overlap(plugin, error);
}

static bool check_texts(const scree_plugin *plugin, GError **error)
{
    const char *const lines[][2] = {
        {"version", plugin->version}, {"licence", plugin->licence}, {"help", plugin->help}};
    for (size_t k = 0; k < G_N_ELEMENTS(lines); k++)
        if (!scree_is_line(lines[k][1]))
            return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: expected one line of text",
                              lines[k][0]);
    if (!is_text(plugin->summary) || !is_text(plugin->citation))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "summary, citation: expected UTF-8");
    return true;
}

static bool is_state(const scree_state *state)
{
    return state->save && state->load;
}

static bool is_scalars(const scree_scalars *scalars)
{
    return scalars->scalar && scalars->read;
}

/** Checks size and reserved word of the extensions that the host knows. */
static bool check_extensions(const scree_plugin *plugin, GError **error)
{
    for (size_t k = 0; k < G_N_ELEMENTS(extensions); k++) {
        const extension *e = &extensions[k];
        const bool may = e->kind ? e->kind == plugin->kind : scree_kinds[plugin->kind].in_steps;
        const char *data = may ? scree_call_extension(plugin, e->name) : NULL;
        uint32_t reserved;
        if (!data)
            continue;
        if (!scree_check_struct(data, &e->known, error)) {
            g_prefix_error(error, "extension %s: ", e->name);
            return false;
        }
        memcpy(&reserved, data + e->reserved, sizeof reserved);
        if (reserved != 0)
            return scree_fail(error, SCREE_NOT_KNOWN,
                              "extension %s: `reserved`: expected 0, got %u", e->name, reserved);
        if (!strcmp(e->name, SCREE_EXTENSION_STATE) && !is_state((const void *)data))
            return scree_fail(error, SCREE_EXIT_PLUGIN, "extension %s: save() or load() is missing",
                              e->name);
        if (!strcmp(e->name, SCREE_EXTENSION_SCALARS) && !is_scalars((const void *)data))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "extension %s: scalar() or read() is missing", e->name);
    }
    return true;
}

/** Services and extensions that a plugin may name as required. */
static const char *const names[] = {
    SCREE_EXTENSION_BONDS,     SCREE_EXTENSION_ORDER, SCREE_DRAFT_RATES,    SCREE_EXTENSION_SCALARS,
    SCREE_EXTENSION_STABILITY, SCREE_EXTENSION_STATE, SCREE_DRAFT_SUSPECT,  SCREE_DRAFT_CONFORMAL,
    SCREE_DRAFT_PIECES,        SCREE_SERVICE_EMBED,   SCREE_SERVICE_EVENTS, SCREE_SERVICE_FIGURES,
    SCREE_SERVICE_FILES,       SCREE_SERVICE_NAMES,   SCREE_SERVICE_OUTPUT, SCREE_SERVICE_QUERY,
    SCREE_SERVICE_SUM,         SCREE_DRAFT_LAYOUT,    SCREE_DRAFT_JOINED,   SCREE_DRAFT_SOLID,
};

/** Whether this host has the ABI "scree.abi/MAJOR.MINOR". */
static bool has_abi(const char *number)
{
    unsigned major, minor;
    char end;
    return sscanf(number, "%u.%u%c", &major, &minor, &end) == 2 && major == SCREE_ABI_MAJOR &&
           minor <= SCREE_ABI_MINOR;
}

/** Whether this host has "NAME/NUMBER". The error says which number it has instead. */
static bool has_name(const char *name, GError **error)
{
    const size_t n = (size_t)(strrchr(name, '/') - name) + 1;
    g_autofree char *abi = g_strdup_printf("/%u.%u", SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    const char *has = NULL;
    if (!strncmp(name, "scree.abi/", n))
        has = has_abi(name + n) ? name : abi;
    for (size_t k = 0; k < G_N_ELEMENTS(names) && has != name; k++)
        if (!strncmp(names[k], name, n))
            has = strcmp(names[k], name) ? names[k] + n - 1 : name;
    return has == name || scree_fail(error, SCREE_NOT_KNOWN, "needs %s; this host has %s", name,
                                     has ? has : "none of that name");
}

/** Whether this host has what a plugin is useless without. */
static bool check_required(const scree_plugin *plugin, GError **error)
{
    const char *const *required = plugin->required;
    if (plugin->n_required > SCREE_MAX_ENTRIES || (plugin->n_required && !required))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "required: expected at most %d names, got %u%s",
                          SCREE_MAX_ENTRIES, plugin->n_required, required ? "" : " and no list");
    for (uint32_t k = 0; k < plugin->n_required; k++)
        if (!scree_is_line(required[k]) || !strchr(required[k], '/'))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "required: name %u: expected \"NAME/NUMBER\"", k);
    for (uint32_t k = 0; k < plugin->n_required; k++)
        if (!has_name(required[k], error))
            return false;
    return true;
}

static bool check_known_kind(const scree_plugin *plugin, GError **error)
{
    if (plugin->kind == 0)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "kind: expected SCREE_KIND_*, got 0: it is not set");
    return scree_kind_name(plugin->kind) ||
           scree_fail(error, SCREE_NOT_KNOWN, "unknown kind %u; this host knows 1 to %u",
                      plugin->kind, SCREE_DRAFT_KIND_DOMAIN);
}

/** Checks a descriptor. An error of code SCREE_NOT_KNOWN leaves it out, any other one refuses the
 * file. Both name the descriptor. */
static bool check_plugin(const scree_plugin *plugin, uint32_t index, GError **error)
{
    static const scree_known known = SCREE_KNOWN(scree_plugin, required);
    g_autoptr(GError) newer = NULL, inner = NULL;
    if (!scree_check_struct(plugin, &known, &newer) && newer->code != SCREE_NOT_KNOWN)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "descriptor %u: %s", index, newer->message);
    if (!scree_is_identifier(plugin->id))
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "descriptor %u: expected an id of the form [a-z][a-z0-9_]*", index);
    if (check_texts(plugin, &inner) && newer)
        inner = g_steal_pointer(&newer);
    if (!inner && check_required(plugin, &inner) && check_known_kind(plugin, &inner) &&
        check_masks(plugin, &inner) && scree_kind_check_ops(plugin, &inner) &&
        check_extensions(plugin, &inner) && scree_schema_check(plugin, &inner))
        return true;
    g_autofree char *kind = g_strdup_printf("kind %u", plugin->kind);
    return scree_fail(error, (scree_exit)inner->code, "%s/%s: %s",
                      scree_kind_name(plugin->kind) ? scree_kind_name(plugin->kind) : kind,
                      plugin->id, inner->message);
}

static bool check_unique(const scree_manifest *manifest, uint32_t last, GError **error)
{
    const scree_plugin *plugin = manifest->plugins[last];
    for (uint32_t i = 0; i < last; i++)
        if (manifest->plugins[i]->kind == plugin->kind &&
            g_str_equal(manifest->plugins[i]->id, plugin->id))
            return scree_fail(error, SCREE_EXIT_PLUGIN, "offers %s/%s twice",
                              scree_kind_name(plugin->kind) ? scree_kind_name(plugin->kind) : "?",
                              plugin->id);
    return true;
}

static bool check_version(const scree_manifest *manifest, GError **error)
{
    static const scree_known known = SCREE_KNOWN(scree_manifest, digest);
    g_autoptr(GError) newer = NULL;
    if (!scree_check_struct(manifest, &known, &newer))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s", newer->message);
    if (manifest->major != SCREE_ABI_MAJOR)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "needs ABI %u, this scree has %u.%u",
                          manifest->major, SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    if (!manifest->digest || strcmp(manifest->digest, SCREE_ABI_DIGEST) != 0)
        return scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "built with other ABI headers (digest %.12s, this scree has %.12s): rebuild it",
            manifest->digest ? manifest->digest : "none", SCREE_ABI_DIGEST);
    return manifest->reserved == 0 ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "`reserved` of its scree_manifest: expected 0, got %u", manifest->reserved);
}

const scree_manifest *scree_manifest_judge(const scree_manifest *manifest, GPtrArray *left_out,
                                           GError **error)
{
    if (!check_version(manifest, error))
        return NULL;
    if (!manifest->plugins || manifest->n_plugins == 0 || manifest->n_plugins > SCREE_MAX_PLUGINS) {
        scree_fail(error, SCREE_EXIT_PLUGIN, "expected 1 to %d plugins, got %u", SCREE_MAX_PLUGINS,
                   manifest->plugins ? manifest->n_plugins : 0);
        return NULL;
    }
    g_autoptr(GPtrArray) served = g_ptr_array_new();
    for (uint32_t i = 0; i < manifest->n_plugins; i++) {
        g_autoptr(GError) inner = NULL;
        const bool serves = check_plugin(manifest->plugins[i], i, &inner);
        if (serves)
            g_ptr_array_add(served, (gpointer)manifest->plugins[i]);
        else if (inner->code == SCREE_NOT_KNOWN)
            g_ptr_array_add(
                left_out, scree_offer_new(manifest->plugins[i], g_new0(char *, 1), inner->message));
        else
            g_propagate_error(error, g_steal_pointer(&inner));
        if ((!serves && !inner) || !check_unique(manifest, i, error))
            return NULL;
    }
    scree_manifest *own = g_memdup2(manifest, sizeof *manifest);
    own->size = sizeof *own;
    own->n_plugins = served->len;
    own->plugins = (const scree_plugin *const *)g_ptr_array_free(g_steal_pointer(&served), FALSE);
    return own;
}
