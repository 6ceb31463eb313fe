// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as plots: a column each over time, whose cursor follows the slider; means with error bars over a key.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** A new element with attributes and children; texts are never read as HTML. */
function make(tag, attributes = {}, ...children) {
    const made = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        name in made && typeof value === "function" ? (made[name] = value) : made.setAttribute(name, value);
    made.append(...children.filter(one => one !== null && one !== undefined));
    return made;
}

/** At most n round numbers from lo to hi. */
function ticks(lo, hi, n) {
    const rough = (hi - lo) / n, ten = 10 ** Math.floor(Math.log10(rough)), step = ten * ([1, 2, 5, 10].find(k => k * ten >= rough) || 10);
    const found = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + 1e-9 * step && Number.isFinite(step) && found.length < 20; k++)
        found.push(Number((k * step).toPrecision(12)));
    return found;
}

/** A plot. `series`: [{label, x, y}], arrays with null for what is missing; those with low and high are points with error
 * bars. `names`: {x, y} with units. `log`: both axes are logarithmic; `ticks`: [[x, label]] instead of numbers. */
class Plot {
    constructor({title, names, series, log = false, ticks: labels}) {
        const all = keys => keys.flatMap(key => series.flatMap(one => one[key] || [])).filter(v => v !== null && (!log || v > 0)).map(v => log ? Math.log10(v) : v);
        const range = values => { // what changes only by round-off is flat
            const [lo, hi] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
            return hi - lo > 1e-9 * Math.abs(hi) ? [lo, hi] : [lo - (Math.abs(lo) || 1) / 2, hi + (Math.abs(hi) || 1) / 2];
        };
        const points = series.some(one => one.low);
        Object.assign(this, {series, log, labels, x: range(all(["x"])), y: range(all(["y", "low", "high"])), w: 320, h: 170});
        if (points)
            this.x = [this.x[0] - (this.x[1] - this.x[0]) / 20, this.x[1] + (this.x[1] - this.x[0]) / 20];
        const svg = this.svg = make("svg:svg", {viewBox: `0 0 ${this.w} ${this.h}`, role: "img", "aria-label": `${title}: ${names.y} over ${names.x}`});
        this.value = make("output");
        this.element = make("figure", {class: "plot"}, make("figcaption", {}, make("span", {}, title), this.value), svg);
        this.drawAxes(names);
        series.forEach((one, k) => { this.drawLine(one, k); points && this.drawPoints(one, k); });
        if (series.length > 1)
            this.element.append(make("p", {class: "key"}, ...series.map((one, k) => make("span", {class: `c${k % 8}`}, `● ${one.label} `))));
        this.cursor = make("svg:line", {class: "cursor", y1: 8, y2: this.h - 34, visibility: "hidden"});
        svg.append(this.cursor);
    }

    px(v) { v = this.log ? Math.log10(v) : v; return 52 + (v - this.x[0]) / (this.x[1] - this.x[0]) * (this.w - 62); }

    py(v) { v = this.log ? Math.log10(v) : v; return this.h - 34 - (v - this.y[0]) / (this.y[1] - this.y[0]) * (this.h - 44); }

    drawAxes(names) {
        const text = (x, y, words, anchor, more = {}) => make("svg:text", {x, y, "text-anchor": anchor, ...more}, words);
        const decades = ([lo, hi]) => Array.from({length: Math.ceil(hi) - Math.floor(lo) + 1}, (_, k) => 10 ** (Math.floor(lo) + k)).flatMap(v => hi - lo < 1.5 ? [v, 2 * v, 5 * v] : [v])
            .filter(v => Math.log10(v) >= lo && Math.log10(v) <= hi);
        const marks = (range, n) => this.log ? decades(range) : ticks(...range, n);
        for (const [v, label] of this.labels || marks(this.x, 5).map(v => [v, number(v)]))
            this.svg.append(make("svg:line", {class: "grid", x1: this.px(v), x2: this.px(v), y1: 8, y2: this.h - 34}), text(this.px(v), this.h - 21, label, "middle"));
        for (const v of marks(this.y, 4))
            this.svg.append(make("svg:line", {class: "grid", x1: 52, x2: this.w - 10, y1: this.py(v), y2: this.py(v)}), text(48, this.py(v) + 3, number(v), "end"));
        this.svg.append(text(this.w / 2 + 20, this.h - 6, names.x, "middle"), text(0, 0, names.y, "middle", {transform: `translate(9 ${this.h / 2 - 14}) rotate(-90)`}));
    }

    drawLine(one, k) {
        const d = one.x.map((x, i) => one.y[i] === null ? "" : `${i && one.y[i - 1] !== null ? "L" : "M"}${this.px(x).toFixed(1)} ${this.py(one.y[i]).toFixed(1)}`).join("");
        this.svg.append(make("svg:path", {class: `line c${k % 8}`, d}));
    }

    drawPoints(one, k) {
        one.x.forEach((x, i) => {
            const [px, y, lo, hi] = [this.px(x), one.y[i], one.low[i], one.high[i]];
            this.svg.append(make("svg:path", {class: `line c${k % 8}`, d: hi > lo ? `M${px} ${this.py(lo)}V${this.py(hi)}M${px - 4} ${this.py(lo)}h8M${px - 4} ${this.py(hi)}h8` : ""}),
                            make("svg:circle", {class: `dot c${k % 8}`, cx: px, cy: this.py(y), r: 3}, make("svg:title", {}, `${one.label}, ${number(x)}: ${number(y)}, ${number(lo)} to ${number(hi)}`)));
        });
    }

    /** Shows the value at a time: that of the last row up to it. */
    follow(time) {
        const {x, y} = this.series[0], k = x.findLastIndex(v => v <= time * (1 + 1e-12));
        this.value.textContent = k >= 0 && y[k] !== null ? number(y[k]) : "";
        ["x1", "x2"].forEach(name => this.cursor.setAttribute(name, this.px(time)));
        this.cursor.setAttribute("visibility", time >= this.x[0] && time <= this.x[1] ? "visible" : "hidden");
    }
}
