#include "sinew/render/figures.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "sinew/deform/axioms.h"
#include "sinew/deform/blend.h"
#include "sinew/geometry/mesh.h"
#include "sinew/math/blend.h"

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

/// Palette entry of the parent of a joint, or none.
std::optional<std::size_t> parent_entry(const BlendScene& scene, std::size_t entry) {
    const int parent = scene.skeleton.joints[static_cast<std::size_t>(scene.skin.joints[entry].joint)].parent;
    for (std::size_t i = 0; i < scene.skin.joints.size(); ++i)
        if (parent >= 0 && scene.skin.joints[i].joint == parent) return i;
    return std::nullopt;
}

/// The path of a vertex as the weight goes from motion a to motion b.
void add_path(Overlay& overlay, const math::BlendFunction& blend, const Rigidd& a, const Rigidd& b,
             const Vec3d& rest, const Vec4f& color) {
    constexpr int steps = 16;
    const std::array motions = {a, b};
    Vec3f last = (a * rest).cast<float>();
    for (int k = 1; k <= steps; ++k) {
        const double t = static_cast<double>(k) / steps;
        const std::array weights = {1 - t, t};
        const Vec3f next = math::transform_point(blend(weights, motions), rest).cast<float>();
        overlay.segments.push_back({last, next, color, 1.5f});
        last = next;
    }
}

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
        Vec3d place = Vec3d::Zero();
        for (const Rigidd& motion : motions) place += motion * center / static_cast<double>(motions.size());
        overlay.spheres.push_back(
            {place.cast<float>(), static_cast<float>(0.006 * size), set_color(scene.sets, s)});
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
        // The point of the axis nearest to the joint's rest place, then both into the pose.
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
    const math::BlendFunction blend = deform::blend_of(method);
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t v = 0; v < scene.skin.vertex_count(); ++v)
        if (scene.skin.of(v).size() > 1) candidates.push_back(v);
    const std::size_t stride = std::max<std::size_t>(1, candidates.size() / std::max<std::size_t>(1, count));
    for (std::size_t i = stride / 2; i < candidates.size(); i += stride) {
        const std::uint32_t v = candidates[i];
        std::vector<model::Influence> list(scene.skin.of(v).begin(), scene.skin.of(v).end());
        std::ranges::stable_sort(list, std::greater{}, &model::Influence::weight);
        add_path(overlay, blend, rigid_part(scene.palette[list[0].joint]),
                rigid_part(scene.palette[list[1].joint]), scene.rest[v].cast<double>(),
                opaque(set_color(scene.sets, scene.sets.set_of[v])));
    }
    return overlay;
}

}  // namespace sinew::render
