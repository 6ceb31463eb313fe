# SPDX-License-Identifier: Apache-2.0
"""A plugin file that is damaged, or for another machine, is refused by its name; the others are listed.

usage: test_damaged.py SCREE FOLDER_OF_MODULES
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import runs
import tap

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
PT_LOAD, PT_DYNAMIC, PT_TLS, PT_GNU_RELRO = 1, 2, 7, 0x6474e552
OFFSET, ADDRESS, IN_FILE, IN_MEMORY, ALIGNMENT = 8, 16, 32, 40, 48  # of fields in a program header
HEADER = 56  # [bytes] of a program header


def scree(top, *args):
    return runs.scree(top, *args, env=runs.environment(XDG_CACHE_HOME=str(top / "cache"), SCREE_LOAD_LIMIT="5"))


def program_headers(data):
    """Where each program header is, and its type."""
    start, = struct.unpack_from("<Q", data, 32)
    n, = struct.unpack_from("<H", data, 56)
    places = [start + HEADER * i for i in range(n)]
    return [(at, *struct.unpack_from("<I", data, at)) for at in places]


def write(path, data, *patches):
    """The file with other bytes; a patch: place, format of struct, value."""
    damaged = bytearray(data)
    for at, form, value in patches:
        struct.pack_into(form, damaged, at, value)
    path.write_bytes(damaged)
    return path


def is_refused(result, path, reason):
    lines = result.stderr.splitlines()
    return result.returncode == 3 and len(lines) == 1 and re.search(f"{re.escape(str(path))}: {reason}", lines[0])


def test_sweep(top, data):
    """Every byte of all headers and of the table of the dynamic linker, one at a time."""
    plugins = top / "sweep"
    plugins.mkdir()
    shutil.copy(MODULES / "other_id.so", plugins)
    headers = program_headers(data)
    at = next(at for at, kind in headers if kind == PT_DYNAMIC)
    begin, = struct.unpack_from("<Q", data, at + OFFSET)
    size, = struct.unpack_from("<Q", data, at + IN_FILE)
    places = [*range(headers[-1][0] + HEADER), *range(begin, begin + size, 3)]
    for place in places:
        write(plugins / f"byte_{place}.so", data, (place, "B", data[place] ^ 0xff))
    result = scree(top, "plugins", "--plugin-path", plugins, "--json")
    listed = json.loads(result.stdout)["plugins"] if result.stdout else []
    files = {x["file"] for x in listed}
    unnamed = [path.name for path in plugins.iterdir() if str(path) not in files]
    tap.check(f"no byte of {len(places)} that is flipped ends the list, and each file is named", result.returncode == 3
              and not unnamed, (result.returncode, unnamed[:5], result.stderr[:500]))
    wordless = [x["file"] for x in listed if x["refused"] and not x["refused"].startswith(x["file"])]
    tap.check("each refusal begins with its file", listed and not wordless, wordless[:5])
    others = [x["id"] for x in listed if x["file"] == str(plugins / "other_id.so") and not x["refused"]]
    tap.check("a sound file among them is listed", others == ["other"], others)
    tap.check("nobody says that memory is short", listed and "ulimit" not in result.stdout + result.stderr, result.stderr[:500])


def test_headers(top, data):
    headers = program_headers(data)
    first = next(at for at, kind in headers if kind == PT_LOAD)
    last = [at for at, kind in headers if kind == PT_LOAD][-1]
    relro = next(at for at, kind in headers if kind == PT_GNU_RELRO)
    dynamic = next(at for at, kind in headers if kind == PT_DYNAMIC)
    stack = next(at for at, kind in headers if kind == 0x6474e551)
    address, = struct.unpack_from("<Q", data, last + ADDRESS)
    size, first_address = len(data), struct.unpack_from("<Q", data, first + ADDRESS)[0]
    at_most = 1 << 60
    cases = {
        "an exabyte": ([(last + IN_MEMORY, "<Q", at_most)], rf"its segments ask for (\d+) bytes of memory, "
                                                            rf"the file has {size}; memory is left for \d+$"),
        "no end": ([(last + IN_MEMORY, "<Q", 1 << 63)], r"damaged: program header \d+: its addresses have no end$"),
        "beyond the file": ([(last + IN_FILE, "<Q", size), (last + IN_MEMORY, "<Q", size)],
                            r"damaged: program header \d+: it ends beyond the file$"),
        "more in the file": ([(last + IN_MEMORY, "<Q", 1)],
                             r"damaged: program header \d+: it has more bytes in the file than in memory$"),
        "not on a page": ([(last + ALIGNMENT, "<Q", 8)],
                          r"damaged: program header \d+: it is not aligned with the pages of memory$"),
        "overlap": ([(first + IN_MEMORY, "<Q", address)], r"damaged: its loaded segments overlap, or are not in order$"),
        "relro": ([(relro + IN_MEMORY, "<Q", 1 << 40)],
                  r"damaged: program header \d+: it is outside of the segments that are loaded$"),
        "dynamic": ([(dynamic + ADDRESS, "<Q", 1 << 40)],
                    r"damaged: program header \d+: it is outside of the segments that are loaded$"),
        "threads": ([(stack, "<I", PT_TLS), (stack + IN_MEMORY, "<Q", at_most)], r"its segments ask for \d+ bytes"),
        "cut": ([(56, "<H", 60000)], r"damaged: expected 60000 program headers at byte 64 of a file of \d+$"),
        "program": ([(16, "<H", 2)], r"expected a shared object \(ELF type 3\), got ELF type 2$"),
    }
    for name, (patches, reason) in cases.items():
        path = write(top / f"{name.replace(' ', '_')}.so", data, *patches)
        result = scree(top, "plugins", path)
        tap.check(f"damaged headers, {name}: the file is named, and what is wrong", is_refused(result, path, reason), result)
        asked = re.search(r"ask for (\d+)", result.stderr)
        if name == "an exabyte":  # from the first address to the last, and room to align it
            expected = address + at_most - first_address + 4096
            tap.check("the memory that it asks for is what its headers say", asked and int(asked[1]) == expected,
                      (asked and asked[1], expected))


def machine_of(path):
    """The class, the byte order and the machine of a file, as readelf says."""
    text = subprocess.run(["readelf", "-h", str(path)], capture_output=True, text=True, env={"LC_ALL": "C"},
                          check=False).stdout
    field = {k: re.search(rf"{k}: +(.*)", text) for k in ("Class", "Data", "Machine")}
    return {k: m[1] for k, m in field.items() if m}


def test_machines(top, data):
    # Name in the message, number, class, byte order: words of readelf.
    for name, number, bits, big, readelf in (("AArch64", 183, 64, False, "AArch64"), ("x86", 3, 32, False, "Intel 80386"),
                                             ("RISC-V", 243, 64, False, "RISC-V"), ("S/390", 22, 64, True, "IBM S/390"),
                                             ("POWER", 21, 64, True, "PowerPC64")):
        order = ">" if big else "<"
        path = write(top / f"machine_{number}.so", data, (4, "B", bits // 32), (5, "B", 1 + big),
                     (18, order + "H", number))
        said = machine_of(path) if shutil.which("readelf") else None
        tap.check(f"the file is one for {name}, as readelf says", said is None or (
            said.get("Class") == f"ELF{bits}" and ("big" in said.get("Data", "")) == big
            and said.get("Machine") == readelf), said)
        result = scree(top, "plugins", path)
        reason = (rf"an ELF file of another machine: expected x86-64, 64 bit, little-endian, got {name} "
                  rf"\(machine {number}\), {bits} bit, {'big' if big else 'little'}-endian$")
        tap.check(f"a file for {name} is called that", is_refused(result, path, reason), result)


def test_use(top, data):
    """By a scene, which names the plugin, and by the plugin of which it is a library."""
    plugins = top / "use/force"
    plugins.mkdir(parents=True)
    last = [at for at, kind in program_headers(data) if kind == PT_LOAD][-1]
    path = write(plugins / "minimal.so", data, (last + IN_MEMORY, "<Q", 1 << 60))
    (top / "scene.cfg").write_text("""scene = { dt = 1.0e-5; steps = 2; };
materials = { glass = { density = 2500.0; }; };
bodies = { a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); }; };
force = ( { plugin = "minimal"; } );
""")
    for verb in ("run", "validate"):
        result = scree(top, verb, "--plugin-path", top / "use", "scene.cfg")
        tap.check(f"{verb}: a damaged file that the scene needs is named, status 3", result.returncode == 3
                  and str(path) in result.stderr and "its segments ask for" in result.stderr, result)
    result = scree(top, "plugins", "--plugin-path", top / "use")
    tap.check("the list names it, and has all of this installation", result.returncode == 3
              and str(path) in result.stderr and "gcd/grid" in result.stdout and "force/linear" in result.stdout, result)


def main(top):
    data = (MODULES / "minimal.so").read_bytes()
    for test in (test_sweep, test_headers, test_machines, test_use):
        test(top, data)


tap.in_folder(main)
