// @ts-check
import { byId, cut, h, byteCount, kindSign } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON, heed } from './source.js';

/** @typedef {import('./source.js').Row} Row */
/** @typedef {import('./source.js').Listing} Listing */

const windowSize = 200;

// Keys with names that mean something in the tree; letters lead to what begins with them.
const treeKeys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'ArrowRight', 'ArrowLeft', 'Enter'];

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
    this.loading = Promise.resolve();
    this.acting = Promise.resolve();
    this.scrolled = 0; // how far it was when the chosen node was
    this.first = true;
    /** @type {Set<number>} */
    this.picked = new Set(); // to be exported together
    /** @type {Map<number, string>} */
    this.changed = new Map(); // what became of a node on the desk
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
  reload() {
    this.loading = this.load();
    return this.loading;
  }

  async load() {
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
      await this.reload();
      return;
    }
    this.windows.clear();
    this.asked.clear();
    this.windows.set(0, l.rows);
    this.total = l.total;
    this.list.setCount(l.total);
    byId('count').textContent = `${l.total} ${l.total === 1 ? 'row' : 'rows'}${l.busy ? ', looking …' : ''}`;
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
    const leaf = r.place === 'file' || r.place === 'entry';
    const title = [r.error || r.name, r.title, r.odd ? `${r.odd} ${r.odd === 1 ? 'oddity' : 'oddities'}` : ''].filter(Boolean).join(' – ');
    const el = h('div', {
      class: `row${r.id === this.on ? ' on' : ''}${r.error ? ' broken' : ''}${this.picked.has(r.id) ? ' picked' : ''}`, role: 'treeitem', 'aria-selected': r.id === this.on, 'data-id': r.id, 'data-entry': r.entry || r.name, id: `row-${r.id}`,
      'aria-level': r.depth + 1, 'aria-expanded': r.inner ? this.isOpen(r) : undefined, title, onclick: (/** @type {MouseEvent} */ e) => (e.ctrlKey || e.metaKey ? this.tick(r.id) : this.choose(r)),
    },
    h('span', { class: 'twist', onclick: (/** @type {Event} */ e) => { e.stopPropagation(); this.twist(r); } }, r.inner ? (this.isOpen(r) ? '▾' : '▸') : ''),
    kindSign(r),
    this.changed.has(r.id) ? h('span', { class: 'changed-sign', title: this.changed.get(r.id) }, '●') : '',
    h('span', { class: 'name' }, cut(r.name), r.title ? h('i', {}, r.title) : ''),
    r.odd || r.error ? h('span', { class: r.error ? 'odd bad' : 'odd' }, `⚠${r.odd || ''}`) : '',
    h('span', { class: 'size' }, leaf ? byteCount(r.size) : (r.count ? r.count.toLocaleString('en') : '')));
    el.style.paddingLeft = `${4 + 12 * r.depth}px`;
    return el;
  }

  /**
   * Takes a node among those that are to be exported, or out of them.
   * @param {number} id
   */
  tick(id) {
    if (!this.picked.delete(id)) this.picked.add(id);
    this.list.redraw();
    dispatchEvent(new Event('picked'));
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
    if (!r.inner || this.narrow()) return;
    if (!this.open.delete(r.id)) this.open.add(r.id);
    this.reload();
  }

  /** @param {number} id */
  mark(id) {
    this.scrolled = this.host.scrollTop;
    if (this.on === id) return;
    this.on = id;
    this.host.setAttribute('aria-activedescendant', `row-${id}`);
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

  /**
   * Chooses a row by its number.
   * @param {number} i
   */
  async moveTo(i) {
    await this.loading; // what is opened just now moves the rows below it
    const k = Math.max(0, Math.min((this.total || 1) - 1, i));
    await this.fetch(Math.floor(k / windowSize));
    const r = this.at(k);
    if (!r) return;
    this.list.reveal(k);
    this.mark(r.id);
    this.pick(r.id);
  }

  /** Chooses the first thing that was found. */
  async pickFirst() {
    await this.loading;
    const rows = this.windows.get(0) || [];
    const k = rows.findIndex((r) => r.place === 'file' || r.place === 'entry');
    this.moveTo(Math.max(0, k));
    this.host.focus();
  }

  /**
   * Chooses the next row below the chosen one that fits.
   * @param {(r: Row) => boolean} fits
   * @param {number} from
   * @param {number} step
   */
  async seek(fits, from, step) {
    const n = this.total || 0;
    for (let k = 1; k < n; k++) {
      const i = step > 0 ? (from + k) % n : from - k;
      const r = i >= 0 ? this.at(i) : undefined;
      if (!r) return;
      if (fits(r)) { await this.moveTo(i); return; }
    }
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    if (e.key === ' ' && e.ctrlKey && this.on >= 0) { e.preventDefault(); this.tick(this.on); }
    if (e.ctrlKey || e.altKey || e.metaKey || '/[]'.includes(e.key)) return;
    if (e.key.length > 1 && !treeKeys.includes(e.key)) return;
    e.preventDefault();
    this.acting = this.acting.then(() => this.act(e.key)); // one after the other, each where the one before has led
  }

  /** @param {string} key */
  async act(key) {
    await this.loading; // rows move while there are new ones
    const i = this.index();
    const r = i >= 0 ? this.at(i) : undefined;
    /** @type {Record<string, number>} */
    const places = { ArrowDown: i + 1, ArrowUp: i - 1, PageDown: i + 20, PageUp: i - 20, Home: 0, End: (this.total || 1) - 1 };
    if (key in places) await this.moveTo(places[key]);
    else if (!r) return;
    else if (key === 'ArrowRight') {
      if (r.inner && this.isOpen(r)) await this.moveTo(i + 1);
      else this.twist(r);
    } else if (key === 'ArrowLeft') {
      if (r.inner && this.isOpen(r) && !this.narrow()) this.twist(r);
      else await this.seek((x) => x.depth < r.depth, i, -1);
    } else if (key === 'Enter' || key === ' ') this.twist(r);
    else await this.seek((x) => x.name.toLowerCase().startsWith(key.toLowerCase()), i, 1);
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
    if (i >= 0 && this.host.scrollTop === this.scrolled) this.list.reveal(i); // else somebody looks elsewhere already
  }
}
