// @ts-check
import { transform } from './math.js';
import { mostLights } from './shaders.js';

/**
 * Tells the program of the lights that reach a mesh most.
 * @param {WebGL2RenderingContext} gl
 * @param {Record<string, WebGLUniformLocation | null>} at where its values are
 * @param {import('./scene.js').Scene} scene
 * @param {import('./scene.js').Drawn} d
 */
export function setLamps(gl, at, scene, d) {
  const middle = transform(d.node.world, [0, 0, 0]);
  const near = scene.nodes.filter((n) => n.light).map((n) => {
    const from = [n.world[12], n.world[13], n.world[14]];
    const away = Math.hypot(from[0] - middle[0], from[1] - middle[1], from[2] - middle[2]);
    const strength = (n.light.intensity ?? 1) / (n.light.type === 'directional' ? 1 : Math.max(1, away * away));
    return { n, from, strength };
  }).sort((a, b) => b.strength - a.strength).slice(0, mostLights);
  gl.uniform1i(at.lampCount, near.length);
  const [place, color, axis, inner] = [new Float32Array(4 * mostLights), new Float32Array(4 * mostLights), new Float32Array(4 * mostLights), new Float32Array(mostLights)];
  near.forEach(({ n, from }, i) => {
    const l = n.light;
    const power = l.intensity ?? 1;
    place.set([...from, { directional: 0, point: 1, spot: 2 }[/** @type {string} */ (l.type)] ?? 1], 4 * i);
    color.set([...(l.color || [1, 1, 1]).map((/** @type {number} */ c) => c * power), l.range || 0], 4 * i);
    const z = Math.hypot(n.world[8], n.world[9], n.world[10]) || 1;
    axis.set([-n.world[8] / z, -n.world[9] / z, -n.world[10] / z, Math.cos(l.spot?.outerConeAngle ?? Math.PI / 4)], 4 * i);
    inner[i] = Math.cos(l.spot?.innerConeAngle ?? 0);
  });
  gl.uniform4fv(at.lampPlace, place);
  gl.uniform4fv(at.lampColor, color);
  gl.uniform4fv(at.lampAxis, axis);
  gl.uniform1fv(at.lampInner, inner);
}
