// Makes meshopt.json: packed views of every mode, filter and version, with what they hold. It runs where the npm
// package meshoptimizer is installed: node meshopt.mjs > meshopt.json
import { MeshoptEncoder as pack, MeshoptDecoder as unpack } from 'meshoptimizer';
import { createHash } from 'node:crypto';

await pack.ready;
await unpack.ready;

let seed = 1;
const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const bytes = (a) => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
const vectors = [];

// add records a packed view; what a filter makes is stored, since its rounding is free to one unit.
function add(name, mode, filter, count, stride, packed) {
  const target = new Uint8Array(count * stride);
  unpack.decodeGltfBuffer(target, count, stride, packed, mode, filter);
  const v = { name, mode, filter, count, stride, packed: Buffer.from(packed).toString('base64') };
  if (filter === 'NONE' || filter === 'EXPONENTIAL') v.sha256 = createHash('sha256').update(target).digest('hex');
  else v.bytes = Buffer.from(target).toString('base64');
  vectors.push(v);
}

// kinds of data: what each byte of element i is
const kinds = {
  zeros: () => 0,
  same: (i, k) => 17 * k,
  smooth: (i, k) => (k % 4 < 2 ? (i * (k + 1)) >> (8 * (k & 1)) : 0),
  small: () => Math.floor(random() * 3),
  noise: () => Math.floor(random() * 256),
  rare: (i) => (i % 37 === 5 ? Math.floor(random() * 256) : 1),
};
for (const version of [0, 1]) {
  for (const [kind, f] of Object.entries(kinds)) {
    for (const [count, stride] of [[1, 4], [15, 8], [16, 12], [17, 16], [255, 4], [256, 8], [257, 12], [300, 20], [700, 4], [70, 64], [40, 256]]) {
      if (kind === 'noise' && count * stride > 600) continue;
      const data = new Uint8Array(count * stride);
      for (let i = 0; i < data.length; i++) data[i] = f(Math.floor(i / stride), i % stride);
      for (const level of version ? [0, 3] : [2]) {
        add(`${kind} ${count} x ${stride} v${version} l${level}`, 'ATTRIBUTES', 'NONE', count, stride, pack.encodeVertexBufferLevel(data, count, stride, level, version));
      }
    }
  }
  const wave = new Float32Array(600).map((_, i) => Math.sin(i / 40) * 3);
  for (const level of version ? [0, 1, 2, 3] : [2]) {
    add(`floats v${version} l${level}`, 'ATTRIBUTES', 'NONE', 200, 12, pack.encodeVertexBufferLevel(bytes(wave), 200, 12, level, version));
    const words = new Uint16Array(1200).map((_, i) => 30000 + 900 * Math.sin(i / 90 + (i % 4)));
    add(`words v${version} l${level}`, 'ATTRIBUTES', 'NONE', 300, 8, pack.encodeVertexBufferLevel(bytes(words), 300, 8, level, version));
  }
}

const side = 17;
const grid = [];
for (let y = 0; y + 1 < side; y++) {
  for (let x = 0; x + 1 < side; x++) {
    const a = y * side + x;
    grid.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
  }
}
const shuffled = grid.map((_, i) => grid[(Math.floor(i / 3) * 211 * 3 + (i % 3)) % grid.length]);
const order = pack.reorderMesh(new Uint32Array(grid), true, true)[0];
const renamed = new Uint32Array(grid).map((x) => order[x]);
const chaos = new Uint32Array(300).map(() => random() * 100000);
const twice = new Uint32Array([...renamed, ...renamed]);
for (const [name, list] of Object.entries({ grid: new Uint32Array(grid), shuffled: new Uint32Array(shuffled), renamed, chaos, twice, none: new Uint32Array(0), one: new Uint32Array([0, 1, 2]), far: new Uint32Array([4294967294, 7, 1]) })) {
  for (const size of [2, 4]) {
    const data = size === 2 ? new Uint16Array(list) : list;
    if (list.length % 3 === 0 && list.length > 0) add(`${name} of ${size}`, 'TRIANGLES', 'NONE', list.length, size, pack.encodeIndexBuffer(bytes(data), list.length, size));
    if (list.length > 0 && name !== 'far') add(`${name} of ${size}`, 'INDICES', 'NONE', list.length, size, pack.encodeIndexSequence(bytes(data), list.length, size));
  }
}

const units = new Float32Array(4 * 40);
const turns = new Float32Array(4 * 40);
const colours = new Float32Array(4 * 40);
const wide = new Float32Array(3 * 40);
for (let i = 0; i < 40; i++) {
  const v = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const l = Math.hypot(v[0], v[1], v[2]), m = Math.hypot(...v);
  units.set([v[0] / l, v[1] / l, v[2] / l, i % 2 ? 1 : -1], 4 * i);
  turns.set(v.map((x) => x / m), 4 * i);
  colours.set([random(), random(), random(), i % 3 / 2], 4 * i);
  wide.set([v[0] * 1e6, v[1] * 1e-6, v[2]], 3 * i);
}
for (const version of [0, 1]) {
  const attributes = (data, stride) => pack.encodeGltfBuffer(data, 40, stride, 'ATTRIBUTES', version);
  for (const [stride, bits] of [[4, 8], [4, 5], [8, 16], [8, 10]]) {
    add(`units ${bits} v${version}`, 'ATTRIBUTES', 'OCTAHEDRAL', 40, stride, attributes(pack.encodeFilterOct(units, 40, stride, bits), stride));
    add(`colours ${bits} v${version}`, 'ATTRIBUTES', 'COLOR', 40, stride, attributes(pack.encodeFilterColor(colours, 40, stride, bits), stride));
  }
  for (const bits of [16, 10, 4]) add(`turns ${bits} v${version}`, 'ATTRIBUTES', 'QUATERNION', 40, 8, attributes(pack.encodeFilterQuat(turns, 40, 8, bits), 8));
  for (const mode of ['Separate', 'SharedVector', 'SharedComponent', 'Clamped']) add(`floats ${mode} v${version}`, 'ATTRIBUTES', 'EXPONENTIAL', 40, 12, attributes(pack.encodeFilterExp(wide, 40, 12, 15, mode), 12));
}
console.log('[\n' + vectors.map((v) => JSON.stringify(v)).join(',\n') + '\n]');
