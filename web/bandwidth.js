// Bytes a second: reading, writing and copying, by size and threads.

import {chart} from './charts.js';
import {choice} from './controls.js';
import {curvesWhere, orderName} from './curves.js';
import {element} from './dom.js';
import {isKnown, significant, size} from './format.js';
import {viewsOf} from './views.js';

const GIGA = 1e9;

// What other experiments read in order, for themselves, stands there only where nothing else does.
function streamCurves(result) {
	const all = curvesWhere(result, (curve) => curve.axis === 'size' &&
		curve.points.some((one) => isKnown(one.bandwidth_bytes_per_second)));
	const own = all.filter((curve) => curve.experiment === 'bandwidth');
	return own.length ? own : all;
}

function spec(curves, threads) {
	const patterns = [...new Set(curves.map((curve) => curve.points[0].pattern))];
	const shown = curves.filter((curve) => threads === 'all' || curve.points[0].threads === threads);
	const several = new Set(shown.map((curve) => curve.points[0].threads)).size > 1;
	return {
		title: threads === 'all' ? 'Bandwidth by size and threads'
			: `Bandwidth by size, ${threads} thread${threads > 1 ? 's' : ''}`,
		describe: 'GB are 10⁹ bytes of what the program asks for; a copy’s bytes count twice.',
		x: {label: 'size of each thread’s own memory', log: 2, format: size, tick: size},
		y: {label: 'GB/s, all threads together', unit: 'GB/s', log: 10, format: significant},
		series: shown.map((curve) => {
			const index = patterns.indexOf(curve.points[0].pattern);
			const label = orderName(curve.points[0]);
			return {
				label: several ? `${label}, ${curve.points[0].threads}` : label, colour: index,
				dash: curve.points[0].threads === 1 ? 0 : 1, sign: index,
				points: curve.points.map((point) => ({x: point.size_bytes,
					y: point.bandwidth_bytes_per_second / GIGA,
					low: isKnown(point.bandwidth_low_bytes_per_second) ? point.bandwidth_low_bytes_per_second / GIGA : null,
					high: isKnown(point.bandwidth_high_bytes_per_second) ? point.bandwidth_high_bytes_per_second / GIGA : null}))
					.filter((point) => isKnown(point.y) && point.y > 0),
			};
		}),
	};
}

export function hasBandwidth(result) {
	return streamCurves(result).length > 0;
}

export function bandwidth(result, {views}) {
	const curves = streamCurves(result);
	const counts = [...new Set(curves.map((curve) => curve.points[0].threads))].sort((a, b) => a - b);
	const drawn = chart(spec(curves, counts[0]));
	const options = [...counts.map((count) => ({value: count,
		label: `${count} thread${count > 1 ? 's' : ''}`})), {value: 'all', label: 'together'}];
	return [counts.length > 1 ? element('div', {class: 'controls'}, choice('Threads', options,
		counts[0], (threads) => drawn.draw(spec(curves, threads)))) : null, drawn.node,
	element('details', {}, element('summary', {}, 'In numbers and words'),
		viewsOf(views, ['bandwidth']))];
}
