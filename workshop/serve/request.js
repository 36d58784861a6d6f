/* Requests to the server, and the line that says what went wrong. */
'use strict';

function alarm(...parts) {
    by('alarm').hidden = parts.length === 0;
    by('alarm').replaceChildren(...parts);
}

/* Every address is relative to the page's own, which has the token. */
async function ask(method, path, body) {
    try {
        const answer = await fetch(path, { method, body, cache: 'no-store' });
        return { status: answer.status, text: await answer.text() };
    } catch {
        alarm('The server does not answer. Is "build-sim/rungs lab serve" still running? Your text is still in this window.');
        return { status: 0, text: '' };
    }
}

async function askJson(path) {
    const answer = await ask('GET', path);
    if (answer.status === 200)
        return JSON.parse(answer.text);
    if (answer.status !== 0)
        alarm(answer.text);
    return null;
}
