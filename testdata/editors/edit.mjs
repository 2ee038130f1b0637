// Opens and saves GLB files in programs that people edit models with: node edit.mjs TOOL SOURCE TARGET
// TOOL is copy, weld, resample, reorder, dedup or prune (glTF-Transform), gltfpack, three (load and save), or three+ (with
// the extensions that it does not know). Every .glb of the folder SOURCE is written to the folder TARGET; a line says of
// each file what happened.
import fs from 'node:fs';
import path from 'node:path';

const [tool, source, target] = process.argv.slice(2);

console.warn = () => {}; // of extensions that they do not know

async function transform() {
  const { NodeIO } = await import('@gltf-transform/core');
  const { ALL_EXTENSIONS } = await import('@gltf-transform/extensions');
  const functions = await import('@gltf-transform/functions');
  const { MeshoptEncoder } = await import('meshoptimizer');
  await MeshoptEncoder.ready;
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
  const steps = {
    copy: [],
    weld: [functions.weld()],
    resample: [functions.resample()],
    reorder: [functions.reorder({ encoder: MeshoptEncoder })],
    dedup: [functions.dedup()],
    prune: [functions.prune()],
  }[tool];
  return async (from, to) => {
    const doc = await io.readBinary(new Uint8Array(fs.readFileSync(from)));
    doc.setLogger({ debug() {}, info() {}, warn() {}, error() {} });
    await doc.transform(...steps);
    fs.writeFileSync(to, await io.writeBinary(doc));
  };
}

async function gltfpack() {
  const { pack } = await import('gltfpack');
  const files = { read: (p) => fs.readFileSync(p), write: (p, data) => fs.writeFileSync(p, data) };
  return (from, to) => pack(['-noq', '-ke', '-kn', '-km', '-kv', '-af', '0', '-i', from, '-o', to], files);
}

// What three.js takes from a browser. Pictures pass through as the files that they are.
function browser() {
  class Canvas {
    getContext() {
      return { translate() {}, scale() {}, drawImage: (image) => (this.image = image) };
    }
    convertToBlob() {
      return Promise.resolve(this.image.blob);
    }
  }
  globalThis.self = globalThis;
  globalThis.OffscreenCanvas = Canvas;
  globalThis.createImageBitmap = async (blob) => {
    const head = new DataView(await blob.arrayBuffer());
    return { width: head.getUint32(16), height: head.getUint32(20), blob, close() {} }; // a PNG says its size there
  };
  globalThis.ImageBitmap = Object;
  globalThis.FileReader = class {
    readAsArrayBuffer(blob) {
      blob.arrayBuffer().then((b) => {
        this.result = b;
        this.onloadend();
      });
    }
  };
  const fetchURL = globalThis.fetch;
  globalThis.fetch = (r, o) => fetchURL(typeof r === 'string' ? r : r.url, o);
}

async function three(includeCustomExtensions = false) {
  browser();
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const { GLTFExporter } = await import('three/examples/jsm/exporters/GLTFExporter.js');
  return async (from, to) => {
    const b = fs.readFileSync(from);
    const model = await new GLTFLoader().parseAsync(b.buffer.slice(b.byteOffset, b.byteOffset + b.length), '');
    const saved = await new GLTFExporter().parseAsync(model.scene, { binary: true, animations: model.animations, onlyVisible: false, includeCustomExtensions });
    fs.writeFileSync(to, Buffer.from(saved));
  };
}

const edit = (await { gltfpack, three, 'three+': () => three(true) }[tool]?.()) ?? (await transform());
for (const name of fs.readdirSync(source).filter((n) => n.endsWith('.glb')).sort()) {
  try {
    await edit(path.join(source, name), path.join(target, name));
    console.log(`ok   ${name}`);
  } catch (e) {
    console.log(`FAIL ${name}: ${String(e.message ?? e).split('\n')[0]}`);
  }
}
process.exit(0);
