// SPDX-License-Identifier: MIT
#include "reference/deform/reference.h"

#include <algorithm>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Mat3;
using math::Mat4d;
using math::Vec3;
using math::Vec4;
using model::Character;
using model::Clip;
using model::InfluenceSet;
using model::InfluenceSets;
using model::Skin;

namespace {

void check_count(std::string_view what, std::size_t count, std::size_t points) {
    if (count != 0 && count != points) fail("deform", "{} {} for {} vertices", count, what, points);
}

template <class T>
void check_sizes(const RestShape<T>& rest, const Skin& skin, const InfluenceSets& sets, std::size_t palette,
                 const DeformOptions& options) {
    const std::size_t points = rest.positions.size();
    check_count("normals", rest.normals.size(), points);
    check_count("tangents", rest.tangents.size(), points);
    check_count("centres of rotation", options.centers.size(), points);
    if (skin.vertex_count() != points)
        fail("deform", "the skin has {} vertices, the mesh {}", skin.vertex_count(), points);
    if (sets.set_of.size() != points) {
        fail("deform", "the influence sets have {} vertices, the mesh {}", sets.set_of.size(), points);
    }
    if (std::ranges::any_of(sets.sets, [](const InfluenceSet& set) { return set.joint_count == 0; })) {
        fail("deform", "a vertex of the skin has no joint: clean the skin first");
    }
    if (palette != skin.joints.size()) {
        fail("deform", "the palette has {} matrices, the skin {} joints", palette, skin.joints.size());
    }
}

/// normalize(N n); where that is zero by rounding, normalize(M n), then the normal as the heaviest joint
/// moves it.
template <class T>
Vec3<T> move_normal(const Blend<T>& blend, const Vec3<T>& normal, const Mat4d& heaviest,
                    BlendCounts& counts) {
    constexpr T tiny = 64 * std::numeric_limits<T>::epsilon();
    if (normal.squaredNorm() == 0) return normal;
    const Mat3<T> own = heaviest.topLeftCorner<3, 3>().template cast<T>();
    const T size = own.norm() * normal.norm();
    Vec3<T> moved = blend.normals * normal;
    if (moved.norm() > tiny * own.norm() * size) return moved.normalized();
    ++counts.degenerate_normals;
    moved = blend.linear * normal;
    if (moved.norm() > tiny * size) return moved.normalized();
    moved = own * normal;
    return moved.norm() > 0 ? Vec3<T>(moved.normalized()) : normal;
}

/// Tangents move like vectors; one that collapses keeps its direction. The handedness flips under a
/// reflection.
template <class T>
Vec4<T> move_tangent(const Blend<T>& blend, const Vec4<T>& tangent) {
    const Vec3<T> moved = blend.linear * tangent.template head<3>();
    Vec4<T> result = tangent;
    if (moved.norm() > std::numeric_limits<T>::min()) result.template head<3>() = moved;
    if (blend.linear.determinant() < 0) result[3] = -result[3];
    return result;
}

/// Makes tangents unit and perpendicular to the normals (when there are any).
template <class T>
void orthogonalize_tangents(std::span<Vec4<T>> tangents, std::span<const Vec3<T>> normals) {
    for (std::size_t v = 0; v < tangents.size(); ++v) {
        Vec3<T> tangent = tangents[v].template head<3>().stableNormalized();
        if (!normals.empty() && tangent.squaredNorm() > 0) {
            const Vec3<T>& n = normals[v];
            const Vec3<T> across = tangent - n.dot(tangent) * n;
            // A tangent along the normal says nothing: any direction across will do.
            tangent = across.norm() > T(1e-4) ? Vec3<T>(across.normalized()) : Vec3<T>(n.unitOrthogonal());
        }
        tangents[v].template head<3>() = tangent;
    }
}

template <class T>
void deform_set(const RestShape<T>& rest, const InfluenceSets& sets, const InfluenceSet& set,
                std::span<const Mat4d> palette, Blender<T>& blender, DeformResult<T>& result) {
    walk_set(sets, set, blender, [&](const BlendedVertex<T>& at) {
        const std::uint32_t v = at.vertex;
        result.positions[v] = at.blend.linear * rest.positions[v] + at.blend.translation;
        if (!rest.tangents.empty()) result.tangents[v] = move_tangent(at.blend, rest.tangents[v]);
        if (rest.normals.empty()) return;
        result.normals[v] = move_normal(at.blend, rest.normals[v], palette[at.heaviest], result.counts);
    });
}

/// Positions, normals by the blended matrices, tangents not yet across the normals.
template <class T>
DeformResult<T> deform_points(const RestShape<T>& rest, const Skin& skin, const InfluenceSets& sets,
                              std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    check_sizes(rest, skin, sets, palette.size(), options);
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    const BlendSettings settings{extent<T>(rest.positions), options.centers};
    const auto blender = make_blender<T>(method, frames, settings);
    DeformResult<T> result{rest.positions, rest.normals, rest.tangents, {}, {}};
    for (const InfluenceSet& set : sets.sets) {
        deform_set(rest, sets, set, palette, *blender, result);
    }
    const std::size_t degenerate_normals = result.counts.degenerate_normals;
    result.counts = blender->counts();
    result.work = blender->work();
    result.counts.degenerate_normals = degenerate_normals;
    result.counts.nonrigid_joints =
        static_cast<std::size_t>(std::ranges::count_if(frames, [](const JointFrame& f) { return !f.rigid; }));
    return result;
}

/// A shape on the triangles of a mesh.
template <class T>
DeformResult<T> deform_surface(const RestShape<T>& rest, const Mesh& mesh, const Skin& skin,
                               const InfluenceSets& sets, std::span<const Mat4d> palette, Method method,
                               const DeformOptions& given) {
    DeformOptions options = given;
    std::vector<math::Vec3f> centers;
    if (options.centers.empty()) {
        centers = centers_for(method, mesh, skin);
        options.centers = centers;
    }
    DeformResult<T> result = deform_points(rest, skin, sets, palette, method, options);
    orthogonalize_tangents<T>(result.tangents, result.normals);
    return result;
}

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
    std::vector<To> result;
    result.reserve(values.size());
    for (const From& value : values) result.push_back(value.template cast<typename To::Scalar>());
    return result;
}

template <class T>
void add_deltas(std::vector<Vec3<T>>& values, const std::vector<math::Vec3f>& deltas, std::size_t first,
                T weight) {
    for (std::size_t i = 0; i < deltas.size(); ++i) values[first + i] += weight * deltas[i].cast<T>();
}

template <class T>
DeformResult<T> unmoved(RestShape<T>&& rest) {
    return {std::move(rest.positions), std::move(rest.normals), std::move(rest.tangents), {}, {}};
}

}  // namespace

template <class T>
RestShape<T> rest_shape(const Mesh& mesh) {
    return {converted<Vec3<T>>(mesh.positions), converted<Vec3<T>>(mesh.normals),
            converted<math::Vec4<T>>(mesh.tangents)};
}

template <class T>
RestShape<T> morphed(const Mesh& mesh, std::span<const float> weights) {
    if (weights.size() != mesh.morphs.size()) {
        fail("deform", "{} morph weights for {} morphs", weights.size(), mesh.morphs.size());
    }
    RestShape<T> shape = rest_shape<T>(mesh);
    bool turned = false;
    for (std::size_t m = 0; m < weights.size(); ++m) {
        const geometry::Morph& morph = mesh.morphs[m];
        const std::size_t end = morph.first + std::max(morph.positions.size(), morph.normals.size());
        if (end > mesh.vertex_count())
            fail("deform", "morph \"{}\" has more vertices than the mesh", morph.name);
        if (weights[m] == 0) continue;
        add_deltas(shape.positions, morph.positions, morph.first, static_cast<T>(weights[m]));
        if (shape.normals.empty() || morph.normals.empty()) continue;
        add_deltas(shape.normals, morph.normals, morph.first, static_cast<T>(weights[m]));
        turned = true;
    }
    for (std::size_t v = 0; turned && v < shape.normals.size(); ++v) shape.normals[v].stableNormalize();
    return shape;
}

template <class T>
double extent(std::span<const Vec3<T>> points) {
    if (points.empty()) return 0;
    Vec3<T> low = points.front(), high = low;
    for (const Vec3<T>& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    return static_cast<double>((high - low).norm());
}

template <class T>
DeformResult<T> deform(const RestShape<T>& rest, const Skin& skin, const InfluenceSets& sets,
                       std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    DeformResult<T> result = deform_points(rest, skin, sets, palette, method, options);
    orthogonalize_tangents<T>(result.tangents, result.normals);
    return result;
}

template <class T>
DeformResult<T> deform(const Mesh& mesh, const Skin& skin, const InfluenceSets& sets,
                       std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    RestShape<T> rest = rest_shape<T>(mesh);
    if (skin.empty()) return unmoved(std::move(rest));
    return deform_surface(rest, mesh, skin, sets, palette, method, options);
}

template <class T>
DeformResult<T> deform(const Character& character, const Clip* clip, double time, Method method,
                       const DeformOptions& options) {
    RestShape<T> rest = morphed<T>(character.mesh, morph_weights(character, clip, time));
    if (!character.has_skin()) return unmoved(std::move(rest));
    const InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
    const std::vector<Mat4d> palette = model::palette(character.skin, world_matrices(character, clip, time));
    return deform_surface(rest, character.mesh, character.skin, sets, palette, method, options);
}

#define SINEW_INSTANTIATE(T)                                                                  \
    template RestShape<T> rest_shape<T>(const Mesh&);                                         \
    template RestShape<T> morphed<T>(const Mesh&, std::span<const float>);                    \
    template double extent(std::span<const Vec3<T>>);                                         \
    template DeformResult<T> deform(const RestShape<T>&, const Skin&, const InfluenceSets&,   \
                                    std::span<const Mat4d>, Method, const DeformOptions&);    \
    template DeformResult<T> deform<T>(const Mesh&, const Skin&, const InfluenceSets&,        \
                                       std::span<const Mat4d>, Method, const DeformOptions&); \
    template DeformResult<T> deform<T>(const Character&, const Clip*, double, Method, const DeformOptions&);
SINEW_INSTANTIATE(float)
SINEW_INSTANTIATE(double)
#undef SINEW_INSTANTIATE

}  // namespace sinew::deform
