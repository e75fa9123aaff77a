#include "sinew/deform/weight_gradient.h"

#include <Eigen/LU>

#include "sinew/geometry/topology.h"

namespace sinew::deform {

using geometry::Mesh;
using math::Vec3d;
using model::Influence;
using model::Skin;

namespace {

double weight_of(std::span<const Influence> list, std::uint32_t joint) {
    for (const Influence& influence : list) {
        if (influence.joint == joint) return influence.weight;
    }
    return 0;
}

/// Two unit vectors with u x v = normal.
struct TangentPlane {
    Vec3d u;
    Vec3d v;
};

TangentPlane tangent_plane(const Vec3d& normal) {
    const Vec3d u = normal.unitOrthogonal();
    return {u, normal.cross(u)};
}

/// The gradients of one vertex from its neighbours: the plane that fits the changes of each weight best.
void fit_vertex(const Mesh& mesh, const Skin& skin, std::uint32_t vertex, const Vec3d& normal,
                std::span<const std::uint32_t> neighbors, std::span<Vec3d> gradients) {
    const TangentPlane plane = tangent_plane(normal);
    Eigen::Matrix2d normal_matrix = Eigen::Matrix2d::Zero();
    Eigen::Matrix2Xd right = Eigen::Matrix2Xd::Zero(2, static_cast<Eigen::Index>(gradients.size()));
    const std::span<const Influence> own = skin.of(vertex);
    for (const std::uint32_t neighbor : neighbors) {
        const Vec3d edge = (mesh.positions[neighbor] - mesh.positions[vertex]).cast<double>();
        const Eigen::Vector2d flat(plane.u.dot(edge), plane.v.dot(edge));
        normal_matrix += flat * flat.transpose();
        for (std::size_t i = 0; i < own.size(); ++i) {
            const double change = weight_of(skin.of(neighbor), own[i].joint) - own[i].weight;
            right.col(static_cast<Eigen::Index>(i)) += change * flat;
        }
    }
    const double size = normal_matrix.trace();
    if (!(normal_matrix.determinant() > 1e-8 * size * size)) return;
    const Eigen::Matrix2d inverse = normal_matrix.inverse();
    Vec3d mean = Vec3d::Zero();
    for (std::size_t i = 0; i < own.size(); ++i) {
        const Eigen::Vector2d slope = inverse * right.col(static_cast<Eigen::Index>(i));
        gradients[i] = slope.x() * plane.u + slope.y() * plane.v;
        mean += gradients[i] / static_cast<double>(own.size());
    }
    for (Vec3d& gradient : gradients) gradient -= mean;
}

/// Everything about one vertex that its differential needs.
struct VertexState {
    Vec3d position;
    Vec3d normal;
    std::vector<double> weights;
    std::span<const Vec3d> gradients;
    std::size_t heaviest = 0;
    std::uint32_t index = 0;
};

/// F e by central differences: the point and its weights go a short way along e and back.
Vec3d moved_tangent(Blender<double>& blender, const VertexState& state, const Vec3d& e, double step) {
    Vec3d ends[2];
    for (int side = 0; side < 2; ++side) {
        const double h = side == 0 ? -step : step;
        std::vector<double> weights = state.weights;
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += h * state.gradients[i].dot(e);
        const Blend<double> blend = blender.blend({weights, state.heaviest, state.index});
        ends[side] = blend.linear * (state.position + h * e) + blend.translation;
    }
    return (ends[1] - ends[0]) / (2 * step);
}

Vec3d moved_normal(Blender<double>& blender, const VertexState& state, double size) {
    double steepest = 1 / size;
    for (const Vec3d& gradient : state.gradients) steepest = std::max(steepest, gradient.norm());
    const double step = 1e-5 / steepest;
    const TangentPlane plane = tangent_plane(state.normal);
    const Vec3d normal =
        moved_tangent(blender, state, plane.u, step).cross(moved_tangent(blender, state, plane.v, step));
    return normal.norm() > 1e-12 ? Vec3d(normal.normalized()) : state.normal;
}

}  // namespace

WeightGradients weight_gradients(const Mesh& mesh, const Skin& skin) {
    const std::vector<std::uint32_t> weld = geometry::weld_map(mesh.positions);
    const geometry::Rows neighbors =
        geometry::vertex_neighbors(mesh.vertex_count(), geometry::welded(mesh.triangles, weld));
    const std::vector<math::Vec3f> normals =
        mesh.normals.empty() ? geometry::vertex_normals(mesh.positions, mesh.triangles) : mesh.normals;
    WeightGradients result;
    result.of_influence.assign(skin.influences.size(), Vec3d::Zero());
    for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
        const Vec3d normal = normals[v].cast<double>();
        if (normal.norm() < 0.5) continue;
        const std::span<Vec3d> own(result.of_influence.data() + skin.offsets[v], skin.of(v).size());
        fit_vertex(mesh, skin, v, normal.normalized(), neighbors[weld[v]], own);
    }
    return result;
}

std::vector<Vec3d> weight_gradient_normals(const RestShape<double>& rest, const Skin& skin,
                                           const model::InfluenceSets& sets,
                                           std::span<const math::Mat4d> palette, Method method,
                                           const DeformOptions& options, const WeightGradients& gradients) {
    const std::vector<JointFrame> frames = joint_frames(skin, palette);
    const double size = extent<double>(rest.positions);
    const auto blender = make_blender<double>(method, frames, {options.signs, size, options.centers});
    std::vector<Vec3d> normals = rest.normals;
    for (const model::InfluenceSet& set : sets.sets) {
        blender->enter(sets, set);
        for (std::size_t k = 0; k < set.vertex_count; ++k) {
            const std::uint32_t v = sets.vertices_of(set)[k];
            if (rest.normals[v].squaredNorm() == 0) continue;
            VertexState state{rest.positions[v], rest.normals[v].normalized(), {}, {}, 0, v};
            for (const Influence& influence : skin.of(v)) state.weights.push_back(influence.weight);
            state.gradients = {gradients.of_influence.data() + skin.offsets[v], state.weights.size()};
            state.heaviest =
                static_cast<std::size_t>(std::ranges::max_element(state.weights) - state.weights.begin());
            normals[v] = moved_normal(*blender, state, size);
        }
    }
    return normals;
}

}  // namespace sinew::deform
