// Each number of a fleet by group: a histogram in which every dot is a node. A click says who it is.

import {drawing, element, identifier} from './dom.js';
import {LINES} from './theme.js';

const WIDTH = 720;
const HEIGHT = 150;
const BINS = 90;
const EDGE = 8;

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
// A host is any text: its page stays in this folder.
const pageOf = (host) => `./${host.replaceAll('/', '_')}.html`;

// The nodes of a group that have the number.
function dotsOf(fleet, group, which) {
	return fleet.nodes.filter((node) => node.group === group && node.deviations[which] !== null)
		.map((node) => ({node, deviation: node.deviations[which], shown: node.shown[which]}));
}

// In bins along the deviation, one above the other; what is beyond the reach stands at the edge.
function placed(dots, reach) {
	const share = (deviation) => Math.max(-1, Math.min(1, deviation / reach));
	const stacks = new Map();
	const tallest = () => Math.max(1, ...stacks.values());
	const rows = dots.map((dot) => {
		const bin = Math.round((share(dot.deviation) + 1) / 2 * BINS);
		const row = stacks.get(bin) ?? 0;
		stacks.set(bin, row + 1);
		return {...dot, bin, row};
	});
	const step = Math.min((WIDTH - 2 * EDGE) / BINS, (HEIGHT - 2 * EDGE) / tallest());
	return {radius: Math.max(0.6, step / 2), dots: rows.map((dot) => ({...dot,
		x: EDGE + dot.bin / BINS * (WIDTH - 2 * EDGE), y: HEIGHT - EDGE - (dot.row + 0.5) * step}))};
}

// Who it is, what deviates, and the command that shows its report.
function describe(fleet, {node, shown}, {words}) {
	const outlier = fleet.outliers.find((one) => fleet.nodes[one.node] === node);
	return [element('p', {}, element('strong', {}, node.host), `, group ${fleet.groups[node.group].called}: ${words} `,
		shown, `; ${node.state}`, node.reason ? `: ${node.reason}` : ''),
	outlier ? element('p', {}, `Likeliest cause: ${outlier.cause}. `,
		'On the node: ', element('code', {}, outlier.command ?? '')) : null,
	node.file ? element('p', {}, 'Its report: ', element('code', {},
		`fathom report ${shellQuoted(node.file)} -o ${shellQuoted(pageOf(node.host))}`)) : null];
}

function histogram(fleet, group, which, told) {
	const {called, numbers: {[which]: number}} = fleet.groups[group];
	const {radius, dots} = placed(dotsOf(fleet, group, which), number.reach);
	const colour = `var(--line-${group % LINES + 1})`;
	const tell = (dot) => told.replaceChildren(...describe(fleet, dot, number).filter(Boolean));
	const shapes = dots.map((dot) => {
		const odd = dot.node.state === 'outlier';
		const shape = drawing('circle', {cx: dot.x, cy: dot.y,
			r: odd ? Math.max(3, radius) : radius, class: dot.node.state, fill: colour,
			'data-host': dot.node.host, tabindex: odd ? 0 : null, role: odd ? 'button' : null},
		drawing('title', {}, `${dot.node.host}: ${dot.shown}`));
		shape.addEventListener('click', () => tell(dot));
		shape.addEventListener('keydown', ({key}) => (key === 'Enter' || key === ' ') && tell(dot));
		return shape;
	});
	return element('figure', {class: 'dots'}, element('figcaption', {}, `Group ${called}, `,
		`${dots.length} nodes, against what is usual there`),
	drawing('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT + 16}`, role: 'group',
		'aria-label': `${number.words} of group ${called}`},
	drawing('line', {x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: HEIGHT, class: 'usual'}),
	drawing('line', {x1: EDGE, x2: WIDTH - EDGE, y1: HEIGHT, y2: HEIGHT, class: 'axis'}), shapes,
	[[EDGE, number.ends[0], 'start'], [WIDTH / 2, '0', 'middle'], [WIDTH - EDGE, number.ends[1], 'end']]
		.map(([x, text, anchor]) => drawing('text', {x, y: HEIGHT + 13, 'text-anchor': anchor}, text))));
}

// The numbers that some group is judged by; the first that an outlier deviates in is shown first.
export function dots(fleet) {
	const judged = fleet.groups[0]?.numbers.map((number, which) => ({...number, which})).filter(({which}) =>
		fleet.groups.some(({numbers}) => numbers[which].centre !== null)) ?? [];
	const first = judged.find(({name}) => fleet.outliers.some((one) => one.number === name)) ?? judged[0];
	const told = element('div', {class: 'told', 'aria-live': 'polite'});
	const plots = element('div', {});
	const show = (which) => {
		told.replaceChildren(element('p', {class: 'note'}, 'Every dot is a node: a click says which.'));
		plots.replaceChildren(...fleet.groups.flatMap(({numbers}, group) =>
			(numbers[which].centre === null ? [] : [histogram(fleet, group, which, told)])));
	};
	if (!first)
		return null;
	show(first.which);
	const id = identifier('number');
	const select = element('select', {id}, judged.map(({words, which}) => element('option', {value: which,
		selected: which === first.which}, words)));
	select.addEventListener('change', () => show(Number(select.value)));
	return [element('p', {}, element('label', {for: id}, 'Number: '), select), told, plots];
}
