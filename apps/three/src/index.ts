// SPDX-License-Identifier: MIT
// Dual quaternion skinning for three.js: what `sinew deform --method dqs` shows, on the graphics card.

import * as THREE from "three";
import { settleSigns } from "./signs";
import { BlendedSkeleton, patchMaterial, type Method } from "./skinning";

export { BlendedSkeleton, installSkinning, patchMaterial, type Method } from "./skinning";
export { settleSigns } from "./signs";

/** How the skinned meshes of an object are deformed; `method` may change at any time. */
export interface Skinning {
  method: Method;
}

/**
 * Gives all skinned meshes below an object Sinew's skinning. Call once, after loading and before drawing; other meshes of the
 * scene keep three's own. Materials are copied where they have to change.
 */
export function applySkinning(root: THREE.Object3D, options: { method?: Method } = {}): Skinning {
  const skinning: Skinning = { method: options.method ?? "dqs" };
  const skeletons = new Set<THREE.Skeleton>();
  const geometries = new Set<THREE.BufferGeometry>();
  const materials = new Map<THREE.Material, THREE.Material>();
  const patched = (material: THREE.Material): THREE.Material => {
    let copy = materials.get(material);
    if (!copy) materials.set(material, (copy = patchMaterial(material.clone())));
    return copy;
  };
  root.traverse((node) => {
    if (!(node instanceof THREE.SkinnedMesh)) return;
    if (!geometries.has(node.geometry)) settleSigns(node.geometry, node.skeleton.bones);
    geometries.add(node.geometry);
    if (!skeletons.has(node.skeleton)) new BlendedSkeleton(node.skeleton, () => skinning.method);
    skeletons.add(node.skeleton);
    node.material = Array.isArray(node.material) ? node.material.map(patched) : patched(node.material);
    node.customDepthMaterial = patchMaterial(node.customDepthMaterial?.clone() ?? new THREE.MeshDepthMaterial());
    node.customDistanceMaterial = patchMaterial(node.customDistanceMaterial?.clone() ?? new THREE.MeshDistanceMaterial());
    node.frustumCulled = false; // its bounds are those of three's own skinning
  });
  return skinning;
}
