// @ts-check
// What the program asks of an operating system: files, as Go's library for browsers asks globalThis.fs for them.
import { failure, steps } from './disk.js';
import { Lent } from './lent.js';
/** @typedef {import('./disk.js').Disk} Disk */
/** @typedef {import('./disk.js').Place} Place */
/** @typedef {{place: Place, at: number, append: boolean, lent?: Lent}} Handle */

const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

/** Files that are open, by number. */
class Files {
  /**
   * @param {Disk} disk
   * @param {() => string} here the folder in which the program works
   */
  constructor(disk, here) {
    this.disk = disk;
    this.here = here;
    /** @type {Map<number, Handle>} */
    this.handles = new Map();
    this.next = 3; // the first ones are those of every program
    this.said = '';
  }

  /** @param {string} path */
  full(path) { return steps(path.startsWith('/') ? path : `${this.here()}/${path}`); }

  /** @param {string} path */
  get(path) {
    const place = this.disk.find(this.full(path));
    if (!place) throw failure('ENOENT');
    return place;
  }

  /** @param {number} n */
  handle(n) {
    const h = this.handles.get(n);
    if (!h) throw failure('EBADF');
    return h;
  }

  /**
   * @param {string} path
   * @param {number} flags
   */
  async open(path, flags) {
    const name = this.full(path);
    let place = this.disk.find(name);
    if (place && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure('EEXIST');
    if (!place && !(flags & constants.O_CREAT)) throw failure('ENOENT');
    place ||= this.disk.make(name);
    const writes = flags & (constants.O_WRONLY | constants.O_RDWR);
    if (!place.inner && flags & constants.O_DIRECTORY) throw failure('ENOTDIR');
    if (place.inner && writes) throw failure('EISDIR');
    const lent = place.inner ? undefined : await this.openBytes(place, Boolean(writes), Boolean(flags & constants.O_TRUNC));
    const n = this.next++;
    this.handles.set(n, { place, at: 0, append: Boolean(flags & constants.O_APPEND), lent });
    return n;
  }

  /**
   * @param {Place} place
   * @param {boolean} writes
   * @param {boolean} empty what it held goes
   * @returns {Promise<Lent | undefined>} what is read where somebody else has the bytes: the file stays that, also when it is copied meanwhile
   */
  async openBytes(place, writes, empty) {
    if (place.lent && !writes) { place.users++; return new Lent(place.lent); }
    if (place.lent && empty) place.lent = undefined;
    if (place.lent) await this.disk.keep(place);
    await this.disk.open(place);
    if (empty) this.resize(place, 0);
    return undefined;
  }

  /** @param {number} n */
  close(n) {
    const { place } = this.handle(n);
    this.handles.delete(n);
    if (!place.inner) this.disk.leave(place);
  }

  /**
   * @param {number} n
   * @param {Uint8Array} to
   * @param {number} from
   * @param {number} count
   * @param {number | null} at
   */
  read(n, to, from, count, at) {
    const h = this.handle(n);
    if (h.place.inner) throw failure('EISDIR');
    const part = to.subarray(from, from + count);
    const where = at ?? h.at;
    const done = h.lent ? h.lent.read(part, where) : /** @type {import('./store.js').Content} */ (h.place.content).read(part, { at: where });
    if (at === null) h.at += done;
    return done;
  }

  /**
   * @param {number} n
   * @param {Uint8Array} from
   * @param {number} first
   * @param {number} count
   * @param {number | null} at
   */
  write(n, from, first, count, at) {
    if (n < 3) { this.say(from.subarray(first, first + count)); return count; }
    const h = this.handle(n);
    if (!h.place.content) throw failure('EBADF');
    if (!count) return 0; // which makes no file longer
    const where = h.append ? h.place.size : at ?? h.at;
    const done = h.place.content.write(from.subarray(first, first + count), { at: where });
    if (at === null) h.at = where + done;
    h.place.size = Math.max(h.place.size, where + done);
    h.place.time = Date.now();
    this.disk.note();
    return done;
  }

  /** What the program says when it breaks down, line by line. @param {Uint8Array} bytes */
  say(bytes) {
    const lines = (this.said + new TextDecoder().decode(bytes)).split('\n');
    this.said = lines.pop() || '';
    for (const line of lines) console.error(line);
  }

  /**
   * @param {Place} place
   * @param {number} size
   */
  resize(place, size) {
    if (!place.content) throw failure('EBADF');
    place.content.truncate(size);
    place.size = size;
    place.time = Date.now();
    this.disk.note();
  }

  /**
   * @param {string} path
   * @param {number} size
   */
  async truncate(path, size) {
    const n = await this.open(path, constants.O_WRONLY);
    this.resize(this.handle(n).place, size);
    this.close(n);
  }

  /** @param {number} n */
  fsync(n) {
    this.handle(n).place.content?.flush();
    this.disk.sync();
  }

  /** @param {Place} p */
  stat(p) {
    return {
      dev: 1, ino: p.number, mode: p.inner ? 0o40755 : 0o100644, nlink: p.names, uid: 0, gid: 0, rdev: 0, size: p.size, blksize: 4096,
      blocks: Math.ceil(p.size / 512), atimeMs: p.time, mtimeMs: p.time, ctimeMs: p.time, isDirectory: () => Boolean(p.inner),
    };
  }

  /** @param {string} path */
  readdir(path) {
    const { inner } = this.get(path);
    if (!inner) throw failure('ENOTDIR');
    return [...inner.keys()];
  }

  /** @param {string} path */
  mkdir(path) {
    const name = this.full(path);
    if (this.disk.find(name)) throw failure('EEXIST');
    this.disk.put(name, this.disk.folder());
  }

  /** @param {string} path */
  unlink(path) {
    if (this.get(path).inner) throw failure('EISDIR');
    this.disk.drop(this.full(path));
  }

  /** @param {string} path */
  rmdir(path) {
    if (this.readdir(path).length) throw failure('ENOTEMPTY');
    this.disk.drop(this.full(path));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  rename(from, to) {
    const [was, is] = [this.full(from), this.full(to)];
    this.disk.above(was);
    this.disk.above(is);
    const place = this.get(from);
    if (below(is, was)) throw failure('EINVAL');
    if (below(was, is)) throw failure('ENOTEMPTY');
    const old = this.disk.find(is);
    if (old === place) return;
    if (old?.inner && !place.inner) throw failure('EISDIR');
    if (old && !old.inner && place.inner) throw failure('ENOTDIR');
    if (old?.inner?.size) throw failure('ENOTEMPTY');
    place.names++; // it has both for a moment
    this.disk.put(is, place);
    this.disk.drop(was);
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  link(from, to) {
    const place = this.get(from);
    this.disk.above(this.full(to));
    if (this.disk.find(this.full(to))) throw failure('EEXIST');
    if (place.inner) throw failure('EPERM');
    place.names++;
    this.disk.put(this.full(to), place);
  }

  /**
   * @param {string} path
   * @param {number} _
   * @param {number} seconds
   */
  utimes(path, _, seconds) {
    this.get(path).time = seconds * 1000;
    this.disk.note();
  }
}

/**
 * Whether one path lies below another one.
 * @param {string[]} path
 * @param {string[]} above
 */
function below(path, above) { return path.length > above.length && above.every((s, i) => s === path[i]); }

// What browsers say when something fails, as the program knows it.
const codes = /** @type {Record<string, string>} */ ({ QuotaExceededError: 'ENOSPC', NotFoundError: 'ENOENT', NotAllowedError: 'EACCES' });

/**
 * An error with a code that the program knows.
 * @param {any} e
 */
function coded(e) { return typeof e.code === 'string' ? e : Object.assign(failure(codes[e.name] || 'EIO'), { cause: e }); }

const turnTime = 50; // milliseconds after which other events have their turn

/** Answers at once, but lets what has come from outside have its turn now and then: it waits as long as the program is at work. */
function turns() {
  let began = performance.now();
  /** @type {(() => void)[]} */
  const waiting = [];
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { began = performance.now(); waiting.shift()?.(); };
  return (/** @type {() => void} */ act) => {
    if (performance.now() - began < turnTime) { queueMicrotask(act); return; }
    waiting.push(act);
    channel.port2.postMessage(null);
  };
}

/**
 * Makes what globalThis.fs is to be: functions that answer by calling their last argument.
 * @param {Disk} disk
 * @param {() => string} here
 */
export function filesOf(disk, here) {
  const f = new Files(disk, here);
  const later = turns();
  const call = (/** @type {(...args: any[]) => any} */ act) => (/** @type {any[]} */ ...args) => {
    const done = args.pop();
    try {
      const result = act.apply(f, args);
      if (result instanceof Promise) result.then((x) => done(null, x), (e) => done(coded(e)));
      else later(() => done(null, result));
    } catch (e) {
      later(() => done(coded(e)));
    }
  };
  const nothing = call(() => undefined);
  const refuse = (/** @type {string} */ code) => call(() => { throw failure(code); });
  return {
    constants,
    writeSync: (/** @type {number} */ n, /** @type {Uint8Array} */ b) => f.write(n, b, 0, b.length, null),
    ...Object.fromEntries(['open', 'close', 'read', 'write', 'truncate', 'fsync', 'readdir', 'mkdir', 'unlink', 'rmdir', 'rename', 'link', 'utimes']
      .map((name) => [name, call(/** @type {any} */ (f)[name])])),
    stat: call((/** @type {string} */ path) => f.stat(f.get(path))),
    lstat: call((/** @type {string} */ path) => f.stat(f.get(path))),
    fstat: call((/** @type {number} */ n) => f.stat(f.handle(n).place)),
    ftruncate: call((/** @type {number} */ n, /** @type {number} */ size) => f.resize(f.handle(n).place, size)),
    chmod: nothing, fchmod: nothing, chown: nothing, fchown: nothing, lchown: nothing,
    readlink: refuse('EINVAL'), symlink: refuse('ENOSYS'),
  };
}
