// Points as CSV (RFC 4180), a row per point, in columns of the names that `fathom --csv` has.

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

// The readers of fathom know such a table by its first column.
export function csvOf(result) {
	const rows = result.curves.flatMap((curve, index) =>
		curve.points.map((point) => flatten(curve, index, point)));
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
		.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
