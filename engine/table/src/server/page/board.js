// @ts-check
// Draws boards: square or hexagonal cells in rows, with cards and marks.

import { el, hue, svg } from './dom.js';
import { deck, face, lookOf } from './deck.js';
import { cardLine, pictureOf, stripe } from './face.js';
import { boards, cardKey, cellKey, head, isClicked, onCard, onLaidCard, onPlace, piles, seatOf } from './state.js';
import { askAbout, peek, pick, unpick } from './question.js';
import { openCard } from './card.js';
import { ground, groundOf, SHORE, STRAIT } from './ground.js';
import { icon } from './icon.js';
import { drawPoint, hasPoints, HEIGHT, WIDTH } from './point.js';

/** @typedef {import('./protocol').Board} Board */
/** @typedef {import('./protocol').Cell} Cell */
/** @typedef {import('./protocol').Face} Face */

/** Height of the icon of a cell. */
const DRAWN = 20;
/** Height of the picture of a card in a cell. */
const SHOWN = 26;
/** Height of a text line. */
const LINE = 13;
/** Widest text board that stays readable on a telephone when scaled down. */
const NARROW = 460;
/** Maximum letters of a line in a wide cell. */
const WIDE = 16;

/** @param {Board} board */
export function drawBoard(board) {
  const id = `${board.id}/${board.seat}`;
  const cells = visibleCells(board);
  const points = hasPoints(board.id);
  const wide = !points && cells.some(
    (cell) =>
      (board.named && cell.name !== '') ||
      cell.cards.length > 0 ||
      cell.marks.some((mark) => mark.text.trim().length > 3),
  );
  const lines = wide ? cells.map((cell) => textLines(board, cell)) : [];
  const most = Math.max(1, ...lines.map((list) => list.length));
  const widest = Math.max(0, ...lines.flat().map((line) => line.text.length));
  const sided = cells.some((cell) => cell.sides.length > 0);
  const width = points ? WIDTH : wide ? Math.min(126, Math.max(58, widest * 7 + (sided ? 26 : 14))) : 46;
  const height = points ? HEIGHT : wide
    ? Math.max(
        sided ? 56 : 30,
        14 +
          most * LINE +
          (cells.some((cell) => iconOfCell(cell)) ? DRAWN : 0) +
          (cells.some((cell) => faceOfCell(cell)) ? SHOWN : 0) +
          (cells.some((cell) => tokens(board, cell).length + iconsOfFact(board, cell).length > 0) ? BADGE : 0),
      )
    : board.hex
      ? 40
      : 46;
  const strait = groundOf(board.id)?.bands ? STRAIT : 0;
  const place = (/** @type {Cell} */ cell) => ({ x: (cell.half * width) / 2, y: (cell.row - 1) * (height + strait) });
  const right = Math.max(...cells.map((cell) => place(cell).x)) + width;
  const left = Math.min(...cells.map((cell) => place(cell).x));
  const bottom = Math.max(...cells.map((cell) => place(cell).y)) + height;
  const top = Math.min(...cells.map((cell) => place(cell).y));
  const shore = groundOf(board.id) ? SHORE : 0;
  const edge = wide || points ? [] : coordinates(board.hex, cells, cells.map(place), width, height);
  const pad = (board.hex && !wide ? 8 : 8 * Number(sided) + 2) + shore + (edge.length > 0 ? EDGE : 0);
  const whose = board.seat === null ? '' : ` of ${seatOf(board.seat)?.name ?? ''}`;
  const picture = svg('svg', {
    viewBox: `${left - pad} ${top - pad} ${right - left + 2 * pad} ${bottom - top + 2 * pad}`,
    width: right - left + 2 * pad,
    role: 'group',
    'aria-label': `${board.label}${whose}`,
    class: `board${right - left < 1000 ? ' fits' : ''}${wide && right - left > NARROW ? ' words' : ''}`,
  });
  const frame = { left: left - pad, top: top - pad, right: right + pad, bottom: bottom + pad };
  picture.append(...ground(board.id, frame, rowFrames(cells.map(place), width, height)));
  cells.forEach((cell, at) =>
    picture.append(drawCell(board, cell, place(cell), width, height, wide ? lines[at] : null)),
  );
  for (const cell of cells)
    picture.append(...cell.sides.map((side) => drawSide(board, cell, side, place(cell), width, height)));
  picture.append(...edge);
  addArrowKeys(picture, id);
  return el(
    'figure',
    { class: wide ? 'wide' : '' },
    el('figcaption', { 'data-src': `grids.${board.id}` }, board.label),
    el(
      'div',
      { class: 'scroll', 'data-scroll': id, tabindex: 0, role: 'group', 'aria-label': `${board.label}${whose}` },
      picture,
    ),
    !points && (board.seat === null || board.seat === head().seat) ? legend(board) : null,
  );
}

/** Free space for the coordinates around a board. */
const EDGE = 8;

/**
 * The coordinates of the rows, on the left, and of the columns, below: the part of the ids that all their cells share.
 * @param {boolean} hex whether the columns are shifted from row to row
 * @param {Cell[]} cells
 * @param {{x: number, y: number}[]} corners of the cells
 * @param {number} width of a cell
 * @param {number} height
 */
function coordinates(hex, cells, corners, width, height) {
  const names = cells.map((cell) => /^([a-z]+)(\d+)$/.exec(cell.name === '' ? cell.id : ''));
  if (names.some((name) => name === null)) return [];
  const shared = (/** @type {'x' | 'y'} */ axis) => {
    /** @type {Map<number, Set<string>[]>} */
    const lines = new Map();
    corners.forEach((corner, at) => {
      const line = lines.get(corner[axis]) ?? [new Set(), new Set()];
      [1, 2].forEach((part) => line[part - 1].add(names[at]?.[part] ?? ''));
      lines.set(corner[axis], line);
    });
    return [...lines].flatMap(([at, parts]) => {
      const part = parts.find((one) => one.size === 1);
      return part && parts.some((one) => one.size > 1) ? [{ at, text: [...part][0] }] : [];
    });
  };
  const left = Math.min(...corners.map(({ x }) => x));
  const bottom = Math.max(...corners.map(({ y }) => y)) + height;
  const first = (/** @type {number} */ y) => Math.min(...corners.filter((one) => one.y === y).map(({ x }) => x));
  return [
    ...shared('y').map(({ at, text }) => label((hex ? first(at) : left) - 7, at + height / 2 + 4, 'edge', text)),
    ...(hex ? [] : shared('x').map(({ at, text }) => label(at + width / 2, bottom + 11, 'edge', text))),
  ];
}

/**
 * The frames of the rows of a board, from the corners of its cells.
 * @param {{x: number, y: number}[]} corners
 * @param {number} width of a cell
 * @param {number} height
 */
function rowFrames(corners, width, height) {
  const tops = [...new Set(corners.map(({ y }) => y))];
  return tops.map((top) => {
    const xs = corners.filter(({ y }) => y === top).map(({ x }) => x);
    return { left: Math.min(...xs), top, right: Math.max(...xs) + width, bottom: top + height };
  });
}

/**
 * Draws an open side of a card as a half circle, filled if the card beyond has the opposite side open.
 * @param {Board} board
 * @param {Cell} cell
 * @param {import('./protocol').Side} side
 * @param {{x: number, y: number}} at
 * @param {number} width
 * @param {number} height
 */
function drawSide(board, cell, side, at, width, height) {
  const beyond = board.cells.find((other) => other.row === cell.row + side.row && other.half === cell.half + side.half);
  const joined = beyond?.sides.some((other) => other.row === -side.row && other.half === -side.half) ?? false;
  const x = at.x + width / 2 + (side.row === 0 ? (Math.sign(side.half) * width) / 2 : (side.half * width) / 4);
  const y = at.y + height / 2 + (side.row * height) / 2;
  const radius = 7;
    // A half circle on this card's side of the edge.
  const [dx, dy] = side.row === 0 ? [0, radius] : [radius, 0];
  const sweep = side.row === 0 ? Number(side.half < 0) : Number(side.row > 0);
  return svg('path', {
    class: joined ? 'side whole' : 'side',
    d: `M ${x - dx} ${y - dy} A ${radius} ${radius} 0 0 ${sweep} ${x + dx} ${y + dy} Z`,
    'aria-hidden': 'true',
  });
}

/** The width of a board in half cells. @param {Board} board */
export const widthOf = (board) => {
  const halves = visibleCells(board).map((cell) => cell.half);
  return Math.max(...halves) - Math.min(...halves) + 2;
};

/** Whether a board needs the whole width of the table. @param {Board} board */
export const isBroad = (board) => visibleCells(board).some((cell) => cell.cards.length > 0);

/** Whether boards already show all cards of a pile. @param {import('./protocol').Pile} pile */
export function isOnBoard(pile) {
  return (
    pile.cards.length > 0 &&
    pile.cards.every(
      (card) => card.place && boards().some((board) => board.id === card.place?.board && board.seat === pile.seat),
    )
  );
}

/** Half cells shown on both sides of the used part of a long board. */
const MARGIN = 1;

/** Boards up to this number of cells per row are shown whole. */
const LONG = 14;

/** The cells to draw. A long board is cut to its used or selectable part. @param {Board} board */
function visibleCells(board) {
  const { cells } = board;
  const ends = (/** @type {Cell[]} */ of) => [
    Math.min(...of.map((cell) => cell.half)),
    Math.max(...of.map((cell) => cell.half)),
  ];
  const used = cells.filter(
    (cell) =>
      cell.cards.length > 0 || cell.marks.some((mark) => mark.text.trim() !== '') || fitting(board, cell).length > 0,
  );
  const [from, to] = ends(cells);
  if (to - from <= 2 * LONG || used.length === 0) return cells;
  const [left, right] = ends(used);
  const bottom = Math.max(...used.map((cell) => cell.row));
  return cells.filter((cell) => cell.half >= left - MARGIN && cell.half <= right + MARGIN && cell.row <= bottom);
}

/** Height of the row of badges in a cell. */
const BADGE = 18;

/** @param {Board} board @param {Cell} cell @returns {{text: string, hue: string, kind: string}[]} */
function textLines(board, cell) {
  const long = cell.marks.filter((mark) => mark.text.trim().length > 3);
  const lines = (board.named ? wrap(cell.name) : []).map((text) => ({ text, hue: '', kind: 'title' }));
  for (const mark of long)
    lines.push(...wrap(mark.text).map((text) => ({ text, hue: hue(mark.colour), kind: 'long' })));
  for (const card of cell.cards) {
    if (!long.some((mark) => mark.text.includes(card.name)))
      lines.push(...wrap(card.name).map((text) => ({ text, hue: '', kind: 'title' })));
    lines.push(...card.details.map((text) => ({ text, hue: 'c-red', kind: 'long' })));
  }
  return lines;
}

/**
 * The short marks of a cell: a number in a circle, or a symbol.
 * @param {Board} board
 * @param {Cell} cell
 */
function tokens(board, cell) {
    // A symbol for "nothing" is useless in a cell with a name.
  return marksOf(board, cell).filter(
    (token) => token.text.length <= 3 && !(board.named && cell.words.length === 0),
  );
}

/**
 * The marks of a cell that show something. A number has the colour of the seat whose symbol is the only other mark:
 * five men of White.
 * @param {Board} board
 * @param {Cell} cell
 */
function marksOf(board, cell) {
  // The icons of a fact replace the first mark.
  const from = iconsOfFact(board, cell).length > 0 ? 1 : 0;
  const all = cell.marks.slice(from).map((mark, pen) => ({
    text: mark.text.trim(),
    hue: tone(board, mark),
    number: (board.legend[pen + from]?.symbols.length ?? 0) === 0,
    owned: false,
  }));
  const seats = head().seats.map((seat) => hue(seat.colour));
  const ofSeat = (/** @type {string} */ shade) => shade !== '' && seats.includes(shade);
  for (const token of all) token.owned = !token.number && ofSeat(token.hue);
  const [one, other, ...rest] = all.filter((token) => token.text !== '');
  if (one?.owned && other?.number && other.hue === '' && rest.length === 0)
    [other.hue, other.owned] = [one.hue, true];
  return all.filter((token) => token.text !== '');
}

/**
 * The class of a symbol. A colour and its bright form have one hue: where both draw the same symbol, the lighter one is
 * hollow.
 * @param {Board} board
 * @param {{text: string, colour: string}} mark
 */
function tone(board, { text, colour }) {
  const isAlike = (/** @type {{text: string, colour: string}} */ other) =>
    other.text.trim() === text.trim() && other.colour !== colour && hue(other.colour) === hue(colour);
  const alike = board.legend.some((entry) => entry.symbols.some(isAlike));
  return alike && /^bright_/.test(colour) ? `${hue(colour)} hollow` : hue(colour);
}

/** @param {string} text */
function wrap(text) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * @param {Board} board @param {Cell} cell @param {{x: number, y: number}} at
 * @param {number} width @param {number} height @param {{text: string, hue: string, kind: string}[] | null} lines
 */
function drawCell(board, cell, { x, y }, width, height, lines) {
  const fits = fitting(board, cell);
  const of = face(cell.cards[0]?.face ?? cell.face);
  const cards = cell.cards.map((card) => [card.name, ...card.details].join(' '));
  const said = [cell.name || cell.id, ...cell.words, ...cards.filter((card) => !cell.words.includes(card))].join(', ');
  const key = cellKey({ board: board.id, seat: board.seat, cell: cell.id });
  const keys = keysOf(board, cell);
  const clicked = isClicked(...keys);
  const can = fits.length > 0 || clicked || of !== undefined;
  const act = () => {
    if (fits.length > 0) pick(fits, ...keys);
    else if (clicked) unpick();
    else if (of) openCard(of);
    else askAbout(keys[0]);
  };
  const marks = tokens(board, cell);
  const bare = cell.words.length === 0 && cell.cards.length === 0;
  const points = hasPoints(board.id);
  const tint = points ? ' point' : lines ? '' : tinted(marks[0]?.hue);
  const shown = cell.cards.length > 0 ? ` lies ${stripe(of)}` : bare ? ' bare' : '';
  const props = {
    class: `cell${fits.length > 0 ? ' can' : ''}${clicked ? ' clicked' : ''}${shown}${tint}`,
    role: can ? 'button' : 'img',
    tabindex: can ? -1 : null,
    'data-key': `cell/${key}`,
    'data-src': of?.id ?? null,
    'data-said': said,
    'data-card': cell.cards[0]?.face ?? null,
    'data-x': x,
    'data-y': y,
    click: act,
    mouseenter: fits.length > 0 && (() => peek(fits)),
    mouseleave: fits.length > 0 && (() => peek([])),
  };
  const middle = x + width / 2;
  const shape =
    board.hex && !lines
      ? hexagon(x, y, width, height)
      : svg('rect', { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 5 });
    // Use the title as the accessible name: an `aria-label` would have to begin with the visible text.
  const group = svg(
    'g',
    props,
    svg('title', {}, document.createTextNode(of && cell.cards.length > 0 ? `${said}: ${cardLine(of)}` : said)),
    shape,
  );
  const men = drawMen(cell, { x, y: y + height });
  if (points) {
    const down = cell.row * 2 <= Math.max(...board.cells.map((one) => one.row));
    const dark = (cell.row + cell.half / 2) % 2 === 0;
    group.append(...drawPoint(cell.name || cell.id, marksOf(board, cell), { x, y }, down, dark), ...men);
    return group;
  }
  const drawn = lines ? drawIcon(cell, middle) : null;
  const shownFace = faceOfCell(cell);
  if (lines) {
    if (drawn) group.append(drawn);
    if (shownFace) group.append(...drawCellPicture(shownFace, x, y, width));
    const isNamed = fits.length > 0 || board.cells.every((other) => other.cards.length === 0);
    if (lines.length === 0 && marks.length === 0 && isNamed) {
      const words = wrap(cell.name || cell.id);
      const upper = y + height / 2 + 3 - ((words.length - 1) * LINE) / 2;
      words.forEach((text, number) => group.append(label(middle, upper + number * LINE, 'where', text)));
    }
    const facts = iconsOfFact(board, cell);
    const high = lines.length * LINE + (marks.length + facts.length > 0 ? BADGE : 0);
    const first = y + (height - high + (drawn ? DRAWN : shownFace ? SHOWN : 0)) / 2 + 10;
    drawn?.setAttribute('y', String(first - 12 - DRAWN));
    lines.forEach((line, number) =>
      group.append(label(middle, first + number * LINE, `${line.kind} ${line.hue}`, line.text)),
    );
    const step = Math.max(FACT, ...marks.map((mark) => badgeWidth(mark))) + 2;
    const middleOf = (/** @type {number} */ number) =>
      middle + (number - (facts.length + marks.length - 1) / 2) * step;
    const level = first + lines.length * LINE;
    facts.forEach((one, number) => {
      const box = { x: middleOf(number) - FACT / 2, y: level - 1 - FACT / 2, width: FACT, height: FACT };
      group.append(...placed(icon(one, 'symbol'), box));
    });
    marks.forEach((mark, number) => group.append(...badge(mark, middleOf(facts.length + number), level, bare)));
  } else {
    const [main, rest] = [marks.slice(0, 2), marks.slice(2)];
    const raised = rest.length > 0 ? 5 : 0;
    const text = svg('text', { x: middle, y: y + height / 2 + 6 - raised, class: raised ? 'glyph less' : 'glyph' });
    main.forEach((mark) => text.append(svg('tspan', { class: mark.hue }, document.createTextNode(mark.text))));
    if (marks.length === 0) {
      text.setAttribute('class', 'where');
      text.append(cell.id);
    }
    group.append(text);
    rest.forEach((mark, number) =>
      group.append(
        ...badge({ ...mark, number: true }, middle + (number - (rest.length - 1) / 2) * 17, y + height / 2 + 11, false),
      ),
    );
  }
  group.append(...men);
  return group;
}

/** Radius of a man. */
const MAN = 6;

/** Draws the men on a cell, along its lower edge. @param {Cell} cell @param {{x: number, y: number}} corner */
const drawMen = (cell, { x, y }) =>
  cell.men.map((seat, at) => {
    const of = hue(seatOf(seat)?.colour);
    return svg('circle', { cx: x + 11 + at * (2 * MAN + 1), cy: y - 10, r: MAN, class: `man ${of}` });
  });

/** The cards of piles that lie on a cell, with their piles and places. @param {Board} board @param {Cell} cell */
function cardsOnCell(board, cell) {
  if (cell.cards.length === 0) return [];
  const owners = piles().filter((pile) => pile.seat === board.seat);
  const all = owners.flatMap((pile) => pile.cards.map((card, at) => ({ pile, card, at })));
  return all.filter(({ card }) => card.place?.board === board.id && card.place.cell === cell.id);
}

/** The keys of a cell and of the cards that lie on it. @param {Board} board @param {Cell} cell */
const keysOf = (board, cell) => [
  `cell/${cellKey({ board: board.id, seat: board.seat, cell: cell.id })}`,
  ...cardsOnCell(board, cell).map(({ pile, at }) => cardKey(pile.id, pile.seat, at)),
];

/** The choices of a cell and of the cards that lie on it. @param {Board} board @param {Cell} cell */
function fitting(board, cell) {
  const placed = cardsOnCell(board, cell);
  const laid = cell.cards.filter((one) => placed.every(({ card }) => card.face !== one.face));
  return [
    ...onPlace(...keysOf(board, cell)),
    ...placed.flatMap(({ pile, card }) => onCard(pile, card)),
    ...laid.flatMap(onLaidCard),
  ];
}

/** The face of the card in a cell, if its kind has pictures. @param {Cell} cell */
function faceOfCell(cell) {
  const of = face(cell.cards[0]?.face);
  return of && (of.image || lookOf(of)?.picture !== 'none') ? of : undefined;
}

/**
 * Draws the picture of a card on the upper part of a cell.
 * @param {Face} of
 * @param {number} x @param {number} y @param {number} width
 */
function drawCellPicture(of, x, y, width) {
  return placed(pictureOf(of), { x: x + 3.5, y: y + 3.5, width: width - 7, height: SHOWN });
}

/**
 * A drawing in its place, if there is one.
 * @template {Element} T
 * @param {T | null} drawn
 * @param {Record<string, number>} box
 */
function placed(drawn, box) {
  for (const [key, value] of Object.entries(box)) drawn?.setAttribute(key, String(value));
  return drawn ? [drawn] : [];
}

/** Width of the icon of a fact. */
const FACT = 18;

/** The names of the icons of the declared fact of the card on a cell. @param {Board} board @param {Cell} cell */
function iconsOfFact(board, cell) {
  const name = deck.look.grids[board.id]?.fact;
  const fact = name && face(cell.cards[0]?.face)?.facts.find((one) => one.of === name);
  if (!fact) return [];
  const names = fact.value.toLowerCase().split(' ').map((word) => deck.words?.icons.get(word));
  const found = names.some(Boolean) ? names : fact.value.split(/, | and /).map(iconOfName);
  return found.flatMap((one) => (one !== undefined && deck.look.icons[one] ? [one] : []));
}

/** The name of the icon of the definition with this name. @param {string} name */
function iconOfName(name) {
  const found = [...deck.faces.values()].find((of) => of.name === name);
  return found && (drawingOf(found.id) ?? deck.iconNames.get(found.id.split('.')[1]));
}

/** The name of the icon that a kind draws for a definition. @param {string} definition */
function drawingOf(definition) {
  const [kind, id] = definition.split('.');
  return deck.look.kinds[kind]?.draws[id]?.[0];
}

/** The name of the icon of the definition that names a cell, if one is declared. @param {Cell} cell */
const iconOfCell = (cell) => drawingOf(cell.face ?? '');

/** Draws the icon of a cell. @param {Cell} cell @param {number} middle */
function drawIcon(cell, middle) {
  const box = { x: middle - DRAWN / 2, width: DRAWN, height: DRAWN };
  return placed(icon(iconOfCell(cell) ?? '', 'symbol'), box)[0];
}

/** @param {number} x @param {number} y @param {string} of @param {string} text */
const label = (x, y, of, text) => svg('text', { x, y, class: of }, document.createTextNode(text));

/** The background class of a colour. @param {string | undefined} of */
const tinted = (of) => (of ? ` tint ${of}` : '');

/** @param {{text: string}} mark */
const badgeWidth = ({ text }) => Math.max(16, 8 + 9 * text.length);

/**
 * Draws a number in a circle, a man of a player on a disc of that colour, or another symbol.
 * @param {{text: string, hue: string, number: boolean, owned: boolean}} mark
 * @param {number} x
 * @param {number} y
 * @param {boolean} bare
 */
function badge(mark, x, y, bare) {
  const owned = mark.owned ? ' owned' : '';
  const text = label(x, y + 4, `short ${bare ? 'where' : mark.hue}${owned}`, mark.text);
  if (!mark.number && !mark.owned) return [text];
  const straight = (mark.owned ? badgeWidth(mark) : 16) - 16;
  const d = `M ${x - straight / 2} ${y - 8} h ${straight} a 8 8 0 0 1 0 16 h ${-straight} a 8 8 0 0 1 0 -16 Z`;
  return [svg('path', { d, class: `badge ${mark.hue}${owned}` }), text];
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function hexagon(x, y, width, height) {
  const [w, side] = [width / 2, height / 3];
  const corners = [
    [x + w, y - side / 2 + 1],
    [x + width - 1, y + side / 2],
    [x + width - 1, y + height - side / 2],
    [x + w, y + height + side / 2 - 1],
    [x + 1, y + height - side / 2],
    [x + 1, y + side / 2],
  ];
  return svg('polygon', { points: corners.map((corner) => corner.join(',')).join(' ') });
}

/** Makes one cell reachable by Tab, the others by arrow keys. @param {SVGElement} picture @param {string} id */
function addArrowKeys(picture, id) {
  const cells = /** @type {SVGElement[]} */ ([...picture.querySelectorAll('[role=button]')]);
  const first =
    cells.find((cell) => cell.dataset.key === last.get(id)) ??
    cells.find((cell) => cell.classList.contains('can')) ??
    cells[0];
  first?.setAttribute('tabindex', '0');
  picture.addEventListener('focusin', (event) => {
    const now = /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest('[role=button]'));
    if (!now?.dataset.key) return;
    last.set(id, now.dataset.key);
    for (const cell of cells) cell.setAttribute('tabindex', cell === now ? '0' : '-1');
  });
  picture.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const now = /** @type {SVGElement} */ (event.target);
    if (key === 'Enter' || key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      now.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return;
    }
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (/** @type {SVGElement} */ cell) => [Number(cell.dataset.x), Number(cell.dataset.y)];
    const [x, y] = at(now);
    /** @type {[number, SVGElement][]} */
    const ahead = cells
      .filter((cell) => cell !== now)
      .map((cell) => {
        const [cx, cy] = at(cell);
        const [along, aside] = [(cx - x) * dx + (cy - y) * dy, Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx)];
        return [along <= 0 || aside > along * 1.5 ? Infinity : along + 2 * aside, cell];
      });
    ahead.sort((a, b) => a[0] - b[0]);
    if (ahead[0] && ahead[0][0] < Infinity) ahead[0][1].focus();
  });
}

/** The last focused cell of each board. @type {Map<string, string>} */
const last = new Map();

/**
 * Merges symbols that differ only in the number that they and their meanings end with: `W2 white 2` and `W5 white 5`
 * become `W2, W5 white`.
 * @template {{text: string, colour: string, means: string}} T
 * @param {T[]} parts
 */
function merged(parts) {
  /** @type {Map<string, T>} */
  const groups = new Map();
  for (const part of parts) {
    const [, of, number] = /^(.*?)\s*(\d+)$/.exec(part.means) ?? [];
    const stem = number && of && part.text !== number && part.text.endsWith(number) ? of : '';
    const key = stem === '' ? `${part.text} ${part.means}` : `${part.colour} ${stem}`;
    const known = groups.get(key);
    if (known) known.text += `, ${part.text}`;
    else groups.set(key, { ...part, means: stem || part.means });
  }
  return [...groups.values()];
}

/** @param {Board} board */
function legend(board) {
  const seen = new Set();
  const parts = board.legend.flatMap((entry) => entry.symbols.map((symbol) => ({ ...symbol, label: entry.label })));
  const drawn = new Set(board.cells.flatMap((cell) => tokens(board, cell).map((token) => token.text)));
  const some = parts.filter(
    (part) => drawn.has(part.text) && !seen.has(part.text + part.means) && seen.add(part.text + part.means),
  );
  const list = merged(some).map((part) =>
    el('span', { class: 'key' }, el('b', { class: tone(board, part) }, part.text), ` ${part.means}`),
  );
  board.legend.forEach((entry, pen) => {
    const mark = board.cells.map((cell) => cell.marks[pen]).find((one) => one && one.text.trim() !== '');
    if (entry.symbols.length === 0 && mark && entry.label !== '')
      list.push(el('span', { class: 'key' }, el('b', { class: `n ${hue(mark.colour)}` }, 'n'), ` ${entry.label}`));
  });
  if (list.length === 0) return null;
  return el('p', { class: 'legend' }, ...list);
}
