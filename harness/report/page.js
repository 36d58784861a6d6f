/* Behaviour of the page: tables sort and filter, sources open, records can be downloaded. */
'use strict';
(() => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];

    /* --- sorting: ascending, descending, original order ---------------------------------------- */
    const words = new Intl.Collator('en', { numeric: true });

    /* Returns the number of a cell (data-v, or its text), else the text, else null, which sorts last. */
    function value(row, column) {
        const cell = row.cells[column];
        const text = cell && cell.colSpan === 1 ? cell.textContent.trim() : '';
        if (text === '')
            return null;
        if (text === 'best')
            return 1;
        const number = cell.dataset.v || /^[\d.]+(?=[%=?]|$)/.exec(text)?.[0];
        return number && column > 0 ? Number(number) : text;
    }

    function compare(a, b) {
        if (typeof a === 'number' && typeof b === 'number')
            return a - b;
        if (typeof a !== typeof b)
            return typeof a === 'number' ? -1 : 1;
        return words.compare(a, b);
    }

    const next = { none: 'ascending', ascending: 'descending', descending: 'none' };

    function sort(heading) {
        const table = heading.closest('table'), body = table.tBodies[0];
        const order = next[heading.ariaSort], column = heading.cellIndex;
        for (const other of table.tHead.rows[0].cells)
            other.ariaSort = 'none';
        heading.ariaSort = order;
        const sign = order === 'descending' ? -1 : 1;
        const rows = [...body.rows].map(row => ({ row, at: row.at, is: value(row, column) }));
        rows.sort((a, b) => {
            if (order === 'none' || (a.is === null && b.is === null))
                return a.at - b.at;
            if (a.is === null || b.is === null)
                return a.is === null ? 1 : -1;
            return sign * compare(a.is, b.is) || a.at - b.at;
        });
        body.append(...rows.map(entry => entry.row));
    }

    for (const table of all('table')) {
        [...table.tBodies[0].rows].forEach((row, at) => { row.at = at; });
        table.tHead.addEventListener('click', event => {
            if (event.target.closest('button'))
                sort(event.target.closest('th'));
        });
    }

    /* --- filtering: all words must match; * matches anything ----------------------------------- */
    const flags = Object.fromEntries(all('#flags [data-flag]').map(
        term => [term.dataset.flag, term.textContent]));
    const rows = all('tbody tr').map(row => ({ row }));

    /* Returns the text that the filter searches: problem/variant, caption, cells, names of flags. */
    function haystack(row) {
        const caption = row.closest('table').caption.textContent;
        const cells = [...row.cells].map(cell => cell.textContent);
        const letters = /^[A-Z]+$/.test(cells.at(-1)) ? [...cells.at(-1)] : [];
        return [caption.split(' ')[0] + '/' + cells.join(' '), caption,
            ...letters.map(letter => flags[letter] || '')].join(' ');
    }

    const escaped = word => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '\\S*');

    function filter(text) {
        const terms = text.split(/\s+/).filter(Boolean).map(word => new RegExp(escaped(word), 'i'));
        let found = 0;
        for (const entry of rows) {
            entry.text ??= haystack(entry.row);
            const shown = terms.every(term => term.test(entry.text));
            entry.row.classList.toggle('out', !shown);
            found += shown;
        }
        for (const table of all('.wide'))
            table.classList.toggle('out', !table.querySelector('tbody tr:not(.out)'));
        for (const group of all('.group'))
            group.classList.toggle('out', !group.querySelector('.wide:not(.out)'));
        document.getElementById('found').value =
            terms.length > 0 ? `${found} of ${rows.length} rows` : '';
    }

    const field = document.getElementById('filter');
    field.form.hidden = false;
    field.addEventListener('input', () => filter(field.value));
    field.form.addEventListener('submit', event => event.preventDefault());

    /* --- keyboard: wide tables can be focused and have a name ---------------------------------- */
    for (const wide of all('.wide')) {
        wide.tabIndex = 0;
        wide.role = 'region';
        wide.ariaLabel = wide.querySelector('caption').textContent;
    }

    /* --- tooltips: the legend's text on each heading ------------------------------------------- */
    const meanings = Object.fromEntries(all('#legend dt').map(
        term => [term.textContent.trim(), term.nextElementSibling.textContent.trim()]));
    for (const heading of all('#tables thead th'))
        heading.title = meanings[heading.textContent] || '';

    /* --- tooltips: the idea on each name of a variant ------------------------------------------ */
    for (const link of all('tbody th a')) {
        const idea = document.getElementById(link.hash.slice(1))?.querySelector('p');
        link.title = idea ? idea.firstChild.textContent.trim() : '';
    }

    /* --- printing: ceilings are unfolded, sources are not -------------------------------------- */
    addEventListener('beforeprint', () => {
        for (const ceilings of all('.ceilings'))
            ceilings.open = true;
    });

    /* --- sources: a link to a variant opens its source ------------------------------------------- */
    function unfold() {
        const variant = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const source = variant && variant.matches('article') && variant.querySelector('details');
        if (source)
            source.open = true;
    }
    addEventListener('hashchange', unfold);
    unfold();

    /* --- download: the records as JSON Lines --------------------------------------------------- */
    for (const link of all('a.download')) {
        const lines = document.getElementById(link.hash.slice(1)).textContent.slice(2, -2);
        link.href = URL.createObjectURL(
            new Blob([lines.replaceAll(',\n', '\n') + '\n'], { type: 'application/jsonl' }));
    }
})();
