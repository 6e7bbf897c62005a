// @ts-check
// Draws the picture of a card from its id: the same id gives the same picture, other ids other ones.

import { svg } from './dom.js';
import { icon } from './icon.js';

/** Width and height of a picture, in its own units. */
const [WIDTH, HEIGHT] = [120, 44];

/** Hue of each declared colour, in degrees, and its saturation in percent. @type {Record<string, [number, number]>} */
const TONES = {
  red: [6, 55],
  green: [135, 34],
  yellow: [42, 62],
  blue: [214, 48],
  magenta: [302, 32],
  cyan: [186, 44],
  white: [40, 12],
  black: [220, 10],
};

/** @typedef {{next: () => number, tone: (light: number, turn?: number) => string}} Brush */

/**
 * @param {string} id
 * @param {import('./look').KindLook | undefined} look
 * @param {number} order of the kind, for its colour
 * @returns {SVGElement | null}
 */
export function picture(id, look, order) {
  const ground = look?.picture ?? 'strata';
  if (ground === 'none') return null;
  const brush = brushOf(id, look?.colour.replace('bright_', '') ?? '', order);
  const shapes = [rect(0, 0, WIDTH, HEIGHT, brush.tone(72)), ...GROUNDS[ground](brush)];
  const names = look?.draws[id.slice(id.indexOf('.') + 1)] ?? [];
  const drawn = names.map((name, at) => {
    const one = icon(name, 'drawn');
    const middle = (WIDTH * (at + 1)) / (names.length + 1);
    for (const [key, value] of Object.entries({ x: middle - 15, y: 7, width: 30, height: 30 }))
      one?.setAttribute(key, String(value));
    return one;
  });
  const props = { class: 'picture', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'xMidYMid slice' };
  return svg('svg', { ...props, 'aria-hidden': 'true' }, ...shapes, ...drawn);
}

/** @type {Record<Exclude<import('./look').KindLook['picture'], 'none'>, (brush: Brush) => SVGElement[]>} */
const GROUNDS = {
  strata: (brush) => [...layers(brush, 5), ...specks(brush, 7)],
  seam: (brush) => [...layers(brush, 3), ...vein(brush)],
  shaft: (brush) => [...layers(brush, 3), ...timbers(brush)],
  machine: (brush) => [...beams(brush), ...wheels(brush)],
  banner: (brush) => flag(brush),
  gems: (brush) => [...layers(brush, 2), ...stones(brush)],
  land: (brush) => land(brush),
};

/** Wavy layers of rock, darker towards the ground. @param {Brush} brush @param {number} count */
function layers(brush, count) {
  return Array.from({ length: count }, (_, at) => {
    const top = (HEIGHT * (at + 0.6)) / count - 4;
    const lift = () => (brush.next() - 0.5) * 12;
    const level = () => fix(top + lift());
    const d = `M0 ${level()} C40 ${level()} 80 ${level()} 120 ${level()} V44 H0 Z`;
    return shape(d, brush.tone(66 - (at * 34) / count, (brush.next() - 0.5) * 24));
  });
}

/** Grains of ore. @param {Brush} brush @param {number} count */
function specks(brush, count) {
  return Array.from({ length: count }, () => {
    const [x, y, size] = [brush.next() * WIDTH, 8 + brush.next() * 34, 1.5 + brush.next() * 3];
    return polygon(x, y, size, 5, brush.next() * 6, brush.tone(88, 30));
  });
}

/** A bright vein across the rock. @param {Brush} brush */
function vein(brush) {
  const from = brush.next() * 30;
  const level = () => fix(brush.next() * HEIGHT);
  const d = `M0 ${fix(from)} L30 ${level()} L62 ${level()} L92 ${level()} L120 ${fix(HEIGHT - from)}`;
  const line = (/** @type {number} */ width, /** @type {string} */ stroke) =>
    svg('path', { d, fill: 'none', stroke, 'stroke-width': width, 'stroke-linejoin': 'round' });
  return [line(9, brush.tone(52, 30)), line(4, brush.tone(86, 40))];
}

/** Posts and caps of a gallery. @param {Brush} brush */
function timbers(brush) {
  const gap = 24 + brush.next() * 14;
  const dark = brush.tone(26, 20);
  const sets = Array.from({ length: 5 }, (_, at) => at * gap + brush.next() * 4);
  return [
    shape(`M0 14 H120 V44 H0 Z`, brush.tone(18)),
    ...sets.flatMap((x) => [rect(x, 12, 4, 32, dark), rect(x - 4, 10, 14, 4, brush.tone(38, 20))]),
    rect(0, 40, WIDTH, 2, brush.tone(58)),
  ];
}

/** Beams of a frame. @param {Brush} brush */
function beams(brush) {
  const turn = 20 + brush.next() * 50;
  return [
    shape(`M0 44 L${fix(turn)} 0 H${fix(turn + 6)} L6 44 Z`, brush.tone(46)),
    shape(`M120 44 L${fix(120 - turn)} 0 H${fix(114 - turn)} L114 44 Z`, brush.tone(46)),
    rect(0, 30 + brush.next() * 6, WIDTH, 4, brush.tone(38)),
  ];
}

/** Wheels with spokes. @param {Brush} brush */
function wheels(brush) {
  const count = 2 + Math.floor(brush.next() * 2);
  return Array.from({ length: count }, (_, at) => {
    const [x, y, size] = [(WIDTH * (at + 0.7)) / (count + 0.4), 16 + brush.next() * 14, 9 + brush.next() * 9];
    const spokes = 6 + Math.floor(brush.next() * 5);
    return svg(
      'g',
      {},
      polygon(x, y, size + 2.5, spokes * 2, brush.next(), brush.tone(26)),
      svg('circle', { cx: fix(x), cy: fix(y), r: fix(size * 0.72), fill: brush.tone(58, 14) }),
      svg('circle', { cx: fix(x), cy: fix(y), r: fix(size * 0.28), fill: brush.tone(24) }),
    );
  });
}

/** A flag with stripes. @param {Brush} brush */
function flag(brush) {
  const [stripes, slant] = [2 + Math.floor(brush.next() * 3), brush.next() * 24];
  const parts = Array.from({ length: stripes }, (_, at) => {
    const [top, high] = [6 + (32 * at) / stripes, 32 / stripes];
    const fill = at % 2 === 0 ? brush.tone(42, brush.next() * 50) : brush.tone(86, 20);
    return shape(`M22 ${fix(top)} H${fix(112 - slant)} L${fix(106 - slant)} ${fix(top + high)} H22 Z`, fill);
  });
  const [x, corners] = [52 + brush.next() * 16, 4 + Math.floor(brush.next() * 5)];
  const emblem = polygon(x, 22, 8, corners, brush.next() * 6, brush.tone(92, 40));
  return [rect(16, 2, 4, 42, brush.tone(22)), ...parts, emblem];
}

/** Cut stones. @param {Brush} brush */
function stones(brush) {
  return Array.from({ length: 4 }, (_, at) => {
    const [x, y, size] = [16 + at * 28 + brush.next() * 8, 16 + brush.next() * 14, 7 + brush.next() * 7];
    const sides = 5 + Math.floor(brush.next() * 4);
    const turn = (brush.next() - 0.5) * 160;
    return svg(
      'g',
      {},
      polygon(x, y, size, sides, at, brush.tone(48, turn)),
      polygon(x - size * 0.12, y - size * 0.16, size * 0.55, sides, at, brush.tone(76, turn)),
    );
  });
}

/** Hills below a sky. @param {Brush} brush */
function land(brush) {
  const [x, y] = [16 + brush.next() * 88, 8 + brush.next() * 8];
  const sun = svg('circle', { cx: fix(x), cy: fix(y), r: 5, fill: brush.tone(93, 30) });
  const hill = (/** @type {number} */ light) => {
    const [x, top] = [brush.next() * WIDTH, 10 + brush.next() * 16];
    return shape(`M-20 44 L${fix(x)} ${fix(top)} L140 44 Z`, brush.tone(light, brush.next() * 20));
  };
  return [sun, hill(58), hill(48), hill(38)];
}

/**
 * Random numbers and colours of one card.
 * @param {string} id
 * @param {string} colour
 * @param {number} order
 * @returns {Brush}
 */
function brushOf(id, colour, order) {
  // FNV-1a, then the generator mulberry32.
  let seed = 2166136261;
  for (const letter of id) seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 16777619);
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const [hue, rich] = TONES[colour] ?? [(order * 67 + 30) % 360, 34];
  const own = (next() - 0.5) * 30;
  const tone = (/** @type {number} */ light, turn = 0) =>
    `hsl(${Math.round((hue + own + turn + 720) % 360)} ${rich}% ${Math.round(light)}%)`;
  return { next, tone };
}

/** @param {number} value */
const fix = (value) => value.toFixed(1);

/** @param {string} d @param {string} fill */
const shape = (d, fill) => svg('path', { d, fill });

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} fill */
const rect = (x, y, width, height, fill) => svg('rect', { x: fix(x), y: fix(y), width, height, fill });

/**
 * A regular polygon.
 * @param {number} x @param {number} y @param {number} size @param {number} sides @param {number} turn
 * @param {string} fill
 */
function polygon(x, y, size, sides, turn, fill) {
  const points = Array.from({ length: sides }, (_, at) => {
    const angle = turn + (2 * Math.PI * at) / sides;
    return `${fix(x + size * Math.cos(angle))},${fix(y + size * Math.sin(angle))}`;
  });
  return svg('polygon', { points: points.join(' '), fill });
}
