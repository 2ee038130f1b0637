// @ts-check
// Where the page gets things from: its server, or, when it was written as static pages, files beside it.

/**
 * @typedef {object} Row
 * @property {number} id
 * @property {number} depth
 * @property {string} name
 * @property {string} [title]
 * @property {string} place
 * @property {string} kind
 * @property {string} [format]
 * @property {number} size
 * @property {number} [count]
 * @property {boolean} [open]
 * @property {number} [odd]
 * @property {boolean} [inner] others are in it
 * @property {boolean} [map]
 * @property {string} [entry] its path in the archive
 * @property {string} [error]
 */

/**
 * @typedef {object} Listing
 * @property {number} total
 * @property {number} from
 * @property {Row[]} rows
 * @property {boolean} busy
 * @property {Record<string, number>} [kinds]
 * @property {Record<string, number>} [formats]
 * @property {number} [state]
 */

/**
 * @typedef {object} PictureInfo
 * @property {{name?: string, mips: [number, number][], faces?: number}[]} frames
 * @property {number} fps
 * @property {string[]} [palette]
 * @property {string} alpha
 */

/**
 * @typedef {object} FactsExtra
 * @property {{id: number, name: string}[]} trail
 * @property {string} source
 * @property {string} [formatTitle]
 * @property {string} [class]
 * @property {{name: string, value: any}[]} facts
 * @property {{severity: string, code: string, path?: string, offset: number, message: string}[]} diagnostics
 * @property {string} [failure]
 * @property {string[]} views
 * @property {Record<string, string>} commands
 * @property {{as: string, label: string, name: string}[]} saves
 * @property {PictureInfo} [picture]
 * @property {string} tag
 */

/** @typedef {Row & FactsExtra} Facts */

/**
 * @typedef {object} Site what static pages bring along
 * @property {(path: string) => Promise<any>} json
 * @property {(path: string) => Promise<ArrayBuffer>} bytes
 * @property {(path: string) => string} url
 * @property {(id: number, from: number, count: number) => Promise<Uint8Array>} range
 * @property {boolean} still there are no events
 */

/** @returns {Site | undefined} */
export function site() { return /** @type {any} */ (globalThis).usherSite; }

/** @typedef {{path: string, file: File}} Taken a file, and where it lay in the folder that was dropped or chosen */

/**
 * @typedef {object} Web what the page has where it runs without a server, in a browser alone
 * @property {EventTarget} events what the server would tell
 * @property {(dropped: DataTransfer) => Promise<Taken[]>} filesOf what was dropped, with all that is in folders
 * @property {(files: Taken[]) => Promise<string>} take takes files into the folder, and returns what the first one is found by
 * @property {(path: string) => Promise<void>} putOut puts what was saved where it belongs, or gives it to the user
 * @property {(path: string) => Promise<void>} look looks whether a file has become another one meanwhile
 * @property {(name: string) => Promise<void>} close takes no further notice of a folder
 * @property {() => Promise<string>} [openFolder] opens a folder where it lies, and returns its name
 * @property {() => Promise<[string, () => Promise<string>][]>} lastFolders those of the last time, and what opens them again
 */

/** @returns {Web | undefined} */
export function web() { return /** @type {any} */ (globalThis).usherWeb; }

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
async function request(path, signal) {
  const r = await fetch(path, { signal, credentials: 'same-origin' });
  if (!r.ok) throw new Error((await r.text()).trim() || `${r.status}`);
  return r;
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function getJSON(path, signal) {
  const s = site();
  return s ? s.json(path) : (await request(path, signal)).json();
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<ArrayBuffer>}
 */
export async function getBytes(path, signal) {
  const s = site();
  return s ? s.bytes(path) : (await request(path, signal)).arrayBuffer();
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function getText(path, signal) {
  return new TextDecoder().decode(await getBytes(path, signal));
}

/**
 * Asks for a part of the stored bytes of a node.
 * @param {number} id
 * @param {number} from
 * @param {number} count
 */
export async function getRange(id, from, count) {
  const s = site();
  if (s) return s.range(id, from, count);
  const r = await fetch(`api/bytes/${id}`, { headers: { Range: `bytes=${from}-${from + count - 1}` }, credentials: 'same-origin' });
  if (!r.ok) throw new Error((await r.text()).trim());
  return new Uint8Array(await r.arrayBuffer());
}

let state = 0; // of the files on disk, as the server counts

/**
 * Takes note of how often files have changed.
 * @param {number} n
 */
export function heed(n) { state = n; }

/**
 * The address of something for an element that loads it itself. It tells the state of the files: browsers do not ask
 * again for a picture that the page has shown under the same address.
 * @param {string} path
 */
export function urlOf(path) {
  const s = site();
  return s ? s.url(path) : `${path}${path.includes('?') ? '&' : '?'}state=${state}`;
}
