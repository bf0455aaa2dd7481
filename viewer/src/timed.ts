// The page of a schedule in time: its chart, the network at a time, and the story of the transfer that is picked.

import { count, el } from "./dom";
import { colourOf, theme } from "./theme";

/** A transfer; times in microseconds. */
interface Sent {
    from: string; to: string[]; paths: string[]; messages: number[]; begin: number; end: number; held: number; rate: number;
    /** Channels and when each is first used, where the network is drawn, and how long. */
    uses: [number, number][]; lasts: number; colour: number;
    /** What it begins with, and the transfer before it that this is of. */
    because: string; by: number | null;
}
interface Data { title: string; sent: Sent[]; critical: number[] }

const data = JSON.parse(document.getElementById("timed")!.textContent!) as Data;
const critical = new Set(data.critical);
/** Most rows of the table of the critical path. */
const MOST_ROWS = 200;
/** The transfers that begin when another lets them. */
const next: number[][] = data.sent.map(() => []);
data.sent.forEach((one, at) => { if (one.by !== null) next[one.by].push(at); });

const panel = el("div", { id: "panel", class: "panel", "aria-live": "polite", "aria-label": "Transfer" });
const map = document.querySelector(".map");
const ways = [...document.querySelectorAll<SVGPathElement>(".map [data-c]")];
// A call has no room for as many arguments as there may be transfers.
const end = data.sent.reduce((last, one) => Math.max(last, one.held), 0);
const clock = el("input", { type: "range", min: 0, max: end, step: "any", value: 0, "aria-label": "Time", oninput: () => drawn(clock.valueAsNumber) });
const told = el("p", { class: "faint status", "aria-live": "off" });
const field = el("input", { type: "number", min: 0, max: data.sent.length - 1, "aria-label": "Transfer by number", onchange: () => go(field.valueAsNumber) });
let picked: number | null = null;

const few = (numbers: number[]) => numbers.slice(0, 12).join(", ") + (numbers.length > 12 ? ", …" : "");
const time = (micros: number) => `${Number(micros.toPrecision(7))} µs`;
const name = (at: number) => `${data.sent[at].from} → ${data.sent[at].to.join(", ")}, message ${few(data.sent[at].messages)}`;
const link = (at: number) => el("button", { class: "link", onclick: () => pick(at) }, `${name(at)}, at ${time(data.sent[at].begin)}`);

function go(at: number) {
    if (Number.isInteger(at) && at >= 0 && at < data.sent.length) pick(at);
}

function mark(at: number, as: string) {
    document.querySelectorAll(`rect[data-t="${at}"]`).forEach((bar) => bar.classList.add(as));
}

/** Colours the channels that are in use at a time, and the way of the transfer that is picked. */
function drawn(now: number) {
    if (!map) return;
    const colours = theme().transfers;
    let busy = 0;
    for (const way of ways) { way.removeAttribute("class"); way.style.stroke = ""; }
    const colour = (channel: number, one: Sent, as: string) => {
        ways[channel].setAttribute("class", as);
        ways[channel].style.stroke = colourOf(one.colour, colours);
    };
    for (const one of data.sent) {
        if (one.begin > now || one.end <= now) continue;
        for (const [channel, from] of one.uses) {
            if (from > now || from + one.lasts <= now) continue;
            if (!ways[channel].hasAttribute("class")) busy++;
            colour(channel, one, "busy");
        }
    }
    if (picked !== null) for (const [channel] of data.sent[picked].uses) colour(channel, data.sent[picked], "busy picked");
    told.textContent = `${time(now)}: ${busy.toLocaleString("en")} of ${count(ways.length, "channel")} in use`;
}

/** Tells of a transfer, or of none. */
function pick(at: number | null) {
    picked = at;
    if (at !== null) clock.valueAsNumber = data.sent[at].begin;
    drawn(clock.valueAsNumber);
    document.querySelectorAll("rect.picked, rect.cause").forEach((bar) => bar.classList.remove("picked", "cause"));
    const find = el("p", {}, el("label", {}, "Transfer ", field), ` of ${data.sent.length}`);
    if (at === null) {
        panel.replaceChildren(el("h3", {}, data.title), find, el("p", { class: "faint" },
            "Choose a bar: its path and times, what it waits for, and what waits for it. ← leads to what it waits for, → to what waits for it, Escape lets go."));
        return;
    }
    const one = data.sent[at];
    field.value = String(at);
    mark(at, "picked");
    if (one.by !== null) mark(one.by, "cause");
    const row = (what: string, value: string) => el("tr", {}, el("th", { scope: "row" }, what), el("td", {}, value));
    panel.replaceChildren(
        el("h3", {}, `Transfer ${at}: ${name(at)}`), find,
        ...(critical.has(at) ? [el("p", { class: "badge" }, "critical path")] : []),
        el("table", {}, el("tbody", {},
            row("begins", time(one.begin)), row("has come", time(one.end)), one.held > one.end && row("is merged", time(one.held)),
            row("rate", `${one.rate} GB/s`), ...one.paths.map((path) => row("path", path)))),
        el("h4", {}, "It begins when"), el("p", {}, one.because), el("p", {}, one.by !== null && link(one.by)),
        el("h4", {}, `${count(next[at].length, "transfer")} that it lets begin`),
        el("ul", {}, ...next[at].slice(0, 20).map((other) => el("li", {}, link(other)))),
    );
}

/** The chain of transfers that sets the time, each with what it waited for. */
function criticalPath(): HTMLElement {
    const row = (at: number) => {
        const one = data.sent[at];
        const cells = [time(one.begin), time(one.held), time(one.held - one.begin), one.paths[0] + (one.paths.length > 1 ? ", …" : ""), one.because];
        return el("tr", {}, el("td", {}, el("button", { class: "link", onclick: () => pick(at) }, name(at))), ...cells.map((cell) => el("td", {}, cell)));
    };
    const left = data.critical.length - MOST_ROWS;
    const heads = ["transfer", "begins", "ends", "takes", "path", "begins when"].map((head) => el("th", { scope: "col" }, head));
    return el("section", { class: "card critical", "aria-label": "Critical path" },
        el("h3", {}, `Critical path: ${count(data.critical.length, "transfer")}`),
        el("p", { class: "faint" }, "The time of the schedule is that of this chain: each transfer waits for the one before it."),
        el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "transfers of the critical path" },
            el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...data.critical.slice(0, MOST_ROWS).map(row)))),
        left > 0 && el("p", { class: "faint" }, `The ${count(left, "transfer")} after these are left out of the table.`));
}

const charts = el("div", { class: "card" }, ...document.querySelectorAll(".chart"));
charts.addEventListener("click", (event) => {
    const bar = (event.target as Element).closest("rect[data-t]");
    pick(bar ? Number(bar.getAttribute("data-t")) : null);
});
document.addEventListener("keydown", (event) => {
    if (event.target === field) return;
    if (event.key === "Escape") pick(null);
    if (picked === null) return;
    if (event.key === "ArrowLeft" && data.sent[picked].by !== null) pick(data.sent[picked].by);
    if (event.key === "ArrowRight" && next[picked].length > 0) pick(next[picked][0]);
});
document.getElementById("app")!.replaceChildren(el("div", { class: "body" }, el("div", { class: "left" }, charts, data.critical.length > 0 && criticalPath()),
    el("aside", {}, map, map && el("label", { class: "clock" }, "Time ", clock), map && told, panel)));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn(clock.valueAsNumber));
pick(null);
// For tests.
Object.assign(window, { quadrille: { state: () => ({ picked, place: null }) } });
