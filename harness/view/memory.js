/* Draws one request of a warp: its lanes, and the memory that they access, in rows of 128 bytes. */
'use strict';
const LINE = 128, SECTOR = 32, WORD = 4, WARP = 32, BYTE = 7 /* pixels */, LEFT = 120;

function draw(name, attributes = {}, ...inside) {
    const e = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes))
        e.setAttribute(key, value);
    e.append(...inside);
    return e;
}

function label(x, y, text, more = {}) {
    return draw('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central', ...more }, text);
}

function tip(element, text) {
    element.append(draw('title', {}, text));
    return element;
}

const div = (a, b) => Math.floor(a / b);
const nameOf = request => request.array?.name || 'array';
const element = (request, offset) => request.in_bytes ? `${nameOf(request)}+${offset} B`
    : `${nameOf(request)}[${div(offset, request.bytes)}]`;

/* The lanes' accesses, by place: bytes from where sectors and banks begin.  Lanes at the same place share one. */
function accesses(request) {
    const found = new Map();
    request.lanes.forEach((lane, i) => {
        const at = request.base + request.offsets[i];
        if (!found.has(at))
            found.set(at, { at, bytes: request.bytes, offset: request.offsets[i], lanes: [] });
        found.get(at).lanes.push(lane);
    });
    return [...found.values()].sort((a, b) => a.at - b.at);
}

/* The sectors of global memory that a request takes. */
function sectorsOf(places) {
    const sectors = new Set();
    for (const p of places)
        for (let s = div(p.at, SECTOR); s <= div(p.at + p.bytes - 1, SECTOR); s++)
            sectors.add(s);
    return sectors;
}

/* The passes in which shared memory serves a request: for each word, its pass.  As harness/sim/parts.c: wide words are
   served for a half or a quarter of the warp at a time, and for twice as many lanes if pairs share addresses. */
function passesOf(request) {
    const { lanes, offsets, bytes, base } = request;
    const paired = distance => lanes.every((lane, i) => lanes.every((other, j) =>
        (lane ^ distance) !== other || offsets[i] === offsets[j]));
    let atOnce = bytes <= WORD ? WARP : LINE / bytes;
    if (bytes > WORD && (paired(1) || paired(2)))
        atOnce *= 2;
    const passes = [];
    let before = 0;
    for (let from = 0, to; from < lanes.length; from = to) {
        const banks = new Map(), seen = new Set();
        for (to = from; to < lanes.length && div(lanes[to], atOnce) === div(lanes[from], atOnce); to++)
            for (let w = div(base + offsets[to], WORD); w <= div(base + offsets[to] + bytes - 1, WORD); w++) {
                if (seen.has(w))
                    continue;
                seen.add(w);
                const bank = w % 32, order = banks.get(bank) ?? 0;
                banks.set(bank, order + 1);
                passes.push({ word: w, pass: before + order, group: before });
            }
        before += Math.max(...banks.values());
    }
    return { passes, count: before };
}

function lanesText(lanes) {
    return lanes.length === 1 ? `${lanes[0]}` : lanes.length === WARP ? 'all' : `${lanes.length}×`;
}

/* --- the warp --------------------------------------------------------------------------------- */
function drawLanes(svg, request, bad) {
    const waits = (request.elsewhere ?? []).reduce((mask, e) => mask | e.mask, 0);
    const width = 28;
    svg.append(label(LEFT - 12, 16, 'lanes', { 'text-anchor': 'end', class: 'soft' }));
    for (let lane = 0; lane < WARP; lane++) {
        const is = lane === bad ? 'bad' : request.lanes.includes(lane) ? 'part' : waits >>> lane & 1 ? 'wait' : 'idle';
        const x = LEFT + lane * width;
        svg.append(draw('g', { class: `lane ${is}`, 'data-lane': lane },
            draw('rect', { x: x + 1, y: 4, width: width - 2, height: 24, rx: 4 }),
            label(x + width / 2, 16, lane)));
    }
}

const laneX = lane => LEFT + lane * 28 + 14;

/* --- rows of memory --------------------------------------------------------------------------- */
/* Places the rows that are accessed, with a gap for those between that are not. */
function rowsOf(places, top, height) {
    const lines = new Set();
    for (const p of places)
        for (let l = div(p.at, LINE); l <= div(p.at + p.bytes - 1, LINE); l++)
            lines.add(l);
    const rows = new Map(), gaps = [];
    let y = top, before = null, gap = 0;
    for (const line of [...lines].sort((a, b) => a - b)) {
        const lines = before === null ? 0 : line - before - 1;
        if (lines > 0 && lines !== gap) /* one that repeats is told once */
            gaps.push({ y: y + 7, bytes: lines * LINE });
        y += lines > 0 && lines !== gap ? 15 : lines > 0 ? 3 : 0;
        gap = lines;
        rows.set(line, y);
        y += height + 3;
        before = line;
    }
    return { rows, gaps, bottom: y };
}

function drawGaps(svg, gaps) {
    for (const gap of gaps)
        svg.append(label(LEFT + LINE * BYTE / 2, gap.y, `⋯ ${gap.bytes} bytes between ⋯`, { class: 'soft' }));
}

/* A cell's part in one row; an access may cross the end of a line only if it is a mistake. */
function drawCell(svg, place, rows, height, kind, text) {
    const line = div(place.at, LINE), y = rows.get(line);
    const x = LEFT + (place.at - line * LINE) * BYTE;
    const cell = draw('g', { class: `cell ${kind}`, 'data-lanes': place.lanes.join(' ') },
        draw('rect', { x: x + .5, y: y + 2, width: place.bytes * BYTE - 1, height: height - 4, rx: 2 }));
    if (place.bytes * BYTE >= 14)
        cell.append(label(x + place.bytes * BYTE / 2, y + height / 2 + .5, text));
    svg.append(cell);
    return cell;
}

/* What lies behind the array's last element, in the rows that are drawn. */
function drawEnd(svg, request, rows, height) {
    const end = request.base + (request.array?.bytes ?? 0);
    for (const [line, y] of rows) {
        const from = Math.max(end - line * LINE, 0);
        if (!request.array?.bytes || from >= LINE)
            continue;
        svg.append(tip(draw('rect', { class: 'beyond', x: LEFT + from * BYTE, y, width: (LINE - from) * BYTE, height }),
            `behind the end of ${nameOf(request)}`));
        if (from > 0)
            svg.append(draw('line', { class: 'edge', x1: LEFT + from * BYTE, x2: LEFT + from * BYTE, y1: y - 2, y2: y + height + 2 }));
    }
}

/* --- pictures --------------------------------------------------------------------------------- */
function canvas(height, title) {
    const width = LEFT + LINE * BYTE + 16;
    return draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title });
}

function drawGlobal(request, bad) {
    const places = accesses(request), sectors = sectorsOf(places), height = sectors.size > 12 ? 20 : 26;
    const { rows, gaps, bottom } = rowsOf(places, 64, height);
    const svg = canvas(bottom + 4, `a warp over memory: ${sectors.size} sectors`);
    drawLanes(svg, request, bad?.lane);
    drawGaps(svg, gaps);
    for (const [line, y] of rows) {
        const offset = line * LINE - request.base;
        svg.append(label(LEFT - 12, y + height / 2, element(request, offset), { 'text-anchor': 'end', class: 'soft' }));
        for (let s = 0; s < LINE / SECTOR; s++) {
            const fetched = sectors.has(line * LINE / SECTOR + s);
            svg.append(tip(draw('rect', { class: fetched ? 'sector fetched' : 'sector', x: LEFT + s * SECTOR * BYTE + 1, y,
                width: SECTOR * BYTE - 2, height, rx: 3 }),
                fetched ? 'a sector of 32 bytes that this request takes' : 'a sector that this request does not take'));
        }
    }
    drawEnd(svg, request, rows, height);
    for (const place of places) {
        const cell = drawCell(svg, place, rows, height, place.lanes.includes(bad?.lane) ? 'bad' : '', lanesText(place.lanes));
        tip(cell, `${element(request, place.offset)}: lane${place.lanes.length > 1 ? 's' : ''} ${place.lanes.join(', ')}`);
    }
    if (rows.size <= 4)
        drawWires(svg, places, rows);
    return { svg, parts: sectors.size };
}

/* From each lane to what it accesses. */
function drawWires(svg, places, rows) {
    const wires = draw('g');
    for (const place of places) {
        const line = div(place.at, LINE), y = rows.get(line);
        const x = LEFT + (place.at - line * LINE + place.bytes / 2) * BYTE;
        for (const lane of place.lanes)
            wires.append(draw('path', { class: 'wire', d: `M${laneX(lane)} 28 C${laneX(lane)} 48 ${x} 44 ${x} ${y + 2}` }));
    }
    svg.append(wires);
}

function drawShared(request, bad) {
    const places = accesses(request), { passes, count } = passesOf(request), height = places.length > 8 ? 20 : 26;
    const { rows, gaps, bottom } = rowsOf(places, 64, height);
    const svg = canvas(bottom + 4, `a warp over shared memory: ${count} passes`);
    const wanted = new Map(passes.map(p => [p.word % 32, 0]));
    for (const p of passes)
        wanted.set(p.word % 32, Math.max(wanted.get(p.word % 32), p.pass - p.group + 1));
    drawLanes(svg, request, bad?.lane);
    drawGaps(svg, gaps);
    svg.append(label(LEFT - 12, 52, 'banks', { 'text-anchor': 'end', class: 'soft' }));
    for (let bank = 0; bank < 32; bank++)
        svg.append(tip(label(LEFT + (bank + .5) * WORD * BYTE, 52, bank,
            { class: wanted.get(bank) > 1 ? 'bank busy' : 'bank soft' }), `bank ${bank}: ${wanted.get(bank) ?? 0} words at a time`));
    for (const [line, y] of rows)
        svg.append(label(LEFT - 12, y + height / 2, element(request, line * LINE - request.base),
            { 'text-anchor': 'end', class: 'soft' }));
    drawEnd(svg, request, rows, height);
    for (const place of places) {
        const pass = Math.max(0, ...passes.filter(p => p.word === div(place.at, WORD)).map(p => p.pass - p.group));
        const kind = place.lanes.includes(bad?.lane) ? 'bad' : pass > 0 ? 'later' : '';
        tip(drawCell(svg, place, rows, height, kind, lanesText(place.lanes)),
            `${element(request, place.offset)}, bank ${div(place.at, WORD) % 32}, pass ${pass + 1}: lanes ${place.lanes.join(', ')}`);
    }
    return { svg, parts: count };
}

/* Lets a lane and what it accesses stand out while the pointer is on either. */
function drawRequest(request, bad) {
    const picture = request.space === 'shared' ? drawShared(request, bad) : drawGlobal(request, bad);
    const { svg } = picture, lit = lane => [...svg.querySelectorAll('[data-lane], [data-lanes]')].forEach(e =>
        e.classList.toggle('hot', (e.dataset.lane ?? e.dataset.lanes).split(' ').includes(lane)));
    svg.addEventListener('pointerover', event => {
        const on = event.target.closest('[data-lane], [data-lanes]');
        svg.classList.toggle('dim', on !== null);
        if (on !== null)
            lit((on.dataset.lane ?? on.dataset.lanes).split(' ')[0]);
    });
    svg.addEventListener('pointerleave', () => svg.classList.remove('dim'));
    return picture;
}
