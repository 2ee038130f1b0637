// @ts-check
// In place of a server: what static pages bring along. The list of nodes is in data/list.js, what belongs to a node in a
// folder of its own, so that a page that was opened from disk can load it as a script.

/** @typedef {import('./source.js').Row & {parent: number, folded: string, family: string, partOf?: boolean, children: number[]}} SiteRow */

/** @type {SiteRow[]} */
const siteRows = /** @type {any} */ (globalThis).usherRows;
/** @type {Map<number, SiteRow>} */
const siteNodes = new Map();
/** @type {number[]} */
const siteRoots = [];
for (const r of siteRows) {
  r.children = [];
  siteNodes.set(r.id, r);
}
for (const r of siteRows) {
  const parent = siteNodes.get(r.parent);
  if (parent) parent.children.push(r.id);
  else siteRoots.push(r.id);
}
for (const r of siteRows) if (r.children.length) r.count = r.children.length;

/** @type {Map<string, any>} */
const siteValues = new Map();
/** @type {Map<string, Promise<void>>} */
const siteLoads = new Map();

/** @type {Map<string, Uint8Array>} */
const siteBytes = new Map();

/** Takes what a script of a node has brought. */
/** @type {any} */ (globalThis).usherGot = (/** @type {string} */ path, /** @type {any} */ value) => siteValues.set(path, value);

/**
 * Loads a script of a node, once: bytes.js has the stored bytes and their fields, node.js all else.
 * @param {number} id
 * @param {string} [name]
 */
function loadSiteNode(id, name = 'node.js') {
  const src = `data/${id}/${name}`;
  let p = siteLoads.get(src);
  if (!p) {
    p = new Promise((ok, bad) => {
      const s = document.createElement('script');
      s.src = src;
      s.onload = () => ok();
      s.onerror = () => bad(new Error('it is not among these pages'));
      document.head.append(s);
    });
    siteLoads.set(src, p);
  }
  return p;
}

// The kinds in the order in which they are shown.
const siteKinds = ['map', 'model', 'animation', 'texture', 'sound', 'table', 'text', 'archive', 'raw'];

/** @param {SiteRow} r */
const siteSort = (r) => (r.map ? 'map' : r.kind);

/** @param {SiteRow} r */
const siteLeaf = (r) => r.place === 'file' || r.place === 'entry';

/** Whether a node has a picture of its own. @param {SiteRow} r */
const sitePictured = (r) => ['model', 'texture', 'sound'].includes(r.kind) && !r.partOf;

/**
 * How many there are of each kind.
 * @param {SiteRow[]} rows
 */
function siteCounts(rows) {
  return siteKinds.map((kind) => ({ kind, count: rows.filter((r) => siteSort(r) === kind).length })).filter((k) => k.count > 0);
}

/**
 * All leaves at and below a node.
 * @param {number} id
 * @returns {SiteRow[]}
 */
function siteBelow(id) {
  const r = /** @type {SiteRow} */ (siteNodes.get(id));
  return [...(siteLeaf(r) ? [r] : []), ...r.children.flatMap(siteBelow)];
}

/** @param {SiteRow[]} rows */
const siteOrder = (rows) => rows.slice().sort((a, b) => siteKinds.indexOf(siteSort(a)) - siteKinds.indexOf(siteSort(b)));

/**
 * What there is below a node, as the server would send it.
 * @param {number} id
 */
function homeOfSite(id) {
  const all = siteBelow(id);
  const names = [...new Set(all.map((r) => r.family))].sort();
  const folders = /** @type {SiteRow} */ (siteNodes.get(id)).children.map((c) => /** @type {SiteRow} */ (siteNodes.get(c))).filter((r) => !siteLeaf(r));
  return {
    busy: false, families: names.map((name) => ({ name, kinds: siteCounts(all.filter((r) => r.family === name)) })), kinds: siteCounts(all.filter(sitePictured)),
    folders: folders.map((r) => {
      const inner = siteBelow(r.id);
      return { id: r.id, name: r.name, place: r.place, kinds: siteCounts(inner), pictures: siteOrder(inner.filter(sitePictured)).slice(0, 4).map((x) => x.id) };
    }),
  };
}

/**
 * The lines of the tree that are asked for, as the server would send them.
 * @param {URLSearchParams} q
 */
function listSite(q) {
  const words = (q.get('q') || '').toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = (q.get('kind') || '').split(',').filter(Boolean);
  const format = q.get('format') || '';
  const flat = q.has('flat');
  const drawn = q.has('drawn');
  const open = new Set((q.get('open') || '').split('.').map((s) => parseInt(s, 36)));
  const narrow = words.length > 0 || kinds.length > 0 || format !== '';
  const match = (/** @type {SiteRow} */ r) => !(drawn && !sitePictured(r)) && (!format || r.format === format)
    && (!kinds.length || kinds.includes(siteSort(r))) && words.every((w) => r.folded.includes(w));
  /** @type {import('./source.js').Row[]} */
  const rows = [];
  /** @returns {boolean} */
  const walk = (/** @type {number} */ id, /** @type {number} */ depth) => {
    const r = /** @type {SiteRow} */ (siteNodes.get(id));
    if (flat) {
      if (siteLeaf(r) && match(r)) rows.push({ ...r, depth: 0 });
      if (drawn && siteLeaf(r) && !kinds.length) return true;
      for (const c of r.children) walk(c, 0);
      return true;
    }
    const at = rows.length;
    rows.push({ ...r, depth, open: narrow || open.has(id) });
    const named = siteLeaf(r) || (r.place === 'archive' && !kinds.length && !format);
    let wanted = !narrow || (named && match(r));
    if (narrow || open.has(id)) for (const c of r.children) wanted = walk(c, depth + 1) || wanted;
    if (!wanted) rows.length = at;
    return wanted;
  };
  for (const id of q.has('under') ? [Number(q.get('under'))] : siteRoots) walk(id, 0);
  /** @type {Record<string, number>} */
  const kindCounts = {};
  /** @type {Record<string, number>} */
  const formatCounts = {};
  if (drawn) rows.splice(0, rows.length, .../** @type {any[]} */ (siteOrder(/** @type {any[]} */ (rows))));
  for (const r of siteRows.filter(siteLeaf)) {
    kindCounts[siteSort(r)] = (kindCounts[siteSort(r)] || 0) + 1;
    if (r.format) formatCounts[r.format] = (formatCounts[r.format] || 0) + 1;
  }
  const from = Number(q.get('from') || 0);
  return { total: rows.length, from, rows: rows.slice(from, from + Number(q.get('count') || 200)), busy: false, kinds: kindCounts, formats: formatCounts };
}

/** @param {string} path */
async function siteValue(path) {
  const m = path.match(/^api\/(\w+)\/(\d+)/);
  if (!m) throw new Error(`static pages have no ${path}`);
  await loadSiteNode(Number(m[2]), m[1] === 'bytes' || m[1] === 'spans' ? 'bytes.js' : 'node.js');
  const value = siteValues.get(path.replace(/\?.*/, ''));
  if (value === undefined) throw new Error(`static pages have no ${path}`);
  return value;
}

/** @type {any} */ (globalThis).usherSite = {
  still: true,
  json: async (/** @type {string} */ path) => {
    if (path.startsWith('api/list')) return listSite(new URLSearchParams(path.replace(/^[^?]*\??/, '')));
    if (path === 'api/changes') return { comparing: false };
    if (path.startsWith('api/home/')) return homeOfSite(Number(path.split('/')[2]));
    const value = await siteValue(path);
    if (!path.startsWith('api/spans')) return value;
    const q = new URLSearchParams(path.replace(/^[^?]*\??/, ''));
    const from = Number(q.get('from'));
    const to = from + Number(q.get('count'));
    return { ...value, spans: value.spans.filter((/** @type {{offset: number, size: number}} */ s) => s.offset < to && s.offset + s.size > from) };
  },
  range: async (/** @type {number} */ id, /** @type {number} */ from, /** @type {number} */ count) => {
    const path = `api/bytes/${id}`;
    let all = siteBytes.get(path);
    if (!all) siteBytes.set(path, (all = Uint8Array.from(atob(await siteValue(path)), (c) => c.charCodeAt(0))));
    return all.subarray(from, from + count);
  },
  bytes: async (/** @type {string} */ path) => Uint8Array.from(atob(await siteValue(path)), (c) => c.charCodeAt(0)).buffer,
  url: (/** @type {string} */ path) => {
    const [, what, id, rest] = /** @type {string[]} */ (path.match(/^api\/(\w+)\/(\d+)(.*)$/));
    if (what === 'thumb') return `data/${id}/${rest.includes('512') ? 'poster' : 'thumb'}.png`;
    if (what === 'sound') return `data/${id}/sound.wav`;
    if (what === 'image') {
      const q = new URLSearchParams(rest.slice(1));
      return `data/${id}/image-${q.get('frame')}-${q.get('face')}.png`;
    }
    const saves = siteValues.get(`api/node/${id}`)?.saves || [];
    const saved = saves.find((/** @type {{as: string}} */ s) => `/${s.as}` === rest);
    return saved ? `data/${id}/${encodeURIComponent(saved.name)}` : '';
  },
};
