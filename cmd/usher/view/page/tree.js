// @ts-check
import { byId, h, byteCount, kindSign } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON, heed } from './source.js';

/** @typedef {import('./source.js').Row} Row */
/** @typedef {import('./source.js').Listing} Listing */

const windowSize = 200;

/**
 * The tree of all that can be looked at, of which the server sends the part that is seen.
 */
export class Tree {
  /** @param {(id: number) => void} pick */
  constructor(pick) {
    this.pick = pick;
    this.words = '';
    /** @type {Set<string>} */
    this.kinds = new Set();
    this.format = '';
    /** @type {Set<number>} */
    this.open = new Set();
    this.on = -1;
    /** @type {Map<number, Row[]>} */
    this.windows = new Map();
    this.asked = new Set();
    this.turn = 0;
    this.first = true;
    this.host = byId('tree');
    this.list = new VirtualList(this.host, 22, (i) => this.row(i), (from, to) => this.want(from, to));
    this.host.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => this.key(e));
    /** @type {(l: Listing) => void} */
    this.told = () => {};
  }

  /** What is asked of the server, but for the rows. */
  query() {
    const q = new URLSearchParams();
    if (this.words) q.set('q', this.words);
    if (this.kinds.size) q.set('kind', [...this.kinds].join(','));
    if (this.format) q.set('format', this.format);
    if (!this.narrow()) q.set('open', [...this.open].map((i) => i.toString(36)).join('.'));
    return q;
  }

  narrow() { return Boolean(this.words || this.kinds.size || this.format); }

  /** Asks anew for all that is seen. */
  async reload() {
    const turn = ++this.turn;
    const q = this.query();
    q.set('from', '0');
    q.set('count', String(windowSize));
    /** @type {Listing} */
    let l;
    try {
      l = await getJSON(`api/list?${q}`);
    } catch (e) {
      byId('count').textContent = String(/** @type {Error} */ (e).message);
      return;
    }
    if (l.state !== undefined) heed(l.state);
    if (turn !== this.turn) return;
    if (this.first && l.rows.length > 0) { // operands are open at first
      this.first = false;
      for (const r of l.rows) this.open.add(r.id);
      this.reload();
      return;
    }
    this.windows.clear();
    this.asked.clear();
    this.windows.set(0, l.rows);
    this.total = l.total;
    this.list.setCount(l.total);
    byId('count').textContent = `${l.total} rows${l.busy ? ', looking …' : ''}`;
    this.told(l);
    if (l.busy) setTimeout(() => { if (turn === this.turn) this.reload(); }, 250);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  want(from, to) {
    for (let w = Math.floor(from / windowSize); w * windowSize < to; w++) this.fetch(w);
  }

  /** @param {number} w */
  async fetch(w) {
    if (this.windows.has(w) || this.asked.has(w)) return;
    this.asked.add(w);
    const turn = this.turn;
    const q = this.query();
    q.set('from', String(w * windowSize));
    q.set('count', String(windowSize));
    const l = await getJSON(`api/list?${q}`).catch(() => null);
    if (turn !== this.turn) return;
    if (!l) { // it is asked for again where it is still seen
      this.asked.delete(w);
      setTimeout(() => this.list.redraw(), 500);
      return;
    }
    this.windows.set(w, l.rows);
    this.list.redraw();
  }

  /**
   * @param {number} i
   * @returns {Row | undefined}
   */
  at(i) { return (this.windows.get(Math.floor(i / windowSize)) || [])[i % windowSize]; }

  /** @param {number} i */
  row(i) {
    const r = this.at(i);
    if (!r) return h('div', { class: 'row' });
    const inner = r.place !== 'file' && r.place !== 'entry';
    const el = h('div', {
      class: r.id === this.on ? 'row on' : 'row', role: 'treeitem', 'aria-selected': r.id === this.on,
      'aria-level': r.depth + 1, 'aria-expanded': inner ? this.isOpen(r) : undefined, 'data-id': r.id, title: r.error || r.title || r.name, onclick: () => this.choose(r),
    },
    h('span', { class: 'twist', onclick: (/** @type {Event} */ e) => { e.stopPropagation(); this.twist(r); } }, inner ? (this.isOpen(r) ? '▾' : '▸') : ''),
    kindSign(r),
    h('span', { class: 'name' }, r.name, r.title ? h('i', {}, r.title) : ''),
    r.odd ? h('span', { class: 'odd', title: `${r.odd} oddities` }, `⚠${r.odd}`) : '',
    h('span', { class: 'size' }, inner ? (r.count ? String(r.count) : '') : byteCount(r.size)));
    el.style.paddingLeft = `${4 + 12 * r.depth}px`;
    return el;
  }

  /** @param {Row} r */
  isOpen(r) { return this.narrow() ? Boolean(r.open) : this.open.has(r.id); }

  /** @param {Row} r */
  choose(r) {
    if (r.place !== 'file' && r.place !== 'entry' && !this.narrow() && !this.open.has(r.id)) this.twist(r);
    this.pick(r.id);
  }

  /** @param {Row} r */
  twist(r) {
    if (r.place === 'file' || r.place === 'entry' || this.narrow()) return;
    if (!this.open.delete(r.id)) this.open.add(r.id);
    this.reload();
  }

  /** @param {number} id */
  mark(id) {
    if (this.on === id) return;
    this.on = id;
    this.list.redraw();
  }

  /** The number of the row of the chosen node, −1 when it is not known. */
  index() {
    for (const [w, rows] of this.windows) {
      const k = rows.findIndex((r) => r.id === this.on);
      if (k >= 0) return w * windowSize + k;
    }
    return -1;
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const i = this.index();
    const r = i >= 0 ? this.at(i) : undefined;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[e.key];
    if (step) {
      const k = Math.max(0, Math.min((this.total || 1) - 1, i + step));
      const next = this.at(k);
      if (next) { this.list.reveal(k); this.pick(next.id); }
    } else if (r && e.key === 'ArrowRight' && !this.isOpen(r)) this.twist(r);
    else if (r && e.key === 'ArrowLeft' && this.isOpen(r)) this.twist(r);
    else return;
    e.preventDefault();
  }

  /**
   * Opens what a node is in.
   * @param {{id: number}[]} trail
   */
  async reveal(trail) {
    let changed = false;
    for (const s of trail.slice(0, -1)) {
      if (!this.open.has(s.id)) { this.open.add(s.id); changed = true; }
    }
    if (changed && !this.narrow()) await this.reload();
    const i = this.index();
    if (i >= 0) this.list.reveal(i);
  }
}
