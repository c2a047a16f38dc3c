'use strict';

const SHORTEST = 15000;
const LONGEST = 60000;
const WHO = ['filter', 'sentinel', 'cache', 'database'];

const element = (id) => document.getElementById(id);
const say = (id, text) => { element(id).textContent = text; };
const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

const number = (value) => value > 0 && value < 10 && value % 1 ? value.toFixed(1) : whole.format(value);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
const milliseconds = (micros) => micros === null ? '–' : (micros < 10000 ? (micros / 1000).toFixed(1) : number(micros / 1000)) + ' ms';

/** What was measured, the newest last. */
const samples = [];
let before;
let timer;
let asking = false;

function strong(text) {
	const element = document.createElement('strong');
	element.textContent = text;
	return element;
}

function rates(now) {
	// over a second at least, so that the figures can be read
	const from = [...samples].reverse().find((sample) => now.at - sample.at >= 900) || samples[0];
	const passed = from ? (now.at - from.at) / 1000 : 0;
	const per = (count) => passed > 0 ? Math.max(0, (count(now) - count(from)) / passed) : 0;
	const answers = Object.fromEntries(WHO.map((who) => [who, per((sample) => sample.answers[who])]));
	return { answers, requests: WHO.reduce((sum, who) => sum + answers[who], 0), queries: per((sample) => sample.queries) };
}

function take(figures) {
	const now = { ...figures, at: Date.parse(figures.time), running: figures.rate !== null };
	if (samples.length && now.at <= samples[samples.length - 1].at) {
		return;
	}
	now.per = rates(now);
	samples.push(now);
	while (samples[0].at < now.at - LONGEST - 2000) {
		samples.shift();
	}
	if (now.running && (!before || before.guarded !== now.guarded)) {
		before = { guarded: now.guarded, redisBytes: now.redisBytes };
		say('news', now.guarded ? 'Attacked, with the guard.' : 'Attacked, without the guard.');
	}
	else if (!now.running && before) {
		before = undefined;
		say('news', 'The attack is over.');
	}
	controls(now);
	story(now);
	tiles(now);
	who(now);
	chart(now);
}

function controls(now) {
	const button = element('attack');
	button.textContent = now.running ? 'Stop' : 'Attack';
	button.classList.toggle('stop', now.running);
	say('left', now.running ? `stops by itself in ${now.secondsLeft} s` : '');
}

function story(now) {
	const { requests, queries } = now.per;
	const text = element('story');
	const tell = (...words) => {
		const span = document.createElement('span');
		span.append(...words);
		text.replaceChildren(span);
	};
	text.className = now.running && !now.guarded ? 'off' : '';
	if (!now.running) {
		if (samples.some((sample) => sample.running)) {
			tell('The attack is over. Try it with the guard ', strong(chosen('guard') === 'on' ? 'off' : 'on'), '.');
		}
	}
	else if (requests < 1) {
		tell('The first requests are under way …');
	}
	else if (now.guarded) {
		tell('With the guard, ', strong(`${number(queries)} of ${number(requests)}`), ' requests a second reach the database: the filter knows which products do not exist.');
	}
	else {
		const grown = now.redisBytes - before.redisBytes;
		tell('Without it, ', strong(`${number(queries)} of ${number(requests)}`), ' requests a second reach the database, and each leaves an empty entry in Redis', ...(grown > 50000 ? [': ', strong(`${megabytes(grown)} more`), ' so far.'] : ['.']));
	}
}

function tiles(now) {
	const { requests, queries } = now.per;
	say('requests', number(requests));
	say('requests-note', now.running ? `of ${number(now.rate)} that were wanted` : 'nobody attacks');
	say('queries', number(queries));
	element('queries').classList.toggle('alarm', queries >= 10 && queries > requests / 4);
	say('queries-note', requests >= 1 ? `reach the database: ${number(100 * Math.min(1, queries / requests))} %` : 'reach the database');
	say('memory', megabytes(now.redisBytes));
	const grown = before ? now.redisBytes - before.redisBytes : 0;
	const change = Math.abs(grown) < 50000 ? 'unchanged' : (grown < 0 ? '−' : '+') + megabytes(Math.abs(grown));
	say('memory-note', before ? `${change} since the guard is ${before.guarded ? 'on' : 'off'}` : 'used');
	say('latency', milliseconds(now.medianMicros));
	say('latency-note', now.slowMicros === null ? 'median' : `median; the slowest of 100 took ${milliseconds(now.slowMicros)}`);
}

function who(now) {
	WHO.forEach((name) => {
		say(name, number(now.per.answers[name]) + '/s');
		element('bar').querySelector('.' + name).style.width = (now.per.requests ? 100 * now.per.answers[name] / now.per.requests : 0) + '%';
	});
}

function shape(name, attributes) {
	const shape = document.createElementNS('http://www.w3.org/2000/svg', name);
	Object.entries(attributes).forEach(([key, value]) => shape.setAttribute(key, value));
	return shape;
}

function chart(now) {
	const group = document.querySelector('.chart g');
	const highest = Math.max(1, ...samples.map(({ per }) => Math.max(per.requests, per.queries)));
	const power = Math.pow(10, Math.floor(Math.log10(highest)));
	const top = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= highest);
	const first = samples.find((sample) => sample.running) || now;
	const span = Math.min(LONGEST, Math.max(SHORTEST, now.at - first.at + 1500));
	const x = (at) => (600 * (1 - (now.at - at) / span)).toFixed(1);
	const y = (value) => (219 - 208 * value / top).toFixed(1);
	const shapes = [];
	samples.forEach((sample, i) => {
		const next = samples[i + 1];
		if (next && next.running && !next.guarded) {
			shapes.push(shape('rect', { x: x(sample.at), y: 0, width: (x(next.at) - x(sample.at) + .5).toFixed(1), height: 220 }));
		}
	});
	const area = (kind, value) => shape('path', { class: kind, d: `M${x(samples[0].at)} 221L` + samples.map((sample) => x(sample.at) + ' ' + y(value(sample.per))).join('L') + `L${x(now.at)} 221Z` });
	shapes.push(area('requests', (per) => per.requests), area('database', (per) => per.queries));
	group.replaceChildren(...shapes);
	const quiet = !samples.some((sample) => sample.per.requests || sample.per.queries);
	element('top').hidden = quiet;
	element('none').hidden = !quiet;
	say('begin', `${number(span / 1000)} s ago`);
	say('top', number(top) + '/s');
	document.querySelector('.chart svg').setAttribute('aria-label', quiet ? 'Nothing has happened yet' : `In the last minute up to ${number(highest)} requests a second came in. Now: ${number(now.per.requests)} requests, ${number(now.per.queries)} queries.`);
}

async function send(method, path, body) {
	const response = await fetch('demo' + path, { method, headers: body ? { 'Content-Type': 'application/json' } : {}, body: body && JSON.stringify(body), cache: 'no-store' });
	if (!response.ok) {
		throw new TypeError('The application answered ' + response.status);
	}
	return response.json();
}

async function ask(method, path, body) {
	try {
		take(await send(method, path, body));
		element('trouble').hidden = true;
	}
	catch (failure) {
		if (!(failure instanceof TypeError)) {
			throw failure;
		}
		element('trouble').hidden = false;
	}
}

async function poll() {
	clearTimeout(timer);
	if (!asking) {
		asking = true;
		await ask('GET', '').finally(() => { asking = false; });
	}
	if (!document.hidden) {
		timer = setTimeout(poll, 500);
	}
}

const running = () => samples.length && samples[samples.length - 1].running;
const start = () => ask('POST', '/attack', { rate: Number(chosen('rate')), guarded: chosen('guard') === 'on' });

element('attack').addEventListener('click', () => running() ? ask('DELETE', '/attack') : start());
document.querySelectorAll('input').forEach((input) => input.addEventListener('change', () => running() && start()));
document.addEventListener('visibilitychange', () => document.hidden || poll());
poll();
