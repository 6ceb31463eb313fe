/* SPDX-License-Identifier: Apache-2.0 */
/* Reads notes of a shared object: its build-id, the CPU that it needs. */
#ifndef CORE_NOTES_H
#define CORE_NOTES_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Reads the `n` program headers that the header of a file names, a new array; NULL: the file does
 * not hold them. */
Elf64_Phdr *scree_headers_read(int fd, const Elf64_Ehdr *head, size_t *n);
/** Finds the next note with this name and type: its data, and its *size; NULL: none. `at`, `left`:
 * the notes; both move on. */
const char *scree_note_find(const char **at, size_t *left, const char *name, uint32_t type,
                            uint32_t *size);
/** Whether a file says that it needs a CPU of level x86-64-v3 (linker option `-z x86-64-v3`). The
 * dynamic linker refuses it on any other CPU. */
bool scree_file_needs_v3(int fd);
/** Returns the build-id of a file in hex; NULL: it has none. */
char *scree_file_build_id(int fd);

#endif
