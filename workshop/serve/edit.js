/* A plain editor: a textarea with line numbers, indentation, and marks at lines. */
'use strict';

/* Returns { set(text), mark(lines), go(line) }.  Calls `changed` after each change. */
function editor(area, numbers, changed) {
    const step = 4, blanks = count => ' '.repeat(count);
    let leaving = false; /* Escape was pressed: the next Tab moves on to the next field */
    let busy = false; /* what is inserted here is not to be changed once more */

    /* --- line numbers ----------------------------------------------------------------------------- */
    function count() {
        const lines = area.value.split('\n').length;
        while (numbers.children.length > lines)
            numbers.lastChild.remove();
        for (let i = numbers.children.length; i < lines; i++)
            numbers.append(Object.assign(document.createElement('li'), { textContent: i + 1 }));
        numbers.scrollTop = area.scrollTop;
    }

    area.addEventListener('scroll', () => { numbers.scrollTop = area.scrollTop; });
    area.addEventListener('input', () => { count(); changed(); });

    /* --- changing text, so that the browser can undo it ---------------------------------------------- */
    function replace(from, to, text) {
        busy = true;
        area.setSelectionRange(from, to);
        const done = text === '' ? from === to || document.execCommand('delete')
            : document.execCommand('insertText', false, text);
        if (!done) { /* the browser has no such command */
            area.setRangeText(text, from, to, 'end');
            area.dispatchEvent(new Event('input'));
        }
        busy = false;
    }

    const lineStart = at => area.value.lastIndexOf('\n', at - 1) + 1;

    /* Indents all lines that are selected, or takes that away. */
    function shift(back) {
        const from = lineStart(area.selectionStart), to = area.selectionEnd;
        const lines = area.value.slice(from, to).split('\n');
        const text = lines.map(line => back ? line.replace(/^( {1,4}|\t)/, '') : blanks(step) + line).join('\n');
        replace(from, to, text);
        area.setSelectionRange(from, from + text.length);
    }

    function tab(back) {
        const at = area.selectionStart, start = lineStart(at);
        const several = area.value.slice(at, area.selectionEnd).includes('\n');
        if (back && !several) {
            const blank = /^( {1,4}|\t)/.exec(area.value.slice(start));
            if (blank) {
                replace(start, start + blank[0].length, '');
                area.setSelectionRange(Math.max(start, at - blank[0].length), Math.max(start, at - blank[0].length));
            }
        } else if (several) {
            shift(back);
        } else {
            replace(at, area.selectionEnd, blanks(step - (at - start) % step));
        }
    }

    /* A new line begins like the one before; one step further behind {. */
    function newLine() {
        const at = area.selectionStart, before = area.value.slice(lineStart(at), at);
        const indent = /^[ \t]*/.exec(before)[0], opens = /\{\s*$/.test(before);
        const closes = opens && area.value[area.selectionEnd] === '}';
        replace(at, area.selectionEnd, '\n' + indent + (opens ? blanks(step) : '') + (closes ? '\n' + indent : ''));
        if (closes) {
            const inside = at + 1 + indent.length + step;
            area.setSelectionRange(inside, inside);
        }
    }

    /* A } that is the first of its line goes back one step. */
    function close() {
        const at = area.selectionStart, start = lineStart(at), before = area.value.slice(start, at);
        const indent = /^\s+$/.test(before) ? Math.max(0, before.length - step) : before.length;
        replace(start + indent, area.selectionEnd, '}');
    }

    area.addEventListener('keydown', event => {
        if (event.key === 'Escape') {
            leaving = true;
        } else if (event.key === 'Tab' && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            tab(event.shiftKey);
        } else if (event.key !== 'Shift') {
            leaving = false;
        }
    });

    /* Unlike keys, this event also comes from keyboards on a screen. */
    area.addEventListener('beforeinput', event => {
        if (busy || event.isComposing)
            return;
        if (event.inputType === 'insertLineBreak') {
            event.preventDefault();
            newLine();
        } else if (event.inputType === 'insertText' && event.data === '}') {
            event.preventDefault();
            close();
        }
    });

    return {
        set(text) {
            area.value = text;
            area.setSelectionRange(0, 0);
            area.scrollTop = area.scrollLeft = 0;
            count();
        },
        mark(lines) {
            [...numbers.children].forEach((item, i) => item.classList.toggle('bad', lines.includes(i + 1)));
        },
        go(line) {
            const lines = area.value.split('\n'), from = lines.slice(0, line - 1).join('\n').length + (line > 1);
            area.focus();
            area.setSelectionRange(from, from + (lines[line - 1] || '').length);
            area.scrollTop = (line - 1) * numbers.firstChild.getBoundingClientRect().height - area.clientHeight / 3;
        },
    };
}
