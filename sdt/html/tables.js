// SPDX-License-Identifier: BSD-2-Clause
// Tables that are sorted by a click on a title.

// COLUMNS: { title, value(row), text(row), isText, isBad(row) }. The first is the row's name, which
// is a button if there is an action for it.
function fillTable(table, columns, rows, act) {
    const head = make('tr'), body = make('tbody');
    let order = { column: -1, isUp: false };
    const chosen = () => body.querySelector('.is-chosen')?.row;
    const fill = (before = chosen()) => body.replaceChildren(...rows.map((row) => {
        const line = make('tr', undefined, before && row === before ? 'is-chosen' : '');
        line.row = row;
        columns.forEach((column, i) => {
            const cell = make(i ? 'td' : 'th', i ? column.text(row) : undefined);
            if (!i)
                nameCell(cell, column, row, act);
            cell.classList.toggle('text', column.isText === true);
            cell.classList.toggle('bad', column.isBad?.(row) === true);
            column.draw?.(cell, row);
            line.append(cell);
        });
        return line;
    }));
    columns.forEach((column, i) => {
        const title = make('th'), button = make('button', column.title);
        title.scope = 'col';
        title.classList.toggle('text', column.isText === true);
        title.append(button);
        head.append(title);
        button.addEventListener('click', () => {
            const isUp = order.column === i ? !order.isUp : column.isText === true;
            order = { column: i, isUp };
            const sign = isUp ? 1 : -1;
            rows.sort((a, b) => {
                const one = column.value(a), other = column.value(b);
                return one < other ? -sign : one > other ? sign : 0;
            });
            for (const each of head.children)
                each.removeAttribute('aria-sort');
            title.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
            fill();
        });
    });
    const top = make('thead');
    top.append(head);
    fill();
    table.replaceChildren(...table.querySelectorAll('caption'), top, body);
}

function nameCell(cell, column, row, act) {
    const name = act ? make('button', column.text(row)) : make('span', column.text(row));
    cell.scope = 'row';
    if (row.colour !== undefined) {
        const dot = make('span', undefined, `dot colour-${row.colour % 8}`);
        cell.append(dot);
    }
    cell.append(name);
    if (act)
        name.addEventListener('click', () => act(row));
}

const asText = (title, key) =>
    ({ title, isText: true, value: (row) => row[key], text: (row) => row[key] });
const asCount = (title, key, isBad) =>
    ({ title, value: (row) => row[key], text: (row) => formatCount(row[key]), isBad });
const asDuration = (title, key) =>
    ({ title, value: (row) => row[key], text: (row) => formatDuration(row[key]) });

function fillPairs(latency) {
    fillTable(element('pairs'), [asText('Slices', 'name'), asCount('Count', 'count'),
        asDuration('Median', 'p50'), asDuration('90 %', 'p90'), asDuration('99 %', 'p99'),
        asDuration('Longest', 'longest'), asDuration('Total', 'total'),
        asText('Paired by', 'by')], latency.pairs, (pair) => latency.choose(pair));
}

// What the table of latencies does not tell.
function fillOverlaps(description) {
    element('overlaps').replaceChildren(...description.pairs.filter(([, , , overlaps]) => overlaps)
        .map(([begin, , begins, overlaps, advice]) => make('p',
            `${visible(begin)}: ${formatCount(overlaps)} of ${formatCount(begins)} hits began ` +
            `what had not ended. They are in no latency; ${visible(advice)}.`, 'bad')));
}

function countProbes(events, description) {
    const probes = description.probes.map((label) => ({ label: visible(label), count: 0 }));
    for (let i = 0; i < events.count; i++) {
        const probe = probes[events.classOf(i).probe];
        if (probe.count++ === 0)
            probe.first = events.time[i];
        probe.last = events.time[i];
    }
    const seconds = (events.last - events.first) / 1e9;
    for (const probe of probes)
        probe.rate = seconds > 0 ? probe.count / seconds : Infinity;
    return probes.filter((probe) => probe.count > 0).sort((a, b) => b.count - a.count);
}

function fillProbes(page, description) {
    const moment = (title, key) =>
        ({ title, value: (row) => row[key], text: (row) => formatMoment(row[key]) });
    fillTable(element('probes'), [asText('Probe', 'label'), asCount('Events', 'count'),
        { title: 'Per second', value: (row) => row.rate, text: (row) => formatRate(row.rate) },
        moment('First', 'first'), moment('Last', 'last')],
    countProbes(page.events, description), (probe) => {
        page.find.set(probe.label);
        page.find.go(1);
    });
}

function fillStreams(description) {
    const names = ['name', 'pid', 'events', 'discarded', 'missing', 'damaged'];
    const rows = description.streams.map((stream) =>
        Object.fromEntries(names.map((name, i) => [name, stream[i]])));
    for (const row of rows)
        row.name = visible(row.name);
    const bad = (key) => (row) => row[key] > 0;
    fillTable(element('streams'), [asText('Stream', 'name'),
        { title: 'Process', value: (row) => row.pid, text: (row) => String(row.pid) },
        asCount('Events', 'events'), asCount('Events lost', 'discarded', bad('discarded')),
        asCount('Packets lost', 'missing', bad('missing')),
        asCount('Damaged', 'damaged', bad('damaged'))], rows);
    return rows;
}

// Of several machines: how far each clock was ahead as recorded, and how well that is known.
function fillClocks(description) {
    const rows = description.machines;
    element('clocks-panel').hidden = rows.length < 2;
    for (const row of rows)
        for (const key of ['host', 'recording', 'how'])
            row[key] = visible(row[key]);
    const sign = (row) => row.ahead ? row.ahead > 0 ? '+' : '−' : '';
    fillTable(element('clocks'), [asText('Host', 'host'), asText('Recording', 'recording'),
        { title: 'Ahead, put right', value: (row) => row.ahead,
            text: (row) => sign(row) + formatDuration(Math.abs(row.ahead)) },
        { title: 'Error at most', value: (row) => row.error,
            text: (row) => row.error < 0 ? 'unknown' : formatDuration(row.error) },
        asText('How it is known', 'how')], rows);
}
