#include "sinew/deform/reference.h"

#include <algorithm>
#include <limits>

#include "sinew/base/error.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Mat3;
using math::Mat4d;
using math::Vec3;
using model::Character;
using model::Clip;
using model::InfluenceSet;
using model::InfluenceSets;
using model::Skin;

namespace {

void check_sizes(std::size_t points, std::size_t normals, const Skin& skin, const InfluenceSets& sets,
                 std::size_t palette) {
    if (normals != 0 && normals != points) fail("deform", "{} normals for {} vertices", normals, points);
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

template <class T>
std::vector<Vec3<T>> converted(const std::vector<math::Vec3f>& points) {
    std::vector<Vec3<T>> result;
    result.reserve(points.size());
    for (const math::Vec3f& p : points) result.push_back(p.cast<T>());
    return result;
}

/// Weights of vertex k of a set, made convex in the working precision: a skin's sum to 1 only as floats.
template <class T>
void gather_weights(const InfluenceSets& sets, const InfluenceSet& set, std::size_t k,
                    std::vector<T>& weights) {
    T sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
        sum += weights[i] = static_cast<T>(sets.weights_of(set, i)[k]);
    for (T& w : weights) w /= sum;
}

/// normalize(N n); where that is zero by rounding, normalize(M n), then the normal as the heaviest joint
/// moves it.
template <class T>
Vec3<T> move_normal(const Blend<T>& blend, const Vec3<T>& normal, const Mat4d& heaviest,
                    DeformCounts& counts) {
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

template <class T>
void deform_set(const RestShape<T>& rest, const InfluenceSets& sets, const InfluenceSet& set,
                std::span<const Mat4d> palette, Blender<T>& blender, DeformResult<T>& result) {
    blender.enter(sets, set);
    std::vector<T> weights(set.joint_count);
    for (std::size_t k = 0; k < set.vertex_count; ++k) {
        gather_weights(sets, set, k, weights);
        const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
        const Blend<T> blend = blender.blend(weights, heaviest);
        const std::uint32_t vertex = sets.vertices_of(set)[k];
        result.counts.degenerate_blends += blend.degenerate ? 1 : 0;
        result.positions[vertex] = blend.linear * rest.positions[vertex] + blend.translation;
        if (rest.normals.empty()) continue;
        const Mat4d& own = palette[sets.joints_of(set)[heaviest]];
        result.normals[vertex] = move_normal(blend, rest.normals[vertex], own, result.counts);
    }
}

template <class T>
void add_deltas(std::vector<Vec3<T>>& values, const std::vector<math::Vec3f>& deltas, std::size_t first,
                T weight) {
    for (std::size_t i = 0; i < deltas.size(); ++i) values[first + i] += weight * deltas[i].cast<T>();
}

/// Weights of all morphs at a time of the clip, or at rest.
std::vector<float> morph_weights(const Character& character, const Clip* clip, double time) {
    std::vector<float> weights;
    for (const geometry::Morph& morph : character.mesh.morphs) weights.push_back(morph.weight);
    if (clip != nullptr) model::sample_morphs(*clip, time, weights);
    return weights;
}

}  // namespace

template <class T>
DeformResult<T> deform(const RestShape<T>& rest, const Skin& skin, const InfluenceSets& sets,
                       std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    check_sizes(rest.positions.size(), rest.normals.size(), skin, sets, palette.size());
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    DeformResult<T> result{rest.positions, rest.normals, {}};
    result.counts.nonrigid_joints =
        static_cast<std::size_t>(std::ranges::count_if(frames, [](const JointFrame& f) { return !f.rigid; }));
    const auto blender = make_blender<T>(method, frames, options.signs);
    for (const InfluenceSet& set : sets.sets) deform_set(rest, sets, set, palette, *blender, result);
    return result;
}

template <class T>
DeformResult<T> deform(const Mesh& mesh, const Skin& skin, const InfluenceSets& sets,
                       std::span<const Mat4d> palette, Method method, const DeformOptions& options) {
    RestShape<T> rest{converted<T>(mesh.positions), converted<T>(mesh.normals)};
    if (skin.empty()) return {std::move(rest.positions), std::move(rest.normals), {}};
    return deform(rest, skin, sets, palette, method, options);
}

template <class T>
RestShape<T> morphed(const Mesh& mesh, std::span<const float> weights) {
    if (weights.size() != mesh.morphs.size()) {
        fail("deform", "{} morph weights for {} morphs", weights.size(), mesh.morphs.size());
    }
    RestShape<T> shape{converted<T>(mesh.positions), converted<T>(mesh.normals)};
    bool turned = false;
    for (std::size_t m = 0; m < weights.size(); ++m) {
        const geometry::Morph& morph = mesh.morphs[m];
        const std::size_t end = morph.first + std::max(morph.positions.size(), morph.normals.size());
        if (end > mesh.vertex_count()) fail("deform", "morph \"{}\" goes beyond the mesh", morph.name);
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
DeformResult<T> deform(const Character& character, const Clip* clip, double time, Method method,
                       const DeformOptions& options) {
    RestShape<T> rest = morphed<T>(character.mesh, morph_weights(character, clip, time));
    if (!character.has_skin()) return {std::move(rest.positions), std::move(rest.normals), {}};
    const InfluenceSets sets = model::group_by_influences(character.skin, &character.skeleton);
    const std::vector<Mat4d> palette = model::palette(character.skin, world_matrices(character, clip, time));
    return deform(rest, character.skin, sets, palette, method, options);
}

template DeformResult<float> deform(const RestShape<float>&, const Skin&, const InfluenceSets&,
                                    std::span<const Mat4d>, Method, const DeformOptions&);
template DeformResult<double> deform(const RestShape<double>&, const Skin&, const InfluenceSets&,
                                     std::span<const Mat4d>, Method, const DeformOptions&);
template DeformResult<float> deform<float>(const Mesh&, const Skin&, const InfluenceSets&,
                                           std::span<const Mat4d>, Method, const DeformOptions&);
template DeformResult<double> deform<double>(const Mesh&, const Skin&, const InfluenceSets&,
                                             std::span<const Mat4d>, Method, const DeformOptions&);
template RestShape<float> morphed<float>(const Mesh&, std::span<const float>);
template RestShape<double> morphed<double>(const Mesh&, std::span<const float>);
template DeformResult<float> deform<float>(const Character&, const Clip*, double, Method,
                                           const DeformOptions&);
template DeformResult<double> deform<double>(const Character&, const Clip*, double, Method,
                                             const DeformOptions&);

}  // namespace sinew::deform
