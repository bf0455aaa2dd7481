// What all that is drawn on the stage has in common: where it lies on the canvas, in which colours, and what is chosen.

import type { Schedule } from "./data";
import type { Theme } from "./theme";

export type Pick = { kind: "node" | "channel" | "message"; id: number } | null;
export type Shading = "plain" | "use" | "bound";

export interface View {
    readonly data: Schedule; readonly canvas: HTMLCanvasElement; readonly theme: Theme;
    readonly pick: Pick; readonly shading: Shading;
    readonly scale: number; readonly offset: { x: number; y: number };
    /** Pixels of the canvas in one of the page. */
    readonly ratio: number;
}

/** Curves of one stroke; channels beyond which idle ones are seen only from near. */
export const STROKE = 1000;
export const CROWDED = 60_000;

export function world(view: View, g: CanvasRenderingContext2D): void {
    const k = view.scale * view.ratio;
    g.setTransform(k, 0, 0, k, view.offset.x * view.ratio, view.offset.y * view.ratio);
}

export function curve(view: View, g: CanvasRenderingContext2D, c: number): void {
    const { wires, wire } = view.data;
    for (let i = 6 * wires.start[c]; i < 6 * wires.start[c + 1]; i += 6) {
        g.moveTo(wire[i], wire[i + 1]);
        // In networks so large nothing is bent.
        if (view.data.channels > CROWDED) g.lineTo(wire[i + 4], wire[i + 5]);
        else g.quadraticCurveTo(wire[i + 2], wire[i + 3], wire[i + 4], wire[i + 5]);
    }
}

/** Whether there are so many links that they would be one colour. */
export function tooFar(view: View): boolean { return view.data.channels > CROWDED && view.data.radius * view.scale < 1.5; }

/** Whether some of a channel may be on the canvas. */
export function seen(view: View, c: number): boolean {
    const { wires, wire } = view.data, { x, y } = view.offset, k = view.scale;
    for (let i = 6 * wires.start[c]; i < 6 * wires.start[c + 1]; i += 6) {
        const left = Math.min(wire[i], wire[i + 2], wire[i + 4]) * k + x, right = Math.max(wire[i], wire[i + 2], wire[i + 4]) * k + x;
        const top = Math.min(wire[i + 1], wire[i + 3], wire[i + 5]) * k + y, low = Math.max(wire[i + 1], wire[i + 3], wire[i + 5]) * k + y;
        if (right > -8 && low > -8 && left < view.canvas.clientWidth + 8 && top < view.canvas.clientHeight + 8) return true;
    }
    return false;
}

/** Channels in one colour, some at a time: a canvas is slow with one path of very many curves. */
export function strokes(view: View, g: CanvasRenderingContext2D, channels: number[]): void {
    for (let i = 0; i < channels.length; i += STROKE) {
        g.beginPath();
        for (const c of channels.slice(i, i + STROKE)) curve(view, g, c);
        g.stroke();
    }
}
