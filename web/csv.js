// Points as CSV (RFC 4180), a row a point: what JSON calls its fields are the columns.

function cell(value) {
	if (value === null || value === undefined)
		return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(result) {
	const rows = result.curves.flatMap(({points, ...curve}, index) =>
		points.map((point) => ({curve: index, ...curve, ...point})));
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
		.filter((name) => name !== 'blocks_ns' && name !== 'samples_ns');
	return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
		.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
