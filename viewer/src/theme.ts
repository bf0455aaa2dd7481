// Colours: those of the style sheet for canvases, and those of transfers, which are lighter on a dark ground.

declare const COLOURS: string;
const BASE = COLOURS.split(" ");

export interface Theme {
    dark: boolean; ground: string; ink: string; faint: string; idle: string; fill: string; switch: string; accent: string;
    cut: string; transfers: string[];
}

function lighter(colour: string, share: number): string {
    const parts = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    return "#" + parts.map((p) => Math.round(p + (255 - p) * share).toString(16).padStart(2, "0")).join("");
}

export function theme(): Theme {
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const dark = of("scheme") === "dark";
    return {
        dark, ground: of("ground"), ink: of("ink"), faint: of("faint"), idle: of("idle"), fill: of("fill"),
        switch: of("switch"), accent: of("accent"), cut: of("cut"),
        transfers: dark ? BASE.map((c) => lighter(c, 0.25)) : BASE,
    };
}

/** A sequential scale that readers of any sight see (from pale to dark blue, or the other way on dark ground). */
export function heat(share: number, dark: boolean): string {
    const stops = dark ? [[52, 62, 74], [38, 103, 148], [90, 178, 196], [253, 231, 120]] : [[214, 220, 227], [122, 176, 212], [34, 102, 158], [13, 38, 84]];
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1);
    const [a, b, f] = [stops[Math.floor(at)], stops[Math.floor(at) + 1], at % 1];
    return `rgb(${a.map((x, i) => Math.round(x + (b[i] - x) * f)).join(",")})`;
}

/** The colour of a transfer: that of the node it comes from. */
export const colourOf = (sender: number, colours: string[]) => colours[sender % colours.length];
