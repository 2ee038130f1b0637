// @ts-check
import { h, byteCount } from './dom.js';
import { getJSON, site } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * @param {any} v
 * @returns {string}
 */
function valueText(v) {
  if (v === null || (Array.isArray(v) && v.length === 0)) return 'none';
  if (Array.isArray(v)) return v.map(valueText).join(', ');
  if (typeof v === 'number' && !Number.isInteger(v)) return String(Number(v.toPrecision(6)));
  return v !== null && typeof v === 'object' ? JSON.stringify(v) : String(v);
}

/**
 * A list that is long stands folded.
 * @param {any} v
 * @returns {any}
 */
function valueOf(v) {
  if (!Array.isArray(v) || v.length < 7) return valueText(v);
  return h('details', {}, h('summary', {}, `${v.length}: ${valueText(v.slice(0, 2))}, …`), valueText(v));
}

/**
 * Names and what they stand for; those with long names take a line of their own.
 * @param {[string, any][]} rows
 */
export function factTable(rows) {
  return h('table', { class: 'facts' }, rows.map(([name, value]) => h('tr', { class: name.length > 16 ? 'tall' : '' }, h('td', {}, name), h('td', {}, value))));
}

/**
 * Shows what is known of a node.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {(id: number) => void} go
 */
export function showFacts(host, f, go) {
  /** @type {[string, any][]} */
  const rows = [['what', f.formatTitle || (f.place === 'file' || f.place === 'entry' ? f.kind : f.place)]];
  if (f.format) rows.push(['format', f.format]);
  if (f.class && !f.facts.some((x) => x.name === 'class')) rows.push(['class', f.class]);
  if (f.size || f.place === 'file' || f.place === 'entry') rows.push(['size', byteCount(f.size)]);
  for (const x of f.facts) rows.push([x.name, valueOf(x.value)]);
  host.replaceChildren(
    h('h2', {}, f.name, f.title ? ` – ${f.title}` : ''),
    factTable(rows),
  );
  if (f.diagnostics.length) {
    host.append(h('h3', { class: 'part' }, `oddities: ${f.diagnostics.length}`), h('ul', { class: 'odd-list' }, f.diagnostics.slice(0, 200).map((d) => h('li', { class: d.severity },
      [d.path, d.offset >= 0 ? `at 0x${d.offset.toString(16)}` : '', d.message, `(${d.code})`].filter(Boolean).join(' ')))));
  }
  host.append(h('div', { id: 'more' })); // a view may have more to tell
  if (!site() && f.kind === 'texture') host.append(searchOf(f, go, 'models that wear it', ''));
  if (!site() && f.kind === 'model' && !f.map) {
    const worn = h('div', { class: 'links' });
    host.append(worn, searchOf(f, go, 'the same names elsewhere', '?like=1'));
    wornBy(f).then((uses) => {
      if (uses.length && worn.isConnected) worn.append(h('h3', { class: 'part' }, `wears: ${uses.length}`), ...uses.map((x) => linkTo(x, go)));
    }, () => {}); // what cannot be read says so elsewhere
  }
}

/**
 * @typedef {{id: number, name: string, texture: string}} Worn a texture that a model finds
 */

/** @type {{tag: string, uses: Promise<Worn[]>}} */
let lastWorn = { tag: '', uses: Promise.resolve([]) };

/**
 * The textures that a model finds, asked for once.
 * @param {Facts} f
 * @returns {Promise<Worn[]>}
 */
export function wornBy(f) {
  if (lastWorn.tag !== f.tag) lastWorn = { tag: f.tag, uses: getJSON(`api/links/${f.id}`).then((l) => l.uses) };
  return lastWorn.uses;
}

/**
 * The name of a texture without its folders and its extension, by which models and files call the same one.
 * @param {string} name
 */
export function textureStem(name) { return name.toLowerCase().replace(/\\/g, '/').replace(/^.*\//, '').replace(/\.(png|tga|dds|bmp|txm)$/, ''); }

/**
 * @param {{id: number, name: string}} x
 * @param {(id: number) => void} go
 */
function linkTo(x, go) {
  return h('div', {}, h('a', { href: `#n=${x.id}`, title: x.name, onclick: (/** @type {Event} */ e) => { e.preventDefault(); go(x.id); } }, x.name));
}

/**
 * A button that looks for the models that wear a texture, or for what is called like the textures of a model.
 * @param {Facts} f
 * @param {(id: number) => void} go
 * @param {string} title
 * @param {string} query
 */
function searchOf(f, go, title, query) {
  const box = h('div', { class: 'links' });
  async function look() {
    const l = await getJSON(`api/links/${f.id}${query}`);
    const parts = [[title, query ? l.like : l.usedBy], ...(query || !l.like.length ? [] : [['the same name elsewhere', l.like]])];
    box.replaceChildren(...parts.flatMap(([name, list]) => [h('h3', { class: 'part' }, name), ...list.map((/** @type {Worn} */ x) => linkTo(x, go))]),
      l.busy ? h('p', { class: 'note' }, `looking: ${l.done} of ${l.total || '?'} …`) : parts[0][1].length ? '' : h('p', { class: 'note' }, 'none'));
    if (l.busy && box.isConnected) setTimeout(look, 500);
  }
  box.append(h('h3', { class: 'part' }, h('button', { type: 'button', onclick: look }, `look for ${title}`)));
  return box;
}
