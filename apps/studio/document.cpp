// SPDX-License-Identifier: MIT
#include "document.h"

#include <algorithm>

#include "shared/plural.h"

#include "sinew/base/error.h"
#include "sinew/geometry/topology.h"
#include "sinew/pipeline/publish.h"

namespace sinew::studio {
namespace {

using app::count_of;

geometry::Box rest_box(const model::Character& character) {
    geometry::Box box = geometry::bounds(character.has_skin() ? pipeline::rest_mesh(character).positions
                                                              : character.mesh.positions);
    const auto world = model::rest_world_matrices(character.skeleton);
    for (const Vec3d& joint : model::joint_positions(world)) box.include(joint.cast<float>());
    for (const model::Bone& bone : model::bones(character.skeleton, world))
        box.include(bone.end.cast<float>());
    return box;
}

void describe_surface(const geometry::Mesh& mesh, std::vector<std::string>& lines) {
    const geometry::Topology t = geometry::topology(mesh);
    lines.push_back(fmt::format("{}, {}, {}", count_of(mesh.vertex_count(), "vertex"),
                                count_of(mesh.triangles.size(), "triangle"),
                                count_of(t.components, "shell")));
    lines.push_back(fmt::format("{}, {}{}", t.closed ? "closed" : count_of(t.border_loops, "border loop"),
                                t.manifold ? "manifold" : "not manifold",
                                t.genus ? fmt::format(", genus {}", *t.genus) : ""));
    const math::Vec3f size = geometry::bounds(mesh.positions).size();
    lines.push_back(fmt::format("size {:.4g} x {:.4g} x {:.4g}", size.x(), size.y(), size.z()));
    if (t.closed)
        lines.push_back(
            fmt::format("volume {:.4g}", geometry::signed_volume(mesh.positions, mesh.triangles)));
}

/// Edits of weights, joints and clips do not change the mesh; its other data then comes from the same file.
bool same_mesh(const geometry::Mesh& a, const geometry::Mesh& b) {
    return a.positions == b.positions && a.triangles == b.triangles && a.normals == b.normals &&
           a.materials.size() == b.materials.size() && a.images.size() == b.images.size() &&
           a.morphs.size() == b.morphs.size();
}

void describe_rig(const model::Character& character, std::vector<std::string>& lines) {
    if (character.has_skeleton()) lines.push_back(count_of(character.skeleton.size(), "joint"));
    if (character.has_skin()) {
        const auto sets = model::group_by_influences(character.skin, &character.skeleton);
        lines.push_back(count_of(sets.sets.size(), "influence set"));
    }
    for (const model::Clip& clip : character.clips)
        lines.push_back(fmt::format("clip \"{}\": {}, {:.2f} s", clip.name,
                                    count_of(model::frame_count(clip), "frame"),
                                    model::time_range(clip).duration()));
}

}  // namespace

Document::Document() : Document(model::Character{}) {}

Document::Document(model::Character made, std::filesystem::path from)
    : Document(std::move(made), std::move(from), nullptr) {}

Document::Document(model::Character made, std::filesystem::path from, const Document* like)
    : path(std::move(from)),
      character(std::make_shared<const model::Character>(std::move(made))),
      parts(std::make_shared<const BodyParts>(body_parts(*character))),
      box(rest_box(*character)) {
    if (like != nullptr && same_mesh(character->mesh, like->character->mesh)) {
        surface = like->surface;
        return;
    }
    std::vector<std::string> lines;
    if (character->has_mesh()) describe_surface(character->mesh, lines);
    surface = std::make_shared<const std::vector<std::string>>(std::move(lines));
}

namespace {

bool same_rest(const model::Skeleton& a, const model::Skeleton& b) {
    return std::ranges::equal(a.joints, b.joints, [](const model::Joint& x, const model::Joint& y) {
        return x.parent == y.parent && x.rest.translation == y.rest.translation &&
               x.rest.rotation.coeffs() == y.rest.rotation.coeffs();
    });
}

}  // namespace

Document Document::with(model::Character changed) const {
    const bool same_joints = changed.skeleton.size() == character->skeleton.size();
    const bool same_clips = same_rest(changed.skeleton, character->skeleton);
    Document document(std::move(changed), path, this);
    if (same_joints) {
        document.motion = motion;
        document.confidence = confidence;
    }
    if (same_clips) document.layer = layer;
    document.trial = trial;
    document.gait = gait;
    document.marks = marks;
    document.checklist = checklist;
    return document;
}

Document document_of(io::Asset asset, const std::filesystem::path& path, Monitor& monitor) {
    if (asset.character.name.empty()) asset.character.name = path.stem().string();
    if (!asset.sequence.empty()) {
        auto sequence = std::make_shared<const model::MeshSequence>(std::move(asset.sequence));
        asset.character.mesh = sequence->rest;
        Document document(std::move(asset.character), path);
        document.sequence = std::move(sequence);
        return document;
    }
    pipeline::make_playable(asset, monitor);
    if (!asset.character.has_mesh() && !asset.character.has_skeleton()) {
        if (!asset.channels.empty()) fail(path.string(), "contains channels only: open a character first");
        fail(path.string(), "contains nothing to show");
    }
    Document document(std::move(asset.character), path);
    if (!asset.trial.empty()) document.trial = std::make_shared<const model::Trial>(std::move(asset.trial));
    return document;
}

Document open_document(const std::filesystem::path& path, const io::ReadOptions& options, Monitor& monitor) {
    return document_of(io::read(path, options, monitor), path, monitor);
}

bool is_motion(const io::Asset& asset) {
    if (asset.character.has_mesh() || !asset.sequence.empty()) return false;
    return !asset.character.clips.empty() || !asset.channels.empty() || !asset.trial.markers.empty() ||
           !asset.cycle.empty();
}

std::vector<std::string> describe(const Document& document) {
    std::vector<std::string> lines;
    const model::Character& character = *document.character;
    lines.push_back(character.name.empty() ? "nothing is open" : character.name);
    if (character.has_mesh()) {
        lines.insert(lines.end(), document.surface->begin(), document.surface->end());
        lines.push_back(count_of(document.parts->parts.size(), "part"));
    }
    describe_rig(character, lines);
    if (document.sequence)
        lines.push_back(fmt::format("{} at {:.4g} per second",
                                    count_of(document.sequence->frames.size(), "frame"),
                                    document.sequence->rate));
    return lines;
}

}  // namespace sinew::studio
