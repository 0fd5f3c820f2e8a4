// A heat map: a picture on a canvas, what is pointed at in words, and the numbers in a table. Rows and
// columns are CPUs in the order of the classes found; or a matrix has columns of its own, and says
// what they and the rows are.

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

// Values and texts stand row after row; without columns of the lower triangle.
function placeOf({columns}, row, column) {
	if (columns)
		return row * columns.length + column;
	return row > column ? row * (row - 1) / 2 + column : column * (column - 1) / 2 + row;
}
const isEmpty = ({columns}, row, column) => !columns && row === column;
const valueOf = (matrix, row, column) => (isEmpty(matrix, row, column) ? null
	: matrix.values[placeOf(matrix, row, column)]);
const textOf = (matrix, row, column) => (isEmpty(matrix, row, column) ? ''
	: matrix.texts[placeOf(matrix, row, column)]);

function shareOf({least, greatest}, value) {
	return greatest > least ? Math.log(value / least) / Math.log(greatest / least) : 0;
}

function paint(canvas, matrix) {
	const {cpus, begins, columns = cpus} = matrix;
	const side = Math.min(MOST_PIXELS, canvas.parentNode.clientWidth);
	if (side < 40)
		return;
	const palette = colours();
	const most = Math.max(cpus.length, columns.length);
	const cell = side * devicePixelRatio / most;
	canvas.width = Math.round(columns.length * cell);
	canvas.height = Math.round(cpus.length * cell);
	canvas.style.width = `${side * columns.length / most}px`;
	canvas.style.height = `${side * cpus.length / most}px`;
	const pen = canvas.getContext('2d');
	const edge = (index) => Math.round(index * cell);
	for (let row = 0; row < cpus.length; row++)
		for (let column = 0; column < columns.length; column++) {
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
	const {cpus, columns = cpus} = matrix;
	return table(title, [{label: matrix.row}, ...columns.map((name) => ({label: String(name), numeric: true}))],
		cpus.map((cpu, row) => [String(cpu),
			...columns.map((_, column) => textOf(matrix, row, column))]));
}

export function heat({title, matrix, y}) {
	const {cpus, columns = cpus, least_text: least, greatest_text: greatest} = matrix;
	const canvas = element('canvas');
	const place = element('div', {class: 'plot', role: 'group'}, canvas);
	const heard = element('p', {class: 'note'});
	const name = element('figcaption', {id: identifier('chart')}, element('strong', {}, title),
		element('span', {class: 'unit'}, ` ${y.label}, ${y.unit}`));
	const {row: rowName, column: columnName, unit} = matrix;
	const scale = `${matrix.rows}; from ${least} (faint) to ${greatest} ${unit} (full), by the logarithm.`;
	const draw = () => paint(canvas, matrix);
	place.setAttribute('aria-labelledby', name.id);
	canvas.addEventListener('pointermove', ({offsetX, offsetY}) => {
		const at = (share, count) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
		const row = at(offsetY / canvas.clientHeight, cpus.length);
		const column = at(offsetX / canvas.clientWidth, columns.length);
		const text = textOf(matrix, row, column);
		const words = `${rowName} ${cpus[row]}, ${columnName} ${columns[column]}`;
		heard.textContent = text ? `${words}: ${text} ${unit}` : scale;
	});
	canvas.addEventListener('pointerleave', () => { heard.textContent = scale; });
	heard.textContent = scale;
	new ResizeObserver(draw).observe(place);
	watchTheme(draw);
	return element('figure', {class: 'chart'}, name, place, heard, element('details', {class: 'data'},
		element('summary', {}, 'The numbers'), cpus.length <= MOST_TABLE ? tableOf(title, matrix)
			: element('p', {class: 'note'}, `There are ${cpus.length} rows of them: see Data.`)));
}
