// SPDX-License-Identifier: BSD-2-Clause
// What is known of one event, beside the timeline and in the box at the pointer.

function eventTitle(events, i) {
    const each = events.classOf(i);
    return visible(events.isSlice(i) ? each.slice : each.label);
}

function addRow(list, name, value) {
    list.append(make('dt', name), make('dd', value));
}

function addArguments(list, events, i) {
    for (const [name, value] of events.argumentsOf(i))
        addRow(list, visible(name), value);
}

const STATES = {
    [SLICE_CUT]: ', its own end is missing',
    [SLICE_OPEN]: ', no end was recorded',
    [SLICE_OVERLAPS]: ', if this is its end: another began before it',
};

function describe(page, i) {
    const { events, threads } = page, each = events.classOf(i), list = make('dl');
    const { process, tid } = threads.get(events.thread[i]);
    const { program, pid, host } = page.processes.get(process) ?? { program: '?', pid: process };
    if (events.isSlice(i))
        addRow(list, 'duration', formatDuration(events.end[i] - events.time[i]) +
            (STATES[events.state[i]] ?? ''));
    addRow(list, 'time', formatMoment(events.time[i]));
    const snapshot = page.snapshots.of(i) ??
        (events.isSlice(i) && events.partner[i] >= 0 ? page.snapshots.of(events.partner[i]) : null);
    if (snapshot)
        addRow(list, 'snapshot', String(snapshot.number));
    addRow(list, 'clock', formatClock(page.start, events.time[i]));
    addRow(list, 'probe', visible(each.label));
    addRow(list, 'process', `${visible(program)} (${pid})`);
    if (page.hasHosts)
        addRow(list, 'host', visible(host));
    addRow(list, 'thread', String(tid));
    if (events.cpu[i] !== NO_CPU)
        addRow(list, 'CPU', String(events.cpu[i]));
    if (each.function)
        addRow(list, 'function', visible(each.function));
    if (each.place)
        addRow(list, 'source', visible(each.place));
    if (each.module)
        addRow(list, 'module', visible(each.module));
    return list;
}

function showDetails(page, i) {
    const box = element('details');
    if (i < 0) {
        box.replaceChildren(make('h2', 'Selection'), make('p',
            'Click a slice or a mark, or press . or , for the next or previous event.', 'hint'));
        return;
    }
    const { events } = page, partner = events.isSlice(i) ? events.partner[i] : -1;
    const title = make('h2', eventTitle(events, i)), dot = make('span', undefined, 'dot');
    dot.style.background = page.view.theme.palette[events.classOf(i).colour % 8];
    if (events.isSlice(i))
        title.prepend(dot);
    const parts = [title, describe(page, i)];
    for (const [event, name] of [[i, partner < 0 ? 'Arguments' : 'At the beginning'],
        [partner, 'At the end']])
        if (event >= 0 && events.classOf(event).fields.length) {
            const list = make('dl', undefined, 'arguments');
            addArguments(list, events, event);
            parts.push(make('h3', name), list);
        }
    box.replaceChildren(...parts);
    element('live').textContent = `${eventTitle(events, i)}, ${formatMoment(events.time[i])}` +
        (events.isSlice(i) ? `, ${formatDuration(events.end[i] - events.time[i])}` : '');
}

// The box at the pointer; POINT is where in the window.
function showTip(page, hit, point) {
    const tip = element('tip'), { events } = page;
    tip.hidden = !hit || hit.event === undefined;
    if (tip.hidden)
        return;
    const parts = [];
    if (hit.count > 1)
        parts.push(make('strong', `${formatCount(hit.count)} ` +
            (hit.row.kind === ROW_SLICES ? 'slices' : 'events')),
        make('span', 'zoom in to tell them apart', 'muted'));
    else {
        parts.push(make('strong', eventTitle(events, hit.event)));
        if (events.isSlice(hit.event))
            parts.push(make('span',
                formatDuration(events.end[hit.event] - events.time[hit.event])));
        for (const [name, value] of events.argumentsOf(hit.event).slice(0, 8))
            parts.push(make('span', `${visible(name)} = ${value.slice(0, 80)}`, 'muted'));
    }
    tip.replaceChildren(...parts);
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${Math.max(4, Math.min(point.x + 14, innerWidth - width - 8))}px`;
    const below = point.y + 18;
    tip.style.top = `${below + height > innerHeight ? point.y - height - 10 : below}px`;
}
