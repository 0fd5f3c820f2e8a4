// The latency numbers that programmers go by, measured here, beside what is commonly quoted.

import {element} from './dom.js';
import {time} from './format.js';
import {tableOfKnown} from './tables.js';

const quoted = (value) => String(Number(value.toPrecision(6)));

function interval(number) {
	return [number.low_ns, number.high_ns].every((ns) => typeof ns === 'number')
		? `${time(number.low_ns)} – ${time(number.high_ns)}` : '';
}

export function hasNumbers(result) {
	return (result.numbers ?? []).length > 0;
}

export function numbers(result) {
	return [
		tableOfKnown('Latency numbers every programmer should know', [{label: 'What'},
			{label: 'Here', numeric: true}, {label: '95 %', numeric: true}, {label: 'How, here'},
			{label: 'Quoted in 2009', numeric: true}, {label: 'Quoted in 2020', numeric: true}],
		result.numbers.map((number) => [number.name, time(number.ns), interval(number),
			number.how ?? '', time(number.dean_2009_ns, quoted), time(number.scott_2020_ns, quoted)])),
		element('p', {class: 'note'}, '2009: J. Dean, “Designs, Lessons and Advice from Building Large ' +
			'Distributed Systems”, LADIS 2009. 2020: C. Scott, “Latency numbers every programmer ' +
			'should know”, that page’s values for 2020. MB and GB are powers of ten.'),
	];
}
