// Tables that say what they hold: a caption, headings with units, numbers under each other.

import {element} from './dom.js';

function headCell({label, unit, numeric}) {
	return element('th', {scope: 'col', class: numeric ? 'numeric' : null}, label,
		unit ? element('span', {class: 'unit'}, ` ${unit}`) : null);
}

// What a cell shows is a string or a node.
function bodyCell(value, column, first) {
	const attributes = {class: column.numeric ? 'numeric' : null, scope: first ? 'row' : null};
	return element(first ? 'th' : 'td', attributes, value ?? '');
}

// columns: {label, unit, numeric}; rows: arrays of as many cells, the first of which names the row.
export function table(caption, columns, rows) {
	const made = element('table', {},
		element('caption', {}, element('span', {}, caption)),
		element('thead', {}, element('tr', {}, columns.map(headCell))),
		element('tbody', {}, rows.map((row) => element('tr', {},
			row.map((value, index) => bodyCell(value, columns[index], index === 0))))));
	return element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
		made);
}

// Pairs of a name and what belongs to it; those without are left out.
export function facts(pairs) {
	return element('dl', {class: 'facts'}, pairs
		.filter(([, value]) => value !== null && value !== undefined && value !== '')
		.map(([name, value]) => element('div', {}, element('dt', {}, name),
			element('dd', {}, value))));
}
