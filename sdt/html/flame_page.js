// SPDX-License-Identifier: BSD-2-Clause
// The page of sdt tree --html around its flame graph (flame.js).

const element = (id) => document.getElementById(id);
const tree = JSON.parse(element('tree').textContent);
const flame = new Flame(tree.calls, {graph: element('graph'), chosen: element('chosen'),
    find: element('find'), found: element('found')});

element('name').textContent = tree.name;
element('facts').textContent = `${Flame.time(flame.whole.width)} in ` +
    (tree.lost ? `all; ${tree.lost} calls are in no number` : 'all');
element('all').addEventListener('click', () => flame.chooseAll());
addEventListener('keydown', (event) => {
    const types = event.target === element('find');
    if (event.key === '/' && !types) {
        element('find').focus();
        event.preventDefault();
    } else if (event.key === 'Escape' || (event.key === '0' && !types)) {
        flame.chooseAll();
    }
});
document.body.dataset.events = tree.calls.length;
