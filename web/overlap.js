// How many accesses overlap in each level: what more and more chains at once yield.

import {chart} from './charts.js';
import {choice} from './controls.js';
import {curvesWhere, labelsOf, shortPageName, timeOf} from './curves.js';
import {element} from './dom.js';
import {gigabytes, isKnown, number, overlapping, range, significant, size} from './format.js';
import {tableOfKnown} from './tables.js';

const LINE_BYTES = 64;
const EXPLAINED = 'One chain: an access after the other. At best: each of many at once. Overlap: the ' +
	'one over the other. Knee: the fewest chains with 90 % of it. Little: latency × bandwidth ÷ ' +
	'line, the lines under way while one core reads in order. GB/s: of reading in order.';
const LIMITS = {unknown: 'not known', loop: 'the loop itself', lanes: 'the lanes that were tried',
	buffers: 'outstanding misses', walkers: 'page walks', bandwidth: 'bandwidth'};
const VIEWS = {
	speedup: {label: 'times as many accesses as with one chain', unit: '×', log: null},
	time: {label: 'ns per access', unit: 'ns', log: 10},
	bandwidth: {label: 'GB/s of the lines touched', unit: 'GB/s', log: null},
};

function laneCurves(result) {
	return curvesWhere(result, (curve) => curve.axis === 'lanes');
}

// A value in the view, of ns an access; which falls as the others rise, so that bounds change sides.
function point(view, one, first, lineBytes) {
	const time = timeOf(one);
	if (view === 'time')
		return {x: one.lanes, y: time.ns, low: time.low, high: time.high};
	const over = view === 'speedup' ? timeOf(first).ns : lineBytes;
	const of = (ns) => (isKnown(ns) && isKnown(over) ? over / ns : null);
	return {x: one.lanes, y: of(time.ns), low: of(time.high), high: of(time.low)};
}

function spec(result, curves, labels, view) {
	const lineBytes = result.measured_line_bytes ?? LINE_BYTES;
	const most = Math.max(...curves.flatMap((curve) => curve.points.map((one) => one.lanes)));
	const ideal = {label: 'as many times as chains', quiet: true, colour: 0, dash: 2, signs: false,
		width: 1, points: [{x: 1, y: 1}, {x: most, y: most}]};
	const series = curves.map((curve, index) => ({label: labels[index], colour: index,
		dash: index, sign: index, points: curve.points.map((one) =>
			point(view, one, curve.points[0], lineBytes)).filter((one) => isKnown(one.y))}));
	const highest = Math.max(...series.flatMap((one) => one.points.map(({y}) => y)));
	if (view === 'speedup') {
		ideal.points[1] = {x: Math.min(most, highest), y: Math.min(most, highest)};
		series.push(ideal);
	}
	return {
		title: {speedup: 'Speed-up by chains at once', time: 'Time an access, by chains at once',
			bandwidth: 'Lines brought, by chains at once'}[view],
		x: {label: 'chains walked at once', log: null, format: (lanes) => String(lanes)},
		y: {...VIEWS[view], format: significant},
		series,
	};
}

const COLUMNS = [
	{label: 'Level'}, {label: 'Size', numeric: true}, {label: 'Pages'},
	{label: 'One chain', unit: 'ns', numeric: true},
	{label: 'At best', unit: 'ns', numeric: true},
	{label: 'Overlap', numeric: true}, {label: '95 %', numeric: true},
	{label: 'Knee', unit: 'chains', numeric: true},
	{label: 'Little', unit: 'lines', numeric: true},
	{label: 'One core', unit: 'GB/s', numeric: true},
	{label: 'All cores', unit: 'GB/s', numeric: true},
	{label: 'Limited by'},
];

function row(result, found) {
	const bound = found.saturated === false ? '> ' : '';
	const first = result.curves[found.curve]?.points[0];
	return [
		found.level ?? 'not known', size(found.size_bytes),
		first ? shortPageName(first.page_kind) : '',
		number(found.latency_ns), significant(found.ns_per_access),
		overlapping(found),
		range(found.speedup_low, found.speedup_high),
		isKnown(found.knee_lanes) ? bound + found.knee_lanes.toFixed(0) : '–',
		significant(found.little_lines),
		gigabytes(found.read_bytes_per_second), gigabytes(found.all_bytes_per_second),
		found.evidence ? {text: LIMITS[found.limit] ?? found.limit, note: found.evidence}
			: LIMITS[found.limit] ?? '',
	];
}

export function hasOverlap(result) {
	return laneCurves(result).length > 0 || (result.parallelism ?? []).length > 0;
}

export function overlap(result) {
	const curves = laneCurves(result);
	const found = result.parallelism ?? [];
	const levelOf = (curve) => found.find((one) => one.curve === curve.index)?.level;
	const labels = labelsOf(curves).map((label, index) =>
		[levelOf(curves[index]), label].filter(Boolean).join(', '));
	const parts = [];
	if (curves.length) {
		const drawn = chart(spec(result, curves, labels, 'speedup'));
		parts.push(element('div', {class: 'controls'}, choice('Show', [
			{value: 'speedup', label: 'speed-up'}, {value: 'time', label: 'ns an access'},
			{value: 'bandwidth', label: 'GB/s'}], 'speedup',
		(view) => drawn.draw(spec(result, curves, labels, view)))), drawn.node);
	}
	if (found.length)
		parts.push(tableOfKnown('How many accesses overlap', COLUMNS,
			found.map((one) => row(result, one))),
		element('p', {class: 'note'}, EXPLAINED),
		element('ul', {class: 'notes'}, found.filter((one) => one.evidence).map((one) =>
			element('li', {}, element('strong', {}, `${one.level ?? 'not known'}, ` +
				`${size(one.size_bytes)}`), `: ${one.evidence}`))));
	return parts;
}
