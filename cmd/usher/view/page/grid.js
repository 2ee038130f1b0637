// @ts-check
import { cut, h, kindSign, plural } from './dom.js';
import { VirtualList } from './list.js';
import { getJSON, urlOf } from './source.js';
import { startOf } from './start.js';

/** @typedef {import('./source.js').Facts} Facts */
/** @typedef {import('./source.js').Row} Row */
/** @typedef {{kind: string, count: number}[]} Counts */
/** @typedef {{id: number, name: string, place: string, kinds: Counts, pictures: number[]}} Card */
/** @typedef {{busy: boolean, families: {name: string, kinds: Counts}[], kinds: Counts, folders: Card[], worlds?: import('./start.js').World[], desk?: boolean, places?: import('./start.js').Place[]}} Home */

const cellWidth = 146;
const cellHeight = 184;
const fewCards = 24;

/** @param {Counts} kinds */
const told = (kinds) => kinds.map((k) => plural(k.count, k.kind)).join(', ');

/**
 * A folder or an archive with some of its pictures.
 * @param {Card} c
 * @param {boolean} busy there may be more in it
 * @param {(id: number) => void} go
 */
function cardOf(c, busy, go) {
  const pictures = c.pictures.map((id) => h('img', { src: urlOf(`api/thumb/${id}?size=64`), alt: '', loading: 'lazy' }));
  return h('button', { type: 'button', class: 'card', 'data-id': c.id, title: c.name, onclick: () => go(c.id) },
    h('span', { class: 'few' }, pictures.length ? pictures : kindSign({ place: c.place, kind: '' })),
    h('span', { class: 'words' }, h('b', {}, cut(c.name)), h('small', {}, told(c.kinds.slice(0, 4)) || (busy ? '…' : 'empty'))));
}

/**
 * What there is in a folder: families, folders, kinds.
 * @param {HTMLElement} host
 * @param {Home} home
 * @param {{kind: string, all: boolean}} s
 * @param {(id: number) => void} go
 * @param {() => void} chosen a kind
 */
function showHome(host, home, s, go, chosen) {
  const cards = home.folders.slice(0, s.all ? undefined : fewCards).map((c) => cardOf(c, home.busy, go));
  const rest = home.folders.length - cards.length;
  const more = rest > 0 && h('button', { type: 'button', onclick: () => { s.all = true; showHome(host, home, s, go, chosen); } }, `${rest} more`);
  const all = home.kinds.reduce((n, k) => n + k.count, 0);
  const chip = (/** @type {string} */ kind, /** @type {string} */ label) => h('button', {
    type: 'button', 'aria-pressed': s.kind === kind, 'data-chip': kind,
    onclick: () => { s.kind = kind; showHome(host, home, s, go, chosen); chosen(); },
  }, label);
  host.replaceChildren(
    home.worlds ? startOf(home.worlds, Boolean(home.desk), home.places || []) : '',
    h('div', { class: 'families' }, home.families.map((f) => h('p', {}, h('b', {}, f.name), ` ${told(f.kinds)}`)), home.busy ? h('p', { class: 'note' }, 'looking into archives …') : ''),
    h('div', { class: 'cards' }, cards, more),
    home.kinds.length > 1 ? h('div', { class: 'bar chips', role: 'group', 'aria-label': 'pictures' }, chip('', `all ${all.toLocaleString('en')}`), home.kinds.map((k) => chip(k.kind, plural(k.count, k.kind)))) : '',
  );
}

/**
 * Says why there is nothing to be seen.
 * @param {Home} home
 */
function emptyText(home) {
  const known = home.families.flatMap((f) => f.kinds).reduce((n, k) => n + k.count, 0);
  if (known === 0) return 'There is nothing here: the folder is empty, or what was asked for leaves all of it out.';
  return `Nothing here has a picture of its own: ${home.families.map((f) => told(f.kinds)).join(', ')}. The tree has it all; an animation asks who plays it.`;
}

/**
 * Shows what is in a folder or an archive: what there is of what, and the pictures of all that is below it: those that
 * are seen, and no others.
 * @param {HTMLElement} host
 * @param {Facts} f
 * @param {any} kept
 * @param {(id: number) => void} go
 */
export function showGrid(host, f, kept, go) {
  const s = { kind: '', all: false, scroll: 0, ...kept };
  const scroller = h('div', { class: 'fill', tabindex: 0, role: 'region', 'aria-label': 'what is here' });
  const top = h('div', { class: 'home' });
  scroller.append(top);
  host.append(scroller);
  /** @type {Map<number, Row[]>} */
  const windows = new Map();
  const asked = new Set();
  let total = 0;
  let turn = 0;
  let stopped = false;
  const columns = () => Math.max(1, Math.floor((scroller.clientWidth - 16) / cellWidth));
  const size = 200;

  /** @param {number} w */
  async function fetchWindow(w) {
    if (asked.has(w) || stopped) return;
    asked.add(w);
    const now = turn;
    const l = await getJSON(`api/list?under=${f.id}&flat=1&drawn=1${s.kind ? `&kind=${s.kind}` : ''}&from=${w * size}&count=${size}`);
    if (stopped || now !== turn) return;
    windows.set(w, l.rows);
    if (l.total !== total) {
      total = l.total;
      list.setCount(Math.ceil(total / columns()));
    } else list.redraw();
  }

  /** Begins anew, where it was. */
  async function again() {
    turn++;
    asked.clear();
    await fetchWindow(0);
  }

  async function load() {
    /** @type {Home} */
    const home = await getJSON(`api/home/${f.id}`);
    if (stopped) return;
    showHome(top, home, s, go, () => { windows.clear(); total = -1; again(); });
    await again();
    empty.textContent = home.busy ? 'looking …' : emptyText(home);
    empty.hidden = total > 0;
    if (home.busy) setTimeout(() => { if (!stopped) load(); }, 500);
    else dispatchEvent(new Event('opened'));
    if (s.scroll) { scroller.scrollTop = s.scroll; s.scroll = 0; }
  }

  /** @param {number} i */
  function cellOf(i) {
    const r = (windows.get(Math.floor(i / size)) || [])[i % size];
    if (!r) { fetchWindow(Math.floor(i / size)); return h('div', { class: 'cell' }); }
    const img = h('img', { src: urlOf(`api/thumb/${r.id}?size=128`), alt: '', loading: 'lazy' });
    return h('button', { type: 'button', class: 'cell', 'data-id': r.id, title: r.name, onclick: () => go(r.id) },
      h('div', { class: `box ${r.kind}` }, img), h('span', { class: 'label' }, kindSign(r), cut(r.title || r.name)));
  }

  const list = new VirtualList(scroller, cellHeight, (line) => {
    const n = columns();
    const el = h('div', { class: 'grid' });
    el.style.gridTemplateColumns = `repeat(${n}, 1fr)`;
    el.style.height = `${cellHeight}px`;
    for (let i = line * n; i < Math.min(total, (line + 1) * n); i++) el.append(cellOf(i));
    return el;
  });
  const empty = h('p', { class: 'note', hidden: true });
  scroller.append(empty);
  const resized = new ResizeObserver(() => list.setCount(Math.ceil(total / columns())));
  resized.observe(scroller);
  return {
    ready: load(),
    keep: () => ({ kind: s.kind, all: s.all, scroll: scroller.scrollTop }),
    stop: () => { stopped = true; resized.disconnect(); list.stop(); },
  };
}
