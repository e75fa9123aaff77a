#include "sinew/io/sniff.h"

#include <algorithm>
#include <cstring>

#include "sinew/io/text/scan.h"

namespace sinew::io {
namespace {

struct Mark {
    std::string_view start;
    Sniffed what;
};

using namespace std::string_view_literals;

constexpr Mark marks[] = {
    {"glTF"sv, {"glb", "a binary glTF file"}},
    {"ply\n"sv, {"ply", "a PLY file"}},
    {"ply\r"sv, {"ply", "a PLY file"}},
    {"POINTCACHE2\0"sv, {"pc2", "a PC2 point cache"}},
    {"Kaydara FBX Binary"sv, {"fbx", "a binary FBX file"}},
    {"xof 0"sv, {"x", "a DirectX file"}},
    {"BLENDER"sv, {"blend", "a Blender file"}},
    {"\x89PNG\r\n"sv, {"", "a PNG picture"}},
    {"\xFF\xD8\xFF"sv, {"", "a JPEG picture"}},
    {"PK\3\4"sv, {"", "a ZIP archive"}},
    {"\x1F\x8B"sv, {"", "a gzip archive"}},
    {"%PDF-"sv, {"", "a PDF document"}},
};

/// First words that only one format has.
constexpr Mark words[] = {
    {"HIERARCHY"sv, {"bvh", "a BVH file"}},
    {"OFF"sv, {"off", "an OFF file"}},
    {"COFF"sv, {"off", "an OFF file"}},
    {"NOFF"sv, {"off", "an OFF file"}},
    {"CNOFF"sv, {"off", "an OFF file"}},
    {"STOFF"sv, {"off", "an OFF file"}},
    {"STCNOFF"sv, {"off", "an OFF file"}},
    {"facet"sv, {"stl", "an STL file"}},
    {"animation"sv, {"clip", "a keyframe channel file"}},
    {"<!DOCTYPE"sv, {"", "an HTML page"}},
    {"<html"sv, {"", "an HTML page"}},
    {"PathFileType"sv, {"trc", "a TRC file"}},
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

}  // namespace

std::optional<Sniffed> sniff(Bytes bytes) {
    std::string_view text = as_text(bytes);
    for (const Mark& mark : marks) {
        if (text.starts_with(mark.start)) return mark.what;
    }
    if (is_c3d(bytes)) return Sniffed{"c3d", "a C3D file"};
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
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

}  // namespace sinew::io
