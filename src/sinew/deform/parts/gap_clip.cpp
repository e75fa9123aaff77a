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

constexpr int none = -1, several = -2;

/// Of each point of the cut mesh the gap whose patch ends there, where normal and, when welded, place are the
/// patch's own; a seam that has not moved ends in itself.
std::vector<int> ends_of(const GapCloser& closer, const GapFrame& frame) {
    std::vector<int> ends(closer.body().cut.points.size(), none);
    const auto mark = [&](std::uint32_t point, std::size_t gap) {
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

/// The gap that a triangle of the rest mesh is at the end of, several, or none.
int gap_at(const Triangle& triangle, const std::vector<int>& ends) {
    int gap = none;
    for (const std::uint32_t corner : triangle) {
        if (ends[corner] == none || ends[corner] == gap) continue;
        gap = gap == none ? ends[corner] : several;
    }
    return gap;
}

/// Triangles that are shown in the same frames: some of the rest mesh, or a mesh in its part's rest frame.
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
    constexpr std::size_t bytes_of_triangle = 20, bytes_of_node = 1500;
    return (piece.frames.size() - 1) * piece.size() * bytes_of_triangle > bytes_of_node;
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
        pieces.push_back({part_of[key.second.front()], key.second, frames, nullptr});
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

    void add(const Piece& piece, const std::string& name, int joint) {
        copy(piece, name);
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
    /// A mesh of one frame, and pieces that are in few frames, where this one carries them.
    void add_frame(std::uint32_t f, const Mesh& mixed, const std::vector<const Piece*>& more) {
        const std::string name = fmt::format("frame_{}", f);
        copy({-1, {}, {}, &mixed}, name);
        for (const Piece* piece : more) {
            const std::size_t first = character_.mesh.vertex_count();
            copy(*piece, name);
            move(character_.mesh, first, motion_.frames[f][static_cast<std::size_t>(piece->part)]);
        }
        if (character_.mesh.vertex_count() > character_.skin.vertex_count()) bind(add_shown(name, 0, {f}));
    }

    model::Character finish() {
        model::make_names_unique(character_.skeleton);
        character_.clips.push_back(std::move(clip_));
        return std::move(character_);
    }

  private:
    void copy(const Piece& piece, const std::string& name) {
        MeshCopier copier(piece.mesh == nullptr ? rest_ : *piece.mesh, character_.mesh);
        if (piece.mesh != nullptr) {
            for (const geometry::Part& part : piece.mesh->parts) {
                for (std::uint32_t t = part.first; t < part.first + part.count; ++t)
                    copier.add(piece.mesh->triangles[t]);
                end_part(character_.mesh, name, part.material);
            }
            return;
        }
        for (std::size_t i = 0; i < piece.triangles.size(); ++i) {
            const int material = materials_[piece.triangles[i]];
            copier.add(rest_.triangles[piece.triangles[i]]);
            if (i + 1 == piece.triangles.size() || materials_[piece.triangles[i + 1]] != material)
                end_part(character_.mesh, name, material);
        }
    }
    void bind(int joint) {
        const model::Influence influence{static_cast<std::uint32_t>(joint), 1.0f};
        while (character_.skin.vertex_count() < character_.mesh.vertex_count())
            character_.skin.push_vertex({&influence, 1});
    }
    Mesh rest_;
    std::vector<int> materials_;
    const PartMotion& motion_;
    model::Character character_;
    model::Clip clip_;
};

}  // namespace

GapRecording::GapRecording(const GapCloser& closer, std::string name, double rate)
    : closer_(closer), bends_(closer.gaps().size()) {
    motion_.name = std::move(name);
    motion_.rate = rate;
}

bool GapRecording::seen_before(const Gap& gap, const GapPatch& patch, std::span<const math::Rigidd> world) {
    constexpr double alike = 1e-5;  // radians, and parts of the radius
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

void GapRecording::add(std::span<const math::Rigidd> world, const GapFrame& frame) {
    const geometry::CutMesh& cut = closer_.body().cut;
    if (world.size() != closer_.body().part_count())
        fail("", "{} transforms are given for {} parts", world.size(), closer_.body().part_count());
    motion_.frames.emplace_back(world.begin(), world.end());
    const Mesh mesh = with_normals(frame.mesh);
    const std::vector<int> ends = ends_of(closer_, frame);
    // Triangles of each gap, and behind them those at the ends of several, by material.
    std::vector<std::vector<std::uint32_t>> lists(closer_.gaps().size() + 1);
    std::vector<std::uint8_t> rigid(cut.triangles.size(), 0);
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
    rigid_.push_back(std::move(rigid));
    const std::vector<int> materials = materials_of(mesh);
    const auto gather = [&](const std::vector<std::uint32_t>& list) {
        Mesh piece;
        MeshCopier copier(mesh, piece);
        for (std::size_t i = 0; i < list.size(); ++i) {
            copier.add(mesh.triangles[list[i]]);
            const int material = materials[list[i]];
            if (i + 1 == list.size() || materials[list[i + 1]] != material) end_part(piece, "", material);
        }
        return piece;
    };
    mixed_.push_back(gather(lists.back()));
    for (const GapPatch& patch : frame.patches) {
        const Gap& gap = closer_.gaps()[patch.gap];
        if (seen_before(gap, patch, world)) continue;
        Mesh& piece = bends_[patch.gap].back().mesh;
        piece = gather(lists[patch.gap]);
        move(piece, 0, world[static_cast<std::size_t>(gap.parent)].inverse());
    }
}

model::Character GapRecording::character() const {
    if (motion_.frames.empty()) fail("", "a motion without frames cannot be closed");
    const PartBody& body = closer_.body();
    std::vector<std::uint8_t> always = rigid_.front();
    for (const std::vector<std::uint8_t>& frame : rigid_)
        for (std::size_t t = 0; t < always.size(); ++t) always[t] &= frame[t];
    Assembly assembly(body, motion_);
    std::vector<Piece> core(body.part_count());
    for (std::uint32_t t = 0; t < always.size(); ++t)
        if (always[t]) core[static_cast<std::size_t>(body.cut.part_of[t])].triangles.push_back(t);
    for (std::size_t p = 0; p < core.size(); ++p)
        assembly.add(core[p], body.cut.names[p], static_cast<int>(p) + 1);
    std::vector<Piece> pieces = shown_together(closer_, rigid_, always);
    for (std::size_t g = 0; g < bends_.size(); ++g)
        for (const Bend& bend : bends_[g])
            if (!bend.mesh.triangles.empty())
                pieces.push_back({closer_.gaps()[g].parent, {}, bend.frames, &bend.mesh});
    std::vector<std::vector<const Piece*>> with_frame(motion_.frames.size());
    for (const Piece& piece : pieces) {
        if (worth_a_node(piece)) {
            // Names differ, because neighbours of one name are one object, and hang on one joint.
            const std::string name = fmt::format(
                "{} piece {}", body.cut.names[static_cast<std::size_t>(piece.part)], &piece - pieces.data());
            assembly.add(piece, name, assembly.add_shown(name, piece.part + 1, piece.frames));
        } else {
            for (const std::uint32_t f : piece.frames) with_frame[f].push_back(&piece);
        }
    }
    for (std::uint32_t f = 0; f < mixed_.size(); ++f) assembly.add_frame(f, mixed_[f], with_frame[f]);
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
