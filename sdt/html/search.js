// SPDX-License-Identifier: BSD-2-Clause
// Search in names and arguments: `query`, `rows=5`, `path="/logo`. It works in parts, so that the
// page stays usable while a million events are searched.

const PART_TIME = 12; // ms

class Find {
    constructor(page) {
        this.page = page;
        this.field = element('find');
        this.status = element('found');
        this.hits = [];
        this.field.addEventListener('input', () => this.start());
        this.field.addEventListener('keydown', (event) => {
            if (event.key === 'Enter')
                this.go(event.shiftKey ? -1 : 1);
            else if (event.key === 'Escape') {
                this.set('');
                this.page.timeline.canvas.focus();
            }
        });
        element('found-before').addEventListener('click', () => this.go(-1));
        element('found-next').addEventListener('click', () => this.go(1));
    }

    focus() {
        this.field.focus();
        this.field.select();
    }

    set(text) {
        this.field.value = text;
        this.start();
    }

    start() {
        const text = this.field.value.trim().toLowerCase(), { page } = this, { events } = page;
        clearTimeout(this.timer);
        this.hits = [];
        this.place = -1;
        page.timeline.matches = text ? new Uint8Array(events.count) : null;
        document.body.classList.toggle('is-searching', text !== '');
        page.view.change();
        if (!text) {
            this.status.textContent = '';
            return;
        }
        const isClass = [];
        for (const each of events.classes)
            if (each)
                isClass[each.id] = [each.label, each.function, each.slice ?? '', each.place]
                    .some((name) => name.toLowerCase().includes(text));
        this.look(text, isClass, 0);
    }

    look(text, isClass, from) {
        const { events, timeline } = this.page, begin = performance.now();
        let i = from;
        for (; i < events.count; i++) {
            if ((i & 255) === 0 && performance.now() - begin > PART_TIME)
                break;
            if (!isClass[events.class[i]] && !this.isInArguments(i, text))
                continue;
            timeline.matches[i] = 1;
            // A slice is found once.
            if (events.partner[i] < 0 || events.partner[i] > i ||
                !timeline.matches[events.partner[i]])
                this.hits.push(i);
        }
        const isDone = i === events.count;
        this.tell(isDone ? '' : ` (${Math.floor(i / events.count * 100)} %)`);
        this.page.view.change();
        if (!isDone)
            this.timer = setTimeout(() => this.look(text, isClass, i), 0);
    }

    isInArguments(i, text) {
        for (const [name, value] of this.page.events.argumentsOf(i))
            if (`${name}=${value}`.toLowerCase().includes(text))
                return true;
        return false;
    }

    tell(progress) {
        const which = this.isAtPlace() ? `${formatCount(this.place + 1)} of ` : '';
        const count = plural(this.hits.length, 'match', 'matches');
        this.status.textContent = which + count + progress;
    }

    // Is the selection the match to which go() led?
    isAtPlace() {
        const { selected } = this.page.timeline, hit = this.hits[this.place];
        return hit !== undefined &&
            (selected === hit || selected === this.page.events.partner[hit]);
    }

    // Where the next match is, before the first step from a selection or from none.
    findPlace(direction) {
        const { hits } = this, { events, timeline, view } = this.page, { selected } = timeline;
        const after = selected < 0
            ? search(0, hits.length, (k) => events.time[hits[k]] >= view.from)
            : search(0, hits.length, (k) => hits[k] >= selected + (direction > 0));
        return direction > 0 ? after : after - 1;
    }

    // Select the next match after the selection, or the one before it.
    go(direction) {
        const { hits } = this;
        if (!hits.length)
            return;
        const next = this.isAtPlace() ? this.place + direction : this.findPlace(direction);
        this.place = (next + hits.length) % hits.length;
        this.page.select(hits[this.place], true);
        this.tell('');
    }

    // In the overview: a mark where there is a match.
    drawMarks(context, width) {
        const { view, events } = this.page, whole = view.most - view.least;
        context.fillStyle = view.theme.match;
        for (let i = 0; i < this.hits.length;) {
            const x = Math.floor((events.time[this.hits[i]] - view.least) / whole * width);
            context.fillRect(x, 0, 1.5, 6);
            const after = view.least + (x + 1) / width * whole;
            i = search(i + 1, this.hits.length, (k) => events.time[this.hits[k]] >= after);
        }
    }
}
