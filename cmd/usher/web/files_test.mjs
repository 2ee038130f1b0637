// Holds the files of the page against those of a real system: the same random calls, the same answers and errors. What is kept is
// there again when it is loaded anew, also when that happens at any moment between two calls.
import real from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { Disk } from './disk.js';
import { filesOf } from './files.js';
import { memoryStore } from './store.js';

const calls = Number(process.argv[2]);
let seed = Number(process.argv[3]);
const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return Math.floor(seed / 65536) % n; };
const pick = (list) => list[random(list.length)];
const path = () => [...Array(1 + random(3))].map(() => pick(['a', 'b', 'c', 'd'])).join('/');
const root = real.mkdtempSync(join(tmpdir(), 'usher-files-'));
const store = memoryStore();
const newDisk = async () => { const d = new Disk(store, 'files'); await d.load(); return d; };
let disk = await newDisk();
let fs = filesOf(disk, () => '/files');
const ours = (name, ...args) => new Promise((ok, bad) => { fs[name](...args, (e, x) => (e ? bad(e) : ok(x))); });

/** Does the same with both and holds the answers against each other. */
async function both(what, mine, theirs) {
  const answers = [];
  for (const act of [mine, theirs]) {
    try { answers.push(JSON.stringify(await act() ?? null)); } catch (e) { answers.push(e.code === 'EPERM' || e.code === 'EISDIR' ? 'folder' : e.code || String(e)); }
  }
  if (answers[0] !== answers[1]) throw new Error(`${what}: ${answers[0]}, a real system says ${answers[1]}`);
}

const told = (s) => ({ folder: s.isDirectory(), size: s.isDirectory() ? 0 : s.size, names: s.isDirectory() ? 1 : s.nlink });
const acts = {
  write: (p) => {
    const flags = pick([1 | 64, 1 | 64 | 512, 1 | 64 | 128, 2 | 64, 1 | 64 | 1024, 1]);
    const bytes = Uint8Array.from({ length: random(40) }, () => random(256));
    const at = flags & 1024 ? null : pick([null, random(60)]);
    const native = [[1, real.constants.O_WRONLY], [2, real.constants.O_RDWR], [64, real.constants.O_CREAT], [128, real.constants.O_EXCL], [512, real.constants.O_TRUNC], [1024, real.constants.O_APPEND]]
      .reduce((all, [bit, flag]) => all | (flags & bit ? flag : 0), 0);
    return [async () => { const n = await ours('open', p, flags, 0o666); await ours('write', n, bytes, 0, bytes.length, at); await ours('fsync', n); await ours('close', n); },
      () => { const n = real.openSync(join(root, p), native); real.writeSync(n, bytes, 0, bytes.length, at); real.closeSync(n); }];
  },
  read: (p) => {
    const from = pick([null, random(60)]);
    return [async () => { const b = new Uint8Array(50); const n = await ours('open', p, 0, 0); const done = await ours('read', n, b, 0, 50, from).finally(() => ours('close', n)); return [done, [...b]]; },
      () => { const b = new Uint8Array(50); const n = real.openSync(join(root, p), 'r'); try { return [real.readSync(n, b, 0, 50, from), [...b]]; } finally { real.closeSync(n); } }];
  },
  stat: (p) => [async () => told(await ours('stat', p)), () => told(real.statSync(join(root, p)))],
  readdir: (p) => [async () => (await ours('readdir', p)).sort(), () => real.readdirSync(join(root, p)).sort()],
  mkdir: (p) => [() => ours('mkdir', p, 0o777), () => real.mkdirSync(join(root, p))],
  rmdir: (p) => [() => ours('rmdir', p), () => real.rmdirSync(join(root, p))],
  unlink: (p) => [() => ours('unlink', p), () => real.unlinkSync(join(root, p))],
  truncate: (p) => { const size = random(60); return [() => ours('truncate', p, size), () => real.truncateSync(join(root, p), size)]; },
  rename: (p) => { const to = path(); return [() => ours('rename', p, to), () => real.renameSync(join(root, p), join(root, to))]; },
  link: (p) => { const to = path(); return [() => ours('link', p, to), () => real.linkSync(join(root, p), join(root, to))]; },
};

/** All that is there, with its bytes. */
function realTree(at = '') {
  return real.readdirSync(join(root, at)).sort().flatMap((name) => {
    const p = at ? `${at}/${name}` : name;
    return real.statSync(join(root, p)).isDirectory() ? [p, ...realTree(p)] : [`${p} ${real.readFileSync(join(root, p)).toString('hex')}`];
  });
}
async function ourTree(at = '') {
  const list = [];
  for (const name of (await ours('readdir', at || '.')).sort()) {
    const p = at ? `${at}/${name}` : name;
    const s = await ours('stat', p);
    if (s.isDirectory()) { list.push(p, ...await ourTree(p)); continue; }
    const n = await ours('open', p, 0, 0);
    const b = new Uint8Array(s.size);
    await ours('read', n, b, 0, b.length, 0);
    await ours('close', n);
    list.push(`${p} ${Buffer.from(b).toString('hex')}`);
  }
  return list;
}

const counts = {};
for (let i = 0; i < calls; i++) {
  const name = pick(Object.keys(acts));
  const p = path();
  const [mine, theirs] = acts[name](p);
  await both(`${i}: ${name} ${p}`, mine, theirs);
  counts[name] = (counts[name] || 0) + 1;
  if (random(200) !== 0) continue;
  disk.sync(); // as a page that is closed and opened again
  disk = await newDisk();
  fs = filesOf(disk, () => '/files');
  const [a, b] = [await ourTree(), realTree()];
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${i}: loaded anew: ${a.join(', ')}, not ${b.join(', ')}`);
}
const names = await store.names();
real.rmSync(root, { recursive: true });
console.log(JSON.stringify({ counts, kept: names.length }));
process.exit(0);
