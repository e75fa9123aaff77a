#include <bit>
#include <cstring>

#include "sinew/collide/sphere_tree.h"
#include "sinew/collide/stamps.h"

namespace sinew::collide {
namespace {

/// FNV-1a over 32-bit words.
class Hash {
  public:
    void add(std::uint32_t word) { value_ = (value_ ^ word) * 1099511628211u; }
    void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
    void add(double number) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        add(static_cast<std::uint32_t>(bits));
        add(static_cast<std::uint32_t>(bits >> 32));
    }
    void add_count(std::size_t count) { add(static_cast<double>(count)); }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace

std::uint64_t content_hash(const geometry::Mesh& mesh, const model::Skin& skin, const BuildOptions& options) {
    Hash hash;
    hash.add_count(mesh.positions.size());
    for (const Vec3f& p : mesh.positions) {
        for (const float x : p) hash.add(x);
    }
    hash.add_count(mesh.triangles.size());
    for (const geometry::Triangle& t : mesh.triangles) {
        for (const std::uint32_t v : t) hash.add(v);
    }
    for (const model::SkinJoint& joint : skin.joints) {
        for (const double x : joint.inverse_bind.reshaped()) hash.add(x);
    }
    for (const std::uint32_t offset : skin.offsets) hash.add(offset);
    for (const model::Influence& influence : skin.influences) {
        hash.add(influence.joint);
        hash.add(influence.weight);
    }
    hash.add(options.collapse);
    for (const int value : {options.max_leaf_triangles, options.depth_cap, static_cast<int>(options.corners),
                            static_cast<int>(options.record_balls), static_cast<int>(options.leaf_records),
                            options.joint_hull_above}) {
        hash.add(static_cast<std::uint32_t>(value));
    }
    return hash.value();
}

std::size_t memory_of(const SphereTree& tree) {
    return sizeof(tree) + bytes_of(tree.nodes) + bytes_of(tree.records) + bytes_of(tree.joint_balls) +
           bytes_of(tree.corners) + bytes_of(tree.positions) + bytes_of(tree.vertex_sets) +
           bytes_of(tree.vertex_weights) + bytes_of(tree.weights) + bytes_of(tree.vertex_ids) +
           bytes_of(tree.welds) + bytes_of(tree.triangles) + bytes_of(tree.triangle_ids) +
           bytes_of(tree.sets) + bytes_of(tree.set_joints) + bytes_of(tree.sign_parents) +
           bytes_of(tree.sign_order) + bytes_of(tree.joint_centers) + bytes_of(tree.edges.edges) +
           bytes_of(tree.edges.set_edges) + bytes_of(tree.edges.sizes) + bytes_of(tree.edges.all.sets) +
           bytes_of(tree.edges.all.edges) + bytes_of(tree.edges.all.distances) +
           bytes_of(tree.edges.widest.sets) + bytes_of(tree.edges.widest.distances) +
           bytes_of(tree.edges.widest.edges);
}

}  // namespace sinew::collide
