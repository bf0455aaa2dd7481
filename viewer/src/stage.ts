// The network on a canvas: links below, transfers that move above them, nodes that fill up on top.

import type { Schedule } from "./data";
import { colourOf, heat, theme, type Theme } from "./theme";

export type Pick = { kind: "node" | "channel" | "message"; id: number } | null;
/** Uses of a step beyond which each is drawn whole, all of a colour at once; beyond which only those of some senders. */
const MANY = 8000;
const MOST = 24_000;
/** Curves of one stroke; channels beyond which idle ones are seen only from near. */
const STROKE = 1000;
const CROWDED = 60_000;
/** The least size of a name beside a node, on the screen. */
const LEAST = 9;

export type Shading = "plain" | "use" | "bound";

export class Stage {
    readonly canvas = document.createElement("canvas");
    pick: Pick = null;
    shading: Shading = "plain";
    private theme: Theme = theme();
    private scale = 1;
    private offset = { x: 0, y: 0 };
    private touched = false;
    private below: HTMLCanvasElement | null = null;
    private readonly ratio = Math.min(2, window.devicePixelRatio || 1);

    constructor(readonly data: Schedule, private readonly changed: () => void, chosen: (pick: Pick) => void) {
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute("role", "img");
        this.canvas.style.aspectRatio = `${data.width} / ${data.height}`;
        new ResizeObserver(() => this.resized()).observe(this.canvas);
        this.listen(chosen);
    }

    /** Colours, shading or choice have changed. */
    refresh(): void { this.theme = theme(); this.below = null; this.changed(); }

    fit(): void { this.touched = false; this.resized(); }

    zoom(factor: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
        const next = Math.min(40, Math.max(0.02, this.scale * factor));
        this.offset = { x: x - (x - this.offset.x) * next / this.scale, y: y - (y - this.offset.y) * next / this.scale };
        this.scale = next; this.touched = true; this.below = null; this.changed();
    }

    pan(dx: number, dy: number): void {
        this.offset = { x: this.offset.x + dx, y: this.offset.y + dy };
        this.touched = true; this.below = null; this.changed();
    }

    private resized(): void {
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (!w || !h) return;
        this.canvas.width = Math.round(w * this.ratio); this.canvas.height = Math.round(h * this.ratio);
        if (!this.touched) {
            this.scale = Math.min(w / this.data.width, h / this.data.height, 2.2);
            this.offset = { x: (w - this.data.width * this.scale) / 2, y: (h - this.data.height * this.scale) / 2 };
        }
        this.below = null; this.changed();
    }

    private listen(chosen: (pick: Pick) => void): void {
        const { canvas } = this;
        let down: { x: number; y: number; moved: boolean } | null = null;
        canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY); }, { passive: false });
        canvas.addEventListener("pointerdown", (e) => { down = { x: e.offsetX, y: e.offsetY, moved: false }; canvas.setPointerCapture(e.pointerId); });
        canvas.addEventListener("pointermove", (e) => {
            if (!down) {
                const at = this.at(e.offsetX, e.offsetY);
                canvas.style.cursor = at ? "pointer" : "grab";
                canvas.title = at ? this.describe(at) : "";
                return;
            }
            if (!down.moved && Math.hypot(e.offsetX - down.x, e.offsetY - down.y) < 4) return;
            this.pan(e.offsetX - down.x, e.offsetY - down.y);
            down = { x: e.offsetX, y: e.offsetY, moved: true };
        });
        canvas.addEventListener("pointerup", (e) => {
            if (down && !down.moved) chosen(this.at(e.offsetX, e.offsetY));
            down = null;
        });
        canvas.addEventListener("dblclick", () => this.fit());
    }

    private describe(pick: NonNullable<Pick>): string {
        const d = this.data;
        if (pick.kind === "node") return `${d.isSwitch[pick.id] ? "switch" : "node"} ${d.label(pick.id)}`;
        return `channel ${pick.id}: ${d.label(d.from[pick.id])} → ${d.label(d.to[pick.id])}, used ${d.load[pick.id]} times`;
    }

    /** Where a node is on the canvas, for tests and for those who look by keyboard. */
    place(v: number): { x: number; y: number } {
        return { x: this.data.x[v] * this.scale + this.offset.x, y: this.data.y[v] * this.scale + this.offset.y };
    }

    /** What is at a point of the canvas: a node before a channel. */
    at(px: number, py: number): Pick {
        const d = this.data;
        const [x, y] = [(px - this.offset.x) / this.scale, (py - this.offset.y) / this.scale];
        let best = { far: d.radius + 4 / this.scale, id: -1 };
        const node = (v: number, vx: number, vy: number) => {
            const far = Math.hypot(x - vx, y - vy);
            if (far < best.far) best = { far, id: v };
        };
        for (let v = 0; v < d.nodes; v++) node(v, d.x[v], d.y[v]);
        for (const g of d.again) node(g.node, g.x, g.y);
        if (best.id >= 0) return { kind: "node", id: best.id };
        best = { far: 5 / this.scale, id: -1 };
        for (let c = 0; c < d.channels; c++) {
            for (let i = d.wires.start[c]; i < d.wires.start[c + 1]; i++) {
                const w = d.wire.subarray(6 * i, 6 * i + 6);
                const reach = best.far + Math.abs(w[0] - w[2]) + Math.abs(w[4] - w[2]) + Math.abs(w[1] - w[3]) + Math.abs(w[5] - w[3]);
                if (Math.abs(x - w[2]) > reach || Math.abs(y - w[3]) > reach) continue;
                for (let k = 0; k <= 24; k++) {
                    const [t, u] = [k / 24, 1 - k / 24];
                    const far = Math.hypot(x - (u * u * w[0] + 2 * u * t * w[2] + t * t * w[4]), y - (u * u * w[1] + 2 * u * t * w[3] + t * t * w[5]));
                    if (far < best.far) best = { far, id: c };
                }
            }
        }
        return best.id >= 0 ? { kind: "channel", id: best.id } : null;
    }

    /** Draws step `step` when a share of it has passed. */
    draw(step: number, share: number): void {
        const g = this.canvas.getContext("2d")!;
        g.setTransform(1, 0, 0, 1, 0, 0);
        this.below ??= this.links();
        g.drawImage(this.below, 0, 0);
        this.world(g);
        g.lineJoin = "round"; g.lineCap = "round";
        if (this.pick?.kind === "message") this.story(g, this.pick.id, step);
        this.transfers(g, step, share);
        this.nodesOf(g, step, share);
    }

    private world(g: CanvasRenderingContext2D): void {
        const k = this.scale * this.ratio;
        g.setTransform(k, 0, 0, k, this.offset.x * this.ratio, this.offset.y * this.ratio);
    }

    private curve(g: CanvasRenderingContext2D, c: number): void {
        const { wires, wire } = this.data;
        for (let i = 6 * wires.start[c]; i < 6 * wires.start[c + 1]; i += 6) {
            g.moveTo(wire[i], wire[i + 1]);
            // In networks so large nothing is bent.
            if (this.data.channels > CROWDED) g.lineTo(wire[i + 4], wire[i + 5]);
            else g.quadraticCurveTo(wire[i + 2], wire[i + 3], wire[i + 4], wire[i + 5]);
        }
    }

    /** Whether there are so many links that they would be one colour. */
    private tooFar(): boolean { return this.data.channels > CROWDED && this.data.radius * this.scale < 1.5; }

    /** Whether some of a channel may be on the canvas. */
    private seen(c: number): boolean {
        const { wires, wire } = this.data, { x, y } = this.offset, k = this.scale;
        for (let i = 6 * wires.start[c]; i < 6 * wires.start[c + 1]; i += 6) {
            const left = Math.min(wire[i], wire[i + 2], wire[i + 4]) * k + x, right = Math.max(wire[i], wire[i + 2], wire[i + 4]) * k + x;
            const top = Math.min(wire[i + 1], wire[i + 3], wire[i + 5]) * k + y, low = Math.max(wire[i + 1], wire[i + 3], wire[i + 5]) * k + y;
            if (right > -8 && low > -8 && left < this.canvas.clientWidth + 8 && top < this.canvas.clientHeight + 8) return true;
        }
        return false;
    }

    get crowded(): boolean { return this.data.channels > CROWDED; }

    /** The transfers of every so many-th sender are drawn. */
    private every(step: number): number { return Math.ceil(this.data.usesOf(step) / MOST); }

    /** What is not drawn of a step, in words. */
    leftOut(step: number): string {
        const every = step < this.data.shown ? this.every(step) : 1;
        const parts = [this.shading === "plain" && this.tooFar() && "idle links, until you zoom in", every > 1 && `the transfers of all but every ${every}th sender, and of what you choose`];
        const said = parts.filter(Boolean);
        return said.length ? ` Not drawn, as too many: ${said.join("; ")}.` : "";
    }

    /** Channels in one colour, some at a time: a canvas is slow with one path of very many curves. */
    private strokes(g: CanvasRenderingContext2D, channels: number[]): void {
        for (let i = 0; i < channels.length; i += STROKE) {
            g.beginPath();
            for (const c of channels.slice(i, i + STROKE)) this.curve(g, c);
            g.stroke();
        }
    }

    /** The links, drawn once until something changes. */
    private links(): HTMLCanvasElement {
        const canvas = document.createElement("canvas");
        canvas.width = this.canvas.width; canvas.height = this.canvas.height;
        const g = canvas.getContext("2d")!;
        const { data: d, theme: t } = this;
        g.fillStyle = t.ground; g.fillRect(0, 0, canvas.width, canvas.height);
        this.world(g);
        const thin = Math.max(0.8, 0.7 / this.scale);
        const counted = new Set(d.floor?.channels);
        const styles = new Map<string, number[]>();
        const far = this.shading === "plain" && this.tooFar();
        for (let c = 0; c < d.channels; c++) {
            if (far || !this.seen(c)) continue;
            // As in pictures: the area between links grows with what they carry.
            let key = `${t.idle} ${thin * Math.min(4, Math.sqrt(d.capacity[c] / d.leastCapacity))}`;
            if (this.shading === "use") key = `${heat(d.load[c] / d.maxLoad, t.dark).replaceAll(" ", "")} ${thin * (1 + 2.2 * d.load[c] / d.maxLoad)}`;
            if (this.shading === "bound" && d.floor) {
                const weight = d.floor.weights[c];
                if (weight !== undefined) key = weight > 0 ? `${t.cut} ${thin * (0.6 + 4.4 * weight)}` : `${t.idle} ${thin * 0.6}`;
                else if (counted.has(c)) key = `${t.cut} ${thin * 3.2}`;
            }
            const list = styles.get(key);
            if (list) list.push(c); else styles.set(key, [c]);
        }
        for (const [key, channels] of styles) {
            const [colour, width] = key.split(" ");
            g.strokeStyle = colour; g.lineWidth = Number(width);
            this.strokes(g, channels);
        }
        g.strokeStyle = t.idle; g.lineWidth = thin; g.setLineDash([4, 3]); g.beginPath();
        for (let i = 0; i < d.failed.length; i += 6) {
            const [ax, ay, mx, my, bx, by] = d.failed.slice(i, i + 6);
            g.moveTo(ax, ay); g.quadraticCurveTo(mx, my, bx, by);
        }
        g.stroke(); g.setLineDash([]);
        if (this.pick?.kind === "channel") {
            g.strokeStyle = t.accent; g.lineWidth = Math.max(5, 5 / this.scale); g.globalAlpha = 0.45;
            g.beginPath(); this.curve(g, this.pick.id); g.stroke();
        }
        return canvas;
    }

    /** All transfers of one message, those to come dashed. */
    private story(g: CanvasRenderingContext2D, m: number, step: number): void {
        const d = this.data;
        g.strokeStyle = this.theme.accent; g.lineWidth = Math.max(5, 4 / this.scale); g.globalAlpha = 0.35;
        for (let t = 0; t < d.transferStep.length; t++) {
            if (!d.messages.of(t).includes(m)) continue;
            g.setLineDash(d.transferStep[t] > step ? [3, 7] : []);
            g.beginPath();
            for (const c of d.path.of(t)) this.curve(g, c);
            g.stroke();
        }
        g.setLineDash([]); g.globalAlpha = 1;
    }

    private chosen(t: number, c: number): boolean {
        const d = this.data;
        switch (this.pick?.kind) {
            case undefined: return true;
            case "node": return d.sender(t) === this.pick!.id || d.receiver(t) === this.pick!.id || d.to[c] === this.pick!.id || d.from[c] === this.pick!.id;
            case "channel": return d.path.of(t).includes(this.pick!.id);
            case "message": return d.messages.of(t).includes(this.pick!.id);
        }
    }

    private transfers(g: CanvasRenderingContext2D, step: number, share: number): void {
        const d = this.data;
        if (step >= d.shown) return;
        const width = Math.max(d.radius * 0.22, 1.5 / this.scale);
        const colours = this.theme.transfers;
        // What shades the links must be seen under what moves on them.
        const strength = this.pick ? 1 : { plain: 1, use: 0.45, bound: 0.3 }[this.shading];
        if (d.usesOf(step) > MANY) return this.crowd(g, step, share, width, strength);
        // The more there is beside what was chosen, the paler it is.
        const rest = Math.min(1, 400 / d.usesOf(step));
        for (let u = d.useStart[step]; u < d.useStart[step + 1]; u++) {
            const t = d.useTransfer[u], hop = d.useHop[u], hops = d.path.count(t);
            const c = d.path.items[d.path.start[t] + hop];
            const bright = this.chosen(t, c);
            const colour = colourOf(d.rank[d.sender(t)], colours);
            g.strokeStyle = g.fillStyle = colour;
            // The way ahead is pale, what is done is bold; in time-division every channel has its slot to itself.
            const done = d.slots ? share : Math.min(1, Math.max(0, share * hops - hop));
            g.globalAlpha = strength * (bright ? 0.28 : 0.06 * rest); g.lineWidth = width;
            g.beginPath(); this.curve(g, c); g.stroke();
            if (done <= 0) continue;
            g.globalAlpha = strength * (bright ? 1 : 0.13 * rest);
            const first = d.wires.start[c], pieces = d.wires.count(c);
            const last = d.slots || hop === hops - 1;
            for (let i = 0; i < pieces; i++) {
                const part = Math.min(1, done * pieces - i);
                if (part > 0) this.piece(g, 6 * (first + i), part, width, (part < 1 || (last && i === pieces - 1)) );
            }
            if (hop === 0 || d.slots) {
                g.beginPath(); g.arc(d.wire[6 * first], d.wire[6 * first + 1], 1.25 * width, 0, 7); g.fill();
            }
        }
        g.globalAlpha = 1;
    }

    /** A step of very many uses: channels as far as their transfers have come, without heads; what is chosen in bold. */
    private crowd(g: CanvasRenderingContext2D, step: number, share: number, width: number, strength: number): void {
        const d = this.data, colours = this.theme.transfers;
        const every = this.every(step);
        const pale: number[][] = colours.map(() => []), bold: number[][] = colours.map(() => []);
        for (let u = d.useStart[step]; u < d.useStart[step + 1]; u++) {
            const t = d.useTransfer[u], hop = d.useHop[u];
            if (!d.slots && share * d.path.count(t) <= hop) continue;
            const c = d.path.items[d.path.start[t] + hop];
            const rank = d.rank[d.sender(t)], few = rank % every === 0;
            if (!few && !(this.pick && this.chosen(t, c)) || !this.seen(c)) continue;
            (this.chosen(t, c) ? bold : pale)[Math.floor(rank / every) % colours.length].push(c);
        }
        g.lineWidth = width; g.lineCap = "butt"; g.lineJoin = "bevel";
        for (const [lists, alpha] of [[pale, 0.06], [bold, 1]] as [number[][], number][]) {
            g.globalAlpha = strength * alpha;
            // Some of each colour in turn, so that none lies on top everywhere.
            const longest = Math.max(...lists.map((list) => list.length));
            for (let i = 0; i < longest; i += STROKE / 8) {
                lists.forEach((list, at) => { g.strokeStyle = colours[at]; this.strokes(g, list.slice(i, i + STROKE / 8)); });
            }
        }
        g.globalAlpha = 1;
    }

    /** A curve up to a share of it, with an arrow head at its tip. */
    private piece(g: CanvasRenderingContext2D, i: number, share: number, width: number, head: boolean): void {
        const w = this.data.wire;
        const mix = (a: number, b: number) => a + (b - a) * share;
        const [mx, my] = [mix(w[i], w[i + 2]), mix(w[i + 1], w[i + 3])];
        const [nx, ny] = [mix(w[i + 2], w[i + 4]), mix(w[i + 3], w[i + 5])];
        const [ex, ey] = [mix(mx, nx), mix(my, ny)];
        const angle = Math.atan2(ey - my, ex - mx), size = 3.1 * width;
        const back = head ? 0.8 * size : 0;
        g.beginPath(); g.moveTo(w[i], w[i + 1]);
        g.quadraticCurveTo(mx, my, ex - back * Math.cos(angle), ey - back * Math.sin(angle)); g.stroke();
        if (!head) return;
        g.beginPath(); g.moveTo(ex, ey);
        for (const side of [2.7, -2.7]) g.lineTo(ex + size * Math.cos(angle + side), ey + size * Math.sin(angle + side));
        g.closePath(); g.fill();
    }

    private nodesOf(g: CanvasRenderingContext2D, step: number, share: number): void {
        const { data: d, theme: t } = this;
        const small = d.radius * this.scale < 2.2;
        const r = small ? Math.max(d.radius, 1.6 / this.scale) : d.radius;
        const inCut = new Set(this.shading === "bound" ? d.floor?.nodes : []);
        const line = Math.max(1, 0.8 / this.scale);
        const one = (v: number, x: number, y: number, ghost: boolean) => {
            const picked = this.pick?.kind === "node" && this.pick.id === v;
            if (d.out[v]) return this.crossed(g, x, y, r, line);
            const role = d.isSwitch[v] ? "both" : d.role(v);
            const outline = () => {
                g.beginPath();
                if (d.isSwitch[v]) g.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
                else if (role === "sender") this.diamond(g, x, y, 1.35 * r);
                else g.arc(x, y, r, 0, 7);
            };
            outline();
            g.fillStyle = d.isSwitch[v] ? t.switch : inCut.has(v) ? t.cut : t.ground; g.fill();
            if (!d.isSwitch[v] && !inCut.has(v)) {
                // Of what it has to receive, the share that it has.
                const first = d.holds(v, 0), all = Math.max(d.mustHold(v), first);
                const full = all > first ? Math.min(1, (d.holds(v, share >= 1 ? step + 1 : step) - first) / (all - first)) : first ? 1 : 0;
                if (full > 0) {
                    // A glass that fills from below; what only sends is full from the start.
                    const half = Math.acos(1 - 2 * full);
                    if (role === "sender") outline();
                    else { g.beginPath(); g.arc(x, y, r, Math.PI / 2 - half, Math.PI / 2 + half); g.closePath(); }
                    g.fillStyle = t.fill; g.fill();
                }
                outline();
                if (role === "receiver") { g.moveTo(x + 0.75 * r, y); g.arc(x, y, 0.75 * r, 0, 7); }
            }
            g.strokeStyle = picked ? t.accent : t.ink; g.lineWidth = picked ? 3 * line : line;
            g.setLineDash(ghost ? [2, 2] : role === "neither" ? [1, 2] : []);
            g.stroke();
        };
        if (small && d.nodes > 2000) return this.dots(g, Math.max(d.radius, 0.5 / this.scale), step);
        for (let v = 0; v < d.nodes; v++) one(v, d.x[v], d.y[v], false);
        for (const ghost of d.again) one(ghost.node, ghost.x, ghost.y, true);
        g.setLineDash([]);
        this.names(g, inCut);
    }

    /** As wide as high, and a little larger than a circle, so that a label has room. */
    private diamond(g: CanvasRenderingContext2D, x: number, y: number, reach: number): void {
        g.moveTo(x - reach, y); g.lineTo(x, y - reach); g.lineTo(x + reach, y); g.lineTo(x, y + reach); g.closePath();
    }

    /** A node that has failed: a cross in a dashed circle. */
    private crossed(g: CanvasRenderingContext2D, x: number, y: number, r: number, line: number): void {
        g.strokeStyle = this.theme.idle; g.lineWidth = line;
        g.setLineDash([3, 2]); g.beginPath(); g.arc(x, y, r, 0, 7); g.stroke();
        g.setLineDash([]); g.beginPath();
        for (const side of [1, -1]) { g.moveTo(x - 0.7 * r, y - 0.7 * side * r); g.lineTo(x + 0.7 * r, y + 0.7 * side * r); }
        g.stroke();
    }

    /** The names of nodes where the layout has them; those beside nodes large enough to be read, where they touch no other then. */
    private names(g: CanvasRenderingContext2D, inCut: Set<number>): void {
        const { data: d, theme: t } = this;
        g.textAlign = "center"; g.textBaseline = "middle";
        const drawn: number[][] = [];
        for (const { node, text, x, y, size } of d.names) {
            const [dx, dy] = [x - d.x[node], y - d.y[node]];
            const beside = Math.hypot(dx, dy) > 1 && !d.again.some((a) => Math.hypot(x - a.x, y - a.y) < 1);
            const large = beside ? Math.max(size, LEAST / this.scale) : size;
            if (large * this.scale < 5.5 || large > 2.2 * size) continue;
            g.font = `${large}px "DejaVu Sans", system-ui, sans-serif`;
            // What is larger is farther from its node.
            const half = g.measureText(text).width / 2, more = (large - size) / 2;
            const at = Math.abs(dx) > 1 ? [x + Math.sign(dx) * half * (1 - size / large), y] : [x, y + (beside ? Math.sign(dy) * more : 0)];
            if (beside) {
                const box = [at[0] - half, at[1] - large / 2, at[0] + half, at[1] + large / 2];
                if (drawn.some((o) => box[0] < o[2] && o[0] < box[2] && box[1] < o[3] && o[1] < box[3])) continue;
                drawn.push(box);
            }
            if (beside || d.out[node]) { g.lineWidth = 2.5; g.strokeStyle = t.ground; g.strokeText(text, at[0], at[1] + 0.5); }
            g.fillStyle = inCut.has(node) && !d.isSwitch[node] && !beside ? t.ground : t.ink;
            g.fillText(text, at[0], at[1] + 0.5);
        }
    }

    /** Nodes too small to be filled from below: dots, those that have at least half of what they must receive in colour. */
    private dots(g: CanvasRenderingContext2D, r: number, step: number): void {
        const { data: d, theme: t } = this;
        const lists: [string, number[]][] = [[t.faint, []], [t.ink, []], [t.accent, []]];
        for (let v = 0; v < d.nodes; v++) {
            const first = d.holds(v, 0), full = 2 * d.holds(v, step + 1) >= first + Math.max(first, d.mustHold(v));
            lists[this.pick?.kind === "node" && this.pick.id === v ? 2 : full && !d.isSwitch[v] ? 1 : 0][1].push(v);
        }
        for (const [colour, list] of lists) {
            g.fillStyle = colour;
            for (const v of list) g.fillRect(d.x[v] - r, d.y[v] - r, 2 * r, 2 * r);
        }
    }
}
