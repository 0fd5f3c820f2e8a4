// What was measured, on what, and whether it may be trusted: the first thing on the page.

import {element} from './dom.js';
import {gigahertz, isKnown, seconds, size} from './format.js';
import {choice} from './controls.js';
import {setTheme} from './theme.js';

function titleOf(result) {
	const {machine} = result;
	if (!machine)
		return result.curves.find((curve) => curve.tool)?.tool ?? 'A result without a machine';
	if (machine.description)
		return 'A simulated machine';
	return machine.cpu_model ?? machine.hostname ?? 'A machine';
}

export function clockText(clock) {
	if (!isKnown(clock?.median_hz))
		return clock?.missing ?? null;
	return `${gigahertz(clock.median_hz)} (${(clock.min_hz / 1e9).toFixed(2)} to ` +
		`${gigahertz(clock.max_hz)})`;
}

function summary(result) {
	const machine = result.machine ?? {};
	const cpus = [...new Set(result.curves.map((curve) => curve.cpu).filter(isKnown))];
	return [
		machine.description ? null : machine.hostname,
		cpus.length ? `CPU ${cpus.join(', ')} of ${machine.online_cpus ?? '?'}` : null,
		machine.hypervisor ? `guest of ${machine.hypervisor}` : null,
		machine.container ? `in ${machine.container}` : null,
		isKnown(machine.memory_bytes) ? `${size(machine.memory_bytes)} of memory` : null,
		isKnown(result.clock?.median_hz) ? `core clock ${gigahertz(result.clock.median_hz)}` : null,
	].filter(Boolean);
}

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
			'The measurement was stopped before its end; what was measured until then is here.')
			: null,
		warnings ? element('p', {}, element('a', {href: '#warnings'},
			`${warnings} warning${warnings > 1 ? 's' : ''} with advice`),
			' – read before quoting a number.') : null,
	];
}

export function themeChoice() {
	return choice('Colours', [{value: 'system', label: 'System'}, {value: 'light', label: 'Light'},
		{value: 'dark', label: 'Dark'}], 'system', setTheme);
}

export function head(result) {
	const {fathom = {}} = result;
	const command = (fathom.argv ?? []).join(' ');
	return element('header', {class: 'head'},
		element('div', {class: 'top'},
			element('p', {class: 'eyebrow'}, 'What memory costs, measured by fathom ',
				fathom.version ?? ''),
			themeChoice()),
		quality(result),
		element('h1', {}, titleOf(result)),
		element('ul', {class: 'summary'}, summary(result).map((text) => element('li', {}, text))),
		command ? element('p', {class: 'command'}, element('code', {}, command),
			isKnown(result.elapsed_s) ? ` took ${seconds(result.elapsed_s)}` : '',
			result.measured_at ? `, measured at ${result.measured_at}` : '') : null,
		notices(result));
}
