// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "sinew/base/array.h"
#include "sinew/deform/skinner.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/blend.h"
#include "sinew/render/figures.h"

namespace sinew::render {
namespace {

using math::Mat4d;
using math::Rigidd;
using math::Vec3d;

Rigidd rigid_part(const Mat4d& m) {
    return {math::from_matrix<double>(m.topLeftCorner<3, 3>()), Vec3d(m.topRightCorner<3, 1>())};
}

geometry::Box box_of(std::span<const Vec3f> points) {
    geometry::Box box;
    for (const Vec3f& p : points) box.include(p);
    return box;
}

std::vector<Rigidd> motions_of(const BlendScene& scene, const model::InfluenceSet& set) {
    std::vector<Rigidd> motions;
    for (const std::uint32_t joint : scene.sets.joints_of(set))
        motions.push_back(rigid_part(scene.palette[joint]));
    return motions;
}

/// Palette entry of the parent of a joint; empty when there is none.
std::optional<std::size_t> parent_entry(const BlendScene& scene, std::size_t entry) {
    const int parent = scene.skeleton.joints[at(scene.skin.joints[entry].joint)].parent;
    for (std::size_t i = 0; i < scene.skin.joints.size(); ++i)
        if (parent >= 0 && scene.skin.joints[i].joint == parent) return i;
    return std::nullopt;
}

/// Number of steps of a path.
constexpr int path_steps = 16;

/// Paths of vertices as the weight passes from one joint to another, blended by the skinner with additional
/// joints that are at the origin at rest.
class WeightPaths {
  public:
    explicit WeightPaths(const BlendScene& scene) {
        for (std::size_t j = 0; j < scene.palette.size(); ++j) {
            skin_.joints.push_back({static_cast<int>(j), Mat4d::Identity()});
            palette_.push_back(deform::to_mat34(rigid_part(scene.palette[j]).matrix()));
        }
    }

    void add(const Vec3f& rest, std::uint32_t from, std::uint32_t to) {
        for (int k = 0; k <= path_steps; ++k) {
            const float t = static_cast<float>(k) / path_steps;
            std::vector<model::Influence> list;
            if (t < 1) list.push_back({from, 1 - t});
            if (t > 0) list.push_back({to, t});
            skin_.push_vertex(list);
            mesh_.positions.push_back(rest);
        }
    }

    /// path_steps + 1 positions for each added vertex.
    std::vector<Vec3f> positions(deform::Method method) const {
        std::vector<Vec3f> result(mesh_.positions.size());
        if (result.empty()) return result;
        const deform::Skinner skinner(mesh_, skin_, nullptr);
        deform::Skinner::Pose pose(skinner);
        skinner.deform(palette_, method, pose,
                       deform::VertexBuffer{std::as_writable_bytes(std::span(result)), sizeof(Vec3f), 0, -1});
        return result;
    }

  private:
    geometry::Mesh mesh_;
    model::Skin skin_;
    std::vector<deform::Mat34f> palette_;
};

}  // namespace

Overlay center_overlay(const BlendScene& scene) {
    Overlay overlay;
    overlay.layer = Layer::top;
    const geometry::Box box = box_of(scene.rest);
    const double size = std::max(1e-9f, box.diagonal());
    for (std::size_t s = 0; s < scene.sets.sets.size(); ++s) {
        if (scene.sets.sets[s].joint_count < 2) continue;
        const std::vector<Rigidd> motions = motions_of(scene, scene.sets.sets[s]);
        const Vec3d center = math::rotation_center({}, motions).center;
        if ((center - box.center().cast<double>()).norm() > size) continue;
        Vec3d position = Vec3d::Zero();
        for (const Rigidd& motion : motions)
            position += motion * center / static_cast<double>(motions.size());
        overlay.spheres.push_back(
            {position.cast<float>(), static_cast<float>(0.006 * size), set_color(scene.sets, s)});
    }
    return overlay;
}

Overlay screw_overlay(const BlendScene& scene) {
    Overlay overlay;
    overlay.layer = Layer::top;
    const double length = 0.08 * box_of(scene.rest).diagonal();
    for (std::size_t entry = 0; entry < scene.skin.joints.size(); ++entry) {
        const std::optional<std::size_t> parent = parent_entry(scene, entry);
        if (!parent) continue;
        const Rigidd base = rigid_part(scene.palette[*parent]);
        const Rigidd relative = base.inverse() * rigid_part(scene.palette[entry]);
        const math::Screw<double> screw = math::to_screw(math::to_dual_quaternion(relative));
        if (screw.angle < math::radians(1)) continue;
        // The point of the axis nearest to the joint's rest position; then the axis is moved into the pose.
        const Vec3d foot = screw.direction.cross(screw.moment);
        const Vec3d rest = deform::rest_center(scene.skin.joints[entry].inverse_bind);
        const Vec3d middle = foot + screw.direction * screw.direction.dot(rest - foot);
        const Vec3d half = 0.5 * length * screw.direction;
        const Vec3f color = joint_color(static_cast<std::size_t>(scene.skin.joints[entry].joint));
        overlay.segments.push_back({(base * Vec3d(middle - half)).cast<float>(),
                                    (base * Vec3d(middle + half)).cast<float>(), opaque(color), 3.0f});
        overlay.points.push_back({(base * middle).cast<float>(), opaque(color), 4.0f});
    }
    return overlay;
}

Overlay trajectory_overlay(const BlendScene& scene, deform::Method method, std::size_t count) {
    Overlay overlay;
    overlay.layer = Layer::top;
    if (method == deform::Method::cor) return overlay;
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t v = 0; v < scene.skin.vertex_count(); ++v)
        if (scene.skin.of(v).size() > 1) candidates.push_back(v);
    const std::size_t stride = std::max<std::size_t>(1, candidates.size() / std::max<std::size_t>(1, count));
    WeightPaths paths(scene);
    std::vector<Vec4f> colors;
    for (std::size_t i = stride / 2; i < candidates.size(); i += stride) {
        const std::uint32_t v = candidates[i];
        std::vector<model::Influence> list(scene.skin.of(v).begin(), scene.skin.of(v).end());
        std::ranges::stable_sort(list, std::greater{}, &model::Influence::weight);
        paths.add(scene.rest[v], list[0].joint, list[1].joint);
        colors.push_back(opaque(set_color(scene.sets, scene.sets.set_of[v])));
    }
    const std::vector<Vec3f> points = paths.positions(method);
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (p % (path_steps + 1) == 0) continue;
        overlay.segments.push_back({points[p - 1], points[p], colors[p / (path_steps + 1)], 1.5f});
    }
    return overlay;
}

}  // namespace sinew::render
