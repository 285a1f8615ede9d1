// SPDX-License-Identifier: BSD-2-Clause
// Mouse, touch and keyboard on the timeline, and the overview above it.

const KEYS = {
    ArrowLeft: (page) => page.view.pan(-page.view.span / 8),
    ArrowRight: (page) => page.view.pan(page.view.span / 8),
    a: (page) => page.view.pan(-page.view.span / 8),
    d: (page) => page.view.pan(page.view.span / 8),
    '+': (page) => page.view.zoom(1 / 1.6),
    '=': (page) => page.view.zoom(1 / 1.6),
    w: (page) => page.view.zoom(1 / 1.6),
    '-': (page) => page.view.zoom(1.6),
    s: (page) => page.view.zoom(1.6),
    Home: (page) => page.view.showAll(),
    0: (page) => page.view.showAll(),
    ArrowUp: (page) => page.timeline.scroller.scrollBy(0, -60),
    ArrowDown: (page) => page.timeline.scroller.scrollBy(0, 60),
    '.': (page) => page.step(1),
    ',': (page) => page.step(-1),
    Enter: (page) => page.zoomToSelection(),
    Escape: (page) => page.select(-1),
};
// These work wherever the focus is, if it is not in a field.
const GLOBAL_KEYS = {
    '/': (page) => page.find.focus(),
    n: (page) => page.find.go(1),
    N: (page) => page.find.go(-1),
    m: (page) => page.snapshots.go(1),
    M: (page) => page.snapshots.go(-1),
    o: (page) => page.snapshots.toggle(),
    '?': () => element('help').showModal(),
};

function listenToKeys(page) {
    page.timeline.canvas.addEventListener('keydown', (event) => {
        const action = KEYS[event.key];
        if (!action || event.ctrlKey || event.metaKey || event.altKey)
            return;
        action(page);
        event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
        const action = GLOBAL_KEYS[event.key], { tagName } = event.target;
        if (!action || event.ctrlKey || event.metaKey || event.altKey ||
            tagName === 'INPUT' || tagName === 'SELECT')
            return;
        action(page);
        event.preventDefault();
    });
}

// Wheel: up and down scrolls tracks, sideways moves in time, with Ctrl it zooms at the pointer.
function listenToWheel(page) {
    const { timeline, view } = page;
    timeline.scroller.addEventListener('wheel', (event) => {
        const lines = event.deltaMode === 1 ? 16 : 1;
        const sideways = (event.shiftKey ? event.deltaY || event.deltaX : event.deltaX) * lines;
        if (event.ctrlKey || event.metaKey)
            view.zoom(Math.exp(event.deltaY * lines * 0.004), timeline.timeAt(pointOf(event).x));
        else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY))
            view.pan(sideways * timeline.perPixel);
        else
            return;
        event.preventDefault();
    }, { passive: false });

    function pointOf(event) {
        const box = timeline.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }
}

// Drag moves the view; with Shift, or in the ruler, it chooses what to zoom to. Two fingers zoom.
function listenToPointer(page) {
    const { timeline, view } = page, { canvas } = timeline, fingers = new Map();
    let start = null;
    const pointOf = (event) => {
        const box = canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener('pointerdown', (event) => {
        if (event.button !== 0)
            return;
        const point = pointOf(event);
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, point);
        start = { ...point, from: view.from, to: view.to, isMoved: false,
            scroll: timeline.scroller.scrollTop,
            isChoice: event.shiftKey || point.y < RULER && point.x > timeline.gutter };
    });
    canvas.addEventListener('pointermove', (event) => {
        const point = pointOf(event);
        const before = fingers.get(event.pointerId);
        if (fingers.size === 2) {
            pinch(event.pointerId, before, point);
            return;
        }
        timeline.pointer = { ...point };
        if (start && before)
            drag(point);
        page.hover(start?.isMoved ? null : point, event);
        view.change();
    });
    canvas.addEventListener('pointerup', (event) => {
        fingers.delete(event.pointerId);
        if (start?.isMoved && start.isChoice)
            view.show(...[start.x, pointOf(event).x].map((x) => timeline.timeAt(x))
                .sort((a, b) => a - b));
        else if (start && !start.isMoved)
            page.click(pointOf(event));
        start = null;
        delete timeline.pointer?.dragFrom;
        view.change();
    });
    canvas.addEventListener('pointercancel', (event) => {
        fingers.delete(event.pointerId);
        start = null;
    });
    canvas.addEventListener('pointerleave', () => {
        timeline.pointer = null;
        page.hover(null);
        view.change();
    });
    canvas.addEventListener('dblclick', () => page.zoomToSelection());

    function drag(point) {
        const way = Math.abs(point.x - start.x) + Math.abs(point.y - start.y);
        start.isMoved = start.isMoved || way > 4;
        if (!start.isMoved)
            return;
        if (start.isChoice) {
            timeline.pointer.dragFrom = start.x;
            return;
        }
        const ns = (start.x - point.x) / timeline.plotWidth * (start.to - start.from);
        view.show(start.from + ns, start.to + ns);
        timeline.scroller.scrollTop = start.scroll + start.y - point.y;
    }

    function pinch(id, before, point) {
        const [other] = [...fingers].filter(([key]) => key !== id).map(([, value]) => value);
        const ratio = Math.abs(before.x - other.x) / Math.max(8, Math.abs(point.x - other.x));
        view.zoom(ratio, timeline.timeAt(other.x));
        fingers.set(id, point);
        start = null;
    }
}

// How many events there are when, in the whole recording, and what of it is visible.
class Overview {
    constructor(canvas, page) {
        Object.assign(this, { canvas, page });
        page.view.listen(() => this.draw());
        const move = (event) => {
            if (!(event.buttons & 1))
                return;
            const box = canvas.getBoundingClientRect(), { view } = page;
            const share = (event.clientX - box.left) / box.width;
            const middle = view.least + share * (view.most - view.least);
            view.show(middle - view.span / 2, middle + view.span / 2);
        };
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            move(event);
        });
        canvas.addEventListener('pointermove', move);
    }

    // Counted once for each width.
    density(width) {
        if (this.counts?.length === width)
            return this.counts;
        const { view, events } = this.page;
        this.counts = new Float64Array(width);
        let before = 0;
        for (let x = 0; x < width; x++) {
            const next = events.at(view.least + (x + 1) / width * (view.most - view.least));
            this.counts[x] = next - before;
            before = next;
        }
        this.peak = this.counts.reduce((a, b) => Math.max(a, b), 1);
        return this.counts;
    }

    draw() {
        const { context, width, height } = prepareCanvas(this.canvas), { view } = this.page;
        const bars = Math.max(1, Math.floor(width / 2)), counts = this.density(bars);
        const whole = view.most - view.least, { theme } = view;
        const from = (view.from - view.least) / whole * width;
        const to = (view.to - view.least) / whole * width;
        for (let i = 0; i < bars; i++) {
            const bar = counts[i] && 3 + (height - 8) * Math.sqrt(counts[i] / this.peak);
            const isIn = 2 * i + 1 >= from - 1 && 2 * i <= to + 1;
            context.fillStyle = isIn ? theme.accent : theme.open;
            context.fillRect(2 * i, height - bar, 1.4, bar);
        }
        this.page.find?.drawMarks(context, width);
        context.strokeStyle = theme.accent;
        context.lineWidth = 1.5;
        context.strokeRect(from + 0.75, 0.75, Math.max(3, to - from) - 1.5, height - 1.5);
    }
}
