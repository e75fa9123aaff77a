// SPDX-License-Identifier: MIT
// The edges of the triangles over the surface.

import * as THREE from "three";
import type { Character } from "./character";

export class Wire {
  private readonly edges: THREE.Mesh[] = [];

  constructor(private readonly character: Character) {}

  show(visible: boolean): void {
    if (visible && this.edges.length === 0) this.make();
    for (const mesh of this.edges) mesh.visible = visible;
  }

  private make(): void {
    const look = new THREE.MeshBasicMaterial({
      color: 0x05070a,
      wireframe: true,
      transparent: true,
      opacity: 0.45,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    });
    for (const mesh of this.character.meshes) {
      const edges =
        mesh instanceof THREE.SkinnedMesh
          ? new THREE.SkinnedMesh(mesh.geometry, look)
          : new THREE.Mesh(mesh.geometry, look);
      if (edges instanceof THREE.SkinnedMesh && mesh instanceof THREE.SkinnedMesh)
        edges.bind(mesh.skeleton, mesh.bindMatrix);
      edges.frustumCulled = false;
      mesh.add(edges);
      this.edges.push(edges);
    }
  }
}
