// @ts-check
// Creates elements. Text stays text: no function parses markup.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @param {Element} node
 * @param {Record<string, any>} props attributes; functions listen
 * @param {Child[]} children
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) node.append(child);
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  fill(node, props, children);
  return node;
}

/**
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(node, props, children);
  return node;
}

/**
 * Returns an element of index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function get(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * The class of a declared colour; empty for no or an invalid colour.
 * @param {string | undefined} colour
 */
export function hue(colour) {
  return colour && /^[a-z_]+$/.test(colour) ? `c-${colour.replace('bright_', '')}` : '';
}

/**
 * Redraws parts of the page, then restores the focus by key and the scroll positions.
 * @param {() => void} draw
 */
export function keepingFocus(draw) {
  const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
  const scrolled = [...document.querySelectorAll('[data-scroll]')].map((node) => [
    node.getAttribute('data-scroll'),
    node.scrollLeft,
    node.scrollTop,
  ]);
  draw();
  for (const [id, left, top] of scrolled) {
    const node = document.querySelector(`[data-scroll="${CSS.escape(String(id))}"]`);
    if (node) [node.scrollLeft, node.scrollTop] = [Number(left), Number(top)];
  }
  if (!key) return;
  const again = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${CSS.escape(key)}"]`));
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}
