/* SPDX-License-Identifier: Apache-2.0 */
/* Reads notes of a shared object: its build-id, the CPU that it needs.
 *
 * Source: System V ABI, "Program Header" and "Note Section".
 */
#include "tools/judge/notes.h"

#include <string.h>

#include "plugin/trust.h"

Elf64_Phdr *scree_headers_read(int fd, const Elf64_Ehdr *head, size_t *n)
{
    *n = head->e_phnum;
    return scree_read_part(fd, head->e_phoff, *n * sizeof(Elf64_Phdr));
}

const char *scree_note_find(const char **at, size_t *left, const char *name, uint32_t type,
                            uint32_t *size)
{
    Elf64_Nhdr note;
    while (*left >= sizeof note) {
        memcpy(&note, *at, sizeof note);
        const char *its = *at + sizeof note;
        const uint64_t wide = (note.n_namesz + UINT64_C(3)) & ~UINT64_C(3);
        const uint64_t data = (note.n_descsz + UINT64_C(3)) & ~UINT64_C(3);
        if (wide + data > *left - sizeof note)
            return NULL;
        *at += sizeof note + wide + data;
        *left -= sizeof note + wide + data;
        *size = note.n_descsz;
        if (note.n_type == type && note.n_namesz == strlen(name) + 1 &&
            !memcmp(its, name, note.n_namesz))
            return its + wide;
    }
    return NULL;
}

/** Reads the first note with this name and type in segments of a kind: its data, a new array of
 * *size; NULL: none. */
static char *read_note(int fd, uint32_t kind, const char *name, uint32_t type, uint32_t *size)
{
    size_t n = 0;
    g_autofree Elf64_Ehdr *head = scree_read_part(fd, 0, sizeof *head);
    g_autofree Elf64_Phdr *segments = head ? scree_headers_read(fd, head, &n) : NULL;
    const char *data = NULL;
    char *copy = NULL;
    n = segments ? n : 0;
    for (size_t i = 0; i < n && !data; i++) {
        size_t left = segments[i].p_type == kind ? segments[i].p_filesz : 0;
        g_autofree char *notes = scree_read_part(fd, segments[i].p_offset, left);
        const char *at = notes;
        data = notes ? scree_note_find(&at, &left, name, type, size) : NULL;
        copy = data ? g_memdup2(data, *size) : NULL;
    }
    return copy;
}

char *scree_file_build_id(int fd)
{
    uint32_t size = 0;
    g_autofree char *id = read_note(fd, PT_NOTE, ELF_NOTE_GNU, NT_GNU_BUILD_ID, &size);
    g_autoptr(GString) hex = g_string_new(NULL);
    size = id ? size : 0;
    for (uint32_t k = 0; k < size; k++)
        g_string_append_printf(hex, "%02x", (unsigned char)id[k]);
    return hex->len ? g_strdup(hex->str) : NULL;
}

/* ---- the CPU ---- */

/** Whether a property of that type has one of these bits. A property is type, size and value,
 * padded to 8 bytes (System V ABI for x86-64, section "Program Property"). */
static bool has_property(const char *at, const char *end, uint32_t type, uint32_t bits)
{
    while (end - at >= (ptrdiff_t)sizeof(uint64_t)) {
        uint32_t property[2], value; // type and size; value
        memcpy(property, at, sizeof property);
        at += sizeof property;
        if (property[1] > end - at)
            return false;
        if (property[0] == type && property[1] == sizeof value) {
            memcpy(&value, at, sizeof value);
            return (value & bits) != 0;
        }
        at += MIN(end - at, (ptrdiff_t)((property[1] + UINT64_C(7)) & ~UINT64_C(7)));
    }
    return false;
}

bool scree_file_needs_v3(int fd)
{
    const uint32_t needed = 0xc0008002, v3 = 1u << 2; // GNU_PROPERTY_X86_ISA_1_NEEDED, .._V3
    uint32_t size = 0;
    g_autofree char *note =
        read_note(fd, PT_GNU_PROPERTY, ELF_NOTE_GNU, NT_GNU_PROPERTY_TYPE_0, &size);
    return note && has_property(note, note + size, needed, v3);
}
