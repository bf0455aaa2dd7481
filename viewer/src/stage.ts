// The network on a canvas: links below, transfers that move above them, nodes that fill up on top.

import type { Schedule } from "./data";
import { colourOf, heat, theme, type Theme } from "./theme";

export type Pick = { kind: "node" | "channel" | "message"; id: number } | null;
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
            g.quadraticCurveTo(wire[i + 2], wire[i + 3], wire[i + 4], wire[i + 5]);
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
        for (let c = 0; c < d.channels; c++) {
            let key = `${t.idle} ${thin}`;
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
            g.beginPath();
            for (const c of channels) this.curve(g, c);
            g.stroke();
        }
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
        // The more there is beside what was chosen, the paler it is.
        const rest = Math.min(1, 400 / d.usesOf(step));
        for (let u = d.useStart[step]; u < d.useStart[step + 1]; u++) {
            const t = d.useTransfer[u], hop = d.useHop[u], hops = d.path.count(t);
            const c = d.path.items[d.path.start[t] + hop];
            const bright = this.chosen(t, c);
            const colour = colourOf(d.sender(t), colours);
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
        const showText = d.radius * this.scale >= 8.5;
        g.textAlign = "center"; g.textBaseline = "middle";
        const one = (v: number, x: number, y: number, ghost: boolean) => {
            const picked = this.pick?.kind === "node" && this.pick.id === v;
            g.beginPath();
            if (d.isSwitch[v]) g.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r); else g.arc(x, y, r, 0, 7);
            g.fillStyle = d.isSwitch[v] ? t.switch : inCut.has(v) ? t.cut : t.ground; g.fill();
            if (!d.isSwitch[v] && !inCut.has(v)) {
                // Of what it has to receive, the share that it has.
                const first = d.holds(v, 0), all = Math.max(d.mustHold(v), first);
                const full = all > first ? Math.min(1, (d.holds(v, share >= 1 ? step + 1 : step) - first) / (all - first)) : first ? 1 : 0;
                if (full > 0) {
                    // A glass that fills from below.
                    const half = Math.acos(1 - 2 * full);
                    g.beginPath(); g.arc(x, y, r, Math.PI / 2 - half, Math.PI / 2 + half); g.closePath();
                    g.fillStyle = t.fill; g.fill();
                }
                g.beginPath(); g.arc(x, y, r, 0, 7);
            }
            g.strokeStyle = picked ? t.accent : t.ink; g.lineWidth = picked ? 3 * line : line;
            g.setLineDash(ghost ? [2, 2] : []);
            g.stroke();
            if (!showText) return;
            const name = d.label(v).length <= 4 ? d.label(v) : String(v);
            g.fillStyle = inCut.has(v) && !d.isSwitch[v] ? t.ground : t.ink;
            g.font = `${d.radius * (name.length > 3 ? 0.62 : 0.82)}px system-ui, sans-serif`;
            g.fillText(name, x, y + 0.5);
        };
        for (let v = 0; v < d.nodes; v++) one(v, d.x[v], d.y[v], false);
        for (const ghost of d.again) one(ghost.node, ghost.x, ghost.y, true);
        g.setLineDash([]);
    }
}
