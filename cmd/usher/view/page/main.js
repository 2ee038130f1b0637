// @ts-check
import { byId, h } from './dom.js';
import { getJSON, heed, site, web } from './source.js';
import { Tree } from './tree.js';
import { Entry } from './entry.js';
import { Changes } from './changes.js';
import { splitter } from './split.js';
import { Desk } from './desk.js';
import { Acts } from './acts.js';
import { enterDesk, sayAll } from './writer.js';

/** @typedef {import('./source.js').Listing} Listing */

/** What tests look at: when it is "ready", what was asked for is shown. */
const usher = /** @type {any} */ (globalThis).usher = { state: 'starting', errors: /** @type {string[]} */ ([]) };

/** @param {number} id */
function go(id) { location.hash = `n=${id}`; }

const tree = new Tree(go);
const entry = new Entry(go, (trail) => tree.reveal(trail), usher);
const changes = new Changes((n) => { location.hash = `c=${n}`; }, usher);

/** @type {Desk | null} */
let desk = null;

/** Shows what the address names. */
async function route() {
  const q = new URLSearchParams(location.hash.slice(1));
  const n = q.get('n');
  const c = q.get('c');
  const d = q.get('d');
  if (d === null) desk?.leave();
  if (d !== null && desk) {
    entry.leave();
    await desk.show(d).catch((e) => { usher.state = 'failed'; sayAll('bad', e.message); });
  } else if (c !== null) {
    entry.leave();
    await changes.show(Number(c));
  } else if (n !== null) {
    changes.leave();
    tree.mark(Number(n));
    await entry.show(Number(n), q.get('v') || '');
  }
}

// The kinds in the order in which they are shown.
const kindOrder = ['map', 'model', 'animation', 'texture', 'sound', 'table', 'text', 'archive', 'raw'];

/**
 * Shows which kinds and formats there are.
 * @param {Listing} l
 */
function filters(l) {
  if (!l.kinds || !l.formats) return;
  const counts = l.kinds;
  byId('kinds').replaceChildren(...kindOrder.filter((kind) => counts[kind]).map((kind) => h('button', {
    type: 'button', 'aria-pressed': tree.kinds.has(kind), 'data-kind': kind,
    onclick: () => {
      if (!tree.kinds.delete(kind)) tree.kinds.add(kind);
      tree.reload();
    },
  }, `${kind} `, h('small', {}, counts[kind].toLocaleString('en')))));
  const formats = byId('formats');
  const options = [h('option', { value: '' }, 'all formats')];
  for (const f of Object.keys(l.formats).sort()) options.push(h('option', { value: f }, `${f} (${l.formats[f]})`));
  formats.replaceChildren(...options);
  formats.value = tree.format;
  if (usher.state === 'starting') {
    usher.state = 'ready';
    if (!location.hash && l.rows.length) start(l);
  }
}

/**
 * Chooses what is shown when the address names nothing.
 * @param {Listing} l
 */
function start(l) {
  if (changes.comparing) return;
  const first = l.rows[0];
  go(first.id);
}

function listen() {
  if (site()) return;
  const events = /** @type {EventSource} */ (web()?.events || new EventSource('api/events'));
  events.addEventListener('changed', (e) => {
    const { nodes, state } = JSON.parse(e.data);
    heed(state);
    tree.reload();
    changes.reload();
    entry.changed(nodes);
    desk?.reload();
  });
  events.addEventListener('compared', () => changes.reload());
  events.addEventListener('desk', () => desk?.reload());
  events.addEventListener('progress', (e) => { const p = JSON.parse(e.data); byId('say').querySelector('span')?.replaceChildren(`${p.what}: ${p.done} of ${p.total}`); });
  events.addEventListener('failed', (e) => { const p = JSON.parse(e.data); sayAll('bad', `${p.what}: ${p.error}`); });
}

let soonSearching = 0;

/** Looks for what stands in the field. */
function search() {
  clearTimeout(soonSearching);
  tree.words = byId('search').value.trim();
  return tree.reload();
}

byId('search').addEventListener('input', () => {
  clearTimeout(soonSearching);
  soonSearching = setTimeout(search, 50);
});
byId('formats').addEventListener('change', (/** @type {any} */ e) => { tree.format = e.target.value; tree.reload(); });
addEventListener('keydown', (e) => {
  const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || e.target instanceof HTMLTextAreaElement;
  if (e.key === '/' && !typing) {
    byId('search').focus();
    e.preventDefault();
  } else if (e.key === 'Escape' && e.target === byId('search')) {
    byId('search').value = '';
    tree.words = '';
    tree.reload();
    byId('tree').focus();
  } else if ((e.key === 'Enter' || e.key === 'ArrowDown') && e.target === byId('search')) {
    e.preventDefault();
    search().then(() => tree.pickFirst());
  } else if ((e.key === '[' || e.key === ']') && !typing) entry.step(e.key === ']' ? 1 : -1);
});
addEventListener('hashchange', route);
addEventListener('opened', () => tree.reload()); // archives, by a folder that shows what is in them
addEventListener('error', (e) => usher.errors.push(String(e.message)));
addEventListener('unhandledrejection', (e) => usher.errors.push(String(e.reason)));

tree.told = filters;
splitter(byId('split-left'), '--left', 1);
splitter(byId('split-right'), '--right', -1);
const compared = await getJSON('api/changes').catch(() => null);
if (compared && compared.comparing) changes.begin(compared);
if (compared && compared.desk) {
  await enterDesk();
  desk = new Desk(changes, tree);
  new Acts(desk, entry, tree);
}
listen(); // before the first look: what changes from now on is heard
await desk?.reload();
await tree.reload();
if (location.hash) route();
