// SPDX-License-Identifier: BSD-2-Clause
// The flame graph on the page of sdt report --html: the slices of all threads, one inside the other
// (../report/call_tree.h).

function fillFlame({flame: {calls, notes}}) {
    element('flame-panel').hidden = !calls.length;
    if (!calls.length)
        return;
    const flame = new Flame(calls, {graph: element('flame-graph'), chosen: element('flame-chosen'),
        find: element('flame-find'), found: element('flame-found')});
    const facts = [`${formatDuration(flame.whole.width)} in all threads`, ...notes];
    element('flame-facts').textContent = facts.join(' · ');
    element('flame-all').addEventListener('click', () => flame.chooseAll());
}
