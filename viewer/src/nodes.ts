// The nodes with what they hold, and their names.

import type { View } from "./view";

/** The least size of a name beside a node, on the screen. */
const LEAST = 9;

export function nodesOf(view: View, g: CanvasRenderingContext2D, step: number, share: number): void {
    const { data: d, theme: t } = view;
    const small = d.radius * view.scale < 2.2;
    const r = small ? Math.max(d.radius, 1.6 / view.scale) : d.radius;
    const inCut = new Set(view.shading === "bound" ? d.floor?.nodes : []);
    const line = Math.max(1, 0.8 / view.scale);
    const one = (v: number, x: number, y: number, ghost: boolean) => {
        const picked = view.pick?.kind === "node" && view.pick.id === v;
        if (d.out[v]) return crossed(view, g, x, y, r, line);
        const role = d.isSwitch[v] ? "both" : d.role(v);
        const outline = () => {
            g.beginPath();
            if (d.isSwitch[v]) g.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
            else if (role === "sender") diamond(g, x, y, 1.35 * r);
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
    if (small && d.nodes > 2000) return dots(view, g, Math.max(d.radius, 0.5 / view.scale), step);
    for (let v = 0; v < d.nodes; v++) one(v, d.x[v], d.y[v], false);
    for (const ghost of d.again) one(ghost.node, ghost.x, ghost.y, true);
    g.setLineDash([]);
    names(view, g, inCut);
}

/** As wide as high, and a little larger than a circle, so that a label has room. */
function diamond(g: CanvasRenderingContext2D, x: number, y: number, reach: number): void {
    g.moveTo(x - reach, y); g.lineTo(x, y - reach); g.lineTo(x + reach, y); g.lineTo(x, y + reach); g.closePath();
}

/** A node that has failed: a cross in a dashed circle. */
function crossed(view: View, g: CanvasRenderingContext2D, x: number, y: number, r: number, line: number): void {
    g.strokeStyle = view.theme.idle; g.lineWidth = line;
    g.setLineDash([3, 2]); g.beginPath(); g.arc(x, y, r, 0, 7); g.stroke();
    g.setLineDash([]); g.beginPath();
    for (const side of [1, -1]) { g.moveTo(x - 0.7 * r, y - 0.7 * side * r); g.lineTo(x + 0.7 * r, y + 0.7 * side * r); }
    g.stroke();
}

/** The names of nodes where the layout has them; those beside nodes large enough to be read, where they touch no other then. */
function names(view: View, g: CanvasRenderingContext2D, inCut: Set<number>): void {
    const { data: d, theme: t } = view;
    g.textAlign = "center"; g.textBaseline = "middle";
    const drawn: number[][] = [];
    for (const { node, text, x, y, size } of d.names) {
        const [dx, dy] = [x - d.x[node], y - d.y[node]];
        const beside = Math.hypot(dx, dy) > 1 && !d.again.some((a) => Math.hypot(x - a.x, y - a.y) < 1);
        const large = beside ? Math.max(size, LEAST / view.scale) : size;
        if (large * view.scale < 5.5 || large > 2.2 * size) continue;
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
function dots(view: View, g: CanvasRenderingContext2D, r: number, step: number): void {
    const { data: d, theme: t } = view;
    const lists: [string, number[]][] = [[t.faint, []], [t.ink, []], [t.accent, []]];
    for (let v = 0; v < d.nodes; v++) {
        const first = d.holds(v, 0), full = 2 * d.holds(v, step + 1) >= first + Math.max(first, d.mustHold(v));
        lists[view.pick?.kind === "node" && view.pick.id === v ? 2 : full && !d.isSwitch[v] ? 1 : 0][1].push(v);
    }
    for (const [colour, list] of lists) {
        g.fillStyle = colour;
        for (const v of list) g.fillRect(d.x[v] - r, d.y[v] - r, 2 * r, 2 * r);
    }
}
