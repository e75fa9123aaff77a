#include "sinew/deform/reference.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/blend_walk.h"
#include "sinew/deform/skinner.h"
#include "sinew/deform/weight_gradient.h"
#include "sinew/geometry/topology.h"

namespace sinew::deform {

using geometry::Mesh;
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

bool needs_surface(NormalMode mode) {
    return mode == NormalMode::weight_gradient || mode == NormalMode::recomputed;
}

template <class T>
void deform_set(const RestShape<T>& rest, const InfluenceSets& sets, const InfluenceSet& set,
                std::span<const Mat4d> palette, NormalMode mode, Blender<T>& blender,
                DeformResult<T>& result) {
    walk_set(sets, set, blender, [&](const BlendedVertex<T>& at) {
        const std::uint32_t v = at.vertex;
        result.positions[v] = at.blend.linear * rest.positions[v] + at.blend.translation;
        if (!rest.tangents.empty()) result.tangents[v] = move_tangent(at.blend, rest.tangents[v]);
        if (rest.normals.empty()) return;
        result.normals[v] = move_normal(at.blend, rest.normals[v], palette[at.heaviest], mode, result.counts);
    });
}

/// Positions, normals by the blended matrices, tangents not yet across the normals.
template <class T>
DeformResult<T> deform_points(const RestShape<T>& rest, const Skin& skin, const InfluenceSets& sets,
                              std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    check_sizes(rest, skin, sets, palette.size(), options);
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    const BlendSettings settings{options.signs, extent<T>(rest.positions), options.centers};
    const auto blender = make_blender<T>(method, frames, settings);
    DeformResult<T> result{rest.positions, rest.normals, rest.tangents, {}, {}};
    for (const InfluenceSet& set : sets.sets) {
        deform_set(rest, sets, set, palette, options.normals, *blender, result);
    }
    const std::size_t degenerate_normals = result.counts.degenerate_normals;
    result.counts = blender->counts();
    result.work = blender->work();
    result.counts.degenerate_normals = degenerate_normals;
    result.counts.nonrigid_joints =
        static_cast<std::size_t>(std::ranges::count_if(frames, [](const JointFrame& f) { return !f.rigid; }));
    return result;
}

template <class T>
std::vector<Vec3<double>> widened(const std::vector<Vec3<T>>& values) {
    std::vector<Vec3<double>> result;
    for (const Vec3<T>& value : values) result.push_back(value.template cast<double>());
    return result;
}

/// Normals that need the surface around a vertex.
template <class T>
std::vector<Vec3<T>> surface_normals(const DeformResult<T>& result, const RestShape<T>& rest,
                                     const Mesh& mesh, const Skin& skin, const InfluenceSets& sets,
                                     std::span<const Mat4d> palette, Method method,
                                     const DeformOptions& options) {
    if (options.normals == NormalMode::recomputed) {
        return recomputed_normals<T>(result.positions, mesh.triangles, geometry::weld_map(mesh.positions),
                                     result.normals);
    }
    const RestShape<double> wide{widened(rest.positions), widened(rest.normals)};
    std::vector<Vec3<T>> normals;
    for (const math::Vec3d& n :
         weight_gradient_normals(wide, skin, sets, palette, method, options, weight_gradients(mesh, skin))) {
        normals.push_back(n.template cast<T>());
    }
    return normals;
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
    if (needs_surface(options.normals) && !rest.normals.empty()) {
        result.normals = surface_normals(result, rest, mesh, skin, sets, palette, method, options);
    }
    orthogonalize_tangents<T>(result.tangents, result.normals);
    return result;
}

template <class T>
DeformResult<T> unmoved(RestShape<T>&& rest) {
    return {std::move(rest.positions), std::move(rest.normals), std::move(rest.tangents), {}, {}};
}

}  // namespace

std::vector<float> morph_weights(const Character& character, const Clip* clip, double time) {
    std::vector<float> weights;
    for (const geometry::Morph& morph : character.mesh.morphs) weights.push_back(morph.weight);
    if (clip != nullptr) model::sample_morphs(*clip, time, weights);
    return weights;
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
    if (needs_surface(options.normals)) fail("deform", "these normals need the triangles of a mesh");
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
