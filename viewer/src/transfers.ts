// The transfers of a step as they move along their paths.

import { colourOf } from "./theme";
import { curve, seen, strokes, STROKE, type View } from "./view";

/** Uses of a step beyond which each is drawn whole, all of a colour at once; beyond which only those of some senders. */
const MANY = 8000;
const MOST = 24_000;

/** The transfers of every so many-th sender are drawn. */
export function everyOf(view: View, step: number): number { return Math.ceil(view.data.usesOf(step) / MOST); }

/** All transfers of one message, those to come dashed. */
export function story(view: View, g: CanvasRenderingContext2D, m: number, step: number): void {
    const d = view.data;
    g.strokeStyle = view.theme.accent; g.lineWidth = Math.max(5, 4 / view.scale); g.globalAlpha = 0.35;
    for (let t = 0; t < d.transferStep.length; t++) {
        if (!d.messages.of(t).includes(m)) continue;
        g.setLineDash(d.transferStep[t] > step ? [3, 7] : []);
        g.beginPath();
        for (const c of d.path.of(t)) curve(view, g, c);
        g.stroke();
    }
    g.setLineDash([]); g.globalAlpha = 1;
}

function chosen(view: View, t: number, c: number): boolean {
    const d = view.data;
    switch (view.pick?.kind) {
        case undefined: return true;
        case "node": return d.sender(t) === view.pick!.id || d.receiver(t) === view.pick!.id || d.to[c] === view.pick!.id || d.from[c] === view.pick!.id;
        case "channel": return d.path.of(t).includes(view.pick!.id);
        case "message": return d.messages.of(t).includes(view.pick!.id);
    }
}

export function transfers(view: View, g: CanvasRenderingContext2D, step: number, share: number): void {
    const d = view.data;
    if (step >= d.shown) return;
    const width = Math.max(d.radius * 0.22, 1.5 / view.scale);
    const colours = view.theme.transfers;
    // What shades the links must be seen under what moves on them.
    const strength = view.pick ? 1 : { plain: 1, use: 0.45, bound: 0.3 }[view.shading];
    if (d.usesOf(step) > MANY) return crowd(view, g, step, share, width, strength);
    // The more there is beside what was chosen, the paler it is.
    const rest = Math.min(1, 400 / d.usesOf(step));
    for (let u = d.useStart[step]; u < d.useStart[step + 1]; u++) {
        const t = d.useTransfer[u], hop = d.useHop[u], hops = d.path.count(t);
        const c = d.path.items[d.path.start[t] + hop];
        const bright = chosen(view, t, c);
        const colour = colourOf(d.rank[d.sender(t)], colours);
        g.strokeStyle = g.fillStyle = colour;
        // The way ahead is pale, what is done is bold; in time-division every channel has its slot to itself.
        const done = d.slots ? share : Math.min(1, Math.max(0, share * hops - hop));
        g.globalAlpha = strength * (bright ? 0.28 : 0.06 * rest); g.lineWidth = width;
        g.beginPath(); curve(view, g, c); g.stroke();
        if (done <= 0) continue;
        g.globalAlpha = strength * (bright ? 1 : 0.13 * rest);
        const first = d.wires.start[c], pieces = d.wires.count(c);
        const last = d.slots || hop === hops - 1;
        for (let i = 0; i < pieces; i++) {
            const part = Math.min(1, done * pieces - i);
            if (part > 0) piece(view, g, 6 * (first + i), part, width, (part < 1 || (last && i === pieces - 1)) );
        }
        if (hop === 0 || d.slots) {
            g.beginPath(); g.arc(d.wire[6 * first], d.wire[6 * first + 1], 1.25 * width, 0, 7); g.fill();
        }
    }
    g.globalAlpha = 1;
}

/** A step of very many uses: channels as far as their transfers have come, without heads; what is chosen in bold. */
function crowd(view: View, g: CanvasRenderingContext2D, step: number, share: number, width: number, strength: number): void {
    const d = view.data, colours = view.theme.transfers;
    const every = everyOf(view, step);
    const pale: number[][] = colours.map(() => []), bold: number[][] = colours.map(() => []);
    for (let u = d.useStart[step]; u < d.useStart[step + 1]; u++) {
        const t = d.useTransfer[u], hop = d.useHop[u];
        if (!d.slots && share * d.path.count(t) <= hop) continue;
        const c = d.path.items[d.path.start[t] + hop];
        const rank = d.rank[d.sender(t)], few = rank % every === 0;
        if (!few && !(view.pick && chosen(view, t, c)) || !seen(view, c)) continue;
        (chosen(view, t, c) ? bold : pale)[Math.floor(rank / every) % colours.length].push(c);
    }
    g.lineWidth = width; g.lineCap = "butt"; g.lineJoin = "bevel";
    for (const [lists, alpha] of [[pale, 0.06], [bold, 1]] as [number[][], number][]) {
        g.globalAlpha = strength * alpha;
        // Some of each colour in turn, so that none lies on top everywhere.
        const longest = Math.max(...lists.map((list) => list.length));
        for (let i = 0; i < longest; i += STROKE / 8) {
            lists.forEach((list, at) => { g.strokeStyle = colours[at]; strokes(view, g, list.slice(i, i + STROKE / 8)); });
        }
    }
    g.globalAlpha = 1;
}

/** A curve up to a share of it, with an arrow head at its tip. */
function piece(view: View, g: CanvasRenderingContext2D, i: number, share: number, width: number, head: boolean): void {
    const w = view.data.wire;
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
