# SPDX-License-Identifier: Apache-2.0
"""Each plugin exports only its manifest, and imports nothing that a plugin must not call.

usage: test_exports.py NM CONTROL.so FILE.so...    (CONTROL.so: one that must fail the second)
"""
import pathlib
import subprocess
import sys

import tap

NM, CONTROL, FILES = sys.argv[1], sys.argv[2], sys.argv[3:]

# Rules of abi.h: no exit, no printing, no threads or processes, no locale, no floating-point
# environment, no signal handlers, no other random numbers than the host's, nothing from the host.
DENIED = set("""
exit _exit _Exit quick_exit abort __assert_fail atexit on_exit longjmp _longjmp siglongjmp
printf vprintf puts putchar perror stdout stderr __printf_chk __vprintf_chk
pthread_create thrd_create fork vfork clone system popen execv execve execvp posix_spawn
setlocale uselocale setenv putenv unsetenv
fesetround fesetenv feupdateenv feholdexcept feenableexcept fedisableexcept
signal sigaction sigprocmask pthread_sigmask raise kill
rand srand random srandom drand48 time clock gettimeofday
dlopen dlsym dlclose chdir umask
""".split())


def symbols(paths, *flags):
    """The symbols of each file, by its path: one call of nm, whose start takes longer than its work."""
    output = subprocess.run([NM, "-D", "-A", *flags, *paths], check=True, text=True,
                            capture_output=True).stdout
    found = {path: set() for path in paths}
    for line in output.splitlines():
        path, words = line.split(":", 1)
        found[path].add(words.split()[-1].split("@")[0])
    return found


def denied(imports):
    return sorted(i for i in imports if i in DENIED or i.startswith(("scree_", "g_")))


def run():
    exports = symbols(FILES, "--defined-only")
    imports = symbols([*FILES, CONTROL], "--undefined-only")
    for path in FILES:
        name = "/".join(pathlib.Path(path).parts[-2:])
        tap.check(f"{name} exports only scree_plugin_v0", exports[path] == {"scree_plugin_v0"},
                  exports[path])
        refused = denied(imports[path])
        tap.check(f"{name} imports nothing that is denied", not refused, refused)
    tap.check("a plugin that prints would be seen", denied(imports[CONTROL]) != [])


tap.finish(run)
