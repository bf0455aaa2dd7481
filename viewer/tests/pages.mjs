// The schedules that the tests look at, made by the program itself, and their pages.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../target");
export const quadrille = process.env.QUADRILLE ?? join(target, "debug/quadrille");
export const folder = mkdtempSync(join(tmpdir(), "quadrille-pages-"));

/** Name, network, collective, further arguments. */
export const SCHEDULES = {
    cube: ["hypercube:4", "alltoall"],
    torus: ["torus:8x8", "alltoall"],
    spidergon: ["spidergon:16", "broadcast"],
    "fat-tree": ["fat-tree:16", "alltoall"],
    kautz: ["kautz:3,2", "allgather"],
    faulty: ["mesh:4x4", "alltoall", "--fail-link", "5-6", "--fail-node", "9"],
    irregular: [join(here, "irregular.edges"), "alltoall"],
    figure: [join(here, "../../fixtures/thesis/figure-6-01.txt"), "MNS"],
    large: ["torus:25x40", "scatter"],
    slots: ["ring:6", "alltoall", "--switching", "tdm"],
    some: ["spidergon:12", "alltoall", "--senders", "0,3,7", "--receivers", "1,3,8,9"],
    merged: ["ring:8", "allreduce"],
    apart: ["random-regular:12,3", "allreduce", "--combining"],
};

export const run = (...args) => execFileSync(quadrille, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Solves and makes the page; gives its path. */
export function page(name) {
    if (!existsSync(quadrille)) throw new Error(`${quadrille} is not built: run \`cargo build\``);
    const [file, html] = [join(folder, `${name}.json`), join(folder, `${name}.html`)];
    run("solve", ...SCHEDULES[name], "--ticks", "2000000", "-o", file);
    run("show", file, "-o", html);
    return html;
}

export function browser() {
    const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
    if (!executablePath) throw new Error("no Chromium: install the package chromium");
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
    return chromium.launch({ executablePath, args });
}

export const clean = () => rmSync(folder, { recursive: true, force: true });
