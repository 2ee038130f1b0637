// @ts-check
// Where the bytes of files are kept: in the file system that the browser gives to this page alone, or, where it gives none,
// in memory.

/**
 * @typedef {object} Content the bytes of an open file
 * @property {(to: Uint8Array, how: {at: number}) => number} read
 * @property {(from: Uint8Array, how: {at: number}) => number} write
 * @property {(size: number) => void} truncate
 * @property {() => number} getSize
 * @property {() => void} flush
 * @property {() => void} close
 */

/**
 * @typedef {object} Store
 * @property {boolean} lasts what is kept is there again after the page was closed
 * @property {(name: string) => Promise<Content>} open makes the file where there is none
 * @property {(name: string) => Promise<void>} remove
 * @property {() => Promise<string[]>} names
 */

/** @returns {Promise<Store>} */
export async function openStore() {
  try {
    const root = await navigator.storage.getDirectory();
    const dir = await root.getDirectoryHandle('usher', { create: true });
    const store = privateStore(dir);
    const probe = await store.open('probe');
    probe.close();
    return store;
  } catch {
    return memoryStore();
  }
}

/**
 * @param {any} dir
 * @returns {Store}
 */
function privateStore(dir) {
  return {
    lasts: true,
    async open(name) {
      const file = await dir.getFileHandle(name, { create: true });
      return patiently(() => file.createSyncAccessHandle());
    },
    remove: (name) => patiently(() => dir.removeEntry(name)),
    async names() {
      const list = [];
      for await (const name of dir.keys()) list.push(name);
      return list;
    },
  };
}

/**
 * Tries again while the page that was here before still has its files open: it ends a moment after this one begins.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
async function patiently(act) {
  for (let left = 40; ; left--) {
    try {
      return await act();
    } catch (e) {
      if (left === 0 || /** @type {Error} */ (e).name !== 'NoModificationAllowedError') throw e;
      await new Promise((ok) => { setTimeout(ok, 50); });
    }
  }
}

/** @returns {Store} */
export function memoryStore() {
  /** @type {Map<string, Content>} */
  const files = new Map();
  return {
    lasts: false,
    async open(name) {
      const content = files.get(name) || memoryContent();
      files.set(name, content);
      return content;
    },
    async remove(name) { files.delete(name); },
    async names() { return [...files.keys()]; },
  };
}

/** @returns {Content} */
function memoryContent() {
  let bytes = new Uint8Array(0);
  let size = 0;
  /** @param {number} n */
  const room = (n) => {
    if (n <= bytes.length) return;
    const more = new Uint8Array(Math.max(n, Math.min(2 * bytes.length, bytes.length + (64 << 20))));
    more.set(bytes.subarray(0, size));
    bytes = more;
  };
  return {
    read(to, { at }) {
      const part = bytes.subarray(Math.min(at, size), Math.min(at + to.length, size));
      to.set(part);
      return part.length;
    },
    write(from, { at }) {
      room(at + from.length);
      if (at > size) bytes.fill(0, size, at);
      bytes.set(from, at);
      size = Math.max(size, at + from.length);
      return from.length;
    },
    truncate(n) {
      room(n);
      if (n > size) bytes.fill(0, size, n);
      size = n;
    },
    getSize: () => size,
    flush() {},
    close() {},
  };
}
