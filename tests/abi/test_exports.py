# SPDX-License-Identifier: Apache-2.0
"""Each plugin exports only its manifest, and imports nothing that a plugin must not call.

usage: test_exports.py NM CONTROL.so FILE.so...    (CONTROL.so: one that must fail the second)
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap  # noqa: E402

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


def symbols(path, *flags):
    output = subprocess.run([NM, "-D", *flags, path], check=True, text=True,
                            capture_output=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines() if line.strip()}


def denied(path):
    imports = symbols(path, "--undefined-only")
    return sorted(i for i in imports if i in DENIED or i.startswith(("scree_", "g_")))


def run():
    for path in FILES:
        name = "/".join(pathlib.Path(path).parts[-2:])
        exports = symbols(path, "--defined-only")
        tap.check(f"{name} exports only scree_plugin_v0", exports == {"scree_plugin_v0"}, exports)
        tap.check(f"{name} imports nothing that is denied", not denied(path), denied(path))
    tap.check("a plugin that prints would be seen", denied(CONTROL) != [])


tap.finish(run)
