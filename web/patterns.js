// The same memory in one order after another; what prefetchers are worth; laps since it was cold.

import {chart} from './charts.js';
import {curvesWhere, labelsOf, orderName, timeOf, warmthName} from './curves.js';
import {isKnown, number, range, significant, size} from './format.js';
import {tableOfKnown} from './tables.js';

const VERDICTS = [[(one) => one.acts, 'acts'], [(one) => isKnown(one.low_ns), 'not seen'],
	[() => true, 'cannot be told']];

function patternCurves(result) {
	return curvesWhere(result, (curve) =>
		curve.experiment === 'patterns' || curve.experiment === 'ablation');
}

// A row an order and size, a column each warmth that there is.
function patternTable(result, experiment, caption) {
	const curves = patternCurves(result).filter((curve) => curve.experiment === experiment);
	const warmths = ['cold_flushed', 'cold_mapped', 'warm'].filter((warmth) =>
		curves.some((curve) => curve.points[0].warmth === warmth));
	const rows = new Map();
	for (const curve of curves)
		for (const point of curve.points) {
			const overlaps = isKnown(point.ns_per_access) ? ' *' : '';
			const key = `${orderName(point)}${overlaps}|${point.node_bytes}|${point.size_bytes}`;
			const row = rows.get(key) ?? {name: orderName(point) + overlaps, point, times: {}};
			row.times[point.warmth] = timeOf(point);
			rows.set(key, row);
		}
	const largest = Math.max(...[...rows.values()].map(({point}) => point.size_bytes));
	const random = [...rows.values()].find(({point}) => point.pattern === 'random_cycle' &&
		point.size_bytes === largest)?.times.warm?.ns;
	const columns = [{label: 'Order'}, {label: 'Size', numeric: true},
		{label: 'Nodes of', numeric: true},
		...warmths.flatMap((warmth) => [{label: warmthName(warmth), unit: 'ns', numeric: true},
			{label: '95 %', unit: 'ns', numeric: true}]),
		{label: 'Warm', unit: 'cycles', numeric: true},
		{label: 'Over warm random', unit: '×', numeric: true}];
	return rows.size ? tableOfKnown(caption, columns, [...rows.values()].map(({name, point, times}) =>
		[name, size(point.size_bytes), size(point.node_bytes),
			...warmths.flatMap((warmth) => [number(times[warmth]?.ns),
				range(times[warmth]?.low, times[warmth]?.high, number)]),
			number(times.warm?.cycles),
			isKnown(times.warm?.ns) && isKnown(random) && point.size_bytes === largest
				? significant(times.warm.ns / random) : ''])) : null;
}

function effectTable(result) {
	const effects = result.effects ?? [];
	const name = (index) => {
		const point = result.curves[index]?.points[0];
		return point ? orderName(point) : '–';
	};
	return effects.length ? tableOfKnown('What prefetchers are worth', [{label: 'Prefetcher'},
		{label: 'Size', numeric: true}, {label: 'Saves', unit: 'ns', numeric: true},
		{label: '95 %', unit: 'ns', numeric: true}, {label: 'Verdict'}, {label: 'Without it'},
		{label: 'With it'}],
	effects.map((one) => [one.name, size(one.size_bytes), significant(one.ns),
		range(one.low_ns, one.high_ns), VERDICTS.find(([test]) => test(one))[1], name(one.without),
		name(one.with)])) : null;
}

function lapChart(result) {
	const curves = curvesWhere(result, (curve) => curve.axis === 'lap');
	if (!curves.length)
		return null;
	const labels = labelsOf(curves);
	return chart({
		title: 'Lap after lap since the memory was cold',
		describe: 'The first lap finds nothing in the caches; those after it, what is kept.',
		x: {label: 'lap', log: null, format: (lap) => String(lap)},
		y: {label: 'ns per access', unit: 'ns', log: 10, format: number},
		series: curves.map((curve, index) => ({label: labels[index], colour: index, dash: index,
			sign: index, points: curve.points.map((point) => {
				const {ns, low, high} = timeOf(point);
				return {x: point.lap, y: ns, low, high};
			}).filter((point) => isKnown(point.y))})),
	}).node;
}

function sizeChart(result) {
	const curves = patternCurves(result).filter((curve) => curve.experiment === 'patterns' &&
		curve.points.length > 1);
	if (!curves.length)
		return null;
	const labels = labelsOf(curves);
	return chart({
		title: 'Orders by size',
		x: {label: 'size of the memory', log: 2, format: size, tick: size},
		y: {label: 'ns per access', unit: 'ns', log: 10, format: number},
		series: curves.map((curve, index) => ({label: labels[index], colour: index,
			dash: index, sign: index, points: curve.points.map((point) => {
				const {ns, low, high} = timeOf(point);
				return {x: point.size_bytes, y: ns, low, high};
			}).filter((point) => isKnown(point.y))})),
	}).node;
}

export function hasPatterns(result) {
	return patternCurves(result).length > 0 || curvesWhere(result,
		(curve) => curve.axis === 'lap').length > 0;
}

export function patterns(result) {
	return [
		patternTable(result, 'patterns', 'The same memory in one order after another (* accesses ' +
			'overlap: time of each, not latency)'),
		sizeChart(result),
		effectTable(result),
		patternTable(result, 'ablation', 'The orders that tell prefetchers apart'),
		lapChart(result),
	];
}
