/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the user: a program takes them, or they go to standard error with the word of their level. */
#include <glib.h>

#include "../../test.h"
#include "base/say.h"

static GString *taken;

static void take(const char *who, scree_say_level level, const char *text)
{
    g_string_append_printf(taken, "%s %d %s;", who, (int)level, text);
}

TEST("/say/program-takes-each-line")
{
    taken = g_string_new(NULL);
    scree_say_set(take);
    scree_say(SCREE_SAY_NOTE, "%d bodies", 3);
    scree_say_for("force[0]", SCREE_SAY_WARNING, "100 %");
    scree_say_set(NULL);
    g_autofree char *expected =
        g_strdup_printf("scree %d 3 bodies;force[0] %d 100 %%;", SCREE_SAY_NOTE, SCREE_SAY_WARNING);
    g_assert_cmpstr(taken->str, ==, expected);
    g_string_free(taken, TRUE);
}

static void say_all(void)
{
    for (int level = 0; level < SCREE_SAY_LEVELS; level++)
        scree_say((scree_say_level)level, "line");
}

TEST("/say/without-a-program-lines-go-to-standard-error-with-their-level")
{
    if (g_test_subprocess()) {
        say_all();
        return;
    }
    g_test_trap_subprocess(NULL, 0, 0);
    g_test_trap_assert_passed();
    g_test_trap_assert_stderr("scree: line\nscree: line\nscree: debug: line\nscree: info: line\n"
                              "scree: note: line\nscree: warning: line\n");
}
