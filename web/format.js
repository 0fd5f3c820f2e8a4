// Numbers of charts and facts, in the digits in which the command prints them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const NONE = '–';

export function isKnown(value) {
	return typeof value === 'number' && Number.isFinite(value);
}

function decimals(value) {
	const size = Math.abs(value);
	return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

// With a minus as wide as a plus, and none before 0.
export function fixed(value, digits) {
	const text = value.toFixed(digits);
	return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

// "1.35", "36.1", "265": at most two decimals, of a latency.
export function number(value) {
	return isKnown(value) ? fixed(value, decimals(value)) : NONE;
}

// Three digits that count, of what can be far below 1: "0.162", "47.1", "1 240".
export function significant(value) {
	if (!isKnown(value))
		return NONE;
	const size = Math.abs(value);
	if (size < 1e-6)
		return '0';
	if (size >= 999.5)
		return fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, '\u202f');
	return value.toPrecision(3).replace('-', '−');
}

function unitOf(bytes) {
	let unit = 0;
	while (bytes / 1024 ** unit >= 999.5 && unit + 1 < UNITS.length)
		unit += 1;
	return unit;
}

// "48 KiB", "1.09 MiB": three digits, no zeros at the end.
export function size(bytes) {
	if (!isKnown(bytes))
		return NONE;
	const unit = unitOf(bytes);
	const value = bytes / 1024 ** unit;
	return `${Number(value.toFixed(decimals(value)))} ${UNITS[unit]}`;
}

export function percent(share, digits = 1) {
	return isKnown(share) ? `${fixed(100 * share, digits)} %` : NONE;
}

export function range(low, high, format = significant) {
	return isKnown(low) && isKnown(high) ? `${format(low)} – ${format(high)}` : '';
}

export function seconds(value) {
	if (!isKnown(value))
		return NONE;
	return value < 1 ? `${significant(1000 * value)} ms` : `${significant(value)} s`;
}

export function gigahertz(hertz) {
	return isKnown(hertz) ? `${(hertz / 1e9).toFixed(2)} GHz` : NONE;
}
