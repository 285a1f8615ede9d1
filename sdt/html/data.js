// SPDX-License-Identifier: BSD-2-Clause
// The events: from base64 to columns, one typed array for each property, so that a million events
// are a few arrays and no objects. Arguments stay in the bytes and are decoded when they are shown.
// ../export_html.c describes the records.

const MARK_INSTANT = 0, MARK_BEGIN = 1, MARK_END = 2, MARK_ASYNC_BEGIN = 3, MARK_ASYNC_END = 4;
const MARK_OVERLAPS = 3; // added to an end: which begin it belongs to is unknown
const SLICE_COMPLETE = 1, SLICE_CUT = 2, SLICE_OPEN = 3, SLICE_OVERLAPS = 4;
const FLAG_SAME = 8;
const ROWS_MOST = 256, NO_ROW = 0xffff; // of slices in a thread
const NO_CPU = 0xffffffff; // not known: its ring was a thread's

function readBytes(text) {
    const clean = text.trim();
    const whole = new Uint8Array(Math.floor(clean.length / 4) * 3);
    let size = 0;
    const part = 1 << 22; // a multiple of 4; a string of all would be twice as large
    for (let start = 0; start < clean.length; start += part) {
        const decoded = atob(clean.slice(start, start + part));
        for (let i = 0; i < decoded.length; i++)
            whole[size + i] = decoded.charCodeAt(i);
        size += decoded.length;
    }
    return whole.subarray(0, size);
}

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.text = new TextDecoder();
        this.at = 0;
    }

    number() {
        let byte = this.bytes[this.at++];
        if (byte < 0x80)
            return byte;
        let result = byte & 0x7f, scale = 0x80;
        do {
            byte = this.bytes[this.at++];
            result += (byte & 0x7f) * scale;
            scale *= 0x80;
        } while (byte >= 0x80);
        return result;
    }

    // The same, exactly: as a BigInt where a Number has not the digits.
    exact() {
        const start = this.at, number = this.number();
        if (number <= Number.MAX_SAFE_INTEGER)
            return number;
        let result = 0n;
        for (let i = this.at - 1; i >= start; i--)
            result = result << 7n | BigInt(this.bytes[i] & 0x7f);
        return BigInt.asUintN(64, result);
    }

    skip(kind) {
        if (kind === 'd')
            this.at += 8;
        else if (kind === 's' || kind === 'c' || kind === 'r' || kind === 't') {
            const size = this.number();
            if (size % 2 === 0)
                this.at += size / 2;
        } else
            while (this.bytes[this.at++] >= 0x80);
    }

    // The bytes of a text, which may be where it was last.
    textBytes() {
        const start = this.at, size = this.number();
        if (size % 2 === 0) {
            this.at += size / 2;
            return this.bytes.subarray(this.at - size / 2, this.at);
        }
        const after = this.at;
        this.at = start - (size - 1) / 2;
        const length = this.number() / 2;
        const found = this.bytes.subarray(this.at, this.at + length);
        this.at = after;
        return found;
    }

    // A value as text.
    value(kind) {
        switch (kind) {
        case 'i': {
            const number = this.exact();
            if (typeof number === 'bigint')
                return String(number & 1n ? -(number >> 1n) - 1n : number >> 1n);
            return String(number % 2 ? -(number + 1) / 2 : number / 2);
        }
        case 'u':
            return String(this.exact());
        case 'x':
            return `0x${this.exact().toString(16)}`;
        case 'b':
            return this.number() ? 'true' : 'false';
        case 'd':
            this.at += 8;
            return String(this.view.getFloat64(this.at - 8, true));
        case 's':
        case 'c': // an id of the thread's context; empty: it had none
            return `"${visible(this.text.decode(this.textBytes()))}"`;
        case 't':
            return visible(this.text.decode(this.textBytes()));
        default:
            return Array.from(this.textBytes(), (b) => b.toString(16).padStart(2, '0')).join('');
        }
    }
}

// All events, and what data.js alone knows: which slices begin and end where.
class Events {
    constructor(description, bytes) {
        const count = description.events;
        this.count = count;
        this.reader = new Reader(bytes);
        this.classes = [];
        for (const each of description.classes)
            this.classes[each.id] = each;
        this.time = new Float64Array(count);     // ns since the first event of the recording
        this.class = new Uint32Array(count);
        this.mark = new Uint8Array(count);
        this.thread = new Uint32Array(count);
        this.cpu = new Uint32Array(count);
        this.arguments = new Uint32Array(count); // where they are in the bytes
        this.depth = new Uint16Array(count);     // of a slice of a thread: its row
        this.end = new Float64Array(count);      // of a slice: when it ends
        this.state = new Uint8Array(count);      // of a slice: SLICE_...
        this.partner = new Int32Array(count).fill(-1); // begin of an end, end of a begin
        this.readAll();
        this.last = count ? this.time[count - 1] : 0;
        this.first = count ? this.time[0] : 0;
        this.endTheRest();
        this.findRows();
    }

    readAll() {
        const reader = this.reader;
        let time = 0, thread = 0, cpu = 0;
        for (let i = 0; i < this.count; i++) {
            time += reader.number();
            const word = reader.number(), mark = word & 7;
            if (!(word & FLAG_SAME)) {
                thread = reader.number();
                cpu = reader.number();
            }
            this.time[i] = time;
            this.class[i] = Math.floor(word / 16);
            this.mark[i] = mark > MARK_ASYNC_END ? mark - MARK_OVERLAPS : mark;
            this.thread[i] = thread;
            this.cpu[i] = cpu;
            if (this.mark[i] === MARK_END || this.mark[i] === MARK_ASYNC_END)
                this.pair(i - reader.number(), i,
                    mark > MARK_ASYNC_END ? SLICE_OVERLAPS : SLICE_COMPLETE);
            this.arguments[i] = reader.at;
            for (const [, kind] of this.classes[this.class[i]].fields)
                reader.skip(kind);
        }
    }

    finish(begin, time, state) {
        this.end[begin] = time;
        this.state[begin] = state;
    }

    pair(begin, end, state) {
        this.finish(begin, this.time[end], state);
        this.partner[begin] = end;
        this.partner[end] = begin;
    }

    // A slice without an end lasts until something shows that it has ended: in its thread the next
    // of its kind, or the end of a slice that it began in.
    endTheRest() {
        const open = [];
        for (let i = 0; i < this.count; i++) {
            const mark = this.mark[i], list = open[this.thread[i]] ?? (open[this.thread[i]] = []);
            if (mark === MARK_END)
                while (list[list.length - 1] > this.partner[i])
                    this.finish(list.pop(), this.time[i], SLICE_CUT);
            else if (mark === MARK_BEGIN) {
                const same = list.findIndex((begin) => this.isSameKind(begin, i));
                if (same >= 0)
                    this.finish(...list.splice(same, 1), this.time[i], SLICE_CUT);
                if (this.partner[i] < 0)
                    list.push(i);
            } else if (mark === MARK_ASYNC_BEGIN && this.partner[i] < 0)
                this.finish(i, this.last, SLICE_OPEN);
        }
        for (const list of open)
            for (const begin of list ?? [])
                this.finish(begin, this.last, SLICE_OPEN);
    }

    isSameKind(a, b) {
        const one = this.classOf(a), other = this.classOf(b);
        return one.pair === other.pair && one.slice === other.slice;
    }

    // Slices of a thread that overlap are in different rows: what is nested, below what it is in.
    findRows() {
        const ends = [];
        for (let i = 0; i < this.count; i++) {
            if (this.mark[i] !== MARK_BEGIN)
                continue;
            const rows = ends[this.thread[i]] ?? (ends[this.thread[i]] = []);
            let row = 0;
            while (row < rows.length && rows[row] > this.time[i])
                row++;
            this.depth[i] = row < ROWS_MOST ? row : NO_ROW;
            if (row < ROWS_MOST)
                rows[row] = this.end[i];
        }
    }

    isSlice(i) {
        return this.state[i] !== 0;
    }

    classOf(i) {
        return this.classes[this.class[i]];
    }

    // [name, value as text] of each argument.
    argumentsOf(i) {
        this.reader.at = this.arguments[i];
        return this.classOf(i).fields.map(([name, kind]) => [name, this.reader.value(kind), kind])
            .filter(([, value, kind]) => kind !== 'c' || value !== '""');
    }

    // The first argument as a Number.
    numberOf(i) {
        const [, value] = this.argumentsOf(i)[0];
        return Number(value);
    }

    // The first event at TIME or later.
    at(time) {
        return lowerBound(this.time, 0, this.count, time);
    }
}
