// @ts-check
import { h } from './dom.js';

// Browsers give up on elements of some millions of pixels: longer lists scroll in larger steps.
const tallest = 8e6;

/**
 * A list that holds only the rows that are seen, and a screen of them on both sides.
 */
export class VirtualList {
  /**
   * @param {HTMLElement} host scrolls
   * @param {number} rowHeight in pixels
   * @param {(i: number) => Node} render makes row i
   * @param {(from: number, to: number) => void} [wanted] is told which rows are seen
   */
  constructor(host, rowHeight, render, wanted) {
    this.host = host;
    this.rowHeight = rowHeight;
    this.render = render;
    this.wanted = wanted;
    this.count = 0;
    this.first = -1;
    this.last = -1;
    this.spacer = h('div', { class: 'spacer' });
    this.rows = h('div', { class: 'rows' });
    this.spacer.append(this.rows);
    host.append(this.spacer);
    this.pending = false;
    host.addEventListener('scroll', () => this.soon(), { passive: true });
    this.observer = new ResizeObserver(() => this.soon());
    this.observer.observe(host);
  }

  /** Draws when the browser is about to. */
  soon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.update(); });
  }

  /** @param {number} n */
  setCount(n) {
    this.count = n;
    this.spacer.style.height = `${Math.min(n * this.rowHeight, tallest)}px`;
    this.redraw();
  }

  /** Makes the rows anew. */
  redraw() {
    this.first = -1;
    this.update();
  }

  /** The number of the row at the top of the window, with a fraction. */
  top() {
    const full = this.count * this.rowHeight;
    const { clientHeight } = this.host;
    const scrollTop = this.scrolled();
    if (full <= tallest) return scrollTop / this.rowHeight;
    const share = scrollTop / Math.max(1, tallest - clientHeight);
    return share * Math.max(0, this.count - clientHeight / this.rowHeight);
  }

  /** How far the list is scrolled; there may be other things above it. */
  scrolled() { return Math.max(0, this.host.scrollTop - this.spacer.offsetTop); }

  update() {
    const seen = Math.ceil(this.host.clientHeight / this.rowHeight) + 1;
    const top = this.top();
    const first = Math.max(0, Math.floor(top) - seen);
    const last = Math.min(this.count, Math.floor(top) + 2 * seen);
    this.rows.style.top = `${this.scrolled() - (top - first) * this.rowHeight}px`;
    if (first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    if (this.wanted) this.wanted(first, last);
    const made = [];
    for (let i = first; i < last; i++) made.push(this.render(i));
    this.rows.replaceChildren(...made);
  }

  /**
   * Scrolls until row i is seen.
   * @param {number} i
   */
  reveal(i) {
    const full = this.count * this.rowHeight;
    const page = this.host.clientHeight;
    const at = this.top() * this.rowHeight;
    const want = i * this.rowHeight;
    if (want >= at && want + this.rowHeight <= at + page) return;
    const to = want - page / 2;
    this.host.scrollTop = this.spacer.offsetTop + (full <= tallest ? to : (to / Math.max(1, full - page)) * (tallest - page));
    this.update();
  }

  stop() { this.observer.disconnect(); }
}
