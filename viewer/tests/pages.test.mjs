// Every page opens, plays, and can be used with mouse and keyboard; what is measured is printed.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, clean, folder, page as make, run, SCHEDULES } from "./pages.mjs";

let chromium;
before(async () => { chromium = await browser(); });
after(async () => { await chromium?.close(); clean(); });

/** Opens a file; every error, warning and request beyond the file itself is a fault. */
async function open(path, options = {}) {
    const context = await chromium.newContext({ viewport: { width: 1360, height: 860 }, ...options });
    const page = await context.newPage();
    const faults = [];
    page.on("console", (m) => { if (["error", "warning"].includes(m.type())) faults.push(m.text()); });
    page.on("pageerror", (e) => faults.push(e.message));
    page.on("request", (r) => { if (r.url() !== `file://${path}` && !r.url().startsWith("data:")) faults.push(`request: ${r.url()}`); });
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => window.quadrille);
    const state = () => page.evaluate(() => { const { place, ...rest } = window.quadrille.state(); return rest; });
    return { page, faults, state, close: () => context.close() };
}

const picture = (page) => page.locator(".stage canvas").first();

for (const name of Object.keys(SCHEDULES)) {
    test(`the page of ${SCHEDULES[name].slice(0, 2).map((w) => w.split("/").at(-1)).join(" ")}`, async (t) => {
        const path = make(name);
        const size = statSync(path).size;
        assert.ok(size < 2e6, `${size} bytes`);
        const { page, faults, state, close } = await open(path);
        t.diagnostic(`${name}: ${Math.round(size / 1000)} kB, ready after ${Math.round(await page.evaluate(() => window.quadrille.ready))} ms`);

        // Keys, and the slider follows them.
        const { last } = await state();
        assert.ok(last > 0);
        await page.keyboard.press("ArrowRight");
        assert.equal((await state()).step, 1);
        await page.keyboard.press("End");
        assert.equal((await state()).step, last);
        await page.keyboard.press("ArrowRight");
        assert.equal((await state()).step, last);
        assert.equal(await page.locator("input[type=range]").inputValue(), String(last));
        await page.keyboard.press("Home");
        assert.equal((await state()).step, 0);
        // The slider itself.
        await page.locator("input[type=range]").fill("1");
        assert.equal((await state()).step, 1);
        assert.match(await page.locator(".status").first().textContent(), /^(step|slot) 1 of /);
        await page.locator("input[type=range]").blur();

        // Picking a node in the picture and reading its story.
        const node = name === "figure" ? 5 : 3;
        const position = await page.evaluate((v) => window.quadrille.state().place(v), node);
        await picture(page).click({ position });
        assert.deepEqual((await state()).pick, { kind: "node", id: node });
        assert.match(await page.locator("#panel h3").textContent(), /^(Node|Switch) /);
        // A line of the story leads to its step, a message in it to its own story.
        await page.locator("#panel .lines button.link", { hasText: "message" }).first().click();
        assert.equal((await state()).pick.kind, "message");
        await page.keyboard.press("Escape");
        assert.equal((await state()).pick, null);

        // Playing moves on, and pauses.
        await page.keyboard.press("Home");
        await picture(page).focus();
        await page.keyboard.press(" ");
        await page.waitForFunction(() => window.quadrille.state().share > 0.05 && window.quadrille.state().playing);
        await page.keyboard.press(" ");
        assert.equal((await state()).playing, false);

        // The table of all transfers, filtered by a sender.
        await page.locator("#tab-table").click();
        const rows = await page.locator("tbody tr").count();
        await page.locator(".filters select").selectOption("all");
        assert.ok(await page.locator("tbody tr").count() >= rows);
        const sender = await page.locator("tbody tr td:nth-child(3)").first().textContent();
        await page.getByLabel("only from node").fill(sender);
        const senders = await page.locator("tbody tr td:nth-child(3)").allTextContents();
        assert.ok(senders.length > 0 && senders.every((s) => s === sender));

        // A click into the grid goes to that step and channel.
        const grid = page.locator("canvas.grid").first();
        await grid.click({ position: { x: 6, y: 1 } });
        assert.equal((await state()).pick?.kind, "channel");
        for (const shading of await page.locator("#shading option").evaluateAll((o) => o.map((x) => x.value))) {
            await page.locator("#shading").selectOption(shading);
        }
        if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
        assert.deepEqual(faults, []);
        await close();
    });
}

test("what only sends and what only receives look different", async () => {
    const { page, faults, close } = await open(make("some"));
    const key = await page.locator("figure.card .key").textContent();
    assert.match(key, /◇ sends only.*◎ receives only.*dotted: takes no part/);
    assert.deepEqual(faults, []);
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, "some.png") });
    await close();
    const all = await open(make("cube"));
    assert.doesNotMatch(await all.page.locator("figure.card .key").textContent(), /only|takes no part/);
    await all.close();
});

test("the picture changes with the step", async () => {
    const { page, faults, close } = await open(make("spidergon"));
    const pixels = () => picture(page).evaluate((c) => c.toDataURL());
    const first = await pixels();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(100);
    assert.notEqual(await pixels(), first);
    await page.keyboard.press("ArrowLeft");
    await page.waitForTimeout(100);
    assert.equal(await pixels(), first);
    assert.deepEqual(faults, []);
    await close();
});

test("two schedules side by side", async () => {
    make("cube"); make("spidergon");
    const path = join(folder, "both.html");
    run("show", join(folder, "cube.json"), join(folder, "spidergon.json"), "-o", path);
    const { page, faults, state, close } = await open(path);
    // Before anything is chosen both are described.
    assert.equal(await page.locator("#panel h3").count(), 2);
    assert.equal(await page.locator("figure.card").count(), 2);
    await page.keyboard.press("End");
    assert.equal((await state()).step, 7);
    const said = await page.locator(".status").allTextContents();
    assert.match(said[0], /^step 7 of 8/);
    assert.match(said[1], /^finished after 2 steps/);
    await page.locator(".stage canvas").nth(1).click({ position: { x: 3, y: 3 } });
    assert.match(await page.locator("#panel").textContent(), /spidergon/);
    assert.deepEqual(faults, []);
    await close();
});

test("a page of a part says what it leaves out", async (t) => {
    const [file, path] = [join(folder, "part.json.gz"), join(folder, "part.html")];
    // 5.9 million channel uses, stored as orbits.
    run("solve", "torus:26x26", "alltoall", "-o", file);
    run("show", file, "-o", path);
    const { page, faults, state, close } = await open(path);
    t.diagnostic(`part: ${Math.round(statSync(path).size / 1000)} kB, ready after ${Math.round(await page.evaluate(() => window.quadrille.ready))} ms`);
    const { last } = await state();
    assert.match(await page.locator(".warning").textContent(), new RegExp(`steps ${last + 1} to 2196 of 2197 are left out .* the messages that they deliver`));
    await page.keyboard.press("End");
    assert.match(await page.locator(".status").first().textContent(), new RegExp(`step ${last} of 2197 .*, 100 %`));
    // A node has received some of what it has to, and the rest is counted though it is not listed.
    await page.locator("input[name=which]").fill("5");
    await page.keyboard.press("Enter");
    const held = await page.locator("#panel .between").textContent();
    assert.match(held, /^675 at first([67][0-9]{2}) at the end$/);
    // Messages have their numbers in the whole schedule.
    await page.locator("select[name=kind]").selectOption("message");
    const listed = (await page.locator("#panel .lines button.link", { hasText: "message" }).first().textContent()).split(" ")[1];
    await page.locator("input[name=which]").fill(listed);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#panel h3").textContent(), `Message ${listed}`);
    await page.locator("#tab-table").click();
    await page.locator(".filters select").selectOption("all");
    await page.getByLabel("only message").fill(listed);
    assert.equal(await page.locator("tbody tr").count(), 1);
    // The bound tells its quotient: all distances, over all channels.
    await page.locator("#shading").selectOption("bound");
    assert.match(await page.locator(".quotient").textContent(), /5,940,688 \/ 2,704 ⌉ = 2,?197/);
    assert.deepEqual(faults, []);
    await close();
});

test("partial results of a transfer arrive by themselves", async () => {
    const { page, faults, close } = await open(make("apart"));
    await page.locator("input[name=which]").fill("5");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#panel .between").textContent(), /^1 at first12 at the end$/);
    assert.deepEqual(faults, []);
    await close();
});

test("the certificate is drawn and told", async () => {
    const { page, faults, close } = await open(make("irregular"));
    const pixels = () => picture(page).evaluate((c) => c.toDataURL());
    const plain = await pixels();
    await page.locator("#shading").selectOption("bound");
    await page.waitForTimeout(100);
    assert.notEqual(await pixels(), plain);
    assert.match(await page.locator("#panel").textContent(), /No schedule has fewer than \d+ steps/);
    assert.deepEqual(faults, []);
    await close();
});

test("all of it is reached by keyboard, and has a name", async () => {
    const { page, close } = await open(make("cube"));
    const reached = new Set();
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        const name = await page.evaluate(() => {
            const e = document.activeElement;
            if (!e || e === document.body) return null;
            const text = e.getAttribute("aria-label") || e.labels?.[0]?.textContent || e.textContent || "";
            const shown = getComputedStyle(e).outlineStyle !== "none";
            return { tag: e.tagName, text: text.trim(), shown };
        });
        if (!name) break;
        assert.ok(name.text, `a ${name.tag} without a name`);
        assert.ok(name.shown, `the focus on ${name.text} is not seen`);
        reached.add(name.text.split(" ")[0]);
    }
    for (const wanted of ["alltoall", "first", "▶", "step", "speed", "channels", "kind", "Story"]) assert.ok([...reached].some((r) => r.startsWith(wanted)), `${wanted} of ${[...reached]}`);
    // Finding without a mouse.
    await page.locator("select[name=kind]").selectOption("channel");
    await page.locator("input[name=which]").fill("63");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#panel h3").textContent(), /^Channel 63/);
    await page.locator("input[name=which]").fill("64");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".look [role=status]").textContent(), /there is no channel “64”.*0 to 63/);
    await page.locator("#tab-story").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#tab-table").getAttribute("aria-selected"), "true");
    await page.locator("h1").click();
    await page.keyboard.press("End");
    assert.match(await page.locator("[aria-live=polite]").first().textContent(), /step 7 of 8/);
    await close();
});

/** Relative luminance and contrast as WCAG 2 defines them. */
function contrast(a, b) {
    const light = (colour) => {
        const [r, g, bl] = colour.match(/[\d.]+/g).slice(0, 3).map(Number).map((x) => x / 255).map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
    };
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
}

test("wide links are explained where there are some", async () => {
    const [network, file, path] = ["wide.edges", "wide.json", "wide.html"].map((name) => join(folder, name));
    writeFileSync(network, "a b 4\nb c\nc a 2\n");
    run("solve", network, "alltoall", "-o", file);
    run("show", file, "-o", path);
    const { page, close } = await open(path);
    assert.match(await page.locator(".key").textContent(), /wider links carry more: 1 to 4 messages a step/);
    await close();
    const plain = await open(make("cube"));
    assert.doesNotMatch(await plain.page.locator(".key").textContent(), /wider/);
    await plain.close();
});

for (const colorScheme of ["light", "dark"]) {
    test(`texts are readable in ${colorScheme}`, async (t) => {
        const { page, close } = await open(make("cube"), { colorScheme });
        const pairs = await page.evaluate(() => {
            const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== "rgba(0, 0, 0, 0)") return c; } return "rgb(255,255,255)"; };
            const texts = Array.from(document.querySelectorAll("body *")).filter((e) => Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim()) && !["SCRIPT", "STYLE", "OPTION"].includes(e.tagName));
            return texts.map((e) => [e.textContent.trim().slice(0, 30), getComputedStyle(e).color, ground(e)]);
        });
        assert.ok(pairs.length > 20);
        const worst = pairs.map(([text, a, b]) => [contrast(a, b), text]).sort((a, b) => a[0] - b[0])[0];
        t.diagnostic(`lowest contrast of a text: ${worst[0].toFixed(1)} (${worst[1]})`);
        assert.ok(worst[0] >= 4.5, worst.join(" "));
        // Transfers are told from the ground, too: seven colours of either scheme.
        const colours = readFileSync(join(folder, "cube.html"), "utf8").match(/const COLOURS = "([^"]+)"/)[1].split(" ");
        assert.equal(colours.length, 14);
        const ground = await page.evaluate(() => getComputedStyle(document.querySelector(".card")).backgroundColor);
        const rgb = (c) => `rgb(${[1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)).join(", ")})`;
        const marks = (colorScheme === "light" ? colours.slice(0, 7) : colours.slice(7)).map((c) => [contrast(rgb(c), ground), c]).sort((a, b) => a[0] - b[0]);
        t.diagnostic(`lowest contrast of a transfer: ${marks[0][0].toFixed(2)} (${marks[0][1]})`);
        assert.ok(marks[0][0] >= 3, marks[0].join(" "));
        await close();
    });
}

test("the button turns light to dark", async () => {
    const { page, close } = await open(make("cube"));
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "light / dark" }).click();
    assert.notEqual(await ground(), light);
    await page.getByRole("button", { name: "light / dark" }).click();
    assert.equal(await ground(), light);
    await close();
});

test("the page of a schedule in time", async (t) => {
    const [file, path] = [join(import.meta.dirname, "../../docs/pictures/timed-mesh-3x3.json"), join(folder, "timed.html")];
    run("show", file, "-o", path);
    t.diagnostic(`timed: ${Math.round(statSync(path).size / 1000)} kB`);
    const { page, faults, state, close } = await open(path);
    assert.equal((await state()).picked, null);
    // The critical path has rims, and no line that leads nowhere.
    assert.ok(await page.locator(".chart.light .critical rect").count() > 0);
    const lines = await page.locator(".chart.light path").evaluateAll((paths) => paths.map((p) => p.getAttribute("d")));
    assert.deepEqual(lines.filter((d) => { const [, a, b] = d.match(/^M([\d. ]+)L([\d. ]+)$/) ?? []; return a && a === b; }), []);
    // A bar tells its story; of the two charts one is shown.
    await page.locator(".chart.light rect[data-t='71']").first().click();
    assert.equal((await state()).picked, 71);
    const panel = page.locator("#panel"), time = () => page.getByLabel("Time");
    assert.match(await panel.locator("h3").textContent(), /^Transfer 71: /);
    assert.match(await panel.textContent(), /begins.* µs.*has come.*rate.*25 GB\/s.*path.*It begins when/s);
    assert.ok(await page.locator(".chart.light rect.picked").count() > 0);
    assert.equal(await page.locator(".chart.dark").isVisible(), false);
    // Back to the beginning along what each waits for, by keys.
    let before = -1;
    for (let hops = 0; hops < 72 && before !== (await state()).picked; hops++) {
        before = (await state()).picked;
        await page.keyboard.press("ArrowLeft");
    }
    assert.match(await panel.textContent(), /the schedule begins/);
    await page.keyboard.press("ArrowRight");
    assert.notEqual((await state()).picked, before);
    await page.keyboard.press("Escape");
    assert.equal((await state()).picked, null);
    await panel.locator("input").fill("3");
    await panel.locator("input").press("Enter");
    assert.equal((await state()).picked, 3);
    // The critical path, from the first transfer to the last, each of which leads to its story.
    const chain = page.locator(".critical tbody tr");
    assert.match(await page.locator(".critical h3").textContent(), new RegExp(`^Critical path: ${await chain.count()} transfers$`));
    assert.match(await chain.first().textContent(), /the schedule begins/);
    await chain.last().getByRole("button").click();
    assert.match(await panel.textContent(), /critical path/);
    assert.equal(await chain.last().locator("td").nth(2).textContent(), `${Number(await time().getAttribute("max"))} µs`);
    // The network beside it has the way of what is picked, and what is in use as time goes by.
    await page.keyboard.press("Escape");
    await panel.locator("input").fill("3");
    await panel.locator("input").press("Enter");
    const ways = () => page.locator(".map path.busy").count();
    assert.ok(await page.locator(".map path.picked").count() > 0);
    await page.keyboard.press("Escape");
    const used = page.locator("aside .status");
    await time().fill("0");
    assert.equal(await used.textContent(), `0 µs: ${await ways()} of 24 channels in use`);
    assert.ok(await ways() > 0);
    await time().fill(await time().getAttribute("max"));
    assert.equal(await ways(), 0);
    assert.equal(await page.locator(".map path.picked").count(), 0);
    assert.deepEqual(faults, []);
    await close();
    const dark = await open(path, { colorScheme: "dark" });
    assert.equal(await dark.page.locator(".chart.dark").isVisible(), true);
    assert.equal(await dark.page.locator(".chart.light").isVisible(), false);
    await dark.close();
    // On a phone the chart is as large as it can be read, and scrolls in its place.
    const phone = await open(path, { viewport: { width: 400, height: 800 } });
    const [chart, all] = await phone.page.evaluate(() => [document.querySelector(".chart.light"), document.documentElement].map((e) => [e.scrollWidth, e.clientWidth]));
    assert.ok(chart[0] > 700 && chart[1] < 400 && all[0] <= 400, `${chart} ${all}`);
    await phone.close();
});

test("the page of a simulation", async (t) => {
    const [file, path] = [join(folder, "simulated.json"), join(folder, "simulated.html")];
    run("solve", "torus:4x4", "alltoall", "-o", file);
    const told = run("simulate", file, "--against", "direct", "-o", path);
    t.diagnostic(`simulation: ${Math.round(statSync(path).size / 1000)} kB`);
    const { page, faults, state, close } = await open(path);
    // The schedule waits for nothing, the other run beside it does, and both are told.
    assert.equal(await page.locator("figure.card").count(), 2);
    const cycles = Number(told.match(/(\d+) cycles, as predicted/)[1]);
    assert.equal(await page.locator("figure.card .badge").first().textContent(), `${cycles} cycles`);
    const waits = [];
    for (let cycle = 0; cycle < cycles; cycle += 8) {
        await page.evaluate((at) => window.quadrille.go(at), cycle);
        const { said } = await state();
        assert.match(said[0], /^step \d of 8, .* 0 requests not granted$/);
        waits.push(Number(said[1].match(/([\d,]+) requests? not granted/)[1].replace(",", "")));
    }
    assert.ok(waits.some((requests) => requests > 0), `${waits}`);
    // The slider, keys, and playing.
    await page.locator("input[type=range]").fill("40");
    assert.equal((await state()).cycle, 40);
    await page.locator("input[type=range]").blur();
    await page.keyboard.press("ArrowRight");
    assert.ok((await state()).cycle > 40);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.quadrille.state().playing && window.quadrille.state().cycle > 50);
    await page.keyboard.press(" ");
    assert.equal((await state()).playing, false);
    // The picture changes with the cycle.
    const drawn = () => page.locator(".stage canvas").last().evaluate((canvas) => canvas.toDataURL());
    await page.evaluate(() => window.quadrille.go(0));
    const before = await drawn();
    await page.evaluate((at) => window.quadrille.go(at), Math.round(cycles / 2));
    assert.notEqual(await drawn(), before);
    assert.deepEqual(faults, []);
    await close();
});
