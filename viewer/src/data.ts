// A schedule as the page holds it: flat arrays, and what follows from them (uses, holdings).

interface Raw {
    title: string;
    network: {
        name: string; layout: string; width: number; height: number; radius: number; xy: number[]; switches: number[];
        labels: string[] | null; names: string[]; named: number[]; failed: number[]; again: number[]; from: number[]; to: number[]; capacities: number[] | null;
        curves: number[]; wires: number[];
    };
    roles: Role[] | null;
    ranks: number[];
    senders: number;
    word: string;
    tdm: [number, boolean] | null;
    collective: string;
    model: string;
    reduce: boolean;
    messages: {
        count: number; numbers: number[] | null; from_counts: number[]; from: number[]; to_counts: number[]; to: number[];
        held: number[] | null; wanted: number[] | null;
    };
    steps: number;
    transfers: number;
    uses: number;
    sent: {
        steps: number[]; message_counts: number[] | null; messages: number[]; hops: number[]; path: number[]; copies: number[];
        kept: number[]; partials: Record<string, number[]>;
    };
    floor: Floor | null;
    optimal: boolean;
}

export interface Floor {
    steps: number; kind: string; reason: string; quotient: [number, number] | null;
    nodes: number[]; channels: number[]; weights: number[];
}

/** The part that a node takes in the collective. */
export type Role = "both" | "sender" | "receiver" | "neither";

/** Lists of lists: list `i` is `items[start[i] .. start[i + 1]]`. */
export class Lists {
    readonly start: Uint32Array;
    readonly items: Uint32Array;
    constructor(counts: ArrayLike<number>, items: ArrayLike<number>) {
        this.start = new Uint32Array(counts.length + 1);
        for (let i = 0; i < counts.length; i++) this.start[i + 1] = this.start[i] + counts[i];
        this.items = Uint32Array.from(items);
    }
    of(i: number): Uint32Array { return this.items.subarray(this.start[i], this.start[i + 1]); }
    count(i: number): number { return this.start[i + 1] - this.start[i]; }
}

/** One transfer's passage over one channel. */
export interface Use { transfer: number; hop: number; channel: number }

/** What a page holds compressed and in base64. */
export async function unzip(text: string): Promise<unknown> {
    const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
}

export async function unpack(text: string): Promise<Schedule> {
    return new Schedule(await unzip(text) as Raw);
}

export class Schedule {
    readonly title: string;
    readonly word: string;
    readonly name: string;
    readonly layout: string;
    readonly collective: string;
    readonly model: string;
    readonly reduce: boolean;
    readonly optimal: boolean;
    readonly floor: Floor | null;
    readonly nodes: number;
    readonly channels: number;
    /** Steps of the schedule, and those that are in the page. */
    readonly steps: number;
    readonly shown: number;
    readonly transferCount: number;
    readonly useCount: number;
    readonly width: number;
    readonly height: number;
    readonly radius: number;
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly again: { node: number; x: number; y: number }[] = [];
    /** Links that have failed, six numbers each. */
    readonly failed: number[];
    /** What nodes are called in the picture, and where that stands: in them, or beside them. */
    readonly names: { node: number; text: string; x: number; y: number; size: number }[];
    readonly isSwitch: Uint8Array;
    /** Nodes out of use: they take part in nothing, and no channel leads there. */
    readonly out: Uint8Array;
    readonly from: Uint32Array;
    readonly to: Uint32Array;
    readonly capacity: Uint32Array;
    /** Curves of six numbers. */
    readonly wires: Lists;
    readonly wire: Float32Array;
    /** Messages of the schedule, and those that are in the page. */
    readonly messageCount: number;
    readonly listed: number;
    readonly origins: Lists;
    readonly destinations: Lists;
    /** The first transfer of each step. */
    readonly stepStart: Uint32Array;
    readonly transferStep: Uint32Array;
    readonly messages: Lists;
    readonly path: Lists;
    /** Uses a step: the transfer, and the position in its path. */
    readonly useStart: Uint32Array;
    readonly useTransfer: Uint32Array;
    readonly useHop: Uint32Array;
    /** Uses of each channel over all steps. */
    readonly load: Uint32Array;
    readonly maxLoad: number;
    readonly capacityOfAll: number;
    readonly leastCapacity: number;
    readonly mostCapacity: number;
    /** Whether some channels carry several messages at once, so that uses are not channels. */
    readonly shared: boolean;
    /** Of every node its rank among the senders, which is that of its colour; and how many senders there are. */
    readonly rank: number[];
    readonly senders: number;
    private readonly roles: Role[] | null;
    private readonly labels: string[] | null;
    private readonly numbers: number[] | null;
    /** Of every node, what is not in the page: messages that start there, and that must end there. */
    private readonly unlisted: { held: number[] | null; wanted: number[] | null };
    private held: Uint32Array | null = null;
    private wanted: Uint32Array | null = null;

    constructor(raw: Raw) {
        const { network: net, sent } = raw;
        this.title = raw.title; this.word = raw.word; this.name = net.name; this.layout = net.layout;
        this.collective = raw.collective; this.model = raw.model; this.reduce = raw.reduce;
        this.optimal = raw.optimal; this.floor = raw.floor;
        this.nodes = net.xy.length / 2; this.channels = net.from.length;
        this.steps = raw.steps; this.shown = sent.steps.length;
        this.transferCount = raw.transfers; this.useCount = raw.uses;
        this.width = net.width; this.height = net.height; this.radius = net.radius;
        this.x = new Float32Array(this.nodes); this.y = new Float32Array(this.nodes);
        for (let v = 0; v < this.nodes; v++) { this.x[v] = net.xy[2 * v] / 10; this.y[v] = net.xy[2 * v + 1] / 10; }
        for (let i = 0; i < net.again.length; i += 3) {
            this.again.push({ node: net.again[i], x: net.again[i + 1] / 10, y: net.again[i + 2] / 10 });
        }
        this.failed = net.failed.map((t) => t / 10);
        this.names = net.names.map((text, i) => {
            const [node, x, y, size] = net.named.slice(4 * i, 4 * i + 4);
            return { node, text, x: x / 10, y: y / 10, size: size / 10 };
        });
        this.isSwitch = new Uint8Array(this.nodes);
        for (const v of net.switches) this.isSwitch[v] = 1;
        this.labels = net.labels;
        this.roles = raw.roles; this.rank = raw.ranks; this.senders = raw.senders;
        this.from = Uint32Array.from(net.from); this.to = Uint32Array.from(net.to);
        this.out = Uint8Array.from(this.isSwitch);
        for (const ends of [net.from, net.to]) for (const v of ends) this.out[v] = 0;
        this.capacity = net.capacities ? Uint32Array.from(net.capacities) : new Uint32Array(this.channels).fill(1);
        this.capacityOfAll = this.capacity.reduce((a, b) => a + b, 0);
        this.leastCapacity = this.capacity.reduce((a, b) => Math.min(a, b), Infinity);
        this.mostCapacity = this.capacity.reduce((a, b) => Math.max(a, b), 0);
        this.shared = this.capacity.some((c) => c > 1);
        this.wires = new Lists(net.curves, []);
        this.wire = Float32Array.from(net.wires, (t) => t / 10);
        this.messageCount = raw.messages.count; this.listed = raw.messages.from_counts.length;
        this.numbers = raw.messages.numbers;
        this.unlisted = { held: raw.messages.held, wanted: raw.messages.wanted };
        this.origins = new Lists(raw.messages.from_counts, raw.messages.from);
        this.destinations = new Lists(raw.messages.to_counts, raw.messages.to);
        this.path = new Lists(sent.hops, sent.path);
        const transfers = sent.hops.length;
        this.messages = new Lists(sent.message_counts ?? new Uint8Array(transfers).fill(1), sent.messages);
        this.stepStart = new Lists(sent.steps, []).start;
        this.transferStep = new Uint32Array(transfers);
        for (let s = 0; s < this.shown; s++) this.transferStep.fill(s, this.stepStart[s], this.stepStart[s + 1]);
        // Under time-division the i-th channel of a path is busy so many slots later.
        const [hop, cyclic] = raw.tdm ?? [0, false];
        const slot = (t: number, i: number) => {
            const at = this.transferStep[t] + i * hop;
            return cyclic && raw.tdm ? at % this.steps : at;
        };
        const counts = new Uint32Array(this.shown);
        this.load = new Uint32Array(this.channels);
        for (let t = 0; t < transfers; t++) {
            for (let i = 0; i < this.path.count(t); i++) {
                this.load[this.path.items[this.path.start[t] + i]]++;
                if (slot(t, i) < this.shown) counts[slot(t, i)]++;
            }
        }
        this.maxLoad = this.load.reduce((a, b) => Math.max(a, b), 1);
        this.useStart = new Lists(counts, []).start;
        const next = this.useStart.slice();
        this.useTransfer = new Uint32Array(this.useStart[this.shown]);
        this.useHop = new Uint32Array(this.useStart[this.shown]);
        for (let t = 0; t < transfers; t++) {
            for (let i = 0; i < this.path.count(t); i++) {
                if (slot(t, i) >= this.shown) continue;
                const at = next[slot(t, i)]++;
                this.useTransfer[at] = t; this.useHop[at] = i;
            }
        }
        this.copies = new Set(sent.copies);
        this.kept = new Set(sent.kept);
        this.partials = new Map(Object.entries(sent.partials).map(([t, chosen]) => [Number(t), chosen]));
        this.slots = raw.tdm !== null;
    }

    readonly copies: Set<number>;
    readonly kept: Set<number>;
    /** What transfers choose among the partial results that their senders keep apart, each of their messages an equal part: 0 their own, k the k-th that came. */
    readonly partials: Map<number, number[]>;
    readonly slots: boolean;

    label(v: number): string { return this.labels ? this.labels[v] : String(v); }
    role(v: number): Role { return this.roles?.[v] ?? "both"; }
    /** A node by what people call it: its label, or its number. */
    find(text: string): number {
        const named = this.labels?.indexOf(text) ?? -1;
        const number = /^\d+$/.test(text) ? Number(text) : -1;
        return named >= 0 ? named : number < this.nodes ? number : -1;
    }
    /** The number of a message of the page, and the other way round; -1 where the page has none of that number. */
    number(m: number): number { return this.numbers ? this.numbers[m] : m; }
    message(number: number): number { return this.numbers ? this.numbers.indexOf(number) : number < this.listed ? number : -1; }
    sender(t: number): number { return this.from[this.path.items[this.path.start[t]]]; }
    receiver(t: number): number { return this.to[this.path.items[this.path.start[t + 1] - 1]]; }
    route(t: number): number[] { return [this.sender(t), ...Array.from(this.path.of(t), (c) => this.to[c])]; }
    usesOf(step: number): number { return step < this.shown ? this.useStart[step + 1] - this.useStart[step] : 0; }
    transfersOf(step: number): number { return step < this.shown ? this.stepStart[step + 1] - this.stepStart[step] : 0; }

    /** What node `v` holds before step `s`: messages, or contributions of all chunks. */
    holds(v: number, s: number): number { return this.holdings()[Math.min(s, this.shown) * this.nodes + v]; }
    /** What node `v` starts with or must end with. */
    mustHold(v: number): number { this.holdings(); return this.wanted![v]; }

    private holdings(): Uint32Array {
        if (this.held) return this.held;
        const n = this.nodes;
        this.wanted = new Uint32Array(n);
        for (let m = 0; m < this.listed; m++) {
            const [origins, destinations] = [this.origins.of(m), this.destinations.of(m)];
            // A message that is copied is one thing; a chunk is as many as contribute to it.
            for (const v of destinations) this.wanted[v] += this.reduce ? origins.length : 1;
            for (const v of origins) if (!destinations.includes(v)) this.wanted[v]++;
        }
        this.held = new Uint32Array((this.shown + 1) * n);
        if (this.reduce) this.merge(this.held); else this.copy(this.held);
        const { held, wanted } = this.unlisted;
        for (let v = 0; v < n; v++) this.wanted[v] += (held?.[v] ?? 0) + (wanted?.[v] ?? 0);
        if (held) for (let i = 0; i < this.held.length; i++) this.held[i] += held[i % n];
        return this.held;
    }

    /** Messages that every node has, before each step and after the last. */
    private copy(held: Uint32Array): void {
        const n = this.nodes;
        const has: Set<number>[] = Array.from({ length: n }, () => new Set());
        for (let m = 0; m < this.listed; m++) for (const v of this.origins.of(m)) has[v].add(m);
        for (let s = 0; s <= this.shown; s++) {
            for (let v = 0; v < n; v++) held[s * n + v] = has[v].size;
            if (s === this.shown) return;
            for (let t = this.stepStart[s]; t < this.stepStart[s + 1]; t++) {
                const to = has[this.receiver(t)];
                for (const m of this.messages.of(t)) to.add(m);
            }
        }
    }

    /** Contributions to all chunks that every node has, merged or kept apart. */
    private merge(held: Uint32Array): void {
        const n = this.nodes;
        const [merged, known] = [0, 1].map(() => Array.from({ length: n }, () => new Map<number, Set<number>>()));
        const came: Map<number, number[][]>[] = Array.from({ length: n }, () => new Map());
        const size = new Uint32Array(n);
        const apart = this.partials.size > 0;
        const give = (v: number, m: number, parts: number[], replace: boolean, keep: boolean) => {
            const old = merged[v].get(m);
            const next = keep ? old ?? new Set<number>() : new Set(replace || !old ? parts : [...old, ...parts]);
            merged[v].set(m, next);
            if (apart) came[v].set(m, [...(came[v].get(m) ?? []), parts]);
            const before = known[v].get(m);
            const after = apart ? new Set([...(before ?? []), ...parts]) : next;
            size[v] += after.size - (before?.size ?? 0);
            known[v].set(m, after);
        };
        for (let m = 0; m < this.listed; m++) for (const v of this.origins.of(m)) give(v, m, [v], false, false);
        // A node that contributes nothing has an empty partial result of its own.
        const choice = (v: number, m: number, k: number) => came[v].get(m)?.[this.origins.of(m).includes(v) ? k : k - 1] ?? [];
        for (let s = 0; s <= this.shown; s++) {
            held.set(size, s * n);
            if (s === this.shown) return;
            // What is sent is what was held when the step began.
            const arrivals: (() => void)[] = [];
            for (let t = this.stepStart[s]; t < this.stepStart[s + 1]; t++) {
                const [from, to] = [this.sender(t), this.receiver(t)];
                const [chosen, carried] = [this.partials.get(t), this.messages.of(t)];
                // The messages of a transfer share the list evenly.
                const each = (chosen?.length ?? 0) / carried.length;
                carried.forEach((m, at) => {
                    const taken = chosen?.slice(at * each, (at + 1) * each);
                    const parts = taken ? taken.flatMap((k) => choice(from, m, k)) : [...(merged[from].get(m) ?? [])];
                    arrivals.push(() => give(to, m, parts, this.copies.has(t), this.kept.has(t)));
                });
            }
            arrivals.forEach((arrive) => arrive());
        }
    }
}
