// SPDX-License-Identifier: MIT
#pragma once
// Hand-made .x files: a strip of three rungs on two bones, moved by the same motion in quaternions and in
// matrices.

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sinew/model/character.h"

namespace sinew::test {

/// Rows of a turn about x, as Direct3D writes it for row vectors: (0, 1, 0) goes to (0, c, s).
inline std::string x_matrix(double angle, double y, double z) {
    const double c = std::cos(angle), s = std::sin(angle);
    return fmt::format(
        "1.0,0.0,0.0,0.0, 0.0,{:.9f},{:.9f},0.0, 0.0,{:.9f},{:.9f},0.0, 0.0,{:.9f},{:.9f},1.0;;", c, s, -s, c,
        y, z);
}
/// The same turn as the format stores it: inverted.
inline std::string x_quaternion(double angle) {
    return fmt::format("{:.9f},{:.9f},0.0,0.0;;", std::cos(angle / 2), -std::sin(angle / 2));
}

inline double x_angle(int key) {
    return 0.4 * key;
}
inline double x_height(int key) {
    return 2 + 0.1 * key;
}
constexpr int x_keys = 5;

inline std::string x_animations() {
    std::string rotations, positions, matrices;
    for (int k = 0; k < x_keys; ++k) {
        const char* end = k + 1 < x_keys ? "," : ";";
        rotations += fmt::format("{};4;{}{}\n", 10 * k, x_quaternion(x_angle(k)), end);
        positions += fmt::format("{};3;0.0,{:.6f},0.5;;{}\n", 10 * k, x_height(k), end);
        matrices += fmt::format("{};16;{}{}\n", 10 * k, x_matrix(x_angle(k), x_height(k), 0.5), end);
    }
    return fmt::format(
        "AnimationSet Turn {{\n Animation A1 {{ {{Tip}}\n AnimationKey {{ 0; {0};\n{1} }}\n"
        " AnimationKey {{ 2; {0};\n{2} }} }} }}\n"
        "AnimationSet Matrices {{\n Animation A2 {{ AnimationKey {{ 4; {0};\n{3} }} {{Tip}} }} }}\n",
        x_keys, rotations, positions, matrices);
}

inline std::string x_mesh() {
    // Decimal points everywhere: assimp takes the comma of "1,0" for one.
    return R"(Mesh Strip {
 6;
 -1.0;0.0;0.0;, 1.0;0.0;0.0;, -1.0;3.0;0.5;, 1.0;3.0;0.5;, -1.0;4.0;1.0;, 1.0;4.0;1.0;;
 2;
 4;0,2,3,1;, 4;2,4,5,3;;
 MeshNormals { 2; 0.0;0.0;-1.0;, 0.0;0.6;-0.8;; 2; 4;0,0,0,0;, 4;1,1,1,1;; }
 MeshTextureCoords { 6; 0.0;0.0;, 1.0;0.0;, 0.0;0.5;, 1.0;0.5;, 0.0;1.0;, 1.0;1.0;; }
 MeshMaterialList { 2; 2; 1, 0;
  Material Red { 1.0;0.0;0.0;1.0;; 8.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; TextureFilename { "gone.png"; } }
  {Blue}
 }
 XSkinMeshHeader { 2; 4; 2; }
 VertexDuplicationIndices { 6; 6; 0,1,2,3,4,5; }
 SkinWeights { "Root"; 4; 0,1,2,3; 1.0,1.0,0.5,0.5; )" +
           x_matrix(0, -1, 0) + R"( }
 SkinWeights { "Tip"; 4; 2,3,4,5; 0.5,0.5,1.0,1.0; )" +
           x_matrix(0, -3, -0.5) + R"( }
}
)";
}

inline std::string x_file() {
    return "xof 0303txt 0032\n"
           "// a comment { with a brace\n"
           "template Vector { <3d82ab5e-62da-11cf-ab39-0020af71e433> FLOAT x; FLOAT y; FLOAT z; [...] }\n"
           "AnimTicksPerSecond { 100; }\n"
           "Material Blue { 0.0;0.0;1.0;1.0;; 8.0; 0.0;0.0;0.0;; 0.0;0.0;0.5;; }\n"
           "Frame Root {\n FrameTransformMatrix { " +
           x_matrix(0, 1, 0) + " }\n Frame Tip {\n FrameTransformMatrix { " + x_matrix(0, 2, 0.5) +
           " }\n }\n}\nFrame Body {\n" + x_mesh() + "}\n" + x_animations();
}

/// Vertices by linear blending, in double; of the rest pose when `clip` is null.
inline std::vector<math::Vec3d> deformed(const model::Character& c, const model::Clip* clip, double time) {
    const auto palette = model::palette(c.skin, model::world_matrices(c, clip, time));
    std::vector<math::Vec3d> result;
    for (std::size_t v = 0; v < c.mesh.vertex_count(); ++v) {
        math::Vec3d sum = math::Vec3d::Zero();
        for (const model::Influence& i : c.skin.of(v)) {
            sum += static_cast<double>(i.weight) *
                   math::transform_point(palette[i.joint], c.mesh.positions[v].cast<double>());
        }
        result.push_back(sum);
    }
    return result;
}

}  // namespace sinew::test
