/* The page: parts (a mistake, kernels, streams), the steps of each, and what is said about a step. */
'use strict';
(() => {
    const view = JSON.parse(document.getElementById('document').textContent);
    const main = document.querySelector('main');

    function make(name, attributes = {}, ...inside) {
        const e = document.createElement(name);
        for (const [key, value] of Object.entries(attributes))
            if (key.startsWith('on'))
                e.addEventListener(key.slice(2), value);
            else
                e.setAttribute(key, value);
        e.append(...inside.filter(i => i !== null));
        return e;
    }

    /* --- what is said about a request ----------------------------------------------------------- */
    const sameLine = (line, request) => line.at === request.at && line.access === request.access &&
        line.space === request.space;
    const partsOf = line => line.sectors ?? line.wavefronts;
    const lineOf = (kernel, request) => kernel.lines.find(line => sameLine(line, request));

    function sayGlobal(request, parts) {
        const bytes = new Set(request.offsets).size * request.bytes;
        return `${request.lanes.length} lanes ${request.access === 'load' ? 'load' : request.access === 'store' ? 'store' : 'change'} ` +
            `${request.bytes} bytes each, ${bytes} different bytes in all. Memory comes in sectors of 32 bytes: this request ` +
            `takes ${parts} sector${parts === 1 ? '' : 's'}, ${parts * 32} bytes, of which ` +
            `${Math.round(100 * bytes / (parts * 32))} % are needed. ` +
            (parts > request.least ? `If the lanes' addresses were contiguous, ${request.least} would do.` : 'No request for these bytes takes fewer.');
    }

    function sayShared(request, parts) {
        return `${request.lanes.length} lanes ${request.access === 'load' ? 'read' : 'write'} ${request.bytes} bytes each. ` +
            `Each of the 32 banks serves one word of 4 bytes in a pass; lanes that want the same word share it. This request ` +
            `takes ${parts} pass${parts === 1 ? '' : 'es'}` +
            (parts > request.least ? `; without bank conflicts, ${request.least} would do.` : ', and has no bank conflict.');
    }

    function sayElsewhere(request) {
        const bits = mask => mask.toString(2).replaceAll('0', '').length;
        return (request.elsewhere ?? []).map(e => make('p', { class: 'elsewhere' },
            `${bits(e.mask)} lanes of this warp wait; they go on at ${e.at}: `, make('code', {}, view.sources[e.at] ?? '')));
    }

    function sayLine(kernel, request) {
        const line = lineOf(kernel, request);
        return !line ? null : make('p', { class: 'total' }, `In the whole kernel: ${line.requests} requests of this line take ` +
            `${partsOf(line)} ${request.space === 'shared' ? 'passes' : 'sectors'}, ` +
            `${(partsOf(line) / line.requests).toFixed(2)} a request; ${line.least} would do.`);
    }

    function showSource(at) {
        return make('div', {}, make('span', { class: 'place' }, at), make('div', { class: 'source' }, view.sources[at] ?? ''));
    }

    /* --- parts ---------------------------------------------------------------------------------- */
    /* A part has a name, a number of steps, and draws step i into nodes. */
    function kernelPart(kernel) {
        const { steps, warp } = kernel;
        const excess = step => step.parts - step.least;
        const first = kernel.lines.map(line => steps.filter(step => sameLine(step, line))).find(found => found.length > 0);
        return {
            name: kernel.kernel, kernel, count: steps.length,
            begin: first ? steps.indexOf(first.reduce((a, b) => excess(b) > excess(a) ? b : a)) : 0,
            about: `Warp ${warp.warp} of block (${warp.block}) of ${kernel.kernel}<<<(${warp.grid}), (${warp.shape})>>>. It makes ` +
                `${warp.requests} requests; the first of each access are here.`,
            show(i) {
                const request = steps[i], picture = drawRequest(request);
                const say = request.space === 'shared' ? sayShared : sayGlobal;
                return [showSource(request.at), make('p', { class: 'said', 'data-parts': picture.parts }, say(request, picture.parts)),
                    ...sayElsewhere(request), sayLine(kernel, request), make('figure', {}, picture.svg)];
            },
        };
    }

    function accessPart() {
        const a = view.access, lane = { lane: a.lane };
        const request = { ...a, lanes: [...a.lanes, a.lane], offsets: [...a.offsets, a.offset] };
        return {
            name: 'Mistake', count: 1, begin: 0, about: '',
            show: () => [showSource(a.at), make('figure', {}, drawRequest(request, lane).svg),
                make('p', { class: 'said' }, `Lane ${a.lane} ${verbs[a.access]} ${element(a, a.offset)}; ${nameOf(a)} has ` +
                    `${div(a.array.bytes, a.bytes)} elements of ${a.bytes} bytes. ${a.lanes.length} other lanes of its warp had ` +
                    'made this access before: the simulator runs lanes one after another and stops at the first mistake.')],
        };
    }

    function racePart() {
        const count = raceEvents(view).length;
        return {
            name: 'Race', count, begin: count - 1, about: 'What both threads have accessed since the barrier above.',
            show: i => [make('figure', {}, drawRace(view, i + 1)), make('p', { class: 'said' }, i + 1 < count ? '' :
                'Nothing orders the two accesses in red: on a GPU either may come first.')],
        };
    }

    function waitsPart() {
        return { name: 'Who waits where', count: 1, begin: 0, about: 'Each thread of the block where it was when nothing could continue.',
            show: () => [make('figure', {}, drawWaits(view.waits))] };
    }

    function streamsPart() {
        const steps = Math.max(...view.works.map(w => w.step)) + 1;
        return {
            name: 'Streams', count: steps, begin: steps - 1, about: '',
            show: i => [make('figure', {}, drawStreams(view.works, i + 1)), ...view.traffic.filter(t => t.overlapping_bytes !== undefined)
                .map(t => make('p', { class: 'said' }, `${t.phase}: ${t.overlapping_bytes} bytes of copies may overlap something, of ` +
                    `${Object.values(t.copies).reduce((sum, c) => sum + c.bytes, 0)} bytes in all.`))],
        };
    }

    function hostPart() {
        const few = list => list.length > 6 ? [...list.slice(0, 5), `and ${list.length - 5} more`] : list;
        return {
            name: 'Turns', count: hostTurns(view.host), begin: 0,
            about: 'The elements that the loop has used up to this turn of each thread. A row has four cache lines, of 64 bytes each.',
            show(i) {
                const { elements, lines } = hostLines(view.host, i), used = usedIn(view.host, i);
                return [make('p', { class: 'said' }, `Turn ${i}: ` + few(used.map(([thread, names]) =>
                    `thread ${thread} uses ${names.join(', ')}`)).join('; ') + '.'), make('p', { class: 'total' },
                    `Up to here ${elements} elements were used; they lie in ${lines} cache lines, ${(elements / lines).toFixed(1)} in each.`),
                make('figure', {}, drawHost(view.host, i))];
            },
        };
    }

    const parts = [
        ...view.host ? [hostPart()] : [],
        ...view.mistake?.race && view.threads.length === 2 ? [racePart()] : [],
        ...view.access && view.access.bytes > 0 ? [accessPart()] : [],
        ...view.waits ? [waitsPart()] : [],
        ...view.kernels.filter(k => k.steps.length > 0).map(kernelPart),
        ...view.works.length > 0 ? [streamsPart()] : [],
    ];

    /* --- the page ------------------------------------------------------------------------------- */
    let part = 0, step = parts[0]?.begin ?? 0;
    const go = (p, s) => {
        part = p;
        step = Math.max(0, Math.min(s, parts[p].count - 1));
        show();
    };
    const back = make('button', { id: 'back', onclick: () => go(part, step - 1) }, '◀ Back');
    const forward = make('button', { id: 'forward', onclick: () => go(part, step + 1) }, 'Forward ▶');
    const where = make('output', { id: 'where' });
    const tabs = make('nav', { 'aria-label': 'Parts' }, ...parts.map((p, i) => make('button',
        { onclick: () => go(i, p.begin) }, p.name)));
    const about = make('p'), stage = make('section', { id: 'stage', 'aria-live': 'polite' }), lines = make('div', { class: 'wide' });

    function lineTable(p) {
        if (!p.kernel)
            return [];
        const head = make('tr', {}, ...['line', '', 'access', 'requests', 'sectors or passes', 'per request', 'least'].map(h => make('th', {}, h)));
        const rows = p.kernel.lines.map(line => {
            const at = p.kernel.steps.findIndex(s => sameLine(line, s)), here = sameLine(line, p.kernel.steps[step]);
            const name = line.at.replace(/^.*\//, '');
            return make('tr', { 'aria-current': here, 'data-at': line.at, 'data-access': line.access },
                make('td', {}, at >= 0 ? make('button', { onclick: () => go(part, at) }, name) : name),
                make('td', { class: 'code' }, view.sources[line.at] ?? ''), make('td', {}, `${line.space} ${line.access}`),
                make('td', {}, line.requests), make('td', {}, partsOf(line)),
                make('td', {}, (partsOf(line) / line.requests).toFixed(2)), make('td', {}, line.least));
        });
        return [make('h2', {}, 'Lines of the kernel, the one with most to gain first'),
            make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))];
    }

    function show() {
        const p = parts[part];
        [...tabs.children].forEach((b, i) => b.setAttribute('aria-current', i === part));
        where.value = p.count > 0 ? `step ${step + 1} of ${p.count}` : '';
        back.disabled = step === 0;
        forward.disabled = step + 1 >= p.count;
        about.textContent = p.about;
        stage.replaceChildren(...p.show(step).filter(n => n !== null));
        lines.replaceChildren(...lineTable(p));
    }

    document.addEventListener('keydown', event => {
        if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
            go(part, step + (event.key === 'ArrowLeft' ? -1 : 1));
    });
    main.append(make('h1', {}, view.title), ...view.mistake ? [make('p', { class: 'mistake' }, view.mistake.text)] : [],
        tabs, about, make('div', { class: 'controls' }, back, where, forward, make('small', {}, 'or the keys ← and →')), stage, lines);
    if (parts.length > 0)
        show();
})();
