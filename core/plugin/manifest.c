/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the manifest of a plugin file: versions, sizes, names, masks; then vtable and schema. */
#include "plugin/manifest.h"

#include <string.h>

#include "plugin/call.h"
#include "plugin/declaration.h"
#include "plugin/kinds.h"
#include "plugin/quantities.h"
#include "plugin/struct_size.h"
#include "scree/draft/rates.h"
#include "scree/draft/suspect.h"

/* Masks of the minors this host knows; an unknown bit is refused, not ignored. */
#define KNOWN_DIMENSIONS (SCREE_DIMENSION_2 | SCREE_DIMENSION_3)
/** An extension, or a draft of one, of descriptors of a kind. Its struct begins with `size` and has `reserved`. */
typedef struct extension {
    uint32_t kind; /* 0: every kind that has in_steps */
    const char *name, *type;
    size_t size, reserved; /* [bytes] frozen minimum: all of the first revision; offset */
} extension;
#define SCREE_KIND_IN_STEPS 0u
#define NAMED(kind, name, type, last)                                                              \
    {                                                                                              \
        SCREE_KIND_##kind, name, #type, SCREE_SIZE_TO(type, last), offsetof(type, reserved)        \
    }
#define EXTENSION(kind, name, type, last) NAMED(kind, SCREE_EXTENSION_##name, type, last)
#define DRAFT(kind, name, type, last) NAMED(kind, SCREE_DRAFT_##name, type, last)
static const extension extensions[] = {
    DRAFT(GCD, SUSPECT, scree_suspect, pair),
    EXTENSION(FORCE, BONDS, scree_bonds, reach),
    EXTENSION(INTEGRATOR, ORDER, scree_order, with),
    EXTENSION(INTEGRATOR, STABILITY, scree_stability, limit),
    DRAFT(INTEGRATOR, RATES, scree_rates, advance),
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
    return scree_fail(error, SCREE_EXIT_PLUGIN, "unknown bit 0x%" G_GINT64_MODIFIER "x in %s",
                      unknown & -unknown, name);
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

static bool check_masks(const scree_plugin *plugin, GError **error)
{
    bool force = plugin->kind == SCREE_KIND_FORCE, resolver = plugin->kind == SCREE_KIND_RESOLVER;
    uint64_t inputs, gifts, outputs;
    scree_quantities_masks(&inputs, &gifts, &outputs);
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
    if (!scree_is_line(plugin->version))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "version: expected one line of text");
    if (!scree_is_line(plugin->licence))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "licence: expected one line of text");
    if (!scree_is_line(plugin->help))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "help: expected one line of text");
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
        uint32_t size, reserved;
        if (!data)
            continue;
        memcpy(&size, data, sizeof size);
        if (size < e->size)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "extension %s: expected a %s of at least %zu bytes, got %u", e->name,
                              e->type, e->size, size);
        memcpy(&reserved, data + e->reserved, sizeof reserved);
        if (reserved != 0)
            return scree_fail(error, SCREE_EXIT_PLUGIN,
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

static bool check_plugin(const scree_plugin *plugin, uint32_t index, GError **error)
{
    const size_t size = SCREE_SIZE_TO(scree_plugin, get_extension);
    if (!plugin)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "descriptor %u is NULL", index);
    if (plugin->size < size)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "descriptor %u: expected a scree_plugin of at least %zu bytes, got %u",
                          index, size, plugin->size);
    if (!scree_kind_name(plugin->kind))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "descriptor %u: unknown kind %u", index,
                          plugin->kind);
    if (!scree_is_identifier(plugin->id))
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "descriptor %u: expected an id of the form [a-z][a-z0-9_]*", index);
    g_autoptr(GError) inner = NULL;
    if (!check_texts(plugin, &inner) || !check_masks(plugin, &inner) ||
        !scree_kind_check_ops(plugin, &inner) || !check_extensions(plugin, &inner))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s/%s: %s", scree_kind_name(plugin->kind),
                          plugin->id, inner->message);
    return scree_schema_check(plugin, error); /* its errors name the plugin already */
}

static bool check_unique(const scree_manifest *manifest, uint32_t last, GError **error)
{
    const scree_plugin *plugin = manifest->plugins[last];
    for (uint32_t i = 0; i < last; i++)
        if (manifest->plugins[i]->kind == plugin->kind &&
            g_str_equal(manifest->plugins[i]->id, plugin->id))
            return scree_fail(error, SCREE_EXIT_PLUGIN, "offers %s/%s twice",
                              scree_kind_name(plugin->kind), plugin->id);
    return true;
}

static bool check_version(const scree_manifest *manifest, GError **error)
{
    const size_t size = SCREE_SIZE_TO(scree_manifest, digest);
    if (manifest->size < size)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "expected a scree_manifest of at least %zu bytes, got %u", size,
                          manifest->size);
    if (manifest->major != SCREE_ABI_MAJOR || manifest->minor_needed > SCREE_ABI_MINOR)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "needs ABI %u.%u, this scree has %u.%u",
                          manifest->major, manifest->minor_needed, SCREE_ABI_MAJOR,
                          SCREE_ABI_MINOR);
    if (manifest->minor_needed < SCREE_ABI_LOWEST_MINOR)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "needs ABI %u.%u, which never was; the lowest is %u.%u", manifest->major,
                          manifest->minor_needed, SCREE_ABI_MAJOR, SCREE_ABI_LOWEST_MINOR);
    if (!manifest->digest || strcmp(manifest->digest, SCREE_ABI_DIGEST) != 0)
        return scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "built with other ABI headers (digest %.12s, this scree has %.12s): rebuild it",
            manifest->digest ? manifest->digest : "none", SCREE_ABI_DIGEST);
    return true;
}

bool scree_manifest_check(const scree_manifest *manifest, GError **error)
{
    if (!check_version(manifest, error))
        return false;
    if (!manifest->plugins || manifest->n_plugins == 0 || manifest->n_plugins > SCREE_MAX_PLUGINS)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "expected 1 to %d plugins, got %u",
                          SCREE_MAX_PLUGINS, manifest->plugins ? manifest->n_plugins : 0);
    for (uint32_t i = 0; i < manifest->n_plugins; i++)
        if (!check_plugin(manifest->plugins[i], i, error) || !check_unique(manifest, i, error))
            return false;
    return true;
}
