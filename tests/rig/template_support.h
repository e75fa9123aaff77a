// SPDX-License-Identifier: MIT
#pragma once
// Bodies for template tests.

#include "sinew/io/io.h"
#include "sinew/model/roles.h"
#include "sinew/model/skin.h"
#include "sinew/rig/measure.h"
#include "sinew/rig/templates/template_fit.h"

namespace sinew::test {

/// The mesh as its skin puts it at the skeleton's rest pose, where bind and rest pose differ.
inline geometry::Mesh mesh_at_rest(const model::Character& character) {
    geometry::Mesh mesh;
    mesh.positions = character.mesh.positions;
    mesh.triangles = character.mesh.triangles;
    if (character.skin.empty()) return mesh;
    const auto palette = model::palette(character.skin, model::rest_world_matrices(character.skeleton));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        math::Vec3d sum = math::Vec3d::Zero();
        for (const model::Influence& influence : character.skin.of(v))
            sum +=
                static_cast<double>(influence.weight) *
                math::transform_point(palette[influence.joint], character.mesh.positions[v].cast<double>());
        mesh.positions[v] = sum.cast<float>();
    }
    return mesh;
}

/// Mean distance of the body's joints (no fingers) from those of the same role, in percent of the diagonal.
inline double body_error(const model::Skeleton& reference, const rig::TemplateFit& fit, double diagonal) {
    const auto roles = model::find_roles(reference);
    const auto want = model::joint_positions(model::rest_world_matrices(reference));
    const auto have = model::joint_positions(model::rest_world_matrices(fit.skeleton));
    double sum = 0;
    int count = 0;
    for (std::size_t j = 0; j < roles.size(); ++j) {
        const bool finger = roles[j].role >= model::Role::thumb && roles[j].role <= model::Role::little;
        if (!roles[j] || finger) continue;
        const auto found = std::find(fit.roles.begin(), fit.roles.end(), roles[j]);
        if (found == fit.roles.end()) continue;
        sum += (want[j] - have[static_cast<std::size_t>(found - fit.roles.begin())]).norm();
        ++count;
    }
    return count == 0 ? 100 : 100 * sum / count / diagonal;
}

inline double diagonal(const geometry::Mesh& mesh) {
    return static_cast<double>(geometry::bounds(mesh.positions).diagonal());
}

}  // namespace sinew::test
