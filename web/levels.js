// The table of levels: how far each reaches, what the OS says, what a dependent access costs.

import {element} from './dom.js';
import {isKnown, number, overlapping, percent, reach, significant, size, spread} from './format.js';
import {labelsOf} from './curves.js';
import {tableOfKnown} from './tables.js';

const SURE = 0.9;
const REPLACEMENTS = {lru: 'like LRU', random: 'like random', resistant: 'resists thrashing'};

export function isUnsure(level) {
	return level.kind !== 'unknown' && isKnown(level.confidence) && level.confidence < SURE;
}

// The warning decides, as in the text that the command prints. Undefined: there is none.
function differs(result, level) {
	const outside = isKnown(level.size_bytes)
		? level.size_low_bytes > level.reported_bytes || level.size_high_bytes < level.reported_bytes
		: level.size_low_bytes > level.reported_bytes;
	return isKnown(level.reported_bytes) && outside ? (result.warnings ?? []).find((warning) =>
		warning.id === 'reach-differs' && warning.where === level.name) : undefined;
}

function reachText(level) {
	if (level.kind === 'memory')
		return `at ${size(level.at_bytes)}`;
	if (!isKnown(level.size_bytes))
		return isKnown(level.size_low_bytes) ? `> ${size(level.size_low_bytes)}` : '';
	return reach(level.size_bytes, level.size_low_bytes, level.size_high_bytes);
}

function reportedText(result, level) {
	if (level.kind === 'tlb' && isKnown(level.entries))
		return `${level.entries.toFixed(0)} × ${size(level.entry_bytes)}`;
	if (level.kind === 'unknown')
		return isKnown(level.penalty_ns) ? 'cache or TLB?' : 'cache or memory?';
	if (!isKnown(level.reported_bytes))
		return '';
	return size(level.reported_bytes) + (differs(result, level) ? ' !' : '');
}

// Memory is all that lies past the caches, whatever the steps there are called.
function isOf(result, level, one) {
	const caches = result.levels.filter((other) => other.kind === 'cache').map((other) =>
		(isKnown(other.size_bytes) ? other.size_bytes : Infinity));
	return level.kind === 'memory' ? one.level && one.size_bytes > Math.max(0, ...caches)
		: one.level === level.name;
}

// As in the text that the command prints: at the largest size in the level, of the kinds of pages
// the one with most. Undefined: there is none.
function mostOf(result, level, field) {
	return (result.parallelism ?? [])
		.filter((one) => isOf(result, level, one) && isKnown(one[field]))
		.sort((a, b) => b.size_bytes - a.size_bytes || b[field] - a[field])[0];
}

function row(result, level) {
	const penalty = isKnown(level.penalty_ns) || isKnown(level.penalty_cycles);
	const over = penalty || result.curves[level.curve]?.relative_to_l1;
	const sign = (text) => (over && text !== '–' ? `+${text}` : text);
	const ns = penalty ? level.penalty_ns : level.latency_ns;
	const cycles = penalty ? level.penalty_cycles : level.latency_cycles;
	const overlap = mostOf(result, level, 'speedup');
	const read = mostOf(result, level, 'read_bytes_per_second');
	return [
		level.name + (isUnsure(level) ? ' ?' : ''),
		reachText(level),
		reportedText(result, level),
		sign(number(ns)),
		penalty ? '' : spread(level.latency_ns, level.latency_low_ns, level.latency_high_ns),
		sign(number(cycles)),
		overlap ? overlapping(overlap) : '',
		read ? significant(read.read_bytes_per_second / 1e9) : '',
		REPLACEMENTS[level.replacement] ?? '',
	];
}

const COLUMNS = [
	{label: 'Level'},
	{label: 'Reach', numeric: true},
	{label: 'OS says', numeric: true},
	{label: 'Latency', unit: 'ns', numeric: true},
	{label: '95 %', unit: 'ns', numeric: true},
	{label: 'Cycles', numeric: true},
	{label: 'Accesses that overlap', numeric: true},
	{label: 'Read, one core', unit: 'GB/s', numeric: true},
	{label: 'Replacement'},
];

// Of each level that leaves something open, a sentence.
function evidence(result, levels) {
	const open = levels.filter((level) => level.evidence &&
		(isUnsure(level) || level.kind === 'tlb' || level.kind === 'unknown'));
	const items = [
		...levels.map((level) => [`! ${level.name}`, differs(result, level)?.text]),
		...open.map((level) => [level.name + (isUnsure(level)
			? ` (${percent(level.confidence, 0)} sure)` : ''), level.evidence]),
	].filter(([, text]) => text);
	return items.length ? element('ul', {class: 'notes'}, items.map(([name, text]) =>
		element('li', {}, element('strong', {}, name), `: ${text}`))) : null;
}

export function levels(result, {sentences}) {
	const numbers = [...new Set(result.levels.map((level) => level.curve))];
	const curves = numbers.map((index) => ({...result.curves[index], index}))
		.filter((curve) => curve.points?.length);
	const labels = labelsOf(curves);
	const told = sentences.length ? element('ul', {class: 'sentences'},
		sentences.map((sentence) => element('li', {}, sentence))) : null;
	return curves.map((curve, place) => {
		const own = result.levels.filter((level) => level.curve === curve.index);
		const caption = curves.length > 1 ? `What a dependent access costs in each level: ${labels[place]}`
			: 'What a dependent access costs in each level, and how far that reaches';
		return [tableOfKnown(caption, COLUMNS, own.map((level) => row(result, level))),
			place === 0 ? told : null, evidence(result, own)];
	});
}
