// @ts-check
import { byId, h, plural } from './dom.js';
import { ask } from './ask.js';
import { deskState, sayAll, write } from './writer.js';
import { getJSON, web } from './source.js';

/**
 * @typedef {{id: string, what: string, status: string, entry: string, file?: string, node: number, told: string[], entries: {path: string, from?: string, status: string, kind: string}[]}} DeskStep
 * @typedef {{node: number, name: string, path: string, new: string, saved: boolean, foreign?: boolean, trouble?: string, undo?: string, redo?: string, conflicts?: string[], changes: DeskStep[]}} DeskFile
 * @typedef {{writes: boolean, exports: string, files: DeskFile[]}} DeskState
 */

/** The changes that are not saved, and what can be done with them. */
export class Desk {
  /**
   * @param {import('./changes.js').Changes} shown
   * @param {import('./tree.js').Tree} tree
   */
  constructor(shown, tree) {
    this.shown = shown;
    this.tree = tree;
    this.on = ''; // the change that is looked at
    this.last = -1; // node of the file that was worked on last
    /** @type {DeskState} */
    this.state = { writes: false, exports: '', files: [] };
    this.turn = 0;
    if (!web()) addEventListener('beforeunload', (e) => { if (this.state.writes && this.state.files.some((f) => !f.saved && f.changes.length)) e.preventDefault(); });
    addEventListener('keydown', (e) => this.key(e));
  }

  /** Asks what was changed. */
  async reload() {
    const turn = ++this.turn;
    const state = await deskState();
    if (turn !== this.turn) return;
    this.state = state;
    this.tree.changed = new Map(state.files.flatMap((/** @type {DeskFile} */ f) => [[f.node, f.changes.length ? plural(f.changes.length, 'change') : ''], ...f.changes.map((c) => [c.node, c.what])]).filter((/** @type {[number, string]} */ x) => x[1]));
    this.tree.list.redraw();
    this.draw();
    dispatchEvent(new Event('desk'));
  }

  /** The file that undo, redo and save are about: the one that was worked on last. */
  file() { return this.state.files.find((f) => f.node === this.last) || this.state.files.find((f) => f.changes.length > 0) || this.state.files[0]; }

  draw() {
    const bar = byId('desk');
    const f = this.file();
    const all = this.state.files.reduce((n, x) => n + x.changes.length, 0);
    bar.hidden = false;
    bar.replaceChildren(
      this.button('undo', '↶ undo', f?.undo ? `take back: ${f.undo}` : '', () => this.undo()),
      this.button('redo', '↷ redo', f?.redo ? `again: ${f.redo}` : '', () => this.redo()),
      this.button('save', all && f ? `save ${f.new}` : 'save', f?.changes.length ? `write ${f.path} with its changes, beside it` : '', () => this.save({}), 'main-act'),
      this.button('save-as', 'save as …', f?.changes.length ? 'under another name, or over the original' : '', () => this.saveAs()),
      this.button('save-patch', 'save patch', f?.changes.length ? 'the changes alone, to be given away' : '', () => this.savePatch()),
    );
    const host = byId('changes');
    host.hidden = this.state.files.length === 0;
    host.replaceChildren(...this.state.files.flatMap((x) => this.rows(x)));
  }

  /**
   * @param {string} action
   * @param {string} label
   * @param {string} title empty where it cannot be done
   * @param {() => any} act
   * @param {string} [kind]
   */
  button(action, label, title, act, kind = '') {
    return h('button', { type: 'button', class: kind, 'data-action': action, title, disabled: !title || !this.state.writes, onclick: () => Promise.resolve(act()).catch(() => {}) }, label);
  }

  /** @param {DeskFile} f */
  rows(f) {
    const say = (/** @type {string} */ text, /** @type {any} */ ...more) => h('p', { class: 'bad' }, text, ...more);
    const several = this.state.files.filter((x) => x.changes.length).length > 1;
    const head = h('h2', {}, h('span', {}, f.name, ' ', h('small', {}, f.changes.length ? `${plural(f.changes.length, 'change')}${f.saved ? ', saved' : ''}` : f.trouble ? '' : 'as it was')),
      several && f.changes.length && !f.saved ? this.button('save', 'save', `write ${f.path} with its changes as ${f.new}, beside it`, () => this.save({}, f)) : '');
    return [
      head,
      f.trouble ? say(f.trouble) : '',
      f.foreign ? say('Another program has changed this file. Your changes are for what it was: nothing is written over. ', this.button('rebase', 'use them for what it is now', 'what does not fit is told', () => this.do(f, 'putting the changes onto the file as it is now', 'rebase'))) : '',
      ...(f.conflicts || []).map((c) => say(`does not fit any more: ${c}`)),
      ...f.changes.map((c) => this.row(f, c)),
    ].filter(Boolean);
  }

  /**
   * @param {DeskFile} f
   * @param {DeskStep} c
   */
  row(f, c) {
    return h('div', { class: c.id === this.on ? 'change on' : 'change', 'data-change': c.id },
      h('button', { type: 'button', title: 'before and after', onclick: () => this.go(c.id) }, c.what),
      this.button('undo', 'put back', `take this change back: ${c.what}`, () => this.do(f, 'putting it back', `undo`, `change=${c.id}`)),
      c.told.length ? h('ul', {}, c.told.map((t) => h('li', {}, t))) : '');
  }

  /**
   * Does something with a file.
   * @param {DeskFile | undefined} f
   * @param {string} what
   * @param {string} action
   * @param {string} [query]
   * @param {any} [body]
   */
  async do(f, what, action, query = '', body = null) {
    if (!f) return null;
    this.last = f.node;
    const done = await write(what, `${action}/${f.node}${query ? `?${query}` : ''}`, body && JSON.stringify(body)).finally(() => this.reload());
    if (this.on && !this.state.files.some((x) => x.changes.some((c) => c.id === this.on))) location.hash = `n=${f.node}`;
    return done;
  }

  undo() { return this.do(this.file(), 'taking it back', 'undo'); }

  redo() { return this.do(this.file(), 'doing it again', 'redo'); }

  /**
   * Writes the file with its changes; over something only when somebody says so.
   * @param {{name?: string, over?: boolean, force?: boolean}} how
   * @param {DeskFile} [f]
   */
  async save(how, f = this.file()) {
    await web()?.look(f.path);
    const done = await this.do(f, `saving ${f.name}`, 'save', '', how);
    if (done?.exist) {
      const words = how.over ? `${done.path} is the original. "usher undo" brings it back.` : `${done.path} is there already. "usher undo" brings it back.`;
      if (await ask('Replace it?', words, [], ['replace'])) await this.save({ ...how, force: true }, f);
      return;
    }
    if (!done) return;
    await web()?.putOut(done.path);
    const back = how.over && h('button', { type: 'button', 'data-action': 'restore', onclick: () => this.do(f, 'bringing it back', 'restore').then(() => web()?.putOut(f.path)).then(() => sayAll('good', `${f.name} is as it was before it was saved`)).catch(() => {}) }, 'bring the old one back');
    sayAll('good', [`saved: ${done.path}`, ...done.told].join('\n'), back || '');
  }

  async saveAs() {
    const f = this.file();
    const got = await ask('Save as', `Beside ${f.path}`, [{ name: 'name', label: 'name of the file', value: f.new }], ['save', 'over the original']);
    if (!got) return;
    await this.save(got.do === 'save' && got.name !== f.name ? { name: got.name } : { over: true });
  }

  async savePatch() {
    const f = this.file();
    const got = await ask('Save as a patch', 'A folder with what changed and nothing else of the original: "usher pack FOLDER --base ORIGINAL -o NEW" puts it on.', [{ name: 'name', label: 'name of the folder', value: `${f.name}.patch` }], ['save']);
    if (!got) return;
    const done = await this.do(f, 'saving the patch', 'save-patch', '', { name: got.name });
    if (!done) return;
    await web()?.putOut(done.path);
    sayAll('good', `saved: ${done.path}`);
  }

  /**
   * Goes to a change.
   * @param {string} id
   */
  go(id) {
    if (location.hash === `#d=${id}`) return;
    this.shown.usher.state = 'loading';
    location.hash = `d=${id}`;
  }

  /**
   * Shows a change: before and after.
   * @param {string} id
   */
  async show(id) {
    this.on = id;
    this.last = Number(id.split('.')[0]);
    this.shown.usher.state = 'loading';
    this.draw();
    this.shown.leave();
    const { turn } = this.shown;
    const c = await getJSON(`api/desk/change/${id}`);
    if (turn !== this.shown.turn) return;
    const step = this.state.files.flatMap((f) => f.changes).find((x) => x.id === id);
    const f = this.state.files.find((x) => x.changes.some((y) => y.id === id));
    const losses = step?.told.length ? h('ul', { class: 'losses' }, step.told.map((t) => h('li', {}, t))) : '';
    byId('acts').replaceChildren(
      c.new >= 0 ? h('button', { type: 'button', onclick: () => { location.hash = `n=${c.new}`; } }, 'look at it alone') : '',
      f ? this.button('undo', 'put back', 'take this change back', () => this.do(f, 'putting it back', 'undo', `change=${id}`)) : '',
      losses);
    await this.shown.present(c);
  }

  leave() {
    if (!this.on) return;
    this.on = '';
    this.draw();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement;
    if (!(e.ctrlKey || e.metaKey) || typing || document.querySelector('dialog[open]')) return;
    const act = { z: e.shiftKey ? 'redo' : 'undo', y: 'redo', s: 'save' }[e.key.toLowerCase()];
    const button = act && byId('desk').querySelector(`[data-action=${act}]`);
    if (!button) return;
    e.preventDefault();
    button.click();
  }
}
