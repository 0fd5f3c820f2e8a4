// What address translation costs: the parts of an access, one line a page, TLBs and walks.

import {chart} from './charts.js';
import {choice} from './controls.js';
import {curvesWhere, labelsOf, pageName} from './curves.js';
import {element} from './dom.js';
import {isKnown, number, percent, range, significant, size, spread} from './format.js';
import {tableOfKnown} from './tables.js';

const PARTS = [['memory', 'the cache or memory itself'], ['second_tlb', 'looking in the second TLB'],
	['walk', 'page walks']];
const VIEWS = {ns: {label: 'ns per access', unit: 'ns'}, share: {label: '% of an access', unit: '%'}};

// Why, below a table: sentences make a column too narrow to read.
function notes(pairs) {
	const known = pairs.filter(([, why]) => why);
	return known.length ? element('ul', {class: 'notes'}, known.map(([what, why]) =>
		element('li', {}, element('strong', {}, what), `: ${why}`))) : null;
}

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

function partsTable(made) {
	const cost = (one, bound) => (isKnown(one?.ns) ? `${bound ? '≤ ' : ''}${number(one.ns)} ` +
		spread(one.ns, one.low_ns, one.high_ns) : '–');
	return tableOfKnown('Parts of an access on base pages', [{label: 'Size'},
		{label: 'All', unit: 'ns', numeric: true},
		{label: 'Cache or memory', unit: 'ns', numeric: true},
		{label: 'Second TLB', unit: 'ns', numeric: true}, {label: 'Walks', unit: 'ns', numeric: true},
		{label: 'Not explained', unit: 'ns', numeric: true}],
	made.map((one) => [size(one.size_bytes), cost(one.total),
		...PARTS.map(([part]) => cost(one.parts[part], part === 'memory' && one.memory_is_bound)),
		cost(one.parts.residual)]));
}

function stack(result) {
	const made = result.decompositions ?? [];
	if (!made.length)
		return [];
	const drawn = chart(stackSpec(made, 'ns'));
	const largest = made[made.length - 1];
	return [element('div', {class: 'controls'}, choice('Show', [{value: 'ns', label: 'ns'},
		{value: 'share', label: 'share'}], 'ns', (view) => drawn.draw(stackSpec(made, view)))),
	drawn.node, partsTable(made), notes([[size(largest.size_bytes), largest.evidence]])];
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

// ---- tables ----

function tlbTable(translations) {
	const rows = translations.flatMap((one) => one.tlbs.map((tlb, index) => [
		`TLB ${index + 1}, ${pageName(one.page_kind)}`,
		isKnown(tlb.entries) ? tlb.entries.toFixed(0) : '–',
		range(tlb.entries_low, tlb.entries_high, (value) => value.toFixed(0)),
		isKnown(tlb.entries) ? size(tlb.entries * one.entry_bytes) : '',
		number(tlb.penalty_ns), range(tlb.penalty_low_ns, tlb.penalty_high_ns, number),
		number(tlb.penalty_cycles), percent(tlb.confidence, 0)]));
	const why = translations.flatMap((one) => one.tlbs.map((tlb, index) => [
		`TLB ${index + 1}, ${pageName(one.page_kind)}`, tlb.evidence]));
	return rows.length ? [tableOfKnown('TLBs', [{label: 'TLB'}, {label: 'Entries', numeric: true},
		{label: '95 %', numeric: true}, {label: 'Reach', numeric: true},
		{label: 'A miss adds', unit: 'ns', numeric: true}, {label: '95 %', unit: 'ns', numeric: true},
		{label: 'Cycles', numeric: true}, {label: 'Sure', numeric: true}], rows), notes(why)] : null;
}

function walkTable(translations) {
	const pages = (value) => (isKnown(value) ? significant(value) : '…');
	const rows = translations.flatMap((one) => one.walks.map((walk) => [
		`${pageName(one.page_kind)}, tables in ${walk.level ?? 'a place not known'}`,
		`${pages(walk.from_pages)} – ${pages(walk.to_pages)}`,
		number(walk.ns), range(walk.low_ns, walk.high_ns, number), number(walk.cycles)]));
	const why = translations.flatMap((one) => one.walks.map((walk) => [
		`${pageName(one.page_kind)}, tables in ${walk.level ?? 'a place not known'}`, walk.evidence]));
	return rows.length ? [tableOfKnown('Page walks', [{label: 'Leaf tables'},
		{label: 'Pages visited', numeric: true}, {label: 'A walk costs', unit: 'ns', numeric: true},
		{label: '95 %', unit: 'ns', numeric: true}, {label: 'Cycles', numeric: true}], rows),
	notes(why)] : null;
}

function differenceTable(result) {
	const rows = (result.page_differences ?? []).map((one) => [
		size(one.size_bytes), number(one.ns), range(one.low_ns, one.high_ns, number),
		pageName(result.curves[one.large]?.points[0]?.page_kind)]);
	return rows.length ? tableOfKnown('What base pages cost more than larger ones',
		[{label: 'Size'}, {label: 'More', unit: 'ns', numeric: true},
			{label: '95 %', unit: 'ns', numeric: true}, {label: 'than'}], rows) : null;
}

function missing(translations) {
	const sentences = translations.flatMap((one) => [
		one.tlbs_missing && ['no TLB was found', one.tlbs_missing, one],
		one.walks_missing && ['the cost of a walk is not known', one.walks_missing, one],
		one.splintered_evidence && [one.splintered ? 'TLBs hold them in small ones'
			: one.splintered === false ? 'TLBs hold them whole'
				: 'whether TLBs hold them whole is not known', one.splintered_evidence, one],
	]).filter(Boolean);
	return element('ul', {class: 'notes'}, sentences.map(([what, why, one]) => element('li', {},
		element('strong', {}, pageName(one.page_kind)), `: ${what}: ${why}`)));
}

export function hasTranslation(result) {
	return (result.translations ?? []).length > 0 || (result.decompositions ?? []).length > 0 ||
		pageCurves(result).length > 0;
}

export function translation(result) {
	const translations = result.translations ?? [];
	return [stack(result), onePerPage(result), tlbTable(translations), walkTable(translations),
		differenceTable(result), missing(translations)];
}
