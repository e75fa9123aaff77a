#include "sinew/rig/parts/segment.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/model/roles.h"
#include "sinew/rig/parts/flat_body.h"
#include "sinew/rig/parts/part_names.h"
#include "sinew/rig/parts/part_separate.h"
#include "sinew/rig/parts/segment_diameter.h"
#include "sinew/rig/parts/segment_mirror.h"
#include "sinew/rig/parts/segment_shells.h"
#include "sinew/rig/parts/segment_skeleton.h"

namespace sinew::rig {
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
        int up = skeleton.joints[static_cast<std::size_t>(joint)].parent;
        auto found = joints.end();
        for (; up >= 0 && found == joints.end(); up = skeleton.joints[static_cast<std::size_t>(up)].parent)
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

/// Values at places; -1 where there is no place.
std::vector<int> taken(const std::vector<int>& values, const std::vector<int>& places) {
    std::vector<int> result;
    for (const int place : places) result.push_back(place < 0 ? -1 : values[static_cast<std::size_t>(place)]);
    return result;
}

/// What is known besides the labels.
struct Hints {
    std::vector<double> thickness;  ///< of each face, or empty
    std::vector<int> twins;         ///< labels that are alike, or empty
};

/// Connected parts that are large enough, with borders in good places; returns the old label of each.
std::vector<int> tidy(const FaceGraph& graph, const SegmentationOptions& options, std::vector<int>& labels,
                      bool leaves, const Hints& hints = {}) {
    fill_unknown(labels);
    absorb_islands(graph, labels);
    // What is small can only be told when borders are smooth; and islands may appear anew.
    smooth_borders(graph, labels, options.band, hints.thickness);
    absorb_islands(graph, labels);
    if (leaves)
        join_small(graph, labels, options.least_area, options.least_length, options.least_length / 2);
    else
        join_small(graph, labels, options.least_area, options.least_rig_length);
    if (leaves) join_patches(graph, labels, options.patch);
    if (leaves) join_leaves(graph, labels, options.least_leaf, options.least_reach, hints.twins);
    smooth_borders(graph, labels, options.band / 4);
    absorb_islands(graph, labels);
    return pack_labels(labels);
}

/// Joints as labels of a body of several shells; returns the joint of each label.
std::vector<int> tidy_shells(const FaceGraph& graph, const model::Skeleton& skeleton,
                             const SegmentationOptions& options, std::vector<int>& labels) {
    fill_unknown(labels);
    settle_shells(graph, labels, options.least_area);
    std::vector<int> parents;
    for (const model::Joint& joint : skeleton.joints) parents.push_back(joint.parent);
    drop_small(graph, parents, options.least_area, labels);
    return pack_labels(labels);
}

/// Parents given, parts need not touch: every further root hangs on the first.
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

/// Both sides cut alike; returns the old label of each, -1 for a new one.
std::vector<int> mirrored(const FaceGraph& graph, const FaceMirror& mirror, std::vector<int>& labels) {
    const int count = *std::max_element(labels.begin(), labels.end()) + 1;
    mirror_labels(graph, mirror, labels);
    absorb_islands(graph, labels);
    std::vector<int> old = pack_labels(labels);
    std::replace_if(old.begin(), old.end(), [&](int label) { return label >= count; }, -1);
    return old;
}

/// The automatic tree of the parts, which meet in single loops then.
std::vector<int> automatic_parents(const geometry::CutMesh& cut, const std::vector<int>& /*labels*/) {
    return geometry::part_tree(cut).parent;
}

/// Names by the shape of the tree of parts when these are more than the guide has.
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
                weight[static_cast<std::size_t>(joint_of(i))] += static_cast<double>(i.weight);
        for (const std::uint32_t v : t)
            for (const model::Influence& i : character.skin.of(v)) {
                const int j = joint_of(i);
                const double here = weight[static_cast<std::size_t>(j)];
                const double most = best < 0 ? -1 : weight[static_cast<std::size_t>(best)];
                if (here > most || (here == most && j < best)) best = j;
            }
        for (const std::uint32_t v : t)
            for (const model::Influence& i : character.skin.of(v))
                weight[static_cast<std::size_t>(joint_of(i))] = 0;
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
        result.part_of.resize(graph.size());  // of a sheet the front only
        result.guide = std::move(labels.guide);
        joint_of = std::move(labels.cuts.joint);
        hints.twins = std::move(labels.cuts.twins);
        if (!pillow) hints.thickness = face_thickness(mesh, graph, options.border_rays);
    } else {
        result.part_of = diameter_labels(mesh, graph, {options.rays, options.levels}, monitor);
    }
    step(monitor, "segment", 0.8);
    std::vector<int> labels = tidy(graph, options, result.part_of, true, hints);
    const auto mirror = face_mirror(mesh, graph);
    if (mirror) labels = taken(labels, mirrored(graph, *mirror, result.part_of));
    labels = taken(labels, separate_parts(surface, graph, automatic_parents, result.part_of));
    if (joint_of.empty()) joint_of.assign(graph.size(), -1);  // thickness has no joints
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
    if (!character.has_skin()) fail(character.name, "there is no skin to cut the mesh by");
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
        labels = taken(labels, separate_parts(surface, graph, by_rig, result.part_of, {.join = false}));
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
        const std::string& name = names[static_cast<std::size_t>(part_of[t])];
        if (result.parts.empty() || result.parts.back().name != name ||
            result.parts.back().material != material[t])
            result.parts.push_back({name, i, 0, material[t]});
        ++result.parts.back().count;
    }
    return result;
}

}  // namespace sinew::rig
