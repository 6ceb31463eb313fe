// SPDX-License-Identifier: Apache-2.0
// The page of `scree live`: frames come over a WebSocket, and the panel sends orders as messages in JSON (scree/live.py).

/** Messages over the socket: ask(order) gives the answer, frame(k) the blocks of a frame; the source of a Player. */
class Line {
    constructor(token, onevent) {
        Object.assign(this, {count: 0, numbers: 0, waits: new Map(), body: null, wall: null, decoder: null});
        this.socket = new WebSocket(`ws://${location.host}/ws`);
        this.socket.binaryType = "arraybuffer";
        this.socket.onopen = () => this.socket.send(token);
        this.socket.onmessage = message => this.take(message.data, onevent);
        this.socket.onclose = message => onevent({event: "closed", code: message.code});
    }

    /** An answer has the number of its question: as id, or where it is a frame in its first four bytes. */
    take(data, onevent) {
        const message = typeof data === "string" ? JSON.parse(data) : {id: new DataView(data).getUint32(0, true), ok: true, result: data};
        if (message.event)
            return onevent(message);
        const {resolve, reject} = this.waits.get(message.id);
        this.waits.delete(message.id);
        message.ok ? resolve(message.result) : reject(new Error(message.error));
    }

    ask(order) {
        this.socket.send(JSON.stringify({...order, id: ++this.numbers}));
        return new Promise((resolve, reject) => this.waits.set(this.numbers, {resolve, reject}));
    }

    async frame(k) { return this.decode(await this.ask({do: "frame", k})); }

    /** The frame of a message: blocks of shapes, bodies and walls only where they are new, FRAM last. */
    decode(buffer) {
        const view = new DataView(buffer), decoder = this.decoder;
        let frame = null;
        const take = {SHAP: part => decoder.shape(part), BODY: part => { this.body = decoder.body(part); }, WALL: part => { this.wall = part; },
            FRAM: part => { frame = decoder.frame(parseFrame(part, decoder.dimension, decoder.header.fields.length, this.body.n), this.body, this.wall); }};
        this.count = view.getUint32(4, true);
        for (let at = 8, n; at < buffer.byteLength; at += 16 + n + (8 - n % 8) % 8) {
            n = view.getUint32(at + 4, true);
            take[String.fromCharCode(...new Uint8Array(buffer, at, 4))](buffer.slice(at + 16, at + 16 + n));
        }
        return frame;
    }
}

/** Buttons, values and plugins of a run that is steered. */
class Panel {
    constructor(place, line) {
        const button = (name, act) => make("button", {type: "button", onclick: act}, name), note = () => make("p", {class: "note"});
        const field = (label, value = "", type = "text") => Object.assign(make("input", {type, "aria-label": label, placeholder: label, size: 12}), {value});
        const list = (label, act) => make("select", {"aria-label": label, onchange: act});
        Object.assign(this, {line, state: "", slots: [], kinds: {}, go: button("pause", () => this.send({do: this.state === "running" ? "pause" : "go"})),
            steps: field("number of steps", "1", "number"), moment: field("time to go on to"), param: list("parameter", () => this.describe()), value: field("new value"),
            help: note(), slot: list("slot", () => this.offer()), plugin: list("plugin", () => this.explain()), given: field("parameters of the plugin, as in a scene"),
            about: note(), where: field("box X0,Y0,Z0:X1,Y1,Z1 or ball X,Y,Z:R"), log: make("ol", {class: "log", "aria-label": "answers", "aria-live": "polite", reversed: ""})});
        place.append(make("div", {class: "controls"}, this.go, this.steps, button("step", () => this.send({do: "step", n: Number(this.steps.value)})),
            this.moment, button("until", () => this.send({do: "until", time: this.moment.value})), button("save", () => this.send({do: "save"})), button("quit", () => this.send({do: "quit"}))),
        section("Set", make("div", {class: "controls"}, this.param, this.value, button("set", () => this.send({do: "set", path: this.param.value, value: this.value.value}))), this.help),
        section("Swap", make("div", {class: "controls"}, this.slot, this.plugin, this.given, button("swap", () => this.send({do: "swap", set: this.text()})),
            button("compare here", () => this.send({do: "compare", a: "", b: this.text()}))), this.about),
        section("Query", make("div", {class: "controls"}, this.where, button("query", () => this.send({do: "query", where: this.where.value})))),
        section("Answers", this.log));
        this.load();
    }

    async load() {
        const {slots, kinds, dt} = Object.assign(this, await this.line.ask({do: "controls"}));
        this.params = [...slots.flatMap(one => one.live.map(p => ({...p, path: `${one.slot}.${p.name}`, now: one.given[p.name]}))),
            {path: "dt", unit: "s", help: "time step", now: String(dt), min: 0, min_open: true, max: null}, {path: "gravity", unit: "m/s^2", help: "as (x, y, z)"}];
        Panel.fill(this.param, this.params.map(p => p.path));
        Panel.fill(this.slot, slots.filter(one => one.kind in kinds && !["shape", "source"].includes(one.kind)).map(one => one.slot));
        this.describe();
        this.offer();
    }

    /** Sets the options of a list, and keeps the chosen one where it is still there. */
    static fill(select, names) {
        const before = select.value;
        select.replaceChildren(...names.map(name => make("option", {value: name}, name)));
        select.value = names.includes(before) ? before : names[0];
    }

    describe() {
        const p = this.params.find(one => one.path === this.param.value), bound = (v, open, word) => v === null || v === undefined ? "" : `, ${open ? word : `${word}=`} ${number(v)}`;
        this.help.textContent = `${p.help} [${p.unit || "-"}]${bound(p.min, p.min_open, ">")}${bound(p.max, p.max_open, "<")}${p.choices ? `: ${p.choices.map(one => one.name).join(", ")}` : ""}; now ${p.now ?? `${shown(p.default) || "not given"} (default)`}`;
        this.value.value = p.now ?? "";
    }

    current() { return this.slots.find(one => one.slot === this.slot.value); }

    offer() {
        Panel.fill(this.plugin, this.kinds[this.current().kind].map(one => one.id));
        this.plugin.value = this.current().id;
        this.explain();
    }

    explain() {
        const one = this.kinds[this.current().kind].find(p => p.id === this.plugin.value), now = this.current();
        this.about.textContent = one.help;
        this.given.value = one.id === now.id || now.kind === "force" ? Object.entries(now.given).map(([name, value]) => `${name} = ${value};`).join(" ") : "";
    }

    /** The change as `set` of an entry of the schedule. */
    text() {
        const {slot, kind} = this.current(), group = `{ plugin = "${this.plugin.value}"; ${this.given.value} }`, [key, name] = slot.split(/[.[\]]/);
        if (key === slot)
            return `${key} = ${group};`;
        const list = this.slots.filter(one => one.kind === kind).map(one => one.slot === slot ? group : "{ }");
        return slot.includes("[") ? `${key} = ( ${list.join(", ")} );` : `${key} = { ${name} = ${group}; };`;
    }

    /** Sends an order, and shows its answer. */
    async send(order) {
        const what = Object.values(order).map(String).filter(Boolean).join(" ");
        const rows = await this.line.ask(order).then(answer => Panel.rows(answer)).catch(error => [["refused", error.message]]);
        if (["swap", "set"].includes(order.do))
            await this.load();
        this.log.prepend(make("li", {}, make("p", {}, what), table(null, rows, {heads: true, label: `answer to ${what}`})));
    }

    static rows(answer, path = "") {
        return Object.entries(answer).flatMap(([name, value]) => value && typeof value === "object" && !Array.isArray(value) ? Panel.rows(value, `${path}${name} `)
            : Array.isArray(value) && value.some(one => one && typeof one === "object") ? value.flatMap((one, k) => Panel.rows(one, `${path}${name} ${k + 1} `))
                : name.startsWith("step_time") && value !== null ? [[`${path}${name} [us]`, 1e6 * value]] : [[path + name, value]]);
    }
}

async function startLive() {
    const page = document.querySelector("main"), place = make("section", {"aria-label": "view"}), controls = make("section", {"aria-label": "controls"});
    const title = make("h1", {}, "scree live"), lead = make("output", {"aria-label": "state"}, "connects"), failed = make("p", {class: "warning", hidden: ""});
    const fail = text => { failed.hidden = !text; failed.textContent = text; };
    page.append(make("header", {}, title, lead), failed, place, controls);
    let opening = null, panel = null;
    const line = new Line(location.hash.slice(1), async message => {
        if (message.event === "closed")
            fail(message.code === 1008 ? "The page needs the address that scree live has printed, with what is behind #." : "The run has closed the connection.");
        else if (message.event === "hello") {
            title.textContent = document.title = message.title;
            if (message.steered)
                panel = window.panel = new Panel(controls, line);
        } else
            await news(message);
    });
    const open = async () => {
        const {header, groups} = await line.ask({do: "header"});
        line.decoder = Object.assign(new Decoder(header), {groups});
        const player = window.player = new Player(place, line, line.decoder, () => {});
        player.newest = player.check("follow", true, () => {});
        player.slider.addEventListener("input", () => { player.newest.checked = false; });
        return player;
    };
    const news = async message => {
        const [count] = message.frames;
        lead.textContent = message.step === undefined ? `${count} frames` : `${message.state}, step ${message.step}${message.last_step ? ` of ${message.last_step}` : ""}, ${number(message.time)} s, ${message.step_time ? `${number(1e6 * message.step_time)} us a step` : "no step measured"}, ${count} frames`;
        fail(message.text || "");
        if (panel) {
            panel.state = message.state;
            panel.go.textContent = message.state === "running" ? "pause" : "go";
        }
        if (!count)
            return;
        const player = await (opening ||= open());
        line.count = count;
        player.slider.max = count - 1;
        if (player.newest.checked)
            await player.show(count - 1);
    };
}
