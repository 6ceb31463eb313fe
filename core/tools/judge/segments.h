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

#endif
