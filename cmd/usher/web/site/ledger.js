// @ts-check
// The list of the files that are kept: their paths, and under which number the store has the bytes of each. It is written into
// two files by turns, so that one of them is whole when the page is closed in the middle.

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').Content} Content */
/** @typedef {[string, number, number, number]} Row path, number (0 for a folder), time, size */
/** @typedef {{turn: number, next: number, rows: Row[]}} Saved */

/** The list, as it is kept. */
export class Ledger {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.turn = 0;
    /** @type {Content[]} */
    this.files = [];
  }

  /**
   * Reads what the page has kept when it was open last.
   * @returns {Promise<Saved>}
   */
  async read() {
    this.files = [await this.store.open('ledger.0'), await this.store.open('ledger.1')];
    const both = this.files.map(savedIn);
    const last = both.sort((a, b) => b.turn - a.turn)[0];
    this.turn = last.turn;
    return last;
  }

  /**
   * @param {number} next
   * @param {Row[]} rows
   */
  write(next, rows) {
    this.turn++;
    const file = this.files[this.turn % 2];
    const bytes = new TextEncoder().encode(JSON.stringify({ turn: this.turn, next, rows }));
    file.truncate(0);
    file.write(bytes, { at: 0 });
    file.flush();
  }
}

/**
 * @param {Content} file
 * @returns {Saved}
 */
function savedIn(file) {
  const bytes = new Uint8Array(file.getSize());
  file.read(bytes, { at: 0 });
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return { turn: 0, next: 1, rows: [] }; // it was being written, or never was
  }
}
