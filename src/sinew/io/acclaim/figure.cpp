// SPDX-License-Identifier: MIT
#include "sinew/io/acclaim/figure.h"

#include <limits>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/io/acclaim/sections.h"

namespace sinew::io::asf {
namespace {

using math::Vec3d;

constexpr int unknown = -1;  ///< parent of a bone that is not a child in any line of the hierarchy

/// Nodes: 0 is the root, then 1 + bone, then the names that no bone has.
class Tree {
  public:
    Tree(const Sections& sections, const Words& words, bvh::Tally& tally)
        : sections_(sections), cursor_(words.cursor()), tally_(tally) {}

    /// Bones (0 is the root) in the order of joints, parents first, and the parent joint of each.
    struct Order {
        std::vector<int> nodes;
        std::vector<int> parents;
    };
    Order run();

  private:
    void name_bones();
    void link();
    int node_of(std::string_view name, std::size_t position);
    void attach_unreached();
    Order walk() const;
    void check(const std::vector<bool>& reached);

    const Sections& sections_;
    TextCursor cursor_;
    bvh::Tally& tally_;
    std::unordered_map<std::string_view, int> nodes_;
    std::vector<int> parent_;
    std::vector<std::vector<int>> children_;
    std::vector<bool> doubled_;
};

void Tree::name_bones() {
    nodes_.emplace("root", 0);
    doubled_.assign(sections_.bones.size() + 1, false);
    for (std::size_t i = 0; i < sections_.bones.size(); ++i) {
        const int node = static_cast<int>(i) + 1;
        if (nodes_.emplace(sections_.bones[i].name, node).second) continue;
        tally_.note("asf-double-bone", cursor_, "bone \"{}\" is defined twice; the first is used",
                    sections_.bones[i].name);
        doubled_[static_cast<std::size_t>(node)] = true;
    }
    parent_.assign(sections_.bones.size() + 1, unknown);
    children_.resize(parent_.size());
}

int Tree::node_of(std::string_view name, std::size_t position) {
    const auto [entry, fresh] = nodes_.emplace(name, static_cast<int>(parent_.size()));
    if (fresh) {
        cursor_.seek(position);
        tally_.note("asf-undefined-bone", cursor_,
                    "bone \"{}\" is in the hierarchy, but not defined; its children are dropped",
                    name.substr(0, 40));
        parent_.push_back(unknown);
        children_.emplace_back();
    }
    return entry->second;
}

void Tree::link() {
    for (const Link& link : sections_.links) {
        const int parent = node_of(link.parent, link.position), child = node_of(link.child, link.position);
        cursor_.seek(link.position);
        if (child == 0)
            fail(cursor_.location(), "the root is a child of \"{}\": the hierarchy is a cycle", link.parent);
        int& known = parent_[static_cast<std::size_t>(child)];
        if (known != unknown) {
            tally_.note("asf-second-parent", cursor_,
                        "bone \"{}\" has a second parent \"{}\"; the first is used", link.child.substr(0, 40),
                        link.parent.substr(0, 40));
            continue;
        }
        known = parent;
        children_[static_cast<std::size_t>(parent)].push_back(child);
    }
}

void Tree::attach_unreached() {
    for (std::size_t node = 1; node <= sections_.bones.size(); ++node) {
        if (parent_[node] != unknown || doubled_[node]) continue;
        tally_.note("asf-unreached-bone", cursor_,
                    "bone \"{}\" has no parent; it becomes a child of the root",
                    sections_.bones[node - 1].name);
        parent_[node] = 0;
        children_[0].push_back(static_cast<int>(node));
    }
}

Tree::Order Tree::walk() const {
    Order order;
    std::vector<std::pair<int, int>> stack = {{0, -1}};  // node and parent joint
    while (!stack.empty()) {
        const auto [node, parent] = stack.back();
        stack.pop_back();
        const auto n = static_cast<std::size_t>(node);
        if (n > sections_.bones.size()) continue;  // not defined: dropped with all nodes below it
        const int joint = static_cast<int>(order.nodes.size());
        order.nodes.push_back(node);
        order.parents.push_back(parent);
        for (auto child = children_[n].rbegin(); child != children_[n].rend(); ++child)
            stack.emplace_back(*child, joint);
    }
    return order;
}

/// Nodes that are neither reached nor dropped are part of a cycle.
void Tree::check(const std::vector<bool>& reached) {
    std::vector<bool> settled = reached;
    for (std::size_t node = 0; node < parent_.size(); ++node) {
        std::size_t steps = 0;
        std::size_t at = node;
        while (!settled[at] && parent_[at] != unknown) {
            at = static_cast<std::size_t>(parent_[at]);
            if (++steps > parent_.size()) {
                const std::string_view name =
                    node <= sections_.bones.size() ? sections_.bones[node - 1].name : std::string_view("?");
                fail(cursor_.location(), "the hierarchy is a cycle through bone \"{}\"", name);
            }
        }
        // All nodes on the path are marked as settled, so that the total time is linear.
        for (std::size_t back = node; back != at; back = static_cast<std::size_t>(parent_[back]))
            settled[back] = true;
        settled[at] = true;
    }
}

Tree::Order Tree::run() {
    name_bones();
    if (sections_.links.empty() && !sections_.bones.empty())
        tally_.note("asf-no-hierarchy", cursor_, "no :hierarchy: all bones become children of the root");
    link();
    attach_unreached();
    Order order = walk();
    std::vector<bool> reached(parent_.size(), false);
    for (const int node : order.nodes) reached[static_cast<std::size_t>(node)] = true;
    check(reached);
    return order;
}

bool rising_rotations(const std::vector<Dof>& dofs) {
    int last = -1;
    for (const Dof& dof : dofs) {
        if (dof.kind != Dof::Kind::rotation) continue;
        if (dof.axis <= last) return false;
        last = dof.axis;
    }
    return true;
}

/// An axis without a dof is locked.
model::JointLimits limits_of(const Bone& bone) {
    model::JointLimits limits;
    limits.frame = bone.axes;
    limits.low = limits.high = Vec3d::Zero();
    for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
        const Dof& dof = bone.dofs[i];
        if (dof.kind != Dof::Kind::rotation) continue;
        constexpr double infinite = std::numeric_limits<double>::infinity();
        limits.low[dof.axis] = bone.limits.empty() ? -infinite : bone.limits[i].low;
        limits.high[dof.axis] = bone.limits.empty() ? infinite : bone.limits[i].high;
    }
    return limits;
}

void add_joint(const Bone& bone, std::string_view name, int parent, const Vec3d& offset, Figure& figure) {
    model::Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = offset;
    figure.skeleton.joints.push_back(std::move(joint));
    figure.moves.push_back({bone.dofs, bone.axes, bone.direction, bone.length});
}

void add_tips(Figure& figure) {
    std::vector<bool> leaf(figure.skeleton.size(), true);
    for (const model::Joint& joint : figure.skeleton.joints) {
        if (joint.parent >= 0) leaf[static_cast<std::size_t>(joint.parent)] = false;
    }
    for (std::size_t j = 1; j < leaf.size(); ++j) {
        if (leaf[j] && figure.moves[j].length != 0) figure.skeleton.joints[j].tip = figure.moves[j].end();
    }
}

}  // namespace

Figure read_figure(std::string_view text, std::string_view file, bvh::Tally& tally) {
    Words words(text, file);
    Sections sections = read_sections(words, tally);
    if (sections.root.dofs.empty()) {
        tally.note("asf-root-order", words.cursor(), "the root has no order; TX TY TZ RX RY RZ is used");
        for (const Dof::Kind kind : {Dof::Kind::translation, Dof::Kind::rotation}) {
            for (int axis = 0; axis < 3; ++axis) sections.root.dofs.push_back({kind, axis});
        }
    }
    const Tree::Order order = Tree(sections, words, tally).run();
    Figure figure;
    figure.unit = sections.unit;
    figure.degrees = sections.degrees;
    add_joint(sections.root, "root", -1, sections.position, figure);
    for (std::size_t j = 1; j < order.nodes.size(); ++j) {
        const Bone& bone = sections.bones[static_cast<std::size_t>(order.nodes[j]) - 1];
        const Moves& parent = figure.moves[static_cast<std::size_t>(order.parents[j])];
        add_joint(bone, bone.name, order.parents[j], parent.end(), figure);
        if (rising_rotations(bone.dofs)) {
            figure.skeleton.joints.back().limits = limits_of(bone);
        } else {
            tally.note("asf-limit-order", words.cursor(),
                       "bone \"{}\" has a rotation order that does not allow limits; they are dropped",
                       bone.name);
        }
    }
    add_tips(figure);
    return figure;
}

Guess unit_guess(const Figure& figure) {
    return {"units", fmt::format("{:.6g} m", 0.0254 / figure.unit),
            fmt::format("ASF numbers are inches times the length unit, which is {}", figure.unit),
            0.0254 / figure.unit};
}

}  // namespace sinew::io::asf

namespace sinew::io {

Asset read_asf(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    std::string utf8;
    bvh::Tally tally;
    asf::Figure figure = asf::read_figure(as_utf8(as_text(bytes), utf8), file, tally);
    tally.report(monitor);
    Asset asset;
    asset.character.name = path.stem().string();
    if (options.units.empty()) asset.guesses.push_back(asf::unit_guess(figure));
    asset.character.skeleton = std::move(figure.skeleton);
    return asset;
}

}  // namespace sinew::io
