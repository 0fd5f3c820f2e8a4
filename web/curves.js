// What a curve is of, and what to call it beside others.

import {gigahertz, isKnown, significant, size} from './format.js';

const PATTERNS = {
	random_cycle: 'random cycle', random_laps: 'random, several orders',
	independent: 'independent order', line_pair: 'line pair', page_local: 'page-local',
	one_per_page: 'one per page', index_array: 'index array', stride_loop: 'stride loop',
	linear_sum: 'linear sum', separate_cycles: 'separate cycles', write_nt: 'write past caches',
	copy_nt: 'copy past caches', unknown: 'order not known',
};
const MULTI_SIZES = ['16k', '32k', '64k', '128k', '256k', '512k', '1m'];
const multiSizes = (words) => Object.fromEntries(MULTI_SIZES.map((kind) =>
	[kind, words(`${parseInt(kind, 10)} ${kind.endsWith('m') ? 'MiB' : 'KiB'}`)]));
const PAGES = {default: 'default pages', '4k': '4 KiB pages', thp: 'transparent huge pages',
	'2m': '2 MiB pages', '1g': '1 GiB pages', ...multiSizes((size) => `${size} multi-size THP`)};
const WARMTHS = {warm: 'warm', cold_flushed: 'cold (flushed)', cold_mapped: 'cold (mapped)'};

export function pageName(kind) {
	return PAGES[kind] ?? kind ?? 'pages not known';
}

function warmthName(warmth) {
	return WARMTHS[warmth] ?? warmth ?? 'not known';
}

export function orderName(point) {
	const name = PATTERNS[point.pattern] ?? point.pattern ?? PATTERNS.unknown;
	if (point.pattern === 'window')
		return `windows of ${size(point.window_bytes)}`;
	if (point.pattern === 'strided' || point.pattern === 'stride_loop')
		return `${name}, ${size(point.stride_bytes)} apart`;
	if (point.pattern === 'line_pair')
		return `pair, ${size(point.stride_bytes)} apart`;
	if (point.pattern === 'random_laps')
		return `random, ${point.laps} orders`;
	return name;
}

// Of the things that tell curves apart, in the order in which they are named.
const TRAITS = [
	(curve, point) => curve.tool,
	(curve, point) => orderName(point),
	(curve, point) => (curve.axis === 'size' || !point.size_bytes || curve.axis === 'pages'
		? null : size(point.size_bytes)),
	(curve, point) => (point.page_kind ? pageName(point.page_kind) : null),
	(curve, point) => (point.warmth ? warmthName(point.warmth) : null),
	(curve, point) => (point.threads ? `${point.threads} thread${point.threads > 1 ? 's' : ''}`
		: null),
	(curve, point) => (!point.node_bytes ? null : point.pattern === 'one_per_page'
		? `${size(point.node_bytes)} apart` : curve.axis === 'pages' ? null
			: `nodes of ${size(point.node_bytes)}`),
	(curve) => (!curve.clock ? null : isKnown(curve.clock.hz) ? gigahertz(curve.clock.hz)
		: `clock × ${significant(curve.clock.relative)}`),
	(curve, point) => (point.link === 'byte' ? 'no links' : point.link ? `${point.link} links`
		: null),
	(curve, point) => (isKnown(curve.cpu) ? `CPU ${curve.cpu}` : null),
];

// A name for each of the curves: the traits that are not common to all.
export function labelsOf(curves) {
	const traits = curves.map((curve) => TRAITS.map((trait) => trait(curve, curve.points[0])));
	const telling = TRAITS.map((_, index) =>
		new Set(traits.map((row) => row[index])).size > 1);
	const labels = traits.map((row) => row.filter((text, index) => text && telling[index])
		.join(', ') || row[0] || row[1]);
	return labels.map((label, index) => (labels.indexOf(label) === labels.lastIndexOf(label)
		? label : `${label} (curve ${curves[index].index + 1})`));
}

// [{...curve, index}] of those that have points and of which `wanted` is true.
export function curvesWhere(result, wanted) {
	const clockOf = (index) => (result.clocks ?? []).find((clock) => clock.curve === index);
	return result.curves.map((curve, index) => ({...curve, index, clock: clockOf(index)}))
		.filter((curve) => curve.points.length > 0 && wanted(curve, curve.points[0]));
}

// What an access costs: a latency, or where accesses overlap the time of each.
export function timeOf(point) {
	if (isKnown(point.ns_per_access) || isKnown(point.cycles_per_access))
		return {ns: point.ns_per_access, low: point.low_ns_per_access,
			high: point.high_ns_per_access, cycles: point.cycles_per_access};
	return {ns: point.latency_ns, low: point.latency_low_ns, high: point.latency_high_ns,
		cycles: point.latency_cycles};
}
