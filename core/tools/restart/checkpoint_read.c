/* SPDX-License-Identifier: Apache-2.0 */
/* Reads checkpoints, after every byte was compared with the checksum of the file. */
#include "tools/restart/checkpoint_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/say.h"
#include "base/shortage.h"
#include "config/config.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/swap_record.h"
#include "plugin/kinds.h"
#include "run/checkpoint.h"
#include "run/h5_module.h"
#include "tools/restart/checkpoint_check.h"
#include "tools/restart/checkpoint_sum.h"
#include "tools/restart/snapshot_restore.h"

#define SHA256 "sha256" /* earlier versions wrote files with this checksum */

static bool fail_file(GError **error, const char *path, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool fail_file(GError **error, const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: %s", path, text);
}

/** Checks that every byte is as it was written. */
static bool check_file(const char *path, GError **error)
{
    unsigned version = 0;
    uint64_t said = 0;
    char kind[7] = "", sum[65] = "", head[SCREE_H5_HEAD + 1] = "", wanted[SCREE_H5_HEAD] = "";
    errno = 0;
    const int fd =
        g_file_test(path, G_FILE_TEST_IS_REGULAR) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const int number = errno;
    const off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    if (n < 0) {
        errno = number;
        scree_check_shortage("reading a checkpoint"); // the file is not to blame
        const bool odd = fd < 0 && g_file_test(path, G_FILE_TEST_EXISTS) &&
                         !g_file_test(path, G_FILE_TEST_IS_REGULAR);
        return scree_fail(error, SCREE_EXIT_USAGE, "cannot read %s: %s", path,
                          odd                                     ? "expected a regular file"
                          : g_file_test(path, G_FILE_TEST_EXISTS) ? g_strerror(number)
                                                                  : "the file is missing");
    }
    if (n > SCREE_H5_HEAD && pread(fd, head, SCREE_H5_HEAD, 0) != SCREE_H5_HEAD)
        head[0] = '\0';
    bool good = sscanf(head, "scree checkpoint %u bytes %" SCNu64 " %6s %64[0-9a-f]", &version,
                       &said, kind, sum) == 4;
    g_snprintf(wanted, sizeof wanted, SCREE_CHECKPOINT_HEAD, version, said, kind, sum);
    good = good && (!strcmp(kind, SCREE_CHECKPOINT_CRC32) || !strcmp(kind, SHA256));
    if (!good || memcmp(head, wanted, sizeof wanted))
        good = fail_file(error, path, "it is not a checkpoint, or its first %d bytes are damaged",
                         SCREE_H5_HEAD);
    else if (!version || version > SCREE_CHECKPOINT_VERSION)
        good = fail_file(error, path, "expected layout version %d or less, got %u",
                         SCREE_CHECKPOINT_VERSION, version);
    else if (said != (uint64_t)n)
        good =
            fail_file(error, path, "expected %" PRIu64 " bytes, got %" PRIu64, said, (uint64_t)n);
    else {
        g_autofree char *is = scree_checkpoint_sum(fd, said, kind);
        if (!is)
            good = fail_file(error, path, "cannot read it: %s", g_strerror(errno));
        else if (strcmp(is, sum))
            good = fail_file(error, path, "it is damaged: expected %s %s, got %s", kind, sum, is);
    }
    close(fd);
    return good;
}

static bool check_state(const scree_checkpoint *c, GError **error)
{
    g_autofree char *fault = scree_checkpoint_fault(c);
    if (fault)
        return fail_file(error, c->path, "its state is invalid: %s", fault);
    g_autofree char *is = scree_snapshot_sha256(c->snapshot);
    return !strcmp(is, c->state_sha256) ||
           fail_file(error, c->path, "its state has SHA-256 %s, expected %s", is, c->state_sha256);
}

/** Sets which columns still hold `initial`: none that the file does not name. */
static void set_fresh(scree_checkpoint *c)
{
    GArray *from = c->snapshot->fresh_from;
    const uint64_t next = MAX(c->snapshot->world->next_id, 1);
    while (from->len < SCREE_CHECKPOINT_COLUMNS)
        g_array_append_val(from, next);
    scree_columns_set_fresh(c->columns, from);
}

/** Lists the states of all plugins but observers, which a snapshot has (NULL: none); borrowed. */
static GPtrArray *list_own_states(const GPtrArray *states)
{
    const char *observer = scree_kind_name(SCREE_KIND_OBSERVER);
    GPtrArray *own = g_ptr_array_new();
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++)
        if (strcmp(((const scree_saved_state *)states->pdata[i])->kind, observer) != 0)
            g_ptr_array_add(own, states->pdata[i]);
    return own;
}

/** Frees the cause of an entry that was read. */
static void clear_entry(void *data)
{
    g_free((char *)((scree_acted *)data)->cause);
}

/** Returns a checkpoint with empty lists, which scree_h5_transfer fills. */
static scree_checkpoint *new_checkpoint(const char *path)
{
    scree_checkpoint *c = g_new0(scree_checkpoint, 1);
    c->path = g_strdup(path);
    c->snapshot = g_new0(scree_snapshot, 1);
    c->snapshot->contacts = g_new0(scree_contact_store, 1);
    c->snapshot->edited = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    c->snapshot->fresh_from = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t scope = 0; scope < SCREE_SCOPES; scope++)
        c->columns[scope] = g_ptr_array_new_with_free_func(scree_column_free);
    c->plugins = scree_saved_plugins_new();
    c->acted = g_array_new(FALSE, TRUE, sizeof(scree_acted));
    g_array_set_clear_func(c->acted, clear_entry);
    c->keeping = g_ptr_array_new_with_free_func(g_free);
    c->identity = g_new0(scree_identity, 1);
    c->identity->materials = scree_identity_parts_new();
    c->identity->shapes = scree_identity_parts_new();
    c->identity->groups = scree_identity_parts_new();
    c->scene = scree_stored_scene_new();
    c->states = scree_saved_states_new();
    c->conditions = g_array_new(FALSE, FALSE, sizeof(double));
    return c;
}

scree_checkpoint *scree_checkpoint_read(const char *path, GError **error)
{
    g_autoptr(GError) inner = NULL;
    scree_working_on("reading a checkpoint");
    if (!check_file(path, error) || !scree_h5_load(error)) // a missing module is not its fault
        return NULL;
    g_autoptr(scree_checkpoint) c = new_checkpoint(path);
    const bool whole = scree_h5_transfer(c, path, false, &inner);
    if (whole)
        set_fresh(c);
    c->snapshot->states = list_own_states(c->states);
    if (!whole) {
        fail_file(error, path, "%s", inner->message);
        return NULL;
    }
    return check_state(c, error) ? g_steal_pointer(&c) : NULL;
}

void scree_checkpoint_drop_state(scree_checkpoint *c)
{
    g_clear_pointer(&c->snapshot->world, scree_world_free);
    g_clear_pointer(&c->snapshot->contacts, scree_contact_store_free);
}

void scree_checkpoint_free(scree_checkpoint *c)
{
    if (!c)
        return;
    scree_snapshot_free(c->snapshot);
    for (uint32_t scope = 0; scope < SCREE_SCOPES; scope++)
        g_clear_pointer(&c->columns[scope], g_ptr_array_unref);
    g_clear_pointer(&c->acted, g_array_unref);
    if (c->plugins)
        g_array_unref(c->plugins);
    if (c->keeping)
        g_ptr_array_unref(c->keeping);
    g_clear_pointer(&c->conditions, g_array_unref);
    g_clear_pointer(&c->states, g_ptr_array_unref);
    scree_identity_free(c->identity);
    scree_stored_scene_free(c->scene);
    char *texts[] = {c->path, c->host, c->state_sha256};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(c);
}

/* --- files of a folder ------------------------------------------------------------------------ */

static int compare_steps(const void *a, const void *b)
{
    uint64_t x = 0, y = 0;
    scree_checkpoint_step(*(char *const *)a, &x);
    scree_checkpoint_step(*(char *const *)b, &y);
    return x > y ? -1 : x < y;
}

/** Lists the checkpoints of a folder, newest step first; NULL: the folder is missing. */
static GPtrArray *list_files(const char *folder, GError **error)
{
    g_autoptr(GError) inner = NULL;
    GDir *dir = g_dir_open(folder, 0, &inner);
    if (!dir) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s", inner->message);
        return NULL;
    }
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    uint64_t step;
    for (const char *name; (name = g_dir_read_name(dir));)
        if (scree_checkpoint_step(name, &step))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_dir_close(dir);
    g_ptr_array_sort(paths, compare_steps);
    return paths;
}

scree_checkpoint *scree_checkpoint_find(const char *path, GError **error)
{
    g_autofree char *bad = scree_plain_refuse_name(path);
    if (bad) {
        scree_fail(error, SCREE_EXIT_USAGE, "%s", bad);
        return NULL;
    }
    if (!g_file_test(path, G_FILE_TEST_IS_DIR))
        return scree_checkpoint_read(path, error);
    g_autoptr(GPtrArray) paths = list_files(path, error);
    if (!paths)
        return NULL;
    for (guint i = 0; i < paths->len; i++) {
        g_autoptr(GError) inner = NULL;
        scree_checkpoint *found = scree_checkpoint_read(paths->pdata[i], &inner);
        if (found)
            return found;
        scree_say(SCREE_SAY_WARNING, "skipped %s", inner->message);
    }
    if (paths->len)
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "%s: none of its %u checkpoints is good",
                    path, paths->len);
    else
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "%s holds no checkpoint (checkpoint-STEP.h5)", path);
    return NULL;
}
