/* The exercises in a browser: shows one, saves the learner's file, and shows what `rungs lab` says about it. */
'use strict';
(() => {
    let exercise = null; /* the one that is shown, as "rungs lab data NN" has it */
    let saved = ''; /* its text in the learner's file, as far as this page knows */
    let runs = 0, running = 0; /* number of the last run, and of the one whose verdict is awaited */

    const two = number => String(number).padStart(2, '0');
    const code = editor(by('code'), by('numbers'), showSaved);
    const changed = () => exercise !== null && by('code').value !== saved;

    function help(heading, ...parts) {
        by('help').replaceChildren(element('h3', { textContent: heading }), ...parts);
        by('help').scrollIntoView({ block: 'nearest' });
    }

    /* --- what is shown ------------------------------------------------------------------------------ */
    function starsOf(e) {
        const won = (e.stars.match(/\*/g) || []).length;
        return element('span', {
            className: 'stars', textContent: e.stars.replaceAll('*', '\u2605').replaceAll('.', '\u2606'),
            role: 'img', ariaLabel: `${won} of ${e.stars.length} stars`,
        });
    }

    function showSaved() {
        by('saved').textContent = changed() ? 'not saved' : '';
        by('judge').disabled = running > 0 && !changed();
    }

    async function showList() {
        const all = await askJson('exercises');
        if (all === null)
            return null;
        const track = all.filter(e => e.track === (exercise?.track ?? ''));
        by('passed').textContent = `${track.filter(e => e.passed).length} of ${track.length} passed`;
        by('exercises').replaceChildren(...all.flatMap((e, i) => {
            const link = element('a', { href: '#' + two(e.number) }, two(e.number), element('span', { textContent: e.title }),
                element('small', { textContent: `${e.minutes} min` }), starsOf(e));
            if (e.number === exercise?.number)
                link.ariaCurrent = 'true';
            const begins = i > 0 && e.track !== all[i - 1].track;
            return [...begins ? [element('li', { className: 'track', textContent: e.track })] : [], element('li', {}, link)];
        }));
        return all;
    }

    /* What a verdict or a hint may have changed. */
    function showState() {
        by('stars').replaceChildren(starsOf(exercise));
        by('about').textContent = `${exercise.problem}, ${exercise.minutes} minutes` +
            (exercise.passed ? ', passed' : '');
        by('hint').textContent = exercise.hints < exercise.levels
            ? `Hint ${exercise.hints + 1} of ${exercise.levels}` : `Hint ${exercise.levels}`;
        by('hint').classList.remove('sure');
        by('explain').hidden = exercise.page === '';
        by('gpu').hidden = !exercise.gpu;
        for (const id of ['next', 'compare', 'keep', 'extra'])
            by(id).hidden = !exercise.passed;
    }

    function show(data) {
        exercise = data;
        runs++; /* a verdict that is still awaited is another exercise's, or on another text */
        running = 0;
        saved = data.text;
        document.title = `${two(data.number)} ${data.title} - Rungs workshop`;
        by('title').textContent = `${two(data.number)} ${data.title}`;
        by('story').replaceChildren(prose(data.story));
        by('task').replaceChildren(prose(data.task));
        for (const id of ['now', 'goal', 'why'])
            by(id).textContent = data[id];
        by('file').textContent = data.file;
        code.set(data.text);
        by('verdict').replaceChildren();
        by('verdict').ariaBusy = 'false';
        by('help').replaceChildren();
        alarm(...(data.notice ? [data.notice] : []));
        showState();
        showSaved();
    }

    async function open(number) {
        const data = await askJson(two(number));
        if (data === null)
            return;
        show(data);
        by('list').open = false;
        showList();
    }

    /* Looks again at the state, but leaves the text alone. */
    async function refresh() {
        const before = exercise.version, data = await askJson(two(exercise.number));
        if (data === null || data.number !== exercise.number || exercise.version !== before)
            return; /* another is shown now, or it was saved since: the answer may be older than that */
        if (data.version !== exercise.version && !changed()) {
            show(data); /* it was changed in another window, or with another editor */
        } else {
            exercise = { ...data, version: exercise.version };
            showState();
        }
        showList();
    }

    /* --- saving and judging --------------------------------------------------------------------------- */
    async function save() {
        const text = by('code').value, number = exercise.number;
        const answer = await ask('PUT', `${two(number)}?version=${exercise.version}`, text);
        if (answer.status === 412) {
            alarm('This file was changed somewhere else since you have opened it here. ',
                element('button', { textContent: 'Show that version', onclick: () => open(number) }), ' ',
                element('button', { textContent: 'Replace it by mine', onclick: replace }));
            return false;
        }
        if (answer.status !== 200) {
            if (answer.status !== 0)
                alarm(answer.text);
            return false;
        }
        exercise.version = answer.text.trim();
        saved = text;
        alarm();
        showSaved();
        return true;
    }

    async function replace() {
        const data = await askJson(two(exercise.number));
        if (data !== null) {
            exercise.version = data.version;
            judge();
        }
    }

    async function judge(gpu = '') {
        if (exercise === null || (running > 0 && !changed()))
            return;
        if (!changed())
            await refresh(); /* another window may have changed the file: what is judged is what is shown */
        else if (!await save())
            return;
        by('verdict').ariaBusy = 'true';
        const mine = running = ++runs;
        showSaved();
        code.mark([]);
        by('verdict').textContent = 'please wait ...';
        by('help').replaceChildren();
        const answer = await ask('POST', `${two(exercise.number)}/run?columns=${columns(by('verdict'))}${gpu}`);
        if (mine !== runs) /* a newer version is being judged */
            return;
        running = 0;
        const lines = [];
        by('verdict').replaceChildren(answer.status !== 0 ? terminal(answer.text.trimEnd(), line => {
            lines.push(line);
            return () => code.go(line);
        }) : '');
        code.mark(lines);
        by('verdict').scrollIntoView({ block: 'nearest' });
        showSaved();
        await refresh();
        if (mine === runs)
            by('verdict').ariaBusy = 'false';
    }

    /* --- the other buttons ---------------------------------------------------------------------------- */
    /* Shows what a command says.  A second press confirms what `question` asks first. */
    async function say(button, heading, path, question) {
        if (question && !button.classList.contains('sure')) {
            button.classList.add('sure');
            button.textContent = question;
            return null;
        }
        button.classList.remove('sure');
        const answer = await ask('POST', `${two(exercise.number)}/${path}columns=${columns(by('verdict'))}`);
        if (answer.status !== 0)
            help(heading, element('pre', {}, terminal(answer.text.trimEnd(), line => () => code.go(line))));
        return answer;
    }

    by('judge').onclick = () => judge();
    by('gpu').onclick = () => judge('&gpu=1');
    by('hint').onclick = async () => {
        const level = Math.min(exercise.hints + 1, exercise.levels);
        const last = level === exercise.levels && exercise.hints < level && !exercise.passed;
        if (await say(by('hint'), 'Hint', `hint?level=${level}&`, last && 'It shows the solution. Press again'))
            await refresh();
    };
    by('explain').onclick = () => help(exercise.words, prose(exercise.page));
    by('extra').onclick = () => help('One more task', prose(exercise.extra));
    by('compare').onclick = () => say(by('compare'), 'Yours and the solution', 'compare?');
    by('keep').onclick = () => say(by('keep'), 'A variant', 'keep?');
    by('reset').onclick = async () => {
        const answer = await say(by('reset'), 'Start again', 'reset?', 'Your version is kept. Press again');
        if (answer === null)
            return;
        by('reset').textContent = 'Start again';
        const data = await askJson(two(exercise.number));
        if (data !== null) {
            const said = [...by('help').childNodes];
            show(data);
            by('help').replaceChildren(...said);
        }
    };
    by('next').onclick = async () => {
        const all = await showList();
        const at = all?.findIndex(e => e.number === exercise.number);
        if (all)
            location.hash = two(all[(at + 1) % all.length].number);
    };

    /* --- the window ------------------------------------------------------------------------------------- */
    addEventListener('keydown', event => {
        if ((event.ctrlKey || event.metaKey) && (event.key === 'Enter' || event.key === 's')) {
            event.preventDefault();
            judge();
        }
    });
    addEventListener('beforeunload', event => {
        if (changed())
            event.preventDefault();
    });
    addEventListener('focus', () => {
        if (exercise !== null && running === 0)
            refresh();
    });
    addEventListener('hashchange', async () => {
        const number = Number(location.hash.slice(1));
        if (!(number > 0) || number === exercise?.number)
            return;
        if (!changed() || await save()) /* what was typed is not lost */
            open(number);
        else
            history.replaceState(null, '', '#' + two(exercise.number));
    });

    async function begin() {
        const all = await showList();
        const asked = Number(location.hash.slice(1));
        const first = all?.find(e => e.number === asked) ?? all?.find(e => e.current);
        if (first)
            await open(first.number);
    }
    begin();
})();
