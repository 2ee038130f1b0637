// @ts-check
import { byId, h, plain } from './dom.js';
import { getJSON, urlOf, web } from './source.js';
import { showFacts } from './facts.js';
import { showGrid } from './grid.js';
import { showPicture } from './picture.js';
import { showModel } from './model.js';
import { showSound } from './sound.js';
import { showTable } from './table.js';
import { showText } from './text.js';
import { showHex } from './hex.js';
import { editing } from './edit.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * @typedef {object} Shown what a view leaves behind
 * @property {() => void} [stop]
 * @property {() => any} [keep] what the same view takes up again when it is shown anew
 * @property {Promise<void>} [ready]
 */

/** @type {Record<string, string>} */
const viewNames = { picture: 'picture', model: 'model', sound: 'sound', table: 'table', numbers: 'numbers', text: 'text', fields: 'fields', hex: 'bytes', grid: 'pictures' };

/** @type {Record<string, (host: HTMLElement, f: Facts, kept: any, go: (id: number) => void, view: string) => Shown | void>} */
const views = {
  grid: showGrid,
  picture: showPicture,
  model: showModel,
  sound: showSound,
  table: showTable,
  numbers: showTable,
  text: (host, f) => showText(host, `api/text/${f.id}`),
  fields: (host, f) => showText(host, `api/fields/${f.id}`),
  hex: showHex,
};

/**
 * Shows one node: its views, one at a time, and what is known of it.
 */
export class Entry {
  /**
   * @param {(id: number) => void} go
   * @param {(trail: {id: number}[]) => void} reveal
   * @param {any} usher
   */
  constructor(go, reveal, usher) {
    this.go = go;
    this.reveal = reveal;
    this.usher = usher;
    /** @type {Facts | null} */
    this.facts = null;
    this.view = '';
    this.shown = {};
    this.turn = 0;
    /** @type {(f: Facts, view: string) => void} is told what is shown: a desk can do something with it */
    this.acted = () => {};
    /** @type {{id: number, view: string, kept?: any} | null} what is not shown yet, or could not be and may come back */
    this.asked = null;
  }

  /** @returns {Shown} what the present view lets others do: none of what was shown before it */
  get shown() { return this.usher.shown; }

  set shown(shown) { this.usher.shown = shown; }

  /**
   * @param {number} id
   * @param {string} view the one that is asked for; empty for the most telling
   * @param {any} [kept]
   * @param {boolean} [anew] what is shown already is shown again, unless somebody has begun to type meanwhile
   */
  async show(id, view, kept, anew) {
    const turn = ++this.turn;
    const asked = { id, view, kept };
    this.asked = asked;
    this.usher.state = 'loading';
    /** @type {Facts} */
    let f;
    try {
      f = await getJSON(`api/node/${id}`);
    } catch (e) {
      if (turn !== this.turn) return;
      this.leave();
      this.asked = asked;
      byId('view').replaceChildren(h('p', { class: 'failure' }, /** @type {Error} */ (e).message));
      this.usher.state = 'failed';
      return;
    }
    if (turn !== this.turn) return;
    this.asked = null;
    if (anew && editing()) {
      this.usher.state = 'ready';
      return;
    }
    this.facts = f;
    document.title = `${plain(f.name)} – usher`;
    dispatchEvent(new CustomEvent('entered', { detail: f.source }));
    const steps = f.trail.map((s) => h('button', { type: 'button', onclick: () => this.go(s.id) }, s.name));
    byId('trail').replaceChildren(...steps.flatMap((b, i) => (i ? [' ▸ ', b] : [b])));
    showFacts(byId('right'), f, this.go);
    this.reveal(f.trail);
    this.open(f.views.includes(view) ? view : f.views[0], kept);
  }

  /**
   * @param {string} view
   * @param {any} [kept]
   */
  open(view, kept) {
    const f = this.facts;
    if (!f) return;
    if (this.shown.stop) this.shown.stop();
    this.shown = {};
    this.view = view;
    byId('tabs').replaceChildren(...f.views.map((v) => h('button', {
      type: 'button', role: 'tab', 'aria-selected': v === view, 'data-view': v,
      onclick: () => { history.replaceState(null, '', `#n=${f.id}&v=${v}`); this.open(v); },
    }, viewNames[v] || v)));
    const host = byId('view');
    host.replaceChildren();
    if (f.failure) host.append(h('p', { class: 'failure' }, f.failure));
    this.foot(f, view);
    this.acted(f, view);
    const make = views[view];
    const done = (/** @type {string} */ state) => { if (this.facts === f && this.view === view && !this.asked) this.usher.state = state; };
    this.usher.state = 'loading';
    if (!make) {
      done('ready');
      return;
    }
    this.shown = make(host, f, kept, this.go, view) || {};
    Promise.resolve(this.shown.ready).then(() => done('ready'), (e) => {
      if (this.facts !== f || this.view !== view) return;
      host.prepend(h('p', { class: 'failure' }, e.message || String(e)));
      done('failed');
    });
  }

  /**
   * The command that does the same, and what can be saved.
   * @param {Facts} f
   * @param {string} view
   */
  foot(f, view) {
    const command = f.commands[view] || f.commands.facts || '';
    const copy = h('button', { type: 'button', onclick: () => { navigator.clipboard?.writeText(command); copy.textContent = 'copied'; } }, 'copy');
    const saves = f.saves.map((s) => h('a', { href: urlOf(`api/save/${f.id}/${s.as}`), download: s.name, title: s.name, ...(web() && { 'data-action': 'save', 'data-format': s.as }) }, s.label));
    byId('foot').replaceChildren(h('code', {}, `$ ${command}`), copy, ...saves);
  }

  /** @param {number} by */
  step(by) {
    const f = this.facts;
    if (!f) return;
    const i = f.views.indexOf(this.view) + by;
    if (i >= 0 && i < f.views.length) this.open(f.views[i]);
  }

  /**
   * Shows anew what changed on disk, as it was looked at.
   * @param {number[]} nodes
   */
  changed(nodes) {
    const { asked, facts: f } = this;
    if (asked) {
      this.show(asked.id, asked.view, asked.kept); // not what was there before it
      return;
    }
    if (editing()) return; // somebody types
    if (!f || !(nodes.includes(f.id) || f.trail.some((s) => nodes.includes(s.id)) || f.views[0] === 'model' || f.views[0] === 'grid')) return; // which depend on others
    this.show(f.id, this.view, this.shown.keep ? this.shown.keep() : undefined, true);
  }

  /** Takes no further notice of what is shown, which stays to be seen until another thing comes. */
  forget() {
    if (this.shown.stop) this.shown.stop();
    this.shown = {};
    this.facts = null;
    this.asked = null;
    this.turn++;
  }

  /** Makes room for another thing. */
  leave() {
    this.forget();
    for (const id of ['tabs', 'acts', 'view', 'foot', 'right']) byId(id).replaceChildren();
  }
}
