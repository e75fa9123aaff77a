#include "sinew/io/gltf/gltf.h"
#include "sinew/io/gltf/write.h"

namespace sinew::io {
namespace {

/// A sequence as a character: each frame is a morph target, shown alone at its time and blended with its
/// neighbours in between.
model::Character morphing(const model::MeshSequence& sequence, const std::string& file, Monitor& monitor) {
    model::Character character;
    character.name = sequence.rest.name;
    character.mesh = sequence.rest;
    character.mesh.morphs.clear();
    model::Clip clip;
    clip.name = "sequence";
    const std::size_t count = sequence.frames.size();
    for (std::size_t f = 0; f < count; ++f) {
        geometry::Morph morph;
        morph.name = fmt::format("frame_{}", f);
        morph.positions.reserve(sequence.rest.positions.size());
        for (std::size_t v = 0; v < sequence.rest.positions.size(); ++v) {
            morph.positions.emplace_back(sequence.frames[f][v] - sequence.rest.positions[v]);
        }
        character.mesh.morphs.push_back(std::move(morph));
        model::MorphTrack track{.morph = static_cast<int>(f), .weight = {}};
        track.weight.times = model::KeyTimes::even(0, 1 / sequence.rate, count);
        track.weight.values.assign(count, 0);
        track.weight.values[f] = 1;
        clip.morph_tracks.push_back(std::move(track));
    }
    character.clips.push_back(std::move(clip));
    const double size = 12e-6 * static_cast<double>(count * sequence.rest.positions.size());
    warn(monitor, "gltf-sequence",
         "{}: {} frames become morph targets of {:.1f} MB; fitting bones makes it smaller", file, count,
         size);
    return character;
}

}  // namespace

std::string write_gltf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                       Monitor& monitor) {
    const std::string file = path.filename().string();
    const bool as_sequence = !asset.sequence.empty() && !asset.character.has_mesh();
    if (as_sequence) {
        model::validate(asset.sequence, file);
    } else if (!asset.sequence.empty()) {
        warn(monitor, "gltf-sequence-dropped", "{}: holds the character only, not its mesh sequence", file);
    }
    const model::Character sequence =
        as_sequence ? morphing(asset.sequence, file, monitor) : model::Character();
    const model::Character& character = as_sequence ? sequence : asset.character;
    if (!character.has_mesh() && !character.has_skeleton()) fail(file, "there is nothing to write");
    model::validate(character, file);

    gltf::Builder builder;
    builder.root["asset"] = {{"version", "2.0"}, {"generator", options.generator}};
    // glTF is in metres; the unit of the source lets a motion go back to BVH in its own numbers.
    if (character.unit != 1) builder.root["asset"]["extras"]["sinew_unit"] = character.unit;
    const gltf::Writer writer{builder, character, file, monitor, options.compact};
    std::vector<gltf::MeshGroup> groups = gltf::group_parts(character.mesh);
    if (options.compact) gltf::find_rigid(character.skin, groups);
    gltf::write_nodes(writer, groups);
    gltf::write_materials(writer);
    gltf::write_meshes(writer, groups);
    step(monitor, "write", 0.6);
    gltf::write_clips(writer, groups);
    step(monitor, "write", 0.9);
    return builder.finish(suffix(path) != "gltf", file);
}

}  // namespace sinew::io
