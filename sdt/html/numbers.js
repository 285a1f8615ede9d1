// SPDX-License-Identifier: BSD-2-Clause
// Times, counts and texts as people read them.

const THIN = '\u202f'; // a narrow blank between groups of digits

function element(id) {
    return document.getElementById(id);
}

// Make an element with text; never of markup, since names come from the recording.
function make(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined)
        made.textContent = text;
    if (className)
        made.className = className;
    return made;
}

// Characters that would be obeyed instead of shown: controls, and directions of writing.
function visible(text) {
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function groupDigits(text) {
    const [whole, fraction = ''] = text.split('.');
    const left = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
    return fraction ? `${left}.${fraction.replace(/(\d{3})(?=\d)/g, `$1${THIN}`)}` : left;
}

function formatCount(count) {
    return groupDigits(String(count));
}

function plural(count, one, many = `${one}s`) {
    return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const UNITS = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];

// A duration with three significant digits or so: 8.41 ms.
function formatDuration(ns) {
    const [unit, size] = UNITS.find(([, each]) => Math.abs(ns) >= each) ?? UNITS[3];
    const amount = ns / size;
    const digits = unit === 'ns' || amount >= 100 ? 0 : amount >= 10 ? 1 : 2;
    return `${groupDigits(amount.toFixed(digits))} ${unit}`;
}

// The same of a round number: 5 ms.
function shortDuration(ns) {
    const [unit, size] = UNITS.find(([, each]) => ns >= each) ?? UNITS[3];
    return `${groupDigits(String(ns / size))} ${unit}`;
}

// A moment, in ns since the first event, exactly: 0.809 659 701 s.
function formatMoment(ns) {
    const seconds = Math.floor(ns / 1e9);
    const rest = String(Math.round(ns - seconds * 1e9)).padStart(9, '0');
    return `${groupDigits(`${seconds}.${rest}`)} s`;
}

// Moments at distances of STEP, below LARGEST, are told apart by these.
function momentFormat(largest, step) {
    const [unit, size] = UNITS.find(([, each]) => largest >= 2 * each) ?? UNITS[3];
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9)));
    return (ns) => `${groupDigits((ns / size).toFixed(digits))} ${unit}`;
}

// The clock's time of a moment: START, a BigInt, is that of the first event.
function formatClock(start, ns) {
    const time = start + BigInt(Math.round(ns));
    const date = new Date(Number(time / 1000000n));
    if (Number.isNaN(date.getTime()))
        return String(time);
    const pad = (number) => String(number).padStart(2, '0');
    const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
    const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
    return `${day} ${clock}.${String(time % 1000000000n).padStart(9, '0')}`;
}

function formatRate(perSecond) {
    if (!Number.isFinite(perSecond))
        return '–';
    return perSecond >= 100 ? formatCount(Math.round(perSecond)) : perSecond.toPrecision(3);
}

// The first index in [low, high) of a sorted array whose number is at least LEAST. This is most of
// what a frame costs, so it knows the array's type instead of calling something.
function lowerBound(numbers, low, high, least) {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (numbers[middle] >= least)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// The first index in [low, high) for which isBeyond() holds; it must hold for all after that.
function search(low, high, isBeyond) {
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBeyond(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
