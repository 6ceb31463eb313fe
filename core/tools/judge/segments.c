/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the segments of a shared object before the dynamic linker maps them.
 *
 * Source: System V ABI, "Object Files" and "Program Header"; ld.so's elf/dl-load.c. Why: the linker
 * believes the headers. Damaged headers make it ask for more memory than any machine
 *     has, and report that memory is short.
 */
#include "tools/judge/segments.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/shortage.h"
#include "plugin/trust.h"
#include "scree/scree.h"
#include "tools/judge/notes.h"

#define USUAL_SPAN                                                                                 \
    (UINT64_C(64) << 20) /* [bytes] beyond the file: not compared with the memory left */

/* ---- the header of the file ---- */

static const char *name_machine(uint16_t machine)
{
    static const struct {
        uint16_t machine;
        const char *name;
    } names[] = {{EM_X86_64, "x86-64"},   {EM_386, "x86"},
                 {EM_AARCH64, "AArch64"}, {EM_ARM, "ARM"},
                 {EM_RISCV, "RISC-V"},    {EM_PPC64, "POWER"},
                 {EM_S390, "S/390"},      {EM_LOONGARCH, "LoongArch"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (names[i].machine == machine)
            return names[i].name;
    return "unknown";
}

/** Refuses a file of another machine; its byte order is also that of the machine's number. */
static bool refuse_machine(const scree_opened *file, const Elf64_Ehdr *head, GError **error)
{
    static const char *const sizes[] = {"unknown size", "32 bit", "64 bit"},
                             *const orders[] = {"unknown byte order", "little-endian",
                                                "big-endian"};
    const uint8_t class = head->e_ident[EI_CLASS], data = head->e_ident[EI_DATA];
    const uint16_t machine =
        data == ELFDATA2MSB ? GUINT16_SWAP_LE_BE(head->e_machine) : head->e_machine;
    return scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s: an ELF file of another machine: expected x86-64, 64 bit, little-endian, "
                      "got %s (machine %u), %s, %s",
                      file->path, name_machine(machine), machine, sizes[class < 3 ? class : 0],
                      orders[data < 3 ? data : 0]);
}

static bool judge_head(const scree_opened *file, const Elf64_Ehdr *head, GError **error)
{
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: cannot be loaded: not an ELF file",
                          file->path);
    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_machine != EM_X86_64)
        return refuse_machine(file, head, error);
    if (head->e_type != ET_DYN)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "%s: expected a shared object (ELF type %d), got ELF type %u", file->path,
                          ET_DYN, head->e_type);
    return head->e_phentsize == sizeof(Elf64_Phdr) ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s: damaged: expected program headers of %zu bytes, got %u", file->path,
                      sizeof(Elf64_Phdr), head->e_phentsize);
}

/* ---- program headers ---- */

/** The fault of one header; NULL: none. `size`: bytes of the file. */
static const char *find_fault(const Elf64_Phdr *h, uint64_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), unit = h->p_align;
    if (h->p_type == PT_GNU_STACK) // it describes the stack, and has no bytes
        return NULL;
    if (h->p_offset > size || h->p_filesz > size - h->p_offset)
        return "it ends beyond the file";
    if (h->p_vaddr + h->p_memsz < h->p_vaddr || h->p_vaddr + h->p_memsz > UINT64_MAX / 2)
        return "its addresses have no end";
    if (h->p_type != PT_LOAD)
        return NULL;
    if (h->p_filesz > h->p_memsz)
        return "it has more bytes in the file than in memory";
    if (!unit || unit % page || (unit & (unit - 1)) || (h->p_vaddr - h->p_offset) % unit)
        return "it is not aligned with the pages of memory";
    return NULL;
}

/** Whether a header describes memory outside of all loaded segments, whose pages are whole. */
static bool is_outside(const Elf64_Phdr *h, const Elf64_Phdr *all, size_t n)
{
    static const uint32_t inside[] = {PT_DYNAMIC, PT_GNU_RELRO, PT_TLS, PT_GNU_PROPERTY};
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t end = h->p_vaddr + (h->p_type == PT_TLS ? h->p_filesz : h->p_memsz);
    bool outside = false;
    for (size_t k = 0; k < G_N_ELEMENTS(inside); k++)
        outside = outside || h->p_type == inside[k];
    for (size_t i = 0; i < n; i++)
        if (all[i].p_type == PT_LOAD && h->p_vaddr >= all[i].p_vaddr &&
            end <= (all[i].p_vaddr + all[i].p_memsz + page - 1) / page * page)
            outside = false;
    return outside;
}

/** Memory that the linker asks for; UINT64_MAX: the loaded segments are not in order. */
static uint64_t count_memory(const Elf64_Phdr *all, size_t n)
{
    uint64_t first = UINT64_MAX, end = 0, unit = 0, threads = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].p_type == PT_TLS)
            threads = all[i].p_memsz;
        if (all[i].p_type != PT_LOAD)
            continue;
        if (all[i].p_vaddr < end)
            return UINT64_MAX;
        first = MIN(first, all[i].p_vaddr);
        end = all[i].p_vaddr + all[i].p_memsz;
        unit = MAX(unit, all[i].p_align);
    }
    return end - MIN(first, end) + MIN(threads, UINT64_MAX / 4) + MIN(unit, UINT64_MAX / 4);
}

static bool judge_memory(const scree_opened *file, const Elf64_Phdr *all, size_t n, GError **error)
{
    const uint64_t needed = count_memory(all, n), size = (uint64_t)file->status.st_size;
    if (needed == UINT64_MAX)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "%s: damaged: its loaded segments overlap, or are not in order",
                          file->path);
    const uint64_t left = needed > size + USUAL_SPAN ? scree_room_left() : UINT64_MAX;
    return needed <= left ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s: its segments ask for %" PRIu64 " bytes of memory, the file has %" PRIu64
                      "; memory is left for %" PRIu64,
                      file->path, needed, size, left);
}

static bool judge_headers(const scree_opened *file, const Elf64_Phdr *all, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        const char *fault = find_fault(&all[i], (uint64_t)file->status.st_size);
        if (!fault && is_outside(&all[i], all, n))
            fault = "it is outside of the segments that are loaded";
        if (fault)
            return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: damaged: program header %zu: %s",
                              file->path, i, fault);
    }
    return judge_memory(file, all, n, error);
}

Elf64_Phdr *scree_segments_read(const scree_opened *file, size_t *n, GError **error)
{
    g_autofree Elf64_Ehdr *head = scree_read_part(file->fd, 0, sizeof *head);
    if (!judge_head(file, head, error))
        return NULL;
    g_autofree Elf64_Phdr *all = scree_headers_read(file->fd, head, n);
    if (!all)
        scree_fail(error, SCREE_EXIT_PLUGIN,
                   "%s: damaged: expected %u program headers at byte %" PRIu64
                   " of a file of %" PRIu64,
                   file->path, head->e_phnum, head->e_phoff, (uint64_t)file->status.st_size);
    return all && judge_headers(file, all, *n, error) ? g_steal_pointer(&all) : NULL;
}

/* ---- notes ---- */

/** Compares the note of a plugin with this ABI. False: with the reason, in place of an earlier
 * one. */
static bool judge_note(const scree_opened *file, const char *data, uint32_t size, GError **error)
{
    uint32_t major;
    g_clear_error(error);
    if (size < sizeof major)
        return scree_fail(error, SCREE_EXIT_PLUGIN,
                          "%s: damaged: its note .note.scree is too short", file->path);
    memcpy(&major, data, sizeof major);
    g_autofree char *digest = g_strndup(data + sizeof major, size - sizeof major);
    if (major != SCREE_ABI_MAJOR)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: needs ABI %u, this scree has %u.%u",
                          file->path, major, SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    return strcmp(digest, SCREE_ABI_DIGEST) == 0 ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s: built with other ABI headers (digest %.12s, this scree has %.12s): "
                      "rebuild it",
                      file->path, digest, SCREE_ABI_DIGEST);
}

bool scree_segments_check_note(const scree_opened *file, const Elf64_Phdr *segments, size_t n,
                               GError **error)
{
    g_autoptr(GError) why = NULL;
    for (size_t i = 0; i < n; i++) {
        if (segments[i].p_type != PT_NOTE)
            continue;
        g_autofree char *notes =
            scree_read_part(file->fd, segments[i].p_offset, segments[i].p_filesz);
        const char *at = notes, *data;
        size_t left = notes ? segments[i].p_filesz : 0;
        uint32_t size;
        while ((data = scree_note_find(&at, &left, SCREE_NOTE_NAME, SCREE_NOTE_TYPE, &size)))
            if (judge_note(file, data, size, &why))
                return true;
    }
    if (!why)
        return true;
    g_propagate_error(error, g_steal_pointer(&why));
    return false;
}
