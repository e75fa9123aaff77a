#include "sinew/deform/mix.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::deform {

using math::Mat4d;
using math::Vec3;
using math::Vec3d;
using math::Vec4;
using model::Bone;

namespace {

Vec3d nearest_on(const Vec3d& start, const Vec3d& end, const Vec3d& point) {
    const Vec3d along = end - start;
    const double square = along.squaredNorm();
    if (square == 0) return start;
    return start + std::clamp(along.dot(point - start) / square, 0.0, 1.0) * along;
}

/// The bone of a joint that is nearest to a rest point, or null.
const Bone* nearest_bone(std::span<const Bone> bones, int joint, const Vec3d& point) {
    const Bone* nearest = nullptr;
    double least = HUGE_VAL;
    for (const Bone& bone : bones) {
        const double distance = (point - nearest_on(bone.start, bone.end, point)).norm();
        if (bone.joint != joint || distance >= least) continue;
        nearest = &bone;
        least = distance;
    }
    return nearest;
}

Vec3d pulled(const Vec3d& moved, const Vec3d& rest, const Bone& bone, const Mat4d& matrix, double strength,
             RadiusRule rule) {
    const double radius = (rest - nearest_on(bone.start, bone.end, rest)).norm();
    const Vec3d anchor =
        nearest_on(math::transform_point(matrix, bone.start), math::transform_point(matrix, bone.end), moved);
    const double distance = (moved - anchor).norm();
    if (distance <= (rule == RadiusRule::limit ? radius : 1e-9 * radius)) return moved;
    return anchor + std::pow(radius / distance, strength) * (moved - anchor);
}

}  // namespace

Vec3d with_rest_radius(const Vec3d& moved, const Vec3d& rest, std::span<const model::Influence> influences,
                       const model::Skin& skin, std::span<const Bone> bones, std::span<const Mat4d> palette,
                       double strength, RadiusRule rule) {
    Vec3d sum = Vec3d::Zero();
    double total = 0;
    for (const model::Influence& influence : influences) {
        const Bone* bone = nearest_bone(bones, skin.joints[influence.joint].joint, rest);
        const double w = influence.weight;
        total += w;
        sum += w * (bone == nullptr ? moved
                                    : pulled(moved, rest, *bone, palette[influence.joint], strength, rule));
    }
    return total > 0 ? Vec3d(sum / total) : moved;
}

template <class T>
DeformResult<T> mix(const DeformResult<T>& a, const DeformResult<T>& b, std::span<const float> factors) {
    const std::size_t count = a.positions.size();
    if (b.positions.size() != count || factors.size() != count || b.normals.size() != a.normals.size() ||
        b.tangents.size() != a.tangents.size()) {
        fail("deform", "{} and {} vertices with {} factors cannot be mixed", count, b.positions.size(),
             factors.size());
    }
    DeformResult<T> result = a;
    for (std::size_t v = 0; v < count; ++v) {
        const T f = static_cast<T>(factors[v]);
        result.positions[v] = (1 - f) * a.positions[v] + f * b.positions[v];
        if (!a.normals.empty()) {
            const Vec3<T> normal = (1 - f) * a.normals[v] + f * b.normals[v];
            if (normal.norm() > T(1e-6)) result.normals[v] = normal.normalized();
        }
        if (!a.tangents.empty()) {
            result.tangents[v].template head<3>() =
                (1 - f) * a.tangents[v].template head<3>() + f * b.tangents[v].template head<3>();
        }
    }
    orthogonalize_tangents<T>(result.tangents, result.normals);
    return result;
}

template <class T>
void limit_bulge(std::vector<Vec3<T>>& positions, const RestShape<T>& rest, const model::Skin& skin,
                 std::span<const Bone> bones, std::span<const Mat4d> palette, double strength) {
    if (positions.size() != skin.vertex_count() || rest.positions.size() != skin.vertex_count() ||
        palette.size() != skin.joints.size()) {
        fail("deform", "the skin has {} vertices and {} joints, the shape {} and the palette {}",
             skin.vertex_count(), skin.joints.size(), positions.size(), palette.size());
    }
    for (std::size_t v = 0; v < positions.size(); ++v) {
        positions[v] =
            with_rest_radius(positions[v].template cast<double>(), rest.positions[v].template cast<double>(),
                             skin.of(v), skin, bones, palette, strength, RadiusRule::limit)
                .template cast<T>();
    }
}

#define SINEW_INSTANTIATE(T)                                                                              \
    template DeformResult<T> mix(const DeformResult<T>&, const DeformResult<T>&, std::span<const float>); \
    template void limit_bulge(std::vector<Vec3<T>>&, const RestShape<T>&, const model::Skin&,             \
                              std::span<const Bone>, std::span<const Mat4d>, double);
SINEW_INSTANTIATE(float)
SINEW_INSTANTIATE(double)
#undef SINEW_INSTANTIATE

}  // namespace sinew::deform
