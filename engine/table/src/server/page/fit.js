// @ts-check
// Shrinks a face until it fits its card.

/** The smallest scale: texts of 9.5 points become 4.8 points. */
export const SMALLEST = 0.5;

/** Scales to try, from the largest. */
const SCALES = Array.from({ length: 21 }, (_, at) => 1 - at * 0.025);

/**
 * Gives a face the largest scale at which all of it is inside of its card.
 * @param {HTMLElement} face an element of the class `face` on the page
 * @returns {boolean} whether it fits at the smallest scale
 */
export function fit(face) {
  return SCALES.some((scale) => {
    face.style.setProperty('--scale', scale.toFixed(3));
    return fits(face);
  });
}

/** @param {Element} of */
const holds = (of) => of.scrollHeight <= of.clientHeight && of.scrollWidth <= of.clientWidth;

/** Whether all of a face is visible, and its name and corner stay between its edges. @param {HTMLElement} face */
const fits = (face) => holds(face) && [...face.children].every((part) => !part.matches('.head') || isWithin(part));

/** @param {Element} of */
const isWithin = (of) => of.scrollWidth <= of.clientWidth;

/**
 * Places an element on its page.
 * @param {HTMLElement} node
 * @param {Partial<Record<'left' | 'top' | 'width' | 'height' | 'padding', number>>} box in millimetres
 */
export function place(node, box) {
  for (const [key, value] of Object.entries(box)) node.style.setProperty(key, `${value.toFixed(3)}mm`);
  return node;
}
