/* SPDX-License-Identifier: Apache-2.0 */
/* Test programs of GLib: TEST("/unit/a-claim") { ... } is a test of that name, and main() runs all of the file in their
 * order. A program with a main() of its own defines OWN_MAIN before, and returns test_run(). */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <glib.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
    int line;
    struct test_case *next;
} test_case;

static test_case *test_cases;

/** Keeps a test in the order of the lines: that of constructors is the compiler's choice. */
static inline void test_keep(test_case *one)
{
    test_case **place = &test_cases;
    while (*place && (*place)->line < one->line)
        place = &(*place)->next;
    one->next = *place;
    *place = one;
}

/** Runs the tests of the program. */
static inline int test_run(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (const test_case *one = test_cases; one; one = one->next)
        g_test_add_func(one->name, one->run);
    return g_test_run();
}

#define TEST(name) TEST_OF_LINE(name, __LINE__)
#define TEST_OF_LINE(name, line) TEST_NUMBERED(name, line)
#define TEST_NUMBERED(name, line)                                                                  \
    static void test_##line(void);                                                                 \
    __attribute__((constructor)) static void keep_test_##line(void)                                \
    {                                                                                              \
        static test_case test_own = {name, test_##line, line, NULL};                               \
        test_keep(&test_own);                                                                      \
    }                                                                                              \
    static void test_##line(void)

#ifndef OWN_MAIN
int main(int argc, char **argv)
{
    return test_run(argc, argv);
}
#endif

#endif
