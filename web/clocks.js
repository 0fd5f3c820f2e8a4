// What the core's clock changes: the speed-up from the slowest to the fastest, along the sizes.

import {chart} from './charts.js';
import {gigahertz, isKnown, significant, size} from './format.js';
import {element} from './dom.js';
import {hasViews, viewsOf} from './views.js';

function nameOf(clock) {
	return isKnown(clock.hz) ? gigahertz(clock.hz) : `clock × ${significant(clock.relative)}`;
}

function speedups(result) {
	const {clocks} = result;
	const fastest = clocks[clocks.length - 1];
	const points = result.clock_laws.filter((law) => !law.level && isKnown(law.speedup))
		.map((law) => ({x: law.from_bytes, y: law.speedup, low: law.speedup_low,
			high: law.speedup_high})).sort((a, b) => a.x - b.x);
	if (points.length < 2)
		return null;
	const ratio = [points[0], points[points.length - 1]].map(({x}) => ({x, y: fastest.relative}));
	return chart({
		title: 'Speed-up by the clock', height: 320,
		describe: 'As much as the ratio of the clocks where only the core works; less where a part ' +
			'of each access is outside of it.',
		x: {label: 'size of the memory that is walked', log: 2, format: size, tick: size},
		y: {label: 'times as fast as at the slowest clock', unit: '×', log: null, around: true,
			format: significant},
		series: [{label: `${nameOf(clocks[0])} to ${nameOf(fastest)}`, points, colour: 0, dash: 0,
			sign: 0},
		{label: 'ratio of the clocks', points: ratio, quiet: true, colour: 0, dash: 2, width: 1,
			signs: false}],
	}).node;
}

export function hasClocks(result, {views}) {
	return hasViews(views, ['frequency']);
}

export function clocks(result, {views}) {
	return [speedups(result), viewsOf(views, ['frequency']), hasViews(views, ['clock-sizes'])
		? element('details', {}, element('summary', {}, 'By size'), viewsOf(views, ['clock-sizes']))
		: null];
}
