// SPDX-License-Identifier: MIT

#include "sinew/io/gltf/primitives.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "sinew/base/array.h"
#include "sinew/base/parallel.h"

namespace sinew::io::gltf {
namespace {

constexpr int mode_triangles = 4;
constexpr int mode_fan = 6;
constexpr std::size_t max_vertices = std::numeric_limits<std::int32_t>::max();

/// Attribute or target of a primitive by its semantic.
std::optional<Accessor> open_attribute(const Document& document, const Cursor& attributes,
                                       std::string_view name, std::initializer_list<std::string_view> types,
                                       std::size_t count) {
    const int index = document.reference(attributes, name, "accessors");
    if (index < 0) return std::nullopt;
    Accessor accessor = open_accessor(document, at(index), types);
    if (accessor.count != count) {
        attributes.fail("{} has {} elements, POSITION has {}", name, accessor.count, count);
    }
    return accessor;
}

void warn_about_unread(const Document& document, const Cursor& attributes) {
    static const std::set<std::string_view> known = {"POSITION",   "NORMAL",     "TANGENT",
                                                     "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"};
    for (const std::string& name : attributes.keys()) {
        if (known.contains(name) || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")) continue;
        document.warn_once("gltf-attribute", fmt::format("{}: the vertex attribute {} was ignored",
                                                         document.file(), name.substr(0, 40)));
    }
}

std::vector<std::pair<Accessor, Accessor>> open_influences(const Document& document, const Cursor& attributes,
                                                           std::size_t count) {
    std::vector<std::pair<Accessor, Accessor>> sets;
    for (int set = 0;; ++set) {
        auto joints = open_attribute(document, attributes, fmt::format("JOINTS_{}", set), {"VEC4"}, count);
        auto weights = open_attribute(document, attributes, fmt::format("WEIGHTS_{}", set), {"VEC4"}, count);
        if (joints.has_value() != weights.has_value()) {
            attributes.fail("JOINTS_{0} and WEIGHTS_{0} must come together", set);
        }
        if (!joints) return sets;
        sets.emplace_back(*std::move(joints), *std::move(weights));
    }
}

std::vector<Target> open_targets(const Document& document, const Cursor& primitive, std::size_t count) {
    std::vector<Target> targets;
    for (const Cursor& target : primitive.list("targets")) {
        targets.push_back({open_attribute(document, target, "POSITION", {"VEC3"}, count),
                           open_attribute(document, target, "NORMAL", {"VEC3"}, count)});
        if (target.has("TANGENT")) {
            document.warn_once("gltf-attribute",
                               fmt::format("{}: tangents of morph targets were ignored", document.file()));
        }
    }
    return targets;
}

Block open_block(const Document& document, const Cursor& primitive, std::shared_ptr<const Binding> binding) {
    const Cursor attributes = primitive.at("attributes");
    warn_about_unread(document, attributes);
    Block block;
    const auto position = at(document.reference(attributes.at("POSITION"), "accessors"));
    block.positions = open_accessor(document, position, {"VEC3"});
    block.count = block.positions->count;
    block.normals = open_attribute(document, attributes, "NORMAL", {"VEC3"}, block.count);
    block.tangents = open_attribute(document, attributes, "TANGENT", {"VEC4"}, block.count);
    block.colors = open_attribute(document, attributes, "COLOR_0", {"VEC3", "VEC4"}, block.count);
    for (std::size_t set = 0; set < block.uvs.size(); ++set) {
        block.uvs[set] =
            open_attribute(document, attributes, fmt::format("TEXCOORD_{}", set), {"VEC2"}, block.count);
    }
    if (binding->skinned) block.influences = open_influences(document, attributes, block.count);
    block.targets = open_targets(document, primitive, block.count);
    block.binding = std::move(binding);
    return block;
}

/// Primitives with equal keys have the same vertices in the same position.
std::string block_key(const Cursor& primitive, const Node& node, std::size_t node_index,
                      const Binding& binding) {
    const bool own =
        primitive.has("targets") || (!binding.skinned && (binding.moves() || !binding.palette.empty()));
    std::string key = fmt::format("node {} skin {}", own ? static_cast<std::int64_t>(node_index) : -1,
                                  binding.skinned ? node.skin : -1);
    const auto add_accessors = [&](const Cursor& attributes) {
        key += " |";
        for (const std::string& name : attributes.keys()) {
            key += fmt::format(" {} {}", name, attributes.at(name).integer());
        }
    };
    add_accessors(primitive.at("attributes"));
    for (const Cursor& target : primitive.list("targets")) add_accessors(target);
    return key;
}

std::size_t triangle_count(std::size_t indices, int mode) {
    if (mode == mode_triangles) return indices / 3;
    return indices < 3 ? 0 : indices - 2;
}

class Planner {
  public:
    Planner(const Document& document, const Scene& scene, const Bindings& bindings)
        : document_(document), scene_(scene), bindings_(bindings) {
        for (const Node& node : scene.nodes) instances_ += node.in_scene && node.mesh >= 0;
    }

    void add_instance(std::size_t node_index) {
        const Node& node = scene_.nodes[node_index];
        const Cursor mesh = document_.item("meshes", at(node.mesh));
        Instance instance;
        instance.node = static_cast<int>(node_index);
        instance.first_vertex = plan.vertex_count;
        instance.first_block = plan.blocks.size();
        instance.first_morph = plan.morph_count;
        const std::string name = name_of(node, mesh);
        std::optional<std::size_t> targets;
        for (const Cursor& primitive : mesh.list("primitives")) {
            const std::size_t count = primitive.has("targets") ? primitive.at("targets").size() : 0;
            if (targets.value_or(count) != count)
                primitive.fail("{} morph targets, others have {}", count, *targets);
            targets = count;
            add_primitive(primitive, node_index, name);
        }
        instance.vertex_count = plan.vertex_count - instance.first_vertex;
        instance.block_count = plan.blocks.size() - instance.first_block;
        if (instance.vertex_count > 0) read_morph_heads(mesh, node_index, targets.value_or(0), instance);
        plan.morph_count += instance.morph_names.size();
        plan.instances.push_back(std::move(instance));
    }

    Plan plan;

  private:
    std::string name_of(const Node& node, const Cursor& mesh) const {
        std::string name = node.name.empty() ? mesh.text("name") : node.name;
        // Neighbours with the same name are one object; two meshes without a name are not.
        if (name.empty() && instances_ > 1) name = fmt::format("mesh_{}", plan.instances.size());
        return name;
    }

    void add_primitive(const Cursor& primitive, std::size_t node_index, const std::string& name) {
        const std::uint64_t mode = primitive.integer("mode", mode_triangles);
        if (mode < mode_triangles) {
            document_.warn_once("gltf-mode",
                                fmt::format("{}: points and lines were ignored", document_.file()));
            return;
        }
        if (mode > mode_fan) primitive.fail("mode {} is unknown", mode);
        if (!primitive.at("attributes").has("POSITION")) {
            document_.warn_once("gltf-no-positions",
                                fmt::format("{}: has no positions and was ignored", primitive.location()));
            return;
        }
        Piece piece{.where = primitive, .indices = {}, .mode = static_cast<int>(mode), .name = name};
        piece.block = find_block(primitive, node_index);
        piece.material = document_.reference(primitive, "material", "materials");
        const int indices = document_.reference(primitive, "indices", "accessors");
        if (indices >= 0) piece.indices = open_accessor(document_, at(indices), {"SCALAR"});
        const std::size_t corners = piece.indices ? piece.indices->count : plan.blocks[piece.block].count;
        if (piece.mode == mode_triangles && corners % 3 != 0) {
            warn(document_.monitor(), "gltf-index-count",
                 "{}: {} indices are no whole triangles, the rest was ignored", primitive.location(),
                 corners);
        }
        piece.first = plan.triangle_count;
        piece.count = triangle_count(corners, piece.mode);
        document_.charge(piece.count * 12, primitive);
        plan.triangle_count += piece.count;
        if (plan.triangle_count > max_vertices) primitive.fail("there are too many triangles");
        plan.pieces.push_back(std::move(piece));
    }

    std::size_t find_block(const Cursor& primitive, std::size_t node_index) {
        const std::shared_ptr<const Binding>& binding = bindings_.of_node[node_index];
        const auto [found, is_new] = block_of_.try_emplace(
            block_key(primitive, scene_.nodes[node_index], node_index, *binding), plan.blocks.size());
        if (is_new) {
            Block block = open_block(document_, primitive, binding);
            block.first = plan.vertex_count;
            plan.vertex_count += block.count;
            plan.weight_count += block.count * std::max<std::size_t>(1, 4 * block.influences.size());
            if (plan.vertex_count > max_vertices) primitive.fail("there are too many vertices");
            if (plan.weight_count > max_vertices) primitive.fail("there are too many weights");
            plan.blocks.push_back(std::move(block));
        }
        return found->second;
    }

    void read_morph_heads(const Cursor& mesh, std::size_t node_index, std::size_t targets,
                          Instance& instance) const {
        const Cursor node = document_.item("nodes", node_index);
        std::optional<std::vector<double>> weights = node.numbers("weights", targets);
        if (!weights) weights = mesh.numbers("weights", targets);
        instance.morph_weights.resize(targets);
        for (std::size_t t = 0; t < targets; ++t) {
            instance.morph_weights[t] = weights ? static_cast<float>((*weights)[t]) : 0.0f;
            instance.morph_names.push_back(fmt::format("morph_{}", instance.first_morph + t));
        }
        try {
            const std::optional<Cursor> extras = mesh.find("extras");
            if (!extras || !extras->has("targetNames")) return;
            const std::vector<Cursor> names = extras->list("targetNames");
            for (std::size_t t = 0; t < std::min(targets, names.size()); ++t)
                instance.morph_names[t] = names[t].text();
        } catch (const Error&) {
            // Extras may have any structure; if it is unexpected, targets are named by number.
        }
    }

    const Document& document_;
    const Scene& scene_;
    const Bindings& bindings_;
    std::size_t instances_ = 0;
    std::map<std::string, std::size_t> block_of_;
};

}  // namespace

Plan plan_meshes(const Document& document, const Scene& scene, const Bindings& bindings) {
    Planner planner(document, scene, bindings);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (bindings.of_node[i]) planner.add_instance(i);
    }
    return std::move(planner.plan);
}

namespace {

using geometry::Mesh;
using geometry::Triangle;
using math::Mat3d;
using math::Vec2f;
using math::Vec3d;
using math::Vec3f;
using math::Vec4f;

constexpr int list_mode = 4;
constexpr int mode_strip = 5;

/// Runs independent jobs on all threads; if several fail, the error of the first in order is reported.
void run_jobs(const std::vector<std::function<void()>>& jobs) {
    std::vector<std::exception_ptr> errors(jobs.size());
    parallel_for(jobs.size(), 1, [&](std::size_t i) {
        try {
            jobs[i]();
        } catch (...) {
            errors[i] = std::current_exception();
        }
    });
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

template <int N>
using Vectors = std::vector<Eigen::Matrix<float, N, 1>>;

template <int N>
void read_vectors(const Accessor& accessor, Eigen::Matrix<float, N, 1>* out) {
    if (accessor.count == 0) return;
    read_floats(accessor, {out->data(), accessor.count * N});
}

/// The array of one attribute: empty when no block has it; blocks without it are filled with `filler`.
template <int N, class Get, class Read>
void read_attribute(const Plan& plan, Vectors<N>& out, const Eigen::Matrix<float, N, 1>& filler,
                    const Get& get, const Read& read) {
    const bool any = std::any_of(plan.blocks.begin(), plan.blocks.end(),
                                 [&](const Block& b) { return get(b).has_value(); });
    if (!any) return;
    out.resize(plan.vertex_count);
    for (const Block& block : plan.blocks) {
        auto* const location = out.data() + block.first;
        if (get(block)) {
            read(block, *get(block), location);
        } else {
            std::fill_n(location, block.count, filler);
        }
    }
}

Mat3d linear_part(const Block& block) {
    return block.binding->matrix.topLeftCorner<3, 3>();
}

/// Normal matrix: the inverse transpose, scaled so that rotations and uniform scales preserve lengths.
Mat3d normal_matrix(const Block& block) {
    const Mat3d linear = linear_part(block);
    Mat3d cofactors;  // det(A) A^-T, which also exists for singular matrices
    cofactors << linear.col(1).cross(linear.col(2)), linear.col(2).cross(linear.col(0)),
        linear.col(0).cross(linear.col(1));
    const double determinant = linear.determinant();
    const double size = std::cbrt(determinant * determinant);
    return size > 0 ? Mat3d(cofactors * ((determinant < 0 ? -1 : 1) / size)) : cofactors;
}

void read_positions(const Block& block, const Accessor& accessor, Vec3f* out) {
    read_vectors<3>(accessor, out);
    if (!block.binding->moves()) return;
    const Mat3d linear = linear_part(block);
    const Vec3d shift = block.binding->matrix.topRightCorner<3, 1>();
    for (std::size_t v = 0; v < block.count; ++v)
        out[v] = (linear * out[v].cast<double>() + shift).cast<float>();
}

/// Normalises a direction whose length is wrong by more than rounding; returns whether the file is the cause.
bool make_unit(Eigen::Ref<Vec3f> direction, bool exact) {
    const float squared = direction.squaredNorm();
    if (std::abs(squared - 1) < 1e-5f) return false;
    const double length = direction.cast<double>().norm();
    direction =
        length > 1e-30 ? Vec3f((direction.cast<double>() / length).cast<float>()) : Vec3f(Vec3f::UnitY());
    return exact && !(std::abs(length - 1) < 1e-2);
}

std::size_t read_directions(const Block& block, const Accessor& accessor, const Mat3d& matrix, float* out,
                            std::size_t stride) {
    std::size_t wrong = 0;
    const bool moves = block.binding->moves();
    for (std::size_t v = 0; v < block.count; ++v, out += stride) {
        Eigen::Map<Vec3f> direction(out);
        wrong += make_unit(direction, accessor.component == Component::f32);
        if (!moves) continue;
        direction = (matrix * direction.cast<double>()).cast<float>();
        make_unit(direction, false);
    }
    return wrong;
}

void read_colors(const Accessor& accessor, Vec4f* out) {
    if (accessor.components == 4) return read_vectors<4>(accessor, out);
    const std::vector<float> values = read_floats(accessor);
    for (std::size_t v = 0; v < accessor.count; ++v) {
        out[v] = Vec4f(values[3 * v], values[3 * v + 1], values[3 * v + 2], 1);
    }
}

// --- Triangles
// -----------------------------------------------------------------------------------------------------

void check_indices(const Piece& piece, std::span<const std::uint32_t> indices, std::size_t vertices) {
    if (indices.empty()) return;
    const std::uint32_t largest = *std::max_element(indices.begin(), indices.end());
    if (largest >= vertices) {
        const Cursor& where = piece.indices ? piece.indices->where : piece.where;
        where.fail("index {} of {} vertices", largest, vertices);
    }
}

/// Converts corner indices of the block to those of the whole mesh.
void write_triangles(const Block& block, std::span<Triangle> triangles) {
    const auto first = static_cast<std::uint32_t>(block.first);
    const bool flip = linear_part(block).determinant() < 0;
    if (first == 0 && !flip) return;
    for (Triangle& triangle : triangles) {
        for (std::uint32_t& corner : triangle) corner += first;
        if (flip) std::swap(triangle[1], triangle[2]);
    }
}

/// Plain triangle lists go through a small buffer, so that each value is accessed once.
void append_list(const Plan& plan, const Piece& piece, std::vector<Triangle>& out) {
    const Block& block = plan.blocks[piece.block];
    std::array<Triangle, 1024> buffer;
    for (std::size_t first = 0; first < piece.count; first += buffer.size()) {
        const std::size_t count = std::min(buffer.size(), piece.count - first);
        const std::span<std::uint32_t> corners(buffer[0].data(), 3 * count);
        read_integers(slice(*piece.indices, 3 * first, 3 * count), corners);
        check_indices(piece, corners, block.count);
        write_triangles(block, {buffer.data(), count});
        out.insert(out.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
    }
}

/// Strips, fans, and lists without indices or with sparse ones.
void append_other(const Plan& plan, const Piece& piece, std::vector<Triangle>& out) {
    const Block& block = plan.blocks[piece.block];
    std::vector<std::uint32_t> corners;
    if (piece.indices) {
        corners = read_integers(*piece.indices);
        check_indices(piece, corners, block.count);
    } else {
        corners.resize(block.count);
        std::iota(corners.begin(), corners.end(), 0u);
    }
    for (std::size_t t = 0; t < piece.count; ++t) {
        if (piece.mode == list_mode) {
            out.push_back({corners[3 * t], corners[3 * t + 1], corners[3 * t + 2]});
        } else if (piece.mode == mode_strip) {
            out.push_back({corners[t], corners[t + 1 + t % 2], corners[t + 2 - t % 2]});
        } else {
            out.push_back({corners[0], corners[t + 1], corners[t + 2]});
        }
    }
    write_triangles(block, std::span(out).last(piece.count));
}

void read_all_triangles(const Plan& plan, Mesh& mesh) {
    mesh.triangles.reserve(plan.triangle_count);
    for (const Piece& piece : plan.pieces) {
        const bool list = piece.mode == list_mode && piece.indices && piece.indices->sparse.count == 0;
        list ? append_list(plan, piece, mesh.triangles) : append_other(plan, piece, mesh.triangles);
    }
}

/// Computes normals of blocks without normals when other blocks have them, because a mesh has normals for all
/// vertices or for none.
void complete_normals(const Plan& plan, Mesh& mesh) {
    if (mesh.normals.empty()) return;
    for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
        const Block& block = plan.blocks[b];
        if (block.normals) continue;
        const auto first = mesh.positions.begin() + static_cast<std::ptrdiff_t>(block.first);
        const std::vector<Vec3f> positions(first, first + static_cast<std::ptrdiff_t>(block.count));
        std::vector<Triangle> triangles;
        for (const Piece& piece : plan.pieces) {
            if (piece.block != b) continue;
            for (std::size_t t = piece.first; t < piece.first + piece.count; ++t) {
                triangles.push_back(mesh.triangles[t]);
                for (std::uint32_t& corner : triangles.back())
                    corner -= static_cast<std::uint32_t>(block.first);
            }
        }
        const std::vector<Vec3f> normals = geometry::vertex_normals(positions, triangles);
        std::copy(normals.begin(), normals.end(),
                  mesh.normals.begin() + static_cast<std::ptrdiff_t>(block.first));
    }
}

// --- Morphs
// --------------------------------------------------------------------------------------------------------

void read_displacements(const Block& block, const Accessor& accessor, const Mat3d& matrix, Vec3f* out) {
    read_vectors<3>(accessor, out);
    if (!block.binding->moves()) return;
    for (std::size_t v = 0; v < block.count; ++v) out[v] = (matrix * out[v].cast<double>()).cast<float>();
}

void read_morph(const Plan& plan, const Instance& instance, std::size_t target, geometry::Morph& morph) {
    morph.name = instance.morph_names[target];
    morph.weight = instance.morph_weights[target];
    morph.first = static_cast<std::uint32_t>(instance.first_vertex);
    morph.positions.assign(instance.vertex_count, Vec3f::Zero());
    for (std::size_t b = instance.first_block; b < instance.first_block + instance.block_count; ++b) {
        const Block& block = plan.blocks[b];
        const Target& source = block.targets[target];
        const std::size_t location = block.first - instance.first_vertex;
        if (source.positions) {
            read_displacements(block, *source.positions, linear_part(block),
                               morph.positions.data() + location);
        }
        if (source.normals) {
            if (morph.normals.empty()) morph.normals.assign(instance.vertex_count, Vec3f::Zero());
            read_displacements(block, *source.normals, normal_matrix(block), morph.normals.data() + location);
        }
    }
}

void charge_morphs(const Document& document, const Plan& plan) {
    for (const Instance& instance : plan.instances) {
        document.charge(
            std::uint64_t{instance.vertex_count} * instance.morph_names.size() * sizeof(Vec3f) * 2,
            document.item("nodes", static_cast<std::size_t>(instance.node)));
    }
}

void add_parts(const Plan& plan, Mesh& mesh) {
    for (const Piece& piece : plan.pieces) {
        mesh.parts.push_back({piece.name, static_cast<std::uint32_t>(piece.first),
                              static_cast<std::uint32_t>(piece.count), piece.material});
    }
}

using Jobs = std::vector<std::function<void()>>;

/// One job per vertex attribute; `wrong` counts directions that were not unit vectors.
void add_attribute_jobs(const Plan& plan, Mesh& mesh, std::atomic<std::size_t>& wrong, Jobs& jobs) {
    jobs.emplace_back([&] {
        read_attribute<3>(plan, mesh.positions, Vec3f::Zero(), std::mem_fn(&Block::positions),
                          read_positions);
    });
    jobs.emplace_back([&] {
        read_attribute<3>(plan, mesh.normals, Vec3f::UnitY(), std::mem_fn(&Block::normals),
                          [&](const Block& block, const Accessor& accessor, Vec3f* out) {
                              read_vectors<3>(accessor, out);
                              wrong += read_directions(block, accessor, normal_matrix(block), out->data(), 3);
                          });
    });
    jobs.emplace_back([&] {
        read_attribute<4>(plan, mesh.tangents, Vec4f(1, 0, 0, 1), std::mem_fn(&Block::tangents),
                          [&](const Block& block, const Accessor& accessor, Vec4f* out) {
                              read_vectors<4>(accessor, out);
                              wrong += read_directions(block, accessor, linear_part(block), out->data(), 4);
                          });
    });
    for (std::size_t set = 0; set < mesh.uvs.size(); ++set) {
        jobs.emplace_back([&, set] {
            read_attribute<2>(
                plan, mesh.uvs[set], Vec2f::Zero(),
                [set](const Block& b) -> const auto& { return b.uvs[set]; },
                [](const Block&, const Accessor& accessor, Vec2f* out) { read_vectors<2>(accessor, out); });
        });
    }
    jobs.emplace_back([&] {
        read_attribute<4>(
            plan, mesh.colors, Vec4f::Ones(), std::mem_fn(&Block::colors),
            [](const Block&, const Accessor& accessor, Vec4f* out) { read_colors(accessor, out); });
    });
}

void add_morph_jobs(const Plan& plan, Mesh& mesh, Jobs& jobs) {
    mesh.morphs.resize(plan.morph_count);
    for (const Instance& instance : plan.instances) {
        for (std::size_t t = 0; t < instance.morph_names.size(); ++t) {
            jobs.emplace_back(
                [&, t] { read_morph(plan, instance, t, mesh.morphs[instance.first_morph + t]); });
        }
    }
}

}  // namespace

Geometry read_geometry(const Document& document, const Plan& plan, std::vector<model::SkinJoint> palette) {
    Geometry result;
    Mesh& mesh = result.mesh;
    result.skin.joints = std::move(palette);
    charge_morphs(document, plan);
    std::atomic<std::size_t> wrong = 0;
    bool canonical = true;
    Jobs jobs;  // the longest first
    if (!result.skin.empty()) jobs.emplace_back([&] { canonical = read_weights(plan, result.skin); });
    jobs.emplace_back([&] { read_all_triangles(plan, mesh); });
    add_attribute_jobs(plan, mesh, wrong, jobs);
    add_morph_jobs(plan, mesh, jobs);
    run_jobs(jobs);
    complete_normals(plan, mesh);
    add_parts(plan, mesh);
    if (wrong > 0) {
        warn(document.monitor(), "gltf-normals", "{}: {} normals or tangents were not unit vectors",
             document.file(), wrong.load());
    }
    if (!canonical) clean_weights(document, plan, result.skin);
    return result;
}

}  // namespace sinew::io::gltf
