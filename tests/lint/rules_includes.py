# SPDX-License-Identifier: Apache-2.0
"""Rules about includes: which file may include which."""
import re

from tree import near, parts, spoil

C_HEADERS = {"assert", "ctype", "errno", "fcntl", "fenv", "float", "inttypes", "limits", "math", "pthread", "sched",
             "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string",
             "sys/mman", "time", "unistd", "xmmintrin", "immintrin", "emmintrin"}
PLUGIN_LIBRARIES = {"cairo", "hdf5", "libqhull_r/qhull_ra", "mpi", "zlib"}  # libraries of single plugins
ABI_HEADERS = {"math.h", "stdarg.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"}
FIRST_INCLUDE = r'^#include [<"][^\n]*\n'


@spoil("abi/scree/*.h", FIRST_INCLUDE, "#include <glib.h>\n")
@spoil("abi/scree/*.h", FIRST_INCLUDE, '#include "../../core/engine/sim.h"\n')
def rule_abi_includes(tree):
    """Headers of the ABI include C's own and each other, nothing else."""
    for name in tree.sources(".h"):
        if parts(name)[:2] != ["abi", "scree"]:
            continue
        for kind, included in tree.includes(name):
            tree.look()
            path = near(name, included) or ""
            own = parts(path)[0] == "abi" and (tree.exists(path) or parts(path)[-1] == "digest.h")
            if not (included in ABI_HEADERS if kind == "<" else own):
                yield name, f"includes {included}"


@spoil("plugins/*/*.c", FIRST_INCLUDE, "#include <glib.h>\n")
@spoil("plugins/force/*.c", FIRST_INCLUDE, '#include "../../core/base/text.h"\n')
def rule_plugin_includes(tree):
    """Plugins include the ABI, the C library, a few libraries and files of plugins: no core, no GLib."""
    for name in tree.sources(".c", ".h"):
        if parts(name)[0] != "plugins":
            continue
        for kind, included in tree.includes(name):
            tree.look()
            path = near(name, included)
            own = included.startswith("scree/") or kind == '"' and path and tree.exists(path)
            system = kind == "<" and re.sub(r"\.h$", "", included) in C_HEADERS | PLUGIN_LIBRARIES
            outside = ".." in parts(included) and not (path or "").startswith("plugins/")
            if not own and not system or outside:
                yield name, f"includes {included}"


@spoil("core/**/*.c", FIRST_INCLUDE, '#include "plugins/force/linear.c"\n')
def rule_nothing_includes_plugins(tree):
    """Nothing outside plugins/ includes what is in it: they meet at run time."""
    for name in tree.sources(".c", ".h", ".cpp", ".inc"):
        if parts(name)[0] == "plugins":
            continue
        for _, included in tree.includes(name):
            tree.look()
            if "plugins/" in included:
                yield name, f"includes {included}"
