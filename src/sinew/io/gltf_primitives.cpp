#include "sinew/io/gltf/primitives.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sinew/base/array.h"

namespace sinew::io::gltf {
namespace {

constexpr int mode_triangles = 4;
constexpr int mode_fan = 6;
constexpr std::size_t most_vertices = std::numeric_limits<std::int32_t>::max();

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

/// Primitives with equal keys have the same vertices in the same place.
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
        // Neighbours with the same name are one object; two meshes without any name are not.
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
                                fmt::format("{}: has no positions and was ignored", primitive.place()));
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
                 "{}: {} indices are no whole triangles, the rest was ignored", primitive.place(), corners);
        }
        piece.first = plan.triangle_count;
        piece.count = triangle_count(corners, piece.mode);
        document_.charge(piece.count * 12, primitive);
        plan.triangle_count += piece.count;
        if (plan.triangle_count > most_vertices) primitive.fail("there are too many triangles");
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
            if (plan.vertex_count > most_vertices) primitive.fail("there are too many vertices");
            if (plan.weight_count > most_vertices) primitive.fail("there are too many weights");
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
            // Extras may have any shape; then the targets keep their numbers.
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

}  // namespace sinew::io::gltf
