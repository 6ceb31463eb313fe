/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: HDF5 data after a head with a checksum of the rest. */
#include "run/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/say.h"
#include "base/sha256.h"
#include "base/shortage.h"
#include "build_config.h"
#include "change/condition_state.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "run/checkpoint_plugins.h"
#include "run/h5_module.h"

/*
 * The file: SCREE_H5_HEAD bytes of text, SCREE_CHECKPOINT_HEAD, filled with zeros, which are HDF5's user
 * block; then HDF5 data. The checksum is compared before HDF5 reads a byte, because some damage
 * crashes HDF5. The SHA-256 of the state is computed again after reading, because a file that was
 * written wrongly has the right checksum. The module scree-hdf5.so has the layout (tools/hdf5).
 */
#define SUFFIX ".h5"
#define PREFIX "checkpoint-"

/* --- writing ---------------------------------------------------------------------------------- */

/* It maps nothing, because mapped pages count as memory of the process. */
char *scree_checkpoint_sum(int fd, uint64_t n, const char *kind)
{
    enum { SOME = 1 << 18 };
    g_autofree uint8_t *bytes = g_malloc(SOME);
    scree_sha256 *sum = strcmp(kind, SCREE_CHECKPOINT_CRC32) ? scree_sha256_new() : NULL;
    uint64_t at = SCREE_H5_HEAD;
    uLong crc = 0;
    for (ssize_t got = 1; at < n && got > 0; at += (uint64_t)MAX(got, 0)) {
        got = pread(fd, bytes, MIN(SOME, n - at), (off_t)at);
        if (got > 0 && sum)
            scree_sha256_add(sum, bytes, (size_t)got);
        else if (got > 0)
            crc = crc32_z(crc, bytes, (size_t)got);
    }
    char *text = sum ? scree_sha256_end(sum) : g_strdup_printf("%08lx", crc);
    if (at < n)
        g_clear_pointer(&text, g_free);
    return text;
}

/** Writes the head, once the rest is in the file, and syncs. Returns 0 or an errno. */
static int sign_file(const char *path)
{
    char head[SCREE_H5_HEAD] = "";
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    g_autofree char *sum =
        n >= 0 ? scree_checkpoint_sum(fd, (uint64_t)n, SCREE_CHECKPOINT_CRC32) : NULL;
    if (sum)
        g_snprintf(head, sizeof head, SCREE_CHECKPOINT_HEAD, SCREE_CHECKPOINT_VERSION, (uint64_t)n,
                   SCREE_CHECKPOINT_CRC32, sum);
    bool good =
        sum && pwrite(fd, head, sizeof head, 0) == (ssize_t)sizeof head && !scree_file_sync(fd);
    int number = good ? 0 : errno ? errno : EIO;
    if (fd >= 0 && close(fd) && !number)
        number = errno;
    return number;
}

/** Writes under another name first, so that an older file of this name stays complete. */
static bool write_file(scree_checkpoint *c, const char *path, GError **error)
{
    g_autofree char *part = g_strconcat(path, ".part", NULL);
    g_autoptr(GError) inner = NULL;
    int number = scree_h5_transfer(c, part, true, &inner) ? sign_file(part) : 0;
    if (!inner && !number)
        number = rename(part, path) ? errno : scree_folder_sync(path);
    if (!inner && !number)
        return true;
    unlink(part);
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", scree_folder_shown(path),
                      inner ? inner->message : g_strerror(number));
}

/** Adds the states of a snapshot; with `now`, those of observers too, which `own` then owns. */
static bool list_states(const scree_sim *sim, const scree_snapshot *snapshot, bool now,
                        GPtrArray *all, GPtrArray *own, GError **error)
{
    bool good = scree_snapshot_check(snapshot, error);
    const guint n = now ? sim->observers->len : 0;
    for (guint i = 0; i < n && good; i++)
        good = scree_saved_states_save(own, sim->observers->pdata[i], error);
    if (snapshot->states)
        g_ptr_array_extend(all, snapshot->states, NULL, NULL);
    g_ptr_array_extend(all, own, NULL, NULL);
    return good;
}

bool scree_checkpoint_write(const scree_sim *sim, const scree_earlier *earlier, const char *path,
                            GError **error)
{
    scree_working_on("a checkpoint");
    scree_contact_order order;
    scree_snapshot *own = earlier ? NULL : scree_snapshot_borrow(sim);
    scree_checkpoint c = {.snapshot = own ? own : earlier->snapshot,
                          .acted = sim->swaps.acted,
                          .plugins = scree_saved_plugins_for_restart(sim),
                          .keeping = scree_keeping_laws_of(sim),
                          .conditions =
                              own ? scree_conditions_keep(sim) : g_array_ref(earlier->conditions),
                          .identity = sim->scene->identity,
                          .scene = scree_stored_scene_of(sim->scene),
                          .host = (char *)SCREE_VERSION,
                          .seed = sim->scene->seed};
    g_assert(!own || !sim->moves.n);
    memcpy(c.columns, sim->plugins.columns, sizeof c.columns);
    g_autoptr(GPtrArray) states = scree_saved_states_new();
    c.states = g_ptr_array_new();
    const bool good = list_states(sim, c.snapshot, own != NULL, c.states, states, error);
    if (own)
        scree_contact_order_begin(sim, &order);
    c.order = own ? &order : NULL;
    c.state_sha256 = own ? scree_state_sha256_of(sim, &order) : scree_snapshot_sha256(c.snapshot);
    bool written = good && write_file(&c, path, error);
    if (own)
        scree_contact_order_end(&order);
    g_clear_pointer(&c.conditions, g_array_unref);
    g_array_unref(c.plugins);
    g_ptr_array_unref(c.keeping);
    g_ptr_array_unref(c.states);
    scree_stored_scene_free(c.scene);
    g_free(c.state_sha256);
    scree_snapshot_free(own);
    return written;
}

/* --- files of a folder ------------------------------------------------------------------------ */

char *scree_checkpoint_path(const char *folder, uint64_t step)
{
    g_autofree char *name = g_strdup_printf(PREFIX "%" PRIu64 SUFFIX, step);
    return g_build_filename(folder, name, NULL);
}

bool scree_checkpoint_step(const char *path, uint64_t *step)
{
    g_autofree char *name = g_path_get_basename(path);
    if (!g_str_has_prefix(name, PREFIX) || !g_str_has_suffix(name, SUFFIX))
        return false;
    name[strlen(name) - strlen(SUFFIX)] = '\0';
    return g_ascii_string_to_unsigned(name + strlen(PREFIX), 10, 0, UINT64_MAX, step, NULL);
}
