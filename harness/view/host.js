/* Draws which elements of the host's arrays a loop has used, turn by turn, and by which thread. */
'use strict';
const CELL = 14 /* pixels */, A_ROW = 64 /* elements */, A_LINE = 64 /* bytes */;

/* Returns how many turns there are.  An array is { name, bytes (of an element), turns, threads, written }, with -1 for none. */
function hostTurns(host) {
    return 1 + Math.max(...host.flatMap(array => array.turns));
}

/* What is used in this turn, by thread: [thread, ["x[5]", ...]]. */
function usedIn(host, turn) {
    const threads = new Map();
    for (const array of host)
        array.turns.forEach((t, i) => {
            if (t === turn)
                threads.set(array.threads[i], [...threads.get(array.threads[i]) ?? [], `${array.name}[${i}]`]);
        });
    return [...threads].sort((a, b) => a[0] - b[0]);
}

/* How many elements were used so far, and in how many cache lines they lie. */
function hostLines(host, turn) {
    let elements = 0, lines = 0;
    for (const array of host) {
        const used = array.turns.flatMap((t, i) => t >= 0 && t <= turn ? [div(i * array.bytes, A_LINE)] : []);
        elements += used.length;
        lines += new Set(used).size;
    }
    return { elements, lines };
}

/* A row of cells for each 64 elements; a stronger line ends a cache line.  A number is that of the thread, if there are several. */
function drawHost(host, turn) {
    const several = host.some(array => array.threads.some(t => t > 0));
    const rows = host.map(array => Math.ceil(array.turns.length / A_ROW)), gap = 26;
    const height = rows.reduce((sum, r) => sum + r * CELL + gap, 0), width = LEFT + A_ROW * CELL + 16;
    const svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `the elements used up to turn ${turn}` });
    let top = 0;
    host.forEach((array, k) => {
        svg.append(label(LEFT, top + 10, `${array.name}, ${array.written ? 'written' : 'read'}`, { 'text-anchor': 'start', class: 'soft' }));
        array.turns.forEach((t, i) => {
            const x = LEFT + i % A_ROW * CELL, y = top + 20 + div(i, A_ROW) * CELL, used = t >= 0 && t <= turn;
            if (i % A_ROW === 0)
                svg.append(label(LEFT - 12, y + CELL / 2, `${array.name}[${i}]`, { 'text-anchor': 'end', class: 'soft' }));
            const cell = draw('g', { class: `host ${!used ? 'idle' : t === turn ? 'now' : `of${array.threads[i] % 4}`}`, 'data-used': used },
                draw('rect', { x: x + .5, y: y + .5, width: CELL - 1, height: CELL - 1, rx: 2 }));
            if (used && several)
                cell.append(label(x + CELL / 2, y + CELL / 2 + .5, array.threads[i]));
            svg.append(tip(cell, `${array.name}[${i}]${t < 0 ? ' is never used' : `: turn ${t} of thread ${array.threads[i]}`}`));
            if (i % (A_LINE / array.bytes) === 0)
                svg.append(draw('line', { class: 'line-end', x1: x, x2: x, y1: y, y2: y + CELL }));
        });
        top += rows[k] * CELL + gap;
    });
    return svg;
}
