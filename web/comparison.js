// Runs against a baseline: what is faster and what is slower, and by how much along the sizes.

import {chart} from './charts.js';
import {orderName} from './curves.js';
import {element} from './dom.js';
import {isKnown, percent, significant, size} from './format.js';
import {themeChoice} from './head.js';

export function comparisonHead(result) {
	return element('header', {class: 'head'},
		element('div', {class: 'top'}, element('p', {class: 'eyebrow'},
			'Runs against a baseline, compared by fathom ', result.fathom?.version ?? ''), themeChoice()),
		element('h1', {}, result.runs.map((run) => run.name).join(', '), ' against ',
			result.baselines.join(', ')),
		element('p', {}, `A difference under ${percent(result.threshold, 1)} does not count. A speed-up ` +
			'is over 1 where the run is faster.'));
}

// A series for each run and order; on one axis of sizes.
function seriesOf(run, several) {
	const orders = new Map();
	for (const point of run.points) {
		const order = orderName(point) + (point.threads > 1 ? `, ${point.threads} threads` : '');
		if (isKnown(point.speedup) && (point.lanes ?? 1) === 1)
			orders.set(order, [...(orders.get(order) ?? []), point]);
	}
	return [...orders].map(([order, points]) => ({
		label: several ? `${run.name}, ${order}` : order,
		points: points.map((point) => ({x: point.size_bytes, y: point.speedup,
			low: point.speedup_low, high: point.speedup_high})).sort((a, b) => a.x - b.x),
	}));
}

export function hasSpeedups(result) {
	return result.runs.some((run) => run.points.length > 0);
}

export function speedups(result) {
	const series = result.runs.flatMap((run) => seriesOf(run, result.runs.length > 1))
		.map((one, index) => ({...one, colour: index, dash: index, sign: index}));
	const sizes = series.flatMap((one) => one.points.map((point) => point.x));
	const same = {label: 'the same', quiet: true, colour: 0, dash: 2, width: 1, signs: false,
		points: [Math.min(...sizes), Math.max(...sizes)].map((x) => ({x, y: 1}))};
	return chart({
		title: 'Speed-up by size', height: 380,
		x: {label: 'size of the memory', log: 2, format: size, tick: size},
		y: {label: 'times as fast as the baseline', unit: '×', log: null, around: true,
			format: significant},
		series: [...series, same],
	}).node;
}
