// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sinew/base/array.h"
#include "sinew/gait/gait.h"

namespace sinew::gait {

using model::Role;

namespace {

bool is_lower(Role role) {
    return role == Role::hips || role == Role::thigh || role == Role::shin || role == Role::foot ||
           role == Role::toe;
}

/// Joint of the skeleton with the largest weight on a vertex.
int heaviest_joint(const model::Skin& skin, std::size_t vertex) {
    const auto list = skin.of(vertex);
    const auto best = std::max_element(list.begin(), list.end(),
                                       [](const auto& a, const auto& b) { return a.weight < b.weight; });
    return best == list.end() ? -1 : skin.joints[best->joint].joint;
}

/// Ends of limbs: they count as measured when the limb was measured.
bool rides_along(const model::JointRole& role) {
    switch (role.role) {
        case Role::none:
        case Role::jaw:
        case Role::eye:
        case Role::ear:
        case Role::hand:
        case Role::thumb:
        case Role::index:
        case Role::middle:
        case Role::ring:
        case Role::little:
        case Role::toe:
            return true;
        default:
            return false;
    }
}

/// A transparent copy of a material; a grey one when there is none.
int ghost_material(geometry::Mesh& mesh, int material) {
    constexpr float opacity = 0.22f;
    geometry::Material ghost = material < 0 ? geometry::Material{} : mesh.materials[at(material)];
    ghost.name += ghost.name.empty() ? "not measured" : ", not measured";
    ghost.base_color.w() *= opacity;
    ghost.alpha_mode = geometry::AlphaMode::blend;
    mesh.materials.push_back(std::move(ghost));
    return static_cast<int>(mesh.materials.size()) - 1;
}

}  // namespace

std::vector<bool> lower_body_joints(const model::Skeleton& skeleton) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<bool> lower(skeleton.size(), false);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        // A joint without a role follows its parent.
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

std::vector<bool> measured_joints(const model::Skeleton& skeleton, const std::vector<std::string>& held) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    std::vector<bool> measured(skeleton.size(), true);
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const model::Joint& joint = skeleton.joints[j];
        if (std::ranges::count(held, joint.name) == 0) continue;
        measured[j] = rides_along(roles[j]) && joint.parent >= 0 && measured[at(joint.parent)];
    }
    return measured;
}

std::vector<bool> measured_joints(const model::Skeleton& target, const model::Skeleton& source,
                                  const std::vector<bool>& measured,
                                  const std::vector<std::pair<std::string, std::string>>& mapped) {
    std::vector<bool> result(target.size(), true);
    for (std::size_t j = 0; j < target.size(); ++j) {
        const model::Joint& joint = target.joints[j];
        const auto pair = std::ranges::find(mapped, joint.name, &std::pair<std::string, std::string>::second);
        const int from = pair == mapped.end() ? -1 : source.find(pair->first);
        if (from >= 0)
            result[j] = measured[at(from)];
        else if (joint.parent >= 0)
            result[j] = result[at(joint.parent)];
    }
    return result;
}

void relax_unmeasured_arms(const model::Skeleton& skeleton, const std::vector<bool>& measured,
                           model::Clip& clip) {
    const std::vector<model::JointRole> roles = model::find_roles(skeleton);
    const auto rest = model::rest_world_matrices(skeleton);
    const auto positions = model::joint_positions(rest);
    for (const model::Side side : {model::Side::left, model::Side::right}) {
        const int arm = model::find_role(roles, Role::upper_arm, side),
                  elbow = model::find_role(roles, Role::forearm, side);
        if (arm < 0 || elbow < 0 || measured[at(arm)]) continue;
        const double out = side == model::Side::left ? 0.3 : -0.3;
        const math::Quatd down = math::rotation_between<double>(
            (positions[at(elbow)] - positions[at(arm)]).normalized(), math::Vec3d(out, -1, 0).normalized());
        // In the frame of the parent: P^-1 D P times the rotation at rest.
        const int parent = skeleton.joints[at(arm)].parent;
        const math::Quatd above =
            parent < 0 ? math::Quatd::Identity() : math::decompose(rest[at(parent)]).transform.rotation;
        model::Track track;
        track.joint = arm;
        track.rotation.times = model::KeyTimes::even(0, 1, 1);
        track.rotation.values = {(above.conjugate() * down * above * skeleton.joints[at(arm)].rest.rotation)
                                     .normalized()
                                     .cast<float>()};
        std::erase_if(clip.tracks, [&](const model::Track& each) { return each.joint == arm; });
        clip.tracks.push_back(std::move(track));
    }
    std::ranges::stable_sort(clip.tracks, {}, &model::Track::joint);
}

void show_unmeasured(model::Character& character, const std::vector<bool>& measured, Unmeasured how) {
    if (how == Unmeasured::hold || std::ranges::count(measured, false) == 0) return;
    model::Character seen = part_of(character, measured, true);
    if (how == Unmeasured::ghost) {
        const model::Character rest = part_of(character, measured, false);
        const auto first = static_cast<std::uint32_t>(seen.mesh.triangles.size());
        seen.mesh.triangles.insert(seen.mesh.triangles.end(), rest.mesh.triangles.begin(),
                                   rest.mesh.triangles.end());
        for (geometry::Part part : rest.mesh.parts) {
            part.first += first;
            part.material = ghost_material(seen.mesh, part.material);
            seen.mesh.parts.push_back(std::move(part));
        }
    }
    character.mesh = std::move(seen.mesh);
}

}  // namespace sinew::gait
