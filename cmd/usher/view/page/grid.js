// @ts-check
import { h } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON, urlOf } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */
/** @typedef {import('./source.js').Row} Row */

const cellWidth = 146;
const cellHeight = 184;

/**
 * Shows the pictures of all that is in a folder or an archive: those that are seen, and no others.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {any} _kept
 * @param {(id: number) => void} go
 */
export function showGrid(host, f, _kept, go) {
  const scroller = h('div', { class: 'fill' });
  host.append(scroller);
  /** @type {Map<number, Row[]>} */
  const windows = new Map();
  const asked = new Set();
  let total = 0;
  let stopped = false;
  const columns = () => Math.max(1, Math.floor((scroller.clientWidth - 16) / cellWidth));
  const size = 200;

  /** @param {number} w */
  async function fetchWindow(w) {
    if (asked.has(w) || stopped) return;
    asked.add(w);
    const l = await getJSON(`api/list?under=${f.id}&flat=1&drawn=1&from=${w * size}&count=${size}`);
    if (stopped) return;
    windows.set(w, l.rows);
    if (l.busy && w === 0) setTimeout(() => { asked.clear(); fetchWindow(0); }, 300);
    if (l.total !== total) {
      total = l.total;
      list.setCount(Math.ceil(total / columns()));
    } else list.redraw();
    empty.hidden = total > 0 || l.busy;
  }

  /** @param {number} i */
  function cellOf(i) {
    const r = (windows.get(Math.floor(i / size)) || [])[i % size];
    if (!r) { fetchWindow(Math.floor(i / size)); return h('div', { class: 'cell' }); }
    const img = h('img', { src: urlOf(`api/thumb/${r.id}?size=128`), alt: '', loading: 'lazy' });
    return h('button', { type: 'button', class: 'cell', 'data-id': r.id, title: r.name, onclick: () => go(r.id) }, h('div', { class: 'box' }, img), h('span', {}, r.title || r.name));
  }

  const list = new VirtualList(scroller, cellHeight, (line) => {
    const n = columns();
    const el = h('div', { class: 'grid' });
    el.style.gridTemplateColumns = `repeat(${n}, 1fr)`;
    el.style.height = `${cellHeight}px`;
    for (let i = line * n; i < Math.min(total, (line + 1) * n); i++) el.append(cellOf(i));
    return el;
  });
  const empty = h('p', { class: 'note', hidden: true }, 'Nothing here has a picture: see the tree.');
  scroller.append(empty);
  const resized = new ResizeObserver(() => list.setCount(Math.ceil(total / columns())));
  resized.observe(scroller);
  return { ready: fetchWindow(0), stop: () => { stopped = true; resized.disconnect(); list.stop(); } };
}
