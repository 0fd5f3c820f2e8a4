// The numbers on a page against those of the JSON that the command wrote, to the printed digit.

import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';

const known = (value) => typeof value === 'number';

// As "%.2f" of C, by decimal digits.
function printed(value, digits) {
	const [whole, part = ''] = Math.abs(value).toLocaleString('en-US', {useGrouping: false,
		minimumFractionDigits: digits, maximumFractionDigits: digits}).split('.');
	return (value < 0 ? '-' : '') + (part ? `${whole}.${part}` : whole);
}

export function latencyText(value) {
	if (Math.abs(value) < 0.0005)
		return '0';
	return printed(value, value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// Of a table: its headings, and rows of texts.
const read = (table) => table.evaluate((node) => ({
	heads: [...node.querySelectorAll('thead th')].map((cell) => cell.textContent.trim()),
	rows: [...node.querySelectorAll('tbody tr')].map((row) =>
		[...row.cells].map((cell) => cell.textContent.trim())),
}));

async function checkLevels(page, wanted) {
	if (!wanted.levels.length)
		return;
	const all = wanted.levels.filter((level) => level.curve === wanted.levels[0].curve);
	// A survey's table is of caches and memory; TLBs are in its words.
	const own = wanted.survey ? all.filter(({kind}) => kind === 'cache' || kind === 'memory') : all;
	const tables = await Promise.all((await page.locator('#levels table').all()).map(read));
	const {heads, rows} = tables.find((table) => table.rows.length === own.length &&
		table.rows.every((row, index) => row[0].startsWith(own[index].name))) ?? {};
	assert.ok(rows, 'no table has a row for every level');
	const names = heads.map((head) => head.split(' ')[0]);
	const [ns, cycles] = [names.indexOf('latency'), names.indexOf('cycles')];
	assert.ok(ns >= 0 || cycles >= 0, `no latencies in ${heads}`);
	own.forEach((level, index) => {
		const penalty = known(level.penalty_ns) || known(level.penalty_cycles);
		const sign = wanted.curves[level.curve].relative_to_l1 || penalty ? '+' : '';
		const of = (unit) => {
			const value = level[`${penalty ? 'penalty' : 'latency'}_${unit}`];
			return known(value) ? sign + latencyText(value) : '-';
		};
		// With '~', of a wide interval, there are two digits, and of what a miss adds.
		const same = (column, unit) => {
			const [text] = rows[index][column].split(' ');
			if (text.startsWith('~') || (penalty && of(unit) !== '-'))
				assert.ok(Math.abs(Number(text.replace('~', '')) / Number(of(unit)) - 1) < 0.06,
					`${unit} of ${level.name}: ${text}`);
			else
				assert.equal(text, of(unit), `${unit} of ${level.name}`);
		};
		if (ns >= 0)
			same(ns, 'ns');
		if (cycles >= 0)
			same(cycles, 'cycles');
	});
}

// The curve that levels are of stands first or is named; the values are looked for in its column.
async function checkCurve(page, wanted, unit) {
	const figure = page.locator('#latency figure.chart').first();
	const details = figure.locator('details');
	if (await details.getAttribute('open') === null)
		await details.locator('summary').click();
	const {rows} = await read(figure.locator('table'));
	const cells = rows.map((row) => new Set(row.slice(1)));
	const curve = wanted.curves[wanted.levels[0]?.curve ?? 0];
	const points = curve.points.filter((point) => known(point[`latency_${unit}`]));
	const sizes = new Set(wanted.curves.filter((one) => one.axis === 'size').flatMap((one) =>
		one.points.map((point) => point.size_bytes)));
	assert.ok(rows.length > 0 && rows.length <= sizes.size, 'rows of the table of latency');
	for (const point of points) {
		const text = latencyText(point[`latency_${unit}`]);
		assert.ok(cells.some((row) => row.has(text)), `${text} ${unit} at ${point.size_bytes} bytes ` +
			'is not in the table of latency');
	}
	return points.length;
}

export async function checkTables(page, wanted) {
	await checkLevels(page, wanted);
	if (!await page.locator('#latency').count())
		return;
	const has = (unit) => wanted.curves.some((curve) => curve.axis === 'size' &&
		curve.points.some((point) => known(point[`latency_${unit}`])));
	if (has('ns'))
		await checkCurve(page, wanted, 'ns');
	const cycles = page.locator('#latency .choice label', {hasText: 'cycles'});
	if (await cycles.count()) {
		await cycles.click();
		await checkCurve(page, wanted, 'cycles');
		await page.locator('#latency .choice label').first().click();
	}
}

// What the page hands out is the document, with what the report says of the curve in addition.
// The CSV is left at `csvPath`, for fathom to read.
export async function checkDownload(page, wanted, csvPath) {
	const fetchAs = async (id) => {
		const [download] = await Promise.all([page.waitForEvent('download'),
			page.locator(id).click()]);
		return readFileSync(await download.path(), 'utf8');
	};
	const {readings, ...got} = JSON.parse(await fetchAs('#download-json'));
	const {readings: asked, ...rest} = wanted;
	assert.deepEqual(got, rest, 'the JSON that the page hands out');
	if (asked)
		assert.deepEqual(readings, asked, 'the readings that the page hands out');
	const csv = await fetchAs('#download-csv');
	writeFileSync(csvPath, csv);
	const points = wanted.curves.reduce((sum, curve) => sum + curve.points.length, 0);
	assert.equal(csv.trimEnd().split('\r\n').length, points + 1, 'rows of the CSV');
}
