// Steps down, channels across: how full each step is. A click goes to that step and channel.

import type { Schedule } from "./data";
import { colourOf, theme } from "./theme";

const BAR = 92;

export class Grid {
    readonly canvas = document.createElement("canvas");
    private cells: HTMLCanvasElement | null = null;
    private row = 1;
    private drawnAt = -1;

    constructor(private readonly data: Schedule, chosen: (step: number, channel: number) => void) {
        this.canvas.tabIndex = 0;
        this.canvas.className = "grid";
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", `${data.word}s by channels: ${data.shown} rows, ${data.channels} columns; a coloured cell is a busy channel`);
        this.canvas.addEventListener("click", (e) => {
            const step = Math.floor(e.offsetY / this.row);
            const share = e.offsetX / (this.canvas.clientWidth - BAR);
            if (step < this.data.shown) chosen(step, share < 1 ? Math.floor(share * this.data.channels) : -1);
        });
        new ResizeObserver(() => this.refresh()).observe(this.canvas);
    }

    refresh(): void {
        this.cells = null;
        const at = this.drawnAt;
        this.drawnAt = -1;
        if (at >= 0) this.draw(at);
    }

    draw(step: number): void {
        const width = this.canvas.clientWidth, d = this.data;
        if (!width || (this.drawnAt === step && this.cells)) return;
        this.drawnAt = step;
        // Two pixels a row as long as the page can be that long; more rows than that are a texture.
        const row = 220 / Math.max(1, d.shown);
        this.row = row >= 2 ? Math.min(14, Math.floor(row)) : d.shown <= 320 ? 2 : row;
        const height = this.row * d.shown;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        this.canvas.style.height = `${height}px`;
        // The picture takes what the grid leaves.
        this.canvas.parentElement?.style.setProperty("--grid", `${Math.round(height)}px`);
        this.canvas.width = Math.round(width * ratio); this.canvas.height = Math.round(height * ratio);
        const g = this.canvas.getContext("2d")!, t = theme();
        g.scale(ratio, ratio);
        this.cells ??= this.paint(Math.max(1, Math.round(width - BAR)));
        g.imageSmoothingEnabled = this.row < 1;
        g.drawImage(this.cells, 0, 0, width - BAR, height);
        if (this.row >= 4) {
            g.fillStyle = t.ground;
            for (let s = 1; s < d.shown; s++) g.fillRect(0, s * this.row - 0.5, width - BAR, 1);
            const column = (width - BAR) / d.channels;
            if (column >= 5) for (let c = 1; c < d.channels; c++) g.fillRect(c * column - 0.5, 0, 1, height);
        }
        g.font = "10px system-ui, sans-serif"; g.textBaseline = "middle";
        const every = this.row >= 12 ? 1 : Math.ceil(14 / this.row);
        for (let s = 0; s < d.shown; s++) {
            const share = d.usesOf(s) / d.capacityOfAll;
            g.fillStyle = t.idle; g.fillRect(width - BAR + 8, s * this.row, 44 * share, this.row > 2 ? this.row - 1 : this.row);
            // As many numbers as have room.
            if (this.row >= 4 && s % every === 0) { g.fillStyle = t.faint; g.fillText(`${Math.round(100 * share)} %`, width - BAR + 56, Math.max(6, (s + 0.5) * this.row)); }
        }
        if (step < d.shown) {
            g.strokeStyle = t.ink; g.lineWidth = 1.5;
            g.strokeRect(0.75, step * this.row + 0.25, width - BAR - 1.5, Math.max(2, this.row - 0.5));
        }
    }

    /** A pixel a cell, or a pixel for several channels where there are more than pixels. */
    private paint(most: number): HTMLCanvasElement {
        const d = this.data, t = theme();
        const columns = Math.max(1, Math.min(d.channels, most));
        const canvas = document.createElement("canvas");
        canvas.width = columns; canvas.height = Math.max(1, d.shown);
        const g = canvas.getContext("2d")!;
        const image = g.createImageData(columns, canvas.height);
        const bytes = (colour: string) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
        const colours = t.transfers.map(bytes), ground = bytes(t.switch);
        const each = d.channels / columns;
        for (let s = 0; s < d.shown; s++) {
            const busy = new Float32Array(columns), paint = new Uint8Array(columns);
            for (let u = d.useStart[s]; u < d.useStart[s + 1]; u++) {
                const transfer = d.useTransfer[u];
                const c = d.path.items[d.path.start[transfer] + d.useHop[u]];
                const at = Math.min(columns - 1, Math.floor(c / each));
                busy[at] += 1 / (each * d.capacity[c]);
                paint[at] = t.transfers.indexOf(colourOf(d.rank[d.sender(transfer)], t.transfers));
            }
            for (let at = 0; at < columns; at++) {
                const share = Math.min(1, busy[at]);
                for (let i = 0; i < 3; i++) {
                    image.data[4 * (s * columns + at) + i] = ground[i] + (colours[paint[at]][i] - ground[i]) * share;
                }
                image.data[4 * (s * columns + at) + 3] = 255;
            }
        }
        g.putImageData(image, 0, 0);
        return canvas;
    }
}
