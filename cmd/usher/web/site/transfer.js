// @ts-check
// In and out: what is dropped or chosen comes in, what is saved goes out as a download.
import { h } from './dom.js';

/** @typedef {import('./source.js').Taken} Taken */

/**
 * The files of what was dropped, with those of its folders.
 * @param {DataTransfer} dropped
 * @returns {Promise<Taken[]>}
 */
export async function filesOfDrop(dropped) {
  const entries = [...dropped.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean); // gone when the event is over
  if (!entries.length) return [...dropped.files].map((file) => ({ path: file.name, file }));
  const lists = await Promise.all(entries.map((e) => below(e, '')));
  return lists.flat();
}

/**
 * @param {any} entry
 * @param {string} above
 * @returns {Promise<Taken[]>}
 */
async function below(entry, above) {
  const path = above + entry.name;
  if (entry.isFile) return [{ path, file: await new Promise((ok, bad) => { entry.file(ok, bad); }) }];
  const reader = entry.createReader();
  const list = [];
  for (;;) { // it tells of some at a time
    const some = await new Promise((ok, bad) => { reader.readEntries(ok, bad); });
    if (!some.length) break;
    for (const e of some) list.push(...await below(e, `${path}/`));
  }
  return list;
}

/**
 * Gives bytes to the browser, to be kept where its user wants them.
 * @param {string} address
 * @param {string} name
 */
export async function download(address, name) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const named = answer.headers.get('Content-Disposition')?.match(/filename="?([^";]+)/)?.[1];
  const url = URL.createObjectURL(await answer.blob());
  const a = h('a', { href: url, download: name || named || 'usher' });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/**
 * Hands out what was saved; a folder as a ZIP.
 * @param {string} path
 */
export function handOut(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return download(`api/web/out?path=${encodeURIComponent(path)}`, name.endsWith('.patch') ? `${name}.zip` : name);
}
