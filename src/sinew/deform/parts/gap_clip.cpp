#include "sinew/deform/parts/gap_clip.h"

#include <algorithm>
#include <map>

#include "sinew/base/error.h"
#include "sinew/deform/parts/gap_clip_tracks.h"
#include "sinew/geometry/mesh_copier.h"

namespace sinew::deform {
namespace {

using geometry::Mesh;
using geometry::MeshCopier;
using geometry::Triangle;

/// Everything since the last part becomes one of this name.
void end_part(Mesh& mesh, const std::string& name, int material) {
    const std::uint32_t first = mesh.parts.empty() ? 0 : mesh.parts.back().first + mesh.parts.back().count;
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size()) - first;
    if (count > 0) mesh.parts.push_back({name, first, count, material});
}

Mesh with_normals(Mesh mesh) {
    if (mesh.normals.empty()) mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    return mesh;
}

/// Triangles of the rest mesh that are in a frame as their part carries them: not removed, and not at a point
/// at which a patch ends, whose normal and, when welded, place are its own.
std::vector<std::uint8_t> rigid_triangles(const GapCloser& closer, const GapFrame& frame) {
    const geometry::CutMesh& cut = closer.body().cut;
    std::vector<std::uint8_t> ends(cut.points.size(), 0);
    for (const GapPatch& patch : frame.patches) {
        const Gap& gap = closer.gaps()[patch.gap];
        for (int s = 0; s < 2; ++s) {
            for (std::size_t i = 0; i < gap.loop_size && !patch.moved; ++i) ends[gap.sides[s].points[i]] = 1;
            for (const std::uint32_t p : patch.cut.sides[s].loop) ends[gap.sides[s].points[p]] = 1;
        }
    }
    std::vector<std::uint8_t> rigid(cut.triangles.size());
    for (std::size_t t = 0; t < rigid.size(); ++t) {
        const Triangle& c = cut.triangles[t];
        rigid[t] = !frame.removed_triangles[t] && !ends[c[0]] && !ends[c[1]] && !ends[c[2]];
    }
    return rigid;
}

/// Triangles of the rest mesh that are shown in the same frames, or in one only.
struct Piece {
    int part = -1;
    std::vector<std::uint32_t> triangles;
    std::vector<std::uint32_t> frames;
};

/// The seam that a triangle is near, as 2 gap + side; parts themselves behind these.
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

/// What a copy of a piece costs in a file, and what a node of its own.
bool worth_a_node(const Piece& piece) {
    constexpr std::size_t bytes_of_triangle = 16, bytes_of_node = 1500;
    return (piece.frames.size() - 1) * piece.triangles.size() * bytes_of_triangle > bytes_of_node;
}

/// Triangles that are rigid in some frames but not in all, by the seam that they are near: one piece for each
/// set of them that is ever shown together.
std::vector<Piece> shown_together(const GapCloser& closer,
                                  const std::vector<std::vector<std::uint8_t>>& rigid,
                                  const std::vector<std::uint8_t>& always) {
    const std::vector<std::size_t> owner = neighbourhoods(closer);
    const std::vector<int>& part_of = closer.body().cut.part_of;
    std::map<std::pair<std::size_t, std::vector<std::uint32_t>>, std::vector<std::uint32_t>> found;
    for (std::uint32_t f = 0; f < rigid.size(); ++f) {
        std::map<std::size_t, std::vector<std::uint32_t>> sets;
        for (std::uint32_t t = 0; t < owner.size(); ++t)
            if (rigid[f][t] && !always[t]) sets[owner[t]].push_back(t);
        for (auto& [at, set] : sets) found[{at, std::move(set)}].push_back(f);
    }
    std::vector<Piece> pieces;
    for (const auto& [key, frames] : found)
        pieces.push_back({part_of[key.second.front()], key.second, frames});
    return pieces;
}

std::vector<int> materials_of(const Mesh& mesh) {
    std::vector<int> materials;
    for (const geometry::Part& part : geometry::parts_of(mesh))
        materials.insert(materials.end(), part.count, part.material);
    return materials;
}

/// Puts the pieces behind each other, each on one joint.
class Assembly {
  public:
    Assembly(const PartBody& body, const PartMotion& motion)
        : rest_(with_normals(body.mesh)), materials_(materials_of(body.mesh)), motion_(motion) {
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

    /// Triangles of the rest mesh on a joint.
    void add_rest(const std::vector<std::uint32_t>& triangles, const std::string& name, int joint) {
        copy_rest(triangles, name);
        bind(joint);
    }
    /// A joint that is shown in some frames only.
    int add_shown(const std::string& name, int parent, const std::vector<std::uint32_t>& frames) {
        const auto joint = static_cast<int>(character_.skeleton.size());
        add_joint(character_, name, parent, {}, frames.front() == 0);
        if (motion_.frames.size() > 1)
            clip_.tracks.push_back(shown_track(joint, frames, motion_.frames.size(), motion_.rate));
        return joint;
    }
    /// A mesh of one frame, and rest triangles that are in this frame only, where it carries them.
    void add_frame(std::uint32_t f, const Mesh& changed, const std::vector<const Piece*>& more) {
        const std::string name = fmt::format("frame_{}", f);
        MeshCopier own(changed, character_.mesh);
        for (const geometry::Part& part : geometry::parts_of(changed)) {
            for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
                own.add(changed.triangles[t]);
            end_part(character_.mesh, name, part.material);
        }
        for (const Piece* piece : more) {
            const std::size_t first = character_.mesh.vertex_count();
            copy_rest(piece->triangles, name);
            move(first, motion_.frames[f][static_cast<std::size_t>(piece->part)]);
        }
        bind(add_shown(name, 0, {f}));
    }

    model::Character finish() {
        model::make_names_unique(character_.skeleton);
        character_.clips.push_back(std::move(clip_));
        return std::move(character_);
    }

  private:
    void copy_rest(const std::vector<std::uint32_t>& triangles, const std::string& name) {
        MeshCopier copier(rest_, character_.mesh);
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            const int material = materials_[triangles[i]];
            copier.add(rest_.triangles[triangles[i]]);
            if (i + 1 == triangles.size() || materials_[triangles[i + 1]] != material)
                end_part(character_.mesh, name, material);
        }
    }
    void bind(int joint) {
        const model::Influence influence{static_cast<std::uint32_t>(joint), 1.0f};
        while (character_.skin.vertex_count() < character_.mesh.vertex_count())
            character_.skin.push_vertex({&influence, 1});
    }
    void move(std::size_t first, const math::Rigidd& world) {
        Mesh& mesh = character_.mesh;
        for (std::size_t v = first; v < mesh.vertex_count(); ++v) {
            mesh.positions[v] = Vec3d(world * mesh.positions[v].cast<double>()).cast<float>();
            mesh.normals[v] = Vec3d(world.rotation * mesh.normals[v].cast<double>()).cast<float>();
        }
    }

    Mesh rest_;
    std::vector<int> materials_;
    const PartMotion& motion_;
    model::Character character_;
    model::Clip clip_;
};

}  // namespace

GapRecording::GapRecording(const GapCloser& closer, std::string name, double rate) : closer_(closer) {
    motion_.name = std::move(name);
    motion_.rate = rate;
}

void GapRecording::add(std::span<const math::Rigidd> world, const GapFrame& frame) {
    if (world.size() != closer_.body().part_count())
        fail("", "{} transforms are given for {} parts", world.size(), closer_.body().part_count());
    motion_.frames.emplace_back(world.begin(), world.end());
    rigid_.push_back(rigid_triangles(closer_, frame));
    const std::vector<std::uint8_t>& rigid = rigid_.back();
    const Mesh mesh = with_normals(frame.mesh);
    changed_.emplace_back();
    MeshCopier copier(mesh, changed_.back());
    std::size_t source = 0;  // triangle of the rest mesh that the next one was; patches come behind them
    for (const geometry::Part& part : geometry::parts_of(mesh)) {
        for (std::uint32_t t = part.first; t < part.first + part.count; ++t, ++source) {
            while (source < rigid.size() && frame.removed_triangles[source]) ++source;
            if (source >= rigid.size() || !rigid[source]) copier.add(mesh.triangles[t]);
        }
        end_part(changed_.back(), part.name, part.material);
    }
}

model::Character GapRecording::character() const {
    if (motion_.frames.empty()) fail("", "a motion without frames cannot be closed");
    const PartBody& body = closer_.body();
    std::vector<std::uint8_t> always = rigid_.front();
    for (const std::vector<std::uint8_t>& frame : rigid_)
        for (std::size_t t = 0; t < always.size(); ++t) always[t] &= frame[t];
    Assembly assembly(body, motion_);
    std::vector<std::vector<std::uint32_t>> core(body.part_count());
    for (std::uint32_t t = 0; t < always.size(); ++t)
        if (always[t]) core[static_cast<std::size_t>(body.cut.part_of[t])].push_back(t);
    for (std::size_t p = 0; p < core.size(); ++p)
        assembly.add_rest(core[p], body.cut.names[p], static_cast<int>(p) + 1);
    std::vector<std::vector<const Piece*>> with_frame(motion_.frames.size());
    const std::vector<Piece> pieces = shown_together(closer_, rigid_, always);
    for (const Piece& piece : pieces) {
        if (worth_a_node(piece)) {
            // Names differ, because neighbours of one name are one object, and hang on one joint.
            const std::string name = fmt::format(
                "{} piece {}", body.cut.names[static_cast<std::size_t>(piece.part)], &piece - pieces.data());
            assembly.add_rest(piece.triangles, name, assembly.add_shown(name, piece.part + 1, piece.frames));
        } else {
            for (const std::uint32_t f : piece.frames) with_frame[f].push_back(&piece);
        }
    }
    for (std::uint32_t f = 0; f < changed_.size(); ++f) assembly.add_frame(f, changed_[f], with_frame[f]);
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

}  // namespace sinew::deform
