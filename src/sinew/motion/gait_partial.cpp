#include "sinew/motion/gait_partial.h"

#include <algorithm>

namespace sinew::motion {

using model::Role;

namespace {

bool is_lower(Role role) {
    return role == Role::hips || role == Role::thigh || role == Role::shin || role == Role::foot ||
           role == Role::toe;
}

/// Joint of the skeleton with the greatest weight on a vertex.
int heaviest_joint(const model::Skin& skin, std::size_t vertex) {
    const auto list = skin.of(vertex);
    const auto best = std::max_element(list.begin(), list.end(),
                                       [](const auto& a, const auto& b) { return a.weight < b.weight; });
    return best == list.end() ? -1 : skin.joints[best->joint].joint;
}

}  // namespace

std::vector<bool> lower_body_joints(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<bool> lower(skeleton.size(), false);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        // A joint without a role goes with the one above it.
        lower[j] =
            roles[j] ? is_lower(roles[j].role) : parent >= 0 && lower[static_cast<std::size_t>(parent)];
    }
    return lower;
}

model::Character part_of(const model::Character& character, const std::vector<bool>& joints, bool measured) {
    std::vector<bool> inside(character.mesh.vertex_count(), measured);
    for (std::size_t v = 0; character.has_skin() && v < inside.size(); ++v) {
        const int joint = heaviest_joint(character.skin, v);
        inside[v] = joint >= 0 && joints[static_cast<std::size_t>(joint)];
    }
    model::Character part = character;
    part.mesh.triangles.clear();
    part.mesh.parts.clear();
    for (geometry::Part run : geometry::parts_of(character.mesh)) {
        const std::uint32_t end = run.first + run.count;
        const auto first = static_cast<std::uint32_t>(part.mesh.triangles.size());
        for (std::uint32_t t = run.first; t < end; ++t) {
            const geometry::Triangle& triangle = character.mesh.triangles[t];
            const auto votes =
                std::count_if(triangle.begin(), triangle.end(), [&](auto v) { return inside[v]; });
            if ((votes >= 2) == measured) part.mesh.triangles.push_back(triangle);
        }
        run.first = first;
        run.count = static_cast<std::uint32_t>(part.mesh.triangles.size()) - first;
        if (run.count > 0) part.mesh.parts.push_back(run);
    }
    return part;
}

}  // namespace sinew::motion
