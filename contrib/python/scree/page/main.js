// SPDX-License-Identifier: Apache-2.0
// The page: parts of a report, and the player of frames, for which it needs a source with count and frame(k).

/** Slider, play button and choices around a view. */
class Player {
    constructor(place, source, decoder, follow) {
        Object.assign(this, {source, follow, at: 0, wanted: 0, playing: false});
        const header = decoder.header, names = {fields: header.fields, groups: decoder.groups, materials: header.materials};
        const canvas = make("canvas", {tabindex: 0, role: "img", "aria-label": "bodies; arrow keys turn, plus and minus zoom, a click marks a body"}), overlay = make("canvas", {"aria-hidden": "true"});
        this.picked = make("div", {class: "picked", "aria-live": "polite"});
        this.slider = make("input", {type: "range", min: 0, max: Math.max(0, source.count - 1), value: 0, step: 1, "aria-label": "frame", oninput: () => this.show(Number(this.slider.value))});
        this.time = make("output", {"aria-label": "time"});
        this.button = make("button", {type: "button", "aria-label": "play", onclick: () => this.play(!this.playing)}, "▶");
        this.speed = make("select", {"aria-label": "frames per second", onchange: () => this.play(this.playing)}, ...[5, 10, 20, 30, 60].map(v => make("option", {value: v}, `${v}/s`)));
        this.speed.value = "20";
        place.append(make("div", {class: "stage"}, canvas, overlay, this.picked), make("div", {class: "controls"}, this.button, this.slider, this.time, this.speed));
        this.view = new View(canvas, overlay, decoder.dimension, decoder.shapes, names);
        this.view.onpick = rows => this.picked.replaceChildren(...rows ? [table(null, rows, {heads: true, label: "marked body"})] : []);
        place.append(this.choices = make("div", {class: "controls"}));
        const kinds = [...names.fields.map(one => one.name), "group", "material", "shape"];
        this.view.colouring = kinds[0];
        this.choose("colour", kinds, value => { this.view.colouring = value; });
        this.check("walls", true, on => { this.view.walls = on; });
        if (header.contacts)
            this.check("force chains", false, on => { this.view.chains = on; });
        for (const [name, yaw, pitch] of decoder.dimension === 2 ? [["reset view", 0, Math.PI / 2]] : [["front", 0, 0], ["side", Math.PI / 2, 0], ["top", 0, Math.PI / 2], ["oblique", 0.5, 0.35]])
            this.choices.append(make("button", {type: "button", onclick: () => this.view.look(yaw, pitch)}, name));
        this.choices.append(make("button", {type: "button", onclick: () => this.picture()}, "picture"));
    }

    choose(label, values, set) {
        const select = make("select", {onchange: () => { set(select.value); this.view.redraw(); }}, ...values.map(v => make("option", {value: v}, v)));
        this.choices.append(make("label", {}, `${label} `, select));
        return select;
    }

    check(label, on, set) {
        const box = make("input", {type: "checkbox", onchange: () => { set(box.checked); this.view.redraw(); }});
        box.checked = on;
        this.choices.append(make("label", {}, box, ` ${label}`));
        return box;
    }

    /** Shows frame k; while one is being fetched, only the newest wish is kept. */
    async show(k) {
        this.wanted = k;
        if (this.busy)
            return;
        this.busy = true;
        try {
            for (let now = -1; now !== this.wanted && this.source.count;) {
                this.wanted = now = Math.max(0, Math.min(this.wanted, this.source.count - 1));
                const frame = await this.source.frame(now);
                this.at = this.slider.value = now;
                this.time.textContent = `${number(frame.time)} s, step ${frame.step}, ${frame.nFree} free bodies`;
                this.view.setFrame(frame);
                if (this.view.picked !== null)
                    this.view.onpick(this.view.described());
                this.follow(frame);
            }
        } finally {
            this.busy = false;
        }
    }

    play(on) {
        this.playing = on;
        this.button.textContent = on ? "❚❚" : "▶";
        this.button.setAttribute("aria-label", on ? "pause" : "play");
        clearInterval(this.timer);
        this.timer = on ? setInterval(() => this.show((this.at + 1) % this.source.count), 1000 / Number(this.speed.value)) : 0;
    }

    /** Hands out what is seen as a file; the canvas holds its picture only until the browser has shown it. */
    picture() {
        const {canvas, overlay} = this.view, whole = make("canvas", {width: canvas.width, height: canvas.height});
        this.view.draw();
        [canvas, overlay].forEach(one => whole.getContext("2d").drawImage(one, 0, 0));
        whole.toBlob(blob => {
            const link = make("a", {href: URL.createObjectURL(blob), download: "scree.png"});
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        });
    }
}

/** Colours of walls: a column of a table of observer `wall`, whose rows are [time index][id, facet]. */
function offerWalls(player, walls) {
    let k = 0;
    const rows = new Map(walls.id.map((id, row) => [`${id} ${walls.facet[row]}`, row]));
    player.choose("walls by", ["none", ...Object.keys(walls.columns)], name => {
        const column = walls.columns[name], all = column && column.flat().filter(v => v !== null);
        player.view.tint = column ? {name, unit: walls.units[name], range: [Math.min(0, ...all), Math.max(...all)], value: (id, facet) => column[k][rows.get(`${id} ${facet}`)]} : null;
    });
    return time => { k = Math.max(0, walls.times.findLastIndex(v => v <= time * (1 + 1e-9))); };
}

/** A section for each part of a page that has contents. The result shows the values of a run at a time in its plots. */
function sections(page, parts) {
    const followed = [];
    for (const part of parts) {
        const own = part.columns ? plots(part) : (part.plots || []).map(one => new Plot(one)), block = (name, all) => all.length ? make("div", {class: name}, ...all) : null;
        followed.push(...part.columns ? own : []);
        page.append(section(part.title, part.text && make("p", {}, part.text), part.pre && make("pre", {}, part.pre), part.shares?.length && bars(part.shares, "s"),
            part.rows?.length && table(part.head, part.rows, {sort: Boolean(part.head), heads: true, label: part.title}), block("plots", own.map(one => one.element)),
            block("gallery", (part.pictures || []).map(one => picture(...one))), ...(part.folded || []).map(([name, text]) => make("details", {}, make("summary", {}, name), make("pre", {}, text)))) || "");
    }
    return time => followed.forEach(one => one.follow(time));
}

async function startReport() {
    const data = JSON.parse(document.getElementById("data").textContent), page = document.querySelector("main"), text = document.getElementById("frames");
    const place = make("section", {"aria-label": "view", hidden: ""});
    document.title = data.title;
    page.append(make("header", {}, make("h1", {}, data.title), make("p", {}, data.lead)), ...data.warnings.map(text => make("p", {class: "warning"}, text)), place);
    const follow = sections(page, data.parts);
    place.hidden = !data.notes;
    place.append(...(data.notes || []).map(one => make("p", {class: "note"}, one)));
    if (!text)
        return;
    try {
        const source = await StoredFrames.open(data.frames, text.textContent.trim());
        const player = window.player = new Player(place, source, source.decoder, frame => { walls?.(frame.time); follow(frame.time); });
        const walls = data.walls && offerWalls(player, data.walls);
        for (const [name, range] of Object.entries(data.ranges))
            player.view.ranges.set(name, Object.assign(range, {fixed: true}));
        await player.show(0);
    } catch (error) {
        place.append(make("p", {class: "warning"}, `The frames cannot be shown: ${error.message}`));
    }
}
