// The page without a server: its own files come from the browser's cache, and what the page asks of usher goes to the tab that
// has it at work. Nothing goes out but for the files themselves, once for each version.
importScripts('parts.js'); // usherParts: the version, and the names of the files

const cacheName = `usher-${self.usherParts.version}`;
const base = new URL(self.registration.scope);
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' blob:; media-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

self.addEventListener('install', (e) => {
  e.waitUntil(caches.open(cacheName).then((c) => c.addAll(self.usherParts.files.map((f) => new Request(f, { cache: 'no-cache' })))));
});

self.addEventListener('activate', (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('usher-') && name !== cacheName) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener('fetch', (e) => {
  const url = new URL(e.request.url);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
  const path = url.pathname.slice(base.pathname.length);
  e.respondWith(path.startsWith('api/') ? ask(e.request, `/${path}${url.search}`) : own(e.request, path || 'index.html'));
});

/** Answers with a file of the page itself. */
async function own(request, path) {
  const kept = await caches.match(new URL(path, base).href, { cacheName });
  if (!kept) return beside(request, path);
  if (kept.headers.get('Content-Type') === 'application/wasm') return kept; // as it came, so that the browser keeps what it compiles
  const headers = new Headers(kept.headers);
  headers.set('Content-Security-Policy', policy); // for the worker, which has none of its own
  if (path.endsWith('.wasm')) headers.set('Content-Type', 'application/wasm'); // not every server knows it
  return new Response(kept.body, { headers });
}

/** Answers with what lies beside the page. What is known of the formats may be there or not: without it the page shows no links. */
async function beside(request, path) {
  const answer = await fetch(request);
  return !answer.ok && /^formats\/.*\.json$/.test(path) ? new Response(null, { status: 204 }) : answer;
}

let tab = ''; // the one that has usher at work
let heard = () => {};

self.addEventListener('message', (e) => {
  if (e.data.claim) self.clients.claim();
  if (e.data.mine) { tab = e.source.id; heard(); }
  if (e.data.act) e.waitUntil(worker().then((to) => to.postMessage(e.data, e.ports)));
});

/** Finds the tab that has usher at work. This script is ended and begun as the browser likes, and has to ask again then. */
async function worker() {
  for (;;) {
    const known = tab && await self.clients.get(tab);
    if (known) return known;
    for (const c of await self.clients.matchAll({ type: 'window' })) c.postMessage({ who: true });
    await new Promise((ok) => { heard = ok; setTimeout(ok, 200); });
  }
}

/** Has usher answer a request, and passes the answer on as it comes. */
async function ask(request, url) {
  const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : null;
  const to = await worker();
  const { port1, port2 } = new MessageChannel();
  const stop = () => port1.postMessage('stop');
  request.signal.addEventListener('abort', stop);
  return new Promise((answer) => {
    let out;
    port1.onmessage = ({ data }) => {
      if (data === null) { out?.close(); port1.close(); return; }
      if (!data.status) { out?.enqueue(data); return; }
      const empty = data.status === 204 || data.status === 304 || request.method === 'HEAD';
      const stream = empty ? null : new ReadableStream({ start(c) { out = c; }, cancel() { out = null; stop(); } });
      answer(new Response(stream, { status: data.status, headers: data.headers }));
    };
    to.postMessage({ act: 'answer', asked: { method: request.method, url, headers: [...request.headers], body } }, body ? [port2, body.buffer] : [port2]);
  });
}
