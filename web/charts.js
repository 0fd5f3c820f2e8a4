// A chart of a plot, as src/render/view_json.c describes it: uPlot for the picture, a legend, keys that
// walk along the points, and the table of what is drawn. Of several plots one is chosen. What is shown
// of a point is text from the command; here it is placed alone.

/* global uPlot */

import {axisOf, besideOf, rangeOf} from './axes.js';
import {choice, toggle} from './controls.js';
import {element, identifier} from './dom.js';
import {legend} from './legend.js';
import {DASHES, drawMarks, marksHeight, signsOf} from './marks.js';
import {table} from './tables.js';
import {colours, watchTheme} from './theme.js';

const BAND_ALPHA = '38';
const NEAR = {bytes: 0.26, counts: 0.26, wholes: 0.5, places: 0.4}; // of what is pointed at: octaves, or steps

export function hasCharts() {
	return typeof uPlot === 'function';
}

// ---- data ----

// With what tells it from the others: a colour, a dash and a sign.
function seriesOf(plot) {
	return plot.series.map((one, index) => ({...one, colour: index, dash: index, sign: index,
		width: one.aside || one.model ? 1.6 : 2.2, signs: !one.model}));
}

const hasInterval = (series) => series.ranges.some((text) => text);
const isMeasured = (mark) => !mark.reported;

// On a logarithmic axis there is nothing at or below 0.
function drawable(column, scale) {
	return column.map((value) => (value === null || (scale === 'powers' && value <= 0) ? undefined
		: value));
}

// No line comes to what stands apart.
function gapsOf({apart, y}) {
	return (plot, index, from, to, found) => [...found, ...apart.map((place) => {
		const before = y.findLastIndex((value, at) => at < place && value !== null);
		return [before, place].map((at) => plot.valToPos(plot.data[0][Math.max(at, 0)], 'x', true));
	})];
}

// What uPlot takes: columns, series, and bands between two of them.
function plotted(plot, shown, intervals, palette) {
	const data = [plot.x.values];
	const series = [{}];
	const bands = [];
	const unseen = {stroke: 'transparent', width: 0, points: {show: false}, spanGaps: true};
	const add = (values, look) => {
		data.push(drawable(values, plot.y.scale));
		series.push(look);
		return data.length - 1;
	};
	for (const one of shown) {
		const colour = palette.lines[one.colour % palette.lines.length];
		add(one.y, {stroke: colour, width: one.width, gaps: gapsOf(one),
			dash: DASHES[one.dash % DASHES.length], points: one.signs ? {show: true,
				paths: signsOf(one.sign), fill: colour, stroke: colour, width: 1} : {show: false}});
		if (intervals && hasInterval(one)) {
			const high = add(one.high.map((value, index) => value ?? one.y[index]), unseen);
			const low = add(one.low.map((value, index) => value ?? one.y[index]), unseen);
			bands.push({series: [high, low], fill: colour + BAND_ALPHA});
		}
	}
	return {data, series, bands};
}

// ---- what the reader points at ----

function distance(plot, a, b) {
	const [x, y] = [plot.x.values[a], plot.x.values[b]];
	return ['wholes', 'places'].includes(plot.x.scale) ? Math.abs(x - y) : Math.abs(Math.log2(x / y));
}

// Of each series the nearest point.
function readAt(plot, place) {
	return plot.series.map(({texts, ranges}) => {
		let best = null;
		texts.forEach((text, index) => {
			if (text && (best === null || distance(plot, index, place) < distance(plot, best, place)))
				best = index;
		});
		if (best === null || distance(plot, best, place) > NEAR[plot.x.scale])
			return null;
		return `${texts[best]} ${plot.y.unit}${ranges[best] ? ` (${ranges[best]})` : ''}`;
	});
}

// ---- the table behind ----

function tableOf(plot) {
	const columns = [{label: plot.x.label, unit: plot.x.unit}, ...plot.series.flatMap((one) => [
		{label: one.name, unit: plot.y.unit, numeric: true},
		...(hasInterval(one) ? [{label: '95 %', unit: plot.y.unit, numeric: true}] : [])])];
	return table(plot.title, columns, plot.x.texts.map((text, index) => [text,
		...plot.series.flatMap((one) => [one.texts[index],
			...(hasInterval(one) ? [one.ranges[index]] : [])])]));
}

// ---- all ----

class Chart {
	constructor(plots) {
		this.plots = plots;
		this.hidden = new Set();
		this.state = {intervals: true, measured: true, reported: true};
		for (const {name, off} of plots.flatMap((plot) => plot.series))
			if (off)
				this.hidden.add(name);
		this.place = element('div', {class: 'plot', tabindex: 0, role: 'group'});
		this.legendPlace = element('div');
		this.heard = element('p', {class: 'heard', 'aria-live': 'polite'});
		this.details = element('details', {class: 'data'}, element('summary', {}, 'The numbers'));
		this.title = element('figcaption', {id: identifier('chart')});
		this.place.setAttribute('aria-labelledby', this.title.id);
		this.node = element('figure', {class: 'chart'}, this.title, this.controls(),
			this.legendPlace, this.place, this.heard, this.details);
		this.place.addEventListener('keydown', (event) => this.walk(event));
		this.details.addEventListener('toggle', () => this.fillTable());
		this.place.hidden = this.legendPlace.hidden = !hasCharts();
		this.details.open = !hasCharts();
		if (hasCharts())
			new ResizeObserver(() => this.fit()).observe(this.place);
		watchTheme(() => this.draw(this.plot));
		this.draw(plots[0]);
	}

	controls() {
		const {plots, state} = this;
		const has = (test) => plots.some(test) && hasCharts();
		const set = (name) => (value) => {
			state[name] = value;
			this.draw(this.plot);
		};
		return element('div', {class: 'controls'},
			plots.length > 1 ? choice(plots[0].choices, plots.map((plot, index) => ({value: index,
				label: plot.choice})), 0, (index) => this.draw(plots[index])) : null,
			has((plot) => plot.series.some(hasInterval))
				? toggle('95 % intervals', true, set('intervals')) : null,
			has((plot) => plot.marks.some(isMeasured))
				? toggle('measured sizes', true, set('measured')) : null,
			has((plot) => plot.marks.some((mark) => mark.reported))
				? toggle('reported sizes', true, set('reported')) : null);
	}

	draw(plot) {
		this.plot = plot;
		this.marks = plot.marks.filter((mark) =>
			(isMeasured(mark) ? this.state.measured : this.state.reported));
		this.title.replaceChildren(element('strong', {}, plot.title), element('span', {class: 'unit'},
			[` ${plot.y.label}`, plot.y.unit, plot.y.beside_label && `right: ${plot.y.beside_label}`]
				.filter(Boolean).join(', ')));
		this.legend = legend(seriesOf(plot), this.hidden, (name) => {
			this.draw(plot);
			this.legend.focus(name);
		});
		this.legendPlace.replaceChildren(this.legend.node);
		this.fillTable();
		if (hasCharts())
			this.paint();
	}

	paint() {
		this.picture?.destroy();
		this.picture = null;
		const width = Math.floor(this.place.clientWidth);
		if (width < 40)
			return;
		const palette = colours();
		const {plot, marks} = this;
		const {data, series, bands} = plotted(plot, seriesOf(plot).filter((one) =>
			!this.hidden.has(one.name)), this.state.intervals, palette);
		this.picture = new uPlot({
			width, height: plot.y.scale === 'shares' ? 190 : 380, series, bands, legend: {show: false},
			padding: [8 + marksHeight(marks), 26, 0, 0],
			scales: {x: {time: false, distr: ['wholes', 'places'].includes(plot.x.scale) ? 1 : 3, log: 2,
				range: rangeOf(plot.x, 'x')},
			y: {distr: plot.y.scale === 'powers' ? 3 : 1, log: 10, range: rangeOf(plot.y, 'y')}},
			axes: [axisOf(plot.x, 'x', palette), axisOf(plot.y, 'y', palette),
				...besideOf(plot.y, palette)],
			cursor: {y: false, points: {show: false}, drag: {x: true, y: false},
				sync: plot.x.scale === 'bytes' ? {key: 'sizes', setSeries: false} : undefined},
			hooks: {drawClear: [(picture) => drawMarks(picture, marks, plot.y.scale, palette)],
				setCursor: [(picture) => this.point(picture)]},
		}, data, this.place);
	}

	fit() {
		const width = Math.floor(this.place.clientWidth);
		if (!this.picture)
			this.paint();
		else if (width >= 40 && width !== this.picture.width)
			this.picture.setSize({width, height: this.picture.height});
	}

	point(picture) {
		const {idx} = picture.cursor;
		this.legend.show(Number.isInteger(idx) ? readAt(this.plot, idx) : null);
	}

	// Left and right go from point to point, Home and End to the first and the last; Escape leaves.
	walk(event) {
		const count = this.picture?.data[0].length ?? 0;
		const now = this.picture?.cursor.idx ?? -1;
		const next = {ArrowLeft: Math.max(0, now - 1), ArrowRight: Math.min(count - 1, now + 1),
			Home: 0, End: count - 1}[event.key];
		if (!count || (next === undefined && event.key !== 'Escape'))
			return;
		event.preventDefault();
		if (next === undefined) {
			this.picture.setCursor({left: -10, top: -10});
			this.heard.textContent = '';
			return;
		}
		const {plot} = this;
		this.picture.setCursor({left: this.picture.valToPos(plot.x.values[next], 'x'), top: 10});
		this.heard.textContent = [`${plot.x.texts[next]} ${plot.x.unit}`, ...readAt(plot, next)
			.map((text, index) => text && `${plot.series[index].name} ${text}`).filter(Boolean)]
			.join('; ');
	}

	fillTable() {
		this.details.querySelector('.scroll')?.remove();
		if (this.details.open)
			this.details.append(tableOf(this.plot));
	}
}

// The picture follows the theme and the width.
export function chart(plots) {
	return new Chart(plots).node;
}
