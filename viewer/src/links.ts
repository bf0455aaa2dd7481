// The links of the network, idle or shaded by their use or by the bound.

import { heat } from "./theme";
import { curve, seen, strokes, tooFar, world, type View } from "./view";

/** The links, drawn once until something changes. */
export function links(view: View): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = view.canvas.width; canvas.height = view.canvas.height;
    const g = canvas.getContext("2d")!;
    const { data: d, theme: t } = view;
    g.fillStyle = t.ground; g.fillRect(0, 0, canvas.width, canvas.height);
    world(view, g);
    const thin = Math.max(0.8, 0.7 / view.scale);
    const counted = new Set(d.floor?.channels);
    const styles = new Map<string, number[]>();
    const far = view.shading === "plain" && tooFar(view);
    for (let c = 0; c < d.channels; c++) {
        if (far || !seen(view, c)) continue;
        // As in pictures: the area between links grows with what they carry.
        let key = `${t.idle} ${thin * Math.min(4, Math.sqrt(d.capacity[c] / d.leastCapacity))}`;
        if (view.shading === "use") key = `${heat(d.load[c] / d.maxLoad, t.dark).replaceAll(" ", "")} ${thin * (1 + 2.2 * d.load[c] / d.maxLoad)}`;
        if (view.shading === "bound" && d.floor) {
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
        strokes(view, g, channels);
    }
    g.strokeStyle = t.idle; g.lineWidth = thin; g.setLineDash([4, 3]); g.beginPath();
    for (let i = 0; i < d.failed.length; i += 6) {
        const [ax, ay, mx, my, bx, by] = d.failed.slice(i, i + 6);
        g.moveTo(ax, ay); g.quadraticCurveTo(mx, my, bx, by);
    }
    g.stroke(); g.setLineDash([]);
    if (view.pick?.kind === "channel") {
        g.strokeStyle = t.accent; g.lineWidth = Math.max(5, 5 / view.scale); g.globalAlpha = 0.45;
        g.beginPath(); curve(view, g, view.pick.id); g.stroke();
    }
    return canvas;
}
