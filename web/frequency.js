// Which part of a latency follows the core's clock, from runs at several clocks.

import {element} from './dom.js';
import {gigahertz, isKnown, number, range, significant, size} from './format.js';
import {tableOfKnown} from './tables.js';

function place(law) {
	if (law.level)
		return law.level;
	return law.from_bytes === law.to_bytes ? size(law.from_bytes)
		: `${size(law.from_bytes)} – ${size(law.to_bytes)}`;
}

function lawTable(laws) {
	return tableOfKnown('A latency as a part that follows the clock and one that does not', [
		{label: 'Level or size'}, {label: 'Follows the clock', unit: 'cycles', numeric: true},
		{label: '95 %', unit: 'cycles', numeric: true},
		{label: 'The same at the slowest', unit: 'ns', numeric: true},
		{label: 'Does not', unit: 'ns', numeric: true}, {label: '95 %', unit: 'ns', numeric: true},
		{label: 'Slowest clock', unit: 'ns', numeric: true},
		{label: 'Fastest clock', unit: 'ns', numeric: true}, {label: 'Gain', unit: '×', numeric: true}],
	laws.map((law) => [place(law), number(law.core_cycles),
		range(law.core_low_cycles, law.core_high_cycles, number), number(law.core_ns),
		number(law.outside_ns), range(law.outside_low_ns, law.outside_high_ns, number),
		number(law.slow_ns), number(law.fast_ns), significant(law.speedup)]));
}

function clockTable(clocks) {
	return tableOfKnown('The clocks of the runs', [{label: 'Run'}, {label: 'Clock', numeric: true},
		{label: 'Over the slowest', unit: '×', numeric: true}, {label: '95 %', numeric: true},
		{label: 'Known from'}, {label: 'Why'}],
	clocks.map((clock, index) => [String(index + 1), isKnown(clock.hz) ? gigahertz(clock.hz) : '–',
		significant(clock.relative), range(clock.relative_low, clock.relative_high),
		clock.source ?? '', clock.evidence ?? '']));
}

export function hasFrequency(result) {
	return (result.clock_laws ?? []).length > 0;
}

export function frequency(result) {
	return [lawTable(result.clock_laws), result.clocks?.length ? clockTable(result.clocks) : null,
		element('p', {class: 'note'}, 'Each latency is taken as cycles ÷ clock + a time outside the ' +
			'core.')];
}
