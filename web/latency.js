// Latency against size: curves, where levels end, and what models make of the curve.

import {chart} from './charts.js';
import {choice, toggle} from './controls.js';
import {curvesWhere, labelsOf} from './curves.js';
import {element} from './dom.js';
import {fixed, isKnown, number, size} from './format.js';
import {hasViews, viewsOf} from './views.js';

const UNITS = {
	ns: {label: 'ns per access', unit: 'ns'},
	cycles: {label: 'core cycles per access', unit: 'cycles'},
	throughput: {label: 'million accesses per second, one after the other', unit: 'M/s'},
};
const LINE_BYTES = 64;
const MODELS = [
	{name: 'fitted levels', label: 'fitted levels', dash: 1},
	{name: 'textbook share model', label: 'textbook share model', dash: 2},
	{name: 'last two levels alone', label: 'last two levels', dash: 3},
];
// What stands beside the curve that levels are read from.
const BESIDE = new Set(['window', 'independent']);

// ---- values ----

export function inUnit(point, unit) {
	if (unit === 'cycles')
		return {y: point.latency_cycles, low: point.latency_low_cycles,
			high: point.latency_high_cycles};
	if (unit === 'throughput' && isKnown(point.latency_ns))
		return {y: 1e3 / point.latency_ns, low: 1e3 / point.latency_high_ns,
			high: 1e3 / point.latency_low_ns};
	return {y: point.latency_ns, low: point.latency_low_ns, high: point.latency_high_ns};
}

function known({y, low, high}) {
	return {y, low: isKnown(low) && low > 0 ? low : null,
		high: isKnown(high) && isKnown(low) ? high : null};
}

function pointsOfCurve(curve, unit) {
	return curve.points.map((point) => ({x: point.size_bytes, ...known(inUnit(point, unit))}))
		.filter((point) => isKnown(point.y));
}

// A model's values are in ns where the curve has any, else in cycles; the clock of the point makes
// the one of the other.
function modelPoints(curve, values, unit) {
	return curve.points.map((point, index) => {
		const value = values[index];
		const inCycles = !isKnown(point.latency_ns);
		const factor = unit === 'cycles' && !inCycles ? point.latency_cycles / point.latency_ns : 1;
		const y = unit === 'throughput' ? 1e3 / value : value * factor;
		return {x: point.size_bytes, y: isKnown(value) ? y : null};
	}).filter((point) => isKnown(point.y));
}

function residualPoints(curve, values) {
	return curve.points.map((point, index) => {
		const measured = isKnown(point.latency_ns) ? point.latency_ns : point.latency_cycles;
		return {x: point.size_bytes, y: isKnown(values[index]) && isKnown(measured)
			? 100 * (values[index] / measured - 1) : null};
	}).filter((point) => isKnown(point.y));
}

// ---- what there is ----

function sizeCurves(result) {
	return curvesWhere(result, (curve, point) => curve.axis === 'size' && curve.points.length > 1 &&
		['latency', 'pages', 'parallelism', 'frequency'].includes(curve.experiment) &&
		curve.points.some((one) => isKnown(one.latency_ns) || isKnown(one.latency_cycles)) &&
		point.pattern !== 'line_pair');
}

// What the levels are of; else the first that is no curve beside another.
export function mainCurve(result, curves) {
	const ofLevels = curves.find((curve) => curve.index === result.levels?.[0]?.curve);
	return ofLevels ?? curves.find((curve) => !BESIDE.has(curve.points[0].pattern)) ?? curves[0];
}

function marksOf(result, main, state) {
	const own = (result.levels ?? []).filter((level) => level.curve === main.index);
	const reaches = own.filter((level) => isKnown(level.size_bytes)).map((level) => ({
		x: level.size_bytes, low: level.size_low_bytes, high: level.size_high_bytes,
		label: level.name}));
	const reported = own.filter((level) => isKnown(level.reported_bytes)).map((level) => ({
		x: level.reported_bytes, label: `OS: ${level.name}`, reported: true}));
	return [...(state.reaches ? reaches : []), ...(state.reported ? reported : [])];
}

function unitsOf(curves) {
	const has = (field) => curves.some((curve) => curve.points.some((point) => isKnown(point[field])));
	const over = curves.some((curve) => curve.relative_to_l1);
	return [['ns', has('latency_ns')], ['cycles', has('latency_cycles')],
		['throughput', has('latency_ns') && !over]].filter(([, there]) => there).map(([unit]) => unit);
}

// ---- specs ----

const SIZES = {label: 'size of the memory that is walked', log: 2, format: size, tick: size};

function series(curves, labels, main, state) {
	return curves.map((curve, index) => ({
		label: labels[index], points: pointsOfCurve(curve, state.unit), colour: index,
		dash: curve === main ? 0 : 1 + (index % 4), sign: index, band: state.intervals,
		width: curve === main ? 2.2 : 1.6,
	}));
}

function modelSeries(readings, main, state) {
	return readings.filter((reading) => state.models.has(reading.name)).map((reading, index) => ({
		label: reading.label, points: modelPoints(main, reading.values, state.unit),
		quiet: index === 0, colour: 5 + index, dash: reading.dash, signs: false, width: 1.6}));
}

// The textbook's hyperbolas, one a level, each over the sizes that it is of.
function hyperbolas(readings, main, state) {
	const rows = readings.find((reading) => reading.deductions)?.deductions ?? [];
	return rows.map((row, index) => ({
		label: `hyperbola of ${row.level}`, quiet: true, colour: 0, dash: 3, signs: false, width: 1.4,
		points: modelPoints(main, main.points.map(({size_bytes: bytes}) => (isKnown(row.last) &&
			bytes > rows[index - 1].size_bytes && bytes <= (row.size_bytes ?? Infinity)
			? row.last - row.constant / bytes : null)), state.unit),
	})).filter((one) => one.points.length > 0);
}

function residuals(readings, main, state) {
	return {
		title: 'Models less measurement', height: 170, sync: 'sizes',
		describe: 'The share by which each model is above (+) or below (−) the measured point.',
		x: SIZES,
		y: {label: '% of the measured latency', log: null, both: true, unit: '%',
			format: (value) => fixed(value, Math.abs(value) < 9.95 ? 1 : 0)},
		series: readings.filter((reading) => state.models.has(reading.name)).map((reading, index) => ({
			label: reading.label, points: residualPoints(main, reading.values), quiet: index === 0,
			colour: 5 + index, dash: reading.dash, sign: index})),
	};
}

// ---- other ways to read it ----

function readingsOf(views) {
	return hasViews(views, ['readings']) ? element('details', {}, element('summary', {},
		'Other ways to read this curve'), viewsOf(views, ['readings'])) : null;
}

// ---- all ----

export function hasLatency(result) {
	return sizeCurves(result).length > 0;
}

export function latency(result, {views}) {
	const curves = sizeCurves(result);
	const main = mainCurve(result, curves);
	const labels = labelsOf(curves);
	const units = unitsOf(curves);
	const lineBytes = result.measured_line_bytes ?? LINE_BYTES;
	const readings = MODELS.map((model) => ({...model, ...(result.readings ?? [])
		.find((reading) => reading.curve === main.index && reading.name === model.name)}))
		.filter((reading) => reading.values?.some(isKnown));
	const state = {unit: units[0], hyperbolas: false, intervals: true, reaches: true, reported: true,
		models: new Set(readings.slice(0, 1).map((reading) => reading.name))};
	const spec = () => ({
		title: 'Latency against size', height: 420, sync: 'sizes',
		x: SIZES,
		y: {...UNITS[state.unit], log: 10, format: number,
			beside: state.unit === 'throughput' ? {label: `GB/s of lines of ${lineBytes} B`,
				factor: lineBytes / 1e3} : undefined},
		series: [...series(curves, labels, main, state), ...modelSeries(readings, main, state),
			...(state.hyperbolas ? hyperbolas(readings, main, state) : [])],
		marks: marksOf(result, main, state),
	});
	const drawn = chart(spec());
	const below = readings.length ? chart(residuals(readings, main, state)) : null;
	const draw = () => {
		drawn.draw(spec());
		below?.draw(residuals(readings, main, state));
		if (below)
			below.node.hidden = state.models.size === 0;
	};
	const change = (name) => (value) => {
		state[name] = value;
		draw();
	};
	const model = (reading) => toggle(reading.label, state.models.has(reading.name), (on) => {
		state.models[on ? 'add' : 'delete'](reading.name);
		draw();
	});
	const levelMarks = marksOf(result, main, state);
	const controls = element('div', {class: 'controls'},
		units.length > 1 ? choice('Unit', units.map((unit) => ({value: unit,
			label: {ns: 'ns', cycles: 'cycles', throughput: 'accesses/s'}[unit]})), state.unit,
		change('unit')) : null,
		toggle('95 % intervals', true, change('intervals')),
		levelMarks.some((mark) => !mark.reported)
			? toggle('measured sizes', true, change('reaches')) : null,
		levelMarks.some((mark) => mark.reported)
			? toggle('reported sizes', true, change('reported')) : null,
		readings.map(model), hyperbolas(readings, main, state).length
			? toggle('textbook hyperbolas', false, change('hyperbolas')) : null);
	return [controls, drawn.node, below?.node, readingsOf(views)];
}
