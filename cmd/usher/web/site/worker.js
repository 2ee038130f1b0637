// @ts-check
// The program at work: beside the page, so that the page never waits. Of several tabs one has it, the others ask that one.
import './wasm_exec.js';
import { openStore } from './store.js';
import { Disk, steps } from './disk.js';
import { filesOf } from './files.js';
import { Folders } from './folders.js';

const folder = 'files'; // what is opened lies there
const home = `/${folder}`;
const all = /** @type {any} */ (globalThis);
const pages = new BroadcastChannel('usher');

/**
 * @typedef {object} Asked what is asked of the program
 * @property {string} method
 * @property {string} url
 * @property {[string, string][]} headers
 * @property {Uint8Array | null} body
 */

/** Starts the program, over what was kept. */
async function start() {
  const store = await openStore();
  const disk = new Disk(store, folder);
  await disk.load();
  disk.failed = (e) => tell('failed', { what: 'keeping files in the browser', error: e.message });
  disk.root.inner?.set('tmp', disk.folder());
  const folders = new Folders(disk, folder);
  await folders.restore();
  all.fs = filesOf(disk, () => home);
  all.process = {
    pid: 1, ppid: 1, cwd: () => home, chdir() {}, umask: () => 0o22, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
  };
  all.path = { resolve: (/** @type {string} */ path) => (path.startsWith('/') ? path : `${home}/${path}`) };
  const go = new all.Go();
  go.argv = ['usher'];
  go.env = { TMPDIR: '/tmp', HOME: '/tmp' };
  const ready = new Promise((ok) => { all.usherReady = ok; });
  const { instance } = await instantiate(go.importObject);
  go.run(instance).then(() => tell('failed', { what: 'usher', error: 'it has ended: load the page again' }));
  return { disk, folders, store, serve: await ready };
}

/** @param {any} imports */
async function instantiate(imports) {
  const answer = await fetch('usher.wasm');
  if (!answer.ok) throw new Error(`usher.wasm: ${answer.status}`);
  if (answer.headers.get('Content-Type') === 'application/wasm') return WebAssembly.instantiateStreaming(answer, imports);
  return WebAssembly.instantiate(await answer.arrayBuffer(), imports);
}

/**
 * Tells all pages what happens.
 * @param {string} event
 * @param {any} value
 */
function tell(event, value) { pages.postMessage({ event, data: JSON.stringify(value) }); }

/** @typedef {Awaited<ReturnType<typeof start>>} Program */

/**
 * Lets the program answer, piece by piece: first how, then bytes, at the end nothing.
 * @param {Program} program
 * @param {Asked} asked
 * @param {MessagePort} port
 */
function answer(program, asked, port) {
  const running = {
    ...asked,
    stop: () => {},
    begin: (/** @type {number} */ status, /** @type {[string, string][]} */ headers) => port.postMessage({ status, headers }),
    more: (/** @type {Uint8Array} */ b) => port.postMessage(b, [b.buffer]),
    end() {
      running.stop = () => {};
      if (asked.method === 'POST') program.disk.sync(); // what is done outlives the page
      port.postMessage(null);
    },
  };
  program.serve(running);
  port.onmessage = () => running.stop();
}

/**
 * Passes on what the program tells all pages.
 * @param {Program} program
 */
function listen(program) {
  program.serve({
    method: 'GET', url: '/api/events', headers: [], body: null, begin() {}, end() {},
    more(/** @type {Uint8Array} */ b) {
      for (const m of new TextDecoder().decode(b).matchAll(/^event: (.*)\ndata: (.*)\n/gm)) pages.postMessage({ event: m[1], data: m[2] });
    },
  });
}

const few = 16 << 20; // bytes that are copied before anybody could close the page

/**
 * Takes files into the folder, and copies them, so that they are there the next time. Large ones can be read meanwhile.
 * @param {Program} program
 * @param {{path: string, file: File}[]} files
 */
async function take(program, files) {
  for (const { path, file } of files) program.disk.lend([folder, ...steps(path)], file);
  const kept = keep(program, files.map((f) => f.path));
  if (files.reduce((size, { file }) => size + file.size, 0) > few) return;
  await kept;
  try { program.disk.sync(); } catch (e) { program.disk.failed(e); }
}

/**
 * @param {Program} program
 * @param {string[]} paths
 */
async function keep(program, paths) {
  for (const path of paths) {
    const place = program.disk.find([folder, ...steps(path)]);
    if (!place) continue;
    await program.disk.keep(place).catch((e) => tell('failed', { what: path, error: `it is not here any more when the page is closed: the browser does not keep it (${e.message})` }));
  }
}

/**
 * What pages ask for that is not the program's: the answer is one message.
 * @type {Record<string, (program: Program, asked: any) => any>}
 */
const acts = {
  take: (p, files) => take(p, files).then(() => p.store.lasts),
  mount: (p, handle) => p.folders.mount(handle),
  look: (p, path) => p.folders.look(path),
  putOut: (p, path) => p.folders.putOut(path),
  close: (p, name) => p.folders.close(name),
};

/**
 * @param {Program} program
 * @param {{act: string, asked: any}} data
 * @param {MessagePort} port
 */
async function act(program, data, port) {
  if (data.act === 'answer') { answer(program, data.asked, port); return; }
  try {
    port.postMessage({ result: await acts[data.act](program, data.asked) });
  } catch (e) {
    port.postMessage({ error: /** @type {Error} */ (e).message });
  }
}

/** Has the program at work until the page is closed. */
async function run() {
  postMessage({ mine: true });
  const starting = start();
  onmessage = async ({ data, ports }) => act(await starting, data, ports[0]);
  listen(await starting);
  await new Promise(() => {});
}

const { locks } = navigator;

/** Waits until the tab that has it is closed. */
function wait() {
  postMessage({ mine: false });
  return locks.request('usher', run);
}

const patience = 2000; // milliseconds that a tab which is loaded again waits for what it was before to end
const how = all.name === 'again' ? { signal: AbortSignal.timeout(patience) } : { ifAvailable: true };
locks.request('usher', how, (/** @type {any} */ lock) => (lock ? run() : wait()))
  .catch((e) => { if (e.name !== 'TimeoutError') throw e; return wait(); })
  .catch((e) => postMessage({ failed: String(e.message || e) }));
