// @ts-check
import { failure } from './disk.js';

const windowSize = 1 << 20; // as much is read at once

/** A file of the user's own, which is read piece by piece and never as a whole. */
export class Lent {
  /** @param {Blob} blob */
  constructor(blob) {
    this.blob = blob;
    this.from = 0;
    this.bytes = new Uint8Array(0);
  }

  /**
   * @param {Uint8Array} to
   * @param {number} at
   */
  read(to, at) {
    let done = 0;
    while (done < to.length && at + done < this.blob.size) {
      const inside = at + done - this.from;
      if (inside < 0 || inside >= this.bytes.length) {
        this.load(at + done, Math.max(windowSize, to.length - done));
        continue;
      }
      const part = this.bytes.subarray(inside, inside + to.length - done);
      to.set(part, done);
      done += part.length;
    }
    return done;
  }

  /**
   * @param {number} from
   * @param {number} count
   */
  load(from, count) {
    const reader = new /** @type {any} */ (globalThis).FileReaderSync();
    this.bytes = new Uint8Array(reader.readAsArrayBuffer(this.blob.slice(from, from + count)));
    this.from = from;
    if (!this.bytes.length) throw failure('EIO');
  }
}
