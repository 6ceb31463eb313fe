// SPDX-License-Identifier: Apache-2.0
// Blocks of a file of frames (docs/reference/frames-file.md) as arrays: what a report holds, and what a socket brings.

/** Takes arrays from the payload of a block, one behind the other. */
class Cursor {
    constructor(buffer, at) { this.buffer = buffer; this.at = at; }

    take(Type, n) {
        const unit = Math.max(4, Type.BYTES_PER_ELEMENT), begin = n ? Math.ceil(this.at / unit) * unit : 0;
        this.at = n ? begin + n * Type.BYTES_PER_ELEMENT : this.at;
        return new Type(this.buffer, begin, n);
    }
}

/** The arrays of a payload FRAM; `fields` is the number of fields in the file's header. */
function parseFrame(buffer, dimension, fields, n) {
    const view = new DataView(buffer), reals = k => Array.from({length: 3}, (_, c) => view.getFloat64(16 + 24 * k + 8 * c, true));
    const [nFree, nOriented, nContacts, nAtWalls, flags] = Array.from({length: 5}, (_, k) => view.getUint32(184 + 4 * k, true));
    const rows = new Cursor(buffer, 208), f = {step: Number(view.getBigUint64(0, true)), time: view.getFloat64(8, true),
        lo: reals(0), quantum: reals(1), cell: {lo: reals(2), hi: reals(3), vectors: [reals(4), reals(5), reals(6)]}, nFree};
    f.low = rows.take(Uint16Array, dimension * nFree);
    f.high = flags & 3 ? rows.take(flags & 1 ? Uint8Array : Uint16Array, dimension * nFree) : null;
    f.oriented = rows.take(Uint32Array, nOriented);
    f.values = Array.from({length: fields}, () => ({range: rows.take(Float32Array, 2), k: rows.take(Uint16Array, n)}));
    [f.a, f.b] = [rows.take(Uint32Array, nContacts), rows.take(Uint32Array, nContacts)];
    f.most = nContacts ? rows.take(Float32Array, 1)[0] : 0;
    [f.force, f.image] = [rows.take(Uint16Array, nContacts), rows.take(Uint16Array, nContacts)];
    f.point = rows.take(Float32Array, 3 * nAtWalls);
    return f;
}

/** Turns payloads into what the view draws: positions from `origin` on, so that they fit into 32 bits. */
class Decoder {
    constructor(header) {
        Object.assign(this, {header, dimension: header.dimension, shapes: new Map(), groups: [], origin: null});
    }

    shape(buffer) {
        const [number, kind, n, m] = new Uint32Array(buffer, 0, 4), rows = new Cursor(buffer, 16);
        const [word, width, corners] = [["ball", 0, 0], ["mesh", 3, 3], ["outline", 2, 0], ["plane", 3, 0], ["balls", 4, 0], ["segments", 2, 2]][kind];
        const points = rows.take(Float32Array, n * width), cells = rows.take(Uint32Array, m * corners), facets = rows.take(Uint32Array, m);
        const balls = word === "ball" ? Float32Array.of(0, 0, 0, 1) : points.subarray(0, word === "balls" ? points.length : 0);
        let radius = word === "ball" ? 1 : 0;
        for (let i = 0; i < n && word !== "plane"; i++)
            radius = Math.max(radius, Math.hypot(...points.subarray(width * i, width * i + Math.min(3, width))) + (width === 4 ? points[4 * i + 3] : 0));
        this.shapes.set(number, {number, kind: word, width, points, cells, facets, balls, radius, name: new TextDecoder().decode(new Uint8Array(buffer, rows.at))});
    }

    body(buffer) {
        const n = new DataView(buffer).getUint32(0, true), rows = new Cursor(buffer, 8);
        return {n, id: Float64Array.from(rows.take(BigUint64Array, n), Number), scale: rows.take(Float32Array, n), shape: rows.take(Uint16Array, n),
                material: rows.take(Uint16Array, n), group: rows.take(Uint16Array, n), motion: rows.take(Uint8Array, n)};
    }

    /** The frame of arrays (parseFrame), a body table and the payload WALL. */
    frame(f, body, wall) {
        const n = body.n, nFree = f.nFree, x = new Float32Array(3 * n), rows = new Cursor(wall, 8);
        let lines = null;
        const wallX = rows.take(Float64Array, 3 * (n - nFree)), wallQ = rows.take(Float32Array, 4 * (n - nFree));
        const o = this.origin ||= Array.from({length: 3}, (_, c) => f.lo[c] + (c < this.dimension ? 32768 * f.quantum[c] * (f.high ? 256 : 1) : 0));
        for (let c = 0; c < this.dimension; c++)
            for (let i = 0, j = c * nFree; i < nFree; i++, j++)
                x[3 * i + c] = f.lo[c] - o[c] + f.quantum[c] * (f.low[j] + (f.high ? 65536 * f.high[j] : 0));
        x.set(wallX.map((v, i) => v - o[i % 3]), 3 * nFree);
        return {step: f.step, time: f.time, n, nFree, x, q: this.orientations(f, body, wallQ), body, cell: f.cell, origin: o,
                fields: f.values.map(Decoder.field), contacts: () => lines ||= this.contacts(f, x)};
    }

    /** Quaternions (w, x, y, z) of all rows: the three smallest numbers of each are stored, in 10 bits. */
    orientations(f, body, wallQ) {
        const q = new Float32Array(4 * body.n), isBall = [];
        this.shapes.forEach((shape, k) => { isBall[k] = shape.kind === "ball"; });
        for (let i = 0, next = 0; i < f.nFree; i++) {
            if (isBall[body.shape[i]]) {
                q[4 * i] = 1;
                continue;
            }
            const word = f.oriented[next++], largest = 4 * i + (word >>> 30);
            let sum = 0;
            for (let k = 4 * i, at = 20; at >= 0; k++) {
                if (k === largest)
                    continue;
                q[k] = ((word >>> at & 1023) / 1023 * 2 - 1) * Math.SQRT1_2;
                sum += q[k] * q[k];
                at -= 10;
            }
            q[largest] = Math.sqrt(Math.max(0, 1 - sum));
        }
        q.set(wallQ, 4 * f.nFree);
        return q;
    }

    static field({k, range: [lo, hi]}) {
        const out = new Float32Array(k.length), unit = (hi - lo) / 65534;
        for (let i = 0; i < out.length; i++)
            out[i] = k[i] === 65535 ? NaN : lo + unit * k[i];
        return out;
    }

    /** The contacts, made when they are drawn: lines from body a to the image of body b that it touches, or to the point on a wall. */
    contacts(f, x) {
        const n = f.a.length, line = new Float32Array(7 * n), first = n - f.point.length / 3;
        for (let c = 0; c < n; c++) {
            line.set(x.subarray(3 * f.a[c], 3 * f.a[c] + 3), 7 * c);
            const shift = k => f.cell.vectors.reduce((sum, v, axis) => sum + v[k] * ((f.image[c] >> 5 * axis & 31) - 16), 0);
            for (let k = 0; k < 3; k++)
                line[7 * c + 3 + k] = c < first ? x[3 * f.b[c] + k] + shift(k) : f.lo[k] - this.origin[k] + f.point[3 * (c - first) + k];
            line[7 * c + 6] = f.force[c] / 65535 * f.most;
        }
        return {n, line, a: f.a, b: f.b, most: f.most};
    }
}

/** The frames of a report: a text of base64, deflated. Frame by frame, numbers are the differences from the previous frame,
 * for bodies that both have; low and high bytes are apart. */
class StoredFrames {
    static async open(meta, text) {
        const letters = atob(text), bytes = new Uint8Array(letters.length);
        for (let i = 0; i < bytes.length; i++)
            bytes[i] = letters.charCodeAt(i);
        const all = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
        return new StoredFrames(meta, all);
    }

    constructor(meta, all) {
        let at = 0, before = null;
        const next = size => all.slice(at, at += size);
        this.decoder = Object.assign(new Decoder(meta.header), {groups: meta.groups});
        meta.shapes.forEach(size => this.decoder.shape(next(size)));
        const bodies = meta.bodies.map(size => this.decoder.body(next(size))), walls = meta.walls.map(next);
        this.blocks = meta.frames.map(([size, body, wall]) => {
            const f = parseFrame(StoredFrames.joined(next(size)), meta.header.dimension, meta.header.fields.length, bodies[body].n);
            StoredFrames.add(Object.assign(f, {body: bodies[body], wall: walls[wall]}), before);
            return before = f;
        });
    }

    /** Payload of its low bytes, its high bytes, after the head of 208 bytes. Differences are 0, -1, 1, -2 .. as 0, 1, 2, 3 .. */
    static joined(buffer) {
        const bytes = new Uint8Array(buffer), out = new Uint8Array(buffer.byteLength), half = (bytes.length - 208) / 2;
        const words = new Uint16Array(out.buffer, 208);
        out.set(bytes.subarray(0, 208));
        for (let i = 0; i < half; i++)
            words[i] = bytes[208 + i] | bytes[208 + half + i] << 8;
        return out.buffer;
    }

    /** Adds the frame before to the differences, by the row of the same id, or -1. */
    static add(f, before) {
        const rows = !before || f.body === before.body ? null : new Map(Array.from(before.body.id, (id, i) => [id, i]));
        const from = rows && Int32Array.from(f.body.id, id => rows.get(id) ?? -1);
        const one = (now, then, nNow, nThen) => {
            for (let c = 0; c * nNow < now.length; c++)
                for (let i = 0; i < nNow; i++) {
                    const row = from ? from[i] : i, k = now[c * nNow + i];
                    now[c * nNow + i] = (row < nThen && row >= 0 ? then[c * nThen + row] : 0) + (k >> 1 ^ -(k & 1));
                }
        };
        one(f.low, before?.low, f.nFree, before ? before.nFree : 0);
        f.values.forEach((v, k) => one(v.k, before?.values[k].k, f.body.n, before ? before.body.n : 0));
    }

    get count() { return this.blocks.length; }

    frame(k) { return this.decoder.frame(this.blocks[k], this.blocks[k].body, this.blocks[k].wall); }
}
