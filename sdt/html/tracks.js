// SPDX-License-Identifier: BSD-2-Clause
// What is shown where: processes, in them threads, slices of several threads, and counters; CPUs.
// A track is a block with a label; its rows are lists of events, in order of time.

const ROW_SLICES = 'slices', ROW_INSTANTS = 'instants', ROW_COUNTER = 'counter';
const HEIGHT = { group: 28, slices: 19, instants: 15, counter: 36, gap: 7 };
const LANES_MOST = 64, CPUS_MOST = 2 ** 20;
const NUMERIC = new Set(['i', 'u', 'd']);

// Those of VALUES that LIST names. Typed arrays' own from() takes five times as long.
function gather(values, list) {
    const gathered = new Float64Array(list.length);
    for (let i = 0; i < list.length; i++)
        gathered[i] = values[list[i]];
    return gathered;
}

// LIST has the events of a row; their times stand beside each other, since a frame searches them.
function newRow(events, kind, list) {
    return { kind, list, times: gather(events.time, list) };
}

// A row of slices that do not overlap. Sums of their durations tell how busy a pixel is.
function sliceRow(events, list) {
    const row = newRow(events, ROW_SLICES, list), sums = new Float64Array(list.length + 1);
    const ends = gather(events.end, list);
    for (let i = 0; i < list.length; i++)
        sums[i + 1] = sums[i] + ends[i] - row.times[i];
    return { ...row, ends, sums };
}

// Of a counter the least and the largest value of each 16 values, of each 256, and so on.
function counterRow(events, list) {
    const values = Float64Array.from(list, (i) => events.numberOf(i));
    const levels = [{ low: values, high: values }];
    for (let last = levels[0]; last.low.length > 16; last = levels[levels.length - 1]) {
        const size = Math.ceil(last.low.length / 16);
        const low = new Float64Array(size).fill(Infinity);
        const high = new Float64Array(size).fill(-Infinity);
        for (let i = 0; i < last.low.length; i++) {
            low[i >> 4] = Math.min(low[i >> 4], last.low[i]);
            high[i >> 4] = Math.max(high[i >> 4], last.high[i]);
        }
        levels.push({ low, high });
    }
    const [low, high] = rangeOf({ levels }, 0, values.length);
    return { ...newRow(events, ROW_COUNTER, list), values, levels, low, high };
}

// The least and the largest of values [from, to) of a counter.
function rangeOf(row, from, to) {
    let low = Infinity, high = -Infinity;
    for (let level = 0; from < to; level++) {
        const values = row.levels[level], isTop = level + 1 === row.levels.length;
        const take = (i) => {
            low = Math.min(low, values.low[i]);
            high = Math.max(high, values.high[i]);
        };
        while (from < to && (isTop || from & 15))
            take(from++);
        while (from < to && (isTop || to & 15))
            take(--to);
        from >>= 4;
        to >>= 4;
    }
    return [low, high];
}

// Lists of numbers by key, as typed arrays: counted first, then filled.
class Sorter {
    constructor() {
        this.lists = new Map();
    }

    add(key, i) {
        const list = this.lists.get(key);
        if (list)
            list.push(i);
        else
            this.lists.set(key, [i]);
    }

    take(key) {
        return Uint32Array.from(this.lists.get(key) ?? []);
    }
}

// Put slices, in order of their begins, into as few rows as hold them without overlap.
function intoLanes(events, list) {
    const ends = [], lanes = [], rest = [];
    for (const i of list) {
        let lane = ends.findIndex((end) => end <= events.time[i]);
        if (lane < 0 && lanes.length < LANES_MOST)
            lane = lanes.push([]) - 1;
        if (lane < 0)
            rest.push(i);
        else {
            lanes[lane].push(i);
            ends[lane] = events.end[i];
        }
    }
    return [lanes, rest];
}

function isCounted(each) {
    const own = each.fields.filter(([, kind]) => kind !== 'c');
    return own.length === 1 && NUMERIC.has(each.fields[0][1]) && each.pair === undefined;
}

// The lists: instants and slices by thread, slices by process and name, counters, CPUs.
function sortEvents(events, description, threads, mask) {
    const machines = new Map(description.processes.map(([process, , , machine]) =>
        [process, machine]));
    const machineOf = (thread) => machines.get(threads.get(thread).process);
    const sorted = { instants: new Sorter(), slices: new Sorter(), async: new Sorter(),
        counters: new Sorter(), cpus: new Sorter() };
    for (let i = 0; i < events.count; i++) {
        if (mask && !mask[i])
            continue;
        const mark = events.mark[i], thread = events.thread[i], each = events.classOf(i);
        if (events.cpu[i] !== NO_CPU)
            sorted.cpus.add(machineOf(thread) * CPUS_MOST + events.cpu[i], i);
        if (mark === MARK_BEGIN && events.depth[i] !== NO_ROW)
            sorted.slices.add(thread * 512 + events.depth[i], i);
        else if (mark === MARK_ASYNC_BEGIN)
            sorted.async.add(`${threads.get(thread).process} ${each.slice}`, i);
        else if (mark === MARK_INSTANT || mark === MARK_BEGIN)
            sorted.instants.add(thread, i);
        if (mark === MARK_INSTANT && isCounted(each))
            sorted.counters.add(`${threads.get(thread).process} ${each.probe}`, i);
    }
    return sorted;
}

function threadTrack(events, sorted, number, thread, pid) {
    const rows = [], instants = sorted.instants.take(number);
    if (instants.length)
        rows.push(newRow(events, ROW_INSTANTS, instants));
    for (let depth = 0; sorted.slices.lists.has(number * 512 + depth); depth++)
        rows.push(sliceRow(events, sorted.slices.take(number * 512 + depth)));
    const label = thread.tid === pid ? 'main thread' : 'thread';
    return { label, note: String(thread.tid), rows };
}

function asyncTrack(events, sorted, key) {
    const [lanes, rest] = intoLanes(events, sorted.async.take(key));
    const rows = lanes.map((lane) => sliceRow(events, Uint32Array.from(lane)));
    if (rest.length)
        rows.push(newRow(events, ROW_INSTANTS, Uint32Array.from(rest)));
    return { label: visible(key.slice(key.indexOf(' ') + 1)), note: 'across threads', rows };
}

function processGroup(events, description, sorted, threads, [process, program, pid, , host]) {
    const tracks = [], prefix = `${process} `;
    const own = [...threads].filter(([, thread]) => thread.process === process);
    own.sort(([, a], [, b]) => (b.tid === pid) - (a.tid === pid) || a.tid - b.tid);
    for (const [number, thread] of own) {
        const track = threadTrack(events, sorted, number, thread, pid);
        if (track.rows.length) // all that it does may belong to slices across threads
            tracks.push(track);
    }
    for (const key of sorted.async.lists.keys())
        if (key.startsWith(prefix))
            tracks.push(asyncTrack(events, sorted, key));
    for (const key of sorted.counters.lists.keys())
        if (key.startsWith(prefix)) {
            const probe = description.probes[key.slice(prefix.length)];
            const row = counterRow(events, sorted.counters.take(key));
            tracks.push({ label: visible(probe), note: '', rows: [row] });
        }
    const where = description.namesHosts ? ` on ${visible(host)}` : '';
    return { label: visible(program), note: `process ${pid}${where}`, tracks };
}

// CPUs of the same number are one on each machine.
function cpuGroups(events, description, sorted) {
    const groups = new Map();
    for (const key of [...sorted.cpus.lists.keys()].sort((a, b) => a - b)) {
        const machine = Math.floor(key / CPUS_MOST);
        const tracks = groups.get(machine) ?? groups.set(machine, []).get(machine);
        tracks.push({ label: `CPU ${key % CPUS_MOST}`, note: '', rows: [
            { ...newRow(events, ROW_INSTANTS, sorted.cpus.take(key)), isCpu: true }] });
    }
    const where = (machine) => description.machines.length > 1
        ? ` of ${visible(description.machines[machine].host)}` : '';
    return [...groups].map(([machine, tracks]) =>
        ({ label: `CPUs${where(machine)}`, note: 'all events, by CPU', tracks }));
}

// All groups of tracks, from top to bottom; with a MASK, of the events that are 1 in it.
function findGroups(events, description, mask = null) {
    const threads = new Map();
    for (const [number, process, tid] of description.threads)
        threads.set(number, { process, tid });
    const sorted = sortEvents(events, description, threads, mask);
    const groups = description.processes.map((process) =>
        processGroup(events, description, sorted, threads, process))
        .filter((group) => group.tracks.length || !mask);
    groups.push(...cpuGroups(events, description, sorted));
    return groups;
}

// Give each track and row its place; returns the height of all.
function layOut(groups) {
    let y = 0;
    for (const group of groups) {
        group.y = y;
        y += HEIGHT.group;
        for (const track of group.isCollapsed ? [] : group.tracks) {
            track.y = y;
            y += HEIGHT.gap / 2;
            for (const row of track.rows) {
                row.y = y;
                row.height = HEIGHT[row.kind];
                y += row.height;
            }
            y += HEIGHT.gap / 2;
            track.height = y - track.y;
        }
    }
    return y;
}
