// @ts-check
import { byId, h, plural } from './dom.js';
import { ask } from './ask.js';
import { sayAll, write } from './writer.js';
import { editing, editText, hasTyped } from './edit.js';
import { cellEditing } from './table.js';
import { Drops } from './drops.js';
import { urlOf, web } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

const exportAs = ['', 'glb', 'png', 'wav', 'csv', 'po', 'json', 'stored'].map((as) => ({ value: as, label: as || 'what is usual for each' }));

/** What can be done with what is shown: its buttons, and what is dropped onto it. */
export class Acts {
  /**
   * @param {import('./desk.js').Desk} desk
   * @param {import('./entry.js').Entry} entry
   * @param {import('./tree.js').Tree} tree
   */
  constructor(desk, entry, tree) {
    this.desk = desk;
    this.entry = entry;
    this.tree = tree;
    entry.acted = (f, view) => this.draw(f, view);
    cellEditing.edit = (cell, f, row, column) => this.editCell(cell, f, row, column);
    addEventListener('place', (e) => this.openPlace(/** @type {CustomEvent} */ (e).detail));
    addEventListener('came', (e) => this.found(/** @type {CustomEvent} */ (e).detail));
    for (const name of ['desk', 'picked']) addEventListener(name, () => { if (entry.facts) this.draw(entry.facts, entry.view); });
    new Drops(this);
  }

  /**
   * @param {Facts} f
   * @param {string} view
   */
  draw(f, view) {
    if (!this.desk.state.writes) {
      byId('acts').replaceChildren(h('span', { class: 'note' }, 'This page only looks: open the address that the desk has printed to write.'));
      return;
    }
    const known = Boolean(f.format);
    const leaf = f.place === 'entry' || f.place === 'file';
    const editable = known && (view === 'text' || view === 'fields');
    const table = known && (view === 'table' || view === 'numbers');
    const whole = f.place === 'archive' && f.views.includes('table'); // its lines are one table
    const n = this.tree.picked.size;
    const button = (/** @type {string} */ action, /** @type {string} */ label, /** @type {string} */ title, /** @type {() => any} */ act) => this.desk.button(action, label, title, act);
    byId('acts').replaceChildren(...[
      (whole || (leaf && (known || f.place === 'entry'))) && fileButton('replace', 'replace …', 'by a file that you choose, or drop here', false, (files) => this.put(f.id, f.name, files[0])),
      editable && button('edit', 'edit', 'in place', () => this.edit(f, view)),
      table && button('edit', 'edit cells', 'Enter, or a double click, edits a cell', () => { /** @type {any} */ (document.querySelector('.editable'))?.focus(); }),
      leaf && known && !web() && button('open-in', 'open in …', 'another program: each save of it is taken', () => this.openIn(f)),
      f.place === 'entry' && button('rename', 'rename …', 'another path', () => this.rename(f)),
      f.place === 'entry' && button('remove', 'remove', 'takes the entry out', () => this.gone(f, `removing ${f.entry}`, 'remove')),
      (f.place === 'archive' || (f.inner && leaf)) && fileButton('add', 'new entry …', 'of a file that you choose, or drop here', false, (files) => this.add(f, files[0])),
      f.place === 'folder' && fileButton('open', 'open …', 'a file of a game, to work on: it is copied into this folder, unless it is there', true, (files) => this.open(files)),
      f.place === 'folder' && web() && this.folderButton(),
      f.place !== 'entry' && f.place !== 'group' && f.trail.length === 2 && web() && button('close', 'close', 'takes it off the desk, with all changes that are not saved', () => this.close(f)),
      button('export', n ? `export ${n} …` : 'export …', n ? 'what you have chosen (Ctrl and a click, Ctrl and the space bar)' : 'this one; Ctrl and a click in the tree choose several', () => this.export(f)),
    ].filter(Boolean));
    if (editable && hasTyped(f, view) && !editing()) queueMicrotask(() => this.edit(f, view));
  }

  /**
   * @param {Facts} f
   * @param {string} view
   */
  edit(f, view) {
    return editText(f, view, (name, text) => this.done(write(`editing ${f.name}`, `edit/${f.id}?name=${encodeURIComponent(name)}`, text)), () => this.entry.open(view));
  }

  /**
   * Puts a file onto a node, and shows before and after.
   * @param {number} id
   * @param {string} name
   * @param {File} file
   */
  async put(id, name, file) {
    if (!file) return;
    await this.done(this.sent(id, name, file));
  }

  /**
   * Sends a file. Where it changes what other models use as well, somebody says where that goes, and it is sent once more.
   * @param {number} id
   * @param {string} name
   * @param {File} file
   */
  async sent(id, name, file) {
    const send = (/** @type {string} */ how) => write(`putting ${file.name} onto ${name}`, `put/${id}?name=${encodeURIComponent(file.name)}${how}`, file);
    const done = await send('');
    if (!done.shared) return done;
    const how = await askShared(name, done.shared);
    return how ? send(how) : { change: '', told: [] };
  }

  /**
   * Undo, redo and save are about the file that was worked on last.
   * @param {string} [change]
   */
  worked(change) { if (change) this.desk.last = Number(change.split('.')[0]); }

  /** @param {Promise<any>} writing */
  async done(writing) {
    try {
      const { change, told } = await writing;
      this.worked(change);
      await this.desk.reload();
      if (told.length) sayAll('bad', told.join('\n'));
      if (!change) return;
      this.entry.forget();
      this.desk.go(change);
    } catch (e) {
      this.desk.reload();
      throw e;
    }
  }

  /**
   * @param {Facts} f
   * @param {File} file
   */
  async add(f, file) {
    if (!file) return;
    const got = await ask('New entry', `of ${file.name}, in ${f.name}`, [{ name: 'path', label: 'path in the archive', value: file.name.replace(/\.[^.]*$/, '') }], ['add']);
    if (got) await this.done(write(`adding ${got.path}`, `add/${f.id}?path=${encodeURIComponent(got.path)}&name=${encodeURIComponent(file.name)}`, file));
  }

  /** @param {Facts} f */
  async rename(f) {
    const got = await ask('Rename', '', [{ name: 'to', label: 'path in the archive', value: f.entry }], ['rename']);
    if (got) await this.gone(f, `renaming ${f.entry}`, 'rename', `?to=${encodeURIComponent(got.to)}`);
  }

  /**
   * Does something after which a node is no longer there.
   * @param {Facts} f
   * @param {string} what
   * @param {string} action
   * @param {string} [query]
   */
  async gone(f, what, action, query = '') {
    const { view } = this.entry;
    this.entry.leave();
    await this.done(write(what, `${action}/${f.id}${query}`)).catch((e) => { this.entry.show(f.id, view); throw e; });
  }

  /**
   * Opens files that are not among those that are shown.
   * @param {File[]} files
   */
  async open(files) {
    const without = web();
    if (without) { await this.found(await without.take(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })))); return; }
    for (const file of files) await this.found(file.name, file);
  }

  /** Opens a folder: where it lies, or a copy in browsers that hand out no folders. */
  folderButton() {
    const { openFolder } = /** @type {import('./source.js').Web} */ (web());
    if (openFolder) return this.desk.button('open-folder', 'open a folder …', 'of a game: it is read where it lies, and what you save goes there', () => openFolder().then((name) => this.found(name)));
    const label = fileButton('open-folder', 'open a folder …', 'of a game', true, (files) => this.open(files));
    label.querySelector('input').webkitdirectory = true;
    return label;
  }

  /**
   * Takes something off the desk.
   * @param {Facts} f
   */
  async close(f) {
    const changes = this.desk.state.files.filter((x) => `${x.path}/`.includes(`/${f.source}/`)).reduce((n, x) => n + x.changes.length, 0);
    if (changes && !await ask('Close it?', `${plural(changes, 'change')} of ${f.name} not saved: they go.`, [], ['close'])) return;
    this.entry.leave();
    await write(`closing ${f.name}`, `close/${f.id}`);
    await web()?.close(f.name);
    await this.desk.reload();
    await this.tree.reload();
    location.hash = `n=${f.trail[0].id}`;
  }

  /**
   * Shows a file that has come into the folder; with its bytes where it is to be brought there.
   * @param {string} name
   * @param {File} [file]
   */
  async found(name, file) {
    if (!name) return;
    const { node } = await write(`opening ${name}`, `${file ? 'open' : 'found'}?name=${encodeURIComponent(name)}`, file);
    await this.tree.reload();
    if (node >= 0) location.hash = `n=${node}`;
  }

  /**
   * Opens a game, or what was opened before, beside what is open.
   * @param {string} path
   */
  async openPlace(path) {
    const { node } = await write(`opening ${path}`, `place?path=${encodeURIComponent(path)}`);
    await this.tree.reload();
    location.hash = `n=${node}`;
  }

  /** @param {Facts} f */
  async openIn(f) {
    const { file } = await write(`opening ${f.name}`, `open-in/${f.id}`);
    sayAll('good', `${file} is open: each time it is saved, the change is taken`);
  }

  /** @param {Facts} f */
  async export(f) {
    const nodes = this.tree.picked.size ? [...this.tree.picked].join('.') : String(f.id);
    const folder = this.desk.state.exports;
    const got = await ask('Export', this.tree.picked.size ? `${this.tree.picked.size} chosen` : f.name, [{ name: 'as', label: 'as', options: exportAs }], ['download', ...(folder ? [`into ${folder}`] : [])]);
    if (!got) return;
    const asked = { ...Object.fromEntries(this.tree.query()), nodes, as: got.as, open: '' };
    if (got.do === 'download') {
      const a = h('a', { href: urlOf(`api/desk/export?${new URLSearchParams(asked)}`), download: '' });
      document.body.append(a);
      a.click();
      a.remove();
      return;
    }
    const done = await write('exporting', 'export', JSON.stringify(asked));
    sayAll(done.wrong.length ? 'bad' : 'good', [`${done.files} files in ${done.folder}`, ...done.wrong.slice(0, 8), done.wrong.length > 8 ? `${done.wrong.length - 8} more` : ''].filter(Boolean).join('\n'));
  }

  /**
   * Lets somebody edit a cell.
   * @param {HTMLElement} cell
   * @param {Facts} f
   * @param {number} row
   * @param {number} column
   */
  editCell(cell, f, row, column) {
    if (!this.desk.state.writes || cell.querySelector('input')) return;
    const was = cell.textContent || '';
    const input = h('input', { value: was, 'aria-label': cell.getAttribute('aria-label') });
    let over = false;
    const end = (/** @type {boolean} */ take) => {
      if (over) return;
      over = true;
      input.replaceWith(cell);
      cell.focus();
      if (!take || input.value === was) return;
      cell.textContent = input.value;
      write(`editing ${f.name}`, `cells/${f.id}`, JSON.stringify([{ row, column, value: input.value }]))
        .then(({ change }) => { this.worked(change); return this.desk.reload(); }, () => { cell.textContent = was; cell.focus(); });
    };
    input.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key === 'Enter' || e.key === 'Escape') { e.preventDefault(); end(e.key === 'Enter'); }
    });
    input.addEventListener('blur', () => end(true));
    cell.replaceWith(input);
    input.focus();
    input.select();
  }
}

/**
 * Asks where an edit goes of what other models use as well. It returns the answer as the desk takes it; empty for none.
 * @param {string} name of the model
 * @param {{name: string, library: string, node: number, words: string}[]} shared
 */
async function askShared(name, shared) {
  const open = shared.every((x) => x.node >= 0);
  const there = `into ${[...new Set(shared.map((x) => x.library))].join(', ')}`;
  const own = `a copy for ${name}`;
  const words = shared.map((x) => `${x.name}: ${x.words}.`).join(' ') + (open ? '' : ' Only what is open here can be changed: for the others, start the desk with the folder of the game.');
  const got = await ask('Other models wear it too', words, [], open ? [there, own] : [own]);
  if (!got) return '';
  return got.do === own ? '&shared=copy' : `&shared=there${shared.map((x) => `&onto=${x.node}`).join('')}`;
}

/**
 * A button that chooses files.
 * @param {string} action
 * @param {string} label
 * @param {string} title
 * @param {boolean} multiple
 * @param {(files: File[]) => any} take
 */
function fileButton(action, label, title, multiple, take) {
  const input = h('input', { type: 'file', multiple, 'data-action': action, title, 'aria-label': `${label} ${title}` });
  input.addEventListener('change', () => {
    const files = [...input.files];
    input.value = '';
    Promise.resolve(take(files)).catch(() => {});
  });
  return h('label', { class: 'act' }, label, input);
}
