// @ts-check
// What stands in files reaches the page as text alone: no string is ever read as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

// Characters that would be obeyed instead of shown: controls, and marks that turn the order of letters.
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Spells out what a name may hold to look like another one.
 * @param {string} s
 */
export function plain(s) { return s.replace(obeyed, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`); }

/**
 * Makes an element. Properties that begin with "on" are listeners, "class" and "data-…", "aria-…" and "role" are
 * attributes, the others properties of the element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const el = /** @type {any} */ (document.createElement(tag));
  for (const [k, x] of Object.entries(props)) {
    if (x === undefined || x === null) continue;
    if (k.startsWith('on')) el.addEventListener(k.slice(2), x);
    else if (k === 'class') el.className = x;
    else if (k === 'role' || k === 'tabindex' || k.includes('-')) el.setAttribute(k, String(x));
    else el[k] = k === 'title' || k === 'alt' ? plain(String(x)) : x;
  }
  for (const c of children.flat()) {
    if (c !== null && c !== undefined && c !== false) el.append(typeof c === 'string' ? plain(c) : /** @type {any} */ (c));
  }
  return el;
}

/**
 * Returns the element of the page with that id.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) { return document.getElementById(id); }

/**
 * A button that stays pressed.
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 * @param {string} [title]
 */
export function toggle(label, on, change, title) {
  const b = h('button', { type: 'button', 'aria-pressed': on, title }, label);
  b.addEventListener('click', () => {
    const now = b.getAttribute('aria-pressed') !== 'true';
    b.setAttribute('aria-pressed', String(now));
    change(now);
  });
  return b;
}

/**
 * A choice.
 * @param {string} label
 * @param {{value: string, label: string}[]} options
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(label, options, value, change) {
  const s = h('select', { 'aria-label': label }, options.map((o) => h('option', { value: o.value }, o.label)));
  s.value = value;
  s.addEventListener('change', () => change(s.value));
  return h('label', {}, label, s);
}

/**
 * A number of bytes for people.
 * @param {number} n
 */
export function byteCount(n) {
  if (n < 10000) return `${n} B`;
  if (n < 1e7) return `${(n / 1e3).toFixed(1)} kB`;
  return `${(n / 1e6).toFixed(1)} MB`;
}

/**
 * A name that is cut in the middle where there is no room for it: those of one folder often begin alike.
 * @param {string} name
 */
export function cut(name) {
  const letters = [...plain(name)];
  const at = letters.length > 16 ? letters.length - 11 : letters.length;
  return h('span', { class: 'cut' }, h('span', {}, letters.slice(0, at).join('')), h('span', {}, letters.slice(at).join('')));
}

/** A number and what it counts, as the program says it. @param {number} n @param {string} one @param {string} many */
export function counted(n, one, many) { return `${n} ${n === 1 ? one : many}`; }

/**
 * A number of things.
 * @param {number} n
 * @param {string} what in the singular
 */
export function plural(n, what) { return `${n.toLocaleString('en')} ${what}${n === 1 || what === 'raw' ? '' : 's'}`; }

/** @type {Record<string, string>} */
const kindSigns = { map: '▦', folder: '▭', archive: '▤', group: '▢', texture: '▣', model: '◬', animation: '◬', sound: '♪', table: '☰', text: '¶', raw: '·' };

/**
 * The sign of a kind of thing.
 * @param {{place: string, kind: string, map?: boolean}} row
 */
export function kindSign(row) {
  const what = row.map ? 'map' : row.place === 'file' || row.place === 'entry' ? row.kind : row.place;
  return h('span', { class: `sign ${what}`, title: what }, kindSigns[what] || '·');
}
