// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Contacts from the definition: every triangle against every other, by the reference test.

#include <algorithm>

#include "sinew/collide/query.h"
#include "sinew/collide/tree/tree_data.h"
#include "sinew/collide/triangle/triangle_pair.h"

namespace sinew::collide {

/// Every triangle of one against every one of the other.
inline std::vector<Contact> brute_force_contacts(Body& a, Body& b, double tolerance = 0) {
    std::vector<Contact> out;
    const std::vector<Corners> all_a = posed_triangles(a), all_b = posed_triangles(b);
    const auto low = [](const Corners& t) { return Vec3d(t[0].cwiseMin(t[1]).cwiseMin(t[2])); };
    const auto high = [](const Corners& t) { return Vec3d(t[0].cwiseMax(t[1]).cwiseMax(t[2])); };
    for (std::uint32_t i = 0; i < all_a.size(); ++i) {
        const Vec3d low_a = low(all_a[i]).array() - tolerance, high_a = high(all_a[i]).array() + tolerance;
        for (std::uint32_t k = 0; k < all_b.size(); ++k) {
            if ((low_a.array() > high(all_b[k]).array()).any() ||
                (low(all_b[k]).array() > high_a.array()).any())
                continue;
            const bool near = tolerance > 0 ? squared_distance(all_a[i], all_b[k]) <= tolerance * tolerance
                                            : triangles_meet_reference(all_a[i], all_b[k]);
            if (near) out.push_back({i, k});
        }
    }
    return out;
}

/// Every pair of triangles of one body that share no corner.
inline std::vector<Contact> brute_force_self_contacts(Body& body) {
    const TreeData& tree = body.tree().data();
    const auto share_corner = [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::any_of(tree.triangles[a], [&](std::uint32_t x) {
            return std::ranges::any_of(tree.triangles[b],
                                       [&](std::uint32_t y) { return tree.welds[x] == tree.welds[y]; });
        });
    };
    const std::vector<Corners> all = posed_triangles(body);
    std::vector<Contact> out;
    for (std::uint32_t i = 0; i < tree.triangles.size(); ++i) {
        for (std::uint32_t k = i + 1; k < tree.triangles.size(); ++k) {
            const std::uint32_t a = tree.triangle_ids[i], b = tree.triangle_ids[k];
            if (!share_corner(i, k) && triangles_meet_reference(all[a], all[b]))
                out.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    std::ranges::sort(out);
    return out;
}

}  // namespace sinew::collide
