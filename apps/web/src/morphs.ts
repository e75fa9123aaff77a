// SPDX-License-Identifier: MIT
// Morph targets are summed on the processor: a sequence has one for every frame, far more than a phone's shaders allow, and
// only two of them have a weight at any time.

import * as THREE from "three";

type Values = THREE.BufferAttribute | THREE.InterleavedBufferAttribute;

function floats(attribute: Values): Float32Array {
  if (attribute instanceof THREE.BufferAttribute && attribute.array instanceof Float32Array && attribute.itemSize === 3)
    return attribute.array; // no copy: sequences are large
  const out = new Float32Array(attribute.count * 3);
  for (let v = 0; v < attribute.count; ++v)
    for (let k = 0; k < 3; ++k) out[3 * v + k] = attribute.getComponent(v, k);
  return out;
}

class Sum {
  private readonly rest: Float32Array;
  private readonly deltas: Float32Array[];
  private readonly out: THREE.BufferAttribute;

  constructor(geometry: THREE.BufferGeometry, name: "position" | "normal", targets: Values[]) {
    this.rest = floats(geometry.getAttribute(name));
    this.deltas = targets.map(floats);
    this.out = new THREE.BufferAttribute(this.rest.slice(), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute(name, this.out);
  }

  update(weights: number[]): void {
    const sum = this.out.array as Float32Array;
    sum.set(this.rest);
    weights.forEach((w, target) => {
      if (Math.abs(w) < 1e-7) return;
      const delta = this.deltas[target];
      for (let i = 0; i < sum.length; ++i) sum[i] += w * delta[i];
    });
    this.out.needsUpdate = true;
  }
}

export class MorphedMesh {
  private readonly sums: Sum[] = [];
  private readonly ownNormals: boolean;
  private last = "";

  constructor(private readonly mesh: THREE.Mesh) {
    const { geometry } = mesh;
    const { position, normal } = geometry.morphAttributes;
    if (position) this.sums.push(new Sum(geometry, "position", position));
    if (normal && geometry.hasAttribute("normal")) this.sums.push(new Sum(geometry, "normal", normal));
    this.ownNormals = normal !== undefined;
    geometry.morphAttributes = {};
  }

  update(): void {
    const weights = this.mesh.morphTargetInfluences ?? [];
    const now = weights.map((w, k) => (w === 0 ? "" : `${k}:${w}`)).join("");
    if (now === this.last) return;
    this.last = now;
    for (const sum of this.sums) sum.update(weights);
    if (!this.ownNormals && this.mesh.geometry.hasAttribute("normal")) this.mesh.geometry.computeVertexNormals();
  }
}
