// @ts-check
// Reads a GLB: the container, and what its accessors hold.

/**
 * @typedef {object} Glb
 * @property {any} json
 * @property {Uint8Array} bin
 * @property {Map<string, Values>} read what accessors hold: those that use one share it
 */

/**
 * @typedef {object} Values
 * @property {Float32Array | Uint32Array} data
 * @property {number} size components of one
 * @property {number} count
 */

/**
 * @param {ArrayBuffer} buffer
 * @returns {Glb}
 */
export function parseGLB(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error('this is no GLB');
  let json = null;
  let bin = new Uint8Array(0);
  for (let at = 12; at + 8 <= buffer.byteLength;) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > buffer.byteLength) throw new Error('the GLB ends too early');
    const bytes = new Uint8Array(buffer, at + 8, size);
    if (type === 0x4e4f534a) json = JSON.parse(new TextDecoder().decode(bytes));
    else if (type === 0x004e4942) bin = bytes;
    at += 8 + size + ((4 - (size % 4)) % 4);
  }
  if (!json) throw new Error('the GLB has no document');
  return { json, bin, read: new Map() };
}

/** @type {Record<number, {bytes: number, read: (v: DataView, at: number) => number, most: number}>} */
const componentTypes = {
  5120: { bytes: 1, read: (v, at) => v.getInt8(at), most: 127 },
  5121: { bytes: 1, read: (v, at) => v.getUint8(at), most: 255 },
  5122: { bytes: 2, read: (v, at) => v.getInt16(at, true), most: 32767 },
  5123: { bytes: 2, read: (v, at) => v.getUint16(at, true), most: 65535 },
  5125: { bytes: 4, read: (v, at) => v.getUint32(at, true), most: 4294967295 },
  5126: { bytes: 4, read: (v, at) => v.getFloat32(at, true), most: 1 },
};

/** @type {Record<string, number>} */
const componentCounts = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

/**
 * @param {Glb} glb
 * @param {number} index of a view of the buffer
 * @returns {Uint8Array}
 */
export function bufferView(glb, index) {
  const v = glb.json.bufferViews[index];
  return glb.bin.subarray(v.byteOffset || 0, (v.byteOffset || 0) + v.byteLength);
}

/**
 * Reads numbers into out.
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @param {number} stride
 * @param {number} type
 * @param {number} size
 * @param {number} count
 * @param {boolean} normalized
 * @param {Float32Array | Uint32Array} out
 */
function readNumbers(bytes, offset, stride, type, size, count, normalized, out) {
  const t = componentTypes[type];
  if (t === undefined || offset + (count - 1) * stride + size * t.bytes > bytes.length) throw new Error('an accessor is larger than its data');
  const start = bytes.byteOffset + offset;
  if (type === 5126 && stride === size * 4 && start % 4 === 0) {
    out.set(new Float32Array(bytes.buffer, start, size * count));
    return;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const f = normalized ? 1 / t.most : 1;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < size; k++) {
      const x = t.read(view, offset + i * stride + k * t.bytes);
      out[i * size + k] = normalized ? Math.max(-1, x * f) : x;
    }
  }
}

/**
 * Returns what an accessor holds: integers as they are where that is asked for, floats otherwise.
 * @param {Glb} glb
 * @param {number} index
 * @param {boolean} [integers]
 * @returns {Values}
 */
export function accessor(glb, index, integers) {
  const key = `${index} ${Boolean(integers)}`;
  const known = glb.read.get(key);
  if (known) return known;
  const a = glb.json.accessors[index];
  const size = componentCounts[a.type];
  const data = integers ? new Uint32Array(size * a.count) : new Float32Array(size * a.count);
  if (a.bufferView !== undefined && a.count > 0) {
    const v = glb.json.bufferViews[a.bufferView];
    const stride = v.byteStride || size * componentTypes[a.componentType].bytes;
    readNumbers(bufferView(glb, a.bufferView), a.byteOffset || 0, stride, a.componentType, size, a.count, Boolean(a.normalized), data);
  }
  if (a.sparse) {
    const { count, indices, values } = a.sparse;
    const at = new Uint32Array(count);
    const it = componentTypes[indices.componentType];
    readNumbers(bufferView(glb, indices.bufferView), indices.byteOffset || 0, it.bytes, indices.componentType, 1, count, false, at);
    const put = integers ? new Uint32Array(size * count) : new Float32Array(size * count);
    readNumbers(bufferView(glb, values.bufferView), values.byteOffset || 0, size * componentTypes[a.componentType].bytes, a.componentType, size, count, Boolean(a.normalized), put);
    at.forEach((i, k) => { for (let c = 0; c < size; c++) data[i * size + c] = put[k * size + c]; });
  }
  const values = { data, size, count: a.count };
  glb.read.set(key, values);
  return values;
}

/**
 * Decodes the pictures of a file.
 * @param {Glb} glb
 * @returns {Promise<(ImageBitmap | null)[]>}
 */
export function decodeImages(glb) {
  return Promise.all((glb.json.images || []).map(async (/** @type {any} */ image) => {
    if (image.bufferView === undefined) return null;
    const blob = new Blob([/** @type {any} */ (bufferView(glb, image.bufferView))], { type: image.mimeType });
    return createImageBitmap(blob, { premultiplyAlpha: 'none', colorSpaceConversion: 'none' }).catch(() => null);
  }));
}
