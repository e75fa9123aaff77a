#include "sinew/io/io.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/bvh/bvh.h"
#include "sinew/io/c3d/c3d.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/scene/scene_formats.h"
#include "sinew/io/trial/trial_formats.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/sequence/sequence.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/sniff.h"
#include "sinew/io/text/units.h"

namespace sinew::io {
namespace {

constexpr Format table[] = {
    {"glb", "glTF binary", read_gltf, write_gltf},
    {"gltf", "glTF", read_gltf, write_gltf},
    {"bvh", "BVH", read_bvh, write_bvh, true},
    {"asf", "ASF skeleton", read_asf, write_asf, true},
    {"amc", "AMC motion", read_amc, write_amc, true},
    {"c3d", "C3D", read_c3d, write_c3d, false, Content::trial},
    {"trc", "TRC markers", read_trc, write_trc, false, Content::trial},
    {"gcd", "GCD gait cycle", read_gcd, write_gcd, false, Content::cycle},
    {"dst", "DST gait cycle", read_gcd, write_gcd, false, Content::cycle},
    {"txt", "raw joint text", read_joint_text, write_joint_text, false, Content::trial},
    {"obj", "OBJ", read_obj, write_obj},
    {"off", "OFF", read_off, write_off},
    {"ply", "PLY", read_ply, write_ply},
    {"stl", "STL", read_stl, write_stl},
    {"pc2", "PC2 point cache", read_pc2, write_pc2},
    {"mdd", "MDD point cache", read_mdd, write_mdd},
    {"tgf", "TGF skeleton", read_tgf, write_tgf},
    {"skel", "part hierarchy", read_skel, write_skel},
    {"clip", "keyframe channels", read_clip, write_clip},
    {"json", "JSON rig", read_rig_json, write_rig_json},
    {"csv", "skin weights", nullptr, write_weights_csv},
    {"py", "script for Blender and Maya", nullptr, write_dcc_script},
    {"usda", "USD text", nullptr, write_usda},
    {"x", "DirectX", read_x, nullptr},
    // Read by the importer, in a process of its own.
    {"fbx", "FBX", read_foreign, nullptr},
    {"dae", "Collada", read_foreign, nullptr},
    {"3ds", "3D Studio", read_foreign, nullptr},
    {"blend", "Blender", read_foreign, nullptr},
    {"ase", "3D Studio ASCII", read_foreign, nullptr},
    {"lwo", "LightWave", read_foreign, nullptr},
    {"lws", "LightWave scene", read_foreign, nullptr},
    {"md2", "Quake II model", read_foreign, nullptr},
    {"md3", "Quake III model", read_foreign, nullptr},
    {"md5mesh", "Doom 3 model", read_foreign, nullptr},
    {"mdl", "Quake or Half-Life model", read_foreign, nullptr},
    {"ms3d", "Milkshape", read_foreign, nullptr},
    {"smd", "Valve model", read_foreign, nullptr},
    {"b3d", "BlitzBasic 3D", read_foreign, nullptr},
    {"ac", "AC3D", read_foreign, nullptr},
    {"cob", "TrueSpace", read_foreign, nullptr},
    {"dxf", "AutoCAD DXF", read_foreign, nullptr},
    {"3mf", "3D Manufacturing Format", read_foreign, nullptr},
    {"amf", "Additive Manufacturing File", read_foreign, nullptr},
    {"x3d", "X3D", read_foreign, nullptr},
    {"irrmesh", "Irrlicht mesh", read_foreign, nullptr},
    {"ogex", "OpenGEX", read_foreign, nullptr},
    {"nff", "Neutral File Format", read_foreign, nullptr},
    {"iqm", "Inter-Quake Model", read_foreign, nullptr},
};

/// ".obj, .off and .ply" of the formats that can be read, or written.
std::string list_formats(bool reading) {
    std::vector<std::string> names;
    for (const Format& format : table) {
        if (reading ? format.read != nullptr : format.write != nullptr)
            names.push_back(fmt::format(".{}", format.suffix));
    }
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// Turns the first warning into an error.
class StrictMonitor : public Monitor {
  public:
    StrictMonitor(Monitor& next, std::string place) : next_(next), place_(std::move(place)) {}
    void progress(std::string_view stage, double fraction) override { next_.progress(stage, fraction); }
    bool cancelled() const override { return next_.cancelled(); }
    void warn(Warning warning) override {
        // Texts start with the place already.
        const bool placed = warning.text.starts_with(place_);
        throw Error(placed ? "" : place_, fmt::format("{} [{}]", warning.text, warning.code));
    }

  private:
    Monitor& next_;
    std::string place_;
};

/// \throws Error when the content is of another format than the suffix says.
void check_content(Bytes bytes, const std::filesystem::path& path, const Format* format) {
    const std::optional<Sniffed> found = sniff(bytes);
    if (format == nullptr) {
        const std::string hint = found ? fmt::format(" The content is {}.", found->name) : "";
        const std::string kind = path.has_extension() ? fmt::format("cannot read .{} files", suffix(path))
                                                      : "the name has no suffix that tells the format";
        fail(path.string(), "{}: known are {}, and folders of frames.{}", kind, list_formats(true), hint);
    }
    if (!found || found->suffix == format->suffix) return;
    const auto is_gltf = [](std::string_view name) { return name == "glb" || name == "gltf"; };
    if (is_gltf(found->suffix) && is_gltf(format->suffix)) return;
    // Some foreign formats are archives or XML inside; the importer knows better.
    if (found->suffix.empty() && format->read == read_foreign) return;
    if (found->suffix.empty()) fail(path.string(), "this is {}, not {}", found->name, format->name);
    fail(path.string(), "this is {}: rename it to {}", found->name,
         std::filesystem::path(path).replace_extension(found->suffix).filename().string());
}

Asset read_file(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const FileView view(path);
    const Format* const format = find_format(path);
    check_content(view.bytes(), path, format);
    if (format->read == nullptr) fail(path.string(), "{} files can only be written", format->name);
    Asset asset = format->read(view.bytes(), path, options, monitor);
    normalize(asset, format->states_no_unit, options);
    return asset;
}

Asset read_any(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    std::error_code code;
    Asset asset = std::filesystem::is_directory(path, code) ? read_sequence_folder(path, options, monitor)
                                                            : read_file(path, options, monitor);
    model::validate(asset.character, path.string());
    model::validate(asset.sequence, path.string());
    model::validate(asset.channels, path.string());
    model::validate(asset.trial, path.string());
    model::validate(asset.cycle, path.string());
    return asset;
}

}  // namespace

std::span<const Format> formats() {
    return table;
}

const Format* find_format(const std::filesystem::path& path) {
    const std::string wanted = suffix(path);
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const Format& f) { return f.suffix == wanted; });
    return found == std::end(table) ? nullptr : found;
}

Asset read(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    if (!options.strict) return read_any(path, options, monitor);
    StrictMonitor strict(monitor, path.string());
    return read_any(path, options, strict);
}

void write(const std::filesystem::path& path, const Asset& asset, const WriteOptions& options,
           Monitor& monitor) {
    const Format* const format = find_format(path);
    std::error_code code;
    const bool folder = std::filesystem::is_directory(path, code) || !path.has_extension();
    if (folder && !asset.sequence.empty()) return write_sequence_folder(path, asset, options, monitor);
    if (format == nullptr || format->write == nullptr) {
        const std::string kind = path.has_extension() ? fmt::format("cannot write .{} files", suffix(path))
                                                      : "the name has no suffix that tells the format";
        fail(path.string(), "{}: known are {}, and folders for mesh sequences", kind, list_formats(false));
    }
    // Companions go to the disk before the file itself, so a folder that is missing must be noticed first.
    if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), code)) {
        fail(path.string(), "cannot write: the folder {} does not exist", path.parent_path().string());
    }
    if (format->states_no_unit) {
        Asset in_units;
        in_units.character = in_file_units(asset.character, options);
        write_file(path, format->write(in_units, path, options, monitor));
    } else {
        write_file(path, format->write(asset, path, options, monitor));
    }
}

void write(const std::filesystem::path& path, const model::Character& character, const WriteOptions& options,
           Monitor& monitor) {
    Asset asset;
    asset.character = character;
    write(path, asset, options, monitor);
}

}  // namespace sinew::io
