// SPDX-License-Identifier: Apache-2.0
// Texts and tables of a page. What they show comes from a run, so it is set as text, never as HTML.

/** A cell's text: numbers short, lists with commas. */
function shown(value) {
    if (Array.isArray(value))
        return value.map(shown).join(", ");
    return typeof value === "number" && !Number.isInteger(value) ? number(value) : typeof value === "boolean" ? value ? "yes" : "no" : String(value ?? "");
}

/** A table; `head`: names of columns, `rows`: lists of values. A click on a name sorts by it. */
function table(head, rows, options = {}) {
    const body = make("tbody"), fill = list => body.replaceChildren(...list.map(row => make("tr", {}, ...row.map((v, k) =>
        make(options.heads && k === 0 ? "th" : "td", {class: typeof v === "number" ? "number" : "", ...(options.heads && k === 0 ? {scope: "row"} : {})}, shown(v))))));
    let turn = 1;
    const sort = k => { turn = -turn; fill([...rows].sort((a, b) => turn * (typeof a[k] === "number" && typeof b[k] === "number" ? b[k] - a[k] : shown(b[k]).localeCompare(shown(a[k]))))); };
    fill(rows);
    const names = head && make("thead", {}, make("tr", {}, ...head.map((name, k) =>
        make("th", {scope: "col"}, options.sort ? make("button", {type: "button", onclick: () => sort(k), title: `sort by ${name}`}, name) : name))));
    return make("div", {class: "wide", tabindex: 0, role: "region", "aria-label": options.label || "table"}, make("table", {}, names, body));
}

/** A section with a heading; empty ones are left out. */
function section(title, ...children) {
    const inside = children.filter(Boolean);
    return inside.length ? make("section", {}, make("h2", {}, title), ...inside) : null;
}

/** Horizontal bars of shares: [[name, seconds]]. */
function bars(rows, unit) {
    const all = rows.reduce((sum, [, v]) => sum + v, 0) || 1;
    return make("div", {class: "bars"}, ...rows.map(([name, v]) => make("div", {}, make("span", {}, name), make("meter", {min: 0, max: 1, value: v / all, "aria-label": name}),
        make("span", {class: "number"}, `${number(v)} ${unit}, ${number(Math.round(1000 * v / all) / 10)} %`))));
}

/** A figure of the scene that has been drawn: data is base64 of a PNG, SVG. */
function picture(name, type, data) {
    return make("figure", {}, make("img", {alt: name, src: `data:${type};base64,${data}`, loading: "lazy"}), make("figcaption", {}, name));
}

/** The plots of a table of a run: each column of numbers over time. */
function plots({columns, units}) {
    return Object.entries(columns).filter(([key, y]) => key !== "time" && key !== "step" && y.some(v => v !== null))
        .map(([key, y]) => new Plot({title: key, names: {x: "time [s]", y: units[key] ? `${key} [${units[key]}]` : key}, series: [{label: key, x: columns.time, y}]}));
}
