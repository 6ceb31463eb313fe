/* SPDX-License-Identifier: Apache-2.0 */
/* TAP of test programs in C. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TAP_PRINTF(text, first) __attribute__((unused, format(printf, text, first)))

static int tap_count, tap_failed;

/** One claim, printf-like: what is claimed and what was measured. A failed one is counted; the program goes on. */
TAP_PRINTF(2, 3) static void claim(int holds, const char *format, ...)
{
    va_list args;
    printf("%s %d - ", holds ? "ok" : "not ok", ++tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    tap_failed += !holds;
}

static inline void tap_ok(int holds, const char *text)
{
    claim(holds, "%s", text);
}

static inline void skip(const char *claimed, const char *reason)
{
    claim(1, "%s # SKIP %s", claimed, reason);
}

/** A line for the reader. */
TAP_PRINTF(1, 2) static void note(const char *format, ...)
{
    va_list args;
    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

/** The plan; exit status of the program. */
static inline int tap_end(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed ? 1 : 0;
}

/** Ends the program: the test itself is broken. */
__attribute__((noreturn)) TAP_PRINTF(1, 2) static void bail_out(const char *format, ...)
{
    va_list args;
    printf("Bail out! ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    exit(1);
}

#endif
