#include "sinew/collide/tree_file.h"

#include <bit>
#include <cstring>

#include "sinew/base/error.h"
#include "sinew/collide/tree_check.h"

namespace sinew::collide {
namespace {

constexpr std::uint64_t magic = 0x32656572746e7973;  // "syntree2"

std::uint64_t checksum(Bytes bytes) {
    std::uint64_t hash = 14695981039346656037u;
    for (const std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 1099511628211u;
    return hash;
}

class Writer {
  public:
    template <class T>
    void value(const T& v) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* from = reinterpret_cast<const std::byte*>(&v);
        bytes.insert(bytes.end(), from, from + sizeof(T));
    }
    template <class T>
    void list(const std::vector<T>& values) {
        value(static_cast<std::uint64_t>(values.size()));
        const auto* from = reinterpret_cast<const std::byte*>(values.data());
        bytes.insert(bytes.end(), from, from + values.size() * sizeof(T));
    }
    std::vector<std::byte> bytes;
};

class Reader {
  public:
    Reader(Bytes bytes, std::string_view place) : bytes_(bytes), place_(place) {}

    template <class T>
    void value(T& v) {
        if (bytes_.size() - at_ < sizeof(T)) broken();
        std::memcpy(static_cast<void*>(&v), bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
    }
    template <class T>
    void list(std::vector<T>& values) {
        std::uint64_t count = 0;
        value(count);
        if (count > (bytes_.size() - at_) / sizeof(T)) broken();
        values.resize(static_cast<std::size_t>(count));
        if (count > 0) std::memcpy(static_cast<void*>(values.data()), bytes_.data() + at_, count * sizeof(T));
        at_ += static_cast<std::size_t>(count) * sizeof(T);
    }
    bool done() const { return at_ == bytes_.size(); }

  private:
    [[noreturn]] void broken() const {
        fail(fmt::format("{}: byte {}", place_, at_), "the tree ends too early");
    }
    Bytes bytes_;
    std::string_view place_;
    std::size_t at_ = 0;
};

/// Everything after the header, in one place for both directions.
template <class Archive, class Tree>
void visit(Archive& archive, Tree& tree) {
    archive.value(tree.options);
    archive.value(tree.weight_slack);
    archive.value(tree.reach);
    archive.value(tree.palette_size);
    archive.value(tree.mesh_triangles);
    archive.value(tree.mesh_vertices);
    archive.value(tree.block_count);
    archive.value(tree.max_set_joints);
    archive.value(tree.max_refit_balls);
    archive.list(tree.nodes);
    archive.list(tree.records);
    archive.list(tree.joint_balls);
    archive.list(tree.corners);
    archive.list(tree.positions);
    archive.list(tree.vertex_sets);
    archive.list(tree.vertex_weights);
    archive.list(tree.weights);
    archive.list(tree.vertex_ids);
    archive.list(tree.welds);
    archive.list(tree.triangles);
    archive.list(tree.triangle_ids);
    archive.list(tree.sets);
    archive.list(tree.set_joints);
    archive.list(tree.sign_parents);
    archive.list(tree.sign_order);
    archive.list(tree.joint_centers);
    archive.value(tree.statistics.binary_nodes);
    archive.value(tree.statistics.binary_depth);
    archive.value(tree.statistics.nodes);
    archive.value(tree.statistics.leaves);
    archive.value(tree.statistics.depth);
    archive.value(tree.statistics.max_children);
    archive.value(tree.statistics.records);
    archive.list(tree.statistics.radius_by_level);
    archive.list(tree.statistics.binary_radius_by_level);
}

}  // namespace

std::vector<std::byte> save_tree(const SphereTree& tree) {
    static_assert(std::endian::native == std::endian::little);
    Writer body;
    visit(body, tree);
    Writer whole;
    whole.value(magic);
    whole.value(tree.content_hash);
    whole.value(checksum(body.bytes));
    whole.bytes.insert(whole.bytes.end(), body.bytes.begin(), body.bytes.end());
    return std::move(whole.bytes);
}

SphereTree load_tree(Bytes bytes, std::uint64_t expected_hash, std::string_view place) {
    constexpr std::size_t header = 24;
    Reader head(bytes, place);
    std::uint64_t kind = 0, hash = 0, sum = 0;
    head.value(kind);
    if (kind != magic) fail(place, "is not a sphere tree of this version");
    head.value(hash);
    head.value(sum);
    if (hash != expected_hash)
        fail(place, "the tree belongs to another mesh, other weights or other options");
    if (sum != checksum(bytes.subspan(header))) fail(place, "the tree is damaged");
    SphereTree tree;
    tree.content_hash = hash;
    Reader body(bytes.subspan(header), place);
    visit(body, tree);
    if (!body.done()) fail(place, "there are bytes behind the tree");
    check_tree(tree, place);
    tree.edges = make_edges(tree);
    return tree;
}

}  // namespace sinew::collide
