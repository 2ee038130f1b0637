// @ts-check
import { h } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/** @type {{edit: null | ((cell: HTMLElement, f: Facts, row: number, column: number) => void)}} */
export const cellEditing = { edit: null }; // what a desk does where somebody wants to edit a cell

/**
 * Shows a table, to sort and to filter.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {any} [_kept]
 * @param {(id: number) => void} [_go]
 * @param {string} [view] the table itself, or another one that its owner has
 */
export function showTable(host, f, _kept, _go, view = 'table') {
  const scroller = h('div', { class: 'fill table', tabindex: 0, role: 'region', 'aria-label': 'rows' });
  const search = h('input', { type: 'search', placeholder: 'only rows with …', 'aria-label': 'filter the rows' });
  const count = h('span', { class: 'note' });
  host.append(scroller, h('div', { class: 'bar' }, search, count));
  /** @type {{columns: string[], rows: any[][], total: number, numeric: boolean[]}} */
  let table = { columns: [], rows: [], total: 0, numeric: [] };
  /** @type {number[]} rows by their numbers */
  let shown = [];
  let by = -1;
  let down = false;
  const head = h('div', { class: 'line head' });
  scroller.append(head);
  const list = new VirtualList(scroller, 22, (i) => h('div', { class: 'line' }, table.rows[shown[i]].map((c, k) => cellOf(shown[i], k, String(c)))));

  /**
   * @param {number} row
   * @param {number} k
   * @param {string} text
   */
  function cellOf(row, k, text) {
    const { edit } = cellEditing;
    if (!edit) return h('span', { class: table.numeric[k] ? 'number' : '', title: text }, text);
    const begin = () => edit(el, f, row, k);
    const el = h('span', {
      class: table.numeric[k] ? 'number editable' : 'editable', title: text, tabindex: 0, role: 'textbox', 'aria-readonly': 'true', 'aria-label': `${table.columns[k]}, row ${row + 1}`, 'data-cell': `${row} ${k}`,
      ondblclick: begin, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter' || e.key === 'F2') { e.preventDefault(); begin(); } },
    }, text);
    return el;
  }

  function arrange() {
    const want = search.value.toLowerCase();
    shown = [...table.rows.keys()].filter((i) => !want || table.rows[i].some((c) => String(c).toLowerCase().includes(want)));
    if (by >= 0) {
      const sign = down ? -1 : 1;
      const less = table.numeric[by] ? (/** @type {any} */ a, /** @type {any} */ b) => Number(a) - Number(b) : (/** @type {any} */ a, /** @type {any} */ b) => String(a).localeCompare(String(b));
      shown.sort((a, b) => sign * less(table.rows[a][by], table.rows[b][by]));
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
    table = await getJSON(`api/${view}/${f.id}`);
    arrange();
  }
  return { ready: load(), stop: () => list.stop() };
}
