// How it was measured, and the data to take away.

import {button, save} from './controls.js';
import {csvOf} from './csv.js';
import {element} from './dom.js';
import {facts} from './tables.js';
import {viewsOf} from './views.js';

// ---- how it was measured ----

export function measurement(result, {views}) {
	const {fathom = {}} = result;
	return [
		facts([
			['Command', fathom.argv?.length ? element('code', {}, fathom.argv.join(' ')) : null],
			['Version', fathom.version],
			['Ended', result.interrupted ? 'interrupted' : 'complete'],
		]),
		viewsOf(views, ['measurement']),
		element('p', {class: 'note'}, 'An interval holds the value with 95 % confidence. “±” is half ' +
			'of it; of one that is wide or lopsided both ends are shown.'),
	];
}

// ---- to take away ----

function fileName(result, extension) {
	const name = (result.machine?.hostname ?? (result.kind === 'fleet' ? 'fleet' : 'result')).replace(/[^\w.-]+/g, '-').slice(0, 60);
	return `fathom-${name}.${extension}`;
}

export function download(result, {leftOut}) {
	return [
		element('p', {class: 'buttons'},
			button('JSON', () => save(fileName(result, 'json'), 'application/json',
				`${JSON.stringify(result, null, 1)}\n`), {id: 'download-json'}),
			result.curves && button('CSV', () => save(fileName(result, 'csv'), 'text/csv', csvOf(result)),
				{id: 'download-csv'})),
		element('p', {class: 'note'}, `The JSON is a ${result.schema} document` +
			(result.curves ? ', which fathom reads again; the CSV has a row for each point, pair, load ' +
				'or bin of it.' : '.'), leftOut.length
			? ` To keep this file small it lacks ${leftOut.join(' and ')}; the JSON that ` +
				'fathom writes has them.' : ''),
	];
}
