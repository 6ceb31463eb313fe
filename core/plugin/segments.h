/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the segments of a shared object before the dynamic linker maps them. */
#ifndef CORE_SEGMENTS_H
#define CORE_SEGMENTS_H

#include <elf.h>
#include <stddef.h>

#include "plugin/opened.h"

/** Reads the program headers of a file, a new array of `n`. NULL, with an error that starts with
 * the path: the file is not ELF, is for another machine, is not a shared object, or is damaged. */
Elf64_Phdr *scree_segments_read(const scree_opened *file, size_t *n, GError **error);
/** Checks the notes of a plugin file, SCREE_NOTE_NAME, before any of its code runs. False: all of
 * them are of another ABI. A file may have none. */
bool scree_segments_check_note(const scree_opened *file, const Elf64_Phdr *segments, size_t n,
                               GError **error);
/** Whether a file says that it needs a CPU of level x86-64-v3 (linker option `-z x86-64-v3`). The
 * dynamic linker refuses it on any other CPU. */
bool scree_file_needs_v3(int fd);
/** Returns the build-id of a file in hex; NULL: it has none. */
char *scree_file_build_id(int fd);

#endif
