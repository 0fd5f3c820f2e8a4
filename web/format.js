// Numbers as the command prints them, in the same digits.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const NONE = '–';

export function isKnown(value) {
	return typeof value === 'number' && Number.isFinite(value);
}

export function decimals(value) {
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

// How many accesses overlap: of what is only a lower bound no more than was seen.
export function overlapping(found) {
	if (!isKnown(found.speedup))
		return NONE;
	const steps = found.speedup < 9.995 ? 100 : 10;
	return found.saturated === false ? `> ${number(Math.floor(steps * found.speedup) / steps)}`
		: number(found.speedup);
}

function inTwoDigits(value) {
	return value > 0 ? String(Number(value.toPrecision(2))) : '0';
}

// Half of a 95 % interval, with the decimals of the value that it belongs to; the range where it
// reaches 0 or is over a third of it, as in the text that the command prints.
export function spread(value, low, high) {
	if (!isKnown(value) || !isKnown(low) || !isKnown(high))
		return '';
	const half = (high - low) / 2;
	const digits = decimals(value);
	if (value > 0 && (low <= 0 || half > value / 3))
		return `${inTwoDigits(Math.max(low, 0))}–${inTwoDigits(high)}`;
	return `±${half.toFixed(digits === 0 && half < 0.95 ? 1 : digits)}`;
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

// "1.8–2.1 MiB": two digits, the unit that of the high end.
function sizes(low, high) {
	const unit = unitOf(high);
	const text = (bytes) => {
		const value = bytes / 1024 ** unit;
		return value.toFixed(value < 0.995 ? 2 : value < 9.95 ? 1 : 0);
	};
	return `${text(low)}–${text(high)} ${UNITS[unit]}`;
}

// A reach that is known no better than 1.2 times is shown as its interval.
export function reach(bytes, low, high) {
	if (isKnown(bytes) && isKnown(low) && isKnown(high) && high > 1.2 * low)
		return sizes(low, high);
	return size(bytes);
}

export function gigabytes(bytesPerSecond) {
	return isKnown(bytesPerSecond) ? significant(bytesPerSecond / 1e9) : NONE;
}

export function percent(share, digits = 1) {
	return isKnown(share) ? `${fixed(100 * share, digits)} %` : NONE;
}

export function range(low, high, format = significant) {
	return isKnown(low) && isKnown(high) ? `${format(low)} – ${format(high)}` : '';
}

const TIMES = [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]];

// "1.39 ns", "12.5 µs"; what was quoted keeps the digits that it has.
export function time(ns, digits = number) {
	if (!isKnown(ns))
		return NONE;
	const [unit, factor] = TIMES.findLast(([, least]) => ns >= 0.9995 * least) ?? TIMES[0];
	return `${digits(ns / factor)} ${unit}`;
}

export function seconds(value) {
	if (!isKnown(value))
		return NONE;
	return value < 1 ? `${significant(1000 * value)} ms` : `${significant(value)} s`;
}

export function gigahertz(hertz) {
	return isKnown(hertz) ? `${(hertz / 1e9).toFixed(2)} GHz` : NONE;
}
