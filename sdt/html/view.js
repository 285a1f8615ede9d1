// SPDX-License-Identifier: BSD-2-Clause
// What part of the recording is visible, in which colours, and when it is drawn.

const SHORTEST_VIEW = 20; // ns
const FONT = '12px system-ui, sans-serif', SMALL_FONT = '11px system-ui, sans-serif';

// The colours of the style sheet, for canvases.
function readTheme() {
    const style = getComputedStyle(document.documentElement), colours = {};
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    for (const name of ['panel', 'raised', 'text', 'muted', 'line', 'accent', 'match', 'open'])
        colours[name] = read(name);
    // Slices are told apart by these.
    colours.palette = Array.from({ length: 8 }, (_, i) => read(`c${i}`));
    return colours;
}

class View {
    constructor(events) {
        this.least = events.first;
        // A recording of one moment has a width, too.
        this.most = Math.max(events.last, events.first + 1000);
        const margin = (this.most - this.least) * 0.01;
        this.least -= margin;
        this.most += margin;
        this.from = this.least;
        this.to = this.most;
        this.theme = readTheme();
        this.listeners = [];
        this.isWaiting = false;
    }

    get span() {
        return this.to - this.from;
    }

    // Call DRAW before each frame in which something has changed.
    listen(draw) {
        this.listeners.push(draw);
    }

    change() {
        if (this.isWaiting)
            return;
        this.isWaiting = true;
        requestAnimationFrame(() => {
            this.isWaiting = false;
            for (const draw of this.listeners)
                draw();
        });
    }

    // Show [from, to], or as much of it as there is.
    show(from, to) {
        const whole = this.most - this.least;
        const span = Math.min(whole, Math.max(SHORTEST_VIEW, to - from));
        const middle = (from + to) / 2;
        this.from = Math.min(Math.max(middle - span / 2, this.least), this.most - span);
        this.to = this.from + span;
        this.change();
    }

    zoom(factor, at = (this.from + this.to) / 2) {
        const span = Math.min(this.most - this.least,
            Math.max(SHORTEST_VIEW, this.span * factor));
        const from = at - (at - this.from) / this.span * span;
        this.show(from, from + span);
    }

    pan(ns) {
        this.show(this.from + ns, this.to + ns);
    }

    showAll() {
        this.show(this.least, this.most);
    }

    // Bring [from, to] into view, without a change if it is there.
    reveal(from, to) {
        if (from >= this.from && to <= this.to)
            return;
        const duration = to - from;
        const span = duration > 0 && (duration > this.span || duration < this.span / 200)
            ? duration * 5 : this.span;
        const middle = (from + to) / 2;
        this.show(middle - span / 2, middle + span / 2);
    }
}

// Make a canvas as many pixels large as it is on the screen; returns its context.
function prepareCanvas(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    const across = Math.round(width * ratio), down = Math.round(height * ratio);
    if (canvas.width !== across || canvas.height !== down) {
        canvas.width = across;
        canvas.height = down;
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = FONT;
    context.textBaseline = 'middle';
    return { context, width, height };
}

const widths = new Map();

// As much of TEXT as fits into WIDTH pixels.
function fitText(context, text, width) {
    const key = context.font + text;
    let whole = widths.get(key);
    if (whole === undefined)
        widths.set(key, whole = context.measureText(text).width);
    if (whole <= width)
        return text;
    const colon = text.indexOf(':'); // without the provider, rather than without the name
    if (colon > 0)
        return fitText(context, text.slice(colon + 1), width);
    const letters = Math.floor(width / whole * text.length) - 1;
    return letters >= 3 ? `${text.slice(0, letters)}…` : '';
}

// 1, 2 or 5 times a power of ten, at least LEAST.
function niceStep(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].find((times) => times * power >= least * 0.999) * power;
}
