// @ts-check
import { byId, h } from './dom.js';

const kept = 'usher-write'; // the token to write with: it outlives a reload of this tab, and nothing else has it

/** Takes the ticket out of the address and turns it into a token. */
export async function enterDesk() {
  const m = location.hash.match(/^#w=([\w-]+)$/);
  if (!m) return;
  history.replaceState(null, '', '/');
  const r = await fetch(`api/desk/enter?ticket=${m[1]}`, { method: 'POST', credentials: 'same-origin' });
  if (r.ok) sessionStorage.setItem(kept, (await r.json()).token);
}

/** What a request brings along. */
function writeHeaders() {
  /** @type {Record<string, string>} */
  const headers = {};
  const token = sessionStorage.getItem(kept);
  if (token) headers['X-Usher-Write'] = token;
  return headers;
}

/** What was changed, and whether this page may write. */
export async function deskState() {
  const r = await fetch('api/desk', { headers: writeHeaders(), credentials: 'same-origin' });
  if (!r.ok) throw new Error((await r.text()).trim());
  return r.json();
}

/**
 * Lets the server do something. What takes long is told, and can be stopped.
 * @param {string} what in words
 * @param {string} path
 * @param {BodyInit | null} [body]
 * @returns {Promise<any>}
 */
export async function write(what, path, body = null) {
  const stop = new AbortController();
  const wait = setTimeout(() => sayAll('', `${what} …`, h('button', { type: 'button', onclick: () => stop.abort() }, 'stop')), 300);
  try {
    const r = await fetch(`api/desk/${path}`, { method: 'POST', headers: writeHeaders(), body, signal: stop.signal, credentials: 'same-origin' });
    if (!r.ok) throw new Error((await r.text()).trim() || `${r.status}`);
    const done = await r.json();
    clearTimeout(wait);
    hush();
    return done;
  } catch (e) {
    const { name, message } = /** @type {Error} */ (e);
    const text = name === 'AbortError' ? `${what}: stopped` : `${what}: ${message}`;
    sayAll('bad', text);
    throw new Error(text);
  } finally {
    clearTimeout(wait);
  }
}

let hushing = 0;

/**
 * Says something at the foot of the page. Good news goes by itself.
 * @param {string} how "good", "bad" or nothing
 * @param {string} text
 * @param {...any} more
 */
export function sayAll(how, text, ...more) {
  clearTimeout(hushing);
  const el = byId('say');
  el.className = how;
  el.hidden = false;
  el.replaceChildren(h('span', {}, text), ...more, h('button', { type: 'button', 'aria-label': 'close', onclick: hush }, '×'));
  if (how === 'good') hushing = setTimeout(hush, 8000 + 40 * text.length);
}

/** Says nothing any more. */
export function hush() { byId('say').hidden = true; }
