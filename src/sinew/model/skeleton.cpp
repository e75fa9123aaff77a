// SPDX-License-Identifier: MIT
#include "sinew/model/skeleton.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "sinew/base/error.h"

namespace sinew::model {

int Skeleton::find(std::string_view name) const {
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].name == name) return static_cast<int>(j);
    }
    return -1;
}

std::vector<Mat4d> world_matrices(const Skeleton& skeleton, std::span<const Transform> local) {
    std::vector<Mat4d> world(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        const Mat4d matrix = local[j].matrix();
        world[j] = parent < 0 ? matrix : Mat4d(world[static_cast<std::size_t>(parent)] * matrix);
    }
    return world;
}

std::vector<Mat4d> rest_world_matrices(const Skeleton& skeleton) {
    std::vector<Transform> local;
    local.reserve(skeleton.size());
    for (const Joint& joint : skeleton.joints) local.push_back(joint.rest);
    return world_matrices(skeleton, local);
}

std::vector<Vec3d> joint_positions(std::span<const Mat4d> world) {
    std::vector<Vec3d> positions;
    positions.reserve(world.size());
    for (const Mat4d& matrix : world) positions.emplace_back(matrix.topRightCorner<3, 1>());
    return positions;
}

std::vector<Bone> bones(const Skeleton& skeleton, std::span<const Mat4d> world) {
    std::vector<Bone> result;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Joint& joint = skeleton.joints[j];
        const Vec3d here = world[j].topRightCorner<3, 1>();
        if (joint.parent >= 0) {
            const Vec3d start = world[static_cast<std::size_t>(joint.parent)].topRightCorner<3, 1>();
            result.push_back({joint.parent, static_cast<int>(j), start, here});
        }
        if (joint.tip)
            result.push_back({static_cast<int>(j), -1, here, math::transform_point(world[j], *joint.tip)});
    }
    return result;
}

std::vector<std::vector<int>> children(const Skeleton& skeleton) {
    std::vector<std::vector<int>> result(skeleton.size());
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const int parent = skeleton.joints[j].parent;
        if (parent >= 0) result[static_cast<std::size_t>(parent)].push_back(static_cast<int>(j));
    }
    return result;
}

double height(const Skeleton& skeleton) {
    const std::vector<Mat4d> world = rest_world_matrices(skeleton);
    if (world.empty()) return 0;
    Vec3d low = world[0].topRightCorner<3, 1>(), high = low;
    const auto include = [&](const Vec3d& point) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    };
    for (std::size_t j = 0; j < world.size(); ++j) {
        include(world[j].topRightCorner<3, 1>());
        if (skeleton.joints[j].tip) include(math::transform_point(world[j], *skeleton.joints[j].tip));
    }
    return (high - low).maxCoeff();
}

std::vector<int> parents_first(std::span<const int> parents, std::string_view location) {
    const int count = static_cast<int>(parents.size());
    std::vector<int> order;
    order.reserve(parents.size());
    std::vector<char> state(parents.size(), 0);  // 0 not visited, 1 on the current path to the root, 2 done
    std::vector<int> chain;
    for (int start = 0; start < count; ++start) {
        for (int j = start; j >= 0 && state[static_cast<std::size_t>(j)] != 2;) {
            const auto index = static_cast<std::size_t>(j);
            if (state[index] == 1) fail(location, "joint {} is its own ancestor", j);
            if (parents[index] >= count || parents[index] < -1)
                fail(location, "joint {} names parent {} of {}", j, parents[index], count);
            state[index] = 1;
            chain.push_back(j);
            j = parents[index];
        }
        for (; !chain.empty(); chain.pop_back()) {
            order.push_back(chain.back());
            state[static_cast<std::size_t>(chain.back())] = 2;
        }
    }
    return order;
}

int make_names_unique(Skeleton& skeleton) {
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, int> next;
    int changed = 0;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        std::string& name = skeleton.joints[j].name;
        const std::string wanted = name.empty() ? fmt::format("joint_{}", j) : name;
        std::string candidate = wanted;
        int& number = next.try_emplace(wanted, 2).first->second;
        while (!taken.insert(candidate).second) candidate = fmt::format("{}_{}", wanted, number++);
        changed += candidate != name;
        name = std::move(candidate);
    }
    return changed;
}

void validate(const Skeleton& skeleton, std::string_view location) {
    std::unordered_set<std::string_view> names;
    for (std::size_t j = 0; j < skeleton.size(); ++j) {
        const Joint& joint = skeleton.joints[j];
        if (joint.parent < -1 || joint.parent >= static_cast<int>(j)) {
            fail(location, "joint {} \"{}\" does not come after its parent {}", j, joint.name, joint.parent);
        }
        if (!names.insert(joint.name).second) fail(location, "two joints are named \"{}\"", joint.name);
        const Transform& rest = joint.rest;
        const bool finite = rest.translation.allFinite() && rest.rotation.coeffs().allFinite() &&
                            rest.scale.allFinite() && (!joint.tip || joint.tip->allFinite());
        if (!finite) fail(location, "joint \"{}\" has a rest pose that is not finite", joint.name);
        if (std::abs(rest.rotation.norm() - 1) > 1e-6) {
            fail(location, "joint \"{}\" has a rest rotation of length {}", joint.name, rest.rotation.norm());
        }
    }
}

}  // namespace sinew::model
