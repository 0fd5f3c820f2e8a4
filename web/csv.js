// Points, pairs of CPUs, loads, or bins of single accesses, as CSV (RFC 4180), a row each, in columns of the names that `fathom --csv` has.

const REJECTIONS = ['switch', 'fault', 'migration', 'steal', 'clock', 'outlier'];

function cell(value) {
	const text = value === null || value === undefined ? '' : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// What is a list or an object in JSON, as plain values.
function flatten({points, ...curve}, index, point) {
	const {blocks_ns: blocks, samples_ns: samples, rejected, counts, ...plain} = point;
	const row = {experiment: curve.experiment, ...curve, ...plain, curve: index,
		blocks: blocks?.length};
	for (const reason of REJECTIONS)
		row[`rejected_${reason}`] = rejected?.[reason] ?? 0;
	if (counts)
		row.counts = counts.filter((count) => count.per_access !== null)
			.map((count) => `${count.event}=${Number(count.per_access.toPrecision(6))}`).join(';');
	return row;
}

function cpusOf(list) {
	return list.split(',').flatMap((part) => {
		const [low, high = low] = part.split('-').map(Number);
		return Array.from({length: high - low + 1}, (_, index) => low + index);
	});
}

// Of each class of the curve the group of each CPU.
function groupsOf({core_classes: classes = []}, curve) {
	return classes.filter((one) => one.curve === curve).map(({kind, members}) => ({kind,
		of: new Map(members.flatMap((list, group) => cpusOf(list).map((cpu) => [cpu, group])))}));
}

function pairsOf(result, {pairs = []}, curve) {
	const groups = groupsOf(result, curve);
	return pairs.map(({blocks_ns: _, ...pair}) => ({...pair,
		kind: groups.find(({of}) => of.get(pair.cpu_a) === of.get(pair.cpu_b))?.kind}));
}

const valuesOf = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => !Array.isArray(value)));

function binsOf({distributions = []}) {
	return distributions.flatMap(({curve, bins}) => bins.map((bin) => ({curve, ...bin})));
}

// The readers of fathom know such a table by its first column.
export function csvOf(result) {
	const rows = result.curves.flatMap((curve, index) => [...pairsOf(result, curve, index),
		...(curve.loads ?? []).map((load) => ({curve: index, ...valuesOf(load)})),
		...curve.points.map((point) => flatten(curve, index, point))]);
	rows.push(...binsOf(result));
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
		.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
