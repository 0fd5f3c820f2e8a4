// Where the ticks of an axis stand, and what they say.

const LABEL_PIXELS = 64;

function powersOfTwo(low, high, room) {
	const first = Math.ceil(Math.log2(low) - 1e-9);
	const last = Math.floor(Math.log2(high) + 1e-9);
	let step = 1;
	while ((last - first) / step > room)
		step *= 2;
	const ticks = [];
	for (let power = Math.ceil(first / step) * step; power <= last; power += step)
		ticks.push(2 ** power);
	return ticks;
}

function decades(low, high, room) {
	for (const steps of [[1, 2, 5], [1, 3], [1]]) {
		const ticks = [];
		for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
			ticks.push(...steps.map((step) => step * 10 ** power)
				.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001));
		if (ticks.length <= room + 1 || steps.length === 1)
			return ticks.map((tick) => Number(tick.toPrecision(2)));
	}
	return [];
}

function evenly(low, high, room) {
	const rough = (high - low) / Math.max(1, room);
	const unit = 10 ** Math.floor(Math.log10(rough));
	const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= rough - 1e-12);
	const ticks = [];
	for (let count = Math.ceil(low / step - 1e-9); count * step <= high * (1 + 1e-9); count++)
		ticks.push(Number((count * step).toPrecision(10)));
	return ticks;
}

// Ticks are round: no digits that only fill.
function tickText(value) {
	const round = Number(value.toPrecision(3));
	return (round && Math.abs(round) < 1e-3 ? round.toExponential() : String(round)).replaceAll('-', '−');
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// Of a power of two.
function sizeText(bytes) {
	const unit = Math.floor(Math.log2(bytes) / 10);
	return `${bytes / 1024 ** unit} ${UNITS[unit]}`;
}

const SCALES = {
	bytes: {ticks: powersOfTwo, text: sizeText, log: true},
	counts: {ticks: powersOfTwo, text: String, log: true},
	powers: {ticks: decades, log: true},
};

// An axis of uPlot, of one of a plot.
export function axisOf({label, unit, scale, places}, side, colours) {
	const room = side === 'x' ? LABEL_PIXELS : 34;
	const {ticks, text} = SCALES[scale] ?? {};
	return {
		scale: side, stroke: colours.quiet, font: '12px system-ui, sans-serif',
		label: side === 'x' ? `${label}${unit ? ` (${unit})` : ''}` : undefined, labelSize: 20,
		labelFont: '12px system-ui, sans-serif', size: scale === 'places' ? 96 : side === 'x' ? 30 : 52,
		grid: {stroke: colours.grid, width: 1}, ticks: {stroke: colours.grid, width: 1, size: 4},
		gap: 4,
		splits: (plot, _, low, high) => {
			if (scale === 'places')
				return places.map((name, index) => index + 1);
			const pixels = (side === 'x' ? plot.width : plot.height) || 400;
			return (ticks ?? evenly)(low, high, Math.floor(pixels / room));
		},
		filter: (_, splits) => splits,
		rotate: scale === 'places' ? -30 : 0,
		values: (_, splits) => splits.map((tick) => (scale === 'places' ? places[tick - 1]
			: (text ?? tickText)(tick))),
	};
}

// At the right the same places in another unit, where there is one: so many times as much.
export function besideOf(axis, colours) {
	if (!axis.beside)
		return [];
	return [{...axisOf(axis, 'y', colours), side: 1, grid: {show: false},
		values: (_, splits) => splits.map((tick) => tickText(tick * axis.beside))}];
}

// How far the data reach, with some room. uPlot hands null where there are none.
export function rangeOf({scale}, side) {
	const log = SCALES[scale]?.log;
	return (_, low, high) => {
		if (low === null || high === null)
			return log ? [1, 10] : [0, 1];
		if (scale === 'ratio') {
			const room = 0.1 * (high - low) || 0.1;
			return [Math.min(low, 1) - room, Math.max(high, 1) + room];
		}
		if (log) {
			const room = side === 'x' ? 1.06 : 1.15;
			return [low / room, high * room];
		}
		if (side === 'x')
			return low === high || scale === 'places' ? [low - 1, high + 1] : [low, high];
		const top = Math.max(high, 0);
		const bottom = Math.min(low, 0);
		const room = (top - bottom || 1) * 0.06;
		return [bottom < 0 ? bottom - room : 0, top + room];
	};
}
