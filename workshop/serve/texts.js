/* Texts of the lab as parts of the page: prose from its files, and what a command has written to a terminal. */
'use strict';

const by = id => document.getElementById(id);

function element(name, properties, ...children) {
    const e = Object.assign(document.createElement(name), properties);
    e.append(...children);
    return e;
}

/* Returns the words of a line, those between backticks as code. */
const spans = line => line.split('`').map((part, i) => i % 2 ? element('code', { textContent: part }) : part);

/* Returns paragraphs as the lab's files write them: a dash begins an item, and a blank begins a line of code. */
function prose(text) {
    const out = document.createDocumentFragment();
    let open = null;
    for (const line of text.split('\n')) {
        if (line.trim() === '') {
            open = null;
        } else if (line.startsWith(' ')) {
            if (open?.tagName !== 'PRE')
                out.append(open = element('pre'));
            open.append(line.replace(/^ {1,4}/, '') + '\n');
        } else if (line.startsWith('- ')) {
            if (out.lastChild?.tagName !== 'UL')
                out.append(element('ul'));
            out.lastChild.append(open = element('li', {}, ...spans(line.slice(2))));
        } else if (open !== null && open.tagName !== 'PRE') {
            open.append(' ', ...spans(line));
        } else {
            out.append(open = element('p', {}, ...spans(line)));
        }
    }
    return out;
}

/* Returns what a terminal would show: colours, and a button for each number of a line, which does what `at(line)`
   returns. */
function terminal(text, at) {
    const out = document.createDocumentFragment();
    const own = text.replace(/\s+\(\S*rungs lab explain \S+\)/g, ''); /* a button does it here */
    let colour = '';
    for (const part of own.split(/(\x1b\[\d*m)/)) {
        const sequence = /^\x1b\[(\d*)m$/.exec(part);
        if (sequence) {
            colour = sequence[1] > 0 ? 'c' + sequence[1] : '';
            continue;
        }
        const span = element('span', { className: colour });
        for (const piece of part.split(/(\blines?\s+\d+|\.cu?:\d+)/)) {
            const line = Number(/^(?:lines?\s+|\.cu?:)(\d+)$/.exec(piece)?.[1] ?? 0);
            if (line > 0) {
                span.append(element('button', { textContent: piece, onclick: at(line) }));
            } else {
                span.append(piece);
            }
        }
        out.append(span);
    }
    return out;
}

/* Returns how many letters of a terminal fit beside each other into the box. */
function columns(box) {
    const ruler = element('span', { textContent: 'm'.repeat(40) });
    const before = [...box.childNodes];
    box.replaceChildren(ruler);
    const style = getComputedStyle(box);
    const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const fit = Math.floor(room / (ruler.getBoundingClientRect().width / 40));
    box.replaceChildren(...before);
    return Math.min(Math.max(fit, 40), 100);
}
