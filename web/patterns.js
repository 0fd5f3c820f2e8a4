// The same memory in one order after another; what prefetchers are worth; laps since it was cold.

import {chart} from './charts.js';
import {curvesWhere, labelsOf, timeOf} from './curves.js';
import {isKnown, number, size} from './format.js';
import {viewsOf} from './views.js';

function patternCurves(result) {
	return curvesWhere(result, (curve) =>
		curve.experiment === 'patterns' || curve.experiment === 'ablation');
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

export function patterns(result, {views}) {
	return [sizeChart(result), viewsOf(views, ['patterns', 'orders', 'effects']), lapChart(result),
		viewsOf(views, ['laps'])];
}
