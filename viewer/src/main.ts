// The page: one stage a schedule, one clock for all of them.

import { unpack, type Role, type Schedule } from "./data";
import { count, el } from "./dom";
import { Grid } from "./grid";
import { Stage, type Pick, type Shading } from "./stage";
import { bound, story, type Way } from "./story";
import { Table } from "./table";
import { PAINTS } from "./theme";

/** Milliseconds that a step takes at speed 1. */
const PACE = 1400;
const still = matchMedia("(prefers-reduced-motion: reduce)");

interface Pane { data: Schedule; stage: Stage; grid: Grid; table: Table; card: HTMLElement; status: HTMLElement }

class Player {
    private readonly panes: Pane[];
    private readonly last: number;
    private readonly word: string;
    private active: Pane;
    private step = 0;
    private share = 1;
    private playing = false;
    private speed = 1;
    private before = 0;
    private pending = false;
    private readonly slider: HTMLInputElement;
    private readonly play: HTMLButtonElement;
    private readonly live = el("p", { class: "unseen", "aria-live": "polite" });
    private readonly clock = el("output", { class: "clock" });
    private readonly side = el("div", { class: "panel", role: "tabpanel", id: "panel", "aria-labelledby": "tab-story" });
    private tab = "story";
    private readonly tabs = new Map<string, HTMLButtonElement>();
    private readonly look = el("form", { class: "look" });

    constructor(app: HTMLElement, schedules: Schedule[]) {
        this.last = Math.max(1, ...schedules.map((d) => d.shown)) - 1;
        this.word = schedules[0].word;
        this.panes = schedules.map((data) => this.pane(data));
        this.active = this.panes[0];
        this.slider = el("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": this.word, oninput: () => { this.stop(); this.go(Number(this.slider.value)); } });
        this.play = el("button", { type: "button", class: "primary", onclick: () => this.toggle() });
        app.replaceChildren(this.header(), el("div", { class: "body" }, el("section", { class: "left", "aria-label": "picture" }, this.stages(), this.controls()), this.aside()), this.live);
        document.addEventListener("keydown", (e) => this.key(e));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
        this.show();
        this.choose(null);
    }

    private pane(data: Schedule): Pane {
        const pane = { data } as Pane;
        pane.stage = new Stage(data, () => this.later(), (pick) => this.choose(pick, pane));
        pane.grid = new Grid(data, (step, channel) => { this.go(step); if (channel >= 0) this.choose({ kind: "channel", id: channel }, pane); });
        pane.table = new Table(data, { go: (s) => this.go(s), choose: (p) => this.choose(p, pane) });
        pane.status = el("p", { class: "status" });
        const zoom = (name: string, sign: string, act: () => void) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
        pane.card = el("figure", { class: "card", onfocusin: () => this.activate(pane) },
            el("figcaption", {}, el("h2", {}, data.title), this.badge(data),
                el("span", { class: "zoom" }, zoom("zoom in", "+", () => pane.stage.zoom(1.3)), zoom("zoom out", "−", () => pane.stage.zoom(1 / 1.3)), zoom("whole picture", "⤢", () => pane.stage.fit()))),
            el("div", { class: "stage" }, pane.stage.canvas),
            el("p", { class: "faint key" }, this.signs(data)),
            pane.status,
            el("div", { class: "legend" }, el("span", { class: "faint" }, `${data.word}s ↓   channels →`), el("span", { class: "faint" }, "how full")), pane.grid.canvas);
        return pane;
    }

    /** What the signs of the picture mean. */
    private signs(d: Schedule): string {
        const nodes = Array.from({ length: d.nodes }, (_, v) => v);
        const some = (role: Role) => nodes.some((v) => !d.isSwitch[v] && d.role(v) === role);
        const signs: [boolean, string][] = [
            [true, "○ terminal"], [some("sender"), "◇ sends only"], [some("receiver"), "◎ receives only"], [some("neither"), "dotted: takes no part"],
            [nodes.some((v) => d.isSwitch[v] && !d.out[v]), "□ switch"], [d.out.includes(1), "⊗ out of use"], [d.failed.length > 0, "┄ failed link"], [d.again.length > 0, "dashed: drawn again"], [d.leastCapacity < d.mostCapacity, `wider links carry more: ${d.leastCapacity} to ${d.mostCapacity} messages a step`],
            [true, `→ transfer, in the colour of its sender${d.senders > PAINTS ? ` (${d.senders} senders share ${PAINTS} colours)` : ""}`],
        ];
        return signs.filter(([there]) => there).map(([, sign]) => sign).join("   ");
    }

    private badge(d: Schedule): HTMLElement {
        const text = d.floor ? (d.optimal ? `${count(d.steps, d.word)} · optimal` : `${count(d.steps, d.word)} · lower bound ${d.floor.steps}`) : count(d.steps, d.word);
        return el("span", { class: d.optimal ? "badge good" : "badge" }, text);
    }

    private header(): HTMLElement {
        const left = this.panes.map((p) => p.data).filter((d) => d.shown < d.steps);
        const out = left.map((d) => `${d.title}: ${d.word}s ${d.shown} to ${d.steps - 1} of ${d.steps} are left out of this page, which would be too large${d.listed < d.messageCount ? `, and the messages that they deliver` : ""}. `).join("");
        const scheme = el("button", { type: "button", title: "light or dark", onclick: () => this.scheme() }, "◐ light / dark");
        const h1 = this.panes.length > 1 ? "Quadrille: two schedules side by side" : "Quadrille: a schedule, step by step";
        return el("header", {}, el("h1", {}, h1), out && el("p", { class: "warning", role: "note" }, out), scheme);
    }

    private stages(): HTMLElement {
        return el("div", { class: this.panes.length > 1 ? "stages two" : "stages" }, ...this.panes.map((p) => p.card));
    }

    private controls(): HTMLElement {
        const button = (name: string, sign: string, act: () => void) => el("button", { type: "button", "aria-label": name, title: name, onclick: act }, sign);
        const speeds = [0.25, 0.5, 1, 2, 4, 8].map((s) => el("option", { value: s, selected: s === 1 }, `${s}×`));
        const speed = el("select", { onchange: (e) => { this.speed = Number((e.target as HTMLSelectElement).value); } }, ...speeds);
        const bounded = this.panes.some((p) => p.data.floor);
        const shades: [Shading, string][] = [["plain", "plain"], ["use", "by use"], ...(bounded ? [["bound", "the bound"] as [Shading, string]] : [])];
        const shading = el("select", { id: "shading", onchange: (e) => this.shade((e.target as HTMLSelectElement).value as Shading) }, ...shades.map(([v, t]) => el("option", { value: v }, t)));
        return el("div", { class: "controls", role: "group", "aria-label": "playing" },
            button(`first ${this.word} (Home)`, "|◀", () => this.go(0)), button(`${this.word} before (←)`, "◀", () => this.go(this.step - 1)),
            this.play, button(`next ${this.word} (→)`, "▶", () => this.go(this.step + 1)), button(`last ${this.word} (End)`, "▶|", () => this.go(this.last)),
            this.slider, this.clock, el("label", {}, "speed", speed), el("label", {}, "channels", shading));
    }

    private aside(): HTMLElement {
        const names: [string, string][] = [["story", "Story"], ["table", "Transfers"], ["bound", "Bound"]];
        const choose = (name: string, focus = false) => {
            this.tab = name;
            this.side.setAttribute("aria-labelledby", `tab-${name}`);
            for (const [n, t] of this.tabs) { t.setAttribute("aria-selected", String(n === name)); t.tabIndex = n === name ? 0 : -1; if (focus && n === name) t.focus(); }
            this.sides();
        };
        for (const [name, text] of names) {
            this.tabs.set(name, el("button", {
                type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": name === "story", tabindex: name === "story" ? 0 : -1,
                onclick: () => choose(name),
                onkeydown: (e) => {
                    const way = { ArrowLeft: -1, ArrowRight: 1 }[(e as KeyboardEvent).key];
                    if (!way) return;
                    e.stopPropagation(); e.preventDefault();
                    const at = names.findIndex((n) => n[0] === name);
                    choose(names[(at + way + names.length) % names.length][0], true);
                },
            }, text));
        }
        const kind = el("select", { name: "kind", "aria-label": "kind of thing to find" }, ...["node", "channel", "message"].map((k) => el("option", { value: k }, k)));
        const which = el("input", { name: "which", type: "text", size: 5, "aria-label": "its number or label", placeholder: "0", autocomplete: "off" });
        const said = el("span", { class: "faint", role: "status" });
        this.look.append(el("span", {}, "Find"), kind, which, el("button", { type: "submit" }, "show"), el("button", { type: "button", onclick: () => { which.value = ""; said.textContent = ""; this.choose(null); } }, "clear"), said);
        this.look.addEventListener("submit", (e) => {
            e.preventDefault();
            const d = this.active.data, text = which.value.trim();
            const number = /^\d+$/.test(text) ? Number(text) : -1;
            const id = kind.value === "node" ? d.find(text) : kind.value === "channel" || number < 0 ? number : d.message(number);
            const most = { node: d.nodes, channel: d.channels, message: d.messageCount }[kind.value]!;
            const listed = number < 0 || number >= most || kind.value !== "message";
            said.textContent = id >= 0 && id < most ? "" : listed ? `there is no ${kind.value} “${text}”; they are numbered from 0 to ${most - 1}` : `message ${number} is not in this page, which holds the first ${d.word}s`;
            if (!said.textContent) this.choose({ kind: kind.value as "node", id });
        });
        return el("aside", { "aria-label": "details" }, this.look, el("div", { role: "tablist", class: "tabs" }, ...this.tabs.values()), this.side,
            el("p", { class: "faint keys" }, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), ` ${this.word} · `, el("kbd", {}, "space"), " play · ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), " · ", el("kbd", {}, "+"), " ", el("kbd", {}, "−"), " ", el("kbd", {}, "0"), " zoom · ", el("kbd", {}, "Esc"), " clear"));
    }

    private activate(pane: Pane): void {
        if (this.active === pane) return;
        this.active = pane;
        this.panes.forEach((p) => p.card.classList.toggle("active", p === pane && this.panes.length > 1));
        this.sides();
    }

    choose(pick: Pick, pane: Pane = this.active): void {
        this.activate(pane);
        pane.stage.pick = pick;
        pane.stage.refresh();
        if (pick && this.tab !== "story" && this.tab !== "table") this.tabs.get("story")!.click();
        this.sides();
        if (pick) this.live.textContent = this.side.querySelector("h3")?.textContent ?? "";
    }

    private sides(): void {
        const { data, stage, table } = this.active;
        const way = (pane: Pane): Way => ({ go: (s) => { this.stop(); this.go(s); }, choose: (p) => this.choose(p, pane) });
        if (this.tab === "table") { table.at(this.step); this.side.replaceChildren(table.element); }
        else if (this.tab === "bound") this.side.replaceChildren(bound(data));
        // Where nothing is chosen, both schedules are described.
        else if (!stage.pick) this.side.replaceChildren(...this.panes.map((p) => story(p.data, null, way(p))));
        else this.side.replaceChildren(story(data, stage.pick, way(this.active)));
    }

    private shade(shading: Shading): void {
        for (const p of this.panes) { p.stage.shading = shading; p.stage.refresh(); }
        if (shading === "bound") this.tabs.get("bound")!.click();
    }

    private scheme(): void {
        const dark = getComputedStyle(document.documentElement).getPropertyValue("--scheme").trim() === "dark";
        document.documentElement.dataset.scheme = dark ? "light" : "dark";
        this.recolour();
    }

    private recolour(): void { for (const p of this.panes) { p.stage.refresh(); p.grid.refresh(); } }

    go(step: number): void {
        this.step = Math.min(this.last, Math.max(0, step));
        this.share = this.playing ? 0 : 1;
        this.show();
        if (!this.playing) this.live.textContent = this.panes.map((p) => this.sentence(p)).join("; ");
    }

    private sentence(p: Pane): string {
        const d = p.data;
        if (this.step >= d.shown) return d.shown < d.steps ? "left out of this page" : `finished after ${count(d.steps, d.word)}`;
        const uses = d.usesOf(this.step);
        return `${d.word} ${this.step} of ${d.steps} (counted from 0): ${count(d.transfersOf(this.step), "transfer")}, ${d.shared ? `${uses} channel uses of ${d.capacityOfAll} that the capacities allow` : `${uses} of ${d.channels} channels busy`}, ${Math.round(100 * uses / d.capacityOfAll)} %`;
    }

    /** Brings everything but the moving picture up to date. */
    private show(): void {
        this.slider.value = String(this.step);
        this.slider.setAttribute("aria-valuetext", `${this.word} ${this.step} of ${this.last + 1}`);
        this.clock.textContent = `${this.word} ${this.step} / ${this.last}`;
        this.play.textContent = this.playing ? "❚❚ pause" : "▶ play";
        for (const p of this.panes) {
            this.status(p);
            p.grid.draw(this.step);
            p.stage.canvas.setAttribute("aria-label", `${p.data.title}; ${this.sentence(p)}`);
        }
        if (this.tab === "table") this.active.table.at(this.step);
        this.later();
    }

    private status(p: Pane): void {
        const text = `${this.sentence(p)}.${p.stage.leftOut(this.step)}`;
        if (p.status.textContent !== text) p.status.textContent = text;
    }

    private later(): void {
        if (this.pending) return;
        this.pending = true;
        requestAnimationFrame((now) => this.frame(now));
    }

    private frame(now: number): void {
        this.pending = false;
        if (this.playing) {
            this.share += Math.min(200, now - this.before) * this.speed / PACE;
            this.before = now;
            // A moment of rest at the end of a step, to read it.
            if (this.share >= 1.35) {
                if (this.step >= this.last) this.stop();
                else { this.step++; this.share = 0; this.show(); }
            }
            if (this.playing) this.later();
        }
        const share = still.matches ? 1 : Math.min(1, this.share);
        for (const p of this.panes) {
            p.stage.draw(Math.min(this.step, p.data.shown), share);
            // What is left out depends on how near one looks.
            if (p.stage.crowded) this.status(p);
        }
    }

    toggle(): void { if (this.playing) this.stop(); else this.start(); }

    private start(): void {
        if (this.step >= this.last) this.step = 0;
        this.playing = true; this.share = 0; this.before = performance.now();
        this.show();
    }

    private stop(): void {
        if (!this.playing) return;
        this.playing = false; this.share = 1;
        this.show();
    }

    private key(e: KeyboardEvent): void {
        const at = e.target as HTMLElement;
        if (e.ctrlKey || e.metaKey || e.altKey || at.matches("input[type=text], select, textarea")) return;
        const range = at === this.slider;
        const stage = this.active.stage;
        const acts: Record<string, () => void> = {
            ArrowLeft: () => this.go(this.step - 1), ArrowRight: () => this.go(this.step + 1), Home: () => this.go(0), End: () => this.go(this.last),
            "+": () => stage.zoom(1.3), "=": () => stage.zoom(1.3), "-": () => stage.zoom(1 / 1.3), "0": () => stage.fit(), Escape: () => this.choose(null),
        };
        // A focused button, link or slider has its own meaning for these.
        if (!at.matches("button, summary")) acts[" "] = () => this.toggle();
        const act = acts[e.key];
        if (!act || (range && e.key !== " " && e.key !== "Escape")) return;
        e.preventDefault();
        if (e.key.startsWith("Arrow") || e.key === "Home" || e.key === "End") this.stop();
        act();
    }

    /** For tests: where a node is, and what is chosen. */
    state() {
        const { stage } = this.active;
        return { step: this.step, last: this.last, share: this.share, playing: this.playing, pick: stage.pick, place: (v: number) => stage.place(v) };
    }
}

async function start(): Promise<void> {
    const app = document.getElementById("app")!;
    const blocks = Array.from(document.querySelectorAll<HTMLScriptElement>("script.schedule"));
    try {
        const schedules = await Promise.all(blocks.map((b) => unpack(b.textContent ?? "")));
        blocks.forEach((b) => b.remove());
        const player = new Player(app, schedules);
        requestAnimationFrame(() => requestAnimationFrame(() => {
            Object.assign(window, { quadrille: { state: () => player.state(), ready: performance.now() } });
        }));
    } catch (error) {
        app.replaceChildren(el("p", { class: "warning", role: "alert" }, `This page cannot be shown: ${error}. A browser of 2023 or later is needed.`));
        throw error;
    }
}

void start();
