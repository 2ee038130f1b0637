// @ts-check
import { h } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Shows a table, to sort and to filter.
 * @param {HTMLElement} host
 * @param {Facts} f
 */
export function showTable(host, f) {
  const scroller = h('div', { class: 'fill table', tabindex: 0, role: 'region', 'aria-label': 'rows' });
  const search = h('input', { type: 'search', placeholder: 'only rows with …', 'aria-label': 'filter the rows' });
  const count = h('span', { class: 'note' });
  host.append(scroller, h('div', { class: 'bar' }, search, count));
  /** @type {{columns: string[], rows: any[][], total: number, numeric: boolean[]}} */
  let table = { columns: [], rows: [], total: 0, numeric: [] };
  /** @type {any[][]} */
  let shown = [];
  let by = -1;
  let down = false;
  const head = h('div', { class: 'line head' });
  scroller.append(head);
  const list = new VirtualList(scroller, 22, (i) => h('div', { class: 'line' }, shown[i].map((c, k) => h('span', { class: table.numeric[k] ? 'number' : '', title: String(c) }, String(c)))));

  function arrange() {
    const want = search.value.toLowerCase();
    shown = want ? table.rows.filter((r) => r.some((c) => String(c).toLowerCase().includes(want))) : table.rows.slice();
    if (by >= 0) {
      const sign = down ? -1 : 1;
      const less = table.numeric[by] ? (/** @type {any} */ a, /** @type {any} */ b) => Number(a) - Number(b) : (/** @type {any} */ a, /** @type {any} */ b) => String(a).localeCompare(String(b));
      shown.sort((a, b) => sign * less(a[by], b[by]));
    }
    list.setCount(shown.length);
    count.textContent = `${shown.length} of ${table.total} rows`;
    head.replaceChildren(...table.columns.map((c, k) => h('button', {
      type: 'button', title: `sort by ${c}`, class: table.numeric[k] ? 'number' : '',
      onclick: () => { down = by === k && !down; by = k; arrange(); },
    }, `${c}${by === k ? (down ? ' ▾' : ' ▴') : ''}`)));
  }

  search.addEventListener('input', arrange);
  async function load() {
    table = await getJSON(`api/table/${f.id}`);
    arrange();
  }
  return { ready: load(), stop: () => list.stop() };
}
