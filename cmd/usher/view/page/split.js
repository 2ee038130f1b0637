// @ts-check
// The edges between the columns can be moved.

/**
 * Lets an edge be moved, by the pointer and by the arrow keys.
 * @param {HTMLElement} edge
 * @param {string} name of the custom property that is the width of the column beside it
 * @param {number} sign 1 for a column to the left of the edge, −1 for one to the right
 */
export function splitter(edge, name, sign) {
  const main = /** @type {HTMLElement} */ (edge.parentElement);
  const column = () => /** @type {HTMLElement} */ (sign > 0 ? edge.previousElementSibling : edge.nextElementSibling);
  const set = (/** @type {number} */ width) => {
    const most = main.clientWidth / 2;
    const now = Math.round(Math.max(150, Math.min(most, width)));
    main.style.setProperty(name, `${now}px`);
    edge.setAttribute('aria-valuenow', String(Math.round((100 * now) / Math.max(1, main.clientWidth))));
  };
  edge.addEventListener('pointerdown', (e) => {
    edge.setPointerCapture(e.pointerId);
    const from = column().clientWidth - sign * e.clientX;
    const move = (/** @type {PointerEvent} */ m) => set(from + sign * m.clientX);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
    e.preventDefault();
  });
  edge.addEventListener('keydown', (e) => {
    const step = { ArrowLeft: -24, ArrowRight: 24 }[e.key];
    if (!step) return;
    set(column().clientWidth + sign * step);
    e.preventDefault();
  });
}
