// The names of the curves: what each is drawn with, a button to hide it, and what it is worth where
// the reader points.

import {drawing, element} from './dom.js';
import {DASHES, SIGN_COUNT} from './marks.js';
import {LINES} from './theme.js';

function sample(series) {
	const colour = `var(--line-${series.colour % LINES + 1})`;
	const line = drawing('line', {x1: 0, y1: 6, x2: 28, y2: 6, stroke: colour,
		'stroke-width': series.width,
		'stroke-dasharray': DASHES[series.dash % DASHES.length].join(' ') || null});
	const shapes = [
		() => drawing('circle', {cx: 14, cy: 6, r: 3.2, fill: colour}),
		() => drawing('rect', {x: 11, y: 3, width: 6, height: 6, fill: colour}),
		() => drawing('path', {d: 'M14 2 18 9 10 9Z', fill: colour}),
		() => drawing('path', {d: 'M14 1.5 18.5 6 14 10.5 9.5 6Z', fill: colour}),
		() => drawing('path', {d: 'M14 10 18 3 10 3Z', fill: colour}),
	];
	return drawing('svg', {width: 28, height: 12, viewBox: '0 0 28 12', 'aria-hidden': 'true'},
		line, !series.signs ? null : shapes[series.sign % SIGN_COUNT]());
}

// Returns {node, show(texts)}: texts are of the series, in their order, or null for none.
export function legend(series, hidden, change) {
	const values = series.map(() => element('span', {class: 'value'}));
	const items = series.map((one, index) => {
		const made = element('button', {type: 'button',
			'aria-pressed': String(!hidden.has(one.name))}, sample(one),
			element('span', {}, one.name), values[index]);
		made.addEventListener('click', () => {
			if (!hidden.delete(one.name))
				hidden.add(one.name);
			change(one.name);
		});
		return element('li', {}, made);
	});
	return {
		node: element('ul', {class: 'legend', 'aria-label': 'Curves: press to hide or show'}, items),
		focus: (name) => items[series.findIndex((one) => one.name === name)]
			?.firstChild.focus(),
		show: (texts) => values.forEach((value, index) => {
			value.textContent = texts?.[index] ?? '';
		}),
	};
}
