// @ts-check
import { h } from './dom.js';

/**
 * @typedef {object} Field what somebody is asked for
 * @property {string} name
 * @property {string} label
 * @property {string} [value]
 * @property {{value: string, label: string}[]} [options]
 */

/**
 * Asks for something, or for a yes. The promise is null when somebody thinks better of it, else the values of the fields
 * and, below "do", the button that was pressed.
 * @param {string} title
 * @param {string} words
 * @param {Field[]} fields
 * @param {string[]} buttons the first one is what Enter does
 * @returns {Promise<Record<string, string> | null>}
 */
export function ask(title, words, fields, buttons) {
  return new Promise((done) => {
    const inputs = fields.map((f) => {
      const el = f.options ? h('select', { name: f.name }, f.options.map((o) => h('option', { value: o.value }, o.label))) : h('input', { name: f.name, autocomplete: 'off', spellcheck: false });
      el.value = f.value || '';
      return el;
    });
    /** @param {string} pressed */
    const end = (pressed) => {
      dialog.close();
      dialog.remove();
      done(pressed ? { do: pressed, ...Object.fromEntries(inputs.map((x) => [x.name, x.value])) } : null);
    };
    const dialog = h('dialog', { class: 'ask', 'aria-label': title }, h('h2', {}, title), words ? h('p', {}, words) : '',
      fields.map((f, i) => h('label', {}, f.label, inputs[i])),
      h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => end('') }, 'cancel'),
        buttons.map((b, i) => h('button', { type: 'button', class: i === 0 ? 'main-act' : '', 'data-answer': b, onclick: () => end(b) }, b))));
    dialog.addEventListener('cancel', (/** @type {Event} */ e) => { e.preventDefault(); end(''); });
    dialog.addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
      if (e.key !== 'Enter' || e.target instanceof HTMLButtonElement) return;
      e.preventDefault();
      end(buttons[0]);
    });
    document.body.append(dialog);
    dialog.showModal();
    const first = inputs[0] || dialog.querySelector('.main-act');
    first.focus();
    if (first instanceof HTMLInputElement) first.select();
  });
}
