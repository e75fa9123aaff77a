// SPDX-License-Identifier: MIT
// In the browser: a GLB from sinew, skinned by the package, beside what `sinew deform` says. See check.
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { applySkinning, patchMaterial } from "sinew-skinning";
import model from "./tube.glb";
import dqs from "./dqs.pc2";
import lbs from "./lbs.pc2";
import person from "./man.vrm";

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;

function frames(cache) {
  const view = new DataView(cache), vertices = view.getInt32(16, true), count = view.getInt32(28, true);
  return Array.from({ length: count }, (_, f) => new Float32Array(cache, 32 + 12 * vertices * f, 3 * vertices));
}

const width = 256;
const probe = () =>
  patchMaterial(
    new THREE.ShaderMaterial({
      vertexShader: `
        #include <common>
        #include <skinning_pars_vertex>
        varying vec3 seen;
        void main() {
          #include <begin_vertex>
          #include <skinbase_vertex>
          #include <skinning_vertex>
          seen = transformed;
          gl_Position = vec4(2.0 * (vec2(gl_VertexID % ${width}, gl_VertexID / ${width}) + 0.5) / ${width}.0 - 1.0, 0.0, 1.0);
          gl_PointSize = 1.0;
        }`,
      fragmentShader: "varying vec3 seen; void main() { gl_FragColor = vec4(seen, 1.0); }",
    }),
  );

/** Where the graphics card puts the vertices of a skinned mesh: each is drawn as a point of its own. */
function positions(renderer, mesh) {
  const geometry = mesh.geometry.clone().setIndex(null);
  const points = new THREE.Points(geometry, probe());
  Object.assign(points, { isSkinnedMesh: true, skeleton: mesh.skeleton, bindMatrix: mesh.bindMatrix, bindMatrixInverse: mesh.bindMatrixInverse, frustumCulled: false });
  const target = new THREE.WebGLRenderTarget(width, width, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
  const scene = new THREE.Scene();
  scene.add(points);
  mesh.skeleton.update();
  renderer.setRenderTarget(target);
  renderer.render(scene, new THREE.Camera());
  const pixels = new Float32Array(4 * width * width);
  renderer.readRenderTargetPixels(target, 0, 0, width, width, pixels);
  renderer.setRenderTarget(null);
  return Float32Array.from({ length: 3 * geometry.getAttribute("position").count }, (_, i) => pixels[4 * Math.floor(i / 3) + (i % 3)]);
}

const worst = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

/** What is drawn of a scene, as pixels that are covered. */
function drawn(renderer, object) {
  const scene = new THREE.Scene();
  scene.add(object);
  const box = new THREE.Box3(new THREE.Vector3(-1, -0.5, -1), new THREE.Vector3(1, 1.5, 1));
  const camera = new THREE.OrthographicCamera(box.min.x, box.max.x, box.max.y, box.min.y, 0.1, 20);
  camera.position.z = 10;
  const target = new THREE.WebGLRenderTarget(256, 256);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * 256 * 256);
  renderer.readRenderTargetPixels(target, 0, 0, 256, 256, pixels);
  renderer.setRenderTarget(null);
  return Array.from({ length: 256 * 256 }, (_, i) => pixels[4 * i + 3] > 0);
}

async function run() {
  const renderer = new THREE.WebGLRenderer({ alpha: true });
  const chunk = THREE.ShaderChunk.skinning_vertex;
  const gltf = await new GLTFLoader().parseAsync(bytes(model), "");
  const skinning = applySkinning(gltf.scene);
  let mesh;
  gltf.scene.traverse((node) => (mesh = node.isSkinnedMesh ? node : mesh));
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]).play();
  const expected = { dqs: frames(bytes(dqs)), lbs: frames(bytes(lbs)) };
  const count = expected.dqs.length, result = { vertices: mesh.geometry.getAttribute("position").count, dqs: 0, lbs: 0, between: 0 };
  let last = 0;
  for (const f of [0, Math.floor(count / 3), Math.floor(count / 2), count - 2]) {
    action.time = (gltf.animations[0].duration * f) / (count - 1);
    mixer.update(0);
    gltf.scene.updateMatrixWorld(true);
    for (const method of ["lbs", "dqs"]) {
      skinning.method = method;
      result[method] = Math.max(result[method], worst(positions(renderer, mesh), expected[method][f]));
    }
    const apart = worst(expected.dqs[f], expected.lbs[f]);
    if (apart < result.between) continue;
    result.between = apart;
    last = f;
  }
  action.time = (gltf.animations[0].duration * last) / (count - 1);
  mixer.update(0);
  const still = new THREE.Mesh(mesh.geometry.clone(), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  still.geometry.setAttribute("position", new THREE.BufferAttribute(expected.dqs[last], 3));
  const truth = drawn(renderer, still);
  const differing = (picture) => picture.filter((covered, i) => covered !== truth[i]).length;
  result.covered = truth.filter(Boolean).length;
  result.wrong = differing(drawn(renderer, gltf.scene));
  skinning.method = "lbs";
  result.wrongLinear = differing(drawn(renderer, gltf.scene));
  result.untouched = THREE.ShaderChunk.skinning_vertex === chunk;
  const vrm = await new GLTFLoader().parseAsync(bytes(person), "");
  const human = vrm.parser.json.extensions.VRMC_vrm.humanoid.humanBones;
  const names = await Promise.all(Object.values(human).map(async ({ node }) => (await vrm.parser.getDependency("node", node)).isBone));
  result.humanBones = names.filter(Boolean).length;
  result.person = drawn(renderer, vrm.scene).filter(Boolean).length;
  return result;
}

run().then((result) => {
  window.result = result;
  document.documentElement.dataset.state = "ready";
}, (error) => {
  window.result = String(error);
  document.documentElement.dataset.state = "failed";
});
