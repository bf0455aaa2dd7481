// The page of simulations: channels as they carry flits, buffers as they fill, packets that wait, and a time axis.

import { Lists, unzip } from "./data";
import { count, el } from "./dom";
import { heat, theme, type Theme } from "./theme";

interface Run {
    name: string; ended: string; cycles: number; every: number; together: number;
    counts: number[]; channels: number[]; buffered: number[]; carried: number[]; blocked: number[];
    step_ends: number[]; circle: number[];
}
interface Raw {
    title: string; room: number; runs: Run[];
    network: { name: string; width: number; height: number; radius: number; xy: number[]; switches: number[]; labels: string[] | null; from: number[]; to: number[]; curves: number[]; wires: number[] };
}

/** Milliseconds that a whole run takes at speed 1. */
const WHOLE = 15_000;

/** One run on its canvases: the network above, the time axis below. */
class Pane {
    readonly network = el("canvas", { role: "img", tabindex: 0 });
    readonly axis = el("canvas", { class: "grid", role: "img" });
    readonly status = el("p", { class: "status" });
    readonly card: HTMLElement;
    private readonly starts: number[] = [0];
    /** Where the numbers of a channel begin among those of all curves. */
    private readonly wires: Lists;
    private readonly circle: Set<number>;
    private readonly sums: { use: number; buffered: number; blocked: number }[] = [];
    private readonly ratio = Math.min(2, window.devicePixelRatio || 1);

    constructor(private readonly raw: Raw, private readonly run: Run, readonly longest: number, seek: (cycle: number) => void) {
        for (const n of run.counts) this.starts.push(this.starts[this.starts.length - 1] + n);
        this.wires = new Lists(raw.network.curves.map((curves) => 6 * curves), []);
        this.circle = new Set(run.circle);
        const channels = raw.network.from.length;
        run.counts.forEach((_, look) => {
            const sum = { use: 0, buffered: 0, blocked: 0 };
            for (let i = this.starts[look]; i < this.starts[look + 1]; i++) {
                sum.use += run.carried[i]; sum.buffered += run.buffered[i]; sum.blocked += run.blocked[i];
            }
            sum.use /= run.every * channels;
            this.sums.push(sum);
        });
        this.network.style.aspectRatio = `${raw.network.width} / ${raw.network.height}`;
        this.axis.addEventListener("pointerdown", (e) => seek(e.offsetX / this.axis.clientWidth * longest));
        this.card = el("figure", { class: "card" },
            el("figcaption", {}, el("h2", {}, run.name), el("span", { class: "badge" }, run.ended)),
            el("div", { class: "stage" }, this.network), this.status,
            el("div", { class: "legend" }, el("span", { class: "faint" }, "time →   channels used (line), flits in buffers (area), waiting (red)")), this.axis);
    }

    /** The look that shows a cycle; after the last there is nothing under way. */
    look(cycle: number): number { return Math.min(this.run.counts.length - 1, Math.max(0, Math.ceil(cycle / this.run.every) - 1)); }

    sentence(cycle: number): string {
        const sum = this.sums[this.look(cycle)];
        const step = this.run.step_ends.findIndex((end) => end >= cycle);
        const of = this.run.step_ends.length > 1 ? `step ${step < 0 ? this.run.step_ends.length - 1 : step} of ${this.run.step_ends.length}, ` : "";
        return `${of}channels used ${Math.round(100 * (sum?.use ?? 0))} %, ${count(sum?.buffered ?? 0, "flit")} in buffers, ${count(sum?.blocked ?? 0, "request")} not granted`;
    }

    draw(cycle: number): void {
        const t = theme(), red = t.dark ? "#ff6b6b" : "#c62828";
        this.status.textContent = this.sentence(cycle);
        this.network.setAttribute("aria-label", `${this.run.name}, cycle ${Math.round(cycle)}: ${this.status.textContent}`);
        this.picture(this.fit(this.network), t, red, this.look(cycle));
        this.curve(this.fit(this.axis, 96), t, red, cycle);
    }

    private fit(canvas: HTMLCanvasElement, height = canvas.clientHeight): CanvasRenderingContext2D {
        const g = canvas.getContext("2d")!;
        const [w, h] = [Math.round(canvas.clientWidth * this.ratio), Math.round(height * this.ratio)];
        if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; canvas.style.height = `${height}px`; }
        g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        g.clearRect(0, 0, w, h);
        return g;
    }

    private picture(g: CanvasRenderingContext2D, t: Theme, red: string, look: number): void {
        const { network: n, room } = this.raw, run = this.run;
        const { clientWidth: w, clientHeight: h } = this.network;
        const scale = Math.min(w / n.width, h / n.height, 2.2);
        g.translate((w - n.width * scale) / 2, (h - n.height * scale) / 2); g.scale(scale, scale);
        const width = Math.max(n.radius * 0.16, 1.2 / scale);
        const path = (c: number) => {
            g.beginPath();
            for (let i = this.wires.start[c]; i < this.wires.start[c + 1]; i += 6) {
                const p = (k: number) => n.wires[i + k] / 10;
                g.moveTo(p(0), p(1)); g.quadraticCurveTo(p(2), p(3), p(4), p(5));
            }
            g.stroke();
        };
        g.strokeStyle = t.idle; g.globalAlpha = 0.35; g.lineWidth = width / 2;
        n.from.forEach((_, c) => path(c));
        g.globalAlpha = 1;
        for (let i = this.starts[look] ?? 0; i < (this.starts[look + 1] ?? 0); i++) {
            const c = run.channels[i];
            if (!run.carried[i] && !run.blocked[i]) continue;
            g.strokeStyle = run.blocked[i] ? red : heat(run.carried[i] / run.every, t.dark);
            g.lineWidth = run.blocked[i] ? 1.6 * width : width;
            path(c);
        }
        const isLast = look === run.counts.length - 1;
        if (isLast) {
            g.strokeStyle = red; g.lineWidth = 2.4 * width; g.setLineDash([3 * width, 2 * width]);
            this.circle.forEach(path);
            g.setLineDash([]);
        }
        // A buffer is a bar before the node that it belongs to, which fills up.
        const size = Math.max(n.radius * 0.9, 5 / scale);
        for (let i = this.starts[look] ?? 0; i < (this.starts[look + 1] ?? 0); i++) {
            if (!run.buffered[i]) continue;
            const c = run.channels[i], end = this.wires.start[c + 1] - 6;
            const p = (k: number) => n.wires[end + k] / 10;
            const angle = Math.atan2(p(5) - p(3), p(4) - p(2)), full = Math.min(1, run.buffered[i] / room);
            g.save();
            g.translate(p(4), p(5)); g.rotate(angle);
            g.fillStyle = t.ground; g.strokeStyle = t.ink; g.lineWidth = Math.max(0.6 / scale, 0.4);
            g.beginPath(); g.rect(-1.15 * size, -0.22 * size, size, 0.44 * size); g.fill(); g.stroke();
            g.fillStyle = run.blocked[i] ? red : t.accent;
            g.fillRect(-0.15 * size - size * full, -0.22 * size, size * full, 0.44 * size);
            g.restore();
        }
        const switches = new Set(n.switches);
        g.textAlign = "center"; g.textBaseline = "middle"; g.lineWidth = Math.max(0.8 / scale, 0.6); g.strokeStyle = t.ink;
        for (let v = 0; 2 * v < n.xy.length; v++) {
            const [x, y] = [n.xy[2 * v] / 10, n.xy[2 * v + 1] / 10], r = 0.8 * n.radius;
            g.fillStyle = switches.has(v) ? t.switch : t.fill;
            g.beginPath();
            if (switches.has(v)) g.rect(x - r, y - r, 2 * r, 2 * r); else g.arc(x, y, r, 0, 7);
            g.fill(); g.stroke();
            if (r * scale < 7) continue;
            const name = n.labels?.[v] ?? String(v);
            g.fillStyle = t.ink; g.font = `${(name.length > 2 ? 0.7 : 0.9) * r}px system-ui, sans-serif`;
            g.fillText(name.length <= 4 ? name : String(v), x, y);
        }
    }

    private curve(g: CanvasRenderingContext2D, t: Theme, red: string, cycle: number): void {
        const w = this.axis.clientWidth, h = 80, { run } = this;
        const x = (at: number) => at / this.longest * w;
        const most = Math.max(1, ...this.sums.map((s) => s.buffered)), worst = Math.max(1, ...this.sums.map((s) => s.blocked));
        const end = (look: number) => x(Math.min(run.cycles || this.longest, (look + 1) * run.every));
        g.fillStyle = t.fill; g.beginPath(); g.moveTo(0, h);
        this.sums.forEach((s, look) => g.lineTo(end(look), h - 0.95 * h * s.buffered / most));
        g.lineTo(end(this.sums.length - 1), h); g.fill();
        g.fillStyle = red;
        this.sums.forEach((s, look) => { if (s.blocked) g.fillRect(x(look * run.every), h - 0.5 * h * s.blocked / worst, Math.max(1, x(run.every)), 0.5 * h * s.blocked / worst); });
        g.strokeStyle = t.ink; g.lineWidth = 1.4; g.beginPath(); g.moveTo(0, h);
        this.sums.forEach((s, look) => g.lineTo(end(look), h - 0.95 * h * Math.min(1, s.use)));
        g.stroke();
        g.strokeStyle = t.faint; g.lineWidth = 0.5;
        // Steps too narrow to be told apart are not marked.
        if (run.step_ends.length * 4 < w) for (const at of run.step_ends) { g.beginPath(); g.moveTo(x(at), 0); g.lineTo(x(at), h); g.stroke(); }
        g.beginPath(); g.moveTo(0, h); g.lineTo(w, h); g.stroke();
        g.strokeStyle = t.accent; g.lineWidth = 2; g.beginPath(); g.moveTo(x(cycle), 0); g.lineTo(x(cycle), h); g.stroke();
        g.fillStyle = t.faint; g.font = "11px system-ui, sans-serif"; g.textBaseline = "top";
        for (let tick = 0; tick <= 4; tick++) {
            g.textAlign = tick === 0 ? "left" : tick === 4 ? "right" : "center";
            g.fillText(Math.round(this.longest * tick / 4).toLocaleString("en"), w * tick / 4, h + 3);
        }
    }
}

class Player {
    private readonly panes: Pane[];
    private readonly longest: number;
    private cycle = 0;
    private playing = false;
    private before = 0;
    private speed = 1;
    private readonly slider: HTMLInputElement;
    private readonly play = el("button", { type: "button", class: "primary", onclick: () => this.toggle() });
    private readonly clock = el("output", { class: "clock" });

    constructor(app: HTMLElement, raw: Raw) {
        const end = (run: Run) => Math.max(run.cycles, run.counts.length > 1 ? (run.counts.length - 1) * run.every : 1, 1);
        this.longest = Math.max(...raw.runs.map(end));
        this.panes = raw.runs.map((run) => new Pane(raw, run, this.longest, (cycle) => this.go(cycle)));
        this.slider = el("input", { type: "range", min: 0, max: this.longest, value: 0, step: 1, "aria-label": "cycle", oninput: () => { this.playing = false; this.go(Number(this.slider.value)); } });
        const speeds = [0.1, 0.25, 0.5, 1, 2, 4].map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`));
        const speed = el("select", { onchange: (e) => { this.speed = Number((e.target as HTMLSelectElement).value); } }, ...speeds);
        const scheme = el("button", { type: "button", title: "light or dark", onclick: () => {
            document.documentElement.dataset.scheme = theme().dark ? "light" : "dark";
            this.show();
        } }, "◐ light / dark");
        const looks = raw.runs.map((run) => `${run.name} every ${run.every === 1 ? "cycle" : count(run.every, "cycle")}`).join(", ");
        const every = `Looked at: ${looks}. Channels are the stronger the more they carry, red where packets wait; bars before nodes are buffers, the fuller the longer.`;
        app.replaceChildren(
            el("header", {}, el("h1", {}, raw.title), scheme),
            el("section", { class: "simulated", "aria-label": "picture" }, el("p", { class: "faint" }, every),
                el("div", { class: this.panes.length > 1 ? "stages two" : "stages" }, ...this.panes.map((p) => p.card)),
                el("div", { class: "controls", role: "group", "aria-label": "playing" }, this.play, this.slider, this.clock, el("label", {}, "speed", speed))));
        new ResizeObserver(() => this.show()).observe(app);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show());
        document.addEventListener("keydown", (e) => {
            if ((e.target as HTMLElement).matches("input, select, button")) return;
            const some = this.longest / 100;
            const act = { ArrowLeft: () => this.go(this.cycle - some), ArrowRight: () => this.go(this.cycle + some), " ": () => this.toggle() }[e.key];
            if (act) { e.preventDefault(); act(); }
        });
        // `#cycle=N` opens the page there.
        const asked = /^#cycle=(\d+)$/.exec(location.hash);
        this.go(asked ? Number(asked[1]) : 0);
    }

    go(cycle: number): void { this.cycle = Math.min(this.longest, Math.max(0, cycle)); this.show(); }

    private toggle(): void {
        this.playing = !this.playing;
        if (this.playing && this.cycle >= this.longest) this.cycle = 0;
        this.before = performance.now();
        this.show();
        if (this.playing) requestAnimationFrame((now) => this.frame(now));
    }

    private frame(now: number): void {
        if (!this.playing) return;
        this.cycle += Math.min(200, now - this.before) * this.speed * this.longest / WHOLE;
        this.before = now;
        if (this.cycle >= this.longest) { this.playing = false; this.cycle = this.longest; }
        this.show();
        if (this.playing) requestAnimationFrame((next) => this.frame(next));
    }

    private show(): void {
        this.slider.value = String(Math.round(this.cycle));
        this.clock.textContent = `cycle ${Math.round(this.cycle).toLocaleString("en")}`;
        this.play.textContent = this.playing ? "❚❚ pause" : "▶ play";
        this.panes.forEach((p) => p.draw(this.cycle));
    }

    /** For tests. */
    state() { return { cycle: this.cycle, last: this.longest, playing: this.playing, said: this.panes.map((p) => p.status.textContent) }; }
}

async function start(): Promise<void> {
    const app = document.getElementById("app")!;
    const block = document.querySelector<HTMLScriptElement>("script.simulation")!;
    try {
        const player = new Player(app, await unzip(block.textContent ?? "") as Raw);
        block.remove();
        Object.assign(window, { quadrille: { state: () => player.state(), go: (cycle: number) => player.go(cycle), ready: performance.now() } });
    } catch (error) {
        app.replaceChildren(el("p", { class: "warning", role: "alert" }, `This page cannot be shown: ${error}. A browser of 2023 or later is needed.`));
        throw error;
    }
}

void start();
