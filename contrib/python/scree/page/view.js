// SPDX-License-Identifier: Apache-2.0
// Draws a frame with WebGL2: balls as points with the depth of a sphere, other shapes as triangles, contacts as lines.
// It does not know where frames come from: view.setFrame(frame).

const VIRIDIS = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
const GROUPS = [[76, 120, 168], [245, 133, 24], [84, 162, 75], [228, 87, 86], [114, 183, 178], [178, 121, 162], [238, 202, 59], [157, 117, 93]];
const MIDDLE = [0, 0, 0], GREY = [165, 172, 180], WALL = [118, 128, 142], MARKED = [255, 40, 160];

const VIEW = `uniform mat3 axes; uniform vec3 centre; uniform vec3 scale; uniform float pixels;
vec3 turned(vec3 p) { return axes * (p - centre); }
vec4 placed(vec3 p) { return vec4(p * scale, 1.0); }`;
const SHADERS = {
    ball: [`layout(location=0) in vec3 place; layout(location=1) in float radius; layout(location=2) in vec4 colour; out vec3 shade; out float depth;
void main() { vec3 p = turned(place); gl_Position = placed(p); gl_PointSize = max(1.5, 2.0 * radius * pixels);
shade = colour.rgb; depth = -radius * scale.z * 0.5; }`,
    `in vec3 shade; in float depth; uniform float flat_; out vec4 pixel;
void main() { vec2 d = gl_PointCoord * 2.0 - 1.0; float h = dot(d, d); if (h > 1.0) discard; float z = sqrt(1.0 - h);
gl_FragDepth = gl_FragCoord.z - z * depth;
float light = flat_ > 1.5 ? 1.0 : flat_ > 0.5 ? (h > 0.8 ? 0.72 : 1.0) : 0.38 + 0.62 * max(0.0, dot(vec3(d.x, -d.y, z), vec3(-0.37, 0.56, 0.74)));
pixel = vec4(shade * light, 1.0); }`],
    mesh: [`layout(location=0) in vec3 point; layout(location=1) in vec3 normal; layout(location=2) in vec4 tint;
layout(location=3) in vec3 place; layout(location=4) in vec4 turn; layout(location=5) in float size; layout(location=6) in vec4 colour;
uniform float alpha; uniform float flat_; flat out vec4 paint; vec3 rotated(vec3 p) { return p + 2.0 * cross(turn.yzw, cross(turn.yzw, p) + turn.x * p); }
void main() { gl_Position = placed(turned(place + size * rotated(point)));
vec3 up = axes * rotated(normal); float light = flat_ > 0.5 ? 1.0 : 0.38 + 0.62 * abs(dot(up, vec3(-0.37, 0.56, 0.74)));
paint = vec4((tint.a > 0.0 ? tint.rgb : colour.rgb) * light, min(1.0, alpha * (1.0 + 1.6 * (1.0 - abs(up.z))))); }`,
    `flat in vec4 paint; out vec4 pixel; void main() { pixel = paint; }`],
    line: [`layout(location=0) in vec2 corner; layout(location=1) in vec3 a; layout(location=2) in vec3 b; layout(location=3) in float width;
uniform vec2 size; uniform float widest;
void main() { vec4 p = placed(turned(a)), q = placed(turned(b)); vec2 d = (q.xy - p.xy) * size; d = length(d) > 0.0 ? normalize(d) : vec2(1.0, 0.0);
gl_Position = mix(p, q, corner.x); gl_Position.xy += vec2(-d.y, d.x) * corner.y * max(0.6, width * widest) / size * 2.0; }`,
    `uniform vec4 paint; out vec4 pixel; void main() { pixel = paint; }`],
};

function rotate(q, at, p) {
    const [w, x, y, z] = q.subarray(at, at + 4), u = y * p[2] - z * p[1] + w * p[0], v = z * p[0] - x * p[2] + w * p[1], t = x * p[1] - y * p[0] + w * p[2];
    return [p[0] + 2 * (y * t - z * v), p[1] + 2 * (z * u - x * t), p[2] + 2 * (x * v - y * u)];
}

/** Triangles of a counterclockwise outline, which may be concave: a corner is cut off while its triangle holds no other one. */
function ears(points) {
    const left = points.slice(), found = [], side = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const corner = k => [left.at(k - 1), left[k], left[(k + 1) % left.length]];
    const ear = ([a, b, c]) => side(a, b, c) > 0 && left.every(p => p === a || p === b || p === c || side(a, b, p) < 0 || side(b, c, p) < 0 || side(c, a, p) < 0);
    while (left.length > 2) {
        const k = Math.max(0, left.findIndex((_, k) => ear(corner(k)))); // none: the rest has no area but by round-off
        found.push(corner(k));
        left.splice(k, 1);
    }
    return found;
}

/** A number with four digits. */
function number(v) {
    const short = Number(v.toPrecision(4)), size = Math.abs(short);
    return !Number.isFinite(v) ? "none" : size && (size < 1e-3 || size >= 1e6) ? short.toExponential() : String(short);
}

class View {
    /** `shapes`: Map of the decoder; `names`: {fields: [{name, unit}], groups, materials}. */
    constructor(canvas, overlay, dimension, shapes, names) {
        Object.assign(this, {canvas, overlay, dimension, shapes, names, colouring: "", ranges: new Map(), chains: false, walls: true, tint: null,
            picked: null, onpick: () => {}, models: new Map()});
        const trial = make("canvas").getContext("webgl2"), info = trial?.getExtension("WEBGL_debug_renderer_info");
        const byCpu = info && /swiftshader|llvmpipe|software/i.test(trial.getParameter(info.UNMASKED_RENDERER_WEBGL)); // smooth edges of meshes take half of its time
        this.gl = canvas.getContext("webgl2", {alpha: false, antialias: !byCpu});
        if (!this.gl)
            throw new Error("this browser offers no WebGL2");
        this.programs = Object.fromEntries(Object.entries(SHADERS).map(([name, texts]) => [name, this.program(...texts)]));
        this.buffers = new Map();
        [this.yaw, this.pitch] = dimension === 2 ? [0, Math.PI / 2] : [0.5, 0.35];
        this.listen();
        new ResizeObserver(() => {
            const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(size => Math.round(size * devicePixelRatio));
            [canvas, overlay].forEach(one => Object.assign(one, {width, height}));
            this.draw();
        }).observe(canvas);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }

    program(vertex, fragment) {
        const gl = this.gl, made = gl.createProgram();
        for (const [type, text] of [[gl.VERTEX_SHADER, VIEW + vertex], [gl.FRAGMENT_SHADER, fragment]]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${text}`);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
                throw new Error(gl.getShaderInfoLog(shader));
            gl.attachShader(made, shader);
        }
        gl.linkProgram(made);
        return {made, uniform: name => gl.getUniformLocation(made, name)};
    }

    // ---- what is drawn ----

    setFrame(frame) {
        this.frame = frame;
        this.box || this.fit();
        this.redraw();
    }

    redraw() { this.prepare(); this.draw(); }

    /** The box of the free bodies and of walls near them: what the camera looks at. */
    fit() {
        const f = this.frame, lo = [Infinity, Infinity, Infinity], hi = lo.map(v => -v);
        let near = null;
        const add = (p, r) => p.forEach((v, c) => { lo[c] = Math.min(lo[c], v - r); hi[c] = Math.max(hi[c], v + r); });
        for (let i = 0; i < f.n; i++) {
            const shape = this.shapes.get(f.body.shape[i]), place = f.x.subarray(3 * i, 3 * i + 3), scale = f.body.scale[i];
            if (i === f.nFree && i)
                near = [lo.slice(), hi.slice(), 0.4 * Math.max(...hi.map((v, c) => v - lo[c]))];
            if (shape.kind === "ball" || i < f.nFree)
                add(Array.from(place), scale * shape.radius);
            else
                for (let k = 0; k < shape.points.length && shape.kind !== "plane"; k += shape.width)
                    add(rotate(f.q, 4 * i, [0, 1, 2].map(c => c < shape.width ? shape.points[k + c] * scale : 0)).map((v, c) => v + place[c]), 0);
        }
        for (let c = 0; near && c < 3; c++)
            [lo[c], hi[c]] = [Math.max(lo[c], near[0][c] - near[2]), Math.min(hi[c], near[1][c] + near[2])];
        for (let c = 0; c < 3 && lo[0] === Infinity; c++)
            if (Number.isFinite(f.cell.lo[c] + f.cell.hi[c]))
                add([0, 1, 2].map(k => (k === c ? f.cell.lo[k] : (f.cell.lo[k] + f.cell.hi[k]) / 2 || 0) - f.origin[k]), 0);
        this.box = lo[0] <= hi[0] ? [lo, hi] : [[-1, -1, -1], [1, 1, 1]];
        this.centre = this.box[0].map((v, c) => (v + this.box[1][c]) / 2 || 0);
        this.reach = Math.hypot(...this.box[0].map((v, c) => this.box[1][c] - v)) / 2 || 1;
        this.zoom = this.dimension === 2 ? Math.max(...this.box[0].map((v, c) => (this.box[1][c] - v) / 2)) || 1 : this.reach;
    }

    /** The arrays of balls and of the other shapes, in these colours. */
    prepare(colours = this.colours(this.frame)) {
        const f = this.frame, others = new Map(), {x, q, body: {shape, scale}} = f, shapes = [];
        this.shapes.forEach((one, k) => { shapes[k] = one; });
        const n = shape.reduce((sum, k) => sum + shapes[k].balls.length / 4, 0), real = new Float32Array(5 * n), bits = new Uint32Array(real.buffer);
        let at = 0;
        for (let i = 0; i < f.n; i++) {
            const {kind, balls} = shapes[shape[i]], s = scale[i];
            for (let k = 0; k < balls.length; k += 4, at += 5) {
                const [u, v, w] = kind === "ball" ? MIDDLE : rotate(q, 4 * i, balls.subarray(k, k + 3));
                real[at] = x[3 * i] + s * u;
                real[at + 1] = x[3 * i + 1] + s * v;
                real[at + 2] = x[3 * i + 2] + s * w;
                real[at + 3] = s * balls[k + 3];
                bits[at + 4] = colours[i];
            }
            if (!balls.length && (i < f.nFree || this.walls)) {
                const key = i < f.nFree ? kind + shape[i] : this.tint ? -i : shape[i]; // with a tint each wall has colours of its own
                (others.get(key) || others.set(key, []).get(key)).push(i);
            }
        }
        this.balls = {n, data: real};
        this.others = Array.from(others, ([, rows]) => this.instances(f, this.shapes.get(shape[rows[0]]), rows, colours));
    }

    instances(f, shape, rows, colours) {
        const real = new Float32Array(9 * rows.length), bits = new Uint32Array(real.buffer);
        rows.forEach((i, k) => {
            real.set(f.x.subarray(3 * i, 3 * i + 3), 9 * k);
            real.set(f.q.subarray(4 * i, 4 * i + 4), 9 * k + 3);
            real[9 * k + 7] = shape.kind === "plane" ? 3 * this.reach : f.body.scale[i];
            bits[9 * k + 8] = colours[i];
            if (shape.kind === "plane") { // its square is around the middle of the picture
                const up = rotate(f.q, 4 * i, shape.points), far = up.reduce((sum, v, c) => sum + v * (this.centre[c] - f.x[3 * i + c]), 0);
                up.forEach((v, c) => { real[9 * k + c] = this.centre[c] - v * far; });
            }
        });
        return {shape, rows, data: real, solid: rows[0] < f.nFree};
    }

    /** The colour of each body, its 4 bytes as a number. */
    colours(f) {
        const out = new Uint32Array(f.n).fill(packed(GREY)).fill(packed(WALL), f.nFree), field = this.field(), list = f.body[this.colouring];
        for (let i = 0; i < f.nFree; i++)
            out[i] = field ? level(field.value[i], field.range, out[i]) : KINDS[(list ? list[i] : 0) % KINDS.length];
        if (this.row() >= 0)
            out[this.row()] = packed(MARKED);
        return out;
    }

    /** The field that colours bodies, null if none does; its range is given by the caller, or that of the frames so far. */
    field() {
        const at = this.names.fields.findIndex(one => one.name === this.colouring), value = this.frame.fields[at], range = this.ranges.get(this.colouring) || [Infinity, -Infinity];
        for (let i = 0; value && !range.fixed && i < this.frame.nFree; i++) {
            range[0] = value[i] < range[0] ? value[i] : range[0];
            range[1] = value[i] > range[1] ? value[i] : range[1];
        }
        this.ranges.set(this.colouring, range);
        return value ? {...this.names.fields[at], range, value} : null;
    }

    /** The row of the marked body, or -1. */
    row() { return this.picked === null ? -1 : this.frame.body.id.indexOf(this.picked); }

    /** Triangles of a shape, made once. `facets`: the facet of each corner. */
    model(shape) {
        if (this.models.has(shape.number))
            return this.models.get(shape.number);
        const corners = [], p = k => [0, 1, 2].map(c => c < shape.width ? shape.points[shape.width * k + c] : 0), facets = [];
        const triangle = (a, b, c, facet) => {
            const [u, v] = [b, c].map(one => one.map((value, k) => value - a[k])), n = [1, 2, 0].map((k, m) => u[k] * v[(m + 2) % 3] - u[(m + 2) % 3] * v[k]), unit = n.map(one => one / (Math.hypot(...n) || 1));
            corners.push(...a, ...unit, ...b, ...unit, ...c, ...unit);
            facets.push(facet, facet, facet);
        };
        const strip = (a, b, c, d, facet) => { triangle(a, b, c, facet); triangle(a, c, d, facet); };
        if (shape.kind === "mesh")
            for (let t = 0; t < shape.cells.length / 3; t++)
                triangle(p(shape.cells[3 * t]), p(shape.cells[3 * t + 1]), p(shape.cells[3 * t + 2]), shape.facets[t]);
        else if (shape.kind === "outline")
            ears(Array.from({length: shape.points.length / 2}, (_, k) => p(k))).forEach(corner => triangle(...corner));
        else if (shape.kind === "segments")
            for (let k = 0; k < shape.cells.length / 2; k++) { // a strip as thin as a hundredth of the picture
                const a = p(shape.cells[2 * k]), b = p(shape.cells[2 * k + 1]), l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, w = this.reach / 250;
                const s = [(a[1] - b[1]) / l * w, (b[0] - a[0]) / l * w, 0], add = (u, v, f) => u.map((one, c) => one + f * v[c]);
                strip(add(a, s, 1), add(a, s, -1), add(b, s, -1), add(b, s, 1), shape.facets[k]);
            }
        else {
            const n = Array.from(shape.points), u = this.dimension === 2 ? [-n[1], n[0], 0] : Math.abs(n[0]) < 0.6 ? [0, n[2], -n[1]] : [-n[2], 0, n[0]];
            const v = this.dimension === 2 ? n.map(c => c / 400) : [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
            const at = (a, b) => u.map((c, k) => (a * c + b * v[k]) / Math.hypot(...u));
            strip(at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
        }
        return this.models.set(shape.number, {n: facets.length, real: Float32Array.from(corners), facets}).get(shape.number);
    }

    /** Sets an array of the graphics card; attributes are [location, numbers, type, stride, offset, divisor]. */
    feed(name, data, attributes) {
        const gl = this.gl, buffer = this.buffers.get(name) || this.buffers.set(name, gl.createBuffer()).get(name);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STREAM_DRAW);
        for (const [location, size, type, stride, offset, divisor] of attributes) {
            gl.enableVertexAttribArray(location);
            gl.vertexAttribPointer(location, size, type, type === gl.UNSIGNED_BYTE, stride, offset);
            gl.vertexAttribDivisor(location, divisor);
        }
    }

    draw() {
        const gl = this.gl, ratio = devicePixelRatio, style = getComputedStyle(this.canvas), paper = style.backgroundColor.match(/\d+/g);
        const {width: w, height: h} = this.canvas;
        gl.clearColor(...paper.slice(0, 3).map(v => v / 255), 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        if (!this.frame || !w)
            return;
        const depth = 4 * (this.reach + Math.hypot(...this.centre.map((v, c) => v - (this.box[0][c] + this.box[1][c]) / 2)));
        this.pixels = Math.min(w, h) / 2 / this.zoom / 1.05;
        this.scale = [2 * this.pixels / w, 2 * this.pixels / h, -1 / depth];
        gl.viewport(0, 0, w, h);
        gl.enable(gl.DEPTH_TEST);
        const flat = Number(this.dimension === 2), alpha = flat || (this.tint ? 0.5 : 0.24);
        this.drawSolids(flat);
        this.drawLines();
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(Boolean(flat));
        this.drawMeshes(false, flat, one => one.shape.kind === "plane" && !flat ? 0.15 : alpha);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
        this.drawOverlay(ratio);
    }

    /** Balls and free bodies. `flat`: 0 with light, 1 with a rim, 2 in their plain colours. */
    drawSolids(flat) {
        const gl = this.gl;
        this.use("ball", flat);
        this.feed("balls", this.balls.data, [[0, 3, gl.FLOAT, 20, 0, 0], [1, 1, gl.FLOAT, 20, 12, 0], [2, 4, gl.UNSIGNED_BYTE, 20, 16, 0]]);
        gl.drawArrays(gl.POINTS, 0, this.balls.n);
        this.drawMeshes(true, flat, () => 1);
    }

    /** Meshes of free bodies (`solid`) or of walls; alpha(one) of 0: not drawn. */
    drawMeshes(solid, flat, alpha) {
        const gl = this.gl, F = gl.FLOAT, program = this.use("mesh", flat);
        for (const one of this.others.filter(one => one.solid === solid && alpha(one))) {
            const model = this.model(one.shape);
            gl.uniform1f(program.uniform("alpha"), alpha(one));
            this.feed(`model ${one.shape.number}`, model.real, [[0, 3, F, 24, 0, 0], [1, 3, F, 24, 12, 0]]);
            this.feed(`rows ${one.shape.number}`, one.data, [[3, 3, F, 36, 0, 1], [4, 4, F, 36, 12, 1], [5, 1, F, 36, 28, 1], [6, 4, gl.UNSIGNED_BYTE, 36, 32, 1]]);
            gl.disableVertexAttribArray(2);
            gl.vertexAttrib4f(2, 0, 0, 0, 0);
            if (!solid && this.tint && flat < 2)
                this.feed(`tint ${one.shape.number}`, this.tints(one, model), [[2, 4, gl.UNSIGNED_BYTE, 4, 0, 0]]);
            gl.drawArraysInstanced(gl.TRIANGLES, 0, model.n, one.rows.length);
        }
    }

    /** The rows of the matrix: to the right, up, towards the reader. */
    axes() {
        const [s, c, t, d] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
        return [[c, s, 0], [-s * t, c * t, d], [s * d, -c * d, t]];
    }

    /** Begins to draw with a program, which it returns. */
    use(name, flat) {
        const gl = this.gl, program = this.programs[name], rows = this.axes();
        gl.useProgram(program.made);
        gl.uniformMatrix3fv(program.uniform("axes"), false, [0, 1, 2].flatMap(c => rows.map(row => row[c])));
        gl.uniform3fv(program.uniform("centre"), this.centre);
        gl.uniform3fv(program.uniform("scale"), this.scale);
        gl.uniform1f(program.uniform("pixels"), this.pixels);
        gl.uniform1f(program.uniform("flat_"), flat);
        for (let k = 0; k < 7; k++)
            gl.disableVertexAttribArray(k);
        return program;
    }

    /** Colours of corners by this.tint: {value(id, facet), range}. */
    tints(one, model) {
        const id = this.frame.body.id[one.rows[0]];
        return Uint32Array.from(model.facets, facet => level(this.tint.value(id, facet), this.tint.range, 0));
    }

    drawLines() {
        const gl = this.gl, contacts = this.chains ? this.frame.contacts() : {n: 0}, dark = getComputedStyle(this.canvas).color.match(/\d+/g).slice(0, 3).map(v => v / 255);
        const program = this.use("line", 0), draw = (name, data, n, widest, paint) => {
            gl.uniform2f(program.uniform("size"), this.canvas.width, this.canvas.height);
            gl.uniform1f(program.uniform("widest"), widest * devicePixelRatio);
            gl.uniform4f(program.uniform("paint"), ...paint);
            this.feed("corners", new Float32Array([0, -1, 0, 1, 1, -1, 1, 1]), [[0, 2, gl.FLOAT, 8, 0, 0]]);
            this.feed(name, data, [[1, 3, gl.FLOAT, 28, 0, 1], [2, 3, gl.FLOAT, 28, 12, 1], [3, 1, gl.FLOAT, 28, 24, 1]]);
            gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, n);
        };
        const box = this.cellLines(this.frame.cell);
        draw("cell", box, box.length / 7, 1, [...dark, 1]);
        gl.disable(gl.DEPTH_TEST);
        if (contacts.n)
            draw("chains", contacts.line, contacts.n, 5 / contacts.most, [0.85, 0.1, 0.1, 1]);
        gl.enable(gl.DEPTH_TEST);
    }

    /** The twelve edges of a cell that repeats, four in 2D. */
    cellLines({lo, vectors}) {
        const v = vectors.filter(one => one.some(c => c)), lines = [], o = this.frame.origin;
        if (v.length < 2 || !lo.every((c, k) => Number.isFinite(c) || k >= this.dimension))
            return new Float32Array(0);
        for (let corner = 0; corner < 1 << v.length; corner++) {
            const a = [0, 1, 2].map(c => (Number.isFinite(lo[c]) ? lo[c] - o[c] : 0) + v.reduce((sum, one, k) => sum + (corner >> k & 1) * one[c], 0));
            v.filter((_, axis) => !(corner & 1 << axis)).forEach(one => lines.push(...a, ...a.map((c, k) => c + one[k]), 0));
        }
        return new Float32Array(lines);
    }

    /** Scale bar, axes, colour bar. */
    drawOverlay(ratio) {
        const g = this.overlay.getContext("2d"), [w, h] = [this.overlay.width / ratio, this.overlay.height / ratio], metre = this.pixels / ratio;
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, w, h);
        g.font = "12px system-ui, sans-serif";
        g.fillStyle = g.strokeStyle = getComputedStyle(this.canvas).color;
        const rough = 110 / metre, ten = 10 ** Math.floor(Math.log10(rough)), length = ten * [5, 2, 1].find(k => k * ten <= rough);
        const [unit, per] = [["m", 1], ["mm", 1e-3], ["µm", 1e-6], ["nm", 1e-9]].find(([, size]) => length >= size * 0.999) || ["m", 1];
        g.fillRect(14, h - 14, length * metre, 3);
        g.fillText(`${number(length / per)} ${unit}`, 14, h - 20);
        const rows = this.axes();
        ["x", "y", "z"].slice(0, this.dimension).forEach((name, c) => {
            const [x, y] = [34 + 24 * rows[0][c], 46 - 24 * rows[1][c]];
            g.stroke(new Path2D(`M34 46L${x} ${y}`));
            g.fillText(name, 34 + 33 * rows[0][c] - 3, 50 - 33 * rows[1][c]);
        });
        const bars = [this.field(), this.walls && this.tint].filter(one => one && Number.isFinite(one.range[0])); // no body, no range
        bars.forEach(({name, unit: of, range: [lo, hi]}, k) => {
            const x = w - 24 - 90 * k, top = 30, tall = Math.min(160, h - 90);
            for (let y = 0; y < tall; y++) {
                g.fillStyle = `rgb(${ramp(1 - y / tall)})`;
                g.fillRect(x, top + y, 12, 1.5);
            }
            g.fillStyle = g.strokeStyle;
            g.textAlign = "right";
            g.fillText(of ? `${name} [${of}]` : name, x + 12, top - 10);
            [0, 0.5, 1].forEach(part => g.fillText(number(lo + (hi - lo) * part), x - 5, top + 4 + tall * (1 - part)));
            g.textAlign = "left";
        });
    }

    // ---- mouse and keys ----

    listen() {
        const canvas = this.canvas, fingers = new Map();
        let moved = 0;
        canvas.addEventListener("pointerdown", e => { canvas.setPointerCapture(e.pointerId); fingers.set(e.pointerId, e); moved = 0; });
        canvas.addEventListener("pointermove", e => {
            moved += Math.abs(e.movementX) + Math.abs(e.movementY);
            if (fingers.has(e.pointerId))
                this.move(e.movementX, e.movementY, e.buttons & 6 || e.shiftKey || fingers.size > 1);
        });
        canvas.addEventListener("pointercancel", e => fingers.delete(e.pointerId));
        canvas.addEventListener("pointerup", e => { fingers.delete(e.pointerId) && moved < 4 && e.button === 0 && this.pick(e.offsetX, e.offsetY); });
        canvas.addEventListener("contextmenu", e => e.preventDefault());
        canvas.addEventListener("wheel", e => { e.preventDefault(); this.magnify(Math.exp(e.deltaY * 0.0015)); }, {passive: false});
        const [nearer, further] = [1 / 1.15, 1.15].map(factor => () => this.magnify(factor)), keys = {"+": nearer, "=": nearer, "-": further,
            ArrowLeft: () => this.move(-12, 0), ArrowRight: () => this.move(12, 0), ArrowUp: () => this.move(0, -12), ArrowDown: () => this.move(0, 12)};
        canvas.addEventListener("keydown", e => {
            if (keys[e.key]) {
                keys[e.key]();
                e.preventDefault();
            }
        });
    }

    /** Turns the view by a way of the mouse [pixels]; `pan`, and always in 2D: shifts it. */
    move(dx, dy, pan = false) {
        const rows = this.axes(), metre = this.pixels / devicePixelRatio;
        if (pan || this.dimension === 2)
            this.centre = this.centre.map((v, c) => v - rows[0][c] * dx / metre + rows[1][c] * dy / metre);
        else
            Object.assign(this, {yaw: this.yaw - dx * 0.008, pitch: Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.pitch + dy * 0.008))});
        this.draw();
    }

    magnify(factor) { this.zoom *= factor; this.draw(); }

    /** Looks along an axis, at everything. */
    look(yaw, pitch) { Object.assign(this, {yaw, pitch}); this.fit(); this.draw(); }

    /** Marks the body under a point of the canvas: its pixel is drawn with numbers of rows as colours. Walls count behind all others, planes never. */
    pick(px, py) {
        const gl = this.gl, seen = new Uint8Array(4), {width: w, height: h} = this.canvas, target = gl.createFramebuffer(), buffers = [];
        this.prepare(Uint32Array.from({length: this.frame.n}, (_, i) => (255 << 24 | i + 1) >>> 0));
        gl.bindFramebuffer(gl.FRAMEBUFFER, target);
        for (const [place, format] of [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]]) {
            buffers.push(gl.createRenderbuffer());
            gl.bindRenderbuffer(gl.RENDERBUFFER, buffers.at(-1));
            gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffers.at(-1));
        }
        gl.viewport(-Math.floor(px * devicePixelRatio), Math.floor(py * devicePixelRatio) + 1 - h, w, h);
        gl.clearColor(0, 0, 0, 0);
        for (const draw of [() => this.drawSolids(2), () => this.drawMeshes(false, 2, one => Number(one.shape.kind !== "plane"))])
            if (!seen[3]) {
                gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
                draw();
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, seen);
            }
        gl.deleteFramebuffer(target);
        buffers.forEach(one => gl.deleteRenderbuffer(one));
        this.picked = seen[3] ? this.frame.body.id[(seen[0] | seen[1] << 8 | seen[2] << 16) - 1] : null;
        this.redraw();
        this.onpick(this.described());
    }

    /** What the frame says of the marked body: [name, text] each; null: it is not there. */
    described() {
        const f = this.frame, i = this.row(), names = this.names;
        if (i < 0)
            return null;
        const place = Array.from(f.x.subarray(3 * i, 3 * i + this.dimension), (v, c) => number(v + f.origin[c])).join(", ");
        const rows = [["body", String(this.picked)], ["group", names.groups[f.body.group[i]] ?? ""], ["material", names.materials[f.body.material[i]] ?? ""],
            ["shape", this.shapes.get(f.body.shape[i]).name], ["size [m]", number(f.body.scale[i])], ["motion", ["free", "kinematic", "fixed"][f.body.motion[i]]], ["position [m]", place]];
        return rows.concat(names.fields.map((one, k) => [one.unit ? `${one.name} [${one.unit}]` : one.name, number(f.fields[k][i])]));
    }
}

/** The colour of a share of the range, [red, green, blue]. */
function ramp(part) {
    const t = Math.max(0, Math.min(1, part)) * (VIRIDIS.length - 1), k = Math.min(VIRIDIS.length - 2, Math.floor(t));
    return VIRIDIS[k].map((v, c) => Math.round(v + (t - k) * (VIRIDIS[k + 1][c] - v)));
}

function packed([r, g, b]) { return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }

/** The colour of a value in a range, its 4 bytes as a number; `none` where it is missing. */
function level(value, [lo, hi], none) {
    return value === null || value === undefined || value !== value ? none : LEVELS[Math.round(255 * Math.max(0, Math.min(1, (value - lo) / (hi - lo || 1))))];
}

const LEVELS = Uint32Array.from({length: 256}, (_, k) => packed(ramp(k / 255))), KINDS = GROUPS.map(packed);
