#include "sinew/deform/parts/gap_clip.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/deform/parts/gap_output.h"

namespace sinew::deform {
namespace {

using geometry::Mesh;
using geometry::Triangle;

/// Points of the cut mesh at which some frame differs from its rigid part: all seams, and the ends of
/// patches.
void mark_changed(const std::vector<Gap>& gaps, const GapFrame& frame, std::vector<std::uint8_t>& changed) {
    for (const GapPatch& patch : frame.patches) {
        if (!patch.moved) continue;
        for (int s = 0; s < 2; ++s) {
            const GapSide& side = gaps[patch.gap].sides[s];
            for (const std::uint32_t p : patch.cut.sides[s].loop) changed[side.points[p]] = 1;
            for (std::size_t p = 0; p < side.points.size(); ++p)
                if (patch.cut.sides[s].removed[p]) changed[side.points[p]] = 1;
        }
    }
}

template <class Value>
void copy_at(const std::vector<Value>& from, std::uint32_t vertex, std::vector<Value>& to) {
    if (!from.empty()) to.push_back(from[vertex]);
}

/// Puts triangles of other meshes behind each other, each on one joint.
class Assembly {
  public:
    explicit Assembly(model::Character& character) : character_(character) {}

    void start_piece(const Mesh& from) {
        from_ = &from;
        of_.assign(from.vertex_count(), none);
    }
    void add(const Triangle& triangle, std::uint32_t joint) {
        Triangle corners{};
        for (std::size_t k = 0; k < 3; ++k) corners[k] = vertex(triangle[k], joint);
        character_.mesh.triangles.push_back(corners);
    }
    void end_part(const std::string& name, int material) {
        geometry::Part part;
        part.name = name;
        part.first = done_;
        part.count = static_cast<std::uint32_t>(character_.mesh.triangles.size()) - done_;
        part.material = material;
        done_ += part.count;
        if (part.count > 0) character_.mesh.parts.push_back(part);
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;

    std::uint32_t vertex(std::uint32_t v, std::uint32_t joint) {
        if (of_[v] != none) return of_[v];
        Mesh& mesh = character_.mesh;
        of_[v] = static_cast<std::uint32_t>(mesh.vertex_count());
        mesh.positions.push_back(from_->positions[v]);
        copy_at(from_->normals, v, mesh.normals);
        copy_at(from_->uvs[0], v, mesh.uvs[0]);
        copy_at(from_->uvs[1], v, mesh.uvs[1]);
        copy_at(from_->colors, v, mesh.colors);
        const model::Influence influence{joint, 1.0f};
        character_.skin.push_vertex({&influence, 1});
        return of_[v];
    }

    model::Character& character_;
    const Mesh* from_ = nullptr;
    std::vector<std::uint32_t> of_;
    std::uint32_t done_ = 0;
};

void add_joint(model::Character& character, const std::string& name) {
    model::Joint joint;
    joint.name = name;
    joint.parent = character.skeleton.empty() ? -1 : 0;
    character.skeleton.joints.push_back(joint);
}

model::Clip clip_of_parts(const PartMotion& motion, std::size_t parts) {
    const std::size_t frames = motion.frames.size();
    model::Clip clip;
    clip.name = motion.name;
    for (std::size_t p = 0; p < parts; ++p) {
        model::Track track;
        track.joint = static_cast<int>(p) + 1;
        track.translation.times = track.rotation.times = model::KeyTimes::even(0, 1 / motion.rate, frames);
        for (const std::vector<math::Rigidd>& frame : motion.frames) {
            track.translation.values.push_back(frame[p].translation.cast<float>());
            const math::Quatf rotation = frame[p].rotation.cast<float>().normalized();
            const auto& values = track.rotation.values;
            track.rotation.values.push_back(values.empty() ? rotation
                                                           : math::aligned(rotation, values.back()));
        }
        clip.tracks.push_back(std::move(track));
    }
    for (std::size_t f = 0; f < frames && frames > 1; ++f) {
        model::Track track;
        track.joint = static_cast<int>(parts + f) + 1;
        track.scale.mode = model::Interpolation::step;
        std::vector<float> times;
        // From half a frame before to half a frame after: the nearest patch is shown, and no rounding of
        // times can show that of the frame before.
        const auto key = [&](double at, float scale) {
            times.push_back(static_cast<float>(at / motion.rate));
            track.scale.values.push_back(math::Vec3f::Constant(scale));
        };
        const auto frame = static_cast<double>(f);
        if (f > 0) key(0, 0);
        key(f > 0 ? frame - 0.5 : 0, 1);
        if (f + 1 < frames) key(frame + 0.5, 0);
        track.scale.times = model::KeyTimes::listed(times);
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

}  // namespace

model::Character gap_character(const GapCloser& closer, const PartMotion& motion, Monitor& monitor) {
    if (motion.frames.empty()) fail("", "a motion without frames cannot be closed");
    const PartBody& body = closer.body();
    const std::size_t parts = body.part_count(), frames = motion.frames.size();
    std::vector<GapFrame> closed;
    std::vector<std::uint8_t> changed(body.cut.points.size(), 0);
    for (const Gap& gap : closer.gaps())
        for (std::size_t i = 0; i < gap.loop_size; ++i) changed[gap.sides[0].points[i]] = 1;
    for (std::size_t f = 0; f < frames; ++f) {
        closed.push_back(closer.close(motion.frames[f], monitor));
        mark_changed(closer.gaps(), closed.back(), changed);
        step(monitor, "closing gaps", static_cast<double>(f + 1) / static_cast<double>(frames));
    }
    const auto is_core = [&](std::size_t t) {
        const Triangle& c = body.cut.triangles[t];
        return !changed[c[0]] && !changed[c[1]] && !changed[c[2]];
    };
    model::Character character;
    character.mesh.materials = body.mesh.materials;
    character.mesh.images = body.mesh.images;
    add_joint(character, "parts");
    for (const std::string& name : body.cut.names) add_joint(character, name);
    for (std::size_t f = 0; f < frames; ++f) add_joint(character, fmt::format("frame_{}", f));
    model::make_names_unique(character.skeleton);
    character.skin.joints = model::bind_at_rest(character.skeleton);
    Assembly assembly(character);
    Mesh rest = body.mesh;
    if (rest.normals.empty()) rest.normals = geometry::vertex_normals(rest.positions, rest.triangles);
    assembly.start_piece(rest);
    for (const geometry::Part& part : geometry::parts_of(rest)) {
        for (std::size_t t = part.first; t < part.first + part.count; ++t)
            if (is_core(t))
                assembly.add(rest.triangles[t], static_cast<std::uint32_t>(body.cut.part_of[t]) + 1);
        assembly.end_part(part.name, part.material);
    }
    for (std::size_t f = 0; f < frames; ++f) {
        Mesh& mesh = closed[f].mesh;
        if (mesh.normals.empty()) mesh.normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
        assembly.start_piece(mesh);
        std::size_t source = 0;  // triangle of the rest mesh that the next one was
        for (const geometry::Part& part : geometry::parts_of(mesh)) {
            for (std::size_t t = part.first; t < part.first + part.count; ++t) {
                while (source < closed[f].removed_triangles.size() && closed[f].removed_triangles[source])
                    ++source;
                const bool core = source < closed[f].removed_triangles.size() && is_core(source);
                if (source < closed[f].removed_triangles.size()) ++source;
                if (!core) assembly.add(mesh.triangles[t], static_cast<std::uint32_t>(parts + f) + 1);
            }
            assembly.end_part(fmt::format("frame_{}", f), part.material);
        }
        mesh = {};
    }
    character.clips.push_back(clip_of_parts(motion, parts));
    return character;
}

}  // namespace sinew::deform
