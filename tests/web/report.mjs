// Opens reports in a real Chromium and looks at what is there.
//
//     node report.mjs WORK CHROMIUM SCREENSHOTS REPORTS.json
//
// WORK: where npm put playwright-core. REPORTS.json: [{name, html, json, kind}], of which `json` is
// what the command wrote as JSON, or null. Exits with 1 and a sentence a failed check.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';

import {checkDownload, checkTables} from './numbers.mjs';

const [work, chromiumPath, screenshots, list] = process.argv.slice(2);
const {chromium} = createRequire(join(work, 'x.js'))('playwright-core');
const WIDE = {width: 1100, height: 900};
const NARROW = {width: 400, height: 800};
const AT_ONCE = 2; // reports: each waits for frames half of the time
const CHANGE_MS = 2000; // to draw a chart anew: generous, for the machine may be busy

// ---- pictures ----

// What is drawn in each canvas, or in that of one figure: a hash of its pixels, and how many colours
// there are.
const pictures = (page, only = null) => page.evaluate((which) => [...document.querySelectorAll(
	'figure.chart:not([hidden]) .plot canvas')].filter((_, index) => which === null || which === index)
	.map((canvas) => {
		const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		const seen = new Set();
		let hash = 0;
		for (let at = 0; at < data.length; at += 4) {
			const pixel = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
			seen.add(pixel);
			hash = (Math.imul(hash, 31) + pixel) | 0;
		}
		return {hash, colours: seen.size};
	}), only);

const settled = (page) => page.evaluate(() => new Promise((done) =>
	requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 5)))));

// More curves than there are colours differ in dash or sign.
async function checkLegends(page, name) {
	const legends = await page.evaluate(() => [...document.querySelectorAll('.legend')].map((legend) =>
		[...legend.querySelectorAll('svg')].map((svg) => [...svg.children].map((shape) => [
			shape.tagName, getComputedStyle(shape).stroke, getComputedStyle(shape).fill,
			shape.getAttribute('stroke-dasharray'), shape.getAttribute('d')].join(' ')).join('; '))));
	for (const samples of legends) {
		for (const sample of samples)
			assert.match(sample, /^line rgb|^rect none rgb/, `${name}: a curve without a colour`);
		assert.equal(new Set(samples).size, samples.length, `${name}: two curves look the same`);
	}
}

// Each chart is no blank, and each curve of it makes a difference.
async function checkCharts(page, {name, kind}) {
	const figures = page.locator('figure.chart:not([hidden])');
	const count = await figures.count();
	const drawn = await pictures(page);
	if (kind === 'bare') {
		assert.ok(await page.getByText('tables take the place of charts').isVisible());
		assert.equal(drawn.length, 0, name);
		assert.equal(await page.locator('figure details[open] table').count(), count, name);
		return count;
	}
	assert.equal(drawn.length, count, `${name}: a chart has no canvas`);
	await checkLegends(page, name);
	drawn.forEach(({colours}, index) =>
		assert.ok(colours > 3, `${name}: chart ${index + 1} is blank`));
	for (let index = 0; index < count; index++) {
		const buttons = figures.nth(index).locator('.legend button');
		for (let which = 0; which < await buttons.count(); which++) {
			const label = `${name}: ${await buttons.nth(which).textContent()}`;
			const [before] = await pictures(page, index);
			const pressed = await buttons.nth(which).getAttribute('aria-pressed');
			await buttons.nth(which).click();
			await settled(page);
			assert.notEqual(await buttons.nth(which).getAttribute('aria-pressed'), pressed, label);
			const [after] = await pictures(page, index);
			/* What this machine measured may lie under another line. */
			if (name !== 'real')
				assert.notEqual(after.hash, before.hash, `${label} is not drawn`);
			await buttons.nth(which).click();
			await settled(page);
		}
	}
	return count;
}

// Every choice and every box changes some picture, and back again.
async function checkSwitches(page, name) {
	for (const group of await page.locator('section .choice').all()) {
		const labels = await group.locator('label').all();
		for (const label of [...labels.slice(1), labels[0]]) {
			const before = JSON.stringify(await pictures(page));
			await label.click();
			await settled(page);
			assert.notEqual(JSON.stringify(await pictures(page)), before,
				`${name}: '${await label.textContent()}' changes nothing`);
		}
	}
	for (const box of await page.locator('.toggle').all()) {
		const text = await box.textContent();
		const before = JSON.stringify(await pictures(page));
		await box.click();
		await settled(page);
		const after = JSON.stringify(await pictures(page));
		await box.click();
		await settled(page);
		// Points without intervals have none to switch.
		if (!text.includes('intervals'))
			assert.notEqual(after, before, `${name}: '${text}' changes nothing`);
	}
}

// ---- keys, readers, colours ----

async function checkKeys(page, name) {
	const plot = page.locator('.plot').first();
	await plot.focus();
	await page.keyboard.press('Home');
	const first = await page.locator('.heard').first().textContent();
	await page.keyboard.press('ArrowRight');
	const second = await page.locator('.heard').first().textContent();
	assert.match(first, /KiB|B|lane/, `${name}: the first point is not said`);
	assert.notEqual(first, second, `${name}: keys do not walk along the points`);
	assert.ok((await page.locator('.legend .value').first().textContent()).length >= 0);
}

async function checkReaders(page, name) {
	const problems = await page.evaluate(() => {
		const found = [];
		const say = (text, node) => found.push(`${text}: ${node.outerHTML.slice(0, 120)}`);
		for (const table of document.querySelectorAll('table'))
			if (!table.caption?.textContent.trim())
				say('a table without a caption', table);
		for (const cell of document.querySelectorAll('th:not([scope])'))
			say('a heading without a scope', cell);
		for (const figure of document.querySelectorAll('figure.chart')) {
			const plot = figure.querySelector('.plot');
			if (!document.getElementById(plot.getAttribute('aria-labelledby'))?.textContent)
				say('a chart without a name', figure);
			if (!figure.querySelector('details summary'))
				say('a chart without its numbers', figure);
		}
		for (const input of document.querySelectorAll('input'))
			if (!input.labels.length)
				say('a control without a label', input);
		const levels = [...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]));
		if (levels[0] !== 1 || levels.some((level, i) => i && level > levels[i - 1] + 1))
			found.push(`headings skip a level: ${levels}`);
		return found;
	});
	assert.deepEqual(problems, [], name);
}

// WCAG 2: 4.5 for text, 3 for what else tells something.
async function checkContrast(page, name) {
	const ratios = await page.evaluate(() => {
		const style = getComputedStyle(document.documentElement);
		const light = (colour) => colour.match(/\w\w/g).map((hex) => parseInt(hex, 16) / 255)
			.map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
			.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
		const of = (variable) => light(style.getPropertyValue(variable).trim().slice(1));
		const paper = of('--paper');
		return ['--text', '--quiet', '--accent', '--alert', '--line-1', '--line-2', '--line-3',
			'--line-4', '--line-5', '--line-6', '--line-7', '--line-8'].map((variable) =>
			[variable, (Math.max(of(variable), paper) + 0.05) / (Math.min(of(variable), paper) + 0.05)]);
	});
	for (const [variable, ratio] of ratios)
		assert.ok(ratio >= (variable.startsWith('--line') ? 3 : 4.5),
			`${name}: ${variable} has a contrast of ${ratio}`);
}

// ---- nothing comes in, nothing goes out ----

function watch(page, trouble) {
	// (That pictures are read back here is no fault of the page.)
	page.on('console', (message) => ['error', 'warning'].includes(message.type()) &&
		!message.text().includes('willReadFrequently') && trouble.push(`console: ${message.text()}`));
	page.on('pageerror', (error) => trouble.push(`error: ${error.stack}`));
	page.on('request', (request) => /^(file|blob):/.test(request.url()) ||
		trouble.push(`request: ${request.url()}`));
	page.on('dialog', (dialog) => {
		trouble.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
}

async function checkInert(page, name) {
	const found = await page.evaluate(() => ({
		scripts: document.scripts.length,
		strangers: document.querySelectorAll('#page :is(script, img, iframe, object, embed, link, style, '
			+ 'form, base, meta)').length,
		handlers: [...document.querySelectorAll('*')].filter((node) => node.getAttributeNames()
			.some((attribute) => attribute.startsWith('on') || attribute === 'style'
				&& !node.closest('.plot'))).length,
		run: window.hacked,
		links: [...document.links].filter((link) => !link.getAttribute('href').startsWith('#')).length,
	}));
	assert.deepEqual(found, {scripts: 2, strangers: 0, handlers: 0, run: undefined, links: 0}, name);
}

// In a page of its own, for the refusal is an error in the console. A server listens in vain.
async function checkPolicy(context, report) {
	let visits = 0;
	const server = createServer((_, response) => {
		visits += 1;
		response.end();
	});
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	const page = await context.newPage();
	await page.goto(`file://${report.html}`);
	const refused = await page.evaluate(async (port) => {
		const violations = [];
		document.addEventListener('securitypolicyviolation', (event) =>
			violations.push(event.effectiveDirective));
		await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
		const image = new Image();
		image.src = `http://127.0.0.1:${port}/x.png`;
		const script = document.createElement('script');
		script.textContent = 'window.hacked = true';
		document.body.append(image, script);
		await new Promise((done) => setTimeout(done, 200));
		return {violations: violations.sort(), run: window.hacked};
	}, server.address().port);
	assert.deepEqual(refused.violations, ['connect-src', 'img-src', 'script-src-elem']);
	assert.equal(refused.run, undefined, 'a script that is not the page\'s own runs');
	assert.equal(visits, 0, 'a request leaves the page');
	await page.close();
	server.close();
}

// ---- looks ----

const shoot = (page, name) => page.screenshot({fullPage: true,
	path: join(screenshots, `${name}.png`)});

async function checkLooks(page, report) {
	const shot = (name) => shoot(page, `${report.name}-${name}`);
	await shot('light');
	const light = await pictures(page);
	await page.locator('.head .choice label', {hasText: 'Dark'}).click();
	await settled(page);
	const dark = await pictures(page);
	light.forEach(({hash}, index) => assert.notEqual(dark[index].hash, hash,
		`${report.name}: chart ${index + 1} does not follow the dark colours`));
	await checkContrast(page, `${report.name}, dark`);
	await shot('dark');
	await page.locator('.head .choice label', {hasText: 'Light'}).click();
	await checkContrast(page, `${report.name}, light`);
	await page.locator('.head .choice label', {hasText: 'Dark'}).click();
	await page.setViewportSize(NARROW);
	await settled(page);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
		`${report.name}: a narrow page scrolls sideways`);
	await shot('narrow');
	await page.setViewportSize(WIDE);
	await settled(page);
	const onPaper = await page.evaluate(async () => {
		dispatchEvent(new Event('beforeprint'));
		await new Promise((done) => setTimeout(done, 20));
		const widths = [...document.querySelectorAll('.plot canvas')].map((one) => one.clientWidth);
		const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
		dispatchEvent(new Event('afterprint'));
		return {widest: Math.max(...widths), paper};
	});
	assert.ok(onPaper.widest <= 680, `${report.name}: a chart is too wide for paper`);
	assert.equal(onPaper.paper, '#ffffff', 'paper is dark');
	const paper = await page.pdf({format: 'A4', path: join(screenshots, `${report.name}.pdf`)});
	assert.equal(paper.subarray(0, 4).toString(), '%PDF');
}

// Curves of a thousand points stay quick: to draw them anew, and to follow the pointer.
async function checkQuick(page, report) {
	const curve = page.locator('#latency .legend button').first();
	let start = performance.now();
	await curve.click();
	await settled(page);
	const change = performance.now() - start;
	const box = await page.locator('.plot').first().boundingBox();
	start = performance.now();
	for (let step = 1; step <= 20; step++)
		await page.mouse.move(box.x + box.width * step / 21, box.y + box.height / 2);
	await settled(page);
	const moves = performance.now() - start;
	console.log(`${report.name}: drawn anew in ${change.toFixed(0)} ms, 20 moves of the pointer in ` +
		`${moves.toFixed(0)} ms`);
	assert.ok(change < CHANGE_MS && moves < CHANGE_MS, 'too slow');
	assert.match(await page.locator('.legend .value').first().textContent(), /\d/);
}

// What is pointed at in the heat map is said, and the CSV has a row a pair.
async function checkCores(page, name) {
	const canvas = page.locator('figure.chart canvas');
	const said = page.locator('figure.chart > .note');
	const before = await said.textContent();
	const {width, height} = await canvas.boundingBox();
	await canvas.hover({position: {x: width * 0.99, y: height * 0.01}});
	assert.match(await said.textContent(), /^CPU 0, CPU 15: \d+ ns$/, name);
	await page.mouse.move(0, 0);
	assert.equal(await said.textContent(), before, name);
	assert.equal(Math.round(width), Math.round(height), `${name}: the heat map is no square`);
	const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#download-csv').click()]);
	const rows = readFileSync(await file.path(), 'utf8').trim().split('\r\n');
	assert.equal(rows.length, 121, name);
	assert.match(rows[0], /^cpu_a,cpu_b,home,latency_ns,.*kind/, name);
	assert.match(rows[1], /^0,1,unknown,7\.574,.*smt/, name);
	await shoot(page, `${name}-light`);
}

// Each node is a dot; a click says who it is, in text and nothing else.
async function checkFleet(page, name) {
	const circles = page.locator('.dots circle');
	const data = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).document);
	const shown = await page.locator('#dots select').evaluate((select) => Number(select.value));
	assert.equal(await circles.count(), data.nodes.filter(({deviations}) => deviations[shown] !== null).length, name);
	const hosts = data.outliers.map(({host}) => host);
	const outliers = page.locator('.dots circle.outlier');
	const told = new Set();
	for (let i = 0; i < await outliers.count(); i++) {
		await outliers.nth(i).dispatchEvent('click');
		const text = await page.locator('.told').textContent();
		assert.match(text, /Likeliest cause: .*fathom report '.*' -o '\.\/[^/]*\.html'/s, name);
		told.add(hosts.find((host) => text.startsWith(host)));
	}
	assert.deepEqual(told, new Set(hosts), name);
	const numbers = await page.locator('#dots option').allTextContents();
	assert.equal(new Set(numbers).size, numbers.length, `${name}: two numbers of one name`);
	assert.ok(numbers.includes('L1 latency, cycles'), name);
	await page.locator('#dots select').selectOption({index: 1});
	assert.ok(await circles.count() > 0, name);
	await shoot(page, `${name}-light`);
}

// ---- all ----

async function checkReport(context, report) {
	const {name, kind} = report;
	const page = await context.newPage();
	const trouble = [];
	watch(page, trouble);
	await page.goto(`file://${report.html}`);
	await settled(page);
	const charts = await checkCharts(page, report);
	if (kind === 'whole' || kind === 'switches') {
		await checkSwitches(page, name);
		await checkKeys(page, name);
	}
	await checkReaders(page, name);
	await checkInert(page, name);
	if (report.json) {
		const wanted = JSON.parse(readFileSync(report.json, 'utf8'));
		await checkTables(page, wanted);
		await checkDownload(page, wanted, `${report.json}.csv`);
		assert.equal(await page.locator('.interrupted').count(), wanted.interrupted ? 1 : 0, name);
	}
	if (kind === 'hostile')
		assert.match(await page.locator('h1').textContent(), /<script>/);
	if (kind === 'cores')
		await checkCores(page, name);
	if (kind === 'fleet')
		await checkFleet(page, name);
	if (kind === 'large')
		await checkQuick(page, report);
	if (kind === 'whole')
		await checkLooks(page, report);
	if (kind === 'switches')
		await shoot(page, `${name}-light`);
	await page.close();
	assert.deepEqual(trouble, [], name);
	return charts;
}

const reports = JSON.parse(readFileSync(list, 'utf8'));
const browser = await chromium.launch({executablePath: chromiumPath,
	args: ['--no-sandbox', '--disable-gpu']});
try {
	const context = await browser.newContext({viewport: WIDE, colorScheme: 'light',
		acceptDownloads: true});
	let charts = 0;
	const left = [...reports];
	const checkLeft = async () => {
		while (left.length) {
			const count = await checkReport(context, left.shift());
			charts += count;
		}
	};
	await Promise.all(Array.from({length: AT_ONCE}, checkLeft));
	await checkPolicy(context, reports[0]);
	console.log(`${reports.length} reports, ${charts} charts`);
} finally {
	await browser.close();
}
