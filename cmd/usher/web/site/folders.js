// @ts-check
// Folders of the user's own, which are read where they are, and into which is written what is saved: browsers that can hand
// out a folder ask their user first.
import { steps } from './disk.js';

/** @typedef {import('./disk.js').Disk} Disk */
/** @typedef {import('./disk.js').Place} Place */

/** Folders that were opened, by the name that they have on the desk. */
export class Folders {
  /**
   * @param {Disk} disk
   * @param {string} above the folder that they are shown in
   */
  constructor(disk, above) {
    this.disk = disk;
    this.above = above;
    /** @type {Map<string, any>} */
    this.open = new Map();
  }

  /**
   * Shows what is in a folder now.
   * @param {any} folder a FileSystemDirectoryHandle
   */
  async mount(folder) {
    this.open.set(folder.name, folder);
    await this.list(folder, [this.above, folder.name]);
    await remember(folder.name, folder);
  }

  /**
   * @param {any} folder
   * @param {string[]} path
   */
  async list(folder, path) {
    this.disk.into(this.disk.root, path);
    for await (const inner of folder.values()) {
      const at = [...path, inner.name];
      if (inner.kind === 'directory') await this.list(inner, at);
      else this.lend(at, await inner.getFile());
    }
  }

  /**
   * Lends a file, unless it is the one that is there.
   * @param {string[]} path
   * @param {File} file
   */
  lend(path, file) {
    const now = this.disk.find(path);
    if (!(now?.lent instanceof File) || now.size !== file.size || now.time !== file.lastModified) this.disk.lend(path, file);
  }

  /** Opens the folders of the last time again, as far as the browser allows it without asking. */
  async restore() {
    for (const [name, folder] of await remembered()) {
      if (await folder.queryPermission({ mode: 'read' }) === 'granted') await this.mount(folder).catch(() => forget(name)); // it is not there any more
    }
  }

  /**
   * The folder of a path, and the steps below it.
   * @param {string} path
   * @returns {[any, string[]]}
   */
  of(path) {
    const [name, ...below] = steps(path).slice(1); // what all are shown in comes first
    return [this.open.get(name), below];
  }

  /**
   * Looks whether a file has become another one meanwhile.
   * @param {string} path
   */
  async look(path) {
    const [folder, below] = this.of(path);
    if (!folder) return;
    const file = await fileIn(folder, below, false).catch(() => null);
    if (file) this.lend(steps(path), await file.getFile());
  }

  /**
   * Writes a file, or all files of a folder, where they belong. It tells whether they belong into a folder that is open.
   * @param {string} path
   * @returns {Promise<boolean>}
   */
  async putOut(path) {
    const [folder, below] = this.of(path);
    const place = this.disk.find(steps(path));
    if (!folder || !place) return false;
    for (const name of place.inner?.keys() || []) await this.putOut(`${path}/${name}`);
    if (place.inner) return true;
    const file = await fileIn(folder, below, true);
    await this.copy(place, await file.createWritable()); // it replaces what is there when it is whole
    this.disk.lend(steps(path), await file.getFile());
    return true;
  }

  /**
   * @param {Place} place
   * @param {any} to
   */
  async copy(place, to) {
    if (place.lent) { await to.write(place.lent); await to.close(); return; }
    await this.disk.open(place);
    try {
      for (let at = 0; at < place.size; at += piece) {
        const part = new Uint8Array(Math.min(piece, place.size - at));
        place.content?.read(part, { at });
        await to.write(part);
      }
      await to.close();
    } catch (e) {
      await to.abort().catch(() => {}); // it may be what failed
      throw e;
    } finally {
      this.disk.leave(place);
    }
  }

  /**
   * Takes no further notice of a folder.
   * @param {string} name
   */
  async close(name) {
    this.open.delete(name);
    await forget(name);
  }
}

const piece = 1 << 20;

/**
 * @param {any} folder
 * @param {string[]} path
 * @param {boolean} create
 */
async function fileIn(folder, path, create) {
  let at = folder;
  for (const step of path.slice(0, -1)) at = await at.getDirectoryHandle(step, { create });
  return at.getFileHandle(path[path.length - 1], { create });
}

/**
 * Does something with what the browser remembers of folders.
 * @param {(folders: IDBObjectStore) => IDBRequest} act
 * @returns {Promise<any>}
 */
function memory(act) {
  return new Promise((ok, bad) => {
    const opening = indexedDB.open('usher', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('folders');
    opening.onerror = () => bad(opening.error);
    opening.onsuccess = () => {
      const asked = act(opening.result.transaction('folders', 'readwrite').objectStore('folders'));
      asked.onsuccess = () => { ok(asked.result); opening.result.close(); };
      asked.onerror = () => { bad(asked.error); opening.result.close(); };
    };
  });
}

/** @param {string} name @param {any} folder */
const remember = (name, folder) => memory((s) => s.put(folder, name)).catch(() => {}); // it is asked for again then

/** @param {string} name */
const forget = (name) => memory((s) => s.delete(name)).catch(() => {});

/** @returns {Promise<[string, any][]>} the folders of the last time */
export const remembered = () => memory((s) => s.getAll()).then((list) => list.map((/** @type {any} */ f) => [f.name, f]), () => []);
