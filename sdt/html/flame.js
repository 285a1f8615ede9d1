// SPDX-License-Identifier: BSD-2-Clause
// The flame graph of sdt tree --html: the outermost functions are at the top, what they call is
// below them, and a box is as wide as its calls took time. A node of the tree is
// {f: function, c: calls, n: ns, m: the longest, k: what it has called}.

const ROW = 20, LEAST = 0.5; // pixels; what is narrower is not drawn

const element = (id) => document.getElementById(id);
const tree = JSON.parse(element('tree').textContent);

function time(ns) {
    for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]])
        if (ns >= size)
            return `${(ns / size).toPrecision(3)} ${unit}`;
    return `${ns} ns`;
}

// A call that goes on has no time yet, but what it has called has.
function measure(node, parent, depth) {
    const below = node.k.reduce((sum, child) => sum + measure(child, node, depth + 1), 0);
    Object.assign(node, {parent, depth, self: Math.max(0, node.n - below)});
    node.width = Math.max(node.n, below);
    return node.width;
}

const whole = {f: 'all', c: 0, n: 0, m: 0, k: tree.calls};
measure(whole, null, -1);

function describe(node) {
    const share = (100 * node.width / (whole.width || 1)).toFixed(1);
    return `${node.f}: ${time(node.n)} (${share} %), own ${time(node.self)}, ${node.c} calls, ` +
        `longest ${time(node.m)}`;
}

// The colour of a function is the same wherever it is.
function colour(name) {
    let hash = 0;
    for (const letter of name)
        hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
    return `var(--c${hash % 8})`;
}

let chosen = whole;

function isMatch(node) {
    const text = element('find').value.toLowerCase();
    return text !== '' && node.f.toLowerCase().includes(text);
}

// The box of NODE, SCALE pixels a nanosecond, and those below it. The deepest row.
function draw(node, left, scale, boxes) {
    const width = node.width * scale;
    if (width < LEAST)
        return 0;
    boxes.push({node, left, width});
    let deepest = node.depth + 1;
    for (const child of node.k) {
        deepest = Math.max(deepest, draw(child, left, scale, boxes));
        left += child.width * scale;
    }
    return deepest;
}

function box({node, left, width}) {
    const button = document.createElement('button');
    button.textContent = width > 30 ? node.f : '';
    button.title = describe(node);
    button.setAttribute('aria-label', button.title);
    button.className = isMatch(node) ? 'match' : '';
    Object.assign(button.style, {left: `${left}px`, width: `${width}px`,
        top: `${node.depth * ROW}px`, background: colour(node.f)});
    button.addEventListener('click', () => choose(node));
    return button;
}

function show() {
    const graph = element('graph'), width = graph.clientWidth, boxes = [];
    // What is above the chosen one takes the whole width.
    for (let node = chosen.parent; node && node !== whole; node = node.parent)
        boxes.push({node, left: 0, width});
    let deepest = 0, left = 0;
    for (const node of chosen === whole ? whole.k : [chosen]) {
        const scale = width / (chosen.width || 1);
        deepest = Math.max(deepest, draw(node, left, scale, boxes));
        left += node.width * scale;
    }
    const buttons = boxes.map(box);
    buttons.forEach((button, i) => button.classList.toggle(
        'above', boxes[i].node.depth < chosen.depth));
    graph.replaceChildren(...buttons);
    graph.style.height = `${(deepest + 1) * ROW}px`;
}

function choose(node) {
    chosen = node;
    if (node !== whole)
        element('chosen').textContent = describe(node);
    show();
}

// The time of what matches; what is called below a match is part of it.
function matched(node) {
    return node !== whole && isMatch(node) ? node.width
        : node.k.reduce((sum, child) => sum + matched(child), 0);
}

function find() {
    const share = (100 * matched(whole) / (whole.width || 1)).toFixed(1);
    element('found').textContent = element('find').value ? `${share} %` : '';
    show();
}

element('name').textContent = tree.name;
element('facts').textContent = `${time(whole.width)} in ${tree.lost ? `all; ${tree.lost} calls ` +
    'are in no number' : 'all'}`;
element('find').addEventListener('input', find);
element('all').addEventListener('click', () => choose(whole));
addEventListener('resize', show);
addEventListener('keydown', (event) => {
    const types = event.target === element('find');
    if (event.key === '/' && !types) {
        element('find').focus();
        event.preventDefault();
    } else if (event.key === 'Escape' || (event.key === '0' && !types)) {
        choose(whole);
    }
});
show();
document.body.dataset.events = whole.k.length;
