// What the command says of the result, as it is in the page's data: tables, plots, sentences and facts. Their
// digits, units, marks and words are decided there; here they are laid out alone.

import {bars} from './bars.js';
import {chart} from './charts.js';
import {element} from './dom.js';
import {heat} from './heat.js';
import {facts, table} from './tables.js';

const MARKS = {'~': 'interval wider than the target', '?': 'without an interval',
	'!': 'differs from what the OS reports',
	'=': 'as fast as the loop alone'};
const LONG_ROWS = 16;
const LISTS = {item: 'sentences', note: 'notes', legend: 'notes', unsure: 'notes', attention: 'warnings'};

function cellOf(cell) {
	if (cell === undefined || typeof cell === 'string')
		return cell ?? '';
	const {text, spread, mark, range, attention} = cell;
	return element(attention ? 'strong' : 'span', {title: range ? `95 %: ${range}` : null}, text,
		mark ? element('span', {class: 'mark', title: MARKS[mark]}, ` ${mark}`) : null,
		spread ? element('span', {class: 'spread'}, ` ${spread}`) : null);
}

// What is long is folded away. A note of a row stands behind it, under no heading.
function tableOf({columns, rows}, caption) {
	const most = Math.max(columns.length, ...rows.map((row) => row.length));
	const all = Array.from({length: most}, (_, index) => columns[index] ?? {label: '', left: true});
	const made = table(caption, all.map(({label, unit, left}) => ({label, unit, numeric: !left})),
		rows.map((row) => all.map((_, index) => cellOf(row[index]))));
	return rows.length > LONG_ROWS
		? element('details', {}, element('summary', {}, `Table: ${caption}`), made) : made;
}

// Sentences of a kind in a row are a list; a hint belongs to the one before it.
function listOf(blocks) {
	const items = [];
	for (const {tone, say} of blocks)
		if (tone === 'hint' && items.length)
			items[items.length - 1].push(element('p', {class: 'hint'}, '→ ', say));
		else
			items.push([tone === 'attention' ? element('p', {}, say) : say]);
	return element('ul', {class: LISTS[blocks[0].tone] ?? 'notes'},
		items.map((item) => element('li', {}, item)));
}

// Plots between which the reader chooses stand together.
function chartsOf(blocks) {
	const groups = [];
	for (const {plot} of blocks) {
		const last = groups[groups.length - 1];
		if (plot.choices && last?.[0].choices === plot.choices)
			last.push(plot);
		else
			groups.push([plot]);
	}
	return groups.map((plots) => (plots[0].matrix ? heat(plots[0]) : chart(plots)));
}

const kindOf = (block) => (block.plot ? 'plot' : block.bars ? 'bars' : block.columns ? 'table' : block.label !== undefined ? 'facts'
	: block.tone === 'plain' ? 'plain' : LISTS[block.tone === 'hint' ? 'attention' : block.tone]);

// In runs of one kind.
function runsOf(blocks) {
	const runs = [];
	for (const block of blocks) {
		const last = runs[runs.length - 1];
		const kind = block.tone === 'hint' && last ? last.kind : kindOf(block);
		if (last?.kind === kind)
			last.blocks.push(block);
		else
			runs.push({kind, blocks: [block]});
	}
	return runs;
}

function partOf({title, blocks}) {
	const nodes = [];
	let caption = null; // the sentence before a table names it
	const paragraph = () => {
		if (caption !== null)
			nodes.push(element('p', {class: 'note'}, caption));
		caption = null;
	};
	for (const {kind, blocks: run} of runsOf(blocks)) {
		if (kind === 'plain')
			for (const {say} of run) {
				paragraph();
				caption = say;
			}
		else if (kind === 'table')
			for (const block of run) {
				nodes.push(tableOf(block, caption?.replace(/:$/, '') ?? title));
				caption = null;
			}
		else if (kind === 'plot')
			nodes.push(...chartsOf(run)); // the sentence before names the table behind
		else if (kind === 'bars')
			nodes.push(...run.map(bars));
		else {
			paragraph();
			nodes.push(kind === 'facts' ? facts(run.map(({label, say}) => [label, say])) : listOf(run));
		}
	}
	paragraph();
	return nodes;
}

export function hasViews(views, ids) {
	return views.some(({id, blocks}) => ids.includes(id) && blocks.length > 0);
}

// In the order of `ids`, under the title of each where there are several and no table has it.
export function viewsOf(views, ids) {
	const parts = ids.flatMap((wanted) => views.filter(({id, blocks}) =>
		id === wanted && blocks.length > 0));
	return parts.map((part) => [parts.length > 1 && !part.blocks[0].columns
		? element('h3', {}, part.title) : null, partOf(part)]);
}
