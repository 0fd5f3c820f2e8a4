// What stands on a chart besides curves: where levels end, and the signs of points.

const SIGN_PIXELS = 3.2;
const SIGN_GAP_PIXELS = 9;
const LABEL_ROW_PIXELS = 14;

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

// Of a level: a line where it ends, its interval behind that, its name over it. What the OS says is
// dotted and hangs lower. Labels that would meet go a row down.
export function drawMarks(plot, marks, colours) {
	const {ctx: pen, bbox} = plot;
	const ratio = devicePixelRatio;
	const ends = [];
	pen.save();
	pen.beginPath();
	pen.rect(bbox.left, bbox.top, bbox.width, bbox.height);
	pen.clip();
	pen.font = `${12 * ratio}px system-ui, sans-serif`;
	for (const mark of marks) {
		const x = plot.valToPos(mark.x, 'x', true);
		if (x < bbox.left || x > bbox.left + bbox.width)
			continue;
		if (mark.high > mark.low) {
			const from = plot.valToPos(mark.low, 'x', true);
			pen.fillStyle = colours.grid;
			pen.fillRect(from, bbox.top, plot.valToPos(mark.high, 'x', true) - from, bbox.height);
		}
		const width = pen.measureText(mark.label).width;
		const left = Math.min(x + 4 * ratio, bbox.left + bbox.width - width - 2 * ratio);
		let row = 0;
		while (ends[row] > left)
			row += 1;
		ends[row] = left + width + 8 * ratio;
		pen.strokeStyle = colours.quiet;
		pen.lineWidth = ratio;
		pen.setLineDash((mark.reported ? [1, 4] : [5, 3]).map((part) => part * ratio));
		pen.beginPath();
		pen.moveTo(x, bbox.top);
		pen.lineTo(x, bbox.top + bbox.height);
		pen.stroke();
		pen.fillStyle = mark.reported ? colours.quiet : colours.text;
		pen.fillText(mark.label, left, bbox.top + (12 + row * LABEL_ROW_PIXELS) * ratio);
	}
	pen.restore();
}
