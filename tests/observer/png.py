# SPDX-License-Identifier: Apache-2.0
"""A PNG file as pixels, by Python's own zlib."""
import struct
import zlib


def read_png(path):
    """(width, height, rows of (r, g, b, a)), every checksum looked at."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, chunks = 8, []
    while at < len(data):
        n, = struct.unpack(">I", data[at:at + 4])
        body = data[at + 4:at + 8 + n]
        assert struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0] == zlib.crc32(body), path
        chunks.append((body[:4], body[4:]))
        at += 12 + n
    assert chunks[0][0] == b"IHDR" and chunks[-1] == (b"IEND", b""), path
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert depth == 8 and kind in (2, 6) and not interlaced, (depth, kind)
    each = 3 if kind == 2 else 4
    raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    before, rows = bytes(width * each), []
    for y in range(height):
        how, line = raw[y * (width * each + 1)], raw[y * (width * each + 1) + 1:(y + 1) * (width * each + 1)]
        before = unfilter(how, line, before, each)
        rows.append([tuple(before[each * x:each * x + 3]) + (before[4 * x + 3] if each == 4 else 255,)
                     for x in range(width)])
    return width, height, rows


def unfilter(how, line, before, each):
    """One row of a PNG (section 9 of its specification)."""
    out = bytearray(line)
    for i, _ in enumerate(out):
        left, up = out[i - each] if i >= each else 0, before[i]
        corner = before[i - each] if i >= each else 0
        if how == 1:
            more = left
        elif how == 2:
            more = up
        elif how == 3:
            more = (left + up) // 2
        elif how == 4:
            guess = left + up - corner
            more = min((left, up, corner), key=lambda v: abs(guess - v))
        else:
            more = 0
        out[i] = (out[i] + more) & 255
    return bytes(out)


def extent(rows, seen):
    """(left, right, top, bottom, pixels) of the pixels that `seen` says yes to."""
    spots = [(x, y) for y, row in enumerate(rows) for x, p in enumerate(row) if seen(p)]
    if not spots:
        return None
    xs, ys = [s[0] for s in spots], [s[1] for s in spots]
    return min(xs), max(xs) + 1, min(ys), max(ys) + 1, len(spots)
