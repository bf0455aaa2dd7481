// Colours: those of the style sheet for canvases, and those of transfers.

/** Colours of transfers: so many on a light ground, as many on a dark one. */
declare const COLOURS: string;
const ALL = COLOURS.split(" ");
const LIGHT = ALL.slice(0, ALL.length / 2), DARK = ALL.slice(ALL.length / 2);

export interface Theme {
    dark: boolean; ground: string; ink: string; faint: string; idle: string; fill: string; switch: string; accent: string;
    cut: string; transfers: string[];
}

export function theme(): Theme {
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const dark = of("scheme") === "dark";
    return {
        dark, ground: of("ground"), ink: of("ink"), faint: of("faint"), idle: of("idle"), fill: of("fill"),
        switch: of("switch"), accent: of("accent"), cut: of("cut"),
        transfers: dark ? DARK : LIGHT,
    };
}

/** A sequential scale that readers of any sight see (from pale to dark blue, or the other way on dark ground). */
export function heat(share: number, dark: boolean): string {
    const stops = dark ? [[98, 111, 124], [58, 136, 176], [110, 196, 190], [253, 231, 120]] : [[138, 147, 156], [84, 132, 184], [30, 90, 150], [13, 38, 84]];
    const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1);
    const [a, b, f] = [stops[Math.floor(at)], stops[Math.floor(at) + 1], at % 1];
    return `rgb(${a.map((x, i) => Math.round(x + (b[i] - x) * f)).join(",")})`;
}

/** How many colours transfers have. */
export const PAINTS = LIGHT.length;

/** The colour of a transfer: that of the node it comes from, by its rank among the senders. */
export const colourOf = (rank: number, colours: string[]) => colours[rank % colours.length];
