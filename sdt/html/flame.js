// SPDX-License-Identifier: BSD-2-Clause
// A flame graph, of sdt tree --html and sdt report --html: the outermost calls are at the top, what
// they call is below them, and a box is as wide as its calls took time. A node of the tree is
// {f: function, c: calls, n: ns, m: the longest, k: what it has called}.

const FLAME_ROW = 20, FLAME_LEAST = 0.5; // pixels; what is narrower is not drawn

class Flame {
    // PARTS are elements: the graph, the text that says what is chosen, the input that searches,
    // and what that has found.
    constructor(calls, parts) {
        this.parts = parts;
        this.whole = {f: 'all', c: 0, n: 0, m: 0, k: calls};
        this.measure(this.whole, null, -1);
        this.chosen = this.whole;
        parts.find.addEventListener('input', () => this.find());
        addEventListener('resize', () => this.show());
        this.show();
    }

    static time(ns) {
        for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]])
            if (ns >= size)
                return `${(ns / size).toPrecision(3)} ${unit}`;
        return `${ns} ns`;
    }

    // The colour of a function is the same wherever it is.
    static colour(name) {
        let hash = 0;
        for (const letter of name)
            hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
        return `var(--c${hash % 8})`;
    }

    // A call that goes on has no time yet, but what it has called has.
    measure(node, parent, depth) {
        const below = node.k.reduce((sum, child) => sum + this.measure(child, node, depth + 1), 0);
        Object.assign(node, {parent, depth, self: Math.max(0, node.n - below)});
        node.width = Math.max(node.n, below);
        return node.width;
    }

    share(width) {
        return `${(100 * width / (this.whole.width || 1)).toFixed(1)} %`;
    }

    describe(node) {
        return `${node.f}: ${Flame.time(node.n)} (${this.share(node.width)}), ` +
            `own ${Flame.time(node.self)}, ${node.c} calls, longest ${Flame.time(node.m)}`;
    }

    isMatch(node) {
        const text = this.parts.find.value.toLowerCase();
        return text !== '' && node.f.toLowerCase().includes(text);
    }

    // The box of NODE, SCALE pixels a nanosecond, and those below it. The deepest row.
    draw(node, left, scale, boxes) {
        const width = node.width * scale;
        if (width < FLAME_LEAST)
            return 0;
        boxes.push({node, left, width});
        let deepest = node.depth + 1;
        for (const child of node.k) {
            deepest = Math.max(deepest, this.draw(child, left, scale, boxes));
            left += child.width * scale;
        }
        return deepest;
    }

    box({node, left, width}) {
        const button = document.createElement('button');
        button.textContent = width > 30 ? node.f : '';
        button.title = this.describe(node);
        button.setAttribute('aria-label', button.title);
        button.className = this.isMatch(node) ? 'match' : '';
        button.classList.toggle('above', node.depth < this.chosen.depth);
        Object.assign(button.style, {left: `${left}px`, width: `${width}px`,
            top: `${node.depth * FLAME_ROW}px`, background: Flame.colour(node.f)});
        button.addEventListener('click', () => this.choose(node));
        return button;
    }

    show() {
        const {graph} = this.parts, {chosen, whole} = this, width = graph.clientWidth, boxes = [];
        // What is above the chosen one takes the whole width.
        for (let node = chosen.parent; node && node !== whole; node = node.parent)
            boxes.push({node, left: 0, width});
        let deepest = 0, left = 0;
        for (const node of chosen === whole ? whole.k : [chosen]) {
            const scale = width / (chosen.width || 1);
            deepest = Math.max(deepest, this.draw(node, left, scale, boxes));
            left += node.width * scale;
        }
        graph.replaceChildren(...boxes.map((each) => this.box(each)));
        graph.style.height = `${(deepest + 1) * FLAME_ROW}px`;
    }

    // Enlarge NODE.
    choose(node) {
        this.chosen = node;
        if (node !== this.whole)
            this.parts.chosen.textContent = this.describe(node);
        this.show();
    }

    chooseAll() {
        this.choose(this.whole);
    }

    // The time of what matches; what is called below a match is part of it.
    matched(node) {
        return node !== this.whole && this.isMatch(node) ? node.width
            : node.k.reduce((sum, child) => sum + this.matched(child), 0);
    }

    find() {
        const {find, found} = this.parts;
        found.textContent = find.value ? this.share(this.matched(this.whole)) : '';
        this.show();
    }
}
