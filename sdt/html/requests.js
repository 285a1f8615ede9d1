// SPDX-License-Identifier: BSD-2-Clause
// Requests that cross processes: a row each, with a bar of its parts by process.
// ../report/requests.h says what they are.

function readRequests(description) {
    const names = new Map(description.processes.map(([process, program, pid, , host]) =>
        [process, `${visible(program)} on ${visible(host)} (${pid})`]));
    return description.requests.list.map(([key, first, last, ...parts]) => ({
        key: visible(key), first, last, duration: last - first,
        parts: parts.map(([process, from, to, events]) =>
            ({ process, from, to, events, name: names.get(process) ?? String(process) })) }));
}

// Each part where it is in the request; what takes no time is still seen.
function drawParts(cell, row, colourOf) {
    const bar = make('div', undefined, 'parts');
    row.parts.forEach((part, i) => {
        const box = make('span', undefined, `part colour-${colourOf(part.process) % 8}`);
        const scale = 100 / Math.max(row.duration, 1), { style } = box;
        style.left = `${(part.from - row.first) * scale}%`;
        style.width = `${Math.max((part.to - part.from) * scale, 0.5)}%`;
        style.top = `${100 * i / row.parts.length}%`;
        style.height = `${100 / row.parts.length}%`;
        box.title = `${part.name}: ${formatDuration(part.to - part.from)}, ` +
            `after ${formatDuration(part.from - row.first)}`;
        bar.append(box);
    });
    cell.append(bar);
}

function fillRequests(page, description) {
    const { by, all, list } = description.requests;
    element('requests-panel').hidden = !by;
    if (!by)
        return;
    const rows = readRequests(description);
    const order = description.processes.map(([process]) => process);
    const words = (row) => row.parts.map((part) =>
        `${part.name} ${formatDuration(part.to - part.from)}`).join(' → ');
    element('requests-facts').textContent = list.length < all
        ? `by ${visible(by)}: the slowest ${formatCount(list.length)} of ${formatCount(all)}`
        : `by ${visible(by)}`;
    fillTable(element('requests'), [asText('Request', 'key'), asDuration('Duration', 'duration'),
        { title: 'Begins', value: (row) => row.first, text: (row) => formatMoment(row.first) },
        { title: 'Processes', value: (row) => row.parts.length,
            text: (row) => String(row.parts.length) },
        { title: 'Parts', isText: true, value: words, text: words },
        { title: 'When', value: (row) => row.parts.length, text: () => '',
            draw: (cell, row) => drawParts(cell, row, (process) => order.indexOf(process)) },
    ], rows, (row) => {
        const margin = Math.max(row.duration * 0.1, 10);
        page.view.show(row.first - margin, row.last + margin);
    });
}
