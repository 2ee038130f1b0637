// @ts-check
// The page where it runs without a server: first what stands in its place, then the page itself.
import { hush, sayAll, write } from './writer.js';
import { download, filesOfDrop, handOut } from './transfer.js';
import { remembered } from './folders.js';

/** @returns {Promise<ServiceWorkerContainer>} */
async function installed() {
  if (!navigator.serviceWorker) throw new Error('the browser has no service workers here: they need https, or localhost, and no private window in some browsers');
  const services = navigator.serviceWorker;
  await services.register('service.js', { updateViaCache: 'none' });
  const { active } = await services.ready;
  if (!services.controller) {
    const taken = new Promise((ok) => { services.addEventListener('controllerchange', ok, { once: true }); });
    active?.postMessage({ claim: true });
    await taken;
  }
  return services;
}

const had = 'usher-had'; // whether this tab had the program before it was loaded again

/**
 * Starts the program in a worker, or waits until it is this tab's turn. It tells whether this tab has it.
 * @param {ServiceWorkerContainer} services
 * @returns {Promise<boolean>}
 */
function begin(services) {
  const worker = new Worker('worker.js', { type: 'module', name: sessionStorage.getItem(had) ? 'again' : '' });
  let mine = false;
  let told = false;
  const tell = () => services.controller?.postMessage({ mine });
  services.addEventListener('message', ({ data, ports }) => {
    if (data.who) { if (mine) tell(); return; }
    worker.postMessage(data, [...ports, ...(data.asked.body ? [data.asked.body.buffer] : [])]); // handed on, not copied
  });
  services.startMessages();
  return new Promise((ok, bad) => {
    worker.onerror = (e) => bad(new Error(e.message));
    worker.onmessage = ({ data }) => {
      if (data.failed) bad(new Error(data.failed));
      if (data.mine && told) location.reload(); // the tab that had it was closed: it counts anew
      told = true;
      mine = Boolean(data.mine);
      sessionStorage.setItem(had, mine ? 'yes' : '');
      if (mine) tell();
      ok(mine);
    };
  });
}

/**
 * Has the tab that is at work do something; this one may be another.
 * @param {string} act
 * @param {any} asked
 */
async function work(act, asked) {
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((ok) => { port1.onmessage = ({ data }) => ok(data); });
  navigator.serviceWorker.controller?.postMessage({ act, asked }, [port2]);
  const { result, error } = await done;
  if (error) throw new Error(error);
  return result;
}

/** What all tabs are told. */
function events() {
  const target = new EventTarget();
  new BroadcastChannel('usher').onmessage = ({ data }) => { target.dispatchEvent(new MessageEvent(data.event, { data: data.data })); };
  return target;
}

/**
 * Takes files in, and returns what they are found by: the first of them, or their folder.
 * @param {import('./source.js').Taken[]} files
 */
async function take(files) {
  if (!files.length) return '';
  navigator.storage?.persist?.(); // else a browser that needs room may throw it away
  if (!await work('take', files)) sayAll('bad', 'The browser keeps no files for this page: save before you close it.');
  return files[0].path;
}

// The browser would ask the server for these addresses itself, and there is none.
addEventListener('click', (e) => {
  const a = /** @type {HTMLElement} */ (e.target).closest?.('a[download]');
  const address = a?.getAttribute('href') || '';
  if (!address.startsWith('api/')) return;
  e.preventDefault();
  download(address, a?.getAttribute('download') || '').catch((bad) => sayAll('bad', bad.message));
});

/** Opens a folder where it lies, in browsers that can do that; what is saved goes into it. */
async function openFolder() {
  const folder = await /** @type {any} */ (globalThis).showDirectoryPicker({ mode: 'readwrite' }).catch(() => null); // nobody wants to
  if (folder) await mount(folder);
  return folder?.name || '';
}

/** @param {any} folder */
async function mount(folder) {
  sayAll('', `reading ${folder.name} …`);
  await work('mount', folder).finally(hush);
}

/**
 * Folders of the last time, which the browser opens again when somebody asks for it.
 * @returns {Promise<[string, () => Promise<string>][]>}
 */
async function lastFolders() {
  const list = [];
  for (const [name, folder] of await remembered()) {
    if (await folder.queryPermission({ mode: 'readwrite' }) === 'granted') continue;
    list.push([name, async () => {
      if (await folder.requestPermission({ mode: 'readwrite' }) !== 'granted') return '';
      await mount(folder);
      return name;
    }]);
  }
  return /** @type {any} */ (list);
}

/**
 * Puts what was saved where it belongs: into the folder that it is of, or out of the browser.
 * @param {string} path
 */
async function putOut(path) { if (!await work('putOut', path)) await handOut(path); }

/** @type {any} */ (globalThis).usherWeb = {
  events: events(), filesOf: filesOfDrop, take, putOut, look: (/** @type {string} */ path) => work('look', path),
  close: (/** @type {string} */ name) => work('close', name), openFolder: 'showDirectoryPicker' in globalThis ? openFolder : undefined, lastFolders,
};

const placeKept = 'usher-at'; // what this tab shows: its number is another one when the program is started again

/**
 * Goes back to what the tab has shown before it was loaded again.
 * @param {boolean} anew whether the program was started with it, and numbers what there is anew
 */
async function goBack(anew) {
  const at = sessionStorage.getItem(placeKept);
  if (!at && !anew) return;
  const view = new URLSearchParams(location.hash.slice(1)).get('v');
  const { node } = at ? await write('finding what was shown', `found?name=${encodeURIComponent(at)}`).catch(() => ({ node: -1 })) : { node: -1 };
  history.replaceState(null, '', node < 0 ? location.pathname : `#n=${node}${view ? `&v=${view}` : ''}`);
}

addEventListener('entered', (e) => sessionStorage.setItem(placeKept, /** @type {CustomEvent} */ (e).detail));

try {
  sayAll('', navigator.serviceWorker?.controller ? 'usher is starting …' : 'usher is being loaded: once, then it works without a network');
  await goBack(await begin(await installed()));
  await import('./main.js');
  hush();
} catch (e) {
  sayAll('bad', `usher does not start: ${/** @type {Error} */ (e).message}`);
}
