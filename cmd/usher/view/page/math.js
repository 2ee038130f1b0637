// @ts-check
// Matrices are 16 numbers, column by column, as WebGL has them; quaternions are x, y, z, w.

/** @typedef {Float64Array | Float32Array | number[]} Numbers */
/** @typedef {[number, number, number]} Vec3 */

/** @returns {Float64Array} */
export function identity() { return new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]); }

/**
 * @param {Numbers} a
 * @param {Numbers} b
 * @returns {Float64Array} a · b
 */
export function multiply(a, b) {
  const out = new Float64Array(16);
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 4; r++) {
      out[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3];
    }
  }
  return out;
}

/**
 * @param {Numbers} t
 * @param {Numbers} q
 * @param {Numbers} s
 * @returns {Float64Array} translation · rotation · scale
 */
export function compose(t, q, s) {
  const [x, y, z, w] = /** @type {number[]} */ (q);
  return new Float64Array([
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
    2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
    2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    t[0], t[1], t[2], 1,
  ]);
}

/**
 * @param {Numbers} m an affine matrix
 * @param {Numbers} p
 * @returns {Vec3} the point in its place
 */
export function transform(m, p) {
  return [
    m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
    m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
  ];
}

/** @param {Numbers} m @returns {number} negative for a matrix that mirrors */
export function determinant(m) {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

/**
 * @param {Numbers} m an affine matrix
 * @returns {Float64Array} its rotation
 */
export function turnOf(m) {
  const column = (/** @type {number} */ k) => [...unit([m[k], m[k + 1], m[k + 2]]), 0];
  return new Float64Array([...column(0), ...column(4), ...column(8), 0, 0, 0, 1]);
}

/**
 * @param {Numbers} m an affine matrix
 * @returns {Float32Array} what normals are multiplied with, 3 × 3
 */
export function forNormals(m) {
  const s = determinant(m) < 0 ? -1 : 1;
  return new Float32Array([
    s * (m[5] * m[10] - m[6] * m[9]), s * (m[6] * m[8] - m[4] * m[10]), s * (m[4] * m[9] - m[5] * m[8]),
    s * (m[2] * m[9] - m[1] * m[10]), s * (m[0] * m[10] - m[2] * m[8]), s * (m[1] * m[8] - m[0] * m[9]),
    s * (m[1] * m[6] - m[2] * m[5]), s * (m[2] * m[4] - m[0] * m[6]), s * (m[0] * m[5] - m[1] * m[4]),
  ]);
}

/**
 * @param {number} azimuth 0 in front of what faces +Z, growing towards +X
 * @param {number} elevation
 * @returns {Float64Array} from the scene's axes to the camera's: x right, y up, z towards the camera
 */
export function viewAxes(azimuth, elevation) {
  const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
  return new Float64Array([ca, -sa * se, sa * ce, 0, 0, ce, se, 0, -sa, -ca * se, ca * ce, 0, 0, 0, 0, 1]);
}

/**
 * @param {Numbers} axes from the scene's axes to the camera's
 * @param {Numbers} eye
 * @returns {Float64Array} from the scene to the camera
 */
export function viewFrom(axes, eye) {
  return multiply(axes, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -eye[0], -eye[1], -eye[2], 1]);
}

/**
 * @param {number} fov of the height, radians
 * @param {number} aspect
 * @param {number} near
 * @param {number} far
 * @returns {Float64Array}
 */
export function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return new Float64Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
}

/**
 * @param {number} half of the height
 * @param {number} aspect
 * @param {number} near
 * @param {number} far
 * @returns {Float64Array}
 */
export function orthographic(half, aspect, near, far) {
  return new Float64Array([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1]);
}

/**
 * The shorter arc between two rotations.
 * @param {Numbers} a
 * @param {Numbers} b
 * @param {number} f
 * @returns {number[]}
 */
export function slerp(a, b, f) {
  let cos = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cos < 0 ? -1 : 1;
  cos = Math.min(1, Math.abs(cos));
  let [p, q] = [1 - f, f];
  if (cos < 0.9999) {
    const angle = Math.acos(cos);
    p = Math.sin((1 - f) * angle) / Math.sin(angle);
    q = Math.sin(f * angle) / Math.sin(angle);
  }
  return unit([0, 1, 2, 3].map((i) => p * a[i] + sign * q * b[i]));
}

/**
 * @param {number[]} v
 * @returns {number[]}
 */
export function unit(v) {
  const l = Math.hypot(...v) || 1;
  return v.map((x) => x / l);
}

/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export function sum(a, b) { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }

/** @param {Vec3} a @param {number} f @returns {Vec3} */
export function scaled(a, f) { return [a[0] * f, a[1] * f, a[2] * f]; }
