// @ts-check
import { sayAll } from './writer.js';
import { getJSON, web } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/** What is dropped onto the page: for the entry that it falls on, or to be opened. */
export class Drops {
  /** @param {import('./acts.js').Acts} acts */
  constructor(acts) {
    this.acts = acts;
    /** @type {Promise<any> | undefined} */
    this.home = undefined;
    addEventListener('dragover', (e) => this.over(e));
    addEventListener('dragleave', () => this.light(null));
    addEventListener('drop', (e) => this.dropped(e));
  }

  /** @param {Event} e @returns {HTMLElement | null} */
  target(e) {
    const el = /** @type {HTMLElement} */ (e.target);
    return el.closest?.('[data-id]') || el.closest?.('#view');
  }

  /** @param {HTMLElement | null} el */
  light(el) {
    for (const x of document.querySelectorAll('.over-drop')) if (x !== el) x.classList.remove('over-drop');
    el?.classList.add('over-drop');
  }

  /** @param {DragEvent} e */
  over(e) {
    if (!e.dataTransfer?.types.includes('Files')) return;
    e.preventDefault();
    this.light(this.target(e));
  }

  /** @param {DragEvent} e */
  async dropped(e) {
    const files = [...(e.dataTransfer?.files || [])];
    if (!files.length) return;
    e.preventDefault();
    const el = this.target(e);
    this.light(null);
    const id = Number(el?.dataset.id ?? this.acts.entry.facts?.id ?? -1);
    const without = web();
    const all = without?.filesOf(/** @type {DataTransfer} */ (e.dataTransfer)); // gone when the event is over
    if (without && all && !await this.meant(id, el, await all)) await without.take(await all).then((name) => this.acts.found(name)).catch((bad) => sayAll('bad', bad.message));
    else if (id < 0) await this.acts.open(files).catch(() => {});
    else await this.drop(id, files).catch(() => {});
  }

  /**
   * Whether what is dropped is meant for a node, and is not opened: no folders, and no files of games unless they are dropped
   * onto a row of the tree.
   * @param {number} id
   * @param {HTMLElement | null} el
   * @param {import('./source.js').Taken[]} all
   */
  async meant(id, el, all) {
    if (id < 0 || all.some((t) => t.path.includes('/'))) return false;
    /** @type {Facts} */
    const f = await getJSON(`api/node/${id}`);
    if (f.place === 'folder') return false;
    if (el?.dataset.id) return true;
    const ends = (/** @type {string[]} */ list) => all.every((t) => list.some((ext) => t.path.toLowerCase().endsWith(ext)));
    this.home ||= getJSON('api/home/0');
    const { worlds } = await this.home;
    return ends(f.saves.map((s) => `.${s.as}`)) || !ends(worlds.flatMap((/** @type {{extensions: string[]}} */ w) => w.extensions));
  }

  /**
   * Does what is meant by files that are dropped onto a node.
   * @param {number} id
   * @param {File[]} files
   */
  async drop(id, files) {
    /** @type {Facts} */
    const f = await getJSON(`api/node/${id}`);
    const texts = f.place === 'archive' && f.saves.some((s) => s.as !== 'stored' && files[0].name.toLowerCase().endsWith(`.${s.as}`)); // all of its lines
    if (f.place === 'entry' || f.place === 'file' || texts) {
      await this.acts.put(id, f.name, files[0]);
      if (files.length > 1) sayAll('bad', `${files[0].name} was taken; one entry is made of one file`);
    } else if (f.place === 'archive') for (const file of files) await this.acts.add(f, file);
    else await this.acts.open(files);
  }
}
