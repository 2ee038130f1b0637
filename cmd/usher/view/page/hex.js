// @ts-check
import { h, plain } from './dom.js';
import { VirtualList } from './list.js';
import { fieldsOf } from './known.js';
import { getJSON, getRange } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */
/** @typedef {{offset: number, size: number, path: string, value?: string, kind: string}} Span */
/** @typedef {{known: boolean, spans: Span[], stops?: {offset: number, error: string}[], total: number}} Spans */

const chunk = 4096;

/**
 * Shows stored bytes, and the fields that they are where a reader tells: a field under the pointer lights its bytes, a
 * byte its field.
 * @param {HTMLElement} host
 * @param {Facts} f
 */
export function showHex(host, f) {
  const scroller = h('div', { class: 'fill hex', tabindex: 0 });
  const side = h('div', { class: 'fill', tabindex: 0, role: 'region', 'aria-label': 'fields' });
  const say = h('span', { class: 'note' }, 'click a byte for its field');
  const jump = h('input', { type: 'search', placeholder: 'offset, such as 0x1a4', 'aria-label': 'go to an offset' });
  const both = h('div', { class: 'pair alone' }, h('div', {}, scroller), h('div', { hidden: true }, side));
  const halts = h('div', { class: 'halts', hidden: true });
  host.append(halts, both, h('div', { class: 'bar' }, jump, say));
  /** @type {Map<number, Uint8Array>} */
  const chunks = new Map();
  /** @type {Map<number, Span[]>} */
  const maps = new Map();
  const asked = new Set();
  /** @type {Map<number, string>} where a reader could not go on, and why */
  const stops = new Map();
  let known = false;
  let aim = -1; // the offset that was gone to
  /** @type {Span | null} */
  let lit = null;

  /** @param {number} k */
  async function fetchChunk(k) {
    if (asked.has(k)) return;
    asked.add(k);
    const from = k * chunk;
    const count = Math.min(chunk, f.size - from);
    if (count <= 0) return;
    const [bytes, spans] = await Promise.all([
      getRange(f.id, from, count).catch((e) => { say.textContent = `bytes: ${e.message}`; return null; }), // it may be gone meanwhile
      getJSON(`api/spans/${f.id}?from=${from}&count=${count}`).catch((e) => { say.textContent = `fields: ${e.message}`; return null; }),
    ]);
    if (!bytes) return;
    chunks.set(k, bytes);
    stopped(spans);
    if (spans && spans.known) {
      maps.set(k, spans.spans);
      if (!known) {
        known = true;
        both.children[1].hidden = false;
        both.classList.add('wrapped');
        if (aim >= 0) list.reveal(Math.floor(aim / 16)); // there is less room than when it was asked for
      }
    }
    list.redraw();
    fields();
  }

  /**
   * Tells where reading stopped.
   * @param {Spans | null} spans
   */
  function stopped(spans) {
    for (const s of spans?.stops || []) {
      if (stops.has(s.offset)) continue;
      stops.set(s.offset, s.error);
      halts.hidden = false;
      halts.append(h('button', { type: 'button', onclick: () => go(s.offset) }, `stopped at 0x${s.offset.toString(16)}`), h('span', {}, s.error));
    }
  }

  /** @param {number} at */
  function go(at) {
    aim = at;
    list.reveal(Math.floor(at / 16));
    light(spanAt(at));
  }

  /**
   * The innermost field of a byte.
   * @param {number} at
   */
  function spanAt(at) {
    let best = null;
    for (const s of maps.get(Math.floor(at / chunk)) || []) {
      if (s.offset <= at && at < s.offset + s.size && (!best || s.size <= best.size)) best = s;
    }
    return best;
  }

  /** @param {string} path */
  function colour(path) {
    let n = 0;
    for (const c of path.replace(/\d+/g, '')) n = (n * 31 + c.charCodeAt(0)) >>> 0;
    return `c${n % 6}`;
  }

  /** @param {number} at */
  function classOf(at) {
    const s = spanAt(at);
    if (lit && at >= lit.offset && at < lit.offset + lit.size) return 'lit';
    if (!s) return known ? 'gapped' : '';
    return s.kind === 'kept' ? 'kept' : s.kind === 'gap' ? 'gapped' : colour(s.path);
  }

  /** @param {number} i */
  function line(i) {
    const from = i * 16;
    const bytes = chunks.get(Math.floor(from / chunk));
    if (!bytes) fetchChunk(Math.floor(from / chunk));
    const el = h('div', { class: 'line' }, h('b', {}, from.toString(16).padStart(8, '0')));
    const letters = [];
    for (let k = 0; k < 16; k++) {
      const at = from + k;
      if (!bytes || at >= f.size) { el.append(h('i')); continue; }
      const b = bytes[at % chunk];
      const cls = `${classOf(at)}${stops.has(at) ? ' stop' : ''}`;
      el.append(h('i', { class: `${cls}${b === 0 ? ' zero' : ''}`, 'data-at': at }, b.toString(16).padStart(2, '0')));
      letters.push(h('i', { class: `ascii ${cls}`, 'data-at': at }, b >= 32 && b < 127 ? String.fromCharCode(b) : '·'));
    }
    el.append(h('span', { class: 'between' }), ...letters);
    return el;
  }

  const list = new VirtualList(scroller, 18, line, () => fields());
  /** @type {Span[]} */
  let seen = [];
  const names = new VirtualList(side, 18, (i) => {
    const s = seen[i];
    return h('div', {
      class: s === lit ? 'span lit' : 'span', title: `${s.path} ${s.value || ''}`,
      onmouseenter: () => light(s), onclick: () => list.reveal(Math.floor(s.offset / 16)),
    }, h('small', {}, s.offset.toString(16).padStart(6, '0')), h('span', {}, s.path || s.kind), reference(s), h('small', {}, s.value || `${s.size} bytes`));
  });
  /** @type {(path: string) => string} */
  let placeOf = () => '';
  fieldsOf(f.format || '').then((at) => { placeOf = at; names.redraw(); });

  /**
   * A link to what is known of a field.
   * @param {Span} s
   */
  function reference(s) {
    const at = s.path && placeOf(s.path);
    return at ? h('a', { class: 'known', href: at, target: '_blank', rel: 'noopener', title: 'what is known of it', 'aria-label': `what is known of ${s.path}` }, '§') : null;
  }

  /** Lists the fields of what is seen. */
  function fields() {
    if (!known) return;
    const from = Math.floor(list.top()) * 16;
    const to = from + (Math.ceil(scroller.clientHeight / 18) + 1) * 16;
    /** @type {Set<string>} */
    const have = new Set();
    seen = [];
    for (let k = Math.floor(from / chunk); k * chunk < to; k++) {
      for (const s of maps.get(k) || []) {
        const key = `${s.offset}-${s.size}-${s.path}`;
        if (s.offset < to && s.offset + s.size > from && !have.has(key)) { have.add(key); seen.push(s); }
      }
    }
    names.setCount(seen.length);
  }

  /** @param {Span | null} s */
  function light(s) {
    if (lit === s) return;
    lit = s;
    list.redraw();
    if (s) say.textContent = plain(`${s.path || s.kind} at 0x${s.offset.toString(16)}, ${s.size} bytes${s.value ? ` = ${s.value}` : ''}`);
  }

  scroller.addEventListener('click', (/** @type {any} */ e) => {
    const at = e.target.dataset?.at;
    if (at === undefined) return;
    const s = spanAt(Number(at));
    light(s);
    if (!s) say.textContent = `0x${Number(at).toString(16)} (${at})${known ? ': a gap' : ''}`;
    const i = s ? seen.indexOf(s) : -1;
    if (i >= 0) { names.reveal(i); names.redraw(); }
  });
  jump.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== 'Enter') return;
    const at = Number(jump.value.trim().replace(/^@/, ''));
    if (!(at >= 0 && at < f.size)) { say.textContent = 'there is no such offset'; return; }
    go(at);
  });
  list.setCount(Math.ceil(f.size / 16));
  return { ready: f.size ? fetchChunk(0) : undefined, stop: () => { list.stop(); names.stop(); } };
}
