// Builds the page's program and style sheet into the crate that writes pages. `--check` builds into a folder beside and
// compares, for CI.
import { build } from "esbuild";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const kept = join(here, "../crates/pictures/assets");

async function into(folder) {
    await mkdir(folder, { recursive: true });
    const common = { bundle: true, minify: true, charset: "utf8", logLevel: "warning", target: ["es2022"] };
    await build({ ...common, entryPoints: [join(here, "src/main.ts")], outfile: join(folder, "player.js"), format: "iife" });
    await build({ ...common, entryPoints: [join(here, "src/timed.ts")], outfile: join(folder, "timed.js"), format: "iife" });
    await build({ ...common, entryPoints: [join(here, "src/simulation.ts")], outfile: join(folder, "simulation.js"), format: "iife" });
    await build({ ...common, entryPoints: [join(here, "src/player.css")], outfile: join(folder, "player.css") });
    await copyFile(join(here, "src/page.html"), join(folder, "page.html"));
}

if (process.argv.includes("--check")) {
    const folder = await mkdtemp(join(tmpdir(), "quadrille-viewer-"));
    await into(folder);
    for (const name of ["player.js", "timed.js", "simulation.js", "player.css", "page.html"]) {
        const [now, then] = await Promise.all([readFile(join(folder, name), "utf8"), readFile(join(kept, name), "utf8")]);
        if (now !== then) {
            console.error(`crates/pictures/assets/${name} is not what viewer/ builds: run \`npm run build\` in viewer/`);
            process.exitCode = 1;
        }
    }
    await rm(folder, { recursive: true });
} else {
    await into(kept);
}
