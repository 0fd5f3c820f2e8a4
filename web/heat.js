// A heat map of a core-to-core matrix: a picture on a canvas, what is pointed at in words, and the
// numbers in a table. Its rows and columns are CPUs in the order of the classes found.

import {element, identifier} from './dom.js';
import {table} from './tables.js';
import {colours, watchTheme} from './theme.js';

const MOST_PIXELS = 640;
const MOST_TABLE = 64; // CPUs

// The channels of "#rrggbb".
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function mix(from, to, share) {
	const [a, b] = [channels(from), channels(to)];
	return `rgb(${a.map((value, index) => Math.round(value + (b[index] - value) * share)).join(' ')})`;
}

// Values and texts are of the lower triangle, row after row.
const placeOf = (row, column) => (row > column ? row * (row - 1) / 2 + column
	: column * (column - 1) / 2 + row);
const valueOf = ({values}, row, column) => (row === column ? null : values[placeOf(row, column)]);
const textOf = ({texts}, row, column) => (row === column ? '' : texts[placeOf(row, column)]);

function shareOf({least, greatest}, value) {
	return greatest > least ? Math.log(value / least) / Math.log(greatest / least) : 0;
}

function paint(canvas, matrix) {
	const {cpus, begins} = matrix;
	const side = Math.min(MOST_PIXELS, canvas.parentNode.clientWidth);
	if (side < 40)
		return;
	const palette = colours();
	const cell = side * devicePixelRatio / cpus.length;
	canvas.width = canvas.height = Math.round(side * devicePixelRatio);
	canvas.style.width = canvas.style.height = `${side}px`;
	const pen = canvas.getContext('2d');
	const edge = (index) => Math.round(index * cell);
	for (let row = 0; row < cpus.length; row++)
		for (let column = 0; column < cpus.length; column++) {
			const value = valueOf(matrix, row, column);
			pen.fillStyle = value === null ? palette.paper
				: mix(palette.grid, palette.lines[0], shareOf(matrix, value));
			pen.fillRect(edge(column), edge(row), edge(column + 1) - edge(column),
				edge(row + 1) - edge(row));
		}
	pen.fillStyle = palette.text;
	begins.forEach((begin, index) => {
		if (!begin)
			return;
		pen.fillRect(edge(index), 0, 1, canvas.height);
		pen.fillRect(0, edge(index), canvas.width, 1);
	});
}

function tableOf(title, matrix) {
	const {cpus} = matrix;
	return table(title, [{label: 'CPU'}, ...cpus.map((cpu) => ({label: String(cpu), numeric: true}))],
		cpus.map((cpu, row) => [String(cpu), ...cpus.map((_, column) => textOf(matrix, row, column))]));
}

export function heat({title, matrix, y}) {
	const {cpus, least_text: least, greatest_text: greatest} = matrix;
	const canvas = element('canvas');
	const place = element('div', {class: 'plot', role: 'group'}, canvas);
	const heard = element('p', {class: 'note'});
	const name = element('figcaption', {id: identifier('chart')}, element('strong', {}, title),
		element('span', {class: 'unit'}, ` ${y.label}, ${y.unit}`));
	const scale = `Rows and columns are CPUs in the order of the groups; from ${least} (faint) to ` +
		`${greatest} ${y.unit} (full), by the logarithm.`;
	const draw = () => paint(canvas, matrix);
	place.setAttribute('aria-labelledby', name.id);
	canvas.addEventListener('pointermove', ({offsetX, offsetY}) => {
		const at = (pixels) => Math.min(cpus.length - 1, Math.max(0,
			Math.floor(pixels / canvas.clientWidth * cpus.length)));
		const [row, column] = [at(offsetY), at(offsetX)];
		const text = textOf(matrix, row, column);
		heard.textContent = text
			? `CPU ${cpus[row]} and CPU ${cpus[column]}: ${text} ${y.unit}` : scale;
	});
	canvas.addEventListener('pointerleave', () => { heard.textContent = scale; });
	heard.textContent = scale;
	new ResizeObserver(draw).observe(place);
	watchTheme(draw);
	return element('figure', {class: 'chart'}, name, place, heard, element('details', {class: 'data'},
		element('summary', {}, 'The numbers'), cpus.length <= MOST_TABLE ? tableOf(title, matrix)
			: element('p', {class: 'note'}, `There are ${cpus.length} rows of them: see Data.`)));
}
