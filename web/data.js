// The document that was measured, out of the columns that the page holds.

// As src/render/html.c writes it: {count, fields: {name: {all} | {each, absent}}}.
function pointsOf(columns) {
	const fields = Object.entries(columns.fields).map(([name, column]) => ({
		name, ...column, absent: new Set(column.absent)}));
	return Array.from({length: columns.count}, (_, index) => {
		const point = {};
		for (const field of fields)
			if (!field.absent.has(index))
				point[field.name] = field.each ? field.each[index] : field.all;
		return point;
	});
}

// {result: the fathom/1 document, leftOut: the fields that only the JSON beside has, views: the parts
// that the command shows of it}
export function readData() {
	const {document: result, left_out: leftOut, views} =
		JSON.parse(document.getElementById('data').textContent);
	for (const holder of result.curves ?? result.runs ?? [])
		holder.points = pointsOf(holder.points);
	return {result, leftOut, views};
}
