// SPDX-License-Identifier: BSD-2-Clause
// Read what the page holds, and put its parts together.

class Page {
    constructor(description, events) {
        this.description = description;
        this.events = events;
        this.hasHosts = Boolean(description.namesHosts);
        this.start = BigInt(description.start);
        this.processes = new Map(description.processes.map(([process, program, pid, , host]) =>
            [process, { program, pid, host }]));
        this.threads = new Map(description.threads.map(([number, process, tid]) =>
            [number, { process, tid }]));
        this.view = new View(events);
        this.timeline = new Timeline(element('timeline'), element('scroller'), events,
            findGroups(events, description), this.view);
        this.find = new Find(this);
        this.overview = new Overview(element('overview'), this);
        this.latency = new Latency(this, findPairs(events, description));
        this.snapshots = new Snapshots(this, description.snapshots);
        this.timeline.snapshots = this.snapshots;
        fillProbes(this, description);
        this.streams = fillStreams(description);
        fillClocks(description);
        fillRequests(this, description);
        fillFlame(description);
    }

    // Select event I, of a pair its beginning; -1: nothing.
    select(i, isToBeSeen) {
        const { events, view, timeline } = this;
        timeline.selected = i >= 0 && !events.isSlice(i) && events.partner[i] >= 0
            ? events.partner[i] : i;
        showDetails(this, timeline.selected);
        if (i >= 0 && isToBeSeen) {
            const { selected } = timeline;
            view.reveal(events.time[selected],
                events.isSlice(selected) ? events.end[selected] : events.time[selected]);
            this.scrollTo(selected);
        }
        view.change();
    }

    // Scroll to the row that has event I.
    scrollTo(i) {
        const { groups, scroller } = this.timeline, { time } = this.events;
        for (const group of groups)
            for (const track of group.isCollapsed ? [] : group.tracks)
                for (const row of track.rows) {
                    const at = search(0, row.list.length, (k) =>
                        time[row.list[k]] > time[i] || row.list[k] >= i);
                    if (row.isCpu || row.list[at] !== i)
                        continue;
                    if (row.y < scroller.scrollTop ||
                        row.y + row.height > scroller.scrollTop + scroller.clientHeight - RULER)
                        scroller.scrollTop = row.y - scroller.clientHeight / 3;
                    return;
                }
    }

    // The next event, or the one before, in the thread of the selected one; ends are passed over.
    step(direction) {
        const { events, timeline, view } = this, { selected } = timeline;
        let i = selected < 0 ? events.at(view.from) - 1 : selected;
        const thread = selected < 0 ? -1 : events.thread[selected];
        do
            i += direction;
        while (i >= 0 && i < events.count && (thread >= 0 && events.thread[i] !== thread ||
            !events.isSlice(i) && events.partner[i] >= 0 || this.snapshots.hides(i)));
        if (i >= 0 && i < events.count)
            this.select(i, true);
    }

    zoomToSelection() {
        const { events, view, timeline: { selected } } = this;
        if (selected < 0)
            return;
        const begin = events.time[selected];
        const end = events.isSlice(selected) ? events.end[selected] : begin;
        const margin = end > begin ? (end - begin) * 0.2 : view.span / 10;
        view.show(begin - margin, end + margin);
    }

    hover(point, event) {
        const hit = point && this.timeline.hit(point.x, point.y);
        this.timeline.canvas.classList.toggle('is-on-something', Boolean(hit));
        showTip(this, hit, event && { x: event.clientX, y: event.clientY });
    }

    click(point) {
        const hit = this.timeline.hit(point.x, point.y);
        if (hit?.group) {
            hit.group.isCollapsed = !hit.group.isCollapsed;
            this.timeline.layOut();
        } else
            this.select(hit?.event ?? -1);
    }

    // What is visible, in words and as attributes.
    tellView() {
        const { events, view } = this, count = events.at(view.to) - events.at(view.from);
        element('visible').textContent = `${plural(count, 'event')} in ` +
            `${formatDuration(view.span)}, from ${formatMoment(Math.max(0, view.from))}`;
        this.timeline.canvas.dataset.from = view.from;
        this.timeline.canvas.dataset.to = view.to;
    }
}

const THEMES = ['', 'light', 'dark'];

// Some browsers keep nothing for a file: then the choice lasts as long as the page.
function remember(name, value) {
    try {
        if (value === undefined)
            return localStorage.getItem(name);
        localStorage.setItem(name, value);
    } catch {
        // nothing to do
    }
    return null;
}

function chooseTheme(page, theme) {
    if (theme)
        document.documentElement.dataset.theme = theme;
    else
        delete document.documentElement.dataset.theme;
    element('theme').value = theme;
    page.view.theme = readTheme();
    page.view.change();
}

function listenToTheme(page) {
    const kept = remember('sdt-theme');
    chooseTheme(page, THEMES.includes(kept) ? kept : '');
    element('theme').addEventListener('change', (event) => {
        chooseTheme(page, event.target.value);
        remember('sdt-theme', event.target.value);
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        page.view.theme = readTheme();
        page.view.change();
    });
}

// #find=TEXT&from=NS&to=NS&snapshot=N: so a link can lead to a place in the recording.
function followLink(page) {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has('from') && wanted.has('to'))
        page.view.show(Number(wanted.get('from')), Number(wanted.get('to')));
    if (wanted.has('find'))
        page.find.set(wanted.get('find'));
    const number = Number(wanted.get('snapshot'));
    const snapshot = page.snapshots.list.find((row) => row.number === number);
    if (snapshot)
        page.snapshots.show(snapshot);
}

function describeRecording(page) {
    const { description, events } = page, name = visible(description.recording);
    document.title = `${name} – sdt report`;
    element('name').textContent = name;
    const lost = page.streams.reduce((sum, stream) => sum + stream.discarded, 0);
    const packets = page.streams.reduce((sum, stream) => sum + stream.missing, 0);
    const facts = [plural(events.count, 'event'), formatDuration(events.last - events.first),
        plural(description.processes.length, 'process', 'processes')];
    if (description.filter)
        facts.push(`filter: ${visible(description.filter)}`);
    element('facts').textContent = facts.join(' · ');
    element('lost').textContent = [lost && `${plural(lost, 'event')} lost`,
        packets && `${plural(packets, 'packet')} lost`].filter(Boolean).join(' · ');
    if (events.count)
        element('clock').textContent = `The first event was at ${formatClock(page.start, 0)}.`;
}

function start() {
    const begin = performance.now(), holder = element('events');
    const description = JSON.parse(element('description').textContent);
    const bytes = readBytes(holder.textContent);
    holder.remove();
    const events = new Events(description, bytes), names = new Map();
    for (const each of events.classes) {
        if (!each)
            continue;
        each.label = visible(description.probes[each.probe]);
        if (each.slice !== undefined && !names.has(each.slice))
            names.set(each.slice, names.size);
        each.colour = each.slice === undefined ? 0 : names.get(each.slice);
    }
    const page = new Page(description, events);
    listenToTheme(page);
    listenToKeys(page);
    listenToWheel(page);
    listenToPointer(page);
    showDetails(page, -1);
    describeRecording(page);
    page.view.listen(() => page.tellView());
    for (const [id, act] of [['zoom-in', () => page.view.zoom(1 / 1.6)],
        ['zoom-out', () => page.view.zoom(1.6)], ['zoom-all', () => page.view.showAll()],
        ['show-help', () => element('help').showModal()]])
        element(id).addEventListener('click', act);
    addEventListener('hashchange', () => followLink(page));
    new ResizeObserver(() => page.view.change()).observe(element('timeline'));
    new ResizeObserver(() => page.view.change()).observe(element('heat'));
    followLink(page);
    document.body.dataset.events = events.count;
    document.body.dataset.loaded = (performance.now() - begin).toFixed(0);
}

start();
