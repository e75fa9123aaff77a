// SPDX-License-Identifier: MIT
// Which of q and -q of a joint enters a sum: settled once for each set of joints that move a vertex together, as in the
// library. Inside a set each joint follows its nearest ancestor there; one without follows the heaviest joint.

import * as THREE from "three";

interface InfluenceSet {
  joints: number[];
  sums: number[];
  vertices: number[];
}

function influenceSets(index: THREE.BufferAttribute, weight: THREE.BufferAttribute): InfluenceSet[] {
  const sets = new Map<string, InfluenceSet>();
  for (let v = 0; v < index.count; ++v) {
    const found: [number, number][] = [];
    for (let k = 0; k < 4; ++k) {
      const w = weight.getComponent(v, k);
      if (w > 0) found.push([index.getComponent(v, k), w]);
    }
    found.sort((a, b) => a[0] - b[0]);
    const key = found.map((each) => each[0]).join(" ");
    let set = sets.get(key);
    if (!set) sets.set(key, (set = { joints: found.map((each) => each[0]), sums: found.map(() => 0), vertices: [] }));
    set.vertices.push(v);
    found.forEach((each, k) => (set.sums[k] += each[1]));
  }
  return [...sets.values()];
}

/** For each place in a set the place it follows, or -1 for the one that leads. */
export function signParents(joints: number[], sums: number[], parent: (joint: number) => number): number[] {
  const parents = joints.map((joint) => {
    for (let above = parent(joint); above >= 0; above = parent(above)) {
      const place = joints.indexOf(above);
      if (place >= 0) return place;
    }
    return -1;
  });
  const pivot = sums.indexOf(Math.max(...sums));
  const leads = (target: number): boolean => {
    let place = pivot;
    while (place >= 0 && place !== target) place = parents[place];
    return place === target;
  };
  for (let k = 0; k < parents.length; ++k) if (parents[k] < 0 && !leads(k)) parents[k] = pivot;
  return parents;
}

/** Leaders before followers. */
function order(parents: number[]): number[] {
  const result: number[] = [];
  while (result.length < parents.length)
    parents.forEach((above, k) => {
      if (!result.includes(k) && (above < 0 || result.includes(above))) result.push(k);
    });
  return result;
}

/** Orders the influences of every vertex so that leaders come first, and says whom the third and fourth follow. */
export function settleSigns(geometry: THREE.BufferGeometry, bones: THREE.Bone[]): number {
  const index = geometry.getAttribute("skinIndex") as THREE.BufferAttribute;
  const weight = geometry.getAttribute("skinWeight") as THREE.BufferAttribute;
  const places = new Map<THREE.Object3D, number>(bones.map((bone, j) => [bone, j]));
  const parent = (joint: number): number => {
    for (let node = bones[joint].parent; node; node = node.parent) {
      const place = places.get(node);
      if (place !== undefined) return place;
    }
    return -1;
  };
  const joints = new Uint16Array(index.count * 4);
  const weights = new Float32Array(index.count * 4);
  const leads = new Float32Array(index.count * 2);
  const sets = influenceSets(index, weight);
  for (const set of sets) {
    const parents = signParents(set.joints, set.sums, parent);
    const sequence = order(parents);
    for (const v of set.vertices) {
      const of = new Map<number, number>();
      for (let k = 0; k < 4; ++k) of.set(index.getComponent(v, k), weight.getComponent(v, k) + (of.get(index.getComponent(v, k)) ?? 0));
      sequence.forEach((place, slot) => {
        joints[4 * v + slot] = set.joints[place];
        weights[4 * v + slot] = of.get(set.joints[place]) ?? 0;
        if (slot > 1) leads[2 * v + slot - 2] = sequence.indexOf(parents[place]);
      });
    }
  }
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(joints, 4));
  geometry.setAttribute("skinWeight", new THREE.BufferAttribute(weights, 4));
  geometry.setAttribute("skinLead", new THREE.BufferAttribute(leads, 2));
  return sets.length;
}
