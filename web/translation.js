// What address translation costs: the parts of an access, one line a page, TLBs and walks.

import {chart} from './charts.js';
import {choice} from './controls.js';
import {curvesWhere, labelsOf, pageName} from './curves.js';
import {element} from './dom.js';
import {isKnown, number, significant, size} from './format.js';
import {hasViews, viewsOf} from './views.js';

const PARTS = [['memory', 'the cache or memory itself'], ['second_tlb', 'looking in the second TLB'],
	['walk', 'page walks']];
const VIEWS = {ns: {label: 'ns per access', unit: 'ns'}, share: {label: '% of an access', unit: '%'}};

// ---- the parts of an access ----

function stackSpec(made, view) {
	const share = view === 'share';
	const scaled = (cost, one) => (isKnown(cost?.ns) ? share ? 100 * cost.ns / one.total.ns : cost.ns
		: null);
	const points = (of) => made.map((one) => ({x: one.size_bytes, y: scaled(of(one), one)}));
	return {
		title: 'What an access on base pages is made of', height: 340,
		describe: 'Each part is measured on its own. Where the line is over the areas, they do not ' +
			'explain all of it; where it is below, a part is more than its share.',
		x: {label: 'size of the memory that is walked', log: 2, format: size, tick: size},
		y: {...VIEWS[view], log: null, format: significant},
		series: [
			...PARTS.map(([part, label], index) => ({label, colour: index, filled: true, dash: 0,
				sign: index, points: points((one) => one.parts[part])}))
				.filter((one) => one.points.some((point) => isKnown(point.y))),
			{label: 'an access, measured', colour: 7, dash: 0, sign: 3,
				points: points((one) => one.total)},
		],
	};
}

function stack(result) {
	const made = result.decompositions ?? [];
	if (!made.length)
		return [];
	const drawn = chart(stackSpec(made, 'ns'));
	return [element('div', {class: 'controls'}, choice('Show', [{value: 'ns', label: 'ns'},
		{value: 'share', label: 'share'}], 'ns', (view) => drawn.draw(stackSpec(made, view)))),
	drawn.node];
}

// ---- one line a page ----

function pageTick(pages) {
	return pages >= 2 ** 20 ? `${pages / 2 ** 20} M` : pages >= 1024 ? `${pages / 1024} K`
		: String(pages);
}

function pageCurves(result) {
	return curvesWhere(result, (curve) => curve.axis === 'pages');
}

function onePerPage(result) {
	const curves = pageCurves(result);
	if (!curves.length)
		return null;
	const labels = labelsOf(curves);
	const tlbs = (result.translations ?? []).flatMap((one) => one.tlbs.map((tlb, index) => ({
		x: tlb.entries, low: tlb.entries_low, high: tlb.entries_high,
		label: `TLB ${index + 1}, ${pageName(one.page_kind)}`})));
	return chart({
		title: 'One line a page, and as many lines packed', sync: 'pages',
		describe: 'What the first costs over the second is translation.',
		x: {label: 'pages visited (packed: lines)', log: 2,
			format: (pages) => String(pages), tick: pageTick},
		y: {label: 'ns per access', unit: 'ns', log: 10, format: number},
		series: curves.map((curve, index) => ({label: labels[index], colour: index, dash: index,
			sign: index, points: curve.points.map((point) => ({x: point.nodes, y: point.latency_ns,
				low: point.latency_low_ns, high: point.latency_high_ns}))
				.filter((point) => isKnown(point.x) && isKnown(point.y))})),
		marks: tlbs.filter((mark) => isKnown(mark.x)),
	}).node;
}

const PARTS_SHOWN = ['parts', 'pages', 'tlbs', 'walks', 'places'];

export function hasTranslation(result, {views}) {
	return pageCurves(result).length > 0 || hasViews(views, PARTS_SHOWN);
}

export function translation(result, {views}) {
	return [stack(result), onePerPage(result), viewsOf(views, PARTS_SHOWN)];
}
