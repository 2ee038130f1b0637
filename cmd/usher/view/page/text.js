// @ts-check
import { h } from './dom.js';
import { VirtualList } from './list.js';
import { getText } from './source.js';

/**
 * Shows text, of any length, with its lines numbered.
 * @param {HTMLElement} host
 * @param {string} path
 */
export function showText(host, path) {
  const scroller = h('div', { class: 'fill text', tabindex: 0 });
  const found = h('span', { class: 'note' });
  const search = h('input', { type: 'search', placeholder: 'find', 'aria-label': 'find in the text' });
  host.append(scroller, h('div', { class: 'bar' }, search, found));
  /** @type {string[]} */
  let lines = [];
  let at = -1;
  const list = new VirtualList(scroller, 18, (i) => h('div', { class: i === at ? 'line on' : 'line' }, h('b', {}, i + 1), lines[i]));
  search.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== 'Enter') return;
    const want = search.value.toLowerCase();
    const n = lines.length;
    for (let k = 1; want && k <= n; k++) {
      const i = (at + k + n) % n;
      if (!lines[i].toLowerCase().includes(want)) continue;
      at = i;
      list.reveal(i);
      list.redraw();
      found.textContent = `line ${i + 1}`;
      return;
    }
    found.textContent = 'not found';
  });
  async function load() {
    lines = (await getText(path)).split(/\r\n|\n|\r/);
    list.setCount(lines.length);
  }
  return { ready: load(), stop: () => list.stop() };
}
