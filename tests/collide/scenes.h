// SPDX-License-Identifier: MIT
#pragma once
// Posed sample characters: what the tests of collision work on.

#include "support/random.h"
#include "support/samples.h"

#include "sinew/collide/query.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/deform/blend.h"
#include "sinew/deform/skinner.h"

namespace sinew::collide {

using deform::Mat34f;
using math::Mat4d;
using math::Rigidd;

/// A tree with limits that programs do not set.
inline SphereTree limited_tree(const model::Character& character, const TreeLimits& limits) {
    return SphereTree(std::make_shared<TreeData>(build_tree_data(
        character.mesh, character.skin, character.has_skeleton() ? &character.skeleton : nullptr, limits)));
}

/// A character, its tree and its palettes.
struct Actor {
    const model::Character& character;
    SphereTree tree;

    Actor(const std::string& name, std::size_t faces, const TreeLimits& limits = {})
        : character(test::sample(name, faces)), tree(limited_tree(character, limits)) {}

    /// Palette of the first clip at a time, moved as a whole.
    std::vector<Mat34f> pose(double time, const Rigidd& positioned = {}) const {
        const model::Clip* clip = model::find_clip(character, "");
        auto palette = model::palette(character.skin, model::world_matrices(character, clip, time));
        for (Mat4d& m : palette) m = positioned.matrix() * m;
        return deform::to_mat34(palette);
    }
};

/// Contains the vertices of a node at a time from 0 to 1, when they move along straight lines from one pose
/// to another: a convex combination of spheres is a sphere.
inline Sphere sphere_at(const Sphere& start, const Sphere& end, double time) {
    return {(1 - time) * start.center + time * end.center, (1 - time) * start.radius + time * end.radius};
}

/// Palette of joints that turn at random about their rest places by at most `angle`, chained by nothing.
inline std::vector<Mat34f> random_palette(const SphereTree& tree, test::Random& random, double angle,
                                          double shift) {
    std::vector<Mat34f> palette;
    for (const Vec3d& center : tree.data().joint_centers) {
        Rigidd turn =
            math::rotation_about<double>(center, random.unit_vector(), random.uniform(-angle, angle));
        turn.translation += random.vector(shift);
        palette.push_back(deform::to_mat34(turn.matrix()));
    }
    return palette;
}

inline Rigidd moved(double x, double y, double z, double turn = 0) {
    return {math::axis_angle<double>(Vec3d::UnitY(), turn), Vec3d(x, y, z)};
}

/// Vertices as the kernels compute them, in mesh order.
inline std::vector<Vec3f> played(const deform::Skinner& skinner, std::span<const Mat34f> palette,
                                 deform::Method method) {
    deform::Skinner::Pose pose(skinner);
    std::vector<Vec3f> out(skinner.vertex_count());
    deform::VertexBuffer buffer;
    buffer.bytes = std::as_writable_bytes(std::span(out));
    buffer.stride = sizeof(Vec3f);
    buffer.normal = -1;
    skinner.deform(palette, method, pose, buffer);
    return out;
}

}  // namespace sinew::collide
