// Bars: parts of a whole, a row each.

import {drawing, element} from './dom.js';
import {LINES} from './theme.js';

const WIDTH = 100;
const MOST = 1.5; // of the whole: what is beyond it goes over its end

const colourOf = (part) => `var(--line-${part % LINES + 1})`;

function barOf({name, value, until}) {
	const parts = until.map((end, part) => ({part, from: part ? until[part - 1] : 0, end}))
		.filter(({from, end}) => end > from);
	return [element('dt', {}, name), element('dd', {}, drawing('svg', {viewBox: `0 0 ${WIDTH} 4`,
		preserveAspectRatio: 'none', 'aria-hidden': 'true'}, parts.map(({part, from, end}) =>
		drawing('rect', {x: from * WIDTH, y: 0, width: (Math.min(end, MOST) - from) * WIDTH, height: 4,
			fill: colourOf(part)}))), element('span', {}, value))];
}

export function bars({title, parts, bars: rows}) {
	return element('div', {class: 'bars'}, element('p', {class: 'note'}, title),
		element('ul', {class: 'legend'}, parts.map((name, part) => element('li', {},
			drawing('svg', {width: 14, height: 10, 'aria-hidden': 'true'},
				drawing('rect', {width: 14, height: 10, fill: colourOf(part)})), ` ${name}`))),
		element('dl', {}, rows.map(barOf)));
}
