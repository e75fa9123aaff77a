// Patches of constant topology as rows of points that turn part of the way with the joint.

#include "sinew/base/error.h"
#include "sinew/deform/parts/gap_clip_tracks.h"
#include "sinew/deform/parts/gap_output.h"

namespace sinew::deform {
namespace {

/// A part `t` of the way from parent to child: the points at `t` of every path of the seam (SeamPath::at).
math::Rigidd part_of_way(const Gap& gap, const math::Rigidd& parent, const math::Rigidd& child, double t,
                         ArcRule rule) {
    const math::Rigidd relative = parent.inverse() * child;
    const math::Quatd identity = math::Quatd::Identity();
    math::Rigidd step;
    step.rotation = rule == ArcRule::slerp ? math::slerp(t, identity, relative.rotation)
                                           : math::nlerp(t, identity, relative.rotation);
    const Vec3d shift = relative * gap.pivot - gap.pivot;
    step.translation = gap.pivot + t * shift - step.rotation * gap.pivot;
    return parent * step;
}

void bind(model::Skin& skin, int joint) {
    const model::Influence influence{static_cast<std::uint32_t>(joint), 1.0f};
    skin.push_vertex({&influence, 1});
}

/// Joints of the rows of a gap, from the parent to the child; gives the first.
int add_rows(const GapCloser& closer, const PartMotion& motion, const Gap& gap, model::Character& character,
             model::Clip& clip) {
    const int pieces = closer.options().constant_pieces;
    const auto first = static_cast<int>(character.skeleton.size());
    for (int i = 1; i < pieces; ++i) {
        const auto place = [&](const std::vector<math::Rigidd>& frame) {
            return part_of_way(gap, frame[static_cast<std::size_t>(gap.parent)],
                               frame[static_cast<std::size_t>(gap.child)], static_cast<double>(i) / pieces,
                               closer.options().arcs);
        };
        const auto joint = static_cast<int>(character.skeleton.size());
        const std::string& name = closer.body().cut.names[static_cast<std::size_t>(gap.child)];
        add_joint(character, fmt::format("{} row {}", name, i), 0, place(motion.frames.front()));
        clip.tracks.push_back(moving_track(joint, motion, place));
    }
    return first;
}

/// New points lie at rest where their point of the seam does, and have its normal.
void rest_normals(const SplitVertices& split, const GapPatch& patch, std::size_t first,
                  const std::vector<geometry::Vec3f>& of_vertex, geometry::Mesh& mesh) {
    for (std::size_t r = 0; r < patch.ribs.ribs.size(); ++r) {
        const std::uint32_t vertex = split.sides[2 * patch.gap][patch.ribs.ribs[r].seam].front();
        for (std::size_t p = patch.strip.first_new[r]; p < patch.strip.first_new[r + 1]; ++p)
            mesh.normals[first + p - patch.strip.loop_points()] = of_vertex[split.source[vertex]];
    }
}

}  // namespace

model::Character spread_character(const GapCloser& closer, const PartMotion& motion) {
    if (!closer.options().constant_topology) fail("", "only patches of constant topology can be spread");
    if (motion.frames.empty()) fail("", "a motion without frames cannot be closed");
    const PartBody& body = closer.body();
    for (const std::vector<math::Rigidd>& frame : motion.frames)
        if (frame.size() != body.part_count())
            fail("", "{} transforms are given for {} parts", frame.size(), body.part_count());
    const GapFrame rest = closer.close(std::vector<math::Rigidd>(body.part_count()));
    const SplitVertices split = split_vertices(body, closer.gaps());
    const std::vector<geometry::Vec3f> normals =
        body.mesh.normals.empty() ? geometry::vertex_normals(body.mesh.positions, body.mesh.triangles)
                                  : body.mesh.normals;
    model::Character character;
    character.mesh = rest.mesh;
    for (std::size_t v = 0; v < split.source.size(); ++v)
        character.mesh.normals[v] = normals[split.source[v]];
    model::Clip clip;
    clip.name = motion.name;
    add_joint(character, "parts", -1, {});
    for (std::size_t p = 0; p < body.part_count(); ++p) {
        add_joint(character, body.cut.names[p], 0, motion.frames.front()[p]);
        clip.tracks.push_back(
            moving_track(static_cast<int>(p) + 1, motion, [p](const auto& frame) { return frame[p]; }));
    }
    for (const int part : split.part) bind(character.skin, std::max(part, 0) + 1);
    std::size_t first = split.source.size();
    for (const GapPatch& patch : rest.patches) {
        const int rows = add_rows(closer, motion, closer.gaps()[patch.gap], character, clip);
        rest_normals(split, patch, first, normals, character.mesh);
        for (std::size_t r = 0; r < patch.ribs.ribs.size(); ++r)
            for (std::size_t p = patch.strip.first_new[r]; p < patch.strip.first_new[r + 1]; ++p)
                bind(character.skin, rows + static_cast<int>(p - patch.strip.first_new[r]));
        // Middles of fans, where no strip was found, are on no rib.
        for (std::size_t p = patch.strip.first_new.back(); p < patch.strip.points.size(); ++p)
            bind(character.skin, closer.gaps()[patch.gap].parent + 1);
        first += patch.new_points();
    }
    model::make_names_unique(character.skeleton);
    character.clips.push_back(std::move(clip));
    return character;
}

}  // namespace sinew::deform
