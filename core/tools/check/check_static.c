/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: tests of a plugin file without a call into it: symbols and texts. */
#include <gelf.h>
#include <string.h>

#include "tools/check/check.h"
#include "tools/check/check_report.h"

/* ---- symbols ---- */

/** Symbols that a plugin must not use; a * stands for any end. */
typedef struct rule {
    const char *names; /* separated by blanks */
    const char *reason;
    bool warn; /* that code may never run: a warning, not a refusal */
} rule;

static const rule rules[] = {
    {"setlocale uselocale newlocale setenv putenv unsetenv clearenv",
     "locale and environment belong to the user and to the whole process", false},
    {"fesetround fesetenv feupdateenv feholdexcept feenableexcept fedisableexcept fesetmode",
     "the floating-point environment decides the bits of everybody's results", false},
    {"GOMP_* omp_* __kmpc_* tbb*",
     "threads besides the host's pool: use host->parallel_for (OpenMP hangs in a forked child)",
     false},
    {"dlopen dlmopen dlsym dlclose", "the host loads plugins, and checks what it loads", false},
    {"fork vfork clone clone3 system popen posix_spawn posix_spawnp execl execle execlp execv "
     "execve execvp execvpe",
     "a second process holds the run's files and folders", false},
    {"signal sigaction sigprocmask pthread_sigmask sigaltstack raise kill alarm setitimer "
     "timer_create",
     "signals are the host's: they stop a run and save it", false},
    {"chdir fchdir umask chroot setrlimit setpriority nice",
     "folder, masks and limits are those of the whole process", false},
    {"atexit on_exit longjmp _longjmp siglongjmp",
     "control goes back to the host by a return, and nowhere else", false},
    {"rand srand random srandom drand48 srand48 rand_r lrand48",
     "random numbers come from host->random, so that a run repeats", false},
    {"scree_* g_*", "a plugin gets what it needs of the host by its table, not by linking", false},
    {"abort exit _exit _Exit quick_exit __assert_fail",
     "a plugin that ends the process ends the user's run: return a code after host->fail", true},
    {"pthread_create thrd_create", "the host has a pool of threads: host->parallel_for", true},
    {"printf vprintf puts putchar perror stdout stderr __printf_chk __vprintf_chk",
     "standard output is the user's: use host->log", true},
    {"time clock gettimeofday clock_gettime",
     "what the clock says differs from run to run: it may not reach a result", true},
};

static bool fits(const char *pattern, const char *symbol)
{
    size_t n = strlen(pattern);
    return pattern[n - 1] == '*' ? strncmp(pattern, symbol, n - 1) == 0
                                 : strcmp(pattern, symbol) == 0;
}

static const rule *find_rule(const char *symbol)
{
    for (size_t r = 0; r < G_N_ELEMENTS(rules); r++) {
        g_auto(GStrv) names = g_strsplit(rules[r].names, " ", -1);
        for (char **name = names; *name; name++)
            if (fits(*name, symbol))
                return &rules[r];
    }
    return NULL;
}

static void judge_import(scree_check *check, const char *symbol)
{
    const rule *found = find_rule(symbol);
    if (found && !found->warn)
        scree_check_fail(check, "it imports %s: %s", symbol, found->reason);
    else if (found)
        scree_check_note(check, "warning: it imports %s: %s", symbol, found->reason);
}

/** Templates and inline functions of C++ are weak in each file that uses them. */
static void judge_export(scree_check *check, const char *symbol, unsigned binding, bool *manifest)
{
    static const char *const of_the_linker[] = {"_init",       "_fini",   "_edata", "_end",
                                                "__bss_start", "__end__", NULL};
    if (strcmp(symbol, SCREE_MANIFEST_SYMBOL) == 0)
        *manifest = true;
    else if (!g_strv_contains(of_the_linker, symbol) &&
             !(binding != STB_GLOBAL && g_str_has_prefix(symbol, "_Z")))
        scree_check_fail(check,
                         "it exports %s: of two plugins with one name for two things, one gets "
                         "the other's; compile with -fvisibility=hidden",
                         symbol);
}

static void judge_symbols(scree_check *check, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    bool manifest = false;
    GElf_Sym symbol;
    size_t n = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t k = 1; k < n && gelf_getsym(data, (int)k, &symbol); k++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        unsigned binding = GELF_ST_BIND(symbol.st_info);
        if (!name || !*name || binding == STB_LOCAL)
            continue;
        if (symbol.st_shndx == SHN_UNDEF)
            judge_import(check, name);
        else if (symbol.st_shndx != SHN_ABS || strcmp(name, SCREE_MANIFEST_SYMBOL) == 0)
            judge_export(check, name, binding, &manifest);
    }
    if (!manifest)
        scree_check_fail(check, "it does not export " SCREE_MANIFEST_SYMBOL);
}

static void judge_elf(scree_check *check, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM) {
            judge_symbols(check, elf, section, &header);
            return;
        }
    scree_check_fail(check, "it has no table of symbols (.dynsym)");
}

static void check_symbols(scree_check *check)
{
    Elf *elf = NULL;
    if (elf_version(EV_CURRENT) == EV_NONE || !(elf = elf_begin(check->file->fd, ELF_C_READ, NULL)))
        scree_check_fail(check, "%s: %s", check->file->path, elf_errmsg(-1));
    else
        judge_elf(check, elf);
    elf_end(elf);
}

/* ---- threads ---- */

static void check_threads(scree_check *check)
{
    if (check->threads)
        scree_check_fail(check,
                         "%u thread%s since it was loaded: it may end the run at any time, and is "
                         "lost in a fork; the host has a pool of threads: host->parallel_for",
                         check->threads, check->threads == 1 ? " runs" : "s run");
}

/* ---- texts ---- */

static bool matches(const char *pattern, const char *text)
{
    return g_regex_match_simple(pattern, text, G_REGEX_DOLLAR_ENDONLY, (GRegexMatchFlags)0);
}

static void check_texts(scree_check *check)
{
    enum { MOST_HELP = 120 };
    const scree_plugin *p = check->plugin;
    if (!matches("^[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.-]+)?$", p->version))
        scree_check_fail(check, "its version is \"%s\", not of the form 1.2.3", p->version);
    if (!matches("^[(]*[A-Za-z0-9][A-Za-z0-9.+-]*[)]*( (AND|OR|WITH) [(]*[A-Za-z0-9.+-]+[)]*)*$",
                 p->licence))
        scree_check_fail(check,
                         "its licence is \"%s\", no SPDX expression like MIT or GPL-3.0-only",
                         p->licence);
    if (g_str_has_suffix(p->help, ".") || strlen(p->help) > MOST_HELP)
        scree_check_fail(check,
                         "its help is one line without a full stop, at most %d bytes: \"%s\"",
                         MOST_HELP, p->help);
    const bool cited = p->kind != SCREE_KIND_OBSERVER && p->kind != SCREE_KIND_SOURCE;
    if (!p->citation && cited)
        scree_check_note(check, "warning: no citation: which paper should a user of it cite?");
    if (!p->summary)
        scree_check_note(check, "warning: no summary: a paragraph on what it does, and its limits");
}

const scree_check_case scree_check_static[] = {
    {"symbols", "it exports only its manifest and imports nothing that only the host may use",
     .run = check_symbols},
    {"threads", "it starts no threads when it is loaded", .run = check_threads},
    {"texts", "version, licence and help are as users and tools need them", .run = check_texts},
    {0},
};
