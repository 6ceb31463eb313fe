/* SPDX-License-Identifier: Apache-2.0 */
/* Text of plugins and scenes reaches a terminal without what the terminal obeys. */
#include "../../test.h"
#include "base/escape.h"

#include <glib.h>

static void expect(const char *text, size_t most, const char *expected)
{
    g_autofree char *plain = scree_plain(text, most);
    g_assert_cmpstr(plain, ==, expected);
}

TEST("/escape/plain-text-stays")
{
    expect("plain text, \xc3\xa4", 100, "plain text, \xc3\xa4");
    expect("", 100, "");
}

TEST("/escape/control-characters-are-shown")
{
    expect("a\x1b[31mb", 100, "a\\x1B[31mb");
    expect("a\nb\a", 100, "a\\x0Ab\\x07");
    expect("\xe2\x80\xae", 100, "\\xE2\\x80\\xAE"); // turns the direction of text
    expect("\xff", 100, "\\xFF");                   // no UTF-8
    g_assert_true(scree_plain_is_control(0x202e));
    g_assert_true(scree_plain_is_control(0x9b));
    g_assert_false(scree_plain_is_control('a'));
}

TEST("/escape/a-long-text-is-cut")
{
    expect("abcdef", 6, "abcdef");
    expect("abcdef", 3, "abc\xe2\x80\xa6");
}
