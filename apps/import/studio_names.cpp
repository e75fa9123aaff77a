// The names of objects in a .3ds file.

#include <cstdint>
#include <cstring>

#include "scene.h"

#include "sinew/base/file.h"

namespace sinew::import {
namespace {

constexpr std::uint16_t main_chunk = 0x4D4D, editor = 0x3D3D, object = 0x4000, triangles = 0x4100;

/// Chunks one after the other: number, length with this header, content.
template <class Visit>
void for_each_chunk(std::string_view bytes, const Visit& visit) {
    while (bytes.size() >= 6) {
        std::uint16_t id = 0;
        std::uint32_t length = 0;
        std::memcpy(&id, bytes.data(), 2);
        std::memcpy(&length, bytes.data() + 2, 4);
        if (length < 6 || length > bytes.size()) return;
        visit(id, bytes.substr(6, length - 6));
        bytes.remove_prefix(length);
    }
}

}  // namespace

std::vector<std::string> studio_object_names(const std::filesystem::path& path) {
    std::vector<std::string> names;
    if (suffix(path) != "3ds") return names;
    const FileView view(path);
    for_each_chunk(view.text(), [&](std::uint16_t id, std::string_view content) {
        if (id != main_chunk) return;
        for_each_chunk(content, [&](std::uint16_t inner, std::string_view scene) {
            if (inner != editor) return;
            for_each_chunk(scene, [&](std::uint16_t kind, std::string_view body) {
                const std::size_t end = body.find('\0');
                if (kind != object || end == std::string_view::npos) return;
                bool has_mesh = false;
                for_each_chunk(body.substr(end + 1), [&](std::uint16_t part, std::string_view) {
                    has_mesh = has_mesh || part == triangles;
                });
                if (has_mesh) names.emplace_back(body.substr(0, end));
            });
        });
    });
    return names;
}

}  // namespace sinew::import
