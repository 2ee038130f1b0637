// @ts-check
import { byId, h } from './dom.js';
import { ask } from './ask.js';
import { getText } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/** @type {Map<string, {of: string, now: string}>} what was typed and not taken yet, with the text that it was made of */
const typed = new Map();

addEventListener('beforeunload', (e) => { if (typed.size) e.preventDefault(); });

/**
 * @param {Facts} f
 * @param {string} view
 */
const keyOf = (f, view) => `${f.id} ${view}`;

/**
 * Whether somebody has typed something there that was not taken yet.
 * @param {Facts} f
 * @param {string} view
 */
export const hasTyped = (f, view) => typed.has(keyOf(f, view));

/** Whether somebody edits a text right now. */
export const editing = () => Boolean(document.querySelector('#view .editor'));

/**
 * Lets somebody edit the text that is shown, or all fields as JSON. What was typed outlives a look at something else.
 * @param {Facts} f
 * @param {string} view
 * @param {(name: string, text: string) => Promise<void>} take
 * @param {() => void} back shows the text again
 */
export async function editText(f, view, take, back) {
  const key = keyOf(f, view);
  const host = byId('view');
  const shown = host.firstChild;
  const text = await getText(`api/${view}/${f.id}`);
  if (host.firstChild !== shown) return; // another thing is looked at meanwhile
  const ends = text.includes('\r\n') ? '\r\n' : '\n'; // a browser knows one of them
  const as = view === 'fields' ? 'json' : f.saves.find((s) => !['stored', 'json'].includes(s.as))?.as || 'txt';
  const before = typed.get(key);
  const area = h('textarea', { class: 'editor', value: before ? before.now : text, spellcheck: false, 'aria-label': `text of ${f.name}`, 'data-editor': view });
  const wrong = h('p', { class: 'failure', role: 'alert', hidden: true });
  const say = (/** @type {string} */ words) => { wrong.textContent = words; wrong.hidden = false; };
  const done = h('button', { type: 'button', class: 'main-act', 'data-action': 'take' }, 'take the change');
  const cancel = h('button', { type: 'button', 'data-action': 'leave' }, 'cancel');
  host.replaceChildren(wrong, area, h('div', { class: 'bar' }, done, cancel, h('span', { class: 'note' }, 'Ctrl and Enter take it, Escape leaves it')));
  if (before && before.of !== text) say('The text has become another one since you began: what you take replaces that one.');
  const finish = async () => {
    const now = ends === '\r\n' ? area.value.replace(/\n/g, '\r\n') : area.value;
    if (now === text) { typed.delete(key); back(); return; }
    await take(`${f.name.replace(/[^\w.-]/g, '_')}.${as}`, now).then(() => typed.delete(key), (e) => say(e.message));
  };
  const leave = async () => {
    if (hasTyped(f, view) && !await ask('Leave the text as it was?', 'What you have typed goes.', [], ['leave it'])) { area.focus(); return; }
    typed.delete(key);
    back();
  };
  area.addEventListener('input', () => typed.set(key, { of: before ? before.of : text, now: area.value }));
  done.addEventListener('click', finish);
  cancel.addEventListener('click', leave);
  area.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Escape') leave();
    else if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); finish(); }
  });
  area.focus();
}
