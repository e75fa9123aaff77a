// SPDX-License-Identifier: MIT
// Skinning as Sinew does it, in place of three's own.
//
// Every joint gives an affine map A_j and a rigid motion, a unit dual quaternion d_j. A vertex moves by
//   v' = (sum w_j s_j d_j / |sum w_j s_j q_j|) (sum w_j A_j v)
// Dual quaternion skinning: A_j is the stretch of the joint about its rest place, d_j its rigid part (Kavan et al.
// 2008, two phases); stretch is the identity where nothing scales. Linear skinning: A_j is the whole matrix and d_j the
// identity. So the shader is the same for both, and only the texture of joints differs.

import * as THREE from "three";

export type Method = "dqs" | "lbs";

const texels = 5; // of a joint: three rows of A, then both quaternions of d

const pars = /* glsl */ `
#ifdef USE_SKINNING
  uniform mat4 bindMatrix;
  uniform mat4 bindMatrixInverse;
  uniform highp sampler2D boneTexture;
  attribute vec2 skinLead;  // slots whose signs the third and the fourth influence follow; the second follows the first
  vec4 jointTexel(const in float joint, const in int k) {
    int size = textureSize(boneTexture, 0).x;
    int i = int(joint) * ${texels} + k;
    return texelFetch(boneTexture, ivec2(i % size, i / size), 0);
  }
  vec4 likeSign(const in vec4 q, const in vec4 lead) { return dot(q, lead) < 0.0 ? vec4(-1.0) : vec4(1.0); }
  mat4 jointBlend(const in vec4 joints, const in vec4 weights) {
    vec4 row0 = vec4(0.0), row1 = vec4(0.0), row2 = vec4(0.0), sum = vec4(0.0), dual = vec4(0.0);
    vec4 q[4];
    float heaviest = -1.0;
    vec4 plain = vec4(0.0, 0.0, 0.0, 1.0), plainDual = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
      float joint = joints[i], w = weights[i];
      row0 += w * jointTexel(joint, 0);
      row1 += w * jointTexel(joint, 1);
      row2 += w * jointTexel(joint, 2);
      q[i] = jointTexel(joint, 3);
      vec4 d = jointTexel(joint, 4);
      vec4 lead = q[0];
      if (i == 2 && skinLead.x > 0.5) lead = q[1];
      if (i == 3 && skinLead.y > 0.5) lead = skinLead.y > 1.5 ? q[2] : q[1];
      vec4 side = i == 0 ? vec4(1.0) : likeSign(q[i], lead);
      q[i] *= side;
      d *= side;
      sum += w * q[i];
      dual += w * d;
      if (w > heaviest) { heaviest = w; plain = q[i]; plainDual = d; }
    }
    float size = length(sum);
    if (size < 1e-4) { sum = plain; dual = plainDual; size = 1.0; }  // rotations that cancel: the heaviest decides
    vec4 r = sum / size, d = dual / size;
    vec3 t = 2.0 * (r.w * d.xyz - d.w * r.xyz + cross(r.xyz, d.xyz));
    vec3 u = r.xyz, v = 2.0 * r.xyz;
    mat4 rigid = mat4(
      1.0 - u.y * v.y - u.z * v.z, u.x * v.y + r.w * v.z, u.x * v.z - r.w * v.y, 0.0,
      u.x * v.y - r.w * v.z, 1.0 - u.x * v.x - u.z * v.z, u.y * v.z + r.w * v.x, 0.0,
      u.x * v.z + r.w * v.y, u.y * v.z - r.w * v.x, 1.0 - u.x * v.x - u.y * v.y, 0.0,
      t, 1.0);
    mat4 affine = transpose(mat4(row0, row1, row2, vec4(0.0, 0.0, 0.0, 1.0)));
    return rigid * affine;
  }
#endif
`;
const base = /* glsl */ `
#ifdef USE_SKINNING
  mat4 skinMatrix = bindMatrixInverse * jointBlend(skinIndex, skinWeight) * bindMatrix;
#endif
`;
const normal = /* glsl */ `
#ifdef USE_SKINNING
  objectNormal = (skinMatrix * vec4(objectNormal, 0.0)).xyz;
  #ifdef USE_TANGENT
    objectTangent = (skinMatrix * vec4(objectTangent, 0.0)).xyz;
  #endif
#endif
`;
const vertex = /* glsl */ `
#ifdef USE_SKINNING
  transformed = (skinMatrix * vec4(transformed, 1.0)).xyz;
#endif
`;

const chunks: Record<string, string> = {
  skinning_pars_vertex: pars,
  skinbase_vertex: base,
  skinnormal_vertex: normal,
  skinning_vertex: vertex,
};

/** Replaces three's skinning in every material, those of shadows as well. Call before anything is drawn. */
export function installSkinning(): void {
  Object.assign(THREE.ShaderChunk, chunks);
}

/** Replaces three's skinning in one material, behind what its own onBeforeCompile does. */
export function patchMaterial<M extends THREE.Material>(material: M): M {
  const before = material.onBeforeCompile;
  const key = material.customProgramCacheKey.bind(material)();
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    for (const [name, text] of Object.entries(chunks))
      shader.vertexShader = shader.vertexShader.replace(`#include <${name}>`, text);
  };
  material.customProgramCacheKey = () => `${key} sinew-skinning`;
  return material;
}

const rigidTolerance = 1e-4; // of |M^T M - I|, as in the library

/** The rotation nearest to a linear map (polar decomposition by Higham's iteration), or none when it has no inverse. */
export function nearestRotation(m: THREE.Matrix3): THREE.Matrix3 | null {
  const size = Math.cbrt(Math.abs(m.determinant()));
  const largest = Math.max(...m.elements.map(Math.abs));
  if (!(size > 1e-4 * largest)) return null;
  const r = m.clone();
  for (let step = 0; step < 30; ++step) {
    const other = r.clone().invert().transpose();
    let change = 0;
    for (let i = 0; i < 9; ++i) {
      const mean = (r.elements[i] + other.elements[i]) / 2;
      change = Math.max(change, Math.abs(mean - r.elements[i]));
      r.elements[i] = mean;
    }
    if (change < 1e-9) break;
  }
  if (r.determinant() < 0) r.multiplyScalar(-1); // a reflection stays in the stretch
  return r;
}

function isRigid(m: THREE.Matrix4): boolean {
  const e = m.elements;
  for (let i = 0; i < 3; ++i)
    for (let j = i; j < 3; ++j) {
      const dot = e[4 * i] * e[4 * j] + e[4 * i + 1] * e[4 * j + 1] + e[4 * i + 2] * e[4 * j + 2];
      if (Math.abs(dot - (i === j ? 1 : 0)) > rigidTolerance) return false;
    }
  return m.determinant() > 0;
}

const scratch = {
  matrix: new THREE.Matrix4(),
  turn: new THREE.Matrix4(),
  linear: new THREE.Matrix3(),
  q: new THREE.Quaternion(),
  moved: new THREE.Vector3(),
  turned: new THREE.Vector3(),
  stretch: new THREE.Matrix3(),
};

function writeRows(out: Float32Array, at: number, m: ArrayLike<number>, t: THREE.Vector3, stride: 3 | 4): void {
  const shift = [t.x, t.y, t.z];
  for (let row = 0; row < 3; ++row) {
    for (let column = 0; column < 3; ++column) out[at + 4 * row + column] = m[stride * column + row];
    out[at + 4 * row + 3] = shift[row];
  }
}

/** Rigid part C b - R b after the turn, as the dual half of a dual quaternion: (t / 2) q. */
function writeDual(out: Float32Array, at: number, q: THREE.Quaternion, t: THREE.Vector3): void {
  out.set([q.x, q.y, q.z, q.w], at);
  out[at + 4] = 0.5 * (t.x * q.w + t.y * q.z - t.z * q.y);
  out[at + 5] = 0.5 * (t.y * q.w + t.z * q.x - t.x * q.z);
  out[at + 6] = 0.5 * (t.z * q.w + t.x * q.y - t.y * q.x);
  out[at + 7] = -0.5 * (t.x * q.x + t.y * q.y + t.z * q.z);
}

function writeLinear(out: Float32Array, at: number, c: THREE.Matrix4): void {
  const s = scratch;
  writeRows(out, at, c.elements, s.moved.setFromMatrixPosition(c), 4);
  writeDual(out, at + 12, s.q.identity(), s.moved.set(0, 0, 0));
}

/** C v = R (b + P (v - b)) + C b - R b, with b the rest place of the joint. */
function writeTwoPhases(out: Float32Array, at: number, c: THREE.Matrix4, b: THREE.Vector3): void {
  const s = scratch;
  const rigid = isRigid(c);
  s.linear.setFromMatrix4(c);
  const r = rigid ? s.linear.clone() : nearestRotation(s.linear) ?? new THREE.Matrix3();
  s.q.setFromRotationMatrix(s.turn.setFromMatrix3(r)).normalize();
  s.stretch.identity();
  if (!rigid) s.stretch.copy(r).transpose().multiply(s.linear);
  s.turned.copy(b).applyMatrix3(s.stretch);
  writeRows(out, at, s.stretch.elements, s.turned.subVectors(b, s.turned), 3);
  s.moved.copy(b).applyMatrix4(c).sub(s.turned.copy(b).applyQuaternion(s.q));
  writeDual(out, at + 12, s.q, s.moved);
}

/** A skeleton whose texture is filled for the method of the moment. */
export class BlendedSkeleton {
  private readonly centers: THREE.Vector3[];
  private readonly data: Float32Array;

  constructor(readonly skeleton: THREE.Skeleton, private readonly method: () => Method) {
    this.centers = skeleton.boneInverses.map((inverse) =>
      Math.abs(inverse.determinant()) > 1e-12
        ? new THREE.Vector3().setFromMatrixPosition(scratch.matrix.copy(inverse).invert())
        : new THREE.Vector3(),
    );
    const side = Math.max(4, Math.ceil(Math.sqrt(skeleton.bones.length * texels)));
    this.data = new Float32Array(side * side * 4);
    const texture = new THREE.DataTexture(this.data, side, side, THREE.RGBAFormat, THREE.FloatType);
    skeleton.boneMatrices = this.data;
    skeleton.boneTexture = texture;
    skeleton.update = () => this.fill(texture);
  }

  private fill(texture: THREE.DataTexture): void {
    const { bones, boneInverses } = this.skeleton;
    const linear = this.method() === "lbs";
    for (let j = 0; j < bones.length; ++j) {
      const c = scratch.matrix.multiplyMatrices(bones[j].matrixWorld, boneInverses[j]);
      if (linear) writeLinear(this.data, j * texels * 4, c);
      else writeTwoPhases(this.data, j * texels * 4, c, this.centers[j]);
    }
    texture.needsUpdate = true;
  }
}
