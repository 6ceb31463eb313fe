# SPDX-License-Identifier: Apache-2.0
"""`scree live` and `scree ctl`: what they do, and what they refuse.

usage: test_live.py SCREE
"""
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import stat
import struct
import time

import browser
import tap
from runs import environment, scree as program, start, wait_for
from scree import _server

# A gas that does not cool, so that its contacts do not end.
SCENE = ("gas", "--set", "generate.molecules.count=500", "--set", "scene.region.max=(0.022,0.022,0.022)", "--set", "force.0.restitution=1")
LONG = (*SCENE, "--set", "scene.steps=100000000")


@contextlib.contextmanager
def live(top, *words, folder="run", **variables):
    """A run that is steered; yields its process, the address of its page, and a function that gives orders."""
    variables.setdefault("XDG_RUNTIME_DIR", top)
    env = environment(**variables)
    process = start(top, "live", *words, "-o", folder, env=env)

    def ctl(*order, good=True):
        seen = program(top, "ctl", folder, *order, env=env)
        if good and seen.returncode:
            raise RuntimeError(f"ctl {order}: {seen.stderr}")
        return json.loads(seen.stdout) if good else seen

    try:
        lines = [process.stdout.readline()]
        lines += [] if "--no-page" in words else [process.stdout.readline()]
        found = re.search(r"http://127.0.0.1:(\d+)/#(\w+)", "".join(lines))
        if not lines[0]:
            raise RuntimeError(process.stderr.read())
        yield process, found, ctl
    finally:
        process.kill()
        process.communicate()


def quiet_end(process, ctl):
    """Ends the run; what it has printed."""
    ctl("quit")
    out, wrong = process.communicate(timeout=60)
    return process.returncode, out, wrong


def test_orders(top):
    with live(top, *LONG, "--pause") as (process, _, ctl):
        first = ctl("status")
        tap.check("--pause holds the run at step 0", first["state"] == "paused" and first["step"] == 0, first)
        ctl("step", 300)
        plain = program(top, "run", *SCENE, "--steps", 300, "-q", "--json")
        tap.check("a run that is steered and watched has the hash of `scree run`",
                  ctl("status")["hash"] == json.loads(plain.stdout)["state_sha256"], (ctl("status"), plain.stdout))
        seen = ctl("until", "9 ms")
        tap.check("until goes on to a time, and pauses", seen["reached"] and 0.009 <= seen["time"] < 0.0091 and ctl("status")["state"] == "paused", seen)
        swap = ctl("swap", 'gcd = { plugin = "dess"; };')
        tap.check("a swap of a paused run has its report, equal hashes, and takes no step", swap["hash_before"] == swap["hash_after"]
                  and swap["report"]["changes"] == [{"slot": "gcd", "from": "grid", "to": "dess"}] and swap["report"]["missing"] == 0
                  and ctl("status")["step"] == swap["step"] and swap["step_time_after"] is None, swap)
        ctl("go")
        swap = ctl("swap", 'gcd = { plugin = "bvh"; };')
        tap.check("a swap of a run that goes on has the time of a step before and after",
                  swap["step_time_before"] > 0 and swap["step_time_after"] > 0 and swap["hash_before"] == swap["hash_after"], swap)
        ctl("set", "force.0.friction=0.35")
        given = next(one["given"] for one in ctl("controls")["slots"] if one["slot"] == "force[0]")
        tap.check("set changes a live parameter, and controls has its value", given["friction"] == "0.35", given)
        ctl("pause")
        other = ctl("compare", "force = ( { friction = 0.0; } );")
        for _ in range(20):  # to a state in which molecules meet soon
            if other["first_difference"] is None:
                ctl("step", "25")
                other = ctl("compare", "force = ( { friction = 0.0; } );")
        same = ctl("compare", 'gcd = { plugin = "grid"; };')
        step = ctl("status")["step"]
        tap.check("two contact detections on one state: times, and no difference", same["first_difference"] is None
                  and same["a"]["hash"] == same["b"]["hash"] and same["a"]["step_time"] > 0 and same["b"]["step_time"] > 0, same)
        real = ctl("swap", 'gcd = { plugin = "grid"; };')["report"]
        ctl("swap", 'gcd = { plugin = "bvh"; };')
        tap.check("a comparison has the forces and candidates of the swap itself", all(same["b"]["report"][name] == real[name] for name in
                  ("largest_force", "candidates", "force_difference")) and real["candidates"] > 0, (same, real))
        tap.check("two laws on one state: the first step with a difference; the run stays where it is",
                  other["first_difference"] is not None and step < other["first_difference"] <= step + other["steps"]
                  and other["a"]["hash"] == same["a"]["hash"] != other["b"]["hash"], other)
        saved = ctl("save")
        ctl("step", 50)
        want = ctl("status")["hash"]
        seen = program(top, "run", "--restart", saved["path"], "--steps", 50, "-q", "--json", "--set", "observers={}", "-o", "continued")
        tap.check("a checkpoint that was asked for continues to the same state", seen.returncode == 0
                  and json.loads(seen.stdout)["state_sha256"] == want, seen)
        found = ctl("query", "ball 11mm,11mm,11mm:5mm")
        tap.check("query has bodies, figure a value", len(found["bodies"]) > 1 and ctl("figure", "kinetic")["value"] > 0, found)
        code, out, wrong = quiet_end(process, ctl)
        tap.check("quit ends the run like a signal, with a summary", code == 4 and want in out and (top / "run/summary.json").is_file(), (code, out, wrong))
    late = program(top, "ctl", "run", "quit")
    tap.check("ctl says that the run has ended", late.returncode == 1 and "the run has ended" in late.stderr, late)
    again = program(top, "run", "--repeat", "run/manifest.json", "-q", "--json", "-o", "again")
    tap.check("--repeat of a steered run has its hash", again.returncode == 0 and json.loads(again.stdout)["state_sha256"] == want, again)
    lines = sorted(re.sub(r".* with (\S+) \((.*)\), .*", r"\1 \2", line) for line in again.stderr.splitlines() if "manifest's run" in line)
    tap.check("--repeat names the plugins that the run has changed or got, no other ones", lines == ["gcd/bvh gcd", "gcd/grid gcd", "gcd/hgrid query.gcd", "observer/frames observers.live"], again.stderr)
    tap.check("nothing but the files of the run is left", not (top / "run/live.json").exists() and not list(top.glob("scree/*.sock"))
              and not list((top / "run").glob(".compare*")), list((top / "run").iterdir()))


def test_refusals(top):
    with live(top, *LONG, "--pause") as (process, _, ctl):
        before = ctl("status")
        for order, word in ((("swap", 'gcd = { plugin = "gird"; };'), "grid"), (("set", "force.0.friction=-1"), "friction"),
                            (("set", "materials.glass.density=1"), "PATH=VALUE"), (("set", "dt=1e300"), "ctl: scene.dt"), (("step", "0"), "from 1"), (("step", "x"), "number"),
                            (("until", "0 s"), "more than 0"), (("until", "soon"), "expected a time"), (("query", "cone 1"), "box"),
                            (("figure", "kinetik"), "kinetic"), (("save", "../x.h5"), "in the folder"), (("save", "x.txt"), "NAME.h5"), (("save", "a\nb.h5"), "NAME.h5"),
                            (("dance",), "expected one of"), (("swap",), "expected SET"), (("compare", "gcd = { plugin ="), None)):
            seen = ctl(*order, good=False)
            holds = word in seen.stderr and seen.returncode in (1, 2) if word else "error" in json.loads(seen.stdout)["b"]
            tap.check(f"`ctl {' '.join(order)!r}` is refused in words", holds and "Traceback" not in seen.stderr and "--set" not in seen.stderr, seen)
        after = ctl("status")
        tap.check("refusals change nothing", before["hash"] == after["hash"] and after["step"] == 0 and not (top / "x.h5").exists(), after)
        lines = b'{"do": "step", "n": 2, "id": 7}\n{"do": "status"}\nnonsense\n'
        seen = program(top, "ctl", "run", "-", input=lines.decode(), env=environment(XDG_RUNTIME_DIR=top))
        answers = [json.loads(line) for line in seen.stdout.splitlines()]
        tap.check("`ctl -` answers each line, and its status says that one was refused", len(answers) == 3 and answers[0]["id"] == 7
                  and answers[1]["result"]["step"] == 2 and answers[2]["error"].startswith("expected a message in JSON") and seen.returncode == 1, seen)
    for option, value, word in (("-o", "", "expected the name of a folder"), ("--plugin-path", "gone", "no such folder")):
        seen = program(top, "live", *SCENE, "--no-page", option, value)
        tap.check(f"`live {option} '{value}'` is refused, as by `scree run`", seen.returncode == 2 and word in seen.stderr and not (top / "runs").exists(), seen)
    seen = program(top, "ctl", "nowhere", "status")
    tap.check("a folder that is not one of a run is named", seen.returncode == 2 and "expected the folder of a run" in seen.stderr, seen)
    seen = program(top, "ctl", "run", "status")
    tap.check("ctl says that the process of a killed run has ended", seen.returncode == 1 and "its process has ended" in seen.stderr, seen)


def test_ends(top):
    words = (*SCENE, "--no-page", "--set", "scene.steps=2000")
    with live(top, *words) as (process, _, _):
        out = process.communicate(timeout=60)[0]
        tap.check("without a page the program ends with the run, status 0", process.returncode == 0 and "step          2000" in out, out)
    with live(top, *LONG, folder="second") as (process, _, ctl):
        wait_for(lambda: ctl("status")["step"] > 100)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        tap.check("a signal ends it with the files of its observers whole, status 4", process.returncode == 4 and (top / "second/frames.scf").is_file()
                  and (top / "second/manifest.json").is_file(), process.returncode)
    with live(top, *LONG, "--set", 'schedule+={ at_step = 500; set = { scene = { boundary = "open"; }; }; }', folder="third") as (process, _, ctl):
        seen = wait_for(lambda: (found := ctl("status"))["state"] == "failed" and found)
        refused = ctl("go", good=False)
        tap.check("the report of a failed run stays, and it refuses to go on", seen and "was refused" in seen["text"] and "has failed" in refused.stderr, (seen, refused))


# ---- which connections are accepted

def http(port, request, limit=20):
    """The answer to a request, as text."""
    with socket.create_connection(("127.0.0.1", port), timeout=limit) as other:
        other.sendall(request)
        parts = []
        with contextlib.suppress(ConnectionError):
            while part := other.recv(1 << 16):
                parts.append(part)
        return b"".join(parts).decode("latin-1")


def get(port, path="/", **fields):
    fields = {"Host": f"127.0.0.1:{port}", **{name.replace("_", "-"): value for name, value in fields.items()}}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
    return http(port, f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())


def code(answer):
    return answer.split(" ")[1] if answer else "nothing"


def upgrade(port, origin, host=None):
    """A WebSocket, or the code with which it is refused."""
    host = host or f"127.0.0.1:{port}"
    try:
        return browser.Socket(f"ws://127.0.0.1:{port}/ws", {"Host": host, **({"Origin": origin} if origin else {})})
    except ConnectionError as error:
        return str(error).split(" ")[1]


def enter(port, token):
    """A WebSocket that has shown a token."""
    one = upgrade(port, f"http://127.0.0.1:{port}")
    one.send(token)
    return one


def test_doors(top):
    with live(top, *LONG) as (process, found, ctl):
        port, token = int(found[1]), found[2]
        tap.check("the token has 128 bits", re.fullmatch("[0-9a-f]{32}", token), token)
        page = get(port)
        want = {"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
                                           "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
                "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
        for answer in (page, get(port, "/page.js"), get(port, "/nowhere"), get(port, Host="evil.example")):
            head = dict(line.split(": ", 1) for line in answer.partition("\r\n\r\n")[0].split("\r\n")[1:])
            tap.check(f"an answer {code(answer)} has all headers", all(head.get(name) == value for name, value in want.items()), head)
        tap.check("the page does not hold the token", code(page) == "200" and token not in page, page)
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "", None, f"0.0.0.0:{port}"):
            tap.check(f"Host {host!r} gets nothing", {code(get(port, path, Host=host)) for path in ("/", "/page.js", "/ws")} == {"403"})
        tap.check("localhost and other ports, as through a tunnel, are served",
                  {code(get(port, Host=host)) for host in (f"localhost:{port}", "127.0.0.1:9", "localhost:4711")} == {"200"})
        for origin in ("http://evil.example", f"https://127.0.0.1:{port}", "null", f"http://127.0.0.1:{port + 1}", f"http://localhost:{port}"):
            tap.check(f"Origin {origin} gets nothing on any path", {code(get(port, path, Origin=origin)) for path in ("/", "/page.js", "/style.css", "/ws")} == {"403"}
                      and upgrade(port, origin) == "403")
        tap.check("a socket without Origin is refused before the upgrade", upgrade(port, None) == "403")
        tap.check("a forged Host with its Origin is refused before the upgrade", upgrade(port, "http://evil.example", "evil.example") == "403")
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/page/view.js", "/page.js/../live.py", "/live.json", "/frames.scf.part", "/.."):
            tap.check(f"the path {path} gets nothing", code(get(port, path)) == "404")
        tap.check("another method gets nothing", code(http(port, f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())) == "405")
        for wrong in ("", "0" * 32, token[:-1], token + "0", json.dumps({"do": "status"})):
            one = enter(port, wrong)
            tap.check(f"{wrong or 'an empty first message'} in place of the token gets nothing", one.receive(20) is None)
            one.close()
        one = upgrade(port, f"http://127.0.0.1:{port}")
        one.send(token.encode())
        tap.check("the token as bytes gets nothing", one.receive(20) is None)
        silent = upgrade(port, f"http://127.0.0.1:{port}")
        tap.check("a viewer that sends no token is closed after 5 s", silent_end(silent))
        one = enter(port, token)
        hello = json.loads(one.receive())
        one.send(json.dumps({"do": "status", "id": 1}))
        seen = answer_of(one, 1)
        tap.check("the token opens the run", hello["event"] == "hello" and seen["ok"] and seen["result"]["step"] >= 0, (hello, seen))
        addresses = {line.split()[1] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")}
        tap.check("the page is on 127.0.0.1 only", addresses == {f"0100007F:{port:04X}"}, addresses)


def silent_end(one):
    began = time.monotonic()
    with contextlib.suppress(ConnectionError):
        return one.receive(20) is None and time.monotonic() - began < 15
    return time.monotonic() - began < 15


def answer_of(one, number):
    """The answer to a message; events are passed over."""
    while True:
        message = one.receive()
        if isinstance(message, bytes):
            continue
        seen = json.loads(message)
        if seen.get("id") == number and "event" not in seen:
            return seen


def test_noise(top):
    with live(top, *LONG, "--pause") as (process, found, ctl):
        port, token = int(found[1]), found[2]
        ctl("until", "50 ms")
        ctl("go")
        before = ctl("status")["step"]
        one = enter(port, token)
        simple = ["nonsense", "[]", "{}", "null", '{"do": 1}', '{"do": "__init__"}', '{"do": "step"', '{"do": "loop"}', "[" * 5000,
                  '{"do": "frame", "k": -1}', '{"do": "frame", "k": "x"}', '{"do": "header"' + " " * 60000, "\ud7ff\ufffd\0"]
        orders = ['{"do": "step", "n": -1}', '{"do": "step", "n": 1e99}', '{"do": "set", "path": 1}', '{"do": "swap", "set": "}{"}', '{"do": "swap"}',
                  '{"do": "query", "where": "\\u0000"}', '{"do": "until", "time": [1]}', '{"do": "save", "name": "/etc/passwd"}', '{"do": "figure", "name": "x"}']
        bad = [orders[k // 20 % len(orders)] if k % 20 == 0 else simple[k % len(simple)] for k in range(5000)]  # orders wait for a slice
        for k in range(5000):
            one.send(bad[k])
            seen = 0
            while not seen:
                message = one.receive()
                seen = isinstance(message, str) and "event" not in json.loads(message)
                wrong = seen and json.loads(message)["ok"]
            if wrong:
                break
        tap.check("5 000 bad messages are each answered with an error", not wrong, message)
        one.close()
        shut = 0
        for k in range(1000):
            other = enter(port, token)
            other.receive()
            raw = [b"\x81\x05abcde", b"\xc1\x80abcd", b"\x01\x80abcd", b"\x83\x80abcd", b"\x81\xff" + b"\xff" * 12, b"\x82\x80abcd"][k % 6]
            other.socket.sendall(raw)
            with contextlib.suppress(ConnectionError):
                while other.receive(20) is not None:
                    pass
            shut += 1
            other.close()
        tap.check("1 000 sockets that send frames without a mask, in parts, of unknown kinds or too long are closed", shut == 1000)
        path = json.loads((top / "run/live.json").read_text())["socket"]
        with socket.socket(socket.AF_UNIX) as lines:
            lines.connect(path)
            file = lines.makefile("rwb")
            good = True
            for k in range(5000):
                file.write(bad[k].encode() + b"\n")
                file.flush()
                good = good and not json.loads(file.readline())["ok"]
        tap.check("5 000 bad lines are each answered with an error", good)
        with socket.socket(socket.AF_UNIX) as lines:
            lines.connect(path)
            lines.settimeout(20)
            seen = b""
            with contextlib.suppress(ConnectionError):
                lines.sendall(b"x" * (1 << 20) + b"\n")
                seen = lines.recv(1)
            tap.check("a line without an end closes its connection", seen == b"", seen)
        after = ctl("status")
        tap.check("the run goes on meanwhile", after["state"] == "running" and after["step"] > before and process.poll() is None, after)
        status, _, wrong = quiet_end(process, ctl)
        tap.check("no exception was printed", status == 4 and "Traceback" not in wrong, wrong)


def test_long_order(top):
    """A page sees frames and gives orders while another order takes long."""
    with live(top, *LONG, "--pause") as (process, found, ctl):
        one = enter(int(found[1]), found[2])
        one.send(json.dumps({"do": "until", "time": "1 h", "id": 1}))
        wait_for(lambda: ctl("status")["step"] > 100)
        steps = []
        for number in (2, 3):
            one.send(json.dumps({"do": "frame", "k": 1 << 30, "id": number}))
            while isinstance(message := one.receive(20), str):
                pass
            steps.append(struct.unpack_from("<Q", message, message.rindex(b"FRAM") + 16)[0])
            tap.check("a frame begins with the number of its question", struct.unpack_from("<I", message)[0] == number, message[:8])
            time.sleep(0.5)
        tap.check("frames come while an order is carried out", steps[0] < steps[1], steps)
        one.send(json.dumps({"do": "pause", "id": 4}))
        seen = {}
        while len(seen) < 2:
            message = one.receive(20)
            message = json.loads(message) if isinstance(message, str) else {}
            seen.update({message["id"]: message["result"]} if "id" in message else {})
        tap.check("pause ends the order, and both are answered", set(seen) == {1, 4} and not seen[1]["reached"] and ctl("status")["state"] == "paused", seen)
        for number in range(100):
            one.send(json.dumps({"do": "until", "time": "1 h", "id": number}))
        tap.check("a page that gives a hundred long orders at once does no harm", ctl("pause")["step"] > 0 and process.poll() is None)
        one.close()


def test_killed(top):
    """kill -9 leaves a socket; the next start removes it."""
    with live(top, *LONG, "--pause") as (process, _, _):
        process.kill()
        process.communicate()
    left = list(top.glob("scree/*.sock"))
    with live(top, *LONG, "--pause", folder="second"):
        now = list(top.glob("scree/*.sock"))
        tap.check("the socket of a killed run is removed by the next one", len(left) == len(now) == 1 and left != now, (left, now))


def test_stalled(top):
    """Frames of 16 MiB, more than the buffers of the kernel hold."""
    big, asked = bytes(1 << 24), []

    async def answer(message, seat):
        asked.append(message["k"])
        return [big]

    async def stall():
        page = _server.Page({}, answer, lambda: {"event": "hello"}, lambda: {"event": "status", "n": len(asked)})
        server = await page.start(_server.bound(0))
        loop = asyncio.get_running_loop()
        one = await loop.run_in_executor(None, enter, page.port, page.token)
        for k in range(100):
            await loop.run_in_executor(None, one.send, json.dumps({"k": k}))
        await asyncio.sleep(1.0)
        held = list(asked)
        seen = 0
        while seen < 3:
            seen += isinstance(await loop.run_in_executor(None, one.receive), bytes)
        await asyncio.sleep(0.5)
        later = list(asked)
        one.close()
        server.close()
        return held, later

    held, later = asyncio.run(stall())
    tap.check("a viewer that reads nothing holds at most two frames, however many it asks for", 1 <= len(held) <= 2, held)
    tap.check("the next ones come when the viewer reads", 3 <= len(later) <= 5, later)


def test_lines(top):
    with live(top, *LONG, "--pause") as (_, _, ctl):
        path = json.loads((top / "run/live.json").read_text())["socket"]
        folder = os.stat(os.path.dirname(path))
        tap.check("the Unix socket is in a folder of mode 0700", stat.S_IMODE(folder.st_mode) == 0o700 and folder.st_uid == os.geteuid(), oct(folder.st_mode))
        if os.geteuid() == 0:
            tap.check("another user gets no answer, even where he can reach the socket", other_user(top, path) == "nothing")
        else:
            tap.skip("another user gets no answer", "needs root")
    left = socket.socket(socket.AF_UNIX)  # a socket that nobody serves
    left.bind(str(top / "scree/left.sock"))
    left.close()
    with live(top, *LONG, "--pause", folder="second"):
        names = [one.name for one in (top / "scree").iterdir()]
        tap.check("sockets that nobody serves are removed", len(names) == 1 and "left.sock" not in names, names)
    (top / "odd").mkdir()
    for text in ('{"socket": "/no/such"}', "[]", ""):
        (top / "odd/live.json").write_text(text)
        seen = program(top, "ctl", "odd", "status")
        tap.check(f"live.json with {text or 'nothing'}: a line, no traceback", seen.returncode in (1, 2) and "odd/live.json: " in seen.stderr
                  and "Traceback" not in seen.stderr, seen)
    (top / "odd/live.json").unlink()
    os.mkfifo(top / "odd/live.json")
    seen = program(top, "ctl", "odd", "status")
    tap.check("live.json that is a FIFO does not hang", seen.returncode in (1, 2) and "Traceback" not in seen.stderr, seen)
    deep = top / ("x" * 110)
    deep.mkdir()
    with live(top, *LONG, "--pause", folder="third", XDG_RUNTIME_DIR=deep, TMPDIR=top) as (_, _, ctl):
        path = json.loads((top / "third/live.json").read_text())["socket"]
        tap.check("where a path of 110 characters would not bind, another place is found", str(deep) not in path and ctl("status")["step"] == 0, path)
    seen = program(top, "live", *SCENE, "--set", "scene.steps=10", "--no-page", "-o", "fourth", env=environment(XDG_RUNTIME_DIR=deep, TMPDIR=deep))
    tap.check("where no place is short enough, the message names the limit", seen.returncode in (1, 2) and "expected at most 107 bytes" in seen.stderr, seen)
    os.chmod(top / "scree", 0o755)
    seen = program(top, "live", *SCENE, "--set", "scene.steps=10", "--no-page", "-o", "fifth", env=environment(XDG_RUNTIME_DIR=top))
    tap.check("a folder that others can enter is refused", seen.returncode in (1, 2) and "0700" in seen.stderr, seen)


def other_user(top, path):
    """The answer that a process of the user nobody gets from the socket."""
    for one in (top.parent, top, top / "scree"):
        os.chmod(one, 0o755)
    os.chmod(path, 0o777)
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.setgid(65534)
        os.setuid(65534)
        try:
            other = socket.socket(socket.AF_UNIX)
            other.settimeout(10)
            other.connect(path)
            other.sendall(b'{"do": "status"}\n')
            os.write(write, other.recv(100) or b"nothing")
        except ConnectionError:
            os.write(write, b"nothing")
        except BaseException as error:
            os.write(write, repr(error).encode())
        os._exit(0)
    os.close(write)
    seen = os.read(read, 200).decode()
    os.close(read)
    os.waitpid(child, 0)
    os.chmod(top / "scree", 0o700)
    return seen


def test_long_step(top):
    with live(top, "gas", "--set", "generate={}", "--set", "scene.dt=1e-5", "--set", 'bodies={ w = { motion = "fixed"; position = (0.0, 0.0, 0.0); shape = "sphere"; radius = "1 mm"; material = "glass"; }; }', "--pause") as (_, _, ctl):
        seen = ctl("set", "dt=1e300", good=False)
        tap.check("dt has a limit where no body is free", seen.returncode and "<= 1e+12 s" in seen.stderr, seen)


def test_mistakes(top):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port, word in ((99999, "from 0 to 65535"), (-1, "from 0 to 65535"), (taken.getsockname()[1], "in use")):
            seen = program(top, "live", *SCENE, "--port", port, "-o", "run")
            tap.check(f"--port {word}: a refusal in words, no folder", seen.returncode in (1, 2) and word in seen.stderr
                      and "Traceback" not in seen.stderr and not (top / "run").exists(), seen)


    (top / "empty").mkdir()
    (top / "old").mkdir()
    (top / "old/scene.cfg").touch()
    for words, word in ((("empty",), "expected the folder of a run"), (("/",), "expected the folder of a run"), (("old", "--set", "a=b"), "--set: old is a folder"),
                        ((*SCENE, "-o", "old"), "another to -o")):
        seen = program(top, "live", *words)
        tap.check(f"`live {' '.join(words[-3:])}` is refused in words", seen.returncode == 2 and word in seen.stderr, seen)


def test_pipe(top):
    (top / "run").mkdir()
    os.mkfifo(top / "run/frames.scf")
    viewer = start(top, "live", "run")
    try:
        found = re.search(r"http://127.0.0.1:(\d+)/#(\w+)", viewer.stdout.readline())
        one = enter(int(found[1]), found[2])
        one.send(json.dumps({"do": "header", "id": 1}))
        one.socket.settimeout(20)
        seen = answer_of(one, 1)
        tap.check("a pipe in place of the file of frames does not stop the server", seen["ok"] and seen["result"] is None, seen)
    finally:
        viewer.kill()
        viewer.communicate(timeout=20)


def test_watch(top):
    with live(top, *LONG) as (process, _, ctl):
        wait_for(lambda: ctl("status")["step"] > 500)
        viewer = start(top, "live", "run", env=environment(XDG_RUNTIME_DIR=top))
        try:
            found = re.search(r"http://127.0.0.1:(\d+)/#(\w+)", viewer.stdout.readline())
            one = enter(int(found[1]), found[2])
            hello = json.loads(one.receive())
            one.send(json.dumps({"do": "header", "id": 1}))
            head = answer_of(one, 1)["result"]
            steps = []
            for k in range(3):
                one.send(json.dumps({"do": "frame", "k": 1 << 30, "id": 2 + k}))
                while isinstance(message := one.receive(), str):
                    pass
                at = message.rindex(b"FRAM")
                steps.append(struct.unpack_from("<Q", message, at + 16)[0])
                time.sleep(0.4)
            tap.check("a folder is watched by its file: the newest frame is a later one each time", not hello["steered"] and head["header"]["dimension"] == 3
                      and steps[0] < steps[1] < steps[2], (hello, steps))
            one.send(json.dumps({"do": "pause", "id": 9}))
            tap.check("a viewer of a folder cannot steer", not answer_of(one, 9)["ok"] and ctl("status")["state"] == "running")
        finally:
            viewer.terminate()
            viewer.communicate(timeout=20)
        tap.check("a viewer ends by a signal, status 0", viewer.returncode == 0, viewer.returncode)


tap.in_folders(test_orders, test_refusals, test_ends, test_doors, test_noise, test_long_order, test_killed, test_stalled, test_lines, test_long_step, test_mistakes, test_pipe, test_watch)
