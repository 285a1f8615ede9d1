// SPDX-License-Identifier: BSD-2-Clause
// The timeline. A frame costs by its pixels, not by the events: where several slices begin in one
// pixel, one search finds the first that begins after it, and a difference of sums how busy the
// pixel is. Pixels are those of a grid that stands still while the view moves, so nothing flickers.

const RULER = 26, NARROW_GUTTER = 108, WIDE_GUTTER = 200;

class Timeline {
    constructor(canvas, scroller, events, groups, view) {
        Object.assign(this, { canvas, scroller, events, groups, view });
        this.selected = -1;
        this.pointer = null; // where the pointer is, in pixels
        this.snapshots = null;
        this.matches = null; // one byte for each event: is it found?
        this.layOut();
        this.measure(canvas.clientWidth);
        view.listen(() => this.draw());
        scroller.addEventListener('scroll', () => view.change());
    }

    layOut() {
        this.contentHeight = layOut(this.groups) + RULER + 8;
        this.scroller.firstElementChild.style.height = `${this.contentHeight}px`;
        this.scroller.style.height = `min(${this.contentHeight + 2}px, 62vh)`;
        this.view.change();
    }

    // Once a frame: each question about an element's size costs more than drawing a slice.
    measure(width) {
        this.width = width;
        this.gutter = width < 640 ? NARROW_GUTTER : WIDE_GUTTER;
        this.plotWidth = Math.max(1, width - this.gutter);
        this.perPixel = this.view.span / this.plotWidth;
    }

    xOf(time) {
        return this.gutter + (time - this.view.from) / this.perPixel;
    }

    timeAt(x) {
        return this.view.from + (x - this.gutter) * this.perPixel;
    }

    // ---- a frame ----

    draw() {
        const begin = performance.now();
        const { context, width, height } = prepareCanvas(this.canvas);
        Object.assign(this, { context, height, drawn: 0, marks: 0 });
        this.measure(width);
        this.top = RULER - this.scroller.scrollTop;
        this.drawGrid();
        for (const group of this.groups)
            this.drawGroup(group);
        this.drawPointer();
        this.drawRuler();
        this.canvas.dataset.drawn = this.drawn;
        this.canvas.dataset.marks = this.marks;
        this.canvas.dataset.ms = (performance.now() - begin).toFixed(2);
    }

    isVisible(y, height) {
        return y + height > RULER && y < this.height;
    }

    drawGrid() {
        const { context, view } = this;
        this.step = niceStep(this.perPixel * 120);
        context.fillStyle = view.theme.line;
        for (const time of this.ticks())
            context.fillRect(Math.round(this.xOf(time)), RULER, 1, this.height);
    }

    * ticks() {
        const first = Math.ceil(this.view.from / this.step);
        for (let i = first; i * this.step <= this.view.to; i++)
            yield i * this.step;
    }

    drawRuler() {
        const { context, view } = this, { theme } = view;
        context.fillStyle = theme.panel;
        context.fillRect(0, 0, this.width, RULER);
        context.fillStyle = theme.line;
        context.fillRect(0, RULER - 1, this.width, 1);
        context.fillRect(this.gutter - 1, 0, 1, RULER);
        context.font = SMALL_FONT;
        const format = momentFormat(Math.max(Math.abs(view.to), Math.abs(view.from)), this.step);
        for (const time of this.ticks()) {
            const x = Math.round(this.xOf(time));
            context.fillStyle = theme.line;
            context.fillRect(x, RULER - 7, 1, 7);
            context.fillStyle = theme.muted;
            if (x + 60 < this.width)
                context.fillText(format(time), x + 5, RULER / 2);
        }
        context.fillStyle = theme.muted;
        context.fillText(formatDuration(view.span), 12, RULER / 2);
        this.snapshots?.drawFlags(this);
    }

    drawGroup(group) {
        const { context } = this, { theme } = this.view, y = this.top + group.y;
        if (this.isVisible(y, HEIGHT.group)) {
            context.fillStyle = theme.raised;
            context.fillRect(0, y, this.width, HEIGHT.group);
            context.fillStyle = theme.text;
            context.font = `600 ${FONT}`;
            const middle = y + HEIGHT.group / 2 + 0.5;
            context.fillText(`${group.isCollapsed ? '▸' : '▾'}  ${group.label}`, 12, middle);
            const end = 20 + context.measureText(`▾  ${group.label}`).width;
            context.font = SMALL_FONT;
            context.fillStyle = theme.muted;
            context.fillText(group.note, end, middle);
        }
        if (!group.isCollapsed)
            for (const track of group.tracks)
                if (this.isVisible(this.top + track.y, track.height))
                    this.drawTrack(track);
    }

    drawTrack(track) {
        const { context } = this, { theme } = this.view, y = this.top + track.y;
        const room = this.gutter - 24;
        context.save();
        context.beginPath();
        context.rect(this.gutter, Math.max(RULER, y), this.plotWidth, track.height);
        context.clip();
        for (const row of track.rows)
            if (this.isVisible(this.top + row.y, row.height))
                this.drawRow(row);
        context.restore();
        const middle = this.top + track.rows[0].y + track.rows[0].height / 2;
        context.font = FONT;
        context.fillStyle = theme.text;
        const label = fitText(context, track.label, room);
        context.fillText(label, 12, middle);
        context.font = SMALL_FONT;
        context.fillStyle = theme.muted;
        const left = room - context.measureText(label).width - 14;
        if (track.note && left > 20) {
            context.textAlign = 'right';
            context.fillText(fitText(context, track.note, left), this.gutter - 10, middle);
            context.textAlign = 'left';
        }
        context.fillStyle = theme.line;
        context.fillRect(0, y + track.height - 1, this.width, 1);
        context.fillRect(this.gutter - 1, y, 1, track.height);
    }

    drawRow(row) {
        if (row.kind === ROW_SLICES)
            this.drawSlices(row);
        else if (row.kind === ROW_INSTANTS)
            this.drawInstants(row);
        else
            this.drawCounter(row);
    }

    // The end of the grid's pixel that TIME is in.
    pixelEnd(time) {
        return (Math.floor(time / this.perPixel) + 1) * this.perPixel;
    }

    // The first place of ROW's list after I whose event is at TIME or later.
    after(row, i, time) {
        const { times } = row;
        let step = 1;
        while (i + step < times.length && times[i + step] < time)
            step *= 2;
        return lowerBound(times, i + (step >> 1), Math.min(times.length, i + step + 1), time);
    }

    // Fill a box, together with those before it that touch it and look the same.
    fillBox(x, y, width, height, colour, alpha) {
        const { box } = this;
        if (box && box.y === y && box.height === height && box.colour === colour &&
            box.alpha === alpha && x <= box.end + 0.7) {
            box.end = x + width;
            return;
        }
        this.flushBox();
        this.box = { x, y, end: x + width, height, colour, alpha };
    }

    flushBox() {
        const { box, context } = this;
        if (!box)
            return;
        context.globalAlpha = box.alpha;
        context.fillStyle = box.colour;
        context.fillRect(box.x, box.y, box.end - box.x, box.height);
        context.globalAlpha = 1;
        this.box = null;
    }

    // Is EVENT one of LIST [from, to)?
    has(list, from, to, event) {
        return event >= list[from] && event <= list[to - 1] &&
            list[lowerBound(list, from, to, event)] === event;
    }

    // ---- slices ----

    firstSlice(row, time) {
        return lowerBound(row.ends, 0, row.ends.length, time);
    }

    drawSlices(row) {
        const { times, ends, list } = row, { to } = this.view, wide = 2 * this.perPixel;
        const y = this.top + row.y, height = row.height - 2;
        for (let i = this.firstSlice(row, this.view.from); i < list.length && times[i] <= to;) {
            const begin = times[i];
            if (ends[i] - begin >= wide) {
                this.drawSlice(list[i], y, height);
                i++;
                continue;
            }
            const pixelEnd = this.pixelEnd(begin);
            let next = this.after(row, i, pixelEnd);
            // The last may be a wide one.
            if (next - 1 > i && ends[next - 1] - times[next - 1] >= wide)
                next--;
            this.drawBusy(row, i, next, pixelEnd, y, height);
            i = next;
        }
        this.flushBox();
        this.context.globalAlpha = 1;
    }

    colourOf(i) {
        return this.view.theme.palette[this.events.classOf(i).colour % 8];
    }

    isDimmed(i) {
        const partner = this.events.partner[i];
        return this.matches && !this.matches[i] && !(partner >= 0 && this.matches[partner]);
    }

    drawSlice(i, y, height) {
        const { context, events, view } = this;
        this.flushBox();
        const begin = Math.max(this.xOf(events.time[i]), this.gutter - 4);
        const end = Math.min(this.xOf(events.end[i]), this.width + 4), width = end - begin - 1;
        context.globalAlpha = this.isDimmed(i) ? 0.25 : 1;
        context.fillStyle = this.colourOf(i);
        if (width > 6) {
            context.beginPath();
            if (context.roundRect)
                context.roundRect(begin, y, width, height, Math.min(3, width / 5));
            else
                context.rect(begin, y, width, height);
            context.fill();
        } else
            context.fillRect(begin, y, Math.max(width, 1), height);
        if (events.state[i] === SLICE_OPEN || events.state[i] === SLICE_OVERLAPS)
            this.drawOpenEnd(end, y, height);
        if (width > 26) {
            context.fillStyle = view.theme.text;
            context.font = SMALL_FONT;
            const x = Math.max(begin, this.gutter) + 5;
            context.fillText(fitText(context, visible(events.classOf(i).slice), end - x - 5), x,
                y + height / 2 + 0.5);
        }
        this.drawn++;
        this.marks++;
        if (i === this.selected)
            this.outline(begin, y, Math.max(width, 2), height);
    }

    // A slice whose end was not recorded, or may be another's, fades.
    drawOpenEnd(end, y, height) {
        const { context } = this;
        context.fillStyle = this.view.theme.panel;
        for (let i = 0; i < 4; i++)
            context.fillRect(end - 3 - i * 6, y, 2, height);
    }

    outline(x, y, width, height) {
        const { context } = this;
        context.globalAlpha = 1;
        context.strokeStyle = this.view.theme.text;
        context.lineWidth = 2;
        context.strokeRect(x, y + 0.5, width, height - 1);
    }

    // Slices [from, to) of ROW begin in one pixel: as opaque as they fill it, coloured as the
    // longest of some of them.
    drawBusy(row, from, to, pixelEnd, y, height) {
        const { selected } = this, { list, times, ends } = row;
        const stride = Math.max(1, (to - from) >> 3);
        let longest = from, isDimmed = this.matches !== null;
        for (let i = from; i < to; i += stride) {
            if (ends[i] - times[i] > ends[longest] - times[longest])
                longest = i;
            isDimmed = isDimmed && this.isDimmed(list[i]);
        }
        const isSelected = this.has(list, from, to, selected);
        const busy = Math.min(1, (row.sums[to] - row.sums[from]) / this.perPixel);
        const alpha = isDimmed ? 0.2 : 0.3 + 0.7 * Math.round(busy * 24) / 24;
        const x = this.xOf(pixelEnd - this.perPixel);
        const width = Math.max(1, (ends[to - 1] - pixelEnd) / this.perPixel + 1);
        this.fillBox(x, y, width, height, this.colourOf(list[longest]), alpha);
        this.drawn += to - from;
        this.marks++;
        if (isSelected) {
            this.flushBox();
            this.outline(x - 1, y, 3, height);
        }
    }

    // ---- instants ----

    // [first, next] of the events that share a pixel, for each such pixel.
    instantsByPixel(row) {
        const { view } = this, { times } = row, found = [];
        let i = lowerBound(times, 0, times.length, view.from - this.perPixel);
        while (i < times.length && times[i] <= view.to) {
            const next = this.after(row, i, this.pixelEnd(times[i]));
            found.push([i, next]);
            i = next;
        }
        return found;
    }

    // Marks as high as there are many in the pixel, compared with the pixel that has most.
    drawInstants(row) {
        const { context, view, selected } = this, { list, times } = row;
        const bottom = this.top + row.y + row.height - 2, most = row.height - 3;
        const pixels = this.instantsByPixel(row);
        const peak = pixels.reduce((high, [i, next]) => Math.max(high, next - i), 2);
        context.font = SMALL_FONT;
        for (const [i, next] of pixels) {
            const x = this.xOf(this.pixelEnd(times[i]) - this.perPixel);
            const height = Math.round(4 + (most - 4) * Math.sqrt((next - i - 1) / (peak - 1)));
            const colour = row.isCpu ? view.theme.muted : view.theme.accent;
            const isSelected = this.has(list, i, next, selected);
            this.fillBox(x, bottom - height, 1.5, height, colour,
                this.isDimmed(list[i]) ? 0.25 : 0.85);
            if (isSelected || next - i === 1 && !row.isCpu)
                this.flushBox();
            if (next - i === 1 && !row.isCpu)
                this.labelInstant(row, i, x, bottom);
            if (isSelected)
                this.outline(x - 2, bottom - most, 5, most);
            this.drawn += row.isCpu ? 0 : next - i;
        }
        this.marks += pixels.length;
        this.flushBox();
    }

    labelInstant(row, i, x, bottom) {
        const { context, events } = this, { list, times } = row;
        const end = i + 1 < list.length ? this.xOf(times[i + 1]) : this.width;
        if (end - x < 40)
            return;
        context.fillStyle = this.view.theme.muted;
        context.fillText(fitText(context, events.classOf(list[i]).label, end - x - 10), x + 5,
            bottom - 5);
    }

    // ---- counters ----

    drawCounter(row) {
        const { context, view } = this, { times } = row, { theme } = view;
        const top = this.top + row.y + 3, height = row.height - 5;
        const low = Math.min(0, row.low), high = Math.max(0, row.high);
        const yOf = (value) => top + height - (value - low) / (high - low || 1) * height;
        let i = Math.max(0, lowerBound(times, 0, times.length, view.from) - 1);
        context.fillStyle = theme.accent;
        while (i < times.length && times[i] <= view.to) {
            const time = times[i], next = this.after(row, i, this.pixelEnd(time));
            const until = next < times.length ? times[next] : view.to;
            const [least, most] = rangeOf(row, i, next), x = this.xOf(time);
            const width = Math.max(1, this.xOf(until) - x), last = row.values[next - 1];
            context.globalAlpha = 0.22;
            context.fillRect(x, yOf(Math.max(last, 0)), width,
                yOf(Math.min(last, 0)) - yOf(Math.max(last, 0)));
            context.globalAlpha = 1;
            context.fillRect(x, yOf(most), 1, Math.max(1, yOf(least) - yOf(most)));
            context.fillRect(x, yOf(last), width, 1.2);
            this.marks++;
            i = next;
        }
        context.font = SMALL_FONT;
        context.fillStyle = theme.muted;
        context.fillText(groupDigits(String(row.high)), this.gutter + 5, top + 5);
    }

    // ---- pointer ----

    drawPointer() {
        if (!this.pointer)
            return;
        const { context, view } = this, { x, dragFrom } = this.pointer;
        context.fillStyle = view.theme.muted;
        if (x > this.gutter)
            context.fillRect(Math.round(x), RULER, 1, this.height);
        if (dragFrom !== undefined) {
            context.globalAlpha = 0.2;
            context.fillStyle = view.theme.accent;
            context.fillRect(Math.min(dragFrom, x), RULER, Math.abs(x - dragFrom), this.height);
            context.globalAlpha = 1;
            context.fillStyle = view.theme.text;
            const time = Math.abs(this.timeAt(x) - this.timeAt(dragFrom));
            context.fillText(formatDuration(time), Math.min(dragFrom, x) + 6, RULER + 12);
        }
    }

    // What is at a place: { group }, or { row, event }, or { row, count } for several in a pixel.
    hit(x, y) {
        const content = y - RULER + this.scroller.scrollTop;
        if (y < RULER)
            return null;
        for (const group of this.groups) {
            if (content >= group.y && content < group.y + HEIGHT.group)
                return { group };
            for (const track of group.isCollapsed ? [] : group.tracks)
                for (const row of track.rows)
                    if (content >= row.y && content < row.y + row.height)
                        return x < this.gutter ? null : this.hitRow(row, x);
        }
        return null;
    }

    hitRow(row, x) {
        const { list, times } = row, near = row.kind === ROW_SLICES ? 2 : 4;
        const from = this.timeAt(x - near), to = this.timeAt(x + near), time = this.timeAt(x);
        if (row.kind === ROW_COUNTER) {
            const i = lowerBound(times, 0, times.length, time) - 1;
            return i < 0 ? null : { row, event: list[i], count: 1, value: row.values[i] };
        }
        const first = row.kind === ROW_SLICES ? this.firstSlice(row, time)
            : lowerBound(times, 0, times.length, from);
        if (first === list.length || times[first] > to)
            return null;
        const next = this.after(row, first, this.pixelEnd(times[first]));
        const isWide = row.kind === ROW_SLICES &&
            row.ends[first] - times[first] >= 2 * this.perPixel;
        return { row, event: list[first], count: isWide ? 1 : next - first };
    }
}
