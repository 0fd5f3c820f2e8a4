// How many accesses overlap in each level: what more and more chains at once yield.

import {chart} from './charts.js';
import {choice} from './controls.js';
import {curvesWhere, labelsOf, timeOf} from './curves.js';
import {element} from './dom.js';
import {isKnown, significant} from './format.js';
import {hasViews, viewsOf} from './views.js';

const LINE_BYTES = 64;
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
	const most = view === 'speedup' ? one.lanes : Infinity; // noise alone goes beyond
	const of = (ns) => (isKnown(ns) && isKnown(over) ? Math.min(over / ns, most) : null);
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
	const spilled = curves[0].points.findIndex((one, index) => index > 0 && one.lane_store &&
		one.lane_store !== 'registers' && curves[0].points[index - 1].lane_store === 'registers');
	return {
		marks: spilled < 0 ? [] : [{label: 'registers end',
			x: (curves[0].points[spilled - 1].lanes + curves[0].points[spilled].lanes) / 2}],
		title: {speedup: 'Speed-up by chains at once', time: 'Time an access, by chains at once',
			bandwidth: 'Lines brought, by chains at once'}[view],
		x: {label: 'chains walked at once', log: null, format: (lanes) => String(lanes)},
		y: {...VIEWS[view], format: significant},
		series,
	};
}

export function hasOverlap(result, {views}) {
	return laneCurves(result).length > 0 || hasViews(views, ['overlap']);
}

export function overlap(result, {views}) {
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
	parts.push(viewsOf(views, ['overlap']));
	return parts;
}
