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
        this.matches = null; // one byte for each event: is it found?
        this.layOut();
        view.listen(() => this.draw());
        scroller.addEventListener('scroll', () => view.change());
    }

    layOut() {
        this.contentHeight = layOut(this.groups) + RULER + 8;
        this.scroller.firstElementChild.style.height = `${this.contentHeight}px`;
        this.scroller.style.height = `min(${this.contentHeight + 2}px, 62vh)`;
        this.view.change();
    }

    get gutter() {
        return this.canvas.clientWidth < 640 ? NARROW_GUTTER : WIDE_GUTTER;
    }

    get plotWidth() {
        return Math.max(1, this.canvas.clientWidth - this.gutter);
    }

    xOf(time) {
        return this.gutter + (time - this.view.from) / this.view.span * this.plotWidth;
    }

    timeAt(x) {
        return this.view.from + (x - this.gutter) / this.plotWidth * this.view.span;
    }

    // ---- a frame ----

    draw() {
        const begin = performance.now();
        const { context, width, height } = prepareCanvas(this.canvas);
        Object.assign(this, { context, width, height, drawn: 0, marks: 0 });
        this.perPixel = this.view.span / this.plotWidth;
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
        context.fillRect(this.gutter - 1, 0, 1, this.height);
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
        const { time: times } = this.events, { list } = row;
        let step = 1;
        while (i + step < list.length && times[list[i + step]] < time)
            step *= 2;
        return search(i + (step >> 1), Math.min(list.length, i + step + 1),
            (k) => times[list[k]] >= time);
    }

    // ---- slices ----

    firstSlice(row, time) {
        return search(0, row.list.length, (i) => this.events.end[row.list[i]] >= time);
    }

    drawSlices(row) {
        const { events, view } = this, { list } = row;
        const y = this.top + row.y, height = row.height - 2;
        for (let i = this.firstSlice(row, view.from); i < list.length;) {
            const begin = events.time[list[i]];
            if (begin > view.to)
                break;
            if (events.end[list[i]] - begin >= 2 * this.perPixel) {
                this.drawSlice(list[i], y, height);
                i++;
                continue;
            }
            const pixelEnd = this.pixelEnd(begin);
            let next = this.after(row, i, pixelEnd);
            // The last may be a wide one.
            const last = list[next - 1];
            if (next - 1 > i && events.end[last] - events.time[last] >= 2 * this.perPixel)
                next--;
            this.drawBusy(row, i, next, pixelEnd, y, height);
            i = next;
        }
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
        const begin = Math.max(this.xOf(events.time[i]), this.gutter - 4);
        const end = Math.min(this.xOf(events.end[i]), this.width + 4), width = end - begin - 1;
        context.globalAlpha = this.isDimmed(i) ? 0.25 : 1;
        context.fillStyle = this.colourOf(i);
        if (width > 6) {
            context.beginPath();
            if (context.roundRect)
                context.roundRect(begin, y, width, height, 3);
            else
                context.rect(begin, y, width, height);
            context.fill();
        } else
            context.fillRect(begin, y, Math.max(width, 1), height);
        if (events.state[i] === SLICE_OPEN)
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

    // A slice whose end was not recorded fades.
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

    // Slices [from, to) of ROW begin in one pixel: as opaque as they fill it, as the longest of some.
    drawBusy(row, from, to, pixelEnd, y, height) {
        const { context, events } = this, { list } = row;
        let longest = list[from], isSelected = list[from] === this.selected;
        const stride = Math.max(1, (to - from) >> 3);
        let isDimmed = this.isDimmed(longest);
        for (let i = from; i < to; i += stride) {
            if (events.end[list[i]] - events.time[list[i]] >
                events.end[longest] - events.time[longest])
                longest = list[i];
            isDimmed = isDimmed && this.isDimmed(list[i]);
            isSelected = isSelected || list[i] === this.selected;
        }
        const busy = Math.min(1, (row.sums[to] - row.sums[from]) / this.perPixel);
        context.globalAlpha = isDimmed ? 0.2 : 0.3 + 0.7 * busy;
        context.fillStyle = this.colourOf(longest);
        const x = this.xOf(pixelEnd - this.perPixel);
        const width = Math.max(1, (events.end[list[to - 1]] - pixelEnd) / this.perPixel + 1);
        context.fillRect(x, y, width, height);
        this.drawn += to - from;
        this.marks++;
        if (isSelected)
            this.outline(x - 1, y, 3, height);
    }

    // ---- instants ----

    drawInstants(row) {
        const { context, events, view } = this, { list } = row;
        const bottom = this.top + row.y + row.height - 2, most = row.height - 3;
        const colour = row.isCpu ? view.theme.muted : view.theme.accent;
        context.font = SMALL_FONT;
        let i = search(0, list.length, (k) => events.time[list[k]] >= view.from - this.perPixel);
        while (i < list.length && events.time[list[i]] <= view.to) {
            const pixelEnd = this.pixelEnd(events.time[list[i]]), next = this.after(row, i, pixelEnd);
            const count = next - i, height = Math.min(most, 5 + 1.4 * Math.log2(count));
            const x = this.xOf(pixelEnd - this.perPixel);
            context.globalAlpha = this.isDimmed(list[i]) ? 0.25 : 1;
            context.fillStyle = colour;
            context.fillRect(x, bottom - height, 1.5, height);
            if (count === 1 && !row.isCpu)
                this.labelInstant(row, i, x, bottom);
            if (this.selected >= 0 && list[i] <= this.selected && this.selected <= list[next - 1])
                this.outline(x - 2, bottom - most, 5, most);
            this.drawn += row.isCpu ? 0 : count;
            this.marks++;
            i = next;
        }
        context.globalAlpha = 1;
    }

    labelInstant(row, i, x, bottom) {
        const { context, events } = this, { list } = row;
        const end = i + 1 < list.length ? this.xOf(events.time[list[i + 1]]) : this.width;
        if (end - x < 40)
            return;
        context.fillStyle = this.view.theme.muted;
        context.fillText(fitText(context, events.classOf(list[i]).label, end - x - 10), x + 5,
            bottom - 5);
    }

    // ---- counters ----

    drawCounter(row) {
        const { context, events, view } = this, { list } = row, { theme } = view;
        const top = this.top + row.y + 3, height = row.height - 5;
        const low = Math.min(0, row.low), high = Math.max(0, row.high);
        const yOf = (value) => top + height - (value - low) / (high - low || 1) * height;
        let i = Math.max(0, search(0, list.length,
            (k) => events.time[list[k]] > view.from) - 1);
        context.fillStyle = theme.accent;
        while (i < list.length && events.time[list[i]] <= view.to) {
            const time = events.time[list[i]], next = this.after(row, i, this.pixelEnd(time));
            const until = next < list.length ? events.time[list[next]] : view.to;
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
        const { events } = this, { list } = row, near = row.kind === ROW_SLICES ? 2 : 4;
        const from = this.timeAt(x - near), to = this.timeAt(x + near), time = this.timeAt(x);
        if (row.kind === ROW_COUNTER) {
            const i = search(0, list.length, (k) => events.time[list[k]] > time) - 1;
            return i < 0 ? null : { row, event: list[i], count: 1, value: row.values[i] };
        }
        const first = row.kind === ROW_SLICES ? this.firstSlice(row, time)
            : search(0, list.length, (k) => events.time[list[k]] >= from);
        if (first === list.length || events.time[list[first]] > to)
            return null;
        const begin = events.time[list[first]];
        const next = this.after(row, first, this.pixelEnd(begin));
        const isWide = row.kind === ROW_SLICES && events.end[list[first]] - begin >= 2 * this.perPixel;
        return { row, event: list[first], count: isWide ? 1 : next - first };
    }
}
