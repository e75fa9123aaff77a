// SPDX-License-Identifier: MIT
// In node: reads man.fbx with three.js and compares its skin, frame by frame, with what Sinew wrote. See fbx-check.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , root, folder] = process.argv;
const load = (path) => import(pathToFileURL(`${root}/node_modules/three/${path}`));
const THREE = await load('build/three.module.js');
const { FBXLoader } = await load('examples/jsm/loaders/FBXLoader.js');

const rows = (path, key) => readFileSync(path, 'utf8').split('\n').filter((line) => line.startsWith(`${key} `))
  .map((line) => line.split(' ').slice(1).map(parseFloat));
const bytes = readFileSync(`${folder}/man.fbx`);
const scene = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
let body;
scene.traverse((node) => { if (node.isSkinnedMesh) body = node; });
const mixer = new THREE.AnimationMixer(scene);
const action = mixer.clipAction(scene.animations[0]).setLoop(THREE.LoopOnce);
action.clampWhenFinished = true;
action.play();
const faces = rows(`${folder}/rest.obj`, 'f').flat().map((n) => n - 1);  // a vertex of three.js for each corner
const count = body.geometry.attributes.position.count;
if (count !== faces.length) throw new Error(`${count} corners, not ${faces.length}`);
const size = Math.max(...[0, 1, 2].map((i) => {
  const values = rows(`${folder}/rest.obj`, 'v').map((p) => p[i]);
  return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
}));
let worst = 0;
const point = new THREE.Vector3();
for (const frame of [0, 7, 20, 33, 60, 99, 150, 200, 260, 330]) {
  mixer.setTime(frame / 60);
  scene.updateMatrixWorld(true);
  body.skeleton.update();
  const wanted = rows(`${folder}/${frame}.obj`, 'v');
  for (let corner = 0; corner < count; ++corner) {
    body.getVertexPosition(corner, point).applyMatrix4(body.matrixWorld);
    const there = wanted[faces[corner]];
    worst = Math.max(worst, Math.abs(point.x / 100 - there[0]), Math.abs(point.y / 100 - there[1]),
      Math.abs(point.z / 100 - there[2]));
  }
}
console.log(`fbx-check: three.js ${THREE.REVISION}: ${body.skeleton.bones.length} bones, ${count} corners, off by ${
  (worst / size).toExponential(2)} of the size`);
if (!(worst < 1e-4 * size)) process.exit(1);
