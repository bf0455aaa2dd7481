// The network on a canvas: links below, transfers that move above them, nodes that fill up on top.

import type { Schedule } from "./data";
import { links } from "./links";
import { nodesOf } from "./nodes";
import { theme, type Theme } from "./theme";
import { everyOf, story, transfers } from "./transfers";
import { CROWDED, tooFar, world, type Pick, type Shading, type View } from "./view";

export type { Pick, Shading } from "./view";

export class Stage implements View {
    readonly canvas = document.createElement("canvas");
    pick: Pick = null;
    shading: Shading = "plain";
    theme: Theme = theme();
    scale = 1;
    offset = { x: 0, y: 0 };
    private touched = false;
    private below: HTMLCanvasElement | null = null;
    readonly ratio = Math.min(2, window.devicePixelRatio || 1);

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
        this.below ??= links(this);
        g.drawImage(this.below, 0, 0);
        world(this, g);
        g.lineJoin = "round"; g.lineCap = "round";
        if (this.pick?.kind === "message") story(this, g, this.pick.id, step);
        transfers(this, g, step, share);
        nodesOf(this, g, step, share);
    }

    get crowded(): boolean { return this.data.channels > CROWDED; }

    /** What is not drawn of a step, in words. */
    leftOut(step: number): string {
        const every = step < this.data.shown ? everyOf(this, step) : 1;
        const parts = [this.shading === "plain" && tooFar(this) && "idle links, until you zoom in", every > 1 && `the transfers of all but every ${every}th sender, and of what you choose`];
        const said = parts.filter(Boolean);
        return said.length ? ` Not drawn, as too many: ${said.join("; ")}.` : "";
    }
}
