/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's ways to end a process, defined in the program and exported by it, so that the
 * calls of a plugin come here. Inside a call into a plugin they are reported, else they do their
 * work. */
#include <dlfcn.h>
#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/exit_guard.h"

typedef void (*end_fn)(int);
typedef long (*syscall_fn)(long, long, long, long, long, long, long);
typedef int (*exec_fn)(const char *, char *const *, char *const *);
typedef int (*fexec_fn)(int, char *const *, char *const *);
typedef int (*kill_fn)(pid_t, int);

typedef struct functions {
    end_fn exit, quick_exit, at_once;
    syscall_fn system_call;
    exec_fn execve, execvpe;
    fexec_fn fexecve;
    kill_fn kill;
    void (*pthread_exit)(void *);
} functions;

/** Copies the address of the next function of that name, as an object, into a pointer to it. */
static void find(const char *name, void *pointer, size_t size)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function || size != sizeof function)
        abort();
    memcpy(pointer, &function, size);
}

/** Looks all of them up in the C library at once, because nothing may be looked up after a fork.
 * Constructors of other libraries call some of them before this constructor. */
__attribute__((constructor)) static void find_all(void);
static functions found;

static const functions *real(void)
{
    if (!found.kill)
        find_all();
    return &found;
}

static void find_all(void)
{
    find("exit", &found.exit, sizeof found.exit);
    find("quick_exit", &found.quick_exit, sizeof found.quick_exit);
    find("_exit", &found.at_once, sizeof found.at_once);
    find("syscall", &found.system_call, sizeof found.system_call);
    find("execve", &found.execve, sizeof found.execve);
    find("execvpe", &found.execvpe, sizeof found.execvpe);
    find("fexecve", &found.fexecve, sizeof found.fexecve);
    find("pthread_exit", &found.pthread_exit, sizeof found.pthread_exit);
    find("kill", &found.kill, sizeof found.kill);
}

static _Noreturn void end(end_fn fn, const char *name, int status)
{
    char how[48];
    snprintf(how, sizeof how, "%s(%d)", name, status);
    if (scree_ends_in_call())
        scree_ends_report(how, status);
    fn(status);
    for (;;) // fn does not return
        pause();
}

void exit(int status)
{
    end(real()->exit, "exit", status);
}

/** Not the C library's abort: it removes the handler when two threads call it at once, before the
 * first of them is named (guard.c). */
void abort(void)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    pthread_kill(pthread_self(), SIGABRT);
    signal(SIGABRT, SIG_DFL); // it was ignored, or its handler returned
    pthread_kill(pthread_self(), SIGABRT);
    for (;;)
        __builtin_trap();
}

void quick_exit(int status)
{
    end(real()->quick_exit, "quick_exit", status);
}

void _exit(int status)
{
    end(real()->at_once, "_exit", status);
}

void _Exit(int status)
{
    end(real()->at_once, "_Exit", status);
}

void pthread_exit(void *value)
{
    if (scree_ends_in_call())
        scree_ends_report("pthread_exit", EXIT_FAILURE);
    real()->pthread_exit(value);
    for (;;)
        pause();
}

static void refuse_exec(const char *name)
{
    if (scree_ends_in_call())
        scree_ends_report(name, EXIT_FAILURE);
}

int execve(const char *path, char *const words[], char *const environment[])
{
    refuse_exec("execve");
    return real()->execve(path, words, environment);
}

int execv(const char *path, char *const words[])
{
    refuse_exec("execv");
    return real()->execve(path, words, environ);
}

int execvp(const char *file, char *const words[])
{
    refuse_exec("execvp");
    return real()->execvpe(file, words, environ);
}

int execvpe(const char *file, char *const words[], char *const environment[])
{
    refuse_exec("execvpe");
    return real()->execvpe(file, words, environment);
}

int fexecve(int fd, char *const words[], char *const environment[])
{
    refuse_exec("fexecve");
    return real()->fexecve(fd, words, environment);
}

/** The words of execl, execlp or execle; `rest` is then behind their NULL. */
static GPtrArray *collect(const char *first, va_list *rest)
{
    GPtrArray *words = g_ptr_array_new();
    for (const char *word = first; word; word = va_arg(*rest, const char *))
        g_ptr_array_add(words, (char *)word);
    g_ptr_array_add(words, NULL);
    return words;
}

int execl(const char *path, const char *first, ...)
{
    va_list rest;
    refuse_exec("execl");
    va_start(rest, first);
    g_autoptr(GPtrArray) words = collect(first, &rest);
    va_end(rest);
    return real()->execve(path, (char *const *)words->pdata, environ);
}

int execlp(const char *file, const char *first, ...)
{
    va_list rest;
    refuse_exec("execlp");
    va_start(rest, first);
    g_autoptr(GPtrArray) words = collect(first, &rest);
    va_end(rest);
    return real()->execvpe(file, (char *const *)words->pdata, environ);
}

int execle(const char *path, const char *first, ...)
{
    va_list rest;
    refuse_exec("execle");
    va_start(rest, first);
    g_autoptr(GPtrArray) words = collect(first, &rest);
    char *const *environment = va_arg(rest, char *const *);
    va_end(rest);
    return real()->execve(path, (char *const *)words->pdata, environment);
}

/** Reports a signal that the plugin sends to its own process and that no handler of the host would
 * report. */
static void refuse_signal(const char *name, int number)
{
    static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}; // of the crash handler
    bool handled = number <= 0;
    for (size_t i = 0; i < G_N_ELEMENTS(ours); i++)
        handled = handled || ours[i] == number;
    if (handled || !scree_ends_in_call())
        return;
    char how[48];
    snprintf(how, sizeof how, "%s(%d)", name, number);
    scree_ends_report(how, 128 + number);
}

/** Reports a constructor that ends or stops the process which tries its file. */
static void refuse_signal_of_load(const char *name, pid_t pid, int number)
{
    if (number <= 0 || pid != getppid() || !scree_ends_in_load())
        return;
    char how[48];
    snprintf(how, sizeof how, "%s(%d) of its parent", name, number);
    scree_ends_report(how, 128 + number);
}

int kill(pid_t pid, int number)
{
    if (pid == getpid() || pid == 0)
        refuse_signal("kill", number);
    refuse_signal_of_load("kill", pid, number);
    return real()->kill(pid, number);
}

int raise(int number)
{
    refuse_signal("raise", number);
    return (int)real()->system_call(SYS_tgkill, getpid(), gettid(), number, 0, 0, 0);
}

/* Six words are read whatever the caller passes, as the C library does; the address sanitizer would
 * report the caller's stack. */
__attribute__((no_sanitize_address)) long syscall(long number, ...)
{
    va_list rest;
    long word[6];
    va_start(rest, number);
    for (size_t i = 0; i < G_N_ELEMENTS(word); i++)
        word[i] = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_execve || number == SYS_execveat)
        refuse_exec("syscall(execve)");
    if ((number == SYS_exit_group || number == SYS_exit) && scree_ends_in_call())
        scree_ends_report("syscall(exit)", (int)word[0]);
    if (number == SYS_kill && word[0] == getpid())
        refuse_signal("syscall(kill)", (int)word[1]);
    if (number == SYS_kill)
        refuse_signal_of_load("syscall(kill)", (pid_t)word[0], (int)word[1]);
    return real()->system_call(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
