// A chart: uPlot for the picture, a legend, keys that walk along the points, and the table of what
// is drawn. A spec is
//
//   {title, describe, height, sync, marks,
//    x: {label, log: 2 | null, format},
//    y: {label, log: 10 | null, format, unit, both | around, beside: {label, factor}},
//    series: [{label, points: [{x, y, low, high}], colour, dash, sign, quiet, signs, filled, width}]}
//
// of which points ascend in x; filled ones stand on each other.

/* global uPlot */

import {axisOf, besideOf, rangeOf} from './axes.js';
import {element, identifier} from './dom.js';
import {isKnown, range} from './format.js';
import {legend} from './legend.js';
import {DASHES, drawMarks, marksHeight, signsOf} from './marks.js';
import {table} from './tables.js';
import {colours, watchTheme} from './theme.js';

const BAND_ALPHA = '38';
const AREA_ALPHA = '8c';
const charts = [];

export function hasCharts() {
	return typeof uPlot === 'function';
}

// ---- data ----

// On a logarithmic axis there is nothing at or below 0.
function drawable(value, scale) {
	return isKnown(value) && (!scale.log || value > 0) ? value : null;
}

// One column of x for all, and of each series a column in which what it lacks is undefined.
function align(series, scale) {
	const xs = [...new Set(series.flatMap((one) => one.points.map((point) => point.x)))]
		.sort((a, b) => a - b);
	const places = new Map(xs.map((x, index) => [x, index]));
	const column = (one, field) => {
		const values = new Array(xs.length);
		for (const point of one.points)
			values[places.get(point.x)] = drawable(point[field], scale);
		return values;
	};
	return {xs, column};
}

// Over more than that many octaves of sizes no line is drawn: nothing was measured there.
const WIDEST_OCTAVES = 2.01;

// For uPlot: where lines of one series break, in pixels.
function gapsOf(scale) {
	return (plot, series, from, to, gaps) => {
		const [xs, ys] = [plot.data[0], plot.data[series]];
		let last = null;
		for (let index = from; index <= to; index++) {
			if (!isKnown(ys[index]))
				continue;
			if (scale.log && last !== null && Math.log2(xs[index] / last) > WIDEST_OCTAVES)
				gaps.push([last, xs[index]].map((x) => plot.valToPos(x, 'x', true)));
			last = xs[index];
		}
		return gaps.sort((a, b) => a[0] - b[0]);
	};
}

function hasInterval(series) {
	return series.points.some((point) => isKnown(point.low) && isKnown(point.high));
}

// What uPlot takes: columns, series, and bands between two of them.
function plotted(spec, shown, palette) {
	const {xs, column} = align(shown, spec.y);
	const data = [xs];
	const series = [{}];
	const bands = [];
	const gaps = gapsOf(spec.x);
	const unseen = {stroke: 'transparent', width: 0, points: {show: false}, gaps};
	const add = (values, look) => {
		data.push(values);
		series.push(look);
		return data.length - 1;
	};
	let below = null;
	for (const one of shown) {
		const colour = one.quiet ? palette.quiet : palette.lines[one.colour % palette.lines.length];
		if (one.filled) {
			const floor = below;
			below = column(one, 'y').map((value, index) => value === undefined ? undefined
				: (value ?? 0) + (floor?.[index] ?? 0));
			const top = add(below, {stroke: colour, width: 1, points: {show: false},
				spanGaps: true, fill: floor ? undefined : colour + AREA_ALPHA});
			if (floor)
				bands.push({series: [top, top - 1], fill: colour + AREA_ALPHA});
			continue;
		}
		add(column(one, 'y'), {stroke: colour, width: one.width ?? 2, gaps,
			dash: DASHES[one.dash % DASHES.length],
			points: one.signs === false ? {show: false}
				: {show: true, paths: signsOf(one.sign), fill: colour, stroke: colour, width: 1}});
		if (hasInterval(one) && one.band !== false) {
			const bounded = {...one, points: one.points.map((point) => ({...point,
				low: point.low ?? point.y, high: point.high ?? point.y}))};
			const high = add(column(bounded, 'high'), unseen);
			const low = add(column(bounded, 'low'), unseen);
			bands.push({series: [high, low], fill: colour + BAND_ALPHA});
		}
	}
	return {data, series, bands};
}

// ---- what the reader points at ----

function nearest(points, x, scale) {
	const far = scale.log ? (a) => Math.abs(Math.log2(a / x)) : (a) => Math.abs(a - x);
	let best = null;
	for (const point of points)
		if (!best || far(point.x) < far(best.x))
			best = point;
	return best && far(best.x) <= (scale.log ? 0.26 : 0.5) ? best : null;
}

function pointText(point, scale) {
	if (!point || !isKnown(point.y))
		return null;
	const interval = range(point.low, point.high, scale.format);
	return `${scale.format(point.y)} ${scale.unit}${interval ? ` (${interval})` : ''}`;
}

function readAt(spec, x) {
	return spec.series.map((one) => pointText(nearest(one.points, x, spec.x), spec.y));
}

// ---- the table behind ----

function tableOf(spec) {
	const columns = [{label: spec.x.label}];
	for (const one of spec.series) {
		columns.push({label: one.label, unit: spec.y.unit, numeric: true});
		if (hasInterval(one))
			columns.push({label: '95 %', unit: spec.y.unit, numeric: true});
	}
	const xs = [...new Set(spec.series.flatMap((one) => one.points.map((point) => point.x)))]
		.sort((a, b) => a - b);
	const places = spec.series.map((one) => new Map(one.points.map((point) => [point.x, point])));
	return table(spec.title, columns, xs.map((x) => [spec.x.format(x), ...spec.series.flatMap(
		(one, index) => {
			const point = places[index].get(x);
			const value = point ? spec.y.format(point.y) : '';
			return hasInterval(one)
				? [value, point ? range(point.low, point.high, spec.y.format) : ''] : [value];
		})]));
}

// ---- all ----

class Chart {
	constructor(spec) {
		this.hidden = new Set();
		this.spec = spec;
		this.place = element('div', {class: 'plot', tabindex: 0, role: 'group'});
		this.legendPlace = element('div');
		this.heard = element('p', {class: 'heard', 'aria-live': 'polite'});
		this.details = element('details', {class: 'data'}, element('summary', {}, 'The numbers'));
		this.title = element('figcaption', {id: identifier('chart')});
		this.note = element('p', {class: 'note'});
		this.place.setAttribute('aria-labelledby', this.title.id);
		this.node = element('figure', {class: 'chart'}, this.title, this.legendPlace, this.place,
			this.heard, this.note, this.details);
		this.place.addEventListener('keydown', (event) => this.walk(event));
		this.details.addEventListener('toggle', () => this.fillTable());
		this.place.hidden = this.legendPlace.hidden = !hasCharts();
		this.details.open = !hasCharts();
		if (hasCharts())
			new ResizeObserver(() => this.fit()).observe(this.place);
		watchTheme(() => this.draw(this.spec));
		charts.push(this);
	}

	shown() {
		return this.spec.series.filter((one) => !this.hidden.has(one.label));
	}

	draw(spec) {
		this.spec = spec;
		this.title.replaceChildren(element('strong', {}, spec.title), element('span',
			{class: 'unit'}, ` ${spec.y.label}${spec.y.beside ? `; right: ${spec.y.beside.label}` : ''}`));
		this.note.replaceChildren(spec.describe ?? '');
		this.legend = legend(spec.series, this.hidden, (label) => {
			this.draw(this.spec);
			this.legend.focus(label);
		});
		this.legendPlace.replaceChildren(this.legend.node);
		this.fillTable();
		if (hasCharts())
			this.paint();
	}

	paint() {
		this.plot?.destroy();
		this.plot = null;
		const width = Math.floor(this.place.clientWidth);
		if (width < 40)
			return;
		const palette = colours();
		const {spec} = this;
		const {data, series, bands} = plotted(spec, this.shown(), palette);
		this.plot = new uPlot({
			width, height: spec.height ?? 360, series, bands, legend: {show: false},
			padding: [8 + marksHeight(spec.marks ?? []), 26, 0, 0],
			scales: {x: {time: false, distr: spec.x.log ? 3 : 1, log: 2, range: rangeOf(spec.x, 'x')},
				y: {distr: spec.y.log ? 3 : 1, log: 10, range: rangeOf(spec.y, 'y')}},
			axes: [axisOf(spec.x, 'x', palette), axisOf(spec.y, 'y', palette),
				...besideOf(spec.y, palette)],
			cursor: {y: false, points: {show: false}, drag: {x: true, y: false},
				sync: spec.sync ? {key: spec.sync, setSeries: false} : undefined},
			hooks: {drawClear: [(plot) => drawMarks(plot, spec.marks ?? [], palette)],
				setCursor: [(plot) => this.point(plot)]},
		}, data, this.place);
	}

	fit() {
		const width = Math.floor(this.place.clientWidth);
		if (!this.plot)
			this.paint();
		else if (width >= 40 && width !== this.plot.width)
			this.plot.setSize({width, height: this.plot.height});
	}

	point(plot) {
		const {idx} = plot.cursor;
		this.legend.show(isKnown(idx) ? readAt(this.spec, plot.data[0][idx]) : null);
	}

	// Left and right go from point to point, Home and End to the first and the last; Escape leaves.
	walk(event) {
		const count = this.plot?.data[0].length ?? 0;
		const now = this.plot?.cursor.idx ?? -1;
		const next = {ArrowLeft: Math.max(0, now - 1), ArrowRight: Math.min(count - 1, now + 1),
			Home: 0, End: count - 1}[event.key];
		if (!count || (next === undefined && event.key !== 'Escape'))
			return;
		event.preventDefault();
		if (next === undefined) {
			this.plot.setCursor({left: -10, top: -10});
			this.heard.textContent = '';
			return;
		}
		const x = this.plot.data[0][next];
		this.plot.setCursor({left: this.plot.valToPos(x, 'x'), top: 10});
		this.heard.textContent = [this.spec.x.format(x), ...readAt(this.spec, x).map((text, index) =>
			text && `${this.spec.series[index].label} ${text}`).filter(Boolean)].join('; ');
	}

	fillTable() {
		this.details.querySelector('.scroll')?.remove();
		if (this.details.open)
			this.details.append(tableOf(this.spec));
	}
}

// {node, draw(spec)}; the picture follows the theme and the width.
export function chart(spec) {
	const made = new Chart(spec);
	made.draw(spec);
	return made;
}
