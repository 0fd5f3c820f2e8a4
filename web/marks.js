// What stands on a chart besides curves: where levels end, and the signs of points.

const SIGN_PIXELS = 3.2;
const SIGN_GAP_PIXELS = 9;
const LABEL_ROW_PIXELS = 14;
const LABEL_ROWS = 3;

// Outlines round a point, in the order of the series: with these and the dashes, curves can be told
// apart without colours.
const SIGNS = [
	(path, x, y, r) => { path.moveTo(x + r, y); path.arc(x, y, r, 0, 2 * Math.PI); },
	(path, x, y, r) => path.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8),
	(path, x, y, r) => polygon(path, [[x, y - r * 1.3], [x + r * 1.2, y + r], [x - r * 1.2, y + r]]),
	(path, x, y, r) => polygon(path, [[x, y - r * 1.4], [x + r * 1.4, y], [x, y + r * 1.4],
		[x - r * 1.4, y]]),
	(path, x, y, r) => polygon(path, [[x, y + r * 1.3], [x + r * 1.2, y - r], [x - r * 1.2, y - r]]),
];
export const SIGN_COUNT = SIGNS.length;
export const DASHES = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [4, 4]];

function polygon(path, corners) {
	corners.forEach(([x, y], index) => (index ? path.lineTo(x, y) : path.moveTo(x, y)));
	path.closePath();
}

// A drawer of points for uPlot that leaves out those with no room beside the last.
export function signsOf(which) {
	return (plot, series, from, to) => {
		const path = new Path2D();
		const ratio = devicePixelRatio;
		const [xs, ys] = [plot.data[0], plot.data[series]];
		let last = -Infinity;
		for (let index = from; index <= to; index++) {
			if (ys[index] === null || ys[index] === undefined)
				continue;
			const x = plot.valToPos(xs[index], 'x', true);
			if (x - last < SIGN_GAP_PIXELS * ratio)
				continue;
			last = x;
			SIGNS[which % SIGN_COUNT](path, x, plot.valToPos(ys[index], 'y', true),
				SIGN_PIXELS * ratio);
		}
		return {stroke: path, fill: path, flags: 3};
	};
}

// How much room the labels of marks take over a chart.
export function marksHeight(marks) {
	return marks.length ? LABEL_ROWS * LABEL_ROW_PIXELS + 4 : 0;
}

function inside(plot, x) {
	return x >= plot.bbox.left - 1 && x <= plot.bbox.left + plot.bbox.width + 1;
}

// Intervals lie behind everything.
function drawIntervals(plot, marks, colours) {
	const {ctx: pen, bbox} = plot;
	pen.fillStyle = colours.grid;
	for (const mark of marks) {
		const edges = [mark.low, mark.high].map((x) => plot.valToPos(x, 'x', true));
		const [from, to] = edges.map((x) =>
			Math.min(Math.max(x, bbox.left), bbox.left + bbox.width));
		if (to > from)
			pen.fillRect(from, bbox.top, to - from, bbox.height);
	}
}

function drawLine(plot, mark, colours) {
	const {ctx: pen, bbox} = plot;
	const ratio = devicePixelRatio;
	const x = plot.valToPos(mark.x, 'x', true);
	pen.strokeStyle = colours.quiet;
	pen.lineWidth = ratio;
	pen.setLineDash((mark.reported ? [1, 4] : [5, 3]).map((part) => part * ratio));
	pen.beginPath();
	pen.moveTo(x, bbox.top - 2 * ratio);
	pen.lineTo(x, bbox.top + bbox.height);
	pen.stroke();
}

// Over the chart, in the lowest of a few rows that has room.
function drawLabels(plot, marks, colours) {
	const {ctx: pen, bbox} = plot;
	const ratio = devicePixelRatio;
	const ends = new Array(LABEL_ROWS).fill(-Infinity);
	pen.font = `${12 * ratio}px system-ui, sans-serif`;
	pen.textAlign = 'left';
	pen.textBaseline = 'alphabetic';
	for (const mark of marks) {
		const label = `${mark.reported ? 'OS: ' : ''}${mark.name}`;
		const width = pen.measureText(label).width;
		const x = plot.valToPos(mark.x, 'x', true) - 3 * ratio;
		const left = Math.min(x, bbox.left + bbox.width - width);
		const row = ends.findIndex((end) => end <= left);
		if (row < 0)
			continue;
		ends[row] = left + width + 8 * ratio;
		pen.fillStyle = mark.reported ? colours.quiet : colours.text;
		pen.fillText(label, left, bbox.top - (5 + row * LABEL_ROW_PIXELS) * ratio);
	}
}

// Where nothing is gained: along the lanes, or at 1.
function drawEven(plot, scale, colours) {
	const {ctx: pen} = plot;
	const {min, max} = plot.scales.x;
	const top = Math.min(max, plot.scales.y.max);
	const ends = {gain: [[min, min], [top, top]], ratio: [[min, 1], [max, 1]]}[scale];
	if (!ends)
		return;
	pen.strokeStyle = colours.quiet;
	pen.lineWidth = devicePixelRatio;
	pen.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
	pen.beginPath();
	ends.forEach(([x, y], index) => pen[index ? 'lineTo' : 'moveTo'](plot.valToPos(x, 'x', true),
		plot.valToPos(y, 'y', true)));
	pen.stroke();
}

// Of a level: a line where it ends, its interval behind that, its name over it. What the OS says is
// dotted.
export function drawMarks(plot, marks, scale, colours) {
	const shown = marks.filter((mark) => inside(plot, plot.valToPos(mark.x, 'x', true)))
		.sort((a, b) => a.x - b.x);
	plot.ctx.save();
	drawEven(plot, scale, colours);
	drawIntervals(plot, shown.filter((mark) => mark.low !== null && mark.high > mark.low), colours);
	shown.forEach((mark) => drawLine(plot, mark, colours));
	drawLabels(plot, shown, colours);
	plot.ctx.restore();
}
