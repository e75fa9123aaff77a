// SPDX-License-Identifier: MIT

#include "sinew/io/io.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"
#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/bvh/bvh.h"
#include "sinew/io/c3d/c3d.h"
#include "sinew/io/export/export_formats.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/mesh/mesh_formats.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/io/scene/scene_formats.h"
#include "sinew/io/sequence/sequence.h"
#include "sinew/io/text/scan.h"
#include "sinew/io/text/unicode_names.h"
#include "sinew/io/text/units.h"
#include "sinew/io/trial/trial_formats.h"

namespace sinew::io {
namespace {

// What a file is, by its first bytes.

struct Sniffed {
    std::string_view suffix;  ///< empty when we do not read it
    std::string_view name;    ///< with its article: "a PLY file"
};

struct Mark {
    std::string_view start;
    Sniffed what;
};

constexpr Mark marks[] = {
    {"glTF", {"glb", "a binary glTF file"}},
    {"ply\n", {"ply", "a PLY file"}},
    {"ply\r", {"ply", "a PLY file"}},
    {std::string_view("POINTCACHE2", 12), {"pc2", "a PC2 point cache"}},
    {"Kaydara FBX Binary", {"fbx", "a binary FBX file"}},
    {"xof 0", {"x", "a DirectX file"}},
    {"BLENDER", {"blend", "a Blender file"}},
    {"\x89PNG\r\n", {"", "a PNG picture"}},
    {"\xFF\xD8\xFF", {"", "a JPEG picture"}},
    {"PK\3\4", {"", "a ZIP archive"}},
    {"\x1F\x8B", {"", "a gzip archive"}},
    {"%PDF-", {"", "a PDF document"}},
};

/// First words that only one format has.
constexpr Mark words[] = {
    {"HIERARCHY", {"bvh", "a BVH file"}},
    {"OFF", {"off", "an OFF file"}},
    {"COFF", {"off", "an OFF file"}},
    {"NOFF", {"off", "an OFF file"}},
    {"CNOFF", {"off", "an OFF file"}},
    {"STOFF", {"off", "an OFF file"}},
    {"STCNOFF", {"off", "an OFF file"}},
    {"facet", {"stl", "an STL file"}},
    {"animation", {"clip", "a keyframe channel file"}},
    {"<!DOCTYPE", {"", "an HTML page"}},
    {"<html", {"", "an HTML page"}},
    {"PathFileType", {"trc", "a TRC file"}},
};

bool is_text_stl(std::string_view text) {
    const std::string_view start = text.substr(0, 400);
    return start.starts_with("solid") && start.find("facet") != std::string_view::npos;
}

bool is_text_gltf(std::string_view text) {
    const std::string_view start = text.substr(0, 4000);
    return start.starts_with('{') && (start.find("\"asset\"") != std::string_view::npos ||
                                      start.find("\"scenes\"") != std::string_view::npos);
}

/// The mark of the header, and a processor where it says that the parameters are.
bool is_c3d(Bytes bytes) {
    if (bytes.size() < 1024 || bytes[1] != std::byte{0x50}) return false;
    const std::size_t parameters = static_cast<std::size_t>(bytes[0]) * 512;
    if (parameters < 1024 || parameters > bytes.size()) return false;
    const auto processor = static_cast<unsigned>(bytes[parameters - 512 + 3]);
    return processor >= 84 && processor <= 86;
}

/// XML is Collada, X3D, AMF, or nothing that we read.
Sniffed sniff_xml(std::string_view text) {
    const std::string_view start = text.substr(0, 4000);
    const auto has = [&](std::string_view word) { return start.find(word) != std::string_view::npos; };
    if (has("<COLLADA")) return {"dae", "a Collada file"};
    if (has("<X3D")) return {"x3d", "an X3D file"};
    if (has("<amf")) return {"amf", "an AMF file"};
    if (has("<mesh xmlns=\"http://irrlicht")) return {"irrmesh", "an Irrlicht mesh"};
    return {"", "an XML file"};
}

/// Recognises contents that cannot be anything else; most text formats have no such mark.
std::optional<Sniffed> sniff(Bytes bytes) {
    std::string_view text = as_text(bytes);
    for (const Mark& mark : marks) {
        if (text.starts_with(mark.start)) return mark.what;
    }
    if (is_c3d(bytes)) return Sniffed{"c3d", "a C3D file"};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = text.substr(0, 65536);  // the first word of a file of zeros is all of it
    text.remove_prefix(static_cast<std::size_t>(
        skip_white(text.data(), text.data() + std::min<std::size_t>(text.size(), 400)) - text.data()));
    const char* const behind = skip_word(text.data(), text.data() + text.size());
    const std::string_view word(text.data(), static_cast<std::size_t>(behind - text.data()));
    for (const Mark& mark : words) {
        if (word == mark.start) return mark.what;
    }
    if (word.starts_with("<?xml")) return sniff_xml(text);
    if (is_text_stl(text)) return Sniffed{"stl", "an STL file"};
    if (is_text_gltf(text)) return Sniffed{"gltf", "a glTF file"};
    return std::nullopt;
}

using Reader = Asset (*)(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor&);
using Writer = std::string (*)(const Asset&, const std::filesystem::path& path, const WriteOptions&,
                               Monitor&);

struct Entry {
    Format format;
    Reader read = nullptr;
    Writer write = nullptr;
};

constexpr Content surface_only = Content::mesh | Content::materials,
                  rigged = Content::mesh | Content::skeleton | Content::skin,
                  animated = Content::skeleton | Content::motion, still_model = surface_only | rigged,
                  whole_model = still_model | Content::motion;

/// Read by the importer, in a process of its own.
constexpr Entry imported(std::string_view suffix, std::string_view name, Content reads) {
    return {{suffix, name, Family::scene, reads}, read_imported};
}

constexpr Entry entries[] = {
    {{"glb", "glTF binary", Family::scene, whole_model | Content::morphs,
      whole_model | Content::morphs | Content::sequence},
     read_gltf,
     write_gltf},
    {{"gltf", "glTF", Family::scene, whole_model | Content::morphs,
      whole_model | Content::morphs | Content::sequence},
     read_gltf,
     write_gltf},
    {{"vrm", "VRM avatar", Family::scene, whole_model | Content::morphs, whole_model | Content::morphs},
     read_gltf,
     write_gltf},
    {{"usda", "USD text", Family::scene, Content::nothing, rigged | Content::motion}, nullptr, write_usda},
    {{"py", "script for Blender and Maya", Family::scene, Content::nothing, rigged | Content::motion},
     nullptr,
     write_dcc_script},
    {{"bvh", "BVH", Family::skeleton, animated, animated, true}, read_bvh, write_bvh},
    {{"asf", "ASF skeleton", Family::skeleton, Content::skeleton, Content::skeleton, true},
     read_asf,
     write_asf},
    {{"amc", "AMC motion", Family::skeleton, animated, Content::motion, true}, read_amc, write_amc},
    {{"tgf", "TGF skeleton", Family::skeleton, Content::skeleton, Content::skeleton}, read_tgf, write_tgf},
    {{"skel", "part hierarchy", Family::skeleton, Content::skeleton, Content::skeleton},
     read_skel,
     write_skel},
    {{"clip", "keyframe channels", Family::skeleton, animated, Content::motion}, read_clip, write_clip},
    {{"json", "JSON rig", Family::skeleton, rigged, rigged}, read_rig_json, write_rig_json},
    {{"obj", "OBJ", Family::mesh, surface_only, surface_only}, read_obj, write_obj},
    {{"off", "OFF", Family::mesh, Content::mesh, Content::mesh}, read_off, write_off},
    {{"ply", "PLY", Family::mesh, surface_only, Content::mesh}, read_ply, write_ply},
    {{"stl", "STL", Family::mesh, Content::mesh, Content::mesh}, read_stl, write_stl},
    {{"csv", "skin weights", Family::weights, Content::nothing, Content::skin}, nullptr, write_weights_csv},
    {{"pc2", "PC2 point cache", Family::cache, Content::sequence, Content::sequence}, read_pc2, write_pc2},
    {{"mdd", "MDD point cache", Family::cache, Content::sequence, Content::sequence}, read_mdd, write_mdd},
    {{"c3d", "C3D", Family::trial, Content::trial, Content::trial}, read_c3d, write_c3d},
    {{"trc", "TRC markers", Family::trial, Content::trial, Content::trial}, read_trc, write_trc},
    {{"mot", "OpenSim motion", Family::trial, Content::trial, Content::trial}, read_mot, write_mot},
    {{"sto", "OpenSim storage", Family::trial, Content::trial, Content::trial}, read_mot, write_mot},
    {{"txt", "raw joint text", Family::trial, Content::trial, Content::trial},
     read_joint_text,
     write_joint_text},
    {{"gcd", "GCD gait cycle", Family::cycle, Content::cycle, Content::cycle}, read_gcd, write_gcd},
    {{"dst", "DST gait cycle", Family::cycle, Content::cycle, Content::cycle}, read_gcd, write_gcd},
    {{"x", "DirectX", Family::scene, whole_model}, read_x},
    {{"fbx", "FBX", Family::scene, whole_model | Content::morphs, whole_model | Content::morphs},
     read_imported,
     write_fbx},
    imported("dae", "Collada", whole_model),
    imported("3ds", "3D Studio", surface_only),
    imported("blend", "Blender", surface_only),
    imported("ase", "3D Studio ASCII", whole_model),
    imported("lwo", "LightWave", surface_only),
    imported("lws", "LightWave scene", surface_only | animated),
    imported("md2", "Quake II model", surface_only),
    imported("md3", "Quake III model", surface_only),
    imported("md5mesh", "Doom 3 model", whole_model),
    imported("mdl", "Quake or Half-Life model", whole_model),
    imported("ms3d", "Milkshape", whole_model),
    imported("smd", "Valve model", whole_model),
    imported("b3d", "BlitzBasic 3D", whole_model),
    imported("ac", "AC3D", surface_only),
    imported("cob", "TrueSpace", surface_only),
    imported("dxf", "AutoCAD DXF", surface_only),
    imported("3mf", "3D Manufacturing Format", surface_only),
    imported("amf", "Additive Manufacturing File", surface_only),
    imported("x3d", "X3D", surface_only),
    imported("irrmesh", "Irrlicht mesh", surface_only),
    imported("ogex", "OpenGEX", whole_model),
    imported("nff", "Neutral File Format", surface_only),
    imported("iqm", "Inter-Quake Model", still_model),
};

constexpr auto table = [] {
    std::array<Format, std::size(entries)> formats;
    for (std::size_t i = 0; i < formats.size(); ++i) formats[i] = entries[i].format;
    return formats;
}();

const Entry* find_entry(const std::filesystem::path& path) {
    const std::string wanted = suffix(path);
    const auto found = std::find_if(std::begin(entries), std::end(entries),
                                    [&](const Entry& entry) { return entry.format.suffix == wanted; });
    return found == std::end(entries) ? nullptr : found;
}

std::vector<std::string_view> suffixes(Family family, bool reading) {
    std::vector<std::string_view> found;
    for (const Format& format : table) {
        if (format.family == family && (reading ? format.can_read() : format.can_write()))
            found.push_back(format.suffix);
    }
    return found;
}

/// ".obj, .off and .ply" of the formats that can be read, or written.
std::string list_formats(bool reading) {
    std::vector<std::string> names;
    for (const Format& format : table) {
        if (reading ? format.can_read() : format.can_write())
            names.push_back(fmt::format(".{}", format.suffix));
    }
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// Turns the first warning into an error.
class StrictMonitor : public Monitor {
  public:
    StrictMonitor(Monitor& next, std::string location) : next_(next), location_(std::move(location)) {}
    void progress(std::string_view stage, double fraction) override { next_.progress(stage, fraction); }
    bool cancelled() const override { return next_.cancelled(); }
    void warn(Warning warning) override {
        // Texts start with the location already.
        const bool positioned = warning.text.starts_with(location_);
        throw Error(positioned ? "" : location_, fmt::format("{} [{}]", warning.text, warning.code));
    }

  private:
    Monitor& next_;
    std::string location_;
};

/// "cannot read .xyz files", or that there is no suffix.
std::string refusal(const std::filesystem::path& path, std::string_view verb) {
    return path.has_extension() ? fmt::format("cannot {} .{} files", verb, suffix(path))
                                : "the name has no suffix to choose the format";
}

/// \throws Error when a file begins with nothing but zeros, as one does whose download or copy did not end,
/// or when a large text does not begin as text: before the rest is looked at, which may be gigabytes.
void check_start(Bytes bytes, const std::filesystem::path& path, const Format& format) {
    constexpr std::size_t large = 1 << 20;
    constexpr std::string_view texts =
        " gltf bvh asf amc tgf skel clip json obj off trc mot sto txt gcd dst ";
    const Bytes start = bytes.first(std::min<std::size_t>(bytes.size(), 4096));
    const auto zeros = static_cast<std::size_t>(std::ranges::count(start, std::byte{0}));
    if (!start.empty() && zeros == start.size())
        fail(path.string(),
             "the first {} bytes are all 0: this is no {} file, or it was not downloaded completely",
             start.size(), format.name);
    const bool utf16 = start.size() > 1 && (start[0] == std::byte{0xFF} || start[0] == std::byte{0xFE});
    if (bytes.size() > large && zeros > 0 && !utf16 &&
        texts.find(fmt::format(" {} ", format.suffix)) != std::string_view::npos)
        fail(path.string(), "this is not text: it has bytes of 0, which no {} file has", format.name);
}

/// \throws Error when the content is of another format than the suffix says.
void check_content(Bytes bytes, const std::filesystem::path& path, const Entry* entry) {
    const std::optional<Sniffed> found = sniff(bytes);
    if (entry == nullptr) {
        const std::string hint = found ? fmt::format(" The content is {}.", found->name) : "";
        fail(path.string(), "{}: known are {}, and folders of frames.{}", refusal(path, "read"),
             list_formats(true), hint);
    }
    const Format& format = entry->format;
    if (!found) check_start(bytes, path, format);
    if (!found || found->suffix == format.suffix) return;
    const auto is_gltf = [](std::string_view name) {
        return name == "glb" || name == "gltf" || name == "vrm";
    };
    if (is_gltf(found->suffix) && is_gltf(format.suffix)) return;
    // Some foreign formats are archives or XML inside; the importer knows better.
    if (found->suffix.empty() && entry->read == read_imported) return;
    if (found->suffix.empty()) fail(path.string(), "this is {}, not {}", found->name, format.name);
    fail(path.string(), "this is {}: rename it to {}", found->name,
         std::filesystem::path(path).replace_extension(found->suffix).filename().string());
}

Asset read_file(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const FileView view(path);
    Asset asset = decode(view.bytes(), path, options, monitor);
    normalize(asset, find_format(path)->states_no_unit, options);
    return asset;
}

Asset read_any(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    std::error_code code;
    Asset asset = std::filesystem::is_directory(path, code) ? read_sequence_folder(path, options, monitor)
                                                            : read_file(path, options, monitor);
    make_names_unicode(asset);
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
    const Entry* const entry = find_entry(path);
    return entry == nullptr ? nullptr : &table[static_cast<std::size_t>(entry - entries)];
}

std::vector<std::string_view> readable_suffixes(Family family) {
    return suffixes(family, true);
}

std::vector<std::string_view> writable_suffixes(Family family) {
    return suffixes(family, false);
}

Asset decode(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const Entry* const entry = find_entry(path);
    check_content(bytes, path, entry);
    if (entry->read == nullptr) fail(path.string(), "{} files can only be written", entry->format.name);
    return entry->read(bytes, path, options, monitor);
}

std::string encode(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                   Monitor& monitor) {
    const Entry* const entry = find_entry(path);
    if (entry == nullptr || entry->write == nullptr) {
        fail(path.string(), "{}: known are {}, and folders for mesh sequences", refusal(path, "write"),
             list_formats(false));
    }
    if (!entry->format.states_no_unit) return entry->write(asset, path, options, monitor);
    Asset in_units;
    in_units.character = in_file_units(asset.character, options);
    return entry->write(in_units, path, options, monitor);
}

Asset read(const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    StrictMonitor strict(monitor, path.string());
    Asset asset;
    try {
        asset = read_any(path, options, options.strict ? strict : monitor);
    } catch (const Error&) {
        check_mapped_files();  // that the file was cut meanwhile says more than what that looks like
        throw;
    }
    check_mapped_files();
    return asset;
}

void write(const std::filesystem::path& path, const Asset& asset, const WriteOptions& options,
           Monitor& monitor) {
    std::error_code code;
    const bool folder =
        !is_standard_output(path) && (std::filesystem::is_directory(path, code) || !path.has_extension());
    if (folder && !asset.sequence.empty()) return write_sequence_folder(path, asset, options, monitor);
    // Companions go to the disk before the file itself, so a folder that is missing must be noticed first.
    const Format* const format = find_format(path);
    if (format != nullptr && format->can_write() && path.has_parent_path() &&
        !std::filesystem::is_directory(path.parent_path(), code)) {
        fail(path.string(), "cannot write: the folder {} does not exist", path.parent_path().string());
    }
    write_file(path, encode(asset, path, options, monitor));
}

void write(const std::filesystem::path& path, const model::Character& character, const WriteOptions& options,
           Monitor& monitor) {
    Asset asset;
    asset.character = character;
    write(path, asset, options, monitor);
}

}  // namespace sinew::io
