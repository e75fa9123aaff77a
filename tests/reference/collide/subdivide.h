// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Finer meshes for measuring how work grows.

#include <map>

#include "sinew/model/character.h"

namespace sinew::collide {

/// Both lists with half their weights; `clean` merges joints that occur twice.
inline std::vector<model::Influence> halves(const model::Skin& skin, std::uint32_t a, std::uint32_t b) {
    std::vector<model::Influence> list;
    for (const std::uint32_t v : {a, b}) {
        for (const model::Influence& influence : skin.of(v))
            list.push_back({influence.joint, influence.weight / 2});
    }
    return list;
}

/// Every triangle in four, new vertices in the middle of edges with the mean of the weights of their ends.
/// The rest shape is the same; posed, it differs only inside triangles whose corners follow different joints.
/// Positions, triangles and skin are kept, other attributes are not. At most `max_influences` joints a
/// vertex, 0 for all.
inline model::Character subdivided(const model::Character& character, int max_influences = 4) {
    model::Character finer;
    finer.name = character.name;
    finer.skeleton = character.skeleton;
    finer.clips = character.clips;
    finer.unit = character.unit;
    finer.skin = character.skin;
    finer.mesh.positions = character.mesh.positions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto edge = std::minmax(a, b);
        const auto [it, fresh] =
            middles.try_emplace(edge, static_cast<std::uint32_t>(finer.mesh.positions.size()));
        if (fresh) {
            finer.mesh.positions.push_back((finer.mesh.positions[a] + finer.mesh.positions[b]) / 2);
            if (!finer.skin.empty()) finer.skin.push_vertex(halves(character.skin, a, b));
        }
        return it->second;
    };
    for (const geometry::Triangle& t : character.mesh.triangles) {
        const std::uint32_t m[3]{middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])};
        finer.mesh.triangles.push_back({t[0], m[0], m[2]});
        finer.mesh.triangles.push_back({m[0], t[1], m[1]});
        finer.mesh.triangles.push_back({m[2], m[1], t[2]});
        finer.mesh.triangles.push_back({m[0], m[1], m[2]});
    }
    if (!finer.skin.empty()) model::clean(finer.skin, {max_influences, 0});
    return finer;
}

}  // namespace sinew::collide
