// @ts-check
import { byId, h } from './dom.js';
import { getText } from './source.js';

/** @typedef {import('./source.js').Facts} Facts */

/**
 * Lets somebody edit the text that is shown, or all fields as JSON.
 * @param {Facts} f
 * @param {string} view
 * @param {(name: string, text: string) => Promise<void>} take
 */
export async function editText(f, view, take) {
  const text = await getText(`api/${view}/${f.id}`);
  const ends = text.includes('\r\n') ? '\r\n' : '\n'; // a browser knows one of them
  const as = view === 'fields' ? 'json' : f.saves.find((s) => !['stored', 'json'].includes(s.as))?.as || 'txt';
  const area = h('textarea', { class: 'editor', value: text, spellcheck: false, 'aria-label': `text of ${f.name}`, 'data-editor': view });
  const wrong = h('p', { class: 'failure', role: 'alert', hidden: true });
  const done = h('button', { type: 'button', class: 'main-act', 'data-action': 'take' }, 'take the change');
  const leave = h('button', { type: 'button' }, 'cancel');
  const was = [...byId('view').children];
  byId('view').replaceChildren(wrong, area, h('div', { class: 'bar' }, done, leave, h('span', { class: 'note' }, 'Ctrl and Enter take it, Escape leaves it')));
  const back = () => byId('view').replaceChildren(...was);
  const finish = async () => {
    const now = ends === '\r\n' ? area.value.replace(/\n/g, '\r\n') : area.value;
    if (now === text) { back(); return; }
    await take(`${f.name.replace(/[^\w.-]/g, '_')}.${as}`, now).catch((e) => { wrong.textContent = e.message; wrong.hidden = false; });
  };
  done.addEventListener('click', finish);
  leave.addEventListener('click', back);
  area.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Escape') back();
    else if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); finish(); }
  });
  area.focus();
}
