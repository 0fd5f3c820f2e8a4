// What was measured, on what, and whether it may be trusted: the first thing on the page.

import {choice} from './controls.js';
import {element} from './dom.js';
import {setTheme} from './theme.js';

// The first line of it all, in words and not in a colour alone.
function quality({quality, quality_reason: reason}) {
	if (!quality || quality === 'unknown')
		return null;
	return element('p', {class: `quality ${quality}`, role: 'note'},
		element('strong', {}, `Quality: ${quality.replaceAll('-', ' ')}`), reason ? ` (${reason})` : '');
}

function notices(result) {
	const warnings = (result.warnings ?? []).filter((warning) => !warning.note).length;
	return [
		result.interrupted ? element('p', {class: 'interrupted', role: 'note'},
			element('strong', {}, 'Interrupted. '),
			'The measurement was interrupted; this page shows what was measured until then.')
			: null,
		warnings ? element('p', {}, element('a', {href: '#warnings'},
			`${warnings} warning${warnings > 1 ? 's' : ''} with advice`),
			' – read before quoting a number.') : null,
	];
}

const themeChoice = () => choice('Colours', [{value: 'system', label: 'System'},
	{value: 'light', label: 'Light'}, {value: 'dark', label: 'Dark'}], 'system', setTheme);

// Before its first part the command says what was measured; of a comparison its runs do.
export function head(result, {views}) {
	const {fathom = {}, runs, baselines} = result;
	const command = (fathom.argv ?? []).join(' ');
	const title = runs ? `${runs.map((run) => run.name).join(', ')} against ${baselines.join(', ')}`
		: views[0].blocks.at(-1).say;
	return element('header', {class: 'head'},
		element('div', {class: 'top'},
			element('p', {class: 'eyebrow'}, runs ? 'Runs against a baseline, compared by fathom '
				: result.kind === 'fleet' ? 'Many machines, judged by fathom '
				: 'What memory costs, measured by fathom ', fathom.version ?? ''),
			themeChoice()),
		quality(result),
		element('h1', {}, title),
		element('p', {}, result.machine?.hostname ?? null),
		command ? element('p', {class: 'command'}, element('code', {}, command),
			result.measured_at ? `, measured at ${result.measured_at}` : '') : null,
		notices(result));
}
