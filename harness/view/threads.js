/* Draws threads over time: a race, threads that wait for each other, copies and kernels in streams. */
'use strict';
const verbs = { load: 'reads', store: 'writes', atomic: 'changes' };

/* The accesses of both threads since the last barrier, in the order in which the simulator ran them. */
function raceEvents(view) {
    return view.threads.flatMap((t, column) => t.events.map(e => ({ ...e, column }))).sort((a, b) => a.time - b.time);
}

/* Do they touch the same bytes, and does one of them write? */
function clash(a, b) {
    return a.column !== b.column && a.space === b.space && nameOf(a) === nameOf(b) && a.array.made === b.array.made &&
        a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes && (a.access !== 'load' || b.access !== 'load');
}

/* The two accesses that nothing orders. */
function clashOf(events) {
    for (const a of events)
        for (const b of events)
            if (a.time < b.time && clash(a, b))
                return [a, b];
    return [];
}

/* Two columns, one for each thread; time runs downwards.  The first `shown` events are visible. */
function drawRace(view, shown) {
    const events = raceEvents(view), height = 56, width = 480, [first, last] = clashOf(events);
    const same = view.threads.every(t => t.block.join() === view.threads[0].block.join());
    const svg = draw('svg', { width: 2 * width + 40, height: 84 + height * events.length, role: 'img',
        'aria-label': 'two threads over time' });
    view.threads.forEach((t, column) => {
        svg.append(label(20 + width * (column + .5), 14, `thread ${t.number} of block (${t.block})`),
            draw('line', { class: 'time', x1: 20 + width * (column + .5), x2: 20 + width * (column + .5), y1: 30, y2: 70 + height * events.length }));
    });
    svg.append(draw('line', { class: 'barrier', x1: 20, x2: 20 + 2 * width, y1: 34, y2: 34 }),
        label(20 + width, 46, !same ? 'the blocks of a launch have no order' : view.threads[0].barriers > 0 ? `barrier ${view.threads[0].barriers} of the block` : 'the kernel begins', { class: 'soft' }));
    events.forEach((e, i) => {
        const x = 30 + width * e.column, y = 60 + height * i;
        const box = draw('g', { class: `event${e === first || e === last ? ' clash' : ''}${i < shown ? '' : ' hidden'}` },
            draw('rect', { x, y, width: width - 20, height: height - 10, rx: 5 }),
            label(x + 10, y + 14, `${verbs[e.access]} ${element(e, e.offset)}   ${e.at.replace(/^.*\//, '')}` +
                (e.left_out > 0 ? `   (${e.left_out} more before it)` : ''), { 'text-anchor': 'start' }),
            label(x + 10, y + 32, (view.sources[e.at] ?? '').slice(0, 64), { 'text-anchor': 'start', class: 'soft' }));
        svg.append(box);
    });
    if (first !== undefined && shown >= events.length)
        svg.append(draw('line', { class: 'clash-line', x1: 20 + width * (first.column + .5), x2: 20 + width * (last.column + .5),
            y1: 60 + height * events.indexOf(first) + height - 10, y2: 60 + height * events.indexOf(last) }));
    return svg;
}

/* Each thread of the block, by the place where it waits: a row for each warp. */
function drawWaits(waits) {
    const colours = ['var(--needed)', 'var(--wait)', 'var(--other)', 'var(--later)', 'var(--bad)', 'var(--soft)'];
    const groups = new Map(), size = 22;
    const key = t => t[1] !== '' ? `wait in ${t[2]} at ${t[1]}` : t[0] === 'returned' ? 'have returned' : 'run';
    waits.threads.forEach((t, i) => groups.set(key(t), [...groups.get(key(t)) ?? [], i]));
    const letter = g => String.fromCharCode(65 + g);
    const names = [...groups.keys()], rows = Math.ceil(waits.threads.length / WARP);
    const svg = draw('svg', { width: LEFT + WARP * size + 16, height: rows * size + 20 + 22 * names.length, role: 'img',
        'aria-label': 'where the threads of the block wait' });
    for (let w = 0; w < rows; w++)
        svg.append(label(LEFT - 12, w * size + size / 2 + 4, `warp ${w}`, { 'text-anchor': 'end', class: 'soft' }));
    waits.threads.forEach((t, i) => {
        const g = names.indexOf(key(t)), x = LEFT + i % WARP * size, y = div(i, WARP) * size;
        svg.append(tip(draw('g', { class: 'thread' }, draw('rect', { x: x + 1, y: y + 4, width: size - 2, height: size - 2, rx: 4,
            fill: colours[g % colours.length] }), label(x + size / 2, y + size / 2 + 4, letter(g))), `thread ${i}: ${key(t)}`));
    });
    names.forEach((name, g) => {
        const y = rows * size + 22 + 22 * g;
        svg.append(draw('rect', { x: LEFT, y: y - 8, width: 16, height: 16, rx: 3, fill: colours[g % colours.length] }),
            label(LEFT + 8, y, letter(g)), label(LEFT + 24, y, `${groups.get(name).length} threads ${name}`, { 'text-anchor': 'start' }));
    });
    return svg;
}

/* A row for each stream, a column for each step; work up to step `shown` is visible. */
function drawStreams(works, shown) {
    const streams = Math.max(...works.map(w => w.stream)) + 1, steps = Math.max(...works.map(w => w.step)) + 1;
    const width = Math.max(26, Math.min(90, div(960, steps))), height = 34;
    const svg = draw('svg', { width: Math.max(LEFT + steps * width + 16, 900), height: streams * height + 52, role: 'img',
        'aria-label': 'copies and kernels in streams' });
    for (let s = 0; s < streams; s++)
        svg.append(label(LEFT - 12, s * height + height / 2, `stream ${s}`, { 'text-anchor': 'end', class: 'soft' }),
            draw('line', { class: 'time', x1: LEFT, x2: LEFT + steps * width, y1: (s + 1) * height, y2: (s + 1) * height }));
    for (const w of works)
        svg.append(tip(draw('g', { class: `work ${w.kind}${w.step < shown ? '' : ' hidden'}` },
            draw('rect', { x: LEFT + w.step * width + 1, y: w.stream * height + 3, width: width - 2, height: height - 6, rx: 4 }),
            label(LEFT + (w.step + .5) * width, w.stream * height + height / 2, width < 60 ? w.kind[0].toUpperCase() : w.kind)),
            w.kind === 'kernel' ? `kernel ${w.name}` : `${w.kind}: ${w.bytes} bytes${w.overlaps ? ', may overlap' : ''}`));
    svg.append(label(LEFT, streams * height + 36, 'H: HtoD, a copy to the device; D: DtoH, a copy back; K: a kernel',
        { 'text-anchor': 'start', class: 'soft' }));
    svg.append(label(LEFT, streams * height + 14, 'a column is a step, not a time: work begins when the work ahead of it has ended',
        { 'text-anchor': 'start', class: 'soft' }));
    return svg;
}
