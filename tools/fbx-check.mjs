// SPDX-License-Identifier: MIT
// In node: reads man.fbx or man.usda with three.js and compares its skin, frame by frame, with what Sinew wrote. See fbx-check.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , root, file, fps, frames] = process.argv;
const folder = dirname(file), usd = file.endsWith('.usda'), unit = usd ? 1 : 100; // centimetres in FBX
const load = (path) => import(pathToFileURL(`${root}/node_modules/three/${path}`));
const THREE = await load('build/three.module.js');
const loaders = await load(`examples/jsm/loaders/${usd ? 'USDLoader' : 'FBXLoader'}.js`);
const loader = usd ? new loaders.USDLoader() : new loaders.FBXLoader();

// Pictures are not looked at.
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };
const lines = (file) => readFileSync(`${folder}/${file}.obj`, 'utf8').split('\n');
const positions = (file) => lines(file).filter((line) => line.startsWith('v '))
  .map((line) => line.split(' ').slice(1, 4).map((word) => parseFloat(word)));
// Vertices of the corners of all triangles, by object; three.js has a vertex for each corner.
const corners = new Map();
let object = '';
for (const line of lines('rest')) {
  if (line.startsWith('o ')) object = THREE.PropertyBinding.sanitizeNodeName(line.slice(2).trim());
  if (!line.startsWith('f ')) continue;
  if (!corners.has(object)) corners.set(object, []);
  corners.get(object).push(...line.split(' ').slice(1).map((word) => parseInt(word) - 1));
}
const bytes = readFileSync(file);
const scene = loader.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
const bodies = [];
scene.traverse((node) => { if (node.isSkinnedMesh) bodies.push(node); });
if (bodies.length !== corners.size) throw new Error(`${bodies.length} meshes, not ${corners.size}`);
const mixer = new THREE.AnimationMixer(scene);
const action = mixer.clipAction(scene.animations[0]).setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();
const size = Math.max(...[0, 1, 2].map((i) => {
  const values = positions('rest').map((p) => p[i]);
  return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
}));
let worst = 0, count = 0;
const point = new THREE.Vector3();
for (const frame of frames.split(',')) {
  mixer.setTime(frame / fps);
  scene.updateMatrixWorld(true);
  const wanted = positions(frame);
  count = 0;
  for (const body of bodies) {
    body.skeleton.update();
    const of = bodies.length === 1 ? [...corners.values()][0] : corners.get(body.name) ?? corners.get(body.name.slice(0, -5));
    if (body.geometry.attributes.position.count !== of.length) throw new Error(`${body.name}: not ${of.length} corners`);
    of.forEach((vertex, corner) => {
      body.getVertexPosition(corner, point).applyMatrix4(body.matrixWorld);
      worst = Math.max(worst, ...[point.x, point.y, point.z].map((value, i) => Math.abs(value / unit - wanted[vertex][i])));
    });
    count += of.length;
  }
}
console.log(`fbx-check: three.js ${THREE.REVISION}${usd ? ' (USD)' : ''}: ${bodies[0].skeleton.bones.length} bones, ${count} corners, off by ${
  (worst / size).toExponential(2)} of the size`);
if (!(worst < 1e-4 * size)) process.exit(1);
