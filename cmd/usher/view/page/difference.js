// @ts-check
import { h, plural } from './dom.js';
import { VirtualList } from './list.js';
import { getText } from './source.js';

/** @typedef {{sign: string, old: number, now: number, text: string}} Line sign is a space, − or +; numbers count from 1, 0 for none */

// Of longer middle parts all old lines stand before all new ones: what finds the shortest way takes too long there.
const mostWork = 4e6;

/**
 * The lines of a text, and how they end.
 * @param {string} text
 */
function linesOf(text) {
  const count = (/** @type {RegExp} */ r) => (text.match(r) || []).length;
  const crlf = count(/\r\n/g);
  const kinds = { CRLF: crlf, LF: count(/\n/g) - crlf, CR: count(/\r/g) - crlf };
  const ends = Object.entries(kinds).filter(([, n]) => n > 0).map(([name]) => name).join(' and ');
  return { lines: text.split(/\r\n|\n|\r/), ends: ends || 'one line' };
}

/**
 * The lines of two texts, the common ones once.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {Line[]}
 */
export function differentLines(a, b) {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let [n, m] = [a.length, b.length];
  while (n > from && m > from && a[n - 1] === b[m - 1]) [n, m] = [n - 1, m - 1];
  /** @type {Line[]} */
  const out = [];
  const same = (/** @type {number} */ i, /** @type {number} */ k) => out.push({ sign: ' ', old: i + 1, now: k + 1, text: a[i] });
  const gone = (/** @type {number} */ i) => out.push({ sign: '−', old: i + 1, now: 0, text: a[i] });
  const come = (/** @type {number} */ k) => out.push({ sign: '+', old: 0, now: k + 1, text: b[k] });
  for (let i = 0; i < from; i++) same(i, i);
  const [rows, columns] = [n - from, m - from];
  const small = rows * columns <= mostWork;
  // best[i][k] is how many lines the rests from i and k have in common.
  const best = small ? Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1)) : [];
  if (small) {
    for (let i = rows - 1; i >= 0; i--) {
      for (let k = columns - 1; k >= 0; k--) best[i][k] = a[from + i] === b[from + k] ? best[i + 1][k + 1] + 1 : Math.max(best[i + 1][k], best[i][k + 1]);
    }
  }
  let [i, k] = [0, 0];
  while (i < rows || k < columns) {
    if (small && i < rows && k < columns && a[from + i] === b[from + k]) { same(from + i, from + k); i++; k++; }
    else if (i < rows && (!small || k === columns || best[i + 1][k] >= best[i][k + 1])) gone(from + i++);
    else come(from + k++);
  }
  for (let x = 0; n + x < a.length; x++) same(n + x, m + x);
  return out;
}

/**
 * Leaves out common lines that are far from any other.
 * @param {Line[]} lines
 */
function near(lines) {
  const around = 3;
  const wanted = new Uint8Array(lines.length);
  lines.forEach((l, i) => { if (l.sign !== ' ') wanted.fill(1, Math.max(0, i - around), i + around + 1); });
  /** @type {Line[]} */
  const out = [];
  let left = 0;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && !wanted[i]) { left++; continue; }
    if (left) out.push({ sign: '…', old: 0, now: 0, text: `${plural(left, 'line')} the same` });
    left = 0;
    if (i < lines.length) out.push(lines[i]);
  }
  return out;
}

/**
 * Shows which lines of a text differ, or of all that is known of something else.
 * @param {HTMLElement} host
 * @param {{old: number, new: number, kind: string}} c
 */
export async function showDifference(host, c) {
  const what = c.kind === 'text' ? 'text' : 'fields';
  const [old, now] = (await Promise.all([c.old, c.new].map((id) => getText(`api/${what}/${id}`)))).map(linesOf);
  const all = differentLines(old.lines, now.lines);
  const [gone, come] = ['−', '+'].map((s) => all.filter((l) => l.sign === s).length);
  const ends = old.ends === now.ends ? '' : `; line ends: ${old.ends} → ${now.ends}`;
  const sum = gone || come ? `${plural(gone, 'line')} gone, ${plural(come, 'line')} new${ends}` : `the lines are the same${ends}`;
  const scroller = h('div', { class: 'fill text difference', tabindex: 0, role: 'region', 'aria-label': 'lines that differ' });
  host.classList.add('alone');
  host.append(h('div', {}, h('h3', {}, what === 'text' ? sum : `${sum}, as JSON`), scroller));
  const shown = near(all);
  const list = new VirtualList(scroller, 18, (i) => {
    const l = shown[i];
    return h('div', { class: `line ${{ '−': 'gone', '+': 'come', '…': 'left' }[l.sign] || ''}` }, h('b', {}, l.old || ''), h('b', {}, l.now || ''), `${l.sign} ${l.text}`);
  });
  list.setCount(shown.length);
  return { stop: () => list.stop() };
}
