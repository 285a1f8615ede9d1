// SPDX-License-Identifier: BSD-2-Clause
// The snapshots of sdt record --when: which request each was taken for, and that request's events
// alone. ../report/snapshots.h says which these are.

class Snapshots {
    constructor(page, list) {
        this.page = page;
        this.current = null;
        this.only = null; // the one whose events are shown alone
        this.list = list.map(([time, latency, pid, tid, begin, end, atBegin, atEnd, runs], i) => ({
            number: i + 1, time, latency, pid, tid, begin, end, runs,
            atBegin: visible(atBegin), atEnd: visible(atEnd) }));
        this.button = element('only');
        element('snapshots-panel').hidden = !list.length;
        this.button.hidden = !list.length;
        this.button.addEventListener('click', () => this.toggle());
        this.fill();
    }

    fill() {
        const ofLatency = (row) => row.latency ? formatDuration(row.latency) : '–';
        fillTable(element('snapshots'), [
            { title: 'Snapshot', value: (row) => row.number, text: (row) => String(row.number) },
            { title: 'Latency', value: (row) => row.latency, text: ofLatency },
            { title: 'Time', value: (row) => row.time, text: (row) => formatMoment(row.time) },
            { title: 'Thread', value: (row) => row.tid, text: (row) => String(row.tid) },
            asText('Began with', 'atBegin'), asText('Taken at', 'atEnd'),
        ], this.list, (row) => this.show(row));
    }

    // From where its events are, to where.
    spanOf(row) {
        const { events } = this.page;
        const from = row.latency ? row.time - row.latency : row.runs?.length
            ? events.time[row.runs[0]] : row.time;
        return [Math.max(events.first, from), Math.min(events.last, row.time)];
    }

    show(row) {
        const { page } = this, [from, to] = this.spanOf(row);
        const margin = Math.max((to - from) * 0.1, 10);
        this.current = row;
        if (this.only)
            this.showOnly(row);
        for (const line of element('snapshots').querySelectorAll('tbody tr'))
            line.classList.toggle('is-chosen', line.row === row);
        page.select(row.end >= 0 ? row.end : row.begin);
        page.view.show(from - margin, to + margin);
        if (page.timeline.selected >= 0)
            page.scrollTo(page.timeline.selected);
    }

    // The next one, or the one before.
    go(direction) {
        const { list, current } = this;
        if (!list.length)
            return;
        const at = current ? list.findIndex((row) => row.number === current.number) : -1;
        this.show(list[at < 0 ? (direction > 0 ? 0 : list.length - 1)
            : (at + direction + list.length) % list.length]);
    }

    // One byte for each event: is it the request's?
    maskOf(row) {
        const mask = new Uint8Array(this.page.events.count);
        for (let i = 0; i < row.runs.length; i += 2)
            mask.fill(1, row.runs[i], row.runs[i] + row.runs[i + 1]);
        return mask;
    }

    showOnly(row) {
        const { events, description, timeline } = this.page;
        this.only = row?.runs ? row : null;
        this.mask = this.only ? this.maskOf(row) : null;
        timeline.groups = findGroups(events, description, this.mask);
        timeline.layOut();
        if (this.only)
            timeline.canvas.dataset.only = row.number;
        else
            delete timeline.canvas.dataset.only;
        this.button.setAttribute('aria-pressed', String(Boolean(this.only)));
        element('live').textContent = this.only ? `Only events of snapshot ${row.number}`
            : row ? `Too many events: sdt report --snapshot=${row.number}` : 'All events';
    }

    // Show only the events of the current snapshot, or all again.
    toggle() {
        if (this.only) {
            this.showOnly(null);
            return;
        }
        if (!this.current)
            this.go(1);
        if (this.current)
            this.showOnly(this.current);
    }

    hides(i) {
        return this.mask ? !this.mask[i] : false;
    }

    // The one that begins or ends with event I.
    of(i) {
        return this.list.find((row) => row.begin === i || row.end === i);
    }

    // In the ruler: a flag where each was taken.
    drawFlags(timeline) {
        const { context, view } = timeline;
        let last = -Infinity;
        context.fillStyle = view.theme.match;
        for (const row of this.list) {
            const x = timeline.xOf(row.time);
            if (x < timeline.gutter || x > timeline.width || x < last + 2)
                continue;
            context.fillRect(x - 0.75, 0, 1.5, RULER);
            context.fillRect(x, 0, 7, 6);
            last = x;
        }
    }
}
