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
  if (f.class) rows.push(['class', f.class]);
  if (f.size || f.place === 'file' || f.place === 'entry') rows.push(['size', byteCount(f.size)]);
  for (const x of f.facts) rows.push([x.name, valueText(x.value)]);
  host.replaceChildren(
    h('h2', {}, f.name, f.title ? ` – ${f.title}` : ''),
    factTable(rows),
  );
  if (f.diagnostics.length) {
    host.append(h('h4', {}, `oddities: ${f.diagnostics.length}`), h('ul', { class: 'odd-list' }, f.diagnostics.slice(0, 200).map((d) => h('li', { class: d.severity },
      [d.path, d.offset >= 0 ? `at 0x${d.offset.toString(16)}` : '', d.message, `(${d.code})`].filter(Boolean).join(' ')))));
  }
  if (!site() && (f.kind === 'model' || f.kind === 'texture')) host.append(linksOf(f, go));
  host.append(h('div', { id: 'more' })); // a view may have more to tell
}

/**
 * A button that looks for what a model wears, or for the models that wear a texture.
 * @param {Facts} f
 * @param {(id: number) => void} go
 */
function linksOf(f, go) {
  const model = f.kind === 'model';
  const title = model ? 'textures in other files' : 'models that wear it';
  const box = h('div', { class: 'links' });
  async function look() {
    const l = await getJSON(`api/links/${f.id}`);
    const list = model ? l.uses : l.usedBy;
    const links = list.map((/** @type {{id: number, name: string}} */ x) => h('div', {}, h('a', {
      href: `#n=${x.id}`, onclick: (/** @type {Event} */ e) => { e.preventDefault(); go(x.id); },
    }, x.name)));
    box.replaceChildren(h('h4', {}, title), ...links, l.busy ? h('p', { class: 'note' }, `looking: ${l.done} of ${l.total || '?'} …`) : list.length ? '' : h('p', { class: 'note' }, 'none'));
    if (l.busy && box.isConnected) setTimeout(look, 500);
  }
  box.append(h('h4', {}, h('button', { type: 'button', onclick: look }, `look for ${title}`)));
  return box;
}
