// @ts-check
import { h, byteCount } from './dom.js';

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
    h('table', { class: 'facts' }, rows.map(([name, value]) => h('tr', {}, h('td', {}, name), h('td', {}, value)))),
  );
  if (f.diagnostics.length) {
    host.append(h('h4', {}, `oddities: ${f.diagnostics.length}`), h('ul', { class: 'odd-list' }, f.diagnostics.slice(0, 200).map((d) => h('li', { class: d.severity },
      [d.path, d.offset >= 0 ? `at 0x${d.offset.toString(16)}` : '', d.message, `(${d.code})`].filter(Boolean).join(' ')))));
  }
  for (const [title, list] of /** @type {[string, {id: number, name: string}[]][]} */ ([['uses', f.uses || []], ['used by', f.usedBy || []]])) {
    if (!list.length) continue;
    host.append(h('h4', {}, title), h('div', { class: 'links' }, list.map((x) => h('div', {}, h('a', { href: `#n=${x.id}`, onclick: (/** @type {Event} */ e) => { e.preventDefault(); go(x.id); } }, x.name)))));
  }
  host.append(h('div', { id: 'more' })); // a view may have more to tell
}
