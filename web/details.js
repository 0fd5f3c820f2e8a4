// What limits the numbers, the machine, how it was measured, and the data to take away.

import {button, save} from './controls.js';
import {csvOf} from './csv.js';
import {element} from './dom.js';
import {isKnown, percent, seconds, size} from './format.js';
import {cachesText, clockText} from './head.js';
import {facts, tableOfKnown} from './tables.js';

function warningList(list) {
	return element('ul', {class: 'warnings'}, list.map((warning) => element('li', {},
		element('p', {}, warning.where ? element('strong', {}, `${warning.where}: `) : null,
			warning.text),
		warning.hint ? element('p', {class: 'hint'}, '→ ', warning.hint) : null)));
}

export function hasWarnings(result) {
	return (result.warnings ?? []).length + (result.machine?.conditions ?? []).length > 0;
}

export function warnings(result) {
	const conditions = result.machine?.conditions ?? [];
	const wrong = (result.warnings ?? []).filter((warning) => !warning.note);
	const notes = (result.warnings ?? []).filter((warning) => warning.note);
	return [
		wrong.length ? warningList(wrong) : null,
		notes.length ? [element('h3', {}, 'Not measured here'), warningList(notes)] : null,
		conditions.length ? [element('h3', {}, 'What limits measuring on this machine'),
			warningList(conditions)] : null,
	];
}

export function hasMachine(result) {
	return Boolean(result.machine);
}

export function machine(result) {
	const it = result.machine;
	const yes = (value) => (value === null || value === undefined ? null : value ? 'on' : 'off');
	return [facts([
		['Processor', it.cpu_model], ['Simulated as', it.description], ['Host', it.hostname],
		['Architecture', it.architecture], ['Kernel', it.kernel], ['Hypervisor', it.hypervisor],
		['Container', it.container], ['Data caches, says the OS', cachesText(it)],
		['CPUs online', it.online_cpus && `${it.online_cpus}, allowed ${it.allowed_cpus ?? '–'}`],
		['Threads a core', it.smt_threads],
		['Kinds of CPU', it.cpu_kinds?.length > 1
			? it.cpu_kinds.map((kind) => `${kind.name}: ${kind.cpus}`).join('; ') : null],
		['Memory', isKnown(it.memory_bytes) ? `${size(it.memory_bytes)}, ` +
			`${size(it.available_bytes)} available` : null],
		['Most for one buffer', isKnown(it.limit_bytes)
			? `${size(it.limit_bytes)}${it.limit_reason ? ` (${it.limit_reason})` : ''}` : null],
		['NUMA nodes', it.nodes?.length > 1
			? it.nodes.map((node) => `${node.id}: CPUs ${node.cpus}, ${size(node.memory_bytes)}`)
				.join('; ') : null],
		['Base page', isKnown(it.base_page_bytes) ? size(it.base_page_bytes) : null],
		['Transparent huge pages', isKnown(it.thp_page_bytes)
			? `${size(it.thp_page_bytes)}, ${it.thp_state ?? 'state not known'}` : null],
		['Multi-size THP', it.thp_sizes?.length
			? it.thp_sizes.map((one) => `${size(one.page_bytes)} ${one.state}`).join('; ') : null],
		['Huge page pools', it.pools?.length ? it.pools.map((pool) =>
			`${pool.free_pages} of ${pool.total_pages} × ${size(pool.page_bytes)} free`).join('; ')
			: null],
		['Frequency governor', it.governor], ['Clock driver', it.clock_driver],
		['Boost', yes(it.boost)],
		['Hardware counters', it.has_pmu ? it.counters_missing ?? 'there' : 'none'],
	])];
}

// ---- how it was measured ----

function curveRows(result) {
	return result.curves.map((curve, index) => {
		const {points} = curve;
		const sum = (of) => points.reduce((total, point) => total + (of(point) ?? 0), 0);
		const wanted = points.filter((point) => isKnown(point.target));
		const within = wanted.filter((point) => point.within_target).length;
		return [String(index + 1), curve.experiment, points[0]?.pattern ?? '–', curve.axis,
			String(points.length), String(sum((point) => point.samples)),
			String(sum((point) => Object.values(point.rejected ?? {})
				.reduce((total, count) => total + count, 0))),
			wanted.length ? `${within} of ${wanted.length}` : '',
			wanted.length ? `±${percent(wanted[0].target, 1)}` : ''];
	});
}

export function measurement(result) {
	const {fathom = {}} = result;
	const pages = [...new Set(result.curves.flatMap((curve) => curve.points.map((point) =>
		(isKnown(point.page_bytes) ? size(point.page_bytes) : null))))].filter(Boolean);
	return [
		facts([
			['Command', fathom.argv?.length ? element('code', {}, fathom.argv.join(' ')) : null],
			['Version', fathom.version], ['Seed', fathom.seed],
			['Measured at', result.measured_at],
			['Time taken', isKnown(result.elapsed_s) ? seconds(result.elapsed_s) : null],
			['Ended', result.interrupted ? 'interrupted' : 'complete'],
			['Core clock', clockText(result.clock)],
			['Drift of the clock', isKnown(result.clock?.drift)
				? percent(result.clock.drift, 2) : null],
			['Cache line', isKnown(result.measured_line_bytes)
				? `${size(result.measured_line_bytes)}, measured` : 'not measured'],
			['Pages obtained', pages.join(', ')],
		]),
		element('details', {}, element('summary', {}, 'Curves'), tableOfKnown('Curves', [
			{label: 'Curve'}, {label: 'Experiment'}, {label: 'Order'}, {label: 'Along'},
			{label: 'Points', numeric: true}, {label: 'Samples', numeric: true},
			{label: 'Rejected', numeric: true}, {label: 'As exact as asked', numeric: true},
			{label: 'Asked', numeric: true}], curveRows(result))),
		element('p', {class: 'note'}, 'Latencies are medians over blocks of dependent accesses; an ' +
			'interval holds the median with 95 % confidence. “±” is half of it.'),
	];
}

// ---- to take away ----

function fileName(result, extension) {
	const name = (result.machine?.hostname ?? 'result').replace(/[^\w.-]+/g, '-').slice(0, 60);
	return `fathom-${name}.${extension}`;
}

export function download(result, {leftOut}) {
	return [
		element('p', {class: 'buttons'},
			button('JSON', () => save(fileName(result, 'json'), 'application/json',
				`${JSON.stringify(result, null, 1)}\n`), {id: 'download-json'}),
			result.curves && button('CSV', () => save(fileName(result, 'csv'), 'text/csv', csvOf(result)),
				{id: 'download-csv'})),
		element('p', {class: 'note'}, 'The JSON is a fathom/1 document, which fathom reads again; the ' +
			'CSV has a row for each point of it.', leftOut.length
			? ` To keep this file small it lacks ${leftOut.join(' and ')}, which the JSON that ` +
				'fathom wrote itself has.' : ''),
	];
}
