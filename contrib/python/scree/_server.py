# SPDX-License-Identifier: Apache-2.0
"""The doors of `scree live`: a page on 127.0.0.1 (HTTP, RFC 6455) and a Unix socket, both for messages in JSON.

A connection is accepted under these conditions: Host is 127.0.0.1 or localhost; an Origin is that Host; a WebSocket has an Origin, and its first message
is the token; the Unix socket is in a folder of the user, and its other end belongs to the same user. A page gets frames while an
order that takes long is carried out; what was sent to it must have gone before its next message is read, so a viewer that does not
read holds at most one frame.
"""
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import secrets
import socket
import stat
import struct
import tempfile
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple

from ._errors import Error, UseError

LONGEST = 1 << 16  # [bytes] of a head, a message, a line
CONNECTIONS = 64
PATIENCE = 5.0  # [s] for the head of a request, and for the token
LONG = 0.1  # [s] after which the next message is read before an order is done
MOST_ORDERS = 16  # of a page at a time
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
          "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
WORDS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
LONGEST_SOCKET = 107  # [bytes] sockaddr_un.sun_path without its NUL

Answer = Callable[[Dict[str, Any], Dict[str, Any]], Awaitable[List[Any]]]


class Refused(Exception):
    """A connection ends: the code of HTTP, or of RFC 6455."""


def packed(opcode: int, data: bytes) -> bytes:
    """A frame of the server."""
    n = len(data)
    size = bytes([n]) if n < 126 else b"\x7e" + struct.pack(">H", n) if n < 1 << 16 else b"\x7f" + struct.pack(">Q", n)
    return bytes([0x80 | opcode]) + size + data


async def unpacked(reader) -> Tuple[int, bytes]:
    """A frame of the client: whole, masked, not long."""
    first, second = await reader.readexactly(2)
    n = second & 0x7f
    if n > 125:
        n = int.from_bytes(await reader.readexactly(2 if n == 126 else 8), "big")
    if first & 0xf0 != 0x80 or not second & 0x80 or first & 15 not in (TEXT, CLOSE, PING, PONG):
        raise Refused(1002)
    if n > LONGEST:
        raise Refused(1009)
    mask, data = await reader.readexactly(4), await reader.readexactly(n)
    whole = int.from_bytes(data, "little") ^ int.from_bytes((mask * (n // 4 + 1))[:n], "little")
    return first & 15, whole.to_bytes(n, "little")


async def answers(answer: Answer, seat: Dict[str, Any], line: bytes) -> List[Any]:
    """The answers of answer() to a message, or the error."""
    number = None
    try:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise UseError('expected a message in JSON, as {"do": "status"}')
        number = message.get("id")
        return await answer(message, seat)
    except (Error, ValueError, TypeError, KeyError, OverflowError, RecursionError, OSError) as error:
        text = str(error) or type(error).__name__
        return [{"id": number if isinstance(number, (int, str)) else None, "ok": False, "error": text}]


def bound(port: int) -> socket.socket:
    """A socket for a page, on 127.0.0.1; port 0: a free one."""
    if not 0 <= port < 1 << 16:
        raise UseError(f"--port: expected a number from 0 to 65535, got {port}")
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise Error(f"--port {port}: {error.strerror}") from None


class Page:
    """Serves files, a dict of path to (type, bytes), and the socket /ws."""

    def __init__(self, files: Dict[str, Tuple[str, bytes]], answer: Answer, hello: Callable[[], Any], news: Callable[[], Any]):
        self.files, self.answer, self.hello, self.news = files, answer, hello, news
        self.token, self.open = secrets.token_hex(16), 0

    async def start(self, door: socket.socket):
        server = await asyncio.start_server(self._serve, sock=door, limit=LONGEST)
        self.port = door.getsockname()[1]
        return server

    @property
    def url(self) -> str:
        """Where the page is; the browser does not send what is behind #."""
        return f"http://127.0.0.1:{self.port}/#{self.token}"

    async def _serve(self, reader, writer):
        self.open += 1
        try:
            if self.open > CONNECTIONS:
                raise Refused(503)
            await self._request(reader, writer)
        except Refused as error:
            self._reply(writer, error.args[0])
        except (asyncio.TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()

    @staticmethod
    def _reply(writer, code, kind="text/plain; charset=utf-8", data=b""):
        head = (f"HTTP/1.1 {code} {WORDS[code]}\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n"
                f"Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                "Cache-Control: no-store\r\n\r\n")
        writer.write(head.encode() + data)

    async def _request(self, reader, writer):
        try:
            head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            fields = {name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in head[1:] if line)}
        except ValueError:
            raise Refused(400) from None
        host = fields.get("host", "")
        if host.rpartition(":")[0] not in ("127.0.0.1", "localhost") or fields.get("origin", f"http://{host}") != f"http://{host}":
            raise Refused(403)
        if method != "GET":
            raise Refused(405)
        if path == "/ws":
            await self._upgrade(fields, reader, writer)
        elif path in self.files:
            self._reply(writer, 200, *self.files[path])
            await writer.drain()
        else:
            raise Refused(404)

    async def _upgrade(self, fields, reader, writer):
        key = fields.get("sec-websocket-key", "")
        if "origin" not in fields:
            raise Refused(403)
        if fields.get("upgrade", "").lower() != "websocket" or fields.get("sec-websocket-version") != "13" or not key:
            raise Refused(400)
        accept = base64.b64encode(hashlib.sha1(key.encode("latin-1") + MAGIC).digest()).decode()
        writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
        writer.transport.set_write_buffer_limits(0)  # drain() waits until all has gone
        seat, tasks = {}, set()
        try:
            opcode, data = await asyncio.wait_for(unpacked(reader), PATIENCE)
            if opcode != TEXT or not secrets.compare_digest(data, self.token.encode()):
                raise Refused(1008)
            self._send(writer, self.hello())
            tasks.add(asyncio.ensure_future(self._push(writer)))
            while opcode != CLOSE:
                opcode, data = await unpacked(reader)
                if opcode == TEXT:
                    task = asyncio.ensure_future(self._answer(writer, seat, data))
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)
                    await asyncio.wait({task}, timeout=LONG if len(tasks) < MOST_ORDERS else None)
                elif opcode == PING:
                    writer.write(packed(PONG, data))
                await writer.drain()
            raise Refused(1000)
        except Refused as error:
            writer.write(packed(CLOSE, struct.pack(">H", error.args[0])))
        finally:
            for task in [*tasks]:
                task.cancel()

    async def _answer(self, writer, seat, data):
        for one in await answers(self.answer, seat, data):
            self._send(writer, one)

    @staticmethod
    def _send(writer, one):
        writer.write(packed(BINARY, one) if isinstance(one, bytes) else packed(TEXT, json.dumps(one).encode()))

    async def _push(self, writer):
        """Sends news as soon as all that was sent before has gone."""
        before = None
        while not writer.is_closing():
            now = self.news()
            if now != before and not writer.transport.get_write_buffer_size():
                before = now
                self._send(writer, now)
            await asyncio.sleep(0.1)


# ---- the Unix socket

def socket_path() -> str:
    """A path for a socket, in a folder that only this user can enter."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    folder = pathlib.Path(tempfile.gettempdir(), f"scree-{os.geteuid()}")
    if base and os.path.isdir(base) and len(os.fsencode(base)) < LONGEST_SOCKET - 40:
        folder = pathlib.Path(base, "scree")
    folder.mkdir(mode=0o700, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.geteuid() or seen.st_mode & 0o077:
        raise Error(f"{folder}: expected a folder that belongs to this user, with the mode 0700")
    for stale in folder.glob("*.sock"):
        other = connect(str(stale))
        if other:
            other.close()
        else:
            stale.unlink(missing_ok=True)
    path = str(folder / f"{secrets.token_hex(8)}.sock")
    if len(os.fsencode(path)) > LONGEST_SOCKET:
        raise Error(f"{path}: expected at most {LONGEST_SOCKET} bytes, got {len(os.fsencode(path))}: give a shorter XDG_RUNTIME_DIR or TMPDIR")
    return path


def peer_is_own(other: socket.socket) -> bool:
    """Whether the other end of a Unix socket belongs to this user."""
    _, user, _ = struct.unpack("3i", other.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return user == os.geteuid()


async def start_lines(path: str, answer: Answer):
    """Serves messages, a line each, on a Unix socket."""
    async def serve(reader, writer):
        seat: Dict[str, Any] = {}
        try:
            while peer_is_own(writer.get_extra_info("socket")):
                line = await reader.readline()
                if not line.endswith(b"\n"):
                    break
                for one in await answers(answer, seat, line):
                    writer.write(json.dumps(one).encode() + b"\n")
                await writer.drain()
        except (ValueError, asyncio.CancelledError, ConnectionError):  # a line is too long
            pass
        finally:
            writer.close()
    return await asyncio.start_unix_server(serve, path, limit=LONGEST)


def connect(path: str) -> Optional[socket.socket]:
    """The socket of a run that is steered; None: nobody answers."""
    other = socket.socket(socket.AF_UNIX)
    try:
        other.connect(path)
        if not peer_is_own(other):
            raise Error(f"{path}: the process behind it belongs to another user")
        return other
    except (FileNotFoundError, ConnectionRefusedError):
        other.close()
        return None
