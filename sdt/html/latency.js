// SPDX-License-Identifier: BSD-2-Clause
// How long slices took: percentiles of each pair; of one, a heat map (when, how long) beside a
// histogram that shares its axis. Each octave of time has four rows.

const ROWS_PER_OCTAVE = 4, PERCENTILES = [50, 90, 99], GAP = 46;

function bucketOf(ns) {
    return Math.floor(Math.log2(Math.max(1, ns)) * ROWS_PER_OCTAVE);
}

function bucketStart(bucket) {
    return 2 ** (bucket / ROWS_PER_OCTAVE);
}

// The smallest duration that is not less than P percent of SORTED.
function percentile(sorted, p) {
    return sorted[Math.max(0, Math.ceil(p / 100 * sorted.length) - 1)];
}

// Complete slices of each pair, in order of their begins. One that another followed before its end
// is not among them: how long it took is unknown.
function findPairs(events, description) {
    const pairs = new Map(), ofClass = [];
    for (const { id, slice, colour, pair } of events.classes.filter((each) => each?.slice)) {
        const key = `${pair} ${slice}`, [, match] = description.pairs[pair];
        if (!pairs.has(key))
            pairs.set(key, { name: visible(slice), by: visible(match || 'thread'), colour,
                list: [] });
        ofClass[id] = pairs.get(key);
    }
    for (let i = 0; i < events.count; i++)
        if (events.state[i] === SLICE_COMPLETE)
            ofClass[events.class[i]].list.push(i);
    for (const [key, { list }] of pairs)
        if (!list.length)
            pairs.delete(key);
    for (const pair of pairs.values())
        measure(events, pair);
    return [...pairs.values()].sort((a, b) => b.total - a.total);
}

function measure(events, pair) {
    const durations = new Float64Array(pair.list.length);
    pair.total = 0;
    for (let i = 0; i < durations.length; i++) {
        durations[i] = events.end[pair.list[i]] - events.time[pair.list[i]];
        pair.total += durations[i];
    }
    pair.sorted = durations.sort();
    pair.count = durations.length;
    pair.longest = durations[durations.length - 1];
    for (const p of PERCENTILES)
        pair[`p${p}`] = percentile(durations, p);
}

class Latency {
    constructor(page, pairs) {
        Object.assign(this, { page, pairs, canvas: element('heat') });
        element('latency').hidden = !pairs.length;
        if (!pairs.length)
            return;
        page.view.listen(() => this.draw());
        this.canvas.addEventListener('pointermove', (event) => this.hover(event));
        this.canvas.addEventListener('pointerleave', () => this.hover(null));
        this.canvas.addEventListener('click', (event) => this.click(event));
        fillPairs(this);
        fillOverlaps(page.description);
        this.choose(pairs[0]);
    }

    choose(pair) {
        this.pair = pair;
        this.cells = null;
        element('pair-name').textContent =
            `${pair.name}: durations over time, and how often each occurred`;
        for (const line of element('pairs').querySelectorAll('tbody tr'))
            line.classList.toggle('is-chosen', line.row === pair);
        this.canvas.setAttribute('aria-label', `${pair.name}: ${plural(pair.count, 'slice')}, ` +
            `median ${formatDuration(pair.p50)}, 99 % ${formatDuration(pair.p99)}, ` +
            `longest ${formatDuration(pair.longest)}`);
        this.page.view.change();
    }

    // Count slices by column (time) and row (duration).
    count(columns) {
        const { pair, page } = this, { events, view } = page;
        const least = bucketOf(pair.sorted[0]), needed = bucketOf(pair.longest) - least + 1;
        const rows = Math.max(16, needed + 2), low = Math.max(0, least - ((rows - needed) >> 1));
        const whole = view.most - view.least;
        const cells = new Uint32Array(columns * rows), sums = new Uint32Array(rows);
        for (const i of pair.list) {
            const row = bucketOf(events.end[i] - events.time[i]) - low;
            const column = Math.min(columns - 1,
                Math.floor((events.time[i] - view.least) / whole * columns));
            cells[column * rows + row]++;
            sums[row]++;
        }
        const peak = cells.reduce((a, b) => Math.max(a, b), 1);
        this.cells = { columns, rows, low, cells, sums, peak, most: Math.max(...sums) };
    }

    // Where things are: the axis at the left, the heat map, the histogram.
    place(width, height) {
        const left = 64, bars = Math.max(110, Math.min(320, width * 0.28));
        const map = width - left - bars - GAP;
        return { left, map, top: 8, height: height - 34, bars: left + map + GAP, most: bars - 60 };
    }

    draw() {
        const { context, width, height } = prepareCanvas(this.canvas);
        if (width < 200)
            return;
        this.at = this.place(width, height);
        const columns = Math.floor(this.at.map / 6), { theme } = this.page.view;
        if (this.cells?.columns !== columns)
            this.count(columns);
        this.rowHeight = this.at.height / this.cells.rows;
        const { still } = this;
        if (still?.cells !== this.cells || still.theme !== theme ||
            still.image.width !== this.canvas.width || still.image.height !== this.canvas.height)
            this.drawStill(theme);
        context.drawImage(this.still.image, 0, 0, width, height);
        this.drawWindow(context);
    }

    // All but the window, on a hidden canvas: it changes less often than the timeline.
    drawStill(theme) {
        const image = document.createElement('canvas'), { canvas } = this;
        image.width = canvas.width;
        image.height = canvas.height;
        this.context = image.getContext('2d');
        this.context.scale(canvas.width / canvas.clientWidth, canvas.width / canvas.clientWidth);
        this.context.font = SMALL_FONT;
        this.context.textBaseline = 'middle';
        this.drawAxis();
        this.drawHeat();
        this.drawBars();
        this.drawPercentiles();
        this.still = { image, cells: this.cells, theme };
    }

    yOf(row) {
        return this.at.top + this.at.height - row * this.rowHeight;
    }

    drawAxis() {
        const { context, at, cells, page } = this, { theme } = page.view;
        context.font = SMALL_FONT;
        for (const ns of this.durationTicks()) {
            const y = this.yOf(Math.log2(ns) * ROWS_PER_OCTAVE - cells.low);
            context.fillStyle = theme.line;
            context.fillRect(at.left, Math.round(y), at.bars + at.most - at.left, 1);
            context.fillStyle = theme.muted;
            context.textAlign = 'right';
            context.fillText(shortDuration(ns), at.left - 8, y);
        }
        context.textAlign = 'left';
        const { least, most } = page.view, step = niceStep((most - least) / at.map * 130);
        const format = momentFormat(most, step);
        for (let time = Math.ceil(least / step) * step; time < most; time += step) {
            const x = at.left + (time - least) / (most - least) * at.map;
            if (x < at.left + at.map - 50)
                context.fillText(format(time), x, at.top + at.height + 16);
        }
        context.fillText('slices', at.bars, at.top + at.height + 16);
    }

    // 1, 2 and 5 times the powers of ten that are on the axis; if those are too many, 1 only.
    durationTicks() {
        const { cells, at } = this, top = bucketStart(cells.low + cells.rows), ticks = [];
        const isRoomy = at.height / (cells.rows / ROWS_PER_OCTAVE) > 18;
        for (let power = 1; power <= top; power *= 10)
            for (const times of isRoomy ? [1, 2, 5] : [1])
                if (times * power >= bucketStart(cells.low) && times * power <= top)
                    ticks.push(times * power);
        return ticks;
    }

    drawHeat() {
        const { context, at, cells, page } = this, cell = at.map / cells.columns;
        const scale = Math.log2(cells.peak + 1);
        context.fillStyle = page.view.theme.accent;
        for (let column = 0; column < cells.columns; column++)
            for (let row = 0; row < cells.rows; row++) {
                const count = cells.cells[column * cells.rows + row];
                if (!count)
                    continue;
                context.globalAlpha = 0.15 + 0.8 * Math.log2(count + 1) / scale;
                context.fillRect(at.left + column * cell, this.yOf(row + 1) + 0.5, cell - 0.5,
                    this.rowHeight - 1);
            }
        context.globalAlpha = 1;
    }

    // What part of it the timeline shows.
    drawWindow(context) {
        const { at, page: { view } } = this, whole = view.most - view.least;
        if (view.span > whole * 0.999)
            return;
        const x = at.left + (view.from - view.least) / whole * at.map;
        context.strokeStyle = view.theme.accent;
        context.lineWidth = 1.5;
        context.strokeRect(x, at.top, Math.max(2, view.span / whole * at.map), at.height);
    }

    drawBars() {
        const { context, at, cells, page } = this, { theme } = page.view;
        for (let row = 0; row < cells.rows; row++) {
            if (!cells.sums[row])
                continue;
            const width = Math.max(1.5, cells.sums[row] / cells.most * at.most);
            context.fillStyle = theme.accent;
            context.globalAlpha = 0.75;
            context.fillRect(at.bars, this.yOf(row + 1) + 0.5, width, this.rowHeight - 1);
            context.globalAlpha = 1;
            if (this.rowHeight < 9)
                continue;
            context.fillStyle = theme.muted;
            context.fillText(formatCount(cells.sums[row]), at.bars + width + 5,
                this.yOf(row + 0.5) + 0.5);
        }
    }

    drawPercentiles() {
        const { context, at, cells, page, pair } = this, { theme } = page.view;
        let before = Infinity;
        for (const p of PERCENTILES) {
            const row = Math.log2(Math.max(1, pair[`p${p}`])) * ROWS_PER_OCTAVE - cells.low;
            const y = Math.round(this.yOf(row));
            context.fillStyle = theme.text;
            context.globalAlpha = 0.55;
            for (let x = at.left; x < at.bars + at.most; x += 7)
                if (x < at.left + at.map || x >= at.bars)
                    context.fillRect(x, y, 3, 1);
            context.globalAlpha = 1;
            if (before - y >= 12)
                context.fillText(`${p} %`, at.left + at.map + 9, before = y);
        }
    }

    cellAt(event) {
        const box = this.canvas.getBoundingClientRect(), { at, cells } = this;
        const x = event.clientX - box.left - at.left;
        const row = Math.floor((at.top + at.height - (event.clientY - box.top)) / this.rowHeight);
        if (row < 0 || row >= cells.rows || x < 0)
            return null;
        const column = Math.floor(x / at.map * cells.columns);
        return { row, column: column < cells.columns ? column : -1 };
    }

    hover(event) {
        const tip = element('tip'), cell = event && this.cellAt(event);
        tip.hidden = !cell;
        if (!cell)
            return;
        const { cells } = this, range = [0, 1].map((more) =>
            formatDuration(bucketStart(cells.low + cell.row + more)));
        const count = cell.column < 0 ? cells.sums[cell.row]
            : cells.cells[cell.column * cells.rows + cell.row];
        tip.replaceChildren(make('strong', plural(count, 'slice')),
            make('span', `${range[0]} – ${range[1]}`));
        tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${event.clientY + 18}px`;
    }

    // Show in the timeline when that was; the first such slice is selected.
    click(event) {
        const cell = this.cellAt(event), { cells, page, pair } = this;
        if (!cell)
            return;
        const { events, view } = page, whole = view.most - view.least;
        const columnOf = (i) => Math.floor((events.time[i] - view.least) / whole * cells.columns);
        const found = pair.list.find((i) => (cell.column < 0 || columnOf(i) === cell.column) &&
            bucketOf(events.end[i] - events.time[i]) - cells.low === cell.row);
        if (found === undefined)
            return;
        page.select(found);
        page.zoomToSelection();
        page.timeline.canvas.scrollIntoView({ block: 'nearest' });
    }
}
