// SPDX-License-Identifier: MIT
// A mesh cut into parts: labels of faces become connected, large enough and get good borders.

#include "sinew/rig/segment.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "sinew/articulated/gaps.h"
#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/cut_mesh.h"
#include "sinew/geometry/surface_queries.h"
#include "sinew/model/roles.h"
#include "sinew/rig/body/body_field.h"
#include "sinew/rig/parts/face_graph.h"
#include "sinew/rig/parts/labels.h"

namespace sinew::rig {
/// Of its thickness: shorter parts between two cuts are merged; half of it where more cuts meet.
constexpr double min_length = 0.8;
/// The same of a mesh with a rig.
constexpr double min_rig_length = 0.5;
/// Of the surface: smaller ends of limbs are merged into them; not with a rig.
constexpr double min_leaf = 0.015;
/// Of the width of its opening: shorter ends are merged; not with a rig.
constexpr double min_reach = 0.7;
/// Of its border: minimum share of a patch with a second part that touches the first.
constexpr double patch_share = 0.25;
/// Per face: cuts move to where the thickness changes.
constexpr int border_rays = 5;

/// Parents of parts; the second argument is the first label of each part.
using PartParents =
    std::function<std::vector<int>(const geometry::CutMesh& cut, const std::vector<int>& labels)>;

namespace {

using geometry::CutMesh;

/// Two parts that touch without being parent and child, or in several loops.
std::optional<std::array<int, 2>> offenders(const CutMesh& cut, const std::vector<int>& parents) {
    for (const geometry::PartContact& contact : geometry::part_contacts(cut)) {
        if (!contact.along_edges()) continue;
        const bool linked = parents[at(contact.a)] == contact.b || parents[at(contact.b)] == contact.a;
        if (!linked || geometry::border_chains(contact.edges).size() > 1) return {{contact.a, contact.b}};
    }
    return std::nullopt;
}

/// The smaller of two parts gets the label of the other.
void join(const FaceGraph& graph, const std::array<int, 2>& pair, std::vector<int>& labels) {
    std::array<double, 2> areas{};
    for (std::size_t f = 0; f < labels.size(); ++f)
        for (std::size_t i = 0; i < 2; ++i)
            if (labels[f] == pair[i]) areas[i] += graph.areas[f];
    const bool first_goes = areas[0] < areas[1];
    std::replace(labels.begin(), labels.end(), pair[first_goes ? 0 : 1], pair[first_goes ? 1 : 0]);
}

/// Where parts touch that are not parent and child, the triangles along their border go to the part between
/// them in the tree, until all borders are loops that never meet: on a surface without handles the parts then
/// form a tree. Labels must be 0, 1, 2, ... and are so again; returns the first label of each that is left.
/// With `join_last`, parts that still meet in several loops, as around a handle, become one.
std::vector<int> separate_parts(const CutMesh& surface, const FaceGraph& graph, const PartParents& parents,
                                std::vector<int>& labels, bool join_last = true) {
    constexpr int rounds = 4;  // of widening; borders that still touch then will never separate
    CutMesh cut = surface;
    std::vector<int> first(static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1);
    std::iota(first.begin(), first.end(), 0);
    for (int round = 0;; ++round) {
        cut.part_of = labels;
        cut.names.clear();
        for (const int label : first) cut.names.push_back(fmt::format("part_{}", label));
        const std::vector<int> tree = parents(cut, first);
        const auto pair = offenders(cut, tree);
        if (!pair || (round >= rounds && !join_last)) return first;
        if (round < rounds) {
            articulated::tidy_parts(cut, tree, {.spread = 1, .smooth = true, .island_fraction = 0});
            labels = cut.part_of;
            absorb_islands(graph, labels);
        } else {
            join(graph, *pair, labels);
        }
        std::vector<int> left;
        for (const int label : pack_labels(labels)) left.push_back(first[at(label)]);
        first = std::move(left);
    }
}

}  // namespace

/// Cuts the surface of the common interior of the shells, and gives every face the nearest part. Parts may
/// have pieces in many shells; their tree is that of the interior's parts.
Segmentation segment_solid(const geometry::Mesh& mesh, const FaceGraph& graph,
                           const SegmentationOptions& options, Monitor& monitor);

namespace {

using Shares = std::map<int, double>;  ///< area by label

std::pair<int, double> largest(const Shares& shares) {
    return *std::ranges::max_element(shares, {}, [](const auto& share) { return share.second; });
}

/// Small pieces of a label inside of their shell take the label with the longest border, smallest first.
void join_specks(const FaceGraph& graph, const LabelPieces& shells, std::vector<int>& labels) {
    constexpr double min = 0.1;  // of the shell
    const LabelPieces pieces = label_pieces(graph, labels);
    std::vector<int> shell_of(pieces.label.size(), 0);
    for (std::size_t f = 0; f < graph.size(); ++f) shell_of[at(pieces.of_face[f])] = shells.of_face[f];
    std::vector<Shares> borders(pieces.label.size());
    for (const FaceLink& link : graph.links) {
        const int a = pieces.of_face[link.a], b = pieces.of_face[link.b];
        if (a == b) continue;
        borders[at(a)][b] += link.length;
        borders[at(b)][a] += link.length;
    }
    std::vector<int> final_label = pieces.label;
    for (std::size_t p = 0; p < pieces.label.size(); ++p) {
        const bool speck = pieces.areas[p] < min * shells.areas[at(shell_of[p])];
        if (speck && !borders[p].empty()) final_label[p] = pieces.label[at(largest(borders[p]).first)];
    }
    for (std::size_t f = 0; f < graph.size(); ++f) labels[f] = final_label[at(pieces.of_face[f])];
}

/// The surface of the interior, with loose parts that belong to the body joined to it.
geometry::Mesh solid_of(const geometry::Mesh& mesh, Monitor& monitor) {
    BodyOptions body;
    body.closed_gap = 6;  // percent of the diagonal, as for templates
    geometry::Mesh solid = geometry::surface_of(body_field(mesh, body, monitor).solid);
    solid.name = mesh.name;
    return solid;
}

/// The part of the nearest position, by face.
std::vector<int> nearest_parts(const geometry::Mesh& solid, const std::vector<int>& part_of,
                               const FaceGraph& graph) {
    const geometry::SurfaceQueries surface(solid);
    std::vector<int> labels;
    for (const Vec3d& middle : graph.middles) {
        const auto found = surface.nearest(middle.cast<float>());
        labels.push_back(found ? part_of[found->triangle] : 0);
    }
    return labels;
}

/// Parents of the labels that are left, by their new numbers.
std::vector<int> parents_left(const std::vector<int>& parents, const std::vector<int>& old) {
    std::vector<int> result;
    for (const int label : old) {
        int up = parents[at(label)];
        while (up >= 0 && !std::ranges::binary_search(old, up)) up = parents[at(up)];
        result.push_back(up < 0 ? -1 : static_cast<int>(std::ranges::lower_bound(old, up) - old.begin()));
    }
    return result;
}

/// Whether shells other than the largest matter: more than a twentieth of the surface.
bool has_many_shells(const FaceGraph& graph) {
    const LabelPieces shells = label_pieces(graph, std::vector<int>(graph.size(), 0));
    const double max = shells.areas.empty() ? 0 : *std::ranges::max_element(shells.areas);
    return graph.area - max > 0.05 * graph.area;
}

/// Labels by shell: one that lies mostly (0.7 of it) in one label, or is smaller than `min_area` of the
/// surface, gets that label as a whole; in others, pieces smaller than a tenth of the shell join the label
/// with the longest border. Labels that have less than `min_area` in all stay: see drop_small.
void settle_shells(const FaceGraph& graph, std::vector<int>& labels, double min_area) {
    constexpr double mostly = 0.7;
    const LabelPieces shells = label_pieces(graph, std::vector<int>(graph.size(), 0));
    std::vector<Shares> shares(shells.areas.size());
    for (std::size_t f = 0; f < graph.size(); ++f) shares[at(shells.of_face[f])][labels[f]] += graph.areas[f];
    for (std::size_t f = 0; f < graph.size(); ++f) {
        const std::size_t shell = at(shells.of_face[f]);
        const auto [label, area] = largest(shares[shell]);
        const bool whole = area >= mostly * shells.areas[shell] && shells.areas[shell] < 0.2 * graph.area;
        if (whole || shells.areas[shell] < min_area * graph.area) labels[f] = label;
    }
    join_specks(graph, shells, labels);
}

/// Labels with less than `min_area` of the surface become their parents' (-1 ends a path up).
void drop_small(const FaceGraph& graph, const std::vector<int>& parents, double min_area,
                std::vector<int>& labels) {
    for (std::size_t round = 0; round < parents.size(); ++round) {
        std::vector<double> areas(parents.size(), 0);
        for (std::size_t f = 0; f < graph.size(); ++f) areas[at(labels[f])] += graph.areas[f];
        int smallest = -1;
        for (std::size_t l = 0; l < parents.size(); ++l) {
            if (areas[l] <= 0 || areas[l] >= min_area * graph.area || parents[l] < 0) continue;
            if (smallest < 0 || areas[l] < areas[at(smallest)]) smallest = static_cast<int>(l);
        }
        if (smallest < 0) return;
        std::ranges::replace(labels, smallest, parents[at(smallest)]);
    }
}

}  // namespace

Segmentation segment_solid(const geometry::Mesh& mesh, const FaceGraph& graph,
                           const SegmentationOptions& options, Monitor& monitor) {
    const geometry::Mesh solid = solid_of(mesh, monitor);
    SegmentationOptions one = options;
    one.across_shells = false;
    Segmentation result = segment(solid, one, monitor);
    const std::vector<int> parents =
        geometry::part_tree(geometry::cut_mesh(solid, result.part_of, result.names)).parent;
    result.part_of = nearest_parts(solid, result.part_of, graph);
    settle_shells(graph, result.part_of, options.min_area);
    drop_small(graph, parents, options.min_area, result.part_of);
    const std::vector<int> old = pack_labels(result.part_of);
    result.parents = parents_left(parents, old);
    std::vector<std::string> names;
    for (const int label : old) names.push_back(result.names[at(label)]);
    result.names = std::move(names);
    result.across_shells = true;
    return result;
}

namespace {

/// Names of joints whose roles are known, or of all; parts without one are numbered.
std::vector<std::string> names_of(const std::vector<int>& joints, const model::Skeleton& guide, bool all) {
    std::vector<std::string> names;
    std::vector<model::JointRole> roles;
    if (!guide.empty()) roles = model::find_roles(guide);
    for (const int joint : joints) {
        const std::size_t j = joint < 0 ? roles.size() : static_cast<std::size_t>(joint);
        const bool known = j < roles.size() && (all || roles[j].role != model::Role::none);
        names.push_back(known ? guide.joints[j].name : fmt::format("part_{}", names.size() + 1));
    }
    return names;
}

/// A negative label, where no joint reaches, is that of the first face that has one.
void fill_unknown(std::vector<int>& labels) {
    const auto known = std::find_if(labels.begin(), labels.end(), [](int l) { return l >= 0; });
    const int label = known == labels.end() ? 0 : *known;
    std::replace_if(labels.begin(), labels.end(), [](int l) { return l < 0; }, label);
}

/// The part of the nearest joint above that has one.
std::vector<int> parents_of(const std::vector<int>& joints, const model::Skeleton& skeleton) {
    std::vector<int> parents;
    for (const int joint : joints) {
        int up = skeleton.joints[at(joint)].parent;
        auto found = joints.end();
        for (; up >= 0 && found == joints.end(); up = skeleton.joints[at(up)].parent)
            found = std::find(joints.begin(), joints.end(), up);
        parents.push_back(found == joints.end() ? -1 : static_cast<int>(found - joints.begin()));
    }
    return parents;
}

/// The welded surface in one part.
geometry::CutMesh one_part(const geometry::Mesh& mesh) {
    if (mesh.triangles.empty()) fail(mesh.name, "there are no triangles to cut into parts");
    return geometry::cut_mesh(mesh, std::vector<int>(mesh.triangles.size(), 0), {"body"});
}

/// Values at positions; -1 where there is no position.
std::vector<int> taken(const std::vector<int>& values, const std::vector<int>& indices) {
    std::vector<int> result;
    for (const int index : indices) result.push_back(index < 0 ? -1 : values[at(index)]);
    return result;
}

/// Additional data beside the labels.
struct Hints {
    std::vector<double> thickness;  ///< of each face, or empty
    std::vector<int> twins;         ///< twins of labels, or empty
};

/// Connected parts that are large enough, with borders in good positions; returns the old label of each.
std::vector<int> tidy(const FaceGraph& graph, const SegmentationOptions& options, std::vector<int>& labels,
                      bool leaves, const Hints& hints = {}) {
    fill_unknown(labels);
    absorb_islands(graph, labels);
    // Sizes can be measured only when borders are smooth; islands may then appear again.
    smooth_borders(graph, labels, options.band, hints.thickness);
    absorb_islands(graph, labels);
    if (leaves)
        join_small(graph, labels, options.min_area, min_length, min_length / 2);
    else
        join_small(graph, labels, options.min_area, min_rig_length);
    if (leaves) join_patches(graph, labels, patch_share);
    if (leaves) join_leaves(graph, labels, min_leaf, min_reach, hints.twins);
    smooth_borders(graph, labels, options.band / 4);
    absorb_islands(graph, labels);
    return pack_labels(labels);
}

/// Joints as labels of a body of several shells; returns the joint of each label.
std::vector<int> tidy_shells(const FaceGraph& graph, const model::Skeleton& skeleton,
                             const SegmentationOptions& options, std::vector<int>& labels) {
    fill_unknown(labels);
    settle_shells(graph, labels, options.min_area);
    std::vector<int> parents;
    for (const model::Joint& joint : skeleton.joints) parents.push_back(joint.parent);
    drop_small(graph, parents, options.min_area, labels);
    return pack_labels(labels);
}

/// With given parents, parts need not touch: every further root is attached to the first.
geometry::PartTree tree_of(std::vector<int> parents) {
    geometry::PartTree tree;
    const auto root = static_cast<int>(std::find(parents.begin(), parents.end(), -1) - parents.begin());
    for (std::size_t p = 0; p < parents.size(); ++p)
        if (parents[p] < 0 && static_cast<int>(p) != root) parents[p] = root;
    std::vector<int> open = {root};
    while (!open.empty()) {
        const int part = open.back();
        open.pop_back();
        tree.order.push_back(part);
        for (std::size_t p = parents.size(); p-- > 0;)
            if (parents[p] == part) open.push_back(static_cast<int>(p));
    }
    tree.parent = std::move(parents);
    tree.openings.resize(tree.parent.size());
    return tree;
}

/// Equal cuts on both sides; returns the old label of each, -1 for a new one.
std::vector<int> mirrored(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels) {
    const int count = *std::max_element(labels.begin(), labels.end()) + 1;
    mirror_labels(graph, mirror, labels);
    absorb_islands(graph, labels);
    std::vector<int> old = pack_labels(labels);
    std::replace_if(old.begin(), old.end(), [&](int label) { return label >= count; }, -1);
    return old;
}

/// The automatic tree of the parts, which then meet in single loops.
std::vector<int> automatic_parents(const geometry::CutMesh& cut, const std::vector<int>& /*labels*/) {
    return geometry::part_tree(cut).parent;
}

/// Names by the shape of the tree of parts, when these are more than those of the guide.
void name_by_shape(geometry::CutMesh surface, Segmentation& result) {
    surface.part_of = result.part_of;
    surface.names = result.names;
    const std::vector<std::string> shape = names_by_shape(surface, geometry::part_tree(surface));
    const auto known = std::count_if(shape.begin(), shape.end(), [](const auto& n) { return !n.empty(); });
    const auto before = std::count_if(result.names.begin(), result.names.end(),
                                      [](const auto& n) { return !n.starts_with("part_"); });
    if (known <= before) return;
    for (std::size_t p = 0; p < shape.size(); ++p)
        result.names[p] = shape[p].empty() ? fmt::format("part_{}", p + 1) : shape[p];
}

/// The joint with the largest sum of weights over the corners of each face.
std::vector<int> heaviest_joints(const model::Character& character) {
    std::vector<int> labels;
    std::vector<double> weight(character.skeleton.size(), 0);
    for (const geometry::Triangle& t : character.mesh.triangles) {
        int best = -1;
        const auto joint_of = [&](const model::Influence& i) { return character.skin.joints[i.joint].joint; };
        for (const std::uint32_t v : t)
            for (const model::Influence& i : character.skin.of(v))
                weight[at(joint_of(i))] += static_cast<double>(i.weight);
        for (const std::uint32_t v : t)
            for (const model::Influence& i : character.skin.of(v)) {
                const int j = joint_of(i);
                const double here = weight[at(j)];
                const double max = best < 0 ? -1 : weight[at(best)];
                if (here > max || (here == max && j < best)) best = j;
            }
        for (const std::uint32_t v : t)
            for (const model::Influence& i : character.skin.of(v)) weight[at(joint_of(i))] = 0;
        labels.push_back(best);
    }
    return labels;
}

}  // namespace

std::string_view name_of(SegmentMethod method) {
    constexpr std::string_view names[] = {"skeleton", "diameter"};
    return names[static_cast<std::size_t>(method)];
}

Segmentation segment(const geometry::Mesh& mesh, const SegmentationOptions& options, Monitor& monitor) {
    const auto start = std::chrono::steady_clock::now();
    Segmentation result;
    std::vector<int> joint_of;  // by label
    Hints hints;
    const geometry::CutMesh surface = one_part(mesh);
    const FaceGraph graph = face_graph(surface);
    step(monitor, "segment", 0.1);
    if (options.across_shells && has_many_shells(graph)) return segment_solid(mesh, graph, options, monitor);
    if (options.method == SegmentMethod::skeleton) {
        const auto pillow = pillow_of(surface);
        SkeletonLabels labels = skeleton_labels(pillow ? *pillow : mesh, monitor);
        result.part_of = std::move(labels.of_face);
        result.part_of.resize(graph.size());  // the front only, for a sheet
        result.guide = std::move(labels.guide);
        joint_of = std::move(labels.cuts.joint);
        hints.twins = std::move(labels.cuts.twins);
        if (!pillow) hints.thickness = face_thickness(mesh, graph, border_rays);
    } else {
        result.part_of = diameter_labels(mesh, graph, options.rays, options.levels, monitor);
    }
    step(monitor, "segment", 0.8);
    std::vector<int> labels = tidy(graph, options, result.part_of, true, hints);
    const auto mirror = face_mirror(mesh, graph);
    if (mirror) labels = taken(labels, mirrored(graph, *mirror, result.part_of));
    labels = taken(labels, separate_parts(surface, graph, automatic_parents, result.part_of));
    if (joint_of.empty()) joint_of.assign(graph.size(), -1);  // thickness gives no joints
    labels = taken(joint_of, labels);
    result.names = names_of(labels, result.guide, false);
    if (options.method == SegmentMethod::skeleton) name_by_shape(surface, result);
    if (mirror) name_twins(twin_labels(graph, *mirror, result.part_of), result.names);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

Segmentation segment(const model::Character& character, const SegmentationOptions& options,
                     Monitor& monitor) {
    const auto start = std::chrono::steady_clock::now();
    if (!character.has_skin()) fail(character.name, "there is no skin to segment the mesh by");
    Segmentation result;
    const geometry::CutMesh surface = one_part(character.mesh);
    const FaceGraph graph = face_graph(surface);
    step(monitor, "segment", 0.3);
    result.part_of = heaviest_joints(character);
    result.across_shells = options.across_shells && has_many_shells(graph);
    std::vector<int> labels;
    if (result.across_shells) {
        labels = tidy_shells(graph, character.skeleton, options, result.part_of);
    } else {
        labels = tidy(graph, options, result.part_of, false);
        const PartParents by_rig = [&](const geometry::CutMesh& cut, const std::vector<int>& left) {
            return geometry::wanted_part_tree(cut, parents_of(taken(labels, left), character.skeleton))
                .parent;
        };
        labels = taken(labels, separate_parts(surface, graph, by_rig, result.part_of, false));
    }
    result.guide = character.skeleton;
    result.names = names_of(labels, result.guide, true);
    result.parents = parents_of(labels, result.guide);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

geometry::PartTree segment_tree(const geometry::CutMesh& cut, const Segmentation& segmentation,
                                Monitor& monitor) {
    if (segmentation.across_shells) return tree_of(segmentation.parents);
    if (!segmentation.parents.empty()) return geometry::wanted_part_tree(cut, segmentation.parents, monitor);
    return geometry::part_tree(cut, monitor);
}

geometry::Mesh with_parts(const geometry::Mesh& mesh, const std::vector<int>& part_of,
                          const std::vector<std::string>& names) {
    geometry::Mesh result = mesh;
    std::vector<int> material(mesh.triangles.size(), -1);
    for (const geometry::Part& part : geometry::parts_of(mesh))
        std::fill_n(material.begin() + part.first, part.count, part.material);
    std::vector<std::uint32_t> order(mesh.triangles.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::pair(part_of[x], material[x]) < std::pair(part_of[y], material[y]);
    });
    result.parts.clear();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        const std::uint32_t t = order[i];
        result.triangles[i] = mesh.triangles[t];
        const std::string& name = names[at(part_of[t])];
        if (result.parts.empty() || result.parts.back().name != name ||
            result.parts.back().material != material[t])
            result.parts.push_back({name, i, 0, material[t]});
        ++result.parts.back().count;
    }
    return result;
}

}  // namespace sinew::rig
