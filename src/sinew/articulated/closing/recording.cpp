// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>

#include "sinew/articulated/closing/output.h"
#include "sinew/base/array.h"
#include "sinew/base/error.h"
#include "sinew/geometry/mesh.h"

namespace sinew::articulated {

using geometry::Mesh;
using geometry::MeshCopier;
using geometry::Triangle;

namespace {

/// Pose of a joint in each frame, as linear keys.
model::Track moving_track(int joint, const PartMotion& motion,
                          const std::function<math::Rigidd(const std::vector<math::Rigidd>&)>& pose) {
    model::Track track;
    track.joint = joint;
    track.translation.times = track.rotation.times =
        model::KeyTimes::even(0, 1 / motion.rate, motion.frames.size());
    for (const std::vector<math::Rigidd>& frame : motion.frames) {
        const math::Rigidd here = pose(frame);
        track.translation.values.push_back(here.translation.cast<float>());
        const math::Quatf rotation = here.rotation.cast<float>().normalized();
        const auto& values = track.rotation.values;
        track.rotation.values.push_back(values.empty() ? rotation : math::aligned(rotation, values.back()));
    }
    return track;
}

/// Scale 1 in the given frames (increasing) and 0 in the others. Steps lie half a frame before and after, so
/// that the nearest frame is shown and rounding of times never shows its neighbour.
model::Track shown_track(int joint, const std::vector<std::uint32_t>& shown, std::size_t frames,
                         double rate) {
    model::Track track;
    track.joint = joint;
    track.scale.mode = model::Interpolation::step;
    std::vector<float> times;
    const auto key = [&](double at, float scale) {
        times.push_back(static_cast<float>(at / rate));
        track.scale.values.push_back(math::Vec3f::Constant(scale));
    };
    if (shown.empty() || shown.front() > 0) key(0, 0);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double frame = shown[i];
        if (i == 0 || shown[i - 1] + 1 < shown[i]) key(shown[i] > 0 ? frame - 0.5 : 0, 1);
        const bool last = i + 1 == shown.size() || shown[i + 1] > shown[i] + 1;
        if (last && shown[i] + 1 < frames) key(frame + 0.5, 0);
    }
    track.scale.times = model::KeyTimes::listed(times);
    return track;
}

/// Adds a joint below another, with its pose in the first frame.
void add_joint(model::Character& character, const std::string& name, int parent, const math::Rigidd& pose,
               bool shown = true) {
    model::Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = pose.translation;
    joint.rest.rotation = pose.rotation;
    if (!shown) joint.rest.scale.setZero();
    character.skeleton.joints.push_back(joint);
    // The identity keeps the vertices where they are without motion.
    character.skin.joints.push_back(
        {static_cast<int>(character.skeleton.size()) - 1, math::Mat4d::Identity()});
}

/// Fraction `t` of the path from parent to child: the points at `t` of every path of the seam (SeamPath::at).
math::Rigidd part_of_path(const Gap& gap, const math::Rigidd& parent, const math::Rigidd& child, double t) {
    const math::Rigidd relative = parent.inverse() * child;
    const math::Quatd identity = math::Quatd::Identity();
    math::Rigidd step;
    step.rotation = math::slerp(t, identity, relative.rotation);
    const Vec3d shift = relative * gap.pivot - gap.pivot;
    step.translation = gap.pivot + t * shift - step.rotation * gap.pivot;
    return parent * step;
}

void bind(model::Skin& skin, int joint) {
    const model::Influence influence{static_cast<std::uint32_t>(joint), 1.0f};
    skin.push_vertex({&influence, 1});
}

/// Adds the joints of the rows of a gap, from the parent to the child; returns the first.
int add_rows(const GapCloser& closer, const PartMotion& motion, const Gap& gap, model::Character& character,
             model::Clip& clip) {
    const int pieces = constant_pieces;
    const auto first = static_cast<int>(character.skeleton.size());
    for (int i = 1; i < pieces; ++i) {
        const auto pose = [&](const std::vector<math::Rigidd>& frame) {
            return part_of_path(gap, frame[static_cast<std::size_t>(gap.parent)],
                                frame[static_cast<std::size_t>(gap.child)], static_cast<double>(i) / pieces);
        };
        const auto joint = static_cast<int>(character.skeleton.size());
        const std::string& name = closer.body().cut.names[static_cast<std::size_t>(gap.child)];
        add_joint(character, fmt::format("{} row {}", name, i), 0, pose(motion.frames.front()));
        clip.tracks.push_back(moving_track(joint, motion, pose));
    }
    return first;
}

/// At rest new points are at the position of their seam point and have its normal.
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
        // Centres of fans (where no strip was found) are not on a rib.
        for (std::size_t p = patch.strip.first_new.back(); p < patch.strip.points.size(); ++p)
            bind(character.skin, closer.gaps()[patch.gap].parent + 1);
        first += patch.new_points();
    }
    model::make_names_unique(character.skeleton);
    character.clips.push_back(std::move(clip));
    return character;
}

namespace {

/// Everything since the last part becomes a part with this name.
void end_part(Mesh& mesh, const std::string& name, int material) {
    const std::uint32_t first = mesh.parts.empty() ? 0 : mesh.parts.back().first + mesh.parts.back().count;
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size()) - first;
    if (count > 0) mesh.parts.push_back({name, first, count, material});
}

Mesh with_normals(Mesh mesh) {
    if (mesh.normals.empty()) mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    return mesh;
}

constexpr int none = -1, several = -2;

/// For each point of the cut mesh the gap whose patch ends there; normal and, when welded, position are those
/// of the patch. A seam that has not moved is its own end.
std::vector<int> ends_of(const GapCloser& closer, const GapFrame& frame) {
    std::vector<int> ends(closer.body().cut.points.size(), none);
    const auto mark = [&](std::uint32_t point, std::size_t gap) {
        if (closer.soft().whole(point)) return;
        const auto own = static_cast<int>(gap);
        ends[point] = ends[point] == none || ends[point] == own ? own : several;
    };
    for (const GapPatch& patch : frame.patches) {
        const Gap& gap = closer.gaps()[patch.gap];
        for (const GapSide& side : gap.sides)
            for (std::size_t i = 0; i < gap.loop_size && !patch.moved; ++i) mark(side.points[i], patch.gap);
        for (int s = 0; s < 2; ++s)
            for (const std::uint32_t p : patch.cut.sides[s].loop) mark(gap.sides[s].points[p], patch.gap);
    }
    return ends;
}

/// The gap at whose end a triangle of the rest mesh is; `several`, or `none`.
int gap_at(const Triangle& triangle, const std::vector<int>& ends) {
    int gap = none;
    for (const std::uint32_t corner : triangle) {
        if (ends[corner] == none || ends[corner] == gap) continue;
        gap = gap == none ? ends[corner] : several;
    }
    return gap;
}

/// Triangles that are shown in the same frames: part of the rest mesh, or a mesh in its part's rest frame.
struct Piece {
    int part = -1;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> frames;
    const Mesh* mesh = nullptr;

    std::size_t size() const { return mesh == nullptr ? triangles.size() : mesh->triangles.size(); }
};

void move(Mesh& mesh, std::size_t first, const math::Rigidd& by) {
    for (std::size_t v = first; v < mesh.vertex_count(); ++v) {
        mesh.positions[v] = Vec3d(by * mesh.positions[v].cast<double>()).cast<float>();
        mesh.normals[v] = Vec3d(by.rotation * mesh.normals[v].cast<double>()).cast<float>();
    }
}

/// The seam that a triangle is near, as 2 gap + side; after these, one index per part for all other
/// triangles.
std::vector<std::size_t> neighbourhoods(const GapCloser& closer) {
    const geometry::CutMesh& cut = closer.body().cut;
    std::vector<std::size_t> owner;
    for (const int part : cut.part_of)
        owner.push_back(2 * closer.gaps().size() + static_cast<std::size_t>(part));
    for (std::size_t g = closer.gaps().size(); g-- > 0;)
        for (std::size_t s = 0; s < 2; ++s)
            for (const std::uint32_t t : closer.gaps()[g].sides[s].triangle_ids) owner[t] = 2 * g + s;
    return owner;
}

/// Compares the size in the file of copies of a piece with that of its own node.
bool worth_a_node(const Piece& piece) {
    constexpr std::size_t bytes_of_triangle = 20, bytes_of_node = 1500;
    return (piece.frames.size() - 1) * piece.size() * bytes_of_triangle > bytes_of_node;
}

/// True when a corner is moved by several parts.
bool is_soft(const GapCloser& closer, std::uint32_t triangle) {
    return std::ranges::any_of(closer.body().cut.triangles[triangle],
                               [&](std::uint32_t point) { return closer.soft().soft(point); });
}

/// Soft triangles, by part, that move with the parts in this frame but not in all frames.
std::vector<Piece> soft_in_frame(const GapCloser& closer, const std::vector<std::uint8_t>& rigid,
                                 const std::vector<std::uint8_t>& always) {
    std::vector<Piece> pieces(closer.body().part_count());
    for (std::uint32_t t = 0; t < rigid.size() && closer.soft().any(); ++t)
        if (rigid[t] && !always[t] && is_soft(closer, t))
            pieces[at(closer.body().cut.part_of[t])].triangles.push_back(t);
    for (std::size_t p = 0; p < pieces.size(); ++p) pieces[p].part = static_cast<int>(p);
    std::erase_if(pieces, [](const Piece& piece) { return piece.triangles.empty(); });
    return pieces;
}

/// Triangles that are rigid in some frames but not in all, by the nearest seam: one piece for each set of
/// them that is shown together in a frame.
std::vector<Piece> shown_together(const GapCloser& closer,
                                  const std::vector<std::vector<std::uint8_t>>& rigid,
                                  const std::vector<std::uint8_t>& always) {
    const std::vector<std::size_t> owner = neighbourhoods(closer);
    const std::vector<int>& part_of = closer.body().cut.part_of;
    std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, std::vector<std::uint32_t>> found;
    for (std::uint32_t f = 0; f < rigid.size(); ++f) {
        std::map<std::size_t, std::vector<std::uint32_t>> sets;
        for (std::uint32_t t = 0; t < owner.size(); ++t)
            if (rigid[f][t] && !always[t] && !is_soft(closer, t)) sets[owner[t]].push_back(t);
        for (auto& [at, set] : sets) found[{at, std::move(set)}].push_back(f);
    }
    std::vector<Piece> pieces;
    for (const auto& [key, frames] : found)
        pieces.push_back({part_of[key.second.front()], key.second, frames, nullptr});
    return pieces;
}

std::vector<int> materials_of(const Mesh& mesh) {
    std::vector<int> materials;
    for (const geometry::Part& part : geometry::parts_of(mesh))
        materials.insert(materials.end(), part.count, part.material);
    return materials;
}

/// Appends pieces, each bound to one joint; soft skin is bound to the joints of several parts.
class Assembly {
  public:
    Assembly(const GapCloser& closer, const PartMotion& motion)
        : closer_(closer),
          rest_(with_normals(closer.body().mesh)),
          materials_(materials_of(rest_)),
          motion_(motion) {
        const PartBody& body = closer.body();
        character_.mesh.materials = body.mesh.materials;
        character_.mesh.images = body.mesh.images;
        add_joint(character_, "parts", -1, {});
        clip_.name = motion.name;
        for (std::size_t p = 0; p < body.part_count(); ++p) {
            add_joint(character_, body.cut.names[p], 0, motion.frames.front()[p]);
            clip_.tracks.push_back(
                moving_track(static_cast<int>(p) + 1, motion, [p](const auto& frame) { return frame[p]; }));
        }
    }

    /// Triangles of one part that are the same in all frames.
    void add_core(const Piece& piece, const std::string& name) {
        for (const std::uint32_t v : copy(piece, name)) {
            std::vector<model::Influence> influences;
            for (const SoftSeams::Share& share : shares(piece.part, v))
                influences.push_back(
                    {static_cast<std::uint32_t>(share.part) + 1, static_cast<float>(share.weight)});
            character_.skin.push_vertex(influences);
        }
    }
    void add(const Piece& piece, const std::string& name, int joint) {
        copy(piece, name);
        bind(joint);
    }
    /// A joint that is visible only in some frames.
    int add_shown(const std::string& name, int parent, const std::vector<std::uint32_t>& frames) {
        const auto joint = static_cast<int>(character_.skeleton.size());
        add_joint(character_, name, parent, {}, frames.front() == 0);
        if (motion_.frames.size() > 1)
            clip_.tracks.push_back(shown_track(joint, frames, motion_.frames.size(), motion_.rate));
        return joint;
    }
    /// Adds a mesh of one frame, its soft pieces, and pieces that occur in few frames, in their pose of this
    /// frame.
    void add_frame(std::uint32_t f, const Mesh& mixed, const std::vector<Piece>& soft,
                   const std::vector<const Piece*>& more) {
        const std::string name = fmt::format("frame_{}", f);
        copy({-1, {}, {}, &mixed}, name);
        for (const Piece* piece : more) {
            const std::size_t first = character_.mesh.vertex_count();
            copy(*piece, name);
            move(character_.mesh, first, motion_.frames[f][static_cast<std::size_t>(piece->part)]);
        }
        for (const Piece& piece : soft) {
            std::size_t to = character_.mesh.vertex_count();
            for (const std::uint32_t v : copy(piece, name)) move_soft(piece.part, v, f, to++);
        }
        if (character_.mesh.vertex_count() > character_.skin.vertex_count()) bind(add_shown(name, 0, {f}));
    }

    model::Character finish() {
        model::make_names_unique(character_.skeleton);
        character_.clips.push_back(std::move(clip_));
        return std::move(character_);
    }

  private:
    std::vector<SoftSeams::Share> shares(int part, std::uint32_t vertex) const {
        return closer_.soft().shares(part, closer_.body().cut.point_of[vertex]);
    }
    void move_soft(int part, std::uint32_t vertex, std::uint32_t frame, std::size_t to) {
        const BlendedPosition pose = blend(shares(part, vertex), motion_.frames[frame]);
        character_.mesh.positions[to] = Vec3d(pose * rest_.positions[vertex].cast<double>()).cast<float>();
        character_.mesh.normals[to] =
            Vec3d(pose.rotation * rest_.normals[vertex].cast<double>()).normalized().cast<float>();
    }
    /// Returns the source vertices of the copied ones.
    std::vector<std::uint32_t> copy(const Piece& piece, const std::string& name) {
        MeshCopier copier(piece.mesh == nullptr ? rest_ : *piece.mesh, character_.mesh);
        if (piece.mesh != nullptr) {
            for (const geometry::Part& part : piece.mesh->parts) {
                for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
                    copier.add(piece.mesh->triangles[t]);
                end_part(character_.mesh, name, part.material);
            }
            return copier.copied();
        }
        for (std::size_t i = 0; i < piece.triangles.size(); ++i) {
            const int material = materials_[piece.triangles[i]];
            copier.add(rest_.triangles[piece.triangles[i]]);
            if (i + 1 == piece.triangles.size() || materials_[piece.triangles[i + 1]] != material)
                end_part(character_.mesh, name, material);
        }
        return copier.copied();
    }
    void bind(int joint) {
        const model::Influence influence{static_cast<std::uint32_t>(joint), 1.0f};
        while (character_.skin.vertex_count() < character_.mesh.vertex_count())
            character_.skin.push_vertex({&influence, 1});
    }
    const GapCloser& closer_;
    Mesh rest_;
    std::vector<int> materials_;
    const PartMotion& motion_;
    model::Character character_;
    model::Clip clip_;
};

/// Triangles of a frame for each gap; triangles at the ends of several gaps come last. Marks those of the
/// rest mesh that move rigidly with their part. The mesh of a frame holds kept triangles in their order, then
/// patches.
std::vector<std::vector<std::uint32_t>> triangles_by_gap(const GapCloser& closer, const GapFrame& frame,
                                                         std::vector<std::uint8_t>& rigid) {
    const geometry::CutMesh& cut = closer.body().cut;
    const std::vector<int> ends = ends_of(closer, frame);
    std::vector<std::vector<std::uint32_t>> lists(closer.gaps().size() + 1);
    std::uint32_t at = 0;
    for (std::size_t t = 0; t < cut.triangles.size(); ++t) {
        if (frame.removed_triangles[t]) continue;
        const int gap = gap_at(cut.triangles[t], ends);
        rigid[t] = gap == none;
        if (gap != none)
            lists[gap == several ? lists.size() - 1 : static_cast<std::size_t>(gap)].push_back(at);
        ++at;
    }
    for (const GapPatch& patch : frame.patches)
        for (std::size_t i = 0; i < patch.strip.triangles.size() && patch.moved; ++i)
            lists[patch.gap].push_back(at++);
    return lists;
}

/// Some triangles of a mesh as a separate mesh, with a part for each material.
Mesh gather(const Mesh& mesh, const std::vector<std::uint32_t>& list) {
    const std::vector<int> materials = materials_of(mesh);
    Mesh piece;
    MeshCopier copier(mesh, piece);
    for (std::size_t i = 0; i < list.size(); ++i) {
        copier.add(mesh.triangles[list[i]]);
        const int material = materials[list[i]];
        if (i + 1 == list.size() || materials[list[i + 1]] != material) end_part(piece, "", material);
    }
    return piece;
}

}  // namespace

GapRecording::GapRecording(const GapCloser& closer, std::string name, double rate)
    : closer_(closer), bends_(closer.gaps().size()) {
    motion_.name = std::move(name);
    motion_.rate = rate;
}

bool GapRecording::seen_before(const Gap& gap, const GapPatch& patch, std::span<const math::Rigidd> world) {
    constexpr double alike = 1e-5;  // radians, and fractions of the radius
    const math::Rigidd relative =
        world[static_cast<std::size_t>(gap.parent)].inverse() * world[static_cast<std::size_t>(gap.child)];
    const auto frame = static_cast<std::uint32_t>(motion_.frames.size()) - 1;
    for (Bend& bend : bends_[patch.gap]) {
        if (math::angle_between(bend.relative.rotation, relative.rotation) > alike ||
            (bend.relative * gap.centre - relative * gap.centre).norm() > alike * gap.radius ||
            bend.loops[0] != patch.cut.sides[0].loop || bend.loops[1] != patch.cut.sides[1].loop)
            continue;
        bend.frames.push_back(frame);
        return true;
    }
    bends_[patch.gap].push_back({relative, {patch.cut.sides[0].loop, patch.cut.sides[1].loop}, {}, {frame}});
    return false;
}

bool GapRecording::has_soft_skin(const Gap& gap) const {
    return std::ranges::any_of(gap.sides, [&](const GapSide& side) {
        return std::ranges::any_of(side.points, [&](std::uint32_t p) { return closer_.soft().soft(p); });
    });
}

void GapRecording::add_soft(const GapPatch& patch, Mesh piece) {
    const float near = 1e-4f * static_cast<float>(closer_.gaps()[patch.gap].radius);
    const auto frame = static_cast<std::uint32_t>(motion_.frames.size()) - 1;
    const auto alike = [&](const Bend& bend) {
        return bend.mesh.triangles == piece.triangles &&
               std::ranges::equal(bend.mesh.positions, piece.positions, [&](const auto& a, const auto& b) {
                   return (a - b).squaredNorm() <= near * near;
               });
    };
    const auto found = std::ranges::find_if(bends_[patch.gap], alike);
    if (found != bends_[patch.gap].end()) {
        found->frames.push_back(frame);
    } else {
        bends_[patch.gap].push_back({{}, {}, std::move(piece), {frame}});
    }
}

void GapRecording::add(std::span<const math::Rigidd> world, const GapFrame& frame) {
    if (world.size() != closer_.body().part_count())
        fail("", "{} transforms are given for {} parts", world.size(), closer_.body().part_count());
    motion_.frames.emplace_back(world.begin(), world.end());
    const Mesh mesh = with_normals(frame.mesh);
    rigid_.emplace_back(closer_.body().cut.triangles.size(), 0);
    const std::vector<std::vector<std::uint32_t>> lists = triangles_by_gap(closer_, frame, rigid_.back());
    mixed_.push_back(gather(mesh, lists.back()));
    for (const GapPatch& patch : frame.patches) {
        const Gap& gap = closer_.gaps()[patch.gap];
        const auto in_parent = [&] {
            Mesh piece = gather(mesh, lists[patch.gap]);
            move(piece, 0, world[at(gap.parent)].inverse());
            return piece;
        };
        if (has_soft_skin(gap)) {
            add_soft(patch, in_parent());
        } else if (!seen_before(gap, patch, world)) {
            bends_[patch.gap].back().mesh = in_parent();
        }
    }
}

model::Character GapRecording::character() const {
    if (motion_.frames.empty()) fail("", "a motion without frames cannot be closed");
    const PartBody& body = closer_.body();
    std::vector<std::uint8_t> always = rigid_.front();
    for (const std::vector<std::uint8_t>& frame : rigid_)
        for (std::size_t t = 0; t < always.size(); ++t) always[t] &= frame[t];
    Assembly assembly(closer_, motion_);
    std::vector<Piece> core(body.part_count());
    for (std::uint32_t t = 0; t < always.size(); ++t)
        if (always[t]) core[static_cast<std::size_t>(body.cut.part_of[t])].triangles.push_back(t);
    for (std::size_t p = 0; p < core.size(); ++p) {
        core[p].part = static_cast<int>(p);
        assembly.add_core(core[p], body.cut.names[p]);
    }
    std::vector<Piece> pieces = shown_together(closer_, rigid_, always);
    for (std::size_t g = 0; g < bends_.size(); ++g)
        for (const Bend& bend : bends_[g])
            if (!bend.mesh.triangles.empty())
                pieces.push_back({closer_.gaps()[g].parent, {}, bend.frames, &bend.mesh});
    std::vector<std::vector<const Piece*>> with_frame(motion_.frames.size());
    for (const Piece& piece : pieces) {
        if (worth_a_node(piece)) {
            // Names must differ, because adjacent pieces with one name would be one object on one joint.
            const std::string name = fmt::format(
                "{} piece {}", body.cut.names[static_cast<std::size_t>(piece.part)], &piece - pieces.data());
            assembly.add(piece, name, assembly.add_shown(name, piece.part + 1, piece.frames));
        } else {
            for (const std::uint32_t f : piece.frames) with_frame[f].push_back(&piece);
        }
    }
    for (std::uint32_t f = 0; f < mixed_.size(); ++f)
        assembly.add_frame(f, mixed_[f], soft_in_frame(closer_, rigid_[f], always), with_frame[f]);
    return assembly.finish();
}

model::Character gap_character(const GapCloser& closer, const PartMotion& motion, Monitor& monitor) {
    if (closer.options().constant_topology) return spread_character(closer, motion);
    GapRecording recording(closer, motion.name, motion.rate);
    const std::size_t count = motion.frames.size();
    for (std::size_t f = 0; f < count; ++f) {
        recording.add(motion.frames[f], closer.close(motion.frames[f], monitor));
        step(monitor, "closing gaps", static_cast<double>(f + 1) / static_cast<double>(count));
    }
    return recording.character();
}

}  // namespace sinew::articulated
