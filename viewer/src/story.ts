// The whole story of a node, a channel or a message, in words; every line leads to its step.

import type { Schedule } from "./data";
import { count, el } from "./dom";
import type { Pick } from "./stage";

const MOST_LINES = 250;

export interface Way { go: (step: number) => void; choose: (pick: Pick) => void }

export function story(d: Schedule, pick: Pick, way: Way): HTMLElement {
    if (!pick) return summary(d, way);
    switch (pick.kind) {
        case "node": return nodeStory(d, pick.id, way);
        case "channel": return channelStory(d, pick.id, way);
        case "message": return messageStory(d, pick.id, way);
    }
}

function link(text: string, chosen: () => void): HTMLElement {
    return el("button", { class: "link", type: "button", onclick: chosen }, text);
}

const nodeLink = (d: Schedule, v: number, way: Way) => link(d.label(v), () => way.choose({ kind: "node", id: v }));
const messageLink = (d: Schedule, m: number, way: Way) => link(`message ${d.number(m)}`, () => way.choose({ kind: "message", id: m }));
const stepLink = (d: Schedule, s: number, way: Way) => link(`${d.word} ${s}`, () => way.go(s));

/** Lines, as many as anybody reads. */
function lines(rows: HTMLElement[]): HTMLElement {
    const list = el("ol", { class: "lines" }, ...rows.slice(0, MOST_LINES));
    return rows.length <= MOST_LINES ? list : el("div", {}, list, el("p", { class: "faint" }, `… and ${rows.length - MOST_LINES} more; the table of transfers has them all.`));
}

function summary(d: Schedule, way: Way): HTMLElement {
    const average = 100 * d.useCount / Math.max(1, d.capacityOfAll * d.steps);
    const list = el("dl", {},
        el("dt", {}, "Network"), el("dd", {}, `${d.name}: ${count(d.nodes, "node")}, ${count(d.channels, "channel")}`),
        el("dt", {}, "Collective"), el("dd", {}, `${d.collective}, ${count(d.messageCount, d.reduce ? "chunk" : "message")}`),
        el("dt", {}, "Model"), el("dd", {}, d.model),
        el("dt", {}, "Schedule"), el("dd", {}, `${count(d.steps, d.word)}, ${count(d.transferCount, "transfer")}; ${d.shared ? `${average.toFixed(1)} % of the capacity of all channels used` : `channels busy ${average.toFixed(1)} % of the time`}`),
    );
    const busiest = Array.from(d.load.keys()).sort((a, b) => d.load[b] - d.load[a]).slice(0, 5);
    const rows = busiest.map((c) => el("li", {}, link(`channel ${c}`, () => way.choose({ kind: "channel", id: c })), ` ${d.label(d.from[c])} → ${d.label(d.to[c])}: ${count(d.load[c], "time")}`));
    return el("div", {}, el("h3", {}, "Overview"), list, el("h4", {}, d.shown < d.steps ? `Busiest channels of the ${d.word}s in this page` : "Busiest channels"), el("ol", { class: "lines" }, ...rows),
        el("p", { class: "faint" }, "Choose a node or a channel in the picture, or name one above, to follow it through all steps."));
}

function nodeStory(d: Schedule, v: number, way: Way): HTMLElement {
    const rows: HTMLElement[] = [];
    let passing = 0;
    for (let t = 0; t < d.transferStep.length; t++) {
        const from = d.sender(t), to = d.receiver(t);
        if (from !== v && to !== v) {
            if (d.path.of(t).some((c) => d.to[c] === v)) passing++;
            continue;
        }
        const what = Array.from(d.messages.of(t)).slice(0, 3).flatMap((m) => [messageLink(d, m, way), " "]);
        const other = nodeLink(d, from === v ? to : from, way);
        rows.push(el("li", {}, stepLink(d, d.transferStep[t], way), from === v ? " sends " : " receives ", ...what, from === v ? "to " : "from ", other, ` · ${count(d.path.count(t), "hop")}`));
    }
    const held = Array.from({ length: d.shown + 1 }, (_, s) => d.holds(v, s));
    const kind = d.isSwitch[v] ? "Switch" : "Node";
    return el("div", {}, el("h3", {}, `${kind} ${d.label(v)}`),
        el("p", {}, `Sends and receives in ${count(rows.length, "transfer")}; ${count(passing, "path")} pass through it.`),
        !d.isSwitch[v] && el("h4", {}, d.reduce ? "Contributions held" : "Messages held"), !d.isSwitch[v] && bars(d, held, way), lines(rows));
}

/** Holdings before the first step and after each. */
function bars(d: Schedule, held: number[], way: Way): HTMLElement {
    const most = Math.max(1, ...held);
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", `0 0 ${held.length} 40`); svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("class", "bars"); svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `from ${held[0]} before the first ${d.word} to ${held[held.length - 1]} after the last`);
    held.forEach((h, s) => {
        const bar = document.createElementNS(ns, "rect");
        const tall = 38 * h / most;
        for (const [name, value] of Object.entries({ x: s + 0.05, y: 40 - tall, width: 0.9, height: tall })) bar.setAttribute(name, String(value));
        const title = document.createElementNS(ns, "title");
        title.textContent = s === 0 ? `${h} before the first ${d.word}` : `${h} after ${d.word} ${s - 1}`;
        bar.append(title);
        bar.addEventListener("click", () => way.go(Math.max(0, s - 1)));
        svg.append(bar);
    });
    return el("div", {}, svg as unknown as Node, el("p", { class: "faint between" }, el("span", {}, `${held[0]} at first`), el("span", {}, `${held[held.length - 1]} at the end`)));
}

function channelStory(d: Schedule, c: number, way: Way): HTMLElement {
    const rows: HTMLElement[] = [];
    for (let s = 0; s < d.shown; s++) {
        for (let u = d.useStart[s]; u < d.useStart[s + 1]; u++) {
            const t = d.useTransfer[u];
            if (d.path.items[d.path.start[t] + d.useHop[u]] !== c) continue;
            const m = d.messages.of(t)[0];
            rows.push(el("li", {}, stepLink(d, s, way), " ", messageLink(d, m, way), " from ", nodeLink(d, d.sender(t), way), " to ", nodeLink(d, d.receiver(t), way)));
        }
    }
    const weight = d.floor?.weights[c];
    return el("div", {}, el("h3", {}, `Channel ${c}: ${d.label(d.from[c])} → ${d.label(d.to[c])}`),
        el("p", {}, `Busy in ${rows.length} of ${count(d.shown, d.word)}` + (d.capacity[c] > 1 ? `, capacity ${d.capacity[c]}` : "") + (weight !== undefined ? `; its length in the certificate is ${weight} of the largest` : "") + "."),
        lines(rows));
}

function messageStory(d: Schedule, m: number, way: Way): HTMLElement {
    const rows: HTMLElement[] = [];
    for (let t = 0; t < d.transferStep.length; t++) {
        if (!d.messages.of(t).includes(m)) continue;
        const route = d.route(t).flatMap((v, i) => [i ? " → " : "", nodeLink(d, v, way)]);
        rows.push(el("li", {}, stepLink(d, d.transferStep[t], way), ": ", ...route));
    }
    const names = (list: Uint32Array) => list.length <= 6 ? Array.from(list, (v) => d.label(v)).join(", ") : `${list.length} nodes`;
    const start = d.reduce ? `Contributed to by ${names(d.origins.of(m))}` : `Starts at ${names(d.origins.of(m))}`;
    return el("div", {}, el("h3", {}, `${d.reduce ? "Chunk" : "Message"} ${d.number(m)}`),
        el("p", {}, `${start}; must end at ${names(d.destinations.of(m))}. ${count(rows.length, "transfer")}.`), lines(rows));
}

export function bound(d: Schedule): HTMLElement {
    const f = d.floor;
    if (!f) return el("div", {}, el("h3", {}, "Bound"), el("p", {}, "The file has no certified bound: nothing is said of how good this schedule is."));
    const verdict = d.optimal ? `The schedule has ${d.steps}: it is optimal.` : `The schedule has ${d.steps}.`;
    const quotient = f.quotient && el("p", { class: "quotient" }, `⌈ ${f.quotient[0].toLocaleString("en")} / ${f.quotient[1].toLocaleString("en")} ⌉ = ${f.steps}`);
    const drawn = f.weights.length ? "Widths of the links are their lengths in the certificate." : f.channels.length || f.nodes.length ? "The nodes and channels that it counts are coloured in the picture." : "";
    return el("div", {}, el("h3", {}, `No schedule has fewer than ${count(f.steps, d.word)}`), el("p", {}, `${f.reason}.`), quotient,
        el("p", {}, verdict), el("p", { class: "faint" }, `Certificate of kind “${f.kind}”. ${drawn}`));
}
