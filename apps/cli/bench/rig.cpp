#include "bench/rig.h"

#include <random>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

class Uniform {
  public:
    explicit Uniform(unsigned seed) : engine_(seed) {}
    double operator()(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    math::Vec3d vector(double size) {
        return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
    }

  private:
    std::mt19937 engine_;
};

void add_vertex(BenchRig& rig, const BenchRigOptions& options, int set, Uniform& uniform) {
    const int window = options.influences + 1;
    const int first = set % std::max(1, options.joints - window);
    // Sets that start at the same joint differ in the one they leave out.
    const int skipped = 1 + set / std::max(1, options.joints - window) % options.influences;
    const math::Vec3d middle(0, 0.05 * (first + 0.5 * window), 0);
    rig.mesh.positions.push_back((middle + uniform.vector(0.1)).cast<float>());
    rig.mesh.normals.push_back(uniform.vector(1).normalized().cast<float>());
    std::vector<model::Influence> list;
    for (int i = 0; i < window; ++i) {
        if (i == skipped) continue;
        const int joint = std::min(first + i, options.joints - 1);
        list.push_back({static_cast<std::uint32_t>(joint), static_cast<float>(uniform(0.05, 1))});
    }
    rig.skin.push_vertex(list);
}

}  // namespace

BenchRig make_bench_rig(const BenchRigOptions& options) {
    Uniform uniform(options.seed);
    BenchRig rig;
    for (int j = 0; j < options.joints; ++j) {
        model::Joint joint;
        joint.name = fmt::format("j{}", j);
        joint.parent = j - 1;
        joint.rest.translation = {0, 0.05, 0};
        rig.skeleton.joints.push_back(joint);
    }
    rig.skin.joints = model::bind_at_rest(rig.skeleton);
    std::vector<math::Transform> local;
    for (const model::Joint& joint : rig.skeleton.joints) {
        local.push_back(joint.rest);
        local.back().rotation =
            math::axis_angle(math::Vec3d(uniform.vector(1).normalized()), uniform(0, 0.5));
    }
    rig.palette = deform::to_mat34(model::palette(rig.skin, model::world_matrices(rig.skeleton, local)));
    for (std::size_t v = 0; v < options.vertices; ++v) {
        const auto set = static_cast<int>(v * static_cast<std::size_t>(options.sets) / options.vertices);
        add_vertex(rig, options, set, uniform);
    }
    model::clean(rig.skin);
    return rig;
}

}  // namespace sinew::cli
