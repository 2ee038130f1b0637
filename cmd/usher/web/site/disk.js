// @ts-check
// The files of the page, as a disk: folders, and files whose bytes are in the store, or in a file of the user's own, which is
// only read.
import { Ledger } from './ledger.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').Content} Content */

/**
 * @typedef {object} Place a file, or a folder
 * @property {number} number
 * @property {number} time of its last change, in milliseconds
 * @property {number} size
 * @property {Map<string, Place>} [inner] of a folder
 * @property {Blob} [lent] bytes that are somebody else's
 * @property {Content} [content] while it is open
 * @property {Promise<Content>} [opening]
 * @property {Promise<void>} [keeping] while it is copied into the store
 * @property {number} names how many names it has
 * @property {number} users how often it is open
 */

/**
 * An error that the program knows by its code.
 * @param {string} code
 */
export function failure(code) { return Object.assign(new Error(code), { code }); }

/**
 * The steps of a path.
 * @param {string} path
 */
export function steps(path) {
  /** @type {string[]} */
  const list = [];
  for (const s of path.split('/')) {
    if (s === '..') list.pop();
    else if (s && s !== '.') list.push(s);
  }
  return list;
}

const soon = 100; // milliseconds after which a change is noted that nobody wanted on disk at once

/** All files. What is below the folder that is kept is there again after the page was closed. */
export class Disk {
  /**
   * @param {Store} store
   * @param {string} kept name of the folder
   */
  constructor(store, kept) {
    this.store = store;
    this.kept = kept;
    this.next = 1;
    this.root = this.folder();
    this.ledger = new Ledger(store);
    this.noting = 0;
    /** @type {(e: any) => void} what to do when nobody waits for what fails */
    this.failed = (e) => { throw e; };
    /** @type {number[]} files without a name: their bytes go when that is noted */
    this.doomed = [];
  }

  /** @returns {Place} */
  folder() { return { number: this.next++, time: Date.now(), size: 0, inner: new Map(), names: 1, users: 0 }; }

  /** Finds what was kept, and throws away what nothing leads to. */
  async load() {
    const saved = await this.ledger.read();
    /** @type {Map<number, Place>} */
    const files = new Map();
    this.next = Math.max(saved.next, this.next);
    const kept = this.folder();
    this.root.inner?.set(this.kept, kept);
    for (const [path, number, time, size] of saved.rows) {
      const own = steps(path);
      const at = this.into(kept, own.slice(0, -1));
      const place = number ? files.get(number) || { number, time, size, names: 0, users: 0 } : { ...this.folder(), time };
      if (number) files.set(number, place).get(number);
      if (number) place.names++;
      at.inner?.set(own[own.length - 1], place);
    }
    for (const name of await this.store.names()) {
      if (!name.startsWith('ledger.') && !files.has(Number(name))) await this.store.remove(name);
    }
  }

  /**
   * The folder below another one; it is made where there is none.
   * @param {Place} from
   * @param {string[]} path
   */
  into(from, path) {
    let at = from;
    for (const step of path) {
      const next = at.inner?.get(step) || this.folder();
      at.inner?.set(step, next);
      if (!next.inner) throw failure('ENOTDIR');
      at = next;
    }
    return at;
  }

  /**
   * What a path leads to; undefined for nothing.
   * @param {string[]} path
   * @returns {Place | undefined}
   */
  find(path) {
    /** @type {Place | undefined} */
    let at = this.root;
    for (const step of path) {
      if (at && !at.inner) throw failure('ENOTDIR');
      at = at?.inner?.get(step);
    }
    return at;
  }

  /**
   * The folder that a path leads into, and the last step.
   * @param {string[]} path
   * @returns {[Place, string]}
   */
  above(path) {
    const at = this.find(path.slice(0, -1));
    if (!at || !path.length) throw failure('ENOENT');
    if (!at.inner) throw failure('ENOTDIR');
    return [at, path[path.length - 1]];
  }

  /**
   * Gives a place a name. What was called so loses it.
   * @param {string[]} path
   * @param {Place} place
   */
  put(path, place) {
    const [at, name] = this.above(path);
    const was = at.inner?.get(name);
    at.inner?.set(name, place);
    if (was && was !== place) this.lose(was);
    at.time = Date.now();
    this.note();
  }

  /** @param {string[]} path */
  drop(path) {
    const [at, name] = this.above(path);
    const was = at.inner?.get(name);
    if (!was) throw failure('ENOENT');
    at.inner?.delete(name);
    at.time = Date.now();
    this.lose(was);
    this.note();
  }

  /**
   * Takes note that a place has a name less. What has none and is not open goes.
   * @param {Place} place
   */
  lose(place) {
    if (--place.names > 0) return;
    for (const inner of place.inner?.values() || []) this.lose(inner);
    if (place.users === 0 && !place.inner) this.doomed.push(place.number);
  }

  /**
   * A new file.
   * @param {string[]} path
   * @returns {Place}
   */
  make(path) {
    /** @type {Place} */
    const place = { number: this.next++, time: Date.now(), size: 0, names: 1, users: 0 };
    this.put(path, place);
    return place;
  }

  /**
   * Puts a file of the user's into a folder, which is read where it is.
   * @param {string[]} path
   * @param {File} file
   */
  lend(path, file) {
    this.into(this.root, path.slice(0, -1));
    this.put(path, { number: this.next++, time: file.lastModified, size: file.size, lent: file, names: 1, users: 0 });
  }

  /**
   * Opens the bytes of a file that the store has.
   * @param {Place} place
   */
  async open(place) {
    place.users++;
    try {
      place.opening ||= this.store.open(String(place.number));
      place.content = await place.opening;
      place.size = place.content.getSize();
    } catch (e) {
      this.leave(place);
      throw e;
    }
  }

  /**
   * Lets go of a file that was opened.
   * @param {Place} place
   */
  leave(place) {
    if (--place.users > 0) return;
    place.content?.close();
    place.content = place.opening = undefined;
    if (place.names > 0) return;
    this.doomed.push(place.number);
    this.note();
  }

  /**
   * Copies a file that is lent into the store, once.
   * @param {Place} place
   */
  keep(place) {
    place.keeping ||= this.copy(place).finally(() => { place.keeping = undefined; });
    return place.keeping;
  }

  /** @param {Place} place */
  async copy(place) {
    const from = place.lent;
    if (!from) return;
    const name = String(place.number);
    const to = await this.store.open(name);
    try {
      to.truncate(0);
      let at = 0;
      const reader = from.stream().getReader();
      for (let part = await reader.read(); !part.done && place.lent; part = await reader.read()) at += to.write(part.value, { at });
      to.flush();
      place.lent = undefined; // those who have it open read on where they are
    } finally {
      to.close();
      if (place.lent) await this.store.remove(name);
    }
    this.note();
  }

  /** Takes note of what changed, soon. */
  note() {
    if (!this.noting) this.noting = setTimeout(() => { try { this.sync(); } catch (e) { this.failed(e); } }, soon);
  }

  /** Writes the list of all files that are kept. */
  sync() {
    clearTimeout(this.noting);
    this.noting = 0;
    /** @type {import('./ledger.js').Row[]} */
    const rows = [];
    const walk = (/** @type {Place} */ at, /** @type {string} */ path) => {
      for (const [name, place] of at.inner || []) {
        if (place.lent) continue;
        rows.push([`${path}${name}`, place.inner ? 0 : place.number, place.time, place.size]);
        if (place.inner) walk(place, `${path}${name}/`);
      }
    };
    walk(/** @type {Place} */ (this.root.inner?.get(this.kept)), '');
    this.ledger.write(this.next, rows);
    const doomed = this.doomed.splice(0);
    for (const number of doomed) this.store.remove(String(number)).catch(() => {}); // the next start does it
  }
}
