// Every transfer, a row each, filtered.

import type { Schedule } from "./data";
import { count, el } from "./dom";
import type { Way } from "./story";

const MOST_ROWS = 200;

export class Table {
    readonly element: HTMLElement;
    private readonly body = el("tbody");
    private readonly note = el("p", { class: "faint", role: "status" });
    private readonly scope: HTMLSelectElement;
    private readonly words: Record<"from" | "to" | "via" | "message", HTMLInputElement>;
    private step = 0;

    constructor(private readonly data: Schedule, private readonly way: Way) {
        const again = () => this.fill();
        this.scope = el("select", { onchange: again }, el("option", { value: "step" }, `this ${data.word}`), el("option", { value: "all" }, `all ${data.word}s`));
        const input = (name: string) => el("input", { type: "text", size: 4, oninput: again, "aria-label": `only ${name}`, autocomplete: "off" });
        this.words = { from: input("from node"), to: input("to node"), via: input("via node"), message: input("message") };
        const label = (text: string, field: HTMLElement) => el("label", {}, text, field);
        this.element = el("div", {},
            el("div", { class: "filters" }, label("Show", this.scope), label("from", this.words.from), label("to", this.words.to), label("via", this.words.via), label("message", this.words.message)),
            this.note,
            el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "transfers" }, el("table", {},
                el("thead", {}, el("tr", {}, ...[data.word, "message", "from", "to", "path"].map((h) => el("th", { scope: "col" }, h)))), this.body)));
    }

    at(step: number): void {
        if (step === this.step && this.body.childElementCount) return;
        this.step = step;
        this.fill();
    }

    private fill(): void {
        const { data: d, way } = this;
        const node = (field: HTMLInputElement) => field.value.trim() === "" ? null : d.find(field.value.trim());
        const [from, to, via] = [node(this.words.from), node(this.words.to), node(this.words.via)];
        const text = this.words.message.value.trim();
        const message = text === "" ? null : d.message(Number(text));
        const one = this.scope.value === "step";
        const first = one ? d.stepStart[Math.min(this.step, d.shown)] : 0;
        const end = one ? d.stepStart[Math.min(this.step + 1, d.shown)] : d.transferStep.length;
        const rows: HTMLElement[] = [];
        let found = 0;
        for (let t = first; t < end; t++) {
            if (from !== null && d.sender(t) !== from || to !== null && d.receiver(t) !== to) continue;
            if (message !== null && !d.messages.of(t).includes(message)) continue;
            if (via !== null && !d.route(t).includes(via)) continue;
            if (++found > MOST_ROWS) continue;
            const m = d.messages.of(t);
            const name = m.length === 1 ? String(d.number(m[0])) : `${d.number(m[0])} +${m.length - 1}`;
            rows.push(el("tr", {}, el("td", {}, String(d.transferStep[t])),
                el("td", {}, el("button", { class: "link", type: "button", onclick: () => { way.go(d.transferStep[t]); way.choose({ kind: "message", id: m[0] }); } }, name)),
                el("td", {}, d.label(d.sender(t))), el("td", {}, d.label(d.receiver(t))), el("td", {}, d.route(t).map((v) => d.label(v)).join(" → "))));
        }
        this.body.replaceChildren(...rows);
        this.note.textContent = count(found, "transfer") + (found > MOST_ROWS ? `; the first ${MOST_ROWS} are shown` : "");
    }
}
